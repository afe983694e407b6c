// SPDX-License-Identifier: Apache-2.0
// Private parts of the broad phase.
//
// The trees store enlarged boxes and yield candidate pairs only. The boxes as set decide which
// pairs are reported, so the result equals that of testing all pairs. Unbounded boxes, such as
// those of planes, are kept in a separate list, because in a tree they would make every ancestor
// unbounded.
//
// Candidate pairs (whose enlarged boxes meet) are kept from call to call. The trees are searched
// again only for changed boxes. The number of kept candidates is limited; when there are more, each
// call searches the trees for everything.
#ifndef UPTACK_COLLISION_BROAD_BROAD_H
#define UPTACK_COLLISION_BROAD_BROAD_H

#include <uptack/collision.h>

#include "tree.h"

enum { ABSENT, IN_TREE, UNBOUNDED };

/// A box with an id. One cache line.
typedef struct Proxy {
    utBounds bounds;     ///< as set by the caller
    int unbounded_index; ///< index in utBroad.unbounded, for UNBOUNDED
    uint8_t state;       ///< ABSENT, IN_TREE or UNBOUNDED
    bool fixed;
} Proxy;

/// A set of ids that is read in ascending order: one bit per id, and one summary bit per word.
typedef struct IdSet {
    uint64_t* word;
    uint64_t* summary;
} IdSet;

/// Candidate pairs. The partners of id, all higher than id and ascending, are
/// partner[start[id]] ... partner[start[id + 1] - 1].
typedef struct Candidates {
    int capacity;  ///< entries of `partner`
    bool complete; ///< all candidates fitted
    int* start;    ///< capacity of the broad phase + 1 entries
    int* partner;
    int* next_start; ///< lists under construction; they are swapped with the current lists
    int* next_partner;
    IdPair* found;   ///< new pairs of changed proxies, `capacity` entries
    IdPair* scratch; ///< scratch_capacity entries: sort buffer and stack of the tree walk
    int scratch_capacity;
    int* counter; ///< counters of the sort, capacity of the broad phase + 1
} Candidates;

struct utBroad {
    int capacity;
    Proxy* proxy;
    Nodes nodes;
    Tree tree[2];   ///< tree[0]: moving proxies, tree[1]: fixed proxies
    int* unbounded; ///< ids of unbounded proxies
    int unbounded_count;
    uint32_t stamp;   ///< number of the current set of changes, stored in changed nodes
    bool any_changed; ///< a proxy has changed since the candidates were found
    bool* changed;    ///< per id: this proxy has changed
    Candidates candidates;
    IdSet meeting;
};

/// Update the candidates. When they do not fit, candidates.complete is false afterwards.
void ut_candidates_update(utBroad* broad);

static inline void ut_id_set_add(IdSet* set, int id)
{
    set->word[id >> 6] |= UINT64_C(1) << (id & 63);
    set->summary[id >> 12] |= UINT64_C(1) << (id >> 6 & 63);
}

#endif
