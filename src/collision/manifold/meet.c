// SPDX-License-Identifier: Apache-2.0
// One facet laid over another: their corners and crossings, each with its own gap.
//
// Seen along the normal f of the face `on`. A corner of what lies over it goes before a corner of
// the face itself, and both before crossings, so that corners which all but fall together keep
// their names.
#include "manifold.h"

typedef struct Meet {
    const Facet* on;
    const Facet* over;
    bool turned;
    bool flat; // they are parallel: caps have all their points
    double slop;
    Candidates* list;
} Meet;

static int corners_of(const Meet* meet, const Facet* facet)
{
    return facet->disc && !meet->flat ? 4 : facet->corners;
}

// y: on what lies over the face, or on the core of it
static void emit(const Meet* meet, utVec3 y, int f_on, int f_over)
{
    const utVec3 f = meet->on->normal;
    const double height = ut_vec3_dot(f, ut_vec3_sub(y, meet->on->x[0]));
    const double gap = height - meet->over->radius;
    const Candidate candidate = {.point = ut_vec3_add_scaled(y, 0.5 * gap - height, f),
                                 .normal = meet->turned ? ut_vec3_negate(f) : f,
                                 .gap = gap,
                                 .fa = meet->turned ? f_over : f_on,
                                 .fb = meet->turned ? f_on : f_over};
    ut_candidates_add(meet->list, &candidate);
}

// Is x, seen along the facet's normal, on it?
static bool holds(const Facet* facet, utVec3 x, double slop)
{
    if (facet->disc) {
        const utVec3 d = ut_vec3_sub(x, facet->centre);
        const utVec3 in = ut_vec3_add_scaled(d, -ut_vec3_dot(d, facet->normal), facet->normal);
        return ut_vec3_norm(in) <= facet->rim + slop;
    }
    for (int k = 0; k < facet->edges; k++) {
        const utVec3 p = facet->x[k], q = facet->x[(k + 1) % facet->corners];
        const utVec3 along = ut_vec3_sub(q, p);
        const double out = ut_vec3_dot(ut_vec3_cross(along, facet->normal), ut_vec3_sub(x, p));
        if (!(out <= slop * ut_vec3_norm(along))) {
            return false;
        }
    }
    return true;
}

static void corners_over(const Meet* meet)
{
    for (int i = 0; i < corners_of(meet, meet->over); i++) {
        if (holds(meet->on, meet->over->x[i], meet->slop)) {
            emit(meet, meet->over->x[i], meet->on->feature, meet->over->corner[i]);
        }
    }
}

// where the normal at the face's own corners meets the plane of what lies over it
static void corners_under(const Meet* meet)
{
    const utVec3 f = meet->on->normal, m = meet->over->normal;
    const double slope = ut_vec3_dot(f, m);
    if (!meet->over->face || !(slope < -0.01)) {
        return;
    }
    for (int i = 0; i < corners_of(meet, meet->on); i++) {
        const utVec3 p = meet->on->x[i];
        const double t = ut_vec3_dot(m, ut_vec3_sub(meet->over->x[0], p)) / slope;
        const utVec3 y = ut_vec3_add_scaled(p, t, f);
        if (holds(meet->over, y, meet->slop)) {
            emit(meet, y, meet->on->corner[i], meet->over->feature);
        }
    }
}

// ---- crossings ----------------------------------------------------------------------------------

// An edge of the face from p along the unit e, and the direction q across it.
typedef struct Side {
    utVec3 p, e, q;
    double length;
} Side;

static bool side_of(const Meet* meet, int k, Side* side)
{
    const Facet* on = meet->on;
    side->p = on->x[k];
    const utVec3 along = ut_vec3_sub(on->x[(k + 1) % on->corners], side->p);
    side->length = ut_vec3_norm(along);
    return ut_vec3_normalize(along, &side->e) &&
           ut_vec3_normalize(ut_vec3_cross(side->e, on->normal), &side->q);
}

