// SPDX-License-Identifier: Apache-2.0
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
#include "solids.h"

static const double B = 0.1, A = 0.4;

static Lab block(const Trial* t, utFormulation formulation, bool planar, double h)
{
    Lab lab = impact_open(formulation, h, 0.1);
    lab.options.planar = planar ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    lab_floor(&lab, 0.6);
    lab_form(&lab, UT_SHAPE_BOX, ut_vec3(B * t->length, 0.15, A), ut_vec3(0, 0, A),
             ut_quat_identity(), 5.0, 0.6);
    return lab;
}

static double ratio(void)
{
    const double sine = B * B / (A * A + B * B);
    return 1.0 - 1.5 * sine;
}

static const utFormulation STEADY[] = {UT_FORMULATION_COULOMB, UT_FORMULATION_HYBRID};

// The impact by itself: upright, with the velocity of a turn about O, weightless.
CLOSED_FORM(a_rocking_block_keeps_what_housner_says_of_its_turning, OFF_LENGTH)
{
    for (int k = 0; k < 4; k++) {
        const bool planar = k < 2;
        Lab lab = block(t, STEADY[k % 2], planar, 0.001);
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
// Steps of contacts are of the first order. Their velocity is that of their end, half a step of
// gravity too much, on the way down and on the way up, and the corner is met within two steps, the
// one that closes the gap and the next, in which gravity may turn the block about the wrong corner:
// three steps of m g b h in the momentum I w' together. With I w' dw' = m g R sin(alpha - p) dp
// that is 3 w' h sin(alpha)/sin(alpha - p1) of p1.
CLOSED_FORM(a_rocking_block_comes_up_as_high_as_housner_says, OFF_LENGTH)
{
    if (left_out(t)) {
        return;
    }
    const double R = sqrt(A * A + B * B), alpha = atan2(B, A), p0 = 0.1, r = ratio();
    const double fall = cos(alpha - p0) - cos(alpha);
    const double p1 = alpha - acos(cos(alpha) + r * r * fall);
    const double w = r * sqrt(1.5 * G / R * fall), h = 5e-5;
    const double bound = 3.0 * w * h * sin(alpha) / sin(alpha - p1);
    for (int k = 0; k < 2; k++) {
        // tilted about its left corner, which is at the origin
        const double b = B * t->length, x = b * cos(p0) - A * sin(p0);
        Lab lab = block(t, STEADY[k], true, h);
        lab_start(&lab);
        const double q[3] = {x, b * sin(p0) + A * cos(p0), p0};
        lab_state(&lab, q, NULL);
        // down, over the impact, up until it turns back
        double least = p0;
        for (int n = 0; n < 20000 && ut_sim_q(lab.sim)[2] <= least; n++) {
            least = fmin(least, ut_sim_q(lab.sim)[2]);
            lab_step(&lab, NULL, NULL);
        }
        EXPECT(t, -least, p1, bound);
        if (!t->off) {
            test_note("%s: %.6f rad, Housner %.6f within %.1e", ut_formulation_name(STEADY[k]),
                      -least, p1, bound);
        }
        lab_end(&lab);
    }
}
