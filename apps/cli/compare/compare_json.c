// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON, and as a table of bodies.
#include "compare/compare.h"
#include "json_members.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- members ------------------------------------------------------------------------------------

// A step number, or null for none.
static void step(utJsonWriter* w, const char* key, long long value)
{
    ut_json_key(w, key);
    if (value > 0) {
        ut_json_integer(w, value);
    } else {
        ut_json_null(w);
    }
}

// ---- a case -------------------------------------------------------------------------------------

static void difference(utJsonWriter* w, const CompareCase* item, const CompareDifference* d)
{
    cli_json_number(w, "position_max", d->position);
    cli_json_number(w, "position_rms", compare_rms(item, d->position_squares));
    cli_json_number(w, "position_end", d->end);
    cli_json_number(w, "velocity_max", d->velocity);
    cli_json_number(w, "velocity_rms", compare_rms(item, d->velocity_squares));
    cli_json_number(w, "velocity_end", d->end_velocity);
    cli_json_number(w, "rotation_max", d->turn);
    cli_json_number(w, "angular_velocity_max", d->spin);
    step(w, "first_apart", d->first_apart);
}

static void vector(utJsonWriter* w, const char* key, utVec3 x)
{
    ut_json_key(w, key);
    ut_json_doubles(w, (double[]){x.x, x.y, x.z}, 3);
}

