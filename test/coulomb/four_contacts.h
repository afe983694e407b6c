// SPDX-License-Identifier: Apache-2.0
// Problems of four contacts with a known answer, built backward from it.
#ifndef TEST_COULOMB_FOUR_CONTACTS_H
#define TEST_COULOMB_FOUR_CONTACTS_H

#include <string.h>
#include <uptack/base.h>
#include <uptack/coulomb.h>

enum { CONTACTS = 4, ROWS = 3 * CONTACTS };

typedef struct Made {
    utSection circle;
    double mu[CONTACTS];
    double M[ROWS * ROWS], J[ROWS * ROWS], f[ROWS], b[ROWS];
    double r[ROWS]; // the answer: stick, slip, open, slip
} Made;

static inline utCoulomb make(uint64_t seed, Made* p)
{
    static const double u[ROWS] = {0, 0, 0, 0, 0.6, -0.8, 0.7, 0.3, 0.1, 0, -1.2, 0.5};
    static const double r[ROWS] = {1.5, 0.1, -0.2, 1.2, -0.6 * 0.6, 0.8 * 0.6,
                                   0,   0,   0,    1.3, 1.2,        -0.5};
    utRng rng = ut_rng(seed, 0);
    memset(p, 0, sizeof *p);
    p->circle = ut_section_circle();
    memcpy(p->r, r, sizeof r);
    for (int i = 0; i < CONTACTS; i++) {
        p->mu[i] = i == 3 ? 1.0 : 0.5; // 1.3 = |r_t| of contact 3, and 0.6 = 0.5 1.2 of contact 1
    }
    double v[ROWS];
    for (int i = 0; i < ROWS; i++) {
        p->M[i * ROWS + i] = ut_rng_range(&rng, 1.0, 2.0);
        p->f[i] = ut_rng_range(&rng, -1.0, 1.0);
        v[i] = p->f[i];
        for (int k = 0; k < ROWS; k++) {
            p->J[i * ROWS + k] = (i == k) + ut_rng_range(&rng, -0.1, 0.1);
        }
    }
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < ROWS; i++) {
            v[k] += p->J[i * ROWS + k] * r[i];
        }
        v[k] /= p->M[k * ROWS + k];
    }
    for (int i = 0; i < ROWS; i++) {
        p->b[i] = u[i];
        for (int k = 0; k < ROWS; k++) {
            p->b[i] -= p->J[i * ROWS + k] * v[k];
        }
    }
    return (utCoulomb){.dimension = 3,
                       .contacts = CONTACTS,
                       .dof = ROWS,
                       .mu = p->mu,
                       .section = &p->circle,
                       .M = p->M,
                       .J = p->J,
                       .f = p->f,
                       .b = p->b};
}

#endif
