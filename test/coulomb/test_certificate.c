// SPDX-License-Identifier: Apache-2.0
// The certificate on generated problems: a second implementation in long double beside all forms,
// and changes of impulses, rows, entries, stored velocities and units that it has to reject or to
// tolerate.
#include "coulomb/forms/delassus.h"
#include "forms.h"
#include "scratch.h"
#include "support/long_law.h"
#include "test.h"

#include <math.h>
#include <string.h>

// ---- in long double -----------------------------------------------------------------------------

// All quantities of the certificate, in long double and from M and J alone.
typedef struct Exact {
    int N, dof;
    long double* X; // N x dof: J M^-1
    long double* A; // N x N
    long double* q; // N
    double* noise;  // N: bound of the rounding of u, for the impulses r
} Exact;

static long double* push_long(utArena* keep, int rows, int cols)
{
    return ut_arena_push(keep, (size_t)rows, (size_t)cols * sizeof(long double));
}

// x = T^-1 x for a symmetric positive definite T, by Gauss; T is used up in the first call
static void eliminate_long(int n, int columns, long double* T, long double* x)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const long double factor = i == k ? 0.0L : T[i * n + k] / T[k * n + k];
            for (int j = k; j < n && factor != 0.0L; j++) {
                T[i * n + j] -= factor * T[k * n + j];
            }
            for (int j = 0; j < columns && factor != 0.0L; j++) {
                x[i * columns + j] -= factor * x[k * columns + j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < columns; j++) {
            x[i * columns + j] /= T[i * n + i];
        }
    }
}

// @param r impulses; the noise is a few units in the last place of |J| |M^-1| (|f| + |J'| |r|) + |b|
static Exact find_exact(const utFrictionProblem* p, const double* r, utArena* keep)
{
    const int N = p->rows, dof = p->dof;
    Exact e = {N,
               dof,
               push_long(keep, N, dof),
               push_long(keep, N, N),
               push_long(keep, 1, N),
               UT_PUSH(keep, double, N)};
    long double* T = push_long(keep, dof, dof);
    long double* inverse = push_long(keep, dof, dof);
    long double* size = push_long(keep, 1, dof);
    for (int i = 0; i < dof * dof; i++) {
        T[i] = (long double)p->M[i];
        inverse[i] = i / dof == i % dof ? 1.0L : 0.0L;
    }
    eliminate_long(dof, dof, T, inverse);
    for (int j = 0; j < dof; j++) {
        size[j] = fabsl((long double)p->f[j]);
        for (int i = 0; i < N; i++) {
            size[j] += fabsl((long double)p->J[i * dof + j] * (long double)r[i]);
        }
    }
    for (int i = 0; i < N; i++) {
        long double sum = (long double)p->b[i], noise = fabsl(sum);
        for (int j = 0; j < dof; j++) {
            long double x = 0.0L, all = 0.0L;
            for (int k = 0; k < dof; k++) {
                const long double part = (long double)p->J[i * dof + k] * inverse[k * dof + j];
                x += part;
                all += fabsl(part);
            }
            e.X[i * dof + j] = x;
            sum += x * (long double)p->f[j];
            noise += all * size[j];
        }
        e.q[i] = sum;
        e.noise[i] = 3.0 * 2.2e-16 * (double)noise;
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            long double sum = 0.0L;
            for (int j = 0; j < dof; j++) {
                sum += e.X[i * dof + j] * (long double)p->J[k * dof + j];
            }
            e.A[i * N + k] = sum;
        }
    }
    return e;
}

