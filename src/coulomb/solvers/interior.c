// SPDX-License-Identifier: Apache-2.0
// Interior point, Nesterov-Todd scaled, with the shift differentiated. No polygons.
//
// With T = diag(1, mu, mu) the cones become self-dual: z = T u + s e_n and r = T y lie in the
// second-order cone {x_0 >= |x_1|}, and s = mu |u_t|. Letters as in docs/coulomb.md:
//
//     w, beta   scaling point and size: lambda = W^-1 z = W y
//     d         slip direction; live: N = 1 + e_n d', lagged: N = 1, or with a fraction of d
//     g_v, g_p  residuals of the momentum and of z; g_p continues with those of the scalar rows
//     v         the unknowns of the system (system.h); in the local form u itself
//
// A contact with torsional or rolling friction has one cone per factor of its section, (n, factor k). They
// share the normal impulse, y_0 of all cones is r_n, and divide the normal velocity: the z_0 add up to
// u_n + s. Vectors of rows have the entries of u; vectors of cone entries have those of all cones, of
// which there are more than rows in this case.
//
// Vectors hold the contacts first and then the scalar rows, where y are impulses. A
// bounded row has the slacks y - low and high - y with multipliers low_z and high_z, whose
// difference is u. For all scalar rows a step is dy = -D (k + du):
//
//     bounded     1/D = low_z / (y - low) + high_z / (high - y)
//     bilateral   1/D = delta, k = u
#include <string.h>

#include "cones.h"
#include "la/dense/kernel.h"
#include "second_order.h"

enum {
    CALM_ITERATIONS = 2, // with a reduced derivative of the shift, after a step that was too short
    EARLY = 30,          // iterations that are never the last for lack of progress
    PATIENCE = 12,       // iterations within which E or tau must halve
    SETTLED = 15,        // iterations after which an E that grows again ends the run
};

static const double SHORT_STEP = 0.1; // below it a live step is repeated with a reduced derivative
static const double LEAST_STEP = 1e-10; // below it the iteration cannot go on
static const double STIFFNESS = 1e-8;   // delta m_b of bilateral rows: their error after a step

// Products z.y over m |g_p|^2, at least: once products are much smaller than the residual, all
// further steps are short.
static const double LEAST_BALANCE = 30.0;

// A run whose E fell below GOOD and then grew by DIVERGED will not come back.
static const double GOOD = 1e-4;
static const double DIVERGED = 1e3;

// The Nesterov-Todd scaling.
typedef struct Scaling {
    double* w;      // cone entries: scaling points
    double* lambda; // cone entries: the scaled iterate
    double* beta;   // cones: sizes of the scaling
    double* weight; // nc: of the barrier
    double* D;      // nc d x d: T W^-2 N T
} Scaling;

// The cones of a contact, the same for all contacts.
typedef struct Cones {
    int count;
    int entries;                       // of all cones of a contact
    int begin[UT_SECTION_MAX_FACTORS]; // the first entry of a cone
    int size[UT_SECTION_MAX_FACTORS];  // entries of a cone, 2 or 3
    int row[UT_SECTION_MAX_FACTORS];   // the contact's row of a cone's entry 1; entry 0 is row 0
} Cones;

// The scalar rows.
typedef struct ScalarRows {
    double* D;           // nb: as in dy = -D (k + du)
    double* k;           // nb
    double* low_z;       // nb: multiplier of the lower bound, 0 where there is none
    double* high_z;      // nb: of the upper bound
    double* low_change;  // nb: by how much the product (y - low) low_z is to change
    double* high_change; // nb: the same of (high - y) high_z
    int sides;           // bounds in all
} ScalarRows;

typedef struct Step {
    double* dv; // dof: change of v
    double* dy; // cone entries: change of y
    double* dz; // cone entries: change of z
} Step;

typedef struct Iterate {
    System* system;
    Interior settings;
    double V;
    double tau; // mean product z.y of a contact or a bound
    Cones cones;
    int n;      // cone entries of all contacts
    double* v;  // dof: the system's unknowns
    double* y;  // cone entries: scaled impulses
    double* z;  // cone entries: scaled velocities with shift
    double* u;  // N: velocities
    double* d;  // N: slip directions, 0 in the normals and where lagged
    double* gv; // dof: residual of the momentum
    double* gp; // N: residual of z
    double* du; // N: change of u, scaled and with the shift's
    Scaling scaling;
    ScalarRows rows;
    Step step;
    double* rho;  // cone entries: target of the scaled products
    double* t;    // N, work
    double* rhs;  // dof: right-hand side
    double* r;    // N: impulses of this iterate
    double* best; // N: the best impulses so far
} Iterate;

