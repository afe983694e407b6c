// SPDX-License-Identifier: Apache-2.0
// An impact from its begin to its end: scaling, the order of spans, and the account of it.
#include <string.h>

#include "internal.h"

/// What the account needs beside the point itself.
typedef struct Course {
    utImpactOutcome outcome;
    Phase phase;
    Point at;
    int spans;
    utImpactSpan span[UT_IMPACT_MAX_SPANS];
    int steps;
} Course;

// ---- spans --------------------------------------------------------------------------------------

static void open_span(Course* course, utImpactState state)
{
    utImpactSpan* span = &course->span[course->spans++];
    *span = (utImpactSpan){.state = state, .r_n = course->at.p};
    if (state != UT_IMPACT_STICK) {
        memcpy(span->from, course->at.s, sizeof span->from);
        memcpy(span->to, course->at.s, sizeof span->to);
    }
}

static Event slip_straight(const Contact* c, Course* course)
{
    const Rates rates = ut_impact_slip_rates(c, course->at.s);
    return ut_impact_straight(c, &rates, &course->phase, &course->at);
}

// Without friction u_t runs on the line u_t + a p and changes nothing else.
static Event slip_freely(const Contact* c, Course* course)
{
    const Rates rates = {.f = 1.0};
    Point* at = &course->at;
    const Event event = ut_impact_straight(c, &rates, &course->phase, at);
    const double x = at->v * at->s[0] + c->a[0] * at->p, y = at->v * at->s[1] + c->a[1] * at->p;
    at->v = sqrt(x * x + y * y);
    if (at->v > 0.0) {
        at->s[0] = x / at->v;
        at->s[1] = y / at->v;
    }
    memcpy(course->span[0].to, at->s, sizeof course->span[0].to);
    return event;
}

// slip from the given velocity to the law's end or to rest
static Event slip(const Contact* c, Course* course)
{
    double h, slope;
    ut_impact_turning(c, course->at.s, &h, &slope);
    // what rounding of K and s leaves of h counts as 0
    if (fabs(h) <= 0x1p-49 * ut_impact_rate_scale(c)) {
        open_span(course, UT_IMPACT_SLIP);
        return c->mu > 0.0 ? slip_straight(c, course) : slip_freely(c, course);
    }
    open_span(course, UT_IMPACT_TURN);
    if (c->mu == 0.0) {
        return slip_freely(c, course);
    }
    Event event = ut_impact_turn(c, &course->phase, &course->at, &course->steps);
    if (event == EVENT_NONE && course->steps == IMPACT_MAX_STEPS) {
        course->outcome = UT_IMPACT_STEPS;
    }
    // what is left of the way to rest, or all of the way once the direction stands
    const bool slows = ut_impact_slip_rates(c, course->at.s).g < 0.0;
    if (event == EVENT_NONE || (event == EVENT_STOPPED && slows)) {
        event = slip_straight(c, course);
    }
    memcpy(course->span[0].to, course->at.s, sizeof course->span[0].to);
    return event;
}

// from rest to the law's end
static Event go_on_from_rest(const Contact* c, Course* course)
{
    Rates rates;
    course->at.v = 0.0;
    if (ut_impact_holds(c, &rates)) {
        open_span(course, UT_IMPACT_STICK);
    } else {
        ut_impact_leave(c, course->at.s);
        rates = ut_impact_slip_rates(c, course->at.s);
        // it moves away from rest; what says otherwise is rounding
        rates.g = rates.g > 0.0 ? rates.g : 0.0;
        open_span(course, UT_IMPACT_REVERSE);
    }
    // for a positive definite K both open the contact
    rates.f = rates.f > 0.0 ? rates.f : 0.0;
    return ut_impact_straight(c, &rates, &course->phase, &course->at);
}

static void run(const Contact* c, Course* course)
{
    Event event = EVENT_STOPPED;
    if (course->at.v > 0x1p-60) {
        event = slip(c, course);
    }
    if (event == EVENT_STOPPED) {
        event = go_on_from_rest(c, course);
    }
    if (event == EVENT_LOCKED) {
        course->outcome = UT_IMPACT_LOCKED;
    }
}

// ---- reading ------------------------------------------------------------------------------------

static bool all_finite(const double* x, int n)
{
    bool finite = true;
    for (int i = 0; i < n; i++) {
        finite = finite && fabs(x[i]) <= DBL_MAX;
    }
    return finite;
}

// K as 3 x 3, in the plane with an empty last row and column
static void widen(const utImpact* impact, double K[3][3])
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
            same = same && fabs(K[i][j] - K[j][i]) <= 1e-10 * size;
        }
    }
    return same;
}

// K_nn = 1 and what is left of K_tt without the normal, k - a a^T, has no negative eigenvalue
// beyond rounding
static bool semidefinite(const Contact* c)
{
    const double left[3] = {c->k[0] - c->a[0] * c->a[0], c->k[1] - c->a[0] * c->a[1],
                            c->k[2] - c->a[1] * c->a[1]};
    double value[2], x[2];
    ut_impact_eigen(left, value, x);
    return value[1] >= -1e-10 * (1.0 + c->k[0] + c->k[2]);
}

