// SPDX-License-Identifier: Apache-2.0
// Sensors of files and descriptions: names, notes and errors, other coordinates, tables, memory.
#include "support/make_sim.h"
#include "support/model_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <uptack/record.h>

#define BODY                                                                                 \
    "<mujoco><worldbody><body name='b'><joint name='h'/><geom name='g' size='.1' mass='1'/>" \
    "<site name='imu' pos='.1 0 0'/><camera name='eye'/></body></worldbody><actuator>"       \
    "<muscle name='arm' joint='h'/></actuator>"
#define END "</mujoco>"

// Read a text. @return its notes; the model is NULL after an error
static utNotes read(const char* text, utModel** model, utError* err)
{
    utModelDef* def = NULL;
    utNotes notes = {0};
    *model = NULL;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, &notes, err) == UT_OK) {
        (void)ut_model_compile(def, NULL, model, err);
    }
    ut_model_def_destroy(def);
    return notes;
}

static void check_error(const char* sensor, const char* message)
{
    char text[1024];
    utModel* model = NULL;
    utError err = {0};
    snprintf(text, sizeof text, "%s<sensor>%s</sensor>%s", BODY, sensor, END);
    utNotes notes = read(text, &model, &err);
    CHECK(model == NULL);
    CHECK_TEXT(err.message, message);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(a_sensor_of_something_that_does_not_exist_is_rejected)
{
    check_error("<gyro site='imo'/>", "there is no site 'imo'; did you mean 'imu'?");
    check_error("<gyro/>", "gyro needs the attribute site");
    check_error("<gyros site='imu'/>",
                "unknown element 'gyros' inside 'sensor'; did you mean 'gyro'?");
    check_error("<framepos objtype='bodi' objname='b'/>",
                "objtype of framepos cannot be 'bodi'; did you mean 'body'?");
    check_error("<framepos objname='b'/>", "framepos needs the attribute objtype");
    check_error("<ballquat name='q' joint='h'/>",
                "sensor 'q' (ballquat) needs a joint of type ball");
    check_error("<distance geom1='g' body1='b' geom2='g'/>",
                "distance needs one of the attributes geom1 and body1");
    check_error("<gyro name='a' site='imu'/><clock name='a'/>",
                "a second clock with the name 'a'; names must differ");
    check_error("<gyro site='imu' cutoff='-1'/>", "cutoff of gyro is -1; it must not be negative");
    check_error("<framelinacc objtype='site' objname='imu' reftype='site' refname='imu'/>",
                "unknown attribute 'reftype' of framelinacc");
}

static bool has_note(const utNotes* notes, const char* what)
{
    for (int i = 0; i < notes->count; i++) {
        if (strcmp(notes->note[i].what, what) == 0) {
            return !notes->note[i].physics;
        }
    }
    return false;
}

// Sensors have no effect on the motion, so that the model lacks no physics without them.
TEST(a_sensor_that_is_left_out_is_noted)
{
    utModel* model;
    utError err = {0};
    utNotes notes =
        read(BODY "<sensor><user dim='3'/><framepos objtype='camera' objname='eye'/>"
                  "<actuatorfrc actuator='arm'/><gyro site='imu' noise='0.1' user='1 2'/>"
                  "<rangefinder site='imu' data='dist dir'/>"
                  "<framequat objtype='body' objname='b'/></sensor>" END,
             &model, &err);
    if (CHECK(model != NULL)) {
        CHECK_INT(model->nsensor, 2);
        CHECK_INT(model->nsensordata, 7);
        CHECK_INT(model->missing, 1); // the muscle
    }
    CHECK(has_note(&notes, "sensor/user"));
    CHECK(has_note(&notes, "sensor/framepos"));
    CHECK(has_note(&notes, "sensor/actuatorfrc"));
    CHECK(has_note(&notes, "sensor/rangefinder"));
    CHECK(has_note(&notes, "gyro.noise"));
    CHECK(has_note(&notes, "sensor.objtype"));
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(a_description_with_an_impossible_sensor_does_not_compile)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utSiteDef site = ut_site_def(0);
    site.name = "zone";
    site.shape.size.x = -1.0;
    ut_model_def_site(def, &site);
    utSensorDef touch = ut_sensor_def(UT_SENSOR_TOUCH, UT_OBJECT_SITE, 0);
    ut_model_def_sensor(def, &touch);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "site 'zone' of sensor #0: ") == err.message);
    ut_model_def_destroy(def);

    static const struct {
        utSensorDef def;
        const char* message;
    } cases[] = {
        {{.kind = UT_SENSOR_GYRO, .object = UT_OBJECT_SITE, .index = 3},
         "the object of sensor #0 is number 3, which does not exist; there are 0"},
        {{.kind = UT_SENSOR_GYRO, .object = UT_OBJECT_BODY},
         "sensor #0 (gyro) has the wrong kind of object"},
        {{.kind = UT_SENSOR_KIND_COUNT},
         "sensor #0 is of kind 44, which does not exist; there are "
         "0 to 43"},
        {{.kind = UT_SENSOR_CLOCK, .cutoff = (double)NAN},
         "cutoff of sensor #0 is nan; it must be finite and not negative"},
        {{.kind = UT_SENSOR_FRAME_QUATERNION, .cutoff = 1.0},
         "sensor #0 has a cutoff, which would bend a direction; remove the cutoff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
        utSensorDef sensor = cases[i].def;
        sensor.cookie = UT_SENSOR_DEF_COOKIE;
        ut_model_def_sensor(def, &sensor);
        CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, cases[i].message);
        ut_model_def_destroy(def);
    }
}

