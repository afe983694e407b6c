// SPDX-License-Identifier: Apache-2.0
// Bodies at rest under noise of a nanometre: their contacts keep their features, so that warm starts
// find their impulses from step to step.
#include <stdio.h>
#include <uptack/load.h>

#include "physics/lab.h"

#ifdef NDEBUG
enum { STEPS = 10000, FEWER = 2000 };
#else
enum { STEPS = 100, FEWER = 40 };
#endif

static const double H = 0.002, MU = 0.5, NOISE = 1e-9;
static const double TURN = 0.35; // rad about z, of the standing body, so that no edges are parallel

// ---- grounds ------------------------------------------------------------------------------------

enum { PLANE, BOX, MESH, HEIGHTS, TILES, GROUNDS };
static const char* const ground_names[GROUNDS] = {"plane", "box", "mesh", "heights", "tiles"};

enum { SIDE = 5, POINTS = SIDE * SIDE };

// 4 x 4 cells of 0.3 m
static utShape mesh_ground(utArena* keep)
{
    utVec3 vertex[POINTS];
    int triangle[6 * POINTS], triangles = 0;
    for (int i = 0; i < POINTS; i++) {
        vertex[i] = ut_vec3(0.3 * (i % SIDE) - 0.6, 0.3 * (i / SIDE) - 0.6, 0.0);
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const int cell[6] = {i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE};
            memcpy(triangle + 3 * triangles, cell, sizeof cell);
            triangles += 2;
        }
    }
    return lab_mesh(keep, POINTS, vertex, triangles, triangle);
}

static utShape heights_ground(utArena* keep)
{
    double* z = UT_PUSH(keep, double, POINTS);
    utHeights* heights = UT_PUSH(keep, utHeights, 1);
    memset(z, 0, POINTS * sizeof *z);
    CHECK_INT(ut_heights_build(SIDE, SIDE, z, heights, NULL), UT_OK);
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = {0.6, 0.6, 1}, .heights = heights};
}

static void add_box(Lab* lab, utVec3 pos, utVec3 half)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_BOX, half);
    geom.pos = pos;
    geom.friction = MU;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

static void add_ground(Lab* lab, int kind, utArena* keep)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(1, 1, 1));
    geom.friction = MU;
    switch (kind) {
    case PLANE:
        lab_floor(lab, MU);
        break;
    case BOX:
        add_box(lab, ut_vec3(0, 0, -0.5), ut_vec3(0.6, 0.6, 0.5));
        break;
    case TILES:
        for (int i = 0; i < 16; i++) {
            add_box(lab, ut_vec3(0.3 * (i % 4) - 0.45, 0.3 * (i / 4) - 0.45, -0.1),
                    ut_vec3(0.15, 0.15, 0.1));
        }
        break;
    default:
        geom.shape = kind == MESH ? mesh_ground(keep) : heights_ground(keep);
        CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
    }
}

// ---- what stands --------------------------------------------------------------------------------

// A prism of six sides, 0.1 m half as high.
static utShape prism(utArena* keep)
{
    utVec3 point[12];
    for (int i = 0; i < 12; i++) {
        const double angle = 1.0471975511965976 * (i % 6);
        point[i] = ut_vec3(0.2 * cos(angle), 0.2 * sin(angle), i < 6 ? -0.1 : 0.1);
    }
    utHull* hull = UT_PUSH(keep, utHull, 1);
    utArena scratch;
    CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK);
    CHECK_INT(ut_hull_build(12, point, keep, scratch, hull, NULL), UT_OK);
    ut_arena_destroy(&scratch);
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

// All are 0.2 m high.
static void add_standing(Lab* lab, utShapeKind kind, double z, double wide, utArena* keep)
{
    const int body = lab_body(lab, NULL, ut_vec3(0.01, 0.02, z));
    lab_free(lab, body);
    utGeomDef geom = ut_geom_def(body, kind, ut_vec3(wide, 0.8 * wide, 0.1));
    if (kind == UT_SHAPE_HULL) {
        geom.shape = prism(keep);
    } else if (kind == UT_SHAPE_CYLINDER) {
        geom.shape.size = ut_vec3(wide, 0.1, 0);
    } else if (kind == UT_SHAPE_CAPSULE) {
        geom.shape.size = ut_vec3(0.1, wide, 0);
        geom.quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), 1.5707963267948966);
    }
    geom.mass = 2.0;
    geom.friction = MU;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

// ---- noise --------------------------------------------------------------------------------------

enum { MOST = 64 };

typedef struct Ids {
    int count;
    int geom[MOST][2];
    uint64_t feature[MOST];
} Ids;

