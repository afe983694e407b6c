// SPDX-License-Identifier: Apache-2.0
// Writing a picture to a file, completely or not at all.
#define _XOPEN_SOURCE 700
#include "plot/plot_file.h"

#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Write and close.
static utStatus write_all(CliOutput* output, const Svg* svg, utError* err)
{
    const bool complete = cli_output_write(output, svg->text, svg->size);
    return cli_output_close(output, complete, UT_OK, err);
}

static utStatus write_in_place(const char* path, const Svg* svg, utError* err)
{
    CliOutput output;
    UT_TRY(cli_output_open(path, &output, err));
    return write_all(&output, svg, err);
}

// Permissions of the new file. @param old the file that is replaced; NULL: as fopen would set them
static mode_t file_mode(const struct stat* old)
{
    const mode_t mask = umask(0);
    umask(mask);
    return old != NULL ? old->st_mode & 07777 : 0666 & ~mask;
}

static utStatus write_and_rename(const char* path, const struct stat* old, const Svg* svg,
                                 char* temporary, utError* err)
{
    const int descriptor = mkstemp(temporary);
    CliOutput output = {.path = path};
    output.file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (output.file == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "cannot be written: %s; check the folder",
                           strerror(errno));
    }
    (void)fchmod(descriptor, file_mode(old));
    utStatus status = write_all(&output, svg, err);
    if (status == UT_OK && rename(temporary, path) != 0) {
        output.code = errno;
        status = cli_output_failed(&output, err);
    }
    if (status != UT_OK) {
        unlink(temporary);
    }
    return status;
}

utStatus plot_file_write(const char* path, const Svg* svg, utError* err)
{
    if (strcmp(path, "-") == 0) {
        (void)fwrite(svg->text, 1, svg->size, stdout); // main reports a failure of stdout
        return UT_OK;
    }
    struct stat old;
    const bool there = lstat(path, &old) == 0;
    if (there && !S_ISREG(old.st_mode)) {
        return write_in_place(path, svg, err);
    }
    const size_t size = strlen(path) + 8;
    char* temporary = malloc(size);
    if (temporary == NULL) {
        return cli_no_memory(path, err);
    }
    snprintf(temporary, size, "%s.XXXXXX", path);

    // block signals until the temporary file has been renamed or removed
    sigset_t ending;
    sigset_t before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, &before);
    const utStatus status = write_and_rename(path, there ? &old : NULL, svg, temporary, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(temporary);
    return status;
}
