// SPDX-License-Identifier: Apache-2.0
// The elements of a model as dicts; uptack/_elements.py makes classes of them.
#include "core.h"

#include <string.h>

static PyObject* pair_of(const double a[2])
{
    return Py_BuildValue("(dd)", a[0], a[1]);
}

static PyObject* doubles(const double* a, int n)
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject* number = PyFloat_FromDouble(a[i]);
        if (number == NULL || PyList_Append(list, number) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(number);
    }
    return list;
}

static PyObject* mat3(utMat3 a)
{
    return Py_BuildValue("((ddd)(ddd)(ddd))", a.m[0][0], a.m[0][1], a.m[0][2], a.m[1][0], a.m[1][1],
                         a.m[1][2], a.m[2][0], a.m[2][1], a.m[2][2]);
}

static bool put_body(PyObject* d, const utModel* m, int i)
{
    const utModelBody* b = &m->body[i];
    return core_put_text(d, "name", b->name) && core_put_int(d, "parent", b->parent) &&
           core_put(d, "pos", core_vec3(b->in_parent.p)) &&
           core_put(d, "quat", core_quat(b->quat)) && core_put_double(d, "mass", b->mass) &&
           core_put(d, "com", core_vec3(b->com)) && core_put(d, "inertia", mat3(b->inertia)) &&
           core_put_int(d, "joint", b->joint) && core_put_int(d, "joints", b->joints) &&
           core_put_int(d, "dof", b->dof) && core_put_int(d, "dofs", b->dofs) &&
           core_put_int(d, "tree", b->tree) && core_put_int(d, "mocap", b->mocap) &&
           core_put_int(d, "geom", b->geom) && core_put_int(d, "geoms", b->geoms) &&
           core_put_double(d, "gravcomp", b->gravcomp);
}

static bool put_joint(PyObject* d, const utModel* m, int i)
{
    const utModelJoint* j = &m->joint[i];
    return core_put_text(d, "name", j->name) &&
           core_put_text(d, "kind", ut_joint_kind_name(j->kind)) &&
           core_put_int(d, "body", j->body) && core_put_int(d, "q", j->q) &&
           core_put_int(d, "nq", ut_joint_positions(j->kind)) && core_put_int(d, "v", j->v) &&
           core_put_int(d, "nv", ut_joint_velocities(j->kind)) &&
           core_put(d, "pos", core_vec3(j->pos)) && core_put(d, "axis", core_vec3(j->axis)) &&
           core_put_bool(d, "limited", j->limited) && core_put(d, "range", pair_of(j->range)) &&
           core_put_double(d, "ref", j->ref) && core_put_double(d, "stiffness", j->stiffness) &&
           core_put_double(d, "springref", j->springref) &&
           core_put_double(d, "damping", j->damping) &&
           core_put_double(d, "frictionloss", j->frictionloss);
}

// The numbers of a shape's size by its kind: radius, half extents, radius and half length.
static bool put_geom(PyObject* d, const utModel* m, int i)
{
    const utModelGeom* g = &m->geom[i];
    return core_put_text(d, "name", g->name) && core_put_int(d, "body", g->body) &&
           core_put_text(d, "kind", ut_shape_kind_name(g->shape.kind)) &&
           core_put(d, "size", core_vec3(g->shape.size)) &&
           core_put(d, "pos", core_vec3(g->in_body.p)) && core_put(d, "quat", core_quat(g->quat)) &&
           core_put_int(d, "condim", g->condim) && core_put_double(d, "friction", g->friction) &&
           core_put_double(d, "torsional", g->torsional) &&
           core_put_double(d, "rolling", g->rolling) && core_put_double(d, "kinetic", g->kinetic) &&
           core_put_double(d, "restitution", g->restitution) &&
           core_put_double(d, "margin", g->margin) && core_put_int(d, "priority", g->priority) &&
           core_put_int(d, "contype", g->contype) &&
           core_put_int(d, "conaffinity", g->conaffinity) && core_put_int(d, "group", g->group) &&
           core_put_bool(d, "collides", g->collides) && core_put_double(d, "radius", g->radius);
}

static bool put_site(PyObject* d, const utModel* m, int i)
{
    const utModelSite* s = &m->site[i];
    return core_put_text(d, "name", s->name) && core_put_int(d, "body", s->body) &&
           core_put(d, "pos", core_vec3(s->in_body.p)) && core_put(d, "quat", core_quat(s->quat));
}

static bool put_spring(PyObject* d, const utModel* m, int i)
{
    const utModelSpring* s = &m->spring[i];
    return core_put_text(d, "name", s->name) && core_put_int(d, "site1", s->site1) &&
           core_put_int(d, "site2", s->site2) && core_put_double(d, "stiffness", s->stiffness) &&
           core_put_double(d, "length", s->length) && core_put_double(d, "damping", s->damping);
}

