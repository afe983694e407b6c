// SPDX-License-Identifier: Apache-2.0
// Friction problems (uptack/coulomb.py): from dicts of arrays and back, judge, solve, files.
#include "coulomb.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb_problems.h>
#include <uptack/problem_files.h>
#include <uptack/uniqueness.h>

// ---- sections -----------------------------------------------------------------------------------

bool coulomb_section(PyObject* tuple, utSection* section)
{
    const char* kind;
    int edges;
    double turn;
    if (!PyTuple_Check(tuple)) {
        core_refuse("a section is (kind, edges, turn)");
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "sid", &kind, &edges, &turn)) {
        return false;
    }
    const struct {
        const char* kind;
        utSection (*make)(void);
    } fixed[] = {{"segment", ut_section_segment},
                 {"circle", ut_section_circle},
                 {"torsional", ut_section_torsional},
                 {"rolling", ut_section_rolling}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (strcmp(kind, fixed[i].kind) == 0) {
            *section = fixed[i].make();
            return true;
        }
    }
    const bool inscribed = strcmp(kind, "inscribed") == 0;
    if (!inscribed && strcmp(kind, "circumscribed") != 0) {
        core_refuse(
            "there is no section '%s'; there are segment, circle, torsional, rolling, inscribed "
            "and circumscribed",
            kind);
        return false;
    }
    utError err = {0};
    const utStatus status = ut_section_polygon(
        inscribed ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, edges, turn, section, &err);
    if (status != UT_OK) {
        core_raise(status, &err);
    }
    return status == UT_OK;
}

static PyObject* section_tuple(const utSection* s)
{
    const double* first = s->kind == UT_SECTION_INSCRIBED ? s->vertex[0] : s->normal[0];
    switch (s->kind) {
    case UT_SECTION_SEGMENT:
        return Py_BuildValue("(sid)", "segment", 0, 0.0);
    case UT_SECTION_CIRCLE:
        return Py_BuildValue("(sid)", "circle", 0, 0.0);
    case UT_SECTION_INSCRIBED:
        return Py_BuildValue("(sid)", "inscribed", s->edges, ut_atan2(first[1], first[0]));
    case UT_SECTION_CIRCUMSCRIBED:
        return Py_BuildValue("(sid)", "circumscribed", s->edges, ut_atan2(first[1], first[0]));
    default:
        return Py_BuildValue("(sid)", s->dimension == 6 ? "rolling" : "torsional", 0, 0.0);
    }
}

// ---- from Python --------------------------------------------------------------------------------

void coulomb_close(HeldProblem* held)
{
    for (int i = 0; i < held->arrays; i++) {
        core_array_close(&held->array[i]);
    }
    held->arrays = 0;
    free(held->section);
    held->section = NULL;
}

static bool read_int(PyObject* dict, const char* key, int* value)
{
    PyObject* item = PyDict_GetItemString(dict, key); // borrowed
    const long number = item != NULL && item != Py_None ? PyLong_AsLong(item) : 0;
    *value = (int)number;
    return PyErr_Occurred() == NULL;
}

// The data of an array of n entries; NULL where the dict has none. @return false: raised
static bool take(HeldProblem* held, PyObject* dict, const char* key, size_t n, size_t size,
                 const void** data)
{
    PyObject* item = PyDict_GetItemString(dict, key); // borrowed
    *data = NULL;
    if (item == NULL || item == Py_None) {
        return true;
    }
    Array* array = &held->array[held->arrays];
    if (core_array(item, array) == 0) {
        return false;
    }
    held->arrays++;
    *data = array->data;
    return core_array_has(array, key, n, size, false);
}

#define TAKE(held, dict, key, n, to) \
    take((held), (dict), (key), (size_t)(n), sizeof *(to), (const void**)(void*)&(to))

