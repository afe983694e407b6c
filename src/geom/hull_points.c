// SPDX-License-Identifier: Apache-2.0
// Points of a hull: checks, sorting, removal of duplicates, and rounding to a grid.
//
// The grid has 2^40 cells along the largest extent. A cell is 1e-12 of the extent, a thousandth of
// the flatness tolerance. Differences of grid coordinates are exact in a double, and the volume of
// four grid points is exact in 128 bits. So the side of a plane on which a point lies is always
// exact.
#include "bounds.h"
#include "base/sort.h"
#include "hull.h"
#include "tolerances.h"

// ---- checks -------------------------------------------------------------------------------------

static bool finite_point(utVec3 p)
{
    return fabs(p.x) <= DBL_MAX && fabs(p.y) <= DBL_MAX && fabs(p.z) <= DBL_MAX;
}

static utStatus check_points(int count, const utVec3* point, utError* err)
{
    if (count < 4) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "hull: %d points; a hull needs at least four",
                            count);
    }
    for (int i = 0; i < count; i++) {
        if (!finite_point(point[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "hull: point %d is (%g, %g, %g); it must be finite", i, point[i].x,
                                point[i].y, point[i].z);
        }
    }
    return UT_OK;
}

// Replace -0 by 0, because both are the same point and must not differ in the sorted order.
static utVec3 without_minus_zero(utVec3 p)
{
    return ut_vec3_add(p, ut_vec3_zero());
}

static utBounds bounds_of(int count, const utVec3* point)
{
    utBounds b = {point[0], point[0]};
    for (int i = 1; i < count; i++) {
        ut_bounds_include(&b, point[i]);
    }
    return b;
}

static utStatus check_size(double size, utError* err)
{
    if (size == 0.0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points coincide; a hull needs a volume");
    }
    if (!(size >= UT_HULL_SMALLEST && size <= UT_HULL_LARGEST)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: its largest extent is %g m; it must be between %g and %g m",
                            size, UT_HULL_SMALLEST, UT_HULL_LARGEST);
    }
    return UT_OK;
}

// ---- order --------------------------------------------------------------------------------------

typedef struct Order {
    const utVec3* point;
    const double* along;
} Order;

// Position along a direction that is perpendicular to no usual plane; its length is at most 1.
static double along_direction(utVec3 x)
{
    return 0.6213 * x.x + 0.5298 * x.y + 0.5772 * x.z;
}

static bool point_before(const void* first, const void* second, const void* context)
{
    const int a = *(const int*)first, b = *(const int*)second;
    const Order* order = context;
    if (order->along[a] != order->along[b]) {
        return order->along[a] < order->along[b];
    }
    const utVec3 p = order->point[a], q = order->point[b];
    if (p.x != q.x) {
        return p.x < q.x;
    }
    if (p.y != q.y) {
        return p.y < q.y;
    }
    return p.z != q.z ? p.z < q.z : a < b;
}

// Is one of the kept points, which are sorted, within `near` of x?
static bool is_kept(const HullPoints* points, const double* along, utVec3 x, double at, double near)
{
    for (int k = points->count - 1; k >= 0; k--) {
        // the direction has at most length 1, so this and all earlier points are farther away
        if (at - along[points->index[k]] > 1.01 * near) {
            return false;
        }
        const utVec3 d = ut_vec3_sub(x, points->x[k]);
        if (ut_vec3_norm(d) <= near) {
            return true;
        }
    }
    return false;
}

static double to_grid(double x, int shift)
{
    return floor(ldexp(x, shift) + 0.5);
}

// Keep one of several points that are closer together than an eighth of the flatness tolerance.
static void keep_distinct(int count, const utVec3* x, const double* along, const int* sorted,
                          HullPoints* points)
{
    int exponent;
    frexp(points->size, &exponent); // size < 2^exponent
    const int shift = HULL_GRID_BITS - exponent;
    points->count = 0;
    for (int k = 0; k < count; k++) {
        const int i = sorted[k];
        if (is_kept(points, along, x[i], along[i], UT_HULL_DUPLICATE * points->flat)) {
            continue;
        }
        points->index[points->count] = i;
        points->x[points->count] = x[i];
        points->grid[points->count] =
            ut_vec3(to_grid(x[i].x, shift), to_grid(x[i].y, shift), to_grid(x[i].z, shift));
        points->count++;
    }
}

