// SPDX-License-Identifier: Apache-2.0
// When contacts that bounce meet within a span.
//
// A span has been made without them. Its way is followed in between: trees that no impulse acts on
// move with v + (v+ - v) s, exactly so in free flight under constant gravity, all others with v+.
// A gap cannot close faster than both geoms move, which gives steps that are never too long but for
// a least one; once it has closed, its zero is bracketed and found.
#include <string.h>

#include "sim/internal.h"

static const double TOUCH = 1e-9;  // m
static const double RISES = 1e-14; // m: what has left by more than rounding
static const double LEAST = 5e-3;  // of the smaller radius: as far as points move between two looks
enum { LOOKS = 4000, ROOTS = 100 };

// A way through a span, and where it is being looked at.
typedef struct Way {
    Step* step;
    bool* pushed;  // ntree
    double* begin; // nv: velocities that it begins with
    double* d;     // nv: displacement
    double* q;     // nq
    double* pos;   // 3 nmocap
    double* quat;  // 4 nmocap
    utKinematics kin;
    ContactScene scene;
} Way;

static utStatus make_way(Step* step, utArena* arena, Way* way)
{
    const utModel* model = step->sim->model;
    way->step = step;
    way->pushed = UT_PUSH(arena, bool, model->ntree);
    way->begin = UT_PUSH(arena, double, model->nv);
    way->d = UT_PUSH(arena, double, model->nv);
    way->q = UT_PUSH(arena, double, model->nq);
    way->pos = UT_PUSH(arena, double, 3 * model->nmocap);
    way->quat = UT_PUSH(arena, double, 4 * model->nmocap);
    if (way->pushed == NULL || way->begin == NULL || way->d == NULL || way->q == NULL ||
        way->pos == NULL || way->quat == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, arena, &way->kin));
    ut_step_pushed(step, way->pushed);
    for (int i = 0; i < model->nv; i++) {
        const bool pushed = way->pushed[model->body[model->dof_body[i]].tree];
        way->begin[i] = pushed ? step->v_next[i] : step->v[i];
    }
    way->scene = step->scene;
    way->scene.kin = &way->kin;
    return UT_OK;
}

// Place everything at the share s of the span.
static void go_to(Way* way, double s)
{
    const Step* step = way->step;
    const utModel* model = step->sim->model;
    const double h = step->sim->h;
    for (int i = 0; i < model->nv; i++) {
        const bool pushed = way->pushed[model->body[model->dof_body[i]].tree];
        const double rate =
            pushed ? step->v_next[i] : step->v[i] + 0.5 * s * (step->v_next[i] - step->v[i]);
        way->d[i] = s * h * rate;
    }
    ut_model_integrate(model, step->q, way->d, 1.0, way->q);
    for (int m = 0; m < model->nmocap; m++) {
        ut_step_move_mocap(step, m, s * h, way->pos + (size_t)3 * (size_t)m,
                           way->quat + (size_t)4 * (size_t)m);
    }
    ut_kinematics_place(&way->kin, way->q, way->pos, way->quat);
}

// ---- one pair -----------------------------------------------------------------------------------

static double point_gap(const Way* way, const utContact* c)
{
    const utModel* model = way->step->sim->model;
    const utModelPoint* point = &model->point[c->feature];
    const utModelGeom* geom = &model->geom[point->geom];
    const utModelSite* site = &model->site[point->site];
    const utFrame face = ut_frame_mul(way->kin.body[geom->body], geom->in_body);
    const utVec3 at = ut_frame_point(way->kin.body[site->body], site->in_body.p);
    return ut_vec3_dot(ut_mat3_mul_vec(face.R, point->normal), ut_vec3_sub(at, face.p)) -
           point->offset;
}

// Is this feature of the pair one that a row holds?
static bool is_held(const Step* step, const utContact* pair, uint64_t feature)
{
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        if (c->geom1 == pair->geom1 && c->geom2 == pair->geom2 && c->feature == feature) {
            return true;
        }
    }
    return false;
}

// The least gap of a pair but for what rows hold; HUGE_VAL where there is none within reach.
static double find_gap(Way* way, const utContact* c, double reach)
{
    const utModel* model = way->step->sim->model;
    if (c->geom2 >= model->ngeom) {
        return point_gap(way, c);
    }
    utTouch touch[UT_TOUCH_MAX + 1];
    int count;
    if (model->options.planar != UT_PLANAR_NONE) {
        count = ut_contact_collide_planar(&way->scene, c->geom1, c->geom2, reach, touch);
    } else {
        const utModelGeom *a = &model->geom[c->geom1], *b = &model->geom[c->geom2];
        count = ut_collide(&a->shape, ut_frame_mul(way->kin.body[a->body], a->in_body), &b->shape,
                           ut_frame_mul(way->kin.body[b->body], b->in_body), reach, touch);
    }
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap < least && !is_held(way->step, c, touch[k].feature)) {
            least = touch[k].gap;
        }
    }
    return least;
}

static double look(Way* way, const utContact* c, double reach, double s)
{
    go_to(way, s);
    return find_gap(way, c, reach);
}

