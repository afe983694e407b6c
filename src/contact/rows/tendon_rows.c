// SPDX-License-Identifier: Apache-2.0
// Rows of tendons: limits of the length, dry friction, and springs with dampers and armature, which
// are linearly implicit. At the length L and its rate u0 at the start, with the forces F of the
// spring and G of the damper, K and D of ut_tendon_spring and ut_tendon_damper, they act with the
// impulse
//
//     r = h (F - h K u + G - D (u - u0)) - A (u - u0 + h c)
//
// where c is the rate of u0 for a = 0. As a compliant row:
//
//     u + r / S - (h (F + G + D u0) + A (u0 - h c)) / S = 0,    S = A + h D + h^2 K
//
// Rows are multiplied by the tendon's unit, so that their velocities are in m/s.
#include "contact/contact.h"

// A tendon at the step's start.
typedef struct Tendon {
    const utModelTendon* model;
    int index;
    double length;
    double mocap_rate;         // of the length
    const double* coefficient; // terms
} Tendon;

static double rate_under(const Tendon* tendon, const double* v)
{
    double rate = tendon->mocap_rate;
    for (int k = 0; k < tendon->model->terms; k++) {
        rate += tendon->coefficient[k] * v[tendon->model->index[k]];
    }
    return rate;
}

static utRow blank_row(const Tendon* tendon, utRowKind kind)
{
    return (utRow){
        .kind = kind,
        .joint = -1,
        .actuator = -1,
        .dof = -1,
        .length = tendon->model->unit,
        .equality = tendon->index,
        .terms = tendon->model->terms,
        .index = tendon->model->index,
        .coefficient = tendon->coefficient,
        .island = -1,
        .b = tendon->model->unit * tendon->mocap_rate,
        .low = -HUGE_VAL,
        .high = HUGE_VAL,
    };
}

// ---- limits and dry friction --------------------------------------------------------------------

// May the gap of a limit close within the step, under any velocity seen so far?
static bool may_close(const ContactScene* scene, const Tendon* tendon, double gap)
{
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    double* fastest = &scene->bounds.tendon_speed[tendon->index];
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        *fastest = fmax(*fastest, fabs(rate_under(tendon, velocities[k])));
    }
    const double unit = tendon->model->unit;
    return !(gap * unit > 2.0 * scene->h * *fastest * unit + UT_CONTACT_SLACK);
}

static double gap_velocity(const ContactScene* scene, double gap)
{
    const double counted = gap > 0.0 || scene->formulation->gap == UT_GAP_SIGNED ? gap : 0.0;
    return scene->h > 0.0 ? counted / scene->h : 0.0;
}

static utStatus limit_rows(const ContactScene* scene, const Tendon* tendon, utArena* arena,
                           utRow* row, int* count)
{
    const utModelTendon* model = tendon->model;
    const double gaps[2] = {tendon->length - model->range[0], model->range[1] - tendon->length};
    for (int side = 0; side < 2; side++) {
        if (!may_close(scene, tendon, gaps[side])) {
            continue;
        }
        utRow limit = blank_row(tendon, side == 0 ? UT_ROW_TENDON_LOWER : UT_ROW_TENDON_UPPER);
        if (side == 1) {
            double* negative = UT_PUSH(arena, double, model->terms);
            if (negative == NULL) {
                return UT_ERR_CAPACITY;
            }
            for (int k = 0; k < model->terms; k++) {
                negative[k] = -tendon->coefficient[k];
            }
            limit.coefficient = negative;
            limit.b = -limit.b;
        }
        limit.low = 0.0;
        limit.gap = gaps[side];
        limit.b += model->unit * gap_velocity(scene, gaps[side]);
        row[(*count)++] = limit;
    }
    return UT_OK;
}

static utRow friction_row(const ContactScene* scene, const Tendon* tendon)
{
    utRow row = blank_row(tendon, UT_ROW_TENDON_FRICTION);
    row.high = scene->h * tendon->model->frictionloss / tendon->model->unit;
    row.low = -row.high;
    return row;
}

// ---- springs ------------------------------------------------------------------------------------

// @return 0 when nothing acts
static int spring_row(const ContactScene* scene, const Tendon* tendon, bool springs, utRow* row)
{
    const utModelTendon* model = tendon->model;
    const double h = scene->h, A = model->armature;
    const double u0 = rate_under(tendon, scene->v);
    double F = 0.0, G = 0.0, K = 0.0, D = 0.0;
    if (springs) {
        F = ut_tendon_spring(model, tendon->length, &K);
        G = ut_tendon_damper(model, u0, &D);
    }
    const double S = A + h * D + h * h * K;
    if (!(S > 0.0)) {
        return 0;
    }
    const double c = A > 0.0 ? ut_tendon_bias(scene->kin, tendon->index) : 0.0;
    *row = blank_row(tendon, UT_ROW_TENDON_SPRING);
    row->compliance = model->unit * model->unit / S;
    row->b -= model->unit * (h * (F + G + D * u0) + A * (u0 - h * c)) / S;
    return 1;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_contact_tendon_rows(const ContactScene* scene, const double* q, bool springs,
                                utArena* arena, utRow* row, int* count)
{
    const utModel* model = scene->model;
    *count = 0;
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* t = &model->tendon[i];
        const bool acts = t->limited || t->frictionloss > 0.0 || t->armature > 0.0 ||
                          (springs && ut_tendon_is_passive(t));
        if (!acts || t->terms == 0) {
            continue;
        }
        double* coefficient = UT_PUSH(arena, double, t->terms);
        if (coefficient == NULL) {
            return UT_ERR_CAPACITY;
        }
        const Tendon tendon = {
            .model = t,
            .index = i,
            .length = ut_tendon_length(scene->kin, q, i, NULL, NULL, coefficient),
            .mocap_rate = ut_tendon_mocap_rate(scene->kin, i, scene->mocap_velocity),
            .coefficient = coefficient,
        };
        if (t->limited) {
            UT_TRY(limit_rows(scene, &tendon, arena, row, count));
        }
        if (t->frictionloss > 0.0) {
            row[(*count)++] = friction_row(scene, &tendon);
        }
        *count += spring_row(scene, &tendon, springs, row + *count);
    }
    return UT_OK;
}
