// SPDX-License-Identifier: Apache-2.0
/// @file coulomb_problems.h
/// Generators of frictional contact problems, for tests and benchmarks: one step of a scene of rigid
/// boxes, as the matrices of the global form, and its bodies and contacts.
///
/// A problem depends only on its settings and its seed, with the same bits on all machines. All memory
/// comes from `keep`:
///
///     utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
///     def.count = 30;
///     def.ratio = 1000.0;
///     utArena keep;
///     ut_arena_create(0, NULL, &keep);
///     utFrictionProblem problem;
///     ut_friction_create(&def, &keep, &problem);   // 120 contacts, 180 velocities
///     ut_arena_destroy(&keep);
///
/// Functions may be called from several threads at once when each thread has its own arena.
#ifndef UPTACK_COULOMB_PROBLEMS_H
#define UPTACK_COULOMB_PROBLEMS_H

#include <uptack/coulomb.h>
#include <uptack/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- settings -----------------------------------------------------------------------------------

/// The scenes. Gravity is along -z. Two touching faces have four contacts, the corners of their common
/// rectangle. These contacts are redundant: their 12 rows have rank 6, their four normals rank 3.
typedef enum utFrictionScene {
    UT_FRICTION_STACK, ///< a stack of `count` cubes on the ground; the top one is heavy
    UT_FRICTION_WALL,  ///< `rows` courses of bricks (2 : 1 : 1) in running bond, each as long as
                       ///< `columns` bricks; every second one begins and ends with half a brick.
                       ///< The middle brick of the top course is heavy
    UT_FRICTION_WEDGE, ///< a stack under a ceiling with the total gap `gap`; the top cube is heavy. With
                       ///< gap = 0 no velocity opens all contacts, and the vertical prestress is
                       ///< not determined
    UT_FRICTION_GRASP, ///< `count` cubes in a row along x in the air, between two plates that are
                       ///< guided along x (five bilateral rows each) and pressed together; the
                       ///< middle cube is heavy
    UT_FRICTION_PILE,  ///< a pile of `count` random boxes, see `loops`
    UT_FRICTION_TABLE, ///< a slab on four massless legs at its corners, with a heavy cube on it away from
                       ///< the middle: two bodies
    UT_FRICTION_RAMP,  ///< one flat box (2.5 : 2.5 : 1) at rest on a slope of tangent fraction
                       ///< mu_min, all contacts with mu_min. With fraction <= 1 and push = 0 it
                       ///< sticks; with fraction > 1 it slides at h g (sin - mu cos) downhill. It
                       ///< does not tip if mu_min or the tangent is below 2.5
    UT_FRICTION_CHAIN, ///< `count` cubes in a row along x on the ground, half a cube apart and
                       ///< linked by ball joints; the last one is heavy
    UT_FRICTION_SCENE_COUNT
} utFrictionScene;

/// @return for example "stack"; never NULL
UT_API const char* ut_friction_scene_name(utFrictionScene scene);

/// Settings of a problem. A scene ignores the settings that its description does not name. Numbers are
/// at most 1e30, and h, size, mass and ratio are at least 1e-30.
typedef struct utFrictionDef {
    utFrictionScene scene;
    int count;   ///< boxes of a stack, wedge, grasp, pile or chain, 1 ... 10,000, default 5
    int rows;    ///< courses of a wall, at least 1, rows columns <= 10,000, default 4
    int columns; ///< bricks of a course, at least 1, default 4
    bool sides;  ///< bricks touch their neighbours in the course too, default false
    double size; ///< edge of a cube, m, default 0.2
    double mass; ///< of a cube, a brick, a plate, the slab; kg, default 1
    double
        ratio; ///< mass of the heavy body relative to the others, default 1. In a pile masses are
               ///< log-uniform in mass [1, ratio)
    double mu_min; ///< friction of every contact, default 0.5
    double mu_max; ///< if mu_max > mu_min: random friction in [mu_min, mu_max), default 0
    double smooth; ///< share of contacts with mu = 0 (not on a ramp), default 0
    double jitter; ///< largest offset of a cube from the axis of a stack or wedge in x and in y,
                   ///< relative to size; below 0.5, default 0
    double gap;    ///< gap of the contacts of a stack, wall, table, ramp or chain; total gap of a
                   ///< wedge; largest gap of a contact in a pile. m, default 0
    double h;      ///< time step, s, default 1/60
    double g;      ///< m/s^2, default 9.81
    utVec3
        push;   ///< velocity of one body at the start, m/s, default 0; the others are at rest. In a
                ///< pile every second body has a random velocity, limited by this vector (m/s and
                ///< rad/s along each axis)
    int pushed; ///< the body with this velocity; default -1: the middle one, on a table the cube
    double
        press; ///< impulse on each plate of a grasp toward the other, N s, default 1. With uniform
               ///< friction the grasp holds if 2 mu press >= h g times the mass of the row
    double fraction; ///< of a ramp: tangent of its slope over mu_min, default 0.9
    double turn;     ///< of a ramp: direction in which it falls, rad from x, default 0
    int balls;       ///< ball joints per link, 1 ... 3: 1 allows three rotations, 2 are a hinge
                     ///< (6 rows of rank 5), 3 a weld (9 rows of rank 6). Default 1
    double loops;    ///< further contacts per box of a pile, besides those that place it, 0 ... 10,
                     ///< default 0.5
    bool sparse;     ///< masses and Jacobians by bodies only: M and J stay NULL, default false
    uint64_t seed;   ///< default 0
    uint32_t cookie; ///< set by ut_friction_def()
} utFrictionDef;

