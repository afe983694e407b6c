// SPDX-License-Identifier: Apache-2.0
// Files of assets: where they are, their bytes, and the names of assets that have none.
#include "io/internal.h"

#include <string.h>

enum { FIRST_ASSET_BYTES = 1 << 20 }; // memory of the first attempt to read a file

utStatus ut_mjcf_read_asset(Mjcf* m, const char* path, utText* text)
{
    const char* stream = ut_mjcf_stream_kind(m, path);
    if (stream != NULL) {
        return ut_error_at(m->err, UT_ERR_IO, path, 0, 0, "is %s; copy its bytes to a file",
                           stream);
    }
    const size_t limit = m->def->limits.asset_bytes;
    for (size_t room = FIRST_ASSET_BYTES;; room *= 4) {
        const size_t left = limit - m->asset_bytes;
        const size_t size = (room < left ? room : left) + 2 * UT_ARENA_ALIGNMENT;
        utArena scratch = m->asset_memory;
        void* memory = ut_arena_push(&scratch, size, 1);
        if (memory == NULL) {
            return ut_mjcf_no_memory(m);
        }
        utArena keep = ut_arena_on(memory, size);
        const utStatus status = m->def->read(m->def->read_context, path, &keep, text, m->err);
        if (status != UT_ERR_CAPACITY && (status != UT_OK || text->size <= left)) {
            m->asset_bytes += status == UT_OK ? text->size : 0;
            return status;
        }
        if (status == UT_OK || room >= left) {
            return ut_error_at(m->err, UT_ERR_FORMAT, path, 0, 0,
                               "more than %zu bytes of files; utLimits.asset_bytes sets the limit",
                               limit);
        }
    }
}

// A name behind the last slash; files written on Windows have backslashes.
static const char* without_folder(const char* path)
{
    const char* name = path;
    for (const char* c = path; *c != 0; c++) {
        name = *c == '/' || *c == '\\' ? c + 1 : name;
    }
    return name;
}

// A path with slashes only, and `end` behind it. @return NULL when memory is short
static char* with_slashes(utArena* keep, const char* path, const char* end)
{
    const size_t size = strlen(path);
    char* copy = UT_PUSH(keep, char, size + strlen(end) + 1);
    if (copy == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < size; i++) {
        copy[i] = path[i] != '\\' ? path[i] : '/';
    }
    strcpy(copy + size, end);
    return copy;
}

// The path of a file: beside the model's main file, in the folder of `compiler`.
static char* find_path(Mjcf* m, MjcfFound file)
{
    const MjcfModel* model = file.node->file->model;
    const MjcfCompiler* c = &model->compiler;
    const char* given = file.attribute->value;
    const char* folder = c->meshdir != NULL ? c->meshdir : c->assetdir != NULL ? c->assetdir : "";
    const char* name = with_slashes(&m->memory, c->strippath ? without_folder(given) : given, "");
    const char* beside = with_slashes(&m->memory, folder, folder[0] != 0 ? "/" : "");
    if (name == NULL || beside == NULL) {
        return NULL;
    }
    beside = ut_mjcf_join(&m->memory, model->root->file->name, beside);
    return beside != NULL ? ut_mjcf_join(&m->memory, beside, name) : NULL;
}

utStatus ut_mjcf_asset_file(Mjcf* m, MjcfFound file, const char** path, utText* text)
{
    if (m->def->read == NULL) {
        return ut_mjcf_fail_at(m, file, 0, "files cannot be read here; write vertices instead");
    }
    *path = find_path(m, file);
    if (*path == NULL) {
        return ut_mjcf_no_memory(m);
    }
    m->err->message[0] = 0; // of files that were looked for and not found before
    const utStatus status = ut_mjcf_read_asset(m, *path, text);
    const char* reason = m->err->message[0] != 0 ? m->err->message : "cannot be read";
    return status == UT_ERR_IO ? ut_mjcf_fail_at(m, file, 0, "'%.120s' %s", *path, reason) : status;
}

utLimits ut_mjcf_limits_left(const Mjcf* m)
{
    utLimits left = m->def->limits;
    left.vertices -= m->vertices;
    left.triangles -= m->triangles;
    left.pixels -= m->pixels;
    return left;
}

// The name of an asset without one: that of its file, without folder and ending.
utStatus ut_mjcf_asset_name(const MjcfPlace* p, Names* names, int index, const char** name)
{
    const XmlAttribute* file = ut_xml_attribute(p->node, "file");
    if (*name != NULL) {
        return UT_OK;
    }
    if (file == NULL) {
        return ut_mjcf_fail(p->m, p->node, "a %s without file needs a name", p->node->name);
    }
    const char* begin = without_folder(file->value);
    const char* dot = strrchr(begin, '.');
    *name =
        ut_io_keep_text(&p->m->memory, begin, dot != NULL ? (size_t)(dot - begin) : strlen(begin));
    if (*name == NULL) {
        return ut_mjcf_no_memory(p->m);
    }
    if (ut_names_find(names, *name) >= 0) {
        return ut_mjcf_fail_at(p->m, (MjcfFound){p->node, (XmlAttribute*)file}, 0,
                               "a second %s with the name '%.80s'; names must differ",
                               p->node->name, *name);
    }
    return ut_names_add(names, *name, index) ? UT_OK : ut_mjcf_no_memory(p->m);
}
