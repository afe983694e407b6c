// SPDX-License-Identifier: Apache-2.0
// Every number of every file in scenes/seeds is the one that its example was given. Two more tests
// check the tests: each file of the folder has one here, and changing any number of any file by 1 % is
// noticed.
#define _XOPEN_SOURCE 700
#include "parameters.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/io.h>

#include "test.h"

enum { TEXT_ROOM = 1 << 14, VALUE_ROOM = 256 };

static const char* const scenes[] = {"berard-4.1",       "berard-4.2",
                                     "berard-4.3",       "berard-4.4",
                                     "berard-4.4-tip",   "berard-4.5",
                                     "berard-4.6",       "berard-3d-4.5",
                                     "berard-3d-4.6",    "berard-3d-turned",
                                     "dart-arm",         "dart-arm-box",
                                     "dart-box",         "dart-three-systems",
                                     "igms-ball",        "igms-kane",
                                     "igms-linkage",     "igms-low",
                                     "igms-rod",         "peiret-block",
                                     "peiret-rod",       "pfrommer-bidirectional",
                                     "pfrommer-falling", "pfrommer-sliding"};

enum { SCENES = sizeof scenes / sizeof *scenes };

// ---- a file's text ------------------------------------------------------------------------------

// An attribute of a file: where its value begins and how long it is.
typedef struct Attribute {
    char element[64], name[64];
    const char* value;
    size_t size;
} Attribute;

// Step to the next attribute, past comments. @return false at the end
static bool next_attribute(const char** at, Attribute* a)
{
    const char* p = *at;
    while (*p != '\0') {
        if (strncmp(p, "<!--", 4) == 0) {
            p = strstr(p, "-->");
            if (p == NULL) {
                return false;
            }
        } else if (*p == '<' && isalpha((unsigned char)p[1])) {
            sscanf(p + 1, "%63[A-Za-z:]", a->element);
        } else if (*p == '"') {
            const char* name = p - 1; // after the name and =
            while (name[-1] == ':' || isalnum((unsigned char)name[-1])) {
                name--;
            }
            snprintf(a->name, sizeof a->name, "%.*s", (int)(p - 1 - name), name);
            a->value = p + 1;
            a->size = strcspn(a->value, "\"");
            *at = a->value + a->size + 1;
            return true;
        }
        p++;
    }
    return false;
}

// @return the length of the number that begins at p, 0 where none does
static size_t number_length(const char* begin, const char* p)
{
    const bool inside = p > begin && (isalnum((unsigned char)p[-1]) || p[-1] == '.');
    char* end;
    if (inside || !isdigit((unsigned char)*p)) {
        return 0;
    }
    (void)strtod(p, &end);
    return (size_t)(end - p);
}

static bool is_name(const Attribute* a)
{
    static const char* const names[] = {"model", "name", "ut", "xmlns:ut"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(a->name, names[k]) == 0) {
            return true;
        }
    }
    return false;
}

// Numbers that a compiled model does not show: the lengths of directions, and gravity across the plane
// of a planar world.
static void text_facts(Facts* f, const char* text)
{
    Attribute a;
    for (const char* at = text; next_attribute(&at, &a);) {
        const bool is_direction = strcmp(a.name, "axis") == 0 || strcmp(a.name, "zaxis") == 0;
        char value[VALUE_ROOM];
        utVec3 v = {0};
        snprintf(value, sizeof value, "%.*s", (int)a.size, a.value);
        sscanf(value, "%lf %lf %lf", &v.x, &v.y, &v.z);
        if (is_direction) {
            fact(f, ut_vec3_norm(v), 1.0, "length", a.name);
        }
        if (strcmp(a.name, "gravity") == 0) {
            fact_vector(f, v, f->model->options.gravity, "gravity", "text");
        }
    }
}

// ---- a scene ------------------------------------------------------------------------------------

static bool read_scene(const char* name, char* text)
{
    char path[128];
    snprintf(path, sizeof path, "scenes/seeds/%s.xml", name);
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const size_t size = fread(text, 1, TEXT_ROOM - 1, file);
    text[size] = '\0';
    return fclose(file) == 0 && size > 0 && size < TEXT_ROOM - 1;
}

static void all_facts(Facts* f, const char* name, const char* text)
{
    text_facts(f, text);
    if (!facts_of_berard(f, name) && !facts_of_impacts(f, name) && !facts_of_others(f, name)) {
        fact(f, 0.0, 1.0, "parameters", name);
    }
}

// Compile a text and compare it with the parameters of the scene of that name.
// @return false when the text is no model
static bool examine(const char* name, const char* text, Facts* f)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utSim* sim = NULL;
    utError err = {0};
    *f = (Facts){0};
    const bool compiled =
        ut_model_def_create(NULL, &def) == UT_OK &&
        ut_mjcf_read((utText){text, strlen(text)}, name, NULL, def, NULL, &err) == UT_OK &&
        ut_model_compile(def, NULL, &model, &err) == UT_OK &&
        ut_sim_create(model, NULL, &sim, &err) == UT_OK;
    if (compiled) {
        f->model = model;
        f->sim = sim;
        all_facts(f, name, text);
    } else {
        snprintf(f->first, sizeof f->first, "%.150s", err.message);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return compiled;
}

static void check_parameters(const char* name)
{
    char text[TEXT_ROOM];
    Facts f;
    if (!CHECK(read_scene(name, text)) || !CHECK(examine(name, text, &f)) ||
        !CHECK_INT(f.wrong, 0)) {
        test_note("%s: %s", name, f.first);
    }
}

