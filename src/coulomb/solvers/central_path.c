// SPDX-License-Identifier: Apache-2.0
// The central path, followed by its arc length (docs/coulomb.md, "The central path"). For contacts with
// circles and without scalar rows. Letters as in interior.c; o is the product of the cones,
// a o b = (a.b, a_0 b_1 + b_0 a_1), and L_a the matrix of b -> a o b:
//
//     z = T u + (1 - theta) a e_n - theta g0,   a = sqrt(|T u_t|^2 + e^2),   e = c tau,   theta = tau / tau_0
//     y o z = tau w_i e_n,                      M (v - v*) = J'T y
//
// At tau_0 the shift is absent: the equations are monotone, their only solution is the start. From there the
// path leads to tau = 0, where the equations are the law, if contacts can open. An interior point needs tau
// to fall all the time. The path may turn, so that tau grows for a while and falls again, because with
// the shift the equations are not monotone. Such turns are where an interior point and Newton's method stall.
//
// tau is an unknown here, and a step goes along the tangent. With x = (y, z) the equations G(x, tau) = 0 keep
// the sign of det G_x dtau/ds along the path, so that the sign of the determinant tells on every branch
// whether tau is to fall or to grow. The sign also survives a jump to a branch beside it.
//
//     N dũ - dz = g,   L_z dy + L_y dz = c     =>   (M + J'T B T J) dv = J'T L_z^-1 (c + L_y g),   B = L_z^-1 L_y N
//
// solves with G_x, where ũ = T u and N = 1 + (1 - theta) e_n d', d = ũ_t / a.
#include <string.h>

#include "cones.h"
#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    MAX_CORRECTIONS = 2,   // of a step before it is halved,
    SHORT_CORRECTIONS = 4, // and of a short step
    MAX_SHORTENINGS = 60,  // of a step until it stays within the cones
    MAX_OF_START = 600,    // factorizations from one start, or so many per velocity, because the
    PER_VELOCITY = 2,      // paths of piles of many bodies turn hundreds of times
    STARTS = 4,            // with the most factorizations, after which there is no other
    FINISH_ROUNDS = 8,     // of a try to finish, while E halves: at most
    NEWTON_STEPS = 15,     // factorizations of Newton by bodies,
    PROXIMAL_STEPS = 10,   // and of the proximal Newton
};

static const double SMOOTHING = 0.3;  // e over tau / (mean mass V)
static const double NEAR_PATH = 0.05; // relative error of a point that counts as one of the path,
static const double NEARER_PATH = 0.015; // and after a point that was not near enough,
static const double RELAXING = 1.2;      // from where it grows again with every step
static const double FAR_AWAY = 3.0;      // a predicted point with a larger one is not corrected
static const double CONVERGING = 0.7;    // a correction must lower the error to this fraction
static const double FIRST_STEP =
    0.5; // steps: relative changes of y, z and tau, as a mean over contacts
static const double LONGEST_STEP = 1.0;
static const double SHORT_STEP = 0.05;
static const double LEAST_STEP = 1e-7;
static const double STEP_BACK = 0.02;  // after a return to the point before
static const double SMALL_STEP = 1e-3; // below it the correction is shortened with the step
static const double INSIDE =
    0.97; // fraction of the way to the boundary of a cone that a step may take
static const double LEAST_TAU = 0.02;       // tau after a step, over that before, at least
static const double LEAST_CORRECTION = 0.2; // a correction that must be shorter has failed
static const double ROUNDING = 1e-14;       // tau over tau_0 that is lost in rounding
static const double FINISH =
    1e-4; // at this E, and whenever E has fallen by FINISH_AGAIN, try to finish
static const double FINISH_AGAIN = 0.2;
static const double REGULARIZATION = 1e-8; // of Newton by bodies

// A try to finish goes on to this fraction of the tolerance. The velocities that it leaves become gaps, and in the next
// step loops of contacts with such gaps cannot all be closed.
static const double TARGET = 0.02;

// A point of the path, or a direction.
typedef struct Point {
    double* y; // n
    double* z; // n
    double tau;
} Point;

