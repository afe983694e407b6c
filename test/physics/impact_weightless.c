// SPDX-License-Identifier: Apache-2.0
// Impacts without gravity, after which nothing moves at the contact: there is neither a weight nor
// a velocity left to measure errors by.
#include "impact_lab.h"

static const double H = 1e-3;

// A ball of 1 kg with 1 m/s meets one of m = 2 kg with e = 0: both go on with 1 / (1 + m).
CLOSED_FORM(collisions_without_restitution_and_gravity_leave_one_speed, OFF_MASS)
{
    const double m = 2.0, after = 1.0 / (1.0 + m);
    const int laws = UT_IMPACT_LAW_COUNT * UT_SIMULTANEOUS_COUNT;
    for (int k = 0; k < 2 * laws; k++) {
        Lab lab = impact_open(UT_FORMULATION_MIRTICH, H, 0.1);
        lab.options.gravity = ut_vec3_zero();
        lab.options.detection = k % 2 == 0 ? UT_DETECTION_LOCATED : UT_DETECTION_STEP;
        lab.options.impact = k / 2 % UT_IMPACT_LAW_COUNT;
        lab.options.simultaneous = k / 2 / UT_IMPACT_LAW_COUNT;
        impact_ball(&lab, ut_vec3(-0.2 - 1.37 * H, 0, 0), 0.1, 1.0, 0.5, 0.0);
        impact_ball(&lab, ut_vec3_zero(), 0.1, m * t->mass, 0.5, 0.0);
        lab_start(&lab);
        lab_velocity(&lab, 0, 1.0);
        utStepResult result;
        const utStepReport* instant = impact_await(&lab, 3, &result);
        EXPECT(t, instant != NULL, true, 0.0);
        if (instant != NULL) {
            EXPECT(t, instant->contact[0].state, UT_CONTACT_IMPACT, 0.0);
            EXPECT(t, instant->contact[0].u_n_before, -1.0, EXACT);
        }
        lab_steps(&lab, 10, NULL, NULL);
        EXPECT(t, ut_sim_v(lab.sim)[0], after, EXACT);
        EXPECT(t, ut_sim_v(lab.sim)[6], after, EXACT);
        lab_end(&lab);
    }
}

// A box of 1 kg that comes straight down with 2 m/s on the top of a fixed ball, a = 0.05 m off its
// middle and b = 0.1 m below it, sticks there: what it has of momentum about the contact, m v a,
// stays, so that it turns with w = m v a / (I + m (a^2 + b^2)).
CLOSED_FORM(a_box_that_sticks_where_it_lands_keeps_its_momentum_about_that_point, OFF_LENGTH)
{
    static const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH,
                                                 UT_FORMULATION_STEWART_TRINKLE,
                                                 UT_FORMULATION_COULOMB};
    const double a = 0.05, b = 0.1, v = 2.0, I = 2.0 * b * b / 3.0;
    const double w = v * a / (I + a * a + b * b);
    for (int k = 0; k < 4; k++) {
        Lab lab = impact_open(formulations[k], H, 0.1);
        lab.options.gravity = ut_vec3_zero();
        utGeomDef ball = ut_geom_def(0, UT_SHAPE_SPHERE, ut_vec3(0.02, 0, 0));
        ball.pos = ut_vec3(a * t->length, 0, -0.02);
        CHECK(ut_model_def_geom(lab.def, &ball) >= 0);
        lab_box(&lab, ut_vec3(0, 0, b), ut_vec3(b, b, b), 1.0, 1.0);
        lab_start(&lab);
        lab_velocity(&lab, 2, -v);
        utStepResult result;
        lab_step(&lab, NULL, &result);
        const double* after = ut_sim_v(lab.sim);
        EXPECT(t, after[4], -w, EXACT);
        EXPECT(t, after[0], -w * b, EXACT);
        EXPECT(t, after[2], -w * a, EXACT);
        EXPECT(t, result.report.contact[0].state, k == 1 ? UT_CONTACT_IMPACT : UT_CONTACT_STICK,
               0.0);
        lab_end(&lab);
    }
}
