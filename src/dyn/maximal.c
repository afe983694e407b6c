// SPDX-License-Identifier: Apache-2.0
// A model in maximal coordinates: every body that a joint moves is free, and the joint is an
// equality between it and the body it hangs on. What is welded to a body stays so.
//
// Bodies keep their order, but for those welded below a body that has joints below it as well:
// these come before them, since children follow their parents.
#include <uptack/dyn.h>

#include <string.h>

// ---- the order of bodies ------------------------------------------------------------------------

// Memory of a making, and what is known of the bodies.
typedef struct Making {
    const utModel* model;
    utModelDef* def;
    utError* err;
    int* old;       // nbody: by new number
    int* now;       // nbody: by old number
    utQuat* quat;   // nbody: modelled, in the world, by old number
    utFrame* place; // likewise
    double *q, *v;  // of a keyframe in the new model
    utArena rest;
} Making;

static bool is_root(const utModelBody* body)
{
    return body->parent == 0 || body->joints > 0;
}

// Roots in their order, each followed by what is welded below it. @param old, now nbody
static void find_order(const utModel* model, int* old, int* now)
{
    int count = 1;
    old[0] = now[0] = 0;
    for (int b = 1; b < model->nbody; b++) {
        now[b] = -1;
    }
    for (int root = 1; root < model->nbody; root++) {
        if (!is_root(&model->body[root])) {
            continue;
        }
        const int first = count;
        now[root] = count;
        old[count++] = root;
        for (int b = root + 1; b < model->nbody && model->body[b].parent >= root; b++) {
            // the parent is of this root, not of another one that came before
            const bool welded = !is_root(&model->body[b]) && now[model->body[b].parent] >= first;
            if (welded) {
                now[b] = count;
                old[count++] = b;
            }
        }
    }
}

static void find_places(Making* making)
{
    const utModel* model = making->model;
    making->quat[0] = ut_quat_identity();
    making->place[0] = ut_frame_identity();
    for (int b = 1; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        utQuat quat = ut_quat_mul(making->quat[body->parent], body->quat);
        if (body->parent != 0) {
            ut_quat_normalize(quat, &quat);
        }
        making->quat[b] = quat;
        making->place[b] = ut_frame(ut_quat_to_mat3(quat),
                                    ut_frame_point(making->place[body->parent], body->in_parent.p));
    }
}

// ---- what cannot be -----------------------------------------------------------------------------

static utStatus refuse(const Making* making, const char* what, const char* name, int index,
                       const char* why)
{
    if (name[0] != '\0') {
        return ut_error_set(making->err, UT_ERR_ARGUMENT,
                            "%s '%s' %s; take generalized coordinates", what, name, why);
    }
    return ut_error_set(making->err, UT_ERR_ARGUMENT, "%s #%d %s; take generalized coordinates",
                        what, index, why);
}

static bool is_scalar(utJointKind kind)
{
    return kind == UT_JOINT_HINGE || kind == UT_JOINT_SLIDE;
}

// Does a joint become an equality?
static bool is_replaced(utJointKind kind)
{
    return is_scalar(kind) || kind == UT_JOINT_BALL;
}

static utStatus check(const Making* making)
{
    const utModel* model = making->model;
    for (int b = 1; b < model->nbody; b++) {
        if (model->body[b].joints > 1) {
            return refuse(making, "body", model->body[b].name, b,
                          "has several joints, which maximal coordinates do not know");
        }
    }
    const utVec3 normal = ut_plane(model->options.planar).normal;
    for (int b = 1; model->options.planar != UT_PLANAR_NONE && b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        const bool replaced = body->joints > 0 && is_replaced(model->joint[body->joint].kind);
        if (replaced && ut_vec3_dot(normal, ut_mat3_mul_vec(body->inertia, normal)) == 0.0) {
            return refuse(making, "body", body->name, b,
                          "has no inertia about the plane's normal, so that it cannot be free");
        }
    }
    // armature as a row knows the rate of its coordinate, not how the axes turn on the way
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const bool hangs = model->body[model->body[joint->body].parent].weld > 0;
        const bool turns = joint->kind == UT_JOINT_BALL || (joint->kind == UT_JOINT_SLIDE && hangs);
        if (turns && model->dof_armature[joint->v] != 0.0) {
            return refuse(making, "joint", joint->name, j,
                          "has armature, which maximal coordinates know for hinges and for slides "
                          "on what is fixed");
        }
    }
    return UT_OK;
}

