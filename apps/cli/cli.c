// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs of the command line.
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- command line -------------------------------------------------------------------------------

void cli_print_version(void)
{
    printf("uptack %s\n", ut_version_text());
}

void cli_print_help(const CliVerb* verb)
{
    printf("usage: %s\n\n%s\n\n%s", verb->usage, verb->summary, verb->help);
    if (verb->print_appendix != NULL) {
        verb->print_appendix();
    }
}

int cli_usage(const CliVerb* verb, const char* format, ...)
{
    fprintf(stderr, "uptack %s: ", verb->name);
    cli_print_word(stderr, CLI_RED, "error:");
    fputc(' ', stderr);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nusage: %s\nuptack %s --help explains the options\n", verb->usage,
            verb->name);
    return CLI_USAGE;
}

// The option that getopt_long does not know, as the user wrote it.
static const char* unknown_option(char** argv)
{
    static char letter[3] = "-?";
    const char* word = argv[optind - 1];
    if (strncmp(word, "--", 2) == 0 || optopt == 0) {
        return word;
    }
    letter[1] = (char)optopt;
    return letter;
}

// Read the options. @param done end the program: an error, --help or --version
static int parse_options(const CliVerb* verb, int argc, char** argv, const struct option* options,
                         int (*set)(int option, void* context), void* context, bool* done)
{
    const char* letters = verb->letters != NULL ? verb->letters : ":h";
    *done = true;
    opterr = 0;
    int option;
    while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        int code = CLI_OK;
        switch (option) {
        case 'h':
            cli_print_help(verb);
            return CLI_OK;
        case CLI_OPTION_VERSION:
            cli_print_version();
            return CLI_OK;
        case ':':
            code = cli_usage(verb, "%s needs a value", argv[optind - 1]);
            break;
        case '?':
            code = cli_usage(verb, "there is no option %s", unknown_option(argv));
            break;
        default:
            code = set(option, context);
        }
        if (code != CLI_OK) {
            return code;
        }
    }
    *done = false;
    return CLI_OK;
}

int cli_parse(const CliVerb* verb, int argc, char** argv, const struct option* options,
              int (*set)(int option, void* context), void* context, const char** file)
{
    const char* operand = verb->operand != NULL ? verb->operand : "FILE";
    bool done;
    *file = NULL;
    const int code = parse_options(verb, argc, argv, options, set, context, &done);
    if (done) {
        return code;
    }
    if (argc - optind != 1) {
        return argc == optind ? cli_usage(verb, "%s is missing", operand)
                              : cli_usage(verb, "there is more than one %s", operand);
    }
    *file = argv[optind];
    return CLI_OK;
}

int cli_parse_in_out(const CliVerb* verb, int argc, char** argv, const struct option* options,
                     int (*set)(int option, void* context), void* context, const char** in,
                     const char** out)
{
    bool done;
    *in = *out = NULL;
    const int code = parse_options(verb, argc, argv, options, set, context, &done);
    if (done) {
        return code;
    }
    if (argc - optind != 2) {
        return argc - optind > 2
                   ? cli_usage(verb, "there is more than IN and OUT")
                   : cli_usage(verb, "%s missing", argc == optind ? "IN and OUT are" : "OUT is");
    }
    *in = argv[optind];
    *out = argv[optind + 1];
    return CLI_OK;
}

int cli_parse_several(const CliVerb* verb, int argc, char** argv, const struct option* options,
                      int (*set)(int option, void* context), void* context, int* count,
                      const char* const** files)
{
    bool done;
    *count = 0;
    const int code = parse_options(verb, argc, argv, options, set, context, &done);
    if (done) {
        return code;
    }
    if (argc == optind) {
        return cli_usage(verb, "%s is missing", verb->operand != NULL ? verb->operand : "FILE");
    }
    *count = argc - optind;
    *files = (const char* const*)(argv + optind);
    return CLI_OK;
}

bool cli_parse_number(const char* text, double* value)
{
    double number;
    const char* end = text + strlen(text);
    if (ut_number_read(text, end, &number) != end) {
        return false;
    }
    *value = number;
    return true;
}

bool cli_parse_int(const char* text, int lo, int hi, int* value)
{
    double number;
    if (!cli_parse_number(text, &number) || !(number >= lo && number <= hi)) {
        return false;
    }
    if ((double)(int)number != number) {
        return false;
    }
    *value = (int)number;
    return true;
}

// ---- output -------------------------------------------------------------------------------------

static bool is_colored(FILE* stream)
{
    const char* no_color = getenv("NO_COLOR");
    return (no_color == NULL || no_color[0] == 0) && isatty(fileno(stream)) == 1;
}

void cli_print_word(FILE* stream, CliColor color, const char* word)
{
    static const char* const codes[] = {
        [CLI_PLAIN] = "0",   [CLI_RED] = "31", [CLI_GREEN] = "32",
        [CLI_YELLOW] = "33", [CLI_BOLD] = "1",
    };
    if (color != CLI_PLAIN && is_colored(stream)) {
        fprintf(stream, "\033[%sm%s\033[0m", codes[color], word);
    } else {
        fputs(word, stream);
    }
}

int cli_fail(const utError* err)
{
    char text[sizeof err->file + sizeof err->message + 64];
    ut_error_format(err, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return CLI_FAILED;
}

int cli_finish(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    fprintf(stderr, "standard output: error: cannot be written: %s\n",
            errno != 0 ? strerror(errno) : "unknown reason");
    return CLI_FAILED;
}

static bool write_stdout(void* context, const char* text, size_t size)
{
    (void)context;
    return fwrite(text, 1, size, stdout) == size;
}

utJsonWriter cli_json(void)
{
    return ut_json_writer(write_stdout, NULL);
}

// ---- files --------------------------------------------------------------------------------------

int cli_edit_distance(const char* a, const char* b)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    const int n = (int)strlen(b);
    if (n > LONGEST) {
        return LONGEST;
    }
    for (int j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (int i = 0; a[i] != 0; i++) {
        int corner = row[0];
        row[0] = i + 1;
        for (int j = 0; j < n; j++) {
            const int change = corner + (a[i] != b[j]);
            const int insert = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            corner = row[j + 1];
            row[j + 1] = change < insert ? change : insert;
        }
    }
    return row[n];
}

bool cli_ends_in(const char* file, const char* ending)
{
    const size_t size = strlen(file);
    const size_t tail = strlen(ending);
    return size >= tail && strcmp(file + size - tail, ending) == 0;
}

const char* cli_file_name(const char* path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

utStatus cli_read_file(const char* path, utArena* keep, utText* text, utError* err)
{
    const utStatus status = ut_text_read(path, SIZE_MAX, keep, text, err);
    return status == UT_ERR_CAPACITY ? cli_no_memory(path, err) : status;
}

utStatus cli_no_memory(const char* path, utError* err)
{
    return ut_error_at(err, UT_ERR_MEMORY, cli_file_name(path), 0, 0,
                       "out of memory; the problem is too large for this machine");
}
