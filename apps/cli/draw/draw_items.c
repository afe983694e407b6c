// SPDX-License-Identifier: Apache-2.0
// Hidden faces. Every item is a convex solid or figure. Of two items whose outlines overlap, the one
// that the ray through the middle of the overlap meets first is in front; for convex solids that do
// not intersect, every other ray through both agrees. Items are then drawn in an order in which each
// one comes after all that it hides. Where such an order does not exist, because three or more items
// hide each other in a ring, the farthest of them is drawn first.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_OVERLAP = 0.5; // px^2; outlines that overlap by less need no order

// ---- convex outlines ----------------------------------------------------------------------------

static int compare_places(const void* a, const void* b)
{
    const DrawPlace* p = a;
    const DrawPlace* q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->y > q->y) - (p->y < q->y);
}

static double turn(DrawPlace a, DrawPlace b, DrawPlace c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

int draw_convex(int count, const DrawPlace* point, DrawPlace* hull)
{
    DrawPlace* sorted = malloc((size_t)count * sizeof *sorted + 1);
    if (sorted == NULL || count < 3) {
        free(sorted);
        memcpy(hull, point, (size_t)count * sizeof *hull);
        return count;
    }
    memcpy(sorted, point, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_places);
    // Andrew's monotone chain: the lower half, then the upper one, in room for 2 count places
    DrawPlace* chain = malloc(2 * (size_t)count * sizeof *chain);
    int n = 0;
    for (int pass = 0; pass < 2 && chain != NULL; pass++) {
        const int first = n;
        for (int k = 0; k < count; k++) {
            const DrawPlace p = sorted[pass == 0 ? k : count - 1 - k];
            while (n - first > 1 && turn(chain[n - 2], chain[n - 1], p) <= 1e-9) {
                n--;
            }
            chain[n++] = p;
        }
        n--; // the end is the beginning of the other half
    }
    n = n > count ? count : n;
    if (chain != NULL) {
        memcpy(hull, chain, (size_t)n * sizeof *hull);
    }
    free(chain);
    free(sorted);
    return n;
}

// The overlap of two convex outlines. @param middle receives its centroid @return its area, px^2
static double overlap(const DrawItem* a, const DrawItem* b, DrawPlace* middle)
{
    enum { ROOM = 256 };
    DrawPlace one[ROOM], two[ROOM];
    DrawPlace* from = one;
    DrawPlace* to = two;
    int n = a->corners < ROOM / 2 ? a->corners : ROOM / 2;
    memcpy(from, a->corner, (size_t)n * sizeof *from);
    for (int e = 0; e < b->corners && n > 0; e++) {
        const DrawPlace p = b->corner[e];
        const DrawPlace q = b->corner[(e + 1) % b->corners];
        int m = 0;
        for (int k = 0; k < n && m + 2 < ROOM; k++) {
            const DrawPlace s = from[k];
            const DrawPlace t = from[(k + 1) % n];
            const double in_s = turn(p, q, s);
            const double in_t = turn(p, q, t);
            if (in_s >= 0.0) {
                to[m++] = s;
            }
            if ((in_s > 0.0 && in_t < 0.0) || (in_s < 0.0 && in_t > 0.0)) {
                const double share = in_s / (in_s - in_t);
                to[m++] = (DrawPlace){s.x + share * (t.x - s.x), s.y + share * (t.y - s.y)};
            }
        }
        DrawPlace* swap = from;
        from = to;
        to = swap;
        n = m;
    }
    double area = 0.0;
    DrawPlace sum = {0.0, 0.0};
    for (int k = 1; k + 1 < n; k++) {
        const double twice = turn(from[0], from[k], from[k + 1]);
        area += 0.5 * twice;
        sum.x += 0.5 * twice * (from[0].x + from[k].x + from[k + 1].x) / 3.0;
        sum.y += 0.5 * twice * (from[0].y + from[k].y + from[k + 1].y) / 3.0;
    }
    if (area > 0.0) {
        *middle = (DrawPlace){sum.x / area, sum.y / area};
    }
    return area;
}

// ---- depth --------------------------------------------------------------------------------------

// Where the ray through a place meets the front of an item: z toward the camera. A point of the ray is
// (x (1 - z / D), y (1 - z / D), z) with the place (x, y) in m at z = 0 and the distance D of the eye.
static double depth(const DrawCamera* camera, const DrawItem* item, DrawPlace at)
{
    const double x = (at.x - camera->x) / camera->scale;
    const double y = -(at.y - camera->y) / camera->scale;
    const double inverse = camera->distance > 0.0 ? 1.0 / camera->distance : 0.0;
    if (item->ball) {
        // |p + z d - c|^2 = r^2 with p = (x, y, 0), d = (-x / D, -y / D, 1)
        const double* c = item->plane[0];
        const double p[3] = {x - c[0], y - c[1], -c[2]};
        const double d[3] = {-x * inverse, -y * inverse, 1.0};
        const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double pd = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        const double pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        const double root = pd * pd - dd * (pp - c[3] * c[3]);
        return (sqrt(fmax(root, 0.0)) - pd) / dd;
    }
    double front = HUGE_VAL;
    for (int k = 0; k < item->planes; k++) {
        const double* n = item->plane[k];
        const double level = n[0] * x + n[1] * y;
        const double slope = n[2] - level * inverse;
        if (slope > 1e-9) {
            front = fmin(front, (n[3] - level) / slope);
        }
    }
    return front < HUGE_VAL ? front : item->near;
}

// ---- the list -----------------------------------------------------------------------------------

void draw_item_begin(DrawItems* items)
{
    if (items->count == items->room) {
        const int room = items->room > 0 ? 2 * items->room : 256;
        DrawItem* larger = realloc(items->item, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            items->failed = true;
            return;
        }
        items->item = larger;
        items->room = room;
    }
    items->item[items->count] = (DrawItem){.svg = items->svg.size, .window = items->window};
}

void draw_item_end(DrawItems* items, int corners, const DrawPlace* corner, int planes,
                   const double (*plane)[4], bool ball, double near)
{
    DrawPlace* hull = UT_PUSH(items->memory, DrawPlace, corners + 1);
    double(*copy)[4] = ut_arena_push(items->memory, (size_t)planes + 1, sizeof *copy);
    items->failed = items->failed || hull == NULL || copy == NULL;
    if (items->failed) {
        return;
    }
    DrawItem* item = &items->item[items->count++];
    item->svg_size = items->svg.size - item->svg;
    item->corners = draw_convex(corners, corner, hull);
    item->corner = hull;
    item->planes = planes;
    memcpy(copy, plane, (size_t)planes * sizeof *copy);
    item->plane = (const double(*)[4])copy;
    item->ball = ball;
    item->near = near;
    item->low = (DrawPlace){HUGE_VAL, HUGE_VAL};
    item->high = (DrawPlace){-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < item->corners; k++) {
        item->low.x = fmin(item->low.x, hull[k].x);
        item->low.y = fmin(item->low.y, hull[k].y);
        item->high.x = fmax(item->high.x, hull[k].x);
        item->high.y = fmax(item->high.y, hull[k].y);
    }
}

void draw_items_free(DrawItems* items)
{
    free(items->item);
    svg_free(&items->svg);
    items->item = NULL;
}

// ---- the order ----------------------------------------------------------------------------------

// Pairs of items, the first one behind the second.
typedef struct Pairs {
    int* pair;
    size_t count, room;
    bool failed;
} Pairs;

static void add_pair(Pairs* pairs, int behind, int before)
{
    if (pairs->count == pairs->room) {
        const size_t room = pairs->room > 0 ? 2 * pairs->room : 1024;
        int* larger = realloc(pairs->pair, 2 * room * sizeof *larger);
        if (larger == NULL) {
            pairs->failed = true;
            return;
        }
        pairs->pair = larger;
        pairs->room = room;
    }
    pairs->pair[2 * pairs->count] = behind;
    pairs->pair[2 * pairs->count + 1] = before;
    pairs->count++;
}

static void order_pair(const DrawItems* items, int a, int b, Pairs* pairs)
{
    const DrawItem* p = &items->item[a];
    const DrawItem* q = &items->item[b];
    DrawPlace middle = {0.0, 0.0};
    if (p->high.x <= q->low.x || q->high.x <= p->low.x || p->high.y <= q->low.y ||
        q->high.y <= p->low.y || !(overlap(p, q, &middle) > LEAST_OVERLAP)) {
        return;
    }
    const double front = depth(items->camera, p, middle) - depth(items->camera, q, middle);
    const double equal = 1e-7 / items->camera->scale;
    // of two at the same depth the later one is in front
    if (front > equal) {
        add_pair(pairs, b, a);
    } else {
        add_pair(pairs, a, b);
    }
}

typedef struct Left {
    double x;
    int item;
} Left;

static int compare_lefts(const void* a, const void* b)
{
    const Left* p = a;
    const Left* q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : p->item - q->item;
}

// Sweep from left to right over items whose bounds overlap in x.
static bool find_pairs(const DrawItems* items, Pairs* pairs)
{
    const int n = items->count;
    Left* left = malloc((size_t)n * sizeof *left + 1);
    if (left == NULL) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        left[k] = (Left){items->item[k].low.x, k};
    }
    qsort(left, (size_t)n, sizeof *left, compare_lefts);
    for (int k = 0; k < n && !pairs->failed; k++) {
        for (int j = k + 1; j < n && left[j].x < items->item[left[k].item].high.x; j++) {
            const int a = left[k].item;
            const int b = left[j].item;
            order_pair(items, a < b ? a : b, a < b ? b : a, pairs);
        }
    }
    free(left);
    return !pairs->failed;
}

