// The same scene by every formulation: a box pushed along a direction that all polygons share.
#include "lab.h"

static const double G = 9.81;

TEST(every_formulation_slides_alike_along_a_shared_direction)
{
    static const char* const names[] = {"coulomb", "stewart-trinkle", "stewart-trinkle-velocity",
                                        "anitescu-potra", "peiret"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        Lab lab = lab_open(0.002);
        lab.options.formulation = names[k];
        lab_floor(&lab, 0.5);
        const int box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0, 0.5);
        lab_start(&lab);
        lab_run(&lab, 100, box, ut_vec3(1.2 * 0.5 * 2.0 * G, 0, 0));
        CHECK_NEAR(ut_sim_body(lab.sim, box).velocity.x, 0.2 * 0.5 * G * 0.2, 1e-7);
        lab_certified(&lab);
        lab_close(&lab);
    }
}

// Between two directions of a square the polygons differ from the circle: inscribed ones hold
// cos(pi/4) of it, circumscribed ones 1 / cos(pi/4).
TEST(polygons_hold_less_or_more_between_their_directions)
{
    static const struct {
        const char* name;
        double holds;
    } cases[] = {{"coulomb", 1.0}, {"stewart-trinkle", 0.70710678}, {"peiret", 1.41421356}};
    for (size_t k = 0; k < 3; k++) {
        for (int over = 0; over < 2; over++) {
            Lab lab = lab_open(0.002);
            lab.options.formulation = cases[k].name;
            lab.options.directions = 4;
            lab_floor(&lab, 0.5);
            const int box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0, 0.5);
            lab_start(&lab);
            const double force = (over ? 1.01 : 0.99) * cases[k].holds * 0.5 * 2.0 * G;
            lab_run(&lab, 50, box, ut_vec3(force * sqrt(0.5), force * sqrt(0.5), 0));
            const double speed = ut_vec3_norm(ut_sim_body(lab.sim, box).velocity);
            CHECK(over ? speed > 1e-3 : speed < 1e-8);
            lab_certified(&lab);
            lab_close(&lab);
        }
    }
}
