// SPDX-License-Identifier: Apache-2.0
// The same scene by every formulation: a box pushed along a direction that all polygons share, and
// along one that none of them has.
#include "closed_form.h"

static const double H = 0.002;

static Lab box_by(const Trial* t, utFormulation formulation, int directions, int* box)
{
    Lab lab = lab_open(H);
    lab.options.formulation = formulation;
    lab.options.directions = directions;
    lab_floor(&lab, 0.5 * t->mu);
    *box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0 * t->mass, 0.5 * t->mu);
    lab_start(&lab);
    return lab;
}

CLOSED_FORM(every_formulation_slides_alike_along_a_shared_direction, OFF_MU | OFF_MASS)
{
    static const utFormulation names[] = {UT_FORMULATION_COULOMB, UT_FORMULATION_STEWART_TRINKLE,
                                          UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                          UT_FORMULATION_ANITESCU_POTRA, UT_FORMULATION_PEIRET};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        int box;
        Lab lab = box_by(t, names[k], 8, &box);
        lab_push(&lab, 40, box, ut_vec3(1.2 * 0.5 * 2.0 * G, 0, 0), NULL);
        EXPECT(t, ut_sim_body(lab.sim, box).velocity.x, 0.2 * 0.5 * G * 40 * H, left_of(0.1, 40));
        lab_end(&lab);
    }
}

// Between two directions of a square the polygons differ from the circle: inscribed ones hold
// cos(pi/4) of it, circumscribed ones 1 / cos(pi/4). Above that the box goes along the push: the
// friction is the middle of an edge, or a corner.
CLOSED_FORM(polygons_hold_less_or_more_between_their_directions, OFF_MU | OFF_MASS)
{
    const struct {
        utFormulation name;
        double holds;
    } cases[] = {{UT_FORMULATION_COULOMB, 1.0},
                 {UT_FORMULATION_STEWART_TRINKLE, sqrt(0.5)},
                 {UT_FORMULATION_PEIRET, sqrt(2.0)}};
    for (int k = 0; k < 6; k++) {
        const double limit = cases[k / 2].holds * 0.5 * G; // over the mass
        const double force = (k % 2 == 1 ? 1.005 : 0.995) * limit * 2.0 * sqrt(0.5);
        int box;
        Lab lab = box_by(t, cases[k / 2].name, 4, &box);
        lab_push(&lab, 25, box, ut_vec3(force, force, 0), NULL);
        const double v = k % 2 == 1 ? 0.005 * limit * 25 * H * sqrt(0.5) : 0.0;
        const utVec3 velocity = ut_sim_body(lab.sim, box).velocity;
        EXPECT(t, velocity.x, v, left_of(H * G, 25));
        EXPECT(t, velocity.y, v, left_of(H * G, 25));
        lab_end(&lab);
    }
}
