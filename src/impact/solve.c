// SPDX-License-Identifier: Apache-2.0
// One impact from beginning to end: checks, scaling, the sequence of spans, and the result.
#include <string.h>

#include "internal.h"
#include "la/scalar.h"

// limits of scaled quantities
static const double MIN_SLIP = 0x1p-60;   // slower slip has no visible effect: the contact rests
static const double MAX_SLIP = 1e30;      // faster slip is taken to be this fast
static const double MAX_STIFFNESS = 1e60; // of mu K_tt, so that products of rates do not overflow

// relative tolerances
static const double ROUNDING_OF_H = 0x1p-49; // a smaller turn rate h is a rounding error of K and s
static const double K_TOLERANCE = 1e-10;     // asymmetry and negative eigenvalues of K
static const double SAME_LINE = 0x1p-44;     // sine of the angle between directions of one line

// An impact that is being followed.
typedef struct ImpactRun {
    utImpactOutcome outcome;
    Phase phase;
    Progress at;
    int spans;
    utImpactSpan span[UT_IMPACT_MAX_SPANS];
    int steps;
} ImpactRun;

// ---- spans --------------------------------------------------------------------------------------

static void begin_span(ImpactRun* run, utImpactState state)
{
    utImpactSpan* span = &run->span[run->spans++];
    *span = (utImpactSpan){.state = state, .r_n = run->at.p};
    if (state != UT_IMPACT_STICK) {
        memcpy(span->from, run->at.s, sizeof span->from);
        memcpy(span->to, run->at.s, sizeof span->to);
    }
}

static Event slip_straight(const ScaledContact* c, ImpactRun* run)
{
    const Rates rates = ut_impact_slip_rates(c, run->at.s);
    return ut_impact_constant_rates(c, &rates, &run->phase, &run->at);
}

// Without friction u_t moves along the line u_t + a p and has no effect on anything else.
static Event slip_without_friction(const ScaledContact* c, ImpactRun* run)
{
    const Rates rates = {.f = 1.0};
    Progress* at = &run->at;
    const Event event = ut_impact_constant_rates(c, &rates, &run->phase, at);
    const double x = at->v * at->s[0] + c->a[0] * at->p, y = at->v * at->s[1] + c->a[1] * at->p;
    at->v = sqrt(x * x + y * y);
    if (at->v > 0.0) {
        at->s[0] = x / at->v;
        at->s[1] = y / at->v;
    }
    memcpy(run->span[0].to, at->s, sizeof run->span[0].to);
    return event;
}

// Slip until restitution is complete or slip stops.
static Event slip(const ScaledContact* c, ImpactRun* run)
{
    double h, slope;
    ut_impact_turn_rate(c, run->at.s, &h, &slope);
    if (fabs(h) <= ROUNDING_OF_H * ut_impact_rate_scale(c)) {
        begin_span(run, UT_IMPACT_SLIP);
        return c->mu > 0.0 ? slip_straight(c, run) : slip_without_friction(c, run);
    }
    begin_span(run, UT_IMPACT_TURN);
    if (c->mu == 0.0) {
        return slip_without_friction(c, run);
    }
    Event event = ut_impact_turning_slip(c, &run->phase, &run->at, &run->steps);
    if (event == EVENT_NONE && run->steps == IMPACT_MAX_STEPS) {
        run->outcome = UT_IMPACT_STEPS;
    }
    // finish with constant rates: to rest when slip is almost over, or along the final direction
    const bool slows = ut_impact_slip_rates(c, run->at.s).g < 0.0;
    if (event == EVENT_NONE || (event == EVENT_SLIP_STOPS && slows)) {
        event = slip_straight(c, run);
    }
    memcpy(run->span[0].to, run->at.s, sizeof run->span[0].to);
    return event;
}

// Stick, or slip that starts from rest, until restitution is complete.
static Event continue_from_rest(const ScaledContact* c, ImpactRun* run)
{
    Rates rates;
    run->at.v = 0.0;
    if (ut_impact_sticks(c, &rates)) {
        begin_span(run, UT_IMPACT_STICK);
    } else {
        ut_impact_reversal(c, run->at.s);
        rates = ut_impact_slip_rates(c, run->at.s);
        // slip moves away from rest; a negative rate is a rounding error
        rates.g = rates.g > 0.0 ? rates.g : 0.0;
        begin_span(run, UT_IMPACT_REVERSE);
    }
    // for a positive definite K both open the contact; a negative rate is a rounding error
    rates.f = rates.f > 0.0 ? rates.f : 0.0;
    return ut_impact_constant_rates(c, &rates, &run->phase, &run->at);
}

