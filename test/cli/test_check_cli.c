// SPDX-License-Identifier: Apache-2.0
// uptack check: groups of notes, hints, and what it says of the start of a run. The program is the one
// that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(check_of_the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { ROOM = 1 << 16 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];

// @return the exit code of `uptack check` for a model, or -1
static int check(const char* text, const char* options)
{
    char command[2048];
    snprintf(command, sizeof command, "'%s' check '%s' %s >'%s' 2>'%s'", program(),
             write_file("c.xml", text), options, path_in_folder("c.out"), path_in_folder("c.err"));
    const int status = system(command);
    read_file("c.out", out, sizeof out);
    read_file("c.err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

#define FLOOR "<geom name='floor' type='plane' size='1 1 .1'/>"
#define BALL(name, pos) \
    "<body name='" name "' pos='" pos "'><freejoint/><geom name='" name "' size='.1'/></body>"

// Do the parts stand in the text in this order?
static bool in_order(const char* text, int count, const char* const* part)
{
    for (int i = 0; i < count; i++) {
        const char* at = strstr(text, part[i]);
        if (at == NULL) {
            test_note("no \"%s\" in \"%s\"", part[i], text);
            return false;
        }
        text = at + strlen(part[i]);
    }
    return true;
}

TEST(notes_are_grouped_by_what_they_mean_for_the_motion)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(check("<mujoco>\n<option wind='1 0 0'/>\n<worldbody>" FLOOR
                    "<body pos='0 0 1'><freejoint/>\n<geom size='.1' user='1 0 0 1' gap='0.1' "
                    "solimp='0.5 0.6'/></body></worldbody></mujoco>",
                    ""),
              0);
    const char* const parts[] = {
        "changes the motion, not supported:\n",
        "c.xml:2:15: warning: option.wind: not supported\n",
        "changes the motion, treated in another way (softness, repaired or ignored values):\n",
        ": warning: geom.solimp: softness is not supported: ",
        "no effect on the motion:\n",
        ": note: geom.user: ",
        ": note: geom.gap: ",
        "the model lacks: option.wind (1)"};
    CHECK(in_order(out, 8, parts));
    CHECK(strstr(out, "at the start:") == NULL);
    CHECK_INT(check("<mujoco><option wind='1 0 0'/><worldbody>" FLOOR BALL(
                        "a", "0 0 1") "</worldbody></mujoco>",
                    "--json"),
              0);
    CHECK(has(out, "\"missing_physics\":1,\"missing\":[{\"what\":\"option.wind\",\"count\":1,"));
    CHECK(has(out, "\"group\":\"missing\""));
    CHECK(has(out, "\"finding_count\":0,\"findings\":[]}"));
}

// A solref with damping ratio z rebounds with exp(-pi z / sqrt(1 - z^2)): 1 for z = 0; 0.729 for z = 0.1;
// for -stiffness -damping, z = damping / (2 sqrt(stiffness)): 20 / 200 = 0.1 again.
TEST(an_underdamped_contact_gets_a_hint_to_restitution)
{
    static const struct {
        const char* solref;
        const char* hint; // NULL: none
    } cases[] = {
        {"-100000 0", "ut:restitution=\"1.00\""},
        {"0.02 0.1", "ut:restitution=\"0.73\""},
        {"-10000 -20", "ut:restitution=\"0.73\""},
        {"0.05 1", NULL},
        {"-100 -20", NULL},
        {"-100 20", NULL},
    };
    if (program() == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "<mujoco><default><geom solref='%s'/></default><worldbody>" FLOOR
                 "</worldbody></mujoco>",
                 cases[i].solref);
        CHECK_INT(check(text, ""), 0);
        CHECK(has(out, "geom.solref: softness is not supported"));
        if (cases[i].hint != NULL) {
            CHECK(has(out, cases[i].hint));
        } else {
            CHECK(strstr(out, "restitution") == NULL);
        }
    }
}

TEST(strict_names_the_first_place)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(check("<mujoco>\n<option wind='1 0 0' density='1'/></mujoco>", "--strict"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "c.xml:2:15: error: option.wind: 2 parts of the file that change the simulation "
                   "are not supported; without --strict they are ignored\n"));
}

// ---- the start ----------------------------------------------------------------------------------

// @param what what check must say of the start; NULL: nothing
static void check_start(const char* world, const char* what)
{
    char text[2000];
    snprintf(text, sizeof text, "<mujoco>%s</mujoco>", world);
    CHECK_INT(check(text, ""), 0);
    if (what != NULL) {
        CHECK(has(out, "at the start:\n"));
        CHECK(has(out, what));
    } else if (!CHECK(strstr(out, "at the start:") == NULL)) {
        test_note("%s", out);
    }
}

