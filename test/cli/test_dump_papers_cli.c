// SPDX-License-Identifier: Apache-2.0
// uptack dump of the other papers against matrices written from the papers and the parameters of the scenes,
// without uptack's assembly: Tan, Siu and Liu (rows D6, D12, D18, D20, D26), Son, Trinkle and Amato (G19),
// Pfrommer (F2, F5, F8, F12), Peiret, Kövecses and Font-Llagunes (P14, P16, P23).
#ifdef __EMSCRIPTEN__

#include "test.h"

TEST(the_dump_of_the_other_papers)
{
    test_skip("no program can be started here");
}

#else

#include "dump_cases.h"

enum {
    MAX_M = 18,
    MAX_P = 6,
    DIRECTIONS = 8,
    MAX_PD = MAX_P * DIRECTIONS,
    MAX_N = MAX_M + MAX_P + MAX_PD + MAX_P
};

static const double G = 9.81, H = 0.01;

// ---- vectors ------------------------------------------------------------------------------------

typedef struct V {
    double x[3];
} V;

static V vec(double x, double y, double z)
{
    return (V){{x, y, z}};
}

static double dot(V a, V b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static V cross(V a, V b)
{
    return vec(a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
               a.x[0] * b.x[1] - a.x[1] * b.x[0]);
}

static V minus(V a, V b)
{
    return vec(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]);
}

static V mix(double a, V x, double b, V y)
{
    return vec(a * x.x[0] + b * y.x[0], a * x.x[1] + b * y.x[1], a * x.x[2] + b * y.x[2]);
}

// Direction j of the figure: at 45 degrees times j from t1, which is the world's x in the tangent plane, or its
// y where n is along x; t2 = n x t1.
static V direction(V n, int j)
{
    const V x = fabs(n.x[0]) > 0.9 ? vec(0, 1, 0) : vec(1, 0, 0);
    const double angle = acos(-1.0) * j / 4.0;
    V t1 = mix(1.0, x, -dot(x, n), n);
    t1 = mix(1.0 / sqrt(dot(t1, t1)), t1, 0.0, n);
    return mix(cos(angle), t1, sin(angle), cross(n, t1));
}

// ---- the systems of Tan, Siu and Liu ------------------------------------------------------------

typedef struct Dart {
    int m, p;
    double M[MAX_M * MAX_M], N[MAX_M * MAX_P], B[MAX_M * MAX_PD], tau[MAX_M], mu[MAX_P];
    double v[MAX_M];
} Dart;

// J' along a direction for a free body: force and moment. @param sign +1 or -1, as in Eq. 7
static void add_free(Dart* d, int dof, V arm, double sign, V along, double* W, int cols, int col)
{
    const V moment = cross(arm, along);
    (void)d;
    for (int c = 0; c < 3; c++) {
        W[(dof + c) * cols + col] += sign * along.x[c];
        W[(dof + 3 + c) * cols + col] += sign * moment.x[c];
    }
}

// J' along a direction for a joint about y at `anchor`
static void add_hinge(int dof, V anchor, V point, double sign, V along, double* W, int cols,
                      int col)
{
    W[dof * cols + col] += sign * dot(cross(vec(0, 1, 0), minus(point, anchor)), along);
}

// Eq. 12
static int write_mixed(const Dart* d, double* A, double* b)
{
    const int m = d->m, p = d->p, pd = DIRECTIONS * p, n = m + p + pd + p;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    memset(b, 0, (size_t)n * sizeof *b);
    for (int i = 0; i < m; i++) {
        b[i] = -d->tau[i];
        for (int j = 0; j < m; j++) {
            A[i * n + j] = d->M[i * m + j];
        }
        for (int j = 0; j < p; j++) {
            A[i * n + m + j] = -H * d->N[i * p + j];
            A[(m + j) * n + i] = d->N[i * p + j];
        }
        for (int j = 0; j < pd; j++) {
            A[i * n + m + p + j] = -H * d->B[i * pd + j];
            A[(m + p + j) * n + i] = d->B[i * pd + j];
        }
    }
    for (int i = 0; i < p; i++) {
        const int c = m + p + pd + i;
        A[c * n + m + i] = d->mu[i];
        for (int j = DIRECTIONS * i; j < DIRECTIONS * (i + 1); j++) {
            A[(m + p + j) * n + c] = 1.0;
            A[c * n + m + p + j] = -1.0;
        }
    }
    return n;
}

