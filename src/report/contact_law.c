// SPDX-License-Identifier: Apache-2.0
// The slip multiplier of a contact, and the excess of its impulse over its friction cone.
#include <uptack/law.h>
#include <uptack/report.h>

// The friction section of a step.
static utSection section_of(const utStepReport* report)
{
    utSection section = ut_section_circle();
    if (report->model->options.planar != UT_PLANAR_NONE) {
        return ut_section_segment();
    }
    const utFormulationTraits* traits = ut_formulation_traits(report->formulation);
    const bool any = traits != NULL && (traits->convex || traits->events);
    const utSectionKind kind = traits == NULL           ? UT_SECTION_CIRCLE
                               : !any                   ? traits->section
                               : report->directions > 0 ? UT_SECTION_INSCRIBED
                                                        : UT_SECTION_CIRCLE;
    if (kind != UT_SECTION_CIRCLE) {
        (void)ut_section_polygon(kind, report->directions, 0.0, &section, NULL);
    }
    return section;
}

utContactLaw ut_contact_law(const utStepReport* report, const utContact* contact)
{
    const utSection section = section_of(report);
    const double away[2] = {-contact->u[1], -contact->u[2]};
    return (utContactLaw){
        .lambda = ut_section_support(&section, away),
        .excess = ut_section_gauge(&section, &contact->r[1]) - contact->mu * contact->r[0],
    };
}
