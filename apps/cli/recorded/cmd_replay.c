// SPDX-License-Identifier: Apache-2.0
// uptack replay: simulate a recorded run again and compare every recorded state bit for bit.
#include "progress.h"
#include "recorded/recorded_start.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

enum { OPTION_JSON = 256, NAME_SIZE = 200 };

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

// The first recorded state that differs.
typedef struct Difference {
    bool found;
    bool not_taken; // the run took this step, and the replay does not certify it
    uint64_t step;
    double time;          // s, in the recording
    char name[NAME_SIZE]; // of the first coordinate that differs; "": only the hash does
    double recorded, replayed;
    int coordinates; // how many differ
    char reason[sizeof((utError*)0)->message];
} Difference;

typedef struct Replay {
    CliRecordedRun* run;
    utInput input;
    uint64_t steps;  // taken
    uint64_t states; // compared
    bool complete;   // the recording was closed
    Difference difference;
} Replay;

// ---- comparing ----------------------------------------------------------------------------------

// Number `value` of a state: the name of its column, or of the array that it belongs to.
static void name_value(const utRecording* r, size_t value, char name[NAME_SIZE])
{
    for (int k = 0; k < r->columns; k++) {
        if (ut_recording_value(r, k) == value) {
            const utText column = ut_recording_column(r, k);
            snprintf(name, NAME_SIZE, "%.*s", (int)column.size, column.data);
            return;
        }
    }
    const size_t q = value - 1;
    const bool position = q < (size_t)r->nq;
    snprintf(name, NAME_SIZE, "%s[%zu]", position ? "q" : "v", position ? q : q - (size_t)r->nq);
}

// -0 and 0 are the same state, as in its hash.
static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a == 0.0 && b == 0.0);
}

// Compare numbers of a state from index `first` on.
static void compare_numbers(const Replay* p, const utRecordFrame* frame, const double* x, int count,
                            size_t first, Difference* d)
{
    for (int i = 0; i < count; i++) {
        const double recorded = frame->value[first + (size_t)i];
        if (same_bits(recorded, x[i])) {
            continue;
        }
        if (d->coordinates++ == 0) {
            name_value(&p->run->recording, first + (size_t)i, d->name);
            d->recorded = recorded;
            d->replayed = x[i];
        }
    }
}

static void compare_state(Replay* p, const utRecordFrame* frame)
{
    const utRecording* r = &p->run->recording;
    const utSim* sim = p->run->sim;
    const double time = ut_sim_time(sim);
    const size_t q = 1, v = q + (size_t)r->nq;
    Difference d = {.step = frame->step, .time = frame->time};
    compare_numbers(p, frame, &time, 1, 0, &d);
    compare_numbers(p, frame, ut_sim_q(sim), r->nq, q, &d);
    compare_numbers(p, frame, ut_sim_v(sim), r->nv, v, &d);
    compare_numbers(p, frame, ut_sim_act(sim), r->na, r->values - (size_t)r->na, &d);
    d.found = d.coordinates > 0 || frame->hash != ut_sim_hash(sim);
    p->states++;
    if (d.found) {
        p->difference = d;
    }
}

// ---- simulating ---------------------------------------------------------------------------------

static utStatus out_of_order(const Replay* p, const utRecordFrame* frame, utError* err)
{
    return ut_error_at(err, UT_ERR_FORMAT, p->run->recording.name, 0, 0,
                       "byte %zu: step %llu comes after step %llu", frame->offset,
                       (unsigned long long)frame->step, (unsigned long long)p->steps);
}

