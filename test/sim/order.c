// SPDX-License-Identifier: Apache-2.0
// Order must not matter: neither of two shapes, nor of bodies, nor of the geoms of a body.
#include <stdio.h>
#include <uptack/collision.h>

#include "physics/lab.h"

// ---- two shapes exchanged -----------------------------------------------------------------------

#ifdef NDEBUG
enum { PAIRS = 3000, HEAP_STEPS = 300 };
#else
enum { PAIRS = 60, HEAP_STEPS = 90 };
#endif

enum { SIDE = 5, POINTS = SIDE * SIDE, KINDS = UT_SHAPE_KIND_COUNT };

static utShape hull_shape(utRng* rng, utArena* keep)
{
    utVec3 point[12];
    const bool cube = ut_rng_below(rng, 3) == 0; // so that faces become parallel
    const int points = cube ? 8 : 12;
    for (int i = 0; i < points; i++) {
        point[i] = cube ? ut_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.25 : -0.25, i & 4 ? 0.5 : -0.5)
                        : ut_vec3(ut_rng_range(rng, -0.5, 0.5), ut_rng_range(rng, -0.5, 0.5),
                                  ut_rng_range(rng, -0.5, 0.5));
    }
    utHull* hull = UT_PUSH(keep, utHull, 1);
    utArena scratch;
    CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK);
    CHECK_INT(ut_hull_build(points, point, keep, scratch, hull, NULL), UT_OK);
    ut_arena_destroy(&scratch);
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

// hills on a grid of 0.5 m
static double hill(int i)
{
    return 0.125 * ((i * 7) % 5 - 2) * (i % 3 == 0 ? 1.0 : 0.5);
}

static utShape mesh_shape(utArena* keep)
{
    utVec3 vertex[POINTS];
    int triangle[6 * POINTS], triangles = 0;
    for (int i = 0; i < POINTS; i++) {
        vertex[i] = ut_vec3(0.5 * (i % SIDE) - 1.0, 0.5 * (i / SIDE) - 1.0, hill(i));
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const int cell[6] = {i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE};
            memcpy(triangle + 3 * triangles, cell, sizeof cell);
            triangles += 2;
        }
    }
    return lab_mesh(keep, POINTS, vertex, triangles, triangle);
}

static utShape heights_shape(utArena* keep)
{
    double* z = UT_PUSH(keep, double, POINTS);
    utHeights* heights = UT_PUSH(keep, utHeights, 1);
    for (int i = 0; i < POINTS; i++) {
        z[i] = hill(i);
    }
    CHECK_INT(ut_heights_build(SIDE, SIDE, z, heights, NULL), UT_OK);
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = {1, 1, 1}, .heights = heights};
}

// lengths in quarters now and then, so that shapes are alike and lie flush
static double length(utRng* rng, bool round)
{
    return round ? 0.25 * (1 + ut_rng_below(rng, 3)) : ut_rng_range(rng, 0.05, 0.8);
}

static utShape random_shape(utRng* rng, utShapeKind kind, bool round, utArena* keep)
{
    switch (kind) {
    case UT_SHAPE_HULL:
        return hull_shape(rng, keep);
    case UT_SHAPE_MESH:
        return mesh_shape(keep);
    case UT_SHAPE_HEIGHTS:
        return heights_shape(keep);
    default:
        return (utShape){.kind = kind,
                         .size = {length(rng, round), length(rng, round), length(rng, round)}};
    }
}

static utFrame random_frame(utRng* rng, bool round)
{
    const utVec3 axis = ut_vec3(ut_rng_range(rng, -1, 1), ut_rng_range(rng, -1, 1), 1.0);
    const utVec3 p =
        round ? ut_vec3(0.25 * (ut_rng_below(rng, 7) - 3), 0.25 * (ut_rng_below(rng, 7) - 3),
                        0.25 * (ut_rng_below(rng, 7) - 3))
              : ut_vec3(ut_rng_range(rng, -0.7, 0.7), ut_rng_range(rng, -0.7, 0.7),
                        ut_rng_range(rng, -0.7, 0.7));
    utVec3 unit;
    CHECK(ut_vec3_normalize(axis, &unit));
    return round ? ut_frame(ut_mat3_identity(), p)
                 : ut_frame(ut_quat_to_mat3(ut_quat_from_axis_angle(unit, ut_rng_range(rng, 0, 3))),
                            p);
}

static bool mirrored(const utTouch* t, const utTouch* u)
{
    return t->point.x == u->point.x && t->point.y == u->point.y && t->point.z == u->point.z &&
           t->normal.x == -u->normal.x && t->normal.y == -u->normal.y &&
           t->normal.z == -u->normal.z && t->gap == u->gap &&
           t->feature == (u->feature << 32 | u->feature >> 32);
}

