// SPDX-License-Identifier: Apache-2.0
// The cores of shapes: their corners, edges and faces.
#include "internal.h"

// A box: bit i of a corner's index selects the upper side of axis i; faces are -x +x -y +y -z +z.
static const int box_start[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int box_neighbour[24] = {1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7,
                                      5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3};
static const utVec3 box_normal[6] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0},  {0.0, -1.0, 0.0},
                                     {0.0, 1.0, 0.0},  {0.0, 0.0, -1.0}, {0.0, 0.0, 1.0}};
static const int box_face_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int box_face_vertex[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                        2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int box_face_edge[24] = {8,  6, 10, 4, 5, 11, 7, 9, 0, 9, 2, 8,
                                      10, 3, 11, 1, 4, 1,  5, 0, 2, 7, 3, 6};
static const int box_edge_vertex[24] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3,
                                        4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
static const int box_edge_face[24] = {2, 4, 4, 3, 5, 2, 3, 5, 4, 0, 1, 4,
                                      0, 5, 5, 1, 0, 2, 2, 1, 3, 0, 1, 3};

static const int segment_start[3] = {0, 1, 2};
static const int segment_neighbour[2] = {1, 0};
static const int segment_edge[2] = {0, 1};

static void core_of_box(const utShape* box, Core* core)
{
    const utVec3 h = box->size;
    for (int i = 0; i < 8; i++) {
        core->vertex[i] = ut_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    const double half[3] = {h.x, h.y, h.z};
    for (int f = 0; f < 6; f++) {
        core->offset[f] = half[f / 2];
    }
    core->hull = (utHull){.vertices = 8,
                          .edges = 12,
                          .faces = 6,
                          .vertex = core->vertex,
                          .vertex_start = box_start,
                          .neighbour = box_neighbour,
                          .normal = box_normal,
                          .offset = core->offset,
                          .face_start = box_face_start,
                          .face_vertex = box_face_vertex,
                          .face_edge = box_face_edge,
                          .edge_vertex = box_edge_vertex,
                          .edge_face = box_edge_face};
}

void ut_core_of_shape(const utShape* shape, Core* core)
{
    core->radius = 0.0;
    if (shape->kind == UT_SHAPE_BOX) {
        core_of_box(shape, core);
    } else if (shape->kind == UT_SHAPE_HULL) {
        core->hull = *shape->hull;
    } else {
        const bool segment = shape->kind == UT_SHAPE_CAPSULE && shape->size.y > 0.0;
        core->radius = shape->size.x;
        core->vertex[0] = ut_vec3(0.0, 0.0, segment ? -shape->size.y : 0.0);
        core->vertex[1] = ut_vec3(0.0, 0.0, shape->size.y);
        // a point has no neighbours, so these tables are not read
        core->hull = (utHull){.vertices = segment ? 2 : 1,
                              .edges = segment ? 1 : 0,
                              .vertex = core->vertex,
                              .vertex_start = segment_start,
                              .neighbour = segment_neighbour,
                              .edge_vertex = segment_edge};
    }
}
