// SPDX-License-Identifier: Apache-2.0
// `auto` on 10,000 contact problems of every setting the generator has. The judge here is
// independent: the residual in long double, and the physics of the step recomputed from the scene.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp_problems.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif

// every setting comes up in any few dozen problems; slow builds look at fewer
#if defined(INSTRUMENTED)
enum { PROBLEMS = 500 };
#elif !defined(__OPTIMIZE__)
enum { PROBLEMS = 1000 };
#else
enum { PROBLEMS = 10000 };
#endif

enum { CONTACTS_MAX = 40, UNKNOWNS_MAX = CONTACTS_MAX * 10, BODIES_MAX = CONTACTS_MAX };

static const double TOLERANCE = 1e-9;

// Settings of problem i: contacts and directions in turn, the others drawn.
static utContactLcpDef vary(int i)
{
    static const double mass_ratios[] = {1.0, 1e2, 1e4, 1e4};
    static const double shares[] = {0.0, 1.0 / 3.0, 1.0 / 3.0, 0.6};
    static const double opens[] = {0.0, 0.2, 0.5, 0.9};
    static const double speeds[] = {0.01, 0.3, 1.0, 10.0};
    static const double mus[] = {0.05, 0.5, 1.0, 3.0};
    utRng rng = ut_rng((uint64_t)i, 99);
    utContactLcpDef def = ut_contact_lcp_def();
    def.contacts = 1 + i % CONTACTS_MAX;
    def.directions = i / CONTACTS_MAX % 2 == 0 ? 4 : 8;
    def.bodies = ut_rng_below(&rng, 2) == 0 ? 0 : 1 + ut_rng_below(&rng, def.contacts);
    def.mass_ratio = mass_ratios[ut_rng_below(&rng, 4)];
    def.redundant = shares[ut_rng_below(&rng, 4)];
    def.start = (utContactStart)ut_rng_below(&rng, UT_CONTACT_START_COUNT);
    def.open = opens[ut_rng_below(&rng, 4)];
    def.speed = speeds[ut_rng_below(&rng, 4)];
    def.mu_max = mus[ut_rng_below(&rng, 4)];
    def.mu_min = 0.5 * def.mu_max;
    def.smooth = ut_rng_below(&rng, 4) == 0 ? 0.5 : 0.1;
    def.seed = (uint64_t)i;
    return def;
}

// ---- the judge ----------------------------------------------------------------------------------

typedef struct Scales {
    double q; // largest |q|
    double z; // an impulse: max|q| / max|M|
} Scales;

static Scales scales_of(const utLcp* lcp)
{
    double q = 0.0, M = 0.0;
    for (int i = 0; i < lcp->n; i++) {
        q = fmax(q, fabs(lcp->q[i]));
        for (int j = 0; j < lcp->n; j++) {
            M = fmax(M, fabs(lcp->M[(size_t)i * (size_t)lcp->n + (size_t)j]));
        }
    }
    q = q > 0.0 ? q : 1.0;
    return (Scales){q, q / (M > 0.0 ? M : 1.0)};
}

// The residual of docs/lcp.md, computed in long double.
static double judge(const utLcp* lcp, const double* z)
{
    Scales scale = scales_of(lcp);
    long double worst = 0.0L;
    for (int i = 0; i < lcp->n; i++) {
        long double w = (long double)lcp->q[i];
        for (int j = 0; j < lcp->n; j++) {
            w += (long double)lcp->M[(size_t)i * (size_t)lcp->n + (size_t)j] * (long double)z[j];
        }
        long double from_z = (long double)z[i] / (long double)scale.z;
        long double from_w = w / (long double)scale.q;
        long double error = fabsl(from_z < from_w ? from_z : from_w);
        worst = error <= worst ? worst : error;
    }
    return (double)worst;
}

// What the contact's point moves with, b relative to a.
static void slip_velocity(const utContactScene* scene, const utContactPoint* point, double v[][6],
                          double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int side = 0; side < 2; side++) {
        int b = side == 0 ? point->a : point->b;
        for (int k = 0; k < 3 && b >= 0; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            const double* c = scene->bodies[b].center;
            double at_point = v[b][k] + v[b][3 + l] * (point->point[m] - c[m]) -
                              v[b][3 + m] * (point->point[l] - c[l]);
            out[k] += side == 0 ? -at_point : at_point;
        }
    }
}

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The impulse of contact c in the world.
static void impulse_of(const utContactLcp* contact, const double* z, int c, double out[3])
{
    const int p = contact->contacts, d = contact->directions;
    for (int k = 0; k < 3; k++) {
        out[k] = z[c] * contact->scene.contacts[c].normal[k];
        for (int j = 0; j < d; j++) {
            int row = p + c * d + j;
            out[k] += z[row] * contact->J[12 * (size_t)row + 6 + (size_t)k];
        }
    }
}

