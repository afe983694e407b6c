// SPDX-License-Identifier: Apache-2.0
// Planar worlds: joints, frames and figures of compiled models, and errors.
#include "build.h"

static const double PI = 3.14159265358979323846;

static utModelDef* planar_def(utPlanar planar)
{
    utModelDef* def = new_def();
    utOptions options = ut_options();
    options.planar = planar;
    ut_model_def_options(def, &options);
    return def;
}

// The message of a description that does not compile.
static void says(utModelDef* def, const char* want)
{
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_ERR_ARGUMENT);
    char text[512];
    ut_error_format(&err, text, sizeof text);
    CHECK_TEXT(text, want);
    CHECK(model == NULL);
    ut_model_def_destroy(def);
}

static const utOrigin HERE = {"a.xml", 7};

// ---- axes ---------------------------------------------------------------------------------------

TEST(planes_have_right_handed_axes_in_the_order_of_their_names)
{
    static const double want[3][9] = {
        {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1, 0, -1, 0}, {0, 1, 0, 0, 0, 1, 1, 0, 0}};
    for (int k = 0; k < 3; k++) {
        const utPlane plane = ut_plane((utPlanar)(UT_PLANAR_XY + k));
        const double* w = want[k];
        check_vec3(plane.x, w[0], w[1], w[2], 0.0);
        check_vec3(plane.y, w[3], w[4], w[5], 0.0);
        check_vec3(plane.normal, w[6], w[7], w[8], 0.0);
        const utVec3 cross = ut_vec3_cross(plane.x, plane.y);
        check_vec3(ut_vec3_sub(cross, plane.normal), 0, 0, 0, 0.0);
        // ut_plane_out inverts ut_plane_in
        const utVec2 a = ut_plane_in(&plane, ut_plane_out(&plane, ut_vec2(2, -3)));
        CHECK(a.x == 2.0 && a.y == -3.0);
    }
    CHECK_TEXT(ut_planar_name(UT_PLANAR_NONE), "none");
    CHECK_TEXT(ut_planar_name(UT_PLANAR_XZ), "xz");
    CHECK_TEXT(ut_planar_name(UT_PLANAR_COUNT), "unknown");
}

// ---- joints -------------------------------------------------------------------------------------

// At (1, 2, 3), turned by 40 degrees about -y: in the plane xz that is (1, 3) and 40 degrees.
TEST(a_free_joint_has_three_coordinates)
{
    utModelDef* def = planar_def(UT_PLANAR_XZ);
    utBodyDef body = ut_body_def();
    body.name = "b";
    body.pos = ut_vec3(1, 2, 3);
    body.quat = ut_quat_from_axis_angle(ut_vec3(0, -1, 0), 40.0 * PI / 180.0);
    const int b = ut_model_def_body(def, &body);
    add_joint(def, b, UT_JOINT_FREE, "j");
    add_ball(def, b, NULL);
    utModel* model = compile(def);
    CHECK_INT(model->nq, 3);
    CHECK_INT(model->nv, 3);
    CHECK_INT(model->joint[0].kind, UT_JOINT_PLANAR);
    CHECK_TEXT(ut_joint_kind_name(model->joint[0].kind), "planar");
    CHECK(model->q0[0] == 1.0 && model->q0[1] == 3.0);
    CHECK_NEAR(model->q0[2], 40.0 * PI / 180.0, 2e-16);
    CHECK(!model->tree[0].free && model->tree[0].planar);
    // gravity, which is along -z, lies in the plane; the solid's inertia is a ball's
    check_vec3(model->options.gravity, 0, 0, -9.81, 0.0);
    CHECK_NEAR(model->body[1].inertia.m[1][1], 0.4 * 0.01, 1e-17);
    ut_model_destroy(model);
}

TEST(gravity_out_of_the_plane_is_left_out)
{
    utModelDef* def = planar_def(UT_PLANAR_YZ);
    CHECK_INT(ut_model_def_set(def, "option.gravity", "1 2 3", NULL), UT_OK);
    utModel* model = compile(def);
    check_vec3(model->options.gravity, 0, 2, 3, 0.0);
    ut_model_destroy(model);
}

