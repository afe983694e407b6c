// SPDX-License-Identifier: Apache-2.0
// Which geoms may touch within a step, and where.
//
// A geom moves by no more than h (|v of its centre| + |w| radius) in a step, by
// the velocities before the step, by those it would have without contacts or by
// those after a solution, whichever is more. Two geoms whose gap is larger than
// what both may move have no contact; the others have one, open or not.
#include <string.h>

#include "contact.h"

static const double SLACK = 1e-9; // m: contacts that touch stay in the set whatever rounding does

// Twist of a body under velocities v, seen from its tree's reference point.
static utMotion twist(const ContactScene* scene, int body, const double* v)
{
    const utModel* model = scene->model;
    utMotion sum = {ut_vec3_zero(), ut_vec3_zero()};
    for (int dof = model->body[body].last_dof; dof >= 0; dof = model->dof_parent[dof]) {
        sum = ut_motion_add(sum, ut_motion_scale(scene->kin->axis[dof], v[dof]));
    }
    return sum;
}

// the reference point of a body's spatial vectors
static utVec3 origin_of(const ContactScene* scene, int body)
{
    const int tree = scene->model->body[body].tree;
    return scene->kin->origin[tree >= 0 ? tree : scene->model->ntree];
}

static utVec3 velocity_at(utMotion twist, utVec3 origin, utVec3 point)
{
    return ut_vec3_add(twist.linear, ut_vec3_cross(twist.angular, ut_vec3_sub(point, origin)));
}

int ut_contact_mocap(const utModel* model, int body)
{
    while (body > 0 && model->body[body].mocap < 0 && model->body[body].joints == 0) {
        body = model->body[body].parent;
    }
    return body > 0 ? model->body[body].mocap : -1;
}

utMotion ut_contact_twist(const ContactScene* scene, int body, utVec3 point, const double* v)
{
    const utModel* model = scene->model;
    if (model->body[body].tree >= 0) {
        const utMotion t = twist(scene, body, v);
        return ut_motion(velocity_at(t, origin_of(scene, body), point), t.angular);
    }
    const int mocap = ut_contact_mocap(model, body);
    if (mocap < 0 || scene->mocap_velocity == NULL) {
        return ut_motion(ut_vec3_zero(), ut_vec3_zero());
    }
    int frame = body;
    while (model->body[frame].mocap < 0) {
        frame = model->body[frame].parent;
    }
    const utMotion t = scene->mocap_velocity[mocap];
    return ut_motion(velocity_at(t, scene->kin->body[frame].p, point), t.angular);
}

static utVec3 point_velocity(const ContactScene* scene, int body, utVec3 point, const double* v)
{
    return ut_contact_twist(scene, body, point, v).linear;
}

double ut_contact_travel(const ContactScene* scene, int geom)
{
    const utModel* model = scene->model;
    const int body = model->geom[geom].body;
    const utVec3 center = ut_frame_point(scene->kin->body[body], model->geom[geom].in_body.p);
    const double radius = isfinite(model->geom[geom].radius) ? model->geom[geom].radius : 0.0;
    if (model->body[body].tree < 0) {
        const int mocap = ut_contact_mocap(model, body);
        if (mocap < 0 || scene->mocap_velocity == NULL) {
            return 0.0; // however large it is
        }
        return scene->h * (ut_vec3_norm(point_velocity(scene, body, center, scene->v)) +
                           ut_vec3_norm(scene->mocap_velocity[mocap].angular) * radius);
    }
    double most = 0.0;
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        const utMotion t = twist(scene, body, velocities[k]);
        const double speed = ut_vec3_norm(velocity_at(t, origin_of(scene, body), center)) +
                             ut_vec3_norm(t.angular) * radius;
        most = speed > most ? speed : most;
    }
    return scene->h * most;
}

utStatus ut_contact_forget(const utModel* model, utArena* arena, ContactReached* reached)
{
    const int counts[3] = {model->ngeom, model->njoint, model->nequality};
    double** const entries[3] = {&reached->geom, &reached->joint, &reached->equality};
    for (int k = 0; k < 3; k++) {
        *entries[k] = UT_PUSH(arena, double, counts[k]);
        if (*entries[k] == NULL) {
            return UT_ERR_CAPACITY;
        }
        memset(*entries[k], 0, (size_t)counts[k] * sizeof **entries[k]);
    }
    return UT_OK;
}

static utFrame geom_frame(const ContactScene* scene, int geom)
{
    const utModelGeom* g = &scene->model->geom[geom];
    return ut_frame_mul(scene->kin->body[g->body], g->in_body);
}

// Without what lies along the normal.
static utVec3 in_plane(const utModel* model, utVec3 a)
{
    const utVec3 normal = ut_plane(model->options.planar).normal;
    return ut_vec3(normal.x != 0.0 ? 0.0 : a.x, normal.y != 0.0 ? 0.0 : a.y,
                   normal.z != 0.0 ? 0.0 : a.z);
}

