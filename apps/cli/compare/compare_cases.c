// SPDX-License-Identifier: Apache-2.0
// The cases of a comparison: which formulations, solvers, polygons, rho and steps.
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb.h>

// ---- models -------------------------------------------------------------------------------------

utStatus compare_open(CompareOptions* o, Compare* c, utError* err)
{
    *c = (Compare){.options = o, .reference = -1, .keyframe = -1};
    c->models = 1;
    UT_TRY(cli_load_model(o->start.file, &o->start.sets, &c->model[0], err));
    for (int k = 0; k < o->rho.count; k++) {
        char text[64];
        CliSets sets = o->start.sets;
        if (sets.count == CLI_MAX_SETS) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "there are more than %d --set",
                                CLI_MAX_SETS - 1);
        }
        snprintf(text, sizeof text, "option.rho=%.17g", o->rho.at[k]);
        sets.text[sets.count++] = text;
        c->models = k + 2;
        UT_TRY(cli_load_model(o->start.file, &sets, &c->model[k + 1], err));
    }
    return UT_OK;
}

static void close_case(CompareCase* item)
{
    ut_sim_destroy(item->sim);
    free(item->first);
    free(item->now);
    free(item->body);
    free(item->contacts.at);
    plot_numbers_free(&item->time);
    plot_numbers_free(&item->position);
    plot_numbers_free(&item->velocity);
}

void compare_clear(Compare* c)
{
    for (int k = 0; k < c->cases; k++) {
        close_case(&c->item[k]);
    }
    free(c->item);
    c->item = NULL;
    c->cases = c->room = 0;
    c->reference = -1;
}

void compare_close(Compare* c)
{
    compare_clear(c);
    compare_recording_close(&c->recording);
    for (int k = 0; k < c->models; k++) {
        cli_free_model(&c->model[k]);
    }
}

// ---- adding -------------------------------------------------------------------------------------

static const CliModel* model_with_rho(const Compare* c, double rho)
{
    for (int k = 0; k + 1 < c->models; k++) {
        if (rho >= 0.0 && c->options->rho.at[k] == rho) {
            return &c->model[k + 1];
        }
    }
    return &c->model[0];
}

