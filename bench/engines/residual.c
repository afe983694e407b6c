// SPDX-License-Identifier: Apache-2.0
// The momentum that no admissible impulse explains.
//
// Of one step, the states before and after are known, and so are the masses, gravity and the constant
// forces. With v and L the velocity of the centre of mass and the angular momentum about it,
//
//     d = ( m (v1 - v0) - h (m g + f),  L1 - L0 )
//
// is the change of momentum that contacts, hinges and servos have to explain. Every impulse that they
// may exert is a column of A; the admissible impulses p form the set K:
//
//     contact   p in the cone |p_t| <= mu p_n, at each contact point of the start and of the end
//     hinge     any force at the anchor and any moment across the axis, in the middle pose
//     servo     a moment about the axis between the least and the largest that its law gives with
//               angle and rate of the start or of the end
//
// The residual is   min over p in K of |d - A p| / |h m g|,   both norms with the inverse masses: the
// square of the norm is the sum of F^2/m + T'I^-1 T over all bodies. It is 0 for a step that some
// impulses explain and 1 for a body that stays in the air. The problem is convex. It is solved by
// accelerated projected gradients with restarts, or by conjugate gradients when there are hinges alone;
// the result is an upper bound of the minimum.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

enum { ROWS = 6, UNKNOWNS_MAX = 5 };

typedef enum BlockKind { BLOCK_CONE, BLOCK_FREE, BLOCK_RANGE } BlockKind;

// A few unknowns that act on at most two bodies.
typedef struct Block {
    BlockKind kind;
    int unknowns;
    int body[2]; // -1: none
    double A[2][ROWS][UNKNOWNS_MAX];
    double mu, low, high;
    double scale; // of its unknowns, for one step length for all blocks
    double p[UNKNOWNS_MAX], last[UNKNOWNS_MAX], ahead[UNKNOWNS_MAX];
} Block;

typedef struct Problem {
    const World* world;
    int blocks;
    Block* block;
    double* d;          // 6 per body, scaled by the inverse roots of the masses
    double* r;          // d - A p, without the part that hinges explain
    int hinge_columns;  // of Q, when hinges are taken out
    double* Q;          // an orthonormal basis of all that hinges can explain, a row per column
    const utMat3* turn; // of each body, for its principal axes
} Problem;

// ---- rows ---------------------------------------------------------------------------------------

// Force and moment on a body, in the norm of the inverse masses.
static void scaled(const WorldBody* body, utMat3 turn, utVec3 force, utVec3 moment,
                   double row[ROWS])
{
    const utVec3 m = ut_mat3_tmul_vec(turn, moment);
    const double root = sqrt(body->mass);
    row[0] = force.x / root;
    row[1] = force.y / root;
    row[2] = force.z / root;
    row[3] = m.x / sqrt(body->inertia.x);
    row[4] = m.y / sqrt(body->inertia.y);
    row[5] = m.z / sqrt(body->inertia.z);
}

static void set_column(const Problem* problem, Block* block, int side, int column, utVec3 force,
                       utVec3 moment)
{
    const int body = block->body[side];
    if (body >= 0) {
        double row[ROWS];
        scaled(&problem->world->body[body], problem->turn[body], force, moment, row);
        for (int k = 0; k < ROWS; k++) {
            block->A[side][k][column] = row[k];
        }
    }
}

// A unit force at a point: on the second body, and its opposite on the first one.
static void set_force(const Problem* problem, Block* block, int column, utVec3 direction,
                      const utVec3 arm[2])
{
    const utVec3 opposite = ut_vec3_scale(direction, -1.0);
    set_column(problem, block, 0, column, opposite, ut_vec3_cross(arm[0], opposite));
    set_column(problem, block, 1, column, direction, ut_vec3_cross(arm[1], direction));
}

static void set_moment(const Problem* problem, Block* block, int column, utVec3 axis)
{
    set_column(problem, block, 0, column, ut_vec3_zero(), ut_vec3_scale(axis, -1.0));
    set_column(problem, block, 1, column, ut_vec3_zero(), axis);
}

