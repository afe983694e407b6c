// SPDX-License-Identifier: Apache-2.0
// Frictional contact problems of scenes of boxes; uptack/coulomb_problems.h defines the letters and the
// layout.
//
// A row of J holds the wrenches of a unit impulse along d at point x on the two bodies:
// (-d, -(x - c_a) x d) to a, (d, (x - c_b) x d) to b.
#include "scene_builder.h"

#include "la/dense/dense.h"

#include <string.h>

enum { BODY = 6, DIMENSION = 3, MAX_BOXES = 10000 };
enum { STREAM_SCENE = 1, STREAM_FRICTION = 2 };

// ---- settings -----------------------------------------------------------------------------------

const char* ut_friction_scene_name(utFrictionScene scene)
{
    static const char* const names[UT_FRICTION_SCENE_COUNT] = {"stack", "wall",  "wedge", "grasp",
                                                               "pile",  "table", "ramp",  "chain"};
    return (int)scene >= 0 && scene < UT_FRICTION_SCENE_COUNT ? names[scene] : "unknown";
}

utFrictionDef ut_friction_def(utFrictionScene scene)
{
    return (utFrictionDef){
        .scene = scene,
        .count = 5,
        .rows = 4,
        .columns = 4,
        .size = 0.2,
        .mass = 1.0,
        .ratio = 1.0,
        .mu_min = 0.5,
        .h = 1.0 / 60.0,
        .g = 9.81,
        .pushed = -1,
        .press = 1.0,
        .fraction = 0.9,
        .balls = 1,
        .loops = 0.5,
        .cookie = UT_FRICTION_DEF_COOKIE,
    };
}

// Limits of settings that keep every product finite.
static const double MIN_SETTING = 1e-30;
static const double MAX_SETTING = 1e30;

static bool is_positive(double x)
{
    return x >= MIN_SETTING && x <= MAX_SETTING;
}

static bool is_size(double x)
{
    return x >= 0.0 && x <= MAX_SETTING;
}

static bool is_bounded(double x)
{
    return fabs(x) <= MAX_SETTING;
}

static bool counts_are_good(const utFrictionDef* def)
{
    return (int)def->scene >= 0 && def->scene < UT_FRICTION_SCENE_COUNT && def->count >= 1 &&
           def->count <= MAX_BOXES && def->rows >= 1 && def->columns >= 1 &&
           def->rows <= MAX_BOXES / def->columns && def->pushed >= -1 && def->balls >= 1 &&
           def->balls <= 3 && def->loops >= 0.0 && def->loops <= 10.0;
}

static bool def_is_good(const utFrictionDef* def)
{
    return def->cookie == UT_FRICTION_DEF_COOKIE && counts_are_good(def) &&
           is_positive(def->size) && is_positive(def->mass) && is_positive(def->ratio) &&
           is_size(def->mu_min) && is_size(def->mu_max) && def->smooth >= 0.0 &&
           def->smooth <= 1.0 && def->jitter >= 0.0 && def->jitter < 0.5 && is_size(def->gap) &&
           is_positive(def->h) && is_size(def->g) && is_bounded(def->push.x) &&
           is_bounded(def->push.y) && is_bounded(def->push.z) && is_bounded(def->press) &&
           is_size(def->fraction) && is_bounded(def->turn);
}

static utBuildCounts wall_capacity(const utFrictionDef* def)
{
    // every second course has one more brick, because it begins and ends with half bricks
    int bricks = def->rows * def->columns + def->rows / 2;
    int joints = def->columns + 2 * def->columns * (def->rows - 1);
    int sides = def->sides ? bricks - def->rows : 0;
    return (utBuildCounts){.bodies = bricks, .fixed = 1, .contacts = 4 * (joints + sides)};
}

utBuildCounts ut_build_capacity(const utFrictionDef* def)
{
    const int n = def->count;
    const int loops = (int)(def->loops * n + 0.5);
    switch (def->scene) {
    case UT_FRICTION_STACK:
        return (utBuildCounts){.bodies = n, .fixed = 1, .contacts = 4 * n};
    case UT_FRICTION_WALL:
        return wall_capacity(def);
    case UT_FRICTION_WEDGE:
        return (utBuildCounts){.bodies = n, .fixed = 2, .contacts = 4 * (n + 1)};
    case UT_FRICTION_GRASP:
        return (utBuildCounts){.bodies = n + 2, .contacts = 4 * (n + 1), .joints = 10};
    case UT_FRICTION_PILE:
        return (utBuildCounts){.bodies = n, .fixed = 1 + loops, .contacts = 4 * n + loops};
    case UT_FRICTION_TABLE:
        return (utBuildCounts){.bodies = 2, .fixed = 1, .contacts = 8};
    case UT_FRICTION_RAMP:
        return (utBuildCounts){.bodies = 1, .fixed = 1, .contacts = 4};
    case UT_FRICTION_CHAIN:
        return (utBuildCounts){
            .bodies = n, .fixed = 1, .contacts = 4 * n, .joints = 3 * def->balls * (n - 1)};
    case UT_FRICTION_SCENE_COUNT:
        break;
    }
    return (utBuildCounts){0};
}

