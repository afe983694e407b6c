// SPDX-License-Identifier: Apache-2.0
// The tests of contacts in islands with restitution. Velocities are those of the surfaces, without
// the rebounds that b_n may include.
//
//     moreau    r and u less the rebound solve the step's law. With a restitution scale s between 0
//               and 1, r and u lie at the fraction s between the solution without rebounds and the
//               one with them; u_n is at least s times the rebound; the contacts gain no energy.
//               The report states the first solution (compression), and the test checks both, but
//               not with rows in the island: the report lacks their impulses in the first one.
//     poisson   the impulses of compression solve the law, and so do, at the final velocities, the
//               impulses beyond (1 + e) times the normal impulses of compression.
//     followed  follow.c integrates the single contact again.
#include "follow.h"

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
              !is_zero(c->compression) || !is_zero(c->compression_torque);
    }
    return any;
}

// ---- islands ------------------------------------------------------------------------------------

static int reported_island(const utStepReport* report, int item)
{
    return item < report->contacts ? report->contact[item].island
                                   : report->row[item - report->contacts].island;
}

// Do all contacts and rows that share a tree report the same island?
static bool islands_connected(Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int t = 0; t < judge->model->ntree; t++) {
        judge->island.reported[t] = -2;
    }
    for (int item = 0; item < report->contacts + report->rows; item++) {
        int* island = &judge->island.reported[island_of(judge, item)];
        *island = *island == -2 ? reported_island(report, item) : *island;
        good = good && *island == reported_island(report, item);
    }
    return good;
}

// Does an island have as many contacts and rows as it states?
static bool has_stated_size(const Judge* judge, int k)
{
    const utStepReport* report = judge->report;
    int contacts = 0, rows = 0;
    for (int item = 0; item < report->contacts + report->rows; item++) {
        if (reported_island(report, item) == k) {
            *(item < report->contacts ? &contacts : &rows) += 1;
        }
    }
    return contacts == report->island[k].contacts && rows == report->island[k].rows;
}

static bool island_belongs(const Judge* judge, int k)
{
    const utIsland* island = &judge->report->island[k];
    const bool instant = judge->report->instant;
    const bool unscaled = island->restitution_scale == 1.0;
    switch (island->bounce) {
    case UT_BOUNCE_NONE:
        return true;
    case UT_BOUNCE_MOREAU:
        return island->restitution_scale >= 0.0 && island->restitution_scale <= 1.0 &&
               has_stated_size(judge, k);
    case UT_BOUNCE_POISSON:
        return instant && unscaled && has_stated_size(judge, k);
    case UT_BOUNCE_FOLLOWED:
        return instant && unscaled && island->law >= 0 && island->law < FOLLOW_COUNT &&
               has_stated_size(judge, k) && island->contacts == 1 && island->rows == 0;
    case UT_BOUNCE_COUNT:
        break;
    }
    return false;
}

// ---- contacts -----------------------------------------------------------------------------------

// The rebound is e |u_n before| of a closing contact; with collisions only it may be raised up to
// the minimum rebound.
static bool rebound_belongs(const Judge* judge, const utContact* c)
{
    const double speed = c->u_n_before < 0.0 ? -c->u_n_before : 0.0;
    const double least = c->restitution * speed;
    const bool equal = fabs(c->rebound - least) <= SAME_REBOUND * least;
    const bool raised = judge->traits.collisions_only &&
                        c->rebound >= least * (1.0 - SAME_REBOUND) &&
                        c->rebound <= judge->report->minimum_rebound * (1.0 + SAME_REBOUND);
    return equal || raised;
}

