// SPDX-License-Identifier: Apache-2.0
// Wrapping grid points in triangles: quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996) with
// exact orientation tests.
//
// Each triangle keeps a list of points strictly above it. The farthest point of a list becomes a
// corner: the triangles below it are removed, new triangles connect their boundary (the horizon) to
// the point, and the points of the removed triangles are distributed to the new ones. "Above" is
// exact, so the surface is always convex and closed, and no triangle has area 0.
//
// A point at most a few grid cells above all triangles does not become a corner. It stays in its
// list and is tested again when the surface around it changes.
#include "hull.h"
#include "tolerances.h"

typedef struct Triangle {
    int corner[3];
    int adjacent[3];     // across the edge from corner k to the next
    utVec3 normal;       // in cells; its length is twice the area
    double height_error; // error bound of a height computed in double
    double near_height;  // height up to which a point does not become a corner
    int list;            // first point above it, -1: none
    int mark;            // number of the search that visited it; negative: the point was not above
    bool alive, waiting;
    int before, after; // links of the queue
} Triangle;

typedef struct HorizonEdge {
    int tail, head;
    int across; // the triangle across the edge
} HorizonEdge;

typedef struct Wrap {
    const utVec3* grid;
    Triangle* triangle;
    int triangle_count;     // triangles used so far
    int free;               // list of released triangles, linked by `after`
    int queue;              // triangles whose lists are not processed
    int search;             // number of the last search
    int* next_in_list;      // per point: the next point in the same list
    int* starting_triangle; // per point: the new triangle whose edge starts here
    int* visible;           // triangles below the point of the search
    int visible_count;
    HorizonEdge* horizon;
    int horizon_count;
    long long heights; // computed so far
} Wrap;

// ---- orientation --------------------------------------------------------------------------------

// Six times the signed volume of a triangle and a point above it, exact: coordinates differ by at
// most 2^40, so each of the six products is at most 2^120.
static Wide exact_height(const Wrap* w, const Triangle* t, int point)
{
    const utVec3 a = w->grid[t->corner[0]];
    const utVec3 b = ut_vec3_sub(w->grid[t->corner[1]], a);
    const utVec3 c = ut_vec3_sub(w->grid[t->corner[2]], a);
    const utVec3 p = ut_vec3_sub(w->grid[point], a);
    const Wide bx = (Wide)b.x, by = (Wide)b.y, bz = (Wide)b.z;
    const Wide cx = (Wide)c.x, cy = (Wide)c.y, cz = (Wide)c.z;
    return (by * cz - bz * cy) * (Wide)p.x + (bz * cx - bx * cz) * (Wide)p.y +
           (bx * cy - by * cx) * (Wide)p.z;
}

// Height of a point above a triangle, times twice its area; the sign is exact.
static double height(const Wrap* w, const Triangle* t, int point)
{
    const double h = ut_vec3_dot(t->normal, ut_vec3_sub(w->grid[point], w->grid[t->corner[0]]));
    return fabs(h) > t->height_error ? h : (double)exact_height(w, t, point);
}

// Error bound of `height`: with u = 2^-53 the entries of n = b x c are rounded twice, and the
// product with a difference adds three roundings. The error is less than 8 u times the sum of the
// magnitudes of all products, with the grid size 2^40 as the last factor.
static void set_plane(const Wrap* w, Triangle* t)
{
    const utVec3 a = w->grid[t->corner[0]];
    const utVec3 b = ut_vec3_sub(w->grid[t->corner[1]], a);
    const utVec3 c = ut_vec3_sub(w->grid[t->corner[2]], a);
    const double products = fabs(b.y * c.z) + fabs(b.z * c.y) + fabs(b.z * c.x) + fabs(b.x * c.z) +
                            fabs(b.x * c.y) + fabs(b.y * c.x);
    t->normal = ut_vec3_cross(b, c);
    t->height_error = ldexp(products, HULL_GRID_BITS + 3 - 53);
    t->near_height = UT_HULL_NEAR_CELLS * ut_vec3_norm(t->normal);
}

// ---- triangles and their lists ------------------------------------------------------------------

static void enqueue(Wrap* w, int f)
{
    Triangle* t = &w->triangle[f];
    if (t->waiting) {
        return;
    }
    t->waiting = true;
    t->before = -1;
    t->after = w->queue;
    if (w->queue >= 0) {
        w->triangle[w->queue].before = f;
    }
    w->queue = f;
}

static void dequeue(Wrap* w, int f)
{
    Triangle* t = &w->triangle[f];
    if (!t->waiting) {
        return;
    }
    t->waiting = false;
    if (t->after >= 0) {
        w->triangle[t->after].before = t->before;
    }
    if (t->before >= 0) {
        w->triangle[t->before].after = t->after;
    } else {
        w->queue = t->after;
    }
}

static int new_triangle(Wrap* w, int a, int b, int c)
{
    int f = w->free;
    if (f >= 0) {
        w->free = w->triangle[f].after;
    } else {
        f = w->triangle_count++;
    }
    Triangle* t = &w->triangle[f];
    *t = (Triangle){.corner = {a, b, c}, .list = -1, .alive = true, .before = -1, .after = -1};
    set_plane(w, t);
    return f;
}

