// SPDX-License-Identifier: Apache-2.0
// The generated problems have the structure and the properties that lcp_problems.h states.
#include "test.h"

#include "la/dense/dense.h"

#include <math.h>
#include <string.h>
#include <uptack/lcp_problems.h>

static double entry(const utLcp* lcp, int i, int j)
{
    return lcp->M[(size_t)i * (size_t)lcp->n + (size_t)j];
}

// ---- Stewart-Trinkle problems by hand -----------------------------------------------------------

static utContactBody particle(double mass, double vx, double vy, double vz)
{
    return (utContactBody){.half = {0.1, 0.1, 0.1}, .inverse_mass = 1.0 / mass, .v = {vx, vy, vz}};
}

static utContactPoint on_floor(double mu, double gap_rate)
{
    return (utContactPoint){
        .a = -1, .b = 0, .normal = {0, 0, 1}, .mu = mu, .gap_rate = gap_rate, .repeats = -1};
}

// A particle of 2 kg on the floor, gap/h = 0.05, four directions: x, y, -x, -y.
TEST(the_blocks_of_one_contact_stand_where_the_note_prints_them)
{
    static const double M[6][6] = {
        {0.5, 0, 0, 0, 0, 0},      // normal
        {0, 0.5, 0, -0.5, 0, 1},   // x
        {0, 0, 0.5, 0, -0.5, 1},   // y
        {0, -0.5, 0, 0.5, 0, 1},   // -x
        {0, 0, -0.5, 0, 0.5, 1},   // -y
        {0.75, -1, -1, -1, -1, 0}, // mu, -E', 0
    };
    static const double q[6] = {-0.25 + 0.05, 3, 4, -3, -4, 0};
    utContactBody body = particle(2, 3, 4, -0.25);
    utContactPoint point = on_floor(0.75, 0.05);
    utArena keep = test_arena();
    utContactLcp contact;

    CHECK(ut_contact_lcp_assemble(&(utContactScene){1, &body, 1, &point}, 4, &keep, &contact) ==
          UT_OK);
    CHECK_INT(contact.lcp.n, 6);
    CHECK_INT(contact.rows, 5);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            CHECK_NEAR(entry(&contact.lcp, i, j), M[i][j], 0.0);
        }
        CHECK_NEAR(contact.lcp.q[i], q[i], 1e-17);
    }
}

// mission.md D13: m = 1, mu = 0.5, h = 0.01, 10 degrees off the x axis, eight directions. Friction
// takes the whole 0.5 m g h along -x, and the largest slip speed is cos 10 - 0.04905 = 0.935758.
TEST(a_particle_that_slides_between_two_directions_is_braked_along_the_nearer)
{
    const double weight = 0.0981, c10 = 0.98480775301220805937, s10 = 0.17364817766693034885;
    utContactBody body = particle(1, c10, s10, -weight);
    utContactPoint point = on_floor(0.5, 0.0);
    utArena keep = test_arena();
    utContactLcp contact;
    CHECK(ut_contact_lcp_assemble(&(utContactScene){1, &body, 1, &point}, 8, &keep, &contact) ==
          UT_OK);

    double z[10] = {weight, 0, 0, 0, 0, 0.5 * weight, 0, 0, 0, c10 - 0.5 * weight};
    CHECK_NEAR(z[9], 0.935758, 5e-7);
    CHECK(ut_lcp_residual(&contact.lcp, z) <= 1e-15);
    // and not along any other direction
    for (int j = 0; j < 8; j++) {
        double other[10] = {weight, [9] = z[9]};
        other[1 + j] = 0.5 * weight;
        CHECK((ut_lcp_residual(&contact.lcp, other) <= 1e-3) == (j == 4));
    }
}