// Solve M x = b by Gauss's elimination, for few unknowns.
static void solve(int m, const double* M, const double* b, double* x)
{
    double A[MAX_M * MAX_M];
    memcpy(A, M, (size_t)(m * m) * sizeof *A);
    memcpy(x, b, (size_t)m * sizeof *x);
    for (int k = 0; k < m; k++) {
        for (int i = k + 1; i < m; i++) {
            const double factor = A[i * m + k] / A[k * m + k];
            for (int j = k; j < m; j++) {
                A[i * m + j] -= factor * A[k * m + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
        x[i] /= A[i * m + i];
    }
}

// Eq. 14, from the rows of Eq. 12: q̇ = M^-1 (tau* + dt N f_n + dt B f_d)
static int write_reduced(const Dart* d, double* A, double* b)
{
    static double full[MAX_N * MAX_N], constant[MAX_N];
    const int m = d->m, n = write_mixed(d, full, constant), r = n - m;
    double column[MAX_M], x[MAX_M];
    for (int j = 0; j <= r; j++) {
        for (int i = 0; i < m; i++) {
            column[i] = -(j < r ? full[i * n + m + j] : constant[i]);
        }
        solve(m, d->M, column, x);
        for (int i = 0; i < r; i++) {
            double sum = j < r ? full[(m + i) * n + m + j] : constant[m + i];
            for (int k = 0; k < m; k++) {
                sum += full[(m + i) * n + k] * x[k];
            }
            *(j < r ? &A[i * r + j] : &b[i]) = sum;
        }
    }
    return r;
}

// E, mu, and C - tau = (M qdot^n - tau*)/dt of Eq. 5
static void check_other_dart_blocks(const utJson* root, const Dart* d)
{
    static double E[MAX_PD * MAX_P], mu[MAX_P * MAX_P], C[MAX_M];
    const int m = d->m, p = d->p;
    memset(E, 0, sizeof E);
    memset(mu, 0, sizeof mu);
    for (int i = 0; i < p; i++) {
        mu[i * p + i] = d->mu[i];
        for (int j = DIRECTIONS * i; j < DIRECTIONS * (i + 1); j++) {
            E[j * p + i] = 1.0;
        }
    }
    for (int i = 0; i < m; i++) {
        C[i] = -d->tau[i] / H;
        for (int j = 0; j < m; j++) {
            C[i] += d->M[i * m + j] * d->v[j] / H;
        }
    }
    dump_block(root, "E", "10", DIRECTIONS * p, p, E, 0.0);
    dump_block(root, "mu", "12", p, p, mu, 0.0);
    dump_block(root, "qdot^n", "", m, 1, d->v, 1e-15);
    dump_block(root, "C - tau", "3", m, 1, C, 1e-11);
}

static void compare_dart(const Dart* d, const char* scene)
{
    static double A[MAX_N * MAX_N], b[MAX_N];
    const int pd = DIRECTIONS * d->p;
    for (int full = 0; full < 2; full++) {
        utArena arena = test_arena();
        char arguments[128];
        snprintf(arguments, sizeof arguments, "scenes/seeds/%s.xml --eq %s", scene,
                 full ? "dart-full" : "dart");
        const utJson* root = dump_json(arguments, &arena);
        if (root == NULL) {
            return;
        }
        const int n = full ? write_mixed(d, A, b) : write_reduced(d, A, b);
        CHECK_TEXT(dump_text(root, "equation"), full ? "12" : "14");
        dump_check_by_step(root);
        // lengths below 1 m; M^-1 multiplies by up to 500 /(kg m^2)
        dump_matrix(root, "A", n, n, A, 1e-12);
        dump_matrix(root, "b", n, 1, b, 1e-12);
        dump_block(root, "M", "7", d->m, d->m, d->M, 1e-14);
        dump_block(root, "N", "8", d->m, d->p, d->N, 1e-14);
        dump_block(root, "B", "8", d->m, pd, d->B, 1e-14);
        dump_block(root, "tau*", "5", d->m, 1, d->tau, 1e-14);
        check_other_dart_blocks(root, d);
        dump_check_all_compared(root);
        CHECK_TEXT(dump_text(dump_part(root, "f_n"), "unit"), "N");
        CHECK_TEXT(dump_text(dump_part(root, "lambda"), "unit"), "m/s");
    }
}

// ---- three systems ------------------------------------------------------------------------------

static void masses(Dart* d, const double* diagonal)
{
    for (int i = 0; i < d->m; i++) {
        d->M[i * d->m + i] = diagonal[i];
    }
}

// Contact `col` of two free bodies: +J of the body into which n points, -J of the other one.
static void add_contact(Dart* d, int col, V point, V n, int plus, V plus_at, int other, V other_at)
{
    for (int j = -1; j < DIRECTIONS; j++) {
        const V along = j < 0 ? n : direction(n, j);
        double* W = j < 0 ? d->N : d->B;
        const int cols = j < 0 ? d->p : DIRECTIONS * d->p, at = j < 0 ? col : DIRECTIONS * col + j;
        add_free(d, plus, minus(point, plus_at), 1.0, along, W, cols, at);
        if (other >= 0) {
            add_free(d, other, minus(point, other_at), -1.0, along, W, cols, at);
        }
    }
    d->mu[col] = 0.5;
}

// A capsule of 1 kg along x: two half balls of radius r on a cylinder of length L.
static void capsule_moments(double r, double L, double* along, double* across)
{
    const double cylinder = L, balls = 4.0 / 3.0 * r; // volumes over pi r^2
    const double c = cylinder / (cylinder + balls), s = 1.0 - c;
    *along = c * 0.5 * r * r + s * 0.4 * r * r;
    *across = c * (r * r / 4 + L * L / 12) + s * (0.4 * r * r + L * L / 4 + 3.0 / 8 * r * L);
}

TEST(D6_dump_prints_three_systems_and_four_contacts)
{
    if (program() == NULL) {
        return;
    }
    static Dart d = {.m = 18, .p = 4};
    double along, across;
    capsule_moments(0.1, 0.6, &along, &across);
    const double box = 5.0 / 12 * (4 + 0.04), flat = 5.0 / 12 * 8, ball = 0.4 * 0.5 * 0.01;
    masses(&d, (double[]){5, 5, 5, box, box, flat, 1, 1, 1, along, across, across, 0.5, 0.5, 0.5,
                          ball, ball, ball});
    const V slab = vec(0, 0, 0), capsule = vec(0, 0, 0.2), sphere = vec(0, 0.2, 0.2),
            up = vec(0, 0, 1);
    add_contact(&d, 0, vec(0.3, 0, 0.1), up, 6, capsule, 0, slab);
    add_contact(&d, 1, vec(-0.3, 0, 0.1), up, 6, capsule, 0, slab);
    add_contact(&d, 2, vec(0, 0.2, 0.1), up, 12, sphere, 0, slab);
    add_contact(&d, 3, vec(0, 0.1, 0.2), vec(0, 1, 0), 12, sphere, 6, capsule);
    const double v[18] = {0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0.3, -0.7, -0.2};
    for (int i = 0; i < 18; i++) {
        d.v[i] = v[i];
        d.tau[i] = d.M[19 * i] * v[i]; // no gravity, nothing turns
    }
    compare_dart(&d, "dart-three-systems");
    // the printed places of Eq. 8 are 0: contact 4 is not on the slab, contacts 1 and 2 not on the ball
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(d.N[k * 4 + 3], 0.0, 0.0);
        CHECK_NEAR(d.N[(12 + k) * 4], 0.0, 0.0);
        CHECK_NEAR(d.N[(6 + k) * 4 + 2], 0.0, 0.0);
    }
}

// ---- the arm ------------------------------------------------------------------------------------

// Moment of a capsule of mass m across its axis, about its centre.
static double capsule_across(double m, double r, double L)
{
    double along, across;
    capsule_moments(r, L, &along, &across);
    return m * across;
}

static V about_y(V r)
{
    return cross(vec(0, 1, 0), r);
}

// Masses and tau* of two links that turn about y: the second one's mass m2, centre c2 from the elbow and moment
// I2; the first one's likewise from the shoulder. `a` is the elbow from the shoulder.
static void two_links(Dart* d, double m1, V c1, double I1, double m2, V c2, double I2, V a,
                      const double qdot[2])
{
    const double mixed = m2 * dot(a, c2), second = I2 + m2 * dot(c2, c2);
    d->M[0] = I1 + m1 * dot(c1, c1) + m2 * dot(a, a) + second + 2 * mixed;
    d->M[1] = d->M[d->m] = second + mixed;
    d->M[d->m + 1] = second;
    // Lagrange's equations with a . R(q2) c2, whose derivative by q2 is a . (y x c2); gravity -g z
    const double slope = m2 * dot(a, about_y(c2)), w1 = qdot[0], w2 = qdot[1];
    const V z = vec(0, 0, 1);
    const double weight2 = m2 * G * dot(z, about_y(c2));
    const double weight1 = m1 * G * dot(z, about_y(c1)) + m2 * G * dot(z, about_y(a)) + weight2;
    const double C[2] = {2 * slope * w1 * w2 + slope * w2 * w2 + weight1,
                         -slope * w1 * w1 + weight2};
    d->tau[0] = d->M[0] * w1 + d->M[1] * w2 - H * C[0];
    d->tau[1] = d->M[d->m] * w1 + d->M[d->m + 1] * w2 - H * C[1];
}

TEST(D20_dump_prints_the_arm)
{
    if (program() == NULL) {
        return;
    }
    static Dart d = {.m = 2, .p = 1, .mu = {0.4}, .v = {0.5, 0.0}};
    const V a = vec(0.25, 0, -0.43301270189221930), t = vec(-0.2, 0, -0.38301270189221930);
    const double l1 = sqrt(dot(a, a)), l2 = sqrt(dot(t, t));
    // the lower link: a capsule of 0.5 kg from the elbow to the tip, and a ball of 0.1 kg and 0.05 m there
    const V c2 = mix((0.5 * 0.5 + 0.1) / 0.6, t, 0.0, t);
    const double from_capsule = (0.5 - (0.5 * 0.5 + 0.1) / 0.6) * l2,
                 from_ball = (1 - (0.5 * 0.5 + 0.1) / 0.6) * l2;
    const double I2 = capsule_across(0.5, 0.02, l2) + 0.5 * from_capsule * from_capsule +
                      0.4 * 0.1 * 0.0025 + 0.1 * from_ball * from_ball;
    two_links(&d, 1.0, mix(0.5, a, 0.0, a), capsule_across(1.0, 0.02, l1), 0.6, c2, I2, a, d.v);
    // contact with the floor below the tip, in the middle of both surfaces
    const V shoulder = vec(0, 0, 0.8660254037844386), elbow = mix(1, shoulder, 1, a);
    const V point = vec(0.05, 0, 0.0), n = vec(0, 0, 1);
    for (int j = -1; j < DIRECTIONS; j++) {
        const V along = j < 0 ? n : direction(n, j);
        add_hinge(0, shoulder, point, 1.0, along, j < 0 ? d.N : d.B, j < 0 ? 1 : DIRECTIONS,
                  j < 0 ? 0 : j);
        add_hinge(1, elbow, point, 1.0, along, j < 0 ? d.N : d.B, j < 0 ? 1 : DIRECTIONS,
                  j < 0 ? 0 : j);
    }
    compare_dart(&d, "dart-arm");
}

// Row D12: where f_n > 0 and mu > 0, lambda = max(0, -min B'qdot).
TEST(D12_dump_prints_lambda)
{
    if (program() == NULL) {
        return;
    }
    utArena arena = test_arena();
    const utJson* root = dump_json("scenes/seeds/dart-arm.xml --eq dart-full", &arena);
    if (root == NULL) {
        return;
    }
    const utJson* qdot = ut_json_member(dump_part(root, "qdot"), "z")->first;
    const double w[2] = {qdot->number, qdot->next->number};
    // the tip moves along +-x with the velocities of both joints: heights 0.866 and 0.433 below them
    const double speed = -(0.8660254037844386 * w[0] + 0.43301270189221930 * w[1]);
    const double lambda = ut_json_member(dump_part(root, "lambda"), "z")->first->number;
    CHECK_NEAR(lambda, fabs(speed), 1e-9);
    CHECK(lambda > 0.1);
    CHECK(ut_json_member(dump_part(root, "f_n"), "z")->first->number > 1.0);
}

// Row D26: an arm of 2 dof, a box of 6, a fixed table and post. By the scene's numbers: shoulder at (0, 0, 0.95),
// elbow at (0.3, 0, 0.55), tip at (0.2, 0, 0.25) with radius 0.05; the box of 0.6 x 0.4 x 0.2 around (0.1, 0, 0.1).
TEST(D26_dump_prints_an_arm_a_box_and_a_fixed_obstacle)
{
    if (program() == NULL) {
        return;
    }
    static Dart d = {.m = 8, .p = 6};
    const V shoulder = vec(0, 0, 0.95), elbow = vec(0.3, 0, 0.55), box = vec(0.1, 0, 0.1),
            up = vec(0, 0, 1);
    const double v[] = {0.2, -0.1, 0.3, 0.1, 0, 0, 0, 0.2};
    memcpy(d.v, v, sizeof v);
    masses(&d, (double[]){0, 0, 2, 2, 2, 0.04, 0.08, 0.1});
    two_links(&d, 1.0, vec(0.15, 0, -0.2), 0.02, 0.5, vec(-0.05, 0, -0.15), 0.005,
              vec(0.3, 0, -0.4), v);
    for (int i = 2; i < 8; i++) {
        d.tau[i] = d.M[9 * i] * v[i] - (i == 4 ? H * 2 * G : 0.0); // it turns about z alone
    }
    const double corner[4][2] = {{-0.2, -0.2}, {0.4, -0.2}, {-0.2, 0.2}, {0.4, 0.2}};
    for (int i = 0; i < 4; i++) {
        add_contact(&d, i, vec(corner[i][0], corner[i][1], 0), up, 2, box, -1, box);
    }
    // contact 5: the elbow's ball against the post; n points into the arm. Contact 6: +J of the box along the
    // normal into it, -J of the arm
    const V n5 = vec(-1, 0, 0), n6 = vec(0, 0, -1), post = vec(0.34, 0, 0.55),
            tip = vec(0.2, 0, 0.2);
    add_contact(&d, 5, tip, n6, 2, box, -1, box);
    for (int j = -1; j < DIRECTIONS; j++) {
        double* W = j < 0 ? d.N : d.B;
        const int cols = j < 0 ? 6 : 48, at5 = j < 0 ? 4 : 32 + j, at6 = j < 0 ? 5 : 40 + j;
        const V along5 = j < 0 ? n5 : direction(n5, j), along6 = j < 0 ? n6 : direction(n6, j);
        add_hinge(0, shoulder, post, 1.0, along5, W, cols, at5);
        add_hinge(1, elbow, post, 1.0, along5, W, cols, at5);
        add_hinge(0, shoulder, tip, -1.0, along6, W, cols, at6);
        add_hinge(1, elbow, tip, -1.0, along6, W, cols, at6);
    }
    for (int i = 0; i < 6; i++) {
        d.mu[i] = 0.4;
    }
    compare_dart(&d, "dart-arm-box");
}

// ---- the block of Son, Trinkle and Amato --------------------------------------------------------

TEST(G19_dump_prints_the_lcp_of_a_ball)
{
    if (program() == NULL) {
        return;
    }
    utArena arena = test_arena();
    const utJson* root =
        dump_json("scenes/seeds/igms-ball.xml --set 'ball.pos=0 0 0.101' --eq igms", &arena);
    if (root == NULL) {
        return;
    }
    // a ball of 1 kg and R = 0.1, 1 mm above the floor, at 1 m/s along x
    const double R = 0.1, I = 0.4 * R * R, mu = 0.3, gap = 0.001;
    const V n = vec(0, 0, 1), v = vec(1, 0, -H * G);
    double A[100] = {0}, b[10] = {0}, D[6 * 8];
    for (int j = 0; j < 8; j++) {
        const V d = direction(n, j);
        // the contact lies in the middle between floor and ball; its velocity is v + w x r
        const V r = vec(0, 0, -(R + 0.5 * gap)), moment = cross(r, d);
        for (int c = 0; c < 3; c++) {
            D[c * 8 + j] = d.x[c];
            D[(3 + c) * 8 + j] = moment.x[c];
        }
        for (int l = 0; l < 8; l++) {
            A[10 * j + l] = dot(d, direction(n, l)) + dot(moment, cross(r, direction(n, l))) / I;
        }
        A[10 * j + 9] = 1.0; // e
        A[90 + j] = -1.0;    // -e'
        b[j] = dot(d, v);
    }
    A[88] = 1.0; // n'M^-1 n
    A[98] = mu;
    b[8] = gap / H + dot(n, v);
    dump_check_order(root, "beta rho 8, c_n sigma 1, lambda zeta 1, ");
    dump_matrix(root, "A", 10, 10, A, 1e-12);
    dump_matrix(root, "b", 10, 1, b, 1e-12);
    dump_block(root, "D", "7", 6, 8, D, 1e-14);
    const double normal[] = {0, 0, 1, 0, 0, 0}, k[] = {0, 0, -G, 0, 0, 0};
    dump_block(root, "n", "6", 6, 1, normal, 1e-15);
    dump_block(root, "k", "1", 6, 1, k, 1e-12);
    double M[36] = {0}, e[8], velocity[6] = {1};
    for (int j = 0; j < 8; j++) {
        e[j] = 1.0;
    }
    for (int i = 0; i < 6; i++) {
        M[7 * i] = i < 3 ? 1.0 : I;
    }
    dump_block(root, "M", "1", 6, 6, M, 1e-15);
    dump_block(root, "e", "", 8, 1, e, 0.0);
    dump_block(root, "mu", "", 1, 1, &mu, 0.0);
    dump_block(root, "v^t", "", 6, 1, velocity, 0.0);
    dump_block(root, "n'q^t - alpha_0", "", 1, 1, &gap, 1e-15);
    dump_check_all_compared(root);
    CHECK_TEXT(dump_text(dump_part(root, "c_n"), "unit"), "N s");
}

// ---- Pfrommer's three cases ---------------------------------------------------------------------

typedef struct Given {
    const char* name;
    double value;
} Given;

// @param given what M and q are made of, shown as blocks; 4 at most, the last one without a name
static void check_pfrommer(const char* arguments, const char* section, const char* order, int n,
                           const double* M, const double* q, double z0, const Given* given)
{
    utArena arena = test_arena();
    const utJson* root = dump_json(arguments, &arena);
    if (root == NULL) {
        return;
    }
    CHECK_TEXT(dump_text(root, "equation"), section);
    dump_check_by_step(root);
    dump_check_order(root, order);
    dump_matrix(root, "A", n, n, M, 1e-9 / H);
    dump_matrix(root, "b", n, 1, q, 1e-9);
    CHECK_NEAR(ut_json_member(ut_json_member(root, "solution"), "z")->first->number, z0, 1e-12);
    for (; given->name != NULL; given++) {
        dump_block(root, given->name, "", 1, 1, &given->value, 1e-10);
    }
    dump_check_all_compared(root);
}

TEST(F2_dump_prints_the_falling_block)
{
    if (program() == NULL) {
        return;
    }
    // 44 steps of free fall: v = -44 g h, x = 1 - g h^2 44 45 / 2
    const double M = 1 / (H * H), v = -44 * G * H, x = 1 - G * H * H * 44 * 45 / 2;
    const double first = -(1 - G * H * H) / (H * H), later = -(x + H * v - G * H * H) / (H * H);
    check_pfrommer("scenes/seeds/pfrommer-falling.xml --eq pfrommer", "section 1",
                   "x_{k+1} lambda_{k+1} 1, ", 1, &M, &first, 1 - G * H * H,
                   (const Given[]){{"x_k", 1}, {"xdot_k", 0}, {"g", G}, {NULL, 0}});
    check_pfrommer("scenes/seeds/pfrommer-falling.xml --eq pfrommer --step 45", "section 1",
                   "x_{k+1} lambda_{k+1} 1, ", 1, &M, &later, 0.0,
                   (const Given[]){{"x_k", x}, {"xdot_k", v}, {"g", G}, {NULL, 0}});
}

// @param given receives velocity, load and mu g
static const Given* sliding_by(double v, double u, Given given[4])
{
    const Given all[4] = {{"xdot_k", v}, {"u", u}, {"mu g", 0.5 * G}, {NULL, 0}};
    memcpy(given, all, sizeof all);
    return given;
}

TEST(F5_F12_dump_prints_the_forward_case)
{
    if (program() == NULL) {
        return;
    }
    const double M = 1 / H, moving = -1 / H + 0.5 * G, pushed = -6 + 0.5 * G, held = -4 + 0.5 * G;
    const char* order = "xdot_{k+1} lambda'_{k+1} 1, ";
    Given given[4];
    check_pfrommer("scenes/seeds/pfrommer-sliding.xml --eq pfrommer", "section 2.1", order, 1, &M,
                   &moving, 0.95095, sliding_by(1, 0, given));
    check_pfrommer(
        "scenes/seeds/pfrommer-sliding.xml --eq pfrommer --key '' --set 'option.gravity=6 0 -9.81'",
        "section 2.1", order, 1, &M, &pushed, 0.01095, sliding_by(0, 6, given));
    check_pfrommer(
        "scenes/seeds/pfrommer-sliding.xml --eq pfrommer --key '' --set 'option.gravity=4 0 -9.81'",
        "section 2.1", order, 1, &M, &held, 0.0, sliding_by(0, 4, given));
}

TEST(F8_dump_prints_the_bidirectional_case)
{
    if (program() == NULL) {
        return;
    }
    const double M[] = {1 / H, 0, 0, 1 / H};
    const double right[] = {-1 / H + 0.5 * G, 1 / H + 0.5 * G},
                 left[] = {1 / H + 0.5 * G, -1 / H + 0.5 * G};
    const double pulled[] = {6 + 0.5 * G, -6 + 0.5 * G};
    const char* order = "xdot+ lambda'- 1, xdot- lambda'+ 1, ";
    Given given[4];
    check_pfrommer("scenes/seeds/pfrommer-bidirectional.xml --eq pfrommer-bidirectional",
                   "section 2.2", order, 2, M, right, 0.95095, sliding_by(1, 0, given));
    // chosen without its name where the forward case does not apply: v < 0, or u < 0
    check_pfrommer("scenes/seeds/pfrommer-bidirectional.xml --eq pfrommer --key left",
                   "section 2.2", order, 2, M, left, 0.0, sliding_by(-1, 0, given));
    check_pfrommer("scenes/seeds/pfrommer-bidirectional.xml --eq pfrommer --key '' --set "
                   "'option.gravity=-6 0 -9.81'",
                   "section 2.2", order, 2, M, pulled, 0.0, sliding_by(0, -6, given));
}

// ---- Peiret's block and rod ---------------------------------------------------------------------

enum { MAX_E = 20 };

typedef struct Peiret {
    int m, r, k; // velocities, contacts, lines of each
    double M[6], J_n[2 * 6], J_t[4 * 6], f_a[6], mu, rho;
} Peiret;

// Eq. 8. @return its size
static int write_peiret(const Peiret* s, double* A, double* b)
{
    const int m = s->m, r = s->r, k = s->k, t = m, n0 = t + 2 * r, plus = n0 + r,
              less = plus + r * k, n = less + r * k;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    memset(b, 0, (size_t)n * sizeof *b);
    for (int i = 0; i < m; i++) {
        A[i * n + i] = s->M[i];
        b[i] = -s->f_a[i]; // at rest c = 0
        for (int j = 0; j < 2 * r; j++) {
            A[i * n + t + j] = -s->J_t[j * m + i];
            A[(t + j) * n + i] = s->J_t[j * m + i];
        }
        for (int j = 0; j < r; j++) {
            A[i * n + n0 + j] = -s->J_n[j * m + i];
            A[(n0 + j) * n + i] = s->J_n[j * m + i];
        }
    }
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < k; j++) {
            const double e[] = {cos(acos(-1.0) * j / k), sin(acos(-1.0) * j / k)};
            const int p = plus + i * k + j, l = less + i * k + j;
            for (int c = 0; c < 2; c++) {
                A[(t + 2 * i + c) * n + p] = -e[c];
                A[(t + 2 * i + c) * n + l] = e[c];
                A[p * n + t + 2 * i + c] = e[c];
                A[l * n + t + 2 * i + c] = -e[c];
            }
            A[p * n + n0 + i] = A[l * n + n0 + i] = s->mu;
            A[p * n + l] = A[l * n + p] = s->rho;
        }
    }
    return n;
}

