// SPDX-License-Identifier: Apache-2.0
// A comparison as text.
#include "compare/compare.h"

#include <math.h>
#include <string.h>

// ---- cells --------------------------------------------------------------------------------------

enum { CELL = 32 };

// A number with two digits; "0" and "-" for no number.
static const char* cell(double value, char room[CELL])
{
    if (isnan(value)) {
        snprintf(room, CELL, "-");
    } else {
        snprintf(room, CELL, value == 0.0 ? "0" : "%.1e", value);
    }
    return room;
}

static int label_width(const Compare* c)
{
    int width = 11; // "formulation"
    for (int k = 0; k < c->cases; k++) {
        char label[128];
        compare_label(c, &c->item[k], label, sizeof label);
        width = (int)strlen(label) > width ? (int)strlen(label) : width;
    }
    return width;
}

static void print_label(const Compare* c, const CompareCase* item, int width)
{
    char label[128];
    compare_label(c, item, label, sizeof label);
    printf("%-*s", width + 2, label);
}

// Print text of any length in lines, each after the indentation.
static void print_wrapped(const char* text, int indent)
{
    int column = indent;
    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");
        if (column + word > 100 && column > indent) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        printf("%.*s", word, text);
        text += word;
        column += word;
        if (*text == ' ') {
            text++;
            column++;
            if (column + (int)strcspn(text, " ") <= 100) {
                putchar(' ');
            }
        }
    }
    putchar('\n');
}

// ---- differences --------------------------------------------------------------------------------

static const char* body_name(const CompareCase* item, int body, CliName* room)
{
    return cli_name(item->loaded->model->body[body].name, "body", body, room);
}

// The body with the largest difference of positions, or of velocities; 0: no body differs.
static int worst_body(const CompareCase* item, bool velocities)
{
    int worst = 0;
    double most = 0.0;
    for (int b = 1; b < item->loaded->model->nbody; b++) {
        const double value = velocities ? item->body[b].velocity : item->body[b].position;
        if (!(value <= most)) {
            most = value;
            worst = b;
        }
    }
    return worst;
}

// Print the number of a step. @param none stands for no step
static void print_step(long long step, const char* none, int width)
{
    if (step > 0) {
        printf(" %*lld", width, step);
    } else {
        printf(" %*s", width, none);
    }
}

static void print_errors(const CompareCase* item)
{
    char room[2][CELL];
    printf("  %8s  %9s\n", cell(item->max_E, room[0]),
           compare_is_polygon(item) || item->formulation == UT_FORMULATION_CONVEX
               ? cell(item->max_model_gap, room[1])
               : "-");
}

static void print_difference(const Compare* c, const CompareCase* item, int width)
{
    char room[4][CELL];
    CliName name;
    print_label(c, item, width);
    if (item->end == COMPARE_REFUSED) {
        printf("refused: ");
        print_wrapped(item->reason, width + 2);
        return;
    }
    printf("%6lld", item->steps);
    if (c->reference >= 0 && item == &c->item[c->reference]) {
        printf("  %-58s", "reference");
    } else if (item->compared == 0) {
        printf("  %-58s", item->end == COMPARE_STOPPED ? "stopped, see below" : "not compared");
    } else {
        const CompareDifference most = compare_largest(item);
        const int body = worst_body(item, c->options->one_step);
        printf("  %8s %8s  %8s %8s", cell(most.position, room[0]),
               cell(compare_rms(item, most.position_squares), room[1]),
               cell(most.velocity, room[2]),
               cell(compare_rms(item, most.velocity_squares), room[3]));
        print_step(most.first_apart, "never", 7);
        printf("  %-13.13s", body > 0 ? body_name(item, body, &name) : "-");
    }
    print_errors(item);
}

static void print_differences(const Compare* c, int width)
{
    printf("%-*s%6s  %8s %8s  %8s %8s  %6s  %-13s  %8s  %9s\n", width + 2, "", "", "position", "",
           "velocity", "", "first", "worst", "", "");
    printf("%-*s%6s  %8s %8s  %8s %8s  %6s  %-13s  %8s  %9s\n", width + 2, "formulation", "steps",
           "max, m", "RMS, m", "max, m/s", "RMS, m/s", "apart", "body", "max E", "model gap");
    for (int k = 0; k < c->cases; k++) {
        print_difference(c, &c->item[k], width);
    }
}

// ---- verdicts, rank, cost -----------------------------------------------------------------------

static void print_system(const CompareSystem* system)
{
    char text[CELL] = "-", lcp[CELL] = "-", room[CELL];
    if (system->known) {
        snprintf(text, sizeof text, "%d/%d", system->rank, system->rows);
    }
    if (system->unknowns > 0) {
        snprintf(lcp, sizeof lcp, "%d/%d", system->lcp_rank, system->unknowns);
    }
    printf("  %9s  %9s %8s", text, lcp, system->unknowns > 0 ? cell(system->condition, room) : "-");
}