// ---- four points that span a volume -------------------------------------------------------------

static int farthest_from(const HullPoints* points, int from)
{
    int best = from;
    double most = 0.0;
    for (int i = 0; i < points->count; i++) {
        const double d = ut_vec3_norm(ut_vec3_sub(points->x[i], points->x[from]));
        if (d > most) {
            most = d;
            best = i;
        }
    }
    return best;
}

static int farthest_from_line(const HullPoints* points, int a, int b, double* most)
{
    int best = a;
    const utVec3 ab = ut_vec3_sub(points->x[b], points->x[a]);
    const double length = ut_vec3_norm(ab);
    *most = 0.0;
    for (int i = 0; i < points->count; i++) {
        const utVec3 ai = ut_vec3_sub(points->x[i], points->x[a]);
        const double d = ut_vec3_norm(ut_vec3_cross(ab, ai)) / length;
        if (d > *most) {
            *most = d;
            best = i;
        }
    }
    return best;
}

static int farthest_from_plane(const HullPoints* points, int a, int b, int c, double* most)
{
    int best = a;
    utVec3 n;
    ut_vec3_normalize(ut_triangle_cross(points->x[a], points->x[b], points->x[c]), &n);
    *most = 0.0;
    for (int i = 0; i < points->count; i++) {
        const double d = fabs(ut_vec3_dot(n, ut_vec3_sub(points->x[i], points->x[a])));
        if (d > *most) {
            *most = d;
            best = i;
        }
    }
    return best;
}

// Take the point farthest from point 0, the one farthest from that, from their line, and from their
// plane. If the last distance is small, all points are close to a plane.
static utStatus find_corners(HullPoints* points, utError* err)
{
    int* c = points->corner;
    double width, height;
    c[0] = farthest_from(points, 0);
    c[1] = farthest_from(points, c[0]);
    if (c[0] == c[1]) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points coincide; a hull needs a volume");
    }
    c[2] = farthest_from_line(points, c[0], c[1], &width);
    if (!(width > points->flat)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points lie on one line within %g m; a hull needs a volume",
                            points->flat);
    }
    c[3] = farthest_from_plane(points, c[0], c[1], c[2], &height);
    points->thin = !(height > UT_HULL_THIN * points->flat);
    if (!(height > points->flat)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points lie on one plane within %g m; a hull needs a volume",
                            points->flat);
    }
    return UT_OK;
}

// ---- entry point --------------------------------------------------------------------------------

utStatus ut_hull_points(int count, const utVec3* point, utArena* scratch, HullPoints* points,
                        utError* err)
{
    UT_TRY(check_points(count, point, err));
    const utBounds box = bounds_of(count, point);
    const utVec3 extent = ut_vec3_sub(box.high, box.low);
    points->low = without_minus_zero(box.low);
    points->size = fmax(extent.x, fmax(extent.y, extent.z));
    points->flat = UT_HULL_FLAT * points->size;
    UT_TRY(check_size(points->size, err));

    points->index = UT_PUSH(scratch, int, count);
    points->x = UT_PUSH(scratch, utVec3, count);
    points->grid = UT_PUSH(scratch, utVec3, count);
    utArena rest = *scratch;
    int* sorted = UT_PUSH(&rest, int, count);
    int* spare = UT_PUSH(&rest, int, count);
    utVec3* x = UT_PUSH(&rest, utVec3, count);
    double* along = UT_PUSH(&rest, double, count);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < count; i++) {
        x[i] = without_minus_zero(ut_vec3_sub(point[i], points->low));
        along[i] = along_direction(x[i]);
        sorted[i] = i;
    }
    ut_sort(count, sizeof(int), sorted, spare, point_before, &(Order){point, along});
    keep_distinct(count, x, along, sorted, points);
    return find_corners(points, err);
}
