// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the model module: the description, the table of attributes, messages, and
// the state of a compilation.
#ifndef UPTACK_MODEL_INTERNAL_H
#define UPTACK_MODEL_INTERNAL_H

#include <uptack/model.h>

#include "tolerances.h"

// MJCF's defaults of torsional and rolling friction, m.
static const double UT_DEFAULT_TORSIONAL = 0.005, UT_DEFAULT_ROLLING = 0.0001;

// ---- description --------------------------------------------------------------------------------

/// An array of items of one type that doubles when it is full.
typedef struct List {
    void* items;
    int count;
    int capacity;
} List;

struct utModelDef {
    utArena memory; ///< holds this struct, the lists and the strings; once a push failed, the
                    ///< description is incomplete
    const char* last_file; ///< file of the last origin: elements of one file share its name
    const char* name;
    utOptions options;
    List body; ///< the world first
    List joint;
    List mesh;
    List heights;
    List geom;
    List site;
    List point;
    List motion;
    List spring;
    List tendon;
    List actuator;
    List equality;
    List pair;
    List keyframe;
    List sensor;
    List exclude;
    List missing; ///< physics of the file that the description lacks
};

static inline utBodyDef* ut_model_body_def(const utModelDef* def, int i)
{
    return (utBodyDef*)def->body.items + i;
}

static inline utJointDef* ut_model_joint_def(const utModelDef* def, int i)
{
    return (utJointDef*)def->joint.items + i;
}

static inline utMeshDef* ut_model_mesh_def(const utModelDef* def, int i)
{
    return (utMeshDef*)def->mesh.items + i;
}

static inline utHeightsDef* ut_model_heights_def(const utModelDef* def, int i)
{
    return (utHeightsDef*)def->heights.items + i;
}

static inline utGeomDef* ut_model_geom_def(const utModelDef* def, int i)
{
    return (utGeomDef*)def->geom.items + i;
}

static inline utSiteDef* ut_model_site_def(const utModelDef* def, int i)
{
    return (utSiteDef*)def->site.items + i;
}

static inline utPointDef* ut_model_point_def(const utModelDef* def, int i)
{
    return (utPointDef*)def->point.items + i;
}

static inline utMotionDef* ut_model_motion_def(const utModelDef* def, int i)
{
    return (utMotionDef*)def->motion.items + i;
}

static inline utSpringDef* ut_model_spring_def(const utModelDef* def, int i)
{
    return (utSpringDef*)def->spring.items + i;
}

static inline utTendonDef* ut_model_tendon_def(const utModelDef* def, int i)
{
    return (utTendonDef*)def->tendon.items + i;
}

static inline utActuatorDef* ut_model_actuator_def(const utModelDef* def, int i)
{
    return (utActuatorDef*)def->actuator.items + i;
}

static inline utEqualityDef* ut_model_equality_def(const utModelDef* def, int i)
{
    return (utEqualityDef*)def->equality.items + i;
}

static inline utPairDef* ut_model_pair_def(const utModelDef* def, int i)
{
    return (utPairDef*)def->pair.items + i;
}

static inline utKeyframeDef* ut_model_keyframe_def(const utModelDef* def, int i)
{
    return (utKeyframeDef*)def->keyframe.items + i;
}

static inline utSensorDef* ut_model_sensor_def(const utModelDef* def, int i)
{
    return (utSensorDef*)def->sensor.items + i;
}

static inline utExcludeDef* ut_model_exclude_def(const utModelDef* def, int i)
{
    return (utExcludeDef*)def->exclude.items + i;
}

static inline utMissing* ut_model_missing_def(const utModelDef* def, int i)
{
    return (utMissing*)def->missing.items + i;
}

/// Is a body a mocap body, whose pose the caller or a prescribed motion sets?
bool ut_model_def_mocap(const utModelDef* def, int body);

/// Copy a string into the description; "" for NULL. @return NULL when memory is short
const char* ut_model_def_keep_text(utModelDef* def, const char* text);

// ---- attributes ---------------------------------------------------------------------------------

/// Kinds of elements with attributes, in the order in which ut_model_def_set searches for a name.
typedef enum ElementKind {
    ELEMENT_BODY,
    ELEMENT_JOINT,
    ELEMENT_GEOM,
    ELEMENT_SITE,
    ELEMENT_SPRING,
    ELEMENT_TENDON,
    ELEMENT_ACTUATOR,
    ELEMENT_EQUALITY,
    ELEMENT_PAIR,
    ELEMENT_OPTION,
    ELEMENT_COUNT
} ElementKind;

