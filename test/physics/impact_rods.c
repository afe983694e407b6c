// SPDX-License-Identifier: Apache-2.0
// Bodies whose normal and tangent are coupled: the rod and Kane's double pendulum, which gain
// energy by Newton's law, thousands of rods and boxes at random, and a linkage that swings into a
// wall.
#include "impact_lab.h"

static const utFormulation EVENTS[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};

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

// Slip stops at p1 and then it sticks: u_n has the slope k = nn - mu s nt in the normal impulse, s
// the sign of slip, and then f = nn - nt^2/tt.
static double slope(const Plane* p, bool slips)
{
    const double s = p->u_t > 0.0 ? 1.0 : -1.0;
    return slips ? p->nn - p->mu * s * p->nt : p->nn - p->nt * p->nt / p->tt;
}

// Compression may end before slip does or after it. Restitution goes on from there: Newton's ends
// at a speed, Poisson's at an impulse, Stronge's at a work, the integral of u_n.
static Impulse by_hand(const Plane* p, utImpactLaw law)
{
    const double s = p->u_t > 0.0 ? 1.0 : -1.0, k = slope(p, true), f = slope(p, false);
    const double p1 = -p->u_t / (p->nt - p->mu * s * p->tt), u1 = p->u_n + k * p1;
    CHECK(p1 > 0.0 && k > 0.0 && fabs(p->nt) <= p->mu * p->tt);
    const bool early = u1 > 0.0; // compression ends while it slips
    const double p_c = early ? -p->u_n / k : p1 - u1 / f;
    const double W_c = early ? 0.5 * p->u_n * p_c : 0.5 * p1 * (p->u_n + u1) - 0.5 * u1 * u1 / f;
    // what restitution has to be beyond the end of slip: here it always ends with stick
    const double p2 = early ? p1 : p_c, u2 = early ? u1 : 0.0, W2 = 0.5 * u2 * (p2 - p_c);
    double more = 0.0; // normal impulse after p2
    if (law == UT_IMPACT_NEWTON) {
        more = (-p->e * p->u_n - u2) / f;
    } else if (law == UT_IMPACT_POISSON) {
        more = (1.0 + p->e) * p_c - p2;
    } else {
        const double rest = -p->e * p->e * W_c - W2; // u2 x + f x^2/2
        more = (sqrt(u2 * u2 + 2.0 * f * rest) - u2) / f;
    }
    CHECK(more >= 0.0);
    Impulse i = {.r_c = p_c, .W_c = W_c, .r_n = p2 + more, .u_n = u2 + f * more};
    i.r_t = -p->mu * s * p1 - p->nt / p->tt * (i.r_n - p1);
    i.energy = 0.5 * (i.r_n * (p->u_n + i.u_n) + i.r_t * p->u_t);
    return i;
}

// Work of the normal impulse up to p.
static double work_until(const Plane* plane, double p)
{
    const double s = plane->u_t > 0.0 ? 1.0 : -1.0;
    const double p1 = -plane->u_t / (plane->nt - plane->mu * s * plane->tt);
    const double x = fmin(p, p1), y = p - x, k = slope(plane, true), f = slope(plane, false);
    const double u1 = plane->u_n + k * x;
    return 0.5 * (plane->u_n + u1) * x + (u1 + 0.5 * f * y) * y;
}

// What the report of an instant says against it. Impulses act on the second side, along the floor's
// normal and, as a whole, in the world.
static void compare(Trial* t, const utStepReport* instant, const Plane* plane, utImpactLaw law)
{
    const Impulse want = by_hand(plane, law);
    if (instant == NULL || instant->contacts != 1) {
        EXPECT(t, 0, 1, 0.0);
        return;
    }
    const utContact* c = &instant->contact[0];
    double r_x = 0.0;
    for (int k = 0; k < 3; k++) {
        r_x += c->r[k] * c->frame[k].x;
    }
    EXPECT(t, c->r[0], want.r_n, EXACT);
    EXPECT(t, r_x, want.r_t, EXACT);
    EXPECT(t, c->compression[0], want.r_c, EXACT);
    EXPECT(t, instant->energy_next - instant->energy, want.energy, EXACT);
    const double e = plane->e, W_c = work_until(plane, c->compression[0]);
    const double W_r = work_until(plane, c->r[0]) - W_c;
    if (law == UT_IMPACT_STRONGE) {
        EXPECT(t, W_r / W_c, -e * e, 1e-8);
    }
}

// ---- the rod ------------------------------------------------------------------------------------

static const double PITCH = 55.0 * 3.14159265358979323846 / 180.0;

