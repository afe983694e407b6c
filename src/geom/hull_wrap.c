// SPDX-License-Identifier: Apache-2.0
// Wrapping points of a grid in triangles: quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22, 1996)
// with exact orientation.
//
// Each triangle keeps a list of points that are strictly above it. The farthest of a list is
// joined: the triangles it is above go, their boundary (the horizon) is joined to it by new ones,
// and what was in their lists goes to the new ones. "Above" is decided exactly, so the surface is
// convex and closed at all times and no triangle is ever without area.
//
// A point that is no more than a few cells above anything is not worth a corner: it stays in its
// list, and is looked at again when the surface around it has changed.
#include "hull.h"

typedef struct Triangle {
    int corner[3];
    int adjacent[3]; // across the edge from corner k to the next
    utVec3 normal;   // in cells, with twice the area as its length
    double doubt;    // bound of the error of a height in plain arithmetic
    double near;     // the height of a point that is not worth a corner
    int list;        // points above it, -1: none
    int mark;        // seen in the search number |mark|; negative: not above
    bool alive, waiting;
    int before, after; // in the queue
} Triangle;

typedef struct HorizonEdge {
    int tail, head;
    int outer; // the triangle beyond
} HorizonEdge;

typedef struct Wrap {
    const utVec3* grid;
    Triangle* triangle;
    int used;     // triangles ever used
    int free;     // a chain of those given back, by `after`
    int queue;    // triangles whose list has not been looked at
    int search;   // number of the last one
    int* link;    // points: the next in the same list
    int* from;    // points: the new triangle whose edge begins here
    int* visible; // triangles above which the point of the search is
    int visibles;
    HorizonEdge* horizon;
    int edges;
} Wrap;

static const double near_cells = 8.0;

// ---- orientation --------------------------------------------------------------------------------

// Six times the signed volume of a triangle and a point above it, exactly: coordinates differ by at
// most 2^40, so each of six products is at most 2^120.
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

// How far above a triangle a point is, times twice its area; the sign is right.
static double height(const Wrap* w, const Triangle* t, int point)
{
    const double h = ut_vec3_dot(t->normal, ut_vec3_sub(w->grid[point], w->grid[t->corner[0]]));
    return fabs(h) > t->doubt ? h : (double)exact_height(w, t, point);
}

