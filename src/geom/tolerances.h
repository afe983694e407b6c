// SPDX-License-Identifier: Apache-2.0
// Tolerances of the geom module, each with its reason.
#ifndef UPTACK_GEOM_TOLERANCES_H
#define UPTACK_GEOM_TOLERANCES_H

// ---- hulls: fractions of the largest extent -----------------------------------------------------

/// Points closer to the plane of a face belong to the face (the flatness tolerance). This is the
/// promised accuracy of faces and of gaps.
#define UT_HULL_FLAT 1e-9

/// A vertex this little behind the farthest may be the farthest: ten times the flatness of faces.
#define UT_HULL_NEARLY_FARTHEST 1e-8

/// Extents of a hull, m: fifth powers, in moments of inertia, must neither underflow nor overflow.
#define UT_HULL_SMALLEST 1e-50
#define UT_HULL_LARGEST 1e50

// ---- hulls: fractions of the flatness tolerance -------------------------------------------------

/// Points closer together than this are one point.
#define UT_HULL_DUPLICATE 0.125

/// Largest height of a point above its face. Points dropped as duplicates may add
/// UT_HULL_DUPLICATE.
#define UT_HULL_ABOVE_FACE 0.75

/// Largest dent in the outline of a face: well below the least distance of two corners.
#define UT_HULL_DENT (1.0 / 64.0)

/// Thickness below which a hull is thin: distant points may then be above a face.
#define UT_HULL_THIN 1000.0

// ---- hulls: grid cells --------------------------------------------------------------------------

/// A point at most this far above all triangles does not become a corner: the grid rounds by half a
/// cell, and the flatness tolerance is a thousand cells.
#define UT_HULL_NEAR_CELLS 8.0

// ---- meshes and height fields -------------------------------------------------------------------

/// Largest coordinate, m: the difference of two coordinates and its square must be finite.
#define UT_SURFACE_LARGEST 1e150

/// Edges whose sine of the bending angle is below this count as flat: coordinates in single
/// precision are rounded to about 1e-7.
#define UT_MESH_FLAT 1e-7

/// A triangle whose area is below this fraction of its longest edge squared has no normal.
#define UT_MESH_SLIVER 1e-14

/// Distance from a plane, in roundings of the largest coordinate, below which a triangle is on it.
#define UT_MESH_COPLANAR 8.0

/// Height over an edge, in roundings of the largest extent, that counts as 0.
#define UT_MESH_NOISE 16.0

/// Cosine above which two normals are on the same side; below its negative an edge is folded.
#define UT_MESH_SAME_SIDE 0.5

/// Fraction of a height field's cell by which rounding may move a coordinate.
#define UT_CELL_ROUNDING 1e-9

#endif
