// SPDX-License-Identifier: Apache-2.0
/// @file law.h
/// The friction law of one contact, for any friction section: cone, dual cone, projections, shift
/// and the error of an impulse and a velocity. Solvers and certificate share this module.
///
/// Vectors of a contact are (n, t1, t2) in space and (n, t) in the plane: r the impulse (N s), u
/// the relative velocity (m/s). Torsional friction adds the spin about n, and rolling friction the
/// spins about t1 and t2: (n, t1, t2, n) and (n, t1, t2, n, t1, t2). With L a length of the contact
/// the added entries are L w (m/s) of the angular velocity w, and impulses of torque over L (N s).
///
/// With P the unit friction section and h_P(x) = max of p.x over P,
///
///     K  = {r : r_n >= 0, r_t in mu r_n P}             the impulses that friction allows
///     K* = {u : u.r >= 0 for all r in K} = {u : u_n >= mu h_P(-u_t)}
///
/// since u.r = r_n u_n + r_t.u_t is least, over r in K with a given r_n, at r_n (u_n - mu
/// h_P(-u_t)). The law is K contains r, K* contains û = u + s e_n, r.û = 0, with the
/// shift s = mu h_P(-u_t):
///
///     utSection circle = ut_section_circle();
///     utLaw law = {.section = &circle, .mu = 0.5};
///     const double r[] = {1.0, -0.5, 0.0}, u[] = {0.0, 2.0, 0.0};   // sliding along t1
///     ut_law_error(&law, 1.0, r, u);                                // 0
///
/// A product of sections has a coefficient c_k for each factor: mu, torsional, rolling. Then
///
///     K  = {r : r_n >= 0, |r_k| <= c_k r_n for each k},    K* = {u : u_n >= sum c_k |u_k|},
///     s  = sum c_k |u_k|
///
/// The functions allocate nothing and keep no state, so any number of threads may call them at
/// once. Invalid input is a number that is not finite, a mu that is negative or not finite, or a
/// section that no function of this header made. Invalid input gives INFINITY, NaN or
/// UT_LAW_INVALID, as stated at each function, and never a 0, because 0 would pass as solved.
/// Without a valid section the functions write only the first entry of a vector.
#ifndef UPTACK_LAW_H
#define UPTACK_LAW_H

#include <uptack/formulation.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- sections -----------------------------------------------------------------------------------

enum {
    UT_SECTION_MAX_EDGES = 64,
    UT_SECTION_MAX_FACTORS = 3,
    UT_LAW_MAX_DIMENSION = 6, ///< entries of a contact's vectors, at most
};

/// A unit friction section P, filled by the functions below. Every section is symmetric: P = -P.
///
/// A polygon has the vertices circumradius * vertex[j], and edge j goes from vertex j to vertex
/// j + 1, counterclockwise: {x : normal[j].x = inradius}. Entries j and j + edges/2 are exact
/// opposites. The friction directions are vertex[j] of an inscribed polygon and normal[j] of a
/// circumscribed one; direction 0 is at the angle `turn` from t1.
typedef struct utSection {
    utSectionKind kind;
    int dimension;       ///< entries of a contact's vectors: 2 in the plane, 3 in space, 4 with
                         ///< torsional friction and 6 with rolling friction too
    int edges;           ///< polygons: even, 4 ... UT_SECTION_MAX_EDGES; otherwise 0
    double inradius;     ///< cos(pi/edges) inscribed, otherwise 1
    double circumradius; ///< 1/cos(pi/edges) circumscribed, otherwise 1
    double slant;        ///< tan(pi/edges): half an edge over the inradius; 0 without edges
    double vertex[UT_SECTION_MAX_EDGES][2]; ///< unit vectors towards the vertices, (t1, t2)
    double normal[UT_SECTION_MAX_EDGES][2]; ///< outward unit normals of the edges, (t1, t2)
    int factors;                            ///< 1; of a product 2 or 3
    int factor_end[UT_SECTION_MAX_FACTORS]; ///< a factor's entries end before this one; those of
                                            ///< the first factor begin behind the normal
    uint32_t cookie;                        ///< set by the functions below
} utSection;