static void print_costs(const Compare* c, int width)
{
    printf("\n%-*s%31s  %7s %6s  %9s  %9s %8s  %8s %8s\n", width + 2, "",
           "contacts x steps               ", "differ", "first", "rank J", "rank LCP", "condi-",
           "factori-", "time");
    printf("%-*s%7s %7s %7s %7s  %7s %6s  %9s  %9s %8s  %8s %8s\n", width + 2, "", "open", "stick",
           "slip", "impact", "", "step", "of rows", "unknowns", "tion", "zations", "us/step");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        if (item->end == COMPARE_REFUSED) {
            continue;
        }
        const CompareVerdicts* v = &item->verdicts;
        print_label(c, item, width);
        for (int s = 0; s < UT_CONTACT_STATE_COUNT; s++) {
            printf("%7lld%s", v->count[s], s + 1 < UT_CONTACT_STATE_COUNT ? " " : "");
        }
        printf("  %7lld", v->different);
        print_step(v->first_different, "-", 6);
        print_system(&item->system);
        printf("  %8lld %8.3g\n", item->factorizations,
               item->steps > 0 ? 1e6 * item->wall / (double)item->steps : 0.0);
    }
}

// ---- by body ------------------------------------------------------------------------------------

enum { MOST_BODIES = 6 };

static void print_bodies(const Compare* c, int width)
{
    const int bodies = c->model[0].model->nbody - 1;
    if (bodies < 2) {
        return;
    }
    printf("\nby body%s\n",
           bodies > MOST_BODIES ? " (the first six; --csv and --json have all)" : "");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        if (item->compared == 0 || k == c->reference) {
            continue;
        }
        for (int b = 1; b <= bodies && b <= MOST_BODIES; b++) {
            const CompareDifference* d = &item->body[b];
            char room[4][CELL];
            CliName name;
            if (b == 1) {
                print_label(c, item, width);
            } else {
                printf("%-*s", width + 2, "");
            }
            printf(
                "%-16.16s %8s %8s  %8s %8s", body_name(item, b, &name), cell(d->position, room[0]),
                cell(compare_rms(item, d->position_squares), room[1]), cell(d->velocity, room[2]),
                cell(compare_rms(item, d->velocity_squares), room[3]));
            print_step(d->first_apart, "never", 7);
            putchar('\n');
        }
    }
}

// ---- contacts of one step -----------------------------------------------------------------------

static void print_contact(const CompareCase* item, const CompareContact* k)
{
    CliName one, two;
    char pair[64];
    const utModel* model = item->loaded->model;
    snprintf(pair, sizeof pair, "%.28s/%.28s", cli_side_name(model, k->geom1, &one),
             cli_side_name(model, k->geom2, &two));
    char room[2][CELL];
    const bool speeds = !ut_formulation_traits(item->formulation)->acceleration;
    printf("%-22.22s %-6s %12.5g %12.5g %12.5g  %9s  %9s\n", pair, ut_contact_state_name(k->state),
           k->r[0], k->r[1], k->r[2], speeds ? cell(hypot(k->u[1], k->u[2]), room[0]) : "-",
           speeds ? cell(compare_lambda(item, k), room[1]) : "-");
}

static void print_contacts(const Compare* c, int width)
{
    printf("\n%-*s%-22s %-6s %12s %12s %12s  %9s  %9s\n", width + 2, "contacts", "", "state",
           "r_n, N s", "r_t1, N s", "r_t2, N s", "slip, m/s", "lambda");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        for (int i = 0; item->end == COMPARE_RAN && i < item->contacts.count; i++) {
            if (i == 0) {
                print_label(c, item, width);
            } else {
                printf("%-*s", width + 2, "");
            }
            print_contact(item, &item->contacts.at[i]);
        }
    }
}

// ---- reasons ------------------------------------------------------------------------------------

typedef struct Lines {
    int count;
    int indent;
} Lines;

static void print_confounder(void* context, const char* text)
{
    Lines* lines = context;
    if (lines->count++ > 0) {
        printf("%*s", lines->indent, "");
    }
    print_wrapped(text, lines->indent);
}

// Is there an earlier case of the same formulation in the list of confounders?
static bool is_listed(const Compare* c, int index)
{
    for (int k = 0; k < index; k++) {
        if (k != c->reference && c->item[k].sim != NULL &&
            c->item[k].formulation == c->item[index].formulation) {
            return true;
        }
    }
    return false;
}

static void print_confounders(const Compare* c, int width)
{
    printf("\nnot only the law of friction differs from the reference\n");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        Lines lines = {.indent = width + 2};
        if (item->sim == NULL || k == c->reference || is_listed(c, k)) {
            continue;
        }
        printf("%-*s", width + 2, ut_formulation_name(item->formulation));
        compare_confounders(c, item, print_confounder, &lines);
        if (lines.count == 0) {
            printf("nothing else\n");
        }
    }
}