// Body 0 (2 kg) below, body 1 (4 kg) above, touching at (0.3, 0.2, 0): arms (0.3, 0.2, 1) and
// (0.2, 0.2, -1). Torque of the unit normal impulse: (0.2, -0.2, 0) on body 1, -(0.2, -0.3, 0) on
// body 0; of the unit impulse along x: (0, -1, -0.2) on body 1, -(0, 1, -0.2) on body 0.
TEST(arms_inertias_and_the_sign_of_the_second_body_enter_the_matrix)
{
    static const utContactBody bodies[2] = {
        {.center = {0, 0, -1},
         .inverse_mass = 0.5,
         .inverse_inertia = {2, 3, 4},
         .v = {1, 0, 0, 0, 0, 2}},
        {.center = {0.1, 0, 1},
         .inverse_mass = 0.25,
         .inverse_inertia = {5, 6, 7},
         .v = {0, 0, -3, 0, 1, 0}},
    };
    static const utContactPoint point = {
        .a = 0, .b = 1, .point = {0.3, 0.2, 0}, .normal = {0, 0, 1}, .repeats = -1};
    utArena keep = test_arena();
    utContactLcp contact;
    CHECK(ut_contact_lcp_assemble(&(utContactScene){2, bodies, 1, &point}, 4, &keep, &contact) ==
          UT_OK);

    // normal with itself, normal with x, x with itself
    double nn = 0.5 + 0.04 * 2 + 0.09 * 3 + 0.25 + 0.04 * 5 + 0.04 * 6;
    double nx = -0.3 * 1 * 3 + -0.2 * -1 * 6;
    double xx = 0.5 + 1 * 3 + 0.04 * 4 + 0.25 + 1 * 6 + 0.04 * 7;
    CHECK_NEAR(entry(&contact.lcp, 0, 0), nn, 1e-14);
    CHECK_NEAR(entry(&contact.lcp, 0, 1), nx, 1e-14);
    CHECK_NEAR(entry(&contact.lcp, 1, 1), xx, 1e-14);

    // the point of body 1 moves with (0, 0, -3) + (0, 1, 0) x (0.2, 0.2, -1) = (-1, 0, -3.2), that
    // of body 0 with (1, 0, 0) + (0, 0, 2) x (0.3, 0.2, 1) = (0.6, 0.6, 0)
    CHECK_NEAR(contact.lcp.q[0], -3.2, 1e-14);
    CHECK_NEAR(contact.lcp.q[1], -1.6, 1e-14);
    CHECK_NEAR(contact.lcp.q[2], -0.6, 1e-14);
}

// ---- random scenes ------------------------------------------------------------------------------

static utContactLcp make(utArena* keep, int contacts, int directions, uint64_t seed)
{
    utContactLcpDef def = ut_contact_lcp_def();
    def.contacts = contacts;
    def.directions = directions;
    def.seed = seed;
    utContactLcp contact = {.contacts = 0};
    CHECK(ut_contact_lcp_create(&def, keep, &contact) == UT_OK);
    return contact;
}

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TEST(bodies_are_boxes_with_masses_within_the_ratio)
{
    double lightest = HUGE_VAL, heaviest = 0.0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 30, 4, seed);
        CHECK(contact.scene.body_count >= 10 && contact.scene.body_count <= 15);
        for (int b = 0; b < contact.scene.body_count; b++) {
            const utContactBody* body = &contact.scene.bodies[b];
            double mass = 1.0 / body->inverse_mass;
            lightest = fmin(lightest, mass);
            heaviest = fmax(heaviest, mass);

            // I_x = m (y^2 + z^2) / 3 for half extents, so I_x + I_y - I_z = 2 m z^2 / 3
            for (int k = 0; k < 3; k++) {
                double ix = 1.0 / body->inverse_inertia[k];
                double iy = 1.0 / body->inverse_inertia[(k + 1) % 3];
                double iz = 1.0 / body->inverse_inertia[(k + 2) % 3];
                double half = body->half[(k + 2) % 3];
                CHECK(half >= 0.05 && half < 0.5 + 1e-12);
                CHECK_NEAR(ix + iy - iz, 2.0 / 3.0 * mass * half * half, 1e-12 * (ix + iy + iz));
            }
        }
    }
    CHECK(lightest >= 1.0 && lightest < 1.1);
    CHECK(heaviest <= 1e4 && heaviest > 9e3);
}