// A point mass is a particle unless a body with mass is welded to it.
static int kind_of_point(double child_mass)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    utBodyDef body = ut_body_def();
    body.inertial = true;
    body.mass = 1.0;
    const int point = ut_model_def_body(def, &body);
    add_joint(def, point, UT_JOINT_FREE, NULL);
    utBodyDef child = ut_body_def();
    child.parent = point;
    child.pos = ut_vec3(0.5, 0, 0);
    child.inertial = true;
    child.mass = child_mass;
    ut_model_def_body(def, &child);
    utModel* model = compile(def);
    const int kind = model != NULL ? (int)model->joint[0].kind : -1;
    CHECK_INT(model->nv, kind == UT_JOINT_PARTICLE ? 2 : 3);
    ut_model_destroy(model);
    return kind;
}

TEST(a_point_mass_is_a_particle_and_two_of_them_are_none)
{
    CHECK_INT(kind_of_point(0.0), UT_JOINT_PARTICLE);
    CHECK_INT(kind_of_point(1.0), UT_JOINT_PLANAR);
}

// A point mass at the end of a massless arm turns about its hinge with m l^2.
TEST(a_point_mass_may_hang_on_a_hinge)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    utBodyDef body = ut_body_def();
    body.inertial = true;
    body.mass = 1.0;
    body.com = ut_vec3(0.5, 0, 0);
    const int b = ut_model_def_body(def, &body);
    add_joint(def, b, UT_JOINT_HINGE, NULL);
    utModel* model = compile(def);
    CHECK(model != NULL);
    ut_model_destroy(model);

    def = planar_def(UT_PLANAR_XY);
    body.name = "bob";
    body.com = ut_vec3(0, 0, 1);
    ut_model_def_body(def, &body);
    add_joint(def, 1, UT_JOINT_HINGE, NULL);
    says(def, "error: body 'bob' turns but has no inertia about the normal of the plane xy");
}

// In the plane q ⊕ h v and its inverse are plain sums, and angles are not wrapped.
TEST(planar_positions_move_along_their_velocities)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    add_link(def, 0, "a", UT_JOINT_FREE);
    utModel* model = compile(def);
    double q[3] = {1, 2, 3}, next[3], back[3];
    const double v[3] = {2, -4, 8};
    ut_model_integrate(model, q, v, 0.5, next);
    CHECK(next[0] == 2.0 && next[1] == 0.0 && next[2] == 7.0);
    ut_model_difference(model, q, next, back);
    CHECK(back[0] == 1.0 && back[1] == -2.0 && back[2] == 4.0);
    CHECK(ut_model_normalize(model, next, NULL));
    CHECK(next[2] == 7.0);
    next[2] = (double)NAN;
    int at = 0;
    CHECK(!ut_model_normalize(model, next, &at));
    CHECK_INT(at, 2);
    ut_model_destroy(model);
}

TEST(a_planar_keyframe_has_three_numbers_a_body)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    add_link(def, 0, "a", UT_JOINT_FREE);
    const double q[3] = {1, 2, 3};
    ut_model_def_keyframe(def, &(utKeyframeDef){.name = "k", .nq = 3, .q = q});
    utModel* model = compile(def);
    CHECK(model->keyframe[0].q[2] == 3.0);
    ut_model_destroy(model);

    def = planar_def(UT_PLANAR_XY);
    add_link(def, 0, "a", UT_JOINT_FREE);
    const double seven[7] = {0, 0, 0, 1, 0, 0, 0};
    ut_model_def_keyframe(def, &(utKeyframeDef){.name = "k", .nq = 7, .q = seven, .origin = HERE});
    says(def, "a.xml:7: error: keyframe 'k' gives 7 entries of q; the model has 3");
}

