// SPDX-License-Identifier: Apache-2.0
// URDF by hand: each kind of joint, poses, shapes, inertias and the files that a robot refers to.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/io.h>

static const double pi = 3.14159265358979323846;

// A link of 1 kg with principal moments 1 1 1.
#define LINK(name)                                                                       \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' " \
    "ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define ENDS(parent, child) "<parent link='" parent "'/><child link='" child "'/>"
#define SPHERE(radius) "<collision><geometry><sphere radius='" radius "'/></geometry></collision>"
#define SOLID                                                                               \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>" \
    "</inertial>"

// Read and compile the contents of a robot. @return NULL after a failed check
static utModel* read_robot(const char* what, const utUrdfDef* def, utNotes* notes)
{
    char text[8192];
    const int size = snprintf(text, sizeof text, "<robot name='r'>%s</robot>", what);
    utModelDef* description = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK(size > 0 && (size_t)size < sizeof text);
    CHECK(ut_model_def_create(NULL, &description) == UT_OK);
    utStatus status =
        ut_urdf_read((utText){text, (size_t)size}, "r.urdf", def, description, notes, &err);
    if (status == UT_OK) {
        status = ut_model_compile(description, NULL, &model, &err);
    }
    if (!CHECK(status == UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(description);
    return model;
}

static bool has_note(const utNotes* notes, const char* what, const char* why)
{
    for (int i = 0; i < notes->count; i++) {
        if (strcmp(notes->note[i].what, what) == 0 && strstr(notes->note[i].why, why) != NULL) {
            return true;
        }
    }
    return false;
}

static void check_vec(utVec3 got, double x, double y, double z)
{
    CHECK_NEAR(got.x, x, 1e-12);
    CHECK_NEAR(got.y, y, 1e-12);
    CHECK_NEAR(got.z, z, 1e-12);
}

// ---- joints -------------------------------------------------------------------------------------

TEST(each_type_of_joint_becomes_its_kind)
{
    utModel* m = read_robot(
        LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") "<joint name='rev' type='revolute'>" ENDS(
            "a", "b") "<axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='5' velocity='3'/>"
                      "<dynamics damping='0.5' friction='0.25'/></joint>"
                      "<joint name='con' type='continuous'>" ENDS(
                          "b", "c") "</joint>"
                                    "<joint name='pri' type='prismatic'>" ENDS(
                                        "c", "d") "<axis xyz='0 1 0'/><limit lower='-0.1' "
                                                  "upper='0.1' effort='1' velocity='1'/></joint>"
                                                  "<joint name='fix' type='fixed'>" ENDS(
                                                      "d", "e") "<origin xyz='1 2 3'/></joint>",
        NULL, NULL);
    if (m == NULL) {
        return;
    }
    CHECK_INT(m->nbody, 6); // the world and every link
    CHECK_INT(m->njoint, 3);
    const utModelJoint* rev = &m->joint[ut_model_find_joint(m, "rev")];
    CHECK_INT(rev->kind, UT_JOINT_HINGE);
    check_vec(rev->axis, 0, 0, 1);
    CHECK(rev->limited && rev->range[0] == -1.0 && rev->range[1] == 2.0);
    CHECK(rev->damping == 0.5 && rev->frictionloss == 0.25);
    const utModelJoint* con = &m->joint[ut_model_find_joint(m, "con")];
    CHECK_INT(con->kind, UT_JOINT_HINGE);
    CHECK(!con->limited);
    check_vec(con->axis, 1, 0, 0); // the default
    const utModelJoint* pri = &m->joint[ut_model_find_joint(m, "pri")];
    CHECK_INT(pri->kind, UT_JOINT_SLIDE);
    CHECK(pri->limited && pri->range[1] == 0.1);
    const utModelBody* e = &m->body[ut_model_find_body(m, "e")];
    CHECK_INT(e->joints, 0);
    check_vec(e->in_parent.p, 1, 2, 3);
    // the root is fixed to the world
    CHECK_INT(m->body[ut_model_find_body(m, "a")].joints, 0);
    ut_model_destroy(m);
}

// The turn from z to the axis (0 0 1) is none, so the slides are along x and y.
TEST(a_planar_joint_is_two_slides_and_a_hinge)
{
    utModel* m = read_robot(LINK("a") LINK("b") "<joint name='p' type='planar'>" ENDS(
                                "a", "b") "<axis xyz='0 0 1'/><dynamics damping='2'/></joint>",
                            NULL, NULL);
    if (m == NULL || !CHECK_INT(m->njoint, 3)) {
        return;
    }
    static const char* const names[] = {"p_TX", "p_TY", "p_RZ"};
    for (int i = 0; i < 3; i++) {
        CHECK_TEXT(m->joint[i].name, names[i]);
        CHECK_INT(m->joint[i].kind, i < 2 ? UT_JOINT_SLIDE : UT_JOINT_HINGE);
        CHECK(m->joint[i].damping == 2.0);
    }
    check_vec(m->joint[0].axis, 1, 0, 0);
    check_vec(m->joint[1].axis, 0, 1, 0);
    check_vec(m->joint[2].axis, 0, 0, 1);
    ut_model_destroy(m);
}

// Roll, pitch and yaw are about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll). With a quarter turn each,
// x goes to -z (pitch) and stays there, y to z (roll), then x (pitch), then y (yaw).
TEST(roll_pitch_and_yaw_are_about_fixed_axes)
{
    utModel* m = read_robot(LINK("a") LINK("b") "<joint name='f' type='fixed'>" ENDS(
                                "a", "b") "<origin rpy='1.5707963267948966 1.5707963267948966 "
                                          "1.5707963267948966'/></joint>",
                            NULL, NULL);
    if (m == NULL) {
        return;
    }
    const utMat3 R = m->body[2].in_parent.R;
    check_vec(ut_mat3_column(R, 0), 0, 0, -1);
    check_vec(ut_mat3_column(R, 1), 0, 1, 0);
    check_vec(ut_mat3_column(R, 2), 1, 0, 0);
    ut_model_destroy(m);
}

TEST(a_floating_joint_is_free_from_the_world_where_the_links_above_put_it)
{
    utModel* m = read_robot(
        LINK("a") LINK("b") LINK("c") LINK("d") "<joint name='ab' type='fixed'>" ENDS(
            "a", "b") "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/></joint>"
                      "<joint name='f' type='floating'>" ENDS(
                          "b", "c") "<origin xyz='0.5 0 0'/></joint>"
                                    "<joint name='ad' type='continuous'>" ENDS("a", "d") "</joint>",
        NULL, NULL);
    if (m == NULL) {
        return;
    }
    const utModelBody* c = &m->body[ut_model_find_body(m, "c")];
    CHECK_INT(c->parent, 0);
    CHECK_INT(m->joint[c->joint].kind, UT_JOINT_FREE);
    check_vec(c->in_parent.p, 1, 0.5, 0); // b's x axis points along y
    ut_model_destroy(m);
}

TEST(the_option_floating_frees_the_root)
{
    utUrdfDef def = ut_urdf_def();
    def.floating = true;
    utModel* m = read_robot(
        LINK("a") LINK("b") "<joint name='j' type='continuous'>" ENDS("a", "b") "</joint>", &def,
        NULL);
    if (m == NULL) {
        return;
    }
    CHECK_INT(m->nq, 8);
    CHECK_INT(m->nv, 7);
    CHECK_INT(m->joint[0].kind, UT_JOINT_FREE);
    ut_model_destroy(m);
}

TEST(mimic_couples_two_coordinates)
{
    utNotes notes = {0};
    utModel* m = read_robot(
        LINK("a") LINK("b") LINK("c") "<joint name='follower' type='prismatic'>" ENDS(
            "a", "b") "<limit lower='0' upper='2' effort='1' velocity='1'/>"
                      "<mimic joint='leader' multiplier='2' offset='0.1'/></joint>"
                      "<joint name='leader' type='prismatic'>" ENDS(
                          "a",
                          "c") "<limit lower='0.25' upper='1' effort='1' velocity='1'/></joint>",
        NULL, &notes);
    if (m == NULL || !CHECK_INT(m->nequality, 1)) {
        return;
    }
    const utModelEquality* e = &m->equality[0];
    CHECK_INT(e->kind, UT_EQUALITY_JOINT);
    CHECK(e->polycoef[0] == 0.1 && e->polycoef[1] == 2.0);
    // a run begins where the limits and the coupling hold: x = 0.25, y = 0.1 + 2 x
    const int key = ut_model_start_key(m);
    if (CHECK(key >= 0)) {
        const double* q = m->keyframe[key].q;
        CHECK_NEAR(q[m->joint[ut_model_find_joint(m, "leader")].q], 0.25, 0.0);
        CHECK_NEAR(q[m->joint[ut_model_find_joint(m, "follower")].q], 0.6, 1e-15);
    }
    CHECK(has_note(&notes, "joint/limit", "nearest limit"));
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
}

// Joint k of 20 has the coordinate of joint k + 1 plus 0.5, and the last one is at its limit 1. They
// stand in the file in the order in which each waits for the next.
TEST(a_long_chain_of_mimics_holds_where_a_run_begins)
{
    enum { CHAIN = 20 };
    char text[8192] = LINK("l0");
    size_t used = strlen(text);
    for (int k = 0; k < CHAIN; k++) {
        const bool last = k == CHAIN - 1;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "<link name='l%d'>" SOLID
                                 "</link><joint name='j%d' type='prismatic'><parent "
                                 "link='l%d'/><child link='l%d'/><limit lower='%d' upper='99'/>",
                                 k + 1, k, k, k + 1, last);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 last ? "</joint>" : "<mimic joint='j%d' offset='0.5'/></joint>",
                                 k + 1);
    }
    CHECK(used < sizeof text);
    utModel* m = read_robot(text, NULL, NULL);
    const int key = m != NULL ? ut_model_start_key(m) : -1;
    CHECK(key >= 0);
    for (int k = 0; key >= 0 && k < CHAIN; k++) {
        CHECK_NEAR(m->keyframe[key].q[m->joint[k].q], 1.0 + 0.5 * (CHAIN - 1 - k), 0.0);
    }
    ut_model_destroy(m);
}

