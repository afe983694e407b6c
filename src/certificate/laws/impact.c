// SPDX-License-Identifier: Apache-2.0
// Contacts of islands with restitution: what each law of impacts asks of them. Velocities here are
// those of the surfaces, without the rebounds that b_n may have.
//
//     moreau    (r, u less the rebound) is a solution of the step's own law. Where the energy
//               guard left a share of the restitution, r and u are that far from the solution
//               without rebounds to the one with them, u_n is at least the share of the rebound,
//               and nothing is gained. The first solution is told (compression), and both are
//               judged, unless there are rows: what these did in it is not told.
//     poisson   the impulses of compression are a solution; and so are, at the velocities that the
//               step ends with, those beyond (1 + e) of its normal impulses.
//     followed  the one contact is followed once more (follow.c).
#include "follow.h"

static const double AGREES = 1e-12; // relative: what is computed by the same few operations
static const double REBOUND = 1e-9; // relative
static const double CLOSING = 10.0; // what still closes counts so often: 1e-9 of 1e-8
static const double STEADY = 2.0;   // of the model's bounce: what leaves slower may be steady

static bool agrees(double a, double b)
{
    return fabs(a - b) <= AGREES * (fabs(a) + fabs(b));
}

static double norm3(const double* x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static bool is_zero(const double* x)
{
    return x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0;
}

bool ut_certify_has_impacts(const utStepReport* report)
{
    bool any = false;
    for (int k = 0; k < report->islands; k++) {
        any = any || report->island[k].bounce != UT_BOUNCE_NONE;
    }
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        any = any || c->restitution != 0.0 || c->u_n_before != 0.0 || c->rebound != 0.0 ||
              !is_zero(c->compression);
    }
    return any;
}

// ---- islands ------------------------------------------------------------------------------------

static int told_island(const utStepReport* report, int item)
{
    return item < report->contacts ? report->contact[item].island
                                   : report->row[item - report->contacts].island;
}

// What hangs together is in one island.
static bool nothing_is_torn(Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int t = 0; t < judge->model->ntree; t++) {
        judge->stamp[t] = -2;
    }
    for (int item = 0; item < report->contacts + report->rows; item++) {
        int* island = &judge->stamp[island_of(judge, item)];
        *island = *island == -2 ? told_island(report, item) : *island;
        good = good && *island == told_island(report, item);
    }
    return good;
}

// An island is as large as it says.
static bool is_whole(const Judge* judge, int k)
{
    const utStepReport* report = judge->report;
    int contacts = 0, rows = 0;
    for (int item = 0; item < report->contacts + report->rows; item++) {
        if (told_island(report, item) == k) {
            *(item < report->contacts ? &contacts : &rows) += 1;
        }
    }
    return contacts == report->island[k].contacts && rows == report->island[k].rows;
}

static bool island_belongs(const Judge* judge, int k)
{
    const utIsland* island = &judge->report->island[k];
    const bool instant = judge->report->instant;
    const bool all = island->restitution_scale == 1.0;
    switch (island->bounce) {
    case UT_BOUNCE_NONE:
        return true;
    case UT_BOUNCE_MOREAU:
        return island->restitution_scale >= 0.0 && island->restitution_scale <= 1.0 &&
               is_whole(judge, k);
    case UT_BOUNCE_POISSON:
        return instant && all && is_whole(judge, k);
    case UT_BOUNCE_FOLLOWED:
        return instant && all && island->law >= 0 && island->law < FOLLOW_COUNT &&
               is_whole(judge, k) && island->contacts == 1 && island->rows == 0;
    case UT_BOUNCE_COUNT:
        break;
    }
    return false;
}

// ---- what the model says of contacts ------------------------------------------------------------

// e |before| of what closes; where collisions are all there is, up to the hop.
static bool rebound_belongs(const Judge* judge, const utContact* c)
{
    const double speed = c->u_n_before < 0.0 ? -c->u_n_before : 0.0;
    const double least = c->restitution * speed;
    const bool equal = fabs(c->rebound - least) <= REBOUND * least;
    const bool hops = judge->formulation.hops && c->rebound >= least * (1.0 - REBOUND) &&
                      c->rebound <= judge->report->minimum_rebound * (1.0 + REBOUND);
    return equal || hops;
}

