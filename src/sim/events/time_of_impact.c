// SPDX-License-Identifier: Apache-2.0
// The time of impact of event contacts within a sub-step.
//
// A sub-step has been made without these contacts. Its path at the fraction s: trees without impulses
// move with v + (v+ - v) s, which is exact in free flight under constant gravity, all others with v+.
// A gap cannot close faster than both geoms move. This bounds the advance from one distance query to
// the next, down to a least advance. Once a query finds the gap closed, its zero is bracketed and
// located.
#include <string.h>

#include "sim/events/parts.h"
#include "sim/tolerances.h"

static const double MIN_ADVANCE = 5e-3;  // of the smaller radius, between two queries
static const double TRAVEL_MARGIN = 1.5; // on the distance that geoms move: their speeds may grow
static const double NO_EVENT = 2.0;      // fraction of the sub-step: after its end
static const double FRACTION_ROUNDING = 1e-16;
enum { MAX_QUERIES = 4000, MAX_ROOT_STEPS = 100, MAX_BISECTIONS = 40 };

// The path of a sub-step, and one place on it.
typedef struct Path {
    Step* step;
    bool* loaded;     // ntree: trees with impulses
    double* begin;    // nv: velocities at s = 0
    double* d;        // nv: displacement
    double* q;        // nq
    double* pos;      // 3 nmocap
    double* quat;     // 4 nmocap
    utKinematics kin; // placed at q, pos and quat
    ContactScene scene;
} Path;

static utStatus make_path(Step* step, utArena* arena, Path* path)
{
    const utModel* model = step->sim->model;
    path->step = step;
    path->loaded = UT_PUSH(arena, bool, model->ntree);
    path->begin = UT_PUSH(arena, double, model->nv);
    path->d = UT_PUSH(arena, double, model->nv);
    path->q = UT_PUSH(arena, double, model->nq);
    path->pos = UT_PUSH(arena, double, 3 * model->nmocap);
    path->quat = UT_PUSH(arena, double, 4 * model->nmocap);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, arena, &path->kin));
    ut_step_loaded_trees(step, path->loaded);
    for (int i = 0; i < model->nv; i++) {
        const bool loaded = path->loaded[model->body[model->dof_body[i]].tree];
        path->begin[i] = loaded ? step->v_next[i] : step->v[i];
    }
    path->scene = step->scene;
    path->scene.kin = &path->kin;
    return UT_OK;
}

// Place the bodies at the fraction s of the sub-step.
static void place_at(Path* path, double s)
{
    const Step* step = path->step;
    const utModel* model = step->sim->model;
    const double h = step->h;
    for (int i = 0; i < model->nv; i++) {
        const bool loaded = path->loaded[model->body[model->dof_body[i]].tree];
        const double rate =
            loaded ? step->v_next[i] : step->v[i] + 0.5 * s * (step->v_next[i] - step->v[i]);
        path->d[i] = s * h * rate;
    }
    ut_model_integrate(model, step->q, path->d, 1.0, path->q);
    for (int m = 0; m < model->nmocap; m++) {
        ut_mocap_move(step->start.mocap_pos, step->start.mocap_quat, step->input.mocap_velocity, m,
                      s * h, path->pos + (size_t)3 * (size_t)m, path->quat + (size_t)4 * (size_t)m);
    }
    ut_kinematics_place(&path->kin, path->q, path->pos, path->quat);
}

// ---- one pair -----------------------------------------------------------------------------------

static double point_gap(const Path* path, const utContact* c)
{
    const utModel* model = path->step->sim->model;
    const utModelPoint* point = &model->point[c->feature];
    const utModelGeom* geom = &model->geom[point->geom];
    const utModelSite* site = &model->site[point->site];
    const utFrame face = ut_frame_mul(path->kin.body[geom->body], geom->in_body);
    const utVec3 at = ut_frame_point(path->kin.body[site->body], site->in_body.p);
    return ut_vec3_dot(ut_mat3_mul_vec(face.R, point->normal), ut_vec3_sub(at, face.p)) -
           point->offset;
}

// Is a feature of the pair one of the sub-step's contacts, and so a row?
static bool is_row(const Step* step, const utContact* pair, uint64_t feature)
{
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (c->geom1 == pair->geom1 && c->geom2 == pair->geom2 && c->feature == feature) {
            return true;
        }
    }
    return false;
}

