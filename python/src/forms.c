// SPDX-License-Identifier: Apache-2.0
// Friction problems as the LCPs of the papers: uptack/polyhedral.h, blocks.h and notation.h.
#include "coulomb.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/blocks.h>
#include <uptack/notation.h>

// ---- polyhedral ---------------------------------------------------------------------------------

// A form with its memory, for ut_polyhedral_impulses.
typedef struct Form {
    utArena keep;
    utPolyhedral form;
    int rows; // of the problem
} Form;

static const char FORM[] = "uptack.coulomb.form";

static void free_form(PyObject* capsule)
{
    Form* f = PyCapsule_GetPointer(capsule, FORM);
    if (f != NULL) {
        ut_arena_destroy(&f->keep);
        free(f);
    }
}

static PyObject* form_dict(const utPolyhedral* f, PyObject* capsule)
{
    const size_t n = (size_t)f->lcp.n;
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put(d, "form", Py_NewRef(capsule)) && core_put_int(d, "n", f->lcp.n) &&
        core_put_int(d, "free", f->lcp.free_count) &&
        core_put_bytes(d, "M", f->lcp.M, n * n * sizeof(double)) &&
        core_put_bytes(d, "q", f->lcp.q, n * sizeof(double)) &&
        core_put_int(d, "velocity", f->velocity) && core_put_int(d, "bilateral", f->bilateral) &&
        core_put_int(d, "tangent", f->tangent) && core_put_int(d, "normal", f->normal) &&
        core_put_int(d, "beta", f->beta) && core_put_int(d, "lambda", f->lambda) &&
        core_put_int(d, "kappa_plus", f->kappa_plus) &&
        core_put_int(d, "kappa_minus", f->kappa_minus);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

static bool find_word(const char* what, const char* word, const char* const* words, int count,
                      int* found)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *found = i;
            return true;
        }
    }
    core_refuse("there is no %s '%s'", what, word);
    return false;
}

// polyhedral(problem, model, level, directions_first, convex, rho, slip, mu_kinetic, relaxation,
// regularization, scale) -> dict
static PyObject* polyhedral(PyObject* Py_UNUSED(module), PyObject* args)
{
    static const char* const models[] = {"force", "acceleration"};
    static const char* const levels[] = {"full", "mixed", "reduced"};
    PyObject* dict;
    const char *model, *level;
    int first, convex, choice[2];
    Array rho = {0}, slip = {0}, mu_kinetic = {0};
    utPolyhedralDef def = ut_polyhedral_def();
    if (!PyArg_ParseTuple(args, "OssppO&O&O&ddd", &dict, &model, &level, &first, &convex,
                          core_array, &rho, core_array, &slip, core_array, &mu_kinetic,
                          &def.relaxation, &def.regularization, &def.scale)) {
        return NULL;
    }
    PyObject* made = NULL;
    HeldProblem held;
    if (find_word("model", model, models, 2, &choice[0]) &&
        find_word("level", level, levels, 3, &choice[1]) && coulomb_open(dict, &held)) {
        const size_t nc = (size_t)held.problem.contacts;
        def.model = (utPolyhedralModel)choice[0];
        def.level = (utPolyhedralLevel)choice[1];
        def.directions_first = first != 0;
        def.convex = convex != 0;
        def.rho = rho.data;
        def.slip = slip.data;
        def.mu_kinetic = mu_kinetic.data;
        Form* form = NULL;
        if (core_array_has(&rho, "rho", nc, sizeof(double), true) &&
            core_array_has(&slip, "slip", nc * (size_t)(held.problem.dimension - 1), sizeof(double),
                           true) &&
            core_array_has(&mu_kinetic, "mu_kinetic", nc, sizeof(double), true)) {
            form = calloc(1, sizeof *form);
        }
        if (form != NULL && core_arena(&form->keep)) {
            utError err = {0};
            form->rows = ut_coulomb_rows(&held.problem);
            const utStatus status =
                ut_polyhedral_create(&held.problem, &def, &form->keep, &form->form, &err);
            PyObject* capsule =
                status == UT_OK ? PyCapsule_New(form, FORM, free_form) : core_raise(status, &err);
            if (capsule != NULL) {
                made = form_dict(&form->form, capsule);
                Py_DECREF(capsule);
                form = NULL; // belongs to the capsule
            }
        }
        if (form != NULL) {
            ut_arena_destroy(&form->keep);
            free(form);
        }
        coulomb_close(&held);
    }
    core_array_close(&rho);
    core_array_close(&slip);
    core_array_close(&mu_kinetic);
    return made;
}

