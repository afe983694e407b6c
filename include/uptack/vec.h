// SPDX-License-Identifier: Apache-2.0
/// @file vec.h
/// Vectors, matrices and quaternions in space, and the spatial algebra of rigid bodies. Everything is
/// double and passed by value. All functions except the four of angles are in this header.
///
/// The functions use + - * / and square roots in a fixed order, so with -ffp-contract=off they give the
/// same bits on every IEEE machine. They may be called from several threads at once.
#ifndef UPTACK_VEC_H
#define UPTACK_VEC_H

#include <float.h>
#include <math.h>
#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- angles -------------------------------------------------------------------------------------

/// Sine and cosine of any finite x in radians, within 0.6 units in the last place and with the same
/// bits on every machine. NaN for an infinity or a NaN; sin(-0) is -0.
UT_API double ut_sin(double x);
UT_API double ut_cos(double x);

/// Both at once, with the bits of ut_sin and ut_cos.
UT_API void ut_sincos(double x, double* sine, double* cosine);

/// The angle of the point (x, y) in [-pi, pi], within 0.6 units in the last place, with the special
/// cases of C's Annex F: the sign is that of y, zeros and infinities included.
UT_API double ut_atan2(double y, double x);

// ---- vectors ------------------------------------------------------------------------------------

typedef struct utVec3 {
    double x, y, z;
} utVec3;

static inline utVec3 ut_vec3(double x, double y, double z)
{
    utVec3 a = {x, y, z};
    return a;
}

static inline utVec3 ut_vec3_zero(void)
{
    return ut_vec3(0.0, 0.0, 0.0);
}

static inline utVec3 ut_vec3_add(utVec3 a, utVec3 b)
{
    return ut_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline utVec3 ut_vec3_sub(utVec3 a, utVec3 b)
{
    return ut_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline utVec3 ut_vec3_negate(utVec3 a)
{
    return ut_vec3(-a.x, -a.y, -a.z);
}

static inline utVec3 ut_vec3_scale(utVec3 a, double s)
{
    return ut_vec3(a.x * s, a.y * s, a.z * s);
}

/// a + s b
static inline utVec3 ut_vec3_add_scaled(utVec3 a, double s, utVec3 b)
{
    return ut_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double ut_vec3_dot(utVec3 a, utVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline utVec3 ut_vec3_cross(utVec3 a, utVec3 b)
{
    return ut_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// |a|, for entries between 1e-150 and 1e150, whose squares neither overflow nor underflow
static inline double ut_vec3_norm(utVec3 a)
{
    return sqrt(ut_vec3_dot(a, a));
}

/// unit = a / |a|, over the whole range of a double.
/// @return false, with unit = 0, when a is zero or has an entry that is not finite
static inline bool ut_vec3_normalize(utVec3 a, utVec3* unit)
{
    double largest = fabs(a.x);
    largest = fabs(a.y) > largest ? fabs(a.y) : largest;
    largest = fabs(a.z) > largest ? fabs(a.z) : largest;
    *unit = ut_vec3_zero();
    // the comparisons may miss a NaN, but the sum does not
    if (!(largest > 0.0 && largest <= DBL_MAX) || isnan(a.x + a.y + a.z)) {
        return false;
    }
    utVec3 b = ut_vec3(a.x / largest, a.y / largest, a.z / largest);
    double norm = ut_vec3_norm(b);
    *unit = ut_vec3(b.x / norm, b.y / norm, b.z / norm);
    return true;
}

/// Two unit tangents of the plane with unit normal n; (n, t1, t2) is right-handed. t1 is world x (world
/// y when |n.x| > 0.9) projected on the plane and normalized, t2 = n x t1.
static inline void ut_tangent_basis(utVec3 n, utVec3* t1, utVec3* t2)
{
    bool steep = fabs(n.x) > 0.9;
    utVec3 axis = steep ? ut_vec3(0.0, 1.0, 0.0) : ut_vec3(1.0, 0.0, 0.0);
    double along = steep ? n.y : n.x;
    ut_vec3_normalize(ut_vec3_add_scaled(axis, -along, n), t1);
    *t2 = ut_vec3_cross(n, *t1);
}

// ---- 3 x 3 matrices -----------------------------------------------------------------------------

typedef struct utMat3 {
    double m[3][3]; ///< m[row][column]
} utMat3;

static inline utMat3 ut_mat3_diagonal(utVec3 d)
{
    utMat3 A = {{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}};
    return A;
}

static inline utMat3 ut_mat3_zero(void)
{
    return ut_mat3_diagonal(ut_vec3_zero());
}

static inline utMat3 ut_mat3_identity(void)
{
    return ut_mat3_diagonal(ut_vec3(1.0, 1.0, 1.0));
}

static inline utMat3 ut_mat3_from_columns(utVec3 a, utVec3 b, utVec3 c)
{
    utMat3 A = {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
    return A;
}

static inline utVec3 ut_mat3_row(utMat3 A, int i)
{
    return ut_vec3(A.m[i][0], A.m[i][1], A.m[i][2]);
}

static inline utVec3 ut_mat3_column(utMat3 A, int j)
{
    return ut_vec3(A.m[0][j], A.m[1][j], A.m[2][j]);
}

static inline utMat3 ut_mat3_transpose(utMat3 A)
{
    return ut_mat3_from_columns(ut_mat3_row(A, 0), ut_mat3_row(A, 1), ut_mat3_row(A, 2));
}

static inline utMat3 ut_mat3_add(utMat3 A, utMat3 B)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] += B.m[i][j];
        }
    }
    return A;
}

static inline utMat3 ut_mat3_sub(utMat3 A, utMat3 B)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] -= B.m[i][j];
        }
    }
    return A;
}

