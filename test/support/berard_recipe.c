// SPDX-License-Identifier: Apache-2.0
#include "support/berard_recipe.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp.h>

#include "test.h"

static const double G = 9.81;

typedef struct Plane {
    double x, y;
} Plane;

static Plane turned(double angle, Plane a)
{
    return (Plane){cos(angle) * a.x - sin(angle) * a.y, sin(angle) * a.x + cos(angle) * a.y};
}

// u (x) v, the scalar product of the plane that stands for the cross product
static double wedge(Plane u, Plane v)
{
    return u.x * v.y - u.y * v.x;
}

// ---- parameters ---------------------------------------------------------------------------------

const char* recipe_name(RecipeExample example)
{
    static const char* const names[] = {"4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.4-tip"};
    return names[example];
}

static void count(Recipe* k)
{
    static const int bilaterals[] = {4, 4, 4, 4, 4, 2, 4};
    static const int contacts[] = {0, 2, 2, 3, 3, 3, 3};
    k->nu = k->example == RECIPE_4_1 ? 6 : k->example == RECIPE_4_6 ? 8 : 9;
    k->bilaterals = bilaterals[k->example];
    k->contacts = contacts[k->example];
    k->sigmas = k->example == RECIPE_4_2 ? 0 : k->contacts;
    k->directions = 2 * k->sigmas;
}

void recipe_assemble(Recipe* k, double angle_A, double angle_B)
{
    double* rod = k->q;
    Plane O = {0.0, 0.0};
    if (k->example != RECIPE_4_1) {
        k->q[1] = 0.5 * k->wC;
        O = (Plane){k->pivot[0], k->q[1] + k->pivot[1]};
        rod = k->q + 3;
    }
    const Plane down = turned(angle_A, (Plane){0.0, -1.0});
    rod[0] = O.x + 0.5 * k->LA * down.x;
    rod[1] = O.y + 0.5 * k->LA * down.y;
    rod[2] = angle_A;
    if (k->example == RECIPE_4_6) { // the particle, 0.6 beyond the rod's end
        rod[3] = O.x + (k->LA + 0.6) * down.x;
        rod[4] = O.y + (k->LA + 0.6) * down.y;
        return;
    }
    const Plane on = turned(angle_B, (Plane){0.0, -0.5 * k->LB});
    rod[3] = O.x + k->LA * down.x + on.x;
    rod[4] = O.y + k->LA * down.y + on.y;
    rod[5] = angle_B;
}

Recipe recipe(RecipeExample example, double h)
{
    Recipe k = {.example = example,
                .h = h,
                .mA = 1.0,
                .LA = 1.0,
                .mB = 0.5,
                .LB = 0.8,
                .mC = 2.0,
                .lC = 1.0,
                .wC = 0.5,
                .pivot = {0.1, 0.05},
                .mu = {0.10, 0.15, 0.30},
                .pusher = {-0.55, 0.25, 0.30},
                .K = 50.0,
                .L0 = 0.5,
                .damping = 0.2};
    double angle_A = atan(1.0), angle_B = atan(1.0) / 1.5;
    if (example == RECIPE_4_5 || example == RECIPE_4_6) {
        k.belt = -0.2;
    }
    if (example == RECIPE_4_6) {
        k.pivot[0] = k.pivot[1] = 0.0;
    }
    if (example == RECIPE_4_4_TIP) {
        k.lC = 0.3;
        k.wC = 0.6;
        k.pivot[0] = 0.02;
        k.mu[0] = 0.6;
        k.mu[1] = 0.7;
        k.mu[2] = 0.2;
        k.pusher = (RecipePusher){-0.17, 0.05, 0.5};
        angle_A = 0.3;
        angle_B = 0.2;
    }
    count(&k);
    recipe_assemble(&k, angle_A, angle_B);
    return k;
}

int recipe_size(const Recipe* k)
{
    return k->nu + k->bilaterals + k->contacts + k->directions + k->sigmas;
}

// ---- blocks -------------------------------------------------------------------------------------

// One side of a pin at r (in the body's frame): phi += sign (X* + R r), W_b' = sign [U (R r)^]
static void pin(const Recipe* k, RecipeBlocks* b, int row, int first, Plane r, double sign)
{
    const Plane a = turned(k->q[first + 2], r);
    b->phi[row] += sign * (k->q[first] + a.x);
    b->phi[row + 1] += sign * (k->q[first + 1] + a.y);
    b->Wb[first][row] = sign;
    b->Wb[first + 1][row + 1] = sign;
    b->Wb[first + 2][row] = -sign * a.y;
    b->Wb[first + 2][row + 1] = sign * a.x;
}