static void check_point(const utContactScene* scene, int c)
{
    const utContactPoint* point = &scene->contacts[c];
    CHECK_NEAR(dot(point->normal, point->normal), 1.0, 1e-15);
    CHECK(point->mu == 0.0 || (point->mu >= 0.1 && point->mu < 1.0));
    CHECK(point->gap_rate >= 0.0 && point->gap_rate < 0.2);
    for (int side = 0; side < 2; side++) {
        int b = side == 0 ? point->a : point->b;
        for (int k = 0; k < 3 && b >= 0; k++) {
            double arm = point->point[k] - scene->bodies[b].center[k];
            CHECK(fabs(arm) <= scene->bodies[b].half[k] * (1 + 1e-12));
        }
    }
    if (point->repeats >= 0) {
        const utContactPoint* first = &scene->contacts[point->repeats];
        CHECK(point->repeats < c && point->a == first->a && point->b == first->b);
        CHECK(memcmp(point->normal, first->normal, sizeof point->normal) == 0);
        CHECK_NEAR(dot(point->normal, point->point), dot(first->normal, first->point), 1e-14);
    }
}

TEST(points_lie_within_their_bodies_and_a_third_repeat_an_earlier_plane)
{
    int same_points = 0, smooth = 0, open = 0, pairs = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 36, 4, seed);
        int repeats = 0;
        for (int c = 0; c < 36; c++) {
            const utContactPoint* point = &contact.scene.contacts[c];
            check_point(&contact.scene, c);
            repeats += point->repeats >= 0;
            smooth += point->mu == 0.0;
            open += point->gap_rate > 0.0;
            pairs += point->a >= 0;
            same_points += point->repeats >= 0 &&
                           memcmp(point->point, contact.scene.contacts[point->repeats].point,
                                  sizeof point->point) == 0;
        }
        CHECK_INT(repeats, 12);
    }
    // shares of 1800 contacts and 600 repeats
    CHECK(smooth > 90 && smooth < 270);
    CHECK(open > 180 && open < 540);
    CHECK(same_points > 30 && same_points < 90);
    CHECK(pairs > 600 && pairs < 1500);
}

// The rank of a symmetric block by elimination with the largest pivot of all.
static int rank_of(utLcp lcp, int n, utArena scratch)
{
    double* A = UT_PUSH(&scratch, double, n* n);
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = entry(&lcp, i, j) / sqrt(entry(&lcp, i, i) * entry(&lcp, j, j));
            largest = fmax(largest, fabs(A[i * n + j]));
        }
    }
    for (int rank = 0; rank < n; rank++) {
        int row = 0, column = 0;
        for (int k = 0; k < n * n; k++) {
            if (fabs(A[k]) > fabs(A[row * n + column])) {
                row = k / n;
                column = k % n;
            }
        }
        double pivot = A[row * n + column];
        if (!(fabs(pivot) > 1e-12 * largest)) {
            return rank;
        }
        for (int i = 0; i < n; i++) {
            double factor = A[i * n + column] / pivot;
            for (int j = 0; j < n && i != row; j++) {
                A[i * n + j] -= factor * A[row * n + j];
            }
        }
        memset(A + row * n, 0, (size_t)n * sizeof *A);
        for (int i = 0; i < n; i++) {
            A[i * n + column] = 0.0;
        }
    }
    return n;
}

TEST(repeated_contacts_make_the_normals_block_singular)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 12, 0, seed);
        CHECK_INT(contact.lcp.n, 12);
        // four repeats make a face of four and one more: a rank of 3 for its 4 points
        CHECK(rank_of(contact.lcp, 12, keep) <= 11);
    }
    utContactLcpDef def = ut_contact_lcp_def();
    def.contacts = 12;
    def.directions = 0;
    def.redundant = 0.0;
    utArena keep = test_arena();
    utContactLcp contact;
    CHECK(ut_contact_lcp_create(&def, &keep, &contact) == UT_OK);
    CHECK_INT(rank_of(contact.lcp, 12, keep), 12);
}

// velocity of body b at a point: v + w x arm
static void point_velocity(const utContactScene* scene, int b, const double point[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    if (b < 0) {
        return;
    }
    const utContactBody* body = &scene->bodies[b];
    const double* w = body->v + 3;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] =
            body->v[k] + w[l] * (point[m] - body->center[m]) - w[m] * (point[l] - body->center[l]);
    }
}

// Row of direction j of contact c, from the part of J that acts on body b.
static const double* direction(const utContactLcp* contact, int c, int j)
{
    return contact->J + 12 * (size_t)(contact->contacts + c * contact->directions + j) + 6;
}