// polyhedral_impulses(form, z, r): r is written
static PyObject* polyhedral_impulses(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* capsule;
    Array z = {0}, r = {0};
    if (!PyArg_ParseTuple(args, "OO&O&", &capsule, core_array, &z, core_array_writable, &r)) {
        return NULL;
    }
    PyObject* made = NULL;
    Form* form = PyCapsule_GetPointer(capsule, FORM);
    if (form != NULL && core_array_has(&z, "z", (size_t)form->form.lcp.n, sizeof(double), false) &&
        core_array_has(&r, "r", (size_t)form->rows, sizeof(double), false)) {
        ut_polyhedral_impulses(&form->form, z.data, r.view.buf);
        made = Py_NewRef(Py_None);
    }
    core_array_close(&z);
    core_array_close(&r);
    return made;
}

// ---- blocks -------------------------------------------------------------------------------------

// blocks(problem, only_rough) -> dict: the matrices of a step by the names of the papers
static PyObject* blocks(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    int only_rough;
    HeldProblem held;
    utArena keep;
    if (!PyArg_ParseTuple(args, "Op", &dict, &only_rough) || !coulomb_open(dict, &held)) {
        return NULL;
    }
    PyObject* d = NULL;
    if (core_arena(&keep)) {
        utBlocks b;
        utError err = {0};
        const utStatus status = ut_blocks_create(&held.problem, only_rough != 0, &keep, &b, &err);
        d = status == UT_OK ? PyDict_New() : core_raise(status, &err);
        const size_t m = (size_t)(d != NULL ? b.velocities : 0);
        const size_t nb = (size_t)(d != NULL ? b.bilaterals : 0);
        const size_t p = (size_t)(d != NULL ? b.contacts : 0);
        const size_t rough = (size_t)(d != NULL ? b.rough : 0);
        const size_t nd = (size_t)(d != NULL ? b.directions : 0);
        const size_t D = sizeof(double);
        const bool done =
            d != NULL && core_put_int(d, "velocities", b.velocities) &&
            core_put_int(d, "bilaterals", b.bilaterals) &&
            core_put_int(d, "contacts", b.contacts) && core_put_int(d, "rough", b.rough) &&
            core_put_int(d, "directions", b.directions) &&
            core_put_bytes(d, "first", b.first, (p + 1) * sizeof(int)) &&
            core_put_bytes(d, "M", b.M, m * m * D) && core_put_bytes(d, "W_b", b.W_b, m * nb * D) &&
            core_put_bytes(d, "W_n", b.W_n, m * p * D) &&
            core_put_bytes(d, "W_f", b.W_f, m * nd * D) &&
            core_put_bytes(d, "E", b.E, nd * rough * D) &&
            core_put_bytes(d, "U", b.U, rough * p * D) && core_put_bytes(d, "b_b", b.b_b, nb * D) &&
            core_put_bytes(d, "b_n", b.b_n, p * D) && core_put_bytes(d, "b_f", b.b_f, nd * D) &&
            core_put_bytes(d, "tau", b.tau, m * D);
        if (!done) {
            Py_CLEAR(d);
        }
        ut_arena_destroy(&keep);
    }
    coulomb_close(&held);
    return d;
}

// ---- as a paper prints it -----------------------------------------------------------------------

