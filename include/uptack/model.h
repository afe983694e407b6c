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
    double gravcomp;  ///< gravity compensation: a force -gravcomp mass gravity at the centre of
                      ///< mass, default 0; with 1 the body floats
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
    bool actuator_force_limited; ///< hinge, slide: clamp the sum of all actuators' forces on it to
    double actuator_force_range[2]; ///< this range, N m or N; default false
    bool
        actuator_gravcomp; ///< gravity compensation counts as a force of its actuators, default false
    /// Hinge, slide: k1 and k2 of the spring's force -(stiffness + k1 x + k2 x^2) x with
    /// x = q - springref, default 0.
    double stiffness_poly[2];
    /// Hinge, slide: d1 and d2 of the damper's force -(damping + d1 |v| + d2 v^2) v, default 0.
    double damping_poly[2];
    /// Time constant T (s) and damping ratio z of the joint in the modelled pose. When both are
    /// positive, they replace stiffness by I / (T z)^2 and damping by 2 I / T, where I is the number
    /// of the joint's velocities over the trace of their block of M^-1. Default 0.
    double springdamper[2];
    utOrigin origin;
    uint32_t cookie;
} utJointDef;

#define UT_JOINT_DEF_COOKIE UT_COOKIE(12, 2) ///< value of utJointDef.cookie

/// How the mass, the centre of mass and the inertia of a mesh are computed.
typedef enum utMeshInertia {
    UT_MESH_INERTIA_LEGACY, ///< as a solid: the sum of the tetrahedra from the centroid of the surface
                            ///< to the triangles, all counted as positive; exact for convex meshes
    UT_MESH_INERTIA_EXACT,  ///< as a solid, exactly: the mesh must be closed, its triangles
                            ///< counter-clockwise from outside
    UT_MESH_INERTIA_CONVEX, ///< as the solid convex hull
    UT_MESH_INERTIA_SHELL,  ///< as a thin surface; density is per area, kg/m^2
    UT_MESH_INERTIA_COUNT
} utMeshInertia;

/// A mesh that geoms refer to (utGeomDef.mesh). From its vertices `refpos` is subtracted, `refquat` is
/// undone, then they are scaled. The compiler moves the result to its centre of mass and turns it to
/// its principal axes, so that the frame of a geom of this mesh is at the mesh's centre of mass.
typedef struct utMeshDef {
    const char* name;
    const char* file; ///< where it was read from, for writers, if MuJoCo reads it too; NULL: none;
                      ///< copied
    int vertices;     ///< at least 4
    const double* vertex; ///< 3 per vertex, m, before scaling; copied
    int triangles;        ///< 0: the mesh is the hull of its vertices
    const int* triangle;  ///< 3 vertices per triangle, counter-clockwise from outside; copied
    int mass_triangles;   ///< the first ones alone give the mass; default 0: all
    utVec3 scale;   ///< default 1 1 1; negative: mirrored, which also swaps the triangles' sides
    utVec3 refpos;  ///< default 0, m
    utQuat refquat; ///< default identity; normalized
    utMeshInertia inertia; ///< default UT_MESH_INERTIA_LEGACY, MJCF's default
    int max_hull_vertices; ///< of the hull that collides, above 3; default -1: all
    utOrigin origin;
    uint32_t cookie; ///< set by ut_mesh_def()
} utMeshDef;

#define UT_MESH_DEF_COOKIE UT_COOKIE(23, 1) ///< value of utMeshDef.cookie

/// A height field that geoms refer to (utGeomDef.heights). The compiler maps the least height to 0 and
/// the largest one to size[2]; heights that are all equal become 0.
typedef struct utHeightsDef {
    const char* name;
    const char* file;     ///< as in utMeshDef
    int columns, rows;    ///< points along x and y, each at least 2
    const double* height; ///< rows x columns, the row of least y first, in any unit; copied
    double size[4]; ///< m: half the extents along x and y, the largest height, the thickness of
                    ///< the solid below height 0
    utOrigin origin;
    uint32_t cookie; ///< set by ut_heights_def()
} utHeightsDef;

#define UT_HEIGHTS_DEF_COOKIE UT_COOKIE(24, 1) ///< value of utHeightsDef.cookie

