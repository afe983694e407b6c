// SPDX-License-Identifier: Apache-2.0
// The tier budget against closed forms. Sweeps converge fast where few contacts act, so that these runs
// follow the law closely although no sweep looks at an error.
#include <math.h>
#include <string.h>
#include <uptack/load.h>

#include "support/make_sim.h"
#include "support/model_text.h"

typedef struct Lab {
    utModel* model;
    utSim* sim;
    double worst_E;  // so far
    double way_of_e; // m: sum of the errors e that the certificates state, times h
    int over;        // steps that are taken with an E above the tolerance
} Lab;

static Lab begin(const char* scene, double dt)
{
    Lab lab = {0};
    utError err = {0};
    CHECK_INT(ut_load(scene, &lab.model, &err), UT_OK);
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    def.dt = dt;
    lab.sim = make_sim(lab.model, &def);
    CHECK_INT(ut_sim_reset(lab.sim, ut_model_start_key(lab.model), NULL), UT_OK);
    return lab;
}

static void end(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
}

static void run(Lab* lab, int steps)
{
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        if (!CHECK_INT(ut_sim_step(lab->sim, NULL, &result, NULL), UT_OK)) {
            return;
        }
        CHECK(result.outcome == UT_STEP_CERTIFIED || result.outcome == UT_STEP_BUDGET);
        lab->worst_E = fmax(lab->worst_E, result.certificate.E);
        lab->way_of_e += result.report.h * result.certificate.e;
        lab->over += result.outcome == UT_STEP_BUDGET;
    }
}

static utBodyState body(const Lab* lab, const char* name)
{
    return ut_sim_body(lab->sim, ut_model_find_body(lab->model, name));
}

// ---- friction -----------------------------------------------------------------------------------

// A box slides 3 m/s at 30 degrees, mu 0.5. Its speed after k steps is v - k mu g h, so that it travels
// v^2 / (2 mu g) - v h / 2 within mu g h^2, straight ahead.
TEST(a_sliding_box_stops_where_coulomb_stops_it)
{
    const double h = 0.002, v = 3.0, deceleration = 0.5 * 9.81;
    Lab lab = begin("slide:30", h);
    const utVec3 start = body(&lab, "box").com;
    run(&lab, 700);
    const utVec3 way = ut_vec3_sub(body(&lab, "box").com, start);
    const double distance = sqrt(way.x * way.x + way.y * way.y);
    CHECK_NEAR(distance, v * v / (2.0 * deceleration) - 0.5 * v * h, deceleration * h * h);
    CHECK_NEAR(atan2(way.y, way.x), 3.14159265358979 / 6.0, 1e-9);
    CHECK_NEAR(ut_vec3_norm(body(&lab, "box").velocity), 0.0, 1e-9);
    end(&lab);
}

// Gravity is tilted by atan(mu (1 + p)). At p = -2 % the box stays. At +2 % it has the acceleration
// a = p mu g cos(angle), and in n implicit steps it travels a h^2 n (n + 1) / 2.
TEST(a_box_sticks_below_the_cone_and_slips_above_it)
{
    const double h = 0.002, mu = 0.5, p = 0.02;
    const int n = 1000;
    Lab lab = begin("incline:30:-2", h);
    const utVec3 start = body(&lab, "box").com;
    run(&lab, n);
    CHECK(lab.way_of_e < 1e-6);
    // e is the largest error of a contact, and the box has four
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(body(&lab, "box").com, start)), 0.0, 4.0 * lab.way_of_e);
    end(&lab);

    lab = begin("incline:30:2", h);
    const double angle = atan(mu * (1.0 + p));
    const double acceleration = p * mu * 9.81 * cos(angle);
    const double expected = 0.5 * acceleration * h * h * n * (n + 1.0);
    run(&lab, n);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(body(&lab, "box").com, start)), expected, 1e-5 * expected);
    end(&lab);
}