Interior ut_interior_settings(void)
{
    return (Interior){
        .centring_power = 3,
        .damping = 0.99,
        .y_start = 1.0,
        .common_mass = 1,
        .weight_power = 1,
        .short_step_shift = 0.5,
        .max_iterations = 60,
    };
}

// ---- the cones of a contact ---------------------------------------------------------------------

// Where cone k of contact i begins in vectors of cone entries.
static int cone_at(const Iterate* it, int i, int k)
{
    return it->cones.entries * i + it->cones.begin[k];
}

// The coefficient of row k of contact i, 1 for the normal.
static double coefficient(const Iterate* it, int i, int k)
{
    if (k == 0 || it->cones.count == 1) {
        return k > 0 ? it->system->problem->mu[i] : 1.0;
    }
    const utLaw law = ut_system_law(it->system, i);
    return ut_law_entry_coefficient(&law, k);
}

static Cones find_cones(const System* system)
{
    Cones cones = {.count = 1, .entries = system->d, .size = {system->d}, .row = {1}};
    const utSection* section = system->nc > 0 ? ut_coulomb_section(system->problem, 0) : NULL;
    if (section == NULL || section->kind != UT_SECTION_PRODUCT) {
        return cones;
    }
    cones.count = section->factors;
    cones.entries = 0;
    for (int k = 0; k < section->factors; k++) {
        cones.row[k] = k == 0 ? 1 : section->factor_end[k - 1];
        cones.size[k] = 1 + section->factor_end[k] - cones.row[k];
        cones.begin[k] = cones.entries;
        cones.entries += cones.size[k];
    }
    return cones;
}

// x = B^-1 a for the rows of contact i, where B is the sum of the W^2 of its cones, which share the
// normal row: W^-2 for one cone. With q = |w_1|^2 a cone's part of the Schur complement of the normal
// row is beta^2 / (1 + 2 q), without a difference. @param x not a
static void divide_by_scaling(const Iterate* it, int i, const double* a, double* x)
{
    const Cones* cones = &it->cones;
    if (cones->count == 1) {
        scale_twice(it->system->d, it->scaling.w + cone_at(it, i, 0), it->scaling.beta[i], a, x);
        return;
    }
    double schur = 0.0;
    x[0] = a[0];
    for (int k = 0; k < cones->count; k++) {
        const double* w = it->scaling.w + cone_at(it, i, k);
        const double beta = it->scaling.beta[cones->count * i + k];
        const double q = tail_dot(cones->size[k], w, w);
        const double along = tail_dot(cones->size[k], w, a + cones->row[k] - 1);
        schur += beta * beta / (1.0 + 2.0 * q);
        x[0] -= 2.0 * w[0] * along / (1.0 + 2.0 * q);
    }
    x[0] /= schur;
    for (int k = 0; k < cones->count; k++) {
        const double* w = it->scaling.w + cone_at(it, i, k);
        const double* a_k = a + cones->row[k] - 1;
        const double beta = it->scaling.beta[cones->count * i + k];
        const double q = tail_dot(cones->size[k], w, w);
        const double along = tail_dot(cones->size[k], w, a_k);
        for (int l = 1; l < cones->size[k]; l++) {
            x[cones->row[k] - 1 + l] =
                (a_k[l] - 2.0 * w[l] * along / (1.0 + 2.0 * q)) / (beta * beta) -
                2.0 * w[0] * w[l] * x[0] / (1.0 + 2.0 * q);
        }
    }
}

static double longest_of_contacts(const Iterate* it)
{
    double step = HUGE_VAL;
    for (int c = 0; c < it->cones.count * it->system->nc; c++) {
        const int k = c % it->cones.count;
        const int at = cone_at(it, c / it->cones.count, k);
        const int size = it->cones.size[k];
        step = fmin(step, longest(size, it->z + at, it->step.dz + at));
        step = fmin(step, longest(size, it->y + at, it->step.dy + at));
    }
    return step;
}

// ---- the iterate --------------------------------------------------------------------------------