/// A shape that is fixed to a body, with its material.
typedef struct utGeomDef {
    const char* name;
    int body;
    utShape shape;   ///< its hull, mesh or height field must live until the model is compiled,
                     ///< which copies it
    utVec3 pos;      ///< in the body's frame, m, default 0
    utQuat quat;     ///< default identity; normalized
    double mass;     ///< kg; negative (default -1): volume times density
    double density;  ///< kg/m^3, default 1000
    int condim;      ///< friction of contacts: 1 none, 3 sliding (default), 4 torsional too, 6
                     ///< rolling too; the larger one of two geoms counts. In a planar world 4 and 6
                     ///< count as 3
    double friction; ///< sliding friction, default 1; the larger one of two geoms counts
    double torsional; ///< torsional friction, the torque about the normal over the normal force, m,
        ///< default 0.005; the larger one of two geoms counts, if the condim is 4 or 6
    double rolling; ///< rolling friction, the torque about the tangents over the normal force, m,
                    ///< default 0.0001; the same for condim 6
    double kinetic; ///< friction of contacts that slip already; default -1: as friction
    double restitution;      ///< 0 ... 1, default 0; the larger one of two geoms counts
    utVec3 surface_velocity; ///< of a conveyor's surface, in the geom's frame, m/s, default 0
    utVec3 surface_spin;     ///< of that surface about the geom's origin, rad/s, default 0
    const char* surface_expression[3]; ///< added to surface_velocity, in t; NULL: 0; copied
    double margin;   ///< widens collision detection only, m, default 0; margins of two geoms add up
    int priority;    ///< the geom of higher priority sets condim and friction of a pair, default 0
    int contype;     ///< a collides with b when (a.contype & b.conaffinity) or
    int conaffinity; ///< (b.contype & a.conaffinity) is not 0; default 1 each
    int group;       ///< for viewers, default 0
    double rgba[4];  ///< red, green, blue and opacity for viewers, 0 ... 1, default 0.5 0.5 0.5 1
    int mesh; ///< asset of a hull (which collides as the mesh's convex hull), of a mesh, or of a
              ///< sphere, capsule, box, cylinder or ellipsoid that is fitted to it; then
              ///< shape.hull and shape.mesh are NULL; default -1: none
    double fit_scale; ///< multiplies the size of a shape that is fitted to a mesh, default 1
    bool fit_bounds;  ///< fit to the bounding box in the mesh's frame; default false: to the box of
                      ///< equal inertia
    int heights;      ///< asset of a height field; then shape.heights is NULL; default -1: none
    bool shell;       ///< mass is that of the surface, density is per area, default false
    utOrigin origin;
    uint32_t cookie;
} utGeomDef;

#define UT_GEOM_DEF_COOKIE UT_COOKIE(13, 2) ///< value of utGeomDef.cookie

/// A named point of a body, with axes and, for some sensors, a volume.
typedef struct utSiteDef {
    const char* name;
    int body;
    utVec3 pos;  ///< in the body's frame, m, default 0
    utQuat quat; ///< default identity; normalized
    utShape
        shape; ///< volume of touch and insidesite sensors: a sphere (default, 0.005 m), capsule,
               ///< ellipsoid, cylinder or box
    double rgba[4]; ///< as in utGeomDef
    utOrigin origin;
    uint32_t cookie;
} utSiteDef;

#define UT_SITE_DEF_COOKIE UT_COOKIE(14, 2) ///< value of utSiteDef.cookie

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

typedef enum utTendonKind {
    UT_TENDON_FIXED,   ///< its length is a linear combination of joint coordinates
    UT_TENDON_SPATIAL, ///< its length is that of the shortest path along sites and around geoms
    UT_TENDON_KIND_COUNT
} utTendonKind;

typedef enum utWrapKind {
    UT_WRAP_JOINT,  ///< fixed tendons: value times the coordinate of a hinge or slide
    UT_WRAP_SITE,   ///< spatial tendons: the path goes through a site
    UT_WRAP_GEOM,   ///< ... and around a sphere or cylinder, between two sites
    UT_WRAP_PULLEY, ///< ... a new branch begins, whose length is divided by value
    UT_WRAP_KIND_COUNT
} utWrapKind;

/// One element of a tendon's path.
typedef struct utWrap {
    utWrapKind kind;
    int object; ///< joint, site or geom; pulleys: ignored
    int side;   ///< geoms: the site on the side of the geom where the path goes, -1: the shorter
                ///< one. A site within the geom makes the path go through it, tangent to its inside
    double value; ///< joint: its coefficient; pulley: the divisor, > 0
} utWrap;

/// A tendon: one length over several joints, with limits, dry friction, a spring, a damper and
/// armature. A spatial tendon is straight between its sites.
typedef struct utTendonDef {
    const char* name;
    utTendonKind kind;
    int wraps;           ///< number of elements of its path
    const utWrap* wrap;  ///< wraps entries, copied
    bool limited;        ///< default false
    double range[2];     ///< shortest and longest length, m
    double margin;       ///< kept for writers: limits act at range, whatever the margin, default 0
    double frictionloss; ///< dry friction, N, default 0
    double stiffness;    ///< k of the spring, N/m, default 0
    double stiffness_poly[2]; ///< k1, k2 of its force -(k x + k1 x^2 + k2 x^3) at the distance x
                              ///< from its slack lengths, default 0
    double damping;           ///< d of the damper, N s/m, default 0
    double damping_poly[2];   ///< d1, d2 of its force -(d u + d1 u |u| + d2 u^3) at the rate u of
                              ///< the length, default 0
    double armature;          ///< mass that moves with the length, kg, default 0
    double spring_length[2];  ///< lengths between which the spring is slack, m; default -1 -1: the
                              ///< length where all joints are at their springref
    bool
        actuator_force_limited; ///< scale the forces p of its actuators together, so that their sum
    double actuator_force_range[2]; ///< is within this range, N; default false
    utOrigin origin;
    uint32_t cookie;
} utTendonDef;

#define UT_TENDON_DEF_COOKIE UT_COOKIE(26, 1) ///< value of utTendonDef.cookie

