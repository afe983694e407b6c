// SPDX-License-Identifier: Apache-2.0
// A comparison as a table: one row per case and body; one row for a case that was refused.
#include "compare/compare.h"
#include "output.h"

#include <stdarg.h>
#include <string.h>

typedef struct Table {
    CliOutput output;
    bool complete;
} Table;

static void put(Table* t, const char* format, ...) UT_PRINTF(2, 3);
static void put(Table* t, const char* format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    t->complete = t->complete && size >= 0 && size < (int)sizeof line &&
                  cli_output_write(&t->output, line, (size_t)size);
}

// A cell of text: in quotes, with quotes doubled, so that commas are safe.
static void put_text(Table* t, const char* text)
{
    put(t, "\"");
    for (; *text != '\0'; text++) {
        put(t, *text == '"' ? "\"\"" : "%c", *text);
    }
    put(t, "\"");
}

static void put_settings(Table* t, const CompareCase* item)
{
    put(t, "%s,%s,%d,%.17g,%.17g,%s,", ut_formulation_name(item->formulation), compare_solver(item),
        compare_directions(item), compare_rho(item), item->sim != NULL ? ut_sim_dt(item->sim) : 0.0,
        compare_end_name(item->end));
    put_text(t, item->reason);
    put(t, ",%lld,%lld,%.17g,%.17g,%lld,%lld,%.17g,", item->steps, item->unsolved, item->max_E,
        item->max_model_gap, item->verdicts.different, item->factorizations, item->wall);
}

static void put_body(Table* t, const CompareCase* item, int body)
{
    const CompareDifference* d = &item->body[body];
    CliName room;
    put_settings(t, item);
    put_text(t, cli_name(item->loaded->model->body[body].name, "body", body, &room));
    put(t, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%lld\n", d->position,
        compare_rms(item, d->position_squares), d->velocity, compare_rms(item, d->velocity_squares),
        d->turn, d->spin, d->first_apart);
}

utStatus compare_write_csv(const Compare* c, const char* path, utError* err)
{
    Table t = {.complete = true};
    UT_TRY(cli_output_open(path, &t.output, err));
    put(&t, "formulation,solver,directions,rho,dt,outcome,reason,steps,unsolved_steps,max_residual,"
            "max_model_gap,different_verdicts,factorizations,wall_s,body,position_max,position_rms,"
            "velocity_max,velocity_rms,rotation_max,angular_velocity_max,first_apart\n");
    for (int k = 0; k < c->cases; k++) {
        const CompareCase* item = &c->item[k];
        if (item->end == COMPARE_REFUSED) {
            put_settings(&t, item);
            put(&t, ",,,,,,,\n");
        }
        for (int b = 1; item->end != COMPARE_REFUSED && b < item->loaded->model->nbody; b++) {
            put_body(&t, item, b);
        }
    }
    return cli_output_close(&t.output, t.complete, UT_OK, err);
}
