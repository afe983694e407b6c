// SPDX-License-Identifier: Apache-2.0
// Overlay of two facets: corners and crossings, each with its own gap.
//
// The overlay is seen along the normal f of the face `on`. Corners of the facet above come first,
// then corners of the face, then crossings, so that nearly coincident corners keep their features.
#include "manifold.h"

// cosine between the facets below which a projection onto the upper plane is too inaccurate
#define MIN_SLOPE 0.01

typedef struct Overlay {
    const Facet* on;
    const Facet* over;
    bool swapped;
    bool parallel; // the facets are parallel, so caps get all their points
    double slop;
    Candidates* list;
} Overlay;

static int corners_of(const Overlay* overlay, const Facet* facet)
{
    return facet->disc && !overlay->parallel ? 4 : facet->corners;
}

// Add a candidate for the point y of the upper facet, or of its core.
static void add_candidate(const Overlay* overlay, utVec3 y, int f_on, int f_over)
{
    const utVec3 f = overlay->on->normal;
    const double height = ut_vec3_dot(f, ut_vec3_sub(y, overlay->on->x[0]));
    const double gap = height - overlay->over->radius;
    const Candidate candidate = {.point = ut_vec3_add_scaled(y, 0.5 * gap - height, f),
                                 .normal = overlay->swapped ? ut_vec3_negate(f) : f,
                                 .gap = gap,
                                 .feature_a = overlay->swapped ? f_over : f_on,
                                 .feature_b = overlay->swapped ? f_on : f_over};
    ut_candidates_add(overlay->list, &candidate);
}

// Does the facet hold x, projected along the facet's normal?
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

static void add_upper_corners(const Overlay* overlay)
{
    for (int i = 0; i < corners_of(overlay, overlay->over); i++) {
        if (holds(overlay->on, overlay->over->x[i], overlay->slop)) {
            add_candidate(overlay, overlay->over->x[i], overlay->on->feature,
                          overlay->over->corner[i]);
        }
    }
}

// Corners of the face, projected along the normal onto the plane of the upper facet.
static void add_lower_corners(const Overlay* overlay)
{
    const utVec3 f = overlay->on->normal, m = overlay->over->normal;
    const double slope = ut_vec3_dot(f, m);
    if (!overlay->over->face || !(slope < -MIN_SLOPE)) {
        return;
    }
    for (int i = 0; i < corners_of(overlay, overlay->on); i++) {
        const utVec3 p = overlay->on->x[i];
        const double t = ut_vec3_dot(m, ut_vec3_sub(overlay->over->x[0], p)) / slope;
        const utVec3 y = ut_vec3_add_scaled(p, t, f);
        if (holds(overlay->over, y, overlay->slop)) {
            add_candidate(overlay, y, overlay->on->corner[i], overlay->over->feature);
        }
    }
}

// ---- crossings ----------------------------------------------------------------------------------

// An edge of the face from p along the unit vector e; q is the direction across it.
typedef struct Side {
    utVec3 p, e, q;
    double length;
} Side;

static bool side_of(const Overlay* overlay, int k, Side* side)
{
    const Facet* on = overlay->on;
    side->p = on->x[k];
    const utVec3 along = ut_vec3_sub(on->x[(k + 1) % on->corners], side->p);
    side->length = ut_vec3_norm(along);
    return ut_vec3_normalize(along, &side->e) &&
           ut_vec3_normalize(ut_vec3_cross(side->e, on->normal), &side->q);
}

static bool is_beside(const Overlay* overlay, const Side* side, utVec3 y)
{
    const double s = ut_vec3_dot(side->e, ut_vec3_sub(y, side->p));
    return s >= -overlay->slop && s <= side->length + overlay->slop;
}

static void edge_crosses_edge(const Overlay* overlay, int k, int l)
{
    const Facet* over = overlay->over;
    Side side;
    if (!side_of(overlay, k, &side)) {
        return;
    }
    const utVec3 y0 = over->x[l], y1 = over->x[(l + 1) % over->corners];
    const double s0 = ut_vec3_dot(side.q, ut_vec3_sub(y0, side.p));
    const double s1 = ut_vec3_dot(side.q, ut_vec3_sub(y1, side.p));
    const bool through =
        (s0 > overlay->slop && s1 < -overlay->slop) || (s1 > overlay->slop && s0 < -overlay->slop);
    if (!through) {
        return;
    }
    const utVec3 y = ut_vec3_add_scaled(y0, s0 / (s0 - s1), ut_vec3_sub(y1, y0));
    if (is_beside(overlay, &side, y)) {
        add_candidate(overlay, y, overlay->on->edge[k], over->edge[l]);
    }
}

