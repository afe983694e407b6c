// SPDX-License-Identifier: Apache-2.0
// A rod on its tip, in the plane of x and z, after Painlevé. The rod leans toward +x, its tip is at
// (-X, -Z) from the centre of mass: X = l cos, Z = l sin + r for a round tip. Of impulses n (up)
// and f (along x) the tip's velocity gets
//
//     u_n: n K_nn - f K_nt,    u_f: f K_ff - n K_nt
//     K_nn = 1/m + X^2/I,    K_ff = 1/m + Z^2/I,    K_nt = X Z/I
//
// A tip that slides toward -x has f = mu n, so that u_n gets n (K_nn - mu K_nt): beyond
// mu = K_nn / K_nt a force up would press the tip down, and no acceleration obeys the law. A step
// of velocities can always be solved: the tip stops within it. One step from a given state is exact
// and compared by its impulses.
#include <stdio.h>
#include <uptack/scenes.h>

#include "closed_form.h"

static const double H = 0.001;
static const double MASS = 1.5;
static const double HALF = 0.5;
static const double TIP = 0.01;

typedef struct Rod {
    double mass, half, angle;
    double X, Z, I;
    double Knn, Kff, Knt;
} Rod;

// thin: I = m l^2 / 3
static Rod rod_of(double mass, double half, double angle, double tip)
{
    const double X = half * cos(angle), Z = half * sin(angle) + tip;
    const double I = mass * half * half / 3.0;
    const double Knn = 1.0 / mass + X * X / I, Kff = 1.0 / mass + Z * Z / I;
    return (Rod){mass, half, angle, X, Z, I, Knn, Kff, X * Z / I};
}

// A fall of h g and a slip of `slip` along x before the step: its impulses n and f, by each of the
// three ways in which the tip can go on.
typedef struct Impulse {
    double n, f;
} Impulse;

// u_n = 0 and f = sign mu n, sign against the slip
static Impulse while_slipping(const Rod* rod, double mu, double sign)
{
    const double n = H * G / (rod->Knn - sign * mu * rod->Knt);
    return (Impulse){n, sign * mu * n};
}

// u_n = u_f = 0
static Impulse by_sticking(const Rod* rod, double slip)
{
    const double det = rod->Knn * rod->Kff - rod->Knt * rod->Knt;
    return (Impulse){(rod->Kff * H * G - rod->Knt * slip) / det,
                     (rod->Knt * H * G - rod->Knn * slip) / det};
}

// The rod that the trial builds, one step after its centre moves at `slip` along x.
static void expect_impulse(Trial* t, const Rod* rod, double mu, double slip, Impulse want)
{
    const double half = rod->half * t->length, mass = rod->mass * t->mass;
    const double I = mass * half * half / 3.0;
    Lab lab = lab_open(H);
    lab_floor(&lab, mu * t->mu);
    const utVec3 pos = ut_vec3(0, 0, half * sin(rod->angle) + TIP);
    const utQuat quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), PI / 2.0 - rod->angle);
    const int body = lab_solid(&lab, pos, quat, mass, ut_vec3_zero(), ut_vec3(I, I, 0.01 * I));
    lab_free(&lab, body);
    utGeomDef tip = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(TIP, 0, 0));
    tip.pos = ut_vec3(0, 0, -half);
    tip.friction = mu * t->mu;
    CHECK(ut_model_def_geom(lab.def, &tip) >= 0);
    lab_start(&lab);
    const double v[6] = {slip};
    lab_state(&lab, NULL, v);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    const utVec3 r = lab_from(&result.report, 0);
    // an error of u_n comes back over K_nn - mu K_nt, which is half a per cent of K_nn at least
    const double bound = 200.0 / rod->Knn * 1e-8 * fmax(fabs(slip), H * G);
    EXPECT(t, r.z, want.n, bound);
    EXPECT(t, r.x, want.f, bound);
    const utBodyState state = ut_sim_body(lab.sim, body);
    const double turn = (rod->X * want.n - rod->Z * want.f) / rod->I;
    EXPECT(t, state.velocity.x, slip + want.f / rod->mass, bound / rod->mass);
    EXPECT(t, state.velocity.z, want.n / rod->mass - H * G, bound / rod->mass);
    EXPECT(t, state.angular.y, turn, bound * rod->half / rod->I);
    lab_end(&lab);
}