static bool push(Iterate* it, utArena* scratch)
{
    const System* system = it->system;
    double** const vectors_N[] = {&it->u, &it->d, &it->gp, &it->du, &it->t, &it->r, &it->best};
    double** const of_cones[] = {&it->y,   &it->z,       &it->scaling.w, &it->scaling.lambda,
                                 &it->rho, &it->step.dy, &it->step.dz};
    double** const vectors_dof[] = {&it->v, &it->gv, &it->rhs, &it->step.dv};
    for (size_t k = 0; k < sizeof vectors_N / sizeof *vectors_N; k++) {
        *vectors_N[k] = ut_coulomb_push(scratch, 1, system->N);
    }
    for (size_t k = 0; k < sizeof of_cones / sizeof *of_cones; k++) {
        *of_cones[k] = ut_coulomb_push(scratch, 1, it->n + system->nb);
    }
    for (size_t k = 0; k < sizeof vectors_dof / sizeof *vectors_dof; k++) {
        *vectors_dof[k] = ut_coulomb_push(scratch, 1, system->dof);
    }
    it->scaling.beta = ut_coulomb_push(scratch, it->cones.count, system->nc);
    it->scaling.weight = ut_coulomb_push(scratch, 1, system->nc);
    double** const vectors_nb[] = {&it->rows.D,      &it->rows.k,          &it->rows.low_z,
                                   &it->rows.high_z, &it->rows.low_change, &it->rows.high_change};
    for (size_t k = 0; k < sizeof vectors_nb / sizeof *vectors_nb; k++) {
        *vectors_nb[k] = ut_coulomb_push(scratch, 1, system->nb);
    }
    it->scaling.D = ut_coulomb_push(scratch, system->nc, system->d * system->d);
    return !ut_arena_failed(scratch);
}

// x^(halves / 2), with the same bits everywhere
static double power(double x, int halves)
{
    return halves == 0 ? 1.0 : halves == 1 ? sqrt(x) : x;
}

// The slack y - low of a scalar row; INFINITY where it has no lower bound.
static double low_slack(const Iterate* it, int j)
{
    return it->y[it->n + j] - ut_coulomb_low(it->system->problem, j);
}

// The slack high - y of a scalar row; INFINITY where it has no upper bound.
static double high_slack(const Iterate* it, int j)
{
    return ut_coulomb_high(it->system->problem, j) - it->y[it->n + j];
}

// Start within the bounds: in the middle, or m V from a single bound.
static void start_rows(Iterate* it)
{
    const System* system = it->system;
    it->rows.sides = 0;
    for (int j = 0; j < system->nb; j++) {
        const double low = ut_coulomb_low(system->problem, j);
        const double high = ut_coulomb_high(system->problem, j);
        const double reach = system->mb[j] * it->V;
        double* y = it->y + it->n + j;
        *y = low > -HUGE_VAL && high < HUGE_VAL ? 0.5 * (low + high)
             : low > -HUGE_VAL                  ? low + reach
             : high < HUGE_VAL                  ? high - reach
                                                : 0.0;

        // a row with equal bounds keeps its impulse
        const bool distinct = low < high;
        it->rows.low_z[j] = distinct && low > -HUGE_VAL ? it->V : 0.0;
        it->rows.high_z[j] = distinct && high < HUGE_VAL ? it->V : 0.0;
        it->rows.sides += (it->rows.low_z[j] > 0.0) + (it->rows.high_z[j] > 0.0);
    }
}

static void start(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    memcpy(it->v, system->v, (size_t)system->dof * sizeof *it->v);
    memset(it->y, 0, (size_t)(it->n + system->nb) * sizeof *it->y);
    memset(it->z, 0, (size_t)(it->n + system->nb) * sizeof *it->z);
    memset(it->best, 0, (size_t)system->N * sizeof *it->best);

    double sum = 0.0;
    double heaviest = 0.0;
    it->V = ut_system_load(system, it->best); // not problem->speed, which may be much larger
    for (int i = 0; i < system->nc; i++) {
        const double* q = system->q + (size_t)d * (size_t)i;
        it->V = fmax(it->V, sqrt(ut_dot(d, q, q)));
        it->scaling.weight[i] = power(system->m[i], it->settings.weight_power);
        sum += it->scaling.weight[i];
        heaviest = fmax(heaviest, system->m[i]);
    }
    for (int i = 0; i < system->nc; i++) {
        const double m = power(system->m[i], 2 - it->settings.common_mass) *
                         power(heaviest, it->settings.common_mass);
        it->scaling.weight[i] *= system->nc / sum;
        for (int k = 0; k < it->cones.count; k++) {
            it->z[cone_at(it, i, k)] = it->V;
            it->y[cone_at(it, i, k)] = it->settings.y_start * m * it->V;
        }
    }
    start_rows(it);
}

