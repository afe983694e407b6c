// SPDX-License-Identifier: Apache-2.0
// The triangles of a model: made once for all geoms, and placed for each moment.
#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAP = 2048, FINE = 24, COARSE = 12, FEW_CONTACTS = 12, MANY_CONTACTS = 48 };

static const double NEAREST = 0.95; // of the way to the eye: triangles are cut there
static const double ARROW = 84.0;   // px: longest arrow in a picture 800 px wide

// ---- paints -------------------------------------------------------------------------------------

static RenderPaint paint_of(const char* hex, double alpha, bool plain)
{
    unsigned rgb = 0;
    RenderPaint paint = {.alpha = alpha, .plain = plain};
    (void)sscanf(hex, "#%6x", &rgb);
    for (int k = 0; k < 3; k++) {
        const double c = (rgb >> (16 - 8 * k) & 255u) / 255.0;
        paint.color[k] = c * c;
    }
    return paint;
}

// The colours of contact states on the page, too: Okabe and Ito's, which colour-blind readers distinguish.
static const char* state_color(int state)
{
    static const char* const colors[UT_CONTACT_STATE_COUNT] = {[UT_CONTACT_OPEN] = "#8a949a",
                                                               [UT_CONTACT_STICK] = "#0072b2",
                                                               [UT_CONTACT_SLIP] = "#e69f00",
                                                               [UT_CONTACT_IMPACT] = "#d55e00"};
    return colors[state];
}

static void mix_paints(RenderScene* s, bool flat)
{
    const DrawView view = {.trace = s->trace};
    for (int b = 0; b < s->trace->model->nbody; b++) {
        char hex[8];
        draw_body_color(&view, b, 1.0, hex);
        s->paint[b] = paint_of(hex, 1.0, flat);
    }
    s->paint[render_paint(s, RENDER_PAINT_FLOOR)] = paint_of("#eef1f3", 1.0, true);
    s->paint[render_paint(s, RENDER_PAINT_LINE)] = paint_of("#37424a", 1.0, true);
    s->paint[render_paint(s, RENDER_PAINT_STRING)] = paint_of("#8a5a2b", 1.0, flat);
    for (int k = 0; k < UT_CONTACT_STATE_COUNT; k++) {
        const char* color = state_color(k);
        s->paint[render_paint(s, RENDER_PAINT_STATE + k)] = paint_of(color, 1.0, flat);
        s->paint[render_paint(s, RENDER_PAINT_CONE + k)] = paint_of(color, 0.3, flat);
    }
}

// ---- creating -----------------------------------------------------------------------------------

static unsigned bit(DrawPart part)
{
    return 1u << part;
}

// As uptack draw: fewer parts the more contacts there are.
static unsigned choose_parts(const DrawTrace* trace, const DrawOptions* o)
{
    int most = 0;
    for (int k = 0; k < trace->moments; k++) {
        most = trace->moment[k].contacts > most ? trace->moment[k].contacts : most;
    }
    unsigned parts = bit(DRAW_FIXED) | bit(DRAW_SPRINGS) | bit(DRAW_GRID);
    parts |= most <= MANY_CONTACTS ? bit(DRAW_FORCES) | bit(DRAW_CONTACTS) : 0u;
    parts |= most <= FEW_CONTACTS ? bit(DRAW_CONES) : 0u;
    return (parts | o->shown) & ~o->hidden;
}

static utStatus fit_camera(RenderScene* s, const RenderOptions* o, utError* err)
{
    DrawOptions draw = o->draw;
    double height;
    const bool flat = s->trace->model->options.planar != UT_PLANAR_NONE && !draw.has_view;
    if (o->parallel || flat) {
        draw.perspective = 0.0;
    } else if (!(draw.perspective > 0.0)) {
        draw.perspective = 30.0;
    }
    UT_TRY(draw_camera_fit(s->trace, &draw, s->parts, s->width, s->height, &s->kin, &s->camera,
                           &height, err));
    s->camera.y = 0.5 * s->height;
    return UT_OK;
}

