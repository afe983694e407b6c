// SPDX-License-Identifier: Apache-2.0
// The errors of contacts and rows under their laws: E, cone, reported, impact and model_gap.
#include "certificate/internal.h"
#include "law/circle.h"

// One contact or row.
typedef struct Item {
    int index;    // contacts first, then rows
    double m;     // effective mass, kg
    double V;     // of its island, m/s
    bool movable; // an impulse can move it
} Item;

// The rows of a contact that take part; few contacts have more than those of the point.
static int rows_of(const Judge* judge, const utContact* c)
{
    return contact_spins(c) ? ut_certify_row_count(judge, c) : contact_rows(judge);
}

// An item that no impulse can move takes the smallest effective mass of its island.
static inline Item find_item(const Judge* judge, int index)
{
    const bool contact = index < judge->report->contacts;
    const int island = island_of(judge, index);
    const double largest = judge->island.largest_trace[2 * island + (contact ? 0 : 1)];
    const double trace = judge->item.trace[index];
    const double rows = contact ? (double)rows_of(judge, &judge->report->contact[index]) : 1.0;
    const bool movable = trace > IMMOVABLE_TRACE * largest;
    return (Item){.index = index,
                  .m = movable         ? rows / trace
                       : largest > 0.0 ? rows / largest
                                       : 1.0,
                  .V = judge->island.V[island],
                  .movable = movable};
}

// Raise E to the error of an item.
static void raise_E(const Item* item, double e, utCertificate* certificate)
{
    const double E = e / item->V;
    if (certificate->contact < 0 || !(E <= certificate->E)) {
        certificate->E = E;
        certificate->e = e;
        certificate->contact = item->index;
        certificate->V = item->V;
    }
}

static double contact_error(const utLaw* law, const Item* item, const double* r, const double* u)
{
    if (item->movable && law_is_circle(law) && item->m > 0.0 && item->m <= DBL_MAX) {
        const double quick = circle_error(law, item->m, r, u);
        if (!isnan(quick)) {
            return quick;
        }
    }
    return item->movable ? ut_law_error(law, item->m, r, u) : ut_law_error_degenerate(law, u);
}

// Raise cone to the excess of an impulse; most impulses have none.
static void raise_cone(const utLaw* law, const Item* item, const double* r, utCertificate* c)
{
    const bool within = law_is_circle(law) && r[0] >= 0.0 && r[0] <= DBL_MAX &&
                        circle_length2(r + 1) <= law->mu * r[0] && item->m > 0.0 &&
                        item->m <= DBL_MAX && item->V <= DBL_MAX;
    if (!within) {
        c->cone = ut_larger(c->cone, ut_law_violation(law, item->m, item->V, r));
    }
}

static utSection circular_section(const Judge* judge)
{
    return contact_rows(judge) == 2 ? ut_section_segment() : ut_section_circle();
}

// The error of the reported angular velocities, m/s.
static double spin_error(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const double length = ut_certify_length(judge, c);
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        if (has_axis(c, k)) {
            worst = ut_larger(worst, fabs(length * c->spin[k] - judge->item.turn[3 * i + k]));
            worst = ut_larger(worst, fabs(length * c->spin_b[k] - judge->item.turn_b[3 * i + k]));
        }
    }
    return worst;
}

// Compare the reported u, b and u_n before an impact with the recomputed ones. Contacts of Poisson
// and followed islands may or may not include the rebound in b_n.
static void check_reported(const Judge* judge, int i, const Item* item, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->item.u + 3 * (size_t)i;
    const double* b = judge->item.b + 3 * (size_t)i;
    const bool includes_rebound = bounce_of(judge, i) > UT_BOUNCE_MOREAU &&
                                  fabs(c->b[0] + c->rebound - b[0]) < fabs(c->b[0] - b[0]);
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        const double rebound = includes_rebound && k == 0 ? c->rebound : 0.0;
        const double error =
            ut_larger(fabs(c->u[k] + rebound - u[k]), fabs(c->b[k] + rebound - b[k]));
        worst = ut_larger(worst, error);
    }
    if (contact_spins(c)) {
        worst = ut_larger(worst, spin_error(judge, i));
    }
    const bool needed = c->rebound > 0.0 || bounce_of(judge, i) == UT_BOUNCE_FOLLOWED;
    if (needed || c->u_n_before != 0.0) {
        worst = ut_larger(worst, fabs(c->u_n_before - judge->item.u_before[3 * i]));
    }
    certificate->reported = ut_larger(certificate->reported, worst / item->V);
}

