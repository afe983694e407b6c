// SPDX-License-Identifier: Apache-2.0
// The meaning of MJCF, one fact per test. Each fact comes from MuJoCo 3.14.0 or its documentation; the
// numbers are calculated by hand.
#include "load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/impact.h>

static const double pi = 3.14159265358979323846;

// A body that falls freely and is a ball of 1 kg, with a place for more.
#define BALL(more) \
    "<worldbody><body name='b'>" more "<geom size='0.1' mass='1'/></body></worldbody>"

// ---- angles -------------------------------------------------------------------------------------

static void check_euler(const char* compiler, double w, double x, double y, double z)
{
    char text[256] = "";
    strcat(text, compiler);
    strcat(text, "<worldbody><body euler='90 90 0'/></worldbody>");
    utModel* model = read_model(text, NULL);
    if (model != NULL) {
        const utQuat q = model->body[1].quat;
        // a turn of 90 degrees has sqrt(1/2) twice, exact to a unit in the last place
        CHECK_NEAR(q.w, w, 1e-15);
        CHECK_NEAR(q.x, x, 1e-15);
        CHECK_NEAR(q.y, y, 1e-15);
        CHECK_NEAR(q.z, z, 1e-15);
        ut_model_destroy(model);
    }
}

TEST(euler_angles_turn_along_in_small_letters_and_stay_in_capital_ones)
{
    check_euler("", 0.5, 0.5, 0.5, 0.5);
    check_euler("<compiler eulerseq='xyz'/>", 0.5, 0.5, 0.5, 0.5);
    check_euler("<compiler eulerseq='XYZ'/>", 0.5, 0.5, 0.5, -0.5);
    check_euler("<compiler eulerseq='yxz'/>", 0.5, 0.5, 0.5, -0.5);
}

TEST(degrees_are_converted_where_angles_stand_and_nowhere_else)
{
    utModel* model = read_model(
        BALL("<joint name='j' range='-90 45' ref='30' springref='60' stiffness='2' "
             "damping='3'/>") "<actuator><position joint='j' ctrlrange='-90 90'/></actuator>"
                              "<keyframe><key qpos='30'/></keyframe>",
        NULL);
    if (model == NULL) {
        return;
    }
    const utModelJoint* j = &model->joint[0];
    CHECK_NEAR(j->range[0], -pi / 2, 1e-15);
    CHECK_NEAR(j->range[1], pi / 4, 1e-15);
    CHECK_NEAR(j->ref, pi / 6, 1e-15);
    CHECK_NEAR(j->springref, pi / 3, 1e-15);
    CHECK_NEAR(j->stiffness, 2.0, 0.0);
    CHECK_NEAR(j->damping, 3.0, 0.0);
    CHECK_NEAR(model->actuator[0].ctrl_range[0], -90.0, 0.0);
    CHECK_NEAR(model->keyframe[0].q[0], 30.0, 0.0);
    ut_model_destroy(model);
}

TEST(lengths_of_a_slide_are_no_angles)
{
    utModel* model =
        read_model(BALL("<joint type='slide' range='-2 3' ref='1' springref='0.5'/>"), NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->joint[0].range[0], -2.0, 0.0);
    CHECK_NEAR(model->joint[0].range[1], 3.0, 0.0);
    CHECK_NEAR(model->joint[0].ref, 1.0, 0.0);
    CHECK_NEAR(model->joint[0].springref, 0.5, 0.0);
    ut_model_destroy(model);
}

// ---- limits -------------------------------------------------------------------------------------

static bool is_limited(const char* text)
{
    utModel* model = read_model(text, NULL);
    const bool limited = model != NULL && model->joint[0].limited;
    ut_model_destroy(model);
    return limited;
}

TEST(a_range_switches_its_limit_on)
{
    CHECK(is_limited(BALL("<joint range='-1 1'/>")));
    CHECK(!is_limited(BALL("<joint/>")));
    CHECK(!is_limited(BALL("<joint range='0 0'/>")));
    CHECK(!is_limited(BALL("<joint range='-1 1' limited='false'/>")));
    CHECK(is_limited(BALL("<joint range='-1 1' limited='auto'/>")));
    CHECK(
        is_limited("<compiler autolimits='false'/>" BALL("<joint range='-1 1' limited='true'/>")));
    CHECK(!is_limited("<compiler autolimits='false'/>" BALL("<joint/>")));
    CHECK(!is_limited("<option><flag limit='disable'/></option>" BALL("<joint range='-1 1'/>")));
}

