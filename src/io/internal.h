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

// The next word of a list that is separated by blanks. @return false at its end
bool ut_word_next(const char** list, utText* word);
bool ut_word_is(utText word, const char* text);
bool ut_word_in(const char* list, const char* text); // text is one of the words

// The word of the lists that is nearest to a misspelt one, "" when none is near.
// @param best what was found before; room for the word
enum { WORD_SIZE = 48 };
typedef struct Nearest {
    const char* to;
    int distance; // start with 1 + the largest that counts as near
    char word[WORD_SIZE];
} Nearest;
Nearest ut_nearest_to(const char* misspelt);
void ut_nearest_try(Nearest* nearest, utText word);

// ---- XML ----------------------------------------------------------------------------------------

typedef struct XmlFile {
    const char* name;
    utText text;
    struct XmlFile* before;
} XmlFile;

typedef struct XmlAttribute {
    const char* name;  // "ut:NAME" for the namespace urn:uptack, "{uri}NAME" for other ones
    const char* value; // with references resolved
    const char* at;    // the value in the file's text
    bool verbatim;     // and there it stands byte for byte
    const void* note;  // the last note that counted it: a class counts once for all that use it
} XmlAttribute;

typedef struct XmlNode {
    const char* name;
    struct XmlNode *parent, *first, *last, *next;
    XmlAttribute* attribute;
    int attributes;
    const XmlFile* file;
    const char* at;   // its '<' in the file's text
    const char* text; // words between the tags, NULL for none
    int depth;        // 1 for the root
    int line;
    // for the reader of the tree
    int order;         // place in the whole document
    const void* rule;  // what it is
    const void* scope; // the class that holds below it
    int index;         // of what it became
} XmlNode;

typedef struct XmlLimits {
    int depth;
} XmlLimits;

// The text as a tree. @return UT_ERR_FORMAT, UT_ERR_MEMORY
utStatus ut_xml_parse(const XmlFile* file, XmlLimits limits, utArena* keep, XmlNode** root,
                      utError* err);

// Document order below and with `root`, without recursion. @return NULL at the end
XmlNode* ut_xml_next(const XmlNode* node, const XmlNode* root);
XmlNode* ut_xml_skip(const XmlNode* node, const XmlNode* root); // the next that is not below node
XmlAttribute* ut_xml_attribute(const XmlNode* node, const char* name);

// Line and column of a place in a file's text.
void ut_xml_position(const XmlFile* file, const char* at, int* line, int* column);

// ---- MJCF ---------------------------------------------------------------------------------------

// A class of defaults. One class may be told in several places.
typedef struct MjcfClass {
    const char* name;
    struct MjcfClass* parent;
    struct MjcfClassPart* part; // the last one first
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
    int geom, geoms; // its geoms follow each other
    int joints;
} MjcfBody;

typedef struct MjcfJoint {
    utJointDef def;
    const XmlNode* node;
} MjcfJoint;

typedef struct MjcfGeom {
    utGeomDef def;
    const XmlNode* node;
    bool slippery; // condim 1
    double mu;     // as the file says
} MjcfGeom;

typedef struct MjcfActuator {
    utActuatorDef def;
    bool dropped; // noted; its control in keyframes goes too
} MjcfActuator;

typedef struct MjcfExclude {
    int body[2];
    utOrigin origin;
} MjcfExclude;

