// SPDX-License-Identifier: Apache-2.0
// uptack replay and uptack certify as a user meets them, columns of what a run knows, and arrays of a
// recording.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_replays)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uptack/base.h>
#include <uptack/scenes.h>

#ifdef UPTACK_HAVE_HDF5
#include <hdf5.h>
#endif

enum { ROOM = 1 << 16, RECORDING_ROOM = 1 << 22 };

static char out[ROOM], err[ROOM];

// A recording in memory.
static unsigned char bytes[RECORDING_ROOM];
static size_t size;

// Run the program in the root of the repository. @return its exit code, or -1
static int run(const char* before, const char* arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "%s '%s' %s >'%s' 2>'%s'", before, program(), arguments,
             path_in_folder("out"), path_in_folder("err"));
    const int status = system(command);
    read_file("out", out, sizeof out);
    read_file("err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// `run ARGUMENTS --record r.utr`
static int record(const char* arguments)
{
    char line[1024];
    snprintf(line, sizeof line, "run %s --record %s", arguments, path_in_folder("r.utr"));
    return run("", line);
}

// A verb on a file of the folder.
static int use(const char* verb, const char* file)
{
    char line[1024];
    snprintf(line, sizeof line, "%s %s", verb, path_in_folder(file));
    return run("", line);
}

// ---- bytes of a recording -----------------------------------------------------------------------

static void load_recording(void)
{
    FILE* f = fopen(path_in_folder("r.utr"), "rb");
    size = 0;
    if (CHECK(f != NULL)) {
        size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
    }
    CHECK(size > 0 && size < sizeof bytes);
}

static void save_recording(const char* name)
{
    FILE* f = fopen(path_in_folder(name), "wb");
    if (CHECK(f != NULL)) {
        CHECK_INT(fwrite(bytes, 1, size, f), size);
        fclose(f);
    }
}

static uint64_t u64_at(size_t at)
{
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++) {
        value |= (uint64_t)bytes[at + i] << (8 * i);
    }
    return value;
}

static uint32_t kind_at(size_t at)
{
    return (uint32_t)(u64_at(at) & 0xffffffff);
}

static size_t next_record(size_t at)
{
    return at + 24 + (size_t)u64_at(at + 8);
}

// Make all checksums right again.
static void seal(void)
{
    for (size_t at = 8; at + 24 <= size; at = next_record(at)) {
        const size_t tail = next_record(at) - 8;
        uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes + at - 8, tail - at + 8);
        for (size_t i = 0; i < 8; i++) {
            bytes[tail + i] = (unsigned char)(hash >> (8 * i) & 0xff);
        }
    }
}

// The n-th record of a kind, from 0.
static size_t find_record(uint32_t kind, int n)
{
    size_t at = 8;
    while (at + 24 <= size && (kind_at(at) != kind || n-- > 0)) {
        at = next_record(at);
    }
    CHECK(at + 24 <= size);
    return at;
}

static void add_to_double(size_t at, double by)
{
    double value;
    memcpy(&value, bytes + at, sizeof value);
    value += by;
    memcpy(bytes + at, &value, sizeof value);
}

// Leave only the records of old recordings: no start, no files, no reports.
static void make_old(void)
{
    size_t to = 8;
    for (size_t at = 8; at + 24 <= size;) {
        const size_t next = next_record(at);
        if (kind_at(at) <= 8) {
            memmove(bytes + to, bytes + at, next - at);
            to += next - at;
        }
        at = next;
    }
    size = to;
    seal();
}

// ---- equal in bits ------------------------------------------------------------------------------

static void check_run(const char* arguments)
{
    const int recorded = record(arguments);
    const int replayed = recorded == 0 ? use("replay", "r.utr") : -1;
    const bool equal = has(out, "equal in every bit");
    const int certified = recorded == 0 ? use("certify", "r.utr") : -1;
    if (!CHECK(recorded == 0 && replayed == 0 && equal && certified == 0)) {
        test_note("%s: run %d, replay %d, certify %d: %s%s", arguments, recorded, replayed,
                  certified, out, err);
    }
}

