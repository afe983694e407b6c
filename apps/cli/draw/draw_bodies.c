// SPDX-License-Identifier: Apache-2.0
// Bodies: their geoms, bars for bodies without geoms, springs and tendons, as items that hide each
// other.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RIM = 40,       // points of a circle seen obliquely
    MAX_ENDS = 64,  // of the bars of one body
    MAX_CELLS = 48, // of a drawn height field along an axis
    MAX_TRIANGLES = 20000,
};

static const double PI = 3.14159265358979323846;
static const char INK[] = "#37424a";
static const double SHARP =
    0.9; // edges between faces whose normals have a smaller cosine are drawn
static const double LEAST_RADIUS = 2.2; // of a drawn capsule, px
static const double FLAT_BARS = 1e4;    // m that bars are in front of geoms in a planar world
static const double BAR = 5.0;          // width of bars, px

// ---- colours ------------------------------------------------------------------------------------

// Quiet fills that are distinguishable side by side; grey is for what does not move.
static const unsigned char fills[][3] = {{197, 215, 232}, {238, 214, 178}, {203, 224, 196},
                                         {226, 205, 222}, {242, 229, 168}, {190, 221, 222},
                                         {232, 200, 188}, {214, 214, 204}};
static const unsigned char fixed_fill[3] = {214, 219, 222};