// Simulate up to a number of steps, or beyond the time of the recorded state that comes next: a wrong
// number of steps must not keep the replay busy forever.
// @param frame the record that ends there
static utStatus advance(Replay* p, uint64_t steps, const utRecordFrame* frame, utError* err)
{
    utRecording ahead = p->run->recording;
    utRecordFrame state = *frame;
    utError unused;
    while (state.kind != UT_RECORD_STATE && state.kind != UT_RECORD_END &&
           state.kind != UT_RECORD_CUT) {
        if (ut_recording_next(&ahead, &state, &unused) != UT_OK) {
            return UT_OK; // the damage is reported when it is reached
        }
    }
    if (state.kind != UT_RECORD_STATE) {
        return UT_OK; // nothing is left to compare
    }
    const double end = state.time + ut_sim_dt(p->run->sim);
    if (steps < p->steps || steps > state.step) {
        return out_of_order(p, frame, err);
    }
    while (p->steps < steps && !p->difference.found && ut_sim_time(p->run->sim) <= end) {
        const utStatus status = ut_sim_step(p->run->sim, &p->input, NULL, err);
        if (status == UT_ERR_NOT_TAKEN) {
            p->difference = (Difference){.found = true, .not_taken = true, .step = p->steps + 1};
            p->difference.time = ut_sim_time(p->run->sim);
            snprintf(p->difference.reason, sizeof p->difference.reason, "%s", err->message);
            return UT_OK;
        }
        UT_TRY(status);
        p->steps++;
    }
    return UT_OK;
}

static utStatus replay_frame(Replay* p, const utRecordFrame* frame, utError* err)
{
    switch (frame->kind) {
    case UT_RECORD_INPUT:
        UT_TRY(frame->step > 0 ? advance(p, frame->step - 1, frame, err)
                               : out_of_order(p, frame, err));
        p->input = (utInput){
            .ctrl = frame->input.ctrl,
            .force = frame->input.force,
            .applied = frame->input.applied,
            .mocap_pos = frame->input.mocap_pos,
            .mocap_quat = frame->input.mocap_quat,
        };
        return UT_OK;
    case UT_RECORD_STATE:
        UT_TRY(advance(p, frame->step, frame, err));
        if (!p->difference.found) {
            compare_state(p, frame);
        }
        return UT_OK;
    case UT_RECORD_END:
        p->complete = true;
        return UT_OK;
    default:
        return UT_OK;
    }
}

static utStatus replay(Replay* p, utError* err)
{
    utRecording* r = &p->run->recording;
    utRecordFrame frame;
    CliProgress progress = cli_progress_begin();
    utStatus status = UT_OK;
    do {
        status = ut_recording_next(r, &frame, err);
        status = status == UT_OK ? replay_frame(p, &frame, err) : status;
        cli_progress_share(&progress, "replayed", (double)r->at, (double)r->size);
    } while (status == UT_OK && !p->difference.found && frame.kind != UT_RECORD_END &&
             frame.kind != UT_RECORD_CUT);
    cli_progress_end(&progress);
    return status;
}

// ---- the verdict --------------------------------------------------------------------------------

static void print_difference(const Difference* d)
{
    printf("the first difference is at step %" PRIu64 " (t = %.9g s): ", d->step, d->time);
    if (d->not_taken) {
        printf("the run took this step, and the replay does not certify it: %s\n", d->reason);
    } else if (d->coordinates == 0) {
        printf("the recorded hash is not that of the recorded state\n");
    } else {
        printf("%s is %.17g in the recording and %.17g in the replay, a difference of %.3g; "
               "%d coordinate%s\n",
               d->name, d->recorded, d->replayed, d->replayed - d->recorded, d->coordinates,
               d->coordinates == 1 ? " differs" : "s differ");
    }
}

static void print_text(const Replay* p)
{
    const utRecording* r = &p->run->recording;
    printf("%s: model %.*s, steps %" PRIu64 ", states compared %" PRIu64 "%s\n", r->name,
           (int)r->source.size, r->source.data, p->steps, p->states,
           p->complete || p->difference.found ? "" : "; the recording was not closed");
    if (p->difference.found) {
        cli_print_word(stdout, CLI_RED, "differs");
        printf(": ");
        print_difference(&p->difference);
        return;
    }
    cli_print_word(stdout, CLI_GREEN, "equal in every bit");
    printf(", state %016" PRIx64 "\n", ut_sim_hash(p->run->sim));
}

