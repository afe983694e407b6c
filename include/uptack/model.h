// SPDX-License-Identifier: Apache-2.0
/// @file model.h
/// From a description of bodies, joints, shapes and actuators to a model that never changes.
///
/// Describe with plain structs, add them one after the other, compile:
///
///     utModelDef* def = NULL;
///     ut_model_def_create(NULL, &def);
///     utBodyDef body = ut_body_def();
///     body.name = "box";
///     body.pos = ut_vec3(0, 0, 1);
///     int box = ut_model_def_body(def, &body);
///     utJointDef joint = ut_joint_def(box, UT_JOINT_FREE);
///     ut_model_def_joint(def, &joint);
///     utGeomDef geom = ut_geom_def(box, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1));
///     ut_model_def_geom(def, &geom);
///     utModel* model = NULL;
///     ut_model_compile(def, NULL, &model, &err);    // names what is wrong
///
/// Conventions are MJCF's: body 0 is the world; joints of one body act in the order in which they
/// were added; q of a hinge or slide is `ref` at the modelled pose. The model orders joints and
/// geoms by body, so that joints and geoms that were added body by body keep their numbers.
///
/// Positions q and velocities v by joint:
///
///     free    q: position of the body's frame (world), quaternion w x y z
///             v: velocity of the frame's origin (world), angular velocity (in the body's frame)
///     ball    q: quaternion          v: angular velocity (in the body's frame)
///     hinge   q: angle, rad          v: its rate
///     slide   q: distance, m         v: its rate
///
/// In planar worlds (utOptions.planar, utPlane) a free joint becomes one of
///
///     planar    q: position of the body's frame along the plane's two axes, its angle about the
///               normal, rad      v: their rates
///     particle  for a body without inertia about the normal
///               q: the position alone      v: its rates
///
/// Functions may be called from several threads at once as long as no thread writes to an object
/// that another one uses. A model never changes, so any number of threads may read it.
#ifndef UPTACK_MODEL_H
#define UPTACK_MODEL_H

#include <uptack/expression.h>
#include <uptack/formulation.h>
#include <uptack/geom.h>
#include <uptack/geom_flat.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- description --------------------------------------------------------------------------------

/// The place in a file where an element was read; messages about the element show it.
typedef struct utOrigin {
    const char* file; ///< copied; NULL: not read from a file
    int line;         ///< 1-based, 0 for unknown
} utOrigin;

/// A rigid body. Add parents before children and children depth-first, as a file nests them.
typedef struct utBodyDef {
    const char* name; ///< unique, or NULL for none; copied, here and below
    int parent;       ///< body, default 0: the world
    utVec3 pos;       ///< of its frame in the parent's frame, m, default 0
    utQuat quat;      ///< of its frame in the parent's frame, default identity; normalized
    bool inertial;    ///< take mass, com and inertia from below; default false: from the geoms
    double mass;      ///< kg
    utVec3 com;       ///< centre of mass in the body's frame, m
    utMat3 inertia;   ///< about com, along the axes of the body's frame, kg m^2
    bool mocap;       ///< the caller sets its pose; it must be a child of the world without joints
    bool fast;        ///< continuous collision: the body passes through nothing within a step
    utOrigin origin;
    uint32_t cookie; ///< set by ut_body_def()
} utBodyDef;

#define UT_BODY_DEF_COOKIE UT_COOKIE(11, 1) ///< value of utBodyDef.cookie

typedef enum utJointKind {
    UT_JOINT_FREE,
    UT_JOINT_BALL,
    UT_JOINT_HINGE,
    UT_JOINT_SLIDE,
    UT_JOINT_PLANAR,   ///< a free joint in a planar world; only in compiled models
    UT_JOINT_PARTICLE, ///< the same for a body without inertia about the plane's normal
    UT_JOINT_KIND_COUNT
} utJointKind;

/// A joint between a body and its parent. Several joints of one body act one after the other.
typedef struct utJointDef {
    const char* name;
    int body;
    utJointKind kind;
    utVec3 pos;          ///< anchor in the body's frame, m, default 0; free joints ignore it
    utVec3 axis;         ///< hinge, slide: in the body's frame, default z; normalized
    bool limited;        ///< default false
    double range[2];     ///< rad or m; ball: 0 and the largest angle; free joints have no range
    double ref;          ///< q at the modelled pose, default 0
    double stiffness;    ///< N m/rad or N/m, default 0
    double springref;    ///< q of the spring at rest, default 0; balls: always the modelled pose
    double damping;      ///< N m s/rad or N s/m, default 0
    double armature;     ///< added to the diagonal of the mass matrix, kg m^2 or kg, default 0
    double frictionloss; ///< dry friction of the joint, N m or N, default 0
    utOrigin origin;
    uint32_t cookie;
} utJointDef;

