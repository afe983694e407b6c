// SPDX-License-Identifier: Apache-2.0
// The summary of a run, as text and as JSON.
#include "json_members.h"
#include "run/run.h"

#include <inttypes.h>

static double mean_residual(const RunTally* t)
{
    return t->steps.judged > 0 ? t->errors.sum_E / (double)t->steps.judged : 0.0;
}

static double mean_step(const RunTally* t)
{
    return t->steps.taken > 0 ? t->lengths.sum / (double)t->steps.taken : 0.0;
}

static double rate(const RunTally* t)
{
    return t->wall > 0.0 ? (double)t->steps.taken / t->wall : 0.0;
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_rungs(utJsonWriter* w, const char* key, const RunRungs* rungs)
{
    ut_json_key(w, key);
    ut_json_object_begin(w);
    for (int i = 0; i < rungs->count; i++) {
        cli_json_integer(w, rungs->rung[i].name, rungs->rung[i].steps);
    }
    ut_json_object_end(w);
}

// The verdict on the run, and the unsupported physics that the certificate does not cover.
static void json_verdict(utJsonWriter* w, const RunOptions* o, const CliModel* loaded,
                         const RunTally* t)
{
    ut_json_key(w, "certified");
    ut_json_bool(w, t->steps.unsolved == 0 && t->steps.over == 0);
    ut_json_key(w, "reason");
    if (t->steps.unsolved > 0) {
        ut_json_string(w, t->failure.reason);
    } else {
        ut_json_null(w);
    }
    ut_json_key(w, "failing_step");
    if (t->steps.unsolved > 0) {
        ut_json_integer(w, t->failure.step);
        cli_json_number(w, "failing_time", t->failure.time);
        cli_json_text(w, "failing_place", t->failure.place + (t->failure.place[0] == ' '));
        if (t->failure.limit > 0.0) {
            cli_json_number(w, "failing_value", t->failure.value);
            cli_json_number(w, "failing_limit", t->failure.limit);
        }
    } else {
        ut_json_null(w);
    }
    cli_json_integer(w, "flagged_steps", t->steps.flagged);
    cli_json_text(w, "tier", ut_tier_name((utTier)o->start.sim.tier));
    cli_json_integer(w, "steps_above_tolerance", t->steps.over);
    cli_json_integer(w, "sleeping", t->sleeping);
    cli_json_integer(w, "missing_physics", loaded->model->missing);
    cli_json_warnings(w, loaded, o->start.warning);
    ut_json_key(w, "interrupted");
    ut_json_bool(w, t->signal != 0);
}

static void json_places(utJsonWriter* w, const utModel* model, const RunTally* t)
{
    const RunWorsts* worst = &t->errors.worst;
    run_worst_json(w, "max_residual_at", &worst->residual);
    run_worst_json(w, "max_penetration_at", &worst->penetration);
    run_worst_json(w, "max_joint_drift_at", &worst->drift);
    cli_json_number(w, "max_model_gap", worst->model_gap.value);
    run_worst_json(w, "max_model_gap_at", &worst->model_gap);
    cli_json_overlaps(w, model, &t->overlaps);
    ut_json_key(w, "keyframe");
    if (t->keyframe != NULL) {
        ut_json_string(w, t->keyframe);
    } else {
        ut_json_null(w);
    }
}

void run_print_json(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* t)
{
    const utModel* model = ut_sim_model(sim);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, ut_sim_hash(sim));
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    cli_json_text(&w, "model", o->start.file);
    cli_json_integer(&w, "steps", t->steps.taken);
    cli_json_number(&w, "time", ut_sim_time(sim));
    cli_json_number(&w, "dt", ut_sim_dt(sim));
    cli_json_integer(&w, "bodies", model->nbody - 1);
    cli_json_integer(&w, "dof", model->nv);
    cli_json_text(&w, "formulation", cli_formulation(&o->start, model));
    cli_json_text(&w, "solver", cli_solver(&o->start, model));
    cli_json_integer(&w, "max_contacts", t->max_contacts);
    cli_json_number(&w, "max_residual", t->errors.worst.residual.value);
    cli_json_number(&w, "mean_residual", mean_residual(t));
    cli_json_number(&w, "max_residual_mps", t->errors.max_e);
    cli_json_integer(&w, "unsolved_steps", t->steps.unsolved);
    json_rungs(&w, "fallback_steps", &t->fallbacks);
    json_rungs(&w, "rungs", &t->rungs);
    cli_json_number(&w, "max_penetration", t->errors.worst.penetration.value);
    cli_json_number(&w, "max_joint_drift", t->errors.worst.drift.value);
    cli_json_number(&w, "max_cone_violation", t->errors.max_cone);
    cli_json_number(&w, "energy_start", t->energy.start);
    cli_json_number(&w, "energy_end", t->energy.end);
    cli_json_number(&w, "energy_gain", t->energy.ledger.gain);
    cli_json_number(&w, "wall_s", t->wall);
    cli_json_number(&w, "steps_per_s", rate(t));
    cli_json_text(&w, "state_hash", hash);
    run_impacts_json(&w, model, &t->impacts);
    cli_json_number(&w, "step_min", t->lengths.shortest);
    cli_json_number(&w, "step_mean", mean_step(t));
    cli_json_number(&w, "step_max", t->lengths.longest);
    json_verdict(&w, o, loaded, t);
    json_places(&w, model, t);
    cli_json_missing(&w, loaded->model);
    run_impacts_first_json(&w, model, &t->impacts);
    run_reactions_json(&w, &t->reactions);
    ut_json_object_end(&w);
    putchar('\n');
}

