// SPDX-License-Identifier: Apache-2.0
// Equation numbers of the papers, and how their prints are read where they are in doubt.
#include "internal.h"

#include <string.h>

// ---- Berard's examples --------------------------------------------------------------------------

typedef enum Example {
    EXAMPLE_NONE, // in space, or in joint coordinates: the general system
    EXAMPLE_4_1,
    EXAMPLE_4_2,
    EXAMPLE_4_3,
    EXAMPLE_4_4,
    EXAMPLE_4_5,
    EXAMPLE_4_6,
    EXAMPLES
} Example;

// The example whose blocks a system has.
static Example find_example(const EqTraits* t)
{
    return !t->planar || !t->joints ? EXAMPLE_NONE
           : !t->contacts           ? EXAMPLE_4_1
           : !t->friction           ? EXAMPLE_4_2
           : t->springs             ? EXAMPLE_4_6
           : t->belt                ? EXAMPLE_4_5
           : t->pusher              ? EXAMPLE_4_4
                                    : EXAMPLE_4_3;
}

static bool is_case(const EqNotation* notation, const char* name)
{
    return strcmp(notation->name + strlen("pfrommer-"), name) == 0;
}

const char* ut_eq_equation(const EqNotation* notation, const EqTraits* traits)
{
    static const char* const examples[EXAMPLES] = {"34", "46", "58", "64", "70", "70, 72", "88"};
    switch (notation->notation) {
    case UT_NOTATION_BERARD:
        return examples[find_example(traits)];
    case UT_NOTATION_DART:
        return notation->level == UT_POLYHEDRAL_FULL ? "12" : "14";
    case UT_NOTATION_IGMS:
        return "8-10, LCP";
    case UT_NOTATION_PFROMMER:
        return is_case(notation, "falling")   ? "section 1"
               : is_case(notation, "forward") ? "section 2.1"
                                              : "section 2.2";
    default:
        return notation->level == UT_POLYHEDRAL_FULL ? "8" : "8, reduced";
    }
}

// ---- blocks -------------------------------------------------------------------------------------

static const char* berard_block(Example example, const char* block)
{
    static const struct {
        const char* block;
        const char* equation[EXAMPLES];
    } all[] = {
        {"M", {"11", "36", "53", "60", "66", "66", "74"}},
        {"W_b", {"15", "45", "54", "60", "66", "66", "75"}},
        {"W_n", {"31", "", "54", "61", "67", "67", "76"}},
        {"W_f", {"32", "", "", "62", "68", "68", "77"}},
        {"E", {"23", "", "", "63", "69", "69", "78"}},
        {"U", {"19", "", "", "63", "69", "69", "78"}},
        {"l_app", {"24", "46", "55", "61", "66", "66", "87"}},
        {"Phi/h + dPhi/dt", {"15", "47", "56", "56", "56", "56", "56"}},
        {"Psi_n", {"16", "", "57", "57", "57", "57", "57"}},
        {"Psi_n/h + dPsi_n/dt", {"31", "", "58", "64", "70", "70", "88"}},
        {"dPsi_n/dt", {"31", "", "", "", "70", "70", "88"}},
        {"dPsi_f/dt", {"32", "", "", "", "70", "72", "88"}},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strcmp(block, all[k].block) == 0) {
            return all[k].equation[example];
        }
    }
    return "";
}

static const char* other_block(utNotation notation, const char* block)
{
    static const struct {
        utNotation notation;
        const char* block;
        const char* equation;
    } all[] = {
        {UT_NOTATION_DART, "M", "7"},          {UT_NOTATION_DART, "N", "8"},
        {UT_NOTATION_DART, "B", "8"},          {UT_NOTATION_DART, "E", "10"},
        {UT_NOTATION_DART, "mu", "12"},        {UT_NOTATION_DART, "tau*", "5"},
        {UT_NOTATION_DART, "C - tau", "3"},    {UT_NOTATION_IGMS, "M", "1"},
        {UT_NOTATION_IGMS, "D", "7"},          {UT_NOTATION_IGMS, "n", "6"},
        {UT_NOTATION_IGMS, "k", "1"},          {UT_NOTATION_PEIRET, "M", "4"},
        {UT_NOTATION_PEIRET, "J_n", "5"},      {UT_NOTATION_PEIRET, "E", "6"},
        {UT_NOTATION_PEIRET, "rho", "6"},      {UT_NOTATION_PEIRET, "c - f_a", "4"},
        {UT_NOTATION_PEIRET, "J_t", "8"},      {UT_NOTATION_PEIRET, "mu", "8"},
        {UT_NOTATION_PEIRET, "Jdot_t v", "8"}, {UT_NOTATION_PEIRET, "Jdot_n v", "8"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].notation == notation && strcmp(block, all[k].block) == 0) {
            return all[k].equation;
        }
    }
    return "";
}