typedef struct Path {
    System* system;
    double mean;  // of the masses
    double slope; // c of e = c tau
    double tau_0;
    double* g0; // n: residual of z at the start

    // at the point that was evaluated last
    double* r;  // N: T y
    double* x;  // dof: velocities
    double* u;  // N: T u
    double* a;  // nc: smoothed slip
    double* gz; // n: residual of z
    double* gc; // n: residual of the products
    double* D;  // nc d x d
    double e;   // smoothing

    double near;      // relative error of a point that counts as one of the path
    Point at;         // the current point
    Point last;       // the point before
    Point next;       // the point after a step
    Point rate;       // dx / dtau
    Point tangent;    // the direction of unit length
    Point curvature;  // the derivative of the tangent
    Point correction; // Newton's step to the path
    Point step;
    Point work;
    double* g;        // n, work: right-hand sides
    double* c;        // n, work
    double* residual; // n, work
    double* change;   // n, work
    double* rhs;      // dof, work
    double* best;     // N: the best impulses of all tries to finish,
    double best_E;    // and their error
} Path;

// ---- the cones ----------------------------------------------------------------------------------

// c = a o b
static void multiply(int d, const double* a, const double* b, double* c)
{
    const double a0 = a[0], b0 = b[0];
    const double dot = ut_dot(d, a, b);
    for (int k = 1; k < d; k++) {
        c[k] = a0 * b[k] + b0 * a[k];
    }
    c[0] = dot;
}

// x = L_a^-1 b
static void divide(int d, const double* a, const double* b, double* x)
{
    x[0] = (a[0] * b[0] - tail_dot(d, a, b)) / det(d, a);
    for (int k = 1; k < d; k++) {
        x[k] = (b[k] - x[0] * a[k]) / a[0];
    }
}

static double coefficient(const Path* path, int i, int k)
{
    return k > 0 ? path->system->problem->mu[i] : 1.0;
}

// r = T y of contact i
static void unscale(const Path* path, int i, const double* y, double* r)
{
    for (int k = 0; k < path->system->d; k++) {
        r[k] = coefficient(path, i, k) * y[k];
    }
}

static double weight(const Path* path, int i)
{
    return path->system->m[i] / path->mean;
}

// ---- the equations ------------------------------------------------------------------------------

// Find velocities and residuals at a point. @return the largest relative residual of a contact
static double evaluate(Path* path, const Point* at)
{
    const System* system = path->system;
    const int d = system->d;
    const double theta = at->tau / path->tau_0;
    double largest = 0.0;
    path->e = path->slope * at->tau;
    for (int k = 0; k < system->n; k++) {
        path->r[k] = coefficient(path, k / d, k % d) * at->y[k];
    }
    ut_system_velocity(system, path->r, path->x);
    ut_system_rows(system, true, path->x, path->u);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        const double* z = at->z + row;
        double* u = path->u + row;
        double* gz = path->gz + row;
        double* gc = path->gc + row;
        for (int k = 1; k < d; k++) {
            u[k] *= coefficient(path, i, k);
        }
        path->a[i] = sqrt(tail_dot(d, u, u) + path->e * path->e);
        for (int k = 0; k < d; k++) {
            gz[k] = u[k] - z[k] - theta * path->g0[row + (size_t)k];
        }
        gz[0] += (1.0 - theta) * path->a[i];
        multiply(d, at->y + row, z, gc);
        gc[0] -= at->tau * weight(path, i);
        largest = ut_larger(largest, sqrt(ut_dot(d, gz, gz)) / z[0]);
        largest = ut_larger(largest, sqrt(ut_dot(d, gc, gc)) / (at->tau * weight(path, i)));
    }
    return largest;
}

// y = N x of contact i
static void tilt(const Path* path, double tau, int i, const double* x, double* y)
{
    const int d = path->system->d;
    const double* u = path->u + (size_t)d * (size_t)i;
    const double along = (1.0 - tau / path->tau_0) * tail_dot(d, u, x) / path->a[i];
    for (int k = 1; k < d; k++) {
        y[k] = x[k];
    }
    y[0] = x[0] + along;
}

// Factor H at the point that was evaluated last. @return the sign of its determinant, 0 on failure
static int factor(Path* path, const Point* at)
{
    System* system = path->system;
    const int d = system->d;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        double* D = path->D + (size_t)d * row;
        for (int l = 0; l < d; l++) {
            double column[3] = {0.0}, product[3] = {0.0};
            column[l] = coefficient(path, i, l);
            tilt(path, at->tau, i, column, product);
            multiply(d, at->y + row, product, column);
            divide(d, at->z + row, column, product);
            for (int k = 0; k < d; k++) {
                D[d * k + l] = coefficient(path, i, k) * product[k];
            }
        }
    }
    return ut_system_factor(system, false, path->D, NULL) ? ut_sparse_sign(&system->H) : 0;
}

