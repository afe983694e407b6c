// SPDX-License-Identifier: Apache-2.0
// uptack render: what its pictures show and where, by hand.
//
// With --parallel, --extent E and a width of W px a metre is W / E px, and the point that the camera looks at is
// in the middle. PNG files are opened by the reader of height maps' decompression, GIF files by a reader of
// this file; both know nothing of the writers.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#if defined(__EMSCRIPTEN__)

TEST(the_command_line_for_pictures)
{
    test_skip("no program can be started here");
}

#else

#include "io/mesh/decode.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- running ------------------------------------------------------------------------------------

enum { FILE_ROOM = 1 << 22, SIDE = 900, PATH_ROOM = 1024 };

static unsigned char file[FILE_ROOM];
static size_t file_size;
static char err[1 << 14];

// @return the exit code, or -1
static int run_with(const char* environment, const char* arguments)
{
    char command[4096];
    snprintf(command, sizeof command, "cd '%s' && %s '%s' render %s >'%s' 2>'%s'", program_folder(),
             environment, program(), arguments, path_in_folder("out"), path_in_folder("err"));
    const int status = system(command);
    read_file("err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

static int run(const char* arguments)
{
    return run_with("", arguments);
}

static bool load(const char* name)
{
    FILE* f = fopen(path_in_folder(name), "rb");
    file_size = 0;
    if (!CHECK(f != NULL)) {
        return false;
    }
    file_size = fread(file, 1, sizeof file, f);
    fclose(f);
    return CHECK(file_size > 0 && file_size < sizeof file);
}

// A scene of the repository, quoted for the shell.
static const char* scene(const char* name)
{
    static char path[PATH_ROOM];
    char folder[PATH_ROOM / 2];
    snprintf(path, sizeof path, "'%s/scenes/%s'",
             CHECK(getcwd(folder, sizeof folder) != NULL) ? folder : ".", name);
    return path;
}

static bool exists(const char* name)
{
    return access(path_in_folder(name), F_OK) == 0;
}

// ---- PNG ----------------------------------------------------------------------------------------

typedef struct Picture {
    int width, height;
    unsigned char rgb[SIDE * SIDE * 3];
} Picture;

static Picture picture, other;
static unsigned char rows[SIDE * (SIDE * 3 + 1)];

static uint32_t big(const unsigned char* at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Bit by bit, as PNG's specification has it.
static uint32_t checksum(const unsigned char* data, size_t size)
{
    uint32_t c = 0xffffffffu;
    for (size_t k = 0; k < size; k++) {
        c ^= data[k];
        for (int b = 0; b < 8; b++) {
            c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        }
    }
    return ~c;
}

static void unfilter(Picture* p)
{
    const size_t size = 3 * (size_t)p->width;
    for (int y = 0; y < p->height; y++) {
        const unsigned char* from = rows + (size_t)y * (size + 1);
        unsigned char* row = p->rgb + (size_t)y * size;
        CHECK(from[0] <= 4);
        for (size_t k = 0; k < size; k++) {
            const int a = k >= 3 ? row[k - 3] : 0;
            const int b = y > 0 ? row[k - size] : 0;
            const int c = k >= 3 && y > 0 ? row[k - size - 3] : 0;
            const int e = a + b - c;
            const int da = abs(e - a), db = abs(e - b), dc = abs(e - c);
            const int guess[5] = {0, a, b, (a + b) / 2,
                                  da <= db && da <= dc ? a
                                  : db <= dc           ? b
                                                       : c};
            row[k] = (unsigned char)(from[k + 1] + guess[from[0]]);
        }
    }
}

static bool open_png(const char* name, Picture* p)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    p->width = p->height = 0;
    if (!load(name) || !CHECK(file_size > 50 && memcmp(file, signature, 8) == 0)) {
        return false;
    }
    size_t at = 8, data = 0, data_size = 0;
    bool ended = false;
    while (at + 12 <= file_size && !ended) {
        const size_t size = big(file + at);
        if (!CHECK(size <= file_size - at - 12) ||
            !CHECK(checksum(file + at + 4, size + 4) == big(file + at + 8 + size))) {
            return false;
        }
        if (memcmp(file + at + 4, "IHDR", 4) == 0) {
            p->width = (int)big(file + at + 8);
            p->height = (int)big(file + at + 12);
            CHECK(memcmp(file + at + 16, "\10\2\0\0\0", 5) == 0);
        } else if (memcmp(file + at + 4, "IDAT", 4) == 0) {
            data = at + 8;
            data_size = size;
        }
        ended = memcmp(file + at + 4, "IEND", 4) == 0;
        at += size + 12;
    }
    if (!CHECK(ended && at == file_size) ||
        !CHECK(p->width > 0 && p->width <= SIDE && p->height > 0 && p->height <= SIDE)) {
        return false;
    }
    utError error = {0};
    utArena keep = test_arena();
    const utLimits limits = ut_limits();
    const Decode d = {{(const char*)file, file_size}, name, &limits, &keep, &error};
    const size_t bytes = ((size_t)p->width * 3 + 1) * (size_t)p->height;
    if (!CHECK(ut_inflate(&d, (utText){(const char*)file + data, data_size}, data, rows, bytes) ==
               UT_OK)) {
        return false;
    }
    unfilter(p);
    return true;
}

static const unsigned char* pixel(const Picture* p, int x, int y)
{
    static const unsigned char none[3] = {1, 2, 3};
    const bool inside = x >= 0 && x < p->width && y >= 0 && y < p->height;
    return CHECK(inside) ? p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x) : none;
}

static bool is_color(const Picture* p, int x, int y, int red, int green, int blue, int tolerance)
{
    const unsigned char* c = pixel(p, x, y);
    const bool same = abs(c[0] - red) <= tolerance && abs(c[1] - green) <= tolerance &&
                      abs(c[2] - blue) <= tolerance;
    if (!same) {
        test_note("pixel %d %d is %d %d %d, not %d %d %d", x, y, c[0], c[1], c[2], red, green,
                  blue);
    }
    return same;
}

static bool is_white(const Picture* p, int x, int y)
{
    return is_color(p, x, y, 255, 255, 255, 0);
}

// Render to a PNG and open it.
static bool make(const char* arguments, Picture* p)
{
    char all[2048];
    snprintf(all, sizeof all, "%s -o a.png", arguments);
    (void)path_in_folder("a.png");
    const int code = run(all);
    if (!CHECK_INT(code, 0)) {
        test_note("%s: %s", arguments, err);
        return false;
    }
    return open_png("a.png", p);
}

// ---- outlines -----------------------------------------------------------------------------------

#define FRONT " --parallel --view front --look-at 0,0,0 --hide all --no-shadows"
#define FREE(body) "<body><freejoint/>" body "</body>"
#define WORLD(bodies) "<mujoco><option gravity='0 0 0'/><worldbody>" bodies "</worldbody></mujoco>"

// The area that is not white, and its extent, in px.
typedef struct Extent {
    double area;
    int left, right, top, bottom;
} Extent;

static Extent measure(const Picture* p)
{
    Extent e = {0.0, p->width, -1, p->height, -1};
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            const unsigned char* c = pixel(p, x, y);
            if (c[0] < 255 || c[1] < 255 || c[2] < 255) {
                e.area += 1.0;
                e.left = x < e.left ? x : e.left;
                e.right = x > e.right ? x : e.right;
                e.top = y < e.top ? y : e.top;
                e.bottom = y > e.bottom ? y : e.bottom;
            }
        }
    }
    return e;
}

