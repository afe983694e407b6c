// SPDX-License-Identifier: Apache-2.0
// How far contacts and rows are from their laws.
#include "certificate/internal.h"

static const double IMMOVABLE = 1e-14; // of the island's largest trace: nothing can move it

// What one contact or row is judged with.
typedef struct Item {
    int index; // contacts first, then rows
    double m;  // effective mass, kg
    double V;  // of its island, m/s
    bool moves;
} Item;

// What cannot be moved takes the least mass of its island where it needs one.
static Item find_item(const Judge* judge, int index)
{
    const bool contact = index < judge->report->contacts;
    const int island = island_of(judge, index);
    const double most = judge->trace_most[2 * island + (contact ? 0 : 1)];
    const double trace = judge->trace[index];
    const double rows = contact ? (double)contact_rows(judge) : 1.0;
    const bool moves = trace > IMMOVABLE * most;
    return (Item){.index = index,
                  .m = moves        ? rows / trace
                       : most > 0.0 ? rows / most
                                    : 1.0,
                  .V = judge->V[island],
                  .moves = moves};
}

static void take_error(const Item* item, double e, utCertificate* certificate)
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
    return item->moves ? ut_law_error(law, item->m, r, u) : ut_law_error_degenerate(law, u);
}

static utSection round_section(const Judge* judge)
{
    return contact_rows(judge) == 2 ? ut_section_segment() : ut_section_circle();
}

// u and b that are reported, and the speed before an impact. Islands that are followed or solved
// twice may have their rebounds in b_n, as what they aim at, or not.
static void weigh_told(const Judge* judge, int i, const Item* item, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->u + 3 * (size_t)i;
    const double* b = judge->b + 3 * (size_t)i;
    const bool aims = bounce_of(judge, i) > UT_BOUNCE_MOREAU &&
                      fabs(c->b[0] + c->rebound - b[0]) < fabs(c->b[0] - b[0]);
    for (int k = 0; k < 3; k++) {
        const double less = aims && k == 0 ? c->rebound : 0.0;
        const double off = larger(fabs(c->u[k] + less - u[k]), fabs(c->b[k] + less - b[k]));
        certificate->reported = larger(certificate->reported, off / item->V);
    }
    const bool needed = c->rebound > 0.0 || bounce_of(judge, i) == UT_BOUNCE_FOLLOWED;
    if (needed || c->u_n_before != 0.0) {
        const double off = fabs(c->u_n_before - judge->before[3 * i]);
        certificate->reported = larger(certificate->reported, off / item->V);
    }
}

// A contact of an island with restitution, by what its law says.
static void weigh_impact(const Judge* judge, int i, const Item* item, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const Verdict verdict = ut_certify_verdict(judge, i);
    const utSection round = round_section(judge);
    const utLaw law = {verdict.round ? &round : &judge->formulation.section, c->mu,
                       judge->formulation.convex};
    const utLaw circle = {&round, c->mu, false};
    for (int k = 0; k < verdict.laws; k++) {
        const double gap = contact_error(&circle, item, verdict.r[k], verdict.u[k]) / item->V;
        take_error(item, contact_error(&law, item, verdict.r[k], verdict.u[k]), certificate);
        if (law.section->kind != round.kind || law.convex) {
            certificate->model_gap = larger(certificate->model_gap, gap);
        }
    }
    const double* impulses[2] = {c->r, c->compression};
    for (int k = 0; k < 2; k++) {
        const double excess = ut_law_violation(&law, item->m, item->V, impulses[k]);
        certificate->cone = larger(certificate->cone, excess);
    }
    certificate->impact = larger(certificate->impact, verdict.off / item->V);
    weigh_told(judge, i, item, certificate);
}

static void weigh_contact(const Judge* judge, int i, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->u + 3 * (size_t)i;
    const Item item = find_item(judge, i);
    const utLaw law = {&judge->formulation.section, c->mu, judge->formulation.convex};
    // with all of its restitution, what is on accelerations is judged as ever
    const bool ever = judge->formulation.acceleration && contact_island(judge, i) != NULL &&
                      contact_island(judge, i)->restitution_scale == 1.0;
    if (bounce_of(judge, i) != UT_BOUNCE_NONE && !ever) {
        weigh_impact(judge, i, &item, certificate);
        return;
    }
    double e;
    const bool sticks = ut_certify_sticks(judge, i, item.m, &e);
    take_error(&item, sticks ? contact_error(&law, &item, c->r, u) : e, certificate);
    if (sticks || !(c->r[0] >= 0.0)) {
        certificate->cone = larger(certificate->cone, ut_law_violation(&law, item.m, item.V, c->r));
    }

    const utSection section = round_section(judge);
    const utLaw round = {&section, c->mu, false};
    if (sticks && (judge->formulation.section.kind != section.kind || judge->formulation.convex)) {
        certificate->model_gap =
            larger(certificate->model_gap, contact_error(&round, &item, c->r, u) / item.V);
    }

    weigh_told(judge, i, &item, certificate);
}

// Has a row with bounds the impulses of two problems?
static bool is_mixed(const Judge* judge, const utRow* row)
{
    const bool bounded = isfinite(row->low) || isfinite(row->high);
    const bool told = judge->report->islands > 0 && row->island >= 0;
    const utIsland* island = told ? &judge->report->island[row->island] : NULL;
    return bounded && told && (island->bounce == UT_BOUNCE_POISSON || is_shared(island));
}

// r in N s of the row, u and e in m/s at the joint's reach whatever length the row was written
// with.
static void weigh_row(const Judge* judge, int j, utCertificate* certificate)
{
    const utRow* row = &judge->report->row[j];
    const int contacts = judge->report->contacts;
    const Item item = find_item(judge, contacts + j);
    const double share = row->dof >= 0 ? dof_length(judge->model, row->dof) / row->length : 1.0;
    const double u = judge->u[3 * (size_t)contacts + (size_t)j] + row->compliance * row->r;
    const double e = ut_law_row_error(item.m, row->low, row->high, row->r, u);
    if (is_mixed(judge, row)) {
        // of impulses of two problems only what both share is known
        certificate->impact = larger(certificate->impact, row->low == 0.0 ? -10.0 * u / item.V : 0);
    } else {
        take_error(&item, share * e, certificate);
    }
    if (row->kind == UT_ROW_EQUALITY) {
        certificate->bilateral = larger(certificate->bilateral, fabs(u) / item.V);
    }

    const double beyond = fmax(row->low - row->r, row->r - row->high);
    if (beyond > 0.0) {
        certificate->cone = larger(certificate->cone, beyond / (item.m * item.V));
    }
    const double off = larger(fabs(row->u - u), fabs(row->b - judge->b[3 * contacts + j]));
    certificate->reported = larger(certificate->reported, share * off / item.V);
}

void ut_certify_law(const Judge* judge, utCertificate* certificate)
{
    for (int i = 0; i < judge->report->contacts; i++) {
        weigh_contact(judge, i, certificate);
    }
    for (int j = 0; j < judge->report->rows; j++) {
        weigh_row(judge, j, certificate);
    }
    if (judge->impacts) {
        certificate->impact = larger(certificate->impact, ut_certify_guard(judge));
    }
}
