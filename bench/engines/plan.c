// SPDX-License-Identifier: Apache-2.0
// The scenes, how long each of them runs, and who takes part.
#include <string.h>

#include "bench_engines.h"

// ---- scenes -------------------------------------------------------------------------------------

static const double frame = 1.0 / 60.0;

static const Plan plans[] = {
    {"balls216", 0.0, 5.0, 1.0, SCENE_BALLS},
    {"balls648", 0.0, 3.0, 1.0, SCENE_BALLS},
    {"stack:10", 0.0, 5.0, 1.0, SCENE_STACK},
    {"stack:30", 0.0, 5.0, 1.0, SCENE_STACK},
    {"stackm:10", 0.0, 5.0, 1.0, SCENE_STACK},
    {"stackm:30", 0.0, 5.0, 1.0, SCENE_STACK},
    {"stack:10", 1.0 / 60.0, 10.0, 5.0, SCENE_STACK},
    {"stack:30", 1.0 / 60.0, 10.0, 5.0, SCENE_STACK},
    {"stackm:10", 1.0 / 60.0, 10.0, 5.0, SCENE_STACK},
    {"stackm:30", 1.0 / 60.0, 10.0, 5.0, SCENE_STACK},
    {"pyramid:20", 0.0, 3.0, 0.5, SCENE_PYRAMID},
    {"slide:0", 0.0, 1.5, 1.5, SCENE_SLIDE},
    {"slide:30", 0.0, 1.5, 1.5, SCENE_SLIDE},
    {"slide:45", 0.0, 1.5, 1.5, SCENE_SLIDE},
    {"incline:30:-2", 0.0, 4.0, 4.0, SCENE_STICK},
    {"incline:30:2", 0.0, 4.0, 4.0, SCENE_SLIP},
    {"rolling", 0.0, 4.0, 2.0, SCENE_ROLLING},
    {"chain:10", 0.0, 10.0, 5.0, SCENE_CHAIN},
    {"chain:30", 0.0, 10.0, 3.0, SCENE_CHAIN},
    {"chain:100", 0.0, 10.0, 1.0, SCENE_CHAIN},
    {"quad", 0.0, 5.0, 3.0, SCENE_QUAD},
};

int plan_count(void)
{
    return (int)(sizeof plans / sizeof plans[0]);
}

const Plan* plan_at(int index)
{
    return &plans[index];
}

const char* plan_name(const Plan* plan, char name[64])
{
    snprintf(name, 64, "%s%s", plan->scene, plan->dt == frame ? " at 1/60 s" : "");
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

enum { ANY = 1000000 };

static const Contender contenders[] = {
    {"uptack", driver_uptack, UPTACK_CERTIFIED, 0, ANY, false, "uptack", ""},
    {"uptack, not judged", driver_uptack, UPTACK_UNJUDGED, 0, ANY, false, "uptack", ""},
    {"uptack rk4", driver_uptack, UPTACK_RK4, 0, ANY, true, "uptack", ""},
    {"uptack midpoint", driver_uptack, UPTACK_MIDPOINT, 0, ANY, true, "uptack", ""},
    {"ode quick20", driver_ode, ODE_QUICK20, 0, ANY, false, "ODE", "libode-dev"},
    {"ode step", driver_ode, ODE_STEP, 0, 32, false, "ODE", "libode-dev"},
    {"bullet si10", driver_bullet, BULLET_SI10, 0, ANY, false, "Bullet", "libbullet-dev"},
    {"bullet si50", driver_bullet, BULLET_SI50, 0, ANY, false, "Bullet", "libbullet-dev"},
    {"dart dantzig", driver_dart, 0, 0, 120, false, "DART", "libdart-collision-ode-dev"},
    {"mujoco elliptic", driver_mujoco, MUJOCO_ELLIPTIC, 0, ANY, false, "MuJoCo", "libmujoco-dev"},
    {"mujoco pyramidal", driver_mujoco, MUJOCO_PYRAMIDAL, 0, ANY, false, "MuJoCo", "libmujoco-dev"},
    {"mujoco cg", driver_mujoco, MUJOCO_CG, 200, ANY, false, "MuJoCo", "libmujoco-dev"},
    {"mujoco rk4", driver_mujoco, MUJOCO_RK4, 0, ANY, true, "MuJoCo", "libmujoco-dev"},
};

int contender_count(void)
{
    return (int)(sizeof contenders / sizeof contenders[0]);
}

const Contender* contender_at(int index)
{
    return &contenders[index];
}

bool contender_takes(const Contender* who, const Plan* plan, const World* world)
{
    return who->driver() != NULL && world->bodies >= who->least_bodies &&
           world->bodies <= who->most_bodies && (!who->chain_only || plan->kind == SCENE_CHAIN);
}
