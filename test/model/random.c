// SPDX-License-Identifier: Apache-2.0
// Random trees: properties of every model, recomputed by independent methods.
#include "build.h"

enum { MOST = 40 };

static utVec3 random_vec3(utRng* rng, double size)
{
    const double x = ut_rng_range(rng, -size, size);
    const double y = ut_rng_range(rng, -size, size);
    return ut_vec3(x, y, ut_rng_range(rng, -size, size));
}

static utQuat random_quat(utRng* rng)
{
    const utVec3 v = random_vec3(rng, 1.0);
    return ut_quat(ut_rng_range(rng, 0.1, 1.0), v.x, v.y, v.z);
}

// Joints of one body: none, a free one at the top, or up to three others.
static void random_joints(utModelDef* def, utRng* rng, int body, int parent)
{
    const int choice = ut_rng_below(rng, 5);
    if (choice == 0) {
        return;
    }
    if (parent == 0 && choice == 1) {
        add_joint(def, body, UT_JOINT_FREE, NULL);
        return;
    }
    static const utJointKind kinds[] = {UT_JOINT_BALL, UT_JOINT_HINGE, UT_JOINT_SLIDE};
    for (int k = 0; k <= ut_rng_below(rng, 2); k++) {
        utJointDef joint = ut_joint_def(body, kinds[ut_rng_below(rng, 3)]);
        joint.pos = random_vec3(rng, 0.5);
        joint.axis = random_vec3(rng, 1.0);
        joint.ref = ut_rng_range(rng, -1.0, 1.0);
        ut_model_def_joint(def, &joint);
    }
}

static void random_geoms(utModelDef* def, utRng* rng, int body)
{
    static const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE, UT_SHAPE_BOX,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID};
    const int count = 1 + ut_rng_below(rng, 3);
    for (int k = 0; k < count; k++) {
        const utVec3 size = ut_vec3(0.1, 0.2, ut_rng_range(rng, 0.1, 0.3));
        utGeomDef geom = ut_geom_def(body, kinds[ut_rng_below(rng, 5)], size);
        geom.pos = random_vec3(rng, 0.5);
        geom.quat = random_quat(rng);
        ut_model_def_geom(def, &geom);
    }
}

static utModelDef* random_def(utRng* rng)
{
    utModelDef* def = new_def();
    const int bodies = 1 + ut_rng_below(rng, MOST - 1);
    int parents[MOST] = {0};
    for (int b = 1; b <= bodies; b++) {
        // depth-first: up from the last body by a few
        int parent = b - 1;
        while (parent > 0 && ut_rng_below(rng, 3) == 0) {
            parent = parents[parent];
        }
        parents[b] = parent;
        utBodyDef body = ut_body_def();
        char name[] = "b00";
        name[1] = (char)('0' + b / 10);
        name[2] = (char)('0' + b % 10);
        body.name = name;
        body.parent = parent;
        body.pos = random_vec3(rng, 1.0);
        body.quat = random_quat(rng);
        CHECK_INT(ut_model_def_body(def, &body), b);
        // half of the bodies get joints and geoms at once, the others in a second loop
        if (b % 2 == 0) {
            random_joints(def, rng, b, parent);
        }
        random_geoms(def, rng, b);
    }
    for (int b = bodies - 1 + bodies % 2; b >= 1; b -= 2) {
        random_joints(def, rng, b, parents[b]);
    }
    return def;
}

static bool is_below(const utModel* model, int body, int above)
{
    while (body > above) {
        body = model->body[body].parent;
    }
    return body == above;
}

// Body to world by quaternions; the compiler uses matrices.
static void place(const utModel* model, int body, utVec3* p, utQuat* q)
{
    *p = ut_vec3_zero();
    *q = ut_quat_identity();
    for (; body > 0; body = model->body[body].parent) {
        const utModelBody* b = &model->body[body];
        *p = ut_vec3_add(ut_quat_rotate(b->quat, *p), b->in_parent.p);
        *q = ut_quat_mul(b->quat, *q);
    }
}

// Velocities: the next one toward the root is the one before on the same body, or the last one of
// the nearest body above that has any.
static void check_dofs(const utModel* model)
{
    int q = 0, v = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        CHECK_INT(joint->q, q);
        CHECK_INT(joint->v, v);
        CHECK(j == 0 || model->joint[j - 1].body <= joint->body);
        CHECK_NEAR(ut_vec3_norm(joint->axis), 1.0, 1e-15);
        q += joint->kind == UT_JOINT_FREE ? 7 : joint->kind == UT_JOINT_BALL ? 4 : 1;
        v += joint->kind == UT_JOINT_FREE ? 6 : joint->kind == UT_JOINT_BALL ? 3 : 1;
    }
    CHECK_INT(model->nq, q);
    CHECK_INT(model->nv, v);
    for (int i = 0; i < model->nv; i++) {
        int want = i - 1;
        if (i == 0 || model->dof_body[i - 1] != model->dof_body[i]) {
            // the largest velocity of a body strictly above
            want = -1;
            for (int k = 0; k < i; k++) {
                const int above = model->dof_body[k];
                if (above < model->dof_body[i] && is_below(model, model->dof_body[i], above)) {
                    want = k;
                }
            }
        }
        CHECK_INT(model->dof_parent[i], want);
    }
}

