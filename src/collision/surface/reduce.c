// SPDX-License-Identifier: Apache-2.0
// Points of a shape and a surface, gathered by their normals, and the few that are kept.
#include "internal.h"

static uint64_t code(const Meeting* m)
{
    return (uint64_t)m->fa << 32 | m->fb;
}

// ---- four of a cluster --------------------------------------------------------------------------

static void sort_by_code(Cluster* c)
{
    for (int i = 1; i < c->count; i++) {
        const Meeting moving = c->meeting[i];
        int j = i;
        for (; j > 0 && code(&c->meeting[j - 1]) > code(&moving); j--) {
            c->meeting[j] = c->meeting[j - 1];
        }
        c->meeting[j] = moving;
    }
}

// of all that are as deep as the deepest up to resting noise the first
static int find_deepest(const Cluster* c, double slop)
{
    double least = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        least = fmin(least, c->meeting[i].gap);
    }
    int deepest = 0;
    while (deepest < c->count - 1 && !(c->meeting[deepest].gap <= least + slop)) {
        deepest++;
    }
    return deepest;
}

// twice the area of the triangle a b x, seen along n, with its sign
static double area(utVec3 n, utVec3 a, utVec3 b, utVec3 x)
{
    return ut_vec3_dot(n, ut_vec3_cross(ut_vec3_sub(b, a), ut_vec3_sub(x, a)));
}

// How much the next point adds to those that are kept: its distance from the first, the area with
// the first two, the area that lies outside of the first three, and then how far it is from all.
static double merit(const Meeting* kept, int count, const Meeting* m)
{
    const utVec3 a = kept[0].foot, n = kept[0].normal, x = m->foot;
    if (count == 1) {
        return ut_vec3_norm(ut_vec3_sub(x, a));
    }
    if (count == 2) {
        return fabs(area(n, a, kept[1].foot, x));
    }
    if (count > 3) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            nearest = fmin(nearest, ut_vec3_norm(ut_vec3_sub(x, kept[i].foot)));
        }
        return nearest;
    }
    const double turn = area(n, a, kept[1].foot, kept[2].foot) < 0.0 ? -1.0 : 1.0;
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        const double out = -turn * area(n, kept[i].foot, kept[(i + 1) % 3].foot, x);
        most = fmax(most, out);
    }
    return most;
}

// Keep `want` of the meetings: a deepest one and those that hold the extent. Of nearly equal ones
// the first is taken, in the order of their features, so that a resting shape keeps its points.
static void keep_extent(Cluster* c, int want, double slop)
{
    if (c->count <= want) {
        return;
    }
    sort_by_code(c);
    Meeting kept[CLUSTER_ROOM];
    bool taken[CLUSTER_ROOM] = {false};
    const int deepest = find_deepest(c, slop);
    int count = 0;
    kept[count++] = c->meeting[deepest];
    taken[deepest] = true;
    while (count < want) {
        double most = -1.0;
        int best = -1;
        for (int i = 0; i < c->count; i++) {
            const double mine = taken[i] ? -1.0 : merit(kept, count, &c->meeting[i]);
            if (!taken[i] && (best < 0 || mine > most * (1.0 + 1e-6))) {
                most = mine;
                best = i;
            }
        }
        kept[count++] = c->meeting[best];
        taken[best] = true;
    }
    for (int i = 0; i < count; i++) {
        c->meeting[i] = kept[i];
    }
    c->count = count;
}

// ---- gathering ----------------------------------------------------------------------------------

static double least_gap(const Cluster* c)
{
    double least = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        least = fmin(least, c->meeting[i].gap);
    }
    return least;
}

// the cluster of this normal; without room for another one the shallowest makes place for what is
// deeper
static Cluster* find_cluster(Clusters* clusters, const Meeting* m)
{
    int shallowest = 0;
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        if (ut_same_normal(c->meeting[0].normal, m->normal, 1e-9)) {
            return c;
        }
        shallowest = least_gap(c) > least_gap(&clusters->cluster[shallowest]) ? i : shallowest;
    }
    if (clusters->count < CLUSTER_MAX) {
        Cluster* c = &clusters->cluster[clusters->count++];
        c->count = 0;
        return c;
    }
    Cluster* c = &clusters->cluster[shallowest];
    if (!(m->gap < least_gap(c))) {
        return NULL;
    }
    c->count = 0;
    return c;
}

