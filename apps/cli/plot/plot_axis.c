// SPDX-License-Identifier: Apache-2.0
// Axes: ranges, ticks at 1, 2 or 5 times a power of ten, and the names of columns.
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers ------------------------------------------------------------------------------------

bool plot_numbers_add(PlotNumbers* numbers, double value)
{
    if (numbers->count == numbers->room) {
        const size_t room = numbers->room > 0 ? 2 * numbers->room : 256;
        double* larger =
            room <= SIZE_MAX / sizeof(double) ? realloc(numbers->at, room * sizeof(double)) : NULL;
        if (larger == NULL) {
            return false;
        }
        numbers->at = larger;
        numbers->room = room;
    }
    numbers->at[numbers->count++] = value;
    return true;
}

void plot_numbers_free(PlotNumbers* numbers)
{
    free(numbers->at);
    *numbers = (PlotNumbers){0};
}

// ---- kinds --------------------------------------------------------------------------------------

static const PlotKind state_kinds[] = {
    {"time", "time", "time", "s", .alone = true},
    {"energy", "energy", "energy", "J", .alone = true},
    {"contacts", "contacts", "contacts", "", .alone = true},
    {"dt", "step", "time", "s", .alone = true},
    {"steps", "steps", "steps", "", .alone = true},
    {"mu", "friction coefficient", "coefficient", "1", .alone = true},
    {"E", "E", "residual", "1", .alone = true, .logarithmic = true},
    {"ox", "x of frames", "position", "m", .impulse = false},
    {"oy", "y of frames", "position", "m", .impulse = false},
    {"oz", "z of frames", "position", "m", .impulse = false},
    {"x", "x", "position", "m", .impulse = false},
    {"y", "y", "position", "m", .impulse = false},
    {"z", "z", "position", "m", .impulse = false},
    {"qw", "qw", "orientation", "1", .impulse = false},
    {"qx", "qx", "orientation", "1", .impulse = false},
    {"qy", "qy", "orientation", "1", .impulse = false},
    {"qz", "qz", "orientation", "1", .impulse = false},
    {"vx", "vx", "velocity", "m/s", .impulse = false},
    {"vy", "vy", "velocity", "m/s", .impulse = false},
    {"vz", "vz", "velocity", "m/s", .impulse = false},
    {"wx", "\u03C9x", "angular velocity", "rad/s", .impulse = false},
    {"wy", "\u03C9y", "angular velocity", "rad/s", .impulse = false},
    {"wz", "\u03C9z", "angular velocity", "rad/s", .impulse = false},
    {"q", "joint position", "joint position", "rad or m", .impulse = false},
    {"qd", "joint velocity", "joint velocity", "rad/s or m/s", .impulse = false},
};

static const PlotKind contact_kinds[] = {
    {"pn", "normal impulse", "impulse", "N\u00B7s", .impulse = true},
    {"pn-impact", "collision impulse", "impulse", "N\u00B7s", .impulse = true, .of = "pn",
     .impacts = true},
    {"pn-step", "step impulse", "impulse", "N\u00B7s", .impulse = true, .of = "pn"},
    {"px", "impulse along x", "impulse", "N\u00B7s", .impulse = true},
    {"py", "impulse along y", "impulse", "N\u00B7s", .impulse = true},
    {"pz", "impulse along z", "impulse", "N\u00B7s", .impulse = true},
    {"state", "state", "state", "", .band = true},
    {"gap", "gap", "gap", "m", .impulse = false},
    {"slip", "slip speed", "velocity", "m/s", .impulse = false},
    {"fn", "normal force", "force", "N", .impulse = true, .of = "fn"},
    {"fx", "force along x", "force", "N", .impulse = true, .of = "fx"},
    {"fy", "force along y", "force", "N", .impulse = true, .of = "fy"},
    {"fz", "force along z", "force", "N", .impulse = true, .of = "fz"},
    {"e", "error", "velocity", "m/s", .logarithmic = true},
    {"x", "x of contacts", "position", "m", .impulse = false},
    {"y", "y of contacts", "position", "m", .impulse = false},
    {"z", "z of contacts", "position", "m", .impulse = false},
    {"nx", "normal along x", "normal", "1", .impulse = false},
    {"ny", "normal along y", "normal", "1", .impulse = false},
    {"nz", "normal along z", "normal", "1", .impulse = false},
};

enum {
    STATE_KINDS = sizeof state_kinds / sizeof *state_kinds,
    CONTACT_KINDS = sizeof contact_kinds / sizeof *contact_kinds,
};

const PlotKind* plot_state_kind(const char* column)
{
    static const PlotKind unknown = {"", "", "", "", .impulse = false};
    const char* dot = strrchr(column, '.');
    const char* tail = dot != NULL ? dot + 1 : column;
    const size_t size = strcspn(tail, "["); // joint0.q[2]
    for (int k = 0; k < STATE_KINDS; k++) {
        const PlotKind* kind = &state_kinds[k];
        if (kind->alone == (dot == NULL) && strlen(kind->column) == size &&
            strncmp(tail, kind->column, size) == 0) {
            return kind;
        }
    }
    // names of other tables may tell their unit: wall_s
    static const PlotKind seconds = {"", "time", "time", "s", .alone = true};
    const size_t length = strlen(column);
    return length > 2 && strcmp(column + length - 2, "_s") == 0 ? &seconds : &unknown;
}