static void follow(const ScaledContact* c, ImpactRun* run)
{
    Event event = EVENT_SLIP_STOPS;
    if (run->at.v > MIN_SLIP) {
        event = slip(c, run);
    }
    if (event == EVENT_SLIP_STOPS) {
        event = continue_from_rest(c, run);
    }
    if (event == EVENT_LOCKED) {
        run->outcome = UT_IMPACT_LOCKED;
    }
}

// ---- arguments ----------------------------------------------------------------------------------

// K as 3 x 3; in the plane the last row and column are 0
static void copy_K(const utImpact* impact, double K[3][3])
{
    const int n = impact->dimension;
    memset(K, 0, 9 * sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            K[i][j] = impact->K[i * n + j];
        }
    }
}

static bool symmetric(double K[3][3])
{
    bool same = true;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const double size = sqrt(fabs(K[i][i])) * sqrt(fabs(K[j][j]));
            same = same && fabs(K[i][j] - K[j][i]) <= K_TOLERANCE * size;
        }
    }
    return same;
}

// Is K positive semidefinite? With K_nn = 1 it is when its Schur complement k - a a^T has no
// negative eigenvalue beyond rounding.
static bool semidefinite(const ScaledContact* c)
{
    const double schur[3] = {c->k[0] - c->a[0] * c->a[0], c->k[1] - c->a[0] * c->a[1],
                             c->k[2] - c->a[1] * c->a[1]};
    double value[2], x[2];
    ut_impact_eigen(schur, value, x);
    return value[1] >= -K_TOLERANCE * (1.0 + c->k[0] + c->k[2]);
}

// @return false when K is not positive semidefinite
static bool scale_contact(double K[3][3], double mu, ScaledContact* c)
{
    const double unit = K[0][0];
    *c = (ScaledContact){
        .a = {0.5 * (K[0][1] + K[1][0]) / unit, 0.5 * (K[0][2] + K[2][0]) / unit},
        .k = {K[1][1] / unit, 0.5 * (K[1][2] + K[2][1]) / unit, K[2][2] / unit},
        .mu = mu,
    };
    return semidefinite(c);
}

static utStatus check(const utImpact* impact, utError* err)
{
    const int n = impact->dimension;
    if (n != 2 && n != 3) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: dimension is %d; it must be 2 or 3", n);
    }
    if (!((int)impact->law >= 0 && impact->law < UT_IMPACT_LAW_COUNT)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: there is no law %d; see utImpactLaw",
                            (int)impact->law);
    }
    if (!(impact->e >= 0.0 && impact->e <= 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: restitution e is %g; it must be between 0 and 1", impact->e);
    }
    if (!(impact->mu >= 0.0 && impact->mu <= DBL_MAX)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: friction mu is %g; it must be finite and not negative",
                            impact->mu);
    }
    if (!ut_all_finite((size_t)n, impact->u)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: velocity u is not finite");
    }
    if (!ut_all_finite((size_t)n * (size_t)n, impact->K)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: inverse inertia K is not finite");
    }
    return UT_OK;
}

static utStatus read_inertia(const utImpact* impact, double K[3][3], ScaledContact* c, utError* err)
{
    copy_K(impact, K);
    *c = (ScaledContact){.mu = impact->mu};
    const bool immovable = K[0][0] == 0.0 && K[0][1] == 0.0 && K[0][2] == 0.0;
    const bool usable = symmetric(K) && K[1][1] >= 0.0 && K[2][2] >= 0.0;
    if (usable && immovable) {
        return UT_OK;
    }
    if (!usable || !(K[0][0] > 0.0) || !scale_contact(K, impact->mu, c)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: inverse inertia K is not symmetric positive semidefinite; "
                            "compute it as J M^-1 J^T");
    }
    const double largest = c->k[0] > c->k[2] ? c->k[0] : c->k[2];
    if (!(largest * (1.0 + impact->mu) <= MAX_STIFFNESS)) {
        return ut_error_set(
            err, UT_ERR_ARGUMENT,
            "impact: mu K_tt is larger than 1e60 K_nn; such a contact cannot be scaled");
    }
    return UT_OK;
}

// ---- the result ---------------------------------------------------------------------------------

