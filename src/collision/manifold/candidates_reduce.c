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

// Twice the signed area of the triangle a b x, seen along n.
static double area(utVec3 n, utVec3 a, utVec3 b, utVec3 x)
{
    return ut_vec3_dot(n, ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(x, a)));
}

// The gain of a candidate over the kept points: its distance from the first, the area with the
// first two, the area outside of the triangle of three, and then the distance from the nearest kept
// point.
static double spread_gain(const Candidate* kept, int count, const Candidate* c)
{
    const utVec3 a = kept[0].point, n = kept[0].normal, x = c->point;
    if (count == 1) {
        return ut_vec3_norm(ut_vec3_sub(x, a));
    }
    if (count == 2) {
        return fabs(area(n, a, kept[1].point, x));
    }
    if (count > 3) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            const double away = ut_vec3_norm(ut_vec3_sub(x, kept[i].point));
            nearest = away < nearest ? away : nearest;
        }
        return nearest;
    }
    const double turn = area(n, a, kept[1].point, kept[2].point) < 0.0 ? -1.0 : 1.0;
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = ut_larger(most, -turn * area(n, kept[i].point, kept[(i + 1) % 3].point, x));
    }
    return most;
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
    bool taken[MAX_CANDIDATES] = {false};
    const int deepest = find_deepest(list);
    int count = 0;
    kept[count++] = list->item[deepest];
    taken[deepest] = true;
    while (count < target_count) {
        double most = -1.0;
        int best = -1;
        for (int i = 0; i < list->count; i++) {
            const double gain = taken[i] ? -1.0 : spread_gain(kept, count, &list->item[i]);
            if (!taken[i] && (best < 0 || gain > most * (1.0 + UT_TIE) + SMALLEST_GAIN)) {
                most = gain;
                best = i;
            }
        }
        kept[count++] = list->item[best];
        taken[best] = true;
    }
    for (int i = 0; i < count; i++) {
        list->item[i] = kept[i];
    }
    list->count = count;
}
