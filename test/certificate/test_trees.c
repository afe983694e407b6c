// SPDX-License-Identifier: Apache-2.0
// Steps of articulated trees and of spinning bodies with an offset centre of mass, with springs,
// dampers and armature. The tests take v* from the smooth step, v+ from M by composite bodies and
// Gauss elimination in long double, and E from Jacobians. The certificate uses Newton-Euler,
// articulated bodies and velocities of points instead.
#include <uptack/law.h>

#include "scene.h"

enum { NV = 32, NC = 7 };

typedef long double Real;

typedef struct Scene {
    utModel* model;
    utStepReport report;
    double q[NV], v[NV], v_free[NV], v_next[NV], v_end[NV], q_next[NV], force[NV],
        actuator_diagonal[NV];
    utForce applied[16];
    utContact contact[NC];
    Real M[NV][NV];
    Real J[3 * NC][NV];
    Real X[3 * NC][NV]; // M̂^-1 J'
} Scene;

static int add_ball(utModelDef* def, int body, utVec3 pos, double radius, double mass)
{
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0));
    geom.pos = pos;
    geom.mass = mass;
    geom.friction = 0.5;
    return ut_model_def_geom(def, &geom);
}

static int add_body(utModelDef* def, int parent, utVec3 pos)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.pos = pos;
    return ut_model_def_body(def, &body);
}