#define UT_SECTION_COOKIE UT_COOKIE(9, 1) ///< value of utSection.cookie

/// The segment [-1, 1], for contacts in the plane.
UT_API utSection ut_section_segment(void);

/// The unit circle, for contacts in space.
UT_API utSection ut_section_circle(void);

/// Circle x segment, dimension 4: sliding and torsional friction. In place of a unit section the
/// functions of sections take the factors with coefficients of 1.
UT_API utSection ut_section_torsional(void);

/// Circle x segment x circle, dimension 6: sliding, torsional and rolling friction.
UT_API utSection ut_section_rolling(void);

/// A regular polygon, for contacts in space.
/// @param kind  UT_SECTION_INSCRIBED or UT_SECTION_CIRCUMSCRIBED
/// @param edges even, 4 ... UT_SECTION_MAX_EDGES; a circumscribed polygon has edges/2 lines +-e_j
/// @param turn  angle of the first direction from t1, radians, finite
/// @param err   may be NULL
/// @return UT_ERR_ARGUMENT, with `section` unchanged, when an argument is invalid
UT_API utStatus ut_section_polygon(utSectionKind kind, int edges, double turn, utSection* section,
                                   utError* err);

/// Support function h_P(x) = max of p.x over P: |x| for segment and circle, the sum over the factors
/// of a product, otherwise the largest over the vertices.
/// @param x dimension - 1 entries @return INFINITY when x is not finite
UT_API double ut_section_support(const utSection* section, const double* x);

/// The point p of P with p.x = h_P(x), a subgradient of h_P at x; 0 for x = 0. When two vertices
/// reach the maximum, p is one of the two.
/// @param p dimension - 1 entries; may be x; NaN when x is not finite
UT_API void ut_section_support_point(const utSection* section, const double* x, double* p);

/// Gauge: the least t >= 0 with x in t P. |x| for segment and circle, the largest over the factors
/// of a product, otherwise max of normal_j.x / inradius. Friction holds a load along the unit vector x
/// up to mu r_n / gauge(x).
/// @param x dimension - 1 entries @return INFINITY when x is not finite
UT_API double ut_section_gauge(const utSection* section, const double* x);

// ---- the cone and its dual ----------------------------------------------------------------------

/// The law of one contact.
typedef struct utLaw {
    const utSection* section; ///< borrowed
    double mu;                ///< coefficient of friction, finite, >= 0
    bool convex;              ///< the shift is 0 (formulation `convex`, a fallback)
    double torsional;         ///< products: coefficient of the second factor, finite, >= 0
    double rolling;           ///< products: coefficient of the third factor, finite, >= 0
} utLaw;

/// The part of K on which the projection of a point lies. For the point r - m û the region tells
/// whether the contact sticks, slips or is open.
typedef enum utLawRegion {
    UT_LAW_INSIDE,  ///< the point is in K and equals its projection: stick
    UT_LAW_FACE,    ///< the mantle of a round cone, or a face of a polygonal cone: slip
    UT_LAW_EDGE,    ///< polygons: the edge of K over a vertex of P: slip
    UT_LAW_OPEN,    ///< the apex: no impulse
    UT_LAW_INVALID, ///< the law or the point is invalid
} utLawRegion;

/// The coefficient of factor k of the section: mu, torsional, rolling.
static inline double ut_law_coefficient(const utLaw* law, int k)
{
    return k == 0 ? law->mu : k == 1 ? law->torsional : law->rolling;
}

/// The coefficient of the factor with entry i, 1 ... dimension - 1.
static inline double ut_law_entry_coefficient(const utLaw* law, int i)
{
    int k = 0;
    while (k < law->section->factors - 1 && i >= law->section->factor_end[k]) {
        k++;
    }
    return ut_law_coefficient(law, k);
}

/// How far r is from K in impulse: max(0, gauge(r_t) - mu r_n, -r_n), N s, with the largest excess
/// of a factor for products. 0 exactly when r is in K.
UT_API double ut_law_excess(const utLaw* law, const double* r);

