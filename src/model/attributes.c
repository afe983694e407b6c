// SPDX-License-Identifier: Apache-2.0
// The attributes of every kind of element: one table for setting them by name and checking them.
#include "internal.h"

#include <stddef.h>

#define AT(type, field) .offset = offsetof(type, field)
#define ENABLES(type, field) .enables = offsetof(type, field)
#define NUMBERS(from, to) .kind = ATTRIBUTE_NUMBERS, .min_count = (from), .max_count = (to)
#define NUMBER NUMBERS(1, 1)
#define ABOVE_ZERO .bound = BOUND_POSITIVE
#define FROM_ZERO .bound = BOUND_NOT_NEGATIVE
#define NOT_ZERO .bound = BOUND_NOT_ZERO
#define ZERO_TO_ONE .bound = BOUND_FRACTION
#define FLAG .kind = ATTRIBUTE_FLAG
#define INTEGER .kind = ATTRIBUTE_INTEGER
#define CHOICE(name_at, count) .kind = ATTRIBUTE_CHOICE, .choices = (count), .choice = (name_at)

// ---- names --------------------------------------------------------------------------------------

static const char* integrator_name(int i)
{
    return ut_integrator_name((utIntegrator)i);
}

static const char* formulation_name(int i)
{
    return ut_formulation_name((utFormulation)i);
}

static const char* coordinates_name(int i)
{
    return ut_coordinates_name((utCoordinates)i);
}

static const char* planar_name(int i)
{
    return ut_planar_name((utPlanar)i);
}

// Names of utImpactLaw in its order.
static const char* impact_name(int i)
{
    static const char* const names[IMPACT_LAWS] = {"newton", "poisson", "stronge"};
    return names[i];
}

static const char* simultaneous_name(int i)
{
    return ut_simultaneous_name((utSimultaneous)i);
}

static const char* detection_name(int i)
{
    return ut_detection_name((utDetection)i);
}

static const char* dynamics_name(int i)
{
    return ut_actuator_dynamics_name((utActuatorDynamics)i);
}

// ---- tables -------------------------------------------------------------------------------------

static const Attribute body_attributes[] = {
    {"pos", NULL, NUMBERS(3, 3), AT(utBodyDef, pos)},
    {"quat", NULL, NUMBERS(4, 4), NOT_ZERO, AT(utBodyDef, quat)},
    {"mass", NULL, NUMBER, FROM_ZERO, AT(utBodyDef, mass), .inertial = true},
    {"com", NULL, NUMBERS(3, 3), AT(utBodyDef, com), .inertial = true},
    {"inertia", NULL, .kind = ATTRIBUTE_INERTIA, AT(utBodyDef, inertia), .inertial = true},
    {"mocap", NULL, FLAG, AT(utBodyDef, mocap)},
    {"fast", NULL, FLAG, AT(utBodyDef, fast)},
    {"gravcomp", NULL, NUMBER, AT(utBodyDef, gravcomp)},
    {0},
};

static const Attribute joint_attributes[] = {
    {"pos", NULL, NUMBERS(3, 3), AT(utJointDef, pos)},
    {"axis", NULL, NUMBERS(3, 3), AT(utJointDef, axis)},
    {"limited", NULL, FLAG, AT(utJointDef, limited)},
    {"range", NULL, NUMBERS(2, 2), AT(utJointDef, range), ENABLES(utJointDef, limited)},
    {"ref", NULL, NUMBER, AT(utJointDef, ref)},
    {"stiffness", NULL, NUMBER, FROM_ZERO, AT(utJointDef, stiffness)},
    {"springref", NULL, NUMBER, AT(utJointDef, springref)},
    {"damping", NULL, NUMBER, FROM_ZERO, AT(utJointDef, damping)},
    {"armature", NULL, NUMBER, FROM_ZERO, AT(utJointDef, armature)},
    {"frictionloss", NULL, NUMBER, FROM_ZERO, AT(utJointDef, frictionloss)},
    {"actuator_force_limited", "actuatorfrclimited", FLAG, AT(utJointDef, actuator_force_limited)},
    {"actuator_force_range", "actuatorfrcrange", NUMBERS(2, 2),
     AT(utJointDef, actuator_force_range), ENABLES(utJointDef, actuator_force_limited)},
    {"actuator_gravcomp", "actuatorgravcomp", FLAG, AT(utJointDef, actuator_gravcomp)},
    {"stiffness_poly", NULL, NUMBERS(2, 2), AT(utJointDef, stiffness_poly)},
    {"damping_poly", NULL, NUMBERS(2, 2), FROM_ZERO, AT(utJointDef, damping_poly)},
    {"springdamper", NULL, NUMBERS(2, 2), FROM_ZERO, AT(utJointDef, springdamper)},
    {0},
};

