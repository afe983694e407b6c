// SPDX-License-Identifier: Apache-2.0
// Reactions: the impulses that joints, fixed connections and equalities transmit in a step.
#include "internal.h"

#include <math.h>
#include <stdio.h>

#include "dyn/internal.h"

// ---- which there are ----------------------------------------------------------------------------

// Is a body of a tree held by its parent? A body with a free joint is not.
static bool is_held(const utModel* model, int body)
{
    const utModelBody* b = &model->body[body];
    if (b->tree < 0) {
        return false;
    }
    const utJointKind kind =
        b->joint >= 0 && b->joints > 0 ? model->joint[b->joint].kind : UT_JOINT_HINGE;
    return kind != UT_JOINT_FREE && kind != UT_JOINT_PLANAR && kind != UT_JOINT_PARTICLE;
}

// Visit the reactions in order. @param wanted the one to find; -1: count them
static int visit(const utModel* model, int wanted, utReaction* found)
{
    int count = 0;
    for (int b = 1; b < model->nbody; b++) {
        if (is_held(model, b) && count++ == wanted) {
            *found = (utReaction){.body = b, .equality = -1};
        }
    }
    for (int e = 0; e < model->nequality; e++) {
        if (!ut_equality_is_coupling(model->equality[e].kind) && count++ == wanted) {
            *found = (utReaction){.body = model->equality[e].body2, .equality = e};
        }
    }
    return count;
}

int ut_reaction_count(const utModel* model)
{
    return visit(model, -1, NULL);
}

utReaction ut_reaction(const utModel* model, int reaction)
{
    utReaction found = {.body = -1, .equality = -1};
    (void)visit(model, reaction, &found);
    return found;
}

const char* ut_reaction_name(const utModel* model, int reaction, char buffer[32])
{
    const utReaction r = ut_reaction(model, reaction);
    const utModelBody* body = r.body >= 0 ? &model->body[r.body] : NULL;
    const bool joint = r.equality < 0 && body != NULL && body->joints > 0;
    const char* name = r.equality >= 0 ? model->equality[r.equality].name
                       : joint         ? model->joint[body->joint].name
                       : body != NULL  ? body->name
                                       : "";
    if (name != NULL && name[0] != '\0') {
        return name;
    }
    (void)snprintf(buffer, 32, "%s%d",
                   r.equality >= 0 ? "equality"
                   : joint         ? "joint"
                                   : "body",
                   r.equality >= 0 ? r.equality
                   : joint         ? body->joint
                                   : r.body);
    return buffer;
}

// ---- one part of a step -------------------------------------------------------------------------

static utVec3 anchor_of(const utSensors* s, const utReaction* r)
{
    const utModelBody* body = &s->model->body[r->body];
    if (r->equality >= 0) {
        return ut_frame_point(s->kin.body[r->body], s->model->equality[r->equality].in2.p);
    }
    return body->joints > 0 ? s->kin.anchor[body->joint] : s->kin.body[r->body].p;
}

static void add_connection(const utSensors* s, double duration, utReaction* r)
{
    const utVec3 anchor = anchor_of(s, r);
    const utForce f =
        ut_dyn_shift_force(s->wrench[r->body], ut_vec3_sub(s->kin.com[r->body], anchor));
    r->impulse = ut_vec3_add_scaled(r->impulse, duration, f.force);
    r->torque = ut_vec3_add_scaled(r->torque, duration, f.torque);
}

// Does a row belong to an equality between bodies?
static bool is_of_equality(const utRow* row)
{
    return row->dof < 0 && row->terms == 0 && row->kind != UT_ROW_SPRING &&
           row->kind != UT_ROW_ACTUATOR;
}

static void add_rows(const utSensors* s, const utStepReport* part, utReaction* r)
{
    const utVec3 anchor = anchor_of(s, r);
    for (int i = 0; i < part->rows; i++) {
        const utRow* row = &part->row[i];
        if (!is_of_equality(row) || row->equality != r->equality) {
            continue;
        }
        const utVec3 impulse = ut_vec3_scale(row->linear, row->r);
        const utVec3 arm = ut_vec3_sub(row->point2, anchor);
        r->impulse = ut_vec3_add(r->impulse, impulse);
        r->torque = ut_vec3_add_scaled(r->torque, row->r, row->angular);
        r->torque = ut_vec3_add(r->torque, ut_vec3_cross(arm, impulse));
    }
}

static void add_part(utSensors* s, const utStepReport* part, bool first, int count,
                     utReaction* reaction)
{
    const double duration = part->instant ? 1.0 : part->h;
    ut_sensor_find_step(s, part);
    const double nan = (double)NAN;
    const utForce unknown = {{nan, nan, nan}, {nan, nan, nan}};
    for (int b = 0; part->asleep != NULL && b < s->model->nbody; b++) {
        const int tree = s->model->body[b].tree;
        if (tree >= 0 && part->asleep[tree]) {
            s->wrench[b] = unknown; // the contacts of sleeping trees are not reported
        }
    }
    for (int k = 0; k < count; k++) {
        utReaction* r = &reaction[k];
        r->point = first ? anchor_of(s, r) : r->point;
        if (r->equality >= 0) {
            add_rows(s, part, r);
        } else {
            add_connection(s, duration, r);
        }
    }
}

void ut_reactions(utSensors* sensors, const utStepReport* step, utReaction* reaction)
{
    const int count = ut_reaction_count(sensors->model);
    for (int k = 0; k < count; k++) {
        reaction[k] = ut_reaction(sensors->model, k);
    }
    for (int k = 0; k < step->parts; k++) {
        add_part(sensors, &step->part[k], k == 0, count, reaction);
    }
    if (step->parts == 0) {
        add_part(sensors, step, true, count, reaction);
    }
}
