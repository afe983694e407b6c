// SPDX-License-Identifier: Apache-2.0
// contact/pair of MJCF: attributes, defaults, notes and errors.
#include "load.h"

#include <stdio.h>
#include <string.h>

// Geoms with friction, masks and margins that a pair ignores.
#define WORLD                                                                                    \
    "<worldbody><geom name='floor' type='plane' size='1 1 .1' contype='0' conaffinity='0' "      \
    "friction='0.3'/><body name='a' pos='0 0 .05'><freejoint/><geom name='ga' size='.1' "        \
    "friction='0.7' contype='0' conaffinity='0'/><geom name='gb' size='.1' pos='.3 0 0'/>"       \
    "<body name='c' pos='0 0 .1'><joint axis='0 1 0'/><geom name='gc' size='.1'/></body></body>" \
    "</worldbody>"

static const utModelPair* find(const utModel* model, const char* a, const char* b)
{
    return ut_model_find_pair(model, ut_model_find_geom(model, a), ut_model_find_geom(model, b));
}

static void check_friction(const utModelPair* pair, double slide1, double slide2, double torsional)
{
    const double want[] = {slide1, slide2, torsional, 0.0001, 0.0001};
    for (int k = 0; k < 5; k++) {
        CHECK_NEAR(pair->friction[k], want[k], 0.0);
    }
}