static const Attribute geom_attributes[] = {
    {"size", NULL, NUMBERS(1, 3), AT(utGeomDef, shape.size)},
    {"pos", NULL, NUMBERS(3, 3), AT(utGeomDef, pos)},
    {"quat", NULL, NUMBERS(4, 4), NOT_ZERO, AT(utGeomDef, quat)},
    {"mass", NULL, NUMBER, AT(utGeomDef, mass)},
    {"density", NULL, NUMBER, FROM_ZERO, AT(utGeomDef, density)},
    {"condim", NULL, INTEGER, AT(utGeomDef, condim)},
    {"friction", NULL, NUMBER, FROM_ZERO, AT(utGeomDef, friction)},
    {"torsional", NULL, NUMBER, FROM_ZERO, AT(utGeomDef, torsional)},
    {"rolling", NULL, NUMBER, FROM_ZERO, AT(utGeomDef, rolling)},
    {"kinetic", NULL, NUMBER, AT(utGeomDef, kinetic)},
    {"restitution", NULL, NUMBER, ZERO_TO_ONE, AT(utGeomDef, restitution)},
    {"surface_velocity", NULL, NUMBERS(3, 3), AT(utGeomDef, surface_velocity)},
    {"surface_spin", NULL, NUMBERS(3, 3), AT(utGeomDef, surface_spin)},
    {"margin", NULL, NUMBER, FROM_ZERO, AT(utGeomDef, margin)},
    {"priority", NULL, INTEGER, AT(utGeomDef, priority)},
    {"contype", NULL, INTEGER, AT(utGeomDef, contype)},
    {"conaffinity", NULL, INTEGER, AT(utGeomDef, conaffinity)},
    {"group", NULL, INTEGER, AT(utGeomDef, group)},
    {0},
};

static const Attribute site_attributes[] = {
    {"pos", NULL, NUMBERS(3, 3), AT(utSiteDef, pos)},
    {"quat", NULL, NUMBERS(4, 4), NOT_ZERO, AT(utSiteDef, quat)},
    {0},
};

static const Attribute spring_attributes[] = {
    {"stiffness", NULL, NUMBER, FROM_ZERO, AT(utSpringDef, stiffness)},
    {"length", NULL, NUMBER, FROM_ZERO, AT(utSpringDef, length)},
    {"damping", NULL, NUMBER, FROM_ZERO, AT(utSpringDef, damping)},
    {"full", NULL, FLAG, AT(utSpringDef, full)},
    {0},
};

static const Attribute tendon_attributes[] = {
    {"limited", NULL, FLAG, AT(utTendonDef, limited)},
    {"range", NULL, NUMBERS(2, 2), AT(utTendonDef, range), ENABLES(utTendonDef, limited)},
    {"margin", NULL, NUMBER, FROM_ZERO, AT(utTendonDef, margin)},
    {"frictionloss", NULL, NUMBER, FROM_ZERO, AT(utTendonDef, frictionloss)},
    {"stiffness", NULL, NUMBER, FROM_ZERO, AT(utTendonDef, stiffness)},
    {"stiffness_poly", NULL, NUMBERS(2, 2), AT(utTendonDef, stiffness_poly)},
    {"damping", NULL, NUMBER, FROM_ZERO, AT(utTendonDef, damping)},
    {"damping_poly", NULL, NUMBERS(2, 2), AT(utTendonDef, damping_poly)},
    {"armature", NULL, NUMBER, FROM_ZERO, AT(utTendonDef, armature)},
    {"spring_length", "springlength", NUMBERS(2, 2), AT(utTendonDef, spring_length)},
    {"actuator_force_limited", "actuatorfrclimited", FLAG, AT(utTendonDef, actuator_force_limited)},
    {"actuator_force_range", "actuatorfrcrange", NUMBERS(2, 2),
     AT(utTendonDef, actuator_force_range), ENABLES(utTendonDef, actuator_force_limited)},
    {0},
};

