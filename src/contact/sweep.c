// SPDX-License-Identifier: Apache-2.0
// What fast bodies meet on their way through a step.
//
// A step leads from q to q ⊕ h v. On the way, at q ⊕ s h v with s from 0 to 1, bodies move with
// constant twists, the joints of trees at constant rates. Two geoms meet at the first s at which
// they overlap by more than a trace: touching is no meeting, so that what rests or slides on
// another is left alone. With n the direction of the gap, no point of convex shapes comes nearer
// along n than by
//
//     (n . relative velocity of the origins + |w_1| R_1 + |w_2| R_2) a second,
//
// R being the reach from the origins that turn; along this the way is searched, in steps that are
// never too long but for a least one: what is less deep than that may be passed over.
#include "contact.h"

static const double TRACE = 1e-4; // of the smaller radius: an overlap that counts as none
static const double LEAST = 5e-3; // of it: as far as points move from one look to the next
enum { LOOKS = 2000, HALVINGS = 30 };

// ---- one geom on its way ------------------------------------------------------------------------

typedef struct Mover {
    const utModelGeom* geom;
    int body;
    bool convex;
    bool jointed;    // its frame is found by placing the whole model
    utFrame start;   // of what moves it: the free body, the mocap body
    utFrame inner;   // the geom in there,
    utVec3 centre;   // and the body's centre of mass
    utVec3 velocity; // of the origin of `start`, times h: m in the step
    utVec3 turn;     // world, times h: rad in the step
    double reach;    // of the geom from that origin, m
    double more;     // what joints add, m in the step
} Mover;

static utFrame geom_frame(const utKinematics* kin, const utModelGeom* geom)
{
    return ut_frame_mul(kin->body[geom->body], geom->in_body);
}

// How far the joints of a tree move any point of a body in the step, at most about.
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

static void move_with(Mover* m, const ContactScene* scene, int carrier, utMotion twist)
{
    m->start = scene->kin->body[carrier];
    m->inner = ut_frame_mul(ut_frame_inverse(m->start), geom_frame(scene->kin, m->geom));
    m->centre = ut_frame_point_inverse(m->start, scene->kin->com[m->body]);
    m->velocity = ut_vec3_scale(twist.linear, scene->h);
    m->turn = ut_vec3_scale(twist.angular, scene->h);
}

static Mover find_mover(const ContactScene* scene, int geom, const double* v)
{
    const utModel* model = scene->model;
    const utModelGeom* g = &model->geom[geom];
    const utModelBody* body = &model->body[g->body];
    Mover m = {.geom = g, .body = g->body, .convex = ut_shape_is_convex(g->shape.kind)};
    move_with(&m, scene, 0, ut_motion(ut_vec3_zero(), ut_vec3_zero()));
    if (body->tree < 0) {
        int carrier = g->body;
        while (carrier > 0 && model->body[carrier].mocap < 0) {
            carrier = model->body[carrier].parent;
        }
        if (carrier > 0 && scene->mocap_velocity != NULL) {
            move_with(&m, scene, carrier, scene->mocap_velocity[model->body[carrier].mocap]);
        }
    } else if (model->tree[body->tree].free && body->weld == model->tree[body->tree].body) {
        const double* x = v + model->tree[body->tree].dof;
        const utVec3 w = ut_mat3_mul_vec(scene->kin->body[body->weld].R, ut_vec3(x[3], x[4], x[5]));
        move_with(&m, scene, body->weld, ut_motion(ut_vec3(x[0], x[1], x[2]), w));
    } else {
        m.jointed = true;
        m.more = joint_travel(scene, g->body, v);
    }
    m.reach = ut_vec3_norm(m.inner.p) + (m.convex ? g->radius : 0.0);
    return m;
}

static bool turns(const Mover* m)
{
    const bool ball = m->geom->shape.kind == UT_SHAPE_SPHERE && ut_vec3_norm(m->inner.p) == 0.0;
    return !ball && ut_vec3_dot(m->turn, m->turn) > 0.0;
}

