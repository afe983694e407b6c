// SPDX-License-Identifier: Apache-2.0
// XML as a tree, parsed by expat. A DOCTYPE with declarations is rejected, so that no entity can expand
// or fetch anything. Elements and their nesting are limited.
#include "internal.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

static const char our_namespace[] = "urn:uptack";
enum { SEPARATOR = ' ' }; // between namespace and name; expat rejects namespaces with a blank

typedef struct Parse {
    const XmlFile* file;
    const utLimits* limits;
    int* elements; // of all files so far
    utArena* keep;
    XML_Parser parser;
    XmlNode* root;
    XmlNode* open;       // the innermost element that is not closed yet
    const char* counted; // lines are counted up to here
    const char* begin;   // of the line that `counted` is in
    int line;
    const char* home; // namespace of an outermost element 'robot'; NULL: none
    size_t home_size;
    utStatus status;
    utError* err;
} Parse;

// ---- positions ----------------------------------------------------------------------------------

void ut_xml_position(const XmlFile* file, const char* at, int* line, int* column)
{
    const char* begin = file->text.data;
    *line = 1;
    for (const char* c = file->text.data; c < at; c++) {
        if (*c == '\n') {
            (*line)++;
            begin = c + 1;
        }
    }
    *column = (int)(at - begin) + 1;
}

// The place in the text that expat has reached.
static const char* here(const Parse* p)
{
    const XML_Index index = XML_GetCurrentByteIndex(p->parser);
    const size_t offset = index < 0 ? 0 : (size_t)index;
    return p->file->text.data + (offset < p->file->text.size ? offset : p->file->text.size);
}

// Set line and column of an element. Elements come in the order of the text.
static void find_place(Parse* p, XmlNode* node)
{
    for (; p->counted < node->at; p->counted++) {
        if (*p->counted == '\n') {
            p->line++;
            p->begin = p->counted + 1;
        }
    }
    node->line = p->line;
    node->column = (int)(node->at - p->begin) + 1;
}

void ut_xml_place(const XmlNode* node, const char* at, int* line, int* column)
{
    *line = node->line;
    *column = node->column + (int)(at - node->at);
    for (const char* c = node->at; c < at; c++) {
        if (*c == '\n') {
            (*line)++;
            *column = (int)(at - c);
        }
    }
}

static void stop_at(Parse* p, const char* at, utStatus status, const char* message)
{
    if (p->status == UT_OK) {
        int line, column;
        ut_xml_position(p->file, at, &line, &column);
        p->status = ut_error_at(p->err, status, p->file->name, line, column, "%s", message);
    }
    XML_StopParser(p->parser, XML_FALSE);
}

static void stop(Parse* p, utStatus status, const char* message)
{
    stop_at(p, here(p), status, message);
}

static void stop_at_limit(Parse* p, const char* before, int limit, const char* behind)
{
    char message[100];
    snprintf(message, sizeof message, "%s%d%s", before, limit, behind);
    stop(p, UT_ERR_FORMAT, message);
}

static void stop_without_memory(Parse* p)
{
    stop(p, UT_ERR_MEMORY, "memory is short for reading this");
}

// ---- elements -----------------------------------------------------------------------------------

// An upper bound of the bytes that write_name writes: "{}" and the final 0 are added.
static size_t name_size(const char* name)
{
    return strlen(name) + 3;
}

// Keep the namespace of a robot. Some programs put whole URDF files into a namespace of theirs, which
// changes no meaning.
static bool keep_home(Parse* p, const char* name)
{
    const char* cut = strchr(name, SEPARATOR);
    const size_t size = cut != NULL ? (size_t)(cut - name) : 0;
    if (size == 0 || strcmp(cut + 1, "robot") != 0) {
        return true;
    }
    p->home = ut_io_keep_text(p->keep, name, size);
    p->home_size = size;
    return p->home != NULL;
}

// Write a name of expat, "NAME" or "URI NAME", as XmlNode.name has it. @return behind its final 0
static char* write_name(const Parse* p, char* to, const char* name)
{
    const char* cut = strchr(name, SEPARATOR);
    const char* local = cut != NULL ? cut + 1 : name;
    const size_t uri = cut != NULL ? (size_t)(cut - name) : 0;
    const size_t size = strlen(local) + 1;
    if (uri == strlen(our_namespace) && memcmp(name, our_namespace, uri) == 0) {
        *to++ = 'u';
        *to++ = 't';
        *to++ = ':';
    } else if (cut != NULL && !(uri == p->home_size && memcmp(name, p->home, uri) == 0)) {
        *to++ = '{';
        memcpy(to, name, uri);
        to += uri;
        *to++ = '}';
    }
    memcpy(to, local, size);
    return to + size;
}