static PyObject* parts_list(const utPrinted* s)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < s->parts; i++) {
        const utPrintedPart* p = &s->part[i];
        PyObject* part = Py_BuildValue("(ssii)", p->unknown, p->slack, p->start, p->size);
        if (part == NULL || PyList_Append(list, part) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(part);
    }
    return list;
}

// The unknowns of impulses r, and the impulses back from them. @return false: raised
static bool put_unknowns(PyObject* d, const utPrinted* s, const utCoulomb* problem, const double* r)
{
    utArena scratch = {0};
    const size_t n = (size_t)s->lcp.n, N = (size_t)ut_coulomb_rows(problem);
    double* z = PyMem_Calloc(n + N + 1, sizeof *z);
    bool done = z != NULL && core_arena(&scratch);
    if (done) {
        utStatus status = ut_printed_unknowns(s, problem, r, scratch, z);
        done = status == UT_OK && core_put_bytes(d, "z", z, n * sizeof *z);
        if (done && s->notation != UT_NOTATION_PFROMMER) {
            status = ut_printed_impulses(s, z, scratch, z + n);
            done = status == UT_OK && core_put_bytes(d, "r", z + n, N * sizeof *z);
        }
        if (status != UT_OK) {
            core_raise(status, NULL);
        }
    }
    PyMem_Free(z);
    ut_arena_destroy(&scratch);
    return done;
}

// printed(problem, notation, h, v, r) -> dict: n, M, q, free, parts, and with r the unknowns z
static PyObject* printed(PyObject* Py_UNUSED(module), PyObject* args)
{
    PyObject* dict;
    const char* name;
    double h;
    Array v = {0}, r = {0};
    HeldProblem held;
    utNotation notation;
    utArena keep = {0};
    if (!PyArg_ParseTuple(args, "OsdO&O&", &dict, &name, &h, core_array, &v, core_array, &r)) {
        return NULL;
    }
    PyObject* d = NULL;
    if (!ut_notation_find(name, &notation)) {
        core_refuse("there is no notation '%s'", name);
    } else if (coulomb_open(dict, &held)) {
        if (core_array_has(&v, "v", (size_t)held.problem.dof, sizeof(double), true) &&
            core_array_has(&r, "r", (size_t)ut_coulomb_rows(&held.problem), sizeof(double), true) &&
            core_arena(&keep)) {
            utPrintedDef def = ut_printed_def(notation, h);
            def.v = v.data;
            utPrinted s;
            utError err = {0};
            const utStatus status = ut_printed_create(&held.problem, &def, &keep, &s, &err);
            d = status == UT_OK ? PyDict_New() : core_raise(status, &err);
            const size_t n = (size_t)(d != NULL ? s.lcp.n : 0);
            const bool done =
                d != NULL && core_put_text(d, "notation", ut_notation_name(s.notation)) &&
                core_put_int(d, "n", s.lcp.n) && core_put_int(d, "free", s.lcp.free_count) &&
                core_put_bytes(d, "M", s.lcp.M, n * n * sizeof(double)) &&
                core_put_bytes(d, "q", s.lcp.q, n * sizeof(double)) &&
                core_put(d, "parts", parts_list(&s)) &&
                (!r.open || put_unknowns(d, &s, &held.problem, r.data));
            if (!done) {
                Py_CLEAR(d);
            }
        }
        coulomb_close(&held);
    }
    ut_arena_destroy(&keep);
    core_array_close(&v);
    core_array_close(&r);
    return d;
}

PyMethodDef core_forms_methods[] = {
    {"polyhedral", polyhedral, METH_VARARGS, "polyhedral(problem, model, level, ...) -> dict"},
    {"polyhedral_impulses", polyhedral_impulses, METH_VARARGS, "polyhedral_impulses(form, z, r)"},
    {"blocks", blocks, METH_VARARGS, "blocks(problem, only_rough) -> dict"},
    {"printed", printed, METH_VARARGS, "printed(problem, notation, h, v, r) -> dict"},
    {NULL, NULL, 0, NULL},
};
