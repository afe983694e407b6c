// SPDX-License-Identifier: Apache-2.0
// Elements, attributes and names of a text of MJCF.
#include "writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- text ---------------------------------------------------------------------------------------

static void put_bytes(Sink* sink, const char* bytes, size_t size)
{
    if (sink->text != NULL) {
        memcpy(sink->text + sink->used, bytes, size);
    }
    sink->used += size;
}

static void put(Sink* sink, const char* text)
{
    put_bytes(sink, text, strlen(text));
}

// The characters that XML reserves, and those that an attribute would lose.
static void put_escaped(Sink* sink, const char* text)
{
    static const struct {
        char c;
        const char* as;
    } table[] = {{'&', "&amp;"},  {'<', "&lt;"},  {'>', "&gt;"},  {'"', "&quot;"},
                 {'\n', "&#10;"}, {'\t', "&#9;"}, {'\r', "&#13;"}};
    for (; *text != 0; text++) {
        const char* as = NULL;
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            as = table[i].c == *text ? table[i].as : as;
        }
        if (as != NULL) {
            put(sink, as);
        } else {
            put_bytes(sink, text, 1);
        }
    }
}

static void put_number(Sink* sink, double x)
{
    char text[UT_NUMBER_SIZE];
    put_bytes(sink, text, (size_t)ut_number_write_short(x, text));
}

// ---- elements -----------------------------------------------------------------------------------

static void indent(Writer* w)
{
    for (int i = 0; i < w->depth; i++) {
        put(&w->out, "  ");
    }
}

void ut_write_open(Writer* w, const char* element)
{
    indent(w);
    put(&w->out, "<");
    put(&w->out, element);
}

void ut_write_close(Writer* w)
{
    put(&w->out, "/>\n");
}

void ut_write_begin(Writer* w)
{
    put(&w->out, ">\n");
    w->depth++;
}

void ut_write_end(Writer* w, const char* element)
{
    w->depth--;
    indent(w);
    put(&w->out, "</");
    put(&w->out, element);
    put(&w->out, ">\n");
}

// ---- attributes ---------------------------------------------------------------------------------

static void begin_attribute(Writer* w, const char* attribute)
{
    put(&w->out, " ");
    put(&w->out, attribute);
    put(&w->out, "=\"");
}

void ut_write_text(Writer* w, const char* attribute, const char* value)
{
    begin_attribute(w, attribute);
    put_escaped(&w->out, value);
    put(&w->out, "\"");
}

void ut_write_verbatim(Writer* w, const char* attribute, const char* value, size_t size)
{
    begin_attribute(w, attribute);
    put_bytes(&w->out, value, size);
    put(&w->out, "\"");
}

void ut_write_list(Writer* w, const char* attribute, int count, const char* const* text,
                   const char* between)
{
    begin_attribute(w, attribute);
    for (int i = 0; i < count; i++) {
        put(&w->out, i > 0 ? between : "");
        put_escaped(&w->out, text[i]);
    }
    put(&w->out, "\"");
}

void ut_write_name(Writer* w, const char* name)
{
    if (name != NULL && name[0] != 0) {
        ut_write_text(w, "name", name);
    }
}

void ut_write_numbers(Writer* w, const char* attribute, int count, const double* x)
{
    begin_attribute(w, attribute);
    for (int i = 0; i < count; i++) {
        put(&w->out, i > 0 ? " " : "");
        put_number(&w->out, x[i]);
    }
    put(&w->out, "\"");
}

void ut_write_ints(Writer* w, const char* attribute, int count, const int* x)
{
    begin_attribute(w, attribute);
    for (int i = 0; i < count; i++) {
        put(&w->out, i > 0 ? " " : "");
        put_number(&w->out, x[i]);
    }
    put(&w->out, "\"");
}

void ut_write_rows_reversed(Writer* w, const char* attribute, int rows, int columns,
                            const double* x)
{
    begin_attribute(w, attribute);
    for (int row = rows - 1; row >= 0; row--) {
        for (int column = 0; column < columns; column++) {
            put(&w->out, row < rows - 1 || column > 0 ? " " : "");
            put_number(&w->out, x[(size_t)row * (size_t)columns + (size_t)column]);
        }
    }
    put(&w->out, "\"");
}

void ut_write_number(Writer* w, const char* attribute, double x)
{
    ut_write_numbers(w, attribute, 1, &x);
}

void ut_write_vec3(Writer* w, const char* attribute, utVec3 x)
{
    ut_write_numbers(w, attribute, 3, (const double[]){x.x, x.y, x.z});
}

void ut_write_quat(Writer* w, const char* attribute, utQuat x)
{
    ut_write_numbers(w, attribute, 4, (const double[]){x.w, x.x, x.y, x.z});
}

