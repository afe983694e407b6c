// SPDX-License-Identifier: Apache-2.0
// The certificate recomputes the rows of tendons and couplings: a report with different rows fails.
#include "lab.h"

// Every kind of row with terms: two limits, dry friction, springs with damper and armature, couplings
// of joints and of tendons, over several trees.
static const char everything[] =
    "<mujoco><worldbody><site name='o' pos='-.5 0 1'/>"
    "<geom name='c' type='cylinder' size='.1 .3' euler='90 0 0' pos='0 0 1' contype='0' "
    "conaffinity='0'/>"
    "<body pos='.5 0 .8'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/>"
    "<site name='s' pos='0 0 .1'/></body>"
    "<body pos='0 1 1'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' "
    "size='.03'/><site name='e' pos='.3 0 0'/></body>"
    "<body pos='0 2 1'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .4 0 0' "
    "size='.03'/></body>"
    "<body pos='1 2 1'><joint name='d' type='slide' axis='0 0 1'/><geom size='.1'/>"
    "<site name='f'/></body></worldbody><tendon>"
    "<spatial name='rope' range='0 1.015' stiffness='5' damping='.2'><site site='o'/><geom "
    "geom='c'/>"
    "<site site='s'/></spatial>"
    "<spatial name='long' frictionloss='.5' armature='.1'><site site='s'/><site "
    "site='e'/></spatial>"
    "<fixed name='low' range='-.001 1'><joint joint='d' coef='.5'/></fixed>"
    "<spatial name='u'><site site='o'/><site site='f'/></spatial></tendon><equality>"
    "<joint joint1='b' joint2='a' polycoef='0 .7 .1'/></equality></mujoco>";

enum { STEPS = 60, MOST_ROWS = 16, MOST_TERMS = 16 };

typedef struct Bench {
    utModel* model;
    utSim* sim;
    utStepResult result;
    utRow row[MOST_ROWS];
    double coefficient[MOST_ROWS][MOST_TERMS];
} Bench;

static bool open_bench(Bench* bench, int formulation)
{
    bench->model = test_model(everything);
    bench->sim = sim_with(bench->model, 0.002, formulation);
    run_certified(bench->sim, NULL, STEPS, NULL, NULL);
    utError err = {0};
    bool good = CHECK_INT(ut_sim_step(bench->sim, NULL, &bench->result, &err), UT_OK);
    const utStepReport* report = &bench->result.report;
    good = good && CHECK(report->rows <= MOST_ROWS);
    for (int j = 0; good && j < report->rows; j++) {
        bench->row[j] = report->row[j];
        good = CHECK(report->row[j].terms > 0 && report->row[j].terms <= MOST_TERMS);
        memcpy(bench->coefficient[j], report->row[j].coefficient,
               (size_t)report->row[j].terms * sizeof(double));
        bench->row[j].coefficient = bench->coefficient[j];
    }
    return good;
}

static void close_bench(Bench* bench)
{
    ut_sim_destroy(bench->sim);
    ut_model_destroy(bench->model);
}

static const char* judge(const Bench* bench, int rows)
{
    utStepReport report = bench->result.report;
    utCertificate certificate;
    report.row = bench->row;
    report.rows = rows;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
    return ut_certificate_reason_name(certificate.reason);
}

static void change_each(Bench* bench, const char* what, bool (*change)(utRow* row))
{
    const int rows = bench->result.report.rows;
    int changed = 0;
    for (int j = 0; j < rows; j++) {
        const utRow kept = bench->row[j];
        double coefficient[MOST_TERMS];
        memcpy(coefficient, bench->coefficient[j], sizeof coefficient);
        if (change(&bench->row[j])) {
            changed++;
            if (!CHECK(judge(bench, rows)[0] != '\0')) {
                test_note("%s of row %d (%s) passed", what, j, ut_row_kind_name(kept.kind));
            }
        }
        memcpy(bench->coefficient[j], coefficient, sizeof coefficient);
        bench->row[j] = kept;
    }
    CHECK(changed > 0);
}

static bool change_coefficient(utRow* row)
{
    ((double*)row->coefficient)[row->terms - 1] += 1e-6;
    return true;
}

static bool change_gap(utRow* row)
{
    row->gap += 1e-6;
    return true;
}

static bool change_b(utRow* row)
{
    row->b += 1e-6;
    return true;
}

static bool change_length(utRow* row)
{
    row->length *= 1.001;
    return true;
}