TEST(directions_are_unit_tangents_in_exactly_opposite_pairs)
{
    for (int d = 2; d <= 16; d += 2) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 20, d, (uint64_t)d);
        for (int c = 0; c < 20; c++) {
            const double* n = contact.scene.contacts[c].normal;
            const double* t1 = direction(&contact, c, 0);
            for (int j = 0; j < d; j++) {
                const double* u = direction(&contact, c, j);
                const double* opposite = direction(&contact, c, (j + d / 2) % d);
                CHECK_NEAR(dot(u, n), 0.0, 1e-15);
                CHECK_NEAR(dot(u, u), 1.0, 1e-15);
                CHECK_NEAR(dot(u, t1), cos(2 * 3.14159265358979323846 * j / d), 4e-15);
                for (int k = 0; k < 6; k++) {
                    CHECK(u[k] == -opposite[k]);
                }
            }
            // t1 has no part along the axis that is neither n nor the projected one
            int axis = fabs(n[0]) > 0.9 ? 1 : 0;
            CHECK_NEAR(t1[axis], sqrt(1 - n[axis] * n[axis]), 1e-14);
            // (n, t1, t2) is right-handed
            const double* t2 = direction(&contact, c, d / 4);
            CHECK(d % 4 != 0 || n[0] * (t1[1] * t2[2] - t1[2] * t2[1]) +
                                        n[1] * (t1[2] * t2[0] - t1[0] * t2[2]) +
                                        n[2] * (t1[0] * t2[1] - t1[1] * t2[0]) >
                                    0.999999);
        }
    }
}

TEST(q_is_the_relative_velocity_at_each_contact_plus_the_gap)
{
    utArena keep = test_arena();
    utContactLcp contact = make(&keep, 25, 8, 3);
    for (int c = 0; c < 25; c++) {
        const utContactPoint* point = &contact.scene.contacts[c];
        double va[3], vb[3];
        point_velocity(&contact.scene, point->a, point->point, va);
        point_velocity(&contact.scene, point->b, point->point, vb);
        double relative[3] = {vb[0] - va[0], vb[1] - va[1], vb[2] - va[2]};
        CHECK_NEAR(contact.lcp.q[c], dot(point->normal, relative) + point->gap_rate, 1e-14);
        for (int j = 0; j < 8; j++) {
            CHECK_NEAR(contact.lcp.q[25 + 8 * c + j], dot(direction(&contact, c, j), relative),
                       1e-14);
        }
        CHECK_NEAR(contact.lcp.q[25 * 9 + c], 0.0, 0.0);
    }
}

TEST(bodies_at_rest_only_fall)
{
    utContactLcpDef def = ut_contact_lcp_def();
    def.start = UT_CONTACT_STICKING;
    def.open = 0.0;
    utArena keep = test_arena();
    utContactLcp contact;
    CHECK(ut_contact_lcp_create(&def, &keep, &contact) == UT_OK);
    for (int c = 0; c < 10; c++) {
        const utContactPoint* point = &contact.scene.contacts[c];
        // two bodies fall together
        double fall = point->a < 0 ? 0.0981 * point->normal[2] : 0.0;
        CHECK_NEAR(contact.lcp.q[c], -fall, 1e-17);
    }
}

// Friction rows and columns of contact `c`: mu, E, -E' and zeros elsewhere.
static void check_friction(const utContactLcp* contact, int c)
{
    int p = contact->contacts, d = contact->directions, slip = contact->rows + c;
    for (int i = 0; i < contact->lcp.n; i++) {
        bool mine = i >= p + c * d && i < p + (c + 1) * d;
        double mu = contact->scene.contacts[c].mu;
        CHECK_NEAR(entry(&contact->lcp, i, slip), mine ? 1.0 : 0.0, 0.0);
        CHECK_NEAR(entry(&contact->lcp, slip, i), mine ? -1.0 : i == c ? mu : 0.0, 0.0);
    }
}

TEST(the_matrix_has_a_symmetric_block_and_a_skew_one)
{
    for (int d = 4; d <= 8; d += 4) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 15, d, 11);
        CHECK_INT(contact.lcp.n, 15 * (d + 2));
        for (int i = 0; i < contact.rows; i++) {
            for (int j = 0; j < i; j++) {
                CHECK(entry(&contact.lcp, i, j) == entry(&contact.lcp, j, i));
            }
            CHECK(entry(&contact.lcp, i, i) > 0.0);
        }
        for (int c = 0; c < 15; c++) {
            check_friction(&contact, c);
        }
    }
}

