// SPDX-License-Identifier: Apache-2.0
// What a sweep computes: values of parameters, outputs against free fall, rows of jobs that fail.
#include "sweeps.h"

#ifdef __EMSCRIPTEN__

TEST(sweeps)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- outputs ------------------------------------------------------------------------------------

// v0 from a grid and g from a list: the first parameter varies slowest.
TEST(outputs_of_a_grid_are_those_of_free_fall)
{
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write(
        "fall.json",
        "{\"model\": \"ball.xml\", \"run\": {\"time\": 0.5},\n"
        " \"parameters\": {\"v0\": {\"from\": 0, \"to\": 4, \"count\": 3}, \"g\": [10, 20]},\n"
        " \"set\": [\"option.gravity=0 0 {-g}\"], \"start\": {\"ball.qd[2]\": \"{v0}\"},\n"
        " \"outputs\": [\"ball.z\", \"ball.vz\", {\"max\": \"ball.z\"}, {\"min\": \"ball.z\"},\n"
        "  {\"mean\": \"ball.vz\"}, {\"count\": \"ball.vz < -1.05\"}, {\"first\": \"ball.vz < "
        "-1.05\"},\n"
        "  {\"series\": \"ball.z\", \"points\": 5, \"name\": \"z\"}, \"energy\"]}\n");
    CHECK_INT(sweeps_run("$U sweep fall.json -o fall && $U merge fall -o fall.csv"), 0);
    sweeps_read("fall.csv", sweeps_out, SWEEPS_ROOM);
    const double h = 0.01;
    enum { K = 50 };
    for (int job = 0; job < 6; job++) {
        static const char* const columns[] = {"job",
                                              "v0",
                                              "g",
                                              "ball.z",
                                              "ball.vz",
                                              "max ball.z",
                                              "min ball.z",
                                              "mean ball.vz",
                                              "count ball.vz < -1.05",
                                              "first ball.vz < -1.05",
                                              "z[1]",
                                              "z[5]",
                                              "energy",
                                              "steps",
                                              "time"};
        enum { N = sizeof columns / sizeof *columns };
        double x[N];
        if (!CHECK(sweeps_numbers(job, columns, N, x))) {
            break;
        }
        const double v0 = 2.0 * (job / 2), g = job % 2 == 0 ? 10 : 20;
        double highest = 100, lowest = 100, sum = 0, first = (double)NAN;
        int count = 0;
        for (int k = 1; k <= K; k++) {
            const double z = 100 + v0 * h * k - g * h * h * k * (k + 1) / 2, v = v0 - g * h * k;
            highest = fmax(highest, z);
            lowest = fmin(lowest, z);
            sum += v;
            if (v < -1.05) {
                first = count++ == 0 ? h * k : first;
            }
        }
        const double z = 100 + v0 * h * K - g * h * h * K * (K + 1) / 2, v = v0 - g * h * K;
        const double expected[N] = {job,
                                    v0,
                                    g,
                                    z,
                                    v,
                                    highest,
                                    lowest,
                                    sum / K,
                                    count,
                                    first,
                                    100 + v0 * h * 10 - g * h * h * 55,
                                    z,
                                    2 * g * z + v * v,
                                    K,
                                    h * K};
        for (int k = 0; k < N; k++) {
            if (!CHECK((isnan(x[k]) && isnan(expected[k])) || fabs(x[k] - expected[k]) < 1e-9)) {
                test_note("job %d: %s is %.17g, not %.17g", job, columns[k], x[k], expected[k]);
            }
        }
    }
}

