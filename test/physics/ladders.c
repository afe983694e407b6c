// SPDX-License-Identifier: Apache-2.0
// A round rod of radius r leans on a wall, its foot away from it along x, s and c the sine and
// cosine of its angle to the floor. Its centre of mass is p above the foot and q below the head,
// along the axis. With A the angle's acceleration from rest, and while both ends touch and slip,
//
//     x: H - mu N = -m q s A,        z: N + nu H - m g = m p c A
//     moments: -I A = N (p c - (p s + r) mu) - H (q s + (q c + r) nu)
//
// N, mu at the floor, H, nu at the wall; the points of contact are r below the foot's middle and r
// beside the head's. It slips (A < 0) when mu is below p c / ((p + q) s + r + (q c + r) nu), and
// stands otherwise. One step from rest is exact: the rate is h A.
#include "closed_form.h"

static const double H = 0.002;
static const double RADIUS = 0.02;

typedef struct Ladder {
    double mass, I; // all of it, about the centre of mass
    double p, q;    // m
    double tangent; // of its angle
    double mu, nu;  // floor, wall
} Ladder;

// A thin rod, 2 m long and 5 kg.
static Ladder plain_ladder(double tangent, double mu, double nu)
{
    return (Ladder){5.0, 5.0 * 4.0 / 12.0, 1.0, 1.0, tangent, mu, nu};
}

// The friction at the floor below which it slips.
static double friction_needed(const Ladder* l)
{
    const double c = 1.0 / sqrt(1.0 + l->tangent * l->tangent), s = l->tangent * c;
    return l->p * c / ((l->p + l->q) * s + RADIUS + (l->q * c + RADIUS) * l->nu);
}

typedef struct Slip {
    double A, N, H; // rad/s^2, N
} Slip;

// N = n0 + n1 A and H = h0 + h1 A by the first two equations, then A by the third
static Slip slip_of(const Ladder* l)
{
    const double c = 1.0 / sqrt(1.0 + l->tangent * l->tangent), s = l->tangent * c;
    const double m = l->mass, share = m / (1.0 + l->mu * l->nu);
    const double h0 = share * l->mu * G, h1 = share * (l->mu * l->p * c - l->q * s);
    const double n0 = m * G - l->nu * h0, n1 = m * l->p * c - l->nu * h1;
    const double arm_n = l->p * c - (l->p * s + RADIUS) * l->mu;
    const double arm_h = l->q * s + (l->q * c + RADIUS) * l->nu;
    const double A = -(n0 * arm_n - h0 * arm_h) / (l->I + n1 * arm_n - h1 * arm_h);
    return (Slip){A, n0 + n1 * A, h0 + h1 * A};
}

static Lab lean(const Ladder* l, int* rod, int* wall)
{
    const double c = 1.0 / sqrt(1.0 + l->tangent * l->tangent), s = l->tangent * c;
    const double half = 0.5 * (l->p + l->q);
    Lab lab = lab_open(H);
    lab_floor(&lab, l->mu);
    *wall = lab_plane(&lab, ut_vec3_zero(), ut_vec3(1, 0, 0), l->nu);
    // its axis z along (-c, 0, s), the middle of the axis is the body's origin
    const utVec3 middle = ut_vec3(half * c + RADIUS, 0, half * s + RADIUS);
    const utQuat quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), -ut_atan2(c, s));
    *rod = lab_solid(&lab, middle, quat, l->mass, ut_vec3(0, 0, l->p - half),
                     ut_vec3(l->I, l->I, 1e-3 * l->I));
    lab_free(&lab, *rod);
    // of two geoms the larger friction counts: the floor's, the wall's
    lab_geom(&lab, *rod, UT_SHAPE_CAPSULE, ut_vec3(RADIUS, half, 0), 1.0, 0.0);
    lab_start(&lab);
    return lab;
}