// The least gap of a pair over features that are no rows; HUGE_VAL: none is within reach.
static double find_gap(Path* path, const utContact* c, double reach)
{
    const utModel* model = path->step->sim->model;
    if (c->geom2 >= model->ngeom) {
        return point_gap(path, c);
    }
    utTouch touch[UT_TOUCH_MAX + 1];
    int count;
    if (model->options.planar != UT_PLANAR_NONE) {
        count = ut_contact_collide_planar(&path->scene, c->geom1, c->geom2, reach, touch);
    } else {
        const utModelGeom *a = &model->geom[c->geom1], *b = &model->geom[c->geom2];
        count = ut_collide(&a->shape, ut_frame_mul(path->kin.body[a->body], a->in_body), &b->shape,
                           ut_frame_mul(path->kin.body[b->body], b->in_body), reach, touch);
    }
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap < least && !is_row(path->step, c, touch[k].feature)) {
            least = touch[k].gap;
        }
    }
    return least;
}

static double query(Path* path, const utContact* c, double reach, double s)
{
    place_at(path, s);
    return find_gap(path, c, reach);
}

// The zero of the gap between `low`, where it is open, and `high`, where it is closed: the Illinois
// rule, and bisection from time to time, because that rule can be slow.
static double find_root(Path* path, const utContact* c, double reach, double low, double gap_low,
                        double high, double gap_high)
{
    for (int i = 0; i < MAX_ROOT_STEPS && high - low > FRACTION_ROUNDING; i++) {
        double s = (low * gap_high - high * gap_low) / (gap_high - gap_low);
        if (!(s > low && s < high) || i % 8 == 7) {
            s = 0.5 * (low + high);
        }
        if (!(s > low && s < high)) {
            break;
        }
        const double gap = query(path, c, reach, s);
        if (gap == 0.0) {
            return s;
        }
        if (gap > 0.0) {
            low = s;
            gap_low = gap;
            gap_high *= 0.5;
        } else {
            high = s;
            gap_high = gap;
            gap_low *= 0.5;
        }
    }
    return high;
}

// The smaller radius of a pair, m.
static double radius_of(const utModel* model, const utContact* c)
{
    double least = HUGE_VAL;
    const int side[2] = {c->geom1, c->geom2};
    for (int k = 0; k < 2; k++) {
        if (side[k] < model->ngeom && isfinite(model->geom[side[k]].radius)) {
            least = fmin(least, model->geom[side[k]].radius);
        }
    }
    return isfinite(least) ? least : 1.0;
}

// The largest distance by which both sides approach within the sub-step, m.
static double travel_of(const Path* path, const utContact* c)
{
    const utModel* model = path->step->sim->model;
    if (c->geom2 < model->ngeom) {
        return ut_contact_travel(&path->step->scene, c->geom1) +
               ut_contact_travel(&path->step->scene, c->geom2);
    }
    const Step* step = path->step;
    const int one = ut_model_side_body(model, c->geom1), two = ut_model_side_body(model, c->geom2);
    double most = 0.0;
    const double* const velocities[] = {step->v, step->free.v, step->v_next};
    for (int k = 0; k < 3; k++) {
        const utMotion a = ut_contact_twist(&step->scene, one, c->point, velocities[k]);
        const utMotion b = ut_contact_twist(&step->scene, two, c->point, velocities[k]);
        most = fmax(most, ut_vec3_norm(ut_vec3_sub(b.linear, a.linear)));
    }
    return 2.0 * most * step->h;
}

// Is a side a free ball about its centre of mass, or a fixed convex geom?
static bool is_simple(const utModel* model, int side)
{
    if (side >= model->ngeom) {
        return false;
    }
    const utModelGeom* geom = &model->geom[side];
    const utModelBody* body = &model->body[geom->body];
    if (body->tree < 0) {
        return ut_contact_mocap(model, geom->body) < 0 && geom->shape.kind != UT_SHAPE_MESH &&
               geom->shape.kind != UT_SHAPE_HEIGHTS;
    }
    const utModelTree* tree = &model->tree[body->tree];
    const utVec3 offset = ut_vec3_sub(geom->in_body.p, body->com);
    return geom->shape.kind == UT_SHAPE_SPHERE && (tree->free || tree->planar) &&
           tree->bodies == 1 && ut_vec3_dot(offset, offset) == 0.0 &&
           ut_vec3_dot(body->com, body->com) == 0.0;
}

