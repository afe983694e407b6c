// SPDX-License-Identifier: Apache-2.0
// Extra points of a manifold: corners, ends and rims beyond the nearest points but within the
// margin.
//
// A point of one shape counts where a face or the curved side of the other lies below it. It gets
// the normal of that feature and its own gap. The ends of a capsule are balls, which always have a
// nearest point.
#include "manifold.h"

// ---- points of one shape that may be within the margin ------------------------------------------

enum { MAX_EXTRA_POINTS = 16 };

typedef struct ExtraPoint {
    utVec3 x;
    double height; // over the other shape, along the manifold's normal
    int feature;
    int index; // of the corner
} ExtraPoint;

typedef struct ExtraPoints {
    int count;
    ExtraPoint item[MAX_EXTRA_POINTS];
} ExtraPoints;

// Insert a point; a full list keeps the lowest ones.
static void add_extra(const ExtraPoint* extra, ExtraPoints* list)
{
    const bool full = list->count == MAX_EXTRA_POINTS;
    int i = full ? MAX_EXTRA_POINTS - 1 : list->count++;
    if (full && !(extra->height < list->item[i].height)) {
        return;
    }
    for (; i > 0 && list->item[i - 1].height > extra->height; i--) {
        list->item[i] = list->item[i - 1];
    }
    list->item[i] = *extra;
}

// Sort by corner again, because that order does not depend on rounding: the first of equally good
// points is chosen in the end.
static void sort_extras(ExtraPoints* list)
{
    for (int i = 1; i < list->count; i++) {
        const ExtraPoint moving = list->item[i];
        int j = i;
        for (; j > 0 && list->item[j - 1].index > moving.index; j--) {
            list->item[j] = list->item[j - 1];
        }
        list->item[j] = moving;
    }
}

// Which points of a cylinder face down? Always the farthest point of the nearer rim; the farthest
// point of the other rim if the side is not too steep; the others if the cap is not too steep.
static bool is_rim_exposed(const RimPoints* rim, utVec3 d, int i)
{
    return rim->upright || i == 0 || (i == 1 && fabs(d.z) <= UT_STEEPEST) ||
           (i > 1 && sqrt(d.x * d.x + d.y * d.y) <= UT_STEEPEST);
}

// Do all edges at a corner, or at the end of a capsule, rise along d with at most UT_STEEPEST?
// Otherwise another point of the shape is nearer. @param d in the frame of the shape
static bool is_exposed(const Solid* solid, int i, utVec3 d)
{
    const utHull* hull = &solid->core.hull;
    if (solid->shape->kind == UT_SHAPE_BOX) {
        return (i & 1 ? -d.x : d.x) <= UT_STEEPEST && (i & 2 ? -d.y : d.y) <= UT_STEEPEST &&
               (i & 4 ? -d.z : d.z) <= UT_STEEPEST;
    }
    if (hull->vertex_start == NULL) {
        return true;
    }
    for (int k = hull->vertex_start[i]; k < hull->vertex_start[i + 1]; k++) {
        const utVec3 e = ut_vec3_sub(hull->vertex[hull->neighbour[k]], hull->vertex[i]);
        if (!(ut_vec3_dot(d, e) <= UT_STEEPEST * ut_vec3_norm(e))) {
            return false;
        }
    }
    return true;
}

// @param d from this solid to the other @param limit least position of the other shape along d
static void find_extras(const Solid* solid, utVec3 d, double limit, double margin,
                        ExtraPoints* list)
{
    const bool cylinder = solid->shape->kind == UT_SHAPE_CYLINDER;
    const utVec3 d_local = ut_mat3_tmul_vec(solid->at.R, d);
    const double middle = limit - ut_vec3_dot(d, solid->at.p) - solid->core.radius;
    RimPoints rim = {.cap = 0};
    if (cylinder) {
        rim = ut_rim_points(solid->shape, d_local);
    }
    list->count = 0;
    const int count = cylinder ? 4 : solid->core.hull.vertices;
    for (int i = 0; i < count; i++) {
        const utVec3 local = cylinder ? rim.x[i] : solid->core.hull.vertex[i];
        const double height = middle - ut_vec3_dot(d_local, local);
        if (height <= margin && (!cylinder || is_rim_exposed(&rim, d_local, i))) {
            const int feature = cylinder ? rim.feature[i] : ut_solid_corner(solid, i);
            add_extra(&(ExtraPoint){ut_frame_point(solid->at, local), height, feature, i}, list);
        }
    }
    sort_extras(list);
}