// ---- stacks -------------------------------------------------------------------------------------

// Cubes of 0.2 m: the centre of the last one is at 0.2 n - 0.1. Overlaps may not add up.
static void check_stack(const char* scene, const char* top, double height, int steps)
{
    Lab lab = begin(scene, 1.0 / 60.0);
    run(&lab, steps);
    const utBodyState state = body(&lab, top);
    CHECK_NEAR(state.com.z, height, 1e-4);
    CHECK_NEAR(hypot(state.com.x, state.com.y), 0.0, 1e-4);
    CHECK_NEAR(ut_vec3_norm(state.velocity), 0.0, 1e-4);
    CHECK(lab.over > 0);
    test_note("%s: E at most %.2g, %d of %d steps above the tolerance, top %.2g m off", scene,
              lab.worst_E, lab.over, steps, state.com.z - height);
    end(&lab);
}

TEST(ten_cubes_stand_for_ten_seconds)
{
    check_stack("stack:10", "box10", 1.9, 600);
}

TEST(thirty_cubes_stand_for_ten_seconds)
{
    check_stack("stack:30", "box30", 5.9, 600);
}

// ---- balances -----------------------------------------------------------------------------------

static const char colliding_text[] =
    "<mujoco><option timestep='0.005' gravity='0 0 0'/><worldbody>"
    "<body name='a' pos='0 0 0'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
    "<body name='b' pos='0.25 0.05 0'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='3'/>"
    "</body>"
    "<body name='c' pos='0.45 0 0.02'><freejoint/><geom type='box' size='0.08 0.2 0.1' mass='2'/>"
    "</body></worldbody></mujoco>";

static utForce momentum_of(const utSim* sim)
{
    utForce sum = {ut_vec3_zero(), ut_vec3_zero()};
    const utModel* model = ut_sim_model(sim);
    for (int b = 1; b < model->nbody; b++) {
        const utBodyState state = ut_sim_body(sim, b);
        const utVec3 p = ut_vec3_scale(state.velocity, model->body[b].mass);
        sum.force = ut_vec3_add(sum.force, p);
    }
    return sum;
}