static bool has_mirror(const utTouch* t, int count, const utTouch* list)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        found = found || mirrored(t, &list[i]);
    }
    return found;
}

// @return how many pairs have different answers
static int exchange(utRng* rng, utShapeKind one, utShapeKind two, int* touching)
{
    int different = 0;
    for (int k = 0; k < PAIRS; k++) {
        utArena keep = test_arena();
        const bool round = k % 2 == 0;
        const utShape a = random_shape(rng, one, round, &keep);
        const utShape b = k % 4 == 0 && one == two ? a : random_shape(rng, two, round, &keep);
        const utFrame A = random_frame(rng, round);
        utFrame B = random_frame(rng, round);
        if (round && memcmp(&A.p, &B.p, sizeof A.p) == 0) {
            B.p.x += 0.25; // identical shapes have no order
        }
        utTouch t[UT_TOUCH_MAX], u[UT_TOUCH_MAX];
        const double margin = ut_rng_range(rng, 0.0, 0.3);
        const int count = ut_collide(&a, A, &b, B, margin, t);
        bool same = ut_collide(&b, B, &a, A, margin, u) == count;
        for (int i = 0; same && i < count; i++) {
            same = has_mirror(&t[i], count, u);
        }
        different += !same;
        *touching += count > 0;
    }
    return different;
}

TEST(exchanged_shapes_touch_alike_bit_for_bit)
{
    utRng rng = ut_rng(6, 6);
    int pairs = 0, touching = 0;
    for (int a = 0; a < KINDS; a++) {
        for (int b = a; b < KINDS; b++) {
            const int different = exchange(&rng, (utShapeKind)a, (utShapeKind)b, &touching);
            if (!CHECK_INT(different, 0)) {
                test_note("%s and %s", ut_shape_kind_name((utShapeKind)a),
                          ut_shape_kind_name((utShapeKind)b));
            }
            pairs += PAIRS;
        }
    }
    CHECK(touching > pairs / 3);
    test_note("%d pairs, %d touch", pairs, touching);
}

// ---- bodies and geoms in another order ----------------------------------------------------------

enum { BODIES = 8, GEOMS = 2 };

// The body of the first scene that is body b of the second one.
static const int first_of[BODIES] = {5, 2, 7, 0, 3, 6, 1, 4};

static utGeomDef part(int b, int g)
{
    static const utShapeKind kinds[] = {UT_SHAPE_BOX, UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID};
    utGeomDef geom = ut_geom_def(0, kinds[(b + 2 * g) % 5],
                                 ut_vec3(0.05 + 0.01 * b, 0.11 - 0.01 * b, 0.06 + 0.005 * b));
    geom.pos = ut_vec3(g == 0 ? -0.05 : 0.06, 0.01 * b * g, 0.0);
    geom.friction = 0.3 + 0.05 * (b % 3);
    geom.mass = 1.0 + 0.3 * b + g;
    return geom;
}

// A heap of bodies of two geoms each, above a floor and four tiles in it.
static Lab open_heap(bool permuted, double mu)
{
    Lab lab = lab_open(0.002);
    for (int i = 0; i < 4; i++) {
        const int tile = permuted ? 3 - i : i;
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.25, 0.25, 0.1));
        geom.pos = ut_vec3(0.5 * (tile % 2) - 0.25, 0.5 * (tile / 2) - 0.25, -0.1);
        geom.friction = mu;
        CHECK_INT(ut_model_def_geom(lab.def, &geom), i);
    }
    for (int i = 0; i < BODIES; i++) {
        const int b = permuted ? first_of[i] : i;
        const int body = lab_body(
            &lab, NULL, ut_vec3(0.12 * (b % 3) - 0.1, 0.13 * (b / 3) - 0.1, 0.15 + 0.1 * b));
        lab_free(&lab, body);
        for (int k = 0; k < GEOMS; k++) {
            utGeomDef geom = part(b, permuted ? GEOMS - 1 - k : k);
            geom.body = body;
            geom.friction *= mu;
            CHECK_INT(ut_model_def_geom(lab.def, &geom), 4 + GEOMS * i + k);
        }
    }
    lab_start(&lab);
    return lab;
}

// The geom of the first scene that is a geom of the second one.
static int first_geom(int geom)
{
    if (geom < 4) {
        return 3 - geom;
    }
    const int b = first_of[(geom - 4) / GEOMS], k = (geom - 4) % GEOMS;
    return 4 + GEOMS * b + GEOMS - 1 - k;
}