static bool contact_belongs(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utIsland* island = contact_island(judge, i);
    const double e =
        ut_model_restitution(judge->model, c->geom1, c->geom2); // a point's: the face's
    const double before = judge->before[3 * i];
    const bool own = agrees(c->restitution, e);
    // what would leave slowly may be taken to have no restitution
    const bool slow = c->restitution == 0.0 &&
                      !(e * -before > STEADY * judge->model->options.bounce * (1.0 + REBOUND));
    switch (bounce_of(judge, i)) {
    case UT_BOUNCE_NONE:
        return (own || c->restitution == 0.0) && c->rebound == 0.0 && is_zero(c->compression);
    case UT_BOUNCE_MOREAU:
        return (c->rebound > 0.0 ? own && rebound_belongs(judge, c)
                                 : c->rebound == 0.0 && (own || c->restitution == 0.0)) &&
               (is_zero(c->compression) || is_shared(island));
    case UT_BOUNCE_POISSON:
        return (own || slow) && (c->rebound == 0.0 || rebound_belongs(judge, c));
    case UT_BOUNCE_FOLLOWED:
        return (own || slow) && c->u_n_before < 0.0 &&
               (c->rebound == 0.0 || rebound_belongs(judge, c));
    case UT_BOUNCE_COUNT:
        break;
    }
    return false;
}

bool ut_certify_impacts_belong(Judge* judge)
{
    bool good = nothing_is_torn(judge) && judge->report->minimum_rebound >= 0.0 &&
                (judge->formulation.hops || judge->report->minimum_rebound == 0.0);
    for (int k = 0; k < judge->report->islands; k++) {
        good = good && island_belongs(judge, k);
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        good = good && contact_belongs(judge, i);
    }
    return good;
}

// ---- velocities on the way ----------------------------------------------------------------------

// change = J M̂^-1 of what has been pushed. work and more_work are work.
static utStatus find_change(Judge* judge, utArena scratch, double* change)
{
    ut_kinematics_move(&judge->kin, judge->zero, NULL);
    ut_kinematics_move(&judge->touch, judge->zero, NULL);
    ut_kinematics_move(&judge->heavy, judge->zero, NULL);
    UT_TRY(ut_certify_pushed(judge, scratch, judge->work));
    UT_TRY(ut_certify_respond(judge, judge->work, scratch, judge->more_work));
    ut_certify_changes(judge, judge->more_work, NULL, change);
    return UT_OK;
}

// Contacts that were followed are alone in their islands and can be pushed together.
static utStatus find_inertias(Judge* judge, utArena scratch)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int contacts = judge->report->contacts;
    int followed = 0;
    for (int axis = 0; axis < contact_rows(judge); axis++) {
        ut_certify_no_push(judge);
        for (int i = 0; i < contacts; i++) {
            if (bounce_of(judge, i) == UT_BOUNCE_FOLLOWED) {
                ut_certify_push(judge, i, unit[axis]);
                followed++;
            }
        }
        if (followed == 0) {
            return UT_OK;
        }
        UT_TRY(find_change(judge, scratch, judge->pressed));
        for (int i = 0; i < 3 * contacts; i++) {
            judge->K[3 * i + axis] = judge->pressed[i];
        }
    }
    return UT_OK;
}

utStatus ut_certify_pressed(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < 9 * report->contacts; i++) {
        judge->K[i] = 0.0;
    }
    UT_TRY(find_inertias(judge, scratch));
    ut_certify_no_push(judge);
    for (int i = 0; i < report->contacts; i++) {
        ut_certify_push(judge, i, report->contact[i].compression);
    }
    UT_TRY(find_change(judge, scratch, judge->pressed));
    for (int i = 0; i < 3 * report->contacts + report->rows; i++) {
        judge->pressed[i] += judge->u_free[i];
    }
    return UT_OK;
}

