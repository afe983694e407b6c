// How far contacts and rows are from their laws.
#include "internal.h"

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

static void weigh_contact(const Judge* judge, int i, utCertificate* certificate)
{
    const utContact* c = &judge->report->contact[i];
    const double* u = judge->u + 3 * (size_t)i;
    const Item item = find_item(judge, i);
    const utLaw law = {&judge->formulation.section, c->mu, judge->formulation.convex};
    double e;
    const bool sticks = ut_certify_sticks(judge, i, item.m, &e);
    take_error(&item, sticks ? contact_error(&law, &item, c->r, u) : e, certificate);
    if (sticks || !(c->r[0] >= 0.0)) {
        certificate->cone = larger(certificate->cone, ut_law_violation(&law, item.m, item.V, c->r));
    }

    const utSection section = contact_rows(judge) == 2 ? ut_section_segment() : ut_section_circle();
    const utLaw round = {&section, c->mu, false};
    if (sticks && (judge->formulation.section.kind != section.kind || judge->formulation.convex)) {
        certificate->model_gap =
            larger(certificate->model_gap, contact_error(&round, &item, c->r, u) / item.V);
    }

    for (int k = 0; k < 3; k++) {
        const double off = larger(fabs(c->u[k] - u[k]), fabs(c->b[k] - judge->b[3 * i + k]));
        certificate->told = larger(certificate->told, off / item.V);
    }
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
    take_error(&item, share * e, certificate);
    if (row->kind == UT_ROW_EQUALITY) {
        certificate->bilateral = larger(certificate->bilateral, fabs(u) / item.V);
    }

    const double beyond = fmax(row->low - row->r, row->r - row->high);
    if (beyond > 0.0) {
        certificate->cone = larger(certificate->cone, beyond / (item.m * item.V));
    }
    const double off = larger(fabs(row->u - u), fabs(row->b - judge->b[3 * contacts + j]));
    certificate->told = larger(certificate->told, share * off / item.V);
}

void ut_certify_law(const Judge* judge, utCertificate* certificate)
{
    for (int i = 0; i < judge->report->contacts; i++) {
        weigh_contact(judge, i, certificate);
    }
    for (int j = 0; j < judge->report->rows; j++) {
        weigh_row(judge, j, certificate);
    }
}
