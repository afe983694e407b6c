// SPDX-License-Identifier: Apache-2.0
// Files made to exhaust a machine. The program answers each with an error, within a second of processor
// time and 64 MB of memory. The system enforces the second and twice as much address space, because
// arenas reserve more than they use.
#define _DEFAULT_SOURCE
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(hostile_files_of_the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 12, MEMORY = 64000000 };

// the promise is that of a release build; the same code takes several times as long without optimisation
#ifdef __OPTIMIZE__
enum { SECONDS = 1 };
#else
enum { SECONDS = 10 };
#endif

static char answer[ROOM];  // of the last run, from standard error
static char printed[ROOM]; // of the last run, from standard output

static void limit(int resource, rlim_t most)
{
    (void)setrlimit(resource, &(struct rlimit){most, most});
}

// Check a file under limits. @return how the program ended, as of waitpid
static int run_once(const char* path)
{
    const char* const output = path_in_folder("h.out");
    const char* const errors = path_in_folder("h.err");
    const pid_t child = fork();
    if (child == 0) {
        limit(RLIMIT_CPU, SECONDS);
        limit(RLIMIT_AS, 2 * MEMORY);
        if (freopen(output, "w", stdout) != NULL && freopen(errors, "w", stderr) != NULL) {
            execl(program(), program(), "check", path, (char*)NULL);
        }
        _exit(127);
    }
    int status = 0;
    struct rusage used = {0};
    CHECK(child > 0 && wait4(child, &status, 0, &used) == child);
    CHECK((long long)used.ru_maxrss * 1024 < MEMORY); // ru_maxrss is in units of 1024 bytes
    return status;
}

// The same, up to three times while the time runs out: the processor time of a program grows while
// others share its caches and its core, and the shortest of several runs is the program's own.
// @return the exit code; -1 after a signal, as of too much time
static int run(const char* path)
{
    int status = run_once(path);
    for (int again = 0; again < 2 && WIFSIGNALED(status); again++) {
        printf("note: signal %d ended the check of %s\n", WTERMSIG(status), path);
        status = run_once(path);
    }
    read_file("h.err", answer, sizeof answer);
    read_file("h.out", printed, sizeof printed);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Instrumented programs reserve more address space than the limit.
static bool can_run(void)
{
    if (program() == NULL) {
        return false;
    }
    if (run("scenes/stack-5.xml") != 0) {
        test_skip("the program does not start in 128 MB");
        return false;
    }
    return true;
}

static void check_rejected(const char* name, const char* reason)
{
    CHECK_INT(run(path_in_folder(name)), 1);
    CHECK(has(answer, reason));
}

// ---- writing ------------------------------------------------------------------------------------

// `head`, then `count` times `part`, then `tail`.
static void write_repeated(const char* name, const char* head, int count, const char* part,
                           const char* tail)
{
    FILE* file = fopen(path_in_folder(name), "wb");
    if (CHECK(file != NULL)) {
        fputs(head, file);
        for (int i = 0; i < count; i++) {
            fputs(part, file);
        }
        fputs(tail, file);
        fclose(file);
    }
}

static void write_bytes(const char* name, size_t size, const void* bytes)
{
    FILE* file = fopen(path_in_folder(name), "wb");
    if (CHECK(file != NULL)) {
        CHECK_INT(fwrite(bytes, 1, size, file), size);
        fclose(file);
    }
}

// A file of zeros behind its first bytes, which takes no room on most disks.
static void lengthen(const char* name, long long size)
{
    CHECK_INT(truncate(path_in_folder(name), (off_t)size), 0);
}

static void write_mesh_user(const char* name, const char* mesh)
{
    char text[256];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh name='m' file='%s'/></asset><worldbody><geom type='mesh' "
             "mesh='m'/></worldbody></mujoco>",
             mesh);
    (void)write_file(name, text);
}