// Impulses act on both bodies of a contact, so that the sum of momenta stays, whatever the sweeps leave.
TEST(momentum_is_conserved)
{
    Lab lab = {.model = test_model(colliding_text)};
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    def.sweeps = 3;
    lab.sim = make_sim(lab.model, &def);
    double v[18] = {2.0, 0.1, 0.0, 0.0, 0.0, 0.0, -0.5, 0.0, 0.3, 0.0, 1.0, 0.0, -1.0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    const utVec3 before = momentum_of(lab.sim).force;
    run(&lab, 100);
    const utVec3 after = momentum_of(lab.sim).force;
    CHECK(lab.over > 0);
    CHECK_NEAR(after.x, before.x, 1e-13);
    CHECK_NEAR(after.y, before.y, 1e-13);
    CHECK_NEAR(after.z, before.z, 1e-13);
    CHECK(fabs(body(&lab, "a").velocity.x - 2.0) > 0.5); // they did collide
    end(&lab);
}

// Without gravity a ball that hits a floor at 1 m/s leaves it at e = 0.5 of that.
TEST(a_ball_bounces)
{
    Lab lab = {.model = test_model("<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' "
                                   "gravity='0 0 0'/><worldbody><geom type='plane' size='1 1 1' "
                                   "ut:restitution='0.5'/><body name='ball' pos='0 0 0.155'>"
                                   "<freejoint/><geom type='sphere' size='0.1' mass='1' "
                                   "ut:restitution='0.5'/></body></worldbody></mujoco>")};
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    lab.sim = make_sim(lab.model, &def);
    const double v[6] = {0.0, 0.0, -1.0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    run(&lab, 20);
    CHECK_NEAR(body(&lab, "ball").velocity.z, 0.5, 1e-12);
    end(&lab);
}

// An island moves the same way whatever other islands there are, to the last bit.
TEST(islands_do_not_influence_each_other)
{
    Lab one = begin("islands:1", 0.01), many = begin("islands:7", 0.01);
    run(&one, 40);
    run(&many, 40);
    CHECK(memcmp(ut_sim_q(one.sim), ut_sim_q(many.sim), 14 * sizeof(double)) == 0);
    CHECK(memcmp(ut_sim_v(one.sim), ut_sim_v(many.sim), 12 * sizeof(double)) == 0);
    end(&one);
    end(&many);
}

TEST(a_copy_goes_on_with_the_same_bits)
{
    Lab lab = begin("pyramid:6", 1.0 / 60.0), other = begin("pyramid:6", 1.0 / 60.0);
    run(&lab, 20);
    CHECK_INT(ut_sim_copy(lab.sim, other.sim, NULL), UT_OK);
    run(&lab, 20);
    run(&other, 20);
    CHECK(ut_sim_hash(lab.sim) == ut_sim_hash(other.sim));
    end(&lab);
    end(&other);
}

// ---- memory -------------------------------------------------------------------------------------

static void* count_and_allocate(void* context, size_t size)
{
    ++*(int*)context;
    return malloc(size);
}

static void release(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

// Once every contact has been seen, steps take their memory from arenas.
TEST(a_warm_step_allocates_nothing)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("pyramid:6", &model, NULL), UT_OK);
    int allocations = 0;
    const utAllocator counting = {count_and_allocate, release, &allocations};
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    def.allocator = &counting;
    utSim* sim = make_sim(model, &def);
    Lab lab = {.model = model, .sim = sim};
    run(&lab, 100);
    CHECK(allocations > 0);
    allocations = 0;
    run(&lab, 100);
    CHECK_INT(allocations, 0);
    end(&lab);
}

// ---- trees, limits and equalities ---------------------------------------------------------------

// The quadruped drops and stands: 20 kg press on the floor, so that the mean force over the last second
// is its weight.
TEST(a_quadruped_stands_with_its_weight)
{
    Lab lab = begin("quad", 0.002);
    double pressed = 0.0;
    for (int k = 0; k < 1500; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(lab.sim, NULL, &result, NULL), UT_OK);
        for (int i = 0; k >= 1000 && i < result.report.contacts; i++) {
            pressed += result.report.contact[i].r[0];
        }
    }
    CHECK_NEAR(pressed / (500 * 0.002), lab.model->mass * 9.81, 1e-2 * lab.model->mass * 9.81);
    end(&lab);
}

// A rod of 1 m falls from its hinge onto a limit at 30 degrees below the horizontal and rests there.
TEST(a_limit_holds_a_rod)
{
    Lab lab = {.model = test_model("<mujoco><option timestep='0.005'/><worldbody><body name='rod'>"
                                   "<joint name='j' type='hinge' axis='0 1 0' limited='true' "
                                   "range='-90 30'/><geom type='capsule' fromto='0 0 0 1 0 0' "
                                   "size='0.02' mass='1'/></body></worldbody></mujoco>")};
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    lab.sim = make_sim(lab.model, &def);
    run(&lab, 300);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 3.14159265358979 / 6.0, 1e-6);
    end(&lab);
}

// Two boxes of 1 kg hang from the world by a connect: the drift of the equality stays small.
TEST(an_equality_does_not_drift_away)
{
    Lab lab = {.model = test_model(
                   "<mujoco><option timestep='0.002'/><worldbody>"
                   "<body name='a' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.1 0.1' "
                   "mass='1'/></body></worldbody><equality><connect body1='a' body2='world' "
                   "anchor='-0.3 0 0'/></equality></mujoco>")};
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    lab.sim = make_sim(lab.model, &def);
    double drift = 0.0;
    for (int k = 0; k < 1000; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(lab.sim, NULL, &result, NULL), UT_OK);
        drift = fmax(drift, result.report.drift);
    }
    CHECK(drift < 1e-4);
    CHECK(drift > 0.0);
    end(&lab);
}

