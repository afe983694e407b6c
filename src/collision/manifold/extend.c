// SPDX-License-Identifier: Apache-2.0
// What a manifold leaves out: corners, ends and rims that are further away but within the margin.
//
// A point of one shape counts where a face of the other, or its curved side, lies below it: it has
// that face's normal and its own gap. The ends of a capsule are balls, which have a nearest point
// wherever they are.
#include "manifold.h"

// ---- points that may come near ------------------------------------------------------------------

enum { OUTPOSTS_MAX = 16 };

typedef struct Outpost {
    utVec3 x;
    double height; // over the other shape, along the manifold's normal
    int feature;
    int index; // of the corner
} Outpost;

typedef struct Outposts {
    int count;
    Outpost item[OUTPOSTS_MAX];
} Outposts;

// the lowest ones; in the order of their heights only to find these
static void add_outpost(const Outpost* outpost, Outposts* list)
{
    const bool full = list->count == OUTPOSTS_MAX;
    int i = full ? OUTPOSTS_MAX - 1 : list->count++;
    if (full && !(outpost->height < list->item[i].height)) {
        return;
    }
    for (; i > 0 && list->item[i - 1].height > outpost->height; i--) {
        list->item[i] = list->item[i - 1];
    }
    list->item[i] = *outpost;
}

// Back in the order of the corners, which no rounding changes: of equally good ones the first is
// taken in the end.
static void sort_outposts(Outposts* list)
{
    for (int i = 1; i < list->count; i++) {
        const Outpost moving = list->item[i];
        int j = i;
        for (; j > 0 && list->item[j - 1].index > moving.index; j--) {
            list->item[j] = list->item[j - 1];
        }
        list->item[j] = moving;
    }
}

// Of a cylinder's points one rim's farthest counts always, the other's when the side is not too
// steep, the others when the cap is not.
static bool is_rim_exposed(const RimPoints* rim, utVec3 d, int i)
{
    return rim->upright || i == 0 || (i == 1 && fabs(d.z) <= UT_STEEPEST) ||
           (i > 1 && sqrt(d.x * d.x + d.y * d.y) <= UT_STEEPEST);
}

// Does the shape go on from a corner, or the end of a capsule, downwards along d, in its own frame?
static bool is_exposed(const Solid* solid, int i, utVec3 d)
{
    const utHull* hull = &solid->core.hull;
    if (solid->shape->kind == UT_SHAPE_BOX) {
        return (i & 1 ? -d.x : d.x) <= UT_STEEPEST && (i & 2 ? -d.y : d.y) <= UT_STEEPEST &&
               (i & 4 ? -d.z : d.z) <= UT_STEEPEST;
    }
    if (hull->vertex_start == NULL) {
        return true;
    }
    for (int k = hull->vertex_start[i]; k < hull->vertex_start[i + 1]; k++) {
        const utVec3 e = ut_vec3_sub(hull->vertex[hull->neighbour[k]], hull->vertex[i]);
        if (!(ut_vec3_dot(d, e) <= UT_STEEPEST * ut_vec3_norm(e))) {
            return false;
        }
    }
    return true;
}

// @param d from this solid to the other @param limit where the other begins along d: its surface
// is no nearer than that
static void find_outposts(const Solid* solid, utVec3 d, double limit, double margin, Outposts* list)
{
    const bool cylinder = solid->shape->kind == UT_SHAPE_CYLINDER;
    const utVec3 d_local = ut_mat3_tmul_vec(solid->at.R, d);
    const double middle = limit - ut_vec3_dot(d, solid->at.p) - solid->core.radius;
    RimPoints rim = {.cap = 0};
    if (cylinder) {
        rim = ut_rim_points(solid->shape, d_local);
    }
    list->count = 0;
    const int count = cylinder ? 4 : solid->core.hull.vertices;
    for (int i = 0; i < count; i++) {
        const utVec3 local = cylinder ? rim.x[i] : solid->core.hull.vertex[i];
        const double height = middle - ut_vec3_dot(d_local, local);
        if (height <= margin && (!cylinder || is_rim_exposed(&rim, d_local, i))) {
            const int feature = cylinder ? rim.feature[i] : ut_solid_corner(solid, i);
            add_outpost(&(Outpost){ut_frame_point(solid->at, local), height, feature, i}, list);
        }
    }
    sort_outposts(list);
}

