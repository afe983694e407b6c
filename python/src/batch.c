// SPDX-License-Identifier: Apache-2.0
// Batches: many sims of one model on several threads (uptack/_batch.py).
#include "sim.h"

#include <string.h>

PyTypeObject* core_batch_type;

typedef struct Batch {
    PyObject_HEAD Compiled* compiled;
    utBatch* batch;
    bool busy; // a thread is in the batch, with the interpreter's lock released
} Batch;

// ---- creation -----------------------------------------------------------------------------------

static void batch_free(PyObject* object)
{
    Batch* self = (Batch*)object;
    PyTypeObject* type = Py_TYPE(object);
    ut_batch_destroy(self->batch);
    Py_XDECREF((PyObject*)self->compiled);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// batch(compiled, rows, threads, settings) -> Batch
static PyObject* create(PyObject* Py_UNUSED(module), PyObject* args)
{
    Compiled* compiled;
    PyObject* settings;
    utBatchDef def = ut_batch_def();
    if (!PyArg_ParseTuple(args, "O!iiO!", core_compiled_type, &compiled, &def.rows, &def.threads,
                          &PyDict_Type, &settings)) {
        return NULL;
    }
    PyObject* first = PyTuple_Pack(1, (PyObject*)compiled);
    const bool read = first != NULL && core_sim_settings(first, settings, &def.sim);
    Py_XDECREF(first);
    Batch* self = read ? (Batch*)PyType_GenericAlloc(core_batch_type, 0) : NULL;
    if (self == NULL) {
        return NULL;
    }
    utError err = {0};
    self->compiled = (Compiled*)Py_NewRef((PyObject*)compiled);
    const utStatus status = ut_batch_create(compiled->model, &def, &self->batch, &err);
    if (status != UT_OK) {
        self->batch = NULL;
        core_raise(status, &err);
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static bool enter(const Batch* self)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this batch");
    }
    return !self->busy;
}

// ---- arrays -------------------------------------------------------------------------------------

// read(name, out): copy the states of all rows
static PyObject* read_array(PyObject* object, PyObject* args)
{
    Batch* self = (Batch*)object;
    const char* name;
    Array out = {0};
    if (!PyArg_ParseTuple(args, "sO&", &name, core_array_writable, &out)) {
        return NULL;
    }
    const utModel* m = self->compiled->model;
    const struct {
        const char* name;
        const double* (*get)(const utBatch*);
        int columns;
    } table[] = {{"time", ut_batch_time, 1},
                 {"q", ut_batch_q, m->nq},
                 {"v", ut_batch_v, m->nv},
                 {"act", ut_batch_act, m->na},
                 {"mocap_pos", ut_batch_mocap_pos, 3 * m->nmocap},
                 {"mocap_quat", ut_batch_mocap_quat, 4 * m->nmocap}};
    PyObject* result = NULL;
    for (size_t i = 0; enter(self) && i < sizeof table / sizeof *table; i++) {
        if (strcmp(name, table[i].name) != 0) {
            continue;
        }
        const size_t n = (size_t)ut_batch_rows(self->batch) * (size_t)table[i].columns;
        if (core_array_has(&out, name, n, sizeof(double), false)) {
            if (n > 0) {
                memcpy(out.view.buf, table[i].get(self->batch), n * sizeof(double));
            }
            result = Py_NewRef(Py_None);
        }
        break;
    }
    core_array_close(&out);
    return result != NULL || PyErr_Occurred() != NULL ? result
                                                      : core_refuse("there is no array '%s'", name);
}

// results(): utBatchRow of all rows as bytes
static PyObject* results(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Batch* self = (Batch*)object;
    if (!enter(self)) {
        return NULL;
    }
    const size_t n = (size_t)ut_batch_rows(self->batch);
    return PyByteArray_FromStringAndSize((const char*)ut_batch_row(self->batch),
                                         (Py_ssize_t)(n * sizeof(utBatchRow)));
}

static bool is_row(const Batch* self, int row)
{
    const bool is = row >= 0 && row < ut_batch_rows(self->batch);
    if (!is) {
        core_refuse("rows are 0 to %d", ut_batch_rows(self->batch) - 1);
    }
    return is;
}

static PyObject* message(PyObject* object, PyObject* args)
{
    Batch* self = (Batch*)object;
    int row;
    if (!PyArg_ParseTuple(args, "i", &row) || !enter(self) || !is_row(self, row)) {
        return NULL;
    }
    const char* text = ut_batch_message(self->batch, row);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

// ---- states -------------------------------------------------------------------------------------

// Rows that a call is for: NULL stands for the first `count`.
static bool take_rows(const Batch* self, const Array* rows, int count)
{
    if (count < 0 || count > ut_batch_rows(self->batch)) {
        core_refuse("%d rows were given; the batch has %d", count, ut_batch_rows(self->batch));
        return false;
    }
    return core_array_has(rows, "rows", (size_t)count, sizeof(int), true);
}

// set(count, rows, time, q, v, act)
static PyObject* set_states(PyObject* object, PyObject* args)
{
    Batch* self = (Batch*)object;
    int count;
    Array rows = {0}, time = {0}, q = {0}, v = {0}, act = {0};
    if (!PyArg_ParseTuple(args, "iO&O&O&O&O&", &count, core_array, &rows, core_array, &time,
                          core_array, &q, core_array, &v, core_array, &act)) {
        return NULL;
    }
    const utModel* m = self->compiled->model;
    const size_t n = count > 0 ? (size_t)count : 0;
    PyObject* result = NULL;
    if (enter(self) && take_rows(self, &rows, count) &&
        core_array_has(&time, "time", n, sizeof(double), true) &&
        core_array_has(&q, "q", n * (size_t)m->nq, sizeof(double), true) &&
        core_array_has(&v, "v", n * (size_t)m->nv, sizeof(double), true) &&
        core_array_has(&act, "act", n * (size_t)m->na, sizeof(double), true)) {
        const utBatchState state = {.time = time.data, .q = q.data, .v = v.data, .act = act.data};
        utError err = {0};
        const utStatus status = ut_batch_set(self->batch, count, rows.data, &state, &err);
        result = status == UT_OK ? Py_NewRef(Py_None) : core_raise(status, &err);
    }
    core_array_close(&rows);
    core_array_close(&time);
    core_array_close(&q);
    core_array_close(&v);
    core_array_close(&act);
    return result;
}

// reset(count, rows, keyframes)
static PyObject* reset(PyObject* object, PyObject* args)
{
    Batch* self = (Batch*)object;
    int count;
    Array rows = {0}, keys = {0};
    if (!PyArg_ParseTuple(args, "iO&O&", &count, core_array, &rows, core_array, &keys)) {
        return NULL;
    }
    PyObject* result = NULL;
    if (enter(self) && take_rows(self, &rows, count) &&
        core_array_has(&keys, "keyframes", (size_t)count, sizeof(int), true)) {
        utError err = {0};
        const utStatus status = ut_batch_reset(self->batch, count, rows.data, keys.data, &err);
        result = status == UT_OK ? Py_NewRef(Py_None) : core_raise(status, &err);
    }
    core_array_close(&rows);
    core_array_close(&keys);
    return result;
}

// Copy a row to a sim, or from it.
static PyObject* exchange(PyObject* object, PyObject* args, bool to_sim)
{
    Batch* self = (Batch*)object;
    int row;
    PyObject* sim;
    if (!PyArg_ParseTuple(args, "iO!", &row, core_sim_type, &sim) || !enter(self) ||
        !is_row(self, row)) {
        return NULL;
    }
    utError err = {0};
    const utStatus status = core_sim_exchange(sim, self->batch, row, to_sim, &err);
    if (status != UT_OK) {
        return PyErr_Occurred() != NULL ? NULL : core_raise(status, &err);
    }
    Py_RETURN_NONE;
}

static PyObject* to_sim(PyObject* object, PyObject* args)
{
    return exchange(object, args, true);
}

static PyObject* from_sim(PyObject* object, PyObject* args)
{
    return exchange(object, args, false);
}

// ---- stepping -----------------------------------------------------------------------------------

enum { INPUTS = 5, OUTPUTS = 8 };

typedef struct StepArrays {
    Array input[INPUTS]; // ctrl, force, applied, mocap_pos, mocap_quat
    Array skip;
    Array output[OUTPUTS]; // time, q, v, act, sensor, energy, body_pos, body_quat
} StepArrays;

static void close_arrays(StepArrays* a)
{
    for (int i = 0; i < INPUTS; i++) {
        core_array_close(&a->input[i]);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        core_array_close(&a->output[i]);
    }
    core_array_close(&a->skip);
}

static bool arrays_fit(const Batch* self, const StepArrays* a, int steps, int every, bool each)
{
    static const char* const in[INPUTS] = {"ctrl", "force", "applied", "mocap_pos", "mocap_quat"};
    static const char* const out[OUTPUTS] = {"time",   "q",      "v",        "act",
                                             "sensor", "energy", "body_pos", "body_quat"};
    const utModel* m = self->compiled->model;
    const int wide_in[INPUTS] = {m->nu, m->nv, 6 * m->nbody, 3 * m->nmocap, 4 * m->nmocap};
    const int wide_out[OUTPUTS] = {1, m->nq,        m->nv,       m->na, m->nsensordata,
                                   1, 3 * m->nbody, 4 * m->nbody};
    const size_t rows = (size_t)ut_batch_rows(self->batch);
    const size_t samples = every > 0 ? (size_t)(steps / every) : 1;
    bool fit = core_array_has(&a->skip, "skip", rows, sizeof(bool), true);
    for (int i = 0; fit && i < INPUTS; i++) {
        const size_t n = rows * (each ? (size_t)steps : 1) * (size_t)wide_in[i];
        fit = core_array_has(&a->input[i], in[i], n, sizeof(double), true);
    }
    for (int i = 0; fit && i < OUTPUTS; i++) {
        fit = core_array_has(&a->output[i], out[i], rows * samples * (size_t)wide_out[i],
                             sizeof(double), true);
    }
    return fit;
}

static double* output(const Array* array)
{
    return array->open ? array->view.buf : NULL;
}

// step(steps, each_step, every, inputs of 5, skip, outputs of 8); None leaves an array out
static PyObject* step(PyObject* object, PyObject* args)
{
    Batch* self = (Batch*)object;
    int steps, each, every;
    StepArrays a = {0};
    Array *i = a.input, *o = a.output;
    if (!PyArg_ParseTuple(
            args, "ipi(O&O&O&O&O&)O&(O&O&O&O&O&O&O&O&)", &steps, &each, &every, core_array, &i[0],
            core_array, &i[1], core_array, &i[2], core_array, &i[3], core_array, &i[4], core_array,
            &a.skip, core_array_writable, &o[0], core_array_writable, &o[1], core_array_writable,
            &o[2], core_array_writable, &o[3], core_array_writable, &o[4], core_array_writable,
            &o[5], core_array_writable, &o[6], core_array_writable, &o[7])) {
        return NULL;
    }
    PyObject* result = NULL;
    if (steps < 1 || every < 0) {
        core_refuse("steps is %d and every is %d; at least 1 and 0 are needed", steps, every);
    } else if (enter(self) && arrays_fit(self, &a, steps, every, each != 0)) {
        const utBatchInput input = {.each_step = each != 0,
                                    .ctrl = i[0].data,
                                    .force = i[1].data,
                                    .applied = i[2].data,
                                    .mocap_pos = i[3].data,
                                    .mocap_quat = i[4].data,
                                    .skip = a.skip.data};
        const utBatchOutput out = {.every = every,
                                   .time = output(&o[0]),
                                   .q = output(&o[1]),
                                   .v = output(&o[2]),
                                   .act = output(&o[3]),
                                   .sensor = output(&o[4]),
                                   .energy = output(&o[5]),
                                   .body_pos = output(&o[6]),
                                   .body_quat = output(&o[7])};
        utError err = {0};
        utStatus status;
        self->busy = true;
        Py_BEGIN_ALLOW_THREADS;
        status = ut_batch_step(self->batch, steps, &input, &out, &err);
        Py_END_ALLOW_THREADS;
        self->busy = false;
        result = status == UT_OK ? Py_NewRef(Py_None) : core_raise(status, &err);
    }
    close_arrays(&a);
    return result;
}

// ---- the type -----------------------------------------------------------------------------------

static PyObject* get_rows(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(ut_batch_rows(((Batch*)object)->batch));
}

static PyObject* get_threads(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromLong(ut_batch_threads(((Batch*)object)->batch));
}

static PyObject* get_dt(PyObject* object, void* Py_UNUSED(closure))
{
    return PyFloat_FromDouble(ut_batch_dt(((Batch*)object)->batch));
}

static PyObject* get_bytes(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromSize_t(ut_batch_row_bytes(((Batch*)object)->batch));
}

static PyMethodDef batch_methods[] = {
    {"read", read_array, METH_VARARGS, "read(name, out)"},
    {"results", results, METH_NOARGS, "results() -> bytes of utBatchRow"},
    {"message", message, METH_VARARGS, "message(row) -> why it stands still"},
    {"set", set_states, METH_VARARGS, "set(count, rows, time, q, v, act)"},
    {"reset", reset, METH_VARARGS, "reset(count, rows, keyframes)"},
    {"to_sim", to_sim, METH_VARARGS, "to_sim(row, sim)"},
    {"from_sim", from_sim, METH_VARARGS, "from_sim(row, sim)"},
    {"step", step, METH_VARARGS, "step(steps, each_step, every, inputs, skip, outputs)"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef batch_getset[] = {
    {"rows", get_rows, NULL, "number of sims", NULL},
    {"threads", get_threads, NULL, "number of threads", NULL},
    {"dt", get_dt, NULL, "length of a step, s", NULL},
    {"row_bytes", get_bytes, NULL, "bytes of all rows at present", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot batch_slots[] = {
    {Py_tp_dealloc, (void*)batch_free},
    {Py_tp_methods, batch_methods},
    {Py_tp_getset, batch_getset},
    {Py_tp_doc, (void*)"Many sims of one model on several threads."},
    {0, NULL},
};
static PyType_Spec batch_spec = {
    .name = "uptack._core.Batch",
    .basicsize = sizeof(Batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = batch_slots,
};
static PyMethodDef functions[] = {
    {"batch", create, METH_VARARGS, "batch(compiled, rows, threads, settings) -> Batch"},
    {NULL, NULL, 0, NULL},
};

int core_add_batch(PyObject* module)
{
    core_batch_type = (PyTypeObject*)PyType_FromSpec(&batch_spec);
    if (core_batch_type == NULL || PyModule_AddType(module, core_batch_type) != 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