TEST(planar_is_set_by_name)
{
    utModelDef* def = new_def();
    add_link(def, 0, "a", UT_JOINT_FREE);
    utError err = {0};
    CHECK_INT(ut_model_def_set(def, "option.planar", "xw", &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "option.planar takes none, xy, xz or yz; got \"xw\"");
    CHECK_INT(ut_model_def_set(def, "option.planar", "yz", &err), UT_OK);
    utModel* model = NULL;
    CHECK_INT(ut_model_compile(def, NULL, &model, NULL), UT_OK);
    CHECK_INT(model->options.planar, UT_PLANAR_YZ);
    const uint64_t yz = model->hash;
    ut_model_destroy(model);
    CHECK_INT(ut_model_def_set(def, "option.planar", "xz", &err), UT_OK);
    model = compile(def);
    CHECK(model->hash != yz);
    ut_model_destroy(model);
}

// ---- figures ------------------------------------------------------------------------------------

// The figure of one shape, turned by `quat`, at (0.1, 0.2, 0.3).
static utModel* with_shape(utPlanar planar, utShape shape, utQuat quat)
{
    utModelDef* def = planar_def(planar);
    utGeomDef geom = ut_geom_def(0, shape.kind, shape.size);
    geom.shape = shape;
    geom.pos = ut_vec3(0.1, 0.2, 0.3);
    geom.quat = quat;
    ut_model_def_geom(def, &geom);
    return compile(def);
}

static void check_figure(utPlanar planar, utShapeKind kind, utVec3 size, utQuat quat,
                         utFlatKind flat, double x, double y, double angle)
{
    utModel* model = with_shape(planar, ut_shape(kind, size), quat);
    if (model == NULL) {
        return;
    }
    const utModelGeom* g = &model->geom[0];
    const utPlane plane = ut_plane(planar);
    const utVec2 at = ut_plane_in(&plane, ut_vec3(0.1, 0.2, 0.3));
    CHECK_INT(g->flat.kind, flat);
    CHECK_NEAR(g->flat.size.x, x, 1e-15);
    CHECK_NEAR(g->flat.size.y, y, 1e-15);
    CHECK(g->in_flat.position.x == at.x && g->in_flat.position.y == at.y);
    CHECK_NEAR(g->in_flat.cosine, cos(angle), 4e-16);
    CHECK_NEAR(g->in_flat.sine, sin(angle), 4e-16);
    ut_model_destroy(model);
}

static utQuat about(double x, double y, double z, double degrees)
{
    return ut_quat_from_axis_angle(ut_vec3(x, y, z), degrees * PI / 180.0);
}

TEST(shapes_become_figures_of_the_plane)
{
    const utVec3 size = ut_vec3(0.5, 0.2, 0.7);
    const utQuat none = ut_quat_identity();
    check_figure(UT_PLANAR_XY, UT_SHAPE_SPHERE, size, none, UT_FLAT_CIRCLE, 0.5, 0.0, 0.0);
    // boxes: one axis is the normal, the others give the rectangle in their order
    check_figure(UT_PLANAR_XY, UT_SHAPE_BOX, size, none, UT_FLAT_RECTANGLE, 0.5, 0.2, 0.0);
    check_figure(UT_PLANAR_XZ, UT_SHAPE_BOX, size, none, UT_FLAT_RECTANGLE, 0.5, 0.7, 0.0);
    check_figure(UT_PLANAR_YZ, UT_SHAPE_BOX, size, none, UT_FLAT_RECTANGLE, 0.2, 0.7, 0.0);
    check_figure(UT_PLANAR_XY, UT_SHAPE_BOX, size, about(0, 0, 1, 30), UT_FLAT_RECTANGLE, 0.5, 0.2,
                 PI / 6);
    // about -y, the normal of xz
    check_figure(UT_PLANAR_XZ, UT_SHAPE_BOX, size, about(0, 1, 0, 30), UT_FLAT_RECTANGLE, 0.5, 0.7,
                 -PI / 6);
    // its z axis along x: half extents 0.7 along x
    check_figure(UT_PLANAR_XZ, UT_SHAPE_CAPSULE, size, about(0, 1, 0, 90), UT_FLAT_CAPSULE, 0.5,
                 0.2, 0.0);
    check_figure(UT_PLANAR_XZ, UT_SHAPE_CAPSULE, size, none, UT_FLAT_CAPSULE, 0.5, 0.2, PI / 2);
    check_figure(UT_PLANAR_XY, UT_SHAPE_CAPSULE, size, none, UT_FLAT_CIRCLE, 0.5, 0.0, 0.0);
    check_figure(UT_PLANAR_XY, UT_SHAPE_CYLINDER, size, none, UT_FLAT_CIRCLE, 0.5, 0.0, 0.0);
    check_figure(UT_PLANAR_YZ, UT_SHAPE_CYLINDER, size, none, UT_FLAT_RECTANGLE, 0.2, 0.5, PI / 2);
    // a plane whose normal is z: upright in xz and yz
    check_figure(UT_PLANAR_XZ, UT_SHAPE_PLANE, size, none, UT_FLAT_HALFPLANE, 0.0, 0.0, 0.0);
    check_figure(UT_PLANAR_YZ, UT_SHAPE_PLANE, size, none, UT_FLAT_HALFPLANE, 0.0, 0.0, 0.0);
    // z turned to x: y of the figure is x of the plane, its x is -y
    check_figure(UT_PLANAR_XY, UT_SHAPE_PLANE, size, about(0, 1, 0, 90), UT_FLAT_HALFPLANE, 0.0,
                 0.0, -PI / 2);
}

// A cube on its corner, seen along its diagonal, is a regular hexagon of side sqrt(2/3) edge; a
// cube seen along a face is a square, whose corners are those of two faces each.
TEST(a_hull_becomes_the_outline_of_its_shadow)
{
    utVec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = ut_vec3((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
    }
    utArena arena = test_arena();
    utHull hull;
    CHECK_INT(ut_hull_build(8, corner, &arena, arena, &hull, NULL), UT_OK);
    utShape shape = {.kind = UT_SHAPE_HULL, .hull = &hull};
    utVec3 t1, t2, diagonal;
    ut_vec3_normalize(ut_vec3(1, 1, 1), &diagonal);
    ut_tangent_basis(diagonal, &t1, &t2);
    // takes the diagonal to z
    const utQuat stand =
        ut_quat_conjugate(ut_quat_from_mat3(ut_mat3_from_columns(t1, t2, diagonal)));
    const utQuat turns[2] = {stand, ut_quat_identity()};
    const int corners[2] = {6, 4};
    const double sides[2] = {sqrt(2.0 / 3.0), 1.0};
    for (int k = 0; k < 2; k++) {
        utModel* model = with_shape(UT_PLANAR_XY, shape, turns[k]);
        const utFlatShape* flat = &model->geom[0].flat;
        CHECK_INT(flat->kind, UT_FLAT_POLYGON);
        if (CHECK_INT(flat->corners, corners[k])) {
            for (int i = 0; i < corners[k]; i++) {
                const utVec2 a = flat->corner[i], b = flat->corner[(i + 1) % corners[k]];
                const utVec2 c = flat->corner[(i + 2) % corners[k]];
                CHECK_NEAR(hypot(b.x - a.x, b.y - a.y), sides[k], 1e-14);
                CHECK((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0.1);
            }
        }
        ut_model_destroy(model);
    }
}

// ---- what is refused ----------------------------------------------------------------------------

static void refuse_joint(utPlanar planar, utJointKind kind, utVec3 axis, const char* want)
{
    utModelDef* def = planar_def(planar);
    const int b = add_body(def, 0, "b", ut_vec3_zero());
    add_ball(def, b, NULL);
    utJointDef joint = ut_joint_def(b, kind);
    joint.name = "j";
    joint.axis = axis;
    joint.origin = HERE;
    ut_model_def_joint(def, &joint);
    says(def, want);
}

TEST(joints_that_leave_the_plane_are_refused)
{
    refuse_joint(
        UT_PLANAR_XY, UT_JOINT_BALL, ut_vec3(0, 0, 1),
        "a.xml:7: error: joint 'j' is a ball; in the plane xy use a hinge about its normal");
    refuse_joint(UT_PLANAR_XZ, UT_JOINT_HINGE, ut_vec3(0, 0, 1),
                 "a.xml:7: error: axis of hinge joint 'j' is not the normal of the plane xz; give "
                 "it 0 1 0");
    refuse_joint(UT_PLANAR_XY, UT_JOINT_HINGE, ut_vec3(1e-8, 0, 1),
                 "a.xml:7: error: axis of hinge joint 'j' is not the normal of the plane xy; give "
                 "it 0 0 1");
    refuse_joint(UT_PLANAR_YZ, UT_JOINT_SLIDE, ut_vec3(1, 1, 0),
                 "a.xml:7: error: axis of slide joint 'j' does not lie in the plane yz, in which "
                 "all bodies move");
    refuse_joint(UT_PLANAR_XY, UT_JOINT_PLANAR, ut_vec3(0, 0, 1),
                 "a.xml:7: error: joint 'j' is of kind 4, which does not exist; there are 0 to 3");
}

TEST(rounding_of_axes_and_frames_is_put_right)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    utBodyDef body = ut_body_def();
    body.quat = ut_quat(0.8, 1e-12, -1e-12, 0.6);
    const int b = ut_model_def_body(def, &body);
    add_ball(def, b, NULL);
    utJointDef joint = ut_joint_def(b, UT_JOINT_HINGE);
    joint.axis = ut_vec3(1e-12, 0, -2);
    ut_model_def_joint(def, &joint);
    utModel* model = compile(def);
    check_vec3(model->joint[0].axis, 0, 0, -1, 0.0);
    CHECK(model->body[1].quat.x == 0.0 && model->body[1].quat.y == 0.0);
    CHECK_NEAR(model->body[1].quat.z, 0.6, 1e-15);
    ut_model_destroy(model);
}

TEST(bodies_turned_out_of_the_plane_are_refused)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    utBodyDef body = ut_body_def();
    body.name = "b";
    body.quat = about(1, 0, 0, 1.0);
    body.origin = HERE;
    ut_model_def_body(def, &body);
    says(def, "a.xml:7: error: body 'b' is turned out of the plane xy; in a planar world bodies "
              "turn about its normal only");
}

static void refuse_shape(utShapeKind kind, utQuat quat, const char* want)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    utGeomDef geom = ut_geom_def(0, kind, ut_vec3(0.1, 0.2, 0.3));
    geom.name = "g";
    geom.quat = quat;
    geom.origin = HERE;
    ut_model_def_geom(def, &geom);
    says(def, want);
    // a geom that does not collide may have any shape
    def = planar_def(UT_PLANAR_XY);
    geom.contype = geom.conaffinity = 0;
    ut_model_def_geom(def, &geom);
    utModel* model = compile(def);
    CHECK(model != NULL && model->geom[0].flat.kind == UT_FLAT_KIND_COUNT);
    ut_model_destroy(model);
}

