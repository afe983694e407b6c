// Housner's block: a slender rectangle that rocks from one corner to the other.
//
// Half as wide as b and half as high as a, R^2 = a^2 + b^2, sin(alpha) = b/R. It turns with w about
// the corner O until the other one, O', comes down. The impulse acts at O' alone, without slip and
// without restitution, and O is free to lift: so says the law where u_n is positive at O after it,
// which is where w' > 0. The angular momentum about O' stays,
//
//     I w' = (I - 2 m b^2) w,  I = 4/3 m R^2:    w' = (1 - 3/2 sin^2 alpha) w.
//
// It does not slide while m a (w - w') <= mu m b (w + w'): mu of 0.19 does for these.
#include "impact_lab.h"

static const double B = 0.1, A = 0.4;

static Lab block(const Trial* t, const char* formulation, bool planar, double h, utVec3 pos,
                 utQuat quat)
{
    Lab lab = impact_open(formulation, h, 0.1);
    lab.options.planar = planar ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    lab_floor(&lab, 0.6);
    utBodyDef def = ut_body_def();
    def.pos = pos;
    def.quat = quat;
    const int body = ut_model_def_body(lab.def, &def);
    lab_free(&lab, body);
    lab_geom(&lab, body, UT_SHAPE_BOX, ut_vec3(B * t->length, 0.15, A), 5.0, 0.6);
    return lab;
}

static double ratio(void)
{
    const double sine = B * B / (A * A + B * B);
    return 1.0 - 1.5 * sine;
}

static const char* const STEADY[] = {"coulomb", "hybrid"};

// The impact by itself: upright, with the velocity of a turn about O, weightless.
CLOSED_FORM(a_rocking_block_keeps_what_housner_says_of_its_turning, OFF_LENGTH)
{
    for (int k = 0; k < 4; k++) {
        const bool planar = k < 2;
        Lab lab = block(t, STEADY[k % 2], planar, 0.001, ut_vec3(0, 0, A), ut_quat_identity());
        lab.options.gravity = ut_vec3_zero();
        lab_start(&lab);
        const double w = 0.8, r = ratio();
        // about +y, which the plane counts as negative: v = w y x (b, 0, a)
        const double flat[3] = {w * A, -w * B, -w}, space[6] = {w * A, 0, -w * B, 0, w, 0};
        lab_state(&lab, NULL, planar ? flat : space);
        lab_step(&lab, NULL, NULL);
        const utBodyState s = ut_sim_body(lab.sim, 1);
        EXPECT(t, s.angular.y, r * w, EXACT);
        EXPECT(t, s.velocity.x, r * w * A, EXACT);
        EXPECT(t, s.velocity.z, r * w * B, EXACT);
        lab_end(&lab);
    }
}

// From rest at the tilt p0 to the next rest on the other corner at p1, by the height of the middle,
// R cos(alpha - p): what is gained on the way down, times r^2, is what there is for the way up.
//
// Steps of contacts are of the first order: velocities of their end are taken for all of the step,
// which leaves (w/2) h m g R sin(alpha) of the energy at each passage, and the corner is met within
// a step, with w h of an angle. With dE = m g R sin(alpha - p) dp that is 3 w h of p1 for p1 up to
// a third of alpha.
CLOSED_FORM(a_rocking_block_comes_up_as_high_as_housner_says, OFF_LENGTH)
{
    const double R = sqrt(A * A + B * B), alpha = atan2(B, A), p0 = 0.1, r = ratio();
    const double fall = cos(alpha - p0) - cos(alpha);
    const double p1 = alpha - acos(cos(alpha) + r * r * fall);
    const double w = sqrt(1.5 * G / R * fall), h = 2e-4;
    for (int k = 0; k < 2; k++) {
        // tilted about the left corner, which stays at -B
        const utVec3 pos = {R * sin(alpha - p0) - B, 0, R * cos(alpha - p0)};
        Lab lab = block(t, STEADY[k], true, h, ut_vec3(0, 0, A), ut_quat_identity());
        lab_start(&lab);
        const double q[3] = {pos.x, pos.z, p0};
        lab_state(&lab, q, NULL);
        // down, over the impact, up until it turns back
        double least = p0;
        for (int n = 0; n < 10000 && ut_sim_q(lab.sim)[2] <= least + 1e-12; n++) {
            least = fmin(least, ut_sim_q(lab.sim)[2]);
            lab_step(&lab, NULL, NULL);
        }
        EXPECT(t, -least, p1, 3.0 * w * h);
        if (!t->off) {
            test_note("%s: %.6f rad, Housner %.6f", STEADY[k], -least, p1);
        }
        lab_end(&lab);
    }
}
