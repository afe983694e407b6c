// SPDX-License-Identifier: Apache-2.0
// Sections, coefficients and points for the tests of law, and a second implementation of the law in
// long double, by bisection instead of cases.
#ifndef UPTACK_TEST_LAW_CASES_H
#define UPTACK_TEST_LAW_CASES_H

#include <float.h>
#include <math.h>
#include <uptack/law.h>

#include "test.h"

// ---- cases --------------------------------------------------------------------------------------

typedef struct SectionCase {
    utSectionKind kind;
    int edges;
    double turn;
} SectionCase;

static const SectionCase section_cases[] = {
    {UT_SECTION_SEGMENT, 0, 0.0},        {UT_SECTION_CIRCLE, 0, 0.0},
    {UT_SECTION_INSCRIBED, 4, 0.0},      {UT_SECTION_INSCRIBED, 6, 0.4},
    {UT_SECTION_INSCRIBED, 8, 0.0},      {UT_SECTION_INSCRIBED, 64, -7.1},
    {UT_SECTION_CIRCUMSCRIBED, 4, 0.0},  {UT_SECTION_CIRCUMSCRIBED, 10, 0.0},
    {UT_SECTION_CIRCUMSCRIBED, 16, 2.5},
};
enum { SECTION_CASES = sizeof section_cases / sizeof *section_cases };

static const double mu_cases[] = {0.0, 1e-6, 0.3, 1.0, 2.5, 1e6};
enum { MU_CASES = sizeof mu_cases / sizeof *mu_cases };

static inline utSection make_section(SectionCase from)
{
    utSection section = ut_section_segment();
    if (from.kind == UT_SECTION_CIRCLE) {
        section = ut_section_circle();
    } else if (from.kind != UT_SECTION_SEGMENT) {
        CHECK(ut_section_polygon(from.kind, from.edges, from.turn, &section, NULL) == UT_OK);
    }
    return section;
}

static inline utSection inscribed(int edges)
{
    return make_section((SectionCase){UT_SECTION_INSCRIBED, edges, 0.0});
}

static inline utSection circumscribed(int edges)
{
    return make_section((SectionCase){UT_SECTION_CIRCUMSCRIBED, edges, 0.0});
}

/// A point whose normal part is of the size of the tangential one, or mu or 1/mu times that, so
/// that every region of every cone is visited.
static inline void random_point(utRng* rng, double mu, double r[3])
{
    for (int i = 0; i < 3; i++) {
        r[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    const int size = ut_rng_below(rng, 3);
    r[0] *= size == 0 || mu == 0.0 ? 1.0 : size == 1 ? mu : 1.0 / mu;
}

static inline double dot(int n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline double distance(int n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

static inline double norm(int n, const double* a)
{
    return sqrt(dot(n, a, a));
}

// ---- the second implementation ------------------------------------------------------------------

typedef struct Reference {
    int edges; // 0: a disc, or a segment when the second coordinate stays 0
    long double mu;
    long double vertex[UT_SECTION_MAX_EDGES][2];
} Reference;

static inline Reference make_reference(SectionCase from, double mu)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    Reference law = {.edges = from.edges, .mu = (long double)mu};
    const long double half = from.edges > 0 ? pi / from.edges : 0.0L;
    const bool outside = from.kind == UT_SECTION_CIRCUMSCRIBED;
    for (int j = 0; j < from.edges; j++) {
        const long double angle =
            (long double)from.turn + 2.0L * half * j + (outside ? half : 0.0L);
        const long double radius = outside ? 1.0L / cosl(half) : 1.0L;
        law.vertex[j][0] = radius * cosl(angle);
        law.vertex[j][1] = radius * sinl(angle);
    }
    return law;
}

/// h_P(x)
static inline long double reference_support(const Reference* law, const long double x[2])
{
    long double most = law->edges == 0 ? sqrtl(x[0] * x[0] + x[1] * x[1]) : -1.0L;
    for (int j = 0; j < law->edges; j++) {
        most = fmaxl(most, law->vertex[j][0] * x[0] + law->vertex[j][1] * x[1]);
    }
    return most;
}

/// The point of size P nearest to x: x itself, or the nearest of all edges.
static inline void reference_nearest(const Reference* law, long double size, const long double x[2],
                                     long double q[2])
{
    q[0] = x[0];
    q[1] = x[1];
    if (law->edges == 0) {
        const long double length = sqrtl(x[0] * x[0] + x[1] * x[1]);
        if (length > size) {
            q[0] *= size / length;
            q[1] *= size / length;
        }
        return;
    }
    bool outside = false;
    long double least = HUGE_VALL;
    long double best[2] = {0.0L, 0.0L};
    for (int j = 0; j < law->edges; j++) {
        const long double* a = law->vertex[j];
        const long double* b = law->vertex[(j + 1) % law->edges];
        const long double edge[2] = {size * (b[0] - a[0]), size * (b[1] - a[1])};
        const long double from[2] = {x[0] - size * a[0], x[1] - size * a[1]};
        const long double square = edge[0] * edge[0] + edge[1] * edge[1];
        long double share = (from[0] * edge[0] + from[1] * edge[1]) / square;
        share = square > 0.0L ? fminl(fmaxl(share, 0.0L), 1.0L) : 0.0L;
        const long double rest[2] = {from[0] - share * edge[0], from[1] - share * edge[1]};
        const long double apart = rest[0] * rest[0] + rest[1] * rest[1];
        outside = outside || (b[0] - a[0]) * from[1] - (b[1] - a[1]) * from[0] < 0.0L;
        if (apart < least) {
            least = apart;
            best[0] = size * a[0] + share * edge[0];
            best[1] = size * a[1] + share * edge[1];
        }
    }
    if (outside) {
        q[0] = best[0];
        q[1] = best[1];
    }
}

/// P_K(r): least (t - r_n)^2 + dist(r_t, mu t P)^2 over t = p_n >= 0. Half its derivative is
/// t - r_n - mu h_P(r_t - q(t)), which grows with t; its zero is found by bisection.
static inline void reference_project(const Reference* law, const long double r[3], long double p[3])
{
    const long double reach = sqrtl(r[1] * r[1] + r[2] * r[2]);
    long double lo = 0.0L, hi = fabsl(r[0]) + 2.0L * law->mu * reach;
    for (int k = 0; k < 160; k++) {
        const long double t = 0.5L * (lo + hi);
        long double q[2];
        reference_nearest(law, law->mu * t, r + 1, q);
        const long double rest[2] = {r[1] - q[0], r[2] - q[1]};
        if (t - r[0] - law->mu * reference_support(law, rest) > 0.0L) {
            hi = t;
        } else {
            lo = t;
        }
    }
    p[0] = lo;
    reference_nearest(law, law->mu * lo, r + 1, p + 1);
}

/// |r - P_K(r - m û)| / m
static inline long double reference_error(const Reference* law, bool convex, long double m,
                                          const long double r[3], const long double u[3])
{
    const long double back[2] = {-u[1], -u[2]};
    const long double shift = convex ? 0.0L : law->mu * reference_support(law, back);
    const long double x[3] = {r[0] - m * (u[0] + shift), r[1] - m * u[1], r[2] - m * u[2]};
    long double p[3];
    reference_project(law, x, p);
    long double sum = 0.0L;
    for (int i = 0; i < 3; i++) {
        sum += (r[i] - p[i]) * (r[i] - p[i]);
    }
    return sqrtl(sum) / m;
}

#endif