// dy of N dũ - dz = g, L_z dy + L_y dz = c, by the factors at this point, which was evaluated last.
// @param g NULL for 0
static void solve_once(Path* path, const Point* at, const double* g, const double* c, double* dy)
{
    System* system = path->system;
    const int d = system->d;
    double x[3] = {0.0}, product[3] = {0.0};
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        memcpy(x, c + row, (size_t)d * sizeof *x);
        if (g != NULL) {
            multiply(d, at->y + row, g + row, product);
            ut_axpy(d, 1.0, product, x);
        }
        divide(d, at->z + row, x, dy + row);
        unscale(path, i, dy + row, path->r + row);
    }
    memset(path->rhs, 0, (size_t)system->dof * sizeof *path->rhs);
    ut_system_add_transposed(system, path->r, path->rhs);
    ut_system_solve_once(system, path->rhs, path->x); // solve() refines
    ut_system_rows(system, false, path->x, path->r);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        unscale(path, i, path->r + row, product);
        tilt(path, at->tau, i, product, x);
        multiply(d, at->y + row, x, product);
        divide(d, at->z + row, product, x);
        ut_axpy(d, -1.0, x, dy + row);
    }
}

// dz = N dũ - g of a dy
static void find_dz(Path* path, const Point* at, const double* g, const double* dy, double* dz)
{
    System* system = path->system;
    const int d = system->d;
    double product[3] = {0.0};
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        unscale(path, i, dy + row, path->r + row);
    }
    ut_system_change(system, path->r, path->x);
    ut_system_rows(system, false, path->x, path->r);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        unscale(path, i, path->r + row, product);
        tilt(path, at->tau, i, product, dz + row);
        ut_axpy(d, -1.0, g + row, dz + row);
    }
}

// The same with dz. B is as large as y_0^2 / tau, so that rounding moves sticking contacts by more than their z:
// one step of refinement.
static void solve(Path* path, const Point* at, const double* g, const double* c, Point* out)
{
    const System* system = path->system;
    const int d = system->d;
    solve_once(path, at, g, c, out->y);
    find_dz(path, at, g, out->y, out->z);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        double zy[3] = {0.0}, yz[3] = {0.0};
        multiply(d, at->z + row, out->y + row, zy);
        multiply(d, at->y + row, out->z + row, yz);
        for (int k = 0; k < d; k++) {
            path->residual[row + (size_t)k] = c[row + (size_t)k] - zy[k] - yz[k];
        }
    }
    solve_once(path, at, NULL, path->residual, path->change);
    ut_axpy(system->n, 1.0, path->change, out->y);
    find_dz(path, at, g, out->y, out->z);
}

// ---- directions ---------------------------------------------------------------------------------

// The inner product of relative changes at the current point: a mean over the contacts.
static double inner(const Path* path, const Point* a, const Point* b)
{
    const int d = path->system->d;
    const int nc = path->system->nc;
    double sum = 0.0;
    for (int i = 0; i < nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        const double y = path->at.y[row];
        const double z = path->at.z[row];
        sum += ut_dot(d, a->y + row, b->y + row) / (y * y);
        sum += ut_dot(d, a->z + row, b->z + row) / (z * z);
    }
    return sum / nc + a->tau * b->tau / (path->at.tau * path->at.tau);
}

static void add(const Path* path, double factor, const Point* x, Point* sum)
{
    ut_axpy(path->system->n, factor, x->y, sum->y);
    ut_axpy(path->system->n, factor, x->z, sum->z);
    sum->tau += factor * x->tau;
}

static void clear(const Path* path, Point* x)
{
    memset(x->y, 0, (size_t)path->system->n * sizeof *x->y);
    memset(x->z, 0, (size_t)path->system->n * sizeof *x->z);
    x->tau = 0.0;
}

static void copy(const Path* path, const Point* from, Point* to)
{
    const size_t bytes = (size_t)path->system->n * sizeof *from->y;
    memcpy(to->y, from->y, bytes);
    memcpy(to->z, from->z, bytes);
    to->tau = from->tau;
}

// Make x orthogonal to the tangent by a multiple of `rate`.
static void make_orthogonal(const Path* path, const Point* rate, Point* x)
{
    add(path, -inner(path, &path->tangent, x) / inner(path, &path->tangent, rate), rate, x);
}

