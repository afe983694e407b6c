// SPDX-License-Identifier: Apache-2.0
// What is asked of everybody who detects collisions. Plain C types only: one of them is C++.
#ifndef UPTACK_BENCH_CONTENDER_H
#define UPTACK_BENCH_CONTENDER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BodyKind {
    BODY_PLANE, ///< z <= 0
    BODY_SPHERE,
    BODY_CAPSULE,   ///< size: radius, half length along z
    BODY_BOX,       ///< size: half extents
    BODY_CYLINDER,  ///< as a capsule
    BODY_ELLIPSOID, ///< size: semi-axes
    BODY_HULL, ///< a prism over a hexagon within the ellipse size[0], size[1]; size[2]: half height
    BODY_KINDS
} BodyKind;

typedef struct Body {
    BodyKind kind;
    double size[3];
    double p[3];
    double R[9]; ///< row-major, body to world
} Body;

enum { HULL_POINTS = 12 };

/// The corners of a hull: six below, six above, counter-clockwise seen from above.
void body_corners(const Body* body, double corner[HULL_POINTS][3]);

/// What a whole detection found, and the time of its broad phase where it can be told apart.
typedef struct Found {
    int pairs;    ///< that went to the narrow phase
    int contacts; ///< points
    double broad; ///< s; 0 when it cannot
} Found;

/// Points nearer than this are contacts; ODE knows only those that overlap.
#define BENCH_MARGIN 0.02

/// Somebody who detects collisions.
typedef struct Contender {
    const char* name;
    /// A world of bodies, to be detected in again and again. It ends with its process: to take some
    /// of them apart takes minutes. @return NULL when it does not know their shapes
    void* (*open)(int count, const Body* body);
    /// Take over all poses and detect everything.
    void (*detect)(void* world, const Body* body, Found* found);
    /// `count` pairs of bodies 2 i and 2 i + 1. @return NULL when it does not know their shapes
    void* (*open_pairs)(int count, const Body* body);
    /// The narrow phase of every pair, once. @return contact points in all
    int (*collide_pairs)(void* pairs);
    /// The least gap among the points of pair i; HUGE_VAL when it has none.
    double (*least_gap)(void* pairs, int i);
    void (*close_pairs)(void* pairs);
} Contender;

/// The signed gap of two bodies by ut_gap, m.
double true_gap(const Body body[2]);

/// NULL when the benchmark was built without it.
const Contender* contender_ours(void);
const Contender* contender_bullet(void);
const Contender* contender_ode_hash(void);
const Contender* contender_ode_sweep(void);

/// CPU time of this thread, s.
double bench_now(void);

#ifdef __cplusplus
}
#endif

#endif
