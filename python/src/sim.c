// SPDX-License-Identifier: Apache-2.0
// Sims: creation, arrays of the state, reset, snapshots.
#include "sim.h"

#include <string.h>
#include <uptack/impact.h>

PyTypeObject* core_sim_type;

// ---- arrays -------------------------------------------------------------------------------------

// Rows and columns of an array; columns 0 for one dimension.
static void shape_of(const utModel* m, SimArray which, Py_ssize_t* rows, Py_ssize_t* columns)
{
    const Py_ssize_t shape[SIM_ARRAYS][2] = {
        [SIM_Q] = {m->nq, 0},
        [SIM_V] = {m->nv, 0},
        [SIM_ACT] = {m->na, 0},
        [SIM_CTRL] = {m->nu, 0},
        [SIM_FORCE] = {m->nv, 0},
        [SIM_APPLIED] = {m->nbody, 6},
        [SIM_MOCAP_POS] = {m->nmocap, 3},
        [SIM_MOCAP_QUAT] = {m->nmocap, 4},
    };
    *rows = shape[which][0];
    *columns = shape[which][1];
}

// The engine's numbers behind an array; NULL for inputs.
static const double* engine_numbers(const Sim* self, SimArray which)
{
    switch (which) {
    case SIM_Q:
        return ut_sim_q(self->sim);
    case SIM_V:
        return ut_sim_v(self->sim);
    case SIM_ACT:
        return ut_sim_act(self->sim);
    case SIM_MOCAP_POS:
        return ut_sim_mocap_pos(self->sim);
    case SIM_MOCAP_QUAT:
        return ut_sim_mocap_quat(self->sim);
    default:
        return NULL;
    }
}

static void show(Sim* self, SimArray which)
{
    const Block* block = self->block[which];
    const double* numbers = engine_numbers(self, which);
    if (block != NULL && numbers != NULL && block->count > 0) {
        memcpy(block->data, numbers, (size_t)block->count * sizeof(double));
    }
}

void sim_show(Sim* self)
{
    show(self, SIM_Q);
    show(self, SIM_V);
    show(self, SIM_ACT);
    show(self, SIM_MOCAP_POS);
    show(self, SIM_MOCAP_QUAT);
}

static bool make_block(Sim* self, SimArray which)
{
    Py_ssize_t rows, columns;
    shape_of(self->compiled->model, which, &rows, &columns);
    self->block[which] = core_block_create(rows, columns);
    if (self->block[which] == NULL) {
        return false;
    }
    show(self, which);
    return true;
}

static PyObject* get_array(PyObject* object, void* closure)
{
    Sim* self = (Sim*)object;
    const SimArray which = (SimArray)(uintptr_t)closure;
    if (self->array[which] == NULL) {
        if (!sim_exists(self)) {
            return NULL;
        }
        if (self->block[which] == NULL && !make_block(self, which)) {
            return NULL;
        }
        self->array[which] = core_block_array(self->block[which]);
    }
    return Py_XNewRef(self->array[which]);
}

static bool write_table(PyObject* array, PyObject* value)
{
    PyObject* done = PyObject_CallMethod(array, "__setitem__", "OO", Py_Ellipsis, value);
    Py_XDECREF(done);
    return done != NULL;
}

// sim.q = values
static int set_array(PyObject* object, PyObject* value, void* closure)
{
    Sim* self = (Sim*)object;
    const SimArray which = (SimArray)(uintptr_t)closure;
    if (value == NULL) {
        core_refuse("arrays of a sim cannot be deleted");
        return -1;
    }
    PyObject* array = get_array(object, closure); // makes the block
    if (array == NULL) {
        return -1;
    }
    Py_DECREF(array);
    Block* block = self->block[which];
    const bool done = block->shape[1] == 0
                          ? core_read_doubles(value, "the value", block->count, block->data)
                          : write_table(array, value);
    // a state that cannot be raises here
    return done && (which > SIM_ACT || sim_enter(self)) ? 0 : -1;
}