// Does a pair of simple sides stay apart? They are convex and do not turn, so that a plane separates
// them as long as they do not move across it. Along its normal they move with u = u0 + (u1 - u0) s.
static bool stay_apart(const Path* path, const utContact* c)
{
    const Step* step = path->step;
    const utModel* model = step->sim->model;
    if (!is_simple(model, c->geom1) || !is_simple(model, c->geom2)) {
        return false;
    }
    const double h = step->h;
    const double u0 = ut_step_normal_velocity(step, c, path->begin);
    const double u1 = ut_step_normal_velocity(step, c, step->v_next);
    double least = fmin(0.0, 0.5 * h * (u0 + u1));
    if (u0 < 0.0 && u1 > 0.0) {
        least = 0.5 * h * u0 * u0 / (u0 - u1); // where u = 0
    }
    return c->gap + least > TOUCH_GAP;
}

// The fraction of the sub-step at which a pair's gap closes; NO_EVENT: not before `until`.
// @param pressed receives true when the pair touches from the start and does not separate
static double find_closing(Path* path, const utContact* c, double until, bool* pressed)
{
    const double far = TRAVEL_MARGIN * travel_of(path, c) + TOUCH_GAP;
    const double least = far > 0.0 ? MIN_ADVANCE * radius_of(path->step->sim->model, c) / far : 1.0;
    double s = 0.0, gap = query(path, c, far, 0.0);
    bool touches = gap <= TOUCH_GAP;
    const double start = gap;
    for (int i = 0; i < MAX_QUERIES && s < until; i++) {
        const double D = gap > TOUCH_GAP ? gap / far : 0.0;
        const double next = fmin(s + fmax(D, least), until);
        const double there = query(path, c, far, next);
        if (there <= (touches ? fmin(start, 0.0) - TOUCH_GAP : 0.0)) {
            if (!touches) {
                return find_root(path, c, far, s, gap, next, there);
            }
            // it may have left and come back between two queries
            double inside = next;
            for (int k = 0; k < MAX_BISECTIONS; k++) {
                inside *= 0.5;
                const double open = query(path, c, far, inside);
                if (open > fmax(start, 0.0) + RISE_ROUNDING) {
                    return find_root(path, c, far, inside, open, next, there);
                }
            }
            *pressed = true;
            return 0.0;
        }
        touches = touches && !(there > TOUCH_GAP);
        gap = there;
        s = next;
    }
    return NO_EVENT;
}

// ---- all event contacts -------------------------------------------------------------------------

utStatus ut_step_find_event(Step* step, double* at, int* which, bool* pressed)
{
    utArena scratch = step->arena;
    Path path;
    *at = NO_EVENT;
    *which = -1;
    *pressed = false;
    if (step->active.event_contacts == 0) {
        return UT_OK;
    }
    UT_TRY(make_path(step, &scratch, &path));
    for (int i = step->active.contacts; i < step->active.contacts + step->active.event_contacts;
         i++) {
        const utContact* c = &step->active.contact[i];
        const utContact* last = &step->active.contact[i - 1];
        const bool same_pair = i > step->active.contacts && last->geom1 == c->geom1 &&
                               last->geom2 == c->geom2 && c->geom2 < step->sim->model->ngeom;
        if (same_pair || (c->gap > TOUCH_GAP && stay_apart(&path, c))) {
            continue;
        }
        bool rests = false;
        const double s = find_closing(&path, c, fmin(*at, 1.0), &rests);
        if (rests) {
            *pressed = true;
        } else if (s < *at) {
            *at = s;
            *which = i;
        }
    }
    return UT_OK;
}

utStatus ut_step_gap_at_end(Step* step, const utContact* c, double* gap)
{
    utArena scratch = step->arena;
    Path path;
    UT_TRY(make_path(step, &scratch, &path));
    ut_kinematics_place(&path.kin, step->next.q, step->next.mocap_pos, step->next.mocap_quat);
    *gap = find_gap(&path, c, TRAVEL_MARGIN * travel_of(&path, c) + TOUCH_GAP);
    return UT_OK;
}