// ---- bodies, geoms, sites -----------------------------------------------------------------------

static bool add_bodies(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int k = 1; k < model->nbody; k++) {
        const int b = making->old[k];
        const utModelBody* body = &model->body[b];
        const bool root = is_root(body);
        utBodyDef def = ut_body_def();
        def.name = body->name;
        def.parent = root ? 0 : making->now[body->parent];
        def.pos = root ? making->place[b].p : body->in_parent.p;
        def.quat = root ? making->quat[b] : body->quat;
        def.inertial = true;
        def.mass = body->mass;
        def.com = body->com;
        def.inertia = body->inertia;
        def.mocap = body->mocap >= 0; // also one that a motion moves
        good = good && ut_model_def_body(making->def, &def) == k;
    }
    return good;
}

static bool add_geoms(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        utGeomDef def = ut_geom_def(making->now[geom->body], geom->shape.kind, geom->shape.size);
        def.name = geom->name;
        def.shape = geom->shape;
        def.pos = geom->in_body.p;
        def.quat = geom->quat;
        def.mass = 0.0; // bodies have theirs
        def.friction = geom->friction;
        def.kinetic = geom->kinetic;
        def.restitution = geom->restitution;
        def.surface_velocity = geom->surface_velocity;
        def.surface_spin = geom->surface_spin;
        for (int k = 0; k < 3; k++) {
            def.surface_expression[k] = geom->surface_text[k];
        }
        def.margin = geom->margin;
        def.priority = geom->priority;
        def.contype = geom->contype;
        def.conaffinity = geom->conaffinity;
        def.group = geom->group;
        good = good && ut_model_def_geom(making->def, &def) >= 0;
    }
    for (int s = 0; s < model->nsite; s++) {
        const utModelSite* site = &model->site[s];
        utSiteDef def = ut_site_def(making->now[site->body]);
        def.name = site->name;
        def.pos = site->in_body.p;
        def.quat = site->quat;
        good = good && ut_model_def_site(making->def, &def) >= 0;
    }
    return good;
}

// ---- explicit contacts, motions, springs --------------------------------------------------------

static utFace face_of(const utModelGeom* geom, utVec3 n)
{
    return geom->shape.kind == UT_SHAPE_PLANE ? UT_FACE_PLANE
           : n.x != 0.0                       ? (n.x < 0.0 ? UT_FACE_MINUS_X : UT_FACE_PLUS_X)
           : n.y != 0.0                       ? (n.y < 0.0 ? UT_FACE_MINUS_Y : UT_FACE_PLUS_Y)
                                              : (n.z < 0.0 ? UT_FACE_MINUS_Z : UT_FACE_PLUS_Z);
}

// Sites and geoms are described in the order of the model.
static bool add_extras(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int i = 0; i < model->npoint; i++) {
        const utModelPoint* point = &model->point[i];
        utPointDef def = ut_point_def(point->site, point->geom,
                                      face_of(&model->geom[point->geom], point->normal));
        def.friction = point->kinetic == point->friction ? point->friction : -1.0;
        good = good && ut_model_def_point(making->def, &def) >= 0;
    }
    for (int i = 0; i < model->nmotion; i++) {
        const utModelMotion* motion = &model->motion[i];
        utMotionDef def = ut_motion_def(making->now[motion->body]);
        memcpy(def.expression, motion->text, sizeof def.expression);
        memcpy(def.sequence, motion->sequence, sizeof def.sequence);
        good = good && ut_model_def_motion(making->def, &def) >= 0;
    }
    for (int i = 0; i < model->nspring; i++) {
        const utModelSpring* spring = &model->spring[i];
        utSpringDef def = ut_spring_def(spring->site1, spring->site2);
        def.name = spring->name;
        def.stiffness = spring->stiffness;
        def.length = spring->length;
        def.damping = spring->damping;
        def.full = spring->full;
        good = good && ut_model_def_spring(making->def, &def) >= 0;
    }
    return good;
}

// ---- joints -------------------------------------------------------------------------------------

