// SPDX-License-Identifier: Apache-2.0
// The parameters of Berard's examples, in the plane and in space.
#include "parameters.h"

#include <math.h>
#include <string.h>

// What differs between the examples.
typedef struct Example {
    const char* name;
    double time;
    bool space;      // a box of some depth, and other feet
    bool block;      // C
    bool rod_B;      // B is a rod, else the particle on the spring, or nothing
    double size[3];  // of C, along x, y, z
    double depth;    // of C for its moments; 0: all three are those about z
    double pivot[2]; // O in C
    double angle_A, angle_B;
    double mu[3];
    bool pushed;
    bool balls;       // ball joints instead of hinges, and four feet
    double pusher[4]; // x, way, y, z
    double belt[2];   // velocity of the floor's surface along x and z
} Example;

static const double PI = 3.14159265358979323846;

// Rods of 1 kg and 1 m, 0.5 kg and 0.8 m. About their own axis they have a hundredth of the moment
// across; no motion in a plane uses it.
static const double MASS_A = 1.0, LENGTH_A = 1.0, MASS_B = 0.5, LENGTH_B = 0.8, MASS_C = 2.0;

static utVec3 rod_moments(double mass, double length)
{
    const double across = mass * length * length / 12.0;
    return ut_vec3(across, across / 100.0, across);
}

static utVec3 block_moments(const Example* e)
{
    const double x = e->size[0] * e->size[0], y = e->size[1] * e->size[1], z = e->depth * e->depth;
    const double about_z = MASS_C * (x + y) / 12.0;
    return e->depth == 0.0 ? ut_vec3(about_z, about_z, about_z)
                           : ut_vec3(MASS_C * (y + z) / 12.0, MASS_C * (x + z) / 12.0, about_z);
}

static utVec3 down(double angle)
{
    return ut_vec3(sin(angle), -cos(angle), 0.0);
}

static utVec3 along(utVec3 from, double way, utVec3 direction)
{
    return ut_vec3_add_scaled(from, way, direction);
}

static void run_facts(Facts* f, const Example* e)
{
    const RunFacts run = {.time = e->time,
                          .dt = 0.01,
                          .gravity = {0.0, -9.81, 0.0},
                          .formulation = UT_FORMULATION_STEWART_TRINKLE,
                          .directions = e->space ? 8 : 2,
                          .solver = "lemke",
                          .coordinates = UT_COORDINATES_MAXIMAL,
                          .bounce = 0.1,
                          .impact = -1};
    facts_run(f, &run);
    fact(f, f->model->options.planar, e->space ? UT_PLANAR_NONE : UT_PLANAR_XY, "plane", "run");
}

// The floor and the block, which collide with nothing but through explicit contacts.
static void block_facts(Facts* f, const Example* e)
{
    const utVec3 half = ut_vec3(e->size[0] / 2.0, e->size[1] / 2.0, e->size[2] / 2.0);
    const utVec3 centre = ut_vec3(0.0, half.y, 0.0);
    facts_body(f, "C", MASS_C, centre, block_moments(e));
    facts_x_axis(f, "C", ut_vec3(1, 0, 0));
    facts_geom(f, "block", half, centre, ut_vec3(0, 0, 1));
    facts_material(f, "block", 1.0, 0.0, false);
    facts_plane(f, "floor", ut_vec3_zero(), ut_vec3(0, 1, 0));
    facts_material(f, "floor", 1.0, 0.0, false);
    const int floor = ut_model_find_geom(f->model, "floor");
    if (floor >= 0) {
        const utModelGeom* g = &f->model->geom[floor];
        fact_vector(f, ut_mat3_mul_vec(g->in_body.R, g->surface_velocity),
                    ut_vec3(e->belt[0], 0.0, e->belt[1]), "belt", "floor");
    }
}

