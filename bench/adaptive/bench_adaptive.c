// SPDX-License-Identifier: Apache-2.0
// Work and precision: what steps of a fixed length and steps that are chosen by their error make of
// the same work, on a smooth motion and across impacts.
//
//     bench_adaptive
//
// Work is counted in spans: problems that were set up and solved. A fixed step is one; a chosen one
// is made as a whole and in two halves, three for every length that is tried. The error is that of
// the position at the end, in m, against a closed form, or, for the double pendulum, against a run
// by RK4 whose steps are shorter still. The order is -d log error / d log work.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>

// ---- a run --------------------------------------------------------------------------------------

typedef struct How {
    utFormulation formulation;
    utIntegrator integrator;
    double dt;       // s; the longest, where steps are chosen
    double adaptive; // m; 0: fixed
} How;

typedef struct Outcome {
    int steps;
    long spans;
    int bad; // steps that are not certified
    double error;
} Outcome;

typedef struct Problem {
    const char* name;
    utModel* model;
    double end; // s
    double longest;
    double q[8]; // where it ends, in truth
    int n;
    double length[8]; // m: of each of these
} Problem;

static void stop(const utError* err)
{
    fprintf(stderr, "bench_adaptive: %s\n", err->message);
    exit(1);
}

static Outcome run(const Problem* p, const How* how)
{
    utError err = {0};
    utSim* sim = NULL;
    utSimDef def = ut_sim_def();
    def.formulation = how->formulation;
    def.integrator = (int)how->integrator;
    def.dt = how->dt;
    def.adaptive = how->adaptive;
    def.keep_going = true;
    if (ut_sim_create(p->model, &def, &sim, &err) != UT_OK) {
        stop(&err);
    }
    const int key = ut_model_find_keyframe(p->model, UT_KEYFRAME_START);
    if (ut_sim_reset(sim, key, &err) != UT_OK) {
        stop(&err);
    }
    ut_sim_stop_at(sim, p->end);
    Outcome o = {0};
    while (ut_sim_time(sim) < p->end * (1.0 - 1e-12)) {
        utStepResult result;
        if (ut_sim_step(sim, NULL, &result, &err) != UT_OK) {
            stop(&err);
        }
        o.steps++;
        o.spans += how->adaptive > 0.0 ? 3 * result.tries : 1;
        o.bad += result.outcome != UT_STEP_CERTIFIED;
    }
    for (int i = 0; i < p->n; i++) {
        o.error = fmax(o.error, fabs(ut_sim_q(sim)[i] - p->q[i]) * p->length[i]);
    }
    ut_sim_destroy(sim);
    return o;
}

// ---- problems -----------------------------------------------------------------------------------

static utModelDef* describe(void)
{
    utModelDef* def = NULL;
    if (ut_model_def_create(NULL, &def) != UT_OK) {
        exit(1);
    }
    return def;
}

static utModel* compile(utModelDef* def)
{
    utModel* model = NULL;
    utError err = {0};
    if (ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        stop(&err);
    }
    ut_model_def_destroy(def);
    return model;
}

// Two rods let go; against RK4 with 2^17 steps, whose error is below rounding.
static Problem double_pendulum(void)
{
    Problem p = {.name = "double pendulum", .end = 1.0, .longest = 0.1, .n = 2};
    utModelDef* def = describe();
    utError err = {0};
    if (ut_scene_build("pendulum2:90:0", def, &err) != UT_OK) {
        stop(&err);
    }
    p.model = compile(def);
    p.length[0] = p.length[1] = 1.0;
    utSim* sim = NULL;
    utSimDef fine = ut_sim_def();
    fine.integrator = UT_INTEGRATOR_RK4;
    fine.dt = p.end / 131072;
    fine.no_certificate = true;
    if (ut_sim_create(p.model, &fine, &sim, &err) != UT_OK ||
        ut_sim_reset(sim, ut_model_find_keyframe(p.model, UT_KEYFRAME_START), &err) != UT_OK) {
        stop(&err);
    }
    for (int k = 0; k < 131072; k++) {
        if (ut_sim_step(sim, NULL, NULL, &err) != UT_OK) {
            stop(&err);
        }
    }
    memcpy(p.q, ut_sim_q(sim), 2 * sizeof *p.q);
    ut_sim_destroy(sim);
    return p;
}

// A ball on a slide against a wall.
static utModel* ball_at_wall(utVec3 axis, double stiffness, double x, double e, utVec3 gravity)
{
    utModelDef* def = describe();
    utOptions options = ut_options();
    options.gravity = gravity;
    options.bounce = 1e-3;
    ut_model_def_options(def, &options);
    utGeomDef wall = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    utVec3 t1, t2;
    ut_tangent_basis(axis, &t1, &t2);
    wall.quat = ut_quat_from_mat3(ut_mat3_from_columns(t1, t2, axis));
    wall.restitution = e;
    wall.friction = 0.0;
    ut_model_def_geom(def, &wall);
    utBodyDef body = ut_body_def();
    body.pos = ut_vec3_scale(axis, 0.1 + x); // q = 0 is where it is let go
    const int ball = ut_model_def_body(def, &body);
    utJointDef slide = ut_joint_def(ball, UT_JOINT_SLIDE);
    slide.axis = axis;
    slide.stiffness = stiffness;
    slide.springref = -x;
    ut_model_def_joint(def, &slide);
    utGeomDef geom = ut_geom_def(ball, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0));
    geom.mass = 1.0;
    geom.friction = 0.0;
    ut_model_def_geom(def, &geom);
    return compile(def);
}

