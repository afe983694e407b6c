// SPDX-License-Identifier: Apache-2.0
// The geometry test accepts contacts of the narrow phase and rejects wrong ones.
#include <uptack/collision.h>

#include "scene.h"

static const utVec3 SIZES[UT_SHAPE_KIND_COUNT] = {
    [UT_SHAPE_PLANE] = {1, 1, 1},        [UT_SHAPE_SPHERE] = {0.3, 0, 0},
    [UT_SHAPE_CAPSULE] = {0.2, 0.4, 0},  [UT_SHAPE_BOX] = {0.4, 0.3, 0.2},
    [UT_SHAPE_CYLINDER] = {0.3, 0.2, 0}, [UT_SHAPE_ELLIPSOID] = {0.4, 0.3, 0.2},
    [UT_SHAPE_HEIGHTS] = {1, 1.2, 1},
};

// ---- shapes with data of their own --------------------------------------------------------------

enum { SIDE = 6, GRID = SIDE * SIDE }; // points of a landscape

static double hills(int column, int row)
{
    return 0.15 * sin(1.7 * column + 0.3) * cos(1.3 * row) + 0.02 * ((3 * column + row) % 5);
}

static const utHull* make_hull(utArena* keep)
{
    // points on a squeezed sphere beside the origin, so that all of them are corners of the hull
    utVec3 point[20];
    utRng rng = ut_rng(5, 5);
    for (int i = 0; i < 20; i++) {
        utVec3 d = {0, 0, 1};
        ut_vec3_normalize(ut_vec3(ut_rng_normal(&rng), ut_rng_normal(&rng), ut_rng_normal(&rng)),
                          &d);
        point[i] = ut_vec3(0.05 + 0.3 * d.x, 0.25 * d.y - 0.02, 0.2 * d.z);
    }
    utHull* hull = UT_PUSH(keep, utHull, 1);
    utArena scratch = test_arena();
    CHECK_INT(ut_hull_build(20, point, keep, scratch, hull, NULL), UT_OK);
    return hull;
}

static const utMesh* make_mesh(utArena* keep)
{
    utVec3 vertex[GRID];
    int triangle[6 * GRID], triangles = 0;
    for (int i = 0; i < GRID; i++) {
        const int column = i % SIDE, row = i / SIDE;
        vertex[i] = ut_vec3(0.4 * column - 1.0, 0.4 * row - 1.0, hills(column, row));
        if (column + 1 < SIDE && row + 1 < SIDE) {
            const int cut[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            memcpy(triangle + 3 * triangles, cut, sizeof cut);
            triangles += 2;
        }
    }
    utMesh* mesh = UT_PUSH(keep, utMesh, 1);
    utArena scratch = test_arena();
    CHECK_INT(ut_mesh_build(GRID, vertex, triangles, triangle, keep, scratch, mesh, NULL), UT_OK);
    return mesh;
}

static const utHeights* make_heights(utArena* keep)
{
    double* height = UT_PUSH(keep, double, GRID);
    utHeights* heights = UT_PUSH(keep, utHeights, 1);
    for (int i = 0; i < GRID; i++) {
        height[i] = hills(i % SIDE, i / SIDE);
    }
    CHECK_INT(ut_heights_build(SIDE, SIDE, height, heights, NULL), UT_OK);
    return heights;
}

static void add_data(utShape* shape, utArena* keep)
{
    if (shape->kind == UT_SHAPE_HULL) {
        shape->hull = make_hull(keep);
    } else if (shape->kind == UT_SHAPE_MESH) {
        shape->mesh = make_mesh(keep);
    } else if (shape->kind == UT_SHAPE_HEIGHTS) {
        shape->heights = make_heights(keep);
    }
}

// ---- pairs --------------------------------------------------------------------------------------

// Two free bodies, or one body and a plane or surface in the world, each with one shape. The model
// has its own copy of the shapes' data.
static utModel* make_pair(utShapeKind a, utShapeKind b)
{
    static double memory[1 << 16];
    utArena keep = ut_arena_on(memory, sizeof memory);
    utModelDef* def = NULL;
    ut_model_def_create(NULL, &def);
    const utShapeKind kinds[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        int body = 0;
        if (ut_shape_is_convex(kinds[k])) {
            const utBodyDef body_def = ut_body_def();
            body = ut_model_def_body(def, &body_def);
            const utJointDef joint = ut_joint_def(body, UT_JOINT_FREE);
            ut_model_def_joint(def, &joint);
        }
        utGeomDef geom = ut_geom_def(body, kinds[k], SIZES[kinds[k]]);
        add_data(&geom.shape, &keep);
        geom.pos = ut_vec3(0.1, -0.2, 0.3);
        geom.quat = ut_quat(0.5, 0.5, -0.5, 0.5);
        ut_model_def_geom(def, &geom);
    }
    utModel* model = NULL;
    utError err;
    if (!CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    memset(memory, 0xff, sizeof memory);
    return model;
}

typedef struct Meeting {
    utModel* model;
    double q[14], v[12];
    utContact contact[UT_TOUCH_MAX];
    int contacts;
    double geometry; ///< of the certificate
} Meeting;

static void judge(Meeting* m)
{
    static double q_next[14];
    const utStepReport report = {.model = m->model,
                                 .h = 0.01,
                                 .integrator = UT_INTEGRATOR_EULER,
                                 .formulation = UT_FORMULATION_COULOMB,
                                 .q = m->q,
                                 .v = m->v,
                                 .v_free = m->v,
                                 .v_next = m->v,
                                 .q_next = q_next,
                                 .contacts = m->contacts,
                                 .contact = m->contact};
    utCertificate c;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &c), UT_OK);
    m->geometry = c.geometry;
}

