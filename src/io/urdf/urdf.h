// SPDX-License-Identifier: Apache-2.0
// Reading URDF. The elements of the file become the same parts (Mjcf.parts) that an MJCF file becomes,
// so that errors, notes, the attributes of `compiler` and the filling of the description are shared.
#ifndef UPTACK_IO_URDF_H
#define UPTACK_IO_URDF_H

#include "io/internal.h"

// In the order of the words of the attribute `type`.
typedef enum UrdfKind {
    URDF_REVOLUTE,
    URDF_CONTINUOUS,
    URDF_PRISMATIC,
    URDF_FIXED,
    URDF_FLOATING,
    URDF_PLANAR,
} UrdfKind;

typedef struct UrdfLink {
    const XmlNode* node; // NULL: the world, when no link describes it
    const char* name;
    int above;       // the joint that leads to it, -1 for a root
    int first, last; // the joints to its children, -1 for none
    int group;       // the topmost link that fixed joints connect to it: both move as one body
    int body;        // of the model; 0: the world
} UrdfLink;

typedef struct UrdfJoint {
    const XmlNode* node;
    const char* name;
    UrdfKind kind;
    int parent, child; // links
    int next;          // the next joint of the same parent, -1 for none
    int joint;         // of the model, the first one of a planar joint; -1 for none
    int mimics;        // the joint that it mimics, -1 for none
} UrdfJoint;

// The folder of a package that was found.
typedef struct UrdfPackage {
    const char* name;
    const char* folder; // with a final '/', or ""
    struct UrdfPackage* before;
} UrdfPackage;

typedef struct Urdf {
    Mjcf* m;
    const utUrdfDef* def;
    const XmlNode* robot;
    UrdfLink* link;
    UrdfJoint* joint;
    int links, joints;
    int* order; // links depth-first, parents before children
    Names link_names, joint_names;
    UrdfPackage* packages; // the last one first
    Names mesh_keys;
    Names mesh_counts; // for each name without its number, the last number that was given
} Urdf;

// schema.c: reject misspelt elements and attributes, note those that are not read
utStatus ut_urdf_check(Urdf* u);

// tree.c: links, joints and their order
utStatus ut_urdf_tree(Urdf* u);
const XmlNode* ut_urdf_child(const XmlNode* node, const char* name); // NULL when there is none
MjcfPlace ut_urdf_place(Urdf* u, const XmlNode* node);
// Is a link fixed to the world, by fixed joints from a root that does not float?
bool ut_urdf_is_static(const Urdf* u, int link);

// link.c: bodies with their inertials
utStatus ut_urdf_links(Urdf* u);
// Read the element origin inside `node`: the identity when there is none.
utStatus ut_urdf_origin(Urdf* u, const XmlNode* node, utVec3* pos, utQuat* quat);

// collision.c: geoms
utStatus ut_urdf_collisions(Urdf* u);

// mesh.c: the shape of an element mesh
utStatus ut_urdf_mesh(Urdf* u, const XmlNode* node, utGeomDef* g);

// joint.c
utStatus ut_urdf_joints(Urdf* u);

// mimic.c: joints that follow others
utStatus ut_urdf_mimics(Urdf* u);

// start.c: a keyframe within the limits
utStatus ut_urdf_start(Urdf* u);

// friction.c: friction of the elements gazebo and contact, when utUrdfDef.friction asks for it
utStatus ut_urdf_friction(Urdf* u);

// filter.c: links that a joint connects do not collide
utStatus ut_urdf_filter(Urdf* u);

// inertia.c: replace inertias that no solid has, and give mass to links that move without any
utStatus ut_urdf_inertias(Urdf* u);

// package.c: find and read a file that the robot refers to. @param path receives its name
utStatus ut_urdf_open(Urdf* u, MjcfFound found, char** path, utText* text);

#endif
