// SPDX-License-Identifier: Apache-2.0
// Contacts of one body with another through several geoms: only those that can carry, and are not
// hidden between fixed geoms.
//
// A foot of four boxes on the ground, or a box on a hundred tiles, has contacts that share one
// normal n, one plane and one mu. By a rigid motion the normal velocity J_n v of such contacts is
// an affine function of where they are in the plane. So where a contact p lies within the polygon
// of others, x_p = sum l_k x_k with l_k >= 0 and sum l_k = 1, and has no less room than they have,
//
//     b_p >= sum l_k b_k,    then    J_p v + b_p >= sum l_k (J_k v + b_k) >= 0
//
// for every v that they allow: p never closes before them, and 0 is its impulse in a solution. What
// it could carry they can carry as well, l_k r_p each, within their cones and with the same force
// and moment. Such contacts are dropped. The corners of the polygon stay; of those that are closer
// than the corners around them say, the corners in turn, and so on.
#include <float.h>
#include <string.h>

#include "contact.h"

static const double PARALLEL = 1e-8; // how far normals may be apart
static const double SAME = 1e-8;     // of the polygon's extent: as collision counts points as equal
static const double LEVEL = 1e-10;   // of the extent: how much less room is none
static const double SLIVER = 1e-6;   // of the largest area: a smaller one is none
static const double RESTING = 2e-9;  // m: the same across gap = 0, where overlaps count as none

// ---- pairs of bodies ----------------------------------------------------------------------------

// The contacts of one pair of geoms, of what moves as one: a <= b.
typedef struct Run {
    int a, b;
    int start, count; ///< contacts
    bool turned;      ///< their normals go from b to a
} Run;

// What moves as one: the body with joints that it is welded to; below 0 what is fixed, and mocaps.
static int group_of(const utModel* model, int geom)
{
    const int body = model->geom[geom].body;
    const int weld = model->body[body].weld;
    return weld > 0 ? weld : -2 - ut_contact_mocap(model, body);
}

static Run run_at(const utModel* model, int count, const utContact* contact, int start)
{
    const utContact* first = &contact[start];
    int end = start + 1;
    while (end < count && contact[end].geom1 == first->geom1 &&
           contact[end].geom2 == first->geom2) {
        end++;
    }
    const int one = group_of(model, first->geom1), two = group_of(model, first->geom2);
    return (Run){
        .a = one < two ? one : two,
        .b = one < two ? two : one,
        .start = start,
        .count = end - start,
        .turned = one > two,
    };
}

static int compare_runs(const Run* x, const Run* y)
{
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

// Two sorted stretches of `from` as one of `to`; equals stay in their order.
static void merge(const Run* from, int low, int middle, int high, Run* to)
{
    int left = low, right = middle;
    for (int k = low; k < high; k++) {
        const bool take_right =
            right < high && (left >= middle || compare_runs(&from[right], &from[left]) < 0);
        to[k] = take_right ? from[right++] : from[left++];
    }
}

// @return where the sorted runs are: in `run` or in `spare`
static Run* sort_runs(int count, Run* run, Run* spare)
{
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t low = 0; low < count; low += 2 * width) {
            const int64_t middle = low + width < count ? low + width : count;
            const int64_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(run, (int)low, (int)middle, (int)high, spare);
        }
        Run* swap = run;
        run = spare;
        spare = swap;
    }
    return run;
}

// ---- one polygon --------------------------------------------------------------------------------

// A contact seen from its plane.
typedef struct Spot {
    int contact, run;
    utVec3 normal; ///< from a to b
    double x, y;   ///< along the plane,
    double height; ///< and above it
    double gap;
    double room; ///< h b_n, as far as the gap makes it
    double mu;
} Spot;

// Contacts of one plane.
typedef struct Foot {
    int count;
    const Spot* spot;
    int corners;
    int* corner; ///< counter-clockwise
    double same; ///< m: points and lengths that differ by less are equal
    double level;
} Foot;