// A spring pulls a ball into a wall: x = e^k A |cos(w t)| after k impacts, at w t = pi/2, 3 pi/2
// ...
static Problem spring_ball(void)
{
    static const double A = 0.5, w = 6.0, e = 0.7;
    Problem p = {.name = "ball on a spring", .end = 1.0, .longest = 0.1, .n = 1};
    p.model = ball_at_wall(ut_vec3(1, 0, 0), w * w, A, e, ut_vec3(0, 0, 0));
    double size = A;
    for (double next = 0.5 * 3.14159265358979323846 / w; next < p.end;
         next += 3.14159265358979323846 / w) {
        size *= e;
    }
    p.q[0] = size * fabs(cos(w * p.end)) - A;
    p.length[0] = 1.0;
    return p;
}

// A ball dropped from 0.5 m: parabolas.
static Problem dropped_ball(void)
{
    static const double x0 = 0.5, g = 9.81, e = 0.7;
    Problem p = {.name = "dropped ball", .end = 1.3, .longest = 0.1, .n = 1};
    p.model = ball_at_wall(ut_vec3(0, 0, 1), 0.0, x0, e, ut_vec3(0, 0, -g));
    double u = sqrt(2.0 * g * x0), t = u / g;
    for (u *= e; t + 2.0 * u / g < p.end; u *= e) {
        t += 2.0 * u / g;
    }
    const double s = p.end - t;
    p.q[0] = u * s - 0.5 * g * s * s - x0;
    p.length[0] = 1.0;
    return p;
}

// ---- tables -------------------------------------------------------------------------------------

static void print_row(const char* what, double value, const Outcome* o, const Outcome* before)
{
    char order[16] = "";
    // below this it is rounding that is seen
    if (before != NULL && o->error > 1e-12 && before->error > 1e-12 && o->spans > before->spans) {
        snprintf(order, sizeof order, "%.2f",
                 log(before->error / o->error) / log((double)o->spans / (double)before->spans));
    }
    printf("    %-4s %-9.3g %8d %9ld %11.2e %6s %s\n", what, value, o->steps, o->spans, o->error,
           order, o->bad > 0 ? "NOT CERTIFIED" : "");
}

// The slope of log error over log work by least squares, over what is not rounding.
static double slope(int n, const Outcome* o)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, m = 0;
    for (int i = 0; i < n; i++) {
        if (o[i].error > 1e-12) {
            const double x = log((double)o[i].spans), y = log(o[i].error);
            sx += x, sy += y, sxx += x * x, sxy += x * y, m += 1.0;
        }
    }
    return m > 1.0 ? -(m * sxy - sx * sy) / (m * sxx - sx * sx) : (double)NAN;
}

static void print_slope(int n, const Outcome* o)
{
    const double order = slope(n, o);
    if (isfinite(order)) {
        printf("    order %.2f\n", order);
    } else {
        printf("    nothing but rounding\n");
    }
}

static void compare(const Problem* p, utFormulation formulation, utIntegrator integrator)
{
    enum { FIXED = 8, CHOSEN = 6 };
    Outcome fixed[FIXED], chosen[CHOSEN];
    printf("%s, %s, %s\n    %-4s %-9s %8s %9s %11s %6s\n", p->name,
           ut_formulation_name(formulation), ut_integrator_name(integrator), "", "", "steps",
           "spans", "error, m", "order");
    for (int i = 0; i < FIXED; i++) {
        const double dt = p->end / (double)(50 << i);
        fixed[i] = run(p, &(How){formulation, integrator, dt, 0.0});
        print_row("dt", dt, &fixed[i], i > 0 ? &fixed[i - 1] : NULL);
    }
    print_slope(FIXED, fixed);
    double tolerance = 1e-2;
    for (int i = 0; i < CHOSEN; i++, tolerance *= 0.1) {
        chosen[i] = run(p, &(How){formulation, integrator, p->longest, tolerance});
        print_row("TOL", tolerance, &chosen[i], i > 0 ? &chosen[i - 1] : NULL);
    }
    print_slope(CHOSEN, chosen);
}

int main(void)
{
    const Problem smooth = double_pendulum(), spring = spring_ball(), ball = dropped_ball();
    compare(&smooth, UT_FORMULATION_COULOMB, UT_INTEGRATOR_EULER);
    compare(&smooth, UT_FORMULATION_COULOMB, UT_INTEGRATOR_MIDPOINT);
    compare(&smooth, UT_FORMULATION_COULOMB, UT_INTEGRATOR_RK4);
    compare(&spring, UT_FORMULATION_COULOMB, UT_INTEGRATOR_EULER);
    compare(&spring, UT_FORMULATION_COULOMB, UT_INTEGRATOR_MIDPOINT);
    compare(&spring, UT_FORMULATION_HYBRID, UT_INTEGRATOR_MIDPOINT);
    compare(&spring, UT_FORMULATION_HYBRID, UT_INTEGRATOR_RK4);
    compare(&ball, UT_FORMULATION_COULOMB, UT_INTEGRATOR_EULER);
    compare(&ball, UT_FORMULATION_COULOMB, UT_INTEGRATOR_MIDPOINT);
    compare(&ball, UT_FORMULATION_HYBRID, UT_INTEGRATOR_MIDPOINT);
    ut_model_destroy(smooth.model);
    ut_model_destroy(spring.model);
    ut_model_destroy(ball.model);
    return 0;
}