// z'Mz >= -eps for z >= 0, with about a third of the entries zero
static double least_form(const utLcp* lcp, int tries, utArena scratch)
{
    utRng rng = ut_rng(5, 0);
    double* z = UT_PUSH(&scratch, double, lcp->n);
    double least = HUGE_VAL;
    for (int t = 0; t < tries; t++) {
        double form = 0.0, size = 0.0;
        for (int i = 0; i < lcp->n; i++) {
            z[i] = fmax(0.0, ut_rng_range(&rng, -0.5, 1.0));
        }
        for (int i = 0; i < lcp->n; i++) {
            for (int j = 0; j < lcp->n; j++) {
                form += z[i] * entry(lcp, i, j) * z[j];
                size += fabs(z[i] * entry(lcp, i, j) * z[j]);
            }
        }
        least = fmin(least, size > 0.0 ? form / size : 0.0);
    }
    return least;
}

TEST(contact_problems_are_copositive)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        utArena keep = test_arena();
        utContactLcp contact = make(&keep, 1 + (int)seed, 4, seed);
        CHECK(least_form(&contact.lcp, 100, keep) >= -1e-14);
    }
}

static uint64_t hash_of(const utLcp* lcp)
{
    uint64_t hash = ut_hash_doubles(UT_HASH_START, lcp->M, (size_t)lcp->n * (size_t)lcp->n);
    return ut_hash_doubles(hash, lcp->q, (size_t)lcp->n);
}

TEST(a_seed_names_one_problem)
{
    utArena keep = test_arena();
    utContactLcp one = make(&keep, 10, 8, 1);
    utContactLcp again = make(&keep, 10, 8, 1);
    utContactLcp two = make(&keep, 10, 8, 2);
    CHECK(hash_of(&one.lcp) == hash_of(&again.lcp));
    CHECK(hash_of(&one.lcp) != hash_of(&two.lcp));
    for (int f = UT_LCP_DOMINANT; f < UT_LCP_FAMILY_COUNT; f++) {
        utLcpProblem a, b, c;
        CHECK(ut_lcp_family_create((utLcpFamily)f, 20, 1, &keep, &a) == UT_OK);
        CHECK(ut_lcp_family_create((utLcpFamily)f, 20, 1, &keep, &b) == UT_OK);
        CHECK(ut_lcp_family_create((utLcpFamily)f, 20, 2, &keep, &c) == UT_OK);
        CHECK(hash_of(&a.lcp) == hash_of(&b.lcp));
        CHECK(hash_of(&a.lcp) != hash_of(&c.lcp));
    }
}

TEST(a_def_with_a_bad_value_is_refused)
{
    utArena keep = test_arena();
    utContactLcp contact;
    for (int k = 0; k < 14; k++) {
        utContactLcpDef def = ut_contact_lcp_def();
        def.contacts = k == 0 ? 0 : def.contacts;
        def.directions = k == 1 ? 5 : k == 2 ? -2 : k == 3 ? 66 : def.directions;
        def.bodies = k == 4 ? -1 : def.bodies;
        def.mass_ratio = k == 5 ? 0.5 : k == 6 ? (double)NAN : def.mass_ratio;
        def.redundant = k == 7 ? 1.0 : k == 8 ? -0.1 : def.redundant;
        def.mu_min = k == 9 ? 2.0 : def.mu_min;
        def.start = k == 10 ? UT_CONTACT_START_COUNT : def.start;
        def.gap_rate = k == 11 ? HUGE_VAL : def.gap_rate;
        def.open = k == 12 ? 1.5 : def.open;
        def.cookie = k == 13 ? 0 : def.cookie;
        CHECK(ut_contact_lcp_create(&def, &keep, &contact) == UT_ERR_DEF);
    }
    utContactBody body = particle(1, 0, 0, 0);
    utContactPoint point = on_floor(0.5, 0.0);
    utContactScene scene = {1, &body, 1, &point};
    CHECK(ut_contact_lcp_assemble(&scene, 3, &keep, &contact) == UT_ERR_ARGUMENT);
    scene.contact_count = 0;
    CHECK(ut_contact_lcp_assemble(&scene, 4, &keep, &contact) == UT_ERR_ARGUMENT);
    scene.contact_count = 1;
    point.b = 1;
    CHECK(ut_contact_lcp_assemble(&scene, 4, &keep, &contact) == UT_ERR_ARGUMENT);
    point.b = 0;
    point.a = 0;
    CHECK(ut_contact_lcp_assemble(&scene, 4, &keep, &contact) == UT_ERR_ARGUMENT);
}

