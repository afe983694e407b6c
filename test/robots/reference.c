// SPDX-License-Identifier: Apache-2.0
// Masses, frames, mass matrix, bias and passive forces and free acceleration of public models
// against MuJoCo 3.14.0, whose numbers at four states per model lie in $UPTACK_DATA/mujoco_ref.
// test/robots/exceptions.txt names what differs and why.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/load.h>

#include "exceptions.h"
#include "support/mujoco_terms.h"
#include "test.h"

// Relative to the largest entry of the vector: both engines add a few hundred products in double
// precision, and conditioning of M takes the rest of the seven digits up to 1e-16.
static const double tolerance = 1e-9;

enum { LINE = 1 << 20, LENGTH = 600 };

typedef struct Vector {
    int count;
    double* at;
} Vector;

// A quantity that may differ.
typedef struct Exception {
    char what[16];
    bool needed; // it differs in one state at least
} Exception;

enum { EXCEPTIONS = 12 };

// One file of numbers, read line by line.
typedef struct Reference {
    FILE* file;
    const char* name; // of the file, which exceptions.txt uses
    char* line;
    utModel* model;
    utArena arena; // scratch
    utKinematics kin;
    double *q, *v;
    bool* massive; // nbody: it has a centre of mass in MuJoCo
    MujocoTerms terms;
    utArena state; // what is left of the arena while `terms` is in use
    Vector found;
    Exception exception[EXCEPTIONS + 1]; // the last one stays empty
    int compared, failed, excepted;
    double worst;
} Reference;

static Vector numbers(Reference* r, const char* text)
{
    char* end;
    r->found.count = (int)strtol(text, &end, 10);
    for (int i = 0; i < r->found.count; i++) {
        r->found.at[i] = strtod(end, &end);
    }
    return r->found;
}

// Is this quantity of the file among the exceptions? Remembers whether it needs to be.
static bool excepted(Reference* r, const char* what, bool near)
{
    if (!exception_expected(r->name, what)) {
        return false;
    }
    Exception* e = r->exception;
    while (e->what[0] != 0 && strcmp(e->what, what) != 0) {
        e++;
    }
    if (CHECK(e < r->exception + EXCEPTIONS)) {
        (void)snprintf(e->what, sizeof e->what, "%s", what);
        e->needed = e->needed || !near;
    }
    return true;
}

// An exception that a mended difference leaves behind must go. @return number of exceptions
static int check_exceptions(const Reference* r)
{
    int count = 0;
    for (const Exception* e = r->exception; e->what[0] != 0; e++) {
        count++;
        if (!CHECK(e->needed)) {
            test_note("%s: %s does not differ; remove the exception", r->name, e->what);
        }
    }
    return count;
}

// Compare `count` numbers, each within the tolerance of the largest one (and of `scale`).
static void compare(Reference* r, const char* what, int count, const double* got,
                    const double* want, double scale)
{
    double error = 0.0;
    for (int i = 0; i < count; i++) {
        scale = fmax(scale, fabs(want[i]));
    }
    for (int i = 0; i < count; i++) {
        const double e = fabs(got[i] - want[i]) / (scale > 0.0 ? scale : 1.0);
        error = e <= error ? error : e; // NaN stays
    }
    const bool near = error <= tolerance;
    if (excepted(r, what, near)) {
        return;
    }
    r->compared++;
    r->worst = fmax(r->worst, error);
    if (!near) {
        r->failed++;
        test_note("%s: %s differs by %.2e", r->name, what, error);
    }
}

// ---- bodies -------------------------------------------------------------------------------------

// Invariants of a symmetric matrix, whose principal values MuJoCo gives in any order: the trace, the
// root of the trace of the square and the third root of the determinant have the unit of inertia.
static void invariants(utMat3 A, double x[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            square += A.m[i][j] * A.m[j][i];
        }
    }
    x[0] = A.m[0][0] + A.m[1][1] + A.m[2][2];
    x[1] = sqrt(square);
    x[2] = cbrt(A.m[0][0] * (A.m[1][1] * A.m[2][2] - A.m[1][2] * A.m[2][1]) -
                A.m[0][1] * (A.m[1][0] * A.m[2][2] - A.m[1][2] * A.m[2][0]) +
                A.m[0][2] * (A.m[1][0] * A.m[2][1] - A.m[1][1] * A.m[2][0]));
}

