// SPDX-License-Identifier: Apache-2.0
// Figures of the plane and an independent judge of their gaps, in long double and by trying
// everything.
//
// For a unit direction n let apart(n) = min over b of n.x - max over a of n.x. The signed gap of
// two convex figures is the largest apart(n) of all n. Of two polygons that overlap it is taken at
// a side's normal; of two that do not it is the least distance of a corner from a side.
#ifndef TEST_COLLISION_FLAT_FORMS_H
#define TEST_COLLISION_FLAT_FORMS_H

#include <math.h>
#include <string.h>
#include <uptack/flat.h>

#include "test.h"

enum { JUDGE_MAX = 1000 };

typedef struct Long2 {
    long double x, y;
} Long2;

// corners in the world of a figure without its radius
typedef struct Outline {
    int count;
    Long2 corner[JUDGE_MAX];
    long double radius;
} Outline;

static inline utFlatFrame turned(double x, double y, double angle)
{
    return (utFlatFrame){{x, y}, cos(angle), sin(angle)};
}

static inline Long2 long2(double x, double y)
{
    return (Long2){(long double)x, (long double)y};
}

static inline Long2 placed(utFlatFrame at, double x, double y)
{
    const Long2 p = long2(at.position.x, at.position.y), turn = long2(at.cosine, at.sine);
    const Long2 q = long2(x, y);
    return (Long2){p.x + turn.x * q.x - turn.y * q.y, p.y + turn.y * q.x + turn.x * q.y};
}

static inline void outline(const utFlatShape* shape, utFlatFrame at, Outline* out)
{
    const double w = shape->size.x, h = shape->size.y;
    out->radius = 0.0L;
    if (shape->kind == UT_FLAT_CIRCLE) {
        out->count = 1;
        out->radius = (long double)w;
        out->corner[0] = placed(at, 0.0, 0.0);
    } else if (shape->kind == UT_FLAT_CAPSULE) {
        out->count = 2;
        out->radius = (long double)w;
        out->corner[0] = placed(at, -h, 0.0);
        out->corner[1] = placed(at, h, 0.0);
    } else if (shape->kind == UT_FLAT_RECTANGLE) {
        static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        out->count = 4;
        for (int i = 0; i < 4; i++) {
            out->corner[i] = placed(at, sign[i][0] * w, sign[i][1] * h);
        }
    } else {
        out->count = shape->corners;
        for (int i = 0; i < shape->corners; i++) {
            out->corner[i] = placed(at, shape->corner[i].x, shape->corner[i].y);
        }
    }
}

static inline long double apart(const Outline* a, const Outline* b, Long2 n)
{
    long double least = HUGE_VALL, most = -HUGE_VALL;
    for (int i = 0; i < b->count; i++) {
        least = fminl(least, n.x * b->corner[i].x + n.y * b->corner[i].y);
    }
    for (int i = 0; i < a->count; i++) {
        most = fmaxl(most, n.x * a->corner[i].x + n.y * a->corner[i].y);
    }
    return least - most;
}

// the largest apart(n) of the normals of a's sides (sign 1) or b's (sign -1)
static inline long double apart_at_sides(const Outline* a, const Outline* b, const Outline* sides,
                                         long double sign)
{
    long double best = -HUGE_VALL;
    for (int i = 0; sides->count > 1 && i < sides->count; i++) {
        const Long2 p = sides->corner[i], q = sides->corner[(i + 1) % sides->count];
        const long double dx = q.x - p.x, dy = q.y - p.y, length = sqrtl(dx * dx + dy * dy);
        if (length > 0.0L) {
            best = fmaxl(best, apart(a, b, (Long2){sign * dy / length, -sign * dx / length}));
        }
    }
    return best;
}

static inline long double point_to_side(Long2 x, Long2 p, Long2 q)
{
    const long double dx = q.x - p.x, dy = q.y - p.y, square = dx * dx + dy * dy;
    long double u = square > 0.0L ? ((x.x - p.x) * dx + (x.y - p.y) * dy) / square : 0.0L;
    u = fminl(fmaxl(u, 0.0L), 1.0L);
    const long double ex = x.x - p.x - u * dx, ey = x.y - p.y - u * dy;
    return sqrtl(ex * ex + ey * ey);
}

