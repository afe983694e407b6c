// SPDX-License-Identifier: Apache-2.0
// Penetration depth of two convex cores by EPA (the expanding polytope algorithm; van den Bergen,
// 2001): a polytope inside D grows towards the surface of D near the origin.
//
// The distance of the nearest face is a lower bound of the depth, the plane of a support point an
// upper bound. Distances are signed, so cores that only touch, with the origin slightly outside,
// need no special case. All faces in the plane of a new corner are replaced together, which avoids
// slivers.
#include <string.h>

#include "internal.h"

// Relative to ConvexPair.size:
#define HEIGHT_ROUNDING 1e-14  // lower heights over a face are rounding
#define SMOOTH_TOLERANCE 1e-10 // for smooth shapes, because Newton's iteration follows

#define SIMILAR_START 0.99 // cosine above which two starts lead to the same maximum
#define SAME_PLANE 1e-6    // 1 - cosine below which two faces may be in one plane

enum { MAX_POLYTOPE_CORNERS = 128, MAX_POLYTOPE_FACES = 2 * MAX_POLYTOPE_CORNERS };

typedef struct Face {
    utVec3 normal; // outward, unit
    double offset; // signed distance of the origin from the plane, positive inside
    double depth;  // the same for the plane moved outwards by the disc
    int16_t corner[3];
    int16_t across[3]; // the face across the edge from corner i to the next
    bool used;
} Face;

typedef struct Polytope {
    const ConvexPair* pair;
    double slack; // heights below this are rounding
    int corners, faces;
    Corner corner[MAX_POLYTOPE_CORNERS];
    Face face[MAX_POLYTOPE_FACES];
} Polytope;

// ---- the first four corners ---------------------------------------------------------------------

// The corner farthest along d or against it, measured from `from`.
static Corner farther_corner(const ConvexPair* pair, utVec3 from, utVec3 d, double* height)
{
    const Corner up = ut_difference_support(pair, ut_vec3_negate(d));
    const Corner down = ut_difference_support(pair, d);
    const double above = ut_vec3_dot(d, ut_vec3_sub(up.w, from));
    const double below = -ut_vec3_dot(d, ut_vec3_sub(down.w, from));
    *height = above >= below ? above : below;
    return above >= below ? up : down;
}

// Append the corner farthest along one of the directions.
// @return false: D is flat along all directions
static bool append_farthest(const ConvexPair* pair, Simplex* s, int count, const utVec3* direction)
{
    double most = UT_CORE_FLAT * pair->size;
    bool found = false;
    for (int i = 0; i < count; i++) {
        double height;
        const Corner corner = farther_corner(pair, s->corner[0].w, direction[i], &height);
        if (height > most) {
            most = height;
            s->corner[s->count] = corner;
            found = true;
        }
    }
    s->count += found ? 1 : 0;
    return found;
}

static utVec3 edge_of(const Simplex* s, int i, int j)
{
    return ut_vec3_sub(s->corner[j].w, s->corner[i].w);
}

// Height of the last of three or four corners over the line or plane of the others.
static double last_height(const Simplex* s)
{
    const utVec3 e1 = edge_of(s, 0, 1), e2 = edge_of(s, 0, 2);
    utVec3 k = ut_vec3_cross(e1, e2);
    if (s->count == 3) {
        return ut_vec3_norm(k) / ut_vec3_norm(e1);
    }
    return ut_vec3_normalize(k, &k) ? fabs(ut_vec3_dot(k, edge_of(s, 0, 3))) : 0.0;
}

// Drop corners that add no extent.
static void drop_flat_corners(double flat, Simplex* s)
{
    const Simplex old = *s;
    s->count = 1;
    for (int i = 1; i < old.count; i++) {
        s->corner[s->count++] = old.corner[i];
        const double height = s->count == 2 ? ut_vec3_norm(edge_of(s, 0, 1)) : last_height(s);
        s->count -= height > flat ? 0 : 1;
    }
}

static void try_normal(const ConvexPair* pair, utVec3 n, double slack, GapBounds* bounds)
{
    const double value = ut_vec3_dot(n, ut_difference_support(pair, n).w);
    if (value > bounds->lower - slack) {
        bounds->lower = value;
        bounds->normal = n;
    }
}

