// SPDX-License-Identifier: Apache-2.0
// What a comparison counts after each step: errors, verdicts, differences.
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <uptack/law.h>

// The larger number. NaN counts as larger than any number, so that a maximum does not hide it.
static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

// ---- contacts -----------------------------------------------------------------------------------

static int compare_features(const CompareContact* a, const CompareContact* b)
{
    const int order[] = {(a->geom1 > b->geom1) - (a->geom1 < b->geom1),
                         (a->geom2 > b->geom2) - (a->geom2 < b->geom2),
                         (a->feature > b->feature) - (a->feature < b->feature)};
    return order[0] != 0 ? order[0] : order[1] != 0 ? order[1] : order[2];
}

static int compare_entries(const void* a, const void* b)
{
    const CompareContact* x = a;
    const CompareContact* y = b;
    const int order = compare_features(x, y);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

// A step with parts has a contact once per part; the last one counts.
static int keep_last(CompareContact* at, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (k + 1 == count || compare_features(&at[k], &at[k + 1]) != 0) {
            at[kept++] = at[k];
        }
    }
    return kept;
}

static bool take_contacts(const utStepReport* report, CompareContacts* contacts)
{
    if (report->contacts > contacts->room) {
        const int room = 2 * report->contacts;
        CompareContact* larger_room = realloc(contacts->at, (size_t)room * sizeof *larger_room);
        if (larger_room == NULL) {
            return false;
        }
        contacts->at = larger_room;
        contacts->room = room;
    }
    for (int k = 0; k < report->contacts; k++) {
        const utContact* from = &report->contact[k];
        CompareContact* to = &contacts->at[k];
        *to = (CompareContact){from->geom1,
                               from->geom2,
                               from->feature,
                               k,
                               from->state,
                               from->mu,
                               {from->r[0], from->r[1], from->r[2]},
                               {from->u[0], from->u[1], from->u[2]}};
    }
    if (report->contacts > 0) {
        qsort(contacts->at, (size_t)report->contacts, sizeof *contacts->at, compare_entries);
    }
    contacts->count = keep_last(contacts->at, report->contacts);
    contacts->directions = report->directions;
    return true;
}

// Count contacts with another state. A contact that only one of both has is open in the other.
static long long count_different(const CompareContacts* a, const CompareContacts* b)
{
    long long different = 0;
    int i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const int order = i == a->count   ? 1
                          : j == b->count ? -1
                                          : compare_features(&a->at[i], &b->at[j]);
        const utContactState one = order <= 0 ? a->at[i].state : UT_CONTACT_OPEN;
        const utContactState two = order >= 0 ? b->at[j].state : UT_CONTACT_OPEN;
        different += one != two;
        i += order <= 0;
        j += order >= 0;
    }
    return different;
}

// ---- counting -----------------------------------------------------------------------------------

bool compare_count(CompareCase* item, const utStepResult* result, double wall)
{
    const utStepReport* report = &result->report;
    const utCertificate* certificate = &result->certificate;
    item->steps++;
    item->wall += wall;
    item->flagged += result->outcome == UT_STEP_FLAGGED;
    item->unsolved += result->outcome == UT_STEP_UNCERTIFIED;
    item->max_E = larger(item->max_E, certificate->E);
    item->sum_E += certificate->E;
    item->factorizations += result->iterations;
    item->integrator = report->integrator;
    if (!(certificate->model_gap <= item->max_model_gap)) {
        item->max_model_gap = certificate->model_gap;
        item->model_gap_step = item->steps;
    }
    if (report->contacts > item->max_contacts) {
        item->max_contacts = report->contacts;
    }
    ut_energy_ledger_add(&item->ledger, result);
    if (!take_contacts(report, &item->contacts)) {
        return false;
    }
    for (int k = 0; k < item->contacts.count; k++) {
        item->verdicts.count[item->contacts.at[k].state]++;
    }
    return true;
}

// ---- differences --------------------------------------------------------------------------------

// The angle of the rotation between two orientations.
static double angle_between(utQuat a, utQuat b)
{
    const utQuat d = ut_quat_mul(ut_quat_conjugate(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static void differ(const utBodyState* a, const utBodyState* b, double apart, long long step,
                   CompareDifference* d)
{
    const double position = ut_vec3_norm(ut_vec3_sub(a->com, b->com));
    const double velocity = ut_vec3_norm(ut_vec3_sub(a->velocity, b->velocity));
    d->position = larger(d->position, position);
    d->velocity = larger(d->velocity, velocity);
    d->position_squares += position * position;
    d->velocity_squares += velocity * velocity;
    d->turn = larger(d->turn, angle_between(a->quat, b->quat));
    d->spin = larger(d->spin, ut_vec3_norm(ut_vec3_sub(a->angular, b->angular)));
    d->end = position;
    d->end_velocity = velocity;
    if (d->first_apart == 0 && !(position <= apart && velocity <= apart)) {
        d->first_apart = step;
    }
}

bool compare_difference(const Compare* c, CompareCase* item, const utBodyState* reference,
                        const CompareContacts* contacts)
{
    double position = 0.0, velocity = 0.0;
    const long long step = c->done + 1;
    item->compared++;
    for (int b = 1; b < item->loaded->model->nbody; b++) {
        differ(&item->now[b], &reference[b], c->options->apart, step, &item->body[b]);
        position = larger(position, item->body[b].end);
        velocity = larger(velocity, item->body[b].end_velocity);
    }
    const long long different = contacts != NULL ? count_different(&item->contacts, contacts) : 0;
    item->verdicts.different += different;
    if (different > 0 && item->verdicts.first_different == 0) {
        item->verdicts.first_different = step;
    }
    if (c->options->out == NULL) {
        return true;
    }
    return plot_numbers_add(&item->time, c->begin + (double)step * c->dt) &&
           plot_numbers_add(&item->position, position) &&
           plot_numbers_add(&item->velocity, velocity);
}

CompareDifference compare_largest(const CompareCase* item)
{
    CompareDifference most = {0};
    for (int b = 1; b < item->loaded->model->nbody; b++) {
        const CompareDifference* d = &item->body[b];
        most.position = larger(most.position, d->position);
        most.velocity = larger(most.velocity, d->velocity);
        most.position_squares = larger(most.position_squares, d->position_squares);
        most.velocity_squares = larger(most.velocity_squares, d->velocity_squares);
        most.turn = larger(most.turn, d->turn);
        most.spin = larger(most.spin, d->spin);
        most.end = larger(most.end, d->end);
        most.end_velocity = larger(most.end_velocity, d->end_velocity);
        if (d->first_apart > 0 && (most.first_apart == 0 || d->first_apart < most.first_apart)) {
            most.first_apart = d->first_apart;
        }
    }
    return most;
}

double compare_rms(const CompareCase* item, double squares)
{
    return item->compared > 0 ? sqrt(squares / (double)item->compared) : 0.0;
}

double compare_lambda(const CompareCase* item, const CompareContact* contact)
{
    utSection section = ut_section_circle();
    const utSectionKind kind = ut_formulation_traits(item->formulation)->section;
    if (item->contacts.directions >= 4) {
        (void)ut_section_polygon(kind, item->contacts.directions, 0.0, &section, NULL);
    }
    const double against[] = {-contact->u[1], -contact->u[2]};
    return ut_section_support(&section, against);
}
