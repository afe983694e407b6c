// SPDX-License-Identifier: Apache-2.0
// The recipes of Berard's guide once more, as he prints them (read as docs/recipes.md says): dense
// blocks by hand, the mixed problem of Eq. 34 in his order of unknowns, and nothing of uptack but
// its LCP solvers. Bodies stand in the order C, A, B (4.1: A, B) with twists (v_x, v_y, omega);
// vectors are those of the fixed frame F.
#ifndef UPTACK_TEST_SEEDS_BERARD_RECIPE_H
#define UPTACK_TEST_SEEDS_BERARD_RECIPE_H

#include <stdbool.h>

enum { RECIPE_NU = 9, RECIPE_B = 4, RECIPE_C = 3, RECIPE_F = 6, RECIPE_Z = 25 };

typedef enum RecipeExample {
    RECIPE_4_1,
    RECIPE_4_2,
    RECIPE_4_3,
    RECIPE_4_4,
    RECIPE_4_5,
    RECIPE_4_6,
    RECIPE_4_4_TIP,
    RECIPE_COUNT
} RecipeExample;

/// @return "4.1" ... "4.4-tip"
const char* recipe_name(RecipeExample example);

typedef struct RecipePusher {
    double x, way, y; ///< f(t) = (x + way (1 - cos 2t), y)
} RecipePusher;

typedef struct Recipe {
    RecipeExample example;
    double h, t;
    int nu, bilaterals, contacts, directions, sigmas;
    double mA, LA, mB, LB, mC, lC, wC;
    double pivot[2]; ///< O in the frame of C
    double mu[RECIPE_C];
    RecipePusher pusher;
    double belt; ///< velocity of the floor's surface along x, m/s
    double K, L0, damping;
    bool drifts;  ///< without phi/h, as Eq. 26 has it
    bool literal; ///< linear rows of contact 3 in the frame of C, as Eq. 67 and 68 print them
    double q[RECIPE_NU], v[RECIPE_NU];
    double z[RECIPE_Z]; ///< of the last step
} Recipe;

typedef struct RecipeBlocks {
    double M[RECIPE_NU][RECIPE_NU];
    double Wb[RECIPE_NU][RECIPE_B];
    double Wn[RECIPE_NU][RECIPE_C];
    double Wf[RECIPE_NU][RECIPE_F];
    double E[RECIPE_F][RECIPE_C];
    double U[RECIPE_C][RECIPE_C];
    double app[RECIPE_NU];   ///< lambda_app
    double phi[RECIPE_B];    ///< Eq. 47, 56
    double psi[RECIPE_C];    ///< Psi_n
    double psi_t[RECIPE_C];  ///< dPsi_n/dt
    double slip_t[RECIPE_F]; ///< dPsi_f/dt
} RecipeBlocks;

/// The parameters of scenes/seeds/berard-*.xml, at rest.
Recipe recipe(RecipeExample example, double h);

/// The pose in which both rods meet their pins at the given angles (from hanging).
void recipe_assemble(Recipe* recipe, double angle_A, double angle_B);

/// How many unknowns Eq. 34 has.
int recipe_size(const Recipe* recipe);

void recipe_blocks(const Recipe* recipe, RecipeBlocks* blocks);

/// Eq. 34 for the next step as w = A z + b, with -M in the momentum rows.
/// @param A size x size, row-major @param b size
void recipe_mixed(const Recipe* recipe, double* A, double* b);

/// One step. @return false when the problem was not solved
bool recipe_step(Recipe* recipe);

double recipe_energy(const Recipe* recipe);

/// Normal impulse of a contact in the last step, N s.
double recipe_normal(const Recipe* recipe, int contact);

#endif
