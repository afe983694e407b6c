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
// on a convex set stays on the side of each mirror of that set. So p_t lies in the same sector of
// half an edge as r_t, and testing one face and one edge is enough.
//
// A product of circles and segments with the coefficients c_k: p_n is the root of a monotone function,
// and the factors with |r_k| > c_k p_n are shortened to c_k p_n.
//
// The tests for inside and open compare the values that gauge and support function return. So a
// point with ut_law_excess = 0 is inside here too, bit for bit, and likewise for
// ut_law_dual_excess = 0 and K*.
#include <assert.h>
#include <string.h>

#include "circle.h"

typedef struct Projection {
    utLawRegion region;
    double p[UT_LAW_MAX_DIMENSION]; // the projected point
    double c, s;                    // the generator: along n, along t
    double t[2];                    // the generator's tangent
    double across;                  // derivative of p along q
} Projection;

// What D of a product needs besides.
typedef struct Product {
    bool held[UT_SECTION_MAX_FACTORS];     // the factor is at its bound
    double size[UT_SECTION_MAX_FACTORS];   // |r_k|
    double shrink[UT_SECTION_MAX_FACTORS]; // |p_k| / |r_k|
    double unit[UT_LAW_MAX_DIMENSION];     // r_k / |r_k| of held factors, else 0
} Product;

// p = w (c, s t) + y q
static void set_point(Projection* projection, int n, double w, double y)
{
    projection->p[0] = w * projection->c;
    projection->p[1] = w * projection->s * projection->t[0] - y * projection->t[1];
    if (n == 3) {
        projection->p[2] = w * projection->s * projection->t[1] + y * projection->t[0];
    }
}

// Circle and segment, and every section for mu = 0, because K is then a ray.
static void find_on_circle(const utLaw* law, const double* r, Projection* projection)
{
    const int n = law->section->dimension;
    const double size = length(n - 1, r + 1);
    if (r[0] >= 0.0 && size <= law->mu * r[0]) {
        projection->region = UT_LAW_INSIDE;
        return;
    }
    double c, s;
    unit_slope(law->mu, &c, &s);
    const double w = c * r[0] + s * size;
    if (law->mu * size <= -r[0] || !(w > 0.0)) {
        return;
    }

    // r_t is not 0 here: with r_t = 0 a point outside K has r_n < 0, and so w < 0
    projection->region = UT_LAW_FACE;
    projection->c = c;
    projection->s = s;
    projection->t[0] = r[1] / size;
    projection->t[1] = n == 3 ? r[2] / size : 0.0;
    projection->across = s * w / size;
    set_point(projection, n, w, 0.0);
}

static void find_on_polygon(const utLaw* law, const double* r, Projection* projection)
{
    const utSection* P = law->section;
    const double* r_t = r + 1;

    // the vertex of P farthest along r_t, and the one of its two edges that is farther along r_t
    double along;
    const int v = farthest(P->edges, P->vertex, r_t, &along);
    const int before = (v + P->edges - 1) % P->edges;
    const bool is_before = dot2(P->normal[before], r_t) > dot2(P->normal[v], r_t);
    const double* vertex = P->vertex[v];
    const double* normal = P->normal[is_before ? before : v];
    const double x = dot2(normal, r_t);
    if (r[0] >= 0.0 && x / P->inradius <= law->mu * r[0]) {
        projection->region = UT_LAW_INSIDE;
        return;
    }

    double c, s;
    unit_slope(law->mu * P->circumradius, &c, &s);
    const double w = c * r[0] + s * along;
    if (law->mu * (P->circumradius * along) <= -r[0] || !(w > 0.0)) {
        return;
    }

    // the face when the projection falls between its two edges, else the edge
    double c_face, s_face;
    unit_slope(law->mu * P->inradius, &c_face, &s_face);
    const double w_face = c_face * r[0] + s_face * x;
    const double y = normal[0] * r_t[1] - normal[1] * r_t[0];
    if (fabs(y) <= P->slant * s_face * w_face) {
        *projection = (Projection){.region = UT_LAW_FACE, .c = c_face, .s = s_face, .across = 1.0};
        memcpy(projection->t, normal, sizeof projection->t);
        set_point(projection, 3, w_face, y);
    } else {
        *projection = (Projection){.region = UT_LAW_EDGE, .c = c, .s = s};
        memcpy(projection->t, vertex, sizeof projection->t);
        set_point(projection, 3, w, 0.0);
    }
}

