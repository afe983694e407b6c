// SPDX-License-Identifier: Apache-2.0
// Steps of planar worlds: contacts of two rows, their certificates, problems as text, seams, depths,
// integrators, inputs.
#include <uptack/certificate.h>
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

#include "coulomb/forms/delassus.h"
#include "physics/lab.h"

static const double G = 9.81;

static Lab flat_lab(double h)
{
    Lab lab = lab_open(h);
    lab.options.planar = UT_PLANAR_XY;
    lab.options.gravity = ut_vec3(0, -G, 0);
    return lab;
}

// A box of 2 kg on a floor, pushed to the right by more than the largest friction force.
static Lab sliding_box(utStepResult* result)
{
    Lab lab = flat_lab(0.01);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.4);
    const int box = lab_box(&lab, ut_vec3(0, 0.1, 0), ut_vec3(0.3, 0.1, 0.2), 2.0, 0.4);
    lab_start(&lab);
    lab_push(&lab, 1, box, ut_vec3(10, 0, 0), result);
    return lab;
}

// Two contacts, at the lower corners: the normal is y, the tangent y turned by -90 degrees, x, and
// the third axis the plane's normal, along which nothing acts.
TEST(planar_contacts_have_a_normal_and_one_tangent)
{
    utStepResult result;
    Lab lab = sliding_box(&result);
    const utStepReport* report = &result.report;
    CHECK_INT(report->contacts, 2);
    double r[2] = {0, 0};
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        CHECK(c->frame[0].x == 0.0 && c->frame[0].y == 1.0 && c->frame[0].z == 0.0);
        CHECK(c->frame[1].x == 1.0 && c->frame[1].y == 0.0 && c->frame[1].z == 0.0);
        CHECK(c->frame[2].x == 0.0 && c->frame[2].y == 0.0 && c->frame[2].z == 1.0);
        CHECK(c->r[2] == 0.0 && c->u[2] == 0.0 && c->b[2] == 0.0);
        CHECK(c->point.z == 0.0);
        CHECK_NEAR(fabs(c->point.x), 0.3, 1e-15);
        CHECK_INT(c->state, UT_CONTACT_SLIP);
        r[0] += c->r[0];
        r[1] += c->r[1];
    }
    CHECK_NEAR(r[0], 2.0 * G * 0.01, 1e-9);
    CHECK_NEAR(r[1], -0.4 * 2.0 * G * 0.01, 1e-9);
    lab_end(&lab);
}

// ---- the certificate ----------------------------------------------------------------------------

// Change one contact of a certified step: the certificate must fail with the expected reason.
typedef void Spoil(utContact* c);

static void spoil_nothing(utContact* c)
{
    (void)c;
}

static void turn_tangent(utContact* c)
{
    // the wrong frame: turned by +90 degrees, impulses and velocities reported to match
    c->frame[1] = ut_vec3_negate(c->frame[1]);
    c->r[1] = -c->r[1];
    c->u[1] = -c->u[1];
}

static void push_sideways(utContact* c)
{
    c->r[2] = 1e-6;
}

static void lift(utContact* c)
{
    c->point.y += 1e-6;
}

static void slant(utContact* c)
{
    c->frame[0] = ut_vec3(0.6, 0.8, 0);
    c->frame[1] = ut_vec3(0.8, -0.6, 0);
}

static void slip_less(utContact* c)
{
    c->r[1] *= 0.999;
}

static void leave_cone(utContact* c)
{
    c->r[1] *= 1.001;
}

static void pull(utContact* c)
{
    c->r[0] = -c->r[0];
}

TEST(the_certificate_judges_planar_contacts)
{
    static const struct {
        Spoil* spoil;
        const char* reason;
    } cases[] = {
        {spoil_nothing, ""},      {turn_tangent, "geometry"}, {push_sideways, "active set"},
        {lift, "geometry"},       {slant, "geometry"},        {slip_less, "momentum"},
        {leave_cone, "momentum"}, {pull, "momentum"},
    };
    utStepResult result;
    Lab lab = sliding_box(&result);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        utContact contact[2];
        memcpy(contact, result.report.contact, sizeof contact);
        cases[k].spoil(&contact[1]);
        utStepReport report = result.report;
        report.contact = contact;
        utCertificate c;
        CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &c), UT_OK);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), cases[k].reason);
        CHECK_INT(c.passed, k == 0);
    }
    lab_end(&lab);
}

