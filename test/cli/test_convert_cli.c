// SPDX-License-Identifier: Apache-2.0
// uptack run --record FILE.utr and uptack convert as a user meets them: the same tables as a run
// writes itself, files that are cut off, damaged or cannot be written, runs that are interrupted.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_recordings)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 20, MAX_PATH = 64 };

// What a file held.
typedef struct Content {
    char bytes[ROOM];
    size_t size;
} Content;

static Content out, err, one, two;
static char folder[] = "/tmp/uptack-convert-XXXXXX";

static void path_of(const char* name, char path[MAX_PATH])
{
    snprintf(path, MAX_PATH, "%s/%s", folder, name);
}

static void remove_folder(void)
{
    static const char* const names[] = {"out",   "err",   "m.xml",   "s.csv",    "c.csv",   "t.csv",
                                        "d.csv", "r.utr", "cut.utr", "full.utr", "full.csv"};
    char path[MAX_PATH];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        path_of(names[k], path);
        unlink(path);
    }
    rmdir(folder);
}

static void save(const char* name, const char* bytes, size_t size)
{
    char path[MAX_PATH];
    path_of(name, path);
    FILE* file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK_INT(fwrite(bytes, 1, size, file), size);
        fclose(file);
    }
}

static void load(const char* name, Content* content)
{
    char path[MAX_PATH];
    path_of(name, path);
    FILE* file = fopen(path, "rb");
    content->size = 0;
    if (CHECK(file != NULL)) {
        content->size = fread(content->bytes, 1, ROOM - 1, file);
        fclose(file);
    }
    content->bytes[content->size] = '\0';
}

// Run in the folder. @return the exit code, or -1
static int run(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && '%s' %s >out 2>err", folder, program(), arguments);
    const int status = system(command);
    load("out", &out);
    load("err", &err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// A cube with a motor that pushes it along the floor, a hand that is placed, names to be quoted.
static const char MODEL[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom name='the \"floor\", flat' type='plane' size='1 1 1'/>"
    "<body name='hand' mocap='true' pos='3 0 1'><geom type='sphere' size='0.1'/></body>"
    "<body name='cube' pos='0 0 0.1'><joint name='x' type='slide' axis='1 0 0'/>"
    "<joint name='z' type='slide' axis='0 0 1'/>"
    "<geom type='box' size='0.1 0.1 0.1' friction='0.3'/></body></worldbody>"
    "<actuator><motor name='push' joint='x' gear='60'/></actuator>"
    "<keyframe><key name='go' time='1' qpos='0.5 0' ctrl='1' mpos='4 5 6'/></keyframe></mujoco>";

static const char FALL[] = "<mujoco><worldbody><body><freejoint/><geom type='sphere' size='0.1'/>"
                           "</body></worldbody></mujoco>";

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
    if (CHECK(made)) {
        save("m.xml", MODEL, sizeof MODEL - 1);
    }
    return made;
}

static bool same_file(const char* a, const char* b)
{
    load(a, &one);
    load(b, &two);
    return one.size == two.size && one.size > 0 && memcmp(one.bytes, two.bytes, one.size) == 0;
}

// ---- the same tables ----------------------------------------------------------------------------

TEST(tables_from_a_recording_are_those_of_the_run)
{
    static const char* const runs[] = {
        "m.xml -t 0.3 --key go",
        "m.xml -t 0.3 --key go --every 7 --set x.damping=3",
        "stack:3 -t 0.1 --every 4",
        "stack:2 -t 0.1 --formulation stewart-trinkle",
        "chain:3 -t 0.1 --coordinates maximal",
    };
    char command[512];
    if (!get_ready()) {
        return;
    }
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        snprintf(command, sizeof command, "run %s --record s.csv --contacts c.csv", runs[k]);
        CHECK_INT(run(command), 0);
        snprintf(command, sizeof command, "run %s --record r.utr", runs[k]);
        CHECK_INT(run(command), 0);
        CHECK_INT(run("convert r.utr t.csv --contacts d.csv"), 0);
        CHECK_TEXT(out.bytes, "");
        CHECK_TEXT(err.bytes, "");
        CHECK(same_file("s.csv", "t.csv"));
        CHECK(strstr(one.bytes, "nan") == NULL && strstr(one.bytes, "inf") == NULL);
        CHECK(k > 1 || has(one.bytes, "\n1,4,5,6,1,0,0,0,")); // time and place are the keyframe's
        CHECK(same_file("c.csv", "d.csv"));
        CHECK(strstr(one.bytes, "nan") == NULL && strstr(one.bytes, "inf") == NULL);
    }
}

TEST(contacts_are_in_the_recording_and_beside_it_when_asked)
{
    if (!get_ready()) {
        return;
    }
    CHECK_INT(run("run m.xml -t 0.1 --record r.utr --contacts c.csv --json"), 0);
    CHECK_INT(run("convert - t.csv --contacts d.csv --json <r.utr"), 0);
    // ten steps with the four corners of the cube, eleven states
    CHECK_TEXT(out.bytes, "{\"model\":\"m.xml\",\"states\":11,\"contacts\":40,\"transitions\":0,"
                          "\"complete\":true}\n");
    CHECK(same_file("c.csv", "d.csv"));
    CHECK(strstr(one.bytes, "\n0.01,\"the \"\"floor\"\", flat\",cube.geom2,") != NULL);
}

// ---- runs that do not end by themselves ---------------------------------------------------------

// Start a long run that records states so rarely. @return its process
static pid_t start_long_run(const char* every)
{
    char path[MAX_PATH];
    path_of("r.utr", path);
    unlink(path);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0 && freopen("out", "wb", stdout) != NULL &&
            freopen("err", "wb", stderr) != NULL) {
            execl(program(), "uptack", "run", "m.xml", "-t", "1e6", "--json", "--every", every,
                  "--record", "r.utr", (char*)NULL);
        }
        _exit(99);
    }
    return child;
}