// ---- masses -------------------------------------------------------------------------------------

TEST(a_capsule_from_one_point_to_another_has_its_caps_beyond_them)
{
    utModel* model = read_model("<worldbody><body><freejoint/><geom type='capsule' "
                                "fromto='0 0 0 0 0 1' size='0.1'/></body></worldbody>",
                                NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->geom[0].shape.size.x, 0.1, 0.0);
    CHECK_NEAR(model->geom[0].shape.size.y, 0.5, 1e-16);
    CHECK_NEAR(model->geom[0].in_body.p.z, 0.5, 1e-16);
    // a cylinder of length 1 and a ball: pi r^2 (1 + 4 r / 3) of density 1000, 35.6047...
    CHECK_NEAR(model->body[1].mass, 1000 * pi * 0.01 * (1 + 0.4 / 3), 1e-12);
    ut_model_destroy(model);
}

TEST(geoms_that_touch_nothing_weigh_all_the_same)
{
    utModel* model =
        read_model("<worldbody><body><freejoint/><geom size='0.1'/>"
                   "<geom size='0.1' contype='0' conaffinity='0' group='2'/></body></worldbody>",
                   NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->body[1].mass, 2 * 1000 * 4.0 / 3.0 * pi * 1e-3, 1e-12);
    ut_model_destroy(model);
}

TEST(full_inertia_stands_as_xx_yy_zz_xy_xz_yz)
{
    utModel* model =
        read_model("<worldbody><body><freejoint/><inertial pos='0 0 1' mass='2' "
                   "fullinertia='4 5 6 0.1 0.2 0.3'/><geom size='7'/></body></worldbody>",
                   NULL);
    if (model == NULL) {
        return;
    }
    static const double want[3][3] = {{4, 0.1, 0.2}, {0.1, 5, 0.3}, {0.2, 0.3, 6}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(model->body[1].inertia.m[i][j], want[i][j], 0.0);
        }
    }
    CHECK_NEAR(model->body[1].mass, 2.0, 0.0);
    ut_model_destroy(model);
}

TEST(without_inertia_from_geoms_the_inertial_counts_alone)
{
    utModel* model = read_model(
        "<compiler inertiafromgeom='false'/><worldbody><body><freejoint/><inertial pos='0 0 1' "
        "mass='2' diaginertia='1 1 1'/><geom size='7'/></body><body><geom size='1'/></body>"
        "</worldbody>",
        NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->body[1].mass, 2.0, 0.0);
    CHECK_NEAR(model->body[2].mass, 0.0, 0.0);
    ut_model_destroy(model);
}

// ---- friction and contact -----------------------------------------------------------------------

// MJCF's rule for a pair without priorities: the larger condim, and of each coefficient the larger one.
TEST(condim_and_friction_of_a_pair_are_the_larger_ones)
{
    utModel* model = read_model("<worldbody><geom size='1' friction='0.3 0.02 0.001'/>"
                                "<geom size='1' friction='0.9' condim='1'/>"
                                "<geom size='1' friction='0.4' condim='1' priority='1'/>"
                                "<geom size='1' friction='0.2 0.01 0.003' condim='6'/>"
                                "<geom size='1' friction='0.7 0.03 0.9' condim='4'/></worldbody>",
                                NULL);
    if (model == NULL) {
        return;
    }
    const struct {
        int one, two, condim;
        double friction, torsional, rolling;
    } pairs[] = {
        {0, 1, 3, 0.9, 0.0, 0.0}, // condim 3 of the one, friction of the other
        {0, 2, 1, 0.0, 0.0, 0.0}, // condim 1 of higher priority
        {0, 3, 6, 0.3, 0.02, 0.003},
        {1, 3, 6, 0.9, 0.01, 0.003}, // defaults 0.005 and 0.0001 of the first
        {0, 4, 4, 0.7, 0.03, 0.0},
        {4, 3, 6, 0.7, 0.03, 0.9},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const int a = pairs[k].one, b = pairs[k].two;
        CHECK_INT(ut_model_condim(model, a, b), pairs[k].condim);
        CHECK_INT(ut_model_condim(model, b, a), pairs[k].condim);
        CHECK_NEAR(ut_model_friction(model, a, b), pairs[k].friction, 0.0);
        CHECK_NEAR(ut_model_torsional(model, a, b), pairs[k].torsional, 0.0);
        CHECK_NEAR(ut_model_rolling(model, b, a), pairs[k].rolling, 0.0);
    }
    CHECK_NEAR(ut_model_contact_length(model, 0, 1), 1.0, 0.0);
    ut_model_destroy(model);
}

