// SPDX-License-Identifier: Apache-2.0
// Two convex shapes of any kind: from the direction of their gap to a manifold.
#include "manifold.h"

// gap along n, from a to b: exact for the largest of all n
static double apart(const Solids* pair, utVec3 n)
{
    return -ut_solid_reach(&pair->b, ut_vec3_negate(n)) - ut_solid_reach(&pair->a, n);
}

// Gaps that differ by less count as equal: below the 1e-9 of the larger extent and the distance
// that is promised, above what rounding and resting noise make of a cap's points.
static double tolerance(const Solids* pair)
{
    return 5e-10 * pair->size;
}

// Does a face of this shape separate as well as the best direction does, or is that its normal up
// to what counts as parallel?
static bool find_reference(const Solids* pair, const ConvexGap* best, bool second, Facet* facet)
{
    const Solid* solid = second ? &pair->b : &pair->a;
    const utVec3 d = second ? ut_vec3_negate(best->normal) : best->normal;
    if (!ut_facet_face(solid, d, pair->slop, facet) || !(ut_vec3_dot(facet->normal, d) > 0.5)) {
        return false;
    }
    const utVec3 n = second ? ut_vec3_negate(facet->normal) : facet->normal;
    return ut_vec3_norm(ut_vec3_cross(facet->normal, d)) <= UT_NEAR_PARALLEL ||
           apart(pair, n) >= best->gap - (UT_GAP_BIAS * pair->size + best->error);
}

// Is there nothing to a shape's surface but one point for each normal?
static bool is_round(const Solid* solid)
{
    const utShapeKind kind = solid->shape->kind;
    return kind == UT_SHAPE_SPHERE || kind == UT_SHAPE_ELLIPSOID || solid->convex.point;
}

static void find_candidates(const Solids* pair, const ConvexGap* best, Candidates* list)
{
    Facet on, over;
    if (is_round(&pair->a) || is_round(&pair->b)) {
        return;
    }
    for (int second = 0; second < 2; second++) {
        if (find_reference(pair, best, second == 1, &on)) {
            const Solid* other = second == 1 ? &pair->a : &pair->b;
            ut_facet_facing(other, ut_vec3_negate(on.normal), pair->slop, &over);
            ut_facets_meet(&on, &over, second == 1, list);
            return;
        }
    }
    const utVec3 n = best->normal;
    if (ut_facet_line(&pair->a, n, pair->slop, &on) &&
        ut_facet_line(&pair->b, ut_vec3_negate(n), pair->slop, &over)) {
        utVec3 d, e;
        if (ut_vec3_normalize(ut_vec3_sub(on.x[1], on.x[0]), &d) &&
            ut_vec3_normalize(ut_vec3_sub(over.x[1], over.x[0]), &e) &&
            ut_vec3_norm(ut_vec3_cross(d, e)) <= 3.0 * UT_SLOP) {
            ut_lines_meet(&on, &over, n, list);
        }
    }
}

// @return the least gap that is left
static double keep_within(const Solids* pair, double least, Candidates* list)
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

// Where the search has a direction but no points, as of an ellipsoid without any extent: the ones
// that are farthest along it.
static utVec3 middle_of(const Solids* pair, const ConvexGap* best)
{
    const utVec3 middle = ut_vec3_scale(ut_vec3_add(best->on_a, best->on_b), 0.5);
    if (0.0 * middle.x + 0.0 * middle.y + 0.0 * middle.z == 0.0) {
        return middle;
    }
    int id;
    const utVec3 x = ut_convex_support(&pair->a.convex, best->normal, &id);
    return ut_vec3_add_scaled(x, pair->a.convex.radius + 0.5 * best->gap, best->normal);
}

// The nearest points themselves. A capsule's feature is that of its axis.
static Candidate nearest_points(const Solids* pair, const ConvexGap* best)
{
    const utVec3 x = ut_vec3_add_scaled(best->on_a, -pair->a.convex.radius, best->normal);
    const utVec3 y = ut_vec3_add_scaled(best->on_b, pair->b.convex.radius, best->normal);
    return (Candidate){.point = middle_of(pair, best),
                       .normal = best->normal,
                       .gap = best->gap,
                       .fa = ut_solid_feature(&pair->a, x, pair->slop),
                       .fb = ut_solid_feature(&pair->b, y, pair->slop)};
}

// Not one with the same features that is not as deep.
static void put_first(const Candidate* nearest, Candidates* list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        const Candidate c = list->item[i];
        if (c.fa != nearest->fa || c.fb != nearest->fb) {
            list->item[kept++] = c;
        }
    }
    list->count = kept;
    if (list->count == CANDIDATES_MAX) {
        ut_candidates_reduce(list, UT_MANIFOLD_FEW);
    }
    list->item[list->count++] = *nearest;
}

void ut_collide_convex(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                       Manifold* m)
{
    Solids pair;
    ut_solids(a, A, b, B, m->margin, &pair);
    const ConvexGap best = ut_convex_gap(&pair.a.convex, &pair.b.convex, ut_vec3_zero(), m->margin);
    if (!(best.gap <= m->margin)) {
        return;
    }
    Candidates list;
    list.slop = pair.slop;
    list.most = UT_MANIFOLD_FEW;
    list.count = 0;
    find_candidates(&pair, &best, &list);
    const double allowed = tolerance(&pair);
    if (!(keep_within(&pair, best.gap - allowed, &list) <= best.gap + allowed)) {
        const Candidate nearest = nearest_points(&pair, &best);
        put_first(&nearest, &list);
    }
    ut_candidates_reduce(&list, list.most);
    for (int i = 0; i < list.count; i++) {
        const Candidate* c = &list.item[i];
        ut_manifold_add(m, ut_frame_point(*A, c->point), ut_mat3_mul_vec(A->R, c->normal), c->gap,
                        c->fa, c->fb);
    }
}
