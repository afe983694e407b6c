// SPDX-License-Identifier: Apache-2.0
// The record of a step with several parts: copies of their reports, and all of them as one report.
#include <string.h>

#include "sim/events/parts.h"

enum { FIRST_CAPACITY = 8 };

// ---- copies -------------------------------------------------------------------------------------

// @param from NULL: no copy
static const void* copy(utArena* arena, const void* from, size_t count, size_t size)
{
    void* to = from != NULL ? ut_arena_push(arena, count, size) : NULL;
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

// Rows, with the terms of those over several velocities.
static const utRow* copy_rows(utArena* arena, const utRow* from, int rows)
{
    utRow* row = from != NULL ? UT_PUSH(arena, utRow, rows) : NULL;
    for (int j = 0; row != NULL && j < rows; j++) {
        const size_t terms = (size_t)from[j].terms;
        row[j] = from[j];
        row[j].index = copy(arena, from[j].index, terms, sizeof *from[j].index);
        row[j].coefficient = copy(arena, from[j].coefficient, terms, sizeof *from[j].coefficient);
    }
    return row;
}

#define COPY(FIELD, COUNT) (r.FIELD = copy(arena, r.FIELD, (size_t)(COUNT), sizeof *r.FIELD))

utStatus ut_parts_copy_report(utArena* arena, const utStepReport* report, utStepReport* out)
{
    utStepReport r = *report;
    const utModel* model = r.model;
    const int n = model->nmocap;
    COPY(q, model->nq);
    COPY(v, model->nv);
    COPY(ctrl, model->nu);
    COPY(act, model->na);
    COPY(act_next, model->na);
    COPY(actuator_force, model->nu);
    COPY(caller_force, model->nv);
    COPY(force, model->nv);
    COPY(actuator_diagonal, model->nv);
    COPY(stiffness, model->nv);
    COPY(damping, model->nv);
    COPY(applied, model->nbody);
    COPY(mocap_pos, 3 * n);
    COPY(mocap_quat, 4 * n);
    COPY(mocap_velocity, n);
    COPY(mocap_pos_next, 3 * n);
    COPY(mocap_quat_next, 4 * n);
    COPY(contact, r.contacts);
    r.row = copy_rows(arena, r.row, r.rows);
    COPY(island, r.islands);
    COPY(v_ahead, model->nv);
    COPY(mocap_ahead, n);
    COPY(v_free, model->nv);
    COPY(q_free, model->nq);
    COPY(v_next, model->nv);
    COPY(q_next, model->nq);
    COPY(projection, model->nv);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    *out = r;
    return UT_OK;
}

#undef COPY

// ---- lists --------------------------------------------------------------------------------------

// Room for one more entry. @return the list, or a larger copy of it; NULL when there is no memory
static void* extend(utArena* arena, void* list, int count, int* capacity, size_t size)
{
    if (count < *capacity) {
        return list;
    }
    const int room = count > 0 ? 2 * count : FIRST_CAPACITY;
    void* larger = ut_arena_push(arena, (size_t)room, size);
    if (larger != NULL) {
        *capacity = room;
        if (count > 0) {
            memcpy(larger, list, (size_t)count * size);
        }
    }
    return larger;
}

utStatus ut_parts_add_report(Parts* parts, const utStepReport* report)
{
    PartsRecord* record = &parts->record;
    utStepReport* list =
        extend(&parts->keep, record->part, record->parts, &record->part_capacity, sizeof *list);
    if (list == NULL) {
        return UT_ERR_CAPACITY;
    }
    record->part = list;
    list[record->parts++] = *report;
    return UT_OK;
}

utStatus ut_parts_add_transition(Parts* parts, const utTransition* transition)
{
    PartsRecord* record = &parts->record;
    utTransition* list = extend(&parts->keep, record->transition, record->transitions,
                                &record->transition_capacity, sizeof *list);
    if (list == NULL) {
        return UT_ERR_CAPACITY;
    }
    record->transition = list;
    list[record->transitions++] = *transition;
    return UT_OK;
}

// ---- one report ---------------------------------------------------------------------------------

// Contacts, rows and islands of all parts, one part after the other.
static utStatus join(Parts* parts, utStepReport* report)
{
    const PartsRecord* record = &parts->record;
    int contacts = 0, rows = 0, islands = 0;
    for (int k = 0; k < record->parts; k++) {
        contacts += record->part[k].contacts;
        rows += record->part[k].rows;
        islands += record->part[k].islands;
    }
    utContact* contact = UT_PUSH(&parts->keep, utContact, contacts);
    utRow* row = UT_PUSH(&parts->keep, utRow, rows);
    utIsland* island = UT_PUSH(&parts->keep, utIsland, islands);
    if (ut_arena_failed(&parts->keep)) {
        return UT_ERR_CAPACITY;
    }
    int c = 0, r = 0, before = 0;
    for (int k = 0; k < record->parts; k++) {
        const utStepReport* part = &record->part[k];
        for (int i = 0; i < part->contacts; i++) {
            contact[c] = part->contact[i];
            contact[c++].island += before;
        }
        for (int j = 0; j < part->rows; j++) {
            row[r] = part->row[j];
            row[r++].island += before;
        }
        for (int i = 0; i < part->islands; i++) {
            island[before + i] = part->island[i];
        }
        before += part->islands;
    }
    report->contacts = contacts;
    report->contact = contact;
    report->rows = rows;
    report->row = row;
    report->islands = islands;
    report->island = island;
    return UT_OK;
}

utStatus ut_parts_report(Parts* parts, utStepReport* report)
{
    const PartsRecord* record = &parts->record;
    const utStepReport *first = &record->part[0], *last = &record->part[record->parts - 1];
    utStepReport all = *last;
    UT_TRY(join(parts, &all));
    all.time = first->time;
    all.h = parts->h;
    all.instant = false;
    all.q = first->q;
    all.v = first->v;
    all.act = first->act;
    all.mocap_pos = first->mocap_pos;
    all.mocap_quat = first->mocap_quat;
    all.projection = NULL;
    all.energy = first->energy;
    all.transitions = record->transitions;
    all.transition = record->transition;
    all.parts = record->parts;
    all.part = record->part;
    *report = all;
    return UT_OK;
}
