// SPDX-License-Identifier: Apache-2.0
// Clip a face of one box to the sides of a face of another (Sutherland and Hodgman, 1974).
//
// Each corner of the polygon stores the feature of the edge that leaves it: a side of the clipped
// face, or a side of the clipping face. The features of a corner are those of its two edges: two
// edges of the second box give its vertex, two edges of the first box give its vertex, one of each
// a crossing. So the features do not depend on which face clips the other.
#include "box_face_clip.h"

typedef struct Corner {
    double x[3];
    int side; // digit of the neighbouring face across the leaving edge; negative: of the first box
} Corner;

typedef struct Polygon {
    int count;
    Corner corner[12];
} Polygon;

// Axis of the face of the second box that faces the first box's face most directly.
static int facing_axis(const BoxPair* pair, int axis)
{
    int facing = 0;
    for (int j = 1; j < 3; j++) {
        const double difference = fabs(pair->C[axis][j]) - fabs(pair->C[axis][facing]);
        facing = difference > UT_GAP_TIE ? j : facing;
    }
    return facing;
}

static void second_face(const BoxPair* pair, int j, double sign, Polygon* polygon)
{
    const int u = (j + 1) % 3, v = (j + 2) % 3;
    Corner* corner = polygon->corner;
    polygon->count = 4;
    for (int i = 0; i < 3; i++) {
        const double middle = pair->t[i] + sign * pair->b[j] * pair->C[i][j];
        const double along_u = pair->b[u] * pair->C[i][u], along_v = pair->b[v] * pair->C[i][v];
        corner[0].x[i] = middle + (along_u + along_v);
        corner[1].x[i] = middle + (along_v - along_u);
        corner[2].x[i] = middle - (along_u + along_v);
        corner[3].x[i] = middle + (along_u - along_v);
    }
    // the edge to the next corner keeps v for even corners and u for odd ones
    corner[0].side = ut_box_digit(v, 1.0);
    corner[1].side = ut_box_digit(u, -1.0);
    corner[2].side = ut_box_digit(v, -1.0);
    corner[3].side = ut_box_digit(u, 1.0);
}

// How far each corner is beyond the plane sign x_j = limit. @return is one of them beyond?
static bool measure(const Polygon* polygon, int j, double sign, double limit, double slop,
                    double beyond[12])
{
    bool any = false;
    for (int k = 0; k < polygon->count; k++) {
        beyond[k] = sign * polygon->corner[k].x[j] - limit;
        any |= !(beyond[k] <= slop);
    }
    return any;
}

// Intersection of the edge p q with the plane that p and q are gp and gq beyond.
static void cross(const Corner* p, const Corner* q, double gp, double gq, Corner* corner)
{
    const double ratio = gp / (gp - gq);
    const double fraction = ratio > 0.0 ? (ratio < 1.0 ? ratio : 1.0) : 0.0;
    for (int i = 0; i < 3; i++) {
        corner->x[i] = p->x[i] + fraction * (q->x[i] - p->x[i]);
    }
}

static void clip(const Polygon* polygon, const double beyond[12], int face, double slop,
                 Polygon* kept)
{
    kept->count = 0;
    for (int k = 0; k < polygon->count; k++) {
        const int next = k + 1 < polygon->count ? k + 1 : 0;
        const Corner* p = &polygon->corner[k];
        const bool p_in = beyond[k] <= slop, q_in = beyond[next] <= slop;
        if (p_in) {
            kept->corner[kept->count++] = *p;
        }
        if (p_in != q_in) {
            // leaving, the next edge is the clipping side; entering, it is still p's edge
            Corner* corner = &kept->corner[kept->count++];
            cross(p, &polygon->corner[next], beyond[k], beyond[next], corner);
            corner->side = p_in ? -face : p->side;
        }
    }
}

// The face of the second box, clipped to the four sides of the first box's face.
static const Polygon* clip_to_sides(const BoxPair* pair, int axis, Polygon work[2])
{
    const double slop = UT_FEATURE_SLOP * pair->size;
    double beyond[12];
    int now = 0;
    for (int side = 0; side < 4; side++) {
        const int i = (axis + 1 + side / 2) % 3;
        const double s = side % 2 == 0 ? -1.0 : 1.0;
        if (measure(&work[now], i, s, pair->a[i], slop, beyond)) {
            clip(&work[now], beyond, ut_box_digit(i, s), slop, &work[1 - now]);
            now = 1 - now;
        }
    }
    return &work[now];
}

void ut_clip_faces(const BoxPair* pair, int axis, double sign, BoxPoints* points)
{
    const int j = facing_axis(pair, axis);
    const double down = sign * pair->C[axis][j] > 0.0 ? -1.0 : 1.0;
    Polygon work[2];
    second_face(pair, j, down, &work[0]);
    const Polygon* polygon = clip_to_sides(pair, axis, work);
    double normal[3] = {0.0, 0.0, 0.0};
    normal[axis] = sign;
    ut_box_points_begin(points, normal);
    const int face_a = ut_box_digit(axis, sign), face_b = ut_box_digit(j, down);
    int in = polygon->count > 0 ? polygon->corner[polygon->count - 1].side : 0;
    for (int k = 0; k < polygon->count && points->count < 8; k++) {
        const Corner* corner = &polygon->corner[k];
        const int out = corner->side;
        BoxPoint* point = &points->item[points->count++];
        point->x[0] = corner->x[0];
        point->x[1] = corner->x[1];
        point->x[2] = corner->x[2];
        point->gap = sign * corner->x[axis] - pair->a[axis];
        point->feature_a = face_a + (in < 0 ? -in : 0) + (out < 0 ? -out : 0);
        point->feature_b = face_b + (in > 0 ? in : 0) + (out > 0 ? out : 0);
        point->x[axis] = sign * pair->a[axis];
        in = out;
    }
}