typedef enum AttributeKind {
    ATTRIBUTE_NUMBERS,
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_FLAG,
    ATTRIBUTE_WORD,
    ATTRIBUTE_CHOICE, ///< one of several names; an enum or an int
    ATTRIBUTE_INERTIA ///< a symmetric matrix, written xx yy zz (xy xz yz)
} AttributeKind;

/// The allowed values of numbers, which must be finite in any case.
typedef enum AttributeBound {
    BOUND_NONE,
    BOUND_NOT_NEGATIVE,
    BOUND_POSITIVE,
    BOUND_NOT_ZERO, ///< at least one of them is not 0: a direction, a rotation
    BOUND_FRACTION, ///< 0 ... 1
} AttributeBound;

/// An attribute of a def that text can set: its name, its type and its place in the def.
typedef struct Attribute {
    const char* name;
    const char* alias; ///< MJCF's name when it differs, or NULL
    AttributeKind kind;
    AttributeBound bound;
    int min_count, max_count;   ///< of numbers
    int choices;                ///< number of names to choose from
    const char* (*choice)(int); ///< the names
    size_t offset;              ///< of the field in the def
    size_t enables;             ///< offset of a flag that setting the field also sets, 0 for none
    bool inertial;              ///< exists only when utBodyDef.inertial is set
} Attribute;

/// @return the attributes of a kind of element; the last entry has no name
const Attribute* ut_model_attributes(ElementKind element);

/// "body", "joint" ...
const char* ut_model_element_kind_name(ElementKind element);

// ---- messages -----------------------------------------------------------------------------------

/// Report an invalid element with its place in a file.
#define UT_MODEL_FAIL(err, origin, ...) \
    ut_error_at((err), UT_ERR_ARGUMENT, (origin).file, (origin).line, 0, __VA_ARGS__)

enum { LABEL_SIZE = 96 };

/// The name of an element in messages: "body 'arm'", or "body #3" without a name.
typedef struct Label {
    char text[LABEL_SIZE];
} Label;

Label ut_model_label(const char* what, const char* name, int index);
Label ut_model_body_label(const utModelDef* def, int body);
Label ut_model_joint_label(const utModelDef* def, int joint);
Label ut_model_mesh_label(const utModelDef* def, int mesh);
Label ut_model_heights_label(const utModelDef* def, int heights);
Label ut_model_geom_label(const utModelDef* def, int geom);
Label ut_model_site_label(const utModelDef* def, int site);
Label ut_model_tendon_label(const utModelDef* def, int tendon);
Label ut_model_actuator_label(const utModelDef* def, int actuator);
Label ut_model_equality_label(const utModelDef* def, int equality);
Label ut_model_pair_label(const utModelDef* def, int pair);
Label ut_model_keyframe_label(const utModelDef* def, int keyframe);
Label ut_model_sensor_label(const utModelDef* def, int sensor);

/// The shortest text that reads back to a number.
typedef struct NumberText {
    char text[UT_NUMBER_SIZE];
} NumberText;

NumberText ut_model_number(double value);

// ---- impact laws --------------------------------------------------------------------------------

/// Values of utImpactLaw, because this module must not include impact.h: the first one and their
/// number.
enum { IMPACT_NEWTON = 0, IMPACT_LAWS = 3 };

// ---- checks of a description --------------------------------------------------------------------

/// Check everything that can be checked before compilation. After UT_OK all indices and kinds are
/// valid and all numbers are finite.
utStatus ut_model_check(const utModelDef* def, utError* err);

/// Check the numbers of one element against the table of attributes.
utStatus ut_model_check_attributes(ElementKind element, const void* item, Label label,
                                   utOrigin origin, utError* err);

/// Check points, motions, springs and the expressions of moving surfaces.
utStatus ut_model_check_points_motions_springs(const utModelDef* def, utError* err);
utStatus ut_model_check_bodies(const utModelDef* def, utError* err);
utStatus ut_model_check_joints(const utModelDef* def, utError* err);
utStatus ut_model_check_tendons(const utModelDef* def, utError* err);
utStatus ut_model_check_actuators(const utModelDef* def, utError* err);
utStatus ut_model_check_equalities(const utModelDef* def, utError* err);
utStatus ut_model_check_pairs(const utModelDef* def, utError* err);
utStatus ut_model_check_keyframes(const utModelDef* def, utError* err);
utStatus ut_model_check_sensors(const utModelDef* def, utError* err);

/// Check that a description fits its plane. Call this after all other checks but that of keyframes.
utStatus ut_model_check_planar(const utModelDef* def, utError* err);

/// Check that a range is ascending. @param name of the attribute
utStatus ut_model_check_range(const double range[2], const char* name, Label label, utOrigin origin,
                              utError* err);

