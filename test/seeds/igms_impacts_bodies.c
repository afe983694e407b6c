// SPDX-License-Identifier: Apache-2.0
// Rows G25, G27, G36 and X8: many contacts, kinds of bodies, linkages.
#include "igms_impacts.h"

static const double H = 0.01;

// ---- G25: many contacts -------------------------------------------------------------------------

static void add_foot(Lab* lab, int body, utVec3 pos, double radius, double mass, double e)
{
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0));
    geom.pos = pos;
    geom.mass = mass;
    geom.friction = 0.3;
    geom.restitution = e;
    geom.conaffinity = 0; // with the floor alone
    geom.contype = 2;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

static void add_floor(Lab* lab)
{
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.friction = 0.3;
    floor.conaffinity = 2;
    CHECK(ut_model_def_geom(lab->def, &floor) >= 0);
}

// Balls of 1 kg on a circle, 0.2 m over the floor, each by itself or all one body: all of them are
// corners of its foot.
static Lab feet(int n, bool one, double e, int detection, utFormulation formulation)
{
    Lab lab = lab_open(H);
    lab.options.formulation = formulation;
    lab.options.detection = detection == 0 ? UT_DETECTION_LOCATED : UT_DETECTION_STEP;
    add_floor(&lab);
    const int plate = one ? lab_body(&lab, NULL, ut_vec3(0, 0, 0.3)) : 0;
    if (one) {
        lab_free(&lab, plate);
    }
    for (int k = 0; k < n; k++) {
        const double x = 3.0 * cos(2 * PI * k / n), y = 3.0 * sin(2 * PI * k / n);
        const int body = one ? plate : lab_body(&lab, NULL, ut_vec3(x, y, 0.3));
        if (!one) {
            lab_free(&lab, body);
        }
        add_foot(&lab, body, one ? ut_vec3(x, y, 0) : ut_vec3_zero(), 0.1, 1.0, e);
    }
    ut_model_def_options(lab.def, &lab.options);
    igms_start(&lab);
    return lab;
}

// Fallen flat, all meet the floor at once with v = sqrt(2 g 0.2): sum r = m (1 + e) v, and at rest
// sum r = m g h. Each ball by itself is an island, the plate is one of all contacts.
static void check_feet(int n, bool one, int detection, utFormulation formulation)
{
    const double e = 0.5, m = n, v = detection == 0 ? sqrt(2 * GRAVITY * 0.2) : 0.21 * GRAVITY;
    Lab lab = feet(n, one, e, detection, formulation);
    double first = 0.0, closing = 0.0;
    int met = 0, islands = 0;
    utStepResult result;
    for (int k = 0; k < 80; k++) {
        lab_step(&lab, NULL, &result);
        for (int p = 0; met == 0 && p < result.report.parts; p++) {
            const utStepReport* part = &result.report.part[p];
            for (int i = 0; part->instant && i < part->contacts; i++) {
                first += part->contact[i].r[0];
                closing = fmax(closing, -part->contact[i].u_n_before);
                met++;
            }
            islands = part->instant ? part->islands : islands;
        }
    }
    CHECK_INT(met, n);
    CHECK_INT(islands, one ? 1 : n);
    CHECK_NEAR(closing, v, 1e-9);
    CHECK_NEAR(first, m * (1 + e) * v, 1e-7 * m);
    double weight = 0.0;
    for (int i = 0; i < result.report.contacts; i++) {
        weight += result.report.contact[i].r[0];
    }
    CHECK_INT(result.report.contacts, n);
    CHECK_NEAR(weight, m * GRAVITY * H, 1e-7 * m);
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 0.1, 1e-8);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], 0.0, 1e-7);
    lab_end(&lab);
}

TEST(G25_4_16_and_64_contacts_bounce_and_rest)
{
    for (int n = 4; n <= 64; n *= 4) {
        for (int d = 0; d < 2; d++) {
            check_feet(n, true, d, UT_FORMULATION_HYBRID);
            check_feet(n, false, d, UT_FORMULATION_HYBRID);
        }
    }
}

// ---- G27: kinds of bodies -----------------------------------------------------------------------

