// SPDX-License-Identifier: Apache-2.0
// The parameters of the scenes of Tan, Siu and Liu, of Pfrommer, and of Peiret, Kövecses and
// Font-Llagunes.
#include "parameters.h"

#include <math.h>
#include <string.h>

static const utVec3 up = {0.0, 0.0, 1.0};

static void settings(Facts* f, double time, utVec3 gravity, utFormulation formulation,
                     int directions, const char* solver)
{
    const RunFacts run = {.time = time,
                          .dt = 0.01,
                          .gravity = gravity,
                          .formulation = formulation,
                          .directions = directions,
                          .solver = solver,
                          .coordinates = UT_COORDINATES_GENERALIZED,
                          .bounce = 0.1,
                          .impact = -1};
    facts_run(f, &run);
}

static void floor_facts(Facts* f, const char* name, double mu, bool masks)
{
    facts_plane(f, name, ut_vec3_zero(), up);
    facts_material(f, name, mu, 0.0, masks);
}

// ---- Tan, Siu, Liu ------------------------------------------------------------------------------

static const utVec3 earth = {0.0, 0.0, -9.81};

static utVec3 box_moments(double m, double x, double y, double z)
{
    return ut_vec3(m * (y * y + z * z) / 12.0, m * (x * x + z * z) / 12.0,
                   m * (x * x + y * y) / 12.0);
}

static void box_facts(Facts* f)
{
    const utVec3 centre = ut_vec3(0, 0, 0.1);
    settings(f, 1.0, earth, UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 8, "auto");
    facts_counts(f, 2, 1, 2, 0, 0);
    facts_body(f, "box", 1.0, centre, box_moments(1.0, 0.4, 0.4, 0.2));
    facts_geom(f, "box", ut_vec3(0.2, 0.2, 0.1), centre, up);
    facts_material(f, "box", 0.5, 0.0, true);
    floor_facts(f, "floor", 0.5, true);
    facts_key(f, 0, "start", (double[]){1.0, 0.3, 0, 0, 0, 0});
}

// Figure 1(b): a slab 0.2 m thick, and on it a capsule and a ball of the same radius that touch.
static void systems_facts(Facts* f)
{
    const double r = 0.1, moment = 0.4 * 0.5 * r * r;
    settings(f, 0.5, ut_vec3_zero(), UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 8, "auto");
    facts_counts(f, 4, 3, 3, 0, 0);
    facts_body(f, "slab", 5.0, ut_vec3_zero(), box_moments(5.0, 2.0, 2.0, 0.2));
    facts_geom(f, "slab", ut_vec3(1, 1, 0.1), ut_vec3_zero(), up);
    facts_body(f, "ball", 0.5, ut_vec3(0, 2.0 * r, 0.1 + r), ut_vec3(moment, moment, moment));
    facts_geom(f, "ball", ut_vec3(r, 0, 0), ut_vec3(0, 2.0 * r, 0.1 + r), up);
    facts_geom(f, "capsule", ut_vec3(r, 0.3, 0), ut_vec3(0, 0, 0.1 + r), ut_vec3(-1, 0, 0));
    facts_material(f, "slab", 0.5, 0.0, true);
    facts_material(f, "ball", 0.5, 0.0, true);
    facts_material(f, "capsule", 0.5, 0.0, true);
    const int capsule = ut_model_find_body(f->model, "capsule");
    fact(f, capsule < 0 ? -1.0 : f->model->body[capsule].mass, 1.0, "mass", "capsule");
    const double v[18] = {[8] = -1.0, [12] = 0.3, [13] = -0.7, [14] = -0.2};
    facts_key(f, 0, "start", v);
}

