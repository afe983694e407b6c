// SPDX-License-Identifier: Apache-2.0
// Shared by the files of io: names, words, XML as a tree, and the state of reading an MJCF file. All
// memory of one read lies in one arena (Mjcf.memory).
#ifndef UPTACK_IO_INTERNAL_H
#define UPTACK_IO_INTERNAL_H

#include <uptack/io.h>

// ---- limits -------------------------------------------------------------------------------------

// @return UT_ERR_DEF for limits that did not come from ut_limits() or hold an invalid value
utStatus ut_limits_check(const utLimits* limits, utError* err);

// ---- names --------------------------------------------------------------------------------------

// A table from names to numbers.
typedef struct NameEntry {
    const char* name; // NULL: free
    int value;
} NameEntry;

typedef struct Names {
    utArena* memory;
    NameEntry* entry;
    int capacity; // 0 or a power of 2
    int count;
} Names;

// @return the value of a name, -1 when the table does not have it
int ut_names_find(const Names* names, const char* name);
// Enter a name; a name that is there already keeps its value. @return false when memory is short
bool ut_names_add(Names* names, const char* name, int value);
// The value of a name that is in the table, to be changed.
int* ut_names_value(const Names* names, const char* name);

// ---- words --------------------------------------------------------------------------------------

bool ut_is_blank(char c);

// Copy `size` bytes and a final 0. @return NULL when memory is short
char* ut_io_keep_text(utArena* keep, const char* text, size_t size);

// Take the next word from a list separated by blanks. @return false at the end of the list
bool ut_word_next(const char** list, utText* word);
bool ut_word_is(utText word, const char* text);
bool ut_word_in(const char* list, const char* text); // is text a word of the list?

// A search for the known word that is nearest to a misspelt one.
enum { WORD_SIZE = 48 }; // longer words are not compared
typedef struct Nearest {
    const char* to;       // the misspelt word
    int distance;         // of `word`, at first 1 + the largest accepted distance
    char word[WORD_SIZE]; // "" when no word is near enough
} Nearest;
Nearest ut_nearest_to(const char* misspelt);
void ut_nearest_try(Nearest* nearest, utText word); // compare one known word

// ---- XML ----------------------------------------------------------------------------------------

typedef struct XmlFile {
    const char* name;
    utText text;
    struct XmlFile* before;
    const struct MjcfModel* model; // that the file is a part of
} XmlFile;

typedef struct XmlAttribute {
    const char* name;  // "ut:NAME" for the namespace urn:uptack, "{uri}NAME" for other ones,
                       // "NAME" for that of an outermost element `robot`
    const char* value; // with references resolved
    const char* at;    // place of the value in the file's text
    bool verbatim;     // the file's text has the value byte for byte, without references
    bool renamed;      // it refers to a copy in the same model
    const void* note;  // the last note that counted it: elements of a class share its attributes
} XmlAttribute;

typedef struct XmlNode {
    const char* name;
    struct XmlNode *parent, *first, *last, *next;
    XmlAttribute* attribute;
    int attributes;
    const XmlFile* file;
    const char* at;   // place of its '<' in the file's text
    const char* text; // place of text between its tags, NULL for none
    int depth;        // 1 for the root
    int line, column;
    // set by the reader of MJCF
    int order;         // number in document order
    const void* rule;  // entry in the table of elements
    const void* scope; // class of defaults for its children
    int index;         // of the body that it describes or, for a frame, is part of; of the joint
    const struct MjcfPose* pose; // of a frame relative to its body; NULL: the body's frame
    // set by composing a model of parts, see mjcf/compose.h
    const struct MjcfPart* part; // the attached model that it comes from; NULL: the main model
    struct XmlNode* twin;        // its last copy
    struct XmlNode* heir;        // its first copy by `replicate`, which stands for it in keyframes
    int copy;                    // of `replicate`: 0 the element itself, 1, 2, ... its copies
    bool gone;                   // replaced by copies
} XmlNode;

