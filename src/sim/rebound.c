// SPDX-License-Identifier: Apache-2.0
// Restitution: contacts that close come back.
//
// A step, or an instant of one, has been solved without: u_n = 0 where an impulse acts. Islands in
// which contacts bounce are solved again, with before = u_n at the begin of the step or instant,
//
//     Moreau     one problem, u_n >= e |before| in the place of u_n >= 0 for contacts that bounce
//     Poisson    the impulses r_c of compression are those found; e r_c,n is added along every
//                normal, and the problem is solved once more for what is needed besides
//     followed   one contact by itself, in its normal impulse: see impact.h
//
// Newton's restitution with friction may gain energy. The work of the contacts along the way from
// the impulses without restitution, s = 0, to those with it, s = 1,
//
//     W(s) = sum r(s) . (u* + u(s)) / 2,    r and u linear in s,
//
// is a parabola that opens upwards. The guard takes the largest share s <= 1 at which nothing is
// gained, but for what lifts a contact at rest where collisions are all there is. It leaves a law
// alone that was asked for by name.
#include <string.h>

#include "internal.h"

static const double WORTH = 1e-12; // of the work: less is rounding
static const double QUIET = 1e-12; // of the rebound: what closes more slowly is at rest

// ---- which bounce -------------------------------------------------------------------------------

double ut_step_closing(const Step* step, const utContact* c, const double* v)
{
    const utModel* model = step->sim->model;
    const utMotion one =
        ut_contact_twist(&step->scene, ut_model_side_body(model, c->geom1), c->point, v);
    const utMotion two =
        ut_contact_twist(&step->scene, ut_model_side_body(model, c->geom2), c->point, v);
    return ut_vec3_dot(c->frame[0], ut_vec3_sub(two.linear, one.linear));
}

// Of a step by itself: those that an impulse stops and that come in fast enough.
static void mark_bouncing(Step* step)
{
    const utModel* model = step->sim->model;
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        const double e = ut_model_restitution(model, c->geom1, c->geom2);
        if (!(e > 0.0) || !(c->r[0] > 0.0)) {
            continue;
        }
        const double before = ut_step_closing(step, c, step->v);
        if (-e * before > model->options.bounce) {
            c->restitution = e;
            c->u_n_before = before;
            c->rebound = -e * before;
        }
    }
}

// @return how many
static int count_bouncing(const Step* step, int island)
{
    int count = 0;
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        count += c->rebound > 0.0 && (island < 0 || c->island == island);
    }
    return count;
}

// ---- work ---------------------------------------------------------------------------------------

// A solution of all contacts and rows.
typedef struct Solution {
    double* r;   // 3 contacts
    double* u;   // 3 contacts: J v+ and what surfaces move by themselves
    double* row; // rows: r
} Solution;

static utStatus make_solution(Step* step, Solution* s)
{
    s->r = UT_PUSH(&step->arena, double, 3 * step->contacts);
    s->u = UT_PUSH(&step->arena, double, 3 * step->contacts);
    s->row = UT_PUSH(&step->arena, double, step->rows);
    return s->r == NULL || s->u == NULL || s->row == NULL ? UT_ERR_CAPACITY : UT_OK;
}

// u of all contacts under v. @param bare contacts, with what surfaces move by themselves as b
static void find_velocities(const Step* step, utContact* bare, const double* v, double* u)
{
    ut_contact_velocities(&step->scene, v, step->contacts, bare, 0, NULL);
    for (int i = 0; i < step->contacts; i++) {
        memcpy(u + 3 * (size_t)i, bare[i].u, 3 * sizeof *u);
    }
}

static void store(const Step* step, utContact* bare, Solution* s)
{
    for (int i = 0; i < step->contacts; i++) {
        memcpy(s->r + 3 * (size_t)i, step->contact[i].r, 3 * sizeof *s->r);
    }
    for (int j = 0; j < step->rows; j++) {
        s->row[j] = step->row[j].r;
    }
    find_velocities(step, bare, step->v_next, s->u);
}