// MuJoCo 3.14.0 gives, for the same text: dim 3, friction 1 1 0.005 0.0001 0.0001, margin 0 and gap 0
// for the first pair; dim 4, friction 0.5 0.6 0.01 0.0001 0.0001, margin 0.01 and gap 0.02 for the second;
// friction 0.5 1 0.005 0.0001 0.0001 for the third.
TEST(a_pair_takes_nothing_from_its_geoms)
{
    utNotes notes = {0};
    utModel* model = read_model(
        WORLD "<contact><pair geom1='ga' geom2='floor'/>"
              "<pair name='p' geom1='floor' geom2='gb' condim='4' friction='0.5 0.6 0.01' "
              "margin='0.01' gap='0.02' ut:restitution='0.25' ut:kinetic='0.4'/></contact>"
              "<contact><pair geom1='ga' geom2='gc' friction='0.5'/></contact>",
        &notes);
    if (!CHECK(model != NULL)) {
        return;
    }
    CHECK_INT(model->npair, 3);
    const utModelPair* first = find(model, "floor", "ga");
    CHECK_INT(first->condim, 3);
    check_friction(first, 1.0, 1.0, 0.005);
    CHECK_NEAR(first->sliding, 1.0, 0.0);
    CHECK_NEAR(first->margin, 0.0, 0.0);
    CHECK_NEAR(first->gap, 0.0, 0.0);
    CHECK(first->restitution < 0.0);

    const utModelPair* second = find(model, "floor", "gb");
    CHECK_TEXT(second->name, "p");
    CHECK_INT(second->condim, 4);
    check_friction(second, 0.5, 0.6, 0.01);
    CHECK_NEAR(second->sliding, 0.6, 0.0);
    CHECK_NEAR(second->kinetic, 0.4, 0.0);
    CHECK_NEAR(second->restitution, 0.25, 0.0);
    CHECK_NEAR(second->margin, 0.01, 0.0);
    CHECK_NEAR(second->gap, 0.02, 0.0);

    check_friction(find(model, "ga", "gc"), 0.5, 1.0, 0.005);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

// MuJoCo 3.14.0 gives dim 1 1, friction 0.9 1 ... for both pairs, and margins 0 and 0.05.
TEST(pairs_have_classes_of_defaults)
{
    utModel* model = read_model("<default><pair condim='1' friction='0.9'/><default class='k'>"
                                "<pair margin='0.05'/></default></default>" WORLD
                                "<contact><pair geom1='floor' geom2='ga'/>"
                                "<pair class='k' geom1='floor' geom2='gb'/></contact>",
                                NULL);
    if (!CHECK(model != NULL)) {
        return;
    }
    const utModelPair* plain = find(model, "floor", "ga");
    const utModelPair* wide = find(model, "floor", "gb");
    CHECK_INT(plain->condim, 1);
    CHECK_INT(wide->condim, 1);
    check_friction(plain, 0.9, 1.0, 0.005);
    check_friction(wide, 0.9, 1.0, 0.005);
    CHECK_NEAR(plain->sliding, 0.0, 0.0);
    CHECK_NEAR(plain->margin, 0.0, 0.0);
    CHECK_NEAR(wide->margin, 0.05, 0.0);
    ut_model_destroy(model);
}

// The notes of a pair, "what: missing" or "what: law" or "what: none", in one line.
static const char* notes_of(const char* pair)
{
    static char text[400];
    char model_text[2000];
    utNotes notes = {0};
    snprintf(model_text, sizeof model_text,
             WORLD "<contact><pair geom1='floor' geom2='ga' %s/>"
                   "</contact>",
             pair);
    utModel* model = read_model(model_text, &notes);
    text[0] = 0;
    for (int i = 0; i < notes.count; i++) {
        const utNote* n = &notes.note[i];
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s: %s", used > 0 ? ", " : "", n->what,
                 n->missing   ? "missing"
                 : n->physics ? "law"
                              : "none");
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    return text;
}

TEST(what_a_pair_cannot_do_is_noted)
{
    CHECK_TEXT(notes_of(""), "");
    CHECK_TEXT(notes_of("friction='0.5 0.5'"), "");
    CHECK_TEXT(notes_of("friction='0.5 0.5 0.1 0.2 0.3'"), ""); // rolling friction needs condim 6
    CHECK_TEXT(notes_of("friction='0.5'"), "pair.friction: missing"); // 0.5 and 1
    CHECK_TEXT(notes_of("friction='0.5' condim='1'"), "");
    CHECK_TEXT(notes_of("margin='0.1'"), "pair.margin: law");
    CHECK_TEXT(notes_of("gap='0.1'"), "pair.gap: none");
    CHECK_TEXT(notes_of("solref='0.02 1' solimp='0.9 0.95' solreffriction='0 0'"), "");
    CHECK_TEXT(notes_of("solref='0.05 1'"), "pair.solref: law");
    CHECK_TEXT(notes_of("solreffriction='0.05 1'"), "pair.solreffriction: law");
    CHECK_TEXT(notes_of("adhesion='1'"), "pair.adhesion: missing");
}

static void check_error(const char* contact, const char* want)
{
    char text[2000];
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    snprintf(text, sizeof text,
             "<mujoco xmlns:ut='urn:uptack'>" WORLD "<contact>%s</contact></mujoco>", contact);
    utStatus status = ut_mjcf_read((utText){text, strlen(text)}, "t", NULL, def, NULL, &err);
    status = status == UT_OK ? ut_model_compile(def, NULL, &model, &err) : status;
    CHECK(status != UT_OK);
    CHECK_TEXT(err.message, want);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

TEST(pairs_of_unknown_or_the_same_geoms_are_rejected)
{
    check_error("<pair geom1='ga'/>", "pair needs the attribute geom2");
    check_error("<pair geom1='ga' geom2='gd'/>", "there is no geom 'gd'");
    check_error("<pair geom1='ga' geom2='ga'/>", "geom1 and geom2 of the pair are the same geom");
    check_error("<pair geom1='ga' geom2='gc'/><pair geom1='gc' geom2='ga'/>",
                "pair #1 is a second pair of geom 'gc' and geom 'ga', after pair #0; keep one of "
                "them");
    check_error("<pair geom1='ga' geom2='gc' condim='2'/>", "condim is 2; it must be 1, 3, 4 or 6");
    check_error("<pair geom1='ga' geom2='gc' friction='-1'/>",
                "friction of the pair is -1; it must not be negative");
    check_error("<pair name='p' geom1='ga' geom2='gc'/><pair name='p' geom1='ga' geom2='floor'/>",
                "a second pair with the name 'p'; names must differ");
}

// The flag switches all contacts off, also those of pairs.
TEST(without_contacts_there_are_no_pairs)
{
    utModel* model = read_model("<option><flag contact='disable'/></option>" WORLD
                                "<contact><pair geom1='floor' geom2='ga'/></contact>",
                                NULL);
    if (CHECK(model != NULL)) {
        CHECK_INT(model->npair, 0);
    }
    ut_model_destroy(model);
}
