// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `uptack dump`: the options, a step, and its system in a paper's notation.
#ifndef UPTACK_CLI_DUMP_H
#define UPTACK_CLI_DUMP_H

#include "start.h"

#include <uptack/blocks.h>
#include <uptack/notation.h>

enum { DUMP_NAME = 96, DUMP_PARTS = 6, DUMP_BLOCKS = 16, DUMP_READINGS = 16 };

// ---- notations ----------------------------------------------------------------------------------

/// Kinds of unknowns, of all papers, and of their rows.
typedef enum DumpKind {
    DUMP_V,           ///< velocities, or accelerations
    DUMP_B,           ///< joint rows
    DUMP_T,           ///< tangents
    DUMP_N,           ///< normals
    DUMP_F,           ///< friction directions
    DUMP_L,           ///< slip speeds: one per contact with directions
    DUMP_KAPPA_PLUS,  ///< one per line
    DUMP_KAPPA_MINUS, ///< one per line
    DUMP_LINES,       ///< columns of E of Peiret, one per line
    DUMP_ONE,         ///< the only column of a vector
    DUMP_KINDS
} DumpKind;

enum { DUMP_UNKNOWNS = DUMP_LINES /**< kinds that are unknowns */ };

/// A symbol as plain text and in TeX.
typedef struct DumpSymbol {
    const char* text; ///< NULL: none
    const char* tex;
} DumpSymbol;

/// A system of a paper, in symbols. Entries without text are 0.
typedef struct DumpNotation {
    const char* name;  ///< of --eq
    const char* paper; ///< "Berard"
    const char* title;
    utNotation notation;
    utPolyhedralLevel level;
    utFormulation formulation; ///< of the step
    const char* coordinates;   ///< of the paper; NULL: any
    bool slack_right;          ///< A z + b = w instead of w = A z + b
    bool forces;               ///< unknowns of contacts and joints are forces, else impulses
    bool shows_matrix;         ///< the text shows A, because it is not made of the listed blocks
    DumpSymbol unknown[DUMP_UNKNOWNS];
    DumpSymbol slack[DUMP_UNKNOWNS];
    DumpSymbol cell[DUMP_UNKNOWNS][DUMP_UNKNOWNS];
    DumpSymbol constant[DUMP_UNKNOWNS];
} DumpNotation;

/// The notation of a name of --eq. @return NULL when there is none
const DumpNotation* dump_find_notation(const char* name);

/// What decides about a system's equation numbers and readings.
typedef struct DumpTraits {
    bool planar, joints, contacts, friction, pusher, belt, springs;
    bool heavy;               ///< pfrommer: the mass is not 1
    bool slides;              ///< peiret: a contact slides already
    bool impact;              ///< peiret: a contact closes
    bool turning;             ///< joint rows of rotations, which are multiplied by a length
    bool held;                ///< rows with bounds or compliance count as applied forces
    bool scaled, regularized; ///< dart
} DumpTraits;

/// The number of the system's equation, such as "64".
const char* dump_equation(const DumpNotation* notation, const DumpTraits* traits);

/// The number of a block's equation. @param block its plain text, such as "W_b" @return "" for none
const char* dump_block_equation(const DumpNotation* notation, const DumpTraits* traits,
                                const char* block);

/// How the print is read where it is in doubt. @return the number of readings
int dump_list_readings(const DumpNotation* notation, const DumpTraits* traits,
                       const char* reading[DUMP_READINGS]);

// ---- options ------------------------------------------------------------------------------------

typedef enum DumpFormat { DUMP_TEXT, DUMP_JSON, DUMP_TEX } DumpFormat;

typedef struct DumpOptions {
    CliStart start;
    const DumpNotation* notation;
    int step;   ///< number of the step, from 1
    double rho; ///< phantom inertia; negative: by rule
    bool rank;  ///< ranks of all blocks, of systems of any size
    DumpFormat format;
    const char* lcp; ///< file; NULL: none
} DumpOptions;