static utEqualityKind kind_of(utJointKind kind)
{
    return kind == UT_JOINT_BALL    ? UT_EQUALITY_BALL
           : kind == UT_JOINT_HINGE ? UT_EQUALITY_HINGE
                                    : UT_EQUALITY_SLIDE;
}

static bool add_joint_equality(Making* making, const utModelJoint* joint)
{
    const utModelBody* body = &making->model->body[joint->body];
    utEqualityDef def =
        ut_equality_def(kind_of(joint->kind), making->now[body->parent], making->now[joint->body]);
    def.name = joint->name;
    def.joint = true;
    def.anchor = ut_frame_point(body->in_parent, joint->pos);
    def.axis = ut_mat3_mul_vec(body->in_parent.R, joint->axis);
    def.ref = joint->kind == UT_JOINT_BALL ? 0.0 : joint->ref;
    def.limited = joint->limited;
    def.range[0] = joint->range[0];
    def.range[1] = joint->range[1];
    def.frictionloss = joint->frictionloss;
    def.stiffness = joint->stiffness;
    def.springref = joint->springref;
    def.damping = joint->damping;
    def.armature = making->model->dof_armature[joint->v];
    return ut_model_def_equality(making->def, &def) >= 0;
}

static bool add_joints(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        utJointDef def = ut_joint_def(making->now[joint->body], UT_JOINT_FREE);
        if (is_replaced(joint->kind)) {
            good = good && add_joint_equality(making, joint);
        } else {
            def.name = joint->name;
            def.stiffness = joint->stiffness;
            def.springref = joint->springref;
            def.damping = joint->damping;
            def.armature = model->dof_armature[joint->v];
        }
        good = good && ut_model_def_joint(making->def, &def) >= 0;
    }
    return good;
}

// Those that the model has already, as they are.
static bool add_equalities(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        utEqualityDef def = ut_equality_def(equality->kind, making->now[equality->body1],
                                            making->now[equality->body2]);
        def.name = equality->name;
        def.anchor = equality->in1.p;
        def.axis = ut_mat3_column(equality->in1.R, 2);
        def.active = equality->active;
        def.joint = equality->joint;
        def.ref = equality->ref;
        def.limited = equality->limited;
        def.range[0] = equality->range[0];
        def.range[1] = equality->range[1];
        def.frictionloss = equality->frictionloss;
        def.stiffness = equality->stiffness;
        def.springref = equality->springref;
        def.damping = equality->damping;
        def.armature = equality->armature;
        if (equality->kind == UT_EQUALITY_WELD) {
            def.anchor = equality->in2.p;
            def.pos = equality->in1.p;
            def.quat = equality->quat1; // body2's axes are its own
        }
        good = good && ut_model_def_equality(making->def, &def) >= 0;
    }
    return good;
}

// ---- actuators ----------------------------------------------------------------------------------

// The number that a joint's equality gets: those of joints come first, in order.
static int equality_of(const utModel* model, int joint)
{
    int number = 0;
    for (int j = 0; j < joint; j++) {
        number += is_replaced(model->joint[j].kind);
    }
    return number;
}

static int replaced(const utModel* model)
{
    return equality_of(model, model->njoint);
}

static bool add_actuators(Making* making)
{
    const utModel* model = making->model;
    bool good = true;
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        utActuatorDef def = ut_actuator_def(-1, actuator->kind);
        def.name = actuator->name;
        def.equality = actuator->equality >= 0 ? replaced(model) + actuator->equality
                                               : equality_of(model, actuator->joint);
        def.gear = actuator->gear;
        def.kp = actuator->kp;
        def.kv = actuator->kv;
        def.ctrl_limited = actuator->ctrl_limited;
        def.force_limited = actuator->force_limited;
        memcpy(def.ctrl_range, actuator->ctrl_range, sizeof def.ctrl_range);
        memcpy(def.force_range, actuator->force_range, sizeof def.force_range);
        good = good && ut_model_def_actuator(making->def, &def) >= 0;
    }
    return good;
}

// ---- excludes -----------------------------------------------------------------------------------

