// SPDX-License-Identifier: Apache-2.0
// uptack certify: judge every step of a recording from what the recording holds, without simulating.
#include "recorded/certify_run.h"
#include "progress.h"
#include "run/run_worst.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { OPTION_JSON = 256 };

static const struct option long_options[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    bool* json = context;
    *json = *json || option == OPTION_JSON;
    return CLI_OK;
}

// The state after the last step, or the first state.
typedef struct LastState {
    bool known;
    uint64_t step;
    double time;
    double *q, *v, *act, *mocap_pos, *mocap_quat;
} LastState;

// The first step that is refused.
typedef struct Refusal {
    uint64_t step; // 0: none
    double time;   // s
    const char* reason;
    double value, limit; // limit 0: the reason has no number
    char place[RUN_WHERE];
} Refusal;

typedef struct Trial {
    CliRecordedRun* run;
    utArena memory; // of one step
    LastState last;
    utRecordInput input; // of the next step
    uint64_t steps;      // judged
    uint64_t refused;    // of these
    uint64_t over;       // tier budget: above the tolerance, all other tests passed
    bool complete;       // the recording was closed
    RunWorsts worst;
    utCertificate most; // the largest value of every test
    Refusal first;
} Trial;

// ---- refusing -----------------------------------------------------------------------------------

static void refuse(Trial* t, const Refusal* refusal)
{
    if (t->refused++ == 0) {
        t->first = *refusal;
    }
}

static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

static void count_most(utCertificate* most, const utCertificate* c)
{
    most->e = larger(most->e, c->e);
    most->momentum = larger(most->momentum, c->momentum);
    most->stored = larger(most->stored, c->stored);
    most->bilateral = larger(most->bilateral, c->bilateral);
    most->cone = larger(most->cone, c->cone);
    most->position = larger(most->position, c->position);
    most->geometry = larger(most->geometry, c->geometry);
    most->reported = larger(most->reported, c->reported);
    most->impact = larger(most->impact, c->impact);
}

static void judge(Trial* t, uint64_t step, const utStepResult* result)
{
    const utCertificate* c = &result->certificate;
    run_worst_count(result, (long long)step, &t->worst);
    count_most(&t->most, c);
    if (c->passed) {
        return;
    }
    if (ut_certificate_within_budget(&result->report, c)) {
        t->over++;
        return;
    }
    Refusal refusal = {
        .step = step,
        .time = result->report.time,
        .reason = ut_certificate_reason_name(c->reason),
        .value = c->value,
        .limit = c->limit,
    };
    run_worst_place(result, refusal.place, sizeof refusal.place);
    refuse(t, &refusal);
}

// ---- the chain of states ------------------------------------------------------------------------

static bool same(const double* a, const double* b, int count)
{
    return count == 0 || (a != NULL && b != NULL && memcmp(a, b, (size_t)count * sizeof *a) == 0);
}

