// SPDX-License-Identifier: Apache-2.0
// Counting and printing the impacts of a run.
#include "run/run_impacts.h"

#include "model.h"

// ---- counting -----------------------------------------------------------------------------------

// Find a pair or add it. @return NULL when the list is full
static RunPair* find_pair(RunImpacts* impacts, int geom1, int geom2)
{
    for (int k = 0; k < impacts->pairs; k++) {
        RunPair* pair = &impacts->pair[k];
        if (pair->geom1 == geom1 && pair->geom2 == geom2) {
            return pair;
        }
    }
    if (impacts->pairs == RUN_KEPT_PAIRS) {
        return NULL;
    }
    RunPair* pair = &impacts->pair[impacts->pairs++];
    *pair = (RunPair){.geom1 = geom1, .geom2 = geom2};
    return pair;
}

// Count the impacts of a step, or of a part of a step.
static void count_contacts(const utStepReport* report, RunImpacts* impacts)
{
    const double time = report->time + report->h;
    for (int k = 0; k < report->contacts; k++) {
        const utContact* contact = &report->contact[k];
        if (contact->state != UT_CONTACT_IMPACT) {
            continue;
        }
        if (impacts->impacts < RUN_KEPT_IMPACTS) {
            impacts->first_impact[impacts->impacts] =
                (RunImpact){time, contact->geom1, contact->geom2, contact->r[0]};
        }
        impacts->impacts++;
        impacts->last_impact = time;
        RunPair* pair = find_pair(impacts, contact->geom1, contact->geom2);
        if (pair != NULL) {
            pair->impacts++;
            pair->last_impact = time;
        }
    }
}

static void count_transition(const utTransition* transition, RunImpacts* impacts)
{
    if (impacts->transitions < RUN_KEPT_TRANSITIONS) {
        impacts->first[impacts->transitions] = *transition;
    }
    impacts->transitions++;
    impacts->count[transition->from][transition->to]++;
    RunPair* pair = find_pair(impacts, transition->geom1, transition->geom2);
    if (pair != NULL) {
        pair->steady = transition->to == UT_MODE_STEADY;
        pair->since = transition->time;
    }
}

void run_impacts_count(const utStepReport* report, RunImpacts* impacts)
{
    // reports of parts have the time within the step
    for (int k = 0; k < report->parts; k++) {
        count_contacts(&report->part[k], impacts);
    }
    if (report->parts == 0) {
        count_contacts(report, impacts);
    }
    for (int k = 0; k < report->transitions; k++) {
        count_transition(&report->transition[k], impacts);
    }
}

// ---- printing -----------------------------------------------------------------------------------

static void print_modes(const RunImpacts* impacts)
{
    const char* separator = "";
    printf("transitions ");
    for (int from = 0; from < UT_MODE_COUNT; from++) {
        for (int to = 0; to < UT_MODE_COUNT; to++) {
            if (impacts->count[from][to] > 0) {
                printf("%s%s to %s %lld", separator, ut_contact_mode_name((utContactMode)from),
                       ut_contact_mode_name((utContactMode)to), impacts->count[from][to]);
                separator = ", ";
            }
        }
    }
    putchar('\n');
}

static void print_pair(const utModel* model, const RunPair* pair)
{
    CliName one;
    CliName two;
    printf("            %s and %s:", cli_side_name(model, pair->geom1, &one),
           cli_side_name(model, pair->geom2, &two));
    if (pair->impacts > 0) {
        printf(" impacts %lld, the last at %.9g s%s", pair->impacts, pair->last_impact,
               pair->steady ? ";" : "");
    }
    if (pair->steady) {
        printf(" steady since %.9g s", pair->since);
    }
    putchar('\n');
}

void run_impacts_print(const utModel* model, const RunImpacts* impacts)
{
    enum { SHOWN = 6 };
    if (impacts->impacts == 0 && impacts->transitions == 0) {
        return;
    }
    printf("impacts     %lld", impacts->impacts);
    if (impacts->impacts > 0) {
        printf(", the last at %.9g s", impacts->last_impact);
    }
    putchar('\n');
    if (impacts->transitions > 0) {
        print_modes(impacts);
    }
    int shown = 0;
    int more = 0;
    for (int k = 0; k < impacts->pairs; k++) {
        const RunPair* pair = &impacts->pair[k];
        if (pair->impacts == 0 && !pair->steady) {
            continue; // the geoms separated again
        }
        if (shown < SHOWN) {
            print_pair(model, pair);
            shown++;
        } else {
            more++;
        }
    }
    if (more > 0) {
        printf("            and %d%s more pairs; --transitions FILE.csv lists all\n", more,
               impacts->pairs == RUN_KEPT_PAIRS ? " or more" : "");
    }
}

static void json_transition(utJsonWriter* w, const utModel* model, const utTransition* transition)
{
    CliName room;
    ut_json_object_begin(w);
    ut_json_key(w, "time");
    ut_json_number(w, transition->time);
    ut_json_key(w, "geom1");
    ut_json_string(w, cli_side_name(model, transition->geom1, &room));
    ut_json_key(w, "geom2");
    ut_json_string(w, cli_side_name(model, transition->geom2, &room));
    ut_json_key(w, "from");
    ut_json_string(w, ut_contact_mode_name(transition->from));
    ut_json_key(w, "to");
    ut_json_string(w, ut_contact_mode_name(transition->to));
    ut_json_key(w, "speed");
    ut_json_number(w, transition->speed);
    ut_json_object_end(w);
}

void run_impacts_first_json(utJsonWriter* w, const utModel* model, const RunImpacts* impacts)
{
    CliName room;
    ut_json_key(w, "first_impacts");
    ut_json_array_begin(w);
    for (int k = 0; k < impacts->impacts && k < RUN_KEPT_IMPACTS; k++) {
        const RunImpact* impact = &impacts->first_impact[k];
        ut_json_object_begin(w);
        ut_json_key(w, "time");
        ut_json_number(w, impact->time);
        ut_json_key(w, "geom1");
        ut_json_string(w, cli_side_name(model, impact->geom1, &room));
        ut_json_key(w, "geom2");
        ut_json_string(w, cli_side_name(model, impact->geom2, &room));
        ut_json_key(w, "impulse");
        ut_json_number(w, impact->impulse);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

void run_impacts_json(utJsonWriter* w, const utModel* model, const RunImpacts* impacts)
{
    ut_json_key(w, "impacts");
    ut_json_integer(w, impacts->impacts);
    ut_json_key(w, "last_impact");
    if (impacts->impacts > 0) {
        ut_json_number(w, impacts->last_impact);
    } else {
        ut_json_null(w);
    }
    ut_json_key(w, "transition_count");
    ut_json_integer(w, impacts->transitions);
    ut_json_key(w, "transitions");
    ut_json_array_begin(w);
    for (int k = 0; k < impacts->transitions && k < RUN_KEPT_TRANSITIONS; k++) {
        json_transition(w, model, &impacts->first[k]);
    }
    ut_json_array_end(w);
}