#define UT_JOINT_DEF_COOKIE UT_COOKIE(12, 1) ///< value of utJointDef.cookie

/// A shape that is fixed to a body, with its material.
typedef struct utGeomDef {
    const char* name;
    int body;
    utShape shape;      ///< its hull, mesh or height field must live until the model is compiled,
                        ///< which copies it
    utVec3 pos;         ///< in the body's frame, m, default 0
    utQuat quat;        ///< default identity; normalized
    double mass;        ///< kg; negative (default -1): volume times density
    double density;     ///< kg/m^3, default 1000
    double friction;    ///< sliding friction, default 1; the larger one of two geoms counts
    double kinetic;     ///< friction of contacts that slip already; default -1: as friction
    double restitution; ///< 0 ... 1, default 0; the larger one of two geoms counts
    utVec3 surface_velocity; ///< of a conveyor's surface, in the geom's frame, m/s, default 0
    utVec3 surface_spin;     ///< of that surface about the geom's origin, rad/s, default 0
    const char* surface_expression[3]; ///< added to surface_velocity, in t; NULL: 0; copied
    double margin;   ///< widens collision detection only, m, default 0; margins of two geoms add up
    int priority;    ///< the geom of higher priority sets the friction of a pair, default 0
    int contype;     ///< a collides with b when (a.contype & b.conaffinity) or
    int conaffinity; ///< (b.contype & a.conaffinity) is not 0; default 1 each
    int group;       ///< for viewers, default 0
    utOrigin origin;
    uint32_t cookie;
} utGeomDef;

#define UT_GEOM_DEF_COOKIE UT_COOKIE(13, 1) ///< value of utGeomDef.cookie

/// A named point of a body.
typedef struct utSiteDef {
    const char* name;
    int body;
    utVec3 pos;  ///< in the body's frame, m, default 0
    utQuat quat; ///< default identity; normalized
    utOrigin origin;
    uint32_t cookie;
} utSiteDef;

#define UT_SITE_DEF_COOKIE UT_COOKIE(14, 1) ///< value of utSiteDef.cookie

/// A face of a box, or the surface of a plane.
typedef enum utFace {
    UT_FACE_PLANE,
    UT_FACE_MINUS_X,
    UT_FACE_PLUS_X,
    UT_FACE_MINUS_Y,
    UT_FACE_PLUS_Y,
    UT_FACE_MINUS_Z,
    UT_FACE_PLUS_Z,
    UT_FACE_COUNT
} utFace;

/// @return "-x", "+x" ..., "plane"
UT_API const char* ut_face_name(utFace face);

/// An explicit contact: a site's point against the infinite plane of a face. It exists in every
/// step, without collision detection.
typedef struct utPointDef {
    int site;
    int geom; ///< a box or a plane
    utFace face;
    double friction; ///< default -1: the geom's friction
    utOrigin origin;
    uint32_t cookie;
} utPointDef;

#define UT_POINT_DEF_COOKIE UT_COOKIE(15, 1) ///< value of utPointDef.cookie

/// A prescribed motion: the body is a mocap body whose pose is a function of the time.
typedef struct utMotionDef {
    int body;
    const char* expression[6]; ///< x y z of the body's frame (world, m) and three angles (rad);
                               ///< copied. A coordinate that is NULL stays as modelled, and so does
                               ///< the orientation when all three angles are NULL
    char sequence[4];          ///< axes of the angles, as MJCF's eulerseq, default "xyz"
    utOrigin origin;
    uint32_t cookie;
} utMotionDef;

#define UT_MOTION_DEF_COOKIE UT_COOKIE(16, 1) ///< value of utMotionDef.cookie

/// A spring and a damper between two sites.
typedef struct utSpringDef {
    const char* name;
    int site1, site2;
    double stiffness; ///< N/m
    double length;    ///< at rest, m
    double damping;   ///< N s/m
    bool full;        ///< damp the full relative velocity; default false: its axial part only
    utOrigin origin;
    uint32_t cookie;
} utSpringDef;

#define UT_SPRING_DEF_COOKIE UT_COOKIE(17, 1) ///< value of utSpringDef.cookie

typedef enum utActuatorKind {
    UT_ACTUATOR_MOTOR,    ///< force = gear ctrl
    UT_ACTUATOR_POSITION, ///< force = gear (kp (ctrl - gear q) - kv gear v), implicit in q and v
    UT_ACTUATOR_KIND_COUNT
} utActuatorKind;

