// SPDX-License-Identifier: Apache-2.0
// Tendons: lengths and their derivatives, springs and dampers, energies. A path is the shortest one,
// so its length changes at first order only by the motion of the bodies' points: an arc slides on
// its geom without effect.
#include "internal.h"
#include "model/tendon_path.h"

// ---- lengths ------------------------------------------------------------------------------------

// Where derivatives of a length are added: entries of velocities in ascending order.
typedef struct Derivatives {
    int terms;
    const int* index;
    double factor;       // on what is added
    double* coefficient; // NULL: none are wanted
} Derivatives;

static double fixed_length(const utModel* model, const utModelTendon* tendon, const double* q,
                           const Derivatives* to)
{
    double length = 0.0;
    for (int k = 0; k < tendon->wraps; k++) {
        const utModelJoint* joint = &model->joint[tendon->wrap[k].object];
        const double value = tendon->wrap[k].value;
        length += value * q[joint->q];
        for (int t = 0; to->coefficient != NULL && t < to->terms; t++) {
            to->coefficient[t] += to->index[t] == joint->v ? to->factor * value : 0.0;
        }
    }
    return length;
}

// Add the power of a force at a point of a body to the entries of the velocities that move it.
static void add_force(const utKinematics* kin, int body, utVec3 point, utVec3 force,
                      const Derivatives* to)
{
    const utModel* model = kin->model;
    const utVec3 arm = ut_vec3_sub(point, ut_dyn_origin(kin, body));
    const utForce wrench = ut_force(force, ut_vec3_cross(arm, force));
    int t = to->terms - 1;
    for (int i = model->body[body].last_dof; i >= 0 && t >= 0; i = model->dof_parent[i]) {
        while (t >= 0 && to->index[t] > i) {
            t--;
        }
        if (t >= 0 && to->index[t] == i) {
            to->coefficient[t] += to->factor * ut_force_power(wrench, kin->axis[i]);
        }
    }
}

// The unit vector from the first to the second end, over the divisor. @return the segment's length
static double direction_of(const TendonSegment* segment, double divisor, utVec3* direction)
{
    const utVec3 along = ut_vec3_sub(segment->point[1], segment->point[0]);
    if (!ut_vec3_normalize(along, direction)) {
        *direction = ut_vec3_zero(); // a segment of length 0 has no direction
    }
    *direction = ut_vec3_scale(*direction, 1.0 / divisor);
    return ut_vec3_norm(along);
}

static double spatial_length(const utKinematics* kin, const utModelTendon* tendon,
                             const Derivatives* to)
{
    double length = 0.0;
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (ut_tendon_next_piece(kin->model, tendon, kin->body, &walk, &piece)) {
        double sum = piece.arc;
        for (int k = 0; k < piece.segments; k++) {
            const TendonSegment* s = &piece.segment[k];
            const bool wanted = to->coefficient != NULL && s->body[0] != s->body[1];
            utVec3 d;
            sum += direction_of(s, piece.divisor, &d);
            for (int end = 0; wanted && end < 2; end++) {
                add_force(kin, s->body[end], s->point[end], end == 0 ? ut_vec3_negate(d) : d, to);
            }
        }
        length += sum / piece.divisor;
    }
    return length;
}

static double find_length(const utKinematics* kin, const double* q, int tendon,
                          const Derivatives* to)
{
    const utModelTendon* t = &kin->model->tendon[tendon];
    return t->kind == UT_TENDON_FIXED ? fixed_length(kin->model, t, q, to)
                                      : spatial_length(kin, t, to);
}

void ut_dyn_add_tendon_derivatives(const utKinematics* kin, const double* q, int tendon,
                                   const utModelEquality* e, double factor, double* coefficient)
{
    const Derivatives to = {e->terms, e->index, factor, coefficient};
    (void)find_length(kin, q, tendon, &to);
}

