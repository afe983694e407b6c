// SPDX-License-Identifier: Apache-2.0
/// @file scenes.h
/// Scenes by name: "stack:30" is thirty boxes on top of each other. Scenes with numbers to choose are
/// here; small fixed scenes are XML files in the folder scenes of the repository.
///
///     utModelDef* def = NULL;
///     ut_model_def_create(NULL, &def);
///     ut_scene_build("wall:8:8", def, &err);      // then ut_model_compile as for any description
///
/// A name is a word and numbers, `WORD:NUMBER:NUMBER`; numbers at the end may be left out and are
/// then those that ut_scene_info shows. Bodies, their geoms and their joints bear the same names
/// ("box1" ...; things of the world "floor", "wall" ...), so that `--set box1.friction=0.3` works.
/// Sleeping, restitution and margins are 0 everywhere, gravity is 9.81 and the floor z = 0 where
/// the scene does not say otherwise.
///
/// A scene that begins with a motion or needs controls has a keyframe UT_SCENE_START: begin with it
/// when it is there, with the modelled pose at rest otherwise.
#ifndef UPTACK_SCENES_H
#define UPTACK_SCENES_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UT_SCENE_START "start" ///< name of the keyframe that a run begins with

/// The line that `uptack run --help` prints for a scene.
typedef struct utSceneInfo {
    const char* name;  ///< "wall"
    const char* usage; ///< "wall:rows=8:columns=8", the numbers being those taken when left out
    const char* text;  ///< one line without a full stop
} utSceneInfo;

UT_API int ut_scene_count(void);

/// @param i 0 ... ut_scene_count() - 1 @return all "" for others
UT_API utSceneInfo ut_scene_info(int i);

/// Is this written as the name of a scene, known or not? A word of lower-case letters and digits
/// that begins with a letter, alone or with a colon and anything behind it but a path or a name of
/// a file: "stack:30", "slope:20.5:0.4" and "what" are, "a/stack", "box.xml" and "a:b.xml" are not.
UT_API bool ut_scene_is(const char* name);

/// Describe a scene.
/// @param def an empty description; after a failure it may hold a part of the scene
/// @param err lists the scenes when there is none of that name; "stack:0: needs a whole number from
///        1 to 10000"
/// @return UT_ERR_ARGUMENT, with def untouched; UT_ERR_MEMORY
UT_API utStatus ut_scene_build(const char* name, utModelDef* def, utError* err);

#ifdef __cplusplus
}
#endif

#endif