TEST(flags_switch_gravity_and_contact_off)
{
    utModel* model =
        read_model("<option gravity='1 2 3'><flag gravity='disable' contact='disable'/></option>"
                   "<worldbody><geom size='1' contype='3'/></worldbody>",
                   NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(ut_vec3_norm(model->options.gravity), 0.0, 0.0);
    CHECK_INT(model->geom[0].contype, 0);
    CHECK_INT(model->geom[0].conaffinity, 0);
    ut_model_destroy(model);
}

// ---- options ------------------------------------------------------------------------------------

TEST(sections_that_stand_twice_are_one_and_the_last_word_counts)
{
    utModel* model = read_model("<option timestep='0.01' integrator='RK4'/><ut:run dt='0.004'/>"
                                "<option timestep='0.02'/><worldbody><geom size='1'/></worldbody>"
                                "<worldbody><geom size='2'/></worldbody>",
                                NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->options.dt, 0.004, 0.0); // ut:run overrides option, also when it comes first
    CHECK(model->options.integrator == UT_INTEGRATOR_RK4);
    CHECK_INT(model->ngeom, 2);
    ut_model_destroy(model);
}

TEST(our_own_elements_set_the_options)
{
    utModel* model = read_model(
        "<option ut:integrator='midpoint'/><ut:contact formulation='stewart-trinkle' "
        "solver='lemke' directions='6' tolerance='1e-9' relinearize='2' bounce='0.25' "
        "impact='poisson' simultaneous='propagate' detection='step'/><ut:run time='3.5'/>",
        NULL);
    if (model == NULL) {
        return;
    }
    CHECK_TEXT(ut_formulation_name((utFormulation)model->options.formulation), "stewart-trinkle");
    CHECK_TEXT(model->options.solver, "lemke");
    CHECK_INT(model->options.directions, 6);
    CHECK_INT(model->options.relinearize, 2);
    CHECK_NEAR(model->options.bounce, 0.25, 0.0);
    CHECK_INT(model->options.impact, UT_IMPACT_POISSON);
    CHECK_INT(model->options.simultaneous, UT_SIMULTANEOUS_PROPAGATE);
    CHECK_INT(model->options.detection, UT_DETECTION_STEP);
    CHECK_NEAR(model->options.tolerance, 1e-9, 0.0);
    CHECK_NEAR(model->options.time, 3.5, 0.0);
    CHECK_NEAR(model->options.dt, 0.002, 0.0);
    CHECK(model->options.integrator == UT_INTEGRATOR_MIDPOINT);
    ut_model_destroy(model);
}

// Every word is read as the enum value of that name, so the two lists have the same order.
TEST(words_of_impacts_are_the_names_of_their_enums)
{
    static const char* const attribute[3] = {"impact", "simultaneous", "detection"};
    static const int count[3] = {UT_IMPACT_LAW_COUNT, UT_SIMULTANEOUS_COUNT, UT_DETECTION_COUNT};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < count[k]; i++) {
            const char* name = k == 0   ? ut_impact_law_name((utImpactLaw)i)
                               : k == 1 ? ut_simultaneous_name((utSimultaneous)i)
                                        : ut_detection_name((utDetection)i);
            char text[80];
            snprintf(text, sizeof text, "<ut:contact %s='%s'/>", attribute[k], name);
            utModel* model = read_model(text, NULL);
            if (model == NULL) {
                return;
            }
            const utOptions* o = &model->options;
            CHECK_INT(k == 0 ? o->impact : k == 1 ? o->simultaneous : (int)o->detection, i);
            CHECK_NEAR(o->bounce, 0.1, 0.0);
            CHECK_INT(o->impact, k == 0 ? i : -1);
            CHECK_INT(o->simultaneous, k == 1 ? i : -1);
            ut_model_destroy(model);
        }
    }
}