TEST(a_replay_of_every_scene_is_equal_in_every_bit_and_every_step_is_certified)
{
    if (program() == NULL) {
        return;
    }
    for (int k = 0; k < ut_scene_count(); k++) {
        const char* usage = ut_scene_info(k).usage;
        char arguments[80];
        snprintf(arguments, sizeof arguments, "%.*s -t 0.02", (int)strcspn(usage, ":"), usage);
        check_run(arguments);
    }
}

TEST(a_replay_of_every_seed_is_equal_in_every_bit_and_every_step_is_certified)
{
    static const char* const seeds[] = {"berard-4.1",
                                        "berard-4.2",
                                        "berard-4.3",
                                        "berard-4.4",
                                        "berard-4.4-tip",
                                        "berard-4.5",
                                        "berard-4.6",
                                        "dart-arm",
                                        "dart-box",
                                        "dart-three-systems",
                                        "igms-ball",
                                        "igms-kane",
                                        "igms-rod",
                                        "igms-linkage",
                                        "igms-low",
                                        "peiret-rod",
                                        "peiret-block",
                                        "berard-3d-4.5",
                                        "berard-3d-4.6",
                                        "berard-3d-turned",
                                        "pfrommer-falling",
                                        "pfrommer-sliding",
                                        "pfrommer-bidirectional"};
    if (program() == NULL) {
        return;
    }
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        char arguments[120];
        snprintf(arguments, sizeof arguments, "scenes/seeds/%s.xml -t 0.1", seeds[k]);
        check_run(arguments);
    }
}

static const char ROBOT[] =
    "<robot name='r'><link name='base'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' "
    "ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='elbow' type='revolute'>"
    "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>"
    "<limit lower='-0.1' upper='0.1' effort='1' velocity='1'/><dynamics damping='0.1'/></joint>"
    "<link name='arm'><inertial><origin xyz='0.3 0 0'/><mass value='1'/><inertia ixx='.1' iyy='.1' "
    "izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

TEST(every_way_to_run_is_replayed)
{
    if (program() == NULL) {
        return;
    }
    check_run("scenes/thrown-box.xml -t 0.5 --formulation hybrid");
    check_run("scenes/ball-throw.xml -t 0.3 --adaptive 1e-5");
    check_run("scenes/ball-throw.xml -t 0.3 --adaptive 1e-4 --formulation hybrid");
    check_run("scenes/ball-throw.xml -t 0.2 --formulation mirtich");
    check_run("scenes/quadruped.xml -t 0.2 --every 7");
    check_run("stack:4 -t 1 --sleep");
    check_run("pile:20 -t 0.05 --budget=3");
    check_run("stack:3 --set box1.mass=3 --dt 0.003 -t 0.2 --formulation peiret --directions 6");
    check_run("scenes/double-pendulum.xml --coordinates maximal --integrator midpoint -t 0.3");
    check_run("scenes/gripper.xml -t 0.3 --ctrl 'left=0.2*sin(9*t)'");
    char arguments[300];
    const char* robot = write_file("r.urdf", ROBOT);
    snprintf(arguments, sizeof arguments, "%s --floating -t 0.1", robot);
    check_run(arguments);
    check_run("--key '' scenes/seeds/igms-ball.xml -t 0.1");
}

// ---- differences --------------------------------------------------------------------------------

TEST(a_changed_state_is_the_first_difference_with_its_step_and_coordinate)
{
    if (program() == NULL || record("scenes/pendulum.xml -t 0.1") != 0) {
        return;
    }
    load_recording();
    // the record of step 20 has the step, the hash, the time, then q
    const size_t q = find_record(2, 20) + 16 + 16 + 8;
    add_to_double(q, 1e-15);
    seal();
    save_recording("t.utr");
    CHECK_INT(use("replay", "t.utr"), 3);
    CHECK(has(out, "the first difference is at step 20"));
    CHECK(has(out, ".q is ") || has(out, "q[0] is "));
    CHECK(has(out, "1 coordinate differs"));
    CHECK_INT(use("replay --json", "t.utr"), 3);
    CHECK(has(out, "\"equal\":false") && has(out, "\"first_difference\":{\"step\":20,"));
}