/// A motor or servo along a hinge or slide.
typedef struct utActuatorDef {
    const char* name;
    int joint;    ///< a hinge or slide; ignored when `equality` is not -1
    int equality; ///< a hinge or slide between bodies that it drives instead, default -1: none
    utActuatorKind kind;
    double gear;       ///< default 1
    double kp;         ///< default 1
    double kv;         ///< default 0
    bool ctrl_limited; ///< clamp ctrl to ctrl_range, default false
    double ctrl_range[2];
    bool force_limited; ///< clamp the force before the gear to force_range, default false
    double force_range[2];
    utOrigin origin;
    uint32_t cookie;
} utActuatorDef;

#define UT_ACTUATOR_DEF_COOKIE UT_COOKIE(18, 1) ///< value of utActuatorDef.cookie

typedef enum utEqualityKind {
    UT_EQUALITY_CONNECT, ///< two points, one on each body, coincide
    UT_EQUALITY_WELD,    ///< two frames, one on each body, coincide
    UT_EQUALITY_BALL,    ///< as CONNECT, for a ball joint in maximal coordinates
    UT_EQUALITY_HINGE,   ///< two points and the axes through them, one on each body, coincide
    UT_EQUALITY_SLIDE,   ///< two axes, one on each body, coincide, and the bodies do not turn
    UT_EQUALITY_KIND_COUNT
} utEqualityKind;

/// A constraint between two bodies anywhere in their trees: it closes a loop, ties bodies together,
/// or replaces a joint in maximal coordinates. The modelled pose satisfies it, except for a weld
/// with a pose of its own.
typedef struct utEqualityDef {
    const char* name;
    utEqualityKind kind;
    int body1;           ///< default 0: the world
    int body2;           ///< default 0; another body than body1
    utVec3 anchor;       ///< the point, in body1's frame (weld: in body2's frame), m, default 0
    utVec3 axis;         ///< hinge, slide: in body1's frame, default z; normalized
    utVec3 pos;          ///< weld with a quat: position of the point in body1's frame, m
    utQuat quat;         ///< weld: orientation of body2 in body1's frame; default 0 0 0 0: pos and
                         ///< quat are those of the modelled pose
    bool active;         ///< default true
    bool joint;          ///< it replaces a joint of body2, default false
    double ref;          ///< hinge, slide: coordinate at the modelled pose, default 0
    bool limited;        ///< hinge, slide, ball: the coordinate stays within `range`
    double range[2];     ///< rad within half a turn of ref, or m; ball: 0 and the largest angle
    double frictionloss; ///< dry friction along the coordinate, N m or N, default 0; ball: about
                         ///< each axis
    double stiffness;    ///< this and the next three: as in utJointDef
    double springref;
    double damping;
    double armature;
    utOrigin origin;
    uint32_t cookie;
} utEqualityDef;

#define UT_EQUALITY_DEF_COOKIE UT_COOKIE(19, 1) ///< value of utEqualityDef.cookie

/// A named state with controls; begin with {0}. Arrays are copied. An array that is NULL, with a
/// count of 0, stands for the modelled pose (q, mocap_pos, mocap_quat) or for zeros (v, ctrl).
typedef struct utKeyframeDef {
    const char* name;
    double time;
    int nq, nv, nu;  ///< numbers of entries in q, v and ctrl
    const double* q; ///< quaternions are normalized
    const double* v;
    const double* ctrl;
    int mocaps;               ///< number of mocap bodies in the next two arrays
    const double* mocap_pos;  ///< 3 numbers per mocap body
    const double* mocap_quat; ///< 4 numbers per mocap body
    utOrigin origin;
} utKeyframeDef;

typedef enum utIntegrator {
    UT_INTEGRATOR_EULER,    ///< symplectic Euler
    UT_INTEGRATOR_RK4,      ///< order 4 in steps without contact
    UT_INTEGRATOR_IMPLICIT, ///< the same as EULER, whose damping is implicit already
    UT_INTEGRATOR_MIDPOINT, ///< order 2 in steps without contact, where it conserves energy
    UT_INTEGRATOR_COUNT
} utIntegrator;

/// The coordinates in which a model is simulated.
typedef enum utCoordinates {
    UT_COORDINATES_GENERALIZED, ///< joint coordinates
    UT_COORDINATES_MAXIMAL,     ///< every body is free, joints are constraints (ut_model_maximal)
    UT_COORDINATES_COUNT
} utCoordinates;