static const double PI = 3.14159265358979323846;

TEST(the_outline_of_a_ball_is_a_circle_of_its_radius)
{
    if (program() == NULL) {
        return;
    }
    write_file("ball.xml", WORLD(FREE("<geom size='0.4'/>")));
    // 400 px per m: a radius of 160 px, and half a pixel for the line around it
    if (make("ball.xml --size 800x600 --extent 2" FRONT, &picture)) {
        const Extent e = measure(&picture);
        CHECK_NEAR(e.right - e.left + 1, 320.0, 2.01);
        CHECK_NEAR(e.bottom - e.top + 1, 320.0, 2.01);
        CHECK_NEAR(0.5 * (e.left + e.right), 399.5, 0.6);
        CHECK_NEAR(0.5 * (e.top + e.bottom), 299.5, 0.6);
        CHECK_NEAR(e.area, PI * 160.5 * 160.5, 0.01 * PI * 160.5 * 160.5);
    }
    // With an angle of view of 90 degrees the eye is D = 0.6 * 0.8 + 0.8 = 1.28 m away, and the outline of the
    // ball has the radius r D / sqrt(D^2 - r^2) = 0.421 m in the plane of its middle.
    if (make("ball.xml --size 800x600 --extent 2 --perspective=90 --view front --look-at 0,0,0 "
             "--hide all",
             &picture)) {
        const Extent e = measure(&picture);
        const double r = 400.0 * 0.4 * 1.28 / sqrt(1.28 * 1.28 - 0.4 * 0.4);
        CHECK_NEAR(r, 168.4, 0.1);
        CHECK_NEAR(e.right - e.left + 1, 2.0 * r, 2.01);
        CHECK_NEAR(e.bottom - e.top + 1, 2.0 * r, 2.01);
    }
}

