// SPDX-License-Identifier: Apache-2.0
// Explicit contact pairs: they override masks, parents and excludes, and have a material of their own.
#include "build.h"

// Two links of a chain on a fixed post, with geoms that no mask lets collide, and a free ball. The
// geoms are described in another order than that of the bodies: ball 0, hand 1, arm 2, post 3, floor 4.
static utModelDef* masked_chain(void)
{
    utModelDef* def = new_def();
    const int post = add_body(def, 0, "post", ut_vec3_zero());
    const int arm = add_body(def, post, "arm", ut_vec3(0, 0, 1));
    const int hand = add_body(def, arm, "hand", ut_vec3(0, 0, 1));
    const int ball = add_body(def, 0, "ball", ut_vec3(3, 0, 0));
    add_joint(def, arm, UT_JOINT_HINGE, NULL);
    add_joint(def, hand, UT_JOINT_HINGE, NULL);
    add_joint(def, ball, UT_JOINT_FREE, NULL);
    const int bodies[] = {ball, hand, arm, post, 0};
    const char* const names[] = {"ball", "hand", "arm", "post", "floor"};
    for (int i = 0; i < 5; i++) {
        utGeomDef geom =
            ut_geom_def(bodies[i], i < 4 ? UT_SHAPE_SPHERE : UT_SHAPE_PLANE, ut_vec3(0.1, 0, 0));
        geom.name = names[i];
        geom.contype = geom.conaffinity = 0;
        geom.friction = 0.25;
        geom.restitution = 0.5;
        geom.margin = 0.01;
        ut_model_def_geom(def, &geom);
    }
    return def;
}

enum { BALL, HAND, ARM, POST, FLOOR };

static void add_pair(utModelDef* def, int geom1, int geom2)
{
    const utPairDef pair = ut_pair_def(geom1, geom2);
    CHECK(ut_model_def_pair(def, &pair) >= 0);
}

static bool meet(const utModel* model, const char* a, const char* b)
{
    const int i = ut_model_find_geom(model, a), j = ut_model_find_geom(model, b);
    CHECK(ut_model_collides(model, i, j) == ut_model_collides(model, j, i));
    CHECK(ut_model_find_pair(model, i, j) == ut_model_find_pair(model, j, i));
    return ut_model_collides(model, i, j);
}

// MuJoCo 3.14.0 gives contacts for such pairs too: of masked geoms, of a parent and its child, and of
// excluded bodies.
TEST(a_pair_overrides_masks_parents_and_excludes)
{
    utModel* without = compile(masked_chain());
    CHECK_INT(without->npair, 0);
    CHECK(!meet(without, "ball", "floor") && !meet(without, "arm", "hand"));
    ut_model_destroy(without);

    utModelDef* def = masked_chain();
    add_pair(def, FLOOR, BALL);
    add_pair(def, HAND, ARM);
    add_pair(def, BALL, HAND);
    add_pair(def, FLOOR, POST);                     // both fixed: there is nothing to move
    ut_model_def_exclude(def, 4, 3, (utOrigin){0}); // ball and hand
    utModel* model = compile(def);
    CHECK_INT(model->npair, 4);
    CHECK(meet(model, "ball", "floor"));
    CHECK(meet(model, "arm", "hand"));
    CHECK(meet(model, "ball", "hand"));
    CHECK(!meet(model, "floor", "post"));
    CHECK(!meet(model, "ball", "arm") && !meet(model, "hand", "floor"));
    for (int i = 0; i < model->npair; i++) {
        const utModelPair* pair = &model->pair[i];
        CHECK(pair->geom1 < pair->geom2);
        CHECK(ut_model_find_pair(model, pair->geom2, pair->geom1) == pair);
        if (i > 0) {
            CHECK(pair[-1].geom1 < pair->geom1 ||
                  (pair[-1].geom1 == pair->geom1 && pair[-1].geom2 < pair->geom2));
        }
    }
    ut_model_destroy(model);
}

TEST(a_pair_has_friction_margin_and_restitution_of_its_own)
{
    utModelDef* def = masked_chain();
    add_pair(def, FLOOR, BALL); // the defaults: 1, whatever the geoms say
    utPairDef pair = ut_pair_def(ARM, HAND);
    pair.friction[0] = 0.5;
    pair.friction[1] = 0.75;
    pair.kinetic = 0.25;
    pair.restitution = 0.0;
    pair.margin = 0.125;
    pair.gap = 0.5;
    ut_model_def_pair(def, &pair);
    pair = ut_pair_def(BALL, HAND);
    pair.condim = 1;
    pair.kinetic = 0.5;
    ut_model_def_pair(def, &pair);
    utModel* model = compile(def);
    const int ball = ut_model_find_geom(model, "ball"), floor = ut_model_find_geom(model, "floor");
    const int arm = ut_model_find_geom(model, "arm"), hand = ut_model_find_geom(model, "hand");
    CHECK_NEAR(ut_model_friction(model, ball, floor), 1.0, 0.0);
    CHECK_NEAR(ut_model_kinetic(model, ball, floor), 1.0, 0.0);
    CHECK_NEAR(ut_model_restitution(model, ball, floor), 0.5, 0.0); // that of the geoms
    CHECK_NEAR(ut_model_margin(model, ball, floor), 0.0, 0.0);
    // the larger one of two directions
    CHECK_NEAR(ut_model_friction(model, hand, arm), 0.75, 0.0);
    CHECK_NEAR(ut_model_kinetic(model, hand, arm), 0.25, 0.0);
    CHECK_NEAR(ut_model_restitution(model, hand, arm), 0.0, 0.0);
    CHECK_NEAR(ut_model_margin(model, arm, hand), 0.625, 0.0);
    CHECK_NEAR(model->geom[arm].widest_margin, 0.625, 0.0);
    CHECK_NEAR(model->geom[floor].widest_margin, 0.01, 0.0);
    // condim 1 has no friction
    CHECK_NEAR(ut_model_friction(model, ball, hand), 0.0, 0.0);
    CHECK_NEAR(ut_model_kinetic(model, ball, hand), 0.0, 0.0);
    // without a pair
    CHECK_NEAR(ut_model_friction(model, ball, arm), 0.25, 0.0);
    CHECK_NEAR(ut_model_margin(model, ball, arm), 0.02, 0.0);
    ut_model_destroy(model);
}