static void across(utVec3 n, utVec3* t1, utVec3* t2)
{
    const utVec3 other = fabs(n.x) < 0.7 ? ut_vec3(1.0, 0.0, 0.0) : ut_vec3(0.0, 1.0, 0.0);
    const utVec3 t = ut_vec3_cross(n, other);
    *t1 = ut_vec3_scale(t, 1.0 / ut_vec3_norm(t));
    *t2 = ut_vec3_cross(n, *t1);
}

// One scale for all unknowns of a block keeps its cone a cone.
static void finish(Block* block)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < ROWS && block->body[side] >= 0; k++) {
            for (int c = 0; c < block->unknowns; c++) {
                sum += block->A[side][k][c] * block->A[side][k][c];
            }
        }
    }
    block->scale = sum > 0.0 ? sqrt(block->unknowns / sum) : 1.0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < ROWS; k++) {
            for (int c = 0; c < block->unknowns; c++) {
                block->A[side][k][c] *= block->scale;
            }
        }
    }
    block->low /= block->scale;
    block->high /= block->scale;
}

static Block contact_block(const Problem* problem, const Touch* touch)
{
    Block block = {.kind = BLOCK_CONE,
                   .unknowns = touch->mu > 0.0 ? 3 : 1,
                   .body = {touch->body[0], touch->body[1]},
                   .mu = touch->mu};
    utVec3 t1, t2;
    across(touch->normal, &t1, &t2);
    set_force(problem, &block, 0, touch->normal, touch->arm);
    if (touch->mu > 0.0) {
        set_force(problem, &block, 1, t1, touch->arm);
        set_force(problem, &block, 2, t2, touch->arm);
    }
    finish(&block);
    return block;
}

// ---- hinges and servos --------------------------------------------------------------------------

static utQuat between(utQuat a, utQuat b)
{
    const double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z >= 0.0 ? 1.0 : -1.0;
    utQuat q = ut_quat(a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z);
    ut_quat_normalize(q, &q);
    return q;
}

static utVec3 hinge_axis(const WorldBody* body, utQuat quat)
{
    return ut_quat_rotate(quat, world_local_axis(body->quat, body->axis));
}

static Block hinge_block(const Problem* problem, int index, const BodyState* from,
                         const BodyState* to)
{
    const WorldBody* body = &problem->world->body[index];
    const int pair[2] = {body->parent, index};
    Block block = {.kind = BLOCK_FREE, .unknowns = 5, .body = {pair[0], pair[1]}};
    utVec3 arm[2] = {ut_vec3_zero(), ut_vec3_zero()};
    for (int side = 0; side < 2; side++) {
        if (pair[side] >= 0) {
            const WorldBody* b = &problem->world->body[pair[side]];
            const utQuat q = between(from[pair[side]].quat, to[pair[side]].quat);
            arm[side] = ut_quat_rotate(q, world_local_point(b->pos, b->quat, body->anchor));
        }
    }
    utVec3 t1, t2;
    across(hinge_axis(body, between(from[index].quat, to[index].quat)), &t1, &t2);
    set_force(problem, &block, 0, ut_vec3(1.0, 0.0, 0.0), arm);
    set_force(problem, &block, 1, ut_vec3(0.0, 1.0, 0.0), arm);
    set_force(problem, &block, 2, ut_vec3(0.0, 0.0, 1.0), arm);
    set_moment(problem, &block, 3, t1);
    set_moment(problem, &block, 4, t2);
    finish(&block);
    return block;
}

double judge_hinge_angle(const World* world, int index, const BodyState* states)
{
    const WorldBody* body = &world->body[index];
    utQuat turned = ut_quat_mul(states[index].quat, ut_quat_conjugate(body->quat));
    if (body->parent >= 0) {
        const WorldBody* p = &world->body[body->parent];
        const utQuat base = ut_quat_mul(states[body->parent].quat, ut_quat_conjugate(p->quat));
        turned = ut_quat_mul(ut_quat_conjugate(base), turned);
    }
    const double sine = ut_vec3_dot(ut_vec3(turned.x, turned.y, turned.z), body->axis);
    const double angle = 2.0 * atan2(sine, turned.w);
    const double turn = 2.0 * 3.14159265358979323846;
    return angle - turn * floor(angle / turn + 0.5);
}