static void keep(double* to, const double* from, int count)
{
    if (count > 0 && from != NULL) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static utStatus create_last(Trial* t, utError* err)
{
    const utModel* model = t->run->loaded.model;
    utArena* memory = &t->run->memory;
    t->last.q = UT_PUSH(memory, double, model->nq);
    t->last.v = UT_PUSH(memory, double, model->nv);
    t->last.act = UT_PUSH(memory, double, model->na);
    t->last.mocap_pos = UT_PUSH(memory, double, 3 * model->nmocap);
    t->last.mocap_quat = UT_PUSH(memory, double, 4 * model->nmocap);
    return ut_arena_failed(memory) ? cli_no_memory(t->run->recording.name, err) : UT_OK;
}

static void keep_state(Trial* t, uint64_t step, const utRecordState* s)
{
    const utModel* model = t->run->loaded.model;
    LastState* last = &t->last;
    last->known = true;
    last->step = step;
    last->time = s->time;
    keep(last->q, s->q, model->nq);
    keep(last->v, s->v, model->nv);
    keep(last->act, s->act, model->na);
    keep(last->mocap_pos, s->mocap_pos, 3 * model->nmocap);
    keep(last->mocap_quat, s->mocap_quat, 4 * model->nmocap);
}

static bool same_state(const Trial* t, const utRecordState* s)
{
    const utModel* model = t->run->loaded.model;
    const LastState* last = &t->last;
    // times are sums of the steps' lengths
    return fabs(last->time - s->time) <= 1e-9 * (1.0 + fabs(s->time)) &&
           same(last->q, s->q, model->nq) && same(last->v, s->v, model->nv) &&
           same(last->act, s->act, model->na) &&
           same(last->mocap_pos, s->mocap_pos, 3 * model->nmocap) &&
           same(last->mocap_quat, s->mocap_quat, 4 * model->nmocap);
}

// Does a tree rest in a step, with a velocity before that sleeping may drop? (docs/sleeping.md, rule 1)
static bool falls_asleep(const Trial* t, const utStepReport* report, const utModelTree* tree)
{
    const utModel* model = t->run->loaded.model;
    const double slow = 1e-3 * report->h * ut_vec3_norm(report->gravity) * (1.0 + 1e-9);
    bool rests = report->v != NULL && report->v_next != NULL;
    for (int i = tree->dof; rests && i < tree->dof + tree->dofs; i++) {
        rests = report->v[i] == 0.0 && report->v_next[i] == 0.0 &&
                fabs(t->last.v[i]) * ut_dof_length(model, i) <= slow;
    }
    return rests;
}

// A tree that falls asleep loses the velocity that was left.
static void stop_sleepers(Trial* t, const utStepReport* report)
{
    const utModel* model = t->run->loaded.model;
    for (int k = 0; t->run->start.sim.sleep && k < model->ntree; k++) {
        const utModelTree* tree = &model->tree[k];
        if (falls_asleep(t, report, tree)) {
            memset(t->last.v + tree->dof, 0, (size_t)tree->dofs * sizeof *t->last.v);
        }
    }
}

// Is it a step of this run, and does it begin where the step before ended?
static void check_begin(Trial* t, uint64_t step, const utStepReport* report)
{
    const utRecordState begin = {
        .time = report->time,
        .q = report->q,
        .v = report->v,
        .act = report->act,
        .mocap_pos = report->mocap_pos,
        .mocap_quat = report->mocap_quat,
    };
    const char* reason = cli_foreign_report(t->run, &t->input, report);
    stop_sleepers(t, report);
    if (reason == NULL && (!t->last.known || t->last.step + 1 != step)) {
        reason = "steps before this one are missing";
    } else if (reason == NULL && !same_state(t, &begin)) {
        reason = "the step does not begin where the step before it ended";
    }
    if (reason != NULL) {
        refuse(t, &(Refusal){.step = step, .time = report->time, .reason = reason});
    }
}

static void check_state(Trial* t, const utRecordFrame* frame)
{
    if (!t->last.known) {
        keep_state(t, frame->step, &frame->state);
        return;
    }
    const char* reason = NULL;
    if (t->last.step != frame->step) {
        reason = "reports of steps before this state are missing";
    } else if (!same_state(t, &frame->state)) {
        reason = "the recorded state is not the one that the step led to";
    }
    if (reason != NULL) {
        refuse(t, &(Refusal){.step = frame->step, .time = frame->time, .reason = reason});
        keep_state(t, frame->step, &frame->state);
    }
}

// ---- judging ------------------------------------------------------------------------------------

static utStatus judge_report(Trial* t, const utRecordFrame* frame, utError* err)
{
    const CliRecordedRun* run = t->run;
    utArena scratch = t->memory;
    utStepResult result = {0};
    bool cut = false;
    utStatus status = ut_recording_report(&run->recording, frame, run->loaded.model, &scratch,
                                          &result.report, &cut, err);
    if (status == UT_OK && cut) {
        return UT_OK; // the last step of a run that was killed
    }
    if (status == UT_OK) {
        status = ut_certify(&result.report, run->recording.tolerance, scratch, &result.certificate);
    }
    if (status != UT_OK) {
        return status == UT_ERR_CAPACITY ? cli_no_memory(run->recording.name, err) : status;
    }
    const utStepReport* report = &result.report;
    t->steps++;
    judge(t, frame->step, &result);
    check_begin(t, frame->step, report);
    keep_state(t, frame->step,
               &(utRecordState){
                   .time = report->time + report->h,
                   .q = report->q_next,
                   .v = report->v_next,
                   .act = report->act_next,
                   .mocap_pos = report->mocap_pos_next,
                   .mocap_quat = report->mocap_quat_next,
               });
    return UT_OK;
}

static utStatus judge_frame(Trial* t, const utRecordFrame* frame, utError* err)
{
    if (frame->kind == UT_RECORD_STATE) {
        check_state(t, frame);
    } else if (frame->kind == UT_RECORD_INPUT) {
        t->input = frame->input;
    } else if (frame->kind == UT_RECORD_REPORT) {
        return judge_report(t, frame, err);
    } else if (frame->kind == UT_RECORD_END) {
        t->complete = true;
        if (frame->step != t->last.step) {
            refuse(t, &(Refusal){.step = frame->step,
                                 .time = t->last.time,
                                 .reason = "reports of the last steps are missing"});
        }
    }
    return UT_OK;
}

static utStatus judge_all(Trial* t, utError* err)
{
    utRecording ahead = t->run->recording;
    utRecordFrame frame;
    CliProgress progress = cli_progress_begin();
    utStatus status = create_last(t, err);
    bool over = false;
    while (status == UT_OK && !over) {
        status = ut_recording_next(&ahead, &frame, err);
        status = status == UT_OK ? judge_frame(t, &frame, err) : status;
        over = status == UT_OK && (frame.kind == UT_RECORD_END || frame.kind == UT_RECORD_CUT);
        cli_progress_share(&progress, "judged", (double)ahead.at, (double)ahead.size);
    }
    cli_progress_end(&progress);
    return status;
}

// ---- the verdict --------------------------------------------------------------------------------

static void print_worst(const char* what, const RunWorst* worst)
{
    printf("%-11s %.3g", what, worst->value);
    run_worst_print(worst);
    putchar('\n');
}

static void print_refusal(const Refusal* r)
{
    printf("step %" PRIu64 " (t = %.9g s): %s", r->step, r->time, r->reason);
    if (r->limit > 0.0) {
        printf(" %.3g is more than %.0e", r->value, r->limit);
    }
    printf("%s\n", r->place);
}

static void print_text(const Trial* t)
{
    const utRecording* r = &t->run->recording;
    const utCertificate* m = &t->most;
    printf("%s: model %.*s, steps judged %" PRIu64 "%s\n", r->name, (int)r->source.size,
           r->source.data, t->steps, t->complete ? "" : "; the recording was not closed");
    print_worst("E", &t->worst.residual);
    printf("tolerance   %.3g\n", r->tolerance);
    if (t->worst.model_gap.step > 0) {
        print_worst("model gap", &t->worst.model_gap);
    }
    printf("momentum    %.3g, stored velocity %.3g, bilateral %.3g\n", m->momentum, m->stored,
           m->bilateral);
    printf("cone        %.3g, position %.3g, geometry %.3g, reported %.3g, impact %.3g\n", m->cone,
           m->position, m->geometry, m->reported, m->impact);
    char text[128];
    if (t->refused > 0) {
        cli_print_word(stdout, CLI_RED, "refused");
        printf(": ");
        print_refusal(&t->first);
    } else if (t->over > 0) {
        snprintf(text, sizeof text, "tier budget: %" PRIu64 " of %" PRIu64 " steps above %.0e",
                 t->over, t->steps, r->tolerance);
        cli_print_word(stdout, CLI_YELLOW, text);
        printf("; all other tests passed\n");
    } else {
        snprintf(text, sizeof text, "all %" PRIu64 " steps certified", t->steps);
        cli_print_word(stdout, CLI_GREEN, text);
        putchar('\n');
    }
}

static void json_number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void json_integer(utJsonWriter* w, const char* key, uint64_t value)
{
    ut_json_key(w, key);
    ut_json_integer(w, (long long)value);
}

static void json_refusal(utJsonWriter* w, const Refusal* r)
{
    ut_json_key(w, "first_refusal");
    if (r->reason == NULL) {
        ut_json_null(w);
        return;
    }
    ut_json_object_begin(w);
    json_integer(w, "step", r->step);
    json_number(w, "time", r->time);
    ut_json_key(w, "reason");
    ut_json_string(w, r->reason);
    ut_json_key(w, "place");
    ut_json_string(w, r->place + (r->place[0] == ' '));
    if (r->limit > 0.0) {
        json_number(w, "value", r->value);
        json_number(w, "limit", r->limit);
    }
    ut_json_object_end(w);
}

static void print_json(const Trial* t)
{
    const utCertificate* m = &t->most;
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, t->run->start.file);
    ut_json_key(&w, "certified");
    ut_json_bool(&w, t->refused == 0 && t->over == 0);
    json_integer(&w, "steps", t->steps);
    json_integer(&w, "refusals", t->refused);
    json_integer(&w, "steps_above_tolerance", t->over);
    ut_json_key(&w, "complete");
    ut_json_bool(&w, t->complete);
    json_number(&w, "tolerance", t->run->recording.tolerance);
    json_number(&w, "max_residual", t->worst.residual.value);
    run_worst_json(&w, "max_residual_at", &t->worst.residual);
    json_number(&w, "max_residual_mps", m->e);
    json_number(&w, "max_model_gap", t->worst.model_gap.value);
    run_worst_json(&w, "max_model_gap_at", &t->worst.model_gap);
    json_number(&w, "momentum", m->momentum);
    json_number(&w, "stored", m->stored);
    json_number(&w, "bilateral", m->bilateral);
    json_number(&w, "cone", m->cone);
    json_number(&w, "position", m->position);
    json_number(&w, "geometry", m->geometry);
    json_number(&w, "reported", m->reported);
    json_number(&w, "impact", m->impact);
    json_refusal(&w, &t->first);
    ut_json_object_end(&w);
    putchar('\n');
}