static void build_scene(utBuild* build)
{
    static void (*const scenes[UT_FRICTION_SCENE_COUNT])(utBuild*) = {
        ut_build_stack, ut_build_wall,  ut_build_wedge, ut_build_grasp,
        ut_build_pile,  ut_build_table, ut_build_ramp,  ut_build_chain};
    scenes[build->def->scene](build);
}

// ---- the matrices -------------------------------------------------------------------------------

static void store(utVec3 a, double* to)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

// R diag(inertia) R'; each pair of symmetric entries is computed once
static utMat3 world_inertia(const utFrictionBody* body)
{
    utMat3 turned = ut_mat3_mul(body->R, ut_mat3_diagonal(body->inertia));
    utMat3 I;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            I.m[i][j] = ut_vec3_dot(ut_mat3_row(turned, i), ut_mat3_row(body->R, j));
            I.m[j][i] = I.m[i][j];
        }
    }
    return I;
}

// Write M of each body and f = M (v + h g) + impulse. @param M bodies x 6 x 6
static void fill_dynamics(const utBuild* build, double* M, double* f)
{
    const utVec3 fall = ut_vec3(0.0, 0.0, -build->def->h * build->def->g);
    memset(M, 0, (size_t)build->used.bodies * BODY * BODY * sizeof *M);
    for (int k = 0; k < build->used.bodies; k++) {
        const utFrictionBody* body = &build->bodies[k];
        const utMat3 I = world_inertia(body);
        for (size_t i = 0; i < 3; i++) {
            M[i * BODY + i] = body->mass;
            for (size_t j = 0; j < 3; j++) {
                M[(3 + i) * BODY + 3 + j] = I.m[i][j];
            }
        }
        utVec3 momentum = ut_vec3_scale(ut_vec3_add(body->v.linear, fall), body->mass);
        store(ut_vec3_add(momentum, body->impulse), f);
        store(ut_mat3_mul_vec(I, body->v.angular), f + 3);
        M += BODY * BODY;
        f += BODY;
    }
}

// Write the wrench of a unit impulse along d at point x on a body.
static void fill_arm(const utBuild* build, int body, utVec3 x, utVec3 d, double* row)
{
    store(d, row);
    store(ut_vec3_cross(ut_vec3_sub(x, build->bodies[body].center), d), row + 3);
}

// The rows of J while they are written.
typedef struct Rows {
    const utBuild* build;
    int* first; // entry behind the last group
    int* node;
    double* J; // beginning of the next block
} Rows;

// Add a group of rows: unit impulses along the directions at point x, positive on b, negative on a.
static void add_group(Rows* to, int a, int b, utVec3 x, int rows, const utVec3* direction)
{
    const int pair[2] = {a < b ? a : b, a < b ? b : a};
    int end = *to->first;
    for (int side = 0; side < 2; side++) {
        const int body = pair[side];
        if (body < 0) {
            continue;
        }
        for (int k = 0; k < rows; k++) {
            utVec3 d = body == a ? ut_vec3_negate(direction[k]) : direction[k];
            fill_arm(to->build, body, x, d, to->J);
            to->J += BODY;
        }
        to->node[end++] = body;
    }
    *++to->first = end;
}

static void fill_rows(const utBuild* build, Rows to, double* b, double* mu)
{
    *to.first = 0;
    for (int i = 0; i < build->used.contacts; i++) {
        const utFrictionContact* contact = &build->contacts[i];
        const utVec3 frame[DIMENSION] = {contact->normal, contact->tangent[0], contact->tangent[1]};
        mu[i] = contact->mu;
        add_group(&to, contact->a, contact->b, contact->point, DIMENSION, frame);
        for (int k = 0; k < DIMENSION; k++) {
            *b++ = k == 0 ? contact->gap / build->def->h : 0.0;
        }
    }
    for (int j = 0; j < build->used.joints; j++) {
        const utFrictionJoint* joint = &build->joints[j];
        add_group(&to, joint->a, joint->b, joint->point, 1, &joint->direction);
        *b++ = 0.0;
    }
}

// ---- dense --------------------------------------------------------------------------------------

// @param M dof x dof  @param J rows x dof
static void fill_dense(const utCoulombBlocks* blocks, int contacts, int joints, double* M,
                       double* J)
{
    const size_t dof = (size_t)blocks->nodes * BODY;
    const size_t rows = (size_t)contacts * DIMENSION + (size_t)joints;
    memset(M, 0, dof * dof * sizeof *M);
    memset(J, 0, rows * dof * sizeof *J);
    for (size_t i = 0; i < dof; i++) {
        memcpy(M + i * dof + i / BODY * BODY, blocks->M + i * BODY, BODY * sizeof *M);
    }
    const double* block = blocks->J;
    for (int g = 0; g < contacts + joints; g++) {
        const size_t count = g < contacts ? DIMENSION : 1;
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            double* to = J + (size_t)blocks->node[t] * BODY;
            for (size_t k = 0; k < count; k++, block += BODY) {
                memcpy(to + k * dof, block, BODY * sizeof *J);
            }
        }
        J += count * dof;
    }
}