/// The plane of a planar world. There, frames of bodies are turned about the plane's normal only,
/// hinges turn about the normal, slides lie in the plane, balls are rejected and free joints become
/// planar ones. Masses and inertias are still those of the solids. Geoms collide as plane figures
/// (utModelGeom.flat), whatever their distance from the plane. The component of gravity along the
/// normal is ignored.
typedef enum utPlanar {
    UT_PLANAR_NONE, ///< a world in space
    UT_PLANAR_XY,
    UT_PLANAR_XZ,
    UT_PLANAR_YZ,
    UT_PLANAR_COUNT
} utPlanar;

/// The axes of a planar world, in the order of the letters of its name, and the normal x × y: z for
/// xy, -y for xz, x for yz. Angles count about the normal. With the first axis to the right and the
/// second axis up, positive angles are counter-clockwise.
typedef struct utPlane {
    utVec3 x, y, normal;
} utPlane;

static inline utPlane ut_plane(utPlanar planar)
{
    const utVec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    const utVec3 back = {0.0, -1.0, 0.0};
    const utPlane xy = {x, y, z}, xz = {x, z, back}, yz = {y, z, x};
    return planar == UT_PLANAR_XZ ? xz : planar == UT_PLANAR_YZ ? yz : xy;
}

/// Coordinates in the plane of a point or a vector of space.
static inline utVec2 ut_plane_in(const utPlane* plane, utVec3 a)
{
    return ut_vec2(ut_vec3_dot(plane->x, a), ut_vec3_dot(plane->y, a));
}

/// The point (or the vector) in space with these coordinates, in the plane through the world's
/// origin.
static inline utVec3 ut_plane_out(const utPlane* plane, utVec2 a)
{
    return ut_vec3_add_scaled(ut_vec3_scale(plane->x, a.x), a.y, plane->y);
}

/// How impacts at several contacts at once are solved.
typedef enum utSimultaneous {
    UT_SIMULTANEOUS_MOREAU,    ///< all at once, with Newton's restitution
    UT_SIMULTANEOUS_POISSON,   ///< all at once, compression and then restitution
    UT_SIMULTANEOUS_PROPAGATE, ///< one after the other until no contact approaches any more
    UT_SIMULTANEOUS_COUNT
} utSimultaneous;

/// The times at which the formulations `hybrid` and `mirtich` treat impacts.
typedef enum utDetection {
    UT_DETECTION_LOCATED, ///< at the time of impact, which they locate within the step
    UT_DETECTION_STEP,    ///< at the start of the first step that begins with the contact
    UT_DETECTION_COUNT
} utDetection;

/// Settings of a model as a whole. Programs may override them (utSimDef, the command line).
typedef struct utOptions {
    // world and run
    double dt;                 ///< step size, s, default 0.002
    utVec3 gravity;            ///< m/s^2, default (0, 0, -9.81)
    utIntegrator integrator;   ///< default UT_INTEGRATOR_EULER
    double time;               ///< default duration of a run, s, default 1
    double tolerance;          ///< largest error E of a certified step, default 1e-8
    utCoordinates coordinates; ///< programs convert the model to these, default generalized
    utPlanar planar;           ///< default UT_PLANAR_NONE

    // contact problem
    int formulation; ///< utFormulation. Default -1: hybrid when impact, simultaneous or detection
                     ///< need it, else coulomb; a compiled model never has -1
    const char* solver; ///< default "auto"; copied
    int directions;     ///< edges of the friction polygon, even, default 8
    int relinearize;    ///< number of re-linearisations per step, default 0
    bool minnorm;       ///< among impulses with the same effect choose those of least norm, default
                        ///< false
    bool midpoint;      ///< evaluate the mass matrix at q + h v and forces at q + h v / 2, default
                        ///< false

    // LCP of formulations with friction polygons
    double regularization; ///< multiplies the diagonal by 1 + this, default 0. Above 0 a step is
                           ///< inexact: it is certified only when its error is within tolerance
    double relaxation;     ///< adds this times W_nn to the diagonal of normal rows; inexact too,
                           ///< default 0
    bool scale_dt;         ///< multiply mu and both entries of E by dt, default false
    bool mixed;            ///< keep the velocities as unknowns (a mixed LCP), default false
    double rho;            ///< phantom inertia of peiret, kg; default 0: by the rule of its paper

    // impacts
    double bounce;         ///< contacts that would separate more slowly than this do not bounce,
                           ///< m/s, default 0.1
    int impact;            ///< utImpactLaw of impact.h; default -1: the law of the formulation
    int simultaneous;      ///< utSimultaneous; default -1: the choice of the impact law
    utDetection detection; ///< default UT_DETECTION_LOCATED
    uint32_t cookie;       ///< set by ut_options()
} utOptions;

