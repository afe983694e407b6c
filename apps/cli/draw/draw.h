// SPDX-License-Identifier: Apache-2.0
// Pictures of bodies: the moments to draw, the camera, and the items of a picture.
//
//     draw_trace_run or draw_trace_read    moments: states and contacts
//     draw_camera_fit                      the camera
//     draw_picture                         one moment, a strip of moments, or an animation
#ifndef UPTACK_CLI_DRAW_H
#define UPTACK_CLI_DRAW_H

#include "start.h"
#include "svg.h"

#include <uptack/dyn.h>
#include <uptack/report.h>

// ---- contents -----------------------------------------------------------------------------------

/// Parts of a picture that --show and --hide switch.
typedef enum DrawPart {
    DRAW_CONTACTS, ///< points, with the state in colour and form
    DRAW_NORMALS,
    DRAW_FORCES,  ///< and impulses of impacts
    DRAW_CONES,   ///< friction cones
    DRAW_BASIS,   ///< directions of the friction polygon
    DRAW_NUMBERS, ///< numbers of contacts
    DRAW_ARMS,    ///< vectors from a body's centre of mass to its contacts
    DRAW_JOINTS,
    DRAW_JOINT_NAMES,
    DRAW_REACTIONS, ///< forces of joints that are constraints
    DRAW_WEIGHTS,
    DRAW_VELOCITIES,
    DRAW_FRAMES,
    DRAW_PATHS,
    DRAW_LABELS, ///< names of bodies
    DRAW_SITES,
    DRAW_SPRINGS,
    DRAW_FIXED, ///< geoms that do not move, except planes
    DRAW_BELTS, ///< velocities of conveyors and of prescribed motions
    DRAW_GRID,
    DRAW_SCALE, ///< scale bars of lengths and forces
    DRAW_AXES,
    DRAW_TIME,
    DRAW_LEGEND,
    DRAW_PART_COUNT
} DrawPart;

/// @return the part's name on the command line, "joint-names"
const char* draw_part_name(DrawPart part);

typedef struct DrawOptions {
    unsigned shown, hidden; ///< bits of DrawPart that --show and --hide set
    const char* title;
    int width, height; ///< px; height 0: what the picture needs
    bool strip;        ///< several moments side by side
    bool overlay;      ///< several moments in one picture, the earlier ones pale
    double period;     ///< s: duration of an animation; 0: no animation
    bool has_view;
    double azimuth, elevation; ///< degrees
    double perspective;        ///< angle of view, degrees; 0: parallel
    const char* look_at;       ///< name of a body or "x,y,z"; NULL: the moving bodies
    double extent;             ///< m: width of the picture; 0: what the bodies need
} DrawOptions;

/// The options of the camera, for the list of a verb's options.
enum {
    DRAW_OPTION_VIEW = 4000,
    DRAW_OPTION_PERSPECTIVE,
    DRAW_OPTION_LOOK_AT,
    DRAW_OPTION_EXTENT,
};
// clang-format off
#define DRAW_CAMERA_OPTIONS                                           \
    {"view", required_argument, NULL, DRAW_OPTION_VIEW},               \
    {"perspective", optional_argument, NULL, DRAW_OPTION_PERSPECTIVE}, \
    {"look-at", required_argument, NULL, DRAW_OPTION_LOOK_AT},         \
    {"extent", required_argument, NULL, DRAW_OPTION_EXTENT}
// clang-format on

/// Set one of these options. @param option DRAW_OPTION_... @return CLI_OK or CLI_USAGE
int draw_set_camera(const CliVerb* verb, int option, const char* value, DrawOptions* o);

/// Add the parts of a list with commas. @return CLI_OK or CLI_USAGE
int draw_add_parts(const CliVerb* verb, const char* list, unsigned* parts);

/// Read a number above 0. @param most the largest valid one @return CLI_OK or CLI_USAGE
int draw_set_positive(const CliVerb* verb, const char* option, const char* text, double most,
                      double* value);

/// Is the file a recording, and how long is it? @param yes false for a model
utStatus draw_find_recording(const char* path, bool* yes, double* duration, utError* err);

// ---- moments ------------------------------------------------------------------------------------

/// A contact of the step that begins at a moment.
typedef struct DrawContact {
    int geom1, geom2; ///< sides
    uint64_t feature;
    utVec3 point, frame[3];
    double mu, gap;
    utVec3 force; ///< on geom2, world, N; of an impact: the impulse, N s
    bool impact;
    utContactState state;
} DrawContact;

/// The force of a joint on a body.
typedef struct DrawReaction {
    int body;
    utVec3 point, force;
} DrawReaction;

