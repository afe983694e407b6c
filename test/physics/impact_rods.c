// Bodies whose normal and tangent are coupled: the rod and Kane's double pendulum, which gain
// energy by Newton's law, thousands of rods and boxes at random, and a linkage that swings into a
// wall.
#include "impact_lab.h"

static const char* const EVENTS[] = {"hybrid", "mirtich"};

// ---- one contact in the plane, by hand ----------------------------------------------------------

// K = (nn, nt; nt, tt); u before.
typedef struct Plane {
    double nn, nt, tt;
    double u_n, u_t;
    double mu, e;
} Plane;

typedef struct Impulse {
    double r_n, r_t;
    double r_c, W_c; // of compression
    double u_n;      // after
    double energy;
} Impulse;

// Slip stops at p1, before compression ends, and then it sticks: u_n has the slope nn - mu s nt and
// then f = nn - nt^2/tt in the normal impulse, s the sign of slip.
static Impulse by_hand(const Plane* p, utImpactLaw law)
{
    const double s = p->u_t > 0.0 ? 1.0 : -1.0;
    const double p1 = -p->u_t / (p->nt - p->mu * s * p->tt);
    const double u1 = p->u_n + (p->nn - p->mu * s * p->nt) * p1;
    const double f = p->nn - p->nt * p->nt / p->tt;
    CHECK(p1 > 0.0 && u1 < 0.0 && fabs(p->nt) <= p->mu * p->tt);
    const double p_c = p1 - u1 / f;
    const double W_c = 0.5 * p1 * (p->u_n + u1) - 0.5 * u1 * u1 / f;
    const double opening = law == UT_IMPACT_NEWTON    ? -p->e * p->u_n / f
                           : law == UT_IMPACT_POISSON ? p->e * p_c
                                                      : p->e * sqrt(-2.0 * W_c / f);
    Impulse i = {.r_c = p_c, .W_c = W_c, .r_n = p_c + opening, .u_n = f * opening};
    i.r_t = -p->mu * s * p1 - p->nt / p->tt * (i.r_n - p1);
    i.energy = 0.5 * (i.r_n * (p->u_n + i.u_n) + i.r_t * p->u_t);
    return i;
}

// What the report of an instant says against it. Impulses act on the second side, along the floor's
// normal and, as a whole, in the world. @param m a mass that impulses go with
static void compare(Trial* t, const utStepReport* instant, const Impulse* want, double e, double m,
                    bool stronge)
{
    if (instant == NULL || instant->contacts != 1) {
        EXPECT(t, 0, 1, 0.0);
        return;
    }
    const utContact* c = &instant->contact[0];
    double r_x = 0.0;
    for (int k = 0; k < 3; k++) {
        r_x += c->r[k] * c->frame[k].x;
    }
    EXPECT(t, c->r[0], want->r_n, EXACT * m);
    EXPECT(t, r_x, want->r_t, EXACT * m);
    EXPECT(t, c->compression[0], want->r_c, EXACT * m);
    EXPECT(t, instant->energy_next - instant->energy, want->energy, EXACT * m);
    if (stronge) {
        const double W_r = 0.5 * (c->r[0] - c->compression[0]) * want->u_n;
        EXPECT(t, W_r / want->W_c, -e * e, 1e-8);
    }
}

// ---- the rod ------------------------------------------------------------------------------------

static const double PITCH = 55.0 * 3.14159265358979323846 / 180.0;

// A rod of 1 kg and 1 m whose lower end is at the origin, in the plane or in space; its body's x is
// along it.
static Lab rod(const Trial* t, const char* formulation, bool planar, double mu, double e, int law)
{
    const double L = t->length, m = t->mass, I = m * L * L / 12.0;
    Lab lab = impact_open(formulation, 1e-3, 1e-3);
    lab.options.planar = planar ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    lab.options.impact = law;
    const int floor = impact_plane(&lab, ut_vec3_zero(), ut_vec3(0, 0, 1), mu, e);
    const int body = lab_solid(&lab, ut_vec3(0.5 * L * cos(PITCH), 0, 0.5 * L * sin(PITCH)),
                               ut_quat_from_axis_angle(ut_vec3(0, -1, 0), PITCH), m, ut_vec3_zero(),
                               ut_vec3(1e-3 * I, I, I));
    lab_free(&lab, body);
    impact_point(&lab, body, ut_vec3(-0.5 * L, 0, 0), floor);
    lab_start(&lab);
    return lab;
}