void ut_clusters_add(Clusters* clusters, const Meeting* m)
{
    Cluster* c = find_cluster(clusters, m);
    if (c == NULL) {
        return;
    }
    // the same place by another way: the one whose features come first
    for (int i = 0; i < c->count; i++) {
        Meeting* old = &c->meeting[i];
        if (code(old) == code(m)) {
            // one corner over two parallel planes: the nearer one
            if (fabs(m->gap) < fabs(old->gap)) {
                old->foot = m->foot;
                old->gap = m->gap;
                old->beside = m->beside;
            }
            return;
        }
        if (ut_vec3_norm(ut_vec3_sub(old->foot, m->foot)) <= 4.0 * clusters->slop) {
            const utVec3 normal = old->normal;
            *old = code(m) < code(old) ? *m : *old;
            old->normal = normal;
            return;
        }
    }
    if (c->count == CLUSTER_ROOM) {
        keep_extent(c, CLUSTER_ROOM / 2, clusters->slop);
    }
    c->meeting[c->count] = *m;
    c->meeting[c->count].normal = c->count > 0 ? c->meeting[0].normal : m->normal;
    c->count++;
}

// ---- the way out --------------------------------------------------------------------------------

// Are a and b two ways out of one small overlap, over a corner of the surface? Then each is behind
// the other's plane, and they are no further apart than a few times the depth. Two sides of a
// valley are in front of each other.
static bool are_rivals(const Meeting* a, const Meeting* b, double depth, double slop)
{
    const utVec3 d = ut_vec3_sub(b->foot, a->foot);
    return ut_vec3_norm(d) <= 10.0 * depth && ut_vec3_dot(a->normal, d) <= slop &&
           ut_vec3_dot(b->normal, d) >= -slop;
}

// A shorter way out that the whole shape takes.
static bool has_better(const Clusters* clusters, const Meeting* m)
{
    const double gap = m->gap + clusters->radius;
    for (int i = 0; i < clusters->count; i++) {
        const Cluster* c = &clusters->cluster[i];
        for (int j = 0; j < c->count; j++) {
            const Meeting* other = &c->meeting[j];
            if (!other->beside && (m->beside || other->gap > m->gap + clusters->slop) &&
                !ut_same_normal(other->normal, m->normal, 1e-9) &&
                are_rivals(m, other, -gap, clusters->slop)) {
                return true;
            }
        }
    }
    return false;
}

// Of the ways out of one overlap keep the shortest.
static void drop_longer_ways(Clusters* clusters)
{
    bool drop[CLUSTER_MAX][CLUSTER_ROOM];
    for (int i = 0; i < clusters->count; i++) {
        for (int j = 0; j < clusters->cluster[i].count; j++) {
            const Meeting* m = &clusters->cluster[i].meeting[j];
            drop[i][j] = m->gap + clusters->radius < -clusters->slop && has_better(clusters, m);
        }
    }
    int kept_clusters = 0;
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        int kept = 0;
        for (int j = 0; j < c->count; j++) {
            if (!drop[i][j]) {
                c->meeting[kept++] = c->meeting[j];
            }
        }
        c->count = kept;
        if (kept > 0) {
            clusters->cluster[kept_clusters++] = *c;
        }
    }
    clusters->count = kept_clusters;
}

static bool is_there(int count, const Meeting* found, const Meeting* m)
{
    for (int i = 0; i < count; i++) {
        if (code(&found[i]) == code(m)) {
            return true;
        }
    }
    return false;
}

// how many of a cluster; normals are in the shape's frame
static int most_of(const Clusters* clusters, const Cluster* c)
{
    const utVec3 n = c->meeting[0].normal;
    const bool cap = clusters->cylinder && sqrt(n.x * n.x + n.y * n.y) <= 0.5 * UT_SLOP;
    return cap ? UT_MANIFOLD_MAX : UT_MANIFOLD_FEW;
}

int ut_clusters_reduce(Clusters* clusters, Meeting found[UT_TOUCH_MAX])
{
    int order[CLUSTER_MAX], count = 0;
    drop_longer_ways(clusters);
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        keep_extent(c, most_of(clusters, c), clusters->slop);
        // the deepest to the front
        const int deepest = find_deepest(c, clusters->slop);
        const Meeting first = c->meeting[deepest];
        c->meeting[deepest] = c->meeting[0];
        c->meeting[0] = first;
        // clusters in order of their depth
        int j = i;
        for (; j > 0 && clusters->cluster[order[j - 1]].meeting[0].gap > first.gap; j--) {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (int k = 0; k < UT_MANIFOLD_MAX; k++) {
        for (int i = 0; i < clusters->count && count < UT_TOUCH_MAX; i++) {
            const Cluster* c = &clusters->cluster[order[i]];
            // normals that are almost the same make almost the same touches
            if (k < c->count && !is_there(count, found, &c->meeting[k])) {
                found[count++] = c->meeting[k];
            }
        }
    }
    return count;
}
