// SPDX-License-Identifier: Apache-2.0
// Properties besides the law of friction in which a case differs from the reference.
#include "compare/compare.h"

typedef struct Tell {
    void (*call)(void* context, const char* text);
    void* context;
} Tell;

static void tell_if(const Tell* tell, bool differs, const char* text)
{
    if (differs) {
        tell->call(tell->context, text);
    }
}

static const char* gap_text(utGapTerm gap)
{
    return gap == UT_GAP_POSITIVE
               ? "gap term max(gap, 0)/h: overlaps are projected away, not undone"
           : gap == UT_GAP_SIGNED ? "gap term gap/h of either sign: overlaps are undone by velocity"
                                  : "no gap term: positions are not corrected";
}

static const char* reach_text(utContactReach reach)
{
    return reach == UT_REACH_SPECULATIVE ? "contacts that can close within the step"
           : reach == UT_REACH_TOUCHING  ? "contacts with gap <= 0 only: they begin a step later"
                                         : "contacts with gap <= margin: they begin at a distance";
}

// Does the model have forces that formulations evaluate at different times?
static bool has_forces(const utModel* model)
{
    bool any = model->nspring > 0 || model->ntendon > 0 || model->nmotion > 0;
    for (int j = 0; j < model->njoint; j++) {
        any = any || model->joint[j].stiffness != 0.0 || model->joint[j].damping != 0.0;
    }
    return any;
}

static void tell_traits(const Tell* tell, const utFormulationTraits* a,
                        const utFormulationTraits* b, const utModel* model)
{
    tell_if(tell, a->gap != b->gap && !a->collisions_only, gap_text(a->gap));
    tell_if(tell, a->reach != b->reach && !a->collisions_only, reach_text(a->reach));
    tell_if(tell, a->acceleration && !b->acceleration,
            "law on accelerations at the step's start: contacts that slide have kinetic friction");
    tell_if(tell, b->acceleration && !a->acceleration, "law on velocities at the step's end");
    tell_if(tell, a->explicit_forces != b->explicit_forces && has_forces(model),
            a->explicit_forces ? "springs, dampers and motions are evaluated at the step's start"
                               : "springs and dampers are linearly implicit");
    tell_if(tell, a->projects != b->projects && model->nequality > 0,
            a->projects ? "joint rows without drift term, positions are projected"
                        : "joint rows with drift term, no projection");
    tell_if(tell, a->collisions_only, "contacts only collide: rest is a series of small impacts");
    tell_if(tell, a->events != b->events && !a->collisions_only,
            a->events ? "impacts at their own instants within the step"
                      : "impacts at the ends of steps");
    tell_if(tell, a->convex && !b->convex, "contacts that slip also open");
}

// The solver of a case, where it is not the one that the user or the file named.
static void tell_solver(const Tell* tell, const CompareCase* item)
{
    if (item->start.warning[0] != '\0') {
        tell->call(tell->context, item->start.warning);
    }
}

static void tell_integrator(const Compare* c, const Tell* tell, const CompareCase* item,
                            const CompareCase* reference)
{
    char text[128];
    if (reference != NULL && reference->integrator != item->integrator && item->steps > 0) {
        snprintf(text, sizeof text, "integrator %s instead of %s",
                 ut_integrator_name(item->integrator), ut_integrator_name(reference->integrator));
        tell->call(tell->context, text);
    }
    tell_if(tell, c->recording.used && !c->recording.formulation_known,
            "nothing is known of how the recording was made");
}

void compare_confounders(const Compare* c, const CompareCase* item,
                         void (*call)(void* context, const char* text), void* context)
{
    const Tell tell = {call, context};
    const CompareCase* reference = c->reference >= 0 ? &c->item[c->reference] : NULL;
    if (item->sim == NULL || item == reference) {
        return;
    }
    const bool known = reference != NULL || c->recording.formulation_known;
    const utFormulation other =
        reference != NULL ? reference->formulation : c->recording.formulation;
    if (known) {
        tell_traits(&tell, ut_formulation_traits(item->formulation), ut_formulation_traits(other),
                    item->loaded->model);
    }
    tell_solver(&tell, item);
    tell_integrator(c, &tell, item, reference);
}