// Two rods of 1 kg and 1 m on hinges about -y, the angles a and a + b from hanging. In (a', b'):
// M = B' [4/3, c/2; c/2, 1/3] B with B = [1, 0; 1, 1], c = cos b; the tip rises with n = (sin a +
// sin(a + b), sin(a + b)).
static double tip_inertia(double a, double b, double n[2], double M[4])
{
    const double c = 0.5 * cos(b);
    M[0] = 4.0 / 3 + 2 * c + 1.0 / 3;
    M[1] = M[2] = c + 1.0 / 3;
    M[3] = 1.0 / 3;
    n[0] = sin(a) + sin(a + b);
    n[1] = sin(a + b);
    const double det = M[0] * M[3] - M[1] * M[2];
    return (M[3] * n[0] * n[0] - 2 * M[1] * n[0] * n[1] + M[0] * n[1] * n[1]) / det;
}

static int add_rod(Lab* lab, int parent, utVec3 pos)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.pos = pos;
    body.inertial = true;
    body.mass = 1.0;
    body.com = ut_vec3(0, 0, -0.5);
    body.inertia = ut_mat3_diagonal(ut_vec3(1.0 / 12, 1.0 / 12, 1e-3));
    const int index = ut_model_def_body(lab->def, &body);
    utJointDef joint = ut_joint_def(index, UT_JOINT_HINGE);
    joint.axis = ut_vec3(0, -1, 0);
    CHECK(ut_model_def_joint(lab->def, &joint) >= 0);
    return index;
}

// A body on a slide, a free one and a linkage over one floor, without friction, e = 0.5.
static Lab kinds(int detection)
{
    Lab lab = lab_open(0.001);
    lab.options.formulation = UT_FORMULATION_HYBRID;
    lab.options.detection = detection == 0 ? UT_DETECTION_LOCATED : UT_DETECTION_STEP;
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.friction = 0.0;
    floor.restitution = 0.5;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);

    const int slider = lab_body(&lab, "slider", ut_vec3(-3, 0, 0.2));
    utJointDef slide = ut_joint_def(slider, UT_JOINT_SLIDE);
    CHECK(ut_model_def_joint(lab.def, &slide) >= 0);
    lab_geom(&lab, slider, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0), 2.0, 0.0);

    lab_ball(&lab, ut_vec3(3, 0, 0.25), 0.1, 3.0, 0.0);

    const int upper = add_rod(&lab, 0, ut_vec3(0, 0, 1.9));
    const int lower = add_rod(&lab, upper, ut_vec3(0, 0, -1));
    utGeomDef tip = ut_geom_def(lower, UT_SHAPE_SPHERE, ut_vec3(0.05, 0, 0));
    tip.pos = ut_vec3(0, 0, -1);
    tip.mass = 0.0;
    tip.friction = 0.0;
    CHECK(ut_model_def_geom(lab.def, &tip) >= 0);
    ut_model_def_options(lab.def, &lab.options);
    igms_start(&lab);
    return lab;
}