typedef struct DrawMoment {
    double time;
    const double *q, *v;
    const double *mocap_pos, *mocap_quat;
    const utMotion* mocap_velocity;
    int contacts, reactions;
    const DrawContact* contact;
    const DrawReaction* reaction;
} DrawMoment;

/// The moments to draw, and the positions of all bodies up to the last one.
typedef struct DrawTrace {
    const utModel* model;
    CliModel loaded;
    utArena memory;
    int directions;     ///< edges of the friction cones; 0: circles
    bool circumscribed; ///< their polygons are circumscribed about the circles
    int moments;
    DrawMoment* moment;
    int points;       ///< of each path
    double* time;     ///< points
    utVec3* position; ///< points x nbody: centres of mass
    bool uncertified; ///< a step was not certified
} DrawTrace;

/// The times at which moments are taken.
typedef struct DrawTimes {
    int count;
    const double* at; ///< ascending, s; NULL: `count` times from the first to the last
    double end;       ///< s: the last time; negative: the model's duration or the recording's end
} DrawTimes;

/// Simulate up to the last time. @param trace pass it to draw_trace_close, also after a failure
utStatus draw_trace_run(CliStart* start, const DrawTimes* times, DrawTrace* trace, utError* err);

/// Read a binary recording. @param start its file is the recording; --set and others are not used
/// @param model file of the model; NULL: the one that the recording names
utStatus draw_trace_read(const char* recording, const char* model, const DrawTimes* times,
                         DrawTrace* trace, utError* err);
void draw_trace_close(DrawTrace* trace);

// ---- camera -------------------------------------------------------------------------------------

/// A point seen by a camera: x to the right and y up in m, z toward the camera.
typedef utVec3 DrawSeen;

typedef struct DrawCamera {
    utVec3 right, up, toward; ///< axes of the picture, world
    utVec3 at;                ///< the point of the world in the middle of the picture
    double distance;          ///< m, of the eye from `at`; 0: parallel
    double scale;             ///< px per m at `at`
    double x, y;              ///< px: the place of `at`
    bool flat;                ///< a planar world
} DrawCamera;

/// A place in the picture, px.
typedef struct DrawPlace {
    double x, y;
} DrawPlace;

DrawSeen draw_see(const DrawCamera* camera, utVec3 point);
DrawPlace draw_place_seen(const DrawCamera* camera, DrawSeen seen);
DrawPlace draw_place(const DrawCamera* camera, utVec3 point);

/// The number of px of a length of 1 m at a point.
double draw_scale_at(const DrawCamera* camera, DrawSeen seen);

/// The direction "up" of a model: against gravity, along the nearest axis.
utVec3 draw_up(const utModel* model);

/// Choose the camera for all moments.
/// @param parts bits of DrawPart @param width px @param height receives the height of the view, px
utStatus draw_camera_fit(const DrawTrace* trace, const DrawOptions* o, unsigned parts, double width,
                         double max_height, utKinematics* kin, DrawCamera* camera, double* height,
                         utError* err);

/// Bounds along two axes.
typedef struct DrawBox {
    double low[2], high[2];
} DrawBox;

// ---- items --------------------------------------------------------------------------------------

/// A convex thing in the picture, with what is needed to tell which of two things is in front.
typedef struct DrawItem {
    int planes; ///< front planes a x + b y + c z = d in the camera's axes
    const double (*plane)[4];
    bool ball; ///< a sphere: x y z r in plane[0]
    int corners;
    const DrawPlace* corner; ///< convex outline, px
    DrawPlace low, high;     ///< its bounds
    double near;             ///< largest z
    bool window;             ///< of DrawItems, when it began
    bool see_through;        ///< it hides an item that is no window
    size_t svg, svg_size;    ///< its drawing within the text of all items
} DrawItem;

/// A growing list of items.
typedef struct DrawItems {
    const DrawCamera* camera;
    utArena* memory;
    DrawItem* item;
    int count, room;
    Svg svg; ///< drawings of all items
    bool
        window; ///< the items that follow are see-through where they hide others, because they do not move
    bool failed;
} DrawItems;

/// Begin an item: what is written to items->svg from here on is its drawing.
void draw_item_begin(DrawItems* items);

/// End it. @param corner any points; their convex hull is the outline
void draw_item_end(DrawItems* items, int corners, const DrawPlace* corner, int planes,
                   const double (*plane)[4], bool ball, double near);

/// Write all items, the farther ones first.
utStatus draw_items_write(DrawItems* items, Svg* svg, utError* err);
void draw_items_free(DrawItems* items);

