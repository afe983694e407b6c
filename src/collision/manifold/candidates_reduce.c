// SPDX-License-Identifier: Apache-2.0
// Reduce many candidates to a few.
#include "manifold.h"

// gains below this are 0, even for subnormal coordinates
#define SMALLEST_GAIN 1e-30

static uint64_t feature_code(const Candidate* c)
{
    return (uint64_t)(uint32_t)c->feature_a << 32 | (uint32_t)c->feature_b;
}

void ut_candidates_add(Candidates* list, const Candidate* candidate)
{
    const double near = UT_SAME_PLACE * list->slop;
    for (int i = 0; i < list->count; i++) {
        const Candidate* known = &list->item[i];
        const utVec3 difference = ut_vec3_sub(known->point, candidate->point);
        if (feature_code(known) == feature_code(candidate) ||
            ut_vec3_dot(difference, difference) <= near * near) {
            return;
        }
    }
    if (list->count == MAX_CANDIDATES) {
        ut_candidates_reduce(list, MAX_CANDIDATES / 2);
    }
    list->item[list->count++] = *candidate;
}

static void sort_by_code(Candidates* list)
{
    for (int i = 1; i < list->count; i++) {
        const Candidate moving = list->item[i];
        int j = i;
        for (; j > 0 && feature_code(&list->item[j - 1]) > feature_code(&moving); j--) {
            list->item[j] = list->item[j - 1];
        }
        list->item[j] = moving;
    }
}

// The first of the candidates that are deepest up to half the slop.
static int find_deepest(const Candidates* list)
{
    double least = HUGE_VAL;
    for (int i = 0; i < list->count; i++) {
        least = list->item[i].gap < least ? list->item[i].gap : least;
    }
    int deepest = 0;
    while (deepest < list->count - 1 && !(list->item[deepest].gap <= least + 0.5 * list->slop)) {
        deepest++;
    }
    return deepest;
}

// Of nearly equal candidates the first in the order of features is taken, so that a resting pair
// keeps its points.
void ut_candidates_reduce(Candidates* list, int target_count)
{
    if (list->count <= target_count) {
        return;
    }
    sort_by_code(list);
    Candidate kept[MAX_CANDIDATES];
    utVec3 kept_point[MAX_CANDIDATES];
    bool taken[MAX_CANDIDATES] = {false};
    const int deepest = find_deepest(list);
    int count = 0;
    kept_point[count] = list->item[deepest].point;
    kept[count++] = list->item[deepest];
    taken[deepest] = true;
    while (count < target_count) {
        double most = -1.0;
        int best = -1;
        for (int i = 0; i < list->count; i++) {
            const double gain =
                taken[i] ? -1.0
                         : ut_spread_gain(kept[0].normal, count, kept_point, list->item[i].point);
            if (!taken[i] && (best < 0 || gain > most * (1.0 + UT_TIE) + SMALLEST_GAIN)) {
                most = gain;
                best = i;
            }
        }
        kept_point[count] = list->item[best].point;
        kept[count++] = list->item[best];
        taken[best] = true;
    }
    for (int i = 0; i < count; i++) {
        list->item[i] = kept[i];
    }
    list->count = count;
}
