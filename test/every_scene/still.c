// SPDX-License-Identifier: Apache-2.0
// What must not move does not, without any sleeping: no creep under friction near its limit, no
// sinking of tall stacks.
#include "every.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- creep --------------------------------------------------------------------------------------

typedef struct StillCase {
    const char* scene; // NULL: the pinched capsule
    Changes changes;
} StillCase;

static const double SETTLING = 1.0; // s
static const double SPEED = 1e-9;   // m/s, and rad/s

// A capsule of 1 kg, lying along y, between a wall and a plate that a motor presses against it with
// N. Friction carries the weight where m g <= 2 mu N; here m g is 98 % of that.
static utModelDef* pinched_capsule(void)
{
    const double mu = 0.5, mass = 1.0, radius = 0.05, thickness = 0.02;
    const double press = mass * 9.81 / (2.0 * mu * 0.98);
    utModelDef* def = NULL;
    if (ut_model_def_create(NULL, &def) != UT_OK) {
        return NULL;
    }
    utGeomDef wall = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1.0, 1.0, 1.0));
    // z turned to x
    wall.quat = ut_quat(1.0, 0.0, 1.0, 0.0);
    wall.friction = mu;
    ut_model_def_geom(def, &wall);

    utBodyDef body = ut_body_def();
    body.name = "capsule";
    body.pos = ut_vec3(radius, 0.0, 0.0);
    // z turned to y
    body.quat = ut_quat(1.0, -1.0, 0.0, 0.0);
    const int capsule = ut_model_def_body(def, &body);
    const utJointDef free_joint = ut_joint_def(capsule, UT_JOINT_FREE);
    ut_model_def_joint(def, &free_joint);
    utGeomDef geom = ut_geom_def(capsule, UT_SHAPE_CAPSULE, ut_vec3(radius, 0.1, 0.0));
    geom.mass = mass;
    geom.friction = mu;
    ut_model_def_geom(def, &geom);

    body = ut_body_def();
    body.name = "plate";
    body.pos = ut_vec3(2.0 * radius + thickness, 0.0, 0.0);
    const int plate = ut_model_def_body(def, &body);
    utJointDef slide = ut_joint_def(plate, UT_JOINT_SLIDE);
    slide.axis = ut_vec3(1.0, 0.0, 0.0);
    const int joint = ut_model_def_joint(def, &slide);
    geom = ut_geom_def(plate, UT_SHAPE_BOX, ut_vec3(thickness, 0.3, 0.3));
    geom.mass = 2.0;
    geom.friction = mu;
    ut_model_def_geom(def, &geom);
    const utActuatorDef motor = ut_actuator_def(joint, UT_ACTUATOR_MOTOR);
    ut_model_def_actuator(def, &motor);
    const double ctrl = -press;
    const utKeyframeDef key = {.name = "start", .nu = 1, .ctrl = &ctrl};
    ut_model_def_keyframe(def, &key);
    return def;
}

static bool open_case(const StillCase* c, Scene* scene)
{
    if (c->scene != NULL) {
        return open_scene(c->scene, &c->changes, scene);
    }
    utModelDef* def = pinched_capsule();
    *scene = (Scene){0};
    return def != NULL && open_description(def, &c->changes, scene);
}

typedef struct Motion {
    Speed speed;  // largest
    double sag;   // m: deepest that a body went below its place
    double drift; // m: farthest that it went to the side
    int bad;      // steps that are not certified or flagged
} Motion;

static utVec3* places(const Scene* scene)
{
    utVec3* place = malloc((size_t)scene->model->nbody * sizeof *place);
    for (int i = 0; place != NULL && i < scene->model->nbody; i++) {
        place[i] = ut_sim_body(scene->sim, i).com;
    }
    return place;
}

static void look(const Scene* scene, const utVec3* place, Motion* motion)
{
    const Speed speed = largest_speed(scene);
    motion->speed.linear = larger(motion->speed.linear, speed.linear);
    motion->speed.angular = larger(motion->speed.angular, speed.angular);
    for (int i = 1; i < scene->model->nbody; i++) {
        const utVec3 moved = ut_vec3_sub(ut_sim_body(scene->sim, i).com, place[i]);
        motion->sag = larger(motion->sag, -moved.z);
        motion->drift = larger(motion->drift, hypot(moved.x, moved.y));
    }
}

static int steps_in(const Scene* scene, double seconds)
{
    return (int)ceil(seconds / ut_sim_dt(scene->sim) * (1.0 - 1e-12));
}

