// SPDX-License-Identifier: Apache-2.0
// Prints one line a workload, `name hash`: the bits that must be the same for every compiler,
// optimisation level and machine. tools/same-bits compares them with hashes.txt.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <uptack/coulomb.h>
#include <uptack/coulomb_problems.h>
#include <uptack/impact.h>
#include <uptack/io.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>
#include <uptack/lcp_problems.h>
#include <uptack/vec.h>

static void print_hash(const char* family, const char* what, uint64_t hash)
{
    printf("%s/%s %016" PRIx64 "\n", family, what, hash);
}

static uint64_t hash_solve(uint64_t hash, const utLcp* lcp, utLcpSolver solver, utArena scratch)
{
    double* z = UT_PUSH(&scratch, double, lcp->n);
    double* w = UT_PUSH(&scratch, double, lcp->n);
    utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    if (w == NULL || ut_lcp_solve(lcp, solver, &def, scratch, z, &info) != UT_OK) {
        return 0;
    }
    ut_lcp_slack(lcp, z, w);
    const double facts[] = {info.outcome, info.solver, info.iterations, info.residual};
    hash = ut_hash_doubles(hash, facts, 4);
    hash = ut_hash_doubles(hash, z, (size_t)lcp->n);
    return ut_hash_doubles(hash, w, (size_t)lcp->n);
}

static const utLcpSolver solvers[] = {UT_LCP_AUTO, UT_LCP_LEMKE, UT_LCP_PIVOT, UT_LCP_PGS,
                                      UT_LCP_NEWTON};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void families(utArena arena)
{
    for (int f = 0; f < UT_LCP_FAMILY_COUNT; f++) {
        for (int s = 0; s < SOLVERS; s++) {
            uint64_t hash = UT_HASH_START;
            for (int n = 3; n <= 48; n += 15) {
                utArena keep = arena;
                utLcpProblem problem;
                if (ut_lcp_family_create((utLcpFamily)f, n, 7, &keep, &problem) == UT_OK) {
                    hash = hash_solve(hash, &problem.lcp, solvers[s], keep);
                }
            }
            print_hash(ut_lcp_family_name((utLcpFamily)f), ut_lcp_solver_name(solvers[s]), hash);
        }
    }
}

static void contacts(utArena arena)
{
    for (int s = 0; s < SOLVERS; s++) {
        uint64_t hash = UT_HASH_START;
        for (uint64_t seed = 0; seed < 30; seed++) {
            utArena keep = arena;
            utContactLcpDef def = ut_contact_lcp_def();
            def.contacts = 1 + (int)seed / 2;
            def.directions = seed % 2 == 0 ? 4 : 8;
            def.seed = seed;
            utContactLcp contact;
            if (ut_contact_lcp_create(&def, &keep, &contact) == UT_OK) {
                hash = hash_solve(hash, &contact.lcp, solvers[s], keep);
            }
        }
        print_hash("contact", ut_lcp_solver_name(solvers[s]), hash);
    }
}

static void enumeration(utArena arena)
{
    uint64_t hash = UT_HASH_START;
    for (uint64_t seed = 0; seed < 40; seed++) {
        utArena keep = arena;
        utLcpProblem problem;
        if (ut_lcp_family_create(UT_LCP_DENSE, 6, seed, &keep, &problem) != UT_OK) {
            continue;
        }
        double Z[64 * 6];
        int count = 0;
        utLcpDef def = ut_lcp_def();
        if (ut_lcp_all(&problem.lcp, &def, keep, 64, Z, &count) == UT_OK) {
            hash = ut_hash_doubles(hash, Z, (size_t)(count < 64 ? count : 64) * 6);
        }
    }
    print_hash("dense", "all", hash);
}

