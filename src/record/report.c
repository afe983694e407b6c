// SPDX-License-Identifier: Apache-2.0
// Writes the reports of steps, and puts them together again from the records of a step.
#include <string.h>

#include "report_fields.h"

// ---- writing ------------------------------------------------------------------------------------

// A part of a step, or the step itself when it has no parts.
static utStepReport part_of(const utStepReport* report, int k)
{
    return report->parts > 0 ? report->part[k] : *report;
}

static int count_parts(const utStepReport* report)
{
    return report->parts > 0 ? report->parts : 1;
}

static void visit_parts(Fields* fields, const utStepReport* report)
{
    for (int k = 0; k < count_parts(report); k++) {
        utStepReport part = part_of(report, k);
        ut_report_fields(fields, &part);
    }
}

enum { WHOLE_SIZE = 24 }; // f64 time, h, energy of a step with parts

bool ut_recorder_report(utRecorder* recorder, uint64_t step, const utStepReport* report)
{
    Fields measure = {.mode = FIELDS_MEASURE, .model = recorder->model};
    visit_parts(&measure, report);
    const uint64_t whole = report->parts > 0 ? WHOLE_SIZE : 0;
    const uint64_t size = REPORT_FIXED + whole + measure.size;
    ut_recorder_begin(recorder, KIND_REPORT, size + ut_recorder_padding(size));
    ut_recorder_put_u64(recorder, step);
    ut_recorder_put_u64(recorder, (uint64_t)report->parts);
    if (report->parts > 0) {
        ut_recorder_put_double(recorder, report->time);
        ut_recorder_put_double(recorder, report->h);
        ut_recorder_put_double(recorder, report->energy);
    }
    Fields write = {.mode = FIELDS_WRITE, .model = recorder->model, .recorder = recorder};
    visit_parts(&write, report);
    ut_recorder_pad(recorder, size);
    ut_recorder_finish(recorder);
    return !recorder->out.failed;
}

// ---- reading ------------------------------------------------------------------------------------

// The records behind a report: contacts of instants, all other contacts, transitions.
typedef struct Follower {
    utRecording recording; // after the last record that was read
    utRecordFrame frame;   // contacts; none left when `next` is their number
    int next;
    bool cut;
} Follower;

// The next recorded contact of the step. @return NULL when there is none
static const utRecordedContact* next_contact(Follower* f, uint64_t step, utError* err)
{
    while (f->frame.kind == UT_RECORD_CONTACTS && f->next < f->frame.contacts) {
        return &f->frame.contact[f->next++];
    }
    utRecordFrame frame;
    utRecording ahead = f->recording;
    if (ut_recording_next(&ahead, &frame, err) != UT_OK) {
        return NULL;
    }
    f->cut = frame.kind == UT_RECORD_CUT;
    if (frame.kind != UT_RECORD_CONTACTS || frame.step != step || frame.contacts == 0) {
        return NULL;
    }
    f->recording = ahead;
    f->frame = frame;
    f->next = 1;
    return &frame.contact[0];
}

static void fill_contact(const utRecordedContact* from, utContact* c)
{
    c->geom1 = from->geom1;
    c->geom2 = from->geom2;
    c->feature = from->feature;
    c->point = from->point;
    memcpy(c->frame, from->frame, sizeof c->frame);
    c->gap = from->gap;
    c->mu = from->mu;
    memcpy(c->b, from->b, sizeof c->b);
    memcpy(c->r, from->r, sizeof c->r);
    memcpy(c->u, from->u, sizeof c->u);
    c->e = from->e;
    c->state = (utContactState)from->state;
}

// Contacts of instants come first in the file, as in tables.
static utStatus fill_contacts(Follower* f, uint64_t step, int parts, utStepReport* part, bool* cut,
                              utError* err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < parts; k++) {
            utContact* list =
                (utContact*)(uintptr_t)part[k].contact; // made by the reader of fields
            const bool instant = parts > 1 && part[k].instant;
            for (int i = 0; i < part[k].contacts && instant == (pass == 0); i++) {
                utError unused;
                const utRecordedContact* c = next_contact(f, step, &unused);
                if (c != NULL) {
                    fill_contact(c, &list[i]);
                    continue;
                }
                *cut = f->cut;
                return f->cut ? UT_OK
                              : ut_recording_damaged(&f->recording, f->recording.at, err,
                                                     "contacts of step %llu are missing",
                                                     (unsigned long long)step);
            }
        }
    }
    return UT_OK;
}

