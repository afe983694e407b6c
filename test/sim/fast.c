// SPDX-License-Identifier: Apache-2.0
// Bodies that are marked as fast: no tunnelling within a step.

#include <uptack/collision.h>

#include "physics/lab.h"

static const double SPEED = 100.0; // m/s
static const double THICK = 1e-3;  // m, of the plate
static const double WIDE = 0.2;    // m, half its side

static const double TURN = 2.0; // rad per step, the largest initial spin
static const double MU = 0.5;
static const uint64_t SEED = 11;

// Release: a few seconds. UPTACK_SHOTS=10000 is the run of docs/collision.md.
#ifdef NDEBUG
enum { SHOTS = 2400, FLIGHTS = 24 };
#else
enum { SHOTS = 60, FLIGHTS = 3 };
#endif

// ---- what is shot -------------------------------------------------------------------------------

enum { SPHERE, BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, SHAPES };
static const char* const shape_names[SHAPES] = {"sphere",   "box",       "capsule",
                                                "cylinder", "ellipsoid", "hull"};

enum { FIXED, HEAVY, PLATES };

typedef struct Shot {
    utShape shape;
    int kind, plate;
    double h;
    double q[14], v[12];
    int steps;
} Shot;

static utVec3 random_direction(utRng* rng)
{
    utVec3 unit;
    utVec3 x;
    do {
        x = ut_vec3(ut_rng_range(rng, -1, 1), ut_rng_range(rng, -1, 1), ut_rng_range(rng, -1, 1));
    } while (!(ut_vec3_norm(x) <= 1.0) || !ut_vec3_normalize(x, &unit));
    return unit;
}

static utShape random_hull(utRng* rng, double size, utArena* keep)
{
    utVec3 point[12];
    for (int i = 0; i < 12; i++) {
        point[i] = ut_vec3_scale(random_direction(rng), size * ut_rng_range(rng, 0.6, 1.0));
    }
    utHull* hull = UT_PUSH(keep, utHull, 1);
    utArena scratch;
    CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK);
    CHECK_INT(ut_hull_build(12, point, keep, scratch, hull, NULL), UT_OK);
    ut_arena_destroy(&scratch);
    return (utShape){.kind = UT_SHAPE_HULL, .hull = hull};
}

static utShape random_shape(utRng* rng, int kind, utArena* keep)
{
    const double a = ut_rng_range(rng, 0.005, 0.05), b = ut_rng_range(rng, 0.005, 0.05),
                 c = ut_rng_range(rng, 0.005, 0.05);
    switch (kind) {
    case SPHERE:
        return ut_shape(UT_SHAPE_SPHERE, ut_vec3(a, 0, 0));
    case BOX:
        return ut_shape(UT_SHAPE_BOX, ut_vec3(a, b, c));
    case CAPSULE:
        return ut_shape(UT_SHAPE_CAPSULE, ut_vec3(0.5 * a, b, 0));
    case CYLINDER:
        return ut_shape(UT_SHAPE_CYLINDER, ut_vec3(a, b, 0));
    case ELLIPSOID:
        return ut_shape(UT_SHAPE_ELLIPSOID, ut_vec3(a, b, c));
    default:
        return random_hull(rng, 0.2 * a + 0.04, keep);
    }
}