double ut_tendon_length(const utKinematics* kin, const double* q, int tendon, int* terms,
                        int* index, double* coefficient)
{
    const utModelTendon* t = &kin->model->tendon[tendon];
    if (terms != NULL) {
        *terms = t->terms;
    }
    for (int k = 0; k < t->terms; k++) {
        if (index != NULL) {
            index[k] = t->index[k];
        }
        if (coefficient != NULL) {
            coefficient[k] = 0.0;
        }
    }
    const Derivatives to = {t->terms, t->index, 1.0, coefficient};
    return find_length(kin, q, tendon, &to);
}

// ---- rates --------------------------------------------------------------------------------------

double ut_tendon_rate(const utKinematics* kin, const double* v, int tendon)
{
    const utModelTendon* t = &kin->model->tendon[tendon];
    double rate = 0.0;
    for (int k = 0; k < t->wraps && t->kind == UT_TENDON_FIXED; k++) {
        rate += t->wrap[k].value * v[kin->model->joint[t->wrap[k].object].v];
    }
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (t->kind == UT_TENDON_SPATIAL &&
           ut_tendon_next_piece(kin->model, t, kin->body, &walk, &piece)) {
        for (int k = 0; k < piece.segments; k++) {
            const TendonSegment* s = &piece.segment[k];
            utVec3 d;
            (void)direction_of(s, piece.divisor, &d);
            rate += ut_vec3_dot(d, ut_vec3_sub(ut_point_velocity(kin, s->body[1], s->point[1]),
                                               ut_point_velocity(kin, s->body[0], s->point[0])));
        }
    }
    return rate;
}

// Of a segment x between two points: |x|'' = d . x'' + (|x'|^2 - (d . x')^2) / |x|.
double ut_tendon_bias(const utKinematics* kin, int tendon)
{
    const utModelTendon* t = &kin->model->tendon[tendon];
    double sum = 0.0;
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (t->kind == UT_TENDON_SPATIAL &&
           ut_tendon_next_piece(kin->model, t, kin->body, &walk, &piece)) {
        const TendonSegment* s = &piece.segment[0];
        utVec3 d;
        const double length = direction_of(s, 1.0, &d);
        const utVec3 u = ut_vec3_sub(ut_point_velocity(kin, s->body[1], s->point[1]),
                                     ut_point_velocity(kin, s->body[0], s->point[0]));
        const utVec3 a = ut_vec3_sub(ut_point_bias(kin, s->body[1], s->point[1]),
                                     ut_point_bias(kin, s->body[0], s->point[0]));
        const double axial = ut_vec3_dot(d, u);
        if (length > 0.0) {
            sum +=
                (ut_vec3_dot(d, a) + (ut_vec3_dot(u, u) - axial * axial) / length) / piece.divisor;
        }
    }
    return sum;
}

// ---- mocap bodies -------------------------------------------------------------------------------

// The velocity of a point of a mocap body, or of a body that is fixed to one; 0 for others.
static utVec3 mocap_velocity_at(const utKinematics* kin, int body, utVec3 point,
                                const utMotion* mocap_velocity)
{
    const utModel* model = kin->model;
    while (body > 0 && model->body[body].mocap < 0 && model->body[body].tree < 0) {
        body = model->body[body].parent;
    }
    if (model->body[body].mocap < 0) {
        return ut_vec3_zero();
    }
    const utMotion twist = mocap_velocity[model->body[body].mocap];
    const utVec3 arm = ut_vec3_sub(point, kin->body[body].p);
    return ut_vec3_add(twist.linear, ut_vec3_cross(twist.angular, arm));
}

double ut_tendon_mocap_rate(const utKinematics* kin, int tendon, const utMotion* mocap_velocity)
{
    const utModelTendon* t = &kin->model->tendon[tendon];
    double rate = 0.0;
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (t->mocap && mocap_velocity != NULL &&
           ut_tendon_next_piece(kin->model, t, kin->body, &walk, &piece)) {
        for (int k = 0; k < piece.segments; k++) {
            const TendonSegment* s = &piece.segment[k];
            utVec3 d;
            (void)direction_of(s, piece.divisor, &d);
            for (int end = 0; end < 2; end++) {
                const utVec3 v =
                    mocap_velocity_at(kin, s->body[end], s->point[end], mocap_velocity);
                rate += (end == 0 ? -1.0 : 1.0) * ut_vec3_dot(d, v);
            }
        }
    }
    return rate;
}

