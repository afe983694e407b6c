// SPDX-License-Identifier: Apache-2.0
// From a report to its certificate: calls the tests in order and decides. docs/certificate.md
// defines every test.
#include <string.h>

#include "internal.h"

// ---- memory -------------------------------------------------------------------------------------

static size_t count_terms(const utStepReport* report)
{
    size_t terms = 0;
    for (int j = 0; j < report->rows; j++) {
        terms += (size_t)report->row[j].terms;
    }
    return terms;
}

// Actuators that drive neither a hinge, a slide nor an equality.
static size_t count_moments(const utModel* model)
{
    size_t count = 0;
    for (int i = 0; i < model->nactuator; i++) {
        count += model->actuator[i].dof < 0 && model->actuator[i].equality < 0;
    }
    return count;
}

// Push some arrays of the same size one behind the other.
static void push_all(utArena* scratch, size_t size, size_t count, double** const array[])
{
    double* all = UT_PUSH(scratch, double, size* count);
    for (size_t k = 0; all != NULL && k < count; k++) {
        *array[k] = all + k * size;
    }
}

static utStatus push_arrays(Judge* judge, utArena* scratch)
{
    const utModel* model = judge->model;
    const size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
    const size_t ntree = (size_t)model->ntree;
    const size_t nmocap = (size_t)model->nmocap;
    const size_t contacts = (size_t)judge->report->contacts;
    const size_t items = contacts + (size_t)judge->report->rows;
    const size_t entries = 3 * contacts + (size_t)judge->report->rows;
    Motion* motion = &judge->motion;
    Items* item = &judge->item;
    double** const of_velocities[] = {
        &judge->v,        &judge->v_next,          &judge->zero,         &judge->temp,
        &judge->temp2,    &motion->diagonal,       &motion->v_free,      &motion->v_free_recomputed,
        &motion->passive, &motion->centripetal,    &motion->impulse,     &motion->residual,
        &motion->v_error, &motion->stage_residual, &motion->stage_error, &motion->force};
    item->body = UT_PUSH(scratch, int, 2 * contacts);
    item->island = UT_PUSH(scratch, int, items);
    double** const of_entries[] = {&item->u_free, &item->u,        &item->b,
                                   &item->base,   &item->u_before, &judge->impact.u_compression};
    push_all(scratch, nv, sizeof of_velocities / sizeof *of_velocities, of_velocities);
    push_all(scratch, entries, sizeof of_entries / sizeof *of_entries, of_entries);
    judge->factor = ut_dyn_factor_create(model, scratch);
    judge->q = UT_PUSH(scratch, double, nq);
    judge->mocap = (MocapAhead){.moved = UT_PUSH(scratch, utMotion, nmocap),
                                .pos = UT_PUSH(scratch, double, 3 * nmocap),
                                .quat = UT_PUSH(scratch, double, 4 * nmocap)};
    motion->q_next = UT_PUSH(scratch, double, nq);
    motion->has_diagonal = UT_PUSH(scratch, bool, ntree);
    motion->plain = UT_PUSH(scratch, bool, ntree);
    motion->jointed = UT_PUSH(scratch, bool, ntree);
    motion->body_impulse = UT_PUSH(scratch, WideForce, model->nbody);
    motion->rounded_impulse = UT_PUSH(scratch, utForce, model->nbody);
    motion->body_force = UT_PUSH(scratch, utForce, model->nbody);
    judge->island = (Islands){.first_tree = UT_PUSH(scratch, int, ntree),
                              .reported = UT_PUSH(scratch, int, ntree),
                              .V = UT_PUSH(scratch, double, ntree),
                              .speed = UT_PUSH(scratch, double, ntree),
                              .largest_trace = UT_PUSH(scratch, double, 2 * ntree)};
    double** const of_axes[] = {&item->turn_b, &item->turn_free, &item->turn,
                                &judge->impact.turn_compression};
    push_all(scratch, 3 * contacts, sizeof of_axes / sizeof *of_axes, of_axes);
    item->trace = UT_PUSH(scratch, double, items);
    item->side_trace = UT_PUSH(scratch, double, 2 * items);
    item->term_trace = UT_PUSH(scratch, double, count_terms(judge->report));
    judge->impact.gap_velocity = UT_PUSH(scratch, double, contacts);
    judge->impact.K = UT_PUSH(scratch, double, 9 * contacts);
    judge->actuator = UT_PUSH(scratch, ActuatorCheck, model->nactuator);
    judge->compensation = UT_PUSH(scratch, double, nv);
    judge->saturated = UT_PUSH(scratch, int, nv);
    judge->moments = UT_PUSH(scratch, double, nv* count_moments(model));
    return ut_arena_failed(scratch) ? UT_ERR_CAPACITY : UT_OK;
}

