// Stick and slip of a box on a plane: exact, step by step. Symplectic Euler with a constant
// acceleration a has v = a t and x = a h^2 n (n + 1) / 2 after n steps, without any error in h.
#include "lab.h"

static const double G = 9.81;
static const double H = 0.002;

// what n steps cover with acceleration a from rest
static double covered(double a, int n)
{
    return a * H * H * n * (n + 1) / 2.0;
}

static Lab flat(double mu, int* box)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, mu);
    *box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0, mu);
    lab_start(&lab);
    return lab;
}

// gravity tilted as if the floor sloped down along x
static Lab slope(double mu, double tangent, int* box)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(G * tangent * c, 0, -G * c);
    lab_floor(&lab, mu);
    *box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0, mu);
    lab_start(&lab);
    return lab;
}

TEST(a_push_below_the_limit_moves_nothing)
{
    int box;
    Lab lab = flat(0.5, &box);
    lab_run(&lab, 500, box, ut_vec3(0.99 * 0.5 * 2.0 * G, 0, 0));
    CHECK_NEAR(ut_sim_body(lab.sim, box).com.x, 0.0, 1e-9);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_push_above_the_limit_accelerates_by_what_is_left)
{
    int box;
    Lab lab = flat(0.5, &box);
    const double force = 1.01 * 0.5 * 2.0 * G;
    lab_run(&lab, 500, box, ut_vec3(force * cos(0.7), force * sin(0.7), 0));
    const double a = 0.01 * 0.5 * G;
    const utVec3 x = ut_sim_body(lab.sim, box).com;
    // E <= 1e-8 of V = h g leaves 2e-10 m/s a step
    CHECK_NEAR(x.x, covered(a, 500) * cos(0.7), 1e-7);
    CHECK_NEAR(x.y, covered(a, 500) * sin(0.7), 1e-7);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_slope_below_the_limit_holds)
{
    int box;
    Lab lab = slope(0.5, 0.98 * 0.5, &box);
    lab_run(&lab, 2000, 0, ut_vec3_zero());
    const utBodyState s = ut_sim_body(lab.sim, box);
    CHECK_NEAR(s.com.x, 0.0, 1e-9);
    CHECK(ut_vec3_norm(s.velocity) <= 1e-9);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_slope_above_the_limit_slides)
{
    int box;
    Lab lab = slope(0.5, 1.02 * 0.5, &box);
    lab_run(&lab, 1000, 0, ut_vec3_zero());
    const double c = 1.0 / sqrt(1.0 + 0.51 * 0.51);
    const double a = G * c * (0.51 - 0.5);
    CHECK_NEAR(ut_sim_body(lab.sim, box).com.x, covered(a, 1000), 1e-7);
    lab_certified(&lab);
    lab_close(&lab);
}

// v_k = v0 - k mu g h until it stops; the last step takes the rest. Any heading.
TEST(a_sliding_box_stops_where_it_should_at_every_heading)
{
    for (int degrees = 0; degrees <= 90; degrees += 15) {
        int box;
        Lab lab = flat(0.5, &box);
        const double angle = degrees * 3.14159265358979323846 / 180.0;
        lab_velocity(&lab, 0, 3.0 * cos(angle));
        utArena arena = test_arena();
        double* v = UT_PUSH(&arena, double, 6);
        memset(v, 0, 6 * sizeof *v);
        v[0] = 3.0 * cos(angle);
        v[1] = 3.0 * sin(angle);
        CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
        lab_run(&lab, 400, 0, ut_vec3_zero());
        double distance = 0.0;
        for (double speed = 3.0 - 0.5 * G * H; speed > 0.0; speed -= 0.5 * G * H) {
            distance += H * speed;
        }
        const utVec3 x = ut_sim_body(lab.sim, box).com;
        CHECK_NEAR(x.x, distance * cos(angle), 1e-6);
        CHECK_NEAR(x.y, distance * sin(angle), 1e-6);
        lab_certified(&lab);
        lab_close(&lab);
    }
}