// T y of contact i, by rows
static void unscale(const Iterate* it, int i, const double* y, double* r)
{
    r[0] = y[cone_at(it, i, 0)];
    for (int k = 0; k < it->cones.count; k++) {
        const int row = it->cones.row[k];
        const double mu = coefficient(it, i, row);
        for (int l = 1; l < it->cones.size[k]; l++) {
            r[row + l - 1] = mu * y[cone_at(it, i, k) + l];
        }
    }
}

// r = P_K(T y); 0 in open contacts, where y is small but positive
static void impulses(const Iterate* it, double* r)
{
    const System* system = it->system;
    const int d = system->d;
    memcpy(r + system->n, it->y + it->n, (size_t)system->nb * sizeof *r);
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = ut_system_law(system, i);
        double* r_i = r + (size_t)d * (size_t)i;
        unscale(it, i, it->y, r_i);
        ut_law_project(&law, r_i, r_i);
    }
    for (int j = 0; j < system->nb; j++) {
        r[system->n + j] = ut_coulomb_clamp(system->problem, j, r[system->n + j]);
    }
    ut_system_release(system, r);
}

// tau: the mean product of a contact or a bound
static void find_tau(Iterate* it)
{
    const System* system = it->system;
    double gap = ut_dot(it->n, it->z, it->y);
    for (int j = 0; j < system->nb; j++) {
        gap += it->rows.low_z[j] > 0.0 ? it->rows.low_z[j] * low_slack(it, j) : 0.0;
        gap += it->rows.high_z[j] > 0.0 ? it->rows.high_z[j] * high_slack(it, j) : 0.0;
    }
    const int parts = it->cones.count * system->nc + it->rows.sides;
    it->tau = parts > 0 ? gap / parts : 0.0;
}

// ---- one iteration ------------------------------------------------------------------------------

// Find the slip direction of cone k of contact i and its residuals. @return its part of the shift
static double find_slip(Iterate* it, int i, int k)
{
    const System* system = it->system;
    const int size = it->cones.size[k];
    const int row = system->d * i + it->cones.row[k] - 1; // of entry 0
    const double mu = coefficient(it, i, it->cones.row[k]);
    const double* z = it->z + cone_at(it, i, k);
    double slip[3] = {0.0};
    for (int l = 1; l < size; l++) {
        slip[l] = mu * it->u[row + l];
        it->gp[row + l] = slip[l] - z[l];
    }
    const double smooth =
        system->convex ? 0.0 : it->settings.smoothing * sqrt(it->tau / system->m[i]);
    const double t = sqrt(tail_dot(size, slip, slip) + smooth * smooth);
    const double s = system->convex ? 0.0 : t - smooth;
    for (int l = 1; l < size; l++) {
        it->d[row + l] = s > 0.0 ? slip[l] / t : 0.0;
    }
    return s;
}

// Find u, the slip directions and all residuals.
static void find_residuals(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    ut_system_rows(system, true, it->v, it->u);
    memcpy(it->gp, it->u, (size_t)system->N * sizeof *it->gp);
    for (int i = 0; i < system->nc; i++) {
        const int row = d * i;
        double shift = 0.0;
        for (int k = 0; k < it->cones.count; k++) {
            shift += find_slip(it, i, k);
        }
        it->gp[row] = it->u[row] + shift;
        for (int k = 0; k < it->cones.count; k++) {
            it->gp[row] -= it->z[cone_at(it, i, k)];
        }
        it->d[row] = 0.0;
    }

    // g_v = M (v - v*) - J'T y - J_b'lambda_b
    for (int i = 0; i < system->nc; i++) {
        unscale(it, i, it->y, it->t + (size_t)d * (size_t)i);
    }
    memcpy(it->t + system->n, it->y + it->n, (size_t)system->nb * sizeof *it->t);
    for (int k = 0; k < system->N; k++) {
        it->t[k] = -it->t[k];
    }
    ut_system_momentum(system, it->v, it->gv);
    ut_system_add_transposed(system, it->t, it->gv);
}

// Find D of the scalar rows. @return false when the iterate is on a bound
static bool scale_rows(Iterate* it)
{
    const System* system = it->system;
    for (int j = 0; j < system->nb; j++) {
        if (!ut_coulomb_bounded(system->problem, j)) {
            it->rows.D[j] = system->mb[j] / STIFFNESS;
            continue;
        }
        if (it->rows.low_z[j] == 0.0 && it->rows.high_z[j] == 0.0) {
            it->rows.D[j] = 0.0;
            continue;
        }
        const double low = low_slack(it, j);
        const double high = high_slack(it, j);
        if (!(low > 0.0) || !(high > 0.0)) {
            return false;
        }
        it->rows.D[j] = 1.0 / (it->rows.low_z[j] / low + it->rows.high_z[j] / high);
    }
    return true;
}

