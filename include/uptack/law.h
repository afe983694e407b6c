// SPDX-License-Identifier: Apache-2.0
/// @file law.h
/// The friction law of one contact, for any friction section: cone, dual cone, projections, shift
/// and the error that judges an impulse. Solvers and certificate share it; it knows neither.
///
/// Vectors of a contact are (n, t1, t2) in space and (n, t) in the plane: r the impulse (N s), u
/// the relative velocity (m/s). With P the unit friction section and h_P(x) = max of p.x over P,
///
///     K  = {r : r_n >= 0, r_t in mu r_n P}             the impulses that friction allows
///     K* = {u : u.r >= 0 for all r in K} = {u : u_n >= mu h_P(-u_t)}
///
/// since u.r = r_n u_n + r_t.u_t is least, over r in K with a given r_n, at r_n (u_n - mu
/// h_P(-u_t)). The law is K contains r, K* contains û = u + s e_n, r.û = 0, with the shift s = mu
/// h_P(-u_t):
///
///     utSection circle = ut_section_circle();
///     utLaw law = {&circle, 0.5, false};
///     const double r[] = {1.0, -0.5, 0.0}, u[] = {0.0, 2.0, 0.0};   // sliding along t1
///     ut_law_error(&law, 1.0, r, u);                                // 0
///
/// Nothing here allocates or keeps state. A number that is not finite, a mu that is negative or not
/// finite and a section that no function of this header made give INFINITY, NaN or
/// UT_LAW_INVALID as each function says, and never a 0 that would pass for an answer; without a
/// section only the first entry of a vector is written.
#ifndef UPTACK_LAW_H
#define UPTACK_LAW_H

#include <uptack/formulation.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- sections -----------------------------------------------------------------------------------

enum { UT_SECTION_MAX_EDGES = 64 };

/// A unit friction section P, by the functions below. All are symmetric: P = -P.
///
/// A polygon has the vertices circumradius * vertex[j], and edge j goes from vertex j to vertex
/// j + 1, counterclockwise: {x : normal[j].x = inradius}. Entries j and j + edges/2 are exact
/// opposites. Its directions are vertex[j] when it is inscribed, normal[j] when circumscribed, and
/// the first of them stands at `turn` radians from t1.
typedef struct utSection {
    utSectionKind kind;
    int dimension;       ///< of the contact: 2 in the plane, 3 in space
    int edges;           ///< polygons: even, 4 ... UT_SECTION_MAX_EDGES; otherwise 0
    double inradius;     ///< cos(pi/edges) inscribed, otherwise 1
    double circumradius; ///< 1/cos(pi/edges) circumscribed, otherwise 1
    double slant;        ///< tan(pi/edges): half an edge over the inradius; 0 without edges
    double vertex[UT_SECTION_MAX_EDGES][2]; ///< units towards the vertices, (t1, t2)
    double normal[UT_SECTION_MAX_EDGES][2]; ///< outward units of the edges, (t1, t2)
    uint32_t cookie;                        ///< set by the functions below
} utSection;

/// The segment [-1, 1], for contacts in the plane.
UT_API utSection ut_section_segment(void);

/// The unit circle, for contacts in space.
UT_API utSection ut_section_circle(void);

/// A regular polygon, for contacts in space.
/// @param kind  UT_SECTION_INSCRIBED or UT_SECTION_CIRCUMSCRIBED
/// @param edges even, 4 ... UT_SECTION_MAX_EDGES; a circumscribed one has edges/2 lines +-e_j
/// @param turn  angle of the first direction from t1, radians, finite
/// @param err   may be NULL
/// @return UT_ERR_ARGUMENT, with `section` unchanged, when one of these cannot be used
UT_API utStatus ut_section_polygon(utSectionKind kind, int edges, double turn, utSection* section,
                                   utError* err);

/// Support function h_P(x) = max of p.x over P: |x| for segment and circle, otherwise the largest
/// over the vertices. @param x dimension - 1 entries @return INFINITY when x is not finite
UT_API double ut_section_support(const utSection* section, const double* x);

/// The point p of P with p.x = h_P(x), a subgradient of h_P at x; 0 for x = 0. Where two vertices
/// share the maximum it is one of them.
/// @param p dimension - 1 entries; may be x; NaN when x is not finite
UT_API void ut_section_support_point(const utSection* section, const double* x, double* p);

/// Gauge: the least t >= 0 with x in t P. |x| for segment and circle, otherwise max of
/// normal_j.x / inradius. A load along the unit x is held up to mu r_n / gauge(x).
/// @param x dimension - 1 entries @return INFINITY when x is not finite
UT_API double ut_section_gauge(const utSection* section, const double* x);

// ---- the cone and its dual ----------------------------------------------------------------------

