// SPDX-License-Identifier: Apache-2.0
// What a request is answered. Only these things have an answer, all of them below the secret token:
//
//     /                 the page, and its files
//     /view.json        what the page shall open
//     /files/NAME       a file that the model reads
//     /changes?since=N  answered when the files have changed
#define _XOPEN_SOURCE 700
#include "view/view.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ViewAnswer refuse(int status)
{
    return (ViewAnswer){.status = status, .file = -1};
}

// ---- bodies -------------------------------------------------------------------------------------

static ViewAnswer answer_text(const char* type, const char* text, size_t size)
{
    char* copy = malloc(size + 1);
    if (copy == NULL) {
        return refuse(500);
    }
    memcpy(copy, text, size);
    return (ViewAnswer){.status = 200, .type = type, .text = copy, .file = -1, .size = size};
}

// Pipes, devices and folders are no bodies. @param file is closed if it is none
static ViewAnswer answer_file(const char* type, int file)
{
    struct stat s;
    if (file < 0) {
        return refuse(404);
    }
    if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode)) {
        (void)close(file);
        return refuse(404);
    }
    return (ViewAnswer){.status = 200, .type = type, .file = file, .size = (uint64_t)s.st_size};
}

// ---- files of the page --------------------------------------------------------------------------

enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

// Open a file below a folder. Links are not followed, and names that begin with a dot do not count.
static int open_below(const char* folder, const char* name)
{
    int at = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    while (at >= 0) {
        char part[256];
        const size_t size = strcspn(name, "/");
        const bool last = name[size] == '\0';
        int next = -1;
        if (size > 0 && size < sizeof part && name[0] != '.') {
            memcpy(part, name, size);
            part[size] = '\0';
            next = openat(at, part, last ? OPEN_FLAGS : OPEN_FLAGS | O_DIRECTORY);
        }
        (void)close(at);
        at = next;
        if (last) {
            break;
        }
        name += size + 1;
    }
    return at;
}

static ViewAnswer answer_page(const View* view, const char* name, bool gzip)
{
    const char* const type = http_media_type(name);
    char packed[HTTP_PATH_ROOM + 4];
    snprintf(packed, sizeof packed, "%s.gz", name);
    if (gzip) {
        ViewAnswer answer = answer_file(type, open_below(view->page, packed));
        if (answer.status == 200) {
            answer.gzip = true;
            return answer;
        }
    }
    return answer_file(type, open_below(view->page, name));
}

// ---- files of the model -------------------------------------------------------------------------

static ViewAnswer answer_model_file(const View* view, const char* name)
{
    const ViewFiles* files = &view->files;
    for (int k = 0; k < files->count; k++) {
        const ViewFile* f = &files->file[k];
        if (strcmp(f->name, name) != 0) {
            continue;
        }
        const char* const type = http_media_type(name);
        return strcmp(f->path, "-") == 0
                   ? answer_text(type, files->stdin_text.data, files->stdin_text.size)
                   : answer_file(type, open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    }
    return refuse(404);
}

static ViewAnswer answer_description(const View* view)
{
    utArena memory;
    utText text;
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        return refuse(500);
    }
    const ViewAnswer answer = view_write_json(view, &memory, &text) == UT_OK
                                  ? answer_text("application/json", text.data, text.size)
                                  : refuse(500);
    ut_arena_destroy(&memory);
    return answer;
}

ViewAnswer view_answer_changes(const View* view, uint64_t since)
{
    char text[64];
    const int size = snprintf(text, sizeof text, "{\"version\":%" PRIu64 "}", view->version);
    return view->version > since ? answer_text("application/json", text, (size_t)size)
                                 : refuse(204);
}

static ViewAnswer answer_changes(const View* view, const HttpRequest* request)
{
    uint64_t since;
    if (!http_query_number(request, "since", &since)) {
        return refuse(400);
    }
    return view->version > since
               ? view_answer_changes(view, since)
               : (ViewAnswer){.status = 200, .wait = true, .since = since, .file = -1};
}

// ---- requests -----------------------------------------------------------------------------------

// Another name would be that of a page elsewhere whose name was made to lead to this address.
static bool is_own_host(const View* view, const char* host)
{
    char own[2][32];
    snprintf(own[0], sizeof own[0], "127.0.0.1:%d", view->port);
    snprintf(own[1], sizeof own[1], "localhost:%d", view->port);
    return strcmp(host, own[0]) == 0 || strcmp(host, own[1]) == 0;
}

// The path behind "/TOKEN". The comparison takes the same time for every wrong token.
static const char* behind_token(const View* view, const char* path)
{
    const char* const begin = path + 1;
    if (strlen(begin) < VIEW_TOKEN_SIZE) {
        return NULL;
    }
    int different = 0;
    for (int k = 0; k < VIEW_TOKEN_SIZE; k++) {
        different |= begin[k] ^ view->token[k];
    }
    const char* const rest = begin + VIEW_TOKEN_SIZE;
    return different == 0 && (*rest == '/' || *rest == '\0') ? rest : NULL;
}

ViewAnswer view_answer(const View* view, int status, const HttpRequest* request)
{
    static const char files[] = "/files/";
    if (status != 200) {
        return refuse(status);
    }
    if (!is_own_host(view, request->host)) {
        return refuse(403);
    }
    const char* const rest = behind_token(view, request->path);
    if (rest == NULL) {
        return refuse(404);
    }
    if (rest[0] == '\0') {
        return (ViewAnswer){.status = 301, .redirect = true, .file = -1};
    }
    if (strcmp(rest, "/") == 0) {
        return answer_page(view, "index.html", request->gzip);
    }
    if (strcmp(rest, "/view.json") == 0) {
        return answer_description(view);
    }
    if (strcmp(rest, "/changes") == 0) {
        return answer_changes(view, request);
    }
    if (strncmp(rest, files, sizeof files - 1) == 0) {
        return answer_model_file(view, rest + sizeof files - 1);
    }
    return answer_page(view, rest + 1, request->gzip);
}

// ---- the first lines ----------------------------------------------------------------------------

size_t view_answer_head(const View* view, const ViewAnswer* answer, char* room)
{
    enum { ROOM = 1024 };
    char extra[256] = "";
    size_t used = 0;
    if (answer->type != NULL) {
        used += (size_t)snprintf(extra + used, sizeof extra - used, "Content-Type: %s\r\n",
                                 answer->type);
    }
    if (answer->gzip) {
        used += (size_t)snprintf(extra + used, sizeof extra - used, "Content-Encoding: gzip\r\n");
    }
    if (answer->redirect) {
        used +=
            (size_t)snprintf(extra + used, sizeof extra - used, "Location: /%s/\r\n", view->token);
    }
    if (answer->status == 405) {
        used += (size_t)snprintf(extra + used, sizeof extra - used, "Allow: GET, HEAD\r\n");
    }
    if (answer->status != 204) {
        (void)snprintf(extra + used, sizeof extra - used, "Content-Length: %" PRIu64 "\r\n",
                       answer->size);
    }
    // the page loads nothing from elsewhere, no other page shows or reads it, and the token stays here
    const int size = snprintf(
        room, ROOM,
        "HTTP/1.1 %d %s\r\n%s"
        "Connection: close\r\n"
        "Cache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; "
        "connect-src 'self' data: blob:; worker-src 'self' blob:; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "X-Content-Type-Options: nosniff\r\n\r\n",
        answer->status, http_reason(answer->status), extra);
    return size > 0 && size < ROOM ? (size_t)size : 0;
}