static double hinge_rate(const World* world, int index, const BodyState* states)
{
    const WorldBody* body = &world->body[index];
    utVec3 w = states[index].angular;
    if (body->parent >= 0) {
        w = ut_vec3_sub(w, states[body->parent].angular);
    }
    return ut_vec3_dot(w, hinge_axis(body, states[index].quat));
}

static Block servo_block(const Problem* problem, int index, const BodyState* from,
                         const BodyState* to)
{
    const World* world = problem->world;
    const WorldBody* body = &world->body[index];
    const double spring[2] = {body->kp * (body->target - judge_hinge_angle(world, index, from)),
                              body->kp * (body->target - judge_hinge_angle(world, index, to))};
    const double damper[2] = {-body->kd * hinge_rate(world, index, from),
                              -body->kd * hinge_rate(world, index, to)};
    Block block = {.kind = BLOCK_RANGE, .unknowns = 1, .body = {body->parent, index}};
    block.low = world->dt * (fmin(spring[0], spring[1]) + fmin(damper[0], damper[1]));
    block.high = world->dt * (fmax(spring[0], spring[1]) + fmax(damper[0], damper[1]));
    set_moment(problem, &block, 0, hinge_axis(body, between(from[index].quat, to[index].quat)));
    finish(&block);
    return block;
}

// ---- the momentum to explain --------------------------------------------------------------------

static utVec3 angular_momentum(const WorldBody* body, const BodyState* s)
{
    const utVec3 w = ut_quat_rotate_inverse(s->quat, s->angular);
    return ut_quat_rotate(
        s->quat, ut_vec3(body->inertia.x * w.x, body->inertia.y * w.y, body->inertia.z * w.z));
}

static void set_momentum(const Problem* problem, const BodyState* from, const BodyState* to)
{
    const double h = problem->world->dt;
    for (int i = 0; i < problem->world->bodies; i++) {
        const WorldBody* body = &problem->world->body[i];
        const utVec3 change =
            ut_vec3_scale(ut_vec3_sub(to[i].velocity, from[i].velocity), body->mass);
        const utVec3 known = ut_vec3_add_scaled(body->push, body->mass, problem->world->gravity);
        scaled(body, problem->turn[i], ut_vec3_add_scaled(change, -h, known),
               ut_vec3_sub(angular_momentum(body, &to[i]), angular_momentum(body, &from[i])),
               problem->d + (size_t)ROWS * (size_t)i);
    }
}

// ---- the minimum --------------------------------------------------------------------------------

static void subtract_block(const Block* block, const double* p, double* r)
{
    for (int side = 0; side < 2; side++) {
        if (block->body[side] < 0) {
            continue;
        }
        double* at = r + (size_t)ROWS * (size_t)block->body[side];
        for (int k = 0; k < ROWS; k++) {
            for (int c = 0; c < block->unknowns; c++) {
                at[k] -= block->A[side][k][c] * p[c];
            }
        }
    }
}

// A' r of one block.
static void pull(const Block* block, const double* r, double* g)
{
    for (int c = 0; c < block->unknowns; c++) {
        g[c] = 0.0;
    }
    for (int side = 0; side < 2; side++) {
        if (block->body[side] < 0) {
            continue;
        }
        const double* at = r + (size_t)ROWS * (size_t)block->body[side];
        for (int k = 0; k < ROWS; k++) {
            for (int c = 0; c < block->unknowns; c++) {
                g[c] += block->A[side][k][c] * at[k];
            }
        }
    }
}