static void free_triangle(Wrap* w, int f)
{
    dequeue(w, f);
    w->triangle[f].alive = false;
    w->triangle[f].after = w->free;
    w->free = f;
}

static void add_to_list(Wrap* w, int f, int point)
{
    w->next_in_list[point] = w->triangle[f].list;
    w->triangle[f].list = point;
    enqueue(w, f);
}

// Put a point into the list of a triangle that it is clearly above, otherwise of any triangle that
// it is above. A point above none is inside and dropped.
static void assign(Wrap* w, int count, const HorizonEdge* edge, int point)
{
    int above = -1;
    for (int k = 0; k < count; k++) {
        const int f = w->starting_triangle[edge[k].tail];
        w->heights++;
        const double h = height(w, &w->triangle[f], point);
        if (h > w->triangle[f].near_height) {
            add_to_list(w, f, point);
            return;
        }
        if (h > 0.0 && above < 0) {
            above = f;
        }
    }
    if (above >= 0) {
        add_to_list(w, above, point);
    }
}

// ---- adding a corner ----------------------------------------------------------------------------

// Is the point of the search above triangle g? @param first g was not visited before in this search
static bool is_above(Wrap* w, int g, int point, bool* first)
{
    Triangle* t = &w->triangle[g];
    *first = t->mark != w->search && t->mark != -w->search;
    if (*first) {
        w->heights++;
        t->mark = height(w, t, point) > 0.0 ? w->search : -w->search;
    }
    return t->mark == w->search;
}

// Find all triangles that a point is above, starting from one of them, and the horizon around them.
static void find_visible(Wrap* w, int f, int point)
{
    w->search++;
    w->triangle[f].mark = w->search;
    w->visible[0] = f;
    w->visible_count = 1;
    w->horizon_count = 0;
    for (int k = 0; k < w->visible_count; k++) {
        const Triangle* t = &w->triangle[w->visible[k]];
        for (int i = 0; i < 3; i++) {
            const int g = t->adjacent[i];
            bool first;
            if (!is_above(w, g, point, &first)) {
                w->horizon[w->horizon_count++] =
                    (HorizonEdge){t->corner[i], t->corner[(i + 1) % 3], g};
            } else if (first) {
                w->visible[w->visible_count++] = g;
            }
        }
    }
}

// Set f as the neighbour of triangle g across the edge that ends in `tail`.
static void set_neighbour(Wrap* w, int g, int tail, int f)
{
    Triangle* t = &w->triangle[g];
    for (int i = 0; i < 3; i++) {
        if (t->corner[(i + 1) % 3] == tail) {
            t->adjacent[i] = f;
        }
    }
}

static void connect_horizon(Wrap* w, int point)
{
    for (int k = 0; k < w->horizon_count; k++) {
        const HorizonEdge e = w->horizon[k];
        const int f = new_triangle(w, e.tail, e.head, point);
        w->triangle[f].adjacent[0] = e.across;
        set_neighbour(w, e.across, e.tail, f);
        w->starting_triangle[e.tail] = f;
    }
    for (int k = 0; k < w->horizon_count; k++) {
        const int f = w->starting_triangle[w->horizon[k].tail];
        const int g = w->starting_triangle[w->horizon[k].head];
        w->triangle[f].adjacent[1] = g;
        w->triangle[g].adjacent[2] = f;
    }
}

// Make a point that is above triangle f a corner.
static void add_corner(Wrap* w, int f, int point)
{
    find_visible(w, f, point);
    int orphans = -1;
    for (int k = 0; k < w->visible_count; k++) {
        const int g = w->visible[k];
        for (int p = w->triangle[g].list; p >= 0;) {
            const int next = w->next_in_list[p];
            if (p != point) {
                w->next_in_list[p] = orphans;
                orphans = p;
            }
            p = next;
        }
        free_triangle(w, g);
    }
    connect_horizon(w, point);
    for (int p = orphans; p >= 0;) {
        const int next = w->next_in_list[p];
        assign(w, w->horizon_count, w->horizon, p);
        p = next;
    }
}

// ---- order of the points ------------------------------------------------------------------------

static int farthest_point(Wrap* w, int f, double* most)
{
    const Triangle* t = &w->triangle[f];
    int best = -1;
    *most = 0.0;
    for (int p = t->list; p >= 0; p = w->next_in_list[p]) {
        w->heights++;
        const double h = height(w, t, p);
        if (h > *most) {
            *most = h;
            best = p;
        }
    }
    return best;
}

// A triangle that the point is clearly above; -1: there is none.
static int triangle_clearly_below(Wrap* w, int f, int point)
{
    find_visible(w, f, point);
    for (int k = 0; k < w->visible_count; k++) {
        const Triangle* t = &w->triangle[w->visible[k]];
        if (height(w, t, point) > t->near_height) {
            return w->visible[k];
        }
    }
    return -1;
}

