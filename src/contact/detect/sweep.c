// SPDX-License-Identifier: Apache-2.0
// Continuous collision of fast bodies: the pairs that hit each other on their path through the
// step.
//
// A step leads from q to q ⊕ h v. On the path, at q ⊕ s h v with s from 0 to 1, free bodies and
// mocap bodies move with constant twists, and the joints of trees at constant rates. Two geoms hit
// each other at the first s at which they overlap by more than a tolerance, so that a body that
// rests or slides on another does not hit it. With n the direction of the gap, no points of two
// convex shapes approach each other along n faster than with
//
//     n . (relative velocity of the origins) + |w_1| R_1 + |w_2| R_2
//
// where R is the largest distance of a geom's point from the origin about which it turns. The
// search advances by conservative steps from this bound, but by at least a minimum step. An overlap
// that is shallower than the minimum step may be missed.
#include "contact/contact.h"

// fractions of the smaller radius
static const double TOLERATED_OVERLAP = 1e-4; // deeper overlaps are hits
static const double MIN_TRAVEL = 5e-3;        // of any point between two evaluations of the gap

enum { MAX_EVALUATIONS = 2000, BISECTIONS = 30 };

// ---- one geom on its path -----------------------------------------------------------------------

typedef struct MovingGeom {
    const utModelGeom* geom;
    int index;
    bool convex;
    bool jointed;        // joints move it: its pose comes from placing the whole model
    utFrame start;       // pose at s = 0 of the carrier: the free body or the mocap body
    utFrame in_carrier;  // pose of the geom in the carrier
    utVec3 centre;       // centre of mass of the geom's body, in the carrier
    utVec3 velocity;     // of the carrier's origin times h, m
    utVec3 turn;         // angular velocity of the carrier times h, world, rad
    double reach;        // largest distance of the geom's points from the carrier's origin, m
    double joint_travel; // bound on the travel by joints, m
} MovingGeom;

// A bound, to first order, on how far the joints of a tree move any point of a body in the step.
static double joint_travel(const ContactScene* scene, int body, const double* v)
{
    const utModel* model = scene->model;
    double sum = 0.0;
    for (int dof = model->body[body].last_dof; dof >= 0; dof = model->dof_parent[dof]) {
        const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
        const bool slides =
            joint->kind == UT_JOINT_SLIDE || (joint->kind == UT_JOINT_FREE && dof < joint->v + 3);
        sum += fabs(v[dof]) * (slides ? 1.0 : 2.0 * joint->reach);
    }
    return scene->h * sum;
}

static void set_carrier(MovingGeom* m, const ContactScene* scene, int carrier, utMotion twist)
{
    m->start = scene->kin->body[carrier];
    m->in_carrier = ut_frame_mul(ut_frame_inverse(m->start), ut_geom_frame(scene->kin, m->index));
    m->centre = ut_frame_point_inverse(m->start, scene->kin->com[m->geom->body]);
    m->velocity = ut_vec3_scale(twist.linear, scene->h);
    m->turn = ut_vec3_scale(twist.angular, scene->h);
}

static MovingGeom moving_geom(const ContactScene* scene, int geom, const double* v)
{
    const utModel* model = scene->model;
    const utModelGeom* g = &model->geom[geom];
    const utModelBody* body = &model->body[g->body];
    MovingGeom m = {.geom = g, .index = geom, .convex = ut_shape_is_convex(g->shape.kind)};
    set_carrier(&m, scene, 0, ut_motion(ut_vec3_zero(), ut_vec3_zero()));
    if (body->tree < 0) {
        int carrier = g->body;
        while (carrier > 0 && model->body[carrier].mocap < 0) {
            carrier = model->body[carrier].parent;
        }
        if (carrier > 0 && scene->mocap_velocity != NULL) {
            set_carrier(&m, scene, carrier, scene->mocap_velocity[model->body[carrier].mocap]);
        }
    } else if (model->tree[body->tree].free && body->weld == model->tree[body->tree].body) {
        const double* x = v + model->tree[body->tree].dof;
        const utVec3 w = ut_mat3_mul_vec(scene->kin->body[body->weld].R, ut_vec3(x[3], x[4], x[5]));
        set_carrier(&m, scene, body->weld, ut_motion(ut_vec3(x[0], x[1], x[2]), w));
    } else {
        m.jointed = true;
        m.joint_travel = joint_travel(scene, g->body, v);
    }
    const bool bounded = g->shape.kind != UT_SHAPE_PLANE;
    m.reach = ut_vec3_norm(m.in_carrier.p) + (bounded ? g->radius : 0.0);
    return m;
}

