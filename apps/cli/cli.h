// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs of the command line: exit codes, errors, reading files, printing text and JSON.
#ifndef UPTACK_CLI_H
#define UPTACK_CLI_H

#include <stdio.h>
#include <uptack/base.h>
#include <uptack/json.h>

/// Exit codes.
enum {
    CLI_OK = 0,       ///< done
    CLI_FAILED = 1,   ///< the input cannot be used, or the work failed; stdout is empty
    CLI_USAGE = 2,    ///< the command line was not understood
    CLI_UNSOLVED = 3, ///< the printed answer says that the problem is not solved
    CLI_SIGNAL = 128, ///< plus the number of the signal that ended a run early; files are complete
};

/// One verb: `uptack NAME ...`.
typedef struct CliVerb {
    const char* name;
    const char* summary;               ///< one line for `uptack --help`
    const char* usage;                 ///< "uptack lcp FILE [options]"
    const char* help;                  ///< options and exit codes for `uptack NAME --help`
    int (*run)(int argc, char** argv); ///< argv[0] is the verb; returns the exit code
    const char* operand;               ///< name of the file argument, default NULL: FILE
    const char* letters;               ///< short options for getopt, default NULL: ":h"
    void (*print_appendix)(void);      ///< prints text after the help, default NULL: nothing
} CliVerb;

extern const CliVerb cli_check, cli_info, cli_run, cli_lcp, cli_coulomb, cli_convert, cli_plot,
    cli_compare, cli_draw, cli_dump, cli_replay, cli_certify, cli_view, cli_render, cli_sweep,
    cli_merge;

/// Print `uptack NAME --help`.
void cli_print_help(const CliVerb* verb);

/// Print the version.
void cli_print_version(void);

/// Print an error of the command line and the usage. @return CLI_USAGE
int cli_usage(const CliVerb* verb, const char* format, ...) UT_PRINTF(2, 3);

struct option;

/// The value of --version in a table of options. That of --help is 'h'.
enum { CLI_OPTION_VERSION = 'V' };

/// Read the command line of a verb that takes one FILE.
/// @param options table for getopt_long that includes --help and --version
/// @param set     called per option with its value in optarg; returns CLI_OK or CLI_USAGE
/// @param file    receives FILE; NULL: end the program, after an error, --help or --version
/// @return the exit code
int cli_parse(const CliVerb* verb, int argc, char** argv, const struct option* options,
              int (*set)(int option, void* context), void* context, const char** file);

/// The same for a verb that takes IN and OUT.
int cli_parse_in_out(const CliVerb* verb, int argc, char** argv, const struct option* options,
                     int (*set)(int option, void* context), void* context, const char** in,
                     const char** out);

/// The same for a verb that takes one FILE or several.
/// @param count number of files; 0: end the program
int cli_parse_several(const CliVerb* verb, int argc, char** argv, const struct option* options,
                      int (*set)(int option, void* context), void* context, int* count,
                      const char* const** files);

/// Print an error on stderr. @return CLI_FAILED
int cli_fail(const utError* err);

/// Flush stdout. @return `code`, or CLI_FAILED with a message when stdout cannot be written
int cli_finish(int code);

/// Read a whole number. @return false when the text is not a whole number in lo ... hi
bool cli_parse_int(const char* text, int lo, int hi, int* value);

/// Read a number. @return false when the text is not a number
bool cli_parse_number(const char* text, double* value);

/// The number of letters to insert, remove or change to turn one word into the other.
int cli_edit_distance(const char* a, const char* b);

/// Does the file's name end in `ending`?
bool cli_ends_in(const char* file, const char* ending);

/// The name of a file in messages: its path, or "standard input" for "-".
const char* cli_file_name(const char* path);

/// Read a file of any size, or standard input when the path is "-". @param keep holds the text
utStatus cli_read_file(const char* path, utArena* keep, utText* text, utError* err);

/// Set the error "out of memory" for a file. @return UT_ERR_MEMORY
utStatus cli_no_memory(const char* path, utError* err);

/// Begin JSON on stdout.
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
