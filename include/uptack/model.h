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
/// were added; q of a hinge or slide is `ref` at the modelled pose. The model has joints and geoms
/// ordered by body: added body by body they keep their numbers.
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
///     particle  q: the position alone      v: its rates; of bodies without inertia about the
///               normal
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

/// Where a thing was read: shown in messages about it.
typedef struct utOrigin {
    const char* file; ///< NULL: not from a file; copied
    int line;         ///< 1-based, 0 for unknown
} utOrigin;

/// A rigid body. Add parents before children and children depth-first, as a file nests them.
typedef struct utBodyDef {
    const char* name; ///< unique, or NULL for none; copied, here and below
    int parent;       ///< body, default 0: the world
    utVec3 pos;       ///< its frame in the parent's, m, default 0
    utQuat quat;      ///< default identity; normalized
    bool inertial;    ///< mass, com and inertia are given; default false: from the geoms
    double mass;      ///< kg
    utVec3 com;       ///< centre of mass in the body's frame, m
    utMat3 inertia;   ///< about com, along the axes of the body's frame, kg m^2
    bool mocap;       ///< its pose is an input: a child of the world without joints
    bool fast;        ///< nothing is passed through within a step, however far it moves
    utOrigin origin;
    uint32_t cookie; ///< set by ut_body_def()
} utBodyDef;

typedef enum utJointKind {
    UT_JOINT_FREE,
    UT_JOINT_BALL,
    UT_JOINT_HINGE,
    UT_JOINT_SLIDE,
    UT_JOINT_PLANAR,   ///< what a free joint is in a planar world; never described
    UT_JOINT_PARTICLE, ///< the same of a body without inertia about the plane's normal
    UT_JOINT_KIND_COUNT
} utJointKind;

typedef struct utJointDef {
    const char* name;
    int body;
    utJointKind kind;
    utVec3 pos;          ///< anchor in the body's frame, m, default 0; free: without meaning
    utVec3 axis;         ///< hinge, slide: in the body's frame, default z; normalized
    bool limited;        ///< default false
    double range[2];     ///< rad or m; ball: 0 and the largest angle; free: none
    double ref;          ///< q at the modelled pose, default 0
    double stiffness;    ///< N m/rad or N/m, default 0
    double springref;    ///< q at which the spring is at rest, default 0 (ball: the modelled pose)
    double damping;      ///< N m s/rad or N s/m, default 0
    double armature;     ///< added to the diagonal of M, kg m^2 or kg, default 0
    double frictionloss; ///< dry friction of the joint, N m or N, default 0
    utOrigin origin;
    uint32_t cookie;
} utJointDef;

typedef struct utGeomDef {
    const char* name;
    int body;
    utShape shape;      ///< hull, mesh or heights: read when the model is compiled, which copies it
    utVec3 pos;         ///< in the body's frame, m, default 0
    utQuat quat;        ///< default identity; normalized
    double mass;        ///< kg; default -1, and whenever negative: by density
    double density;     ///< kg/m^3, default 1000
    double friction;    ///< sliding, default 1; of two geoms the larger one counts
    double kinetic;     ///< friction of what slips already; default -1: as friction
    double restitution; ///< of impacts, 0 ... 1, default 0; of two geoms the larger one counts
    utVec3 surface_velocity; ///< of a conveyor's surface, as contacts see it, in the geom's frame,
    utVec3 surface_spin;     ///< m/s, and about its origin, rad/s; default 0
    const char* surface_expression[3]; ///< more of it, in t; NULL: 0; copied
    double margin;   ///< widens detection only, m, default 0; of two geoms the sum counts
    int priority;    ///< the geom with the higher one sets friction alone, default 0
    int contype;     ///< a collides with b when (a.contype & b.conaffinity) or the reverse;
    int conaffinity; ///< default 1 each
    int group;       ///< for viewers, default 0
    utOrigin origin;
    uint32_t cookie;
} utGeomDef;

/// A named point of a body.
typedef struct utSiteDef {
    const char* name;
    int body;
    utVec3 pos;  ///< in the body's frame, m, default 0
    utQuat quat; ///< default identity; normalized
    utOrigin origin;
    uint32_t cookie;
} utSiteDef;