/// The convex hull of points, counter-clockwise in a y-up picture. @param hull room for `count` places
/// @return its number of corners
int draw_convex(int count, const DrawPlace* point, DrawPlace* hull);

// ---- pieces of a picture ------------------------------------------------------------------------

/// A rectangle that labels keep away from.
typedef struct DrawBusy {
    double x0, y0, x1, y1;
} DrawBusy;

/// A view that is being drawn: one moment in one rectangle.
typedef struct DrawView {
    const DrawTrace* trace;
    const DrawMoment* moment;
    const utKinematics* kin;
    const DrawCamera* camera;
    unsigned parts;                  ///< bits of DrawPart
    double left, top, width, height; ///< px
    double force_scale;              ///< px per N; 0: no force
    double impulse_scale;            ///< px per N s
    double speed_scale;              ///< px per m/s
    double paleness;                 ///< 0 ... 1, of earlier moments
    utArena* memory;
    DrawBusy* busy;
    int busies;
    Svg* svg;
} DrawView;

enum { DRAW_MAX_BUSY = 4096 };

static inline bool draw_shows(const DrawView* view, DrawPart part)
{
    return (view->parts & 1u << part) != 0;
}

/// Keep labels away from a place. @param half px to each side
void draw_keep_free(DrawView* view, DrawPlace at, double half);

/// Floors and walls: grids, or lines with hatching when seen along their surface; belts.
void draw_planes(DrawView* view);

/// Geoms, bodies without geoms, springs and tendons.
utStatus draw_bodies(DrawView* view, utError* err);

/// The ends of the bars of a body without geoms: anchors of its joints and its sites; a single one is
/// mirrored at the centre of mass. @return their number; 0: a particle
int draw_bar_ends(const utKinematics* kin, int body, utVec3* end, int room);

/// The rectangle around the geoms and bars of a body.
DrawBusy draw_body_box(const DrawView* view, int body);

/// The area that two rectangles share.
double draw_shared_area(const DrawBusy* a, const DrawBusy* b);

/// The colour of a body. @param room 8 bytes
void draw_body_color(const DrawView* view, int body, double light, char* room);

/// Velocities of conveyors that are not planes.
void draw_belts(DrawView* view);

/// The largest of 1, 2, 5 times a power of ten that is not above x.
double draw_round_number(double x);

void draw_paths(DrawView* view);
void draw_joints(DrawView* view);
void draw_contacts(DrawView* view);
void draw_marks(DrawView* view); ///< frames, sites, weights, velocities, reactions
void draw_labels(DrawView* view);

/// Is a contact closed, or nearly so?
bool draw_is_near(const DrawView* view, const DrawContact* c);

/// The arrow of a contact's force or impulse, in m, on the body that it acts on.
utVec3 draw_force_arrow(const DrawView* view, const DrawContact* c);

/// The height of a friction cone, px.
double draw_cone_height(const DrawView* view, const DrawContact* c);

enum { DRAW_RIM = 36 };

/// The points of a cone's rim. @param height px @param rim DRAW_RIM places
/// @return their number: 2 in a planar world, the edges of a polygon, or DRAW_RIM
int draw_cone_rim(const DrawView* view, const DrawContact* c, double height, utVec3* rim);

/// The colour of a contact's state.
const char* draw_state_color(utContactState state);

/// The mark of a contact's state.
void draw_state_mark(Svg* svg, utContactState state, DrawPlace at, double size);

/// A straight arrow. @param width of its line, px
void draw_arrow(Svg* svg, DrawPlace from, DrawPlace to, const char* color, double width);

/// A text with a white rim.
void draw_text(Svg* svg, DrawPlace at, const char* anchor, double size, const char* color,
               const char* text);

/// The same, moved into the view; nothing if its place is outside.
void draw_text_within(const DrawView* view, DrawPlace at, const char* anchor, double size,
                      const char* color, const char* text);

/// "0.25": so many significant digits, without trailing zeros. @param room 32 bytes
void draw_number_text(double value, int digits, char* room);

/// Draw a trace. @param svg receives the whole document
utStatus draw_picture(const DrawTrace* trace, const DrawOptions* o, Svg* svg, utError* err);

/// The largest force and impulse that a picture shows, as a camera sees them, for the scales.
void draw_largest(const DrawTrace* trace, const DrawCamera* camera, unsigned parts, double* force,
                  double* impulse);

/// Does anything move a body?
static inline bool draw_is_moving(const utModel* model, int body)
{
    return model->body[body].tree >= 0 || model->body[body].mocap >= 0;
}

#endif
