// Do contacts lie between the shapes they name?
//
// With p the contact's point, n its normal and g its gap, p - g n / 2 is on the surface of the
// first shape and p + g n / 2 on that of the second; and n is a normal of one of them there: the
// first shape has no point further along n, or the second none further against it. This is found
// from the shapes' own distances and supports, not by asking the collision module again. Of a mesh
// or a height field only what meets at the point counts there: it need not be convex elsewhere.
#include "internal.h"

static const double ORTHONORMAL = 1e-12; // how far the axes of a contact may be from that

// ---- one shape, in its own frame ----------------------------------------------------------------

static double clamp(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

// Signed distance of a point from the surface, negative within.
static double box_distance(utVec3 half, utVec3 x)
{
    const utVec3 out =
        ut_vec3(x.x - clamp(x.x, half.x), x.y - clamp(x.y, half.y), x.z - clamp(x.z, half.z));
    const double outside = ut_vec3_norm(out);
    if (outside > 0.0) {
        return outside;
    }
    return fmax(fmax(fabs(x.x) - half.x, fabs(x.y) - half.y), fabs(x.z) - half.z);
}

// the same of the flat figure that a cylinder is made of: r from its axis, z along it
static double cylinder_distance(double radius, double half, utVec3 x)
{
    const double r = sqrt(x.x * x.x + x.y * x.y) - radius;
    const double z = fabs(x.z) - half;
    return r > 0.0 && z > 0.0 ? sqrt(r * r + z * z) : fmax(r, z);
}

// With F = |x / size|^2 - 1 the distance is |F| / |grad F| to first order, and that is what is
// asked: a point for which the orders differ is far off.
static double ellipsoid_distance(utVec3 size, utVec3 x)
{
    const utVec3 e = ut_vec3(x.x / size.x, x.y / size.y, x.z / size.z);
    const utVec3 slope = ut_vec3(e.x / size.x, e.y / size.y, e.z / size.z);
    const double steep = 2.0 * ut_vec3_norm(slope);
    return steep > 0.0 ? fabs(ut_vec3_dot(e, e) - 1.0) / steep : HUGE_VAL;
}

// ---- triangles ----------------------------------------------------------------------------------

typedef struct Triangle {
    utVec3 v[3];
    utVec3 normal; // unit
} Triangle;

static double segment_distance(utVec3 a, utVec3 b, utVec3 x)
{
    const utVec3 along = ut_vec3_sub(b, a), from = ut_vec3_sub(x, a);
    const double square = ut_vec3_dot(along, along);
    const double t = square > 0.0 ? ut_vec3_dot(from, along) / square : 0.0;
    const double within = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return ut_vec3_norm(ut_vec3_add_scaled(from, -within, along));
}

// To the plane where x is above or below the triangle, else to the nearest side.
static double triangle_distance(const Triangle* t, utVec3 x)
{
    bool inside = true;
    double nearest = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const utVec3 a = t->v[k], b = t->v[(k + 1) % 3];
        const utVec3 inward = ut_vec3_cross(t->normal, ut_vec3_sub(b, a));
        inside = inside && ut_vec3_dot(inward, ut_vec3_sub(x, a)) >= 0.0;
        nearest = fmin(nearest, segment_distance(a, b, x));
    }
    return inside ? fabs(ut_vec3_dot(t->normal, ut_vec3_sub(x, t->v[0]))) : nearest;
}

static double triangle_size(const Triangle* t)
{
    return fmax(fmax(ut_vec3_norm(ut_vec3_sub(t->v[1], t->v[0])),
                     ut_vec3_norm(ut_vec3_sub(t->v[2], t->v[1]))),
                ut_vec3_norm(ut_vec3_sub(t->v[0], t->v[2])));
}

// All faces of a hull, as triangles from their first corner.
static double hull_distance(const utHull* hull, utVec3 x)
{
    double nearest = HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const int* corner = hull->face_vertex + hull->face_start[f];
        const int corners = hull->face_start[f + 1] - hull->face_start[f];
        if (fabs(ut_vec3_dot(hull->normal[f], x) - hull->offset[f]) >= nearest) {
            continue;
        }
        for (int k = 1; k + 1 < corners; k++) {
            const Triangle t = {
                {hull->vertex[corner[0]], hull->vertex[corner[k]], hull->vertex[corner[k + 1]]},
                hull->normal[f]};
            nearest = fmin(nearest, triangle_distance(&t, x));
        }
    }
    return nearest;
}

static double hull_support(const utHull* hull, utVec3 n)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        most = fmax(most, ut_vec3_dot(n, hull->vertex[i]));
    }
    return most;
}

// ---- surfaces -----------------------------------------------------------------------------------

// A mesh or a height field near a point, as far as it is known.
typedef struct Spot {
    utVec3 x, n;
    double distance; // to the nearest triangle
    double face;     // how far n is from the normal of a triangle that x is on, times its size
    double around;   // how far any of the triangles that x is on reaches beyond x along n
    bool outward;    // n points out of one of them
} Spot;

