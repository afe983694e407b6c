// SPDX-License-Identifier: Apache-2.0
// A ball in a bowl and a ball on a ball. With D the distance of the two centres, the ball's centre
// moves as a pendulum of length D; where it rolls, its spin makes it 1 + k times as heavy
// (k = I / m r^2 = 2/5):
//
//     angle'' = -+ g / ((1 + k) D) sin(angle)
#include "solids.h"

static const double M = 1.0;

// ---- the bowl -----------------------------------------------------------------------------------

// A hollow of the radius BOWL whose lowest point is the origin, as a height field or as triangles,
// over squares of the side EDGE.
enum { COLUMNS = 111, ROWS = 41, POINTS = COLUMNS * ROWS };
static const double EDGE = 0.001;
static const double BALL = 0.005;
static const double BOWL = 0.3;

static double grid_x(int i)
{
    return EDGE * (i % COLUMNS - COLUMNS / 2);
}

static double grid_y(int i)
{
    return EDGE * (i / COLUMNS - ROWS / 2);
}

static double depth(double radius, double x, double y)
{
    return radius - sqrt(radius * radius - x * x - y * y);
}

static utShape bowl_of_heights(utArena* keep, double radius)
{
    double* z = UT_PUSH(keep, double, POINTS);
    utHeights* heights = UT_PUSH(keep, utHeights, 1);
    for (int i = 0; i < POINTS; i++) {
        z[i] = depth(radius, grid_x(i), grid_y(i));
    }
    CHECK_INT(ut_heights_build(COLUMNS, ROWS, z, heights, NULL), UT_OK);
    const utVec3 half = ut_vec3(grid_x(POINTS - 1), grid_y(POINTS - 1), 0.1);
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = half, .heights = heights};
}

static utShape bowl_of_triangles(utArena* keep, double radius)
{
    utVec3* vertex = UT_PUSH(keep, utVec3, POINTS);
    int* triangle = UT_PUSH(keep, int, 6 * POINTS);
    int triangles = 0;
    for (int i = 0; i < POINTS; i++) {
        const double x = grid_x(i), y = grid_y(i);
        vertex[i] = ut_vec3(x, y, depth(radius, x, y));
        if (i % COLUMNS + 1 < COLUMNS && i / COLUMNS + 1 < ROWS) {
            const int above = i + COLUMNS;
            const int two[6] = {i, i + 1, above, i + 1, above + 1, above};
            memcpy(triangle + 3 * triangles, two, sizeof two);
            triangles += 2;
        }
    }
    return lab_mesh(keep, POINTS, vertex, triangles, triangle);
}

static Lab bowl(double h, utShape shape, double mu, utVec3 at, int* ball)
{
    Lab lab = lab_open(h);
    utGeomDef geom = ut_geom_def(0, shape.kind, shape.size);
    geom.shape = shape;
    geom.friction = mu;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    *ball = lab_ball(&lab, at, BALL, M, mu);
    lab_start(&lab);
    return lab;
}

// A pendulum with the amplitude A / D is slower than a small one by (A / D)^2 / 16.
//
// On a face the pull along x is that of its middle, so off by s^2 edge / 2 at most. While the ball
// crosses many faces this goes to and fro; where it turns back, at A, it stays on one for
// 2 sqrt(2 edge / (s^2 A)), which leaves edge sqrt(2 edge / A) as an error of phase, in m. So does
// half of it where it begins.
//
// Faces ahead that the step may reach have rows of their own, so that slopes count where the step
// ends: at worst as for implicit Euler, which loses s h / 2 of the amplitude a radian and is ahead
// or behind by a step.
static void expect_component(Trial* t, double got, double A, double s, double h, int n, int turns)
{
    const double faces = (turns + 0.5) * EDGE * sqrt(2.0 * EDGE / A), want = swung(A, s, h, n);
    EXPECT(t, got, want, faces + A * s * h + fabs(want) * s * h / 2.0 * s * h * n);
}

static void expect_swings(Trial* t, bool triangles, double mu, double k)
{
    if (left_out(t)) {
        return;
    }
    const double h = 1.5e-3, radius = BOWL * t->length, D = BOWL - BALL, A = 0.045, heading = 0.3;
    const double s = sqrt(G / ((1.0 + k) * D)) * (1.0 - A * A / (D * D) / 16.0);
    const double x = A * cos(heading), y = A * sin(heading);
    const int quarter = (int)(0.5 * PI / (s * h) + 0.5);
    utArena keep = test_arena();
    const utShape shape =
        triangles ? bowl_of_triangles(&keep, radius) : bowl_of_heights(&keep, radius);
    int ball;
    Lab lab = bowl(h, shape, mu, ut_vec3(x, y, depth(radius - BALL, x, y) + BALL), &ball);
    // to the other side, where it turns back, and to the middle
    for (int q = 2; q <= 3; q++) {
        lab_steps(&lab, q == 2 ? 2 * quarter : quarter, NULL, NULL);
        const utVec3 at = ut_sim_body(lab.sim, ball).com;
        expect_component(t, at.x, x, s, h, q * quarter, 1);
        expect_component(t, at.y, y, s, h, q * quarter, 1);
    }
    lab_end(&lab);
}