// Scan one `name = "value"` of a tag that expat found well-formed. @return the place behind it, NULL
// at the tag's end
static const char* scan_attribute(const char* at, const char* end, utText* name, utText* value)
{
    while (at < end && ut_is_blank(*at)) {
        at++;
    }
    name->data = at;
    while (at < end && !ut_is_blank(*at) && *at != '=' && *at != '>' && *at != '/') {
        at++;
    }
    name->size = (size_t)(at - name->data);
    while (at < end && (ut_is_blank(*at) || *at == '=')) {
        at++;
    }
    if (name->size == 0 || at >= end || (*at != '"' && *at != '\'')) {
        return NULL;
    }
    const char* close = memchr(at + 1, *at, (size_t)(end - at - 1));
    if (close == NULL) {
        return NULL;
    }
    *value = (utText){at + 1, (size_t)(close - at - 1)};
    return close + 1;
}

static bool declares_namespace(utText name)
{
    return name.size >= 5 && memcmp(name.data, "xmlns", 5) == 0 &&
           (name.size == 5 || name.data[5] == ':');
}

// Find the places of the values in the text. Expat keeps the order of attributes and omits
// declarations of namespaces.
static void locate_attributes(const Parse* p, XmlNode* node)
{
    const char* end = p->file->text.data + p->file->text.size;
    const char* at = node->at;
    while (at < end && !ut_is_blank(*at) && *at != '>' && *at != '/') {
        at++;
    }
    utText name, value;
    for (int i = 0; i < node->attributes;) {
        at = scan_attribute(at, end, &name, &value);
        if (at == NULL) {
            return;
        }
        if (!declares_namespace(name)) {
            XmlAttribute* a = &node->attribute[i];
            a->at = value.data;
            a->verbatim = strlen(a->value) == value.size;
            i++;
        }
    }
}

// Copy the names and values of an element into one piece of memory. @return false when memory is
// short
static bool copy_element(Parse* p, XmlNode* node, const char* name, const char** atts)
{
    size_t size = name_size(name);
    for (; atts[2 * node->attributes] != NULL; node->attributes++) {
        const char** pair = atts + (size_t)2 * (size_t)node->attributes;
        size += name_size(pair[0]) + strlen(pair[1]) + 1;
    }
    const size_t attributes = (size_t)node->attributes * sizeof *node->attribute;
    node->attribute = ut_arena_pack(p->keep, attributes, _Alignof(XmlAttribute));
    char* text = ut_arena_pack(p->keep, size, 1);
    if (ut_arena_failed(p->keep)) {
        return false;
    }
    node->name = text;
    text = write_name(p, text, name);
    for (int i = 0; i < node->attributes; i++) {
        const char* value = atts[2 * i + 1];
        const char* attribute_name = text;
        text = write_name(p, text, atts[2 * i]);
        node->attribute[i] = (XmlAttribute){.name = attribute_name, .value = text, .at = node->at};
        memcpy(text, value, strlen(value) + 1);
        text += strlen(value) + 1;
    }
    locate_attributes(p, node);
    return true;
}

static void on_start(void* context, const char* name, const char** atts)
{
    Parse* p = context;
    if (p->status != UT_OK) {
        return;
    }
    const int depth = p->open != NULL ? p->open->depth + 1 : 1;
    if (depth > p->limits->depth) {
        stop_at_limit(p, "elements nested more than ", p->limits->depth,
                      " deep; utLimits.depth sets the limit");
        return;
    }
    if (++*p->elements > p->limits->elements) {
        stop_at_limit(p, "more than ", p->limits->elements,
                      " elements; utLimits.elements sets the limit");
        return;
    }
    XmlNode* node = ut_arena_pack(p->keep, sizeof *node, _Alignof(XmlNode));
    if (node == NULL) {
        stop_without_memory(p);
        return;
    }
    *node = (XmlNode){.file = p->file, .at = here(p), .depth = depth, .parent = p->open};
    find_place(p, node);
    if ((p->open == NULL && !keep_home(p, name)) || !copy_element(p, node, name, atts)) {
        stop_without_memory(p);
        return;
    }
    if (p->open == NULL) {
        p->root = node;
    } else if (p->open->last == NULL) {
        p->open->first = p->open->last = node;
    } else {
        p->open->last = p->open->last->next = node;
    }
    p->open = node;
}

static void on_end(void* context, const char* name)
{
    Parse* p = context;
    (void)name;
    if (p->status == UT_OK) {
        p->open = p->open->parent;
    }
}

static void on_text(void* context, const char* text, int size)
{
    Parse* p = context;
    if (p->status != UT_OK || p->open->text != NULL) {
        return;
    }
    for (int i = 0; i < size; i++) {
        if (!ut_is_blank(text[i])) {
            p->open->text = here(p);
            return;
        }
    }
}

// The beginning of the DOCTYPE declaration that expat has reached.
static const char* doctype_begin(const Parse* p)
{
    static const char word[] = "<!DOCTYPE";
    const char* at = here(p);
    const char* last = p->file->text.data + p->file->text.size - (sizeof word - 1);
    at = at < last ? at : last; // the text holds a DOCTYPE, so `last` is inside of it
    while (at > p->file->text.data && memcmp(at, word, sizeof word - 1) != 0) {
        at--;
    }
    return at;
}