// where what moves it is
static utFrame carrier_at(const Mover* m, double s)
{
    const utMat3 R = ut_quat_to_mat3(ut_quat_exp(ut_vec3_scale(m->turn, s)));
    return ut_frame(ut_mat3_mul(R, m->start.R), ut_vec3_add_scaled(m->start.p, s, m->velocity));
}

static utFrame frame_at(const Mover* m, const utKinematics* placed, double s)
{
    return m->jointed ? geom_frame(placed, m->geom) : ut_frame_mul(carrier_at(m, s), m->inner);
}

static utVec3 centre_at(const Mover* m, const utKinematics* placed, double s)
{
    return m->jointed ? placed->com[m->body] : ut_frame_point(carrier_at(m, s), m->centre);
}

// ---- a pair -------------------------------------------------------------------------------------

typedef struct Pair {
    Sweep* sweep;
    Mover one, two;
    double trace; // an overlap that counts as none, m
    double least; // as far as points move from one look to the next, m
    double limit; // a smaller gap is an overlap, m
} Pair;

// Place trees with joints at s.
static void place(const Pair* pair, double s)
{
    Sweep* sweep = pair->sweep;
    if (pair->one.jointed || pair->two.jointed) {
        ut_model_integrate(sweep->scene->model, sweep->q, sweep->v, s * sweep->scene->h,
                           sweep->q_at);
        ut_kinematics_place(&sweep->placed, sweep->q_at, sweep->mocap_pos, sweep->mocap_quat);
    }
}

static bool look(const Pair* pair, double s, utGap* gap)
{
    Sweep* sweep = pair->sweep;
    place(pair, s);
    return ut_gap(&pair->one.geom->shape, frame_at(&pair->one, &sweep->placed, s),
                  &pair->two.geom->shape, frame_at(&pair->two, &sweep->placed, s), gap) == UT_OK;
}

// How much nearer any points may come along n by the end of the step.
static double closing(const Pair* pair, utVec3 n)
{
    const Mover *one = &pair->one, *two = &pair->two;
    const utVec3 velocity = ut_vec3_sub(two->velocity, one->velocity);
    // of a surface that need not be convex, or a plane that turns, the nearest point may change
    const bool any_way =
        !(one->convex || !turns(one)) || !(two->convex || !turns(two)) ||
        one->geom->shape.kind == UT_SHAPE_MESH || two->geom->shape.kind == UT_SHAPE_MESH ||
        one->geom->shape.kind == UT_SHAPE_HEIGHTS || two->geom->shape.kind == UT_SHAPE_HEIGHTS;
    const double linear = any_way ? ut_vec3_norm(velocity) : -ut_vec3_dot(n, velocity);
    double angular = 0.0;
    angular += turns(one) ? ut_vec3_norm(one->turn) * one->reach : 0.0;
    angular += turns(two) ? ut_vec3_norm(two->turn) * two->reach : 0.0;
    return linear + angular + one->more + two->more;
}

static bool overlaps(const Pair* pair, const utGap* gap)
{
    return !(gap->gap >= pair->limit);
}

// Between s, where they do not overlap, and end, where they do: as late as it is clear.
static double refine(const Pair* pair, double s, double end, utVec3* normal)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (s + end);
        utGap gap;
        if (look(pair, middle, &gap) && !overlaps(pair, &gap)) {
            s = middle;
            *normal = gap.normal;
        } else {
            end = middle;
        }
    }
    return s;
}