/// Are all eigenvalues of a symmetric matrix above `bound`?
bool ut_model_definite(utMat3 A, double bound);

/// Check that a def comes from its def function. @param expected the cookie of this kind of def
utStatus ut_model_check_cookie(uint32_t cookie, uint32_t expected, Label label,
                               const char* function, utError* err);

// ---- compilation --------------------------------------------------------------------------------

/// A hash table of the names of one kind, with open addressing.
typedef struct NameTable {
    int* slot;     ///< index of an element, -1 when empty
    uint32_t mask; ///< number of slots, a power of two, minus 1
} NameTable;

typedef enum NamedKind {
    NAMED_BODY,
    NAMED_JOINT,
    NAMED_GEOM,
    NAMED_SITE,
    NAMED_TENDON,
    NAMED_ACTUATOR,
    NAMED_EQUALITY,
    NAMED_KEYFRAME,
    NAMED_SENSOR,
    NAMED_COUNT
} NamedKind;

/// A model with its memory and its tables of names. The public model is its first field.
typedef struct Compiled {
    utModel model;
    utArena memory; ///< holds this struct and everything that the model points to
    NameTable names[NAMED_COUNT];
} Compiled;

/// The arrays of the model under compilation, which utModel shows as const.
typedef struct ModelArrays {
    utModelBody* body;
    utModelJoint* joint;
    utModelGeom* geom;
    utModelSite* site;
    utModelPoint* point;
    utModelMotion* motion;
    utModelSpring* spring;
    utModelTendon* tendon;
    utModelActuator* actuator;
    utModelEquality* equality;
    utModelPair* pair;
    utModelKeyframe* keyframe;
    utModelSensor* sensor;
    utModelTree* tree;
    int *dof_parent, *dof_joint, *dof_body;
    double *dof_armature, *dof_damping;
    double *q0, *mocap_pos, *mocap_quat;
    int* exclude;
    utMissing* missing_part;
} ModelArrays;

/// Arrays that only the compilation needs.
typedef struct CompileScratch {
    int* described_joint;    ///< njoint: index in the description of a joint of the model
    int* joint_of_described; ///< njoint: index in the model of a described joint
    int* described_geom;     ///< ngeom: index in the description of a geom of the model
    int* first;              ///< nbody: counters of a counting sort by body
    int* subtree_end;        ///< nbody: one past the last body of the subtree
    utFrame* in_world;       ///< nbody: body to world in the modelled pose
    utInertia* welded;       ///< nbody: inertia of the body and everything welded to it
    int* exclude_spare;      ///< 2 nexclude: for sorting
    utModelPair* pair_spare; ///< npair: for sorting
    int* geom_of_described;  ///< ngeom: index in the model of a described geom
    int* moving;             ///< nv: of a tendon's path, how many elements a velocity moves
    utFrame* at_rest;        ///< nbody: body to world with joints at their springref
} CompileScratch;

/// Meshes and height fields of the description, and the geoms that refer to them.
typedef struct Assets {
    utModelDef def; ///< the description with geoms whose shape, pos and quat are final
    const struct MeshAsset**
        of_geom; ///< per described geom: the mesh that gives its mass; NULL: none
} Assets;

/// One compilation.
typedef struct Work {
    const utModelDef* def; ///< Assets.def
    Assets assets;
    utError* err;
    utArena keep; ///< becomes the model's memory
    Compiled* compiled;
    utModel* model;
    ModelArrays array;
    CompileScratch scratch;
    utArena* temporary; ///< memory that is free again after the compilation
} Work;

/// Check the assets of a description and every geom's references to them.
utStatus ut_model_check_assets(const utModelDef* def, utError* err);

/// Build the meshes, hulls and height fields that geoms refer to.
/// @param memory holds the result @param scratch another arena
utStatus ut_model_resolve_assets(const utModelDef* def, utArena* memory, utArena scratch,
                                 Assets* assets, utError* err);

/// Copy a string into the model; "" for NULL and when memory is short, which `keep` remembers.
const char* ut_model_keep_text(Work* work, const char* text);

/// Fill bodies, joints (ordered by body) with their places in q and v, and trees.
void ut_model_fill_tree(Work* work);

/// Fill geoms, ordered by body.
utStatus ut_model_fill_geoms(Work* work);

/// Copy the hull, mesh or height field of a geom, or share the copy of an earlier geom.
void ut_model_keep_shape(Work* work, int geom);

/// Check what depends on the joints of bodies: a free joint is the only joint of its body, a body
/// has at most 6 velocities, planes, meshes and height fields are fixed, and distances are finite.
utStatus ut_model_check_moving(Work* work);

