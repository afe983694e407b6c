// SPDX-License-Identifier: Apache-2.0
// Steps of a sim. The interpreter's lock is released while they are computed.
#include "sim.h"

#include <string.h>

enum { STEPS_BETWEEN_SIGNALS = 64 }; // Ctrl-C ends a long call after this many steps

// ---- input --------------------------------------------------------------------------------------

static bool is_zero(const Block* block)
{
    bool zero = true;
    for (Py_ssize_t i = 0; zero && i < block->count; i++) {
        zero = block->data[i] == 0.0; // NaN is not zero, and the engine names it
    }
    return zero;
}

// Copy an array for the step. @param at advanced
static const double* copy_input(const Block* block, double** at)
{
    double* copy = *at;
    memcpy(copy, block->data, (size_t)block->count * sizeof(double));
    *at += block->count;
    return copy;
}

// Mocap bodies that the caller did not move have no target: those that follow functions of time go on.
static bool is_moved(const Block* block, const double* present)
{
    return block != NULL && block->count > 0 &&
           memcmp(block->data, present, (size_t)block->count * sizeof(double)) != 0;
}

utInput sim_input(const Sim* self)
{
    Block* const* block = self->block;
    double* at = self->input->data;
    utInput input = {0};
    if (block[SIM_CTRL]->count > 0) {
        input.ctrl = copy_input(block[SIM_CTRL], &at);
    }
    if (block[SIM_FORCE] != NULL && !is_zero(block[SIM_FORCE])) {
        input.force = copy_input(block[SIM_FORCE], &at);
    }
    if (block[SIM_APPLIED] != NULL && !is_zero(block[SIM_APPLIED])) {
        // rows of force and torque are the fields of utForce
        input.applied = (const utForce*)(const void*)copy_input(block[SIM_APPLIED], &at);
    }
    if (is_moved(block[SIM_MOCAP_POS], ut_sim_mocap_pos(self->sim))) {
        input.mocap_pos = copy_input(block[SIM_MOCAP_POS], &at);
    }
    if (is_moved(block[SIM_MOCAP_QUAT], ut_sim_mocap_quat(self->sim))) {
        input.mocap_quat = copy_input(block[SIM_MOCAP_QUAT], &at);
    }
    return input;
}

// ---- arguments ----------------------------------------------------------------------------------

typedef struct StepArguments {
    PyObject* ctrl; // NULL: as they are
    long long n;
} StepArguments;

static bool take_argument(const char* name, PyObject* value, StepArguments* a)
{
    if (strcmp(name, "ctrl") == 0) {
        a->ctrl = value != Py_None ? value : NULL;
        return true;
    }
    if (strcmp(name, "n") == 0) {
        a->n = PyLong_AsLongLong(value);
        if (PyErr_Occurred() == NULL && a->n < 0) {
            core_refuse("n is a number of steps, not %lld", a->n);
        }
        return PyErr_Occurred() == NULL;
    }
    PyErr_Format(PyExc_TypeError, "step() has no argument '%s'; there are ctrl and n", name);
    return false;
}

static bool read_arguments(PyObject* const* args, Py_ssize_t count, PyObject* names,
                           StepArguments* a)
{
    static const char* const order[] = {"ctrl", "n"};
    if (count > 2) {
        PyErr_SetString(PyExc_TypeError, "step() takes ctrl and n");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!take_argument(order[i], args[i], a)) {
            return false;
        }
    }
    const Py_ssize_t named = names != NULL ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        const char* name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        if (name == NULL || !take_argument(name, args[count + i], a)) {
            return false;
        }
    }
    return true;
}

static bool write_ctrl(Sim* self, PyObject* ctrl)
{
    Block* block = self->block[SIM_CTRL];
    if (ctrl == self->array[SIM_CTRL]) {
        return true; // sim.step(sim.ctrl)
    }
    return core_read_doubles(ctrl, "ctrl", block->count, block->data);
}

// ---- stepping -----------------------------------------------------------------------------------

// The worse of two outcomes: certified, flagged, budget, uncertified.
static utStepOutcome worse(utStepOutcome a, utStepOutcome b)
{
    return a > b ? a : b;
}