static void on_doctype(void* context, const char* name, const char* system_id,
                       const char* public_id, int has_internal_subset)
{
    Parse* p = context;
    (void)name;
    if (has_internal_subset || system_id != NULL || public_id != NULL) {
        stop_at(p, doctype_begin(p), UT_ERR_FORMAT,
                "a DOCTYPE with declarations is not supported; remove it and write entities out");
    }
}

// ---- parsing ------------------------------------------------------------------------------------

// What helps against an error of expat; NULL: nothing special.
static const char* help_with(const Parse* p, enum XML_Error code)
{
    const char* at = here(p);
    if (code == XML_ERROR_INVALID_TOKEN && at < p->file->text.data + p->file->text.size &&
        (unsigned char)*at >= 0x80) {
        return "this byte is not UTF-8; save the file as UTF-8";
    }
    if (code == XML_ERROR_MISPLACED_XML_PI) {
        return "remove everything before '<?xml'";
    }
    return code == XML_ERROR_UNBOUND_PREFIX
               ? "declare it in the outermost element, as xmlns:PREFIX='urn:PREFIX'"
               : NULL;
}

// Report an error of expat.
static utStatus report_expat_error(Parse* p)
{
    const enum XML_Error code = XML_GetErrorCode(p->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        stop_without_memory(p);
        return p->status;
    }
    int line, column;
    ut_xml_position(p->file, here(p), &line, &column);
    const char* help = help_with(p, code);
    if (help != NULL) {
        return ut_error_at(p->err, UT_ERR_FORMAT, p->file->name, line, column, "XML: %s; %s",
                           XML_ErrorString(code), help);
    }
    if (p->open != NULL) {
        return ut_error_at(p->err, UT_ERR_FORMAT, p->file->name, line, column,
                           "XML: %s; the innermost open element is '%.40s' of line %d",
                           XML_ErrorString(code), p->open->name, p->open->line);
    }
    return ut_error_at(p->err, UT_ERR_FORMAT, p->file->name, line, column,
                       "XML: %s; a file is one element in UTF-8", XML_ErrorString(code));
}

// Expat reads UTF-16 too, but its byte offsets then do not match the text.
static bool is_utf16(utText text)
{
    if (text.size < 2) {
        return false;
    }
    const unsigned char a = (unsigned char)text.data[0], b = (unsigned char)text.data[1];
    return (a == 0xFE && b == 0xFF) || (a == 0xFF && b == 0xFE) || a == 0 || b == 0;
}

utStatus ut_xml_parse(const XmlFile* file, const utLimits* limits, int* elements, utArena* keep,
                      XmlNode** root, utError* err)
{
    if (file->text.size > INT_MAX) {
        return ut_error_at(err, UT_ERR_FORMAT, file->name, 0, 0, "longer than 2 GiB");
    }
    if (is_utf16(file->text)) {
        return ut_error_at(err, UT_ERR_FORMAT, file->name, 1, 1,
                           "this is UTF-16; save the file as UTF-8");
    }
    Parse p = {.file = file, .limits = limits, .elements = elements, .keep = keep, .err = err};
    p.counted = p.begin = file->text.data;
    p.line = 1;
    p.parser = XML_ParserCreateNS("UTF-8", SEPARATOR);
    if (p.parser == NULL) {
        return ut_error_at(err, UT_ERR_MEMORY, file->name, 0, 0,
                           "memory is short for reading this");
    }
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, on_start, on_end);
    XML_SetCharacterDataHandler(p.parser, on_text);
    XML_SetStartDoctypeDeclHandler(p.parser, on_doctype);
    const char* data = file->text.size > 0 ? file->text.data : "";
    if (XML_Parse(p.parser, data, (int)file->text.size, 1) != XML_STATUS_OK && p.status == UT_OK) {
        p.status = report_expat_error(&p);
    }
    XML_ParserFree(p.parser);
    if (p.status == UT_OK) {
        *root = p.root;
    }
    return p.status;
}

// ---- walking ------------------------------------------------------------------------------------

XmlNode* ut_xml_skip(const XmlNode* node, const XmlNode* root)
{
    while (node != root && node->next == NULL) {
        node = node->parent;
    }
    return node == root ? NULL : node->next;
}

XmlNode* ut_xml_next(const XmlNode* node, const XmlNode* root)
{
    return node->first != NULL ? node->first : ut_xml_skip(node, root);
}

XmlAttribute* ut_xml_attribute(const XmlNode* node, const char* name)
{
    for (int i = 0; i < node->attributes; i++) {
        if (strcmp(node->attribute[i].name, name) == 0) {
            return &node->attribute[i];
        }
    }
    return NULL;
}