TEST(every_kind_of_shape_has_its_extent)
{
    static const struct {
        const char* geom;
        double half_width, half_height; // m, seen along +y
    } shapes[] = {
        {"<geom type='box' size='0.3 0.1 0.2'/>", 0.3, 0.2},
        {"<geom type='capsule' size='0.1 0.2'/>", 0.1, 0.3},
        {"<geom type='cylinder' size='0.2 0.3'/>", 0.2, 0.3},
        {"<geom type='ellipsoid' size='0.3 0.1 0.15'/>", 0.3, 0.15},
        {"<geom type='box' size='0.2 0.2 0.2' euler='0 45 0'/>", 0.282843, 0.282843},
        {"<geom type='mesh' mesh='m'/>", 0.25, 0.25},
    };
    if (program() == NULL) {
        return;
    }
    // a tetrahedron with corners of a cube, whose outline along y is a square of 0.5 m
    write_file("m.obj", "v -1 -1 -1\nv 1 1 -1\nv 1 -1 1\nv -1 1 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\n"
                        "f 2 4 3\n");
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "<mujoco><compiler angle='degree' inertiafromgeom='true'/><option gravity='0 0 0'/>"
            "<asset><mesh name='m' file='m.obj' scale='.25 .25 .25'/></asset>"
            "<worldbody>" FREE("%s") "</worldbody></mujoco>",
            shapes[k].geom);
        write_file("shape.xml", text);
        if (!make("shape.xml --size 400x400 --extent 1" FRONT, &picture)) {
            continue;
        }
        const Extent e = measure(&picture);
        if (!CHECK_NEAR(e.right - e.left + 1, 800.0 * shapes[k].half_width, 2.01) ||
            !CHECK_NEAR(e.bottom - e.top + 1, 800.0 * shapes[k].half_height, 2.01)) {
            test_note("%s", shapes[k].geom);
        }
    }
}

// ---- colours ------------------------------------------------------------------------------------

// The lamp: up, 0.4 to the left of the camera, 0.7 toward it. A face that looks at the camera has the light
// 0.5 + 0.6 * 0.7 / sqrt(1 + 0.16 + 0.49) of its colour, in squares of its values.
static int lit(int value)
{
    const double share = 0.5 + 0.6 * 0.7 / sqrt(1.0 + 0.4 * 0.4 + 0.7 * 0.7);
    return (int)(value * sqrt(share) + 0.5);
}

TEST(a_face_has_the_colour_of_its_body_in_the_light_of_the_lamp)
{
    if (program() == NULL) {
        return;
    }
    write_file("box.xml", WORLD(FREE("<geom type='box' size='0.25 0.25 0.25'/>")));
    if (make("box.xml --size 400x300 --extent 1" FRONT, &picture)) {
        // the colour of the first body, 197 215 232
        CHECK(is_color(&picture, 200, 150, lit(197), lit(215), lit(232), 1));
        CHECK(is_color(&picture, 105, 55, lit(197), lit(215), lit(232), 1));
        // the edges are at 100 and 300, and at 50 and 250
        CHECK(is_white(&picture, 97, 150) && is_white(&picture, 302, 150));
        CHECK(is_white(&picture, 200, 47) && is_white(&picture, 200, 252));
    }
    // the side that turns away from the lamp, seen from the right of it
    if (make("box.xml --size 400x300 --extent 1 --parallel --view 0,0 --look-at 0,0,0 --hide all",
             &picture)) {
        CHECK(is_color(&picture, 200, 150, lit(197), lit(215), lit(232), 1));
    }
    // from below there is no lamp: 0.5 - 0.1
    if (make("box.xml --size 400x300 --extent 1 --parallel --view=-90,-90 --look-at 0,0,0 "
             "--hide all",
             &picture)) {
        const int red = (int)(197 * sqrt(0.4) + 0.5), blue = (int)(232 * sqrt(0.4) + 0.5);
        CHECK(is_color(&picture, 200, 150, red, (int)(215 * sqrt(0.4) + 0.5), blue, 1));
    }
}

// ---- hidden surfaces ----------------------------------------------------------------------------

static bool is_blue(const Picture* p, int x, int y) // the first body
{
    const unsigned char* c = pixel(p, x, y);
    return c[2] > c[0] + 20;
}

static bool is_tan(const Picture* p, int x, int y) // the second body
{
    const unsigned char* c = pixel(p, x, y);
    return c[0] > c[2] + 20;
}

TEST(the_nearer_body_hides_the_farther_one_from_both_sides)
{
    if (program() == NULL) {
        return;
    }
    // the first one is in front, at y = -0.5, for the camera that looks along +y
    write_file("two.xml",
               WORLD("<body pos='0 -.5 0'><freejoint/><geom type='box' size='.2 .1 .2'/></body>"
                     "<body pos='.1 .5 0'><freejoint/><geom type='box' size='.2 .1 .2'/>"
                     "</body>"));
    if (make("two.xml --size 400x300 --extent 1" FRONT, &picture)) {
        CHECK(is_blue(&picture, 200, 150) && is_blue(&picture, 270, 150));
        CHECK(is_tan(&picture, 300, 150));
    }
    if (make("two.xml --size 400x300 --extent 1 --parallel --view back --look-at 0,0,0 --hide all",
             &picture)) {
        // mirrored: the second one is in front and extends to the left
        CHECK(is_tan(&picture, 200, 150) && is_tan(&picture, 90, 150));
        CHECK(is_blue(&picture, 270, 150));
    }
}