void draw_body_color(const DrawView* view, int body, double light, char* room)
{
    const utModel* model = view->trace->model;
    const unsigned char* fill = fixed_fill;
    if (draw_is_moving(model, body)) {
        int index = 0; // among the moving bodies
        for (int b = 1; b < body; b++) {
            index += draw_is_moving(model, b);
        }
        fill = fills[index % (int)(sizeof fills / sizeof *fills)];
    }
    int rgb[3];
    for (int k = 0; k < 3; k++) {
        double c = light * fill[k];
        c = c + view->paleness * (255.0 - c);
        rgb[k] = c < 0.0 ? 0 : c > 255.0 ? 255 : (int)(c + 0.5);
    }
    snprintf(room, 8, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static const char* ink(const DrawView* view)
{
    return view->paleness > 0.55 ? "#b9c1c6" : view->paleness > 0.2 ? "#8d979d" : INK;
}

// The brightness of a face, for a light from above on the left.
static double lit(const DrawView* view, DrawSeen normal)
{
    return view->camera->flat ? 1.0
                              : 0.86 + 0.17 * (-0.35 * normal.x + 0.85 * normal.y + 0.4 * normal.z);
}

// ---- drawing pieces -----------------------------------------------------------------------------

static void write_place(Svg* svg, const char* letter, DrawPlace p)
{
    svg_raw(svg, letter);
    svg_tenths(svg, p.x);
    svg_raw(svg, " ");
    svg_tenths(svg, p.y);
}

static void write_polygon(Svg* svg, int n, const DrawPlace* p)
{
    for (int k = 0; k < n; k++) {
        write_place(svg, k == 0 ? "M" : "L", p[k]);
    }
    svg_raw(svg, "Z");
}

static void begin_path(Svg* svg, const char* fill, const char* stroke, double width)
{
    svg_tag(svg, "path");
    svg_set_text(svg, "fill", fill);
    if (stroke != NULL) {
        svg_set_text(svg, "stroke", stroke);
        svg_set(svg, "stroke-width", width);
    }
    svg_raw(svg, " d=\"");
}

static void end_path(Svg* svg)
{
    svg_raw(svg, "\"");
    svg_close(svg);
}

static void filled_polygon(Svg* svg, int n, const DrawPlace* p, const char* fill,
                           const char* stroke, double width)
{
    begin_path(svg, fill, stroke, width);
    write_polygon(svg, n, p);
    end_path(svg);
}

// ---- solids -------------------------------------------------------------------------------------

// A solid that is being drawn.
typedef struct Solid {
    DrawView* view;
    DrawItems* items;
    const utShape* shape;
    utFrame at; // shape to world
    int body;
    char fill[8];
} Solid;

// A front plane of the camera's axes for a face. @return does it face the camera?
static bool front_plane(const DrawCamera* camera, utVec3 point, utVec3 normal, double plane[4],
                        DrawSeen* n)
{
    const DrawSeen at = draw_see(camera, point);
    *n = ut_vec3(ut_vec3_dot(normal, camera->right), ut_vec3_dot(normal, camera->up),
                 ut_vec3_dot(normal, camera->toward));
    plane[0] = n->x;
    plane[1] = n->y;
    plane[2] = n->z;
    plane[3] = ut_vec3_dot(*n, at);
    // seen from the eye at (0, 0, D), or from far away
    const double facing = camera->distance > 0.0 ? n->z * camera->distance - plane[3] : n->z;
    return facing > 1e-9;
}

// The visible halves of three great circles, which show how a ball turns.
static void write_great_circles(Solid* s, double r, int steps)
{
    const DrawCamera* camera = s->view->camera;
    for (int k = 0; k < 3; k++) {
        const utVec3 a = ut_mat3_column(s->at.R, k);
        const utVec3 b = ut_mat3_column(s->at.R, (k + 1) % 3);
        bool down = false;
        for (int i = 0; i <= 2 * steps; i++) {
            const double t = PI * i / steps;
            const utVec3 d = ut_vec3_add_scaled(ut_vec3_scale(a, cos(t)), sin(t), b);
            const bool seen = ut_vec3_dot(d, camera->toward) >= 0.0;
            if (seen) {
                write_place(&s->items->svg, down ? "L" : "M",
                            draw_place(camera, ut_vec3_add_scaled(s->at.p, r, d)));
            }
            down = seen;
        }
    }
}

// A diameter and a mark across it show how a disc of a planar world turns.
static void write_diameters(Solid* s, double r)
{
    const DrawCamera* camera = s->view->camera;
    const utPlane plane = ut_plane(s->view->trace->model->options.planar);
    for (int k = 0; k < 2; k++) {
        const utVec3 d = ut_mat3_mul_vec(s->at.R, k == 0 ? plane.x : plane.y);
        const double reach = k == 0 ? r : 0.35 * r;
        write_place(&s->items->svg, "M",
                    draw_place(camera, ut_vec3_add_scaled(s->at.p, -reach, d)));
        write_place(&s->items->svg, "L", draw_place(camera, ut_vec3_add_scaled(s->at.p, reach, d)));
    }
}

static void draw_ball(Solid* s)
{
    const DrawCamera* camera = s->view->camera;
    Svg* svg = &s->items->svg;
    const DrawSeen c = draw_see(camera, s->at.p);
    const double r = s->shape->size.x;
    const DrawPlace p = draw_place_seen(camera, c);
    const double px = r * draw_scale_at(camera, c);
    draw_item_begin(s->items);
    svg_tag(svg, "circle");
    svg_set(svg, "cx", p.x);
    svg_set(svg, "cy", p.y);
    svg_set(svg, "r", px);
    svg_set_text(svg, "fill", s->fill);
    svg_set_text(svg, "stroke", ink(s->view));
    svg_set(svg, "stroke-width", px > 8.0 ? 1.3 : 0.8);
    svg_close(svg);
    if (px > 5.0) {
        svg_tag(svg, "path");
        svg_set_text(svg, "fill", "none");
        svg_set_text(svg, "stroke", ink(s->view));
        svg_raw(svg, " stroke-opacity=\"0.4\" stroke-width=\"0.8\" d=\"");
        if (camera->flat) {
            write_diameters(s, r);
        } else {
            write_great_circles(s, r, px > 30.0 ? 24 : 16);
        }
        end_path(svg);
    }
    DrawPlace corner[16];
    for (int k = 0; k < 16; k++) {
        corner[k] = (DrawPlace){p.x + px * cos(PI * k / 8), p.y + px * sin(PI * k / 8)};
    }
    const double ball[1][4] = {{c.x, c.y, c.z, r}};
    draw_item_end(s->items, 16, corner, 1, ball, true, c.z + r);
}

// Two discs and their common tangents.
static void stadium(Svg* svg, DrawPlace a, double ra, DrawPlace b, double rb)
{
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double far = sqrt(dx * dx + dy * dy);
    if (!(far > fabs(ra - rb) + 1e-9)) {
        const DrawPlace c = ra > rb ? a : b;
        const double r = fmax(ra, rb);
        write_place(svg, "M", (DrawPlace){c.x - r, c.y});
        for (int k = 0; k < 2; k++) {
            svg_raw(svg, "A");
            svg_tenths(svg, r);
            svg_raw(svg, " ");
            svg_tenths(svg, r);
            write_place(svg, " 0 0 1 ", (DrawPlace){k == 0 ? c.x + r : c.x - r, c.y});
        }
        svg_raw(svg, "Z");
        return;
    }
    // unit vectors: along the axis, and the outward normals of both tangents
    const double ux = dx / far, uy = dy / far;
    const double s = (ra - rb) / far;
    const double c = sqrt(fmax(1.0 - s * s, 0.0));
    const double lx = ux * s + uy * c, ly = uy * s - ux * c;
    const double rx = ux * s - uy * c, ry = uy * s + ux * c;
    write_place(svg, "M", (DrawPlace){a.x + ra * lx, a.y + ra * ly});
    write_place(svg, "L", (DrawPlace){b.x + rb * lx, b.y + rb * ly});
    svg_raw(svg, "A");
    svg_tenths(svg, rb);
    svg_raw(svg, " ");
    svg_tenths(svg, rb);
    write_place(svg, s < 0.0 ? " 0 1 1 " : " 0 0 1 ", (DrawPlace){b.x + rb * rx, b.y + rb * ry});
    write_place(svg, "L", (DrawPlace){a.x + ra * rx, a.y + ra * ry});
    svg_raw(svg, "A");
    svg_tenths(svg, ra);
    svg_raw(svg, " ");
    svg_tenths(svg, ra);
    write_place(svg, s > 0.0 ? " 0 1 1 " : " 0 0 1 ", (DrawPlace){a.x + ra * lx, a.y + ra * ly});
    svg_raw(svg, "Z");
}

// Directions that are spread over the sphere, for the planes of round shapes.
enum { SPREAD = 26 };

static utVec3 spread(int k)
{
    const int i = k < 13 ? k : k + 1; // 27 without the middle
    const int x = i % 3, y = i / 3 % 3, z = i / 9;
    utVec3 d = ut_vec3(x - 1, y - 1, z - 1);
    ut_vec3_normalize(d, &d);
    return d;
}

// The front planes of a round shape, from its support map.
static int support_planes(const Solid* s, double (*plane)[4])
{
    int planes = 0;
    for (int k = 0; k < SPREAD; k++) {
        const utVec3 d = spread(k);
        DrawSeen n;
        const utVec3 point = ut_frame_point(s->at, ut_shape_support(s->shape, d));
        planes +=
            front_plane(s->view->camera, point, ut_mat3_mul_vec(s->at.R, d), plane[planes], &n);
    }
    return planes;
}

static void draw_capsule(Solid* s)
{
    const DrawCamera* camera = s->view->camera;
    Svg* svg = &s->items->svg;
    const utVec3 z = ut_mat3_column(s->at.R, 2);
    const double r = s->shape->size.x;
    DrawSeen c[2];
    DrawPlace p[2];
    double px[2];
    DrawPlace corner[32];
    for (int k = 0; k < 2; k++) {
        const double along = k == 0 ? -s->shape->size.y : s->shape->size.y;
        c[k] = draw_see(camera, ut_vec3_add_scaled(s->at.p, along, z));
        p[k] = draw_place_seen(camera, c[k]);
        px[k] = fmax(r * draw_scale_at(camera, c[k]), LEAST_RADIUS);
        for (int i = 0; i < 16; i++) {
            corner[16 * k + i] =
                (DrawPlace){p[k].x + px[k] * cos(PI * i / 8), p[k].y + px[k] * sin(PI * i / 8)};
        }
    }
    draw_item_begin(s->items);
    begin_path(svg, s->fill, ink(s->view), 1.2);
    stadium(svg, p[0], px[0], p[1], px[1]);
    end_path(svg);
    double plane[SPREAD][4];
    const int planes = support_planes(s, plane);
    draw_item_end(s->items, 32, corner, planes, (const double(*)[4])plane, false,
                  fmax(c[0].z, c[1].z) + r);
}

// A cylinder or an ellipsoid: the outline, and the visible cap.
static void draw_round(Solid* s)
{
    const DrawCamera* camera = s->view->camera;
    Svg* svg = &s->items->svg;
    DrawPlace point[8 * RIM], outline[8 * RIM];
    int n = 0;
    double near = -HUGE_VAL;
    const utVec3 size = s->shape->size;
    const bool cylinder = s->shape->kind == UT_SHAPE_CYLINDER;
    const int rings = cylinder ? 2 : 8;
    for (int ring = 0; ring < rings; ring++) {
        const double e = cylinder ? 0.0 : PI * ((ring + 0.5) / rings - 0.5);
        for (int k = 0; k < RIM; k++) {
            const double a = 2.0 * PI * k / RIM;
            const utVec3 local =
                cylinder
                    ? ut_vec3(size.x * cos(a), size.x * sin(a), ring == 0 ? -size.y : size.y)
                    : ut_vec3(size.x * cos(a) * cos(e), size.y * sin(a) * cos(e), size.z * sin(e));
            const DrawSeen seen = draw_see(camera, ut_frame_point(s->at, local));
            near = fmax(near, seen.z);
            point[n++] = draw_place_seen(camera, seen);
        }
    }
    if (!cylinder) {
        // the outline exactly: the points whose normals are across the view
        n = 0;
        for (int k = 0; k < 2 * RIM; k++) {
            const double a = PI * k / RIM;
            const utVec3 d =
                ut_vec3_add_scaled(ut_vec3_scale(camera->right, cos(a)), sin(a), camera->up);
            const utVec3 local = ut_shape_support(s->shape, ut_mat3_tmul_vec(s->at.R, d));
            point[n++] = draw_place(camera, ut_frame_point(s->at, local));
        }
    }
    draw_item_begin(s->items);
    const int corners = draw_convex(n, point, outline);
    filled_polygon(svg, corners, outline, s->fill, ink(s->view), 1.2);
    for (int cap = 0; cap < 2 && cylinder; cap++) {
        const utVec3 z = ut_mat3_column(s->at.R, 2);
        const double sign = cap == 0 ? -1.0 : 1.0;
        double plane[4];
        DrawSeen normal;
        if (front_plane(camera, ut_vec3_add_scaled(s->at.p, sign * size.y, z),
                        ut_vec3_scale(z, sign), plane, &normal)) {
            char fill[8];
            draw_body_color(s->view, s->body, lit(s->view, normal), fill);
            filled_polygon(svg, RIM, point + cap * RIM, fill, ink(s->view), 0.9);
            // a radius shows how the cylinder turns
            begin_path(svg, "none", ink(s->view), 0.8);
            write_place(svg, "M", point[cap * RIM]);
            write_place(svg, "L", point[cap * RIM + RIM / 2]);
            end_path(svg);
        }
    }
    double plane[SPREAD + 2][4];
    int planes = support_planes(s, plane);
    draw_item_end(s->items, corners, outline, planes, (const double(*)[4])plane, false, near);
}

// ---- polyhedra ----------------------------------------------------------------------------------

// The faces of a convex polyhedron: face f has the corners index[start[f]] ... in vertex.
typedef struct Faces {
    int faces;
    const utVec3* vertex;
    const int* start;
    const int* index;
    const utVec3* normal;
} Faces;

static void draw_faces(Solid* s, const Faces* f, bool smooth)
{
    enum { CORNERS = 512 };
    const DrawCamera* camera = s->view->camera;
    Svg* svg = &s->items->svg;
    const int count = f->start[f->faces];
    DrawPlace* all = malloc((size_t)count * sizeof *all + 1);
    double(*plane)[4] = malloc(((size_t)f->faces + 1) * sizeof *plane);
    if (all == NULL || plane == NULL) {
        s->items->failed = true;
        free(all);
        free(plane);
        return;
    }
    double near = -HUGE_VAL;
    int planes = 0;
    int places = 0;
    draw_item_begin(s->items);
    for (int k = 0; k < f->faces; k++) {
        const utVec3 normal = ut_mat3_mul_vec(s->at.R, f->normal[k]);
        const utVec3 first = ut_frame_point(s->at, f->vertex[f->index[f->start[k]]]);
        DrawSeen n;
        if (!front_plane(camera, first, normal, plane[planes], &n)) {
            continue;
        }
        planes++;
        DrawPlace corner[CORNERS];
        int corners = 0;
        for (int c = f->start[k]; c < f->start[k + 1] && corners < CORNERS; c++) {
            const DrawSeen seen = draw_see(camera, ut_frame_point(s->at, f->vertex[f->index[c]]));
            near = fmax(near, seen.z);
            corner[corners] = draw_place_seen(camera, seen);
            all[places++] = corner[corners++];
        }
        char fill[8];
        draw_body_color(s->view, s->body, lit(s->view, n), fill);
        filled_polygon(svg, corners, corner, fill, smooth ? fill : ink(s->view),
                       smooth ? 0.6 : 1.2);
    }
    if (smooth && places > 2) {
        DrawPlace* outline = malloc((size_t)places * sizeof *outline);
        if (outline != NULL) {
            filled_polygon(svg, draw_convex(places, all, outline), outline, "none", ink(s->view),
                           1.2);
        }
        free(outline);
    }
    draw_item_end(s->items, places, all, planes, (const double(*)[4])plane, false, near);
    free(all);
    free(plane);
}

static void draw_box(Solid* s)
{
    static const int start[] = {0, 4, 8, 12, 16, 20, 24};
    static const int index[] = {0, 2, 6, 4, 1, 5, 7, 3, 0, 4, 5, 1,
                                2, 3, 7, 6, 0, 1, 3, 2, 4, 6, 7, 5};
    // faces of corner bits x = 1, y = 2, z = 4: -x, +x, -y, +y, -z, +z
    const utVec3 normal[6] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0},  {0.0, -1.0, 0.0},
                              {0.0, 1.0, 0.0},  {0.0, 0.0, -1.0}, {0.0, 0.0, 1.0}};
    const utVec3 h = s->shape->size;
    utVec3 vertex[8];
    for (int k = 0; k < 8; k++) {
        vertex[k] = ut_vec3((k & 1) != 0 ? h.x : -h.x, (k & 2) != 0 ? h.y : -h.y,
                            (k & 4) != 0 ? h.z : -h.z);
    }
    const Faces faces = {6, vertex, start, index, normal};
    draw_faces(s, &faces, false);
}

