// SPDX-License-Identifier: Apache-2.0
// Files that a robot refers to. `package://NAME/FILE` and `model://NAME/FILE` are looked for as ROS does:
// in the folders of packages that the caller gives, then in the folders above the robot's file, which
// may be the package itself, contain a folder of its name, or contain its package.xml.
#include "urdf.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 12 }; // folders above the current one that are searched for a relative path

// One search.
typedef struct Search {
    Urdf* u;
    MjcfFound found;
    const char* name; // of the package
    const char* rest; // of the path, behind the package
    char* path;       // of the file, once it is found
    utText* text;
    char tried[110]; // the first paths, so that the whole message fits
    int tries;
    bool done;
} Search;

// ---- trying -------------------------------------------------------------------------------------

static void note_try(Search* s, const char* path)
{
    const size_t used = strlen(s->tried);
    if (used + strlen(path) + 5 < sizeof s->tried) {
        snprintf(s->tried + used, sizeof s->tried - used, "%s'%s'", s->tries > 0 ? ", " : "", path);
    } else if (s->tries == 0) {
        snprintf(s->tried, sizeof s->tried, "'%.100s...'", path);
    }
    s->tries++;
}

// Try to read FOLDER + MIDDLE + FILE. @param folder empty, or with a final '/'
static utStatus try_path(Search* s, const char* folder, const char* middle)
{
    Mjcf* m = s->u->m;
    const size_t size = strlen(folder) + strlen(middle) + strlen(s->rest) + 2;
    char* path = UT_PUSH(&m->memory, char, size);
    if (path == NULL) {
        return ut_mjcf_no_memory(m);
    }
    snprintf(path, size, "%s%s%s%s", folder, middle, middle[0] != 0 ? "/" : "", s->rest);
    char* clean = ut_mjcf_join(&m->memory, "", path);
    if (clean == NULL) {
        return ut_mjcf_no_memory(m);
    }
    const char* stream = ut_mjcf_stream_kind(m, clean);
    if (stream != NULL) {
        return ut_mjcf_fail_at(m, s->found, 0, "'%.80s' is %s; copy its bytes to a file", clean,
                               stream);
    }
    const utStatus status = ut_mjcf_read_asset(m, clean, s->text);
    if (status == UT_ERR_IO) {
        note_try(s, clean);
        return UT_OK;
    }
    s->done = status == UT_OK;
    s->path = clean;
    return status;
}

// ---- folders ------------------------------------------------------------------------------------

// Is the last component of a folder this name?
static bool is_named(const char* folder, const char* name)
{
    size_t end = strlen(folder);
    while (end > 0 && folder[end - 1] == '/') {
        end--;
    }
    const size_t size = strlen(name);
    return end >= size && memcmp(folder + end - size, name, size) == 0 &&
           (end == size || folder[end - size - 1] == '/');
}

// Does a folder have a package.xml of this package?
static bool is_package(Search* s, const char* folder)
{
    Mjcf* m = s->u->m;
    utText text;
    utError unused;
    char* path = ut_mjcf_join(&m->memory, folder, "package.xml");
    if (path == NULL || ut_mjcf_read_asset(m, path, &text) != UT_OK) {
        return false;
    }
    const XmlFile file = {.name = path, .text = text};
    XmlNode* root = NULL;
    if (ut_xml_parse(&file, &m->def->limits, &m->elements, &m->memory, &root, &unused) != UT_OK) {
        return false;
    }
    const XmlNode* name = ut_urdf_child(root, "name");
    const char* at = name != NULL ? name->text : NULL;
    const char* end = text.data + text.size;
    const size_t size = strlen(s->name);
    while (at != NULL && at < end && ut_is_blank(*at)) {
        at++;
    }
    return at != NULL && (size_t)(end - at) > size && memcmp(at, s->name, size) == 0 &&
           (at[size] == '<' || ut_is_blank(at[size]));
}

// Replace a folder by the one above it: "a/b/" by "a/", "" by "../". @return false above the root
static bool go_up(char* folder, int* levels)
{
    const size_t size = strlen(folder);
    if (strcmp(folder, "/") == 0) {
        return false;
    }
    if (size == 0 || is_named(folder, "..")) {
        strcpy(folder + size, "../");
        return ++*levels <= MAX_LEVELS;
    }
    size_t end = size - 1;
    while (end > 0 && folder[end - 1] != '/') {
        end--;
    }
    folder[end] = 0;
    return true;
}

static utStatus search_folder(Search* s, const char* folder, bool above)
{
    if (is_named(folder, s->name) || (above && is_package(s, folder))) {
        UT_TRY(try_path(s, folder, ""));
    }
    return s->done ? UT_OK : try_path(s, folder, s->name);
}

static utStatus search_given(Search* s)
{
    const utUrdfDef* def = s->u->def;
    for (int i = 0; i < def->packages && !s->done; i++) {
        const char* given = def->package[i] != NULL ? def->package[i] : "";
        const size_t size = strlen(given);
        char* folder = UT_PUSH(&s->u->m->memory, char, size + 2);
        if (folder == NULL) {
            return ut_mjcf_no_memory(s->u->m);
        }
        snprintf(folder, size + 2, "%s%s", given, size > 0 && given[size - 1] != '/' ? "/" : "");
        UT_TRY(size > 0 ? search_folder(s, folder, false) : UT_OK);
    }
    return UT_OK;
}

