// SPDX-License-Identifier: Apache-2.0
// uptack plot as a user meets it: what is in the picture and where, by its XML; recordings that
// cannot be drawn.
//
// Positions are by hand from the measures in apps/cli/plot.c. With one panel, no title and one row
// of legend in a picture W wide, the plot reaches from y = 16 + 18 + 8 = 42 down to 42 + 170 = 212,
// and from x = 16 + 22 + 8 + (width of the widest tick) to W - 24. A digit of a tick is taken as
// 0.62 x 11 wide, its point as 0.36 x 11. Coordinates have two decimals: they are off by 0.005.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#if defined(__EMSCRIPTEN__) || !__has_include(<expat.h>)

TEST(the_command_line_for_plots)
{
    test_skip("no program can be started here, or expat's header is missing");
}

#else

#include <dirent.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- running ------------------------------------------------------------------------------------

enum { ROOM = 1 << 20, MAX_PATH = 300 };

static char out[ROOM], err[ROOM], one[ROOM], two[ROOM];
static char folder[] = "/tmp/uptack-plot-XXXXXX";

static void path_of(const char* name, char path[MAX_PATH])
{
    snprintf(path, MAX_PATH, "%s/%s", folder, name);
}

// @param remove them too @return how many files there are
static int files_in_folder(bool remove)
{
    int count = 0;
    DIR* dir = opendir(folder);
    const struct dirent* entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[MAX_PATH];
        path_of(entry->d_name, path);
        if (entry->d_name[0] != '.') {
            count++;
            if (remove) {
                unlink(path);
            }
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return count;
}

static void remove_folder(void)
{
    files_in_folder(true);
    rmdir(folder);
}

static bool get_ready(void)
{
    static bool made;
    if (program() == NULL) {
        return false;
    }
    if (!made) {
        made = mkdtemp(folder) != NULL;
        atexit(remove_folder);
    }
    return CHECK(made);
}

static void save(const char* name, const char* text)
{
    char path[MAX_PATH];
    path_of(name, path);
    FILE* file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void load(const char* name, char text[ROOM])
{
    char path[MAX_PATH];
    path_of(name, path);
    FILE* file = fopen(path, "rb");
    size_t size = 0;
    if (CHECK(file != NULL)) {
        size = fread(text, 1, ROOM - 1, file);
        fclose(file);
    }
    text[size] = 0;
}

// Run in the folder. @return the exit code, or -1
static int run(const char* arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "cd %s && '%s' %s >out 2>err", folder, program(), arguments);
    const int status = system(command);
    load("out", out);
    load("err", err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// ---- the picture as XML -------------------------------------------------------------------------

enum { MAX_TEXTS = 512, MAX_CURVES = 64, MAX_POINTS = 1 << 13 };

typedef struct Text {
    double x, y;
    bool tick_y; // right-aligned, left of a plot
    char text[256];
} Text;

typedef struct Curve {
    char name[256];
    int points, pieces, dots;
    double x[MAX_POINTS], y[MAX_POINTS];
} Curve;

// What was found in a picture.
typedef struct Picture {
    int texts;
    Text text[MAX_TEXTS];
    int curves;
    Curve curve[MAX_CURVES];
    int panels;
    double width, height;
    bool in_curve, in_title, in_text;
} Picture;

static Picture picture;

static const char* find(const char** attributes, const char* name)
{
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return "";
}

// "M1 2L3 4h0": points, pieces, and pieces of one point.
static void read_path(const char* d, Curve* curve)
{
    while (*d != 0) {
        char* end = NULL;
        curve->pieces += *d == 'M';
        curve->dots += *d == 'h';
        if (*d == 'h') {
            d += 2;
            continue;
        }
        if (!CHECK((*d == 'M' || *d == 'L') && curve->points < MAX_POINTS)) {
            return;
        }
        curve->x[curve->points] = strtod(d + 1, &end);
        curve->y[curve->points++] = strtod(end, &end);
        d = end;
    }
}

static void on_start(void* context, const char* name, const char** attributes)
{
    Picture* p = context;
    if (strcmp(name, "svg") == 0) {
        p->width = atof(find(attributes, "width"));
        p->height = atof(find(attributes, "height"));
    }
    if (strcmp(find(attributes, "class"), "curve") == 0 && CHECK(p->curves < MAX_CURVES)) {
        p->in_curve = true;
        p->curves++; // all 0 as yet
    }
    p->panels += strcmp(find(attributes, "class"), "panel") == 0;
    p->in_title = strcmp(name, "title") == 0;
    if (strcmp(name, "path") == 0 && p->in_curve) {
        read_path(find(attributes, "d"), &p->curve[p->curves - 1]);
    }
    p->in_text = strcmp(name, "text") == 0 && CHECK(p->texts < MAX_TEXTS);
    if (p->in_text) {
        Text* text = &p->text[p->texts++];
        *text = (Text){atof(find(attributes, "x")), atof(find(attributes, "y")),
                       strcmp(find(attributes, "text-anchor"), "end") == 0, ""};
    }
}

static void on_end(void* context, const char* name)
{
    Picture* p = context;
    p->in_title = p->in_text = false;
    p->in_curve = p->in_curve && strcmp(name, "g") != 0;
}

static void on_text(void* context, const char* text, int size)
{
    Picture* p = context;
    char* to = p->in_text                   ? p->text[p->texts - 1].text
               : p->in_title && p->in_curve ? p->curve[p->curves - 1].name
                                            : NULL;
    const size_t room = 256;
    if (to != NULL && CHECK(strlen(to) + (size_t)size < room)) {
        strncat(to, text, (size_t)size);
    }
}

// Read the picture, which is well-formed and has no number that is none.
static void see(const char* svg)
{
    memset(&picture, 0, sizeof picture);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &picture);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    if (!CHECK(XML_Parse(parser, svg, (int)strlen(svg), 1) == XML_STATUS_OK)) {
        test_note("line %d: %s", (int)XML_GetCurrentLineNumber(parser),
                  XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    CHECK(strstr(svg, "\"nan") == NULL && strstr(svg, " nan") == NULL);
    CHECK(strstr(svg, "inf\"") == NULL && strstr(svg, " inf") == NULL);
}

// Run `uptack plot ARGUMENTS -o -` and look at it.
static bool plot(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "plot %s -o -", arguments);
    if (!CHECK_INT(run(command), 0)) {
        test_note("%s", err);
        return false;
    }
    see(out);
    return true;
}

static const Text* find_text(const char* wanted)
{
    for (int k = 0; k < picture.texts; k++) {
        if (strcmp(picture.text[k].text, wanted) == 0) {
            return &picture.text[k];
        }
    }
    test_note("there is no text '%s'", wanted);
    return NULL;
}

static bool has_text(const char* wanted)
{
    return find_text(wanted) != NULL;
}

static void check_point(const Curve* curve, int k, double x, double y)
{
    CHECK_NEAR(curve->x[k], x, 0.0051);
    CHECK_NEAR(curve->y[k], y, 0.0051);
}

// Run `uptack plot ARGUMENTS`, which ends with this code and this message.
static void refused(const char* arguments, int code, const char* said)
{
    char command[512];
    snprintf(command, sizeof command, "plot %s", arguments);
    if (!CHECK_INT(run(command), code) || !CHECK(has(err, said))) {
        test_note("%s", command);
    }
    CHECK_TEXT(out, "");
}

// ---- where things are ---------------------------------------------------------------------------

// z from 0 to 1, with 0.06 of that above and below: y = 212 - (z + 0.06) / 1.12 * 170. Of 170 / 38
// ticks at most 1.12 / 4.47 = 0.25 apart, the next of 1, 2, 5 is 0.5, so "0.0" is the widest, 1.6 x
// 11 wide, and the plot begins at 63.6.
TEST(points_are_where_the_axes_say)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,a.x,a.y,a.z\n0,0,0,0\n1,5,0,1\n2,6,0,0.5\n");
    if (!plot("a.csv --width 400") || !CHECK_INT(picture.curves, 1)) {
        return;
    }
    const Curve* curve = &picture.curve[0];
    CHECK_NEAR(picture.width, 400, 0);
    CHECK_NEAR(picture.height, 212 + 22 + 22 + 16, 0);
    CHECK_TEXT(curve->name, "a.z");
    CHECK_INT(curve->points, 3);
    check_point(curve, 0, 63.6, 212 - 0.06 / 1.12 * 170);
    check_point(curve, 1, 63.6 + 0.5 * 312.4, 212 - 1.06 / 1.12 * 170);
    check_point(curve, 2, 376, 212 - 0.56 / 1.12 * 170);

    // a tick's text is centred 4 below its line
    const Text* tick = find_text("1.0");
    if (CHECK(tick != NULL)) {
        CHECK_NEAR(tick->y - 4.0, curve->y[1], 0.0101);
    }
    CHECK(has_text("a.z") && has_text("z (m)") && has_text("time (s)"));
}

TEST(panels_share_x_and_stand_one_above_the_other)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,a.x,a.y,a.z,a.vx,a.wz\n0,0,0,0,3000,1\n1,5,0,1,4000,1\n2,6,0,0.5,0,2\n");
    if (!plot("a.csv --title T --panel=one --column a.z --panel --column a.vx --column a.wz "
              "--panel=three --column a.x --height 700") ||
        !CHECK_INT(picture.curves, 4)) {
        return;
    }
    CHECK_INT(picture.panels, 3);
    CHECK_NEAR(picture.height, 700, 0);
    CHECK(has_text("T") && has_text("one") && has_text("three"));
    CHECK(has_text("z (m)") && has_text("m/s, rad/s") && has_text("x (m)"));
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(picture.curve[k].x[0], picture.curve[0].x[0], 0.0);
        CHECK_NEAR(picture.curve[k].x[picture.curve[k].points - 1], 776, 0.0);
        for (int i = 0; i < picture.curve[k].points; i++) {
            CHECK(picture.curve[k].y[i] > 0.0 && picture.curve[k].y[i] < 700.0);
            CHECK(k == 0 || k == 2 || picture.curve[k].y[i] > picture.curve[k - 1].y[0] - 200.0);
        }
    }
    CHECK(picture.curve[0].y[0] < picture.curve[1].y[1]);
    CHECK(picture.curve[1].y[0] < picture.curve[3].y[1]);
}

