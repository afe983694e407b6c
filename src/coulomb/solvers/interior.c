// SPDX-License-Identifier: Apache-2.0
// Interior point, Nesterov-Todd scaled, with the shift differentiated. Round sections only.
//
// With T = diag(1, mu, mu) the cones become self-dual: z = T u + s e_n and r = T y lie in the
// second-order cone {x_0 >= |x_1|}, and s = mu |u_t|. Letters as in docs/coulomb.md:
//
//     w, beta   scaling point, W z-to-lambda: lambda = W^-1 z = W y
//     d         slip direction, live: N = 1 + e_n d'; lagged: N = 1; with a share of d between
//     g_v, g_p  residuals of momentum and of z; behind the contacts g_p holds that of the joints
//     v         the unknowns of the system (system.h): in the local form u itself
//
// Vectors of N entries hold the contacts first and the scalar rows behind them; those of y are
// their impulses. A bounded row has the slacks y - low and high - y with multipliers low_z and
// high_z, whose difference is u; for all scalar rows a step is dy = -D (k + du):
//
//     bounded     1/D = low_z / (y - low) + high_z / (high - y)
//     bilateral   1/D = delta, k = u
#include <string.h>

#include "interior.h"
#include "la/dense/kernel.h"

enum {
    CALM = 2,     // calmer iterations after a live step that was too short
    EARLY = 30,   // no iteration before this one is the last for lack of progress
    PATIENCE = 12 // iterations within which E or tau must halve
};

static const double SHORT = 0.1;      // a live step below this is taken again, calmer
static const double BALANCE = 30.0;   // of products over the residual
static const double STUCK = 1e-10;    // a step below this is none
static const double STIFFNESS = 1e-8; // delta m_b of the bilateral rows

typedef struct Iterate {
    System* system;
    Interior set;
    double V;
    double tau;  // z.y / nc
    double* v;   // dof: the system's unknowns
    double* y;   // N
    double* z;   // N
    double* u;   // N
    double* d;   // N: slip directions, 0 in the normals and where lagged
    double* w;   // N: scaling points
    double* lam; // N: lambda
    double* beta;
    double* weight; // nc: of the barrier
    double* db;     // nb: D of scalar rows
    double* k;      // nb
    double* low_z;  // nb: 0 where there is no bound
    double* high_z; // nb
    double* low_c;  // nb: what y - low times low_z is to change by
    double* high_c; // nb
    int sides;      // bounds in all
    double* D;      // nc d x d: T W^-2 N T
    double* gv;     // dof
    double* gp;     // N
    double* rho;    // N
    double* t;      // N
    double* rhs;    // dof
    double* dv;     // dof
    double* dy;     // N
    double* dz;     // N
    double* r;      // N
    double* best;   // N
} Iterate;

Interior ut_interior_settings(void)
{
    return (Interior){
        .sigma = 3,
        .damping = 0.99,
        .y = 1.0,
        .share = 1,
        .weight = 1,
        .partial = 0.5,
        .max_iterations = 60,
    };
}

// ---- second-order cones -------------------------------------------------------------------------

static double tail(int d, const double* x)
{
    return d == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
}

static double det(int d, const double* x)
{
    const double t = tail(d, x);
    return (x[0] - t) * (x[0] + t);
}

static double tail_dot(int d, const double* a, const double* b)
{
    return d == 3 ? a[1] * b[1] + a[2] * b[2] : a[1] * b[1];
}

// y = beta [w_0, w_1'; w_1, 1 + w_1 w_1' / (1 + w_0)] x, with sign = -1 its inverse
static void scale(int d, const double* w, double beta, double sign, const double* x, double* y)
{
    const double factor = sign > 0.0 ? beta : 1.0 / beta;
    const double dot = sign * tail_dot(d, w, x);
    const double along = sign * (x[0] + dot / (1.0 + w[0]));
    const double x0 = x[0];
    for (int k = 1; k < d; k++) {
        y[k] = factor * (x[k] + along * w[k]);
    }
    y[0] = factor * (w[0] * x0 + dot);
}