// Wait until the recording has so many bytes, 20 s at most.
static void wait_for_bytes(off_t size)
{
    char path[MAX_PATH];
    struct stat about;
    path_of("r.utr", path);
    for (int k = 0; k < 2000 && (stat(path, &about) != 0 || about.st_size < size); k++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

// @return how it ended
static int finish(pid_t child, int signal)
{
    int status = 0;
    kill(child, signal);
    pid_t ended = 0;
    for (int k = 0; k < 1000 && ended == 0; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (!CHECK(ended == child)) {
        kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
    }
    return status;
}

TEST(an_interrupted_run_leaves_a_closed_recording)
{
    if (!get_ready()) {
        return;
    }
    const pid_t child = start_long_run("100");
    wait_for_bytes(1);
    const int status = finish(child, SIGINT);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    CHECK_INT(run("convert r.utr t.csv --json"), 0);
    CHECK_TEXT(err.bytes, "");
    CHECK(has(out.bytes, "\"complete\":true"));
}

// The head and the state at the start fill no buffer, and nothing follows them: they are in the
// file because it is brought up to date once a second.
TEST(a_killed_run_leaves_a_readable_recording)
{
    if (!get_ready()) {
        return;
    }
    save("m.xml", FALL, sizeof FALL - 1);
    const pid_t child = start_long_run("1000000000");
    wait_for_bytes(1);
    const int status = finish(child, SIGKILL);
    CHECK(WIFSIGNALED(status));
    CHECK_INT(run("convert r.utr t.csv --json"), 0);
    CHECK(has(err.bytes, "r.utr: warning: byte "));
    CHECK(has(err.bytes, ": the recording was not closed and ends here; everything before is "
                         "converted\n"));
    CHECK_TEXT(
        out.bytes,
        "{\"model\":\"m.xml\",\"states\":1,\"contacts\":0,\"transitions\":0,\"complete\":false}\n");
}

// ---- cut off and damaged ------------------------------------------------------------------------

TEST(a_cut_recording_is_converted_as_far_as_it_goes)
{
    if (!get_ready()) {
        return;
    }
    CHECK_INT(run("run m.xml -t 0.1 --record r.utr"), 0);
    CHECK_INT(run("convert r.utr s.csv"), 0);
    load("r.utr", &one);
    save("cut.utr", one.bytes, one.size - 100); // the end and a part of the last state
    CHECK_INT(run("convert cut.utr t.csv --json"), 0);
    CHECK(has(out.bytes, "\"states\":10,"));
    CHECK(has(err.bytes, "cut.utr: warning: byte "));
    load("s.csv", &one);
    load("t.csv", &two);
    CHECK(two.size > 0 && two.size < one.size && memcmp(one.bytes, two.bytes, two.size) == 0);
    CHECK(two.bytes[two.size - 1] == '\n');
}

TEST(a_damaged_recording_fails_with_the_byte)
{
    if (!get_ready()) {
        return;
    }
    CHECK_INT(run("run m.xml -t 0.1 --record r.utr"), 0);
    load("r.utr", &one);
    one.bytes[one.size / 2] ^= 1;
    save("cut.utr", one.bytes, one.size);
    CHECK_INT(run("convert cut.utr t.csv --json"), 1);
    CHECK_TEXT(out.bytes, "");
    CHECK(has(err.bytes, "cut.utr: error: byte "));
    CHECK(has(err.bytes, "does not match its checksum; the file is damaged\n"));
    save("cut.utr", "time,x\n0,1\n", 11);
    CHECK_INT(run("convert cut.utr t.csv"), 1);
    CHECK_TEXT(err.bytes, "cut.utr: error: byte 0: this is not a recording of uptack (.utr)\n");
    CHECK_INT(run("convert nowhere.utr t.csv"), 1);
    CHECK(has(err.bytes, "nowhere.utr: error: cannot be opened: "));
}

TEST(a_full_disk_is_a_failure_of_recording_and_converting)
{
    static const char reason[] = "error: cannot be written: No space left on device";
    if (!get_ready()) {
        return;
    }
    if (access("/dev/full", W_OK) != 0) {
        test_skip("there is no /dev/full");
        return;
    }
    char path[MAX_PATH];
    path_of("full.utr", path);
    CHECK_INT(symlink("/dev/full", path), 0);
    path_of("full.csv", path);
    CHECK_INT(symlink("/dev/full", path), 0);
    CHECK_INT(run("run m.xml -t 0.05 --record full.utr --json"), 1);
    CHECK_TEXT(out.bytes, "");
    CHECK(has(err.bytes, "full.utr: ") && has(err.bytes, reason));
    // more than any buffer holds: it shows while the run goes on
    CHECK_INT(run("run m.xml -t 20 --record full.utr --json"), 1);
    CHECK(has(err.bytes, "full.utr: ") && has(err.bytes, reason));
    CHECK_INT(run("run m.xml -t 0.1 --record no/r.utr --json"), 1);
    CHECK(has(err.bytes, "no/r.utr: error: cannot be written: "));
    CHECK_INT(run("run m.xml -t 0.1 --record r.utr"), 0);
    CHECK_INT(run("convert r.utr full.csv --json"), 1);
    CHECK_TEXT(out.bytes, "");
    CHECK(has(err.bytes, "full.csv: ") && has(err.bytes, reason));
    CHECK_INT(run("convert r.utr t.csv --contacts full.csv"), 1);
    CHECK(has(err.bytes, "full.csv: ") && has(err.bytes, reason));
}

TEST(a_scene_is_written_as_a_model_that_runs_the_same)
{
    if (!get_ready()) {
        return;
    }
    CHECK_INT(run("convert stack:3 m.xml --set box1.friction=0.25 --json"), 0);
    CHECK(has(out.bytes, "\"not_written\": []") || has(out.bytes, "\"not_written\":[]"));
    load("m.xml", &one);
    CHECK(has(one.bytes, "friction=\"0.25\""));
    CHECK_INT(run("run m.xml -t 0.1 --json"), 0);
    one = out;
    CHECK_INT(run("run stack:3 -t 0.1 --set box1.friction=0.25 --json"), 0);
    const char* const hash = strstr(one.bytes, "\"state_hash\"");
    const char* const same = strstr(out.bytes, "\"state_hash\"");
    CHECK(hash != NULL && same != NULL && strncmp(hash, same, 30) == 0);
}

TEST(what_the_command_line_of_convert_cannot_mean_is_a_usage_error)
{
    static const struct {
        const char* arguments;
        const char* message;
    } cases[] = {
        {"convert", "IN and OUT are missing"},
        {"convert r.utr", "OUT is missing"},
        {"convert r.utr s.csv t.csv", "there is more than IN and OUT"},
        {"convert m.xml n.urdf", "OUT needs a name that ends in .xml, not 'n.urdf'"},
        {"convert stack:3 n.csv", "OUT needs a name that ends in .xml, not 'n.csv'"},
        {"convert --to sdf m.xml n.xml", "--to is mjcf or uptack, not 'sdf'"},
        {"convert m.xml m.xml", "the model would be overwritten"},
        {"convert r.utr m.xml", "a recording holds no model"},
        {"convert stack:3 n.xml --contacts c.csv", "--contacts and --transitions are for"},
        {"convert r.utr s.csv --to mjcf", "--to and --set are for models"},
        {"convert s.csv r.utr", "IN needs a name that ends in .utr, not 's.csv'"},
        {"convert r.utr r.txt", "OUT needs a name that ends in .csv, .npz or .h5, not 'r.txt'"},
        {"convert r.utr s.csv --contacts s.csv", "OUT and --contacts name the same file"},
        {"convert r.utr s.csv --contacts r.utr", "the recording would be overwritten"},
        {"convert r.utr s.csv --what", "there is no option --what"},
        {"convert r.utr s.csv --contacts", "--contacts needs a value"},
    };
    if (!get_ready()) {
        return;
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_INT(run(cases[k].arguments), 2);
        CHECK_TEXT(out.bytes, "");
        CHECK(has(err.bytes, cases[k].message));
    }
    CHECK_INT(run("convert --help"), 0);
    CHECK(has(out.bytes, "usage: uptack convert IN.utr OUT.csv"));
}

#endif