static Ids ids_of(const utStepReport* report)
{
    Ids ids = {.count = report->contacts < MOST ? report->contacts : MOST};
    for (int i = 0; i < ids.count; i++) {
        ids.geom[i][0] = report->contact[i].geom1;
        ids.geom[i][1] = report->contact[i].geom2;
        ids.feature[i] = report->contact[i].feature;
    }
    return ids;
}

static bool same_ids(const Ids* a, const Ids* b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++) {
        same = a->geom[i][0] == b->geom[i][0] && a->geom[i][1] == b->geom[i][1] &&
               a->feature[i] == b->feature[i];
    }
    return same;
}

// Move the state by noise. @param q nq: positions without noise
static void shake(Lab* lab, utRng* rng, const double* q)
{
    enum { ROOM = 32 };
    double q1[ROOM], v1[ROOM];
    CHECK(lab->model->nq <= ROOM);
    for (int i = 0; i < lab->model->nq; i++) {
        q1[i] = q[i] + ut_rng_range(rng, -NOISE, NOISE);
    }
    for (int i = 0; i < lab->model->nv; i++) {
        v1[i] = ut_sim_v(lab->sim)[i] + ut_rng_range(rng, -NOISE, NOISE);
    }
    CHECK_INT(ut_sim_set(lab->sim, 0.0, q1, v1, NULL), UT_OK);
}

// @param place positions that noise is added to; NULL: those after the last step
static void check_ids(Lab* lab, int contacts, const double* place, int steps, const char* name)
{
    utRng rng = ut_rng(11, 3);
    utStepResult result;
    lab_step(lab, NULL, &result);
    CHECK_INT(result.report.contacts, contacts);
    const Ids rest = ids_of(&result.report);
    int changed = 0;
    for (int k = 0; k < steps; k++) {
        shake(lab, &rng, place != NULL ? place : ut_sim_q(lab->sim));
        lab_step(lab, NULL, &result);
        const Ids now = ids_of(&result.report);
        changed += !same_ids(&rest, &now);
    }
    CHECK_INT(changed, 0);
    test_note("%s: %d contacts, %d steps, %d with other ids, %d not certified", name, rest.count,
              steps, changed, lab->steps - lab->certified);
}

static void check_standing(utShapeKind kind, int ground, int contacts, int steps)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    add_ground(&lab, ground, &keep);
    add_standing(&lab, kind, 0.1, 0.2, &keep);
    lab_start(&lab);
    const double q[7] = {0.01, 0.02, 0.1, cos(0.5 * TURN), 0, 0, sin(0.5 * TURN)};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, NULL, NULL), UT_OK);
    char name[64];
    snprintf(name, sizeof name, "%s on %s", ut_shape_kind_name(kind), ground_names[ground]);
    // a cylinder counts as upright up to 5e-9 rad, which many small steps may reach
    check_ids(&lab, contacts, kind == UT_SHAPE_CYLINDER ? q : NULL, steps, name);
    CHECK_INT(lab.certified, lab.steps);
    lab_close(&lab);
}

TEST(a_box_at_rest_keeps_its_features)
{
    check_standing(UT_SHAPE_BOX, PLANE, 4, STEPS);
    check_standing(UT_SHAPE_BOX, BOX, 4, STEPS);
    check_standing(UT_SHAPE_BOX, MESH, 4, STEPS);
    check_standing(UT_SHAPE_BOX, HEIGHTS, 4, STEPS);
    check_standing(UT_SHAPE_BOX, TILES, 4, STEPS);
}

// A cap is held by eight points of its rim; of a prism's six corners four hold its extent.
TEST(cylinders_and_prisms_at_rest_keep_their_features)
{
    check_standing(UT_SHAPE_CYLINDER, PLANE, 8, FEWER);
    check_standing(UT_SHAPE_CYLINDER, BOX, 8, FEWER);
    check_standing(UT_SHAPE_CYLINDER, HEIGHTS, 8, FEWER);
    check_standing(UT_SHAPE_HULL, PLANE, 4, FEWER);
    check_standing(UT_SHAPE_HULL, BOX, 4, FEWER);
    check_standing(UT_SHAPE_HULL, MESH, 4, FEWER);
}

TEST(a_lying_capsule_keeps_its_features)
{
    check_standing(UT_SHAPE_CAPSULE, PLANE, 2, FEWER);
    check_standing(UT_SHAPE_CAPSULE, BOX, 2, FEWER);
}

// Three boxes, each smaller than the one below; or of one size, edge on edge. There a corner beside
// the other box counts as on it when the distance is below the tolerance of collision.
static void add_stack(Lab* lab, bool flush, utArena* keep)
{
    for (int k = 0; k < 3; k++) {
        add_standing(lab, UT_SHAPE_BOX, 0.1 + 0.2 * k, flush ? 0.2 : 0.2 - 0.03 * k, keep);
    }
}