static bool put_tendon(PyObject* d, const utModel* m, int i)
{
    const utModelTendon* t = &m->tendon[i];
    return core_put_text(d, "name", t->name) &&
           core_put_text(d, "kind", ut_tendon_kind_name(t->kind)) &&
           core_put_bool(d, "limited", t->limited) && core_put(d, "range", pair_of(t->range)) &&
           core_put_double(d, "stiffness", t->stiffness) &&
           core_put_double(d, "damping", t->damping) &&
           core_put_double(d, "frictionloss", t->frictionloss) &&
           core_put_double(d, "length0", t->length0);
}

static bool put_actuator(PyObject* d, const utModel* m, int i)
{
    const utModelActuator* a = &m->actuator[i];
    return core_put_text(d, "name", a->name) &&
           core_put_text(d, "kind", ut_actuator_kind_name(a->kind)) &&
           core_put_text(d, "dynamics", ut_actuator_dynamics_name(a->dynamics)) &&
           core_put_int(d, "joint", a->joint) && core_put_int(d, "tendon", a->tendon) &&
           core_put_int(d, "site", a->site) && core_put_int(d, "equality", a->equality) &&
           core_put_int(d, "act", a->act) && core_put(d, "gear", doubles(a->gear, 6)) &&
           core_put(d, "gain", doubles(a->gain, 3)) && core_put(d, "bias", doubles(a->bias, 3)) &&
           core_put_bool(d, "ctrl_limited", a->ctrl_limited) &&
           core_put(d, "ctrl_range", pair_of(a->ctrl_range)) &&
           core_put_bool(d, "force_limited", a->force_limited) &&
           core_put(d, "force_range", pair_of(a->force_range));
}

static bool put_equality(PyObject* d, const utModel* m, int i)
{
    const utModelEquality* e = &m->equality[i];
    return core_put_text(d, "name", e->name) &&
           core_put_text(d, "kind", ut_equality_kind_name(e->kind)) &&
           core_put_int(d, "body1", e->body1) && core_put_int(d, "body2", e->body2) &&
           core_put_bool(d, "active", e->active) && core_put_bool(d, "joint", e->joint);
}

static bool put_keyframe(PyObject* d, const utModel* m, int i)
{
    const utModelKeyframe* k = &m->keyframe[i];
    return core_put_text(d, "name", k->name) && core_put_double(d, "time", k->time) &&
           core_put(d, "q", doubles(k->q, m->nq)) && core_put(d, "v", doubles(k->v, m->nv)) &&
           core_put(d, "ctrl", doubles(k->ctrl, m->nu)) &&
           core_put(d, "act", doubles(k->act, m->na)) &&
           core_put(d, "mocap_pos", doubles(k->mocap_pos, 3 * m->nmocap)) &&
           core_put(d, "mocap_quat", doubles(k->mocap_quat, 4 * m->nmocap));
}

static bool put_sensor(PyObject* d, const utModel* m, int i)
{
    static const char* const stage[] = {"position", "velocity", "acceleration"};
    const utModelSensor* s = &m->sensor[i];
    const utSensorTraits traits = ut_sensor_traits(s->kind);
    return core_put_text(d, "name", s->name) && core_put_text(d, "kind", traits.name) &&
           core_put_text(d, "stage", stage[traits.stage]) && core_put_int(d, "start", s->start) &&
           core_put_int(d, "dim", s->dim) && core_put_double(d, "cutoff", s->cutoff);
}

// elements(compiled, kind) -> list of dicts
static PyObject* elements(PyObject* Py_UNUSED(module), PyObject* args)
{
    Compiled* compiled;
    const char* kind;
    if (!PyArg_ParseTuple(args, "O!s", core_compiled_type, &compiled, &kind)) {
        return NULL;
    }
    const utModel* m = compiled->model;
    const struct {
        const char* kind;
        int count;
        bool (*put)(PyObject* d, const utModel* m, int i);
    } table[] = {{"body", m->nbody, put_body},
                 {"joint", m->njoint, put_joint},
                 {"geom", m->ngeom, put_geom},
                 {"site", m->nsite, put_site},
                 {"spring", m->nspring, put_spring},
                 {"tendon", m->ntendon, put_tendon},
                 {"actuator", m->nactuator, put_actuator},
                 {"equality", m->nequality, put_equality},
                 {"keyframe", m->nkeyframe, put_keyframe},
                 {"sensor", m->nsensor, put_sensor}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(kind, table[k].kind) != 0) {
            continue;
        }
        PyObject* list = PyList_New(0);
        for (int i = 0; list != NULL && i < table[k].count; i++) {
            PyObject* d = PyDict_New();
            const bool done = d != NULL && core_put_int(d, "index", i) && table[k].put(d, m, i) &&
                              PyList_Append(list, d) == 0;
            Py_XDECREF(d);
            if (!done) {
                Py_CLEAR(list);
            }
        }
        return list;
    }
    return core_refuse("there are no elements of kind '%s'", kind);
}

PyMethodDef core_tables_methods[] = {
    {"elements", elements, METH_VARARGS, "elements(compiled, kind) -> list of dicts"},
    {NULL, NULL, 0, NULL},
};
