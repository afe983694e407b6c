// SPDX-License-Identifier: Apache-2.0
// What the verbs of the command line share: exit codes, errors, files in, text and JSON out.
#ifndef UPTACK_CLI_H
#define UPTACK_CLI_H

#include <stdio.h>
#include <uptack/base.h>
#include <uptack/json.h>

/// How the program ends.
enum {
    CLI_OK = 0,       ///< done
    CLI_FAILED = 1,   ///< the input cannot be used, or something failed; nothing on stdout
    CLI_USAGE = 2,    ///< the command line was not understood
    CLI_UNSOLVED = 3, ///< an answer was printed, and it says that the problem is not solved
    CLI_SIGNAL = 128, ///< plus the number of the signal that ended a run early; all files are whole
};

/// One verb: `uptack NAME ...`.
typedef struct CliVerb {
    const char* name;
    const char* summary;               ///< one line for `uptack --help`
    const char* usage;                 ///< "uptack lcp FILE [options]"
    const char* help;                  ///< the rest of `uptack NAME --help`
    int (*run)(int argc, char** argv); ///< argv[0] is the verb; returns the exit code
    const char* operand;               ///< what it works on, default NULL: FILE
    const char* letters;               ///< of getopt, default NULL: ":h"
    void (*more_help)(void);           ///< prints what follows the help, default NULL: nothing
} CliVerb;

extern const CliVerb cli_check, cli_info, cli_run, cli_lcp, cli_coulomb, cli_convert, cli_plot;

/// Print `uptack NAME --help`.
void cli_print_help(const CliVerb* verb);

/// Print the version.
void cli_print_version(void);

/// Say what is wrong with the command line and how it is used. @return CLI_USAGE
int cli_usage(const CliVerb* verb, const char* format, ...) UT_PRINTF(2, 3);

struct option;

enum {
    CLI_OPTION_VERSION = 'V'
}; ///< what `--version` is called in a table of options, --help is 'h'

/// Go through the command line of a verb that takes one FILE (or what it calls its operand).
/// @param options of getopt_long, with --help and --version among them
/// @param set     takes one option, its value in optarg; returns CLI_OK or what cli_usage returned
/// @param file    receives FILE; NULL when there is nothing to go on with: a mistake, or help was
/// asked
/// @return how the program ends then
int cli_parse(const CliVerb* verb, int argc, char** argv, const struct option* options,
              int (*set)(int option, void* context), void* context, const char** file);

/// The same for a verb that takes IN and OUT.
int cli_parse_in_out(const CliVerb* verb, int argc, char** argv, const struct option* options,
                     int (*set)(int option, void* context), void* context, const char** in,
                     const char** out);

/// The same for a verb that takes one FILE or several.
/// @param count how many; 0 when there is nothing to go on with
int cli_parse_several(const CliVerb* verb, int argc, char** argv, const struct option* options,
                      int (*set)(int option, void* context), void* context, int* count,
                      const char* const** files);

/// Print an error on stderr. @return CLI_FAILED
int cli_fail(const utError* err);

/// See that everything printed has reached stdout. @return `code`, or CLI_FAILED with a message
int cli_finish(int code);

/// A whole number in a command line argument. @return false when it is none or not in lo ... hi
bool cli_parse_int(const char* text, int lo, int hi, int* value);

/// A number in a command line argument. @return false when it is none
bool cli_parse_number(const char* text, double* value);

/// Does a file's name end like this?
bool cli_ends_in(const char* file, const char* ending);

/// What a file is called in messages: its path, or "standard input" for "-".
const char* cli_file_name(const char* path);

/// Read a file of any size, or standard input when the path is "-". @param text in `keep`
utStatus cli_read_file(const char* path, utArena* keep, utText* text, utError* err);

/// "out of memory", for a file. @return UT_ERR_MEMORY
utStatus cli_no_memory(const char* path, utError* err);

/// A writer of JSON to stdout.
utJsonWriter cli_json(void);

typedef enum CliColor {
    CLI_PLAIN,
    CLI_RED,
    CLI_GREEN,
    CLI_YELLOW,
    CLI_BOLD,
} CliColor;

/// Print a word, coloured when the stream is a terminal and NO_COLOR is not set.
void cli_print_word(FILE* stream, CliColor color, const char* word);

#endif
