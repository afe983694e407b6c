// SPDX-License-Identifier: Apache-2.0
// The camera: by default it looks at the moving bodies, in a planar world along its normal, in space
// from the side on which most of the motion is seen, a little from above.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TIME = 16.0; // room for the time at the top, px
static const double PI = 3.14159265358979323846;
static const double PATHS = 2.0; // paths are shown whole if the picture grows by less than this
static const double FLOOR = 0.6; // floors within this part of the size below the bodies are shown
static const double FIXED =
    2.5; // fixed geoms are shown whole if the picture grows by less than this

// ---- seeing -------------------------------------------------------------------------------------

DrawSeen draw_see(const DrawCamera* camera, utVec3 point)
{
    const utVec3 d = ut_vec3_sub(point, camera->at);
    return ut_vec3(ut_vec3_dot(d, camera->right), ut_vec3_dot(d, camera->up),
                   ut_vec3_dot(d, camera->toward));
}

double draw_scale_at(const DrawCamera* camera, DrawSeen seen)
{
    if (!(camera->distance > 0.0)) {
        return camera->scale;
    }
    // points beside or behind the eye are drawn as if they were just before it
    const double depth = fmax(camera->distance - seen.z, 0.05 * camera->distance);
    return camera->scale * camera->distance / depth;
}

DrawPlace draw_place_seen(const DrawCamera* camera, DrawSeen seen)
{
    const double scale = draw_scale_at(camera, seen);
    return (DrawPlace){camera->x + scale * seen.x, camera->y - scale * seen.y};
}

DrawPlace draw_place(const DrawCamera* camera, utVec3 point)
{
    return draw_place_seen(camera, draw_see(camera, point));
}

// ---- directions ---------------------------------------------------------------------------------

