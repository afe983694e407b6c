// SPDX-License-Identifier: Apache-2.0
// Small LCPs: the block of Pfrommer's "LCP notes" (2019) falls, slides and is pushed in both
// directions, with one LCP per step, and Murty's example needs 2^n pivots. Every line compares a
// computed number with the one known from hand calculation; the program fails when they differ.
#include <math.h>
#include <stdio.h>
#include <uptack/lcp.h>

static const double g = 9.81;  // m/s^2
static const double dt = 0.01; // s
static const double mu = 0.5;  // friction between the floor and the block of 1 kg

static int mismatches;

static utLcpInfo solve(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, double* z)
{
    for (int i = 0; i < lcp->n; i++) {
        z[i] = 0.0;
    }
    utLcpInfo info = {.outcome = UT_LCP_ITERATIONS, .residual = HUGE_VAL};
    utArena scratch;
    if (ut_arena_create(0, NULL, &scratch) == UT_OK) {
        ut_lcp_solve(lcp, solver, def, scratch, z, &info);
        ut_arena_destroy(&scratch);
    }
    return info;
}

// Solve a problem with one unknown and compute w.
static utLcpInfo solve_1(double M, double q, double* z, double* w)
{
    const utLcp lcp = {.n = 1, .M = &M, .q = &q};
    const utLcpDef def = ut_lcp_def();
    const utLcpInfo info = solve(&lcp, UT_LCP_AUTO, &def, z);
    ut_lcp_slack(&lcp, z, w);
    return info;
}

static void print_heading(void)
{
    printf("%-22s %2s %-8s %-9s %6s %8s  %12s %12s  %s\n", "problem", "n", "outcome", "solver",
           "pivots", "residual", "computed", "by hand", "meaning");
}

static void print_row(const char* name, int n, utLcpInfo info, double computed, double known,
                      const char* meaning)
{
    const int same = fabs(computed - known) <= 1e-9 * (1.0 + fabs(known));
    mismatches += !same;
    printf("%-22s %2d %-8s %-9s %6d %8.1e  %12.6g %12.6g%s %s\n", name, n,
           ut_lcp_outcome_name(info.outcome), ut_lcp_solver_name(info.solver), info.iterations,
           info.residual, computed, known, same ? " " : "!", meaning);
}

// Section 1: z is the height at the end of the step, w the force of the floor.
static void fall(void)
{
    double x = 1.0;
    double v = 0.0;
    for (int step = 1; step <= 47; step++) {
        double height, force;
        utLcpInfo info =
            solve_1(1.0 / (dt * dt), -(x + dt * v - g * dt * dt) / (dt * dt), &height, &force);
        v += (force - g) * dt;
        x = height;
        if (step == 44) {
            print_row("falling, step 44", 1, info, x, 0.02881, "m above the floor, no force yet");
        } else if (step == 45) {
            print_row("falling, step 45", 1, info, force, 153.35, "N: the floor stops the block");
        } else if (step == 46) {
            print_row("falling, step 46", 1, info, force, 297.91,
                      "N: the floor removes the remaining speed");
        } else if (step == 47) {
            print_row("falling, step 47", 1, info, force, 9.81,
                      "N: the floor carries the weight m g");
        }
    }
}

// Section 2.1: z is the speed at the end of the step, w the unused part of the friction limit.
static void slide(void)
{
    double x = 0.0;
    double v = 1.0;
    double unused = 0.0;
    utLcpInfo info = {.outcome = UT_LCP_SOLVED};
    int steps = 0;
    while (v > 0.0 && steps < 100) {
        info = solve_1(1.0 / dt, -v / dt + mu * g, &v, &unused);
        x += v * dt;
        steps++;
        if (steps == 1) {
            print_row("sliding, step 1", 1, info, v, 0.95095,
                      "m/s: friction at its limit, mu g = 4.905 N");
        }
    }
    print_row("sliding, last step", 1, info, steps, 21, "steps until the block stops");
    print_row("sliding, last step", 1, info, mu * g - unused, 1.9, "N of friction stop the block");
    print_row("sliding, last step", 1, info, x, 0.096995, "m of sliding distance");
    info = solve_1(1.0 / dt, -4.0 + mu * g, &v, &unused);
    print_row("pushed with 4 N", 1, info, v, 0.0, "m/s: sticks, since 4 N < mu g");
    info = solve_1(1.0 / dt, -6.0 + mu * g, &v, &unused);
    print_row("pushed with 6 N", 1, info, v, 0.01095, "m/s: slides, since 6 N > mu g");
}