static void pins(const Recipe* k, RecipeBlocks* b)
{
    const Plane top_A = {0.0, 0.5 * k->LA}, end_A = {0.0, -0.5 * k->LA}, top_B = {0.0, 0.5 * k->LB};
    if (k->example == RECIPE_4_1) {
        pin(k, b, 0, 0, top_A, 1.0);
        pin(k, b, 2, 0, end_A, 1.0);
        pin(k, b, 2, 3, top_B, -1.0);
        return;
    }
    pin(k, b, 0, 0, (Plane){k->pivot[0], k->pivot[1]}, 1.0);
    pin(k, b, 0, 3, top_A, -1.0);
    if (k->example != RECIPE_4_6) {
        pin(k, b, 2, 3, end_A, 1.0);
        pin(k, b, 2, 6, top_B, -1.0);
    }
}

// Wrenches of one contact on C at r from C*, with the velocity of what it touches. @param along
// linear parts of n and t, where they are not n and t
static void contact(const Recipe* k, RecipeBlocks* b, int i, Plane r, Plane n, Plane t, Plane moves,
                    const Plane along[2])
{
    b->Wn[0][i] = along[0].x;
    b->Wn[1][i] = along[0].y;
    b->Wn[2][i] = wedge(r, n);
    b->psi_t[i] = -(n.x * moves.x + n.y * moves.y);
    if (k->sigmas == 0) {
        return;
    }
    for (int d = 0; d < 2; d++) {
        const double sign = d == 0 ? 1.0 : -1.0;
        b->Wf[0][2 * i + d] = sign * along[1].x;
        b->Wf[1][2 * i + d] = sign * along[1].y;
        b->Wf[2][2 * i + d] = sign * wedge(r, t);
        b->E[2 * i + d][i] = 1.0;
        b->slip_t[2 * i + d] = -sign * (t.x * moves.x + t.y * moves.y);
    }
    b->U[i][i] = k->mu[i];
}

static void corners(const Recipe* k, RecipeBlocks* b)
{
    const Plane up = {0.0, 1.0}, right = {1.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const Plane corner = {i == 0 ? -0.5 * k->lC : 0.5 * k->lC, -0.5 * k->wC};
        const Plane r = turned(k->q[2], corner);
        b->psi[i] = k->q[1] + r.y; // the height of the corner
        contact(k, b, i, r, up, right, (Plane){k->belt, 0.0}, (const Plane[]){up, right});
    }
}

static void push(const Recipe* k, RecipeBlocks* b)
{
    const RecipePusher* f = &k->pusher;
    const Plane at = {f->x + f->way * (1.0 - cos(2.0 * k->t)), f->y};
    const Plane rate = {2.0 * f->way * sin(2.0 * k->t), 0.0};
    const Plane n_C = {1.0, 0.0}, t_C = {0.0, -1.0};
    const Plane n = turned(k->q[2], n_C), t = turned(k->q[2], t_C);
    const Plane r = {at.x - k->q[0], at.y - k->q[1]};
    b->psi[2] = -(n.x * r.x + n.y * r.y) - 0.5 * k->lC;
    const Plane right[] = {n, t}, printed[] = {n_C, t_C};
    contact(k, b, 2, r, n, t, rate, k->literal ? printed : right);
}

// Eq. 79 - 87: on the particle f_s + f_d, on the rod the opposite at its end P
static void spring(const Recipe* k, RecipeBlocks* b)
{
    const Plane r = turned(k->q[5], (Plane){0.0, -0.5 * k->LA});
    const Plane P = {k->q[3] + r.x, k->q[4] + r.y};
    const double L = hypot(k->q[6] - P.x, k->q[7] - P.y);
    const double sine = -(k->q[6] - P.x) / L, cosine = -(P.y - k->q[7]) / L;
    const double axial = -k->K * (L - k->L0);
    Plane f = {-sine * axial, cosine * axial};
    f.x -= k->damping * (k->v[6] - (k->v[3] - k->v[5] * r.y));
    f.y -= k->damping * (k->v[7] - (k->v[4] + k->v[5] * r.x));
    b->app[6] += f.x;
    b->app[7] += f.y;
    b->app[3] -= f.x;
    b->app[4] -= f.y;
    b->app[5] -= wedge(r, f);
}

static void masses(const Recipe* k, RecipeBlocks* b)
{
    const double block = k->mC * (k->lC * k->lC + k->wC * k->wC) / 12.0;
    const double rod_A = k->mA * k->LA * k->LA / 12.0, rod_B = k->mB * k->LB * k->LB / 12.0;
    const double all[] = {k->mC, k->mC, block, k->mA, k->mA, rod_A, k->mB, k->mB, rod_B};
    const int skip = k->example == RECIPE_4_1 ? 3 : 0;
    for (int i = 0; i < k->nu; i++) {
        b->M[i][i] = all[i + skip];
        b->app[i] = (i + skip) % 3 == 1 ? -all[i + skip] * G : 0.0;
    }
}