// For each item the items before it, which wait for it.
typedef struct Waiting {
    int* waits;  // per item: the number of undrawn items behind it
    int* start;  // n + 1: its list begins here,
    int* before; // in this array
    bool* drawn;
} Waiting;

static bool list_waiting(int n, const Pairs* pairs, Waiting* w)
{
    *w = (Waiting){calloc((size_t)n + 1, sizeof *w->waits), calloc((size_t)n + 2, sizeof *w->start),
                   malloc((pairs->count + 1) * sizeof *w->before),
                   calloc((size_t)n + 1, sizeof *w->drawn)};
    if (w->waits == NULL || w->start == NULL || w->before == NULL || w->drawn == NULL) {
        return false;
    }
    for (size_t k = 0; k < pairs->count; k++) {
        w->start[pairs->pair[2 * k] + 2]++;
        w->waits[pairs->pair[2 * k + 1]]++;
    }
    for (int k = 0; k < n; k++) {
        w->start[k + 2] += w->start[k + 1];
    }
    // start[i + 1] is the beginning of i's list, and its end when the list is full
    for (size_t k = 0; k < pairs->count; k++) {
        w->before[w->start[pairs->pair[2 * k] + 1]++] = pairs->pair[2 * k + 1];
    }
    return true;
}

// The undrawn item that waits for the fewest items, of those the farthest one.
static int find_next(const DrawItems* items, const Waiting* w)
{
    int next = -1;
    for (int k = 0; k < items->count; k++) {
        if (!w->drawn[k] &&
            (next < 0 || w->waits[k] < w->waits[next] ||
             (w->waits[k] == w->waits[next] && items->item[k].near < items->item[next].near))) {
            next = k;
        }
    }
    return next;
}

