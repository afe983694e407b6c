// SPDX-License-Identifier: Apache-2.0
// Writing recordings.
#include "recorder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject* core_recorder_type;

// ---- writing ------------------------------------------------------------------------------------

static bool write_bytes(void* context, const char* text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

void recorder_input(Recorder* self, const utInput* input)
{
    const utRecordInput recorded = {.ctrl = input->ctrl,
                                    .force = input->force,
                                    .applied = input->applied,
                                    .mocap_pos = input->mocap_pos,
                                    .mocap_quat = input->mocap_quat};
    if (self->file != NULL && !self->failed) {
        self->failed = !ut_recorder_input(&self->recorder, self->steps + 1, &recorded);
    }
}

void recorder_state(Recorder* self, utSim* sim)
{
    if (self->file == NULL || self->failed) {
        return;
    }
    ut_sim_sensors(sim, self->sensor);
    const utRecordState state = {.time = ut_sim_time(sim),
                                 .q = ut_sim_q(sim),
                                 .v = ut_sim_v(sim),
                                 .act = ut_sim_act(sim),
                                 .mocap_pos = ut_sim_mocap_pos(sim),
                                 .mocap_quat = ut_sim_mocap_quat(sim),
                                 .mocap_velocity = ut_sim_mocap_velocity(sim),
                                 .sensor = self->sensor};
    self->failed = !ut_recorder_state(&self->recorder, self->steps, &state);
}

void recorder_step(Recorder* self, utSim* sim, const utStepReport* report)
{
    if (self->file == NULL || self->failed) {
        return;
    }
    utRecorder* r = &self->recorder;
    const uint64_t step = ++self->steps;
    self->failed = !(ut_recorder_report(r, step, report) &&
                     ut_recorder_contacts(r, step, ut_sim_time(sim), report) &&
                     ut_recorder_transitions(r, step, report));
    recorder_state(self, sim);
}

// ---- creation -----------------------------------------------------------------------------------

// Texts of a list of str, copied. @return false: raised
static bool copy_texts(PyObject* list, utArena* keep, int* count, const char* const** texts)
{
    const Py_ssize_t n = PyList_Size(list);
    const char** text = n >= 0 ? UT_PUSH(keep, const char*, n + 1) : NULL;
    for (Py_ssize_t i = 0; text != NULL && i < n; i++) {
        Py_ssize_t size;
        PyObject* item = PyList_GetItem(list, i); // borrowed
        const char* from = item != NULL ? PyUnicode_AsUTF8AndSize(item, &size) : NULL;
        char* copy = from != NULL ? UT_PUSH(keep, char, size + 1) : NULL;
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, from, (size_t)size + 1);
        text[i] = copy;
    }
    *count = (int)n;
    *texts = text;
    return text != NULL;
}

static bool begin(Recorder* self, utRecordDef* def, PyObject* changes, PyObject* options,
                  const char* path)
{
    if (!core_arena(&self->keep)) {
        return false;
    }
    if (!copy_texts(changes, &self->keep, &def->changes, &def->change) ||
        !copy_texts(options, &self->keep, &def->options, &def->option)) {
        if (PyErr_Occurred() == NULL) {
            PyErr_NoMemory();
        }
        return false;
    }
    const size_t n = (size_t)self->compiled->model->nsensordata;
    self->sensor = calloc(n + 1, sizeof *self->sensor);
    self->file = fopen(path, "wb");
    if (self->sensor == NULL || self->file == NULL) {
        utError err = {0};
        ut_error_at(&err, UT_ERR_IO, path, 0, 0, "cannot be written: %s", strerror(errno));
        core_raise(self->sensor == NULL ? UT_ERR_MEMORY : UT_ERR_IO, &err);
        return false;
    }
    const utStatus status = ut_recorder_create(self->compiled->model, def, write_bytes, self->file,
                                               &self->keep, &self->recorder);
    if (status != UT_OK) {
        core_raise(status, NULL);
    }
    return status == UT_OK;
}

// recorder(path, compiled, source, formulation, solver, integrator, dt, tolerance, directions,
// keep_going, adaptive, changes, options) -> Recorder
static PyObject* create(PyObject* Py_UNUSED(module), PyObject* args)
{
    const char* path;
    Compiled* compiled;
    utRecordDef def = ut_record_def();
    int keep_going;
    PyObject *changes, *options;
    if (!PyArg_ParseTuple(args, "sO!ssssddipdO!O!", &path, core_compiled_type, &compiled,
                          &def.source, &def.formulation, &def.solver, &def.integrator, &def.dt,
                          &def.tolerance, &def.directions, &keep_going, &def.adaptive, &PyList_Type,
                          &changes, &PyList_Type, &options)) {
        return NULL;
    }
    Recorder* self = (Recorder*)PyType_GenericAlloc(core_recorder_type, 0);
    if (self == NULL) {
        return NULL;
    }
    def.keep_going = keep_going != 0;
    self->compiled = (Compiled*)Py_NewRef((PyObject*)compiled);
    if (!begin(self, &def, changes, options, path)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

// @return true when the file took every byte
static bool end(Recorder* self)
{
    if (self->file == NULL) {
        return true;
    }
    const bool complete = !self->failed && self->recorder.model != NULL &&
                          ut_recorder_end(&self->recorder, self->steps);
    const bool closed = fclose(self->file) == 0;
    self->file = NULL;
    return complete && closed;
}

static PyObject* recorder_close(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    if (((Recorder*)object)->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is taking a step that is recorded");
        return NULL;
    }
    if (!end((Recorder*)object)) {
        utError err = {.status = UT_ERR_IO};
        ut_error_set(&err, UT_ERR_IO, "the recording could not be written to its end");
        return core_raise(UT_ERR_IO, &err);
    }
    Py_RETURN_NONE;
}

static void recorder_free(PyObject* object)
{
    Recorder* self = (Recorder*)object;
    PyTypeObject* type = Py_TYPE(object);
    end(self);
    ut_arena_destroy(&self->keep);
    free(self->sensor);
    Py_XDECREF((PyObject*)self->compiled);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject* get_steps(PyObject* object, void* Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((Recorder*)object)->steps);
}

static PyMethodDef recorder_methods[] = {
    {"close", recorder_close, METH_NOARGS, "close()\n--\n\nEnd the recording and close its file."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef recorder_getset[] = {
    {"steps", get_steps, NULL, "steps recorded so far", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot recorder_slots[] = {
    {Py_tp_dealloc, (void*)recorder_free},
    {Py_tp_methods, recorder_methods},
    {Py_tp_getset, recorder_getset},
    {Py_tp_doc, (void*)"A recording that is being written."},
    {0, NULL},
};
static PyType_Spec recorder_spec = {
    .name = "uptack._core.Recorder",
    .basicsize = sizeof(Recorder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = recorder_slots,
};
static PyMethodDef functions[] = {
    {"recorder", create, METH_VARARGS, "recorder(path, compiled, source, ...) -> Recorder"},
    {NULL, NULL, 0, NULL},
};

int core_add_recorder(PyObject* module)
{
    core_recorder_type = (PyTypeObject*)PyType_FromSpec(&recorder_spec);
    if (core_recorder_type == NULL || PyModule_AddType(module, core_recorder_type) != 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