// How near a triangle must be for x to be on it, of its size: what collision takes for equal, and
// tenfold that.
static const double ON = 1e-7;

static void visit(Spot* spot, const Triangle* t)
{
    const double distance = triangle_distance(t, spot->x);
    spot->distance = fmin(spot->distance, distance);
    const double size = triangle_size(t);
    if (!(distance <= ON * size)) {
        return;
    }
    spot->face = fmin(spot->face, size * ut_vec3_norm(ut_vec3_sub(spot->n, t->normal)));
    spot->outward = spot->outward || ut_vec3_dot(spot->n, t->normal) >= 0.0;
    for (int k = 0; k < 3; k++) {
        const double beyond = ut_vec3_dot(spot->n, ut_vec3_sub(t->v[k], spot->x));
        spot->around = fmax(spot->around, beyond);
    }
}

static void visit_mesh(Spot* spot, const utMesh* mesh)
{
    for (int i = 0; i < mesh->triangles; i++) {
        const int* corner = mesh->triangle + (size_t)3 * (size_t)i;
        const Triangle t = {
            {mesh->vertex[corner[0]], mesh->vertex[corner[1]], mesh->vertex[corner[2]]},
            mesh->normal[i]};
        const double off_plane = ut_vec3_dot(t.normal, ut_vec3_sub(spot->x, t.v[0]));
        if (fabs(off_plane) <= fmax(spot->distance, ON * triangle_size(&t))) {
            visit(spot, &t);
        }
    }
}

static utVec3 grid_point(const utShape* shape, int column, int row)
{
    const utHeights* heights = shape->heights;
    const double across = (double)column / (heights->columns - 1);
    const double up = (double)row / (heights->rows - 1);
    return ut_vec3((2.0 * across - 1.0) * shape->size.x, (2.0 * up - 1.0) * shape->size.y,
                   heights->height[(size_t)row * (size_t)heights->columns + (size_t)column]);
}

static void visit_cell(Spot* spot, const utShape* shape, int column, int row)
{
    const utVec3 low = grid_point(shape, column, row);
    const utVec3 high = grid_point(shape, column + 1, row + 1);
    for (int k = 0; k < 2; k++) {
        const utVec3 side =
            k == 0 ? grid_point(shape, column + 1, row) : grid_point(shape, column, row + 1);
        Triangle t = {{low, k == 0 ? side : high, k == 0 ? high : side}, ut_vec3_zero()};
        const utVec3 up = ut_vec3_cross(ut_vec3_sub(t.v[1], low), ut_vec3_sub(t.v[2], low));
        if (ut_vec3_normalize(up, &t.normal)) {
            visit(spot, &t);
        }
    }
}

// The cell below x and those around it: a point that is on another one is not on the surface.
static void visit_heights(Spot* spot, const utShape* shape)
{
    const int columns = shape->heights->columns - 1, rows = shape->heights->rows - 1;
    const double across = 0.5 * (clamp(spot->x.x / shape->size.x, 1.0) + 1.0) * columns;
    const double up = 0.5 * (clamp(spot->x.y / shape->size.y, 1.0) + 1.0) * rows;
    if (!(across >= 0.0 && up >= 0.0)) {
        return;
    }
    const int column = (int)across, row = (int)up;
    for (int j = row - 1; j <= row + 1; j++) {
        for (int i = column - 1; i <= column + 1; i++) {
            if (i >= 0 && i < columns && j >= 0 && j < rows) {
                visit_cell(spot, shape, i, j);
            }
        }
    }
}

static Spot spot_of(const utShape* shape, utVec3 x, utVec3 n)
{
    Spot spot = {.x = x, .n = n, .distance = HUGE_VAL, .face = HUGE_VAL};
    if (shape->kind == UT_SHAPE_MESH) {
        visit_mesh(&spot, shape->mesh);
    } else {
        visit_heights(&spot, shape);
    }
    return spot;
}

// How far n is from what may touch at x: the normal of a triangle there, or, at an edge or a
// vertex, a direction along which none of the triangles around it reaches further.
static double spot_slant(const Spot* spot)
{
    return fmin(spot->face, spot->outward ? spot->around : HUGE_VAL);
}

// ---- any shape ----------------------------------------------------------------------------------