static utStatus make_shapes(RenderScene* s)
{
    const utModel* model = s->trace->model;
    for (int g = 0; g < model->ngeom; g++) {
        UT_TRY(
            render_shape_create(&model->geom[g].shape, s->camera.scale, &s->memory, &s->shape[g]));
    }
    render_unit_ball(FINE, &s->memory, &s->ball);
    render_unit_tube(COARSE, false, &s->memory, &s->tube);
    render_unit_tube(COARSE, true, &s->memory, &s->cone);
    return ut_arena_failed(&s->memory) ? UT_ERR_MEMORY : UT_OK;
}

static void set_scales(RenderScene* s)
{
    double force, impulse;
    const double longest = ARROW * s->width / 800.0;
    draw_largest(s->trace, &s->camera, s->parts, &force, &impulse);
    s->force_scale = force > 0.0 ? longest / force : 0.0;
    s->impulse_scale = impulse > 0.0 ? longest / impulse : 0.0;
}

utStatus render_scene_create(const DrawTrace* trace, const RenderOptions* o, int width, int height,
                             RenderScene* s, utError* err)
{
    const utModel* model = trace->model;
    *s = (RenderScene){.trace = trace, .width = width, .height = height, .samples = o->samples};
    if (ut_arena_create(0, NULL, &s->memory) != UT_OK ||
        ut_kinematics_create(model, &s->memory, &s->kin) != UT_OK) {
        return cli_no_memory("picture", err);
    }
    s->paints = model->nbody + RENDER_PAINT_COUNT;
    s->shape = UT_PUSH(&s->memory, RenderShape, model->ngeom + 1);
    s->paint = UT_PUSH(&s->memory, RenderPaint, s->paints);
    if (ut_arena_failed(&s->memory)) {
        return cli_no_memory("picture", err);
    }
    s->parts = choose_parts(trace, &o->draw);
    UT_TRY(fit_camera(s, o, err));
    mix_paints(s, s->camera.flat);
    set_scales(s);
    if (!o->no_shadows && !s->camera.flat) {
        s->light.size = MAP;
        s->light.depth = malloc((size_t)MAP * MAP * sizeof *s->light.depth);
    }
    const bool whole = s->camera.flat || o->no_shadows || s->light.depth != NULL;
    return whole && make_shapes(s) == UT_OK ? UT_OK : cli_no_memory("picture", err);
}

void render_scene_free(RenderScene* s)
{
    for (int k = 0; k < RENDER_LAYERS; k++) {
        free(s->layer[k].triangle);
    }
    free(s->light.triangles.triangle);
    free(s->light.depth);
    ut_arena_destroy(&s->memory);
    *s = (RenderScene){0};
}

// ---- triangles ----------------------------------------------------------------------------------

static RenderTriangle* new_triangle(RenderScene* s, RenderTriangles* list)
{
    if (list->count == list->room) {
        const int room = 2 * list->room + 1024;
        RenderTriangle* larger = realloc(list->triangle, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            s->failed = true;
            return NULL;
        }
        list->triangle = larger;
        list->room = room;
    }
    return &list->triangle[list->count++];
}

// A corner in the camera's axes, with its normal in the world.
typedef struct Corner {
    utVec3 at, normal;
} Corner;