static bool is_beside(const Meet* meet, const Side* side, utVec3 y)
{
    const double s = ut_vec3_dot(side->e, ut_vec3_sub(y, side->p));
    return s >= -meet->slop && s <= side->length + meet->slop;
}

static void edge_crosses_edge(const Meet* meet, int k, int l)
{
    const Facet* over = meet->over;
    Side side;
    if (!side_of(meet, k, &side)) {
        return;
    }
    const utVec3 y0 = over->x[l], y1 = over->x[(l + 1) % over->corners];
    const double s0 = ut_vec3_dot(side.q, ut_vec3_sub(y0, side.p));
    const double s1 = ut_vec3_dot(side.q, ut_vec3_sub(y1, side.p));
    const bool through =
        (s0 > meet->slop && s1 < -meet->slop) || (s1 > meet->slop && s0 < -meet->slop);
    if (!through) {
        return;
    }
    const utVec3 y = ut_vec3_add_scaled(y0, s0 / (s0 - s1), ut_vec3_sub(y1, y0));
    if (is_beside(meet, &side, y)) {
        emit(meet, y, meet->on->edge[k], over->edge[l]);
    }
}

// a rim over the face crosses the plane of an edge and f: r u.q = (p - c).q
static void edge_crosses_rim(const Meet* meet, int k)
{
    const Facet* over = meet->over;
    const utVec3 m = over->normal;
    Side side;
    utVec3 u;
    if (!side_of(meet, k, &side)) {
        return;
    }
    const utVec3 in = ut_vec3_add_scaled(side.q, -ut_vec3_dot(side.q, m), m);
    if (!ut_vec3_normalize(in, &u)) {
        return;
    }
    const double s = ut_vec3_dot(side.q, ut_vec3_sub(side.p, over->centre)) / ut_vec3_norm(in);
    const double square = over->rim * over->rim - s * s;
    if (!(square > 0.0)) {
        return;
    }
    const utVec3 v = ut_vec3_cross(m, u), middle = ut_vec3_add_scaled(over->centre, s, u);
    for (int i = 0; i < 2; i++) {
        const utVec3 y = ut_vec3_add_scaled(middle, i == 0 ? -sqrt(square) : sqrt(square), v);
        if (is_beside(meet, &side, y)) {
            emit(meet, y, meet->on->edge[k], CYLINDER_RIM_CROSSING + 2 * over->cap + i);
        }
    }
}

// an edge or line over a cap crosses its rim: |in + t d| = r, seen along f
static void rim_crosses_edge(const Meet* meet, int l)
{
    const Facet* on = meet->on;
    const Facet* over = meet->over;
    const utVec3 f = on->normal, y0 = over->x[l];
    const utVec3 line = ut_vec3_sub(over->x[(l + 1) % over->corners], y0);
    const utVec3 from = ut_vec3_sub(y0, on->centre);
    const utVec3 in = ut_vec3_add_scaled(from, -ut_vec3_dot(from, f), f);
    const utVec3 d = ut_vec3_add_scaled(line, -ut_vec3_dot(line, f), f);
    const double dd = ut_vec3_dot(d, d), b = ut_vec3_dot(in, d);
    const double square = b * b - dd * (ut_vec3_dot(in, in) - on->rim * on->rim);
    if (!(dd > meet->slop * meet->slop) || !(square > 0.0)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const double t = (-b + (i == 0 ? -sqrt(square) : sqrt(square))) / dd;
        if (t >= 0.0 && t <= 1.0) {
            emit(meet, ut_vec3_add_scaled(y0, t, line), CYLINDER_RIM_CROSSING + 2 * on->cap + i,
                 over->edge[l]);
        }
    }
}

