// SPDX-License-Identifier: Apache-2.0
// Self-stress: impulses of parts that jam against each other, J'r = 0. They move nothing, so that the
// law allows any size of them, and an interior point's may be 1e10 times those that are needed. Their
// rounding then moves the bodies. This file replaces large impulses by the smallest ones with the
// same effect:
//
//     minimize sum |r_i|^2 / m_i   with   sum J_i' r_i = g,   g of the present impulses
//
// over the groups with large impulses: sticking contacts and rows freely, other contacts along their
// present impulse. By multipliers, with D_i = m_i / epsilon on these directions,
//
//     r += D J H^-1 (g - J'r),    H = M + J'DJ
//
// and the new impulses are approached as far as cones and bounds allow.
#include <string.h>

#include "second_order.h"

enum {
    PASSES = 3,      // of the multipliers
    BISECTIONS = 60, // of the way to the new impulses
};

static const double EPSILON = 1e-6;   // a pass leaves about this fraction of J'r
static const double LARGE = 10.0;     // |r_i| over m_i V above which an impulse is replaced
static const double INSIDE = 1.0001;  // a contact sticks if its tangential impulse may grow by this
static const double LEFT_OVER = 1e-3; // fraction of the way that another round may try again

typedef struct Relief {
    System* system;
    double* r;     // N: impulses so far
    double* least; // N: impulses of least norm
    double* u;     // N: work
    double* g;     // dof: J'r that is not yet met
    double* x;     // dof: H^-1 g
    double* D;     // nc d x d
    double* w;     // nb
    bool* large;   // nc + nb: the group takes part
} Relief;

// ---- groups: contacts, then rows ----------------------------------------------------------------

static int group_row(const System* system, int i)
{
    return i < system->nc ? system->d * i : system->n + i - system->nc;
}

static int group_rows(const System* system, int i)
{
    return i < system->nc ? system->d : 1;
}

static double group_mass(const System* system, int i)
{
    return i < system->nc ? system->m[i] : system->mb[i - system->nc];
}

static double group_length(const System* system, int i, const double* r)
{
    return ut_coulomb_length(group_rows(system, i), r + group_row(system, i));
}

double ut_system_stress(const System* system, const double* r, double* g, double* y)
{
    const double V = ut_system_scale(system, r);
    double largest = 0.0;
    memset(g, 0, (size_t)system->dof * sizeof *g);
    ut_system_add_transposed(system, r, g);
    const double energy = ut_system_norm(system, g, y);
    for (int i = 0; i < system->nc + system->nb; i++) {
        const double own = energy + group_mass(system, i) * V * V;
        largest = fmax(largest, group_length(system, i, r) * V / own);
    }
    return largest;
}

// ---- directions ---------------------------------------------------------------------------------

// Is the impulse inside of its cone, where it may change in any direction?
static bool sticks(const System* system, int i, const double* r)
{
    const utLaw law = ut_system_law(system, i);
    double grown[UT_LAW_MAX_DIMENSION];
    for (int k = 0; k < system->d; k++) {
        grown[k] = k == 0 ? r[k] : INSIDE * r[k];
    }
    return ut_law_violation(&law, system->m[i], 0.0, grown) <= 0.0;
}

// D of contact i: weight times 1 on the directions with friction, or times the projection on its
// impulse.
static void find_block(const Relief* relief, int i, double* D)
{
    const System* system = relief->system;
    const int d = system->d;
    const double* r = relief->r + (size_t)d * (size_t)i;
    const double square = ut_coulomb_length(d, r) * ut_coulomb_length(d, r);
    const double weight = system->m[i] / EPSILON;
    const utLaw law = ut_system_law(system, i);
    const bool free = relief->large[i] && sticks(system, i, r);
    for (int k = 0; k < d; k++) {
        const double rough = k == 0 || ut_law_entry_coefficient(&law, k) > 0.0 ? 1.0 : 0.0;
        for (int l = 0; l < d; l++) {
            const double along = free ? (k == l ? rough : 0.0) : r[k] * r[l] / square;
            D[d * k + l] = relief->large[i] ? weight * along : 0.0;
        }
    }
}

