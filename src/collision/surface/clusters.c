// SPDX-License-Identifier: Apache-2.0
// Contact points of a shape and a surface: clusters by normal, and their reduction.
#include "internal.h"

static uint64_t feature_code(const SurfacePoint* m)
{
    return (uint64_t)m->feature_a << 32 | m->feature_b;
}

// ---- reduction of one cluster -------------------------------------------------------------------

static void sort_by_code(Cluster* c)
{
    for (int i = 1; i < c->count; i++) {
        const SurfacePoint moving = c->point[i];
        int j = i;
        for (; j > 0 && feature_code(&c->point[j - 1]) > feature_code(&moving); j--) {
            c->point[j] = c->point[j - 1];
        }
        c->point[j] = moving;
    }
}

// The first of the points that are deepest up to the slop.
static int find_deepest(const Cluster* c, double slop)
{
    double least = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        least = fmin(least, c->point[i].gap);
    }
    int deepest = 0;
    while (deepest < c->count - 1 && !(c->point[deepest].gap <= least + slop)) {
        deepest++;
    }
    return deepest;
}

// Keep `target_count` points: the deepest, and those that span the largest area. Of nearly equal points the
// first in the order of features is taken, so that a resting shape keeps its points.
static void keep_extent(Cluster* c, int target_count, double slop)
{
    if (c->count <= target_count) {
        return;
    }
    sort_by_code(c);
    SurfacePoint kept[CLUSTER_CAPACITY];
    utVec3 kept_point[CLUSTER_CAPACITY];
    bool taken[CLUSTER_CAPACITY] = {false};
    const int deepest = find_deepest(c, slop);
    int count = 0;
    kept_point[count] = c->point[deepest].on_surface;
    kept[count++] = c->point[deepest];
    taken[deepest] = true;
    while (count < target_count) {
        double most = -1.0;
        int best = -1;
        for (int i = 0; i < c->count; i++) {
            const double gain = taken[i] ? -1.0
                                         : ut_spread_gain(kept[0].normal, count, kept_point,
                                                          c->point[i].on_surface);
            if (!taken[i] && (best < 0 || gain > most * (1.0 + UT_TIE))) {
                most = gain;
                best = i;
            }
        }
        kept_point[count] = c->point[best].on_surface;
        kept[count++] = c->point[best];
        taken[best] = true;
    }
    for (int i = 0; i < count; i++) {
        c->point[i] = kept[i];
    }
    c->count = count;
}

// ---- clusters -----------------------------------------------------------------------------------

static double least_gap(const Cluster* c)
{
    double least = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        least = fmin(least, c->point[i].gap);
    }
    return least;
}