TEST(a_stack_of_three_keeps_its_features)
{
    for (int flush = 0; flush < 2; flush++) {
        utArena keep = test_arena();
        Lab lab = lab_open(H);
        add_ground(&lab, PLANE, &keep);
        add_stack(&lab, flush == 1, &keep);
        lab_start(&lab);
        check_ids(&lab, 12, flush == 1 ? lab.model->q0 : NULL, FEWER,
                  flush == 1 ? "flush stack" : "stack");
        lab_close(&lab);
    }
}

// All four edges of the box are above seams of the tiles.
TEST(a_box_above_the_seams_of_tiles_keeps_its_features)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    add_ground(&lab, TILES, &keep);
    const int body = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.3, 0.3, 0.1), 2.0, MU);
    CHECK_INT(body, 1);
    lab_start(&lab);
    check_ids(&lab, 4, lab.model->q0, FEWER, "box above seams");
    lab_close(&lab);
}

// ---- warm starts --------------------------------------------------------------------------------

// Forces that change velocities by noise. The warm start finds every contact and the active set stays
// the same, so that a step needs one factorization, whatever the noise.
TEST(impulses_are_found_again_from_step_to_step)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    add_ground(&lab, TILES, &keep);
    add_stack(&lab, false, &keep);
    lab_start(&lab);
    utRng rng = ut_rng(2, 2);
    utStepResult result;
    utForce applied[4] = {0};
    const utInput input = {.applied = applied};
    Ids rest = {0};
    int most = 0, changed = 0;
    long long sum = 0;
    for (int k = 0; k < FEWER; k++) {
        for (int b = 1; b < 4; b++) {
            const double f = 2.0 * NOISE / H; // of 2 kg
            applied[b].force = ut_vec3(ut_rng_range(&rng, -f, f), ut_rng_range(&rng, -f, f),
                                       ut_rng_range(&rng, -f, f));
        }
        lab_step(&lab, &input, &result);
        const Ids now = ids_of(&result.report);
        if (k == 10) {
            rest = now;
        } else if (k > 10) {
            changed += !same_ids(&rest, &now);
            most = result.iterations > most ? result.iterations : most;
            sum += result.iterations;
        }
    }
    CHECK_INT(changed, 0);
    CHECK(most <= 3);
    lab_certified(&lab);
    test_note("%d contacts, %.2f factorizations a step, %d at most", rest.count,
              (double)sum / (FEWER), most);
    lab_close(&lab);
}

// A box at rest on a slope, where Newton on W stalls in 318 of 2,000 steps. The warm start is an answer,
// so that three steps without progress are enough.
TEST(a_warm_start_that_is_an_answer_costs_three_steps_of_newton_at_most)
{
    utModel* model = NULL;
    CHECK_INT(ut_load("incline:30:-2", &model, NULL), UT_OK);
    utSimDef def = ut_sim_def();
    def.dt = 0.002;
    utSim* sim = NULL;
    CHECK_INT(ut_sim_create(model, &def, &sim, NULL), UT_OK);
    CHECK_INT(ut_sim_reset(sim, ut_model_start_key(model), NULL), UT_OK);
    int stalled = 0, most = 0;
    for (int k = 0; k < 2000; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
        if (result.report.islands > 0 && result.report.island[0].rung == UT_RUNG_WARM) {
            stalled += result.iterations > 0;
            most = result.iterations > most ? result.iterations : most;
        }
    }
    CHECK(stalled > 0); // else the test shows nothing
    CHECK(most <= 3);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A light box that carries a million times its mass: its weight is the millionth part of the
// impulses on it, and rounding of their sum would be 3e-10 of it. All together is carried by the
// floor.
TEST(a_light_box_carries_a_million_times_its_mass)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, MU);
    lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.1, 0.1, 0.1), 1.0, MU);
    lab_box(&lab, ut_vec3(0.02, 0, 0.3), ut_vec3(0.1, 0.1, 0.1), 1e6, MU);
    lab_start(&lab);
    utStepResult result;
    double stored = 0.0;
    for (int k = 0; k < 100; k++) {
        lab_step(&lab, NULL, &result);
        stored = fmax(stored, result.certificate.stored);
    }
    CHECK(stored <= 1e-12);
    double carried = 0.0;
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        carried += ut_model_side_body(lab.model, c->geom1) == 0 ? c->r[0] : 0.0;
    }
    const double weight = (1e6 + 1.0) * 9.81 * H;
    CHECK_NEAR(carried, weight, 1e-8 * weight);
    CHECK_INT(lab.certified, lab.steps);
    lab_close(&lab);
}