void recipe_blocks(const Recipe* k, RecipeBlocks* b)
{
    memset(b, 0, sizeof *b);
    masses(k, b);
    pins(k, b);
    if (k->contacts > 0) {
        corners(k, b);
    }
    if (k->contacts > 2) {
        push(k, b);
    }
    if (k->example == RECIPE_4_6) {
        spring(k, b);
    }
}

// ---- the step -----------------------------------------------------------------------------------

typedef struct Mixed {
    int n;
    double A[RECIPE_Z * RECIPE_Z], b[RECIPE_Z];
} Mixed;

static double* entry(Mixed* m, int i, int j)
{
    return &m->A[i * m->n + j];
}

// A block W of the momentum rows and its transpose below.
static void couple(Mixed* m, const double* W, int stride, int nu, int at, int columns)
{
    for (int i = 0; i < nu; i++) {
        for (int j = 0; j < columns; j++) {
            *entry(m, i, at + j) = W[i * stride + j];
            *entry(m, at + j, i) = W[i * stride + j];
        }
    }
}

// Eq. 34
static void mixed(const Recipe* k, const RecipeBlocks* b, Mixed* m)
{
    const int pb = k->nu, pn = pb + k->bilaterals, pf = pn + k->contacts, s = pf + k->directions;
    memset(m, 0, sizeof *m);
    m->n = recipe_size(k);
    for (int i = 0; i < k->nu; i++) {
        *entry(m, i, i) = -b->M[i][i];
        m->b[i] = b->M[i][i] * k->v[i] + k->h * b->app[i];
    }
    couple(m, &b->Wb[0][0], RECIPE_B, k->nu, pb, k->bilaterals);
    couple(m, &b->Wn[0][0], RECIPE_C, k->nu, pn, k->contacts);
    couple(m, &b->Wf[0][0], RECIPE_F, k->nu, pf, k->directions);
    for (int i = 0; i < k->bilaterals; i++) {
        m->b[pb + i] = k->drifts ? 0.0 : b->phi[i] / k->h;
    }
    for (int i = 0; i < k->contacts; i++) {
        m->b[pn + i] = b->psi[i] / k->h + b->psi_t[i];
    }
    for (int i = 0; i < k->directions; i++) {
        m->b[pf + i] = b->slip_t[i];
        for (int j = 0; j < k->sigmas; j++) {
            *entry(m, pf + i, s + j) = b->E[i][j];
            *entry(m, s + j, pf + i) = -b->E[i][j];
        }
    }
    for (int i = 0; i < k->sigmas; i++) {
        *entry(m, s + i, pn + i) = b->U[i][i];
    }
}

void recipe_mixed(const Recipe* k, double* A, double* b)
{
    RecipeBlocks blocks;
    Mixed m;
    recipe_blocks(k, &blocks);
    mixed(k, &blocks, &m);
    memcpy(A, m.A, (size_t)(m.n * m.n) * sizeof *A);
    memcpy(b, m.b, (size_t)m.n * sizeof *b);
}

bool recipe_step(Recipe* k)
{
    RecipeBlocks b;
    Mixed m;
    utLcpInfo info;
    recipe_blocks(k, &b);
    mixed(k, &b, &m);
    const utLcp lcp = {.n = m.n, .M = m.A, .q = m.b, .free_count = k->nu + k->bilaterals};
    utLcpDef def = ut_lcp_def();
    def.tolerance = 1e-13;
    memset(k->z, 0, sizeof k->z);
    const utStatus status = ut_lcp_solve(&lcp, UT_LCP_LEMKE, &def, test_arena(), k->z, &info);
    if (status != UT_OK || !(info.residual <= 1e-11)) {
        test_note("%s at t = %g: %s, residual %.1e", recipe_name(k->example), k->t,
                  ut_lcp_outcome_name(info.outcome), info.residual);
        return false;
    }
    for (int i = 0; i < k->nu; i++) {
        k->v[i] = k->z[i];
        k->q[i] += k->h * k->v[i]; // Eq. 27
    }
    k->t += k->h;
    return true;
}

double recipe_energy(const Recipe* k)
{
    RecipeBlocks b;
    double sum = 0.0;
    recipe_blocks(k, &b);
    const int skip = k->example == RECIPE_4_1 ? 3 : 0;
    for (int i = 0; i < k->nu; i++) {
        sum += 0.5 * b.M[i][i] * k->v[i] * k->v[i];
        sum += (i + skip) % 3 == 1 ? b.M[i][i] * G * k->q[i] : 0.0;
    }
    return sum;
}

double recipe_normal(const Recipe* k, int contact_number)
{
    return k->z[k->nu + k->bilaterals + contact_number];
}
