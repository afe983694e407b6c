// SPDX-License-Identifier: Apache-2.0
// Every scene against the promises that hold for all of them: what the files of this program share.
//
//     every_scene MODE [--quick] [--scene NAME]... [--skip NAME]... [--steps N] ...
//
// A mode prints a table, one line a scene, and `N passed, N failed`.
#ifndef UPTACK_TEST_EVERY_SCENE_H
#define UPTACK_TEST_EVERY_SCENE_H

#include <stdbool.h>
#include <stdio.h>
#include <uptack/sim.h>

// ---- what is asked for --------------------------------------------------------------------------

enum { MAX_SCENES = 256 };

/// Names of scenes or of files.
typedef struct Names {
    int count;
    char name[MAX_SCENES][128];
} Names;

typedef struct Options {
    const char* program;  ///< how this program was started, to start it again
    bool quick;           ///< small scenes and figures that a test run has time for
    Names scenes;         ///< that are tried
    int steps;            ///< `steps`: a scene; `snapshots`, `resume`: after a snapshot
    int moments;          ///< `snapshots`: a scene
    int span;             ///< `snapshots`: the first so many steps, from which moments are drawn
    int warm_up;          ///< `allocations`: steps before the counted ones
    double seconds;       ///< `creep`, `standing`: simulated time
    const char* problems; ///< folder for the problems of steps that are not certified; NULL: none
    const char* snapshot; ///< `resume`: the file
} Options;

/// Cases that held and cases that did not.
typedef struct Verdict {
    int passed, failed;
} Verdict;

/// Count a case. @return ok
bool count_case(Verdict* verdict, bool ok);

/// The larger one; what is not a number is larger than all.
double larger(double a, double b);

// ---- scenes -------------------------------------------------------------------------------------

/// What differs from the scene as it stands.
typedef struct Changes {
    double dt;                        ///< 0: the scene's
    const char* set;                  ///< NULL or a path of ut_model_def_set
    const char* value;                ///< for it
    const utAllocator* allocator;     ///< of the sim; NULL: malloc
    const utFormulation* formulation; ///< NULL: the scene's
    const char* solver;               ///< likewise
    double adaptive;                  ///< 0: steps of a fixed length
} Changes;

typedef struct Scene {
    utModel* model;
    utSim* sim;
    utInput input; ///< held in every step
} Scene;

/// All scenes by name and all files of the folder `scenes`, or a few small ones.
void list_scenes(bool quick, Names* names);
bool has_name(const Names* names, const char* name);
void add_name(Names* names, const char* name);

/// A scene as `uptack run` starts it: at the keyframe "start" with its controls held, where there
/// is one; files too. Steps that are not certified are counted and taken, so that a run goes on.
/// Says what is wrong, if something is. @param changes NULL: none
bool open_scene(const char* name, const Changes* changes, Scene* scene);

/// The same from a description, which is given back.
bool open_description(utModelDef* def, const Changes* changes, Scene* scene);
void close_scene(Scene* scene);

/// @return false when the sim refuses, which is told
bool take_steps(Scene* scene, int steps);

/// Largest speed of a body's centre of mass, m/s, and of its turning, rad/s.
typedef struct Speed {
    double linear, angular;
} Speed;
Speed largest_speed(const Scene* scene);

// ---- modes --------------------------------------------------------------------------------------

void mode_steps(const Options* o, Verdict* verdict);
void mode_snapshots(const Options* o, Verdict* verdict);
void mode_allocations(const Options* o, Verdict* verdict);
void mode_creep(const Options* o, Verdict* verdict);
void mode_standing(const Options* o, Verdict* verdict);
void mode_isotropy(const Options* o, Verdict* verdict);
void mode_adaptive(const Options* o, Verdict* verdict);

/// The other end of `snapshots`: load, go on, print the hash. @return an exit code
int mode_resume(const Options* o);

#endif
