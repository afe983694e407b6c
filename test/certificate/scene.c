// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

typedef long double Real;

// ---- making -------------------------------------------------------------------------------------

utCertificate judge_step(Step* step)
{
    utStepReport* r = &step->report;
    r->model = step->model;
    r->q = step->q;
    r->v = step->v;
    r->v_free = step->v_free;
    r->v_next = step->v_next;
    r->q_next = step->q_next;
    r->caller_force = step->caller_force;
    r->force = step->force;
    r->actuator_diagonal = step->actuator_diagonal;
    r->ctrl = step->ctrl;
    r->applied = step->applied;
    r->contact = step->contact;
    r->row = step->row;
    r->island = step->island;
    utCertificate certificate;
    memset(&certificate, 0x55, sizeof certificate);
    CHECK_INT(ut_certify(r, 1e-8, test_arena(), &certificate), UT_OK);
    return certificate;
}

static void add_body(utModelDef* def, const Step* step, int k)
{
    const double radius = step->half[0];
    const double side = step->particle ? radius : step->half[2];
    utBodyDef body = ut_body_def();
    body.pos = ut_vec3(0.0, 0.0, (2 * k + 1) * side);
    const int b = ut_model_def_body(def, &body);
    if (step->particle) {
        const utVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < 3; i++) {
            utJointDef joint = ut_joint_def(b, UT_JOINT_SLIDE);
            joint.axis = axes[i];
            ut_model_def_joint(def, &joint);
        }
    } else {
        utJointDef joint = ut_joint_def(b, UT_JOINT_FREE);
        ut_model_def_joint(def, &joint);
    }
    utGeomDef geom =
        step->particle
            ? ut_geom_def(b, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0))
            : ut_geom_def(b, UT_SHAPE_BOX, ut_vec3(step->half[0], step->half[1], step->half[2]));
    geom.mass = step->mass * step->mass_factor[k];
    geom.friction = 0.0;
    geom.priority = 0;
    ut_model_def_geom(def, &geom);
}