// Draw one after the other: always the farthest of those that hide nothing undrawn.
static bool sort_items(const DrawItems* items, const Pairs* pairs, int* order)
{
    Waiting w;
    const bool good = list_waiting(items->count, pairs, &w);
    for (int done = 0; done < items->count && good; done++) {
        const int next = find_next(items, &w);
        if (next < 0) {
            break;
        }
        w.drawn[next] = true;
        order[done] = next;
        for (int k = w.start[next]; k < w.start[next + 1]; k++) {
            w.waits[w.before[k]]--;
        }
    }
    free(w.waits);
    free(w.start);
    free(w.before);
    free(w.drawn);
    return good;
}

// A wall in front of what moves is drawn as if it was of glass.
static void find_windows(DrawItems* items, const Pairs* pairs)
{
    for (size_t k = 0; k < pairs->count; k++) {
        DrawItem* before = &items->item[pairs->pair[2 * k + 1]];
        const bool hides = before->window && !items->item[pairs->pair[2 * k]].window;
        before->see_through = before->see_through || hides;
    }
}

static void write_item(const DrawItems* items, const DrawItem* item, Svg* svg)
{
    if (item->see_through) {
        svg_raw(svg, "<g fill-opacity=\"0.12\">");
    }
    svg_bytes(svg, items->svg.text + item->svg, item->svg_size);
    if (item->see_through) {
        svg_raw(svg, "</g>\n");
    }
}

utStatus draw_items_write(DrawItems* items, Svg* svg, utError* err)
{
    Pairs pairs = {0};
    int* order = calloc((size_t)items->count + 1, sizeof *order);
    const bool good = order != NULL && !items->failed && !items->svg.failed &&
                      find_pairs(items, &pairs) && sort_items(items, &pairs, order);
    if (good) {
        find_windows(items, &pairs);
    }
    for (int k = 0; k < items->count && good; k++) {
        write_item(items, &items->item[order[k]], svg);
    }
    free(order);
    free(pairs.pair);
    return good ? UT_OK : cli_no_memory("picture", err);
}
