// SPDX-License-Identifier: Apache-2.0
// Two convex shapes: support points of their cores, and the search for the signed gap.
#include "internal.h"

// Relative to ConvexPair.size:
#define SOLVED 1e-14         // bounds this close are equal up to rounding
#define ROUNDED_BOUNDS 4e-16 // a larger difference leaves a polytope's direction uncertain
#define OPEN_BOUNDS 1e-13    // a larger difference means that GJK ended early
#define NEARLY_TOUCHING 1e-4 // cores this close are worth a trial with EPA after that

enum { MAX_ALIGN_ROUNDS = 32 };

// ---- cores --------------------------------------------------------------------------------------

// Largest extent of a shape along its own axes, or nearly so.
static double core_size(const utShape* shape)
{
    const utVec3 s = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return 2.0 * s.x;
    case UT_SHAPE_CAPSULE:
        return 2.0 * (s.x + s.y);
    case UT_SHAPE_CYLINDER:
        return 2.0 * (s.x > s.y ? s.x : s.y);
    case UT_SHAPE_BOX:
    case UT_SHAPE_ELLIPSOID: {
        const double xy = s.x > s.y ? s.x : s.y;
        return 2.0 * (xy > s.z ? xy : s.z);
    }
    case UT_SHAPE_HULL:
        return shape->hull->size;
    default:
        return 0.0;
    }
}

// Is the shape a ball? A capsule of length 0 and an ellipsoid with equal axes are balls too.
static bool is_ball(const utShape* shape)
{
    const utVec3 s = shape->size;
    return shape->kind == UT_SHAPE_SPHERE || (shape->kind == UT_SHAPE_CAPSULE && !(s.y > 0.0)) ||
           (shape->kind == UT_SHAPE_ELLIPSOID && s.x == s.y && s.y == s.z);
}

Convex ut_convex(const utShape* shape, utFrame at)
{
    Convex convex = {.shape = shape, .at = at, .size = core_size(shape)};
    convex.point = is_ball(shape);
    convex.radius = convex.point || shape->kind == UT_SHAPE_CAPSULE ? shape->size.x : 0.0;
    return convex;
}

static utVec3 box_corner(utVec3 half, utVec3 d, int* id)
{
    *id = (d.x < 0.0 ? 0 : 1) + (d.y < 0.0 ? 0 : 2) + (d.z < 0.0 ? 0 : 4);
    return ut_vec3(d.x < 0.0 ? -half.x : half.x, d.y < 0.0 ? -half.y : half.y,
                   d.z < 0.0 ? -half.z : half.z);
}

