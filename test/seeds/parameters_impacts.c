// SPDX-License-Identifier: Apache-2.0
// The parameters of the scenes of Son, Trinkle and Amato.
#include "parameters.h"

#include <math.h>
#include <string.h>
#include <uptack/impact.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

// Settings that the scenes share.
static RunFacts hybrid(double time, double dt, int directions, double bounce, int impact)
{
    return (RunFacts){.time = time,
                      .dt = dt,
                      .gravity = {0.0, 0.0, -9.81},
                      .formulation = UT_FORMULATION_HYBRID,
                      .directions = directions,
                      .solver = "auto",
                      .coordinates = UT_COORDINATES_GENERALIZED,
                      .bounce = bounce,
                      .impact = impact};
}

// A ball of 1 kg and 0.1 m above the floor, moving along x.
static void ball_facts(Facts* f, double time, double height, double mu, double e, double speed)
{
    const double moment = 0.4 * 1.0 * 0.1 * 0.1;
    const utVec3 centre = ut_vec3(0, 0, height);
    const RunFacts run = hybrid(time, 0.01, 8, 0.1, -1);
    facts_run(f, &run);
    facts_counts(f, 2, 1, 2, 0, 0);
    facts_body(f, "ball", 1.0, centre, ut_vec3(moment, moment, moment));
    facts_geom(f, "ball", ut_vec3(0.1, 0, 0), centre, ut_vec3(0, 0, 1));
    facts_material(f, "ball", mu, e, true);
    facts_plane(f, "floor", ut_vec3_zero(), ut_vec3(0, 0, 1));
    facts_material(f, "floor", mu, 0.0, true);
    facts_key(f, 0, "start", (double[]){speed, 0, 0, 0, 0, 0});
}

// A uniform rod of 1 kg and 1 m in the plane xz; its other moments are not used.
static utVec3 rod_moments(void)
{
    return ut_vec3(0.05, 1.0 / 12.0, 0.05);
}

// The floor that only explicit contacts touch.
static void floor_facts(Facts* f, double mu, double e)
{
    facts_plane(f, "floor", ut_vec3_zero(), ut_vec3(0, 0, 1));
    facts_material(f, "floor", mu, e, false);
    fact(f, f->model->options.planar, UT_PLANAR_XZ, "plane", "run");
}

static void rod_facts(Facts* f)
{
    const double angle = 55.0 * DEGREE;
    const RunFacts run = hybrid(0.05, 0.001, 8, 0.1, UT_IMPACT_STRONGE);
    facts_run(f, &run);
    facts_counts(f, 2, 1, 1, 1, 1);
    facts_body(f, "rod", 1.0, ut_vec3(0, 0, 0.5 * sin(angle)), rod_moments());
    facts_site(f, "end", ut_vec3(-0.5 * cos(angle), 0, 0));
    facts_point(f, 0, "end", "floor", 0.0, 0.8);
    floor_facts(f, 0.8, 1.0);
    facts_key(f, 0, "start", (double[]){0.75, -1.0, 0.0});
}

static void kane_facts(Facts* f)
{
    const double one = 20.0 * DEGREE, two = 30.0 * DEGREE, height = cos(one) + cos(two);
    const utVec3 elbow = ut_vec3(sin(one), 0, height - cos(one)), axis = ut_vec3(0, -1, 0);
    const RunFacts run = hybrid(0.05, 0.001, 8, 0.01, UT_IMPACT_STRONGE);
    facts_run(f, &run);
    facts_counts(f, 3, 2, 1, 1, 1);
    facts_body(f, "upper", 1.0, ut_vec3(0.5 * sin(one), 0, height - 0.5 * cos(one)), rod_moments());
    facts_joint(f, "upper", ut_vec3(0, 0, height), axis, one);
    facts_body(f, "lower", 1.0, ut_vec3(elbow.x + 0.5 * sin(two), 0, 0.5 * cos(two)),
               rod_moments());
    facts_joint(f, "lower", elbow, axis, two - one);
    facts_site(f, "tip", ut_vec3(sin(one) + sin(two), 0, 0));
    facts_point(f, 0, "tip", "floor", 0.0, 0.7);
    floor_facts(f, 0.7, 0.5);
    facts_key(f, 0, "start", (double[]){-0.1, -0.2 - -0.1}); // of the lower joint, relative
}

// A rod along -x with a ball at its end, as two geoms of a body.
static void link_facts(Facts* f, const char* rod, const char* ball, double x)
{
    const double m_rod = 1.0, m_ball = 0.1, height = 2.5;
    const utVec3 end = ut_vec3(x - 1.0, 0, height);
    facts_geom(f, rod, ut_vec3(0.02, 0.5, 0), ut_vec3(x - 0.5, 0, height), ut_vec3(1, 0, 0));
    facts_geom(f, ball, ut_vec3(0.05, 0, 0), end, ut_vec3(0, 0, 1));
    facts_material(f, rod, 0.3, 0.5, false);
    facts_material(f, ball, 0.3, 0.5, true);
    const int body = ut_model_find_body(f->model, rod);
    if (body < 0) {
        fact(f, -1, 0, "body", rod);
        return;
    }
    fact(f, f->model->body[body].mass, m_rod + m_ball, "mass", rod);
    fact(f, ut_sim_body(f->sim, body).com.x, x - (0.5 * m_rod + 1.0 * m_ball) / (m_rod + m_ball),
         "centre of mass", rod);
}

static void linkage_facts(Facts* f)
{
    const RunFacts run = hybrid(8.0, 0.005, 8, 0.1, -1);
    facts_run(f, &run);
    facts_counts(f, 3, 2, 5, 0, 0);
    facts_plane(f, "wall", ut_vec3(-0.4, 0, 0), ut_vec3(-1, 0, 0));
    facts_material(f, "wall", 0.3, 0.5, true);
    facts_joint(f, "shoulder", ut_vec3(-0.3, 0, 2.5), ut_vec3(0, 1, 0), 0.0);
    facts_joint(f, "elbow", ut_vec3(-1.3, 0, 2.5), ut_vec3(0, 1, 0), 0.0);
    link_facts(f, "upper", "elbow", -0.3);
    link_facts(f, "lower", "tip", -1.3);
    for (int i = 0; i < f->model->nv; i++) {
        fact(f, f->model->dof_damping[i], 0.05, "damping", "joints");
    }
}

bool facts_of_impacts(Facts* f, const char* name)
{
    if (strcmp(name, "igms-ball") == 0) {
        ball_facts(f, 5.0, 1.1, 0.3, 0.6, 1.0);
    } else if (strcmp(name, "igms-low") == 0) {
        ball_facts(f, 2.0, 0.15, 0.1, 0.05, 3.0);
    } else if (strcmp(name, "igms-rod") == 0) {
        rod_facts(f);
    } else if (strcmp(name, "igms-kane") == 0) {
        kane_facts(f);
    } else if (strcmp(name, "igms-linkage") == 0) {
        linkage_facts(f);
    } else {
        return false;
    }
    return true;
}
