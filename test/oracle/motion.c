// SPDX-License-Identifier: Apache-2.0
// Small models in several states against what MuJoCo 3.14.0 makes of them: models/NAME.xml and
// NAME.expect, which tools/mujoco-oracle.mjs makes. One test a quantity, over all models.
//
// The coordinates are the same on both sides (model.h): a free joint has the velocity of the body's
// origin in the world and the angular velocity in the body, so nothing needs to be converted.
// Constraints (contacts, limits, dry friction) are switched off:
//
//     M acceleration = force + wrenches + passive + actuator - bias
//
// Tolerance: 1e-9 of the largest entry of the quantity in its state is what we promise. Both sides
// do some hundreds of operations; accelerations lose the condition of M besides, 3e6 in
// unequal.xml. Each test notes the largest difference.
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/io.h>

static const double TOLERANCE = 1e-9;

enum { MOST = 512 }; // entries of any quantity

static const char* const names[] = {
    "free-sphere", "free-box",   "free-capsules", "free-inertials", "hinge",    "slide",
    "ball",        "universal",  "planar",        "slide-ball",     "chain",    "extrinsic",
    "branches",    "trees",      "welded",        "mocap",          "classes",  "motors",
    "servos",      "weightless", "limits",        "planes",         "clusters", "fromgeom",
    "quadruped",   "unequal",    "cylinders",     "ellipsoids",
};

enum { MODELS = sizeof names / sizeof names[0] };

// A model in one of its states, or by itself (state FIGURES_OF_MODEL: there is no q then).
typedef struct Moment {
    const char* name;
    const utModel* model;
    const Figures* figures;
    int state;
    double *q, *v;
    utForce* applied; // wrenches on the bodies
    utKinematics kin;
    utVec3 gravity;
    utArena scratch;
} Moment;

// The largest difference of a quantity, relative to its largest entry.
typedef struct Worst {
    double error;
    const char* name;
    int state;
} Worst;

typedef void Look(Moment* at, Worst* worst);

// ---- models and states --------------------------------------------------------------------------

static utModel* load_model(const char* path)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    utMjcfDef how = ut_mjcf_def();
    how.strict = true; // everything that these files say is honoured
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    if (!CHECK(ut_mjcf_load(path, &how, def, NULL, &err) == UT_OK &&
               ut_model_compile(def, NULL, &model, &err) == UT_OK)) {
        char text[700];
        ut_error_format(&err, text, sizeof text);
        test_note("%s", text);
    }
    ut_model_def_destroy(def);
    return model;
}

static double* input(const Moment* at, const char* name, int count)
{
    const Figure found = figures_find(at->figures, at->state, name);
    return CHECK_INT(found.count, count) ? found.x : NULL;
}

// Put the bodies where the state has them. @return false, with a failed check, when it cannot be
static bool enter(Moment* at)
{
    const utModel* model = at->model;
    const double* mocap_pos = input(at, "mocap_pos", 3 * model->nmocap);
    const double* mocap_quat = input(at, "mocap_quat", 4 * model->nmocap);
    const double* wrench = input(at, "wrench", 6 * model->nbody);
    at->q = input(at, "q", model->nq);
    at->v = input(at, "v", model->nv);
    at->applied = UT_PUSH(&at->scratch, utForce, model->nbody);
    if (at->q == NULL || at->v == NULL || wrench == NULL || at->applied == NULL ||
        !CHECK(ut_kinematics_create(model, &at->scratch, &at->kin) == UT_OK)) {
        return false;
    }
    for (int b = 0; b < model->nbody; b++) {
        const double* w = wrench + (size_t)6 * (size_t)b;
        at->applied[b] = ut_force(ut_vec3(w[0], w[1], w[2]), ut_vec3(w[3], w[4], w[5]));
    }
    ut_kinematics_place(&at->kin, at->q, mocap_pos, mocap_quat);
    ut_kinematics_move(&at->kin, at->v, NULL);
    return true;
}

static void look_at_model(const char* name, bool states, Look* look, Worst* worst)
{
    char path[128];
    utArena arena = test_arena();
    Figures figures;
    snprintf(path, sizeof path, "test/oracle/models/%s.xml", name);
    utModel* model = load_model(path);
    snprintf(path, sizeof path, "test/oracle/models/%s.expect", name);
    if (model != NULL &&
        CHECK(model->nv * model->nv <= MOST && 9 * model->nbody <= MOST &&
              9 * model->ngeom <= MOST) &&
        figures_read(path, &arena, &figures)) {
        Moment at = {.name = name, .model = model, .figures = &figures};
        at.gravity = model->options.gravity;
        CHECK(figures.states >= 3); // as modelled, and some more
        for (at.state = states ? 0 : FIGURES_OF_MODEL; at.state < (states ? figures.states : 0);
             at.state++) {
            at.scratch = arena;
            if (!states || enter(&at)) {
                look(&at, worst);
            }
        }
    }
    ut_model_destroy(model);
}

