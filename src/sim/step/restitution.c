// SPDX-License-Identifier: Apache-2.0
// Restitution.
//
// A step or an instant has been solved without restitution: u_n = 0 where an impulse acts. Islands
// with bouncing contacts are solved again. With u_n(-) the normal velocity before the step or
// instant:
//
//     Moreau     one problem, with u_n >= e |u_n(-)| instead of u_n >= 0 for bouncing contacts
//     Poisson    the impulses r_c found so far are those of compression; e r_c,n is added along
//                every normal, and a second problem finds the impulses needed besides
//     followed   a single contact, integrated over its normal impulse: see impact.h
//
// Newton's restitution with friction may add energy. The work of the contacts between the solution
// without restitution, s = 0, and the one with it, s = 1,
//
//     W(s) = sum r(s) . (u* + u(s)) / 2,    r and u linear in s,
//
// is a parabola that opens upwards. The energy limit takes the largest restitution scale s <= 1
// that adds no energy, except the work of a minimum rebound. There is no limit when the model asks
// for Newton's law by name.
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

// ---- bouncing contacts --------------------------------------------------------------------------

// A contact of a step without instants bounces when an impulse stops it and it closes fast enough.
static void mark_bouncing(Step* step)
{
    const utModel* model = step->sim->model;
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        const double e = ut_model_restitution(model, c->geom1, c->geom2);
        if (!(e > 0.0) || !(c->r[0] > 0.0)) {
            continue;
        }
        const double before = ut_step_normal_velocity(step, c, step->v);
        if (-e * before > model->options.bounce) {
            c->restitution = e;
            c->u_n_before = before;
            c->rebound = -e * before;
        }
    }
}

static bool any_bounces(const Step* step)
{
    bool any = false;
    for (int i = 0; i < step->active.contacts; i++) {
        any = any || step->active.contact[i].rebound > 0.0;
    }
    return any;
}

// Does a contact of the island bounce?
static bool island_bounces(const Step* step, int island)
{
    const IslandIndex* index = step->scene.index;
    bool any = false;
    for (int k = index->first_contact[island]; k < index->first_contact[island + 1]; k++) {
        any = any || step->active.contact[index->contact[k]].rebound > 0.0;
    }
    return any;
}

// ---- work ---------------------------------------------------------------------------------------

// Impulses and velocities of all contacts and rows.
typedef struct Solution {
    double* r;   // 6 contacts: impulse and angular impulse
    double* u;   // 6 contacts: relative velocity, without gaps, and angular velocity
    double* row; // rows: impulses
} Solution;

static utStatus push_solution(Step* step, Solution* s)
{
    s->r = UT_PUSH(&step->arena, double, 6 * step->active.contacts);
    s->u = UT_PUSH(&step->arena, double, 6 * step->active.contacts);
    s->row = UT_PUSH(&step->arena, double, step->active.rows);
    return ut_arena_failed(&step->arena) ? UT_ERR_CAPACITY : UT_OK;
}

// Relative velocities of all contacts under v. @param bare see push_bare_contacts
static void find_velocities(const Step* step, utContact* bare, const double* v, double* u)
{
    ut_contact_velocities(&step->scene, v, step->active.contacts, bare, 0, NULL);
    for (int i = 0; i < step->active.contacts; i++) {
        memcpy(u + 6 * (size_t)i, bare[i].u, 3 * sizeof *u);
        memcpy(u + 6 * (size_t)i + 3, bare[i].spin, 3 * sizeof *u);
    }
}

// The solution that the step has.
static void store(const Step* step, utContact* bare, Solution* s)
{
    for (int i = 0; i < step->active.contacts; i++) {
        memcpy(s->r + 6 * (size_t)i, step->active.contact[i].r, 3 * sizeof *s->r);
        memcpy(s->r + 6 * (size_t)i + 3, step->active.contact[i].torque, 3 * sizeof *s->r);
    }
    for (int j = 0; j < step->active.rows; j++) {
        s->row[j] = step->active.row[j].r;
    }
    find_velocities(step, bare, step->v_next, s->u);
}

// A copy of the contacts whose b holds no gap: the velocity of mocap bodies and belts only.
// @return NULL when there is no memory
static utContact* push_bare_contacts(Step* step)
{
    utContact* bare = UT_PUSH(&step->arena, utContact, step->active.contacts);
    if (bare == NULL) {
        return NULL;
    }
    for (int i = 0; i < step->active.contacts; i++) {
        bare[i] = step->active.contact[i];
        bare[i].b[0] = 0.0;
    }
    ut_contact_velocities(&step->scene, step->v, step->active.contacts, bare, 0, NULL);
    for (int i = 0; i < step->active.contacts; i++) {
        bare[i].b[0] = ut_step_normal_velocity(step, &bare[i], step->v) - bare[i].u[0];
    }
    return bare;
}

