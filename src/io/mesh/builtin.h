// SPDX-License-Identifier: Apache-2.0
// Meshes of the attribute `builtin` of MJCF, made from a few numbers.
#ifndef UPTACK_IO_MESH_BUILTIN_H
#define UPTACK_IO_MESH_BUILTIN_H

#include "io/mesh/mesh_file.h"

// Make a mesh: sphere, hemisphere, cone, supersphere, supertorus or wedge. A cone and a wedge are points
// only; the mesh is their hull. Coordinates are rounded to single precision, as MuJoCo stores them.
// @param parameter `count` finite numbers @param keep holds the data
// @return UT_ERR_ARGUMENT with a message for an unknown kind or a parameter out of its range,
//         UT_ERR_MEMORY
utStatus ut_mesh_builtin(const char* kind, const double* parameter, int count,
                         const utLimits* limits, utArena* keep, MeshData* data, utError* err);

#endif
