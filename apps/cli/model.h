// SPDX-License-Identifier: Apache-2.0
// The model that a verb works on: a file, standard input or a parametric scene, with changes from
// the command line.
#ifndef UPTACK_CLI_MODEL_H
#define UPTACK_CLI_MODEL_H

#include "cli.h"

#include <uptack/io.h>
#include <uptack/model.h>

enum { CLI_MAX_SETS = 256 };

/// What the command line changes in a model.
typedef struct CliSets {
    int count;
    const char* text[CLI_MAX_SETS]; ///< "NAME.ATTR=VALUE"
} CliSets;

/// Take one --set. @return CLI_OK or what cli_usage returned
int cli_add_set(const CliVerb* verb, const char* text, CliSets* sets);

typedef struct CliModel {
    const utModel* model;
    utNotes notes; ///< the unsupported parts of the file
    int warnings;  ///< number of notes about physics
    utModel* owned;
} CliModel;

/// Read and compile a model. @param path a file (MJCF), "-" or a scene such as stack:30
/// @param loaded to be given to cli_free_model, also after a failure
utStatus cli_load_model(const char* path, const CliSets* sets, CliModel* loaded, utError* err);
void cli_free_model(CliModel* loaded);

/// Print notes, a line each. @param all also those that change nothing in what is simulated
void cli_print_notes(FILE* stream, const CliModel* loaded, bool all);

/// "model.xml: error: 2 parts of the file that change the simulation are not supported"
/// @return CLI_FAILED
int cli_fail_strict(const char* path, const CliModel* loaded);

/// The member "warnings" of a summary: notes that change what is simulated, and what else a verb
/// warned of. @param more NULL: nothing
void cli_json_warnings(utJsonWriter* w, const CliModel* loaded, const char* more);

/// One note as JSON.
void cli_json_note(utJsonWriter* w, const utNote* note);

/// What a thing without a name is called, as in recordings: a body or joint by its kind and its
/// index, a geom or site by its body and these.
typedef struct CliName {
    char made[256];
} CliName;
const char* cli_name(const char* name, const char* kind, int index, CliName* room);

/// A contact's side: a geom or a site.
const char* cli_side_name(const utModel* model, int side, CliName* room);

#endif
