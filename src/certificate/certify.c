// SPDX-License-Identifier: Apache-2.0
// From a report to its certificate. Every part is computed in a file of its own; here they are
// called in order, and the limits stand.
#include <string.h>

#include "internal.h"

static const double MOMENTUM = 1e-10;
static const double STORED = 1e-10;
static const double BILATERAL = 1e-9;
static const double CONE = 1e-12;
static const double POSITION = 1e-12;
static const double GEOMETRY = 2e-8; // features within 1e-8 of each other count as meeting
static const double REPORTED = 1e-8;
static const double IMPACT = 1e-8;

// ---- memory -------------------------------------------------------------------------------------

static size_t plus(size_t a, size_t b)
{
    return a < SIZE_MAX - b ? a + b : SIZE_MAX;
}

static size_t times(size_t count, size_t size)
{
    return count == 0 || size <= SIZE_MAX / count ? count * size : SIZE_MAX;
}

// in the order of push_all
size_t ut_certify_scratch(const utModel* model, int contacts, int rows)
{
    const size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
    const size_t ntree = (size_t)model->ntree;
    const size_t items = (size_t)contacts + (size_t)rows;
    const size_t entries = plus(times(3, (size_t)contacts), (size_t)rows);
    size_t need = ut_kinematics_size(model);
    need = plus(need, times(2, ut_arena_need(nq, sizeof(double))));
    need = plus(need, times(13, ut_arena_need(nv, sizeof(double))));
    need = plus(need, times(2, ut_arena_need((size_t)model->nbody, sizeof(utForce))));
    need = plus(need, ut_arena_need((size_t)model->nbody, sizeof(WideForce)));
    need = plus(need, times(2, ut_arena_need(ntree, sizeof(int))));
    need = plus(need, times(2, ut_arena_need(ntree, sizeof(double))));
    need = plus(need, ut_arena_need(times(2, ntree), sizeof(double)));
    need = plus(need, ut_arena_need(items, sizeof(double)));
    need = plus(need, ut_arena_need(times(2, items), sizeof(double)));
    need = plus(need, times(6, ut_arena_need(entries, sizeof(double))));
    need = plus(need, ut_arena_need((size_t)contacts, sizeof(double)));
    need = plus(need, ut_arena_need(times(9, (size_t)contacts), sizeof(double)));
    const size_t nmocap = (size_t)model->nmocap;
    need = plus(need, ut_arena_need(nmocap, sizeof(utMotion)));
    need = plus(need, plus(ut_arena_need(times(3, nmocap), sizeof(double)),
                           ut_arena_need(times(4, nmocap), sizeof(double))));
    // what the parts take while they run
    need = plus(need, times(4, ut_arena_need(ntree, sizeof(double))));
    const size_t dyn = ut_dyn_scratch(model), smooth = ut_smooth_scratch(model);
    need = plus(need, times(3, ut_kinematics_size(model))); // ahead, heavy and halfway
    need = plus(need, ut_certify_stages_scratch(model));
    need = plus(need, ut_certify_missing_scratch(model));
    need = plus(need, ut_dyn_gyroscopic_scratch(model));
    return plus(need, dyn > smooth ? dyn : smooth);
}

