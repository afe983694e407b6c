// SPDX-License-Identifier: Apache-2.0
/// @file lcp_problems.h
/// Generators of linear complementarity problems, for tests and benchmarks.
///
/// There are two kinds: families from the literature and random matrices of a class
/// (ut_lcp_family_create), and contact problems of free rigid bodies in the form of Stewart and Trinkle
/// (ut_contact_lcp_create). A problem depends only on its settings and its seed, with the same bits on
/// all machines. All memory comes from `keep`:
///
///     utContactLcpDef def = ut_contact_lcp_def();
///     def.contacts = 12;
///     def.seed = 7;
///     utArena keep;
///     ut_arena_create(0, NULL, &keep);
///     utContactLcp contact;
///     ut_contact_lcp_create(&def, &keep, &contact);   // contact.lcp has 12 (1 + 4 + 1) unknowns
///     ut_arena_destroy(&keep);
///
/// Functions may be called from several threads at once when each thread has its own arena.
#ifndef UPTACK_LCP_PROBLEMS_H
#define UPTACK_LCP_PROBLEMS_H

#include <uptack/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- families -----------------------------------------------------------------------------------

/// The families and their properties. e_i is a unit vector; indices begin with 1.
///
/// "planted" means q = w - M z for a random pair with z_i in [0.1, 1), w_i = 0 on about half of the
/// unknowns and z_i = 0, w_i in [0.1, 1) on the others, so that z solves the problem up to the
/// rounding of q.
typedef enum utLcpFamily {
    // Exponential for some pivoting rule; P-matrices, so the solution is unique. The seed is
    // unused.
    UT_LCP_MURTY_UPPER,        ///< 1 on the diagonal, 2 above; q = -1: z = e_n. Least-index
                               ///< principal pivoting takes 2^n - 1 pivots, Lemke 2
    UT_LCP_MURTY_LOWER,        ///< 1 on the diagonal, 2 below; q = -1: z = e_1. Lemke takes 2^n
    UT_LCP_MURTY_UPPER_GRADED, ///< as upper, q_i = -(2^(n+1) - 2^i): z = 2^n e_n. Both take about
                               ///< 2^n. n <= 52, so that q is exact
    UT_LCP_MURTY_LOWER_GRADED, ///< as lower with that q: z = (2^(n+1) - 2) e_1. n <= 52
    UT_LCP_FATHI,     ///< symmetric positive definite: L L' with L = Murty lower; q = -1: z = e_1
    UT_LCP_CSIZMADIA, ///< 1 on the diagonal, -1 below; q = -1: z_i = 2^(i-1). n <= 1000

    // Random matrices of a class.
    UT_LCP_DOMINANT, ///< strictly diagonally dominant by rows, positive diagonal, not symmetric:
                     ///< a P-matrix. Planted, unique
    UT_LCP_SKEW,     ///< as UT_LCP_SPD, plus a skew matrix of about the same norm: a P-matrix.
                     ///< Planted, unique
    UT_LCP_SPD,      ///< A A' / n + 0.01 I, A with entries in [-1, 1). Planted, unique
    UT_LCP_PSD, ///< A A' / n, A n x (n+1)/2: singular for n > 1. Planted; w = M z + q is unique,
                ///< z need not be
    UT_LCP_COPOSITIVE, ///< nonnegative with a positive diagonal, plus A A' / n of rank n/4:
                       ///< strictly copositive, so that some z exists for every q. q in [-1, 1)
    UT_LCP_DENSE,      ///< entries of M and q in [-1, 1): no, one or many solutions

    // A string over the floor z = 0, under a load that pushes it up in places.
    UT_LCP_OBSTACLE, ///< -1, 2, -1 on three diagonals (symmetric positive definite, condition
                     ///< number about 0.4 n^2); q constant on 8 stretches with either sign. Unique
    UT_LCP_FAMILY_COUNT
} utLcpFamily;

/// @return for example "murty-upper"; never NULL
UT_API const char* ut_lcp_family_name(utLcpFamily family);

/// A problem and its known properties. All arrays are in the arena of ut_lcp_family_create.
typedef struct utLcpProblem {
    utLcp lcp;       ///< plain: no free unknowns, no bounds
    const double* z; ///< n entries: a solution up to rounding; NULL when none is known
    bool unique;     ///< there is exactly one solution
} utLcpProblem;

/// Create the problem (family, n, seed).
/// @return UT_ERR_ARGUMENT for an n that is not positive or beyond the family's limit,
///         UT_ERR_CAPACITY when there is no memory; `problem` and `keep` are then unchanged
UT_API utStatus ut_lcp_family_create(utLcpFamily family, int n, uint64_t seed, utArena* keep,
                                     utLcpProblem* problem);

// ---- scenes of bodies in contact ----------------------------------------------------------------

/// A free rigid body at the start of a step: an axis-aligned box.
typedef struct utContactBody {
    double center[3];          ///< centre of mass, world, m
    double half[3];            ///< half extents, m
    double inverse_mass;       ///< 1/kg
    double inverse_inertia[3]; ///< about the world's axes, which are principal, 1/(kg m^2); 0 for
                               ///< a particle
    double v[6];               ///< v*: velocity of the centre (m/s), then angular velocity (rad/s),
                               ///< at the end of the step without contact impulses
} utContactBody;

/// A contact between two bodies. The normal points from `a` to `b` and the impulse acts on `b`,
/// its opposite on `a`.
typedef struct utContactPoint {
    int a;            ///< body, -1 for the ground, which does not move
    int b;            ///< body, other than a
    double point[3];  ///< world, m
    double normal[3]; ///< unit
    double mu;        ///< coefficient of friction, >= 0
    double gap_rate;  ///< gap / h, m/s
    int repeats;      ///< an earlier contact with the same bodies and plane, or -1
} utContactPoint;