static void write_heights_user(const char* name, const char* picture)
{
    char text[256];
    snprintf(text, sizeof text,
             "<mujoco><asset><hfield name='h' size='1 1 1 1' file='%s'/></asset><worldbody><geom "
             "type='hfield' hfield='h'/></worldbody></mujoco>",
             picture);
    (void)write_file(name, text);
}

// ---- XML ----------------------------------------------------------------------------------------

TEST(a_million_elements_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    write_repeated("h.xml", "<mujoco><worldbody>", 1000000, "<body>", "");
    check_rejected("h.xml", "elements nested more than 4096 deep; utLimits.depth sets the limit");
    write_repeated("h.xml", "<robot name='r'>", 1000000, "<link>", "");
    check_rejected("h.xml", "elements nested more than 4096 deep; utLimits.depth sets the limit");
    write_repeated("h.xml", "<robot name='r'>", 1000000, "<link/>", "</robot>");
    check_rejected("h.xml", "more than 100000 elements; utLimits.elements sets the limit");
    write_repeated("h.xml", "<mujoco><worldbody><replicate count='1000000000'>", 1,
                   "<geom size='1'/>", "</replicate></worldbody></mujoco>");
    check_rejected("h.xml", "more than 100000 elements; utLimits.elements sets the limit");
}

TEST(entities_and_loops_of_files_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    (void)write_file("h.xml", "<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b "
                              "'&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;'>]>"
                              "<mujoco model='&c;'/>");
    check_rejected("h.xml", "a DOCTYPE with declarations is not supported");
    (void)write_file("h.xml", "<mujoco><include file='h2.xml'/></mujoco>");
    (void)write_file("h2.xml", "<mujoco><include file='h.xml'/></mujoco>");
    check_rejected("h.xml", "is included already");
    (void)write_file("h.xml", "<mujoco><asset><model name='m' file='h2.xml'/></asset></mujoco>");
    (void)write_file("h2.xml", "<mujoco><asset><model name='m' file='h.xml'/></asset></mujoco>");
    check_rejected("h.xml", "would attach itself");
}

TEST(long_texts_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    write_repeated("h.xml", "<mujoco model='", 10000000, "a", "' modl=''/>");
    check_rejected("h.xml", "unknown attribute 'modl'");
    write_repeated("h.xml", "<mujoco><worldbody><geom size='", 5000000, "1 ",
                   "'/></worldbody></mujoco>");
    check_rejected("h.xml", "size of geom needs 1 to 3 numbers and has");
    write_repeated("h.xml", "<mujoco xmlns:x='urn:x'", 300000, " x:a=''", "/>");
    check_rejected("h.xml", "XML: duplicate attribute");
    // a text of 1 GB is not read
    write_repeated("h.xml", "<mujoco model='", 1, "a", "");
    lengthen("h.xml", 1000000000);
    check_rejected("h.xml", "more than 16777216 bytes");
    write_repeated("h.xml", "<robot name='", 1, "a", "");
    lengthen("h.xml", 1000000000);
    check_rejected("h.xml", "more than 16777216 bytes");
}

// ---- meshes and pictures ------------------------------------------------------------------------

TEST(meshes_that_claim_too_much_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    unsigned char stl[84] = {0};
    memset(stl + 80, 0xff, 4);
    write_bytes("h.stl", sizeof stl, stl);
    write_mesh_user("h.xml", "h.stl");
    check_rejected("h.xml", "the header says 4294967295 triangles");
    (void)write_file("h.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 2147483648\n");
    write_mesh_user("h.xml", "h.obj");
    check_rejected("h.xml", "h.obj:5:7: error: '2147483648' is no vertex; the file has 4");
    unsigned char msh[16];
    memset(msh, 0xff, sizeof msh);
    write_bytes("h.msh", sizeof msh, msh);
    write_mesh_user("h.xml", "h.msh");
    check_rejected("h.xml", "the header asks for 188978560996 bytes but the file has 16");
}

