// SPDX-License-Identifier: Apache-2.0
// Friction sections: their tables, support functions and gauges.
#include <string.h>
#include <uptack/vec.h>

#include "internal.h"

static const double PI = 0x1.921fb54442d18p+1;

// Sections without edges. Constants, because to copy one is cheaper than to clear its tables.
static const utSection SEGMENT = {
    .kind = UT_SECTION_SEGMENT,
    .dimension = 2,
    .inradius = 1.0,
    .circumradius = 1.0,
    .factors = 1,
    .factor_end = {2},
    .cookie = UT_SECTION_COOKIE,
};
static const utSection CIRCLE = {
    .kind = UT_SECTION_CIRCLE,
    .dimension = 3,
    .inradius = 1.0,
    .circumradius = 1.0,
    .factors = 1,
    .factor_end = {3},
    .cookie = UT_SECTION_COOKIE,
};

utSection ut_section_segment(void)
{
    return SEGMENT;
}

utSection ut_section_circle(void)
{
    return CIRCLE;
}

utSection ut_section_torsional(void)
{
    utSection section = ut_section_circle();
    section.kind = UT_SECTION_PRODUCT;
    section.dimension = 4;
    section.factors = 2;
    section.factor_end[1] = 4;
    return section;
}

utSection ut_section_rolling(void)
{
    utSection section = ut_section_torsional();
    section.dimension = 6;
    section.factors = 3;
    section.factor_end[2] = 6;
    return section;
}

// Unit vectors at the angles first + 2 pi j / count. Sine and cosine give the first quarter
// of them (the first half when 4 does not divide count); exact rotations by 90 or 180
// degrees give the rest.
static void fill_ring(int count, double first, double units[][2])
{
    const int computed = count % 4 == 0 ? count / 4 : count / 2;
    for (int j = 0; j < count; j++) {
        if (j < computed) {
            ut_sincos(first + 2.0 * PI * j / count, &units[j][1], &units[j][0]);
        } else if (j < count / 2) {
            units[j][0] = -units[j - computed][1];
            units[j][1] = units[j - computed][0];
        } else {
            units[j][0] = -units[j - count / 2][0];
            units[j][1] = -units[j - count / 2][1];
        }
    }
}

utStatus ut_section_polygon(utSectionKind kind, int edges, double turn, utSection* section,
                            utError* err)
{
    if (kind != UT_SECTION_INSCRIBED && kind != UT_SECTION_CIRCUMSCRIBED) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "friction section: a polygon is either inscribed or circumscribed");
    }
    if (edges < 4 || edges > UT_SECTION_MAX_EDGES || edges % 2 != 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "friction section: %d edges; an even number from 4 to %d is needed",
                            edges, (int)UT_SECTION_MAX_EDGES);
    }
    if (!isfinite(turn)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "friction section: the turn is not finite");
    }

    const double half = PI / edges;
    double sine, cosine;
    ut_sincos(half, &sine, &cosine);
    utSection polygon = ut_section_circle();
    polygon.kind = kind;
    polygon.edges = edges;
    polygon.slant = sine / cosine;
    if (kind == UT_SECTION_INSCRIBED) {
        polygon.inradius = cosine;
        fill_ring(edges, turn, polygon.vertex);
        fill_ring(edges, turn + half, polygon.normal);
    } else {
        polygon.circumradius = 1.0 / cosine;
        fill_ring(edges, turn - half, polygon.vertex);
        fill_ring(edges, turn, polygon.normal);
    }
    *section = polygon;
    return UT_OK;
}

// The sum and the largest of the factors' lengths. @param x dimension - 1 entries
static double sum_of_factors(const utSection* section, const double* x, double* largest)
{
    double sum = 0.0;
    *largest = 0.0;
    for (int k = 0; k < section->factors; k++) {
        const double size = factor_length(section, k, x);
        sum += size;
        *largest = size > *largest ? size : *largest;
    }
    return sum;
}

double ut_section_support(const utSection* section, const double* x)
{
    if (!section_usable(section) || !all_finite(section->dimension - 1, x)) {
        return HUGE_VAL;
    }
    if (section->kind == UT_SECTION_PRODUCT) {
        double largest;
        return sum_of_factors(section, x, &largest);
    }
    if (section->edges == 0) {
        return length(section->dimension - 1, x);
    }
    double product;
    farthest(section->edges, section->vertex, x, &product);
    return section->circumradius * product;
}

// p = x / |x|, or 0. @param n at most 2
static void set_unit(int n, const double* x, double* p)
{
    const double size = length(n, x);
    if (size == 0.0) {
        memset(p, 0, (size_t)n * sizeof *p);
        return;
    }
    // scale x to about 1 before the division, because a quotient of denormal numbers is coarse
    int exponent;
    frexp(size, &exponent);
    double unit[2];
    for (int i = 0; i < n; i++) {
        unit[i] = ldexp(x[i], -exponent);
    }
    const double norm = length(n, unit);
    for (int i = 0; i < n; i++) {
        p[i] = unit[i] / norm;
    }
}

void ut_section_support_point(const utSection* section, const double* x, double* p)
{
    const int n = section_usable(section) ? section->dimension - 1 : 1;
    const double size = ut_section_support(section, x);
    if (!(size <= DBL_MAX)) {
        for (int i = 0; i < n; i++) {
            p[i] = (double)NAN;
        }
    } else if (size == 0.0) {
        for (int i = 0; i < n; i++) {
            p[i] = 0.0;
        }
    } else if (section->edges == 0) {
        for (int k = 0; k < section->factors; k++) {
            const int begin = factor_begin(section, k) - 1;
            set_unit(section->factor_end[k] - 1 - begin, x + begin, p + begin);
        }
    } else {
        double product;
        const int j = farthest(section->edges, section->vertex, x, &product);
        const double* unit = section->vertex[j];
        p[0] = section->circumradius * unit[0];
        p[1] = section->circumradius * unit[1];
    }
}

double ut_section_gauge(const utSection* section, const double* x)
{
    if (!section_usable(section) || !all_finite(section->dimension - 1, x)) {
        return HUGE_VAL;
    }
    if (section->kind == UT_SECTION_PRODUCT) {
        double largest;
        sum_of_factors(section, x, &largest);
        return largest;
    }
    if (section->edges == 0) {
        return length(section->dimension - 1, x);
    }
    double product;
    farthest(section->edges, section->normal, x, &product);
    return product / section->inradius;
}
