// SPDX-License-Identifier: Apache-2.0
// Projection on the friction cone K = {r_n >= 0, r_t in mu r_n P}, and its derivative.
//
// A generator of K is a unit g = (c, s t) with t a unit tangent and s/c the slope of the mantle
// there: mu for the circle, mu times the inradius in the middle of a face, mu times the
// circumradius on an edge. Outside K and its polar cone the projection is w g + y q, with
// w = g.r and q the tangent across t:
//
//     circle   t = r_t / |r_t|,            y = 0
//     edge     t towards the vertex of P,  y = 0
//     face     t normal to the edge of P,  y = q.r_t, as long as the face is that wide
//
// A regular polygon has mirrors through its vertices and the middles of its edges, and a projection
// on a convex set keeps to the side of a mirror of that set. So p_t lies in the same sector of half
// an edge as r_t, and one face and one edge are all that is looked at.
//
// The tests for inside and open compare the very numbers of gauge and support function, so that
// what has no ut_law_excess or no ut_law_dual_excess is in its cone here too, to the last bit.
#include <assert.h>
#include <string.h>

#include "internal.h"

typedef struct Foot {
    utLawRegion region;
    double p[3];
    double c, s;   // the generator: along n, along t
    double t[2];   // its tangent
    double across; // derivative of p along q
} Foot;

// c = 1 / sqrt(1 + slope^2), s = slope c, however large the slope
static void unit_slope(double slope, double* c, double* s)
{
    if (slope <= 1.0) {
        *c = 1.0 / sqrt(1.0 + slope * slope);
        *s = slope * *c;
    } else {
        const double inverse = 1.0 / slope;
        *s = 1.0 / sqrt(1.0 + inverse * inverse);
        *c = inverse * *s;
    }
}

// p = w (c, s t) + y q
static void place(Foot* foot, int n, double w, double y)
{
    foot->p[0] = w * foot->c;
    foot->p[1] = w * foot->s * foot->t[0] - y * foot->t[1];
    if (n == 3) {
        foot->p[2] = w * foot->s * foot->t[1] + y * foot->t[0];
    }
}

// circle and segment, and every section for mu = 0, where K is a ray
static void find_on_circle(const utLaw* law, const double* r, Foot* foot)
{
    const int n = law->section->dimension;
    const double size = length(n - 1, r + 1);
    if (r[0] >= 0.0 && size <= law->mu * r[0]) {
        foot->region = UT_LAW_INSIDE;
        return;
    }
    double c, s;
    unit_slope(law->mu, &c, &s);
    const double w = c * r[0] + s * size;
    if (law->mu * size <= -r[0] || !(w > 0.0)) {
        return;
    }

    // here r_t is not 0: else r_n < 0, and w would be too
    foot->region = UT_LAW_FACE;
    foot->c = c;
    foot->s = s;
    foot->t[0] = r[1] / size;
    foot->t[1] = n == 3 ? r[2] / size : 0.0;
    foot->across = s * w / size;
    place(foot, n, w, 0.0);
}

static void find_on_polygon(const utLaw* law, const double* r, Foot* foot)
{
    const utSection* P = law->section;
    const double* r_t = r + 1;

    // the vertex of P farthest along r_t, and of its two edges the farther one
    double along;
    const int v = farthest(P->edges, P->vertex, r_t, &along);
    const int before = (v + P->edges - 1) % P->edges;
    const bool is_before = dot2(P->normal[before], r_t) > dot2(P->normal[v], r_t);
    const double* vertex = P->vertex[v];
    const double* normal = P->normal[is_before ? before : v];
    const double x = dot2(normal, r_t);
    if (r[0] >= 0.0 && x / P->inradius <= law->mu * r[0]) {
        foot->region = UT_LAW_INSIDE;
        return;
    }

    double c, s;
    unit_slope(law->mu * P->circumradius, &c, &s);
    const double w = c * r[0] + s * along;
    if (law->mu * (P->circumradius * along) <= -r[0] || !(w > 0.0)) {
        return;
    }

    // the face, as far as it is wide
    double c_face, s_face;
    unit_slope(law->mu * P->inradius, &c_face, &s_face);
    const double w_face = c_face * r[0] + s_face * x;
    const double y = normal[0] * r_t[1] - normal[1] * r_t[0];
    if (fabs(y) <= P->slant * s_face * w_face) {
        *foot = (Foot){.region = UT_LAW_FACE, .c = c_face, .s = s_face, .across = 1.0};
        memcpy(foot->t, normal, sizeof foot->t);
        place(foot, 3, w_face, y);
    } else {
        *foot = (Foot){.region = UT_LAW_EDGE, .c = c, .s = s};
        memcpy(foot->t, vertex, sizeof foot->t);
        place(foot, 3, w, 0.0);
    }
}