// D is flat (a point, a segment or a part of a plane) and the origin is in it or nearly so.
static void solve_flat(const ConvexPair* pair, Simplex* s, utVec3 normal, GapBounds* bounds)
{
    ut_simplex_nearest(s);
    const double distance = ut_vec3_norm(s->v);
    bounds->upper = distance < bounds->upper ? distance : bounds->upper;
    bounds->simplex = *s;
    utVec3 n;
    if (ut_vec3_normalize(s->v, &n)) {
        try_normal(pair, n, 0.0, bounds);
    }
    // of two normals that are equal up to rounding the normal of D is the better one
    try_normal(pair, normal, UT_CORE_EPSILON * pair->size, bounds);
    try_normal(pair, ut_vec3_negate(normal), 0.0, bounds);
}

// Extend the simplex to four corners with a volume. @return false when D is flat; then it is solved
static bool complete_simplex(const ConvexPair* pair, Simplex* s, GapBounds* bounds)
{
    drop_flat_corners(UT_CORE_FLAT * pair->size, s);
    static const utVec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (s->count == 1 && !append_farthest(pair, s, 3, axis)) {
        solve_flat(pair, s, bounds->normal, bounds);
        return false;
    }
    utVec3 direction[2], e;
    ut_vec3_normalize(edge_of(s, 0, 1), &e);
    ut_tangent_basis(e, &direction[0], &direction[1]);
    if (s->count == 2 && !append_farthest(pair, s, 2, direction)) {
        solve_flat(pair, s, direction[0], bounds);
        return false;
    }
    utVec3 normal;
    if (!ut_vec3_normalize(ut_vec3_cross(edge_of(s, 0, 1), edge_of(s, 0, 2)), &normal)) {
        normal = direction[0]; // rounding left them on one line
    }
    if (s->count == 3 && !append_farthest(pair, s, 1, &normal)) {
        solve_flat(pair, s, normal, bounds);
        return false;
    }
    return true;
}

// ---- the polytope -------------------------------------------------------------------------------

// Support of the disc along n: its radius times the sine of the angle to the axis.
static double disc_support(const ConvexPair* pair, utVec3 n)
{
    return pair->disc_radius > 0.0 ? pair->disc_radius * ut_vec3_norm(ut_vec3_cross(pair->axis, n))
                                   : 0.0;
}

// The normal is the cross product of the two shortest edges, because in a long thin face those are
// not nearly parallel. @return false for a face without area
static bool measure_face(Polytope* p, Face* face)
{
    const utVec3 a = p->corner[face->corner[0]].w, b = p->corner[face->corner[1]].w;
    const utVec3 c = p->corner[face->corner[2]].w;
    const utVec3 ab = ut_vec3_sub(b, a), bc = ut_vec3_sub(c, b), ca = ut_vec3_sub(a, c);
    const double x = ut_vec3_dot(ab, ab), y = ut_vec3_dot(bc, bc), z = ut_vec3_dot(ca, ca);
    utVec3 k = ut_vec3_cross(ab, bc);
    if (x >= y && x >= z) {
        k = ut_vec3_cross(bc, ca);
    } else if (y >= z) {
        k = ut_vec3_cross(ca, ab);
    }
    if (!ut_vec3_normalize(k, &face->normal)) {
        return false;
    }
    const utVec3 n = face->normal;
    face->offset = (ut_vec3_dot(n, a) + ut_vec3_dot(n, b) + ut_vec3_dot(n, c)) / 3.0;
    face->depth = face->offset + disc_support(p->pair, n);
    return true;
}

static bool make_tetrahedron(Polytope* p, const Simplex* s)
{
    static const int16_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int16_t across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    p->corners = p->faces = 4;
    for (int i = 0; i < 4; i++) {
        p->corner[i] = s->corner[i];
    }
    // orient face (0, 1, 2) away from corner 3
    const utVec3 k = ut_vec3_cross(edge_of(s, 0, 1), edge_of(s, 0, 2));
    if (ut_vec3_dot(k, edge_of(s, 0, 3)) > 0.0) {
        p->corner[1] = s->corner[2];
        p->corner[2] = s->corner[1];
    }
    for (int f = 0; f < 4; f++) {
        Face* face = &p->face[f];
        face->used = true;
        for (int i = 0; i < 3; i++) {
            face->corner[i] = corner[f][i];
            face->across[i] = across[f][i];
        }
        if (!measure_face(p, face)) {
            return false;
        }
    }
    return true;
}

