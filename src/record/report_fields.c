// SPDX-License-Identifier: Apache-2.0
// The fields of a report in their order in the file, once for measuring, writing and reading.
#include "report_fields.h"

#include <string.h>

// ---- numbers ------------------------------------------------------------------------------------

static bool take(Fields* f, size_t size)
{
    f->damaged = f->damaged || f->left < size;
    return !f->damaged;
}

static void field_u32(Fields* f, uint32_t* x)
{
    f->size += 4;
    if (f->mode == FIELDS_WRITE) {
        ut_recorder_put_u32(f->recorder, *x);
    } else if (f->mode == FIELDS_READ && take(f, 4)) {
        *x = ut_recording_u32(f->at);
        f->at += 4;
        f->left -= 4;
    }
}

static void field_int(Fields* f, int* x)
{
    uint32_t bits = (uint32_t)*x;
    field_u32(f, &bits);
    *x = (int)(int32_t)bits;
}

static void field_bool(Fields* f, bool* x)
{
    uint32_t bits = *x;
    field_u32(f, &bits);
    *x = bits != 0;
}

static void field_double(Fields* f, double* x)
{
    f->size += 8;
    if (f->mode == FIELDS_WRITE) {
        ut_recorder_put_double(f->recorder, *x);
    } else if (f->mode == FIELDS_READ && take(f, 8)) {
        *x = ut_recording_double(f->at);
        f->at += 8;
        f->left -= 8;
    }
}

static void field_doubles(Fields* f, double* x, int count)
{
    for (int i = 0; i < count; i++) {
        field_double(f, &x[i]);
    }
}

static void field_vec3(Fields* f, utVec3* x)
{
    field_double(f, &x->x);
    field_double(f, &x->y);
    field_double(f, &x->z);
}

// An enumeration. A value that it does not have is left to the certificate to reject.
#define FIELD_ENUM(f, type, x)   \
    do {                         \
        int number = (int)*(x);  \
        field_int((f), &number); \
        *(x) = (type)number;     \
    } while (0)

// ---- arrays -------------------------------------------------------------------------------------

enum { ARRAY_NONE, ARRAY_ZEROS, ARRAY_NUMBERS };

static bool all_zero(const double* x, size_t count)
{
    bool zero = true;
    for (size_t i = 0; i < count && zero; i++) {
        uint64_t bits; // -0 is another number
        memcpy(&bits, &x[i], sizeof bits);
        zero = bits == 0;
    }
    return zero;
}

// Room for an array that is read. @return false when there is none
static bool make_room(Fields* f, double** x, uint64_t count)
{
    *x = UT_PUSH(f->keep, double, (size_t)count);
    if (*x == NULL) {
        return false;
    }
    memset(*x, 0, (size_t)count * sizeof **x);
    return true;
}

// An array that may be absent: its kind, then its numbers.
static void field_array(Fields* f, const double** x, uint64_t count)
{
    uint32_t kind = *x == NULL                    ? ARRAY_NONE
                    : all_zero(*x, (size_t)count) ? ARRAY_ZEROS
                                                  : ARRAY_NUMBERS;
    field_u32(f, &kind);
    double* numbers = NULL;
    if (f->mode == FIELDS_READ) {
        f->damaged =
            f->damaged || kind > ARRAY_NUMBERS || (kind == ARRAY_NUMBERS && f->left / 8 < count);
        if (f->damaged || kind == ARRAY_NONE || !make_room(f, &numbers, count)) {
            *x = NULL;
            return;
        }
        *x = numbers;
    }
    for (size_t i = 0; kind == ARRAY_NUMBERS && i < count; i++) {
        double number = (*x)[i];
        field_double(f, &number);
        if (numbers != NULL) {
            numbers[i] = number;
        }
    }
}

static void field_wrenches(Fields* f, const utForce** x, uint64_t count)
{
    const double* numbers = (const double*)(const void*)*x;
    field_array(f, &numbers, 6 * count);
    *x = (const utForce*)(const void*)numbers;
}

static void field_twists(Fields* f, const utMotion** x, uint64_t count)
{
    const double* numbers = (const double*)(const void*)*x;
    field_array(f, &numbers, 6 * count);
    *x = (const utMotion*)(const void*)numbers;
}

// One u32 per tree.
static void field_asleep(Fields* f, const bool** asleep)
{
    const int count = f->model->ntree;
    bool present = *asleep != NULL;
    bool* read = NULL;
    field_bool(f, &present);
    if (f->mode == FIELDS_READ) {
        f->damaged = f->damaged || (present && f->left / 4 < (size_t)count);
        read = present && !f->damaged ? UT_PUSH(f->keep, bool, count) : NULL;
        *asleep = read;
    }
    for (int t = 0; *asleep != NULL && t < count; t++) {
        bool sleeps = read == NULL && (*asleep)[t];
        field_bool(f, &sleeps);
        if (read != NULL) {
            read[t] = sleeps;
        }
    }
}

