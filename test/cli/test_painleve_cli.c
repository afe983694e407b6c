// SPDX-License-Identifier: Apache-2.0
// Row G37: several solutions of one step. Painlevé's rod slides on its tip, and its tip begins to lift with
// the speed c. It may lift off, slip on under an impulse that presses it down, or stop. With n up and f along
// x at the tip (test/physics/painleve.c has the letters):
//
//     lifts   n = 0                             u_n = c > 0
//     slips   n = c / (mu K_nt - K_nn) > 0      f = mu n, u_n = 0
//     stops   u_n = u_f = 0                     f <= mu n
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_several_solutions)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uptack/json.h>
#include <uptack/polyhedral.h>
#include <uptack/scenes.h>
#include <uptack/sim_coulomb.h>
#include <uptack/uniqueness.h>

enum { ROOM = 1 << 16, ANSWERS = 3, MOST = 16 };

static const double LIFT = 0.05, SLIP = 3.0, MU = 2.0;
static char out[ROOM];

// @return the exit code, or -1
static int run(const char* verb, const char* file, const char* options)
{
    char command[1024];
    path_in_folder("out");
    snprintf(command, sizeof command, "'%s' %s '%s' %s >%s/out", program(), verb,
             path_in_folder(file), options, program_folder());
    const int status = system(command);
    read_file("out", out, sizeof out);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// (n, f along x) of the three answers, for a thin rod of 1 kg and 1 m at 60 degrees with a tip of 1 mm.
static void by_hand(double answer[ANSWERS][2])
{
    const double angle = acos(0.5), X = 0.5 * cos(angle), Z = 0.5 * sin(angle) + 0.001;
    const double I = 1.0 / 12.0;
    const double Knn = 1.0 + X * X / I, Kff = 1.0 + Z * Z / I, Knt = X * Z / I;
    const double det = Knn * Kff - Knt * Knt;
    const double slip = LIFT / (MU * Knt - Knn);
    const double stop[] = {(Knt * SLIP - Kff * LIFT) / det, (Knn * SLIP - Knt * LIFT) / det};
    memcpy(answer[0], (double[]){0.0, 0.0}, sizeof *answer);
    memcpy(answer[1], (double[]){slip, MU * slip}, sizeof *answer);
    memcpy(answer[2], stop, sizeof *answer);
    CHECK(slip > 0.0 && stop[1] <= MU * stop[0]);
}

// The problem of the step in which the free tip lifts with LIFT and slips with -SLIP.
static bool rods_problem(utArena* arena, utModel** model, utSim** sim, utCoulomb* problem)
{
    utModelDef* def = NULL;
    utError e = {0};
    utSimDef settings = ut_sim_def();
    settings.formulation = UT_FORMULATION_STEWART_TRINKLE;
    settings.directions = 4;
    bool ok = ut_model_def_create(NULL, &def) == UT_OK &&
              ut_scene_build("painleve:60:2", def, &e) == UT_OK &&
              ut_model_compile(def, NULL, model, &e) == UT_OK &&
              ut_sim_create(*model, &settings, sim, &e) == UT_OK;
    ut_model_def_destroy(def);
    if (ok) {
        const double v[6] = {-SLIP, 0.0, LIFT + ut_sim_dt(*sim) * 9.81, 0.0, 0.0, 0.0};
        ok = ut_sim_set(*sim, 0.0, NULL, v, &e) == UT_OK &&
             ut_sim_coulomb(*sim, NULL, arena, problem, &e) == UT_OK;
    }
    if (!CHECK(ok)) {
        test_note("%s", e.message);
    }
    return ok;
}

static void write_lcp(const utLcp* lcp)
{
    static char text[ROOM];
    size_t at = (size_t)snprintf(text, sizeof text, "%d\n", lcp->n);
    for (int k = 0; k < lcp->n * lcp->n + lcp->n; k++) {
        const double x = k < lcp->n * lcp->n ? lcp->M[k] : lcp->q[k - lcp->n * lcp->n];
        at += (size_t)snprintf(text + at, sizeof text - at, "%.17g%c", x,
                               k % lcp->n == lcp->n - 1 ? '\n' : ' ');
    }
    write_file("rod.lcp", text);
}

// Find the three answers among the solutions that `lcp --all` lists. @return how many are there
static int count_answers(const utPolyhedral* form, const utJson* solutions,
                         double answer[ANSWERS][2])
{
    bool found[ANSWERS] = {false, false, false};
    for (const utJson* z = solutions != NULL ? solutions->first : NULL; z != NULL; z = z->next) {
        double x[MOST], r[3];
        int k = 0;
        for (const utJson* entry = z->first; entry != NULL && k < MOST; entry = entry->next) {
            x[k++] = entry->number;
        }
        if (!CHECK_INT(k, form->lcp.n)) {
            return 0;
        }
        ut_polyhedral_impulses(form, x, r);
        for (int i = 0; i < ANSWERS; i++) {
            found[i] = found[i] || hypot(r[0] - answer[i][0], r[1] - answer[i][1]) < 1e-9;
        }
    }
    return found[0] + found[1] + found[2];
}

TEST(G37_a_step_of_painleves_rod_has_three_solutions)
{
    utArena arena = test_arena();
    utModel* model = NULL;
    utSim* sim = NULL;
    utCoulomb problem;
    double answer[ANSWERS][2];
    if (program() == NULL || !rods_problem(&arena, &model, &sim, &problem)) {
        return;
    }
    by_hand(answer);
    CHECK_INT(problem.contacts, 1);

    // lcp --all lists all of them
    utPolyhedral form;
    utPolyhedralDef def = ut_polyhedral_def();
    def.level = UT_POLYHEDRAL_REDUCED;
    CHECK_INT(ut_polyhedral_create(&problem, &def, &arena, &form, NULL), UT_OK);
    write_lcp(&form.lcp);
    CHECK_INT(run("lcp", "rod.lcp", "--all --json"), 0);
    const utJson* root = NULL;
    CHECK_INT(ut_json_read((utText){out, strlen(out)}, "out", &arena, &root, NULL), UT_OK);
    CHECK_INT(count_answers(&form, ut_json_member(root, "solutions"), answer), ANSWERS);

    // each of them is alone nearby, and none is called unique
    for (int k = 0; k < ANSWERS; k++) {
        utArena own;
        utUniqueness report;
        const double r[3] = {answer[k][0], answer[k][1], 0.0};
        CHECK_INT(ut_arena_create(0, NULL, &own), UT_OK);
        CHECK_INT(ut_coulomb_unique(&problem, r, 1e-8, &own, arena, &report, NULL), UT_OK);
        CHECK_INT(report.velocity, UT_VELOCITY_LOCALLY_UNIQUE);
        CHECK_INT(report.open, k == 0);
        CHECK_INT(report.slip, k == 1);
        CHECK_INT(report.stick, k == 2);
        ut_arena_destroy(&own);
    }

    // coulomb --unique says the same of the answer that it finds
    char text[ROOM];
    const size_t size = ut_coulomb_print(&problem, NULL, text, sizeof text - 1);
    text[size] = '\0';
    write_file("rod.fc", text);
    CHECK_INT(run("coulomb", "rod.fc", "--unique"), 0);
    CHECK(has(out, "locally unique"));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

#endif
