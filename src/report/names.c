// SPDX-License-Identifier: Apache-2.0
// Names of the enums of report.h.
#include <uptack/report.h>

const char* ut_contact_state_name(utContactState state)
{
    static const char* const names[UT_CONTACT_STATE_COUNT] = {
        [UT_CONTACT_OPEN] = "open",
        [UT_CONTACT_STICK] = "stick",
        [UT_CONTACT_SLIP] = "slip",
        [UT_CONTACT_IMPACT] = "impact",
    };
    return (unsigned)state < UT_CONTACT_STATE_COUNT ? names[state] : "unknown";
}

const char* ut_row_kind_name(utRowKind kind)
{
    static const char* const names[UT_ROW_KIND_COUNT] = {
        [UT_ROW_LOWER] = "lower",
        [UT_ROW_UPPER] = "upper",
        [UT_ROW_BALL] = "ball",
        [UT_ROW_FRICTION] = "friction",
        [UT_ROW_ACTUATOR] = "actuator",
        [UT_ROW_EQUALITY] = "equality",
        [UT_ROW_JOINT] = "joint",
        [UT_ROW_SPRING] = "spring",
        [UT_ROW_TENDON_LOWER] = "tendon lower",
        [UT_ROW_TENDON_UPPER] = "tendon upper",
        [UT_ROW_TENDON_FRICTION] = "tendon friction",
        [UT_ROW_TENDON_SPRING] = "tendon spring",
        [UT_ROW_COUPLING] = "coupling",
    };
    return (unsigned)kind < UT_ROW_KIND_COUNT ? names[kind] : "unknown";
}

const char* ut_bounce_name(utBounce bounce)
{
    static const char* const names[UT_BOUNCE_COUNT] = {
        [UT_BOUNCE_NONE] = "none",
        [UT_BOUNCE_MOREAU] = "moreau",
        [UT_BOUNCE_POISSON] = "poisson",
        [UT_BOUNCE_FOLLOWED] = "followed",
    };
    return (unsigned)bounce < UT_BOUNCE_COUNT ? names[bounce] : "unknown";
}

const char* ut_contact_mode_name(utContactMode mode)
{
    static const char* const names[UT_MODE_COUNT] = {
        [UT_MODE_OPEN] = "open",
        [UT_MODE_BOUNCING] = "bouncing",
        [UT_MODE_STEADY] = "steady",
    };
    return (unsigned)mode < UT_MODE_COUNT ? names[mode] : "unknown";
}

const char* ut_island_outcome_name(utIslandOutcome outcome)
{
    static const char* const names[UT_ISLAND_OUTCOME_COUNT] = {
        [UT_ISLAND_SOLVED] = "solved",   [UT_ISLAND_ITERATIONS] = "iterations",
        [UT_ISLAND_CONVEX] = "convex",   [UT_ISLAND_NONE] = "none",
        [UT_ISLAND_RAY] = "ray",         [UT_ISLAND_INEXACT] = "inexact",
        [UT_ISLAND_THROUGH] = "through", [UT_ISLAND_OVERLAP] = "overlap",
        [UT_ISLAND_IMPACTS] = "impacts", [UT_ISLAND_SWEPT] = "swept",
    };
    return (unsigned)outcome < UT_ISLAND_OUTCOME_COUNT ? names[outcome] : "unknown";
}