// ---- what lies below them -----------------------------------------------------------------------

// Where a point or ball is over a shape, in that shape's frame.
typedef struct Footing {
    utVec3 normal; // outward
    double gap;
    int feature;
} Footing;

// the face that x is over, and not its very side; of several, from inside, the nearest
static bool below_on_faces(const Solid* solid, utVec3 x, double least, double slop, Footing* below)
{
    const utHull* hull = &solid->core.hull;
    bool found = false;
    for (int f = 0; f < hull->faces; f++) {
        const double height = ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
        if (height >= least && (!found || height > below->gap) &&
            ut_solid_face_holds(solid, f, x, -slop)) {
            *below = (Footing){hull->normal[f], height, ut_solid_face(solid, f)};
            found = true;
        }
    }
    return found;
}

// the same for a box with some extent
static bool below_on_box(utVec3 half, utVec3 x, double least, double slop, Footing* below)
{
    const double height[3] = {fabs(x.x) - half.x, fabs(x.y) - half.y, fabs(x.z) - half.z};
    const double side[3] = {x.x, x.y, x.z};
    int best = -1;
    for (int i = 0; i < 3; i++) {
        if (height[i] >= least && height[(i + 1) % 3] <= -slop && height[(i + 2) % 3] <= -slop &&
            (best < 0 || height[i] > height[best])) {
            best = i;
        }
    }
    if (best < 0) {
        return false;
    }
    const double sign = side[best] < 0.0 ? -1.0 : 1.0;
    *below =
        (Footing){ut_vec3(best == 0 ? sign : 0.0, best == 1 ? sign : 0.0, best == 2 ? sign : 0.0),
                  height[best], ut_digit(best, sign)};
    return true;
}

static bool below_on_cylinder(const utShape* shape, utVec3 x, Footing* below)
{
    const double across = sqrt(x.x * x.x + x.y * x.y), up = x.z < 0.0 ? -1.0 : 1.0;
    const double over = fabs(x.z) - shape->size.y, beside = across - shape->size.x;
    if (beside <= 0.0 && over >= beside) {
        *below = (Footing){ut_vec3(0.0, 0.0, up), over, CYLINDER_CAP + (up < 0.0 ? 0 : 1)};
        return true;
    }
    if (over <= 0.0 && across > 0.0) {
        *below = (Footing){ut_vec3(x.x / across, x.y / across, 0.0), beside, CYLINDER_SIDE};
        return true;
    }
    return false;
}

static bool below_on_capsule(const utShape* shape, utVec3 x, Footing* below)
{
    const double half = shape->size.y, z = ut_clamp(x.z, half);
    const utVec3 d = ut_vec3(x.x, x.y, x.z - z);
    below->gap = ut_vec3_norm(d) - shape->size.x;
    below->feature = x.z <= -half ? END_LOW : x.z >= half ? END_HIGH : SHAFT;
    return ut_vec3_normalize(d, &below->normal);
}

static bool below_point(const Solid* solid, utVec3 x, double least, double slop, Footing* below)
{
    const utVec3 size = solid->shape->size;
    switch (solid->shape->kind) {
    case UT_SHAPE_BOX:
        if (size.x > 0.0 && size.y > 0.0 && size.z > 0.0) {
            return below_on_box(size, x, least, slop, below);
        }
        return below_on_faces(solid, x, least, slop, below);
    case UT_SHAPE_HULL:
        return below_on_faces(solid, x, least, slop, below);
    case UT_SHAPE_CYLINDER:
        return below_on_cylinder(solid->shape, x, below);
    case UT_SHAPE_CAPSULE:
        return below_on_capsule(solid->shape, x, below);
    default:
        return false;
    }
}

static bool below_ball_in_general(const Solid* solid, utVec3 x, double r, double margin,
                                  double slop, Footing* below)
{
    const utShape ball = ut_shape(UT_SHAPE_SPHERE, ut_vec3(r, 0.0, 0.0));
    const Convex first = ut_convex(solid->shape, ut_frame_identity());
    const Convex second = ut_convex(&ball, ut_frame(ut_mat3_identity(), x));
    const ConvexGap gap = ut_convex_gap(&first, &second, ut_vec3_zero(), margin);
    if (!(gap.gap <= margin)) {
        return false;
    }
    const Solid own = {.shape = solid->shape, .at = ut_frame_identity(), .core = solid->core};
    *below = (Footing){gap.normal, gap.gap, ut_solid_feature(&own, gap.on_a, slop)};
    return true;
}