utVec3 draw_up(const utModel* model)
{
    const utVec3 g = model->options.gravity;
    const double size[3] = {fabs(g.x), fabs(g.y), fabs(g.z)};
    if (size[1] > size[0] && size[1] > size[2]) {
        return ut_vec3(0.0, g.y > 0.0 ? -1.0 : 1.0, 0.0);
    }
    if (size[0] > size[2]) {
        return ut_vec3(g.x > 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    }
    return ut_vec3(0.0, 0.0, g.z > 0.0 ? -1.0 : 1.0);
}

// The horizontal axes of azimuths 0 and 90 degrees.
static void horizontal(utVec3 up, utVec3* e1, utVec3* e2)
{
    *e1 = fabs(up.x) > 0.5 ? ut_vec3(0.0, 1.0, 0.0) : ut_vec3(1.0, 0.0, 0.0);
    *e2 = ut_vec3_cross(up, *e1);
}

static void aim(DrawCamera* camera, utVec3 up, double azimuth, double elevation)
{
    utVec3 e1, e2;
    horizontal(up, &e1, &e2);
    const double a = azimuth * PI / 180.0;
    const double e = elevation * PI / 180.0;
    const utVec3 level = ut_vec3_add_scaled(ut_vec3_scale(e1, ut_cos(a)), ut_sin(a), e2);
    camera->toward = ut_vec3_add_scaled(ut_vec3_scale(level, ut_cos(e)), ut_sin(e), up);
    camera->right = ut_vec3_add_scaled(ut_vec3_scale(e1, -ut_sin(a)), ut_cos(a), e2);
    camera->up = ut_vec3_cross(camera->toward, camera->right);
}

// ---- bounds -------------------------------------------------------------------------------------

static DrawBox empty_box(void)
{
    return (DrawBox){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
}

static void widen(DrawBox* box, double x, double y, double r)
{
    box->low[0] = fmin(box->low[0], x - r);
    box->low[1] = fmin(box->low[1], y - r);
    box->high[0] = fmax(box->high[0], x + r);
    box->high[1] = fmax(box->high[1], y + r);
}

static double size_of(const DrawBox* box)
{
    return fmax(box->high[0] - box->low[0], box->high[1] - box->low[1]);
}

// A point in m at the depth of the middle.
static void widen_by_point(DrawBox* box, const DrawCamera* camera, utVec3 point, double r)
{
    const DrawSeen seen = draw_see(camera, point);
    const double s = draw_scale_at(camera, seen) / camera->scale;
    widen(box, s * seen.x, s * seen.y, s * r);
}

static void widen_by_geom(DrawBox* box, const DrawCamera* camera, const utKinematics* kin, int geom)
{
    const utShape* shape = &kin->model->geom[geom].shape;
    const utFrame at = ut_geom_frame(kin, geom);
    if (shape->kind == UT_SHAPE_SPHERE) {
        widen_by_point(box, camera, at.p, shape->size.x);
        return;
    }
    // the corners of the bounding box in the geom's frame
    const utBounds b = ut_shape_bounds(shape, ut_frame_identity());
    for (int k = 0; k < 8; k++) {
        const utVec3 corner =
            ut_vec3((k & 1) != 0 ? b.high.x : b.low.x, (k & 2) != 0 ? b.high.y : b.low.y,
                    (k & 4) != 0 ? b.high.z : b.low.z);
        widen_by_point(box, camera, ut_frame_point(at, corner), 0.0);
    }
}

// Everything that moves, at one moment.
static void widen_by_moment(DrawBox* box, const DrawCamera* camera, const utKinematics* kin)
{
    const utModel* model = kin->model;
    enum { ENDS = 64 };
    utVec3 end[ENDS];
    for (int g = 0; g < model->ngeom; g++) {
        if (model->geom[g].shape.kind != UT_SHAPE_PLANE &&
            draw_is_moving(model, model->geom[g].body)) {
            widen_by_geom(box, camera, kin, g);
        }
    }
    for (int b = 1; b < model->nbody; b++) {
        if (draw_is_moving(model, b) && model->body[b].geoms == 0) {
            const int ends = draw_bar_ends(kin, b, end, ENDS);
            for (int k = 0; k < ends; k++) {
                widen_by_point(box, camera, end[k], 0.0);
            }
            widen_by_point(box, camera, kin->com[b], 0.0);
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const utJointKind kind = model->joint[j].kind;
        if (kind == UT_JOINT_HINGE || kind == UT_JOINT_BALL) {
            widen_by_point(box, camera, kin->anchor[j], 0.0);
        }
    }
}

// Fixed geoms, as long as they do not dwarf the moving bodies; floors below them.
static void widen_by_fixed(DrawBox* box, const DrawCamera* camera, const utKinematics* kin,
                           bool fixed)
{
    const utModel* model = kin->model;
    const DrawBox moving = *box;
    const double size = size_of(&moving);
    for (int g = 0; g < model->ngeom; g++) {
        if (draw_is_moving(model, model->geom[g].body)) {
            continue;
        }
        DrawBox with = *box;
        if (model->geom[g].shape.kind == UT_SHAPE_PLANE) {
            // the foot of the middle on the plane
            const utFrame at = ut_geom_frame(kin, g);
            const utVec3 n = ut_mat3_column(at.R, 2);
            const double far = ut_vec3_dot(ut_vec3_sub(camera->at, at.p), n);
            widen_by_point(&with, camera, ut_vec3_add_scaled(camera->at, -far, n), 0.0);
            if (size_of(&with) <= (1.0 + FLOOR) * size) {
                *box = with;
            }
        } else if (fixed) {
            widen_by_geom(&with, camera, kin, g);
            if (size_of(&with) <= FIXED * size || !(size > 0.0)) {
                *box = with;
            }
        }
    }
}

static void place(const DrawTrace* trace, int k, utKinematics* kin)
{
    const DrawMoment* m = &trace->moment[k];
    ut_kinematics_place(kin, m->q, m->mocap_pos, m->mocap_quat);
}

// Paths up to the last moment, as long as they do not dwarf the bodies.
static void widen_by_paths(DrawBox* box, const DrawTrace* trace, const DrawCamera* camera)
{
    const utModel* model = trace->model;
    const double last = trace->moment[trace->moments - 1].time;
    DrawBox with = *box;
    for (int k = 0; k < trace->points && trace->time[k] <= last + 1e-9; k++) {
        for (int b = 1; b < model->nbody; b++) {
            if (model->body[b].tree >= 0) {
                widen_by_point(&with, camera,
                               trace->position[(size_t)k * (size_t)model->nbody + (size_t)b], 0.0);
            }
        }
    }
    if (size_of(&with) <= PATHS * size_of(box)) {
        *box = with;
    }
}

// @param parts of the picture: geoms that do not move, and paths, if they are drawn
static DrawBox bounds(const DrawTrace* trace, const DrawCamera* camera, utKinematics* kin,
                      unsigned parts)
{
    DrawBox box = empty_box();
    for (int k = 0; k < trace->moments; k++) {
        place(trace, k, kin);
        widen_by_moment(&box, camera, kin);
    }
    if (!(size_of(&box) >= 0.0)) {
        widen(&box, 0.0, 0.0, 0.5);
    }
    if (trace->moments > 0 && (parts & 1u << DRAW_PATHS) != 0) {
        widen_by_paths(&box, trace, camera);
    }
    if (trace->moments > 0) {
        widen_by_fixed(&box, camera, kin, (parts & 1u << DRAW_FIXED) != 0);
    }
    // a single particle has no size
    if (!(size_of(&box) > 1e-9)) {
        widen(&box, box.low[0], box.low[1], 0.25);
    }
    return box;
}

// ---- the default view ---------------------------------------------------------------------------

// Look along the axis across which bodies extend least.
static double default_azimuth(const DrawTrace* trace, utVec3 up, utKinematics* kin)
{
    DrawCamera above = {.scale = 1.0, .toward = up};
    horizontal(up, &above.right, &above.up);
    DrawBox box = empty_box();
    for (int k = 0; k < trace->moments; k++) {
        place(trace, k, kin);
        widen_by_moment(&box, &above, kin);
    }
    const double wide = box.high[0] - box.low[0];
    const double deep = box.high[1] - box.low[1];
    return deep > 1.3 * wide ? -22.0 : -62.0;
}

static utStatus look_at(const DrawTrace* trace, const char* text, utKinematics* kin, utVec3* at,
                        utError* err)
{
    double number[3];
    const char* from = text;
    int found = 0;
    char part[64];
    while (found < 3) {
        const size_t size = strcspn(from, ",");
        snprintf(part, sizeof part, "%.*s", (int)size, from);
        if (!cli_parse_number(part, &number[found])) {
            break;
        }
        found++;
        if (from[size] == '\0') {
            break;
        }
        from += size + 1;
    }
    if (found == 3) {
        *at = ut_vec3(number[0], number[1], number[2]);
        return UT_OK;
    }
    const int body = ut_model_find_body(trace->model, text);
    if (body < 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "--look-at %.80s: there is no such body; X,Y,Z gives a point", text);
    }
    place(trace, trace->moments - 1, kin);
    *at = kin->com[body];
    return UT_OK;
}

// Move `at` to the middle of the bounds.
static void center(DrawCamera* camera, const DrawBox* box)
{
    camera->at = ut_vec3_add_scaled(camera->at, 0.5 * (box->low[0] + box->high[0]), camera->right);
    camera->at = ut_vec3_add_scaled(camera->at, 0.5 * (box->low[1] + box->high[1]), camera->up);
}

utStatus draw_camera_fit(const DrawTrace* trace, const DrawOptions* o, unsigned parts, double width,
                         double max_height, utKinematics* kin, DrawCamera* camera, double* height,
                         utError* err)
{
    const utModel* model = trace->model;
    const utVec3 up = draw_up(model);
    *camera = (DrawCamera){.scale = 1.0, .flat = model->options.planar != UT_PLANAR_NONE};
    if (camera->flat && !o->has_view) {
        const utPlane plane = ut_plane(model->options.planar);
        camera->right = plane.x;
        camera->up = plane.y;
        camera->toward = plane.normal;
    } else {
        camera->flat = false;
        aim(camera, up, o->has_view ? o->azimuth : default_azimuth(trace, up, kin),
            o->has_view ? o->elevation : 18.0);
    }
    // begin with the mean of the first moment, so that the distance of the eye is measured from there
    place(trace, 0, kin);
    utVec3 mean = ut_vec3_zero();
    int bodies = 0;
    for (int b = 1; b < model->nbody; b++) {
        if (draw_is_moving(model, b)) {
            mean = ut_vec3_add(mean, kin->com[b]);
            bodies++;
        }
    }
    camera->at = bodies > 0 ? ut_vec3_scale(mean, 1.0 / bodies) : mean;
    if (o->look_at != NULL) {
        UT_TRY(look_at(trace, o->look_at, kin, &camera->at, err));
    }
    DrawBox box = bounds(trace, camera, kin, parts);
    for (int pass = 0; pass < 3; pass++) {
        if (o->perspective > 0.0) {
            double s, c;
            ut_sincos(0.5 * o->perspective * PI / 180.0, &s, &c);
            camera->distance = 0.6 * size_of(&box) * c / s + size_of(&box);
        }
        if (o->look_at == NULL) {
            center(camera, &box);
        }
        box = bounds(trace, camera, kin, parts);
    }
    // arrows and cones need room around the bodies
    const double margin = fmin(fmax(0.125 * width, 36.0), 100.0);
    const double half_w = fmax(fmax(-box.low[0], box.high[0]), 1e-12);
    const double half_h = fmax(fmax(-box.low[1], box.high[1]), 1e-12);
    const double by_width = (0.5 * width - margin) / half_w;
    const double by_height = (0.5 * (max_height - TIME) - margin) / half_h;
    const double least = 0.32 * width;
    const double scale = o->extent > 0.0 ? width / o->extent : fmin(by_width, by_height);
    *height = fmin(fmax(2.0 * (half_h * scale + margin) + TIME, least), max_height);
    camera->scale = scale;
    camera->x = 0.5 * width;
    camera->y = 0.5 * (*height + TIME);
    return UT_OK;
}