/// A face of a box, or the plane of a plane.
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

/// An explicit contact: a site's point against the infinite plane of a face, in every step.
typedef struct utPointDef {
    int site;
    int geom; ///< a box or a plane
    utFace face;
    double friction; ///< default -1: the geom's
    utOrigin origin;
    uint32_t cookie;
} utPointDef;

/// A body whose pose is a function of the time. It is a mocap body that nobody has to move.
typedef struct utMotionDef {
    int body;
    const char* expression[6]; ///< x y z of its frame (world, m), three angles (rad); NULL: as
                               ///< modelled, for the angles when all three are NULL; copied
    char sequence[4];          ///< of the angles, as MJCF's eulerseq, default "xyz"
    utOrigin origin;
    uint32_t cookie;
} utMotionDef;

/// A spring and a damper between two sites.
typedef struct utSpringDef {
    const char* name;
    int site1, site2;
    double stiffness; ///< N/m
    double length;    ///< at rest, m
    double damping;   ///< N s/m
    bool full;        ///< the damper takes the whole relative velocity, not its axial part alone
    utOrigin origin;
    uint32_t cookie;
} utSpringDef;

typedef enum utActuatorKind {
    UT_ACTUATOR_MOTOR,    ///< force = gear ctrl
    UT_ACTUATOR_POSITION, ///< force = gear (kp (ctrl - gear q) - kv gear v), implicit in q and v
    UT_ACTUATOR_KIND_COUNT
} utActuatorKind;

typedef struct utActuatorDef {
    const char* name;
    int joint;    ///< a hinge or slide; -1 with an equality
    int equality; ///< that is a hinge or slide, default -1: none
    utActuatorKind kind;
    double gear;           ///< default 1
    double kp;             ///< default 1
    double kv;             ///< default 0
    bool ctrl_limited;     ///< default false
    double ctrl_range[2];  ///< ctrl is clamped to this
    bool force_limited;    ///< default false
    double force_range[2]; ///< before the gear
    utOrigin origin;
    uint32_t cookie;
} utActuatorDef;

typedef enum utEqualityKind {
    UT_EQUALITY_CONNECT, ///< two points stay together
    UT_EQUALITY_WELD,    ///< and two frames
    UT_EQUALITY_BALL,    ///< as CONNECT, of a joint
    UT_EQUALITY_HINGE,   ///< a point and an axis stay together
    UT_EQUALITY_SLIDE,   ///< a line stays the same and nothing turns
    UT_EQUALITY_KIND_COUNT
} utEqualityKind;

/// A constraint between two bodies wherever they are in their trees: it closes a loop, ties bodies
/// together, or, in maximal coordinates, stands for a joint. It holds in the modelled pose, except
/// for a weld that says another one.
typedef struct utEqualityDef {
    const char* name;
    utEqualityKind kind;
    int body1;           ///< default 0: the world
    int body2;           ///< default 0; not the same
    utVec3 anchor;       ///< m, default 0: the point, in body1's frame; of a weld in body2's
    utVec3 axis;         ///< hinge, slide: in body1's frame, default z; normalized
    utVec3 pos;          ///< weld with a quat: where its point is in body1's frame, m
    utQuat quat;         ///< weld: body2's in body1; default 0 0 0 0: as modelled, pos too
    bool active;         ///< default true
    bool joint;          ///< it stands for a joint of body2, default false
    double ref;          ///< hinge, slide: coordinate at the modelled pose, default 0
    bool limited;        ///< hinge, slide, ball: the coordinate stays within
    double range[2];     ///< rad within half a turn of ref, or m; ball: 0 and the largest angle
    double frictionloss; ///< of the coordinate, N m or N, default 0; ball: about each axis
    double stiffness;    ///< as for joints, here and below, default 0
    double springref;
    double damping;
    double armature;
    utOrigin origin;
    uint32_t cookie;
} utEqualityDef;