// ---- warnings -----------------------------------------------------------------------------------

void run_warn_energy(const RunOptions* o, const utSim* sim, const RunTally* t)
{
    if (!ut_energy_ledger_gained(&t->energy.ledger)) {
        return;
    }
    const int asked = o->start.sim.integrator;
    const utModel* model = ut_sim_model(sim);
    const utIntegrator integrator = asked >= 0 ? (utIntegrator)asked : model->options.integrator;
    const bool first_order =
        integrator == UT_INTEGRATOR_EULER || integrator == UT_INTEGRATOR_IMPLICIT;
    const bool overlaps = t->energy.ledger.projected > 0.5 * t->energy.ledger.gain;
    fprintf(stderr, "%s: ", cli_file_name(o->start.file));
    cli_print_word(stderr, CLI_YELLOW, "warning:");
    fprintf(stderr, " the run gained %.3g J that no force put in, %s; ", t->energy.ledger.gain,
            overlaps ? "most of it when overlaps were removed"
                     : "more than a tenth of its largest kinetic energy");
    fprintf(stderr, "%s\n",
            cli_is_budget(&o->start)
                ? "more sweeps (--budget=N) or a smaller --dt keep the energy better"
            : overlaps ? "a smaller --dt or ut:contact relinearize=\"4\" helps"
            : first_order
                ? "--integrator RK4 or midpoint, or a smaller --dt, keeps the energy better"
                : "a smaller --dt keeps the energy better");
}

// ---- text ---------------------------------------------------------------------------------------

// The last line: how many steps are certified, and which physics the model lacks.
static void print_verdict(const RunOptions* o, const CliModel* loaded, const RunTally* t)
{
    const bool lacks = loaded->model->missing > 0;
    char text[128];
    if (t->steps.unsolved == 0 && t->steps.over > 0) {
        const double tolerance = o->start.sim.tolerance > 0.0 ? o->start.sim.tolerance
                                                              : loaded->model->options.tolerance;
        snprintf(text, sizeof text, "tier budget: largest E %.2g, %lld of %lld steps above %.0e",
                 t->errors.worst.residual.value, t->steps.over, t->steps.judged, tolerance);
        cli_print_word(stdout, CLI_YELLOW, text);
        printf("%s; all other tests passed",
               loaded->model->nequality > 0 ? " (equalities: 1e-09)" : "");
    } else if (t->steps.unsolved == 0) {
        snprintf(text, sizeof text, "all %lld steps certified", t->steps.taken);
        cli_print_word(stdout, lacks ? CLI_YELLOW : CLI_GREEN, text);
    } else {
        snprintf(text, sizeof text, "%lld of %lld steps not certified", t->steps.unsolved,
                 t->steps.judged);
        cli_print_word(stdout, CLI_RED, text);
        printf(", the first is step %lld: %s%s", t->failure.step, t->failure.reason,
               t->failure.place);
    }
    if (t->steps.flagged > 0) {
        printf(", %lld of them flagged", t->steps.flagged);
    }
    if (t->signal != 0) {
        printf(", interrupted");
    }
    if (lacks) {
        printf(" for the model without: ");
        cli_print_missing(stdout, loaded->model);
    }
    putchar('\n');
}