static bool contact_belongs(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utIsland* island = contact_island(judge, i);
    // an explicit contact has the restitution of its face
    const double e = ut_model_restitution(judge->model, c->geom1, c->geom2);
    const double before = judge->item.u_before[3 * i];
    const bool as_model = same_value(c->restitution, e);
    // the engine may drop the restitution of a contact that would leave slowly
    const bool slow =
        c->restitution == 0.0 &&
        !(e * -before > STEADY_FACTOR * judge->model->options.bounce * (1.0 + SAME_REBOUND));
    switch (bounce_of(judge, i)) {
    case UT_BOUNCE_NONE:
        return (as_model || c->restitution == 0.0) && c->rebound == 0.0 &&
               is_zero(c->compression) && is_zero(c->compression_torque);
    case UT_BOUNCE_MOREAU:
        return (c->rebound > 0.0 ? as_model && rebound_belongs(judge, c)
                                 : c->rebound == 0.0 && (as_model || c->restitution == 0.0)) &&
               ((is_zero(c->compression) && is_zero(c->compression_torque)) || is_scaled(island));
    case UT_BOUNCE_POISSON:
        return (as_model || slow) && (c->rebound == 0.0 || rebound_belongs(judge, c));
    case UT_BOUNCE_FOLLOWED:
        return (as_model || slow) && c->u_n_before < 0.0 &&
               (c->rebound == 0.0 || rebound_belongs(judge, c));
    case UT_BOUNCE_COUNT:
        break;
    }
    return false;
}

bool ut_certify_impacts_belong(Judge* judge)
{
    bool good = islands_connected(judge) && judge->report->minimum_rebound >= 0.0 &&
                (judge->traits.collisions_only || judge->report->minimum_rebound == 0.0);
    for (int k = 0; k < judge->report->islands; k++) {
        good = good && island_belongs(judge, k);
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        good = good && contact_belongs(judge, i);
    }
    return good;
}

// ---- velocities after compression ---------------------------------------------------------------

// change = J M̂^-1 J' of body_impulse. temp and temp2 are used.
static utStatus find_change(Judge* judge, utArena scratch, double* change)
{
    UT_TRY(ut_certify_joint_impulse(judge, scratch, judge->temp));
    ut_certify_apply_inverse_mass(judge, judge->temp, judge->temp2);
    ut_certify_apply_jacobian(judge, judge->temp2, NULL, change);
    return UT_OK;
}

// K of followed contacts. Each is alone in its island, so unit impulses act on all of them at once.
static utStatus find_K(Judge* judge, utArena scratch)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int contacts = judge->report->contacts;
    int followed = 0;
    for (int axis = 0; axis < contact_rows(judge); axis++) {
        ut_certify_clear_impulses(judge);
        for (int i = 0; i < contacts; i++) {
            if (bounce_of(judge, i) == UT_BOUNCE_FOLLOWED) {
                ut_certify_add_impulse(judge, i, unit[axis], NULL);
                followed++;
            }
        }
        if (followed == 0) {
            return UT_OK;
        }
        UT_TRY(find_change(judge, scratch, judge->impact.u_compression));
        for (int i = 0; i < 3 * contacts; i++) {
            judge->impact.K[3 * i + axis] = judge->impact.u_compression[i];
        }
    }
    return UT_OK;
}

utStatus ut_certify_compression(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < 9 * report->contacts; i++) {
        judge->impact.K[i] = 0.0;
    }
    UT_TRY(find_K(judge, scratch));
    ut_certify_clear_impulses(judge);
    for (int i = 0; i < report->contacts; i++) {
        ut_certify_add_impulse(judge, i, report->contact[i].compression,
                               report->contact[i].compression_torque);
    }
    UT_TRY(find_change(judge, scratch, judge->impact.u_compression));
    ut_certify_turns(judge, false, judge->impact.turn_compression);
    for (int i = 0; i < 3 * report->contacts; i++) {
        judge->impact.turn_compression[i] += judge->item.turn_free[i];
    }
    for (int i = 0; i < 3 * report->contacts + report->rows; i++) {
        judge->impact.u_compression[i] += judge->item.u_free[i];
    }
    return UT_OK;
}

// ---- the laws -----------------------------------------------------------------------------------

// The amount by which x is below a bound; 0 when it is not.
static double shortfall(double x, double bound)
{
    return isnan(x) || x < bound ? bound - x : 0.0;
}

// Ask for the friction law of these impulses and velocities.
static void add_law(ImpactCheck* check, ContactRows rows)
{
    check->rows[check->laws++] = rows;
}

// Does the report state the solution without rebounds of a contact's island?
static bool has_compression(const Judge* judge, int i)
{
    bool found = false;
    for (int j = 0; j < judge->report->contacts; j++) {
        const utContact* c = &judge->report->contact[j];
        found =
            found || (c->island == judge->report->contact[i].island && !is_zero(c->compression));
    }
    return found;
}