// Whatever the numbers: ticks lie 1, 2 or 5 times a power of ten apart, there are some, and none
// reads like another.
TEST(ticks_are_round_numbers)
{
    static const char* const ends[][2] = {
        {"0", "1"},      {"-3", "4.7"},    {"0.123", "0.124"},  {"1e-12", "3e-12"},
        {"-9e8", "2e9"}, {"1000", "1003"}, {"99999", "1e5"},    {"-1e-300", "1e-300"},
        {"5", "5"},      {"0", "0"},       {"-1e140", "1e149"}, {"0.3", "0.30000000000000004"}};
    if (!get_ready()) {
        return;
    }
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        char table[256];
        snprintf(table, sizeof table, "time,a\n0,%s\n1,%s\n", ends[k][0], ends[k][1]);
        save("t.csv", table);
        double tick[64];
        int count = 0;
        for (int t = plot("t.csv") ? 0 : picture.texts; t < picture.texts; t++) {
            if (picture.text[t].tick_y && CHECK(count < 64)) {
                const char* text = picture.text[t].text;
                const bool minus = strncmp(text, "\u2212", 3) == 0;
                tick[count++] = (minus ? -1.0 : 1.0) * atof(text + (minus ? 3 : 0));
            }
        }
        if (!CHECK(count >= 2 && count <= 12)) {
            test_note("%d ticks from %s to %s", count, ends[k][0], ends[k][1]);
            continue;
        }
        const double step = (tick[count - 1] - tick[0]) / (count - 1);
        const double power = floor(log10(step) + 1e-6);
        const double leading = step / pow(10.0, power);
        CHECK(fabs(leading - 1) < 1e-6 || fabs(leading - 2) < 1e-6 || fabs(leading - 5) < 1e-6);
        for (int t = 1; t < count; t++) {
            CHECK_NEAR(tick[t] - tick[t - 1], step, 1e-6 * step);
        }
    }
}

