// SPDX-License-Identifier: Apache-2.0
// One HTTP request, by RFC 9112, in its strict reading: lines end with CR LF, there is one Host, and a
// request has no body.
#include "view/http.h"

#include <string.h>

// A part of the head that has not been read yet.
typedef struct Cursor {
    const char *at, *end;
} Cursor;

static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

// Visible ASCII, space or tab: the bytes of a header's value.
static bool is_text(char c)
{
    return (c >= ' ' && c <= '~') || c == '\t';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

// Is a text this word, in letters of any case?
static bool is_word(const char* text, size_t size, const char* word)
{
    size_t k = 0;
    while (k < size && word[k] != '\0' && lower(text[k]) == word[k]) {
        k++;
    }
    return k == size && word[k] == '\0';
}

int http_find_head(const char* data, size_t size, size_t* head)
{
    for (size_t k = 0; k < size; k++) {
        const char c = data[k];
        if (c == '\n') {
            if (k == 0 || data[k - 1] != '\r') {
                return 400;
            }
            if (k >= 3 && data[k - 2] == '\n') {
                *head = k + 1;
                return k + 1 <= HTTP_MAX_HEAD ? 200 : 431;
            }
        } else if (c != '\r' && !is_text(c)) {
            return 400;
        } else if (k > 0 && data[k - 1] == '\r') {
            return 400; // a CR without its LF
        }
    }
    return size >= HTTP_MAX_HEAD ? 431 : 0;
}

// ---- the address --------------------------------------------------------------------------------

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// One byte of a path. A separator must not be encoded, because it would split a name that another
// reader takes as one. @return -1 when it is not valid
static int decode_byte(Cursor* c)
{
    if (*c->at != '%') {
        return (unsigned char)*c->at++;
    }
    if (c->end - c->at < 3) {
        return -1;
    }
    const int high = hex_digit(c->at[1]);
    const int low = hex_digit(c->at[2]);
    const int byte = high >= 0 && low >= 0 ? 16 * high + low : -1;
    c->at += 3;
    return byte == '/' ? -1 : byte;
}

// Is the last part of a path, which begins at `part`, acceptable? An empty one is at the end only.
static bool is_good_part(const char* part, size_t size, bool last)
{
    return (size > 0 || last) && !(size == 1 && part[0] == '.') &&
           !(size == 2 && part[0] == '.' && part[1] == '.');
}

static int read_path(Cursor path, char* into)
{
    size_t size = 0, part = 1;
    while (path.at < path.end) {
        if (size == HTTP_PATH_ROOM - 1) {
            return 414;
        }
        const bool separator = *path.at == '/';
        const int byte = decode_byte(&path);
        if (byte < ' ' || byte == 0x7f || byte == '\\') {
            return 400;
        }
        if (separator && size > 0) {
            if (!is_good_part(into + part, size - part, false)) {
                return 400;
            }
            part = size + 1;
        }
        into[size++] = (char)byte;
    }
    into[size] = '\0';
    return is_good_part(into + part, size - part, true) ? 200 : 400;
}

static int read_target(Cursor target, HttpRequest* request)
{
    if (target.at == target.end || *target.at != '/') {
        return 400; // that of a proxy, or of OPTIONS
    }
    const size_t size = (size_t)(target.end - target.at);
    const char* const mark = memchr(target.at, '?', size);
    const char* const path_end = mark != NULL ? mark : target.end;
    if (memchr(target.at, '#', size) != NULL) {
        return 400;
    }
    if (mark != NULL) {
        const size_t query = (size_t)(target.end - mark) - 1;
        if (query >= HTTP_QUERY_ROOM) {
            return 414;
        }
        memcpy(request->query, mark + 1, query);
    }
    return read_path((Cursor){target.at, path_end}, request->path);
}

// ---- lines --------------------------------------------------------------------------------------

// The next line, without its end.
static Cursor take_line(Cursor* c)
{
    const char* const begin = c->at;
    const char* const end = memchr(begin, '\r', (size_t)(c->end - begin));
    c->at = end != NULL ? end + 2 : c->end;
    return (Cursor){begin, end != NULL ? end : c->end};
}

// "GET /path?query HTTP/1.1" @param old receives whether the version is 1.0
static int read_request_line(Cursor line, HttpRequest* request, bool* old)
{
    const char* const first = memchr(line.at, ' ', (size_t)(line.end - line.at));
    const char* const second =
        first != NULL ? memchr(first + 1, ' ', (size_t)(line.end - first) - 1) : NULL;
    if (second == NULL || first == line.at) {
        return 400;
    }
    for (const char* c = line.at; c < first; c++) {
        if (!is_token(*c)) {
            return 400;
        }
    }
    for (const char* c = first + 1; c < second; c++) {
        if (*c <= ' ') {
            return 400;
        }
    }
    const size_t version = (size_t)(line.end - second) - 1;
    *old = version == 8 && memcmp(second + 1, "HTTP/1.0", 8) == 0;
    if (!*old && (version != 8 || memcmp(second + 1, "HTTP/1.1", 8) != 0)) {
        return version > 5 && memcmp(second + 1, "HTTP/", 5) == 0 ? 505 : 400;
    }
    const size_t method = (size_t)(first - line.at);
    request->head = method == 4 && memcmp(line.at, "HEAD", 4) == 0;
    if (!request->head && (method != 3 || memcmp(line.at, "GET", 3) != 0)) {
        return 405;
    }
    return read_target((Cursor){first + 1, second}, request);
}

// Does a list "br, gzip;q=1" have gzip, and not as "gzip;q=0"?
static bool has_gzip(Cursor list)
{
    while (list.at < list.end) {
        const char* end = memchr(list.at, ',', (size_t)(list.end - list.at));
        end = end != NULL ? end : list.end;
        const char* name = list.at;
        while (name < end && (*name == ' ' || *name == '\t')) {
            name++;
        }
        const char* name_end = name;
        while (name_end < end && is_token(*name_end)) {
            name_end++;
        }
        if (is_word(name, (size_t)(name_end - name), "gzip")) {
            const char* q = memchr(name_end, '=', (size_t)(end - name_end));
            return q == NULL || q + 1 == end || q[1] != '0' || (q + 2 < end && q[2] == '.');
        }
        list.at = end < list.end ? end + 1 : end;
    }
    return false;
}

// @param hosts number of headers Host so far
static int read_header(Cursor line, HttpRequest* request, int* hosts)
{
    const char* colon = line.at;
    while (colon < line.end && is_token(*colon)) {
        colon++;
    }
    if (colon == line.at || colon == line.end || *colon != ':') {
        return 400; // also a line that continues another one
    }
    const size_t name = (size_t)(colon - line.at);
    Cursor value = {colon + 1, line.end};
    while (value.at < value.end && (*value.at == ' ' || *value.at == '\t')) {
        value.at++;
    }
    while (value.end > value.at && (value.end[-1] == ' ' || value.end[-1] == '\t')) {
        value.end--;
    }
    const size_t size = (size_t)(value.end - value.at);
    if (is_word(line.at, name, "host")) {
        if ((*hosts)++ > 0 || size == 0 || size >= HTTP_HOST_ROOM) {
            return 400;
        }
        memcpy(request->host, value.at, size);
    } else if (is_word(line.at, name, "content-length")) {
        return size == 1 && *value.at == '0' ? 200 : 413;
    } else if (is_word(line.at, name, "transfer-encoding")) {
        return 413;
    } else if (is_word(line.at, name, "expect")) {
        return 417;
    } else if (is_word(line.at, name, "accept-encoding")) {
        request->gzip = has_gzip(value);
    }
    return 200;
}

int http_read(const char* head, size_t size, HttpRequest* request)
{
    *request = (HttpRequest){0};
    Cursor c = {head, head + size};
    bool old = false;
    int hosts = 0;
    int status = read_request_line(take_line(&c), request, &old);
    for (int headers = 0; status == 200 && c.at < c.end; headers++) {
        const Cursor line = take_line(&c);
        if (line.at == line.end) {
            break;
        }
        status = headers < HTTP_MAX_HEADERS ? read_header(line, request, &hosts) : 431;
    }
    return status == 200 && hosts == 0 ? 400 : status;
}

bool http_query_number(const HttpRequest* request, const char* name, uint64_t* value)
{
    const size_t size = strlen(name);
    const char* at = request->query;
    if (strncmp(at, name, size) != 0 || at[size] != '=') {
        return false;
    }
    at += size + 1;
    uint64_t number = 0;
    int digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 18; at++, digits++) {
        number = 10 * number + (uint64_t)(*at - '0');
    }
    *value = number;
    return digits > 0 && *at == '\0';
}

// ---- answers ------------------------------------------------------------------------------------

const char* http_reason(int status)
{
    static const struct {
        int status;
        const char* reason;
    } reasons[] = {
        {200, "OK"},
        {204, "No Content"},
        {301, "Moved Permanently"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {417, "Expectation Failed"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
        if (reasons[k].status == status) {
            return reasons[k].reason;
        }
    }
    return "Error";
}

const char* http_media_type(const char* name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
        {".md", "text/plain; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},
        {".xml", "text/xml; charset=utf-8"},
        {".urdf", "text/xml; charset=utf-8"},
        {".mp4", "video/mp4"},
    };
    const char* const ending = strrchr(name, '.');
    for (size_t k = 0; ending != NULL && k < sizeof types / sizeof *types; k++) {
        if (strcmp(ending, types[k].ending) == 0) {
            return types[k].type;
        }
    }
    return "application/octet-stream";
}