// The certificate, computed from its definition. @param noise bound of the rounding of E and of the
// bilateral rows
static utCoulombVerdict judge_exact(const utFrictionProblem* p, const Exact* e, const double* r,
                                    double* u_out, double* noise)
{
    const int N = e->N;
    utCoulombVerdict verdict = {.contact = -1};
    long double V = 1e-9L, worst = 0.0L, most = 0.0L;
    for (int i = 0; i < p->contacts; i++) {
        const long double* q = e->q + 3 * i;
        const bool carries = r[3 * i] != 0.0 || r[3 * i + 1] != 0.0 || r[3 * i + 2] != 0.0;
        const long double size = sqrtl(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        V = (q[0] < 0.0L || carries) && size > V ? size : V;
    }
    for (int j = 3 * p->contacts; j < N; j++) {
        V = fabsl(e->q[j]) > V ? fabsl(e->q[j]) : V;
    }
    *noise = 0.0;
    for (int i = 0; i < N; i++) {
        long double u = e->q[i];
        for (int j = 0; j < N; j++) {
            u += e->A[i * N + j] * (long double)r[j];
        }
        u_out[i] = (double)u;
        *noise = fmax(*noise, 4.0 * e->noise[i]); // three rows of a contact, and the shift
        if (i >= 3 * p->contacts) {
            most = fabsl(u) > most ? fabsl(u) : most;
        }
    }
    for (int i = 0; i < p->contacts; i++) {
        const int k = 3 * i;
        const long double trace =
            e->A[k * N + k] + e->A[(k + 1) * N + k + 1] + e->A[(k + 2) * N + k + 2];
        const long double m = 3.0L / trace, mu = (long double)p->mu[i];
        long double u_i[3], r_i[3];
        for (int c = 0; c < 3; c++) {
            r_i[c] = (long double)r[k + c];
            u_i[c] = e->q[k + c];
            for (int j = 0; j < N; j++) {
                u_i[c] += e->A[(k + c) * N + j] * (long double)r[j];
            }
            *noise = fmax(*noise, 10.0 * 2.2e-16 * fabs(r[k + c]) / (double)m);
        }
        const long double error = error_long(mu, m, r_i, u_i);
        if (verdict.contact < 0 || error > worst) {
            worst = error;
            verdict.contact = i;
        }
        const long double slip = hypotl(r_i[1], r_i[2]) - mu * r_i[0];
        const long double excess = (slip > 0.0L ? slip : 0.0L) / (mu * r_i[0] + m * V);
        verdict.cone = r_i[0] < 0.0L ? (double)INFINITY : fmax(verdict.cone, (double)excess);
    }
    verdict.V = (double)V;
    verdict.E = (double)(worst / V);
    verdict.bilateral = (double)(most / V);
    *noise /= verdict.V;
    return verdict;
}

// Impulses in K of the size that a step of the problem needs; some contacts have none.
static void random_impulses(utRng* rng, const utFrictionProblem* p, double* r)
{
    const double size = p->body[0].mass * p->h * p->g;
    for (int i = 0; i < p->contacts; i++) {
        const bool none = ut_rng_below(rng, 3) == 0;
        r[3 * i] = none ? 0.0 : size * ut_rng_uniform(rng);
        for (int k = 1; k < 3; k++) {
            r[3 * i + k] = 0.8 * p->mu[i] * r[3 * i] * ut_rng_range(rng, -1.0, 1.0);
        }
    }
    for (int j = 3 * p->contacts; j < p->rows; j++) {
        r[j] = size * ut_rng_range(rng, -1.0, 1.0);
    }
}

// The next problem of the collection that has at most `contacts` contacts.
static utFrictionProblem next_sample(int contacts, int* index, utArena* keep)
{
    for (;; ++*index) {
        utArena rest = *keep;
        const utFrictionDef def = ut_friction_sample(*index % UT_FRICTION_SAMPLES);
        utFrictionProblem problem;
        CHECK_INT(ut_friction_create(&def, &rest, &problem), UT_OK);
        if (problem.contacts <= contacts) {
            ++*index;
            *keep = rest;
            return problem;
        }
    }
}

static utCoulombInfo solve_by(utCoulombSolver solver, const utCoulomb* problem, double* r,
                              utArena scratch)
{
    utCoulombDef def = ut_coulomb_def();
    def.tolerance = 1e-10;
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(problem, solver, &def, scratch, r, &info), UT_OK);
    return info;
}