typedef struct utContactScene {
    int body_count;
    const utContactBody* bodies;
    int contact_count;
    const utContactPoint* contacts;
} utContactScene;

/// How the bodies move when the step begins. Gravity acts on all of them during the step.
typedef enum utContactStart {
    UT_CONTACT_STICKING, ///< at rest
    UT_CONTACT_SLIPPING, ///< each velocity random
    UT_CONTACT_MIXED,    ///< each body either at rest or with a random velocity
    UT_CONTACT_START_COUNT
} utContactStart;

/// Settings of a random scene and its problem.
typedef struct utContactLcpDef {
    int contacts;   ///< at least 1, default 10
    int directions; ///< edges of the friction polygon: even, 2 ... 64, default 4; 0 leaves friction
                    ///< out
    int bodies; ///< default 0: between a third and half of the contacts. If there are more bodies
                ///< than contacts that repeat none, the last bodies have no contact
    double mass_ratio; ///< masses are log-uniform in [1, mass_ratio) kg, default 1e4
    double
        redundant; ///< share of contacts that repeat an earlier one: the same bodies and normal at
                   ///< another point of the plane, four contacts per face. A repeat makes the
                   ///< rows of normals and tangents dependent, a full face also the normals
                   ///< alone. In [0, 1), default 1/3
    double duplicates;    ///< share of the repeats at the same point, default 0.1
    double mu_min;        ///< friction, default 0.1
    double mu_max;        ///< default 1
    double smooth;        ///< share of contacts with mu = 0, default 0.1
    utContactStart start; ///< default UT_CONTACT_MIXED
    double speed;         ///< random velocities are in [-speed, speed) m/s and rad/s, default 1
    double fall;          ///< velocity that gravity adds in the step, h g, m/s, default 0.0981
    double open;          ///< share of contacts with a gap, default 0.2
    double gap_rate;      ///< their gap / h is in [0, gap_rate) m/s, default 0.2
    uint64_t seed;        ///< default 0
    uint32_t cookie;      ///< set by ut_contact_lcp_def()
} utContactLcpDef;

#define UT_CONTACT_LCP_DEF_COOKIE UT_COOKIE(21, 1) ///< value of utContactLcpDef.cookie

UT_API utContactLcpDef ut_contact_lcp_def(void);

/// Create a random scene. The first body touches the ground, each further one the ground or an earlier
/// body; the other contacts are with the ground or between boxes that overlap. Half of the normals are
/// axes of the world (faces of the boxes), the others are random. Every contact point is within the
/// extents of its bodies, half extents are in [0.05, 0.5) m, and the inertias are those of the boxes.
/// @return UT_ERR_DEF for a def with a bad value, UT_ERR_CAPACITY when there is no memory
UT_API utStatus ut_contact_scene_create(const utContactLcpDef* def, utArena* keep,
                                        utContactScene* scene);

// ---- Stewart-Trinkle problems -------------------------------------------------------------------

/// The contact problem of one step, for p contacts and d directions, n = p (1 + d + 1):
///
///         | N' W N   N' W D   0 |        | N' v* + gap/h |        | normal impulses    p   |
///     M = | D' W N   D' W D   E |    q = | D' v*         |    z = | friction impulses  p d |
///         | mu       -E'      0 |        | 0             |        | slip speeds        p   |
///
/// W is the inverse mass matrix, N and D hold the normals and the friction directions as wrenches
/// on the bodies, friction is ordered contact by contact, an entry of E is 1 if the direction belongs
/// to the contact, and v+ = v* + W (N, D) z. Contact c has normal impulse z[c], impulse z[p + c d + j]
/// along direction j, and z[p + p d + c] is the largest slip speed against one of its directions.
///
/// Directions are d_j = cos(2 pi j / d) t1 + sin(2 pi j / d) t2 with d_(j+d/2) = -d_j exactly,
/// where t1 is the world's x projected on the tangent plane (y when |n_x| > 0.9) and t2 = n x t1.
///
/// M is copositive, and with gaps >= 0 a solution exists and Lemke's method finds one
/// (Stewart and Trinkle 1996; CPS theorem 4.4.12: u >= 0, M u >= 0, u'M u = 0 give N u_n + D u_t =
/// 0 and so q'u = u_n'gap/h >= 0). It is not unique in general. With d = 0 only N' W N and the
/// first part of q remain: symmetric positive semidefinite, and v+ is unique.
typedef struct utContactLcp {
    utLcp lcp;
    int contacts;    ///< p
    int directions;  ///< d
    int rows;        ///< p (1 + d): rows of J
    const double* J; ///< rows x 12, ordered as z: the wrench of a unit impulse on body a (force,
                     ///< torque about its centre), then on body b; zeros for the ground
    utContactScene scene;
} utContactLcp;

/// Assemble the problem of a scene. `contact->scene` refers to the arrays of `scene`.
/// @param directions 0, or even in 2 ... 64
/// @return UT_ERR_ARGUMENT for a scene without contacts, a body that does not exist, or invalid
///         directions; UT_ERR_CAPACITY when there is no memory; `contact` and `keep` are then unchanged
UT_API utStatus ut_contact_lcp_assemble(const utContactScene* scene, int directions, utArena* keep,
                                        utContactLcp* contact);

/// ut_contact_scene_create and ut_contact_lcp_assemble in one.
UT_API utStatus ut_contact_lcp_create(const utContactLcpDef* def, utArena* keep,
                                      utContactLcp* contact);

#ifdef __cplusplus
}
#endif

#endif