// ---- the feature below a point ------------------------------------------------------------------

// The feature of a shape below a point or ball, in that shape's frame.
typedef struct FeatureBelow {
    utVec3 normal; // outward
    double gap;
    int feature;
} FeatureBelow;

// The face below x, excluding its boundary; for x inside the shape, the nearest such face.
static bool face_below(const Solid* solid, utVec3 x, double least, double slop, FeatureBelow* below)
{
    const utHull* hull = &solid->core.hull;
    bool found = false;
    for (int f = 0; f < hull->faces; f++) {
        const double height = ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
        if (height >= least && (!found || height > below->gap) &&
            ut_solid_face_holds(solid, f, x, -slop)) {
            *below = (FeatureBelow){hull->normal[f], height, ut_solid_face(solid, f)};
            found = true;
        }
    }
    return found;
}

// The same for a box with extent.
static bool box_face_below(utVec3 half, utVec3 x, double least, double slop, FeatureBelow* below)
{
    const double height[3] = {fabs(x.x) - half.x, fabs(x.y) - half.y, fabs(x.z) - half.z};
    const double side[3] = {x.x, x.y, x.z};
    int best = -1;
    for (int i = 0; i < 3; i++) {
        if (height[i] >= least && height[(i + 1) % 3] <= -slop && height[(i + 2) % 3] <= -slop &&
            (best < 0 || height[i] > height[best])) {
            best = i;
        }
    }
    if (best < 0) {
        return false;
    }
    const double sign = side[best] < 0.0 ? -1.0 : 1.0;
    *below = (FeatureBelow){
        ut_vec3(best == 0 ? sign : 0.0, best == 1 ? sign : 0.0, best == 2 ? sign : 0.0),
        height[best], ut_box_digit(best, sign)};
    return true;
}

static bool cylinder_below(const utShape* shape, utVec3 x, FeatureBelow* below)
{
    const double across = sqrt(x.x * x.x + x.y * x.y), up = x.z < 0.0 ? -1.0 : 1.0;
    const double over = fabs(x.z) - shape->size.y, beside = across - shape->size.x;
    if (beside <= 0.0 && over >= beside) {
        *below = (FeatureBelow){ut_vec3(0.0, 0.0, up), over, CYLINDER_CAP + (up < 0.0 ? 0 : 1)};
        return true;
    }
    if (over <= 0.0 && across > 0.0) {
        *below = (FeatureBelow){ut_vec3(x.x / across, x.y / across, 0.0), beside, CYLINDER_SIDE};
        return true;
    }
    return false;
}

static bool capsule_below(const utShape* shape, utVec3 x, FeatureBelow* below)
{
    const double half = shape->size.y, z = ut_clamp_abs(x.z, half);
    const utVec3 d = ut_vec3(x.x, x.y, x.z - z);
    below->gap = ut_vec3_norm(d) - shape->size.x;
    below->feature = x.z <= -half  ? CAPSULE_END_LOW
                     : x.z >= half ? CAPSULE_END_HIGH
                                   : CAPSULE_SHAFT;
    return ut_vec3_normalize(d, &below->normal);
}

static bool feature_below_point(const Solid* solid, utVec3 x, double least, double slop,
                                FeatureBelow* below)
{
    const utVec3 size = solid->shape->size;
    switch (solid->shape->kind) {
    case UT_SHAPE_BOX:
        if (size.x > 0.0 && size.y > 0.0 && size.z > 0.0) {
            return box_face_below(size, x, least, slop, below);
        }
        return face_below(solid, x, least, slop, below);
    case UT_SHAPE_HULL:
        return face_below(solid, x, least, slop, below);
    case UT_SHAPE_CYLINDER:
        return cylinder_below(solid->shape, x, below);
    case UT_SHAPE_CAPSULE:
        return capsule_below(solid->shape, x, below);
    default:
        return false;
    }
}

static bool convex_below_ball(const Solid* solid, utVec3 x, double r, double margin, double slop,
                              FeatureBelow* below)
{
    const utShape ball = ut_shape(UT_SHAPE_SPHERE, ut_vec3(r, 0.0, 0.0));
    const Convex first = ut_convex(solid->shape, ut_frame_identity());
    const Convex second = ut_convex(&ball, ut_frame(ut_mat3_identity(), x));
    const ConvexGap gap = ut_convex_gap(&first, &second, ut_vec3_zero(), margin);
    if (!(gap.gap <= margin)) {
        return false;
    }
    const Solid own = {.shape = solid->shape, .at = ut_frame_identity(), .core = solid->core};
    *below = (FeatureBelow){gap.normal, gap.gap, ut_solid_feature(&own, gap.on_a, slop)};
    return true;
}