// Random impulses and, in every second problem, solved ones: E of order 1 and E of order 1e-10.
TEST(generated_problems_are_judged_as_in_long_double_in_every_form)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(23, 0);
    int index = 0;
    double closest = 0.0;
    for (int k = 0; k < 300; k++) {
        utArena keep = test_arena();
        const utFrictionProblem p = next_sample(12, &index, &keep);
        utCoulomb form[FORM_COUNT];
        forms_of(&p, &circle, &keep, form);
        double r[64], u[64], want[64];
        random_impulses(&rng, &p, r);
        if (k % 2 == 1) {
            solve_by(UT_COULOMB_AUTO, &form[FORM_GLOBAL], r, keep);
        }
        double noise;
        const Exact exact = find_exact(&p, r, &keep);
        const utCoulombVerdict right = judge_exact(&p, &exact, r, want, &noise);
        for (int f = 0; f < FORM_COUNT; f++) {
            utCoulombVerdict verdict;
            CHECK_INT(ut_coulomb_judge(&form[f], false, r, keep, u, &verdict), UT_OK);
            CHECK_NEAR(verdict.E, right.E, noise + 1e-13 * right.E);
            CHECK_NEAR(verdict.bilateral, right.bilateral, noise + 1e-13 * right.bilateral);
            CHECK_NEAR(verdict.V, right.V, 1e-12 * right.V);
            CHECK_NEAR(verdict.cone, right.cone, 1e-15 + 1e-12 * right.cone);
            closest = fmax(closest, fabs(verdict.E - right.E) / (noise + 1e-13 * right.E));
            for (int i = 0; i < p.rows; i++) {
                CHECK_NEAR(u[i], want[i], exact.noise[i]);
            }
        }
    }
    test_note("E differs by %.2g of what rounding may do", closest);
}

// ---- mutations ----------------------------------------------------------------------------------

static double scale_of(const utCoulomb* problem, const double* r, utArena scratch)
{
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(problem, false, r, scratch, NULL, &verdict), UT_OK);
    return verdict.V;
}

// Where no contact closes or has an impulse, V is its least value, which is no scale of the scene.
static const double LEAST_V = 1e-9;

// A problem with its impulses, solved well; @return false when it could not be, or nothing closes
static bool solved_sample(int* index, utArena* keep, const utSection* section, utFrictionProblem* p,
                          utCoulomb form[FORM_COUNT], double* r)
{
    *p = next_sample(12, index, keep);
    forms_of(p, section, keep, form);
    memset(r, 0, (size_t)p->rows * sizeof *r);
    return solve_by(UT_COULOMB_AUTO, &form[FORM_GLOBAL], r, *keep).verdict.E <= 1e-9 &&
           scale_of(&form[FORM_BLOCKS], r, *keep) > LEAST_V;
}

static double mass_of(const utCoulomb* local, int i)
{
    const int N = ut_coulomb_rows(local);
    double trace = 0.0;
    for (int k = 3 * i; k < 3 * i + 3; k++) {
        trace += local->W[k * N + k];
    }
    return 3.0 / trace;
}

// Add a ten-millionth of m_i V along each axis of each contact. It changes the velocity by 1e-7 V
// times an eigenvalue of A_ii over their mean, which is at least a tenth in these scenes.
TEST(a_ten_millionth_of_the_impulse_scale_is_caught_at_every_contact)
{
    const utSection circle = ut_section_circle();
    int index = 0, solved = 0;
    double least = 1.0;
    for (int k = 0; k < 60; k++) {
        utArena keep = test_arena();
        utFrictionProblem p;
        utCoulomb form[FORM_COUNT];
        double r[64];
        if (!solved_sample(&index, &keep, &circle, &p, form, r)) {
            continue;
        }
        solved++;
        const double V = scale_of(&form[FORM_BLOCKS], r, keep);
        for (int row = 0; row < 3 * p.contacts; row++) {
            const double before = r[row];
            const int f = row % FORM_COUNT;
            utCoulombVerdict verdict;
            r[row] += 1e-7 * mass_of(&form[FORM_LOCAL], row / 3) * V;
            CHECK_INT(ut_coulomb_judge(&form[f], false, r, keep, NULL, &verdict), UT_OK);
            CHECK(verdict.E > 1e-8);
            least = fmin(least, verdict.E);
            r[row] = before;
        }
    }
    CHECK(solved >= 50);
    test_note("%d problems, least E %.1e", solved, least);
}

