// SPDX-License-Identifier: Apache-2.0
// What the files of the model module share: the description's memory, the table of attributes, the
// work of a compilation.
#ifndef UPTACK_MODEL_INTERNAL_H
#define UPTACK_MODEL_INTERNAL_H

#include <uptack/model.h>

// ---- description --------------------------------------------------------------------------------

/// An array of items of one type that doubles when it is full.
typedef struct List {
    void* items;
    int count;
    int capacity;
} List;

typedef struct ExcludeDef {
    int body1, body2;
    utOrigin origin;
} ExcludeDef;

struct utModelDef {
    utArena memory; ///< holds this struct, the lists and the strings; once a push failed, the
                    ///< description is incomplete
    const char* last_file; ///< file of the last origin: things of one file share its name
    const char* name;
    int missing; ///< elements of the file's physics that the description lacks
    utOptions options;
    List body; ///< the world first
    List joint;
    List geom;
    List site;
    List point;
    List motion;
    List spring;
    List actuator;
    List equality;
    List keyframe;
    List exclude;
};

static inline utBodyDef* ut_model_body_def(const utModelDef* def, int i)
{
    return (utBodyDef*)def->body.items + i;
}

static inline utJointDef* ut_model_joint_def(const utModelDef* def, int i)
{
    return (utJointDef*)def->joint.items + i;
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

static inline utActuatorDef* ut_model_actuator_def(const utModelDef* def, int i)
{
    return (utActuatorDef*)def->actuator.items + i;
}

static inline utEqualityDef* ut_model_equality_def(const utModelDef* def, int i)
{
    return (utEqualityDef*)def->equality.items + i;
}

static inline utKeyframeDef* ut_model_keyframe_def(const utModelDef* def, int i)
{
    return (utKeyframeDef*)def->keyframe.items + i;
}

static inline ExcludeDef* ut_model_exclude_def(const utModelDef* def, int i)
{
    return (ExcludeDef*)def->exclude.items + i;
}

/// Is a body's pose an input, or a function of the time?
bool ut_model_def_mocap(const utModelDef* def, int body);

/// Copy a string into the description; "" for NULL. @return NULL when memory is short
const char* ut_model_def_keep_text(utModelDef* def, const char* text);

// ---- attributes ---------------------------------------------------------------------------------

/// Things with attributes, in the order in which ut_model_def_set looks for a name.
typedef enum Thing {
    THING_BODY,
    THING_JOINT,
    THING_GEOM,
    THING_SITE,
    THING_SPRING,
    THING_ACTUATOR,
    THING_EQUALITY,
    THING_OPTION,
    THING_COUNT
} Thing;

typedef enum AttributeKind {
    ATTRIBUTE_NUMBERS,
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_FLAG,
    ATTRIBUTE_WORD,
    ATTRIBUTE_CHOICE, ///< one of several names; an enum or an int
    ATTRIBUTE_INERTIA ///< a symmetric matrix, written xx yy zz (xy xz yz)
} AttributeKind;

/// What numbers may be, besides finite.
typedef enum AttributeBound {
    BOUND_NONE,
    BOUND_NOT_NEGATIVE,
    BOUND_POSITIVE,
    BOUND_NOT_ZERO, ///< not all of them: a direction, a rotation
    BOUND_FRACTION, ///< 0 ... 1
} AttributeBound;

typedef struct Attribute {
    const char* name;
    const char* alias; ///< MJCF's word when it is another one, or NULL
    AttributeKind kind;
    AttributeBound bound;
    int least, most;            ///< how many numbers
    int choices;                ///< how many names,
    const char* (*choice)(int); ///< and what they are
    size_t offset;              ///< in the thing's def
    size_t enables;             ///< where the flag is that giving this one sets, 0 for none
    bool inertial;              ///< only with utBodyDef.inertial
} Attribute;

/// @return the attributes of a thing, ended by one without a name
const Attribute* ut_model_attributes(Thing thing);

/// "body", "joint" ...
const char* ut_model_thing_name(Thing thing);

// ---- messages -----------------------------------------------------------------------------------

/// Say what cannot be, with its place in a file.
#define UT_MODEL_FAIL(err, origin, ...) \
    ut_error_at((err), UT_ERR_ARGUMENT, (origin).file, (origin).line, 0, __VA_ARGS__)

enum { LABEL_SIZE = 96 };

/// How a message calls a thing: "body 'arm'", or "body #3" without a name.
typedef struct Label {
    char text[LABEL_SIZE];
} Label;

Label ut_model_label(const char* what, const char* name, int index);
Label ut_model_body_label(const utModelDef* def, int body);
Label ut_model_joint_label(const utModelDef* def, int joint);
Label ut_model_geom_label(const utModelDef* def, int geom);
Label ut_model_site_label(const utModelDef* def, int site);
Label ut_model_actuator_label(const utModelDef* def, int actuator);
Label ut_model_equality_label(const utModelDef* def, int equality);
Label ut_model_keyframe_label(const utModelDef* def, int keyframe);

/// A number as short as it can be written.
typedef struct NumberText {
    char text[UT_NUMBER_SIZE];
} NumberText;

NumberText ut_model_number(double value);

// ---- checks that need the description alone -----------------------------------------------------

/// Everything that can be said before anything is computed. After UT_OK all indices and kinds are
/// valid and all numbers are finite.
utStatus ut_model_check(const utModelDef* def, utError* err);

/// One thing's numbers against the table.
utStatus ut_model_check_attributes(Thing thing, const void* item, Label label, utOrigin origin,
                                   utError* err);

/// Points, motions, springs and moving surfaces, expressions among them.
utStatus ut_model_check_extras(const utModelDef* def, utError* err);
utStatus ut_model_check_bodies(const utModelDef* def, utError* err);
utStatus ut_model_check_joints(const utModelDef* def, utError* err);
utStatus ut_model_check_equalities(const utModelDef* def, utError* err);
utStatus ut_model_check_keyframes(const utModelDef* def, utError* err);

/// What planar worlds ask: frames turned about the normal, axes, figures; after all the others but
/// keyframes.
utStatus ut_model_check_planar(const utModelDef* def, utError* err);

/// A range that must run upward. @param name "range" or the like
utStatus ut_model_check_range(const double range[2], const char* name, Label label, utOrigin origin,
                              utError* err);

/// Are all eigenvalues of a symmetric matrix above `least`?
bool ut_model_definite(utMat3 A, double least);

/// Does a def come from its function?
utStatus ut_model_check_cookie(uint32_t cookie, Label label, const char* function, utError* err);

// ---- compilation --------------------------------------------------------------------------------

/// Names of one kind: open addressing, entries are indices or -1.
typedef struct NameTable {
    int* slot;
    uint32_t mask; ///< slots - 1, their number is a power of two
} NameTable;

typedef enum NamedKind {
    NAMED_BODY,
    NAMED_JOINT,
    NAMED_GEOM,
    NAMED_SITE,
    NAMED_ACTUATOR,
    NAMED_EQUALITY,
    NAMED_KEYFRAME,
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
    utModelActuator* actuator;
    utModelEquality* equality;
    utModelKeyframe* keyframe;
    utModelTree* tree;
    int *dof_parent, *dof_joint, *dof_body;
    double *dof_armature, *dof_damping;
    double *q0, *mocap_pos, *mocap_quat;
    int* exclude;
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
} CompileScratch;

/// One compilation.
typedef struct Work {
    const utModelDef* def;
    utError* err;
    utArena keep; ///< becomes the model's memory
    Compiled* compiled;
    utModel* model;
    ModelArrays array;
    CompileScratch scratch;
} Work;

/// Copy a string into the model; "" for NULL and when memory is short, which `keep` remembers.
const char* ut_model_keep_text(Work* work, const char* text);

/// Order joints and geoms by body, fill bodies' frames and the joints' places in q and v.
void ut_model_fill_tree(Work* work);
utStatus ut_model_fill_geoms(Work* work);

/// Copy the hull, mesh or height field of a geom, or share the copy of an earlier geom.
void ut_model_keep_shape(Work* work, int geom);

/// What can be said only once bodies know their joints: free joints alone, at most 6 velocities,
/// planes, meshes and height fields on what is fixed, places that can be reckoned with.
utStatus ut_model_check_moving(Work* work);

utStatus ut_model_fill_inertia(Work* work);
utStatus ut_model_fill_reach(Work* work);
void ut_model_fill_sites(Work* work);

/// Read an expression that has been checked; NULL is 0.
utExpression ut_model_keep_expression(Work* work, const char* text);
void ut_model_fill_extras(Work* work);
void ut_model_fill_actuators(Work* work);
void ut_model_fill_excludes(Work* work);

/// The largest distance from a place in the world to a geom's bound or the mass centre of a body,
/// as modelled; 0 for none.
double ut_model_body_reach(const Work* work, int body, utVec3 anchor);

/// Frames and reach of equalities. @return UT_ERR_ARGUMENT when one is between what cannot move
utStatus ut_model_fill_equalities(Work* work);
utStatus ut_model_fill_keyframes(Work* work);

/// Build the tables of names. @return UT_ERR_ARGUMENT when two things of one kind share a name,
/// UT_ERR_MEMORY
utStatus ut_model_fill_names(Work* work);

uint64_t ut_model_hash(const utModel* model);

// ---- planar worlds ------------------------------------------------------------------------------

/// The kind that a described joint has in the model: a free one in a planar world is another.
utJointKind ut_model_joint_kind(const utModelDef* def, int joint);

/// A unit quaternion without what rounding turns it out of the plane; in space as it is.
/// @return false when it turns out of the plane by more
bool ut_model_flat_quat(utPlanar planar, utQuat quat, utQuat* flat);

/// Its angle about the normal, in [-pi, pi].
double ut_model_flat_angle(utPlanar planar, utQuat quat);

/// A hinge's or slide's unit axis without what rounding has it off; in space as it is.
utVec3 ut_model_flat_axis(utPlanar planar, utJointKind kind, utVec3 axis);

/// Gravity in the plane; in space as it is.
utVec3 ut_model_flat_gravity(utPlanar planar, utVec3 gravity);

/// Does a geom's shape have a figure in the plane?
bool ut_model_has_figure(utPlanar planar, const utGeomDef* geom);

/// The model's geom i gets its figure, or none.
void ut_model_fill_figure(Work* work, int i);

/// A joint that leaves its body free: the body is a child of the world and has no other.
static inline bool ut_model_is_free(utJointKind kind)
{
    return kind == UT_JOINT_FREE || kind == UT_JOINT_PLANAR || kind == UT_JOINT_PARTICLE;
}

// ---- positions ----------------------------------------------------------------------------------

/// unit = q / |q| over the whole range of a double; a q that is a unit up to rounding stays as it
/// is. @return false when q is zero or not finite
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