TEST(limits_that_are_none_are_noted)
{
    utNotes notes = {0};
    utModel* m = read_robot(
        LINK("a") LINK("b") LINK("c") LINK("d") "<joint name='j' type='revolute'>" ENDS(
            "a",
            "b") "</joint>"
                 "<joint name='k' type='revolute'>" ENDS(
                     "b",
                     "c") "<limit lower='1' upper='-1' effort='0' velocity='0'/></joint>"
                          "<joint name='l' type='continuous'>" ENDS(
                              "c",
                              "d") "<limit lower='-1' upper='1' effort='0' velocity='0'/></joint>",
        NULL, &notes);
    if (m == NULL) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        CHECK(!m->joint[i].limited);
    }
    CHECK(has_note(&notes, "joint/limit", "missing"));
    CHECK(has_note(&notes, "joint/limit", "lower is not below upper"));
    CHECK(has_note(&notes, "joint/limit", "this type of joint has no range"));
    CHECK_INT(ut_model_start_key(m), -1); // 0 is a good start
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
}

// ---- links --------------------------------------------------------------------------------------

TEST(the_link_world_is_the_world_with_or_without_an_element)
{
    utModel* m =
        read_robot("<link name='world'>" SPHERE("1") "</link>" LINK(
                       "a") "<joint name='j' type='continuous'>" ENDS("world", "a") "</joint>",
                   NULL, NULL);
    if (m != NULL) {
        CHECK_INT(m->nbody, 2);
        CHECK_INT(m->geom[0].body, 0);
    }
    ut_model_destroy(m);
    m = read_robot(LINK("a") "<joint name='j' type='continuous'>" ENDS("world", "a") "</joint>",
                   NULL, NULL);
    if (m != NULL) {
        CHECK_INT(m->nbody, 2);
        CHECK_INT(m->njoint, 1);
    }
    ut_model_destroy(m);
}

