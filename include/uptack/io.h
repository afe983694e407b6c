// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Model files. The formats are MJCF, MuJoCo's XML, with elements and attributes of uptack's own in
/// the namespace xmlns:ut="urn:uptack", and URDF, the XML of ROS. ut_load (load.h) reads and compiles a
/// file in one call; the functions here read it into a description that can still be changed.
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
/// are neither MJCF nor URDF, invalid values, and shapes that should collide but are not supported.
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

// ---- limits -------------------------------------------------------------------------------------

/// Pixels that a height field may have whatever the size of its file. A flat field without data, and a
/// picture of 2 kB, can ask for millions.
#define UT_FREE_PIXELS 1250000

/// What a model may hold, counted over all its files and after `include`, `replicate` and `attach`. A
/// model over a limit is rejected at the place that exceeds it, before memory is taken for it, so that
/// a hostile file cannot use up memory or time. Each limit is at least 1.
typedef struct utLimits {
    size_t bytes;       ///< of the XML texts, default 16 MiB
    size_t asset_bytes; ///< of the files of meshes, height fields and pictures, default 1 GiB
    int files;          ///< of XML, default 1,000
    int depth;          ///< of nested elements, default 4,096
    int elements;       ///< default 100,000, copies included
    int bodies;         ///< default 30,000
    int vertices;       ///< of all meshes, default 10 million
    int triangles;      ///< of all meshes, default 20 million
    int pixels;         ///< of all height fields, default 16 million; each takes 24 bytes. Beyond
                        ///< UT_FREE_PIXELS a field needs a byte of its file per 4 pixels
    int key_numbers; ///< numbers in all keyframes, default 1 million; complete keyframes may have
                     ///< 4 times as many, because a file may leave numbers out
    int pairs; ///< of collision shapes of a URDF robot whose boxes meet where it begins and that are
               ///< therefore compared, default 100,000; 64 times as many may be unable to collide
    uint32_t cookie; ///< set by ut_limits()
} utLimits;

#define UT_LIMITS_COOKIE UT_COOKIE(30, 1) ///< value of utLimits.cookie

UT_API utLimits ut_limits(void);

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
    utLimits limits;  ///< default ut_limits()
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
///        UT_ERR_MEMORY and after an invalid assignment of a custom text (UT_MJCF_CUSTOM)
/// @param notes may be NULL; filled on success only, then to be given to ut_notes_destroy
/// @return UT_ERR_FORMAT with a position, UT_ERR_IO, UT_ERR_MEMORY, UT_ERR_DEF, UT_ERR_ARGUMENT
UT_API utStatus ut_mjcf_read(utText text, const char* file, const utMjcfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

/// The same for a file, which def->read gives. @param path "-" is standard input, which messages call
/// UT_STANDARD_INPUT
UT_API utStatus ut_mjcf_load(const char* path, const utMjcfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

// ---- URDF ---------------------------------------------------------------------------------------

/// How to read URDF.
typedef struct utUrdfDef {
    bool strict;   ///< reject a file with a note whose `physics` is set, default false
    bool floating; ///< the root link moves freely; default false: it is fixed to the world
    /// Read friction from Gazebo's mu1 and Bullet's lateral_friction, and restitution from Bullet's
    /// restitution; default false, because URDF itself has none.
    bool friction;
    bool self_collision;        ///< links of the robot collide with each other, default true
    const char* const* package; ///< folders in which `package://NAME/FILE` is looked for first, as
                                ///< FOLDER/NAME/FILE, or as FOLDER/FILE when the folder's name is
                                ///< NAME; then come the folders above the robot's file
    int packages;               ///< number of folders, default 0
    utLimits limits;            ///< this and the next three: as in utMjcfDef
    utReadFile* read;
    void* read_context;
    const utAllocator* allocator;
    uint32_t cookie; ///< set by ut_urdf_def()
} utUrdfDef;

#define UT_URDF_DEF_COOKIE UT_COOKIE(28, 1) ///< value of utUrdfDef.cookie

UT_API utUrdfDef ut_urdf_def(void);

/// Read a text into a description: a body per link, also for links on fixed joints.
/// @param file the text's name in messages; meshes are looked for beside and above it
/// @param def  NULL: all defaults
/// @param into, notes and return value as for ut_mjcf_read
UT_API utStatus ut_urdf_read(utText text, const char* file, const utUrdfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

/// The same for a file, which def->read gives. @param path as for ut_mjcf_load
UT_API utStatus ut_urdf_load(const char* path, const utUrdfDef* def, utModelDef* into,
                             utNotes* notes, utError* err);

// ---- either format ------------------------------------------------------------------------------

typedef enum utFileFormat { UT_FILE_MJCF, UT_FILE_URDF } utFileFormat;

/// Read a text whose outermost element is `mujoco` (MJCF) or `robot` (URDF).
/// @param mjcf, urdf the settings of each format; NULL: all defaults. Settings that both have are
///        taken from `mjcf`
/// @param format may be NULL; receives the format on success
UT_API utStatus ut_file_read(utText text, const char* file, const utMjcfDef* mjcf,
                             const utUrdfDef* urdf, utModelDef* into, utFileFormat* format,
                             utNotes* notes, utError* err);

/// The same for a file. @param path as for ut_mjcf_load
UT_API utStatus ut_file_load(const char* path, const utMjcfDef* mjcf, const utUrdfDef* urdf,
                             utModelDef* into, utFileFormat* format, utNotes* notes, utError* err);

/// The elements and attributes of MJCF that are read, lacking or soft, as a table in Markdown.
/// @param text receives as much as `size` has room for, always terminated; may be NULL when size is 0
/// @return bytes of the whole table, without the final 0
UT_API size_t ut_mjcf_support(char* text, size_t size);

// ---- writing MJCF -------------------------------------------------------------------------------

/// The name of the custom text with assignments NAME.ATTR=VALUE (ut_model_def_set), separated by
/// semicolons, that ut_mjcf_read applies after everything else.
#define UT_MJCF_CUSTOM "uptack"

/// How to write MJCF.
typedef struct utMjcfWriteDef {
    bool
        plain; ///< only MJCF that MuJoCo reads, default false. Attributes of the namespace ut: then
               ///< go into `<custom><text name="uptack" data="NAME.ATTR=VALUE; ..."/></custom>`,
               ///< which MuJoCo ignores and uptack reads
    const char* folder; ///< that paths of mesh and height files in the text are relative to;
                        ///< default NULL: paths as the description has them
    uint32_t cookie;    ///< set by ut_mjcf_write_def()
} utMjcfWriteDef;

#define UT_MJCF_WRITE_DEF_COOKIE UT_COOKIE(29, 1) ///< value of utMjcfWriteDef.cookie

UT_API utMjcfWriteDef ut_mjcf_write_def(void);

/// Write a description as MJCF: angles in radians, every element with its own attributes, without
/// classes, frames or includes. Reading the text gives the same model, bit for bit. An element without
/// a name that the text refers to gets one: "geom#7".
/// @param def  a description that compiles
/// @param how  NULL: all defaults
/// @param keep holds the text
/// @param notes may be NULL; receives what MJCF cannot express, without places; then to be given to
///        ut_notes_destroy
/// @return as ut_model_compile
UT_API utStatus ut_mjcf_write(const utModelDef* def, const utMjcfWriteDef* how, utArena* keep,
                              utText* text, utNotes* notes, utError* err);

#ifdef __cplusplus
}
#endif

#endif
