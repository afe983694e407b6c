// SPDX-License-Identifier: Apache-2.0
// The scenes, how long each of them runs, the goals, and who takes part.
#include <math.h>
#include <string.h>

#include "bench_engines.h"
#include "node.h"

// ---- scenes -------------------------------------------------------------------------------------

#define FRAME (1.0 / 60.0)

#define RATIO(goal)            \
    1,                         \
    {                          \
        {"", .ratio = (goal)}, \
    }
#define NO_GOAL \
    0,          \
    {           \
        {       \
            0   \
        }       \
    }

static const Plan plans[] = {
    {"quad", 0.002, 5.0, 3.0, SCENE_QUAD, 1.0, RATIO(0.7)},
    {"slide:0", 0.002, 1.5, 0.0, SCENE_SLIDE, 1.0, RATIO(1.0)},
    {"slide:30", 0.002, 1.5, 1.5, SCENE_SLIDE, 1.0, RATIO(1.0)},
    {"slide:45", 0.002, 1.5, 0.0, SCENE_SLIDE, 1.0, RATIO(1.0)},
    {"incline:30:-2", 0.002, 4.0, 4.0, SCENE_STICK, 1.0, RATIO(1.0)},
    {"incline:30:2", 0.002, 4.0, 4.0, SCENE_SLIP, 1.0, RATIO(1.0)},
    {"chain:10", 0.001, 1.0, 1.0, SCENE_CHAIN, 1.0, RATIO(0.8)},
    {"chain:30", 0.001, 1.0, 1.0, SCENE_CHAIN, 1.0, RATIO(0.8)},
    {"chain:100", 0.001, 1.0, 0.5, SCENE_CHAIN, 1.0, RATIO(0.8)},
    {"chain:300", 0.001, 1.0, 0.5, SCENE_CHAIN, 1.0, RATIO(0.8)},
    {"stack:10", FRAME, 10.0, 5.0, SCENE_STACK, 1.0, RATIO(0.8)},
    {"stack:30", 0.002, 5.0, 1.0, SCENE_STACK, 1.0, RATIO(0.8)},
    {"stack:30", FRAME, 10.0, 5.0, SCENE_STACK, 1.0, 1, {{"", .stands = true}}},
    {"stackm:30", FRAME, 10.0, 0.0, SCENE_STACK, 1.0, NO_GOAL},
    {"pyramid:20", FRAME, 5.0, 1.0, SCENE_PYRAMID, 2.0, RATIO(0.8)},
    {"pyramid:40", 0.005, 1.0, 0.25, SCENE_PYRAMID, 4.0, RATIO(1.0)},
    {"rolling", 0.002, 4.0, 2.0, SCENE_ROLLING, 1.0, RATIO(1.0)},
    {"rolling", 0.01, 4.0, 2.0, SCENE_ROLLING, 1.0, RATIO(1.0)},
    // the balls collapse in the first two seconds, then they roll apart on the floor
    {"balls216",
     0.01,
     5.0,
     3.0,
     SCENE_BALLS,
     4.0,
     2,
     {{"moving", 0.0, 2.0, .ratio = 6.0}, {"settled", 2.0, 0.0, .ratio = 1.5}}},
    {"balls648",
     0.01,
     1.0,
     0.5,
     SCENE_BALLS,
     5.0,
     1,
     {{"falling", .seconds = 60e-3, .budget_seconds = 3e-3}}},
};

int plan_count(void)
{
    return (int)(sizeof plans / sizeof plans[0]);
}

const Plan* plan_at(int index)
{
    return &plans[index];
}

const char* plan_name(const Plan* plan, const World* world, char name[64])
{
    if (fabs(world->dt - FRAME) < 1e-12) {
        snprintf(name, 64, "%s, 1/60 s", plan->scene);
    } else {
        snprintf(name, 64, "%s, %.4g s", plan->scene, world->dt);
    }
    return name;
}

// ---- contenders ---------------------------------------------------------------------------------

// the drivers in C++ are compiled only where their engine is
#ifndef UPTACK_HAVE_BULLET
const Driver* driver_bullet(void)
{
    return NULL;
}
#endif

#ifndef UPTACK_HAVE_DART
const Driver* driver_dart(void)
{
    return NULL;
}
#endif