void ut_contact_bound(const ContactScene* scene, utBroad* broad)
{
    const utModel* model = scene->model;
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        scene->reached.geom[g] = fmax(scene->reached.geom[g], ut_contact_travel(scene, g));
        const double room = scene->reached.geom[g] + geom->margin + SLACK;
        utBounds bounds = ut_shape_bounds(&geom->shape, geom_frame(scene, g));
        if (model->options.planar != UT_PLANAR_NONE) {
            // figures meet at whatever depth their solids are
            bounds.low = in_plane(model, bounds.low);
            bounds.high = in_plane(model, bounds.high);
        }
        const utVec3 all = ut_vec3(room, room, room);
        bounds.low = ut_vec3_sub(bounds.low, all);
        bounds.high = ut_vec3_add(bounds.high, all);
        ut_broad_set(broad, g, bounds, model->body[geom->body].tree < 0);
    }
}

static bool may_collide(int geom1, int geom2, void* context)
{
    return ut_model_collides(context, geom1, geom2);
}

double ut_contact_way_left(const ContactScene* scene, int body)
{
    if (scene->v_ahead == NULL) {
        return 1.0;
    }
    const int mocap = ut_contact_mocap(scene->model, body);
    return mocap >= 0 && scene->mocap_ahead != NULL ? 1.0 - scene->mocap_ahead[mocap] : 0.0;
}

// b: the gap, and the velocity of surfaces that no joint moves. Seen from where the bodies are
// ahead, the gap is the one there less what has been covered on the way:
//
//     gap(q ⊕ h v) ~ gap(q_ahead) + h J_n (v - v_ahead)
static void find_b(const ContactScene* scene, utContact* c)
{
    const utModel* model = scene->model;
    const bool ahead = scene->v_ahead != NULL;
    const int rows = ut_contact_dimension(model);
    const double gap = c->gap > 0.0 || scene->signed_gaps || ahead ? c->gap : 0.0;
    c->b[0] = scene->h > 0.0 ? gap / scene->h : 0.0; // an instant covers none
    c->b[1] = 0.0;
    c->b[2] = 0.0;
    const int bodies[2] = {ut_model_side_body(model, c->geom1),
                           ut_model_side_body(model, c->geom2)};
    for (int side = 0; side < 2; side++) {
        const double sign = side == 1 ? 1.0 : -1.0;
        const bool moved = model->body[bodies[side]].tree < 0; // from outside
        const double rest = moved ? ut_contact_way_left(scene, bodies[side]) : 0.0;
        if (rest > 0.0) {
            const utVec3 v = point_velocity(scene, bodies[side], c->point, scene->v);
            c->b[0] += sign * rest * ut_vec3_dot(c->frame[0], v);
        } else if (!moved && ahead) {
            const utVec3 v = point_velocity(scene, bodies[side], c->point, scene->v_ahead);
            c->b[0] -= sign * ut_vec3_dot(c->frame[0], v);
        }
        if (moved) {
            const utVec3 v = point_velocity(scene, bodies[side], c->point, scene->v);
            for (int k = 1; k < rows; k++) {
                c->b[k] += sign * ut_vec3_dot(c->frame[k], v);
            }
        }
    }
}

// The velocity of a side's surface against its body; sites have none.
static utVec3 surface_velocity(const ContactScene* scene, int side, utVec3 point)
{
    if (side >= scene->model->ngeom || !scene->model->geom[side].belt) {
        return ut_vec3_zero();
    }
    return ut_model_surface(&scene->model->geom[side], geom_frame(scene, side), point, scene->time);
}

// b_t of surfaces that move along themselves
static void add_surfaces(const ContactScene* scene, utContact* c)
{
    const utVec3 one = surface_velocity(scene, c->geom1, c->point);
    const utVec3 two = surface_velocity(scene, c->geom2, c->point);
    for (int k = 1; k < ut_contact_dimension(scene->model); k++) {
        c->b[k] += ut_vec3_dot(c->frame[k], ut_vec3_sub(two, one));
    }
}

// How fast a contact slips at the step's start.
static double slip_before(const ContactScene* scene, const utContact* c)
{
    const int body1 = ut_model_side_body(scene->model, c->geom1);
    const int body2 = ut_model_side_body(scene->model, c->geom2);
    const utVec3 bodies = ut_vec3_sub(point_velocity(scene, body2, c->point, scene->v),
                                      point_velocity(scene, body1, c->point, scene->v));
    const utVec3 belts = ut_vec3_sub(surface_velocity(scene, c->geom2, c->point),
                                     surface_velocity(scene, c->geom1, c->point));
    const utVec3 u = ut_vec3_add(bodies, belts);
    double square = 0.0;
    for (int k = 1; k < ut_contact_dimension(scene->model); k++) {
        square += ut_vec3_dot(c->frame[k], u) * ut_vec3_dot(c->frame[k], u);
    }
    return sqrt(square);
}

void ut_contact_settle(const ContactScene* scene, double friction, double kinetic, utContact* c)
{
    find_b(scene, c);
    add_surfaces(scene, c);
    const bool slips = kinetic != friction && slip_before(scene, c) > UT_SLIPS;
    c->mu = slips ? kinetic : friction;
}