static Step make(int bodies, bool particle, double mass, double top, const double half[3],
                 double mu, double e, double g, double h)
{
    Step step = {.bodies = bodies, .particle = particle, .mass = mass};
    memcpy(step.half, half, sizeof step.half);
    for (int k = 0; k < bodies; k++) {
        step.mass_factor[k] = k == bodies - 1 ? top : 1.0;
    }
    utModelDef* def = NULL;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.friction = mu;
    floor.priority = 1;
    floor.restitution = e;
    ut_model_def_geom(def, &floor);
    for (int k = 0; k < bodies; k++) {
        add_body(def, &step, k);
    }
    utError err;
    if (!CHECK_INT(ut_model_compile(def, NULL, &step.model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    memcpy(step.q, step.model->q0, (size_t)step.model->nq * sizeof *step.q);
    step.report = (utStepReport){.h = h,
                                 .integrator = UT_INTEGRATOR_EULER,
                                 .formulation = UT_FORMULATION_COULOMB,
                                 .gravity = ut_vec3(0, 0, -g)};
    return step;
}

Step make_stack(int bodies, bool particle, double mass, const double half[3], double mu, double g,
                double h)
{
    return make(bodies, particle, mass, 1.0, half, mu, 0.0, g, h);
}

Step make_instant(int bodies, bool particle, double mass, const double half[3], double mu, double e)
{
    Step step = make(bodies, particle, mass, 1.0, half, mu, e, 10.0, 0.0);
    step.report.instant = true;
    step.report.formulation = UT_FORMULATION_HYBRID;
    step.report.integrator = UT_INTEGRATOR_MIDPOINT;
    return step;
}

Step make_light_top(int bodies, bool particle, double mass, const double half[3], double mu,
                    double g, double h)
{
    return make(bodies, particle, mass, 1e-6, half, mu, 0.0, g, h);
}

void free_step(Step* step)
{
    ut_model_destroy(step->model);
}

static utVec3 place_of(const Step* step, int k)
{
    const double* q = step->q + (step->particle ? 3 : 7) * k;
    const double side = step->particle ? step->half[0] : step->half[2];
    return step->particle ? ut_vec3(q[0], q[1], (2 * k + 1) * side + q[2])
                          : ut_vec3(q[0], q[1], q[2]);
}

void add_contacts(Step* step, int body, int below)
{
    const int points = step->particle ? 1 : 4;
    const utVec3 at = place_of(step, body);
    const double side = step->particle ? step->half[0] : step->half[2];
    const double under = below < 0 ? 0.0 : place_of(step, below).z + side;
    for (int k = 0; k < points; k++) {
        utContact* c = &step->contact[step->report.contacts++];
        const double x = step->particle ? 0.0 : (k & 1 ? 1 : -1) * step->half[0];
        const double y = step->particle ? 0.0 : (k & 2 ? 1 : -1) * step->half[1];
        const double bottom = at.z - side;
        *c = (utContact){
            .geom1 = below + 1,
            .geom2 = body + 1,
            .point = ut_vec3(at.x + x, at.y + y, 0.5 * (bottom + under)),
            .gap = bottom - under,
            .mu = ut_model_friction(step->model, below + 1, body + 1),
            .condim = 3,
        };
        c->frame[0] = ut_vec3(0, 0, 1);
        c->frame[1] = ut_vec3(1, 0, 0);
        c->frame[2] = ut_vec3(0, 1, 0);
    }
}

// ---- what follows, in long double ---------------------------------------------------------------

// The lever of a contact about a body's centre, world.
static void lever(const Step* step, const utContact* c, int k, Real x[3])
{
    const utVec3 at = place_of(step, k);
    x[0] = (Real)c->point.x - (Real)at.x;
    x[1] = (Real)c->point.y - (Real)at.y;
    x[2] = (Real)c->point.z - (Real)at.z;
}

// 1/m and 1/I of a body; a particle does not rotate.
static Real inverse(const Step* step, int k, Real turn[3])
{
    const Real m = (Real)step->mass * (Real)step->mass_factor[k];
    const Real a = (Real)step->half[0], b = (Real)step->half[1], c = (Real)step->half[2];
    turn[0] = step->particle ? 0 : 3 / (m * (b * b + c * c));
    turn[1] = step->particle ? 0 : 3 / (m * (a * a + c * c));
    turn[2] = step->particle ? 0 : 3 / (m * (a * a + b * b));
    return 1 / m;
}

static void cross(const Real a[3], const Real b[3], Real c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static int width(const Step* step)
{
    return step->particle ? 3 : 6;
}

// The velocity of a body's point at the lever x under v, in long double.
static void point_velocity(const Step* step, const Real* v, int k, const Real x[3], Real out[3])
{
    const Real* at = v + width(step) * k;
    const Real none[3] = {0, 0, 0};
    cross(step->particle ? none : at + 3, x, out);
    for (int i = 0; i < 3; i++) {
        out[i] += at[i];
    }
}

// Entries n, t1, t2 are z, x, y.
static const int AXIS[3] = {2, 0, 1};

static void velocity_of(const Step* step, const Real* v, const utContact* c, Real u[3])
{
    Real sum[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        const int k = (side == 0 ? c->geom1 : c->geom2) - 1;
        Real x[3], at[3];
        if (k >= 0) {
            lever(step, c, k, x);
            point_velocity(step, v, k, x, at);
            for (int i = 0; i < 3; i++) {
                sum[i] += side == 0 ? -at[i] : at[i];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        u[i] = sum[AXIS[i]];
    }
    const bool counts = c->gap > 0.0 && !step->report.instant;
    u[0] += counts ? (Real)c->gap / (Real)step->report.h : 0;
}

// free receives v*, next receives v+
static void long_velocities(const Step* step, Real* start, Real* next)
{
    const Real h = (Real)step->report.h;
    const int nv = width(step);
    for (int k = 0; k < step->bodies; k++) {
        Real turn[3];
        const Real light = inverse(step, k, turn);
        const utForce f = step->applied[k + 1];
        const Real push[3] = {(Real)f.force.x, (Real)f.force.y, (Real)f.force.z};
        const Real g[3] = {(Real)step->report.gravity.x, (Real)step->report.gravity.y,
                           (Real)step->report.gravity.z};
        for (int i = 0; i < nv; i++) {
            start[nv * k + i] = (Real)step->v[nv * k + i];
            start[nv * k + i] += i < 3 ? h * (g[i] + light * push[i]) : 0;
            next[nv * k + i] = start[nv * k + i];
        }
    }
    for (int i = 0; i < step->report.contacts; i++) {
        const utContact* c = &step->contact[i];
        Real r[3];
        for (int k = 0; k < 3; k++) {
            r[AXIS[k]] = (Real)c->r[k];
        }
        for (int side = 0; side < 2; side++) {
            const int k = (side == 0 ? c->geom1 : c->geom2) - 1;
            const Real sign = side == 0 ? -1 : 1;
            Real x[3], turn[3], torque[3];
            if (k < 0) {
                continue;
            }
            const Real light = inverse(step, k, turn);
            lever(step, c, k, x);
            cross(x, r, torque);
            for (int j = 0; j < nv; j++) {
                next[nv * k + j] += sign * (j < 3 ? light * r[j] : turn[j - 3] * torque[j - 3]);
            }
        }
    }
}

void finish_step(Step* step)
{
    Real start[DOFS], next[DOFS];
    long_velocities(step, start, next);
    for (int i = 0; i < step->model->nv; i++) {
        step->v_free[i] = (double)start[i];
        step->v_next[i] = (double)next[i];
    }
    for (int i = 0; i < step->report.contacts; i++) {
        utContact* c = &step->contact[i];
        Real u[3];
        velocity_of(step, next, c, u);
        c->b[0] = c->gap > 0.0 && !step->report.instant ? c->gap / step->report.h : 0.0;
        for (int k = 0; k < 3; k++) {
            c->u[k] = (double)u[k];
        }
    }
    // a box rotates with w during h; half angles are small here, so a series gives sin(x) / x
    for (int k = 0; k < step->bodies; k++) {
        const double* v = step->v_next + width(step) * k;
        const double* from = step->q + (step->particle ? 3 : 7) * k;
        double* to = step->q_next + (step->particle ? 3 : 7) * k;
        const double h = step->report.h;
        for (int i = 0; i < 3; i++) {
            to[i] = from[i] + h * v[i];
        }
        if (!step->particle) {
            const Real x = (Real)(0.5 * h * v[3]), y = (Real)(0.5 * h * v[4]);
            const Real z = (Real)(0.5 * h * v[5]);
            const Real square = x * x + y * y + z * z;
            const Real s = 1 - square / 6 + square * square / 120;
            to[3] = (double)(1 - square / 2 + square * square / 24);
            to[4] = (double)(s * x);
            to[5] = (double)(s * y);
            to[6] = (double)(s * z);
        }
    }
}

// ---- E, in long double --------------------------------------------------------------------------

static Real trace_of(const Step* step, const utContact* c)
{
    Real trace = 0;
    for (int side = 0; side < 2; side++) {
        const int k = (side == 0 ? c->geom1 : c->geom2) - 1;
        if (k < 0) {
            continue;
        }
        Real x[3], turn[3];
        const Real light = inverse(step, k, turn);
        lever(step, c, k, x);
        for (int axis = 0; axis < 3; axis++) {
            Real d[3] = {0, 0, 0}, arm[3];
            d[axis] = 1;
            cross(x, d, arm);
            trace += light;
            for (int j = 0; j < 3; j++) {
                trace += arm[j] * arm[j] * turn[j];
            }
        }
    }
    return trace;
}

// |r - P_K(r - m û)| / m for the circular cone, by its three cases
static Real error_of(Real mu, Real m, const double* r, const Real* u)
{
    const Real slip = sqrtl(u[1] * u[1] + u[2] * u[2]);
    const Real x[3] = {(Real)r[0] - m * (u[0] + mu * slip), (Real)r[1] - m * u[1],
                       (Real)r[2] - m * u[2]};
    const Real t = sqrtl(x[1] * x[1] + x[2] * x[2]);
    Real p[3] = {x[0], x[1], x[2]};
    if (t > mu * x[0]) {
        const Real n = (x[0] + mu * t) / (1 + mu * mu);
        p[0] = n > 0 ? n : 0;
        p[1] = n > 0 ? mu * n * x[1] / t : 0;
        p[2] = n > 0 ? mu * n * x[2] / t : 0;
    }
    Real square = 0;
    for (int k = 0; k < 3; k++) {
        square += ((Real)r[k] - p[k]) * ((Real)r[k] - p[k]);
    }
    return sqrtl(square) / m;
}

long double long_E(const Step* step)
{
    Real start[DOFS], next[DOFS];
    Real worst = 0;
    Real V = (Real)step->report.h * (Real)fabs(step->report.gravity.z);
    long_velocities(step, start, next);
    for (int i = 0; i < step->report.contacts; i++) {
        const utContact* c = &step->contact[i];
        Real u[3];
        velocity_of(step, start, c, u);
        const Real size = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (u[0] < 0 || c->r[0] != 0.0 || c->r[1] != 0.0 || c->r[2] != 0.0) {
            V = size > V ? size : V;
        }
        velocity_of(step, next, c, u);
        const Real e = error_of((Real)c->mu, 3 / trace_of(step, c), c->r, u);
        worst = e > worst ? e : worst;
    }
    return worst / V;
}

void check_spoiled(int made, const Maker* maker, int count, const Spoiled* cases)
{
    for (int i = 0; i < made; i++) {
        for (int k = 0; k < count; k++) {
            Step step = maker[i]();
            cases[k].spoil(&step);
            const utCertificate c = judge_step(&step);
            if (!CHECK(!c.passed) ||
                (cases[k].reason != NULL &&
                 !CHECK_TEXT(ut_certificate_reason_name(c.reason), cases[k].reason))) {
                test_note("step %d, case %d: %s", i, k, ut_certificate_reason_name(c.reason));
            }
            free_step(&step);
        }
    }
}