// Contacts, rows and islands of all parts, one part after the other.
static utStatus join(utArena* keep, utStepReport* whole)
{
    int contacts = 0, rows = 0, islands = 0;
    for (int k = 0; k < whole->parts; k++) {
        contacts += whole->part[k].contacts;
        rows += whole->part[k].rows;
        islands += whole->part[k].islands;
    }
    utContact* contact = UT_PUSH(keep, utContact, contacts);
    utRow* row = UT_PUSH(keep, utRow, rows);
    utIsland* island = UT_PUSH(keep, utIsland, islands);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    int c = 0, r = 0, before = 0;
    for (int k = 0; k < whole->parts; k++) {
        const utStepReport* part = &whole->part[k];
        for (int i = 0; i < part->contacts; i++) {
            contact[c] = part->contact[i];
            contact[c++].island += before;
        }
        for (int i = 0; i < part->rows; i++) {
            row[r] = part->row[i];
            row[r++].island += before;
        }
        for (int i = 0; i < part->islands; i++) {
            island[before + i] = part->island[i];
        }
        before += part->islands;
    }
    whole->contacts = contacts;
    whole->rows = rows;
    whole->islands = islands;
    whole->contact = contact;
    whole->row = row;
    whole->island = island;
    return UT_OK;
}

// The report of a step with parts: the state before the first and after the last.
static utStatus assemble(const unsigned char* numbers, int parts, const utStepReport* part,
                         utArena* keep, utStepReport* report)
{
    utStepReport whole = part[parts - 1];
    whole.time = ut_recording_double(numbers);
    whole.h = ut_recording_double(numbers + 8);
    whole.energy = ut_recording_double(numbers + 16);
    whole.instant = false;
    whole.q = part[0].q;
    whole.v = part[0].v;
    whole.act = part[0].act;
    whole.mocap_pos = part[0].mocap_pos;
    whole.mocap_quat = part[0].mocap_quat;
    whole.projection = NULL;
    whole.parts = parts;
    whole.part = part;
    UT_TRY(join(keep, &whole));
    *report = whole;
    return UT_OK;
}

static bool sizes_agree(const utRecording* r, const utModel* model)
{
    return r->nq == model->nq && r->nv == model->nv && r->nu == model->nu &&
           r->nmocap == model->nmocap && r->nbody == model->nbody && r->na == model->na &&
           r->ngeom == model->ngeom + model->nsite;
}

// Transitions follow the contacts; a step without transitions has no such record.
static void read_transitions(Follower* f, uint64_t step, utStepReport* report)
{
    utRecordFrame frame;
    utError unused;
    if (ut_recording_next(&f->recording, &frame, &unused) == UT_OK &&
        frame.kind == UT_RECORD_TRANSITIONS && frame.step == step) {
        report->transitions = frame.transitions;
        report->transition = frame.transition;
    }
}

utStatus ut_recording_report(const utRecording* recording, const utRecordFrame* frame,
                             const utModel* model, utArena* keep, utStepReport* report, bool* cut,
                             utError* err)
{
    if (frame->kind != UT_RECORD_REPORT || !sizes_agree(recording, model)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the model is not that of the recording");
    }
    const unsigned char* at = recording->bytes + frame->offset + RECORD_HEAD;
    const size_t size = (size_t)ut_recording_u64(at - 8);
    const uint64_t parts = ut_recording_u64(at + 8);
    const size_t fixed = REPORT_FIXED + (parts > 0 ? (size_t)WHOLE_SIZE : 0);
    enum { PART_BYTES = 200 }; // no part has fewer
    if (size < fixed || parts > (size - fixed) / PART_BYTES) {
        return ut_recording_damaged(recording, frame->offset, err, "the report does not fit");
    }
    const int count = parts > 0 ? (int)parts : 1;
    utStepReport* part = UT_PUSH(keep, utStepReport, count);
    if (part == NULL) {
        return UT_ERR_CAPACITY;
    }
    Fields fields = {.mode = FIELDS_READ, .model = model, .keep = keep};
    fields.at = at + fixed;
    fields.left = size - fixed;
    for (int k = 0; k < count; k++) {
        part[k] = (utStepReport){0};
        ut_report_fields(&fields, &part[k]);
    }
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    if (fields.damaged || fields.left >= 8) {
        return ut_recording_damaged(recording, frame->offset, err,
                                    "this report has fields that do not fit into it");
    }
    Follower follower = {.recording = *recording};
    follower.recording.at = frame->offset + RECORD_HEAD + size + RECORD_TAIL;
    *cut = false;
    UT_TRY(fill_contacts(&follower, frame->step, count, part, cut, err));
    *report = part[0];
    if (parts > 0) {
        UT_TRY(assemble(at + REPORT_FIXED, count, part, keep, report));
    }
    if (!*cut) {
        read_transitions(&follower, frame->step, report);
    }
    return UT_OK;
}
