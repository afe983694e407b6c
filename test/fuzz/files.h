// SPDX-License-Identifier: Apache-2.0
// The files that fuzzed models may refer to; all others do not exist. One of them is the input itself, so
// that files which refer to each other are found too.
#ifndef UPTACK_TEST_FUZZ_FILES_H
#define UPTACK_TEST_FUZZ_FILES_H

#include "fuzz.h"

/// A utReadFile. @param context the input, a utText
static inline utStatus fuzz_read(void* context, const char* path, utArena* keep, utText* text,
                                 utError* err)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        {"part.xml", "<mujoco><default><geom size='0.1'/></default><worldbody><body name='b'>"
                     "<joint name='j'/><geom/><site name='s'/></body></worldbody><actuator>"
                     "<motor joint='j'/></actuator><sensor><gyro site='s'/></sensor><keyframe>"
                     "<key qpos='0.1'/></keyframe></mujoco>"},
        {"list.xml", "<x><geom size='0.1'/></x>"},
        {"m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"},
        {"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"},
        {"cut.stl", "solid a facet normal 0 0 1 outer"},
    };
    utText found = {NULL, 0};
    if (strcmp(path, "loop.xml") == 0) {
        found = *(const utText*)context;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(path, files[i].name) == 0) {
            found = (utText){files[i].text, strlen(files[i].text)};
        }
    }
    if (found.data == NULL) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "there is no such file");
    }
    char* copy = UT_PUSH(keep, char, found.size + 1);
    if (copy == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(copy, found.data, found.size);
    copy[found.size] = 0;
    *text = (utText){copy, found.size};
    return UT_OK;
}

/// Is an error of reading a model well formed? An error in the input has a place.
static inline bool fuzz_error_good(utStatus status, const utError* err, const char* input)
{
    const bool placed = err->line >= 1 && err->column >= 1;
    return status == UT_ERR_FORMAT && err->message[0] != '\0' &&
           (placed || strcmp(err->file, input) != 0);
}

#endif
