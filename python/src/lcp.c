// SPDX-License-Identifier: Apache-2.0
// Linear and nonlinear complementarity problems (uptack/lcp.py).
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/lcp_problems.h>
#include <uptack/ncp.h>
#include <uptack/problem_files.h>

// ---- problems -----------------------------------------------------------------------------------

// A problem as it comes: (n, M, q, free, lo, hi, findex).
typedef struct Problem {
    utLcp lcp;
    Array M, q, lo, hi, findex;
} Problem;

static void close_problem(Problem* p)
{
    core_array_close(&p->M);
    core_array_close(&p->q);
    core_array_close(&p->lo);
    core_array_close(&p->hi);
    core_array_close(&p->findex);
}

// @return false: raised, and nothing is open
static bool open_problem(PyObject* tuple, Problem* p)
{
    *p = (Problem){0};
    int n, free_count;
    if (!PyTuple_Check(tuple)) {
        core_refuse("a problem is (n, M, q, free, lo, hi, findex)");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "iO&O&iO&O&O&", &n, core_array, &p->M, core_array, &p->q,
                          &free_count, core_array, &p->lo, core_array, &p->hi, core_array,
                          &p->findex)) {
        return false;
    }
    const size_t size = n > 0 ? (size_t)n : 0;
    if (!core_array_has(&p->M, "M", size * size, sizeof(double), false) ||
        !core_array_has(&p->q, "q", size, sizeof(double), false) ||
        !core_array_has(&p->lo, "lo", size, sizeof(double), true) ||
        !core_array_has(&p->hi, "hi", size, sizeof(double), true) ||
        !core_array_has(&p->findex, "findex", size, sizeof(int), true)) {
        close_problem(p);
        return false;
    }
    p->lcp = (utLcp){.n = n,
                     .M = p->M.data,
                     .q = p->q.data,
                     .free_count = free_count,
                     .lo = p->lo.data,
                     .hi = p->hi.data,
                     .findex = p->findex.data};
    utError err = {0};
    const utStatus status = ut_lcp_check(&p->lcp, &err);
    if (status != UT_OK) {
        close_problem(p);
        core_raise(status, &err);
        return false;
    }
    return true;
}