TEST(bodies_without_anything_below_them_are_named)
{
    if (program() == NULL) {
        return;
    }
    check_start("<worldbody>" FLOOR BALL("a", "0 0 1") "</worldbody>", NULL);
    check_start("<worldbody>" BALL("a", "0 0 1") "</worldbody>",
                "note: body a falls: there is no other geom that it can touch");
    // a ceiling, and a table beside the ball
    check_start("<worldbody><geom type='plane' size='1 1 .1' euler='180 0 0' pos='0 0 5'/>"
                "<geom type='box' size='.1 .1 .1' pos='1 0 0'/>" BALL("a", "0 0 1") "</worldbody>",
                "note: body a falls: no fixed geom that it can touch is below it");
    check_start("<worldbody><geom type='box' size='.1 .1 .1' pos='.1 0 0'/>" BALL(
                    "a", "0 0 1") "</worldbody>",
                NULL);
    // masks that do not match, and a pair that helps
    check_start("<worldbody><geom name='floor' type='plane' size='1 1 .1' contype='2' "
                "conaffinity='2'/>" BALL("a", "0 0 1") "</worldbody>",
                "note: body a falls: there is no other geom that it can touch");
    check_start(
        "<worldbody><geom name='floor' type='plane' size='1 1 .1' contype='2' "
        "conaffinity='2'/>" BALL("a", "0 0 1") "</worldbody>"
                                               "<contact><pair geom1='a' geom2='floor'/></contact>",
        NULL);
    // b may rest on a, which rests on the floor
    check_start(
        "<worldbody><geom type='plane' size='1 1 .1' contype='0' conaffinity='1'/>"
        "<body pos='0 0 .1'><freejoint/><geom size='.1' contype='1' conaffinity='2'/></body>"
        "<body pos='0 0 .3'><freejoint/><geom size='.1' contype='2' conaffinity='0'/></body>"
        "</worldbody>",
        NULL);
    // held otherwise, or without gravity
    check_start(
        "<worldbody>" BALL(
            "a", "0 0 1") "</worldbody>"
                          "<equality><connect body1='a' body2='world' anchor='0 0 0'/></equality>",
        NULL);
    check_start("<worldbody><body gravcomp='1'><freejoint/><geom size='.1'/></body></worldbody>",
                NULL);
}

TEST(poses_beyond_limits_are_named)
{
#define ARM \
    "<body name='arm'><joint name='elbow' range='30 60'/><geom size='.1' pos='.5 0 0'/></body>"
    if (program() == NULL) {
        return;
    }
    check_start("<worldbody>" ARM "</worldbody>",
                "note: joint elbow starts at 0 rad, beyond its range 0.523599 to 1.0472; the first "
                "steps move it back\n");
    check_start("<worldbody>" ARM "</worldbody><keyframe><key name='start' qpos='0.6'/>"
                "<key name='home' qpos='0.7'/></keyframe>",
                NULL);
    check_start(
        "<worldbody>" ARM "</worldbody><keyframe><key name='start' qpos='0.6'/>"
        "<key name='away' qpos='2'/></keyframe>",
        "note: keyframe away has joint elbow at 2 rad, beyond its range 0.523599 to 1.0472\n");
    CHECK_INT(check("<mujoco><worldbody>" ARM "</worldbody></mujoco>", "--json"), 0);
    CHECK(
        has(out, "\"finding_count\":1,\"findings\":[{\"kind\":\"limit\",\"text\":\"joint elbow "));
#undef ARM
}

TEST(models_in_which_nothing_moves_are_named)
{
    if (program() == NULL) {
        return;
    }
    check_start("<worldbody>" FLOOR "</worldbody>", "note: no body can move: no body has a joint");
    check_start("<option gravity='0 0 0'/><worldbody>" BALL("a", "0 0 1") "</worldbody>",
                "note: nothing moves: gravity is 0, ");
    check_start("<option gravity='0 0 0'/><worldbody>" BALL(
                    "a", "0 0 1") "</worldbody>"
                                  "<keyframe><key name='start' qvel='1 0 0 0 0 0'/></keyframe>",
                NULL);
    check_start("<option gravity='0 0 0'/><worldbody><body><joint stiffness='1' springref='9'/>"
                "<geom size='.1'/></body></worldbody>",
                NULL);
}

// Fixed geoms never collide with each other, so none of the 1.8e9 pairs is tested: the answer takes less
// than a second. The bodies of a planar world overlap or not whatever their depths are.
static void check_many(const char* option, const char* geom, const char* body, const char* want)
{
    enum { GEOMS = 60000, TEXT = GEOMS * 50 + 400 };
    static char text[TEXT];
    size_t at = (size_t)snprintf(text, TEXT, "<mujoco xmlns:ut='urn:uptack'>%s<worldbody>", option);
    for (int i = 0; i < GEOMS; i++) {
        at += (size_t)snprintf(text + at, TEXT - at, "%s", geom);
    }
    snprintf(text + at, TEXT - at, "%s</worldbody></mujoco>", body);
    CHECK_INT(check(text, ""), 0);
    if (!CHECK(strstr(out, want) != NULL)) {
        test_note("%s", out);
    }
}

TEST(sixty_thousand_fixed_geoms_are_checked)
{
    if (program() == NULL) {
        return;
    }
    const char* geom = "<geom type='box' size='.1 .1 .1'/>";
    check_many("", geom, BALL("high", "0 0 1"), "ok, 1 body");
    check_many("<option ut:planar='xz'/>", geom, BALL("high", "0 0 1"), "ok, 1 body");
    check_many("<option ut:planar='xz'/>", "<geom type='box' size='.1 .1 .1' pos='1 0 0'/>",
               BALL("low", "0 3 0") BALL("high", "0 -3 .15"), "overlaps    1 at the start: ");
}

#endif
