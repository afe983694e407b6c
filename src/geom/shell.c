// SPDX-License-Identifier: Apache-2.0
// Mass properties of surfaces: a shape whose mass is spread evenly over its surface.
#include "internal.h"

#include "la/power.h"

static const double pi = 3.14159265358979323846;

// Area and moments for a density of 1 per area.
typedef struct Shell {
    double area;
    utVec3 moments;
} Shell;

static Shell sphere_shell(double r)
{
    const double area = 4.0 * pi * r * r;
    const double moment = 2.0 / 3.0 * area * r * r;
    return (Shell){area, ut_vec3(moment, moment, moment)};
}

// A tube, and two half spheres whose centres of mass are r/2 above their rims.
static Shell capsule_shell(double r, double half)
{
    const double tube = 4.0 * pi * r * half, caps = 4.0 * pi * r * r;
    const double arm = half + 0.5 * r;
    const double across =
        tube * (0.5 * r * r + half * half / 3.0) + caps * (5.0 / 12.0 * r * r + arm * arm);
    return (Shell){tube + caps, ut_vec3(across, across, (tube + 2.0 / 3.0 * caps) * r * r)};
}

static Shell cylinder_shell(double r, double half)
{
    const double tube = 4.0 * pi * r * half, discs = 2.0 * pi * r * r;
    const double across =
        tube * (0.5 * r * r + half * half / 3.0) + discs * (0.25 * r * r + half * half);
    return (Shell){tube + discs, ut_vec3(across, across, (tube + 0.5 * discs) * r * r)};
}

// Two rectangles across each axis: area A at distance a, extents 2b x 2c.
static Shell box_shell(utVec3 s)
{
    const double half[3] = {s.x, s.y, s.z};
    double area = 0.0, square[3] = {0.0, 0.0, 0.0}; // integrals of x^2, y^2, z^2
    for (int i = 0; i < 3; i++) {
        const double b = half[(i + 1) % 3], c = half[(i + 2) % 3];
        const double both = 8.0 * b * c;
        area += both;
        square[i] += both * half[i] * half[i];
        square[(i + 1) % 3] += both * b * b / 3.0;
        square[(i + 2) % 3] += both * c * c / 3.0;
    }
    return (Shell){area,
                   ut_vec3(square[1] + square[2], square[0] + square[2], square[0] + square[1])};
}

// MuJoCo's approximation: Thomsen's formula for the area (within 1.1 per cent), with the moments of
// the layer between the ellipsoid and one with slightly longer semi-axes, per mass of that layer.
static Shell ellipsoid_shell(utVec3 s)
{
    const double p = 1.6075;
    const double ab = s.x * s.y, ac = s.x * s.z, bc = s.y * s.z;
    const double mean = (ut_pow(ab, p) + ut_pow(ac, p) + ut_pow(bc, p)) / 3.0;
    const double area = 4.0 * pi * ut_pow(mean, 1.0 / p);
    // d/de of V (y^2 + z^2) / 5 over d/de of V, where V = 4/3 pi (x + e) (y + e) (z + e)
    const double relative = s.x * s.y * s.z / (ab + ac + bc);
    const utVec3 square =
        ut_vec3(s.x * s.x + 2.0 * relative * s.x, s.y * s.y + 2.0 * relative * s.y,
                s.z * s.z + 2.0 * relative * s.z);
    return (Shell){
        area, ut_vec3_scale(ut_vec3(square.y + square.z, square.x + square.z, square.x + square.y),
                            area / 5.0)};
}

// The triangles of a hull's faces: the integral of x x^T over one is A/12 (s s^T + a a^T + ...).
static utInertia hull_shell(const utHull* hull, double density)
{
    double area = 0.0;
    utVec3 first = ut_vec3_zero();
    utMat3 P = ut_mat3_zero();
    for (int f = 0; f < hull->faces; f++) {
        const int begin = hull->face_start[f];
        const utVec3 a = ut_vec3_sub(hull->vertex[hull->face_vertex[begin]], hull->center);
        for (int k = begin + 1; k + 1 < hull->face_start[f + 1]; k++) {
            const utVec3 b = ut_vec3_sub(hull->vertex[hull->face_vertex[k]], hull->center);
            const utVec3 c = ut_vec3_sub(hull->vertex[hull->face_vertex[k + 1]], hull->center);
            const double A =
                0.5 * ut_vec3_norm(ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(c, a)));
            const utVec3 s = ut_vec3_add(a, ut_vec3_add(b, c));
            const utMat3 squares =
                ut_mat3_add(ut_mat3_add(ut_mat3_outer(s, s), ut_mat3_outer(a, a)),
                            ut_mat3_add(ut_mat3_outer(b, b), ut_mat3_outer(c, c)));
            area += A;
            first = ut_vec3_add_scaled(first, A / 3.0, s);
            P = ut_mat3_add(P, ut_mat3_scale(squares, A / 12.0));
        }
    }
    const utVec3 com = ut_vec3_scale(first, 1.0 / area);
    P = ut_mat3_sub(P, ut_mat3_scale(ut_mat3_outer(com, com), area));
    const double trace = P.m[0][0] + P.m[1][1] + P.m[2][2];
    const utMat3 I = ut_mat3_sub(ut_mat3_diagonal(ut_vec3(trace, trace, trace)), P);
    return ut_inertia(density * area, ut_vec3_add(hull->center, com), ut_mat3_scale(I, density));
}

utInertia ut_shape_shell_inertia(const utShape* shape, double density)
{
    Shell shell = {0.0, ut_vec3_zero()};
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        shell = sphere_shell(shape->size.x);
        break;
    case UT_SHAPE_CAPSULE:
        shell = capsule_shell(shape->size.x, shape->size.y);
        break;
    case UT_SHAPE_CYLINDER:
        shell = cylinder_shell(shape->size.x, shape->size.y);
        break;
    case UT_SHAPE_BOX:
        shell = box_shell(shape->size);
        break;
    case UT_SHAPE_ELLIPSOID:
        shell = ellipsoid_shell(shape->size);
        break;
    case UT_SHAPE_HULL:
        return hull_shell(shape->hull, density);
    case UT_SHAPE_PLANE:
    case UT_SHAPE_MESH:
    case UT_SHAPE_HEIGHTS:
    case UT_SHAPE_KIND_COUNT:
        break;
    }
    return ut_inertia(density * shell.area, ut_vec3_zero(),
                      ut_mat3_diagonal(ut_vec3_scale(shell.moments, density)));
}
