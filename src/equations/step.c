// SPDX-License-Identifier: Apache-2.0
// The step of a system: its problem, and the impulses that it finds.
//
// The state is that of a run with any formulation. The step itself has the paper's formulation.
#include "internal.h"

#include <math.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/impact.h>
#include <uptack/sim_coulomb.h>

static const double CLOSES = 1e-9; // m/s: a contact that closes faster is an impact

// ---- the formulation -------------------------------------------------------------------------------

// A sim with the paper's formulation, in the same state.
static utStatus change_formulation(const EqOptions* o, const utSim* before, utSim** sim,
                                   utError* err)
{
    const utModel* model = ut_sim_model(before);
    const utFormulation formulation = o->notation->formulation;
    utSimDef def = o->sim;
    def.dt = ut_sim_dt(before);
    def.adaptive = 0.0;
    def.formulation = (int)formulation;
    def.solver = ut_eq_run(o, model) == formulation ? def.solver : "auto";
    def.integrator = UT_INTEGRATOR_EULER;
    def.impact = UT_IMPACT_NEWTON; // the papers' steps have no restitution
    def.simultaneous = UT_SIMULTANEOUS_MOREAU;
    def.tier = UT_TIER_EXACT;
    def.sleep = false;
    def.keep_going = true;
    utStatus status = ut_sim_create(model, &def, sim, err);
    if (status == UT_ERR_ARGUMENT) {
        const utError reason = *err;
        return ut_error_set(err, status, "%s does not apply: %s", o->notation->name,
                            reason.message);
    }
    return status == UT_OK ? ut_sim_copy(before, *sim, err) : status;
}

// ---- velocities before the step -----------------------------------------------------------------

// Fill v and, for accelerations, the slip of contacts that slide.
static utStatus find_velocities(EqStep* step, utArena* keep)
{
    const utStepReport* report = &step->result.report;
    const utModel* model = step->model;
    const int t = step->problem.dimension - 1;
    utKinematics kin;
    step->v = UT_PUSH(keep, double, model->nv);
    step->slip = UT_PUSH(keep, double, t * step->problem.contacts);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, keep, &kin));
    ut_kinematics_place(&kin, report->q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&kin, report->v, report->mocap_velocity);
    ut_dyn_centripetal(&kin, report->v, step->v);
    for (int i = 0; i < model->nv; i++) {
        step->v[i] = report->v[i] + report->h * step->v[i];
    }
    memset(step->slip, 0, (size_t)(t * step->problem.contacts) * sizeof *step->slip);
    for (int i = 0; step->named && i < step->problem.contacts; i++) {
        const utContact* c = &report->contact[i];
        const utVec3 u =
            ut_vec3_sub(ut_point_velocity(&kin, ut_model_side_body(model, c->geom2), c->point),
                        ut_point_velocity(&kin, ut_model_side_body(model, c->geom1), c->point));
        const double u_n = ut_vec3_dot(u, c->frame[0]);
        double u_t[2] = {ut_vec3_dot(u, c->frame[1]), ut_vec3_dot(u, c->frame[2])};
        step->impact = step->impact || u_n < -CLOSES;
        if (fabs(u_n) <= CLOSES && hypot(u_t[0], t == 2 ? u_t[1] : 0.0) > UT_SLIPS) {
            memcpy(step->slip + (size_t)(t * i), u_t, (size_t)t * sizeof *u_t);
        }
    }
    return UT_OK;
}

// ---- rows with bounds ---------------------------------------------------------------------------

// A row that a system of the papers can have: u = 0 by an impulse of any sign.
static bool is_free_row(const utCoulomb* all, const utStepReport* report, bool named, int j)
{
    return (all->low == NULL || !isfinite(all->low[j])) &&
           (all->high == NULL || !isfinite(all->high[j])) &&
           (!named || !(report->row[j].compliance > 0.0));
}

// f with the impulse of a row as an applied force.
static void hold(const utCoulomb* all, int row, double impulse, int nv, double* f)
{
    for (int i = 0; i < nv; i++) {
        f[i] += all->J[(size_t)row * (size_t)all->dof + (size_t)i] * impulse;
    }
}