static inline utMat3 ut_mat3_scale(utMat3 A, double s)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] *= s;
        }
    }
    return A;
}

/// A a
static inline utVec3 ut_mat3_mul_vec(utMat3 A, utVec3 a)
{
    return ut_vec3(A.m[0][0] * a.x + A.m[0][1] * a.y + A.m[0][2] * a.z,
                   A.m[1][0] * a.x + A.m[1][1] * a.y + A.m[1][2] * a.z,
                   A.m[2][0] * a.x + A.m[2][1] * a.y + A.m[2][2] * a.z);
}

/// A^T a
static inline utVec3 ut_mat3_tmul_vec(utMat3 A, utVec3 a)
{
    return ut_vec3(A.m[0][0] * a.x + A.m[1][0] * a.y + A.m[2][0] * a.z,
                   A.m[0][1] * a.x + A.m[1][1] * a.y + A.m[2][1] * a.z,
                   A.m[0][2] * a.x + A.m[1][2] * a.y + A.m[2][2] * a.z);
}

/// A B
static inline utMat3 ut_mat3_mul(utMat3 A, utMat3 B)
{
    utMat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C.m[i][j] = A.m[i][0] * B.m[0][j] + A.m[i][1] * B.m[1][j] + A.m[i][2] * B.m[2][j];
        }
    }
    return C;
}

/// a b^T
static inline utMat3 ut_mat3_outer(utVec3 a, utVec3 b)
{
    utMat3 A = {{{a.x * b.x, a.x * b.y, a.x * b.z},
                 {a.y * b.x, a.y * b.y, a.y * b.z},
                 {a.z * b.x, a.z * b.y, a.z * b.z}}};
    return A;
}