// two caps, parallel or nearly so: the chord that their rims share
static void rim_crosses_rim(const Meet* meet)
{
    const Facet* on = meet->on;
    const Facet* over = meet->over;
    const utVec3 f = on->normal, from = ut_vec3_sub(over->centre, on->centre);
    const double height = ut_vec3_dot(from, f);
    const utVec3 apart = ut_vec3_add_scaled(from, -height, f);
    const double distance = ut_vec3_norm(apart), r = on->rim, s = over->rim;
    utVec3 u;
    if (!(ut_vec3_norm(ut_vec3_cross(f, over->normal)) <= UT_NEAR_PARALLEL) ||
        !(distance > meet->slop) || !ut_vec3_normalize(apart, &u)) {
        return;
    }
    const double middle = 0.5 * (distance + (r - s) * (r + s) / distance);
    const double square = (r - middle) * (r + middle);
    if (!(square > 0.0)) {
        return;
    }
    const double slope = ut_vec3_dot(f, over->normal);
    const utVec3 v = ut_vec3_cross(f, u), foot = ut_vec3_add_scaled(on->centre, middle, u);
    for (int i = 0; i < 2; i++) {
        const utVec3 x = ut_vec3_add_scaled(foot, i == 0 ? -sqrt(square) : sqrt(square), v);
        const double t = ut_vec3_dot(over->normal, ut_vec3_sub(over->centre, x)) / slope;
        emit(meet, ut_vec3_add_scaled(x, t, f), CYLINDER_RIM_CROSSING + 2 * on->cap + i,
             CYLINDER_RIM_CROSSING + 2 * over->cap + i);
    }
}

void ut_facets_meet(const Facet* on, const Facet* over, bool turned, Candidates* list)
{
    const bool flat =
        over->face && ut_vec3_norm(ut_vec3_cross(on->normal, over->normal)) <= 0.5 * UT_SLOP;
    const Meet meet = {on, over, turned, flat, list->slop, list};
    list->most = flat && (on->disc || over->disc) ? UT_MANIFOLD_MAX : UT_MANIFOLD_FEW;
    corners_over(&meet);
    corners_under(&meet);
    for (int k = 0; k < on->edges; k++) {
        for (int l = 0; l < over->edges; l++) {
            edge_crosses_edge(&meet, k, l);
        }
        if (over->disc) {
            edge_crosses_rim(&meet, k);
        }
    }
    for (int l = 0; on->disc && l < over->edges; l++) {
        rim_crosses_edge(&meet, l);
    }
    if (on->disc && over->disc) {
        rim_crosses_rim(&meet);
    }
}

// ---- lines --------------------------------------------------------------------------------------

// the ends of `ends` that lie beside the line
static void ends_beside(const Facet* line, const Facet* ends, utVec3 n, bool turned,
                        Candidates* list)
{
    const utVec3 p = line->x[0], along = ut_vec3_sub(line->x[1], p);
    const double length = ut_vec3_norm(along);
    utVec3 d;
    if (!ut_vec3_normalize(along, &d)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const utVec3 y = ends->x[i];
        const double s = ut_vec3_dot(d, ut_vec3_sub(y, p));
        if (!(s >= -list->slop && s <= length + list->slop)) {
            continue;
        }
        const utVec3 x = ut_vec3_add_scaled(p, s, d);
        const utVec3 from = turned ? y : x, to = turned ? x : y;
        const double ra = turned ? ends->radius : line->radius;
        const double gap = ut_vec3_dot(n, ut_vec3_sub(to, from)) - line->radius - ends->radius;
        const Candidate candidate = {.point = ut_vec3_add_scaled(from, ra + 0.5 * gap, n),
                                     .normal = n,
                                     .gap = gap,
                                     .fa = turned ? ends->corner[i] : line->edge[0],
                                     .fb = turned ? line->edge[0] : ends->corner[i]};
        ut_candidates_add(list, &candidate);
    }
}

void ut_lines_meet(const Facet* a, const Facet* b, utVec3 n, Candidates* list)
{
    ends_beside(a, b, n, false, list);
    ends_beside(b, a, n, true, list);
}
