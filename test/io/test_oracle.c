// SPDX-License-Identifier: Apache-2.0
// Small models against MuJoCo 3.14.0. NAME.expect holds its numbers with 17 digits, one quantity per
// line: `body 2 mass 4.18...`; tools/mujoco-oracle.mjs writes it.
//
// Tolerance: both sides do some tens of operations, and MuJoCo takes inertias through principal
// axes and back (eigenvectors good to about 1e-15 times the spread of the moments), so 1e-12 of the
// quantity's size, or of 1 for those below, has a hundredfold to spare.
#include "load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 32 };

typedef struct Line {
    char thing[16];
    char what[16];
    int index;
    int count;
    double x[MOST];
} Line;

static bool parse_line(const char* text, const char* end, Line* line)
{
    int used = 0;
    if (sscanf(text, "%15s %d %15s%n", line->thing, &line->index, line->what, &used) != 3) {
        return false;
    }
    line->count = 0;
    for (const char* at = text + used; at < end && *at == ' ' && line->count < MOST;) {
        at = ut_number_read(at + 1, end, &line->x[line->count++]);
        if (at == NULL) {
            return false;
        }
    }
    return true;
}

static void check(const Line* line, int count, const double* got)
{
    if (!CHECK_INT(line->count, count)) {
        test_note("%s %d %s", line->thing, line->index, line->what);
        return;
    }
    for (int i = 0; i < count; i++) {
        const double size = fabs(line->x[i]) > 1.0 ? fabs(line->x[i]) : 1.0;
        if (!CHECK_NEAR(got[i], line->x[i], 1e-12 * size)) {
            test_note("%s %d %s", line->thing, line->index, line->what);
        }
    }
}

static void check_one(const Line* line, double got)
{
    check(line, 1, &got);
}

static void check_vec(const Line* line, utVec3 a)
{
    const double got[3] = {a.x, a.y, a.z};
    check(line, 3, got);
}