// Parse a file into a tree. @param elements of all files so far; the new ones are added
// @return UT_ERR_FORMAT, UT_ERR_MEMORY
utStatus ut_xml_parse(const XmlFile* file, const utLimits* limits, int* elements, utArena* keep,
                      XmlNode** root, utError* err);

// The next element in document order within the subtree of `root`. @return NULL at the end
XmlNode* ut_xml_next(const XmlNode* node, const XmlNode* root);
// The next element that is not below `node`.
XmlNode* ut_xml_skip(const XmlNode* node, const XmlNode* root);
// @return NULL when the element has no such attribute
XmlAttribute* ut_xml_attribute(const XmlNode* node, const char* name);

// Line and column of a place in a file's text.
void ut_xml_position(const XmlFile* file, const char* at, int* line, int* column);
// The same for a place within the tag of an element, without a scan from the beginning.
void ut_xml_place(const XmlNode* node, const char* at, int* line, int* column);

// ---- MJCF ---------------------------------------------------------------------------------------

// A class of defaults. Several `default` elements may describe parts of one class.
typedef struct MjcfClass {
    const char* name;
    struct MjcfClass* parent;
    struct MjcfClassPart *first, *last;
    int index;
    int elements;                // in its parts, and the parts themselves
    struct MjcfActuatorLaw* law; // that its actuators begin with; NULL: not computed
} MjcfClass;

typedef struct MjcfClassPart {
    const XmlNode* node;
    struct MjcfClassPart* next;
} MjcfClassPart;

enum { MJCF_FROM_GEOM_FALSE, MJCF_FROM_GEOM_TRUE, MJCF_FROM_GEOM_AUTO };

typedef struct MjcfCompiler {
    bool radian;
    char eulerseq[4];
    bool autolimits;
    double boundmass, boundinertia, settotalmass;
    bool balanceinertia;
    int inertiafromgeom;
    int group[2];                   // inertiagrouprange
    const char *meshdir, *assetdir; // NULL: not given
    bool strippath, fitaabb;
    bool alignfree;
} MjcfCompiler;

typedef struct MjcfBody {
    utBodyDef def;
    const XmlNode* node;
    int geom, geoms; // first geom and number of geoms
    int joints;      // number of joints so far
    int mocap;       // number among the mocap bodies
    bool align;      // its free joint moves the frame to the principal axes
    utQuat* axes;    // principal axes in the body's frame; NULL: not given
} MjcfBody;

typedef struct MjcfJoint {
    utJointDef def;
    const XmlNode* node;
    int q, v; // its first entries
} MjcfJoint;

typedef struct MjcfGeom {
    utGeomDef def;
    const XmlNode* node;
} MjcfGeom;

// The types of geoms as MJCF lists them; those before MESH are primitives.
typedef enum MjcfGeomType { MJCF_GEOM_MESH = 6, MJCF_GEOM_HFIELD, MJCF_GEOM_SDF } MjcfGeomType;

typedef struct MjcfMesh {
    utMeshDef def; // its arrays only when it is used
    const XmlNode* node;
    int number;              // among the meshes that are used; -1: not used
    struct MeshAsset* asset; // NULL: not computed
} MjcfMesh;

typedef struct MjcfHeights {
    utHeightsDef def;
    const XmlNode* node;
    int number;
} MjcfHeights;

typedef struct MjcfActuator {
    utActuatorDef def;
    bool unsupported; // noted and left out, with its control and activations in keyframes
    int activations;  // in keyframes; -1: unknown
    int act;          // its first activation in the model
} MjcfActuator;

#define MJCF_ACTUATORS                                                    \
    "general motor position velocity intvelocity orientation pid damper " \
    "cylinder muscle adhesion dcmotor plugin"

