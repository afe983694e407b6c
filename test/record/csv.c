// SPDX-License-Identifier: Apache-2.0
// Tables: heads, cells, quoting and failures of the sink. The model is a pendulum, a ball and an
// unnamed box; the expected numbers are by hand.
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <uptack/record.h>

enum { ROOM = 1 << 18 };

// A sink that stores bytes up to a limit.
typedef struct Sheet {
    char text[ROOM];
    size_t size;
    size_t limit;
    int calls;
} Sheet;

static Sheet sheet;

static bool keep_text(void* context, const char* text, size_t size)
{
    Sheet* s = context;
    s->calls++;
    if (s->size + size > s->limit) {
        return false;
    }
    memcpy(s->text + s->size, text, size);
    s->size += size;
    s->text[s->size] = '\0';
    return true;
}

static utModel* model;
static utArena arena;

static void give_inertia(utBodyDef* body)
{
    body->inertial = true;
    body->mass = 1.0;
    body->inertia = ut_mat3_identity();
}

static utCsv begin(void)
{
    utModelDef* def = NULL;
    utError err = {0};
    utCsv csv = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    utBodyDef arm = ut_body_def();
    arm.name = "arm";
    give_inertia(&arm);
    arm.com = ut_vec3(1, 0, 0);
    utJointDef hinge = ut_joint_def(ut_model_def_body(def, &arm), UT_JOINT_HINGE);
    ut_model_def_joint(def, &hinge); // unnamed: joint0
    utBodyDef ball = ut_body_def();
    ball.name = "a,\"b\"";
    give_inertia(&ball);
    utJointDef turn = ut_joint_def(ut_model_def_body(def, &ball), UT_JOINT_BALL);
    turn.name = "turn";
    ut_model_def_joint(def, &turn);
    utBodyDef box = ut_body_def(); // unnamed: body3, fixed to the world
    box.pos = ut_vec3(7, 8, 9);
    const int fixed = ut_model_def_body(def, &box);
    for (int k = 0; k < 2; k++) {
        utGeomDef geom = ut_geom_def(fixed, UT_SHAPE_SPHERE, ut_vec3(1, 0, 0));
        geom.name = k == 0 ? "line\nbreak" : NULL;
        ut_model_def_geom(def, &geom);
    }
    CHECK(ut_model_compile(def, NULL, &model, &err) == UT_OK);
    ut_model_def_destroy(def);
    memset(&sheet, 0, sizeof sheet);
    sheet.limit = ROOM - 1;
    arena = test_arena();
    CHECK(ut_csv_create(model, keep_text, &sheet, &arena, &csv) == UT_OK);
    return csv;
}

static void end(void)
{
    ut_model_destroy(model);
}

TEST(the_head_of_states_names_bodies_then_joints)
{
    utCsv csv = begin();
    CHECK(ut_csv_states_head(&csv));
    CHECK(ut_csv_flush(&csv));
    CHECK_TEXT(
        sheet.text,
        "time,arm.x,arm.y,arm.z,arm.qw,arm.qx,arm.qy,arm.qz,arm.vx,arm.vy,arm.vz,arm.wx,arm.wy,"
        "arm.wz,\"a,\"\"b\"\".x\",\"a,\"\"b\"\".y\",\"a,\"\"b\"\".z\",\"a,\"\"b\"\".qw\","
        "\"a,\"\"b\"\".qx\",\"a,\"\"b\"\".qy\",\"a,\"\"b\"\".qz\",\"a,\"\"b\"\".vx\","
        "\"a,\"\"b\"\".vy\",\"a,\"\"b\"\".vz\",\"a,\"\"b\"\".wx\",\"a,\"\"b\"\".wy\","
        "\"a,\"\"b\"\".wz\",body3.x,body3.y,body3.z,body3.qw,body3.qx,body3.qy,body3.qz,body3.vx,"
        "body3.vy,body3.vz,body3.wx,body3.wy,body3.wz,joint0.q,joint0.qd,turn.q[0],turn.q[1],"
        "turn.q[2],turn.q[3],turn.qd[0],turn.qd[1],turn.qd[2]\n");
    end();
}

// The arm's mass is 1 m from a hinge about z that turns by 2 rad/s: its velocity is (0, 2, 0). The
// ball joint is turned by half a turn about x, so 3 rad/s about its own y are -3 in the world.
TEST(a_row_of_states_has_the_mass_centre_and_world_velocities)
{
    utCsv csv = begin();
    const double q[] = {0, 0, 1, 0, 0};
    const double v[] = {2, 0, 3, 0};
    const utRecordState state = {.time = 0.1, .q = q, .v = v};
    CHECK(ut_csv_states_row(&csv, &state) && ut_csv_flush(&csv));
    CHECK_TEXT(sheet.text, "0.1,1,0,0,1,0,0,0,0,2,0,0,0,2,"
                           "0,0,0,0,1,0,0,0,0,0,0,-3,0,"
                           "7,8,9,1,0,0,0,0,0,0,0,0,0,"
                           "0,2,0,1,0,0,0,3,0\n");
    end();
}

