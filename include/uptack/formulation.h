// SPDX-License-Identifier: Apache-2.0
/// @file formulation.h
/// The contact formulations, each with its properties, and the rungs of the ladder that solves
/// them: the vocabulary that models, solvers, reports and certificates share.
///
/// All functions are pure and may be called from several threads at once.
#ifndef UPTACK_FORMULATION_H
#define UPTACK_FORMULATION_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- formulations -------------------------------------------------------------------------------

typedef enum utFormulation {
    UT_FORMULATION_COULOMB, ///< the exact circular cone; the default
    UT_FORMULATION_STEWART_TRINKLE,
    UT_FORMULATION_STEWART_TRINKLE_VELOCITY, ///< without the gap term, as in the DART note
    UT_FORMULATION_ANITESCU_POTRA,
    UT_FORMULATION_PEIRET,              ///< phantom inertia, on velocities
    UT_FORMULATION_PEIRET_ACCELERATION, ///< the same on accelerations
    UT_FORMULATION_CONVEX,              ///< without the shift: contacts that slip open, too
    UT_FORMULATION_MIRTICH,             ///< collisions only
    UT_FORMULATION_HYBRID,              ///< contacts bounce or are steady
    UT_FORMULATION_COUNT
} utFormulation;

/// The shape of the friction section.
typedef enum utSectionKind {
    UT_SECTION_SEGMENT,       ///< [-1, 1]: every section in the plane
    UT_SECTION_CIRCLE,        ///< the unit circle: Coulomb's law in space
    UT_SECTION_INSCRIBED,     ///< regular polygon, its vertices d_j on the unit circle
    UT_SECTION_CIRCUMSCRIBED, ///< regular polygon, its edges e_j.x = 1 tangent to the unit circle
    UT_SECTION_PRODUCT, ///< circle x segment (torsional friction), or x circle besides (rolling)
    UT_SECTION_KIND_COUNT
} utSectionKind;

/// How the gap enters the normal row u_n = J_n v + b_n.
typedef enum utGapTerm {
    UT_GAP_POSITIVE, ///< b_n = max(gap, 0) / h
    UT_GAP_SIGNED,   ///< b_n = gap / h, so that an overlap is undone within the step
    UT_GAP_NONE,     ///< b_n has no gap
} utGapTerm;

/// Which contacts belong to the active set.
typedef enum utContactReach {
    UT_REACH_SPECULATIVE, ///< all that can close within the step
    UT_REACH_TOUCHING,    ///< gap <= 0
    UT_REACH_MARGIN,      ///< gap <= the margins of both geoms
} utContactReach;

/// The properties of a formulation, the same for the step that solves it and the certificate that
/// judges it.
typedef struct utFormulationTraits {
    const char* name;      ///< as on the command line and in files
    utSectionKind section; ///< in space; in the plane every section is the segment
    utGapTerm gap;
    utContactReach reach;
    bool convex;   ///< the law has no shift
    bool projects; ///< a projection corrects positions, so that joint rows need no drift term
    bool explicit_forces; ///< springs, dampers and motions are evaluated at the step's start
    bool acceleration;    ///< the law holds for accelerations
    bool events;          ///< contacts bounce or are steady, and a step has parts
    bool collisions_only; ///< contacts always bounce
} utFormulationTraits;

/// @return NULL for a number that is no formulation
UT_API const utFormulationTraits* ut_formulation_traits(utFormulation formulation);

/// @return for example "stewart-trinkle"; "unknown" for a number that is no formulation
UT_API const char* ut_formulation_name(utFormulation formulation);

/// Find a formulation by its name. @return false when there is none; `formulation` is then unchanged
UT_API bool ut_formulation_find(const char* name, utFormulation* formulation);

// ---- tiers --------------------------------------------------------------------------------------

/// How much work a step may take (docs/budget.md).
typedef enum utTier {
    UT_TIER_EXACT,  ///< until the law holds within the tolerance; the default
    UT_TIER_BUDGET, ///< a fixed number of sweeps; the certificate states the error that they leave
    UT_TIER_COUNT
} utTier;

/// @return "exact" or "budget"; "unknown" for a number that is no tier
UT_API const char* ut_tier_name(utTier tier);

// ---- rungs --------------------------------------------------------------------------------------

/// The rungs of the ladder of solvers, in the order in which `auto` tries them.
typedef enum utRung {
    UT_RUNG_NONE,        ///< a solver was asked for by name, or no rung answered
    UT_RUNG_WARM,        ///< the impulses of the warm start as they are
    UT_RUNG_WARM_POLISH, ///< the warm start after a few Newton steps
    UT_RUNG_LCP,         ///< polygons: an LCP solver
    UT_RUNG_SWEEPS,      ///< large islands of free bodies: Gauss-Seidel and Newton in turn
    UT_RUNG_IPM,         ///< interior point
    UT_RUNG_POLISH,   ///< proximal Newton from there, with frozen and then with live contact states
    UT_RUNG_PROXIMAL, ///< a longer proximal Newton
    UT_RUNG_PATH,     ///< the central path, followed by its arc length
    UT_RUNG_NEWTON,   ///< local form: Newton on Alart and Curnier's function
    UT_RUNG_POLYGONS, ///< circles given by W: LCPs of ever finer polygons
    UT_RUNG_IPM_HEAVY, ///< interior point from other starts, each followed by a proximal Newton
    UT_RUNG_IPM_EVEN,
    UT_RUNG_IPM_SMOOTH,
    UT_RUNG_IPM_LAGGED,
    UT_RUNG_NSGS,          ///< Gauss-Seidel, followed by a proximal Newton
    UT_RUNG_PROXIMAL_LONG, ///< proximal Newton with the largest iteration limit, from the best answer
    UT_RUNG_CONVEX, ///< the convex form: solved only where nothing slips, or where it was asked for
    UT_RUNG_IMPACT, ///< one impact, integrated over its normal impulse (impact.h)
    UT_RUNG_BUDGET, ///< tier budget: a fixed number of sweeps
    UT_RUNG_COUNT
} utRung;

/// @return for example "ipm"; "unknown" for a number that is no rung
UT_API const char* ut_rung_name(utRung rung);

#ifdef __cplusplus
}
#endif

#endif