TEST(a_flipped_normal_is_caught)
{
    const utSection circle = ut_section_circle();
    int index = 0, flipped = 0;
    for (int k = 0; k < 40; k++) {
        utArena keep = test_arena();
        utFrictionProblem p;
        utCoulomb form[FORM_COUNT];
        double r[64];
        if (!solved_sample(&index, &keep, &circle, &p, form, r)) {
            continue;
        }
        const double V = scale_of(&form[FORM_BLOCKS], r, keep);
        const size_t size = (size_t)p.rows * (size_t)p.dof;
        double* J = UT_PUSH(&keep, double, size);
        double* b = UT_PUSH(&keep, double, p.rows);
        for (int i = 0; i < p.contacts; i++) {
            if (!(r[3 * i] > 1e-3 * mass_of(&form[FORM_LOCAL], i) * V)) {
                continue;
            }
            memcpy(J, p.J, size * sizeof *J);
            memcpy(b, p.b, (size_t)p.rows * sizeof *b);
            for (int j = 0; j < p.dof; j++) {
                J[3 * i * p.dof + j] *= -1.0;
            }
            b[3 * i] *= -1.0;
            utCoulomb wrong = form[FORM_GLOBAL];
            wrong.J = J;
            wrong.b = b;
            utCoulombVerdict verdict;
            CHECK_INT(ut_coulomb_judge(&wrong, false, r, keep, NULL, &verdict), UT_OK);
            CHECK(verdict.E > 1e-8);
            flipped++;
        }
    }
    CHECK(flipped > 100);
}

// Spoil entries of one array of the problem, from the first to the last.
static void check_spoilt(const utCoulomb* problem, double* entries, size_t count, const double* r,
                         utArena scratch)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < 5; k++) {
        const size_t at = k * (count - 1) / 4;
        const double before = entries[at];
        entries[at] = bad[k % 3];
        utCoulombVerdict verdict = {0};
        double mismatch = 0.0, u[64] = {0};
        CHECK_INT(ut_coulomb_judge(problem, false, r, scratch, u, &verdict), UT_OK);
        CHECK(verdict.E == (double)INFINITY && verdict.cone == (double)INFINITY && isnan(u[0]));
        CHECK_INT(ut_coulomb_judge_velocity(problem, r, u, scratch, &mismatch), UT_OK);
        CHECK(mismatch == (double)INFINITY);
        entries[at] = before;
    }
}

static double* copy_of(const double* x, size_t count, utArena* keep)
{
    double* copy = UT_PUSH(keep, double, count);
    memcpy(copy, x, count * sizeof *copy);
    return copy;
}