// Each node has ten of the next: 10^9 copies of a triangle.
TEST(collada_files_that_multiply_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    static char text[16384];
    char* at = text;
    at += sprintf(at, "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'>"
                      "<float_array count='9'>0 0 0 1 0 0 0 1 0</float_array></source>"
                      "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
                      "<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
                      "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
                      "<library_nodes>");
    for (int i = 0; i < 9; i++) {
        at += sprintf(at, "<node id='n%d'>", i);
        for (int k = 0; k < 10; k++) {
            at += i < 8 ? sprintf(at, "<instance_node url='#n%d'/>", i + 1)
                        : sprintf(at, "<instance_geometry url='#g'/>");
        }
        at += sprintf(at, "</node>");
    }
    sprintf(at, "</library_nodes><library_visual_scenes><visual_scene id='s'><node>"
                "<instance_node url='#n0'/></node></visual_scene></library_visual_scenes>"
                "<scene><instance_visual_scene url='#s'/></scene></COLLADA>");
    (void)write_file("h.dae", text);
    write_mesh_user("h.xml", "h.dae");
    check_rejected("h.xml", "h.dae:");
}

TEST(pictures_that_claim_too_much_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    // a header with its checksum, 2^31 x 1 pixels of 8 bits
    static const unsigned char wide[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,   0, 0, 13,
                                         'I',  'H', 'D', 'R', 0x80, 0,    0,    0,    0,   0, 0, 1,
                                         8,    0,   0,   0,   0,    0x75, 0xd6, 0xd5, 0x7c};
    write_bytes("h.png", sizeof wide, wide);
    write_heights_user("h.xml", "h.png");
    check_rejected("h.xml", "2147483648 x 1 pixels; utLimits.pixels allows 16000000");
    (void)write_file("h.xml", "<mujoco><asset><hfield name='h' nrow='1000000000' ncol='1000000000' "
                              "size='1 1 1 1'/></asset><worldbody><geom type='hfield' hfield='h'/>"
                              "</worldbody></mujoco>");
    check_rejected("h.xml", "1000000000 x 1000000000 heights; utLimits.pixels allows 16000000");
    // 4000 x 4000 pixels of 1 bit, which need a file of 2 kB
    static const unsigned char square[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00,
                                           0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
                                           0x0f, 0xa0, 0x00, 0x00, 0x0f, 0xa0, 0x01, 0x00, 0x00,
                                           0x00, 0x00, 0xc6, 0x04, 0xde, 0xaf};
    write_bytes("h.png", sizeof square, square);
    write_heights_user("h.xml", "h.png");
    check_rejected("h.xml", "4000 x 4000 pixels in a file of 33 bytes; beyond 1250000 pixels it "
                            "needs a byte for 4 of them");
    (void)write_file("h.xml", "<mujoco><asset><hfield name='h' nrow='4000' ncol='4000' "
                              "size='1 1 1 1'/></asset><worldbody><geom type='hfield' hfield='h'/>"
                              "</worldbody></mujoco>");
    check_rejected("h.xml",
                   "4000 x 4000 heights without elevation; a flat field has at most 1250000");
    write_repeated("h.xml",
                   "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='",
                   5000000, "1 ",
                   "'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    check_rejected("h.xml", "5000000 numbers; nrow times ncol is 4");
    static const uint32_t binary[2] = {65536, 65536}; // 2^32 numbers
    write_bytes("h.bin", sizeof binary, binary);
    write_heights_user("h.xml", "h.bin");
    check_rejected("h.xml", "the header says 65536 rows and 65536 columns, but 0 numbers follow");
}

// As many heights as a field may have without data are loaded within the memory.
TEST(large_height_fields_are_loaded_at_once)
{
    if (!can_run()) {
        return;
    }
    (void)write_file("h.xml",
                     "<mujoco><asset><hfield name='h' nrow='1000' ncol='1250' size='1 1 1 1'"
                     "/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody>"
                     "</mujoco>");
    CHECK_INT(run(path_in_folder("h.xml")), 0);
    write_bytes("h.bin", 8, (const uint32_t[2]){1000, 1250});
    lengthen("h.bin", 8 + 4 * 1250000LL);
    write_heights_user("h.xml", "h.bin");
    CHECK_INT(run(path_in_folder("h.xml")), 0);
    write_repeated("h.xml",
                   "<mujoco><asset><hfield name='h' nrow='1000' ncol='1250' size='1 1 1 1' "
                   "elevation='",
                   1250000, "1 ",
                   "'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    CHECK_INT(run(path_in_folder("h.xml")), 0);
}

// Corners on a sphere by a spiral, or on two circles: the second take time by the square of their number,
// because few of their digits are left.
static void write_corners(const char* name, int count, bool circles)
{
    FILE* file = fopen(path_in_folder(name), "wb");
    if (CHECK(file != NULL)) {
        for (int i = 0; i < count; i++) {
            const double z = circles ? i % 2 : (2 * i + 1.0) / count - 1.0;
            const double r = circles ? 1.0 : sqrt(1.0 - z * z);
            const double a = circles ? (i / 2) * (4.0 * 3.141592653589793 / count) : 2.4 * i;
            fprintf(file, "v %.8g %.8g %.8g\n", (double)(float)(r * cos(a)),
                    (double)(float)(r * sin(a)), z);
        }
        fclose(file);
    }
}

TEST(hulls_with_too_many_corners_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    write_mesh_user("h.xml", "h.obj");
    write_corners("h.obj", 20000, false);
    CHECK_INT(run(path_in_folder("h.xml")), 0);
    write_corners("h.obj", 60000, false);
    check_rejected("h.xml", "hull: more than 50000 corners; simplify the mesh");
    write_corners("h.obj", 20000, true);
    check_rejected("h.xml",
                   "hull: 20000 points take more than 100000000 comparisons; simplify the mesh");
}

// A device has no end, and a pipe waits for another program.
TEST(devices_and_pipes_are_not_read)
{
    if (!can_run()) {
        return;
    }
    (void)remove(path_in_folder("p.stl"));
    CHECK_INT(mkfifo(path_in_folder("p.stl"), 0600), 0);
    write_mesh_user("h.xml", "p.stl");
    check_rejected("h.xml", "p.stl' is a pipe; copy its bytes to a file");
    (void)remove(path_in_folder("p.stl"));
    CHECK_INT(symlink("/dev/zero", path_in_folder("p.stl")), 0);
    check_rejected("h.xml", "p.stl' is a device; copy its bytes to a file");
    (void)write_file("h.urdf", "<robot name='r'><link name='a'><collision><geometry><mesh "
                               "filename='p.stl'/></geometry></collision></link></robot>");
    check_rejected("h.urdf", "p.stl' is a device; copy its bytes to a file");
    (void)remove(path_in_folder("p.stl"));
    write_heights_user("h.xml", "/dev/zero");
    check_rejected("h.xml", "'/dev/zero' is a device; copy its bytes to a file");
    (void)write_file("h.xml", "<mujoco><include file='/dev/zero'/></mujoco>");
    check_rejected("h.xml", "'/dev/zero' is a device; copy its text to a file");
    (void)write_file("h.xml", "<mujoco><asset><model name='m' file='/dev/zero'/></asset></mujoco>");
    check_rejected("h.xml", "'/dev/zero' is a device; copy its text to a file");
    // the model itself may come through a pipe, up to its limit
    CHECK_INT(run("/dev/zero"), 1);
    CHECK(has(answer, "more than 16777216 bytes of XML; utLimits.bytes sets the limit"));
}

// ---- robots -------------------------------------------------------------------------------------

// Many notes, and many meshes of one file: the time grows with their number, not with its square.
TEST(robots_with_many_notes_and_meshes_are_answered_at_once)
{
    if (!can_run()) {
        return;
    }
    FILE* file = fopen(path_in_folder("h.urdf"), "wb");
    if (CHECK(file != NULL)) {
        fputs("<robot name='r'><link name='b'/>", file);
        for (int i = 0; i < 7000; i++) {
            fprintf(file,
                    "<link name='l%d'/><joint name='j%d' type='continuous'><parent link='b'/>"
                    "<child link='l%d'/></joint>",
                    i, i, i);
        }
        fputs("</robot>", file);
        fclose(file);
        CHECK_INT(run(path_in_folder("h.urdf")), 0);
    }
    (void)write_file("h.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    file = fopen(path_in_folder("h.urdf"), "wb");
    if (CHECK(file != NULL)) {
        fputs("<robot name='r'><link name='b'>", file);
        for (int i = 0; i < 7000; i++) {
            fprintf(file,
                    "<collision><origin xyz='%d 0 0'/><geometry><mesh filename='h.obj' scale='1 1 "
                    "1.%06d'/></geometry></collision>",
                    3 * i, i);
        }
        fputs("</link></robot>", file);
        fclose(file);
        CHECK_INT(run(path_in_folder("h.urdf")), 0);
    }
}

// The number of overlapping pairs is the square of the number of shapes: the searches stop and say so.
TEST(shapes_in_one_place_are_answered_at_once)
{
    if (!can_run()) {
        return;
    }
    write_repeated("h.xml", "<mujoco><worldbody>", 10000,
                   "<body><freejoint/><geom type='box' size='1 1 1'/></body>",
                   "</worldbody></mujoco>");
    CHECK_INT(run(path_in_folder("h.xml")), 0);
    CHECK(has(printed, "\noverlaps    at least 100000 at the start: "));
    CHECK(has(printed, "the search stopped, because more than 100000 pairs of geoms are in one "
                       "place; move them apart\n"));
    CHECK(has(printed, "the search for floors below them stopped after 20000000 pairs of geoms"));
    // shapes of one link do not collide, fixed or not
    static const char shape[] = "<collision><geometry><box size='1 1 1'/></geometry></collision>";
    write_repeated("h.urdf", "<robot name='r'><link name='a'>", 8000, shape, "</link></robot>");
    CHECK_INT(run(path_in_folder("h.urdf")), 0);
    write_repeated("h.urdf",
                   "<robot name='r'><link name='b'/><joint name='j' type='continuous'><parent "
                   "link='b'/><child link='a'/></joint><link name='a'>",
                   8000, shape, "</link></robot>");
    check_rejected("h.urdf", "h.urdf: error: more than 100000 pairs of collision shapes are in one "
                             "place where the robot begins; utLimits.pairs sets the limit");
    FILE* file = fopen(path_in_folder("h.urdf"), "wb");
    if (CHECK(file != NULL)) {
        fputs("<robot name='r'><link name='b'/>", file);
        for (int i = 0; i < 5000; i++) {
            fprintf(file,
                    "<link name='l%d'>%s</link><joint name='j%d' type='continuous'><parent "
                    "link='b'/><child link='l%d'/></joint>",
                    i, shape, i, i);
        }
        fputs("</robot>", file);
        fclose(file);
        check_rejected("h.urdf", "more than 100000 pairs of collision shapes are in one place");
    }
}

TEST(keyframes_that_multiply_are_rejected_at_once)
{
    if (!can_run()) {
        return;
    }
    write_repeated("h2.xml", "<mujoco><worldbody>", 100,
                   "<body><freejoint/><geom size='1'/></body>", "</worldbody></mujoco>");
    write_repeated("h.xml", "<mujoco><include file='h2.xml'/><keyframe>", 95000, "<key/>",
                   "</keyframe></mujoco>");
    check_rejected("h.xml", "95000 keyframes of 1300 numbers are more than 4000000 numbers; "
                            "utLimits.key_numbers sets the limit");
}

#endif
