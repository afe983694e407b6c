// SPDX-License-Identifier: Apache-2.0
// What the files of the broad phase share.
//
// The trees hold enlarged boxes and only propose; what is reported is decided on the boxes as they
// were set, so the result is that of trying all pairs. Boxes without end, such as those of planes,
// stand in a list by themselves: in a tree they would make every ancestor endless.
//
// Pairs of proxies whose enlarged boxes meet are kept from call to call: only where an enlarged box
// has changed the trees are asked again. There is room for a fixed number of them; when they are
// more the trees are asked for everything, each time.
#ifndef UPTACK_COLLISION_BROAD_BROAD_H
#define UPTACK_COLLISION_BROAD_BROAD_H

#include <uptack/collision.h>

#include "tree.h"

enum { ABSENT, IN_TREE, ENDLESS };

/// One cache line.
typedef struct Proxy {
    utBounds bounds; ///< as set
    int place;       ///< of an endless one, in the list of those
    uint8_t state;   ///< ABSENT, IN_TREE or ENDLESS
    bool fixed;
} Proxy;

/// Sets of ids that come out in ascending order: a bit an id, and a bit for each word of those.
typedef struct IdSet {
    uint64_t* word;
    uint64_t* summary;
} IdSet;

/// Pairs whose enlarged boxes meet: the partners of id, all above it and ascending, are
/// partner[start[id]] ... partner[start[id + 1] - 1].
typedef struct Candidates {
    int room;      ///< how many fit
    bool complete; ///< all of them are here
    int* start;    ///< capacity + 1
    int* partner;
    int* next_start; ///< what they are replaced by; then the two change places
    int* next_partner;
    IdPair* fresh; ///< of proxies that have changed, room entries
    IdPair* spare; ///< as many, and as deep a stack as the trees may need
    int spare_room;
    int* tally; ///< capacity + 1
} Candidates;

struct utBroad {
    int capacity;
    Proxy* proxy;
    Nodes nodes;
    Tree tree[2]; ///< of what moves, of what is fixed
    int* endless; ///< ids
    int endless_count;
    uint32_t stamp;   ///< of the changes since the candidates were found
    bool any_changed; ///< are there any?
    bool* changed;    ///< whose
    Candidates near;
    IdSet met;
};

/// Bring the candidates up to date. They may be too many: then they are not complete.
void ut_candidates_update(utBroad* broad);

static inline void ut_id_set_add(IdSet* set, int id)
{
    set->word[id >> 6] |= UINT64_C(1) << (id & 63);
    set->summary[id >> 12] |= UINT64_C(1) << (id >> 6 & 63);
}

#endif