// Friction with an index, unknowns without bounds, bounds on one side.
static void boxed(utArena arena)
{
    for (int s = 0; s < SOLVERS; s++) {
        uint64_t hash = UT_HASH_START;
        for (uint64_t seed = 0; seed < 20; seed++) {
            enum { N = 15 };
            utArena keep = arena;
            utLcpProblem problem;
            if (ut_lcp_family_create(UT_LCP_SPD, N, seed, &keep, &problem) != UT_OK) {
                continue;
            }
            double lo[N], hi[N];
            int findex[N];
            for (int i = 0; i < N; i++) {
                bool normal = i % 3 == 0;
                lo[i] = normal ? 0.0 : -0.5;
                hi[i] = normal ? (double)INFINITY : 0.5;
                findex[i] = normal ? -1 : i / 3 * 3;
            }
            utLcp lcp = problem.lcp;
            lcp.lo = lo;
            lcp.hi = hi;
            lcp.findex = findex;
            hash = hash_solve(hash, &lcp, solvers[s], keep);
            lcp = problem.lcp;
            lcp.free_count = 5;
            hash = hash_solve(hash, &lcp, solvers[s], keep);
        }
        print_hash("boxed", ut_lcp_solver_name(solvers[s]), hash);
    }
}

// A few of each scene, by the ladder and by Gauss-Seidel.
static void friction(utArena arena)
{
    static const utCoulombSolver by[] = {UT_COULOMB_AUTO, UT_COULOMB_NSGS};
    const utSection circle = ut_section_circle();
    for (int s = 0; s < 2; s++) {
        uint64_t hash = UT_HASH_START;
        for (int i = 0; i < 40; i++) {
            utArena keep = arena;
            utFrictionDef def = ut_friction_sample(i);
            utFrictionProblem made;
            if (ut_friction_create(&def, &keep, &made) != UT_OK || made.contacts > 40) {
                continue;
            }
            const utCoulomb problem = ut_friction_coulomb(&made, &circle);
            utCoulombDef settings = ut_coulomb_def();
            settings.max_iterations = by[s] == UT_COULOMB_NSGS ? 30 : 0;
            utCoulombInfo info;
            double* r = UT_PUSH(&keep, double, made.rows);
            if (r != NULL &&
                ut_coulomb_solve(&problem, by[s], &settings, keep, r, &info) == UT_OK) {
                hash = ut_hash_doubles(hash, r, (size_t)made.rows);
                hash = ut_hash_doubles(hash, &info.verdict.E, 1);
            }
        }
        print_hash("friction", ut_coulomb_solver_name(by[s]), hash);
    }
}

static void elementary(void)
{
    utRng rng = ut_rng(1, 2);
    uint64_t hash = UT_HASH_START;
    for (int k = 0; k < 20000; k++) {
        double x = ut_rng_range(&rng, -1.0, 1.0) * (double)(1 << (k % 30));
        double y = ut_rng_normal(&rng);
        double values[] = {ut_sin(x), ut_cos(x), ut_atan2(y, x)};
        hash = ut_hash_doubles(hash, values, 3);
    }
    print_hash("elementary", "sin-cos-atan2", hash);

    hash = UT_HASH_START;
    for (int k = 0; k < 20000; k++) {
        char text[UT_NUMBER_SIZE];
        double value = ut_rng_normal(&rng) * (double)(1 << (k % 30));
        int size = ut_number_write_short(value, text);
        hash = ut_hash_bytes(hash, text, (size_t)size);
    }
    print_hash("elementary", "numbers", hash);
}

// one impact of random inertia, the way it turns included
static uint64_t hash_impact(uint64_t hash, utRng* rng, utImpactLaw law)
{
    double A[9];
    utImpact impact = {.dimension = 3, .law = law};
    for (int i = 0; i < 9; i++) {
        A[i] = ut_rng_normal(rng);
    }
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) {
            impact.K[i] += A[i / 3 * 3 + k] * A[i % 3 * 3 + k];
        }
    }
    impact.u[0] = -1.0 + ut_rng_uniform(rng);
    impact.u[1] = ut_rng_normal(rng);
    impact.u[2] = ut_rng_normal(rng);
    impact.mu = ut_rng_uniform(rng);
    impact.e = ut_rng_uniform(rng);
    utImpactResult result;
    if (ut_impact_solve(&impact, &result, NULL) != UT_OK) {
        return 0;
    }
    const double facts[] = {result.outcome, result.spans, result.steps, result.energy};
    hash = ut_hash_doubles(hash, facts, 4);
    hash = ut_hash_doubles(hash, result.r, 3);
    return ut_hash_doubles(hash, result.u, 3);
}

