// SPDX-License-Identifier: Apache-2.0
// The certificate, the contacts and the report of a step as Python objects, all of them copies.
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- certificate --------------------------------------------------------------------------------

PyObject* core_certificate(const utCertificate* c)
{
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put_bool(d, "passed", c->passed) &&
        core_put_text(d, "reason", ut_certificate_reason_name(c->reason)) &&
        core_put_double(d, "value", c->value) && core_put_double(d, "limit", c->limit) &&
        core_put_double(d, "E", c->E) && core_put_double(d, "e", c->e) &&
        core_put_double(d, "V", c->V) && core_put_int(d, "contact", c->contact) &&
        core_put_int(d, "momentum_contact", c->momentum_contact) &&
        core_put_int(d, "part", c->part) && core_put_int(d, "sleeping", c->sleeping) &&
        core_put_double(d, "momentum", c->momentum) && core_put_double(d, "stored", c->stored) &&
        core_put_double(d, "bilateral", c->bilateral) && core_put_double(d, "cone", c->cone) &&
        core_put_double(d, "position", c->position) &&
        core_put_double(d, "geometry", c->geometry) &&
        core_put_double(d, "reported", c->reported) && core_put_double(d, "impact", c->impact) &&
        core_put_double(d, "model_gap", c->model_gap) &&
        core_put_double(d, "energy_gain", c->energy_gain);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

// ---- contacts -----------------------------------------------------------------------------------

// A row of uptack._arrays.CONTACT, without padding: numbers first, then the texts.
typedef struct ContactRow {
    double point[3], normal[3];
    double gap, mu;
    double impulse[3]; // on geom2, world, N s
    double slip;       // m/s
    double frame[3][3];
    double r[3], u[3], b[3];
    double torque[3], spin[3];
    double restitution, rebound;
    uint64_t feature;
    int32_t geom1, geom2, body1, body2;
    int32_t island, condim;
    uint32_t state[6]; // a text of numpy's kind U6: UCS4, ended by zeros
} ContactRow;

static void put_vec3(double to[3], utVec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static void fill_row(const utModel* model, const utContact* c, ContactRow* row)
{
    utVec3 impulse = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        put_vec3(row->frame[k], c->frame[k]);
        impulse = ut_vec3_add_scaled(impulse, c->r[k], c->frame[k]);
    }
    put_vec3(row->point, c->point);
    put_vec3(row->normal, c->frame[0]);
    put_vec3(row->impulse, impulse);
    row->gap = c->gap;
    row->mu = c->mu;
    row->slip = sqrt(c->u[1] * c->u[1] + c->u[2] * c->u[2]);
    memcpy(row->r, c->r, sizeof row->r);
    memcpy(row->u, c->u, sizeof row->u);
    memcpy(row->b, c->b, sizeof row->b);
    memcpy(row->torque, c->torque, sizeof row->torque);
    memcpy(row->spin, c->spin, sizeof row->spin);
    row->restitution = c->restitution;
    row->rebound = c->rebound;
    row->feature = c->feature;
    row->geom1 = c->geom1;
    row->geom2 = c->geom2;
    row->body1 = ut_model_side_body(model, c->geom1);
    row->body2 = ut_model_side_body(model, c->geom2);
    row->island = c->island;
    row->condim = c->condim;
    const char* state = ut_contact_state_name(c->state);
    for (size_t k = 0; k < 6 && state[k] != '\0'; k++) {
        row->state[k] = (unsigned char)state[k];
    }
}

PyObject* core_contacts(const utModel* model, const utContact* contact, int count)
{
    ContactRow* row = calloc((size_t)count + 1, sizeof *row);
    if (row == NULL) {
        return PyErr_NoMemory();
    }
    for (int i = 0; i < count; i++) {
        fill_row(model, &contact[i], &row[i]);
    }
    PyObject* bytes =
        PyByteArray_FromStringAndSize((const char*)row, (Py_ssize_t)((size_t)count * sizeof *row));
    free(row);
    return bytes;
}

// ---- report -------------------------------------------------------------------------------------

static PyObject* island(const utIsland* i)
{
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put_int(d, "contacts", i->contacts) && core_put_int(d, "rows", i->rows) &&
        core_put_int(d, "trees", i->trees) && core_put_text(d, "rung", ut_rung_name(i->rung)) &&
        core_put_text(d, "outcome", ut_island_outcome_name(i->outcome)) &&
        core_put_int(d, "iterations", i->iterations) && core_put_bool(d, "solved", i->solved) &&
        core_put_bool(d, "fallback", i->fallback) && core_put_double(d, "E", i->E) &&
        core_put_double(d, "V", i->V) && core_put_text(d, "bounce", ut_bounce_name(i->bounce)) &&
        core_put_double(d, "restitution_scale", i->restitution_scale);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

static PyObject* row(const utRow* r)
{
    PyObject* d = PyDict_New();
    const bool done = d != NULL && core_put_text(d, "kind", ut_row_kind_name(r->kind)) &&
                      core_put_int(d, "joint", r->joint) &&
                      core_put_int(d, "actuator", r->actuator) && core_put_int(d, "dof", r->dof) &&
                      core_put_int(d, "equality", r->equality) &&
                      core_put_int(d, "body1", r->body1) && core_put_int(d, "body2", r->body2) &&
                      core_put_int(d, "island", r->island) && core_put_double(d, "gap", r->gap) &&
                      core_put_double(d, "b", r->b) && core_put_double(d, "low", r->low) &&
                      core_put_double(d, "high", r->high) && core_put_double(d, "r", r->r) &&
                      core_put_double(d, "u", r->u);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}

static PyObject* transition(const utTransition* t)
{
    return Py_BuildValue("{s:d,s:i,s:i,s:s,s:s,s:d}", "time", t->time, "geom1", t->geom1, "geom2",
                         t->geom2, "from", ut_contact_mode_name(t->from), "to",
                         ut_contact_mode_name(t->to), "speed", t->speed);
}

// A list of count dicts. @param item gives entry i
static PyObject* list_of(int count, const void* from, PyObject* (*item)(const void* from, int i))
{
    PyObject* list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject* made = item(from, i);
        if (made == NULL || PyList_Append(list, made) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(made);
    }
    return list;
}

static PyObject* island_at(const void* from, int i)
{
    return island((const utIsland*)from + i);
}

static PyObject* row_at(const void* from, int i)
{
    return row((const utRow*)from + i);
}

static PyObject* transition_at(const void* from, int i)
{
    return transition((const utTransition*)from + i);
}

static PyObject* law_at(const void* from, int i)
{
    const utStepReport* r = from;
    const utContactLaw law = ut_contact_law(r, &r->contact[i]);
    return Py_BuildValue("(dd)", law.lambda, law.excess);
}

static PyObject* part_at(const void* from, int i)
{
    return core_report((const utStepReport*)from + i);
}

PyObject* core_report(const utStepReport* r)
{
    const utModel* m = r->model;
    const size_t nq = (size_t)m->nq * sizeof(double), nv = (size_t)m->nv * sizeof(double);
    PyObject* d = PyDict_New();
    const bool done =
        d != NULL && core_put_double(d, "time", r->time) && core_put_double(d, "h", r->h) &&
        core_put_text(d, "integrator", ut_integrator_name(r->integrator)) &&
        core_put_text(d, "formulation", ut_formulation_name(r->formulation)) &&
        core_put_text(d, "tier", ut_tier_name(r->tier)) &&
        core_put_int(d, "directions", r->directions) && core_put_bool(d, "instant", r->instant) &&
        core_put_bytes(d, "q", r->q, nq) && core_put_bytes(d, "v", r->v, nv) &&
        core_put_bytes(d, "v_free", r->v_free, nv) && core_put_bytes(d, "v_next", r->v_next, nv) &&
        core_put_bytes(d, "q_next", r->q_next, nq) && core_put_bytes(d, "force", r->force, nv) &&
        core_put_bytes(d, "actuator_force", r->actuator_force, (size_t)m->nu * sizeof(double)) &&
        core_put(d, "contacts", core_contacts(m, r->contact, r->contacts)) &&
        core_put(d, "laws", list_of(r->contacts, r, law_at)) &&
        core_put(d, "rows", list_of(r->rows, r->row, row_at)) &&
        core_put(d, "islands", list_of(r->islands, r->island, island_at)) &&
        core_put(d, "transitions", list_of(r->transitions, r->transition, transition_at)) &&
        core_put(d, "parts", list_of(r->parts, r->part, part_at)) &&
        core_put_double(d, "energy", r->energy) &&
        core_put_double(d, "energy_next", r->energy_next) &&
        core_put_double(d, "kinetic_next", r->kinetic_next) &&
        core_put_double(d, "drift", r->drift) &&
        core_put_int(d, "drift_equality", r->drift_equality);
    if (!done) {
        Py_CLEAR(d);
    }
    return d;
}
