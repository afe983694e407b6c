// Clipping the face of one box to the sides of a face of another (Sutherland and Hodgman, 1974).
//
// Each corner of the polygon carries the name of the edge that leaves it: a side of the face that
// is clipped, or one of the face that clips. A corner's features are those of the two edges that
// meet there: two of the second box make its vertex, two of the first box its vertex, one of each a
// crossing. So they do not depend on which face clips which.
#include "collision/clip.h"

#include <string.h>

typedef struct Corner {
    double x[3];
    int side;    // digit of the neighbouring face behind the leaving edge
    bool second; // that face is one of the second brick
} Corner;

typedef struct Polygon {
    int count;
    Corner corner[12];
} Polygon;

// the face of the second brick that looks against the normal most
static int facing_axis(const Bricks* pair, int axis)
{
    int facing = 0;
    for (int j = 1; j < 3; j++) {
        const double more = fabs(pair->C[axis][j]) - fabs(pair->C[axis][facing]);
        facing = more > UT_GAP_BIAS ? j : facing;
    }
    return facing;
}

static void second_face(const Bricks* pair, int j, double sign, Polygon* polygon)
{
    const int u = (j + 1) % 3, v = (j + 2) % 3;
    static const double su[4] = {1.0, -1.0, -1.0, 1.0}, sv[4] = {1.0, 1.0, -1.0, -1.0};
    polygon->count = 4;
    for (int k = 0; k < 4; k++) {
        Corner* corner = &polygon->corner[k];
        for (int i = 0; i < 3; i++) {
            const double across =
                su[k] * pair->b[u] * pair->C[i][u] + sv[k] * pair->b[v] * pair->C[i][v];
            corner->x[i] = pair->t[i] + sign * pair->b[j] * pair->C[i][j] + across;
        }
        // the edge to the next corner keeps v on even turns and u on odd ones
        corner->side = k % 2 == 0 ? ut_digit(v, sv[k]) : ut_digit(u, su[k]);
        corner->second = true;
    }
}

// where the edge from p to q passes the plane sign x_j = limit
static Corner crossing(const Corner* p, const Corner* q, int j, double sign, double limit)
{
    const double gp = sign * p->x[j] - limit, gq = sign * q->x[j] - limit;
    const double share = ut_clamp(gp / (gp - gq), 1.0);
    Corner corner = *p;
    for (int i = 0; i < 3; i++) {
        corner.x[i] += (share > 0.0 ? share : 0.0) * (q->x[i] - p->x[i]);
    }
    return corner;
}

static void clip(Polygon* polygon, int j, double sign, double limit, double slop)
{
    Polygon kept;
    kept.count = 0;
    for (int k = 0; k < polygon->count; k++) {
        const Corner* p = &polygon->corner[k];
        const Corner* q = &polygon->corner[(k + 1) % polygon->count];
        const bool p_in = sign * p->x[j] <= limit + slop, q_in = sign * q->x[j] <= limit + slop;
        if (p_in) {
            kept.corner[kept.count++] = *p;
        }
        if (p_in != q_in) {
            // going out the polygon turns into the side, coming in it goes on along p's edge
            Corner* corner = &kept.corner[kept.count++];
            *corner = crossing(p, q, j, sign, limit);
            corner->side = p_in ? ut_digit(j, sign) : p->side;
            corner->second = p_in ? false : p->second;
        }
    }
    polygon->count = kept.count;
    memcpy(polygon->corner, kept.corner, (size_t)kept.count * sizeof *kept.corner);
}

static bool needs_clip(const Polygon* polygon, int j, double sign, double most)
{
    for (int k = 0; k < polygon->count; k++) {
        if (!(sign * polygon->corner[k].x[j] <= most)) {
            return true;
        }
    }
    return false;
}

void ut_clip_faces(const Bricks* pair, int axis, double sign, Spots* spots)
{
    const int j = facing_axis(pair, axis);
    const double down = sign * pair->C[axis][j] > 0.0 ? -1.0 : 1.0;
    Polygon polygon;
    second_face(pair, j, down, &polygon);
    const double slop = UT_SLOP * pair->size;
    for (int side = 0; side < 4; side++) {
        const int i = (axis + 1 + side / 2) % 3;
        const double s = side % 2 == 0 ? -1.0 : 1.0;
        if (needs_clip(&polygon, i, s, pair->a[i] + slop)) {
            clip(&polygon, i, s, pair->a[i], slop);
        }
    }

    double normal[3] = {0.0, 0.0, 0.0};
    normal[axis] = sign;
    ut_spots_begin(spots, normal);
    for (int k = 0; k < polygon.count && spots->count < 8; k++) {
        const Corner* corner = &polygon.corner[k];
        const Corner* before = &polygon.corner[(k + polygon.count - 1) % polygon.count];
        Spot* spot = &spots->spot[spots->count++];
        *spot = (Spot){{corner->x[0], corner->x[1], corner->x[2]},
                       0.0,
                       ut_digit(axis, sign),
                       ut_digit(j, down)};
        spot->fa += (before->second ? 0 : before->side) + (corner->second ? 0 : corner->side);
        spot->fb += (before->second ? before->side : 0) + (corner->second ? corner->side : 0);
        spot->gap = sign * corner->x[axis] - pair->a[axis];
        spot->point[axis] = sign * pair->a[axis];
    }
}
