// SPDX-License-Identifier: Apache-2.0
/// @file load.h
/// A compiled model in one call, from an MJCF or URDF file, standard input, a text or the name of a
/// scene. The outermost element of a file says which format it has.
///
///     utModel* model = NULL;
///     utError err;
///     if (ut_load("scenes/stack-5.xml", &model, &err) == UT_OK) {
///         // simulate it
///         ut_model_destroy(model);
///     }
///
/// ut_load_with changes attributes before compiling and reports the parts of the file that uptack
/// does not support:
///
///     const char* set[] = {"box1.pos=0 0 2", "option.dt=0.001"};
///     utLoadDef def = ut_load_def();
///     def.set = set;
///     def.set_count = 2;
///     utNotes notes = {0};
///     ut_load_with("stack:30", &def, &model, &notes, &err);
///     ut_notes_destroy(&notes);
///
/// A model that was loaded without `strict` may lack physics of its file; its certificates do not cover
/// that. The model names it:
///
///     for (int i = 0; i < model->missing_parts; i++) {
///         const utMissing* part = &model->missing_part[i];
///         printf("%s:%d: without %s (%d)\n", part->file, part->line, part->what, part->count);
///     }
///
/// With utLoadDef.strict such a file is rejected at the first place, and so are files with softness.
///
/// Functions may be called from several threads at once as long as they do not share objects that
/// they write to; only one thread may read standard input.
#ifndef UPTACK_LOAD_H
#define UPTACK_LOAD_H

#include <uptack/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How to load a model. Everything is borrowed for the call, except the allocator, whose context must
/// outlive the model.
typedef struct utLoadDef {
    const char* text;       ///< text to read instead of a file; default NULL: read `path`
    size_t size;            ///< bytes of `text`
    const char* const* set; ///< changes "NAME.ATTR=VALUE" (ut_model_def_set), applied in order
    int set_count;          ///< number of changes, default 0
    int coordinates;        ///< utCoordinates; default -1: those of the model's options
    bool strict;            ///< reject unsupported physics (utMjcfDef.strict), default false
    const utAllocator* allocator; ///< of the model and the notes; default NULL: malloc
    utLimits limits;              ///< this and the next two: as in utMjcfDef, with its defaults
    utReadFile* read;
    void* read_context;
    bool floating; ///< this and the next four: as in utUrdfDef, with its defaults; for URDF only
    bool friction;
    bool self_collision; ///< except pairs of links that overlap in the modelled pose or in the
                         ///< keyframe `start`, which are noted; with `strict` all pairs collide
    const char* const* package;
    int packages;
    uint32_t cookie; ///< set by ut_load_def()
} utLoadDef;

#define UT_LOAD_DEF_COOKIE UT_COOKIE(2, 1) ///< value of utLoadDef.cookie

UT_API utLoadDef ut_load_def(void);

/// Load a model with all defaults: read or build it, compile it, and convert it to maximal
/// coordinates when its options ask for them.
/// @param path an MJCF or URDF file, "-" for standard input, or a scene such as "stack:30" (scenes.h)
/// @param model to be given to ut_model_destroy; untouched on failure
/// @param err may be NULL; has the file, and line and column where they are known
/// @return UT_ERR_IO, UT_ERR_FORMAT, UT_ERR_ARGUMENT, UT_ERR_MEMORY
UT_API utStatus ut_load(const char* path, utModel** model, utError* err);

/// Load a model with settings.
/// @param path as for ut_load; with def->text the name of the text in messages, beside which included
///        files are looked for
/// @param def   NULL: all defaults
/// @param notes may be NULL; the parts of the file that are not supported. Filled on success only,
///        then to be given to ut_notes_destroy
/// @return as ut_load; UT_ERR_DEF for a def that did not come from ut_load_def() or holds an invalid
///         value
UT_API utStatus ut_load_with(const char* path, const utLoadDef* def, utModel** model,
                             utNotes* notes, utError* err);

/// The same up to the description, which can still be changed, written (ut_mjcf_write) or compiled.
/// @param into an empty description; of no use after a failure
UT_API utStatus ut_describe(const char* path, const utLoadDef* def, utModelDef* into,
                            utNotes* notes, utError* err);

#ifdef __cplusplus
}
#endif

#endif
