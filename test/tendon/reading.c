// SPDX-License-Identifier: Apache-2.0
// Tendons in MJCF files and in descriptions: what is read, and what is rejected with which words.
#include "lab.h"

#define BODIES                                                                                     \
    "<worldbody><site name='o'/><geom name='g' size='.1'/><geom name='box' type='box' "            \
    "size='.1 .1 .1'/><body pos='1 0 0'><joint name='slider' type='slide'/><geom size='.1'/>"      \
    "<site name='tip'/></body><body pos='2 0 0'><joint name='ball' type='ball'/><geom size='.1'/>" \
    "</body></worldbody>"

TEST(classes_and_numbers_of_tendons_are_read)
{
    utModel* model = test_model(
        "<mujoco><default><tendon stiffness='3' springlength='.5'/><default class='stiff'>"
        "<tendon stiffness='7 1 2' range='0 2' frictionloss='.1' "
        "damping='4'/></default></default>" BODIES
        "<tendon><spatial name='soft' springlength='0 .2'><site site='o'/><site site='tip'/>"
        "</spatial><fixed name='hard' class='stiff'><joint joint='slider' coef='-2'/></fixed>"
        "</tendon></mujoco>");
    const utModelTendon *soft = &model->tendon[0], *hard = &model->tendon[1];
    CHECK_INT(ut_model_find_tendon(model, "hard"), 1);
    CHECK_INT(ut_model_find_tendon(model, "none"), -1);
    CHECK_NEAR(soft->stiffness, 3.0, 0.0);
    CHECK_NEAR(soft->spring_length[1], 0.2, 0.0);
    CHECK(!soft->limited);
    CHECK_NEAR(hard->stiffness_poly[1], 2.0, 0.0);
    CHECK_NEAR(hard->spring_length[0], 0.5, 0.0);
    CHECK(hard->limited && hard->range[1] == 2.0);
    CHECK_NEAR(hard->damping, 4.0, 0.0);
    CHECK_NEAR(hard->frictionloss, 0.1, 0.0);
    CHECK_NEAR(hard->unit, 0.5, 0.0); // a slide moves the row no faster than itself
    CHECK_INT(hard->wrap[0].kind, UT_WRAP_JOINT);
    CHECK_INT(model->missing, 0);
    ut_model_destroy(model);
}

static void rejects(const char* text, const char* words)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    const bool good =
        ut_mjcf_read((utText){text, strlen(text)}, "file", NULL, def, NULL, &err) == UT_OK &&
        ut_model_compile(def, NULL, &model, &err) == UT_OK;
    if (!CHECK(!good) || !CHECK(strstr(err.message, words) != NULL)) {
        test_note("%s; expected: %s", err.message, words);
    }
    ut_model_def_destroy(def);
    ut_model_destroy(model);
}

#define TENDON(contents) "<mujoco>" BODIES "<tendon>" contents "</tendon></mujoco>"
#define EQUALITY(contents) "<mujoco>" BODIES "<equality>" contents "</equality></mujoco>"

TEST(wrong_tendons_are_rejected_with_what_would_help)
{
    rejects(TENDON("<fixed><joint joint='slide' coef='1'/></fixed>"), "did you mean 'slider'");
    rejects(TENDON("<fixed><joint joint='slider'/></fixed>"), "needs the attribute coef");
    rejects(TENDON("<fixed><joint joint='ball' coef='1'/></fixed>"), "use a hinge or a slide");
    rejects(TENDON("<fixed/>"), "has no path");
    rejects(TENDON("<spatial><site site='o'/></spatial>"), "it needs two sites");
    rejects(TENDON("<spatial><site site='o'/><site site='o'/></spatial>"), "twice in a row");
    rejects(TENDON("<spatial><geom geom='g'/><site site='o'/><site site='tip'/></spatial>"),
            "must stand between two sites");
    rejects(TENDON("<spatial><site site='o'/><geom geom='box'/><site site='tip'/></spatial>"),
            "neither a sphere nor a cylinder");
    rejects(TENDON("<spatial><site site='o'/><site site='tip'/><pulley divisor='2'/></spatial>"),
            "followed by a site");
    rejects(TENDON("<spatial><site site='o'/><site site='tip'/><pulley divisor='0'/></spatial>"),
            "must be positive");
    rejects(TENDON("<spatial springlength='2 1'><site site='o'/><site site='tip'/></spatial>"),
            "must not descend");
    rejects(TENDON("<spatial range='2 1'><site site='o'/><site site='tip'/></spatial>"), "range");
    rejects(TENDON("<spatial name='t'><site site='o'/><site site='tip'/></spatial>"
                   "<spatial name='t'><site site='o'/><site site='tip'/></spatial>"),
            "'t'");
    rejects(EQUALITY("<joint joint1='ball'/>"), "couple hinges and slides");
    rejects(EQUALITY("<joint joint1='slider' joint2='slider'/>"), "with itself");
    rejects(EQUALITY("<tendon tendon1='t'/>"), "there is no tendon");
    rejects(EQUALITY("<weld site1='o' site2='tip' body1='world'/>"), "beside sites");
    rejects(EQUALITY("<connect site1='o'/>"), "needs the attribute site2");
}

TEST(armature_of_a_wrapped_tendon_is_named_as_missing)
{
    utModel* model = test_model(TENDON(
        "<spatial armature='1'><site site='o'/><geom geom='g'/><site site='tip'/></spatial>"));
    CHECK_INT(model->missing, 1);
    CHECK_NEAR(model->tendon[0].armature, 0.0, 0.0);
    ut_model_destroy(model);
}

// Models that differ in a tendon differ in their hashes, and a copy has the same one.
TEST(the_hash_covers_tendons)
{
    utModelDef *def = NULL, *copy = NULL;
    utModel *one = NULL, *two = NULL, *three = NULL;
    utError err = {0};
    static const char text[] =
        TENDON("<spatial name='t' range='0 2'><site site='o'/><site site='tip'/></spatial>");
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "file", NULL, def, NULL, &err), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &one, &err), UT_OK);
    CHECK_INT(ut_model_def_copy(def, NULL, &copy), UT_OK);
    CHECK_INT(ut_model_compile(copy, NULL, &two, &err), UT_OK);
    CHECK(one->hash == two->hash);
    CHECK_INT(ut_model_def_set(copy, "t.range", "0 3", &err), UT_OK);
    CHECK_INT(ut_model_compile(copy, NULL, &three, &err), UT_OK);
    CHECK(one->hash != three->hash);
    CHECK_NEAR(three->tendon[0].range[1], 3.0, 0.0);
    ut_model_destroy(one);
    ut_model_destroy(two);
    ut_model_destroy(three);
    ut_model_def_destroy(def);
    ut_model_def_destroy(copy);
}

TEST(maximal_coordinates_reject_tendons_of_joints)
{
    utModel* model =
        test_model("<mujoco><worldbody><body><joint name='j' type='slide'/><geom "
                   "size='.1'/></body></worldbody>"
                   "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
    utModel* maximal = NULL;
    utError err = {0};
    CHECK_INT(ut_model_maximal(model, NULL, &maximal, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "tendon 't' is a combination of joint coordinates") != NULL);
    ut_model_destroy(model);
}