/// A state and controls with a name; begin with {0}. Arrays are copied; NULL with a count of 0
/// means the model's own.
typedef struct utKeyframeDef {
    const char* name;
    double time;
    int nq, nv, nu;     ///< how many entries are given
    const double* q;    ///< quaternions are normalized
    const double* v;    ///< NULL: 0
    const double* ctrl; ///< NULL: 0
    int mocaps;
    const double* mocap_pos;  ///< 3 a mocap body
    const double* mocap_quat; ///< 4 a mocap body
    utOrigin origin;
} utKeyframeDef;

typedef enum utIntegrator {
    UT_INTEGRATOR_EULER,    ///< symplectic Euler
    UT_INTEGRATOR_RK4,      ///< order 4 where nothing touches
    UT_INTEGRATOR_IMPLICIT, ///< as EULER, whose damping is implicit already
    UT_INTEGRATOR_MIDPOINT, ///< order 2, energy-keeping where nothing touches
    UT_INTEGRATOR_COUNT
} utIntegrator;

/// In which coordinates a model is simulated.
typedef enum utCoordinates {
    UT_COORDINATES_GENERALIZED, ///< those of the joints
    UT_COORDINATES_MAXIMAL,     ///< bodies are free and joints constraints: ut_model_maximal
    UT_COORDINATES_COUNT
} utCoordinates;

/// Does everything move in one plane, and in which one? In a planar world frames of bodies are
/// turned about the normal only, hinges turn about it, slides lie in the plane and there are no
/// balls; free joints become planar ones. Masses and inertias stay those of the solids. Shapes
/// collide as the figures that they are in the plane (utModelGeom.flat), at whatever depth they
/// are; gravity out of the plane is left out.
typedef enum utPlanar {
    UT_PLANAR_NONE, ///< no: in space
    UT_PLANAR_XY,
    UT_PLANAR_XZ,
    UT_PLANAR_YZ,
    UT_PLANAR_COUNT
} utPlanar;

/// The axes of a planar world, in the order of the letters of its name, and its normal x × y, about
/// which angles count: z of xy, -y of xz, x of yz. So with the first axis to the right and the
/// second one upward an angle is counter-clockwise.
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

/// Where a point or a vector is in the plane.
static inline utVec2 ut_plane_in(const utPlane* plane, utVec3 a)
{
    return ut_vec2(ut_vec3_dot(plane->x, a), ut_vec3_dot(plane->y, a));
}

/// The point of the plane through the world's origin, or the vector, that is there.
static inline utVec3 ut_plane_out(const utPlane* plane, utVec2 a)
{
    return ut_vec3_add_scaled(ut_vec3_scale(plane->x, a.x), a.y, plane->y);
}

/// How impacts at several contacts at once are solved.
typedef enum utSimultaneous {
    UT_SIMULTANEOUS_MOREAU,    ///< all at once, by Newton's restitution
    UT_SIMULTANEOUS_POISSON,   ///< all at once, compression and then restitution
    UT_SIMULTANEOUS_PROPAGATE, ///< one after the other until none closes
    UT_SIMULTANEOUS_COUNT
} utSimultaneous;

/// When impacts are found by `hybrid` and `mirtich`.
typedef enum utDetection {
    UT_DETECTION_LOCATED, ///< at the moment when they happen
    UT_DETECTION_STEP,    ///< when a step begins with them
    UT_DETECTION_COUNT
} utDetection;

