// SPDX-License-Identifier: Apache-2.0
// The certificate finds reports whose actuators are wrong: activations, forces, rows.
#include "lab.h"

// Every kind of force: constant, on the diagonal, a bounded row, a row with terms, a sum; activations
// of all kinds.
static const char everything[] =
    "<worldbody>"
    "<body><joint name='x' type='slide'/><geom size='.1' mass='2'/></body>"
    "<body><joint name='y' type='slide' actuatorfrcrange='-2 2'/><geom size='.1' mass='3'/></body>"
    "<body><joint name='z' type='slide'/><geom size='.1' mass='4'/></body>"
    "<body pos='0 0 3'><freejoint/><geom type='box' size='.1 .2 .3' mass='1'/><site name='s' "
    "pos='.1 .1 0' euler='10 20 30'/></body>"
    "<body pos='0 0 5'><joint name='b' type='ball'/><geom size='.2' pos='.3 0 0' mass='1'/></body>"
    "<body pos='0 0 7'><joint name='u' type='slide' actuatorfrcrange='-1 1'/><geom size='.1' "
    "mass='2'/><body><joint name='w' type='slide' axis='1 0 0' actuatorfrcrange='-50 50'/><geom "
    "size='.1' mass='1'/><site name='r'/></body></body>"
    "</worldbody>"
    "<tendon><fixed name='t'><joint joint='x' coef='1'/><joint joint='z' "
    "coef='2'/></fixed></tendon>"
    "<actuator>"
    "<motor name='constant' joint='x' gear='2'/>"
    "<position name='diagonal' joint='x' kp='30' kv='2' timeconst='.1'/>"
    "<velocity name='bounded' joint='x' kv='40' forcerange='-1 1'/>"
    "<intvelocity name='ball' joint='b' kp='9' kv='1' gear='1 2 0' actrange='-1 1'/>"
    "<position name='tendon' tendon='t' kp='5' kv='1' forcerange='-.5 .5'/>"
    "<motor name='thrust' site='s' gear='0 1 2 .1 .2 .3'/>"
    "<general name='site' site='s' gear='1 0 0 0 0 1' biastype='affine' biasprm='0 0 -3' "
    "dyntype='filter' dynprm='.2'/>"
    "<motor name='sum1' joint='y'/><velocity name='sum2' joint='y' kv='6'/>"
    "<velocity name='saturated' site='r' gear='1 0 1' kv='20'/><position joint='u' kp='2'/>"
    "</actuator>";

enum { ACTUATORS = 11, ACTIVATIONS = 3, MOST_ROWS = 16 };

static const double ctrl[ACTUATORS] = {1.0, 0.4, 2.0, 0.7, 1.0, 3.0, 0.6, 1.0, 0.5, 1.3, 0.2};

static Lab open_everything(void)
{
    Lab lab = lab_open(everything, UT_INTEGRATOR_EULER);
    CHECK_INT(lab.model->nu, ACTUATORS);
    CHECK_INT(lab.model->na, ACTIVATIONS);
    lab_steps(&lab, 30, ctrl);
    return lab;
}

static const char* judge(const utStepReport* report)
{
    utCertificate c;
    CHECK_INT(ut_certify(report, 1e-8, test_arena(), &c), UT_OK);
    return ut_certificate_reason_name(c.reason);
}

// Copy an array, change entry i and judge.
static void change(const utStepReport* report, size_t field, int count, const char* what)
{
    utStepReport changed = *report;
    double copy[64];
    const double** array = (const double**)(void*)((char*)&changed + field);
    memcpy(copy, *array, (size_t)count * sizeof *copy);
    *array = copy;
    for (int i = 0; i < count; i++) {
        const double before = copy[i];
        copy[i] += 1e-4 * (1.0 + fabs(before));
        if (!CHECK_TEXT(judge(&changed), "actuators")) {
            test_note("%s[%d]", what, i);
        }
        copy[i] = before;
    }
}