static void check_bodies(const utModel* model)
{
    double mass = 0.0;
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        int weld = 0, last = -1;
        for (int above = 1; above <= b; above++) {
            if (is_below(model, b, above) && model->body[above].joints > 0) {
                weld = above;
                last = model->body[above].dof + model->body[above].dofs - 1;
            }
        }
        CHECK_INT(body->weld, weld);
        CHECK_INT(body->last_dof, last);
        CHECK((body->tree < 0) == (weld == 0));
        CHECK_INT(ut_model_find_body(model, body->name), b);
        for (int i = 0; i < model->ngeom; i++) {
            const bool here = i >= body->geom && i < body->geom + body->geoms;
            CHECK((model->geom[i].body == b) == here);
        }
        mass += weld > 0 ? body->mass : 0.0;
    }
    CHECK_NEAR(model->mass, mass, 1e-12 * mass);
}

static void check_trees(const utModel* model)
{
    int dof = 0, bodies = 0;
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = &model->tree[t];
        CHECK_INT(tree->dof, dof);
        dof += tree->dofs;
        for (int b = 0; b < model->nbody; b++) {
            const bool inside = b >= tree->body && b < tree->body + tree->bodies;
            CHECK((model->body[b].tree == t) == inside);
            CHECK(inside == is_below(model, b, tree->body));
        }
        for (int i = 0; i < model->nv; i++) {
            const bool inside = i >= tree->dof && i < tree->dof + tree->dofs;
            CHECK((model->body[model->dof_body[i]].tree == t) == inside);
        }
        bodies += tree->bodies;
    }
    CHECK_INT(dof, model->nv);
    CHECK(bodies < model->nbody);
}

// The moments of a body about its frame's origin, summed over geoms, against what the model has
// about the centre: I_O = I_C + m (c.c 1 - c c'). Sums of some tens of terms of size 100: 1e-12.
static void check_inertia(const utModel* model, int b)
{
    const utModelBody* body = &model->body[b];
    double mass = 0.0;
    utVec3 first = ut_vec3_zero();
    utMat3 second = ut_mat3_zero();
    for (int i = body->geom; i < body->geom + body->geoms; i++) {
        const utModelGeom* geom = &model->geom[i];
        const utInertia own = ut_shape_inertia(&geom->shape, 1000.0);
        const utVec3 c = geom->in_body.p;
        mass += own.mass;
        first = ut_vec3_add_scaled(first, own.mass, c);
        // column k of R I R' is R I R' e_k
        utVec3 column[3];
        for (int k = 0; k < 3; k++) {
            const utVec3 unit = ut_vec3(k == 0, k == 1, k == 2);
            const utVec3 inside = ut_quat_rotate_inverse(geom->quat, unit);
            column[k] = ut_quat_rotate(geom->quat, ut_mat3_mul_vec(own.inertia, inside));
            column[k] = ut_vec3_add_scaled(column[k], own.mass * ut_vec3_dot(c, c), unit);
            const double along = own.mass * ut_vec3_dot(c, unit);
            column[k] = ut_vec3_add_scaled(column[k], -along, c);
        }
        second = ut_mat3_add(second, ut_mat3_from_columns(column[0], column[1], column[2]));
    }
    CHECK_NEAR(body->mass, mass, 1e-13 * mass);
    const utVec3 moment = ut_vec3_scale(body->com, body->mass);
    check_vec3(moment, first.x, first.y, first.z, 1e-12 * mass);
    const utMat3 about = ut_mat3_add(body->inertia, ut_mat3_point_inertia(body->mass, body->com));
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(about.m[i / 3][i % 3], second.m[i / 3][i % 3], 1e-12 * mass);
    }
}

static void check_reach(const utModel* model, int j)
{
    const utModelJoint* joint = &model->joint[j];
    utVec3 p;
    utQuat q;
    place(model, joint->body, &p, &q);
    const utVec3 anchor = ut_vec3_add(ut_quat_rotate(q, joint->pos), p);
    double reach = 0.0;
    for (int i = 0; i < model->ngeom; i++) {
        if (is_below(model, model->geom[i].body, joint->body)) {
            place(model, model->geom[i].body, &p, &q);
            const utVec3 centre = ut_vec3_add(ut_quat_rotate(q, model->geom[i].in_body.p), p);
            const double distance = ut_vec3_norm(ut_vec3_sub(centre, anchor));
            reach = fmax(reach, distance + model->geom[i].radius);
        }
    }
    // centres of mass lie within the hull of the geoms' balls
    CHECK_NEAR(joint->reach, reach, 1e-12);
}

// ---- anything at all ----------------------------------------------------------------------------