// Find w, beta and lambda of one cone. @return false when the iterate is not inside it
static bool scale_cone(Iterate* it, int size, int at, double* beta)
{
    const double* z = it->z + at;
    const double* y = it->y + at;
    double* w = it->scaling.w + at;
    const double det_z = det(size, z);
    const double det_y = det(size, y);
    if (!(det_z > 0.0) || !(det_y > 0.0) || !(z[0] > 0.0) || !(y[0] > 0.0)) {
        return false;
    }
    const double size_z = sqrt(det_z);
    const double size_y = sqrt(det_y);
    const double gamma = sqrt(0.5 * (1.0 + ut_dot(size, z, y) / size_z / size_y));
    w[0] = (z[0] / size_z + y[0] / size_y) / (2.0 * gamma);
    for (int k = 1; k < size; k++) {
        w[k] = (z[k] / size_z - y[k] / size_y) / (2.0 * gamma);
    }
    *beta = sqrt(size_z / size_y);
    scale(size, w, *beta, -1.0, z, it->scaling.lambda + at);
    return true;
}

// Find w, beta and lambda. @return false when the iterate is not inside its cones and bounds
static bool find_scaling(Iterate* it)
{
    for (int c = 0; c < it->cones.count * it->system->nc; c++) {
        const int k = c % it->cones.count;
        const int at = cone_at(it, c / it->cones.count, k);
        if (!scale_cone(it, it->cones.size[k], at, &it->scaling.beta[c])) {
            return false;
        }
    }
    return scale_rows(it);
}

// T W^-2 N T
static void find_block(const Iterate* it, int i, double* D)
{
    const int d = it->system->d;
    const double* dir = it->d + (size_t)d * (size_t)i;
    for (int l = 0; l < d; l++) {
        double column[UT_LAW_MAX_DIMENSION] = {0.0};
        double divided[UT_LAW_MAX_DIMENSION] = {0.0};
        column[0] = dir[l];
        column[l] += 1.0;
        divide_by_scaling(it, i, column, divided);
        for (int k = 0; k < d; k++) {
            D[d * k + l] = coefficient(it, i, k) * divided[k] * coefficient(it, i, l);
        }
    }
}

// @param shift fraction of the shift's derivative: 1 live, 0 lagged
static bool factor(Iterate* it, double shift)
{
    System* system = it->system;
    const int d = system->d;
    for (int k = 0; shift < 1.0 && k < system->N; k++) {
        it->d[k] *= shift;
    }
    for (int i = 0; i < system->nc; i++) {
        find_block(it, i, it->scaling.D + (size_t)d * (size_t)d * (size_t)i);
    }
    return ut_system_factor(system, shift == 0.0, it->scaling.D, it->rows.D);
}

// y of the cones from x of the rows, for contact i
static void spread(const Iterate* it, int i, const double* x, double* y)
{
    for (int k = 0; k < it->cones.count; k++) {
        double* y_k = y + cone_at(it, i, k);
        y_k[0] = x[0];
        for (int l = 1; l < it->cones.size[k]; l++) {
            y_k[l] = x[it->cones.row[k] + l - 1];
        }
    }
}

// x = B^-1 (sum of W rho - g_p), the part of dy of contact i that does not depend on dv
static void find_target(const Iterate* it, int i, double* x)
{
    const int d = it->system->d;
    const double* gp = it->gp + (size_t)d * (size_t)i;
    double a[UT_LAW_MAX_DIMENSION] = {0.0};
    if (it->cones.count == 1) { // W^-1 rho - W^-2 g_p
        const int at = cone_at(it, i, 0);
        scale(d, it->scaling.w + at, it->scaling.beta[i], -1.0, it->rho + at, x);
        divide_by_scaling(it, i, gp, a);
        for (int k = 0; k < d; k++) {
            x[k] -= a[k];
        }
        return;
    }
    a[0] = -gp[0];
    for (int k = 0; k < it->cones.count; k++) {
        const int at = cone_at(it, i, k);
        double scaled[3] = {0.0};
        scale(it->cones.size[k], it->scaling.w + at, it->scaling.beta[it->cones.count * i + k], 1.0,
              it->rho + at, scaled);
        a[0] += scaled[0];
        for (int l = 1; l < it->cones.size[k]; l++) {
            const int row = it->cones.row[k] + l - 1;
            a[row] = scaled[l] - gp[row];
        }
    }
    divide_by_scaling(it, i, a, x);
}