// y = W^-2 x = beta^-2 (2 (Qw)(Qw)' - Q) x
static void scale_twice(int d, const double* w, double beta, const double* x, double* y)
{
    const double dot = 2.0 * (w[0] * x[0] - tail_dot(d, w, x));
    const double x0 = x[0];
    for (int k = 1; k < d; k++) {
        y[k] = (x[k] - dot * w[k]) / (beta * beta);
    }
    y[0] = (dot * w[0] - x0) / (beta * beta);
}

// the longest step from x along dx that stays in the cone
static double longest(int d, const double* x, const double* dx)
{
    const double a = det(d, dx);
    const double b = x[0] * dx[0] - tail_dot(d, x, dx);
    const double c = det(d, x);
    const double disc = b * b - a * c;
    double step = HUGE_VAL;
    if (disc >= 0.0) {
        const double q = b >= 0.0 ? -(b + sqrt(disc)) : -(b - sqrt(disc));
        const double roots[] = {q / a, c / q};
        for (int k = 0; k < 2; k++) {
            step = isfinite(roots[k]) && roots[k] > 0.0 ? fmin(step, roots[k]) : step;
        }
    }
    return dx[0] < 0.0 ? fmin(step, -x[0] / dx[0]) : step;
}

static double longest_of_all(const Iterate* it)
{
    const int d = it->system->d;
    double step = HUGE_VAL;
    for (int i = 0; i < it->system->n; i += d) {
        step = fmin(step, longest(d, it->z + i, it->dz + i));
        step = fmin(step, longest(d, it->y + i, it->dy + i));
    }
    return step;
}

// ---- the iterate --------------------------------------------------------------------------------

static bool push(Iterate* it, utArena* scratch)
{
    const System* system = it->system;
    double** const long_ones[] = {&it->y,   &it->z, &it->u, &it->d,  &it->w,  &it->lam, &it->gp,
                                  &it->rho, &it->t, &it->r, &it->dy, &it->dz, &it->best};
    double** const short_ones[] = {&it->v, &it->gv, &it->rhs, &it->dv};
    for (size_t k = 0; k < sizeof long_ones / sizeof *long_ones; k++) {
        *long_ones[k] = ut_coulomb_push(scratch, 1, system->N);
    }
    for (size_t k = 0; k < sizeof short_ones / sizeof *short_ones; k++) {
        *short_ones[k] = ut_coulomb_push(scratch, 1, system->dof);
    }
    it->beta = ut_coulomb_push(scratch, 1, system->nc);
    it->weight = ut_coulomb_push(scratch, 1, system->nc);
    double** const scalar_ones[] = {&it->db,     &it->k,     &it->low_z,
                                    &it->high_z, &it->low_c, &it->high_c};
    for (size_t k = 0; k < sizeof scalar_ones / sizeof *scalar_ones; k++) {
        *scalar_ones[k] = ut_coulomb_push(scratch, 1, system->nb);
    }
    it->D = ut_coulomb_push(scratch, system->nc, 9);
    return !ut_arena_failed(scratch);
}

// x^(halves / 2), with the same bits everywhere
static double power(double x, int halves)
{
    return halves == 0 ? 1.0 : halves == 1 ? sqrt(x) : x;
}

// Slacks of a bounded row; INFINITY where there is no bound.
static double below(const Iterate* it, int j)
{
    return it->y[it->system->n + j] - ut_coulomb_low(it->system->problem, j);
}

static double above(const Iterate* it, int j)
{
    return ut_coulomb_high(it->system->problem, j) - it->y[it->system->n + j];
}