/// The law of one contact.
typedef struct utLaw {
    const utSection* section; ///< borrowed
    double mu;                ///< coefficient of friction, finite, >= 0
    bool convex;              ///< take the shift as 0 (the flagged `convex` formulation)
} utLaw;

/// Where the projection of a point on K lies; with what the impulse r - m û says of its contact.
typedef enum utLawRegion {
    UT_LAW_INSIDE,  ///< the point is in K and its own projection: stick
    UT_LAW_FACE,    ///< on the mantle of a round cone, or within a face of a polygonal one: slip
    UT_LAW_EDGE,    ///< polygons: on the edge of K over a vertex of P: slip
    UT_LAW_OPEN,    ///< at the apex: no impulse
    UT_LAW_INVALID, ///< the law or the point cannot be used
} utLawRegion;

/// How far r is from K in impulse: max(0, gauge(r_t) - mu r_n, -r_n), N s. 0 exactly when r is in
/// K.
UT_API double ut_law_excess(const utLaw* law, const double* r);

/// The certificate's measure of the cone: ut_law_excess / (mu r_n + m V), which has to be <= 1e-12.
/// INFINITY when r_n < 0 (adhesion) or anything is not finite; 0 when r is in K.
/// @param m effective mass of the contact, kg, > 0  @param V velocity scale of its island, m/s, >=
/// 0
UT_API double ut_law_violation(const utLaw* law, double m, double V, const double* r);

/// How far u is from K* in normal velocity: max(0, mu h_P(-u_t) - u_n), m/s.
UT_API double ut_law_dual_excess(const utLaw* law, const double* u);

/// p = P_K(r), the point of K nearest to r, exact by cases up to rounding and over the whole range
/// of a double. What comes back is r itself when r is in K.
/// @param p dimension entries; may be r; NaN when UT_LAW_INVALID
UT_API utLawRegion ut_law_project(const utLaw* law, const double* r, double* p);

/// The projection and D, an element of its generalized (Clarke) Jacobian at r: symmetric, with
/// eigenvalues in [0, 1]. With g = (c, c' t) the unit generator of K below p, t its unit tangent
/// and q the tangent across t,
///
///     inside  1                             open    0
///     edge    g g^T                         face    g g^T + a q q^T
///
/// where a = |p_t| / |r_t| for the circle and 1 for a polygon, and no q in the plane. Where regions
/// meet it belongs to the one that is returned. For mu = 0 K is the ray r_n >= 0, and D that of
/// max(r_n, 0).
/// @param p dimension entries; may be r  @param D dimension x dimension, row-major
UT_API utLawRegion ut_law_derivative(const utLaw* law, const double* r, double* p, double* D);

/// p = P_K*(u) = u + P_K(-u) (Moreau). @return the region of -u; UT_LAW_OPEN: u is in K*
/// @param p dimension entries; may be u; NaN when UT_LAW_INVALID
UT_API utLawRegion ut_law_project_dual(const utLaw* law, const double* u, double* p);

/// dist(u, K*) = |P_K(-u)|, m/s; INFINITY when anything is not finite.
UT_API double ut_law_dual_distance(const utLaw* law, const double* u);

// ---- the errors that judge ----------------------------------------------------------------------

/// s = mu h_P(-u_t), m/s; 0 when the law is convex; INFINITY when u_t is not finite.
UT_API double ut_law_shift(const utLaw* law, const double* u);

/// û = u + s e_n. @param u_hat dimension entries; may be u; û_n is INFINITY when u_t is not finite
UT_API void ut_law_shifted(const utLaw* law, const double* u, double* u_hat);

/// e = |r - P_K(r - m û)| / m, m/s: 0 exactly when r and u obey the law. Where r - m û is in K this
/// is |û|, and is computed so: a small slip under a large impulse does not drown in rounding.
/// @param m effective mass 3 / tr(A_ii), in the plane 2 / tr(A_ii), kg; > 0 and finite
/// @return INFINITY when anything is not finite
UT_API double ut_law_error(const utLaw* law, double m, const double* r, const double* u);

/// e = dist(û, K*), m/s, for a contact that nothing can move: the certificate takes it where
/// tr(A_ii) is at most 1e-14 of the island's largest.
UT_API double ut_law_error_degenerate(const utLaw* law, const double* u);

/// e = |r - clamp(r - m u, lo, hi)| / m for a scalar row (limit, friction loss, actuator limit), in
/// the unit of u; |u| where r - m u is within the bounds.
/// @param m  1 / A_ii, > 0 and finite
/// @param lo least impulse, -INFINITY for none  @param hi largest, INFINITY for none
/// @return INFINITY when lo > hi or anything else is not finite
UT_API double ut_law_row_error(double m, double lo, double hi, double r, double u);

#ifdef __cplusplus
}
#endif

#endif