// The farthest vertex; the first of equally far ones.
static utVec3 hull_vertex(const utHull* hull, utVec3 d, int* id)
{
    int best = 0;
    double most = ut_vec3_dot(d, hull->vertex[0]);
    for (int i = 1; i < hull->vertices; i++) {
        const double along = ut_vec3_dot(d, hull->vertex[i]);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    *id = best;
    return hull->vertex[best];
}

utVec3 ut_convex_support(const Convex* convex, utVec3 d, int* id)
{
    const utShape* shape = convex->shape;
    *id = 0;
    if (convex->point) {
        return convex->at.p;
    }
    const utVec3 local = ut_mat3_tmul_vec(convex->at.R, d);
    utVec3 x;
    if (shape->kind == UT_SHAPE_BOX) {
        x = box_corner(shape->size, local, id);
    } else if (shape->kind == UT_SHAPE_HULL) {
        x = hull_vertex(shape->hull, local, id);
    } else if (shape->kind == UT_SHAPE_CAPSULE) {
        *id = local.z < 0.0 ? 0 : 1;
        x = ut_vec3(0.0, 0.0, local.z < 0.0 ? -shape->size.y : shape->size.y);
    } else {
        *id = -1;
        x = ut_shape_support(shape, local);
    }
    return ut_frame_point(convex->at, x);
}

Corner ut_difference_support(const ConvexPair* pair, utVec3 n)
{
    Corner corner;
    corner.a = ut_convex_support(pair->a, n, &corner.a_id);
    corner.b = ut_convex_support(pair->b, ut_vec3_negate(n), &corner.b_id);
    corner.w = ut_vec3_sub(corner.b, corner.a);
    return corner;
}

double ut_bounds_misalignment(const GapBounds* bounds)
{
    return ut_vec3_norm(ut_vec3_add_scaled(bounds->simplex.v, -bounds->lower, bounds->normal));
}

// ---- the search ---------------------------------------------------------------------------------

static bool is_smooth(const Convex* convex)
{
    const utShapeKind kind = convex->shape->kind;
    return !convex->point && (kind == UT_SHAPE_CYLINDER || kind == UT_SHAPE_ELLIPSOID);
}

static ConvexPair make_pair(const Convex* a, const Convex* b)
{
    const double apart = ut_vec3_norm(ut_vec3_sub(b->at.p, a->at.p));
    return (ConvexPair){
        .a = a, .b = b, .size = a->size + b->size + apart, .smooth = is_smooth(a) || is_smooth(b)};
}

// Start with one corner of D: along the guess, along the line of centres, or along z.
static GapBounds start_search(const ConvexPair* pair, utVec3 guess)
{
    utVec3 n;
    if (!ut_vec3_normalize(guess, &n) &&
        !ut_vec3_normalize(ut_vec3_sub(pair->b->at.p, pair->a->at.p), &n)) {
        n = ut_vec3(0.0, 0.0, 1.0);
    }
    GapBounds bounds = {.upper = HUGE_VAL, .normal = n};
    bounds.simplex.count = 1;
    bounds.simplex.corner[0] = ut_difference_support(pair, n);
    bounds.simplex.weight[0] = 1.0;
    bounds.simplex.v = bounds.simplex.corner[0].w;
    bounds.lower = ut_vec3_dot(n, bounds.simplex.v);
    return bounds;
}

// Three corners of D for directions around n.
static Simplex corners_around(const ConvexPair* pair, utVec3 n, double angle)
{
    static const double c[3] = {1.0, -0.5, -0.5}, s[3] = {0.0, 0.866, -0.866};
    utVec3 t1, t2;
    ut_tangent_basis(n, &t1, &t2);
    Simplex around = {.count = 3, .weight = {1.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        const utVec3 aside = ut_vec3_add_scaled(ut_vec3_scale(t1, c[i]), s[i], t2);
        around.corner[i] = ut_difference_support(pair, ut_vec3_add_scaled(n, angle, aside));
    }
    around.v = around.corner[0].w;
    return around;
}

// Refine with the features found around the best direction, at ever smaller angles.
static void refine_around(const ConvexPair* pair, GapBounds* bounds)
{
    // the smallest angle is about the accuracy of a direction
    static const double angle[5] = {1e-1, 1e-2, 1e-4, 1e-6, 1e-8};
    for (int k = 0; k < 5; k++) {
        const utVec3 n = bounds->normal;
        const Simplex around = corners_around(pair, n, angle[k]);
        if (ut_newton_refine(pair, n, &around, true, bounds)) {
            return;
        }
    }
}

// Cores apart, one of them smooth: try Newton's iteration early, with a coarse GJK result, and
// again with finer ones where the early attempt fails.
static GjkOutcome search_smooth(const ConvexPair* pair, double far, GapBounds* bounds)
{
    // coarse, medium, and until nothing is nearer
    static const double tolerance[3] = {1e-4, 1e-8, 0.0};
    for (int i = 0; i < 3; i++) {
        const GjkOutcome outcome = ut_gjk(pair, far, tolerance[i], bounds);
        if (outcome != GJK_APART) {
            return outcome;
        }
        const Simplex near = bounds->simplex;
        const bool settled = ut_newton_refine(pair, bounds->normal, &near, false, bounds);
        if (settled && bounds->upper - bounds->lower <= SOLVED * pair->size) {
            return GJK_APART;
        }
        bounds->simplex = i < 2 ? near : bounds->simplex;
    }
    refine_around(pair, bounds);
    return GJK_APART;
}

// Search with b moved away along the normal; the result is moved back.
static bool search_moved(const ConvexPair* pair, const GapBounds* bounds, GapBounds* moved_bounds)
{
    const double wanted = 0.1 * pair->size;
    const double away = bounds->lower < wanted ? wanted - bounds->lower : 0.0;
    Convex moved = *pair->b;
    moved.at.p = ut_vec3_add_scaled(moved.at.p, away, bounds->normal);
    ConvexPair apart = *pair;
    apart.b = &moved;
    *moved_bounds = start_search(&apart, bounds->normal);
    const GjkOutcome outcome = pair->smooth ? search_smooth(&apart, HUGE_VAL, moved_bounds)
                                            : ut_gjk(&apart, HUGE_VAL, 0.0, moved_bounds);
    const utVec3 back = ut_vec3_scale(bounds->normal, -away);
    for (int i = 0; i < moved_bounds->simplex.count; i++) {
        moved_bounds->simplex.corner[i].b = ut_vec3_add(moved_bounds->simplex.corner[i].b, back);
        moved_bounds->simplex.corner[i].w = ut_vec3_add(moved_bounds->simplex.corner[i].w, back);
    }
    moved_bounds->simplex.v = ut_vec3_add(moved_bounds->simplex.v, back);
    return outcome == GJK_APART;
}

// Find points that face each other along the normal, when the known ones do not: after b is moved
// away they are the nearest points. If the normal is not yet optimal, the normal of the moved pair
// is better, because g(m) + away m.n has its maximum between the two.
static void align_points(const ConvexPair* pair, GapBounds* bounds)
{
    const double rounding = UT_CORE_EPSILON * pair->size;
    for (int round = 0;
         round < MAX_ALIGN_ROUNDS && !(ut_bounds_misalignment(bounds) <= 100.0 * rounding);
         round++) {
        GapBounds moved_bounds;
        if (!search_moved(pair, bounds, &moved_bounds)) {
            return;
        }
        moved_bounds.lower =
            ut_vec3_dot(moved_bounds.normal, ut_difference_support(pair, moved_bounds.normal).w);
        moved_bounds.upper = bounds->upper;
        const bool higher = moved_bounds.lower > bounds->lower + rounding;
        if (!(moved_bounds.lower >= bounds->lower - rounding)) {
            moved_bounds.lower = bounds->lower;
            moved_bounds.normal = bounds->normal;
        }
        refine_around(pair, &moved_bounds);
        if (!higher && !(ut_bounds_misalignment(&moved_bounds) < ut_bounds_misalignment(bounds))) {
            return;
        }
        *bounds = moved_bounds;
    }
}

// EPA reached its largest polytope before it proved which direction is best: refine from several,
// with features found at ever smaller angles around them.
static void refine_from_starts(const ConvexPair* pair, const EpaStarts* starts, GapBounds* bounds)
{
    static const double angle[7] = {3e-1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int i = 0; i < starts->count; i++) {
        GapBounds trial = *bounds;
        trial.normal = starts->normal[i];
        trial.lower = ut_vec3_dot(trial.normal, ut_difference_support(pair, trial.normal).w);
        for (int k = 0; k < 7; k++) {
            const utVec3 n = trial.normal;
            const Simplex around = corners_around(pair, n, angle[k]);
            ut_newton_refine(pair, n, &around, false, &trial);
        }
        *bounds = trial.lower > bounds->lower ? trial : *bounds;
    }
}

// A cylinder that encloses the other core defeats EPA when its wall is equally near on all sides.
// But a cylinder is its axis plus a disc. For the axis and a polytope D is a polytope, whose faces
// move outwards by the support of the disc. The face nearest to the origin gives the start for
// Newton's iteration.
static void search_from_axis(const ConvexPair* pair, bool of_a, GapBounds* bounds)
{
    Convex core = of_a ? *pair->a : *pair->b;
    if (core.shape->kind != UT_SHAPE_CYLINDER) {
        return;
    }
    const utShape segment = ut_shape(UT_SHAPE_CAPSULE, core.shape->size);
    core.shape = &segment;
    const Convex* a = of_a ? &core : pair->a;
    const Convex* b = of_a ? pair->b : &core;
    ConvexPair inner = {.a = a, .b = b, .size = pair->size, .smooth = is_smooth(a) || is_smooth(b)};
    GapBounds trial = start_search(&inner, bounds->normal);
    if (ut_gjk(&inner, HUGE_VAL, 0.0, &trial) == GJK_TOUCH) {
        EpaStarts none;
        inner.disc_radius = segment.size.x;
        inner.axis = ut_mat3_column(core.at.R, 2);
        trial.lower = -HUGE_VAL;
        ut_epa(&inner, &trial, &none);
    }
    ut_newton_refine(pair, trial.normal, &trial.simplex, true, bounds);
}

// The cores touch or overlap: EPA, then Newton's iteration for smooth shapes.
static void search_overlap(const ConvexPair* pair, GapBounds* bounds)
{
    EpaStarts starts = {.count = 0};
    ut_epa(pair, bounds, &starts);
    if (pair->smooth) {
        const Simplex near = bounds->simplex;
        const utVec3 normal = bounds->normal;
        const bool settled = ut_newton_refine(pair, normal, &near, false, bounds);
        refine_from_starts(pair, &starts, bounds);
        if (starts.count > 0) {
            search_from_axis(pair, true, bounds);
            search_from_axis(pair, false, bounds);
        }
        if (!settled) {
            refine_around(pair, bounds);
        }
    }
}

// Nearly touching cores for which rounding stopped GJK early: take the result of EPA if it is
// better.
static void retry_with_epa(const ConvexPair* pair, GapBounds* bounds)
{
    const double bound_width = bounds->upper - bounds->lower;
    if (bound_width > OPEN_BOUNDS * pair->size && bounds->upper <= NEARLY_TOUCHING * pair->size) {
        GapBounds other = *bounds;
        search_overlap(pair, &other);
        *bounds = other.lower > bounds->lower ? other : *bounds;
    }
}

// From cores to shapes: move the two points symmetrically until they are aligned with the normal,
// then outwards by the radii.
static ConvexGap to_shapes(const ConvexPair* pair, const GapBounds* bounds)
{
    utVec3 middle = ut_vec3_zero();
    for (int i = 0; i < bounds->simplex.count; i++) {
        const utVec3 both = ut_vec3_add(bounds->simplex.corner[i].a, bounds->simplex.corner[i].b);
        middle = ut_vec3_add_scaled(middle, 0.5 * bounds->simplex.weight[i], both);
    }
    const double ra = pair->a->radius, rb = pair->b->radius, half = 0.5 * bounds->lower;
    ConvexGap gap = {.gap = bounds->lower - (ra + rb), .normal = bounds->normal};
    gap.on_a = ut_vec3_add_scaled(middle, ra - half, bounds->normal);
    gap.on_b = ut_vec3_add_scaled(middle, half - rb, bounds->normal);
    const double bound_width = bounds->upper - bounds->lower;
    gap.error = (bound_width > 0.0 ? bound_width : 0.0) + UT_CORE_ROUNDING * pair->size;
    return gap;
}

ConvexGap ut_convex_gap(const Convex* a, const Convex* b, utVec3 guess, double far)
{
    const ConvexPair pair = make_pair(a, b);
    const double core_far = far + (a->radius + b->radius);
    GapBounds bounds = start_search(&pair, guess);
    const GjkOutcome outcome = pair.smooth ? search_smooth(&pair, core_far, &bounds)
                                           : ut_gjk(&pair, core_far, 0.0, &bounds);
    if (outcome == GJK_TOUCH) {
        search_overlap(&pair, &bounds);
    } else if (outcome == GJK_APART) {
        retry_with_epa(&pair, &bounds);
        // thin faces of D leave the direction less accurate than the gap
        if (!pair.smooth && bounds.upper - bounds.lower > ROUNDED_BOUNDS * pair.size) {
            refine_around(&pair, &bounds);
        }
    }
    if (outcome != GJK_FAR &&
        !(ut_bounds_misalignment(&bounds) <= UT_CORE_MISALIGNED * pair.size)) {
        align_points(&pair, &bounds);
    }
    ConvexGap gap = to_shapes(&pair, &bounds);
    if (outcome == GJK_FAR) {
        gap.error = HUGE_VAL;
    }
    return gap;
}