// Does the rotation of the carrier move the geom? It does not move a sphere about its own centre.
static bool turns(const MovingGeom* m)
{
    const bool centred_sphere =
        m->geom->shape.kind == UT_SHAPE_SPHERE && ut_vec3_norm(m->in_carrier.p) == 0.0;
    return !centred_sphere && ut_vec3_dot(m->turn, m->turn) > 0.0;
}

// Bound on the travel by rotation in the step, m.
static double turn_travel(const MovingGeom* m)
{
    return turns(m) ? ut_vec3_norm(m->turn) * m->reach : 0.0;
}

static utFrame carrier_at(const MovingGeom* m, double s)
{
    const utMat3 R = ut_quat_to_mat3(ut_quat_exp(ut_vec3_scale(m->turn, s)));
    return ut_frame(ut_mat3_mul(R, m->start.R), ut_vec3_add_scaled(m->start.p, s, m->velocity));
}

static utFrame frame_at(const MovingGeom* m, const utKinematics* placed, double s)
{
    return m->jointed ? ut_geom_frame(placed, m->index)
                      : ut_frame_mul(carrier_at(m, s), m->in_carrier);
}

static utVec3 centre_at(const MovingGeom* m, const utKinematics* placed, double s)
{
    return m->jointed ? placed->com[m->geom->body] : ut_frame_point(carrier_at(m, s), m->centre);
}

// ---- a pair -------------------------------------------------------------------------------------

typedef struct MovingPair {
    Sweep* sweep;
    MovingGeom one, two;
    double travel;     // bound on the travel of any point relative to the other geom, m
    double tolerated;  // overlap that is no hit, m
    double min_travel; // of any point between two evaluations, m
    double hit_gap;    // a smaller gap is a hit, m
} MovingPair;

// Place the model at s when one of the geoms moves by joints.
static void place(const MovingPair* pair, double s)
{
    Sweep* sweep = pair->sweep;
    if (pair->one.jointed || pair->two.jointed) {
        ut_model_integrate(sweep->scene->model, sweep->q, sweep->v, s * sweep->scene->h,
                           sweep->q_at);
        ut_kinematics_place(&sweep->placed, sweep->q_at, sweep->mocap_pos, sweep->mocap_quat);
    }
}

// The gap at s, up to twice the travel. @return false: the gap could not be computed
static bool find_gap(const MovingPair* pair, double s, utGap* gap)
{
    Sweep* sweep = pair->sweep;
    place(pair, s);
    return ut_gap_within(&pair->one.geom->shape, frame_at(&pair->one, &sweep->placed, s),
                         &pair->two.geom->shape, frame_at(&pair->two, &sweep->placed, s),
                         2.0 * pair->travel, gap) == UT_OK;
}

static bool is_surface(const MovingGeom* m)
{
    return m->geom->shape.kind == UT_SHAPE_MESH || m->geom->shape.kind == UT_SHAPE_HEIGHTS;
}

// Bound on the approach of any two points along n by the end of the step, m.
static double approach_bound(const MovingPair* pair, utVec3 n)
{
    const MovingGeom *one = &pair->one, *two = &pair->two;
    const utVec3 velocity = ut_vec3_sub(two->velocity, one->velocity);
    // the direction of the gap may jump for a surface that is not convex and for a turning plane
    const bool any_direction = !(one->convex || !turns(one)) || !(two->convex || !turns(two)) ||
                               is_surface(one) || is_surface(two);
    const double linear = any_direction ? ut_vec3_norm(velocity) : -ut_vec3_dot(n, velocity);
    double angular = 0.0;
    angular += turn_travel(one);
    angular += turn_travel(two);
    return linear + angular + one->joint_travel + two->joint_travel;
}

// Bound on the relative travel of any two points in the step, m.
static double travel_bound(const MovingGeom* one, const MovingGeom* two)
{
    return ut_vec3_norm(ut_vec3_sub(two->velocity, one->velocity)) + turn_travel(one) +
           turn_travel(two) + one->joint_travel + two->joint_travel;
}

static bool is_hit(const MovingPair* pair, const utGap* gap)
{
    return !(gap->gap >= pair->hit_gap);
}

// Bisect between s without a hit and `end` with one. @return the last moment without a hit
static double bisect(const MovingPair* pair, double s, double end, utVec3* normal)
{
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (s + end);
        utGap gap;
        if (find_gap(pair, middle, &gap) && !is_hit(pair, &gap)) {
            s = middle;
            *normal = gap.normal;
        } else {
            end = middle;
        }
    }
    return s;
}