// Up to n steps, without the interpreter's lock. @return the status of the last one
static utStatus run(Sim* self, const utInput* input, long long n, long long* taken,
                    utStepOutcome* worst, utError* err)
{
    utStatus status = UT_OK;
    long long i = 0;
    while (i < n && status == UT_OK) {
        if (self->recorder != NULL) {
            recorder_input(self->recorder, input);
        }
        status = ut_sim_step(self->sim, input, &self->result, err);
        if (status == UT_OK) {
            if (self->recorder != NULL) {
                recorder_step(self->recorder, self->sim, &self->result.report);
            }
            ut_energy_ledger_add(&self->ledger, &self->result);
            i++;
        }
        if (status == UT_OK || status == UT_ERR_NOT_TAKEN) {
            *worst = worse(*worst, self->result.outcome);
        }
    }
    *taken = i;
    return status;
}

static PyObject* outcome_text(utStepOutcome outcome)
{
    static PyObject* text[4]; // interned, made once
    static const char* const name[4] = {"certified", "flagged", "budget", "uncertified"};
    if (text[outcome] == NULL) {
        text[outcome] = PyUnicode_InternFromString(name[outcome]);
    }
    return Py_XNewRef(text[outcome]);
}

PyObject* sim_outcome(PyObject* object, void* Py_UNUSED(closure))
{
    const Sim* self = (Sim*)object;
    return self->stepped ? outcome_text(self->result.outcome) : PyUnicode_FromString("");
}

static PyObject* end(Sim* self, utStatus status, utStepOutcome worst, const utError* err)
{
    if (status == UT_OK || (status == UT_ERR_NOT_TAKEN && self->policy != SIM_RAISE)) {
        return outcome_text(worst);
    }
    if (status != UT_ERR_NOT_TAKEN) {
        return core_raise(status, err);
    }
    PyObject* certificate = core_certificate(&self->result.certificate);
    if (certificate != NULL) {
        core_raise_uncertified(err, ut_sim_time(self->sim), certificate);
        Py_DECREF(certificate);
    }
    return NULL;
}

static void set_busy(Sim* self, bool busy)
{
    self->busy = busy;
    if (self->recorder != NULL) {
        self->recorder->busy = busy;
    }
}

PyObject* sim_step(PyObject* object, PyObject* const* args, Py_ssize_t count, PyObject* names)
{
    Sim* self = (Sim*)object;
    StepArguments a = {.n = 1};
    if ((count > 0 || names != NULL) && !read_arguments(args, count, names, &a)) {
        return NULL;
    }
    if (!sim_exists(self) || (a.ctrl != NULL && !write_ctrl(self, a.ctrl))) {
        return NULL;
    }
    utStatus status = UT_OK;
    utStepOutcome worst = UT_STEP_CERTIFIED;
    utError err = {0};
    for (long long done = 0; done < a.n && status == UT_OK;) {
        // again in each round, because a handler of a signal may run any code of Python's
        if (!sim_enter(self)) {
            return NULL;
        }
        const utInput input = sim_input(self);
        const long long n = a.n - done < STEPS_BETWEEN_SIGNALS ? a.n - done : STEPS_BETWEEN_SIGNALS;
        long long taken = 0;
        set_busy(self, true);
        Py_BEGIN_ALLOW_THREADS;
        status = run(self, &input, n, &taken, &worst, &err);
        Py_END_ALLOW_THREADS;
        set_busy(self, false);
        self->steps += taken;
        done += taken;
        self->stepped = status == UT_OK || status == UT_ERR_NOT_TAKEN;
        sim_show(self);
        if (done < a.n && status == UT_OK && PyErr_CheckSignals() != 0) {
            return NULL;
        }
    }
    return end(self, status, worst, &err);
}

PyMethodDef sim_step_methods[] = {
    {"step", (PyCFunction)(void (*)(void))sim_step, METH_FASTCALL | METH_KEYWORDS,
     "step(ctrl=None, n=1)\n--\n\n"
     "Take n steps and return the worst outcome: 'certified', 'flagged' (a fallback answered),\n"
     "'budget' or 'uncertified'.\n\n"
     "ctrl replaces sim.ctrl and stays for later steps. A step that is not certified is not "
     "taken:\n"
     "it raises uptack.UncertifiedStep, or ends the call and is returned as 'uncertified' when "
     "the\n"
     "sim was made with on_uncertified='flag'. With 'keep' it is taken all the same."},
    {NULL, NULL, 0, NULL},
};