static bool take_sections(HeldProblem* held, PyObject* dict)
{
    PyObject* list = PyDict_GetItemString(dict, "sections"); // borrowed
    const Py_ssize_t n = list != NULL ? PySequence_Size(list) : 0;
    if (n < 1) {
        core_refuse("a friction problem needs at least one section");
        return false;
    }
    held->section = calloc((size_t)n, sizeof *held->section);
    if (held->section == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject* tuple = PySequence_GetItem(list, i);
        const bool read = tuple != NULL && coulomb_section(tuple, &held->section[i]);
        Py_XDECREF(tuple);
        if (!read) {
            return false;
        }
    }
    for (int i = 0; held->problem.section_of != NULL && i < held->problem.contacts; i++) {
        if (held->problem.section_of[i] < 0 || held->problem.section_of[i] >= n) {
            core_refuse("section_of[%d] is %d; there are %zd sections", i,
                        held->problem.section_of[i], n);
            return false;
        }
    }
    held->problem.section = held->section;
    return true;
}

// Sizes of arrays follow from indices of other arrays, which must not mislead.
static bool ascends(const char* key, const int* start, int n, int first)
{
    for (int i = 0; i < n; i++) {
        if (start[i] < (i > 0 ? start[i - 1] : first) || (i == 0 && start[0] != first)) {
            core_refuse("%s must begin with 0 and ascend", key);
            return false;
        }
    }
    return true;
}

static bool take_local(HeldProblem* held, PyObject* dict, size_t N)
{
    utCoulomb* p = &held->problem;
    if (!TAKE(held, dict, "W_start", N + 1, p->W_start) || !TAKE(held, dict, "q", N, p->q)) {
        return false;
    }
    if (p->W_start == NULL) {
        return TAKE(held, dict, "W", N * N, p->W);
    }
    return ascends("W_start", p->W_start, (int)N + 1, 0) &&
           TAKE(held, dict, "W_column", p->W_start[N], p->W_column) &&
           TAKE(held, dict, "W", p->W_start[N], p->W);
}

static int group_rows(const utCoulomb* p, int group)
{
    return group < p->contacts ? p->dimension : 1;
}

// M of the nodes and J of the groups, whose sizes follow from start, first and node.
static bool take_blocks(HeldProblem* held, PyObject* dict)
{
    utCoulomb* p = &held->problem;
    utCoulombBlocks* b = &held->blocks;
    const int groups = p->contacts + p->bilaterals;
    if (!TAKE(held, dict, "start", b->nodes + 1, b->start) ||
        !TAKE(held, dict, "first", groups + 1, b->first)) {
        return false;
    }
    if (b->start == NULL || b->first == NULL) {
        core_refuse("a problem by bodies needs start and first");
        return false;
    }
    if (!ascends("start", b->start, b->nodes + 1, 0) ||
        !ascends("first", b->first, groups + 1, 0) ||
        !TAKE(held, dict, "node", b->first[groups], b->node)) {
        return false;
    }
    if (b->node == NULL && b->first[groups] > 0) {
        core_refuse("a problem by bodies needs node");
        return false;
    }
    size_t masses = 0, entries = 0;
    for (int k = 0; k < b->nodes; k++) {
        const size_t n = (size_t)(b->start[k + 1] - b->start[k]);
        masses += n * n;
    }
    for (int g = 0; g < groups; g++) {
        for (int k = b->first[g]; k < b->first[g + 1]; k++) {
            const int node = b->node[k];
            if (node < 0 || node >= b->nodes) {
                core_refuse("node[%d] is %d; there are %d nodes", k, node, b->nodes);
                return false;
            }
            entries += (size_t)group_rows(p, g) * (size_t)(b->start[node + 1] - b->start[node]);
        }
    }
    p->dof = b->start[b->nodes];
    p->blocks = b;
    return TAKE(held, dict, "M", masses, b->M) && TAKE(held, dict, "J", entries, b->J);
}

static bool take_global(HeldProblem* held, PyObject* dict, size_t N)
{
    utCoulomb* p = &held->problem;
    const size_t dof = (size_t)p->dof;
    return TAKE(held, dict, "M", dof * dof, p->M) && TAKE(held, dict, "J", N * dof, p->J);
}

