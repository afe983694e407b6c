// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms that collide by MJCF's rules, and their friction.
#include "build.h"

static bool meet(const utModel* model, const char* a, const char* b)
{
    const int i = ut_model_find_geom(model, a);
    const int j = ut_model_find_geom(model, b);
    CHECK(i >= 0 && j >= 0);
    CHECK(ut_model_collides(model, i, j) == ut_model_collides(model, j, i));
    return ut_model_collides(model, i, j);
}

// floor and post are fixed; base hinges on the post, arm on the base, hand on the arm, ring is
// welded to the arm; ball is free; mouse is a mocap.
static utModelDef* robot(void)
{
    utModelDef* def = new_def();
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3_zero());
    floor.name = "floor";
    ut_model_def_geom(def, &floor);
    int post = add_body(def, 0, "post", ut_vec3_zero());
    add_ball(def, post, "post");
    int base = add_link(def, post, "base", UT_JOINT_HINGE);
    int arm = add_link(def, base, "arm", UT_JOINT_HINGE);
    int ring = add_body(def, arm, "ring", ut_vec3_zero());
    add_ball(def, ring, "ring");
    add_ball(def, ring, "ring2");
    add_link(def, ring, "hand", UT_JOINT_HINGE);
    add_link(def, 0, "ball", UT_JOINT_FREE);
    utBodyDef mouse = ut_body_def();
    mouse.name = "mouse";
    mouse.mocap = true;
    int mocap = ut_model_def_body(def, &mouse);
    add_ball(def, mocap, "mouse");
    return def;
}

TEST(parents_and_children_pass_through_each_other_except_at_the_world)
{
    utModel* model = compile(robot());
    // the chain base - arm (with ring) - hand: neighbours do not collide, base and hand do
    CHECK(!meet(model, "base", "arm"));
    CHECK(!meet(model, "base", "ring"));
    CHECK(!meet(model, "arm", "hand"));
    CHECK(!meet(model, "ring", "hand"));
    CHECK(meet(model, "base", "hand"));
    // the same body, or bodies welded together
    CHECK(!meet(model, "arm", "ring"));
    CHECK(!meet(model, "ring", "ring2"));
    CHECK(!meet(model, "arm", "arm"));
    // the parent is fixed to the world
    CHECK(meet(model, "base", "post"));
    CHECK(meet(model, "base", "floor"));
    CHECK(meet(model, "ball", "floor"));
    // fixed and mocap
    CHECK(!meet(model, "post", "floor"));
    CHECK(!meet(model, "mouse", "floor"));
    CHECK(!meet(model, "mouse", "post"));
    CHECK(meet(model, "mouse", "ball"));
    CHECK(meet(model, "mouse", "hand"));
    CHECK(meet(model, "ball", "hand"));
    ut_model_destroy(model);
}

// contype and conaffinity of two geoms, and whether they meet
TEST(masks_work_in_either_direction)
{
    static const struct {
        int type1, affinity1, type2, affinity2;
        bool meet;
    } cases[] = {
        {1, 1, 1, 1, true},  {1, 0, 0, 1, true},   {0, 1, 1, 0, true},  {1, 0, 1, 0, false},
        {0, 1, 0, 1, false}, {2, 4, 4, 8, true},   {2, 4, 8, 1, false}, {0, 0, 1, 1, false},
        {6, 0, 0, 2, true},  {-1, 0, 0, 64, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utModelDef* def = new_def();
        for (int k = 0; k < 2; k++) {
            int body = add_body(def, 0, NULL, ut_vec3_zero());
            add_joint(def, body, UT_JOINT_FREE, NULL);
            utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(1, 0, 0));
            geom.contype = k == 0 ? cases[i].type1 : cases[i].type2;
            geom.conaffinity = k == 0 ? cases[i].affinity1 : cases[i].affinity2;
            ut_model_def_geom(def, &geom);
        }
        utModel* model = compile(def);
        CHECK(ut_model_collides(model, 0, 1) == cases[i].meet);
        CHECK(ut_model_collides(model, 1, 0) == cases[i].meet);
        ut_model_destroy(model);
    }
}

TEST(excluded_bodies_do_not_collide_and_are_listed_in_order)
{
    utModelDef* def = robot();
    // base 2, arm 3, ring 4, hand 5, ball 6, mouse 7
    const utOrigin nowhere = {0};
    CHECK(ut_model_def_exclude(def, 6, 5, nowhere));
    CHECK(ut_model_def_exclude(def, 0, 6, nowhere));
    CHECK(ut_model_def_exclude(def, 5, 6, nowhere));
    CHECK(ut_model_def_exclude(def, 6, 3, nowhere));
    CHECK(ut_model_def_exclude(def, 2, 5, nowhere));
    utModel* model = compile(def);
    static const int want[] = {0, 6, 2, 5, 3, 6, 5, 6};
    CHECK_INT(model->nexclude, 4);
    for (int i = 0; i < 8; i++) {
        CHECK_INT(model->exclude[i], want[i]);
    }
    CHECK(!meet(model, "ball", "hand"));
    CHECK(!meet(model, "ball", "floor"));
    CHECK(!meet(model, "base", "hand"));
    CHECK(!meet(model, "ball", "arm"));
    // an exclude does not apply to bodies welded to those it names
    CHECK(meet(model, "ball", "ring"));
    CHECK(meet(model, "ball", "base"));
    CHECK(meet(model, "ball", "mouse"));
    ut_model_destroy(model);
}