// e = |r - P_K(r - m û)| / m with m = 2 / tr(A_ii) by hand. Both contacts of the box at rest have
// lever (+-0.3, -0.1) to its centre, I = 2 (0.09 + 0.01) / 3, so tr A = 2 / 2 + (0.09 + 0.01) / I =
// 1 + 1.5 and m = 0.8. A step that does nothing leaves u = J v* = (-h g, 0), whose shift is 0, and
// r = 0: e = |P_K((m h g, 0))| / m = h g; with the scale V = h g that is E = 1. With half of the
// impulse that holds it, r = m_box h g / 4 each, u_n = -h g / 2 and E = 1/2, whatever m is: r - m û
// stays within K.
TEST(the_error_of_a_planar_contact_is_that_of_its_law)
{
    Lab lab = flat_lab(0.01);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.4);
    lab_box(&lab, ut_vec3(0, 0.1, 0), ut_vec3(0.3, 0.1, 0.2), 2.0, 0.4);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    for (int k = 0; k < 3; k++) {
        const double share = 0.5 * k;
        utContact contact[2];
        memcpy(contact, result.report.contact, sizeof contact);
        double v_next[3] = {0, -(1.0 - share) * 0.01 * G, 0}, q_next[3];
        for (int i = 0; i < 2; i++) {
            const double r[3] = {share * 0.5 * 2.0 * G * 0.01, 0, 0};
            const double u[3] = {v_next[1], 0, 0};
            memcpy(contact[i].r, r, sizeof r);
            memcpy(contact[i].u, u, sizeof u);
        }
        ut_model_integrate(lab.model, result.report.q, v_next, 0.01, q_next);
        utStepReport report = result.report;
        report.contact = contact;
        report.v_next = v_next;
        report.q_next = q_next;
        utCertificate c;
        CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &c), UT_OK);
        CHECK_NEAR(c.E, 1.0 - share, 1e-12);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), k < 2 ? "complementarity" : "");
    }
    lab_end(&lab);
}

// The contact's own mass decides where the law is nonlinear in it. A box slides at u_t = 1 with
// r = (r_n, 0), without friction acting: r - m û = (r_n - m mu, -m) projects on the cone's edge for
// a small r_n. By hand with g = (1, -mu) / sqrt(1 + mu^2): P = g max(0, g.(r_n - m mu, -m)).
TEST(the_mass_of_a_planar_contact_has_two_rows)
{
    const double mu = 0.4, h = 0.01, rn = 0.5 * 2.0 * G * h, m = 0.8;
    Lab lab = flat_lab(h);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), mu);
    lab_box(&lab, ut_vec3(0, 0.1, 0), ut_vec3(0.3, 0.1, 0.2), 2.0, mu);
    lab_start(&lab);
    lab_velocity(&lab, 0, 1.0);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    CHECK_INT(result.report.contacts, 2);
    utContact contact[2];
    memcpy(contact, result.report.contact, sizeof contact);
    const double v_next[3] = {1, 0, 0};
    double q_next[3];
    for (int i = 0; i < 2; i++) {
        const double r[3] = {rn, 0, 0}, u[3] = {0, 1, 0};
        memcpy(contact[i].r, r, sizeof r);
        memcpy(contact[i].u, u, sizeof u);
    }
    ut_model_integrate(lab.model, result.report.q, v_next, h, q_next);
    utStepReport report = result.report;
    report.contact = contact;
    report.v_next = v_next;
    report.q_next = q_next;
    utCertificate c;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &c), UT_OK);
    const double length = sqrt(1.0 + mu * mu);
    const double along = (rn - m * mu + mu * m) / length;
    const double pn = along / length, pt = -mu * along / length;
    const double e = hypot(rn - pn, pt) / m;
    CHECK_NEAR(c.e, e, 1e-12);
    CHECK_NEAR(c.V, hypot(1.0, h * G), 1e-12);
    lab_end(&lab);
}

// ---- problems as text ---------------------------------------------------------------------------

