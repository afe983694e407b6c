// SPDX-License-Identifier: Apache-2.0
// The properties of the report's formulation, from the table that solver and certificate share.
#include "internal.h"

bool ut_certify_formulation(const utStepReport* report, utFormulationTraits* traits,
                            utSection* section)
{
    const utFormulationTraits* found = ut_formulation_traits(report->formulation);
    if (found == NULL || (report->instant && found->acceleration)) {
        return false;
    }
    *traits = *found;
    *section = ut_section_circle();
    if (report->instant) {
        // only touching contacts act in an instant, and no gap can close in no time
        traits->gap = UT_GAP_NONE;
        traits->reach = UT_REACH_TOUCHING;
        traits->projects = true;
    }
    if (report->model->options.planar != UT_PLANAR_NONE) {
        *section = ut_section_segment(); // the only section in the plane
        return true;
    }
    // convex, hybrid and mirtich have the section that the report states: a circle or a polygon
    const bool any_section = traits->convex || traits->events;
    const utSectionKind kind = !any_section             ? traits->section
                               : report->directions > 0 ? UT_SECTION_INSCRIBED
                                                        : UT_SECTION_CIRCLE;
    return kind == UT_SECTION_CIRCLE ||
           ut_section_polygon(kind, report->directions, 0.0, section, NULL) == UT_OK;
}
