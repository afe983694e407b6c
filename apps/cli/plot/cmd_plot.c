// SPDX-License-Identifier: Apache-2.0
// uptack plot: draw recordings as curves in an SVG picture.
#include "plot/plot_file.h"
#include "plot/plot_select.h"
#include "plot/table_plot.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_COLUMN = 256,
    OPTION_CONTACTS,
    OPTION_PANEL,
    OPTION_LOG,
    OPTION_X,
    OPTION_TITLE,
    OPTION_LABEL,
    OPTION_WIDTH,
    OPTION_HEIGHT,
    OPTION_JSON,
    OPTION_LOG_X,
    OPTION_BY,
    OPTION_STEMS,
    OPTION_POINTS,
    OPTION_FRICTION,
    OPTION_MODES,
    OPTION_OVER,
    OPTION_TABLE, // and a PlotTable
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"column", required_argument, NULL, OPTION_COLUMN},
    {"contacts", required_argument, NULL, OPTION_CONTACTS},
    {"panel", optional_argument, NULL, OPTION_PANEL},
    {"log", no_argument, NULL, OPTION_LOG},
    {"x", required_argument, NULL, OPTION_X},
    {"title", required_argument, NULL, OPTION_TITLE},
    {"label", required_argument, NULL, OPTION_LABEL},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"height", required_argument, NULL, OPTION_HEIGHT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"log-x", no_argument, NULL, OPTION_LOG_X},
    {"by", required_argument, NULL, OPTION_BY},
    {"stems", no_argument, NULL, OPTION_STEMS},
    {"points", no_argument, NULL, OPTION_POINTS},
    {"friction", optional_argument, NULL, OPTION_FRICTION},
    {"modes", no_argument, NULL, OPTION_MODES},
    {"heat", required_argument, NULL, OPTION_TABLE + PLOT_HEAT},
    {"response", required_argument, NULL, OPTION_TABLE + PLOT_RESPONSE},
    {"histogram", required_argument, NULL, OPTION_TABLE + PLOT_HISTOGRAM},
    {"parallel", required_argument, NULL, OPTION_TABLE + PLOT_PARALLEL},
    {"over", required_argument, NULL, OPTION_OVER},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int add_item(PlotOptions* o, const char* column, const PlotKind* kind)
{
    if (o->items == PLOT_ITEMS) {
        return cli_usage(&cli_plot, "there are more than %d columns", PLOT_ITEMS);
    }
    o->panels = o->panels > 0 ? o->panels : 1;
    o->item[o->items++] = (PlotItem){o->panels - 1, column, kind};
    return CLI_OK;
}

static int add_contacts(PlotOptions* o, const char* column)
{
    const PlotKind* kind = plot_contact_kind(column);
    if (kind == NULL) {
        return cli_usage(&cli_plot,
                         "contacts have no column '%s'; it is one of pn pn-impact pn-step px py pz "
                         "gap slip e fn fx fy fz x y z nx ny nz state",
                         column);
    }
    return add_item(o, column, kind);
}

// Begin a panel. If the current panel is still empty, set its title instead.
static int add_panel(PlotOptions* o, const char* title)
{
    const bool empty =
        o->panels > 0 && (o->items == 0 || o->item[o->items - 1].panel < o->panels - 1);
    if (empty && o->panel[o->panels - 1] != NULL) {
        return cli_usage(&cli_plot, "the panel '%s' has no column", o->panel[o->panels - 1]);
    }
    if (!empty && o->panels == PLOT_PANELS) {
        return cli_usage(&cli_plot, "there are more than %d panels", PLOT_PANELS);
    }
    o->panels += !empty;
    o->panel[o->panels - 1] = title;
    return CLI_OK;
}

static int set_x(PlotOptions* o, const char* name)
{
    o->x = strcmp(name, "step") == 0   ? PLOT_STEP
           : strcmp(name, "time") == 0 ? PLOT_TIME
                                       : PLOT_COLUMN;
    o->x_column = name;
    return CLI_OK;
}

static int set_size(const char* option, int least, int* size)
{
    return cli_parse_int(optarg, least, 10000, size)
               ? CLI_OK
               : cli_usage(&cli_plot, "%s is a whole number from %d to 10000, not '%s'", option,
                           least, optarg);
}