enum {
    MOST = 10000000
}; // contacts, rows, velocities, bodies; no product of these overflows a size_t

static bool take_problem(PyObject* dict, HeldProblem* held)
{
    utCoulomb* p = &held->problem;
    int nodes = 0;
    if (!read_int(dict, "dimension", &p->dimension) || !read_int(dict, "contacts", &p->contacts) ||
        !read_int(dict, "bilaterals", &p->bilaterals) || !read_int(dict, "dof", &p->dof) ||
        !read_int(dict, "nodes", &nodes)) {
        return false;
    }
    if (p->dimension < 2 || p->dimension > UT_LAW_MAX_DIMENSION || p->contacts < 0 ||
        p->bilaterals < 0 || p->dof < 0 || nodes < 0 || p->contacts > MOST ||
        p->bilaterals > MOST || p->dof > MOST || nodes > MOST) {
        core_refuse("a size of the problem is out of range");
        return false;
    }
    PyObject* speed = PyDict_GetItemString(dict, "speed"); // borrowed
    p->speed = speed != NULL ? PyFloat_AsDouble(speed) : 0.0;
    const int nc = p->contacts, nb = p->bilaterals;
    const size_t N = (size_t)ut_coulomb_rows(p);
    if (PyErr_Occurred() != NULL || !TAKE(held, dict, "low", nb, p->low) ||
        !TAKE(held, dict, "high", nb, p->high) || !TAKE(held, dict, "vector", nb, p->vector) ||
        !TAKE(held, dict, "mu", nc, p->mu) || !TAKE(held, dict, "torsional", nc, p->torsional) ||
        !TAKE(held, dict, "rolling", nc, p->rolling) ||
        !TAKE(held, dict, "section_of", nc, p->section_of) || !take_sections(held, dict)) {
        return false;
    }
    const bool by_bodies = nodes > 0;
    held->blocks.nodes = nodes;
    PyObject* q = PyDict_GetItemString(dict, "q"); // borrowed
    if (q != NULL && q != Py_None) {
        return take_local(held, dict, N);
    }
    return (by_bodies ? take_blocks(held, dict) : take_global(held, dict, N)) &&
           TAKE(held, dict, "f", p->dof, p->f) && TAKE(held, dict, "b", N, p->b);
}

bool coulomb_open(PyObject* dict, HeldProblem* held)
{
    *held = (HeldProblem){0};
    if (!PyDict_Check(dict)) {
        core_refuse("a problem is a dict");
        return false;
    }
    if (!take_problem(dict, held)) {
        coulomb_close(held);
        return false;
    }
    utError err = {0};
    const utStatus status = ut_coulomb_check(&held->problem, &err);
    if (status != UT_OK) {
        coulomb_close(held);
        core_raise(status, &err);
        return false;
    }
    return true;
}

// ---- to Python ----------------------------------------------------------------------------------

static int count_sections(const utCoulomb* p)
{
    int last = 0;
    for (int i = 0; p->section_of != NULL && i < p->contacts; i++) {
        last = p->section_of[i] > last ? p->section_of[i] : last;
    }
    return last + 1;
}