#define UT_FRICTION_DEF_COOKIE UT_COOKIE(20, 1) ///< value of utFrictionDef.cookie

UT_API utFrictionDef ut_friction_def(utFrictionScene scene);

enum { UT_FRICTION_SAMPLES = 2000 }; ///< problems in the collection of ut_friction_sample

/// Settings of problem `index` of the collection. The scenes alternate; all other settings are random:
/// stacks of up to 30 cubes, walls of up to 8 x 8 bricks, mass ratios up to 1e6, mu from 0 to 2, most of
/// them pushed.
/// @param index any number; the collection is 0 ... UT_FRICTION_SAMPLES - 1
UT_API utFrictionDef ut_friction_sample(int index);

// ---- the scene ----------------------------------------------------------------------------------

/// A rigid box at the start of the step.
typedef struct utFrictionBody {
    utVec3 center;  ///< centre of mass, world, m
    utMat3 R;       ///< columns: the box's axes in the world
    utVec3 half;    ///< half extents along its axes, m
    double mass;    ///< kg; 0 for a fixed body
    utVec3 inertia; ///< about its own axes through the centre, kg m^2
    utMotion v;     ///< velocity of the centre at the start, without gravity, in the world's axes
    utVec3 impulse; ///< external impulse on the centre besides gravity, N s
} utFrictionBody;

/// A contact. The normal points from `a` to `b`; the impulse acts on `b`, its opposite on `a`.
typedef struct utFrictionContact {
    int a;             ///< body, or -1 - k for fixed body k
    int b;             ///< body, other than a
    utVec3 point;      ///< world, m
    utVec3 normal;     ///< unit
    utVec3 tangent[2]; ///< ut_tangent_basis of the normal
    double gap;        ///< m, >= 0
    double mu;
} utFrictionContact;

/// A bilateral row: at `point` a and b have the same velocity along `direction`.
typedef struct utFrictionJoint {
    int a;            ///< body, or -1 for the world
    int b;            ///< body, other than a
    utVec3 point;     ///< world, m
    utVec3 direction; ///< unit
} utFrictionJoint;

/// The problem of one step:
///
///     M v = f + J'r,   u = J v + b,   Coulomb's law for r and u in each contact, u = 0 in each joint
///
/// v holds six numbers per body: velocity of its centre (m/s), then angular velocity (rad/s), both in
/// the world's axes; a body is a node of the blocks. Row 3 i is the normal of contact i, rows 3 i + 1
/// and 3 i + 2 are its tangents; the bilateral rows follow. All arrays are in the arena of
/// ut_friction_create.
typedef struct utFrictionProblem {
    int dimension;   ///< 3
    int contacts;    ///< number of contacts
    int bilaterals;  ///< number of bilateral rows
    int rows;        ///< N = 3 contacts + bilaterals
    int dof;         ///< 6 bodies
    const double* M; ///< dof x dof, a block of 6 x 6 for each body, symmetric positive definite;
                     ///< NULL when the def is sparse
    const double* f; ///< dof: M (v at the start + h g) + impulse, without gyroscopic torques
    const double* J; ///< N x dof, row-major; NULL when the def is sparse
    const double* b; ///< N: gap / h for normals, else 0
    const utCoulombBlocks* blocks; ///< M and J by bodies, the same numbers; nodes ascend in a group
    const double* mu;              ///< contacts entries

    double h; ///< s
    double g; ///< m/s^2
    int bodies;
    const utFrictionBody* body; ///< moving bodies
    int fixed;
    const utFrictionBody* fixed_body; ///< ground, ceiling, props
    const utFrictionContact* contact;
    const utFrictionJoint* joint; ///< bilaterals entries
} utFrictionProblem;

/// Create the problem of a def.
///
/// In a pile the first contact of each box, with the ground or a face of an earlier box, determines its
/// position. Half of the boxes lie face on face (four contacts), the others stand on a corner with a
/// random orientation. Further contacts close loops: between boxes whose circumscribed balls overlap,
/// along the line of their centres, or with a fixed prop at a corner. Boxes may overlap elsewhere,
/// because the problem does not depend on it. All other scenes are geometrically exact.
/// @return UT_ERR_DEF for a def with a bad value, UT_ERR_CAPACITY when there is no memory;
///         `problem` and `keep` are then unchanged
UT_API utStatus ut_friction_create(const utFrictionDef* def, utArena* keep,
                                   utFrictionProblem* problem);

/// The problem for the solvers, in global form, or by bodies when the def is sparse. It refers to
/// `problem` and `section`.
UT_API utCoulomb ut_friction_coulomb(const utFrictionProblem* problem, const utSection* section);

/// The problem by bodies for every def. It refers to `problem` and `section`.
UT_API utCoulomb ut_friction_blocks(const utFrictionProblem* problem, const utSection* section);

#ifdef __cplusplus
}
#endif

#endif