// Within the bounds: in the middle, or at a distance of the size of what the row could carry.
static void start_rows(Iterate* it)
{
    const System* system = it->system;
    it->sides = 0;
    for (int j = 0; j < system->nb; j++) {
        const double low = ut_coulomb_low(system->problem, j);
        const double high = ut_coulomb_high(system->problem, j);
        const double reach = system->mb[j] * it->V;
        double* y = it->y + system->n + j;
        *y = low > -HUGE_VAL && high < HUGE_VAL ? 0.5 * (low + high)
             : low > -HUGE_VAL                  ? low + reach
             : high < HUGE_VAL                  ? high - reach
                                                : 0.0;

        // a row whose bounds leave no room keeps its impulse
        const bool room = low < high;
        it->low_z[j] = room && low > -HUGE_VAL ? it->V : 0.0;
        it->high_z[j] = room && high < HUGE_VAL ? it->V : 0.0;
        it->sides += (it->low_z[j] > 0.0) + (it->high_z[j] > 0.0);
    }
}

static void start(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    memcpy(it->v, system->v, (size_t)system->dof * sizeof *it->v);
    memset(it->y, 0, (size_t)system->N * sizeof *it->y);
    memset(it->z, 0, (size_t)system->N * sizeof *it->z);
    memset(it->best, 0, (size_t)system->N * sizeof *it->best);

    double sum = 0.0;
    double heaviest = 0.0;
    it->V = ut_system_load(system, it->y); // errors may be measured by far more than there is
    for (int i = 0; i < system->nc; i++) {
        const double* q = system->q + (size_t)d * (size_t)i;
        it->V = fmax(it->V, sqrt(ut_dot(d, q, q)));
        it->weight[i] = power(system->m[i], it->set.weight);
        sum += it->weight[i];
        heaviest = fmax(heaviest, system->m[i]);
    }
    for (int i = 0; i < system->nc; i++) {
        const double m = power(system->m[i], 2 - it->set.share) * power(heaviest, it->set.share);
        it->weight[i] *= system->nc / sum;
        it->z[d * i] = it->V;
        it->y[d * i] = it->set.y * m * it->V;
    }
    start_rows(it);
}

// r = P_K(T y), without the traces of y in open contacts
static void impulses(const Iterate* it, double* r)
{
    const System* system = it->system;
    const int d = system->d;
    memcpy(r, it->y, (size_t)system->N * sizeof *r);
    for (int i = 0; i < system->nc; i++) {
        const double mu = system->problem->mu[i];
        const utLaw law = ut_system_law(system, i);
        double* r_i = r + (size_t)d * (size_t)i;
        for (int k = 1; k < d; k++) {
            r_i[k] *= mu;
        }
        ut_law_project(&law, r_i, r_i);
    }
    for (int j = 0; j < system->nb; j++) {
        r[system->n + j] = ut_coulomb_clamp(system->problem, j, r[system->n + j]);
    }
    ut_system_release(system, r);
}

static void find_gap(Iterate* it)
{
    const System* system = it->system;
    double gap = ut_dot(system->n, it->z, it->y);
    for (int j = 0; j < system->nb; j++) {
        gap += it->low_z[j] > 0.0 ? it->low_z[j] * below(it, j) : 0.0;
        gap += it->high_z[j] > 0.0 ? it->high_z[j] * above(it, j) : 0.0;
    }
    const int parts = system->nc + it->sides;
    it->tau = parts > 0 ? gap / parts : 0.0;
}

// ---- one iteration ------------------------------------------------------------------------------

