// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields of a description, and the geoms that refer to them. The reader of MJCF uses
// these functions too, because attributes of `compiler` change masses.
#ifndef UPTACK_MODEL_MESH_ASSET_H
#define UPTACK_MODEL_MESH_ASSET_H

#include <uptack/model.h>

/// A mesh in its own frame, which is at its centre of mass, along its principal axes.
typedef struct MeshAsset {
    utVec3 pos;     ///< of the own frame in the frame of the file, m
    utQuat quat;    ///< of the own frame in the frame of the file
    double volume;  ///< m^3; area for UT_MESH_INERTIA_SHELL, m^2
    utVec3 moments; ///< of inertia for density 1, descending
    utBounds bounds;
    int vertices;
    utVec3* vertex;
    int triangles;
    int* triangle; ///< counter-clockwise from outside, also after mirroring
} MeshAsset;

/// Scale, centre and turn a mesh, and compute its mass properties.
/// @param keep holds the asset @param scratch another arena
/// @return UT_ERR_ARGUMENT for a mesh without area or volume, UT_ERR_MEMORY
utStatus ut_mesh_asset(const utMeshDef* def, utArena* keep, utArena scratch, MeshAsset* asset,
                       utError* err);

/// The hull of a mesh, in its own frame. @param most vertices of the hull; -1: all
/// @return UT_ERR_ARGUMENT for a flat mesh, UT_ERR_MEMORY
utStatus ut_mesh_asset_hull(const MeshAsset* asset, int most, utArena* keep, utArena scratch,
                            utHull* hull, utError* err);

/// Find an edge along which two triangles run in the same direction, so that they face different ways.
/// @param edge receives its vertices, the lowest ones; -1 where there is none
/// @return UT_ERR_MEMORY
utStatus ut_mesh_turned_edge(int vertices, int triangles, const int* triangle, utArena scratch,
                             int edge[2]);

/// Does a geom take its shape and mass from its mesh, so that it is not merely fitted to it?
static inline bool ut_geom_is_mesh(const utGeomDef* geom)
{
    return geom->mesh >= 0 &&
           (geom->shape.kind == UT_SHAPE_HULL || geom->shape.kind == UT_SHAPE_MESH);
}

/// Move a geom to the frame of its mesh and, unless it is the mesh itself, fit its size.
void ut_geom_fit(utGeomDef* geom, const MeshAsset* asset);

/// Mass properties of a geom in its own frame, by its mass or its density.
/// @param asset NULL: of the geom's shape
utInertia ut_geom_mass(const utGeomDef* geom, const MeshAsset* asset);

#endif