// An inertial turned by a quarter about z: xx and yy change places.
TEST(inertias_are_turned_into_the_frame_of_the_link)
{
    utModel* m = read_robot(
        "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
        "<mass value='2'/><inertia ixx='1' iyy='2' izz='3' ixy='0' ixz='0' iyz='0'/></inertial>"
        "</link>",
        NULL, NULL);
    if (m == NULL) {
        return;
    }
    CHECK_NEAR(m->body[1].mass, 2.0, 0.0);
    check_vec(m->body[1].com, 1, 2, 3);
    CHECK_NEAR(m->body[1].inertia.m[0][0], 2.0, 1e-12);
    CHECK_NEAR(m->body[1].inertia.m[1][1], 1.0, 1e-12);
    CHECK_NEAR(m->body[1].inertia.m[2][2], 3.0, 1e-12);
    ut_model_destroy(m);
}

// 1 1 10 lacks 8 for 1 + 1 >= 10: the nearest solid has 1 + 8/3, 1 + 8/3 and 10 - 8/3.
TEST(inertias_of_no_solid_become_the_nearest_solid)
{
    utNotes notes = {0};
    static const char text[] = "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                               "izz='10' ixy='0' ixz='0' iyz='0'/></inertial></link>";
    utModel* m = read_robot(text, NULL, &notes);
    if (m != NULL) {
        CHECK_NEAR(m->body[1].inertia.m[0][0], 11.0 / 3.0, 1e-14);
        CHECK_NEAR(m->body[1].inertia.m[1][1], 11.0 / 3.0, 1e-14);
        CHECK_NEAR(m->body[1].inertia.m[2][2], 22.0 / 3.0, 1e-14);
        CHECK(has_note(&notes, "inertia of link 'a'", "no solid has principal moments 1 1 10"));
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
    // MuJoCo 3.14.0 gives 4 4 4 with balanceinertia
    m = read_robot("<mujoco><compiler balanceinertia='true'/></mujoco>"
                   "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='10' "
                   "ixy='0' ixz='0' iyz='0'/></inertial></link>",
                   NULL, NULL);
    if (m != NULL) {
        CHECK_NEAR(m->body[1].inertia.m[0][0], 4.0, 1e-14);
        CHECK_NEAR(m->body[1].inertia.m[2][2], 4.0, 1e-14);
    }
    ut_model_destroy(m);
}

// A ball of mass m and radius 1 cm has the moments 0.4 m 1e-4.
TEST(bodies_that_move_get_the_mass_and_inertia_they_lack)
{
    utNotes notes = {0};
    utModel* m = read_robot(
        LINK(
            "a") "<link name='point'><inertial><mass value='2'/></inertial></link>"
                 "<link name='none'/>"
                 "<link name='shape'>" SPHERE(
                     "0.1") "</link>"
                            "<link name='carried'/>" LINK(
                                "load") "<joint name='1' "
                                        "type='continuous'>" ENDS(
                                            "a",
                                            "point") "</joint>"
                                                     "<joint name='2' "
                                                     "type='continuous'"
                                                     ">" ENDS(
                                                         "a",
                                                         "none") "</"
                                                                 "joint>"
                                                                 "<joint "
                                                                 "name='"
                                                                 "3' "
                                                                 "type='"
                                                                 "continu"
                                                                 "ous'"
                                                                 ">" ENDS(
                                                                     "a",
                                                                     "sha"
                                                                     "pe") "</joint>"
                                                                           "<joint name='4' "
                                                                           "type='continuous'"
                                                                           ">" ENDS(
                                                                               "a",
                                                                               "carried") "</joint>"
                                                                                          "<joint "
                                                                                          "name='5'"
                                                                                          " type='"
                                                                                          "fixed'"
                                                                                          ">" ENDS(
                                                                                              "carr"
                                                                                              "ied",
                                                                                              "loa"
                                                                                              "d") "</joint>",
        NULL, &notes);
    if (m == NULL) {
        return;
    }
    const utModelBody* point = &m->body[ut_model_find_body(m, "point")];
    const utModelBody* none = &m->body[ut_model_find_body(m, "none")];
    const utModelBody* shape = &m->body[ut_model_find_body(m, "shape")];
    CHECK_NEAR(point->mass, 2.0, 0.0);
    CHECK_NEAR(point->inertia.m[0][0], 8e-5, 1e-18);
    CHECK_NEAR(none->mass, 1e-3, 0.0);
    CHECK_NEAR(none->inertia.m[2][2], 4e-8, 1e-20);
    CHECK_NEAR(shape->mass, 1000.0 * 4.0 / 3.0 * pi * 1e-3, 1e-12);
    CHECK_NEAR(m->body[ut_model_find_body(m, "carried")].mass, 0.0, 0.0);
    CHECK(has_note(&notes, "inertia of link 'point'", "a ball of its mass"));
    CHECK(has_note(&notes, "mass of link 'none'", "1 g"));
    CHECK(has_note(&notes, "mass of link 'shape'", "1000 kg/m^3"));
    CHECK_INT(notes.count, 3); // `carried` moves with the mass of its load
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
}

TEST(a_strict_read_rejects_what_it_would_change)
{
    static const char text[] = "<robot name='r'><link name='a'/><link name='b'/>"
                               "<joint name='j' type='continuous'><parent link='a'/>"
                               "<child link='b'/></joint></robot>";
    utUrdfDef def = ut_urdf_def();
    def.strict = true;
    utModelDef* description = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &description) == UT_OK);
    CHECK_INT(
        ut_urdf_read((utText){text, sizeof text - 1}, "r.urdf", &def, description, NULL, &err),
        UT_ERR_FORMAT);
    CHECK(strncmp(err.message, "mass of link 'b': none", 22) == 0);
    ut_model_def_destroy(description);
}

