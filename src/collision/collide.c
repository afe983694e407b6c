// The narrow phase: from two shapes to their manifold.
//
// Every pair is computed in one order only, lower kind first, and between equals in an order that
// the shapes themselves decide, so that (b, a) gives the bits of (a, b).
#include "collision/internal.h"
#include "collision/surface.h"

static PairCollide* const table[UT_SHAPE_KIND_COUNT][UT_SHAPE_KIND_COUNT] = {
    [UT_SHAPE_PLANE] = {NULL, ut_collide_plane_sphere, ut_collide_plane_capsule,
                        ut_collide_plane_box},
    [UT_SHAPE_SPHERE] = {NULL, ut_collide_sphere_sphere, ut_collide_sphere_capsule,
                         ut_collide_sphere_box},
    [UT_SHAPE_CAPSULE] = {NULL, NULL, ut_collide_capsule_capsule, ut_collide_capsule_box},
    [UT_SHAPE_BOX] = {NULL, NULL, NULL, ut_collide_box_box},
};

// 0 times a number that is not finite is NaN, and stays so in a sum
static bool is_usable(const utShape* shape, const utFrame* at)
{
    if ((unsigned)shape->kind >= UT_SHAPE_KIND_COUNT) {
        return false;
    }
    double sum = 0.0 * at->p.x + 0.0 * at->p.y + 0.0 * at->p.z;
    for (int i = 0; i < 3; i++) {
        sum += 0.0 * at->R.m[i][0] + 0.0 * at->R.m[i][1] + 0.0 * at->R.m[i][2];
    }
    if (shape->kind != UT_SHAPE_PLANE) {
        sum += 0.0 * shape->size.x;
    }
    if (shape->kind == UT_SHAPE_CAPSULE || shape->kind == UT_SHAPE_BOX) {
        sum += 0.0 * shape->size.y;
    }
    if (shape->kind == UT_SHAPE_BOX) {
        sum += 0.0 * shape->size.z;
    }
    return sum == 0.0;
}

// -1, 0, 1 as x is over, at or below y: the larger comes first
static int larger_first(double x, double y)
{
    return x > y ? -1 : x < y ? 1 : 0;
}

static int compare_rotations(const utMat3* A, const utMat3* B)
{
    for (int i = 0; i < 9; i++) {
        const int order = larger_first(A->m[i / 3][i % 3], B->m[i / 3][i % 3]);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

// Does b come before a? The larger does; of equals the lower one, "low" being along a direction
// that is perpendicular to nothing in particular, so that small motions do not change the order of
// a stack.
static bool is_reversed(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    if (a->kind != b->kind) {
        return a->kind > b->kind;
    }
    static const utVec3 up = {0.2360679775, 0.5772156649, 0.7818314825};
    int order = larger_first(ut_shape_volume(a), ut_shape_volume(b));
    order = order != 0 ? order : larger_first(a->size.x, b->size.x);
    order = order != 0 ? order : larger_first(a->size.y, b->size.y);
    order = order != 0 ? order : larger_first(ut_vec3_dot(up, ut_vec3_sub(B->p, A->p)), 0.0);
    order = order != 0 ? order : compare_rotations(&A->R, &B->R);
    return order > 0;
}

static void swap_sides(Manifold* m)
{
    for (int i = 0; i < m->count; i++) {
        const uint64_t feature = m->touch[i].feature;
        m->touch[i].normal = ut_vec3_negate(m->touch[i].normal);
        m->touch[i].feature = feature << 32 | feature >> 32;
    }
}

static void sort_by_feature(Manifold* m)
{
    for (int i = 1; i < m->count; i++) {
        const utTouch moving = m->touch[i];
        int j = i;
        for (; j > 0 && m->touch[j - 1].feature > moving.feature; j--) {
            m->touch[j] = m->touch[j - 1];
        }
        m->touch[j] = moving;
    }
}

int ut_collide(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
               utTouch* touch)
{
    if (!is_usable(a, &A) || !is_usable(b, &B)) {
        return 0;
    }
    Manifold m = {margin, 0, touch};
    const bool reversed = is_reversed(a, &A, b, &B);
    PairCollide* collide = reversed ? table[b->kind][a->kind] : table[a->kind][b->kind];
    const utShapeKind low = reversed ? b->kind : a->kind, high = reversed ? a->kind : b->kind;
    if (ut_shape_is_convex(low) && (high == UT_SHAPE_MESH || high == UT_SHAPE_HEIGHTS)) {
        collide = ut_collide_surface;
    }
    if (collide == NULL) {
        return 0;
    }
    if (reversed) {
        collide(b, &B, a, &A, &m);
        swap_sides(&m);
    } else {
        collide(a, &A, b, &B, &m);
    }
    sort_by_feature(&m);
    return m.count;
}