static Foot find_foot(const utLaw* law, const double* r)
{
    const double nan = (double)NAN;
    if (!law_usable(law) || !all_finite(law->section->dimension, r)) {
        return (Foot){.region = UT_LAW_INVALID, .p = {nan, nan, nan}};
    }

    // K is a cone, so r may be brought to a size whose squares are harmless
    const int n = law->section->dimension;
    const int exponent = scale_of(n, r);
    double scaled[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        scaled[i] = exponent == 0 ? r[i] : ldexp(r[i], -exponent);
    }

    Foot foot = {.region = UT_LAW_OPEN};
    if (law->section->edges == 0 || law->mu == 0.0) {
        find_on_circle(law, scaled, &foot);
    } else {
        find_on_polygon(law, scaled, &foot);
    }
    for (int i = 0; i < n; i++) {
        foot.p[i] = foot.region == UT_LAW_INSIDE ? r[i]
                    : exponent == 0              ? foot.p[i]
                                                 : ldexp(foot.p[i], exponent);
    }
    return foot;
}

utLawRegion ut_law_project(const utLaw* law, const double* r, double* p)
{
    const Foot foot = find_foot(law, r);
    memcpy(p, foot.p, (size_t)entries(law->section) * sizeof *p);
    return foot.region;
}

// D = g g^T + across q q^T
static void fill_face(const Foot* foot, int n, double* D)
{
    assert(n == 2 || n == 3);
    const double g[3] = {foot->c, foot->s * foot->t[0], foot->s * foot->t[1]};
    const double q[3] = {0.0, -foot->t[1], foot->t[0]};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            D[i * n + j] = g[i] * g[j] + foot->across * (q[i] * q[j]);
        }
    }
}

static void fill_diagonal(int n, double along_n, double along_t, double off, double* D)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            D[i * n + j] = i != j ? off : i == 0 ? along_n : along_t;
        }
    }
}

utLawRegion ut_law_derivative(const utLaw* law, const double* r, double* p, double* D)
{
    const double nan = (double)NAN;
    const int n = entries(law->section);
    const Foot foot = find_foot(law, r);
    switch (foot.region) {
    case UT_LAW_INSIDE:
        // without friction K has no width, and nothing tangential comes through
        fill_diagonal(n, 1.0, law->mu > 0.0 ? 1.0 : 0.0, 0.0, D);
        break;
    case UT_LAW_FACE:
    case UT_LAW_EDGE:
        fill_face(&foot, n, D);
        break;
    case UT_LAW_OPEN:
        fill_diagonal(n, 0.0, 0.0, 0.0, D);
        break;
    case UT_LAW_INVALID:
        fill_diagonal(n, nan, nan, nan, D);
        break;
    }
    memcpy(p, foot.p, (size_t)n * sizeof *p);
    return foot.region;
}

// P_K(-u)
static Foot find_opposite(const utLaw* law, const double* u)
{
    double opposite[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < entries(law->section); i++) {
        opposite[i] = -u[i];
    }
    return find_foot(law, opposite);
}

utLawRegion ut_law_project_dual(const utLaw* law, const double* u, double* p)
{
    const Foot foot = find_opposite(law, u);
    for (int i = 0; i < entries(law->section); i++) {
        p[i] = u[i] + foot.p[i];
    }
    return foot.region;
}

double ut_law_dual_distance(const utLaw* law, const double* u)
{
    const Foot foot = find_opposite(law, u);
    return foot.region == UT_LAW_INVALID ? HUGE_VAL : length(entries(law->section), foot.p);
}