// Words of gaintype, biastype and dyntype. The first ones are supported; those of dyntype are in the
// order of utActuatorDynamics.
#define MJCF_GAIN_TYPES "fixed affine muscle user dcmotor so3 pid"
#define MJCF_BIAS_TYPES "none affine muscle user dcmotor so3"
#define MJCF_DYNAMICS "none integrator filter filterexact muscle user dcmotor pid"
enum { MJCF_GAIN_FIXED, MJCF_GAIN_AFFINE, MJCF_GAIN_OTHER };
enum { MJCF_BIAS_NONE, MJCF_BIAS_AFFINE };

// The law of an actuator in MuJoCo's general form.
typedef struct MjcfActuatorLaw {
    int gain_type, bias_type, dynamics; // numbers of the words
    double gain[3];
    double bias[3];       // of a position actuator a positive bias[2] is its damping ratio
    double time_constant; // dynprm[0]
    int actdim;           // -1: not given
    bool early;
    double inherit_range;
    bool limits_ctrl; // the kind needs a ctrlrange
} MjcfActuatorLaw;

typedef struct MjcfExclude {
    int body[2];
    utOrigin origin;
} MjcfExclude;

typedef struct MjcfNote {
    utNote note;
    int order[2]; // number of the element in the document and of the attribute in the element
    struct MjcfNote* next;
    struct MjcfNote* in_bucket; // the next one of Mjcf.note_bucket
} MjcfNote;

enum { MJCF_NOTE_BUCKETS = 1024 };

// The elements read so far, as descriptions of the model's parts. `body` has `bodies` entries, and so
// on.
typedef struct MjcfParts {
    MjcfBody* body; // 0 is the world
    MjcfJoint* joint;
    MjcfMesh* mesh;       // of all elements
    MjcfMesh** used_mesh; // those that geoms refer to; utGeomDef.mesh is an index here
    MjcfHeights* heights;
    MjcfHeights** used_height;
    int meshes, used_meshes, height_fields, used_heights;
    MjcfGeom* geom;
    utSiteDef* site;
    utPointDef* point;
    utMotionDef* motion;
    utSpringDef* spring;
    utTendonDef* tendon;
    MjcfActuator* actuator;
    MjcfExclude* exclude;
    utEqualityDef* equality;
    utPairDef* pair;
    utKeyframeDef* key;
    utSensorDef* sensor;
    int bodies, joints, geoms, sites, points, motions, springs, actuators, excludes, equalities;
    int pairs, keys, sensors, tendons;
    const XmlNode** material; // elements of materials that have a name
    int materials;
} MjcfParts;

// The names of the elements read so far, with their indices.
typedef struct MjcfNames {
    Names body, joint, mesh, heights, geom, site, spring, tendon, actuator, equality, pair, key;
    Names sensor, material;
} MjcfNames;

// All classes of defaults.
typedef struct MjcfClasses {
    MjcfClass** at;
    int count;
    MjcfClass* main;
    Names names;
    struct MjcfDefault* known; // values that were looked up before
    int places;                // in `known`, a power of 2
} MjcfClasses;

// A pose relative to the body.
typedef struct MjcfPose {
    utVec3 pos;
    utQuat quat;
} MjcfPose;

// A model that the main model attaches: once parsed, it is copied at every `attach`.
typedef struct MjcfModel {
    const char* name;
    XmlNode* root;
    MjcfCompiler compiler;
    struct MjcfPart* parts;       // attached to it, the last one first
    struct MjcfModel* assets;     // models in its section `asset`, the last one first
    struct MjcfModel* next;       // of the same section
    const struct MjcfModel* user; // that has it as an asset; NULL: the main model
} MjcfModel;

// One copy of a model, at an `attach`. The arrays say what the numbers in its keyframes belong to; they
// also list elements that were not attached.
typedef struct MjcfPart {
    const char* prefix;
    struct MjcfPart* next;  // of the same model
    struct MjcfPart* twin;  // its last copy
    struct MjcfClass* main; // its main class of defaults
    XmlNode **joint, **actuator, **mocap;
    int joints, actuators, mocaps;
    bool used; // some of them are in the model
} MjcfPart;

