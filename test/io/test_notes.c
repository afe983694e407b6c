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

TEST(condim_1_beside_condim_3_is_noted_where_it_makes_a_difference)
{
    // friction of the pair by MJCF: max(0.8, 0.5) with condim 3; here: 0.5
    CHECK_INT(count_notes("<worldbody><geom size='1' condim='1' friction='0.8'/>"
                          "<geom size='1' friction='0.5'/></worldbody>"),
              1);
    // max(0.2, 0.5) in MJCF and here
    CHECK_INT(count_notes("<worldbody><geom size='1' condim='1' friction='0.2'/>"
                          "<geom size='1' friction='0.5'/></worldbody>"),
              0);
    // all geoms have condim 1
    CHECK_INT(count_notes("<worldbody><geom size='1' condim='1'/><geom size='1' condim='1'/>"
                          "</worldbody>"),
              0);
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

// Wind and two gaps: three elements are missing. Softness becomes hard contact, and colours are not
// physics.
TEST(a_model_knows_how_much_of_its_file_it_lacks)
{
    utNotes notes = {0};
    utModel* maximal = NULL;
    utError err;
    utModel* model = read_model("<option wind='1 0 0'/><worldbody><body><freejoint/>"
                                "<geom size='1' gap='1' solref='1 1' rgba='1 0 0 1'/>"
                                "<geom size='1' gap='1'/></body></worldbody>",
                                &notes);
    if (CHECK(model != NULL)) {
        CHECK_INT(model->missing, 3);
        CHECK_INT(notes.count, 4);
        CHECK(notes.note[0].missing && notes.note[1].missing);
        for (int k = 2; k < 4; k++) {
            CHECK(!notes.note[k].missing);
        }
        if (CHECK(ut_model_maximal(model, NULL, &maximal, &err) == UT_OK)) {
            CHECK_INT(maximal->missing, 3);
            ut_model_destroy(maximal);
        }
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}
