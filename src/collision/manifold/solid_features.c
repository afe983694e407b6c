// SPDX-License-Identifier: Apache-2.0
// One shape of a pair: its support and its feature numbers.
#include "manifold.h"

static void prepare(const utShape* shape, utFrame at, Solid* solid)
{
    solid->shape = shape;
    solid->at = at;
    solid->convex = ut_convex(shape, at);
    ut_core_of_shape(shape, &solid->core);
    if (shape->kind == UT_SHAPE_CYLINDER || shape->kind == UT_SHAPE_ELLIPSOID) {
        solid->core.radius = 0.0;
        solid->core.hull.vertices = solid->core.hull.edges = 0;
    }
    // a hull that consists of points only has no faces
    if (solid->core.hull.face_start == NULL || solid->core.hull.edge_face == NULL) {
        solid->core.hull.faces = 0;
    }
}

void ut_solid_pair(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                   double margin, SolidPair* pair)
{
    const utFrame AB = {ut_mat3_mul(ut_mat3_transpose(A->R), B->R),
                        ut_mat3_tmul_vec(A->R, ut_vec3_sub(B->p, A->p))};
    prepare(a, ut_frame_identity(), &pair->a);
    prepare(b, AB, &pair->b);
    pair->margin = margin;
    pair->size = pair->a.convex.size + pair->b.convex.size + ut_vec3_norm(AB.p);
    pair->slop = 0.5 * UT_FEATURE_SLOP * (pair->a.convex.size + pair->b.convex.size);
}

double ut_solid_reach(const Solid* solid, utVec3 d)
{
    int id;
    return ut_vec3_dot(d, ut_convex_support(&solid->convex, d, &id)) + solid->convex.radius;
}

// ---- feature numbers ----------------------------------------------------------------------------

int ut_solid_corner(const Solid* solid, int i)
{
    switch (solid->shape->kind) {
    case UT_SHAPE_BOX:
        return ut_box_corner_feature(i);
    case UT_SHAPE_HULL:
        return 3 * i + 1;
    case UT_SHAPE_CAPSULE:
        return i == 0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH;
    default:
        return ROUND_FEATURE;
    }
}

int ut_solid_edge(const Solid* solid, int i)
{
    if (solid->shape->kind == UT_SHAPE_BOX) {
        // the digits of both ends without the digit of the edge's axis
        const utHull* hull = &solid->core.hull;
        const int tail = hull->edge_vertex[2 * i], along = tail ^ hull->edge_vertex[2 * i + 1];
        return ut_box_corner_feature(tail) - (along == 1 ? 1 : along == 2 ? 3 : 9);
    }
    return solid->shape->kind == UT_SHAPE_HULL ? 3 * i + 2 : CAPSULE_SHAFT;
}

int ut_solid_face(const Solid* solid, int i)
{
    if (solid->shape->kind == UT_SHAPE_BOX) {
        return ut_box_digit(i / 2, i % 2 == 0 ? -1.0 : 1.0);
    }
    return 3 * i + 3;
}

// ---- the feature that holds a point -------------------------------------------------------------

static int nearest_corner(const utHull* hull, utVec3 x)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        const double distance = ut_vec3_norm(ut_vec3_sub(hull->vertex[i], x));
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static int edge_between(const utHull* hull, int f, int g)
{
    for (int i = 0; i < hull->edges; i++) {
        const int left = hull->edge_face[2 * i], right = hull->edge_face[2 * i + 1];
        if ((left == f && right == g) || (left == g && right == f)) {
            return i;
        }
    }
    return -1;
}

// One face within the slop: a face; two: an edge; more: a corner.
static int polyhedron_feature(const Solid* solid, utVec3 x, double slop)
{
    const utHull* hull = &solid->core.hull;
    int count = 0, face[2] = {0, 0}, highest = 0;
    double most = -HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const double height = ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
        if (height > most) {
            most = height;
            highest = f;
        }
        if (height >= -slop) {
            face[count < 2 ? count : 1] = f;
            count++;
        }
    }
    if (hull->faces > 0 && count <= 1) {
        return ut_solid_face(solid, highest);
    }
    const int edge = count == 2 ? edge_between(hull, face[0], face[1]) : -1;
    return edge >= 0 ? ut_solid_edge(solid, edge) : ut_solid_corner(solid, nearest_corner(hull, x));
}