static bool push_all(Judge* judge, utArena* scratch)
{
    const utModel* model = judge->model;
    const size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
    const size_t ntree = (size_t)model->ntree;
    const size_t items = (size_t)judge->report->contacts + (size_t)judge->report->rows;
    const size_t entries = 3 * (size_t)judge->report->contacts + (size_t)judge->report->rows;
    double** const of_velocities[] = {
        &judge->extra, &judge->zero,  &judge->v_free, &judge->impulse,   &judge->residual,
        &judge->off,   &judge->stage, &judge->work,   &judge->more_work, &judge->stage_off,
        &judge->again, &judge->v,     &judge->v_next,
    };
    judge->q = UT_PUSH(scratch, double, nq);
    judge->position = UT_PUSH(scratch, double, nq);
    bool good = judge->q != NULL && judge->position != NULL;
    for (size_t k = 0; k < sizeof of_velocities / sizeof *of_velocities; k++) {
        *of_velocities[k] = UT_PUSH(scratch, double, nv);
        good = good && *of_velocities[k] != NULL;
    }
    judge->wrench = UT_PUSH(scratch, utForce, model->nbody);
    judge->acting = UT_PUSH(scratch, utForce, model->nbody);
    judge->net = UT_PUSH(scratch, WideForce, model->nbody);
    judge->group = UT_PUSH(scratch, int, ntree);
    judge->stamp = UT_PUSH(scratch, int, ntree);
    judge->V = UT_PUSH(scratch, double, ntree);
    judge->speed = UT_PUSH(scratch, double, ntree);
    judge->trace_most = UT_PUSH(scratch, double, 2 * ntree);
    judge->trace = UT_PUSH(scratch, double, items);
    judge->side = UT_PUSH(scratch, double, 2 * items);
    judge->u_free = UT_PUSH(scratch, double, entries);
    judge->u = UT_PUSH(scratch, double, entries);
    judge->b = UT_PUSH(scratch, double, entries);
    judge->base = UT_PUSH(scratch, double, entries);
    judge->before = UT_PUSH(scratch, double, entries);
    judge->pressed = UT_PUSH(scratch, double, entries);
    judge->gap = UT_PUSH(scratch, double, judge->report->contacts);
    judge->K = UT_PUSH(scratch, double, 9 * (size_t)judge->report->contacts);
    judge->mocap_done = UT_PUSH(scratch, utMotion, model->nmocap);
    judge->mocap_pos = UT_PUSH(scratch, double, 3 * (size_t)model->nmocap);
    judge->mocap_quat = UT_PUSH(scratch, double, 4 * (size_t)model->nmocap);
    good =
        good && judge->mocap_done != NULL && judge->mocap_pos != NULL && judge->mocap_quat != NULL;
    return good && judge->net != NULL && judge->wrench != NULL && judge->acting != NULL &&
           judge->group != NULL && judge->stamp != NULL && judge->V != NULL &&
           judge->speed != NULL && judge->trace_most != NULL && judge->trace != NULL &&
           judge->side != NULL && judge->u_free != NULL && judge->u != NULL && judge->b != NULL &&
           judge->base != NULL && judge->before != NULL && judge->pressed != NULL &&
           judge->gap != NULL && judge->K != NULL;
}

// ---- names --------------------------------------------------------------------------------------

const char* ut_certificate_reason_name(utCertificateReason reason)
{
    static const char* const names[UT_REASON_COUNT] = {
        [UT_REASON_NONE] = "",
        [UT_REASON_REPORT] = "report",
        [UT_REASON_NOT_FINITE] = "not finite",
        [UT_REASON_FORMULATION] = "formulation",
        [UT_REASON_INTEGRATOR] = "integrator",
        [UT_REASON_MASS] = "mass",
        [UT_REASON_ACTUATORS] = "actuators",
        [UT_REASON_ACTIVE_SET] = "active set",
        [UT_REASON_GEOMETRY] = "geometry",
        [UT_REASON_MOMENTUM] = "momentum",
        [UT_REASON_STORED_VELOCITY] = "stored velocity",
        [UT_REASON_BILATERAL] = "bilateral",
        [UT_REASON_POSITION] = "position",
        [UT_REASON_CONE] = "cone",
        [UT_REASON_COMPLEMENTARITY] = "complementarity",
        [UT_REASON_IMPACT] = "impact",
        [UT_REASON_REPORTED] = "reported",
        [UT_REASON_PARTS] = "parts",
    };
    return (unsigned)reason < UT_REASON_COUNT ? names[reason] : "unknown";
}

// ---- the judgement ------------------------------------------------------------------------------

utCertificate ut_certify_condemn(utCertificateReason reason)
{
    return (utCertificate){.passed = false,
                           .reason = reason,
                           .E = HUGE_VAL,
                           .e = HUGE_VAL,
                           .contact = -1,
                           .V = HUGE_VAL,
                           .momentum = HUGE_VAL,
                           .stored = HUGE_VAL,
                           .bilateral = HUGE_VAL,
                           .cone = HUGE_VAL,
                           .position = HUGE_VAL,
                           .geometry = HUGE_VAL,
                           .reported = HUGE_VAL,
                           .impact = HUGE_VAL,
                           .model_gap = HUGE_VAL,
                           .energy_gain = HUGE_VAL};
}