/// An actuator pulls at a transmission of length l with the force
///
///     p = gain(l, l') input + bias(l, l'),    gain, bias = [0] + [1] l + [2] l'
///
/// where the input is the control or an activation that follows the control. The generalized force
/// is p times the gradient of l. A kind is a short way to give gain, bias and dynamics.
typedef enum utActuatorKind {
    UT_ACTUATOR_MOTOR,       ///< p = ctrl
    UT_ACTUATOR_POSITION,    ///< p = kp (ctrl - l) - kv l'; time_constant > 0: of a filter for ctrl
    UT_ACTUATOR_VELOCITY,    ///< p = kv (ctrl - l')
    UT_ACTUATOR_INTVELOCITY, ///< p = kp (act - l) - kv l', act' = ctrl
    UT_ACTUATOR_DAMPER,      ///< p = -kv l' ctrl
    UT_ACTUATOR_CYLINDER,    ///< p = gain[0] act + bias, act' = (ctrl - act) / time_constant
    UT_ACTUATOR_GENERAL,     ///< gain, bias, dynamics and time_constant as given
    UT_ACTUATOR_KIND_COUNT
} utActuatorKind;

/// How the activation of an actuator follows its control.
typedef enum utActuatorDynamics {
    UT_DYNAMICS_NONE,         ///< no activation: the input is the control
    UT_DYNAMICS_INTEGRATOR,   ///< act' = ctrl
    UT_DYNAMICS_FILTER,       ///< act' = (ctrl - act) / time_constant, by Euler's rule
    UT_DYNAMICS_FILTER_EXACT, ///< the same, integrated exactly
    UT_DYNAMICS_COUNT
} utActuatorDynamics;

/// An actuator. It drives the joint, or the first of equality, tendon, site and crank_site that is
/// not -1.
typedef struct utActuatorDef {
    const char* name;
    int joint; ///< hinge, slide: l = gear q. Ball: gear and more_gear[0 ... 1] are an axis, l is
               ///< the rotation vector along it. Free: gear and more_gear are a wrench, l = 0
    bool
        in_parent; ///< ball, free: axis and torque are in the parent's frame, default false: in the
                   ///< body's frame
    int equality;  ///< a hinge or slide between bodies, default -1
    int tendon;    ///< l is gear times its length, default -1
    int site;     ///< gear and more_gear are a force and a torque along the site's axes, default -1
    int ref_site; ///< of a site: force and torque are along the axes of this site, which bears their
                  ///< opposite; l is the pose of `site` in this frame; default -1: l = 0
    int crank_site;      ///< end of a rod of length crank_length whose other end slides along the
    int slider_site;     ///< z axis of slider_site, at gear times l; default -1 each
    double crank_length; ///< m, default 0
    utActuatorKind kind;
    double gear;         ///< default 1
    double more_gear[5]; ///< the rest of MJCF's gear, for balls, free joints and sites; default 0
    double kp;           ///< default 1
    double kv;           ///< default 0, of velocity 1
    double dampratio; ///< position, intvelocity, and general with gain[0] = -bias[1]: damping over
                      ///< critical damping at the modelled pose, instead of kv; default 0
    double gain[3];   ///< general; gain[0] also of cylinder: its area; default 1 0 0
    double bias[3];   ///< general and cylinder; default 0
    utActuatorDynamics dynamics; ///< general; default none
    double time_constant;        ///< s, default 0, of cylinder and general 1
    bool act_early;              ///< pull with the activation after the step, default false
    bool act_limited;            ///< clamp the activation to act_range, default false
    double act_range[2];
    bool ctrl_limited; ///< clamp ctrl to ctrl_range, default false
    double ctrl_range[2];
    bool force_limited; ///< clamp p to force_range, default false
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
    UT_EQUALITY_JOINT,   ///< the coordinate of a joint is a polynomial in that of another one
    UT_EQUALITY_TENDON,  ///< the length of a tendon is a polynomial in that of another one
    UT_EQUALITY_KIND_COUNT
} utEqualityKind;

/// Does an equality of this kind couple joints or tendons instead of bodies?
static inline bool ut_equality_is_coupling(utEqualityKind kind)
{
    return kind == UT_EQUALITY_JOINT || kind == UT_EQUALITY_TENDON;
}

/// A constraint between two bodies anywhere in their trees: it closes a loop, ties bodies together,
/// or replaces a joint in maximal coordinates. The modelled pose satisfies it, except for a weld
/// with a pose of its own and for sites.
///
/// Kinds JOINT and TENDON couple two hinges, slides or tendons instead, with y and x counted from
/// the modelled pose: y = p0 + p1 x + p2 x^2 + p3 x^3 + p4 x^4.
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
    bool active;         ///< default true; must be false between bodies that no joint moves against
                         ///< each other
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
    int site1,
        site2;    ///< connect, weld: two sites that coincide, default -1: none. body1, body2 and
                  ///< the fields of their frames are then ignored
    int element1; ///< JOINT, TENDON: the joint or tendon of y
    int element2; ///< that of x; default -1: none, x = 0
    double polycoef[5]; ///< p0 ... p4, default 0 1 0 0 0
    utOrigin origin;
    uint32_t cookie;
} utEqualityDef;

#define UT_EQUALITY_DEF_COOKIE UT_COOKIE(19, 1) ///< value of utEqualityDef.cookie

/// Two bodies that do not collide.
typedef struct utExcludeDef {
    int body1, body2;
    utOrigin origin;
} utExcludeDef;