// dx / dtau at a point: the derivatives of the residuals by tau, with the other sign, are right-hand sides.
static void find_rate(Path* path, const Point* at, Point* rate)
{
    const System* system = path->system;
    const int d = system->d;
    const double theta = at->tau / path->tau_0;
    for (int k = 0; k < system->n; k++) {
        const int i = k / d;
        const bool normal = k % d == 0;
        path->g[k] = path->g0[k] / path->tau_0;
        path->g[k] -=
            normal ? (1.0 - theta) * path->slope * path->e / path->a[i] - path->a[i] / path->tau_0
                   : 0.0;
        path->c[k] = normal ? weight(path, i) : 0.0;
    }
    solve(path, at, path->g, path->c, rate);
    rate->tau = 1.0;
}

// Newton's step to the path at constant tau.
static void find_correction(Path* path, const Point* at, Point* correction)
{
    for (int k = 0; k < path->system->n; k++) {
        path->g[k] = -path->gz[k];
        path->c[k] = -path->gc[k];
    }
    solve(path, at, path->g, path->c, correction);
    correction->tau = 0.0;
}

// The second derivatives of the residuals along the tangent are those of a and of y o z.
static void find_curvature(Path* path)
{
    const System* system = path->system;
    const int d = system->d;
    const Point* t = &path->tangent;
    const double theta = path->at.tau / path->tau_0;
    const double e_rate = path->slope * t->tau;
    memset(path->g, 0, (size_t)system->n * sizeof *path->g);
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)d * (size_t)i;
        const double a = path->a[i];
        double du[3] = {0.0};
        for (int k = 1; k < d; k++) {
            du[k] = t->z[row + (size_t)k] + t->tau / path->tau_0 * path->g0[row + (size_t)k];
        }
        const double da = (tail_dot(d, path->u + row, du) + path->e * e_rate) / a;
        const double dda = (tail_dot(d, du, du) + e_rate * e_rate - da * da) / a;
        path->g[row] = -((1.0 - theta) * dda - 2.0 * t->tau / path->tau_0 * da);
        multiply(d, t->y + row, t->z + row, path->c + row);
        for (int k = 0; k < d; k++) {
            path->c[row + (size_t)k] *= -2.0;
        }
    }
    solve(path, &path->at, path->g, path->c, &path->curvature);
    path->curvature.tau = 0.0;
    make_orthogonal(path, &path->rate, &path->curvature);
}

// Tangent, curvature and correction at the current point, whose H is factored.
// @param downward tau is to fall
static void find_directions(Path* path, bool downward)
{
    find_rate(path, &path->at, &path->rate);
    const double length = sqrt(inner(path, &path->rate, &path->rate));
    clear(path, &path->tangent);
    add(path, (downward ? -1.0 : 1.0) / length, &path->rate, &path->tangent);
    find_curvature(path);
    find_correction(path, &path->at, &path->correction);
    make_orthogonal(path, &path->rate, &path->correction);
}

// ---- one step -----------------------------------------------------------------------------------

// The longest multiple of a step from a point that stays within the cones.
static double longest_step(const Path* path, const Point* at, const Point* step)
{
    const System* system = path->system;
    double most = HUGE_VAL;
    for (int i = 0; i < system->nc; i++) {
        const size_t row = (size_t)system->d * (size_t)i;
        most = fmin(most, longest(system->d, at->y + row, step->y + row));
        most = fmin(most, longest(system->d, at->z + row, step->z + row));
    }
    return most;
}

// Predict `next` by h t + h^2/2 t' + the correction, with h shortened until it is within the cones.
static double predict(Path* path, double h)
{
    double share = 1.0;
    for (int k = 0; k < MAX_SHORTENINGS; k++) {
        clear(path, &path->step);
        add(path, h, &path->tangent, &path->step);
        add(path, 0.5 * h * h, &path->curvature, &path->step);
        add(path, share, &path->correction, &path->step);
        if (path->at.tau + path->step.tau > LEAST_TAU * path->at.tau &&
            INSIDE * longest_step(path, &path->at, &path->step) > 1.0) {
            break;
        }
        h *= 0.8;
        share *= h > SMALL_STEP ? 1.0 : 0.8;
    }
    copy(path, &path->at, &path->next);
    add(path, 1.0, &path->step, &path->next);
    return h;
}

// Newton's step from `next` to the path, orthogonal to the tangent. @return false when it is too long
static bool correct(Path* path, int* count)
{
    Point* next = &path->next;
    ++*count;
    if (factor(path, next) == 0) {
        return false;
    }
    find_correction(path, next, &path->step);
    find_rate(path, next, &path->work);
    make_orthogonal(path, &path->work, &path->step);
    double share = fmin(1.0, INSIDE * longest_step(path, next, &path->step));
    if (next->tau + share * path->step.tau < 0.1 * next->tau) {
        share = -0.9 * next->tau / path->step.tau;
    }
    if (!(share >= LEAST_CORRECTION)) {
        return false;
    }
    add(path, share, &path->step, next);
    return true;
}

