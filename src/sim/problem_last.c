// SPDX-License-Identifier: Apache-2.0
// ut_sim_problem: the friction problem of the last step's deciding island as text, with rows, bounds
// and impulses in the same bits (uptack/coulomb.h).
#include <stdio.h>
#include <string.h>

#include "sim/internal.h"
#include "sim/tolerances.h"

// Place the bodies where the contacts were taken: at the step's positions, or ahead of them.
static utStatus place(const utSim* sim, utArena* scratch, utKinematics* kin)
{
    const utStepReport* report = &sim->last.report;
    const utModel* model = sim->model;
    if (report->v_ahead == NULL) {
        *kin = sim->work.kin;
        return UT_OK;
    }
    double* q = UT_PUSH(scratch, double, model->nq);
    double* pos = UT_PUSH(scratch, double, 3 * model->nmocap);
    double* quat = UT_PUSH(scratch, double, 4 * model->nmocap);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, scratch, kin));
    const bool between = report->mocap_ahead != NULL;
    for (int m = 0; between && m < model->nmocap; m++) {
        ut_mocap_move(report->mocap_pos, report->mocap_quat, report->mocap_velocity, m,
                      report->mocap_ahead[m] * report->h, pos + (size_t)3 * (size_t)m,
                      quat + (size_t)4 * (size_t)m);
    }
    ut_model_integrate(model, sim->last.q, report->v_ahead, report->h, q);
    ut_kinematics_place(kin, q, between ? pos : report->mocap_pos_next,
                        between ? quat : report->mocap_quat_next);
    ut_kinematics_move(kin, report->v_ahead, report->mocap_velocity);
    return UT_OK;
}

// The problem of the deciding island, and its impulses.
static utStatus island_problem(utSim* sim, utArena* scratch, IslandProblem* problem, double** r)
{
    const utStepReport* report = &sim->last.report;
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
        .formulation = sim->settings.traits,
    };
    UT_TRY(ut_contact_problem(&scene, &sim->work.mass, sim->last.island, report->contacts,
                              report->contact, report->rows, report->row, &sim->settings.section,
                              scratch, problem));
    utCoulomb* c = &problem->coulomb;
    *r = UT_PUSH(scratch, double, ut_coulomb_rows(c));
    if (*r == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_contact_velocity_scale(&scene, problem, report->contact, *scratch, &c->speed));
    if (!sim->settings.traits->acceleration) {
        ut_contact_ignore_rounding(ut_sim_rounding_gap(sim, c->contacts), problem);
    }
    for (int i = 0; i < c->contacts; i++) {
        ut_contact_load(problem, i, &report->contact[problem->contact[i]],
                        *r + (size_t)c->dimension * (size_t)i);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        (*r)[c->dimension * c->contacts + j] = report->row[problem->row[j]].r;
    }
    return UT_OK;
}

// A line about the problem's origin. @return its length
static size_t print_origin(const utSim* sim, char line[256])
{
    const utIsland* island = &sim->last.report.island[sim->last.island];
    char time[UT_NUMBER_SIZE], E[UT_NUMBER_SIZE];
    ut_number_write_short(sim->last.report.time, time);
    ut_number_write_short(island->E, E);
    const int size = snprintf(line, 256, "# %s: island %d of the step from t = %s s: %s, E = %s\n",
                              sim->settings.traits->name, sim->last.island, time,
                              ut_island_outcome_name(island->outcome), E);
    return (size_t)size;
}

static utStatus write_text(utSim* sim, const utCoulomb* problem, const double* r, utText* out,
                           utError* err)
{
    char line[256];
    const size_t head = print_origin(sim, line);
    const size_t size = ut_coulomb_print(problem, r, NULL, 0);
    if (size == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the text form does not support this friction section");
    }
    if (sim->work.text.block == NULL) {
        UT_TRY(ut_arena_create(head + size, sim->allocator, &sim->work.text));
    }
    utArena rest = sim->work.text; // by value: the next text takes the place of this one
    char* text = UT_PUSH(&rest, char, head + size);
    if (text == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(text, line, head);
    ut_coulomb_print(problem, r, text + head, size);
    *out = (utText){text, head + size};
    return UT_OK;
}

utStatus ut_sim_problem(utSim* sim, utText* text, utError* err)
{
    const utStepReport* report = &sim->last.report;
    if (!sim->last.valid || report->islands == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there was no step with contacts");
    }
    utArena scratch; // not the step's memory, which holds the report
    if (ut_arena_create(0, sim->allocator, &scratch) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }
    IslandProblem problem;
    double* r;
    ut_sim_place_at(sim, sim->last.q, report->v, report->mocap_pos, report->mocap_quat,
                    report->mocap_velocity);
    // M̂ of a step without parts is still that of the workspace
    utStatus status = sim->last.part ? ut_sim_restore_mass(sim, scratch) : UT_OK;
    if (status == UT_OK) {
        status = island_problem(sim, &scratch, &problem, &r);
    }
    if (status == UT_OK) {
        status = write_text(sim, &problem.coulomb, r, text, err);
    }
    ut_arena_destroy(&scratch);
    ut_sim_place(sim);
    return status == UT_ERR_CAPACITY || status == UT_ERR_MEMORY
               ? ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY))
               : status;
}