// The cluster of this normal, or a new one. If there is no room, a deeper point replaces the
// shallowest cluster. @return NULL when the point is not deeper
static Cluster* find_cluster(Clusters* clusters, const SurfacePoint* m)
{
    int shallowest = 0;
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        if (ut_same_normal(c->point[0].normal, m->normal, UT_SAME_NORMAL)) {
            return c;
        }
        shallowest = least_gap(c) > least_gap(&clusters->cluster[shallowest]) ? i : shallowest;
    }
    if (clusters->count < MAX_CLUSTERS) {
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

void ut_clusters_add(Clusters* clusters, const SurfacePoint* m)
{
    Cluster* c = find_cluster(clusters, m);
    if (c == NULL) {
        return;
    }
    // of two points at the same place keep the one with the lower features
    for (int i = 0; i < c->count; i++) {
        SurfacePoint* old = &c->point[i];
        if (feature_code(old) == feature_code(m)) {
            // the same corner over two parallel planes: keep the nearer plane
            if (fabs(m->gap) < fabs(old->gap)) {
                old->on_surface = m->on_surface;
                old->gap = m->gap;
                old->not_deepest = m->not_deepest;
            }
            return;
        }
        if (ut_vec3_norm(ut_vec3_sub(old->on_surface, m->on_surface)) <=
            UT_SAME_PLACE * clusters->slop) {
            const utVec3 normal = old->normal;
            *old = feature_code(m) < feature_code(old) ? *m : *old;
            old->normal = normal;
            return;
        }
    }
    if (c->count == CLUSTER_CAPACITY) {
        keep_extent(c, CLUSTER_CAPACITY / 2, clusters->slop);
    }
    c->point[c->count] = *m;
    c->point[c->count].normal = c->count > 0 ? c->point[0].normal : m->normal;
    c->count++;
}

// ---- competing exits ----------------------------------------------------------------------------

// Are a and b two exits from one small overlap at a corner of the surface? They are if each is
// behind the other's plane and their distance is at most a few times the depth. The two sides of a
// valley are in front of each other, so both stay.
static bool are_competing(const SurfacePoint* a, const SurfacePoint* b, double depth, double slop)
{
    const utVec3 d = ut_vec3_sub(b->on_surface, a->on_surface);
    return ut_vec3_norm(d) <= 10.0 * depth && ut_vec3_dot(a->normal, d) <= slop &&
           ut_vec3_dot(b->normal, d) >= -slop;
}

// Is there a shorter exit for the whole shape?
static bool has_shorter_exit(const Clusters* clusters, const SurfacePoint* m)
{
    const double gap = m->gap + clusters->radius;
    for (int i = 0; i < clusters->count; i++) {
        const Cluster* c = &clusters->cluster[i];
        for (int j = 0; j < c->count; j++) {
            const SurfacePoint* other = &c->point[j];
            if (!other->not_deepest && (m->not_deepest || other->gap > m->gap + clusters->slop) &&
                !ut_same_normal(other->normal, m->normal, UT_SAME_NORMAL) &&
                are_competing(m, other, -gap, clusters->slop)) {
                return true;
            }
        }
    }
    return false;
}

// Of the exits from one overlap keep the shortest.
static void keep_shortest_exits(Clusters* clusters)
{
    bool drop[MAX_CLUSTERS][CLUSTER_CAPACITY];
    for (int i = 0; i < clusters->count; i++) {
        for (int j = 0; j < clusters->cluster[i].count; j++) {
            const SurfacePoint* m = &clusters->cluster[i].point[j];
            drop[i][j] =
                m->gap + clusters->radius < -clusters->slop && has_shorter_exit(clusters, m);
        }
    }
    int kept_clusters = 0;
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        int kept = 0;
        for (int j = 0; j < c->count; j++) {
            if (!drop[i][j]) {
                c->point[kept++] = c->point[j];
            }
        }
        c->count = kept;
        if (kept > 0) {
            clusters->cluster[kept_clusters++] = *c;
        }
    }
    clusters->count = kept_clusters;
}

static bool contains(int count, const SurfacePoint* found, const SurfacePoint* m)
{
    for (int i = 0; i < count; i++) {
        if (feature_code(&found[i]) == feature_code(m)) {
            return true;
        }
    }
    return false;
}

// Number of points to keep of a cluster; normals are in the frame of the shape.
static int points_to_keep(const Clusters* clusters, const Cluster* c)
{
    const utVec3 n = c->point[0].normal;
    const bool cap = clusters->cylinder && sqrt(n.x * n.x + n.y * n.y) <= UT_UPRIGHT_SINE;
    return cap ? UT_MANIFOLD_MAX : UT_MANIFOLD_REDUCED;
}

int ut_clusters_reduce(Clusters* clusters, SurfacePoint found[UT_TOUCH_MAX])
{
    int order[MAX_CLUSTERS], count = 0;
    keep_shortest_exits(clusters);
    for (int i = 0; i < clusters->count; i++) {
        Cluster* c = &clusters->cluster[i];
        keep_extent(c, points_to_keep(clusters, c), clusters->slop);
        // move the deepest point to the front
        const int deepest = find_deepest(c, clusters->slop);
        const SurfacePoint first = c->point[deepest];
        c->point[deepest] = c->point[0];
        c->point[0] = first;
        // sort the clusters by depth
        int j = i;
        for (; j > 0 && clusters->cluster[order[j - 1]].point[0].gap > first.gap; j--) {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (int k = 0; k < UT_MANIFOLD_MAX; k++) {
        for (int i = 0; i < clusters->count && count < UT_TOUCH_MAX; i++) {
            const Cluster* c = &clusters->cluster[order[i]];
            // clusters with nearly equal normals may contain the same features
            if (k < c->count && !contains(count, found, &c->point[k])) {
                found[count++] = c->point[k];
            }
        }
    }
    return count;
}