static void add_seen(RenderScene* s, RenderLayer layer, const Corner* c[3], bool closed, int paint,
                     int object)
{
    const DrawCamera* camera = &s->camera;
    const double samples = s->samples;
    RenderTriangle t = {.paint = paint, .object = object};
    for (int k = 0; k < 3; k++) {
        const DrawPlace p = draw_place_seen(camera, c[k]->at);
        const bool parallel = !(camera->distance > 0.0);
        const double w = parallel ? c[k]->at.z : 1.0 / (camera->distance - c[k]->at.z);
        const double share = parallel ? 1.0 : w * camera->distance;
        t.x[k] = samples * p.x;
        t.y[k] = samples * p.y;
        t.w[k] = w;
        t.normal[k][0] = (float)(share * c[k]->normal.x);
        t.normal[k][1] = (float)(share * c[k]->normal.y);
        t.normal[k][2] = (float)(share * c[k]->normal.z);
    }
    // counter-clockwise from outside is clockwise in rows from the top
    const double area =
        (t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (t.y[1] - t.y[0]) * (t.x[2] - t.x[0]);
    if (closed && area >= 0.0) {
        return;
    }
    RenderTriangle* into = new_triangle(s, &s->layer[layer]);
    if (into != NULL) {
        *into = t;
    }
}

// Cut a triangle off before the eye.
static void add_cut(RenderScene* s, RenderLayer layer, const Corner c[3], bool closed, int paint,
                    int object)
{
    const double most = NEAREST * s->camera.distance;
    Corner kept[4];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const Corner *a = &c[k], *b = &c[(k + 1) % 3];
        const bool a_in = a->at.z <= most, b_in = b->at.z <= most;
        if (a_in) {
            kept[count++] = *a;
        }
        if (a_in != b_in) {
            const double t = (most - a->at.z) / (b->at.z - a->at.z);
            kept[count++] =
                (Corner){ut_vec3_add_scaled(a->at, t, ut_vec3_sub(b->at, a->at)),
                         ut_vec3_add_scaled(a->normal, t, ut_vec3_sub(b->normal, a->normal))};
        }
    }
    for (int k = 1; k + 1 < count; k++) {
        add_seen(s, layer, (const Corner* [3]){&kept[0], &kept[k], &kept[k + 1]}, closed, paint,
                 object);
    }
}

static void add_shadow(RenderScene* s, const utVec3 corner[3])
{
    RenderLight* light = &s->light;
    RenderTriangle* t = new_triangle(s, &light->triangles);
    for (int k = 0; t != NULL && k < 3; k++) {
        const utVec3 d = ut_vec3_sub(corner[k], light->at);
        t->x[k] = 0.5 * light->size + light->scale * ut_vec3_dot(d, light->right);
        t->y[k] = 0.5 * light->size - light->scale * ut_vec3_dot(d, light->up);
        t->w[k] = ut_vec3_dot(d, light->toward);
    }
}

void render_add_triangle(RenderScene* s, RenderLayer layer, const utVec3 corner[3],
                         const utVec3 normal[3], bool closed, int paint, int object)
{
    Corner c[3];
    for (int k = 0; k < 3; k++) {
        c[k] = (Corner){draw_see(&s->camera, corner[k]), normal[k]};
    }
    if (s->camera.distance > 0.0) {
        add_cut(s, layer, c, closed, paint, object);
    } else {
        add_seen(s, layer, (const Corner* [3]){&c[0], &c[1], &c[2]}, closed, paint, object);
    }
    if (layer == RENDER_BODIES && s->light.size > 0) {
        add_shadow(s, corner);
    }
}

void render_add_shape(RenderScene* s, RenderLayer layer, const RenderShape* shape, utFrame at,
                      utVec3 size, int paint, int object)
{
    const bool stretched = size.x != 1.0 || size.y != 1.0 || size.z != 1.0;
    for (int t = 0; t < shape->triangles; t++) {
        utVec3 corner[3], normal[3];
        for (int k = 0; k < 3; k++) {
            const utVec3 c = shape->corner[3 * (size_t)t + (size_t)k];
            utVec3 n = shape->normal[3 * (size_t)t + (size_t)k];
            if (stretched) {
                n = ut_vec3(n.x / size.x, n.y / size.y, n.z / size.z);
                (void)ut_vec3_normalize(n, &n);
            }
            corner[k] = ut_frame_point(at, ut_vec3(size.x * c.x, size.y * c.y, size.z * c.z));
            normal[k] = ut_mat3_mul_vec(at.R, n);
        }
        render_add_triangle(s, layer, corner, normal, shape->closed, paint, object);
    }
}

void render_add_tube(RenderScene* s, RenderLayer layer, utVec3 from, utVec3 to, double radius,
                     int paint, int object)
{
    utVec3 along = ut_vec3_sub(to, from), n, t1, t2;
    if (!ut_vec3_normalize(along, &n)) {
        return;
    }
    ut_tangent_basis(n, &t1, &t2);
    const utFrame at = {.R = ut_mat3_from_columns(t1, t2, n), .p = from};
    render_add_shape(s, layer, &s->tube, at, ut_vec3(radius, radius, ut_vec3_norm(along)), paint,
                     object);
}