// The flags of option; false: switched off.
typedef struct MjcfFlags {
    bool gravity, contact, constraint, equality, frictionloss, limit;
    bool spring, damper, passive, clampctrl, actuation, filterparent;
    unsigned disabled_groups; // of actuators, one bit each
} MjcfFlags;

// One read of an MJCF file.
typedef struct Mjcf {
    const utMjcfDef* def;
    utError* err;
    utArena memory;
    utArena asset_memory; // for one asset at a time
    XmlFile* files;       // the last one first
    int file_count;
    size_t bytes;                    // of all files so far
    size_t asset_bytes;              // of all files of assets so far
    int vertices, triangles, pixels; // of all assets so far
    MjcfModel main;
    XmlNode* root;   // of the main model
    int elements;    // of all files and copies so far
    int ordered;     // elements that have a number in document order
    int key_numbers; // in the keyframes so far
    MjcfNote* notes;
    MjcfNote* last_note;
    MjcfNote* note_bucket[MJCF_NOTE_BUCKETS]; // by what they say
    MjcfCompiler compiler;                    // of the model that the element being read comes from
    MjcfFlags flags;
    utOptions options;
    const char* model_name;
    MjcfClasses classes;
    MjcfParts parts;
    MjcfNames names;
} Mjcf;

// An element with its defaults: attributes come from the element, else from its class, else from
// the parents of the class.
typedef struct MjcfPlace {
    Mjcf* m;
    const XmlNode* node;
    const MjcfClass* of;  // NULL: no defaults
    const char* elements; // names of elements in a class whose attributes are its defaults
} MjcfPlace;

// The result of looking up an attribute.
typedef struct MjcfFound {
    const XmlNode* node;     // the element that has it
    XmlAttribute* attribute; // NULL: no element has it
} MjcfFound;

// mjcf/error.c: errors at an element, or at a byte of an attribute's value. @return UT_ERR_FORMAT
utStatus ut_mjcf_fail(Mjcf* m, const XmlNode* node, const char* format, ...) UT_PRINTF(3, 4);
utStatus ut_mjcf_fail_at(Mjcf* m, MjcfFound found, size_t offset, const char* format, ...)
    UT_PRINTF(4, 5);
utStatus ut_mjcf_no_memory(Mjcf* m);
utOrigin ut_mjcf_origin(const XmlNode* node);

// notes.c: report a part of the file that is not supported. @param attribute NULL: the element itself
utStatus ut_mjcf_note(Mjcf* m, const XmlNode* node, XmlAttribute* attribute, bool physics,
                      const char* what, const char* why);
// Report physics that the model lacks.
utStatus ut_mjcf_note_missing(Mjcf* m, const XmlNode* node, XmlAttribute* attribute,
                              const char* what, const char* why);
// Sort the notes and hand them over; reject the file when the read is strict.
utStatus ut_mjcf_notes_finish(Mjcf* m, utNotes* notes);
// Record in a description the physics that notes report missing. @return false when memory is short
bool ut_notes_add_missing(const utNotes* notes, utModelDef* into);

// mjcf/include.c: read files, and replace `include` elements by the contents of their files
utStatus ut_mjcf_add_file(Mjcf* m, const MjcfModel* model, const char* name, utText text,
                          XmlNode** root);
utStatus ut_mjcf_read_text(Mjcf* m, const char* path, utText* text);
// The path of a file beside another one. @return NULL when memory is short
char* ut_mjcf_join(utArena* keep, const char* beside, const char* name);
// Find and read the file that an attribute names, beside the main file of its model or beside the file
// that names it.
utStatus ut_mjcf_open(Mjcf* m, MjcfFound name, char** path, utText* text);
utStatus ut_mjcf_include(Mjcf* m, XmlNode* root);
// What a path names when it is no ordinary file, see base/file_kind.h; NULL: it may be read.
const char* ut_mjcf_stream_kind(const Mjcf* m, const char* path);