// Step along the path. @param h the longest step to try; out: the next one  @return false at the end
static bool advance(Path* path, double* h, int* count)
{
    while (*h >= LEAST_STEP) {
        *h = predict(path, *h);
        const int corrections = *h < SHORT_STEP ? SHORT_CORRECTIONS : MAX_CORRECTIONS;
        double before = HUGE_VAL;
        for (int k = 0;; k++) {
            const double error = evaluate(path, &path->next);
            if (error < path->near) {
                const double growth = k > 0 ? 0.8 : error < 0.3 * path->near ? 2.0 : 1.3;
                *h = fmin(growth * *h, LONGEST_STEP);
                path->near = fmin(RELAXING * path->near, NEAR_PATH);
                copy(path, &path->at, &path->last);
                copy(path, &path->next, &path->at);
                return true;
            }
            if (k == corrections || !(error < FAR_AWAY) || !(error < CONVERGING * before) ||
                !correct(path, count)) {
                break;
            }
            before = error;
        }
        *h *= 0.5;
    }
    return false;
}

// ---- the path -----------------------------------------------------------------------------------

static void push_point(const System* system, utArena* scratch, Point* point)
{
    point->y = ut_coulomb_push(scratch, 1, system->n);
    point->z = ut_coulomb_push(scratch, 1, system->n);
}

static bool push(Path* path, utArena* scratch)
{
    const System* system = path->system;
    double** const rows[] = {&path->g0, &path->r, &path->u,        &path->gz,    &path->gc,
                             &path->g,  &path->c, &path->residual, &path->change};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = ut_coulomb_push(scratch, 1, system->n);
    }
    push_point(system, scratch, &path->at);
    push_point(system, scratch, &path->last);
    push_point(system, scratch, &path->next);
    push_point(system, scratch, &path->rate);
    push_point(system, scratch, &path->tangent);
    push_point(system, scratch, &path->curvature);
    push_point(system, scratch, &path->correction);
    push_point(system, scratch, &path->step);
    push_point(system, scratch, &path->work);
    path->best = ut_coulomb_push(scratch, 1, system->N);
    path->x = ut_coulomb_push(scratch, 1, system->dof);
    path->rhs = ut_coulomb_push(scratch, 1, system->dof);
    path->a = ut_coulomb_push(scratch, 1, system->nc);
    path->D = ut_coulomb_push(scratch, system->nc, system->d * system->d);
    return !ut_arena_failed(scratch);
}

// Start with z = scale V and y = scale m V, whose residual becomes g0. @return false where nothing moves
static bool start(Path* path, double scale)
{
    const System* system = path->system;
    const size_t bytes = (size_t)system->n * sizeof(double);
    clear(path, &path->at);
    memset(path->g0, 0, bytes);
    const double V = scale * ut_system_load(system, path->g0);
    double sum = 0.0;
    for (int i = 0; i < system->nc; i++) {
        path->at.y[system->d * i] = system->m[i] * V;
        path->at.z[system->d * i] = V;
        sum += system->m[i];
    }
    path->mean = sum / system->nc;
    path->tau_0 = path->mean * V * V;
    path->at.tau = path->tau_0;
    path->slope = SMOOTHING / (path->mean * V);
    evaluate(path, &path->at);
    memcpy(path->g0, path->gz, bytes);
    copy(path, &path->at, &path->last);
    return V > 0.0 && path->tau_0 < HUGE_VAL;
}

// The impulses of the current point, in their cones. @return their E
static double impulses(Path* path, double* r)
{
    const System* system = path->system;
    double bilateral = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* r_i = r + (size_t)system->d * (size_t)i;
        for (int k = 0; k < system->d; k++) {
            r_i[k] = coefficient(path, i, k) * path->at.y[system->d * i + k];
        }
        ut_law_project(&law, r_i, r_i);
    }
    ut_system_release(system, r);
    return ut_system_error(system, r, &bilateral);
}

// Does Newton by bodies take the problem?
static bool newton_applies(const System* system)
{
    return !system->local && system->d == 3;
}