TEST(a_problem_takes_the_same_memory_again_and_less_changes_nothing)
{
    for (int contacts = 1; contacts < 30; contacts++) {
        utContactLcpDef def = ut_contact_lcp_def();
        def.contacts = contacts;
        def.directions = contacts % 3 * 4;
        def.seed = (uint64_t)contacts;
        utArena all = test_arena();
        utArena keep = all;
        utContactLcp contact;
        CHECK(ut_contact_lcp_create(&def, &keep, &contact) == UT_OK);
        const size_t size = (size_t)(keep.next - all.next);
        for (size_t room = 0; room < size; room += 1 + size / 10) {
            contact.contacts = -7;
            utArena small = ut_arena_on(all.next, room);
            CHECK(ut_contact_lcp_create(&def, &small, &contact) == UT_ERR_CAPACITY);
            CHECK(small.next == all.next && contact.contacts == -7);
        }
        keep = ut_arena_on(all.next, size);
        CHECK(ut_contact_lcp_create(&def, &keep, &contact) == UT_OK);
        CHECK(ut_lcp_check(&contact.lcp, NULL) == UT_OK);
    }
    for (int f = 0; f < UT_LCP_FAMILY_COUNT; f++) {
        utArena all = test_arena();
        utArena keep = ut_arena_on(all.next + 1, (2 * 33 * 33 + 2 * 33) * sizeof(double) + 5 * 64);
        utArena small = ut_arena_on(all.next + 1, 33 * 33 * sizeof(double));
        utLcpProblem problem;
        CHECK(ut_lcp_family_create((utLcpFamily)f, 33, 0, &small, &problem) == UT_ERR_CAPACITY);
        CHECK(small.next == all.next + 1);
        CHECK(ut_lcp_family_create((utLcpFamily)f, 33, 0, &keep, &problem) == UT_OK);
        CHECK(ut_lcp_check(&problem.lcp, NULL) == UT_OK);
    }
}

// ---- families -----------------------------------------------------------------------------------

static utLcpProblem family(utArena* keep, utLcpFamily name, int n, uint64_t seed)
{
    utLcpProblem problem = {.z = NULL};
    CHECK(ut_lcp_family_create(name, n, seed, keep, &problem) == UT_OK);
    return problem;
}