void ut_write_int(Writer* w, const char* attribute, int x)
{
    ut_write_number(w, attribute, x);
}

void ut_write_bool(Writer* w, const char* attribute, bool x)
{
    ut_write_text(w, attribute, x ? "true" : "false");
}

void ut_write_number_unless(Writer* w, const char* attribute, double x, double standard)
{
    if (x != standard) {
        ut_write_number(w, attribute, x);
    }
}

void ut_write_int_unless(Writer* w, const char* attribute, int x, int standard)
{
    ut_write_number_unless(w, attribute, x, standard);
}

// Zero but not -0, which has other bits.
static bool is_zero(double x)
{
    return x == 0.0 && !signbit(x);
}

void ut_write_vec3_unless_zero(Writer* w, const char* attribute, utVec3 x)
{
    if (!is_zero(x.x) || !is_zero(x.y) || !is_zero(x.z)) {
        ut_write_vec3(w, attribute, x);
    }
}

bool ut_quat_turns(utQuat quat)
{
    return !is_zero(quat.x) || !is_zero(quat.y) || !is_zero(quat.z);
}

void ut_write_turn(Writer* w, utQuat quat)
{
    if (quat.w != 1.0 || ut_quat_turns(quat)) {
        ut_write_quat(w, "quat", quat);
    }
}

void ut_write_polynomial(Writer* w, const char* attribute, double linear, const double more[2])
{
    const double x[3] = {linear, more[0], more[1]};
    const bool nonlinear = more[0] != 0.0 || more[1] != 0.0;
    if (linear != 0.0 || nonlinear) {
        ut_write_numbers(w, attribute, nonlinear ? 3 : 1, x);
    }
}

// ---- uptack's own attributes --------------------------------------------------------------------

void ut_write_leave_out(Writer* w, const char* what, const char* why)
{
    int i = 0;
    while (i < w->unwritten_count && strcmp(w->unwritten[i].what, what) != 0) {
        i++;
    }
    if (i == w->unwritten_count && i < MAX_UNWRITTEN) {
        w->unwritten[w->unwritten_count++] = (Unwritten){what, why, 0};
    }
    if (i < MAX_UNWRITTEN) {
        w->unwritten[i].count++;
    }
}

void ut_write_own(Writer* w, const char* name, const char* attribute, const char* set,
                  const char* value)
{
    if (!w->how->plain) {
        char full[64] = "ut:";
        (void)snprintf(full + 3, sizeof full - 3, "%s", attribute);
        ut_write_text(w, full, value);
        return;
    }
    Sink* custom = &w->custom;
    put(custom, custom->used > 0 ? "; " : "");
    const char* const piece[] = {name, ".", set, "=", value};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
        put_escaped(custom, piece[i]);
    }
}

void ut_write_own_number(Writer* w, const char* name, const char* attribute, double value)
{
    char text[UT_NUMBER_SIZE];
    text[ut_number_write_short(value, text)] = 0;
    ut_write_own(w, name, attribute, attribute, text);
}

// ---- names --------------------------------------------------------------------------------------

WriterName ut_write_reference(const char* kind, const char* name, int index)
{
    WriterName made = {.given = name};
    if (name == NULL || name[0] == 0) {
        made.given = NULL;
        (void)snprintf(made.made, sizeof made.made, "%s#%d", kind, index);
    }
    return made;
}

void ut_write_own_name(Writer* w, const char* kind, const char* name, int index,
                       const bool* referenced)
{
    if (referenced[index]) {
        const WriterName made = ut_write_reference(kind, name, index);
        ut_write_text(w, "name", ut_writer_name(&made));
    } else {
        ut_write_name(w, name);
    }
}

static void reference(Writer* w, const char* attribute, const char* kind, const char* name,
                      int index)
{
    const WriterName made = ut_write_reference(kind, name, index);
    ut_write_text(w, attribute, ut_writer_name(&made));
}

void ut_write_body(Writer* w, const char* attribute, int body)
{
    reference(w, attribute, "body", w->parts->body[body].name, body);
}

void ut_write_joint(Writer* w, const char* attribute, int joint)
{
    reference(w, attribute, "joint", w->parts->joint[joint].name, joint);
}

void ut_write_geom(Writer* w, const char* attribute, int geom)
{
    reference(w, attribute, "geom", w->parts->geom[geom].name, geom);
}

void ut_write_site(Writer* w, const char* attribute, int site)
{
    reference(w, attribute, "site", w->parts->site[site].name, site);
}

void ut_write_tendon_name(Writer* w, const char* attribute, int tendon)
{
    reference(w, attribute, "tendon", w->parts->tendon[tendon].name, tendon);
}

void ut_write_actuator_name(Writer* w, const char* attribute, int actuator)
{
    reference(w, attribute, "actuator", w->parts->actuator[actuator].name, actuator);
}
