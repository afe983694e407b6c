// SPDX-License-Identifier: Apache-2.0
// What a sim says about its state and its last step.
#include "sim.h"

#include <string.h>
#include <uptack/sim_coulomb.h>

// ---- the state ----------------------------------------------------------------------------------

static PyObject* hash(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    return sim_enter(self) ? PyLong_FromUnsignedLongLong(ut_sim_hash(self->sim)) : NULL;
}

static PyObject* energy(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    return sim_enter(self) ? PyFloat_FromDouble(ut_sim_energy(self->sim)) : NULL;
}

static PyObject* sleeping(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    return sim_enter(self) ? PyLong_FromLong(ut_sim_sleeping(self->sim)) : NULL;
}

static bool is_body(const Sim* self, int body)
{
    const int nbody = self->compiled->model->nbody;
    if (body < 0 || body >= nbody) {
        core_refuse("bodies are 0 to %d", nbody - 1);
        return false;
    }
    return true;
}

static PyObject* body_state(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    int body;
    if (!PyArg_ParseTuple(args, "i", &body) || !sim_enter(self) || !is_body(self, body)) {
        return NULL;
    }
    const utBodyState s = ut_sim_body(self->sim, body);
    PyObject* d = PyDict_New();
    const bool done = d != NULL && core_put(d, "pos", core_vec3(s.frame.p)) &&
                      core_put(d, "quat", core_quat(s.quat)) &&
                      core_put(d, "com", core_vec3(s.com)) &&
                      core_put(d, "velocity", core_vec3(s.velocity)) &&
                      core_put(d, "angular", core_vec3(s.angular)) &&
                      core_put_bool(d, "sleeps", ut_sim_sleeps(self->sim, body));
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// _poses(kind, pos, quat): of all bodies or geoms
static PyObject* poses(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    const char* kind;
    Array pos = {0}, quat = {0};
    if (!sim_exists(self) || !PyArg_ParseTuple(args, "sO&O&", &kind, core_array_writable, &pos,
                                               core_array_writable, &quat)) {
        return NULL;
    }
    PyObject* result = NULL;
    const utModel* m = self->compiled->model;
    const bool geoms = strcmp(kind, "geom") == 0;
    const size_t n = (size_t)(geoms ? m->ngeom : m->nbody);
    if (sim_enter(self) && core_array_has(&pos, "pos", 3 * n, sizeof(double), false) &&
        core_array_has(&quat, "quat", 4 * n, sizeof(double), false)) {
        (geoms ? ut_sim_geom_poses : ut_sim_body_poses)(self->sim, pos.view.buf, quat.view.buf);
        result = Py_NewRef(Py_None);
    }
    core_array_close(&pos);
    core_array_close(&quat);
    return result;
}

static PyObject* sensors(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    Array data = {0};
    if (!sim_exists(self) || !PyArg_ParseTuple(args, "O&", core_array_writable, &data)) {
        return NULL;
    }
    PyObject* result = NULL;
    const size_t n = (size_t)self->compiled->model->nsensordata;
    if (sim_enter(self) && core_array_has(&data, "data", n, sizeof(double), false)) {
        ut_sim_sensors(self->sim, data.view.buf);
        result = Py_NewRef(Py_None);
    }
    core_array_close(&data);
    return result;
}

static PyObject* mocap_velocity(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    if (!sim_enter(self)) {
        return NULL;
    }
    const size_t n = (size_t)self->compiled->model->nmocap;
    return PyByteArray_FromStringAndSize((const char*)ut_sim_mocap_velocity(self->sim),
                                         (Py_ssize_t)(n * sizeof(utMotion)));
}

static PyObject* stop_at(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    double time;
    if (!PyArg_ParseTuple(args, "d", &time) || !sim_enter(self)) {
        return NULL;
    }
    ut_sim_stop_at(self->sim, time);
    Py_RETURN_NONE;
}

// ---- the last step ------------------------------------------------------------------------------

static bool has_step(Sim* self)
{
    if (!sim_enter_to_replace(self)) {
        return false;
    }
    if (!self->stepped) {
        core_refuse("no step belongs to the present state: take one first");
        return false;
    }
    return true;
}

static PyObject* certificate(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    return has_step(self) ? core_certificate(&self->result.certificate) : NULL;
}

static PyObject* contacts(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    if (!sim_enter_to_replace(self)) {
        return NULL;
    }
    // copied, because contacts lie in memory that moves when it grows
    return self->stepped ? core_contacts(self->compiled->model, self->result.report.contact,
                                         self->result.report.contacts)
                         : core_contacts(self->compiled->model, NULL, 0);
}

static PyObject* report(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    if (!has_step(self)) {
        return NULL;
    }
    // making objects may run finalizers, which must not step the sim meanwhile
    self->busy = true;
    PyObject* made = core_report(&self->result.report);
    self->busy = false;
    return made;
}

static PyObject* result(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    if (!has_step(self)) {
        return NULL;
    }
    const utStepResult* r = &self->result;
    PyObject* outcome = sim_outcome(object, NULL);
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put(d, "outcome", outcome) && core_put_double(d, "h", r->report.h) &&
        core_put_int(d, "contacts", r->report.contacts) &&
        core_put_int(d, "iterations", r->iterations) &&
        core_put_double(d, "max_penetration", r->max_penetration) &&
        core_put(d, "deepest", Py_BuildValue("(ii)", r->deepest[0], r->deepest[1])) &&
        core_put_int(d, "sleeping", r->sleeping) && core_put_int(d, "tries", r->tries) &&
        core_put_int(d, "pieces", r->pieces) && core_put_double(d, "closed", r->closed) &&
        core_put_bool(d, "within_budget",
                      ut_certificate_within_budget(&r->report, &r->certificate));
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// _certify(tolerance, impulses) -> certificate: check the last step again, with the engine's impulses
// or with others: contacts x 3 in the contacts' frames
static PyObject* certify(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    double tolerance;
    Array impulses = {0};
    if (!sim_exists(self) || !PyArg_ParseTuple(args, "dO&", &tolerance, core_array, &impulses)) {
        return NULL;
    }
    PyObject* made = NULL;
    utArena arena = {0};
    const int n = self->result.report.contacts;
    if (has_step(self) &&
        core_array_has(&impulses, "impulses", 3 * (size_t)n, sizeof(double), true) &&
        core_arena(&arena)) {
        utStepReport report = self->result.report;
        utContact* contact = UT_PUSH(&arena, utContact, n);
        if (impulses.open && contact != NULL) {
            memcpy(contact, report.contact, (size_t)n * sizeof *contact);
            for (int i = 0; i < n; i++) {
                memcpy(contact[i].r, (const double*)impulses.data + 3 * i, sizeof contact[i].r);
            }
            report.contact = contact;
        }
        utCertificate certificate;
        const utStatus status = ut_certify(&report, tolerance, arena, &certificate);
        made = status == UT_OK ? core_certificate(&certificate) : core_raise(status, NULL);
    }
    ut_arena_destroy(&arena);
    core_array_close(&impulses);
    return made;
}

static PyObject* ledger(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    const Sim* self = (Sim*)object;
    const utEnergyLedger* l = &self->ledger;
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:O}", "gain", l->gain, "scale", l->scale, "net", l->net,
                         "projected", l->projected, "gained",
                         ut_energy_ledger_gained(l) ? Py_True : Py_False);
}