// ---- shapes -------------------------------------------------------------------------------------

TEST(sizes_of_shapes_are_halved_where_urdf_gives_whole_lengths)
{
    utModel* m = read_robot(
        "<link name='a'>"
        "<collision name='box'><geometry><box size='1 2 3'/></geometry></collision>"
        "<collision name='can'><geometry><cylinder radius='0.5' length='2'/></geometry></collision>"
        "<collision name='ball'><origin xyz='1 0 0'/><geometry><sphere radius='2'/></geometry>"
        "</collision>"
        "<collision name='pill'><geometry><capsule radius='0.1' length='1'/></geometry></collision>"
        "</link>",
        NULL, NULL);
    if (m == NULL || !CHECK_INT(m->ngeom, 4)) {
        return;
    }
    static const utShapeKind kinds[] = {UT_SHAPE_BOX, UT_SHAPE_CYLINDER, UT_SHAPE_SPHERE,
                                        UT_SHAPE_CAPSULE};
    static const double sizes[4][3] = {{0.5, 1.0, 1.5}, {0.5, 1.0, 0}, {2, 0, 0}, {0.1, 0.5, 0}};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(m->geom[i].shape.kind, kinds[i]);
        check_vec(m->geom[i].shape.size, sizes[i][0], sizes[i][1], sizes[i][2]);
    }
    CHECK_TEXT(m->geom[3].name, "pill");
    check_vec(m->geom[2].in_body.p, 1, 0, 0);
    CHECK_NEAR(m->body[1].mass, 0.0, 0.0); // shapes have no mass
    ut_model_destroy(m);
}