static void start_rod(Lab* lab, double v_x, double v_z)
{
    const double flat[3] = {v_x, v_z, 0.0}, space[6] = {v_x, 0.0, v_z, 0.0, 0.0, 0.0};
    lab_state(lab, NULL, lab->model->nv == 3 ? flat : space);
}

// The rod of the seeds: its end moves at (0.75, -1), mu 0.8, e 1. With the end at -(cos, sin)/2
// from the middle, K = 1 + 12 a a' with a = (-cos, sin)/2.
static Plane rod_plane(double mu, double e)
{
    const double c = cos(PITCH), s = sin(PITCH);
    return (Plane){.nn = 1.0 + 3.0 * c * c,
                   .nt = -3.0 * c * s,
                   .tt = 1.0 + 3.0 * s * s,
                   .u_n = -1.0,
                   .u_t = 0.75,
                   .mu = mu,
                   .e = e};
}

CLOSED_FORM(the_rod_gains_energy_by_newtons_law_and_by_no_other, OFF_MU | OFF_MASS | OFF_E)
{
    const Plane plane = rod_plane(0.8, 1.0);
    for (int k = 0; k < 4 * UT_IMPACT_LAW_COUNT; k++) {
        const utImpactLaw law = (utImpactLaw)(k / 4);
        const Impulse want = by_hand(&plane, law);
        Lab lab = rod(t, EVENTS[k % 2], k / 2 % 2 == 0, 0.8 * t->mu, t->e, (int)law);
        start_rod(&lab, 0.75, -1.0);
        utStepResult result;
        const utStepReport* instant = impact_await(&lab, 1, &result);
        compare(t, instant, &want, 1.0, 1.0, law == UT_IMPACT_STRONGE);
        const double gain = instant != NULL ? instant->energy_next - instant->energy : 0.0;
        if (law == UT_IMPACT_NEWTON) {
            EXPECT(t, gain, 0.12458, 5e-6);
        } else {
            EXPECT(t, gain < 0.0, true, 0.0);
        }
        if (!t->off && k % 4 == 0) {
            test_note("rod, %s: %+.6f J", ut_impact_law_name(law), gain);
        }
        lab_end(&lab);
    }
}

// Left to itself the scheme follows one contact by Stronge's law.
CLOSED_FORM(the_rod_follows_stronge_by_default, OFF_MU | OFF_E)
{
    const Plane plane = rod_plane(0.8, 0.7);
    const Impulse want = by_hand(&plane, UT_IMPACT_STRONGE);
    for (int k = 0; k < 2; k++) {
        Lab lab = rod(t, EVENTS[k], true, 0.8 * t->mu, 0.7 * t->e, -1);
        start_rod(&lab, 0.75, -1.0);
        utStepResult result;
        compare(t, impact_await(&lab, 1, &result), &want, 0.7, 1.0, true);
        lab_end(&lab);
    }
}

// ---- two links ----------------------------------------------------------------------------------

// Two uniform rods that hang from the origin, angles a and b from hanging, counted towards +x. The
// tip is at (L1 sin a + L2 sin b, -L1 cos a - L2 cos b).
typedef struct Links {
    double m1, m2, L1, L2;
} Links;

static void add_links(Lab* lab, const Links* links, int plane)
{
    const double m[2] = {links->m1, links->m2}, L[2] = {links->L1, links->L2};
    int parent = 0;
    for (int k = 0; k < 2; k++) {
        const double I = m[k] * L[k] * L[k] / 12.0;
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(0, 0, k == 0 ? 0.0 : -L[0]);
        body.inertial = true;
        body.mass = m[k];
        body.com = ut_vec3(0, 0, -0.5 * L[k]);
        body.inertia = ut_mat3_diagonal(ut_vec3(I, I, 1e-3 * I));
        parent = ut_model_def_body(lab->def, &body);
        utJointDef hinge = ut_joint_def(parent, UT_JOINT_HINGE);
        hinge.axis = ut_vec3(0, -1, 0);
        ut_model_def_joint(lab->def, &hinge);
    }
    impact_point(lab, parent, ut_vec3(0, 0, -L[1]), plane);
}