static void draw_hull(Solid* s)
{
    const utHull* h = s->shape->hull;
    const Faces faces = {h->faces, h->vertex, h->face_start, h->face_vertex, h->normal};
    draw_faces(s, &faces, h->faces > 24);
}

// ---- surfaces -----------------------------------------------------------------------------------

// One triangle of a surface. @param stroke edges 0, 1, 2 to draw as lines: bits
static void draw_triangle(Solid* s, const utVec3 corner[3], unsigned stroke, const char* grid)
{
    const DrawCamera* camera = s->view->camera;
    Svg* svg = &s->items->svg;
    utVec3 normal =
        ut_vec3_cross(ut_vec3_sub(corner[1], corner[0]), ut_vec3_sub(corner[2], corner[0]));
    double plane[1][4];
    DrawSeen n;
    if (!ut_vec3_normalize(normal, &normal) ||
        !front_plane(camera, corner[0], normal, plane[0], &n)) {
        return;
    }
    DrawPlace p[3];
    double near = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const DrawSeen seen = draw_see(camera, corner[k]);
        near = fmax(near, seen.z);
        p[k] = draw_place_seen(camera, seen);
    }
    char fill[8];
    draw_body_color(s->view, s->body, lit(s->view, n), fill);
    draw_item_begin(s->items);
    filled_polygon(svg, 3, p, fill, fill, 0.5);
    if (stroke != 0) {
        begin_path(svg, "none", grid, 0.8);
        for (int k = 0; k < 3; k++) {
            if ((stroke & 1u << k) != 0) {
                write_place(svg, "M", p[k]);
                write_place(svg, "L", p[(k + 1) % 3]);
            }
        }
        end_path(svg);
    }
    draw_item_end(s->items, 3, p, 1, (const double(*)[4])plane, false, near);
}