// Conservative advancement. @param at, normal of the last moment without a hit
static bool find_hit(MovingPair* pair, double* at, utVec3* normal)
{
    const double travel = pair->travel;
    utGap gap;
    if (!find_gap(pair, 0.0, &gap)) {
        return false;
    }
    // a pair that overlaps at the start may keep its overlap but not deepen it
    pair->hit_gap = (gap.gap < 0.0 ? gap.gap : 0.0) - pair->tolerated;
    *normal = gap.normal;
    double s = 0.0;
    for (int i = 0; i < MAX_EVALUATIONS && s < 1.0; i++) {
        const double rate = approach_bound(pair, gap.normal);
        double advance = rate > 0.0 ? (gap.gap - pair->hit_gap) / rate : 1.0;
        advance = fmax(advance, travel > 0.0 ? pair->min_travel / travel : 1.0);
        const double next = s + advance < 1.0 ? s + advance : 1.0;
        if (!find_gap(pair, next, &gap) || is_hit(pair, &gap)) {
            *at = bisect(pair, s, next, normal);
            return true;
        }
        *normal = gap.normal;
        s = next;
    }
    return false;
}

// ---- centres ------------------------------------------------------------------------------------

// Does the centre of mass of the smaller geom's body enter the other geom on its path, seen from
// the other geom? @param hit receives the fraction and the normal
static bool centre_enters(const MovingPair* pair, bool second_is_smaller, SweepHit* hit)
{
    const MovingGeom* small = second_is_smaller ? &pair->two : &pair->one;
    const MovingGeom* other = second_is_smaller ? &pair->one : &pair->two;
    utVec3 centre[2];
    for (int k = 0; k < 2; k++) {
        place(pair, k);
        centre[k] = ut_frame_point_inverse(frame_at(other, &pair->sweep->placed, k),
                                           centre_at(small, &pair->sweep->placed, k));
    }
    const utVec3 path = ut_vec3_sub(centre[1], centre[0]);
    const double length = ut_vec3_norm(path);
    utVec3 direction;
    utRayHit ray;
    if (!ut_vec3_normalize(path, &direction) ||
        !ut_ray(&other->geom->shape, ut_frame_identity(), centre[0], direction, length, &ray) ||
        !(ray.distance > 0.0)) {
        return false;
    }
    hit->fraction = ray.distance / length;
    place(pair, hit->fraction);
    const utVec3 n =
        ut_mat3_mul_vec(frame_at(other, &pair->sweep->placed, hit->fraction).R, ray.normal);
    hit->normal = second_is_smaller ? n : ut_vec3_negate(n);
    return true;
}

// ---- all pairs ----------------------------------------------------------------------------------

static bool is_fast_pair(int geom1, int geom2, void* context)
{
    const utModel* model = context;
    return ut_contact_is_fast(model, geom1, geom2) && ut_model_collides(model, geom1, geom2);
}

// @return false: the pair does not hit
static bool sweep_pair(Sweep* sweep, int geom1, int geom2, SweepHit* result)
{
    const ContactScene* scene = sweep->scene;
    const double radius = ut_contact_smaller_radius(scene->model, geom1, geom2);
    MovingPair pair = {
        .sweep = sweep,
        .one = moving_geom(scene, geom1, sweep->v),
        .two = moving_geom(scene, geom2, sweep->v),
        .tolerated = TOLERATED_OVERLAP * radius,
        .min_travel = MIN_TRAVEL * radius,
    };
    pair.travel = travel_bound(&pair.one, &pair.two);
    SweepHit hit = {.geom1 = geom1, .geom2 = geom2};
    const bool hits = find_hit(&pair, &hit.fraction, &hit.normal);
    const bool second_is_smaller = ut_contact_second_is_smaller(scene->model, geom1, geom2);
    SweepHit centre_hit = hit;
    const bool enters = centre_enters(&pair, second_is_smaller, &centre_hit);
    *result = enters && (!hits || sweep->by_centre) ? centre_hit : hit;
    result->centre_enters = enters;
    if (hits || enters) {
        utGap end;
        result->depth = find_gap(&pair, 1.0, &end) ? fmax(0.0, pair.hit_gap - end.gap) : HUGE_VAL;
    }
    return hits || enters;
}

utStatus ut_contact_sweep(Sweep* sweep, utBroad* broad, int max_pairs, int* pair, int* pairs,
                          SweepHit* hit, int* hits)
{
    const ContactScene* scene = sweep->scene;
    *hits = 0;
    ut_contact_update_boxes(scene, broad);
    UT_TRY(ut_broad_pairs(broad, is_fast_pair, (void*)(uintptr_t)scene->model, max_pairs, pair,
                          pairs));
    for (int k = 0; k < *pairs; k++) {
        *hits += sweep_pair(sweep, pair[2 * k], pair[2 * k + 1], &hit[*hits]);
    }
    return UT_OK;
}