// n = z, t1 = x, t2 = y and r = (5, 3, 4): the impulse is (3, 4, 5); u = (0, 3, 4) slips by 5 m/s.
TEST(a_contact_is_a_row_with_the_impulse_in_the_world)
{
    utCsv csv = begin();
    const utContact contact = {
        .geom1 = 0,
        .geom2 = 1,
        .point = {1, 2, 3},
        .frame = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
        .gap = -0.5,
        .r = {5, 3, 4},
        .u = {0, 3, 4},
        .state = UT_CONTACT_SLIP,
    };
    const utStepReport report = {.model = model, .contacts = 1, .contact = &contact};
    CHECK(ut_csv_contacts_head(&csv));
    CHECK(ut_csv_contacts_rows(&csv, &report, 0.25) && ut_csv_flush(&csv));
    CHECK_TEXT(sheet.text, "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n"
                           "0.25,\"line\nbreak\",body3.geom1,1,2,3,0,0,1,-0.5,5,3,4,5,5,slip\n");
    end();
}

// With condim 4 or 6 somewhere in the model: t = (2, -1, 3) about (z, x, y) is (-1, 3, 2) in the world,
// and w = (7, 3, -4) spins by 7 and rolls by 5 rad/s.
TEST(contacts_of_models_with_torques_have_more_columns)
{
    utCsv csv = begin();
    utModelGeom geom[2] = {model->geom[0], model->geom[1]};
    geom[1].condim = 6;
    utModel rolling = *model;
    rolling.geom = geom;
    rolling.ngeom = 2;
    csv.model = &rolling;
    const utContact contact = {
        .geom1 = 0,
        .geom2 = 1,
        .frame = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
        .r = {5, 0, 0},
        .state = UT_CONTACT_STICK,
        .condim = 6,
        .torque = {2, -1, 3},
        .spin = {7, 3, -4},
    };
    const utStepReport report = {.model = &rolling, .contacts = 1, .contact = &contact};
    CHECK(ut_csv_contacts_head(&csv));
    CHECK(ut_csv_contacts_rows(&csv, &report, 0.25) && ut_csv_flush(&csv));
    CHECK_TEXT(sheet.text,
               "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state,tx,ty,tz,spin,roll\n"
               "0.25,\"line\nbreak\",body3.geom1,0,0,0,0,0,1,0,5,0,0,5,0,stick,-1,3,2,7,5\n");
    csv.model = model;
    end();
}

TEST(a_transition_is_a_row_with_its_modes)
{
    utCsv csv = begin();
    const utTransition transition = {
        .time = 0.25,
        .geom1 = 0,
        .geom2 = 1,
        .feature = UINT64_MAX,
        .from = UT_MODE_BOUNCING,
        .to = UT_MODE_STEADY,
        .speed = 0.5,
    };
    const utStepReport report = {.model = model, .transitions = 1, .transition = &transition};
    CHECK(ut_csv_transitions_head(&csv));
    CHECK(ut_csv_transitions_rows(&csv, &report) && ut_csv_flush(&csv));
    CHECK_TEXT(sheet.text,
               "time,geom1,geom2,feature,from,to,speed\n"
               "0.25,\"line\nbreak\",body3.geom1,18446744073709551615,bouncing,steady,0.5\n");
    end();
}

TEST(text_reaches_the_sink_in_large_pieces_and_complete)
{
    utCsv csv = begin();
    const utContact contact = {.geom2 = 1};
    const utStepReport report = {.model = model, .contacts = 1, .contact = &contact};
    for (int k = 0; k < 4000; k++) {
        CHECK(ut_csv_contacts_rows(&csv, &report, 0.5));
    }
    CHECK(ut_csv_flush(&csv));
    // every line is the same: 0.5,"line\nbreak",body3.geom1, eleven zeros for numbers, 0 slip, open
    const char line[] = "0.5,\"line\nbreak\",body3.geom1,0,0,0,0,0,0,0,0,0,0,0,0,open\n";
    CHECK_INT(sheet.size, 4000 * (sizeof line - 1));
    CHECK(memcmp(sheet.text + sheet.size - (sizeof line - 1), line, sizeof line - 1) == 0);
    CHECK(sheet.calls <= 5); // 64 KiB each
    end();
}

TEST(a_sink_that_is_full_is_reported_and_not_called_again)
{
    utCsv csv = begin();
    sheet.limit = 10;
    CHECK(ut_csv_contacts_head(&csv)); // still in the buffer
    CHECK(!ut_csv_flush(&csv));
    CHECK(!ut_csv_contacts_head(&csv));
    CHECK(!ut_csv_flush(&csv));
    CHECK_INT(sheet.calls, 1);
    end();
}

TEST(a_table_reports_an_arena_that_is_too_small)
{
    utCsv csv = begin();
    utArena enough = test_arena();
    utArena small = ut_arena_on(enough.next, 1000);
    const unsigned char* next = small.next;
    CHECK(ut_csv_create(model, keep_text, &sheet, &enough, &csv) == UT_OK);
    CHECK(ut_csv_create(model, keep_text, &sheet, &small, &csv) == UT_ERR_CAPACITY);
    CHECK(small.next == next);
    end();
}
