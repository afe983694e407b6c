// SPDX-License-Identifier: Apache-2.0
// The manifold of any two convex shapes, from the normal of their gap.
#include "manifold.h"

// Gap along n, from a to b. The largest over all n is the true gap.
static double gap_along(const SolidPair* pair, utVec3 n)
{
    return -ut_solid_reach(&pair->b, ut_vec3_negate(n)) - ut_solid_reach(&pair->a, n);
}

// Has the shape a face whose normal separates as well as the best direction, or is parallel to it?
static bool find_reference_face(const SolidPair* pair, const ConvexGap* best, bool second,
                                Facet* facet)
{
    const Solid* solid = second ? &pair->b : &pair->a;
    const utVec3 d = second ? ut_vec3_negate(best->normal) : best->normal;
    if (!ut_facet_face(solid, d, pair->slop, facet) ||
        !(ut_vec3_dot(facet->normal, d) > UT_SIMILAR_NORMAL)) {
        return false;
    }
    const utVec3 n = second ? ut_vec3_negate(facet->normal) : facet->normal;
    return ut_vec3_norm(ut_vec3_cross(facet->normal, d)) <= UT_PARALLEL_SINE ||
           gap_along(pair, n) >= best->gap - (UT_GAP_TIE * pair->size + best->error);
}

// Has the surface a single point for every normal?
static bool is_round(const Solid* solid)
{
    const utShapeKind kind = solid->shape->kind;
    return kind == UT_SHAPE_SPHERE || kind == UT_SHAPE_ELLIPSOID || solid->convex.point;
}

static void find_candidates(const SolidPair* pair, const ConvexGap* best, Candidates* list)
{
    Facet on, over;
    if (is_round(&pair->a) || is_round(&pair->b)) {
        return;
    }
    for (int second = 0; second < 2; second++) {
        if (find_reference_face(pair, best, second == 1, &on)) {
            const Solid* other = second == 1 ? &pair->a : &pair->b;
            ut_facet_facing(other, ut_vec3_negate(on.normal), pair->slop, &over);
            ut_facets_overlay(&on, &over, second == 1, list);
            return;
        }
    }
    const utVec3 n = best->normal;
    if (ut_facet_line(&pair->a, n, pair->slop, &on) &&
        ut_facet_line(&pair->b, ut_vec3_negate(n), pair->slop, &over)) {
        utVec3 d, e;
        if (ut_vec3_normalize(ut_vec3_sub(on.x[1], on.x[0]), &d) &&
            ut_vec3_normalize(ut_vec3_sub(over.x[1], over.x[0]), &e) &&
            ut_vec3_norm(ut_vec3_cross(d, e)) <= 3.0 * UT_FEATURE_SLOP) {
            ut_lines_overlap(&on, &over, n, list);
        }
    }
}

// Keep candidates with gaps between `least` and the margin. @return the least remaining gap
static double keep_within(const SolidPair* pair, double least, Candidates* list)
{
    int kept = 0;
    double found = HUGE_VAL;
    for (int i = 0; i < list->count; i++) {
        const double gap = list->item[i].gap;
        if (gap <= pair->margin && gap >= least) {
            list->item[kept++] = list->item[i];
            found = gap < found ? gap : found;
        }
    }
    list->count = kept;
    return found;
}

// Point halfway between the surfaces. When the search has a normal but no points, as for an
// ellipsoid of zero size, use the support points along the normal.
static utVec3 point_between(const SolidPair* pair, const ConvexGap* best)
{
    const utVec3 middle = ut_vec3_scale(ut_vec3_add(best->on_a, best->on_b), 0.5);
    if (ut_all_finite(3, (double[3]){middle.x, middle.y, middle.z})) {
        return middle;
    }
    int id;
    const utVec3 x = ut_convex_support(&pair->a.convex, best->normal, &id);
    return ut_vec3_add_scaled(x, pair->a.convex.radius + 0.5 * best->gap, best->normal);
}

// The nearest points as a candidate. The feature of a capsule is that of its axis.
static Candidate nearest_points(const SolidPair* pair, const ConvexGap* best)
{
    const utVec3 x = ut_vec3_add_scaled(best->on_a, -pair->a.convex.radius, best->normal);
    const utVec3 y = ut_vec3_add_scaled(best->on_b, pair->b.convex.radius, best->normal);
    return (Candidate){.point = point_between(pair, best),
                       .normal = best->normal,
                       .gap = best->gap,
                       .feature_a = ut_solid_feature(&pair->a, x, pair->slop),
                       .feature_b = ut_solid_feature(&pair->b, y, pair->slop)};
}

// Add the nearest points; drop a candidate with the same features, because it is not as deep.
static void add_nearest(const Candidate* nearest, Candidates* list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        const Candidate c = list->item[i];
        if (c.feature_a != nearest->feature_a || c.feature_b != nearest->feature_b) {
            list->item[kept++] = c;
        }
    }
    list->count = kept;
    if (list->count == MAX_CANDIDATES) {
        ut_candidates_reduce(list, UT_MANIFOLD_REDUCED);
    }
    list->item[list->count++] = *nearest;
}

void ut_collide_convex(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                       Manifold* m)
{
    SolidPair pair;
    ut_solid_pair(a, A, b, B, m->margin, &pair);
    const ConvexGap best = ut_convex_gap(&pair.a.convex, &pair.b.convex, ut_vec3_zero(), m->margin);
    if (!(best.gap <= m->margin)) {
        return;
    }
    Candidates list;
    list.slop = pair.slop;
    list.most = UT_MANIFOLD_REDUCED;
    list.count = 0;
    find_candidates(&pair, &best, &list);
    const double allowed = UT_GAP_TOLERANCE * pair.size;
    if (!(keep_within(&pair, best.gap - allowed, &list) <= best.gap + allowed)) {
        const Candidate nearest = nearest_points(&pair, &best);
        add_nearest(&nearest, &list);
    }
    ut_candidates_reduce(&list, list.most);
    for (int i = 0; i < list.count; i++) {
        const Candidate* c = &list.item[i];
        ut_manifold_add(m, ut_frame_point(*A, c->point), ut_mat3_mul_vec(A->R, c->normal), c->gap,
                        c->feature_a, c->feature_b);
    }
}
