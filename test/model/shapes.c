// SPDX-License-Identifier: Apache-2.0
// Hulls, meshes and height fields in a model: mass, copies, hash, and bodies that may have them.
#include "build.h"

#include "geom/mesh_tree.h"

enum { ROOM = 1 << 15 };

// Memory for shapes that tests overwrite, so that a model without its own copies would change.
typedef struct Source {
    double memory[ROOM / sizeof(double)];
    utArena left;
} Source;

static void fill_source(Source* source, int byte)
{
    memset(source->memory, byte, sizeof source->memory);
    source->left = ut_arena_on(source->memory, sizeof source->memory);
}

// The corners of a box about a centre, and a point within it that is no corner.
static utShape box_hull(Source* source, utVec3 half, utVec3 centre)
{
    utVec3 point[9] = {centre};
    for (int i = 0; i < 8; i++) {
        point[i + 1] = ut_vec3_add(centre, ut_vec3(i & 1 ? half.x : -half.x, //
                                                   i & 2 ? half.y : -half.y, //
                                                   i & 4 ? half.z : -half.z));
    }
    utHull* hull = UT_PUSH(&source->left, utHull, 1);
    utError err = {0};
    if (!CHECK(ut_hull_build(9, point, &source->left, test_arena(), hull, &err) == UT_OK)) {
        test_note("%s", err.message);
    }
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

// Two triangles over a square of 2 m, one corner lifted.
static utShape roof(Source* source, double lifted, bool other_diagonal)
{
    const utVec3 vertex[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, lifted}, {-1, 1, 0}};
    const int one[6] = {0, 1, 2, 0, 2, 3}, other[6] = {0, 1, 3, 1, 2, 3};
    utMesh* mesh = UT_PUSH(&source->left, utMesh, 1);
    CHECK(ut_mesh_build(4, vertex, 2, other_diagonal ? other : one, &source->left, test_arena(),
                        mesh, NULL) == UT_OK);
    return (utShape){.kind = UT_SHAPE_MESH, .mesh = mesh};
}

static utShape field(Source* source, double last)
{
    const double height[6] = {0.1, 0.2, 0.3, -0.1, 0.0, last};
    double* copy = UT_PUSH(&source->left, double, 6);
    utHeights* heights = UT_PUSH(&source->left, utHeights, 1);
    memcpy(copy, height, sizeof height);
    CHECK(ut_heights_build(3, 2, copy, heights, NULL) == UT_OK);
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = {1, 2, 0.5}, .heights = heights};
}

static int add_shape(utModelDef* def, int body, utShape shape)
{
    utGeomDef geom = ut_geom_def(body, shape.kind, shape.size);
    geom.shape = shape;
    return ut_model_def_geom(def, &geom);
}

// ---- mass ---------------------------------------------------------------------------------------