TEST(plates_that_cross_hide_each_other_by_halves)
{
    if (program() == NULL) {
        return;
    }
    // turned by +45 and -45 degrees about z: left of the middle the first one is nearer, right of it the second
    write_file("cross.xml",
               "<mujoco><compiler angle='degree'/><option gravity='0 0 0'/><worldbody>"
               "<body euler='0 0 45'><freejoint/><geom type='box' size='.4 .01 .2' contype='0' "
               "conaffinity='0'/></body>"
               "<body euler='0 0 -45'><freejoint/><geom type='box' size='.4 .01 .2' contype='0' "
               "conaffinity='0'/></body></worldbody></mujoco>");
    static const char* const views[] = {"--parallel", "--perspective=60"};
    for (int k = 0; k < 2; k++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "cross.xml --size 400x300 --extent 1 %s --view front --look-at 0,0,0 --hide all "
                 "--no-shadows",
                 views[k]);
        if (make(arguments, &picture)) {
            CHECK(is_blue(&picture, 120, 150) && is_blue(&picture, 190, 150));
            CHECK(is_tan(&picture, 210, 150) && is_tan(&picture, 280, 150));
        }
    }
}

TEST(a_wall_of_the_world_lets_a_body_behind_it_be_seen)
{
    if (program() == NULL) {
        return;
    }
    write_file("wall.xml", WORLD("<geom type='box' pos='0 -1 0' size='.3 .05 .3'/>" FREE(
                               "<geom type='box' size='.1 .1 .1'/>")));
    if (make("wall.xml --size 400x300 --extent 1 --parallel --view front --look-at 0,0,0 "
             "--no-shadows",
             &picture)) {
        const unsigned char* seen = pixel(&picture, 200, 150);
        const unsigned char* wall = pixel(&picture, 110, 150);
        CHECK(seen[2] - seen[0] > 15); // blue
        CHECK(abs(wall[2] - wall[0]) < 12 && wall[0] < 250);
    }
}

// ---- floors and shadows -------------------------------------------------------------------------

TEST(a_body_casts_a_shadow_on_the_floor_away_from_the_lamp)
{
    if (program() == NULL) {
        return;
    }
    write_file("floor.xml",
               "<mujoco><option gravity='0 0 -1e-9'/><worldbody><geom type='plane' size='1 1 1'/>"
               "<body pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
               "</worldbody></mujoco>");
    // From above, 200 px per m. The lamp is up and 0.4 to the left: the top of the box at z = 0.6 throws its
    // shadow 0.24 m to the right, the bottom at 0.4 0.16 m.
    const char* const view = "floor.xml --size 400x400 --extent 2 --parallel --view=-90,90 "
                             "--look-at 0,0,0.5 --hide grid,forces,cones,contacts";
    char without[512];
    snprintf(without, sizeof without, "%s --no-shadows", view);
    if (!make(view, &picture) || !make(without, &other)) {
        return;
    }
    const int shadow = 200 + (int)(200 * (0.1 + 0.2 * 0.4)), beyond = 200 + (int)(200 * 0.37);
    CHECK(pixel(&picture, shadow, 200)[0] + 25 < pixel(&other, shadow, 200)[0]);
    CHECK_INT(pixel(&picture, beyond, 200)[0], pixel(&other, beyond, 200)[0]);
    const int left = 200 - (int)(200 * 0.14);
    CHECK_INT(pixel(&picture, left, 200)[0], pixel(&other, left, 200)[0]);
    // the top of the box is in the light
    CHECK_INT(pixel(&picture, 200, 200)[0], pixel(&other, 200, 200)[0]);
}

TEST(the_lines_of_the_grid_go_through_the_origin)
{
    if (program() == NULL) {
        return;
    }
    write_file("far.xml",
               "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
               "<body pos='0 0 .1'><freejoint/><geom size='.01'/></body></worldbody></mujoco>");
    // 2 m wide: lines every 0.2 m, 40 px apart, from above
    if (make("far.xml --size 400x400 --extent 2 --parallel --view=-90,90 --look-at 0,0,0 "
             "--no-shadows",
             &picture)) {
        for (int k = -3; k <= 3; k++) {
            const int x = 200 + 40 * k;
            const int on = pixel(&picture, x, 215)[0] < pixel(&picture, x - 1, 215)[0]
                               ? pixel(&picture, x, 215)[0]
                               : pixel(&picture, x - 1, 215)[0];
            CHECK(on + 15 < pixel(&picture, x + 12, 215)[0]);
            CHECK(on + 15 < pixel(&picture, x - 12, 215)[0]);
        }
    }
}

// ---- planar worlds and contacts -----------------------------------------------------------------

