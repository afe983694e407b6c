// SPDX-License-Identifier: Apache-2.0
// The elements and attributes of MJCF, and whether uptack supports them.
#include "io/mjcf/schema.h"

#define ORIENTATION " quat axisangle xyaxes zaxis euler"
#define SOLREF(name) " " name "=0.02,1"
#define SOLIMP(name) " " name "=0.9,0.95,0.001,0.5,2"
#define EQUALITY_SOFT SOLREF("solref") SOLIMP("solimp")
#define TENDON                                                                   \
    "limited range margin frictionloss springlength stiffness damping armature " \
    "actuatorfrclimited actuatorfrcrange"
#define TENDON_SOFT       \
    SOLREF("solreflimit") \
    SOLIMP("solimplimit") SOLREF("solreffriction") SOLIMP("solimpfriction")
#define TENDON_OTHER "group width material rgba user"
#define ACTUATOR                                                                                \
    "name class joint gear ctrlrange ctrllimited forcerange forcelimited jointinparent tendon " \
    "slidersite cranksite site refsite cranklength actrange actlimited "
#define ACTUATOR_PHYSICS " damping=0,0,0 armature=0 delay=0 nsample=0 interp"
#define ACTUATOR_RULE(NAME, READ, PHYSICS)                                                    \
    {                                                                                         \
        .name = (NAME), .inside = "actuator default", .use = USE_READ, .read = ACTUATOR READ, \
        .physics = ACTUATOR_PHYSICS PHYSICS, .other = "group user lengthrange"                \
    }

// A sensor with its references. Delays are not simulated, and noise is for programs that add it.
#define SENSOR(kind, references)                                                              \
    {                                                                                         \
        .name = kind, .inside = "sensor", .use = USE_READ, .read = "name cutoff " references, \
        .other = "noise=0 user nsample=0 interp delay=0 interval=0",                          \
    }