// ---- curves -------------------------------------------------------------------------------------

TEST(numbers_that_are_none_break_the_line)
{
    if (!get_ready()) {
        return;
    }
    save("n.csv", "time,a\n0,0\n1,1\n2,nan\n3,5\n4,inf\n5,-inf\n6,1\n7,3\n8,1e200\n");
    if (plot("n.csv")) {
        CHECK_INT(picture.curve[0].points, 5);
        CHECK_INT(picture.curve[0].pieces, 3);
        CHECK_INT(picture.curve[0].dots, 1);
    }
}

// 200 000 points, all 0 but one: the spike reaches as high as it would alone, y = 42 + 0.06 / 1.12
// * 170, and there are few points; so with a dip from 1 to 0, and with both beside each other in
// one order and in the other. A sawtooth between 0 and 1 fills every pixel from end to end.
TEST(long_recordings_keep_their_extremes)
{
    if (!get_ready()) {
        return;
    }
    char path[MAX_PATH];
    path_of("l.csv", path);
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) {
        return;
    }
    fprintf(file, "time,spike,dip,down_up,up_down,saw\n");
    for (int k = 0; k < 200000; k++) {
        const double beside = 0.5 * (k == 100101) - 0.5 * (k == 100100);
        fprintf(file, "%d,%d,%d,%g,%g,%d\n", k, k == 123456, k != 77777, 0.5 + beside, 0.5 - beside,
                k % 2);
    }
    fclose(file);
    if (!plot("l.csv") || !CHECK_INT(picture.curves, 5)) {
        return;
    }
    const double top = 42 + 0.06 / 1.12 * 170;
    const double bottom = 212 - 0.06 / 1.12 * 170;
    for (int c = 0; c < 5; c++) {
        const Curve* curve = &picture.curve[c];
        double least = 1e9;
        double most = 0;
        for (int i = 0; i < curve->points; i++) {
            least = fmin(least, curve->y[i]);
            most = fmax(most, curve->y[i]);
        }
        CHECK_NEAR(least, top, 0.0051);
        CHECK_NEAR(most, bottom, 0.0051);
        CHECK_INT(curve->pieces, 1);
        CHECK(curve->points <= (c < 4 ? 8 : 4 * 800));
    }
    CHECK(picture.curve[4].points > 1400);
}