// A ball outside a box: the nearest point.
static bool box_below_ball(const Solid* solid, utVec3 x, double r, FeatureBelow* below)
{
    const utVec3 h = solid->shape->size;
    const utVec3 nearest =
        ut_vec3(ut_clamp_abs(x.x, h.x), ut_clamp_abs(x.y, h.y), ut_clamp_abs(x.z, h.z));
    const utVec3 d = ut_vec3_sub(x, nearest);
    below->gap = ut_vec3_norm(d) - r;
    below->feature = (d.x != 0.0 ? ut_box_digit(0, d.x) : 0) +
                     (d.y != 0.0 ? ut_box_digit(1, d.y) : 0) +
                     (d.z != 0.0 ? ut_box_digit(2, d.z) : 0);
    return ut_vec3_normalize(d, &below->normal);
}

static bool feature_below_ball(const Solid* solid, utVec3 x, double r, double margin, double slop,
                               FeatureBelow* below)
{
    const utShape* shape = solid->shape;
    if (shape->kind == UT_SHAPE_CAPSULE || shape->kind == UT_SHAPE_SPHERE) {
        utShape core = *shape;
        core.size.y = shape->kind == UT_SHAPE_CAPSULE ? shape->size.y : 0.0;
        const bool found = capsule_below(&core, x, below);
        below->gap -= r;
        below->feature = shape->kind == UT_SHAPE_CAPSULE ? below->feature : ROUND_FEATURE;
        return found;
    }
    if (shape->kind == UT_SHAPE_BOX && box_below_ball(solid, x, r, below)) {
        return true;
    }
    return convex_below_ball(solid, x, r, margin, slop, below);
}

// ---- collecting points --------------------------------------------------------------------------

typedef struct ExtraSearch {
    const SolidPair* pair;
    const utFrame* A;
    const Manifold* m;
    utVec3 normal; // of the deepest point, in the world
    double least;  // gap of the deepest point
    Candidates list;
} ExtraSearch;

static bool has_pair(const Manifold* m, const Candidate* c)
{
    for (int i = 0; i < m->count; i++) {
        if (m->touch[i].feature ==
            ((uint64_t)(uint32_t)c->feature_a << 32 | (uint32_t)c->feature_b)) {
            return true;
        }
    }
    return false;
}

static bool is_near(const Manifold* m, utVec3 point, double distance)
{
    for (int i = 0; i < m->count; i++) {
        if (ut_vec3_norm(ut_vec3_sub(m->touch[i].point, point)) <= distance) {
            return true;
        }
    }
    return false;
}

void ut_extra_candidates_add(const Manifold* m, const Candidate* candidate, double near,
                             Candidates* list)
{
    if (!has_pair(m, candidate) && !is_near(m, candidate->point, near)) {
        ut_candidates_add(list, candidate);
    }
}

static void add_if_new(ExtraSearch* e, const Candidate* candidate)
{
    ut_extra_candidates_add(e->m, candidate, UT_MIN_SPACING * e->pair->size, &e->list);
}

// Try one point of the second (or first) shape with the feature below it. Within an overlap the
// normal must be close to the manifold's.
static void try_extra(ExtraSearch* e, bool second, const ExtraPoint* extra)
{
    const SolidPair* pair = e->pair;
    const Solid* own = second ? &pair->b : &pair->a;
    const Solid* other = second ? &pair->a : &pair->b;
    if (ut_manifold_has_feature(e->m, second, extra->feature)) {
        return;
    }
    const bool ball = own->shape->kind == UT_SHAPE_CAPSULE;
    const double r = ball ? own->shape->size.x : 0.0;
    const utVec3 x = ut_frame_point_inverse(other->at, extra->x);
    FeatureBelow below;
    if (!(ball ? feature_below_ball(other, x, r, pair->margin, pair->slop, &below)
               : feature_below_point(other, x, e->least, pair->slop, &below)) ||
        !(below.gap <= pair->margin && below.gap >= e->least)) {
        return;
    }
    const utVec3 out = ut_mat3_mul_vec(e->A->R, ut_mat3_mul_vec(other->at.R, below.normal));
    const utVec3 n = second ? out : ut_vec3_negate(out);
    const utVec3 down = ut_vec3_negate(ut_mat3_mul_vec(other->at.R, below.normal));
    if (own->core.hull.vertices > 1 &&
        !is_exposed(own, extra->index, ut_mat3_tmul_vec(own->at.R, down))) {
        return;
    }
    if (!(below.gap >= 0.0 || ut_vec3_dot(n, e->normal) > UT_SIMILAR_NORMAL)) {
        return;
    }
    const utVec3 point =
        ut_vec3_add_scaled(ut_frame_point(*e->A, extra->x), -(r + 0.5 * below.gap), out);
    const Candidate candidate = {point, n, below.gap, second ? below.feature : extra->feature,
                                 second ? extra->feature : below.feature};
    add_if_new(e, &candidate);
}

