// SPDX-License-Identifier: Apache-2.0
// Shared by the files that write MJCF: a sink for text, elements with attributes, names of elements,
// and assignments for the custom text of plain files.
#ifndef UPTACK_IO_MJCF_WRITER_H
#define UPTACK_IO_MJCF_WRITER_H

#include <uptack/io.h>

// A text that grows. Without memory it only counts, so that a first pass finds the size.
typedef struct Sink {
    char* text; // NULL: count only
    size_t used;
} Sink;

// A part that cannot be written, and how often.
typedef struct Unwritten {
    const char* what;
    const char* why;
    int count;
} Unwritten;

enum { MAX_UNWRITTEN = 32, WRITER_NAME_SIZE = 32, WRITER_MAX_UP = 32 };

// Elements that others name. One without a name gets one.
typedef struct Referenced {
    bool *body, *joint, *geom, *site, *tendon, *actuator;
} Referenced;

// The elements of each body in order: first[body], then next[i]; -1 ends a chain.
typedef struct Chains {
    int* first;
    int* next;
} Chains;

typedef struct Writer {
    const utModelParts* parts;
    const utMjcfWriteDef* how;
    Chains joints, geoms, sites;
    Referenced referenced;
    Sink out;
    Sink custom; // assignments NAME.ATTR=VALUE of a plain file
    int depth;   // of open elements
    Unwritten unwritten[MAX_UNWRITTEN];
    int unwritten_count;
} Writer;

// Find the elements of each body and those that others name. @param memory holds them
utStatus ut_writer_prepare(Writer* w, utArena* memory);

// ---- elements -----------------------------------------------------------------------------------

void ut_write_open(Writer* w, const char* element); // "<element", attributes may follow
void ut_write_close(Writer* w);                     // "/>": an element without contents
void ut_write_begin(Writer* w);                     // ">": contents follow
void ut_write_end(Writer* w, const char* element);  // "</element>"

// ---- attributes of the open element -------------------------------------------------------------

void ut_write_text(Writer* w, const char* attribute, const char* value);
void ut_write_name(Writer* w, const char* name); // nothing for ""
void ut_write_list(Writer* w, const char* attribute, int count, const char* const* text,
                   const char* between);
// A value that is escaped already. @param value NULL in the pass that counts
void ut_write_verbatim(Writer* w, const char* attribute, const char* value, size_t size);
void ut_write_numbers(Writer* w, const char* attribute, int count, const double* x);
void ut_write_ints(Writer* w, const char* attribute, int count, const int* x);
// The last row first, as MJCF has elevations.
void ut_write_rows_reversed(Writer* w, const char* attribute, int rows, int columns,
                            const double* x);
void ut_write_number(Writer* w, const char* attribute, double x);
void ut_write_vec3(Writer* w, const char* attribute, utVec3 x);
void ut_write_quat(Writer* w, const char* attribute, utQuat x);
void ut_write_int(Writer* w, const char* attribute, int x);
void ut_write_bool(Writer* w, const char* attribute, bool x);

// Only where the value differs from the default.
void ut_write_number_unless(Writer* w, const char* attribute, double x, double standard);
void ut_write_int_unless(Writer* w, const char* attribute, int x, int standard);
void ut_write_vec3_unless_zero(Writer* w, const char* attribute, utVec3 x);
// A stiffness or damping: nothing for 0, one number, or the coefficients of a polynomial.
void ut_write_polynomial(Writer* w, const char* attribute, double linear, const double more[2]);
void ut_write_turn(Writer* w, utQuat quat); // nothing for the identity
bool ut_quat_turns(utQuat quat);            // is its vector other than zero, or -0?
// A path of the description, relative to the folder of the text.
void ut_write_path(Writer* w, const char* attribute, const char* path);

// ---- uptack's own attributes --------------------------------------------------------------------

// An attribute of the namespace ut: of the open element. In a plain file the assignment
// `name.set=value` instead.
// @param attribute without "ut:" @param set name of the attribute for ut_model_def_set
void ut_write_own(Writer* w, const char* name, const char* attribute, const char* set,
                  const char* value);
void ut_write_own_number(Writer* w, const char* name, const char* attribute, double value);

// Has a geom, or a body, attributes of the namespace ut:?
bool ut_write_geom_is_own(const utGeomDef* geom);
bool ut_write_body_is_own(const utBodyDef* body);

// Report a part that cannot be written.
void ut_write_leave_out(Writer* w, const char* what, const char* why);

// ---- names --------------------------------------------------------------------------------------

typedef struct WriterName {
    char made[WRITER_NAME_SIZE];
    const char* given; // NULL: `made` counts
} WriterName;

static inline const char* ut_writer_name(const WriterName* name)
{
    return name->given != NULL ? name->given : name->made;
}

// The name by which other elements call one.
WriterName ut_write_reference(const char* kind, const char* name, int index);
// Write the element's own name, or one for its references.
void ut_write_own_name(Writer* w, const char* kind, const char* name, int index,
                       const bool* referenced);
// Write a reference.
void ut_write_body(Writer* w, const char* attribute, int body);
void ut_write_joint(Writer* w, const char* attribute, int joint);
void ut_write_geom(Writer* w, const char* attribute, int geom);
void ut_write_site(Writer* w, const char* attribute, int site);
void ut_write_tendon_name(Writer* w, const char* attribute, int tendon);
void ut_write_actuator_name(Writer* w, const char* attribute, int actuator);

// ---- sections -----------------------------------------------------------------------------------

void ut_write_options(Writer* w);
void ut_write_world(Writer* w);
void ut_write_assets(Writer* w);
void ut_write_contacts(Writer* w);
void ut_write_tendons(Writer* w);
void ut_write_sensors(Writer* w);
void ut_write_equalities(Writer* w);
void ut_write_actuators(Writer* w);
void ut_write_keyframes(Writer* w);
void ut_write_points_motions_springs(Writer* w);

#endif