// The nearest admissible impulse.
static void project(const Block* block, double* p)
{
    if (block->kind == BLOCK_RANGE) {
        p[0] = fmin(fmax(p[0], block->low), block->high);
    } else if (block->kind == BLOCK_CONE && block->unknowns == 1) {
        p[0] = fmax(p[0], 0.0);
    } else if (block->kind == BLOCK_CONE) {
        const double mu = block->mu, t = hypot(p[1], p[2]);
        if (t <= mu * p[0]) {
            return;
        }
        // along the edge (1, mu), or the tip
        const double along = (p[0] + mu * t) / (1.0 + mu * mu);
        const double n = fmax(along, 0.0);
        const double factor = t > 0.0 ? mu * n / t : 0.0;
        p[0] = n;
        p[1] *= factor;
        p[2] *= factor;
    }
}

static double square(const double* r, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += r[i] * r[i];
    }
    return sum;
}

// x less its part along q, which has length 1.
static void remove_part(const double* q, double* x, int n)
{
    double along = 0.0;
    for (int i = 0; i < n; i++) {
        along += q[i] * x[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] -= along * q[i];
    }
}

// r = d - A x, with x the p or the point ahead of each block.
static double residual_at(const Problem* problem, bool ahead)
{
    const int rows = ROWS * problem->world->bodies;
    memcpy(problem->r, problem->d, (size_t)rows * sizeof *problem->r);
    for (int b = 0; b < problem->blocks; b++) {
        const Block* block = &problem->block[b];
        subtract_block(block, ahead ? block->ahead : block->p, problem->r);
    }
    for (int k = 0; k < problem->hinge_columns; k++) {
        remove_part(problem->Q + (size_t)k * (size_t)rows, problem->r, rows);
    }
    return square(problem->r, rows);
}

// The largest eigenvalue of A A', by powers, a little enlarged.
static double largest_eigenvalue(const Problem* problem)
{
    const int rows = ROWS * problem->world->bodies;
    double* x = malloc((size_t)rows * sizeof *x);
    double value = 1.0;
    if (x == NULL) {
        return 1e3;
    }
    for (int i = 0; i < rows; i++) {
        x[i] = 1.0 + 0.3 * ((i * 7) % 11); // not orthogonal to anything in particular
    }
    for (int round = 0; round < 30; round++) {
        const double length = sqrt(square(x, rows));
        memset(problem->r, 0, (size_t)rows * sizeof *problem->r);
        for (int b = 0; b < problem->blocks; b++) {
            double g[UNKNOWNS_MAX];
            pull(&problem->block[b], x, g);
            subtract_block(&problem->block[b], g, problem->r);
        }
        for (int i = 0; i < rows; i++) {
            x[i] = -problem->r[i] / length;
        }
        value = sqrt(square(x, rows));
    }
    free(x);
    return 1.1 * value;
}

// One projected gradient step from the points ahead. @return is the momentum against the motion?
static bool gradient_step(const Problem* problem, double step)
{
    double against = 0.0;
    for (int b = 0; b < problem->blocks; b++) {
        Block* block = &problem->block[b];
        double g[UNKNOWNS_MAX];
        pull(block, problem->r, g);
        for (int c = 0; c < block->unknowns; c++) {
            block->last[c] = block->p[c];
            block->p[c] = block->ahead[c] + step * g[c];
        }
        project(block, block->p);
        for (int c = 0; c < block->unknowns; c++) {
            against += (block->ahead[c] - block->p[c]) * (block->p[c] - block->last[c]);
        }
    }
    return against > 0.0;
}

static double motion(const Problem* problem)
{
    double sum = 0.0;
    for (int b = 0; b < problem->blocks; b++) {
        const Block* block = &problem->block[b];
        for (int c = 0; c < block->unknowns; c++) {
            const double d = block->p[c] - block->ahead[c];
            sum += d * d;
        }
    }
    return sqrt(sum);
}

// Of all unknowns by `beta` beyond their last step.
static void look_ahead(const Problem* problem, double beta)
{
    for (int b = 0; b < problem->blocks; b++) {
        Block* block = &problem->block[b];
        for (int c = 0; c < block->unknowns; c++) {
            block->ahead[c] = block->p[c] + beta * (block->p[c] - block->last[c]);
        }
    }
}

