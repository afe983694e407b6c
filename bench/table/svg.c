// SPDX-License-Identifier: Apache-2.0
// Time against error as a picture: a panel per scene, a point per contender.
#include <math.h>
#include <string.h>

#include "table.h"

enum { PANEL_COLUMNS = 4, WIDTH = 330, HEIGHT = 230, TOP = 96 };

// of the plot within a panel
static const double LEFT = 46.0, RIGHT = 12.0, ABOVE = 30.0, BELOW = 34.0;
// decades of the residual
static const double LOWEST = -11.0, HIGHEST = 1.0;

static const struct {
    const char* engine;
    const char* colour;
} engines[] = {
    {"uptack", "#000000"}, {"ODE", "#d55e00"},          {"Bullet", "#0072b2"},
    {"DART", "#8c6d31"},   {"MuJoCo 2.2.2", "#009e73"}, {"MuJoCo 3", "#66c2a5"},
    {"Jolt", "#cc79a7"},   {"Rapier", "#e0a100"},
};

enum { ENGINES = sizeof engines / sizeof engines[0] };

static const char* colour_of(const char* engine)
{
    for (int i = 0; i < ENGINES; i++) {
        if (strcmp(engines[i].engine, engine) == 0) {
            return engines[i].colour;
        }
    }
    return "#888888";
}

static void text(FILE* out, double x, double y, const char* style, const char* words)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    for (const char* c = words; *c != '\0'; c++) {
        fputs(*c == '<' ? "&lt;" : *c == '&' ? "&amp;" : "", out);
        if (*c != '<' && *c != '&') {
            fputc(*c, out);
        }
    }
    fputs("</text>\n", out);
}

// ---- a panel ------------------------------------------------------------------------------------

typedef struct Panel {
    double x, y;      // of its corner
    double low, high; // decades of the time
    const char* scene;
} Panel;

static double across(const Panel* panel, double seconds)
{
    return panel->x + LEFT +
           (WIDTH - LEFT - RIGHT) * (log10(seconds) - panel->low) / (panel->high - panel->low);
}

static double down(const Panel* panel, double residual)
{
    const double decade = fmin(fmax(log10(fmax(residual, 1e-300)), LOWEST), HIGHEST);
    return panel->y + ABOVE + (HEIGHT - ABOVE - BELOW) * (HIGHEST - decade) / (HIGHEST - LOWEST);
}

static bool is_point(const utJson* row, const char* scene)
{
    return row_is(row, "kind", "run") && row_is(row, "scene", scene) &&
           row_number_of(row, "seconds") > 0.0 && !isnan(row_number_of(row, "residual"));
}

static void set_range(Panel* panel, const Book* book)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < book->count; i++) {
        if (is_point(book->row[i], panel->scene)) {
            const double decade = log10(row_number_of(book->row[i], "seconds"));
            low = fmin(low, decade);
            high = fmax(high, decade);
        }
    }
    panel->low = floor(low - 0.05);
    panel->high = ceil(high + 0.05);
}

static const char* decade_text(int decade, char words[16])
{
    const char* unit = decade < -3 ? "us" : decade < 0 ? "ms" : "s";
    const int zeros = decade < -3 ? decade + 6 : decade < 0 ? decade + 3 : decade;
    snprintf(words, 16, zeros == 2 ? "100 %s" : zeros == 1 ? "10 %s" : "1 %s", unit);
    return words;
}

static void draw_frame(FILE* out, const Panel* panel)
{
    char words[16];
    const double bottom = panel->y + HEIGHT - BELOW, top = panel->y + ABOVE;
    text(out, panel->x + LEFT, panel->y + 20.0, "font-size=\"13\" font-weight=\"bold\"",
         panel->scene);
    for (int d = (int)panel->low; d <= (int)panel->high; d++) {
        const double x = across(panel, pow(10.0, d));
        fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x,
                top, x, bottom);
        text(out, x, bottom + 14.0, "font-size=\"10\" text-anchor=\"middle\" fill=\"#555\"",
             decade_text(d, words));
    }
    for (int d = (int)LOWEST; d <= (int)HIGHEST; d += 3) {
        const double y = down(panel, pow(10.0, d));
        fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                panel->x + LEFT, y, panel->x + WIDTH - RIGHT, y);
        snprintf(words, sizeof words, "1e%d", d);
        text(out, panel->x + LEFT - 4.0, y + 3.0,
             "font-size=\"10\" text-anchor=\"end\" fill=\"#555\"", words);
    }
}

