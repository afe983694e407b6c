// SPDX-License-Identifier: Apache-2.0
// Limits: each one is exceeded by one and rejected at its place. Hostile models are answered within a
// second and 64 MB.
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uptack/load.h>

// ---- reading under limits -----------------------------------------------------------------------

// Memory in use, and the most at once.
typedef struct Counter {
    size_t now, most;
} Counter;

static void* take(void* context, size_t size)
{
    Counter* c = context;
    c->now += size;
    c->most = c->now > c->most ? c->now : c->most;
    return malloc(size);
}

static void give_back(void* context, void* memory, size_t size)
{
    ((Counter*)context)->now -= size;
    free(memory);
}

// Read a text, within a second and 64 MB. @param got "" when it is accepted
static void read_text(utText text, const TextFile* files, utLimits limits, char* got, size_t size)
{
    Counter memory = {0, 0};
    const utAllocator allocator = {take, give_back, &memory};
    utMjcfDef how = ut_mjcf_def();
    how.limits = limits;
    how.read = read_table;
    how.read_context = (void*)files;
    how.allocator = &allocator;
    utModelDef* def = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    const clock_t begin = clock();
    const utStatus status = ut_mjcf_read(text, "main.xml", &how, def, NULL, &err);
    CHECK((double)(clock() - begin) < 1.0 * CLOCKS_PER_SEC);
    CHECK(memory.most < 64000000);
    CHECK_INT(memory.now, 0);
    got[0] = 0;
    if (status != UT_OK) {
        ut_error_format(&err, got, size);
    }
    ut_model_def_destroy(def);
}

static void check_error(const char* text, const TextFile* files, utLimits limits, const char* want)
{
    char got[700];
    read_text((utText){text, strlen(text)}, files, limits, got, sizeof got);
    CHECK_TEXT(got, want);
}

// ---- each limit ---------------------------------------------------------------------------------

TEST(more_bytes_than_the_limit_are_rejected)
{
    static const char text[] = "<mujoco><include file='part.xml'/></mujoco>";
    static const TextFile files[] = {{"part.xml", "<mujoco><size/></mujoco>"}, {NULL, NULL}};
    utLimits limits = ut_limits();
    limits.bytes = sizeof text - 1 + 24;
    check_error(text, files, limits, "");
    limits.bytes -= 1;
    check_error(text, files, limits,
                "part.xml: error: more than 66 bytes of XML; utLimits.bytes sets the limit");
    limits.bytes = 10;
    check_error(text, files, limits,
                "main.xml: error: more than 10 bytes of XML; utLimits.bytes sets the limit");
}

TEST(more_files_than_the_limit_are_rejected)
{
    static const char text[] =
        "<mujoco>\n<include file='a.xml'/>\n<include file='b.xml'/></mujoco>";
    static const TextFile files[] = {
        {"a.xml", "<mujoco><size/></mujoco>"}, {"b.xml", "<mujoco><size/></mujoco>"}, {NULL, NULL}};
    utLimits limits = ut_limits();
    limits.files = 3;
    check_error(text, files, limits, "");
    limits.files = 2;
    check_error(text, files, limits,
                "main.xml:3:16: error: more than 2 files; utLimits.files sets the limit");
}

TEST(deeper_elements_than_the_limit_are_rejected)
{
    static const char text[] =
        "<mujoco><worldbody>\n<body><geom size='1'/></body></worldbody></mujoco>";
    utLimits limits = ut_limits();
    limits.depth = 4;
    check_error(text, NULL, limits, "");
    limits.depth = 3;
    check_error(text, NULL, limits,
                "main.xml:2:7: error: elements nested more than 3 deep; utLimits.depth sets the "
                "limit");
    // each file alone is within the limit
    static const char outer[] = "<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>";
    static const TextFile files[] = {{"a.xml", "<x>\n <body><geom size='1'/></body></x>"},
                                     {NULL, NULL}};
    check_error(
        outer, files, limits,
        "a.xml:2:8: error: elements nested more than 3 deep; utLimits.depth sets the limit");
}

TEST(more_elements_than_the_limit_are_rejected)
{
    static const char text[] =
        "<mujoco><worldbody>\n<geom size='1'/><geom size='1'/></worldbody></mujoco>";
    utLimits limits = ut_limits();
    limits.elements = 4;
    check_error(text, NULL, limits, "");
    limits.elements = 3;
    check_error(text, NULL, limits,
                "main.xml:2:17: error: more than 3 elements; utLimits.elements sets the limit");
}

TEST(more_bodies_than_the_limit_are_rejected)
{
    static const char text[] = "<mujoco><worldbody><body/>\n  <body/></worldbody></mujoco>";
    utLimits limits = ut_limits();
    limits.bodies = 2;
    check_error(text, NULL, limits, "");
    limits.bodies = 1;
    check_error(text, NULL, limits,
                "main.xml:2:3: error: more than 1 bodies; utLimits.bodies sets the limit");
}

