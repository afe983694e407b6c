// SPDX-License-Identifier: Apache-2.0
// How deep two convex cores overlap: a polytope within D that grows towards its surface around the
// origin (van den Bergen, 2001).
//
// The nearest face's distance is a lower bound of the depth, the plane of a support point an upper
// one. Distances are signed, so it does not matter when rounding has left the origin a little
// outside: cores that only touch are the same case. Faces in one plane with a new corner are
// replaced together, so there are no slivers along a line through it.
#include <string.h>

#include "internal.h"

enum { MAX_CORNERS = 128, MAX_FACES = 2 * MAX_CORNERS };

typedef struct Face {
    utVec3 normal; // outward, unit
    double offset; // signed distance of the origin from its plane, positive inside
    double depth;  // the same, of the plane moved out by the wall
    int16_t corner[3];
    int16_t across[3]; // the face across the edge from corner i to the next
    bool used;
} Face;

typedef struct Polytope {
    const ConvexPair* pair;
    double slack; // heights below this are rounding
    int corners, faces;
    Corner corner[MAX_CORNERS];
    Face face[MAX_FACES];
} Polytope;

// ---- a start of four corners --------------------------------------------------------------------

// the corner farthest along d or against it, measured from `from`
static Corner farther(const ConvexPair* pair, utVec3 from, utVec3 d, double* height)
{
    const Corner up = ut_convex_corner(pair, ut_vec3_negate(d));
    const Corner down = ut_convex_corner(pair, d);
    const double above = ut_vec3_dot(d, ut_vec3_sub(up.w, from));
    const double below = -ut_vec3_dot(d, ut_vec3_sub(down.w, from));
    *height = above >= below ? above : below;
    return above >= below ? up : down;
}