// v+ from the impulses, body by body and without the Jacobian. @return kinetic energy of v
static double apply(const utContactScene* scene, double impulses[][3], double v[][6])
{
    for (int b = 0; b < scene->body_count; b++) {
        memcpy(v[b], scene->bodies[b].v, sizeof v[b]);
    }
    for (int c = 0; c < scene->contact_count; c++) {
        const utContactPoint* point = &scene->contacts[c];
        for (int side = 0; side < 2; side++) {
            int b = side == 0 ? point->a : point->b;
            for (int k = 0; k < 3 && b >= 0; k++) {
                int l = (k + 1) % 3, m = (k + 2) % 3;
                const utContactBody* body = &scene->bodies[b];
                double sign = side == 0 ? -1.0 : 1.0;
                double torque = (point->point[l] - body->center[l]) * impulses[c][m] -
                                (point->point[m] - body->center[m]) * impulses[c][l];
                v[b][k] += sign * body->inverse_mass * impulses[c][k];
                v[b][3 + k] += sign * body->inverse_inertia[k] * torque;
            }
        }
    }
    double energy = 0.0;
    for (int b = 0; b < scene->body_count; b++) {
        const utContactBody* body = &scene->bodies[b];
        for (int k = 0; k < 3; k++) {
            energy += 0.5 * v[b][k] * v[b][k] / body->inverse_mass;
            energy += 0.5 * v[b][3 + k] * v[b][3 + k] / body->inverse_inertia[k];
        }
    }
    return energy;
}

// Contacts that break a law by more than the residual's share: penetrating, pulling, pushing while
// they part, friction outside its polygon, or a contact that feeds energy in.
static int broken_laws(const utContactLcp* contact, const double* z)
{
    static double impulses[CONTACTS_MAX][3], none[CONTACTS_MAX][3], v[BODIES_MAX][6];
    const utContactScene* scene = &contact->scene;
    const int p = contact->contacts, d = contact->directions;
    Scales scale = scales_of(&contact->lcp);
    double before = apply(scene, none, v);
    double largest = scale.z;
    for (int c = 0; c < p; c++) {
        impulse_of(contact, z, c, impulses[c]);
        largest = fmax(largest, z[c]);
    }
    double after = apply(scene, impulses, v);

    // rounding of v+ grows with the impulses, which can be far larger than the scale
    int broken = 0;
    const double speed = 2.0 * TOLERANCE * scale.q + 1e-13 * scale.q * largest / scale.z;
    for (int c = 0; c < p; c++) {
        const utContactPoint* point = &scene->contacts[c];
        double u[3], friction = 0.0;
        slip_velocity(scene, point, v, u);
        for (int j = 0; j < d; j++) {
            friction += z[p + c * d + j];
        }
        double normal = dot(u, point->normal);
        double power = dot(u, impulses[c]);
        broken += !(normal + point->gap_rate >= -speed);
        broken += !(z[c] >= -2.0 * TOLERANCE * scale.z);
        broken += z[c] > 2.0 * TOLERANCE * scale.z && !(normal + point->gap_rate <= speed);
        broken += !(friction <= point->mu * z[c] + 2.0 * TOLERANCE * fmax(scale.q, scale.z));
        broken += !(power <= d * (speed * (z[c] + friction) +
                                  2.0 * TOLERANCE * scale.z * (scale.q + sqrt(dot(u, u)))));
    }
    broken += !(after <= before * (1.0 + 1e-9) + p * speed * largest);
    return broken;
}

// ---- the run ------------------------------------------------------------------------------------

typedef struct Tally {
    int solved, wrong, unphysical;
    int by_solver[UT_LCP_SOLVER_COUNT];
    double iterations, worst;
    int worst_problem;
} Tally;

