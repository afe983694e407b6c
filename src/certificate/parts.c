// SPDX-License-Identifier: Apache-2.0
// Steps with parts: every part has its own certificate, the worst one counts for the step, and each
// part must begin where the part before ended.
#include <string.h>

#include "internal.h"

// ---- data that step and parts both state --------------------------------------------------------

static bool same_numbers(const double* a, const double* b, int count)
{
    if (a == NULL || b == NULL) {
        return (a == NULL && b == NULL) || count == 0;
    }
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_vector(utVec3 a, utVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The step numbers the islands of its parts one after the other: is this number right?
// @param before number of islands of the parts before
static bool island_continues(int in_step, int in_part, const utStepReport* of_part, int before)
{
    return of_part->islands == 0 || (in_part < 0 ? in_step < 0 : in_step == before + in_part);
}

static bool same_contact(const utContact* a, const utContact* b)
{
    bool good = a->geom1 == b->geom1 && a->geom2 == b->geom2 && a->feature == b->feature &&
                same_vector(a->point, b->point) && a->gap == b->gap && a->mu == b->mu &&
                a->e == b->e && a->state == b->state && a->restitution == b->restitution &&
                a->u_n_before == b->u_n_before && a->rebound == b->rebound &&
                a->condim == b->condim && a->torsional == b->torsional && a->rolling == b->rolling;
    for (int k = 0; k < 3; k++) {
        good = good && same_vector(a->frame[k], b->frame[k]) && a->b[k] == b->b[k] &&
               a->r[k] == b->r[k] && a->u[k] == b->u[k] && a->compression[k] == b->compression[k] &&
               a->spin_b[k] == b->spin_b[k] && a->torque[k] == b->torque[k] &&
               a->spin[k] == b->spin[k] && a->compression_torque[k] == b->compression_torque[k];
    }
    return good;
}

static bool same_row(const utRow* a, const utRow* b)
{
    bool good = a->kind == b->kind && a->joint == b->joint && a->actuator == b->actuator &&
                a->dof == b->dof && a->dofs == b->dofs && a->length == b->length &&
                a->equality == b->equality && a->component == b->component &&
                a->body1 == b->body1 && a->body2 == b->body2 && a->compliance == b->compliance &&
                same_vector(a->linear, b->linear) && same_vector(a->angular, b->angular) &&
                same_vector(a->point1, b->point1) && same_vector(a->point2, b->point2);
    good = good && a->terms == b->terms;
    for (int k = 0; good && k < b->terms; k++) {
        good = a->index[k] == b->index[k] && a->coefficient[k] == b->coefficient[k];
    }
    for (int k = 0; k < b->dofs && k < 3; k++) {
        good = good && a->direction[k] == b->direction[k];
    }
    return good && a->gap == b->gap && a->b == b->b && a->low == b->low && a->high == b->high &&
           a->r == b->r && a->u == b->u && a->e == b->e;
}

static bool same_island(const utIsland* a, const utIsland* b)
{
    return a->contacts == b->contacts && a->rows == b->rows && a->trees == b->trees &&
           a->solved == b->solved && a->fallback == b->fallback && a->bounce == b->bounce &&
           a->law == b->law && a->restitution_scale == b->restitution_scale;
}

static bool same_content(const utStepReport* step)
{
    int contacts = 0, rows = 0, islands = 0;
    bool good = true;
    for (int k = 0; k < step->parts; k++) {
        const utStepReport* part = &step->part[k];
        for (int i = 0; good && i < part->contacts; i++) {
            const utContact* c = &step->contact[contacts + i];
            good = same_contact(c, &part->contact[i]) &&
                   island_continues(c->island, part->contact[i].island, part, islands);
        }
        for (int j = 0; good && j < part->rows; j++) {
            const utRow* row = &step->row[rows + j];
            good = same_row(row, &part->row[j]) &&
                   island_continues(row->island, part->row[j].island, part, islands);
        }
        for (int i = 0; good && i < part->islands; i++) {
            good = same_island(&step->island[islands + i], &part->island[i]);
        }
        contacts += part->contacts;
        rows += part->rows;
        islands += part->islands;
    }
    return good;
}

// ---- continuity ---------------------------------------------------------------------------------

static bool same_forces(const utStepReport* a, const utStepReport* b)
{
    const utModel* model = a->model;
    const bool none = a->applied == NULL && b->applied == NULL;
    const bool same =
        none || (a->applied != NULL && b->applied != NULL &&
                 memcmp(a->applied, b->applied, (size_t)model->nbody * sizeof *a->applied) == 0);
    return same && same_numbers(a->ctrl, b->ctrl, model->nu);
}

// The input of the step acts in all of its sub-steps; forces that depend on the state are each
// part's own. A step that ends with an instant may state the input of that instant, which is none.
static bool same_world(const utStepReport* step, const utStepReport* part)
{
    const bool states_input = !step->part[step->parts - 1].instant;
    return same_vector(step->gravity, part->gravity) && step->formulation == part->formulation &&
           (part->instant || !states_input || same_forces(step, part));
}

static bool follows(const utStepReport* one, const utStepReport* two)
{
    const utModel* model = one->model;
    const double end = one->time + one->h;
    return fabs(two->time - end) <= TIME_ROUNDING * (fabs(one->time) + one->h) &&
           same_numbers(one->q_next, two->q, model->nq) &&
           same_numbers(one->v_next, two->v, model->nv) &&
           same_numbers(one->act_next, two->act, model->na) &&
           same_numbers(one->mocap_pos_next, two->mocap_pos, 3 * model->nmocap) &&
           same_numbers(one->mocap_quat_next, two->mocap_quat, 4 * model->nmocap);
}

// Does the step begin with its first part and end with its last?
static bool spans(const utStepReport* step)
{
    const utModel* model = step->model;
    const utStepReport* first = &step->part[0];
    const utStepReport* last = &step->part[step->parts - 1];
    double h = 0.0;
    for (int k = 0; k < step->parts; k++) {
        h += step->part[k].h;
    }
    const double slack = TIME_ROUNDING * (double)step->parts * (fabs(step->time) + step->h);
    return step->h > 0.0 && isfinite(step->h) && !step->instant && step->time == first->time &&
           fabs(h - step->h) <= slack && same_numbers(step->q, first->q, model->nq) &&
           same_numbers(step->v, first->v, model->nv) &&
           same_numbers(step->act, first->act, model->na) &&
           same_numbers(step->act_next, last->act_next, model->na) &&
           same_numbers(step->q_next, last->q_next, model->nq) &&
           same_numbers(step->v_next, last->v_next, model->nv) &&
           same_numbers(step->mocap_pos, first->mocap_pos, 3 * model->nmocap) &&
           same_numbers(step->mocap_quat, first->mocap_quat, 4 * model->nmocap) &&
           same_numbers(step->mocap_pos_next, last->mocap_pos_next, 3 * model->nmocap) &&
           same_numbers(step->mocap_quat_next, last->mocap_quat_next, 4 * model->nmocap);
}

// The minimum rebound of a part is at most |g| h / 2, which lifts a contact at rest for one step.
// DBL_MIN marks a collision without a rebound.
static bool minimum_rebounds_valid(const utStepReport* step)
{
    const double h = step->h + TIME_ROUNDING * (fabs(step->time) + step->h);
    const double largest = fmax(0.5 * ut_vec3_norm(step->gravity) * h, DBL_MIN);
    bool good = true;
    for (int k = 0; k < step->parts; k++) {
        good = good && step->part[k].minimum_rebound >= 0.0 &&
               step->part[k].minimum_rebound <= largest;
    }
    return good;
}

static bool parts_follow(const utStepReport* step)
{
    bool good = spans(step) && minimum_rebounds_valid(step) && same_content(step);
    for (int k = 0; good && k < step->parts; k++) {
        good = same_world(step, &step->part[k]) &&
               (k == 0 || follows(&step->part[k - 1], &step->part[k]));
    }
    return good && ut_certify_is_finite(step);
}

// Are the parts present, and do their sizes add up to those of the step?
static bool counts_agree(const utStepReport* step)
{
    int64_t contacts = 0, rows = 0, islands = 0;
    if (step->parts < 0 || step->part == NULL) {
        return false;
    }
    for (int k = 0; k < step->parts; k++) {
        const utStepReport* part = &step->part[k];
        if (part->model != step->model || part->parts != 0 || part->contacts < 0 ||
            part->rows < 0 || part->islands < 0) {
            return false;
        }
        contacts += part->contacts;
        rows += part->rows;
        islands += part->islands;
    }
    return contacts == step->contacts && rows == step->rows && islands == step->islands &&
           (contacts == 0 || step->contact != NULL) && (rows == 0 || step->row != NULL) &&
           (islands == 0 || step->island != NULL);
}

// ---- all parts ----------------------------------------------------------------------------------

// Add the certificate of part k. E is the largest one, or that of the first part that failed.
// @param contacts, rows numbers of contacts and rows of the parts before
static void add_part(const utStepReport* step, int k, int contacts, int rows,
                     const utCertificate* c, utCertificate* all)
{
    const utStepReport* part = &step->part[k];
    const bool first = all->V == 0.0;
    const bool worse = !(c->E <= all->E) || (all->contact < 0 && c->contact >= 0);
    if (all->passed && (first || worse || !c->passed)) {
        all->part = k;
        all->E = c->E;
        all->e = c->e;
        all->V = c->V;
        all->contact = c->contact < 0 ? -1
                       : c->contact < part->contacts
                           ? contacts + c->contact
                           : step->contacts + rows + (c->contact - part->contacts);
    }
    all->momentum = ut_larger(all->momentum, c->momentum);
    all->stored = ut_larger(all->stored, c->stored);
    all->bilateral = ut_larger(all->bilateral, c->bilateral);
    all->cone = ut_larger(all->cone, c->cone);
    all->position = ut_larger(all->position, c->position);
    all->geometry = ut_larger(all->geometry, c->geometry);
    all->reported = ut_larger(all->reported, c->reported);
    all->impact = ut_larger(all->impact, c->impact);
    all->model_gap = ut_larger(all->model_gap, c->model_gap);
    all->energy_gain += c->energy_gain;
    if (all->momentum_contact < 0 && c->momentum_contact >= 0) {
        all->momentum_contact = contacts + c->momentum_contact;
    }
    if (all->passed && !c->passed) {
        all->passed = false;
        all->reason = c->reason;
        all->value = c->value;
        all->limit = c->limit;
    }
}

utStatus ut_certify_parts(const utStepReport* report, double tolerance, utArena scratch,
                          utCertificate* certificate)
{
    if (!counts_agree(report)) {
        *certificate = ut_certify_failed(UT_REASON_PARTS);
        return UT_OK;
    }
    utCertificate all = {
        .passed = true, .reason = UT_REASON_NONE, .contact = -1, .momentum_contact = -1};
    int contacts = 0, rows = 0;
    for (int k = 0; k < report->parts; k++) {
        const utStepReport* part = &report->part[k];
        utCertificate c;
        UT_TRY(ut_certify_report(part, report, tolerance, NULL, scratch, &c));
        add_part(report, k, contacts, rows, &c, &all);
        contacts += part->contacts;
        rows += part->rows;
    }
    // only parts that passed can be compared
    if (all.passed && !parts_follow(report)) {
        all.passed = false;
        all.reason = UT_REASON_PARTS;
    }
    *certificate = all;
    return UT_OK;
}
