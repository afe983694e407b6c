// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON, and as a table of bodies.
#include "compare.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- members ------------------------------------------------------------------------------------

static void number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void integer(utJsonWriter* w, const char* key, long long value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

static void text(utJsonWriter* w, const char* key, const char* value)
{
    ut_json_key(w, key);
    ut_json_string(w, value);
}

static void boolean(utJsonWriter* w, const char* key, bool value)
{
    ut_json_key(w, key);
    ut_json_bool(w, value);
}

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
    number(w, "position_max", d->position);
    number(w, "position_rms", compare_rms(item, d->position_squares));
    number(w, "position_end", d->end);
    number(w, "velocity_max", d->velocity);
    number(w, "velocity_rms", compare_rms(item, d->velocity_squares));
    number(w, "velocity_end", d->end_velocity);
    number(w, "rotation_max", d->turn);
    number(w, "angular_velocity_max", d->spin);
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
        text(w, "name", cli_name(model->body[b].name, "body", b, &room));
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
        integer(w, ut_contact_state_name((utContactState)s), v->count[s]);
    }
    integer(w, "different", v->different);
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
        text(w, "geom1", cli_side_name(model, contact->geom1, &room));
        text(w, "geom2", cli_side_name(model, contact->geom2, &room));
        text(w, "state", ut_contact_state_name(contact->state));
        number(w, "mu", contact->mu);
        ut_json_key(w, "impulse");
        ut_json_doubles(w, contact->r, 3);
        ut_json_key(w, "velocity");
        ut_json_doubles(w, contact->u, 3);
        // peiret-acceleration has accelerations here
        const bool speeds = !ut_formulation_traits(item->formulation)->acceleration;
        number(w, "lambda", speeds ? compare_lambda(item, contact) : (double)NAN);
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
    integer(w, "step", s->step);
    integer(w, "rows", s->rows);
    integer(w, "rank", s->rank);
    if (s->unknowns > 0) {
        integer(w, "lcp_unknowns", s->unknowns);
        integer(w, "lcp_rank", s->lcp_rank);
        number(w, "lcp_condition", s->condition);
    }
    ut_json_object_end(w);
}

static void add_text(void* context, const char* confounder)
{
    ut_json_string(context, confounder);
}

static void settings(utJsonWriter* w, const CompareCase* item)
{
    text(w, "formulation", ut_formulation_name(item->formulation));
    text(w, "solver", compare_solver(item));
    ut_json_key(w, "directions");
    if (compare_is_polygon(item)) {
        ut_json_integer(w, compare_directions(item));
    } else {
        ut_json_null(w);
    }
    number(w, "rho", compare_rho(item));
}

static void figures(utJsonWriter* w, const Compare* c, const CompareCase* item)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, ut_sim_hash(item->sim));
    number(w, "dt", ut_sim_dt(item->sim));
    text(w, "integrator", ut_integrator_name(item->integrator));
    integer(w, "steps", item->steps);
    integer(w, "unsolved_steps", item->unsolved);
    integer(w, "flagged_steps", item->flagged);
    number(w, "max_residual", item->max_E);
    number(w, "mean_residual", item->steps > 0 ? item->sum_E / (double)item->steps : 0.0);
    number(w, "max_model_gap", item->max_model_gap);
    integer(w, "max_contacts", item->max_contacts);
    integer(w, "factorizations", item->factorizations);
    number(w, "wall_s", item->wall);
    number(w, "energy_start", item->energy_start);
    number(w, "energy_end", item->energy_end);
    number(w, "energy_gain", item->ledger.gain);
    text(w, "state_hash", hash);
    ut_json_key(w, "difference");
    if (item->compared > 0) {
        const CompareDifference most = compare_largest(item);
        ut_json_object_begin(w);
        integer(w, "steps", item->compared);
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
    number(w, "distance_to_half_step", half != NULL ? compare_apart(item, half) : (double)NAN);
    number(w, "order", compare_order(c, item));
}

static void one_case(utJsonWriter* w, const Compare* c, const CompareCase* item)
{
    ut_json_object_begin(w);
    settings(w, item);
    boolean(w, "reference", c->reference >= 0 && item == &c->item[c->reference]);
    text(w, "outcome", compare_end_name(item->end));
    text(w, "reason", item->reason[0] != '\0' ? item->reason : NULL);
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
    integer(w, "edges", l->edges);
    number(w, "friction_low", l->low);
    number(w, "friction_high", l->high);
    boolean(w, "ran", l->ran);
    text(w, "reason", l->ran ? NULL : l->reason);
    if (l->ran) {
        number(w, "width", l->width);
        number(w, "inside_to_circle", l->inside);
        number(w, "outside_to_circle", l->outside);
        number(w, "moved_inside", l->moved[0]);
        number(w, "moved_circle", l->moved[1]);
        number(w, "moved_outside", l->moved[2]);
        integer(w, "different_verdicts", l->verdicts);
    }
    ut_json_object_end(w);
}

static void bracket_of(utJsonWriter* w, const Compare* c, const CompareBracket* bracket)
{
    ut_json_key(w, "bracket");
    ut_json_object_begin(w);
    boolean(w, "agree", bracket->agree);
    number(w, "tolerance", c->options->bracket);
    number(w, "scale", bracket->scale);
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
    text(&w, "model", o->start.file);
    text(&w, "mode", bracket != NULL ? "bracket" : o->one_step ? "one-step" : "run");
    text(&w, "against",
         c->recording.used ? o->against : ut_formulation_name(c->item[c->reference].formulation));
    text(&w, "note", c->note[0] != '\0' ? c->note : NULL);
    number(&w, "dt", c->dt);
    integer(&w, "steps_before", o->one_step ? o->step : 0);
    integer(&w, "planned_steps", c->planned);
    integer(&w, "steps", c->done);
    number(&w, "apart", o->apart);
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
    boolean(&w, "interrupted", c->signal != 0);
    ut_json_object_end(&w);
    putchar('\n');
}