// Points are left out only where the line passes within 0.1 px of them; the rest of this parabola
// is compared with it at every sample.
TEST(what_is_left_out_lies_on_the_line)
{
    if (!get_ready()) {
        return;
    }
    char path[MAX_PATH];
    path_of("p.csv", path);
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) {
        return;
    }
    fprintf(file, "time,p\n");
    for (int k = 0; k <= 600; k++) {
        fprintf(file, "%d,%.17g\n", k, k * k / 360000.0);
    }
    fclose(file);
    if (!plot("p.csv") || !CHECK_INT(picture.curves, 1)) {
        return;
    }
    const Curve* c = &picture.curve[0];
    CHECK(c->points < 200);
    int piece = 0;
    for (int k = 0; k <= 600; k++) {
        const double x = c->x[0] + k / 600.0 * (776 - c->x[0]);
        const double y = 212 - (k * k / 360000.0 + 0.06) / 1.12 * 170;
        while (piece + 2 < c->points && c->x[piece + 1] < x) {
            piece++;
        }
        const double part = (x - c->x[piece]) / (c->x[piece + 1] - c->x[piece]);
        CHECK_NEAR(c->y[piece] + part * (c->y[piece + 1] - c->y[piece]), y, 0.12);
    }
}

// ---- contacts -----------------------------------------------------------------------------------

static const char CONTACTS[] =
    "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n"
    "0.1,\"the \"\"floor\"\", flat\",box,0,0,0,0,0,1,0.5,4,0,0,4,0,stick\n"
    "0.1,post,box,0,0,0,0,0,1,0,9,0,0,1,0,stick\n"
    "0.2,\"the \"\"floor\"\", flat\",box,0,0,0,0,0,1,0.25,3,0,0,3,2,slip\n"
    "0.2,\"the \"\"floor\"\", flat\",box,1,0,0,0,0,1,0.5,7,0,0,7,1,slip\n"
    "0.5,\"the \"\"floor\"\", flat\",box,0,0,0,0,0,1,1,2,0,0,2,0,stick\n";

// pn from 0 to 10: y = 212 - (pn + 0.6) / 11.2 * 170, ticks 5 apart, "10" is 1.24 x 11 = 13.64
// wide. Of the floor: 4, 3 + 7, nothing at 0.3 and 0.4, 2. Of the post: 9, then nothing.
TEST(impulses_of_a_step_and_pair_are_summed)
{
    if (!get_ready()) {
        return;
    }
    save("c.csv", CONTACTS);
    if (!plot("c.csv --contacts pn") || !CHECK_INT(picture.curves, 2)) {
        return;
    }
    static const double time[] = {0.1, 0.2, 0.3, 0.4, 0.5};
    static const double sum[] = {4, 10, 0, 0, 2};
    const double left = 16 + 22 + 8 + 13.64;
    const Curve* c = &picture.curve[0];
    CHECK_TEXT(c->name, "pn the \"floor\", flat / box");
    CHECK_INT(c->points, 5);
    for (int k = 0; k < 5; k++) {
        check_point(c, k, left + (time[k] - 0.1) / 0.4 * (776 - left),
                    212 - (sum[k] + 0.6) / 11.2 * 170);
    }
    c = &picture.curve[1];
    CHECK_TEXT(c->name, "pn post / box");
    CHECK_INT(c->points, 3);
    check_point(c, 1, left + 0.25 * (776 - left), 212 - 0.6 / 11.2 * 170);
    check_point(c, 2, 776, 212 - 0.6 / 11.2 * 170);
    CHECK(has_text("normal impulse (N\u00B7s)"));

    // what is drawn of such a table when nothing is asked for, with a title
    if (plot("c.csv --panel=here") && CHECK_INT(picture.curves, 2)) {
        CHECK(has_text("here") && has_text("pn post / box"));
    }

    // steps count from 0 at the time 0
    if (plot("c.csv --contacts pn --x step") && CHECK_INT(picture.curves, 2)) {
        CHECK(has_text("step") && has_text("1") && has_text("5"));
        CHECK_INT(picture.curve[0].points, 5);
    }
}