// The blocks of Eq. 8 at rest. Row i of E and mu belongs to contact i.
static void check_peiret_blocks(const utJson* root, const Peiret* s)
{
    const int m = s->m, r = s->r, lines = s->r * s->k;
    double M[36] = {0}, E[4 * MAX_E] = {0}, mu[2 * MAX_E] = {0}, rho[MAX_E], c[6], zero[6] = {0};
    for (int i = 0; i < m; i++) {
        M[i * m + i] = s->M[i];
        c[i] = -s->f_a[i];
    }
    for (int j = 0; j < lines; j++) {
        const int i = j / s->k;
        const double angle = acos(-1.0) * (j % s->k) / s->k;
        E[2 * i * lines + j] = cos(angle);
        E[(2 * i + 1) * lines + j] = sin(angle);
        mu[j * r + i] = s->mu;
        rho[j] = s->rho;
    }
    dump_block(root, "M", "4", m, m, M, 1e-15);
    dump_block(root, "J_t", "8", 2 * r, m, s->J_t, 1e-15);
    dump_block(root, "J_n", "5", r, m, s->J_n, 1e-15);
    dump_block(root, "E", "6", 2 * r, lines, E, 1e-15);
    dump_block(root, "mu", "8", lines, r, mu, 0.0);
    dump_block(root, "rho", "6", lines, 1, rho, 1e-15);
    dump_block(root, "v", "", m, 1, zero, 0.0);
    dump_block(root, "c - f_a", "4", m, 1, c, 1e-11);
    dump_block(root, "Jdot_t v", "8", 2 * r, 1, zero, 1e-15);
    dump_block(root, "Jdot_n v", "8", r, 1, zero, 1e-15);
    dump_check_all_compared(root);
}