// A rod of 1 kg and 1 m whose lower end is at the origin, in the plane or in space; its body's x is
// along it.
static Lab rod(const Trial* t, utFormulation formulation, bool planar, double mu, double e, int law)
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
        Lab lab = rod(t, EVENTS[k % 2], k / 2 % 2 == 0, 0.8 * t->mu, t->e, (int)law);
        start_rod(&lab, 0.75, -1.0);
        utStepResult result;
        const utStepReport* instant = impact_await(&lab, 1, &result);
        compare(t, instant, &plane, law);
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
    for (int k = 0; k < 2; k++) {
        Lab lab = rod(t, EVENTS[k], true, 0.8 * t->mu, 0.7 * t->e, -1);
        start_rod(&lab, 0.75, -1.0);
        utStepResult result;
        compare(t, impact_await(&lab, 1, &result), &plane, UT_IMPACT_STRONGE);
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
        compare(t, instant, &plane, law);
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
        run_kane(t, 0.9, (utImpactLaw)law, 4.14);
    }
}

// ---- a linkage and a wall -----------------------------------------------------------------------

// Two unlike links swing into the wall x = 0.5. Of the instant itself: the tip's velocity is
// (cos, sin) of the angles times L and the rates, the impulse (r_x, r_z) acts on it there, and
// M (rates after - rates before) = J' r with M as above.
static void swing(Trial* t, utFormulation formulation, int law, double mu, double e)
{
    const Links right = {2.0, 1.0, 0.8, 0.6}, built = {2.0, t->mass, 0.8, 0.6 * t->length};
    Lab lab = impact_open(formulation, 0.002, 0.01);
    lab.options.impact = law;
    const int wall = impact_plane(&lab, ut_vec3(0.5, 0, 0), ut_vec3(-1, 0, 0), mu, e * t->e);
    add_links(&lab, &built, wall);
    lab_start(&lab);
    const double q[2] = {-0.5, 0.3}, v[2] = {2.0, 1.0};
    lab_state(&lab, q, v);
    utStepResult result;
    const utStepReport* instant = impact_await(&lab, 500, &result);
    if (!CHECK(instant != NULL && instant->contacts == 1)) {
        lab_end(&lab);
        return;
    }
    const double a = instant->q[0], b = a + instant->q[1];
    const double before[2] = {instant->v[0], instant->v[0] + instant->v[1]};
    const double after[2] = {instant->v_next[0], instant->v_next[0] + instant->v_next[1]};
    const double x[2] = {right.L1 * cos(a), right.L2 * cos(b)};
    const double z[2] = {right.L1 * sin(a), right.L2 * sin(b)};
    const utContact* c = &instant->contact[0];
    utVec3 r = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        r = ut_vec3_add_scaled(r, c->r[k], c->frame[k]);
    }
    double M[3];
    links_mass(&right, a, b, M);
    const double d[2] = {after[0] - before[0], after[1] - before[1]};
    EXPECT(t, M[0] * d[0] + M[1] * d[1], x[0] * r.x + z[0] * r.z, EXACT);
    EXPECT(t, M[1] * d[0] + M[2] * d[1], x[1] * r.x + z[1] * r.z, EXACT);
    EXPECT(t, right.L1 * sin(a) + right.L2 * sin(b), 0.5, EXACT); // there it is
    const double closing = x[0] * before[0] + x[1] * before[1];
    EXPECT(t, closing > 0.1, true, 0.0);
    EXPECT(t, x[0] * after[0] + x[1] * after[1], -e * closing, EXACT);
    const double slip = z[0] * after[0] + z[1] * after[1];
    EXPECT(t, fabs(r.z) <= mu * fabs(r.x) * (1.0 + 1e-12), true, 0.0);
    EXPECT(t, fabs(slip) > 1e-9 ? fabs(r.z) : mu * fabs(r.x), mu * fabs(r.x), EXACT);
    lab_end(&lab);
}

// Without friction nothing but the normal impulse acts and the three laws are one; with it Newton's
// is the one that says something of u_n.
CLOSED_FORM(a_linkage_leaves_the_wall_with_half_its_speed, OFF_MASS | OFF_LENGTH | OFF_E)
{
    for (int k = 0; k < 2; k++) {
        for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
            swing(t, EVENTS[k], law, 0.0, 0.5);
        }
        swing(t, EVENTS[k], UT_IMPACT_NEWTON, 0.1, 0.5);
        swing(t, EVENTS[k], UT_IMPACT_NEWTON, 0.6, 0.5);
    }
}

// ---- at random ----------------------------------------------------------------------------------

// Slow where nothing is optimized: fewer there.
#ifdef NDEBUG
enum { WORLDS = 100, IMPACTS = 50 };
#else
enum { WORLDS = 10, IMPACTS = 50 };
#endif
static const int NEWTONS = 5; // of these impacts, by Newton's law: so that a gain would be seen

typedef struct Tally {
    int impacts, gains;
    double most; // of the kinetic energy
} Tally;

// One impact at the state given, of a step so short that nothing else happens.
static void tally(utSim* sim, const double* q, const double* v, Tally* all)
{
    utStepResult result = {0};
    CHECK_INT(ut_sim_set(sim, 0.0, q, v, NULL), UT_OK);
    CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
    const utStepReport* instant = impact_instant(&result.report, 0);
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    if (!CHECK(instant != NULL && instant->contacts == 1)) {
        return;
    }
    const double gain = (instant->energy_next - instant->energy) / instant->energy;
    all->impacts++;
    all->gains += gain > 1e-12; // some roundings of the sum that the energy is
    all->most = fmax(all->most, gain);
}