const PlotKind* plot_contact_kind(const char* column)
{
    for (int k = 0; k < CONTACT_KINDS; k++) {
        if (strcmp(column, contact_kinds[k].column) == 0) {
            return &contact_kinds[k];
        }
    }
    return NULL;
}

// ---- ranges and ticks ---------------------------------------------------------------------------

bool plot_is_drawn(double value)
{
    return fabs(value) <= 1e150;
}

// The smallest of 1, 2, 5 times a power of ten that is not below x. @param power receives the exponent
static double nice_step(double x, int* power)
{
    *power = (int)floor(log10(x) + 1e-9);
    const double ten = pow(10.0, *power);
    const double rest = x / ten - 1e-9;
    if (rest <= 1.0) {
        return ten;
    }
    if (rest <= 2.0) {
        return 2.0 * ten;
    }
    if (rest <= 5.0) {
        return 5.0 * ten;
    }
    (*power)++;
    return 10.0 * ten;
}

// Choose the scale: 1 for numbers from 0.01 to 100 000, otherwise a power of 1000.
static void set_scale(PlotAxis* axis, double size)
{
    axis->exponent = 0;
    if (size > 1e-150 && !(size >= 1e-2 && size < 1e5)) {
        axis->exponent = 3 * (int)floor(log10(size) / 3.0 + 1e-9);
    }
    axis->scale = pow(10.0, axis->exponent);
    axis->lo /= axis->scale;
    axis->hi /= axis->scale;
}

PlotAxis plot_axis(double lo, double hi, double margin, double ticks, bool whole)
{
    PlotAxis axis = {.lo = lo, .hi = hi};
    const double size = fmax(fabs(lo), fabs(hi));
    set_scale(&axis, size);

    // differences too small for tick labels are drawn as a horizontal line
    const double least = 1e-9 * size / axis.scale;
    if (!(axis.hi - axis.lo > least) || !(size > 1e-150)) {
        const double middle = size > 1e-150 ? 0.5 * (axis.lo + axis.hi) : 0.0;
        const double half = middle != 0.0 && !whole ? 0.1 * fabs(middle) : 1.0;
        axis.lo = middle - half;
        axis.hi = middle + half;
    } else {
        const double added = margin * (axis.hi - axis.lo);
        axis.lo -= added;
        axis.hi += added;
    }

    int power;
    axis.step = nice_step((axis.hi - axis.lo) / fmax(ticks, 1.0), &power);
    if (whole && axis.step * axis.scale < 1.0) {
        axis.step = 1.0 / axis.scale;
        power = -axis.exponent;
    }
    axis.decimals = power < 0 ? -power : 0;
    axis.first = llround(ceil(axis.lo / axis.step - 1e-9));
    axis.last = llround(floor(axis.hi / axis.step + 1e-9));
    return axis;
}

void plot_power_text(int exponent, char* room, size_t size)
{
    static const char* const digits[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", exponent < 0 ? -exponent : exponent);
    size_t n = (size_t)snprintf(room, size, "10%s", exponent < 0 ? "\u207B" : "");
    for (const char* c = plain; *c != 0 && n + 4 < size; c++) {
        n += (size_t)snprintf(room + n, size - n, "%s", digits[*c - '0']);
    }
}

PlotAxis plot_logarithmic_axis(double lo, double hi, double ticks)
{
    const double below = floor(lo + 1e-9);
    const double above = fmax(ceil(hi - 1e-9), below + 1.0);
    PlotAxis axis = plot_axis(below, above, 0.0, ticks, true);
    axis.logarithmic = true;
    return axis;
}

void plot_take_logarithms(PlotPanel* panel, bool asked)
{
    bool kinds = true;
    bool any = false;
    for (int k = 0; k < panel->curves; k++) {
        const PlotCurve* c = &panel->curve[k];
        kinds = kinds && c->kind->logarithmic;
        for (size_t i = 0; i < c->y.count; i++) {
            any = any || (c->y.at[i] > 0.0 && plot_is_drawn(c->x.at[i]));
        }
    }
    panel->logarithmic = any && (kinds || asked);
    for (int k = 0; k < panel->curves && panel->logarithmic; k++) {
        PlotNumbers* y = &panel->curve[k].y;
        for (size_t i = 0; i < y->count; i++) {
            y->at[i] = y->at[i] > 0.0 ? log10(y->at[i]) : (double)NAN;
        }
    }
}

void plot_take_logarithms_of_x(PlotPanel* panel)
{
    for (int k = 0; k < panel->curves; k++) {
        PlotNumbers* x = &panel->curve[k].x;
        for (size_t i = 0; i < x->count; i++) {
            x->at[i] = x->at[i] > 0.0 ? log10(x->at[i]) : (double)NAN;
        }
    }
}

bool plot_is_band(const PlotPanel* panel)
{
    bool band = panel->curves > 0;
    for (int k = 0; k < panel->curves; k++) {
        band = band && panel->curve[k].kind->band;
    }
    return band;
}

void plot_tick_text(const PlotAxis* axis, long long tick, char* room)
{
    if (axis->logarithmic) {
        plot_power_text((int)llround((double)tick * axis->step), room, PLOT_TICK_ROOM);
        return;
    }
    const double value = (double)tick * axis->step;
    snprintf(room, PLOT_TICK_ROOM, "%s%.*f", tick < 0 ? "\u2212" : "", axis->decimals, fabs(value));
}