static utStatus search_above(Search* s)
{
    Mjcf* m = s->u->m;
    const char* file = s->u->robot->file->name;
    const size_t room = strlen(file) + 3 * (MAX_LEVELS + 2);
    char* folder = UT_PUSH(&m->memory, char, room);
    if (folder == NULL) {
        return ut_mjcf_no_memory(m);
    }
    snprintf(folder, room, "%s", file);
    char* slash = strrchr(folder, '/');
    *(slash != NULL ? slash + 1 : folder) = 0;
    int levels = 0;
    do {
        UT_TRY(search_folder(s, folder, true));
    } while (!s->done && go_up(folder, &levels));
    return UT_OK;
}

// ---- packages -----------------------------------------------------------------------------------

static utStatus keep_package(Search* s)
{
    Mjcf* m = s->u->m;
    if (s->path == NULL) {
        return UT_OK;
    }
    UrdfPackage* package = UT_PUSH(&m->memory, UrdfPackage, 1);
    char* folder = ut_io_keep_text(&m->memory, s->path, strlen(s->path) - strlen(s->rest));
    if (package == NULL || folder == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *package = (UrdfPackage){s->name, folder, s->u->packages};
    s->u->packages = package;
    return UT_OK;
}

static utStatus open_in_package(Search* s)
{
    for (const UrdfPackage* p = s->u->packages; p != NULL && !s->done; p = p->before) {
        if (strcmp(p->name, s->name) == 0) {
            UT_TRY(try_path(s, p->folder, ""));
        }
    }
    if (s->done) {
        return UT_OK;
    }
    UT_TRY(search_given(s));
    UT_TRY(s->done ? UT_OK : search_above(s));
    // remember the folder, unless ".." in the path made it another one
    const size_t size = s->done ? strlen(s->path) : 0, rest = strlen(s->rest);
    return size >= rest && s->done && strcmp(s->path + size - rest, s->rest) == 0 ? keep_package(s)
                                                                                  : UT_OK;
}

// Split "NAME/FILE" behind the scheme.
static utStatus split(Search* s, const char* at)
{
    const char* slash = strchr(at, '/');
    if (slash == NULL || slash == at || slash[1] == 0) {
        return ut_mjcf_fail_at(s->u->m, s->found, 0, "'%.100s' is not package://NAME/FILE",
                               s->found.attribute->value);
    }
    s->name = ut_io_keep_text(&s->u->m->memory, at, (size_t)(slash - at));
    s->rest = slash + 1;
    return s->name != NULL ? UT_OK : ut_mjcf_no_memory(s->u->m);
}

static bool has_scheme(const char* value, const char* scheme, const char** rest)
{
    const size_t size = strlen(scheme);
    *rest = value + size;
    return strncmp(value, scheme, size) == 0;
}

// The path that the extension of MuJoCo asks for: in the folder `meshdir` or `assetdir`, without the
// folders of the reference when `strippath` says so or the reference has a scheme.
// @return NULL when the file has no such extension, or memory is short
static char* extension_path(Urdf* u, const char* value)
{
    const MjcfCompiler* c = &u->m->compiler;
    const char* folder = c->meshdir != NULL ? c->meshdir : c->assetdir;
    if (folder == NULL && !c->strippath) {
        return NULL;
    }
    folder = folder != NULL ? folder : "";
    const char* slash = strrchr(value, '/');
    const bool strip = slash != NULL && (c->strippath || strstr(value, "://") != NULL);
    const char* name = strip ? slash + 1 : value;
    const size_t size = strlen(folder) + strlen(name) + 2;
    char* path = UT_PUSH(&u->m->memory, char, size);
    if (path == NULL) {
        return NULL;
    }
    snprintf(path, size, "%s%s%s", folder, folder[0] != 0 ? "/" : "", name);
    return ut_mjcf_join(&u->m->memory, u->robot->file->name, path);
}

utStatus ut_urdf_open(Urdf* u, MjcfFound found, char** path, utText* text)
{
    Mjcf* m = u->m;
    const char* value = found.attribute->value;
    Search s = {.u = u, .found = found, .name = "", .rest = "", .text = text};
    const char* rest;
    if (m->def->read == NULL) {
        return ut_mjcf_fail_at(m, found, 0,
                               "files cannot be read here, so meshes are not available");
    }
    char* given = extension_path(u, value);
    if (given != NULL) {
        s.rest = given;
        UT_TRY(try_path(&s, "", ""));
    } else if (has_scheme(value, "package://", &rest) || has_scheme(value, "model://", &rest)) {
        UT_TRY(split(&s, rest));
        UT_TRY(open_in_package(&s));
    } else if (has_scheme(value, "http://", &rest) || has_scheme(value, "https://", &rest)) {
        return ut_mjcf_fail_at(m, found, 0, "'%.100s' is not on this machine; download the file",
                               value);
    } else {
        s.rest = has_scheme(value, "file://", &rest) ? rest : value;
        char* beside = ut_mjcf_join(&m->memory, u->robot->file->name, s.rest);
        if (beside == NULL) {
            return ut_mjcf_no_memory(m);
        }
        s.rest = beside;
        UT_TRY(try_path(&s, "", ""));
    }
    if (!s.done || s.path == NULL) {
        return ut_mjcf_fail_at(m, found, 0, "'%.60s' cannot be read; tried %s%s%s", value, s.tried,
                               s.tries > 2 ? " ..." : "",
                               s.name[0] != 0 ? "; --package-path (utUrdfDef.package) adds folders"
                                              : "");
    }
    *path = s.path;
    return UT_OK;
}