// ---- the certificate ----------------------------------------------------------------------------

static utCertificate certify(const utStepReport* report)
{
    utCertificate c;
    CHECK_INT(ut_certify(report, 1e-8, test_arena(), &c), UT_OK);
    return c;
}

// One sweep is far from the law of a pyramid. The certificate says so, and names nothing else.
TEST(the_certificate_states_the_error_and_tests_the_rest)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("pyramid:4", &model, NULL), UT_OK);
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    def.sweeps = 1;
    utSim* sim = make_sim(model, &def);
    utStepResult result;
    for (int k = 0; k < 5; k++) {
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
    }
    CHECK(result.outcome == UT_STEP_BUDGET);
    CHECK(!result.certificate.passed && result.certificate.E > 1e-3);
    CHECK_INT(result.certificate.reason, UT_REASON_COMPLEMENTARITY);
    CHECK_INT(result.report.tier, UT_TIER_BUDGET);
    CHECK(result.report.correction != NULL);
    CHECK(ut_certificate_within_budget(&result.report, &result.certificate));

    // a position that is not that of velocity and correction
    utStepReport changed = result.report;
    changed.correction = NULL;
    utCertificate c = certify(&changed);
    CHECK_INT(c.reason, UT_REASON_POSITION);
    CHECK(!ut_certificate_within_budget(&changed, &c));

    // in the tier exact there is no correction, and E decides
    changed = result.report;
    changed.tier = UT_TIER_EXACT;
    c = certify(&changed);
    CHECK_INT(c.reason, UT_REASON_REPORT);
    CHECK(!ut_certificate_within_budget(&changed, &c));

    // impulses that do not give the velocity
    utContact contact[256];
    memcpy(contact, result.report.contact, (size_t)result.report.contacts * sizeof *contact);
    contact[0].r[0] += 0.01;
    changed = result.report;
    changed.contact = contact;
    c = certify(&changed);
    CHECK_INT(c.reason, UT_REASON_MOMENTUM);
    CHECK(!ut_certificate_within_budget(&changed, &c));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(many_sweeps_certify_every_step)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("stack:5", &model, NULL), UT_OK);
    utSimDef def = ut_sim_def();
    def.tier = UT_TIER_BUDGET;
    def.sweeps = 400;
    utSim* sim = make_sim(model, &def);
    for (int k = 0; k < 20; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(settings_that_the_tier_lacks_are_rejected)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("stack:2", &model, NULL), UT_OK);
    utSimDef def = ut_sim_def();
    CHECK_INT(def.tier, UT_TIER_EXACT);
    const struct {
        int tier, sweeps, formulation, integrator;
        double adaptive;
        const char* message;
    } cases[] = {
        {UT_TIER_BUDGET, 0, UT_FORMULATION_CONVEX, -1, 0.0,
         "tier budget needs formulation coulomb"},
        {UT_TIER_BUDGET, 0, -1, UT_INTEGRATOR_RK4, 0.0,
         "tier budget needs integrator Euler or implicit"},
        {UT_TIER_BUDGET, 0, -1, -1, 1e-3, "tier budget needs steps of one length"},
        {2, 0, -1, -1, 0.0, "tier is 2; it lies between 0 and 1"},
        {UT_TIER_BUDGET, -1, -1, -1, 0.0, "sweeps is -1; it lies between 0 and 100000"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        utSim* sim = NULL;
        utError err = {0};
        def = ut_sim_def();
        def.tier = cases[k].tier;
        def.sweeps = cases[k].sweeps;
        def.formulation = cases[k].formulation;
        def.integrator = cases[k].integrator;
        def.adaptive = cases[k].adaptive;
        CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, cases[k].message);
    }
    ut_model_destroy(model);
}