static bool same_contact(const utContact* c, const utContact* d)
{
    const int one = first_geom(d->geom1), two = first_geom(d->geom2);
    const bool turned = one > two;
    const uint64_t feature = turned ? d->feature << 32 | d->feature >> 32 : d->feature;
    const utVec3 n = turned ? ut_vec3_negate(d->frame[0]) : d->frame[0];
    return c->geom1 == (turned ? two : one) && c->geom2 == (turned ? one : two) &&
           c->feature == feature && c->gap == d->gap && c->mu == d->mu && c->frame[0].x == n.x &&
           c->frame[0].y == n.y && c->frame[0].z == n.z && c->point.x == d->point.x &&
           c->point.y == d->point.y && c->point.z == d->point.z;
}

static bool same_contacts(const utStepReport* one, const utStepReport* two)
{
    bool same = one->contacts == two->contacts;
    for (int i = 0; same && i < one->contacts; i++) {
        bool found = false;
        for (int k = 0; k < two->contacts; k++) {
            found = found || same_contact(&one->contact[i], &two->contact[k]);
        }
        same = found;
    }
    return same;
}

// Set the second scene to the state of the first.
static void copy_state(const Lab* from, const Lab* to)
{
    double q[7 * BODIES], v[6 * BODIES];
    for (int i = 0; i < BODIES; i++) {
        memcpy(q + 7 * i, ut_sim_q(from->sim) + 7 * (size_t)first_of[i], 7 * sizeof *q);
        memcpy(v + 6 * i, ut_sim_v(from->sim) + 6 * (size_t)first_of[i], 6 * sizeof *v);
    }
    CHECK_INT(ut_sim_set(to->sim, ut_sim_time(from->sim), q, v, NULL), UT_OK);
    // ut_sim_set normalizes quaternions: set both, so that both begin with the same bits
    double q1[7 * BODIES], v1[6 * BODIES];
    for (int i = 0; i < BODIES; i++) {
        memcpy(q1 + 7 * first_of[i], ut_sim_q(to->sim) + 7 * (size_t)i, 7 * sizeof *q1);
        memcpy(v1 + 6 * first_of[i], ut_sim_v(to->sim) + 6 * (size_t)i, 6 * sizeof *v1);
    }
    CHECK_INT(ut_sim_set(from->sim, ut_sim_time(from->sim), q1, v1, NULL), UT_OK);
}

// Largest difference of velocities, m/s and rad/s.
static double apart(const Lab* one, const Lab* two)
{
    double most = 0.0;
    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 6; k++) {
            most = fmax(most, fabs(ut_sim_v(one->sim)[6 * first_of[i] + k] -
                                   ut_sim_v(two->sim)[6 * i + k]));
        }
    }
    return most;
}

// The largest distance of two solutions of a step without friction. With natural residuals of e1 and
// e2, |min(r_i / m_i, u_i)| <= e, each of the terms of
//
//     |v1 - v2|_M^2 = (r1 - r2).(u1 - u2) = sum r1 u1 + r2 u2 - r1 u2 - r2 u1
//
// is at most (r1 + r2)(e1 + e2) or, where r is nearly 0, m e u. m_i is no more than the mass of a
// body, 6.4 kg, and M has no eigenvalue below 8e-4: the least moment of the smallest part.
static double bound(const utStepResult* one, const utStepResult* two)
{
    double sum = 0.0;
    const utStepReport* const reports[2] = {&one->report, &two->report};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < reports[k]->contacts; i++) {
            const utContact* c = &reports[k]->contact[i];
            sum += c->r[0] + 6.4 * fabs(c->u[0]);
        }
    }
    // an exact solution is still rounded
    return sqrt((one->certificate.e + two->certificate.e) * sum / 8e-4) + 1e-12;
}

// Both begin each step in the same state. Their contacts have the same bits, as long as no projection
// came before. Their solutions differ, because sums and eliminations have another order.
static void check_steps(double mu, int steps)
{
    Lab one = open_heap(false, mu), two = open_heap(true, mu);
    int different = 0, contacts = 0, compared = 0, refused = 0;
    double most = 0.0;
    for (int k = 0; k < steps; k++) {
        utStepResult first, second;
        copy_state(&one, &two);
        lab_step(&one, NULL, &first);
        lab_step(&two, NULL, &second);
        refused += first.outcome == UT_STEP_UNCERTIFIED || second.outcome == UT_STEP_UNCERTIFIED;
        if (first.report.projection == NULL && second.report.projection == NULL) {
            different += !same_contacts(&first.report, &second.report);
            contacts += first.report.contacts;
            compared++;
            most = fmax(most, apart(&one, &two));
            CHECK(mu > 0.0 || apart(&one, &two) <= bound(&first, &second));
        }
    }
    CHECK_INT(different, 0);
    CHECK_INT(refused, 0);
    CHECK(compared >= steps / 10 && contacts > compared);
    test_note("mu times %g: %d contacts in %d steps of %d, velocities differ by %.1e", mu, contacts,
              compared, steps, most);
    lab_close(&one);
    lab_close(&two);
}

