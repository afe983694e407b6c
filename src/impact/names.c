// SPDX-License-Identifier: Apache-2.0
// Names of laws and states, texts of outcomes.
#include <uptack/impact.h>

const char* ut_impact_law_name(utImpactLaw law)
{
    switch (law) {
    case UT_IMPACT_NEWTON:
        return "newton";
    case UT_IMPACT_POISSON:
        return "poisson";
    case UT_IMPACT_STRONGE:
        return "stronge";
    case UT_IMPACT_LAW_COUNT:
        break;
    }
    return "";
}

const char* ut_impact_outcome_text(utImpactOutcome outcome)
{
    switch (outcome) {
    case UT_IMPACT_DONE:
        return "done";
    case UT_IMPACT_SEPARATING:
        return "separating: no impulse";
    case UT_IMPACT_LOCKED:
        return "locked: no impulse can stop the closing";
    case UT_IMPACT_STEPS:
        return "out of steps: the last direction of slip was kept";
    case UT_IMPACT_OUTCOME_COUNT:
        break;
    }
    return "";
}

const char* ut_impact_state_name(utImpactState state)
{
    switch (state) {
    case UT_IMPACT_SLIP:
        return "slip";
    case UT_IMPACT_TURN:
        return "turn";
    case UT_IMPACT_STICK:
        return "stick";
    case UT_IMPACT_REVERSE:
        return "reverse";
    case UT_IMPACT_STATE_COUNT:
        break;
    }
    return "";
}