// A free body with an arm on a hinge and a hand on a ball joint; a carriage on a slide with a
// wheel; a free body with an offset centre of mass. Geoms: 0 floor, 1 body, 2 arm, 3 hand, 4
// carriage, 5 wheel, 6 and 7 of the free body.
static utModel* make_model(void)
{
    utModelDef* def = NULL;
    ut_model_def_create(NULL, &def);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.friction = 0.5;
    ut_model_def_geom(def, &floor);

    const int body = add_body(def, 0, ut_vec3(0, 0, 1));
    utJointDef joint = ut_joint_def(body, UT_JOINT_FREE);
    ut_model_def_joint(def, &joint);
    add_ball(def, body, ut_vec3(0.05, 0, 0), 0.2, 2.0);
    const int arm = add_body(def, body, ut_vec3(0.3, 0, 0));
    joint = ut_joint_def(arm, UT_JOINT_HINGE);
    joint.axis = ut_vec3(0, 1, 0);
    joint.stiffness = 3.0;
    joint.springref = 0.2;
    joint.damping = 0.4;
    joint.armature = 0.05;
    ut_model_def_joint(def, &joint);
    add_ball(def, arm, ut_vec3(0.2, 0.1, 0), 0.1, 1.0);
    const int hand = add_body(def, arm, ut_vec3(0.4, 0, 0));
    joint = ut_joint_def(hand, UT_JOINT_BALL);
    joint.stiffness = 2.0;
    joint.damping = 0.1;
    ut_model_def_joint(def, &joint);
    add_ball(def, hand, ut_vec3(0.1, 0, 0.1), 0.1, 0.5);

    const int carriage = add_body(def, 0, ut_vec3(1, 0, 1));
    joint = ut_joint_def(carriage, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(0.6, 0, 0.8);
    ut_model_def_joint(def, &joint);
    add_ball(def, carriage, ut_vec3(0, 0, 0), 0.15, 1.5);
    const int wheel = add_body(def, carriage, ut_vec3(0, 0.3, 0));
    joint = ut_joint_def(wheel, UT_JOINT_HINGE);
    joint.axis = ut_vec3(0, 1, 0);
    joint.armature = 0.02;
    ut_model_def_joint(def, &joint);
    add_ball(def, wheel, ut_vec3(0.1, 0.1, 0), 0.1, 0.7);

    const int aside = add_body(def, 0, ut_vec3(-1, 0, 0.5));
    joint = ut_joint_def(aside, UT_JOINT_FREE);
    ut_model_def_joint(def, &joint);
    add_ball(def, aside, ut_vec3(0.3, 0, 0), 0.1, 1.0);
    add_ball(def, aside, ut_vec3(0, 0.4, 0.1), 0.2, 3.0);

    utModel* model = NULL;
    utError err;
    if (!CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

// ---- contacts -----------------------------------------------------------------------------------

static utVec3 center_of(const Scene* s, const utKinematics* kin, int geom)
{
    const utModelGeom* g = &s->model->geom[geom];
    return ut_frame_point(kin->body[g->body], g->in_body.p);
}

// A contact of a ball with the floor (geom1 = 0) or another ball, at any distance.
static utContact touch(const Scene* s, const utKinematics* kin, int geom1, int geom2)
{
    const utVec3 two = center_of(s, kin, geom2);
    const double r2 = s->model->geom[geom2].shape.size.x;
    const double r1 = geom1 == 0 ? 0.0 : s->model->geom[geom1].shape.size.x;
    const utVec3 one = geom1 == 0 ? ut_vec3(two.x, two.y, 0.0) : center_of(s, kin, geom1);
    const utVec3 apart = ut_vec3_sub(two, one);
    utContact c = {.geom1 = geom1, .geom2 = geom2, .mu = 0.5, .condim = 3};
    c.gap = (geom1 == 0 ? two.z : ut_vec3_norm(apart)) - r1 - r2;
    ut_vec3_normalize(geom1 == 0 ? ut_vec3(0, 0, 1) : apart, &c.frame[0]);
    ut_tangent_basis(c.frame[0], &c.frame[1], &c.frame[2]);
    c.point = ut_vec3_add_scaled(two, -(r2 + 0.5 * c.gap), c.frame[0]);
    return c;
}

static void add_jacobian(Scene* s, const utKinematics* kin, int i)
{
    const utContact* c = &s->contact[i];
    for (int side = 0; side < 2; side++) {
        const int body = s->model->geom[side == 0 ? c->geom1 : c->geom2].body;
        const int tree = s->model->body[body].tree;
        double rows[3 * NV];
        if (tree < 0) {
            continue;
        }
        const utModelTree* t = &s->model->tree[tree];
        ut_point_jacobian(kin, body, c->point, 3, c->frame, rows);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < t->dofs; j++) {
                s->J[3 * i + k][t->dof + j] +=
                    (Real)(side == 0 ? -rows[k * t->dofs + j] : rows[k * t->dofs + j]);
            }
        }
    }
}

// x = M^-1 x by Gauss-Jordan without pivoting: M is positive definite
static void solve(const Scene* s, Real* x)
{
    static Real T[NV][NV];
    const int n = s->model->nv;
    memcpy(T, s->M, sizeof T);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const Real f = T[i][k] / T[k][k];
            if (i == k || f == 0) {
                continue;
            }
            for (int j = k; j < n; j++) {
                T[i][j] -= f * T[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for (int k = 0; k < n; k++) {
        x[k] /= T[k][k];
    }
}

static void fill_mass(Scene* s, const utMass* mass)
{
    double block[NV * NV];
    memset(s->M, 0, sizeof s->M);
    for (int t = 0; t < s->model->ntree; t++) {
        const utModelTree* tree = &s->model->tree[t];
        ut_mass_block(mass, t, block);
        for (int i = 0; i < tree->dofs; i++) {
            for (int j = 0; j < tree->dofs; j++) {
                s->M[tree->dof + i][tree->dof + j] = (Real)block[i * tree->dofs + j];
            }
        }
    }
}

// ---- a step -------------------------------------------------------------------------------------

static void random_state(Scene* s, utRng* rng)
{
    utModel* model = s->model;
    for (int i = 0; i < model->nv; i++) {
        s->v[i] = ut_rng_range(rng, -1.0, 1.0);
        s->v_next[i] = ut_rng_range(rng, -1.0, 1.0);
        s->force[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int b = 0; b < model->nbody; b++) {
        for (int k = 0; k < 3; k++) {
            (&s->applied[b].force.x)[k] = ut_rng_range(rng, -2.0, 2.0);
            (&s->applied[b].torque.x)[k] = ut_rng_range(rng, -0.5, 0.5);
        }
    }
    ut_model_integrate(model, model->q0, s->v_next, 1.0, s->q);
}

static void random_impulses(Scene* s, utRng* rng)
{
    for (int i = 0; i < NC; i++) {
        const double n = ut_rng_range(rng, 0.0, 0.2);
        s->contact[i].r[0] = n;
        s->contact[i].r[1] = ut_rng_range(rng, -0.3, 0.3) * n;
        s->contact[i].r[2] = ut_rng_range(rng, -0.3, 0.3) * n;
    }
}

static void make_scene(Scene* s, uint64_t seed)
{
    static const int pairs[NC][2] = {{0, 2}, {3, 5}, {0, 6}, {1, 7},
                                     {0, 1}, {2, 4}, {1, 3}}; // the last within one tree
    utRng rng = ut_rng(seed, 3);
    memset(s, 0, sizeof *s);
    s->model = make_model();
    random_state(s, &rng);
    const double h = 0.01;
    utArena arena = test_arena();
    utKinematics kin;
    utMass mass;
    CHECK_INT(ut_kinematics_create(s->model, &arena, &kin), UT_OK);
    CHECK_INT(ut_mass_create(s->model, &arena, &mass), UT_OK);
    ut_kinematics_place(&kin, s->q, NULL, NULL);
    ut_kinematics_move(&kin, s->v, NULL);
    const utSmooth smooth = {.model = s->model, .gravity = {0.5, 0, -9.81}, .applied = s->applied};
    double* diagonal = UT_PUSH(&arena, double, s->model->nv);
    CHECK_INT(ut_smooth_free(&smooth, h, &kin, s->q, s->v, s->actuator_diagonal, s->force, arena,
                             diagonal, NULL, s->v_free),
              UT_OK);
    ut_mass_find(&mass, &kin, diagonal);
    CHECK(ut_mass_factor(&mass));
    fill_mass(s, &mass);
    for (int i = 0; i < NC; i++) {
        s->contact[i] = touch(s, &kin, pairs[i][0], pairs[i][1]);
        add_jacobian(s, &kin, i);
    }
    random_impulses(s, &rng);
    s->report = (utStepReport){.model = s->model,
                               .h = h,
                               .integrator = UT_INTEGRATOR_EULER,
                               .formulation = UT_FORMULATION_COULOMB,
                               .gravity = smooth.gravity,
                               .q = s->q,
                               .v = s->v,
                               .caller_force = s->force,
                               .force = s->force,
                               .actuator_diagonal = s->actuator_diagonal,
                               .applied = s->applied,
                               .contacts = NC,
                               .contact = s->contact,
                               .v_free = s->v_free,
                               .v_next = s->v_end,
                               .q_next = s->q_next};
}

// The next state: q+ = q ⊕ h v+, and v+ carried to q+.
static void end_scene(Scene* s)
{
    ut_model_integrate(s->model, s->q, s->v_next, s->report.h, s->q_next);
    ut_model_carry(s->model, s->q, s->v_next, s->q_next, s->v_end);
}

// v+, u and q+ from the impulses
static void finish_scene(Scene* s)
{
    const int nv = s->model->nv;
    Real x[NV] = {0};
    for (int k = 0; k < 3 * NC; k++) {
        for (int j = 0; j < nv; j++) {
            x[j] += s->J[k][j] * (Real)s->contact[k / 3].r[k % 3];
            s->X[k][j] = s->J[k][j];
        }
        solve(s, s->X[k]);
    }
    solve(s, x);
    for (int j = 0; j < nv; j++) {
        s->v_next[j] = (double)((Real)s->v_free[j] + x[j]);
    }
    end_scene(s);
    for (int k = 0; k < 3 * NC; k++) {
        utContact* c = &s->contact[k / 3];
        c->b[k % 3] = k % 3 == 0 && c->gap > 0.0 ? c->gap / s->report.h : 0.0;
        Real u = (Real)c->b[k % 3];
        for (int j = 0; j < nv; j++) {
            u += s->J[k][j] * (Real)s->v_next[j];
        }
        c->u[k % 3] = (double)u;
    }
}

static Real dot(const Scene* s, const Real* a, const Real* b)
{
    Real sum = 0;
    for (int j = 0; j < s->model->nv; j++) {
        sum += a[j] * b[j];
    }
    return sum;
}

// The largest e of a contact, and V: all trees are one island through contacts 1, 3 and 5.
static double dense_E(const Scene* s)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.5};
    double worst = 0.0, V = 0.0;
    for (int i = 0; i < NC; i++) {
        const utContact* c = &s->contact[i];
        Real trace = 0, square = 0;
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            Real start = (Real)c->b[k % 3];
            for (int j = 0; j < s->model->nv; j++) {
                start += s->J[k][j] * (Real)s->v_free[j];
            }
            square += start * start;
            trace += dot(s, s->J[k], s->X[k]);
        }
        V = fmax(V, (double)sqrtl(square));
        worst = fmax(worst, ut_law_error(&law, (double)(3 / trace), c->r, c->u));
    }
    return worst / V;
}

static utCertificate judge_scene(const Scene* s)
{
    utCertificate c;
    CHECK_INT(ut_certify(&s->report, 1e-8, test_arena(), &c), UT_OK);
    return c;
}

static Scene scene;

TEST(trees_move_as_newton_and_euler_say)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        make_scene(&scene, seed);
        finish_scene(&scene);
        const utCertificate c = judge_scene(&scene);
        // rounding of some hundred operations on numbers of similar size
        CHECK(c.momentum <= 1e-13);
        CHECK(c.stored <= 1e-12);
        CHECK(c.geometry <= 1e-12);
        CHECK(c.reported <= 1e-12);
        CHECK(c.position <= 4 * DBL_EPSILON);
        CHECK(c.cone == 0.0);
        CHECK_NEAR(c.E, dense_E(&scene), 1e-11 * c.E);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "complementarity");
        ut_model_destroy(scene.model);
    }
}