#define CHANGE(FIELD, COUNT) \
    change(&lab.result.report, offsetof(utStepReport, FIELD), (COUNT), #FIELD)

TEST(other_activations_and_forces_than_those_of_the_step_are_found)
{
    Lab lab = open_everything();
    CHECK_TEXT(judge(&lab.result.report), "");
    CHANGE(act, ACTIVATIONS);
    CHANGE(act_next, ACTIVATIONS);
    CHANGE(actuator_force, ACTUATORS);
    CHANGE(force, lab.model->nv);
    CHANGE(actuator_diagonal, lab.model->nv);
    lab_close(&lab);
}

TEST(other_controls_than_those_of_the_step_are_found)
{
    Lab lab = open_everything();
    utStepReport report = lab.result.report;
    double copy[ACTUATORS];
    memcpy(copy, report.ctrl, sizeof copy);
    report.ctrl = copy;
    for (int i = 0; i < ACTUATORS; i++) {
        copy[i] += 1e-4;
        CHECK(strcmp(judge(&report), "") != 0);
        copy[i] -= 1e-4;
    }
    lab_close(&lab);
}

typedef void Corrupt(utRow* row);

static void push_more(utRow* row)
{
    row->r += 1e-4;
}

static void move_b(utRow* row)
{
    row->b += 1e-3;
    row->u += 1e-3;
}

static void soften(utRow* row)
{
    row->compliance *= 1.01;
}

static void widen(utRow* row)
{
    row->high = row->high < HUGE_VAL ? 1.01 * row->high + 1e-6 : 1.0;
}

static void belong_to_another(utRow* row)
{
    row->actuator = row->actuator == 0 ? 1 : 0;
}

TEST(a_changed_row_of_an_actuator_is_found)
{
    static Corrupt* const corrupt[] = {push_more, move_b, soften, widen, belong_to_another};
    Lab lab = open_everything();
    utStepReport report = lab.result.report;
    int actuators = 0;
    for (int j = 0; j < report.rows; j++) {
        actuators += lab.result.report.row[j].kind == UT_ROW_ACTUATOR;
        for (size_t k = 0; k < sizeof corrupt / sizeof *corrupt; k++) {
            utRow row[MOST_ROWS];
            memcpy(row, lab.result.report.row, (size_t)report.rows * sizeof *row);
            report.row = row;
            corrupt[k](&row[j]);
            if (!CHECK(strcmp(judge(&report), "") != 0)) {
                test_note("row %d, change %d", j, (int)k);
            }
        }
    }
    CHECK_INT(actuators, 6); // bounded, ball, tendon, site, the sum and saturated
    lab_close(&lab);
}

TEST(a_changed_coefficient_and_a_missing_row_are_found)
{
    Lab lab = open_everything();
    utStepReport report = lab.result.report;
    for (int j = 0; j < report.rows; j++) {
        utRow row[MOST_ROWS];
        double coefficient[16];
        memcpy(row, lab.result.report.row, (size_t)report.rows * sizeof *row);
        report.row = row;
        for (int k = 0; k < row[j].terms; k++) {
            memcpy(coefficient, lab.result.report.row[j].coefficient,
                   (size_t)row[j].terms * sizeof *coefficient);
            row[j].coefficient = coefficient;
            coefficient[k] += 1e-6;
            CHECK(strcmp(judge(&report), "") != 0);
        }
        memcpy(row, lab.result.report.row, (size_t)report.rows * sizeof *row);
        memmove(&row[j], &row[j + 1], (size_t)(report.rows - 1 - j) * sizeof *row);
        report.rows--;
        CHECK(strcmp(judge(&report), "") != 0);
        report.rows++;
    }
    lab_close(&lab);
}

// Formulations with explicit forces, events and adaptive steps take the same model.
TEST(other_formulations_are_certified_too)
{
    static const utFormulation formulations[] = {UT_FORMULATION_STEWART_TRINKLE,
                                                 UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};
    for (size_t i = 0; i < sizeof formulations / sizeof *formulations; i++) {
        Lab lab = {.model = lab_model(everything, 0)};
        utSimDef def = ut_sim_def();
        def.formulation = (int)formulations[i];
        CHECK_INT(ut_sim_create(lab.model, &def, &lab.sim, NULL), UT_OK);
        lab_steps(&lab, 30, ctrl);
        lab_close(&lab);
    }
}