/// An explicit contact pair. Its geoms collide whatever their masks are, even between parent and child
/// and between excluded bodies, and the pair's own friction, condim and margin replace those that the
/// geoms would give. Geoms that cannot move against each other have no contact.
typedef struct utPairDef {
    const char* name;
    int geom1, geom2; ///< two different geoms; two geoms have at most one pair
    int condim;       ///< as in utGeomDef, default 3
    /// Sliding (two directions), torsional (m) and rolling friction (two directions, m), default
    /// 1 1 0.005 0.0001 0.0001. Friction is isotropic: of two directions the larger number counts.
    double friction[5];
    double kinetic;     ///< sliding friction of contacts that slip already; default -1: as friction
    double restitution; ///< 0 ... 1; default -1: that of the geoms
    double margin;      ///< widens collision detection only, m, default 0
    double gap;         ///< added to margin for detection, m, default 0
    utOrigin origin;
    uint32_t cookie; ///< set by ut_pair_def()
} utPairDef;

#define UT_PAIR_DEF_COOKIE UT_COOKIE(25, 1) ///< value of utPairDef.cookie

/// A named state with controls; begin with {0}. Arrays are copied. An array that is NULL, with a
/// count of 0, stands for the modelled pose (q, mocap_pos, mocap_quat) or for zeros (v, act, ctrl).
typedef struct utKeyframeDef {
    const char* name;
    double time;
    int nq, nv, nu;  ///< numbers of entries in q, v and ctrl
    const double* q; ///< quaternions are normalized
    const double* v;
    const double* ctrl;
    int na;                   ///< number of entries in act
    const double* act;        ///< activations of the actuators that have one, in their order
    int mocaps;               ///< number of mocap bodies in the next two arrays
    const double* mocap_pos;  ///< 3 numbers per mocap body
    const double* mocap_quat; ///< 4 numbers per mocap body
    utOrigin origin;
} utKeyframeDef;

/// What sensors measure; docs/sensors.md has a table of them. Vectors are in the axes of the
/// sensor's site, or in the axes of the world or of the reference where the sensor has no site.
typedef enum utSensorKind {
    UT_SENSOR_TOUCH,         ///< sum of normal contact forces on the site's body in its volume, N
    UT_SENSOR_ACCELEROMETER, ///< acceleration of a site less gravity, m/s^2
    UT_SENSOR_VELOCIMETER,   ///< velocity of a site, m/s
    UT_SENSOR_GYRO,          ///< angular velocity of a site, rad/s
    UT_SENSOR_FORCE,         ///< force of the parent on the site's body, N
    UT_SENSOR_TORQUE,        ///< torque of the parent on the site's body about the site, N m
    UT_SENSOR_MAGNETOMETER,  ///< utOptions.magnetic in the site's axes
    UT_SENSOR_RANGEFINDER,   ///< distance along the site's z to the next geom, m; -1: none
    UT_SENSOR_JOINT_POSITION,
    UT_SENSOR_JOINT_VELOCITY,
    UT_SENSOR_ACTUATOR_POSITION, ///< length of the transmission
    UT_SENSOR_ACTUATOR_VELOCITY,
    UT_SENSOR_ACTUATOR_FORCE,       ///< p of utActuatorKind, before the gear, N or N m
    UT_SENSOR_JOINT_ACTUATOR_FORCE, ///< of all actuators on a hinge or slide, N or N m
    UT_SENSOR_TENDON_POSITION,      ///< its length, m
    UT_SENSOR_TENDON_VELOCITY,
    UT_SENSOR_TENDON_ACTUATOR_FORCE, ///< of all actuators on a tendon, N
    UT_SENSOR_TENDON_LIMIT_POSITION, ///< as those of joints
    UT_SENSOR_TENDON_LIMIT_VELOCITY,
    UT_SENSOR_TENDON_LIMIT_FORCE,
    UT_SENSOR_BALL_QUATERNION,
    UT_SENSOR_BALL_VELOCITY,        ///< angular velocity in the body's axes, rad/s
    UT_SENSOR_JOINT_LIMIT_POSITION, ///< distance from the limit while it is violated, <= 0
    UT_SENSOR_JOINT_LIMIT_VELOCITY, ///< its rate; 0 while the limit is not reached
    UT_SENSOR_JOINT_LIMIT_FORCE,    ///< of the limit, N or N m, >= 0
    UT_SENSOR_FRAME_POSITION,       ///< of an object, m
    UT_SENSOR_FRAME_QUATERNION,     ///< of an object
    UT_SENSOR_FRAME_X_AXIS,         ///< of an object
    UT_SENSOR_FRAME_Y_AXIS,
    UT_SENSOR_FRAME_Z_AXIS,
    UT_SENSOR_FRAME_LINEAR_VELOCITY, ///< of an object's origin, m/s
    UT_SENSOR_FRAME_ANGULAR_VELOCITY,
    UT_SENSOR_FRAME_LINEAR_ACCELERATION, ///< less gravity, m/s^2
    UT_SENSOR_FRAME_ANGULAR_ACCELERATION,
    UT_SENSOR_SUBTREE_COM,              ///< centre of mass of a body and all below it, m
    UT_SENSOR_SUBTREE_LINEAR_VELOCITY,  ///< its velocity, m/s
    UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM, ///< about this centre, kg m^2/s
    UT_SENSOR_INSIDE_SITE, ///< 1 when the object's origin is within the site's volume, else 0
    UT_SENSOR_DISTANCE,    ///< of two geoms or bodies, m, negative for overlaps; at most cutoff
    UT_SENSOR_NORMAL,      ///< unit vector from the first to the second; 0 beyond cutoff
    UT_SENSOR_FROM_TO,     ///< nearest points of the first and the second, m; 0 beyond cutoff
    UT_SENSOR_POTENTIAL_ENERGY, ///< J
    UT_SENSOR_KINETIC_ENERGY,   ///< J
    UT_SENSOR_CLOCK,            ///< time, s
    UT_SENSOR_KIND_COUNT
} utSensorKind;