static void draw_mesh(Solid* s)
{
    const utMesh* mesh = s->shape->mesh;
    for (int t = 0; t < mesh->triangles && t < MAX_TRIANGLES; t++) {
        utVec3 corner[3];
        unsigned stroke = 0;
        for (int k = 0; k < 3; k++) {
            corner[k] = ut_frame_point(s->at, mesh->vertex[mesh->triangle[3 * t + k]]);
            const int other = mesh->adjacent[3 * t + k];
            const bool sharp =
                other < 0 || ut_vec3_dot(mesh->normal[t], mesh->normal[other]) < SHARP;
            stroke |= sharp ? 1u << k : 0u;
        }
        draw_triangle(s, corner, stroke, ink(s->view));
    }
}

static utVec3 height_at(const Solid* s, int i, int j)
{
    const utHeights* h = s->shape->heights;
    const utVec3 size = s->shape->size;
    const utVec3 local = ut_vec3(size.x * (2.0 * i / (h->columns - 1) - 1.0),
                                 size.y * (2.0 * j / (h->rows - 1) - 1.0),
                                 h->height[(size_t)j * (size_t)h->columns + (size_t)i]);
    return ut_frame_point(s->at, local);
}

// A large field is drawn coarser.
static void draw_heights(Solid* s)
{
    const utHeights* h = s->shape->heights;
    const int di = (h->columns - 2) / MAX_CELLS + 1;
    const int dj = (h->rows - 2) / MAX_CELLS + 1;
    for (int j = 0; j < h->rows - 1; j += dj) {
        for (int i = 0; i < h->columns - 1; i += di) {
            const int i1 = i + di < h->columns ? i + di : h->columns - 1;
            const int j1 = j + dj < h->rows ? j + dj : h->rows - 1;
            const utVec3 a = height_at(s, i, j);
            const utVec3 b = height_at(s, i1, j);
            const utVec3 c = height_at(s, i1, j1);
            const utVec3 d = height_at(s, i, j1);
            draw_triangle(s, (const utVec3[]){a, b, c}, 3u, "#b4bdc2");
            draw_triangle(s, (const utVec3[]){a, c, d}, 6u, "#b4bdc2");
        }
    }
}