// u, the shift and its direction, and all residuals
static void find_residuals(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    ut_system_rows(system, true, it->v, it->u);
    memcpy(it->gp, it->u, (size_t)system->N * sizeof *it->gp);
    for (int i = 0; i < system->nc; i++) {
        const double mu = system->problem->mu[i];
        const int at = d * i;
        double slip[3] = {0.0};
        for (int k = 1; k < d; k++) {
            slip[k] = mu * it->u[at + k];
            it->gp[at + k] = slip[k] - it->z[at + k];
        }
        const double smooth =
            system->convex ? 0.0 : it->set.smoothing * sqrt(it->tau / system->m[i]);
        const double t = sqrt(tail_dot(d, slip, slip) + smooth * smooth);
        const double s = system->convex ? 0.0 : t - smooth;
        it->gp[at] = it->u[at] + s - it->z[at];
        it->d[at] = 0.0;
        for (int k = 1; k < d; k++) {
            it->d[at + k] = s > 0.0 ? slip[k] / t : 0.0;
        }
    }

    // g_v = M (v - v*) - J'T y - J_b'lambda_b
    for (int k = 0; k < system->N; k++) {
        const bool tangent = k < system->n && k % d != 0;
        it->t[k] = tangent ? -system->problem->mu[k / d] * it->y[k] : -it->y[k];
    }
    ut_system_momentum(system, it->v, it->gv);
    ut_system_add_transposed(system, it->t, it->gv);
}

// D of the scalar rows. @return false when an iterate has reached a bound
static bool scale_rows(Iterate* it)
{
    const System* system = it->system;
    for (int j = 0; j < system->nb; j++) {
        if (!ut_coulomb_bounded(system->problem, j)) {
            it->db[j] = system->mb[j] / STIFFNESS;
            continue;
        }
        if (it->low_z[j] == 0.0 && it->high_z[j] == 0.0) {
            it->db[j] = 0.0;
            continue;
        }
        const double low = below(it, j);
        const double high = above(it, j);
        if (!(low > 0.0) || !(high > 0.0)) {
            return false;
        }
        it->db[j] = 1.0 / (it->low_z[j] / low + it->high_z[j] / high);
    }
    return true;
}

// w, beta and lambda. @return false when an iterate has left its cone
static bool find_scaling(Iterate* it)
{
    const int d = it->system->d;
    for (int i = 0; i < it->system->nc; i++) {
        const double* z = it->z + (size_t)d * (size_t)i;
        const double* y = it->y + (size_t)d * (size_t)i;
        double* w = it->w + (size_t)d * (size_t)i;
        const double det_z = det(d, z);
        const double det_y = det(d, y);
        if (!(det_z > 0.0) || !(det_y > 0.0) || !(z[0] > 0.0) || !(y[0] > 0.0)) {
            return false;
        }
        const double size_z = sqrt(det_z);
        const double size_y = sqrt(det_y);
        const double gamma = sqrt(0.5 * (1.0 + ut_dot(d, z, y) / size_z / size_y));
        w[0] = (z[0] / size_z + y[0] / size_y) / (2.0 * gamma);
        for (int k = 1; k < d; k++) {
            w[k] = (z[k] / size_z - y[k] / size_y) / (2.0 * gamma);
        }
        it->beta[i] = sqrt(size_z / size_y);
        scale(d, w, it->beta[i], -1.0, z, it->lam + (size_t)d * (size_t)i);
    }
    return scale_rows(it);
}

// T W^-2 N T
static void find_block(const Iterate* it, int i, double* D)
{
    const int d = it->system->d;
    const double mu = it->system->problem->mu[i];
    const double* w = it->w + (size_t)d * (size_t)i;
    const double* dir = it->d + (size_t)d * (size_t)i;
    for (int l = 0; l < d; l++) {
        double column[3] = {0.0};
        column[0] = dir[l];
        column[l] += 1.0;
        scale_twice(d, w, it->beta[i], column, column);
        for (int k = 0; k < d; k++) {
            D[d * k + l] = (k > 0 ? mu : 1.0) * column[k] * (l > 0 ? mu : 1.0);
        }
    }
}

// @param share of the shift's derivative: 1 live, 0 lagged
static bool factor(Iterate* it, double share)
{
    System* system = it->system;
    const int d = system->d;
    for (int k = 0; share < 1.0 && k < system->N; k++) {
        it->d[k] *= share;
    }
    for (int i = 0; i < system->nc; i++) {
        find_block(it, i, it->D + (size_t)d * (size_t)d * (size_t)i);
    }
    return ut_system_factor(system, share == 0.0, it->D, it->db);
}

