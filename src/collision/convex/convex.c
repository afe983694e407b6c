// SPDX-License-Identifier: Apache-2.0
// Two convex shapes: support points of their cores, and the search for the signed gap.
#include "internal.h"

// ---- cores --------------------------------------------------------------------------------------

// the largest extent of a shape along an axis of its own, or nearly so
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

// a sphere, whatever it is called
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

// Of equally far ones the first vertex.
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

Corner ut_convex_corner(const ConvexPair* pair, utVec3 n)
{
    Corner corner;
    corner.a = ut_convex_support(pair->a, n, &corner.a_id);
    corner.b = ut_convex_support(pair->b, ut_vec3_negate(n), &corner.b_id);
    corner.w = ut_vec3_sub(corner.b, corner.a);
    return corner;
}

double ut_known_off(const Known* known)
{
    return ut_vec3_norm(ut_vec3_add_scaled(known->at.v, -known->lower, known->normal));
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

// one corner, in the direction of the guess, of the centres, or in any
static Known begin(const ConvexPair* pair, utVec3 guess)
{
    utVec3 n;
    if (!ut_vec3_normalize(guess, &n) &&
        !ut_vec3_normalize(ut_vec3_sub(pair->b->at.p, pair->a->at.p), &n)) {
        n = ut_vec3(0.0, 0.0, 1.0);
    }
    Known known = {.upper = HUGE_VAL, .normal = n};
    known.at.count = 1;
    known.at.corner[0] = ut_convex_corner(pair, n);
    known.at.weight[0] = 1.0;
    known.at.v = known.at.corner[0].w;
    known.lower = ut_vec3_dot(n, known.at.v);
    return known;
}

// three corners of D around the direction n
static Simplex look_around(const ConvexPair* pair, utVec3 n, double angle)
{
    static const double c[3] = {1.0, -0.5, -0.5}, s[3] = {0.0, 0.866, -0.866};
    utVec3 t1, t2;
    ut_tangent_basis(n, &t1, &t2);
    Simplex around = {.count = 3, .weight = {1.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        const utVec3 aside = ut_vec3_add_scaled(ut_vec3_scale(t1, c[i]), s[i], t2);
        around.corner[i] = ut_convex_corner(pair, ut_vec3_add_scaled(n, angle, aside));
    }
    around.v = around.corner[0].w;
    return around;
}

// Climb once more with the features that meet around the best direction, ever more closely.
static void climb_around(const ConvexPair* pair, Known* known)
{
    static const double angle[5] = {1e-1, 1e-2, 1e-4, 1e-6, 1e-8};
    for (int k = 0; k < 5; k++) {
        const utVec3 n = known->normal;
        const Simplex around = look_around(pair, n, angle[k]);
        if (ut_smooth_climb(pair, n, &around, true, known)) {
            return;
        }
    }
}

// Apart, with a smooth shape: Newton's iteration as soon as it is near enough to succeed, and again
// after the last step of GJK where that was too soon.
static GjkOutcome search_smooth(const ConvexPair* pair, double far, Known* known)
{
    static const double tolerance[3] = {1e-4, 1e-8, 0.0};
    for (int i = 0; i < 3; i++) {
        const GjkOutcome outcome = ut_gjk(pair, far, tolerance[i], known);
        if (outcome != GJK_APART) {
            return outcome;
        }
        const Simplex near = known->at;
        const bool settled = ut_smooth_climb(pair, known->normal, &near, false, known);
        if (settled && known->upper - known->lower <= 1e-14 * pair->size) {
            return GJK_APART;
        }
        known->at = i < 2 ? near : known->at;
    }
    climb_around(pair, known);
    return GJK_APART;
}

// With b moved out along the normal, the direction and the points between them.
static bool search_moved(const ConvexPair* pair, const Known* known, Known* there)
{
    const double wanted = 0.1 * pair->size;
    const double out = known->lower < wanted ? wanted - known->lower : 0.0;
    Convex moved = *pair->b;
    moved.at.p = ut_vec3_add_scaled(moved.at.p, out, known->normal);
    ConvexPair apart = *pair;
    apart.b = &moved;
    *there = begin(&apart, known->normal);
    const GjkOutcome outcome = pair->smooth ? search_smooth(&apart, HUGE_VAL, there)
                                            : ut_gjk(&apart, HUGE_VAL, 0.0, there);
    const utVec3 back = ut_vec3_scale(known->normal, -out);
    for (int i = 0; i < there->at.count; i++) {
        there->at.corner[i].b = ut_vec3_add(there->at.corner[i].b, back);
        there->at.corner[i].w = ut_vec3_add(there->at.corner[i].w, back);
    }
    there->at.v = ut_vec3_add(there->at.v, back);
    return outcome == GJK_APART;
}

// The points that face each other along the normal, where the corners known do not do so: with b
// moved out they are the nearest ones. Where the normal is not yet the best, that of the moved pair
// is better: g(m) + out m.n has its largest value between the two.
static void find_points(const ConvexPair* pair, Known* known)
{
    const double rounding = 1e-15 * pair->size;
    for (int round = 0; round < 32 && !(ut_known_off(known) <= 100.0 * rounding); round++) {
        Known there;
        if (!search_moved(pair, known, &there)) {
            return;
        }
        there.lower = ut_vec3_dot(there.normal, ut_convex_corner(pair, there.normal).w);
        there.upper = known->upper;
        const bool higher = there.lower > known->lower + rounding;
        if (!(there.lower >= known->lower - rounding)) {
            there.lower = known->lower;
            there.normal = known->normal;
        }
        climb_around(pair, &there);
        if (!higher && !(ut_known_off(&there) < ut_known_off(known))) {
            return;
        }
        *known = there;
    }
}

// The polytope ran out of room before it was settled which direction is the best: climb from
// several, looking around for the features that meet there, ever more closely.
static void search_widely(const ConvexPair* pair, const EpaStarts* starts, Known* known)
{
    static const double angle[7] = {3e-1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int i = 0; i < starts->count; i++) {
        Known here = *known;
        here.normal = starts->normal[i];
        here.lower = ut_vec3_dot(here.normal, ut_convex_corner(pair, here.normal).w);
        for (int k = 0; k < 7; k++) {
            const utVec3 n = here.normal;
            const Simplex around = look_around(pair, n, angle[k]);
            ut_smooth_climb(pair, n, &around, false, &here);
        }
        *known = here.lower > known->lower ? here : *known;
    }
}

// A cylinder around the other core is too round for the polytope where its wall is as near on all
// sides. But a cylinder is its axis, grown by a disc, and of the axis and a polytope D is a
// polytope: faces that are moved out by what the disc adds along their normals. The origin is
// nearest to one of them, or near it: climb from there.
static void search_from_axis(const ConvexPair* pair, bool of_a, Known* known)
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
    Known here = begin(&inner, known->normal);
    if (ut_gjk(&inner, HUGE_VAL, 0.0, &here) == GJK_TOUCH) {
        EpaStarts none;
        inner.wall = segment.size.x;
        inner.axis = ut_mat3_column(core.at.R, 2);
        here.lower = -HUGE_VAL;
        ut_epa(&inner, &here, &none);
    }
    ut_smooth_climb(pair, here.normal, &here.at, true, known);
}

// The cores touch or overlap.
static void search_within(const ConvexPair* pair, Known* known)
{
    EpaStarts starts = {.count = 0};
    ut_epa(pair, known, &starts);
    if (pair->smooth) {
        const Simplex near = known->at;
        const utVec3 normal = known->normal;
        const bool settled = ut_smooth_climb(pair, normal, &near, false, known);
        search_widely(pair, &starts, known);
        if (starts.count > 0) {
            search_from_axis(pair, true, known);
            search_from_axis(pair, false, known);
        }
        if (!settled) {
            climb_around(pair, known);
        }
    }
}

// Nearly touching cores that rounding has kept GJK from settling: what the polytope finds counts if
// it is better.
static void search_again(const ConvexPair* pair, Known* known)
{
    const double open = known->upper - known->lower;
    if (open > 1e-13 * pair->size && known->upper <= 1e-4 * pair->size) {
        Known other = *known;
        search_within(pair, &other);
        *known = other.lower > known->lower ? other : *known;
    }
}

// the corners that carry weight, at most three of them
static void name_corners(const Simplex* at, ConvexGap* gap)
{
    gap->corners = 0;
    for (int i = 0; i < at->count && gap->corners < 3; i++) {
        if (at->weight[i] > 0.0 || at->count <= 3) {
            gap->a_id[gap->corners] = at->corner[i].a_id;
            gap->b_id[gap->corners] = at->corner[i].b_id;
            gap->corners++;
        }
    }
}

// From cores to shapes: the two points are moved symmetrically until they lie along the normal,
// then out by the radii.
static ConvexGap finish(const ConvexPair* pair, const Known* known)
{
    utVec3 middle = ut_vec3_zero();
    for (int i = 0; i < known->at.count; i++) {
        const utVec3 both = ut_vec3_add(known->at.corner[i].a, known->at.corner[i].b);
        middle = ut_vec3_add_scaled(middle, 0.5 * known->at.weight[i], both);
    }
    const double ra = pair->a->radius, rb = pair->b->radius, half = 0.5 * known->lower;
    ConvexGap gap = {.gap = known->lower - (ra + rb), .normal = known->normal};
    gap.on_a = ut_vec3_add_scaled(middle, ra - half, known->normal);
    gap.on_b = ut_vec3_add_scaled(middle, half - rb, known->normal);
    const double open = known->upper - known->lower;
    gap.error = (open > 0.0 ? open : 0.0) + UT_CORE_ROUNDING * pair->size;
    name_corners(&known->at, &gap);
    return gap;
}

ConvexGap ut_convex_gap(const Convex* a, const Convex* b, utVec3 guess, double far)
{
    const ConvexPair pair = make_pair(a, b);
    const double core_far = far + (a->radius + b->radius);
    Known known = begin(&pair, guess);
    const GjkOutcome outcome =
        pair.smooth ? search_smooth(&pair, core_far, &known) : ut_gjk(&pair, core_far, 0.0, &known);
    if (outcome == GJK_TOUCH) {
        search_within(&pair, &known);
    } else if (outcome == GJK_APART) {
        search_again(&pair, &known);
        // slivers of D leave the direction less certain than the gap
        if (!pair.smooth && known.upper - known.lower > 4e-16 * pair.size) {
            climb_around(&pair, &known);
        }
    }
    if (outcome != GJK_FAR && !(ut_known_off(&known) <= 1e-12 * pair.size)) {
        find_points(&pair, &known);
    }
    ConvexGap gap = finish(&pair, &known);
    if (outcome == GJK_FAR) {
        gap.error = HUGE_VAL;
    }
    return gap;
}