// ---- the problem --------------------------------------------------------------------------------

// Push the arrays of a scene. @return false when there is no memory
static bool push_scene(utBuild* build, utArena* keep)
{
    build->bodies = UT_PUSH(keep, utFrictionBody, build->capacity.bodies);
    build->fixed = UT_PUSH(keep, utFrictionBody, build->capacity.fixed);
    build->contacts = UT_PUSH(keep, utFrictionContact, build->capacity.contacts);
    build->joints = UT_PUSH(keep, utFrictionJoint, build->capacity.joints);
    return !ut_arena_failed(keep);
}

// Masses and Jacobians by bodies. @return NULL when there is no memory
static const utCoulombBlocks* assemble_blocks(const utBuild* build, utArena* keep, double* f,
                                              double* b, double* mu)
{
    const size_t bodies = (size_t)build->used.bodies;
    const size_t contacts = (size_t)build->used.contacts;
    const size_t joints = (size_t)build->used.joints;
    utCoulombBlocks* blocks = UT_PUSH(keep, utCoulombBlocks, 1);
    int* start = UT_PUSH(keep, int, bodies + 1);
    double* M = UT_PUSH(keep, double, bodies* BODY* BODY);
    int* first = UT_PUSH(keep, int, contacts + joints + 1);
    int* node = UT_PUSH(keep, int, 2 * (contacts + joints));
    double* J = UT_PUSH(keep, double, 2 * BODY * (DIMENSION * contacts + joints));
    if (ut_arena_failed(keep)) {
        return NULL;
    }
    for (size_t k = 0; k <= bodies; k++) {
        start[k] = (int)k * BODY;
    }
    fill_dynamics(build, M, f);
    fill_rows(build, (Rows){build, first, node, J}, b, mu);
    *blocks = (utCoulombBlocks){(int)bodies, start, M, first, node, J};
    return blocks;
}

// Set up the matrices of a complete scene.
static utStatus assemble(const utBuild* build, utArena* keep, utFrictionProblem* problem)
{
    const int dof = build->used.bodies * BODY;
    const int rows = build->used.contacts * DIMENSION + build->used.joints;
    const bool dense = !build->def->sparse;
    double* M = dense ? ut_matrix_push(keep, dof, dof) : NULL;
    double* J = dense ? ut_matrix_push(keep, rows, dof) : NULL;
    double* f = UT_PUSH(keep, double, dof);
    double* b = UT_PUSH(keep, double, rows);
    double* mu = UT_PUSH(keep, double, build->used.contacts);
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    const utCoulombBlocks* blocks = assemble_blocks(build, keep, f, b, mu);
    if (blocks == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (dense) {
        fill_dense(blocks, build->used.contacts, build->used.joints, M, J);
    }
    *problem = (utFrictionProblem){
        .dimension = DIMENSION,
        .contacts = build->used.contacts,
        .bilaterals = build->used.joints,
        .rows = rows,
        .dof = dof,
        .M = M,
        .f = f,
        .J = J,
        .blocks = blocks,
        .b = b,
        .mu = mu,
        .h = build->def->h,
        .g = build->def->g,
        .bodies = build->used.bodies,
        .body = build->bodies,
        .fixed = build->used.fixed,
        .fixed_body = build->fixed,
        .contact = build->contacts,
        .joint = build->joints,
    };
    return UT_OK;
}

utStatus ut_friction_create(const utFrictionDef* def, utArena* keep, utFrictionProblem* problem)
{
    if (!def_is_good(def)) {
        return UT_ERR_DEF;
    }
    utBuild build = {.def = def,
                     .rng = ut_rng(def->seed, STREAM_SCENE),
                     .mu_rng = ut_rng(def->seed, STREAM_FRICTION),
                     .capacity = ut_build_capacity(def)};
    utArena rest = *keep;
    if (!push_scene(&build, &rest)) {
        return UT_ERR_CAPACITY;
    }
    build_scene(&build);
    UT_TRY(assemble(&build, &rest, problem));
    *keep = rest;
    return UT_OK;
}

utCoulomb ut_friction_blocks(const utFrictionProblem* problem, const utSection* section)
{
    return (utCoulomb){
        .dimension = problem->dimension,
        .contacts = problem->contacts,
        .bilaterals = problem->bilaterals,
        .mu = problem->mu,
        .section = section,
        .dof = problem->dof,
        .blocks = problem->blocks,
        .f = problem->f,
        .b = problem->b,
    };
}

utCoulomb ut_friction_coulomb(const utFrictionProblem* problem, const utSection* section)
{
    utCoulomb coulomb = ut_friction_blocks(problem, section);
    if (problem->M != NULL) {
        coulomb.blocks = NULL;
        coulomb.M = problem->M;
        coulomb.J = problem->J;
    }
    return coulomb;
}