/// Fill masses and inertias, and reject moving bodies without them.
utStatus ut_model_fill_inertia(Work* work);

/// Fill utModelJoint.reach.
utStatus ut_model_fill_reach(Work* work);

/// Replace stiffness and damping of joints with a springdamper. @return UT_ERR_MEMORY
utStatus ut_model_fill_spring_dampers(Work* work);

/// Velocity of a point, and angular velocity, for one unit of velocity i at the modelled pose.
utMotion ut_model_unit_motion(const Work* work, int i, utVec3 point);
void ut_model_fill_sites(Work* work);

void ut_model_fill_points_motions_springs(Work* work);
void ut_model_fill_tendons(Work* work);

/// Keep the velocities that are marked in scratch.moving, ascending.
void ut_model_keep_velocities(Work* work, int* terms, const int** index);
void ut_model_fill_actuators(Work* work);

/// Does a velocity move a body?
bool ut_model_moves(const Work* work, int dof, int body);

/// The damping 2 ratio sqrt(kp m), with the sum m over the velocities of inertia over the square of
/// the moment in the modelled pose, which is MuJoCo's rule.
double ut_model_damping_of_ratio(const Work* work, const utModelActuator* actuator, double kp,
                                 double ratio);

/// What an actuator drives.
utTransmission ut_model_transmission(const utActuatorDef* a);

/// The dynamics that an actuator has by its kind.
utActuatorDynamics ut_model_actuator_dynamics(const utActuatorDef* def);

void ut_model_fill_excludes(Work* work);

/// Fill explicit pairs, sorted by geoms. @return UT_ERR_ARGUMENT when two geoms have two pairs
utStatus ut_model_fill_pairs(Work* work);

/// The largest distance, in the modelled pose, from a point of the world to the centre of mass of a
/// body or to the bounding sphere of one of its geoms; 0 for none.
double ut_model_body_reach(const Work* work, int body, utVec3 anchor);

/// Fill the frames and the reach of equalities. @return UT_ERR_ARGUMENT when one is between bodies
/// that cannot move against each other
utStatus ut_model_fill_equalities(Work* work);
utStatus ut_model_fill_keyframes(Work* work);
void ut_model_fill_sensors(Work* work);

/// Build the tables of names. @return UT_ERR_ARGUMENT when two elements of one kind share a name,
/// UT_ERR_MEMORY
utStatus ut_model_fill_names(Work* work);

uint64_t ut_model_hash(const utModel* model);

// ---- planar worlds ------------------------------------------------------------------------------

/// The kind that a described joint has in the model: a free joint of a planar world becomes a planar
/// joint or a particle.
utJointKind ut_model_joint_kind(const utModelDef* def, int joint);

/// Remove the part of a unit quaternion that turns out of the plane; nothing in space.
/// @return false when that part is larger than PLANE_TOLERANCE
bool ut_model_flat_quat(utPlanar planar, utQuat quat, utQuat* flat);

/// The angle of a unit quaternion about the normal, in [-pi, pi].
double ut_model_flat_angle(utPlanar planar, utQuat quat);

/// The unit axis of a hinge or slide, rotated exactly onto the normal or into the plane; unchanged
/// in space.
utVec3 ut_model_flat_axis(utPlanar planar, utJointKind kind, utVec3 axis);

/// The component of gravity in the plane; all of it in space.
utVec3 ut_model_flat_gravity(utPlanar planar, utVec3 gravity);

/// Does a geom's shape have a figure in the plane?
bool ut_model_has_figure(utPlanar planar, const utGeomDef* geom);

/// Fill the plane figure of the model's geom i, if it has one.
void ut_model_fill_figure(Work* work, int i);

/// Does a joint of this kind move its body freely, in space or in the plane?
static inline bool ut_model_is_free(utJointKind kind)
{
    return kind == UT_JOINT_FREE || kind == UT_JOINT_PLANAR || kind == UT_JOINT_PARTICLE;
}

// ---- positions ----------------------------------------------------------------------------------

/// unit = q / |q| without overflow; a q that is a unit up to rounding keeps its bits.
/// @return false when q is zero or not finite
bool ut_model_unit(utQuat q, utQuat* unit);

static inline utQuat ut_model_load_quat(const double* q)
{
    return ut_quat(q[0], q[1], q[2], q[3]);
}

static inline void ut_model_store_quat(utQuat quat, double* q)
{
    q[0] = quat.w;
    q[1] = quat.x;
    q[2] = quat.y;
    q[3] = quat.z;
}

static inline utVec3 ut_model_load_vec3(const double* a)
{
    return ut_vec3(a[0], a[1], a[2]);
}

static inline void ut_model_store_vec3(utVec3 v, double* a)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

#endif