#define PLANAR(rest, speed)                                                                     \
    "<mujoco xmlns:ut='urn:uptack'><option timestep='.001' gravity='0 0 -10' ut:planar='xz'/>"  \
    "<worldbody><geom type='plane' size='1 1 1' friction='.5'/><body pos='0 0 .2'><freejoint/>" \
    "<geom type='box' size='.2 .2 .2' friction='.5'/></body></worldbody>" rest "</mujoco>"

TEST(a_planar_world_is_a_figure_with_the_plain_colours_of_its_contacts)
{
    if (program() == NULL) {
        return;
    }
    write_file("rest.xml", PLANAR("", ));
    write_file("slide.xml",
               PLANAR("<keyframe><key name='start' qpos='0 .2 0' qvel='1 0 0'/></keyframe>", ));
    const char* const options = "--size 800x600 --extent 1 --look-at 0,0,.2 --at .01 --hide cones";
    char arguments[512];
    // 800 px per m: the box is from 240 to 560, and from 140 to 460
    snprintf(arguments, sizeof arguments, "rest.xml %s", options);
    if (make(arguments, &picture)) {
        CHECK(is_color(&picture, 400, 300, 197, 215, 232, 0));
        CHECK(is_color(&picture, 245, 145, 197, 215, 232, 0));
        CHECK(is_white(&picture, 235, 300) && is_white(&picture, 565, 300));
        // the contacts at the lower corners stick: blue 0 114 178; the ground is a line with hatching
        CHECK(is_color(&picture, 240, 460, 0, 114, 178, 0));
        CHECK(is_color(&picture, 560, 460, 0, 114, 178, 0));
        CHECK(is_color(&picture, 240, 440, 0, 114, 178, 0)); // the arrow, upwards
        CHECK(pixel(&picture, 700, 459)[0] < 180);
        CHECK(is_white(&picture, 700, 452) && is_white(&picture, 700, 480));
    }
    snprintf(arguments, sizeof arguments, "slide.xml %s", options);
    if (make(arguments, &picture)) {
        // 1 cm further, sliding: orange 230 159 0
        CHECK(is_color(&picture, 248, 460, 230, 159, 0, 0));
        CHECK(is_color(&picture, 568, 460, 230, 159, 0, 0));
    }
}

TEST(bodies_without_geoms_springs_and_strings_are_seen)
{
    if (program() == NULL) {
        return;
    }
    char arguments[PATH_ROOM + 64];
    snprintf(arguments, sizeof arguments, "%s --at 0.7 --size 640x360",
             scene("seeds/berard-4.6.xml"));
    if (make(arguments, &picture)) {
        // the colours of the rod and of the particle at its end, the second and the fourth body
        int rod = 0, line = 0;
        for (int k = 0; k < picture.width * picture.height; k++) {
            const unsigned char* c = picture.rgb + 3 * k;
            rod += c[0] == 238 && c[1] == 214 && c[2] == 178;
            line += c[0] == 55 && c[1] == 66 && c[2] == 74;
        }
        CHECK(rod > 300);
        CHECK(line > 100);
    }
}

// ---- GIF ----------------------------------------------------------------------------------------

enum { MAX_FRAMES = 64 };

// A reader of GIF files: frames one after another, as a browser shows them.
typedef struct Gif {
    size_t at;
    int width, height, frames, hundredths;
    bool forever;
    unsigned char palette[256][3];
    unsigned char shown[SIDE * SIDE]; // palette entries
    int transparent;
    double middle[MAX_FRAMES]; // mean column of what is dark
} Gif;

static Gif gif;
static unsigned char codes[FILE_ROOM], entries[SIDE * SIDE + 1];

static int u16(const unsigned char* at)
{
    return at[0] | at[1] << 8;
}

// Join sub-blocks. @return their size
static size_t join_blocks(void)
{
    size_t size = 0;
    while (gif.at < file_size && file[gif.at] != 0) {
        memcpy(codes + size, file + gif.at + 1, file[gif.at]);
        size += file[gif.at];
        gif.at += 1 + (size_t)file[gif.at];
    }
    gif.at++;
    return size;
}