static double least_height(const double* q, utVec3 half, utVec3* corner)
{
    const utQuat quat = {q[3], q[4], q[5], q[6]};
    double least = HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        const utVec3 local = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                              k & 4 ? half.z : -half.z};
        const utVec3 at = ut_quat_rotate(quat, local);
        if (at.z < least) {
            least = at.z;
            *corner = local;
        }
    }
    return least;
}

// A box that stands on one corner, tumbling so that this comes down.
static void random_box(utRng* rng, utVec3 half, double* q, double* v)
{
    utVec3 corner = {0};
    for (int k = 0; k < 4; k++) {
        q[3 + k] = ut_rng_normal(rng);
    }
    const double norm = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int k = 0; k < 4; k++) {
        q[3 + k] /= norm;
    }
    q[0] = q[1] = 0.0;
    q[2] = -least_height(q, half, &corner);
    for (int k = 0; k < 6; k++) {
        v[k] = 2.0 * ut_rng_normal(rng);
    }
    const utQuat quat = {q[3], q[4], q[5], q[6]};
    const utVec3 w = {v[3], v[4], v[5]};
    const double turning = ut_quat_rotate(quat, ut_vec3_cross(w, corner)).z;
    v[2] = -turning - ut_rng_range(rng, 0.01, 2.0); // u_n of the corner
}

// A rod on its lower end: x, z, angle of its middle, L = 1.
static void random_rod(utRng* rng, double* q, double* v)
{
    const double angle = ut_rng_range(rng, 0.02, PI - 0.02);
    q[0] = 0.5 * cos(angle);
    q[1] = 0.5 * sin(angle);
    q[2] = angle;
    v[2] = 4.0 * ut_rng_normal(rng);
    v[0] = 2.0 * ut_rng_normal(rng);
    v[1] = 0.5 * cos(angle) * v[2] - ut_rng_range(rng, 0.01, 2.0);
}

static void run_world(utRng* rng, bool rods, Tally* of)
{
    const utVec3 half = {ut_rng_range(rng, 0.05, 0.5), ut_rng_range(rng, 0.05, 0.5),
                         ut_rng_range(rng, 0.05, 0.5)};
    const double mu = ut_rng_range(rng, 0.0, 1.5), e = ut_rng_range(rng, 0.05, 1.0);
    Lab lab = impact_open(UT_FORMULATION_HYBRID, 1e-9, 1e-12);
    lab.options.gravity = ut_vec3_zero();
    lab.options.planar = rods ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    const int floor = impact_plane(&lab, ut_vec3_zero(), ut_vec3(0, 0, 1), mu, e);
    if (rods) {
        const int body = lab_solid(&lab, ut_vec3_zero(), ut_quat_identity(), 1.0, ut_vec3_zero(),
                                   ut_vec3(1.0 / 12, 1.0 / 12, 1.0 / 12));
        lab_free(&lab, body);
        impact_point(&lab, body, ut_vec3(-0.5, 0, 0), floor);
    } else {
        lab_box(&lab, ut_vec3(0, 0, 5), half, 1.0, mu);
    }
    lab_start(&lab);
    utSim* sim[UT_IMPACT_LAW_COUNT];
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        utSimDef def = ut_sim_def();
        def.impact = law;
        CHECK_INT(ut_sim_create(lab.model, &def, &sim[law], NULL), UT_OK);
    }
    for (int k = 0; k < IMPACTS; k++) {
        double q[7], v[6];
        if (rods) {
            random_rod(rng, q, v);
        } else {
            random_box(rng, half, q, v);
        }
        for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
            if (law != UT_IMPACT_NEWTON || k < NEWTONS) {
                tally(sim[law], q, v, &of[law]);
            }
        }
    }
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        ut_sim_destroy(sim[law]);
    }
    lab_close(&lab);
}

TEST(of_ten_thousand_rods_and_corners_stronges_law_gains_energy_in_none)
{
    static const char* const what[] = {"corners", "rods"};
    for (int rods = 0; rods < 2; rods++) {
        utRng rng = ut_rng(41, (uint64_t)rods);
        Tally of[UT_IMPACT_LAW_COUNT] = {0};
        for (int k = 0; k < WORLDS; k++) {
            run_world(&rng, rods == 1, of);
        }
        for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
            CHECK_INT(of[law].impacts, WORLDS * (law == UT_IMPACT_NEWTON ? NEWTONS : IMPACTS));
            test_note("%s, %s: %d of %d gain energy, %+.2e of it at most", what[rods],
                      ut_impact_law_name((utImpactLaw)law), of[law].gains, of[law].impacts,
                      of[law].most);
        }
        CHECK_INT(of[UT_IMPACT_STRONGE].gains, 0);
        CHECK(WORLDS < 100 || of[UT_IMPACT_NEWTON].gains > 0);
    }
}