TEST(a_changed_impulse_is_refused_with_its_step_and_contact)
{
    if (program() == NULL || record("stack:3 -t 0.1") != 0) {
        return;
    }
    load_recording();
    add_to_double(find_record(4, 30) + 16 + 24 + 160, 1e-6); // r_n of the first contact of step 31
    seal();
    save_recording("t.utr");
    CHECK_INT(use("certify", "t.utr"), 3);
    CHECK(has(out, "refused: step 31 (t = 0.06 s): momentum"));
    CHECK(has(out, "at the contact of floor and box1"));
    CHECK_INT(use("certify --json", "t.utr"), 3);
    CHECK(has(out, "\"certified\":false") && has(out, "\"refusals\":1"));
    CHECK(has(out, "\"first_refusal\":{\"step\":31,"));
    CHECK_INT(use("certify --json", "r.utr"), 0);
    CHECK(has(out, "\"certified\":true") && has(out, "\"first_refusal\":null"));
}

TEST(steps_that_do_not_follow_each_other_are_refused)
{
    if (program() == NULL || record("scenes/pendulum.xml -t 0.1") != 0) {
        return;
    }
    load_recording();
    const size_t report = find_record(11, 9), next = next_record(report);
    memmove(bytes + report, bytes + next, size - next);
    size -= next - report;
    seal();
    save_recording("t.utr");
    CHECK_INT(use("certify", "t.utr"), 3);
    CHECK(has(out, "refused: step 10"));
    load_recording();
    add_to_double(find_record(2, 5) + 16 + 16 + 8, 1e-12); // q of the state after step 5
    seal();
    save_recording("t.utr");
    CHECK_INT(use("certify", "t.utr"), 3);
    CHECK(has(out, "refused: step 5 ") && has(out, "not the one that the step led to"));
}

// ---- models -------------------------------------------------------------------------------------

static const char BALL[] = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>"
                           "<include file='part.xml'/></worldbody></mujoco>";
static const char PART[] = "<mujoco><body pos='0 0 1'><freejoint/><geom type='sphere' size='0.1'/>"
                           "</body></mujoco>";

// The recording holds the texts, so that a replay needs neither file.
TEST(a_model_that_changed_is_replayed_as_it_was_with_a_warning)
{
    if (program() == NULL) {
        return;
    }
    const char* model = write_file("ball.xml", BALL);
    write_file("part.xml", PART);
    char line[400];
    snprintf(line, sizeof line, "%s -t 0.05", model);
    CHECK_INT(record(line), 0);
    CHECK_INT(use("replay", "r.utr"), 0);
    CHECK_TEXT(err, "");
    write_file("part.xml", "<mujoco/>");
    CHECK_INT(use("replay", "r.utr"), 0);
    CHECK(has(err, "part.xml: warning: has changed since the recorded run"));
    CHECK(has(out, "equal in every bit"));
    CHECK_INT(use("certify", "r.utr"), 0);
}

TEST(a_model_from_standard_input_is_in_the_recording)
{
    if (program() == NULL) {
        return;
    }
    char before[300];
    char line[300];
    snprintf(before, sizeof before, "cat %s |", write_file("u.urdf", ROBOT));
    snprintf(line, sizeof line, "run - -t 0.05 --record %s", path_in_folder("r.utr"));
    CHECK_INT(run(before, line), 0);
    CHECK_INT(use("replay", "r.utr"), 0);
}

// A mesh above 256 KiB is kept as a hash: a triangle soup of a cube with a long comment.
TEST(a_large_mesh_must_be_unchanged)
{
    static char mesh[300000];
    if (program() == NULL) {
        return;
    }
    const int used = snprintf(mesh, sizeof mesh,
                              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                              "f 2 3 4\n# ");
    memset(mesh + used, 'x', sizeof mesh - 2 - (size_t)used);
    mesh[sizeof mesh - 2] = '\n';
    write_file("m.obj", mesh);
    char line[400];
    snprintf(line, sizeof line, "%s -t 0.02",
             write_file("mesh.xml",
                        "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody>"
                        "<body><freejoint/><geom type='mesh' mesh='m'/></body>"
                        "</worldbody></mujoco>"));
    CHECK_INT(record(line), 0);
    CHECK_INT(use("replay", "r.utr"), 0);
    mesh[sizeof mesh - 3] = 'y';
    write_file("m.obj", mesh);
    CHECK_INT(use("replay", "r.utr"), 1);
    CHECK(has(err, "has changed since the recorded run"));
}

// ---- old and incomplete recordings --------------------------------------------------------------