// ---- what each law says -------------------------------------------------------------------------

static double below(double x, double least)
{
    return isnan(x) || x < least ? least - x : 0.0;
}

static void ask(Verdict* verdict, const double* r, const double* u)
{
    for (int k = 0; k < 3; k++) {
        verdict->r[verdict->laws][k] = r[k];
        verdict->u[verdict->laws][k] = u[k];
    }
    verdict->laws++;
}

// Is the solution without rebounds told?
static bool start_is_told(const Judge* judge, int i)
{
    bool told = false;
    for (int j = 0; j < judge->report->contacts; j++) {
        const utContact* c = &judge->report->contact[j];
        told = told || (c->island == judge->report->contact[i].island && !is_zero(c->compression));
    }
    return told;
}

// With a share s of the restitution, u_n is s rebound - (1 - s) gap where there is an impulse in
// both solutions: of a contact that is alone. Of several each may be pushed away by others in one
// of them, so that the solution without rebounds has to be told; what rows did in it cannot be.
static void judge_moreau(const Judge* judge, int i, Verdict* verdict)
{
    const utContact* c = &judge->report->contact[i];
    const utIsland* island = contact_island(judge, i);
    const bool thrown = is_thrown(judge, i);
    const double gap = thrown ? judge->gap[i] + c->rebound : 0.0; // by which b_n differs
    const double* u = judge->u + 3 * (size_t)i;
    const double* pressed = judge->pressed + 3 * (size_t)i;
    if (!is_shared(island)) {
        const double bare[3] = {u[0] + gap, u[1], u[2]};
        ask(verdict, c->r, island->restitution_scale > 0.0 ? u : bare);
        return;
    }
    // u_n less the rebound is at least (s - 1) (rebound + gap)
    const double least = (island->restitution_scale - 1.0) * gap;
    verdict->off = larger(verdict->off, below(u[0], least));
    if (island->contacts == 1 && island->rows == 0 && !start_is_told(judge, i)) {
        verdict->off = larger(verdict->off, fabs(u[0] - least));
    } else if (island->rows == 0) {
        const double start[3] = {pressed[0] + gap, pressed[1], pressed[2]};
        double end_r[3], end_u[3];
        for (int k = 0; k < 3; k++) {
            end_r[k] =
                c->compression[k] + (c->r[k] - c->compression[k]) / island->restitution_scale;
            end_u[k] = pressed[k] + (u[k] - pressed[k]) / island->restitution_scale;
        }
        ask(verdict, c->compression, start);
        ask(verdict, end_r, end_u);
    }
}

static void judge_poisson(const Judge* judge, int i, Verdict* verdict)
{
    const utContact* c = &judge->report->contact[i];
    const double beyond[3] = {c->r[0] - (1.0 + c->restitution) * c->compression[0],
                              c->r[1] - c->compression[1], c->r[2] - c->compression[2]};
    ask(verdict, beyond, judge->u + 3 * (size_t)i);
    // what rows did while it was compressed is not told
    if (contact_island(judge, i)->rows == 0) {
        ask(verdict, c->compression, judge->pressed + 3 * (size_t)i);
    }
}

