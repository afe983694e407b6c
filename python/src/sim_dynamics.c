// SPDX-License-Identifier: Apache-2.0
// Mechanics at the present state of a sim: rays, springs that hold a point, reactions of joints, mass matrix,
// Jacobians, inverse dynamics.
#include "sim.h"

#include <string.h>
#include <uptack/dyn.h>
#include <uptack/sensor.h>

static bool read_vec3(PyObject* from, const char* what, utVec3* a)
{
    double x[3];
    if (!core_read_doubles(from, what, 3, x)) {
        return false;
    }
    *a = ut_vec3(x[0], x[1], x[2]);
    return true;
}

// _pick(start, direction, far) -> (geom, distance, point, normal) or None
static PyObject* pick(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    PyObject *start, *direction;
    double far;
    utVec3 from, along;
    if (!PyArg_ParseTuple(args, "OOd", &start, &direction, &far) ||
        !read_vec3(start, "start", &from) || !read_vec3(direction, "direction", &along) ||
        !sim_enter(self)) {
        return NULL;
    }
    utPick hit;
    if (!ut_sim_pick(self->sim, from, along, far, &hit)) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(idNN)", hit.geom, hit.hit.distance, core_vec3(hit.hit.point),
                         core_vec3(hit.hit.normal));
}

// _hold(body, point, target, rate) -> (force, torque)
static PyObject* hold(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    PyObject *point, *target;
    utHold spring;
    utArena scratch;
    if (!PyArg_ParseTuple(args, "iOOd", &spring.body, &point, &target, &spring.rate) ||
        !read_vec3(point, "point", &spring.point) || !read_vec3(target, "target", &spring.target) ||
        !sim_enter(self) || !core_arena(&scratch)) {
        return NULL;
    }
    utForce wrench;
    const utStatus status = ut_sim_hold(self->sim, &spring, scratch, &wrench);
    ut_arena_destroy(&scratch);
    return status == UT_OK
               ? Py_BuildValue("(NN)", core_vec3(wrench.force), core_vec3(wrench.torque))
               : core_raise(status, NULL);
}

// ---- reactions ----------------------------------------------------------------------------------

