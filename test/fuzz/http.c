// SPDX-License-Identifier: Apache-2.0
// Requests to the server of uptack view: whatever the bytes, they are read or refused, and a path that is
// read cannot leave its folder.
#include "fuzz.h"

#include "view/http.h"

const int fuzz_runs = 1000000;

const char* const fuzz_words[] = {
    "GET",    "HEAD", "POST", "/",        "..",       ".",         "%2e",
    "%2f",    "%00",  "%",    "%25",      "?since=3", "?",         "HTTP/1.1",
    "HTTP/9", "\r\n", "\r",   "\n",       "\r\n\r\n", "\t",        "Host: 127.0.0.1:1\r\n",
    "Host:",  ":",    "gzip", ";q=0",     ",",        "Expect: x", "Content-Length: 0\r\n",
    "\\",     "//",   "#",    "\xc0\xae", "/./",      "/../",      "Transfer-Encoding: chunked\r\n",
    NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const texts[] = {
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n",
        "HEAD /0123456789abcdef/files/a%20b/c.xml?since=12 HTTP/1.1\r\nHost: localhost:1\r\n"
        "Accept-Encoding: br, gzip;q=0.5, identity\r\nUser-Agent: a (b; c)\r\n\r\n",
        "GET /a/b/ HTTP/1.0\r\nhost:x\r\ncontent-length: 0\r\n\r\nrest",
        "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    };
    if (k >= (int)(sizeof texts / sizeof *texts)) {
        return 0;
    }
    memcpy(data, texts[k], strlen(texts[k]));
    return strlen(texts[k]);
}

static void check_path(const char* path)
{
    MUST(path[0] == '/' && strlen(path) < HTTP_PATH_ROOM);
    for (const char* c = path; *c != '\0'; c++) {
        const bool begins = c == path || c[-1] == '/';
        MUST((unsigned char)*c >= ' ' && *c != 0x7f && *c != '\\');
        if (begins && c != path) {
            const size_t size = strcspn(c, "/");
            MUST(size > 0 && !(size == 1 && c[0] == '.') &&
                 !(size == 2 && c[0] == '.' && c[1] == '.'));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* const bytes = (const char*)data;
    size_t head = 0, less = 0;
    const int found = http_find_head(bytes, size, &head);
    MUST(found == 0 || found == 200 || found == 400 || found == 431);
    MUST(found != 0 || size < HTTP_MAX_HEAD);
    if (found != 200) {
        return 0;
    }
    // a shorter piece is not complete, and no later byte changes the answer
    MUST(head <= size && http_find_head(bytes, head - 1, &less) == 0);
    HttpRequest request;
    uint64_t since;
    char* copy = malloc(head);
    MUST(copy != NULL);
    memcpy(copy, bytes, head);
    const int status = http_read(copy, head, &request);
    free(copy);
    MUST(strcmp(http_reason(status), "Error") != 0);
    if (status == 200) {
        check_path(request.path);
        MUST(request.host[0] != '\0');
        (void)http_query_number(&request, "since", &since);
        (void)http_media_type(request.path);
    }
    return 0;
}