/// When a sensor is evaluated.
typedef enum utSensorStage {
    UT_SENSOR_POSITION,     ///< from the positions of the state
    UT_SENSOR_VELOCITY,     ///< from the positions and velocities of the state
    UT_SENSOR_ACCELERATION, ///< from the last step: mean acceleration and mean forces
} utSensorStage;

/// Facts about a kind of sensor.
typedef struct utSensorTraits {
    const char* name; ///< as in MJCF
    int dim;          ///< number of values
    utSensorStage stage;
    bool cutoff;   ///< the cutoff clamps its values
    bool positive; ///< only from above, because values are not negative
} utSensorTraits;

/// @return "unknown" with dim 0 for a number that is no kind
UT_API utSensorTraits ut_sensor_traits(utSensorKind kind);

/// What a sensor is attached to, or relative to.
typedef enum utObjectKind {
    UT_OBJECT_NONE,  ///< the world
    UT_OBJECT_BODY,  ///< a body: its centre of mass with the axes of its frame
    UT_OBJECT_FRAME, ///< a body: its frame
    UT_OBJECT_GEOM,
    UT_OBJECT_SITE,
    UT_OBJECT_JOINT,
    UT_OBJECT_EQUALITY, ///< a joint in maximal coordinates
    UT_OBJECT_ACTUATOR,
    UT_OBJECT_TENDON,
    UT_OBJECT_KIND_COUNT
} utObjectKind;

/// A sensor. It reads the motion and has no effect on it.
typedef struct utSensorDef {
    const char* name;
    utSensorKind kind;
    utObjectKind object;    ///< what it is attached to; NONE for energies and the clock
    int index;              ///< of that object
    utObjectKind reference; ///< frame sensors: relative to this, default NONE: the world;
                            ///< distances: the second geom or body; insidesite: the site
    int reference_index;
    double cutoff; ///< values are clamped to +-cutoff, default 0: not clamped; distances: the
                   ///< largest distance that is measured
    utOrigin origin;
    uint32_t cookie; ///< set by ut_sensor_def()
} utSensorDef;

#define UT_SENSOR_DEF_COOKIE UT_COOKIE(27, 1) ///< value of utSensorDef.cookie

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
    bool parents_collide;      ///< a body may touch its parent, default false
    utVec3 magnetic;           ///< magnetic field for magnetometers, any unit, default (0, -0.5, 0)

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
UT_API utMeshDef ut_mesh_def(void);
UT_API utHeightsDef ut_heights_def(void);
UT_API utGeomDef ut_geom_def(int body, utShapeKind kind, utVec3 size);
UT_API utSiteDef ut_site_def(int body);
UT_API utPointDef ut_point_def(int site, int geom, utFace face);
UT_API utMotionDef ut_motion_def(int body);
UT_API utSpringDef ut_spring_def(int site1, int site2);
UT_API utActuatorDef ut_actuator_def(int joint, utActuatorKind kind);
UT_API utTendonDef ut_tendon_def(utTendonKind kind);
UT_API utEqualityDef ut_equality_def(utEqualityKind kind, int body1, int body2);
UT_API utPairDef ut_pair_def(int geom1, int geom2);
UT_API utSensorDef ut_sensor_def(utSensorKind kind, utObjectKind object, int index);
UT_API utOptions ut_options(void);

/// The number of positions and of velocities of a kind of joint, 0 for kinds that do not exist.
UT_API int ut_joint_positions(utJointKind kind);
UT_API int ut_joint_velocities(utJointKind kind);

/// Names as in model files: "hinge", "motor", "weld", "RK4", "maximal"; "unknown" for other values.
UT_API const char* ut_joint_kind_name(utJointKind kind);
UT_API const char* ut_mesh_inertia_name(utMeshInertia inertia);
UT_API const char* ut_tendon_kind_name(utTendonKind kind);
UT_API const char* ut_actuator_kind_name(utActuatorKind kind);
UT_API const char* ut_actuator_dynamics_name(utActuatorDynamics dynamics); ///< "filterexact" ...
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
/// leave the original alone and the reverse. Hulls, meshes and height fields of utShape, which a
/// description borrows, are shared by both; assets are copied.
/// @param allocator of the copy; NULL: malloc
/// @return UT_ERR_ARGUMENT for NULL; UT_ERR_MEMORY, also when memory was short for the original; the
///         place for the copy is then untouched
UT_API utStatus ut_model_def_copy(const utModelDef* def, const utAllocator* allocator,
                                  utModelDef** copy);