// Section 2.2: z holds the speeds to the right and to the left, one of which is 0.
static void turn_round(const char* name, double v, double u, double known)
{
    const double M[] = {1.0 / dt, 0.0, 0.0, 1.0 / dt};
    const double q[] = {-v / dt - u + mu * g, v / dt + u + mu * g};
    const utLcpDef def = ut_lcp_def();
    double z[2];
    utLcpInfo info = solve(&(utLcp){.n = 2, .M = M, .q = q}, UT_LCP_AUTO, &def, z);
    print_row(name, 2, info, z[0] - z[1], known, "m/s after one step");
}

// The same with exchanged rows: M is not positive semidefinite and there is no solution.
static void wrong_order(utLcpSolver solver, utLcpOutcome known, const char* meaning)
{
    const double M[] = {0.0, 1.0 / dt, 1.0 / dt, 0.0};
    const double q[] = {1.0 / dt + mu * g, -1.0 / dt + mu * g};
    const utLcpDef def = ut_lcp_def();
    double z[2];
    utLcpInfo info = solve(&(utLcp){.n = 2, .M = M, .q = q}, solver, &def, z);
    print_row("rows in wrong order", 2, info, info.outcome == known, 1.0, meaning);
}

// Murty's example: 1 on the diagonal, 2 above; the answer is z = (0, ..., 0, 2^n).
static utLcpInfo murty(bool scaled, const char* meaning)
{
    enum { N = 6 };
    double M[N * N] = {0.0};
    double q[N];
    double z[N];
    for (int i = 0; i < N; i++) {
        q[i] = (2 << i) - (2 << N);
        for (int j = i; j < N; j++) {
            M[N * i + j] = i == j ? 1.0 : 2.0;
        }
    }
    utLcpDef def = ut_lcp_def();
    def.equilibrate = scaled;
    utLcpInfo info = solve(&(utLcp){.n = N, .M = M, .q = q}, UT_LCP_LEMKE, &def, z);
    print_row("Murty, n = 6", N, info, z[N - 1], 64.0, meaning);
    return info;
}

int main(void)
{
    printf("A block of 1 kg, steps of 0.01 s, friction 0.5. Each LCP: find z >= 0 with w = M z + q "
           ">= 0 "
           "and z.w = 0.\n\n");
    print_heading();
    fall();
    slide();
    turn_round("at 1 m/s to the right", 1.0, 0.0, 0.95095);
    turn_round("at 1 m/s to the left", -1.0, 0.0, -0.95095);
    turn_round("pushed with 6 N", 0.0, 6.0, 0.01095);
    turn_round("pushed with -6 N", 0.0, -6.0, -0.01095);
    wrong_order(UT_LCP_LEMKE, UT_LCP_RAY, "yes: Lemke's method ends on a ray");
    wrong_order(UT_LCP_AUTO, UT_LCP_NONE, "yes: it is proved that no solution exists");
    utLcpInfo info = murty(false, "= z_6, all others are 0; without scaling");
    print_row("Murty, n = 6", 6, info, info.iterations, 64.0, "= 2^n pivots: the worst case");
    murty(true, "= z_6; with scaled rows and columns");
    printf("\n%s\n", mismatches == 0 ? "All numbers agree." : "Lines with ! differ.");
    return mismatches > 0;
}