// The hash tells models with other sensors apart, and a copy of a description has its sensors.
TEST(sensors_count_for_the_hash_of_a_model)
{
    utModel* none = test_model(BODY END);
    utModel* gyro = test_model(BODY "<sensor><gyro site='imu'/></sensor>" END);
    utModel* same = test_model(BODY "<sensor><gyro site='imu'/></sensor>" END);
    utModel* cut = test_model(BODY "<sensor><gyro site='imu' cutoff='1'/></sensor>" END);
    CHECK(none->hash != gyro->hash);
    CHECK(same->hash == gyro->hash);
    CHECK(cut->hash != gyro->hash);
    ut_model_destroy(none);
    ut_model_destroy(gyro);
    ut_model_destroy(same);
    ut_model_destroy(cut);
}

// ---- maximal coordinates ------------------------------------------------------------------------

#define TWO_LINKS                                                                                 \
    "<mujoco><worldbody><body name='a' euler='10 20 30'><joint name='p' axis='0 1 0'/>"           \
    "<geom size='.1' pos='.3 0 0' mass='1'/>"                                                     \
    "<body name='b' pos='.5 0 0'><joint name='q' axis='0 0 1' range='-10 10'/>"                   \
    "<geom name='g' size='.1' pos='.2 0 0' mass='2'/><site name='s' pos='.4 0 0'/></body></body>" \
    "</worldbody><sensor><jointpos name='q0' joint='p'/><jointvel name='v1' joint='q'/>"          \
    "<framepos name='x' objtype='site' objname='s'/><velocimeter name='v' site='s'/>"             \
    "<framequat name='r' objtype='xbody' objname='b'/>"                                           \
    "<accelerometer name='a' site='s'/><e_kinetic name='e'/></sensor>"                            \
    "<keyframe><key name='start' qpos='0.4 0.1' qvel='1 -2'/></keyframe></mujoco>"

// Joints are equalities there, which follow the turning of bodies one step late: positions and
// velocities differ by less than h times accelerations of order 10, accelerations by less than h times
// their rates, of order 100.
TEST(maximal_coordinates_have_the_same_sensors)
{
    utModel* model = test_model(TWO_LINKS);
    utModel* maximal = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_model_maximal(model, NULL, &maximal, &err), UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    utSimDef def = ut_sim_def();
    def.dt = 1e-5;
    utSim* one = make_sim(model, &def);
    utSim* two = make_sim(maximal, &def);
    double x[32], y[32];
    CHECK_INT(model->nsensordata, 16);
    CHECK_INT(maximal->nsensordata, 16);
    CHECK_INT(ut_sim_reset(one, 0, &err), UT_OK);
    CHECK_INT(ut_sim_reset(two, 0, &err), UT_OK);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(ut_sim_step(one, NULL, NULL, &err), UT_OK);
        CHECK_INT(ut_sim_step(two, NULL, NULL, &err), UT_OK);
    }
    ut_sim_sensors(one, x);
    ut_sim_sensors(two, y);
    const utModelSensor* acceleration = &model->sensor[ut_model_find_sensor(model, "a")];
    for (int i = 0; i < 16; i++) {
        const bool rough = i >= acceleration->start && i < acceleration->start + 3;
        CHECK_NEAR(y[i], x[i], (rough ? 100.0 : 10.0) * def.dt);
    }
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    ut_model_destroy(model);
    ut_model_destroy(maximal);
}

// ---- tables and memory --------------------------------------------------------------------------

static bool append(void* context, const char* text, size_t size)
{
    char* to = context;
    const size_t used = strlen(to);
    memcpy(to + used, text, size);
    to[used + size] = '\0';
    return true;
}

TEST(a_table_of_states_has_columns_for_sensors)
{
    utModel* model = test_model("<mujoco><worldbody><body name='b'><joint name='h'/>"
                                "<geom size='.1' mass='1'/><site name='s'/></body></worldbody>"
                                "<sensor><gyro name='imu' site='s'/><jointpos joint='h'/></sensor>"
                                "</mujoco>");
    utArena arena = test_arena();
    static char text[8192];
    text[0] = '\0';
    utCsv csv;
    CHECK_INT(ut_csv_create(model, append, text, &arena, &csv), UT_OK);
    CHECK(ut_csv_states_head(&csv));
    const double q = 0.5, v = 2.0, sensor[] = {1.0, 2.0, 3.0, 4.0};
    CHECK(ut_csv_states_row(&csv, &(utRecordState){.q = &q, .v = &v, .sensor = sensor}));
    CHECK(ut_csv_states_row(&csv, &(utRecordState){.q = &q, .v = &v}));
    CHECK(ut_csv_flush(&csv));
    CHECK(strstr(text, ",h.q,h.qd,imu[0],imu[1],imu[2],sensor1\n") != NULL);
    CHECK(strstr(text, ",0.5,2,1,2,3,4\n") != NULL);
    CHECK(strstr(text, ",0.5,2,nan,nan,nan,nan\n") != NULL);
    ut_model_destroy(model);
}

static void* allocate(void* context, size_t size)
{
    ++*(int*)context;
    return malloc(size);
}

static void release(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

TEST(reading_sensors_of_a_warm_sim_allocates_nothing)
{
    utModel* model = test_model(TWO_LINKS);
    int calls = 0;
    const utAllocator allocator = {allocate, release, &calls};
    utSimDef def = ut_sim_def();
    def.allocator = &allocator;
    utSim* sim = make_sim(model, &def);
    double data[32];
    int warm = 0;
    for (int i = 0; i < 20; i++) {
        warm = i == 10 ? calls : warm;
        CHECK_INT(ut_sim_step(sim, NULL, NULL, NULL), UT_OK);
        ut_sim_sensors(sim, data);
    }
    CHECK(warm > 0);
    CHECK_INT(calls, warm);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