// mjcf/softness.c: why an attribute of softness is noted. @return text in `room` or a constant
typedef struct MjcfReason {
    char text[160];
} MjcfReason;
const char* ut_mjcf_softness(const XmlNode* node, const XmlAttribute* a, MjcfReason* room);

// mjcf/schema.c: reject unknown elements and attributes, note unsupported ones
utStatus ut_mjcf_check(Mjcf* m, XmlNode* root);

// mjcf/compose.c, mjcf/model_asset.c: expand `replicate` and `attach`, load the models of `asset`
utStatus ut_mjcf_compose(Mjcf* m, MjcfModel* model);
utStatus ut_mjcf_load_models(Mjcf* m, MjcfModel* model);
// The element that stands for another one in keyframes: itself, or the first copy by `replicate`.
XmlNode* ut_mjcf_heir(XmlNode* node);

// mjcf/frame.c
bool ut_mjcf_is_frame(const XmlNode* node); // frame, replicate or attach
// Set the pose and the class of defaults of a frame, whose parent has them.
utStatus ut_mjcf_frame(Mjcf* m, XmlNode* node);
// Convert a pose in an element's frame to one in the frame of its body.
void ut_mjcf_to_body(const XmlNode* node, utVec3* pos, utQuat* quat);

// mjcf/default_value.c: the value of an attribute in a class and its parents
enum { MJCF_MAX_NUMBERS = 8 };
typedef struct MjcfDefault {
    const MjcfClass* of;
    const char* elements;
    char name[32];
    int max_count;   // of numbers; 0: any text
    MjcfFound found; // the nearest element that has it
    int count;       // of numbers; nearer elements may leave out the last ones
    double x[MJCF_MAX_NUMBERS];
} MjcfDefault;
bool ut_mjcf_defaults_begin(Mjcf* m); // @return false when memory is short
utStatus ut_mjcf_default(const MjcfPlace* p, const char* name, int max_count, MjcfDefault* found);

// mjcf/attribute_value.c
MjcfFound ut_mjcf_find(const MjcfPlace* p, const char* name);
utStatus ut_mjcf_numbers(Mjcf* m, MjcfFound found, int min_count, int max_count, double* x,
                         int* count);
utStatus ut_mjcf_number_list(Mjcf* m, MjcfFound found, double** x, int* count);
// The functions ut_mjcf_get... leave x unchanged when there is no such attribute.
utStatus ut_mjcf_get(const MjcfPlace* p, const char* name, int count, double* x);
// Read up to `max_count` numbers; defaults supply numbers that the element leaves out.
utStatus ut_mjcf_get_some(const MjcfPlace* p, const char* name, int max_count, double* x,
                          int* given);
utStatus ut_mjcf_get_positive(const MjcfPlace* p, const char* name, double* x);
utStatus ut_mjcf_get_not_negative(const MjcfPlace* p, const char* name, double* x);
utStatus ut_mjcf_get_fraction(const MjcfPlace* p, const char* name, double* x); // 0 ... 1
utStatus ut_mjcf_get_int(const MjcfPlace* p, const char* name, int* x);
// @param words a list separated by blanks @param index of the word in that list
utStatus ut_mjcf_get_word(const MjcfPlace* p, const char* name, const char* words, int* index);
utStatus ut_mjcf_get_bool(const MjcfPlace* p, const char* name, bool* x);
utStatus ut_mjcf_get_vec3(const MjcfPlace* p, const char* name, utVec3* x);
// Read `margin` and `gap` of a geom, pair or joint, and note them. @param gap NULL: there is none
utStatus ut_mjcf_get_margin(const MjcfPlace* p, double* margin, double* gap);
// Read the element's own name and enter it, with the element's index, into `names`.
utStatus ut_mjcf_get_name(const MjcfPlace* p, Names* names, int index, const char** name);
double ut_mjcf_angle(const Mjcf* m, double x); // convert an angle of the file to radians
// Reject an unknown name and suggest the nearest known one.
utStatus ut_mjcf_unknown_name(Mjcf* m, MjcfFound found, const char* kind, const Names* names);
// Find the element that a required attribute names. @param kind "body", "site" ...
utStatus ut_mjcf_get_reference(const MjcfPlace* p, const char* attribute, const char* kind,
                               const Names* names, int* index);