// The second half of J and M is mostly zeros in the dense form, and W in rows has no zeros: a number
// that is not finite must be found everywhere.
TEST(numbers_that_are_not_finite_fail_in_every_array)
{
    const utSection circle = ut_section_circle();
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    def.count = 3;
    utFrictionProblem p;
    CHECK_INT(ut_friction_create(&def, &keep, &p), UT_OK);
    utCoulomb form[FORM_COUNT];
    forms_of(&p, &circle, &keep, form);
    const size_t N = (size_t)p.rows, dof = (size_t)p.dof;
    double* r = copy_of(p.b, N, &keep);
    memset(r, 0, N * sizeof *r); // an impulse of zero must not hide it
    for (int f = 0; f < FORM_COUNT; f++) {
        utCoulomb problem = form[f];
        const size_t entries = f == FORM_ROWS    ? (size_t)problem.W_start[N]
                               : f == FORM_LOCAL ? N * N
                                                 : 0;
        double* mu = copy_of(p.mu, (size_t)p.contacts, &keep);
        problem.mu = mu;
        check_spoilt(&problem, r, N, r, keep);
        check_spoilt(&problem, mu, (size_t)p.contacts, r, keep);
        if (entries > 0) {
            double* W = copy_of(problem.W, entries, &keep);
            double* q = copy_of(problem.q, N, &keep);
            problem.W = W;
            problem.q = q;
            check_spoilt(&problem, W, entries, r, keep);
            check_spoilt(&problem, q, N, r, keep);
            continue;
        }
        const bool dense = f == FORM_GLOBAL;
        const size_t masses = dense ? dof * dof : 6 * dof;
        // each of the 12 contacts touches one body, each of the 6 joint rows two
        const size_t jacobians = dense ? N * dof : 12 * 3 * 6 + 6 * 12;
        double* velocity = copy_of(p.f, dof, &keep);
        double* b = copy_of(p.b, N, &keep);
        double* M = copy_of(dense ? p.M : p.blocks->M, masses, &keep);
        double* J = copy_of(dense ? p.J : p.blocks->J, jacobians, &keep);
        utCoulombBlocks blocks = *p.blocks;
        blocks.M = M;
        blocks.J = J;
        problem.M = dense ? M : NULL;
        problem.J = dense ? J : NULL;
        problem.blocks = dense ? NULL : &blocks;
        problem.f = velocity;
        problem.b = b;
        check_spoilt(&problem, M, masses, r, keep);
        check_spoilt(&problem, J, jacobians, r, keep);
        check_spoilt(&problem, velocity, dof, r, keep);
        check_spoilt(&problem, b, N, r, keep);
    }
}

// The velocities of one form pass in every other; those of other impulses do not, and neither does
// one that is off by 1e-9 V in a single row.
TEST(a_stored_velocity_of_other_impulses_is_caught_in_every_form)
{
    const utSection circle = ut_section_circle();
    int index = 0;
    for (int k = 0; k < 40; k++) {
        utArena keep = test_arena();
        utFrictionProblem p;
        utCoulomb form[FORM_COUNT];
        double r[64], u[64], other[64];
        if (!solved_sample(&index, &keep, &circle, &p, form, r)) {
            continue;
        }
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(&form[k % FORM_COUNT], false, r, keep, u, &verdict), UT_OK);
        double noise = 0.0, mismatch;
        const Exact exact = find_exact(&p, r, &keep);
        for (int i = 0; i < p.rows; i++) {
            noise = fmax(noise, 2.0 * exact.noise[i] / verdict.V);
            other[i] = r[i];
        }
        other[0] += 1e-6 * mass_of(&form[FORM_LOCAL], 0) * verdict.V;
        for (int f = 0; f < FORM_COUNT; f++) {
            CHECK_INT(ut_coulomb_judge_velocity(&form[f], r, u, keep, &mismatch), UT_OK);
            CHECK(mismatch <= noise);
            CHECK_INT(ut_coulomb_judge_velocity(&form[f], other, u, keep, &mismatch), UT_OK);
            CHECK(mismatch > 1e-8);
            const int row = (7 * k) % p.rows;
            const double before = u[row];
            u[row] += 1e-9 * verdict.V;
            CHECK_INT(ut_coulomb_judge_velocity(&form[f], r, u, keep, &mismatch), UT_OK);
            CHECK(mismatch > 1e-10);
            u[row] = before;
        }
    }
}