static void check_message(utModelDef* def, const char* want)
{
    utModel* model = NULL;
    utError err = {0};
    CHECK(ut_model_compile(def, NULL, &model, &err) != UT_OK);
    CHECK_TEXT(err.message, want);
    ut_model_def_destroy(def);
}

TEST(pairs_that_cannot_be_are_named)
{
#define SAYS(want, change)                         \
    do {                                           \
        utModelDef* def = masked_chain();          \
        utPairDef pair = ut_pair_def(FLOOR, BALL); \
        change;                                    \
        CHECK(ut_model_def_pair(def, &pair) >= 0); \
        check_message(def, want);                  \
    } while (0)
    SAYS("pair #0 names geom 5, which does not exist; there are 5 geoms", pair.geom2 = 5);
    SAYS("pair 'p' names geom -1, which does not exist; there are 5 geoms", pair.geom1 = -1;
         pair.name = "p");
    SAYS("pair #0 names geom 'ball' twice; a pair needs two geoms", pair.geom1 = BALL);
    SAYS(
        "pair #1 is a second pair of geom 'floor' and geom 'ball', after pair #0; keep one of them",
        add_pair(def, BALL, FLOOR));
    SAYS("condim of pair #0 is 2; it must be 1, 3, 4 or 6", pair.condim = 2);
    SAYS("friction of pair #0 is -1; it cannot be negative", pair.friction[1] = -1);
    SAYS("friction of pair #0 is nan; it must be finite", pair.friction[4] = (double)NAN);
    SAYS("margin of pair #0 is -1; it cannot be negative", pair.margin = -1);
    SAYS("gap of pair #0 is -1; it cannot be negative", pair.gap = -1);
    SAYS("restitution of pair #0 is 2; it must not exceed 1", pair.restitution = 2);
    SAYS("kinetic of pair #0 is inf; it must be finite", pair.kinetic = HUGE_VAL);
    SAYS("pair #0 did not come from ut_pair_def(); begin with that", pair.cookie = 0);
#undef SAYS
}

// A cylinder whose axis is neither in the plane nor normal to it has no figure; it need not have one
// unless it collides.
TEST(a_geom_of_a_pair_needs_a_figure_in_a_planar_world)
{
    for (int with_pair = 0; with_pair < 2; with_pair++) {
        utModelDef* def = new_def();
        utOptions options = ut_options();
        options.planar = UT_PLANAR_XZ;
        ut_model_def_options(def, &options);
        const int ball = add_link(def, 0, "ball", UT_JOINT_FREE);
        CHECK_INT(ball, 1);
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_CYLINDER, ut_vec3(0.1, 0.1, 0));
        geom.name = "tilted";
        geom.quat = ut_quat(0.9, 0.3, 0, 0);
        geom.contype = geom.conaffinity = 0;
        const int tilted = ut_model_def_geom(def, &geom);
        if (with_pair == 1) {
            add_pair(def, 0, tilted);
        }
        utModel* model = NULL;
        utError err = {0};
        CHECK((ut_model_compile(def, NULL, &model, &err) == UT_OK) == (with_pair == 0));
        CHECK(with_pair == 0 || strstr(err.message, "has no figure in the plane xz") != NULL);
        ut_model_destroy(model);
        ut_model_def_destroy(def);
    }
}

static uint64_t hash_with(utPairDef pair)
{
    utModelDef* def = masked_chain();
    CHECK(ut_model_def_pair(def, &pair) >= 0);
    utModel* model = compile(def);
    const uint64_t hash = model->hash;
    ut_model_destroy(model);
    return hash;
}

TEST(every_field_of_a_pair_counts_for_the_hash)
{
    enum { CHANGES = 12 };
    utPairDef pair[CHANGES];
    uint64_t hash[CHANGES + 1];
    for (int i = 0; i < CHANGES; i++) {
        pair[i] = ut_pair_def(FLOOR, BALL);
    }
    pair[1].name = "p";
    pair[2].geom1 = HAND;
    pair[3].condim = 4;
    for (int k = 0; k < 5; k++) {
        pair[4 + k].friction[k] = 0.5;
    }
    pair[9].margin = 0.5;
    pair[10].gap = 0.5;
    pair[11].restitution = 0.25;
    for (int i = 0; i < CHANGES; i++) {
        hash[i] = hash_with(pair[i]);
    }
    utModel* without = compile(masked_chain());
    hash[CHANGES] = without->hash;
    ut_model_destroy(without);
    for (int i = 0; i <= CHANGES; i++) {
        for (int k = 0; k < i; k++) {
            CHECK(hash[i] != hash[k]);
        }
    }
    // the order of the two geoms does not
    CHECK(hash_with(ut_pair_def(BALL, FLOOR)) == hash[0]);
}
