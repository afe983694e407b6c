// SPDX-License-Identifier: Apache-2.0
// Observed order of convergence, and the bracket of friction: inscribed and circumscribed polygons of ever more edges
// on both sides of the circular cone.
#include "compare/compare.h"
#include "progress.h"

#include <math.h>
#include <string.h>

// ---- order --------------------------------------------------------------------------------------

// Largest distance between bodies of two cases at the end: of positions, or of velocities.
static double apart_at_end(const CompareCase* a, const CompareCase* b, bool velocities)
{
    double most = 0.0;
    for (int k = 1; k < a->loaded->model->nbody; k++) {
        const utBodyState* x = &a->now[k];
        const utBodyState* y = &b->now[k];
        const double apart = ut_vec3_norm(velocities ? ut_vec3_sub(x->velocity, y->velocity)
                                                     : ut_vec3_sub(x->com, y->com));
        most = apart > most || isnan(apart) ? apart : most;
    }
    return most;
}

double compare_apart(const CompareCase* a, const CompareCase* b)
{
    return apart_at_end(a, b, false);
}

const CompareCase* compare_halved(const Compare* c, const CompareCase* item)
{
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* other = &c->item[k];
        if (other->halvings == item->halvings + 1 && other->formulation == item->formulation &&
            compare_same_name(other->solver, item->solver) &&
            other->directions == item->directions && other->rho == item->rho) {
            return item->end == COMPARE_RAN && other->end == COMPARE_RAN ? other : NULL;
        }
    }
    return NULL;
}

double compare_order(const Compare* c, const CompareCase* item)
{
    // differences of rounding have no order
    static const double ROUNDING = 1e-13; // m
    const CompareCase* second = compare_halved(c, item);
    const CompareCase* third = second != NULL ? compare_halved(c, second) : NULL;
    if (third == NULL) {
        return (double)NAN;
    }
    const double coarse = compare_apart(item, second), fine = compare_apart(second, third);
    return coarse > ROUNDING && fine > ROUNDING ? log2(coarse / fine) : (double)NAN;
}

// ---- bracket ------------------------------------------------------------------------------------

// The cases of a level. In whole runs the reference is the circumscribed polygon, so that the largest difference of the
// inscribed one is the width of the bracket. In one step it is the circle, which leads to the shared state.
enum { OUTSIDE, INSIDE, CIRCLE, SIDES };

static const double PI = 3.14159265358979323846;

// The largest motion of a body: its displacement, or over one step its change of velocity.
static double motion(const Compare* c, const CompareCase* item)
{
    double most = 0.0;
    for (int b = 1; b < item->loaded->model->nbody; b++) {
        const utBodyState* from = &item->first[b];
        const utBodyState* to = &item->now[b];
        const double moved =
            ut_vec3_norm(c->options->one_step ? ut_vec3_sub(to->velocity, from->velocity)
                                              : ut_vec3_sub(to->com, from->com));
        most = moved > most ? moved : most;
    }
    return most;
}

// The scale of widths: the largest motion, at least that of free fall, so that rest has a scale.
static double motion_scale(const Compare* c, const CompareCase* item)
{
    const double g = ut_vec3_norm(item->loaded->model->options.gravity);
    const double time = (double)c->planned * c->dt;
    const double fall = c->options->one_step ? g * c->dt : 0.5 * g * time * time;
    // a body that stays where it is moves by rounding only: a thousandth of the fall is motion
    return fmax(motion(c, item), 1e-3 * fall);
}

static void judge(const Compare* c, CompareLevel* level, double* scale)
{
    level->ran = c->signal == 0;
    for (int k = 0; k < SIDES; k++) {
        const CompareCase* item = &c->item[k];
        if (item->end != COMPARE_RAN) {
            level->ran = false;
            snprintf(level->reason, sizeof level->reason, "%s: %.500s",
                     ut_formulation_name(item->formulation), item->reason);
        }
    }
    if (!level->ran) {
        return;
    }
    const CompareCase* inside = &c->item[INSIDE];
    const CompareCase* circle = &c->item[CIRCLE];
    const CompareCase* outside = &c->item[OUTSIDE];
    *scale = motion_scale(c, circle);
    const bool one_step = c->options->one_step;
    level->width =
        (one_step ? apart_at_end(inside, outside, true) : compare_largest(inside).position) /
        *scale;
    level->inside = apart_at_end(inside, circle, one_step) / *scale;
    level->outside = apart_at_end(outside, circle, one_step) / *scale;
    level->verdicts = inside->verdicts.different + (one_step ? outside->verdicts.different : 0);
    level->moved[0] = motion(c, inside);
    level->moved[1] = motion(c, circle);
    level->moved[2] = motion(c, outside);
}

static utStatus run_level(Compare* c, CompareLevel* level, double* scale, utError* err)
{
    char what[32];
    level->low = cos(PI / level->edges);
    level->high = 1.0 / cos(PI / level->edges);
    compare_clear(c);
    c->reference = c->options->one_step ? CIRCLE : OUTSIDE;
    const char* solver = c->options->start.sim.solver;
    if (compare_add(c, UT_FORMULATION_PEIRET, solver, level->edges, -1.0, 0) == NULL ||
        compare_add(c, UT_FORMULATION_STEWART_TRINKLE, solver, level->edges, -1.0, 0) == NULL ||
        compare_add(c, UT_FORMULATION_COULOMB, NULL, 0, -1.0, 0) == NULL) {
        return cli_no_memory(c->options->start.file, err);
    }
    snprintf(what, sizeof what, "%d edges: ", level->edges);
    UT_TRY(compare_run(c, what, err));
    judge(c, level, scale);
    return UT_OK;
}

utStatus compare_bracket(Compare* c, CompareBracket* bracket, utError* err)
{
    static const CompareSweep usual = {5, {4, 8, 16, 32, 64}};
    const CompareOptions* o = c->options;
    const CompareSweep* edges = o->directions.count > 0 ? &o->directions : &usual;
    *bracket = (CompareBracket){0};
    while (bracket->levels < edges->count && !bracket->agree && cli_caught_signal() == 0) {
        CompareLevel* level = &bracket->level[bracket->levels++];
        level->edges = (int)edges->at[bracket->levels - 1];
        UT_TRY(run_level(c, level, &bracket->scale, err));
        // when bodies come to rest a little earlier or later, verdicts of a run differ for some steps
        bracket->agree =
            level->ran && level->width <= o->bracket && (level->verdicts == 0 || !o->one_step);
    }
    return UT_OK;
}
