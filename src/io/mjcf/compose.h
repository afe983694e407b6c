// SPDX-License-Identifier: Apache-2.0
// Composing a model of parts: `replicate` and `attach` are expanded in the tree, before elements are
// read, so that the readers of elements know nothing of them. Copies keep their place in the file.
//
//   - `replicate` keeps its place and contains its copies, each a `replicate` with its number in
//     XmlNode.copy and a pose of its own.
//   - `attach` keeps its place and contains a copy of the attached bodies. The other sections of the
//     attached model follow those of the main model.
//   - An element outside of the bodies (an actuator, a tendon ...) that names a part of a replicated
//     body is copied with it and moves to the end.
#ifndef UPTACK_IO_MJCF_COMPOSE_H
#define UPTACK_IO_MJCF_COMPOSE_H

#include "io/internal.h"

// ---- names --------------------------------------------------------------------------------------

// What a name stands for. Names of one kind must differ.
typedef enum NameKind {
    NAME_BODY,
    NAME_JOINT,
    NAME_GEOM,
    NAME_SITE,
    NAME_CAMERA,
    NAME_TENDON,
    NAME_ACTUATOR,
    NAME_LINKS, // the kinds above can be named by elements outside of the bodies
    NAME_FRAME = NAME_LINKS,
    NAME_MESH,
    NAME_HEIGHTS,
    NAME_MATERIAL,
    NAME_TEXTURE,
    NAME_CLASS,
    NAME_OTHER, // nothing refers to it
    NAME_NONE,
} NameKind;

// The kind of name that an element's attribute gives to the element. @return NAME_NONE: it gives none
NameKind ut_mjcf_declares(const XmlNode* node, const XmlAttribute* attribute);
// The kind of element that an attribute refers to. @return NAME_NONE: it does not refer to any
NameKind ut_mjcf_refers(const XmlNode* node, const XmlAttribute* attribute);

// Enter the names that the elements of a subtree declare. @param declared NAME_LINKS tables
utStatus ut_mjcf_declared(Mjcf* m, const XmlNode* root, Names* declared);
void ut_mjcf_names_begin(Mjcf* m, Names* names, int count); // empty tables

// ---- copies -------------------------------------------------------------------------------------

// How names change in a copy.
typedef struct Rename {
    const char *prefix, *suffix;
    const Names* declared; // change only references to these names; NULL: to all names
    MjcfPart* part; // the copies become part of it, or of the twins of their parts; NULL: as is
} Rename;

// Copy an element with all its contents. The copy has no parent. Counts the copied elements.
utStatus ut_mjcf_copy(Mjcf* m, XmlNode* node, const Rename* rename, XmlNode** copy);
void ut_mjcf_append(XmlNode* parent, XmlNode* node);

// ---- composing ----------------------------------------------------------------------------------

// An element outside of the bodies that names an element of a body, a tendon or an actuator.
typedef struct Reference {
    XmlNode* from;
    const XmlNode* copied_by; // the `replicate` that made the element; NULL: none
    bool renamed;             // to a part of that `replicate`
    struct Reference* next;   // to the same name
} Reference;

// The state of composing one model.
typedef struct Composer {
    Mjcf* m;
    MjcfModel* model;
    Names index[NAME_LINKS]; // from a name to its list of references
    Reference** list;
    int lists, room;
    int entries; // elements outside of the bodies so far
    int serial;  // of the last copied part
} Composer;

// mjcf/linked.c
// Is it a section whose elements refer to bodies, or such an element itself?
bool ut_mjcf_is_linked(const XmlNode* section);
// Add the elements of a section to the index of references.
utStatus ut_composer_index(Composer* c, XmlNode* section);
// Append a section of another model, and add its elements to the index.
utStatus ut_composer_add_section(Composer* c, XmlNode* section);
// The elements outside of the bodies that belong to a part of the tree, in their order.
utStatus ut_composer_collect(Composer* c, const XmlNode* top, Names* declared, XmlNode*** linked,
                             int* count);
// Copy such elements.
utStatus ut_composer_copy_linked(Composer* c, XmlNode* const* linked, int count,
                                 const Rename* rename, const XmlNode* by);

// mjcf/attach.c
utStatus ut_mjcf_attach(Composer* c, XmlNode* node);

#endif