// LZW with strings as links to a shorter one. @return the number of entries
static size_t unpack(size_t size, int first_bits, size_t room)
{
    static int link[4096];
    static unsigned char last[4096], turned[4096];
    const int clear = 1 << first_bits, end = clear + 1;
    int bits = first_bits + 1, next = end + 1, before = -1;
    size_t out = 0;
    unsigned char head = 0;
    for (size_t bit = 0; bit + (size_t)bits <= 8 * size;) {
        int code = 0;
        for (int k = 0; k < bits; k++, bit++) {
            code |= (codes[bit / 8] >> bit % 8 & 1) << k;
        }
        if (code == end) {
            return out;
        }
        if (code == clear) {
            bits = first_bits + 1;
            next = end + 1;
            before = -1;
            continue;
        }
        if (!CHECK(code < next || (code == next && before >= 0))) {
            return 0;
        }
        int count = 0, at = code == next ? before : code;
        for (; at >= clear; at = link[at]) {
            turned[count++] = last[at];
        }
        turned[count++] = (unsigned char)at;
        const unsigned char old_head = head;
        head = (unsigned char)at;
        for (int k = count - 1; k >= 0 && out < room; k--) {
            entries[out++] = turned[k];
        }
        if (code == next && out < room) {
            entries[out++] = old_head;
        }
        if (before >= 0 && next < 4096) {
            link[next] = before;
            last[next] = code == next ? old_head : head;
            next++;
        }
        bits += next == 1 << bits && bits < 12;
        before = code;
    }
    CHECK(!"the codes have an end");
    return 0;
}

static void take_frame(void)
{
    const unsigned char* head = file + gif.at;
    const int left = u16(head), top = u16(head + 2), width = u16(head + 4), height = u16(head + 6);
    if (!CHECK(left + width <= gif.width && top + height <= gif.height && width > 0 &&
               height > 0) ||
        !CHECK(head[8] == 0 && gif.frames < MAX_FRAMES)) {
        gif.at = file_size;
        return;
    }
    const int bits = head[9];
    gif.at += 10;
    const size_t room = (size_t)width * (size_t)height;
    CHECK_INT(unpack(join_blocks(), bits, room), room);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const unsigned char entry = entries[y * width + x];
            if (entry != gif.transparent) {
                gif.shown[(top + y) * gif.width + left + x] = entry;
            }
        }
    }
    double sum = 0.0, count = 0.0;
    for (int k = 0; k < gif.width * gif.height; k++) {
        if (gif.palette[gif.shown[k]][0] < 235) {
            sum += k % gif.width + 0.5;
            count += 1.0;
        }
    }
    gif.middle[gif.frames++] = count > 0.0 ? sum / count : -1.0;
}

static bool open_gif(const char* name)
{
    memset(&gif, 0, sizeof gif);
    if (!load(name) || !CHECK(file_size > 800 && memcmp(file, "GIF89a", 6) == 0) ||
        !CHECK(file[10] == 0xf7)) {
        return false;
    }
    gif.width = u16(file + 6);
    gif.height = u16(file + 8);
    memcpy(gif.palette, file + 13, sizeof gif.palette);
    gif.at = 13 + 768;
    gif.transparent = -1;
    while (gif.at < file_size && file[gif.at] != ';') {
        const unsigned char kind = file[gif.at++];
        if (kind == ',') {
            take_frame();
        } else if (CHECK(kind == 0x21) && file[gif.at] == 0xf9) {
            gif.hundredths += u16(file + gif.at + 3);
            gif.transparent = (file[gif.at + 2] & 1) != 0 ? file[gif.at + 5] : -1;
            CHECK_INT(file[gif.at + 2] >> 2 & 7, 1); // the frame stays
            gif.at++;
            (void)join_blocks();
        } else {
            gif.at++;
            gif.forever = join_blocks() == 14 && memcmp(codes, "NETSCAPE2.0", 11) == 0;
        }
    }
    return CHECK(gif.at == file_size - 1);
}

#define MOVING                                                                      \
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><freejoint/>" \
    "<geom size='.05'/></body></worldbody>"                                         \
    "<keyframe><key name='start' qpos='-.3 0 0 1 0 0 0' qvel='.6 0 0 0 0 0'/></keyframe></mujoco>"

TEST(a_gif_shows_the_motion_frame_by_frame)
{
    if (program() == NULL) {
        return;
    }
    write_file("move.xml", MOVING);
    (void)path_in_folder("a.gif");
    // 0.6 m/s, 320 px per m: in 1/30 s 6.4 px
    if (CHECK_INT(run("move.xml -o a.gif -t 1 --fps 30 --size 320x200 --extent 1" FRONT), 0) &&
        open_gif("a.gif")) {
        CHECK_INT(gif.width, 320);
        CHECK_INT(gif.height, 200);
        CHECK_INT(gif.frames, 31);
        CHECK_INT(gif.hundredths, 103); // 31 / 30 s
        CHECK(gif.forever);
        for (int k = 0; k < gif.frames; k++) {
            // the state nearest to k / 30 s
            const double t = 0.01 * floor(100.0 * k / 30.0 + 0.5);
            CHECK_NEAR(gif.middle[k], 160.0 + 320.0 * (-0.3 + 0.6 * t), 0.8);
        }
    }
    // every 10th step, from a recording made in the same way
    if (CHECK_INT(run("move.xml -o a.gif -t 1 --every 10 --fps 5 --size 320x200 --extent 1" FRONT),
                  0) &&
        open_gif("a.gif")) {
        CHECK_INT(gif.frames, 11);
        CHECK_INT(gif.hundredths, 220);
        CHECK_NEAR(gif.middle[10], 160.0 + 320.0 * 0.3, 0.8);
    }
}

