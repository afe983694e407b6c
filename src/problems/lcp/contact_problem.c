// SPDX-License-Identifier: Apache-2.0
// The Stewart-Trinkle problem of a scene; uptack/lcp_problems.h defines the letters and the layout.
//
// A row of J holds the wrenches of a unit impulse along u at point x on the two bodies:
// (-u, -(x - c_a) x u) to a, (u, (x - c_b) x u) to b. W is diagonal, so an entry of J W J' is a sum
// over the bodies that two contacts share.
#include <uptack/lcp_problems.h>

#include "la/dense/dense.h"
#include <uptack/vec.h>

#include <string.h>

enum { ROW = 12, MAX_DIRECTIONS = 64 };

static const double PI = 0x1.921fb54442d18p+1;

static utVec3 vec(const double a[3])
{
    return ut_vec3(a[0], a[1], a[2]);
}

// cos and sin of 2 pi j / d: computed in the first quadrant, and by symmetry in the others.
static void fill_angles(int d, double* c, double* s)
{
    int computed = d % 4 == 0 ? d / 4 : d / 2;
    for (int j = 0; j < d; j++) {
        if (j < computed) {
            ut_sincos(2.0 * PI * j / d, &s[j], &c[j]);
        } else if (j < d / 2) {
            c[j] = -s[j - computed];
            s[j] = c[j - computed];
        } else {
            c[j] = -c[j - d / 2];
            s[j] = -s[j - d / 2];
        }
    }
}

// Write a row of J: a unit impulse along u.
static void fill_row(const utContactScene* scene, const utContactPoint* contact, utVec3 u,
                     double row[ROW])
{
    memset(row, 0, ROW * sizeof *row);
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? contact->a : contact->b;
        if (body < 0) {
            continue;
        }
        utVec3 arm = ut_vec3_sub(vec(contact->point), vec(scene->bodies[body].center));
        utVec3 force = side == 0 ? ut_vec3_negate(u) : u;
        utVec3 torque = ut_vec3_cross(arm, force);
        double* part = row + (size_t)(6 * side);
        part[0] = force.x;
        part[1] = force.y;
        part[2] = force.z;
        part[3] = torque.x;
        part[4] = torque.y;
        part[5] = torque.z;
    }
}

// Write all rows of J: the normals, then the directions, contact by contact.
static void fill_jacobian(const utContactScene* scene, int d, double* J)
{
    double c[MAX_DIRECTIONS], s[MAX_DIRECTIONS];
    fill_angles(d, c, s);
    double* next = J + (size_t)scene->contact_count * ROW;
    for (int i = 0; i < scene->contact_count; i++) {
        const utContactPoint* contact = &scene->contacts[i];
        utVec3 n = vec(contact->normal);
        utVec3 t1, t2;
        ut_tangent_basis(n, &t1, &t2);
        fill_row(scene, contact, n, J + (size_t)i * ROW);
        for (int j = 0; j < d; j++) {
            fill_row(scene, contact, ut_vec3_add_scaled(ut_vec3_scale(t1, c[j]), s[j], t2), next);
            next += ROW;
        }
    }
}

// The contact of row i of J.
static const utContactPoint* row_contact(const utContactLcp* contact, int i)
{
    int p = contact->contacts;
    return &contact->scene.contacts[i < p ? i : (i - p) / contact->directions];
}

// x W y of one body, with the same bits as y W x
static double weighted(const utContactBody* body, const double* x, const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += x[k] * y[k] * body->inverse_mass;
    }
    for (int k = 0; k < 3; k++) {
        sum += x[3 + k] * y[3 + k] * body->inverse_inertia[k];
    }
    return sum;
}

// (J W J')_ij
static double delassus(const utContactLcp* contact, int i, int j)
{
    const utContactPoint* ci = row_contact(contact, i);
    const utContactPoint* cj = row_contact(contact, j);
    const double* x = contact->J + (size_t)i * ROW;
    const double* y = contact->J + (size_t)j * ROW;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? ci->a : ci->b;
        if (body < 0 || (body != cj->a && body != cj->b)) {
            continue;
        }
        sum += weighted(&contact->scene.bodies[body], x + (size_t)(6 * side),
                        y + (body == cj->a ? 0 : 6));
    }
    return sum;
}

// Write J W J' and J v*; each pair of symmetric entries is computed once.
static void fill_dynamics(const utContactLcp* contact, double* M, double* q)
{
    const size_t n = (size_t)contact->lcp.n;
    for (int i = 0; i < contact->rows; i++) {
        for (int j = 0; j <= i; j++) {
            double entry = delassus(contact, i, j);
            M[(size_t)i * n + (size_t)j] = entry;
            M[(size_t)j * n + (size_t)i] = entry;
        }

        const utContactPoint* point = row_contact(contact, i);
        double sum = i < contact->contacts ? point->gap_rate : 0.0;
        for (int k = 0; k < ROW; k++) {
            int body = k < 6 ? point->a : point->b;
            sum += body < 0 ? 0.0
                            : contact->J[(size_t)i * ROW + (size_t)k] *
                                  contact->scene.bodies[body].v[k % 6];
        }
        q[i] = sum;
    }
}

// Write mu, E and -E'.
static void fill_friction(const utContactLcp* contact, double* M)
{
    const int p = contact->contacts;
    const int d = contact->directions;
    const size_t n = (size_t)contact->lcp.n;
    for (int c = 0; c < p && d > 0; c++) {
        size_t slip = (size_t)contact->rows + (size_t)c;
        M[slip * n + (size_t)c] = contact->scene.contacts[c].mu;
        for (int j = 0; j < d; j++) {
            size_t direction = (size_t)p + (size_t)c * (size_t)d + (size_t)j;
            M[direction * n + slip] = 1.0;
            M[slip * n + direction] = -1.0;
        }
    }
}

static bool scene_is_good(const utContactScene* scene)
{
    bool good = scene->contact_count >= 1;
    for (int c = 0; c < scene->contact_count; c++) {
        const utContactPoint* contact = &scene->contacts[c];
        good = good && contact->a >= -1 && contact->a < scene->body_count && contact->b >= 0 &&
               contact->b < scene->body_count && contact->a != contact->b;
    }
    return good;
}

utStatus ut_contact_lcp_assemble(const utContactScene* scene, int directions, utArena* keep,
                                 utContactLcp* contact)
{
    if (!scene_is_good(scene) || directions < 0 || directions > MAX_DIRECTIONS ||
        directions % 2 != 0 || scene->contact_count > INT32_MAX / (2 + directions)) {
        return UT_ERR_ARGUMENT;
    }
    const int p = scene->contact_count;
    const int rows = p * (1 + directions);
    const int n = directions > 0 ? rows + p : p;
    utArena rest = *keep;
    double* J = ut_matrix_push(&rest, rows, ROW);
    double* M = ut_matrix_push(&rest, n, n);
    double* q = UT_PUSH(&rest, double, n);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }

    utContactLcp made = {.lcp = {.n = n, .M = M, .q = q},
                         .contacts = p,
                         .directions = directions,
                         .rows = rows,
                         .J = J,
                         .scene = *scene};
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    memset(q, 0, (size_t)n * sizeof *q);
    fill_jacobian(scene, directions, J);
    fill_dynamics(&made, M, q);
    fill_friction(&made, M);
    *keep = rest;
    *contact = made;
    return UT_OK;
}