TEST(old_recordings_are_replayed_from_the_head_and_hold_nothing_to_certify)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(record("stack:3 --set box1.mass=2 -t 0.1 --formulation stewart-trinkle"), 0);
    load_recording();
    make_old();
    save_recording("t.utr");
    CHECK_INT(use("replay", "t.utr"), 0);
    CHECK(has(out, "equal in every bit"));
    CHECK_INT(use("certify", "t.utr"), 1);
    CHECK(has(err, "holds no reports of steps"));
    CHECK_INT(record("stack:3 -t 0.1 --no-reports"), 0);
    CHECK_INT(use("replay", "r.utr"), 0);
    CHECK_INT(use("certify", "r.utr"), 1);
    CHECK_TEXT(out, "");
}

TEST(a_recording_that_was_cut_off_is_used_as_far_as_it_goes)
{
    if (program() == NULL || record("stack:2 -t 0.1") != 0) {
        return;
    }
    load_recording();
    const size_t whole = size;
    const size_t head = find_record(2, 1); // the first state is there
    for (size = whole; size > head; size -= size > 7919 ? 7919 : size) {
        save_recording("t.utr");
        CHECK_INT(use("replay", "t.utr"), 0);
        const int code = use("certify", "t.utr");
        CHECK(code == 0 || (code == 1 && has(err, "holds no reports")));
    }
}

TEST(damaged_recordings_and_wrong_options_are_errors)
{
    if (program() == NULL || record("stack:2 -t 0.02") != 0) {
        return;
    }
    load_recording();
    bytes[size / 2] ^= 1;
    save_recording("t.utr");
    CHECK_INT(use("replay", "t.utr"), 1);
    CHECK(has(err, "t.utr: error: byte ") || has(err, "does not match its checksum"));
    CHECK_INT(use("certify", "t.utr"), 1);
    CHECK_INT(run("", "replay scenes/pendulum.xml"), 1);
    CHECK(has(err, "this is not a recording of uptack"));
    CHECK_INT(run("", "replay"), 2);
    CHECK_INT(run("", "certify --loud x.utr"), 2);
    CHECK_INT(run("", "replay --help"), 0);
}

// ---- columns ------------------------------------------------------------------------------------

// A column of the last row of a table.
static double last_cell(const char* file, const char* column)
{
    static char text[ROOM];
    read_file(file, text, sizeof text);
    int index = -1, k = 0;
    for (char* name = text; *name != '\n' && *name != '\0'; k++) {
        const size_t length = strcspn(name, ",\n");
        index = strlen(column) == length && strncmp(name, column, length) == 0 ? k : index;
        name += length + (name[length] == ',');
    }
    char* row = strrchr(text, '\n');
    if (!CHECK(index >= 0 && row != NULL)) {
        test_note("no column %s", column);
        return (double)NAN;
    }
    *row = '\0';
    row = strrchr(text, '\n') + 1;
    while (index-- > 0) {
        row = strchr(row, ',') + 1;
    }
    return strtod(row, NULL);
}

// A box of 1 kg slides on mu = 0.5 under an angle of 0 in x: the slip multiplier of the circle is its
// speed, and friction is on the cone. A pendulum of the file hangs: its joint carries h m g.
TEST(columns_tell_friction_slip_cone_and_reactions)
{
    if (program() == NULL) {
        return;
    }
    const char* model = write_file(
        "slide.xml",
        "<mujoco><option timestep='0.01'/><worldbody><geom type='plane' size='9 9 .1' "
        "friction='.5'/><body name='box' pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' mass='1' friction='.5'/></body>"
        "<body name='bob' pos='5 5 5'><joint name='pin' type='hinge' axis='0 1 0'/>"
        "<inertial pos='0 0 -1' mass='2' diaginertia='1 1 1'/></body></worldbody>"
        "<keyframe><key name='start' qpos='0 0 .1 1 0 0 0 0' qvel='3 0 0 0 0 0 0'/></keyframe>"
        "</mujoco>");
    char line[600];
    snprintf(line, sizeof line,
             "run %s -t 0.2 --record %s --contacts %s --columns mu,lambda,cone,reactions,model_gap "
             "--json",
             model, path_in_folder("s.csv"), path_in_folder("c.csv"));
    CHECK_INT(run("", line), 0);
    CHECK_NEAR(last_cell("c.csv", "mu"), 0.5, 0.0);
    CHECK_NEAR(last_cell("c.csv", "lambda"), 3.0 - 0.5 * 9.81 * 0.2, 1e-6);
    CHECK_NEAR(last_cell("c.csv", "lambda"), last_cell("c.csv", "slip"), 1e-12);
    CHECK_NEAR(last_cell("c.csv", "cone"), 0.0, 1e-14);
    CHECK_NEAR(last_cell("s.csv", "pin.pz"), 2.0 * 9.81 * 0.01, 1e-12);
    CHECK_NEAR(last_cell("s.csv", "pin.px"), 0.0, 1e-12);
    CHECK_NEAR(last_cell("s.csv", "model_gap"), 0.0, 0.0);
    CHECK(has(out, "\"reactions\":[{\"name\":\"pin\",\"body\":\"bob\",\"point\":[5,5,5],"));
}

