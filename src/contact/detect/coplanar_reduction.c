// SPDX-License-Identifier: Apache-2.0
// Coplanar reduction: of the contacts of two bodies through several geoms, keep those that can
// carry load and that no hidden seam forbids.
//
// A foot of four boxes on the ground, or a box on a hundred tiles, has contacts that share one
// normal n, one plane and one mu. In a rigid motion the normal velocity J_n v of such a contact is
// an affine function of its position in the plane. So if a contact p is a convex combination of
// others, x_p = sum l_k x_k with l_k >= 0 and sum l_k = 1, and its gap is no smaller than theirs,
//
//     b_p >= sum l_k b_k,    then    J_p v + b_p >= sum l_k (J_k v + b_k) >= 0
//
// for every v that the others allow: p never closes before them, and 0 is its impulse in a
// solution. The others can carry any load r_p of it as well, l_k r_p each, within their cones and
// with the same force and moment. Such contacts are redundant and dropped. The corners of the
// polygon around all contacts stay. The contacts that are neither redundant nor corners form
// the next polygon, whose corners stay in turn, and so on inwards.
#include <float.h>
#include <string.h>

#include "contact/contact.h"
#include "geom/hull.h"
#include "support_polygon.h"

// normals whose difference is at most this long count as parallel
static const double SAME_NORMAL = 1e-8;
// fractions of the polygon's extent: points and gaps that differ by less are equal; the narrow
// phase uses the same tolerance for points
static const double SAME_POINT = 1e-8;
static const double SAME_GAP = 1e-10;
// a pair of geoms is narrow when its area is below this fraction of the largest area
static const double MIN_AREA = 1e-6;

// ---- pairs of bodies ----------------------------------------------------------------------------

// The contacts of one pair of geoms.
typedef struct GeomPair {
    int a, b;         // rigid groups of the two geoms, a <= b
    int start, count; // its contacts
    bool turned;      // the normals go from b to a
} GeomPair;

// The rigid group of a geom: the body with joints to which it is welded; below 0 for geoms that are
// fixed or carried by a mocap body.
static int group_of(const utModel* model, int geom)
{
    const int body = model->geom[geom].body;
    const int weld = model->body[body].weld;
    return weld > 0 ? weld : -2 - ut_contact_mocap(model, body);
}

static GeomPair pair_at(const utModel* model, int count, const utContact* contact, int start)
{
    const utContact* first = &contact[start];
    int end = start + 1;
    while (end < count && contact[end].geom1 == first->geom1 &&
           contact[end].geom2 == first->geom2) {
        end++;
    }
    const int one = group_of(model, first->geom1), two = group_of(model, first->geom2);
    return (GeomPair){
        .a = one < two ? one : two,
        .b = one < two ? two : one,
        .start = start,
        .count = end - start,
        .turned = one > two,
    };
}

static int compare_groups(const GeomPair* x, const GeomPair* y)
{
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

static bool pair_before(const void* context, int i, int j)
{
    const GeomPair* pair = context;
    const int order = compare_groups(&pair[i], &pair[j]);
    return order != 0 ? order < 0 : i < j;
}

// @param sorted receives the pairs in the order of their groups
static utStatus sort_pairs(int count, const GeomPair* pair, utArena scratch, GeomPair* sorted)
{
    int* order = UT_PUSH(&scratch, int, count);
    int* spare = UT_PUSH(&scratch, int, count);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < count; k++) {
        order[k] = k;
    }
    ut_geom_sort(count, order, spare, pair_before, pair);
    for (int k = 0; k < count; k++) {
        sorted[k] = pair[order[k]];
    }
    return UT_OK;
}

// ---- contacts of one plane ----------------------------------------------------------------------

typedef enum PointRole { ROLE_CORNER, ROLE_REDUNDANT, ROLE_INNER } PointRole;

typedef struct Reduction {
    const ContactScene* scene;
    const utBroad* broad; // finds the geoms that may hide contacts; NULL: there are none
    const utContact* contact;
    bool* dropped;               // per contact
    PlanarContact* of_bodies;    // contacts of one pair of bodies
    PlanarContact* of_plane;     // contacts of one plane; the reduction overwrites them
    PlanarContact* plane_backup; // a copy of of_plane
    PointRole* role;
    int* corner;
    int* stack;
} Reduction;

// Set the coordinates of contacts in their plane. @return the largest distance from the first one
static double set_coordinates(const Reduction* work, int count, PlanarContact* point)
{
    utVec3 t1, t2;
    ut_tangent_basis(point[0].normal, &t1, &t2);
    const utVec3 start = work->contact[point[0].contact].point;
    double extent = 0.0;
    for (int i = 0; i < count; i++) {
        const utVec3 d = ut_vec3_sub(work->contact[point[i].contact].point, start);
        point[i].x = ut_vec3_dot(t1, d);
        point[i].y = ut_vec3_dot(t2, d);
        point[i].height = ut_vec3_dot(point[0].normal, d);
        extent = fmax(extent, ut_vec3_norm(d));
    }
    return extent;
}