TEST(contacts_do_not_depend_on_the_order_of_bodies_and_geoms)
{
    check_steps(0.0, HEAP_STEPS);
    check_steps(1.0, HEAP_STEPS);
}

// ---- many steps ---------------------------------------------------------------------------------

enum { FEET = 4, LEGS = 3, RUN = 300 };

// Bodies on three balls each: their forces are determined, and so is how they slide, spin and tip
// over a floor of tiles. They stay apart from each other.
static void run_feet(const int* foot, const int* leg, double q[FEET][7])
{
    static const double at[LEGS][2] = {{0.2, 0}, {-0.1, 0.17}, {-0.12, -0.18}};
    Lab lab = lab_open(0.002);
    lab.options.tolerance = 1e-11;
    for (int i = 0; i < 16; i++) {
        utGeomDef tile = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.1));
        tile.pos = ut_vec3(1.0 * (i % 4) - 1.5, 1.0 * (i / 4) - 1.5, -0.1);
        tile.friction = 0.0;
        CHECK_INT(ut_model_def_geom(lab.def, &tile), i);
    }
    double start[7 * FEET], v[6 * FEET] = {0};
    for (int i = 0; i < FEET; i++) {
        const int f = foot[i];
        const utVec3 pos = ut_vec3(1.5 * (f % 2) - 0.75, 1.5 * (f / 2) - 0.75, 0.1);
        const int body = lab_solid(&lab, pos, (utQuat){1, 0, 0, 0}, 2.0, ut_vec3_zero(),
                                   ut_vec3(0.02, 0.03, 0.04));
        lab_free(&lab, body);
        for (int k = 0; k < LEGS; k++) {
            utGeomDef ball = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(0.03, 0, 0));
            ball.pos = ut_vec3(at[leg[k]][0], at[leg[k]][1], -0.07);
            ball.friction = 0.2 + 0.1 * f;
            CHECK(ut_model_def_geom(lab.def, &ball) >= 0);
        }
        const double pose[7] = {pos.x, pos.y, 0.115, cos(0.01), sin(0.01), 0, 0};
        memcpy(start + 7 * (size_t)i, pose, sizeof pose);
        v[6 * i] = 0.3 + 0.1 * f;
        v[6 * i + 1] = -0.4 + 0.2 * f;
        v[6 * i + 5] = 2.0 + 0.5 * f;
    }
    lab_start(&lab);
    lab_state(&lab, start, v);
    for (int k = 0; k < RUN; k++) {
        lab_step(&lab, NULL, NULL);
    }
    CHECK_INT(lab.certified, lab.steps);
    for (int i = 0; i < FEET; i++) {
        memcpy(q[foot[i]], ut_sim_q(lab.sim) + 7 * (size_t)i, sizeof q[0]);
    }
    lab_close(&lab);
}

static double feet_apart(double p[FEET][7], double q[FEET][7])
{
    double most = 0.0;
    for (int i = 0; i < FEET; i++) {
        for (int k = 0; k < 7; k++) {
            most = fmax(most, fabs(p[i][k] - q[i][k]));
        }
    }
    return most;
}

// Bodies that do not touch each other are solved one by one: their order does not change a bit. The
// geoms of one body are summed in another order, and a step has an error of 1e-11 of 2 m/s. Over 300
// steps of 2 ms these errors, if all had the same direction, add up to 300^2 / 2 h 2e-11 = 2e-9 m.
// The impacts at the start, three per body, at most double them.
TEST(many_steps_do_not_depend_on_the_order_of_bodies_and_geoms)
{
    static const int plain[] = {0, 1, 2, 3}, bodies[] = {2, 0, 3, 1}, geoms[] = {2, 0, 1};
    double q[FEET][7], other[FEET][7];
    run_feet(plain, plain, q);
    run_feet(bodies, plain, other);
    CHECK(feet_apart(q, other) == 0.0);
    run_feet(plain, geoms, other);
    CHECK(feet_apart(q, other) <= 1.6e-8);
    CHECK(fabs(q[3][0] - 0.75) > 0.05);
    test_note("geoms in another order: off by %.1e m", feet_apart(q, other));
}