// ---- moments ------------------------------------------------------------------------------------

// The lamp stands above, on the left of the camera and before the bodies.
static void aim_light(RenderScene* s)
{
    const utModel* model = s->trace->model;
    const DrawCamera* camera = &s->camera;
    RenderLight* light = &s->light;
    const utVec3 up = draw_up(model);
    const utVec3 level = ut_vec3_add_scaled(camera->toward, -ut_vec3_dot(camera->toward, up), up);
    utVec3 d = ut_vec3_add_scaled(up, -0.4, camera->right);
    d = ut_vec3_add_scaled(d, 0.7, level);
    (void)ut_vec3_normalize(d, &light->toward);
    ut_tangent_basis(light->toward, &light->right, &light->up);
    // the map covers what moves
    double radius = 0.0;
    light->at = camera->at;
    for (int pass = 0; pass < 2; pass++) {
        utVec3 low = ut_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = ut_vec3_negate(low);
        for (int g = 0; g < model->ngeom; g++) {
            if (!draw_is_moving(model, model->geom[g].body) ||
                model->geom[g].shape.kind == UT_SHAPE_PLANE) {
                continue;
            }
            const utVec3 p = ut_geom_frame(&s->kin, g).p;
            const double r = model->geom[g].radius;
            low = ut_vec3(fmin(low.x, p.x - r), fmin(low.y, p.y - r), fmin(low.z, p.z - r));
            high = ut_vec3(fmax(high.x, p.x + r), fmax(high.y, p.y + r), fmax(high.z, p.z + r));
            radius = pass == 1 ? fmax(radius, ut_vec3_norm(ut_vec3_sub(p, light->at)) + r) : 0.0;
        }
        if (pass == 0 && low.x <= high.x) {
            light->at = ut_vec3_scale(ut_vec3_add(low, high), 0.5);
        }
    }
    light->scale = radius > 0.0 ? 0.49 * light->size / radius : 1.0;
}

// Visual geoms hide the collision shapes that stand for them, which modellers put into groups above 2.
static bool is_shown(const RenderScene* s, int geom)
{
    const utModel* model = s->trace->model;
    const utModelGeom* g = &model->geom[geom];
    bool has_others = false;
    for (int k = 0; k < model->body[g->body].geoms; k++) {
        has_others = has_others || model->geom[model->body[g->body].geom + k].group <= 2;
    }
    const bool moving = draw_is_moving(model, g->body);
    return (g->group <= 2 || !has_others) && (moving || (s->parts & bit(DRAW_FIXED)) != 0);
}

// Walls and steps of the world hide nothing, as in uptack draw, and cast no shadow on what is behind them.
static RenderLayer layer_of(const RenderScene* s, int geom)
{
    const utModelGeom* g = &s->trace->model->geom[geom];
    const bool terrain = g->shape.kind == UT_SHAPE_MESH || g->shape.kind == UT_SHAPE_HEIGHTS;
    return terrain || s->camera.flat || g->body != 0 ? RENDER_BODIES : RENDER_WINDOWS;
}

void render_scene_place(RenderScene* s, int moment)
{
    const utModel* model = s->trace->model;
    const DrawMoment* m = &s->trace->moment[moment];
    const utVec3 one = ut_vec3(1.0, 1.0, 1.0);
    for (int k = 0; k < RENDER_LAYERS; k++) {
        s->layer[k].count = 0;
    }
    s->light.triangles.count = 0;
    ut_kinematics_place(&s->kin, m->q, m->mocap_pos, m->mocap_quat);
    ut_kinematics_move(&s->kin, m->v, m->mocap_velocity);
    aim_light(s);
    for (int g = 0; g < model->ngeom; g++) {
        if (is_shown(s, g)) {
            render_add_shape(s, layer_of(s, g), &s->shape[g], ut_geom_frame(&s->kin, g), one,
                             model->geom[g].body, g);
        }
    }
    render_add_bars(s);
    render_add_contacts(s, m);
    render_shadows(s);
}