// The spot that is farthest along (dx, dy), and of several the one farthest along (-dy, dx).
static int farthest(const Foot* foot, double dx, double dy)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < foot->count; i++) {
        most = fmax(most, dx * foot->spot[i].x + dy * foot->spot[i].y);
    }
    int best = 0;
    double along = -HUGE_VAL;
    for (int i = 0; i < foot->count; i++) {
        const Spot* s = &foot->spot[i];
        const double mine = dx * s->y - dy * s->x;
        if (dx * s->x + dy * s->y >= most - foot->same && mine > along + foot->same) {
            along = mine;
            best = i;
        }
    }
    return best;
}

typedef struct Edge {
    const Spot* from;
    double dx, dy, length; ///< unit direction
} Edge;

static Edge edge_between(const Spot* a, const Spot* b)
{
    const double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy);
    return (Edge){a, length > 0.0 ? dx / length : 0.0, length > 0.0 ? dy / length : 0.0, length};
}

// to the right of the edge
static double outside(const Edge* e, const Spot* s)
{
    return e->dy * (s->x - e->from->x) - e->dx * (s->y - e->from->y);
}

static double along(const Edge* e, const Spot* s)
{
    return e->dx * (s->x - e->from->x) + e->dy * (s->y - e->from->y);
}

// The spot farthest to the right of a side that runs from a to b, and of several the first along
// it. @return -1: none is
static int beyond(const Foot* foot, int a, int b)
{
    const Edge e = edge_between(&foot->spot[a], &foot->spot[b]);
    double most = foot->same;
    for (int i = 0; i < foot->count; i++) {
        const double at = along(&e, &foot->spot[i]);
        if (at >= -foot->same && at <= e.length + foot->same) {
            most = fmax(most, outside(&e, &foot->spot[i]));
        }
    }
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < foot->count && most > foot->same; i++) {
        const double at = along(&e, &foot->spot[i]);
        if (at >= -foot->same && at <= e.length + foot->same &&
            outside(&e, &foot->spot[i]) >= fmax(most - foot->same, foot->same) &&
            (best < 0 || at < least - foot->same)) {
            least = at;
            best = i;
        }
    }
    return best == a || best == b ? -1 : best;
}

// The corners of the polygon around all spots: from the two ends of it outwards, until no spot is
// beyond a side. @param stack count entries of work
static void find_corners(Foot* foot, int* stack)
{
    const int low = farthest(foot, -1.0, 0.0), high = farthest(foot, 1.0, 0.0);
    const Edge across = edge_between(&foot->spot[low], &foot->spot[high]);
    foot->corners = 0;
    foot->corner[foot->corners++] = low;
    if (!(across.length > foot->same)) {
        return;
    }
    // ends of the sides that are still to be looked at, the next one on top
    int open = 0;
    stack[open++] = low;
    stack[open++] = high;
    int from = low;
    while (open > 0) {
        const int to = stack[open - 1];
        // distinct corners bound the loop; were one found twice, nothing more is beyond its side
        const int more = foot->corners + open < foot->count + 1 ? beyond(foot, from, to) : -1;
        if (more >= 0) {
            stack[open++] = more;
            continue;
        }
        open--;
        if (open > 0) {
            foot->corner[foot->corners++] = to;
        }
        from = to;
    }
}

// ---- what can be left out -----------------------------------------------------------------------

// Shares of corners that make up a point.
typedef struct Shares {
    int corner[3];
    double share[3];
} Shares;

static void set_shares(Shares* s, const int* corner, double l0, double l1, double l2)
{
    const double sum = fmax(l0, 0.0) + fmax(l1, 0.0) + fmax(l2, 0.0);
    const double l[3] = {l0, l1, l2};
    for (int k = 0; k < 3; k++) {
        s->corner[k] = corner[k];
        s->share[k] = fmax(l[k], 0.0) / sum;
    }
}

// @return how far p is outside of the side at most
static double share_of_side(const Foot* foot, const Spot* p, Shares* shares)
{
    const int corner[3] = {foot->corner[0], foot->corner[1], foot->corner[1]};
    const Edge e = edge_between(&foot->spot[corner[0]], &foot->spot[corner[1]]);
    const double t = along(&e, p) / e.length;
    set_shares(shares, corner, 1.0 - t, t, 0.0);
    return fmax(fabs(outside(&e, p)), e.length * fmax(-t, t - 1.0));
}

