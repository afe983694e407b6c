// SPDX-License-Identifier: Apache-2.0
// Drawing curves: panels one above the other, axes, legends.
#ifndef UPTACK_CLI_PLOT_H
#define UPTACK_CLI_PLOT_H

#include "svg.h"

/// A growing array of numbers.
typedef struct PlotNumbers {
    double* at; ///< the numbers; release them with plot_numbers_free
    size_t count;
    size_t room;
} PlotNumbers;

/// @return false when there is no memory
bool plot_numbers_add(PlotNumbers* numbers, double value);
void plot_numbers_free(PlotNumbers* numbers);

/// Name, unit and style of a column.
typedef struct PlotKind {
    const char* column; ///< "vx"
    const char* name;   ///< label of the axis when all curves are of this kind
    const char* group;  ///< label of the axis when all curves are of this group
    const char* unit;   ///< "" for a pure number
    bool impulse;       ///< 0 without contact; the axis includes 0
    const char* of;     ///< column of contacts that holds the numbers; NULL: `column`
    bool impacts;       ///< with `of`: true for contacts that bounced, false for all others
    bool alone;         ///< a column of states that belongs to no body or joint
    bool logarithmic;   ///< drawn on a logarithmic axis
    bool band;          ///< states of contacts, drawn as a coloured band per curve
} PlotKind;

/// The kind of a column of states such as "box.vx". @return a kind without name and unit if unknown
const PlotKind* plot_state_kind(const char* column);

/// The kind of a column of contacts. @return NULL when it has no numbers or is unknown
const PlotKind* plot_contact_kind(const char* column);

/// One curve. It has a gap where x or y is not finite.
typedef struct PlotCurve {
    char* name;        ///< in the legend
    const char* label; ///< label of its recording, with which `name` begins; NULL: none
    const PlotKind* kind;
    PlotNumbers x;
    PlotNumbers y;
} PlotCurve;

typedef struct PlotPanel {
    const char* title; ///< NULL: none
    int curves;
    PlotCurve* curve;
    bool logarithmic; ///< the y of all curves are decimal logarithms
    bool stems;       ///< a vertical line from 0 to each point
    bool points;      ///< a mark at each point
} PlotPanel;

/// Does the panel show bands of states?
bool plot_is_band(const PlotPanel* panel);

/// Replace the x of all curves by their decimal logarithms; numbers that are not above 0 become gaps.
void plot_take_logarithms_of_x(PlotPanel* panel);

/// Make a panel logarithmic if all its curves are of a logarithmic kind or if it is asked for.
/// Numbers that are not above 0 become gaps. A panel without numbers above 0 stays linear.
void plot_take_logarithms(PlotPanel* panel, bool asked);

typedef struct PlotFigure {
    const char* title; ///< NULL: none
    const char* x_name;
    const char* x_unit;
    bool whole_x;       ///< x is a count: ticks at whole numbers only
    bool logarithmic_x; ///< the x of all curves are decimal logarithms
    bool column_x;      ///< x is a column of states: it gets free space at both ends
    double width;       ///< px
    double height;      ///< px; 0: the height that the panels need
    int panels;
    PlotPanel* panel;
} PlotFigure;

/// Draw a figure.
/// @return 0; when figure->height is too small, the necessary height, and nothing is drawn
double plot_draw(const PlotFigure* figure, Svg* svg);

// ---- axes ---------------------------------------------------------------------------------------

/// Range and ticks of an axis, in units of `scale`.
typedef struct PlotAxis {
    double lo, hi;
    double scale;    ///< a power of 1000, or 1
    int exponent;    ///< scale = 10^exponent
    double step;     ///< between ticks: 1, 2 or 5 times a power of 10
    int decimals;    ///< digits behind the point of tick labels
    long long first; ///< ticks are at first ... last times step
    long long last;
    bool logarithmic; ///< ticks are exponents of ten
} PlotAxis;

/// Is the value drawn? Numbers beyond 1e150 are gaps, so that ranges stay finite.
bool plot_is_drawn(double value);

/// An axis for a range. @param margin fraction of the range added at each end @param ticks about this many
PlotAxis plot_axis(double lo, double hi, double margin, double ticks, bool whole);

/// An axis for logarithms that begins and ends at whole powers of ten.
PlotAxis plot_logarithmic_axis(double lo, double hi, double ticks);

enum { PLOT_TICK_ROOM = 64 };

/// "10" with the exponent in superscript digits.
void plot_power_text(int exponent, char* room, size_t size);

/// The label of a tick. @param room PLOT_TICK_ROOM bytes
void plot_tick_text(const PlotAxis* axis, long long tick, char* room);

#endif
