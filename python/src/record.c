// SPDX-License-Identifier: Apache-2.0
// Reading recordings (uptack/_recording.py).
#include "core.h"

#include <stdlib.h>
#include <string.h>

// ---- growing tables -----------------------------------------------------------------------------

// Append to a bytearray.
static bool append(PyObject* bytes, const void* data, size_t size)
{
    const Py_ssize_t used = PyByteArray_Size(bytes);
    if (PyByteArray_Resize(bytes, used + (Py_ssize_t)size) != 0) {
        return false;
    }
    if (size > 0) {
        memcpy(PyByteArray_AsString(bytes) + used, data, size);
    }
    return true;
}

// Everything that is read from the records, as bytearrays.
typedef struct Tables {
    PyObject *states, *state_steps, *state_hashes;
    PyObject *contacts, *contact_steps, *contact_times;
    PyObject *inputs, *input_steps;
    PyObject* transitions;
} Tables;

static PyObject* empty(void)
{
    return PyByteArray_FromStringAndSize("", 0);
}

static bool make_tables(PyObject* d, Tables* t)
{
    const struct {
        const char* name;
        PyObject** table;
    } all[] = {{"states", &t->states},
               {"state_steps", &t->state_steps},
               {"state_hashes", &t->state_hashes},
               {"contacts", &t->contacts},
               {"contact_steps", &t->contact_steps},
               {"contact_times", &t->contact_times},
               {"inputs", &t->inputs},
               {"input_steps", &t->input_steps},
               {"transitions", &t->transitions}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].table = empty();
        if (*all[i].table == NULL || !core_put(d, all[i].name, *all[i].table)) {
            return false; // the dict owns the table
        }
    }
    return true;
}

// A row of uptack._recording.RECORDED
static bool add_contacts(Tables* t, const utRecordFrame* frame)
{
    const uint64_t step = frame->step;
    for (int i = 0; i < frame->contacts; i++) {
        if (!append(t->contact_steps, &step, sizeof step) ||
            !append(t->contact_times, &frame->time, sizeof frame->time)) {
            return false;
        }
    }
    return append(t->contacts, frame->contact, (size_t)frame->contacts * sizeof *frame->contact);
}

// Controls alone; NaN where the input had none.
static bool add_input(Tables* t, const utRecording* r, const utRecordFrame* frame)
{
    const double none = 0.0;
    for (int i = 0; i < r->nu; i++) {
        const double* ctrl = frame->input.ctrl;
        if (!append(t->inputs, ctrl != NULL ? &ctrl[i] : &none, sizeof none)) {
            return false;
        }
    }
    return append(t->input_steps, &frame->step, sizeof frame->step);
}

static bool add_frame(Tables* t, const utRecording* r, const utRecordFrame* frame)
{
    switch (frame->kind) {
    case UT_RECORD_STATE:
        return append(t->states, frame->value, r->values * sizeof(double)) &&
               append(t->state_steps, &frame->step, sizeof frame->step) &&
               append(t->state_hashes, &frame->hash, sizeof frame->hash);
    case UT_RECORD_INPUT:
        return add_input(t, r, frame);
    case UT_RECORD_CONTACTS:
        return add_contacts(t, frame);
    case UT_RECORD_TRANSITIONS:
        return append(t->transitions, frame->transition,
                      (size_t)frame->transitions * sizeof *frame->transition);
    default:
        return true;
    }
}

// ---- the head -----------------------------------------------------------------------------------

// A list of n texts. @param at gives text i
static PyObject* texts(const utRecording* r, int n, utText (*at)(const utRecording* r, int i))
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject* text = core_text(at(r, i));
        if (text == NULL || PyList_Append(list, text) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(text);
    }
    return list;
}

// Index among a state's numbers of the one that each column shows.
static PyObject* column_values(const utRecording* r)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < r->columns; i++) {
        PyObject* at = PyLong_FromSize_t(ut_recording_value(r, i));
        if (at == NULL || PyList_Append(list, at) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(at);
    }
    return list;
}