TEST(the_palette_of_a_gif_is_near_the_colours_of_the_picture)
{
    if (program() == NULL) {
        return;
    }
    char arguments[PATH_ROOM + 64];
    snprintf(arguments, sizeof arguments, "%s -o a.gif -t 0 --size 640x360",
             scene("quadruped.xml"));
    // with its shadows it has more than 4096 strings, so that the table of codes becomes full
    if (!CHECK_INT(run(arguments), 0) || !open_gif("a.gif") || !CHECK_INT(gif.frames, 2)) {
        return;
    }
    CHECK(file_size > 20000);
    snprintf(arguments, sizeof arguments, "%s --at 0 --size 640x360 --samples 2",
             scene("quadruped.xml"));
    if (!make(arguments, &picture)) {
        return;
    }
    double sum = 0.0;
    int most = 0;
    for (int k = 0; k < 640 * 360; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int d = abs(picture.rgb[3 * k + axis] - gif.palette[gif.shown[k]][axis]);
            most = d > most ? d : most;
            sum += d;
        }
    }
    test_note("a GIF's colours differ by %.2f of 255 in the mean, at most %d",
              sum / (3.0 * 640.0 * 360.0), most);
    CHECK(sum / (3.0 * 640.0 * 360.0) < 1.5);
    CHECK(most < 40);
}

// ---- MP4 ----------------------------------------------------------------------------------------

// In place of ffmpeg: keeps the pictures as they come.
#define KEEPS "#!/bin/sh\nfor last; do :; done\nexec cat >\"$last\"\n"
#define FAILS "#!/bin/sh\nhead -c 1000 >/dev/null\necho 'no encoder' >&2\nexit 1\n"

TEST(ffmpeg_gets_every_picture_and_its_absence_is_explained)
{
    if (program() == NULL) {
        return;
    }
    write_file("move.xml", MOVING);
    (void)path_in_folder("a.mp4");
    (void)path_in_folder("a.mp4.part");
    const char* const film = "move.xml -o a.mp4 -t .1 --fps 20 --size 320x200 --samples 2";
    CHECK_INT(run_with("PATH=/nonexistent", film), 1);
    CHECK_TEXT(err,
               "a.mp4: error: needs the program ffmpeg, which is not installed; install it, or "
               "write a .gif\n");
    CHECK(!exists("a.mp4") && !exists("a.mp4.part"));

    write_file("ffmpeg", KEEPS);
    CHECK(chmod(path_in_folder("ffmpeg"), 0700) == 0);
    CHECK_INT(run_with("PATH=\"$PWD:$PATH\"", film), 0);
    CHECK(!exists("a.mp4.part"));
    const size_t size = 320 * 200 * 3;
    if (load("a.mp4") && CHECK_INT(file_size, 3 * size)) {
        CHECK(memcmp(file, file + 2 * size, size) != 0); // it moves
    }
    // a film without duration is two pictures of the start
    CHECK_INT(run_with("PATH=\"$PWD:$PATH\"", "move.xml -o a.mp4 -t 0 --size 320x200"), 0);
    if (make("move.xml --at 0 --size 320x200 --samples 2", &picture) && load("a.mp4")) {
        CHECK_INT(file_size, 2 * size);
        CHECK(memcmp(file, picture.rgb, size) == 0);
        CHECK(memcmp(file + size, picture.rgb, size) == 0);
    }
    write_file("ffmpeg", FAILS);
    CHECK_INT(run_with("PATH=\"$PWD:$PATH\"", film), 1);
    CHECK(has(err, "no encoder"));
    CHECK(has(err, "a.mp4: error: ffmpeg "));
    CHECK(!exists("a.mp4.part"));
    CHECK_INT(run("move.xml -o a.mp4 --size 321x200"), 2);
}

TEST(an_mp4_has_the_motion_when_ffmpeg_reads_it_again)
{
    if (program() == NULL) {
        return;
    }
    if (system("ffmpeg -version >/dev/null 2>&1") != 0) {
        test_skip("ffmpeg is not installed");
        return;
    }
    write_file("move.xml", MOVING);
    (void)path_in_folder("a.mp4");
    (void)path_in_folder("raw");
    const char* const film = "move.xml -o a.mp4 -t .5 --fps 10 --size 320x200 --extent 1" FRONT;
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && ffmpeg -v error -y -i a.mp4 -f rawvideo -pix_fmt gray raw </dev/null",
             program_folder());
    const size_t size = 320 * 200;
    if (!CHECK_INT(run(film), 0) || !CHECK(system(command) == 0) || !load("raw") ||
        !CHECK_INT(file_size, 6 * size)) {
        return;
    }
    for (int k = 0; k < 6; k++) {
        double sum = 0.0, count = 0.0;
        for (size_t i = 0; i < size; i++) {
            const bool dark = file[(size_t)k * size + i] < 235;
            sum += dark ? (double)(i % 320) + 0.5 : 0.0;
            count += dark;
        }
        // 0.06 m per picture, 320 px per m
        CHECK_NEAR(sum / count, 160.0 + 320.0 * (-0.3 + 0.06 * k), 1.5);
    }
}