// A contact of an island with restitution.
static void check_impact(const Judge* judge, int i, const Item* item, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const ImpactCheck check = ut_certify_impact(judge, i);
    const utSection circular = circular_section(judge);
    const utLaw law = ut_certify_law_of(judge, c, check.circular ? &circular : judge->section,
                                        judge->traits.convex);
    const utLaw circular_law = ut_certify_law_of(judge, c, &circular, false);
    for (int k = 0; k < check.laws; k++) {
        const ContactRows* rows = &check.rows[k];
        const double gap = contact_error(&circular_law, item, rows->r, rows->u) / item->V;
        raise_E(item, contact_error(&law, item, rows->r, rows->u), certificate);
        if (law.section->kind != circular_law.section->kind || law.convex) {
            certificate->model_gap = ut_larger(certificate->model_gap, gap);
        }
    }
    const double* u = judge->item.u + 3 * (size_t)i;
    const double* turn = judge->item.turn + 3 * (size_t)i;
    const ContactRows impulses[2] = {
        ut_certify_rows(judge, c, c->r, c->torque, u, turn),
        ut_certify_rows(judge, c, c->compression, c->compression_torque, u, turn)};
    for (int k = 0; k < 2; k++) {
        const double excess = ut_law_violation(&law, item->m, item->V, impulses[k].r);
        certificate->cone = ut_larger(certificate->cone, excess);
    }
    certificate->impact = ut_larger(certificate->impact, check.error / item->V);
    check_reported(judge, i, item, certificate);
}

// The largest error of the reported u and b, m/s.
static double reported_error(const utContact* c, const double* u, const double* b)
{
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        worst = ut_larger(worst, ut_larger(fabs(c->u[k] - u[k]), fabs(c->b[k] - b[k])));
    }
    return worst;
}

// Do all contacts have the law of the formulation alone: no impacts, no polygons, no accelerations and no
// torsional or rolling friction?
static bool are_plain(const Judge* judge)
{
    return !judge->impact.present && !judge->spins && !judge->traits.acceleration &&
           !judge->traits.convex && judge->section->edges == 0;
}

// check_contact of a contact that is plain.
static void check_plain_contact(const Judge* judge, int i, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->item.u + 3 * (size_t)i;
    const Item item = find_item(judge, i);
    const utLaw law = {.section = judge->section, .mu = c->mu};
    raise_E(&item, contact_error(&law, &item, c->r, u), certificate);
    raise_cone(&law, &item, c->r, certificate);
    const double error = reported_error(c, u, judge->item.b + 3 * (size_t)i);
    certificate->reported = ut_larger(certificate->reported, error / item.V);
}

static void check_contact(const Judge* judge, int i, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->item.u + 3 * (size_t)i;
    const Item item = find_item(judge, i);
    const utLaw law = ut_certify_law_of(judge, c, judge->section, judge->traits.convex);
    const double* r = c->r;
    ContactRows rows;
    if (contact_spins(c)) {
        rows = ut_certify_rows(judge, c, c->r, c->torque, u, judge->item.turn + 3 * (size_t)i);
        r = rows.r;
        u = rows.u;
    }
    // with its full restitution an acceleration step has the same law as without impacts
    const bool full_restitution = judge->traits.acceleration && contact_island(judge, i) != NULL &&
                                  contact_island(judge, i)->restitution_scale == 1.0;
    if (bounce_of(judge, i) != UT_BOUNCE_NONE && !full_restitution) {
        check_impact(judge, i, &item, certificate);
        return;
    }
    double e;
    const bool has_cone = ut_certify_has_cone_law(judge, i, item.m, &e);
    raise_E(&item, has_cone ? contact_error(&law, &item, r, u) : e, certificate);
    if (has_cone || !(c->r[0] >= 0.0)) {
        raise_cone(&law, &item, r, certificate);
    }

    if (has_cone && (judge->section->edges > 0 || judge->traits.convex)) {
        const utSection circular = circular_section(judge);
        const utLaw circular_law = ut_certify_law_of(judge, c, &circular, false);
        certificate->model_gap =
            ut_larger(certificate->model_gap, contact_error(&circular_law, &item, r, u) / item.V);
    }

    check_reported(judge, i, &item, certificate);
}