static PyObject* files_list(const utRecording* r)
{
    PyObject* list = PyList_New(0);
    size_t at = 0;
    utRecordFile file;
    while (list != NULL && ut_recording_file(r, &at, &file)) {
        PyObject* name = core_text(file.path);
        if (name == NULL || PyList_Append(list, name) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

static bool put_head(PyObject* d, const utRecording* r)
{
    return core_put_int(d, "nq", r->nq) && core_put_int(d, "nv", r->nv) &&
           core_put_int(d, "nu", r->nu) && core_put_int(d, "na", r->na) &&
           core_put_int(d, "nmocap", r->nmocap) && core_put_int(d, "nbody", r->nbody) &&
           core_put_int(d, "values", (long long)r->values) &&
           core_put(d, "model_hash", PyLong_FromUnsignedLongLong(r->model_hash)) &&
           core_put(d, "source", core_text(r->source)) &&
           core_put(d, "model", core_text(r->model_name)) &&
           core_put(d, "formulation", core_text(r->formulation)) &&
           core_put(d, "solver", core_text(r->solver)) &&
           core_put(d, "integrator", core_text(r->integrator)) && core_put_double(d, "dt", r->dt) &&
           core_put_double(d, "tolerance", r->tolerance) &&
           core_put_double(d, "adaptive", r->adaptive) &&
           core_put(d, "changes", texts(r, r->changes, ut_recording_change)) &&
           core_put(d, "options", texts(r, r->options, ut_recording_option)) &&
           core_put(d, "geoms", texts(r, r->ngeom, ut_recording_geom)) &&
           core_put(d, "columns", texts(r, r->columns, ut_recording_column)) &&
           core_put(d, "column_values", column_values(r)) && core_put(d, "files", files_list(r));
}

// ---- reading ------------------------------------------------------------------------------------

// Bytes at an address that is a multiple of 8, as a recording needs it.
static void* aligned_copy(const Py_buffer* bytes)
{
    void* copy = malloc((size_t)bytes->len + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
    } else if (bytes->len > 0) {
        memcpy(copy, bytes->buf, (size_t)bytes->len);
    }
    return copy;
}

static PyObject* read_all(const void* bytes, size_t size, const char* name)
{
    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    Tables tables;
    utStatus status = ut_recording_open(bytes, size, name, &r, &err);
    if (status != UT_OK) {
        return core_raise(status, &err);
    }
    PyObject* d = PyDict_New();
    bool done = d != NULL && put_head(d, &r) && make_tables(d, &tables);
    do {
        status = done ? ut_recording_next(&r, &frame, &err) : UT_OK;
        done = done && status == UT_OK && add_frame(&tables, &r, &frame);
    } while (done && frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    if (status != UT_OK) {
        core_raise(status, &err);
    }
    if (!done || !core_put_bool(d, "complete", frame.kind == UT_RECORD_END)) {
        Py_CLEAR(d);
    }
    return d;
}

// recording_read(bytes, name) -> dict
static PyObject* recording_read(PyObject* Py_UNUSED(module), PyObject* args)
{
    Py_buffer bytes;
    const char* name;
    if (!PyArg_ParseTuple(args, "y*s", &bytes, &name)) {
        return NULL;
    }
    void* copy = aligned_copy(&bytes);
    PyObject* d = copy != NULL ? read_all(copy, (size_t)bytes.len, name) : NULL;
    free(copy);
    PyBuffer_Release(&bytes);
    return d;
}

// recording_is(bytes): does it begin as a recording?
static PyObject* recording_is(PyObject* Py_UNUSED(module), PyObject* args)
{
    Py_buffer bytes;
    if (!PyArg_ParseTuple(args, "y*", &bytes)) {
        return NULL;
    }
    PyObject* is = PyBool_FromLong(ut_recording_is(bytes.buf, (size_t)bytes.len));
    PyBuffer_Release(&bytes);
    return is;
}

// ---- certifying ---------------------------------------------------------------------------------

static bool add_certificate(PyObject* list, const utRecording* r, const utRecordFrame* frame,
                            const utModel* model, double tolerance)
{
    utArena keep = {0}, scratch = {0};
    utStepReport report;
    utCertificate certificate;
    utError err = {0};
    bool cut = false;
    bool done = core_arena(&keep) && core_arena(&scratch);
    utStatus status =
        done ? ut_recording_report(r, frame, model, &keep, &report, &cut, &err) : UT_OK;
    if (done && status == UT_OK && !cut) {
        status = ut_certify(&report, tolerance, scratch, &certificate);
        PyObject* d = status == UT_OK ? core_certificate(&certificate) : NULL;
        done = d != NULL && PyList_Append(list, d) == 0;
        Py_XDECREF(d);
    }
    if (status != UT_OK) {
        core_raise(status, &err);
    }
    ut_arena_destroy(&keep);
    ut_arena_destroy(&scratch);
    return done && status == UT_OK;
}

// recording_certify(bytes, name, compiled, tolerance) -> list of certificates
static PyObject* recording_certify(PyObject* Py_UNUSED(module), PyObject* args)
{
    Py_buffer bytes;
    const char* name;
    Compiled* compiled;
    double tolerance;
    if (!PyArg_ParseTuple(args, "y*sO!d", &bytes, &name, core_compiled_type, &compiled,
                          &tolerance)) {
        return NULL;
    }
    utRecording r;
    utRecordFrame frame;
    utError err = {0};
    void* copy = aligned_copy(&bytes);
    utStatus status =
        copy != NULL ? ut_recording_open(copy, (size_t)bytes.len, name, &r, &err) : UT_ERR_MEMORY;
    if (status == UT_OK && r.model_hash != compiled->model->hash) {
        status =
            ut_error_set(&err, UT_ERR_ARGUMENT, "%.200s is a recording of another model", name);
    }
    PyObject* list = status == UT_OK ? PyList_New(0) : NULL;
    if (list == NULL && copy != NULL && PyErr_Occurred() == NULL) {
        core_raise(status, &err);
    }
    bool more = list != NULL;
    while (more) {
        status = ut_recording_next(&r, &frame, &err);
        const bool is_report = status == UT_OK && frame.kind == UT_RECORD_REPORT;
        if (status != UT_OK) {
            core_raise(status, &err);
        }
        if (status != UT_OK ||
            (is_report && !add_certificate(list, &r, &frame, compiled->model, tolerance))) {
            Py_CLEAR(list);
        }
        more = list != NULL && frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT;
    }
    free(copy);
    PyBuffer_Release(&bytes);
    return list;
}

PyMethodDef core_record_methods[] = {
    {"recording_read", recording_read, METH_VARARGS, "recording_read(bytes, name) -> dict"},
    {"recording_is", recording_is, METH_VARARGS, "recording_is(bytes) -> bool"},
    {"recording_certify", recording_certify, METH_VARARGS,
     "recording_certify(bytes, name, compiled, tolerance) -> list of dicts"},
    {NULL, NULL, 0, NULL},
};
