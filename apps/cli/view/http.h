// SPDX-License-Identifier: Apache-2.0
// One HTTP request, from bytes that anybody may have sent. Nothing here knows sockets or files.
#ifndef UPTACK_CLI_VIEW_HTTP_H
#define UPTACK_CLI_VIEW_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HTTP_MAX_HEAD = 8192, ///< bytes of the request line and the headers
    HTTP_MAX_HEADERS = 64,
    HTTP_PATH_ROOM = 1024,
    HTTP_QUERY_ROOM = 128,
    HTTP_HOST_ROOM = 128,
};

/// A request that can be answered.
typedef struct HttpRequest {
    bool head; ///< HEAD: the answer has no body
    bool gzip; ///< the client takes compressed answers
    char path
        [HTTP_PATH_ROOM]; ///< decoded; begins with '/'; no empty, "." or ".." part, no '\', no control byte
    char query[HTTP_QUERY_ROOM]; ///< behind '?', as sent
    char host[HTTP_HOST_ROOM];   ///< the header Host
} HttpRequest;

/// Look for the end of the head.
/// @param size bytes received so far
/// @param head receives the size of the head
/// @return 200 when it is complete, 0 when more bytes are needed, else the status of the refusal
int http_find_head(const char* data, size_t size, size_t* head);

/// Read a complete head. @return 200, or the status of the refusal
int http_read(const char* head, size_t size, HttpRequest* request);

/// Read a whole number of the query: `since` of "since=3". @return false when it is not there
bool http_query_number(const HttpRequest* request, const char* name, uint64_t* value);

/// "Not Found" of 404.
const char* http_reason(int status);

/// The media type of a file, by the ending of its name.
const char* http_media_type(const char* name);

#endif