// ---- friction problems --------------------------------------------------------------------------

static PyObject* problem_text(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    utText text;
    utError err = {0};
    if (!sim_enter(self)) {
        return NULL;
    }
    const utStatus status = ut_sim_problem(self->sim, &text, &err);
    return status == UT_OK ? core_text(text) : core_raise(status, &err);
}

static PyObject* coulomb(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    utArena keep;
    if (!sim_enter(self) || !core_arena(&keep)) {
        return NULL;
    }
    const utInput input = sim_input(self);
    utCoulomb problem;
    utError err = {0};
    const utStatus status = ut_sim_coulomb(self->sim, &input, &keep, &problem, &err);
    sim_forget_step(self); // the report of the last step is no longer valid
    PyObject* made = status == UT_OK ? core_problem(&problem) : core_raise(status, &err);
    ut_arena_destroy(&keep);
    return made;
}

// ---- methods ------------------------------------------------------------------------------------

PyMethodDef sim_read_methods[] = {
    {"_hash", hash, METH_NOARGS, "hash of time, q, v and act"},
    {"_energy", energy, METH_NOARGS, "kinetic and potential energy, J"},
    {"_sleeping", sleeping, METH_NOARGS, "number of bodies that sleep"},
    {"_body", body_state, METH_VARARGS, "_body(index) -> dict"},
    {"_poses", poses, METH_VARARGS, "_poses(kind, pos, quat)"},
    {"_sensors", sensors, METH_VARARGS, "_sensors(data)"},
    {"_mocap_velocity", mocap_velocity, METH_NOARGS, "twists of mocap bodies"},
    {"stop_at", stop_at, METH_VARARGS,
     "stop_at(time)\n--\n\nLet adaptive steps end exactly at this time."},
    {"_certificate", certificate, METH_NOARGS, "certificate of the last step"},
    {"_contacts", contacts, METH_NOARGS, "contacts of the last step as bytes"},
    {"_report", report, METH_NOARGS, "report of the last step"},
    {"_result", result, METH_NOARGS, "figures of the last step"},
    {"_certify", certify, METH_VARARGS, "_certify(tolerance, impulses) -> certificate"},
    {"_ledger", ledger, METH_NOARGS, "energy that the scheme added since the reset"},
    {"problem", problem_text, METH_NOARGS,
     "problem()\n--\n\nThe friction problem of one island of the last step as a .fc text, with its "
     "impulses."},
    {"_coulomb", coulomb, METH_NOARGS, "friction problem of the next step"},
    {NULL, NULL, 0, NULL},
};