/// The matrix with skew(a) b = a x b
static inline utMat3 ut_mat3_skew(utVec3 a)
{
    utMat3 A = {{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
    return A;
}

static inline double ut_mat3_determinant(utMat3 A)
{
    return ut_vec3_dot(ut_mat3_row(A, 0), ut_vec3_cross(ut_mat3_row(A, 1), ut_mat3_row(A, 2)));
}

/// Inverse of a symmetric matrix, from its upper triangle; the result is exactly symmetric.
/// @return false, with inverse = 0, when the determinant is zero or not finite
static inline bool ut_mat3_inverse_symmetric(utMat3 A, utMat3* inverse)
{
    const double a = A.m[0][0], b = A.m[0][1], c = A.m[0][2];
    const double d = A.m[1][1], e = A.m[1][2], f = A.m[2][2];
    const double xx = d * f - e * e, xy = c * e - b * f, xz = b * e - c * d;
    const double yy = a * f - c * c, yz = b * c - a * e, zz = a * d - b * b;
    const double determinant = a * xx + b * xy + c * xz;
    *inverse = ut_mat3_zero();
    if (!(fabs(determinant) > 0.0 && fabs(determinant) <= DBL_MAX)) {
        return false;
    }
    utMat3 B = {{{xx / determinant, xy / determinant, xz / determinant},
                 {xy / determinant, yy / determinant, yz / determinant},
                 {xz / determinant, yz / determinant, zz / determinant}}};
    *inverse = B;
    return true;
}

// ---- quaternions --------------------------------------------------------------------------------

/// A rotation as a unit quaternion w + xi + yj + zk, Hamilton's product. q and -q are the same
/// rotation. A product p q rotates by q first, then by p.
typedef struct utQuat {
    double w, x, y, z;
} utQuat;

static inline utQuat ut_quat(double w, double x, double y, double z)
{
    utQuat q = {w, x, y, z};
    return q;
}

static inline utQuat ut_quat_identity(void)
{
    return ut_quat(1.0, 0.0, 0.0, 0.0);
}

static inline utQuat ut_quat_mul(utQuat p, utQuat q)
{
    return ut_quat(p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                   p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                   p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                   p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w);
}

/// The inverse rotation, for a unit quaternion.
static inline utQuat ut_quat_conjugate(utQuat q)
{
    return ut_quat(q.w, -q.x, -q.y, -q.z);
}

/// unit = q / |q|, for |q| between 1e-150 and 1e150.
/// @return false, with unit = 1, when |q| is zero or not finite
static inline bool ut_quat_normalize(utQuat q, utQuat* unit)
{
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    *unit = ut_quat_identity();
    if (!(norm > 0.0 && norm <= DBL_MAX)) {
        return false;
    }
    *unit = ut_quat(q.w / norm, q.x / norm, q.y / norm, q.z / norm);
    return true;
}

/// The vector a rotated by the unit quaternion q: q a q*.
static inline utVec3 ut_quat_rotate(utQuat q, utVec3 a)
{
    utVec3 v = ut_vec3(q.x, q.y, q.z);
    utVec3 t = ut_vec3_scale(ut_vec3_cross(v, a), 2.0);
    return ut_vec3_add(ut_vec3_add_scaled(a, q.w, t), ut_vec3_cross(v, t));
}

/// The vector a rotated by the inverse of q: q* a q.
static inline utVec3 ut_quat_rotate_inverse(utQuat q, utVec3 a)
{
    return ut_quat_rotate(ut_quat_conjugate(q), a);
}

/// The matrix R with R a = ut_quat_rotate(q, a), for a unit quaternion.
static inline utMat3 ut_quat_to_mat3(utQuat q)
{
    const double x = 2.0 * q.x, y = 2.0 * q.y, z = 2.0 * q.z;
    const double xx = x * q.x, yy = y * q.y, zz = z * q.z;
    const double xy = x * q.y, xz = x * q.z, yz = y * q.z;
    const double wx = x * q.w, wy = y * q.w, wz = z * q.w;
    utMat3 R = {{{1.0 - (yy + zz), xy - wz, xz + wy},
                 {xy + wz, 1.0 - (xx + zz), yz - wx},
                 {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
    return R;
}

/// The unit quaternion of a rotation matrix, the one of q and -q whose largest component is
/// positive (Shepperd, J. Guidance and Control 1, 1978: the square root is taken of the largest).
static inline utQuat ut_quat_from_mat3(utMat3 R)
{
    const double a = R.m[0][0], b = R.m[1][1], c = R.m[2][2];
    const double trace = a + b + c;
    // each of these is four times the square of a component, w x y z
    const double square[4] = {1.0 + trace, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c};
    const double zy = R.m[2][1], yz = R.m[1][2], xz = R.m[0][2];
    const double zx = R.m[2][0], yx = R.m[1][0], xy = R.m[0][1];
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        largest = square[i] > square[largest] ? i : largest;
    }
    utQuat q;
    if (largest == 0) {
        q = ut_quat(square[0], zy - yz, xz - zx, yx - xy);
    } else if (largest == 1) {
        q = ut_quat(zy - yz, square[1], yx + xy, xz + zx);
    } else if (largest == 2) {
        q = ut_quat(xz - zx, yx + xy, square[2], zy + yz);
    } else {
        q = ut_quat(yx - xy, xz + zx, zy + yz, square[3]);
    }
    ut_quat_normalize(q, &q);
    return q;
}

/// Rotation by `angle` radians about a unit axis.
static inline utQuat ut_quat_from_axis_angle(utVec3 axis, double angle)
{
    double s, c;
    ut_sincos(0.5 * angle, &s, &c);
    return ut_quat(c, s * axis.x, s * axis.y, s * axis.z);
}

/// Exponential map: rotation by |v| radians about v.
static inline utQuat ut_quat_exp(utVec3 v)
{
    const double square = ut_vec3_dot(v, v);
    const double angle = sqrt(square);
    double s, c;
    ut_sincos(0.5 * angle, &s, &c);
    // sin(angle / 2) / angle, by its series near angle = 0
    const double k =
        square < 1e-4 ? 0.5 - square * (1.0 / 48.0 - square * (1.0 / 3840.0)) : s / angle;
    return ut_quat(c, k * v.x, k * v.y, k * v.z);
}

/// Logarithm: the rotation vector v, |v| <= pi, with exp(v) = q or -q. Takes a unit quaternion.
static inline utVec3 ut_quat_log(utQuat q)
{
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    const utVec3 v = ut_vec3(sign * q.x, sign * q.y, sign * q.z);
    const double w = sign * q.w;
    const double sine = ut_vec3_norm(v);
    // angle / sin(angle / 2), by the series of the arc tangent near angle = 0
    double k;
    if (sine < 1e-3) {
        const double t = sine * sine / (w * w);
        k = 2.0 / w * (1.0 - t * (1.0 / 3.0 - t * (1.0 / 5.0)));
    } else {
        k = 2.0 * ut_atan2(sine, w) / sine;
    }
    return ut_vec3_scale(v, k);
}

/// The orientation q (body to world) after rotation for h seconds with the constant angular velocity
/// w_world (rad/s): exp(h w) q, normalized.
static inline utQuat ut_quat_integrate(utQuat q, utVec3 w_world, double h)
{
    ut_quat_normalize(ut_quat_mul(ut_quat_exp(ut_vec3_scale(w_world, h)), q), &q);
    return q;
}

/// The same for an angular velocity that is constant in the body: q exp(h w).
static inline utQuat ut_quat_integrate_body(utQuat q, utVec3 w_body, double h)
{
    ut_quat_normalize(ut_quat_mul(q, ut_quat_exp(ut_vec3_scale(w_body, h))), &q);
    return q;
}

// ---- frames -------------------------------------------------------------------------------------

/// The pose of frame B in frame A, written AB. The columns of R are the axes of B and p is the origin
/// of B, both in coordinates of A: a point is x_A = R x_B + p.
typedef struct utFrame {
    utMat3 R;
    utVec3 p; ///< m
} utFrame;

static inline utFrame ut_frame(utMat3 R, utVec3 p)
{
    utFrame AB = {R, p};
    return AB;
}

static inline utFrame ut_frame_identity(void)
{
    return ut_frame(ut_mat3_identity(), ut_vec3_zero());
}

/// x_A of a point from its x_B
static inline utVec3 ut_frame_point(utFrame AB, utVec3 x_B)
{
    return ut_vec3_add(ut_mat3_mul_vec(AB.R, x_B), AB.p);
}

/// x_B of a point from its x_A
static inline utVec3 ut_frame_point_inverse(utFrame AB, utVec3 x_A)
{
    return ut_mat3_tmul_vec(AB.R, ut_vec3_sub(x_A, AB.p));
}

/// AC from AB and BC
static inline utFrame ut_frame_mul(utFrame AB, utFrame BC)
{
    return ut_frame(ut_mat3_mul(AB.R, BC.R), ut_frame_point(AB, BC.p));
}

/// BA from AB
static inline utFrame ut_frame_inverse(utFrame AB)
{
    return ut_frame(ut_mat3_transpose(AB.R), ut_vec3_negate(ut_mat3_tmul_vec(AB.R, AB.p)));
}

// ---- spatial vectors ----------------------------------------------------------------------------

/// The twist of a rigid body in a frame: `linear` is the velocity of the body's point at the frame's
/// origin, `angular` is the body's angular velocity, both in the frame's axes.
typedef struct utMotion {
    utVec3 linear;  ///< m/s
    utVec3 angular; ///< rad/s
} utMotion;

/// The wrench on a rigid body in a frame: `torque` is about the frame's origin. Momenta have this type,
/// too.
typedef struct utForce {
    utVec3 force;  ///< N
    utVec3 torque; ///< N m
} utForce;

static inline utMotion ut_motion(utVec3 linear, utVec3 angular)
{
    utMotion a = {linear, angular};
    return a;
}

static inline utForce ut_force(utVec3 force, utVec3 torque)
{
    utForce f = {force, torque};
    return f;
}

static inline utMotion ut_motion_add(utMotion a, utMotion b)
{
    return ut_motion(ut_vec3_add(a.linear, b.linear), ut_vec3_add(a.angular, b.angular));
}

static inline utMotion ut_motion_sub(utMotion a, utMotion b)
{
    return ut_motion(ut_vec3_sub(a.linear, b.linear), ut_vec3_sub(a.angular, b.angular));
}

static inline utMotion ut_motion_scale(utMotion a, double s)
{
    return ut_motion(ut_vec3_scale(a.linear, s), ut_vec3_scale(a.angular, s));
}

static inline utForce ut_force_add(utForce f, utForce g)
{
    return ut_force(ut_vec3_add(f.force, g.force), ut_vec3_add(f.torque, g.torque));
}

static inline utForce ut_force_sub(utForce f, utForce g)
{
    return ut_force(ut_vec3_sub(f.force, g.force), ut_vec3_sub(f.torque, g.torque));
}

static inline utForce ut_force_scale(utForce f, double s)
{
    return ut_force(ut_vec3_scale(f.force, s), ut_vec3_scale(f.torque, s));
}

/// Power of a wrench on a twist in the same frame (W); it does not depend on the frame.
static inline double ut_force_power(utForce f, utMotion a)
{
    return ut_vec3_dot(f.force, a.linear) + ut_vec3_dot(f.torque, a.angular);
}

/// A twist in frame A, from the same twist in frame B.
static inline utMotion ut_motion_transform(utFrame AB, utMotion a_B)
{
    utVec3 angular = ut_mat3_mul_vec(AB.R, a_B.angular);
    utVec3 linear = ut_mat3_mul_vec(AB.R, a_B.linear);
    return ut_motion(ut_vec3_add(linear, ut_vec3_cross(AB.p, angular)), angular);
}

/// A twist in frame B, from the same twist in frame A.
static inline utMotion ut_motion_transform_inverse(utFrame AB, utMotion a_A)
{
    utVec3 linear = ut_vec3_sub(a_A.linear, ut_vec3_cross(AB.p, a_A.angular));
    return ut_motion(ut_mat3_tmul_vec(AB.R, linear), ut_mat3_tmul_vec(AB.R, a_A.angular));
}

/// A wrench in frame A, from the same wrench in frame B.
static inline utForce ut_force_transform(utFrame AB, utForce f_B)
{
    utVec3 force = ut_mat3_mul_vec(AB.R, f_B.force);
    utVec3 torque = ut_mat3_mul_vec(AB.R, f_B.torque);
    return ut_force(force, ut_vec3_add(torque, ut_vec3_cross(AB.p, force)));
}

/// A wrench in frame B, from the same wrench in frame A.
static inline utForce ut_force_transform_inverse(utFrame AB, utForce f_A)
{
    utVec3 torque = ut_vec3_sub(f_A.torque, ut_vec3_cross(AB.p, f_A.force));
    return ut_force(ut_mat3_tmul_vec(AB.R, f_A.force), ut_mat3_tmul_vec(AB.R, torque));
}

/// Rate of change of a twist b that is fixed in a body moving with a (crm(a) b).
static inline utMotion ut_motion_cross(utMotion a, utMotion b)
{
    return ut_motion(
        ut_vec3_add(ut_vec3_cross(a.angular, b.linear), ut_vec3_cross(a.linear, b.angular)),
        ut_vec3_cross(a.angular, b.angular));
}

/// Rate of change of a wrench f that is fixed in a body moving with a (crf(a) f = -crm(a)^T f).
static inline utForce ut_motion_cross_force(utMotion a, utForce f)
{
    return ut_force(
        ut_vec3_cross(a.angular, f.force),
        ut_vec3_add(ut_vec3_cross(a.angular, f.torque), ut_vec3_cross(a.linear, f.force)));
}

// ---- inertia ------------------------------------------------------------------------------------

/// The inertia of a rigid body in a frame.
typedef struct utInertia {
    double mass;    ///< kg
    utVec3 com;     ///< centre of mass in the frame, m
    utMat3 inertia; ///< symmetric, about the centre of mass in the frame's axes, kg m^2
} utInertia;

static inline utInertia ut_inertia(double mass, utVec3 com, utMat3 inertia)
{
    utInertia I = {mass, com, inertia};
    return I;
}

/// Inertia of a point mass at r about the origin: mass (|r|^2 1 - r r^T).
static inline utMat3 ut_mat3_point_inertia(double mass, utVec3 r)
{
    const double square = mass * ut_vec3_dot(r, r);
    return ut_mat3_sub(ut_mat3_diagonal(ut_vec3(square, square, square)),
                       ut_mat3_outer(ut_vec3_scale(r, mass), r));
}

/// Momentum of a body that moves with a: (linear momentum, angular momentum about the origin).
static inline utForce ut_inertia_mul(utInertia I, utMotion a)
{
    utVec3 v_com = ut_vec3_add(a.linear, ut_vec3_cross(a.angular, I.com));
    utVec3 momentum = ut_vec3_scale(v_com, I.mass);
    utVec3 spin = ut_mat3_mul_vec(I.inertia, a.angular);
    return ut_force(momentum, ut_vec3_add(spin, ut_vec3_cross(I.com, momentum)));
}

/// Kinetic energy of a body that moves with a (J).
static inline double ut_inertia_energy(utInertia I, utMotion a)
{
    utVec3 v_com = ut_vec3_add(a.linear, ut_vec3_cross(a.angular, I.com));
    utVec3 spin = ut_mat3_mul_vec(I.inertia, a.angular);
    return 0.5 * (I.mass * ut_vec3_dot(v_com, v_com) + ut_vec3_dot(a.angular, spin));
}

/// The inertia in frame A, from the same inertia in frame B.
static inline utInertia ut_inertia_transform(utFrame AB, utInertia I_B)
{
    utMat3 turned = ut_mat3_mul(ut_mat3_mul(AB.R, I_B.inertia), ut_mat3_transpose(AB.R));
    return ut_inertia(I_B.mass, ut_frame_point(AB, I_B.com), turned);
}

/// The inertia of two bodies welded together, all in the same frame. Without mass the centre is the
/// midpoint of the two centres.
static inline utInertia ut_inertia_add(utInertia I, utInertia J)
{
    const double mass = I.mass + J.mass;
    const double share = mass != 0.0 ? J.mass / mass : 0.5;
    utVec3 apart = ut_vec3_sub(J.com, I.com);
    utMat3 spin = ut_mat3_add(ut_mat3_add(I.inertia, J.inertia),
                              ut_mat3_point_inertia(I.mass * share, apart));
    return ut_inertia(mass, ut_vec3_add_scaled(I.com, share, apart), spin);
}

#ifdef __cplusplus
}
#endif

#endif