// Shots at the plate's face at z = 0 from either side, at any angle down to half a degree, aimed at
// a point within the face or a little beside it.
static Shot random_shot(utRng* rng, int kind, utArena* keep)
{
    Shot s = {.kind = kind, .plate = (int)ut_rng_below(rng, PLATES)};
    s.shape = random_shape(rng, kind, keep);
    s.h = ut_rng_below(rng, 2) == 0 ? 0.01 : 0.002;
    const double turn = ut_rng_range(rng, 0.0, 6.283185307179586);
    const double least = 0.0087;
    const double angle =
        ut_rng_below(rng, 4) == 0 ? ut_rng_range(rng, least, 0.2) : ut_rng_range(rng, least, 1.57);
    const double side = ut_rng_below(rng, 2) == 0 ? 1.0 : -1.0;
    const utVec3 along =
        ut_vec3(cos(angle) * cos(turn), cos(angle) * sin(turn), -side * sin(angle));
    const utVec3 aim =
        ut_vec3(ut_rng_range(rng, -1.1, 1.1) * WIDE, ut_rng_range(rng, -1.1, 1.1) * WIDE, 0.0);
    const double radius = ut_shape_radius(&s.shape);
    const double away = ut_rng_range(rng, 0.05, 1.5);
    // far enough to be clear of the plate at any angle
    const utVec3 from = ut_vec3_add_scaled(aim, -(1.5 * WIDE + radius + away), along);
    const utQuat quat = ut_quat_exp(ut_vec3_scale(random_direction(rng), ut_rng_range(rng, 0, 3)));
    const utVec3 spin = ut_vec3_scale(
        random_direction(rng),
        ut_rng_below(rng, 3) == 0 ? 0.0 : ut_rng_range(rng, 0, fmin(500.0, TURN / s.h)));
    const double q[14] = {from.x, from.y, from.z, quat.w, quat.x, quat.y, quat.z,
                          0,      0,      0,      1,      0,      0,      0};
    memcpy(s.q, q, sizeof q);
    const utVec3 v = ut_vec3_scale(along, SPEED);
    const double velocity[6] = {v.x, v.y, v.z, spin.x, spin.y, spin.z};
    memcpy(s.v, velocity, sizeof velocity);
    if (s.plate == HEAVY) {
        const utVec3 drift = ut_vec3_scale(random_direction(rng), ut_rng_range(rng, 0, 5));
        const double plate[6] = {drift.x, drift.y, drift.z, 0, 0, 0};
        memcpy(s.v + 6, plate, sizeof plate);
    }
    s.steps = (int)((1.5 * WIDE + radius + away) / (SPEED * s.h)) + 8;
    return s;
}

// ---- the judge ----------------------------------------------------------------------------------

typedef struct Verdict {
    bool through;    // the centre passed the plate's face
    bool touched;    // there was an impulse
    int uncertified; // steps
    int flagged;
    bool refused; // the sim reported that it could not make a step
    double depth; // overlap at the end of a step, m
} Verdict;

// The plate and the shot body in its start state.
static Lab load(const Shot* s, bool fast, bool gravity)
{
    Lab lab = lab_open(s->h);
    lab.options.gravity = gravity ? lab.options.gravity : ut_vec3_zero();
    utBodyDef body = ut_body_def();
    body.fast = fast;
    const int flying = ut_model_def_body(lab.def, &body);
    lab_free(&lab, flying);
    utGeomDef geom = ut_geom_def(flying, s->shape.kind, s->shape.size);
    geom.shape = s->shape;
    geom.mass = 0.1;
    geom.friction = MU;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    const int plate = s->plate == HEAVY ? lab_body(&lab, NULL, ut_vec3_zero()) : 0;
    if (plate > 0) {
        lab_free(&lab, plate);
    }
    lab_geom(&lab, plate, UT_SHAPE_BOX, ut_vec3(WIDE, WIDE, 0.5 * THICK), 20.0, MU);
    lab_start(&lab);
    lab_state(&lab, s->q, s->v);
    return lab;
}

// a point in the plate's frame
static utVec3 in_plate(const Lab* lab, int plate, utVec3 x)
{
    return plate == FIXED ? x : ut_frame_point_inverse(ut_sim_body(lab->sim, 2).frame, x);
}