// ---- a step -------------------------------------------------------------------------------------

/// One step of a sim as a problem without bounds, with the impulses that the step found.
typedef struct DumpStep {
    const utModel* model;
    utSim* before; ///< before the step
    utSim* sim;    ///< after the step
    utStepResult result;
    bool named;        ///< contacts and rows of the problem are those of the report
    utCoulomb problem; ///< without rows that have bounds or compliance
    double* r;         ///< impulses
    int* row;          ///< row of the report of each bilateral row
    bool* turned;      ///< as in utPrintedDef
    double* v;         ///< nv: before the step, with h times the centripetal part
    double* slip;      ///< as in utPolyhedralDef
    int held;          ///< rows whose impulses count as applied forces
    bool impact;       ///< a contact closes at the start
} DumpStep;

/// Simulate the steps before, and take the step of the paper. @param step pass it to dump_free_step
utStatus dump_take_step(DumpOptions* o, const CliModel* loaded, utArena* keep, DumpStep* step,
                        utError* err);
void dump_free_step(DumpStep* step);

// ---- a system -----------------------------------------------------------------------------------

/// Names along one side of a matrix, in groups.
typedef struct DumpAxis {
    int count;
    char (*name)[DUMP_NAME];  ///< "C.x"
    char (*label)[DUMP_NAME]; ///< within its group: "x"
    int groups;
    int* start;               ///< groups + 1
    char (*group)[DUMP_NAME]; ///< "C"
} DumpAxis;

/// Name all axes of a step's system.
utStatus dump_name_axes(const DumpStep* step, const utBlocks* blocks, const utPrinted* printed,
                        utArena* keep, DumpAxis axis[DUMP_KINDS]);

/// A matrix or vector that the paper names.
typedef struct DumpBlock {
    DumpSymbol symbol;
    const char* equation; ///< "" for none
    const char* unit;     ///< of a vector; "" for none
    DumpKind rows, cols;
    bool wide;           ///< the text shows the transpose
    const double* value; ///< rows x cols
} DumpBlock;

typedef struct DumpSystem {
    const DumpOptions* options;
    const DumpNotation* notation;
    const DumpStep* step;
    const char* model; ///< its name
    DumpTraits traits;
    const char* equation;
    DumpAxis axis[DUMP_KINDS];
    utPrinted printed;
    DumpKind kind[DUMP_PARTS]; ///< of the printed parts
    int blocks;
    DumpBlock block[DUMP_BLOCKS];
    int readings;
    const char* reading[DUMP_READINGS];
    double* z;
    double* w;
    double residual;  ///< scaled residual of z
    bool by_step;     ///< z is the step's answer, else that of an LCP solver
    utLcpInfo info;   ///< of the LCP solver
    int rank;         ///< -1: not computed
    double condition; ///< over the range: the largest singular value over the smallest that counts
    int block_rank[DUMP_BLOCKS]; ///< -1: not computed
    int dependents;              ///< rows that depend on the rows above
    int* dependent;
} DumpSystem;

/// Write the system of a step.
utStatus dump_build(const DumpOptions* o, const CliModel* loaded, const DumpStep* step,
                    utArena* keep, DumpSystem* system, utError* err);

/// Is the system solved?
bool dump_is_solved(const DumpSystem* system);

/// The unit of a kind of unknowns, of its rows, and of its impulses or forces (p/h or h f; NULL: none).
const char* dump_unit(const DumpSystem* system, DumpKind kind);
const char* dump_slack_unit(const DumpSystem* system, DumpKind kind);
const char* dump_other_unit(const DumpSystem* system, DumpKind kind);

/// That other quantity is this times the unknown.
double dump_other_factor(const DumpSystem* system);

void dump_print_text(const DumpSystem* system);
void dump_print_json(const DumpSystem* system);
void dump_print_tex(const DumpSystem* system);

/// Write the LCP for uptack lcp.
utStatus dump_write_lcp(const DumpSystem* system, utError* err);

#endif
