// SPDX-License-Identifier: Apache-2.0
// The folder of the built page, and the browser that shows it.
#define _POSIX_C_SOURCE 200809L
#include "view/view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- the folder ---------------------------------------------------------------------------------

static bool has_page(const char* folder)
{
    char index[VIEW_PATH_ROOM + 16];
    snprintf(index, sizeof index, "%s/index.html", folder);
    return access(index, R_OK) == 0;
}

// The folder of this program, with a '/' at its end.
static void find_program(char* room)
{
    const ssize_t size = readlink("/proc/self/exe", room, VIEW_PATH_ROOM - 1);
    room[size > 0 ? size : 0] = '\0';
    char* const slash = strrchr(room, '/');
    room[slash != NULL ? slash - room + 1 : 0] = '\0';
}

utStatus view_find_page(const char* given, char* room, utError* err)
{
    // beside the program in the build folder, or where the package puts it
    static const char* const places[] = {"page", "../share/uptack/page"};
    if (given != NULL) {
        snprintf(room, VIEW_PATH_ROOM, "%s", given);
        return has_page(room) ? UT_OK
                              : ut_error_at(err, UT_ERR_IO, given, 0, 0,
                                            "holds no index.html; --page needs the folder that "
                                            "make page builds");
    }
    char program[VIEW_PATH_ROOM];
    find_program(program);
    for (size_t k = 0; program[0] != '\0' && k < sizeof places / sizeof *places; k++) {
        const int size = snprintf(room, VIEW_PATH_ROOM, "%s%s", program, places[k]);
        if (size < VIEW_PATH_ROOM && has_page(room)) {
            return UT_OK;
        }
    }
    return ut_error_at(err, UT_ERR_IO, "page", 0, 0,
                       "is not built: there is no %spage/index.html; run make page, or name the "
                       "folder of a built page with --page DIR",
                       program);
}

// ---- the browser --------------------------------------------------------------------------------

static bool has_display(void)
{
#ifdef __APPLE__
    return true;
#else
    const char* const names[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    for (int k = 0; k < 2; k++) {
        const char* value = getenv(names[k]);
        if (value != NULL && value[0] != '\0') {
            return true;
        }
    }
    return false;
#endif
}

// In a process of its own, which Ctrl-C in the terminal does not reach.
static void run_browser(const char* address)
{
#ifdef __APPLE__
    const char* const program = "open";
#else
    const char* const program = "xdg-open";
#endif
    const int nothing = open("/dev/null", O_RDWR);
    for (int k = 0; nothing >= 0 && k < 3; k++) {
        (void)dup2(nothing, k);
    }
    (void)setsid();
    if (fork() == 0) {
        execlp(program, program, address, (char*)NULL);
    }
    _exit(0);
}

void view_open_browser(const char* address)
{
    if (!has_display()) {
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        run_browser(address);
    } else if (child > 0) {
        (void)waitpid(child, NULL, 0);
    }
}