static void print_stops(const Compare* c)
{
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        char label[128];
        if (item->end == COMPARE_STOPPED) {
            compare_label(c, item, label, sizeof label);
            cli_print_word(stdout, CLI_RED, label);
            printf(" stopped: %s\n", item->reason);
        } else if (item->unsolved > 0) {
            compare_label(c, item, label, sizeof label);
            cli_print_word(stdout, CLI_RED, label);
            printf(": %lld of %lld steps are not certified\n", item->unsolved, item->steps);
        }
    }
}

// ---- convergence --------------------------------------------------------------------------------

static void print_orders(const Compare* c, int width)
{
    char room[CELL];
    printf("\nconvergence: distance of bodies at the end to the run with half the step\n");
    printf("%-*s%10s  %10s  %6s\n", width + 2, "", "h, s", "m", "order");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        const CompareCase* half = compare_halved(c, item);
        const double order = compare_order(c, item);
        if (half == NULL) {
            continue;
        }
        print_label(c, item, width);
        printf("%10.4g  %10s  ", ut_sim_dt(item->sim), cell(compare_apart(item, half), room));
        if (isnan(order)) {
            printf("%6s\n", "-");
        } else {
            printf("%6.2f\n", order);
        }
    }
}

// ---- bracket ------------------------------------------------------------------------------------

static void print_bracket(const Compare* c, const CompareBracket* b)
{
    const CompareOptions* o = c->options;
    const char* unit = o->one_step ? "m/s" : "m";
    printf("bracket of friction: stewart-trinkle inside the circle, peiret outside\n\n");
    printf("%5s  %19s  %30s  %9s  %9s %9s  %8s\n", "edges", "friction / mu",
           o->one_step ? "largest change of velocity, m/s" : "largest displacement, m", "width",
           "inside -", "outside -", "verdicts");
    printf("%5s  %9s %9s  %9s %9s %9s   %9s  %9s %9s  %8s\n", "", "at least", "at most", "inside",
           "circle", "outside", "", "circle", "circle", "differ");
    for (int k = 0; k < b->levels; k++) {
        const CompareLevel* level = &b->level[k];
        char room[3][CELL];
        printf("%5d  %9.6f %9.6f  ", level->edges, level->low, level->high);
        if (!level->ran) {
            printf("%s\n", level->reason);
            continue;
        }
        printf("%9.4g %9.4g %9.4g   %9s  %9s %9s  %8lld\n", level->moved[0], level->moved[1],
               level->moved[2], cell(level->width, room[0]), cell(level->inside, room[1]),
               cell(level->outside, room[2]), level->verdicts);
    }
    printf("\nwidths are in parts of %.4g %s\n", b->scale, unit);
    const CompareLevel* last = &b->level[b->levels - 1];
    if (b->agree) {
        cli_print_word(stdout, CLI_GREEN, "both sides agree");
        printf(" within %g from %d edges on\n", o->bracket, last->edges);
    } else {
        cli_print_word(stdout, CLI_RED, "both sides do not agree");
        printf(" within %g up to %d edges%s\n", o->bracket, last->edges,
               last->ran ? ": the motion depends on friction finer than these polygons"
                         : ", because a side did not finish");
    }
}

// ---- all ----------------------------------------------------------------------------------------

static void print_head(const Compare* c)
{
    const CompareOptions* o = c->options;
    const utModel* model = c->model[0].model;
    printf("%s: bodies %d, degrees of freedom %d\n", cli_file_name(o->start.file), model->nbody - 1,
           model->nv);
    if (o->one_step) {
        printf("one step of %.6g s from the state after %d steps of the reference\n", c->dt,
               o->step);
    } else {
        printf("%lld steps of %.6g s", c->planned, c->dt);
        if (o->halve > 0) {
            printf(", and halved %d times", o->halve);
        }
        putchar('\n');
    }
    if (c->recording.used) {
        printf("the reference is the recording %s\n", cli_file_name(o->against));
    }
    if (c->note[0] != '\0') {
        print_wrapped(c->note, 0);
    }
    if (c->keyframe >= 0) {
        printf("start: keyframe %s\n", model->keyframe[c->keyframe].name);
    }
    putchar('\n');
}

void compare_print_text(const Compare* c, const CompareBracket* bracket)
{
    print_head(c);
    if (bracket != NULL) {
        print_bracket(c, bracket);
    } else {
        const int width = label_width(c);
        print_differences(c, width);
        print_costs(c, width);
        if (c->options->one_step) {
            print_contacts(c, width);
        }
        print_bodies(c, width);
        if (c->options->halve > 0) {
            print_orders(c, width);
        }
        print_confounders(c, width);
        print_stops(c);
    }
    if (c->signal != 0) {
        printf("interrupted after %lld of %lld steps\n", c->done, c->planned);
    }
}