typedef struct Rows {
    double *M, *J, *f, *b;
} Rows;

static void copy_row(const utCoulomb* all, int from, int nv, const Rows* rows, int to)
{
    memcpy(rows->J + (size_t)to * (size_t)nv, all->J + (size_t)from * (size_t)all->dof,
           (size_t)nv * sizeof *rows->J);
    rows->b[to] = all->b[from];
}

// The problem over the model's velocities, with contacts and the rows without bounds.
static utStatus drop_bounded_rows(const utCoulomb* all, EqStep* step, utArena* keep)
{
    const utStepReport* report = &step->result.report;
    const int nv = step->model->nv, d = all->dimension, first = d * all->contacts,
              N = ut_coulomb_rows(all);
    const Rows rows = {UT_PUSH(keep, double, (size_t)nv*(size_t)nv),
                       UT_PUSH(keep, double, (size_t)N*(size_t)nv), UT_PUSH(keep, double, nv),
                       UT_PUSH(keep, double, N)};
    step->r = UT_PUSH(keep, double, N);
    step->row = UT_PUSH(keep, int, all->bilaterals);
    step->turned = UT_PUSH(keep, bool, all->bilaterals);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < nv; i++) {
        memcpy(rows.M + (size_t)i * (size_t)nv, all->M + (size_t)i * (size_t)all->dof,
               (size_t)nv * sizeof *rows.M);
    }
    memcpy(rows.f, all->f, (size_t)nv * sizeof *rows.f);
    for (int k = 0; k < first; k++) {
        copy_row(all, k, nv, &rows, k);
        step->r[k] = step->named ? report->contact[k / d].r[k % d] : 0.0;
    }
    int kept = 0;
    for (int j = 0; j < all->bilaterals; j++) {
        if (!is_free_row(all, report, step->named, j)) {
            hold(all, first + j, step->named ? report->row[j].r : 0.0, nv, rows.f);
            step->held++;
            continue;
        }
        copy_row(all, first + j, nv, &rows, first + kept);
        step->r[first + kept] = step->named ? report->row[j].r : 0.0;
        step->turned[kept] = step->named && report->row[j].kind == UT_ROW_EQUALITY &&
                             report->row[j].terms == 0 && report->row[j].dof < 0 &&
                             step->model->body[report->row[j].body1].tree >= 0;
        step->row[kept++] = j;
    }
    step->problem = *all;
    step->problem.low = step->problem.high = NULL;
    step->problem.vector = NULL;
    step->problem.bilaterals = kept;
    step->problem.dof = nv;
    step->problem.M = rows.M;
    step->problem.J = rows.J;
    step->problem.f = rows.f;
    step->problem.b = rows.b;
    return UT_OK;
}

// ---- the step -----------------------------------------------------------------------------------

utFormulation ut_eq_run(const EqOptions* o, const utModel* model)
{
    return (utFormulation)(o->sim.formulation >= 0 ? o->sim.formulation
                                                   : model->options.formulation);
}

utStatus ut_eq_take_step(const EqOptions* o, const utSim* before, const utInput* input,
                         utArena* keep, EqStep* step, utError* err)
{
    utCoulomb all;
    step->model = ut_sim_model(before);
    step->run = ut_eq_run(o, step->model);
    UT_TRY(change_formulation(o, before, &step->sim, err));
    UT_TRY(ut_sim_coulomb(step->sim, input, keep, &all, err));
    if (all.dimension > 3) {
        return ut_error_set(
            err, UT_ERR_ARGUMENT,
            "%s does not apply: contacts have torsional or rolling friction, which no paper "
            "here has; set their condim to 3",
            o->notation->name);
    }
    const utStatus status = ut_sim_step(step->sim, input, &step->result, err);
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return status;
    }
    const utStepReport* report = &step->result.report;
    step->named =
        report->contacts == all.contacts && report->rows == all.bilaterals && report->parts == 0;
    if (drop_bounded_rows(&all, step, keep) != UT_OK || find_velocities(step, keep) != UT_OK) {
        return ut_eq_no_memory(err);
    }
    return UT_OK;
}