// Read a range and decide whether it limits anything. @param limited, range names of attributes
utStatus ut_mjcf_limits(const MjcfPlace* p, const char* limited, const char* range, bool* on,
                        double x[2]);

// mjcf/orientation.c
utStatus ut_mjcf_orientation(const MjcfPlace* p, utQuat* quat);
utQuat ut_mjcf_turn_z_to(utVec3 axis); // the least rotation from z to an axis
utQuat ut_mjcf_euler(const Mjcf* m, const double x[3]);

// mjcf/default_class.c
utStatus ut_mjcf_classes(Mjcf* m);
// Find the class of an element. @param elements see MjcfPlace; NULL: the element has no defaults
utStatus ut_mjcf_place(Mjcf* m, const XmlNode* node, const char* elements, MjcfPlace* p);
// Set the class of defaults for the children of a body or frame.
utStatus ut_mjcf_scope(Mjcf* m, XmlNode* body);

// mjcf/site.c
utStatus ut_mjcf_site(Mjcf* m, int body, const XmlNode* node);
utStatus ut_mjcf_sort_sites(Mjcf* m);

// mjcf/ut_elements.c: points, motions, springs and surface velocities
utStatus ut_mjcf_points_motions_springs(Mjcf* m);
utStatus ut_mjcf_surface(const MjcfPlace* p, utGeomDef* g);

// mjcf/option.c
utStatus ut_mjcf_compiler(Mjcf* m, MjcfModel* model);
utStatus ut_mjcf_options(Mjcf* m);

// mjcf/colour.c: the colour of a geom or a site, its own or that of its material
utStatus ut_mjcf_materials(Mjcf* m); // enter the names of materials
utStatus ut_mjcf_colour(const MjcfPlace* p, double rgba[4]);

// mjcf/asset_file.c: read a file into memory that the next file uses again.
// @return UT_ERR_IO when there is none
utStatus ut_mjcf_read_asset(Mjcf* m, const char* path, utText* text);
// Read the file that an attribute names. @param path where it was found
utStatus ut_mjcf_asset_file(Mjcf* m, MjcfFound file, const char** path, utText* text);
// The limits of one more file.
utLimits ut_mjcf_limits_left(const Mjcf* m);
// Name an asset that has no name after its file, and enter the name.
utStatus ut_mjcf_asset_name(const MjcfPlace* p, Names* names, int index, const char** name);

// mjcf/asset.c, mjcf/hfield.c
utStatus ut_mjcf_assets(Mjcf* m);
utStatus ut_mjcf_hfield(Mjcf* m, const XmlNode* node);
// Give a mesh the contents of its file, and a number.
struct MeshData;
utStatus ut_mjcf_fill_mesh(Mjcf* m, MjcfMesh* mesh, const struct MeshData* data);
// Read the contents of an asset when the first geom needs it. @param number see MjcfParts.used_mesh
utStatus ut_mjcf_use_mesh(Mjcf* m, int index, int* number);
utStatus ut_mjcf_use_heights(Mjcf* m, int index, int* number);
utStatus ut_mjcf_note_unused(Mjcf* m);
// Mass properties of a geom in its body's frame. @param axes of the geom, also of its mesh
utStatus ut_mjcf_geom_mass(Mjcf* m, const utGeomDef* geom, utInertia* inertia, utQuat* axes);

// mjcf/geom_asset.c: read the mesh or the height field of a geom, if it has one.
// @param viewers set when the geom is noted and to be left out
utStatus ut_mjcf_geom_asset(const MjcfPlace* p, utGeomDef* g, MjcfGeomType type, bool massless,
                            bool* viewers);