// The upper link leans by 30 degrees from hanging and is 0.5 m long, so that the shoulder is
// sqrt(3)/2 above the floor when the tip, a ball of 5 cm, touches it.
static void arm_facts(Facts* f)
{
    const double drop = 0.5 * cos(atan(1.0 / sqrt(3.0))), shoulder = 2.0 * drop, tip = 0.05;
    const utVec3 elbow = ut_vec3(0.25, 0, shoulder - drop), axis = ut_vec3(0, 1, 0);
    const utVec3 low = ut_vec3(-0.2, 0, tip - elbow.z);
    const double reach = ut_vec3_norm(low);
    settings(f, 0.5, earth, UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 8, "auto");
    facts_counts(f, 3, 2, 4, 0, 0);
    facts_joint(f, "shoulder", ut_vec3(0, 0, shoulder), axis, 0.0);
    facts_joint(f, "elbow", elbow, axis, 0.0);
    facts_geom(f, "upper", ut_vec3(0.02, 0.25, 0),
               ut_vec3(elbow.x / 2.0, 0, (shoulder + elbow.z) / 2.0),
               ut_vec3(-0.5, 0, cos(atan(1.0 / sqrt(3.0)))));
    facts_geom(f, "lower", ut_vec3(0.02, reach / 2.0, 0),
               ut_vec3(elbow.x + low.x / 2.0, 0, elbow.z + low.z / 2.0),
               ut_vec3_scale(low, -1.0 / reach));
    facts_geom(f, "tip", ut_vec3(tip, 0, 0), ut_vec3_add(elbow, low), up);
    facts_material(f, "upper", 1.0, 0.0, true);
    facts_material(f, "lower", 1.0, 0.0, false);
    facts_material(f, "tip", 0.4, 0.0, true);
    floor_facts(f, "floor", 0.4, true);
    const int upper = ut_model_find_body(f->model, "upper");
    const int lower = ut_model_find_body(f->model, "lower");
    if (upper > 0 && lower > 0) {
        const double centre = elbow.x + low.x * (0.5 * 0.5 + 0.1 * 1.0) / (0.5 + 0.1);
        fact(f, f->model->body[upper].mass, 1.0, "mass", "upper");
        fact(f, f->model->body[lower].mass, 0.5 + 0.1, "mass", "lower");
        fact(f, ut_sim_body(f->sim, lower).com.x, centre, "centre of mass", "lower");
    }
    facts_key(f, 0, "start", (double[]){0.5, 0.0});
}

// Eq. 7: the elbow, a ball of 4 cm, touches the post's 6 cm, and the tip's 5 cm touch the top of the box.
static void arm_and_box_facts(Facts* f)
{
    const utVec3 axis = ut_vec3(0, 1, 0), elbow = ut_vec3(0.3, 0, 0.55), top = ut_vec3(0.2, 0, 0.2);
    const utVec3 tip = ut_vec3(top.x, 0, top.z + 0.05), box = ut_vec3(0.1, 0, 0.5 * top.z);
    static const char* const names[] = {"table", "post", "elbow", "tip", "box"};
    settings(f, 0.5, earth, UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 8, "auto");
    facts_counts(f, 4, 3, 5, 0, 0);
    facts_joint(f, "shoulder", ut_vec3(0, 0, 0.95), axis, 0.0);
    facts_joint(f, "elbow", elbow, axis, 0.0);
    facts_body(f, "arm", 1.0, ut_vec3(0.5 * elbow.x, 0, 0.5 * (0.95 + elbow.z)),
               ut_vec3(0.02, 0.02, 0.02));
    facts_body(f, "forearm", 0.5, ut_vec3(0.5 * (elbow.x + tip.x), 0, 0.5 * (elbow.z + tip.z)),
               ut_vec3(0.005, 0.005, 0.005));
    facts_body(f, "box", 2.0, box, ut_vec3(0.04, 0.08, 0.1));
    facts_geom(f, "table", ut_vec3(0.6, 0.5, 0.1), ut_vec3(box.x, 0, -0.1), up);
    facts_geom(f, "post", ut_vec3(0.06, 0, 0), ut_vec3(elbow.x + 0.06 + 0.04, 0, elbow.z), up);
    facts_geom(f, "elbow", ut_vec3(0.04, 0, 0), elbow, up);
    facts_geom(f, "tip", ut_vec3(0.05, 0, 0), tip, up);
    facts_geom(f, "box", ut_vec3(0.3, 0.2, box.z), box, up);
    for (int k = 0; k < 5; k++) {
        facts_material(f, names[k], 0.4, 0.0, true);
    }
    facts_key(f, 0, "start", (double[]){0.2, -0.1, 0.3, 0.1, 0, 0, 0, 0.2});
}