// Finish from r by Newton on Alart and Curnier's function and the proximal Newton in turn, while E halves.
// @param E in: that of r; out: that of the new r
static utStatus finish(Path* path, double tolerance, utArena scratch, double* r, double* E,
                       int* count)
{
    System* system = path->system;
    Proximal settings = ut_proximal_live();
    double bilateral = 0.0;
    double* polished = ut_coulomb_push(&scratch, 1, system->N);
    if (polished == NULL) {
        return UT_ERR_CAPACITY;
    }
    const double target = TARGET * tolerance;
    settings.limit = PROXIMAL_STEPS;
    memcpy(polished, r, (size_t)system->N * sizeof *r);
    double E_polished = *E;
    double before = HUGE_VAL;
    for (int k = 0; k < FINISH_ROUNDS && E_polished > target && E_polished < 0.5 * before; k++) {
        before = E_polished;
        if (newton_applies(system)) {
            UT_TRY(ut_newton_bodies_run(system, REGULARIZATION, NEWTON_STEPS, target, scratch,
                                        polished, &E_polished, count));
        }
        if (E_polished > target) {
            UT_TRY(ut_proximal_run(system, &settings, target, scratch, polished, count));
            E_polished = ut_system_error(system, polished, &bilateral);
        }
    }
    if (E_polished < *E) {
        memcpy(r, polished, (size_t)system->N * sizeof *r);
        *E = E_polished;
    }
    if (*E < path->best_E) {
        memcpy(path->best, r, (size_t)system->N * sizeof *r);
        path->best_E = *E;
    }
    return UT_OK;
}

bool ut_central_path_applies(const System* system)
{
    for (int i = 0; i < system->nc; i++) {
        if (!system->moves[i]) {
            return false;
        }
    }
    return system->nc > 0 && system->nb == 0 && !system->convex && system->d <= 3 &&
           !ut_coulomb_polygonal(system->problem);
}

// Return to the point before the current one, which is not near enough to the path for Newton's method.
// @return false when this happened just before
static bool step_back(Path* path, double* h)
{
    if (path->near <= RELAXING * NEARER_PATH) {
        return false;
    }
    path->near = NEARER_PATH;
    *h = STEP_BACK;
    copy(path, &path->last, &path->at);
    return true;
}

// Follow the path from its start. @param r the last impulses @param E their error
static utStatus follow(Path* path, int limit, double tolerance, utArena scratch, double* r,
                       double* E, int* count)
{
    const int first = *count;
    double h = FIRST_STEP;
    double tried = FINISH / FINISH_AGAIN;
    int orientation = 0;
    path->near = NEAR_PATH;
    while (!(*E <= tolerance) && *count - first < limit && path->at.tau > ROUNDING * path->tau_0) {
        evaluate(path, &path->at);
        ++*count;
        const int sign = factor(path, &path->at);
        orientation = orientation == 0 ? sign : orientation;
        if (sign == 0) {
            break;
        }
        find_directions(path, sign == orientation);
        if (!advance(path, &h, count)) {
            if (step_back(path, &h)) {
                continue;
            }
            break;
        }
        *E = impulses(path, r);
        if (*E < FINISH_AGAIN * tried) {
            tried = *E;
            UT_TRY(finish(path, tolerance, scratch, r, E, count));
        }
    }
    return *E < FINISH && *E < tried ? finish(path, tolerance, scratch, r, E, count) : UT_OK;
}

utStatus ut_central_path_run(System* system, int limit, double tolerance, utArena scratch,
                             double* r, int* count)
{
    static const double scales[] = {20.0, 60.0, 14.0, 40.0, 10.0, 30.0, 5.0, 100.0, 7.0, 3.0};
    Path path = {.system = system, .best_E = HUGE_VAL};
    if (!push(&path, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    const int velocities = system->problem->dof;
    const int of_start =
        velocities > MAX_OF_START / PER_VELOCITY ? PER_VELOCITY * velocities : MAX_OF_START;
    const int last = *count + (limit < STARTS * of_start ? limit : STARTS * of_start);
    double E = HUGE_VAL;
    for (size_t k = 0; k < sizeof scales / sizeof *scales && !(E <= tolerance); k++) {
        if (*count >= last || !start(&path, scales[k])) {
            break;
        }
        E = HUGE_VAL;
        const int left = last - *count;
        UT_TRY(follow(&path, left < of_start ? left : of_start, tolerance, scratch, r, &E, count));
    }
    if (path.best_E < E) {
        memcpy(r, path.best, (size_t)system->N * sizeof *r);
    }
    return UT_OK;
}