// ---- hinges alone -------------------------------------------------------------------------------

// A' r of all blocks, kept in `last`. @return the square of its length
static double pull_all(const Problem* problem)
{
    double sum = 0.0;
    for (int b = 0; b < problem->blocks; b++) {
        Block* block = &problem->block[b];
        pull(block, problem->r, block->last);
        for (int c = 0; c < block->unknowns; c++) {
            sum += block->last[c] * block->last[c];
        }
    }
    return sum;
}

// Without contacts and servos nothing is bounded, and conjugate gradients find the least squares. Long
// chains need many steps: they are as badly conditioned as the square of their length.
static double least_squares(const Problem* problem, double unit)
{
    const int rows = ROWS * problem->world->bodies, most = 20 * problem->blocks + 100;
    double* change = calloc((size_t)rows, sizeof *change);
    residual_at(problem, false);
    double gradient = pull_all(problem), before = 0.0;
    for (int k = 0; k < most && change != NULL && gradient > 1e-24 * unit * unit; k++) {
        memset(change, 0, (size_t)rows * sizeof *change);
        for (int b = 0; b < problem->blocks; b++) {
            Block* block = &problem->block[b];
            for (int c = 0; c < block->unknowns; c++) {
                const double old = before > 0.0 ? gradient / before * block->ahead[c] : 0.0;
                block->ahead[c] = block->last[c] + old;
            }
            subtract_block(block, block->ahead, change);
        }
        const double step = gradient / square(change, rows);
        for (int i = 0; i < rows; i++) {
            problem->r[i] += step * change[i]; // change is -A times the direction
        }
        before = gradient;
        gradient = pull_all(problem);
    }
    free(change);
    return sqrt(square(problem->r, rows));
}

static bool only_free(const Problem* problem)
{
    for (int b = 0; b < problem->blocks; b++) {
        if (problem->block[b].kind != BLOCK_FREE) {
            return false;
        }
    }
    return problem->blocks > 0;
}

// ---- anything -----------------------------------------------------------------------------------

// Hinges with contacts are badly conditioned: small problems take all that hinges can explain out
// beforehand, by a basis of it that is orthonormal (Gram and Schmidt, twice).
static void add_column(Problem* problem, const Block* block, int column)
{
    const int rows = ROWS * problem->world->bodies;
    double* q = problem->Q + (size_t)problem->hinge_columns * (size_t)rows;
    double unit[UNKNOWNS_MAX] = {0};
    unit[column] = 1.0;
    memset(q, 0, (size_t)rows * sizeof *q);
    subtract_block(block, unit, q);
    const double before = square(q, rows);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < problem->hinge_columns; k++) {
            remove_part(problem->Q + (size_t)k * (size_t)rows, q, rows);
        }
    }
    const double length = sqrt(square(q, rows));
    if (length * length > 1e-20 * before) {
        for (int i = 0; i < rows; i++) {
            q[i] /= length;
        }
        problem->hinge_columns++;
    }
}

enum { BODIES_MAX_DENSE = 100 };

static void take_hinges_out(Problem* problem)
{
    const size_t rows = ROWS * (size_t)problem->world->bodies;
    int hinges = 0, kept = 0;
    for (int b = 0; b < problem->blocks; b++) {
        hinges += problem->block[b].kind == BLOCK_FREE;
    }
    if (hinges == 0 || problem->world->bodies > BODIES_MAX_DENSE) {
        return;
    }
    problem->Q = malloc(UNKNOWNS_MAX * (size_t)hinges * rows * sizeof *problem->Q);
    if (problem->Q == NULL) {
        return;
    }
    for (int b = 0; b < problem->blocks; b++) {
        const Block* block = &problem->block[b];
        for (int c = 0; c < block->unknowns && block->kind == BLOCK_FREE; c++) {
            add_column(problem, block, c);
        }
        if (block->kind != BLOCK_FREE) {
            problem->block[kept++] = *block;
        }
    }
    problem->blocks = kept;
}

