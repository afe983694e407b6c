// SPDX-License-Identifier: Apache-2.0
// The systems of the papers in symbols: unknowns, rows, blocks of the matrix and constants.
#include "internal.h"

#include <string.h>

// clang-format off
static const EqNotation notations[] = {
    {.name = "berard", .paper = "Berard", .title = "Cooking with Complementarity, 2006",
     .notation = UT_NOTATION_BERARD, .level = UT_POLYHEDRAL_FULL,
     .formulation = UT_FORMULATION_STEWART_TRINKLE, .coordinates = UT_COORDINATES_MAXIMAL,
     .unknown = {[EQ_V] = {"nu", "\\vec\\nu^{\\,l+1}"}, [EQ_B] = {"p_b", "\\vec p_b^{\\,l+1}"},
                 [EQ_N] = {"p_n", "\\vec p_n^{\\,l+1}"}, [EQ_F] = {"p_f", "\\vec p_f^{\\,l+1}"},
                 [EQ_L] = {"sigma", "\\vec\\sigma^{\\,l+1}"}},
     .slack = {[EQ_V] = {"0", "0"}, [EQ_B] = {"0", "0"},
               [EQ_N] = {"rho_n", "\\vec\\rho_n^{\\,l+1}"},
               [EQ_F] = {"rho_f", "\\vec\\rho_f^{\\,l+1}"}, [EQ_L] = {"s", "\\vec s^{\\,l+1}"}},
     .cell = {[EQ_V] = {[EQ_V] = {"-M", "-M"}, [EQ_B] = {"W_b", "W_b"},
                          [EQ_N] = {"W_n", "W_n"}, [EQ_F] = {"W_f", "W_f"}},
              [EQ_B] = {[EQ_V] = {"W_b'", "W_b^T"}},
              [EQ_N] = {[EQ_V] = {"W_n'", "W_n^T"}},
              [EQ_F] = {[EQ_V] = {"W_f'", "W_f^T"}, [EQ_L] = {"E", "E"}},
              [EQ_L] = {[EQ_N] = {"U", "U"}, [EQ_F] = {"-E'", "-E^T"}}},
     .constant = {[EQ_V] = {"M nu^l + h l_app", "M\\vec\\nu^{\\,l} + h\\vec\\lambda_{app}"},
                  [EQ_B] = {"Phi/h + dPhi/dt", "\\frac{\\Phi^l}{h} + \\frac{\\partial\\Phi^l}{\\partial t}"},
                  [EQ_N] = {"Psi_n/h + dPsi_n/dt", "\\frac{\\Psi_n^l}{h} + \\frac{\\partial\\Psi_n^l}{\\partial t}"},
                  [EQ_F] = {"dPsi_f/dt", "\\frac{\\partial\\Psi_f^l}{\\partial t}"}}},

    {.name = "dart", .paper = "Tan, Siu, Liu",
     .title = "Contact Handling for Articulated Rigid Bodies Using LCP",
     .notation = UT_NOTATION_DART, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY, .coordinates = UT_COORDINATES_GENERALIZED,
     .forces = true, .shows_matrix = true,
     .unknown = {[EQ_N] = {"f_n", "\\mathbf f_n"}, [EQ_F] = {"f_d", "\\mathbf f_d"},
                 [EQ_L] = {"lambda", "\\lambda"}},
     .slack = {[EQ_N] = {"a", "\\mathbf a"}, [EQ_F] = {"b", "\\mathbf b"},
               [EQ_L] = {"c", "\\mathbf c"}},
     .cell = {[EQ_N] = {[EQ_N] = {"dt N'M^-1 N", "\\Delta t N^TM^{-1}N"},
                          [EQ_F] = {"dt N'M^-1 B", "\\Delta t N^TM^{-1}B"}},
              [EQ_F] = {[EQ_N] = {"dt B'M^-1 N", "\\Delta t B^TM^{-1}N"},
                          [EQ_F] = {"dt B'M^-1 B", "\\Delta t B^TM^{-1}B"},
                          [EQ_L] = {"E", "E"}},
              [EQ_L] = {[EQ_N] = {"mu", "\\mu"}, [EQ_F] = {"-E'", "-E^T"}}},
     .constant = {[EQ_N] = {"N'M^-1 tau*", "N^TM^{-1}\\tau^*"},
                  [EQ_F] = {"B'M^-1 tau*", "B^TM^{-1}\\tau^*"}}},

    {.name = "dart-full", .paper = "Tan, Siu, Liu",
     .title = "Contact Handling for Articulated Rigid Bodies Using LCP",
     .notation = UT_NOTATION_DART, .level = UT_POLYHEDRAL_FULL,
     .formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY, .coordinates = UT_COORDINATES_GENERALIZED,
     .forces = true,
     .unknown = {[EQ_V] = {"qdot", "\\dot{\\mathbf q}"}, [EQ_B] = {"f_b", "\\mathbf f_b"},
                 [EQ_N] = {"f_n", "\\mathbf f_n"}, [EQ_F] = {"f_d", "\\mathbf f_d"},
                 [EQ_L] = {"lambda", "\\lambda"}},
     .slack = {[EQ_V] = {"0", "0"}, [EQ_B] = {"0", "0"}, [EQ_N] = {"a", "\\mathbf a"},
               [EQ_F] = {"b", "\\mathbf b"}, [EQ_L] = {"c", "\\mathbf c"}},
     .cell = {[EQ_V] = {[EQ_V] = {"M", "M"}, [EQ_B] = {"-dt J_b'", "-\\Delta t J_b^T"},
                          [EQ_N] = {"-dt N", "-\\Delta t N"}, [EQ_F] = {"-dt B", "-\\Delta t B"}},
              [EQ_B] = {[EQ_V] = {"J_b", "J_b"}},
              [EQ_N] = {[EQ_V] = {"N'", "N^T"}},
              [EQ_F] = {[EQ_V] = {"B'", "B^T"}, [EQ_L] = {"E", "E"}},
              [EQ_L] = {[EQ_N] = {"mu", "\\mu"}, [EQ_F] = {"-E'", "-E^T"}}},
     .constant = {[EQ_V] = {"-tau*", "-\\tau^*"}}},

    {.name = "igms", .paper = "Son, Trinkle, Amato",
     .title = "Hybrid Dynamic Simulation of Rigid-Body Contact with Coulomb Friction",
     .notation = UT_NOTATION_IGMS, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE, .coordinates = UT_COORDINATES_GENERALIZED,
     .slack_right = true, .shows_matrix = true,
     .unknown = {[EQ_N] = {"c_n", "c_n"}, [EQ_F] = {"beta", "\\beta"},
                 [EQ_L] = {"lambda", "\\lambda"}},
     .slack = {[EQ_N] = {"sigma", "\\sigma"}, [EQ_F] = {"rho", "\\rho"},
               [EQ_L] = {"zeta", "\\zeta"}},
     .cell = {[EQ_F] = {[EQ_F] = {"D'M^-1 D", "D^TM^{-1}D"},
                          [EQ_N] = {"D'M^-1 n", "D^TM^{-1}\\mathbf n"}, [EQ_L] = {"e", "e"}},
              [EQ_N] = {[EQ_F] = {"n'M^-1 D", "\\mathbf n^TM^{-1}D"},
                          [EQ_N] = {"n'M^-1 n", "\\mathbf n^TM^{-1}\\mathbf n"}},
              [EQ_L] = {[EQ_F] = {"-e'", "-e^T"}, [EQ_N] = {"mu", "\\mu"}}},
     .constant = {[EQ_F] = {"D'(v^t + h M^-1 k)", "D^T(v^t + hM^{-1}k)"},
                  [EQ_N] = {"(n'q^t - alpha_0)/h + n'(v^t + h M^-1 k)",
                              "(\\mathbf n^Tq^t - \\alpha_0)/h + \\mathbf n^T(v^t + hM^{-1}k)"}}},

    // one of the three cases below
    {.name = "pfrommer", .paper = "Pfrommer", .title = "LCP Notes, 2019",
     .notation = UT_NOTATION_PFROMMER, .coordinates = -1, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE},

    {.name = "pfrommer-falling", .paper = "Pfrommer", .title = "LCP Notes, 2019",
     .notation = UT_NOTATION_PFROMMER, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE, .coordinates = -1, .shows_matrix = true,
     .unknown = {[EQ_N] = {"x_{k+1}", "x_{k+1}"}},
     .slack = {[EQ_N] = {"lambda_{k+1}", "\\lambda_{k+1}"}},
     .cell = {[EQ_N] = {[EQ_N] = {"1/dt^2", "\\frac{1}{\\Delta t^2}"}}},
     .constant = {[EQ_N] = {"-(x_k + dt xdot_k - g dt^2)/dt^2",
                              "-\\frac{1}{\\Delta t^2}(x_k + \\Delta t\\,\\dot x_k - g\\Delta t^2)"}}},

    {.name = "pfrommer-forward", .paper = "Pfrommer", .title = "LCP Notes, 2019",
     .notation = UT_NOTATION_PFROMMER, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE, .coordinates = -1, .shows_matrix = true,
     .unknown = {[EQ_N] = {"xdot_{k+1}", "\\dot x_{k+1}"}},
     .slack = {[EQ_N] = {"lambda'_{k+1}", "\\lambda'_{k+1}"}},
     .cell = {[EQ_N] = {[EQ_N] = {"1/dt", "\\frac{1}{\\Delta t}"}}},
     .constant = {[EQ_N] = {"-xdot_k/dt - u + mu g",
                              "-\\frac{1}{\\Delta t}\\dot x_k - u_{k+1} + \\mu g"}}},

    {.name = "pfrommer-bidirectional", .paper = "Pfrommer", .title = "LCP Notes, 2019",
     .notation = UT_NOTATION_PFROMMER, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_STEWART_TRINKLE, .coordinates = -1, .shows_matrix = true,
     .unknown = {[EQ_N] = {"xdot+", "\\dot x^+_{k+1}"}, [EQ_F] = {"xdot-", "\\dot x^-_{k+1}"}},
     .slack = {[EQ_N] = {"lambda'-", "\\lambda'^-_{k+1}"}, [EQ_F] = {"lambda'+", "\\lambda'^+_{k+1}"}},
     .cell = {[EQ_N] = {[EQ_N] = {"1/dt", "\\frac{1}{\\Delta t}"}},
              [EQ_F] = {[EQ_F] = {"1/dt", "\\frac{1}{\\Delta t}"}}},
     .constant = {[EQ_N] = {"xdot_k-/dt - xdot_k+/dt - u + mu g",
                              "\\frac{1}{\\Delta t}\\dot x^-_k - \\frac{1}{\\Delta t}\\dot x^+_k - u_{k+1} + \\mu g"},
                  [EQ_F] = {"xdot_k+/dt - xdot_k-/dt + u + mu g",
                              "\\frac{1}{\\Delta t}\\dot x^+_k - \\frac{1}{\\Delta t}\\dot x^-_k + u_{k+1} + \\mu g"}}},

    {.name = "peiret", .paper = "Peiret, Kovecses, Font-Llagunes",
     .title = "The Discretized Coulomb Friction Model in a Non-Singular Complementarity Formulation",
     .notation = UT_NOTATION_PEIRET, .level = UT_POLYHEDRAL_FULL,
     .formulation = UT_FORMULATION_PEIRET_ACCELERATION, .coordinates = UT_COORDINATES_GENERALIZED,
     .slack_right = true, .forces = true,
     .unknown = {[EQ_V] = {"vdot", "\\dot{\\mathbf v}"}, [EQ_B] = {"lambda_b", "\\lambda_b"},
                 [EQ_T] = {"lambda_t", "\\lambda_t"}, [EQ_N] = {"lambda_n", "\\lambda_n"},
                 [EQ_KAPPA_PLUS] = {"kappa+", "\\kappa_+"},
                 [EQ_KAPPA_MINUS] = {"kappa-", "\\kappa_-"}},
     .slack = {[EQ_V] = {"0", "\\mathbf 0"}, [EQ_B] = {"0", "\\mathbf 0"},
               [EQ_T] = {"0", "\\mathbf 0"}, [EQ_N] = {"udot_n", "\\dot{\\mathbf u}_n"},
               [EQ_KAPPA_PLUS] = {"sigma-", "\\sigma_-"},
               [EQ_KAPPA_MINUS] = {"sigma+", "\\sigma_+"}},
     .cell = {[EQ_V] = {[EQ_V] = {"M", "\\mathbf M"}, [EQ_B] = {"-J_b'", "-\\mathbf J_b^T"},
                          [EQ_T] = {"-J_t'", "-\\mathbf J_t^T"}, [EQ_N] = {"-J_n'", "-\\mathbf J_n^T"}},
              [EQ_B] = {[EQ_V] = {"J_b", "\\mathbf J_b"}},
              [EQ_T] = {[EQ_V] = {"J_t", "\\mathbf J_t"}, [EQ_KAPPA_PLUS] = {"-E", "-\\mathbf E"},
                          [EQ_KAPPA_MINUS] = {"E", "\\mathbf E"}},
              [EQ_N] = {[EQ_V] = {"J_n", "\\mathbf J_n"}},
              [EQ_KAPPA_PLUS] = {[EQ_T] = {"E'", "\\mathbf E^T"}, [EQ_N] = {"mu", "\\mu"},
                                   [EQ_KAPPA_MINUS] = {"rho", "\\rho"}},
              [EQ_KAPPA_MINUS] = {[EQ_T] = {"-E'", "-\\mathbf E^T"}, [EQ_N] = {"mu", "\\mu"},
                                    [EQ_KAPPA_PLUS] = {"rho", "\\rho"}}},
     .constant = {[EQ_V] = {"c - f_a", "\\mathbf c - \\mathbf f_a"},
                  [EQ_B] = {"Jdot_b v", "\\dot{\\mathbf J}_b\\mathbf v"},
                  [EQ_T] = {"Jdot_t v", "\\dot{\\mathbf J}_t\\mathbf v"},
                  [EQ_N] = {"Jdot_n v", "\\dot{\\mathbf J}_n\\mathbf v"}}},

    // with G = J M^-1 J', S = G_nn - G_nt G_tt^-1 G_tn, X = G_nt G_tt^-1 E, A = E'G_tt^-1 E
    {.name = "peiret-lcp", .paper = "Peiret, Kovecses, Font-Llagunes",
     .title = "The Discretized Coulomb Friction Model in a Non-Singular Complementarity Formulation",
     .notation = UT_NOTATION_PEIRET, .level = UT_POLYHEDRAL_REDUCED,
     .formulation = UT_FORMULATION_PEIRET_ACCELERATION, .coordinates = UT_COORDINATES_GENERALIZED,
     .slack_right = true, .forces = true, .shows_matrix = true,
     .unknown = {[EQ_N] = {"lambda_n", "\\lambda_n"}, [EQ_KAPPA_PLUS] = {"kappa+", "\\kappa_+"},
                 [EQ_KAPPA_MINUS] = {"kappa-", "\\kappa_-"}},
     .slack = {[EQ_N] = {"udot_n", "\\dot{\\mathbf u}_n"}, [EQ_KAPPA_PLUS] = {"sigma-", "\\sigma_-"},
               [EQ_KAPPA_MINUS] = {"sigma+", "\\sigma_+"}},
     .cell = {[EQ_N] = {[EQ_N] = {"S", "S"}, [EQ_KAPPA_PLUS] = {"X", "X"},
                          [EQ_KAPPA_MINUS] = {"-X", "-X"}},
              [EQ_KAPPA_PLUS] = {[EQ_N] = {"mu - X'", "\\mu - X^T"}, [EQ_KAPPA_PLUS] = {"A", "A"},
                                   [EQ_KAPPA_MINUS] = {"rho - A", "\\rho - A"}},
              [EQ_KAPPA_MINUS] = {[EQ_N] = {"mu + X'", "\\mu + X^T"},
                                    [EQ_KAPPA_PLUS] = {"rho - A", "\\rho - A"},
                                    [EQ_KAPPA_MINUS] = {"A", "A"}}},
     .constant = {[EQ_N] = {"g_n - G_nt G_tt^-1 g_t", "g_n - G_{nt}G_{tt}^{-1}g_t"},
                  [EQ_KAPPA_PLUS] = {"-E'G_tt^-1 g_t", "-E^TG_{tt}^{-1}g_t"},
                  [EQ_KAPPA_MINUS] = {"E'G_tt^-1 g_t", "E^TG_{tt}^{-1}g_t"}}},
};
// clang-format on

const char* ut_equations_notation(int k)
{
    return k >= 0 && (size_t)k < sizeof notations / sizeof *notations ? notations[k].name : NULL;
}

const EqNotation* ut_eq_find_notation(const char* name)
{
    for (size_t k = 0; k < sizeof notations / sizeof *notations; k++) {
        if (strcmp(name, notations[k].name) == 0) {
            return &notations[k];
        }
    }
    return NULL;
}