// dv, dy, dz from rho
static void find_step(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    double t[3];

    // t = W^-1 rho - W^-2 g_p; H dv = -g_v + J'T t - J_b'g_b / delta
    for (int i = 0; i < system->nc; i++) {
        const int at = d * i;
        scale(d, it->w + at, it->beta[i], -1.0, it->rho + at, it->dy + at);
        scale_twice(d, it->w + at, it->beta[i], it->gp + at, t);
        for (int k = 0; k < d; k++) {
            it->dy[at + k] -= t[k];
            it->t[at + k] = (k > 0 ? system->problem->mu[i] : 1.0) * it->dy[at + k];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        it->t[system->n + j] = -it->db[j] * it->k[j];
    }
    for (int k = 0; k < system->dof; k++) {
        it->rhs[k] = -it->gv[k];
    }
    ut_system_add_transposed(system, it->t, it->rhs);
    ut_system_solve(system, it->rhs, it->dv);

    // dz = N J~ dv + g_p, dy = t - W^-2 N J~ dv
    ut_system_rows(system, false, it->dv, it->dz);
    for (int i = 0; i < system->nc; i++) {
        const int at = d * i;
        for (int k = 1; k < d; k++) {
            it->dz[at + k] *= system->problem->mu[i];
        }
        it->dz[at] += tail_dot(d, it->d + at, it->dz + at);
        scale_twice(d, it->w + at, it->beta[i], it->dz + at, t);
        for (int k = 0; k < d; k++) {
            it->dy[at + k] -= t[k];
            it->dz[at + k] += it->gp[at + k];
        }
    }
    for (int j = system->n; j < system->N; j++) {
        it->dy[j] = -it->db[j - system->n] * (it->k[j - system->n] + it->dz[j]);
        it->dz[j] = 0.0;
    }
}

// The predictor's and the corrector's k of the scalar rows, with what products are to change by.
// @param corrected use the predictor's step @param target of the products
static void aim_rows(Iterate* it, bool corrected, double target)
{
    const System* system = it->system;
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double dy = corrected ? it->dy[row] : 0.0;
        const double low = below(it, j);
        const double high = above(it, j);
        const double low_dz = corrected ? (it->low_c[j] - it->low_z[j] * dy) / low : 0.0;
        const double high_dz = corrected ? (it->high_c[j] + it->high_z[j] * dy) / high : 0.0;
        it->k[j] = it->u[row];
        if (it->low_z[j] > 0.0) {
            it->low_c[j] = target - it->low_z[j] * low - dy * low_dz;
            it->k[j] -= it->low_z[j] + it->low_c[j] / low;
        }
        if (it->high_z[j] > 0.0) {
            it->high_c[j] = target - it->high_z[j] * high + dy * high_dz;
            it->k[j] += it->high_z[j] + it->high_c[j] / high;
        }
    }
}

// Steps of the multipliers, once dy is known.
static double low_step(const Iterate* it, int j)
{
    return (it->low_c[j] - it->low_z[j] * it->dy[it->system->n + j]) / below(it, j);
}

static double high_step(const Iterate* it, int j)
{
    return (it->high_c[j] + it->high_z[j] * it->dy[it->system->n + j]) / above(it, j);
}

// the longest step that keeps x >= 0
static double longest_scalar(double x, double dx)
{
    return dx < 0.0 ? -x / dx : HUGE_VAL;
}

static double longest_of_rows(const Iterate* it)
{
    double step = HUGE_VAL;
    for (int j = 0; j < it->system->nb; j++) {
        const double dy = it->dy[it->system->n + j];
        if (it->low_z[j] > 0.0) {
            step = fmin(step, longest_scalar(below(it, j), dy));
            step = fmin(step, longest_scalar(it->low_z[j], low_step(it, j)));
        }
        if (it->high_z[j] > 0.0) {
            step = fmin(step, longest_scalar(above(it, j), -dy));
            step = fmin(step, longest_scalar(it->high_z[j], high_step(it, j)));
        }
    }
    return step;
}