static int set_option(int option, void* context)
{
    PlotOptions* o = context;
    switch (option) {
    case 'o':
        o->out = optarg;
        return CLI_OK;
    case OPTION_COLUMN:
        return add_item(o, optarg, NULL);
    case OPTION_CONTACTS:
        return add_contacts(o, optarg);
    case OPTION_PANEL:
        return add_panel(o, optarg);
    case OPTION_LOG:
        o->panels = o->panels > 0 ? o->panels : 1;
        o->logarithmic[o->panels - 1] = true;
        return CLI_OK;
    case OPTION_LOG_X:
        o->logarithmic_x = true;
        return CLI_OK;
    case OPTION_BY:
        o->by = optarg;
        return CLI_OK;
    case OPTION_STEMS:
    case OPTION_POINTS:
        o->panels = o->panels > 0 ? o->panels : 1;
        *(option == OPTION_STEMS ? &o->stems[o->panels - 1] : &o->points[o->panels - 1]) = true;
        return CLI_OK;
    case OPTION_FRICTION:
        o->friction = optarg != NULL ? optarg : "";
        return CLI_OK;
    case OPTION_MODES:
        o->modes = true;
        return CLI_OK;
    case OPTION_TABLE + PLOT_HEAT:
    case OPTION_TABLE + PLOT_RESPONSE:
    case OPTION_TABLE + PLOT_HISTOGRAM:
    case OPTION_TABLE + PLOT_PARALLEL:
        o->table = (PlotTable)(option - OPTION_TABLE);
        o->table_columns = optarg;
        return CLI_OK;
    case OPTION_OVER:
        o->over = optarg;
        return CLI_OK;
    case OPTION_X:
        return set_x(o, optarg);
    case OPTION_TITLE:
        o->title = optarg;
        return CLI_OK;
    case OPTION_LABEL:
        if (o->labels == PLOT_LABELS) {
            return cli_usage(&cli_plot, "there are more than %d labels", PLOT_LABELS);
        }
        o->label[o->labels++] = optarg;
        return CLI_OK;
    case OPTION_WIDTH:
        return set_size("--width", 200, &o->width);
    case OPTION_HEIGHT:
        return set_size("--height", 100, &o->height);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

static int check_options(const PlotOptions* o, int files)
{
    if (o->out == NULL) {
        return cli_usage(&cli_plot, "-o F.svg is missing");
    }
    const bool to_stdout = strcmp(o->out, "-") == 0;
    if (!to_stdout && !cli_ends_in(o->out, ".svg")) {
        return cli_usage(&cli_plot, "-o needs a name that ends in .svg, or -, not '%s'", o->out);
    }
    if (to_stdout && o->json) {
        return cli_usage(&cli_plot, "--json and the picture cannot both go to standard output");
    }
    for (int k = 0; k < o->items && o->x == PLOT_COLUMN; k++) {
        if (o->item[k].kind != NULL) {
            return cli_usage(&cli_plot, "contacts are drawn over time or step, not over '%s'",
                             o->x_column);
        }
    }
    if (o->by != NULL && (o->items == 0 || o->item[0].kind != NULL)) {
        return cli_usage(&cli_plot, "--by needs --column");
    }
    if ((o->friction != NULL || o->modes) && (o->items > 0 || (o->friction != NULL && o->modes))) {
        return cli_usage(&cli_plot, "--friction and --modes are pictures of their own");
    }
    if (o->table != PLOT_NO_TABLE && (o->friction != NULL || o->modes || o->items > 0)) {
        return cli_usage(
            &cli_plot, "--heat, --response, --histogram and --parallel are pictures of their own");
    }
    if (o->over != NULL && o->table != PLOT_HEAT) {
        return cli_usage(&cli_plot, "--over needs --heat");
    }
    if (o->labels > files) {
        return cli_usage(&cli_plot, "there are more labels than recordings");
    }
    if (o->items > 0 && o->item[o->items - 1].panel < o->panels - 1) {
        return cli_usage(&cli_plot, "the last panel has no column");
    }
    return CLI_OK;
}

// ---- the picture --------------------------------------------------------------------------------

static utStatus draw(Plot* p, Svg* svg, utError* err)
{
    const PlotOptions* o = &p->options;
    const bool steps = o->x == PLOT_STEP;
    const bool column = o->x == PLOT_COLUMN;
    const PlotKind* kind = plot_state_kind(column ? o->x_column : "time");
    p->figure = (PlotFigure){
        .title = o->title,
        .x_name = column  ? o->x_column
                  : steps ? "step"
                          : "time",
        .x_unit = steps ? "" : kind->unit,
        .whole_x = steps && !o->logarithmic_x,
        .logarithmic_x = o->logarithmic_x,
        .column_x = column,
        .width = o->width,
        .height = o->height,
        .panels = o->panels,
        .panel = p->panel,
    };
    const double needed = plot_draw(&p->figure, svg);
    if (needed > 0.0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--height %d is too small; the plot needs %.0f",
                            o->height, ceil(needed));
    }
    return svg->failed ? cli_no_memory(o->out, err) : UT_OK;
}

static void print_json(const Plot* p)
{
    int curves = 0;
    for (int k = 0; k < p->options.panels; k++) {
        curves += p->panel[k].curves;
    }
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "output");
    ut_json_string(&w, p->options.out);
    ut_json_key(&w, "recordings");
    ut_json_integer(&w, p->sources);
    ut_json_key(&w, "panels");
    ut_json_integer(&w, p->options.panels);
    ut_json_key(&w, "curves");
    ut_json_integer(&w, curves);
    ut_json_object_end(&w);
    putchar('\n');
}

// ---- the verb -----------------------------------------------------------------------------------