// A collision's impulse and one that was collected over a step are told apart by the state.
TEST(impulses_of_collisions_are_told_apart_from_those_of_steps)
{
    static const char table[] = "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n"
                                "0.1,floor,ball,0,0,0,0,0,1,0,8,0,0,8,0,impact\n"
                                "0.1,floor,ball,0,0,0,0,0,1,0,2,0,0,2,0,impact\n"
                                "0.1,floor,ball,0,0,0,0,0,1,0,1,0,0,1,0,stick\n"
                                "0.2,floor,ball,0,0,0,0,0,1,0,0,0,0,0,0,open\n"
                                "0.3,floor,ball,0,0,0,0,0,1,0,1,0,0,1,2,slip\n";
    if (!get_ready()) {
        return;
    }
    save("c.csv", table);
    // from 0 to 10: y = 212 - (pn + 0.6) / 11.2 * 170
    if (plot("c.csv --contacts pn-impact") && CHECK_INT(picture.curves, 1)) {
        CHECK_TEXT(picture.curve[0].name, "pn-impact floor / ball");
        CHECK(has_text("collision impulse (N\u00B7s)"));
        CHECK_NEAR(picture.curve[0].y[0], 212 - 10.6 / 11.2 * 170, 0.0051);
        CHECK_NEAR(picture.curve[0].y[1], 212 - 0.6 / 11.2 * 170, 0.0051);
    }
    // from 0 to 1: 1, 0, 1
    if (plot("c.csv --contacts pn-step") && CHECK_INT(picture.curves, 1)) {
        CHECK(has_text("step impulse (N\u00B7s)"));
        CHECK_INT(picture.curve[0].points, 3);
        CHECK_NEAR(picture.curve[0].y[0], 212 - 1.06 / 1.12 * 170, 0.0051);
        CHECK_NEAR(picture.curve[0].y[1], 212 - 0.06 / 1.12 * 170, 0.0051);
        CHECK_NEAR(picture.curve[0].y[2], 212 - 1.06 / 1.12 * 170, 0.0051);
    }
}

// An impact has a time of its own: it does not make steps shorter. From 0 to 1, a level line at 1.
TEST(impacts_between_steps_are_no_steps)
{
    static const char table[] = "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n"
                                "0.1,floor,box,0,0,0,0,0,1,0,1,0,0,1,0,stick\n"
                                "0.2,floor,box,0,0,0,0,0,1,0,1,0,0,1,0,stick\n"
                                "0.23,floor,ball,0,0,0,0,0,1,0,1,0,0,1,0,impact\n"
                                "0.3,floor,box,0,0,0,0,0,1,0,1,0,0,1,0,stick\n"
                                "0.4,floor,box,0,0,0,0,0,1,0,1,0,0,1,0,stick\n";
    if (!get_ready()) {
        return;
    }
    save("c.csv", table);
    if (plot("c.csv --contacts pn-step") && CHECK_INT(picture.curves, 1)) {
        CHECK_INT(picture.curve[0].points, 2);
        CHECK_NEAR(picture.curve[0].y[0], 212 - 1.06 / 1.12 * 170, 0.0051);
        CHECK_NEAR(picture.curve[0].y[1], 212 - 1.06 / 1.12 * 170, 0.0051);
    }
}

