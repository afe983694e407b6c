// SPDX-License-Identifier: Apache-2.0
/// @file equations.h
/// One step of a simulation as the equations of a paper: the system in the paper's order, letters, signs
/// and units, with names on every row, its solution, rank and condition, as text, JSON, TeX or an LCP.
/// Part of the library uptack_problems. `uptack dump` prints the same texts (docs/equations.md).
///
///     utEquationsDef def = ut_equations_def("dart");
///     utEquations* system = NULL;
///     utText json;
///     if (ut_equations_create(sim, NULL, &def, &system, &err) == UT_OK &&
///         ut_equations_write(system, UT_EQUATIONS_JSON, &keep, &json) == UT_OK)
///         fwrite(json.data, 1, json.size, stdout);
///     ut_equations_destroy(system);
///
/// Several threads may call these functions at once as long as each has its own sim, system and arena.
#ifndef UPTACK_EQUATIONS_H
#define UPTACK_EQUATIONS_H

#include <uptack/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The systems by name:
///
///     berard                     Berard's mixed problem, Eq. 34, and its examples, Eq. 46 to 88
///     dart, dart-full            Tan, Siu and Liu: the standard LCP, Eq. 14, and Eq. 12
///     igms                       Son, Trinkle and Amato: the LCP block of section 3.3
///     pfrommer                   Pfrommer: the case that applies, of the next three
///     pfrommer-falling, pfrommer-forward, pfrommer-bidirectional
///     peiret, peiret-lcp         Peiret, Kovecses and Font-Llagunes: Eq. 8, and without vdot and lambda_t
///
/// @param k from 0 @return the k-th name, NULL beyond the last one
UT_API const char* ut_equations_notation(int k);

/// The coordinates in which a paper's blocks are as printed, for utLoadDef.coordinates. With others the
/// blocks have another shape.
/// @return a utCoordinates; -1: those of the model's options, or no such notation
UT_API int ut_equations_coordinates(const char* notation);

typedef struct utEquationsDef {
    const char* notation; ///< a name of ut_equations_notation
    utSimDef sim; ///< the settings of the run, default ut_sim_def(). The step takes its directions,
                  ///< tolerance and, with the same formulation, solver
    int step;     ///< number of the step in its run, which the output names, default 1
    const char* model; ///< name of a model that has none itself, default "model"; copied
    double rho;        ///< peiret: phantom inertia, kg; default -1: by rule
    bool ranks;      ///< also the ranks of blocks, and of systems above 200 unknowns, default false
    uint32_t cookie; ///< set by ut_equations_def()
} utEquationsDef;

#define UT_EQUATIONS_DEF_COOKIE UT_COOKIE(32, 1) ///< value of utEquationsDef.cookie

UT_API utEquationsDef ut_equations_def(const char* notation);

typedef struct utEquations utEquations;

/// Write the next step of a sim as a system. The step itself is taken by another sim, with the paper's
/// formulation, explicit Euler and no restitution.
/// @param before in the state before the step; unchanged, and not needed afterwards. Its model must outlive
///               the system
/// @param input  of the step; NULL: no controls and forces
/// @param system on success, pass it to ut_equations_destroy
/// @return UT_ERR_ARGUMENT for an unknown notation, an invalid setting, and "NOTATION does not apply:
///         REASON"; UT_ERR_DEF; UT_ERR_MEMORY
UT_API utStatus ut_equations_create(const utSim* before, const utInput* input,
                                    const utEquationsDef* def, utEquations** system, utError* err);
UT_API void ut_equations_destroy(utEquations* system);

/// Is the system solved, by the step's own impulses or by an LCP solver?
UT_API bool ut_equations_solved(const utEquations* system);

typedef enum utEquationsFormat {
    UT_EQUATIONS_TEXT, ///< up to 110 columns, numbers with six digits
    UT_EQUATIONS_JSON, ///< full precision: parts, blocks, A, b, solution with their names
    UT_EQUATIONS_TEX,  ///< a LaTeX document
    UT_EQUATIONS_LCP,  ///< the LCP for ut_lcp_read, as JSON
    UT_EQUATIONS_FORMAT_COUNT
} utEquationsFormat;

/// Write the system.
/// @param text receives memory of `keep`, with a 0 byte behind it
/// @return UT_ERR_ARGUMENT for an unknown format, UT_ERR_CAPACITY
UT_API utStatus ut_equations_write(const utEquations* system, utEquationsFormat format,
                                   utArena* keep, utText* text);

#ifdef __cplusplus
}
#endif

#endif
