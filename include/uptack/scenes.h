// SPDX-License-Identifier: Apache-2.0
/// @file scenes.h
/// Parametric scenes by name: "stack:30" is thirty boxes on top of each other. Small fixed scenes
/// are XML files in the folder scenes of the repository. All functions may be called from several
/// threads at once as long as these do not share a description.
///
///     utModelDef* def = NULL;
///     ut_model_def_create(NULL, &def);
///     ut_scene_build("wall:8:8", def, &err);      // then ut_model_compile as for any description
///
/// A name is a word and numbers, `WORD:NUMBER:NUMBER`. Numbers at the end may be left out; their
/// default values are listed by ut_scene_info. A body, its geom and its joint have the same name
/// ("box1"); geoms of the world are called "floor", "wall" and so on. Restitution and margins are 0.
/// Unless a scene says otherwise, gravity is 9.81 m/s^2 and the floor is the plane z = 0.
///
/// A scene that begins with a motion or needs controls has the keyframe UT_KEYFRAME_START. A run
/// begins with this keyframe if there is one, else at rest in the modelled pose; ut_model_start_key
/// finds it.
#ifndef UPTACK_SCENES_H
#define UPTACK_SCENES_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The line that `uptack run --help` prints for a scene.
typedef struct utSceneInfo {
    const char* name;  ///< "wall"
    const char* usage; ///< "wall:rows=8:columns=8", with the default values
    const char* text;  ///< one line without a full stop
} utSceneInfo;

/// The number of scenes.
UT_API int ut_scene_count(void);

/// Name and help of a scene. @param i 0 ... ut_scene_count() - 1 @return three "" for other numbers
UT_API utSceneInfo ut_scene_info(int i);

/// Does this look like the name of a scene, known or unknown, rather than a file? Names begin with a
/// word of lower-case letters and digits, alone or followed by a colon, and contain no slash and no
/// file ending: "stack:30", "slope:20.5:0.4" and "what" are names of scenes; "a/stack", "box.xml"
/// and "a:b.xml" are not.
UT_API bool ut_scene_is(const char* name);

/// Describe a scene.
/// @param def an empty description; after UT_ERR_MEMORY it may hold a part of the scene
/// @param err for an unknown name lists all scenes; for a bad number for instance "stack:0: needs a
///        whole number from 1 to 10000"
/// @return UT_ERR_ARGUMENT, with def unchanged; UT_ERR_MEMORY
UT_API utStatus ut_scene_build(const char* name, utModelDef* def, utError* err);

#ifdef __cplusplus
}
#endif

#endif