#define UT_OPTIONS_COOKIE UT_COOKIE(10, 1) ///< value of utOptions.cookie

/// Defs with the defaults that are stated beside their fields.
UT_API utBodyDef ut_body_def(void);
UT_API utJointDef ut_joint_def(int body, utJointKind kind);
UT_API utGeomDef ut_geom_def(int body, utShapeKind kind, utVec3 size);
UT_API utSiteDef ut_site_def(int body);
UT_API utPointDef ut_point_def(int site, int geom, utFace face);
UT_API utMotionDef ut_motion_def(int body);
UT_API utSpringDef ut_spring_def(int site1, int site2);
UT_API utActuatorDef ut_actuator_def(int joint, utActuatorKind kind);
UT_API utEqualityDef ut_equality_def(utEqualityKind kind, int body1, int body2);
UT_API utOptions ut_options(void);

/// The number of positions and of velocities of a kind of joint, 0 for kinds that do not exist.
UT_API int ut_joint_positions(utJointKind kind);
UT_API int ut_joint_velocities(utJointKind kind);

/// Names as in model files: "hinge", "motor", "weld", "RK4", "maximal"; "unknown" for other values.
UT_API const char* ut_joint_kind_name(utJointKind kind);
UT_API const char* ut_actuator_kind_name(utActuatorKind kind);
UT_API const char* ut_equality_kind_name(utEqualityKind kind);
UT_API const char* ut_integrator_name(utIntegrator integrator);
UT_API const char* ut_coordinates_name(utCoordinates coordinates);

/// @return "none", "xy", "xz" or "yz"
UT_API const char* ut_planar_name(utPlanar planar);

/// @return "moreau", "poisson" or "propagate"; "" for anything else
UT_API const char* ut_simultaneous_name(utSimultaneous simultaneous);

/// @return "located" or "step"; "" for anything else
UT_API const char* ut_detection_name(utDetection detection);

/// A description of a model: everything that was added, unchecked until it is compiled. One thread
/// at a time may use it.
typedef struct utModelDef utModelDef;

/// Create an empty description, which holds the world alone. @param allocator NULL: malloc
UT_API utStatus ut_model_def_create(const utAllocator* allocator, utModelDef** def);
/// Release a description. @param def may be NULL
UT_API void ut_model_def_destroy(utModelDef* def);

/// Copy a description, for example to compile several variants of one file. Changes of the copy
/// leave the original alone and the reverse; hulls, meshes and height fields, which a description
/// borrows, are shared by both.
/// @param allocator of the copy; NULL: malloc
/// @return UT_ERR_ARGUMENT for NULL; UT_ERR_MEMORY, also when memory was short for the original; the
///         place for the copy is then untouched
UT_API utStatus ut_model_def_copy(const utModelDef* def, const utAllocator* allocator,
                                  utModelDef** copy);

/// Add an element; ut_model_compile checks it. The first body added is number 1, because body 0 is
/// the world, named "world".
/// @return its index, or -1 when memory is short, which ut_model_compile reports too
UT_API int ut_model_def_body(utModelDef* def, const utBodyDef* body);
UT_API int ut_model_def_joint(utModelDef* def, const utJointDef* joint);
UT_API int ut_model_def_geom(utModelDef* def, const utGeomDef* geom);
UT_API int ut_model_def_site(utModelDef* def, const utSiteDef* site);
UT_API int ut_model_def_point(utModelDef* def, const utPointDef* point);
UT_API int ut_model_def_motion(utModelDef* def, const utMotionDef* motion);
UT_API int ut_model_def_spring(utModelDef* def, const utSpringDef* spring);
UT_API int ut_model_def_actuator(utModelDef* def, const utActuatorDef* actuator);
UT_API int ut_model_def_equality(utModelDef* def, const utEqualityDef* equality);
UT_API int ut_model_def_keyframe(utModelDef* def, const utKeyframeDef* keyframe);

/// Declare that two bodies do not collide. @return false when memory is short
UT_API bool ut_model_def_exclude(utModelDef* def, int body1, int body2, utOrigin origin);

/// Replace the options. @param options copied, with its strings
UT_API void ut_model_def_options(utModelDef* def, const utOptions* options);

/// Set the name of the model. @param name copied
UT_API void ut_model_def_name(utModelDef* def, const char* name);

