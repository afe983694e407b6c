// SPDX-License-Identifier: Apache-2.0
// Shared by the files of io: names, words, XML as a tree, and the state of reading an MJCF file. All
// memory of one read lies in one arena (Mjcf.memory).
#ifndef UPTACK_IO_INTERNAL_H
#define UPTACK_IO_INTERNAL_H

#include <uptack/io.h>

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
} XmlFile;

typedef struct XmlAttribute {
    const char* name;  // "ut:NAME" for the namespace urn:uptack, "{uri}NAME" for other ones
    const char* value; // with references resolved
    const char* at;    // place of the value in the file's text
    bool verbatim;     // the file's text has the value byte for byte, without references
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
    int line;
    // set by the reader of MJCF
    int order;         // number in document order
    const void* rule;  // entry in the table of elements
    const void* scope; // class of defaults for its children
    int index;         // of the body that it describes
} XmlNode;

typedef struct XmlLimits {
    int depth;
} XmlLimits;

// Parse a file into a tree. @return UT_ERR_FORMAT, UT_ERR_MEMORY
utStatus ut_xml_parse(const XmlFile* file, XmlLimits limits, utArena* keep, XmlNode** root,
                      utError* err);

// The next element in document order within the subtree of `root`. @return NULL at the end
XmlNode* ut_xml_next(const XmlNode* node, const XmlNode* root);
// The next element that is not below `node`.
XmlNode* ut_xml_skip(const XmlNode* node, const XmlNode* root);
// @return NULL when the element has no such attribute
XmlAttribute* ut_xml_attribute(const XmlNode* node, const char* name);

// Line and column of a place in a file's text.
void ut_xml_position(const XmlFile* file, const char* at, int* line, int* column);

// ---- MJCF ---------------------------------------------------------------------------------------

// A class of defaults. Several `default` elements may describe parts of one class.
typedef struct MjcfClass {
    const char* name;
    struct MjcfClass* parent;
    struct MjcfClassPart* part; // the last part first
    int index;
} MjcfClass;

typedef struct MjcfClassPart {
    const XmlNode* node;
    struct MjcfClassPart* before;
} MjcfClassPart;

enum { MJCF_FROM_GEOM_FALSE, MJCF_FROM_GEOM_TRUE, MJCF_FROM_GEOM_AUTO };

typedef struct MjcfCompiler {
    bool radian;
    char eulerseq[4];
    bool autolimits;
    double boundmass, boundinertia, settotalmass;
    bool balanceinertia;
    int inertiafromgeom;
    int group[2]; // inertiagrouprange
} MjcfCompiler;

typedef struct MjcfBody {
    utBodyDef def;
    const XmlNode* node;
    int geom, geoms; // first geom and number of geoms
    int joints;      // number of joints so far
} MjcfBody;

typedef struct MjcfJoint {
    utJointDef def;
    const XmlNode* node;
} MjcfJoint;

typedef struct MjcfGeom {
    utGeomDef def;
    const XmlNode* node;
    bool frictionless; // condim 1
    double mu;         // friction in the file, also for condim 1
} MjcfGeom;

typedef struct MjcfActuator {
    utActuatorDef def;
    bool unsupported; // noted and left out, with its control in keyframes
} MjcfActuator;

typedef struct MjcfExclude {
    int body[2];
    utOrigin origin;
} MjcfExclude;

typedef struct MjcfNote {
    utNote note;
    int order[2]; // number of the element in the document and of the attribute in the element
    struct MjcfNote* next;
} MjcfNote;

// The elements read so far, as descriptions of the model's parts. `body` has `bodies` entries, and so
// on.
typedef struct MjcfParts {
    MjcfBody* body; // 0 is the world
    MjcfJoint* joint;
    MjcfGeom* geom;
    utSiteDef* site;
    utPointDef* point;
    utMotionDef* motion;
    utSpringDef* spring;
    MjcfActuator* actuator;
    MjcfExclude* exclude;
    utEqualityDef* equality;
    utKeyframeDef* key;
    int bodies, joints, geoms, sites, points, motions, springs, actuators, excludes, equalities;
    int keys;
} MjcfParts;

// The names of the elements read so far, with their indices.
typedef struct MjcfNames {
    Names body, joint, geom, site, spring, actuator, equality, key;
} MjcfNames;

// All classes of defaults.
typedef struct MjcfClasses {
    MjcfClass** at;
    int count;
    MjcfClass* main;
    Names names;
} MjcfClasses;

// One read of an MJCF file.
typedef struct Mjcf {
    const utMjcfDef* def;
    utError* err;
    utArena memory;
    XmlFile* files; // the last one first
    size_t bytes;   // of all files so far
    XmlNode* root;
    int elements;
    MjcfNote* notes;
    MjcfNote* last_note;
    MjcfCompiler compiler;
    bool contact, limit; // flags of option
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
// The number of physical elements that the model lacks.
int ut_mjcf_notes_missing(const Mjcf* m);

// mjcf/include.c: read files, and replace `include` elements by the contents of their files
utStatus ut_mjcf_add_file(Mjcf* m, const char* name, utText text, XmlNode** root);
utStatus ut_mjcf_read_text(Mjcf* m, const char* path, utText* text);
utStatus ut_mjcf_include(Mjcf* m);

// mjcf/schema.c: reject unknown elements and attributes, note unsupported ones
utStatus ut_mjcf_check(Mjcf* m);

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

// mjcf/default_class.c
utStatus ut_mjcf_classes(Mjcf* m);
// Find the class of an element. @param elements see MjcfPlace; NULL: the element has no defaults
utStatus ut_mjcf_place(Mjcf* m, const XmlNode* node, const char* elements, MjcfPlace* p);
// Set the class of defaults for the children of a body.
utStatus ut_mjcf_scope(Mjcf* m, XmlNode* body);

// mjcf/site.c
utStatus ut_mjcf_site(Mjcf* m, int body, const XmlNode* node);

// mjcf/ut_elements.c: points, motions, springs and surface velocities
utStatus ut_mjcf_points_motions_springs(Mjcf* m);
utStatus ut_mjcf_surface(const MjcfPlace* p, utGeomDef* g);

// mjcf/option.c
utStatus ut_mjcf_options(Mjcf* m);

// mjcf/body.c, mjcf/geom.c, mjcf/joint.c
utStatus ut_mjcf_bodies(Mjcf* m);
// @param massless the geom does not count for the mass of its body
utStatus ut_mjcf_geom(Mjcf* m, int body, const XmlNode* node, bool massless);
utStatus ut_mjcf_note_frictionless(Mjcf* m);
utStatus ut_mjcf_joint(Mjcf* m, int body, const XmlNode* node);

// mjcf/inertia.c: apply the attributes of `compiler` that change masses
utStatus ut_mjcf_inertias(Mjcf* m);

// mjcf/actuator.c, mjcf/exclude.c, mjcf/equality.c, mjcf/keyframe.c
utStatus ut_mjcf_actuators(Mjcf* m);
utStatus ut_mjcf_excludes(Mjcf* m);
utStatus ut_mjcf_equalities(Mjcf* m);
utStatus ut_mjcf_keyframes(Mjcf* m);

// Loop over the children of all sections of a name, because a file may have several `<actuator>`.
XmlNode* ut_mjcf_first_of(const Mjcf* m, const char* section);
XmlNode* ut_mjcf_next_of(const Mjcf* m, const XmlNode* node);

#endif