const char* ut_eq_block_equation(const EqNotation* notation, const EqTraits* traits,
                                 const char* block)
{
    return notation->notation == UT_NOTATION_BERARD ? berard_block(find_example(traits), block)
                                                    : other_block(notation->notation, block);
}

// ---- readings -----------------------------------------------------------------------------------

// A reading, and the systems that it concerns.
typedef struct Reading {
    bool applies;
    const char* text;
} Reading;

#define HELD                                                                                     \
    "rows with bounds or compliance (limits, dry friction, limited actuators) have no place in " \
    "the "                                                                                       \
    "paper: their impulses count as applied forces"

static int take(const Reading* all, size_t count, const char* reading[EQ_READINGS])
{
    int taken = 0;
    for (size_t k = 0; k < count && taken < EQ_READINGS; k++) {
        if (all[k].applies) {
            reading[taken++] = all[k].text;
        }
    }
    return taken;
}

static int berard_readings(const EqTraits* t, const char* reading[EQ_READINGS])
{
    const Example e = find_example(t);
    const Reading all[] = {
        {t->contacts,
         "Eq. 34 prints the unknowns without p_n, and Phi twice: its third constant is "
         "Psi_n/h + dPsi_n/dt"},
        {t->joints, "Eq. 26 has no Phi/h in the joint rows; uptack follows Eq. 34 and 46"},
        {t->friction, "sigma is a speed (Eq. 34), not a displacement per step (Eq. 29 and 32)"},
        {true, "lambda_app (Eq. 25) and all blocks are taken at (q^l, nu^l, t_l)"},
        {t->planar && t->contacts, "Eq. 51, 52 and 57 lack the body's position: the gap is "
                                   "n . (C* + R r) above the floor"},
        {e == EXAMPLE_4_3,
         "Eq. 64 lacks p_b and a column, and lambda_a of Eq. 61 has 9 rows, not 10"},
        {e == EXAMPLE_4_4 || e == EXAMPLE_4_5,
         "Eq. 70 lacks p_b and a column, and lambda_a of Eq. 66 has 9 rows, not 10"},
        {e == EXAMPLE_4_4 || e == EXAMPLE_4_5, "Eq. 67 and 68 print n_3 and t_3 in the block's "
                                               "frame; the linear rows need R n_3 and R t_3. The "
                                               "last block of Eq. 68 has 3 rows"},
        {e == EXAMPLE_4_6, "Eq. 76 and 77 print n_3 and t_3 in the block's frame; the linear rows "
                           "need R n_3 and R t_3"},
        {t->pusher, "r_3 points to the pusher: dPsi_n/dt = -n_3 . f', dPsi_f/dt = -+t_3 . f'"},
        {t->belt, "dPsi_f/dt of Eq. 72 is a rate: -t . v of the belt for +t, and +t . v for -t"},
        {e == EXAMPLE_4_6, "Eq. 75: the matrix in front is 2 x 3, and the hat on R r_o is missing"},
        {e == EXAMPLE_4_6,
         "Eq. 83: -f is -f_s, and r_s stands in F; Eq. 85 damps the whole relative "
         "velocity"},
        {e == EXAMPLE_4_6, "Eq. 88 lacks sigma, and prints E one column too far left"},
        {t->turning,
         "joint rows of rotations are multiplied by a length, so that all rows are in m/s"},
        {t->held, HELD},
    };
    return take(all, sizeof all / sizeof *all, reading);
}