// Contacts with a b of moving surfaces alone.
static utContact* strip(Step* step)
{
    utContact* bare = UT_PUSH(&step->arena, utContact, step->contacts);
    for (int i = 0; bare != NULL && i < step->contacts; i++) {
        bare[i] = step->contact[i];
        bare[i].b[0] = 0.0;
    }
    if (bare != NULL) {
        ut_contact_velocities(&step->scene, step->v, step->contacts, bare, 0, NULL);
    }
    for (int i = 0; bare != NULL && i < step->contacts; i++) {
        bare[i].b[0] = ut_step_closing(step, &bare[i], step->v) - bare[i].u[0];
    }
    return bare;
}

// What a contact may gain: one that comes back faster than its restitution says is lifted.
static double lifted(const utContact* c, double u_free, double r)
{
    const double work = 0.5 * r * (u_free + c->rebound);
    return c->rebound > -c->restitution * c->u_n_before && work > 0.0 ? work : 0.0;
}

// The largest share of restitution in an island that gains no energy.
static double find_share(const Step* step, int island, const double* u_free, const Solution* none,
                         const Solution* all)
{
    double W0 = 0.0, W1 = 0.0, W2 = 0.0, size = 0.0; // W0 + W1 s + W2 s^2
    for (int i = 0; i < 3 * step->contacts; i++) {
        if (step->contact[i / 3].island != island) {
            continue;
        }
        const double dr = all->r[i] - none->r[i], du = all->u[i] - none->u[i];
        const double u = 0.5 * (u_free[i] + none->u[i]);
        W0 += none->r[i] * u;
        W1 += dr * u + 0.5 * none->r[i] * du;
        W2 += 0.5 * dr * du;
        W0 -= i % 3 == 0 ? lifted(&step->contact[i / 3], u_free[i], all->r[i]) : 0.0;
        size += fabs(all->r[i]) * (fabs(u_free[i]) + fabs(all->u[i]));
    }
    const double gained = W0 + W1 + W2;
    if (gained <= WORTH * size) {
        return 1.0;
    }
    const double root = W1 * W1 - 4.0 * W2 * W0;
    const double share = W2 > 0.0 && root >= 0.0 ? (sqrt(root) - W1) / (2.0 * W2) : 0.0;
    return share > 0.0 ? fmin(share, 1.0) : 0.0;
}

// ---- Moreau -------------------------------------------------------------------------------------

static void mix(Step* step, int island, double share, const Solution* none)
{
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        for (int k = 0; c->island == island && k < 3; k++) {
            const double r = none->r[3 * i + k];
            c->r[k] = r + share * (c->r[k] - r);
            c->compression[k] = share > 0.0 ? r : 0.0; // one of the two solutions it lies between
        }
    }
    for (int j = 0; j < step->rows; j++) {
        utRow* row = &step->row[j];
        if (row->island == island) {
            row->r = none->row[j] + share * (row->r - none->row[j]);
        }
    }
    step->island[island].restitution_scale = share;
}

// Is an instant one of contacts that are pressed and do not close? Without restitution it has no
// impulses then, whatever stress a solver may find between contacts and rows that oppose each
// other.
static bool is_quiet(Step* step, int island)
{
    double most = 0.0;
    bool quiet = step->instant;
    ut_contact_velocities(&step->scene, step->v_free, step->contacts, step->contact, step->rows,
                          step->row);
    for (int i = 0; i < step->contacts; i++) {
        most = step->contact[i].island == island ? fmax(most, step->contact[i].rebound) : most;
    }
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        quiet = quiet && (c->island != island || c->u[0] + c->rebound >= -QUIET * most);
    }
    for (int j = 0; j < step->rows; j++) {
        const utRow* row = &step->row[j];
        const bool acts = (row->u < -QUIET * most && row->high > 0.0) ||
                          (row->u > QUIET * most && row->low < 0.0);
        quiet = quiet && (row->island != island || !acts);
    }
    return quiet;
}