// The normal n = b x c has errors of at most u (|b||c| sum of each entry's two products) rounded
// twice, its product with a difference three roundings more: with u = 2^-53 altogether less than
// 8 u times the sum of all products' sizes, the last factor taken as the whole grid.
static void set_plane(const Wrap* w, Triangle* t)
{
    const utVec3 a = w->grid[t->corner[0]];
    const utVec3 b = ut_vec3_sub(w->grid[t->corner[1]], a);
    const utVec3 c = ut_vec3_sub(w->grid[t->corner[2]], a);
    const double products = fabs(b.y * c.z) + fabs(b.z * c.y) + fabs(b.z * c.x) + fabs(b.x * c.z) +
                            fabs(b.x * c.y) + fabs(b.y * c.x);
    t->normal = ut_vec3_cross(b, c);
    t->doubt = ldexp(products, 40 + 3 - 53);
    t->near = near_cells * ut_vec3_norm(t->normal);
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
        f = w->used++;
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

static void put(Wrap* w, int f, int point)
{
    w->link[point] = w->triangle[f].list;
    w->triangle[f].list = point;
    enqueue(w, f);
}

// Put a point into the list of a triangle that it is clearly above, else of one that it is above,
// else it is within and forgotten.
static void assign(Wrap* w, int count, const HorizonEdge* edge, int point)
{
    int above = -1;
    for (int k = 0; k < count; k++) {
        const int f = w->from[edge[k].tail];
        const double h = height(w, &w->triangle[f], point);
        if (h > w->triangle[f].near) {
            put(w, f, point);
            return;
        }
        if (h > 0.0 && above < 0) {
            above = f;
        }
    }
    if (above >= 0) {
        put(w, above, point);
    }
}

// ---- joining a point ----------------------------------------------------------------------------

// Is the point of the search above triangle g? Seen once each.
static bool is_above(Wrap* w, int g, int point, bool* first)
{
    Triangle* t = &w->triangle[g];
    *first = t->mark != w->search && t->mark != -w->search;
    if (*first) {
        t->mark = height(w, t, point) > 0.0 ? w->search : -w->search;
    }
    return t->mark == w->search;
}

// All triangles that a point is above, from one of them on, and the edges around them.
static void look(Wrap* w, int f, int point)
{
    w->search++;
    w->triangle[f].mark = w->search;
    w->visible[0] = f;
    w->visibles = 1;
    w->edges = 0;
    for (int k = 0; k < w->visibles; k++) {
        const Triangle* t = &w->triangle[w->visible[k]];
        for (int i = 0; i < 3; i++) {
            const int g = t->adjacent[i];
            bool first;
            if (!is_above(w, g, point, &first)) {
                w->horizon[w->edges++] = (HorizonEdge){t->corner[i], t->corner[(i + 1) % 3], g};
            } else if (first) {
                w->visible[w->visibles++] = g;
            }
        }
    }
}

// the triangle across the edge that ends in `tail`, seen from triangle g, is now f
static void reattach(Wrap* w, int g, int tail, int f)
{
    Triangle* t = &w->triangle[g];
    for (int i = 0; i < 3; i++) {
        if (t->corner[(i + 1) % 3] == tail) {
            t->adjacent[i] = f;
        }
    }
}

static void cover(Wrap* w, int point)
{
    for (int k = 0; k < w->edges; k++) {
        const HorizonEdge e = w->horizon[k];
        const int f = new_triangle(w, e.tail, e.head, point);
        w->triangle[f].adjacent[0] = e.outer;
        reattach(w, e.outer, e.tail, f);
        w->from[e.tail] = f;
    }
    for (int k = 0; k < w->edges; k++) {
        const int f = w->from[w->horizon[k].tail];
        const int g = w->from[w->horizon[k].head];
        w->triangle[f].adjacent[1] = g;
        w->triangle[g].adjacent[2] = f;
    }
}

// Make a point that is above triangle f a corner.
static void join(Wrap* w, int f, int point)
{
    look(w, f, point);
    int orphans = -1;
    for (int k = 0; k < w->visibles; k++) {
        const int g = w->visible[k];
        for (int p = w->triangle[g].list; p >= 0;) {
            const int next = w->link[p];
            if (p != point) {
                w->link[p] = orphans;
                orphans = p;
            }
            p = next;
        }
        free_triangle(w, g);
    }
    cover(w, point);
    for (int p = orphans; p >= 0;) {
        const int next = w->link[p];
        assign(w, w->edges, w->horizon, p);
        p = next;
    }
}

// ---- which point is next ------------------------------------------------------------------------

static int farthest_of(const Wrap* w, int f, double* most)
{
    const Triangle* t = &w->triangle[f];
    int best = -1;
    *most = 0.0;
    for (int p = t->list; p >= 0; p = w->link[p]) {
        const double h = height(w, t, p);
        if (h > *most) {
            *most = h;
            best = p;
        }
    }
    return best;
}

// A triangle that the point is clearly above; -1: there is none.
static int clearly_below(Wrap* w, int f, int point)
{
    look(w, f, point);
    for (int k = 0; k < w->visibles; k++) {
        const Triangle* t = &w->triangle[w->visible[k]];
        if (height(w, t, point) > t->near) {
            return w->visible[k];
        }
    }
    return -1;
}

// None of f's points is clearly above f itself: those that are so above another go there.
static bool settle(Wrap* w, int f)
{
    bool moved = false;
    int rest = w->triangle[f].list;
    w->triangle[f].list = -1;
    while (rest >= 0) {
        const int p = rest;
        rest = w->link[p];
        const int g = clearly_below(w, f, p);
        if (g >= 0) {
            put(w, g, p);
            moved = true;
        } else {
            w->link[p] = w->triangle[f].list;
            w->triangle[f].list = p;
        }
    }
    return moved;
}

static void work_off_queue(Wrap* w)
{
    while (w->queue >= 0) {
        const int f = w->queue;
        dequeue(w, f);
        double most;
        const int p = farthest_of(w, f, &most);
        if (most > w->triangle[f].near) {
            join(w, f, p);
        } else {
            settle(w, f);
        }
    }
}

// Joins a point each time it goes round, so it ends.
static void wrap_all(Wrap* w)
{
    bool moved = true;
    while (moved) {
        work_off_queue(w);
        moved = false;
        for (int f = 0; f < w->used; f++) {
            if (w->triangle[f].alive && w->triangle[f].list >= 0) {
                moved = settle(w, f) || moved;
            }
        }
    }
}

// ---- beginning and end --------------------------------------------------------------------------

// The first four corners; false when they have no volume.
static bool begin(Wrap* w, const HullPoints* points)
{
    int c[4] = {points->corner[0], points->corner[1], points->corner[2], points->corner[3]};
    const Triangle base = {.corner = {c[0], c[1], c[2]}};
    const Wide volume = exact_height(w, &base, c[3]);
    if (volume == 0) {
        return false;
    }
    if (volume > 0) { // the fourth is to be below the first three
        const int swap = c[0];
        c[0] = c[1];
        c[1] = swap;
    }
    new_triangle(w, c[0], c[1], c[2]);
    w->visibles = 0;
    w->edges = 3;
    w->horizon[0] = (HorizonEdge){c[1], c[0], 0};
    w->horizon[1] = (HorizonEdge){c[2], c[1], 0};
    w->horizon[2] = (HorizonEdge){c[0], c[2], 0};
    cover(w, c[3]);
    // the base counts as a fourth triangle, found by the corner that no edge begins at
    w->horizon[3] = (HorizonEdge){c[3], -1, -1};
    w->from[c[3]] = 0;
    for (int p = points->count - 1; p >= 0; p--) {
        if (p != c[0] && p != c[1] && p != c[2] && p != c[3]) {
            assign(w, 4, w->horizon, p);
        }
    }
    return true;
}

static void hand_over(const Wrap* w, int* place, HullMesh* mesh)
{
    mesh->triangles = 0;
    for (int f = 0; f < w->used; f++) {
        if (w->triangle[f].alive) {
            place[f] = mesh->triangles++;
        }
    }
    for (int f = 0; f < w->used; f++) {
        const Triangle* t = &w->triangle[f];
        for (int i = 0; t->alive && i < 3; i++) {
            mesh->corner[3 * place[f] + i] = t->corner[i];
            mesh->adjacent[3 * place[f] + i] = place[t->adjacent[i]];
        }
    }
}

size_t ut_hull_wrap_size(int points)
{
    // n corners make 2 n - 4 triangles with 3 n - 6 edges
    const size_t n = (size_t)points;
    return 2 * ut_arena_need(6 * n, sizeof(int)) + ut_arena_need(2 * n, sizeof(Triangle)) +
           2 * ut_arena_need(n, sizeof(int)) + ut_arena_need(2 * n, sizeof(int)) +
           ut_arena_need(3 * n, sizeof(HorizonEdge));
}

utStatus ut_hull_wrap(const HullPoints* points, utArena* scratch, HullMesh* mesh, utError* err)
{
    const size_t n = (size_t)points->count;
    mesh->corner = UT_PUSH(scratch, int, 6 * n);
    mesh->adjacent = UT_PUSH(scratch, int, 6 * n);
    utArena rest = *scratch;
    Wrap w = {.grid = points->grid, .free = -1, .queue = -1};
    w.triangle = UT_PUSH(&rest, Triangle, 2 * n);
    w.link = UT_PUSH(&rest, int, n);
    w.from = UT_PUSH(&rest, int, n);
    w.visible = UT_PUSH(&rest, int, 2 * n);
    w.horizon = UT_PUSH(&rest, HorizonEdge, 3 * n);
    if (mesh->corner == NULL || mesh->adjacent == NULL || w.triangle == NULL || w.link == NULL ||
        w.from == NULL || w.visible == NULL || w.horizon == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (!begin(&w, points)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points are on one plane to %g m; it must have a volume",
                            points->flat);
    }
    wrap_all(&w);
    hand_over(&w, w.visible, mesh);
    return UT_OK;
}