static const Attribute actuator_attributes[] = {
    {"gear", NULL, NUMBERS(1, 6), AT(utActuatorDef, gear)}, // more_gear follows gear
    {"kp", NULL, NUMBER, FROM_ZERO, AT(utActuatorDef, kp)},
    {"kv", NULL, NUMBER, FROM_ZERO, AT(utActuatorDef, kv)},
    {"dampratio", NULL, NUMBER, FROM_ZERO, AT(utActuatorDef, dampratio)},
    {"gain", "gainprm", NUMBERS(1, 3), AT(utActuatorDef, gain)},
    {"bias", "biasprm", NUMBERS(1, 3), AT(utActuatorDef, bias)},
    {"dynamics", "dyntype", CHOICE(dynamics_name, UT_DYNAMICS_COUNT), AT(utActuatorDef, dynamics)},
    {"time_constant", "timeconst", NUMBER, FROM_ZERO, AT(utActuatorDef, time_constant)},
    {"crank_length", "cranklength", NUMBER, FROM_ZERO, AT(utActuatorDef, crank_length)},
    {"act_early", "actearly", FLAG, AT(utActuatorDef, act_early)},
    {"act_limited", "actlimited", FLAG, AT(utActuatorDef, act_limited)},
    {"act_range", "actrange", NUMBERS(2, 2), AT(utActuatorDef, act_range),
     ENABLES(utActuatorDef, act_limited)},
    {"ctrl_limited", "ctrllimited", FLAG, AT(utActuatorDef, ctrl_limited)},
    {"ctrl_range", "ctrlrange", NUMBERS(2, 2), AT(utActuatorDef, ctrl_range),
     ENABLES(utActuatorDef, ctrl_limited)},
    {"force_limited", "forcelimited", FLAG, AT(utActuatorDef, force_limited)},
    {"force_range", "forcerange", NUMBERS(2, 2), AT(utActuatorDef, force_range),
     ENABLES(utActuatorDef, force_limited)},
    {0},
};

static const Attribute equality_attributes[] = {
    {"anchor", NULL, NUMBERS(3, 3), AT(utEqualityDef, anchor)},
    {"axis", NULL, NUMBERS(3, 3), AT(utEqualityDef, axis)},
    {"pos", NULL, NUMBERS(3, 3), AT(utEqualityDef, pos)},
    {"quat", NULL, NUMBERS(4, 4), AT(utEqualityDef, quat)},
    {"active", NULL, FLAG, AT(utEqualityDef, active)},
    {"ref", NULL, NUMBER, AT(utEqualityDef, ref)},
    {"limited", NULL, FLAG, AT(utEqualityDef, limited)},
    {"range", NULL, NUMBERS(2, 2), AT(utEqualityDef, range), ENABLES(utEqualityDef, limited)},
    {"frictionloss", NULL, NUMBER, FROM_ZERO, AT(utEqualityDef, frictionloss)},
    {"stiffness", NULL, NUMBER, FROM_ZERO, AT(utEqualityDef, stiffness)},
    {"springref", NULL, NUMBER, AT(utEqualityDef, springref)},
    {"damping", NULL, NUMBER, FROM_ZERO, AT(utEqualityDef, damping)},
    {"armature", NULL, NUMBER, FROM_ZERO, AT(utEqualityDef, armature)},
    {"polycoef", NULL, NUMBERS(1, 5), AT(utEqualityDef, polycoef)},
    {0},
};

static const Attribute pair_attributes[] = {
    {"condim", NULL, INTEGER, AT(utPairDef, condim)},
    {"friction", NULL, NUMBERS(2, 5), FROM_ZERO, AT(utPairDef, friction)},
    {"kinetic", NULL, NUMBER, AT(utPairDef, kinetic)},
    {"restitution", NULL, NUMBER, AT(utPairDef, restitution)},
    {"margin", NULL, NUMBER, FROM_ZERO, AT(utPairDef, margin)},
    {"gap", NULL, NUMBER, FROM_ZERO, AT(utPairDef, gap)},
    {0},
};