/// Set the number of physical elements of a file that the description lacks (utModel.missing);
/// readers of files call this.
UT_API void ut_model_def_missing(utModelDef* def, int count);

/// Change one attribute by name before compiling: "box.pos", "floor.friction", "hip.damping",
/// "option.dt". The path is `NAME.ATTR` with the name of a body, joint, geom, site, spring, actuator
/// or equality, or `option.ATTR`. When elements of several kinds share the name, the first kind of
/// this list with that attribute is changed. ATTR is the name of a field above, or MJCF's name for
/// it (timestep, ctrlrange ...), with the units of the field. Setting a range also switches its
/// limit on. Mass, com and inertia can be set only for bodies that were described with an inertial.
/// @param value as in a file: one or several numbers, or a word; inertia: xx yy zz (xy xz yz)
/// @return UT_ERR_ARGUMENT with a message that lists the names or attributes there are;
///         UT_ERR_MEMORY
UT_API utStatus ut_model_def_set(utModelDef* def, const char* path, const char* value,
                                 utError* err);

// ---- model --------------------------------------------------------------------------------------

// Elements of a compiled model. Fields have the meaning and the units of the same fields in the
// defs above; comments explain only the others.

typedef struct utModelBody {
    const char* name;  ///< "" for none
    int parent;        ///< -1 for the world
    utFrame in_parent; ///< body to parent in the modelled pose, without the joints' motion
    utQuat quat;       ///< orientation of in_parent
    double mass;       ///< kg
    utVec3 com;        ///< in the body's frame
    utMat3 inertia;    ///< about com, along the body's axes
    int joint;         ///< its first joint, the others follow; -1 for none
    int joints;        ///< number of its joints
    int dof;           ///< its first velocity; without joints the first one of the next body
    int dofs;          ///< number of velocities of its joints
    int last_dof; ///< the last velocity that moves it, -1 for none; utModel.dof_parent leads to
                  ///< the others
    int tree;     ///< -1 when it is fixed to the world or to a mocap body
    int weld;     ///< the nearest body with joints, itself or above; 0: fixed or mocap
    int mocap;    ///< index among mocap bodies, -1 for others
    bool fast;    ///< continuous collision
    int geom;     ///< its first geom, the others follow
    int geoms;    ///< number of its geoms
} utModelBody;

typedef struct utModelJoint {
    const char* name;
    utJointKind kind;
    int body;
    int q; ///< index of its first position
    int v; ///< index of its first velocity
    utVec3 pos;
    utVec3 axis; ///< unit
    bool limited;
    double range[2];
    double ref;
    double stiffness;
    double springref;
    double damping;
    double frictionloss;
    double reach; ///< largest distance from the anchor to the bounding sphere of a geom or to a
                  ///< centre of mass that the joint moves, m; 1 if there is none. Angular rows
                  ///< are multiplied by it, so that their velocities are in m/s too
} utModelJoint;

typedef struct utModelGeom {
    const char* name;
    utShape shape;
    int body;
    utFrame in_body;
    utQuat quat; ///< orientation of in_body
    double friction;
    double kinetic; ///< friction of contacts that slip already
    double restitution;
    bool belt; ///< its surface moves
    utVec3 surface_velocity, surface_spin;
    utExpression surface[3];     ///< in t, added to surface_velocity
    const char* surface_text[3]; ///< text of the expressions; NULL: none
    double margin;
    int priority;
    int contype;
    int conaffinity;
    int group;
    double radius;       ///< ut_shape_radius
    utFlatShape flat;    ///< planar worlds: the figure that collides; UT_FLAT_KIND_COUNT: none
    utFlatFrame in_flat; ///< frame of the figure in the body's frame
} utModelGeom;

typedef struct utModelSite {
    const char* name;
    int body;
    utFrame in_body;
    utQuat quat; ///< orientation of in_body
} utModelSite;

typedef struct utModelPoint {
    int site, geom;
    utVec3 normal; ///< of the face, in the geom's frame
    double offset; ///< distance of the face from the geom's origin along the normal, m
    double friction, kinetic;
} utModelPoint;

typedef struct utModelMotion {
    int body;
    bool given[6]; ///< the coordinate has an expression
    utExpression at[6];
    const char* text[6]; ///< text of the expressions; NULL: none
    char sequence[4];
} utModelMotion;

typedef struct utModelSpring {
    const char* name;
    int site1, site2;
    double stiffness, length, damping;
    bool full;
} utModelSpring;