static void run_problem(int i, Tally* tally)
{
    utContactLcpDef settings = vary(i);
    utArena arena = test_arena();
    utContactLcp contact;
    double z[UNKNOWNS_MAX];
    utLcpInfo info;
    utLcpDef def = ut_lcp_def();
    def.tolerance = TOLERANCE;
    if (!CHECK(ut_contact_lcp_create(&settings, &arena, &contact) == UT_OK) ||
        !CHECK(ut_lcp_solve(&contact.lcp, UT_LCP_AUTO, &def, arena, z, &info) == UT_OK)) {
        return;
    }

    double residual = judge(&contact.lcp, z);
    bool right = residual <= TOLERANCE * (1.0 + 1e-6);
    if (info.outcome == UT_LCP_SOLVED) {
        tally->solved += right;
        tally->wrong += !right;
        tally->by_solver[info.solver]++;
        tally->iterations += info.iterations;
        if (residual > tally->worst) {
            tally->worst = residual;
            tally->worst_problem = i;
        }
        int broken = broken_laws(&contact, z);
        tally->unphysical += broken > 0;
        if (broken > 0) {
            test_note("problem %d: %d laws broken, residual %.1e", i, broken, residual);
        }
    } else {
        test_note("problem %d (%d contacts, %d directions): %s by %s, residual %.1e", i,
                  contact.contacts, contact.directions, ut_lcp_outcome_name(info.outcome),
                  ut_lcp_solver_name(info.solver), residual);
    }
}

TEST(auto_solves_contact_problems_of_every_kind)
{
    Tally tally = {0};
    for (int i = 0; i < PROBLEMS; i++) {
        run_problem(i, &tally);
    }

    test_note("%d of %d solved, %d wrong answers called solved, %d unphysical", tally.solved,
              PROBLEMS, tally.wrong, tally.unphysical);
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        if (tally.by_solver[s] > 0) {
            test_note("%s: %d", ut_lcp_solver_name((utLcpSolver)s), tally.by_solver[s]);
        }
    }
    test_note("worst residual %.1e (problem %d), mean iterations %.1f", tally.worst,
              tally.worst_problem, tally.iterations / (tally.solved > 0 ? tally.solved : 1));
    CHECK(tally.solved >= PROBLEMS - PROBLEMS / 10000);
    CHECK_INT(tally.wrong, 0);
    CHECK_INT(tally.unphysical, 0);
}

// ---- the judge must have teeth ------------------------------------------------------------------

typedef enum Spoil { TOO_LARGE, TOO_SMALL, REVERSED, SLIP_LOST, SPOIL_COUNT } Spoil;

// A right answer made slightly wrong. @return false when it has nothing to be spoilt
static bool spoil(const utContactLcp* contact, Spoil how, const double* z, double* off)
{
    const int p = contact->contacts, d = contact->directions;
    double change = 0.0;
    for (int k = 0; k < contact->lcp.n; k++) {
        off[k] = z[k];
        if (how == TOO_LARGE || how == TOO_SMALL) {
            off[k] = (how == TOO_LARGE ? 1.01 : 0.99) * z[k];
        } else if (how == REVERSED && k >= p && k < contact->rows) {
            int c = (k - p) / d, j = (k - p) % d;
            off[k] = z[p + c * d + (j + d / 2) % d];
        } else if (how == SLIP_LOST && k >= contact->rows && z[k - contact->rows] > 0.0 &&
                   contact->scene.contacts[k - contact->rows].mu > 0.0) {
            off[k] = 0.0;
        }
        // the slip speed of a contact without an impulse is arbitrary
        change = k < contact->rows || how == SLIP_LOST ? fmax(change, fabs(off[k] - z[k])) : change;
    }
    return change > 1e-3 * scales_of(&contact->lcp).z;
}

TEST(the_judge_notices_answers_that_are_slightly_wrong)
{
    int looked[SPOIL_COUNT] = {0}, judged[SPOIL_COUNT] = {0}, broken[SPOIL_COUNT] = {0};
    for (int i = 400; i < 480; i++) {
        utContactLcpDef settings = vary(i);
        utArena arena = test_arena();
        utContactLcp contact;
        double z[UNKNOWNS_MAX], off[UNKNOWNS_MAX];
        utLcpInfo info;
        utLcpDef def = ut_lcp_def();
        CHECK(ut_contact_lcp_create(&settings, &arena, &contact) == UT_OK);
        CHECK(ut_lcp_solve(&contact.lcp, UT_LCP_AUTO, &def, arena, z, &info) == UT_OK);
        for (int how = 0; how < SPOIL_COUNT; how++) {
            if (spoil(&contact, (Spoil)how, z, off)) {
                looked[how]++;
                judged[how] += judge(&contact.lcp, off) > TOLERANCE;
                broken[how] += broken_laws(&contact, off) > 0;
            }
        }
    }
    for (int how = 0; how < SPOIL_COUNT; how++) {
        CHECK(looked[how] > 40);
        CHECK_INT(judged[how], looked[how]);
    }
    CHECK_INT(broken[TOO_LARGE], looked[TOO_LARGE]);
    CHECK_INT(broken[TOO_SMALL], looked[TOO_SMALL]);
    CHECK(broken[REVERSED] > 0.9 * looked[REVERSED]); // a stick that fails may still dissipate
}