// Crossings of a rim above the face with the plane spanned by an edge and f: r u.q = (p - c).q
static void edge_crosses_rim(const Overlay* overlay, int k)
{
    const Facet* over = overlay->over;
    const utVec3 m = over->normal;
    Side side;
    utVec3 u;
    if (!side_of(overlay, k, &side)) {
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
        if (is_beside(overlay, &side, y)) {
            add_candidate(overlay, y, overlay->on->edge[k],
                          CYLINDER_RIM_CROSSING + 2 * over->cap + i);
        }
    }
}

// Crossings of an edge above a cap with the rim of the cap, seen along f: |in + t d| = r
static void rim_crosses_edge(const Overlay* overlay, int l)
{
    const Facet* on = overlay->on;
    const Facet* over = overlay->over;
    const utVec3 f = on->normal, y0 = over->x[l];
    const utVec3 line = ut_vec3_sub(over->x[(l + 1) % over->corners], y0);
    const utVec3 from = ut_vec3_sub(y0, on->centre);
    const utVec3 in = ut_vec3_add_scaled(from, -ut_vec3_dot(from, f), f);
    const utVec3 d = ut_vec3_add_scaled(line, -ut_vec3_dot(line, f), f);
    const double dd = ut_vec3_dot(d, d), b = ut_vec3_dot(in, d);
    const double square = b * b - dd * (ut_vec3_dot(in, in) - on->rim * on->rim);
    if (!(dd > overlay->slop * overlay->slop) || !(square > 0.0)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const double t = (-b + (i == 0 ? -sqrt(square) : sqrt(square))) / dd;
        if (t >= 0.0 && t <= 1.0) {
            add_candidate(overlay, ut_vec3_add_scaled(y0, t, line),
                          CYLINDER_RIM_CROSSING + 2 * on->cap + i, over->edge[l]);
        }
    }
}

// Crossings of the rims of two nearly parallel caps: the ends of their common chord.
static void rim_crosses_rim(const Overlay* overlay)
{
    const Facet* on = overlay->on;
    const Facet* over = overlay->over;
    const utVec3 f = on->normal, from = ut_vec3_sub(over->centre, on->centre);
    const double height = ut_vec3_dot(from, f);
    const utVec3 apart = ut_vec3_add_scaled(from, -height, f);
    const double distance = ut_vec3_norm(apart), r = on->rim, s = over->rim;
    utVec3 u;
    if (!(ut_vec3_norm(ut_vec3_cross(f, over->normal)) <= UT_PARALLEL_SINE) ||
        !(distance > overlay->slop) || !ut_vec3_normalize(apart, &u)) {
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
        add_candidate(overlay, ut_vec3_add_scaled(x, t, f), CYLINDER_RIM_CROSSING + 2 * on->cap + i,
                      CYLINDER_RIM_CROSSING + 2 * over->cap + i);
    }
}

void ut_facets_overlay(const Facet* on, const Facet* over, bool swapped, Candidates* list)
{
    const bool parallel =
        over->face && ut_vec3_norm(ut_vec3_cross(on->normal, over->normal)) <= UT_UPRIGHT_SINE;
    const Overlay overlay = {on, over, swapped, parallel, list->slop, list};
    list->most = parallel && (on->disc || over->disc) ? UT_MANIFOLD_MAX : UT_MANIFOLD_REDUCED;
    add_upper_corners(&overlay);
    add_lower_corners(&overlay);
    for (int k = 0; k < on->edges; k++) {
        for (int l = 0; l < over->edges; l++) {
            edge_crosses_edge(&overlay, k, l);
        }
        if (over->disc) {
            edge_crosses_rim(&overlay, k);
        }
    }
    for (int l = 0; on->disc && l < over->edges; l++) {
        rim_crosses_edge(&overlay, l);
    }
    if (on->disc && over->disc) {
        rim_crosses_rim(&overlay);
    }
}

// ---- lines --------------------------------------------------------------------------------------

// The ends of `ends` that lie beside the line.
static void add_ends_beside(const Facet* line, const Facet* ends, utVec3 n, bool swapped,
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
        const utVec3 from = swapped ? y : x, to = swapped ? x : y;
        const double ra = swapped ? ends->radius : line->radius;
        const double gap = ut_vec3_dot(n, ut_vec3_sub(to, from)) - line->radius - ends->radius;
        const Candidate candidate = {.point = ut_vec3_add_scaled(from, ra + 0.5 * gap, n),
                                     .normal = n,
                                     .gap = gap,
                                     .feature_a = swapped ? ends->corner[i] : line->edge[0],
                                     .feature_b = swapped ? line->edge[0] : ends->corner[i]};
        ut_candidates_add(list, &candidate);
    }
}

void ut_lines_overlap(const Facet* a, const Facet* b, utVec3 n, Candidates* list)
{
    add_ends_beside(a, b, n, false, list);
    add_ends_beside(b, a, n, true, list);
}