// The triangle 0 i i+1 of corners. @return how far p is outside of it at most
static double share_of_triangle(const Foot* foot, int i, const Spot* p, Shares* shares)
{
    const int corner[3] = {foot->corner[0], foot->corner[i], foot->corner[i + 1]};
    double share[3], out = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const Edge e =
            edge_between(&foot->spot[corner[(k + 1) % 3]], &foot->spot[corner[(k + 2) % 3]]);
        const double height = -outside(&e, &foot->spot[corner[k]]);
        out = fmax(out, outside(&e, p));
        share[k] = -outside(&e, p) / height;
    }
    set_shares(shares, corner, share[0], share[1], share[2]);
    return out;
}

// Shares of the corners in a spot. @return how far it is outside of all of them together
static double find_shares(const Foot* foot, const Spot* p, Shares* best)
{
    if (foot->corners == 1) {
        const int corner[3] = {foot->corner[0], foot->corner[0], foot->corner[0]};
        set_shares(best, corner, 1.0, 0.0, 0.0);
        return edge_between(&foot->spot[corner[0]], p).length;
    }
    if (foot->corners == 2) {
        return share_of_side(foot, p, best);
    }
    double least = HUGE_VAL;
    for (int i = 1; i + 1 < foot->corners; i++) {
        Shares mine;
        const double out = share_of_triangle(foot, i, p, &mine);
        if (out < least) {
            least = out;
            *best = mine;
        }
    }
    return least;
}

// The height may differ by what one of the two surfaces makes up for: the other is plane then.
static bool is_carried(const Foot* foot, const Spot* p)
{
    Shares s = {0};
    if (!(find_shares(foot, p, &s) <= 2.0 * foot->same)) {
        return false;
    }
    double gap = 0.0, room = 0.0, height = 0.0;
    for (int k = 0; k < 3; k++) {
        const Spot* corner = &foot->spot[s.corner[k]];
        gap += s.share[k] * corner->gap;
        room += s.share[k] * corner->room;
        height += s.share[k] * corner->height;
    }
    return p->gap >= gap - foot->level && p->room >= room - foot->level - RESTING &&
           fabs(p->height - height) <= 0.5 * fabs(p->gap - gap) + foot->same;
}

// ---- contacts of one plane ----------------------------------------------------------------------

enum { CORNER, CARRIED, REST }; // what a spot is

typedef struct Work {
    const ContactScene* scene;
    const utBroad* broad; ///< knows what may hide contacts; NULL: nothing does
    const utContact* contact;
    bool* dropped;
    Spot* spot; ///< of one pair of bodies,
    Spot* flat; ///< and of one plane, twice
    Spot* all;
    int* state;
    int* corner;
    int* stack;
} Work;

static bool is_corner(const Foot* foot, int i)
{
    bool found = false;
    for (int k = 0; k < foot->corners; k++) {
        found = found || foot->corner[k] == i;
    }
    return found;
}

// Where the contacts are in their plane. @return how far from the first at most
static double lay_out(const Work* work, int count, Spot* spot)
{
    utVec3 t1, t2;
    ut_tangent_basis(spot[0].normal, &t1, &t2);
    const utVec3 start = work->contact[spot[0].contact].point;
    double extent = 0.0;
    for (int i = 0; i < count; i++) {
        const utVec3 d = ut_vec3_sub(work->contact[spot[i].contact].point, start);
        spot[i].x = ut_vec3_dot(t1, d);
        spot[i].y = ut_vec3_dot(t2, d);
        spot[i].height = ut_vec3_dot(spot[0].normal, d);
        extent = fmax(extent, ut_vec3_norm(d));
    }
    return extent;
}

