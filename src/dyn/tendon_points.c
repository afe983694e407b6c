// SPDX-License-Identifier: Apache-2.0
// The path of a spatial tendon as points that viewers join by lines.
//
// An arc of length s from a to b on a sphere is a part of the great circle through both. On a cylinder it is a helix:
// it rises by dz while it turns by phi with (r phi)^2 + dz^2 = s^2.
#include <uptack/dyn.h>

#include "model/tendon_path.h"

enum { MOST_ARC_POINTS = 1000 }; // however small the step is

typedef struct Points {
    utTendonPoint* point;
    int max, count;
} Points;

static void add(Points* points, utVec3 point, bool first)
{
    if (points->count < points->max) {
        points->point[points->count] = (utTendonPoint){point, first};
    }
    points->count++;
}

// a turned about z by an angle, and raised
static utVec3 on_helix(utVec3 a, double angle, double rise)
{
    double s, c;
    ut_sincos(angle, &s, &c);
    return ut_vec3(c * a.x - s * a.y, s * a.x + c * a.y, a.z + rise);
}

// a turned in the plane of a and the tangent t, |t| = |a|
static utVec3 on_circle(utVec3 a, utVec3 t, double angle)
{
    double s, c;
    ut_sincos(angle, &s, &c);
    return ut_vec3_add_scaled(ut_vec3_scale(a, c), s, t);
}

// The points between a and b, which are given in the geom's frame.
static void add_arc(const utFrame at, const utModelGeom* geom, utVec3 a, utVec3 b, double arc,
                    double step, Points* points)
{
    const double r = geom->shape.size.x;
    const bool cylinder = geom->shape.kind == UT_SHAPE_CYLINDER;
    const double rise = cylinder ? b.z - a.z : 0.0;
    const double angle = sqrt(fmax(0.0, arc * arc - rise * rise)) / r;
    const double wanted = ceil(angle / step);
    const int pieces = wanted < MOST_ARC_POINTS ? (int)wanted : MOST_ARC_POINTS;
    const utVec3 up =
        ut_vec3_add_scaled(b, -ut_vec3_dot(a, b) / ut_vec3_dot(a, a), a); // of b, across a
    const double across = ut_vec3_norm(up);
    // beyond half a turn the arc leaves a away from b
    const double away = angle > 3.14159265358979323846 ? -1.0 : 1.0;
    const utVec3 t = across > 0.0 ? ut_vec3_scale(up, away * r / across) : ut_vec3_zero();
    // the turn about z that leads from a to b
    const double sign = (a.x * b.y - a.y * b.x) * away >= 0.0 ? 1.0 : -1.0;
    for (int k = 1; k < pieces; k++) {
        const double part = (double)k / pieces;
        const utVec3 p = cylinder ? on_helix(a, sign * part * angle, part * rise)
                                  : on_circle(a, t, part * angle);
        add(points, ut_frame_point(at, p), false);
    }
}

int ut_tendon_path(const utKinematics* kin, int tendon, double arc_step, int max,
                   utTendonPoint* point)
{
    const utModel* model = kin->model;
    const utModelTendon* t = &model->tendon[tendon];
    Points points = {point, max, 0};
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    int end = -1; // element where the piece before ended
    while (t->kind == UT_TENDON_SPATIAL &&
           ut_tendon_next_piece(model, t, kin->body, &walk, &piece)) {
        const int begin = walk.at - (t->wrap[walk.at - 1].kind == UT_WRAP_GEOM ? 2 : 1);
        if (begin != end) {
            add(&points, piece.segment[0].point[0], true);
        }
        if (piece.geom >= 0) {
            const utModelGeom* geom = &model->geom[piece.geom];
            const utFrame at = ut_geom_frame(kin, piece.geom);
            const utVec3 a = piece.segment[0].point[1], b = piece.segment[1].point[0];
            add(&points, a, false);
            add_arc(at, geom, ut_frame_point_inverse(at, a), ut_frame_point_inverse(at, b),
                    piece.arc, arc_step, &points);
            add(&points, b, false);
        }
        add(&points, piece.segment[piece.segments - 1].point[1], false);
        end = walk.at;
    }
    return points.count;
}