/// What holds for the whole model.
typedef struct utOptions {
    double dt;      ///< s, default 0.002
    utVec3 gravity; ///< m/s^2, default (0, 0, -9.81)
    utIntegrator integrator;
    double time;               ///< s that a run takes by itself, default 1
    double tolerance;          ///< E of a certified step, default 1e-8
    int formulation;           ///< utFormulation. Default -1: coulomb, or hybrid where impact,
                               ///< simultaneous or detection need it; a compiled model has one
    const char* solver;        ///< default "auto"; copied
    int directions;            ///< of polygons, even, default 8
    int relinearize;           ///< passes more than one, default 0
    utCoordinates coordinates; ///< what programs make of the model, default generalized
    utPlanar planar;           ///< default UT_PLANAR_NONE
    double regularization;     ///< of the LCP of polygons: its diagonal times 1 + this. Inexact, so
                               ///< that steps are certified only where the law holds all the same;
                               ///< default 0
    double relaxation;         ///< of the LCP of polygons: adds this times W_nn to the diagonal of
                               ///< normals; inexact too, default 0
    bool scale_dt;             ///< of that LCP: E in both its places and mu times dt, default false
    bool mixed;                ///< solve it with its velocities, as an MLCP, default false
    double rho;                ///< phantom inertia of `peiret`, kg; default 0: by rule
    bool minnorm;  ///< of all impulses with the same effect those of least norm, default
                   ///< false
    bool midpoint; ///< evaluate M at q + h v and forces at q + h v / 2, default false
    double bounce; ///< contacts that would leave slower than this do not bounce, m/s; default 0.1
    int impact;    ///< utImpactLaw of impact.h; default -1: what the formulation has
    int simultaneous;      ///< utSimultaneous; default -1: as the law has it
    utDetection detection; ///< default UT_DETECTION_LOCATED
    uint32_t cookie;       ///< set by ut_options()
} utOptions;

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
UT_API const char* ut_joint_kind_name(utJointKind kind);

/// How many positions and velocities a kind of joint has, 0 for kinds that do not exist.
UT_API int ut_joint_positions(utJointKind kind);
UT_API int ut_joint_velocities(utJointKind kind);

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

typedef struct utModelDef utModelDef;

/// @param allocator NULL: malloc
UT_API utStatus ut_model_def_create(const utAllocator* allocator, utModelDef** def);
UT_API void ut_model_def_destroy(utModelDef* def);

/// Add something; what it says is looked at when the model is compiled. Bodies begin with 1: the
/// world, which bears the name "world", is there already.
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

/// Two bodies that do not collide. @return false when memory is short
UT_API bool ut_model_def_exclude(utModelDef* def, int body1, int body2, utOrigin origin);
UT_API void ut_model_def_options(utModelDef* def, const utOptions* options);
UT_API void ut_model_def_name(utModelDef* def, const char* name);

/// How many things of a file's physics the description lacks; readers of files call this.
UT_API void ut_model_def_missing(utModelDef* def, int count);

/// Change one attribute by name before compiling: `NAME.ATTR` with a body's, joint's, geom's,
/// actuator's or equality's name, or `option.ATTR`: "box.pos", "floor.friction", "hip.damping",
/// "option.dt". Of several things with one name the first of this order that has the attribute is
/// meant. ATTR is called as its field above (or as in MJCF: timestep, ctrlrange ...) and has its
/// units; a range switches its limit on; a body has mass, com and inertia only when it was given an
/// inertial.
/// @param value as in a file: one or several numbers, or a word; inertia: xx yy zz (xy xz yz)
/// @return UT_ERR_ARGUMENT with a message that lists what there is; UT_ERR_MEMORY
UT_API utStatus ut_model_def_set(utModelDef* def, const char* path, const char* value,
                                 utError* err);

// ---- model --------------------------------------------------------------------------------------

typedef struct utModelBody {
    const char* name; ///< "" for none
    int parent;       ///< -1 for the world
    utFrame in_parent;
    utQuat quat;    ///< of in_parent
    double mass;    ///< kg
    utVec3 com;     ///< in the body's frame
    utMat3 inertia; ///< about com, along the body's axes
    int joint;      ///< its first joint, its others follow; -1 for none
    int joints;     ///< how many
    int dof;        ///< its first velocity; where it would be for none
    int dofs;       ///< velocities of its own joints
    int last_dof;   ///< the last velocity that moves it, -1 for none: go on by dof_parent
    int tree;       ///< -1 for what is fixed to the world or to a mocap body
    int weld;       ///< the nearest body at or above it that has joints; 0: fixed or mocap
    int mocap;      ///< number among mocap bodies, -1 for others
    bool fast;      ///< continuous collision
    int geom;       ///< its first geom
    int geoms;
} utModelBody;

typedef struct utModelJoint {
    const char* name;
    utJointKind kind;
    int body;
    int q; ///< where its positions begin
    int v; ///< where its velocities begin
    utVec3 pos;
    utVec3 axis; ///< unit
    bool limited;
    double range[2];
    double ref;
    double stiffness;
    double springref;
    double damping;
    double frictionloss;
    double reach; ///< largest distance from the anchor to a geom's bound or a mass centre that it
                  ///< moves, m; 1 if none: angular errors times this are velocities
} utModelJoint;