/// What a description holds, for programs that write it down. Numbers of elements are those that the
/// adding functions returned; body 0 is the world.
typedef struct utModelParts {
    const char* name;
    const utOptions* options;
    int bodies, joints, geoms, sites, points, motions, springs, actuators, equalities, keyframes;
    int excludes, pairs, tendons, sensors, meshes, height_fields;
    const utBodyDef* body;
    const utJointDef* joint;
    const utGeomDef* geom;
    const utSiteDef* site;
    const utPointDef* point;
    const utMotionDef* motion;
    const utSpringDef* spring;
    const utActuatorDef* actuator;
    const utEqualityDef* equality;
    const utKeyframeDef* keyframe;
    const utExcludeDef* exclude;
    const utPairDef* pair;
    const utTendonDef* tendon;
    const utSensorDef* sensor;
    const utMeshDef* mesh;
    const utHeightsDef* heights;
} utModelParts;

/// Everything that was added to a description so far. The arrays belong to the description and are
/// valid until it changes.
UT_API utModelParts ut_model_def_parts(const utModelDef* def);

/// Add an element; ut_model_compile checks it. The first body added is number 1, because body 0 is
/// the world, named "world".
/// @return its index, or -1 when memory is short, which ut_model_compile reports too
UT_API int ut_model_def_body(utModelDef* def, const utBodyDef* body);
UT_API int ut_model_def_joint(utModelDef* def, const utJointDef* joint);
UT_API int ut_model_def_mesh(utModelDef* def, const utMeshDef* mesh);
UT_API int ut_model_def_heights(utModelDef* def, const utHeightsDef* heights);
UT_API int ut_model_def_geom(utModelDef* def, const utGeomDef* geom);
UT_API int ut_model_def_site(utModelDef* def, const utSiteDef* site);
UT_API int ut_model_def_point(utModelDef* def, const utPointDef* point);
UT_API int ut_model_def_motion(utModelDef* def, const utMotionDef* motion);
UT_API int ut_model_def_spring(utModelDef* def, const utSpringDef* spring);
UT_API int ut_model_def_tendon(utModelDef* def, const utTendonDef* tendon);
UT_API int ut_model_def_actuator(utModelDef* def, const utActuatorDef* actuator);
UT_API int ut_model_def_equality(utModelDef* def, const utEqualityDef* equality);
UT_API int ut_model_def_pair(utModelDef* def, const utPairDef* pair);
UT_API int ut_model_def_keyframe(utModelDef* def, const utKeyframeDef* keyframe);
UT_API int ut_model_def_sensor(utModelDef* def, const utSensorDef* sensor);

/// Declare that two bodies do not collide. @return false when memory is short
UT_API bool ut_model_def_exclude(utModelDef* def, int body1, int body2, utOrigin origin);

/// Replace the options. @param options copied, with its strings
UT_API void ut_model_def_options(utModelDef* def, const utOptions* options);

/// Set the name of the model. @param name copied
UT_API void ut_model_def_name(utModelDef* def, const char* name);

/// Physics of a file that the model lacks: one kind of element or attribute.
typedef struct utMissing {
    const char* what; ///< "tendon/fixed", "option.wind"
    int count;        ///< number of occurrences in the file
    const char* file; ///< file of the first occurrence; "" or NULL: none
    int line, column; ///< of the first occurrence, 1-based; 0: unknown
} utMissing;

/// Record physics of a file that the description lacks (utModel.missing); readers of files call this.
/// A second call with the same `what` adds to its count. @param part copied
/// @return false when memory is short, which ut_model_compile reports too
UT_API bool ut_model_def_missing(utModelDef* def, const utMissing* part);

/// Change one attribute by name before compiling: "box.pos", "floor.friction", "hip.damping",
/// "option.dt". The path is `NAME.ATTR` with the name of a body, joint, geom, site, spring, tendon,
/// actuator, equality or pair, or `option.ATTR`. When elements of several kinds share the name, the first kind of
/// this list with that attribute is changed. ATTR is the name of a field above, or MJCF's name for
/// it (timestep, ctrlrange ...), with the units of the field. Setting a range also switches its
/// limit on. Mass, com and inertia can be set only for bodies that were described with an inertial.
/// @param value as in a file: one or several numbers, or a word; inertia: xx yy zz (xy xz yz)
/// @return UT_ERR_ARGUMENT with a message that lists the names or attributes there are;
///         UT_ERR_MEMORY
UT_API utStatus ut_model_def_set(utModelDef* def, const char* path, const char* value,
                                 utError* err);

/// The same with path and value in one text, "box.pos=0 0 1".
UT_API utStatus ut_model_def_assign(utModelDef* def, const char* assignment, utError* err);

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
    double gravcomp;
    int geom;  ///< its first geom, the others follow
    int geoms; ///< number of its geoms
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
    bool actuator_force_limited;
    double actuator_force_range[2];
    bool actuator_gravcomp;
    bool driven_by_others; ///< it has such a range, and actuators of tendons or sites move it
    double stiffness_poly[2], damping_poly[2];
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
    int condim;  ///< as described, here and below
    double friction, torsional, rolling;
    double kinetic; ///< friction of contacts that slip already
    double restitution;
    bool belt;     ///< its surface moves
    bool collides; ///< another geom may touch it: by their masks, or in an explicit pair
    utVec3 surface_velocity, surface_spin;
    utExpression surface[3];     ///< in t, added to surface_velocity
    const char* surface_text[3]; ///< text of the expressions; NULL: none
    double margin;
    double widest_margin; ///< the largest one of margin and those of its explicit pairs, m
    int priority;
    int contype;
    int conaffinity;
    int group;
    double rgba[4];      ///< for viewers; not part of utModel.hash
    double radius;       ///< ut_shape_radius
    utFlatShape flat;    ///< planar worlds: the figure that collides; UT_FLAT_KIND_COUNT: none
    utFlatFrame in_flat; ///< frame of the figure in the body's frame
} utModelGeom;