bool compare_same_name(const char* a, const char* b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

CompareCase* compare_add(Compare* c, utFormulation formulation, const char* solver, int directions,
                         double rho, int halvings)
{
    if (c->item == NULL || c->cases == c->room) {
        const int room = c->room > 0 ? 2 * c->room : 16;
        CompareCase* larger = realloc(c->item, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        c->item = larger;
        c->room = room;
    }
    CompareCase* item = &c->item[c->cases++];
    *item = (CompareCase){
        .formulation = formulation,
        .solver = solver,
        .directions = directions,
        .rho = rho,
        .halvings = halvings,
        .loaded = model_with_rho(c, rho),
        .start = c->options->start,
        .system_contacts = -1,
    };
    return item;
}

// The values of a sweep that matter to a formulation: one, "the model's", unless it is swept.
static CompareSweep values(const CompareSweep* sweep, bool matters, double none)
{
    CompareSweep one = {.count = 1, .at = {none}};
    return sweep->count > 0 && matters ? *sweep : one;
}

static bool has_polygon(utFormulation formulation)
{
    const utSectionKind section = ut_formulation_traits(formulation)->section;
    return section == UT_SECTION_INSCRIBED || section == UT_SECTION_CIRCUMSCRIBED;
}

static bool has_rho(utFormulation formulation)
{
    return ut_formulation_traits(formulation)->section == UT_SECTION_CIRCUMSCRIBED;
}

// All solvers of LCPs and of cones, `auto` first.
static const char* solver_name(int k)
{
    return k < UT_LCP_SOLVER_COUNT
               ? ut_lcp_solver_name((utLcpSolver)k)
               : ut_coulomb_solver_name((utCoulombSolver)(k - UT_LCP_SOLVER_COUNT));
}

// Newton's method has one name for LCPs and cones, and `auto` and `lcp` are no further solvers.
static bool is_new_solver(int k)
{
    utLcpSolver same;
    return k < UT_LCP_SOLVER_COUNT || (k - UT_LCP_SOLVER_COUNT != UT_COULOMB_LCP &&
                                       !ut_lcp_solver_find(solver_name(k), &same));
}

// Add the steps, polygons and rho of a formulation with a solver. The reference is there already.
static bool add_sweeps(Compare* c, utFormulation formulation, const char* solver)
{
    const CompareOptions* o = c->options;
    const CompareSweep directions = values(&o->directions, has_polygon(formulation), 0.0);
    const CompareSweep rho = values(&o->rho, has_rho(formulation), -1.0);
    for (int i = 0; i < directions.count; i++) {
        for (int j = 0; j < rho.count; j++) {
            for (int k = 0; k <= o->halve; k++) {
                const CompareCase* first = c->reference >= 0 ? &c->item[c->reference] : NULL;
                const int edges = (int)directions.at[i];
                const bool same = first != NULL && first->formulation == formulation &&
                                  compare_same_name(first->solver, solver) &&
                                  first->directions == edges && first->rho == rho.at[j] &&
                                  first->halvings == k;
                if (!same && compare_add(c, formulation, solver, edges, rho.at[j], k) == NULL) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool add_formulation(Compare* c, utFormulation formulation)
{
    const char* solver = c->options->start.sim.solver;
    if (!c->options->solvers) {
        return add_sweeps(c, formulation, solver);
    }
    bool added = true;
    for (int k = 0; k < UT_LCP_SOLVER_COUNT + UT_COULOMB_SOLVER_COUNT && added; k++) {
        added = !is_new_solver(k) || add_sweeps(c, formulation, solver_name(k));
    }
    return added;
}

static bool add_reference(Compare* c, utFormulation formulation)
{
    const CompareOptions* o = c->options;
    const CompareSweep directions = values(&o->directions, has_polygon(formulation), 0.0);
    const CompareSweep rho = values(&o->rho, has_rho(formulation), -1.0);
    const char* solver = o->solvers ? "auto" : o->start.sim.solver;
    c->reference = 0;
    return compare_add(c, formulation, solver, (int)directions.at[0], rho.at[0], o->halve) != NULL;
}

// Does the model reject a formulation? @param reason COMPARE_REASON bytes
static bool is_refused(const Compare* c, utFormulation formulation, char* reason)
{
    CliStart start = c->options->start;
    utSim* sim = NULL;
    utError err = {0};
    int keyframe;
    start.sim.formulation = (int)formulation;
    start.quiet = true;
    const bool refused = cli_start(&start, &c->model[0], &keyframe, &sim, &err) == UT_ERR_ARGUMENT;
    snprintf(reason, COMPARE_REASON, "%s", err.message);
    ut_sim_destroy(sim);
    return refused;
}

// The formulation of the reference: asked for, else coulomb, else the model's.
static utStatus choose_reference(Compare* c, utFormulation* reference, utError* err)
{
    const CompareOptions* o = c->options;
    char reason[COMPARE_REASON];
    const utFormulation own = c->model[0].model->options.formulation;
    *reference = UT_FORMULATION_COULOMB;
    if (o->against != NULL) {
        (void)ut_formulation_find(o->against, reference);
    } else if (own != *reference && is_refused(c, *reference, reason) &&
               !is_refused(c, own, c->note)) {
        *reference = own;
        snprintf(c->note, sizeof c->note, "the reference is %s, because coulomb is refused: %.400s",
                 ut_formulation_name(own), reason);
        return UT_OK;
    }
    c->note[0] = '\0';
    return is_refused(c, *reference, reason)
               ? ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(o->start.file), 0, 0, "%.240s",
                             reason)
               : UT_OK;
}

utStatus compare_add_all(Compare* c, utError* err)
{
    const CompareOptions* o = c->options;
    utFormulation named;
    bool added = true;
    if (o->against != NULL && !ut_formulation_find(o->against, &named)) {
        UT_TRY(compare_read(o->against, c->model[0].model, &c->recording, err));
    } else {
        utFormulation reference;
        UT_TRY(choose_reference(c, &reference, err));
        added = add_reference(c, reference);
    }
    for (int f = 0; f < UT_FORMULATION_COUNT && added; f++) {
        if (o->formulations == 0 || (o->formulations >> f & 1U) != 0) {
            added = add_formulation(c, (utFormulation)f);
        }
    }
    return added ? UT_OK : cli_no_memory(o->start.file, err);
}

// ---- settings -----------------------------------------------------------------------------------

const char* compare_solver(const CompareCase* item)
{
    return cli_solver(&item->start, item->loaded->model);
}

bool compare_is_polygon(const CompareCase* item)
{
    return item->loaded->model->options.planar == UT_PLANAR_NONE && has_polygon(item->formulation);
}

int compare_directions(const CompareCase* item)
{
    return !compare_is_polygon(item) ? 0
           : item->directions > 0    ? item->directions
                                     : item->loaded->model->options.directions;
}

double compare_rho(const CompareCase* item)
{
    return item->loaded->model->options.rho;
}

void compare_label(const Compare* c, const CompareCase* item, char* text, size_t size)
{
    const CompareOptions* o = c->options;
    size_t at = (size_t)snprintf(text, size, "%s", ut_formulation_name(item->formulation));
    if (item->directions > 0 && o->directions.count > 0 && at < size) {
        at += (size_t)snprintf(text + at, size - at, " %d edges", item->directions);
    }
    if (item->rho >= 0.0 && at < size) {
        at += (size_t)snprintf(text + at, size - at, " rho %g", item->rho);
    }
    if (o->halve > 0 && at < size) {
        at += (size_t)snprintf(text + at, size - at, item->halvings > 0 ? " h/%d" : " h",
                               1 << item->halvings);
    }
    if (o->solvers && at < size) {
        snprintf(text + at, size - at, " %s", item->solver);
    }
}

const char* compare_end_name(CompareEnd end)
{
    return end == COMPARE_RAN ? "ran" : end == COMPARE_REFUSED ? "refused" : "stopped";
}