static PyObject* sections_list(const utCoulomb* p)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < count_sections(p); i++) {
        PyObject* tuple = section_tuple(&p->section[i]);
        if (tuple == NULL || PyList_Append(list, tuple) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

static bool put_array(PyObject* d, const char* key, const void* data, size_t n, size_t size)
{
    return data == NULL ? core_put(d, key, Py_NewRef(Py_None))
                        : core_put_bytes(d, key, data, n * size);
}

static bool put_blocks(PyObject* d, const utCoulomb* p)
{
    const utCoulombBlocks* b = p->blocks;
    const int groups = p->contacts + p->bilaterals;
    size_t masses = 0, entries = 0;
    for (int k = 0; k < b->nodes; k++) {
        const size_t n = (size_t)(b->start[k + 1] - b->start[k]);
        masses += n * n;
    }
    for (int g = 0; g < groups; g++) {
        for (int k = b->first[g]; k < b->first[g + 1]; k++) {
            const int node = b->node[k];
            entries += (size_t)group_rows(p, g) * (size_t)(b->start[node + 1] - b->start[node]);
        }
    }
    return core_put_int(d, "nodes", b->nodes) &&
           put_array(d, "start", b->start, (size_t)b->nodes + 1, sizeof *b->start) &&
           put_array(d, "first", b->first, (size_t)groups + 1, sizeof *b->first) &&
           put_array(d, "node", b->node, (size_t)b->first[groups], sizeof *b->node) &&
           put_array(d, "M", b->M, masses, sizeof(double)) &&
           put_array(d, "J", b->J, entries, sizeof(double));
}

static bool put_matrices(PyObject* d, const utCoulomb* p)
{
    const size_t N = (size_t)ut_coulomb_rows(p), dof = (size_t)p->dof;
    if (p->q != NULL) {
        const size_t entries = p->W_start != NULL ? (size_t)p->W_start[N] : N * N;
        return put_array(d, "W", p->W, entries, sizeof(double)) &&
               put_array(d, "W_start", p->W_start, N + 1, sizeof(int)) &&
               put_array(d, "W_column", p->W_column, entries, sizeof(int)) &&
               put_array(d, "q", p->q, N, sizeof(double));
    }
    const bool done = p->blocks != NULL ? put_blocks(d, p)
                                        : put_array(d, "M", p->M, dof * dof, sizeof(double)) &&
                                              put_array(d, "J", p->J, N * dof, sizeof(double));
    return done && put_array(d, "f", p->f, dof, sizeof(double)) &&
           put_array(d, "b", p->b, N, sizeof(double));
}

PyObject* core_problem(const utCoulomb* p)
{
    const size_t nc = (size_t)p->contacts, nb = (size_t)p->bilaterals;
    PyObject* d = PyDict_New();
    const bool done = d != NULL && core_put_int(d, "dimension", p->dimension) &&
                      core_put_int(d, "contacts", p->contacts) &&
                      core_put_int(d, "bilaterals", p->bilaterals) &&
                      core_put_int(d, "dof", p->dof) && core_put_double(d, "speed", p->speed) &&
                      put_array(d, "low", p->low, nb, sizeof(double)) &&
                      put_array(d, "high", p->high, nb, sizeof(double)) &&
                      put_array(d, "vector", p->vector, nb, sizeof(int)) &&
                      put_array(d, "mu", p->mu, nc, sizeof(double)) &&
                      put_array(d, "torsional", p->torsional, nc, sizeof(double)) &&
                      put_array(d, "rolling", p->rolling, nc, sizeof(double)) &&
                      put_array(d, "section_of", p->section_of, nc, sizeof(int)) &&
                      core_put(d, "sections", sections_list(p)) && put_matrices(d, p);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// ---- judge --------------------------------------------------------------------------------------

static PyObject* verdict_dict(const utCoulombVerdict* v)
{
    return Py_BuildValue("{s:d,s:d,s:i,s:d,s:d,s:d,s:d,s:d}", "E", v->E, "e", v->e, "contact",
                         v->contact, "V", v->V, "bilateral", v->bilateral, "cone", v->cone,
                         "model_gap", v->model_gap, "relative", v->relative);
}

// coulomb_judge(problem, r, u, convex) -> dict; u is written
static PyObject* coulomb_judge(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    Array r = {0}, u = {0};
    int convex;
    HeldProblem held;
    if (!PyArg_ParseTuple(args, "OO&O&p", &dict, core_array, &r, core_array_writable, &u,
                          &convex)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0};
    if (coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), false) &&
            core_array_has(&u, "u", N, sizeof(double), true) && core_arena(&scratch)) {
            utCoulombVerdict verdict;
            const utStatus status = ut_coulomb_judge(&held.problem, convex != 0, r.data, scratch,
                                                     u.open ? u.view.buf : NULL, &verdict);
            made = status == UT_OK ? verdict_dict(&verdict) : core_raise(status, NULL);
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&scratch);
    core_array_close(&r);
    core_array_close(&u);
    return made;
}

// coulomb_mismatch(problem, r, u) -> float: stored velocities beside those of the impulses
static PyObject* coulomb_mismatch(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    Array r = {0}, u = {0};
    HeldProblem held;
    if (!PyArg_ParseTuple(args, "OO&O&", &dict, core_array, &r, core_array, &u)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0};
    if (coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), false) &&
            core_array_has(&u, "u", N, sizeof(double), false) && core_arena(&scratch)) {
            double mismatch;
            const utStatus status =
                ut_coulomb_judge_velocity(&held.problem, r.data, u.data, scratch, &mismatch);
            made = status == UT_OK ? PyFloat_FromDouble(mismatch) : core_raise(status, NULL);
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&scratch);
    core_array_close(&r);
    core_array_close(&u);
    return made;
}

