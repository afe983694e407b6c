// SPDX-License-Identifier: Apache-2.0
// Curves over time as a picture: panels one above the other, axes, legends.
#ifndef UPTACK_CLI_PLOT_H
#define UPTACK_CLI_PLOT_H

#include "svg.h"

/// Numbers that grow in number.
typedef struct PlotNumbers {
    double* at; ///< to be given to plot_numbers_free
    size_t count;
    size_t room;
} PlotNumbers;

/// @return false when there is no memory
bool plot_numbers_add(PlotNumbers* numbers, double value);
void plot_numbers_free(PlotNumbers* numbers);

/// What a column holds.
typedef struct PlotKind {
    const char* column; ///< "vx"
    const char* name;   ///< on the axis when all curves are of this kind
    const char* group;  ///< on the axis when all curves are of this group
    const char* unit;   ///< "" for a pure number
    bool impulse;       ///< 0 where there is no contact, and the axis shows 0
    const char* of;     ///< the column of contacts that it is read from; NULL: the same
    bool impacts;       ///< of `of`: contacts that bounced, or all others
    bool alone;         ///< a column of states that belongs to no body or joint
    bool logarithmic;   ///< drawn over powers of ten
} PlotKind;

/// Of a column of states, "box.vx" for instance. @return one without names and unit when unknown
const PlotKind* plot_state_kind(const char* column);

/// Of a column of contacts. @return NULL when it has no numbers or is unknown
const PlotKind* plot_contact_kind(const char* column);

/// One curve. Where x or y is not finite there is a gap.
typedef struct PlotCurve {
    char* name;        ///< in the legend
    const char* label; ///< of its recording, with which the name then begins; NULL: it does not
    const PlotKind* kind;
    PlotNumbers x;
    PlotNumbers y;
} PlotCurve;

typedef struct PlotPanel {
    const char* title; ///< NULL: none
    int curves;
    PlotCurve* curve;
    bool logarithmic; ///< y of all curves are logarithms, plot_take_logarithms made them
} PlotPanel;

/// Draw a panel over powers of ten, where all its curves are of such a kind or it is asked for, and
/// any number is above 0; numbers that are not become gaps.
void plot_take_logarithms(PlotPanel* panel, bool asked);

typedef struct PlotFigure {
    const char* title; ///< NULL: none
    const char* x_name;
    const char* x_unit;
    bool whole_x;  ///< x counts something: ticks at whole numbers only
    double width;  ///< px
    double height; ///< px; 0: as high as the panels need
    int panels;
    PlotPanel* panel;
} PlotFigure;

/// Draw it. @return the height that is needed when figure->height is too little, else 0; nothing is
/// drawn then
double plot_draw(const PlotFigure* figure, Svg* svg);

// ---- axes ---------------------------------------------------------------------------------------

/// From where to where, and where the ticks are. All in units of `scale`.
typedef struct PlotAxis {
    double lo, hi;
    double scale;    ///< a power of 1000, or 1
    int exponent;    ///< of 10 in the scale
    double step;     ///< between ticks: 1, 2 or 5 times a power of 10
    int decimals;    ///< that the ticks need
    long long first; ///< ticks are at first ... last times step
    long long last;
    bool logarithmic; ///< ticks stand for powers of ten
} PlotAxis;

/// Is this drawn, rather than a gap? Numbers beyond 1e150 are not, so that ranges stay finite.
bool plot_is_drawn(double value);

/// An axis for these numbers. @param ticks about how many @param margin of the range at each end
PlotAxis plot_axis(double lo, double hi, double margin, double ticks, bool whole);

/// An axis for logarithms: from a whole power of ten to another.
PlotAxis plot_logarithmic_axis(double lo, double hi, double ticks);

enum { PLOT_TICK_ROOM = 64 };

/// 10 to a power, in superscript digits.
void plot_power_text(int exponent, char* room, size_t size);

/// What stands at a tick. @param room PLOT_TICK_ROOM bytes
void plot_tick_text(const PlotAxis* axis, long long tick, char* room);

#endif