// Work that a minimum rebound above e |u_n(-)| may add at a contact, J.
static double allowed_work(const utContact* c, double u_free, double r)
{
    const double work = 0.5 * r * (u_free + c->rebound);
    return c->rebound > -c->restitution * c->u_n_before && work > 0.0 ? work : 0.0;
}

// The largest restitution scale of an island that adds no energy.
static double find_scale(const Step* step, int island, const double* u_free, const Solution* none,
                         const Solution* all)
{
    const IslandIndex* index = step->scene.index;
    const int* contact = index->contact + index->first_contact[island];
    const int contacts = index->first_contact[island + 1] - index->first_contact[island];
    double W0 = 0.0, W1 = 0.0, W2 = 0.0, size = 0.0; // W0 + W1 s + W2 s^2
    for (int k = 0; k < 6 * contacts; k++) {
        const int i = 6 * contact[k / 6] + k % 6;
        const double dr = all->r[i] - none->r[i], du = all->u[i] - none->u[i];
        const double u = 0.5 * (u_free[i] + none->u[i]);
        W0 += none->r[i] * u;
        W1 += dr * u + 0.5 * none->r[i] * du;
        W2 += 0.5 * dr * du;
        W0 -= i % 6 == 0 ? allowed_work(&step->active.contact[i / 6], u_free[i], all->r[i]) : 0.0;
        size += fabs(all->r[i]) * (fabs(u_free[i]) + fabs(all->u[i]));
    }
    const double gained = W0 + W1 + W2;
    if (gained <= WORK_ROUNDING * size) {
        return 1.0;
    }
    const double root = W1 * W1 - 4.0 * W2 * W0;
    const double scale = W2 > 0.0 && root >= 0.0 ? (sqrt(root) - W1) / (2.0 * W2) : 0.0;
    return scale > 0.0 ? fmin(scale, 1.0) : 0.0;
}

// ---- Moreau -------------------------------------------------------------------------------------

// r = r(0) + s (r(1) - r(0)) for an island. @param none the solution without restitution
static void scale_restitution(Step* step, int island, double s, const Solution* none)
{
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        for (int k = 0; c->island == island && k < 3; k++) {
            const double r = none->r[6 * i + k];
            const double torque = none->r[6 * i + 3 + k];
            c->r[k] = r + s * (c->r[k] - r);
            c->torque[k] = torque + s * (c->torque[k] - torque);
            c->compression[k] = s > 0.0 ? r : 0.0; // the certificate checks r(0) too
            c->compression_torque[k] = s > 0.0 ? torque : 0.0;
        }
    }
    for (int j = 0; j < step->active.rows; j++) {
        utRow* row = &step->active.row[j];
        if (row->island == island) {
            row->r = none->row[j] + s * (row->r - none->row[j]);
        }
    }
    step->active.island[island].restitution_scale = s;
}

// Do the contacts of an instant's island rest, each with a minimum rebound only? Without restitution
// the island then has no impulses. A solver may find some, because contacts and rows that oppose
// each other can be stressed.
static bool is_at_rest(Step* step, int island)
{
    double most = 0.0;
    bool rests = step->instant;
    ut_contact_velocities(&step->scene, step->free.v, step->active.contacts, step->active.contact,
                          step->active.rows, step->active.row);
    for (int i = 0; i < step->active.contacts; i++) {
        most = step->active.contact[i].island == island
                   ? fmax(most, step->active.contact[i].rebound)
                   : most;
    }
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        rests = rests && (c->island != island || c->u[0] + c->rebound >= -REBOUND_ROUNDING * most);
    }
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        const bool acts = (row->u < -REBOUND_ROUNDING * most && row->high > 0.0) ||
                          (row->u > REBOUND_ROUNDING * most && row->low < 0.0);
        rests = rests && (row->island != island || !acts);
    }
    return rests;
}

static void clear_impulses(Step* step, int island)
{
    for (int i = 0; i < step->active.contacts; i++) {
        if (step->active.contact[i].island == island) {
            memset(step->active.contact[i].r, 0, sizeof step->active.contact[i].r);
            memset(step->active.contact[i].torque, 0, sizeof step->active.contact[i].torque);
        }
    }
    for (int j = 0; j < step->active.rows; j++) {
        step->active.row[j].r = step->active.row[j].island == island ? 0.0 : step->active.row[j].r;
    }
}

