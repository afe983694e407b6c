// SPDX-License-Identifier: Apache-2.0
// Candidates: pairs of proxies whose enlarged boxes meet, kept in order.
#include <string.h>

#include "broad.h"

// Replace all lists by what was found: a counting sort on the higher ids and then, since that keeps
// the order among equals, on the lower ones.
static void sort_by(const IdPair* from, int count, int ids, bool low, int* tally, IdPair* to)
{
    memset(tally, 0, ((size_t)ids + 1) * sizeof *tally);
    for (int i = 0; i < count; i++) {
        tally[1 + (low ? from[i].low : from[i].high)]++;
    }
    for (int id = 0; id < ids; id++) {
        tally[id + 1] += tally[id];
    }
    for (int i = 0; i < count; i++) {
        to[tally[low ? from[i].low : from[i].high]++] = from[i];
    }
}

// The old partners of id whose enlarged boxes are the same as before, merged with its fresh ones.
// @return how many partners there are in the end, over near->room when they do not fit
static int merge(const utBroad* broad, int id, const IdPair* fresh, int fresh_end, int count)
{
    const Candidates* near = &broad->near;
    int old = near->start[id], i = 0;
    const int old_end = broad->changed[id] ? old : near->start[id + 1];
    while (old < old_end || i < fresh_end) {
        if (old < old_end && broad->changed[near->partner[old]]) {
            old++;
            continue;
        }
        if (count == near->room) {
            return count + 1;
        }
        const bool take_old =
            old < old_end && (i == fresh_end || near->partner[old] < fresh[i].high);
        near->next_partner[count++] = take_old ? near->partner[old++] : fresh[i++].high;
    }
    return count;
}

// The next lists, from the old ones and from `count` fresh pairs in order. @return false when they
// do not fit
static bool merge_all(utBroad* broad, const IdPair* fresh, int count)
{
    Candidates* near = &broad->near;
    int total = 0, used = 0;
    for (int id = 0; id < broad->capacity; id++) {
        near->next_start[id] = total;
        int end = used;
        while (end < count && fresh[end].low == id) {
            end++;
        }
        total = merge(broad, id, fresh + used, end - used, total);
        used = end;
        if (total > near->room) {
            return false;
        }
    }
    near->next_start[broad->capacity] = total;
    int* start = near->start;
    int* partner = near->partner;
    near->start = near->next_start;
    near->partner = near->next_partner;
    near->next_start = start;
    near->next_partner = partner;
    return true;
}

// A tree that has changed as often as it has leaves is built anew: 1/n of the work a change.
static void build_anew(utBroad* broad)
{
    for (int k = 0; k < 2; k++) {
        if (broad->tree[k].changes > broad->tree[k].leaves) {
            ut_tree_build(&broad->nodes, &broad->tree[k], broad->near.spare);
        }
    }
}

static bool find(utBroad* broad, uint32_t since)
{
    Candidates* near = &broad->near;
    PairList list = {0, near->room, near->fresh};
    const int moving = broad->tree[0].root, fixed = broad->tree[1].root;
    const bool fits =
        ut_tree_pairs(&broad->nodes, moving, moving, since, near->spare, near->spare_room, &list) &&
        ut_tree_pairs(&broad->nodes, moving, fixed, since, near->spare, near->spare_room, &list);
    if (!fits) {
        return false;
    }
    sort_by(near->fresh, list.count, broad->capacity, false, near->tally, near->spare);
    sort_by(near->spare, list.count, broad->capacity, true, near->tally, near->fresh);
    return merge_all(broad, near->fresh, list.count);
}

static void forget_changes(utBroad* broad)
{
    broad->any_changed = false;
    memset(broad->changed, 0, (size_t)broad->capacity * sizeof *broad->changed);
    if (broad->stamp < UINT32_MAX) {
        broad->stamp++;
        return;
    }
    for (int i = 0; i < 2 * broad->capacity; i++) {
        broad->nodes.node[i].stamp = 0;
    }
    broad->stamp = 1;
}

void ut_candidates_update(utBroad* broad)
{
    Candidates* near = &broad->near;
    if (!broad->any_changed) {
        return;
    }
    build_anew(broad);
    if (!near->complete) {
        memset(near->start, 0, ((size_t)broad->capacity + 1) * sizeof *near->start);
    }
    near->complete = find(broad, near->complete ? broad->stamp : 0);
    forget_changes(broad);
}