static int dart_readings(const EqNotation* notation, const EqTraits* t,
                         const char* reading[EQ_READINGS])
{
    const Reading all[] = {
        {true,
         "f_n and f_d are forces in N, which is why dt stands in the matrix; lambda is in m/s"},
        {true, "Eq. 7 gives +J to the system with the lower number; here the system into which n "
               "points has +J, and the "
               "other one has -J"},
        {true,
         "Eq. 12 is purely on velocities: a contact is a row only where the gap is 0 or less"},
        {t->friction,
         "where f_n = 0, lambda is any number that is large enough; the least one is shown"},
        {t->friction,
         "section 3.2, case 2: two directions may share the friction, which is then less than "
         "mu f_n"},
        {t->pusher || t->belt,
         "surfaces that move by themselves add their velocities to the rows a and b"},
        {t->joints && notation->level == UT_POLYHEDRAL_FULL,
         "the rows f_b of loops and joints are not in the paper"},
        {t->joints && notation->level != UT_POLYHEDRAL_FULL,
         "loops and joints are not in the paper; their rows are eliminated together with qdot"},
        {t->held, HELD},
        {t->scaled, "section 5: E in both its places and mu are multiplied by dt, so that lambda "
                    "is divided by it"},
        {t->regularized, "section 5: A_ii is multiplied by 1 + epsilon; the answer is inexact"},
    };
    return take(all, sizeof all / sizeof *all, reading);
}

static int igms_readings(const EqTraits* t, const char* reading[EQ_READINGS])
{
    const Reading all[] = {
        {true, "M, n, D and k are taken at q^t; the paper has M(q + h v) and k(q + h v/2)"},
        {true, "the row sigma is (n'q^{t+1} - alpha_0)/h, Eq. 9 divided by h; n is the gradient "
               "row of f"},
        {true, "below Eq. 10, \"[mu c_n - e'b] lambda >= 0\" means mu c_n - e'beta >= 0"},
        {true, "beta of all contacts comes first, then c_n of all, then lambda of all"},
        {t->joints, "joint rows are not in the paper; they are eliminated together with v"},
        {t->held, HELD},
    };
    return take(all, sizeof all / sizeof *all, reading);
}

static int pfrommer_readings(const EqNotation* notation, const EqTraits* t,
                             const char* reading[EQ_READINGS])
{
    const bool falling = is_case(notation, "falling"), forward = is_case(notation, "forward");
    const bool both = !falling && !forward;
    const Reading all[] = {
        {t->heavy, "the notes have a unit mass; here the mass multiplies M and q"},
        {falling, "z is the position and w the force; at rest lambda = g"},
        {forward, "valid for u >= 0 and xdot_k >= 0 only: friction is bounded from one side"},
        {forward, "\"must always be positive\" means >= 0"},
        {forward, "the same step by section 2.2: --eq pfrommer-bidirectional"},
        {both,
         "the print has lambda' twice without signs: w = (lambda'-, lambda'+), z = (xdot+, xdot-)"},
        {both, "only lambda' >= 0; lambda+ and lambda- may be negative"},
        {both, "M is positive definite; with its rows exchanged the LCP of a sliding block has no "
               "solution"},
    };
    return take(all, sizeof all / sizeof *all, reading);
}

static int peiret_readings(const EqTraits* t, const char* reading[EQ_READINGS])
{
    const Reading all[] = {
        {true,
         "the text prints accelerations with one dot too many; Eq. 8 is right: udot_n = J_n vdot + "
         "Jdot_n v"},
        {t->friction, "mu of Eq. 8 has one column per contact: mu_i in each of its k_i rows"},
        {t->friction, "full rank holds for rho > 0, except where rho is twice an eigenvalue of "
                      "E'(G^-1)_tt E, and for forces that are not redundant"},
        {t->friction,
         "the lines bound |e_j . lambda_t| by mu lambda_n: a polygon around the friction circle"},
        {t->slides,
         "contacts that slide have lambda_t = -mu lambda_n u_t/|u_t| and enter with their normals"},
        {t->impact, "a contact that closes is an impact, which no acceleration describes: its row "
                    "is J_n v+/h"},
        {t->joints, "the rows of joints are not in the paper, which has minimal coordinates"},
        {t->held, HELD},
    };
    return take(all, sizeof all / sizeof *all, reading);
}

int ut_eq_list_readings(const EqNotation* notation, const EqTraits* traits,
                        const char* reading[EQ_READINGS])
{
    switch (notation->notation) {
    case UT_NOTATION_BERARD:
        return berard_readings(traits, reading);
    case UT_NOTATION_DART:
        return dart_readings(notation, traits, reading);
    case UT_NOTATION_IGMS:
        return igms_readings(traits, reading);
    case UT_NOTATION_PFROMMER:
        return pfrommer_readings(notation, traits, reading);
    default:
        return peiret_readings(traits, reading);
    }
}
