// SPDX-License-Identifier: Apache-2.0
// The certificate recomputes the rows of equalities: a report with different rows fails.
#include "lab.h"

// A free box hinged to the world above a table, with a second one that slides along it, a weld and
// a ball, with limits, dry friction, springs, dampers, armature and actuators: every kind of row.
static const char everything[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><geom type='plane' size='5 5 1' contype='1'/>"
    "<body name='a' pos='0 0 1' euler='0 40 0'><joint name='a' axis='0 1 0' range='-60 10' "
    "frictionloss='.1' stiffness='2' damping='.1' armature='.01'/>"
    "<geom type='box' size='.1 .1 .3' pos='0 0 -.3' mass='1'/>"
    "<body name='b' pos='0 0 -.6'><joint name='b' type='slide' axis='0 0 1' range='-.1 .001' "
    "frictionloss='.2'/><geom type='box' size='.1 .1 .1' mass='1'/></body></body>"
    "<body name='c' pos='2 0 1' euler='50 0 0'><joint name='c' type='ball' range='0 5' "
    "frictionloss='.05' stiffness='.3' damping='.02'/><geom type='box' size='.1 .2 .3' pos='0 0 "
    "-.3' mass='1'/></body>"
    "<body name='d' pos='4 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1' "
    "conaffinity='1'/></body>"
    "<body name='e' pos='4 0 .3'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "</worldbody><equality><weld name='tied' body1='d' body2='e' anchor='0 .1 0'/></equality>"
    "<actuator><motor name='push' joint='a' gear='.5'/><position name='hold' joint='b' kp='30' "
    "kv='1' gear='2'/><position name='weak' joint='a' kp='9' forcerange='-.1 .1'/></actuator>"
    "</mujoco>";

enum { STEPS = 30, MOST_ROWS = 64 };

typedef struct Bench {
    utModel* model;
    utModel* maximal;
    utSim* sim;
    utStepResult result;
    utRow row[MOST_ROWS];
    double ctrl[3];
} Bench;

static bool open_bench(Bench* bench, utFormulation formulation)
{
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.formulation = formulation;
    const double ctrl[3] = {0.3, 0.1, -0.2};
    memcpy(bench->ctrl, ctrl, sizeof ctrl);
    bench->model = test_model(everything);
    bench->maximal = lab_maximal(bench->model);
    bool good = CHECK_INT(ut_sim_create(bench->maximal, &def, &bench->sim, &err), UT_OK);
    const utInput input = {.ctrl = bench->ctrl};
    for (int k = 0; good && k < STEPS; k++) {
        good = CHECK_INT(ut_sim_step(bench->sim, &input, &bench->result, &err), UT_OK) &&
               CHECK_TEXT(ut_certificate_reason_name(bench->result.certificate.reason), "");
    }
    const utStepReport* report = &bench->result.report;
    good = good && CHECK(report->rows <= MOST_ROWS);
    memcpy(bench->row, report->row, (size_t)report->rows * sizeof *bench->row);
    return good;
}

static void close_bench(Bench* bench)
{
    ut_sim_destroy(bench->sim);
    ut_model_destroy(bench->maximal);
    ut_model_destroy(bench->model);
}

// Certify the report with changed rows.
static const char* judge(const Bench* bench, int rows)
{
    utStepReport report = bench->result.report;
    utCertificate certificate;
    report.row = bench->row;
    report.rows = rows;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
    return ut_certificate_reason_name(certificate.reason);
}

// Change every row in turn; all must fail.
static void change_each(Bench* bench, const char* what, bool (*change)(utRow* row))
{
    const int rows = bench->result.report.rows;
    int changed = 0;
    for (int j = 0; j < rows; j++) {
        const utRow kept = bench->row[j];
        if (change(&bench->row[j])) {
            changed++;
            if (!CHECK(judge(bench, rows)[0] != '\0')) {
                test_note("%s of row %d (%s, equality %d, component %d) passed", what, j,
                          ut_row_kind_name(kept.kind), kept.equality, kept.component);
            }
        }
        bench->row[j] = kept;
    }
    CHECK(changed > 0);
}

static bool turn_linear(utRow* row)
{
    row->linear = ut_vec3_negate(row->linear);
    return ut_vec3_norm(row->linear) > 0.0;
}

static bool turn_angular(utRow* row)
{
    row->angular = ut_vec3_negate(row->angular);
    return ut_vec3_norm(row->angular) > 0.0;
}

static bool move_point1(utRow* row)
{
    row->point1.x += 1e-6;
    return row->dof < 0;
}

static bool move_point2(utRow* row)
{
    row->point2.z += 1e-6;
    return row->dof < 0;
}

static bool drop_gap(utRow* row)
{
    const bool off = fabs(row->gap) > 1e-8;
    row->gap = 0.0;
    return off;
}

static bool change_b(utRow* row)
{
    row->b += 1e-6;
    return true;
}

static bool swap_bodies(utRow* row)
{
    const int kept = row->body1;
    row->body1 = row->body2;
    row->body2 = kept;
    return true;
}

static bool bound_it(utRow* row)
{
    row->low = row->r - 1.0;
    return true;
}

static bool soften(utRow* row)
{
    row->compliance = 1e-9;
    return true;
}

static bool push_more(utRow* row)
{
    row->r += 1e-6;
    return true;
}

static bool other_kind(utRow* row)
{
    row->kind = row->kind == UT_ROW_EQUALITY ? UT_ROW_LOWER : UT_ROW_EQUALITY;
    return true;
}

static void change_everything(utFormulation formulation)
{
    Bench bench = {0};
    if (open_bench(&bench, formulation)) {
        CHECK_TEXT(judge(&bench, bench.result.report.rows), "");
        change_each(&bench, "linear turned", turn_linear);
        change_each(&bench, "angular turned", turn_angular);
        change_each(&bench, "point1 moved", move_point1);
        change_each(&bench, "point2 moved", move_point2);
        if (formulation != UT_FORMULATION_COULOMB) {
            change_each(&bench, "gap dropped",
                        drop_gap); // after a projection there is no position error
        }
        change_each(&bench, "b changed", change_b);
        change_each(&bench, "bodies swapped", swap_bodies);
        change_each(&bench, "bounded", bound_it);
        change_each(&bench, "softened", soften);
        change_each(&bench, "pushed", push_more);
        change_each(&bench, "another kind", other_kind);
    }
    close_bench(&bench);
}

// Report other controls than those that acted.
static void change_controls(utFormulation formulation)
{
    Bench bench = {0};
    if (open_bench(&bench, formulation)) {
        for (int a = 0; a < 3; a++) {
            double ctrl[3];
            utStepReport report = bench.result.report;
            utCertificate certificate;
            memcpy(ctrl, report.ctrl, sizeof ctrl);
            ctrl[a] += 1e-4;
            report.ctrl = ctrl;
            CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
            // an actuator at its force limit has the same explicit force for other controls
            const bool explicit_forces = formulation != UT_FORMULATION_COULOMB;
            CHECK(!certificate.passed || (a == 2 && explicit_forces));
        }
    }
    close_bench(&bench);
}

TEST(actuators_on_equalities_are_judged_by_their_controls)
{
    change_controls(UT_FORMULATION_COULOMB);
    change_controls(UT_FORMULATION_STEWART_TRINKLE);
}

TEST(a_report_with_changed_rows_of_equalities_fails)
{
    change_everything(UT_FORMULATION_COULOMB);
    change_everything(UT_FORMULATION_STEWART_TRINKLE);
}

TEST(a_report_without_a_row_of_an_equality_fails)
{
    Bench bench = {0};
    if (open_bench(&bench, UT_FORMULATION_COULOMB)) {
        const int rows = bench.result.report.rows;
        utRow kept[MOST_ROWS];
        memcpy(kept, bench.row, sizeof kept);
        int dropped = 0;
        for (int j = 0; j < rows; j++) {
            const utRowKind kind = kept[j].kind;
            if (kind == UT_ROW_EQUALITY || kind == UT_ROW_JOINT || kind == UT_ROW_ACTUATOR) {
                memcpy(bench.row, kept, sizeof kept);
                memmove(&bench.row[j], &bench.row[j + 1],
                        (size_t)(rows - 1 - j) * sizeof *bench.row);
                CHECK_TEXT(judge(&bench, rows - 1), "active set");
                dropped++;
            }
        }
        CHECK_INT(dropped, 5 + 5 + 3 + 6 + (1 + 3) + 2);
    }
    close_bench(&bench);
}