// what the products of bounded rows add up to after a step
static double gap_of_rows(const Iterate* it, double step)
{
    double gap = 0.0;
    for (int j = 0; j < it->system->nb; j++) {
        const double dy = step * it->dy[it->system->n + j];
        if (it->low_z[j] > 0.0) {
            gap += (it->low_z[j] + step * low_step(it, j)) * (below(it, j) + dy);
        }
        if (it->high_z[j] > 0.0) {
            gap += (it->high_z[j] + step * high_step(it, j)) * (above(it, j) - dy);
        }
    }
    return gap;
}

// rho = lambda \ (sigma tau weight e - lambda o lambda - (W dy) o (W^-1 dz)), after the predictor
static void find_corrector(Iterate* it, double sigma)
{
    const int d = it->system->d;
    for (int i = 0; i < it->system->nc; i++) {
        const int at = d * i;
        const double* lam = it->lam + at;
        double a[3];
        double b[3];
        double x[3];
        scale(d, it->w + at, it->beta[i], 1.0, it->dy + at, a);
        scale(d, it->w + at, it->beta[i], -1.0, it->dz + at, b);
        x[0] = sigma * it->tau * it->weight[i] - ut_dot(d, lam, lam) - ut_dot(d, a, b);
        for (int k = 1; k < d; k++) {
            x[k] = -2.0 * lam[0] * lam[k] - (a[0] * b[k] + b[0] * a[k]);
        }
        it->rho[at] = (lam[0] * x[0] - tail_dot(d, lam, x)) / det(d, lam);
        for (int k = 1; k < d; k++) {
            it->rho[at + k] = (x[k] - it->rho[at] * lam[k]) / lam[0];
        }
    }
}

// What is left of z = û, as a product of impulse and velocity: the mean of m |g_p|^2.
static double infeasibility(const Iterate* it)
{
    const System* system = it->system;
    double sum = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const double* g = it->gp + (size_t)system->d * (size_t)i;
        sum += system->m[i] * ut_dot(system->d, g, g);
    }
    return system->nc > 0 ? sum / system->nc : 0.0;
}

// sigma = (gap_aff / gap)^power, at least so much that products do not vanish before the residual
// of the shift does: once they have, steps are short for good. Piles of balls in mid-fall need
// this.
static double find_centring(const Iterate* it)
{
    const System* system = it->system;
    const double step = fmin(1.0, fmin(longest_of_all(it), longest_of_rows(it)));
    double gap = gap_of_rows(it, step);
    for (int k = 0; k < system->n; k++) {
        gap += (it->z[k] + step * it->dz[k]) * (it->y[k] + step * it->dy[k]);
    }
    const double ratio = it->tau > 0.0 ? gap / (system->nc + it->sides) / it->tau : 0.0;
    const double share = fmax(0.0, fmin(1.0, ratio));
    double sigma = share;
    for (int k = 1; k < it->set.sigma; k++) {
        sigma *= share;
    }
    const double least = it->tau > 0.0 ? BALANCE * infeasibility(it) / it->tau : 0.0;
    return fmax(sigma, fmin(1.0, least));
}

// Predictor and corrector. @return the step length, NaN when there is none
static double direct(Iterate* it, double share)
{
    const System* system = it->system;
    if (!factor(it, share)) {
        return (double)NAN;
    }
    for (int k = 0; k < system->n; k++) {
        it->rho[k] = -it->lam[k];
    }
    aim_rows(it, false, 0.0);
    find_step(it);
    const double sigma = find_centring(it);
    find_corrector(it, sigma);
    aim_rows(it, true, sigma * it->tau);
    find_step(it);
    const double longest = fmin(longest_of_all(it), longest_of_rows(it));
    const double step = fmin(1.0, it->set.damping * longest);
    return isfinite(ut_max_abs(system->dof, it->dv)) ? step : (double)NAN;
}