// Parents and children by joints do not collide, with all that is welded to them, unless the parent
// is fixed; here nothing but excludes says so.
static bool add_excludes(Making* making)
{
    const utModel* model = making->model;
    const utOrigin nowhere = {0};
    bool good = true;
    for (int i = 0; i < model->nexclude; i++) {
        good = good && ut_model_def_exclude(making->def, making->now[model->exclude[2 * i]],
                                            making->now[model->exclude[2 * i + 1]], nowhere);
    }
    for (int a = 1; a < model->nbody; a++) {
        const int weld = model->body[a].weld;
        const int above = weld > 0 ? model->body[model->body[weld].parent].weld : 0;
        for (int b = above; above > 0 && b < model->nbody; b++) {
            if (model->body[b].weld == above) {
                good = good &&
                       ut_model_def_exclude(making->def, making->now[a], making->now[b], nowhere);
            }
        }
    }
    return good;
}

// ---- states -------------------------------------------------------------------------------------

// What a body with a joint is in the maximal model.
static utJointKind kind_in_maximal(const utModel* model, const utModelJoint* joint)
{
    return !is_replaced(joint->kind)                 ? joint->kind
           : model->options.planar != UT_PLANAR_NONE ? UT_JOINT_PLANAR
                                                     : UT_JOINT_FREE;
}

static void store_free(const utKinematics* kin, int body, double* q, double* v)
{
    const utVec3 p = kin->body[body].p;
    const utQuat a = kin->quat[body];
    const utVec3 u = ut_point_velocity(kin, body, p);
    const utVec3 w = ut_mat3_tmul_vec(kin->body[body].R, kin->velocity[body].angular);
    const double at[7] = {p.x, p.y, p.z, a.w, a.x, a.y, a.z};
    const double going[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    memcpy(q, at, sizeof at);
    memcpy(v, going, sizeof going);
}

static void store_planar(const utKinematics* kin, int body, double* q, double* v)
{
    const utPlane plane = ut_plane(kin->model->options.planar);
    const utVec3 p = kin->body[body].p;
    const utQuat a = kin->quat[body];
    const utVec2 at = ut_plane_in(&plane, p);
    const utVec2 going = ut_plane_in(&plane, ut_point_velocity(kin, body, p));
    const double about = ut_vec3_dot(plane.normal, ut_vec3(a.x, a.y, a.z));
    const double sign = a.w < 0.0 ? -1.0 : 1.0;
    q[0] = at.x;
    q[1] = at.y;
    q[2] = 2.0 * ut_atan2(sign * about, sign * a.w);
    v[0] = going.x;
    v[1] = going.y;
    v[2] = ut_vec3_dot(plane.normal, kin->velocity[body].angular);
}

// Bodies with a joint, one each, in the order of `old`: their q and v. Free ones are as they were.
static void store_state(const utModel* model, const utKinematics* kin, const int* old,
                        const double* q, const double* v, double* q_maximal, double* v_maximal)
{
    for (int k = 1; k < model->nbody; k++) {
        const utModelBody* body = &model->body[old[k]];
        if (body->joints == 0) {
            continue;
        }
        const utModelJoint* joint = &model->joint[body->joint];
        const utJointKind kind = kind_in_maximal(model, joint);
        const int positions = ut_joint_positions(kind), velocities = ut_joint_velocities(kind);
        if (!is_replaced(joint->kind)) {
            memcpy(q_maximal, q + joint->q, (size_t)positions * sizeof *q);
            memcpy(v_maximal, v + joint->v, (size_t)velocities * sizeof *v);
        } else if (kind == UT_JOINT_PLANAR) {
            store_planar(kin, old[k], q_maximal, v_maximal);
        } else {
            store_free(kin, old[k], q_maximal, v_maximal);
        }
        q_maximal += positions;
        v_maximal += velocities;
    }
}

size_t ut_maximal_scratch(const utModel* model)
{
    return ut_kinematics_size(model) + 2 * ut_arena_need((size_t)model->nbody, sizeof(int));
}

utStatus ut_maximal_state(const utModel* model, const double* q, const double* v,
                          const double* mocap_pos, const double* mocap_quat, utArena scratch,
                          double* q_maximal, double* v_maximal)
{
    utKinematics kin;
    int* old = UT_PUSH(&scratch, int, model->nbody);
    int* now = UT_PUSH(&scratch, int, model->nbody);
    if (old == NULL || now == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, &scratch, &kin));
    find_order(model, old, now);
    ut_kinematics_place(&kin, q, mocap_pos, mocap_quat);
    ut_kinematics_move(&kin, v, NULL);
    store_state(model, &kin, old, q, v, q_maximal, v_maximal);
    return UT_OK;
}

