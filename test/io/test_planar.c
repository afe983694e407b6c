// SPDX-License-Identifier: Apache-2.0
// Planar worlds in files.
#include "load.h"

#include <string.h>

#define BODY "<body name='b' pos='1 2 3'><freejoint name='f'/><geom size='0.1'/></body>"

TEST(a_planar_world_is_read)
{
    utNotes notes = {0};
    utModel* model = read_model("<option gravity='0 -9.81 0' ut:planar='xy'/>"
                                "<worldbody>" BODY "</worldbody>"
                                "<keyframe><key name='k' qpos='4 5 6' qvel='7 8 9'/></keyframe>",
                                &notes);
    if (model == NULL) {
        return;
    }
    CHECK_INT(notes.count, 0);
    CHECK_INT(model->options.planar, UT_PLANAR_XY);
    CHECK_INT(model->joint[0].kind, UT_JOINT_PLANAR);
    CHECK(model->keyframe[0].q[2] == 6.0 && model->keyframe[0].v[0] == 7.0);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(a_body_without_inertia_is_a_particle_in_a_file)
{
    utModel* model = read_model("<option gravity='0 -9.81 0' ut:planar='xy'/>"
                                "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='2' "
                                "diaginertia='0 0 0'/></body></worldbody>",
                                NULL);
    CHECK(model != NULL && model->joint[0].kind == UT_JOINT_PARTICLE && model->nv == 2);
    ut_model_destroy(model);
}

TEST(everything_a_planar_world_has_is_in_one_file)
{
    utNotes notes = {0};
    utModel* model = load_model("test/io/models/planar.xml", &notes);
    if (model == NULL) {
        return;
    }
    CHECK_INT(notes.count, 0);
    CHECK_INT(model->nq, 7);
    const utFlatKind kinds[6] = {UT_FLAT_HALFPLANE,  UT_FLAT_RECTANGLE, UT_FLAT_CIRCLE,
                                 UT_FLAT_KIND_COUNT, UT_FLAT_CAPSULE,   UT_FLAT_CIRCLE};
    for (int i = 0; i < 6; i++) {
        CHECK_INT(model->geom[i].flat.kind, kinds[i]);
    }
    CHECK_NEAR(model->q0[2], 10.0 * 3.14159265358979323846 / 180.0, 2e-16);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

static void check_note(const char* what, const char* text)
{
    utNotes notes = {0};
    utModel* model = read_model(what, &notes);
    char got[512] = "";
    (void)ut_notes_print(&notes, got, sizeof got);
    CHECK(model != NULL && strstr(got, text) != NULL);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(gravity_out_of_the_plane_is_noted)
{
    // the default is along -z
    check_note("<option ut:planar='xy'/><worldbody>" BODY "</worldbody>",
               "warning: option.gravity: has a component out of the plane of ut:planar, "
               "which is ignored");
    check_note("<option gravity='1 0 -9.81'/><option ut:planar='yz'/>"
               "<worldbody>" BODY "</worldbody>",
               "warning: option.gravity");
    utNotes notes = {0};
    utModel* model = read_model("<option ut:planar='xz'/><worldbody>" BODY "</worldbody>", &notes);
    CHECK(model != NULL && notes.count == 0);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

static void check_refused(const char* text, const char* want)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utStatus status = ut_mjcf_read((utText){text, strlen(text)}, "p.xml", NULL, def, NULL, &err);
    status = status == UT_OK ? ut_model_compile(def, NULL, &model, &err) : status;
    char got[512];
    ut_error_format(&err, got, sizeof got);
    CHECK(status != UT_OK);
    CHECK_TEXT(got, want);
    ut_model_def_destroy(def);
    ut_model_destroy(model);
}

#define HEAD \
    "<mujoco xmlns:ut='urn:uptack'>\n<option gravity='0 -9 0' ut:planar='xy'/>\n<worldbody>\n"
#define TAIL "</worldbody></mujoco>"

TEST(what_leaves_the_plane_is_refused_with_its_line)
{
    check_refused(HEAD "<body><joint name='j' axis='0 1 0'/><geom size='1'/></body>" TAIL,
                  "p.xml:4: error: axis of hinge joint 'j' is not the normal of the plane xy; "
                  "give it 0 0 1");
    check_refused(HEAD "<body name='b' euler='1 0 0'/>" TAIL,
                  "p.xml:4: error: body 'b' is turned out of the plane xy; in a planar world "
                  "bodies turn about its normal only");
    check_refused(HEAD "\n<geom name='g' type='ellipsoid' size='1 2 3'/>" TAIL,
                  "p.xml:5: error: geom 'g' (ellipsoid) has no figure in the plane xy; use a box, "
                  "a sphere, a capsule, a cylinder or a plane (or set contype and conaffinity to "
                  "0)");
    check_refused(HEAD BODY "</worldbody>\n<keyframe>\n"
                            "<key name='k' qpos='0 0 0 1 0 0 0'/></keyframe></mujoco>",
                  "p.xml:6: error: keyframe 'k' gives 7 entries of q; the model has 3");
}