// Run and look after every step at how everything moved from where it was at first.
static bool watch(Scene* scene, double seconds, Motion* motion)
{
    utVec3* place = places(scene);
    const int steps = steps_in(scene, seconds);
    bool ok = place != NULL;
    for (int k = 0; k < steps && ok; k++) {
        utStepResult result;
        utError err = {0};
        const utStatus status = ut_sim_step(scene->sim, &scene->input, &result, &err);
        ok = status == UT_OK || status == UT_ERR_NOT_TAKEN;
        if (ok) {
            motion->bad += result.outcome != UT_STEP_CERTIFIED;
            look(scene, place, motion);
        } else {
            printf("%s\n", err.message);
        }
    }
    free(place);
    return ok;
}

static void print_motion(bool ok, const char* name, const Scene* scene, double seconds,
                         const Motion* m)
{
    printf("%-4s %-26s %8.6f %6g %6d  %9.2e %9.2e %9.2e %9.2e\n", ok ? "ok" : "FAIL", name,
           scene->sim != NULL ? ut_sim_dt(scene->sim) : 0.0, seconds, m->bad, m->speed.linear,
           m->speed.angular, m->sag, m->drift);
}

static void print_head(void)
{
    printf("     %-26s %8s %6s %6s  %9s %9s %9s %9s\n", "scene", "dt", "s", "uncert.", "m/s",
           "rad/s", "sag m", "drift m");
}

static void name_case(const StillCase* c, char name[64])
{
    const char* value = c->changes.set != NULL ? c->changes.value : "";
    snprintf(name, 64, "%s%s%s", c->scene != NULL ? c->scene : "pinched capsule",
             value[0] != '\0' ? ", top " : "", value);
}

static void try_creep(const Options* o, const StillCase* c, Verdict* verdict)
{
    Scene scene;
    Motion motion = {0};
    char name[64];
    const double settling = o->quick ? 0.1 * SETTLING : SETTLING;
    const bool ran = open_case(c, &scene) && take_steps(&scene, steps_in(&scene, settling)) &&
                     watch(&scene, o->seconds, &motion);
    const bool ok = count_case(verdict, ran && motion.bad == 0 && motion.speed.linear <= SPEED &&
                                            motion.speed.angular <= SPEED);
    name_case(c, name);
    print_motion(ok, name, &scene, o->seconds, &motion);
    close_scene(&scene);
}

void mode_creep(const Options* o, Verdict* verdict)
{
    // slope: tan 20 degrees is 98 % of mu
    static const StillCase slopes[] = {
        {.scene = "incline:0:-2"},
        {.scene = "incline:30:-2"},
        {.scene = "slope:20:0.371398198"},
        {.changes = {.dt = 0.002}}, // the capsule
    };
    static const StillCase stacks[] = {
        {"stack:30", {.dt = 1.0 / 60.0, .set = "box30.mass", .value = "1000"}},
        {"stack:30", {.set = "box30.mass", .value = "1000"}},
    };
    static const StillCase small = {"stack:6",
                                    {.dt = 1.0 / 60.0, .set = "box6.mass", .value = "1000"}};
    print_head();
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        try_creep(o, &slopes[i], verdict);
    }
    if (o->quick) {
        try_creep(o, &small, verdict);
        return;
    }
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
        try_creep(o, &stacks[i], verdict);
    }
}

// ---- standing -----------------------------------------------------------------------------------

static const double STANDING = 1e-6; // m

void mode_standing(const Options* o, Verdict* verdict)
{
    static const StillCase full[] = {
        {"stack:30", {.dt = 1.0 / 60.0}},
        {"stackm:30", {.dt = 1.0 / 60.0}},
        {"pyramid:20", {.dt = 0.005}},
    };
    static const StillCase quick[] = {
        {"stack:8", {.dt = 1.0 / 60.0}},
        {"stackm:8", {.dt = 1.0 / 60.0}},
        {"pyramid:4", {.dt = 0.005}},
    };
    print_head();
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        const StillCase* c = o->quick ? &quick[i] : &full[i];
        Scene scene;
        Motion motion = {0};
        const bool ran = open_case(c, &scene) && watch(&scene, o->seconds, &motion);
        const bool ok = count_case(verdict, ran && motion.bad == 0 && motion.sag <= STANDING &&
                                                motion.drift <= STANDING);
        print_motion(ok, c->scene, &scene, o->seconds, &motion);
        close_scene(&scene);
    }
}