// What one step does to a ladder built as `made` must be what it does to `nominal`.
static void expect_step(Trial* t, const Ladder* made, const Ladder* nominal)
{
    const bool slips = nominal->mu < friction_needed(nominal);
    const double c = 1.0 / sqrt(1.0 + nominal->tangent * nominal->tangent);
    const double s = nominal->tangent * c;
    const Slip slip = slips ? slip_of(nominal) : (Slip){0};
    int rod, wall;
    Lab lab = lean(made, &rod, &wall);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    const utBodyState state = ut_sim_body(lab.sim, rod);
    const double bound = left_of(H * G, 1);
    EXPECT(t, state.angular.y, H * slip.A, bound);
    EXPECT(t, state.velocity.x, -nominal->q * s * H * slip.A, bound);
    EXPECT(t, state.velocity.z, nominal->p * c * H * slip.A, bound);
    if (slips) {
        EXPECT(t, lab_from(&result.report, wall).x, H * slip.H, nominal->mass * bound);
        EXPECT(t, lab_from(&result.report, 0).z, H * slip.N, nominal->mass * bound);
    }
    lab_end(&lab);
}

// Half a per cent below and above the friction that it needs.
static void expect_limit(Trial* t, const Ladder* made, const Ladder* nominal)
{
    for (int over = 0; over < 2; over++) {
        Ladder m = *made, n = *nominal;
        n.mu = (over ? 1.005 : 0.995) * friction_needed(nominal);
        m.mu = n.mu * t->mu;
        expect_step(t, &m, &n);
    }
}

CLOSED_FORM(a_ladder_holds_down_to_its_angle, OFF_MU)
{
    for (int k = 0; k < 4; k++) {
        const Ladder ladder = plain_ladder(0.5 + 0.7 * k, 0.0, 0.0);
        expect_limit(t, &ladder, &ladder);
    }
}

CLOSED_FORM(a_rough_wall_helps_a_ladder, OFF_MU)
{
    for (int k = 0; k < 4; k++) {
        const Ladder ladder = plain_ladder(0.5 + 0.7 * k, 0.0, 0.3);
        expect_limit(t, &ladder, &ladder);
    }
}

// With half of the friction that it needs; on a smooth and on a rough wall.
CLOSED_FORM(a_slipping_ladder_falls_as_it_should, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    for (int rough = 0; rough < 2; rough++) {
        const double f = t->length;
        const Ladder nominal = plain_ladder(1.2, 0.2, 0.25 * rough);
        Ladder made = nominal;
        made.mu *= t->mu;
        made.mass *= t->mass;
        made.I *= t->mass * f * f;
        made.p *= f;
        made.q *= f;
        expect_step(t, &made, &nominal);
    }
}

// At rest on a smooth wall: N = m g, and H = m g p c / ((p + q) s + r) at wall and floor. The
// length that is off is the ladder's below its centre of mass.
CLOSED_FORM(a_resting_ladder_presses_as_it_should, OFF_MASS | OFF_LENGTH)
{
    const Ladder nominal = plain_ladder(1.5, 0.6, 0.0);
    Ladder made = nominal;
    made.mass *= t->mass;
    made.p *= t->length;
    const double c = 1.0 / sqrt(1.0 + 1.5 * 1.5), s = 1.5 * c;
    int rod, wall;
    Lab lab = lean(&made, &rod, &wall);
    utStepResult result;
    lab_steps(&lab, 10, NULL, &result);
    const double weight = nominal.mass * G * H, bound = nominal.mass * left_of(H * G, 10);
    const double push = weight * nominal.p * c / ((nominal.p + nominal.q) * s + RADIUS);
    EXPECT(t, lab_from(&result.report, wall).x, push, bound);
    EXPECT(t, lab_from(&result.report, 0).x, -push, bound);
    EXPECT(t, lab_from(&result.report, 0).z, weight, bound);
    lab_end(&lab);
}

// Someone of 70 kg stands on it, `up` from the foot: a point that moves the centre of mass.
static Ladder climbed(double person, double up)
{
    const double rod = 10.0, half = 2.0;
    const double p = (rod * half + person * up) / (rod + person);
    const double I =
        rod * (half * half / 3.0 + (half - p) * (half - p)) + person * (up - p) * (up - p);
    return (Ladder){rod + person, I, p, 2.0 * half - p, 1.8, 0.0, 0.0};
}

CLOSED_FORM(a_ladder_slips_when_climbed_too_high, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Ladder nominal = climbed(70.0, 3.0);
    const Ladder made = climbed(70.0 * t->mass, 3.0 * t->length);
    expect_limit(t, &made, &nominal);
}