static void draw_geom(DrawView* view, DrawItems* items, int geom)
{
    const utModelGeom* g = &view->trace->model->geom[geom];
    Solid s = {view, items, &g->shape, ut_geom_frame(view->kin, geom), g->body, ""};
    const bool solid = g->shape.kind != UT_SHAPE_MESH && g->shape.kind != UT_SHAPE_HEIGHTS;
    draw_body_color(view, g->body, 1.0, s.fill);
    items->window = solid && !view->camera->flat && !draw_is_moving(view->trace->model, g->body);
    switch (g->shape.kind) {
    case UT_SHAPE_SPHERE:
        draw_ball(&s);
        break;
    case UT_SHAPE_CAPSULE:
        draw_capsule(&s);
        break;
    case UT_SHAPE_BOX:
        draw_box(&s);
        break;
    case UT_SHAPE_CYLINDER:
    case UT_SHAPE_ELLIPSOID:
        draw_round(&s);
        break;
    case UT_SHAPE_HULL:
        draw_hull(&s);
        break;
    case UT_SHAPE_MESH:
        draw_mesh(&s);
        break;
    case UT_SHAPE_HEIGHTS:
        draw_heights(&s);
        break;
    default: // planes are drawn before all bodies
        break;
    }
    items->window = false;
}