// ---- the verb -----------------------------------------------------------------------------------

static utStatus certify(const char* file, Trial* t, utError* err)
{
    UT_TRY(cli_recorded_open(&cli_certify, file, t->run, err));
    UT_TRY(cli_recorded_has_reports(t->run, err));
    if (ut_arena_create(0, NULL, &t->memory) != UT_OK) {
        return cli_no_memory(file, err);
    }
    return judge_all(t, err);
}

static int run(int argc, char** argv)
{
    bool json = false;
    const char* file = NULL;
    const int code = cli_parse(&cli_certify, argc, argv, long_options, set_option, &json, &file);
    if (code != CLI_OK || file == NULL) {
        return code;
    }
    static CliRecordedRun recorded;
    static Trial trial;
    trial.run = &recorded;
    utError err = {0};
    const utStatus status = certify(file, &trial, &err);
    if (status == UT_OK && json) {
        print_json(&trial);
    } else if (status == UT_OK) {
        print_text(&trial);
    }
    ut_arena_destroy(&trial.memory);
    cli_recorded_close(&recorded);
    return status != UT_OK ? cli_fail(&err) : trial.refused > 0 ? CLI_UNSOLVED : CLI_OK;
}

const CliVerb cli_certify = {
    .name = "certify",
    .summary = "judge every step of a recording without simulating it",
    .usage = "uptack certify RECORDING [--json]",
    .operand = "RECORDING",
    .help =
        "RECORDING was written by uptack run --record FILE.utr. Its steps are judged from the\n"
        "states, inputs and impulses that it holds, with the same tests as in the run; nothing is\n"
        "simulated. The steps must follow each other, and the recorded states must be those that\n"
        "the steps lead to. The first step that is refused is printed with its contact.\n"
        "\n"
        "  --json                print the verdict as JSON\n"
        "  --help, --version\n"
        "\n"
        "A recording that was cut off is judged up to its last complete step.\n"
        "\n"
        "Exit code 0: every step is certified; 1: the recording or its model cannot be used, or\n"
        "it holds no reports (run --no-reports); 2: usage; 3: a step is refused.\n",
    .run = run,
};