// The distance by which the body's lowest point passes the face on its side, where all of the body is
// above or below the plate.
static double depth_of(const Lab* lab, const Shot* s)
{
    const utFrame at = ut_sim_body(lab->sim, 1).frame;
    const utMat3 R = s->plate == FIXED ? ut_mat3_identity() : ut_sim_body(lab->sim, 2).frame.R;
    const utVec3 centre = in_plate(lab, s->plate, at.p);
    const double side = centre.z > 0.0 ? 1.0 : -1.0;
    const double radius = ut_shape_radius(&s->shape);
    if (fabs(centre.x) + radius > WIDE || fabs(centre.y) + radius > WIDE) {
        return 0.0;
    }
    const utVec3 down = ut_mat3_mul_vec(R, ut_vec3(0, 0, -side));
    const utVec3 lowest = ut_shape_support(&s->shape, ut_mat3_tmul_vec(at.R, down));
    const utVec3 x = in_plate(lab, s->plate, ut_frame_point(at, lowest));
    return 0.5 * THICK - side * x.z;
}

// Does the path of the centre lead through the plate?
static bool crosses(utVec3 from, utVec3 to)
{
    if (!(from.z * to.z < 0.0)) {
        return false;
    }
    const double t = from.z / (from.z - to.z);
    const double x = from.x + t * (to.x - from.x), y = from.y + t * (to.y - from.y);
    return fabs(x) < WIDE && fabs(y) < WIDE;
}

// The centre in the plate's frame after the projection at the start of the step.
static utVec3 projected(const Lab* lab, const Shot* s, const utStepReport* report)
{
    double q[14];
    memcpy(q, report->q, (size_t)lab->model->nq * sizeof *q);
    if (report->projection != NULL) {
        ut_model_integrate(lab->model, report->q, report->projection, 1.0, q);
    }
    utFrame frame[2] = {ut_frame_identity(), ut_frame_identity()};
    for (int k = 0; k < (s->plate == FIXED ? 1 : 2); k++) {
        const double* x = q + (size_t)7 * (size_t)k;
        frame[k] =
            ut_frame(ut_quat_to_mat3(ut_quat(x[3], x[4], x[5], x[6])), ut_vec3(x[0], x[1], x[2]));
    }
    const utVec3 com = ut_frame_point(frame[0], lab->model->body[1].com);
    return ut_frame_point_inverse(frame[1], com);
}

static bool pushes(const utStepReport* report)
{
    bool pushed = false;
    for (int i = 0; i < report->contacts; i++) {
        pushed = pushed || report->contact[i].r[0] > 0.0;
    }
    return pushed;
}

static Verdict shoot(const Shot* s, bool fast)
{
    Lab lab = load(s, fast, true);
    Verdict verdict = {0};
    utVec3 before = in_plate(&lab, s->plate, ut_sim_body(lab.sim, 1).com);
    for (int k = 0; k < s->steps && !verdict.refused && verdict.uncertified == 0; k++) {
        utStepResult result;
        utError err;
        // an impact may leave a spin of hundreds of radians per step; the equation of the
        // gyroscopic term is solved for that too, so that no step is rejected
        const utStatus status = ut_sim_step(lab.sim, NULL, &result, &err);
        verdict.refused = status != UT_OK && status != UT_ERR_NOT_TAKEN;
        if (verdict.refused) {
            break;
        }
        const utVec3 now = in_plate(&lab, s->plate, ut_sim_body(lab.sim, 1).com);
        verdict.flagged += result.outcome == UT_STEP_FLAGGED;
        verdict.uncertified += result.outcome == UT_STEP_UNCERTIFIED;
        verdict.touched = verdict.touched || pushes(&result.report);
        const utVec3 between = projected(&lab, s, &result.report);
        verdict.through = verdict.through || crosses(before, between) || crosses(between, now);
        verdict.depth = fmax(verdict.depth, verdict.through ? 0.0 : depth_of(&lab, s));
        before = now;
    }
    lab_close(&lab);
    return verdict;
}

// ---- shots --------------------------------------------------------------------------------------

typedef struct Tally {
    int shots, touched, through, flagged, uncertified, refused;
    int shallow;  // none of their steps ends with an overlap of more than a tenth of the radius
    double depth; // of the radius
} Tally;