static void start(const utImpact* impact, ImpactRun* run)
{
    const double closing = -impact->u[0];
    const double t2 = impact->dimension == 3 ? impact->u[2] : 0.0;
    const double t1 = impact->u[1];
    const double largest = fabs(t1) > fabs(t2) ? fabs(t1) : fabs(t2);
    *run = (ImpactRun){.phase = ut_impact_phase(impact->law, impact->e), .at = {.u_n = -1.0}};
    if (largest > 0.0) {
        const double x = t1 / largest, y = t2 / largest, length = sqrt(x * x + y * y);
        run->at.s[0] = x / length;
        run->at.s[1] = y / length;
        const double slip = largest / closing * length;
        run->at.v = slip < MAX_SLIP ? slip : MAX_SLIP;
    }
}

// r and u in the caller's units. After UT_IMPACT_STEPS the direction of slip is approximate, so
// that v = 0 does not mean that the contact is at rest.
static void unscale(const utImpact* impact, double K[3][3], const Progress* at,
                    utImpactOutcome outcome, double r[3], double u[3])
{
    const bool rests = at->v == 0.0 && outcome != UT_IMPACT_STEPS;
    const double closing = -impact->u[0], unit = closing / K[0][0];
    r[0] = at->p * unit;
    r[1] = at->r_t[0] * unit;
    r[2] = at->r_t[1] * unit;
    u[0] = at->u_n * closing;
    for (int i = 1; i < 3; i++) {
        const double before = i < impact->dimension ? impact->u[i] : 0.0;
        // computed from the impulse, so that momentum holds to rounding; at rest u is exactly 0
        u[i] = rests ? 0.0 : before + K[i][0] * r[0] + K[i][1] * r[1] + K[i][2] * r[2];
    }
}

// Did slip stay on one line? Slip that turns did not; slip that starts from rest may have changed
// its direction.
static bool stayed_on_line(const ImpactRun* run)
{
    const utImpactSpan *first = &run->span[0], *last = &run->span[run->spans - 1];
    if (first->state == UT_IMPACT_TURN) {
        return false;
    }
    if (run->spans == 1 || last->state == UT_IMPACT_STICK) {
        return true;
    }
    return fabs(first->from[0] * last->from[1] - first->from[1] * last->from[0]) <= SAME_LINE;
}

static void write_result(const utImpact* impact, double K[3][3], const ImpactRun* run,
                         utImpactResult* result)
{
    const Phase* phase = &run->phase;
    const double closing = -impact->u[0], unit = closing / K[0][0], work = unit * closing;
    utImpactResult out = {
        .outcome = run->outcome,
        .spans = run->spans,
        .straight = stayed_on_line(run),
        .jam = phase->jam,
        .compressions = phase->compressions,
        .work_compression = phase->W_c * work,
        .work_restitution = phase->W_r * work,
        .work_friction = run->at.F * work,
        .steps = run->steps,
    };
    unscale(impact, K, &run->at, out.outcome, out.r, out.u);
    unscale(impact, K, &phase->compressed, out.outcome, out.r_compression, out.u_compression);
    for (int i = 0; i < run->spans; i++) {
        out.span[i] = run->span[i];
        out.span[i].r_n *= unit;
    }
    out.energy = out.work_compression + out.work_restitution + out.work_friction;
    out.restitution[UT_IMPACT_NEWTON] = run->at.u_n;
    out.restitution[UT_IMPACT_POISSON] = phase->p_r / phase->p_c;
    out.restitution[UT_IMPACT_STRONGE] = sqrt(phase->W_r / -phase->W_c);
    *result = out;
}

// A result without an impulse.
static void write_empty_result(const utImpact* impact, utImpactOutcome outcome,
                               utImpactResult* result)
{
    *result = (utImpactResult){.outcome = outcome, .straight = true};
    memcpy(result->u, impact->u, (size_t)impact->dimension * sizeof(double));
}

utStatus ut_impact_solve(const utImpact* impact, utImpactResult* result, utError* err)
{
    double K[3][3];
    ScaledContact contact;
    ImpactRun run;
    UT_TRY(check(impact, err));
    UT_TRY(read_inertia(impact, K, &contact, err));
    if (!(impact->u[0] < 0.0)) {
        write_empty_result(impact, UT_IMPACT_SEPARATING, result);
        return UT_OK;
    }
    start(impact, &run);
    if (K[0][0] > 0.0) {
        follow(&contact, &run);
    }
    if (!(K[0][0] > 0.0) || run.outcome == UT_IMPACT_LOCKED) {
        write_empty_result(impact, UT_IMPACT_LOCKED, result);
        return UT_OK;
    }
    write_result(impact, K, &run, result);
    return UT_OK;
}