// The first test that does not pass, written so that a NaN does not. @return passed
static bool decide(utCertificate* c, bool driven, bool belongs, double tolerance)
{
    const struct {
        utCertificateReason reason;
        double value, limit;
    } tests[] = {
        {UT_REASON_ACTUATORS, driven ? 0.0 : 1.0, 0.0},
        {UT_REASON_ACTIVE_SET, belongs ? 0.0 : 1.0, 0.0},
        {UT_REASON_GEOMETRY, c->geometry, GEOMETRY},
        {UT_REASON_MOMENTUM, c->momentum, MOMENTUM},
        {UT_REASON_STORED_VELOCITY, c->stored, STORED},
        {UT_REASON_BILATERAL, c->bilateral, BILATERAL},
        {UT_REASON_POSITION, c->position, POSITION},
        {UT_REASON_CONE, c->cone, CONE},
        {UT_REASON_COMPLEMENTARITY, c->E, tolerance},
        {UT_REASON_IMPACT, c->impact, IMPACT},
        {UT_REASON_REPORTED, c->reported, REPORTED},
        {UT_REASON_NOT_FINITE, isfinite(c->V) && isfinite(c->energy_gain) ? 0.0 : 1.0, 0.0},
    };
    c->reason = UT_REASON_NONE;
    c->value = c->limit = 0.0;
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
        if (!(tests[k].value <= tests[k].limit)) {
            c->reason = tests[k].reason;
            c->value = tests[k].limit > 0.0 ? tests[k].value : 0.0;
            c->limit = tests[k].limit;
            return false;
        }
    }
    return true;
}

// V of the island with the largest, for a step without contacts and rows.
static double largest_scale(const Judge* judge)
{
    double V = 0.0;
    for (int t = 0; t < judge->model->ntree; t++) {
        V = judge->group[t] == t ? larger(V, judge->V[t]) : V;
    }
    return V;
}

// Euler's equations are judged, IMPLICIT being the same.
static bool judged(utIntegrator integrator)
{
    return integrator == UT_INTEGRATOR_EULER || integrator == UT_INTEGRATOR_IMPLICIT;
}

// RK4 and MIDPOINT know nothing linearly implicit.
static bool staged(const utStepReport* report)
{
    bool good =
        report->integrator == UT_INTEGRATOR_RK4 || report->integrator == UT_INTEGRATOR_MIDPOINT;
    for (int i = 0; report->actuator_diagonal != NULL && i < report->model->nv; i++) {
        good = good && report->actuator_diagonal[i] == 0.0;
    }
    return good;
}

// @return UT_ERR_ARGUMENT when M̂ is not positive definite
static utStatus weigh(Judge* judge, double tolerance, utArena scratch, utCertificate* certificate)
{
    utCertificate c = {.contact = -1};
    bool missing = false;
    UT_TRY(ut_certify_missing(judge, scratch, &missing));
    bool belongs = !missing && ut_certify_active_set(judge);
    const bool driven = ut_certify_actuators(judge);
    c.geometry = ut_certify_geometry(judge);
    ut_certify_group(judge);
    if (judge->report->instant) {
        UT_TRY(ut_certify_instant(judge, scratch));
    } else if (judge->report->midpoint) {
        UT_TRY(ut_certify_midpoint(judge, scratch));
    } else if (judged(judge->report->integrator)) {
        UT_TRY(ut_certify_motion(judge, scratch));
    } else {
        UT_TRY(ut_certify_stages(judge, scratch));
    }
    UT_TRY(ut_certify_traces(judge, scratch));
    UT_TRY(ut_certify_momentum(judge, scratch, &c.momentum));
    ut_certify_scale(judge);
    if (judge->impacts) {
        belongs = belongs && ut_certify_impacts_belong(judge);
        UT_TRY(ut_certify_pressed(judge, scratch));
    }
    if (belongs) {
        ut_certify_law(judge, &c);
    }
    c.V = c.contact < 0 ? largest_scale(judge) : c.V;
    c.stored = ut_certify_stored(judge);
    c.position = ut_certify_position(judge);
    c.energy_gain = ut_certify_energy(judge);
    c.passed = decide(&c, driven, belongs, tolerance);
    *certificate = c;
    return UT_OK;
}

