// SPDX-License-Identifier: Apache-2.0
// The model that a verb works on: a file, standard input or a parametric scene, with changes from
// the command line.
#ifndef UPTACK_CLI_MODEL_H
#define UPTACK_CLI_MODEL_H

#include "cli.h"

#include <uptack/io.h>
#include <uptack/model.h>

enum { CLI_MAX_SETS = 256 };

/// The --set options of a command line.
typedef struct CliSets {
    int count;
    const char* text[CLI_MAX_SETS]; ///< "NAME.ATTR=VALUE"
} CliSets;

/// Add one --set. @return CLI_OK or CLI_USAGE
int cli_add_set(const CliVerb* verb, const char* text, CliSets* sets);

typedef struct CliModel {
    const utModel* model;
    utNotes notes; ///< the unsupported parts of the file
    int warnings;  ///< number of notes about parts that change the simulation
    utModel* owned;
} CliModel;

/// Read and compile a model. @param path a file (MJCF), "-" or a scene such as stack:30
/// @param loaded pass it to cli_free_model, also after a failure
utStatus cli_load_model(const char* path, const CliSets* sets, CliModel* loaded, utError* err);
void cli_free_model(CliModel* loaded);

/// Print warnings, one line each. @param all also print notes, which do not change the simulation
void cli_print_notes(FILE* stream, const CliModel* loaded, bool all);

/// "model.xml: error: 2 parts of the file that change the simulation are not supported"
/// @return CLI_FAILED
int cli_fail_strict(const char* path, const CliModel* loaded);

/// The member "warnings" of a summary: the warnings about the file and one of the verb itself.
/// @param warning of the verb; NULL or "": none
void cli_json_warnings(utJsonWriter* w, const CliModel* loaded, const char* warning);

/// One note as JSON.
void cli_json_note(utJsonWriter* w, const utNote* note);

/// Room for the name of an unnamed object, the same as in recordings: kind and index for a body or
/// a joint, with the body's name in front for a geom or a site.
typedef struct CliName {
    char text[256];
} CliName;

/// The name of an object. @return `name`, or kind and index in `room` when it has none
const char* cli_name(const char* name, const char* kind, int index, CliName* room);

/// The name of a geom or a site. @param side as in utContact.geom1
const char* cli_side_name(const utModel* model, int side, CliName* room);

#endif