static bool meets(Pair* pair, double* at, utVec3* normal)
{
    const Mover *one = &pair->one, *two = &pair->two;
    const double far = ut_vec3_norm(ut_vec3_sub(two->velocity, one->velocity)) +
                       (turns(one) ? ut_vec3_norm(one->turn) * one->reach : 0.0) +
                       (turns(two) ? ut_vec3_norm(two->turn) * two->reach : 0.0) + one->more +
                       two->more;
    utGap gap;
    if (!look(pair, 0.0, &gap)) {
        return false;
    }
    // what overlaps from the start may do so, but no more than then
    pair->limit = (gap.gap < 0.0 ? gap.gap : 0.0) - pair->trace;
    *normal = gap.normal;
    double s = 0.0;
    for (int i = 0; i < LOOKS && s < 1.0; i++) {
        const double rate = closing(pair, gap.normal);
        double D = rate > 0.0 ? (gap.gap - pair->limit) / rate : 1.0;
        D = fmax(D, far > 0.0 ? pair->least / far : 1.0);
        const double next = s + D < 1.0 ? s + D : 1.0;
        if (!look(pair, next, &gap) || overlaps(pair, &gap)) {
            *at = refine(pair, s, next, normal);
            return true;
        }
        *normal = gap.normal;
        s = next;
    }
    return false;
}

// ---- centres ------------------------------------------------------------------------------------

// Does the way of the smaller one's centre of mass, as the other sees it, lead into the other?
// @param m receives when, and the normal of what is met
static bool crosses(const Pair* pair, bool second, SweepHit* m)
{
    const Mover* small = second ? &pair->two : &pair->one;
    const Mover* other = second ? &pair->one : &pair->two;
    utVec3 centre[2];
    for (int k = 0; k < 2; k++) {
        place(pair, k);
        centre[k] = ut_frame_point_inverse(frame_at(other, &pair->sweep->placed, k),
                                           centre_at(small, &pair->sweep->placed, k));
    }
    const utVec3 way = ut_vec3_sub(centre[1], centre[0]);
    const double far = ut_vec3_norm(way);
    utVec3 along;
    utRayHit hit;
    if (!ut_vec3_normalize(way, &along) ||
        !ut_ray(&other->geom->shape, ut_frame_identity(), centre[0], along, far, &hit) ||
        !(hit.distance > 0.0)) {
        return false;
    }
    m->fraction = hit.distance / far;
    place(pair, m->fraction);
    const utVec3 n =
        ut_mat3_mul_vec(frame_at(other, &pair->sweep->placed, m->fraction).R, hit.normal);
    m->normal = second ? n : ut_vec3_negate(n);
    return true;
}

// ---- all pairs ----------------------------------------------------------------------------------

static bool is_fast_pair(int geom1, int geom2, void* context)
{
    const utModel* model = context;
    return ut_contact_is_fast(model, geom1, geom2) && ut_model_collides(model, geom1, geom2);
}

utStatus ut_contact_sweep(Sweep* sweep, utBroad* broad, int max_pairs, int* pair, int* pairs,
                          SweepHit* meeting, int* meetings)
{
    const ContactScene* scene = sweep->scene;
    *meetings = 0;
    ut_contact_update_boxes(scene, broad);
    UT_TRY(ut_broad_pairs(broad, is_fast_pair, (void*)(uintptr_t)scene->model, max_pairs, pair,
                          pairs));
    for (int k = 0; k < *pairs; k++) {
        SweepHit m = {.geom1 = pair[2 * k], .geom2 = pair[2 * k + 1]};
        const double size = ut_contact_size(scene->model, m.geom1, m.geom2);
        Pair two = {
            .sweep = sweep,
            .one = find_mover(scene, m.geom1, sweep->v),
            .two = find_mover(scene, m.geom2, sweep->v),
            .trace = TRACE * size,
            .least = LEAST * size,
        };
        const bool second = ut_contact_second_is_small(scene->model, m.geom1, m.geom2);
        const bool met = meets(&two, &m.fraction, &m.normal);
        SweepHit core = m;
        core.centre_enters = crosses(&two, second, &core);
        m = core.centre_enters && (!met || sweep->by_centre) ? core : m;
        m.centre_enters = core.centre_enters;
        if (met || m.centre_enters) {
            utGap end;
            m.depth = look(&two, 1.0, &end) ? fmax(0.0, two.limit - end.gap) : HUGE_VAL;
            meeting[(*meetings)++] = m;
        }
    }
    return UT_OK;
}