TEST(a_stop_condition_ends_a_job)
{
    if (!sweeps_begin()) {
        return;
    }
    // v = -10 h k is below -1.05 first at k = 11
    sweeps_write("stop.json",
                 "{\"model\": \"ball.xml\", \"run\": {\"time\": 1},\n"
                 " \"outputs\": [{\"series\": \"time\", \"points\": 2, \"name\": \"t\"}],\n"
                 " \"stop\": [\"ball.z > 200\", \"ball.vz < -1.05\"]}\n");
    CHECK_INT(sweeps_run("$U sweep stop.json -o stop >/dev/null && $U merge stop"), 0);
    char cell[128];
    CHECK(sweeps_cell(0, "status", cell));
    CHECK_TEXT(cell, "stopped");
    CHECK(sweeps_cell(0, "message", cell));
    CHECK_TEXT(cell, "ball.vz < -1.05");
    CHECK(sweeps_cell(0, "steps", cell));
    CHECK_TEXT(cell, "11");
    CHECK(sweeps_cell(0, "t[1]", cell));
    CHECK_TEXT(cell, "nan");
}

// ---- samples ------------------------------------------------------------------------------------

enum { SAMPLES = 64 };

// Sample a from 0 to 1 and b from 1 to 100, logarithmically. @param a, b SAMPLES each
static bool sample(const char* sampling, int seed, double* a, double* b)
{
    static const char* const columns[] = {"a", "b"};
    char text[600];
    snprintf(text, sizeof text,
             "{\"model\": \"ball.xml\", \"run\": {\"time\": 0.01}, \"samples\": %d, \"seed\": %d,\n"
             " \"sampling\": \"%s\",\n"
             " \"parameters\": {\"a\": {\"range\": [0, 1]}, \"b\": {\"range\": [1, 100], \"log\": "
             "true}},\n"
             " \"start\": {\"ball.qd[0]\": \"{a+b}\"}}\n",
             (int)SAMPLES, seed, sampling);
    sweeps_write("sample.json", text);
    sweeps_remove("sample");
    CHECK_INT(sweeps_run("$U sweep sample.json -o sample >/dev/null && $U merge sample"), 0);
    for (int k = 0; k < SAMPLES; k++) {
        double x[2];
        if (!CHECK(sweeps_numbers(k, columns, 2, x))) {
            return false;
        }
        a[k] = x[0];
        b[k] = log(x[1]) / log(100.0);
    }
    return true;
}

// How many of the cells of a grid of SAMPLES cells, `across` times `down`, hold one sample?
static int cells_with_one(const double* a, const double* b, int across, int down)
{
    int count[SAMPLES] = {0}, ones = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const int i = (int)(a[k] * across), j = (int)(b[k] * down);
        count[i * down + j]++;
    }
    for (int k = 0; k < SAMPLES; k++) {
        ones += count[k] == 1;
    }
    return ones;
}

TEST(latin_hypercubes_have_one_sample_per_row_and_column)
{
    double a[SAMPLES], b[SAMPLES], other[SAMPLES], unused[SAMPLES];
    if (!sweeps_begin() || !sample("latin-hypercube", 3, a, b)) {
        return;
    }
    CHECK_INT(cells_with_one(a, b, SAMPLES, 1), SAMPLES);
    CHECK_INT(cells_with_one(a, b, 1, SAMPLES), SAMPLES);
    CHECK(cells_with_one(a, b, 8, 8) < SAMPLES); // it is no net
    CHECK(sample("latin-hypercube", 4, other, unused));
    CHECK(memcmp(a, other, sizeof a) != 0); // the seed matters
}

// The first 2^6 points of a Sobol sequence in its first two dimensions are a (0, 6, 2)-net: each box of
// size 2^-i x 2^-(6 - i) of the grid holds one of them. A digital shift keeps this.
TEST(the_sobol_sequence_is_a_net)
{
    double a[SAMPLES], b[SAMPLES];
    if (!sweeps_begin() || !sample("sobol", 3, a, b)) {
        return;
    }
    for (int across = 1; across <= SAMPLES; across *= 2) {
        CHECK_INT(cells_with_one(a, b, across, SAMPLES / across), SAMPLES);
    }
}