static utContact make_contact(const ContactScene* scene, int geom1, int geom2, const utTouch* touch)
{
    utContact c = {
        .geom1 = geom1,
        .geom2 = geom2,
        .feature = touch->feature,
        .island = -1,
        .point = touch->point,
        .gap = touch->gap,
    };
    ut_contact_axes(scene->model, touch->normal, c.frame);
    ut_contact_settle(scene, ut_model_friction(scene->model, geom1, geom2),
                      ut_model_kinetic(scene->model, geom1, geom2), &c);
    return c;
}

// The largest gap of a contact between two geoms.
static double largest_gap(const ContactScene* scene, int geom1, int geom2)
{
    const utModelGeom* geom = scene->model->geom;
    switch (scene->reach) {
    case UT_REACH_TOUCHING:
        return SLACK;
    case UT_REACH_MARGIN:
        return geom[geom1].margin + geom[geom2].margin + SLACK;
    case UT_REACH_SPECULATIVE:
        break;
    }
    return scene->reached.geom[geom1] + scene->reached.geom[geom2] + SLACK;
}

// The contacts of one pair. @return how many there are, also beyond `room`
static int collide(const ContactScene* scene, int geom1, int geom2, int room, utContact* contact)
{
    const utModelGeom* a = &scene->model->geom[geom1];
    const utModelGeom* b = &scene->model->geom[geom2];
    const double reach = largest_gap(scene, geom1, geom2);
    utTouch touch[UT_TOUCH_MAX + 1];
    const bool planar = scene->model->options.planar != UT_PLANAR_NONE;
    const bool fast = scene->sweeps && ut_contact_is_fast(scene->model, geom1, geom2);
    int count;
    if (planar) {
        count = ut_contact_collide_flat(scene, geom1, geom2, reach, touch);
    } else if (fast) {
        count = ut_contact_fast_touches(scene, geom1, geom2, reach, touch);
    } else {
        count = ut_collide(&a->shape, geom_frame(scene, geom1), &b->shape, geom_frame(scene, geom2),
                           reach, touch);
        // contacts that are met on their way need no guess whether the pair passes
        const bool watched =
            scene->collides ||
            (scene->watches && ut_model_restitution(scene->model, geom1, geom2) > 0.0);
        count = watched ? count : ut_contact_drop_passed(scene, geom1, geom2, count, touch);
    }
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (scene->reach != UT_REACH_SPECULATIVE && !(touch[k].gap <= reach)) {
            continue; // a point of a manifold that begins within reach
        }
        if (kept < room) {
            contact[kept] = make_contact(scene, geom1, geom2, &touch[k]);
        }
        kept++;
    }
    return kept;
}

utStatus ut_contact_find(const ContactScene* scene, utBroad* broad, int max_pairs, int* pair,
                         int* pairs, int max, utContact* contact, int* count)
{
    *count = 0;
    UT_TRY(
        ut_broad_pairs(broad, may_collide, (void*)(uintptr_t)scene->model, max_pairs, pair, pairs));
    for (int k = 0; k < *pairs; k++) {
        const int room = max - *count;
        *count += collide(scene, pair[2 * k], pair[2 * k + 1], room > 0 ? room : 0,
                          contact + (*count < max ? *count : max));
    }
    return *count <= max ? UT_OK : UT_ERR_CAPACITY;
}

// ---- velocities ---------------------------------------------------------------------------------

// What the velocities of joints contribute to a row.
static double row_velocity(const ContactScene* scene, const utRow* row, const double* v)
{
    double sum = 0.0;
    if (row->dof >= 0) {
        for (int k = 0; k < row->dofs; k++) {
            sum += row->direction[k] * v[row->dof + k];
        }
        return row->length * sum;
    }
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        if (scene->model->body[body].tree < 0) {
            continue; // in b
        }
        const utMotion t = ut_contact_twist(scene, body, side == 0 ? row->point1 : row->point2, v);
        sum += (side == 1 ? 1.0 : -1.0) *
               (ut_vec3_dot(row->linear, t.linear) + ut_vec3_dot(row->angular, t.angular));
    }
    return sum;
}

void ut_contact_velocities(const ContactScene* scene, const double* v, int contacts,
                           utContact* contact, int rows, utRow* row)
{
    const utModel* model = scene->model;
    const int rows_of_contact = ut_contact_dimension(model);
    for (int i = 0; i < contacts; i++) {
        utContact* c = &contact[i];
        const int bodies[2] = {ut_model_side_body(model, c->geom1),
                               ut_model_side_body(model, c->geom2)};
        for (int k = 0; k < 3; k++) {
            c->u[k] = c->b[k];
        }
        for (int side = 0; side < 2; side++) {
            if (model->body[bodies[side]].tree < 0) {
                continue; // in b
            }
            const utVec3 at = point_velocity(scene, bodies[side], c->point, v);
            for (int k = 0; k < rows_of_contact; k++) {
                c->u[k] += (side == 1 ? 1.0 : -1.0) * ut_vec3_dot(c->frame[k], at);
            }
        }
    }
    for (int j = 0; j < rows; j++) {
        row[j].u = row_velocity(scene, &row[j], v) + row[j].b + row[j].compliance * row[j].r;
    }
}