static void look_at_all(bool states, Look* look, const char* what)
{
    Worst worst = {.name = "any"};
    for (int i = 0; i < MODELS; i++) {
        look_at_model(names[i], states, look, &worst);
    }
    test_note("%s: largest relative difference %.1e (%s, state %d)", what, worst.error, worst.name,
              worst.state);
}

// ---- comparison ---------------------------------------------------------------------------------

static double largest_of(int count, const double* x)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    return largest;
}

static void compare_numbers(const Moment* at, const char* what, int count, const double* got,
                            const double* want, double size, Worst* worst)
{
    double error = 0.0;
    for (int i = 0; i < count; i++) {
        const double e = fabs(got[i] - want[i]);
        error = isnan(error) || e <= error ? error : e; // a NaN stays
    }
    if (!CHECK(error <= TOLERANCE * size)) {
        test_note("%s, state %d, %s: off by %.3e of %.3e", at->name, at->state, what, error, size);
    }
    if (size > 0.0 && !(error / size <= worst->error)) {
        *worst = (Worst){error / size, at->name, at->state};
    }
}

static void compare(const Moment* at, const char* what, int count, const double* got, Worst* worst)
{
    const Figure want = figures_find(at->figures, at->state, what);
    if (!CHECK_INT(count, want.count)) {
        test_note("%s, %s", at->name, what);
        return;
    }
    // what is 0 but for rounding, like a spring at rest, is measured by 1e-6: 1e-15 may differ
    const double size = fmax(largest_of(count, want.x), 1e-6);
    compare_numbers(at, what, count, got, want.x, size, worst);
}

static void put_vec3(double* to, int index, utVec3 a)
{
    to[3 * index] = a.x;
    to[3 * index + 1] = a.y;
    to[3 * index + 2] = a.z;
}

static void put_mat3(double* to, int index, utMat3 A)
{
    memcpy(to + (size_t)9 * (size_t)index, A.m, sizeof A.m);
}

// ---- masses -------------------------------------------------------------------------------------

// Centres of mass of the bodies that have one, in the body's frame or, with kin, in the world.
// @return how many
static int put_centres(const Moment* at, const utKinematics* kin, double* com)
{
    int count = 0;
    for (int b = 0; b < at->model->nbody; b++) {
        if (at->model->body[b].mass > 0.0) {
            put_vec3(com, count++, kin != NULL ? kin->com[b] : at->model->body[b].com);
        }
    }
    return count;
}

static void look_at_masses(Moment* at, Worst* worst)
{
    const utModel* model = at->model;
    const double counts[] = {model->nbody,  model->njoint, model->ngeom, model->nactuator,
                             model->nmocap, model->nq,     model->nv};
    double mass[MOST], com[MOST], inertia[MOST];
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        const double(*I)[3] = body->inertia.m;
        const double six[] = {I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]};
        mass[b] = body->mass;
        memcpy(inertia + (size_t)6 * (size_t)b, six, sizeof six);
    }
    compare(at, "counts", 7, counts, worst);
    compare(at, "mass", model->nbody, mass, worst);
    compare(at, "com", 3 * put_centres(at, NULL, com), com, worst);
    compare(at, "inertia", 6 * model->nbody, inertia, worst);
}

TEST(masses_and_inertias_are_those_of_mujoco)
{
    look_at_all(false, look_at_masses, "masses, centres and inertias");
}

// ---- kinematics ---------------------------------------------------------------------------------

static void look_at_frames(Moment* at, Worst* worst)
{
    const utModel* model = at->model;
    double pos[MOST], mat[MOST], turned[MOST], com[MOST];
    for (int b = 0; b < model->nbody; b++) {
        put_vec3(pos, b, at->kin.body[b].p);
        put_mat3(mat, b, at->kin.body[b].R);
        put_mat3(turned, b, ut_quat_to_mat3(at->kin.quat[b]));
    }
    compare(at, "body_pos", 3 * model->nbody, pos, worst);
    compare(at, "body_mat", 9 * model->nbody, mat, worst);
    compare(at, "body_mat", 9 * model->nbody, turned, worst);
    compare(at, "body_com", 3 * put_centres(at, &at->kin, com), com, worst);
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        const utFrame frame = ut_frame_mul(at->kin.body[geom->body], geom->in_body);
        put_vec3(pos, g, frame.p);
        put_mat3(mat, g, frame.R);
    }
    compare(at, "geom_pos", 3 * model->ngeom, pos, worst);
    compare(at, "geom_mat", 9 * model->ngeom, mat, worst);
}