static PyObject* problem_dict(const utLcp* lcp)
{
    const size_t n = (size_t)lcp->n;
    PyObject* d = PyDict_New();
    const bool done = d != NULL && core_put_int(d, "n", lcp->n) &&
                      core_put_bytes(d, "M", lcp->M, n * n * sizeof(double)) &&
                      core_put_bytes(d, "q", lcp->q, n * sizeof(double)) &&
                      core_put_int(d, "free", lcp->free_count) &&
                      core_put_bytes(d, "lo", lcp->lo, n * sizeof(double)) &&
                      core_put_bytes(d, "hi", lcp->hi, n * sizeof(double)) &&
                      core_put_bytes(d, "findex", lcp->findex, n * sizeof(int));
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

static bool find_solver(const char* name, utLcpSolver* solver)
{
    if (!ut_lcp_solver_find(name, solver)) {
        core_refuse(
            "there is no LCP solver '%s'; there are auto, lemke, pivot, pgs, newton, enumerate",
            name);
        return false;
    }
    return true;
}

// ---- warm starts --------------------------------------------------------------------------------

typedef struct Warm {
    utArena memory;
    utLcpWarm warm;
} Warm;

static const char WARM[] = "uptack.lcp.warm";

static void free_warm(PyObject* capsule)
{
    Warm* w = PyCapsule_GetPointer(capsule, WARM);
    if (w != NULL) {
        ut_arena_destroy(&w->memory);
        free(w);
    }
}

// lcp_warm(n) -> capsule
static PyObject* lcp_warm(PyObject* Py_UNUSED(module), PyObject* args)
{
    int n;
    if (!PyArg_ParseTuple(args, "i", &n)) {
        return NULL;
    }
    if (n < 1) {
        return core_refuse("a warm start has at least 1 unknown");
    }
    Warm* w = calloc(1, sizeof *w);
    if (w == NULL || ut_arena_create(0, NULL, &w->memory) != UT_OK) {
        free(w);
        return PyErr_NoMemory();
    }
    PyObject* capsule = ut_lcp_warm_create(n, &w->memory, &w->warm) == UT_OK
                            ? PyCapsule_New(w, WARM, free_warm)
                            : PyErr_NoMemory();
    if (capsule == NULL) {
        ut_arena_destroy(&w->memory);
        free(w);
    }
    return capsule;
}

// ---- solving ------------------------------------------------------------------------------------

static PyObject* info_dict(const utLcpInfo* info)
{
    return Py_BuildValue("{s:s,s:s,s:i,s:i,s:d}", "outcome", ut_lcp_outcome_name(info->outcome),
                         "solver", ut_lcp_solver_name(info->solver), "iterations", info->iterations,
                         "factorizations", info->factorizations, "residual", info->residual);
}

// lcp_solve(problem, solver, z, tolerance, max_iterations, relaxation, warm_start, equilibrate,
// eliminate_free, cover, ray, warm, same_matrix) -> dict; z and ray are written
static PyObject* lcp_solve(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject *tuple, *capsule;
    const char* name;
    Array z = {0}, cover = {0}, ray = {0};
    utLcpDef def = ut_lcp_def();
    int warm_start, equilibrate, eliminate, same;
    if (!PyArg_ParseTuple(args, "OsO&didpppO&O&Op", &tuple, &name, core_array_writable, &z,
                          &def.tolerance, &def.max_iterations, &def.relaxation, &warm_start,
                          &equilibrate, &eliminate, core_array, &cover, core_array_writable, &ray,
                          &capsule, &same)) {
        return NULL;
    }
    PyObject* made = NULL;
    Problem p = {0};
    utLcpSolver solver;
    utArena scratch = {0};
    if (find_solver(name, &solver) && open_problem(tuple, &p)) {
        const size_t n = (size_t)p.lcp.n;
        Warm* warm = capsule != Py_None ? PyCapsule_GetPointer(capsule, WARM) : NULL;
        const bool fits = core_array_has(&z, "z", n, sizeof(double), false) &&
                          core_array_has(&cover, "cover", n, sizeof(double), true) &&
                          core_array_has(&ray, "ray", n, sizeof(double), true);
        if (fits && warm != NULL && warm->warm.n != p.lcp.n) {
            core_refuse("the warm start is for %d unknowns, not %d", warm->warm.n, p.lcp.n);
        } else if (fits && PyErr_Occurred() == NULL && core_arena(&scratch)) {
            def.warm_start = warm_start != 0;
            def.equilibrate = equilibrate != 0;
            def.eliminate_free = eliminate != 0;
            def.same_matrix = same != 0;
            def.cover = cover.data;
            def.ray = ray.open ? ray.view.buf : NULL;
            def.warm = warm != NULL ? &warm->warm : NULL;
            utLcpInfo info;
            utStatus status;
            Py_BEGIN_ALLOW_THREADS;
            status = ut_lcp_solve(&p.lcp, solver, &def, scratch, z.view.buf, &info);
            Py_END_ALLOW_THREADS;
            made = status == UT_OK ? info_dict(&info) : core_raise(status, NULL);
        }
        close_problem(&p);
    }
    ut_arena_destroy(&scratch);
    core_array_close(&z);
    core_array_close(&cover);
    core_array_close(&ray);
    return made;
}

// lcp_all(problem, tolerance, room) -> (count, bytes of room x n or less)
static PyObject* lcp_all(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* tuple;
    int room;
    utLcpDef def = ut_lcp_def();
    Problem p;
    if (!PyArg_ParseTuple(args, "Odi", &tuple, &def.tolerance, &room) || !open_problem(tuple, &p)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0};
    const size_t n = (size_t)p.lcp.n;
    double* Z = room >= 0 ? PyMem_Calloc((size_t)room * n + 1, sizeof *Z) : NULL;
    if (Z == NULL) {
        PyErr_NoMemory();
    } else if (core_arena(&scratch)) {
        int count = 0;
        const utStatus status = ut_lcp_all(&p.lcp, &def, scratch, room, Z, &count);
        const size_t kept = (size_t)(count < room ? count : room);
        made = status == UT_OK
                   ? Py_BuildValue("(iN)", count,
                                   PyByteArray_FromStringAndSize(
                                       (const char*)Z, (Py_ssize_t)(kept * n * sizeof *Z)))
                   : core_raise(status, NULL);
    }
    PyMem_Free(Z);
    ut_arena_destroy(&scratch);
    close_problem(&p);
    return made;
}

// lcp_slack(problem, z, w) -> residual; w is written
static PyObject* lcp_slack(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* tuple;
    Array z = {0}, w = {0};
    Problem p;
    if (!PyArg_ParseTuple(args, "OO&O&", &tuple, core_array, &z, core_array_writable, &w)) {
        return NULL;
    }
    PyObject* made = NULL;
    if (open_problem(tuple, &p)) {
        const size_t n = (size_t)p.lcp.n;
        if (core_array_has(&z, "z", n, sizeof(double), false) &&
            core_array_has(&w, "w", n, sizeof(double), false)) {
            ut_lcp_slack(&p.lcp, z.data, w.view.buf);
            made = PyFloat_FromDouble(ut_lcp_residual(&p.lcp, z.data));
        }
        close_problem(&p);
    }
    core_array_close(&z);
    core_array_close(&w);
    return made;
}

// ---- files and families -------------------------------------------------------------------------

// lcp_read(text, name, format) -> dict; format as in utLcpFormat
static PyObject* lcp_read(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char *text, *name;
    Py_ssize_t size;
    int format;
    utArena keep;
    if (!PyArg_ParseTuple(args, "s#si", &text, &size, &name, &format) || !core_arena(&keep)) {
        return NULL;
    }
    utLcp lcp;
    utError err = {0};
    const utStatus status =
        ut_lcp_read((utText){text, (size_t)size}, name, (utLcpFormat)format, &keep, &lcp, &err);
    PyObject* made = status == UT_OK ? problem_dict(&lcp) : core_raise(status, &err);
    ut_arena_destroy(&keep);
    return made;
}

// lcp_family(name, n, seed) -> (dict, solution or empty, unique)
static PyObject* lcp_family(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* name;
    int n;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "siK", &name, &n, &seed)) {
        return NULL;
    }
    int family = 0;
    while (family < UT_LCP_FAMILY_COUNT &&
           strcmp(name, ut_lcp_family_name((utLcpFamily)family)) != 0) {
        family++;
    }
    utArena keep;
    if (family == UT_LCP_FAMILY_COUNT) {
        return core_refuse("there is no family '%s' of LCPs", name);
    }
    if (!core_arena(&keep)) {
        return NULL;
    }
    utLcpProblem problem;
    const utStatus status = ut_lcp_family_create((utLcpFamily)family, n, seed, &keep, &problem);
    PyObject* made = NULL;
    if (status == UT_OK) {
        const Py_ssize_t bytes = problem.z != NULL ? n * (Py_ssize_t)sizeof(double) : 0;
        made = Py_BuildValue(
            "(NNO)", problem_dict(&problem.lcp),
            PyByteArray_FromStringAndSize(bytes > 0 ? (const char*)problem.z : "", bytes),
            problem.unique ? Py_True : Py_False);
    } else {
        core_raise(status, NULL);
    }
    ut_arena_destroy(&keep);
    return made;
}