TEST(more_numbers_in_keyframes_than_the_limit_are_rejected)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>"
        "<keyframe><key qpos='1' qvel='2'/>\n<key qpos='1'/></keyframe></mujoco>";
    utLimits limits = ut_limits();
    limits.key_numbers = 3;
    check_error(text, NULL, limits, "");
    limits.key_numbers = 2;
    check_error(text, NULL, limits,
                "main.xml:2:12: error: more than 2 numbers in keyframes; utLimits.key_numbers sets "
                "the limit");
}

// Three keyframes of a free body and a motor hold 3 (7 + 6 + 1) numbers, whatever the file leaves out.
TEST(keyframes_that_a_file_leaves_out_count_too)
{
    static const char text[] =
        "<mujoco><worldbody><body><freejoint name='f'/><geom size='1'/></body></worldbody>"
        "<actuator><motor joint='f'/></actuator>\n<keyframe><key/><key/><key/></keyframe></mujoco>";
    utLimits limits = ut_limits();
    limits.key_numbers = 11; // 44 numbers
    check_error(text, NULL, limits, "");
    limits.key_numbers = 10;
    check_error(text, NULL, limits,
                "main.xml:2:11: error: 3 keyframes of 14 numbers are more than 40 numbers; "
                "utLimits.key_numbers sets the limit");
}

// Two tetrahedra of four vertices and four triangles each.
#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
static const TextFile meshes[] = {{"a.obj", TETRAHEDRON}, {"b.obj", TETRAHEDRON}, {NULL, NULL}};
static const char with_meshes[] =
    "<mujoco><asset><mesh file='a.obj'/><mesh file='b.obj'/></asset><worldbody>"
    "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/></worldbody></mujoco>";

TEST(larger_meshes_than_the_limit_are_rejected)
{
    utLimits limits = ut_limits();
    limits.vertices = limits.triangles = 8;
    limits.asset_bytes = 2 * (sizeof TETRAHEDRON - 1);
    check_error(with_meshes, meshes, limits, "");
    limits.asset_bytes--;
    check_error(with_meshes, meshes, limits,
                "b.obj: error: more than 127 bytes of files; utLimits.asset_bytes sets the limit");
    limits.asset_bytes++;
    limits.vertices = 7;
    check_error(with_meshes, meshes, limits,
                "b.obj: error: more than 3 vertices; utLimits.vertices sets the limit");
    limits.vertices = 8;
    limits.triangles = 7;
    check_error(with_meshes, meshes, limits,
                "b.obj: error: more than 3 triangles; utLimits.triangles sets the limit");
}

TEST(larger_height_fields_than_the_limit_are_rejected)
{
    static const char text[] =
        "<mujoco><asset>\n<hfield name='h' nrow='3' ncol='4' size='1 1 1 1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>";
    static const char huge[] =
        "<mujoco><asset>\n<hfield name='h' nrow='100000' ncol='100000' size='1 1 1 1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>";
    utLimits limits = ut_limits();
    limits.pixels = 12;
    check_error(text, NULL, limits, "");
    limits.pixels = 11;
    check_error(text, NULL, limits,
                "main.xml:2:1: error: 3 x 4 heights; utLimits.pixels allows 11");
    check_error(huge, NULL, ut_limits(),
                "main.xml:2:1: error: 100000 x 100000 heights; utLimits.pixels allows 16000000");
}

TEST(limits_made_by_hand_are_rejected)
{
    utLimits limits = ut_limits();
    limits.depth = 0;
    check_error("<mujoco/>", NULL, limits, "error: a limit is 0 or negative; each is at least 1");
    check_error("<mujoco/>", NULL, (utLimits){.depth = 1},
                "error: the limits must come from ut_limits()");
    utLoadDef def = ut_load_def();
    def.limits.cookie = 0;
    utModel* model = NULL;
    CHECK(ut_load_with("scenes/stack-5.xml", &def, &model, NULL, NULL) == UT_ERR_DEF);
}

// ---- hostile models -----------------------------------------------------------------------------

// `head`, then `count` times `part`, then `tail`. @return a text for free()
static char* repeat(const char* head, int count, const char* part, const char* tail)
{
    const size_t size = strlen(part);
    char* text = malloc(strlen(head) + (size_t)count * size + strlen(tail) + 1);
    if (text == NULL) {
        abort();
    }
    char* at = text + strlen(strcpy(text, head));
    for (int i = 0; i < count; i++, at += size) {
        memcpy(at, part, size);
    }
    strcpy(at, tail);
    return text;
}

static void check_repeated(const char* head, int count, const char* part, const char* tail,
                           const char* want)
{
    char* text = repeat(head, count, part, tail);
    check_error(text, NULL, ut_limits(), want);
    free(text);
}

TEST(a_million_elements_are_rejected)
{
    // "<mujoco><worldbody>" has 19 bytes and is 2 deep, so that body 4095 is too deep
    check_repeated("<mujoco><worldbody>", 1000000, "<body>", "",
                   "main.xml:1:24584: error: elements nested more than 4096 deep; utLimits.depth "
                   "sets the limit");
    check_repeated("<mujoco><worldbody>", 1000000, "<body/>", "</worldbody></mujoco>",
                   "main.xml:1:700006: error: more than 100000 elements; utLimits.elements sets "
                   "the limit");
    check_repeated("<mujoco><worldbody>", 60000, "<body/>", "</worldbody></mujoco>",
                   "main.xml:1:210020: error: more than 30000 bodies; utLimits.bodies sets the "
                   "limit");
}