// To add a contender, add its line. The role is ROLE_PEER where nothing else is said.
static const Contender contenders[] = {
    {"uptack exact", .engine = "uptack", .role = ROLE_EXACT, .driver = driver_uptack,
     .variant = UPTACK_EXACT},
#ifdef UPTACK_HAVE_BUDGET
    {"uptack budget", .engine = "uptack", .role = ROLE_BUDGET, .driver = driver_uptack,
     .variant = UPTACK_BUDGET},
#endif
    {"uptack, no certificate", .engine = "uptack", .role = ROLE_OURS, .driver = driver_uptack,
     .variant = UPTACK_UNJUDGED, .most_bodies = 50},
    {"uptack rk4", .engine = "uptack", .role = ROLE_OURS, .driver = driver_uptack,
     .variant = UPTACK_RK4, .chain_only = true},
    {"uptack midpoint", .engine = "uptack", .role = ROLE_OURS, .driver = driver_uptack,
     .variant = UPTACK_MIDPOINT, .chain_only = true},
    {"ode quick20", .engine = "ODE", .driver = driver_ode, .variant = ODE_QUICK20},
    {"ode step", .engine = "ODE", .driver = driver_ode, .variant = ODE_STEP, .most_bodies = 32},
    {"bullet si10", .engine = "Bullet", .driver = driver_bullet, .variant = BULLET_SI10},
    {"bullet si50", .engine = "Bullet", .driver = driver_bullet, .variant = BULLET_SI50},
    {"dart dantzig", .engine = "DART", .driver = driver_dart, .most_bodies = 120},
    {"mujoco2 elliptic", .engine = "MuJoCo 2.2.2", .driver = driver_mujoco,
     .variant = MUJOCO_ELLIPTIC, .most_bodies = 100},
    {"mujoco2 pyramidal", .engine = "MuJoCo 2.2.2", .driver = driver_mujoco,
     .variant = MUJOCO_PYRAMIDAL, .most_bodies = 100},
    {"mujoco2 cg", .engine = "MuJoCo 2.2.2", .driver = driver_mujoco, .variant = MUJOCO_CG,
     .least_bodies = 101},
    {"mujoco2 rk4", .engine = "MuJoCo 2.2.2", .driver = driver_mujoco, .variant = MUJOCO_RK4,
     .chain_only = true},
    {"mujoco3 elliptic", .engine = "MuJoCo 3", .npm = "mujoco", .setting = "elliptic",
     .most_bodies = 100},
    {"mujoco3 pyramidal", .engine = "MuJoCo 3", .npm = "mujoco", .setting = "pyramidal",
     .most_bodies = 100},
    {"mujoco3 cg", .engine = "MuJoCo 3", .npm = "mujoco", .setting = "cg", .least_bodies = 101},
    {"jolt it10", .engine = "Jolt", .npm = "jolt", .setting = "it10"},
    {"jolt it50", .engine = "Jolt", .npm = "jolt", .setting = "it50"},
    {"jolt slop0", .engine = "Jolt", .npm = "jolt", .setting = "slop0"},
    {"rapier", .engine = "Rapier", .npm = "rapier", .setting = "default"},
    {"rapier multibody", .engine = "Rapier", .npm = "rapier", .setting = "multibody",
     .chain_only = true},
};

const char* engine_package(const char* engine)
{
    static const char* const packages[][2] = {
        {"ODE", "Debian: libode-dev"},
        {"Bullet", "Debian: libbullet-dev"},
        {"DART", "Debian: libdart-collision-ode-dev"},
        {"MuJoCo 2.2.2", "Debian: libmujoco-dev"},
        {"MuJoCo 3", "npm: @mujoco/mujoco"},
        {"Jolt", "npm: jolt-physics"},
        {"Rapier", "npm: @dimforge/rapier3d-compat"},
    };
    for (size_t i = 0; i < sizeof packages / sizeof packages[0]; i++) {
        if (strcmp(packages[i][0], engine) == 0) {
            return packages[i][1];
        }
    }
    return "";
}

_Static_assert(sizeof contenders / sizeof contenders[0] <= CONTENDERS_MAX, "room for all runs");

int contender_count(void)
{
    return (int)(sizeof contenders / sizeof contenders[0]);
}

const Contender* contender_at(int index)
{
    return &contenders[index];
}

bool contender_is_here(const Contender* who)
{
    return who->driver != NULL ? who->driver() != NULL : node_has(who->npm);
}

bool contender_takes(const Contender* who, const Plan* plan, const World* world)
{
    return contender_is_here(who) && world->bodies >= who->least_bodies &&
           (who->most_bodies == 0 || world->bodies <= who->most_bodies) &&
           (!who->chain_only || plan->kind == SCENE_CHAIN);
}