static Rod nominal_rod(double angle)
{
    return rod_of(MASS, HALF, angle, TIP);
}

// Behind its tip's motion there is nothing special: friction takes load off the tip.
CLOSED_FORM(a_rod_that_trails_is_pressed_less, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rod rod = nominal_rod(1.0);
    expect_impulse(t, &rod, 0.8, 0.5, while_slipping(&rod, 0.8, -1.0));
}

// Ahead of it friction turns the rod into the floor.
CLOSED_FORM(a_rod_pushed_ahead_of_itself_is_pressed_more, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rod rod = nominal_rod(1.0);
    expect_impulse(t, &rod, 0.8, -0.5, while_slipping(&rod, 0.8, 1.0));
}

// At K_nn / K_nt: half a per cent below it slips on under 200 times the impulse, half a per cent
// above it is brought to rest within the step, an impact without a collision.
CLOSED_FORM(a_rod_jams_beyond_the_critical_friction, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rod rod = nominal_rod(atan(2.0));
    const double critical = rod.Knn / rod.Knt, speed = 6.0;
    Impulse want = while_slipping(&rod, 0.995 * critical, 1.0);
    CHECK(-speed + want.f * rod.Kff - want.n * rod.Knt < 0.0); // it slips on indeed
    expect_impulse(t, &rod, 0.995 * critical, -speed, want);
    want = by_sticking(&rod, -speed);
    CHECK(want.f <= 1.005 * critical * want.n); // it may stick
    expect_impulse(t, &rod, 1.005 * critical, -speed, want);
}

// Far beyond the critical friction, at several angles: always the impulse that stops the tip.
CLOSED_FORM(a_jammed_rod_stops_by_an_impulse, OFF_MASS | OFF_LENGTH)
{
    for (int k = 0; k < 5; k++) {
        const Rod rod = nominal_rod(0.9 + 0.1 * k);
        const Impulse want = by_sticking(&rod, -1.0);
        CHECK(rod.Knn < 2.5 * rod.Knt && want.n > 0.0 && fabs(want.f) <= 2.5 * want.n);
        expect_impulse(t, &rod, 2.5, -1.0, want);
    }
}

// Let go at rest it falls about its tip when mu >= K_nt / K_ff; below that the tip slips away.
CLOSED_FORM(a_falling_rod_keeps_its_tip_while_it_can, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rod rod = nominal_rod(1.1);
    const double needed = rod.Knt / rod.Kff;
    expect_impulse(t, &rod, 1.005 * needed, 0.0, by_sticking(&rod, 0.0));
    expect_impulse(t, &rod, 0.995 * needed, 0.0, while_slipping(&rod, 0.995 * needed, 1.0));
}

// The scene of the command line, 1 kg, 1 m, a tip of 1 mm, 3 m/s: at 60 degrees with a friction
// below and one above its critical 1.34.
CLOSED_FORM(the_scene_painleve_begins_with_its_impulse, OFF_MU)
{
    static const double friction[] = {1.2, 2.0};
    for (int k = 0; k < 2; k++) {
        const Rod rod = rod_of(1.0, 0.5, 60.0 * PI / 180.0, 0.001);
        const double mu = friction[k] * t->mu;
        char name[64];
        snprintf(name, sizeof name, "painleve:60:%.17g", mu);
        utError err;
        Lab lab = lab_open(H);
        CHECK_INT(ut_scene_build(name, lab.def, &err), UT_OK);
        CHECK_INT(ut_model_compile(lab.def, NULL, &lab.model, &err), UT_OK);
        CHECK_INT(ut_sim_create(lab.model, NULL, &lab.sim, &err), UT_OK);
        CHECK_INT(ut_sim_reset(lab.sim, 0, &err), UT_OK);
        utStepResult result;
        lab_steps(&lab, 1, NULL, &result);
        const bool slips = friction[k] * rod.Knt < rod.Knn;
        const Impulse want =
            slips ? while_slipping(&rod, friction[k], 1.0) : by_sticking(&rod, -3.0);
        const utVec3 r = lab_from(&result.report, 0);
        EXPECT(t, r.z, want.n, 200.0 / rod.Knn * 3e-8);
        EXPECT(t, r.x, want.f, 200.0 / rod.Knn * 3e-8);
        lab_end(&lab);
    }
}
