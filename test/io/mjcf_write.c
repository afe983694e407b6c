// SPDX-License-Identifier: Apache-2.0
// Writing descriptions as MJCF. Every public model makes the round trip in test/robots/round_trip.c.
#include <string.h>
#include <uptack/io.h>

#include "test.h"

typedef struct Written {
    utModelDef* def;
    utArena memory;
    utText text;
    utNotes notes;
} Written;

static Written write_again(const char* mjcf, bool plain)
{
    Written w = {0};
    utError err = {0};
    utMjcfWriteDef how = ut_mjcf_write_def();
    how.plain = plain;
    CHECK_INT(ut_arena_create(0, NULL, &w.memory), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &w.def), UT_OK);
    if (!CHECK_INT(ut_mjcf_read((utText){mjcf, strlen(mjcf)}, "in.xml", NULL, w.def, NULL, &err),
                   UT_OK) ||
        !CHECK_INT(ut_mjcf_write(w.def, &how, &w.memory, &w.text, &w.notes, &err), UT_OK)) {
        test_note("%s", err.message);
        w.text = (utText){"", 0};
    }
    return w;
}

static void destroy(Written* w)
{
    ut_notes_destroy(&w->notes);
    ut_model_def_destroy(w->def);
    ut_arena_destroy(&w->memory);
}

static uint64_t hash_of_text(utText text)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    uint64_t hash = 0;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (ut_mjcf_read(text, "text.xml", NULL, def, NULL, &err) == UT_OK &&
        ut_model_compile(def, NULL, &model, &err) == UT_OK) {
        hash = model->hash;
    } else {
        test_note("%d:%d: %s", err.line, err.column, err.message);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return hash;
}

static const char everything[] =
    "<mujoco model='a &lt; b &amp; \"c\"' xmlns:ut='urn:uptack'>"
    "<compiler angle='degree' eulerseq='XYZ'/>"
    "<option timestep='0.003' gravity='0 0.1 -9.8' integrator='RK4'/>"
    "<ut:contact formulation='hybrid' tolerance='1e-9' bounce='0.05' impact='stronge'/>"
    "<ut:run time='3'/>"
    "<default><geom friction='0.7' ut:restitution='0.25'/></default>"
    "<worldbody><geom name='floor' type='plane' size='1 1 0.1'/><site name='top' pos='0 0 2'/>"
    "<body name='arm' pos='1 2 3' euler='10 20 30' ut:fast='true'><joint name='hip' range='-30 40' "
    "ref='5' damping='0.1 0.2' stiffness='1 2 3' armature='0.01'/><geom name='rod' type='capsule' "
    "fromto='0 0 0 1 0.2 "
    "0.3' size='0.05'/><site name='tip' pos='1 0 0'/><body name='fore' gravcomp='0.5'><inertial "
    "pos='0.1 0 0' "
    "mass='2' diaginertia='1 2 2.5' euler='0 40 0'/><joint type='ball' springdamper='0.1 "
    "0.7'/></body></body>"
    "<body name='box'><freejoint/><geom type='box' size='1 2 3' mass='4' ut:kinetic='0.5'/></body>"
    "<body name='cart' mocap='true' pos='0 9 0'><geom type='sphere' size='1'/></body></worldbody>"
    "<contact><exclude body1='arm' body2='box'/><pair geom1='rod' geom2='floor' friction='0.5 "
    "0.5' condim='4' gap='0.1' ut:kinetic='0.3'/></contact>"
    "<equality><connect body1='arm' body2='box' anchor='0.5 0 0'/><weld body1='fore' body2='box' "
    "relpose='1 0 0 0.6 0.8 0 0' active='false'/></equality>"
    "<actuator><position joint='hip' kp='30' kv='2' ctrlrange='-1 1'/><motor joint='hip' "
    "gear='3' forcerange='-2 2'/></actuator>"
    "<keyframe><key name='start' time='1' qpos='0.1 1 0 0 0 1 2 3 0 1 0 0' ctrl='0.5 "
    "0'/></keyframe>"
    "<ut:spring name='s' site1='top' site2='tip' stiffness='5' length='1' damping='0.5'/>"
    "</mujoco>";

TEST(a_model_with_everything_is_the_same_after_writing)
{
    Written w = write_again(everything, false);
    CHECK_INT(w.notes.count, 0);
    CHECK(hash_of_text(w.text) != 0);
    CHECK(hash_of_text(w.text) == hash_of_text((utText){everything, strlen(everything)}));
    CHECK(strstr(w.text.data, "ut:restitution=\"0.25\"") != NULL);
    destroy(&w);
}

TEST(a_plain_file_has_no_namespace_and_names_what_it_lacks)
{
    Written w = write_again(everything, true);
    CHECK(strstr(w.text.data, "ut:") == NULL);
    CHECK(strstr(w.text.data, "rod.restitution=0.25") != NULL);
    CHECK(strstr(w.text.data, "option.formulation=hybrid") != NULL);
    CHECK(strstr(w.text.data, "geom#2.kinetic=0.5") != NULL);
    CHECK(strstr(w.text.data, "pair#0.kinetic=0.3") != NULL);
    if (CHECK_INT(w.notes.count, 1)) {
        CHECK_TEXT(w.notes.note[0].what, "ut:spring");
    }
    destroy(&w);
}

TEST(a_plain_file_is_the_same_model)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option ut:planar='xz' ut:integrator='midpoint'/>"
        "<ut:contact evaluate='midpoint' minnorm='true' solver='nsgs' directions='6'/>"
        "<ut:run time='2.5'/><worldbody><geom name='floor' type='plane' size='1 1 1' "
        "ut:restitution='0.5'/><body name='b' pos='0 0 1' ut:fast='true'><freejoint/>"
        "<geom name='g' type='sphere' size='0.1' ut:kinetic='0.2'/></body></worldbody></mujoco>";
    Written w = write_again(text, true);
    CHECK_INT(w.notes.count, 0);
    CHECK(hash_of_text(w.text) == hash_of_text((utText){text, strlen(text)}));
    destroy(&w);
}

TEST(an_invalid_assignment_in_custom_text_has_its_place)
{
    static const char text[] = "<mujoco>\n<custom><text name='uptack' data='option.dt=0.001;\n"
                               " box.bounce=1'/></custom><worldbody/></mujoco>";
    utModelDef* def = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "a.xml", NULL, def, NULL, &err),
              UT_ERR_FORMAT);
    CHECK_INT(err.line, 3);
    CHECK(strstr(err.message, "box") != NULL);
    ut_model_def_destroy(def);
}

TEST(a_description_that_does_not_compile_is_not_written)
{
    utModelDef* def = NULL;
    utError err = {0};
    utText text = {0};
    utArena memory;
    CHECK_INT(ut_arena_create(0, NULL, &memory), UT_OK);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utJointDef joint = ut_joint_def(7, UT_JOINT_HINGE); // there is no body 7
    CHECK_INT(ut_model_def_joint(def, &joint), 0);
    CHECK_INT(ut_mjcf_write(def, NULL, &memory, &text, NULL, &err), UT_ERR_ARGUMENT);
    utMjcfWriteDef how = {0};
    CHECK_INT(ut_mjcf_write(def, &how, &memory, &text, NULL, &err), UT_ERR_DEF);
    ut_model_def_destroy(def);
    ut_arena_destroy(&memory);
}