TEST(frames_of_bodies_and_geoms_are_those_of_mujoco)
{
    look_at_all(true, look_at_frames, "frames");
}

static void look_at_velocities(Moment* at, Worst* worst)
{
    const int nbody = at->model->nbody;
    double velocity[MOST];
    for (int b = 0; b < nbody; b++) {
        put_vec3(velocity, 2 * b, ut_point_velocity(&at->kin, b, at->kin.body[b].p));
        put_vec3(velocity, 2 * b + 1, at->kin.velocity[b].angular);
    }
    compare(at, "velocity", 6 * nbody, velocity, worst);
}

TEST(velocities_of_bodies_are_those_of_mujoco)
{
    look_at_all(true, look_at_velocities, "velocities");
}

// ---- mass matrix --------------------------------------------------------------------------------

static void look_at_mass_matrix(Moment* at, Worst* worst)
{
    const utModel* model = at->model;
    const int nv = model->nv;
    double M[MOST] = {0}, block[MOST];
    utMass mass;
    CHECK(ut_mass_create(model, &at->scratch, &mass) == UT_OK);
    ut_mass_find(&mass, &at->kin, NULL);
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = &model->tree[t];
        ut_mass_block(&mass, t, block);
        for (int i = 0; i < tree->dofs; i++) {
            memcpy(M + (size_t)(tree->dof + i) * (size_t)nv + (size_t)tree->dof,
                   block + (size_t)i * (size_t)tree->dofs, (size_t)tree->dofs * sizeof *M);
        }
    }
    compare(at, "M", nv * nv, M, worst);
}

TEST(mass_matrices_are_those_of_mujoco)
{
    look_at_all(true, look_at_mass_matrix, "M");
}

// ---- forces -------------------------------------------------------------------------------------

static void look_at_bias(Moment* at, Worst* worst)
{
    double tau[MOST];
    CHECK(ut_dyn_inverse(&at->kin, NULL, at->gravity, NULL, at->scratch, tau) == UT_OK);
    compare(at, "bias", at->model->nv, tau, worst);
}

TEST(bias_forces_are_those_of_mujoco)
{
    look_at_all(true, look_at_bias, "bias");
}

static void look_at_passive(Moment* at, Worst* worst)
{
    double tau[MOST];
    ut_dyn_passive(at->model, at->q, at->v, tau);
    compare(at, "passive", at->model->nv, tau, worst);
}

TEST(springs_and_dampers_are_those_of_mujoco)
{
    look_at_all(true, look_at_passive, "passive forces");
}

