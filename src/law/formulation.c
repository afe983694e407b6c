// SPDX-License-Identifier: Apache-2.0
// The table of formulations, and names of tiers and rungs.
#include <uptack/formulation.h>

#include <string.h>

static const utFormulationTraits all[UT_FORMULATION_COUNT] = {
    [UT_FORMULATION_COULOMB] = {.name = "coulomb", .section = UT_SECTION_CIRCLE, .projects = true},
    [UT_FORMULATION_STEWART_TRINKLE] = {.name = "stewart-trinkle",
                                        .section = UT_SECTION_INSCRIBED,
                                        .gap = UT_GAP_SIGNED,
                                        .explicit_forces = true},
    [UT_FORMULATION_STEWART_TRINKLE_VELOCITY] = {.name = "stewart-trinkle-velocity",
                                                 .section = UT_SECTION_INSCRIBED,
                                                 .gap = UT_GAP_NONE,
                                                 .reach = UT_REACH_TOUCHING,
                                                 .explicit_forces = true},
    [UT_FORMULATION_ANITESCU_POTRA] = {.name = "anitescu-potra",
                                       .section = UT_SECTION_INSCRIBED,
                                       .gap = UT_GAP_NONE,
                                       .reach = UT_REACH_MARGIN,
                                       .explicit_forces = true},
    [UT_FORMULATION_PEIRET] = {.name = "peiret",
                               .section = UT_SECTION_CIRCUMSCRIBED,
                               .gap = UT_GAP_SIGNED,
                               .explicit_forces = true},
    [UT_FORMULATION_PEIRET_ACCELERATION] = {.name = "peiret-acceleration",
                                            .section = UT_SECTION_CIRCUMSCRIBED,
                                            .gap = UT_GAP_NONE,
                                            .reach = UT_REACH_TOUCHING,
                                            .explicit_forces = true,
                                            .acceleration = true},
    [UT_FORMULATION_CONVEX] = {.name = "convex",
                               .section = UT_SECTION_CIRCLE,
                               .convex = true,
                               .projects = true},
    [UT_FORMULATION_MIRTICH] = {.name = "mirtich",
                                .section = UT_SECTION_INSCRIBED,
                                .projects = true,
                                .events = true,
                                .collisions_only = true},
    [UT_FORMULATION_HYBRID] = {.name = "hybrid",
                               .section = UT_SECTION_INSCRIBED,
                               .projects = true,
                               .events = true},
};

const utFormulationTraits* ut_formulation_traits(utFormulation formulation)
{
    return (unsigned)formulation < UT_FORMULATION_COUNT ? &all[formulation] : NULL;
}

const char* ut_formulation_name(utFormulation formulation)
{
    return (unsigned)formulation < UT_FORMULATION_COUNT ? all[formulation].name : "unknown";
}

bool ut_formulation_find(const char* name, utFormulation* formulation)
{
    for (int k = 0; k < UT_FORMULATION_COUNT; k++) {
        if (strcmp(name, all[k].name) == 0) {
            *formulation = (utFormulation)k;
            return true;
        }
    }
    return false;
}

const char* ut_tier_name(utTier tier)
{
    static const char* const names[UT_TIER_COUNT] = {
        [UT_TIER_EXACT] = "exact", [UT_TIER_BUDGET] = "budget"};
    return (unsigned)tier < UT_TIER_COUNT ? names[tier] : "unknown";
}

const char* ut_rung_name(utRung rung)
{
    static const char* const names[UT_RUNG_COUNT] = {
        [UT_RUNG_NONE] = "none",
        [UT_RUNG_WARM] = "warm",
        [UT_RUNG_WARM_POLISH] = "warm_polish",
        [UT_RUNG_LCP] = "lcp",
        [UT_RUNG_SWEEPS] = "sweeps",
        [UT_RUNG_IPM] = "ipm",
        [UT_RUNG_POLISH] = "polish",
        [UT_RUNG_PROXIMAL] = "proximal",
        [UT_RUNG_PATH] = "path",
        [UT_RUNG_NEWTON] = "newton",
        [UT_RUNG_POLYGONS] = "polygons",
        [UT_RUNG_IPM_HEAVY] = "ipm_heavy",
        [UT_RUNG_IPM_EVEN] = "ipm_even",
        [UT_RUNG_IPM_SMOOTH] = "ipm_smooth",
        [UT_RUNG_IPM_LAGGED] = "ipm_lagged",
        [UT_RUNG_NSGS] = "nsgs",
        [UT_RUNG_PROXIMAL_LONG] = "proximal_long",
        [UT_RUNG_CONVEX] = "convex",
        [UT_RUNG_IMPACT] = "impact",
        [UT_RUNG_BUDGET] = "budget",
    };
    return (unsigned)rung < UT_RUNG_COUNT ? names[rung] : "unknown";
}
