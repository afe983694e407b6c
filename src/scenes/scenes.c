// SPDX-License-Identifier: Apache-2.0
// The table of scenes with names, numbers and builders, and the reading of names.
#include "build.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NUMBERS = 2 };

// A number of a scene's name.
typedef struct Number {
    const char* name; // NULL: end of the list
    bool whole;
    double least, most;
} Number;

typedef struct Scene {
    utSceneInfo info;
    SceneBuild* build;
    Number number[MAX_NUMBERS];
    double default_value[MAX_NUMBERS]; // the same as in info.usage
} Scene;

#define HEADING                         \
    {                                   \
        "heading", false, -360.0, 360.0 \
    }

static const Scene scenes[] = {
    {{"balls216", "balls216", "6x6x6 balls without friction fall apart on a floor"},
     ut_scene_balls216,
     {{0}},
     {0}},
    {{"balls648", "balls648", "6x6x18 balls settle in a square bin"},
     ut_scene_balls648,
     {{0}},
     {0}},
    {{"balls", "balls:side=4:layers=2", "side x side x layers balls settle in a square bin"},
     ut_scene_balls,
     {{"side", true, 1.0, 100.0}, {"layers", true, 1.0, 100.0}},
     {4.0, 2.0}},
    {{"pile", "pile:n=100:seed=1", "n boxes, balls and capsules of random sizes fall on a heap"},
     ut_scene_pile,
     {{"n", true, 1.0, 10000.0}, {"seed", true, 0.0, 1e9}},
     {100.0, 1.0}},
    {{"stack", "stack:n=10", "n cubes of 0.2 m and 1 kg, exactly touching"},
     ut_scene_stack,
     {{"n", true, 1.0, 10000.0}},
     {10.0}},
    {{"stackm", "stackm:n=10", "n cubes of 1 m and 1000 kg, exactly touching"},
     ut_scene_stackm,
     {{"n", true, 1.0, 10000.0}},
     {10.0}},
    {{"islands", "islands:n=100", "n stacks of two cubes on a square grid, each on its own"},
     ut_scene_islands,
     {{"n", true, 1.0, 20000.0}},
     {100.0}},
    {{"pyramid", "pyramid:n=20", "a pyramid of cubes one cube deep, n at its base"},
     ut_scene_pyramid,
     {{"n", true, 1.0, 200.0}},
     {20.0}},
    {{"wall", "wall:rows=8:columns=8", "bricks in running bond with half bricks at the ends"},
     ut_scene_wall,
     {{"rows", true, 1.0, 200.0}, {"columns", true, 1.0, 200.0}},
     {8.0, 8.0}},
    {{"wedge", "wedge:n=6", "n cubes fill the height from floor to ceiling; one is pushed"},
     ut_scene_wedge,
     {{"n", true, 1.0, 100.0}},
     {6.0}},
    {{"table", "table", "a rigid table: four feet, one more than needed"},
     ut_scene_table,
     {{0}},
     {0}},
    {{"slide", "slide:heading=30", "a box slides at 3 m/s along a heading in degrees, mu 0.5"},
     ut_scene_slide,
     {HEADING},
     {30.0}},
    {{"incline", "incline:heading=30:percent=-2",
      "a box where gravity is percent beyond its friction cone"},
     ut_scene_incline,
     {HEADING, {"percent", false, -100.0, 100.0}},
     {30.0, -2.0}},
    {{"slope", "slope:angle=20:mu=0.4", "a box on a slope of an angle in degrees"},
     ut_scene_slope,
     {{"angle", false, 0.0, 80.0}, {"mu", false, 0.0, 10.0}},
     {20.0, 0.4}},
    {{"rolling", "rolling", "a slab pushed at 60 degrees with 25 balls rolling on it"},
     ut_scene_rolling,
     {{0}},
     {0}},
    {{"ladder", "ladder:angle=60:mu=0.4", "a rod on a floor with friction and a smooth wall"},
     ut_scene_ladder,
     {{"angle", false, 1.0, 89.0}, {"mu", false, 0.0, 10.0}},
     {60.0, 0.4}},
    {{"painleve", "painleve:angle=63.43494882292201:mu=2", "a rod slides on its tip and digs in"},
     ut_scene_painleve,
     {{"angle", false, 1.0, 89.0}, {"mu", false, 0.0, 10.0}},
     {63.43494882292201, 2.0}},
    {{"pendulum", "pendulum:angle=90", "a ball on a rod, angle in degrees from hanging"},
     ut_scene_pendulum,
     {{"angle", false, -180.0, 180.0}},
     {90.0}},
    {{"pendulum2", "pendulum2:angle1=90:angle2=0", "two rods, angles at their hinges"},
     ut_scene_pendulum2,
     {{"angle1", false, -180.0, 180.0}, {"angle2", false, -180.0, 180.0}},
     {90.0, 0.0}},
    {{"chain", "chain:n=10", "n links released horizontally, without contacts"},
     ut_scene_chain,
     {{"n", true, 1.0, 10000.0}},
     {10.0}},
    {{"top", "top:tilt=20:spin=200", "a heavy top in steady precession, degrees and rad/s"},
     ut_scene_top,
     {{"tilt", false, 0.0, 80.0}, {"spin", false, 50.0, 1000.0}},
     {20.0, 200.0}},
    {{"quad", "quad", "a quadruped with 12 position actuators drops and stands"},
     ut_scene_quad,
     {{0}},
     {0}},
    {{"gripper", "gripper:force=10", "two plates hold a box between them by force and friction"},
     ut_scene_gripper,
     {{"force", false, 0.0, 1000.0}},
     {10.0}},
    {{"grasp", "grasp:force=20", "a hand on a vertical slide lifts a box off the floor"},
     ut_scene_grasp,
     {{"force", false, 0.0, 1000.0}},
     {20.0}},
};