static const Rule rules[] = {
    {.name = "mujoco", .inside = "", .use = USE_READ, .read = "model"},
    {.name = "compiler",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "autolimits boundmass boundinertia settotalmass balanceinertia angle eulerseq "
             "inertiafromgeom inertiagrouprange coordinate strippath meshdir assetdir fitaabb "
             "alignfree",
     .physics = "conflict=warning",
     .other = "texturedir usethread saveinertial discardvisual "
              "fusestatic convexhull exactmeshinertia"},
    {.name = "lengthrange", .inside = "compiler", .use = USE_OUTPUT},
    {.name = "option",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "actuatorgroupdisable timestep gravity magnetic integrator ut:integrator ut:planar",
     .physics = "wind=0,0,0 density=0 viscosity=0",
     .solver = "impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "
               "cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations "
               "sdf_iterations sdf_initpoints mpr_tolerance mpr_iterations o_margin o_solref "
               "o_solimp o_friction"},
    {.name = "flag",
     .inside = "option",
     .use = USE_READ,
     .read = "gravity contact limit constraint equality frictionloss spring damper passive "
             "clampctrl actuation "
             "filterparent",
     .physics = "override=disable",
     .solver = "warmstart refsafe midphase autoreset nativeccd island multiccd invdiscrete sleep "
               "diagexact eulerdamp ipc",
     .other = "sensor energy fwdinv sensornoise"},
    {.name = "size", .inside = "mujoco", .use = USE_OUTPUT},
    {.name = "statistic", .inside = "mujoco", .use = USE_PICTURE},
    {.name = "visual", .inside = "mujoco", .use = USE_PICTURE},
    {.name = "custom", .inside = "mujoco", .use = USE_GROUP},
    {.name = "numeric", .inside = "custom", .use = USE_OUTPUT},
    {.name = "text", .inside = "custom", .use = USE_READ, .read = "name data"},
    {.name = "tuple", .inside = "custom", .use = USE_OUTPUT},
    {.name = "sensor", .inside = "mujoco", .use = USE_GROUP},
    {.name = "extension", .inside = "mujoco", .use = USE_PHYSICS},
    {.name = "deformable", .inside = "mujoco", .use = USE_GROUP},
    {.name = "flex", .inside = "deformable", .use = USE_PHYSICS},
    {.name = "skin", .inside = "deformable asset", .use = USE_PICTURE},

    {.name = "asset", .inside = "mujoco", .use = USE_GROUP},
    {.name = "mesh",
     .inside = "asset default",
     .use = USE_READ,
     .read = "name class file vertex face refpos refquat scale inertia maxhullvert builtin params",
     .other = "content_type normal texcoord facenormal facetexcoord smoothnormal material "
              "octree_maxdepth"},
    {.name = "plugin", .inside = "mesh", .use = USE_PHYSICS},
    {.name = "hfield",
     .inside = "asset",
     .use = USE_READ,
     .read = "name file nrow ncol size elevation",
     .other = "content_type"},
    {.name = "texture", .inside = "asset", .use = USE_PICTURE},
    {.name = "material", .inside = "asset", .use = USE_PICTURE},
    {.name = "model", .inside = "asset", .use = USE_READ, .read = "name file content_type"},

    {.name = "default", .inside = "mujoco default", .use = USE_READ, .read = "class"},
    {.name = "material", .inside = "default", .use = USE_SILENT},
    {.name = "camera", .inside = "default", .use = USE_SILENT},
    {.name = "light", .inside = "default", .use = USE_SILENT},
    {.name = "equality",
     .inside = "default",
     .use = USE_READ,
     .read = "active",
     .soft = EQUALITY_SOFT},
    {.name = "tendon",
     .inside = "default",
     .use = USE_READ,
     .read = TENDON,
     .soft = TENDON_SOFT,
     .other = TENDON_OTHER},

    {.name = "worldbody", .inside = "mujoco", .use = USE_READ},
    {.name = "body",
     .inside = "worldbody body",
     .use = USE_READ,
     .read = "name childclass pos mocap gravcomp ut:fast" ORIENTATION,
     .solver = "sleep simple",
     .other = "user"},
    {.name = "inertial",
     .inside = "body",
     .use = USE_READ,
     .read = "pos mass diaginertia fullinertia" ORIENTATION},
    {.name = "joint",
     .inside = "body default",
     .use = USE_READ,
     .read = "name class type pos axis range limited ref stiffness springref damping armature "
             "frictionloss springdamper margin actuatorgravcomp actuatorfrclimited "
             "actuatorfrcrange",
     .soft = SOLREF("solreflimit") SOLIMP("solimplimit") SOLREF("solreffriction")
         SOLIMP("solimpfriction"),
     .other = "group user"},
    {.name = "freejoint",
     .inside = "body",
     .use = USE_READ,
     .read = "name align",
     .other = "group"},
    {.name = "geom",
     .inside = "worldbody body default",
     .use = USE_READ,
     .read = "name class type contype conaffinity condim group priority size friction mass density "
             "margin gap fromto pos mesh hfield fitscale shellinertia ut:mesh surfacevel "
             "ut:surfacevel ut:kinetic "
             "ut:restitution rgba material" ORIENTATION,
     .physics = "adhesion=0 fluidshape=none",
     .soft = "solmix=1" SOLREF("solref") SOLIMP("solimp"),
     .other = "user fluidcoef"},
    {.name = "site",
     .inside = "worldbody body default",
     .use = USE_READ,
     .read = "name class pos fromto type size rgba material" ORIENTATION,
     .other = "group user"},
    {.name = "camera", .inside = "worldbody body", .use = USE_PICTURE},
    {.name = "light", .inside = "worldbody body", .use = USE_PICTURE},
    {.name = "plugin", .inside = "body worldbody geom actuator", .use = USE_PHYSICS},
    {.name = "frame",
     .inside = "worldbody body",
     .use = USE_READ,
     .read = "name childclass pos" ORIENTATION},
    {.name = "replicate",
     .inside = "worldbody body",
     .use = USE_READ,
     .read = "count offset euler sep childclass",
     .other = "prefix"},
    {.name = "attach",
     .inside = "worldbody body",
     .use = USE_READ,
     .read = "model body frame prefix"},
    {.name = "composite", .inside = "worldbody body", .use = USE_REJECTED},
    {.name = "flexcomp", .inside = "worldbody body", .use = USE_REJECTED},

    {.name = "contact", .inside = "mujoco", .use = USE_GROUP},
    {.name = "pair",
     .inside = "contact default",
     .use = USE_READ,
     .read = "name class geom1 geom2 condim friction margin gap ut:kinetic ut:restitution",
     .physics = "adhesion=0",
     .soft = SOLREF("solref") SOLIMP("solimp") " solreffriction=0,0"},
    {.name = "exclude", .inside = "contact", .use = USE_READ, .read = "name body1 body2"},
    {.name = "equality", .inside = "mujoco", .use = USE_GROUP},
    {.name = "connect",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active body1 body2 anchor site1 site2",
     .soft = EQUALITY_SOFT},
    {.name = "weld",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active body1 body2 anchor relpose site1 site2",
     .soft = EQUALITY_SOFT " torquescale=1"},
    {.name = "joint",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active joint1 joint2 polycoef",
     .soft = EQUALITY_SOFT},
    {.name = "tendon",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active tendon1 tendon2 polycoef",
     .soft = EQUALITY_SOFT},
    {.name = "flex", .inside = "equality", .use = USE_PHYSICS},
    {.name = "flexvert", .inside = "equality", .use = USE_PHYSICS},
    {.name = "flexstrain", .inside = "equality", .use = USE_PHYSICS},
    {.name = "tendon", .inside = "mujoco", .use = USE_GROUP},
    {.name = "spatial",
     .inside = "tendon",
     .use = USE_READ,
     .read = "name class " TENDON,
     .soft = TENDON_SOFT,
     .other = TENDON_OTHER},
    {.name = "fixed",
     .inside = "tendon",
     .use = USE_READ,
     .read = "name class " TENDON,
     .soft = TENDON_SOFT,
     .other = TENDON_OTHER},
    {.name = "joint", .inside = "fixed", .use = USE_READ, .read = "joint coef"},
    {.name = "site", .inside = "spatial", .use = USE_READ, .read = "site"},
    {.name = "geom", .inside = "spatial", .use = USE_READ, .read = "geom sidesite"},
    {.name = "pulley", .inside = "spatial", .use = USE_READ, .read = "divisor"},

    {.name = "actuator", .inside = "mujoco", .use = USE_GROUP},
    ACTUATOR_RULE("motor", "", ""),
    ACTUATOR_RULE("position", "kp kv dampratio timeconst inheritrange", " input"),
    ACTUATOR_RULE("velocity", "kv", ""),
    ACTUATOR_RULE("intvelocity", "kp kv dampratio inheritrange", " input"),
    ACTUATOR_RULE("damper", "kv", ""),
    ACTUATOR_RULE("cylinder", "timeconst area diameter bias", ""),
    ACTUATOR_RULE("general",
                  "body dyntype gaintype biastype dynprm gainprm biasprm actdim actearly", ""),
    {.name = "orientation", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "pid", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "muscle", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "adhesion", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "dcmotor", .inside = "actuator default", .use = USE_PHYSICS},

    {.name = "keyframe", .inside = "mujoco", .use = USE_GROUP},
    {.name = "key",
     .inside = "keyframe",
     .use = USE_READ,
     .read = "name time qpos qvel act ctrl mpos mquat"},

    SENSOR("touch", "site"),
    SENSOR("accelerometer", "site"),
    SENSOR("velocimeter", "site"),
    SENSOR("gyro", "site"),
    SENSOR("force", "site"),
    SENSOR("torque", "site"),
    SENSOR("magnetometer", "site"),
    SENSOR("rangefinder", "site camera data"),
    SENSOR("jointpos", "joint"),
    SENSOR("jointvel", "joint"),
    SENSOR("ballquat", "joint"),
    SENSOR("ballangvel", "joint"),
    SENSOR("jointlimitpos", "joint"),
    SENSOR("jointlimitvel", "joint"),
    SENSOR("jointlimitfrc", "joint"),
    SENSOR("jointactuatorfrc", "joint"),
    SENSOR("actuatorpos", "actuator"),
    SENSOR("actuatorvel", "actuator"),
    SENSOR("actuatorfrc", "actuator"),
    SENSOR("framepos", "objtype objname reftype refname"),
    SENSOR("framequat", "objtype objname reftype refname"),
    SENSOR("framexaxis", "objtype objname reftype refname"),
    SENSOR("frameyaxis", "objtype objname reftype refname"),
    SENSOR("framezaxis", "objtype objname reftype refname"),
    SENSOR("framelinvel", "objtype objname reftype refname"),
    SENSOR("frameangvel", "objtype objname reftype refname"),
    SENSOR("framelinacc", "objtype objname"),
    SENSOR("frameangacc", "objtype objname"),
    SENSOR("subtreecom", "body"),
    SENSOR("subtreelinvel", "body"),
    SENSOR("subtreeangmom", "body"),
    SENSOR("insidesite", "site objtype objname"),
    SENSOR("distance", "geom1 geom2 body1 body2"),
    SENSOR("normal", "geom1 geom2 body1 body2"),
    SENSOR("fromto", "geom1 geom2 body1 body2"),
    SENSOR("e_potential", ""),
    SENSOR("e_kinetic", ""),
    SENSOR("clock", ""),
    {.name = "camprojection", .inside = "sensor", .use = USE_OUTPUT},
    {.name = "contact", .inside = "sensor", .use = USE_OUTPUT},
    {.name = "tactile", .inside = "sensor", .use = USE_OUTPUT},
    {.name = "user", .inside = "sensor", .use = USE_OUTPUT},
    {.name = "plugin", .inside = "sensor", .use = USE_OUTPUT},
    SENSOR("tendonpos", "tendon"),
    SENSOR("tendonvel", "tendon"),
    SENSOR("tendonactuatorfrc", "tendon"),
    SENSOR("tendonlimitpos", "tendon"),
    SENSOR("tendonlimitvel", "tendon"),
    SENSOR("tendonlimitfrc", "tendon"),

    {.name = "ut:contact",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "formulation solver directions tolerance relinearize=0 coordinates regularization=0 "
             "relaxation=0 "
             "scale_dt=false rho=0 mixed=false evaluate=start minnorm=false "
             "bounce impact simultaneous detection"},
    {.name = "ut:run", .inside = "mujoco", .use = USE_READ, .read = "time dt"},
    {.name = "ut:point", .inside = "mujoco", .use = USE_READ, .read = "site geom face friction"},
    {.name = "ut:motion", .inside = "mujoco", .use = USE_READ, .read = "body x y z rx ry rz"},
    {.name = "ut:spring",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "name site1 site2 stiffness length damping mode"},
};

const Rule* ut_mjcf_rules(int* count)
{
    *count = (int)(sizeof rules / sizeof rules[0]);
    return rules;
}