// mjcf/flags.c
MjcfFlags ut_mjcf_flags(void); // all on
utStatus ut_mjcf_read_flags(Mjcf* m, const XmlNode* node);
void ut_mjcf_finish_flags(Mjcf* m); // all are read
utStatus ut_mjcf_read_disabled_groups(const MjcfPlace* p);
utStatus ut_mjcf_apply_flags(Mjcf* m); // to the elements, when all are read

// mjcf/body.c, mjcf/geom.c, mjcf/joint.c
utStatus ut_mjcf_bodies(Mjcf* m);
// @param massless the geom does not count for the mass of its body
utStatus ut_mjcf_geom(Mjcf* m, int body, const XmlNode* node, bool massless);
utStatus ut_mjcf_joint(Mjcf* m, int body, const XmlNode* node);

// mjcf/inertia.c: apply the attributes of `compiler` that change masses
utStatus ut_mjcf_inertias(Mjcf* m);
// Make the sum of the geoms that count the inertial of a body.
utStatus ut_mjcf_inertia_of_geoms(Mjcf* m, MjcfBody* body);
// The principal axes of a body in its frame.
utStatus ut_mjcf_set_axes(Mjcf* m, MjcfBody* body, utQuat axes);
// mjcf/align_free.c: move the frames of free bodies to their principal axes
utStatus ut_mjcf_align_free(Mjcf* m);
// The principal moments and axes of a symmetric A = V diag(d) V^T.
void ut_mjcf_principal_moments(utMat3 A, utVec3* d, utMat3* V);
// An inertia without the rounding that makes it unsymmetric, so that fullinertia can hold it.
utMat3 ut_mjcf_symmetric(utMat3 A);

// mjcf/tendon.c, mjcf/actuator.c, mjcf/exclude.c, mjcf/pair.c, mjcf/equality.c, mjcf/keyframe.c
utStatus ut_mjcf_tendons(Mjcf* m);
utStatus ut_mjcf_actuators(Mjcf* m);
// mjcf/actuator_law.c: the law of an actuator with its defaults, and the same as a description
utStatus ut_mjcf_actuator_law(const MjcfPlace* p, MjcfActuatorLaw* law);
void ut_mjcf_describe_law(const MjcfActuatorLaw* law, const char* name, utActuatorDef* a);
utStatus ut_mjcf_excludes(Mjcf* m);
utStatus ut_mjcf_pairs(Mjcf* m);
utStatus ut_mjcf_equalities(Mjcf* m);
utStatus ut_mjcf_keyframes(Mjcf* m);

// mjcf/custom.c: note custom texts of other programs; apply the assignments of ours
utStatus ut_mjcf_note_custom(Mjcf* m);
utStatus ut_mjcf_custom(Mjcf* m, utModelDef* into);

// mjcf/sensor.c
utStatus ut_mjcf_sensors(Mjcf* m);

// mjcf/part_keyframe.c: read a keyframe of an attached model. @param used false: it is left out
utStatus ut_mjcf_part_key(Mjcf* m, const XmlNode* node, int mocaps, utKeyframeDef* key, bool* used);
void ut_mjcf_number_parts(Mjcf* m); // to be called once before

// mjcf/mjcf.c: read a text, or a file when `text` is NULL, of the formats whose def is given
utStatus ut_io_read(const utText* text, const char* file, const utMjcfDef* mjcf,
                    const utUrdfDef* urdf, utModelDef* into, utFileFormat* format, utNotes* notes,
                    utError* err);

// urdf/urdf.c: read the parts of a robot
utStatus ut_urdf_parts(Mjcf* m, const utUrdfDef* def);

// Loop over the children of all sections of a name, because a file may have several `<actuator>`.
XmlNode* ut_mjcf_first_of(const Mjcf* m, const char* section);
XmlNode* ut_mjcf_next_of(const Mjcf* m, const XmlNode* node);

#endif