// M of the rates of a and b: xx, xy, yy
static void links_mass(const Links* l, double a, double b, double M[3])
{
    M[0] = l->m1 * l->L1 * l->L1 / 3.0 + l->m2 * l->L1 * l->L1;
    M[1] = 0.5 * l->m2 * l->L1 * l->L2 * cos(a - b);
    M[2] = l->m2 * l->L2 * l->L2 / 3.0;
}

// x' M^-1 y
static double mobility(const double M[3], const double x[2], const double y[2])
{
    const double det = M[0] * M[2] - M[1] * M[1];
    return (x[0] * (M[2] * y[0] - M[1] * y[1]) + x[1] * (M[0] * y[1] - M[1] * y[0])) / det;
}

// Kane's: 20 and 30 degrees, rates -0.1 and -0.2, the tip strikes the floor.
static Plane kane_plane(double mu, double e, double* T)
{
    const Links links = {1.0, 1.0, 1.0, 1.0};
    const double a = 20.0 * PI / 180.0, b = 30.0 * PI / 180.0, w[2] = {-0.1, -0.2};
    const double n[2] = {sin(a), sin(b)}, x[2] = {cos(a), cos(b)};
    double M[3];
    links_mass(&links, a, b, M);
    *T = 0.5 * (M[0] * w[0] * w[0] + 2.0 * M[1] * w[0] * w[1] + M[2] * w[1] * w[1]);
    return (Plane){.nn = mobility(M, n, n),
                   .nt = mobility(M, n, x),
                   .tt = mobility(M, x, x),
                   .u_n = n[0] * w[0] + n[1] * w[1],
                   .u_t = x[0] * w[0] + x[1] * w[1],
                   .mu = mu,
                   .e = e};
}

static void run_kane(Trial* t, double e, utImpactLaw law, double gain)
{
    const double a = 20.0 * PI / 180.0, b = 30.0 * PI / 180.0, mu = 0.7;
    double T;
    const Plane plane = kane_plane(mu, e, &T);
    const Impulse want = by_hand(&plane, law);
    for (int k = 0; k < 2; k++) {
        const Links links = {1.0, t->mass, 1.0, 1.0};
        Lab lab = impact_open(EVENTS[k], 1e-4, 1e-3);
        lab.options.impact = (int)law;
        const int floor = impact_plane(&lab, ut_vec3(0, 0, -cos(a) - cos(b)), ut_vec3(0, 0, 1),
                                       mu * t->mu, e * t->e);
        add_links(&lab, &links, floor);
        lab_start(&lab);
        const double q[2] = {a, b - a}, v[2] = {-0.1, -0.1};
        lab_state(&lab, q, v);
        utStepResult result;
        const utStepReport* instant = impact_await(&lab, 1, &result);
        compare(t, instant, &want, e, 1.0, law == UT_IMPACT_STRONGE);
        const double got = instant != NULL ? (instant->energy_next - instant->energy) / T : 0.0;
        if (law == UT_IMPACT_NEWTON) {
            EXPECT(t, got, gain, 5e-3);
        } else {
            EXPECT(t, got < 0.0, true, 0.0);
        }
        if (!t->off && k == 0) {
            test_note("Kane, e = %.1f, %s: %+.4f of T", e, ut_impact_law_name(law), got);
        }
        lab_end(&lab);
    }
}

CLOSED_FORM(kanes_pendulum_gains_energy_by_newtons_law_and_by_no_other, OFF_MU | OFF_MASS | OFF_E)
{
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        run_kane(t, 0.5, (utImpactLaw)law, 0.59);
        run_kane(t, 1.0, (utImpactLaw)law, 4.14);
    }
}
