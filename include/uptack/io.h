// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Model files. The format is MJCF, MuJoCo's XML, with elements and attributes of uptack's own in the
/// namespace xmlns:ut="urn:uptack". ut_load (load.h) reads and compiles a file in one call; the
/// functions here read it into a description that can still be changed.
///
///     utModelDef* def = NULL;
///     ut_model_def_create(NULL, &def);
///     utMjcfDef how = ut_mjcf_def();
///     utNotes notes;
///     utError err;
///     if (ut_mjcf_load("scene.xml", &how, def, &notes, &err) == UT_OK) {
///         char text[4096];
///         ut_notes_print(&notes, text, sizeof text);   // the parts that are not supported
///         ut_notes_destroy(&notes);
///     }
///
/// Nothing is ignored silently. An element or attribute is either supported, or reported in a note,
/// or rejected with `file:line:col: error: what is wrong; what would help`. Rejected are texts that
/// are not MJCF, invalid values, and shapes that should collide but are not supported.
///
/// Functions may be called from several threads at once as long as they do not share objects that
/// they write to.
#ifndef UPTACK_IO_H
#define UPTACK_IO_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- notes --------------------------------------------------------------------------------------

/// A part of a file that is not supported.
typedef struct utNote {
    const char* what; ///< the element or attribute: "geom.gap", "equality/connect"
    const char* why;  ///< "not supported", "for viewers", ...
    bool physics;     ///< ignoring it changes the simulation; false: only pictures, outputs or
                      ///< settings of MuJoCo's solver are affected
    bool missing;     ///< physics that the model lacks (a contact pair, a tendon, an actuator), so
        ///< that no certificate covers it. False for physics that follows another law,
        ///< such as hard contacts instead of soft ones
    int count;        ///< number of occurrences in the file
    const char* file; ///< file of the first occurrence
    int line;         ///< of the first occurrence, 1-based
    int column;       ///< of the first occurrence, 1-based, in bytes
} utNote;

/// The notes of one read, each different, in the order of their first occurrences.
typedef struct utNotes {
    int count;
    const utNote* note;
    utArena memory; ///< belongs to ut_notes_destroy
} utNotes;

/// Write a line per note: `scene.xml:12:7: warning: geom.gap (3 times): not supported`. Notes without
/// physics say `note` instead of `warning`. The text is always terminated.
/// @param size room in `text`, at least 1
/// @return bytes of all lines without the final 0, which may be more than `size`
UT_API size_t ut_notes_print(const utNotes* notes, char* text, size_t size);

/// Release the memory of notes that a successful read filled, or that are all 0.
UT_API void ut_notes_destroy(utNotes* notes);

/// The name of standard input in messages.
#define UT_STANDARD_INPUT "standard input"

// ---- MJCF ---------------------------------------------------------------------------------------

/// A function that reads a file for a model.
/// @param keep memory for the text. It does not grow: return UT_ERR_CAPACITY to be called again with
///        more memory
/// @param text must live until the read of the model returns
/// @return UT_ERR_IO when there is no such file
typedef utStatus utReadFile(void* context, const char* path, utArena* keep, utText* text,
                            utError* err);

/// How to read MJCF.
typedef struct utMjcfDef {
    bool strict;      ///< reject a file with a note whose `physics` is set, default false
    int max_depth;    ///< of nested elements, default 4096
    size_t max_bytes; ///< of all files together, default 64 MiB
    utReadFile* read; ///< default: from disk; NULL: the text cannot include files
    void* read_context;
    const utAllocator* allocator; ///< default NULL: malloc; expat always uses malloc
    uint32_t cookie;              ///< set by ut_mjcf_def()
} utMjcfDef;

#define UT_MJCF_DEF_COOKIE UT_COOKIE(3, 1) ///< value of utMjcfDef.cookie

UT_API utMjcfDef ut_mjcf_def(void);

/// Read a text into a description. Elements have the meaning that MuJoCo 3 gives them, with hard
/// contacts instead of soft ones.
/// @param file the text's name in messages; included files are looked for beside it
/// @param def  NULL: all defaults
/// @param into an empty description; unchanged on failure, except that it is of no use after
///        UT_ERR_MEMORY
/// @param notes may be NULL; filled on success only, then to be given to ut_notes_destroy
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