// ---- bars ---------------------------------------------------------------------------------------

static int add_end(utVec3* end, int ends, int room, utVec3 point)
{
    for (int k = 0; k < ends; k++) {
        if (ut_vec3_norm(ut_vec3_sub(end[k], point)) < 1e-9) {
            return ends;
        }
    }
    if (ends < room) {
        end[ends++] = point;
    }
    return ends;
}

int draw_bar_ends(const utKinematics* kin, int body, utVec3* end, int room)
{
    const utModel* model = kin->model;
    const utVec3 com = kin->com[body];
    int ends = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const bool pinned = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_BALL;
        if (pinned && (joint->body == body || model->body[joint->body].parent == body)) {
            ends = add_end(end, ends, room, kin->anchor[j]);
        }
    }
    for (int e = 0; e < model->nequality; e++) {
        const utModelEquality* q = &model->equality[e];
        if (q->joint && (q->body1 == body || q->body2 == body)) {
            const bool first = q->body1 == body;
            ends = add_end(end, ends, room,
                           ut_frame_point(kin->body[body], first ? q->in1.p : q->in2.p));
        }
    }
    for (int s = 0; s < model->nsite; s++) {
        if (model->site[s].body == body) {
            ends = add_end(end, ends, room, ut_site_position(kin, s));
        }
    }
    // a single end is that of a rod whose middle is the centre of mass
    if (ends == 1 && model->body[body].mass > 0.0 &&
        ut_vec3_norm(ut_vec3_sub(com, end[0])) > 1e-9) {
        end[ends++] = ut_vec3_add_scaled(com, 1.0, ut_vec3_sub(com, end[0]));
    }
    const bool point = ends == 1 && ut_vec3_norm(ut_vec3_sub(com, end[0])) <= 1e-9;
    return point ? 0 : ends;
}

// A thing along a line, for the order of items.
static void end_line_item(DrawItems* items, utVec3 from, utVec3 to, double half)
{
    const DrawCamera* camera = items->camera;
    const DrawSeen a = draw_see(camera, from);
    const DrawSeen b = draw_see(camera, to);
    const DrawPlace p = draw_place_seen(camera, a);
    const DrawPlace q = draw_place_seen(camera, b);
    const double far = fmax(sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y)), 1e-9);
    const double nx = -half * (q.y - p.y) / far, ny = half * (q.x - p.x) / far;
    const DrawPlace corner[4] = {
        {p.x + nx, p.y + ny}, {p.x - nx, p.y - ny}, {q.x - nx, q.y - ny}, {q.x + nx, q.y + ny}};
    // the plane through the line that is turned to the camera as far as possible
    utVec3 along = ut_vec3_sub(b, a);
    utVec3 normal = ut_vec3(0.0, 0.0, 1.0);
    if (ut_vec3_normalize(along, &along)) {
        normal = ut_vec3_add_scaled(normal, -along.z, along);
    }
    if (!ut_vec3_normalize(normal, &normal)) {
        normal = ut_vec3(0.0, 0.0, 1.0);
    }
    // in a planar world bars are in front of geoms, whose thickness has no meaning there
    const double before = camera->flat ? FLAT_BARS : 0.0;
    const double plane[1][4] = {
        {normal.x, normal.y, normal.z, ut_vec3_dot(normal, a) + before * normal.z}};
    draw_item_end(items, 4, corner, 1, plane, false, fmax(a.z, b.z) + before);
}

static void widen_box(DrawBusy* box, DrawPlace p, double r)
{
    box->x0 = fmin(box->x0, p.x - r);
    box->y0 = fmin(box->y0, p.y - r);
    box->x1 = fmax(box->x1, p.x + r);
    box->y1 = fmax(box->y1, p.y + r);
}