static int run(int argc, char** argv)
{
    Plot p = {.options = {.width = 800}};
    int files;
    const char* const* file;
    int code = cli_parse_several(&cli_plot, argc, argv, long_options, set_option, &p.options,
                                 &files, &file);
    if (code != CLI_OK || files == 0) {
        return code;
    }
    code = check_options(&p.options, files);
    if (code != CLI_OK) {
        return code;
    }
    Svg svg = {0};
    utError err = {0};
    utStatus status = plot_open(&p, files, file, &err);
    if (status == UT_OK && p.options.friction != NULL) {
        status = plot_friction(&p, &svg, &err);
    } else if (status == UT_OK && p.options.table != PLOT_NO_TABLE) {
        status = table_plot(&p, &svg, &err);
    } else if (status == UT_OK && p.options.modes) {
        status = plot_modes(&p, &svg, &err);
    } else if (status == UT_OK) {
        status = plot_collect(&p, &err);
        status = status == UT_OK ? draw(&p, &svg, &err) : status;
    }
    if (status == UT_OK) {
        status = plot_file_write(p.options.out, &svg, &err);
    }
    if (status == UT_OK && p.options.json) {
        print_json(&p);
    }
    svg_free(&svg);
    plot_close(&p);
    return status == UT_OK ? CLI_OK : cli_fail(&err);
}

const CliVerb cli_plot = {
    .name = "plot",
    .summary = "draw recordings as curves",
    .usage = "uptack plot RECORDING... -o F.svg [options]",
    .help =
        "RECORDING is written by uptack run: a table of states (--record F.csv), a table of\n"
        "contacts (--contacts F.csv), or both in one file (--record F.utr); - is standard input.\n"
        "Without --column and --contacts the height of each body is drawn (z, or y if all motion\n"
        "is in the plane of x and y), and of tables of contacts the normal impulses.\n"
        "\n"
        "  -o F.svg            the picture; - for standard output\n"
        "  --column NAME       draw a column of states, for instance box.z; * stands for any\n"
        "                      characters: '*.vz'; repeatable\n"
        "  --contacts COLUMN   draw a column of contacts, one curve per pair of geoms; "
        "repeatable.\n"
        "                      Several contacts of a pair in one step are combined:\n"
        "                        pn px py pz  impulses, summed\n"
        "                        pn-impact    normal impulses of collisions, summed\n"
        "                        pn-step      normal impulses of all other contacts, summed\n"
        "                        fn fx fy fz  forces, summed; from a .utr file or a table\n"
        "                                     written with --columns force\n"
        "                        gap          the smallest\n"
        "                        slip         the largest slip speed\n"
        "                        e            the largest error; only in .utr files, which store 0 "
        "so far\n"
        "                        x y z nx ny nz  mean of points and normals\n"
        "                        state        a band of colours: open, sticks, slips, impact\n"
        "  --panel[=TITLE]     begin a new panel below; the columns that follow go there\n"
        "  --log               make the y axis of this panel logarithmic, which it always is for\n"
        "                      e and E; numbers that are not above 0 leave a gap\n"
        "  --stems             draw this panel's numbers as stems from 0, for impulses\n"
        "  --points            mark every point of this panel, for few points\n"
        "  --x time|step|NAME  quantity of the x axis: time (default), the step, or a column of\n"
        "                      states, or of any table. In a table each row counts as one step\n"
        "  --log-x             make the x axis logarithmic\n"
        "  --by COLUMN         one curve per word of this column of a table, for example per "
        "solver\n"
        "  --friction[=A/B]    draw the friction impulses of all contacts, or of one pair of\n"
        "                      geoms, inside the circle and the polygon; from .utr files\n"
        "  --modes             draw the changes of contacts between open, bouncing and steady as\n"
        "                      a diagram with their numbers; from .utr files\n"
        "  --heat X,Y,Z        draw the mean of column Z as a colour over X and Y, for tables with "
        "a row\n"
        "                      per run such as those of uptack merge\n"
        "  --over EXPRESSION   draw y = EXPRESSION of t, where t is x, on the heat map\n"
        "  --response X,Y[,BY] draw the mean of Y over X and the band that holds all rows; one "
        "curve\n"
        "                      per number of BY\n"
        "  --histogram X       draw how many rows have X in each of 30 intervals\n"
        "  --parallel A,B,...  draw an axis per column and a line per row, coloured by the last "
        "one\n"
        "  --title TEXT        title of the picture\n"
        "  --label TEXT        name of a recording in legends, in the order of the recordings;\n"
        "                      repeatable; default: the file's name\n"
        "  --width W           width of the picture in pixels, default 800\n"
        "  --height H          height in pixels, default: what the panels need\n"
        "  --json              print the numbers of recordings, panels and curves as JSON\n"
        "  --help, --version\n"
        "\n"
        "Every column is taken from each recording that has it. Long recordings are thinned to "
        "the\n"
        "lowest and highest value per pixel. Numbers that are not finite leave a gap.\n"
        "\n"
        "Exit code 0: drawn; 1: a file cannot be used or a column is missing; 2: usage.\n",
    .run = run,
    .operand = "RECORDING",
    .letters = ":ho:",
};
