// SPDX-License-Identifier: Apache-2.0
// A model in maximal coordinates: every body that a joint moves is free, and the joint is an
// equality between the body and its parent. Bodies that are welded to a body stay welded to it.
//
// Bodies keep their order with one exception: bodies that are welded below a body come before its
// jointed descendants, because the bodies of a tree must follow each other.
#include <uptack/dyn.h>

#include <string.h>

// ---- the order of bodies ------------------------------------------------------------------------

// A conversion to maximal coordinates.
typedef struct Conversion {
    const utModel* model;
    utModelDef* def;
    utError* err;
    int* old_index; // nbody: index in the model, by index in the maximal model
    int* new_index; // nbody: index in the maximal model, by index in the model
    utQuat* quat;   // nbody: orientation in the reference pose, world, by index in the model
    utFrame* pose;  // nbody: the same with positions
    double *q, *v;  // a keyframe of the maximal model
    utArena scratch;
} Conversion;

static bool is_root(const utModelBody* body)
{
    return body->parent == 0 || body->joints > 0;
}

// Roots keep their order; each is followed by the bodies welded below it.
// @param old_index, new_index nbody
static void find_order(const utModel* model, int* old_index, int* new_index)
{
    int count = 1;
    old_index[0] = new_index[0] = 0;
    for (int b = 1; b < model->nbody; b++) {
        new_index[b] = -1;
    }
    for (int root = 1; root < model->nbody; root++) {
        if (!is_root(&model->body[root])) {
            continue;
        }
        const int first = count;
        new_index[root] = count;
        old_index[count++] = root;
        for (int b = root + 1; b < model->nbody && model->body[b].parent >= root; b++) {
            // the parent belongs to this root, not to an earlier one
            const bool welded =
                !is_root(&model->body[b]) && new_index[model->body[b].parent] >= first;
            if (welded) {
                new_index[b] = count;
                old_index[count++] = b;
            }
        }
    }
}

static void find_poses(Conversion* conversion)
{
    const utModel* model = conversion->model;
    conversion->quat[0] = ut_quat_identity();
    conversion->pose[0] = ut_frame_identity();
    for (int b = 1; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        utQuat quat = ut_quat_mul(conversion->quat[body->parent], body->quat);
        if (body->parent != 0) {
            ut_quat_normalize(quat, &quat);
        }
        conversion->quat[b] = quat;
        conversion->pose[b] =
            ut_frame(ut_quat_to_mat3(quat),
                     ut_frame_point(conversion->pose[body->parent], body->in_parent.p));
    }
}

// ---- unsupported models -------------------------------------------------------------------------

