// SPDX-License-Identifier: Apache-2.0
// Robots that other people wrote against MuJoCo 3.14.0: masses, frames, inertias, joints, shapes and the
// mass matrix. models/urdf_mujoco.txt has its numbers with 12 digits, so that 1e-11 of a number's size
// remains of the comparison; inertias pass through principal axes on both sides, which costs no more.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/load.h>

enum { MOST = 64 };

typedef struct Line {
    char kind[8];
    char name[256];
    int count;
    double x[MOST];
} Line;

// The robot that lines are compared with.
typedef struct Robot {
    char path[512];
    utModel* model;
    utKinematics kin;
    utMass mass;
    double* q;
    int joints, geoms, rows; // lines so far
    int numbers;             // compared
} Robot;

static bool parse_line(const char* at, const char* end, Line* line)
{
    int used = 0;
    *line = (Line){0};
    if (sscanf(at, "%7s%n", line->kind, &used) != 1) {
        return false;
    }
    at += used;
    if (strchr("bjr", line->kind[0]) != NULL) {
        if (sscanf(at, " %255s%n", line->name, &used) != 1) {
            return false;
        }
        at += used;
    }
    while (at < end && *at == ' ' && line->count < MOST) {
        at = ut_number_read(at + 1, end, &line->x[line->count++]);
        if (at == NULL) {
            return false;
        }
    }
    return at == end;
}

static void compare(Robot* r, const Line* line, int count, const double* got)
{
    if (!CHECK_INT(line->count, count)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        const double size = fabs(line->x[i]) > 1.0 ? fabs(line->x[i]) : 1.0;
        if (!CHECK_NEAR(got[i], line->x[i], 1e-11 * size)) {
            test_note("%s: %s %s, number %d", r->path, line->kind, line->name, i);
        }
        r->numbers++;
    }
}

static void compare_body(Robot* r, const Line* line)
{
    const int b = ut_model_find_body(r->model, line->name);
    if (!CHECK(b > 0)) {
        return;
    }
    const utModelBody* body = &r->model->body[b];
    const utFrame at = r->kin.body[b];
    const utVec3 com = ut_frame_point(at, body->com);
    const utMat3 I = ut_mat3_mul(ut_mat3_mul(at.R, body->inertia), ut_mat3_transpose(at.R));
    const double got[] = {body->mass, at.p.x,    at.p.y,    at.p.z,    com.x,     com.y,    com.z,
                          I.m[0][0],  I.m[1][1], I.m[2][2], I.m[0][1], I.m[0][2], I.m[1][2]};
    compare(r, line, 13, got);
}

static void compare_joint(Robot* r, const Line* line)
{
    const int j = ut_model_find_joint(r->model, line->name);
    if (!CHECK_INT(j, r->joints++)) {
        return;
    }
    const utModelJoint* joint = &r->model->joint[j];
    const utFrame at = r->kin.body[joint->body];
    const utVec3 anchor = ut_frame_point(at, joint->pos);
    const utVec3 axis = ut_mat3_mul_vec(at.R, joint->axis);
    const double got[] = {joint->kind == UT_JOINT_SLIDE ? 2 : 3,
                          anchor.x,
                          anchor.y,
                          anchor.z,
                          axis.x,
                          axis.y,
                          axis.z,
                          joint->range[0],
                          joint->range[1],
                          joint->damping,
                          joint->frictionloss};
    compare(r, line, 11, got);
    CHECK_INT(joint->limited, joint->range[0] < joint->range[1]);
}

static void compare_geom(Robot* r, const Line* line)
{
    static const int kinds[] = {
        [UT_SHAPE_SPHERE] = 2, [UT_SHAPE_CAPSULE] = 3, [UT_SHAPE_CYLINDER] = 5, [UT_SHAPE_BOX] = 6};
    if (!CHECK(r->geoms < r->model->ngeom)) {
        return;
    }
    const utModelGeom* g = &r->model->geom[r->geoms];
    const utVec3 p = ut_geom_frame(&r->kin, r->geoms).p;
    const utVec3 size = g->shape.size;
    const double got[] = {kinds[g->shape.kind], p.x, p.y, p.z, size.x, size.y, size.z};
    r->geoms++;
    compare(r, line, 7, got);
}

static void compare_row(Robot* r, const Line* line)
{
    if (r->rows == 0) {
        for (int i = 0; i < r->model->nq; i++) {
            r->q[i] = 0.1 * (i * 7 % 11 - 5);
        }
        ut_kinematics_place(&r->kin, r->q, NULL, NULL);
        ut_mass_find(&r->mass, &r->kin, NULL);
    }
    double row[MOST] = {0.0};
    const int i = r->rows++;
    if (!CHECK(i < r->model->nv)) {
        return;
    }
    for (int k = r->mass.start[i]; k < r->mass.start[i + 1]; k++) {
        row[r->mass.column[k]] = r->mass.M[k];
    }
    compare(r, line, i + 1, row);
}

static bool open_robot(const char* data, const Line* line, utArena* arena, Robot* r)
{
    utError err = {0};
    *r = (Robot){.numbers = r->numbers};
    snprintf(r->path, sizeof r->path, "%s/urdf/%s", data, line->name);
    if (!CHECK(ut_load(r->path, &r->model, &err) == UT_OK)) {
        test_note("%s", err.message);
        return false;
    }
    r->q = UT_PUSH(arena, double, r->model->nq);
    memset(r->q, 0, (size_t)r->model->nq * sizeof *r->q);
    CHECK(ut_kinematics_create(r->model, arena, &r->kin) == UT_OK);
    CHECK(ut_mass_create(r->model, arena, &r->mass) == UT_OK);
    ut_kinematics_place(&r->kin, r->q, NULL, NULL);
    return true;
}

static void close_robot(Robot* r)
{
    if (r->model != NULL) {
        CHECK_INT(r->joints, r->model->njoint);
        CHECK_INT(r->rows, r->model->nv);
        ut_model_destroy(r->model);
        r->model = NULL;
    }
}

TEST(robots_have_the_masses_frames_and_mass_matrices_of_mujoco)
{
    const char* data = getenv("UPTACK_DATA");
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public robots");
        return;
    }
    utArena arena = test_arena();
    utText text;
    utError err;
    if (!CHECK(ut_text_read("test/io/models/urdf_mujoco.txt", 0, &arena, &text, &err) == UT_OK)) {
        return;
    }
    Robot r = {0};
    int robots = 0;
    const char* end;
    for (const char* at = text.data; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        static const struct {
            const char* kind;
            void (*compare)(Robot*, const Line*);
        } kinds[] = {{"body", compare_body},
                     {"joint", compare_joint},
                     {"geom", compare_geom},
                     {"M", compare_row}};
        Line line;
        if (*at == '#') {
            continue;
        }
        if (!CHECK(parse_line(at, end, &line))) {
            break;
        }
        if (strcmp(line.kind, "robot") == 0) {
            close_robot(&r);
            robots += open_robot(data, &line, &arena, &r);
        }
        for (size_t k = 0; r.model != NULL && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(line.kind, kinds[k].kind) == 0) {
                kinds[k].compare(&r, &line);
            }
        }
    }
    close_robot(&r);
    CHECK_INT(robots, 10);
    test_note("%d robots, %d numbers", robots, r.numbers);
}