// 2,000 draws: a mean is within 4 standard errors. Of a uniform distribution on [-1, 3] the mean is 1 and
// the deviation 4 / sqrt 12.
TEST(distributions_have_their_means_and_deviations)
{
    enum { DRAWS = 2000 };
    static const char* const columns[] = {"n", "u", "cut"};
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write(
        "draw.json",
        "{\"model\": \"ball.xml\", \"run\": {\"time\": 0.01}, \"samples\": 2000, \"seed\": 5,\n"
        " \"parameters\": {\"n\": {\"normal\": [10, 2]}, \"u\": {\"uniform\": [-1, 3]},\n"
        "  \"cut\": {\"normal\": [0, 1], \"min\": -0.5, \"max\": 1}},\n"
        " \"start\": {\"ball.qd[0]\": \"{n+u+cut}\"}}\n");
    CHECK_INT(sweeps_run("$U sweep draw.json -o draw >/dev/null && $U merge draw"), 0);
    double sum[2] = {0, 0}, squares[2] = {0, 0};
    for (int k = 0; k < DRAWS; k++) {
        double x[3] = {0, 0, 0};
        if (!CHECK(sweeps_numbers(k, columns, 3, x))) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            sum[i] += x[i];
            squares[i] += x[i] * x[i];
        }
        CHECK(x[1] >= -1 && x[1] < 3 && x[2] >= -0.5 && x[2] <= 1);
    }
    const double mean[2] = {10, 1}, deviation[2] = {2, 4 / sqrt(12)};
    for (int i = 0; i < 2; i++) {
        const double m = sum[i] / DRAWS, s = sqrt(squares[i] / DRAWS - m * m);
        CHECK_NEAR(m, mean[i], 4 * deviation[i] / sqrt(DRAWS));
        CHECK_NEAR(s, deviation[i], 0.06 * deviation[i]);
    }
}

// ---- jobs that fail -----------------------------------------------------------------------------

// A sphere of radius 0 is no shape; the tolerance 1e-300 certifies no step with contacts.
TEST(jobs_that_fail_are_rows_with_a_status)
{
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write("fail.json",
                 "{\"model\": \"grip.xml\", \"run\": {\"time\": 0.02, \"tolerance\": \"{e}\"},\n"
                 " \"parameters\": {\"e\": [1e-8, 1e-300], \"s\": [0.05, -1]},\n"
                 " \"set\": [\"box.size={s} {s} {s}\"]}\n");
    CHECK_INT(sweeps_run("$U sweep fail.json -o fail"), 3);
    CHECK(strstr(sweeps_out, "4 of 4 jobs have a result: 1 ok, 1 not certified, 2 invalid") !=
          NULL);
    CHECK_INT(sweeps_run("$U merge fail"), 0);
    static const char* const expected[] = {"ok", "invalid", "not certified", "invalid"};
    for (int job = 0; job < 4; job++) {
        char cell[128] = "";
        CHECK(sweeps_cell(job, "status", cell));
        CHECK_TEXT(cell, expected[job]);
        CHECK(sweeps_cell(job, "message", cell));
        CHECK((cell[0] != '\0') == (job > 0));
    }
}

// ---- closed forms ------------------------------------------------------------------------------

// Two plates hold a box of mass m while 2 mu F >= m g. The force falls by 20 N/s, 0.04 N per step, and the
// box slips in the step after.
TEST(the_least_holding_force_of_a_gripper_is_m_g_over_2_mu)
{
    static const char* const columns[] = {"mu", "m", "force"};
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write("hold.json",
                 "{\"model\": \"grip.xml\", \"run\": {\"time\": 1},\n"
                 " \"parameters\": {\"mu\": [0.3, 0.6, 0.9], \"m\": [0.2, 0.7, 1.1]},\n"
                 " \"set\": [\"left.friction={mu}\", \"right.friction={mu}\", "
                 "\"box.friction={mu}\", \"box.mass={m}\"],\n"
                 " \"ctrl\": {\"left\": \"20*(1 - t)\", \"right\": \"20*(1 - t)\"},\n"
                 " \"outputs\": [{\"end\": \"left.ctrl\", \"name\": \"force\"}], \"stop\": "
                 "[\"box.vz < -1e-6\"]}\n");
    CHECK_INT(sweeps_run("$U sweep hold.json -o hold >/dev/null && $U merge hold"), 0);
    for (int job = 0; job < 9; job++) {
        double x[3] = {1, 0, 0};
        CHECK(sweeps_numbers(job, columns, 3, x));
        const double force = x[1] * 9.81 / (2 * x[0]);
        CHECK(x[2] < force && x[2] > force - 2 * 0.04);
    }
}