// ---- solve --------------------------------------------------------------------------------------

static PyObject* info_dict(const utCoulombInfo* info)
{
    return Py_BuildValue("{s:s,s:s,s:s,s:i,s:N}", "outcome", ut_coulomb_outcome_name(info->outcome),
                         "solver", ut_coulomb_solver_name(info->solver), "rung",
                         ut_rung_name(info->rung), "iterations", info->iterations, "verdict",
                         verdict_dict(&info->verdict));
}

static bool find_solvers(const char* name, const char* lcp, utCoulombSolver* solver,
                         utCoulombDef* def)
{
    if (!ut_coulomb_solver_find(name, solver)) {
        core_refuse(
            "there is no friction solver '%s'; there are auto, ipm, proximal, newton, nsgs, lcp",
            name);
        return false;
    }
    if (!ut_lcp_solver_find(lcp, &def->lcp)) {
        core_refuse("there is no LCP solver '%s'", lcp);
        return false;
    }
    return true;
}

// coulomb_solve(problem, solver, r, tolerance, max_iterations, warm_start, v_start, convex, no_fallback,
// lcp, mixed, rho, scale, regularization, relaxation) -> dict; r is written
static PyObject* coulomb_solve(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    const char *name, *lcp;
    Array r = {0}, v_start = {0};
    int warm_start, convex, no_fallback, mixed;
    utCoulombDef def = ut_coulomb_def();
    if (!PyArg_ParseTuple(args, "OsO&dipO&ppspdddd", &dict, &name, core_array_writable, &r,
                          &def.tolerance, &def.max_iterations, &warm_start, core_array, &v_start,
                          &convex, &no_fallback, &lcp, &mixed, &def.rho, &def.scale,
                          &def.regularization, &def.relaxation)) {
        return NULL;
    }
    def.warm_start = warm_start != 0;
    def.convex = convex != 0;
    def.no_fallback = no_fallback != 0;
    def.mixed = mixed != 0;
    PyObject* made = NULL;
    HeldProblem held;
    utCoulombSolver solver;
    utArena scratch = {0};
    if (find_solvers(name, lcp, &solver, &def) && coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), false) &&
            core_array_has(&v_start, "v_start", (size_t)held.problem.dof, sizeof(double), true) &&
            core_arena(&scratch)) {
            def.v_start = v_start.data;
            utCoulombInfo info;
            utStatus status;
            Py_BEGIN_ALLOW_THREADS;
            status = ut_coulomb_solve(&held.problem, solver, &def, scratch, r.view.buf, &info);
            Py_END_ALLOW_THREADS;
            made = status == UT_OK ? info_dict(&info) : core_raise(status, NULL);
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&scratch);
    core_array_close(&r);
    core_array_close(&v_start);
    return made;
}

// ---- uniqueness ---------------------------------------------------------------------------------

