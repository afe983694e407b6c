// SPDX-License-Identifier: Apache-2.0
// Unusable arguments of public functions: rejected by name, or answered.
#include <math.h>
#include <string.h>
#include <uptack/uniqueness.h>
#include <uptack/uptack.h>

#include "all_inputs.h"

static void check_refused_def(const utModel* model, const utSimDef* def, const char* name)
{
    utSim* sim = NULL;
    utError err = {0};
    CHECK_INT(ut_sim_create(model, def, &sim, &err), UT_ERR_ARGUMENT);
    if (!CHECK(sim == NULL && strncmp(err.message, name, strlen(name)) == 0)) {
        test_note("'%s', not %s", err.message, name);
    }
}

TEST(choices_of_a_sim_that_do_not_exist_are_refused_by_name)
{
    utModel* model = inputs_model();
    const int wrong[] = {-2, -1000000, 99, 1 << 30};
    for (int k = 0; k < 4; k++) {
        utSimDef def = ut_sim_def();
        def.integrator = wrong[k];
        check_refused_def(model, &def, "integrator is");
        def = ut_sim_def();
        def.impact = wrong[k];
        check_refused_def(model, &def, "impact is");
        def = ut_sim_def();
        def.simultaneous = wrong[k];
        check_refused_def(model, &def, "simultaneous is");
        def = ut_sim_def();
        def.directions = wrong[k];
        check_refused_def(model, &def, "directions is");
    }
    ut_model_destroy(model);
}

TEST(a_def_with_the_cookie_of_another_kind_is_refused)
{
    static const uint32_t other[] = {UT_LOAD_DEF_COOKIE, UT_LCP_DEF_COOKIE, UT_COULOMB_DEF_COOKIE,
                                     UT_OPTIONS_COOKIE, UT_SECTION_COOKIE};
    const double M[] = {1}, q[] = {-1};
    const utLcp lcp = {.n = 1, .M = M, .q = q};
    utModel* model = inputs_model();
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        utSim* sim = NULL;
        utSimDef sim_def = ut_sim_def();
        sim_def.cookie = other[k];
        CHECK_INT(ut_sim_create(model, &sim_def, &sim, NULL), UT_ERR_DEF);
        CHECK(sim == NULL);
        double z = 7.0;
        utLcpInfo info;
        utLcpDef lcp_def = ut_lcp_def();
        lcp_def.cookie = other[k] != UT_LCP_DEF_COOKIE ? other[k] : UT_SIM_DEF_COOKIE;
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_PGS, &lcp_def, test_arena(), &z, &info), UT_ERR_DEF);
        CHECK(z == 7.0);
    }
    ut_model_destroy(model);
}

TEST(names_of_numbers_that_are_none_are_unknown)
{
    CHECK_TEXT(ut_lcp_outcome_name((utLcpOutcome)99), "unknown");
    CHECK_TEXT(ut_lcp_solver_name((utLcpSolver)-1), "unknown");
    CHECK_TEXT(ut_coulomb_outcome_name((utCoulombOutcome)99), "unknown");
    CHECK_TEXT(ut_coulomb_solver_name((utCoulombSolver)-1), "unknown");
    CHECK_TEXT(ut_coulomb_status_name((utCoulombStatus)99), "unknown");
    CHECK_TEXT(ut_velocity_claim_name((utVelocityClaim)-1), "unknown");
}

TEST(solvers_that_do_not_exist_and_problems_that_are_not_finite_are_refused)
{
    const double M[] = {1}, q[] = {-1}, mu[] = {0.5}, W[] = {1, 0, 0, 1}, u[] = {-1, 0};
    const utLcp lcp = {.n = 1, .M = M, .q = q};
    const utSection section = ut_section_segment();
    utCoulomb problem = {
        .dimension = 2, .contacts = 1, .mu = mu, .section = &section, .W = W, .q = u};
    const utLcpDef lcp_def = ut_lcp_def();
    utLcpInfo info;
    double z = 7.0;
    CHECK_INT(ut_lcp_solve(&lcp, (utLcpSolver)99, &lcp_def, test_arena(), &z, &info),
              UT_ERR_ARGUMENT);
    CHECK_NEAR(z, 7.0, 0.0);

    utError err;
    CHECK_INT(ut_coulomb_check(&problem, &err), UT_OK);
    problem.speed = (double)NAN;
    CHECK_INT(ut_coulomb_check(&problem, &err), UT_ERR_ARGUMENT);
    problem.speed = HUGE_VAL;
    CHECK_INT(ut_coulomb_check(&problem, &err), UT_ERR_ARGUMENT);
}

TEST(a_report_of_nothing_fails_as_a_report)
{
    const utStepReport report = {0};
    utCertificate certificate = {.passed = true};
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
    CHECK(!certificate.passed);
    CHECK_TEXT(ut_certificate_reason_name(certificate.reason), "report");
}

// The interior point knows round cones only, and an LCP solver polygons only: a sim says so at once.
TEST(a_solver_that_cannot_take_the_friction_section_is_refused_with_its_reason)
{
    static const struct {
        utFormulation formulation;
        const char* solver;
        const char* message;
    } cases[] = {
        {UT_FORMULATION_STEWART_TRINKLE, "ipm", "solver ipm does not take the polygons"},
        {UT_FORMULATION_HYBRID, "ipm", "solver ipm does not take the polygons"},
        {UT_FORMULATION_COULOMB, "lcp", "solver lcp does not take the circles"},
    };
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    ut_model_def_destroy(def);
    for (int k = 0; k < 3; k++) {
        utSim* sim = NULL;
        utSimDef settings = ut_sim_def();
        settings.formulation = (int)cases[k].formulation;
        settings.solver = cases[k].solver;
        CHECK_INT(ut_sim_create(model, &settings, &sim, &err), UT_ERR_ARGUMENT);
        CHECK(strstr(err.message, cases[k].message) != NULL);
    }
    ut_model_destroy(model);
}
