// SPDX-License-Identifier: Apache-2.0
// Files and the files that they include. An included file is looked for beside the main file, then
// beside the file that includes it, as MuJoCo does; each file may be included once.
#include "io/internal.h"

#include "base/file_kind.h"

#include <string.h>

enum {
    FIRST_READ_BYTES = 1 << 16, // memory of the first attempt to read; a retry has 4 times as much
};

// ---- paths --------------------------------------------------------------------------------------

static size_t folder_size(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

// Remove "." and "x/.." from a path, so that a file has only one name.
static void normalize(char* path)
{
    const bool rooted = path[0] == '/';
    char* out = path + rooted;
    char* const begin = out;
    char* low = begin; // behind the ".." that lead out of the first folder and stay
    for (const char* in = begin; *in != 0;) {
        const size_t size = strcspn(in, "/");
        const char* after = in + size + (in[size] == '/');
        if (size == 2 && in[0] == '.' && in[1] == '.' && out > low) {
            do {
                out--;
            } while (out > low && out[-1] != '/');
        } else if (size > 0 && !(size == 1 && in[0] == '.')) {
            const bool up = size == 2 && in[0] == '.' && in[1] == '.';
            memmove(out, in, (size_t)(after - in));
            out += after - in;
            low = up ? out : low;
        }
        in = after;
    }
    *out = 0;
}

char* ut_mjcf_join(utArena* keep, const char* beside, const char* name)
{
    const size_t folder = name[0] == '/' ? 0 : folder_size(beside);
    const size_t size = strlen(name);
    char* path = UT_PUSH(keep, char, folder + size + 3);
    if (path != NULL) {
        memcpy(path, beside, folder);
        memcpy(path + folder, name, size + 1);
        normalize(path);
        if (strcmp(path, "-") == 0) {
            strcpy(path, "./-"); // a file of that name, not standard input
        }
    }
    return path;
}

// ---- texts --------------------------------------------------------------------------------------

utStatus ut_mjcf_read_text(Mjcf* m, const char* path, utText* text)
{
    // standard input cannot be read twice
    size_t room = strcmp(path, "-") == 0 ? m->def->limits.bytes : FIRST_READ_BYTES;
    const utArena before = m->memory;
    for (;;) {
        const size_t max_size = m->def->limits.bytes - m->bytes;
        const size_t size = room < max_size ? room : max_size;
        void* memory = ut_arena_push(&m->memory, size + 2 * UT_ARENA_ALIGNMENT, 1);
        if (memory == NULL) {
            return ut_mjcf_no_memory(m);
        }
        utArena keep = ut_arena_on(memory, size + 2 * UT_ARENA_ALIGNMENT);
        const utStatus status = m->def->read(m->def->read_context, path, &keep, text, m->err);
        if (status != UT_ERR_CAPACITY) {
            return status;
        }
        if (size == max_size) {
            return ut_error_at(m->err, UT_ERR_FORMAT, path, 0, 0,
                               "more than %zu bytes of XML; utLimits.bytes sets the limit",
                               m->def->limits.bytes);
        }
        m->memory = before; // the next attempt uses this memory too
        room *= 4;
    }
}

utStatus ut_mjcf_add_file(Mjcf* m, const MjcfModel* model, const char* name, utText text,
                          XmlNode** root)
{
    if (text.size > m->def->limits.bytes - m->bytes) {
        return ut_error_at(m->err, UT_ERR_FORMAT, name, 0, 0,
                           "more than %zu bytes of XML; utLimits.bytes sets the limit",
                           m->def->limits.bytes);
    }
    m->bytes += text.size;
    XmlFile* file = UT_PUSH(&m->memory, XmlFile, 1);
    char* copy = ut_io_keep_text(&m->memory, name, strlen(name));
    if (file == NULL || copy == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *file = (XmlFile){copy, text, m->files, model};
    m->files = file;
    m->file_count++;
    return ut_xml_parse(file, &m->def->limits, &m->elements, &m->memory, root, m->err);
}

// ---- including ----------------------------------------------------------------------------------

static bool is_included(const Mjcf* m, const MjcfModel* by, const char* path)
{
    for (const XmlFile* f = m->files; f != NULL; f = f->before) {
        if (f->model == by && strcmp(f->name, path) == 0) {
            return true;
        }
    }
    return false;
}

const char* ut_mjcf_stream_kind(const Mjcf* m, const char* path)
{
    return m->def->read == ut_mjcf_def().read ? ut_file_stream_kind(path) : NULL;
}

utStatus ut_mjcf_open(Mjcf* m, MjcfFound name, char** path, utText* text)
{
    const XmlFile* file = name.node->file;
    const XmlNode* root = file->model->root;
    const char* beside[2] = {root != NULL ? root->file->name : file->name, file->name};
    if (m->def->read == NULL) {
        return ut_mjcf_fail(m, name.node, "files cannot be included here; insert the text instead");
    }
    if (m->file_count >= m->def->limits.files) {
        return ut_mjcf_fail_at(m, name, 0, "more than %d files; utLimits.files sets the limit",
                               m->def->limits.files);
    }
    for (int i = 0; i < 2; i++) {
        *path = ut_mjcf_join(&m->memory, beside[i], name.attribute->value);
        if (*path == NULL) {
            return ut_mjcf_no_memory(m);
        }
        if (strcmp(name.node->name, "include") == 0 && is_included(m, file->model, *path)) {
            return ut_mjcf_fail_at(m, name, 0,
                                   "'%.100s' is included already; include each file once", *path);
        }
        const char* stream = ut_mjcf_stream_kind(m, *path);
        if (stream != NULL) {
            return ut_mjcf_fail_at(m, name, 0, "'%.80s' is %s; copy its text to a file", *path,
                                   stream);
        }
        const utStatus status = ut_mjcf_read_text(m, *path, text);
        if (status != UT_ERR_IO) {
            return status;
        }
    }
    return ut_mjcf_fail_at(m, name, 0, "'%.80s' cannot be read; looked for '%.80s'",
                           name.attribute->value, *path);
}

static void shift_depth(XmlNode* root, int by)
{
    for (XmlNode* n = root; n != NULL; n = ut_xml_next(n, root)) {
        n->depth += by;
    }
}

// Replace `node` by the children of `root`.
static void splice(XmlNode* node, XmlNode* root)
{
    XmlNode* parent = node->parent;
    XmlNode* before = NULL;
    for (XmlNode* n = parent->first; n != node; n = n->next) {
        before = n;
    }
    for (XmlNode* n = root->first; n != NULL; n = n->next) {
        n->parent = parent;
    }
    XmlNode* first = root->first != NULL ? root->first : node->next;
    if (root->last != NULL) {
        root->last->next = node->next;
    }
    if (before != NULL) {
        before->next = first;
    } else {
        parent->first = first;
    }
    if (parent->last == node) {
        parent->last = root->last != NULL ? root->last : before;
    }
}

static utStatus include_one(Mjcf* m, XmlNode* node, XmlNode** root)
{
    XmlAttribute* name = ut_xml_attribute(node, "file");
    if (name == NULL || name->value[0] == 0 || node->attributes > 1 || node->first != NULL) {
        return ut_mjcf_fail(m, node, "include takes the attribute 'file' and nothing else");
    }
    char* path = NULL;
    utText text = {NULL, 0};
    UT_TRY(ut_mjcf_open(m, (MjcfFound){node, name}, &path, &text));
    if (path == NULL) {
        return UT_ERR_FORMAT; // ut_mjcf_open has reported it
    }
    UT_TRY(ut_mjcf_add_file(m, node->file->model, path, text, root));
    if (*root == NULL || (*root)->first == NULL) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, name}, 0,
                               "'%.100s' has nothing to include: its outermost element is empty",
                               path);
    }
    shift_depth(*root, node->depth - 2);
    return UT_OK;
}

utStatus ut_mjcf_include(Mjcf* m, XmlNode* top)
{
    for (XmlNode* n = top; n != NULL;) {
        if (strcmp(n->name, "include") != 0 || n->parent == NULL) {
            n = ut_xml_next(n, top);
            continue;
        }
        XmlNode* root = NULL;
        UT_TRY(include_one(m, n, &root));
        if (root == NULL) {
            return UT_ERR_FORMAT; // include_one has reported it
        }
        splice(n, root);
        n = root->first; // may be another include
    }
    for (XmlNode* n = top; n != NULL; n = ut_xml_next(n, top)) {
        n->order = m->ordered++;
        if (n->depth > m->def->limits.depth) {
            return ut_mjcf_fail(m, n,
                                "elements nested more than %d deep; utLimits.depth sets the limit",
                                m->def->limits.depth);
        }
    }
    return UT_OK;
}