enum { SCENES = sizeof scenes / sizeof scenes[0] };

// ---- names --------------------------------------------------------------------------------------

int ut_scene_count(void)
{
    return SCENES;
}

utSceneInfo ut_scene_info(int i)
{
    return i >= 0 && i < SCENES ? scenes[i].info : (utSceneInfo){"", "", ""};
}

// The length of the word at the beginning of a name, 0 for none. Letters are ASCII in any locale.
static size_t word_length(const char* name)
{
    size_t n = 0;
    while ((name[n] >= 'a' && name[n] <= 'z') || (n > 0 && name[n] >= '0' && name[n] <= '9')) {
        n++;
    }
    return n;
}

bool ut_scene_is(const char* name)
{
    if (name == NULL) {
        return false;
    }
    const size_t word = word_length(name);
    if (word == 0 || (name[word] != 0 && name[word] != ':')) {
        return false;
    }
    for (const char* c = name + word; *c != 0; c++) {
        const bool letter = (c[1] >= 'a' && c[1] <= 'z') || (c[1] >= 'A' && c[1] <= 'Z');
        if (*c == '/' || *c == '\\' || (*c == '.' && letter)) {
            return false;
        }
    }
    return true;
}

static const Scene* find(const char* name)
{
    const size_t word = word_length(name);
    for (int i = 0; i < SCENES && (name[word] == 0 || name[word] == ':'); i++) {
        const char* known = scenes[i].info.name;
        if (strlen(known) == word && memcmp(known, name, word) == 0) {
            return &scenes[i];
        }
    }
    return NULL;
}

static utStatus fail_unknown(const char* name, utError* err)
{
    char list[256];
    size_t used = 0;
    for (int i = 0; i < SCENES; i++) {
        const int n = snprintf(list + used, sizeof list - used, " %s", scenes[i].info.name);
        used = used + (size_t)n < sizeof list ? used + (size_t)n : used;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "no scene '%.32s'; there are%s", name, list);
}

// ---- numbers ------------------------------------------------------------------------------------

static int count_numbers(const Scene* scene)
{
    int count = 0;
    while (count < MAX_NUMBERS && scene->number[count].name != NULL) {
        count++;
    }
    return count;
}

static utStatus fail_number(const char* name, const Scene* scene, int i, utError* err)
{
    const Number* number = &scene->number[i];
    // name the number only if the scene has several
    const bool several = count_numbers(scene) > 1;
    return ut_error_set(err, UT_ERR_ARGUMENT, "%.64s: %s%sneeds a %snumber from %.15g to %.15g",
                        name, several ? number->name : "", several ? " " : "",
                        number->whole ? "whole " : "", number->least, number->most);
}

static utStatus fail_count(const char* name, const Scene* scene, utError* err)
{
    const int count = count_numbers(scene);
    if (count == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%.64s: takes no numbers; write %s", name,
                            scene->info.name);
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "%.64s: takes %d number%s at most, as in %s", name,
                        count, count == 1 ? "" : "s", scene->info.usage);
}

// Read the text from begin to end as a number. @return false when it is not in the number's range
static bool read_number(const char* begin, const char* end, const Number* number, double* value)
{
    // allow a plus sign, because users write "+2" beside "-2"
    begin += begin < end && *begin == '+' && begin + 1 < end && begin[1] != '-' ? 1 : 0;
    double x = 0.0;
    if (ut_number_read(begin, end, &x) != end || !(x >= number->least && x <= number->most)) {
        return false;
    }
    if (number->whole && x != floor(x)) {
        return false;
    }
    *value = x;
    return true;
}

static utStatus read_numbers(const char* name, const Scene* scene, double* value, utError* err)
{
    const int count = count_numbers(scene);
    memcpy(value, scene->default_value, sizeof scene->default_value);
    const char* at = name + word_length(name);
    for (int i = 0; *at == ':'; i++) {
        if (i == count) {
            return fail_count(name, scene, err);
        }
        const char* begin = at + 1;
        at = begin + strcspn(begin, ":");
        if (!read_number(begin, at, &scene->number[i], &value[i])) {
            return fail_number(name, scene, i, err);
        }
    }
    return UT_OK;
}

// ---- build --------------------------------------------------------------------------------------

utStatus ut_scene_build(const char* name, utModelDef* def, utError* err)
{
    if (name == NULL || def == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a scene needs a name and a description");
    }
    const Scene* scene = find(name);
    if (scene == NULL) {
        return fail_unknown(name, err);
    }
    double value[MAX_NUMBERS];
    UT_TRY(read_numbers(name, scene, value, err));

    Builder builder = {.def = def};
    ut_model_def_name(def, name);
    scene->build(&builder, value);
    if (builder.out_of_memory) {
        return ut_error_set(err, UT_ERR_MEMORY, "%.64s: not enough memory for the scene", name);
    }
    return UT_OK;
}
