// SPDX-License-Identifier: Apache-2.0
// The friction law of one contact, and one impact (uptack/law.py).
#include "coulomb.h"

#include <string.h>
#include <uptack/impact.h>

// ---- the law ------------------------------------------------------------------------------------

typedef struct LawArguments {
    utSection section;
    utLaw law;
    double a[UT_LAW_MAX_DIMENSION], b[UT_LAW_MAX_DIMENSION];
    double m, V;
} LawArguments;

static bool read_law(PyObject* args, const char** what, LawArguments* l)
{
    PyObject *section, *a, *b;
    int convex;
    if (!PyArg_ParseTuple(args, "sOdpddOOdd", what, &section, &l->law.mu, &convex,
                          &l->law.torsional, &l->law.rolling, &a, &b, &l->m, &l->V) ||
        !coulomb_section(section, &l->section)) {
        return false;
    }
    l->law.section = &l->section;
    l->law.convex = convex != 0;
    const bool of_section = strcmp(*what, "support") == 0 || strcmp(*what, "gauge") == 0 ||
                            strcmp(*what, "support_point") == 0;
    const int n = l->section.dimension - of_section;
    return core_read_doubles(a, "the vector", n, l->a) &&
           (b == Py_None || core_read_doubles(b, "the second vector", n, l->b));
}

static PyObject* vector(const double* p, int n)
{
    return PyByteArray_FromStringAndSize((const char*)p, (Py_ssize_t)((size_t)n * sizeof *p));
}

static const char* region_name(utLawRegion region)
{
    static const char* const names[] = {"inside", "face", "edge", "open", "invalid"};
    return names[region];
}

// law(what, section, mu, convex, torsional, rolling, a, b, m, V): one number, or vectors as bytes
static PyObject* law(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* what;
    LawArguments l = {0};
    if (!read_law(args, &what, &l)) {
        return NULL;
    }
    const int n = l.section.dimension;
    double p[UT_LAW_MAX_DIMENSION] = {0}, D[UT_LAW_MAX_DIMENSION * UT_LAW_MAX_DIMENSION] = {0};
    const struct {
        const char* what;
        double (*function)(const utLaw* law, const double* a);
    } number[] = {{"excess", ut_law_excess},
                  {"dual_excess", ut_law_dual_excess},
                  {"dual_distance", ut_law_dual_distance},
                  {"shift", ut_law_shift},
                  {"error_degenerate", ut_law_error_degenerate}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        if (strcmp(what, number[i].what) == 0) {
            return PyFloat_FromDouble(number[i].function(&l.law, l.a));
        }
    }
    if (strcmp(what, "support") == 0) {
        return PyFloat_FromDouble(ut_section_support(&l.section, l.a));
    }
    if (strcmp(what, "gauge") == 0) {
        return PyFloat_FromDouble(ut_section_gauge(&l.section, l.a));
    }
    if (strcmp(what, "support_point") == 0) {
        ut_section_support_point(&l.section, l.a, p);
        return vector(p, n - 1);
    }
    if (strcmp(what, "error") == 0) {
        return PyFloat_FromDouble(ut_law_error(&l.law, l.m, l.a, l.b));
    }
    if (strcmp(what, "violation") == 0) {
        return PyFloat_FromDouble(ut_law_violation(&l.law, l.m, l.V, l.a));
    }
    if (strcmp(what, "shifted") == 0) {
        ut_law_shifted(&l.law, l.a, p);
        return vector(p, n);
    }
    if (strcmp(what, "project") == 0) {
        const utLawRegion region = ut_law_project(&l.law, l.a, p);
        return Py_BuildValue("(sN)", region_name(region), vector(p, n));
    }
    if (strcmp(what, "project_dual") == 0) {
        const utLawRegion region = ut_law_project_dual(&l.law, l.a, p);
        return Py_BuildValue("(sN)", region_name(region), vector(p, n));
    }
    if (strcmp(what, "derivative") == 0) {
        const utLawRegion region = ut_law_derivative(&l.law, l.a, p, D);
        return Py_BuildValue("(sNN)", region_name(region), vector(p, n), vector(D, n * n));
    }
    return core_refuse("the law has no function '%s'", what);
}

static PyObject* row_error(PyObject* Py_UNUSED(module), PyObject* args)
{
    double m, lo, hi, r, u;
    return PyArg_ParseTuple(args, "ddddd", &m, &lo, &hi, &r, &u)
               ? PyFloat_FromDouble(ut_law_row_error(m, lo, hi, r, u))
               : NULL;
}

// ---- impacts ------------------------------------------------------------------------------------

static PyObject* triple(const double a[3])
{
    return Py_BuildValue("(ddd)", a[0], a[1], a[2]);
}

static PyObject* spans_list(const utImpactResult* r)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < r->spans; i++) {
        const utImpactSpan* s = &r->span[i];
        PyObject* span = Py_BuildValue("(sd(dd)(dd))", ut_impact_state_name(s->state), s->r_n,
                                       s->from[0], s->from[1], s->to[0], s->to[1]);
        if (span == NULL || PyList_Append(list, span) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(span);
    }
    return list;
}

// impact(dimension, K, u, mu, e, law) -> dict; law as a number of utImpactLaw
static PyObject* impact(PyObject* Py_UNUSED(module), PyObject* args)
{
    utImpact problem = {0};
    PyObject *K, *u;
    int law_number;
    if (!PyArg_ParseTuple(args, "iOOddi", &problem.dimension, &K, &u, &problem.mu, &problem.e,
                          &law_number)) {
        return NULL;
    }
    const int n = problem.dimension;
    if (n != 2 && n != 3) {
        return core_refuse("an impact has 2 or 3 dimensions, not %d", n);
    }
    if (!core_read_doubles(K, "K", n * n, problem.K) || !core_read_doubles(u, "u", n, problem.u)) {
        return NULL;
    }
    problem.law = (utImpactLaw)law_number;
    utImpactResult r;
    utError err = {0};
    const utStatus status = ut_impact_solve(&problem, &r, &err);
    if (status != UT_OK) {
        return core_raise(status, &err);
    }
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put_text(d, "outcome", ut_impact_outcome_text(r.outcome)) &&
        core_put(d, "r", triple(r.r)) && core_put(d, "u", triple(r.u)) &&
        core_put(d, "spans", spans_list(&r)) && core_put_bool(d, "straight", r.straight) &&
        core_put_bool(d, "jam", r.jam) && core_put_int(d, "compressions", r.compressions) &&
        core_put(d, "r_compression", triple(r.r_compression)) &&
        core_put(d, "u_compression", triple(r.u_compression)) &&
        core_put_double(d, "work_compression", r.work_compression) &&
        core_put_double(d, "work_restitution", r.work_restitution) &&
        core_put_double(d, "work_friction", r.work_friction) &&
        core_put_double(d, "energy", r.energy) &&
        core_put(d, "restitution", triple(r.restitution)) && core_put_int(d, "steps", r.steps);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

PyMethodDef core_law_methods[] = {
    {"law", law, METH_VARARGS, "law(what, section, mu, convex, torsional, rolling, a, b, m, V)"},
    {"row_error", row_error, METH_VARARGS, "row_error(m, lo, hi, r, u) -> m/s"},
    {"impact", impact, METH_VARARGS, "impact(dimension, K, u, mu, e, law) -> dict"},
    {NULL, NULL, 0, NULL},
};
