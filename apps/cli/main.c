// SPDX-License-Identifier: Apache-2.0
// uptack VERB ...: find the verb and run it.
#include "cli.h"

#include <string.h>

static const CliVerb* const verbs[] = {
    &cli_check,  &cli_info,    &cli_run,   &cli_replay,  &cli_certify, &cli_compare,
    &cli_dump,   &cli_view,    &cli_lcp,   &cli_coulomb, &cli_plot,    &cli_draw,
    &cli_render, &cli_convert, &cli_sweep, &cli_merge,   NULL};

static void print_usage(FILE* stream)
{
    fprintf(stream, "usage: uptack VERB ...\n\n"
                    "Simulates rigid bodies in hard contact and certifies every step.\n\n"
                    "verbs:\n");
    for (int v = 0; verbs[v] != NULL; v++) {
        fprintf(stream, "  %-8s %s\n", verbs[v]->name, verbs[v]->summary);
    }
    fprintf(stream, "\nexample:\n"
                    "  uptack run stack:5      simulate a stack of five boxes\n"
                    "\nuptack VERB --help explains a verb; uptack --version prints the version.\n");
}

// Report a first word that is not a verb. @return CLI_USAGE
static int reject(const char* what, const char* word)
{
    fprintf(stderr, "uptack: ");
    cli_print_word(stderr, CLI_RED, "error:");
    fprintf(stderr, " %s%s\n", what, word);
    print_usage(stderr);
    return CLI_USAGE;
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        return reject("a verb is missing", "");
    }
    const char* word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_usage(stdout);
        return cli_finish(CLI_OK);
    }
    if (strcmp(word, "--version") == 0) {
        cli_print_version();
        return cli_finish(CLI_OK);
    }
    for (int v = 0; verbs[v] != NULL; v++) {
        if (strcmp(word, verbs[v]->name) == 0) {
            return cli_finish(verbs[v]->run(argc - 1, argv + 1));
        }
    }
    return reject(word[0] == '-' ? "there is no option " : "there is no verb ", word);
}