// Mocap bodies at a share of their ways.
static void move_mocap(Judge* judge, int m, double share)
{
    const utStepReport* report = judge->report;
    const double* p = report->mocap_pos + (size_t)3 * (size_t)m;
    const double* q = report->mocap_quat + (size_t)4 * (size_t)m;
    const utMotion done = ut_motion_scale(report->mocap_velocity[m], share);
    const utVec3 at = ut_vec3_add_scaled(load3(p), report->h, done.linear);
    const utQuat turned =
        ut_quat_integrate(ut_quat(q[0], q[1], q[2], q[3]), done.angular, report->h);
    const double pos[3] = {at.x, at.y, at.z};
    const double quat[4] = {turned.w, turned.x, turned.y, turned.z};
    judge->mocap_done[m] = done;
    memcpy(judge->mocap_pos + (size_t)3 * (size_t)m, pos, sizeof pos);
    memcpy(judge->mocap_quat + (size_t)4 * (size_t)m, quat, sizeof quat);
}

// Contacts were taken where v_ahead leads.
static utStatus place_ahead(Judge* judge, utArena* scratch)
{
    const utStepReport* report = judge->report;
    const bool between = report->mocap_ahead != NULL;
    UT_TRY(ut_kinematics_create(judge->model, scratch, &judge->touch));
    ut_model_integrate(judge->model, judge->q, report->v_ahead, report->h, judge->position);
    for (int m = 0; between && m < judge->model->nmocap; m++) {
        move_mocap(judge, m, report->mocap_ahead[m]);
    }
    ut_kinematics_place(&judge->touch, judge->position,
                        between ? judge->mocap_pos : report->mocap_pos_next,
                        between ? judge->mocap_quat : report->mocap_quat_next);
    ut_kinematics_carry(&judge->touch, judge->q);
    return UT_OK;
}

// Why a report cannot be judged at all; UT_REASON_NONE when it can.
static utCertificateReason find_obstacle(const utStepReport* report, Formulation* formulation)
{
    const utCertificateReason reason = ut_certify_sound(report);
    if (reason != UT_REASON_NONE) {
        return reason;
    }
    if (!ut_certify_formulation(report, formulation)) {
        return UT_REASON_FORMULATION;
    }
    // in an instant there is nothing to integrate
    const bool known =
        report->instant || judged(report->integrator) || (!report->midpoint && staged(report));
    return known ? UT_REASON_NONE : UT_REASON_INTEGRATOR;
}

utStatus ut_certify_one(const utStepReport* report, const utStepReport* whole, double tolerance,
                        utArena scratch, utCertificate* certificate)
{
    Judge judge = {.report = report, .whole = whole, .model = report->model};
    const utCertificateReason reason = find_obstacle(report, &judge.formulation);
    if (reason != UT_REASON_NONE) {
        *certificate = ut_certify_condemn(reason);
        return UT_OK;
    }
    judge.impacts = ut_certify_has_impacts(report);
    UT_TRY(ut_kinematics_create(report->model, &scratch, &judge.kin));
    if (!push_all(&judge, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(judge.zero, 0, (size_t)report->model->nv * sizeof *judge.zero);
    if (report->projection != NULL) {
        ut_model_integrate(report->model, report->q, report->projection, 1.0, judge.q);
    } else {
        memcpy(judge.q, report->q, (size_t)report->model->nq * sizeof *judge.q);
    }
    ut_model_carry(report->model, report->q, report->v, judge.q, judge.v);
    ut_model_carry(report->model, report->q_next, report->v_next, judge.q, judge.v_next);
    ut_kinematics_place(&judge.kin, judge.q, report->mocap_pos, report->mocap_quat);
    judge.touch = judge.kin;
    judge.heavy = judge.kin;
    if (report->midpoint && !report->instant) {
        UT_TRY(ut_kinematics_create(report->model, &scratch, &judge.heavy));
    }
    if (report->v_ahead != NULL) {
        UT_TRY(place_ahead(&judge, &scratch));
    }
    const utStatus status = weigh(&judge, tolerance, scratch, certificate);
    if (status == UT_ERR_ARGUMENT) {
        *certificate = ut_certify_condemn(UT_REASON_MASS);
        return UT_OK;
    }
    return status;
}

utStatus ut_certify(const utStepReport* report, double tolerance, utArena scratch,
                    utCertificate* certificate)
{
    if (report->model == NULL) {
        *certificate = ut_certify_condemn(UT_REASON_REPORT);
        return UT_OK;
    }
    return report->parts != 0 ? ut_certify_parts(report, tolerance, scratch, certificate)
                              : ut_certify_one(report, NULL, tolerance, scratch, certificate);
}