// A single contact has impulses in both solutions, so with the scale s u_n = s rebound - (1 - s)
// gap velocity. In a larger island another contact may open this one in one of the solutions, so
// the test needs the solution without rebounds.
static void check_moreau(const Judge* judge, int i, ImpactCheck* check)
{
    const utContact* c = &judge->report->contact[i];
    const utIsland* island = contact_island(judge, i);
    // the difference of b_n between the solutions without and with rebounds
    const double b_change =
        has_moreau_rebound(judge, i) ? judge->impact.gap_velocity[i] + c->rebound : 0.0;
    const double* u = judge->item.u + 3 * (size_t)i;
    const double* turn = judge->item.turn + 3 * (size_t)i;
    ContactRows now = ut_certify_rows(judge, c, c->r, c->torque, u, turn);
    if (!is_scaled(island)) {
        now.u[0] += island->restitution_scale > 0.0 ? 0.0 : b_change;
        add_law(check, now);
        return;
    }
    // u_n less the rebound is at least (s - 1) (rebound + gap velocity)
    const double bound = (island->restitution_scale - 1.0) * b_change;
    check->error = ut_larger(check->error, shortfall(u[0], bound));
    if (island->contacts == 1 && island->rows == 0 && !has_compression(judge, i)) {
        check->error = ut_larger(check->error, fabs(u[0] - bound));
    } else if (island->rows == 0) {
        ContactRows start = ut_certify_rows(judge, c, c->compression, c->compression_torque,
                                            judge->impact.u_compression + 3 * (size_t)i,
                                            judge->impact.turn_compression + 3 * (size_t)i);
        ContactRows end = {.r = {0.0}};
        for (int k = 0; k < UT_LAW_MAX_DIMENSION; k++) {
            end.r[k] = start.r[k] + (now.r[k] - start.r[k]) / island->restitution_scale;
            end.u[k] = start.u[k] + (now.u[k] - start.u[k]) / island->restitution_scale;
        }
        start.u[0] += b_change;
        add_law(check, start);
        add_law(check, end);
    }
}

static void check_poisson(const Judge* judge, int i, ImpactCheck* check)
{
    const utContact* c = &judge->report->contact[i];
    const double beyond[3] = {c->r[0] - (1.0 + c->restitution) * c->compression[0],
                              c->r[1] - c->compression[1], c->r[2] - c->compression[2]};
    const double none[3] = {0.0, 0.0, 0.0}; // islands of an instant have no torques
    add_law(check, ut_certify_rows(judge, c, beyond, none, judge->item.u + 3 * (size_t)i, none));
    // the report lacks the impulses of rows during compression
    if (contact_island(judge, i)->rows == 0) {
        add_law(check, ut_certify_rows(judge, c, c->compression, none,
                                       judge->impact.u_compression + 3 * (size_t)i, none));
    }
}

static void check_followed(const Judge* judge, int i, ImpactCheck* check)
{
    const utContact* c = &judge->report->contact[i];
    const double* before = judge->item.u_before + 3 * (size_t)i;
    const double* K = judge->impact.K + 9 * (size_t)i;
    FollowCase impact = {.mu = c->mu, .e = c->restitution};
    impact.law = (FollowLaw)contact_island(judge, i)->law;
    if (c->rebound > c->restitution * fabs(before[0]) * (1.0 + SAME_REBOUND)) {
        // the minimum rebound exceeds that of restitution
        impact.law = FOLLOW_NEWTON;
        impact.e = c->rebound / fabs(before[0]);
    }
    for (int k = 0; k < 9; k++) {
        impact.K[k / 3][k % 3] = K[k];
    }
    double r[3], compression[3], error[2][3];
    for (int k = 0; k < 3; k++) {
        impact.u[k] = before[k];
    }
    if (!ut_certify_follow(&impact, r, compression)) {
        check->error = HUGE_VAL;
        return;
    }
    // compare velocities, because in a direction without mobility rounding decides the impulse
    for (int k = 0; k < 3; k++) {
        error[0][k] = error[1][k] = 0.0;
        for (int n = 0; n < 3; n++) {
            error[0][k] += impact.K[k][n] * (c->r[n] - r[n]);
            error[1][k] += impact.K[k][n] * (c->compression[n] - compression[n]);
        }
    }
    check->circular = true;
    check->error = ut_larger(check->error, ut_larger(norm3(error[0]), norm3(error[1])));
    // the normal velocity is 0 at the end of compression
    check->error = ut_larger(check->error, fabs(judge->impact.u_compression[3 * i]));
    if (impact.law == FOLLOW_NEWTON) {
        check->error = ut_larger(check->error, fabs(judge->item.u[3 * i] + impact.e * before[0]));
    }
}

