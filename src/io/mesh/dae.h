// SPDX-License-Identifier: Apache-2.0
// Shared by the two files of the Collada decoder.
#ifndef UPTACK_IO_MESH_DAE_H
#define UPTACK_IO_MESH_DAE_H

#include "io/internal.h"
#include "io/mesh/decode.h"

// One pass over the scene: the first counts vertices and triangles, the second fills the mesh.
typedef struct Dae {
    const Decode* d;
    XmlFile file;
    XmlNode* root;
    XmlNode** named; // elements with an id
    Names ids;       // numbers in `named`
    MeshData* data;
    bool fill;
    uint64_t vertices, triangles; // so far
    int visits;                   // nodes of the scene so far
} Dae;

// An affine map, from the coordinates of a geometry to metres with z up.
typedef struct DaeMap {
    utMat3 A;
    utVec3 b;
} DaeMap;

// dae.c
utStatus ut_dae_fail(const Dae* dae, const XmlNode* node, const char* format, ...) UT_PRINTF(3, 4);
bool ut_dae_is(const XmlNode* node, const char* name); // names without their namespace
const XmlNode* ut_dae_child(const XmlNode* node, const char* name);
// The element that the reference "#ID" in an attribute names.
utStatus ut_dae_find(const Dae* dae, const XmlNode* node, const char* attribute, const char* kind,
                     const XmlNode** found);
// The next number between the tags of an element. @param at NULL: the first; moves on
// @return false at the end; `fail` is set when a word is not a number
bool ut_dae_number(const XmlNode* node, const char** at, double* x, bool* fail);
// Read exactly `count` numbers.
utStatus ut_dae_numbers(const Dae* dae, const XmlNode* node, int count, double* x);

// dae_geometry.c: count or fill the triangles of a geometry
utStatus ut_dae_geometry(Dae* dae, const XmlNode* geometry, const DaeMap* map);

#endif