// A ball falls 1 m with 1 m/s forwards. Its first impact, at sqrt(2 / g) = 0.4515 s, has the normal impulse
// m (1 + e) sqrt(2 g), so that friction stops the slip of a solid ball, m 2/7, from mu = 2 / (7 (1 + e) sqrt(2 g))
// on. Then the ball rolls at once with 5/7 m/s; for less friction it rolls later. The table has the first
// state, every 0.01 s, that is slower than 0.715 m/s. With e = 0 the ball slides on from the impact to it.
TEST(a_thrown_ball_rolls_from_its_first_impact_where_friction_is_large_enough)
{
    static const char* const columns[] = {"e", "mu", "ball.vx", "rolls"};
    enum { RESTITUTIONS = 6, FRICTIONS = 41 };
    if (!sweeps_begin()) {
        return;
    }
    CHECK_INT(sweeps_run("$U sweep \"$R/scenes/sweeps/igms-mirtich.json\" -o thrown >/dev/null && "
                         "$U merge thrown"),
              0);
    for (int k = 0; k < RESTITUTIONS; k++) {
        double least = HUGE_VAL, e = 0;
        for (int i = 0; i < FRICTIONS; i++) {
            double x[4] = {0, 0, 0, 0};
            CHECK(sweeps_numbers(k * FRICTIONS + i, columns, 4, x));
            e = x[0];
            if (x[3] < 0.465) {
                least = fmin(least, x[1]);
                CHECK_NEAR(x[2], 5.0 / 7.0, 1e-9);
            }
        }
        const double slides = e > 0 ? 0.0 : 9.81 * (0.46 - sqrt(2 / 9.81));
        const double limit = (1 - 0.715) / ((1 + e) * sqrt(2 * 9.81) + slides);
        if (!CHECK(least >= limit - 1e-12 && least < limit + 0.002)) {
            test_note("e = %g: rolls at once from mu = %g on, not from %g", e, least, limit);
        }
    }
}

// ---- specifications that are rejected -----------------------------------------------------------

// Each case of bad.txt: a name, the specification, and the first line of the message.
TEST(bad_specifications_are_rejected_with_line_and_column_and_nothing_is_run)
{
    if (!sweeps_begin()) {
        return;
    }
    FILE* file = fopen("test/sweeps/bad.txt", "rb");
    static char text[1 << 16];
    if (!CHECK(file != NULL)) {
        return;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    int cases = 0;
    char* at = strstr(text, "=== ");
    while (at != NULL) {
        char* spec = strchr(at, '\n') + 1;
        char* end = strstr(spec, "\n--- ");
        char* message = end + 5;
        char* line = strchr(message, '\n');
        char* next = strstr(line, "=== ");
        *end = '\0';
        *line = '\0';
        sweeps_write("spec.json", spec);
        const int code =
            sweeps_run("$U sweep spec.json -o never; code=$?; test ! -e never && exit $code");
        sweeps_err[strcspn(sweeps_err, "\n")] = '\0';
        if (!CHECK(code == 1 && strcmp(sweeps_err, message) == 0 && sweeps_out[0] == '\0')) {
            test_note("%.40s: exit %d: %s", at, code, sweeps_err);
        }
        cases++;
        at = next;
    }
    CHECK(cases >= 60);
    test_note("%d specifications", cases);
}

#endif
