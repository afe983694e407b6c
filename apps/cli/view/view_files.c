// SPDX-License-Identifier: Apache-2.0
// The files of the model: read once for their list, and looked at for changes.
#define _XOPEN_SOURCE 700
#include "recorded/recorded_start.h"
#include "progress.h"
#include "view/view.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char VIEW_STDIN_NAME[] = "model.xml";

static const double LOOK_INTERVAL = 0.3; // s

// ---- paths --------------------------------------------------------------------------------------

// Append a path to an absolute one, part by part, as a browser does with "." and "..".
static bool append_parts(char* whole, const char* path)
{
    size_t size = strlen(whole);
    while (*path != '\0') {
        const size_t part = strcspn(path, "/");
        const bool up = part == 2 && memcmp(path, "..", 2) == 0;
        if (up) {
            while (size > 0 && whole[--size] != '/') {
            }
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            if (size + part + 2 > VIEW_PATH_ROOM) {
                return false;
            }
            whole[size++] = '/';
            memcpy(whole + size, path, part);
            size += part;
        }
        whole[size] = '\0';
        path += part + (path[part] == '/');
    }
    return true;
}

// The absolute path without "." and "..". @param keep holds it @return NULL when it is too long
static const char* whole_path(const char* path, utArena* keep)
{
    char folder[VIEW_PATH_ROOM], whole[VIEW_PATH_ROOM] = "";
    if (path[0] != '/' && (getcwd(folder, sizeof folder) == NULL || !append_parts(whole, folder))) {
        return NULL;
    }
    return append_parts(whole, path) ? cli_recorded_text((utText){whole, strlen(whole)}, keep)
                                     : NULL;
}

// The size of the folder, with its '/', that holds both files.
static size_t common_folder(const char* a, const char* b, size_t most)
{
    size_t size = 0;
    for (size_t k = 0; k < most && a[k] == b[k] && a[k] != '\0'; k++) {
        size = a[k] == '/' ? k + 1 : size;
    }
    return size;
}

static void name_files(ViewFiles* files)
{
    size_t folder = VIEW_PATH_ROOM;
    for (int k = 0; k < files->count; k++) {
        folder = common_folder(files->file[0].whole, files->file[k].whole, folder);
    }
    // package://NAME/ is looked for in the folders above a URDF file, and NAME may be this folder
    if (cli_ends_in(files->file[0].whole, ".urdf") && folder > 1) {
        folder--;
        while (folder > 0 && files->file[0].whole[folder - 1] != '/') {
            folder--;
        }
    }
    for (int k = 0; k < files->count; k++) {
        files->file[k].name = files->file[k].whole + folder;
    }
}

// ---- stamps -------------------------------------------------------------------------------------

static ViewStamp stamp_of(const char* path)
{
    struct stat s;
    if (stat(path, &s) != 0) {
        return (ViewStamp){.size = -1};
    }
#ifdef __APPLE__
    const struct timespec changed = s.st_mtimespec;
#else
    const struct timespec changed = s.st_mtim;
#endif
    return (ViewStamp){changed.tv_sec, changed.tv_nsec, s.st_size, s.st_ino};
}

static bool same_stamp(const ViewStamp* a, const ViewStamp* b)
{
    return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size &&
           a->inode == b->inode;
}

// ---- the list -----------------------------------------------------------------------------------

static const ViewFile* find_whole(const ViewFiles* files, const char* whole)
{
    for (int k = 0; k < files->count; k++) {
        if (strcmp(files->file[k].whole, whole) == 0) {
            return &files->file[k];
        }
    }
    return NULL;
}

static utStatus add_file(ViewFiles* files, const char* path, utError* err)
{
    const bool from_stdin = strcmp(path, "-") == 0;
    const char* whole = whole_path(from_stdin ? VIEW_STDIN_NAME : path, &files->memory);
    const char* copy = cli_recorded_text((utText){path, strlen(path)}, &files->memory);
    if (whole == NULL || copy == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "has too long a path");
    }
    if (find_whole(files, whole) == NULL) {
        // a pipe never changes
        const ViewStamp stamp = from_stdin ? (ViewStamp){.size = -1} : stamp_of(path);
        files->file[files->count++] = (ViewFile){whole, whole, copy, stamp};
    }
    return UT_OK;
}