static void compare_body(Reference* r, const char* line)
{
    int index;
    double mass;
    utVec3 I, com;
    const char* at = strstr(line, " mass "); // names may have blanks
    if (!CHECK(at != NULL && sscanf(line, "body %d", &index) == 1 && index < r->model->nbody &&
               sscanf(at, " mass %lf inertia %lf %lf %lf ipos %lf %lf %lf", &mass, &I.x, &I.y, &I.z,
                      &com.x, &com.y, &com.z) == 7)) {
        return;
    }
    const utModelBody* body = &r->model->body[index];
    r->massive[index] = mass > 0.0;
    if (index >
        0) { // the world has mass 0 in MuJoCo, that of its geoms here; no force depends on it
        compare(r, "mass", 1, &body->mass, &mass, 0.0);
    }
    if (mass == 0.0) {
        return; // MuJoCo gives massless bodies a centre of their own
    }
    double got[3], want[3];
    const utMat3 D = {{{I.x, 0.0, 0.0}, {0.0, I.y, 0.0}, {0.0, 0.0, I.z}}};
    invariants(body->inertia, got);
    invariants(D, want);
    // determinants of thin bodies lose digits: compare them on the scale of the trace
    compare(r, "inertia", 3, got, want, 0.0);
    compare(r, "ipos", 3, &body->com.x, &com.x, 1e-3);
}

// ---- states -------------------------------------------------------------------------------------

static void enter(Reference* r)
{
    r->state = r->arena;
    ut_kinematics_place(&r->kin, r->q, NULL, NULL);
    ut_kinematics_move(&r->kin, r->v, NULL);
    (void)mujoco_terms(&r->kin, r->q, r->v, &r->state, &r->terms);
}

static void compare_frames(Reference* r, const char* what, const char* text)
{
    const Vector want = numbers(r, text);
    const bool rotation = strcmp(what, "xquat") == 0;
    const bool centre = strcmp(what, "xipos") == 0;
    const int n = rotation ? 4 : 3;
    utArena scratch = r->state;
    double* got = UT_PUSH(&scratch, double, want.count);
    if (!CHECK(got != NULL) || !CHECK_INT(want.count, n * r->model->nbody)) {
        return;
    }
    for (int i = 0; i < r->model->nbody; i++) {
        const utFrame at = r->kin.body[i];
        const utModelBody* body = &r->model->body[i];
        const double* w = want.at + (size_t)n * (size_t)i;
        double* g = got + (size_t)n * (size_t)i;
        if (rotation) {
            const utQuat q = ut_quat_from_mat3(at.R);
            const double sign =
                q.w * w[0] + q.x * w[1] + q.y * w[2] + q.z * w[3] < 0.0 ? -1.0 : 1.0;
            memcpy(g, (const double[]){sign * q.w, sign * q.x, sign * q.y, sign * q.z},
                   4 * sizeof *g);
        } else {
            const utVec3 p = centre ? ut_frame_point(at, body->com) : at.p;
            const bool skip = centre && !r->massive[i]; // see compare_body
            memcpy(g, skip ? w : (const double[]){p.x, p.y, p.z}, 3 * sizeof *g);
        }
    }
    compare(r, what, want.count, got, want.at, 0.1);
}

// Forces that cancel leave the rounding of their summands: a thousandth of one is the least scale.
static void compare_forces(Reference* r, const char* what, const double* got, const char* text)
{
    const Vector want = numbers(r, text);
    if (CHECK_INT(want.count, r->model->nv)) {
        compare(r, what, want.count, got, want.at, 1e-3 * r->terms.force_scale);
    }
}

static void compare_mass_matrix(Reference* r, const char* text)
{
    const Vector want = numbers(r, text);
    if (CHECK_INT(want.count, r->model->nv * r->model->nv)) {
        compare(r, "M", want.count, r->terms.M, want.at, 0.0);
    }
}

static void compare_acceleration(Reference* r, const char* text)
{
    const Vector want = numbers(r, text);
    double speed = 0.0;
    for (int i = 0; i < r->model->nv; i++) {
        speed = fmax(speed, fabs(r->v[i]));
    }
    if (CHECK_INT(want.count, r->model->nv)) {
        compare(r, "acceleration", want.count, r->terms.acceleration, want.at,
                ut_vec3_norm(r->model->options.gravity) + speed * speed);
    }
}