// dz of the cones of contact i from the change of û by rows. Several cones divide its normal part by
// their own equations W^-1 dz + W dy = rho; the first one takes what these leave.
static void find_dz(const Iterate* it, int i, const double* change)
{
    spread(it, i, change, it->step.dz);
    double rest = change[0];
    for (int k = it->cones.count - 1; k > 0; k--) {
        const int at = cone_at(it, i, k);
        const int size = it->cones.size[k];
        const double beta = it->scaling.beta[it->cones.count * i + k];
        double x[3] = {0.0};
        scale(size, it->scaling.w + at, beta, 1.0, it->step.dy + at, x);
        for (int l = 0; l < size; l++) {
            x[l] = it->rho[at + l] - x[l];
        }
        scale(size, it->scaling.w + at, beta, 1.0, x, x);
        it->step.dz[at] = x[0];
        rest -= x[0];
    }
    it->step.dz[cone_at(it, i, 0)] = rest;
}

// Find dv, dy and dz from rho.
static void find_step(Iterate* it)
{
    const System* system = it->system;
    const int d = system->d;
    double x[UT_LAW_MAX_DIMENSION];

    // t = W^-1 rho - W^-2 g_p; H dv = -g_v + J'T t - J_b'g_b / delta
    for (int i = 0; i < system->nc; i++) {
        find_target(it, i, x);
        spread(it, i, x, it->step.dy);
        for (int k = 0; k < d; k++) {
            it->t[d * i + k] = coefficient(it, i, k) * x[k];
        }
    }
    for (int j = 0; j < system->nb; j++) {
        it->t[system->n + j] = -it->rows.D[j] * it->rows.k[j];
    }
    for (int k = 0; k < system->dof; k++) {
        it->rhs[k] = -it->gv[k];
    }
    ut_system_add_transposed(system, it->t, it->rhs);
    ut_system_solve(system, it->rhs, it->step.dv);

    // dz = N J~ dv + g_p, dy = t - W^-2 N J~ dv
    ut_system_rows(system, false, it->step.dv, it->du);
    for (int i = 0; i < system->nc; i++) {
        double* du = it->du + (size_t)d * (size_t)i;
        const double* slip = it->d + (size_t)d * (size_t)i;
        double shift = 0.0;
        for (int k = 1; k < d; k++) {
            du[k] *= coefficient(it, i, k);
        }
        for (int k = 0; k < it->cones.count; k++) {
            const int row = it->cones.row[k] - 1;
            shift += tail_dot(it->cones.size[k], slip + row, du + row);
        }
        du[0] += shift;
        divide_by_scaling(it, i, du, x);
        for (int k = 0; k < it->cones.count; k++) {
            double* dy = it->step.dy + cone_at(it, i, k);
            dy[0] -= x[0];
            for (int l = 1; l < it->cones.size[k]; l++) {
                dy[l] -= x[it->cones.row[k] + l - 1];
            }
        }
        for (int k = 0; k < d; k++) {
            du[k] += it->gp[d * i + k];
        }
        find_dz(it, i, du);
    }
    for (int j = 0; j < system->nb; j++) {
        it->step.dy[it->n + j] = -it->rows.D[j] * (it->rows.k[j] + it->du[system->n + j]);
        it->step.dz[it->n + j] = 0.0;
    }
}

// Find k of the scalar rows and the changes of their products, for the predictor or the corrector.
// @param corrected correct by the predictor's step  @param target of the products
static void aim_rows(Iterate* it, bool corrected, double target)
{
    const System* system = it->system;
    for (int j = 0; j < system->nb; j++) {
        const int row = system->n + j;
        const double dy = corrected ? it->step.dy[it->n + j] : 0.0;
        const double low = low_slack(it, j);
        const double high = high_slack(it, j);
        const double low_dz =
            corrected ? (it->rows.low_change[j] - it->rows.low_z[j] * dy) / low : 0.0;
        const double high_dz =
            corrected ? (it->rows.high_change[j] + it->rows.high_z[j] * dy) / high : 0.0;
        it->rows.k[j] = it->u[row];
        if (it->rows.low_z[j] > 0.0) {
            it->rows.low_change[j] = target - it->rows.low_z[j] * low - dy * low_dz;
            it->rows.k[j] -= it->rows.low_z[j] + it->rows.low_change[j] / low;
        }
        if (it->rows.high_z[j] > 0.0) {
            it->rows.high_change[j] = target - it->rows.high_z[j] * high + dy * high_dz;
            it->rows.k[j] += it->rows.high_z[j] + it->rows.high_change[j] / high;
        }
    }
}

