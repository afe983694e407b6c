// SPDX-License-Identifier: Apache-2.0
// Defaults of everything that can be described, and the names of kinds.
#include "internal.h"

utBodyDef ut_body_def(void)
{
    return (utBodyDef){
        .quat = ut_quat_identity(),
        .cookie = UT_BODY_DEF_COOKIE,
    };
}

utJointDef ut_joint_def(int body, utJointKind kind)
{
    return (utJointDef){
        .body = body,
        .kind = kind,
        .axis = ut_vec3(0.0, 0.0, 1.0),
        .cookie = UT_JOINT_DEF_COOKIE,
    };
}

utMeshDef ut_mesh_def(void)
{
    return (utMeshDef){
        .scale = ut_vec3(1.0, 1.0, 1.0),
        .refquat = ut_quat_identity(),
        .inertia = UT_MESH_INERTIA_LEGACY,
        .max_hull_vertices = -1,
        .cookie = UT_MESH_DEF_COOKIE,
    };
}

utHeightsDef ut_heights_def(void)
{
    return (utHeightsDef){.cookie = UT_HEIGHTS_DEF_COOKIE};
}

utGeomDef ut_geom_def(int body, utShapeKind kind, utVec3 size)
{
    return (utGeomDef){
        .body = body,
        .shape = ut_shape(kind, size),
        .quat = ut_quat_identity(),
        .mass = -1.0,
        .density = 1000.0,
        .condim = 3,
        .friction = 1.0,
        .torsional = UT_DEFAULT_TORSIONAL,
        .rolling = UT_DEFAULT_ROLLING,
        .kinetic = -1.0,
        .contype = 1,
        .conaffinity = 1,
        .rgba = {0.5, 0.5, 0.5, 1.0},
        .mesh = -1,
        .fit_scale = 1.0,
        .heights = -1,
        .cookie = UT_GEOM_DEF_COOKIE,
    };
}

utSiteDef ut_site_def(int body)
{
    return (utSiteDef){
        .body = body,
        .quat = ut_quat_identity(),
        .shape = ut_shape(UT_SHAPE_SPHERE, ut_vec3(0.005, 0.005, 0.005)),
        .rgba = {0.5, 0.5, 0.5, 1.0},
        .cookie = UT_SITE_DEF_COOKIE,
    };
}

utPointDef ut_point_def(int site, int geom, utFace face)
{
    return (utPointDef){
        .site = site,
        .geom = geom,
        .face = face,
        .friction = -1.0,
        .cookie = UT_POINT_DEF_COOKIE,
    };
}

utMotionDef ut_motion_def(int body)
{
    return (utMotionDef){
        .body = body,
        .sequence = "xyz",
        .cookie = UT_MOTION_DEF_COOKIE,
    };
}

utSpringDef ut_spring_def(int site1, int site2)
{
    return (utSpringDef){
        .site1 = site1,
        .site2 = site2,
        .cookie = UT_SPRING_DEF_COOKIE,
    };
}

utActuatorDef ut_actuator_def(int joint, utActuatorKind kind)
{
    const bool filters = kind == UT_ACTUATOR_CYLINDER || kind == UT_ACTUATOR_GENERAL;
    return (utActuatorDef){
        .joint = joint,
        .equality = -1,
        .tendon = -1,
        .site = -1,
        .ref_site = -1,
        .crank_site = -1,
        .slider_site = -1,
        .kind = kind,
        .gear = 1.0,
        .kp = 1.0,
        .kv = kind == UT_ACTUATOR_VELOCITY ? 1.0 : 0.0,
        .gain = {1.0},
        .time_constant = filters ? 1.0 : 0.0,
        .cookie = UT_ACTUATOR_DEF_COOKIE,
    };
}

utEqualityDef ut_equality_def(utEqualityKind kind, int body1, int body2)
{
    return (utEqualityDef){
        .kind = kind,
        .body1 = body1,
        .body2 = body2,
        .axis = ut_vec3(0.0, 0.0, 1.0),
        .active = true,
        .site1 = -1,
        .site2 = -1,
        .element1 = -1,
        .element2 = -1,
        .polycoef = {0.0, 1.0, 0.0, 0.0, 0.0},
        .cookie = UT_EQUALITY_DEF_COOKIE,
    };
}