static void json_difference(utJsonWriter* w, const Difference* d)
{
    ut_json_key(w, "first_difference");
    if (!d->found) {
        ut_json_null(w);
        return;
    }
    ut_json_object_begin(w);
    ut_json_key(w, "step");
    ut_json_integer(w, (long long)d->step);
    ut_json_key(w, "time");
    ut_json_number(w, d->time);
    ut_json_key(w, "coordinate");
    if (d->coordinates > 0) {
        ut_json_string(w, d->name);
        ut_json_key(w, "recorded");
        ut_json_number(w, d->recorded);
        ut_json_key(w, "replayed");
        ut_json_number(w, d->replayed);
    } else {
        ut_json_null(w);
    }
    ut_json_key(w, "coordinates");
    ut_json_integer(w, d->coordinates);
    ut_json_key(w, "not_taken");
    ut_json_bool(w, d->not_taken);
    ut_json_object_end(w);
}

static void print_json(const Replay* p)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, ut_sim_hash(p->run->sim));
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, p->run->start.file);
    ut_json_key(&w, "equal");
    ut_json_bool(&w, !p->difference.found);
    ut_json_key(&w, "steps");
    ut_json_integer(&w, (long long)p->steps);
    ut_json_key(&w, "states");
    ut_json_integer(&w, (long long)p->states);
    ut_json_key(&w, "complete");
    ut_json_bool(&w, p->complete);
    ut_json_key(&w, "time");
    ut_json_number(&w, ut_sim_time(p->run->sim));
    ut_json_key(&w, "state_hash");
    ut_json_string(&w, hash);
    json_difference(&w, &p->difference);
    ut_json_object_end(&w);
    putchar('\n');
}

// ---- the verb -----------------------------------------------------------------------------------

static int run(int argc, char** argv)
{
    bool json = false;
    const char* file = NULL;
    const int code = cli_parse(&cli_replay, argc, argv, long_options, set_option, &json, &file);
    if (code != CLI_OK || file == NULL) {
        return code;
    }
    static CliRecordedRun recorded;
    Replay p = {.run = &recorded};
    utError err = {0};
    utStatus status = cli_recorded_open(&cli_replay, file, &recorded, &err);
    if (status == UT_OK) {
        status = cli_recorded_sim(&recorded, &err);
    }
    if (status == UT_OK) {
        status = replay(&p, &err);
    }
    if (status == UT_OK && json) {
        print_json(&p);
    } else if (status == UT_OK) {
        print_text(&p);
    }
    cli_recorded_close(&recorded);
    return status != UT_OK ? cli_fail(&err) : p.difference.found ? CLI_UNSOLVED : CLI_OK;
}

const CliVerb cli_replay = {
    .name = "replay",
    .summary = "simulate a recorded run again and compare it bit for bit",
    .usage = "uptack replay RECORDING [--json]",
    .operand = "RECORDING",
    .help =
        "RECORDING was written by uptack run --record FILE.utr. It holds the model, the options\n"
        "of the run and its inputs. The run is simulated again from its first state, and every\n"
        "recorded state is compared bit for bit. The first step and coordinate that differ are\n"
        "printed. Files of the model above 256 KiB, such as meshes, are not in the recording:\n"
        "they are read again, and must be unchanged. Old recordings hold no model: it is read\n"
        "again too.\n"
        "\n"
        "  --json                print the verdict as JSON\n"
        "  --help, --version\n"
        "\n"
        "A recording that was cut off is compared up to its end.\n"
        "\n"
        "Exit code 0: equal in every bit; 1: the recording or its model cannot be used; 2: usage;\n"
        "3: the replay differs.\n",
    .run = run,
};
