// SPDX-License-Identifier: Apache-2.0
// Notes: every unsupported part has one, with its count, its first place and whether it is physics.
#include "load.h"

#include <uptack/dyn.h>

#include <string.h>

TEST(every_unsupported_part_has_its_line_in_the_order_of_the_file)
{
    utNotes notes = {0};
    utModel* model = load_model("test/io/models/noted.xml", &notes);
    if (model == NULL) {
        return;
    }
    char text[8192];
    const size_t size = ut_notes_print(&notes, text, sizeof text);
    CHECK_INT(size, strlen(text));
    utArena arena = test_arena();
    utText want;
    utError err;
    if (CHECK(ut_text_read("test/io/models/noted.txt", 0, &arena, &want, &err) == UT_OK)) {
        CHECK_TEXT(text, want.data);
    }
    // a short buffer cuts the text and does not change the returned length
    char little[20];
    CHECK_INT(ut_notes_print(&notes, little, sizeof little), size);
    CHECK(strncmp(little, text, sizeof little - 1) == 0 && little[sizeof little - 1] == 0);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

static int count_notes(const char* what)
{
    utNotes notes = {0};
    utModel* model = read_model(what, &notes);
    const int count = model != NULL ? notes.count : -1;
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    return count;
}

TEST(values_that_are_the_default_are_not_worth_a_note)
{
    CHECK_INT(count_notes("<option density='0' viscosity='0' wind='0 0 0'>"
                          "<flag equality='enable' override='disable'/></option>"
                          "<worldbody><geom size='1' solref='0.02 1' solimp='.9 0.95 1e-3' "
                          "gap='0' solmix='1.0' friction='0.5 0.005 0.0001'/></worldbody>"),
              0);
    CHECK_INT(count_notes("<worldbody><geom size='1' gap='1e-3'/></worldbody>"), 1);
    CHECK_INT(count_notes("<worldbody><geom size='1' solref='0.02 2'/></worldbody>"), 1);
}

// MuJoCo 3.14.0 accepts these equalities. It rejects a body that is named twice.
TEST(equalities_between_bodies_that_do_not_move_have_no_effect)
{
#define BODIES                                                                               \
    "<worldbody><site name='w'/><body name='a'><joint/><geom size='.1'/><body name='b'>"     \
    "<geom size='.1'/></body></body><body name='c'><geom size='.1'/><site name='s'/></body>" \
    "<body name='d'><freejoint/><geom size='.1'/></body></worldbody>"
#define EQUALITY(what) BODIES "<equality>" what "</equality>"
    const char* texts[] = {EQUALITY("<weld name='e' body1='a' body2='b'/>"),
                           EQUALITY("<weld name='e' body1='c'/>"),
                           EQUALITY("<connect name='e' site1='s' site2='w'/>")};
    for (int i = 0; i < 3; i++) {
        utNotes notes = {0};
        utModel* model = read_model(texts[i], &notes);
        if (CHECK(model != NULL) && CHECK_INT(notes.count, 1)) {
            CHECK_TEXT(notes.note[0].what, i < 2 ? "equality/weld" : "equality/connect");
            CHECK_TEXT(notes.note[0].why,
                       "between bodies that do not move against each other: has no effect");
            CHECK(!notes.note[0].physics);
            CHECK_INT(model->nequality, 1);
            CHECK(!model->equality[0].active);
        }
        ut_notes_destroy(&notes);
        ut_model_destroy(model);
    }
    CHECK_INT(count_notes(EQUALITY("<weld body1='a' body2='d'/>")), 0);
    CHECK_INT(count_notes(EQUALITY("<weld body1='a' body2='b' active='false'/>")), 0);
    utError err = {0};
    utModelDef* def = NULL;
    utModel* model = NULL;
    static const char twice[] = "<mujoco>" EQUALITY("<weld body1='a' body2='a'/>") "</mujoco>";
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){twice, strlen(twice)}, "text", NULL, def, NULL, &err), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_ERR_ARGUMENT);
    ut_model_def_destroy(def);
#undef EQUALITY
#undef BODIES
}

TEST(every_condim_is_supported_in_space_but_not_in_the_plane)
{
    CHECK_INT(count_notes("<worldbody><geom size='1' condim='1' friction='0.8'/>"
                          "<geom size='1' condim='4' friction='0.5 0.1 0.1'/>"
                          "<geom size='1' condim='6'/></worldbody>"),
              0);
    CHECK_INT(count_notes("<option xmlns:ut='urn:uptack' ut:planar='xz'/>"
                          "<worldbody><geom size='1' condim='4'/><geom size='1' condim='3'/>"
                          "</worldbody>"),
              1);
}

TEST(words_between_elements_and_other_namespaces_are_noted)
{
    CHECK_INT(count_notes("<worldbody>hello<geom size='1'/>world</worldbody>"), 1);
    CHECK_INT(count_notes("<worldbody><geom size='1' xmlns:x='urn:x' x:a='1' x:b='2'/>"
                          "</worldbody>"),
              1);
}

TEST(an_orientation_beside_two_points_is_noted)
{
    CHECK_INT(count_notes("<worldbody><geom type='capsule' size='0.1' fromto='0 0 0 1 0 0' "
                          "euler='90 0 0'/></worldbody>"),
              1);
}

TEST(a_model_that_is_supported_in_full_has_no_notes)
{
    utNotes notes = {0};
    utModel* model = load_model("test/io/models/masses.xml", &notes);
    CHECK_INT(notes.count, 0);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

// Wind and two fluid shapes: three elements are missing. Softness becomes hard contact, and colours are not
// physics.
TEST(a_model_knows_how_much_of_its_file_it_lacks)
{
    utNotes notes = {0};
    utModel* maximal = NULL;
    utError err;
    utModel* model =
        read_model("<option wind='1 0 0'/><worldbody><body><freejoint/>"
                   "<geom size='1' fluidshape='ellipsoid' solref='1 1' user='1 0 0 1'/>"
                   "<geom size='1' fluidshape='ellipsoid'/></body></worldbody>",
                   &notes);
    if (CHECK(model != NULL)) {
        CHECK_INT(model->missing, 3);
        CHECK_INT(model->missing_parts, 2);
        if (model->missing_parts == 2) {
            CHECK_TEXT(model->missing_part[0].what, "option.wind");
            CHECK_INT(model->missing_part[0].count, 1);
            CHECK_TEXT(model->missing_part[1].what, "geom.fluidshape");
            CHECK_INT(model->missing_part[1].count, 2);
        }
        CHECK_INT(notes.count, 4);
        CHECK(notes.note[0].missing && notes.note[1].missing);
        for (int k = 2; k < 4; k++) {
            CHECK(!notes.note[k].missing);
        }
        if (CHECK(ut_model_maximal(model, NULL, &maximal, &err) == UT_OK)) {
            CHECK_INT(maximal->missing, 3);
            CHECK_INT(maximal->missing_parts, 2);
            CHECK_TEXT(maximal->missing_part[1].what, "geom.fluidshape");
            ut_model_destroy(maximal);
        }
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}
