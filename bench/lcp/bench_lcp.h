// SPDX-License-Identifier: Apache-2.0
// What the files of this benchmark share.
//
// Every contender gets the same instances and is judged by ut_lcp_residual; an instance counts as
// solved at 1e-9, whatever the solver says of itself.
#ifndef UPTACK_BENCH_LCP_H
#define UPTACK_BENCH_LCP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <uptack/lcp_problems.h>

#include "support/bench.h"
#include "support/rows.h"

enum { SIZES_MAX = 10, INSTANCES_MAX = 24, FAMILIES = 7 };

/// Solved at this residual.
#define BENCH_SOLVED 1e-9

// ---- instances ----------------------------------------------------------------------------------

typedef struct Family {
    const char* name;
    const char* what;
    bool contact;        ///< with friction
    int directions;      ///< of a family of scenes; -1 for the others
    double mass_ratio;   ///< of a family of scenes
    double redundant;    ///< of a family of scenes
    utLcpFamily planted; ///< of the others
} Family;

extern const Family families[FAMILIES];

typedef struct Instance {
    utLcp lcp;
    double* columns; ///< M by columns, as LAPACK and Siconos store it
    const double* z; ///< a solution known beforehand, or NULL
    int contacts;    ///< of a contact family: its first unknowns are the normals
} Instance;

/// Make instance `seed` with about n unknowns: contact problems come in whole contacts.
utStatus instance_create(const Family* family, int n, uint64_t seed, utArena* keep,
                         Instance* instance);

// ---- contenders ---------------------------------------------------------------------------------

typedef enum Contender {
    OURS_AUTO,
    OURS_LEMKE,
    OURS_PIVOT,
    OURS_PGS,
    OURS_NEWTON,
    PEER_LEXICO_LEMKE,
    PEER_LEMKE,
    PEER_PGS,
    PEER_NEWTON_FB,
    PEER_NEWTON_MIN,
    CONTENDERS,
    PEERS_BEGIN = PEER_LEXICO_LEMKE
} Contender;

const char* contender_name(Contender who);

/// How a contender fared on one instance.
typedef struct Run {
    bool ran;     ///< it was given the instance; the rest is meaningful only then
    bool refused; ///< it does not take such problems
    bool claimed; ///< it says that it solved it
    int iterations;
    double seconds;  ///< of one call, the best of several when calls are short
    double residual; ///< of the answer
} Run;

static inline bool run_solved(const Run* run)
{
    return run->ran && !run->refused && run->residual <= BENCH_SOLVED;
}

/// Pivots that are allowed to everybody: several times what a solution takes, so that cycling ends.
int bench_pivots(int n);

/// Time one contender on one instance. @param quick fewer repeats
Run contender_run(Contender who, const Instance* instance, utArena scratch, bool quick);

// ---- Siconos ------------------------------------------------------------------------------------

/// @return false when the benchmark was built without it
bool peer_available(void);

/// A problem in the peer's form, ready to be solved again and again; NULL when out of memory.
typedef struct Peer Peer;
Peer* peer_open(Contender who, const Instance* instance);
void peer_close(Peer* peer);

/// One solve from z = 0. @return its info: 0 for success
int peer_solve(Peer* peer, double* z);

/// Would its driver call this answer solved? It checks what a solver with info 0 returned.
bool peer_accepts(Peer* peer, double* z);
int peer_iterations(const Peer* peer);

// ---- results ------------------------------------------------------------------------------------

typedef struct Results {
    int size_count;
    int n[SIZES_MAX];         ///< as asked for
    int unknowns[SIZES_MAX];  ///< as the family rounds it
    int instances[SIZES_MAX]; ///< how many were made
    Run runs[SIZES_MAX][INSTANCES_MAX][CONTENDERS];
} Results;

void report_header(FILE* out, bool quick);
void report_csv(FILE* out, const Family* family, const Results* results);
void report_family(FILE* out, const Family* family, const Results* results);
void report_growth(FILE* out, const Results* results);
void report_goals(FILE* out, const Results* results);

/// For the table of `make bench`: every size of a family.
void rows_family(Rows* rows, const Family* family, const Results* results);

/// The lines of the table: by ranges of sizes, the worst ratio of our time to that of their fastest.
void rows_lines(Rows* rows, const Results* results);

/// Warm solves that change a few indices, on the same matrix: time against n.
void report_warm(FILE* out, int n_max);

#endif