// ---- springs and dampers ------------------------------------------------------------------------

// The distance of a length from the slack lengths of the spring; 0 between them.
static double stretch_of(const utModelTendon* tendon, double length)
{
    return length < tendon->spring_length[0]   ? length - tendon->spring_length[0]
           : length > tendon->spring_length[1] ? length - tendon->spring_length[1]
                                               : 0.0;
}

double ut_tendon_spring(const utModelTendon* tendon, double length, double* stiffness)
{
    const double x = stretch_of(tendon, length);
    const double k = tendon->stiffness, *poly = tendon->stiffness_poly;
    const double secant = k + x * (poly[0] + x * poly[1]);
    const double tangent = k + x * (2.0 * poly[0] + x * 3.0 * poly[1]);
    // between two different lengths it is slack
    const bool slack = x == 0.0 && tendon->spring_length[0] != tendon->spring_length[1];
    *stiffness = slack ? 0.0 : tangent > 0.0 ? tangent : fabs(secant);
    return -x * secant;
}

double ut_tendon_damper(const utModelTendon* tendon, double rate, double* damping)
{
    const double u = fabs(rate), *poly = tendon->damping_poly;
    const double secant = tendon->damping + u * (poly[0] + u * poly[1]);
    const double tangent = tendon->damping + u * (2.0 * poly[0] + u * 3.0 * poly[1]);
    *damping = tangent > 0.0 ? tangent : fabs(secant);
    return -rate * secant;
}

bool ut_tendon_is_passive(const utModelTendon* tendon)
{
    return tendon->terms > 0 && (tendon->stiffness != 0.0 || tendon->stiffness_poly[0] != 0.0 ||
                                 tendon->stiffness_poly[1] != 0.0 || tendon->damping != 0.0 ||
                                 tendon->damping_poly[0] != 0.0 || tendon->damping_poly[1] != 0.0);
}

utStatus ut_dyn_add_tendons(const utKinematics* kin, const double* q, const double* v,
                            const utMotion* mocap_velocity, utArena scratch, double* tau)
{
    const utModel* model = kin->model;
    double* coefficient = UT_PUSH(&scratch, double, model->nv);
    if (coefficient == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* tendon = &model->tendon[i];
        if (!ut_tendon_is_passive(tendon)) {
            continue;
        }
        const double length = ut_tendon_length(kin, q, i, NULL, NULL, coefficient);
        double rate = ut_tendon_mocap_rate(kin, i, mocap_velocity), unused;
        for (int k = 0; k < tendon->terms; k++) {
            rate += coefficient[k] * v[tendon->index[k]];
        }
        const double force =
            ut_tendon_spring(tendon, length, &unused) + ut_tendon_damper(tendon, rate, &unused);
        for (int k = 0; k < tendon->terms; k++) {
            tau[tendon->index[k]] += coefficient[k] * force;
        }
    }
    return UT_OK;
}

double ut_dyn_tendon_kinetic(const utKinematics* kin, const double* v)
{
    double energy = 0.0;
    for (int i = 0; i < kin->model->ntendon; i++) {
        if (kin->model->tendon[i].armature > 0.0) {
            const double rate = ut_tendon_rate(kin, v, i);
            energy += 0.5 * kin->model->tendon[i].armature * rate * rate;
        }
    }
    return energy;
}

double ut_dyn_tendon_energy(const utKinematics* kin, const double* q)
{
    double energy = 0.0;
    for (int i = 0; i < kin->model->ntendon; i++) {
        const utModelTendon* tendon = &kin->model->tendon[i];
        if (ut_tendon_is_passive(tendon)) {
            const double x = stretch_of(tendon, ut_tendon_length(kin, q, i, NULL, NULL, NULL));
            const double* poly = tendon->stiffness_poly;
            energy += x * x * (tendon->stiffness / 2.0 + x * (poly[0] / 3.0 + x * poly[1] / 4.0));
        }
    }
    return energy;
}