// Drop redundant contacts, from the outermost polygon inwards. @param extent of all points, m
// @param point overwritten
static void drop_redundant(const Reduction* work, double extent, int count, PlanarContact* point)
{
    const double rounding =
        16.0 * DBL_EPSILON * (ut_vec3_norm(work->contact[point[0].contact].point) + extent);
    SupportPolygon polygon = {
        .count = count,
        .point = point,
        .corner = work->corner,
        .length_tolerance = SAME_POINT * extent + rounding,
        .gap_tolerance = SAME_GAP * extent + rounding,
    };
    while (polygon.count > 1) {
        ut_polygon_find_corners(&polygon, work->stack);
        for (int i = 0; i < polygon.count; i++) {
            work->role[i] = ut_polygon_is_corner(&polygon, i)              ? ROLE_CORNER
                            : ut_polygon_is_redundant(&polygon, &point[i]) ? ROLE_REDUNDANT
                                                                           : ROLE_INNER;
        }
        int inner = 0;
        for (int i = 0; i < polygon.count; i++) {
            work->dropped[point[i].contact] = work->role[i] == ROLE_REDUNDANT;
            if (work->role[i] == ROLE_INNER) {
                point[inner++] = point[i];
            }
        }
        polygon.count = inner;
    }
}

static bool is_hidden(const Reduction* work, int contact)
{
    return work->broad != NULL &&
           ut_contact_is_hidden(work->scene, work->broad, &work->contact[contact]);
}

// A hidden contact carries nothing. If one of the contacts that stay is hidden, test all contacts
// and repeat the reduction without the hidden ones; testing all of them first would cost more.
static void reduce_plane(const Reduction* work, int count)
{
    const double extent = set_coordinates(work, count, work->of_plane);
    memcpy(work->plane_backup, work->of_plane, (size_t)count * sizeof *work->plane_backup);
    drop_redundant(work, extent, count, work->of_plane);
    bool hidden = false;
    for (int i = 0; i < count && !hidden; i++) {
        const int contact = work->plane_backup[i].contact;
        hidden = !work->dropped[contact] && is_hidden(work, contact);
    }
    if (!hidden) {
        return;
    }
    int visible = 0;
    for (int i = 0; i < count; i++) {
        const int contact = work->plane_backup[i].contact;
        work->dropped[contact] = is_hidden(work, contact);
        if (!work->dropped[contact]) {
            work->of_plane[visible++] = work->plane_backup[i];
        }
    }
    if (visible > 0) {
        drop_redundant(work, extent, visible, work->of_plane);
    }
}

// Do two contacts have the same normal and mu, and lie on one plane surface, above or below?
static bool share_plane(const Reduction* work, const PlanarContact* s, const PlanarContact* t)
{
    const utVec3 d = ut_vec3_sub(work->contact[t->contact].point, work->contact[s->contact].point);
    const double up = ut_vec3_dot(s->normal, d), half = 0.5 * (t->gap - s->gap);
    const double tolerance = SAME_POINT * ut_vec3_norm(d) +
                             16.0 * DBL_EPSILON * ut_vec3_norm(work->contact[s->contact].point);
    return s->mu == t->mu && ut_vec3_norm(ut_vec3_sub(s->normal, t->normal)) <= SAME_NORMAL &&
           (fabs(up - half) <= tolerance || fabs(up + half) <= tolerance);
}

// ---- contacts of one pair of bodies -------------------------------------------------------------

// Sort the contacts of one pair of bodies into planes and reduce each plane.
static void reduce_planes(const Reduction* work, int count)
{
    int left = count;
    while (left > 0) {
        const PlanarContact first = work->of_bodies[0];
        int taken = 0, others = 0;
        bool several_pairs = false;
        for (int i = 0; i < left; i++) {
            const PlanarContact point = work->of_bodies[i];
            if (i == 0 || share_plane(work, &first, &point)) {
                several_pairs = several_pairs || point.pair != first.pair;
                work->of_plane[taken++] = point;
            } else {
                work->of_bodies[others++] = point;
            }
        }
        if (several_pairs) {
            reduce_plane(work, taken);
        }
        for (int i = 0; i < taken && !several_pairs; i++) {
            const int contact = work->of_plane[i].contact;
            work->dropped[contact] = is_hidden(work, contact);
        }
        left = others;
    }
}

static PlanarContact planar_contact(const Reduction* work, const GeomPair* pair, int index,
                                    int contact)
{
    const utContact* c = &work->contact[contact];
    return (PlanarContact){
        .contact = contact,
        .pair = index,
        .normal = pair->turned ? ut_vec3_negate(c->frame[0]) : c->frame[0],
        .gap = c->gap,
        .counted_gap = c->gap > 0.0 || ut_contact_counts_overlap(work->scene) ? c->gap : 0.0,
        .mu = c->mu,
    };
}