utPairDef ut_pair_def(int geom1, int geom2)
{
    return (utPairDef){
        .geom1 = geom1,
        .geom2 = geom2,
        .condim = 3,
        .friction = {1.0, 1.0, 0.005, 0.0001, 0.0001},
        .kinetic = -1.0,
        .restitution = -1.0,
        .cookie = UT_PAIR_DEF_COOKIE,
    };
}

utSensorDef ut_sensor_def(utSensorKind kind, utObjectKind object, int index)
{
    return (utSensorDef){
        .kind = kind,
        .object = object,
        .index = index,
        .cookie = UT_SENSOR_DEF_COOKIE,
    };
}

utTendonDef ut_tendon_def(utTendonKind kind)
{
    return (utTendonDef){
        .kind = kind,
        .spring_length = {-1.0, -1.0},
        .cookie = UT_TENDON_DEF_COOKIE,
    };
}

utOptions ut_options(void)
{
    return (utOptions){
        .dt = 0.002,
        .gravity = ut_vec3(0.0, 0.0, -9.81),
        .integrator = UT_INTEGRATOR_EULER,
        .time = 1.0,
        .tolerance = 1e-8,
        .magnetic = ut_vec3(0.0, -0.5, 0.0),
        .formulation = -1,
        .solver = "auto",
        .directions = 8,
        .bounce = 0.1,
        .impact = -1,
        .simultaneous = -1,
        .cookie = UT_OPTIONS_COOKIE,
    };
}

const char* ut_joint_kind_name(utJointKind kind)
{
    switch (kind) {
    case UT_JOINT_FREE:
        return "free";
    case UT_JOINT_BALL:
        return "ball";
    case UT_JOINT_HINGE:
        return "hinge";
    case UT_JOINT_SLIDE:
        return "slide";
    case UT_JOINT_PLANAR:
        return "planar";
    case UT_JOINT_PARTICLE:
        return "particle";
    case UT_JOINT_KIND_COUNT:
        break;
    }
    return "unknown";
}

const char* ut_face_name(utFace face)
{
    static const char* const names[UT_FACE_COUNT] = {
        [UT_FACE_PLANE] = "plane", [UT_FACE_MINUS_X] = "-x", [UT_FACE_PLUS_X] = "+x",
        [UT_FACE_MINUS_Y] = "-y",  [UT_FACE_PLUS_Y] = "+y",  [UT_FACE_MINUS_Z] = "-z",
        [UT_FACE_PLUS_Z] = "+z",
    };
    return (unsigned)face < UT_FACE_COUNT ? names[face] : "unknown";
}

const char* ut_mesh_inertia_name(utMeshInertia inertia)
{
    static const char* const names[UT_MESH_INERTIA_COUNT] = {
        [UT_MESH_INERTIA_LEGACY] = "legacy",
        [UT_MESH_INERTIA_EXACT] = "exact",
        [UT_MESH_INERTIA_CONVEX] = "convex",
        [UT_MESH_INERTIA_SHELL] = "shell",
    };
    return (unsigned)inertia < UT_MESH_INERTIA_COUNT ? names[inertia] : "unknown";
}

const char* ut_actuator_kind_name(utActuatorKind kind)
{
    static const char* const names[UT_ACTUATOR_KIND_COUNT] = {
        [UT_ACTUATOR_MOTOR] = "motor",       [UT_ACTUATOR_POSITION] = "position",
        [UT_ACTUATOR_VELOCITY] = "velocity", [UT_ACTUATOR_INTVELOCITY] = "intvelocity",
        [UT_ACTUATOR_DAMPER] = "damper",     [UT_ACTUATOR_CYLINDER] = "cylinder",
        [UT_ACTUATOR_GENERAL] = "general",
    };
    return (unsigned)kind < UT_ACTUATOR_KIND_COUNT ? names[kind] : "unknown";
}

const char* ut_actuator_dynamics_name(utActuatorDynamics dynamics)
{
    static const char* const names[UT_DYNAMICS_COUNT] = {
        [UT_DYNAMICS_NONE] = "none",
        [UT_DYNAMICS_INTEGRATOR] = "integrator",
        [UT_DYNAMICS_FILTER] = "filter",
        [UT_DYNAMICS_FILTER_EXACT] = "filterexact",
    };
    return (unsigned)dynamics < UT_DYNAMICS_COUNT ? names[dynamics] : "unknown";
}