// Words at the beginning of a line, and what to do with the rest.
static void read_line(Reference* r)
{
    char word[32];
    int used = 0;
    if (sscanf(r->line, "%31s%n", word, &used) != 1) {
        return;
    }
    const char* rest = r->line + used;
    if (strcmp(word, "body") == 0) {
        compare_body(r, r->line);
    } else if (strcmp(word, "qpos") == 0) {
        memcpy(r->q, numbers(r, rest).at, (size_t)r->model->nq * sizeof *r->q);
    } else if (strcmp(word, "qvel") == 0) {
        memcpy(r->v, numbers(r, rest).at, (size_t)r->model->nv * sizeof *r->v);
        enter(r);
    } else if (strcmp(word, "xpos") == 0 || strcmp(word, "xquat") == 0 ||
               strcmp(word, "xipos") == 0) {
        compare_frames(r, word, rest);
    } else if (strcmp(word, "M") == 0) {
        compare_mass_matrix(r, rest);
    } else if (strcmp(word, "qfrc_bias") == 0) {
        compare_forces(r, "bias", r->terms.bias, rest);
    } else if (strcmp(word, "qfrc_passive") == 0) {
        compare_forces(r, "passive", r->terms.passive, rest);
    } else if (strcmp(word, "qacc_free") == 0) {
        compare_acceleration(r, rest);
    }
}

// ---- files --------------------------------------------------------------------------------------

static bool prepare(Reference* r)
{
    const utModel* m = r->model;
    r->q = UT_PUSH(&r->arena, double, m->nq);
    r->v = UT_PUSH(&r->arena, double, m->nv);
    r->massive = UT_PUSH(&r->arena, bool, m->nbody);
    r->found.at = UT_PUSH(&r->arena, double, LINE / 2);
    return CHECK_INT(ut_kinematics_create(m, &r->arena, &r->kin), UT_OK) &&
           CHECK(!ut_arena_failed(&r->arena));
}

// The first lines: `model PATH`, and the sizes that must be ours.
static bool read_head(Reference* r, const char* data)
{
    char name[LENGTH], path[2 * LENGTH];
    int nq, nv, nbody;
    if (!CHECK(fgets(r->line, LINE, r->file) != NULL &&
               sscanf(r->line, "model %599s", name) == 1)) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/models/%s", data, name);
    const bool loaded = ut_load(path, &r->model, NULL) == UT_OK;
    if (!excepted(r, "load", loaded) && !CHECK(loaded)) {
        test_note("%s does not load", name);
    }
    if (!loaded) {
        return false;
    }
    while (fgets(r->line, LINE, r->file) != NULL && strncmp(r->line, "sizes", 5) != 0) {
    }
    if (!CHECK(sscanf(r->line, "sizes nq %d nv %d nu %*d nbody %d", &nq, &nv, &nbody) == 3)) {
        return false;
    }
    const bool same = nq == r->model->nq && nv == r->model->nv && nbody == r->model->nbody;
    if (!excepted(r, "sizes", same) && !CHECK(same)) {
        test_note("%s: nq %d, nv %d, nbody %d, not %d, %d, %d", name, r->model->nq, r->model->nv,
                  r->model->nbody, nq, nv, nbody);
    }
    return same;
}

// @return was the model compared?
static bool compare_file(const char* data, const char* file, Reference* r)
{
    char path[2 * LENGTH];
    (void)snprintf(path, sizeof path, "%s/mujoco_ref/%s", data, file);
    *r = (Reference){.file = fopen(path, "r"), .name = file, .arena = test_arena()};
    r->line = UT_PUSH(&r->arena, char, LINE);
    bool compared = false;
    if (CHECK(r->file != NULL && r->line != NULL)) {
        compared = read_head(r, data) && prepare(r);
        while (compared && fgets(r->line, LINE, r->file) != NULL) {
            read_line(r);
        }
        (void)fclose(r->file);
    }
    ut_model_destroy(r->model);
    CHECK_INT(r->failed, 0);
    r->excepted = check_exceptions(r);
    return compared;
}

TEST(dynamics_of_public_models_are_those_of_mujoco)
{
    const char* data = getenv("UPTACK_DATA");
    char path[LENGTH];
    (void)snprintf(path, sizeof path, "%s/mujoco_ref", data != NULL ? data : "");
    DIR* dir = data != NULL ? opendir(path) : NULL;
    if (dir == NULL) {
        test_skip("UPTACK_DATA is not set or has no mujoco_ref");
        return;
    }
    int models = 0, vectors = 0, exceptions = 0;
    double worst = 0.0;
    const struct dirent* entry;
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "README.md") != 0) {
            Reference r;
            models += compare_file(data, entry->d_name, &r) ? 1 : 0;
            vectors += r.compared;
            exceptions += r.excepted;
            worst = fmax(worst, r.worst);
        }
    }
    (void)closedir(dir);
    test_note("%d models, %d vectors compared, largest difference %.1e; %d exceptions", models,
              vectors, worst, exceptions);
}