typedef struct utModelSite {
    const char* name;
    int body;
    utFrame in_body;
    utQuat quat; ///< orientation of in_body
    utShape shape;
    double rgba[4]; ///< for viewers; not part of utModel.hash
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

typedef struct utModelTendon {
    const char* name;
    utTendonKind kind;
    int wraps;
    const utWrap* wrap; ///< with the model's numbers of joints and geoms
    bool limited;
    double range[2];
    bool actuator_force_limited;
    double actuator_force_range[2];
    double margin, frictionloss, stiffness, damping, armature;
    double stiffness_poly[2], damping_poly[2];
    double spring_length[2];
    double length0;   ///< at the modelled pose
    int terms;        ///< number of velocities that can change its length
    const int* index; ///< terms: these velocities, ascending
    double unit; ///< m per unit of length: 1 for spatial tendons; of a fixed tendon such that no
                 ///< joint moves its row faster than the joint's own row. Rows are multiplied
                 ///< by it, so that their velocities are in m/s too
    bool mocap;  ///< its path touches a mocap body, or a body that is fixed to one
} utModelTendon;

/// What an actuator drives.
typedef enum utTransmission {
    UT_TRANSMISSION_JOINT,
    UT_TRANSMISSION_EQUALITY,
    UT_TRANSMISSION_TENDON,
    UT_TRANSMISSION_SITE,
    UT_TRANSMISSION_SLIDER_CRANK,
    UT_TRANSMISSION_COUNT
} utTransmission;

/// Indices that the transmission does not use are -1.
typedef struct utModelActuator {
    const char* name;
    utActuatorKind kind; ///< how it was described; gain, bias and dynamics say what it does
    utTransmission transmission;
    int joint;
    bool in_parent;
    int equality;
    int tendon;
    int site, ref_site;
    int crank_site, slider_site;
    double crank_length;
    int dof; ///< the velocity of a hinge or slide; -1: another transmission
    double gear[6];
    double gain[3], bias[3]; ///< p = gain input + bias, each [0] + [1] l + [2] l'
    double
        turn; ///< servos of rotations (gain[0] = -bias[1] on a ball, or on a site with ref_site and a
              ///< torque alone): l after one turn. The input may be any number of turns away, and
              ///< the one nearest to l counts (ut_actuator_nearest). 0: other actuators
    utActuatorDynamics dynamics;
    double time_constant;
    int act; ///< index of its activation; -1: none
    bool act_early, act_limited;
    double act_range[2];
    bool ctrl_limited, force_limited;
    double ctrl_range[2];
    double force_range[2]; ///< of the only actuator of a tendon: within the tendon's range, too
    bool shares_tendon;    ///< its tendon has a force range and several actuators
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
    double reach; ///< as utModelJoint.reach, over the two bodies and everything welded to them.
                  ///< JOINT, TENDON: m per unit of y
    int site1, site2;
    int element1, element2; ///< JOINT, TENDON: element2 -1 for none
    double polycoef[5];
    int terms;        ///< JOINT, TENDON: number of velocities that change y or x
    const int* index; ///< terms: these velocities, ascending
} utModelEquality;

/// An explicit contact pair.
typedef struct utModelPair {
    const char* name;
    int geom1, geom2; ///< geom1 < geom2
    int condim;
    double friction[5]; ///< as described
    double sliding; ///< friction of its contacts: the larger one of friction[0] and friction[1];
                    ///< 0 for condim 1
    double kinetic; ///< friction of contacts that slip already
    double restitution; ///< -1: that of the geoms
    double margin, gap;
} utModelPair;

/// A kinematic tree: a child of the world (or of a fixed body) that has joints, with everything below
/// it. Trees are the diagonal blocks of the mass matrix.
typedef struct utModelTree {
    int body;    ///< its root
    int bodies;  ///< number of bodies, which follow the root
    int dof;     ///< its first velocity
    int dofs;    ///< number of velocities, which follow the first one
    bool free;   ///< a single body with a free joint
    bool planar; ///< a single body with a planar joint
    bool turns;  ///< not free, and a ball joint or a floating root turns bodies about all axes
} utModelTree;

typedef struct utModelKeyframe {
    const char* name;
    double time;
    const double* q;          ///< nq
    const double* v;          ///< nv
    const double* ctrl;       ///< nu; ut_sim_reset does not apply them: pass them as utInput.ctrl
    const double* act;        ///< na
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap
} utModelKeyframe;

typedef struct utModelSensor {
    const char* name;
    utSensorKind kind;
    utObjectKind object, reference;
    int index, reference_index; ///< of the object and of the reference
    double cutoff;
    int start; ///< index of its first value among all values
    int dim;   ///< number of its values
} utModelSensor;

/// A compiled model. It never changes, so that any number of sims and threads may share it; read its
/// fields directly.
typedef struct utModel {
    const char* name;
    utOptions options;

    // sizes of the arrays below
    int nbody, njoint, ngeom, nsite, npoint, nmotion, nspring, nactuator, nkeyframe, ntree, nmocap;
    int nequality;
    int npair;
    int ntendon;
    int nexclude;
    int nsensor;
    int nsensordata; ///< values of all sensors
    int nq;          ///< positions
    int nv;          ///< velocities
    int nu;          ///< controls
    int na;          ///< activations of actuators

    // elements
    const utModelBody* body;
    const utModelJoint* joint;
    const utModelGeom* geom;
    const utModelSite* site;
    const utModelPoint* point;
    const utModelMotion* motion;
    const utModelSpring* spring;
    const utModelTendon* tendon;
    const utModelActuator* actuator;
    const utModelEquality* equality;
    const utModelPair* pair; ///< in ascending order of geom1 and geom2
    const utModelKeyframe* keyframe;
    const utModelSensor* sensor;
    const utModelTree* tree;
    const int* exclude; ///< 2 nexclude: pairs of bodies, the lower number first, in ascending order

    // velocities
    const int* dof_parent;      ///< nv: the next velocity toward the root, -1 for none
    const int* dof_joint;       ///< nv
    const int* dof_body;        ///< nv
    const double* dof_armature; ///< nv
    const double* dof_damping;  ///< nv: linear damping (utModelJoint.damping_poly)

    // modelled pose
    const double* q0;         ///< nq
    const double* mocap_pos;  ///< 3 nmocap
    const double* mocap_quat; ///< 4 nmocap

    // the model as a whole
    double mass;       ///< of all moving bodies, kg
    uint64_t hash;     ///< of the contents: equal models have equal hashes
    int missing;       ///< number of physical elements of the file that the model lacks, each
                       ///< counted as often as the file has it (utNote). Certificates check the
                       ///< model, so they do not cover these elements. 0 for models described
                       ///< in C
    int missing_parts; ///< number of different kinds of these elements
    const utMissing* missing_part; ///< their names, counts and places, in the order of the file
    const void* allocation;        ///< belongs to ut_model_destroy
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
UT_API int ut_model_find_tendon(const utModel* model, const char* name);
UT_API int ut_model_find_actuator(const utModel* model, const char* name);
UT_API int ut_model_find_equality(const utModel* model, const char* name);
UT_API int ut_model_find_keyframe(const utModel* model, const char* name);
UT_API int ut_model_find_sensor(const utModel* model, const char* name);

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

/// The explicit pair of two geoms, in any order. @return NULL when there is none
UT_API const utModelPair* ut_model_find_pair(const utModel* model, int geom1, int geom2);

/// Principal moments and axes of a symmetric matrix: A = R diag(moments) R' with descending moments, and R the
/// matrix of `quat`.
UT_API void ut_principal_axes(utMat3 A, utVec3* moments, utQuat* quat);

/// The box of uniform density with the mass and the inertia of a body, for viewers. It is centred at the body's
/// centre of mass.
/// @param half half extents, m  @param quat orientation in the body's frame
/// @return false for a body without mass; the box is then 0
UT_API bool ut_model_inertia_box(const utModelBody* body, utVec3* half, utQuat* quat);

/// May two geoms collide by MJCF's rules? Their bodies must not be the same or both fixed or mocap. Unless
/// the geoms have an explicit pair, their masks must match too, and their bodies must not be excluded or
/// parent and child (unless the parent is fixed to the world). Bodies that are welded together count as
/// one body, except for excludes.
UT_API bool ut_model_collides(const utModel* model, int geom1, int geom2);

/// The condim of two geoms: that of their explicit pair; else that of the geom with the higher priority;
/// the larger one when priorities are equal. At most 3 in a planar world. @param geom1, geom2 sides: a
/// site has condim 3
UT_API int ut_model_condim(const utModel* model, int geom1, int geom2);

/// Torsional and rolling friction of two geoms, m, by the same rules; 0 when the condim does not have it.
UT_API double ut_model_torsional(const utModel* model, int geom1, int geom2);
UT_API double ut_model_rolling(const utModel* model, int geom1, int geom2);

/// The length L of a contact of two geoms, m: the smaller one of their radii. L w of a relative angular
/// velocity w is the speed, relative to the contact, of points of the smaller geom.
UT_API double ut_model_contact_length(const utModel* model, int geom1, int geom2);

/// Sliding friction of two geoms: that of their explicit pair; else that of the geom with the higher
/// priority; the larger one when priorities are equal. 0 for condim 1.
UT_API double ut_model_friction(const utModel* model, int geom1, int geom2);

/// Friction of two geoms whose contact slips already.
UT_API double ut_model_kinetic(const utModel* model, int geom1, int geom2);

/// The distance within which two geoms have contacts under formulations that use margins, m: margin and
/// gap of their explicit pair, else the sum of their margins.
UT_API double ut_model_margin(const utModel* model, int geom1, int geom2);

/// Restitution of two geoms: that of their explicit pair if it has one; else the larger one; priorities do
/// not matter. @param geom1, geom2 sides: a site has restitution 0
UT_API double ut_model_restitution(const utModel* model, int geom1, int geom2);

/// The angular velocity of a geom's surface relative to its body, world; 0 unless the geom is a belt.
/// @param at geom to world
UT_API utVec3 ut_model_surface_spin(const utModelGeom* geom, utFrame at);

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
