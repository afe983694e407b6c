// SPDX-License-Identifier: Apache-2.0
// Shared by the files of `uptack compare`: options, cases and their figures.
//
// A case is a formulation with a solver, a polygon, a rho and a step length. All cases step side by side: after each
// step of the reference every case is at the same time and is compared with the reference. With --halve a case takes
// 2^k short steps per step.
#ifndef UPTACK_CLI_COMPARE_H
#define UPTACK_CLI_COMPARE_H

#include "plot/plot.h"
#include "start.h"

#include <uptack/record.h>

enum { COMPARE_SWEEP = 16, COMPARE_REASON = 600 };

/// Values of a sweep.
typedef struct CompareSweep {
    int count; ///< 0: the model's value only
    double at[COMPARE_SWEEP];
} CompareSweep;

typedef struct CompareOptions {
    CliStart start;
    unsigned formulations; ///< bit set of utFormulation; 0: all
    const char* against;   ///< reference: a formulation or a recording; NULL: coulomb
    bool solvers;          ///< every solver of each formulation
    bool one_step;
    int step;       ///< one step: number of steps of the reference before it
    int halve;      ///< number of times that the step is halved
    bool bracketed; ///< friction bracket
    double bracket; ///< relative width at which both sides agree
    CompareSweep directions;
    CompareSweep rho;
    double apart; ///< m and m/s: bodies with a larger difference are apart
    double time;  ///< s; negative: the model's
    const char* csv;
    const char* out;
    bool json;
} CompareOptions;

typedef enum CompareEnd {
    COMPARE_RAN,     ///< took all steps, or all steps until Ctrl-C
    COMPARE_REFUSED, ///< the formulation, or the formulation with this solver, rejects the model
    COMPARE_STOPPED, ///< a step is not certified and was not taken
} CompareEnd;

/// Differences between a body of a case and the same body of the reference.
typedef struct CompareDifference {
    double position, position_squares; ///< of centres of mass: largest, m, and sum of squares
    double velocity, velocity_squares; ///< of the same: m/s
    double turn;                       ///< largest angle between the orientations, rad
    double spin;                       ///< largest difference of angular velocities, rad/s
    double end;                        ///< distance at the last comparison, m
    double end_velocity;               ///< difference at the last comparison, m/s
    long long first_apart;             ///< the first step apart; 0: never
} CompareDifference;

/// A contact of a case's last step.
typedef struct CompareContact {
    int geom1, geom2;
    uint64_t feature;
    int order; ///< index in the report
    utContactState state;
    double mu;
    double r[3]; ///< N s, in the contact's frame
    double u[3]; ///< m/s
} CompareContact;

typedef struct CompareContacts {
    int count, room;
    int directions;     ///< as in utStepReport
    CompareContact* at; ///< ordered by pair and feature, one per feature
} CompareContacts;

/// Stick/slip verdicts, contact by contact and step by step.
typedef struct CompareVerdicts {
    long long count[UT_CONTACT_STATE_COUNT];
    long long different;       ///< contacts of steps in which the reference has another state
    long long first_different; ///< the first such step; 0: none
} CompareVerdicts;

/// The system of a step: the first one with the most contacts.
typedef struct CompareSystem {
    bool known;
    long long step;   ///< its number, from 1
    int rows, rank;   ///< of the Jacobian of contacts, limits and equalities
    int unknowns;     ///< of the LCP; 0: no LCP
    int lcp_rank;     ///< of its matrix
    double condition; ///< largest over smallest singular value within the rank
} CompareSystem;

typedef struct CompareCase {
    utFormulation formulation;
    const char* solver; ///< NULL: the model's
    int directions;     ///< 0: the model's
    double rho;         ///< kg; negative: the model's
    int halvings;
    const CliModel* loaded;
    CliStart start;
    utSim* sim; ///< NULL when refused

    CompareEnd end;
    char reason[COMPARE_REASON]; ///< of REFUSED and STOPPED

    // steps
    long long steps, flagged;
    long long unsolved; ///< not certified
    double max_E, sum_E;
    double max_model_gap;
    long long model_gap_step;
    int max_contacts;
    long long factorizations;
    double wall; ///< s, in steps
    double energy_start, energy_end;
    utEnergyLedger ledger;
    utIntegrator integrator;
    CompareVerdicts verdicts;
    CompareSystem system;
    int system_contacts; ///< contacts of `system`; -1: no system was measured

    // compared with the reference
    utBodyState* first;                   ///< nbody: at the start
    utBodyState* now;                     ///< nbody
    CompareDifference* body;              ///< nbody
    CompareContacts contacts;             ///< of the last step
    long long compared;                   ///< number of comparisons
    PlotNumbers time, position, velocity; ///< differences after each step, for the picture
} CompareCase;

/// States of a recording, in order of time.
typedef struct CompareRecording {
    bool used;
    utFormulation formulation; ///< of the run that was recorded
    bool formulation_known;
    PlotNumbers time;
    PlotNumbers* column; ///< 13 per body but the world
    int columns;
    size_t at; ///< next row
    utBodyState* now;
} CompareRecording;