// ---- contacts -----------------------------------------------------------------------------------

enum { CONTACT_IMPACTS = 1, CONTACT_TURNS = 2 };

static uint32_t contact_parts(const utContact* c)
{
    const bool impact = c->restitution != 0.0 || c->u_n_before != 0.0 || c->rebound != 0.0 ||
                        !all_zero(c->compression, 3);
    return (impact ? (uint32_t)CONTACT_IMPACTS : 0u) |
           (c->condim > 3 || !all_zero(c->torque, 3) || !all_zero(c->spin, 3) ||
                    !all_zero(c->spin_b, 3) || !all_zero(c->compression_torque, 3)
                ? (uint32_t)CONTACT_TURNS
                : 0u);
}

static void field_contact(Fields* f, utContact* c)
{
    uint32_t parts = f->mode != FIELDS_READ ? contact_parts(c) : 0;
    field_u32(f, &parts);
    field_int(f, &c->island);
    field_int(f, &c->condim);
    if ((parts & CONTACT_IMPACTS) != 0) {
        field_double(f, &c->restitution);
        field_double(f, &c->u_n_before);
        field_double(f, &c->rebound);
        field_doubles(f, c->compression, 3);
    }
    if ((parts & CONTACT_TURNS) != 0) {
        field_double(f, &c->torsional);
        field_double(f, &c->rolling);
        field_doubles(f, c->spin_b, 3);
        field_doubles(f, c->torque, 3);
        field_doubles(f, c->spin, 3);
        field_doubles(f, c->compression_torque, 3);
    }
}

// ---- rows ---------------------------------------------------------------------------------------

// The velocities of a row with terms.
static void field_terms(Fields* f, utRow* row)
{
    field_int(f, &row->terms);
    const int count = row->terms;
    int* index = NULL;
    double* coefficient = NULL;
    if (f->mode == FIELDS_READ) {
        f->damaged = f->damaged || count < 0 || f->left / 12 < (size_t)count;
        row->terms = f->damaged ? 0 : count;
        if (f->damaged || count == 0) {
            return;
        }
        index = UT_PUSH(f->keep, int, count);
        coefficient = UT_PUSH(f->keep, double, count);
        row->index = index;
        row->coefficient = coefficient;
        if (ut_arena_failed(f->keep)) {
            return;
        }
    }
    for (int k = 0; k < count; k++) {
        int at = index == NULL ? row->index[k] : 0;
        double value = coefficient == NULL ? row->coefficient[k] : 0.0;
        field_int(f, &at);
        field_double(f, &value);
        if (index != NULL && coefficient != NULL) {
            index[k] = at;
            coefficient[k] = value;
        }
    }
}

static void field_bodies(Fields* f, utRow* row)
{
    field_int(f, &row->body1);
    field_int(f, &row->body2);
    field_vec3(f, &row->linear);
    field_vec3(f, &row->angular);
    field_vec3(f, &row->point1);
    field_vec3(f, &row->point2);
}

static void field_row(Fields* f, utRow* row)
{
    FIELD_ENUM(f, utRowKind, &row->kind);
    field_int(f, &row->joint);
    field_int(f, &row->actuator);
    field_int(f, &row->dof);
    field_int(f, &row->dofs);
    field_int(f, &row->equality);
    field_int(f, &row->component);
    field_int(f, &row->island);
    field_terms(f, row);
    if (row->dof >= 0) {
        field_doubles(f, row->direction, 3);
    } else {
        field_bodies(f, row);
    }
    field_double(f, &row->length);
    field_double(f, &row->compliance);
    field_double(f, &row->gap);
    field_double(f, &row->b);
    field_double(f, &row->low);
    field_double(f, &row->high);
    field_double(f, &row->r);
    field_double(f, &row->u);
    field_double(f, &row->e);
}

static void field_island(Fields* f, utIsland* island)
{
    field_int(f, &island->contacts);
    field_int(f, &island->rows);
    field_int(f, &island->trees);
    FIELD_ENUM(f, utRung, &island->rung);
    FIELD_ENUM(f, utIslandOutcome, &island->outcome);
    field_int(f, &island->iterations);
    field_bool(f, &island->solved);
    field_bool(f, &island->fallback);
    field_double(f, &island->E);
    field_double(f, &island->V);
    field_int(f, &island->ray);
    FIELD_ENUM(f, utBounce, &island->bounce);
    field_int(f, &island->law);
    field_double(f, &island->restitution_scale);
}

// ---- lists --------------------------------------------------------------------------------------

// Least bytes of one entry of each list; they bound the memory that a file can ask for.
enum { CONTACT_BYTES = 12, ROW_BYTES = 132, ISLAND_BYTES = 68 };