// Drop spots that corners make up for. Of those that the corners do not make up for the corners
// stay in turn, and so on inwards. @param extent of all of them
static void thin_out(const Work* work, double extent, int count, Spot* spot)
{
    const double rounding =
        16.0 * DBL_EPSILON * (ut_vec3_norm(work->contact[spot[0].contact].point) + extent);
    Foot foot = {
        .count = count,
        .spot = spot,
        .corner = work->corner,
        .same = SAME * extent + rounding,
        .level = LEVEL * extent + rounding,
    };
    while (foot.count > 1) {
        find_corners(&foot, work->stack);
        for (int i = 0; i < foot.count; i++) {
            work->state[i] = is_corner(&foot, i)           ? CORNER
                             : is_carried(&foot, &spot[i]) ? CARRIED
                                                           : REST;
        }
        int rest = 0;
        for (int i = 0; i < foot.count; i++) {
            work->dropped[spot[i].contact] = work->state[i] == CARRIED;
            if (work->state[i] == REST) {
                spot[rest++] = spot[i];
            }
        }
        foot.count = rest;
    }
}

static bool is_hidden(const Work* work, int contact)
{
    return work->broad != NULL &&
           ut_contact_is_hidden(work->scene, work->broad, &work->contact[contact]);
}

// Where one that stayed turns out to be hidden, it cannot make up for others: then all are looked
// at, which costs more.
static void reduce_plane(const Work* work, int count)
{
    const double extent = lay_out(work, count, work->flat);
    memcpy(work->all, work->flat, (size_t)count * sizeof *work->all);
    thin_out(work, extent, count, work->flat);
    bool hidden = false;
    for (int i = 0; i < count && !hidden; i++) {
        const int contact = work->all[i].contact;
        hidden = !work->dropped[contact] && is_hidden(work, contact);
    }
    if (!hidden) {
        return;
    }
    int seen = 0;
    for (int i = 0; i < count; i++) {
        const int contact = work->all[i].contact;
        work->dropped[contact] = is_hidden(work, contact);
        if (!work->dropped[contact]) {
            work->flat[seen++] = work->all[i];
        }
    }
    if (seen > 0) {
        thin_out(work, extent, seen, work->flat);
    }
}

// Do two contacts have one normal and one mu, and is one of the surfaces they lie on the same?
static bool share_plane(const Work* work, const Spot* s, const Spot* t)
{
    const utVec3 d = ut_vec3_sub(work->contact[t->contact].point, work->contact[s->contact].point);
    const double up = ut_vec3_dot(s->normal, d), half = 0.5 * (t->gap - s->gap);
    const double same =
        SAME * ut_vec3_norm(d) + 16.0 * DBL_EPSILON * ut_vec3_norm(work->contact[s->contact].point);
    return s->mu == t->mu && ut_vec3_norm(ut_vec3_sub(s->normal, t->normal)) <= PARALLEL &&
           (fabs(up - half) <= same || fabs(up + half) <= same);
}

// All planes of one pair of bodies, one after the other.
static void reduce_spots(const Work* work, int count)
{
    int left = count;
    while (left > 0) {
        const Spot first = work->spot[0];
        int taken = 0, rest = 0;
        bool several = false;
        for (int i = 0; i < left; i++) {
            const Spot spot = work->spot[i];
            if (i == 0 || share_plane(work, &first, &spot)) {
                several = several || spot.run != first.run;
                work->flat[taken++] = spot;
            } else {
                work->spot[rest++] = spot;
            }
        }
        if (several) {
            reduce_plane(work, taken);
        }
        for (int i = 0; i < taken && !several; i++) {
            work->dropped[work->flat[i].contact] = is_hidden(work, work->flat[i].contact);
        }
        left = rest;
    }
}

static Spot spot_at(const Work* work, const Run* run, int index, int contact)
{
    const utContact* c = &work->contact[contact];
    const bool is_signed = work->scene->rules.signed_gaps || work->scene->v_ahead != NULL;
    return (Spot){
        .contact = contact,
        .run = index,
        .normal = run->turned ? ut_vec3_negate(c->frame[0]) : c->frame[0],
        .gap = c->gap,
        .room = c->gap > 0.0 || is_signed ? c->gap : 0.0,
        .mu = c->mu,
    };
}

