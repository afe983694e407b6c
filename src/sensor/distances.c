// SPDX-License-Identifier: Apache-2.0
// Sensors of distances: rays, gaps of geoms, points within the volume of a site.
#include "internal.h"

#include <uptack/collision.h>

// ---- rays ---------------------------------------------------------------------------------------

// The nearest geom along the z axis of a site. Geoms of the site's own body are transparent.
static double read_range(const utKinematics* kin, int site)
{
    const utModel* model = kin->model;
    const utFrame at = ut_sensor_frame(kin, UT_OBJECT_SITE, site);
    const utVec3 direction = ut_mat3_column(at.R, 2);
    double nearest = HUGE_VAL;
    for (int g = 0; g < model->ngeom; g++) {
        utRayHit hit;
        if (model->geom[g].body != model->site[site].body &&
            ut_ray(&model->geom[g].shape, ut_geom_frame(kin, g), at.p, direction, nearest, &hit) &&
            hit.distance < nearest) {
            nearest = hit.distance;
        }
    }
    return nearest < HUGE_VAL ? nearest : -1.0;
}

// ---- gaps ---------------------------------------------------------------------------------------

// The geoms of an object, which follow each other.
typedef struct Geoms {
    int first, count;
} Geoms;

static Geoms geoms_of(const utModel* model, utObjectKind kind, int index)
{
    return kind == UT_OBJECT_GEOM ? (Geoms){index, 1}
                                  : (Geoms){model->body[index].geom, model->body[index].geoms};
}

// The gap of the nearest pair of geoms of both sides. It is infinite when none is measured: one of two
// geoms must be convex.
static utGap find_gap(const utKinematics* kin, const utModelSensor* s)
{
    const utModel* model = kin->model;
    const Geoms a = geoms_of(model, s->object, s->index);
    const Geoms b = geoms_of(model, s->reference, s->reference_index);
    utGap nearest = {.gap = HUGE_VAL};
    for (int i = a.first; i < a.first + a.count; i++) {
        for (int j = b.first; j < b.first + b.count; j++) {
            utGap gap;
            if (ut_gap_within(&model->geom[i].shape, ut_geom_frame(kin, i), &model->geom[j].shape,
                              ut_geom_frame(kin, j), s->cutoff, &gap) == UT_OK &&
                gap.gap < nearest.gap) {
                nearest = gap;
            }
        }
    }
    return nearest;
}

static void read_gap(const utKinematics* kin, const utModelSensor* s, double* x)
{
    const utGap gap = find_gap(kin, s);
    const bool within = gap.gap < s->cutoff;
    for (int k = 0; k < s->dim; k++) {
        x[k] = 0.0;
    }
    if (s->kind == UT_SENSOR_DISTANCE) {
        x[0] = within ? gap.gap : s->cutoff;
    } else if (within && s->kind == UT_SENSOR_NORMAL) {
        // from point to point, which is against the normal in an overlap
        ut_sensor_store(gap.gap < 0.0 ? ut_vec3_negate(gap.normal) : gap.normal, x);
    } else if (within) {
        ut_sensor_store(gap.on_a, x);
        ut_sensor_store(gap.on_b, x + 3);
    }
}

// ---- volumes ------------------------------------------------------------------------------------

// Is a point, in the shape's frame, within the shape?
static bool is_within(const utShape* shape, utVec3 p)
{
    const utVec3 size = shape->size;
    const double axial = fabs(p.z) - size.y; // beyond the end of the axis of a capsule or cylinder
    const double around = sqrt(p.x * p.x + p.y * p.y);
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(p) <= size.x;
    case UT_SHAPE_CAPSULE:
        return (axial > 0.0 ? sqrt(around * around + axial * axial) : around) <= size.x;
    case UT_SHAPE_CYLINDER:
        return around <= size.x && axial <= 0.0;
    case UT_SHAPE_ELLIPSOID:
        return ut_vec3_norm(ut_vec3(p.x / size.x, p.y / size.y, p.z / size.z)) <= 1.0;
    default: // a box
        return fabs(p.x) <= size.x && fabs(p.y) <= size.y && fabs(p.z) <= size.z;
    }
}

void ut_sensor_read_distance(const SensorView* view, const utModelSensor* s, double* x)
{
    const utKinematics* kin = view->state->kin;
    if (s->kind == UT_SENSOR_RANGEFINDER) {
        x[0] = read_range(kin, s->index);
    } else if (s->kind == UT_SENSOR_INSIDE_SITE) {
        const utFrame site = ut_sensor_frame(kin, UT_OBJECT_SITE, s->reference_index);
        const utVec3 p = ut_sensor_frame(kin, s->object, s->index).p;
        const utShape* shape = &view->model->site[s->reference_index].shape;
        x[0] = is_within(shape, ut_mat3_tmul_vec(site.R, ut_vec3_sub(p, site.p))) ? 1.0 : 0.0;
    } else {
        read_gap(kin, s, x);
    }
}