static void advance(Iterate* it, double step)
{
    for (int j = 0; j < it->system->nb; j++) {
        it->low_z[j] += it->low_z[j] > 0.0 ? step * low_step(it, j) : 0.0;
        it->high_z[j] += it->high_z[j] > 0.0 ? step * high_step(it, j) : 0.0;
    }
    ut_axpy(it->system->dof, step, it->dv, it->v);
    ut_axpy(it->system->N, step, it->dy, it->y);
    ut_axpy(it->system->N, step, it->dz, it->z);
}

// ---- the iteration ------------------------------------------------------------------------------

// What has been reached so far.
typedef struct Progress {
    double best; // score of the best iterate
    double E;    // where E or tau halved last
    double tau;
    int at;
    int calm; // lagged iterations to come
} Progress;

// Look at the iterate, keep it when it is the best. @return false when it is the last
static bool look(Iterate* it, double tolerance, int iteration, Progress* progress)
{
    double bilateral = 0.0;
    impulses(it, it->r);
    const double E = ut_system_error(it->system, it->r, &bilateral);
    const double score = ut_interior_score(E, bilateral, tolerance);
    if (score < progress->best) {
        progress->best = score;
        memcpy(it->best, it->r, (size_t)it->system->N * sizeof *it->r);
    }
    if (ut_interior_done(E, bilateral, tolerance)) {
        return false;
    }
    find_gap(it);
    if (score < 0.5 * progress->E || it->tau < 0.5 * progress->tau) {
        progress->E = fmin(progress->E, score);
        progress->tau = fmin(progress->tau, it->tau);
        progress->at = iteration;
    }
    const bool stalled = iteration >= EARLY && iteration - progress->at > PATIENCE;
    const bool lost = iteration > 15 && progress->best < 1e-4 && score > 1e3 * progress->best;
    return !stalled && !lost;
}

// @return false when no step is left
static bool iterate(Iterate* it, Progress* progress, int* count)
{
    find_residuals(it);
    if (!find_scaling(it)) {
        return false;
    }
    const bool lagged = it->set.lagged || it->system->convex;
    bool live = !lagged && progress->calm == 0;
    progress->calm -= progress->calm > 0;
    double step = 0.0;
    if (live) {
        step = direct(it, 1.0);
        ++*count;
        if (!(step >= SHORT)) {
            live = false;
            progress->calm = CALM;
        }
    }
    if (!live) {
        step = direct(it, lagged ? 0.0 : it->set.partial);
        ++*count;
    }
    if (!(step >= STUCK)) {
        return false;
    }
    advance(it, step);
    return true;
}

utStatus ut_interior_run(System* system, const Interior* settings, double tolerance,
                         utArena scratch, double* r, int* count)
{
    Iterate it = {.system = system, .set = *settings};
    if (!push(&it, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    start(&it);
    Progress progress = {.best = HUGE_VAL, .E = HUGE_VAL, .tau = HUGE_VAL};
    for (int k = 0; look(&it, tolerance, k, &progress) && k < settings->max_iterations; k++) {
        if (!iterate(&it, &progress, count)) {
            break;
        }
    }
    memcpy(r, it.best, (size_t)system->N * sizeof *r);
    return UT_OK;
}

utStatus ut_coulomb_ipm(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                        double* r, utCoulombInfo* info)
{
    System system;
    if (ut_coulomb_polygonal(problem)) {
        return UT_ERR_ARGUMENT;
    }
    UT_TRY(ut_system_create(problem, def->convex, &scratch, &system));
    Interior settings = ut_interior_settings();
    if (def->max_iterations > 0) {
        settings.max_iterations = def->max_iterations;
    }
    info->iterations = 0;
    return ut_interior_run(&system, &settings, def->tolerance, scratch, r, &info->iterations);
}