// Report a thing that maximal coordinates do not support.
static utStatus reject(const Conversion* conversion, const char* what, const char* name, int index,
                       const char* why)
{
    if (name[0] != '\0') {
        return ut_error_set(conversion->err, UT_ERR_ARGUMENT,
                            "%s '%s' %s; use generalized coordinates", what, name, why);
    }
    return ut_error_set(conversion->err, UT_ERR_ARGUMENT, "%s #%d %s; use generalized coordinates",
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

static utStatus check_actuators(const Conversion* conversion)
{
    const utModel* model = conversion->model;
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        if (actuator->tendon >= 0 || (actuator->joint >= 0 && actuator->dof < 0)) {
            return reject(conversion, "actuator", actuator->name, a,
                          "drives a tendon, a ball or a free joint, which maximal coordinates do "
                          "not support");
        }
        if (actuator->dof >= 0 && model->joint[actuator->joint].actuator_force_limited) {
            return reject(conversion, "joint", model->joint[actuator->joint].name, actuator->joint,
                          "has an actuator_force_range, which maximal coordinates do not support");
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (joint->actuator_force_limited &&
            (joint->driven_by_others || joint->actuator_gravcomp)) {
            return reject(conversion, "joint", joint->name, j,
                          "has an actuator_force_range, which maximal coordinates do not support");
        }
    }
    return UT_OK;
}

// Does the joint have a nonlinear spring or damper?
static bool has_polynomials(const utModelJoint* joint)
{
    const double* k = joint->stiffness_poly;
    const double* d = joint->damping_poly;
    return k[0] != 0.0 || k[1] != 0.0 || d[0] != 0.0 || d[1] != 0.0;
}

static utStatus check(const Conversion* conversion)
{
    const utModel* model = conversion->model;
    UT_TRY(check_actuators(conversion));
    for (int b = 1; b < model->nbody; b++) {
        if (model->body[b].joints > 1) {
            return reject(conversion, "body", model->body[b].name, b,
                          "has several joints, which maximal coordinates do not support");
        }
    }
    const utVec3 normal = ut_plane(model->options.planar).normal;
    for (int b = 1; model->options.planar != UT_PLANAR_NONE && b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        const bool replaced = body->joints > 0 && is_replaced(model->joint[body->joint].kind);
        if (replaced && ut_vec3_dot(normal, ut_mat3_mul_vec(body->inertia, normal)) == 0.0) {
            return reject(conversion, "body", body->name, b,
                          "has no inertia about the plane's normal, so it cannot be a free body");
        }
    }
    for (int i = 0; i < model->ntendon; i++) {
        if (model->tendon[i].kind == UT_TENDON_FIXED) {
            return reject(conversion, "tendon", model->tendon[i].name, i,
                          "is a combination of joint coordinates, which maximal coordinates lack");
        }
    }
    for (int i = 0; i < model->nequality; i++) {
        if (model->equality[i].kind == UT_EQUALITY_JOINT) {
            return reject(conversion, "equality", model->equality[i].name, i,
                          "couples joint coordinates, which maximal coordinates lack");
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (has_polynomials(joint)) {
            return reject(conversion, "joint", joint->name, j,
                          "has a nonlinear spring or damper, which maximal coordinates do not "
                          "support");
        }
    }
    // the row of an armature holds the rate of its coordinate, but not the rotation of its axis
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const bool parent_moves = model->body[model->body[joint->body].parent].weld > 0;
        const bool turns =
            joint->kind == UT_JOINT_BALL || (joint->kind == UT_JOINT_SLIDE && parent_moves);
        if (turns && model->dof_armature[joint->v] != 0.0) {
            return reject(conversion, "joint", joint->name, j,
                          "has armature, which maximal coordinates support only for hinges and for "
                          "slides on fixed bodies");
        }
    }
    return UT_OK;
}

// ---- bodies, geoms, sites -----------------------------------------------------------------------

static bool add_bodies(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int k = 1; k < model->nbody; k++) {
        const int b = conversion->old_index[k];
        const utModelBody* body = &model->body[b];
        const bool root = is_root(body);
        utBodyDef def = ut_body_def();
        def.name = body->name;
        def.parent = root ? 0 : conversion->new_index[body->parent];
        def.pos = root ? conversion->pose[b].p : body->in_parent.p;
        def.quat = root ? conversion->quat[b] : body->quat;
        def.inertial = true;
        def.mass = body->mass;
        def.com = body->com;
        def.inertia = body->inertia;
        def.gravcomp = body->gravcomp;
        def.mocap = body->mocap >= 0; // also bodies with a ut:motion
        ok = ok && ut_model_def_body(conversion->def, &def) == k;
    }
    return ok;
}

static bool add_geoms(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        utGeomDef def =
            ut_geom_def(conversion->new_index[geom->body], geom->shape.kind, geom->shape.size);
        def.name = geom->name;
        def.shape = geom->shape;
        def.pos = geom->in_body.p;
        def.quat = geom->quat;
        def.mass = 0.0; // the inertia is set on the body
        def.condim = geom->condim;
        def.friction = geom->friction;
        def.torsional = geom->torsional;
        def.rolling = geom->rolling;
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
        ok = ok && ut_model_def_geom(conversion->def, &def) >= 0;
    }
    for (int s = 0; s < model->nsite; s++) {
        const utModelSite* site = &model->site[s];
        utSiteDef def = ut_site_def(conversion->new_index[site->body]);
        def.name = site->name;
        def.pos = site->in_body.p;
        def.quat = site->quat;
        def.shape = site->shape;
        ok = ok && ut_model_def_site(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- explicit contacts, motions, springs --------------------------------------------------------

static utFace face_of(const utModelGeom* geom, utVec3 n)
{
    return geom->shape.kind == UT_SHAPE_PLANE ? UT_FACE_PLANE
           : n.x != 0.0                       ? (n.x < 0.0 ? UT_FACE_MINUS_X : UT_FACE_PLUS_X)
           : n.y != 0.0                       ? (n.y < 0.0 ? UT_FACE_MINUS_Y : UT_FACE_PLUS_Y)
                                              : (n.z < 0.0 ? UT_FACE_MINUS_Z : UT_FACE_PLUS_Z);
}

// Sites and geoms keep their indices.
static bool add_extras(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int i = 0; i < model->npoint; i++) {
        const utModelPoint* point = &model->point[i];
        utPointDef def = ut_point_def(point->site, point->geom,
                                      face_of(&model->geom[point->geom], point->normal));
        def.friction = point->kinetic == point->friction ? point->friction : -1.0;
        ok = ok && ut_model_def_point(conversion->def, &def) >= 0;
    }
    for (int i = 0; i < model->nmotion; i++) {
        const utModelMotion* motion = &model->motion[i];
        utMotionDef def = ut_motion_def(conversion->new_index[motion->body]);
        memcpy(def.expression, motion->text, sizeof def.expression);
        memcpy(def.sequence, motion->sequence, sizeof def.sequence);
        ok = ok && ut_model_def_motion(conversion->def, &def) >= 0;
    }
    for (int i = 0; i < model->nspring; i++) {
        const utModelSpring* spring = &model->spring[i];
        utSpringDef def = ut_spring_def(spring->site1, spring->site2);
        def.name = spring->name;
        def.stiffness = spring->stiffness;
        def.length = spring->length;
        def.damping = spring->damping;
        def.full = spring->full;
        ok = ok && ut_model_def_spring(conversion->def, &def) >= 0;
    }
    return ok;
}

static bool add_tendons(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* tendon = &model->tendon[i];
        utTendonDef def = ut_tendon_def(tendon->kind);
        def.name = tendon->name;
        def.wraps = tendon->wraps;
        def.wrap = tendon->wrap;
        def.limited = tendon->limited;
        memcpy(def.range, tendon->range, sizeof def.range);
        def.margin = tendon->margin;
        def.frictionloss = tendon->frictionloss;
        def.stiffness = tendon->stiffness;
        memcpy(def.stiffness_poly, tendon->stiffness_poly, sizeof def.stiffness_poly);
        def.damping = tendon->damping;
        memcpy(def.damping_poly, tendon->damping_poly, sizeof def.damping_poly);
        def.armature = tendon->armature;
        memcpy(def.spring_length, tendon->spring_length, sizeof def.spring_length);
        ok = ok && ut_model_def_tendon(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- joints -------------------------------------------------------------------------------------

static utEqualityKind kind_of(utJointKind kind)
{
    return kind == UT_JOINT_BALL    ? UT_EQUALITY_BALL
           : kind == UT_JOINT_HINGE ? UT_EQUALITY_HINGE
                                    : UT_EQUALITY_SLIDE;
}

static bool add_joint_equality(Conversion* conversion, const utModelJoint* joint)
{
    const utModelBody* body = &conversion->model->body[joint->body];
    utEqualityDef def = ut_equality_def(kind_of(joint->kind), conversion->new_index[body->parent],
                                        conversion->new_index[joint->body]);
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
    def.armature = conversion->model->dof_armature[joint->v];
    return ut_model_def_equality(conversion->def, &def) >= 0;
}

static bool add_joints(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        utJointDef def = ut_joint_def(conversion->new_index[joint->body], UT_JOINT_FREE);
        if (is_replaced(joint->kind)) {
            ok = ok && add_joint_equality(conversion, joint);
        } else {
            def.name = joint->name;
            def.stiffness = joint->stiffness;
            def.springref = joint->springref;
            def.damping = joint->damping;
            def.armature = model->dof_armature[joint->v];
        }
        ok = ok && ut_model_def_joint(conversion->def, &def) >= 0;
    }
    return ok;
}

// The equalities of the model itself.
static bool add_equalities(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        utEqualityDef def = ut_equality_def(equality->kind, conversion->new_index[equality->body1],
                                            conversion->new_index[equality->body2]);
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
        def.site1 = equality->site1;
        def.site2 = equality->site2;
        def.element1 = equality->element1;
        def.element2 = equality->element2;
        memcpy(def.polycoef, equality->polycoef, sizeof def.polycoef);
        if (equality->kind == UT_EQUALITY_WELD) {
            def.anchor = equality->in2.p;
            def.pos = equality->in1.p;
            def.quat = equality->quat1; // the frame of body2 has the axes of the body
        }
        ok = ok && ut_model_def_equality(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- actuators ----------------------------------------------------------------------------------

// The index of a joint's equality: equalities of joints come first, in the order of the joints.
static int equality_of(const utModel* model, int joint)
{
    int index = 0;
    for (int j = 0; j < joint; j++) {
        index += is_replaced(model->joint[j].kind);
    }
    return index;
}

static int replaced_joints(const utModel* model)
{
    return equality_of(model, model->njoint);
}

// A compiled actuator as a description, without what it drives. Its gains are those of its kind.
static utActuatorDef describe_actuator(const utModelActuator* a)
{
    utActuatorDef def = ut_actuator_def(-1, a->kind);
    const bool position = a->kind == UT_ACTUATOR_POSITION || a->kind == UT_ACTUATOR_INTVELOCITY;
    def.name = a->name;
    def.site = a->site;
    def.ref_site = a->ref_site;
    def.crank_site = a->crank_site;
    def.slider_site = a->slider_site;
    def.crank_length = a->crank_length;
    def.gear = a->gear[0];
    memcpy(def.more_gear, a->gear + 1, sizeof def.more_gear);
    def.kp = position ? a->gain[0] : 1.0;
    def.kv = a->kind == UT_ACTUATOR_DAMPER ? -a->gain[2] : -a->bias[2];
    memcpy(def.gain, a->gain, sizeof def.gain);
    memcpy(def.bias, a->bias, sizeof def.bias);
    def.dynamics = a->dynamics;
    def.time_constant = a->time_constant;
    def.act_early = a->act_early;
    def.act_limited = a->act_limited;
    memcpy(def.act_range, a->act_range, sizeof def.act_range);
    def.ctrl_limited = a->ctrl_limited;
    def.force_limited = a->force_limited;
    memcpy(def.ctrl_range, a->ctrl_range, sizeof def.ctrl_range);
    memcpy(def.force_range, a->force_range, sizeof def.force_range);
    return def;
}

static bool add_actuators(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        utActuatorDef def = describe_actuator(actuator);
        def.equality = actuator->equality >= 0 ? replaced_joints(model) + actuator->equality
                       : actuator->joint >= 0  ? equality_of(model, actuator->joint)
                                               : -1;
        ok = ok && ut_model_def_actuator(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- sensors ------------------------------------------------------------------------------------

// An object in the maximal model: bodies have other indices, and joints may be equalities. Geoms of
// the description are in the order of the model.
static void convert_object(const Conversion* conversion, utObjectKind* kind, int* index)
{
    const utModel* model = conversion->model;
    if (*kind == UT_OBJECT_BODY || *kind == UT_OBJECT_FRAME) {
        *index = conversion->new_index[*index];
    } else if (*kind == UT_OBJECT_JOINT && is_replaced(model->joint[*index].kind)) {
        *kind = UT_OBJECT_EQUALITY;
        *index = equality_of(model, *index);
    } else if (*kind == UT_OBJECT_EQUALITY) {
        *index += replaced_joints(model);
    }
}

static bool add_sensors(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int i = 0; i < model->nsensor; i++) {
        const utModelSensor* sensor = &model->sensor[i];
        utSensorDef def = ut_sensor_def(sensor->kind, sensor->object, sensor->index);
        def.name = sensor->name;
        def.reference = sensor->reference;
        def.reference_index = sensor->reference_index;
        def.cutoff = sensor->cutoff;
        convert_object(conversion, &def.object, &def.index);
        convert_object(conversion, &def.reference, &def.reference_index);
        ok = ok && ut_model_def_sensor(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- excludes -----------------------------------------------------------------------------------

// In the model the two bodies of a joint, with all bodies welded to them, do not collide unless the
// parent is fixed. The maximal model needs excludes for that.
static bool add_excludes(Conversion* conversion)
{
    const utModel* model = conversion->model;
    const utOrigin nowhere = {0};
    bool ok = true;
    for (int i = 0; i < model->nexclude; i++) {
        ok = ok &&
             ut_model_def_exclude(conversion->def, conversion->new_index[model->exclude[2 * i]],
                                  conversion->new_index[model->exclude[2 * i + 1]], nowhere);
    }
    for (int a = 1; a < model->nbody; a++) {
        const int weld = model->body[a].weld;
        const int above = weld > 0 ? model->body[model->body[weld].parent].weld : 0;
        for (int b = above; above > 0 && b < model->nbody; b++) {
            if (model->body[b].weld == above) {
                ok = ok && ut_model_def_exclude(conversion->def, conversion->new_index[a],
                                                conversion->new_index[b], nowhere);
            }
        }
    }
    return ok;
}

// Explicit pairs. Geoms of the description keep their indices.
static bool add_pairs(Conversion* conversion)
{
    const utModel* model = conversion->model;
    bool ok = true;
    for (int i = 0; i < model->npair; i++) {
        const utModelPair* pair = &model->pair[i];
        utPairDef def = ut_pair_def(pair->geom1, pair->geom2);
        def.name = pair->name;
        def.condim = pair->condim;
        memcpy(def.friction, pair->friction, sizeof def.friction);
        def.kinetic = pair->kinetic;
        def.restitution = pair->restitution;
        def.margin = pair->margin;
        def.gap = pair->gap;
        ok = ok && ut_model_def_pair(conversion->def, &def) >= 0;
    }
    return ok;
}

// ---- states -------------------------------------------------------------------------------------

// The kind of joint that a body has in the maximal model.
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
    const double velocity[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    memcpy(q, at, sizeof at);
    memcpy(v, velocity, sizeof velocity);
}

static void store_planar(const utKinematics* kin, int body, double* q, double* v)
{
    const utPlane plane = ut_plane(kin->model->options.planar);
    const utVec3 p = kin->body[body].p;
    const utQuat a = kin->quat[body];
    const utVec2 at = ut_plane_in(&plane, p);
    const utVec2 velocity = ut_plane_in(&plane, ut_point_velocity(kin, body, p));
    const double about = ut_vec3_dot(plane.normal, ut_vec3(a.x, a.y, a.z));
    const double sign = a.w < 0.0 ? -1.0 : 1.0;
    q[0] = at.x;
    q[1] = at.y;
    q[2] = 2.0 * ut_atan2(sign * about, sign * a.w);
    v[0] = velocity.x;
    v[1] = velocity.y;
    v[2] = ut_vec3_dot(plane.normal, kin->velocity[body].angular);
}

// q and v of the bodies with a joint, in the order of the maximal model. Joints that stay free keep
// their values.
static void store_state(const utModel* model, const utKinematics* kin, const int* old_index,
                        const double* q, const double* v, double* q_maximal, double* v_maximal)
{
    for (int k = 1; k < model->nbody; k++) {
        const utModelBody* body = &model->body[old_index[k]];
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
            store_planar(kin, old_index[k], q_maximal, v_maximal);
        } else {
            store_free(kin, old_index[k], q_maximal, v_maximal);
        }
        q_maximal += positions;
        v_maximal += velocities;
    }
}

// A state of the model as one of the maximal model.
// @param q_maximal, v_maximal nq and nv numbers of the maximal model
static utStatus convert_state(const utModel* model, const double* q, const double* v,
                              const double* mocap_pos, const double* mocap_quat, utArena scratch,
                              double* q_maximal, double* v_maximal)
{
    utKinematics kin;
    int* old_index = UT_PUSH(&scratch, int, model->nbody);
    int* new_index = UT_PUSH(&scratch, int, model->nbody);
    UT_TRY(ut_kinematics_create(model, &scratch, &kin));
    find_order(model, old_index, new_index);
    ut_kinematics_place(&kin, q, mocap_pos, mocap_quat);
    ut_kinematics_move(&kin, v, NULL);
    store_state(model, &kin, old_index, q, v, q_maximal, v_maximal);
    return UT_OK;
}

static utStatus add_keyframes(Conversion* conversion)
{
    const utModel* model = conversion->model;
    int nq = 0, nv = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utJointKind kind = kind_in_maximal(model, &model->joint[j]);
        nq += ut_joint_positions(kind);
        nv += ut_joint_velocities(kind);
    }
    for (int k = 0; k < model->nkeyframe; k++) {
        const utModelKeyframe* key = &model->keyframe[k];
        UT_TRY(convert_state(model, key->q, key->v, key->mocap_pos, key->mocap_quat,
                             conversion->scratch, conversion->q, conversion->v));
        const utKeyframeDef def = {
            .name = key->name,
            .time = key->time,
            .nq = nq,
            .nv = nv,
            .nu = model->nu,
            .q = conversion->q,
            .v = conversion->v,
            .ctrl = model->nu > 0 ? key->ctrl : NULL,
            .na = model->na,
            .act = model->na > 0 ? key->act : NULL,
            .mocaps = model->nmocap,
            .mocap_pos = model->nmocap > 0 ? key->mocap_pos : NULL,
            .mocap_quat = model->nmocap > 0 ? key->mocap_quat : NULL,
        };
        if (ut_model_def_keyframe(conversion->def, &def) < 0) {
            return UT_ERR_MEMORY;
        }
    }
    return UT_OK;
}

// ---- conversion
// -------------------------------------------------------------------------------------

static utStatus push_arrays(Conversion* conversion)
{
    const utModel* model = conversion->model;
    conversion->old_index = UT_PUSH(&conversion->scratch, int, model->nbody);
    conversion->new_index = UT_PUSH(&conversion->scratch, int, model->nbody);
    conversion->quat = UT_PUSH(&conversion->scratch, utQuat, model->nbody);
    conversion->pose = UT_PUSH(&conversion->scratch, utFrame, model->nbody);
    conversion->q = UT_PUSH(&conversion->scratch, double, 7 * model->njoint);
    conversion->v = UT_PUSH(&conversion->scratch, double, 6 * model->njoint);
    return ut_arena_failed(&conversion->scratch) ? UT_ERR_MEMORY : UT_OK;
}

static utStatus describe(Conversion* conversion)
{
    UT_TRY(check(conversion));
    UT_TRY(push_arrays(conversion));
    find_order(conversion->model, conversion->old_index, conversion->new_index);
    find_poses(conversion);
    ut_model_def_name(conversion->def, conversion->model->name);
    for (int i = 0; i < conversion->model->missing_parts; i++) {
        if (!ut_model_def_missing(conversion->def, &conversion->model->missing_part[i])) {
            return UT_ERR_MEMORY;
        }
    }
    utOptions options = conversion->model->options;
    options.coordinates = UT_COORDINATES_MAXIMAL;
    ut_model_def_options(conversion->def, &options);
    if (!add_bodies(conversion) || !add_geoms(conversion) || !add_extras(conversion) ||
        !add_tendons(conversion) || !add_joints(conversion) || !add_equalities(conversion) ||
        !add_actuators(conversion) || !add_sensors(conversion) || !add_excludes(conversion) ||
        !add_pairs(conversion)) {
        return UT_ERR_MEMORY;
    }
    return add_keyframes(conversion);
}

utStatus ut_model_maximal(const utModel* model, const utAllocator* allocator, utModel** maximal,
                          utError* err)
{
    Conversion conversion = {.model = model, .err = err};
    utArena memory;
    UT_TRY(ut_arena_create(0, allocator, &memory));
    conversion.scratch = memory;
    utStatus status = ut_model_def_create(allocator, &conversion.def);
    if (status == UT_OK) {
        status = describe(&conversion);
        if (status == UT_OK) {
            status = ut_model_compile(conversion.def, allocator, maximal, err);
        }
        ut_model_def_destroy(conversion.def);
    }
    ut_arena_destroy(&memory);
    if (status == UT_ERR_MEMORY) {
        ut_error_set(err, status, "%s", ut_status_text(status));
    }
    return status;
}
