// SPDX-License-Identifier: Apache-2.0
// The friction problem of the island that decided of the last step as text, for whoever wants to
// look at it alone: rows, bounds and impulses included, with the same bits (uptack/coulomb.h).
#include <stdio.h>
#include <string.h>

#include "internal.h"

// Bodies where the contacts were taken: where the step was solved, or ahead of it.
static utStatus place(utSim* sim, utArena* scratch, utKinematics* kin)
{
    const utStepReport* report = &sim->last;
    const utModel* model = sim->model;
    if (report->v_ahead == NULL) {
        *kin = sim->kin;
        return UT_OK;
    }
    double* q = UT_PUSH(scratch, double, model->nq);
    double* pos = UT_PUSH(scratch, double, 3 * model->nmocap);
    double* quat = UT_PUSH(scratch, double, 4 * model->nmocap);
    if (q == NULL || pos == NULL || quat == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, scratch, kin));
    const Step here = {.mocap_pos = (double*)report->mocap_pos,
                       .mocap_quat = (double*)report->mocap_quat,
                       .mocap_velocity = (utMotion*)report->mocap_velocity};
    const bool between = report->mocap_ahead != NULL;
    for (int m = 0; between && m < model->nmocap; m++) {
        ut_step_move_mocap(&here, m, report->mocap_ahead[m] * report->h,
                           pos + (size_t)3 * (size_t)m, quat + (size_t)4 * (size_t)m);
    }
    ut_model_integrate(model, sim->last_q, report->v_ahead, report->h, q);
    ut_kinematics_place(kin, q, between ? pos : report->mocap_pos_next,
                        between ? quat : report->mocap_quat_next);
    ut_kinematics_move(kin, report->v_ahead, report->mocap_velocity);
    return UT_OK;
}

// The island's problem, and the impulses that the step has.
// @return UT_ERR_CAPACITY when the scratch is too small
static utStatus island_problem(utSim* sim, utArena* scratch, IslandProblem* problem, double** r)
{
    const utStepReport* report = &sim->last;
    utKinematics* kin = UT_PUSH(scratch, utKinematics, 1);
    if (kin == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(place(sim, scratch, kin));
    const ContactScene scene = {
        .model = sim->model,
        .kin = kin,
        .h = report->h,
        .v = report->v,
        .v_free = report->v_free,
        .mocap_velocity = report->mocap_velocity,
        .formulation = sim->formulation,
    };
    UT_TRY(ut_contact_problem(&scene, &sim->mass, sim->last_island, report->contacts,
                              report->contact, report->rows, report->row, &sim->section, scratch,
                              problem));
    utCoulomb* c = &problem->coulomb;
    *r = UT_PUSH(scratch, double, ut_coulomb_rows(c));
    if (*r == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_contact_velocity_scale(&scene, problem, report->contact, *scratch, &c->speed));
    for (int i = 0; i < c->contacts; i++) {
        memcpy(*r + (size_t)c->dimension * (size_t)i, report->contact[problem->contact[i]].r,
               (size_t)c->dimension * sizeof **r);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        (*r)[c->dimension * c->contacts + j] = report->row[problem->row[j]].r;
    }
    return UT_OK;
}

// A line about where it comes from. @return its length
static size_t print_origin(const utSim* sim, char line[256])
{
    const utIsland* island = &sim->last.island[sim->last_island];
    char time[UT_NUMBER_SIZE], E[UT_NUMBER_SIZE];
    ut_number_write_short(sim->last.time, time);
    ut_number_write_short(island->E, E);
    const int size = snprintf(line, 256, "# %s: island %d of the step from t = %s s: %s, E = %s\n",
                              sim->formulation->name, sim->last_island, time,
                              ut_island_outcome_name(island->outcome), E);
    return (size_t)size;
}

static utStatus write_text(utSim* sim, const utCoulomb* problem, const double* r, utText* out,
                           utError* err)
{
    char line[256];
    const size_t head = print_origin(sim, line);
    const size_t size = ut_coulomb_print(problem, r, NULL, 0);
    utArena memory;
    if (size == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the text form has no such friction section");
    }
    if (ut_arena_create(ut_arena_need(head + size, 1), sim->allocator, &memory) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }
    ut_arena_destroy(&sim->text);
    sim->text = memory;
    utArena rest = memory;
    char* text = UT_PUSH(&rest, char, head + size);
    memcpy(text, line, head);
    ut_coulomb_print(problem, r, text + head, size);
    *out = (utText){text, head + size};
    return UT_OK;
}

utStatus ut_sim_problem(utSim* sim, utText* text, utError* err)
{
    const utStepReport* report = &sim->last;
    if (!sim->has_last || report->islands == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there was no step with contacts");
    }
    // the bodies are put where they were then, and back
    ut_kinematics_place(&sim->kin, sim->last_q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&sim->kin, report->v, report->mocap_velocity);
    utStatus status = UT_ERR_CAPACITY;
    for (size_t size = sim->step_size; status == UT_ERR_CAPACITY; size *= 2) {
        utArena scratch;
        IslandProblem problem;
        double* r;
        if (ut_arena_create(size, sim->allocator, &scratch) != UT_OK) {
            status = ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
            break;
        }
        utArena rest = scratch;
        status = ut_sim_has_parts(sim) ? ut_sim_restore_mass(sim, rest) : UT_OK;
        if (status == UT_OK) {
            status = island_problem(sim, &rest, &problem, &r);
        }
        if (status == UT_OK) {
            status = write_text(sim, &problem.coulomb, r, text, err);
        }
        ut_arena_destroy(&scratch);
    }
    ut_sim_place(sim);
    return status;
}