static void draw_bar(DrawView* view, DrawItems* items, int body, utVec3 from, utVec3 to)
{
    Svg* svg = &items->svg;
    const DrawPlace p = draw_place(view->camera, from);
    const DrawPlace q = draw_place(view->camera, to);
    char fill[8];
    draw_body_color(view, body, 1.0, fill);
    draw_item_begin(items);
    begin_path(svg, fill, ink(view), 1.2);
    stadium(svg, p, BAR, q, BAR);
    end_path(svg);
    end_line_item(items, from, to, BAR);
    for (int k = 0; k <= 8; k++) {
        draw_keep_free(view, (DrawPlace){p.x + (q.x - p.x) * k / 8.0, p.y + (q.y - p.y) * k / 8.0},
                       5.0);
    }
}

// A point mass, or a prescribed motion: a small triangle.
static void draw_particle(DrawView* view, DrawItems* items, int body)
{
    Svg* svg = &items->svg;
    const bool pusher = view->trace->model->body[body].mocap >= 0;
    const utVec3 at = pusher ? view->kin->body[body].p : view->kin->com[body];
    const DrawPlace p = draw_place(view->camera, at);
    char fill[8];
    draw_body_color(view, body, 0.9, fill);
    draw_item_begin(items);
    if (pusher) {
        // a rod that comes from the left, or from where the motion comes
        utVec3 v = view->moment->mocap_velocity != NULL
                       ? view->moment->mocap_velocity[view->trace->model->body[body].mocap].linear
                       : ut_vec3_zero();
        DrawPlace d = {ut_vec3_dot(v, view->camera->right), -ut_vec3_dot(v, view->camera->up)};
        const double size = sqrt(d.x * d.x + d.y * d.y);
        d = size > 1e-9 && d.x > 0.0 ? (DrawPlace){d.x / size, d.y / size} : (DrawPlace){1.0, 0.0};
        const DrawPlace corner[3] = {p,
                                     {p.x - 16.0 * d.x - 6.0 * d.y, p.y - 16.0 * d.y + 6.0 * d.x},
                                     {p.x - 16.0 * d.x + 6.0 * d.y, p.y - 16.0 * d.y - 6.0 * d.x}};
        filled_polygon(svg, 3, corner, fill, ink(view), 1.2);
        draw_keep_free(view, (DrawPlace){p.x - 8.0 * d.x, p.y - 8.0 * d.y}, 9.0);
    } else {
        svg_tag(svg, "circle");
        svg_set(svg, "cx", p.x);
        svg_set(svg, "cy", p.y);
        svg_set(svg, "r", 7.0);
        svg_set_text(svg, "fill", fill);
        svg_set_text(svg, "stroke", ink(view));
        svg_set(svg, "stroke-width", 1.2);
        svg_close(svg);
        draw_keep_free(view, p, 8.0);
    }
    end_line_item(items, at, at, 8.0);
}

DrawBusy draw_body_box(const DrawView* view, int body)
{
    const utModelBody* b = &view->trace->model->body[body];
    const DrawPlace middle = draw_place(view->camera, view->kin->com[body]);
    DrawBusy box = {middle.x, middle.y, middle.x, middle.y};
    utVec3 end[MAX_ENDS];
    const int ends = b->geoms == 0 ? draw_bar_ends(view->kin, body, end, MAX_ENDS) : 0;
    for (int k = 0; k < ends; k++) {
        widen_box(&box, draw_place(view->camera, end[k]), BAR);
    }
    for (int g = b->geom; g < b->geom + b->geoms; g++) {
        const utFrame at = ut_geom_frame(view->kin, g);
        const double reach = view->trace->model->geom[g].radius;
        const utBounds bounds = ut_shape_bounds(&view->trace->model->geom[g].shape, at);
        for (int k = 0; k < 8; k++) {
            const utVec3 corner = ut_vec3((k & 1) != 0 ? bounds.high.x : bounds.low.x,
                                          (k & 2) != 0 ? bounds.high.y : bounds.low.y,
                                          (k & 4) != 0 ? bounds.high.z : bounds.low.z);
            widen_box(&box, draw_place(view->camera, reach > 0.0 ? corner : at.p), 0.0);
        }
    }
    return box;
}

// A body of balls that do not touch is balls on rods.
static void draw_rods_of_balls(DrawView* view, DrawItems* items, int body)
{
    const utModel* model = view->trace->model;
    const utModelBody* b = &model->body[body];
    bool balls = b->geoms > 1;
    for (int g = b->geom; g < b->geom + b->geoms; g++) {
        balls = balls && model->geom[g].shape.kind == UT_SHAPE_SPHERE;
    }
    for (int g = b->geom; balls && g + 1 < b->geom + b->geoms; g++) {
        const utVec3 from = ut_geom_frame(view->kin, g).p, to = ut_geom_frame(view->kin, g + 1).p;
        const double reach = model->geom[g].shape.size.x + model->geom[g + 1].shape.size.x;
        if (ut_vec3_norm(ut_vec3_sub(to, from)) > reach) {
            draw_bar(view, items, body, from, to);
        }
    }
}