static utStatus solve_moreau(Step* step, int island, const utContact* bare, const Solution* none)
{
    const IslandIndex* index = step->scene.index;
    for (int k = index->first_contact[island]; k < index->first_contact[island + 1]; k++) {
        const int i = index->contact[k];
        utContact* c = &step->active.contact[i];
        if (c->rebound > 0.0) {
            c->b[0] = bare[i].b[0] - c->rebound;
        }
    }
    const utIsland before = step->active.island[island];
    UT_TRY(ut_step_solve_island(step, island, true));
    step->active.island[island].restitution_scale = 1.0;
    if (before.solved && !step->active.island[island].solved) {
        // friction blocks the rebound: keep the solution without restitution
        step->active.island[island] = before;
        scale_restitution(step, island, 0.0, none);
        if (is_at_rest(step, island)) {
            clear_impulses(step, island);
        }
    }
    step->active.island[island].bounce = UT_BOUNCE_MOREAU;
    return UT_OK;
}

// Scale down the restitution of islands that gained energy.
static utStatus limit_energy(Step* step, utContact* bare, const Solution* none)
{
    Solution all;
    double* u_free = UT_PUSH(&step->arena, double, 6 * step->active.contacts);
    if (u_free == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(push_solution(step, &all));
    UT_TRY(ut_step_integrate(step));
    store(step, bare, &all);
    find_velocities(step, bare, step->free.v, u_free);
    for (int k = 0; k < step->active.islands; k++) {
        if (step->active.island[k].bounce != UT_BOUNCE_MOREAU ||
            step->active.island[k].restitution_scale < 1.0) {
            continue;
        }
        const double scale = find_scale(step, k, u_free, none, &all);
        if (scale < 1.0) {
            scale_restitution(step, k, scale, none);
        }
    }
    return UT_OK;
}

// ---- Poisson ------------------------------------------------------------------------------------

// The impulses so far are those of compression. A second problem, with the velocity after
// compression and restitution in place of v*, finds the impulses to add.
static utStatus solve_poisson(Step* step, int island)
{
    const utModel* model = step->sim->model;
    double* v = UT_PUSH(&step->arena, double, model->nv);
    double* row = UT_PUSH(&step->arena, double, step->active.rows);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        if (c->island == island) {
            memcpy(c->compression, c->r, sizeof c->r);
            c->r[0] += c->restitution * c->r[0];
        }
    }
    UT_TRY(ut_step_integrate(step));
    memcpy(v, step->v_next, (size_t)model->nv * sizeof *v);
    for (int j = 0; j < step->active.rows; j++) {
        row[j] = step->active.row[j].r;
    }
    const double* v_free = step->scene.v_free;
    step->scene.v_free = v;
    const utStatus status = ut_step_solve_island(step, island, false);
    step->scene.v_free = v_free;
    UT_TRY(status);
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        for (int k = 0; c->island == island && k < 3; k++) {
            c->r[k] += c->compression[k] + (k == 0 ? c->restitution * c->compression[0] : 0.0);
        }
    }
    for (int j = 0; j < step->active.rows; j++) {
        step->active.row[j].r += step->active.row[j].island == island ? row[j] : 0.0;
    }
    step->active.island[island].bounce = UT_BOUNCE_POISSON;
    step->active.island[island].restitution_scale = 1.0;
    return UT_OK;
}

// ---- one contact --------------------------------------------------------------------------------

// K = J M^-1 J' of a contact that is alone in its island. @param K d x d
static utStatus find_inverse_inertia(Step* step, const utContact* contact, double* K)
{
    const utModel* model = step->sim->model;
    const int d = ut_contact_dimension(model);
    utArena scratch = step->arena;
    double* impulse = UT_PUSH(&scratch, double, model->nv);
    double* v = UT_PUSH(&scratch, double, model->nv);
    bool* loaded = UT_PUSH(&scratch, bool, model->ntree);
    int tree[2];
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(loaded, 0, (size_t)model->ntree * sizeof *loaded);
    ut_contact_trees(model, contact, tree);
    for (int side = 0; side < 2; side++) {
        if (tree[side] >= 0) {
            loaded[tree[side]] = true;
        }
    }
    for (int k = 0; k < d; k++) {
        utContact unit = *contact;
        memset(unit.b, 0, sizeof unit.b);
        memset(unit.r, 0, sizeof unit.r);
        unit.r[k] = 1.0;
        memset(impulse, 0, (size_t)model->nv * sizeof *impulse);
        UT_TRY(ut_contact_generalized_impulse(&step->scene, 1, &unit, 0, NULL, scratch, impulse));
        ut_dyn_factor_respond(step->free.mass_kin, step->free.factor, impulse, loaded, v);
        ut_contact_velocities(&step->scene, v, 1, &unit, 0, NULL);
        for (int i = 0; i < d; i++) {
            K[d * i + k] = unit.u[i];
        }
    }
    return UT_OK;
}

