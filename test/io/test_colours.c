// SPDX-License-Identifier: Apache-2.0
// Colours of geoms and sites: their own, those of their class, and those of their material.
#include <math.h>
#include <string.h>

#include "support/model_text.h"

static void check_colour(const double got[4], double r, double g, double b, double a)
{
    const double want[4] = {r, g, b, a};
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(got[i], want[i], 0.0);
    }
}

static const double* colour_of(const utModel* model, const char* geom)
{
    return model->geom[ut_model_find_geom(model, geom)].rgba;
}

static const char colours[] =
    "<mujoco><default><geom rgba='.1 .2 .3 .4'/><default class='grey'><geom rgba='.5 .5 .5 "
    "1'/></default>"
    "<default class='shiny'><material rgba='.9 .8 .7 1'/></default></default>"
    "<asset><material name='red' rgba='1 0 0 .5'/><material name='wood' shininess='1'/>"
    "<material name='gold' class='shiny'/></asset><worldbody>"
    "<geom name='own' size='1' rgba='0 1 0 1'/><geom name='class' size='1'/>"
    "<geom name='grey' class='grey' size='1'/>"
    "<geom name='both' size='1' rgba='0 0 1 1' material='red'/>"
    "<site name='plain'/><site name='red' material='red'/><site name='wood' material='wood'/>"
    "<site name='gold' material='gold'/><site name='unknown' material='steel'/>"
    "<site name='own' rgba='0 .25 0 1'/><site name='empty' rgba=' ' "
    "material='red'/></worldbody></mujoco>";

static void check_colours(const utModel* model)
{
    check_colour(colour_of(model, "own"), 0, 1, 0, 1);
    check_colour(colour_of(model, "class"), .1, .2, .3, .4);
    check_colour(colour_of(model, "grey"), .5, .5, .5, 1);
    check_colour(colour_of(model, "both"), 0, 0, 1, 1);
    static const double sites[7][4] = {{.5, .5, .5, 1}, {1, 0, 0, .5},   {1, 1, 1, 1},
                                       {.9, .8, .7, 1}, {.5, .5, .5, 1}, {0, .25, 0, 1},
                                       {1, 0, 0, .5}};
    for (int s = 0; s < 7; s++) {
        check_colour(model->site[s].rgba, sites[s][0], sites[s][1], sites[s][2], sites[s][3]);
    }
}

TEST(a_colour_is_the_elements_own_or_that_of_its_class_or_material)
{
    utModel* model = test_model(colours);
    check_colours(model);
    ut_model_destroy(model);
}

TEST(colours_are_written_and_are_no_part_of_the_hash)
{
    utArena keep;
    utText text;
    utError err = {0};
    utModelDef* def = NULL;
    CHECK_INT(ut_arena_create(0, NULL, &keep), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){colours, strlen(colours)}, "text", NULL, def, NULL, &err),
              UT_OK);
    CHECK_INT(ut_mjcf_write(def, NULL, &keep, &text, NULL, &err), UT_OK);
    utModel* model = test_model(text.data);
    check_colours(model);

    char other[sizeof colours];
    memcpy(other, colours, sizeof colours);
    memcpy(strstr(other, "0 1 0 1"), "1 1 0 1", strlen("1 1 0 1"));
    utModel* changed = test_model(other);
    check_colour(colour_of(changed, "own"), 1, 1, 0, 1);
    CHECK(changed->hash == model->hash);
    ut_model_destroy(changed);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    ut_arena_destroy(&keep);
}

TEST(a_colour_that_is_none_is_rejected_where_it_stands)
{
    static const char text[] =
        "<mujoco><worldbody>\n<geom size='1' rgba='1 0 red 1'/></worldbody></mujoco>";
    utModelDef* def = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, NULL, &err),
              UT_ERR_FORMAT);
    CHECK_INT(err.line, 2);
    CHECK_TEXT(err.message, "rgba of geom: 'red' is not a number");
    ut_model_def_destroy(def);
}
