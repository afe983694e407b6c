// SPDX-License-Identifier: Apache-2.0
// The model that a verb works on: a file, standard input or a parametric scene, with changes from
// the command line.
#ifndef UPTACK_CLI_MODEL_H
#define UPTACK_CLI_MODEL_H

#include "cli.h"

#include <uptack/io.h>
#include <uptack/model.h>

enum { CLI_MAX_SETS = 256, CLI_MAX_PACKAGES = 64 };

/// The options of a command line that change the model.
typedef struct CliSets {
    int count;
    const char* text[CLI_MAX_SETS]; ///< "NAME.ATTR=VALUE"
    bool floating;                  ///< as in utUrdfDef, and the next two
    bool friction;
    bool no_self_collision;
    int packages;
    const char* package[CLI_MAX_PACKAGES];
    char folders[8192];         ///< texts of `package`
    struct CliSources* sources; ///< the files that are read (sources.h); NULL: they are not kept
} CliSets;

/// Add one --set. @return CLI_OK or CLI_USAGE
int cli_add_set(const CliVerb* verb, const char* text, CliSets* sets);

/// The options for URDF files, for the list of a verb's options.
enum {
    CLI_OPTION_PACKAGE_PATH = 2000,
    CLI_OPTION_FLOATING,
    CLI_OPTION_FRICTION,
    CLI_OPTION_NO_SELF
};
// clang-format off
#define CLI_URDF_OPTIONS                                                \
    {"package-path", required_argument, NULL, CLI_OPTION_PACKAGE_PATH}, \
    {"floating", no_argument, NULL, CLI_OPTION_FLOATING},               \
    {"friction", no_argument, NULL, CLI_OPTION_FRICTION},               \
    {"no-self-collision", no_argument, NULL, CLI_OPTION_NO_SELF}
// clang-format on

/// Explain these options.
void cli_print_urdf_help(void);

/// Set one of these options. @param option CLI_OPTION_... @return CLI_OK or CLI_USAGE
int cli_set_urdf(const CliVerb* verb, int option, const char* value, CliSets* sets);

typedef struct CliModel {
    const utModel* model;
    utNotes notes; ///< the unsupported parts of the file
    int warnings;  ///< number of notes about parts that change the simulation
    utModel* owned;
} CliModel;

/// Read and compile a model. @param path a file (MJCF or URDF), "-" or a scene such as stack:30
/// @param sets   the folders of ROS_PACKAGE_PATH are added to its packages
/// @param loaded pass it to cli_free_model, also after a failure
utStatus cli_load_model(const char* path, CliSets* sets, CliModel* loaded, utError* err);
void cli_free_model(CliModel* loaded);

/// Groups of notes, the most important ones first.
typedef enum CliGroup {
    CLI_GROUP_MISSING, ///< physics that the model lacks
    CLI_GROUP_LAW, ///< physics that is treated in another way: hard contacts instead of soft ones, repaired masses
    CLI_GROUP_NONE, ///< the motion is the same
    CLI_GROUPS
} CliGroup;

CliGroup cli_group(const utNote* note);

/// Print one note: "model.xml:3:7: warning: tendon/fixed (2 times): not supported".
void cli_print_note(FILE* stream, const utNote* note);

/// Print the warnings, one line each.
void cli_print_warnings(FILE* stream, const CliModel* loaded);

/// Print the physics that the model lacks: "contact/pair (49), tendon/fixed (2)".
void cli_print_missing(FILE* stream, const utModel* model);

/// The member "missing": [{"what", "count", "file", "line", "column"} ...].
void cli_json_missing(utJsonWriter* w, const utModel* model);

/// Print the warnings, and an error at the place of the first one. @return CLI_FAILED
int cli_fail_strict(const CliModel* loaded);

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