// ---- Pfrommer -----------------------------------------------------------------------------------

static void falling_facts(Facts* f)
{
    settings(f, 1.0, earth, UT_FORMULATION_STEWART_TRINKLE, 8, "lemke");
    facts_counts(f, 2, 1, 1, 1, 1);
    facts_body(f, "block", 1.0, up, ut_vec3(1, 1, 1));
    facts_joint(f, "x", up, up, 1.0);
    facts_site(f, "block", up);
    facts_point(f, 0, "block", "floor", 0.0, 0.0);
    floor_facts(f, "floor", 1.0, false);
}

static void sliding_facts(Facts* f, bool both)
{
    settings(f, 0.3, earth, UT_FORMULATION_STEWART_TRINKLE, 2, "lemke");
    fact(f, f->model->options.planar, UT_PLANAR_XZ, "plane", "run");
    facts_counts(f, 2, 1, 1, 1, 1);
    facts_body(f, "block", 1.0, ut_vec3_zero(), ut_vec3_zero());
    facts_site(f, "block", ut_vec3_zero());
    facts_point(f, 0, "block", "floor", 0.0, 0.5);
    floor_facts(f, "floor", 1.0, false);
    facts_key(f, 0, "start", (double[]){1.0, 0.0});
    if (both) {
        facts_key(f, 1, "left", (double[]){-1.0, 0.0});
    }
}

// ---- Peiret, Kövecses, Font-Llagunes ------------------------------------------------------------

static void block_facts(Facts* f)
{
    static const char* const names[] = {"x", "y", "z"};
    settings(f, 0.1, ut_vec3(6.0, 0.0, -9.81), UT_FORMULATION_PEIRET_ACCELERATION, 8, "auto");
    facts_counts(f, 2, 3, 1, 1, 1);
    facts_body(f, "block", 1.0, ut_vec3_zero(), ut_vec3(1, 1, 1));
    for (int i = 0; i < 3; i++) {
        facts_joint(f, names[i], ut_vec3_zero(), ut_vec3(i == 0, i == 1, i == 2), 0.0);
    }
    facts_site(f, "block", ut_vec3_zero());
    facts_point(f, 0, "block", "plane", 0.0, 0.5);
    floor_facts(f, "plane", 1.0, false);
}

static void rod_facts(Facts* f)
{
    const double across = 2.0 * 1.0 * 1.0 / 12.0;
    settings(f, 0.1, earth, UT_FORMULATION_PEIRET, 4, "auto");
    facts_counts(f, 2, 1, 1, 2, 2);
    facts_body(f, "rod", 2.0, ut_vec3_zero(), ut_vec3(0.001, across, across));
    facts_site(f, "left", ut_vec3(-0.5, 0, 0));
    facts_site(f, "right", ut_vec3(0.5, 0, 0));
    facts_point(f, 0, "left", "plane", 0.0, 0.5);
    facts_point(f, 1, "right", "plane", 0.0, 0.5);
    floor_facts(f, "plane", 1.0, false);
}

bool facts_of_others(Facts* f, const char* name)
{
    if (strcmp(name, "dart-box") == 0) {
        box_facts(f);
    } else if (strcmp(name, "dart-three-systems") == 0) {
        systems_facts(f);
    } else if (strcmp(name, "dart-arm") == 0) {
        arm_facts(f);
    } else if (strcmp(name, "dart-arm-box") == 0) {
        arm_and_box_facts(f);
    } else if (strcmp(name, "pfrommer-falling") == 0) {
        falling_facts(f);
    } else if (strcmp(name, "pfrommer-sliding") == 0) {
        sliding_facts(f, false);
    } else if (strcmp(name, "pfrommer-bidirectional") == 0) {
        sliding_facts(f, true);
    } else if (strcmp(name, "peiret-block") == 0) {
        block_facts(f);
    } else if (strcmp(name, "peiret-rod") == 0) {
        rod_facts(f);
    } else {
        return false;
    }
    return true;
}