TEST(parameters_of_berard_4_1)
{
    check_parameters("berard-4.1");
}

TEST(parameters_of_berard_4_2)
{
    check_parameters("berard-4.2");
}

TEST(parameters_of_berard_4_3)
{
    check_parameters("berard-4.3");
}

TEST(parameters_of_berard_4_4)
{
    check_parameters("berard-4.4");
}

TEST(parameters_of_berard_4_4_tip)
{
    check_parameters("berard-4.4-tip");
}

TEST(parameters_of_berard_4_5)
{
    check_parameters("berard-4.5");
}

TEST(parameters_of_berard_4_6)
{
    check_parameters("berard-4.6");
}

TEST(parameters_of_berard_3d_4_5)
{
    check_parameters("berard-3d-4.5");
}

TEST(parameters_of_berard_3d_4_6)
{
    check_parameters("berard-3d-4.6");
}

TEST(parameters_of_berard_3d_turned)
{
    check_parameters("berard-3d-turned");
}

TEST(parameters_of_dart_arm)
{
    check_parameters("dart-arm");
}

TEST(parameters_of_dart_arm_box)
{
    check_parameters("dart-arm-box");
}

TEST(parameters_of_dart_box)
{
    check_parameters("dart-box");
}

TEST(parameters_of_dart_three_systems)
{
    check_parameters("dart-three-systems");
}

TEST(parameters_of_igms_ball)
{
    check_parameters("igms-ball");
}

TEST(parameters_of_igms_kane)
{
    check_parameters("igms-kane");
}

TEST(parameters_of_igms_linkage)
{
    check_parameters("igms-linkage");
}

TEST(parameters_of_igms_low)
{
    check_parameters("igms-low");
}

TEST(parameters_of_igms_rod)
{
    check_parameters("igms-rod");
}

TEST(parameters_of_peiret_block)
{
    check_parameters("peiret-block");
}

TEST(parameters_of_peiret_rod)
{
    check_parameters("peiret-rod");
}

TEST(parameters_of_pfrommer_bidirectional)
{
    check_parameters("pfrommer-bidirectional");
}

TEST(parameters_of_pfrommer_falling)
{
    check_parameters("pfrommer-falling");
}

TEST(parameters_of_pfrommer_sliding)
{
    check_parameters("pfrommer-sliding");
}

// ---- the tests themselves -----------------------------------------------------------------------

TEST(every_seed_is_among_those_whose_parameters_are_checked)
{
    int files = 0;
    DIR* folder = opendir("scenes/seeds");
    for (struct dirent* e; CHECK(folder != NULL) && (e = readdir(folder)) != NULL;) {
        bool known = e->d_name[0] == '.';
        files += known ? 0 : 1;
        for (int k = 0; k < SCENES; k++) {
            const size_t size = strlen(scenes[k]);
            known = known || (strncmp(e->d_name, scenes[k], size) == 0 &&
                              strcmp(e->d_name + size, ".xml") == 0);
        }
        if (!CHECK(known)) {
            test_note("%s has no test", e->d_name);
        }
    }
    CHECK_INT(files, SCENES);
    if (folder != NULL) {
        closedir(folder);
    }
}

// Write a text with another number in place of the one at `at`: 1 % more, 0.01 in place of 0, the
// next admissible one where only integers are.
static void change(const char* text, const Attribute* a, const char* at, size_t size, char* changed)
{
    const double value = strtod(at, NULL);
    const bool mask = strcmp(a->name, "contype") == 0 || strcmp(a->name, "conaffinity") == 0;
    const double next = strcmp(a->name, "directions") == 0 ? value + 2.0
                        : mask                             ? value + 1.0
                        : value == 0.0                     ? 0.01
                                                           : 1.01 * value;
    snprintf(changed, 2 * TEXT_ROOM, "%.*s%.17g%s", (int)(at - text), text, next, at + size);
}

typedef struct Changes {
    int numbers, differ, rejected; // parameters differ, or the file is no model any more
} Changes;

// Change the numbers of an attribute one at a time.
static void change_attribute(const char* name, const char* text, const Attribute* a, Changes* sum)
{
    static char changed[2 * TEXT_ROOM];
    for (const char* at = a->value; at < a->value + a->size; at++) {
        const size_t size = number_length(a->value, at);
        if (size == 0) {
            continue;
        }
        Facts f;
        change(text, a, at, size, changed);
        sum->numbers++;
        if (!examine(name, changed, &f)) {
            sum->rejected++;
        } else if (f.wrong > 0) {
            sum->differ++;
        } else {
            test_note("%s: unnoticed in %s %s=\"%.*s\" at %.*s", name, a->element, a->name,
                      (int)a->size, a->value, (int)size, at);
        }
        at += size - 1;
    }
}

TEST(changing_any_number_of_any_seed_by_1_percent_is_noticed)
{
    Changes sum = {0};
    for (int k = 0; k < SCENES; k++) {
        char text[TEXT_ROOM];
        Attribute a;
        CHECK(read_scene(scenes[k], text));
        for (const char* at = text; next_attribute(&at, &a);) {
            if (!is_name(&a)) {
                change_attribute(scenes[k], text, &a, &sum);
            }
        }
    }
    CHECK_INT(sum.differ + sum.rejected, sum.numbers);
    CHECK(sum.numbers > 1000 && sum.differ > 1000);
    test_note("%d numbers of %d files: %d parameters differ, %d files are rejected", sum.numbers,
              SCENES, sum.differ, sum.rejected);
}
