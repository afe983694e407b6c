// SPDX-License-Identifier: Apache-2.0
// Shared by the files of equations: the options, a step, its system in a paper's notation, printed text.
#ifndef UPTACK_EQUATIONS_INTERNAL_H
#define UPTACK_EQUATIONS_INTERNAL_H

#include <uptack/blocks.h>
#include <uptack/equations.h>
#include <uptack/json.h>
#include <uptack/notation.h>
#include <uptack/report.h>

enum { EQ_NAME = 96, EQ_PARTS = 6, EQ_BLOCKS = 16, EQ_READINGS = 16 };

// ---- notations ----------------------------------------------------------------------------------

/// Kinds of unknowns, of all papers, and of their rows.
typedef enum EqKind {
    EQ_V,           ///< velocities, or accelerations
    EQ_B,           ///< joint rows
    EQ_T,           ///< tangents
    EQ_N,           ///< normals
    EQ_F,           ///< friction directions
    EQ_L,           ///< slip speeds: one per contact with directions
    EQ_KAPPA_PLUS,  ///< one per line
    EQ_KAPPA_MINUS, ///< one per line
    EQ_LINES,       ///< columns of E of Peiret, one per line
    EQ_ONE,         ///< the only column of a vector
    EQ_KINDS
} EqKind;

enum { EQ_UNKNOWNS = EQ_LINES /**< kinds that are unknowns */ };

/// A symbol as plain text and in TeX.
typedef struct EqSymbol {
    const char* text; ///< NULL: none
    const char* tex;
} EqSymbol;

/// A system of a paper, in symbols. Entries without text are 0.
typedef struct EqNotation {
    const char* name;  ///< of --eq
    const char* paper; ///< "Berard"
    const char* title;
    utNotation notation;
    utPolyhedralLevel level;
    utFormulation formulation; ///< of the step
    int coordinates;           ///< utCoordinates of the paper; -1: any
    bool slack_right;          ///< A z + b = w instead of w = A z + b
    bool forces;               ///< unknowns of contacts and joints are forces, else impulses
    bool shows_matrix;         ///< the text shows A, because it is not made of the listed blocks
    EqSymbol unknown[EQ_UNKNOWNS];
    EqSymbol slack[EQ_UNKNOWNS];
    EqSymbol cell[EQ_UNKNOWNS][EQ_UNKNOWNS];
    EqSymbol constant[EQ_UNKNOWNS];
} EqNotation;

/// The notation of a name of --eq. @return NULL when there is none
const EqNotation* ut_eq_find_notation(const char* name);

/// What decides about a system's equation numbers and readings.
typedef struct EqTraits {
    bool planar, joints, contacts, friction, pusher, belt, springs;
    bool heavy;               ///< pfrommer: the mass is not 1
    bool slides;              ///< peiret: a contact slides already
    bool impact;              ///< peiret: a contact closes
    bool turning;             ///< joint rows of rotations, which are multiplied by a length
    bool held;                ///< rows with bounds or compliance count as applied forces
    bool scaled, regularized; ///< dart
} EqTraits;

/// The number of the system's equation, such as "64".
const char* ut_eq_equation(const EqNotation* notation, const EqTraits* traits);

/// The number of a block's equation. @param block its plain text, such as "W_b" @return "" for none
const char* ut_eq_block_equation(const EqNotation* notation, const EqTraits* traits,
                                 const char* block);

/// How the print is read where it is in doubt. @return the number of readings
int ut_eq_list_readings(const EqNotation* notation, const EqTraits* traits,
                        const char* reading[EQ_READINGS]);

// ---- options ------------------------------------------------------------------------------------

/// A utEquationsDef that was checked.
typedef struct EqOptions {
    const EqNotation* notation;
    utSimDef sim; ///< of the run
    int step;     ///< its number
    const char* model;
    double rho; ///< phantom inertia; negative: by rule
    bool rank;  ///< ranks of all blocks, and of systems of any size
} EqOptions;

// ---- a step -------------------------------------------------------------------------------------

/// One step of a sim as a problem without bounds, with the impulses that the step found.
typedef struct EqStep {
    const utModel* model;
    utFormulation run; ///< formulation of the run
    utSim* sim;        ///< after the step, which has the paper's formulation
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
} EqStep;

/// The formulation of the run.
utFormulation ut_eq_run(const EqOptions* o, const utModel* model);

/// Take the step of the paper. @param step zeros; its sim is destroyed by the caller, also after a failure
utStatus ut_eq_take_step(const EqOptions* o, const utSim* before, const utInput* input,
                         utArena* keep, EqStep* step, utError* err);