// The same scene in other units: masses times a, lengths times c. Then v is (c, c, c, 1, 1, 1)
// times as large, f (ac, .., acc, ..), M (a, .., acc, ..), a row of J (1, .., c, ..), b c and r ac.
static utCoulomb in_other_units(const utFrictionProblem* p, const utSection* section, double a,
                                double c, utArena* keep)
{
    const size_t N = (size_t)p->rows, dof = (size_t)p->dof;
    double* M = copy_of(p->M, dof * dof, keep);
    double* f = copy_of(p->f, dof, keep);
    double* J = copy_of(p->J, N * dof, keep);
    double* b = copy_of(p->b, N, keep);
    for (size_t i = 0; i < dof; i++) {
        const bool turns = i % 6 >= 3;
        f[i] *= turns ? a * c * c : a * c;
        for (size_t j = 0; j < dof; j++) {
            M[i * dof + j] *= turns ? a * c * c : a; // no entry couples the two kinds
        }
        for (size_t k = 0; k < N; k++) {
            J[k * dof + i] *= turns ? c : 1.0;
        }
    }
    for (size_t k = 0; k < N; k++) {
        b[k] *= c;
    }
    utCoulomb problem = ut_friction_coulomb(p, section);
    problem.M = M;
    problem.f = f;
    problem.J = J;
    problem.b = b;
    return problem;
}

TEST(a_scene_in_other_units_has_the_same_E)
{
    const utSection circle = ut_section_circle();
    static const double units[][2] = {{1e6, 1.0}, {1.0, 1e-3}, {1e6, 1e-3}};
    utRng rng = ut_rng(24, 0);
    int index = 0, counted = 0;
    for (int k = 0; k < 90; k++) {
        utArena keep = test_arena();
        const utFrictionProblem p = next_sample(12, &index, &keep);
        const double a = units[k % 3][0], c = units[k % 3][1];
        const utCoulomb before = ut_friction_coulomb(&p, &circle);
        const utCoulomb after = in_other_units(&p, &circle, a, c, &keep);
        double r[64], s[64], u[64], noise;
        random_impulses(&rng, &p, r);
        if (k % 2 == 1) {
            solve_by(UT_COULOMB_AUTO, &before, r, keep);
        }
        for (int i = 0; i < p.rows; i++) {
            s[i] = a * c * r[i];
        }
        const Exact exact = find_exact(&p, r, &keep);
        judge_exact(&p, &exact, r, u, &noise);
        utCoulombVerdict one, two;
        CHECK_INT(ut_coulomb_judge(&before, false, r, keep, NULL, &one), UT_OK);
        CHECK_INT(ut_coulomb_judge(&after, false, s, keep, NULL, &two), UT_OK);
        if (!(two.V > LEAST_V)) {
            continue;
        }
        counted++;
        CHECK_NEAR(two.E, one.E, 2.0 * noise + 1e-13 * one.E);
        CHECK_NEAR(two.bilateral, one.bilateral, 2.0 * noise + 1e-13 * one.bilateral);
        CHECK_NEAR(two.V, c * one.V, 1e-12 * c * one.V);
    }
    CHECK(counted > 75);
}

// ---- scratch ------------------------------------------------------------------------------------

TEST(the_judge_works_in_its_peak_of_memory_in_every_form)
{
    const utSection circle = ut_section_circle();
    int index = 0;
    for (int k = 0; k < 20; k++) {
        utArena keep = test_arena();
        const utFrictionProblem p = next_sample(12, &index, &keep);
        utCoulomb form[FORM_COUNT];
        forms_of(&p, &circle, &keep, form);
        const double r[64] = {0};
        for (int f = 0; f < FORM_COUNT; f++) {
            utCoulombVerdict verdict;
            utArena growing = scratch_open();
            CHECK_INT(ut_coulomb_judge(&form[f], false, r, growing, NULL, &verdict), UT_OK);
            const size_t size = scratch_close(&growing);
            const utArena exact = ut_arena_on(keep.next + 8, size);
            CHECK_INT(ut_coulomb_judge(&form[f], false, r, exact, NULL, &verdict), UT_OK);
            for (size_t less = 0; less < size / 2; less += 256) {
                const utArena small = ut_arena_on(keep.next, less);
                const utStatus status = ut_coulomb_judge(&form[f], false, r, small, NULL, &verdict);
                CHECK(status == UT_OK || status == UT_ERR_CAPACITY);
            }
        }
    }
}
