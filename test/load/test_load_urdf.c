// SPDX-License-Identifier: Apache-2.0
// Loading URDF: the format is found, the settings arrive, and links that overlap do not collide.
#include <string.h>
#include <uptack/load.h>
#include <uptack/sim.h>

#include "test.h"

#define BALL(name)                                                                       \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' " \
    "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.6'/>"    \
    "</geometry></collision></link>"
#define JOINT(parent, child, at)                                                   \
    "<joint name='" parent child "' type='continuous'><parent link='" parent "'/>" \
    "<child link='" child "'/><origin xyz='" at " 0 0'/><axis xyz='0 1 0'/></joint>"

// Balls of radius 0.6 at 0, 1, 1.1 and 3.1: a joint connects a and b, b and c, c and d; a and c overlap
// by 0.1, b and d do not.
static const char chain[] = "<robot name='chain'>" BALL("a") BALL("b") BALL("c") BALL("d")
    JOINT("a", "b", "1") JOINT("b", "c", "0.1") JOINT("c", "d", "2") "</robot>";

static utModel* load_chain(utLoadDef def, utNotes* notes)
{
    utModel* model = NULL;
    utError err;
    def.text = chain;
    def.size = strlen(chain);
    if (!CHECK(ut_load_with("chain.urdf", &def, &model, notes, &err) == UT_OK)) {
        test_note("%s", err.message);
    }
    return model;
}

TEST(links_that_overlap_where_a_robot_begins_do_not_collide)
{
    utNotes notes = {0};
    utModel* model = load_chain(ut_load_def(), &notes);
    if (model == NULL) {
        return;
    }
    CHECK(!ut_model_collides(model, 0, 1)); // a and b have a joint
    CHECK(!ut_model_collides(model, 0, 2)); // a and c overlap
    CHECK(ut_model_collides(model, 1, 3));
    CHECK(ut_model_collides(model, 0, 3));
    if (CHECK(notes.count > 0)) {
        const utNote* last = &notes.note[notes.count - 1];
        CHECK_TEXT(last->what, "pair of links");
        CHECK_INT(last->count, 1);
        CHECK(last->physics && !last->missing);
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    // a strict load leaves them alone
    utLoadDef def = ut_load_def();
    def.strict = true;
    model = load_chain(def, NULL);
    if (model != NULL) {
        CHECK(ut_model_collides(model, 0, 2));
    }
    ut_model_destroy(model);
}

TEST(settings_for_urdf_arrive)
{
    utLoadDef def = ut_load_def();
    def.floating = true;
    def.self_collision = false;
    utModel* model = load_chain(def, NULL);
    if (model != NULL) {
        CHECK_INT(model->nv, 9);
        CHECK(!ut_model_collides(model, 0, 3));
    }
    ut_model_destroy(model);
}