// Rounds of gradient steps: at the end of each the residual is looked at.
enum { ROUND = 300 };

// @return the projected gradient is 0 but for rounding
static bool run_round(const Problem* problem, double L, double* t, double unit)
{
    for (int k = 0; k < ROUND; k++) {
        residual_at(problem, true);
        const bool restart = gradient_step(problem, 1.0 / L);
        const double moved = motion(problem);
        const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * *t * *t));
        look_ahead(problem, restart ? 0.0 : (*t - 1.0) / next);
        *t = restart ? 1.0 : next;
        // L moved is the length of the projected gradient
        if (L * moved <= 1e-10 * unit) {
            return true;
        }
    }
    return false;
}

// Ends when three rounds in a row improve the square by less than a thousandth, or after so much work.
// @param unit the norm that stands for 1  @return the norm of the least residual that was found
static double minimize(Problem* problem, double unit)
{
    // blocks that are visited
    const double most_work = fmax(1e6, 2.0 * ROUND * problem->blocks);
    if (only_free(problem)) {
        return least_squares(problem, unit);
    }
    take_hinges_out(problem);
    double best = residual_at(problem, false), t = 1.0;
    if (problem->blocks == 0) {
        return sqrt(best);
    }
    const double L = largest_eigenvalue(problem);
    int idle = 0;
    for (double work = 0.0; work < most_work && idle < 3; work += (double)ROUND * problem->blocks) {
        const bool done = run_round(problem, L, &t, unit);
        const double now = residual_at(problem, false);
        idle = done ? 3 : now < 0.999 * best ? 0 : idle + 1;
        best = fmin(best, now);
    }
    return sqrt(best);
}

// ---- a step -------------------------------------------------------------------------------------

static int add_blocks(Problem* problem, const Touches* touches, const BodyState* from,
                      const BodyState* to)
{
    int count = 0;
    for (int i = 0; i < touches->count; i++) {
        problem->block[count++] = contact_block(problem, &touches->at[i]);
    }
    for (int i = 0; i < problem->world->bodies; i++) {
        if (problem->world->body[i].hinged) {
            problem->block[count++] = hinge_block(problem, i, from, to);
        }
        if (problem->world->body[i].servo) {
            problem->block[count++] = servo_block(problem, i, from, to);
        }
    }
    return count;
}

static double gravity_norm(const World* world)
{
    double mass = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        mass += world->body[i].mass;
    }
    return world->dt * ut_vec3_norm(world->gravity) * sqrt(mass);
}

double judge_residual(const World* world, const BodyState* before, const BodyState* after)
{
    const size_t bodies = (size_t)world->bodies, geoms = (size_t)world->geoms;
    Touches touches = {0};
    utFrame* at = malloc((2 * geoms + 1) * sizeof *at);
    utMat3* turn = malloc((bodies + 1) * sizeof *turn);
    double* rows = malloc((2 * ROWS * bodies + 1) * sizeof *rows);
    double result = (double)NAN;
    if (at != NULL && turn != NULL && rows != NULL) {
        judge_place(world, before, at);
        judge_place(world, after, at + geoms);
        judge_touches(world, before, at, after, at + geoms, &touches);
        for (size_t i = 0; i < bodies; i++) {
            turn[i] = ut_quat_to_mat3(before[i].quat);
        }
        const size_t most = (size_t)touches.count + 2 * bodies + 1;
        Problem problem = {.world = world,
                           .block = calloc(most, sizeof(Block)),
                           .d = rows,
                           .r = rows + ROWS * bodies,
                           .turn = turn};
        if (problem.block != NULL) {
            problem.blocks = add_blocks(&problem, &touches, before, after);
            set_momentum(&problem, before, after);
            const double unit = gravity_norm(world);
            result = minimize(&problem, unit) / unit;
        }
        free(problem.block);
        free(problem.Q);
    }
    free(touches.at);
    free(at);
    free(turn);
    free(rows);
    return result;
}