// The island's problem has d = 2; its W is known by hand: entries of J M^-1 J' for the levers
// (-+0.3, -0.1), and its solution gives the step's impulses.
TEST(a_planar_problem_is_told_with_two_rows_a_contact)
{
    utStepResult result;
    Lab lab = sliding_box(&result);
    utText text;
    utError err;
    CHECK_INT(ut_sim_problem(lab.sim, &text, &err), UT_OK);
    utArena arena = test_arena();
    utCoulomb read, problem;
    if (!CHECK_INT(ut_coulomb_read(text, "step.fc", &arena, &read, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_delassus(&read, &arena, &problem), UT_OK)) {
        return;
    }
    CHECK_INT(problem.dimension, 2);
    CHECK_INT(problem.contacts, 2);
    const double I = 2.0 * (0.09 + 0.01) / 3.0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const double x1 = result.report.contact[i].point.x, y1 = -0.1;
            const double x2 = result.report.contact[k].point.x, y2 = -0.1;
            // moments of n = (0, 1) and t = (1, 0) at the lever (x, y): x and -y
            const double a[2] = {x1, -y1}, b[2] = {x2, -y2};
            for (int s = 0; s < 4; s++) {
                const double want = (s / 2 == s % 2 ? 0.5 : 0.0) + a[s / 2] * b[s % 2] / I;
                CHECK_NEAR(problem.W[(2 * i + s / 2) * 4 + 2 * k + s % 2], want, 1e-14);
            }
        }
    }
    // v* = (h 10 / 2, -h g, 0)
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(problem.q[2 * i], -0.01 * G, 1e-15);
        CHECK_NEAR(problem.q[2 * i + 1], 0.05, 1e-15);
    }
    lab_end(&lab);
}

// ---- geometry -----------------------------------------------------------------------------------

// Tiles side by side, at different depths: a box that slides over the seams keeps its speed, as on
// one floor, without friction.
TEST(a_planar_box_does_not_catch_on_seams)
{
    Lab lab = flat_lab(0.005);
    for (int k = 0; k < 6; k++) {
        utGeomDef tile = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.2, 0.1));
        tile.pos = ut_vec3(k, -0.2, 0.3 * k);
        tile.friction = 0.0;
        ut_model_def_geom(lab.def, &tile);
    }
    lab_box(&lab, ut_vec3(0, 0.1, 0), ut_vec3(0.2, 0.1, 0.2), 2.0, 0.0);
    lab_start(&lab);
    lab_velocity(&lab, 0, 3.0);
    lab_run(&lab, 300, 0, ut_vec3_zero());
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 3.0, 1e-9);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], 4.5, 1e-9);
    CHECK_NEAR(ut_sim_q(lab.sim)[1], 0.1, 1e-9);
    lab_end(&lab);
}

// Figures of all kinds, each at another depth, fall on each other and come to rest; each step is
// certified. A circle may roll on: then its lowest point is at rest.
TEST(planar_figures_of_all_kinds_come_to_rest_certified)
{
    static const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_BOX, UT_SHAPE_CAPSULE,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_HULL};
    utVec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = ut_vec3((i & 1) * 0.3 - 0.15, ((i >> 1) & 1) * 0.2 - 0.1 + 0.02 * (i & 1),
                            ((i >> 2) & 1) - 0.5);
    }
    for (int k = 0; k < 5; k++) {
        utArena arena = test_arena(); // valid until the next step
        utHull hull;
        CHECK_INT(ut_hull_build(8, corner, &arena, arena, &hull, NULL), UT_OK);
        Lab lab = flat_lab(0.005);
        lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.5);
        lab_plane(&lab, ut_vec3(-1, 0, 0), ut_vec3(1, 0, 0), 0.5);
        lab_plane(&lab, ut_vec3(1, 0, 0), ut_vec3(-1, 0, 0), 0.5);
        for (int i = 0; i < 12; i++) {
            const int body = lab_body(
                &lab, NULL, ut_vec3(-0.6 + 0.4 * (i % 4) + 0.02 * i, 0.3 + 0.5 * (i / 4), 0.7 * i));
            lab_free(&lab, body);
            const utShapeKind kind = kinds[(i + k) % 5];
            utGeomDef geom = ut_geom_def(body, kind, ut_vec3(0.12, 0.1, 0.1));
            geom.friction = 0.5;
            geom.mass = 1.0;
            if (kind == UT_SHAPE_HULL) {
                geom.shape.hull = &hull;
            }
            if (kind == UT_SHAPE_CAPSULE) {
                geom.quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), 1.5707963267948966);
            }
            ut_model_def_geom(lab.def, &geom);
        }
        lab_start(&lab);
        lab_run(&lab, 800, 0, ut_vec3_zero());
        double fastest = 0.0;
        for (int i = 0; i < 12; i++) {
            const double* v = ut_sim_v(lab.sim) + (size_t)3 * (size_t)i;
            const bool circle = kinds[(i + k) % 5] == UT_SHAPE_SPHERE;
            fastest = fmax(fastest, fabs(circle ? v[0] + 0.12 * v[2] : v[0]));
            fastest = fmax(fastest, fmax(fabs(v[1]), circle ? 0.0 : fabs(v[2])));
        }
        test_note("round %d: worst E %.1e, fastest %.1e", k, lab.worst, fastest);
        CHECK(fastest <= 1e-6);
        lab_end(&lab);
    }
}