static const utJson* compare_peiret(const Peiret* s, const char* arguments, utArena* arena)
{
    double A[MAX_E * MAX_E], b[MAX_E];
    const int n = write_peiret(s, A, b);
    const utJson* root = dump_json(arguments, arena);
    if (root != NULL) {
        CHECK_TEXT(dump_text(root, "equation"), "8");
        dump_check_by_step(root);
        dump_matrix(root, "A", n, n, A, 1e-14);
        dump_matrix(root, "b", n, 1, b, 1e-12);
        check_peiret_blocks(root, s);
        CHECK_TEXT(dump_text(dump_part(root, "lambda_n"), "unit"), "N");
        CHECK_TEXT(dump_text(dump_part(root, "vdot"), "slack"), "0");
        CHECK_TEXT(dump_text(dump_part(root, "kappa+"), "slack"), "sigma-");
        CHECK_TEXT(dump_text(dump_part(root, "kappa-"), "slack"), "sigma+");
    }
    return root;
}

static double first_of(const utJson* root, const char* unknown)
{
    return root != NULL ? ut_json_member(dump_part(root, unknown), "z")->first->number : HUGE_VAL;
}

// Accelerations and forces from a sim, as the paper has them: 6 - 4.905 N on 1 kg, for every k and rho.
TEST(P14_P23_dump_prints_the_lead_matrix_of_the_block)
{
    if (program() == NULL) {
        return;
    }
    const double rhos[] = {0.0, 1e-3, 0.1, 10.0};
    for (int k = 2; k <= 4; k++) {
        for (int i = 0; i < 4; i++) {
            const Peiret s = {.m = 3,
                              .r = 1,
                              .k = k,
                              .M = {1, 1, 1},
                              .J_n = {0, 0, 1},
                              .J_t = {1, 0, 0, 0, 1, 0},
                              .f_a = {6, 0, -G},
                              .mu = 0.5,
                              .rho = rhos[i]};
            char arguments[160];
            snprintf(arguments, sizeof arguments,
                     "scenes/seeds/peiret-block.xml --eq peiret --rho %g --directions %d", rhos[i],
                     2 * k);
            utArena arena = test_arena();
            const utJson* root = compare_peiret(&s, arguments, &arena);
            CHECK_NEAR(first_of(root, "vdot"), 1.095, 1e-12);
            CHECK_NEAR(first_of(root, "lambda_t"), -4.905, 1e-12);
            CHECK_NEAR(first_of(root, "lambda_n"), 9.81, 1e-12);
            CHECK_NEAR(first_of(root, "kappa+"), 1.095, 1e-12);
            // row P16: rank 8 without phantom inertia, and the rows that make it so are named
            const int n = 6 + 2 * k;
            CHECK_NEAR(dump_number(root, "rank"), i == 0 ? 8 : n, 0.0);
            CHECK_INT(ut_json_member(root, "dependent_rows")->count, i == 0 ? n - 8 : 0);
        }
    }
}

