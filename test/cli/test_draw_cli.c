// SPDX-License-Identifier: Apache-2.0
// uptack draw, and the new pictures of uptack plot, as a user meets them: what is in the picture and
// where, by its XML. Every picture that these tests make is parsed: it is well-formed, has no number
// that is none and no empty path, and its text is within the view box.
//
// Where things are is by hand. With --extent E and --width W a metre is W / E px, the point that the
// camera looks at is in the middle of the width, and below the middle of the height by 8 px, half the
// room for the time.
#include "program.h"
#include "test.h"

#if defined(__EMSCRIPTEN__) || !__has_include(<expat.h>)

TEST(the_command_line_for_drawings)
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
#include <sys/wait.h>

// ---- running ------------------------------------------------------------------------------------

enum { ROOM = 1 << 22 };

static char out[ROOM], other[ROOM], err[1 << 16];

// @return the exit code, or -1
static int run(const char* arguments)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' %s >'%s' 2>'%s'", program(), arguments,
             path_in_folder("out"), path_in_folder("err"));
    const int status = system(command);
    read_file("out", out, sizeof out);
    read_file("err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// ---- the picture as XML -------------------------------------------------------------------------

enum { MAX_TEXTS = 2048, MAX_CIRCLES = 4096 };

typedef struct Text {
    double x, y, size;
    char anchor[8];
    char text[128];
} Text;

typedef struct Circle {
    double x, y, r;
    int order; // number of the element in the document
} Circle;

typedef struct Picture {
    double width, height;
    char kind[16];
    int elements, paths, animations, polygons;
    int last_polygon; // order of the last path that is filled and has 4 corners
    int texts, circles;
    Text text[MAX_TEXTS];
    Circle circle[MAX_CIRCLES];
    bool in_text;
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

static void begin_text(Picture* p, const char** attributes)
{
    if (!CHECK(p->texts < MAX_TEXTS)) {
        return;
    }
    Text* text = &p->text[p->texts++];
    *text = (Text){atof(find(attributes, "x")), atof(find(attributes, "y")),
                   atof(find(attributes, "font-size")), "", ""};
    snprintf(text->anchor, sizeof text->anchor, "%s", find(attributes, "text-anchor"));
    double x, y;
    if (sscanf(find(attributes, "transform"), "translate(%lf %lf) rotate(-90)", &x, &y) == 2) {
        text->x = x; // the name of a y axis, in the middle of its height
        text->y = y;
        snprintf(text->anchor, sizeof text->anchor, "turned");
    }
    p->in_text = true;
}

static void on_start(void* context, const char* name, const char** attributes)
{
    Picture* p = context;
    p->elements++;
    if (strcmp(name, "svg") == 0) {
        p->width = atof(find(attributes, "width"));
        p->height = atof(find(attributes, "height"));
        snprintf(p->kind, sizeof p->kind, "%s", find(attributes, "class"));
        double w, h;
        CHECK(sscanf(find(attributes, "viewBox"), "0 0 %lf %lf", &w, &h) == 2);
        CHECK_NEAR(w, p->width, 0.0);
        CHECK_NEAR(h, p->height, 0.0);
    }
    if (strcmp(name, "path") == 0) {
        p->paths++;
        const char* d = find(attributes, "d");
        // an empty path is a series without points
        if (!CHECK(strlen(d) > 3)) {
            test_note("path %d: '%s'", p->paths, d);
        }
        int lines = 0;
        for (const char* c = d; *c != 0; c++) {
            lines += *c == 'L';
        }
        if (lines == 3 && strchr(d, 'Z') != NULL && find(attributes, "fill")[0] == '#') {
            p->polygons++;
            p->last_polygon = p->elements;
        }
    }
    if (strcmp(name, "circle") == 0 && CHECK(p->circles < MAX_CIRCLES)) {
        p->circle[p->circles++] =
            (Circle){atof(find(attributes, "cx")), atof(find(attributes, "cy")),
                     atof(find(attributes, "r")), p->elements};
    }
    p->animations += strcmp(name, "animate") == 0;
    if (strcmp(name, "text") == 0) {
        begin_text(p, attributes);
    }
}

static void on_end(void* context, const char* name)
{
    Picture* p = context;
    p->in_text = p->in_text && strcmp(name, "text") != 0;
}

static void on_text(void* context, const char* text, int size)
{
    Picture* p = context;
    if (p->in_text) {
        char* to = p->text[p->texts - 1].text;
        const size_t room = sizeof p->text->text - strlen(to) - 1;
        strncat(to, text, (size_t)size < room ? (size_t)size : room);
    }
}

static int characters(const char* text)
{
    int count = 0;
    for (; *text != 0; text++) {
        count += (*text & 0xC0) != 0x80;
    }
    return count;
}

// Is the text within the view box? A character is at least 0.4 of the font's size wide on average.
static bool is_inside(const Text* t)
{
    const double width = 0.4 * t->size * characters(t->text);
    double left = t->x, right = t->x, top = t->y - 0.7 * t->size, bottom = t->y;
    if (strcmp(t->anchor, "turned") == 0) {
        left -= 0.7 * t->size;
        top = t->y - 0.5 * width;
        bottom = t->y + 0.5 * width;
    } else {
        left -= strcmp(t->anchor, "end") == 0      ? width
                : strcmp(t->anchor, "middle") == 0 ? 0.5 * width
                                                   : 0.0;
        right = left + width;
    }
    const bool inside =
        left >= 0.0 && right <= picture.width && top >= 0.0 && bottom <= picture.height;
    if (!inside) {
        test_note("'%s' is at %g to %g, %g to %g in %g x %g", t->text, left, right, top, bottom,
                  picture.width, picture.height);
    }
    return CHECK(inside);
}

// @return false when the picture is not sound
static bool see(const char* svg)
{
    memset(&picture, 0, sizeof picture);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &picture);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    bool sound = CHECK(XML_Parse(parser, svg, (int)strlen(svg), 1) == XML_STATUS_OK);
    if (!sound) {
        test_note("line %d: %s", (int)XML_GetCurrentLineNumber(parser),
                  XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    sound = CHECK(strstr(svg, "nan") == NULL && strstr(svg, "inf\"") == NULL &&
                  strstr(svg, " inf") == NULL) &&
            sound;
    for (int k = 0; k < picture.texts; k++) {
        sound = is_inside(&picture.text[k]) && sound;
    }
    return sound;
}

// Make a picture on standard output and look at it. @return false after a failure
static bool show(const char* verb, const char* arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "%s %s -o -", verb, arguments);
    if (!CHECK_INT(run(command), 0)) {
        test_note("%s: %s", arguments, err);
        return false;
    }
    see(out);
    return true;
}

static bool draw(const char* arguments)
{
    return show("draw", arguments);
}

static bool plot(const char* arguments)
{
    return show("plot", arguments);
}

static bool has_text(const char* wanted)
{
    for (int k = 0; k < picture.texts; k++) {
        if (strcmp(picture.text[k].text, wanted) == 0) {
            return true;
        }
    }
    test_note("there is no text '%s'", wanted);
    return false;
}

static bool has_unit(const char* unit)
{
    for (int k = 0; k < picture.texts; k++) {
        const char* at = strstr(picture.text[k].text, unit);
        if (at != NULL && (strchr(at, ')') != NULL || strcmp(at, unit) == 0)) {
            return true;
        }
    }
    test_note("no text has the unit '%s'", unit);
    return false;
}

// The circle nearest to a place, if its centre is within 0.01 px.
static const Circle* circle_at(double x, double y)
{
    for (int k = 0; k < picture.circles; k++) {
        if (hypot(picture.circle[k].x - x, picture.circle[k].y - y) < 0.011) {
            return &picture.circle[k];
        }
    }
    test_note("there is no circle at %g, %g", x, y);
    return NULL;
}

static void refused(const char* arguments, int code, const char* said)
{
    char command[1024];
    snprintf(command, sizeof command, "draw %s", arguments);
    if (!CHECK_INT(run(command), code) || !CHECK(has(err, said))) {
        test_note("%s", command);
    }
    CHECK_TEXT(out, "");
}

// ---- where things are ---------------------------------------------------------------------------

static const char two_balls[] =
    "<mujoco><option gravity='0 0 -9.81'/><worldbody>"
    "<body name='a' pos='0 0 1'><freejoint/><geom size='0.1'/></body>"
    "<body name='b' pos='0.5 0 1.25'><freejoint/><geom size='0.2'/></body>"
    "</worldbody></mujoco>";

// 400 px for 2 m: 200 px per m. b is 0.5 m to the right of a and 0.25 m above it.
TEST(bodies_are_where_the_camera_says)
{
    if (program() == NULL) {
        return;
    }
    char command[256];
    snprintf(command, sizeof command, "%s --view front --look-at 0,0,1 --extent 2 --width 400",
             write_file("two.xml", two_balls));
    if (!draw(command)) {
        return;
    }
    const Circle* a = NULL;
    for (int k = 0; k < picture.circles; k++) {
        a = fabs(picture.circle[k].r - 20.0) < 0.01 ? &picture.circle[k] : a;
    }
    if (CHECK(a != NULL)) {
        CHECK_NEAR(a->x, 200.0, 0.006);
        const Circle* b = circle_at(a->x + 100.0, a->y - 50.0);
        CHECK(b != NULL && fabs(b->r - 40.0) < 0.006);
    }
    CHECK_TEXT(picture.kind, "drawing");
    CHECK(has_text("a") && has_text("b") && has_text("t = 0 s"));
}

// With an eye at the distance D = 0.6 s / tan(A / 2) + s, s the size of the bounds, a ball behind the
// middle is smaller. Both balls have r = 0.1; one is 1 m farther away along the view.
TEST(perspective_makes_far_bodies_smaller)
{
    if (program() == NULL) {
        return;
    }
    const char* path =
        write_file("deep.xml", "<mujoco><worldbody>"
                               "<body pos='-0.5 0 1'><freejoint/><geom size='0.1'/></body>"
                               "<body pos='0.5 1 1'><freejoint/><geom size='0.1'/></body>"
                               "</worldbody></mujoco>");
    char command[256];
    snprintf(command, sizeof command, "%s --view front --extent 2 --width 400", path);
    if (draw(command) && CHECK_INT(picture.circles, 2)) {
        CHECK_NEAR(picture.circle[0].r, picture.circle[1].r, 0.0);
        CHECK_NEAR(picture.circle[0].r, 20.0, 0.006);
    }
    snprintf(command, sizeof command, "%s --view front --extent 2 --width 400 --perspective=60",
             path);
    if (draw(command) && CHECK_INT(picture.circles, 2)) {
        const Circle* c = picture.circle;
        const bool first_is_left = c[0].x < c[1].x;
        const double near = c[first_is_left ? 0 : 1].r;
        const double far = c[first_is_left ? 1 : 0].r;
        CHECK(near > 1.2 * far);
    }
}

// A board that is turned by 45 degrees about z, and a ball. The board's centre is nearer to the camera
// in front than the ball, but where they overlap the ball is before it: at x = 1 the board is at
// y = 1, the ball at y = 0.4. A ball at y = 1.8 is behind it.
TEST(the_nearer_thing_covers_the_farther_one)
{
    static const char form[] =
        "<mujoco><compiler angle='degree'/><worldbody>"
        "<body name='board' euler='0 0 45' pos='0 0 1'><freejoint/>"
        "<geom type='box' size='3 0.05 0.5'/></body>"
        "<body name='ball' pos='1 %s 1'><freejoint/><geom size='0.1'/></body>"
        "</worldbody></mujoco>";
    if (program() == NULL) {
        return;
    }
    for (int behind = 0; behind < 2; behind++) {
        char text[1024];
        char command[256];
        snprintf(text, sizeof text, form, behind ? "1.8" : "0.4");
        snprintf(command, sizeof command, "%s --view front --hide grid,axes",
                 write_file("board.xml", text));
        if (draw(command) && CHECK_INT(picture.circles, 1) && CHECK(picture.polygons >= 1)) {
            CHECK((picture.circle[0].order < picture.last_polygon) == (behind == 1));
        }
    }
}

// The same board, fixed in the world: where it hides the ball it is of glass, where it is behind the ball it is not.
TEST(what_does_not_move_hides_nothing_that_moves)
{
    static const char form[] =
        "<mujoco><worldbody><geom type='box' euler='0 0 45' pos='0 0 1' size='3 0.05 0.5'/>"
        "<body name='ball' pos='1 %s 1'><freejoint/><geom size='0.1'/></body>"
        "</worldbody></mujoco>";
    if (program() == NULL) {
        return;
    }
    for (int behind = 0; behind < 2; behind++) {
        char text[1024];
        char command[256];
        snprintf(text, sizeof text, form, behind ? "1.8" : "0.4");
        snprintf(command, sizeof command, "%s --view front --hide grid,axes",
                 write_file("glass.xml", text));
        if (draw(command) && CHECK_INT(picture.circles, 1)) {
            CHECK((strstr(out, "<g fill-opacity=") != NULL) == (behind == 1));
        }
    }
}

// Berard's rods have L = 1 and 0.8. O is at the origin, and A hangs at 45 degrees from O.
TEST(bodies_without_geoms_are_bars_between_their_joints)
{
    if (program() == NULL ||
        !draw("scenes/seeds/berard-4.1.xml --look-at 0,0,0 --extent 4 --width 800 --hide all")) {
        return;
    }
    // 200 px per m. The bar of A: from O to (sin 45, -cos 45) m, with round ends of 5 px: it begins at
    // O + 5 px across its direction. In px, y down, the direction is (0.7071, 0.7071).
    double x[2], y[2], u[2], v[2];
    int bars = 0;
    for (const char* at = strstr(out, "d=\"M"); at != NULL && bars < 2;
         at = strstr(at + 1, "d=\"M")) {
        bars += sscanf(at, "d=\"M%lf %lfL%lf %lfA5 5", &x[bars], &y[bars], &u[bars], &v[bars]) == 4;
    }
    if (CHECK_INT(bars, 2)) {
        // in the order of the model, A then B; coordinates have one decimal
        CHECK_NEAR(hypot(u[0] - x[0], v[0] - y[0]), 200.0, 0.15);
        CHECK_NEAR(hypot(u[1] - x[1], v[1] - y[1]), 160.0, 0.15);
        CHECK_NEAR((u[0] - x[0]) / (v[0] - y[0]), 1.0, 0.002);
        CHECK_NEAR((u[1] - x[1]) / (v[1] - y[1]), tan(0.52359877559829887), 0.002);
    }
}

// ---- contacts -----------------------------------------------------------------------------------

// A ball of 1 kg lies on the floor: one force of 9.81 N, drawn with 84 px, the largest one at a width
// of 800. The scale bar is the largest round number below 62 px: 5 N with 84 * 5 / 9.81 = 42.81 px.
// An arrow of the line width w has a head of 4 + 2.2 w, and its line ends 0.85 of the head before.
TEST(forces_have_their_direction_and_length)
{
    if (program() == NULL) {
        return;
    }
    char command[512];
    snprintf(command, sizeof command, "%s --view front --hide cones,labels,joints",
             write_file("rest.xml", "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                                    "<body pos='0 0 0.1'><freejoint/><geom size='0.1' mass='1'/>"
                                    "</body></worldbody></mujoco>"));
    if (!draw(command)) {
        return;
    }
    double x, y, u, v;
    const char* force = strstr(out, "stroke=\"#0072b2\" stroke-width=\"2.2\"");
    const char* d = force != NULL ? strstr(force, "d=\"M") : NULL;
    if (CHECK(d != NULL) && CHECK(sscanf(d, "d=\"M%lf %lfL%lf %lf", &x, &y, &u, &v) == 4)) {
        CHECK_NEAR(u, x, 0.11);
        CHECK_NEAR(y - v, 84.0 - 0.85 * (4.0 + 2.2 * 2.2), 0.11);
    }
    CHECK(has_text("5 N") && has_text("sticks") && strstr(out, "slips") == NULL);
    const char* scale = strstr(out, "stroke=\"#5c6a73\" stroke-width=\"2\"");
    d = scale != NULL ? strstr(scale, "d=\"M") : NULL;
    if (CHECK(d != NULL) && CHECK(sscanf(d, "d=\"M%lf %lfL%lf %lf", &x, &y, &u, &v) == 4)) {
        CHECK_NEAR(u - x, 84.0 * 5.0 / 9.81 - 0.85 * (4.0 + 2.2 * 2.0), 0.11);
    }
}

// The force of a slipping contact is on the mantle of its cone: mu = 0.5 against the motion.
TEST(a_sliding_box_slips_and_a_belt_has_its_speed)
{
    if (program() == NULL) {
        return;
    }
    if (draw("slide -t 0.1")) {
        CHECK(has_text("slips") && has(out, "#d55e00"));
    }
    if (draw("scenes/seeds/berard-4.5.xml")) {
        CHECK(has_text("0.2 m/s") && has_text("pusher"));
    }
}

// ---- times --------------------------------------------------------------------------------------

TEST(a_recording_and_its_model_give_the_same_picture)
{
    if (program() == NULL) {
        return;
    }
    char command[512];
    const char* recording = path_in_folder("belt.utr");
    snprintf(command, sizeof command, "run scenes/seeds/berard-4.6.xml -t 1.5 --record %s",
             recording);
    CHECK_INT(run(command), 0);
    snprintf(command, sizeof command, "%s --times 0,0.5,1", recording);
    if (!draw(command)) {
        return;
    }
    strcpy(other, out);
    if (draw("scenes/seeds/berard-4.6.xml --times 0,0.5,1")) {
        CHECK(strcmp(out, other) == 0);
        CHECK(has_text("t = 0 s") && has_text("t = 0.5 s") && has_text("t = 1 s"));
    }
}

TEST(an_animation_has_a_frame_per_picture)
{
    // 0.4 s at 10 pictures per second and half the speed: 8 intervals, 9 frames
    if (program() != NULL &&
        draw("scenes/seeds/berard-4.1.xml --animate -t 0.4 --fps 10 --speed 0.5")) {
        CHECK_INT(picture.animations, 9);
        CHECK(has(out, "dur=\"0.800s\""));
    }
}

// ---- every scene --------------------------------------------------------------------------------

TEST(every_scene_of_the_papers_has_a_sound_picture)
{
    static const char* const scenes[] = {"berard-4.1",        "berard-4.2",
                                         "berard-4.3",        "berard-4.4",
                                         "berard-4.5",        "berard-4.6",
                                         "berard-4.4-tip",    "berard-3d-4.5",
                                         "berard-3d-4.6",     "berard-3d-turned",
                                         "dart-arm",          "dart-box",
                                         "igms-ball",         "igms-kane",
                                         "igms-linkage",      "igms-low",
                                         "igms-rod",          "peiret-block",
                                         "peiret-rod",        "pfrommer-falling",
                                         "pfrommer-sliding",  "pfrommer-bidirectional",
                                         "dart-three-systems"};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes && program() != NULL; k++) {
        char command[256];
        snprintf(command, sizeof command, "scenes/seeds/%s.xml --strip 3 -t 0.04", scenes[k]);
        draw(command);
        CHECK(picture.paths > 0 && strcmp(picture.kind, "drawing") == 0);
        CHECK(has_unit(" m"));
        snprintf(command, sizeof command, "scenes/seeds/%s.xml --show all --width 500", scenes[k]);
        draw(command);
    }
}

TEST(other_scenes_have_sound_pictures)
{
    static const char* const commands[] = {"stack:5 -t 0.1 --show all",
                                           "pile:20 -t 0.3",
                                           "scenes/quadruped.xml -t 0.2 --perspective",
                                           "scenes/gripper.xml -t 0.1 --view iso",
                                           "painleve --overlay 5 --title 'A rod <digs> in'",
                                           "chain:6 --strip 7 -t 0.3 --width 1000",
                                           "top --view top",
                                           "wedge --show all --look-at 0,0,0.5 --extent 0.3",
                                           "slide --hide all",
                                           "grasp --view 200,-10 -t 0.2"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands && program() != NULL; k++) {
        draw(commands[k]);
    }
}

// A mesh and a height field: more triangles face the camera above than from the side at level 0.
TEST(surfaces_are_drawn_by_their_triangles)
{
    if (program() == NULL) {
        return;
    }
    char command[512];
    snprintf(command, sizeof command, "%s --view top",
             write_file("field.xml",
                        "<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='1 1 0.5 0.1' "
                        "elevation='0 0 0 0 1 0 0 0 0'/></asset><worldbody>"
                        "<geom type='hfield' hfield='h'/>"
                        "<body pos='0 0 1'><freejoint/><geom size='0.05'/></body>"
                        "</worldbody></mujoco>"));
    if (draw(command)) {
        // four cells of two triangles each, all seen from above
        int triangles = 0;
        for (const char* at = strstr(out, "stroke-width=\"0.5\""); at != NULL;
             at = strstr(at + 1, "stroke-width=\"0.5\"")) {
            triangles++;
        }
        CHECK_INT(triangles, 8);
    }
}

// ---- what a picture has to show -----------------------------------------------------------------

// The bounds of the points of a path, whose text begins behind `d="`.
static void bounds_of(const char* d, double low[2], double high[2])
{
    low[0] = low[1] = HUGE_VAL;
    high[0] = high[1] = -HUGE_VAL;
    for (; *d == 'M' || *d == 'L' || *d == 'Z'; d += *d == 'Z') {
        double x[2];
        int used;
        if (*d == 'Z' || !CHECK(sscanf(d + 1, "%lf %lf%n", &x[0], &x[1], &used) == 2)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
        d += 1 + used;
    }
}

// Row P8, Figure 1: the section |e_j . lambda_t| <= mu lambda_n = 4.905 N around the point of contact, beside lambda_t.
// The longest arrow has 84 px. A load of (3, 2) N is held by as much friction; one of (6, 0) N reaches the border.
TEST(P8_the_section_of_the_polygon_and_the_friction_have_one_scale)
{
    static const char* const loads[] = {"3 2", "6 0"};
    const double reach[] = {84.0 * 4.905 / sqrt(13.0), 84.0};
    for (int k = 0; k < 2 && program() != NULL; k++) {
        char command[512];
        snprintf(command, sizeof command,
                 "scenes/seeds/peiret-block.xml --set 'option.gravity=%s -9.81' --view top "
                 "--show basis,cones,numbers --hide labels,grid --extent 0.25 --height 420",
                 loads[k]);
        if (!draw(command)) {
            continue;
        }
        double low[2], high[2];
        const char* cone = strstr(out, "stroke-opacity=\"0.6\"");
        const char* d = cone != NULL ? strstr(cone, "d=\"") : NULL;
        if (CHECK(d != NULL)) {
            bounds_of(d + 3, low, high);
            CHECK_NEAR(high[0] - low[0], 2.0 * reach[k], 0.21);
            CHECK_NEAR(high[1] - low[1], 2.0 * reach[k], 0.21);
            CHECK_NEAR(0.5 * (low[0] + high[0]), 400.0, 0.11);
        }
        CHECK(has_text("e1") && has_text("\u2212e4"));
        CHECK(has_text(k == 0 ? "sticks" : "slips"));
    }
}

// The way of rod B in a second is wider than the bodies at its end.
TEST(paths_are_within_the_picture)
{
    if (program() == NULL || !draw("scenes/seeds/berard-4.4.xml -t 1")) {
        return;
    }
    int paths = 0;
    for (const char* at = out; (at = strstr(at, "stroke-linejoin=\"round\" stroke=")) != NULL;
         at++) {
        double low[2], high[2];
        bounds_of(strstr(at, "d=\"") + 3, low, high);
        CHECK(low[0] > 0.0 && high[0] < picture.width && low[1] > 0.0 &&
              high[1] < picture.height - 50.0);
        paths++;
    }
    CHECK_INT(paths, 3);
}

// A fork of two balls 0.3 m apart is one body, and looks like one.
TEST(balls_of_one_body_are_on_rods)
{
    static const char model[] = "<mujoco><worldbody><body><freejoint/><geom size='0.05'/>"
                                "<geom size='0.05' pos='%s 0 0'/></body></worldbody></mujoco>";
    int polygons[2] = {0};
    for (int k = 0; k < 2 && program() != NULL; k++) {
        char text[512];
        snprintf(text, sizeof text, model, k == 0 ? "0.3" : "0.08"); // apart, and in one another
        if (draw(write_file("balls.xml", text))) {
            polygons[k] = picture.paths;
        }
    }
    CHECK(program() == NULL || polygons[0] == polygons[1] + 1);
}

// ---- the pages ----------------------------------------------------------------------------------

// Have both axes of all panels a name with a unit? Numbers of steps have none.
static void check_units(const char* file)
{
    int turned = 0, below = 0;
    for (int k = 0; k < picture.texts; k++) {
        const Text* t = &picture.text[k];
        const bool unit = strchr(t->text, '(') != NULL && t->text[strlen(t->text) - 1] == ')';
        turned += strcmp(t->anchor, "turned") == 0;
        if (strcmp(t->anchor, "turned") == 0 && !CHECK(unit)) {
            test_note("%s: the axis '%s' has no unit", file, t->text);
        }
        const bool is_x =
            strcmp(t->anchor, "middle") == 0 && (unit || strcmp(t->text, "step") == 0);
        below += is_x;
    }
    if (!CHECK(turned >= 1 && below == 1)) {
        test_note("%s: %d names of y axes, %d of x axes", file, turned, below);
    }
}

// Every picture of the pages: it is XML, texts are within it, no series is empty, axes have units.
TEST(every_picture_of_the_pages_is_sound)
{
    static const char* const folders[] = {"docs/gallery", "docs/pictures"};
    int pictures = 0, plots = 0;
    for (int f = 0; f < 2; f++) {
        DIR* folder = opendir(folders[f]);
        const struct dirent* entry;
        while (CHECK(folder != NULL) && (entry = readdir(folder)) != NULL) {
            char path[512];
            const size_t size = strlen(entry->d_name);
            if (size < 5 || strcmp(entry->d_name + size - 4, ".svg") != 0) {
                continue;
            }
            snprintf(path, sizeof path, "%s/%.255s", folders[f], entry->d_name);
            FILE* file = fopen(path, "rb");
            const size_t read = CHECK(file != NULL) ? fread(out, 1, sizeof out - 1, file) : 0;
            out[read] = '\0';
            if (file != NULL) {
                fclose(file);
            }
            if (!see(out)) {
                test_note("this is %s", path);
            }
            pictures++;
            if (strstr(out, "class=\"panel\"") != NULL) {
                check_units(path);
                plots++;
            }
        }
        closedir(folder);
    }
    CHECK(pictures >= 60 && plots >= 12);
}

// ---- plots --------------------------------------------------------------------------------------

TEST(pictures_of_plots_are_sound_and_have_units)
{
    if (program() == NULL) {
        return;
    }
    char command[1024];
    const char* recording = path_in_folder("ball.utr");
    snprintf(command, sizeof command, "run scenes/seeds/igms-ball.xml --record %s", recording);
    CHECK_INT(run(command), 0);
    snprintf(command, sizeof command, "%s --x ball.x --column ball.z", recording);
    if (plot(command)) {
        CHECK(has_text("ball.x (m)") && has_text("z (m)"));
    }
    snprintf(command, sizeof command,
             "%s --panel=States --contacts state --panel=Impulses --stems --contacts pn-impact",
             recording);
    if (plot(command)) {
        CHECK(has_text("time (s)") && has_text("collision impulse (N\u00B7s)"));
        CHECK(has_text("floor / ball") && has_text("sticks") && has_text("impact"));
        CHECK(has(out, "#a6528a") && has(out, "#0072b2"));
    }
    snprintf(command, sizeof command, "%s --modes --title Modes", recording);
    if (plot(command)) {
        CHECK_TEXT(picture.kind, "modes");
        // the ball leaves after every collision but the last: one more change to bouncing than back
        CHECK(has_text("bouncing") && has_text("steady") && has_text("1 \u00D7"));
        CHECK(has_text("0 \u00D7")); // a ball at rest does not bounce again, but the machine can
    }
    snprintf(command, sizeof command, "%s --friction=floor/ball", recording);
    plot(command);
}

// A box that slides at 30 degrees, with 8 directions: the inscribed octagon has its vertices on the
// circle of 0.5 * 420 / 1.3 = 161.54 px, the circumscribed one at 161.54 / cos(22.5 degrees) = 174.85.
TEST(friction_is_drawn_within_its_polygon)
{
    if (program() == NULL) {
        return;
    }
    static const char* const formulation[] = {"stewart-trinkle", "peiret"};
    const double radius[] = {0.5 * 420.0 / 1.3, 0.5 * 420.0 / 1.3 / cos(0.39269908169872414)};
    for (int k = 0; k < 2; k++) {
        char command[512];
        const char* recording = path_in_folder("slide.utr");
        snprintf(command, sizeof command, "run slide --formulation %s -t 0.3 --record %s",
                 formulation[k], recording);
        CHECK_INT(run(command), 0);
        snprintf(command, sizeof command, "%s --friction", recording);
        if (!plot(command)) {
            continue;
        }
        const char* polygon = strstr(out, "stroke=\"#8a5a2b\"");
        const char* d = polygon != NULL ? strstr(polygon, "d=\"M") : NULL;
        double x, y;
        if (CHECK(d != NULL) && CHECK(sscanf(d, "d=\"M%lf %lf", &x, &y) == 2)) {
            CHECK_NEAR(hypot(x - picture.circle[0].x, y - picture.circle[0].y), radius[k], 0.02);
        }
        CHECK_NEAR(picture.circle[0].r, radius[0], 0.006);
        CHECK(has_unit("(1)"));
    }
}

TEST(work_and_precision_by_solver)
{
    if (program() == NULL) {
        return;
    }
    char command[512];
    snprintf(command, sizeof command, "%s --x wall_s --log-x --column E --points --by solver",
             write_file("work.csv", "solver,wall_s,E\na,1e-4,1e-6\na,1e-3,1e-12\nb,1e-4,1e-3\n"));
    if (plot(command)) {
        CHECK(has_text("a") && has_text("b") && has_text("wall_s (s)"));
        CHECK(has_text("10\u207B\u2074") && has_text("10\u207B\u00B3"));
        CHECK_INT(picture.circles, 3);
    }
    snprintf(command, sizeof command, "plot %s --x nothing --column E -o -",
             path_in_folder("work.csv"));
    CHECK_INT(run(command), 1);
    CHECK(has(err, "there is no column 'nothing'"));
}

// ---- refusals -----------------------------------------------------------------------------------

TEST(unusable_command_lines_are_named)
{
    if (program() == NULL) {
        return;
    }
    refused("stack:2", 2, "-o F.svg is missing");
    refused("stack:2 -o a.png", 2, "ends in .svg");
    refused("stack:2 -o - --view above", 2, "--view is front, back, left, right, top, iso");
    refused("stack:2 -o - --show bones", 2, "there is no part 'bones'");
    refused("stack:2 -o - --times 1,0.5", 2, "ascending");
    refused("stack:2 -o - --strip 3 --animate", 2, "only one of");
    refused("stack:2 -o - --look-at nobody", 1, "there is no such body");
    refused("nowhere.xml -o -", 1, "nowhere.xml");
    refused("nowhere.utr -o -", 1, "nowhere.utr");
    // contacts of a tolerance that no step reaches
    refused("stack:2 -o - -t 0.1 --set option.tolerance=1e-300", 3, "is not certified");
}

TEST(a_recording_of_a_changed_model_is_refused)
{
    if (program() == NULL) {
        return;
    }
    char command[1024];
    const char* model = write_file("two.xml", two_balls);
    const char* recording = path_in_folder("two.utr");
    snprintf(command, sizeof command, "run %s -t 0.01 --record %s", model, recording);
    CHECK_INT(run(command), 0);
    write_file("two.xml",
               "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
    snprintf(command, sizeof command, "%s -o -", recording);
    refused(command, 1, "is not the model of this recording any more; --model FILE");
    write_file("two2.xml", two_balls);
    snprintf(command, sizeof command, "%s --model %s", recording, path_in_folder("two2.xml"));
    draw(command);
}

#endif