// No point of f's list is clearly above f: move the points that are clearly above another triangle.
static bool redistribute(Wrap* w, int f)
{
    bool moved = false;
    int rest = w->triangle[f].list;
    w->triangle[f].list = -1;
    while (rest >= 0) {
        const int p = rest;
        rest = w->next_in_list[p];
        const int g = triangle_clearly_below(w, f, p);
        if (g >= 0) {
            add_to_list(w, g, p);
            moved = true;
        } else {
            w->next_in_list[p] = w->triangle[f].list;
            w->triangle[f].list = p;
        }
    }
    return moved;
}

// Is it of no use to go on? n corners have 2 n - 4 triangles.
static bool is_too_large(const Wrap* w)
{
    return w->triangle_count > 2 * HULL_MAX_CORNERS || w->heights > HULL_MAX_HEIGHTS;
}

static void process_queue(Wrap* w)
{
    while (w->queue >= 0 && !is_too_large(w)) {
        const int f = w->queue;
        dequeue(w, f);
        double most;
        const int p = farthest_point(w, f, &most);
        if (most > w->triangle[f].near_height) {
            add_corner(w, f, p);
        } else {
            redistribute(w, f);
        }
    }
}

// Each round adds a corner, so the loop ends.
static void wrap_all(Wrap* w)
{
    bool moved = true;
    while (moved && !is_too_large(w)) {
        process_queue(w);
        moved = false;
        for (int f = 0; f < w->triangle_count; f++) {
            if (w->triangle[f].alive && w->triangle[f].list >= 0) {
                moved = redistribute(w, f) || moved;
            }
        }
    }
}

// ---- start and result ---------------------------------------------------------------------------

// Start with four corners. @return false when they have no volume
static bool start(Wrap* w, const HullPoints* points)
{
    int c[4] = {points->corner[0], points->corner[1], points->corner[2], points->corner[3]};
    const Triangle base = {.corner = {c[0], c[1], c[2]}};
    const Wide volume = exact_height(w, &base, c[3]);
    if (volume == 0) {
        return false;
    }
    if (volume > 0) { // the fourth corner must be below the first three
        const int swap = c[0];
        c[0] = c[1];
        c[1] = swap;
    }
    new_triangle(w, c[0], c[1], c[2]);
    w->visible_count = 0;
    w->horizon_count = 3;
    w->horizon[0] = (HorizonEdge){c[1], c[0], 0};
    w->horizon[1] = (HorizonEdge){c[2], c[1], 0};
    w->horizon[2] = (HorizonEdge){c[0], c[2], 0};
    connect_horizon(w, c[3]);
    // the base is the fourth triangle; it is found by the corner at which no edge starts
    w->horizon[3] = (HorizonEdge){c[3], -1, -1};
    w->starting_triangle[c[3]] = 0;
    for (int p = points->count - 1; p >= 0; p--) {
        if (p != c[0] && p != c[1] && p != c[2] && p != c[3]) {
            assign(w, 4, w->horizon, p);
        }
    }
    return true;
}

static void write_mesh(const Wrap* w, int* place, HullMesh* mesh)
{
    mesh->triangles = 0;
    for (int f = 0; f < w->triangle_count; f++) {
        if (w->triangle[f].alive) {
            place[f] = mesh->triangles++;
        }
    }
    for (int f = 0; f < w->triangle_count; f++) {
        const Triangle* t = &w->triangle[f];
        for (int i = 0; t->alive && i < 3; i++) {
            mesh->corner[3 * place[f] + i] = t->corner[i];
            mesh->adjacent[3 * place[f] + i] = place[t->adjacent[i]];
        }
    }
}

// n corners have 2 n - 4 triangles and 3 n - 6 edges.
utStatus ut_hull_wrap(const HullPoints* points, utArena* scratch, HullMesh* mesh, utError* err)
{
    const size_t n = (size_t)points->count;
    mesh->corner = UT_PUSH(scratch, int, 6 * n);
    mesh->adjacent = UT_PUSH(scratch, int, 6 * n);
    utArena rest = *scratch;
    Wrap w = {.grid = points->grid, .free = -1, .queue = -1};
    w.triangle = UT_PUSH(&rest, Triangle, 2 * n);
    w.next_in_list = UT_PUSH(&rest, int, n);
    w.starting_triangle = UT_PUSH(&rest, int, n);
    w.visible = UT_PUSH(&rest, int, 2 * n);
    w.horizon = UT_PUSH(&rest, HorizonEdge, 3 * n);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    if (!start(&w, points)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points lie on one plane within %g m; a hull needs a volume",
                            points->flat);
    }
    wrap_all(&w);
    if (w.heights > HULL_MAX_HEIGHTS) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: %zu points take more than %d comparisons; simplify the mesh", n,
                            HULL_MAX_HEIGHTS);
    }
    if (is_too_large(&w)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "hull: more than %d corners; simplify the mesh",
                            HULL_MAX_CORNERS);
    }
    write_mesh(&w, w.visible, mesh);
    return UT_OK;
}
