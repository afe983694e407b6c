// SPDX-License-Identifier: Apache-2.0
// Names of things: scenes, formulations, solvers and the other lists.
#include "core.h"

#include <string.h>
#include <uptack/impact.h>
#include <uptack/scenes.h>

static PyObject* scenes(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < ut_scene_count(); i++) {
        const utSceneInfo info = ut_scene_info(i);
        PyObject* scene = Py_BuildValue("(sss)", info.name, info.usage, info.text);
        if (scene == NULL || PyList_Append(list, scene) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(scene);
    }
    return list;
}

static PyObject* scene_is(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* name;
    return PyArg_ParseTuple(args, "s", &name) ? PyBool_FromLong(ut_scene_is(name)) : NULL;
}

static PyObject* traits(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    static const char* const section[] = {"segment", "circle", "inscribed", "circumscribed",
                                          "product"};
    static const char* const gap[] = {"positive", "signed", "none"};
    static const char* const reach[] = {"speculative", "touching", "margin"};
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < UT_FORMULATION_COUNT; i++) {
        const utFormulationTraits* t = ut_formulation_traits((utFormulation)i);
        PyObject* d = PyDict_New();
        const bool done =
            d != NULL && core_put_text(d, "name", t->name) &&
            core_put_text(d, "section", section[t->section]) &&
            core_put_text(d, "gap", gap[t->gap]) && core_put_text(d, "reach", reach[t->reach]) &&
            core_put_bool(d, "convex", t->convex) && core_put_bool(d, "projects", t->projects) &&
            core_put_bool(d, "explicit_forces", t->explicit_forces) &&
            core_put_bool(d, "acceleration", t->acceleration) &&
            core_put_bool(d, "events", t->events) &&
            core_put_bool(d, "collisions_only", t->collisions_only) && PyList_Append(list, d) == 0;
        Py_XDECREF(d);
        if (!done) {
            Py_CLEAR(list);
        }
    }
    return list;
}

#define NAMES(function, type, count, name_of)              \
    static const char* function(int i)                     \
    {                                                      \
        return i < (int)(count) ? name_of((type)i) : NULL; \
    }

NAMES(rung, utRung, UT_RUNG_COUNT, ut_rung_name)
NAMES(tier, utTier, UT_TIER_COUNT, ut_tier_name)
NAMES(formulation, utFormulation, UT_FORMULATION_COUNT, ut_formulation_name)
NAMES(integrator, utIntegrator, UT_INTEGRATOR_COUNT, ut_integrator_name)
NAMES(lcp_solver, utLcpSolver, UT_LCP_SOLVER_COUNT, ut_lcp_solver_name)
NAMES(coulomb_solver, utCoulombSolver, UT_COULOMB_SOLVER_COUNT, ut_coulomb_solver_name)
NAMES(impact_law, utImpactLaw, UT_IMPACT_LAW_COUNT, ut_impact_law_name)
NAMES(contact_state, utContactState, UT_CONTACT_STATE_COUNT, ut_contact_state_name)
NAMES(row_kind, utRowKind, UT_ROW_KIND_COUNT, ut_row_kind_name)
NAMES(reason, utCertificateReason, UT_REASON_COUNT, ut_certificate_reason_name)
NAMES(status, utStatus, UT_STATUS_COUNT, ut_status_text)
NAMES(simultaneous, utSimultaneous, UT_SIMULTANEOUS_COUNT, ut_simultaneous_name)
NAMES(detection, utDetection, UT_DETECTION_COUNT, ut_detection_name)

// names(kind) -> list of str, in the order of C's numbers
static PyObject* names(PyObject* Py_UNUSED(module), PyObject* args)
{
    static const struct {
        const char* kind;
        const char* (*name)(int i);
    } table[] = {{"rungs", rung},
                 {"tiers", tier},
                 {"formulations", formulation},
                 {"integrators", integrator},
                 {"lcp_solvers", lcp_solver},
                 {"coulomb_solvers", coulomb_solver},
                 {"impact_laws", impact_law},
                 {"contact_states", contact_state},
                 {"row_kinds", row_kind},
                 {"reasons", reason},
                 {"statuses", status},
                 {"simultaneous", simultaneous},
                 {"detections", detection}};
    const char* kind;
    if (!PyArg_ParseTuple(args, "s", &kind)) {
        return NULL;
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(kind, table[k].kind) != 0) {
            continue;
        }
        PyObject* list = PyList_New(0);
        for (int i = 0; list != NULL && table[k].name(i) != NULL; i++) {
            PyObject* name = PyUnicode_FromString(table[k].name(i));
            if (name == NULL || PyList_Append(list, name) != 0) {
                Py_CLEAR(list);
            }
            Py_XDECREF(name);
        }
        return list;
    }
    return core_refuse("there is no list '%s'", kind);
}

static PyObject* version_number(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    return PyLong_FromLong(ut_version());
}

static PyObject* mjcf_support(PyObject* Py_UNUSED(module), PyObject* Py_UNUSED(nothing))
{
    const size_t size = ut_mjcf_support(NULL, 0);
    char* text = PyMem_Malloc(size + 1);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    ut_mjcf_support(text, size + 1);
    PyObject* table = PyUnicode_FromString(text);
    PyMem_Free(text);
    return table;
}

PyMethodDef core_names_methods[] = {
    {"scenes", scenes, METH_NOARGS, "scenes() -> list of (name, usage, text)"},
    {"scene_is", scene_is, METH_VARARGS, "scene_is(name): is it the name of a scene?"},
    {"traits", traits, METH_NOARGS, "traits() -> list of dicts: the formulations"},
    {"names", names, METH_VARARGS, "names(kind) -> list of str"},
    {"version_number", version_number, METH_NOARGS, "version as one number"},
    {"mjcf_support", mjcf_support, METH_NOARGS, "table of MJCF's elements and attributes"},
    {NULL, NULL, 0, NULL},
};
