// SPDX-License-Identifier: Apache-2.0
// The file of a picture or a film: written under another name, and renamed when it is complete.
#define _POSIX_C_SOURCE 200809L
#include "render/image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- ffmpeg -------------------------------------------------------------------------------------

// Is there an executable file of this name in a folder of PATH?
static bool is_installed(const char* program)
{
    const char* path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[4096];
        const size_t size = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)size, path, program);
        if (size > 0 && access(file, X_OK) == 0) {
            return true;
        }
        path += size + (path[size] == ':');
    }
    return false;
}

// The child: reads pictures from standard input. Ctrl-C is for the parent, which removes the file.
static void run_ffmpeg(int input, const char* part, int width, int height, double fps)
{
    char size[64], rate[64];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.9g", fps);
    const char* const words[] = {
        "ffmpeg",   "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt",
        "rgb24",    "-s",       size,        "-r",    rate, "-i", "pipe:0",   "-an",
        "-pix_fmt", "yuv420p",  "-f",        "mp4",   part, NULL};
    (void)setpgid(0, 0);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
        execvp(words[0], (char* const*)words);
    }
    _exit(127);
}

static utStatus start_ffmpeg(RenderFile* file, int width, int height, double fps, utError* err)
{
    int ends[2];
    if (!is_installed("ffmpeg")) {
        return ut_error_at(err, UT_ERR_IO, file->path, 0, 0,
                           "needs the program ffmpeg, which is not installed; install it, or write "
                           "a .gif");
    }
    if (pipe(ends) != 0) {
        return ut_error_at(err, UT_ERR_IO, file->path, 0, 0, "cannot be written: %s",
                           strerror(errno));
    }
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)signal(SIGPIPE, SIG_IGN); // an encoder that ends early is an error message
    file->encoder = fork();
    if (file->encoder == 0) {
        run_ffmpeg(ends[0], file->part, width, height, fps);
    }
    (void)close(ends[0]);
    file->pipe = ends[1];
    return file->encoder > 0 ? UT_OK
                             : ut_error_at(err, UT_ERR_IO, file->path, 0, 0,
                                           "ffmpeg cannot be started: %s", strerror(errno));
}

// ---- the file -----------------------------------------------------------------------------------

utStatus render_file_open(RenderFile* file, const char* path, RenderKind kind, int width,
                          int height, double fps, utError* err)
{
    *file = (RenderFile){.path = path, .pipe = -1};
    snprintf(file->part, sizeof file->part, "%s.part", path);
    UT_TRY(cli_output_open(file->part, &file->output, err));
    file->output.path = path;
    return kind == RENDER_MP4 ? start_ffmpeg(file, width, height, fps, err) : UT_OK;
}

static utStatus write_to_encoder(const RenderFile* file, const char* data, size_t size,
                                 utError* err)
{
    while (size > 0) {
        const ssize_t written = write(file->pipe, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return ut_error_at(err, UT_ERR_IO, file->path, 0, 0,
                               "ffmpeg ended before it had all pictures");
        }
        data += written;
        size -= (size_t)written;
    }
    return UT_OK;
}

utStatus render_file_write(RenderFile* file, const void* data, size_t size, utError* err)
{
    if (file->pipe >= 0) {
        return write_to_encoder(file, data, size, err);
    }
    return cli_output_write(&file->output, data, size) ? UT_OK
                                                       : cli_output_failed(&file->output, err);
}

// Wait for the encoder. @return did it write the film?
static bool end_encoder(RenderFile* file, bool keep)
{
    int status = 0;
    (void)close(file->pipe);
    if (!keep) {
        (void)kill(file->encoder, SIGKILL);
    }
    while (waitpid(file->encoder, &status, 0) < 0 && errno == EINTR) {
    }
    file->encoder = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

utStatus render_file_close(RenderFile* file, bool keep, utStatus status, utError* err)
{
    const bool open = file->output.file != NULL;
    keep = keep && status == UT_OK;
    if (file->encoder > 0 && !end_encoder(file, keep) && keep) {
        status = ut_error_at(err, UT_ERR_IO, file->path, 0, 0,
                             "ffmpeg could not write it; its message is above");
    }
    status = cli_output_close(&file->output, true, status, err);
    if (!open) {
        return status;
    }
    if (!keep || status != UT_OK) {
        (void)unlink(file->part);
        return status;
    }
    if (rename(file->part, file->path) != 0) {
        (void)unlink(file->part);
        return ut_error_at(err, UT_ERR_IO, file->path, 0, 0, "cannot be written: %s",
                           strerror(errno));
    }
    return UT_OK;
}