int ut_cylinder_feature(const utShape* shape, utVec3 x, double slop)
{
    const int upper = x.z < 0.0 ? 0 : 1;
    const bool cap = fabs(x.z) >= shape->size.y - slop;
    const bool side = sqrt(x.x * x.x + x.y * x.y) >= shape->size.x - slop;
    return !cap ? CYLINDER_SIDE : side ? CYLINDER_RIM + upper : CYLINDER_CAP + upper;
}

int ut_solid_feature(const Solid* solid, utVec3 x, double slop)
{
    const utVec3 local = ut_frame_point_inverse(solid->at, x);
    const double half = solid->shape->size.y;
    switch (solid->shape->kind) {
    case UT_SHAPE_BOX:
    case UT_SHAPE_HULL:
        return polyhedron_feature(solid, local, slop);
    case UT_SHAPE_CYLINDER:
        return ut_cylinder_feature(solid->shape, local, slop);
    case UT_SHAPE_CAPSULE:
        return local.z <= slop - half   ? CAPSULE_END_LOW
               : local.z >= half - slop ? CAPSULE_END_HIGH
                                        : CAPSULE_SHAFT;
    default:
        return ROUND_FEATURE;
    }
}

bool ut_solid_face_holds(const Solid* solid, int f, utVec3 x, double slop)
{
    const utHull* hull = &solid->core.hull;
    const int start = hull->face_start[f], end = hull->face_start[f + 1];
    for (int k = start; k < end; k++) {
        const utVec3 p = hull->vertex[hull->face_vertex[k]];
        const utVec3 q = hull->vertex[hull->face_vertex[k + 1 < end ? k + 1 : start]];
        const utVec3 along = ut_vec3_sub(q, p);
        const double out = ut_vec3_dot(ut_vec3_cross(along, hull->normal[f]), ut_vec3_sub(x, p));
        if (!(out <= slop * ut_vec3_norm(along))) {
            return false;
        }
    }
    return true;
}

// ---- points of a cylinder -----------------------------------------------------------------------

// Upright: eight fixed points of the cap. Otherwise the farthest points of both rims, and two more
// points of the nearer rim, a third of a turn away.
RimPoints ut_rim_points(const utShape* cylinder, utVec3 d)
{
    static const double c[4] = {1.0, 0.0, -1.0, 0.0}, s[4] = {0.0, 1.0, 0.0, -1.0};
    static const double eighth = 0.70710678118654752;
    const double r = cylinder->size.x, across = sqrt(d.x * d.x + d.y * d.y);
    const int cap = d.z < 0.0 ? 0 : 1;
    const double z = cap == 0 ? -cylinder->size.y : cylinder->size.y;
    RimPoints rim = {.upright = across <= UT_UPRIGHT_SINE, .cap = cap, .count = 4};
    if (rim.upright) {
        for (int i = 0; i < 4; i++) {
            rim.x[i] = ut_vec3(r * c[i], r * s[i], z);
            rim.x[4 + i] = ut_vec3(r * eighth * (c[i] - s[i]), r * eighth * (c[i] + s[i]), z);
            rim.feature[i] = CYLINDER_RIM_AXIS + 4 * cap + i;
            rim.feature[4 + i] = CYLINDER_RIM_BETWEEN + 4 * cap + i;
        }
        rim.count = 8;
        return rim;
    }
    const double x = d.x / across, y = d.y / across;
    const double half = 0.5, third = 0.86602540378443865;
    rim.x[0] = ut_vec3(r * x, r * y, z);
    rim.x[1] = ut_vec3(r * x, r * y, -z);
    rim.feature[0] = CYLINDER_RIM_LOWEST + cap;
    rim.feature[1] = CYLINDER_RIM_LOWEST + 1 - cap;
    for (int i = 0; i < 2; i++) {
        const double t = i == 0 ? third : -third;
        rim.x[2 + i] = ut_vec3(r * (-half * x - t * y), r * (t * x - half * y), z);
        rim.feature[2 + i] = CYLINDER_RIM_THIRD + 2 * cap + i;
    }
    return rim;
}