static const Attribute option_attributes[] = {
    {"dt", "timestep", NUMBER, ABOVE_ZERO, AT(utOptions, dt)},
    {"gravity", NULL, NUMBERS(3, 3), AT(utOptions, gravity)},
    {"integrator", NULL, CHOICE(integrator_name, UT_INTEGRATOR_COUNT), AT(utOptions, integrator)},
    {"time", NULL, NUMBER, FROM_ZERO, AT(utOptions, time)},
    {"tolerance", NULL, NUMBER, ABOVE_ZERO, AT(utOptions, tolerance)},
    {"formulation", NULL, CHOICE(formulation_name, UT_FORMULATION_COUNT),
     AT(utOptions, formulation)},
    {"solver", NULL, .kind = ATTRIBUTE_WORD, AT(utOptions, solver)},
    {"directions", NULL, INTEGER, AT(utOptions, directions)},
    {"relinearize", NULL, INTEGER, AT(utOptions, relinearize)},
    {"coordinates", NULL, CHOICE(coordinates_name, UT_COORDINATES_COUNT),
     AT(utOptions, coordinates)},
    {"planar", NULL, CHOICE(planar_name, UT_PLANAR_COUNT), AT(utOptions, planar)},
    {"parents_collide", NULL, FLAG, AT(utOptions, parents_collide)},
    {"regularization", NULL, NUMBER, FROM_ZERO, AT(utOptions, regularization)},
    {"relaxation", NULL, NUMBER, FROM_ZERO, AT(utOptions, relaxation)},
    {"scale_dt", NULL, FLAG, AT(utOptions, scale_dt)},
    {"mixed", NULL, FLAG, AT(utOptions, mixed)},
    {"rho", NULL, NUMBER, FROM_ZERO, AT(utOptions, rho)},
    {"minnorm", NULL, FLAG, AT(utOptions, minnorm)},
    {"midpoint", NULL, FLAG, AT(utOptions, midpoint)},
    {"bounce", NULL, NUMBER, FROM_ZERO, AT(utOptions, bounce)},
    {"impact", NULL, CHOICE(impact_name, IMPACT_LAWS), AT(utOptions, impact)},
    {"simultaneous", NULL, CHOICE(simultaneous_name, UT_SIMULTANEOUS_COUNT),
     AT(utOptions, simultaneous)},
    {"detection", NULL, CHOICE(detection_name, UT_DETECTION_COUNT), AT(utOptions, detection)},
    {"magnetic", NULL, NUMBERS(3, 3), AT(utOptions, magnetic)},
    {0},
};

const Attribute* ut_model_attributes(ElementKind element)
{
    static const Attribute* const table[ELEMENT_COUNT] = {
        [ELEMENT_BODY] = body_attributes,         [ELEMENT_JOINT] = joint_attributes,
        [ELEMENT_GEOM] = geom_attributes,         [ELEMENT_SITE] = site_attributes,
        [ELEMENT_SPRING] = spring_attributes,     [ELEMENT_TENDON] = tendon_attributes,
        [ELEMENT_ACTUATOR] = actuator_attributes, [ELEMENT_EQUALITY] = equality_attributes,
        [ELEMENT_PAIR] = pair_attributes,         [ELEMENT_OPTION] = option_attributes,
    };
    return table[element];
}

const char* ut_model_element_kind_name(ElementKind element)
{
    static const char* const name[ELEMENT_COUNT] = {
        [ELEMENT_BODY] = "body",         [ELEMENT_JOINT] = "joint",
        [ELEMENT_GEOM] = "geom",         [ELEMENT_SITE] = "site",
        [ELEMENT_SPRING] = "spring",     [ELEMENT_TENDON] = "tendon",
        [ELEMENT_ACTUATOR] = "actuator", [ELEMENT_EQUALITY] = "equality",
        [ELEMENT_PAIR] = "pair",         [ELEMENT_OPTION] = "option",
    };
    return name[element];
}