typedef struct Compare {
    CompareOptions* options;
    int models;
    CliModel model[COMPARE_SWEEP + 1]; ///< [0] as given, then one per rho
    int cases;
    int room;
    CompareCase* item;
    int reference; ///< index of the reference; -1: a recording
    CompareRecording recording;
    int keyframe;
    char note[COMPARE_REASON]; ///< about the choice of the reference; "" for none
    double dt;                 ///< s, before halving
    double begin;              ///< time at which the comparison begins, s
    long long planned, done;   ///< steps of length dt
    int signal;                ///< that ended the comparison early; 0 for none
} Compare;

// ---- cases --------------------------------------------------------------------------------------

/// Load the models of all values of rho. @param c pass it to compare_close, also after a failure
utStatus compare_open(CompareOptions* o, Compare* c, utError* err);
void compare_close(Compare* c);

/// Are two names of solvers, or NULL for none, the same?
bool compare_same_name(const char* a, const char* b);

/// Add a case. @return NULL when there is no memory; pointers to earlier cases are then invalid
CompareCase* compare_add(Compare* c, utFormulation formulation, const char* solver, int directions,
                         double rho, int halvings);

/// Add all cases of the command line, the reference first.
utStatus compare_add_all(Compare* c, utError* err);

/// Remove all cases, to run others on the same models.
void compare_clear(Compare* c);

/// "peiret 16 edges rho 0.1 h/4 lemke", without settings that no option varies.
void compare_label(const Compare* c, const CompareCase* item, char* text, size_t size);

/// The settings that a case uses.
const char* compare_solver(const CompareCase* item);
int compare_directions(const CompareCase* item);
double compare_rho(const CompareCase* item);
bool compare_is_polygon(const CompareCase* item);

// ---- running ------------------------------------------------------------------------------------

/// Step all cases side by side. A refused case is no error.
/// @param what for the line of progress; "" for none
utStatus compare_run(Compare* c, const char* what, utError* err);

/// Count a step of a case. @param wall time that it took, s
bool compare_count(CompareCase* item, const utStepResult* result, double wall);

/// Compare a case with the reference after a step.
/// @param reference  nbody states of the reference
/// @param contacts   of its last step; NULL: not known
bool compare_difference(const Compare* c, CompareCase* item, const utBodyState* reference,
                        const CompareContacts* contacts);

/// Measure the system of a case's next step, if it has more rows than the one measured before.
void compare_measure(CompareCase* item, const utInput* input);

/// The slip variable lambda of the polygon's LCP, h_P(-u_t), m/s; the slip speed for a circle.
double compare_lambda(const CompareCase* item, const CompareContact* contact);

/// Largest of a figure over all bodies.
CompareDifference compare_largest(const CompareCase* item);

/// Root mean square of a sum of squares over all comparisons.
double compare_rms(const CompareCase* item, double squares);

/// Read a recording of the same bodies.
utStatus compare_read(const char* path, const utModel* model, CompareRecording* recording,
                      utError* err);

/// Find the state at a time. @return NULL: the recording has no state there
const utBodyState* compare_recorded(Compare* c, double time);
void compare_recording_close(CompareRecording* recording);

/// Call `tell` with each property of a case, besides its law of friction, that differs from the
/// reference and may explain a difference.
void compare_confounders(const Compare* c, const CompareCase* item,
                         void (*tell)(void* context, const char* text), void* context);

// ---- convergence and bracket --------------------------------------------------------------------

/// Largest distance between bodies of two cases at the end, m.
double compare_apart(const CompareCase* a, const CompareCase* b);

/// The case with the step halved once more; NULL: there is none, or one of both did not finish.
const CompareCase* compare_halved(const Compare* c, const CompareCase* item);

/// Observed order of convergence: log2 of the ratio of successive distances; NaN: not known.
double compare_order(const Compare* c, const CompareCase* item);

/// One polygon of the bracket: both sides, and the circular cone.
typedef struct CompareLevel {
    int edges;
    bool ran;                    ///< all three took every step
    char reason[COMPARE_REASON]; ///< why not
    double low, high;       ///< friction that the polygons allow in their worst direction, over mu
    double width;           ///< difference between both sides over the scale
    double inside, outside; ///< differences between each side and the circular cone, over the scale
    double moved[3];        ///< largest path of a body: inscribed, circle, circumscribed, m or m/s
    long long verdicts;     ///< stick/slip verdicts that differ between both sides
} CompareLevel;

enum { COMPARE_LEVELS = COMPARE_SWEEP };

typedef struct CompareBracket {
    int levels;
    CompareLevel level[COMPARE_LEVELS];
    bool agree;
    double scale; ///< m, or m/s for one step: largest motion of a body under the circular cone
} CompareBracket;

utStatus compare_bracket(Compare* c, CompareBracket* bracket, utError* err);

// ---- output -------------------------------------------------------------------------------------

void compare_print_text(const Compare* c, const CompareBracket* bracket);
void compare_print_json(const Compare* c, const CompareBracket* bracket);
utStatus compare_write_csv(const Compare* c, const char* path, utError* err);
utStatus compare_draw(const Compare* c, const CompareBracket* bracket, utError* err);

/// "ran", "refused" or "stopped".
const char* compare_end_name(CompareEnd end);

#endif