static PyObject* uniqueness_dict(const utUniqueness* u, const utCoulomb* p)
{
    const size_t N = (size_t)ut_coulomb_rows(p), nc = (size_t)p->contacts;
    PyObject* status = PyList_New(0);
    for (size_t i = 0; status != NULL && i < nc; i++) {
        PyObject* name = PyUnicode_FromString(ut_coulomb_status_name(u->status[i]));
        if (name == NULL || PyList_Append(status, name) != 0) {
            Py_CLEAR(status);
        }
        Py_XDECREF(name);
    }
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put(d, "status", status) &&
        core_put_bytes(d, "degenerate", u->degenerate, nc * sizeof(bool)) &&
        core_put_int(d, "open", u->open) && core_put_int(d, "slip", u->slip) &&
        core_put_int(d, "stick", u->stick) && core_put_int(d, "degenerates", u->degenerates) &&
        core_put_int(d, "columns", u->columns) && core_put_int(d, "rank", u->rank) &&
        core_put_int(d, "redundant", u->redundant) &&
        core_put_bytes(d, "null", u->null, (size_t)u->redundant * N * sizeof(double)) &&
        core_put_bytes(d, "unique", u->unique, (nc + (size_t)p->bilaterals) * sizeof(bool)) &&
        core_put_bool(d, "interior", u->interior) && core_put_double(d, "kept", u->kept) &&
        core_put_double(d, "dropped", u->dropped) &&
        core_put_text(d, "velocity", ut_velocity_claim_name(u->velocity));
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// coulomb_unique(problem, r, tolerance) -> dict
static PyObject* coulomb_unique(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    Array r = {0};
    double tolerance;
    HeldProblem held;
    if (!PyArg_ParseTuple(args, "OO&d", &dict, core_array, &r, &tolerance)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0}, keep = {0};
    if (coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), false) && core_arena(&scratch) &&
            core_arena(&keep)) {
            utUniqueness report;
            utError err = {0};
            const utStatus status =
                ut_coulomb_unique(&held.problem, r.data, tolerance, &keep, scratch, &report, &err);
            made = status == UT_OK ? uniqueness_dict(&report, &held.problem)
                                   : core_raise(status, &err);
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&scratch);
    ut_arena_destroy(&keep);
    core_array_close(&r);
    return made;
}

// coulomb_least(problem, r, tolerance) -> dict; r is replaced by the impulses of least norm
static PyObject* coulomb_least(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    Array r = {0};
    double tolerance;
    HeldProblem held;
    if (!PyArg_ParseTuple(args, "OO&d", &dict, core_array_writable, &r, &tolerance)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena scratch = {0};
    if (coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), false) && core_arena(&scratch)) {
            utLeastInfo info;
            utError err = {0};
            const utStatus status =
                ut_coulomb_least(&held.problem, tolerance, scratch, r.view.buf, &info, &err);
            made = status == UT_OK
                       ? Py_BuildValue("{s:O,s:i,s:d,s:d,s:N}", "found",
                                       info.found ? Py_True : Py_False, "iterations",
                                       info.iterations, "before", info.before, "after", info.after,
                                       "verdict", verdict_dict(&info.verdict))
                       : core_raise(status, &err);
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&scratch);
    core_array_close(&r);
    return made;
}

// ---- files --------------------------------------------------------------------------------------

// coulomb_print(problem, r) -> text
static PyObject* coulomb_print(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    Array r = {0};
    HeldProblem held;
    if (!PyArg_ParseTuple(args, "OO&", &dict, core_array, &r)) {
        return NULL;
    }
    PyObject* made = NULL;
    if (coulomb_open(dict, &held)) {
        const size_t N = (size_t)ut_coulomb_rows(&held.problem);
        if (core_array_has(&r, "r", N, sizeof(double), true)) {
            const size_t size = ut_coulomb_print(&held.problem, r.data, NULL, 0);
            char* text = PyMem_Malloc(size + 1);
            if (size == 0) {
                core_refuse("the format has no place for several sections or a turned polygon");
            } else if (text == NULL) {
                PyErr_NoMemory();
            } else {
                ut_coulomb_print(&held.problem, r.data, text, size);
                made = core_text((utText){text, size});
            }
            PyMem_Free(text);
        }
        coulomb_close(&held);
    }
    core_array_close(&r);
    return made;
}