// From 1e-12 to 1e-8: four powers of ten on 170 px, the first at 212. What is not above 0 is a gap.
TEST(residuals_are_drawn_over_powers_of_ten)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,a.z,E\n0,1,nan\n1,1,1e-12\n2,10,1e-9\n3,1000,1e-8\n4,1,0\n");
    if (plot("a.csv --column E") && CHECK_INT(picture.curves, 1)) {
        CHECK(has_text("E") && has_text("10\u207B\u00B9\u00B2") && has_text("10\u207B\u2078"));
        CHECK_INT(picture.curve[0].points, 3);
        CHECK_NEAR(picture.curve[0].y[0], 212, 0.0051);
        CHECK_NEAR(picture.curve[0].y[1], 212 - 0.75 * 170, 0.0051);
        CHECK_NEAR(picture.curve[0].y[2], 212 - 170, 0.0051);
    }
    // 1 to 1000, as asked for: 10 is a third of the way up
    if (plot("a.csv --log --column a.z") && CHECK_INT(picture.curves, 1)) {
        CHECK_NEAR(picture.curve[0].y[2], 212 - 170.0 / 3.0, 0.0051);
    }
}

TEST(under_a_title_recordings_alone_are_in_the_legend)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,box.x,box.z\n0,0,0\n1,0,1\n");
    save("b.csv", "time,box.x,box.z\n0,0,0\n1,0,1\n");
    if (plot("a.csv b.csv --label one --panel=Height --column box.z") &&
        CHECK_INT(picture.curves, 2)) {
        CHECK_TEXT(picture.curve[0].name, "one");
        CHECK_TEXT(picture.curve[1].name, "b");
    }
    if (plot("a.csv b.csv --column box.z") && CHECK_INT(picture.curves, 2)) {
        CHECK_TEXT(picture.curve[0].name, "a: box.z");
    }
    if (plot("a.csv b.csv --panel=Both --column 'box.*'") && CHECK_INT(picture.curves, 4)) {
        CHECK_TEXT(picture.curve[3].name, "b: box.z");
    }
    if (plot("a.csv --panel=Height --column box.z") && CHECK_INT(picture.curves, 1)) {
        CHECK_TEXT(picture.curve[0].name, "box.z");
    }
}

// Of gaps the least: 0.5, 0.25, and 1 after a break; of the post one point at 0. From 0 to 1 as in
// the first test.
TEST(gaps_are_the_least_of_a_step_and_break_without_contact)
{
    if (!get_ready()) {
        return;
    }
    save("c.csv", CONTACTS);
    if (!plot("c.csv --contacts gap") || !CHECK_INT(picture.curves, 2)) {
        return;
    }
    static const double least[] = {0.5, 0.25, 1};
    CHECK_INT(picture.curve[0].points, 3);
    CHECK_INT(picture.curve[0].pieces, 2);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(picture.curve[0].y[k], 212 - (least[k] + 0.06) / 1.12 * 170, 0.0051);
    }
    CHECK_INT(picture.curve[1].dots, 1);
}

// ---- recordings ---------------------------------------------------------------------------------

TEST(a_binary_recording_gives_the_picture_of_its_tables)
{
    if (!get_ready()) {
        return;
    }
    CHECK_INT(run("run stack:2 -t 0.1 --record r.utr"), 0);
    CHECK_INT(run("run stack:2 -t 0.1 --record s.csv --contacts c.csv"), 0);
    CHECK_INT(run("plot r.utr -o r.svg --contacts pn --contacts pz --panel --contacts slip"), 0);
    CHECK_INT(run("plot c.csv -o c.svg --contacts pn --contacts pz --panel --contacts slip"), 0);
    load("r.svg", one);
    load("c.svg", two);
    CHECK(one[0] != 0 && strcmp(one, two) == 0);
    refused("c.csv -o x.svg --contacts e", 1, "c.csv:1:1: error: this table of contacts has no");
    CHECK(plot("r.utr --contacts e") && has_text("e floor / box1"));
    for (int steps = 0; steps < 2; steps++) {
        const char* x = steps == 0 ? "time" : "step";
        char command[256];
        snprintf(command, sizeof command, "plot r.utr -o r.svg --x %s --column box2.vz", x);
        CHECK_INT(run(command), 0);
        snprintf(command, sizeof command, "plot - -o s.svg --x %s --column box2.vz <s.csv", x);
        CHECK_INT(run(command), 0);
        load("r.svg", one);
        load("s.svg", two);
        CHECK(one[0] != 0 && strcmp(one, two) == 0);
    }
}