typedef struct utModelActuator {
    const char* name;
    utActuatorKind kind;
    int joint;    ///< -1 with an equality
    int equality; ///< -1 with a joint
    int dof;      ///< -1 with an equality
    double gear, kp, kv;
    bool ctrl_limited, force_limited;
    double ctrl_range[2], force_range[2];
} utModelActuator;

/// A constraint between two bodies, with a frame in each of them. The frames' origins are the points
/// and their z axes the axes of a hinge or slide. When the constraint is satisfied, both frames
/// coincide except for the hinge's angle, the slide's distance or any rotation of a ball or connect.
typedef struct utModelEquality {
    const char* name;
    utEqualityKind kind;
    int body1, body2;
    utFrame in1, in2;
    utQuat quat1, quat2; ///< orientations of in1 and in2
    bool active;
    bool joint; ///< replaces a joint of body2
    double ref; ///< coordinate when both frames coincide
    bool limited;
    double range[2];
    double frictionloss, stiffness, springref, damping, armature;
    double reach; ///< as utModelJoint.reach, over the two bodies and everything welded to them
} utModelEquality;

/// A kinematic tree: a child of the world (or of a fixed body) that has joints, with everything below
/// it. Trees are the diagonal blocks of the mass matrix.
typedef struct utModelTree {
    int body;    ///< its root
    int bodies;  ///< number of bodies, which follow the root
    int dof;     ///< its first velocity
    int dofs;    ///< number of velocities, which follow the first one
    bool free;   ///< a single body with a free joint
    bool planar; ///< a single body with a planar joint
} utModelTree;

typedef struct utModelKeyframe {
    const char* name;
    double time;
    const double* q;          ///< nq
    const double* v;          ///< nv
    const double* ctrl;       ///< nu; ut_sim_reset does not apply them: pass them as utInput.ctrl
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap
} utModelKeyframe;

/// A compiled model. It never changes, so that any number of sims and threads may share it; read its
/// fields directly.
typedef struct utModel {
    const char* name;
    utOptions options;

    // sizes of the arrays below
    int nbody, njoint, ngeom, nsite, npoint, nmotion, nspring, nactuator, nkeyframe, ntree, nmocap;
    int nequality;
    int nexclude;
    int nq; ///< positions
    int nv; ///< velocities
    int nu; ///< controls

    // elements
    const utModelBody* body;
    const utModelJoint* joint;
    const utModelGeom* geom;
    const utModelSite* site;
    const utModelPoint* point;
    const utModelMotion* motion;
    const utModelSpring* spring;
    const utModelActuator* actuator;
    const utModelEquality* equality;
    const utModelKeyframe* keyframe;
    const utModelTree* tree;
    const int* exclude; ///< 2 nexclude: pairs of bodies, the lower number first, in ascending order

    // velocities
    const int* dof_parent;      ///< nv: the next velocity toward the root, -1 for none
    const int* dof_joint;       ///< nv
    const int* dof_body;        ///< nv
    const double* dof_armature; ///< nv
    const double* dof_damping;  ///< nv

    // modelled pose
    const double* q0;         ///< nq
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap

    // the model as a whole
    double mass;   ///< of all moving bodies, kg
    uint64_t hash; ///< of the contents: equal models have equal hashes
    int missing;   ///< number of physical elements of the file that the model lacks, each
                   ///< counted as often as the file has it (utNote). Certificates check the
                   ///< model, so they do not cover these elements. 0 for models described
                   ///< in C
    const void* allocation; ///< belongs to ut_model_destroy
} utModel;

/// Compile a description, which stays unchanged and can be changed and compiled again.
/// @param allocator NULL: malloc; its context must outlive the model
/// @param err names the first invalid element, with its file and line where known:
///        "body 'arm' moves but has no mass; give it an inertial or a geom with mass"
/// @return UT_ERR_ARGUMENT; UT_ERR_DEF for a def that did not come from its function;
///         UT_ERR_MEMORY; `model` is then untouched
UT_API utStatus ut_model_compile(const utModelDef* def, const utAllocator* allocator,
                                 utModel** model, utError* err);

/// Release a model. @param model may be NULL
UT_API void ut_model_destroy(utModel* model);

/// Index by name, -1 when there is none.
UT_API int ut_model_find_body(const utModel* model, const char* name);
UT_API int ut_model_find_joint(const utModel* model, const char* name);
UT_API int ut_model_find_geom(const utModel* model, const char* name);
UT_API int ut_model_find_site(const utModel* model, const char* name);
UT_API int ut_model_find_actuator(const utModel* model, const char* name);
UT_API int ut_model_find_equality(const utModel* model, const char* name);
UT_API int ut_model_find_keyframe(const utModel* model, const char* name);