static void add(Tally* t, const Verdict* v, double radius)
{
    t->shots++;
    t->touched += v->touched;
    t->through += v->through;
    t->flagged += v->flagged > 0;
    t->uncertified += v->uncertified > 0;
    t->refused += v->refused;
    t->shallow += v->depth <= 0.1 * radius;
    t->depth = fmax(t->depth, v->depth / radius);
}

static int shots_wanted(void)
{
    const char* text = getenv("UPTACK_SHOTS");
    return text != NULL ? atoi(text) : SHOTS;
}

// 100 m/s, a plate of 1 mm, steps of 2 and 10 ms: 0.2 and 1 m. A body that hits beside its centre
// leaves with some thousand rad/s and turns by tens of radians per step. A pose clear of the plate is
// then not always found, but the centre of mass never enters the plate: the overlap is smaller than
// the largest radius.
TEST(nothing_passes_through_a_plate_within_a_step)
{
    Tally of[SHAPES] = {0};
    const int shots = shots_wanted();
    for (int i = 0; i < shots; i++) {
        utArena keep = test_arena();
        utRng rng = ut_rng(SEED, (uint64_t)i);
        const int kind = i % SHAPES;
        const Shot s = random_shot(&rng, kind, &keep);
        const Verdict v = shoot(&s, true);
        add(&of[kind], &v, ut_shape_radius(&s.shape));
        if (v.through || v.uncertified > 0 || v.flagged > 0) {
            test_note("shot %d, a %s", i, shape_names[kind]);
        }
    }
    int touched = 0;
    for (int k = 0; k < SHAPES; k++) {
        const Tally* t = &of[k];
        test_note("%-9s %5d shots, %5d hit, %d through, %d flagged, %d uncertified, %d refused; "
                  "overlaps to %.2g of the radius, %d shots to 0.1 at most",
                  shape_names[k], t->shots, t->touched, t->through, t->flagged, t->uncertified,
                  t->refused, t->depth, t->shallow);
        CHECK_INT(t->through, 0);
        CHECK_INT(t->flagged, 0);
        CHECK_INT(t->uncertified, 0);
        CHECK_INT(t->refused, 0);
        CHECK(t->depth < 1.0);
        CHECK(10 * t->shallow >= 9 * t->shots);
        touched += t->touched;
    }
    CHECK(10 * touched >= 9 * shots); // most shots hit
}

// ---- what can be reckoned -----------------------------------------------------------------------

static const double H = 0.01;

static Shot ball_shot(double radius, double height, int plate)
{
    Shot s = {.shape = ut_shape(UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0)), .plate = plate, .h = H};
    const double q[14] = {0.03, 0.02, height, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    memcpy(s.q, q, sizeof q);
    s.v[2] = -SPEED;
    return s;
}

// A ball 0.4 m above the plate's face would fly 1 m: it ends the step on the face, having moved by
// its gap, so that its velocity is -gap / h; the step after that it rests.
TEST(a_ball_ends_its_step_on_the_plate)
{
    const double radius = 0.02, gap = 0.4;
    const Shot s = ball_shot(radius, 0.5 * THICK + radius + gap, FIXED);
    Lab lab = load(&s, true, false);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    // the sweep finds the hit to 1e-4 of the radius, and the row is exact from there
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 0.5 * THICK + radius, 1e-9);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], -gap / H, 1e-7);
    CHECK(result.report.relinearizations == 1 && result.report.v_ahead != NULL);
    lab_step(&lab, NULL, &result);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], 0.0, 1e-7);
    CHECK_INT(lab.certified, 2);
    lab_close(&lab);
}

// Momentum is kept: 0.1 kg at 100 m/s and a plate of 20 kg at rest end with 10 / 20.1 m/s.
TEST(a_ball_gives_its_momentum_to_a_plate)
{
    Shot s = ball_shot(0.02, 0.5, HEAVY);
    s.q[0] = s.q[1] = 0.0;
    Lab lab = load(&s, true, false);
    for (int k = 0; k < 2; k++) {
        lab_step(&lab, NULL, NULL);
        const double sum = 0.1 * ut_sim_v(lab.sim)[2] + 20.0 * ut_sim_v(lab.sim)[8];
        CHECK_NEAR(sum, -0.1 * SPEED, 1e-9);
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[2], -10.0 / 20.1, 1e-7);
    CHECK_NEAR(ut_sim_v(lab.sim)[8], -10.0 / 20.1, 1e-7);
    CHECK_INT(lab.certified, 2);
    lab_close(&lab);
}