// Matrices and right-hand sides of order 3 as lcp-hard-cases.md prints them.
TEST(the_families_of_the_literature_have_their_printed_entries)
{
    static const struct {
        utLcpFamily family;
        double M[9], q[3], z[3];
    } cases[] = {
        {UT_LCP_MURTY_UPPER, {1, 2, 2, 0, 1, 2, 0, 0, 1}, {-1, -1, -1}, {0, 0, 1}},
        {UT_LCP_MURTY_LOWER, {1, 0, 0, 2, 1, 0, 2, 2, 1}, {-1, -1, -1}, {1, 0, 0}},
        {UT_LCP_MURTY_UPPER_GRADED, {1, 2, 2, 0, 1, 2, 0, 0, 1}, {-14, -12, -8}, {0, 0, 8}},
        {UT_LCP_MURTY_LOWER_GRADED, {1, 0, 0, 2, 1, 0, 2, 2, 1}, {-14, -12, -8}, {14, 0, 0}},
        {UT_LCP_FATHI, {1, 2, 2, 2, 5, 6, 2, 6, 9}, {-1, -1, -1}, {1, 0, 0}},
        {UT_LCP_CSIZMADIA, {1, 0, 0, -1, 1, 0, -1, -1, 1}, {-1, -1, -1}, {1, 2, 4}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        utArena keep = test_arena();
        utLcpProblem problem = family(&keep, cases[c].family, 3, 0);
        CHECK(memcmp(problem.lcp.M, cases[c].M, sizeof cases[c].M) == 0);
        CHECK(memcmp(problem.lcp.q, cases[c].q, sizeof cases[c].q) == 0);
        CHECK(memcmp(problem.z, cases[c].z, sizeof cases[c].z) == 0);
    }
}

TEST(the_known_solutions_solve)
{
    for (int f = 0; f < UT_LCP_FAMILY_COUNT; f++) {
        static const int sizes[] = {1, 2, 7, 50};
        for (int k = 0; k < 4; k++) {
            utArena keep = test_arena();
            utLcpProblem problem = family(&keep, (utLcpFamily)f, sizes[k], 9);
            if (problem.z != NULL) {
                double tolerance = f <= UT_LCP_CSIZMADIA ? 0.0 : 1e-14;
                CHECK(ut_lcp_residual(&problem.lcp, problem.z) <= tolerance);
            }
        }
    }
    utArena keep = test_arena();
    utLcpProblem problem;
    CHECK(ut_lcp_family_create(UT_LCP_MURTY_UPPER_GRADED, 53, 0, &keep, &problem) ==
          UT_ERR_ARGUMENT);
    CHECK(ut_lcp_family_create(UT_LCP_CSIZMADIA, 1001, 0, &keep, &problem) == UT_ERR_ARGUMENT);
    CHECK(ut_lcp_family_create(UT_LCP_SPD, 0, 0, &keep, &problem) == UT_ERR_ARGUMENT);
    CHECK(ut_lcp_family_create(UT_LCP_FAMILY_COUNT, 3, 0, &keep, &problem) == UT_ERR_ARGUMENT);
    CHECK_TEXT(ut_lcp_family_name(UT_LCP_OBSTACLE), "obstacle");
    CHECK_TEXT(ut_lcp_family_name(UT_LCP_FAMILY_COUNT), "unknown");
}

// Cholesky of the symmetric part: n when it is positive definite.
static int definite_order(utLcp lcp, double shift, utArena scratch)
{
    int n = lcp.n;
    double* A = UT_PUSH(&scratch, double, n* n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.5 * (entry(&lcp, i, j) + entry(&lcp, j, i)) + (i == j ? shift : 0.0);
        }
    }
    return ut_chol_factor(n, A, n, 0.0);
}

TEST(the_random_families_belong_to_their_classes)
{
    enum { N = 40 };
    utArena keep = test_arena();
    CHECK_INT(definite_order(family(&keep, UT_LCP_SPD, N, 4).lcp, -0.009, keep), N);
    CHECK_INT(definite_order(family(&keep, UT_LCP_SKEW, N, 4).lcp, -0.009, keep), N);
    CHECK_INT(definite_order(family(&keep, UT_LCP_PSD, N, 4).lcp, 1e-12, keep), N);
    CHECK_INT(definite_order(family(&keep, UT_LCP_OBSTACLE, N, 4).lcp, 0.0, keep), N);
    CHECK_INT(rank_of(family(&keep, UT_LCP_PSD, N, 4).lcp, N, keep), N / 2);

    // skew and obstacle leave their other halves
    utLcp skew = family(&keep, UT_LCP_SKEW, N, 4).lcp;
    CHECK(fabs(entry(&skew, 3, 5) - entry(&skew, 5, 3)) > 1e-3);
    utLcp string = family(&keep, UT_LCP_OBSTACLE, N, 4).lcp;
    int up = 0;
    for (int i = 0; i < N; i++) {
        up += string.q[i] < 0.0;
        for (int j = 0; j < N; j++) {
            CHECK(entry(&string, i, j) == (i == j ? 2.0 : i == j + 1 || j == i + 1 ? -1.0 : 0.0));
        }
    }
    CHECK_INT(up, N / 2);

    // rows of `dominant`: the diagonal outweighs the rest
    utLcp dominant = family(&keep, UT_LCP_DOMINANT, N, 4).lcp;
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            sum += j != i ? fabs(entry(&dominant, i, j)) : 0.0;
        }
        CHECK(entry(&dominant, i, i) > sum);
    }

    utLcp copositive = family(&keep, UT_LCP_COPOSITIVE, N, 4).lcp;
    CHECK(least_form(&copositive, 200, keep) > 0.0);
}
