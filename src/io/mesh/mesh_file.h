// SPDX-License-Identifier: Apache-2.0
// Files of triangles and of heights, decoded from their bytes. No function here opens a file, and none
// reserves memory by the claim of a header: the size of the text bounds everything.
#ifndef UPTACK_IO_MESH_FILE_H
#define UPTACK_IO_MESH_FILE_H

#include <uptack/io.h>

// A mesh as its file has it; begin with {0}.
typedef struct MeshData {
    int vertices;
    double* vertex;   // 3 each, finite
    int triangles;    // 0: the file has points only
    int* triangle;    // 3 each, within 0 ... vertices - 1
    int first_object; // number of triangles of the first object, if the file has several; else 0
    bool foreign;     // MuJoCo does not read the file: Collada, STL as text
} MeshData;

// Decode a file of triangles, whose format follows from the end of its name: .stl, .obj, .dae or
// .msh.
// Coordinates are rounded to single precision, as MuJoCo stores them, so that masses agree.
// @param file the name in messages @param limits NULL: the defaults @param keep holds the data
// @return UT_ERR_FORMAT with a position, UT_ERR_MEMORY
utStatus ut_mesh_decode(utText text, const char* file, const utLimits* limits, utArena* keep,
                        MeshData* data, utError* err);

// Heights as their file has them, row by row from the least y; begin with {0}.
typedef struct HeightsData {
    int columns, rows;
    double* height; // rows x columns, finite
} HeightsData;

// Decode MuJoCo's binary height field or, if the first bytes say so, a PNG picture, whose brightness
// is the height and whose upper row has the largest y.
utStatus ut_heights_decode(utText text, const char* file, const utLimits* limits, utArena* keep,
                           HeightsData* data, utError* err);

// A number rounded to single precision, which vertices of meshes have. The rounding goes through memory,
// because gcc 12 drops it where it converts two numbers at once.
static inline double ut_to_single(double x)
{
    volatile float single = (float)x;
    return (double)single;
}

#endif