// A contact at the nearest points, for pairs without a manifold.
static int nearest(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
                   utTouch* touch)
{
    utGap gap;
    if (!ut_shape_is_convex(a->kind) || !ut_shape_is_convex(b->kind) ||
        !CHECK_INT(ut_gap(a, A, b, B, &gap), UT_OK) || !(gap.gap <= margin)) {
        return 0;
    }
    const utVec3 middle = ut_vec3_scale(ut_vec3_add(gap.on_a, gap.on_b), 0.5);
    *touch = (utTouch){.point = middle, .normal = gap.normal, .gap = gap.gap};
    return 1;
}

static void collide(Meeting* m, double margin)
{
    utArena arena = test_arena();
    utKinematics kin;
    utFrame at[2];
    utTouch touch[UT_TOUCH_MAX];
    CHECK_INT(ut_kinematics_create(m->model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, m->q, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        at[k] = ut_frame_mul(kin.body[m->model->geom[k].body], m->model->geom[k].in_body);
    }
    const utShape* a = &m->model->geom[0].shape;
    const utShape* b = &m->model->geom[1].shape;
    m->contacts = ut_collide(a, at[0], b, at[1], margin, touch);
    if (m->contacts == 0) {
        m->contacts = nearest(a, at[0], b, at[1], margin, touch);
    }
    for (int i = 0; i < m->contacts; i++) {
        utContact* c = &m->contact[i];
        *c = (utContact){.geom1 = 0,
                         .geom2 = 1,
                         .point = touch[i].point,
                         .gap = touch[i].gap,
                         .mu = ut_model_friction(m->model, 0, 1),
                         .condim = ut_model_condim(m->model, 0, 1)};
        c->frame[0] = touch[i].normal;
        ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
    }
}

static void random_place(Meeting* m, utRng* rng, bool flat)
{
    for (int b = 0; b < m->model->nq / 7; b++) {
        double* q = m->q + 7 * b;
        for (int i = 0; i < 7; i++) {
            q[i] = i < 3 ? ut_rng_range(rng, -0.6, 0.6) : flat ? 0.0 : ut_rng_normal(rng);
        }
        q[3] = flat ? 1.0 : q[3];
    }
    ut_model_normalize(m->model, m->q, NULL);
}

TEST(contacts_of_the_narrow_phase_lie_between_their_shapes)
{
    int found = 0;
    for (int a = 0; a < UT_SHAPE_KIND_COUNT; a++) {
        for (int b = 0; b < UT_SHAPE_KIND_COUNT; b++) {
            if (!ut_shape_is_convex((utShapeKind)a) && !ut_shape_is_convex((utShapeKind)b)) {
                continue;
            }
            Meeting m = {.model = make_pair((utShapeKind)a, (utShapeKind)b)};
            utRng rng = ut_rng((uint64_t)a, (uint64_t)b);
            for (int k = 0; k < 200; k++) {
                random_place(&m, &rng, k % 4 == 0);
                collide(&m, 0.2);
                found += m.contacts;
                if (m.contacts == 0) {
                    continue;
                }
                judge(&m);
                if (!CHECK(m.geometry <= 1e-11)) {
                    test_note("%s and %s, %d: %g", ut_shape_kind_name((utShapeKind)a),
                              ut_shape_kind_name((utShapeKind)b), k, m.geometry);
                }
            }
            ut_model_destroy(m.model);
        }
    }
    CHECK(found > 4000);
}

// Two boxes on each other, almost parallel: the angles are around the limit below which collision
// treats directions as equal, so that faces and edges compete as contact features.
static void place_on_top(Meeting* m, utRng* rng)
{
    const double turned = ut_rng_below(rng, 4) == 0 ? 0.0 : ut_rng_range(rng, -3, 3);
    const double tilt = pow(10.0, ut_rng_range(rng, -7, -3));
    const utVec3 about = ut_vec3(ut_rng_range(rng, -tilt, tilt), ut_rng_range(rng, -tilt, tilt), 0);
    const utQuat quat =
        ut_quat_mul(ut_quat_exp(about), ut_quat_from_axis_angle(ut_vec3(0, 0, 1), turned));
    const utVec3 at = ut_vec3(ut_rng_range(rng, -0.6, 0.6), ut_rng_range(rng, -0.5, 0.5),
                              0.4 + tilt * ut_rng_range(rng, -1, 0.5));
    // the pose of the second body that puts its geom there, relative to the first geom
    const utFrame geom = m->model->geom[0].in_body;
    const utFrame on = ut_frame_mul(geom, ut_frame(ut_quat_to_mat3(quat), at));
    const utQuat turn = ut_quat_mul(ut_quat_mul(m->model->geom[0].quat, quat),
                                    ut_quat_conjugate(m->model->geom[1].quat));
    const utVec3 p = ut_vec3_sub(on.p, ut_quat_rotate(turn, m->model->geom[1].in_body.p));
    const double q[14] = {0, 0, 0, 1, 0, 0, 0, p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z};
    memcpy(m->q, q, sizeof q);
}

TEST(contacts_of_almost_parallel_boxes_lie_between_them)
{
    Meeting m = {.model = make_pair(UT_SHAPE_BOX, UT_SHAPE_BOX)};
    utRng rng = ut_rng(4, 19);
    int found = 0;
    for (int k = 0; k < 5000; k++) {
        place_on_top(&m, &rng);
        collide(&m, k % 2 == 0 ? 0.0 : 1e-3);
        found += m.contacts > 0;
        if (m.contacts > 0) {
            judge(&m);
            if (!CHECK(m.geometry <= 1e-11)) {
                test_note("%d: %g", k, m.geometry);
            }
        }
    }
    CHECK(found > 2000);
    ut_model_destroy(m.model);
}

// Errors of gap, point, normal, geoms and of the point on the first shape, one at a time.
TEST(wrong_contacts_fail)
{
    for (int a = 0; a < UT_SHAPE_KIND_COUNT; a++) {
        Meeting m = {.model = make_pair((utShapeKind)a, UT_SHAPE_BOX)};
        utRng rng = ut_rng((uint64_t)a, 77);
        for (int k = 0; k < 40; k++) {
            random_place(&m, &rng, false);
            collide(&m, 0.2);
            for (int spoil = 0; spoil < 6 && m.contacts > 0; spoil++) {
                utContact* c = &m.contact[m.contacts - 1];
                const utContact good = *c;
                const utVec3 n = c->frame[0];
                if (spoil == 0) {
                    c->gap += 1e-7;
                } else if (spoil == 1) {
                    c->point = ut_vec3_add_scaled(c->point, 1e-7, n);
                } else if (spoil == 2) {
                    c->frame[0] = ut_vec3_negate(n);
                    c->frame[1] = ut_vec3_negate(c->frame[1]);
                } else if (spoil == 3) {
                    c->frame[1] = ut_vec3_scale(c->frame[1], 1.0 + 1e-6);
                } else if (spoil == 4) {
                    c->geom1 = 1;
                    c->geom2 = 0;
                } else {
                    // the point on the first shape moves by 1e-7, the one on the second stays
                    c->gap += 1e-7;
                    c->point = ut_vec3_add_scaled(c->point, -5e-8, n);
                }
                judge(&m);
                if (!CHECK(m.geometry > 1e-9)) {
                    test_note("kind %d, %d, spoilt by %d: %g", a, k, spoil, m.geometry);
                }
                *c = good;
            }
        }
        ut_model_destroy(m.model);
    }
}

// A capsule along x, 0.1 above a plane: its shaft is 0.4 long to each side.
TEST(a_capsule_ends_where_it_ends)
{
    Meeting m = {.model = make_pair(UT_SHAPE_PLANE, UT_SHAPE_CAPSULE)};
    utArena arena = test_arena();
    utKinematics kin;
    m.q[3] = 1.0;
    CHECK_INT(ut_kinematics_create(m.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, m.q, NULL, NULL);
    // rotate the body so that the capsule's axis is along the plane's x
    const utQuat plane = m.model->geom[0].quat, capsule = m.model->geom[1].quat;
    const utQuat lay = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), 1.5707963267948966);
    const utQuat turn = ut_quat_mul(ut_quat_mul(plane, lay), ut_quat_conjugate(capsule));
    const utFrame ground = m.model->geom[0].in_body;
    const utVec3 center = ut_frame_point(ground, ut_vec3(0, 0, 0.3));
    const utVec3 at = ut_vec3_sub(center, ut_quat_rotate(turn, m.model->geom[1].in_body.p));
    const double q[7] = {at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z};
    memcpy(m.q, q, sizeof q);
    for (int k = 0; k < 2; k++) {
        const double x = k == 0 ? 0.39999 : 0.40001;
        utContact* c = &m.contact[0];
        *c = (utContact){.geom1 = 0, .geom2 = 1, .gap = 0.1, .mu = 1.0, .condim = 3};
        c->point = ut_frame_point(ground, ut_vec3(x, 0, 0.05));
        c->frame[0] = ut_mat3_column(ground.R, 2);
        ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
        m.contacts = 1;
        judge(&m);
        // 1e-5 over the sum of the radius 0.6 and the gap
        CHECK_NEAR(m.geometry, k == 0 ? 0.0 : 1e-5 / 0.7, 1e-9);
    }
    ut_model_destroy(m.model);
}

