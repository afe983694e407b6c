// SPDX-License-Identifier: Apache-2.0
// What a path names.
#ifndef UPTACK_BASE_FILE_KIND_H
#define UPTACK_BASE_FILE_KIND_H

/// What a path names when it is no ordinary file and no folder: its end may never come, or not before
/// another program writes. @return "a device", "a pipe" or "a socket"; else, and if unknown, NULL
const char* ut_file_stream_kind(const char* path);

#endif