// ---- a system -----------------------------------------------------------------------------------

/// Names along one side of a matrix, in groups.
typedef struct EqAxis {
    int count;
    char (*name)[EQ_NAME];  ///< "C.x"
    char (*label)[EQ_NAME]; ///< within its group: "x"
    int groups;
    int* start;             ///< groups + 1
    char (*group)[EQ_NAME]; ///< "C"
} EqAxis;

/// Name all axes of a step's system.
utStatus ut_eq_name_axes(const EqStep* step, const utBlocks* blocks, const utPrinted* printed,
                         utArena* keep, EqAxis axis[EQ_KINDS]);

/// A matrix or vector that the paper names.
typedef struct EqBlock {
    EqSymbol symbol;
    const char* equation; ///< "" for none
    const char* unit;     ///< of a vector; "" for none
    EqKind rows, cols;
    bool wide;           ///< the text shows the transpose
    const double* value; ///< rows x cols
} EqBlock;

typedef struct EqSystem {
    const EqOptions* options;
    const EqNotation* notation;
    const EqStep* step;
    const char* model; ///< its name
    EqTraits traits;
    const char* equation;
    EqAxis axis[EQ_KINDS];
    utPrinted printed;
    EqKind kind[EQ_PARTS]; ///< of the printed parts
    int blocks;
    EqBlock block[EQ_BLOCKS];
    int readings;
    const char* reading[EQ_READINGS];
    double* z;
    double* w;
    double residual;  ///< scaled residual of z
    bool by_step;     ///< z is the step's answer, else that of an LCP solver
    utLcpInfo info;   ///< of the LCP solver
    int rank;         ///< -1: not computed
    double condition; ///< over the range: the largest singular value over the smallest that counts
    int block_rank[EQ_BLOCKS]; ///< -1: not computed
    int dependents;            ///< rows that depend on the rows above
    int* dependent;
} EqSystem;

/// Write the system of a step.
utStatus ut_eq_build(const EqOptions* o, const EqStep* step, utArena* keep, EqSystem* system,
                     utError* err);

/// Is the system solved?
bool ut_eq_is_solved(const EqSystem* system);

/// The unit of a kind of unknowns, of its rows, and of its impulses or forces (p/h or h f; NULL: none).
const char* ut_eq_unit(const EqSystem* system, EqKind kind);
const char* ut_eq_slack_unit(const EqSystem* system, EqKind kind);
const char* ut_eq_other_unit(const EqSystem* system, EqKind kind);

/// That other quantity is this times the unknown.
double ut_eq_other_factor(const EqSystem* system);

// ---- text ---------------------------------------------------------------------------------------

/// Text that grows in an arena.
typedef struct EqOut {
    utArena* keep;
    char* data;
    size_t size, room;
    bool failed; ///< no memory
} EqOut;

/// Append as printf does. @return the number of characters, 0 after a failure
int ut_eq_put(EqOut* out, const char* format, ...) UT_PRINTF(2, 3);

/// A utJsonSink. @param context the EqOut
bool ut_eq_sink(void* context, const char* text, size_t size);

/// A number as text, the same in every locale: as "%.*g" prints it, and as "%.1e".
typedef struct EqNumber {
    char text[UT_NUMBER_SIZE];
} EqNumber;

/// 0 for rounding: in units of SI the numbers of a step have no part below 1e-12.
/// @param most the largest of the numbers beside this one
double ut_eq_rounded(double value, double most);

EqNumber ut_eq_digits(int digits, double value);
EqNumber ut_eq_power(double value);

/// Room for the name of an unnamed object: kind and index for a body or a joint, with the body's name in
/// front for a geom or a site.
typedef struct EqLabel {
    char text[256];
} EqLabel;

/// The name of an object. @return `name`, or kind and index in `room` when it has none
const char* ut_eq_name(const char* name, const char* kind, int index, EqLabel* room);

/// The name of a geom or a site. @param side as in utContact.geom1
const char* ut_eq_side(const utModel* model, int side, EqLabel* room);

/// "out of memory" @return UT_ERR_MEMORY
utStatus ut_eq_no_memory(utError* err);

void ut_eq_print_text(EqOut* out, const EqSystem* system);
void ut_eq_print_tex(EqOut* out, const EqSystem* system);

/// @return false when JSON cannot be written
bool ut_eq_print_json(EqOut* out, const EqSystem* system);
bool ut_eq_print_lcp(EqOut* out, const EqSystem* system);

#endif