static int nearest_face(const Polytope* p)
{
    int best = -1;
    for (int f = 0; f < p->faces; f++) {
        if (p->face[f].used && (best < 0 || p->face[f].depth < p->face[best].depth)) {
            best = f;
        }
    }
    return best;
}

// ---- growing ------------------------------------------------------------------------------------

// The edges around the faces visible from a new corner, each with the face across it.
typedef struct Horizon {
    int count;
    int16_t from[MAX_POLYTOPE_FACES], to[MAX_POLYTOPE_FACES], beyond[MAX_POLYTOPE_FACES];
} Horizon;

static bool sees(const Polytope* p, utVec3 w, int face)
{
    return ut_vec3_dot(p->face[face].normal, w) - p->face[face].offset > -p->slack;
}

// Remove all faces visible from w, spreading from one of them.
static void open_polytope(Polytope* p, utVec3 w, int first, Horizon* horizon)
{
    int16_t stack[MAX_POLYTOPE_FACES], gone[MAX_POLYTOPE_FACES];
    int depth = 1, removed = 0;
    stack[0] = (int16_t)first;
    p->face[first].used = false;
    while (depth > 0) {
        const int16_t f = gone[removed++] = stack[--depth];
        for (int i = 0; i < 3; i++) {
            const int16_t g = p->face[f].across[i];
            if (p->face[g].used && sees(p, w, g)) {
                p->face[g].used = false;
                stack[depth++] = g;
            }
        }
    }
    horizon->count = 0;
    for (int r = 0; r < removed; r++) {
        const Face* face = &p->face[gone[r]];
        for (int i = 0; i < 3; i++) {
            if (p->face[face->across[i]].used) {
                const int h = horizon->count++;
                horizon->from[h] = face->corner[i];
                horizon->to[h] = face->corner[(i + 1) % 3];
                horizon->beyond[h] = face->across[i];
            }
        }
    }
}

static int16_t free_face(Polytope* p, int from)
{
    for (int f = from; f < p->faces; f++) {
        if (!p->face[f].used) {
            return (int16_t)f;
        }
    }
    if (p->faces < MAX_POLYTOPE_FACES) {
        p->face[p->faces].used = false;
        return (int16_t)p->faces++;
    }
    return -1;
}

// Set the new neighbour of the edge of `beyond` that goes from `to` to `from`.
static void set_neighbour(Polytope* p, const Horizon* h, int i, int16_t fresh)
{
    Face* beyond = &p->face[h->beyond[i]];
    for (int k = 0; k < 3; k++) {
        if (beyond->corner[k] == h->to[i] && beyond->corner[(k + 1) % 3] == h->from[i]) {
            beyond->across[k] = fresh;
        }
    }
}

// Close the hole with faces from its edges to the newest corner.
// @return false when the edges are not one closed loop, or the arrays are full
static bool close_polytope(Polytope* p, const Horizon* h)
{
    int16_t starting[MAX_POLYTOPE_CORNERS];
    memset(starting, -1, sizeof starting);
    const int16_t top = (int16_t)(p->corners - 1);
    int16_t fresh = -1;
    for (int i = 0; i < h->count; i++) {
        fresh = free_face(p, fresh + 1);
        if (fresh < 0 || starting[h->from[i]] >= 0) {
            return false;
        }
        Face* face = &p->face[fresh];
        face->corner[0] = h->from[i];
        face->corner[1] = h->to[i];
        face->corner[2] = top;
        face->across[0] = h->beyond[i];
        face->used = measure_face(p, face); // a face without area has no normal
        starting[h->from[i]] = fresh;
        if (!face->used) {
            return false;
        }
        set_neighbour(p, h, i, fresh);
    }
    for (int i = 0; i < h->count; i++) {
        const int16_t self = starting[h->from[i]], next = starting[h->to[i]];
        if (next < 0) {
            return false;
        }
        p->face[self].across[1] = next;
        p->face[next].across[2] = self;
    }
    return h->count >= 3;
}

// @return false when the polytope cannot grow any more
static bool add_corner(Polytope* p, const Corner* corner, int face)
{
    if (p->corners == MAX_POLYTOPE_CORNERS) {
        return false;
    }
    p->corner[p->corners++] = *corner;
    Horizon horizon;
    open_polytope(p, corner->w, face, &horizon);
    return close_polytope(p, &horizon);
}

// ---- results ------------------------------------------------------------------------------------

