// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Model files. MJCF, MuJoCo's XML, is the native format; what it cannot say stands in the
/// namespace xmlns:ut="urn:uptack".
///
///     utModelDef* def = NULL;
///     ut_model_def_create(NULL, &def);
///     utMjcfDef how = ut_mjcf_def();
///     utNotes notes;
///     utError err;
///     if (ut_mjcf_load("scene.xml", &how, def, &notes, &err) == UT_OK) {
///         char text[4096];
///         ut_notes_print(&notes, text, sizeof text);   // what was not honoured
///         ut_notes_destroy(&notes);
///     }
///
/// Nothing is ignored in silence. A thing is honoured; or it is noted; or, when it is no MJCF at
/// all, says something impossible, or would leave a body without a shape that it should collide
/// with, the file is refused with `file:line:col: error: what; what would help`.
#ifndef UPTACK_IO_H
#define UPTACK_IO_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- notes --------------------------------------------------------------------------------------

/// Something of a file that was read and not honoured.
typedef struct utNote {
    const char* what; ///< "geom.gap", "equality/connect"
    const char* why;  ///< "not honoured", "for viewers", ...
    bool physics;     ///< it changes what is simulated; false: another picture, output or numerical
                      ///< method at most
    bool missing;     ///< physics that the model lacks (a contact pair, a tendon, an actuator), so
                      ///< that no certificate covers it. False for physics that is simulated by
                      ///< another law, such as hard contacts in place of soft ones
    int count;        ///< how often it stands in the file
    const char* file; ///< where it stands first
    int line;         ///< 1-based
    int column;       ///< 1-based, in bytes
} utNote;

/// Distinct things, in the order in which they stand first in the file.
typedef struct utNotes {
    int count;
    const utNote* note;
    utArena memory; ///< belongs to ut_notes_destroy
} utNotes;

/// Write a line for each note, `scene.xml:12:7: warning: geom.gap (3 times): not honoured`, those
/// without physics as `note`. Always terminated. @param size room in `text`, at least 1
/// @return bytes that all of it takes without the final 0, which may be more than was written
UT_API size_t ut_notes_print(const utNotes* notes, char* text, size_t size);

/// Give the memory back; for notes that a successful read filled, or that are all 0.
UT_API void ut_notes_destroy(utNotes* notes);

/// The name of standard input in messages.
#define UT_STANDARD_INPUT "standard input"

// ---- MJCF ---------------------------------------------------------------------------------------

/// Gives the text of a file that a model names.
/// @param keep where the text goes; UT_ERR_CAPACITY asks to be called again with a larger one
typedef utStatus utReadFile(void* context, const char* path, utArena* keep, utText* text,
                            utError* err);

typedef struct utMjcfDef {
    bool strict;      ///< a note with physics is an error, default false
    int max_depth;    ///< of nested elements, default 4096
    size_t max_bytes; ///< of all files together, default 64 MiB
    utReadFile* read; ///< default: from disk; NULL: files cannot be included
    void* read_context;
    const utAllocator* allocator; ///< default NULL: malloc. expat takes its own from malloc always
    uint32_t cookie;              ///< set by ut_mjcf_def()
} utMjcfDef;

UT_API utMjcfDef ut_mjcf_def(void);

/// Read a model from a text. What it means is MuJoCo 3's, with hard contacts in place of soft ones.
/// @param file the text's name in messages; files that it includes are looked for beside it
/// @param def  NULL: all defaults
/// @param into an empty description; unchanged on failure, but of no use after UT_ERR_MEMORY. It is
///        told how many things are missing (ut_model_def_missing), so that the model knows
/// @param notes may be NULL; filled on success alone, then ut_notes_destroy it
/// @return UT_ERR_FORMAT with a position, UT_ERR_IO, UT_ERR_MEMORY, UT_ERR_DEF, UT_ERR_ARGUMENT
UT_API utStatus ut_mjcf_read(utText text, const char* file, const utMjcfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

/// The same for a file, which def->read gives. @param path "-" is standard input, which messages call
/// UT_STANDARD_INPUT
UT_API utStatus ut_mjcf_load(const char* path, const utMjcfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

#ifdef __cplusplus
}
#endif

#endif