ImpactCheck ut_certify_impact(const Judge* judge, int contact)
{
    const double rebound =
        has_moreau_rebound(judge, contact) ? judge->report->contact[contact].rebound : 0.0;
    ImpactCheck check = {.laws = 0};
    switch (bounce_of(judge, contact)) {
    case UT_BOUNCE_MOREAU:
        check_moreau(judge, contact, &check);
        break;
    case UT_BOUNCE_POISSON:
        check_poisson(judge, contact, &check);
        break;
    case UT_BOUNCE_FOLLOWED:
        check_followed(judge, contact, &check);
        break;
    case UT_BOUNCE_NONE:
    case UT_BOUNCE_COUNT:
        break;
    }
    // only in an instant: in a sub-step a contact may close its gap
    if (judge->report->instant) {
        const double u_n = judge->item.u[3 * contact] + rebound;
        check.error = ut_larger(check.error, CLOSING_WEIGHT * shortfall(u_n, 0.0));
    }
    return check;
}

// ---- energy limit -------------------------------------------------------------------------------

// The energy that a contact with a raised rebound may gain: r (u* + rebound) / 2 with the impulse
// of the solution with rebounds. Without the other solution that impulse is at most r / scale.
static double allowed_gain(const Judge* judge, int i, double scale)
{
    const utContact* c = &judge->report->contact[i];
    const double u = judge->item.u_free[3 * i] - judge->item.base[3 * i];
    const bool raised = has_moreau_rebound(judge, i) &&
                        c->rebound > c->restitution * fabs(c->u_n_before) * (1.0 + SAME_REBOUND);
    const double r = c->compression[0] + (c->r[0] - c->compression[0]) / scale;
    const double work = 0.5 * r * (u + c->rebound);
    return raised && scale > 0.0 && work > 0.0 ? work : 0.0;
}

// The energy gain of the contacts of island k, sum of r . (u* + u) / 2, relative to the sum of the
// terms' sizes and of m V^2.
static double relative_gain(const Judge* judge, int k)
{
    double gain = 0.0, size = 0.0;
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        const double V = judge->island.V[island_of(judge, i)];
        if (c->island != k) {
            continue;
        }
        for (int x = 0; x < 3; x++) {
            // velocities without gap terms and rebounds
            const double before = judge->item.u_free[3 * i + x] - judge->item.base[3 * i + x];
            const double after = judge->item.u[3 * i + x] - judge->item.base[3 * i + x];
            gain += 0.5 * c->r[x] * (before + after);
            size += 0.5 * fabs(c->r[x]) * (fabs(before) + fabs(after));
        }
        const double length = contact_spins(c) ? ut_certify_length(judge, c) : 1.0;
        for (int x = 0; x < 3; x++) {
            const double before = judge->item.turn_free[3 * i + x] / length;
            const double after = judge->item.turn[3 * i + x] / length;
            gain += 0.5 * c->torque[x] * (before + after);
            size += 0.5 * fabs(c->torque[x]) * (fabs(before) + fabs(after));
        }
        gain -= allowed_gain(judge, i, judge->report->island[k].restitution_scale);
        size += judge->item.trace[i] > 0.0 ? V * V / judge->item.trace[i] : 0.0;
    }
    return gain > 0.0 || isnan(gain) ? gain / size : 0.0;
}

double ut_certify_restitution_gain(const Judge* judge)
{
    double largest = 0.0;
    for (int k = 0; k < judge->report->islands; k++) {
        const utIsland* island = &judge->report->island[k];
        if (is_scaled(island)) {
            largest = ut_larger(largest, relative_gain(judge, k));
        }
    }
    return largest;
}