// outside of a box: the nearest point
static bool below_ball_on_box(const Solid* solid, utVec3 x, double r, Footing* below)
{
    const utVec3 h = solid->shape->size;
    const utVec3 foot = ut_vec3(ut_clamp(x.x, h.x), ut_clamp(x.y, h.y), ut_clamp(x.z, h.z));
    const utVec3 d = ut_vec3_sub(x, foot);
    below->gap = ut_vec3_norm(d) - r;
    below->feature = (d.x != 0.0 ? ut_digit(0, d.x) : 0) + (d.y != 0.0 ? ut_digit(1, d.y) : 0) +
                     (d.z != 0.0 ? ut_digit(2, d.z) : 0);
    return ut_vec3_normalize(d, &below->normal);
}

static bool below_ball(const Solid* solid, utVec3 x, double r, double margin, double slop,
                       Footing* below)
{
    const utShape* shape = solid->shape;
    if (shape->kind == UT_SHAPE_CAPSULE || shape->kind == UT_SHAPE_SPHERE) {
        utShape core = *shape;
        core.size.y = shape->kind == UT_SHAPE_CAPSULE ? shape->size.y : 0.0;
        const bool found = below_on_capsule(&core, x, below);
        below->gap -= r;
        below->feature = shape->kind == UT_SHAPE_CAPSULE ? below->feature : ROUND_FEATURE;
        return found;
    }
    if (shape->kind == UT_SHAPE_BOX && below_ball_on_box(solid, x, r, below)) {
        return true;
    }
    return below_ball_in_general(solid, x, r, margin, slop, below);
}

// ---- adding -------------------------------------------------------------------------------------

typedef struct Extension {
    const Solids* pair;
    const utFrame* A;
    const Manifold* m;
    utVec3 normal; // of the deepest point, world
    double least;  // its gap
    Candidates list;
} Extension;

static bool has_pair(const Manifold* m, const Candidate* c)
{
    for (int i = 0; i < m->count; i++) {
        if (m->touch[i].feature == ((uint64_t)(uint32_t)c->fa << 32 | (uint32_t)c->fb)) {
            return true;
        }
    }
    return false;
}

static bool is_near(const Manifold* m, utVec3 point, double distance)
{
    for (int i = 0; i < m->count; i++) {
        if (ut_vec3_norm(ut_vec3_sub(m->touch[i].point, point)) <= distance) {
            return true;
        }
    }
    return false;
}

void ut_extension_add(const Manifold* m, const Candidate* candidate, double near, Candidates* list)
{
    if (!has_pair(m, candidate) && !is_near(m, candidate->point, near)) {
        ut_candidates_add(list, candidate);
    }
}

static void add_new(Extension* e, const Candidate* candidate)
{
    ut_extension_add(e->m, candidate, 1e-6 * e->pair->size, &e->list);
}

// One point of the second (or first) shape with what lies below it. Where they overlap, another
// way out than that of the whole pair is none.
static void try_outpost(Extension* e, bool second, const Outpost* outpost)
{
    const Solids* pair = e->pair;
    const Solid* own = second ? &pair->b : &pair->a;
    const Solid* other = second ? &pair->a : &pair->b;
    if (ut_manifold_knows(e->m, second, outpost->feature)) {
        return;
    }
    const bool ball = own->shape->kind == UT_SHAPE_CAPSULE;
    const double r = ball ? own->shape->size.x : 0.0;
    const utVec3 x = ut_frame_point_inverse(other->at, outpost->x);
    Footing below;
    if (!(ball ? below_ball(other, x, r, pair->margin, pair->slop, &below)
               : below_point(other, x, e->least, pair->slop, &below)) ||
        !(below.gap <= pair->margin && below.gap >= e->least)) {
        return;
    }
    const utVec3 out = ut_mat3_mul_vec(e->A->R, ut_mat3_mul_vec(other->at.R, below.normal));
    const utVec3 n = second ? out : ut_vec3_negate(out);
    const utVec3 down = ut_vec3_negate(ut_mat3_mul_vec(other->at.R, below.normal));
    if (own->core.hull.vertices > 1 &&
        !is_exposed(own, outpost->index, ut_mat3_tmul_vec(own->at.R, down))) {
        return;
    }
    if (!(below.gap >= 0.0 || ut_vec3_dot(n, e->normal) > 0.5)) {
        return;
    }
    const utVec3 point =
        ut_vec3_add_scaled(ut_frame_point(*e->A, outpost->x), -(r + 0.5 * below.gap), out);
    const Candidate candidate = {point, n, below.gap, second ? below.feature : outpost->feature,
                                 second ? outpost->feature : below.feature};
    add_new(e, &candidate);
}