TEST(an_error_of_any_velocity_of_a_tree_fails)
{
    make_scene(&scene, 99);
    finish_scene(&scene);
    CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "complementarity");
    for (int i = 0; i < scene.model->nv; i++) {
        const double good[3] = {scene.v_next[i], scene.v_free[i], scene.v[i]};
        scene.v_next[i] += 1e-8;
        end_scene(&scene);
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "momentum");
        scene.v_next[i] = good[0];
        end_scene(&scene);
        scene.v_free[i] += 1e-8;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "momentum");
        scene.v_free[i] = good[1];
        scene.v[i] += 1e-8;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "momentum");
        scene.v[i] = good[2];
        scene.force[i] += 1e-6;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "momentum");
        scene.force[i] -= 1e-6;
    }
    for (int i = 0; i < scene.model->nq; i++) {
        scene.q_next[i] += 1e-11;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "position");
        scene.q_next[i] -= 1e-11;
    }
    ut_model_destroy(scene.model);
}

// A row acts on its own joint: friction of the arm on the carriage fails.
TEST(a_row_on_another_joint_fails)
{
    make_scene(&scene, 6);
    finish_scene(&scene);
    const utRow row = {.kind = UT_ROW_FRICTION,
                       .joint = 1,
                       .actuator = -1,
                       .dof = 10,
                       .dofs = 1,
                       .direction = {1.0},
                       .length = 1.0};
    scene.report.rows = 1;
    scene.report.row = &row;
    CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "report");
    ut_model_destroy(scene.model);
}

