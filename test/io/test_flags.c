// SPDX-License-Identifier: Apache-2.0
// Flags of option that switch parts of the physics off.
#include "load.h"

#include <stdio.h>
#include <string.h>

// A hinge with everything that flags switch off, and a chain of three bodies that overlap.
static utModel* read_with(const char* option)
{
    char text[2048];
    snprintf(text, sizeof text,
             "%s<worldbody><body><joint name='j' range='-90 90' stiffness='3' damping='2' "
             "frictionloss='1'/><geom size='0.1'/>"
             "<body><joint axis='1 0 0'/><geom size='0.1'/>"
             "<body><joint axis='1 0 0'/><geom size='0.1'/></body></body></body>"
             "<body name='b' pos='5 0 0'><freejoint/><geom size='0.1'/></body></worldbody>"
             "<equality><weld body1='b'/></equality>"
             "<actuator><motor name='m' joint='j' ctrlrange='-1 1' group='2'/>"
             "<position name='p' joint='j' kp='7'/>"
             "<intvelocity name='i' joint='j' kp='7' actrange='-1 1'/></actuator>",
             option);
    return read_model(text, NULL);
}

static int pairs(const utModel* model)
{
    int count = 0;
    for (int i = 0; i < model->ngeom; i++) {
        for (int k = i + 1; k < model->ngeom; k++) {
            count += ut_model_collides(model, i, k);
        }
    }
    return count;
}

static bool pulls(const utModelActuator* a)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += a->gain[i] * a->gain[i] + a->bias[i] * a->bias[i];
    }
    return sum > 0.0;
}

// Compare what is on with `want`: limit, spring, damper, dry friction, weld, clamped control, the three
// actuators (their sum), gravity, and the number of pairs of geoms.
static void check_flags(const char* option, const int want[9])
{
    utModel* model = read_with(option);
    if (model == NULL) {
        return;
    }
    const utModelJoint* j = &model->joint[0];
    const int got[9] = {
        j->limited,
        j->stiffness > 0.0,
        j->damping > 0.0,
        j->frictionloss > 0.0,
        model->equality[0].active,
        model->actuator[0].ctrl_limited,
        pulls(&model->actuator[0]) + pulls(&model->actuator[1]) + pulls(&model->actuator[2]),
        model->options.gravity.z != 0.0,
        pairs(model),
    };
    for (int i = 0; i < 9; i++) {
        if (!CHECK_INT(got[i], want[i])) {
            test_note("entry %d of %s", i, option);
        }
    }
    CHECK_INT(model->na, 1);
    ut_model_destroy(model);
}

// Of the geoms of the chain, the first and the last may collide; the fourth geom may touch each of them.
// By the definition of each flag:
TEST(flags_switch_off_what_they_name)
{
    check_flags("", (const int[9]){1, 1, 1, 1, 1, 1, 3, 1, 4});
    check_flags("<option><flag limit='disable'/></option>",
                (const int[9]){0, 1, 1, 1, 1, 1, 3, 1, 4});
    check_flags("<option><flag spring='disable'/></option>",
                (const int[9]){1, 0, 1, 1, 1, 1, 3, 1, 4});
    check_flags("<option><flag damper='disable'/></option>",
                (const int[9]){1, 1, 0, 1, 1, 1, 3, 1, 4});
    check_flags("<option><flag passive='disable'/></option>",
                (const int[9]){1, 0, 0, 1, 1, 1, 3, 1, 4});
    check_flags("<option><flag frictionloss='disable'/></option>",
                (const int[9]){1, 1, 1, 0, 1, 1, 3, 1, 4});
    check_flags("<option><flag equality='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 0, 1, 3, 1, 4});
    check_flags("<option><flag clampctrl='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 1, 0, 3, 1, 4});
    check_flags("<option><flag actuation='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 1, 1, 0, 1, 4});
    check_flags("<option><flag gravity='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 1, 1, 3, 0, 4});
    check_flags("<option><flag contact='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 1, 1, 3, 1, 0});
    check_flags("<option><flag constraint='disable'/></option>",
                (const int[9]){0, 1, 1, 0, 0, 1, 3, 1, 0});
}

// MuJoCo 3.14.0 finds 1 contact in a chain of three overlapping spheres, and 3 without filterparent.
TEST(without_filterparent_bodies_touch_their_parents)
{
    check_flags("<option><flag filterparent='disable'/></option>",
                (const int[9]){1, 1, 1, 1, 1, 1, 3, 1, 6});
}

TEST(actuators_of_disabled_groups_do_not_pull)
{
    check_flags("<option actuatorgroupdisable='2 5'/>", (const int[9]){1, 1, 1, 1, 1, 1, 2, 1, 4});
    check_flags("<option actuatorgroupdisable='0'/>", (const int[9]){1, 1, 1, 1, 1, 1, 1, 1, 4});
    check_flags("<option actuatorgroupdisable='0'/><option actuatorgroupdisable='2'/>",
                (const int[9]){1, 1, 1, 1, 1, 1, 0, 1, 4});
}

TEST(the_last_of_several_flags_counts)
{
    check_flags("<option><flag limit='disable' spring='disable'/></option>"
                "<option><flag limit='enable'/></option>",
                (const int[9]){1, 0, 1, 1, 1, 1, 3, 1, 4});
}