static PyObject* reaction_list(const utModel* model, const utReaction* reaction, int count)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        char buffer[32];
        const utReaction* r = &reaction[i];
        const utReaction fixed = ut_reaction(model, i);
        PyObject* item = Py_BuildValue("(siiNNN)", ut_reaction_name(model, i, buffer), fixed.body,
                                       fixed.equality, core_vec3(r->point), core_vec3(r->impulse),
                                       core_vec3(r->torque));
        if (item == NULL || PyList_Append(list, item) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

// _reactions() -> list of (name, body, equality, point, impulse, torque) of the last step
static PyObject* reactions(PyObject* object, PyObject* Py_UNUSED(nothing))
{
    Sim* self = (Sim*)object;
    utArena keep;
    if (!sim_enter(self)) {
        return NULL;
    }
    if (!self->stepped) {
        return core_refuse("no step belongs to the present state: take one first");
    }
    if (!core_arena(&keep)) {
        return NULL;
    }
    const utModel* model = self->compiled->model;
    const int count = ut_reaction_count(model);
    utSensors sensors;
    utReaction* reaction = UT_PUSH(&keep, utReaction, count + 1);
    const utStatus status =
        reaction != NULL ? ut_sensors_create(model, &keep, &sensors) : UT_ERR_MEMORY;
    PyObject* list = NULL;
    if (status == UT_OK) {
        ut_reactions(&sensors, &self->result.report, reaction);
        list = reaction_list(model, reaction, count);
    } else {
        core_raise(status, NULL);
    }
    ut_arena_destroy(&keep);
    return list;
}

// ---- dynamics -----------------------------------------------------------------------------------

// Kinematics at the present state. @return false: raised
static bool place(Sim* self, utArena* keep, utKinematics* kin)
{
    const utStatus status = ut_kinematics_create(self->compiled->model, keep, kin);
    if (status != UT_OK) {
        core_raise(status, NULL);
        return false;
    }
    ut_kinematics_place(kin, ut_sim_q(self->sim), ut_sim_mocap_pos(self->sim),
                        ut_sim_mocap_quat(self->sim));
    ut_kinematics_move(kin, ut_sim_v(self->sim), ut_sim_mocap_velocity(self->sim));
    return true;
}

static bool fill_mass(Sim* self, utArena* keep, const utKinematics* kin, double* M)
{
    const utModel* m = self->compiled->model;
    const size_t nv = (size_t)m->nv;
    utMass mass;
    const utStatus status = ut_mass_create(m, keep, &mass);
    if (status != UT_OK) {
        core_raise(status, NULL);
        return false;
    }
    ut_mass_find(&mass, kin, NULL);
    memset(M, 0, nv * nv * sizeof *M);
    for (int i = 0; i < m->nv; i++) {
        for (int k = mass.start[i]; k < mass.start[i + 1]; k++) {
            const size_t j = (size_t)mass.column[k];
            M[(size_t)i * nv + j] = mass.M[k];
            M[j * nv + (size_t)i] = mass.M[k];
        }
    }
    return true;
}

// _mass(M): nv x nv, written
static PyObject* mass_matrix(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    Array M = {0};
    if (!sim_exists(self) || !PyArg_ParseTuple(args, "O&", core_array_writable, &M)) {
        return NULL;
    }
    PyObject* result = NULL;
    utArena keep = {0};
    utKinematics kin;
    const size_t nv = (size_t)self->compiled->model->nv;
    if (sim_enter(self) && core_array_has(&M, "M", nv * nv, sizeof(double), false) &&
        core_arena(&keep) && place(self, &keep, &kin) && fill_mass(self, &keep, &kin, M.view.buf)) {
        result = Py_NewRef(Py_None);
    }
    ut_arena_destroy(&keep);
    core_array_close(&M);
    return result;
}

// _inverse(a, tau): generalized forces that give the accelerations a, without contacts; armature included
static PyObject* inverse(PyObject* object, PyObject* args)
{
    Sim* self = (Sim*)object;
    Array a = {0}, tau = {0};
    if (!sim_exists(self) ||
        !PyArg_ParseTuple(args, "O&O&", core_array, &a, core_array_writable, &tau)) {
        return NULL;
    }
    PyObject* result = NULL;
    utArena keep = {0};
    utKinematics kin;
    const utModel* m = self->compiled->model;
    const size_t nv = (size_t)m->nv;
    if (sim_enter(self) && core_array_has(&a, "a", nv, sizeof(double), false) &&
        core_array_has(&tau, "tau", nv, sizeof(double), false) && core_arena(&keep) &&
        place(self, &keep, &kin)) {
        const utStatus status =
            ut_dyn_inverse(&kin, a.data, m->options.gravity, NULL, keep, tau.view.buf);
        for (size_t i = 0; status == UT_OK && i < nv; i++) {
            ((double*)tau.view.buf)[i] += m->dof_armature[i] * ((const double*)a.data)[i];
        }
        result = status == UT_OK ? Py_NewRef(Py_None) : core_raise(status, NULL);
    }
    ut_arena_destroy(&keep);
    core_array_close(&a);
    core_array_close(&tau);
    return result;
}

// _jacobian(body, point, J): 6 x nv: velocity of the body's point that is at `point`, angular velocity; world
static PyObject* jacobian(PyObject* object, PyObject* args)
{
    static const utVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Sim* self = (Sim*)object;
    int body;
    PyObject* at;
    Array J = {0};
    if (!sim_exists(self) || !PyArg_ParseTuple(args, "iOO&", &body, &at, core_array_writable, &J)) {
        return NULL;
    }
    PyObject* result = NULL;
    utArena keep = {0};
    utKinematics kin;
    utVec3 point;
    const utModel* m = self->compiled->model;
    const size_t nv = (size_t)m->nv;
    if (body < 0 || body >= m->nbody) {
        core_refuse("bodies are 0 to %d", m->nbody - 1);
    } else if (read_vec3(at, "point", &point) && sim_enter(self) &&
               core_array_has(&J, "J", 6 * nv, sizeof(double), false) && core_arena(&keep) &&
               place(self, &keep, &kin)) {
        double* rows = J.view.buf;
        memset(rows, 0, 6 * nv * sizeof *rows);
        const int tree = m->body[body].tree;
        const size_t dofs = tree >= 0 ? (size_t)m->tree[tree].dofs : 0;
        double* part = UT_PUSH(&keep, double, 6 * dofs + 1);
        result = part != NULL ? Py_NewRef(Py_None) : PyErr_NoMemory();
        if (part != NULL && dofs > 0) {
            memset(part, 0, 6 * dofs * sizeof *part);
            ut_point_jacobian(&kin, body, point, 3, axes, part);
            ut_angular_jacobian(&kin, body, 3, axes, part + 3 * dofs);
            for (size_t i = 0; i < 6; i++) {
                memcpy(rows + i * nv + (size_t)m->tree[tree].dof, part + i * dofs,
                       dofs * sizeof *part);
            }
        }
    }
    ut_arena_destroy(&keep);
    core_array_close(&J);
    return result;
}

PyMethodDef sim_dynamics_methods[] = {
    {"_pick", pick, METH_VARARGS,
     "_pick(start, direction, far) -> (geom, distance, point, normal)"},
    {"_hold", hold, METH_VARARGS, "_hold(body, point, target, rate) -> (force, torque)"},
    {"_reactions", reactions, METH_NOARGS, "reactions of the last step"},
    {"_mass", mass_matrix, METH_VARARGS, "_mass(M)"},
    {"_inverse", inverse, METH_VARARGS, "_inverse(a, tau)"},
    {"_jacobian", jacobian, METH_VARARGS, "_jacobian(body, point, J)"},
    {NULL, NULL, 0, NULL},
};