static void judge_followed(const Judge* judge, int i, Verdict* verdict)
{
    const utContact* c = &judge->report->contact[i];
    const double* before = judge->before + 3 * (size_t)i;
    const double* K = judge->K + 9 * (size_t)i;
    FollowCase of = {.mu = c->mu, .e = c->restitution};
    of.law = (FollowLaw)contact_island(judge, i)->law;
    if (c->rebound > c->restitution * fabs(before[0]) * (1.0 + REBOUND)) {
        // it has to leave faster than restitution makes it
        of.law = FOLLOW_NEWTON;
        of.e = c->rebound / fabs(before[0]);
    }
    for (int k = 0; k < 9; k++) {
        of.K[k / 3][k % 3] = K[k];
    }
    double r[3], compression[3], off[2][3];
    for (int k = 0; k < 3; k++) {
        of.u[k] = before[k];
    }
    if (!ut_certify_follow(&of, r, compression)) {
        verdict->off = HUGE_VAL;
        return;
    }
    // by what they do: along a direction that nothing moves in, rounding decides which way it slips
    for (int k = 0; k < 3; k++) {
        off[0][k] = off[1][k] = 0.0;
        for (int n = 0; n < 3; n++) {
            off[0][k] += of.K[k][n] * (c->r[n] - r[n]);
            off[1][k] += of.K[k][n] * (c->compression[n] - compression[n]);
        }
    }
    verdict->round = true;
    verdict->off = larger(verdict->off, larger(norm3(off[0]), norm3(off[1])));
    // at its end compression is at rest along the normal
    verdict->off = larger(verdict->off, fabs(judge->pressed[3 * i]));
    if (of.law == FOLLOW_NEWTON) {
        verdict->off = larger(verdict->off, fabs(judge->u[3 * i] + of.e * before[0]));
    }
}

Verdict ut_certify_verdict(const Judge* judge, int contact)
{
    const double rebound =
        is_thrown(judge, contact) ? judge->report->contact[contact].rebound : 0.0;
    Verdict verdict = {.laws = 0};
    switch (bounce_of(judge, contact)) {
    case UT_BOUNCE_MOREAU:
        judge_moreau(judge, contact, &verdict);
        break;
    case UT_BOUNCE_POISSON:
        judge_poisson(judge, contact, &verdict);
        break;
    case UT_BOUNCE_FOLLOWED:
        judge_followed(judge, contact, &verdict);
        break;
    case UT_BOUNCE_NONE:
    case UT_BOUNCE_COUNT:
        break;
    }
    // while time passes, a gap may close
    if (judge->report->instant) {
        const double left = judge->u[3 * contact] + rebound;
        verdict.off = larger(verdict.off, CLOSING * below(left, 0.0));
    }
    return verdict;
}

// ---- the guard ----------------------------------------------------------------------------------

// What a contact may gain that hops: r (u* + rebound) / 2 with the impulse of the solution with
// rebounds, which is at most r / share where that without them is not told.
static double lift_of(const Judge* judge, int i, double share)
{
    const utContact* c = &judge->report->contact[i];
    const double u = judge->u_free[3 * i] - judge->base[3 * i];
    const bool hops =
        is_thrown(judge, i) && c->rebound > c->restitution * fabs(c->u_n_before) * (1.0 + REBOUND);
    const double r = c->compression[0] + (c->r[0] - c->compression[0]) / share;
    const double work = 0.5 * r * (u + c->rebound);
    return hops && share > 0.0 && work > 0.0 ? work : 0.0;
}

// Contacts gain r . (u* + u after) / 2, measured by that and by m V^2.
static double gain_of(const Judge* judge, int k)
{
    double gain = 0.0, size = 0.0;
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        const double V = judge->V[island_of(judge, i)];
        if (c->island != k) {
            continue;
        }
        for (int x = 0; x < 3; x++) {
            // without gaps and rebounds
            const double before = judge->u_free[3 * i + x] - judge->base[3 * i + x];
            const double after = judge->u[3 * i + x] - judge->base[3 * i + x];
            gain += 0.5 * c->r[x] * (before + after);
            size += 0.5 * fabs(c->r[x]) * (fabs(before) + fabs(after));
        }
        gain -= lift_of(judge, i, judge->report->island[k].restitution_scale);
        size += judge->trace[i] > 0.0 ? V * V / judge->trace[i] : 0.0;
    }
    return gain > 0.0 || isnan(gain) ? gain / size : 0.0;
}

double ut_certify_guard(const Judge* judge)
{
    double most = 0.0;
    for (int k = 0; k < judge->report->islands; k++) {
        const utIsland* island = &judge->report->island[k];
        // without any restitution there is nothing to guard
        if (island->bounce == UT_BOUNCE_MOREAU && island->restitution_scale > 0.0 &&
            island->restitution_scale < 1.0) {
            most = larger(most, gain_of(judge, k));
        }
    }
    return most;
}