static void rod_facts(Facts* f, const Example* e)
{
    const utVec3 O =
        e->block ? ut_vec3(e->pivot[0], e->size[1] / 2.0 + e->pivot[1], 0.0) : ut_vec3_zero();
    const utVec3 z = ut_vec3(0, 0, 1), end = along(O, LENGTH_A, down(e->angle_A));
    facts_body(f, "A", MASS_A, along(O, LENGTH_A / 2.0, down(e->angle_A)),
               rod_moments(MASS_A, LENGTH_A));
    facts_x_axis(f, "A", ut_vec3(cos(e->angle_A), sin(e->angle_A), 0.0));
    facts_joint(f, e->block ? "AC" : "AO", O, z, e->angle_A);
    if (e->rod_B) {
        facts_body(f, "B", MASS_B, along(end, LENGTH_B / 2.0, down(e->angle_B)),
                   rod_moments(MASS_B, LENGTH_B));
        facts_x_axis(f, "B", ut_vec3(cos(e->angle_B), sin(e->angle_B), 0.0));
        facts_joint(f, "BA", end, z, e->angle_B - e->angle_A);
        return;
    }
    // the particle, 0.6 m beyond P; in space a ball of 5 cm
    const double moment = e->space ? 0.4 * MASS_B * 0.05 * 0.05 : 0.0;
    const utVec3 particle = along(end, 0.6, down(e->angle_A));
    facts_body(f, "B", MASS_B, particle, ut_vec3(moment, moment, moment));
    facts_site(f, "P", end);
    facts_site(f, "B", particle);
    const utModelSpring* spring = f->model->spring;
    fact(f, f->model->nspring, 1.0, "number", "springs");
    fact(f, spring->site1, ut_model_find_site(f->model, "P"), "first end", "spring");
    fact(f, spring->site2, ut_model_find_site(f->model, "B"), "second end", "spring");
    fact(f, spring->stiffness, 50.0, "stiffness", "spring");
    fact(f, spring->length, 0.5, "length", "spring");
    fact(f, spring->damping, 0.2, "damping", "spring");
    fact(f, spring->full, true, "damping of the whole velocity", "spring");
}

static void pusher_facts(Facts* f, const Example* e, int contact)
{
    const double* p = e->pusher;
    facts_site(f, "pusher", ut_vec3(p[0], p[2], p[3]));
    facts_pusher(f, "pusher", p[0], p[1], p[2], p[3]);
    facts_point(f, contact, "pusher", "block", e->size[0] / 2.0, e->mu[2]);
    fact(f, f->model->point[contact].normal.x, -1.0, "face", "pusher");
}

// Feet in the order of their contacts.
typedef struct Foot {
    const char* site;
    double x, z; // signs
    int mu;
} Foot;

static void feet_facts(Facts* f, const Example* e, int feet, const Foot* foot)
{
    for (int k = 0; k < feet; k++) {
        facts_site(f, foot[k].site,
                   ut_vec3(foot[k].x * e->size[0] / 2.0, 0.0, foot[k].z * e->size[2] / 2.0));
        facts_point(f, k, foot[k].site, "floor", 0.0, e->mu[foot[k].mu]);
    }
    if (e->pushed) {
        pusher_facts(f, e, feet);
    }
}

// 4.5 in space with ball joints: rod A is turned about x by 0.5 and then about its own z by pi/4,
// rod B relative to it by -0.3 and -pi/12.
static void turned_facts(Facts* f, const Example* e)
{
    const utVec3 O = ut_vec3(e->pivot[0], e->size[1] / 2.0 + e->pivot[1], 0.0);
    const utVec3 x = ut_vec3(1, 0, 0), z = ut_vec3(0, 0, 1), rod = ut_vec3(0, -1, 0);
    const utQuat A =
        ut_quat_mul(ut_quat_from_axis_angle(x, 0.5), ut_quat_from_axis_angle(z, PI / 4.0));
    const utQuat B = ut_quat_mul(
        A, ut_quat_mul(ut_quat_from_axis_angle(x, -0.3), ut_quat_from_axis_angle(z, -PI / 12.0)));
    const utVec3 end = along(O, LENGTH_A, ut_quat_rotate(A, rod));
    facts_body(f, "pivot", MASS_A, along(O, LENGTH_A / 2.0, ut_quat_rotate(A, rod)),
               rod_moments(MASS_A, LENGTH_A));
    facts_x_axis(f, "pivot", ut_quat_rotate(A, x));
    facts_joint(f, "AC", O, z, 0.0);
    facts_body(f, "elbow", MASS_B, along(end, LENGTH_B / 2.0, ut_quat_rotate(B, rod)),
               rod_moments(MASS_B, LENGTH_B));
    facts_x_axis(f, "elbow", ut_quat_rotate(B, x));
    facts_joint(f, "BA", end, z, 0.0);
}