static utStatus add_keyframes(Making* making)
{
    const utModel* model = making->model;
    int nq = 0, nv = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utJointKind kind = kind_in_maximal(model, &model->joint[j]);
        nq += ut_joint_positions(kind);
        nv += ut_joint_velocities(kind);
    }
    for (int k = 0; k < model->nkeyframe; k++) {
        const utModelKeyframe* key = &model->keyframe[k];
        UT_TRY(ut_maximal_state(model, key->q, key->v, key->mocap_pos, key->mocap_quat,
                                making->rest, making->q, making->v));
        const utKeyframeDef def = {
            .name = key->name,
            .time = key->time,
            .nq = nq,
            .nv = nv,
            .nu = model->nu,
            .q = making->q,
            .v = making->v,
            .ctrl = model->nu > 0 ? key->ctrl : NULL,
            .mocaps = model->nmocap,
            .mocap_pos = model->nmocap > 0 ? key->mocap_pos : NULL,
            .mocap_quat = model->nmocap > 0 ? key->mocap_quat : NULL,
        };
        if (ut_model_def_keyframe(making->def, &def) < 0) {
            return UT_ERR_MEMORY;
        }
    }
    return UT_OK;
}

// ---- the making ---------------------------------------------------------------------------------

static bool take(Making* making)
{
    const utModel* model = making->model;
    making->old = UT_PUSH(&making->rest, int, model->nbody);
    making->now = UT_PUSH(&making->rest, int, model->nbody);
    making->quat = UT_PUSH(&making->rest, utQuat, model->nbody);
    making->place = UT_PUSH(&making->rest, utFrame, model->nbody);
    making->q = UT_PUSH(&making->rest, double, 7 * model->njoint);
    making->v = UT_PUSH(&making->rest, double, 6 * model->njoint);
    return making->old != NULL && making->now != NULL && making->quat != NULL &&
           making->place != NULL && making->q != NULL && making->v != NULL;
}

static size_t need_of(const utModel* model)
{
    const size_t bodies = (size_t)model->nbody;
    const size_t joints = (size_t)model->njoint;
    return 2 * ut_arena_need(bodies, sizeof(int)) + ut_arena_need(bodies, sizeof(utQuat)) +
           ut_arena_need(bodies, sizeof(utFrame)) + ut_arena_need(7 * joints, sizeof(double)) +
           ut_arena_need(6 * joints, sizeof(double)) + ut_maximal_scratch(model);
}

static utStatus describe(Making* making)
{
    UT_TRY(check(making));
    if (!take(making)) {
        return UT_ERR_MEMORY;
    }
    find_order(making->model, making->old, making->now);
    find_places(making);
    ut_model_def_name(making->def, making->model->name);
    ut_model_def_missing(making->def, making->model->missing);
    utOptions options = making->model->options;
    options.coordinates = UT_COORDINATES_MAXIMAL;
    ut_model_def_options(making->def, &options);
    if (!add_bodies(making) || !add_geoms(making) || !add_extras(making) || !add_joints(making) ||
        !add_equalities(making) || !add_actuators(making) || !add_excludes(making)) {
        return UT_ERR_MEMORY;
    }
    return add_keyframes(making);
}

utStatus ut_model_maximal(const utModel* model, const utAllocator* allocator, utModel** maximal,
                          utError* err)
{
    Making making = {.model = model, .err = err};
    utArena memory;
    UT_TRY(ut_arena_create(need_of(model), allocator, &memory));
    making.rest = memory;
    utStatus status = ut_model_def_create(allocator, &making.def);
    if (status == UT_OK) {
        status = describe(&making);
        if (status == UT_OK) {
            status = ut_model_compile(making.def, allocator, maximal, err);
        }
        ut_model_def_destroy(making.def);
    }
    ut_arena_destroy(&memory);
    if (status == UT_ERR_MEMORY) {
        ut_error_set(err, status, "%s", ut_status_text(status));
    }
    return status;
}
