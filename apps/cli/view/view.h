// SPDX-License-Identifier: Apache-2.0
// uptack view: the files that are shown, the answers to requests, and the server around them.
//
//     view_find_page       the folder of the built page
//     view_files_load      the files of the model, whose changes are seen
//     view_answer          what one request is answered
//     view_serve           connections, until Ctrl-C
#ifndef UPTACK_CLI_VIEW_H
#define UPTACK_CLI_VIEW_H

#include "start.h"
#include "view/http.h"

enum { VIEW_PATH_ROOM = 4096, VIEW_TOKEN_SIZE = 32 };

typedef enum ViewKind { VIEW_MODEL, VIEW_RECORDING, VIEW_SCENE } ViewKind;

// ---- files --------------------------------------------------------------------------------------

/// A file at one moment; two moments with the same stamp have the same content.
typedef struct ViewStamp {
    long long seconds, nanoseconds; ///< of the last change
    long long size;                 ///< -1: there is no file
    unsigned long long inode;
} ViewStamp;

/// A file that the model reads.
typedef struct ViewFile {
    const char* whole; ///< absolute path, without "." and ".."
    const char* name;  ///< its last part, below the folder that holds all files
    const char* path;  ///< as the model names it
    ViewStamp stamp;
} ViewFile;

/// The files that the page may read: those that the model reads, and no others.
typedef struct ViewFiles {
    utArena memory;
    int count;
    ViewFile* file;    ///< the first one is the model or the recording; a scene has none
    utText stdin_text; ///< of a model from standard input, else NULL
} ViewFiles;

// ---- what is shown ------------------------------------------------------------------------------

typedef struct View {
    CliStart start; ///< its file is a model, a recording or a scene
    ViewKind kind;
    const char* page; ///< folder of the built page
    int port;         ///< 0: any; then the chosen one
    bool no_browser, json;
    char token[VIEW_TOKEN_SIZE + 1]; ///< the secret part of the address
    uint64_t version;                ///< grows when a file has changed
    ViewFiles files;
    bool changing;    ///< the files have changed and may not be complete yet
    double next_look; ///< s: when to look at the files again
} View;

extern const char VIEW_STDIN_NAME[]; ///< the name of standard input below files/

/// Find the folder of the built page. @param given --page; NULL: none @param room VIEW_PATH_ROOM bytes
utStatus view_find_page(const char* given, char* room, utError* err);

/// Read the model, for the list of its files. @param files pass it to view_files_free
/// @param old the list before, whose files are kept when the model cannot be read; NULL: none
utStatus view_files_load(const View* view, const ViewFiles* old, ViewFiles* files, utError* err);
void view_files_free(ViewFiles* files);

/// Look at the files, when it is time. After a change the list is read again, and the version grows.
/// @return whether the version has grown
bool view_watch(View* view, double now);

/// The description for the page, view.json.
utStatus view_write_json(const View* view, utArena* keep, utText* text);

/// Start the user's browser; nothing happens without a display.
void view_open_browser(const char* address);

// ---- answers ------------------------------------------------------------------------------------

/// The answer to a request.
typedef struct ViewAnswer {
    int status;
    const char* type; ///< media type; NULL: no body
    bool gzip;        ///< the body is compressed
    bool wait;        ///< answer when the version is above `since`; nothing else is set
    uint64_t since;
    bool redirect; ///< to the same address with '/' at its end
    char* text;    ///< body in memory, to be freed; NULL: none
    int file;      ///< open file of the body; -1: none
    uint64_t size; ///< of the body
} ViewAnswer;

/// Answer a request. @param status of reading it; other than 200 refuses it
ViewAnswer view_answer(const View* view, int status, const HttpRequest* request);

/// The answer to those who waited: the version, or 204 when it is not above `since`.
ViewAnswer view_answer_changes(const View* view, uint64_t since);

/// The first lines of an answer. @param room 1024 bytes @return their size
size_t view_answer_head(const View* view, const ViewAnswer* answer, char* room);

// ---- the server ---------------------------------------------------------------------------------

/// Listen on 127.0.0.1. @param port 0: any; receives the port
utStatus view_listen(int* port, int* socket, utError* err);

/// Answer requests until a signal.
utStatus view_serve(View* view, int listener, utError* err);

#endif