TEST(G27_bodies_on_joints_free_ones_and_linkages)
{
    for (int d = 0; d < 2; d++) {
        Lab lab = kinds(d);
        const utModel* model = lab.model;
        CHECK_INT(model->ntree, 3);
        CHECK_INT(model->nv, 1 + 6 + 2);
        CHECK_INT(model->joint[0].kind, UT_JOINT_SLIDE);
        CHECK_INT(model->joint[1].kind, UT_JOINT_FREE);
        CHECK_INT(model->joint[2].kind, UT_JOINT_HINGE);
        CHECK_INT(model->body[4].parent, 3);
        const double q[] = {0, 3, 0, 0.25, 1, 0, 0, 0, 0.6, 0.5};
        lab_state(&lab, q, (double[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
        int hits[3] = {0};
        for (int k = 0; k < 700; k++) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            for (int p = 0; p < result.report.parts; p++) {
                const utStepReport* part = &result.report.part[p];
                for (int i = 0; part->instant && i < part->contacts; i++) {
                    const utContact* c = &part->contact[i];
                    const int tree = model->body[model->geom[c->geom2].body].tree;
                    const double mass[] = {2.0, 3.0};
                    const double *v = part->v, *w = part->v_next;
                    double K = tree < 2 ? 1 / mass[tree] : 0.0, n[2] = {0}, M[4];
                    double before = tree == 0 ? v[0] : v[3], after = tree == 0 ? w[0] : w[3];
                    if (tree == 2) {
                        K = tip_inertia(part->q[8], part->q[9], n, M);
                        before = n[0] * v[7] + n[1] * v[8];
                        after = n[0] * w[7] + n[1] * w[8];
                        // M (v+ - v) = n r
                        for (int j = 0; j < 2; j++) {
                            const double kick =
                                M[2 * j] * (w[7] - v[7]) + M[2 * j + 1] * (w[8] - v[8]);
                            CHECK_NEAR(kick, n[j] * c->r[0], 1e-9);
                        }
                    }
                    CHECK_NEAR(c->u_n_before, before, 1e-9);
                    CHECK_NEAR(after, -0.5 * before, 1e-9);
                    CHECK_NEAR(c->r[0], 1.5 * -before / K, 1e-9);
                    hits[tree]++;
                }
            }
        }
        CHECK(hits[0] > 0 && hits[1] > 0 && hits[2] > 0);
        lab_end(&lab);
    }
}

// ---- G36: a linkage against a wall --------------------------------------------------------------

// scenes/seeds/igms-linkage.xml: rods of 1 m at the angles q1 and q1 + q2 below the horizontal,
// balls of 0.05 m at their ends, the wall 0.1 m before the shoulder: gaps cos q1 - 0.15 of the
// elbow and cos q1 + cos(q1 + q2) - 0.15 of the tip. @return its rate under v
static double wall_rate(const double* q, const double* v, bool tip, double* gap)
{
    const double both = q[0] + q[1];
    *gap = cos(q[0]) + (tip ? cos(both) : 0.0) - 0.15;
    return -sin(q[0]) * v[0] - (tip ? sin(both) * (v[0] + v[1]) : 0.0);
}

static void check_wall(const Lab* lab, const utStepReport* part, bool located, bool smooth,
                       int* hits)
{
    for (int i = 0; part->instant && i < part->contacts; i++) {
        const utContact* c = &part->contact[i];
        const char* name = lab->model->geom[c->geom2].name;
        const bool tip = name != NULL && strcmp(name, "tip") == 0;
        double gap;
        const double before = wall_rate(part->q, part->v, tip, &gap);
        const double after = wall_rate(part->q, part->v_next, tip, &gap);
        CHECK_NEAR(c->gap, gap, 1e-9);
        CHECK(!located || fabs(gap) <= 1e-9);
        CHECK_NEAR(c->u_n_before, before, 1e-9);
        CHECK(c->rebound == 0.0 || 0.5 * -before > 0.1);
        if (smooth && part->contacts == 1) {
            CHECK_NEAR(after, -0.5 * before, 1e-9); // without friction all laws are one
        }
        hits[tip]++;
    }
}

TEST(G36_a_double_pendulum_hits_a_wall)
{
    for (int k = 0; k < 3; k++) {
        const bool located = k % 2 == 0, smooth = k / 2 == 1;
        char settings[160];
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        int hits[2] = {0};
        snprintf(settings, sizeof settings, "option.detection=%s%s", located ? "located" : "step",
                 smooth ? ";wall.friction=0;elbow.friction=0;tip.friction=0" : "");
        Lab lab = igms_scene("linkage", settings);
        utStepResult result;
        while (ut_sim_time(lab.sim) < 8.0 - 1e-9) {
            log_step(&lab, log, NULL, &result);
            for (int p = 0; p < result.report.parts; p++) {
                const utStepReport* part = &result.report.part[p];
                check_wall(&lab, part, located, smooth, hits);
                CHECK(!part->instant || part->energy_next <= part->energy + 1e-12);
            }
        }
        test_note("%s%s: elbow %d, tip %d impacts", located ? "located" : "step",
                  smooth ? ", without friction" : "", hits[0], hits[1]);
        CHECK(hits[0] > 0 && hits[1] > 0);
        // it has come to lean on the wall
        CHECK_INT(log->transition[log->transitions - 1].to, UT_MODE_STEADY);
        CHECK(result.report.contacts >= 1);
        CHECK(fabs(ut_sim_v(lab.sim)[0]) < 1e-3 && fabs(ut_sim_v(lab.sim)[1]) < 1e-3);
        lab_end(&lab);
    }
}

// With the shoulder in the wall's plane, what meets it there cannot move along it: K has no
// tangential part, and rounding says which way it slips. With impacts found once a step K is of
// rank one.
TEST(G36_a_wall_through_the_shoulder)
{
    for (int d = 0; d < 2; d++) {
        Lab lab = igms_scene("linkage", d == 0 ? "wall.pos=-0.3 0 0"
                                               : "wall.pos=-0.3 0 0;option.detection=step");
        lab_steps(&lab, 400, NULL, NULL);
        lab_end(&lab);
    }
}

// ---- X8: the block with a pendulum --------------------------------------------------------------

// Berard's block (4.3: a double pendulum on it, friction under its corners) falls 0.1 m and
// bounces. Instants never gain. Spans in which contacts hold move by v+ and not along the parabola:
// m g times g h^2/2 or so each, either way.
typedef struct Gains {
    double instant, span; // the most that one gains, J
    double rise;          // the most that energy ever rises above an earlier value
    int impacts;
} Gains;

static Gains block_gains(double h, int detection)
{
    char settings[256];
    utArena arena = test_arena();
    Log* log = log_make(&arena);
    Gains gains = {.instant = -HUGE_VAL};
    snprintf(settings, sizeof settings,
             "option.formulation=hybrid;option.impact=stronge;option.solver=auto;option.dt=%.17g;"
             "floor.restitution=0.6;C.pos=0 0.35 0;option.detection=%s",
             h, detection == 0 ? "located" : "step");
    Lab lab = igms_file("scenes/seeds/berard-4.3.xml", settings);
    double least = ut_sim_energy(lab.sim);
    while (ut_sim_time(lab.sim) < 1.5 - 1e-9) {
        utStepResult result;
        log_step(&lab, log, NULL, &result);
        for (int p = 0; p < result.report.parts; p++) {
            const utStepReport* part = &result.report.part[p];
            double* most = part->instant ? &gains.instant : &gains.span;
            *most = fmax(*most, part->energy_next - part->energy);
        }
        gains.rise = fmax(gains.rise, ut_sim_energy(lab.sim) - least);
        least = fmin(least, ut_sim_energy(lab.sim));
    }
    gains.impacts = log->impacts;
    lab_end(&lab);
    return gains;
}

TEST(X8_the_block_with_a_pendulum_gains_nothing_by_its_impacts)
{
    for (int d = 0; d < 2; d++) {
        Gains gains[2];
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 0.002 : 0.001;
            gains[k] = block_gains(h, d);
            CHECK(gains[k].impacts > 2);
            CHECK(gains[k].instant <= 1e-12);
            CHECK(gains[k].span <= 3.5 * GRAVITY * 0.5 * GRAVITY * h * h);
            test_note(
                "%s, h = %g: %d impacts, each loses %.1e J or more; spans gain %.1e J at most, "
                "energy rises by %.1e J",
                d == 0 ? "located" : "step", h, gains[k].impacts, -gains[k].instant, gains[k].span,
                gains[k].rise);
        }
        CHECK(gains[1].rise < 0.6 * gains[0].rise);
    }
}

// ---- the friction of collisions -----------------------------------------------------------------

// A box that slides on its corners along (1, 0.3). This is nearer to the first of eight directions than to
// the second one, at 22.5 degrees: as long as v_y < 0.41 v_x friction acts along x alone.
TEST(G5_several_collisions_at_once_have_the_friction_of_the_polygon)
{
    Lab lab = igms_file("scenes/seeds/dart-box.xml", "option.formulation=mirtich");
    for (int k = 0; k < 5; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
    }
    CHECK(ut_sim_v(lab.sim)[0] < 0.8);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], 0.3, 1e-12);
    lab_end(&lab);
}

// A ball touches at one point. It falls 5 cm, and its impact at 0.1 s takes mu (1 + e) v_n opposite to the
// slip, whatever the directions.
TEST(G5_a_single_collision_has_the_friction_of_the_circle)
{
    Lab lab = igms_file("scenes/seeds/igms-low.xml", "option.formulation=mirtich;"
                                                     "option.directions=4;ball.restitution=0.5");
    const double v[] = {1, 0.3, 0, 0, 0, 0};
    const double slower = 0.1 * 1.5 * sqrt(2 * GRAVITY * 0.05) / hypot(1, 0.3);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    for (int k = 0; k < 12; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 1 - slower, 1e-9);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], 0.3 * (1 - slower), 1e-9);
    lab_end(&lab);
}