TEST(a_body_is_fast_where_the_file_says_so)
{
    utModel* model =
        read_model("<worldbody><body ut:fast='true'><freejoint/><geom size='1'/></body>"
                   "<body ut:fast='false'><freejoint/><geom size='1'/></body>"
                   "<body><freejoint/><geom size='1'/></body></worldbody>",
                   NULL);
    if (model == NULL) {
        return;
    }
    CHECK(model->body[1].fast);
    CHECK(!model->body[2].fast);
    CHECK(!model->body[3].fast);
    ut_model_destroy(model);
}

TEST(restitution_comes_from_the_geom_or_its_class)
{
    utModel* model = read_model("<default><default class='rubber'><geom ut:restitution='0.75'/>"
                                "</default></default><worldbody><geom size='1'/>"
                                "<geom size='1' class='rubber'/>"
                                "<geom size='1' class='rubber' ut:restitution='1'/></worldbody>",
                                NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->geom[0].restitution, 0.0, 0.0);
    CHECK_NEAR(model->geom[1].restitution, 0.75, 0.0);
    CHECK_NEAR(model->geom[2].restitution, 1.0, 0.0);
    ut_model_destroy(model);
}

TEST(our_namespace_counts_and_not_its_prefix)
{
    utModel* model = read_model(
        "<x:run xmlns:x='urn:uptack' time='7'/><worldbody><geom size='1'/></worldbody>", NULL);
    if (model == NULL) {
        return;
    }
    CHECK_NEAR(model->options.time, 7.0, 0.0);
    ut_model_destroy(model);
}

// ---- actuators and keyframes --------------------------------------------------------------------

TEST(controls_of_actuators_that_are_left_out_go_from_keyframes_too)
{
    utModel* model = read_model(
        BALL(
            "<joint name='j'/>") "<actuator><muscle joint='j'/>"
                                 "<motor joint='j' name='m'/><adhesion body='b'/><position "
                                 "joint='j'/></actuator><keyframe><key ctrl='1 2 3 4'/></keyframe>",
        NULL);
    if (model == NULL) {
        return;
    }
    CHECK_INT(model->nu, 2);
    CHECK_NEAR(model->keyframe[0].ctrl[0], 2.0, 0.0);
    CHECK_NEAR(model->keyframe[0].ctrl[1], 4.0, 0.0);
    CHECK_INT(ut_model_find_actuator(model, "m"), 0);
    ut_model_destroy(model);
}

// ---- sizes --------------------------------------------------------------------------------------

// A chain of bodies, each inside the previous one.
static char* write_chain(utArena* arena, int links, size_t* size)
{
    static const char open[] = "<body pos='0 0 1'><joint axis='0 1 0'/><geom size='0.1'/>";
    char* text = UT_PUSH(arena, char, (size_t)links*(sizeof open + 8) + 100);
    char* at = text;
    at += strlen(strcpy(at, "<mujoco><worldbody>"));
    for (int i = 0; i < links; i++) {
        at += strlen(strcpy(at, open));
    }
    for (int i = 0; i < links; i++) {
        at += strlen(strcpy(at, "</body>"));
    }
    at += strlen(strcpy(at, "</worldbody></mujoco>"));
    *size = (size_t)(at - text);
    return text;
}

static utStatus read_chain(int links, int* bodies, utError* err)
{
    utArena arena = test_arena();
    utText text;
    text.data = write_chain(&arena, links, &text.size);
    utModelDef* def = NULL;
    utModel* model = NULL;
    const utMjcfDef how = ut_mjcf_def();
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    utStatus status = ut_mjcf_read(text, "chain.xml", &how, def, NULL, err);
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, err);
        *bodies = model != NULL ? model->nbody : 0;
        ut_model_destroy(model);
    }
    ut_model_def_destroy(def);
    return status;
}