TEST(the_height_is_z_and_in_a_plane_y)
{
    if (!get_ready()) {
        return;
    }
    const char* names = "time,a.x,a.y,a.z,b.x,b.y,b.z\n";
    char table[256];
    snprintf(table, sizeof table, "%s0,0,0,0,0,0,0\n1,1,1,0,0,0,1\n", names);
    save("z.csv", table);
    snprintf(table, sizeof table, "%s0,0,0,0,0,0,0\n1,1,1,0,0,0,0\n", names);
    save("y.csv", table);
    if (plot("z.csv y.csv --label 'in <space>'") && CHECK_INT(picture.curves, 4)) {
        CHECK_TEXT(picture.curve[0].name, "in <space>: a.z");
        CHECK_TEXT(picture.curve[1].name, "in <space>: b.z");
        CHECK_TEXT(picture.curve[2].name, "y: a.y");
        CHECK_TEXT(picture.curve[3].name, "y: b.y");
        CHECK(has_text("position (m)") && has_text("in <space>: b.z"));
    }
}

TEST(names_come_through_as_they_are)
{
    if (!get_ready()) {
        return;
    }
    save("e.csv", "time,\"<a>&amp;'\"\"\u00E9,\"\"\",b\001\xFF\n0,0,1\n1,1,2\n");
    if (plot("e.csv --title '</svg>&\"]]>'") && CHECK_INT(picture.curves, 2)) {
        CHECK_TEXT(picture.curve[0].name, "<a>&amp;'\"\u00E9,\"");
        CHECK_TEXT(picture.curve[1].name, "b\uFFFD\uFFFD");
        CHECK(has_text("</svg>&\"]]>") && has_text("<a>&amp;'\"\u00E9,\""));
    }
}

TEST(many_curves_and_long_names_stay_in_the_picture)
{
    if (!get_ready()) {
        return;
    }
    char table[8192] = "time";
    for (int k = 0; k < 60; k++) {
        snprintf(table + strlen(table), 128, ",a-rather-long-name-of-a-column-%d", k);
    }
    for (int row = 0; row < 2; row++) {
        snprintf(table + strlen(table), 16, "\n%d", row);
        for (int k = 0; k < 60; k++) {
            snprintf(table + strlen(table), 16, ",%d", k * row);
        }
    }
    strcat(table, "\n");
    save("m.csv", table);
    if (plot("m.csv --width 200") && CHECK_INT(picture.curves, 60)) {
        CHECK(has_text("and 52 more"));
        CHECK(!has_text("a-rather-long-name-of-a-column-1"));
    }
    CHECK(plot("m.csv --width 2000"));
}

// ---- what cannot be drawn -----------------------------------------------------------------------

TEST(a_column_that_is_missing_is_said_with_the_nearest)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,box.x,box.y,box.z\n0,0,0,0\n1,0,0,1\n");
    save("b.csv", "time,ball.x,ball.y,ball.z\n0,0,0,0\n1,0,0,1\n");
    save("c.csv", CONTACTS);
    refused("a.csv -o x.svg --column bax.z", 1,
            "a.csv: error: there is no column 'bax.z'; the nearest is 'box.z'; there are time, "
            "box.x, box.y, box.z");
    refused("a.csv -o x.svg --column pn", 1, "--contacts plots contacts");
    refused("c.csv -o x.svg --column box.z", 1, "only contacts");
    refused("a.csv -o x.svg --contacts pn", 1, "no recording holds contacts");
    refused("a.csv -o x.svg --contacts pm", 2, "one of pn pn-impact pn-step px");
    CHECK_INT(run("plot a.csv b.csv -o x.svg --column box.z"), 0);
    CHECK(has(err, "warning: 1 of the recordings has no column 'box.z'"));
    refused("a.csv -o x.svg --column '*.q'", 1, "there is no column '*.q'");
}

TEST(a_star_stands_for_any_letters)
{
    static const struct {
        const char* pattern;
        int curves;
    } tries[] = {{"*", 6},   {"*.z", 2},  {"b*", 3},    {"b.*", 2}, {"*b*", 4},
                 {"b.z", 1}, {"a.z*", 1}, {"*b.*z", 1}, {"a*b*", 1}};
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,a.z,ab,b.z,bb,b.y\n0,0,0,0,0,0\n1,1,2,3,4,5\n");
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        char command[64];
        snprintf(command, sizeof command, "a.csv --column '%s'", tries[k].pattern);
        if (plot(command) && !CHECK_INT(picture.curves, tries[k].curves)) {
            test_note("%s", command);
        }
    }

    // a column that is called so is meant alone
    save("s.csv", "time,a,*,b\n0,0,0,0\n1,1,2,3\n");
    if (plot("s.csv --column '*'") && CHECK_INT(picture.curves, 1)) {
        CHECK_TEXT(picture.curve[0].name, "*");
    }
}