// The step of each integrator passes as its own, and fails as that of another.
TEST(steps_of_other_integrators_are_recomputed)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        make_scene(&scene, 8);
        scene.report.contacts = 0;
        scene.report.integrator = (utIntegrator)k;
        const utSmooth smooth = {.model = scene.model,
                                 .gravity = scene.report.gravity,
                                 .tau = scene.force,
                                 .applied = scene.applied};
        memcpy(scene.q_next, scene.q, sizeof scene.q);
        memcpy(scene.v_end, scene.v, sizeof scene.v);
        CHECK_INT(
            ut_smooth_step(&smooth, (utIntegrator)k, 0.01, test_arena(), scene.q_next, scene.v_end),
            UT_OK);
        ut_model_carry(scene.model, scene.q_next, scene.v_end, scene.q, scene.v_free);
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "");
        scene.v_end[7] += 1e-8;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "momentum");
        scene.v_end[7] -= 1e-8;
        scene.q_next[1] += 1e-11;
        CHECK_TEXT(ut_certificate_reason_name(judge_scene(&scene).reason), "position");
        ut_model_destroy(scene.model);
    }
}

// A projection before the step moves q, and the certificate uses the projected q.
TEST(a_projection_comes_first)
{
    static double back[NV], moved[NV], v[NV];
    make_scene(&scene, 5);
    finish_scene(&scene);
    for (int i = 0; i < scene.model->nv; i++) {
        back[i] = -1e-3 * (i % 3);
    }
    static double q[NV];
    ut_model_integrate(scene.model, scene.q, back, 1.0, q);
    ut_model_difference(scene.model, q, scene.q, moved);
    ut_model_carry(scene.model, scene.q, scene.v, q, v);
    scene.report.q = q;
    scene.report.v = v;
    scene.report.projection = moved;
    const utCertificate c = judge_scene(&scene);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "complementarity");
    CHECK(c.momentum <= 1e-12);
    scene.report.projection = NULL;
    CHECK(strcmp(ut_certificate_reason_name(judge_scene(&scene).reason), "complementarity") != 0);
    ut_model_destroy(scene.model);
}