// Append the corner that is farthest along one of the directions. @return false: all are flat
static bool grow(const ConvexPair* pair, Simplex* s, int count, const utVec3* direction)
{
    double most = UT_CORE_FLAT * pair->size;
    bool found = false;
    for (int i = 0; i < count; i++) {
        double height;
        const Corner corner = farther(pair, s->corner[0].w, direction[i], &height);
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

// How high the last of three or four corners is over those before it.
static double last_height(const Simplex* s)
{
    const utVec3 e1 = edge_of(s, 0, 1), e2 = edge_of(s, 0, 2);
    utVec3 k = ut_vec3_cross(e1, e2);
    if (s->count == 3) {
        return ut_vec3_norm(k) / ut_vec3_norm(e1);
    }
    return ut_vec3_normalize(k, &k) ? fabs(ut_vec3_dot(k, edge_of(s, 0, 3))) : 0.0;
}

// Corners that add no extent are left out.
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

static void try_normal(const ConvexPair* pair, utVec3 n, double slack, Known* known)
{
    const double value = ut_vec3_dot(n, ut_convex_corner(pair, n).w);
    if (value > known->lower - slack) {
        known->lower = value;
        known->normal = n;
    }
}

// A D that is flat: a point, a segment or a piece of a plane, with the origin in it or nearly so.
static void settle_flat(const ConvexPair* pair, Simplex* s, utVec3 normal, Known* known)
{
    ut_simplex_nearest(s);
    const double distance = ut_vec3_norm(s->v);
    known->upper = distance < known->upper ? distance : known->upper;
    known->at = *s;
    utVec3 n;
    if (ut_vec3_normalize(s->v, &n)) {
        try_normal(pair, n, 0.0, known);
    }
    // what is as good up to rounding has the better normal here
    try_normal(pair, normal, 1e-15 * pair->size, known);
    try_normal(pair, ut_vec3_negate(normal), 0.0, known);
}

// Complete the simplex to four corners of a solid. @return false when D is flat and all is known
static bool make_solid(const ConvexPair* pair, Simplex* s, Known* known)
{
    drop_flat_corners(UT_CORE_FLAT * pair->size, s);
    static const utVec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (s->count == 1 && !grow(pair, s, 3, axis)) {
        settle_flat(pair, s, known->normal, known);
        return false;
    }
    utVec3 direction[2], e;
    ut_vec3_normalize(edge_of(s, 0, 1), &e);
    ut_tangent_basis(e, &direction[0], &direction[1]);
    if (s->count == 2 && !grow(pair, s, 2, direction)) {
        settle_flat(pair, s, direction[0], known);
        return false;
    }
    utVec3 normal;
    if (!ut_vec3_normalize(ut_vec3_cross(edge_of(s, 0, 1), edge_of(s, 0, 2)), &normal)) {
        normal = direction[0]; // rounding has left them on one line
    }
    if (s->count == 3 && !grow(pair, s, 1, &normal)) {
        settle_flat(pair, s, normal, known);
        return false;
    }
    return true;
}

// ---- the polytope -------------------------------------------------------------------------------

// What the wall adds to the support of D along n: r times the sine of the angle to the axis.
static double wall_along(const ConvexPair* pair, utVec3 n)
{
    return pair->wall > 0.0 ? pair->wall * ut_vec3_norm(ut_vec3_cross(pair->axis, n)) : 0.0;
}

// The normal from the two shortest edges: of a long thin face these are the ones that are not
// nearly parallel. @return false for a face without area
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
    face->depth = face->offset + wall_along(p->pair, n);
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
    // (0, 1, 2) is to look away from 3
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

// The edges around the faces that a new corner sees, each with the face beyond it.
typedef struct Horizon {
    int count;
    int16_t from[MAX_FACES], to[MAX_FACES], beyond[MAX_FACES];
} Horizon;

static bool sees(const Polytope* p, utVec3 w, int face)
{
    return ut_vec3_dot(p->face[face].normal, w) - p->face[face].offset > -p->slack;
}

// Take out all faces that w sees, spreading from one of them.
static void open_polytope(Polytope* p, utVec3 w, int first, Horizon* horizon)
{
    int16_t stack[MAX_FACES], gone[MAX_FACES];
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
    if (p->faces < MAX_FACES) {
        p->face[p->faces].used = false;
        return (int16_t)p->faces++;
    }
    return -1;
}

// The edge of `beyond` from `to` back to `from` gets a new neighbour.
static void join(Polytope* p, const Horizon* h, int i, int16_t fresh)
{
    Face* beyond = &p->face[h->beyond[i]];
    for (int k = 0; k < 3; k++) {
        if (beyond->corner[k] == h->to[i] && beyond->corner[(k + 1) % 3] == h->from[i]) {
            beyond->across[k] = fresh;
        }
    }
}

// Close the hole with faces from its edges to the newest corner. @return false when the edges are
// not one closed line, or there is no room
static bool close_polytope(Polytope* p, const Horizon* h)
{
    int16_t starting[MAX_CORNERS];
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
        face->used = measure_face(p, face); // without area it has no normal to offer
        starting[h->from[i]] = fresh;
        if (!face->used) {
            return false;
        }
        join(p, h, i, fresh);
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

// @return false when the polytope can grow no more
static bool add_corner(Polytope* p, const Corner* corner, int face)
{
    if (p->corners == MAX_CORNERS) {
        return false;
    }
    p->corner[p->corners++] = *corner;
    Horizon horizon;
    open_polytope(p, corner->w, face, &horizon);
    return close_polytope(p, &horizon);
}

// ---- what it found ------------------------------------------------------------------------------

static Simplex face_simplex(const Polytope* p, const Face* face)
{
    Simplex s = {.count = 3};
    for (int i = 0; i < 3; i++) {
        s.corner[i] = p->corner[face->corner[i]];
    }
    // the corners that stay are those that the origin's foot is between
    ut_simplex_nearest(&s);
    return s;
}

static bool is_near_start(const EpaStarts* starts, utVec3 n)
{
    for (int i = 0; i < starts->count; i++) {
        if (ut_vec3_dot(starts->normal[i], n) > 0.99) {
            return true;
        }
    }
    return false;
}

// the normals of faces with the largest g(n), none beside another
static void collect_starts(const ConvexPair* pair, const Polytope* p, EpaStarts* starts)
{
    double value[MAX_FACES];
    value[0] = -HUGE_VAL; // where there is no face
    for (int f = 0; f < p->faces; f++) {
        const utVec3 n = ut_vec3_negate(p->face[f].normal);
        value[f] = p->face[f].used ? ut_vec3_dot(n, ut_convex_corner(pair, n).w) : -HUGE_VAL;
    }
    while (starts->count < EPA_STARTS) {
        int best = 0;
        for (int f = 1; f < p->faces; f++) {
            best = value[f] > value[best] ? f : best;
        }
        if (!(value[best] > -HUGE_VAL)) {
            return;
        }
        value[best] = -HUGE_VAL;
        const utVec3 n = ut_vec3_negate(p->face[best].normal);
        if (!is_near_start(starts, n)) {
            starts->normal[starts->count++] = n;
        }
    }
}

// The origin's foot on the plane of face f, in the corners of whichever face in that plane it is
// on.
static Simplex foot_in_plane(const Polytope* p, int f)
{
    const utVec3 n = p->face[f].normal;
    const utVec3 want = ut_vec3_scale(n, p->face[f].offset);
    Simplex best = face_simplex(p, &p->face[f]);
    utVec3 off = ut_vec3_sub(best.v, want);
    double least = ut_vec3_dot(off, off);
    for (int g = 0; g < p->faces && least > 0.0; g++) {
        const Face* face = &p->face[g];
        const bool near = face->used && face->offset <= p->face[f].offset + 8.0 * p->slack;
        if (near && g != f && ut_vec3_dot(face->normal, n) > 1.0 - 1e-6) {
            const Simplex s = face_simplex(p, face);
            off = ut_vec3_sub(s.v, want);
            if (ut_vec3_dot(off, off) < least) {
                least = ut_vec3_dot(off, off);
                best = s;
            }
        }
    }
    return best;
}

void ut_epa(const ConvexPair* pair, Known* known, EpaStarts* starts)
{
    Simplex first = known->at;
    Polytope p;
    p.pair = pair;
    p.slack = 1e-14 * pair->size;
    starts->count = 0;
    if (!make_solid(pair, &first, known) || !make_tetrahedron(&p, &first)) {
        return;
    }
    const double enough = (pair->smooth ? 1e-10 : 2e-14) * pair->size;
    Face best = p.face[nearest_face(&p)];
    for (;;) {
        const int f = nearest_face(&p);
        const Face face = p.face[f];
        const utVec3 n = ut_vec3_negate(face.normal);
        const double upper = -face.depth;
        const Corner corner = ut_convex_corner(pair, n);
        const double value = ut_vec3_dot(n, corner.w) - wall_along(pair, n);
        const bool done = !(upper - value > enough);
        if (value > known->lower || (done && value > known->lower - enough)) {
            known->lower = value;
            known->normal = n;
            best = face;
        }
        if (!done && add_corner(&p, &corner, f)) {
            continue;
        }
        known->at = done ? foot_in_plane(&p, f) : face_simplex(&p, &best);
        // an origin outside is as far as the nearest point, not as its plane
        const double bound = upper > 0.0 ? fmax(upper, ut_vec3_norm(known->at.v)) : upper;
        known->upper = bound < known->upper ? bound : known->upper;
        if (!done) {
            collect_starts(pair, &p, starts);
        }
        return;
    }
}