// The scaled contact. @return false when K is no inverse inertia
static bool scale_contact(double K[3][3], double mu, Contact* c)
{
    const double unit = K[0][0];
    *c = (Contact){
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
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: dimension is %d; it is 2 or 3", n);
    }
    if (!((int)impact->law >= 0 && impact->law < UT_IMPACT_LAW_COUNT)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: there is no law %d; see utImpactLaw",
                            (int)impact->law);
    }
    if (!(impact->e >= 0.0 && impact->e <= 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: restitution e is %g; it lies between 0 and 1", impact->e);
    }
    if (!(impact->mu >= 0.0 && impact->mu <= DBL_MAX)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: friction mu is %g; it is finite and not negative", impact->mu);
    }
    if (!all_finite(impact->u, n)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: velocity u is not finite");
    }
    if (!all_finite(impact->K, n * n)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "impact: inverse inertia K is not finite");
    }
    return UT_OK;
}

static utStatus read_inertia(const utImpact* impact, double K[3][3], Contact* c, utError* err)
{
    widen(impact, K);
    *c = (Contact){.mu = impact->mu};
    const bool immovable = K[0][0] == 0.0 && K[0][1] == 0.0 && K[0][2] == 0.0;
    const bool usable = symmetric(K) && K[1][1] >= 0.0 && K[2][2] >= 0.0;
    if (usable && immovable) {
        return UT_OK;
    }
    if (!usable || !(K[0][0] > 0.0) || !scale_contact(K, impact->mu, c)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: inverse inertia K is not symmetric positive semidefinite; "
                            "J M^-1 J^T is");
    }
    const double largest = c->k[0] > c->k[2] ? c->k[0] : c->k[2];
    if (!(largest * (1.0 + impact->mu) <= 1e60)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "impact: mu K_tt is beyond 1e60 K_nn; such a contact cannot be scaled");
    }
    return UT_OK;
}

// ---- account ------------------------------------------------------------------------------------

static void start(const utImpact* impact, Course* course)
{
    const double closing = -impact->u[0];
    const double t2 = impact->dimension == 3 ? impact->u[2] : 0.0;
    const double t1 = impact->u[1];
    const double largest = fabs(t1) > fabs(t2) ? fabs(t1) : fabs(t2);
    *course = (Course){.phase = ut_impact_phase(impact->law, impact->e), .at = {.u_n = -1.0}};
    if (largest > 0.0) {
        const double x = t1 / largest, y = t2 / largest, length = sqrt(x * x + y * y);
        course->at.s[0] = x / length;
        course->at.s[1] = y / length;
        const double slip = largest / closing * length;
        course->at.v = slip < 1e30 ? slip : 1e30;
    }
}

// r and u at a point, unscaled. Where steps ran out, rest of the kept direction is not quite rest.
static void unscale(const utImpact* impact, double K[3][3], const Point* at,
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
        // from the impulse, so that momentum holds to rounding; rest is rest
        u[i] = rests ? 0.0 : before + K[i][0] * r[0] + K[i][1] * r[1] + K[i][2] * r[2];
    }
}

// whether slip stayed on one line: what turned did not, and what left rest may go another way
static bool stayed_on_line(const Course* course)
{
    const utImpactSpan *first = &course->span[0], *last = &course->span[course->spans - 1];
    if (first->state == UT_IMPACT_TURN) {
        return false;
    }
    if (course->spans == 1 || last->state == UT_IMPACT_STICK) {
        return true;
    }
    return fabs(first->from[0] * last->from[1] - first->from[1] * last->from[0]) <= 0x1p-44;
}

static void account(const utImpact* impact, double K[3][3], const Course* course,
                    utImpactResult* result)
{
    const Phase* phase = &course->phase;
    const double closing = -impact->u[0], unit = closing / K[0][0], work = unit * closing;
    utImpactResult out = {
        .outcome = course->outcome,
        .spans = course->spans,
        .constant = stayed_on_line(course),
        .jamb = phase->jamb,
        .compressions = phase->compressions,
        .work_compression = phase->W_c * work,
        .work_restitution = phase->W_r * work,
        .work_friction = course->at.F * work,
        .steps = course->steps,
    };
    unscale(impact, K, &course->at, out.outcome, out.r, out.u);
    unscale(impact, K, &phase->compressed, out.outcome, out.r_compression, out.u_compression);
    for (int i = 0; i < course->spans; i++) {
        out.span[i] = course->span[i];
        out.span[i].r_n *= unit;
    }
    out.energy = out.work_compression + out.work_restitution + out.work_friction;
    out.restitution[UT_IMPACT_NEWTON] = course->at.u_n;
    out.restitution[UT_IMPACT_POISSON] = phase->p_r / phase->p_c;
    out.restitution[UT_IMPACT_STRONGE] = sqrt(phase->W_r / -phase->W_c);
    *result = out;
}

// nothing happened, or nothing can be done
static void account_for_nothing(const utImpact* impact, utImpactOutcome outcome,
                                utImpactResult* result)
{
    *result = (utImpactResult){.outcome = outcome, .constant = true};
    memcpy(result->u, impact->u, (size_t)impact->dimension * sizeof(double));
}

utStatus ut_impact_solve(const utImpact* impact, utImpactResult* result, utError* err)
{
    double K[3][3];
    Contact contact;
    Course course;
    UT_TRY(check(impact, err));
    UT_TRY(read_inertia(impact, K, &contact, err));
    if (!(impact->u[0] < 0.0)) {
        account_for_nothing(impact, UT_IMPACT_SEPARATING, result);
        return UT_OK;
    }
    start(impact, &course);
    if (K[0][0] > 0.0) {
        run(&contact, &course);
    }
    if (!(K[0][0] > 0.0) || course.outcome == UT_IMPACT_LOCKED) {
        account_for_nothing(impact, UT_IMPACT_LOCKED, result);
        return UT_OK;
    }
    account(impact, K, &course, result);
    return UT_OK;
}