// The number of entries of a list. READ: memory for them, filled with 0.
static void* field_list(Fields* f, int* count, size_t least, size_t size)
{
    field_int(f, count);
    if (f->mode != FIELDS_READ) {
        return NULL;
    }
    f->damaged = f->damaged || *count < 0 || f->left / least < (size_t)*count;
    *count = f->damaged ? 0 : *count;
    void* list = *count > 0 ? ut_arena_push(f->keep, (size_t)*count, size) : NULL;
    if (list != NULL) {
        memset(list, 0, (size_t)*count * size);
    }
    *count = list != NULL ? *count : 0;
    return list;
}

static void field_contacts(Fields* f, utStepReport* report)
{
    utContact* list = field_list(f, &report->contacts, CONTACT_BYTES, sizeof *list);
    for (int i = 0; i < report->contacts; i++) {
        utContact contact = list == NULL ? report->contact[i] : (utContact){0};
        field_contact(f, &contact);
        if (list != NULL) {
            list[i] = contact;
        }
    }
    report->contact = list != NULL ? list : report->contact;
}

static void field_rows(Fields* f, utStepReport* report)
{
    utRow* list = field_list(f, &report->rows, ROW_BYTES, sizeof *list);
    for (int i = 0; i < report->rows; i++) {
        utRow row = list == NULL ? report->row[i] : (utRow){0};
        field_row(f, &row);
        if (list != NULL) {
            list[i] = row;
        }
    }
    report->row = list != NULL ? list : report->row;
}

static void field_islands(Fields* f, utStepReport* report)
{
    utIsland* list = field_list(f, &report->islands, ISLAND_BYTES, sizeof *list);
    for (int i = 0; i < report->islands; i++) {
        utIsland island = list == NULL ? report->island[i] : (utIsland){0};
        field_island(f, &island);
        if (list != NULL) {
            list[i] = island;
        }
    }
    report->island = list != NULL ? list : report->island;
}

// ---- the report ---------------------------------------------------------------------------------

static void field_input(Fields* f, utStepReport* report)
{
    const uint64_t nv = (uint64_t)f->model->nv, nu = (uint64_t)f->model->nu;
    const uint64_t nmocap = (uint64_t)f->model->nmocap;
    field_array(f, &report->q, (uint64_t)f->model->nq);
    field_array(f, &report->v, nv);
    field_array(f, &report->ctrl, nu);
    field_array(f, &report->act, (uint64_t)f->model->na);
    field_array(f, &report->caller_force, nv);
    field_array(f, &report->force, nv);
    field_array(f, &report->actuator_diagonal, nv);
    field_array(f, &report->stiffness, nv);
    field_array(f, &report->damping, nv);
    field_wrenches(f, &report->applied, (uint64_t)f->model->nbody);
    field_array(f, &report->mocap_pos, 3 * nmocap);
    field_array(f, &report->mocap_quat, 4 * nmocap);
    field_twists(f, &report->mocap_velocity, nmocap);
    field_array(f, &report->mocap_pos_next, 3 * nmocap);
    field_array(f, &report->mocap_quat_next, 4 * nmocap);
}

static void field_end(Fields* f, utStepReport* report)
{
    const uint64_t nq = (uint64_t)f->model->nq, nv = (uint64_t)f->model->nv;
    field_array(f, &report->v_free, nv);
    field_array(f, &report->q_free, nq);
    field_array(f, &report->v_next, nv);
    field_array(f, &report->q_next, nq);
    field_array(f, &report->act_next, (uint64_t)f->model->na);
    field_array(f, &report->actuator_force, (uint64_t)f->model->nu);
    field_array(f, &report->projection, nv);
    field_array(f, &report->correction, nv);
    field_double(f, &report->energy);
    field_double(f, &report->energy_next);
    field_double(f, &report->kinetic_next);
    field_double(f, &report->drift);
    field_int(f, &report->drift_equality);
    field_asleep(f, &report->asleep);
    field_double(f, &report->asleep_E);
}

void ut_report_fields(Fields* f, utStepReport* report)
{
    report->model = f->model;
    field_double(f, &report->time);
    field_double(f, &report->h);
    FIELD_ENUM(f, utIntegrator, &report->integrator);
    FIELD_ENUM(f, utFormulation, &report->formulation);
    FIELD_ENUM(f, utTier, &report->tier);
    field_int(f, &report->directions);
    field_bool(f, &report->midpoint);
    field_bool(f, &report->instant);
    field_double(f, &report->minimum_rebound);
    field_vec3(f, &report->gravity);
    field_input(f, report);
    field_int(f, &report->relinearizations);
    field_array(f, &report->v_ahead, (uint64_t)f->model->nv);
    field_array(f, &report->mocap_ahead, (uint64_t)f->model->nmocap);
    field_end(f, report);
    field_contacts(f, report);
    field_rows(f, report);
    field_islands(f, report);
}