static void clear(Step* step, int island)
{
    for (int i = 0; i < step->contacts; i++) {
        if (step->contact[i].island == island) {
            memset(step->contact[i].r, 0, sizeof step->contact[i].r);
        }
    }
    for (int j = 0; j < step->rows; j++) {
        step->row[j].r = step->row[j].island == island ? 0.0 : step->row[j].r;
    }
}

static utStatus solve_moreau(Step* step, int island, const utContact* bare, const Solution* none)
{
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        if (c->island == island && c->rebound > 0.0) {
            c->b[0] = bare[i].b[0] - c->rebound;
        }
    }
    const utIsland before = step->island[island];
    UT_TRY(ut_step_solve_island(step, island, true));
    step->island[island].restitution_scale = 1.0;
    if (before.solved && !step->island[island].solved) {
        // friction jams what would come back: it stays
        step->island[island] = before;
        mix(step, island, 0.0, none);
        if (is_quiet(step, island)) {
            clear(step, island);
        }
    }
    step->island[island].bounce = UT_BOUNCE_MOREAU;
    return UT_OK;
}

static utStatus guard(Step* step, utContact* bare, const Solution* none)
{
    Solution all;
    double* u_free = UT_PUSH(&step->arena, double, 3 * step->contacts);
    if (u_free == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(make_solution(step, &all));
    UT_TRY(ut_step_move(step));
    store(step, bare, &all);
    find_velocities(step, bare, step->v_free, u_free);
    for (int k = 0; k < step->islands; k++) {
        if (step->island[k].bounce != UT_BOUNCE_MOREAU || step->island[k].restitution_scale < 1.0) {
            continue;
        }
        const double share = find_share(step, k, u_free, none, &all);
        if (share < 1.0) {
            mix(step, k, share, none);
        }
    }
    return UT_OK;
}

// ---- Poisson ------------------------------------------------------------------------------------

// The impulses so far are those of compression; what is added to them is found with v after them
// and their restitution in the place of v*.
static utStatus solve_poisson(Step* step, int island)
{
    const utModel* model = step->sim->model;
    double* v = UT_PUSH(&step->arena, double, model->nv);
    double* row = UT_PUSH(&step->arena, double, step->rows);
    if (v == NULL || row == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        if (c->island == island) {
            memcpy(c->compression, c->r, sizeof c->r);
            c->r[0] += c->restitution * c->r[0];
        }
    }
    UT_TRY(ut_step_move(step));
    memcpy(v, step->v_next, (size_t)model->nv * sizeof *v);
    for (int j = 0; j < step->rows; j++) {
        row[j] = step->row[j].r;
    }
    const double* v_free = step->scene.v_free;
    step->scene.v_free = v;
    const utStatus status = ut_step_solve_island(step, island, false);
    step->scene.v_free = v_free;
    UT_TRY(status);
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        for (int k = 0; c->island == island && k < 3; k++) {
            c->r[k] += c->compression[k] + (k == 0 ? c->restitution * c->compression[0] : 0.0);
        }
    }
    for (int j = 0; j < step->rows; j++) {
        step->row[j].r += step->row[j].island == island ? row[j] : 0.0;
    }
    step->island[island].bounce = UT_BOUNCE_POISSON;
    step->island[island].restitution_scale = 1.0;
    return UT_OK;
}

// ---- one contact --------------------------------------------------------------------------------