// ---- bodies moved from outside ------------------------------------------------------------------

// A mocap plate that moves by 0.5 m per step, and a ball at rest in its path.
static Lab mocap_lab(int plates)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    for (int k = 0; k < plates; k++) {
        utBodyDef plate = ut_body_def();
        plate.mocap = true;
        plate.pos = ut_vec3(0, 0, k == 0 ? -0.2 : 0.2);
        const int body = ut_model_def_body(lab.def, &plate);
        lab_geom(&lab, body, UT_SHAPE_BOX, ut_vec3(WIDE, WIDE, 0.5 * THICK), 1.0, MU);
    }
    utBodyDef ball = ut_body_def();
    ball.fast = true;
    const int body = ut_model_def_body(lab.def, &ball);
    lab_free(&lab, body);
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.02, 0, 0), 0.1, MU);
    lab_start(&lab);
    return lab;
}

// The plate carries the ball along: at the step's end the ball lies on the plate, which is at 0.3 m,
// and all of this motion is within the one step. A certificate of the same step with another fraction
// of the plate's path must not pass.
TEST(a_plate_that_is_moved_takes_a_ball_along)
{
    Lab lab = mocap_lab(1);
    const double to[3] = {0, 0, 0.3};
    const utInput input = {.mocap_pos = to};
    utStepResult result;
    lab_step(&lab, &input, &result);
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 0.3 + 0.5 * THICK + 0.02, 1e-9);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], (0.3 + 0.5 * THICK + 0.02) / H, 1e-7);
    CHECK_INT(lab.certified, 1);
    if (CHECK(result.report.mocap_ahead != NULL)) {
        // the plate meets the ball after 0.2 - (0.02 + 0.0005) of 0.5 m
        CHECK_NEAR(result.report.mocap_ahead[0], (0.2 - 0.0205) / 0.5, 1e-5);
        const double other[1] = {result.report.mocap_ahead[0] - 1e-3};
        utStepReport report = result.report;
        utCertificate certificate;
        CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
        CHECK(certificate.passed);
        report.mocap_ahead = other;
        CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
        CHECK(!certificate.passed);
    }
    lab_close(&lab);
}

// Two plates that change sides leave no room for the body between them. The sim must not report such
// a step as solved.
TEST(what_has_no_way_out_is_told)
{
    Lab lab = mocap_lab(2);
    const double to[6] = {0, 0, 0.3, 0, 0, -0.3};
    const utInput input = {.mocap_pos = to};
    utStepResult result;
    lab_step(&lab, &input, &result);
    CHECK(result.outcome != UT_STEP_CERTIFIED);
    lab_close(&lab);
}

// ---- joints -------------------------------------------------------------------------------------

// A ball at the end of an arm of 1 m that turns at 100 rad/s, by 1 rad in a step, against a plate
// that stands along the radius at 1.5 rad. The ball starts at 0 and must not pass the plate: it
// touches where sin(1.5 - angle) = (radius + half the plate), within its second step.
TEST(an_arm_does_not_pass_a_plate)
{
    const double radius = 0.02, wall = 1.5;
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    utGeomDef plate = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.2, 0.5 * THICK, 0.2));
    plate.pos = ut_vec3(cos(wall), sin(wall), 0);
    plate.quat = ut_quat_exp(ut_vec3(0, 0, wall));
    CHECK(ut_model_def_geom(lab.def, &plate) >= 0);
    utBodyDef arm = ut_body_def();
    arm.fast = true;
    const int body = ut_model_def_body(lab.def, &arm);
    utJointDef hinge = ut_joint_def(body, UT_JOINT_HINGE);
    ut_model_def_joint(lab.def, &hinge);
    utGeomDef ball = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0));
    ball.pos = ut_vec3(1, 0, 0);
    ball.mass = 0.1;
    CHECK(ut_model_def_geom(lab.def, &ball) >= 0);
    lab_start(&lab);
    lab_velocity(&lab, 0, 100.0);
    for (int k = 0; k < 5; k++) {
        lab_step(&lab, NULL, NULL);
        CHECK(ut_sim_q(lab.sim)[0] < wall);
    }
    CHECK_NEAR(ut_sim_q(lab.sim)[0], wall - asin(radius + 0.5 * THICK), 1e-6);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 0.0, 1e-6);
    CHECK_INT(lab.certified, 5);
    lab_close(&lab);
}

