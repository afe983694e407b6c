// SPDX-License-Identifier: Apache-2.0
// The next step as the equations of a paper (uptack/_dump.py).
#include "sim.h"

#include <string.h>
#include <uptack/equations.h>

// dump(sim, notation, settings, step, model, rho, ranks, format) -> (text, solved)
static PyObject* dump(PyObject* Py_UNUSED(module), PyObject* args)
{
    Sim* sim;
    const char *notation, *model;
    PyObject* settings;
    int step, ranks, format;
    double rho;
    if (!PyArg_ParseTuple(args, "O!sO!isdpi", core_sim_type, &sim, &notation, &PyDict_Type,
                          &settings, &step, &model, &rho, &ranks, &format)) {
        return NULL;
    }
    utEquationsDef def = ut_equations_def(notation);
    PyObject* first = PyTuple_Pack(1, (PyObject*)sim->compiled);
    const bool read = first != NULL && core_sim_settings(first, settings, &def.sim);
    Py_XDECREF(first);
    utArena keep;
    if (!read || !sim_enter(sim) || !core_arena(&keep)) {
        return NULL;
    }
    def.step = step;
    def.model = model;
    def.rho = rho;
    def.ranks = ranks != 0;
    const utInput input = sim_input(sim);
    utEquations* system = NULL;
    utText text;
    utError err = {0};
    utStatus status = ut_equations_create(sim->sim, &input, &def, &system, &err);
    PyObject* made = NULL;
    if (status == UT_OK) {
        status = ut_equations_write(system, (utEquationsFormat)format, &keep, &text);
    }
    if (status == UT_OK) {
        made = Py_BuildValue("(NO)", core_text(text),
                             ut_equations_solved(system) ? Py_True : Py_False);
    } else {
        core_raise(status, &err);
    }
    ut_equations_destroy(system);
    ut_arena_destroy(&keep);
    return made;
}

// notations() -> list of (name, coordinates in which its blocks are as printed; "" for the model's)
static PyObject* notations(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    PyObject* list = PyList_New(0);
    for (int k = 0; list != NULL && ut_equations_notation(k) != NULL; k++) {
        const char* name = ut_equations_notation(k);
        const int coordinates = ut_equations_coordinates(name);
        PyObject* pair = Py_BuildValue(
            "(ss)", name, coordinates < 0 ? "" : ut_coordinates_name((utCoordinates)coordinates));
        if (pair == NULL || PyList_Append(list, pair) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    return list;
}

PyMethodDef core_equations_methods[] = {
    {"dump", dump, METH_VARARGS, "dump(sim, notation, settings, ...) -> (text, solved)"},
    {"notations", notations, METH_NOARGS, "notations() -> list of (name, coordinates)"},
    {NULL, NULL, 0, NULL},
};