static void draw_bars(DrawView* view, DrawItems* items)
{
    const utModel* model = view->trace->model;
    for (int b = 1; b < model->nbody; b++) {
        if (!draw_is_moving(model, b)) {
            continue;
        }
        if (model->body[b].geoms > 0) {
            draw_rods_of_balls(view, items, b);
            continue;
        }
        utVec3 end[MAX_ENDS];
        const int ends = draw_bar_ends(view->kin, b, end, MAX_ENDS);
        const utVec3 com = view->kin->com[b];
        if (ends == 0 || !(model->body[b].mass > 0.0)) {
            draw_particle(view, items, b);
        } else if (ends == 2) {
            draw_bar(view, items, b, end[0], end[1]);
        } else {
            for (int k = 0; k < ends; k++) {
                draw_bar(view, items, b, com, end[k]);
            }
        }
    }
}

// ---- springs and tendons ------------------------------------------------------------------------

static void draw_spring(DrawView* view, DrawItems* items, utVec3 from, utVec3 to)
{
    enum { TURNS = 9 };
    Svg* svg = &items->svg;
    const DrawPlace p = draw_place(view->camera, from);
    const DrawPlace q = draw_place(view->camera, to);
    const double far = sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
    if (!(far > 1.0)) {
        return;
    }
    const DrawPlace u = {(q.x - p.x) / far, (q.y - p.y) / far};
    draw_item_begin(items);
    begin_path(svg, "none", ink(view), 1.4);
    write_place(svg, "M", p);
    for (int k = 0; k <= 2 * TURNS; k++) {
        const double along = far * (0.16 + 0.68 * k / (2.0 * TURNS));
        const double across = k == 0 || k == 2 * TURNS ? 0.0 : k % 2 == 1 ? 6.0 : -6.0;
        write_place(
            svg, "L",
            (DrawPlace){p.x + along * u.x - across * u.y, p.y + along * u.y + across * u.x});
    }
    write_place(svg, "L", q);
    end_path(svg);
    end_line_item(items, from, to, 6.0);
    for (int k = 1; k < 8; k++) {
        draw_keep_free(view, (DrawPlace){p.x + far * u.x * k / 8.0, p.y + far * u.y * k / 8.0},
                       7.0);
    }
}

static void draw_string(DrawView* view, DrawItems* items, utVec3 from, utVec3 to)
{
    Svg* svg = &items->svg;
    draw_item_begin(items);
    begin_path(svg, "none", "#8a5a2b", 1.6);
    write_place(svg, "M", draw_place(view->camera, from));
    write_place(svg, "L", draw_place(view->camera, to));
    end_path(svg);
    end_line_item(items, from, to, 1.0);
}

// Springs between sites, and tendons as straight lines between the sites of their path.
static void draw_springs(DrawView* view, DrawItems* items)
{
    const utModel* model = view->trace->model;
    for (int k = 0; k < model->nspring; k++) {
        draw_spring(view, items, ut_site_position(view->kin, model->spring[k].site1),
                    ut_site_position(view->kin, model->spring[k].site2));
    }
    for (int t = 0; t < model->ntendon; t++) {
        const utModelTendon* tendon = &model->tendon[t];
        int last = -1;
        for (int w = 0; w < tendon->wraps && tendon->kind == UT_TENDON_SPATIAL; w++) {
            const utWrap* wrap = &tendon->wrap[w];
            if (wrap->kind == UT_WRAP_SITE && last >= 0) {
                draw_string(view, items, ut_site_position(view->kin, last),
                            ut_site_position(view->kin, wrap->object));
            }
            last = wrap->kind == UT_WRAP_SITE     ? wrap->object
                   : wrap->kind == UT_WRAP_PULLEY ? -1
                                                  : last;
        }
    }
}

utStatus draw_bodies(DrawView* view, utError* err)
{
    const utModel* model = view->trace->model;
    DrawItems items = {.camera = view->camera, .memory = view->memory};
    for (int g = 0; g < model->ngeom; g++) {
        if (draw_is_moving(model, model->geom[g].body) || draw_shows(view, DRAW_FIXED)) {
            draw_geom(view, &items, g);
        }
    }
    draw_bars(view, &items);
    if (draw_shows(view, DRAW_SPRINGS)) {
        draw_springs(view, &items);
    }
    const utStatus status = draw_items_write(&items, view->svg, err);
    draw_items_free(&items);
    return status;
}