// Mostly a small number, sometimes an invalid or extreme one.
static double odd_number(utRng* rng)
{
    static const double odd[] = {0.0, -1.0, 1e300, -1e300, 1e-310, (double)NAN, (double)INFINITY};
    const int choice = ut_rng_below(rng, 400);
    return choice < 7 ? odd[choice] : ut_rng_range(rng, 0.1, 1.0);
}

static int odd_index(utRng* rng, int likely)
{
    return ut_rng_below(rng, 60) == 0 ? ut_rng_below(rng, 12) - 4 : likely;
}

static void odd_vec3(utRng* rng, utVec3* v)
{
    v->x = odd_number(rng);
    v->y = odd_number(rng);
    v->z = odd_number(rng);
}

static utModelDef* odd_def(utRng* rng)
{
    static const char* const names[] = {NULL, "", "a", "b", "c", "d", "e", "f"};
    utModelDef* def = new_def();
    const int bodies = 1 + ut_rng_below(rng, 4);
    for (int b = 1; b <= bodies; b++) {
        utBodyDef body = ut_body_def();
        body.name = ut_rng_below(rng, 3) > 0 ? NULL : names[ut_rng_below(rng, 8)];
        body.parent = odd_index(rng, b - 1);
        body.mocap = ut_rng_below(rng, 60) == 0;
        odd_vec3(rng, &body.pos);
        body.quat.w = odd_number(rng);
        body.inertial = ut_rng_below(rng, 4) == 0;
        body.mass = odd_number(rng);
        body.inertia = ut_mat3_identity();
        body.inertia.m[0][0] = 1.0 + odd_number(rng);
        ut_model_def_body(def, &body);
        const int kind = odd_index(rng, b % 4); // one draw after the other, in a fixed order
        utJointDef joint = ut_joint_def(odd_index(rng, b), (utJointKind)kind);
        odd_vec3(rng, &joint.pos);
        odd_vec3(rng, &joint.axis);
        joint.ref = odd_number(rng);
        joint.limited = ut_rng_below(rng, 20) == 0;
        joint.range[1] = odd_number(rng);
        ut_model_def_joint(def, &joint);
        utGeomDef geom = ut_geom_def(odd_index(rng, b), UT_SHAPE_BOX, ut_vec3_zero());
        geom.shape.kind = (utShapeKind)odd_index(rng, 1 + b % 3);
        odd_vec3(rng, &geom.shape.size);
        odd_vec3(rng, &geom.pos);
        geom.mass = ut_rng_below(rng, 2) == 0 ? -1.0 : odd_number(rng);
        ut_model_def_geom(def, &geom);
    }
    utActuatorDef motor = ut_actuator_def(odd_index(rng, 1), UT_ACTUATOR_MOTOR);
    ut_model_def_actuator(def, &motor);
    const int body1 = odd_index(rng, 0);
    ut_model_def_exclude(def, body1, odd_index(rng, 1), (utOrigin){0});
    return def;
}

// A random description compiles to a model with finite numbers, or gives an error with a message.
TEST(whatever_is_described_there_is_a_model_or_a_message)
{
    utRng rng = ut_rng(99, 1);
    int compiled = 0, refused = 0;
    for (int n = 0; n < 5000; n++) {
        utModelDef* def = odd_def(&rng);
        utModel* model = NULL;
        utError err = {0};
        if (ut_model_compile(def, NULL, &model, &err) == UT_OK) {
            compiled++;
            for (int i = 0; i < model->nq; i++) {
                CHECK(isfinite(model->q0[i]));
            }
            for (int b = 0; b < model->nbody; b++) {
                CHECK(isfinite(model->body[b].mass + model->body[b].inertia.m[0][0]));
                CHECK_NEAR(ut_mat3_determinant(model->body[b].in_parent.R), 1.0, 1e-14);
            }
            for (int j = 0; j < model->njoint; j++) {
                CHECK(model->joint[j].reach > 0.0 && isfinite(model->joint[j].reach));
            }
        } else {
            refused++;
            CHECK(model == NULL && err.message[0] != 0);
        }
        ut_model_destroy(model);
        ut_model_def_destroy(def);
    }
    test_note("%d compiled, %d refused", compiled, refused);
    CHECK(compiled > 500 && refused > 500);
}

TEST(a_thousand_random_trees_keep_their_invariants)
{
    utRng rng = ut_rng(2024, 11);
    long bodies = 0, dofs = 0, trees = 0;
    for (int n = 0; n < 1000; n++) {
        utModel* model = compile(random_def(&rng));
        if (model == NULL) {
            return;
        }
        check_dofs(model);
        check_bodies(model);
        check_trees(model);
        for (int b = 1; b < model->nbody; b++) {
            check_inertia(model, b);
        }
        for (int j = 0; j < model->njoint; j++) {
            check_reach(model, j);
        }
        bodies += model->nbody;
        dofs += model->nv;
        trees += model->ntree;
        ut_model_destroy(model);
    }
    test_note("%ld bodies, %ld velocities, %ld trees", bodies, dofs, trees);
    CHECK(trees > 1000 && dofs > 10000);
}