static Simplex face_simplex(const Polytope* p, const Face* face)
{
    Simplex s = {.count = 3};
    for (int i = 0; i < 3; i++) {
        s.corner[i] = p->corner[face->corner[i]];
    }
    // keep the corners around the origin's projection
    ut_simplex_nearest(&s);
    return s;
}

static bool has_similar_start(const EpaStarts* starts, utVec3 n)
{
    for (int i = 0; i < starts->count; i++) {
        if (ut_vec3_dot(starts->normal[i], n) > SIMILAR_START) {
            return true;
        }
    }
    return false;
}

// Normals of the faces with the largest g(n), without near duplicates.
static void collect_starts(const ConvexPair* pair, const Polytope* p, EpaStarts* starts)
{
    double value[MAX_POLYTOPE_FACES];
    value[0] = -HUGE_VAL; // for a polytope without faces
    for (int f = 0; f < p->faces; f++) {
        const utVec3 n = ut_vec3_negate(p->face[f].normal);
        value[f] = p->face[f].used ? ut_vec3_dot(n, ut_difference_support(pair, n).w) : -HUGE_VAL;
    }
    while (starts->count < MAX_EPA_STARTS) {
        int best = 0;
        for (int f = 1; f < p->faces; f++) {
            best = value[f] > value[best] ? f : best;
        }
        if (!(value[best] > -HUGE_VAL)) {
            return;
        }
        value[best] = -HUGE_VAL;
        const utVec3 n = ut_vec3_negate(p->face[best].normal);
        if (!has_similar_start(starts, n)) {
            starts->normal[starts->count++] = n;
        }
    }
}

// Projection of the origin onto the plane of face f, expressed by the corners of the face in that
// plane that contains it.
static Simplex projection_in_plane(const Polytope* p, int f)
{
    const utVec3 n = p->face[f].normal;
    const utVec3 projection = ut_vec3_scale(n, p->face[f].offset);
    Simplex best = face_simplex(p, &p->face[f]);
    utVec3 offset_from_projection = ut_vec3_sub(best.v, projection);
    double least = ut_vec3_dot(offset_from_projection, offset_from_projection);
    for (int g = 0; g < p->faces && least > 0.0; g++) {
        const Face* face = &p->face[g];
        const bool near = face->used && face->offset <= p->face[f].offset + 8.0 * p->slack;
        if (near && g != f && ut_vec3_dot(face->normal, n) > 1.0 - SAME_PLANE) {
            const Simplex s = face_simplex(p, face);
            offset_from_projection = ut_vec3_sub(s.v, projection);
            if (ut_vec3_dot(offset_from_projection, offset_from_projection) < least) {
                least = ut_vec3_dot(offset_from_projection, offset_from_projection);
                best = s;
            }
        }
    }
    return best;
}

void ut_epa(const ConvexPair* pair, GapBounds* bounds, EpaStarts* starts)
{
    Simplex first = bounds->simplex;
    Polytope p;
    p.pair = pair;
    p.slack = HEIGHT_ROUNDING * pair->size;
    starts->count = 0;
    if (!complete_simplex(pair, &first, bounds) || !make_tetrahedron(&p, &first)) {
        return;
    }
    const double tolerance = (pair->smooth ? SMOOTH_TOLERANCE : UT_CORE_ROUNDING) * pair->size;
    Face best = p.face[nearest_face(&p)];
    for (;;) {
        const int f = nearest_face(&p);
        const Face face = p.face[f];
        const utVec3 n = ut_vec3_negate(face.normal);
        const double upper = -face.depth;
        const Corner corner = ut_difference_support(pair, n);
        const double value = ut_vec3_dot(n, corner.w) - disc_support(pair, n);
        const bool done = !(upper - value > tolerance);
        if (value > bounds->lower || (done && value > bounds->lower - tolerance)) {
            bounds->lower = value;
            bounds->normal = n;
            best = face;
        }
        if (!done && add_corner(&p, &corner, f)) {
            continue;
        }
        bounds->simplex = done ? projection_in_plane(&p, f) : face_simplex(&p, &best);
        // the distance of an origin outside is that of the nearest point, not of the plane
        const double bound = upper > 0.0 ? fmax(upper, ut_vec3_norm(bounds->simplex.v)) : upper;
        bounds->upper = bound < bounds->upper ? bound : bounds->upper;
        if (!done) {
            collect_starts(pair, &p, starts);
        }
        return;
    }
}