TEST(columns_of_contacts_from_a_recording_are_those_of_the_run)
{
    static char one[ROOM], two[ROOM];
    if (program() == NULL) {
        return;
    }
    char line[600];
    snprintf(line, sizeof line,
             "scenes/ball-throw.xml -t 1 --formulation hybrid --contacts %s "
             "--columns force,gap_time,mu,lambda,cone",
             path_in_folder("c.csv"));
    CHECK_INT(record(line), 0);
    snprintf(line, sizeof line,
             "convert %s %s --contacts %s --columns force,gap_time,mu,lambda,cone",
             path_in_folder("r.utr"), path_in_folder("s.csv"), path_in_folder("d.csv"));
    CHECK_INT(run("", line), 0);
    read_file("c.csv", one, sizeof one);
    read_file("d.csv", two, sizeof two);
    CHECK(strlen(one) > 300);
    CHECK_TEXT(two, one);
}

// The polygon with 4 edges has its vertices on the axes: along x its slip multiplier is the speed, at
// 45 degrees that speed over sqrt 2.
TEST(the_slip_multiplier_of_a_polygon_is_its_support_function)
{
    if (program() == NULL) {
        return;
    }
    char line[600];
    snprintf(line, sizeof line,
             "run slide:45 -t 0.02 --formulation stewart-trinkle --directions 4 --contacts %s "
             "--columns lambda,cone",
             path_in_folder("c.csv"));
    CHECK_INT(run("", line), 0);
    CHECK_NEAR(last_cell("c.csv", "lambda") / last_cell("c.csv", "slip"), sqrt(0.5), 1e-6);
    CHECK_NEAR(last_cell("c.csv", "cone"), 0.0, 1e-12);
}

// A ball falls 0.4 m: it hits at t = sqrt(0.8 / 9.81), within the step, to rounding.
TEST(json_has_the_exact_time_of_an_impact)
{
    if (program() == NULL) {
        return;
    }
    char line[400];
    snprintf(line, sizeof line, "run %s -t 0.3 --formulation hybrid --json",
             write_file("drop.xml", "<mujoco xmlns:ut='urn:uptack'><worldbody>"
                                    "<geom name='f' type='plane' size='5 5 .1'/>"
                                    "<body pos='0 0 .5'><freejoint/><geom name='b' type='sphere' "
                                    "size='.1' mass='2' ut:restitution='.5'/></body></worldbody>"
                                    "</mujoco>"));
    CHECK_INT(run("", line), 0);
    const char* list = strstr(out, "\"first_impacts\":[{\"time\":");
    if (CHECK(list != NULL)) {
        const double time = strtod(list + strlen("\"first_impacts\":[{\"time\":"), NULL);
        CHECK_NEAR(time, sqrt(0.8 / 9.81), 1e-9);
        const char* impulse = strstr(list, "\"impulse\":");
        // from v = sqrt(2 g 0.4) downwards to 0.5 v upwards
        CHECK_NEAR(impulse != NULL ? strtod(impulse + 10, NULL) : 0.0, 2.0 * 1.5 * sqrt(0.8 * 9.81),
                   1e-7);
    }
}

// ---- arrays -------------------------------------------------------------------------------------