// K = J M^-1 J' of a contact that is alone in its island, row by row of d.
static utStatus find_inverse_inertia(Step* step, const utContact* contact, double* K)
{
    const utModel* model = step->sim->model;
    const int d = ut_contact_dimension(model);
    utArena scratch = step->arena;
    double* push = UT_PUSH(&scratch, double, model->nv);
    double* v = UT_PUSH(&scratch, double, model->nv);
    bool* pushed = UT_PUSH(&scratch, bool, model->ntree);
    int tree[2];
    if (push == NULL || v == NULL || pushed == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(pushed, 0, (size_t)model->ntree * sizeof *pushed);
    ut_contact_trees(model, contact, tree);
    for (int side = 0; side < 2; side++) {
        if (tree[side] >= 0) {
            pushed[tree[side]] = true;
        }
    }
    for (int k = 0; k < d; k++) {
        utContact unit = *contact;
        memset(unit.b, 0, sizeof unit.b);
        memset(unit.r, 0, sizeof unit.r);
        unit.r[k] = 1.0;
        memset(push, 0, (size_t)model->nv * sizeof *push);
        UT_TRY(ut_contact_generalized_impulse(&step->scene, 1, &unit, 0, NULL, scratch, push));
        UT_TRY(ut_dyn_respond(step->heavy, push, step->diagonal, pushed, scratch, v));
        ut_contact_velocities(&step->scene, v, 1, &unit, 0, NULL);
        for (int i = 0; i < d; i++) {
            K[d * i + k] = unit.u[i];
        }
    }
    return UT_OK;
}

// @param followed false: it cannot be
static utStatus follow(Step* step, int island, const utContact* bare, bool* followed)
{
    const utSim* sim = step->sim;
    int at = 0;
    while (step->contact[at].island != island) {
        at++;
    }
    utContact* c = &step->contact[at];
    const int d = ut_contact_dimension(sim->model);
    utImpact impact = {.dimension = d, .mu = c->mu, .e = c->restitution, .law = sim->law};
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
    utIsland* i = &step->island[island];
    i->bounce = UT_BOUNCE_FOLLOWED;
    i->law = (int)sim->law;
    i->restitution_scale = 1.0;
    i->rung = UT_RUNG_IMPACT;
    i->outcome = UT_ISLAND_SOLVED;
    i->solved = true;
    i->fallback = false;
    i->iterations = result.steps;
    i->E = 0.0;
    return UT_OK;
}

// Is the only contact of an island one that can be followed, and nothing else in it?
static bool is_alone(const Step* step, int island)
{
    if (!step->instant || step->island[island].contacts != 1 || step->island[island].rows != 0) {
        return false;
    }
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        if (c->island == island) {
            // a minimum rebound above e |u_n| has no law to follow; DBL_MIN is no rebound at all
            return c->u_n_before < 0.0 &&
                   c->rebound <= fmax(-c->restitution * c->u_n_before, DBL_MIN);
        }
    }
    return false;
}

// ---- all of them --------------------------------------------------------------------------------

// Poisson's law multiplies the impulses of compression: does any contact come back by it? A minimum
// rebound above e |u_n| is no matter of compression.
static bool is_compressed(const Step* step, int island)
{
    bool any = false;
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        any = any || (c->island == island && c->rebound > 0.0 &&
                      c->rebound <= -c->restitution * c->u_n_before);
    }
    return any;
}

static utStatus bounce(Step* step, int island, const utContact* bare, const Solution* none)
{
    const utSim* sim = step->sim;
    if (is_alone(step, island)) {
        bool followed;
        UT_TRY(follow(step, island, bare, &followed));
        if (followed) {
            return UT_OK;
        }
    }
    const bool poisson = step->instant && sim->simultaneous == UT_SIMULTANEOUS_POISSON;
    return poisson && is_compressed(step, island) ? solve_poisson(step, island)
                                                  : solve_moreau(step, island, bare, none);
}

utStatus ut_step_rebound(Step* step)
{
    const utSim* sim = step->sim;
    if (sim->formulation->acceleration || (sim->formulation->events && !step->instant)) {
        return UT_OK;
    }
    if (!step->instant) {
        mark_bouncing(step);
    }
    if (count_bouncing(step, -1) == 0) {
        return UT_OK;
    }
    Solution none;
    UT_TRY(make_solution(step, &none));
    utContact* bare = strip(step);
    if (bare == NULL) {
        return UT_ERR_CAPACITY;
    }
    store(step, bare, &none);
    for (int k = 0; k < step->islands; k++) {
        if (count_bouncing(step, k) > 0) {
            UT_TRY(bounce(step, k, bare, &none));
        }
    }
    if (sim->guard) {
        UT_TRY(guard(step, bare, &none));
    }
    UT_TRY(ut_step_move(step));
    ut_contact_velocities(&step->scene, step->v_next, step->contacts, step->contact, step->rows,
                          step->row);
    return UT_OK;
}