static void try_edges(ExtraSearch* e, utVec3 n, double top, double low)
{
    Candidates found;
    found.slop = e->pair->slop;
    found.count = 0;
    ut_edges_cross(e->pair, n, top, low, &found);
    for (int i = 0; i < found.count; i++) {
        Candidate candidate = found.item[i];
        candidate.point = ut_frame_point(*e->A, candidate.point);
        candidate.normal = ut_mat3_mul_vec(e->A->R, candidate.normal);
        if (candidate.gap >= e->least) {
            add_if_new(e, &candidate);
        }
    }
}

void ut_extra_candidates_spread(Candidates* list, Manifold* m)
{
    while (list->count > 0 && m->count < UT_MANIFOLD_REDUCED) {
        int best = 0;
        double most = -1.0;
        for (int i = 0; i < list->count; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < m->count; j++) {
                const utVec3 d = ut_vec3_sub(m->touch[j].point, list->item[i].point);
                nearest = fmin(nearest, ut_vec3_norm(d));
            }
            if (nearest > most * (1.0 + UT_TIE)) {
                most = nearest;
                best = i;
            }
        }
        const Candidate c = list->item[best];
        list->item[best] = list->item[--list->count];
        ut_manifold_add(m, c.point, c.normal, c.gap, c.feature_a, c.feature_b);
    }
}

// Has the shape corners, ends or rims?
static bool has_extras(const utShape* shape)
{
    return shape->kind != UT_SHAPE_SPHERE && shape->kind != UT_SHAPE_ELLIPSOID &&
           !(shape->kind == UT_SHAPE_CAPSULE && !(shape->size.y > 0.0));
}

// May points of `own` lie over a face of `other`, or is `own` a capsule (whose ends are balls)?
static bool may_add_extra(const utShape* own, const utShape* other)
{
    const bool round = other->kind == UT_SHAPE_SPHERE || other->kind == UT_SHAPE_ELLIPSOID ||
                       (other->kind == UT_SHAPE_CAPSULE && !(other->size.y > 0.0));
    return has_extras(own) && (own->kind == UT_SHAPE_CAPSULE || !round);
}

static void start_search(ExtraSearch* e, const SolidPair* pair, const utFrame* A, const Manifold* m)
{
    e->pair = pair;
    e->A = A;
    e->m = m;
    e->least = HUGE_VAL;
    e->list.slop = pair->slop;
    e->list.count = 0;
    for (int i = 0; i < m->count; i++) {
        if (m->touch[i].gap < e->least) {
            e->least = m->touch[i].gap;
            e->normal = m->touch[i].normal;
        }
    }
}

void ut_manifold_add_extra(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           Manifold* m)
{
    if (m->count == 0 || m->count >= UT_MANIFOLD_REDUCED ||
        !(may_add_extra(a, b) || may_add_extra(b, a))) {
        return;
    }
    SolidPair pair;
    ut_solid_pair(a, A, b, B, m->margin, &pair);
    ExtraSearch e;
    start_search(&e, &pair, A, m);
    const utVec3 n = ut_mat3_tmul_vec(A->R, e.normal), back = ut_vec3_negate(n);
    const double top = ut_solid_reach(&pair.a, n), low = -ut_solid_reach(&pair.b, back);
    for (int second = 0; second < 2; second++) {
        ExtraPoints extras;
        extras.count = 0;
        if (second == 0 && may_add_extra(a, b)) {
            find_extras(&pair.a, n, low, m->margin, &extras);
        } else if (second == 1 && may_add_extra(b, a)) {
            find_extras(&pair.b, back, -top, m->margin, &extras);
        }
        for (int i = 0; i < extras.count; i++) {
            try_extra(&e, second == 1, &extras.item[i]);
        }
    }
    try_edges(&e, n, top, low);
    ut_extra_candidates_spread(&e.list, m);
}