static utModel* body_of(utShape shape, utVec3 pos, utQuat quat, double mass)
{
    utModelDef* def = new_def();
    const int body = add_body(def, 0, "block", ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    utGeomDef geom = ut_geom_def(body, shape.kind, shape.size);
    geom.shape = shape;
    geom.pos = pos;
    geom.quat = quat;
    geom.mass = mass;
    geom.density = 700;
    ut_model_def_geom(def, &geom);
    add_ball(def, body, NULL);
    return compile(def);
}

// A hull with the corners of a box away from its origin has the mass properties of that box.
TEST(a_hull_off_its_origin_has_the_inertia_of_the_box_it_is)
{
    static Source source;
    fill_source(&source, 0);
    const utVec3 half = ut_vec3(0.1, 0.25, 0.4), centre = ut_vec3(0.7, -0.3, 0.2);
    const utVec3 pos = ut_vec3(0.2, 0.1, -0.4);
    utQuat quat = ut_quat(0.8, 0.2, -0.4, 0.4); // a unit
    for (int k = 0; k < 2; k++) {
        const double mass = k == 0 ? -1.0 : 3.0;
        utModel* hull = body_of(box_hull(&source, half, centre), pos, quat, mass);
        const utVec3 there = ut_vec3_add(pos, ut_quat_rotate(quat, centre));
        utModel* box = body_of(ut_shape(UT_SHAPE_BOX, half), there, quat, mass);
        CHECK_NEAR(hull->mass, k == 0 ? 700 * 0.08 + 1.0 : 4.0, 1e-12);
        CHECK_NEAR(hull->mass, box->mass, 1e-12);
        check_vec3(hull->body[1].com, box->body[1].com.x, box->body[1].com.y, box->body[1].com.z,
                   1e-14);
        for (int i = 0; i < 9; i++) {
            CHECK_NEAR(hull->body[1].inertia.m[i / 3][i % 3], box->body[1].inertia.m[i / 3][i % 3],
                       1e-13 * hull->mass);
        }
        // the farthest corner from the geom's own origin
        CHECK_NEAR(hull->geom[0].radius, sqrt(0.8 * 0.8 + 0.55 * 0.55 + 0.6 * 0.6), 1e-15);
        ut_model_destroy(hull);
        ut_model_destroy(box);
    }
}

// ---- copies -------------------------------------------------------------------------------------

static void check_ints(const int* a, const int* b, int count)
{
    CHECK(memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

static void check_points(const utVec3* a, const utVec3* b, int count)
{
    for (int i = 0; i < count; i++) {
        check_vec3(a[i], b[i].x, b[i].y, b[i].z, 0.0);
    }
}

static void check_hull(const utHull* a, const utHull* b)
{
    CHECK_INT(a->vertices, 8);
    CHECK_INT(a->edges, 12);
    CHECK_INT(a->faces, 6);
    check_points(a->vertex, b->vertex, 8);
    check_ints(a->vertex_start, b->vertex_start, 9);
    check_ints(a->neighbour, b->neighbour, 24);
    check_points(a->normal, b->normal, 6);
    CHECK(memcmp(a->offset, b->offset, 6 * sizeof(double)) == 0);
    check_ints(a->face_start, b->face_start, 7);
    check_ints(a->face_vertex, b->face_vertex, 24);
    check_ints(a->face_edge, b->face_edge, 24);
    check_ints(a->edge_vertex, b->edge_vertex, 24);
    check_ints(a->edge_face, b->edge_face, 24);
    CHECK_NEAR(a->volume, b->volume, 0.0);
}

static void check_mesh(const utMesh* a, const utMesh* b)
{
    CHECK_INT(a->triangles, 2);
    CHECK_INT(a->nodes, b->nodes);
    check_points(a->vertex, b->vertex, 4);
    check_ints(a->triangle, b->triangle, 6);
    check_ints(a->adjacent, b->adjacent, 6);
    CHECK(memcmp(a->convex, b->convex, 6) == 0);
    check_points(a->normal, b->normal, 2);
    CHECK(memcmp(a->node, b->node, (size_t)a->nodes * sizeof *a->node) == 0);
}

// Two hulls, one of them twice, in another order than that of the model.
TEST(a_model_has_its_own_shapes_and_each_of_them_once)
{
    static Source source, again;
    fill_source(&source, 0);
    fill_source(&again, 0);
    utModelDef* def = new_def();
    const int body = add_body(def, 0, "body", ut_vec3_zero());
    add_joint(def, body, UT_JOINT_FREE, NULL);
    const utShape small = box_hull(&source, ut_vec3(0.1, 0.1, 0.1), ut_vec3_zero());
    const utShape large = box_hull(&source, ut_vec3(1, 2, 3), ut_vec3(1, 0, 0));
    add_shape(def, body, small);
    add_shape(def, body, large);
    add_shape(def, 0, small);
    add_shape(def, 0, roof(&source, 0.3, false));
    add_shape(def, 0, field(&source, 0.7));
    utModel* model = compile(def);
    fill_source(&source, 0xff);
    if (model == NULL) {
        return;
    }
    // the world's come first
    const utModelGeom* geom = model->geom;
    CHECK(geom[0].shape.hull == geom[3].shape.hull && geom[0].shape.hull != geom[4].shape.hull);
    check_hull(geom[0].shape.hull, box_hull(&again, ut_vec3(0.1, 0.1, 0.1), ut_vec3_zero()).hull);
    check_hull(geom[4].shape.hull, box_hull(&again, ut_vec3(1, 2, 3), ut_vec3(1, 0, 0)).hull);
    check_mesh(geom[1].shape.mesh, roof(&again, 0.3, false).mesh);
    const utHeights* heights = geom[2].shape.heights;
    CHECK_INT(heights->columns, 3);
    CHECK_INT(heights->rows, 2);
    CHECK(memcmp(heights->height, field(&again, 0.7).heights->height, 6 * sizeof(double)) == 0);
    ut_model_destroy(model);
}

// ---- hash ---------------------------------------------------------------------------------------

static uint64_t hash_of(utShape shape)
{
    utModelDef* def = new_def();
    add_shape(def, 0, shape);
    utModel* model = compile(def);
    const uint64_t hash = model != NULL ? model->hash : 0;
    ut_model_destroy(model);
    return hash;
}

TEST(what_a_shape_is_made_of_is_in_the_hash)
{
    static Source source, other;
    fill_source(&source, 0);
    fill_source(&other, 0x55);
    const utVec3 half = ut_vec3(0.1, 0.2, 0.3), centre = ut_vec3(0, 1, 0);
    const uint64_t hull = hash_of(box_hull(&source, half, centre));
    CHECK(hash_of(box_hull(&other, half, centre)) == hull);
    CHECK(hash_of(box_hull(&other, half, ut_vec3(0, 1, 1e-3))) != hull);
    const uint64_t mesh = hash_of(roof(&source, 0.5, false));
    CHECK(hash_of(roof(&other, 0.5, false)) == mesh);
    CHECK(hash_of(roof(&other, 0.501, false)) != mesh);
    CHECK(hash_of(roof(&other, 0.5, true)) != mesh);
    const uint64_t heights = hash_of(field(&source, 0.1));
    CHECK(hash_of(field(&other, 0.1)) == heights);
    CHECK(hash_of(field(&other, 0.101)) != heights);
}

// ---- where they may be --------------------------------------------------------------------------

static void check_refused(utShape shape, const char* message)
{
    utModelDef* def = new_def();
    utModel* model = NULL;
    utError err = {0};
    const int body = add_link(def, 0, "cart", UT_JOINT_FREE);
    const int on_it = add_body(def, body, "on_it", ut_vec3_zero());
    utGeomDef geom = ut_geom_def(on_it, shape.kind, shape.size);
    geom.name = "hill";
    geom.shape = shape;
    ut_model_def_geom(def, &geom);
    CHECK(ut_model_compile(def, NULL, &model, &err) == UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, message);
    ut_model_def_destroy(def);
}

TEST(surfaces_do_not_move)
{
    static Source source;
    fill_source(&source, 0);
    check_refused(
        roof(&source, 0.5, false),
        "geom 'hill' is a mesh on body 'on_it', which moves; meshes must be fixed to the world");
    check_refused(field(&source, 0.5), "geom 'hill' is a height field on body 'on_it', which "
                                       "moves; height fields must be fixed to the world");
    check_refused((utShape){.kind = UT_SHAPE_HULL},
                  "geom 'hill': hull: its data are missing; build it first");
}

TEST(surfaces_may_be_carried_by_a_mocap_body)
{
    static Source source;
    fill_source(&source, 0);
    utModelDef* def = new_def();
    utBodyDef tray = ut_body_def();
    tray.mocap = true;
    add_shape(def, ut_model_def_body(def, &tray), roof(&source, 0.5, false));
    utModel* model = compile(def);
    CHECK(model != NULL && model->body[1].mass == 0.0);
    ut_model_destroy(model);
}