static utStatus add_files(const CliSources* sources, const ViewFiles* old, const char* first,
                          ViewFiles* files, utError* err)
{
    const int most = 1 + sources->count + (old != NULL ? old->count : 0);
    files->file = UT_PUSH(&files->memory, ViewFile, most);
    if (files->file == NULL) {
        return cli_no_memory(first, err);
    }
    UT_TRY(add_file(files, first, err));
    for (int k = 0; k < sources->count; k++) {
        const char* path = cli_recorded_text(sources->file[k].path, &files->memory);
        UT_TRY(path != NULL ? add_file(files, path, err) : cli_no_memory(first, err));
    }
    for (int k = 0; old != NULL && k < old->count; k++) {
        UT_TRY(add_file(files, old->file[k].path, err));
    }
    name_files(files);
    return UT_OK;
}

// The options once more, because loading a model changes them.
static void copy_start(const CliStart* from, CliStart* to)
{
    static const CliVerb no_verb = {.name = "view", .usage = "uptack view"};
    *to = (CliStart){.file = from->file, .sim = ut_sim_def()};
    for (int k = 0; k < from->given; k++) {
        (void)cli_set_start(&no_verb, from->given_option[k].option, from->given_option[k].value,
                            to);
    }
}

// Read a model. @param sources receives its files, as far as they could be read
static utStatus read_model(const View* view, CliSources* sources, utError* err)
{
    CliStart start;
    CliModel loaded;
    copy_start(&view->start, &start);
    start.sets.sources = sources;
    const utStatus status = cli_load_model(view->start.file, &start.sets, &loaded, err);
    cli_free_model(&loaded);
    return status;
}

static utStatus read_recording(const View* view, utError* err)
{
    utArena memory;
    utText bytes;
    utRecording recording;
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        return cli_no_memory(view->start.file, err);
    }
    utStatus status = cli_read_file(view->start.file, &memory, &bytes, err);
    if (status == UT_OK) {
        status = ut_recording_open(bytes.data, bytes.size, view->start.file, &recording, err);
    }
    ut_arena_destroy(&memory);
    return status;
}

// Keep the text of standard input, which cannot be read twice.
static utStatus keep_stdin(const CliSources* sources, ViewFiles* files, utError* err)
{
    const utText text = sources->count > 0 ? sources->file[0].text : (utText){NULL, 0};
    const char* copy = text.data != NULL ? cli_recorded_text(text, &files->memory) : NULL;
    files->stdin_text = (utText){copy, text.size};
    return copy != NULL ? UT_OK : cli_no_memory("-", err);
}

utStatus view_files_load(const View* view, const ViewFiles* old, ViewFiles* files, utError* err)
{
    const char* const path = view->start.file;
    CliSources sources = {0};
    *files = (ViewFiles){0};
    if (ut_arena_create(0, NULL, &files->memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    utStatus status =
        view->kind == VIEW_RECORDING ? read_recording(view, err) : read_model(view, &sources, err);
    if (view->kind != VIEW_SCENE && (status == UT_OK || old != NULL)) {
        utError unused;
        const bool complete = status == UT_OK;
        const utStatus listed =
            add_files(&sources, complete ? NULL : old, path, files, complete ? err : &unused);
        status = complete ? listed : status;
    }
    if (status == UT_OK && strcmp(path, "-") == 0) {
        status = keep_stdin(&sources, files, err);
    }
    cli_free_sources(&sources);
    return status;
}

void view_files_free(ViewFiles* files)
{
    ut_arena_destroy(&files->memory);
    *files = (ViewFiles){0};
}

// ---- changes ------------------------------------------------------------------------------------

// Take new stamps. @return whether one differs
static bool look(ViewFiles* files)
{
    bool changed = false;
    for (int k = 0; k < files->count; k++) {
        ViewFile* f = &files->file[k];
        const ViewStamp now = strcmp(f->path, "-") == 0 ? f->stamp : stamp_of(f->path);
        changed = changed || !same_stamp(&now, &f->stamp);
        f->stamp = now;
    }
    return changed;
}

bool view_watch(View* view, double now)
{
    if (view->files.count == 0 || view->files.stdin_text.data != NULL || now < view->next_look) {
        return false;
    }
    view->next_look = now + LOOK_INTERVAL;
    if (look(&view->files)) {
        // an editor may still be writing: wait until two looks agree
        view->changing = true;
        return false;
    }
    if (!view->changing) {
        return false;
    }
    ViewFiles next;
    utError err = {0};
    view->changing = false;
    if (view_files_load(view, &view->files, &next, &err) != UT_OK) {
        (void)cli_fail(&err); // the page shows the same message
    }
    if (next.count > 0) {
        view_files_free(&view->files);
        view->files = next;
    } else {
        view_files_free(&next);
    }
    view->version++;
    return true;
}