// coulomb_read(text, name) -> (dict, bytes of r or None)
static PyObject* coulomb_read(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char *text, *name;
    Py_ssize_t size;
    utArena keep;
    if (!PyArg_ParseTuple(args, "s#s", &text, &size, &name) || !core_arena(&keep)) {
        return NULL;
    }
    utCoulomb problem;
    const double* r = NULL;
    utError err = {0};
    const utStatus status =
        ut_coulomb_read_impulses((utText){text, (size_t)size}, name, &keep, &problem, &r, &err);
    PyObject* made = NULL;
    if (status == UT_OK) {
        const size_t bytes = (size_t)ut_coulomb_rows(&problem) * sizeof *r;
        PyObject* impulses = r != NULL
                                 ? PyByteArray_FromStringAndSize((const char*)r, (Py_ssize_t)bytes)
                                 : Py_NewRef(Py_None);
        made = Py_BuildValue("(NN)", core_problem(&problem), impulses);
    } else {
        core_raise(status, &err);
    }
    ut_arena_destroy(&keep);
    return made;
}

// friction_scene(name, count, ratio, mu, seed, blocks) -> dict: a generated problem
static PyObject* friction_scene(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* name;
    int count;
    double ratio, mu;
    unsigned long long seed;
    int blocks;
    if (!PyArg_ParseTuple(args, "siddKp", &name, &count, &ratio, &mu, &seed, &blocks)) {
        return NULL;
    }
    int scene = 0;
    while (scene < UT_FRICTION_SCENE_COUNT &&
           strcmp(name, ut_friction_scene_name((utFrictionScene)scene)) != 0) {
        scene++;
    }
    utArena keep;
    if (scene == UT_FRICTION_SCENE_COUNT) {
        return core_refuse("there is no scene '%s' of friction problems", name);
    }
    if (!core_arena(&keep)) {
        return NULL;
    }
    utFrictionDef def = ut_friction_def((utFrictionScene)scene);
    def.count = count;
    def.ratio = ratio;
    def.mu_min = mu;
    def.seed = seed;
    utFrictionProblem problem;
    const utSection circle = ut_section_circle();
    const utStatus status = ut_friction_create(&def, &keep, &problem);
    PyObject* made = NULL;
    if (status == UT_OK) {
        const utCoulomb coulomb =
            blocks ? ut_friction_blocks(&problem, &circle) : ut_friction_coulomb(&problem, &circle);
        made = core_problem(&coulomb);
    } else {
        core_raise(status, NULL);
    }
    ut_arena_destroy(&keep);
    return made;
}

PyMethodDef core_coulomb_methods[] = {
    {"coulomb_judge", coulomb_judge, METH_VARARGS, "coulomb_judge(problem, r, u, convex) -> dict"},
    {"coulomb_mismatch", coulomb_mismatch, METH_VARARGS,
     "coulomb_mismatch(problem, r, u) -> float"},
    {"coulomb_solve", coulomb_solve, METH_VARARGS,
     "coulomb_solve(problem, solver, r, ...) -> dict"},
    {"coulomb_unique", coulomb_unique, METH_VARARGS,
     "coulomb_unique(problem, r, tolerance) -> dict"},
    {"coulomb_least", coulomb_least, METH_VARARGS, "coulomb_least(problem, r, tolerance) -> dict"},
    {"coulomb_print", coulomb_print, METH_VARARGS, "coulomb_print(problem, r) -> text"},
    {"coulomb_read", coulomb_read, METH_VARARGS, "coulomb_read(text, name) -> (dict, r)"},
    {"friction_scene", friction_scene, METH_VARARGS,
     "friction_scene(name, count, ratio, mu, seed, blocks) -> dict"},
    {NULL, NULL, 0, NULL},
};