// p_n of the projection on a product: the root of the increasing, concave and piecewise linear
// function f(x) = x - r_n - sum c_k max(0, |r_k| - c_k x). Newton's steps from r_n, where f <= 0,
// ascend to the root, and each of them drops factors that are within their bound there.
static double find_normal(const utLaw* law, double r_n, Product* product)
{
    double x = r_n;
    bool changed = true;
    for (int k = 0; k < law->section->factors; k++) {
        product->held[k] = product->size[k] > ut_law_coefficient(law, k) * r_n;
    }
    while (changed) {
        double sum = r_n;
        double square = 1.0;
        for (int k = 0; k < law->section->factors; k++) {
            const double c = ut_law_coefficient(law, k);
            sum += product->held[k] ? c * product->size[k] : 0.0;
            square += product->held[k] ? c * c : 0.0;
        }
        x = sum / square;
        changed = false;
        for (int k = 0; k < law->section->factors; k++) {
            const bool within = product->size[k] <= ut_law_coefficient(law, k) * x;
            changed = changed || (product->held[k] && within);
            product->held[k] = product->held[k] && !within;
        }
    }
    return x;
}

// A product of circles and segments: held factors are shortened to c_k p_n.
static void find_on_product(const utLaw* law, const double* r, Product* product,
                            Projection* projection)
{
    const utSection* P = law->section;
    double bound = 0.0; // the support function of -r_t
    bool inside = r[0] >= 0.0;
    for (int k = 0; k < P->factors; k++) {
        const double c = ut_law_coefficient(law, k);
        product->size[k] = factor_length(P, k, r + 1);
        bound += c * product->size[k];
        inside = inside && product->size[k] <= c * r[0];
    }
    if (inside) {
        projection->region = UT_LAW_INSIDE;
        return;
    }
    const double normal = bound <= -r[0] ? 0.0 : find_normal(law, r[0], product);
    if (!(normal > 0.0)) {
        return;
    }
    projection->region = UT_LAW_FACE;
    projection->p[0] = normal;
    for (int k = 0; k < P->factors; k++) {
        const double size = product->size[k];
        const double length_k = ut_law_coefficient(law, k) * normal;
        product->shrink[k] = product->held[k] ? length_k / size : length_k > 0.0 ? 1.0 : 0.0;
        for (int i = factor_begin(P, k); i < P->factor_end[k]; i++) {
            product->unit[i] = product->held[k] ? r[i] / size : 0.0;
            projection->p[i] = product->held[k] ? length_k * product->unit[i] : r[i];
        }
    }
}

// @param product filled for products
static Projection find_projection(const utLaw* law, const double* r, Product* product)
{
    const double nan = (double)NAN;
    if (!law_usable(law) || !all_finite(law->section->dimension, r)) {
        return (Projection){.region = UT_LAW_INVALID, .p = {nan, nan, nan, nan, nan, nan}};
    }

    // K is a cone, so r may be scaled until its squares neither overflow nor underflow
    const int n = law->section->dimension;
    const int exponent = scale_exponent(n, r);
    double scaled[UT_LAW_MAX_DIMENSION] = {0.0};
    for (int i = 0; i < n; i++) {
        scaled[i] = exponent == 0 ? r[i] : ldexp(r[i], -exponent);
    }

    Projection projection = {.region = UT_LAW_OPEN};
    if (law->section->kind == UT_SECTION_PRODUCT) {
        find_on_product(law, scaled, product, &projection);
    } else if (law->section->edges == 0 || law->mu == 0.0) {
        find_on_circle(law, scaled, &projection);
    } else {
        find_on_polygon(law, scaled, &projection);
    }
    for (int i = 0; i < n; i++) {
        projection.p[i] = projection.region == UT_LAW_INSIDE ? r[i]
                          : exponent == 0                    ? projection.p[i]
                                                             : ldexp(projection.p[i], exponent);
    }
    return projection;
}