// A box stands on a surface, face on face. A contact inside the face has only the common normal, on
// a triangle and on the flat edge between two triangles.
TEST(a_wrong_normal_on_a_surface_fails)
{
    static const utShapeKind kinds[] = {UT_SHAPE_MESH, UT_SHAPE_HEIGHTS};
    for (int k = 0; k < 2; k++) {
        static double memory[1 << 12];
        utArena keep = ut_arena_on(memory, sizeof memory);
        utModelDef* def = NULL;
        ut_model_def_create(NULL, &def);
        const utBodyDef body = ut_body_def();
        const utJointDef joint = ut_joint_def(ut_model_def_body(def, &body), UT_JOINT_FREE);
        ut_model_def_joint(def, &joint);
        utGeomDef ground = ut_geom_def(0, kinds[k], ut_vec3(1, 1, 1));
        const utGeomDef box = ut_geom_def(1, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
        static const double level[4] = {0, 0, 0, 0};
        const utVec3 vertex[4] = {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}};
        const int triangle[6] = {0, 1, 3, 0, 3, 2};
        utMesh mesh;
        utHeights heights;
        CHECK_INT(ut_mesh_build(4, vertex, 2, triangle, &keep, test_arena(), &mesh, NULL), UT_OK);
        CHECK_INT(ut_heights_build(2, 2, level, &heights, NULL), UT_OK);
        if (kinds[k] == UT_SHAPE_MESH) {
            ground.shape.mesh = &mesh;
        } else {
            ground.shape.heights = &heights;
        }
        ut_model_def_geom(def, &ground);
        ut_model_def_geom(def, &box);
        Meeting m = {.q = {0, 0, 0.5, 1, 0, 0, 0}, .contacts = 1};
        CHECK_INT(ut_model_compile(def, NULL, &m.model, NULL), UT_OK);
        ut_model_def_destroy(def);
        for (int tilted = 0; tilted < 8; tilted++) {
            const double x = tilted % 2 == 0 ? 0.1 : 0.3; // on the diagonal or not
            const double angle = tilted < 2 ? 0.0 : 1e-4, way = tilted / 2;
            utContact* c = &m.contact[0];
            *c = (utContact){.geom1 = 0, .geom2 = 1, .mu = 1.0, .condim = 3, .point = {x, 0.1, 0}};
            ut_vec3_normalize(ut_vec3(angle * sin(way), angle * cos(way), 1.0), &c->frame[0]);
            ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
            judge(&m);
            CHECK(tilted < 2 ? m.geometry <= 1e-15 : m.geometry > 1e-5);
        }
        ut_model_destroy(m.model);
    }
}