TEST(shapes_that_are_no_figures_are_refused)
{
    const utQuat askew = about(1, 0, 0, 10);
    refuse_shape(UT_SHAPE_ELLIPSOID, ut_quat_identity(),
                 "a.xml:7: error: geom 'g' (ellipsoid) has no figure in the plane xy; use a box, a "
                 "sphere, a capsule, a cylinder or a plane (or set contype and conaffinity to "
                 "0)");
    refuse_shape(UT_SHAPE_BOX, askew,
                 "a.xml:7: error: geom 'g' (box) has no figure in the plane xy; one of its axes "
                 "must be the plane's normal (or set contype and conaffinity to 0)");
    refuse_shape(UT_SHAPE_CAPSULE, askew,
                 "a.xml:7: error: geom 'g' (capsule) has no figure in the plane xy; its axis must "
                 "lie in the plane or be its normal (or set contype and conaffinity to 0)");
    refuse_shape(UT_SHAPE_PLANE, ut_quat_identity(),
                 "a.xml:7: error: geom 'g' (plane) has no figure in the plane xy; its normal must "
                 "lie in the plane (or set contype and conaffinity to 0)");
}

TEST(a_planar_body_has_three_degrees_of_freedom_at_most)
{
    utModelDef* def = planar_def(UT_PLANAR_XY);
    const int b = add_body(def, 0, "b", ut_vec3_zero());
    add_ball(def, b, NULL);
    for (int k = 0; k < 4; k++) {
        add_joint(def, b, UT_JOINT_HINGE, NULL);
    }
    says(def, "error: joints of body 'b' have 4 degrees of freedom; a body has at most 3");
}