TEST(a_chain_of_a_thousand_links_loads_and_one_without_end_does_not)
{
    utError err = {0};
    int bodies = 0;
    CHECK(read_chain(1000, &bodies, &err) == UT_OK);
    CHECK_INT(bodies, 1001);
    CHECK(read_chain(100000, &bodies, &err) == UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "elements nested more than 4096 deep; utLimits.depth sets the limit");
}

TEST(a_def_that_was_made_by_hand_is_refused)
{
    utError err = {0};
    utModelDef* def = NULL;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    const utText text = {"<mujoco/>", 9};
    CHECK(ut_mjcf_read(text, "x", &(utMjcfDef){0}, def, NULL, &err) == UT_ERR_DEF);
    CHECK(ut_mjcf_read(text, NULL, NULL, def, NULL, &err) == UT_ERR_ARGUMENT);
    const utMjcfDef how = ut_mjcf_def();
    CHECK(ut_mjcf_read(text, "x", &how, NULL, NULL, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_mjcf_load("no/such/file.xml", &how, def, NULL, &err) == UT_ERR_IO);
    ut_model_def_destroy(def);
}

// ---- files from memory --------------------------------------------------------------------------

static utStatus read_memory(void* context, const char* path, utArena* keep, utText* text,
                            utError* err)
{
    int* calls = context;
    (*calls)++;
    if (strcmp(path, "folder/part.xml") != 0) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "not there");
    }
    // longer than the memory of the first attempt to read
    const size_t size = 100000;
    char* data = UT_PUSH(keep, char, size);
    if (data == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(data, ' ', size);
    static const char head[] = "<mujoco><worldbody><geom size='1'/></worldbody>";
    memcpy(data, head, sizeof head - 1);
    memcpy(data + size - 9, "</mujoco>", 9);
    *text = (utText){data, size};
    return UT_OK;
}

TEST(included_files_may_come_from_memory)
{
    utError err = {0};
    int calls = 0;
    utModelDef* def = NULL;
    utMjcfDef how = ut_mjcf_def();
    how.read = read_memory;
    how.read_context = &calls;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    const char main[] = "<mujoco><include file='part.xml'/></mujoco>";
    const utText text = {main, sizeof main - 1};
    CHECK(ut_mjcf_read(text, "folder/main.xml", &how, def, NULL, &err) == UT_OK);
    CHECK_INT(calls, 2);
    utModel* model = NULL;
    CHECK(ut_model_compile(def, NULL, &model, &err) == UT_OK);
    CHECK_INT(model->ngeom, 1);
    ut_model_destroy(model);
    how.read = NULL;
    CHECK(ut_mjcf_read(text, "folder/main.xml", &how, def, NULL, &err) == UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "files cannot be included here; insert the text instead");
    ut_model_def_destroy(def);
}

// ---- memory that runs out -----------------------------------------------------------------------

typedef struct Stingy {
    int left; // requests still granted
    int open; // allocations not yet released
} Stingy;

static void* give(void* context, size_t size)
{
    Stingy* s = context;
    if (s->left == 0) {
        return NULL;
    }
    s->left--;
    s->open++;
    return malloc(size);
}

static void take_back(void* context, void* memory, size_t size)
{
    (void)size;
    ((Stingy*)context)->open--;
    free(memory);
}

TEST(when_memory_is_short_the_read_says_so_and_loses_none)
{
    int successes = 0;
    for (int allowed = 0; allowed < 40; allowed++) {
        Stingy stingy = {allowed, 0};
        const utAllocator allocator = {give, take_back, &stingy};
        utMjcfDef how = ut_mjcf_def();
        how.allocator = &allocator;
        utModelDef* def = NULL;
        utNotes notes = {0};
        utError err = {0};
        CHECK(ut_model_def_create(NULL, &def) == UT_OK);
        const utStatus status = ut_mjcf_load("test/io/models/noted.xml", &how, def, &notes, &err);
        CHECK(status == UT_OK || status == UT_ERR_MEMORY);
        CHECK_INT(stingy.open, status == UT_OK ? 1 : 0);
        successes += status == UT_OK;
        ut_notes_destroy(&notes);
        CHECK_INT(stingy.open, 0);
        ut_model_def_destroy(def);
    }
    CHECK(successes > 0 && successes < 40);
}