CLOSED_FORM(a_ball_rolls_to_and_fro_in_a_bowl, OFF_LENGTH)
{
    expect_swings(t, false, 1.0, 0.4);
}

CLOSED_FORM(a_ball_slides_to_and_fro_in_a_bowl, OFF_LENGTH)
{
    expect_swings(t, true, 0.0, 0.0);
}

// ---- a ball on a ball ---------------------------------------------------------------------------

// A ball on top of a fixed one, D apart. @param tilt of the line of their centres, along x and y
static Lab on_top(double h, double below, double above, double mu, double x, double y, int* ball)
{
    const double D = below + above;
    Lab lab = lab_open(h);
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_SPHERE, ut_vec3(below, 0, 0));
    geom.friction = mu;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    const utVec3 at = ut_vec3(D * x, D * y, D * sqrt(1.0 - x * x - y * y));
    *ball = lab_ball(&lab, at, above, M, mu);
    lab_start(&lab);
    return lab;
}

// The tilt grows by 5/7 g / D. What is not linear is x^2 of it.
CLOSED_FORM(a_ball_begins_to_roll_off_a_ball, OFF_LENGTH)
{
    enum { STEPS = 600 };
    const double h = 1e-3, below = 0.3, above = 0.1, D = below + above, x0 = 1e-4, y0 = -7e-5;
    int ball;
    Lab lab = on_top(h, below * t->length, above, 1.0, x0, y0, &ball);
    lab_steps(&lab, STEPS, NULL, NULL);
    const utVec3 at = ut_sim_body(lab.sim, ball).com;
    const double s = sqrt(5.0 / 7.0 * G / D);
    const double x = grown(x0, s, h, STEPS), y = grown(y0, s, h, STEPS);
    const double bound = D * 4.0 * pow(x, 3) + left_by(&lab, h * G) * h * STEPS * x / x0;
    EXPECT(t, at.x, D * x, bound);
    EXPECT(t, at.y, D * y, bound);
    lab_end(&lab);
}

// Without friction it slides, v^2 = 2 g D (cos a0 - cos a), and leaves where its weight no longer
// holds it to the circle, m v^2 / D = m g cos a: at cos a = 2/3 cos a0, after the time
//
//     sqrt(D / 2 g) times the integral of 1 / sqrt(cos a0 - cos a)
static double time_to_leave(double D, double a0)
{
    // a = a0 + x^2 takes the root away; Simpson's rule
    enum { PARTS = 2000 };
    const double end = sqrt(acos(2.0 / 3.0 * cos(a0)) - a0);
    double sum = 0.0;
    for (int k = 0; k <= PARTS; k++) {
        const double x = end * k / PARTS, weight = k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0;
        const double f = x > 0.0 ? 2.0 * x / sqrt(cos(a0) - cos(a0 + x * x)) : 2.0 / sqrt(sin(a0));
        sum += weight * f;
    }
    return sqrt(0.5 * D / G) * sum * end / PARTS / 3.0;
}

// What moves at the rate g / D is off by e = g / D h T / 2 of itself, and it leaves at the end of a
// step. An impulse below 1e-6 of the weight's is none: the certificate lets it be.
CLOSED_FORM(a_ball_slides_off_a_ball_and_leaves_it, OFF_LENGTH)
{
    const double h = 2e-4, below = 0.3, above = 0.1, D = below + above, a0 = 0.3;
    int ball;
    Lab lab = on_top(h, below * t->length, above, 0.0, sin(a0), 0.0, &ball);
    utStepResult result;
    utVec3 at;
    do {
        at = ut_sim_body(lab.sim, ball).com;
        lab_steps(&lab, 1, NULL, &result);
    } while (lab.steps < 5000 && lab_between(&lab, &result.report, 0, ball).z > 1e-6 * M * G * h);
    const double T = time_to_leave(D, a0), e = 0.5 * G / D * h * T;
    EXPECT(t, ut_sim_time(lab.sim), T, e * T + h);
    EXPECT(t, at.z / ut_vec3_norm(at), 2.0 / 3.0 * cos(a0), e + sqrt(G / D) * h);
    lab_end(&lab);
}