static bool change_low(utRow* row)
{
    row->low = row->r - 1.0;
    return true;
}

static bool change_high(utRow* row)
{
    row->high = isfinite(row->high) ? 2.0 * row->high : 1.0;
    return true;
}

static bool soften(utRow* row)
{
    row->compliance += 1e-6;
    return true;
}

static bool push_more(utRow* row)
{
    row->r += 1e-6;
    return true;
}

static bool other_kind(utRow* row)
{
    row->kind = row->kind == UT_ROW_COUPLING ? UT_ROW_TENDON_UPPER : UT_ROW_COUPLING;
    return true;
}

static bool other_tendon(utRow* row)
{
    row->equality++;
    return true;
}

static bool fewer_terms(utRow* row)
{
    row->terms--;
    return row->terms > 0;
}

static void change_everything(int formulation)
{
    Bench bench = {0};
    if (open_bench(&bench, formulation)) {
        CHECK_TEXT(judge(&bench, bench.result.report.rows), "");
        change_each(&bench, "coefficient changed", change_coefficient);
        change_each(&bench, "gap changed", change_gap);
        change_each(&bench, "b changed", change_b);
        change_each(&bench, "length changed", change_length);
        change_each(&bench, "low changed", change_low);
        change_each(&bench, "high changed", change_high);
        change_each(&bench, "softened", soften);
        change_each(&bench, "pushed", push_more);
        change_each(&bench, "another kind", other_kind);
        change_each(&bench, "another tendon", other_tendon);
        change_each(&bench, "fewer terms", fewer_terms);
    }
    close_bench(&bench);
}

TEST(a_report_with_changed_rows_of_tendons_fails)
{
    change_everything(UT_FORMULATION_COULOMB);
    change_everything(UT_FORMULATION_STEWART_TRINKLE);
}

// All kinds of rows are there, and none may be missing: limits are found because the tendon then ends
// beyond its range, other rows because the model demands them.
TEST(a_report_without_a_row_of_a_tendon_fails)
{
    Bench bench = {0};
    if (open_bench(&bench, UT_FORMULATION_COULOMB)) {
        bool seen[UT_ROW_KIND_COUNT] = {false};
        const int rows = bench.result.report.rows;
        for (int j = 0; j < rows; j++) {
            const utRow kept = bench.row[j];
            seen[kept.kind] = true;
            bench.row[j] = bench.row[rows - 1];
            CHECK(judge(&bench, rows - 1)[0] != '\0');
            bench.row[j] = kept;
        }
        CHECK(seen[UT_ROW_TENDON_UPPER] && seen[UT_ROW_TENDON_LOWER] &&
              seen[UT_ROW_TENDON_FRICTION] && seen[UT_ROW_TENDON_SPRING] && seen[UT_ROW_COUPLING]);
    }
    close_bench(&bench);
}

// An engine that forgets a part of the physics: the sim runs the first model, and the certificate gets
// its report with the second one.
static void forget(const char* tendon, const char* equality)
{
    static const char text[] =
        "<mujoco><worldbody><site name='o' pos='0 0 1'/><body pos='.1 0 0'>"
        "<joint name='j' type='slide' axis='0 0 1'/><geom size='.05'/><site name='s'/></body>"
        "</worldbody><tendon><spatial name='t' %s><site site='o'/><site "
        "site='s'/></spatial></tendon>"
        "<equality>%s</equality></mujoco>";
    char without[640], with[640];
    snprintf(without, sizeof without, text, "", "");
    snprintf(with, sizeof with, text, tendon, equality);
    utModel* forgotten = test_model(without);
    utModel* model = test_model(with);
    utSim* sim = sim_with(forgotten, 0.01, -1);
    utStepResult result;
    utError err = {0};
    run_certified(sim, NULL, 3, NULL, NULL);
    CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
    utStepReport report = result.report;
    utCertificate certificate;
    report.model = model;
    CHECK_INT(ut_certify(&report, 1e-8, test_arena(), &certificate), UT_OK);
    CHECK_TEXT(ut_certificate_reason_name(certificate.reason), "active set");
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_destroy(forgotten);
}

TEST(the_certificate_finds_forgotten_parts_of_tendons)
{
    forget("range='0 1.005'", "");
    forget("range='1.02 2'", "");
    forget("frictionloss='.1'", "");
    forget("stiffness='10'", "");
    forget("damping='1'", "");
    forget("armature='1'", "");
    forget("", "<joint joint1='j'/>");
    forget("", "<tendon tendon1='t'/>");
}
