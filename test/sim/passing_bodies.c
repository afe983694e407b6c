// SPDX-License-Identifier: Apache-2.0
// Bodies that fly past each other: an obstacle beside their path does not stop them.
#include <uptack/collision.h>

#include "physics/lab.h"

static const double H = 0.002;
enum { STEPS = 60 };

// ---- past a table -------------------------------------------------------------------------------

// A fixed box, 1 m wide, its top at z = 0; and a body of one kilogram.
typedef struct Flight {
    utShapeKind kind;
    utVec3 size, pos, velocity, spin;
    utQuat quat;
} Flight;

// @param q 7 positions at the end  @param flagged steps with an overlap that are flagged so far
// @return number of impulses
static int fly(const Flight* f, bool table, double* q, int* flagged)
{
    Lab lab = lab_open(H);
    if (table) {
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
        geom.pos = ut_vec3(0, 0, -0.5);
        CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    }
    const int body = lab_body(&lab, NULL, f->pos);
    lab_free(&lab, body);
    lab_geom(&lab, body, f->kind, f->size, 1.0, 0.5);
    lab_start(&lab);
    const double start[7] = {f->pos.x,  f->pos.y,  f->pos.z, f->quat.w,
                             f->quat.x, f->quat.y, f->quat.z};
    const double v[6] = {f->velocity.x, f->velocity.y, f->velocity.z,
                         f->spin.x,     f->spin.y,     f->spin.z};
    lab_state(&lab, start, v);
    int impulses = 0;
    for (int k = 0; k < STEPS; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        for (int i = 0; i < result.report.contacts; i++) {
            impulses += result.report.contact[i].r[0] != 0.0;
        }
    }
    memcpy(q, ut_sim_q(lab.sim), 7 * sizeof *q);
    *flagged += lab.steps - lab.certified;
    CHECK(lab.worst <= 1e-8);
    lab_close(&lab);
    return impulses;
}

static bool flies_freely(const Flight* f, int* flagged)
{
    double q[7], free_q[7];
    fly(f, false, free_q, flagged);
    return fly(f, true, q, flagged) == 0 && memcmp(q, free_q, sizeof q) == 0;
}

static Flight straight(utShapeKind kind, utVec3 size, utVec3 pos, utVec3 velocity)
{
    return (Flight){kind, size, pos, velocity, ut_vec3_zero(), {1, 0, 0, 0}};
}

// All fall by 16 mm per step, 1 mm beside the table.
TEST(what_falls_beside_an_edge_falls_freely)
{
    const utVec3 down = ut_vec3(0, 0, -8);
    const utVec3 box = ut_vec3(0.1, 0.1, 0.1), rod = ut_vec3(0.05, 0.1, 0);
    const Flight flights[] = {
        straight(UT_SHAPE_BOX, box, ut_vec3(0.601, 0, 0.315), down),
        straight(UT_SHAPE_SPHERE, rod, ut_vec3(0.551, 0, 0.315), down),
        straight(UT_SHAPE_CAPSULE, rod, ut_vec3(0.551, 0, 0.315), down),
        straight(UT_SHAPE_CYLINDER, rod, ut_vec3(0.551, 0, 0.315), down),
        straight(UT_SHAPE_ELLIPSOID, box, ut_vec3(0.601, 0, 0.315), down),
        // beside a corner
        straight(UT_SHAPE_BOX, box, ut_vec3(0.601, 0.601, 0.315), down),
        straight(UT_SHAPE_SPHERE, rod, ut_vec3(0.5362, 0.5362, 0.315), down),
    };
    for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
        int flagged = 0;
        CHECK(flies_freely(&flights[i], &flagged));
        CHECK_INT(flagged, 0);
    }
}

// The body rises from the table's top by 2 mm or more and leaves its edge behind.
TEST(what_flies_over_an_edge_flies_freely)
{
    const utVec3 on = ut_vec3(8, 0, 0.5);
    const Flight flights[] = {
        straight(UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1), ut_vec3(0.2, 0, 0.103), on),
        straight(UT_SHAPE_SPHERE, ut_vec3(0.05, 0, 0), ut_vec3(0.2, 0, 0.053), on),
        straight(UT_SHAPE_CAPSULE, ut_vec3(0.05, 0.1, 0), ut_vec3(0.2, 0, 0.153), on),
    };
    for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
        int flagged = 0;
        CHECK(flies_freely(&flights[i], &flagged));
        CHECK_INT(flagged, 0);
    }
}

// ---- any flight ---------------------------------------------------------------------------------