const char* ut_tendon_kind_name(utTendonKind kind)
{
    static const char* const names[UT_TENDON_KIND_COUNT] = {
        [UT_TENDON_FIXED] = "fixed",
        [UT_TENDON_SPATIAL] = "spatial",
    };
    return (unsigned)kind < UT_TENDON_KIND_COUNT ? names[kind] : "unknown";
}

const char* ut_equality_kind_name(utEqualityKind kind)
{
    switch (kind) {
    case UT_EQUALITY_CONNECT:
        return "connect";
    case UT_EQUALITY_WELD:
        return "weld";
    case UT_EQUALITY_BALL:
        return "ball";
    case UT_EQUALITY_HINGE:
        return "hinge";
    case UT_EQUALITY_SLIDE:
        return "slide";
    case UT_EQUALITY_JOINT:
        return "joint";
    case UT_EQUALITY_TENDON:
        return "tendon";
    case UT_EQUALITY_KIND_COUNT:
        break;
    }
    return "unknown";
}

const char* ut_coordinates_name(utCoordinates coordinates)
{
    switch (coordinates) {
    case UT_COORDINATES_GENERALIZED:
        return "generalized";
    case UT_COORDINATES_MAXIMAL:
        return "maximal";
    case UT_COORDINATES_COUNT:
        break;
    }
    return "unknown";
}

const char* ut_integrator_name(utIntegrator integrator)
{
    switch (integrator) {
    case UT_INTEGRATOR_EULER:
        return "Euler";
    case UT_INTEGRATOR_RK4:
        return "RK4";
    case UT_INTEGRATOR_IMPLICIT:
        return "implicit";
    case UT_INTEGRATOR_MIDPOINT:
        return "midpoint";
    case UT_INTEGRATOR_COUNT:
        break;
    }
    return "unknown";
}

const char* ut_planar_name(utPlanar planar)
{
    switch (planar) {
    case UT_PLANAR_NONE:
        return "none";
    case UT_PLANAR_XY:
        return "xy";
    case UT_PLANAR_XZ:
        return "xz";
    case UT_PLANAR_YZ:
        return "yz";
    case UT_PLANAR_COUNT:
        break;
    }
    return "unknown";
}

int ut_joint_positions(utJointKind kind)
{
    switch (kind) {
    case UT_JOINT_FREE:
        return 7;
    case UT_JOINT_BALL:
        return 4;
    case UT_JOINT_PLANAR:
        return 3;
    case UT_JOINT_PARTICLE:
        return 2;
    case UT_JOINT_HINGE:
    case UT_JOINT_SLIDE:
        return 1;
    case UT_JOINT_KIND_COUNT:
        break;
    }
    return 0;
}

int ut_joint_velocities(utJointKind kind)
{
    switch (kind) {
    case UT_JOINT_FREE:
        return 6;
    case UT_JOINT_BALL:
    case UT_JOINT_PLANAR:
        return 3;
    case UT_JOINT_PARTICLE:
        return 2;
    case UT_JOINT_HINGE:
    case UT_JOINT_SLIDE:
        return 1;
    case UT_JOINT_KIND_COUNT:
        break;
    }
    return 0;
}

const char* ut_simultaneous_name(utSimultaneous simultaneous)
{
    static const char* const names[UT_SIMULTANEOUS_COUNT] = {
        [UT_SIMULTANEOUS_MOREAU] = "moreau",
        [UT_SIMULTANEOUS_POISSON] = "poisson",
        [UT_SIMULTANEOUS_PROPAGATE] = "propagate",
    };
    return (unsigned)simultaneous < UT_SIMULTANEOUS_COUNT ? names[simultaneous] : "";
}

const char* ut_detection_name(utDetection detection)
{
    static const char* const names[UT_DETECTION_COUNT] = {
        [UT_DETECTION_LOCATED] = "located",
        [UT_DETECTION_STEP] = "step",
    };
    return (unsigned)detection < UT_DETECTION_COUNT ? names[detection] : "";
}