utLawRegion ut_law_project(const utLaw* law, const double* r, double* p)
{
    if (law_is_circle(law)) {
        double found[3];
        const utLawRegion region = circle_project(law->mu, r, found);
        if (region != UT_LAW_INVALID) {
            memcpy(p, found, sizeof found);
            return region;
        }
    }
    Product product;
    const Projection projection = find_projection(law, r, &product);
    memcpy(p, projection.p, (size_t)dimension_of(law->section) * sizeof *p);
    return projection.region;
}

// D = g g^T + across q q^T
static void fill_face(const Projection* projection, int n, double* D)
{
    assert(n == 2 || n == 3);
    const double g[UT_LAW_MAX_DIMENSION] = {projection->c, projection->s * projection->t[0],
                                            projection->s * projection->t[1]};
    const double q[UT_LAW_MAX_DIMENSION] = {0.0, -projection->t[1], projection->t[0]};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            D[i * n + j] = g[i] * g[j] + projection->across * (q[i] * q[j]);
        }
    }
}

// D of a product: g g^T / g.g with g = (1, c_k d_k of held factors), and each factor's own block
static void fill_product(const utLaw* law, const Product* product, double* D)
{
    const utSection* P = law->section;
    const int n = P->dimension;
    double g[UT_LAW_MAX_DIMENSION] = {1.0};
    double square = 1.0;
    for (int k = 0; k < P->factors; k++) {
        const double c = ut_law_coefficient(law, k);
        square += product->held[k] ? c * c : 0.0;
        for (int i = factor_begin(P, k); i < P->factor_end[k]; i++) {
            g[i] = c * product->unit[i];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            D[i * n + j] = g[i] * g[j] / square;
        }
    }
    for (int k = 0; k < P->factors; k++) {
        for (int i = factor_begin(P, k); i < P->factor_end[k]; i++) {
            for (int j = factor_begin(P, k); j < P->factor_end[k]; j++) {
                const double across = (i == j) - product->unit[i] * product->unit[j];
                D[i * n + j] += product->shrink[k] * across;
            }
        }
    }
}

// D of a point inside K: 1, and 0 for factors without friction, because K is flat there
static void fill_inside(const utLaw* law, double* D)
{
    const int n = law->section->dimension;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            D[i * n + j] =
                i != j || (i > 0 && !(ut_law_entry_coefficient(law, i) > 0.0)) ? 0.0 : 1.0;
        }
    }
}

static void fill_all(int n, double value, double* D)
{
    for (int i = 0; i < n * n; i++) {
        D[i] = value;
    }
}

utLawRegion ut_law_derivative(const utLaw* law, const double* r, double* p, double* D)
{
    const double nan = (double)NAN;
    const int n = dimension_of(law->section);
    Product product;
    const Projection projection = find_projection(law, r, &product);
    switch (projection.region) {
    case UT_LAW_INSIDE:
        fill_inside(law, D);
        break;
    case UT_LAW_FACE:
    case UT_LAW_EDGE:
        if (law->section->kind == UT_SECTION_PRODUCT) {
            fill_product(law, &product, D);
        } else {
            fill_face(&projection, n, D);
        }
        break;
    case UT_LAW_OPEN:
        fill_all(n, 0.0, D);
        break;
    case UT_LAW_INVALID:
        fill_all(n, nan, D);
        break;
    }
    memcpy(p, projection.p, (size_t)n * sizeof *p);
    return projection.region;
}

// P_K(-u)
static Projection find_opposite(const utLaw* law, const double* u)
{
    double opposite[UT_LAW_MAX_DIMENSION] = {0.0};
    for (int i = 0; i < dimension_of(law->section); i++) {
        opposite[i] = -u[i];
    }
    Product product;
    return find_projection(law, opposite, &product);
}

utLawRegion ut_law_project_dual(const utLaw* law, const double* u, double* p)
{
    const Projection projection = find_opposite(law, u);
    for (int i = 0; i < dimension_of(law->section); i++) {
        p[i] = u[i] + projection.p[i];
    }
    return projection.region;
}

double ut_law_dual_distance(const utLaw* law, const double* u)
{
    const Projection projection = find_opposite(law, u);
    return projection.region == UT_LAW_INVALID ? HUGE_VAL
                                               : length(dimension_of(law->section), projection.p);
}