// Between low, where the gap is open, and high, where it is not: Illinois' rule, and halving where
// that is slow.
static double find_root(Way* way, const utContact* c, double reach, double low, double gap_low,
                        double high, double gap_high)
{
    const double tiny = 1e-16;
    for (int i = 0; i < ROOTS && high - low > tiny; i++) {
        double s = (low * gap_high - high * gap_low) / (gap_high - gap_low);
        if (!(s > low && s < high) || i % 8 == 7) {
            s = 0.5 * (low + high);
        }
        if (!(s > low && s < high)) {
            break;
        }
        const double gap = look(way, c, reach, s);
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

static double travel_of(const Way* way, const utContact* c)
{
    const utModel* model = way->step->sim->model;
    if (c->geom2 < model->ngeom) {
        return ut_contact_travel(&way->step->scene, c->geom1) +
               ut_contact_travel(&way->step->scene, c->geom2);
    }
    const Step* step = way->step;
    const int one = ut_model_side_body(model, c->geom1), two = ut_model_side_body(model, c->geom2);
    double most = 0.0;
    const double* const velocities[] = {step->v, step->v_free, step->v_next};
    for (int k = 0; k < 3; k++) {
        const utMotion a = ut_contact_twist(&step->scene, one, c->point, velocities[k]);
        const utMotion b = ut_contact_twist(&step->scene, two, c->point, velocities[k]);
        most = fmax(most, ut_vec3_norm(ut_vec3_sub(b.linear, a.linear)));
    }
    return 2.0 * most * step->sim->h;
}

// A ball that flies by itself, or something convex that stands still?
static bool is_plain(const utModel* model, int side)
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
    const utVec3 off = ut_vec3_sub(geom->in_body.p, body->com);
    return geom->shape.kind == UT_SHAPE_SPHERE && (tree->free || tree->planar) &&
           tree->bodies == 1 && ut_vec3_dot(off, off) == 0.0 &&
           ut_vec3_dot(body->com, body->com) == 0.0;
}

// Do plain things stay apart? Nothing convex that does not turn gets across a plane between them,
// and along its normal they move with the speed u = u0 + (u1 - u0) s.
static bool stay_apart(const Way* way, const utContact* c)
{
    const Step* step = way->step;
    const utModel* model = step->sim->model;
    if (!is_plain(model, c->geom1) || !is_plain(model, c->geom2)) {
        return false;
    }
    const double h = step->sim->h;
    const double u0 = ut_step_closing(step, c, way->begin);
    const double u1 = ut_step_closing(step, c, step->v_next);
    double least = fmin(0.0, 0.5 * h * (u0 + u1));
    if (u0 < 0.0 && u1 > 0.0) {
        least = 0.5 * h * u0 * u0 / (u0 - u1); // where it turns
    }
    return c->gap + least > TOUCH;
}

// @param until it is of no use to look further @param pressed the contact touches and does not
// leave
// @return when the pair meets; 2: not before that
static double meet(Way* way, const utContact* c, double until, bool* pressed)
{
    const double far = 1.5 * travel_of(way, c) + TOUCH; // speeds may grow on the way
    const double least = far > 0.0 ? LEAST * radius_of(way->step->sim->model, c) / far : 1.0;
    double s = 0.0, gap = look(way, c, far, 0.0);
    bool touches = gap <= TOUCH;
    const double start = gap;
    for (int i = 0; i < LOOKS && s < until; i++) {
        const double D = gap > TOUCH ? gap / far : 0.0;
        const double next = fmin(s + fmax(D, least), until);
        const double there = look(way, c, far, next);
        if (there <= (touches ? fmin(start, 0.0) - TOUCH : 0.0)) {
            if (!touches) {
                return find_root(way, c, far, s, gap, next, there);
            }
            // it may have left and come back between two looks
            double inside = next;
            for (int k = 0; k < 40; k++) {
                inside *= 0.5;
                const double open = look(way, c, far, inside);
                if (open > fmax(start, 0.0) + RISES) {
                    return find_root(way, c, far, inside, open, next, there);
                }
            }
            *pressed = true;
            return 0.0;
        }
        touches = touches && !(there > TOUCH);
        gap = there;
        s = next;
    }
    return 2.0;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_step_locate(Step* step, double* at, int* which, bool* pressed)
{
    utArena scratch = step->arena;
    Way way;
    *at = 2.0;
    *which = -1;
    *pressed = false;
    if (step->watched == 0) {
        return UT_OK;
    }
    UT_TRY(make_way(step, &scratch, &way));
    for (int i = step->contacts; i < step->contacts + step->watched; i++) {
        const utContact* c = &step->contact[i];
        const utContact* last = &step->contact[i - 1];
        const bool again = i > step->contacts && last->geom1 == c->geom1 &&
                           last->geom2 == c->geom2 && c->geom2 < step->sim->model->ngeom;
        if (again) {
            continue; // the same pair
        }
        if (c->gap > TOUCH && stay_apart(&way, c)) {
            continue;
        }
        bool rests = false;
        const double s = meet(&way, c, fmin(*at, 1.0), &rests);
        if (rests) {
            *pressed = true;
        } else if (s < *at) {
            *at = s;
            *which = i;
        }
    }
    return UT_OK;
}

utStatus ut_step_gap_after(Step* step, const utContact* c, double* gap)
{
    utArena scratch = step->arena;
    Way way;
    UT_TRY(make_way(step, &scratch, &way));
    ut_kinematics_place(&way.kin, step->q_next, step->mocap_pos_next, step->mocap_quat_next);
    *gap = find_gap(&way, c, 1.5 * travel_of(&way, c) + TOUCH);
    return UT_OK;
}