// A rod of 2 kg and 1 m on its two ends: at rest, each carries half the weight.
TEST(P14_dump_prints_the_lead_matrix_of_the_rod)
{
    if (program() == NULL) {
        return;
    }
    const Peiret s = {
        .m = 6,
        .r = 2,
        .k = 2,
        .M = {2, 2, 2, 0.001, 1.0 / 6, 1.0 / 6},
        // v + w x r with r = (-+0.5, 0, 0)
        .J_n = {0, 0, 1, 0, 0.5, 0, 0, 0, 1, 0, -0.5, 0},
        .J_t = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, -0.5, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.5},
        .f_a = {0, 0, -2 * G},
        .mu = 0.5,
        .rho = 0.05};
    utArena arena = test_arena();
    const utJson* root =
        compare_peiret(&s, "scenes/seeds/peiret-rod.xml --eq peiret --rho 0.05", &arena);
    CHECK_NEAR(first_of(root, "lambda_n"), G, 1e-9);
    CHECK_NEAR(first_of(root, "vdot"), 0.0, 1e-9);
}

// The reduced system of the block: with M = 1 and J = 1 it is G = 1, so S = 1, X = 0 and A = E'E.
TEST(P15_dump_prints_the_reduced_system_of_the_block)
{
    if (program() == NULL) {
        return;
    }
    const double rho = 0.1, s = sqrt(0.5), mu = 0.5;
    const double EE[4][4] = {{1, s, 0, -s}, {s, 1, s, 0}, {0, s, 1, s}, {-s, 0, s, 1}},
                 e_x[] = {1, s, 0, -s};
    double A[81] = {1}, b[9] = {-G};
    for (int i = 0; i < 4; i++) {
        A[9 * (1 + i)] = A[9 * (5 + i)] = mu;
        b[1 + i] = -6 * e_x[i];
        b[5 + i] = 6 * e_x[i];
        for (int j = 0; j < 4; j++) {
            A[9 * (1 + i) + 1 + j] = A[9 * (5 + i) + 5 + j] = EE[i][j];
            A[9 * (1 + i) + 5 + j] = A[9 * (5 + i) + 1 + j] = (i == j ? rho : 0.0) - EE[i][j];
        }
    }
    utArena arena = test_arena();
    const utJson* root =
        dump_json("scenes/seeds/peiret-block.xml --eq peiret-lcp --rho 0.1", &arena);
    if (root != NULL) {
        dump_check_order(root, "lambda_n udot_n 1, kappa+ sigma- 4, kappa- sigma+ 4, ");
        dump_matrix(root, "A", 9, 9, A, 1e-14);
        dump_matrix(root, "b", 9, 1, b, 1e-12);
        CHECK_NEAR(first_of(root, "lambda_n"), G, 1e-12);
        dump_check_by_step(root);
    }
}

