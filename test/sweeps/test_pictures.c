// SPDX-License-Identifier: Apache-2.0
// Pictures of tables: where things are in the SVG, by hand from the measures in apps/cli/plot/table_plot.c.
// A picture of 800 x 460 without title has its frame from x = 78 to 800 - 24 and from y = 24 to 460 - 52.
#include "sweeps.h"

#ifndef __EMSCRIPTEN__

#include <string.h>

static const char table[] = "job,x,y,z\n0,0,0,1\n1,1,0,2\n2,0,1,3\n3,1,1,nan\n";

static bool draw(const char* options)
{
    if (!sweeps_begin()) {
        return false;
    }
    sweeps_write("t.csv", table);
    return CHECK_INT(sweeps_run("$U plot t.csv %s -o -", options), 0);
}

static bool has(const char* part)
{
    return strstr(sweeps_out, part) != NULL;
}

// Cells reach from -0.5 to 1.5 in both directions; the frame has 92 px less for the bar of colours. The
// smallest of 64 colours is at (0, 0), the largest at (0, 1), and (1, 1) has no number.
TEST(a_heat_map_has_a_cell_per_pair_of_values)
{
    if (draw("--heat x,y,z --over t")) {
        CHECK(has("M78 408V216H381V408z")); // (0, 0): half of 78 ... 684, lower half of 24 ... 408
        CHECK(has("fill=\"#e4e4e4\" d=\"M381 216V24H684V216z")); // (1, 1)
        CHECK(has("d=\"M78 408L684 24\""));                      // y = x from corner to corner
    }
}

// y is 0 twice and 1 twice over z; the mean of z over x = 0 is 2, from 1 to 3.
TEST(a_response_curve_is_the_mean_within_its_band)
{
    if (draw("--response x,z")) {
        // z from 1 - 0.08 to 3 + 0.08: 384 px for 2.16
        CHECK(has(
            "d=\"M78 38.22L776 216L776 216L78 393.78Z\"")); // the band: 3 and 2, back by 2 and 1
        CHECK(has("d=\"M78 216L776 216\""));                // the mean: 2 and 2
    }
}

// Three numbers, 1, 2 and 3, in 30 intervals of 2/30: heights of 1 of 1.05.
TEST(a_histogram_counts_rows)
{
    if (draw("--histogram z")) {
        int bars = 0;
        for (const char* at = sweeps_out; (at = strstr(at, "height=\"365.71\"")) != NULL; at++) {
            bars++; // 384 / 1.05
        }
        CHECK_INT(bars, 3);
    }
}

// A row with nan is left out; axes are at x = 78, 78 + 658/2 and 736.
TEST(parallel_coordinates_have_a_line_per_complete_row)
{
    if (draw("--parallel x,y,z")) {
        CHECK(has("d=\"M78 408L407 408L736 408\""));
        CHECK(has("d=\"M78 24L407 408L736 216\""));
        CHECK(has("d=\"M78 408L407 24L736 24\""));
        CHECK(!has("M78 24L407 24"));
    }
}

TEST(pictures_of_tables_that_cannot_be_drawn_are_errors)
{
    static const struct {
        const char* options;
        int code;
        const char* message;
    } cases[] = {
        {"--heat x,y", 1, "--heat needs three columns"},
        {"--heat x,y,w", 1, "there is no column 'w'"},
        {"--response x", 1, "--response needs two or three columns"},
        {"--histogram x,y", 1, "--histogram needs one column"},
        {"--parallel x", 1, "--parallel needs at least two columns"},
        {"--parallel x,,y", 1, "is no list of up to 16 columns"},
        {"--heat x,y,z --over 3*", 1, "is no expression in t"},
        {"--over t", 2, "--over needs --heat"},
        {"--histogram x --column y", 2, "pictures of their own"},
    };
    if (!sweeps_begin()) {
        return;
    }
    sweeps_write("t.csv", table);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_INT(sweeps_run("$U plot t.csv %s -o never.svg", cases[k].options), cases[k].code);
        if (!CHECK(strstr(sweeps_err, cases[k].message) != NULL)) {
            test_note("%s: %.200s", cases[k].options, sweeps_err);
        }
        CHECK_INT(sweeps_run("test ! -e never.svg"), 0);
    }
}

#endif