// lcp_families() -> names
static PyObject* lcp_families(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < UT_LCP_FAMILY_COUNT; i++) {
        PyObject* name = PyUnicode_FromString(ut_lcp_family_name((utLcpFamily)i));
        if (name == NULL || PyList_Append(list, name) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

// ---- nonlinear problems -------------------------------------------------------------------------

// A function of Python that gives g and its derivative as bytes of doubles.
typedef struct Callback {
    PyObject* function; // f(z bytes) -> (g, J), both with the buffer protocol
    size_t n;
} Callback;

static bool copy_exactly(PyObject* from, double* to, size_t n)
{
    Array array = {0};
    if (core_array(from, &array) == 0) {
        return false;
    }
    const bool fits = core_array_has(&array, "the function's result", n, sizeof(double), false);
    if (fits) {
        memcpy(to, array.data, n * sizeof *to);
    }
    core_array_close(&array);
    return fits;
}

static utStatus call_function(const double* z, double* g, double* J, void* context)
{
    const Callback* c = context;
    PyObject* bytes = PyBytes_FromStringAndSize((const char*)z, (Py_ssize_t)(c->n * sizeof *z));
    PyObject* result = bytes != NULL ? PyObject_CallFunction(c->function, "O", bytes) : NULL;
    const bool done = result != NULL && PyTuple_Check(result) && PyTuple_Size(result) == 2 &&
                      copy_exactly(PyTuple_GetItem(result, 0), g, c->n) &&
                      copy_exactly(PyTuple_GetItem(result, 1), J, c->n * c->n);
    Py_XDECREF(bytes);
    Py_XDECREF(result);
    return done ? UT_OK : UT_ERR_ARGUMENT; // an exception of the function is set
}

// ncp_solve(function, n, free, solver, z, tolerance, max_iterations, warm_start, history) -> dict
static PyObject* ncp_solve(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* function;
    int n, free_count, warm_start;
    const char* name;
    Array z = {0}, history = {0};
    utNcpDef def = ut_ncp_def();
    if (!PyArg_ParseTuple(args, "OiisO&dipO&", &function, &n, &free_count, &name,
                          core_array_writable, &z, &def.tolerance, &def.max_iterations, &warm_start,
                          core_array_writable, &history)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0};
    const size_t records = def.max_iterations >= 0 ? (size_t)def.max_iterations + 1 : 0;
    if (n < 1 || free_count < 0 || free_count > n) {
        core_refuse("n is %d and free is %d; 0 <= free <= n and n >= 1 are needed", n, free_count);
    } else if (find_solver(name, &def.solver) &&
               core_array_has(&z, "z", (size_t)n, sizeof(double), false) &&
               core_array_has(&history, "history", records, sizeof(double), true) &&
               core_arena(&scratch)) {
        Callback context = {function, (size_t)n};
        const utNcp ncp = {n, free_count, call_function, &context};
        def.warm_start = warm_start != 0;
        def.history = history.open ? history.view.buf : NULL;
        utNcpInfo info;
        const utStatus status = ut_ncp_solve(&ncp, &def, scratch, z.view.buf, &info);
        if (status == UT_OK) {
            made = Py_BuildValue("{s:s,s:i,s:d}", "outcome", ut_lcp_outcome_name(info.outcome),
                                 "iterations", info.iterations, "residual", info.residual);
        } else if (PyErr_Occurred() == NULL) {
            core_raise(status, NULL);
        }
    }
    ut_arena_destroy(&scratch);
    core_array_close(&z);
    core_array_close(&history);
    return made;
}

PyMethodDef core_lcp_methods[] = {
    {"lcp_warm", lcp_warm, METH_VARARGS, "lcp_warm(n) -> capsule"},
    {"lcp_solve", lcp_solve, METH_VARARGS, "lcp_solve(problem, solver, z, ...) -> dict"},
    {"lcp_all", lcp_all, METH_VARARGS, "lcp_all(problem, tolerance, room) -> (count, bytes)"},
    {"lcp_slack", lcp_slack, METH_VARARGS, "lcp_slack(problem, z, w) -> residual"},
    {"lcp_read", lcp_read, METH_VARARGS, "lcp_read(text, name, format) -> dict"},
    {"lcp_family", lcp_family, METH_VARARGS, "lcp_family(name, n, seed) -> (dict, z, unique)"},
    {"lcp_families", lcp_families, METH_NOARGS, "lcp_families() -> list of names"},
    {"ncp_solve", ncp_solve, METH_VARARGS, "ncp_solve(function, n, free, solver, z, ...) -> dict"},
    {NULL, NULL, 0, NULL},
};