// The steps of the multipliers that belong to dy.
static double low_step(const Iterate* it, int j)
{
    return (it->rows.low_change[j] - it->rows.low_z[j] * it->step.dy[it->n + j]) / low_slack(it, j);
}

static double high_step(const Iterate* it, int j)
{
    return (it->rows.high_change[j] + it->rows.high_z[j] * it->step.dy[it->n + j]) /
           high_slack(it, j);
}

// The longest step that keeps x >= 0.
static double longest_scalar(double x, double dx)
{
    return dx < 0.0 ? -x / dx : HUGE_VAL;
}

static double longest_of_rows(const Iterate* it)
{
    double step = HUGE_VAL;
    for (int j = 0; j < it->system->nb; j++) {
        const double dy = it->step.dy[it->n + j];
        if (it->rows.low_z[j] > 0.0) {
            step = fmin(step, longest_scalar(low_slack(it, j), dy));
            step = fmin(step, longest_scalar(it->rows.low_z[j], low_step(it, j)));
        }
        if (it->rows.high_z[j] > 0.0) {
            step = fmin(step, longest_scalar(high_slack(it, j), -dy));
            step = fmin(step, longest_scalar(it->rows.high_z[j], high_step(it, j)));
        }
    }
    return step;
}

// The sum of the products of bounded rows after a step.
static double gap_of_rows(const Iterate* it, double step)
{
    double gap = 0.0;
    for (int j = 0; j < it->system->nb; j++) {
        const double dy = step * it->step.dy[it->n + j];
        if (it->rows.low_z[j] > 0.0) {
            gap += (it->rows.low_z[j] + step * low_step(it, j)) * (low_slack(it, j) + dy);
        }
        if (it->rows.high_z[j] > 0.0) {
            gap += (it->rows.high_z[j] + step * high_step(it, j)) * (high_slack(it, j) - dy);
        }
    }
    return gap;
}

// rho = lambda \ (sigma tau weight e - lambda o lambda - (W dy) o (W^-1 dz)), after the predictor
static void find_corrector(Iterate* it, double sigma)
{
    for (int c = 0; c < it->cones.count * it->system->nc; c++) {
        const int i = c / it->cones.count;
        const int k = c % it->cones.count;
        const int d = it->cones.size[k];
        const int at = cone_at(it, i, k);
        const double* lam = it->scaling.lambda + at;
        double a[3] = {0.0};
        double b[3] = {0.0};
        double x[3] = {0.0};
        scale(d, it->scaling.w + at, it->scaling.beta[c], 1.0, it->step.dy + at, a);
        scale(d, it->scaling.w + at, it->scaling.beta[c], -1.0, it->step.dz + at, b);
        x[0] = sigma * it->tau * it->scaling.weight[i] - ut_dot(d, lam, lam) - ut_dot(d, a, b);
        for (int l = 1; l < d; l++) {
            x[l] = -2.0 * lam[0] * lam[l] - (a[0] * b[l] + b[0] * a[l]);
        }
        it->rho[at] = (lam[0] * x[0] - tail_dot(d, lam, x)) / det(d, lam);
        for (int l = 1; l < d; l++) {
            it->rho[at + l] = (x[l] - it->rho[at] * lam[l]) / lam[0];
        }
    }
}

// The residual of z = û as a product of impulse and velocity: the mean of m |g_p|^2.
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

// sigma = (gap after the predictor / gap)^power, but at least LEAST_BALANCE times the residual of
// the shift: products that vanish before it make all further steps short. Piles of balls in mid-fall
// need this.
static double find_centring(const Iterate* it)
{
    const System* system = it->system;
    const double step = fmin(1.0, fmin(longest_of_contacts(it), longest_of_rows(it)));
    double gap = gap_of_rows(it, step);
    for (int k = 0; k < it->n; k++) {
        gap += (it->z[k] + step * it->step.dz[k]) * (it->y[k] + step * it->step.dy[k]);
    }
    const int parts = it->cones.count * system->nc + it->rows.sides;
    const double ratio = it->tau > 0.0 ? gap / parts / it->tau : 0.0;
    const double base = fmax(0.0, fmin(1.0, ratio));
    double sigma = base;
    for (int k = 1; k < it->settings.centring_power; k++) {
        sigma *= base;
    }
    const double least = it->tau > 0.0 ? LEAST_BALANCE * infeasibility(it) / it->tau : 0.0;
    return fmax(sigma, fmin(1.0, least));
}

