// SPDX-License-Identifier: Apache-2.0
// Pictures with hidden surfaces and light, computed here: no display is needed. The moments, the camera and
// the contacts are those of uptack draw.
//
//     render_scene_create     the triangles of all geoms, once
//     render_scene_place      those of one moment, seen by the camera
//     render_raster           nearest surface of each sample
//     render_moment           light, floor, shadows, lines: a picture
#ifndef UPTACK_CLI_RENDER_H
#define UPTACK_CLI_RENDER_H

#include "draw/draw.h"
#include "render/image.h"

// ---- shapes -------------------------------------------------------------------------------------

/// Triangles in the frame of a geom.
typedef struct RenderShape {
    int triangles;
    utVec3* corner; ///< 3 per triangle, counter-clockwise from outside
    utVec3*
        normal; ///< 3 per triangle, unit: equal ones for an edge, averaged ones for a smooth surface
    bool closed; ///< its inside is never seen
} RenderShape;

/// The triangles of a shape; planes have none.
/// @param px the length of 1 m in the picture, which decides how fine round shapes are
utStatus render_shape_create(const utShape* shape, double px, utArena* keep, RenderShape* into);

/// A ball, a cylinder along z and a cone with its point at the top of z, of radius 1 and height 1 from z = 0.
void render_unit_ball(int edges, utArena* keep, RenderShape* into);
void render_unit_tube(int edges, bool cone, utArena* keep, RenderShape* into);

// ---- triangles of a picture ---------------------------------------------------------------------

/// A surface's colour: squares of the values 0 ... 1 of sRGB, in which light adds up.
typedef struct RenderPaint {
    double color[3];
    double alpha;
    bool plain; ///< without light
} RenderPaint;

/// A triangle that the camera sees. w grows toward the eye and is linear in the picture: the camera's z, or
/// with perspective 1 / (distance - z).
typedef struct RenderTriangle {
    double x[3], y[3], w[3]; ///< samples, and their w
    float normal[3][3];      ///< world; with perspective times w
    int paint;               ///< index
    int object;              ///< parts of equal number have no line between them
} RenderTriangle;

/// Layers of a picture, each with its nearest surfaces.
typedef enum RenderLayer {
    RENDER_BODIES,  ///< what moves, terrain, robots' bases
    RENDER_WINDOWS, ///< solids of the world: see-through where they hide a body
    RENDER_CONES,   ///< see-through
    RENDER_ARROWS,  ///< seen through bodies
    RENDER_LAYERS
} RenderLayer;

typedef struct RenderTriangles {
    int count, room;
    RenderTriangle* triangle;
} RenderTriangles;

/// The lamp, and what it sees: a map of the nearest depths.
typedef struct RenderLight {
    utVec3 toward, right, up, at; ///< axes, world
    double scale;                 ///< map places per m
    int size;                     ///< of the map; 0: no shadows
    float* depth;                 ///< size x size: nearest z toward the light
    RenderTriangles triangles;    ///< as the light sees them
} RenderLight;

enum { RENDER_MAX_SAMPLES = 8 };

/// All that pictures of a model share.
typedef struct RenderScene {
    const DrawTrace* trace;
    utArena memory;
    utKinematics kin;
    RenderShape* shape; ///< per geom
    RenderShape ball, tube, cone;
    RenderPaint* paint; ///< per body, then the others
    int paints;
    unsigned parts;                    ///< bits of DrawPart
    int samples;                       ///< per pixel along each axis
    double force_scale, impulse_scale; ///< px per N and N s
    DrawCamera camera;                 ///< px
    int width, height;                 ///< px
    RenderTriangles layer[RENDER_LAYERS];
    RenderLight light;
    bool failed; ///< memory is short
} RenderScene;

/// Options of pictures.
typedef struct RenderOptions {
    DrawOptions draw;
    int width, height; ///< px
    int samples;
    bool parallel, no_shadows;
} RenderOptions;

/// Make the triangles of all geoms, and fit the camera to all moments.
/// @param width, height of a view, px @param scene pass it to render_scene_free, also after a failure
utStatus render_scene_create(const DrawTrace* trace, const RenderOptions* o, int width, int height,
                             RenderScene* scene, utError* err);
void render_scene_free(RenderScene* scene);

/// Place the triangles of one moment.
void render_scene_place(RenderScene* scene, int moment);

/// Add a shape to a layer. @param size of the shape's x, y and z in the world
void render_add_shape(RenderScene* scene, RenderLayer layer, const RenderShape* shape, utFrame at,
                      utVec3 size, int paint, int object);

/// Add one triangle of the world. @param normal of its corners
void render_add_triangle(RenderScene* scene, RenderLayer layer, const utVec3 corner[3],
                         const utVec3 normal[3], bool closed, int paint, int object);

/// Add arrows and cones of contacts.
void render_add_contacts(RenderScene* scene, const DrawMoment* moment);

/// Add bars of bodies without geoms, springs and tendons.
void render_add_bars(RenderScene* scene);

/// A tube between two points. @param radius m
void render_add_tube(RenderScene* scene, RenderLayer layer, utVec3 from, utVec3 to, double radius,
                     int paint, int object);

/// Paints behind those of the bodies.
enum {
    RENDER_PAINT_FLOOR,
    RENDER_PAINT_LINE,
    RENDER_PAINT_STRING,
    RENDER_PAINT_STATE,                                              ///< + utContactState, arrows
    RENDER_PAINT_CONE = RENDER_PAINT_STATE + UT_CONTACT_STATE_COUNT, ///< + utContactState
    RENDER_PAINT_COUNT = RENDER_PAINT_CONE + UT_CONTACT_STATE_COUNT
};

/// The index of one of these paints.
static inline int render_paint(const RenderScene* scene, int paint)
{
    return scene->trace->model->nbody + paint;
}

// ---- samples ------------------------------------------------------------------------------------

/// The nearest surface of each sample of a band of rows.
typedef struct RenderBand {
    int left, top, width, height; ///< samples
    float* w;                     ///< -HUGE_VALF: nothing
    float (*normal)[3];
    int* paint;
    int* object;
} RenderBand;

/// Draw triangles into a band.
void render_raster(const RenderTriangles* triangles, RenderBand* band);

/// The nearest depths as seen from the light.
void render_shadows(RenderScene* scene);

/// How much light of the lamp reaches a point: 0 or 1.
double render_lit(const RenderLight* light, utVec3 point, utVec3 normal);

/// Draw a placed moment. @param left, top its place in the image
utStatus render_moment(RenderScene* scene, const RenderImage* image, int left, int top,
                       utError* err);

#endif