// ---- integrators and passes ---------------------------------------------------------------------

TEST(planar_steps_of_every_integrator_are_certified)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        Lab lab = flat_lab(0.005);
        lab.options.integrator = (utIntegrator)k;
        lab.options.relinearize = k == 0 ? 2 : 0;
        lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.4);
        // a rod with its frame at one end, a ball, and a particle that touches nothing
        const int rod = lab_solid(&lab, ut_vec3(0, 0.5, 0), ut_quat_identity(), 1.0,
                                  ut_vec3(0.3, 0, 0.1), ut_vec3(0.01, 0.03, 0.03));
        lab_free(&lab, rod);
        utGeomDef geom = ut_geom_def(rod, UT_SHAPE_BOX, ut_vec3(0.3, 0.02, 0.02));
        geom.pos = ut_vec3(0.3, 0, 0);
        ut_model_def_geom(lab.def, &geom);
        lab_ball(&lab, ut_vec3(-0.5, 0.6, 0.2), 0.1, 2.0, 0.4);
        lab_free(&lab, lab_solid(&lab, ut_vec3(2, 5, 0), ut_quat_identity(), 1.0, ut_vec3_zero(),
                                 ut_vec3_zero()));
        lab_start(&lab);
        const double v[8] = {1, 0, 3, 0.5, 0, 0, 1, 0};
        lab_state(&lab, NULL, v);
        // forces of both kinds on the rod; components out of the plane do nothing
        const utForce applied[4] = {[1] = {{0.5, 1.0, 7.0}, {3.0, -4.0, 0.8}}};
        const double force[8] = {0.3, -0.2, -0.5, 0.1, 0.2, 0.05, 1, 0};
        const utInput input = {.applied = applied, .force = force};
        for (int step = 0; step < 400; step++) {
            lab_step(&lab, &input, NULL);
        }
        lab_end(&lab);
    }
}

// A projection removes overlaps at the start without a velocity.
TEST(planar_overlaps_are_parted)
{
    Lab lab = flat_lab(0.01);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.4);
    lab_box(&lab, ut_vec3(0, 0.09, 0), ut_vec3(0.3, 0.1, 0.2), 2.0, 0.4);
    lab_start(&lab);
    lab_run(&lab, 3, 0, ut_vec3_zero());
    CHECK_NEAR(ut_sim_q(lab.sim)[1], 0.1, 1e-9);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], 0.0, 1e-9);
    lab_end(&lab);
}

TEST(a_mocap_body_that_turns_out_of_the_plane_is_refused)
{
    Lab lab = flat_lab(0.01);
    utBodyDef body = ut_body_def();
    body.mocap = true;
    ut_model_def_body(lab.def, &body);
    lab_box(&lab, ut_vec3(0, 1, 0), ut_vec3(0.1, 0.1, 0.1), 1.0, 0.4);
    lab_start(&lab);
    const double out[4] = {0.8, 0.6, 0, 0}, in[4] = {0.8, 0, 0, 0.6};
    utError err;
    utStepResult result;
    CHECK_INT(ut_sim_step(lab.sim, &(utInput){.mocap_quat = out}, &result, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "mocap_quat of body 0 turns out of the plane xy");
    CHECK_INT(ut_sim_step(lab.sim, &(utInput){.mocap_quat = in}, &result, &err), UT_OK);
    lab_close(&lab);
}