// ---- passing by ---------------------------------------------------------------------------------

// The smallest gap on the path of a ball or cube in free flight: its centre moves in a straight line
// and it turns at a constant rate. Points move by less than `between` from one query to the next, so
// that the gap is at least the smallest queried one less half of that.
static double clearance(const Shot* s, int looks)
{
    const utShape plate = ut_shape(UT_SHAPE_BOX, ut_vec3(WIDE, WIDE, 0.5 * THICK));
    const double time = s->steps * s->h;
    const utVec3 w = ut_vec3(s->v[3], s->v[4], s->v[5]);
    const double between = (SPEED + ut_vec3_norm(w) * ut_shape_radius(&s->shape)) * time / looks;
    double least = HUGE_VAL;
    for (int i = 0; i <= looks; i++) {
        const double t = time * i / looks;
        const utQuat q = ut_quat_mul(ut_quat(s->q[3], s->q[4], s->q[5], s->q[6]),
                                     ut_quat_exp(ut_vec3_scale(w, t)));
        const utVec3 p =
            ut_vec3(s->q[0] + t * s->v[0], s->q[1] + t * s->v[1], s->q[2] + t * s->v[2]);
        utGap gap;
        CHECK_INT(
            ut_gap(&s->shape, ut_frame(ut_quat_to_mat3(q), p), &plate, ut_frame_identity(), &gap),
            UT_OK);
        least = fmin(least, gap.gap);
    }
    return least - 0.5 * between;
}

// Does the body keep its velocity, up to rounding?
static bool flies_on(const Shot* s, bool fast)
{
    Lab lab = load(s, fast, false);
    for (int k = 0; k < s->steps; k++) {
        lab_step(&lab, NULL, NULL);
    }
    bool same = lab.certified == lab.steps;
    for (int i = 0; i < 3; i++) {
        same = same && fabs(ut_sim_v(lab.sim)[i] - s->v[i]) <= 1e-12 * SPEED;
    }
    lab_close(&lab);
    return same;
}

TEST(what_passes_beside_the_plate_is_not_deflected)
{
    int flights = 0, deflected = 0, slow = 0;
    for (int i = 0; i < 100000 && flights < FLIGHTS; i++) {
        utArena keep = test_arena();
        utRng rng = ut_rng(9, (uint64_t)i);
        Shot s = random_shot(&rng, SPHERE, &keep);
        const double a = s.shape.size.x;
        s.shape = i % 2 == 1 ? ut_shape(UT_SHAPE_BOX, ut_vec3(a, a, a)) : s.shape;
        s.plate = FIXED;
        const double rough = clearance(&s, 60);
        if (!(rough > -0.1 && rough < 0.03)) {
            continue; // far from the plate, or into it
        }
        const double free = clearance(&s, 1500);
        if (free > 0.0 && free < 0.03) {
            flights++;
            deflected += !flies_on(&s, true);
            slow += !flies_on(&s, false);
        }
    }
    test_note("%d flights within 3 cm of the plate: %d deflected, %d when not fast", flights,
              deflected, slow);
    CHECK_INT(flights, FLIGHTS);
    CHECK_INT(deflected, 0);
}