/// The certificate's relative excess: ut_law_excess / (mu r_n + m V), for each factor of a product
/// with its own coefficient. The certificate requires
/// <= 1e-12. INFINITY when r_n < 0 (adhesion) or a number is not finite; 0 when r is in K.
/// @param m effective mass of the contact, kg, > 0
/// @param V velocity scale of its island, m/s, >= 0
UT_API double ut_law_violation(const utLaw* law, double m, double V, const double* r);

/// How far u is from K* in normal velocity: max(0, mu h_P(-u_t) - u_n), m/s.
UT_API double ut_law_dual_excess(const utLaw* law, const double* u);

/// p = P_K(r), the point of K nearest to r: closed forms by region, accurate to rounding for every
/// finite r. p equals r bit for bit when r is in K.
/// @param p dimension entries; may be r; NaN when UT_LAW_INVALID
UT_API utLawRegion ut_law_project(const utLaw* law, const double* r, double* p);

/// The projection and D, an element of its generalized (Clarke) Jacobian at r: symmetric, with
/// eigenvalues in [0, 1]. With g = (c, s t) the unit generator of K through p, t its unit tangent
/// and q the tangent perpendicular to t,
///
///     inside  1                             open    0
///     edge    g g^T                         face    g g^T + a q q^T
///
/// where a = |p_t| / |r_t| for the circle and 1 for a polygon. In the plane the term with q is
/// absent. Where regions meet, D is the Jacobian of the returned region. For mu = 0 K is the ray
/// r_n >= 0, and D is the derivative of max(r_n, 0). For a product, with H the factors at their
/// bound, d_k = r_k / |r_k| and g = (1, c_k d_k of H),
///
///     face    g g^T / g.g + sum over H of |p_k| / |r_k| (1 - d_k d_k^T) + 1 of the other factors
///
/// @param p dimension entries; may be r  @param D dimension x dimension, row-major
UT_API utLawRegion ut_law_derivative(const utLaw* law, const double* r, double* p, double* D);

/// p = P_K*(u) = u + P_K(-u) (Moreau). @return the region of -u; UT_LAW_OPEN: u is in K*
/// @param p dimension entries; may be u; NaN when UT_LAW_INVALID
UT_API utLawRegion ut_law_project_dual(const utLaw* law, const double* u, double* p);

/// dist(u, K*) = |P_K(-u)|, m/s; INFINITY when a number is not finite.
UT_API double ut_law_dual_distance(const utLaw* law, const double* u);

// ---- errors of the law --------------------------------------------------------------------------

/// s = mu h_P(-u_t), m/s; 0 when the law is convex; INFINITY when u_t is not finite.
UT_API double ut_law_shift(const utLaw* law, const double* u);

/// û = u + s e_n. @param u_hat dimension entries; may be u; û_n is INFINITY when u_t is not finite
UT_API void ut_law_shifted(const utLaw* law, const double* u, double* u_hat);

/// e = |r - P_K(r - m û)| / m, m/s: 0 exactly when r and u obey the law. When r - m û is in K
/// the function returns |û|, because the difference would lose a small slip under a large
/// impulse to rounding.
/// @param m effective mass rows / tr(A_ii), kg; > 0 and finite
/// @return INFINITY when a number is not finite
UT_API double ut_law_error(const utLaw* law, double m, const double* r, const double* u);

/// e = dist(û, K*), m/s, for a contact that no impulse can move. The certificate uses this error
/// when tr(A_ii) is at most 1e-14 of the largest one of the island.
UT_API double ut_law_error_degenerate(const utLaw* law, const double* u);

/// e = |r - clamp(r - m u, lo, hi)| / m for a scalar row (limit, friction loss, actuator limit), in
/// the unit of u; |u| when r - m u is within the bounds.
/// @param m  1 / A_ii, > 0 and finite
/// @param lo smallest impulse, -INFINITY for none
/// @param hi largest impulse, INFINITY for none
/// @return INFINITY when lo > hi or another number is not finite
UT_API double ut_law_row_error(double m, double lo, double hi, double r, double u);

#ifdef __cplusplus
}
#endif

#endif
