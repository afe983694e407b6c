// SPDX-License-Identifier: Apache-2.0
// Steps written by hand: upright bodies without spin, particles on three slides, and their contacts
// with a floor and with each other. The tests compute velocities from the impulses in long double,
// without the library.
#ifndef UPTACK_TEST_CERTIFICATE_SCENE_H
#define UPTACK_TEST_CERTIFICATE_SCENE_H

#include <math.h>
#include <string.h>
#include <uptack/certificate.h>
#include <uptack/dyn.h>

#include "test.h"

enum { BODIES = 3, CONTACTS = 8, ROWS = 4, DOFS = 6 * BODIES };

typedef struct Step {
    utModel* model;
    int bodies;    ///< without the world, each with a geom; geom 0 is the floor
    bool particle; ///< bodies on slides, without rotation
    double mass;   ///< of each, times `mass_factor` of the body
    double mass_factor[BODIES];
    double half[3]; ///< half extents, or the radius of a particle's sphere
    utStepReport report;
    double q[7 * BODIES], v[DOFS], v_free[DOFS], v_next[DOFS], q_next[7 * BODIES];
    double caller_force[DOFS], force[DOFS], actuator_diagonal[DOFS], ctrl[2];
    utForce applied[BODIES + 1];
    utContact contact[CONTACTS];
    utRow row[ROWS];
    utIsland island[ROWS];
} Step;

/// Let the report point to the step's arrays, and certify it.
utCertificate judge_step(Step* step);

typedef Step (*Maker)(void);

/// A way to spoil a step, and the reason that the certificate must name.
typedef struct Spoiled {
    void (*spoil)(Step* step);
    const char* reason; ///< NULL: any
} Spoiled;

/// Check that every step, spoiled in every way, fails for the stated reason.
void check_spoiled(int made, const Maker* maker, int count, const Spoiled* cases);

/// Bodies of `mass` one above the other on a floor with friction mu, gaps of 0, at
/// rest, gravity g along -z.
/// @param particle spheres on three slides with the radius half[0], otherwise boxes
/// @param mass of each; make_light_top: the last one has 1e-6 of it
Step make_light_top(int bodies, bool particle, double mass, const double half[3], double mu,
                    double g, double h);
Step make_stack(int bodies, bool particle, double mass, const double half[3], double mu, double g,
                double h);

/// The same in an instant of `hybrid`, the floor with restitution e.
Step make_instant(int bodies, bool particle, double mass, const double half[3], double mu,
                  double e);

/// The four corners of the lower side of a box, or the lowest point of a sphere, against the floor
/// (below = -1) or the body below.
void add_contacts(Step* step, int body, int below);

/// v*, v+, u and q+ from v, gravity, applied forces at the centres and the impulses of contacts.
void finish_step(Step* step);

/// E by its definition in long double, for the circular law; bodies of the step as above.
long double long_E(const Step* step);

void free_step(Step* step);

#endif