// ---- entering -----------------------------------------------------------------------------------

bool sim_exists(const Sim* self)
{
    if (self->sim == NULL) {
        core_refuse("the sim was not created");
    }
    return self->sim != NULL;
}

bool sim_enter_to_replace(Sim* self)
{
    if (!sim_exists(self)) {
        return false;
    }
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this sim; give each thread a sim of its own");
        return false;
    }
    return true;
}

static bool is_written(const Sim* self, SimArray which)
{
    const Block* block = self->block[which];
    return block->count > 0 && memcmp(block->data, engine_numbers(self, which),
                                      (size_t)block->count * sizeof(double)) != 0;
}

// What the caller wrote cannot be a state: raise, and show the state that the sim still has.
static bool refuse_written(Sim* self, utStatus status, const utError* err)
{
    core_raise(status, err);
    show(self, SIM_Q);
    show(self, SIM_V);
    show(self, SIM_ACT);
    return false;
}

bool sim_enter(Sim* self)
{
    if (!sim_enter_to_replace(self)) {
        return false;
    }
    utError err = {0};
    if (is_written(self, SIM_ACT)) {
        const utStatus status = ut_sim_set_act(self->sim, self->block[SIM_ACT]->data, &err);
        if (status != UT_OK) {
            return refuse_written(self, status, &err);
        }
        sim_forget_step(self);
    }
    if (is_written(self, SIM_Q) || is_written(self, SIM_V)) {
        const utStatus status =
            ut_sim_set(self->sim, ut_sim_time(self->sim), self->block[SIM_Q]->data,
                       self->block[SIM_V]->data, &err);
        if (status != UT_OK) {
            return refuse_written(self, status, &err);
        }
        sim_forget_step(self);
        show(self, SIM_Q);
        show(self, SIM_V);
    }
    return true;
}

void sim_forget_step(Sim* self)
{
    self->stepped = false;
    self->result = (utStepResult){0};
}

// ---- creation -----------------------------------------------------------------------------------

static bool find_name(const char* what, const char* name, int count, const char* (*name_of)(int),
                      int* found)
{
    if (name == NULL) {
        return true;
    }
    char names[200] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(name, name_of(i)) == 0) {
            *found = i;
            return true;
        }
        const size_t used = strlen(names);
        PyOS_snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", name_of(i));
    }
    core_refuse("there is no %s '%s'; there are %s", what, name, names);
    return false;
}

static const char* formulation_name(int i)
{
    return ut_formulation_name((utFormulation)i);
}

static const char* integrator_name(int i)
{
    return ut_integrator_name((utIntegrator)i);
}

static const char* impact_name(int i)
{
    return ut_impact_law_name((utImpactLaw)i);
}

static const char* simultaneous_name(int i)
{
    return ut_simultaneous_name((utSimultaneous)i);
}

static const char* policy_name(int i)
{
    return i == SIM_RAISE ? "raise" : i == SIM_FLAG ? "flag" : "keep";
}