// q and -q are the same rotation.
static void check_quat(const Line* line, utQuat q)
{
    const double* w = line->x;
    const double sign = q.w * w[0] + q.x * w[1] + q.y * w[2] + q.z * w[3] < 0.0 ? -1.0 : 1.0;
    const double got[4] = {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
    check(line, 4, got);
}

static bool is(const Line* line, const char* what)
{
    return strcmp(line->what, what) == 0;
}

static bool check_body(const utModelBody* b, const Line* line)
{
    const double inertia[6] = {b->inertia.m[0][0], b->inertia.m[1][1], b->inertia.m[2][2],
                               b->inertia.m[0][1], b->inertia.m[0][2], b->inertia.m[1][2]};
    if (is(line, "parent")) {
        check_one(line, b->parent);
    } else if (is(line, "pos")) {
        check_vec(line, b->in_parent.p);
    } else if (is(line, "quat")) {
        check_quat(line, b->quat);
    } else if (is(line, "mass")) {
        check_one(line, b->mass);
    } else if (is(line, "com")) {
        check_vec(line, b->com);
    } else if (is(line, "inertia")) {
        check(line, 6, inertia);
    } else {
        return false;
    }
    return true;
}

static bool check_joint(const utModel* model, int index, const Line* line)
{
    static const utJointKind kinds[] = {UT_JOINT_FREE, UT_JOINT_BALL, UT_JOINT_SLIDE,
                                        UT_JOINT_HINGE}; // MuJoCo's numbers
    const utModelJoint* j = &model->joint[index];
    if (is(line, "type")) {
        CHECK(j->kind == kinds[(int)line->x[0]]);
    } else if (is(line, "pos")) {
        check_vec(line, j->pos);
    } else if (is(line, "axis")) {
        check_vec(line, j->axis);
    } else if (is(line, "range")) {
        check(line, 2, j->range);
    } else if (is(line, "ref")) {
        check_one(line, j->ref);
    } else if (is(line, "springref")) {
        check_one(line, j->springref);
    } else if (is(line, "stiffness")) {
        check_one(line, j->stiffness);
    } else if (is(line, "damping")) {
        check_one(line, model->dof_damping[j->v]);
    } else if (is(line, "armature")) {
        check_one(line, model->dof_armature[j->v]);
    } else if (is(line, "frictionloss")) {
        check_one(line, j->frictionloss);
    } else {
        return false;
    }
    return true;
}

static bool check_geom(const utModelGeom* g, const Line* line)
{
    static const utShapeKind kinds[] = {UT_SHAPE_PLANE,   UT_SHAPE_HEIGHTS,   UT_SHAPE_SPHERE,
                                        UT_SHAPE_CAPSULE, UT_SHAPE_ELLIPSOID, UT_SHAPE_CYLINDER,
                                        UT_SHAPE_BOX}; // MuJoCo's numbers
    const double masks[4] = {g->contype, g->conaffinity, g->priority, g->group};
    if (is(line, "type")) {
        CHECK(g->shape.kind == kinds[(int)line->x[0]]);
    } else if (is(line, "body")) {
        check_one(line, g->body);
    } else if (is(line, "size")) {
        // compare only the sizes that the shape uses
        static const int sizes[UT_SHAPE_KIND_COUNT] = {[UT_SHAPE_SPHERE] = 1,
                                                       [UT_SHAPE_CAPSULE] = 2,
                                                       [UT_SHAPE_BOX] = 3,
                                                       [UT_SHAPE_CYLINDER] = 2,
                                                       [UT_SHAPE_ELLIPSOID] = 3};
        Line cut = *line;
        cut.count = sizes[g->shape.kind];
        const double got[3] = {g->shape.size.x, g->shape.size.y, g->shape.size.z};
        check(&cut, cut.count, got);
    } else if (is(line, "pos")) {
        check_vec(line, g->in_body.p);
    } else if (is(line, "quat")) {
        check_quat(line, g->quat);
    } else if (is(line, "friction")) {
        check_one(line, g->friction);
    } else if (is(line, "margin")) {
        check_one(line, g->margin);
    } else if (is(line, "masks")) {
        check(line, 4, masks);
    } else {
        return false;
    }
    return true;
}

static bool check_actuator(const utModelActuator* a, const Line* line)
{
    if (is(line, "joint")) {
        check_one(line, a->joint);
    } else if (is(line, "gear")) {
        check_one(line, a->gear[0]);
    } else if (is(line, "gains")) {
        // MuJoCo's force: gain ctrl + bias1 length + bias2 velocity
        const double got[3] = {a->gain[0], a->bias[1], a->bias[2]};
        check(line, 3, got);
    } else if (is(line, "ctrlrange")) {
        check(line, 2, a->ctrl_range);
    } else if (is(line, "forcerange")) {
        check(line, 2, a->force_range);
    } else {
        return false;
    }
    return true;
}

static bool check_key(const utModel* model, int index, const Line* line)
{
    const utModelKeyframe* k = &model->keyframe[index];
    if (is(line, "time")) {
        check_one(line, k->time);
    } else if (is(line, "qpos")) {
        check(line, model->nq, k->q);
    } else if (is(line, "qvel")) {
        check(line, model->nv, k->v);
    } else if (is(line, "ctrl")) {
        check(line, model->nu, k->ctrl);
    } else if (is(line, "mpos")) {
        check(line, 3 * model->nmocap, k->mocap_pos);
    } else if (is(line, "mquat")) {
        check(line, 4 * model->nmocap, k->mocap_quat);
    } else {
        return false;
    }
    return true;
}

static bool check_line(const utModel* model, const Line* line)
{
    const int i = line->index;
    if (strcmp(line->thing, "body") == 0) {
        return i < model->nbody && check_body(&model->body[i], line);
    }
    if (strcmp(line->thing, "joint") == 0) {
        return i < model->njoint && check_joint(model, i, line);
    }
    if (strcmp(line->thing, "geom") == 0) {
        return i < model->ngeom && check_geom(&model->geom[i], line);
    }
    if (strcmp(line->thing, "actuator") == 0) {
        return i < model->nactuator && check_actuator(&model->actuator[i], line);
    }
    if (strcmp(line->thing, "key") == 0) {
        return i < model->nkeyframe && check_key(model, i, line);
    }
    if (is(line, "counts")) {
        const double counts[9] = {model->nbody,     model->njoint,    model->ngeom,
                                  model->nactuator, model->nkeyframe, model->nq,
                                  model->nv,        model->nmocap,    model->nexclude};
        check(line, 9, counts);
    } else if (is(line, "dt")) {
        check_one(line, model->options.dt);
    } else if (is(line, "gravity")) {
        check_vec(line, model->options.gravity);
    } else {
        return false;
    }
    return true;
}

static void compare(const char* name)
{
    char path[128];
    snprintf(path, sizeof path, "test/io/models/%s.xml", name);
    utModel* model = load_model(path, NULL);
    if (model == NULL) {
        return;
    }
    utArena arena = test_arena();
    utText text;
    utError err;
    snprintf(path, sizeof path, "test/io/models/%s.expect", name);
    int lines = 0;
    if (CHECK(ut_text_read(path, 0, &arena, &text, &err) == UT_OK)) {
        const char* end;
        for (const char* at = text.data; (end = strchr(at, '\n')) != NULL; at = end + 1) {
            Line line = {0};
            if (at[0] != '#') {
                CHECK(parse_line(at, end, &line) && check_line(model, &line));
                lines++;
            }
        }
    }
    CHECK(lines > 10);
    ut_model_destroy(model);
}

TEST(orientations_are_those_of_mujoco)
{
    compare("orientations");
    compare("extrinsic");
    compare("radian");
}

TEST(masses_and_inertias_are_those_of_mujoco)
{
    compare("masses");
    compare("inertials");
    compare("rounds");
}

TEST(classes_of_defaults_are_those_of_mujoco)
{
    compare("defaults");
}

TEST(what_the_compiler_does_to_masses_is_what_mujoco_does)
{
    compare("bounds");
    compare("groups");
    compare("fromgeom");
}

TEST(frames_of_aligned_free_bodies_are_those_of_mujoco)
{
    compare("align");
    compare("aligned_bounds");
}

// MuJoCo 3.14.0 gives this pose of the site `tip` in its body, in align.xml.
TEST(sites_of_an_aligned_body_stay_where_they_are)
{
    utModel* model = load_model("test/io/models/align.xml", NULL);
    if (model == NULL) {
        return;
    }
    const utModelSite* site = &model->site[0];
    const utModelBody* body = &model->body[site->body];
    const Line pos = {.count = 3,
                      .x = {0.5065384140902219, -0.2252807740120631, -0.8865909384285656}};
    const Line quat = {
        .count = 4,
        .x = {-0.11972395147909437, 0.9261072526281076, 0.22551332304415497, -0.2777323769412487}};
    check_vec(&pos, site->in_body.p);
    check_quat(&quat, site->quat);
    // in the world: the body at z = 1, the frame at (1, 1, 0) turned by 30 degrees about y
    const double c = cos(atan(1.0) * 2.0 / 3.0), s = 0.5;
    const utVec3 tip = ut_frame_point(body->in_parent, site->in_body.p);
    const Line world = {.count = 3, .x = {1.0 - 0.2 * c + s, 1.0, 1.0 + 0.2 * s + c}};
    check_vec(&world, tip);
    ut_model_destroy(model);
}

// MuJoCo leaves the anchor of an equality as it is written, so it belongs to the new frame: here the
// centre of the box, at (0.5, 0, 0) in the frame of the file.
TEST(anchors_belong_to_the_frame_of_an_aligned_body)
{
    utModel* model = read_model("<worldbody><body name='a' pos='1 2 3'><freejoint align='true'/>"
                                "<geom type='box' size='.1 .2 .3' pos='.5 0 0'/></body></worldbody>"
                                "<equality><connect body1='a' anchor='0 0 0'/></equality>",
                                NULL);
    if (model == NULL) {
        return;
    }
    const Line anchor = {.count = 3, .x = {1.5, 2.0, 3.0}};
    check_vec(&anchor, model->equality[0].in2.p);
    ut_model_destroy(model);
}

TEST(joints_actuators_and_keyframes_are_those_of_mujoco)
{
    compare("joints");
}

TEST(included_files_are_found_where_mujoco_finds_them)
{
    compare("included");
}