// The smallest distance of a flight from the table, at the ends of its steps and halfway between,
// from shapes and poses only.
static double nearest(const Flight* f)
{
    const utShape table = ut_shape(UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
    const utShape shape = ut_shape(f->kind, f->size);
    const utFrame A = ut_frame(ut_mat3_identity(), ut_vec3(0, 0, -0.5));
    Lab lab = lab_open(H);
    const int body = lab_body(&lab, NULL, f->pos);
    lab_free(&lab, body);
    lab_geom(&lab, body, f->kind, f->size, 1.0, 0.5);
    lab_start(&lab);
    const double start[7] = {f->pos.x,  f->pos.y,  f->pos.z, f->quat.w,
                             f->quat.x, f->quat.y, f->quat.z};
    const double v[6] = {f->velocity.x, f->velocity.y, f->velocity.z,
                         f->spin.x,     f->spin.y,     f->spin.z};
    lab_state(&lab, start, v);
    double least = HUGE_VAL;
    for (int k = 0; k < STEPS; k++) {
        double q[7], middle[7];
        memcpy(q, ut_sim_q(lab.sim), sizeof q);
        lab_step(&lab, NULL, NULL);
        for (int part = 1; part <= 8; part++) {
            ut_model_integrate(lab.model, q, ut_sim_v(lab.sim), H * part / 8.0, middle);
            const utQuat quat = {middle[3], middle[4], middle[5], middle[6]};
            const utFrame B =
                ut_frame(ut_quat_to_mat3(quat), ut_vec3(middle[0], middle[1], middle[2]));
            utGap gap;
            CHECK_INT(ut_gap(&table, A, &shape, B, &gap), UT_OK);
            least = fmin(least, gap.gap);
        }
    }
    lab_close(&lab);
    return least;
}

// Flights towards a point beside the edge x = 0.5, z = 0, or the corner at its end, with some spin.
static Flight random_flight(utRng* rng)
{
    static const utShapeKind kinds[] = {UT_SHAPE_BOX, UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE,
                                        UT_SHAPE_CYLINDER};
    Flight f = {.kind = kinds[ut_rng_below(rng, 4)]};
    f.size = ut_vec3(ut_rng_range(rng, 0.03, 0.1), ut_rng_range(rng, 0.03, 0.1),
                     ut_rng_range(rng, 0.03, 0.1));
    const double angle = ut_rng_range(rng, 0.0, 3.0);
    utVec3 axis;
    CHECK(
        ut_vec3_normalize(ut_vec3(ut_rng_range(rng, -1, 1), ut_rng_range(rng, -1, 1), 0.5), &axis));
    f.quat = ut_quat_from_axis_angle(axis, angle);
    f.spin =
        ut_vec3(ut_rng_range(rng, -10, 10), ut_rng_range(rng, -10, 10), ut_rng_range(rng, -10, 10));
    f.velocity =
        ut_vec3(ut_rng_range(rng, -4, 4), ut_rng_range(rng, -4, 4), ut_rng_range(rng, -12, -4));
    const utVec3 target = ut_vec3(ut_rng_range(rng, 0.5, 0.7), ut_rng_range(rng, -0.6, 0.6), 0.0);
    f.pos = ut_vec3_add_scaled(target, -0.06, f.velocity);
    f.pos.z += 0.5 * 9.81 * 0.06 * 0.06;
    return f;
}

// A body that stays 0.2 mm away on its free path is not stopped. (Shapes closer than 1e-6 of their
// size are in contact.) A body that is stopped would have hit the table.
TEST(a_flight_that_meets_nothing_is_free)
{
#ifdef NDEBUG
    enum { FLIGHTS = 1500 };
#else
    enum { FLIGHTS = 30 };
#endif
    utRng rng = ut_rng(3, 1);
    int free_flights = 0, near = 0, stopped = 0, caught = 0, tunnelled = 0, flagged = 0;
    for (int k = 0; k < FLIGHTS; k++) {
        const Flight f = random_flight(&rng);
        const double least = nearest(&f);
        const bool is_free = flies_freely(&f, &flagged);
        free_flights += is_free;
        near += is_free && least < 0.01;
        caught += least > 2e-4 && !is_free;
        stopped += least < -1e-3 && !is_free;
        tunnelled += least < -1e-3 && is_free;
    }
    CHECK_INT(caught, 0);
    CHECK_INT(tunnelled, 0);
    // a rod that meets the edge along its side, contacts jumping from one end to the other
    CHECK(flagged <= FLIGHTS / 500);
    CHECK(near >= FLIGHTS / 60 && stopped > FLIGHTS / 10);
    test_note("%d flights free, %d of them closer than 1 cm; %d stopped", free_flights, near,
              stopped);
}

// ---- impulses that change the way ---------------------------------------------------------------

// Two balls side by side fall past the edge of a table, clear of it by 1 mm, while a third ball hits
// them from outside and pushes both towards the table within the same step: the contact with the
// table joins the active set.
TEST(what_is_pushed_into_an_edge_is_stopped_by_it)
{
    Lab lab = lab_open(H);
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.5));
    geom.pos = ut_vec3(0, 0, -0.5);
    geom.friction = 0.0;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    const int ball = lab_ball(&lab, ut_vec3(0.551, 0, 0.01), 0.05, 1.0, 0.0);
    lab_ball(&lab, ut_vec3(0.6515, 0, 0.01), 0.05, 10.0, 0.0);
    lab_start(&lab);
    const double v[12] = {0, 0, -8, 0, 0, 0, -4, 0, -8, 0, 0, 0};
    lab_state(&lab, NULL, v);
    double deepest = 0.0;
    for (int k = 0; k < 40; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        deepest = fmax(deepest, result.max_penetration);
    }
    CHECK(ut_sim_body(lab.sim, ball).com.x >= 0.55 - 1e-6);
    CHECK(deepest <= 1e-6);
    lab_end(&lab);
}