typedef struct utModelGeom {
    const char* name;
    utShape shape;
    int body;
    utFrame in_body;
    utQuat quat; ///< of in_body
    double friction;
    double kinetic; ///< friction of what slips already
    double restitution;
    bool belt; ///< its surface moves
    utVec3 surface_velocity, surface_spin;
    utExpression surface[3];     ///< on top, in t,
    const char* surface_text[3]; ///< as it was written; NULL: none
    double margin;
    int priority;
    int contype;
    int conaffinity;
    int group;
    double radius;       ///< ut_shape_radius
    utFlatShape flat;    ///< planar worlds: the figure it collides as; UT_FLAT_KIND_COUNT for none,
    utFlatFrame in_flat; ///< and its frame in the plane of the body's frame
} utModelGeom;

typedef struct utModelSite {
    const char* name;
    int body;
    utFrame in_body;
    utQuat quat; ///< of in_body
} utModelSite;

typedef struct utModelPoint {
    int site, geom;
    utVec3 normal; ///< of the face, in the geom's frame
    double offset; ///< of its plane along the normal, from the geom's origin, m
    double friction, kinetic;
} utModelPoint;

typedef struct utModelMotion {
    int body;
    bool given[6];
    utExpression at[6];
    const char* text[6]; ///< as it was written; NULL: none
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

/// A constraint between two bodies. Its frame in each of them: the origins are the points, z is the
/// axis of a hinge or slide, and with nothing off both are in the same place with the same axes,
/// but for the hinge's angle, the slide's distance and all turns of a ball or connect.
typedef struct utModelEquality {
    const char* name;
    utEqualityKind kind;
    int body1, body2;
    utFrame in1, in2;
    utQuat quat1, quat2; ///< of in1 and in2
    bool active;
    bool joint; ///< stands for a joint of body2
    double ref; ///< coordinate where both frames are the same
    bool limited;
    double range[2];
    double frictionloss, stiffness, springref, damping, armature;
    double reach; ///< largest distance from the point to a geom's bound or a mass centre of the two
                  ///< bodies and what is welded to them, m; 1 if none, as for joints
} utModelEquality;

/// Bodies that move together through joints; one block of M.
typedef struct utModelTree {
    int body;    ///< its root
    int bodies;  ///< they follow each other
    int dof;     ///< its first velocity
    int dofs;    ///< they follow each other
    bool free;   ///< one body with a free joint (none of a planar world) and nothing else
    bool planar; ///< one body with a planar joint and nothing else
} utModelTree;

typedef struct utModelKeyframe {
    const char* name;
    double time;
    const double* q;          ///< nq
    const double* v;          ///< nv
    const double* ctrl;       ///< nu
    const double* mocap_pos;  ///< 3 mocaps
    const double* mocap_quat; ///< 4 mocaps
} utModelKeyframe;

/// A model, immutable and shared between sims and threads. Everything is at hand; nothing is to be
/// written.
typedef struct utModel {
    const char* name;
    utOptions options;
    int nbody, njoint, ngeom, nsite, npoint, nmotion, nspring, nactuator, nkeyframe, ntree, nmocap;
    int nequality;
    int nq; ///< positions
    int nv; ///< velocities
    int nu; ///< controls
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
    const int* dof_parent;      ///< nv: the next velocity toward the root, -1 for none
    const int* dof_joint;       ///< nv
    const int* dof_body;        ///< nv
    const double* dof_armature; ///< nv
    const double* dof_damping;  ///< nv
    const double* q0;           ///< nq: the modelled pose
    const double* mocap_pos;    ///< 3 nmocap: modelled
    const double* mocap_quat;   ///< 4 nmocap
    int nexclude;
    const int* exclude;     ///< 2 nexclude: the lower body first, ascending
    double mass;            ///< of everything that moves, kg
    uint64_t hash;          ///< of everything above but names' addresses
    int missing;            ///< things of the file's physics that the model lacks (utNote), each as
                            ///< often as the file has it. Certificates are about the model: they do
                            ///< not cover these. 0 for models that were described in C
    const void* allocation; ///< belongs to ut_model_destroy
} utModel;

/// Compile a description. It can be compiled again, and changed in between.
/// @param allocator NULL: malloc; must outlive the model
/// @param err names the first thing that cannot be, with file and line where it has them:
///        "body 'arm' moves but has no mass; give it an inertial or a geom with mass"
/// @return UT_ERR_ARGUMENT; UT_ERR_DEF for a def that did not come from its function;
///         UT_ERR_MEMORY; the model is then untouched
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

/// Contacts name their sides by one number: a geom's, or ngeom + a site's.
/// @return the body of a side
static inline int ut_model_side_body(const utModel* model, int side)
{
    return side < model->ngeom ? model->geom[side].body : model->site[side - model->ngeom].body;
}

/// Its name, "" for none.
static inline const char* ut_model_side_name(const utModel* model, int side)
{
    return side < model->ngeom ? model->geom[side].name : model->site[side - model->ngeom].name;
}

/// What a side is called: `name` and `ending` one after the other. A geom or site without a name
/// goes by its body and its number, "box.geom3"; a body without a name by its number,
/// "body2.geom3". The same in recordings, tables and messages.
typedef struct utSideLabel {
    const char* name;
    char ending[40];
} utSideLabel;
UT_API utSideLabel ut_model_side_label(const utModel* model, int side);

/// Do two geoms collide by MJCF's rules: masks, excludes, not on one body, not parent and child
/// (unless the parent is fixed to the world), not both fixed or mocap? Bodies without a joint
/// between them are one body here, except to excludes.
UT_API bool ut_model_collides(const utModel* model, int geom1, int geom2);

/// Friction of a pair: the higher priority's, else the larger one.
UT_API double ut_model_friction(const utModel* model, int geom1, int geom2);

/// The same for contacts that slip already.
UT_API double ut_model_kinetic(const utModel* model, int geom1, int geom2);

/// Restitution of a pair: the larger one, whatever the priorities.
UT_API double ut_model_restitution(const utModel* model, int geom1, int geom2);

/// The velocity of a geom's surface against its body at a point, world: 0 unless it is a belt.
/// @param at geom to world
UT_API utVec3 ut_model_surface(const utModelGeom* geom, utFrame at, utVec3 point, double time);

/// Where a motion leads at a time, and its twist there (of the frame's origin, world).
UT_API void ut_model_motion(const utModel* model, int motion, double time, utVec3* pos,
                            utQuat* quat, utMotion* twist);

/// q ⊕ h v: positions moved by velocities for a time, joint by joint: quaternions by the
/// exponential map. A free body's centre of mass moves straight, with the velocity that v gives it
/// at q, and the frame follows: the motion does not depend on where the frame is.
/// @param q nq; may be q_next
UT_API void ut_model_integrate(const utModel* model, const double* q, const double* v, double h,
                               double* q_next);

/// The velocities that lead from one position to another in time 1: the inverse of
/// ut_model_integrate with h = 1.
UT_API void ut_model_difference(const utModel* model, const double* from, const double* to,
                                double* v);

/// Velocities v at q, carried to q_next: every centre of mass of a free body keeps its velocity in
/// the world and every angular velocity its entries in the body. Only the linear velocities of free
/// bodies change whose frame is not at the centre of mass, for these are velocities of the frame.
/// @param v nv; may be v_next
UT_API void ut_model_carry(const utModel* model, const double* q, const double* v,
                           const double* q_next, double* v_next);

/// Replace the linear velocities of free bodies, those of their frames, by those of their centres
/// of mass, and back. @param v nv, in place
UT_API void ut_model_to_com(const utModel* model, const double* q, double* v);
UT_API void ut_model_from_com(const utModel* model, const double* q, double* v);

/// Normalize the quaternions of q; units stay as they are. @return false when one is zero or
/// anything is not finite; q is then unchanged and at, unless NULL, receives the index
UT_API bool ut_model_normalize(const utModel* model, double* q, int* at);

#ifdef __cplusplus
}
#endif

#endif