static void impacts(void)
{
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        utRng rng = ut_rng(41, (uint64_t)k);
        uint64_t hash = UT_HASH_START;
        for (int i = 0; i < 500; i++) {
            hash = hash_impact(hash, &rng, (utImpactLaw)k);
        }
        print_hash("impact", ut_impact_law_name((utImpactLaw)k), hash);
    }
}

// Whole steps: two balls and a box fall, meet, bounce, slide and come to rest.
static const char SCENE[] =
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.4'/>"
    "<body pos='0 0 0.3'><freejoint/>"
    "<geom type='sphere' size='0.1' mass='1' friction='0.4' ut:restitution='0.6'/></body>"
    "<body pos='0.05 0.01 0.7'><freejoint/>"
    "<geom type='sphere' size='0.1' mass='2' friction='0.4' ut:restitution='0.8'/></body>"
    "<body pos='0.1 0 1.1' euler='20 30 10'><freejoint/>"
    "<geom type='box' size='0.2 0.15 0.1' mass='1' friction='0.4' ut:restitution='0.5'/></body>"
    "</worldbody></mujoco>";

static void run_scene(const utModel* model, utFormulation formulation, double adaptive)
{
    enum { STEPS = 150 };
    utSimDef def = ut_sim_def();
    utSim* sim = NULL;
    def.formulation = formulation;
    def.adaptive = adaptive;
    uint64_t hash = UT_HASH_START;
    if (ut_sim_create(model, &def, &sim, NULL) == UT_OK) {
        for (int k = 0; k < STEPS; k++) {
            utStepResult result;
            const utStatus status = ut_sim_step(sim, NULL, &result, NULL);
            const double good = status == UT_OK && result.outcome == UT_STEP_CERTIFIED;
            hash = ut_hash_doubles(hash, &good, 1);
        }
        hash = ut_hash_doubles(hash, ut_sim_q(sim), (size_t)model->nq);
        hash = ut_hash_doubles(hash, ut_sim_v(sim), (size_t)model->nv);
    }
    ut_sim_destroy(sim);
    print_hash(adaptive > 0.0 ? "adaptive" : "sim", ut_formulation_name(formulation), hash);
}

// The tier budget: sweeps over blocks and packs, with corrections.
static void run_budget(const char* scene)
{
    utModelDef* description = NULL;
    utModel* model = NULL;
    utSim* sim = NULL;
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    uint64_t hash = UT_HASH_START;
    if (ut_model_def_create(NULL, &description) == UT_OK &&
        ut_scene_build(scene, description, NULL) == UT_OK &&
        ut_model_compile(description, NULL, &model, NULL) == UT_OK &&
        ut_sim_create(model, &def, &sim, NULL) == UT_OK) {
        for (int k = 0; k < 60; k++) {
            utStepResult result = {0};
            const double good = ut_sim_step(sim, NULL, &result, NULL) == UT_OK;
            hash = ut_hash_doubles(hash, &good, 1);
            hash = ut_hash_doubles(hash, &result.certificate.E, 1);
        }
        hash = ut_hash_doubles(hash, ut_sim_q(sim), (size_t)model->nq);
        hash = ut_hash_doubles(hash, ut_sim_v(sim), (size_t)model->nv);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_def_destroy(description);
    print_hash("budget", scene, hash);
}

static void sims(void)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    const utText text = {SCENE, sizeof SCENE - 1};
    if (ut_model_def_create(NULL, &def) == UT_OK &&
        ut_mjcf_read(text, "golden", NULL, def, NULL, NULL) == UT_OK &&
        ut_model_compile(def, NULL, &model, NULL) == UT_OK) {
        const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                              UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_HYBRID,
                                              UT_FORMULATION_MIRTICH};
        for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
            run_scene(model, formulations[k], 0.0);
        }
        run_scene(model, UT_FORMULATION_COULOMB, 1e-4);
        run_scene(model, UT_FORMULATION_HYBRID, 1e-4);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

int main(void)
{
    utArena arena;
    if (ut_arena_create((size_t)64 << 20, NULL, &arena) != UT_OK) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    elementary();
    families(arena);
    contacts(arena);
    boxed(arena);
    enumeration(arena);
    friction(arena);
    impacts();
    sims();
    run_budget("pyramid:6");
    run_budget("balls:4:4");
    run_budget("quad");
    ut_arena_destroy(&arena);
    return 0;
}