static void try_edges(Extension* e, utVec3 n, double top, double low)
{
    Candidates found;
    found.slop = e->pair->slop;
    found.count = 0;
    ut_edges_meet(e->pair, n, top, low, &found);
    for (int i = 0; i < found.count; i++) {
        Candidate candidate = found.item[i];
        candidate.point = ut_frame_point(*e->A, candidate.point);
        candidate.normal = ut_mat3_mul_vec(e->A->R, candidate.normal);
        if (candidate.gap >= e->least) {
            add_new(e, &candidate);
        }
    }
}

void ut_extension_spread(Candidates* list, Manifold* m)
{
    while (list->count > 0 && m->count < UT_MANIFOLD_FEW) {
        int best = 0;
        double most = -1.0;
        for (int i = 0; i < list->count; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < m->count; j++) {
                const utVec3 d = ut_vec3_sub(m->touch[j].point, list->item[i].point);
                nearest = fmin(nearest, ut_vec3_norm(d));
            }
            if (nearest > most * (1.0 + 1e-6)) {
                most = nearest;
                best = i;
            }
        }
        const Candidate c = list->item[best];
        list->item[best] = list->item[--list->count];
        ut_manifold_add(m, c.point, c.normal, c.gap, c.fa, c.fb);
    }
}

// Has a shape points of its own to be looked at?
static bool has_outposts(const utShape* shape)
{
    return shape->kind != UT_SHAPE_SPHERE && shape->kind != UT_SHAPE_ELLIPSOID &&
           !(shape->kind == UT_SHAPE_CAPSULE && !(shape->size.y > 0.0));
}

// May points of `own` be over a face of `other`, or is one of them a ball?
static bool may_extend(const utShape* own, const utShape* other)
{
    const bool round = other->kind == UT_SHAPE_SPHERE || other->kind == UT_SHAPE_ELLIPSOID ||
                       (other->kind == UT_SHAPE_CAPSULE && !(other->size.y > 0.0));
    return has_outposts(own) && (own->kind == UT_SHAPE_CAPSULE || !round);
}

static void begin(Extension* e, const Solids* pair, const utFrame* A, const Manifold* m)
{
    e->pair = pair;
    e->A = A;
    e->m = m;
    e->least = HUGE_VAL;
    e->list.slop = pair->slop;
    e->list.count = 0;
    for (int i = 0; i < m->count; i++) {
        if (m->touch[i].gap < e->least) {
            e->least = m->touch[i].gap;
            e->normal = m->touch[i].normal;
        }
    }
}

void ut_manifold_extend(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                        Manifold* m)
{
    if (m->count == 0 || m->count >= UT_MANIFOLD_FEW || !(may_extend(a, b) || may_extend(b, a))) {
        return;
    }
    Solids pair;
    ut_solids(a, A, b, B, m->margin, &pair);
    Extension e;
    begin(&e, &pair, A, m);
    const utVec3 n = ut_mat3_tmul_vec(A->R, e.normal), back = ut_vec3_negate(n);
    const double top = ut_solid_reach(&pair.a, n), low = -ut_solid_reach(&pair.b, back);
    for (int second = 0; second < 2; second++) {
        Outposts posts;
        posts.count = 0;
        if (second == 0 && may_extend(a, b)) {
            find_outposts(&pair.a, n, low, m->margin, &posts);
        } else if (second == 1 && may_extend(b, a)) {
            find_outposts(&pair.b, back, -top, m->margin, &posts);
        }
        for (int i = 0; i < posts.count; i++) {
            try_outpost(&e, second == 1, &posts.item[i]);
        }
    }
    try_edges(&e, n, top, low);
    ut_extension_spread(&e.list, m);
}
