// SPDX-License-Identifier: Apache-2.0
// What the files of this benchmark share.
//
// Every contender gets the same problems, W and q formed beforehand. Whether an answer counts is
// ut_coulomb_judge's to say, at E <= 1e-8; Siconos' own relative error of the same impulses stands
// beside it.
#ifndef UPTACK_BENCH_COULOMB_H
#define UPTACK_BENCH_COULOMB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <uptack/coulomb_problems.h>

#include "support/bench.h"
#include "support/rows.h"

enum { GROUPS = 8, SCENE_GROUPS = 5, INSTANCES_MAX = 64, NAME_MAX_LENGTH = 48 };

/// An answer counts at this error, by either measure.
#define BENCH_SOLVED 1e-8

// ---- instances ----------------------------------------------------------------------------------

/// Where an instance comes from: a scene made to order, or a file.
typedef struct Source {
    char name[NAME_MAX_LENGTH];
    int group;         ///< which table it stands in
    int contacts;      ///< how many; of a scene: about
    utFrictionDef def; ///< of a scene
    char path[1024];   ///< of a file; empty for a scene
} Source;

typedef struct Instance {
    const Source* source;
    bool by_bodies;   ///< there is a form by bodies
    utCoulomb bodies; ///< by bodies
    utCoulomb local;  ///< W dense or in rows, as the reader of files would keep it
    double* columns;  ///< W dense and by columns, as LAPACK and Siconos store it
    utSection section;
} Instance;

/// All scenes and files. @param files a folder with .fc files, or NULL
/// @param plane receives how many files were left out because they are in the plane
/// @return how many, at most `capacity`
int sources_find(const char* files, Source* sources, int capacity, int* plane);

/// @return for example "scenes of about 100 contacts"
const char* group_name(int group);

/// Make an instance; it lies in `memory`. Ends the program when it cannot be made.
void instance_create(const Source* source, BenchMemory* memory, Instance* instance);

// ---- contenders ---------------------------------------------------------------------------------

typedef enum Contender {
    OURS_BODIES,
    OURS_AUTO,
    OURS_NSGS,
    OURS_NEWTON,
    PEER_NSGS,
    PEER_NSN_AC,
    PEER_ADMM,
    CONTENDERS,
    PEERS_BEGIN = PEER_NSGS
} Contender;

const char* contender_name(Contender who);

/// How a contender fared on one instance.
typedef struct Run {
    bool ran;            ///< it was given the instance; the rest is meaningful only then
    bool broke;          ///< it ended the process or had to be stopped
    bool claimed;        ///< it says that it solved it
    int iterations;      ///< of the call that is reported
    double tolerance;    ///< that it was given in that call
    double seconds;      ///< of that call, the best of several when calls are short
    double E;            ///< of the answer
    double relative;     ///< Siconos' own relative error of the answer
    double own_seconds;  ///< of its first call with relative <= BENCH_SOLVED; 0 when there is none
    const char* setting; ///< of a peer that has several: the one that did best; else ""
} Run;

static inline bool run_solved(const Run* run)
{
    return run->ran && run->E <= BENCH_SOLVED;
}

/// Time one contender on one instance.
/// @param budget seconds that one call may take  @param quick fewer repeats
Run contender_run(Contender who, const Instance* instance, double budget, bool quick);

/// Siconos' error, fc3d_compute_error: the norm of r - P_K(r - û) over all contacts, by the largest
/// of the norms of q, r and u. @param u the velocities of r
double relative_error(const utCoulomb* problem, const double* q, const double* r, const double* u);

// ---- Siconos ------------------------------------------------------------------------------------

/// @return false when the benchmark was built without it
bool peer_available(void);

/// How many settings of a peer there are to try, and what they are called.
int peer_settings(Contender who);
const char* peer_setting(Contender who, int setting);

/// Iterations after which nobody waits any longer.
int peer_limit(Contender who);

/// A problem in the peer's form, ready to be solved again and again; NULL when out of memory. It is
/// opened in a process of its own, so what it takes is never given back.
typedef struct Peer Peer;
Peer* peer_open(Contender who, int setting, const Instance* instance);

/// One solve from r = 0. @return its info: 0 for success
int peer_solve(Peer* peer, double tolerance, int max_iterations, double* r);
int peer_iterations(const Peer* peer);

// ---- results ------------------------------------------------------------------------------------

typedef struct Result {
    const Source* source;
    int contacts;
    Run runs[CONTENDERS];
} Result;

void report_header(FILE* out, double budget, bool quick);
void report_csv(FILE* out, const Result* result);
void report_group(FILE* out, int group, const Result* results, int count);

/// For the table of `make bench`: a problem, and the line of a group with the worst ratio of our time
/// to that of the fastest peer that solves it.
void rows_problem(Rows* rows, const Result* result);
void rows_line(Rows* rows, int group, const Result* results, int count);

/// The ratio to the fastest peer in each group, against the goal.
void report_goals(FILE* out, const Result* results, int count);

#endif