TEST(a_table_that_is_none_is_refused_with_its_place)
{
    static const struct {
        const char* table;
        const char* said;
    } bad[] = {
        {"time,a\n0,1\n1,oops\n", "x.csv:3:3: error: a number was expected"},
        {"time,a\n0,1\n1,\n", "x.csv:3:3: error: a number was expected"},
        {"time,a\n0,1\nsoon,1\n", "x.csv:3:1: error: a number was expected"},
        {"time,a\n0\n", "x.csv:2:2: error: this row has fewer cells than the 2 names"},
        {"time,a\n0,1,2\n", "x.csv:2:5: error: this row has more cells than the 2 names"},
        {"time,a\n0,\"1\n2,3\n", "x.csv:2:3: error: this quote is not closed"},
        {"when,a\n0,1\n", "x.csv:1:1: error: this is no recording"},
        {"", "x.csv:1:1: error: this is no recording"},
        {"time,a\n", "x.csv: error: nothing to plot"},
        {"time,a\n0,nan\n", "x.csv: error: nothing to plot"},
        {"time\n0\n", "x.csv: error: nothing to plot"},
    };
    if (!get_ready()) {
        return;
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        save("x.csv", bad[k].table);
        refused("x.csv -o x.svg", 1, bad[k].said);
    }
    refused("none.csv -o x.svg", 1, "none.csv: error: cannot be opened");
}

TEST(a_line_that_is_not_finished_is_left_out)
{
    if (!get_ready()) {
        return;
    }
    save("u.csv", "time,a\r\n0,0\r\n1,1\r\n2,0.");
    if (plot("u.csv")) {
        CHECK_INT(picture.curve[0].points, 2);
        CHECK(has(err, "u.csv: warning: the last line is not finished"));
    }
}

TEST(usage_of_plot)
{
    if (!get_ready()) {
        return;
    }
    save("a.csv", "time,a\n0,0\n1,1\n");
    refused("-o x.svg", 2, "RECORDING is missing");
    refused("a.csv", 2, "-o F.svg is missing");
    refused("a.csv -o a.csv", 2, "ends in .svg");
    refused("a.csv -o x.svg --x when", 1, "there is no column 'when'");
    refused("a.csv -o x.svg --width 3", 2, "--width is a whole number from 200");
    refused("a.csv -o x.svg --column a --panel", 2, "the last panel has no column");
    refused("a.csv -o x.svg --panel=p --panel=q --column a", 2, "the panel 'p' has no column");
    refused("a.csv -o x.svg --label a --label b", 2, "more labels than recordings");
    refused("a.csv -o - --json", 2, "--json");
    refused("a.csv -o x.svg --height 100", 1, "--height 100 is too small; the plot needs 142");
    CHECK_INT(run("plot a.csv -o x.svg --height 142"), 0);
    CHECK_INT(run("plot --help"), 0);
    CHECK(has(out, "usage: uptack plot RECORDING... -o F.svg"));
}

// ---- the file -----------------------------------------------------------------------------------

TEST(the_picture_is_written_whole_or_not_at_all)
{
    if (!get_ready()) {
        return;
    }
    struct stat info;
    char path[MAX_PATH];
    path_of("w.svg", path);
    save("a.csv", "time,a\n0,0\n1,1\n");
    save("w.svg", "old");
    const int files = files_in_folder(false);
    refused("a.csv -o w.svg --column b", 1, "no column");
    load("w.svg", one);
    CHECK_TEXT(one, "old");

    chmod(path, 0640);
    CHECK_INT(run("plot a.csv -o w.svg --json"), 0);
    CHECK(has(out, "{\"output\":\"w.svg\",\"recordings\":1,\"panels\":1,\"curves\":1}"));
    load("w.svg", one);
    see(one);
    CHECK_INT(picture.curves, 1);
    CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640);
    CHECK_INT(files_in_folder(false), files);

    refused("a.csv -o none/x.svg", 1, "none/x.svg: error: cannot be written");
    if (access("/dev/full", W_OK) == 0) {
        char command[512];
        snprintf(command, sizeof command, "'%s' plot %s/a.csv -o - >/dev/full 2>%s/err", program(),
                 folder, folder);
        const int status = system(command);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        path_of("full.svg", path);
        CHECK(symlink("/dev/full", path) == 0);
        refused("a.csv -o full.svg", 1, "full.svg: error: cannot be written");
        CHECK(lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
    }
}

#endif