// A measure of the area that the contacts of a pair of geoms span: twice the largest triangle with
// the first contact as a corner.
static double area_of(const utContact* contact, const GeomPair* pair)
{
    const utVec3 first = contact[pair->start].point;
    double area = 0.0;
    for (int i = 1; i < pair->count; i++) {
        const utVec3 d = ut_vec3_sub(contact[pair->start + i].point, first);
        for (int k = i + 1; k < pair->count; k++) {
            const utVec3 e = ut_vec3_sub(contact[pair->start + k].point, first);
            area = fmax(area, ut_vec3_norm(ut_vec3_cross(d, e)));
        }
    }
    return area;
}

// Of several contacts at one point the first stays. Wide pairs come first, because narrow ones
// appear and vanish from step to step where edges lie above each other.
static void reduce_bodies(const Reduction* work, int pairs, const GeomPair* pair)
{
    double largest = 0.0;
    for (int k = 0; k < pairs; k++) {
        largest = fmax(largest, area_of(work->contact, &pair[k]));
    }
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < pairs; k++) {
            const bool narrow = !(area_of(work->contact, &pair[k]) > MIN_AREA * largest);
            for (int i = 0; narrow == (pass == 1) && i < pair[k].count; i++) {
                work->of_bodies[count++] = planar_contact(work, &pair[k], k, pair[k].start + i);
            }
        }
    }
    reduce_planes(work, count);
}

static void drop_hidden(const Reduction* work, const GeomPair* pair)
{
    for (int i = pair->start; i < pair->start + pair->count; i++) {
        work->dropped[i] = is_hidden(work, i);
    }
}

// ---- all contacts -------------------------------------------------------------------------------

static utStatus push_work(const ContactScene* scene, const utBroad* broad, int count,
                          const utContact* contact, utArena* scratch, Reduction* work)
{
    *work = (Reduction){
        .scene = scene,
        .broad = broad,
        .contact = contact,
        .dropped = UT_PUSH(scratch, bool, count),
        .of_bodies = UT_PUSH(scratch, PlanarContact, count),
        .of_plane = UT_PUSH(scratch, PlanarContact, count),
        .plane_backup = UT_PUSH(scratch, PlanarContact, count),
        .role = UT_PUSH(scratch, PointRole, count),
        .corner = UT_PUSH(scratch, int, count + 1),
        .stack = UT_PUSH(scratch, int, count + 2),
    };
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(work->dropped, 0, (size_t)count * sizeof *work->dropped);
    return UT_OK;
}

// @param ascending receives whether every pair of bodies has a single pair of geoms
static int find_pairs(const utModel* model, int count, const utContact* contact, GeomPair* pair,
                      bool* ascending)
{
    int pairs = 0;
    *ascending = true;
    for (int i = 0; i < count; i += pair[pairs++].count) {
        pair[pairs] = pair_at(model, count, contact, i);
        *ascending =
            *ascending && (pairs == 0 || compare_groups(&pair[pairs - 1], &pair[pairs]) < 0);
    }
    return pairs;
}

// Are there two geoms that no joint moves, so that one may hide a part of the other?
static bool has_seams(const utModel* model)
{
    int fixed = 0;
    for (int g = 0; g < model->ngeom && fixed < 2; g++) {
        fixed += model->body[model->geom[g].body].tree < 0;
    }
    return fixed == 2;
}

static void remove_dropped(const bool* dropped, int* count, utContact* contact)
{
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        if (!dropped[i]) {
            contact[kept++] = contact[i];
        }
    }
    *count = kept;
}

utStatus ut_contact_reduce(const ContactScene* scene, const utBroad* broad, utArena scratch,
                           int* count, utContact* contact)
{
    const bool seams = has_seams(scene->model);
    GeomPair* found = UT_PUSH(&scratch, GeomPair, *count);
    GeomPair* pair = UT_PUSH(&scratch, GeomPair, *count);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    bool ascending;
    const int pairs = find_pairs(scene->model, *count, contact, found, &ascending);
    if (ascending && !seams) {
        return UT_OK;
    }
    UT_TRY(sort_pairs(pairs, found, scratch, pair));
    Reduction work;
    UT_TRY(push_work(scene, seams ? broad : NULL, *count, contact, &scratch, &work));
    int end;
    for (int k = 0; k < pairs; k = end) {
        end = k + 1;
        while (end < pairs && compare_groups(&pair[k], &pair[end]) == 0) {
            end++;
        }
        if (end > k + 1) {
            reduce_bodies(&work, end - k, &pair[k]);
        } else {
            drop_hidden(&work, &pair[k]);
        }
    }
    remove_dropped(work.dropped, count, contact);
    return UT_OK;
}