TEST(many_excludes_are_sorted)
{
    utModelDef* def = new_def();
    for (int i = 1; i < 40; i++) {
        add_body(def, 0, NULL, ut_vec3_zero());
    }
    utRng rng = ut_rng(7, 0);
    bool wanted[40][40] = {{false}};
    int distinct = 0;
    for (int i = 0; i < 500; i++) {
        const int a = ut_rng_below(&rng, 40);
        const int b = ut_rng_below(&rng, 40);
        const int low = a < b ? a : b, high = a < b ? b : a;
        distinct += wanted[low][high] ? 0 : 1;
        wanted[low][high] = true;
        ut_model_def_exclude(def, a, b, (utOrigin){0});
    }
    utModel* model = compile(def);
    CHECK_INT(model->nexclude, distinct);
    int at = 0;
    for (int a = 0; a < 40; a++) {
        for (int b = 0; b < 40; b++) {
            if (wanted[a][b] && at < model->nexclude) {
                CHECK_INT(model->exclude[2 * at], a);
                CHECK_INT(model->exclude[2 * at + 1], b);
                at++;
            }
        }
    }
    ut_model_destroy(model);
}

TEST(friction_is_the_larger_unless_one_has_priority)
{
    utModelDef* def = new_def();
    static const double friction[] = {0.2, 0.7, 0.1};
    static const int priority[] = {0, 0, 3};
    for (int k = 0; k < 3; k++) {
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_SPHERE, ut_vec3(1, 0, 0));
        geom.friction = friction[k];
        geom.priority = priority[k];
        ut_model_def_geom(def, &geom);
    }
    utModel* model = compile(def);
    CHECK_NEAR(ut_model_friction(model, 0, 1), 0.7, 0.0);
    CHECK_NEAR(ut_model_friction(model, 1, 0), 0.7, 0.0);
    CHECK_NEAR(ut_model_friction(model, 1, 2), 0.1, 0.0);
    CHECK_NEAR(ut_model_friction(model, 2, 1), 0.1, 0.0);
    ut_model_destroy(model);
}

TEST(restitution_is_the_larger_whatever_the_priorities)
{
    utModelDef* def = new_def();
    static const double restitution[] = {0.25, 1.0, 0.0};
    for (int k = 0; k < 3; k++) {
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_SPHERE, ut_vec3(1, 0, 0));
        CHECK(geom.restitution == 0.0);
        geom.restitution = restitution[k];
        geom.priority = k;
        ut_model_def_geom(def, &geom);
    }
    utModel* model = compile(def);
    CHECK_NEAR(ut_model_restitution(model, 0, 1), 1.0, 0.0);
    CHECK_NEAR(ut_model_restitution(model, 1, 2), 1.0, 0.0);
    CHECK_NEAR(ut_model_restitution(model, 2, 0), 0.25, 0.0);
    CHECK_NEAR(ut_model_restitution(model, 2, 2), 0.0, 0.0);
    ut_model_destroy(model);
}

// Does any other geom collide with geom i? By trying all of them.
static bool meets_any(const utModel* model, int i)
{
    bool meets = false;
    for (int j = 0; j < model->ngeom; j++) {
        meets = meets || (j != i && ut_model_collides(model, i, j));
    }
    return meets;
}

// a floor, a ball on it, a ghost without masks, a geom whose bits no other one has, and two of the
// latter kind in an explicit pair
TEST(a_geom_collides_when_its_masks_or_an_explicit_pair_let_another_one_touch_it)
{
    static const struct {
        int contype, conaffinity;
        bool collides;
    } cases[] = {{1, 1, true},  {1, 0, true}, {0, 0, false},
                 {4, 8, false}, {2, 0, true}, {0, 0, true}};
    enum { COUNT = sizeof cases / sizeof *cases };
    utModelDef* def = new_def();
    int geom[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const int body = add_body(def, 0, NULL, ut_vec3_zero());
        add_joint(def, body, UT_JOINT_FREE, NULL);
        utGeomDef g = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0.0, 0.0));
        g.mass = 1.0;
        g.contype = cases[i].contype;
        g.conaffinity = cases[i].conaffinity;
        geom[i] = ut_model_def_geom(def, &g);
    }
    const utPairDef pair = ut_pair_def(geom[4], geom[5]);
    ut_model_def_pair(def, &pair);
    utModel* model = compile(def);
    for (int i = 0; i < model->ngeom; i++) {
        CHECK(model->geom[i].collides == cases[i].collides);
        CHECK(model->geom[i].collides == meets_any(model, i));
    }
    ut_model_destroy(model);
}