static void print_start(const RunTally* t, const utModel* model)
{
    CliName room;
    if (t->keyframe != NULL) {
        printf("start       keyframe %s\n", t->keyframe);
    } else if (model->nkeyframe > 0) {
        printf("start       the modelled pose; --key selects a keyframe:");
        for (int k = 0; k < model->nkeyframe; k++) {
            printf("%s %s", k > 0 ? "," : "", cli_name(model->keyframe[k].name, "key", k, &room));
        }
        putchar('\n');
    }
}

static void print_rungs(const char* what, const RunRungs* rungs)
{
    if (rungs->count == 0) {
        return;
    }
    printf("%-11s", what);
    for (int i = 0; i < rungs->count; i++) {
        printf("%s %s %lld", i > 0 ? "," : "", rungs->rung[i].name, rungs->rung[i].steps);
    }
    putchar('\n');
}

// The errors. Polygonal formulations also report their distance from the circular cone.
static void print_residual(const RunTally* t)
{
    const RunWorsts* worst = &t->errors.worst;
    printf("E           at most %.3g", worst->residual.value);
    run_worst_print(&worst->residual);
    printf(", mean %.3g; %.3g m/s\n", mean_residual(t), t->errors.max_e);
    if (worst->model_gap.step > 0) {
        printf("model gap   %.3g: E with the circular friction cone", worst->model_gap.value);
        run_worst_print(&worst->model_gap);
        putchar('\n');
    }
}

static void print_worst(const char* what, const RunWorst* worst)
{
    printf("%-11s %.3g m", what, worst->value);
    run_worst_print(worst);
    putchar('\n');
}

void run_print_text(const RunOptions* o, const CliModel* loaded, const utSim* sim,
                    const RunTally* t)
{
    const utModel* model = ut_sim_model(sim);
    const RunWorsts* worst = &t->errors.worst;
    printf("%s: bodies %d, degrees of freedom %d, contacts at most %d\n",
           cli_file_name(o->start.file), model->nbody - 1, model->nv, t->max_contacts);
    printf("contact     %s, solver %s\n", cli_formulation(&o->start, model),
           cli_solver(&o->start, model));
    print_start(t, model);
    cli_print_overlaps(stdout, model, &t->overlaps);
    printf("steps       %lld", t->steps.taken);
    if (t->steps.planned > 0) {
        printf(" of %lld", t->steps.planned);
    }
    putchar('\n');
    printf("time        %.9g s, dt %.6g s\n", ut_sim_time(sim), ut_sim_dt(sim));
    if (o->start.sim.adaptive > 0.0) {
        printf("adaptive    %.3g: steps of %.3g to %.3g s, mean %.3g s\n", o->start.sim.adaptive,
               t->lengths.shortest, t->lengths.longest, mean_step(t));
    }
    print_residual(t);
    run_impacts_print(model, &t->impacts);
    print_rungs("rungs", &t->rungs);
    print_rungs("flagged", &t->fallbacks);
    print_worst("penetration", &worst->penetration);
    if (model->nequality > 0) {
        print_worst("drift", &worst->drift);
    }
    printf("cone        %.3g\n", t->errors.max_cone);
    if (o->start.sim.sleep) {
        printf("sleeping    %d of %d bodies%s\n", t->sleeping, model->nbody - 1,
               t->sleeping > 0 ? ", certified when they fell asleep" : "");
    }
    printf("energy      %.9g J, %.9g J at the start\n", t->energy.end, t->energy.start);
    if (ut_energy_ledger_gained(&t->energy.ledger)) {
        printf("gained      %.4g J that no force put in\n", t->energy.ledger.gain);
    }
    printf("speed       %.4g steps/s, %.3g s\n", rate(t), t->wall);
    printf("state       %016" PRIx64 "\n", ut_sim_hash(sim));
    print_verdict(o, loaded, t);
}