static const char chain[] = "<link name='a'>" SPHERE(
    "1") "</link>"
         "<link name='b'>" SOLID SPHERE(
             "1") "</link>"
                  "<link name='c'>" SOLID SPHERE(
                      "1") "</link>"
                           "<joint name='ab' type='continuous'>" ENDS(
                               "a", "b") "</joint>"
                                         "<joint name='bc' type='continuous'>" ENDS("b",
                                                                                    "c") "</joint>";

TEST(links_that_a_joint_connects_do_not_collide)
{
    utUrdfDef def = ut_urdf_def();
    for (int pass = 0; pass < 2; pass++) {
        utModel* m = read_robot(chain, &def, NULL);
        if (m != NULL) {
            CHECK(!ut_model_collides(m, 0, 1)); // also with the base fixed to the world
            CHECK(!ut_model_collides(m, 1, 2));
            CHECK(ut_model_collides(m, 0, 2));
        }
        ut_model_destroy(m);
        def.floating = true;
    }
    def.self_collision = false;
    utModel* m = read_robot(chain, &def, NULL);
    if (m != NULL) {
        CHECK(!ut_model_collides(m, 0, 2));
    }
    ut_model_destroy(m);
}

TEST(friction_of_extensions_is_read_when_asked_for)
{
    static const char text[] =
        "<link name='a'><contact><lateral_friction value='0.3'/><restitution value='0.5'/>"
        "</contact>" SPHERE("1") "</link>" LINK("b") "<link name='c'>" SPHERE(
            "1") "</link>"
                 "<joint name='ab' type='fixed'>" ENDS(
                     "a",
                     "b") "</joint>"
                          "<joint name='bc' type='fixed'>" ENDS(
                              "b",
                              "c") "</joint>"
                                   "<gazebo reference='c'><mu1>0.7</mu1><mu2>0.6</mu2></gazebo>";
    utUrdfDef def = ut_urdf_def();
    utNotes notes = {0};
    utModel* m = read_robot(text, &def, &notes);
    if (m != NULL) {
        CHECK(m->geom[0].friction == 1.0 && m->geom[1].friction == 1.0);
        CHECK(has_note(&notes, "link/contact", "--friction"));
        CHECK(has_note(&notes, "gazebo/mu", "--friction"));
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
    def.friction = true;
    m = read_robot(text, &def, NULL);
    if (m != NULL) {
        CHECK(m->geom[0].friction == 0.3 && m->geom[0].restitution == 0.5);
        CHECK(m->geom[1].friction == 0.7);
    }
    ut_model_destroy(m);
}

TEST(the_extension_of_mujoco_sets_options)
{
    utModel* m =
        read_robot("<mujoco><compiler angle='degree' boundmass='0.5'/>"
                   "<option timestep='0.001' gravity='0 0 -1'/></mujoco>"
                   "<link name='a'/>" LINK("b") "<joint name='j' type='revolute'>" ENDS(
                       "a", "b") "<origin rpy='0 0 1'/>"
                                 "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>",
                   NULL, NULL);
    if (m == NULL) {
        return;
    }
    CHECK(m->options.dt == 0.001 && m->options.gravity.z == -1.0);
    CHECK(m->body[ut_model_find_body(m, "a")].mass == 0.5);
    CHECK(m->joint[0].range[1] == 1.0); // angles of URDF are radians
    ut_model_destroy(m);
}

// ---- files --------------------------------------------------------------------------------------

// A tetrahedron in OBJ.
static const char tetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

typedef struct Disk {
    const char* path; // of the only mesh
    const char* package_xml;
    int reads;
} Disk;

static utStatus read_disk(void* context, const char* path, utArena* keep, utText* text,
                          utError* err)
{
    Disk* disk = context;
    (void)keep;
    disk->reads++;
    if (strcmp(path, disk->path) == 0) {
        *text = (utText){tetrahedron, sizeof tetrahedron - 1};
        return UT_OK;
    }
    if (disk->package_xml != NULL && strcmp(path, disk->package_xml) == 0) {
        static const char xml[] = "<package><name> my_robot </name></package>";
        *text = (utText){xml, sizeof xml - 1};
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_IO, "no such file");
}

// Read a robot with one mesh. @return its formatted error, "" for none
static void read_with_mesh(const char* file, const char* reference, const utUrdfDef* def, char* got,
                           size_t size)
{
    char text[512];
    const int length = snprintf(text, sizeof text,
                                "<robot name='r'><link name='a'><collision><geometry>"
                                "<mesh filename='%s'/></geometry></collision></link></robot>",
                                reference);
    utModelDef* description = NULL;
    utModel* model = NULL;
    utError err = {0};
    got[0] = 0;
    CHECK(ut_model_def_create(NULL, &description) == UT_OK);
    const utText whole = {text, (size_t)length};
    if (ut_urdf_read(whole, file, def, description, NULL, &err) != UT_OK) {
        ut_error_format(&err, got, size);
    } else if (CHECK(ut_model_compile(description, NULL, &model, &err) == UT_OK)) {
        CHECK_INT(model->geom[0].shape.hull->vertices, 4);
        ut_model_destroy(model);
    }
    ut_model_def_destroy(description);
}

TEST(meshes_are_found_the_way_of_ros)
{
    static const char* const folders[] = {"/opt/ros/share", "given/my_robot/"};
    static const struct {
        const char *file, *reference, *disk, *package_xml;
    } cases[] = {
        // the folders that are given: one with the package, or the package itself
        {"x/r.urdf", "package://my_robot/a/m.obj", "/opt/ros/share/my_robot/a/m.obj", NULL},
        {"x/r.urdf", "package://my_robot/a/m.obj", "given/my_robot/a/m.obj", NULL},
        // folders above the file: of the name, with a folder of the name, with a package.xml
        {"/w/my_robot/urdf/r.urdf", "package://my_robot/a/m.obj", "/w/my_robot/a/m.obj", NULL},
        {"/w/other/urdf/r.urdf", "model://my_robot/m.obj", "/w/my_robot/m.obj", NULL},
        {"/w/clone/urdf/r.urdf", "package://my_robot/m.obj", "/w/clone/m.obj",
         "/w/clone/package.xml"},
        {"urdf/r.urdf", "package://my_robot/m.obj", "../../my_robot/m.obj", NULL},
        {"../urdf/r.urdf", "package://my_robot/m.obj", "../../my_robot/m.obj", NULL},
        // files
        {"/w/urdf/r.urdf", "../meshes/m.obj", "/w/meshes/m.obj", NULL},
        {"urdf/r.urdf", "m.obj", "urdf/m.obj", NULL},
        {"urdf/r.urdf", "file:///w/m.obj", "/w/m.obj", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Disk disk = {cases[i].disk, cases[i].package_xml, 0};
        utUrdfDef def = ut_urdf_def();
        char got[700];
        def.package = folders;
        def.packages = 2;
        def.read = read_disk;
        def.read_context = &disk;
        read_with_mesh(cases[i].file, cases[i].reference, &def, got, sizeof got);
        CHECK_TEXT(got, "");
    }
}

TEST(a_mesh_that_is_missing_names_the_places_that_were_tried)
{
    Disk disk = {"nowhere", NULL, 0};
    utUrdfDef def = ut_urdf_def();
    char got[700];
    def.read = read_disk;
    def.read_context = &disk;
    read_with_mesh("/w/r.urdf", "package://my_robot/m.obj", &def, got, sizeof got);
    CHECK_TEXT(got, "/w/r.urdf:1:69: error: 'package://my_robot/m.obj' cannot be read; tried "
                    "'/w/my_robot/m.obj', '/my_robot/m.obj'; --package-path (utUrdfDef.package) "
                    "adds folders");
    read_with_mesh("/w/r.urdf", "m.obj", &def, got, sizeof got);
    CHECK_TEXT(got, "/w/r.urdf:1:69: error: 'm.obj' cannot be read; tried '/w/m.obj'");
    def.read = NULL;
    read_with_mesh("/w/r.urdf", "m.obj", &def, got, sizeof got);
    CHECK_TEXT(got,
               "/w/r.urdf:1:69: error: files cannot be read here, so meshes are not available");
}

TEST(a_mesh_that_many_links_have_is_read_once)
{
    Disk disk = {"m.obj", NULL, 0};
    utUrdfDef def = ut_urdf_def();
    def.read = read_disk;
    def.read_context = &disk;
#define MESH(scale) "<collision><geometry><mesh filename='m.obj'" scale "/></geometry></collision>"
    utModel* m = read_robot("<link name='a'>" MESH("") MESH("") MESH(" scale='2 2 2'") "</link>",
                            &def, NULL);
    CHECK_INT(disk.reads, 2);
    if (m != NULL) {
        CHECK_NEAR(ut_shape_volume(&m->geom[1].shape), 1.0 / 6.0, 1e-12);
        CHECK_NEAR(ut_shape_volume(&m->geom[2].shape), 8.0 / 6.0, 1e-12);
    }
    ut_model_destroy(m);
}

// ---- formats ------------------------------------------------------------------------------------

TEST(the_outermost_element_chooses_the_format)
{
    static const struct {
        const char* text;
        const char* message; // NULL: it loads
    } cases[] = {
        {"<robot name='r'><link name='a'/></robot>", NULL},
        {"<mujoco><worldbody/></mujoco>", NULL},
        {"<sdf version='1.6'/>",
         "the outermost element is 'sdf'; a model is a 'mujoco' (MJCF) or a "
         "'robot' (URDF)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utModelDef* description = NULL;
        utError err = {0};
        CHECK(ut_model_def_create(NULL, &description) == UT_OK);
        const utText text = {cases[i].text, strlen(cases[i].text)};
        const utStatus status = ut_file_read(text, "x", NULL, NULL, description, NULL, NULL, &err);
        CHECK_INT(status, cases[i].message == NULL ? UT_OK : UT_ERR_FORMAT);
        CHECK_TEXT(err.message, cases[i].message == NULL ? "" : cases[i].message);
        ut_model_def_destroy(description);
    }
}

// ---- whole files --------------------------------------------------------------------------------

// Read a complete text. @return the number of its notes, -1 after an error
static int count_notes_of(const char* text, utUrdfDef* def, utNotes* notes)
{
    utModelDef* description = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &description) == UT_OK);
    const utStatus status =
        ut_urdf_read((utText){text, strlen(text)}, "r.urdf", def, description, notes, &err);
    if (status != UT_OK) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(description);
    return status == UT_OK ? notes->count : -1;
}

// Programs put whole files into a namespace of their own; elements of others stay foreign.
TEST(the_namespace_of_a_robot_is_that_of_its_file)
{
    utNotes notes = {0};
    CHECK_INT(count_notes_of("<robot name='r' xmlns='http://www.ros.org'>" LINK("a") "</robot>",
                             NULL, &notes),
              0);
    ut_notes_destroy(&notes);
    CHECK_INT(count_notes_of("<u:robot name='r' xmlns:u='urn:u' xmlns:v='urn:v'><u:link name='a'/>"
                             "<v:more/></u:robot>",
                             NULL, &notes),
              1);
    CHECK(has_note(&notes, "(other namespace):more", ""));
    ut_notes_destroy(&notes);
}

// Notes name line and column also where an element takes several lines.
TEST(notes_of_attributes_have_their_own_line)
{
    utNotes notes = {0};
    CHECK_INT(count_notes_of("<robot\n  name='r'\n  version='1.0'><link name='a'\n"
                             "  type='x'/></robot>",
                             NULL, &notes),
              2);
    CHECK_INT(notes.note[0].line, 3);
    CHECK_INT(notes.note[0].column, 12);
    CHECK_INT(notes.note[1].line, 4);
    CHECK_INT(notes.note[1].column, 9);
    ut_notes_destroy(&notes);
}

TEST(friction_of_gazebo_may_be_an_attribute_and_needs_a_link)
{
    utUrdfDef def = ut_urdf_def();
    utNotes notes = {0};
    def.friction = true;
    utModel* m =
        read_robot("<link name='a'>" SOLID SPHERE(
                       "1") "</link>"
                            "<gazebo reference='a'><mu1 value='0.7'/><mu2>0.7</mu2></gazebo>"
                            "<gazebo reference='b'><mu1>0.3</mu1></gazebo>",
                   &def, &notes);
    if (m != NULL) {
        CHECK_NEAR(m->geom[0].friction, 0.7, 0.0);
    }
    CHECK(has_note(&notes, "gazebo/mu", "the reference of this gazebo is not a link"));
    CHECK(!has_note(&notes, "gazebo/mu2", ""));
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
}

TEST(a_second_friction_of_gazebo_that_differs_is_noted)
{
    utUrdfDef def = ut_urdf_def();
    utNotes notes = {0};
    def.friction = true;
    utModel* m = read_robot("<link name='a'>" SOLID SPHERE(
                                "1") "</link>"
                                     "<gazebo reference='a'><mu2>0.3</mu2><mu1>0.7</mu1></gazebo>",
                            &def, &notes);
    if (m != NULL) {
        CHECK_NEAR(m->geom[0].friction, 0.7, 0.0);
    }
    CHECK(has_note(&notes, "gazebo/mu2", "the same in all directions"));
    ut_notes_destroy(&notes);
    ut_model_destroy(m);
}

// ---- writing ------------------------------------------------------------------------------------

static uint64_t hash_of(const utModelDef* description)
{
    utModel* model = NULL;
    utError err = {0};
    const uint64_t hash =
        CHECK(ut_model_compile(description, NULL, &model, &err) == UT_OK) ? model->hash : 0;
    ut_model_destroy(model);
    return hash;
}

// An inertia that is turned into the frame of the link is symmetric to the last bit, so that the six
// numbers of a written model are all of it.
TEST(a_robot_with_turned_inertias_is_the_same_after_writing)
{
    static const char text[] = "<robot name='r'>" LINK(
        "a") "<link name='b'><inertial><origin xyz='0.01 -0.02 0.03' "
             "rpy='0.1 0.2 0.3'/><mass value='1.3'/><inertia ixx='0.02' ixy='0.001' ixz='-0.002' "
             "iyy='0.03' iyz='0.0005' izz='0.025'/></inertial></link><joint name='j' "
             "type='continuous'>" ENDS("a", "b") "<origin rpy='0.3 -0.2 0.1'/></joint></robot>";
    utModelDef *robot = NULL, *again = NULL;
    utArena memory;
    utText written = {"", 0};
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &robot) == UT_OK && ut_model_def_create(NULL, &again) == UT_OK);
    CHECK(ut_arena_create(0, NULL, &memory) == UT_OK);
    CHECK(ut_urdf_read((utText){text, sizeof text - 1}, "r.urdf", NULL, robot, NULL, &err) ==
          UT_OK);
    CHECK(ut_mjcf_write(robot, NULL, &memory, &written, NULL, &err) == UT_OK);
    CHECK(ut_mjcf_read(written, "r.xml", NULL, again, NULL, &err) == UT_OK);
    CHECK(hash_of(again) == hash_of(robot));
    ut_arena_destroy(&memory);
    ut_model_def_destroy(again);
    ut_model_def_destroy(robot);
}
