// SPDX-License-Identifier: Apache-2.0
// What the files of this benchmark share: a scene in neutral words, the peers' drivers, the judge.
//
// Every scene is described once, from our compiled model, as bodies, hinges, shapes and servos in
// the pose that a run begins with. Each driver builds its engine's own world from that. After every
// few steps the drivers say where the bodies are and how they move, and one judge, which knows
// nothing of any engine, takes penetration, energy and the scene's own figures from it.
#ifndef UPTACK_BENCH_ENGINES_H
#define UPTACK_BENCH_ENGINES_H

#include <stdbool.h>
#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ENGINE_TEXT = 96 };

// ---- a scene in neutral words -------------------------------------------------------------------

/// A body. Its frame stands at the centre of mass, along the principal axes.
typedef struct WorldBody {
    const char* name;
    double mass;              ///< kg
    utVec3 inertia;           ///< about the axes of its frame, kg m^2
    utVec3 pos;               ///< at the start, world, m
    utQuat quat;              ///< at the start
    utVec3 velocity, angular; ///< at the start, world
    utVec3 push;              ///< a force that acts at the centre all the time, world, N
    bool hinged;              ///< on a hinge; otherwise it moves freely
    int parent;               ///< what the hinge hangs on: a body before it, or -1 for the world
    utVec3 anchor, axis;      ///< of the hinge, at the start, world
    bool servo;               ///< torque kp (target - angle) - kd rate, on the hinge
    double kp, kd, target;    ///< angles are 0 at the start
} WorldBody;

typedef struct WorldGeom {
    int body; ///< -1: fixed to the world
    utShape shape;
    utVec3 pos; ///< in the body's frame
    utQuat quat;
    double mu;
    int contype, conaffinity;
} WorldGeom;

typedef struct World {
    const utModel* model; ///< where it comes from
    int keyframe;         ///< that it begins with, -1 for none
    double dt;
    utVec3 gravity;
    int bodies, geoms;
    WorldBody* body;
    WorldGeom* geom;
    bool hinged; ///< some body is
} World;

/// Describe a scene; ends the program when a scene has what no driver knows.
/// @param dt 0: the scene's own
void world_create(const char* scene, double dt, World* world);
void world_destroy(World* world);

/// May these geoms touch? Not when both are fixed, on one body or on both sides of a hinge.
bool world_collides(const World* world, int geom1, int geom2);

/// Friction of a pair: the larger of the two.
double world_mu(const World* world, int geom1, int geom2);

/// For engines that take the smaller one of two: the largest friction that a geom has with any
/// other.
double world_largest_mu(const World* world, int geom);

/// Where a frame given in the world's axes stands in another.
utVec3 world_local_point(utVec3 pos, utQuat quat, utVec3 point);
utVec3 world_local_axis(utQuat quat, utVec3 axis);

// ---- drivers ------------------------------------------------------------------------------------

/// Where a body is: its centre of mass and frame, and how these move, all in the world.
typedef struct BodyState {
    utVec3 pos;
    utQuat quat;
    utVec3 velocity, angular;
} BodyState;

/// What only an engine with a certificate can say.
typedef struct Certified {
    bool known;
    double worst; ///< E
    long steps, passed, flagged;
    char reason[32]; ///< why the first one that did not pass did not
} Certified;

/// An engine. Everything happens in one process that runs one scene.
typedef struct Driver {
    const char* library; ///< for example "ODE 0.16"
    const char* package; ///< Debian's name
    /// @param why ENGINE_TEXT bytes: why not, when NULL comes back
    void* (*create)(const World* world, int variant, char* why);
    bool (*step)(void* engine); ///< false: it gave up
    void (*read)(void* engine, BodyState* states);
    void (*certified)(void* engine, Certified* certified); ///< NULL: it has none
    void (*destroy)(void* engine);
} Driver;

/// NULL when the benchmark was built without it.
const Driver* driver_uptack(void);
const Driver* driver_ode(void);
const Driver* driver_bullet(void);
const Driver* driver_dart(void);
const Driver* driver_mujoco(void);

/// Variants of the drivers.
enum { UPTACK_EXACT, UPTACK_BUDGET, UPTACK_UNJUDGED, UPTACK_RK4, UPTACK_MIDPOINT };
enum { ODE_QUICK20, ODE_STEP };
enum { BULLET_SI10, BULLET_SI50 };
enum { MUJOCO_ELLIPTIC, MUJOCO_PYRAMIDAL, MUJOCO_CG, MUJOCO_RK4 };

// ---- the judge ----------------------------------------------------------------------------------

typedef enum SceneKind {
    SCENE_BALLS,
    SCENE_STACK,
    SCENE_SLIDE,
    SCENE_STICK,
    SCENE_SLIP,
    SCENE_ROLLING,
    SCENE_CHAIN,
    SCENE_QUAD,
    SCENE_PYRAMID,
    SCENE_KINDS
} SceneKind;

enum { FIGURES_MAX = 2 };

/// What the two figures of a kind of scene are called; "" for none. The first one is its error.
const char* figure_name(SceneKind kind, int which);

typedef enum Standing { STANDING_NOT_ASKED, STANDING_YES, STANDING_NO } Standing;

typedef struct Figures {
    bool finite;           ///< all numbers of all samples were
    int samples;           ///< after the start
    double time;           ///< of the last one, s
    double deepest;        ///< penetration of any pair at any sample, m
    double depth;          ///< mean over samples of the mean over pairs that penetrate, m
    double energy_start;   ///< kinetic, of gravity and of servos, less the work of forces, J
    double energy_end;     ///< the same at the last sample
    double energy_gain;    ///< the most that it was ever above the start, J
    double energy_scale;   ///< kinetic energy at the start and the most that gravity gave, J
    double kinetic_end;    ///< J
    double residual;       ///< of single steps (judge.h), the mean over residual_steps
    double residual_worst; ///< the largest
    int residual_steps;
    double own[FIGURES_MAX]; ///< the scene's, as figure_name says
    Standing standing;
} Figures;

typedef struct Judge Judge;

/// Begin with the world's own state. Ends the program when there is no memory.
/// @param time that the run will take, s
Judge* judge_create(const World* world, SceneKind kind, double time);
void judge_sample(Judge* judge, double time, const BodyState* states);

/// Add the momentum residual of one step. @param before, after the states at its two ends
void judge_step(Judge* judge, const BodyState* before, const BodyState* after);
void judge_figures(Judge* judge, Figures* figures);
void judge_destroy(Judge* judge);

/// Deepest overlap of two placed shapes, m; 0 for none. NAN for kinds that it does not know.
double judge_overlap(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b);

#ifdef __cplusplus
}
#endif

#endif
