// SPDX-License-Identifier: Apache-2.0
// Candidates: pairs of proxies whose enlarged boxes meet, sorted by ids.
#include <string.h>

#include "broad.h"

// Stable counting sort by the lower or the higher id. Sorting by the higher ids first and then by
// the lower ids sorts the pairs.
static void counting_sort(const IdPair* from, int count, int ids, bool low, int* counter,
                          IdPair* to)
{
    memset(counter, 0, ((size_t)ids + 1) * sizeof *counter);
    for (int i = 0; i < count; i++) {
        counter[1 + (low ? from[i].low : from[i].high)]++;
    }
    for (int id = 0; id < ids; id++) {
        counter[id + 1] += counter[id];
    }
    for (int i = 0; i < count; i++) {
        to[counter[low ? from[i].low : from[i].high]++] = from[i];
    }
}

// Merge the old partners of id, without changed proxies, with its new partners.
// @return total number of partners; above the capacity when they do not fit
static int merge_partners(const utBroad* broad, int id, const IdPair* found, int fresh_end,
                          int count)
{
    const Candidates* candidates = &broad->candidates;
    int old = candidates->start[id], i = 0;
    const int old_end = broad->changed[id] ? old : candidates->start[id + 1];
    while (old < old_end || i < fresh_end) {
        if (old < old_end && broad->changed[candidates->partner[old]]) {
            old++;
            continue;
        }
        if (count == candidates->capacity) {
            return count + 1;
        }
        const bool take_old =
            old < old_end && (i == fresh_end || candidates->partner[old] < found[i].high);
        candidates->next_partner[count++] = take_old ? candidates->partner[old++] : found[i++].high;
    }
    return count;
}

// Build the next lists from the old lists and from `count` sorted new pairs.
// @return false when they do not fit
static bool merge_lists(utBroad* broad, const IdPair* found, int count)
{
    Candidates* candidates = &broad->candidates;
    int total = 0, used = 0;
    for (int id = 0; id < broad->capacity; id++) {
        candidates->next_start[id] = total;
        int end = used;
        while (end < count && found[end].low == id) {
            end++;
        }
        total = merge_partners(broad, id, found + used, end - used, total);
        used = end;
        if (total > candidates->capacity) {
            return false;
        }
    }
    candidates->next_start[broad->capacity] = total;
    int* start = candidates->start;
    int* partner = candidates->partner;
    candidates->start = candidates->next_start;
    candidates->partner = candidates->next_partner;
    candidates->next_start = start;
    candidates->next_partner = partner;
    return true;
}

// Rebuild a tree that changed as often as it has leaves: this costs O(log n) per change.
static void rebuild_trees(utBroad* broad)
{
    for (int k = 0; k < 2; k++) {
        if (broad->tree[k].changes > broad->tree[k].leaves) {
            ut_tree_build(&broad->nodes, &broad->tree[k], broad->candidates.scratch);
        }
    }
}

static bool find_candidates(utBroad* broad, uint32_t since)
{
    Candidates* candidates = &broad->candidates;
    PairList list = {0, candidates->capacity, candidates->found};
    const int moving = broad->tree[0].root, fixed = broad->tree[1].root;
    const bool fits = ut_tree_pairs(&broad->nodes, moving, moving, since, candidates->scratch,
                                    candidates->scratch_capacity, &list) &&
                      ut_tree_pairs(&broad->nodes, moving, fixed, since, candidates->scratch,
                                    candidates->scratch_capacity, &list);
    if (!fits) {
        return false;
    }
    counting_sort(candidates->found, list.count, broad->capacity, false, candidates->counter,
                  candidates->scratch);
    counting_sort(candidates->scratch, list.count, broad->capacity, true, candidates->counter,
                  candidates->found);
    return merge_lists(broad, candidates->found, list.count);
}

static void clear_changes(utBroad* broad)
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
    Candidates* candidates = &broad->candidates;
    if (!broad->any_changed) {
        return;
    }
    rebuild_trees(broad);
    if (!candidates->complete) {
        memset(candidates->start, 0, ((size_t)broad->capacity + 1) * sizeof *candidates->start);
    }
    candidates->complete = find_candidates(broad, candidates->complete ? broad->stamp : 0);
    clear_changes(broad);
}