// The area that the contacts of a pair of geoms span: of the largest triangle with the first,
// twice.
static double area_of(const utContact* contact, const Run* run)
{
    const utVec3 first = contact[run->start].point;
    double area = 0.0;
    for (int i = 1; i < run->count; i++) {
        const utVec3 d = ut_vec3_sub(contact[run->start + i].point, first);
        for (int k = i + 1; k < run->count; k++) {
            const utVec3 e = ut_vec3_sub(contact[run->start + k].point, first);
            area = fmax(area, ut_vec3_norm(ut_vec3_cross(d, e)));
        }
    }
    return area;
}

// Of contacts in one place the first stays. Broad pairs of geoms come first: where edges lie above
// each other, the slivers beside them come and go.
static void reduce_pair(const Work* work, int runs, const Run* run)
{
    double largest = 0.0;
    for (int k = 0; k < runs; k++) {
        largest = fmax(largest, area_of(work->contact, &run[k]));
    }
    int count = 0;
    for (int sliver = 0; sliver < 2; sliver++) {
        for (int k = 0; k < runs; k++) {
            const bool narrow = !(area_of(work->contact, &run[k]) > SLIVER * largest);
            for (int i = 0; narrow == (sliver == 1) && i < run[k].count; i++) {
                work->spot[count++] = spot_at(work, &run[k], k, run[k].start + i);
            }
        }
    }
    reduce_spots(work, count);
}

// Of one pair of geoms: it has nobody to make up for.
static void drop_hidden(const Work* work, const Run* run)
{
    for (int i = run->start; i < run->start + run->count; i++) {
        work->dropped[i] = is_hidden(work, i);
    }
}

// ---- all of them --------------------------------------------------------------------------------

static utStatus take_work(const ContactScene* scene, const utBroad* broad, int count,
                          const utContact* contact, utArena* scratch, Work* work)
{
    *work = (Work){
        .scene = scene,
        .broad = broad,
        .contact = contact,
        .dropped = UT_PUSH(scratch, bool, count),
        .spot = UT_PUSH(scratch, Spot, count),
        .flat = UT_PUSH(scratch, Spot, count),
        .all = UT_PUSH(scratch, Spot, count),
        .state = UT_PUSH(scratch, int, count),
        .corner = UT_PUSH(scratch, int, count + 1),
        .stack = UT_PUSH(scratch, int, count + 2),
    };
    for (int i = 0; work->dropped != NULL && i < count; i++) {
        work->dropped[i] = false;
    }
    return work->dropped != NULL && work->spot != NULL && work->flat != NULL && work->all != NULL &&
                   work->state != NULL && work->corner != NULL && work->stack != NULL
               ? UT_OK
               : UT_ERR_CAPACITY;
}

// Runs of contacts. @param ordered receives whether no pair of bodies can have two of them
static int find_runs(const utModel* model, int count, const utContact* contact, Run* run,
                     bool* ordered)
{
    int runs = 0;
    *ordered = true;
    for (int i = 0; i < count; i += run[runs++].count) {
        run[runs] = run_at(model, count, contact, i);
        *ordered = *ordered && (runs == 0 || compare_runs(&run[runs - 1], &run[runs]) < 0);
    }
    return runs;
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

static void close_ranks(const bool* dropped, int* count, utContact* contact)
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
    Run* run = UT_PUSH(&scratch, Run, *count);
    Run* spare = UT_PUSH(&scratch, Run, *count);
    if (run == NULL || spare == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool ordered;
    const int runs = find_runs(scene->model, *count, contact, run, &ordered);
    if (ordered && !seams) {
        return UT_OK;
    }
    run = sort_runs(runs, run, spare);
    Work work;
    UT_TRY(take_work(scene, seams ? broad : NULL, *count, contact, &scratch, &work));
    int end;
    for (int k = 0; k < runs; k = end) {
        end = k + 1;
        while (end < runs && compare_runs(&run[k], &run[end]) == 0) {
            end++;
        }
        if (end > k + 1) {
            reduce_pair(&work, end - k, &run[k]);
        } else {
            drop_hidden(&work, &run[k]);
        }
    }
    close_ranks(work.dropped, count, contact);
    return UT_OK;
}