static void draw_point(FILE* out, const Panel* panel, const utJson* row)
{
    const double x = across(panel, row_number_of(row, "seconds"));
    const double y = down(panel, row_number_of(row, "residual"));
    const char* colour = colour_of(row_text_of(row, "engine"));
    const bool usable = row_number_of(row, "usable") > 0.0;
    const char* fill = usable ? colour : "white";
    if (row_is(row, "role", "exact") || row_is(row, "role", "budget")) {
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" fill=\"%s\" "
                "stroke=\"%s\" stroke-width=\"1.6\"",
                x - 5.5, y - 5.5, fill, colour);
    } else {
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" fill-opacity=\"0.85\" "
                "stroke=\"%s\" stroke-width=\"1.6\"",
                x, y, fill, colour);
    }
    fprintf(out, "><title>%s</title></%s>\n", row_text_of(row, "contender"),
            row_is(row, "role", "exact") || row_is(row, "role", "budget") ? "rect" : "circle");
}

// Left of this time the goal is met.
static void draw_goals(FILE* out, const Panel* panel, const Book* book)
{
    const size_t length = strlen(panel->scene);
    for (int i = 0; i < book->count; i++) {
        const utJson* row = book->row[i];
        const char* scene = row_text_of(row, "scene");
        if (!row_is(row, "kind", "line") || strncmp(scene, panel->scene, length) != 0 ||
            (scene[length] != '\0' && scene[length] != ',')) {
            continue;
        }
        const double goal = row_number_of(row, "goal_ratio") * row_number_of(row, "peer_seconds");
        const double x = goal > 0.0 ? across(panel, goal) : 0.0;
        if (x >= panel->x + LEFT && x <= panel->x + WIDTH - RIGHT) {
            fprintf(out,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#555\" "
                    "stroke-dasharray=\"5 3\"/>\n",
                    x, panel->y + ABOVE, x, panel->y + HEIGHT - BELOW);
        }
    }
}

static void draw_panel(FILE* out, const Panel* panel, const Book* book)
{
    draw_frame(out, panel);
    draw_goals(out, panel, book);
    // ours last, on top
    for (int ours = 0; ours < 2; ours++) {
        for (int i = 0; i < book->count; i++) {
            const bool is_ours = row_is(book->row[i], "engine", "uptack");
            if (is_point(book->row[i], panel->scene) && is_ours == (ours == 1)) {
                draw_point(out, panel, book->row[i]);
            }
        }
    }
}

// ---- the picture --------------------------------------------------------------------------------

static void draw_legend(FILE* out)
{
    double x = 20.0;
    text(out, 20.0, 26.0, "font-size=\"18\" font-weight=\"bold\"",
         "Time per step (across) and momentum that no admissible impulse explains (upward, part of "
         "gravity's impulse)");
    text(out, 20.0, 48.0, "font-size=\"13\" fill=\"#333\"",
         "Lower left is better. Filled: the answer is usable; hollow: it is not. Square: uptack "
         "with "
         "its certificate. Dashed: the goal for uptack.");
    for (int i = 0; i < ENGINES; i++) {
        fprintf(out, "<circle cx=\"%.1f\" cy=\"72\" r=\"5\" fill=\"%s\"/>\n", x + 6.0,
                engines[i].colour);
        text(out, x + 16.0, 77.0, "font-size=\"13\"", engines[i].engine);
        x += 40.0 + 8.0 * (double)strlen(engines[i].engine);
    }
}

static bool is_first(const Book* book, int index)
{
    const char* scene = row_text_of(book->row[index], "scene");
    for (int i = 0; i < index; i++) {
        if (is_point(book->row[i], scene)) {
            return false;
        }
    }
    return is_point(book->row[index], scene);
}

void book_svg(FILE* out, const Book* book)
{
    int panels = 0;
    for (int i = 0; i < book->count; i++) {
        panels += is_first(book, i);
    }
    const int rows = (panels + PANEL_COLUMNS - 1) / PANEL_COLUMNS;
    const int width = PANEL_COLUMNS * WIDTH + 10, height = TOP + rows * HEIGHT + 10;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
    draw_legend(out);
    int at = 0;
    for (int i = 0; i < book->count; i++) {
        if (is_first(book, i)) {
            const int column = at % PANEL_COLUMNS, row = at / PANEL_COLUMNS;
            Panel panel = {.x = (double)WIDTH * column,
                           .y = TOP + (double)HEIGHT * row,
                           .scene = row_text_of(book->row[i], "scene")};
            set_range(&panel, book);
            draw_panel(out, &panel, book);
            at++;
        }
    }
    fprintf(out, "</svg>\n");
}