// Predictor and corrector. @param shift as of `factor`
// @return the step length, NaN when H cannot be factored
static double find_direction(Iterate* it, double shift)
{
    const System* system = it->system;
    if (!factor(it, shift)) {
        return (double)NAN;
    }
    for (int k = 0; k < it->n; k++) {
        it->rho[k] = -it->scaling.lambda[k];
    }
    aim_rows(it, false, 0.0);
    find_step(it);
    const double sigma = find_centring(it);
    find_corrector(it, sigma);
    aim_rows(it, true, sigma * it->tau);
    find_step(it);
    const double longest = fmin(longest_of_contacts(it), longest_of_rows(it));
    const double step = fmin(1.0, it->settings.damping * longest);
    return isfinite(ut_max_abs(system->dof, it->step.dv)) ? step : (double)NAN;
}

static void advance(Iterate* it, double step)
{
    for (int j = 0; j < it->system->nb; j++) {
        it->rows.low_z[j] += it->rows.low_z[j] > 0.0 ? step * low_step(it, j) : 0.0;
        it->rows.high_z[j] += it->rows.high_z[j] > 0.0 ? step * high_step(it, j) : 0.0;
    }
    ut_axpy(it->system->dof, step, it->step.dv, it->v);
    ut_axpy(it->n + it->system->nb, step, it->step.dy, it->y);
    ut_axpy(it->n + it->system->nb, step, it->step.dz, it->z);
}

// ---- the iteration ------------------------------------------------------------------------------

typedef struct Progress {
    double best;         // score of the best iterate
    double E;            // least score when E or tau halved last
    double tau;          // least tau then
    int halved_at;       // the iteration of that
    int calm_iterations; // iterations to come with a reduced derivative of the shift
} Progress;

// Compute the error of the iterate and keep it when it is the best. @return false when it is the last
static bool assess(Iterate* it, double tolerance, int iteration, Progress* progress)
{
    double bilateral = 0.0;
    impulses(it, it->r);
    const double E = ut_system_error(it->system, it->r, &bilateral);
    const double score = ut_coulomb_score(E, bilateral, tolerance);
    if (score < progress->best) {
        progress->best = score;
        memcpy(it->best, it->r, (size_t)it->system->N * sizeof *it->r);
    }
    if (ut_coulomb_passes(E, bilateral, tolerance)) {
        return false;
    }
    find_tau(it);
    if (score < 0.5 * progress->E || it->tau < 0.5 * progress->tau) {
        progress->E = fmin(progress->E, score);
        progress->tau = fmin(progress->tau, it->tau);
        progress->halved_at = iteration;
    }
    const bool stalled = iteration >= EARLY && iteration - progress->halved_at > PATIENCE;
    const bool diverges =
        iteration > SETTLED && progress->best < GOOD && score > DIVERGED * progress->best;
    return !stalled && !diverges;
}

// @return false when there is no further step
static bool iterate(Iterate* it, Progress* progress, int* count)
{
    find_residuals(it);
    if (!find_scaling(it)) {
        return false;
    }
    const bool lagged = it->settings.lagged || it->system->convex;
    bool live = !lagged && progress->calm_iterations == 0;
    progress->calm_iterations -= progress->calm_iterations > 0;
    double step = 0.0;
    if (live) {
        step = find_direction(it, 1.0);
        ++*count;
        if (!(step >= SHORT_STEP)) {
            live = false;
            progress->calm_iterations = CALM_ITERATIONS;
        }
    }
    if (!live) {
        step = find_direction(it, lagged ? 0.0 : it->settings.short_step_shift);
        ++*count;
    }
    if (!(step >= LEAST_STEP)) {
        return false;
    }
    advance(it, step);
    return true;
}

utStatus ut_interior_run(System* system, const Interior* settings, double tolerance,
                         utArena scratch, double* r, int* count)
{
    Iterate it = {.system = system, .settings = *settings, .cones = find_cones(system)};
    it.n = it.cones.entries * system->nc;
    if (!push(&it, &scratch)) {
        return UT_ERR_CAPACITY;
    }
    start(&it);
    Progress progress = {.best = HUGE_VAL, .E = HUGE_VAL, .tau = HUGE_VAL};
    for (int k = 0; assess(&it, tolerance, k, &progress) && k < settings->max_iterations; k++) {
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