// ---- the decision -------------------------------------------------------------------------------

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

utCertificate ut_certify_failed(utCertificateReason reason)
{
    return (utCertificate){.passed = false,
                           .reason = reason,
                           .E = HUGE_VAL,
                           .e = HUGE_VAL,
                           .contact = -1,
                           .momentum_contact = -1,
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

static bool is_of_law(utCertificateReason reason)
{
    return reason == UT_REASON_BILATERAL || reason == UT_REASON_COMPLEMENTARITY;
}

bool ut_certificate_within_budget(const utStepReport* report, const utCertificate* certificate)
{
    return report->tier == UT_TIER_BUDGET && is_of_law(certificate->reason) &&
           isfinite(certificate->E) && isfinite(certificate->bilateral);
}

// Find the first test that fails; a NaN fails. In the tier budget the tests of the law come last.
// @return true when all tests passed
static bool decide(utCertificate* c, bool actuators, bool active_set, double tolerance, utTier tier)
{
    const struct {
        utCertificateReason reason;
        double value, limit;
    } tests[] = {
        {UT_REASON_ACTUATORS, actuators ? 0.0 : 1.0, 0.0},
        {UT_REASON_ACTIVE_SET, active_set ? 0.0 : 1.0, 0.0},
        {UT_REASON_GEOMETRY, c->geometry, GEOMETRY_LIMIT},
        {UT_REASON_MOMENTUM, c->momentum, MOMENTUM_LIMIT},
        {UT_REASON_STORED_VELOCITY, c->stored, STORED_LIMIT},
        {UT_REASON_BILATERAL, c->bilateral, BILATERAL_LIMIT},
        {UT_REASON_POSITION, c->position, POSITION_LIMIT},
        {UT_REASON_CONE, c->cone, CONE_LIMIT},
        {UT_REASON_COMPLEMENTARITY, c->E, tolerance},
        {UT_REASON_IMPACT, c->impact, IMPACT_LIMIT},
        {UT_REASON_REPORTED, c->reported, REPORTED_LIMIT},
        {UT_REASON_NOT_FINITE, isfinite(c->V) && isfinite(c->energy_gain) ? 0.0 : 1.0, 0.0},
    };
    c->reason = UT_REASON_NONE;
    c->value = c->limit = 0.0;
    const size_t count = sizeof tests / sizeof *tests;
    size_t failed = count;
    for (size_t k = count; k-- > 0;) {
        const bool later = tier == UT_TIER_BUDGET && failed < count && is_of_law(tests[k].reason) &&
                           !is_of_law(tests[failed].reason);
        failed = tests[k].value <= tests[k].limit || later ? failed : k;
    }
    if (failed == count) {
        return true;
    }
    c->reason = tests[failed].reason;
    c->value = tests[failed].limit > 0.0 ? tests[failed].value : 0.0;
    c->limit = tests[failed].limit;
    return false;
}

// The largest V of all islands, for a step without contacts and rows.
static double largest_scale(const Judge* judge)
{
    double V = 0.0;
    for (int t = 0; t < judge->model->ntree; t++) {
        V = judge->island.first_tree[t] == t ? ut_larger(V, judge->island.V[t]) : V;
    }
    return V;
}

// EULER and IMPLICIT have the same equation for v*.
static bool has_one_equation(utIntegrator integrator)
{
    return integrator == UT_INTEGRATOR_EULER || integrator == UT_INTEGRATOR_IMPLICIT;
}

// RK4 and MIDPOINT have no implicit terms on the diagonal.
static bool has_valid_stages(const utStepReport* report)
{
    bool good = has_stages(report);
    for (int i = 0; report->actuator_diagonal != NULL && i < report->model->nv; i++) {
        good = good && report->actuator_diagonal[i] == 0.0;
    }
    return good;
}

// Run all tests. @return UT_ERR_ARGUMENT when M̂ is not positive definite
static utStatus run_tests(Judge* judge, double tolerance, utArena scratch,
                          utCertificate* certificate)
{
    utCertificate c = {.contact = -1,
                       .momentum_contact = -1,
                       .sleeping = ut_certify_count_sleeping(judge->report)};
    bool missing = false, actuators = false;
    UT_TRY(ut_certify_actuators(judge, scratch, &actuators));
    UT_TRY(ut_certify_missing(judge, scratch, &missing));
    bool active_set = !missing && ut_certify_active_set(judge);
    c.geometry = ut_certify_geometry(judge);
    ut_certify_islands(judge);
    if (judge->report->instant) {
        UT_TRY(ut_certify_instant(judge, scratch));
    } else if (judge->report->midpoint) {
        UT_TRY(ut_certify_midpoint(judge, scratch));
    } else if (has_one_equation(judge->report->integrator)) {
        UT_TRY(ut_certify_motion(judge, scratch));
    } else {
        UT_TRY(ut_certify_stages(judge, scratch));
    }
    UT_TRY(ut_certify_traces(judge, scratch));
    UT_TRY(ut_certify_momentum(judge, scratch, &c.momentum));
    if (!(c.momentum <= MOMENTUM_LIMIT)) {
        UT_TRY(ut_certify_blame(judge, scratch, &c.momentum_contact));
    }
    ut_certify_scale(judge);
    if (judge->impact.present) {
        active_set = active_set && ut_certify_impacts_belong(judge);
        UT_TRY(ut_certify_compression(judge, scratch));
    }
    if (active_set) {
        ut_certify_law(judge, &c);
    }
    c.V = c.contact < 0 ? largest_scale(judge) : c.V;
    c.stored = ut_certify_stored(judge);
    c.position = ut_certify_position(judge);
    c.energy_gain = ut_certify_energy(judge);
    c.passed = decide(&c, actuators, active_set, tolerance, judge->report->tier);
    *certificate = c;
    return UT_OK;
}

// ---- the configuration --------------------------------------------------------------------------

// Place a mocap body after a fraction of its displacement.
static void move_mocap(Judge* judge, int m, double fraction)
{
    const utStepReport* report = judge->report;
    const double* p = report->mocap_pos + (size_t)3 * (size_t)m;
    const double* q = report->mocap_quat + (size_t)4 * (size_t)m;
    const utMotion moved = ut_motion_scale(report->mocap_velocity[m], fraction);
    const utVec3 at = ut_vec3_add_scaled(load3(p), report->h, moved.linear);
    const utQuat rotated =
        ut_quat_integrate(ut_quat(q[0], q[1], q[2], q[3]), moved.angular, report->h);
    const double pos[3] = {at.x, at.y, at.z};
    const double quat[4] = {rotated.w, rotated.x, rotated.y, rotated.z};
    judge->mocap.moved[m] = moved;
    memcpy(judge->mocap.pos + (size_t)3 * (size_t)m, pos, sizeof pos);
    memcpy(judge->mocap.quat + (size_t)4 * (size_t)m, quat, sizeof quat);
}

// Place kin_contact at q ⊕ h v_ahead, where a re-linearised step took its contacts.
static utStatus place_ahead(Judge* judge, utArena* scratch)
{
    const utStepReport* report = judge->report;
    const bool between = report->mocap_ahead != NULL;
    UT_TRY(ut_kinematics_create(judge->model, scratch, &judge->kin_contact));
    ut_model_integrate(judge->model, judge->q, report->v_ahead, report->h, judge->motion.q_next);
    for (int m = 0; between && m < judge->model->nmocap; m++) {
        move_mocap(judge, m, report->mocap_ahead[m]);
    }
    ut_kinematics_place(&judge->kin_contact, judge->motion.q_next,
                        between ? judge->mocap.pos : report->mocap_pos_next,
                        between ? judge->mocap.quat : report->mocap_quat_next);
    ut_kinematics_carry(&judge->kin_contact, judge->q);
    return UT_OK;
}

// Why a report cannot be checked at all; UT_REASON_NONE when it can.
static utCertificateReason find_obstacle(Judge* judge)
{
    const utStepReport* report = judge->report;
    const utCertificateReason reason = ut_certify_validate(report);
    if (reason != UT_REASON_NONE) {
        return reason;
    }
    if (!ut_certify_formulation(report, &judge->traits, judge->section)) {
        return UT_REASON_FORMULATION;
    }
    // an instant has nothing to integrate
    const bool known = report->instant || has_one_equation(report->integrator) ||
                       (!report->midpoint && has_valid_stages(report));
    return known ? UT_REASON_NONE : UT_REASON_INTEGRATOR;
}

// Find out which of the special cases the report has: belts, spinning contacts, impacts.
static void find_traits(Judge* judge)
{
    const utStepReport* report = judge->report;
    judge->impact.present = ut_certify_has_impacts(report);
    for (int g = 0; g < report->model->ngeom; g++) {
        judge->belts = judge->belts || report->model->geom[g].belt;
    }
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        judge->item.body[2 * i] = ut_model_side_body(report->model, c->geom1);
        judge->item.body[2 * i + 1] = ut_model_side_body(report->model, c->geom2);
        judge->spins = judge->spins || contact_spins(c);
    }
    if (judge->spins) {
        *judge->product = ut_section_rolling();
    }
}

// Place the bodies at the start and at the end of the step, each once. @param kept may be NULL
static utStatus place_bodies(Judge* judge, CertificatePlacements* kept, utArena* scratch)
{
    const utStepReport* report = judge->report;
    const bool placed = kept != NULL && ut_certificate_placed_at(kept, judge->q, report->mocap_pos,
                                                                 report->mocap_quat);
    if (kept != NULL) {
        judge->knows_energy = placed && report->projection == NULL &&
                              ut_certificate_knows_energy(kept, report->v, report->gravity);
        judge->energy_before = kept->energy;
        judge->kin_start = kept->kin[kept->last];
        judge->kin_end = kept->kin[1 - kept->last];
        kept->valid = false;
    } else {
        UT_TRY(ut_kinematics_create(report->model, scratch, &judge->kin_start));
        UT_TRY(ut_kinematics_create(report->model, scratch, &judge->kin_end));
    }
    if (!placed) {
        ut_kinematics_place(&judge->kin_start, judge->q, report->mocap_pos, report->mocap_quat);
    }
    ut_kinematics_place(&judge->kin_end, report->q_next, report->mocap_pos_next,
                        report->mocap_quat_next);
    ut_certify_leave_out_sleeping(judge);
    judge->kin_contact = judge->kin_start;
    judge->kin_mass = judge->kin_start;
    if (report->midpoint && !report->instant) {
        UT_TRY(ut_kinematics_create(report->model, scratch, &judge->kin_mass));
    }
    return report->v_ahead != NULL ? place_ahead(judge, scratch) : UT_OK;
}

utStatus ut_certify_report(const utStepReport* report, const utStepReport* step, double tolerance,
                           CertificatePlacements* kept, utArena scratch, utCertificate* certificate)
{
    Judge judge = {.report = report,
                   .step = step,
                   .model = report->model,
                   .section = UT_PUSH(&scratch, utSection, 1),
                   .product = UT_PUSH(&scratch, utSection, 1)};
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    const utCertificateReason reason = find_obstacle(&judge);
    if (reason != UT_REASON_NONE) {
        *certificate = ut_certify_failed(reason);
        return UT_OK;
    }
    if (ut_certify_nothing_moves(report)) {
        *certificate = (utCertificate){.passed = true,
                                       .contact = -1,
                                       .momentum_contact = -1,
                                       .sleeping = report->model->ntree,
                                       .V = report->h * ut_vec3_norm(report->gravity)};
        return UT_OK;
    }
    UT_TRY(push_arrays(&judge, &scratch));
    find_traits(&judge);
    memset(judge.zero, 0, (size_t)report->model->nv * sizeof *judge.zero);
    if (report->projection != NULL) {
        ut_model_integrate(report->model, report->q, report->projection, 1.0, judge.q);
    } else {
        memcpy(judge.q, report->q, (size_t)report->model->nq * sizeof *judge.q);
    }
    ut_model_carry(report->model, report->q, report->v, judge.q, judge.v);
    ut_model_carry(report->model, report->q_next, report->v_next, judge.q, judge.v_next);
    UT_TRY(place_bodies(&judge, kept, &scratch));
    const utStatus status = run_tests(&judge, tolerance, scratch, certificate);
    // energies of steps with mocap bodies place kin_end once more
    if (kept != NULL && status == UT_OK && report->model->nmocap == 0) {
        ut_certificate_keep_placement(kept, report->q_next, NULL, NULL);
        ut_certificate_keep_energy(kept, report->v_next, report->gravity, judge.energy_after,
                                   judge.kinetic_after);
    }
    if (status == UT_ERR_ARGUMENT) {
        *certificate = ut_certify_failed(UT_REASON_MASS);
        return UT_OK;
    }
    return status;
}

utStatus ut_certify_with(const utStepReport* report, double tolerance, CertificatePlacements* kept,
                         utArena scratch, utCertificate* certificate)
{
    if (report->model == NULL) {
        *certificate = ut_certify_failed(UT_REASON_REPORT);
        return UT_OK;
    }
    return report->parts != 0
               ? ut_certify_parts(report, tolerance, scratch, certificate)
               : ut_certify_report(report, NULL, tolerance, kept, scratch, certificate);
}

utStatus ut_certify(const utStepReport* report, double tolerance, utArena scratch,
                    utCertificate* certificate)
{
    return ut_certify_with(report, tolerance, NULL, scratch, certificate);
}