// Two slopes z = -s |x|, a ridge for s > 0 and a trough for s < 0, with a free box.
static utModel* make_slopes(double s)
{
    static double memory[1 << 12];
    utArena keep = ut_arena_on(memory, sizeof memory);
    const utVec3 vertex[6] = {{-1, -1, -s}, {0, -1, 0}, {1, -1, -s}, //
                              {-1, 1, -s},  {0, 1, 0},  {1, 1, -s}};
    const int triangle[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    utMesh mesh;
    CHECK_INT(ut_mesh_build(6, vertex, 4, triangle, &keep, test_arena(), &mesh, NULL), UT_OK);
    utModelDef* def = NULL;
    ut_model_def_create(NULL, &def);
    const utBodyDef body = ut_body_def();
    const utJointDef joint = ut_joint_def(ut_model_def_body(def, &body), UT_JOINT_FREE);
    ut_model_def_joint(def, &joint);
    utGeomDef ground = ut_geom_def(0, UT_SHAPE_MESH, ut_vec3_zero());
    ground.shape.mesh = &mesh;
    ut_model_def_geom(def, &ground);
    const utGeomDef box = ut_geom_def(1, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
    ut_model_def_geom(def, &box);
    utModel* model = NULL;
    CHECK_INT(ut_model_compile(def, NULL, &model, NULL), UT_OK);
    ut_model_def_destroy(def);
    return model;
}

// A contact at the edge of the slopes with the normal (tan, 0, 1), inside the lower face of a box
// whose normal differs: only the surface can have this normal.
static double touch_edge(double s, double tan)
{
    Meeting m = {.model = make_slopes(s), .contacts = 1};
    const utQuat turn = ut_quat_from_axis_angle(ut_vec3(1, 0, 0), 0.3);
    const utVec3 at = {0, 0.2, 0};
    const utVec3 center = ut_vec3_sub(at, ut_quat_rotate(turn, ut_vec3(0, 0, -0.5)));
    const double q[7] = {center.x, center.y, center.z, turn.w, turn.x, turn.y, turn.z};
    memcpy(m.q, q, sizeof q);
    utContact* c = &m.contact[0];
    *c = (utContact){.geom1 = 0, .geom2 = 1, .mu = 1.0, .condim = 3, .point = at};
    ut_vec3_normalize(ut_vec3(tan, 0, 1), &c->frame[0]);
    ut_tangent_basis(c->frame[0], &c->frame[1], &c->frame[2]);
    judge(&m);
    ut_model_destroy(m.model);
    return m.geometry;
}

TEST(a_ridge_has_the_normals_between_its_slopes_and_a_trough_those_of_its_slopes)
{
    // slopes of 0.5 have the normals (-0.5, 0, 1) and (0.5, 0, 1)
    CHECK(touch_edge(0.5, 0.0) <= 1e-15);
    CHECK(touch_edge(0.5, 0.49) <= 1e-15);
    CHECK(touch_edge(0.5, 0.5) <= 1e-15);
    CHECK(touch_edge(0.5, 0.51) > 1e-3);
    CHECK(touch_edge(0.5, -0.51) > 1e-3);
    CHECK(touch_edge(-0.5, 0.5) <= 1e-15);
    CHECK(touch_edge(-0.5, -0.5) <= 1e-15);
    CHECK(touch_edge(-0.5, 0.49) > 1e-3);
    CHECK(touch_edge(-0.5, 0.0) > 1e-3);
}