// @return is there a group with a large impulse?
static bool find_directions(Relief* relief)
{
    const System* system = relief->system;
    const double V = ut_system_scale(system, relief->r);
    bool any = false;
    for (int i = 0; i < system->nc + system->nb; i++) {
        const double least = LARGE * group_mass(system, i) * V;
        relief->large[i] = group_length(system, i, relief->r) > least;
        any = any || relief->large[i];
    }
    for (int i = 0; i < system->nc; i++) {
        find_block(relief, i, relief->D + (size_t)i * (size_t)(system->d * system->d));
    }
    for (int j = 0; j < system->nb; j++) {
        relief->w[j] = relief->large[system->nc + j] ? system->mb[j] / EPSILON : 0.0;
    }
    return any;
}

// ---- impulses of least norm ---------------------------------------------------------------------

// least += D J x
static void add_least(Relief* relief)
{
    const System* system = relief->system;
    const int d = system->d;
    ut_system_rows(system, false, relief->x, relief->u);
    for (int row = 0; row < system->n; row++) {
        const double* D = relief->D + (size_t)row * (size_t)d;
        const double* u = relief->u + (size_t)(row / d) * (size_t)d;
        for (int k = 0; k < d; k++) {
            relief->least[row] += D[k] * u[k];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        relief->least[system->n + j] += relief->w[j] * relief->u[system->n + j];
    }
}

// @return false when H cannot be factored
static bool find_least(Relief* relief)
{
    System* system = relief->system;
    for (int i = 0; i < system->nc + system->nb; i++) {
        const int row = group_row(system, i);
        for (int k = row; k < row + group_rows(system, i); k++) {
            relief->least[k] = relief->large[i] ? 0.0 : relief->r[k];
        }
    }
    if (!ut_system_factor(system, true, relief->D, relief->w)) {
        return false;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        for (int k = 0; k < system->N; k++) {
            relief->u[k] = relief->r[k] - relief->least[k];
        }
        memset(relief->g, 0, (size_t)system->dof * sizeof *relief->g);
        ut_system_add_transposed(system, relief->u, relief->g);
        ut_system_solve(system, relief->g, relief->x);
        add_least(relief);
    }
    return true;
}

// ---- the way there ------------------------------------------------------------------------------

// u = r + share (least - r). @return is it within the cones and bounds?
static bool fits(Relief* relief, double share)
{
    const System* system = relief->system;
    bool fits = true;
    for (int k = 0; k < system->N; k++) {
        relief->u[k] = relief->r[k] + share * (relief->least[k] - relief->r[k]);
    }
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        const double* r = relief->u + (size_t)system->d * (size_t)i;
        fits = fits && (!relief->large[i] ||
                        ut_law_violation(&law, system->m[i], 0.0, r) <= UT_CONE_TOLERANCE);
    }
    for (int j = 0; j < system->nb; j++) {
        const double r = relief->u[system->n + j];
        fits = fits && r >= ut_coulomb_low(system->problem, j) &&
               r <= ut_coulomb_high(system->problem, j);
    }
    return fits;
}

// Approach the impulses of least norm. @return the share of the way
static double approach(Relief* relief)
{
    double low = 0.0;
    double high = 1.0;
    if (fits(relief, 1.0)) {
        low = 1.0;
    }
    for (int k = 0; k < BISECTIONS && low < 1.0; k++) {
        const double middle = 0.5 * (low + high);
        const bool inside = fits(relief, middle);
        low = inside ? middle : low;
        high = inside ? high : middle;
    }
    (void)fits(relief, low);
    memcpy(relief->r, relief->u, (size_t)relief->system->N * sizeof *relief->r);
    return low;
}

utStatus ut_system_relieve(System* system, int rounds, utArena scratch, double* r, int* count)
{
    Relief relief = {
        .system = system,
        .r = r,
        .least = ut_coulomb_push(&scratch, 1, system->N),
        .u = ut_coulomb_push(&scratch, 1, system->N),
        .g = ut_coulomb_push(&scratch, 1, system->dof),
        .x = ut_coulomb_push(&scratch, 1, system->dof),
        .D = ut_coulomb_push(&scratch, system->nc, system->d * system->d),
        .w = ut_coulomb_push(&scratch, 1, system->nb),
        .large = UT_PUSH(&scratch, bool, system->nc + system->nb),
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    double share = 0.0;
    for (int k = 0; k < rounds && share < 1.0 - LEFT_OVER && find_directions(&relief); k++) {
        ++*count;
        if (!find_least(&relief)) {
            break;
        }
        share = approach(&relief);
    }
    return UT_OK;
}