// Integrate the only contact of an island over its normal impulse.
// @param followed false: this did not succeed
static utStatus follow(Step* step, int island, const utContact* bare, bool* followed)
{
    const utSim* sim = step->sim;
    int at = 0;
    while (step->active.contact[at].island != island) {
        at++;
    }
    utContact* c = &step->active.contact[at];
    const int d = ut_contact_dimension(sim->model);
    utImpact impact = {
        .dimension = d, .mu = c->mu, .e = c->restitution, .law = sim->settings.impact_law};
    utImpactResult result;
    utContact before = bare[at];
    ut_contact_velocities(&step->scene, step->v, 1, &before, 0, NULL);
    memcpy(impact.u, before.u, (size_t)d * sizeof *impact.u);
    UT_TRY(find_inverse_inertia(step, c, impact.K));
    *followed =
        ut_impact_solve(&impact, &result, NULL) == UT_OK && result.outcome == UT_IMPACT_DONE;
    if (!*followed) {
        return UT_OK;
    }
    memcpy(c->r, result.r, sizeof c->r);
    memcpy(c->compression, result.r_compression, sizeof c->compression);
    utIsland* i = &step->active.island[island];
    i->bounce = UT_BOUNCE_FOLLOWED;
    i->law = (int)sim->settings.impact_law;
    i->restitution_scale = 1.0;
    i->rung = UT_RUNG_IMPACT;
    i->outcome = UT_ISLAND_SOLVED;
    i->solved = true;
    i->fallback = false;
    i->iterations = result.steps;
    i->E = 0.0;
    return UT_OK;
}

// Does an island of an instant have one contact, no rows, and a law to follow?
static bool can_follow(const Step* step, int island)
{
    if (!step->instant || step->active.island[island].contacts != 1 ||
        step->active.island[island].rows != 0) {
        return false;
    }
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (c->island == island) {
            // a minimum rebound above e |u_n| has no law to follow; DBL_MIN only marks an impact
            return c->u_n_before < 0.0 &&
                   c->rebound <= fmax(-c->restitution * c->u_n_before, DBL_MIN);
        }
    }
    return false;
}

// ---- all islands --------------------------------------------------------------------------------

// Does a contact bounce by its compression? A minimum rebound above e |u_n| does not.
static bool bounces_by_compression(const Step* step, int island)
{
    bool any = false;
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        any = any || (c->island == island && c->rebound > 0.0 &&
                      c->rebound <= -c->restitution * c->u_n_before);
    }
    return any;
}

static utStatus bounce(Step* step, int island, const utContact* bare, const Solution* none)
{
    const utSim* sim = step->sim;
    if (can_follow(step, island)) {
        bool followed;
        UT_TRY(follow(step, island, bare, &followed));
        if (followed) {
            return UT_OK;
        }
    }
    const bool poisson = step->instant && sim->settings.simultaneous == UT_SIMULTANEOUS_POISSON;
    return poisson && bounces_by_compression(step, island) ? solve_poisson(step, island)
                                                           : solve_moreau(step, island, bare, none);
}

utStatus ut_step_restitution(Step* step)
{
    const utSim* sim = step->sim;
    if (sim->settings.traits->acceleration || (sim->settings.traits->events && !step->instant)) {
        return UT_OK;
    }
    if (!step->instant) {
        mark_bouncing(step);
    }
    if (!any_bounces(step)) {
        return UT_OK;
    }
    Solution none;
    UT_TRY(push_solution(step, &none));
    utContact* bare = push_bare_contacts(step);
    if (bare == NULL) {
        return UT_ERR_CAPACITY;
    }
    store(step, bare, &none);
    for (int k = 0; k < step->active.islands; k++) {
        if (island_bounces(step, k)) {
            UT_TRY(bounce(step, k, bare, &none));
        }
    }
    if (sim->settings.limits_energy) {
        UT_TRY(limit_energy(step, bare, &none));
    }
    return ut_step_advance(step);
}