// ---- files --------------------------------------------------------------------------------------

static bool same_files(const char* a, const char* b)
{
    static unsigned char first[FILE_ROOM];
    if (!load(a)) {
        return false;
    }
    const size_t size = file_size;
    memcpy(first, file, size);
    return load(b) && file_size == size && memcmp(first, file, size) == 0;
}

TEST(the_same_input_gives_the_same_bytes_also_from_a_recording)
{
    if (program() == NULL) {
        return;
    }
    char command[1024];
    write_file("move.xml", MOVING);
    const char* const names[] = {"a.png", "b.png", "c.png", "run.utr", "strip.png"};
    for (int k = 0; k < 5; k++) {
        (void)path_in_folder(names[k]);
    }
    CHECK_INT(run("stack:3 -o a.png -t .1 --size 400x300"), 0);
    CHECK_INT(run("stack:3 -o b.png --at .1 --size 400x300 --json"), 0);
    CHECK(same_files("a.png", "b.png"));
    snprintf(command, sizeof command,
             "cd '%s' && '%s' run stack:3 -t .2 --record run.utr >/dev/null", program_folder(),
             program());
    CHECK(system(command) == 0);
    CHECK_INT(run("run.utr -o c.png --at .1 --size 400x300"), 0);
    CHECK(same_files("a.png", "c.png"));
    char json[512];
    CHECK_INT(run("run.utr -o strip.png --strip 4 --size 400x300 --json"), 0);
    read_file("out", json, sizeof json);
    CHECK(has(json, "\"pictures\":4,\"first\":0,\"last\":0.2"));
    CHECK(open_png("strip.png", &picture));
    CHECK(picture.width == 400 && picture.height == 300);
}

TEST(a_film_that_is_stopped_leaves_nothing_behind)
{
    if (program() == NULL) {
        return;
    }
    write_file("move.xml", MOVING);
    (void)path_in_folder("long.gif");
    (void)path_in_folder("long.gif.part");
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(program_folder()) == 0 && freopen("err", "wb", stderr) != NULL) {
            execl(program(), "uptack", "render", "move.xml", "-o", "long.gif", "-t", "60", "--fps",
                  "100", (char*)NULL);
        }
        _exit(99);
    }
    struct stat status;
    for (int k = 0; k < 6000; k++) {
        if (stat(path_in_folder("long.gif.part"), &status) == 0 && status.st_size > 0) {
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    CHECK(kill(child, SIGINT) == 0);
    int code = 0;
    CHECK(waitpid(child, &code, 0) == child);
    CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 130);
    CHECK(!exists("long.gif") && !exists("long.gif.part"));
}

TEST(wrong_command_lines_and_unusable_files_are_explained)
{
    static const struct {
        int code;
        const char *arguments, *message;
    } cases[] = {
        {2, "stack:2", "-o FILE is missing"},
        {2, "stack:2 -o a.jpg", "-o needs a name that ends in .png, .gif or .mp4, not 'a.jpg'"},
        {2, "stack:2 -o a.png --size 10x10", "--size is WIDTHxHEIGHT with sides from 16 to 8192"},
        {2, "stack:2 -o a.png --size 640", "--size is WIDTHxHEIGHT"},
        {2, "stack:2 -o a.gif --at 1", "--strip and --at make a single picture, which is a .png"},
        {2, "stack:2 -o a.png --at 1 --strip 2", "--strip and --at do not fit together"},
        {2, "stack:2 -o a.png --every 2", "--every is for a .gif or .mp4"},
        {2, "stack:2 -o a.png --view up", "--view is front, back"},
        {2, "stack:2 -o a.png --show bodies", "there is no part 'bodies' of a picture"},
        {2, "stack:2 -o a.png --samples 9", "--samples is a whole number from 1 to 8"},
        {1, "none.xml -o a.png", "none.xml: error: "},
        {1, "stack:2 -o none/a.png", "none/a.png.part: error: cannot be written"},
        {1, "stack:2 -o a.gif -t 1e4", "would have 250001 pictures, more than 20000"},
        {1, "stack:2 -o a.png --look-at nobody", "there is no such body"},
    };
    if (program() == NULL) {
        return;
    }
    (void)unlink(path_in_folder("a.png"));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!CHECK_INT(run(cases[k].arguments), cases[k].code) ||
            !CHECK(has(err, cases[k].message))) {
            test_note("%s", cases[k].arguments);
        }
    }
    CHECK(!exists("a.png") && !exists("a.png.part"));
}

#endif