static inline long double corners_to_sides(const Outline* a, const Outline* b)
{
    long double least = HUGE_VALL;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            least = fminl(least,
                          point_to_side(a->corner[i], b->corner[j], b->corner[(j + 1) % b->count]));
        }
    }
    return least;
}

// The signed gap without the radii. Of points and segments those on one line stand apart though no
// side's normal shows it: they overlap only where they cross.
static inline long double core_gap(const Outline* a, const Outline* b)
{
    const long double s = fmaxl(apart_at_sides(a, b, a, 1.0L), apart_at_sides(a, b, b, -1.0L));
    const long double d = fminl(corners_to_sides(a, b), corners_to_sides(b, a));
    if (a->count > 2 || b->count > 2) {
        return s > 0.0L ? d : s;
    }
    long double most = s;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) {
            const long double dx = b->corner[j].x - a->corner[i].x;
            const long double dy = b->corner[j].y - a->corner[i].y;
            const long double length = sqrtl(dx * dx + dy * dy);
            const long double here =
                length > 0.0L ? apart(a, b, (Long2){dx / length, dy / length}) : 0.0L;
            most = fmaxl(most, here);
        }
    }
    return most;
}

static inline double judged_gap(const utFlatShape* a, utFlatFrame A, const utFlatShape* b,
                                utFlatFrame B)
{
    static Outline oa, ob;
    outline(b, B, &ob);
    if (a->kind == UT_FLAT_HALFPLANE) {
        const Long2 p = long2(A.position.x, A.position.y);
        oa = (Outline){.count = 1, .corner = {p}};
        return (double)(apart(&oa, &ob, long2(-A.sine, A.cosine)) - ob.radius);
    }
    outline(a, A, &oa);
    return (double)(core_gap(&oa, &ob) - oa.radius - ob.radius);
}

// signed distance of a point from a figure
static inline double off_figure(const utFlatShape* shape, utFlatFrame at, utVec2 x)
{
    const utFlatShape point = ut_flat_shape(UT_FLAT_CIRCLE, 0.0, 0.0);
    return judged_gap(shape, at, &point, (utFlatFrame){x, 1.0, 0.0});
}

static inline double flat_reach(const utFlatShape* s)
{
    double reach = 0.0;
    for (int i = 0; s->kind == UT_FLAT_POLYGON && i < s->corners; i++) {
        reach = fmax(reach, hypot(s->corner[i].x, s->corner[i].y));
    }
    return s->kind == UT_FLAT_HALFPLANE || s->kind == UT_FLAT_POLYGON ? reach
                                                                      : s->size.x + s->size.y;
}

// corners on an ellipse, in order
static inline utFlatShape random_polygon(utRng* rng, int corners, double width, double height,
                                         utVec2* corner)
{
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < corners; i++) {
        const double angle = 2.0 * pi * (i + 0.8 * ut_rng_uniform(rng)) / corners;
        corner[i] = ut_vec2(width * cos(angle), height * sin(angle));
    }
    return ut_flat_polygon(corners, corner);
}

static inline int least_gap(const utFlatTouch* touch, int count)
{
    return count == 2 && touch[1].gap < touch[0].gap ? 1 : 0;
}

static inline bool same_exchanged(const utFlatTouch* x, int count, const utFlatTouch* y,
                                  int y_count)
{
    bool same = count == y_count;
    for (int i = 0; i < count && same; i++) {
        const uint64_t feature = x[i].feature << 32 | x[i].feature >> 32;
        const utFlatTouch* z = y_count == 2 && y[1].feature == feature ? &y[1] : &y[0];
        same = z->feature == feature && z->normal.x == -x[i].normal.x &&
               z->normal.y == -x[i].normal.y && memcmp(&z->gap, &x[i].gap, sizeof z->gap) == 0 &&
               memcmp(&z->point, &x[i].point, sizeof z->point) == 0;
    }
    return same;
}

#endif