static double clamp(double x, bool limited, const double range[2])
{
    return !limited ? x : x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

// The laws of model.h, explicit: a sim takes position actuators implicitly.
static void actuate(const Moment* at, double* tau)
{
    const utModel* model = at->model;
    const double* ctrl = input(at, "ctrl", model->nu);
    memset(tau, 0, (size_t)model->nv * sizeof *tau);
    for (int i = 0; i < model->nactuator && ctrl != NULL; i++) {
        const utModelActuator* a = &model->actuator[i];
        const double length = a->gear[0] * at->q[model->joint[a->joint].q];
        const double rate = a->gear[0] * at->v[a->dof];
        double force = clamp(ctrl[i], a->ctrl_limited, a->ctrl_range);
        force = a->gain[0] * force + a->bias[1] * length + a->bias[2] * rate;
        tau[a->dof] += a->gear[0] * clamp(force, a->force_limited, a->force_range);
    }
}

static void look_at_actuators(Moment* at, Worst* worst)
{
    double tau[MOST];
    actuate(at, tau);
    compare(at, "actuator", at->model->nv, tau, worst);
}

TEST(forces_of_actuators_are_those_of_mujoco)
{
    look_at_all(true, look_at_actuators, "actuators");
}

// ---- inverse and forward dynamics ---------------------------------------------------------------

static void look_at_inverse(Moment* at, Worst* worst)
{
    double tau[MOST];
    const double* a = input(at, "a", at->model->nv);
    CHECK(ut_dyn_inverse(&at->kin, a, at->gravity, NULL, at->scratch, tau) == UT_OK);
    compare(at, "inverse", at->model->nv, tau, worst);
}

TEST(inverse_dynamics_is_that_of_mujoco)
{
    look_at_all(true, look_at_inverse, "inverse dynamics");
}

// All forces on the joints, by our own functions.
static void find_forces(Moment* at, double* tau)
{
    double passive[MOST];
    const double* force = input(at, "force", at->model->nv);
    actuate(at, tau);
    ut_dyn_passive(at->model, at->q, at->v, passive);
    for (int i = 0; i < at->model->nv && force != NULL; i++) {
        tau[i] += passive[i] + force[i];
    }
}

static void look_at_acceleration(Moment* at, Worst* worst)
{
    double tau[MOST], a[MOST];
    find_forces(at, tau);
    CHECK(ut_dyn_forward(&at->kin, tau, NULL, at->gravity, at->applied, at->scratch, a) == UT_OK);
    compare(at, "acceleration", at->model->nv, a, worst);
}

TEST(accelerations_by_articulated_bodies_are_those_of_mujoco)
{
    look_at_all(true, look_at_acceleration, "accelerations by articulated bodies");
}

// a = M^-1 (tau - c), where inverse dynamics gives c less what the wrenches do.
static void look_at_factored_acceleration(Moment* at, Worst* worst)
{
    const int nv = at->model->nv;
    double tau[MOST], c[MOST];
    utMass mass;
    find_forces(at, tau);
    CHECK(ut_dyn_inverse(&at->kin, NULL, at->gravity, at->applied, at->scratch, c) == UT_OK);
    for (int i = 0; i < nv; i++) {
        tau[i] -= c[i];
    }
    CHECK(ut_mass_create(at->model, &at->scratch, &mass) == UT_OK);
    ut_mass_find(&mass, &at->kin, NULL);
    CHECK(ut_mass_factor(&mass));
    ut_mass_solve(&mass, tau);
    compare(at, "acceleration", nv, tau, worst);
}

TEST(accelerations_by_the_factor_of_the_mass_matrix_are_those_of_mujoco)
{
    look_at_all(true, look_at_factored_acceleration, "accelerations by M");
}

// ---- energy -------------------------------------------------------------------------------------

// MuJoCo counts the weight of bodies that are fixed or prescribed too.
static double potential_of_fixed(const Moment* at)
{
    double energy = 0.0;
    for (int b = 1; b < at->model->nbody; b++) {
        const utModelBody* body = &at->model->body[b];
        if (body->tree < 0) {
            energy -= body->mass * ut_vec3_dot(at->gravity, at->kin.com[b]);
        }
    }
    return energy;
}

static void look_at_energy(Moment* at, Worst* worst)
{
    const double energy[2] = {ut_dyn_potential(&at->kin, at->q, at->gravity) +
                                  potential_of_fixed(at),
                              ut_dyn_kinetic(&at->kin, at->v)};
    compare(at, "energy", 2, energy, worst);
}

TEST(energies_are_those_of_mujoco)
{
    look_at_all(true, look_at_energy, "energies");
}

// ---- coverage -----------------------------------------------------------------------------------

typedef struct Seen {
    int joint[UT_JOINT_KIND_COUNT];
    int shape[UT_SHAPE_KIND_COUNT];
    int actuator[UT_ACTUATOR_KIND_COUNT];
} Seen;

static void count_kinds(const utModel* model, Seen* seen)
{
    for (int j = 0; j < model->njoint; j++) {
        seen->joint[model->joint[j].kind]++;
    }
    for (int g = 0; g < model->ngeom; g++) {
        seen->shape[model->geom[g].shape.kind]++;
    }
    for (int a = 0; a < model->nactuator; a++) {
        seen->actuator[model->actuator[a].kind]++;
    }
}

static void check_seen(int kinds, const int* seen, const char* what)
{
    for (int i = 0; i < kinds; i++) {
        if (!CHECK(seen[i] >= 2)) {
            test_note("%s of kind %d: %d", what, i, seen[i]);
        }
    }
}

TEST(every_kind_of_joint_geom_and_actuator_is_in_two_places_at_least)
{
    Seen seen = {0};
    for (int i = 0; i < MODELS; i++) {
        char path[128];
        snprintf(path, sizeof path, "test/oracle/models/%s.xml", names[i]);
        utModel* model = load_model(path);
        if (model != NULL) {
            count_kinds(model, &seen);
        }
        ut_model_destroy(model);
    }
    CHECK(MODELS >= 20);
    // those of planar worlds, which come after them, are ours alone
    check_seen(UT_JOINT_PLANAR, seen.joint, "joints");
    // hulls, meshes and height fields, which come after them, are not read from files yet
    check_seen(UT_SHAPE_HULL, seen.shape, "geoms");
    // test/oracle/actuators.c has the other kinds
    check_seen(UT_ACTUATOR_VELOCITY, seen.actuator, "actuators");
}