/// The keyframe that a run begins with unless it is told otherwise: the one named "start".
///
///     const int key = ut_model_start_key(model);
///     ut_sim_reset(sim, key, &err);
///     const double* ctrl = key >= 0 ? model->keyframe[key].ctrl : NULL;   // utInput.ctrl
///
/// @return its index; -1, which ut_sim_reset takes for the modelled pose, when there is none
UT_API int ut_model_start_key(const utModel* model);

/// The name of the keyframe that a run begins with.
#define UT_KEYFRAME_START "start"

/// A contact has two sides, each a geom or a site. The number of a side is that of the geom, or
/// ngeom plus that of the site.
/// @return the body of a side
static inline int ut_model_side_body(const utModel* model, int side)
{
    return side < model->ngeom ? model->geom[side].body : model->site[side - model->ngeom].body;
}

/// The name of a side, "" for none.
static inline const char* ut_model_side_name(const utModel* model, int side)
{
    return side < model->ngeom ? model->geom[side].name : model->site[side - model->ngeom].name;
}

/// The label of a side in recordings, tables and messages: `name` followed by `ending`. A geom or
/// site without a name is labelled by its body and its number, "box.geom3" or, when the body has no
/// name either, "body2.geom3".
typedef struct utSideLabel {
    const char* name;
    char ending[40];
} utSideLabel;
UT_API utSideLabel ut_model_side_label(const utModel* model, int side);

/// May two geoms collide by MJCF's rules? Their masks must match, their bodies must not be excluded,
/// the same, parent and child (unless the parent is fixed to the world), or both fixed or mocap.
/// Bodies that are welded together count as one body, except for excludes.
UT_API bool ut_model_collides(const utModel* model, int geom1, int geom2);

/// Friction of a pair: that of the geom with the higher priority; the larger one when priorities are
/// equal.
UT_API double ut_model_friction(const utModel* model, int geom1, int geom2);

/// Friction of a pair whose contact slips already.
UT_API double ut_model_kinetic(const utModel* model, int geom1, int geom2);

/// Restitution of a pair: the larger one; priorities do not matter. @param geom1, geom2 sides:
/// a site has restitution 0
UT_API double ut_model_restitution(const utModel* model, int geom1, int geom2);

/// The velocity of a geom's surface relative to its body at a point of the world: 0 unless the geom
/// is a belt. @param at geom to world
UT_API utVec3 ut_model_surface(const utModelGeom* geom, utFrame at, utVec3 point, double time);

/// The pose that a prescribed motion has at a time, and its twist (of the frame's origin, world).
UT_API void ut_model_motion(const utModel* model, int motion, double time, utVec3* pos,
                            utQuat* quat, utMotion* twist);

/// q ⊕ h v: move positions with constant velocities for a time h, joint by joint. Quaternions use the
/// exponential map. The centre of mass of a free body moves straight, with the velocity that v gives
/// it at q, so that the motion does not depend on the choice of the body's frame.
/// @param q nq entries; q_next may be the same array
UT_API void ut_model_integrate(const utModel* model, const double* q, const double* v, double h,
                               double* q_next);

/// The velocities that move one position to another within 1 s: the inverse of ut_model_integrate.
UT_API void ut_model_difference(const utModel* model, const double* from, const double* to,
                                double* v);

/// Convert velocities at q to velocities at q_next. Centres of mass of free bodies keep their
/// velocity in the world, and angular velocities keep their entries in the body's frame. So the only
/// entries that change are the linear velocities of free bodies whose frame is not at the centre of
/// mass, because these entries are velocities of the frame.
/// @param v nv entries; v_next may be the same array
UT_API void ut_model_carry(const utModel* model, const double* q, const double* v,
                           const double* q_next, double* v_next);

/// Replace the linear velocities of free bodies, which are velocities of the frame, by velocities of
/// the centre of mass, and the reverse. @param v nv entries, changed in place
UT_API void ut_model_to_com(const utModel* model, const double* q, double* v);
UT_API void ut_model_from_com(const utModel* model, const double* q, double* v);

/// Normalize the quaternions of q; unit quaternions keep their bits.
/// @param at may be NULL; receives the index of the first invalid entry
/// @return false when a quaternion is zero or an entry is not finite; q is then unchanged
UT_API bool ut_model_normalize(const utModel* model, double* q, int* at);

#ifdef __cplusplus
}
#endif

#endif