typedef struct MjcfNote {
    utNote note;
    int order[2]; // of the element in the document, of the attribute in the element
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

// A place to look attributes up: the element, then the class that holds for it and its parents.
typedef struct MjcfPlace {
    Mjcf* m;
    const XmlNode* node;
    const MjcfClass* of;  // NULL: no defaults
    const char* elements; // names under which a class holds defaults for it
} MjcfPlace;

// An attribute that was found, and in which element.
typedef struct MjcfFound {
    const XmlNode* node;
    XmlAttribute* attribute; // NULL: nowhere
} MjcfFound;

// mjcf/error.c: errors with a position; err is filled, UT_ERR_FORMAT comes back
utStatus ut_mjcf_fail(Mjcf* m, const XmlNode* node, const char* format, ...) UT_PRINTF(3, 4);
utStatus ut_mjcf_fail_at(Mjcf* m, MjcfFound found, size_t offset, const char* format, ...)
    UT_PRINTF(4, 5);
utStatus ut_mjcf_no_memory(Mjcf* m);
utOrigin ut_mjcf_origin(const XmlNode* node);

// notes.c
// @param attribute NULL: the element itself
utStatus ut_mjcf_note(Mjcf* m, const XmlNode* node, XmlAttribute* attribute, bool physics,
                      const char* what, const char* why);
// The same for physics that the model lacks.
utStatus ut_mjcf_note_missing(Mjcf* m, const XmlNode* node, XmlAttribute* attribute,
                              const char* what, const char* why);
utStatus ut_mjcf_notes_finish(Mjcf* m, utNotes* notes); // sorts, and refuses when strict
int ut_mjcf_notes_missing(const Mjcf* m);               // how many things the model lacks

// mjcf/include.c
utStatus ut_mjcf_add_file(Mjcf* m, const char* name, utText text, XmlNode** root);
utStatus ut_mjcf_read_text(Mjcf* m, const char* path, utText* text);
utStatus ut_mjcf_include(Mjcf* m);

// mjcf/schema.c: every element and attribute is MJCF; what is not honoured is noted
utStatus ut_mjcf_check(Mjcf* m);

// mjcf/value.c
MjcfFound ut_mjcf_find(const MjcfPlace* p, const char* name);
utStatus ut_mjcf_numbers(Mjcf* m, MjcfFound found, int least, int most, double* x, int* count);
utStatus ut_mjcf_number_list(Mjcf* m, MjcfFound found, double** x, int* count);
// These leave x as it is where the attribute is nowhere.
utStatus ut_mjcf_get(const MjcfPlace* p, const char* name, int count, double* x);
utStatus ut_mjcf_get_some(const MjcfPlace* p, const char* name, int most, double* x, int* given);
utStatus ut_mjcf_get_positive(const MjcfPlace* p, const char* name, double* x);
utStatus ut_mjcf_get_not_negative(const MjcfPlace* p, const char* name, double* x);
utStatus ut_mjcf_get_fraction(const MjcfPlace* p, const char* name, double* x); // 0 ... 1
utStatus ut_mjcf_get_int(const MjcfPlace* p, const char* name, int* x);
utStatus ut_mjcf_get_word(const MjcfPlace* p, const char* name, const char* words, int* index);
utStatus ut_mjcf_get_bool(const MjcfPlace* p, const char* name, bool* x);
utStatus ut_mjcf_get_vec3(const MjcfPlace* p, const char* name, utVec3* x);
utStatus ut_mjcf_get_name(const MjcfPlace* p, Names* names, int index, const char** name);
double ut_mjcf_angle(const Mjcf* m, double x); // to radians
// A name that is not there, with the nearest one that is.
utStatus ut_mjcf_unknown_name(Mjcf* m, MjcfFound found, const char* kind, const Names* names);
// The thing that an attribute names; the attribute must be there. @param kind "body", "site" ...
utStatus ut_mjcf_get_reference(const MjcfPlace* p, const char* attribute, const char* kind,
                               const Names* names, int* index);
utStatus ut_mjcf_limits(const MjcfPlace* p, const char* limited, const char* range, bool* on,
                        double x[2]);

// mjcf/pose.c
utStatus ut_mjcf_orientation(const MjcfPlace* p, utQuat* quat);
utQuat ut_mjcf_turn_z_to(utVec3 axis);

// mjcf/class.c
utStatus ut_mjcf_classes(Mjcf* m);
utStatus ut_mjcf_place(Mjcf* m, const XmlNode* node, const char* elements, MjcfPlace* p);
utStatus ut_mjcf_scope(Mjcf* m, XmlNode* body);

// mjcf/site.c
utStatus ut_mjcf_site(Mjcf* m, int body, const XmlNode* node);

// mjcf/extras.c: points, motions and springs
utStatus ut_mjcf_extras(Mjcf* m);
utStatus ut_mjcf_surface(const MjcfPlace* p, utGeomDef* g);

// mjcf/option.c
utStatus ut_mjcf_options(Mjcf* m);

// mjcf/body.c, mjcf/geom.c, mjcf/joint.c
utStatus ut_mjcf_bodies(Mjcf* m);
utStatus ut_mjcf_geom(Mjcf* m, int body, const XmlNode* node, bool massless);
utStatus ut_mjcf_slippery(Mjcf* m);
utStatus ut_mjcf_joint(Mjcf* m, int body, const XmlNode* node);

// mjcf/inertia.c: what the compiler element asks for
utStatus ut_mjcf_inertias(Mjcf* m);

// mjcf/actuator.c, mjcf/equality.c, mjcf/key.c
utStatus ut_mjcf_actuators(Mjcf* m);
utStatus ut_mjcf_excludes(Mjcf* m);
utStatus ut_mjcf_equalities(Mjcf* m);
utStatus ut_mjcf_keyframes(Mjcf* m);

// Loop over the children of all sections of a name: `<actuator>` may stand several times.
XmlNode* ut_mjcf_first_of(const Mjcf* m, const char* section);
XmlNode* ut_mjcf_next_of(const Mjcf* m, const XmlNode* node);

#endif