// The settings of the keywords. @param compiled borrowed
static bool read_settings(PyObject* args, PyObject* keywords, PyObject** compiled, utSimDef* def,
                          SimPolicy* policy)
{
    static char* names[] = {"compiled",       "dt",         "tolerance",  "formulation",
                            "solver",         "directions", "integrator", "impact",
                            "simultaneous",   "adaptive",   "budget",     "sleep",
                            "on_uncertified", "certify",    NULL};
    const char *formulation = NULL, *integrator = NULL, *impact = NULL, *simultaneous = NULL;
    const char* on_uncertified = "raise";
    int sweeps = 0, sleep = 0, certify = 1;
    int choice = -1;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "O!|$ddzzizzzdipsp", names, core_compiled_type, compiled, &def->dt,
            &def->tolerance, &formulation, &def->solver, &def->directions, &integrator, &impact,
            &simultaneous, &def->adaptive, &sweeps, &sleep, &on_uncertified, &certify)) {
        return false;
    }
    if (!find_name("formulation", formulation, UT_FORMULATION_COUNT, formulation_name,
                   &def->formulation) ||
        !find_name("integrator", integrator, UT_INTEGRATOR_COUNT, integrator_name,
                   &def->integrator) ||
        !find_name("impact law", impact, UT_IMPACT_LAW_COUNT, impact_name, &def->impact) ||
        !find_name("rule of simultaneous impacts", simultaneous, UT_SIMULTANEOUS_COUNT,
                   simultaneous_name, &def->simultaneous) ||
        !find_name("on_uncertified", on_uncertified, 3, policy_name, &choice)) {
        return false;
    }
    if (sweeps < 0) {
        core_refuse("budget is a number of sweeps, not %d", sweeps);
        return false;
    }
    *policy = (SimPolicy)choice;
    def->tier = sweeps > 0 ? UT_TIER_BUDGET : UT_TIER_EXACT;
    def->sweeps = sweeps;
    def->sleep = sleep != 0;
    def->keep_going = *policy == SIM_KEEP;
    def->no_certificate = certify == 0;
    return true;
}

bool core_sim_settings(PyObject* args, PyObject* keywords, utSimDef* def)
{
    PyObject* compiled;
    SimPolicy policy;
    return read_settings(args, keywords, &compiled, def, &policy);
}

static int sim_init(PyObject* object, PyObject* args, PyObject* keywords)
{
    Sim* self = (Sim*)object;
    PyObject* compiled = NULL;
    utSimDef def = ut_sim_def();
    if (self->sim != NULL) {
        core_refuse("a sim is created once; make another one");
        return -1;
    }
    if (!read_settings(args, keywords, &compiled, &def, &self->policy)) {
        return -1;
    }
    utError err = {0};
    Py_XDECREF((PyObject*)self->compiled); // of an attempt that failed
    self->compiled = (Compiled*)Py_NewRef(compiled);
    const utStatus status = ut_sim_create(self->compiled->model, &def, &self->sim, &err);
    if (status != UT_OK) {
        self->sim = NULL;
        core_raise(status, &err);
        return -1;
    }
    const utModel* m = self->compiled->model;
    self->input = core_block_create((Py_ssize_t)m->nu + m->nv + 6 * m->nbody + 7 * m->nmocap, 0);
    if (self->input == NULL || !make_block(self, SIM_Q) || !make_block(self, SIM_V) ||
        !make_block(self, SIM_ACT) || !make_block(self, SIM_CTRL)) {
        return -1;
    }
    sim_forget_step(self);
    return 0;
}