TEST(numpy_reads_the_arrays_of_a_recording)
{
    static const char script[] =
        "import sys, csv, zipfile\n"
        "try:\n"
        "    import numpy\n"
        "except ImportError:\n"
        "    sys.exit(77)\n"
        "folder = sys.argv[1]\n"
        "assert zipfile.ZipFile(folder + '/r.npz').testzip() is None\n"
        "z = numpy.load(folder + '/r.npz')\n"
        "rows = list(csv.reader(open(folder + '/s.csv')))\n"
        "assert [c.decode() for c in z['columns']] == rows[0]\n"
        "assert numpy.array_equal(z['table'], numpy.array(rows[1:], dtype=float))\n"
        "assert numpy.array_equal(z['table'][:, 0], z['time'])\n"
        "c = list(csv.DictReader(open(folder + '/c.csv')))\n"
        "assert len(c) == len(z['contact_time']) > 10\n"
        "geoms = [g.decode() for g in z['geoms']]\n"
        "for k, row in enumerate(c):\n"
        "    assert geoms[z['contact_geom2'][k]] == row['geom2']\n"
        "    assert z['contact_r'][k, 0] == float(row['pn'])\n"
        "    p = z['contact_r'][k] @ z['contact_frame'][k]\n"
        "    assert abs(p[2] - float(row['pz'])) < 1e-15\n"
        "assert z['q'].shape == (len(rows) - 1, 8) and z['ctrl'].shape[1:] == (1,)\n"
        "assert z['ctrl'][-1, 0] == 0.25 and z['step'][-1] == len(rows) - 2\n"
        "assert z['dt'] == 0.01 and z['formulation'][0] == b'coulomb'\n";
    if (program() == NULL) {
        return;
    }
    const char* model = write_file(
        "arr.xml", "<mujoco><option timestep='0.01'/><worldbody><geom type='plane' size='9 9 .1'/>"
                   "<body name='box' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/>"
                   "</body><body pos='5 5 5'><joint name='pin' type='hinge' axis='0 1 0'/>"
                   "<inertial pos='0 0 -1' mass='2' diaginertia='1 1 1'/></body></worldbody>"
                   "<actuator><motor name='m' joint='pin'/></actuator></mujoco>");
    char line[600];
    snprintf(line, sizeof line, "%s -t 0.2 --ctrl m=0.25 --contacts %s", model,
             path_in_folder("c.csv"));
    CHECK_INT(record(line), 0);
    snprintf(line, sizeof line, "convert %s %s", path_in_folder("r.utr"), path_in_folder("s.csv"));
    CHECK_INT(run("", line), 0);
    snprintf(line, sizeof line, "convert %s %s --json", path_in_folder("r.utr"),
             path_in_folder("r.npz"));
    CHECK_INT(run("", line), 0);
    CHECK(has(out, "\"states\":21"));
    const char* file = write_file("np.py", script);
    static const char* const pythons[] = {"python3", "/usr/bin/python3"};
    int code = 77;
    for (int k = 0; k < 2 && (code == 77 || code == 127); k++) {
        snprintf(line, sizeof line, "%s %s %s >/dev/null 2>'%s'", pythons[k], file,
                 program_folder(), path_in_folder("err"));
        const int status = system(line);
        code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    read_file("err", err, sizeof err);
    if (code == 77 || code == 127) {
        test_skip("python3-numpy is not installed");
    } else if (!CHECK_INT(code, 0)) {
        test_note("%s", err);
    }
}

TEST(hdf5_holds_the_numbers_of_the_recording)
{
    if (program() == NULL || record("scenes/pendulum.xml -t 0.1") != 0) {
        return;
    }
    char line[600];
    snprintf(line, sizeof line, "convert %s %s", path_in_folder("r.utr"), path_in_folder("r.h5"));
#ifdef UPTACK_HAVE_HDF5
    CHECK_INT(run("", line), 0);
    load_recording();
    double q[200] = {0}, last;
    memcpy(&last, bytes + find_record(2, 20) + 16 + 16 + 8, sizeof last);
    const hid_t file = H5Fopen(path_in_folder("r.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "q", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    hsize_t sizes[2] = {0};
    CHECK_INT(H5Sget_simple_extent_dims(space, sizes, NULL), 2);
    CHECK(sizes[0] > 20 && sizes[0] <= 200);
    CHECK_INT(sizes[1], 1);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
    CHECK_NEAR(q[20], last, 0.0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
#else
    CHECK_INT(run("", line), 1);
    CHECK(has(err, "built without HDF5"));
#endif
}

#endif