static void example_facts(Facts* f, const Example* e)
{
    static const Foot planar[] = {{"left", -1, 0, 0}, {"right", 1, 0, 1}};
    static const Foot three[] = {{"left", -1, 0, 0}, {"near", 1, 1, 1}, {"far", 1, -1, 1}};
    static const Foot four[] = {{"left-near", -1, 1, 0},
                                {"left-far", -1, -1, 0},
                                {"right-near", 1, 1, 1},
                                {"right-far", 1, -1, 1}};
    const bool turned = e->balls;
    const int feet = !e->block ? 0 : turned ? 4 : e->space ? 3 : 2;
    const int moving = e->block ? 3 : 2;
    const int sites = feet + (e->pushed ? 1 : 0) + (e->rod_B || turned ? 0 : 2);
    run_facts(f, e);
    facts_counts(f, 1 + moving + (e->pushed ? 1 : 0), moving, e->block ? 2 : 0, sites,
                 feet + (e->pushed ? 1 : 0));
    if (e->block) {
        block_facts(f, e);
        feet_facts(f, e, feet, turned ? four : e->space ? three : planar);
    }
    if (turned) {
        turned_facts(f, e);
    } else {
        rod_facts(f, e);
    }
}

#define BLOCK .block = true, .size = {1.0, 0.5, 0.2}, .pivot = {0.1, 0.05}
#define ANGLES .angle_A = 0.78539816339744831, .angle_B = 0.52359877559829887
#define PUSHER .pushed = true, .pusher = {-0.55, 0.25, 0.3, 0.0}

static const Example examples[] = {
    {.name = "berard-4.1", .time = 2, .rod_B = true, ANGLES},
    {.name = "berard-4.2", .time = 2, BLOCK, .rod_B = true, ANGLES},
    {.name = "berard-4.3", .time = 2, BLOCK, .rod_B = true, ANGLES, .mu = {0.1, 0.15}},
    {.name = "berard-4.4", .time = 2, BLOCK, .rod_B = true, ANGLES, .mu = {0.1, 0.15, 0.3}, PUSHER},
    {.name = "berard-4.4-tip",
     .time = 2,
     .block = true,
     .rod_B = true,
     .size = {0.3, 0.6, 0.2},
     .pivot = {0.02, 0.05},
     .angle_A = 0.3,
     .angle_B = 0.2,
     .mu = {0.6, 0.7, 0.2},
     .pushed = true,
     .pusher = {-0.17, 0.05, 0.5, 0.0}},
    {.name = "berard-4.5",
     .time = 2,
     BLOCK,
     .rod_B = true,
     ANGLES,
     .mu = {0.1, 0.15, 0.3},
     PUSHER,
     .belt = {-0.2, 0.0}},
    {.name = "berard-4.6",
     .time = 10,
     .block = true,
     .size = {1.0, 0.5, 0.2},
     ANGLES,
     .mu = {0.1, 0.15, 0.3},
     PUSHER,
     .belt = {-0.2, 0.0}},
    {.name = "berard-3d-4.5",
     .time = 2,
     .space = true,
     BLOCK,
     .depth = 0.2,
     .rod_B = true,
     ANGLES,
     .mu = {0.1, 0.15, 0.3},
     PUSHER,
     .belt = {-0.2, 0.0}},
    {.name = "berard-3d-4.6",
     .time = 10,
     .space = true,
     .block = true,
     .size = {1.0, 0.5, 0.2},
     .depth = 0.2,
     ANGLES,
     .mu = {0.1, 0.15, 0.3},
     PUSHER,
     .belt = {-0.2, 0.0}},
    {.name = "berard-3d-turned",
     .time = 2,
     .space = true,
     .balls = true,
     .block = true,
     .size = {1.0, 0.5, 0.3},
     .depth = 0.3,
     .pivot = {0.1, 0.05},
     .mu = {0.1, 0.15, 0.3},
     .pushed = true,
     .pusher = {-0.55, 0.25, 0.3, 0.05},
     .belt = {-0.2, -0.1}},
};

bool facts_of_berard(Facts* f, const char* name)
{
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        if (strcmp(examples[k].name, name) == 0) {
            example_facts(f, &examples[k]);
            return true;
        }
    }
    return false;
}