static void bodies(utJsonWriter* w, const CompareCase* item)
{
    const utModel* model = item->loaded->model;
    ut_json_key(w, "bodies");
    ut_json_array_begin(w);
    for (int b = 1; b < model->nbody; b++) {
        CliName room;
        ut_json_object_begin(w);
        cli_json_text(w, "name", cli_name(model->body[b].name, "body", b, &room));
        vector(w, "position", item->now[b].com);
        vector(w, "velocity", item->now[b].velocity);
        vector(w, "angular_velocity", item->now[b].angular);
        if (item->compared > 0) {
            difference(w, item, &item->body[b]);
        }
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void verdicts(utJsonWriter* w, const CompareVerdicts* v)
{
    ut_json_key(w, "verdicts");
    ut_json_object_begin(w);
    for (int s = 0; s < UT_CONTACT_STATE_COUNT; s++) {
        cli_json_integer(w, ut_contact_state_name((utContactState)s), v->count[s]);
    }
    cli_json_integer(w, "different", v->different);
    step(w, "first_different", v->first_different);
    ut_json_object_end(w);
}

static void contacts(utJsonWriter* w, const CompareCase* item)
{
    const utModel* model = item->loaded->model;
    ut_json_key(w, "contacts");
    ut_json_array_begin(w);
    for (int k = 0; k < item->contacts.count; k++) {
        const CompareContact* contact = &item->contacts.at[k];
        CliName room;
        ut_json_object_begin(w);
        cli_json_text(w, "geom1", cli_side_name(model, contact->geom1, &room));
        cli_json_text(w, "geom2", cli_side_name(model, contact->geom2, &room));
        cli_json_text(w, "state", ut_contact_state_name(contact->state));
        cli_json_number(w, "mu", contact->mu);
        ut_json_key(w, "impulse");
        ut_json_doubles(w, contact->r, 3);
        ut_json_key(w, "velocity");
        ut_json_doubles(w, contact->u, 3);
        // peiret-acceleration has accelerations here
        const bool speeds = !ut_formulation_traits(item->formulation)->acceleration;
        cli_json_number(w, "lambda", speeds ? compare_lambda(item, contact) : (double)NAN);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void system_of(utJsonWriter* w, const CompareSystem* s)
{
    ut_json_key(w, "system");
    if (!s->known) {
        ut_json_null(w);
        return;
    }
    ut_json_object_begin(w);
    cli_json_integer(w, "step", s->step);
    cli_json_integer(w, "rows", s->rows);
    cli_json_integer(w, "rank", s->rank);
    if (s->unknowns > 0) {
        cli_json_integer(w, "lcp_unknowns", s->unknowns);
        cli_json_integer(w, "lcp_rank", s->lcp_rank);
        cli_json_number(w, "lcp_condition", s->condition);
    }
    ut_json_object_end(w);
}

static void add_text(void* context, const char* confounder)
{
    ut_json_string(context, confounder);
}

static void settings(utJsonWriter* w, const CompareCase* item)
{
    cli_json_text(w, "formulation", ut_formulation_name(item->formulation));
    cli_json_text(w, "solver", compare_solver(item));
    ut_json_key(w, "directions");
    if (compare_is_polygon(item)) {
        ut_json_integer(w, compare_directions(item));
    } else {
        ut_json_null(w);
    }
    cli_json_number(w, "rho", compare_rho(item));
}

static void figures(utJsonWriter* w, const Compare* c, const CompareCase* item)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, ut_sim_hash(item->sim));
    cli_json_number(w, "dt", ut_sim_dt(item->sim));
    cli_json_text(w, "integrator", ut_integrator_name(item->integrator));
    cli_json_integer(w, "steps", item->steps);
    cli_json_integer(w, "unsolved_steps", item->unsolved);
    cli_json_integer(w, "flagged_steps", item->flagged);
    cli_json_number(w, "max_residual", item->max_E);
    cli_json_number(w, "mean_residual", item->steps > 0 ? item->sum_E / (double)item->steps : 0.0);
    cli_json_number(w, "max_model_gap", item->max_model_gap);
    cli_json_integer(w, "max_contacts", item->max_contacts);
    cli_json_integer(w, "factorizations", item->factorizations);
    cli_json_number(w, "wall_s", item->wall);
    cli_json_number(w, "energy_start", item->energy_start);
    cli_json_number(w, "energy_end", item->energy_end);
    cli_json_number(w, "energy_gain", item->ledger.gain);
    cli_json_text(w, "state_hash", hash);
    ut_json_key(w, "difference");
    if (item->compared > 0) {
        const CompareDifference most = compare_largest(item);
        ut_json_object_begin(w);
        cli_json_integer(w, "steps", item->compared);
        difference(w, item, &most);
        ut_json_object_end(w);
    } else {
        ut_json_null(w);
    }
    bodies(w, item);
    verdicts(w, &item->verdicts);
    system_of(w, &item->system);
    if (c->options->one_step) {
        contacts(w, item);
    }
}

static void convergence(utJsonWriter* w, const Compare* c, const CompareCase* item)
{
    const CompareCase* half = compare_halved(c, item);
    cli_json_number(w, "distance_to_half_step",
                    half != NULL ? compare_apart(item, half) : (double)NAN);
    cli_json_number(w, "order", compare_order(c, item));
}

static void one_case(utJsonWriter* w, const Compare* c, const CompareCase* item)
{
    ut_json_object_begin(w);
    settings(w, item);
    cli_json_bool(w, "reference", c->reference >= 0 && item == &c->item[c->reference]);
    cli_json_text(w, "outcome", compare_end_name(item->end));
    cli_json_text(w, "reason", item->reason[0] != '\0' ? item->reason : NULL);
    if (item->sim != NULL) {
        figures(w, c, item);
        if (c->options->halve > 0) {
            convergence(w, c, item);
        }
        ut_json_key(w, "confounders");
        ut_json_array_begin(w);
        compare_confounders(c, item, add_text, w);
        ut_json_array_end(w);
    }
    ut_json_object_end(w);
}

// ---- bracket ------------------------------------------------------------------------------------

static void level(utJsonWriter* w, const CompareLevel* l)
{
    ut_json_object_begin(w);
    cli_json_integer(w, "edges", l->edges);
    cli_json_number(w, "friction_low", l->low);
    cli_json_number(w, "friction_high", l->high);
    cli_json_bool(w, "ran", l->ran);
    cli_json_text(w, "reason", l->ran ? NULL : l->reason);
    if (l->ran) {
        cli_json_number(w, "width", l->width);
        cli_json_number(w, "inside_to_circle", l->inside);
        cli_json_number(w, "outside_to_circle", l->outside);
        cli_json_number(w, "moved_inside", l->moved[0]);
        cli_json_number(w, "moved_circle", l->moved[1]);
        cli_json_number(w, "moved_outside", l->moved[2]);
        cli_json_integer(w, "different_verdicts", l->verdicts);
    }
    ut_json_object_end(w);
}

static void bracket_of(utJsonWriter* w, const Compare* c, const CompareBracket* bracket)
{
    ut_json_key(w, "bracket");
    ut_json_object_begin(w);
    cli_json_bool(w, "agree", bracket->agree);
    cli_json_number(w, "tolerance", c->options->bracket);
    cli_json_number(w, "scale", bracket->scale);
    ut_json_key(w, "levels");
    ut_json_array_begin(w);
    for (int k = 0; k < bracket->levels; k++) {
        level(w, &bracket->level[k]);
    }
    ut_json_array_end(w);
    ut_json_object_end(w);
}

// ---- all ----------------------------------------------------------------------------------------

void compare_print_json(const Compare* c, const CompareBracket* bracket)
{
    const CompareOptions* o = c->options;
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    cli_json_text(&w, "model", o->start.file);
    cli_json_text(&w, "mode", bracket != NULL ? "bracket" : o->one_step ? "one-step" : "run");
    cli_json_text(&w, "against",
                  c->recording.used ? o->against
                                    : ut_formulation_name(c->item[c->reference].formulation));
    cli_json_text(&w, "note", c->note[0] != '\0' ? c->note : NULL);
    cli_json_number(&w, "dt", c->dt);
    cli_json_integer(&w, "steps_before", o->one_step ? o->step : 0);
    cli_json_integer(&w, "planned_steps", c->planned);
    cli_json_integer(&w, "steps", c->done);
    cli_json_number(&w, "apart", o->apart);
    if (bracket != NULL) {
        bracket_of(&w, c, bracket);
    } else {
        ut_json_key(&w, "cases");
        ut_json_array_begin(&w);
        for (int k = 0; k < c->cases; k++) {
            one_case(&w, c, &c->item[k]);
        }
        ut_json_array_end(&w);
    }
    cli_json_warnings(&w, &c->model[0], NULL);
    cli_json_bool(&w, "interrupted", c->signal != 0);
    ut_json_object_end(&w);
    putchar('\n');
}
