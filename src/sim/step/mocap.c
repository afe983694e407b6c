// SPDX-License-Identifier: Apache-2.0
// Mocap bodies: their poses come from the input of a step or from a function of the time.
#include <string.h>

#include "la/scalar.h"
#include "sim/step.h"

static utVec3 pos_of(const double* mocap_pos, int m)
{
    const double* p = mocap_pos + (size_t)3 * (size_t)m;
    return ut_vec3(p[0], p[1], p[2]);
}

static utQuat quat_of(const double* mocap_quat, int m)
{
    const double* q = mocap_quat + (size_t)4 * (size_t)m;
    return ut_quat(q[0], q[1], q[2], q[3]);
}

static void write_pos(double* to, utVec3 p)
{
    memcpy(to, (const double[]){p.x, p.y, p.z}, 3 * sizeof *to);
}

static void write_quat(double* to, utQuat q)
{
    memcpy(to, (const double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *to);
}

void ut_mocap_follow(const utModel* model, double time, double* mocap_pos, double* mocap_quat,
                     utMotion* twist)
{
    for (int i = 0; i < model->nmotion; i++) {
        const size_t m = (size_t)model->body[model->motion[i].body].mocap;
        utVec3 pos;
        utQuat quat;
        utMotion velocity;
        ut_model_motion(model, i, time, &pos, &quat, &velocity);
        write_pos(mocap_pos + 3 * m, pos);
        write_quat(mocap_quat + 4 * m, quat);
        if (twist != NULL) {
            twist[m] = velocity;
        }
    }
}

void ut_mocap_move(const double* mocap_pos, const double* mocap_quat, const utMotion* twist, int m,
                   double t, double* pos, double* quat)
{
    write_pos(pos, ut_vec3_add_scaled(pos_of(mocap_pos, m), t, twist[m].linear));
    write_quat(quat, ut_quat_integrate(quat_of(mocap_quat, m), twist[m].angular, t));
}

// The twist that leads from the start pose to the next one within the step.
static utMotion find_twist(const Step* step, int m)
{
    const utVec3 p = pos_of(step->start.mocap_pos, m), p2 = pos_of(step->next.mocap_pos, m);
    const utQuat from = quat_of(step->start.mocap_quat, m), to = quat_of(step->next.mocap_quat, m);
    const utVec3 linear =
        ut_vec3((p2.x - p.x) / step->h, (p2.y - p.y) / step->h, (p2.z - p.z) / step->h);
    const utVec3 turn = ut_quat_log(ut_quat_mul(to, ut_quat_conjugate(from)));
    return ut_motion(linear, ut_vec3_scale(turn, 1.0 / step->h));
}

// A function of the time may have no finite value.
static utStatus check_motions(const Step* step, utError* err)
{
    const utModel* model = step->sim->model;
    for (int i = 0; i < model->nmotion; i++) {
        const int m = model->body[model->motion[i].body].mocap;
        const utVec3 pos = pos_of(step->next.mocap_pos, m);
        const utMotion* t = &step->input.mocap_velocity[m];
        const double all[] = {pos.x,       pos.y,        pos.z,        t->linear.x, t->linear.y,
                              t->linear.z, t->angular.x, t->angular.y, t->angular.z};
        if (!ut_all_finite(sizeof all / sizeof *all, all)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "the motion of body '%s' is not finite from t = %g s on",
                                model->body[model->motion[i].body].name, step->start.time);
        }
    }
    return UT_OK;
}

utStatus ut_step_prescribe(Step* step, const utInput* input, utError* err)
{
    const utModel* model = step->sim->model;
    SimState *start = &step->start, *next = &step->next;
    const int n = model->nmocap;
    next->mocap_pos = UT_PUSH(&step->arena, double, 3 * n);
    next->mocap_quat = UT_PUSH(&step->arena, double, 4 * n);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(next->mocap_pos, input->mocap_pos != NULL ? input->mocap_pos : start->mocap_pos,
           (size_t)(3 * n) * sizeof *next->mocap_pos);
    memcpy(next->mocap_quat, input->mocap_quat != NULL ? input->mocap_quat : start->mocap_quat,
           (size_t)(4 * n) * sizeof *next->mocap_quat);
    for (int m = 0; m < n; m++) {
        utQuat unit;
        (void)ut_quat_normalize(quat_of(next->mocap_quat, m), &unit);
        write_quat(next->mocap_quat + (size_t)4 * (size_t)m, unit);
    }
    ut_mocap_follow(model, step->end, next->mocap_pos, next->mocap_quat, NULL);
    for (int m = 0; m < n; m++) {
        step->input.mocap_velocity[m] = find_twist(step, m);
    }
    if (step->sim->settings.traits->explicit_forces) {
        // the papers of these formulations take the rate at the step's start
        ut_mocap_follow(model, start->time, start->mocap_pos, start->mocap_quat,
                        step->input.mocap_velocity);
    }
    return check_motions(step, err);
}