// A ball of 0.2 m rolls at 0.8 m/s over the top of a fixed one of 0.5 m: its gap has the second derivative
// v^2 / L without forces, L = 0.7 m between the centres, and the slip's rate is 0 (w x r turns into the normal).
TEST(P10_dump_prints_the_rates_of_a_rolling_ball)
{
    if (program() == NULL) {
        return;
    }
    write_file(
        "over.xml",
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/>"
        "<ut:contact formulation='peiret-acceleration'/><worldbody><geom size='0.5'/>"
        "<body name='ball' pos='0 0 0.7'><freejoint/><geom size='0.2' mass='1'/></body></worldbody>"
        "<keyframe><key name='start' qvel='0.8 0 0 0 4 0'/></keyframe></mujoco>");
    utArena arena = test_arena();
    char arguments[256];
    const double rate = 0.8 * 0.8 / 0.7, rates[] = {0, 0};
    const double b[] = {0, 0, G, 0, 0, 0, 0, 0, rate};
    snprintf(arguments, sizeof arguments, "'%s' --eq peiret", path_in_folder("over.xml"));
    const utJson* root = dump_json(arguments, &arena);
    if (root != NULL) {
        dump_check_by_step(root);
        dump_block(root, "Jdot_n v", "8", 1, 1, &rate, 1e-12);
        dump_block(root, "Jdot_t v", "8", 2, 1, rates, 1e-12);
        const utJson* constant = ut_json_member(root, "b")->first;
        for (int i = 0; i < 9; i++, constant = constant->next) {
            CHECK_NEAR(constant->number, b[i], 1e-11);
        }
        CHECK_NEAR(first_of(root, "lambda_n"), G - rate, 1e-10);
    }
}

// A contact that slides already has kinetic friction and no lines: its column is that of the normal alone.
TEST(P2_dump_prints_a_sliding_contact_with_its_normal)
{
    if (program() == NULL) {
        return;
    }
    utArena arena = test_arena();
    const utJson* root = dump_json("scenes/seeds/peiret-block.xml --eq peiret --step 2", &arena);
    if (root != NULL) {
        dump_check_order(root, "vdot 0 3, lambda_n udot_n 1, ");
        dump_check_by_step(root);
        // M vdot - (J_n - mu J_t along the slip)' lambda_n = f_a
        const double A[] = {1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0}, b[] = {-6, 0, G, 0};
        dump_matrix(root, "A", 4, 4, A, 1e-14);
        dump_matrix(root, "b", 4, 1, b, 1e-11);
        CHECK_NEAR(first_of(root, "vdot"), 1.095, 1e-11);
    }
}

#endif