// How far x is from where the outward unit normal n may touch a convex shape or a plane. A round
// shape is touched where a ball about a point of its core has the normal n: of a capsule that lies
// askew this can be within it, and holds all the same.
static double surface_distance(const utShape* shape, utVec3 x, utVec3 n)
{
    const utVec3 core = ut_vec3_add_scaled(x, -shape->size.x, n);
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        return fabs(x.z);
    case UT_SHAPE_SPHERE:
        return ut_vec3_norm(core);
    case UT_SHAPE_CAPSULE:
        return ut_vec3_norm(ut_vec3(core.x, core.y, core.z - clamp(core.z, shape->size.y)));
    case UT_SHAPE_BOX:
        return fabs(box_distance(shape->size, x));
    case UT_SHAPE_CYLINDER:
        return fabs(cylinder_distance(shape->size.x, shape->size.y, x));
    case UT_SHAPE_ELLIPSOID:
        return ellipsoid_distance(shape->size, x);
    case UT_SHAPE_HULL:
        return hull_distance(shape->hull, x);
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

// The largest n . x over a convex shape or a plane, for a unit n.
static double support(const utShape* shape, utVec3 n)
{
    const utVec3 s = shape->size;
    switch (shape->kind) {
    case UT_SHAPE_PLANE:
        // finite along its normal alone
        return n.z > 0.0 && fabs(n.x) + fabs(n.y) <= ORTHONORMAL ? 0.0 : HUGE_VAL;
    case UT_SHAPE_SPHERE:
        return s.x;
    case UT_SHAPE_CAPSULE:
        return s.x + s.y * fabs(n.z);
    case UT_SHAPE_BOX:
        return s.x * fabs(n.x) + s.y * fabs(n.y) + s.z * fabs(n.z);
    case UT_SHAPE_CYLINDER:
        return s.x * sqrt(n.x * n.x + n.y * n.y) + s.y * fabs(n.z);
    case UT_SHAPE_ELLIPSOID:
        return ut_vec3_norm(ut_vec3(s.x * n.x, s.y * n.y, s.z * n.z));
    case UT_SHAPE_HULL:
        return hull_support(shape->hull, n);
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return HUGE_VAL;
}

typedef struct Fit {
    double distance; // of a point from the surface
    double slant;    // how much further the shape reaches along the normal
} Fit;

static Fit fit_of(const utShape* shape, utVec3 x, utVec3 n)
{
    if (shape->kind == UT_SHAPE_MESH || shape->kind == UT_SHAPE_HEIGHTS) {
        const Spot spot = spot_of(shape, x, n);
        return (Fit){spot.distance, spot_slant(&spot)};
    }
    return (Fit){surface_distance(shape, x, n), fabs(support(shape, n) - ut_vec3_dot(n, x))};
}

// ---- one contact --------------------------------------------------------------------------------

static utFrame geom_frame(const Judge* judge, int geom)
{
    const utModelGeom* g = &judge->model->geom[geom];
    return ut_frame_mul(judge->touch.body[g->body], g->in_body);
}

// What an error is compared with: the size of what moves. A surface may be a whole landscape.
static double geom_size(const Judge* judge, int geom)
{
    const utShape* shape = &judge->model->geom[geom].shape;
    return ut_shape_is_convex(shape->kind) ? ut_shape_radius(shape) : 0.0;
}

static bool frame_orthonormal(const utVec3* axis)
{
    const utVec3 third = ut_vec3_sub(ut_vec3_cross(axis[0], axis[1]), axis[2]);
    return fabs(ut_vec3_norm(axis[0]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_norm(axis[1]) - 1.0) <= ORTHONORMAL &&
           fabs(ut_vec3_dot(axis[0], axis[1])) <= ORTHONORMAL &&
           ut_vec3_norm(third) <= 2.0 * ORTHONORMAL;
}

static double contact_distance(const Judge* judge, const utContact* c)
{
    if (!frame_orthonormal(c->frame)) {
        return HUGE_VAL;
    }
    const int point = ut_certify_point(judge, c);
    if (point >= 0) {
        return ut_certify_point_distance(judge, c, point);
    }
    const int geoms[2] = {c->geom1, c->geom2};
    double off = 0.0;              // from the surfaces
    double slanted[2];             // how much further the shapes reach along the normal
    double size = fabs(c->gap);    // of the shapes
    double rounding = DBL_EPSILON; // of coordinates
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        const utFrame at = geom_frame(judge, geoms[side]);
        const utShape* shape = &judge->model->geom[geoms[side]].shape;
        const utVec3 touched = ut_vec3_add_scaled(c->point, -0.5 * sign * c->gap, c->frame[0]);
        const utVec3 x = ut_frame_point_inverse(at, touched);
        const utVec3 n = ut_mat3_tmul_vec(at.R, ut_vec3_scale(c->frame[0], sign));
        const Fit fit = fit_of(shape, x, n);
        off = larger(off, fit.distance);
        slanted[side] = fit.slant;
        size += geom_size(judge, geoms[side]);
        rounding += 16.0 * DBL_EPSILON * (ut_vec3_norm(c->point) + ut_vec3_norm(at.p));
    }
    off = larger(off, slanted[0] < slanted[1] ? slanted[0] : slanted[1]);
    return off <= rounding ? 0.0 : off / size;
}

double ut_certify_geometry(const Judge* judge)
{
    const bool planar = judge->model->options.planar != UT_PLANAR_NONE;
    double most = 0.0;
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        most =
            larger(most, planar ? ut_certify_flat_distance(judge, c) : contact_distance(judge, c));
    }
    return most;
}