// Is the impulse of a row with bounds the sum of two solutions?
static bool has_two_solutions(const Judge* judge, const utRow* row)
{
    const bool bounded = isfinite(row->low) || isfinite(row->high);
    const bool has_island = judge->report->islands > 0 && row->island >= 0;
    const utIsland* island = has_island ? &judge->report->island[row->island] : NULL;
    return bounded && has_island && (island->bounce == UT_BOUNCE_POISSON || is_scaled(island));
}

// May the row of an equality have its compliance? Only where an equality remains open after the
// projection, and little beside the mobility of the equality's rows, which follow each other.
static bool is_loose(const Judge* judge, int j)
{
    const utStepReport* report = judge->report;
    double mobility = 0.0;
    bool open = false;
    for (int k = 0; k < report->rows; k++) {
        const utRow* row = &report->row[k];
        if (row->kind != UT_ROW_EQUALITY) {
            continue;
        }
        open = open || fabs(row->gap) > LOOSE_GAP;
        if (row->equality == report->row[j].equality) {
            mobility = fmax(mobility, judge->item.trace[report->contacts + k] - row->compliance);
        }
    }
    return judge->traits.projects && open &&
           report->row[j].compliance <= LOOSE_COMPLIANCE_LIMIT * mobility;
}

// u and e are scaled to m/s at the joint's reach, because the report may use another length.
static void check_row(const Judge* judge, int j, utCertificate* certificate)
{
    const utRow* row = &judge->report->row[j];
    const int contacts = judge->report->contacts;
    const Item item = find_item(judge, contacts + j);
    const double to_reach =
        row->dof >= 0 ? ut_dof_length(judge->model, row->dof) / row->length : 1.0;
    const double u = judge->item.u[3 * (size_t)contacts + (size_t)j] + row->compliance * row->r;
    const double e = ut_law_row_error(item.m, row->low, row->high, row->r, u);
    if (has_two_solutions(judge, row)) {
        // the law holds for each solution, not for the sum; only u >= 0 at a limit remains
        certificate->impact =
            ut_larger(certificate->impact, row->low == 0.0 ? -CLOSING_WEIGHT * u / item.V : 0.0);
    } else {
        raise_E(&item, to_reach * e, certificate);
    }
    if (ut_row_is_equality(row)) {
        const bool hard = row->kind != UT_ROW_EQUALITY || row->compliance == 0.0;
        const double error = hard || is_loose(judge, j) ? fabs(u) / item.V : HUGE_VAL;
        certificate->bilateral = ut_larger(certificate->bilateral, error);
    }

    const double excess = fmax(row->low - row->r, row->r - row->high);
    if (excess > 0.0) {
        certificate->cone = ut_larger(certificate->cone, excess / (item.m * item.V));
    }
    const double error =
        ut_larger(fabs(row->u - u), fabs(row->b - judge->item.b[3 * contacts + j]));
    certificate->reported = ut_larger(certificate->reported, to_reach * error / item.V);
}

void ut_certify_law(const Judge* judge, utCertificate* certificate)
{
    const bool plain = are_plain(judge);
    for (int i = 0; i < judge->report->contacts; i++) {
        if (plain) {
            check_plain_contact(judge, i, certificate);
        } else {
            check_contact(judge, i, certificate);
        }
    }
    for (int j = 0; j < judge->report->rows; j++) {
        check_row(judge, j, certificate);
    }
    if (judge->impact.present) {
        certificate->impact = ut_larger(certificate->impact, ut_certify_restitution_gain(judge));
    }
}