TEST(a_gigabyte_is_rejected_before_it_is_read)
{
    utLimits limits = ut_limits();
    char got[700];
    // no byte of the text may be looked at
    read_text((utText){"<mujoco model='", (size_t)1 << 30}, NULL, limits, got, sizeof got);
    CHECK_TEXT(got,
               "main.xml: error: more than 16777216 bytes of XML; utLimits.bytes sets the limit");
}

TEST(a_file_that_includes_itself_by_others_is_rejected)
{
    static const TextFile files[] = {{"a.xml", "<mujoco>\n<include file='b.xml'/></mujoco>"},
                                     {"b.xml", "<mujoco>\n\n<include file='./a.xml'/></mujoco>"},
                                     {NULL, NULL}};
    check_error("<mujoco><include file='a.xml'/></mujoco>", files, ut_limits(),
                "b.xml:3:16: error: 'a.xml' is included already; include each file once");
}

// 10^9, 1000^4 and 2^4000 copies of one geom. Of the last, 2^17 - 1 copies are over the limit at the
// 17th element inside of another.
TEST(copies_without_end_are_rejected_before_the_first)
{
    check_error(
        "<mujoco><worldbody>\n<replicate count='1000000000'>\n  <geom size='1'/></replicate>"
        "</worldbody></mujoco>",
        NULL, ut_limits(),
        "main.xml:3:3: error: more than 100000 elements; utLimits.elements sets the limit");
    check_error("<mujoco><worldbody><replicate count='1000'><replicate count='1000'>"
                "<replicate count='1000'><replicate count='1000'>\n<geom size='1'/></replicate>"
                "</replicate></replicate></replicate></worldbody></mujoco>",
                NULL, ut_limits(),
                "main.xml:1:68: error: more than 100000 elements; utLimits.elements sets the "
                "limit");
    char* head = repeat("<mujoco><worldbody>", 4000, "<replicate count='2'>", "<geom size='1'/>");
    check_repeated(head, 4000, "</replicate>", "</worldbody></mujoco>",
                   "main.xml:1:356: error: more than 100000 elements; utLimits.elements sets the "
                   "limit");
    free(head);
}

TEST(models_that_attach_each_other_are_rejected)
{
    static const TextFile loop[] = {
        {"a.xml", "<mujoco><asset>\n<model file='b.xml'/></asset></mujoco>"},
        {"b.xml", "<mujoco><asset>\n\n<model file='a.xml'/></asset></mujoco>"},
        {NULL, NULL}};
    check_error("<mujoco><asset><model file='a.xml'/></asset></mujoco>", loop, ut_limits(),
                "b.xml:3:14: error: 'a.xml' would attach itself");
    static const TextFile itself[] = {{"main.xml", "<mujoco/>"}, {NULL, NULL}};
    check_error("<mujoco><asset><model file='main.xml'/></asset></mujoco>", itself, ut_limits(),
                "main.xml:1:29: error: 'main.xml' would attach itself");
}

// Each model attaches the next one ten times: a million copies of the last.
TEST(models_that_multiply_are_rejected)
{
    static char text[7][1200];
    static char name[7][8];
    static TextFile files[8];
    for (int i = 0; i < 7; i++) {
        char* at = text[i];
        at +=
            sprintf(at, "<mujoco><asset><model name='m' file='%d.xml'/></asset><worldbody>", i + 1);
        for (int k = 0; k < 10 && i < 6; k++) {
            at += sprintf(at, "<body><attach model='m' prefix='%c'/></body>", 'a' + k);
        }
        if (i == 6) {
            at = text[i] + sprintf(text[i], "<mujoco><worldbody><geom size='1'/>");
        }
        sprintf(at, "</worldbody></mujoco>");
        sprintf(name[i], "%d.xml", i);
        files[i] = (TextFile){name[i], text[i]};
    }
    char got[700];
    read_text((utText){text[0], strlen(text[0])}, files, ut_limits(), got, sizeof got);
    CHECK(strstr(got, "more than 100000 elements; utLimits.elements sets the limit") != NULL);
}

// 25,000 sections are one class, which 15,000 elements ask for each of their attributes.
TEST(classes_of_many_sections_are_read_at_once)
{
    char* head =
        repeat("<mujoco>", 25000, "<default><geom friction='1'/></default>", "<worldbody>");
    check_repeated(head, 15000, "<geom size='1'/>", "</worldbody></mujoco>", "");
    free(head);
    head =
        repeat("<mujoco>", 25000, "<default><motor gear='2'/></default>",
               "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>");
    check_repeated(head, 15000, "<motor joint='j'/>", "</actuator></mujoco>", "");
    free(head);
}

TEST(entities_are_rejected)
{
    check_error("<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n"
                "<mujoco model='&b;'/>",
                NULL, ut_limits(),
                "main.xml:1:1: error: a DOCTYPE with declarations is not supported; remove it and "
                "write entities out");
}