static void sim_free(PyObject* object)
{
    Sim* self = (Sim*)object;
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    ut_sim_destroy(self->sim);
    Py_XDECREF((PyObject*)self->compiled);
    for (int i = 0; i < SIM_ARRAYS; i++) {
        Py_XDECREF(self->array[i]);
        Py_XDECREF((PyObject*)self->block[i]);
    }
    Py_XDECREF((PyObject*)self->input);
    Py_XDECREF((PyObject*)self->recorder);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// numpy arrays refer to blocks alone, so a sim is part of no cycle by itself; a subclass may be
static int sim_traverse(PyObject* object, visitproc visit, void* arg)
{
    Py_VISIT(Py_TYPE(object));
    for (int i = 0; i < SIM_ARRAYS; i++) {
        Py_VISIT(((Sim*)object)->array[i]);
    }
    return 0;
}

static int sim_clear(PyObject* object)
{
    for (int i = 0; i < SIM_ARRAYS; i++) {
        Py_CLEAR(((Sim*)object)->array[i]);
    }
    return 0;
}

// ---- state --------------------------------------------------------------------------------------

static void set_ctrl_of_keyframe(Sim* self, int keyframe)
{
    const utModel* m = self->compiled->model;
    const Block* ctrl = self->block[SIM_CTRL];
    if (m->nu == 0) {
        return;
    }
    if (keyframe >= 0) {
        memcpy(ctrl->data, m->keyframe[keyframe].ctrl, (size_t)m->nu * sizeof(double));
    } else {
        memset(ctrl->data, 0, (size_t)m->nu * sizeof(double));
    }
}

static void clear_forces(Sim* self)
{
    for (int which = SIM_FORCE; which <= SIM_APPLIED; which++) {
        const Block* block = self->block[which];
        if (block != NULL && block->count > 0) {
            memset(block->data, 0, (size_t)block->count * sizeof(double));
        }
    }
}

// _reset(keyframe): -1 is the modelled pose. ctrl becomes that of the keyframe, or 0
static PyObject* reset(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    int keyframe;
    if (!PyArg_ParseTuple(args, "i", &keyframe) || !sim_enter_to_replace(self)) {
        return NULL;
    }
    utError err = {0};
    const utStatus status = ut_sim_reset(self->sim, keyframe, &err);
    if (status != UT_OK) {
        return core_raise(status, &err);
    }
    set_ctrl_of_keyframe(self, keyframe);
    clear_forces(self);
    self->steps = 0;
    self->ledger = (utEnergyLedger){0};
    sim_forget_step(self);
    sim_show(self);
    Py_RETURN_NONE;
}

// _set(time, q, v): None keeps the present values
static PyObject* set_state(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    double time;
    Array q = {0}, v = {0};
    if (!sim_exists(self) ||
        !PyArg_ParseTuple(args, "dO&O&", &time, core_array, &q, core_array, &v)) {
        return NULL;
    }
    const utModel* m = self->compiled->model;
    PyObject* result = NULL;
    if (sim_enter(self) && core_array_has(&q, "q", (size_t)m->nq, sizeof(double), true) &&
        core_array_has(&v, "v", (size_t)m->nv, sizeof(double), true)) {
        utError err = {0};
        const utStatus status = ut_sim_set(self->sim, time, q.data, v.data, &err);
        if (status == UT_OK) {
            sim_forget_step(self);
            sim_show(self);
            result = Py_NewRef(Py_None);
        } else {
            core_raise(status, &err);
        }
    }
    core_array_close(&q);
    core_array_close(&v);
    return result;
}

static PyObject* get_time(PyObject* object, void* Py_UNUSED(closure))
{
    const Sim* self = (Sim*)object;
    return PyFloat_FromDouble(self->sim != NULL ? ut_sim_time(self->sim) : 0.0);
}

static int set_time(PyObject* object, PyObject* value, void* Py_UNUSED(closure))
{
    Sim* self = (Sim*)object;
    const double time = value != NULL ? PyFloat_AsDouble(value) : -1.0;
    if (PyErr_Occurred() != NULL || value == NULL || !sim_enter(self)) {
        if (PyErr_Occurred() == NULL) {
            core_refuse("the time of a sim cannot be deleted");
        }
        return -1;
    }
    utError err = {0};
    const utStatus status = ut_sim_set(self->sim, time, NULL, NULL, &err);
    if (status != UT_OK) {
        core_raise(status, &err);
        return -1;
    }
    sim_forget_step(self);
    return 0;
}

static PyObject* get_dt(PyObject* object, void* Py_UNUSED(closure))
{
    const Sim* self = (Sim*)object;
    return PyFloat_FromDouble(self->sim != NULL ? ut_sim_dt(self->sim) : 0.0);
}

static PyObject* get_steps(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLongLong(((Sim*)object)->steps);
}

static PyObject* get_compiled(PyObject* object, void* Py_UNUSED(closure))
{
    PyObject* compiled = (PyObject*)((Sim*)object)->compiled;
    return compiled != NULL ? Py_NewRef(compiled) : core_refuse("the sim was not created");
}

// ---- snapshots ----------------------------------------------------------------------------------

static PyObject* save(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    if (!sim_enter(self)) {
        return NULL;
    }
    const size_t size = ut_sim_snapshot_size(self->sim);
    char* memory = PyMem_Malloc(size);
    if (memory == NULL) {
        return PyErr_NoMemory();
    }
    const utStatus status = ut_sim_save(self->sim, memory, size);
    PyObject* bytes = status == UT_OK ? PyBytes_FromStringAndSize(memory, (Py_ssize_t)size)
                                      : core_raise(status, NULL);
    PyMem_Free(memory);
    return bytes;
}

static PyObject* load(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    Py_buffer bytes;
    if (!PyArg_ParseTuple(args, "y*", &bytes)) {
        return NULL;
    }
    PyObject* result = NULL;
    if (sim_enter_to_replace(self)) {
        utError err = {0};
        const utStatus status = ut_sim_load(self->sim, bytes.buf, (size_t)bytes.len, &err);
        if (status == UT_OK) {
            sim_forget_step(self);
            sim_show(self);
            result = Py_NewRef(Py_None);
        } else {
            core_raise(status, &err);
        }
    }
    PyBuffer_Release(&bytes);
    return result;
}

// copy_from(other): the whole state and the inputs of another sim of the same model
static PyObject* copy_from(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    Sim* from;
    if (!PyArg_ParseTuple(args, "O!", core_sim_type, &from) || !sim_enter(from) ||
        !sim_enter_to_replace(self)) {
        return NULL;
    }
    utError err = {0};
    const utStatus status = from == self ? UT_OK : ut_sim_copy(from->sim, self->sim, &err);
    if (status != UT_OK) {
        return core_raise(status, &err);
    }
    for (int which = SIM_CTRL; which <= SIM_APPLIED; which++) {
        if (from->block[which] == NULL) {
            continue;
        }
        if (self->block[which] == NULL && !make_block(self, (SimArray)which)) {
            return NULL;
        }
        memmove(self->block[which]->data, from->block[which]->data,
                (size_t)from->block[which]->count * sizeof(double));
    }
    self->steps = from->steps;
    self->ledger = from->ledger;
    sim_forget_step(self);
    sim_show(self);
    Py_RETURN_NONE;
}

utStatus core_sim_exchange(PyObject* object, utBatch* batch, int row, bool to_sim, utError* err)
{
    Sim* self = (Sim*)object;
    if (!(to_sim ? sim_enter_to_replace(self) : sim_enter(self))) {
        return UT_ERR_ARGUMENT;
    }
    if (!to_sim) {
        return ut_batch_from_sim(batch, row, self->sim, err);
    }
    UT_TRY(ut_batch_to_sim(batch, row, self->sim, err));
    sim_forget_step(self);
    sim_show(self);
    return UT_OK;
}

// _record(recorder): write the present state, and from now on every step; None ends that
static PyObject* record(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    PyObject* recorder;
    if (!PyArg_ParseTuple(args, "O", &recorder) || !sim_enter(self)) {
        return NULL;
    }
    if (recorder != Py_None && Py_TYPE(recorder) != core_recorder_type) {
        return core_refuse("a recorder is needed");
    }
    if (recorder != Py_None && ((Recorder*)recorder)->compiled != self->compiled) {
        return core_refuse("the recorder is for another model");
    }
    if (recorder != Py_None && ((Recorder*)recorder)->taken) {
        return core_refuse("the recorder writes the steps of a sim already");
    }
    PyObject* before = (PyObject*)self->recorder;
    self->recorder = recorder != Py_None ? (Recorder*)Py_NewRef(recorder) : NULL;
    if (self->recorder != NULL) {
        self->recorder->taken = true;
    }
    Py_XDECREF(before);
    if (self->recorder != NULL) {
        recorder_state(self->recorder, self->sim);
    }
    Py_RETURN_NONE;
}

// ---- the type -----------------------------------------------------------------------------------

#define ARRAY(name, which, text)                                    \
    {                                                               \
        name, get_array, set_array, text, (void*)(uintptr_t)(which) \
    }

static PyGetSetDef sim_getset[] = {
    ARRAY("q", SIM_Q, "positions (nq), shared with the sim; writing replaces the state"),
    ARRAY("v", SIM_V, "velocities (nv), shared with the sim; writing replaces the state"),
    ARRAY("act", SIM_ACT, "activations of actuators (na), shared with the sim"),
    ARRAY("ctrl", SIM_CTRL, "controls of the next steps (nu)"),
    ARRAY("force", SIM_FORCE, "generalized forces of the next steps (nv), N or N m"),
    ARRAY(
        "applied", SIM_APPLIED,
        "wrenches of the next steps (nbody x 6): force and torque about the centre of mass, world"),
    ARRAY("mocap_pos", SIM_MOCAP_POS,
          "positions of mocap bodies (nmocap x 3); writing moves them within the next step"),
    ARRAY("mocap_quat", SIM_MOCAP_QUAT, "orientations of mocap bodies (nmocap x 4): w x y z"),
    {"time", get_time, set_time, "time, s", NULL},
    {"dt", get_dt, NULL, "length of a step, s; of adaptive steps the longest one", NULL},
    {"steps", get_steps, NULL, "steps taken since the last reset", NULL},
    {"outcome", sim_outcome, NULL,
     "outcome of the last step: certified, flagged, budget or uncertified; '' before the first one",
     NULL},
    {"_compiled", get_compiled, NULL, "the compiled model", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef sim_state_methods[] = {
    {"_reset", reset, METH_VARARGS, "_reset(keyframe)"},
    {"_set", set_state, METH_VARARGS, "_set(time, q, v)"},
    {"_record", record, METH_VARARGS, "_record(recorder)"},
    {"save", save, METH_NOARGS,
     "save()\n--\n\nThe whole state as bytes: time, q, v, act, warm start, mocap poses, modes."},
    {"load", load, METH_VARARGS,
     "load(snapshot)\n--\n\nRestore the state of save(). Bytes from anywhere are safe to load."},
    {"copy_from", copy_from, METH_VARARGS,
     "copy_from(other)\n--\n\nTake over the whole state and the inputs of another sim of the same "
     "model. With the same settings both go on with the same bits."},
};

enum { STATE_METHODS = sizeof sim_state_methods / sizeof *sim_state_methods, MAX_METHODS = 60 };

static PyMethodDef sim_methods[MAX_METHODS + 1];

// One table of the methods of all files.
static void collect_methods(void)
{
    int n = 0;
    for (int i = 0; i < STATE_METHODS; i++) {
        sim_methods[n++] = sim_state_methods[i];
    }
    for (const PyMethodDef* m = sim_step_methods; m->ml_name != NULL && n < MAX_METHODS; m++) {
        sim_methods[n++] = *m;
    }
    for (const PyMethodDef* m = sim_read_methods; m->ml_name != NULL && n < MAX_METHODS; m++) {
        sim_methods[n++] = *m;
    }
    for (const PyMethodDef* m = sim_dynamics_methods; m->ml_name != NULL && n < MAX_METHODS; m++) {
        sim_methods[n++] = *m;
    }
}

static PyType_Slot sim_slots[] = {
    {Py_tp_new, (void*)PyType_GenericNew},
    {Py_tp_init, (void*)sim_init},
    {Py_tp_dealloc, (void*)sim_free},
    {Py_tp_traverse, (void*)sim_traverse},
    {Py_tp_clear, (void*)sim_clear},
    {Py_tp_methods, sim_methods},
    {Py_tp_getset, sim_getset},
    {Py_tp_doc, (void*)"A model with a state, which steps."},
    {0, NULL},
};
static PyType_Spec sim_spec = {
    .name = "uptack._core.Sim",
    .basicsize = sizeof(Sim),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = sim_slots,
};

int core_add_sim(PyObject* module)
{
    collect_methods();
    core_sim_type = (PyTypeObject*)PyType_FromSpec(&sim_spec);
    return core_sim_type != NULL ? PyModule_AddType(module, core_sim_type) : -1;
}
