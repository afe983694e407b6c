// SPDX-License-Identifier: Apache-2.0
// Needs POSIX for pipes and temporary files.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A file with this content; the name is good until the next call.
static const char* file_with(const char* content, size_t size)
{
    static char path[64];
    strcpy(path, "/tmp/uptack_test_XXXXXX");
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, content, size) == (ssize_t)size);
    close(fd);
    return path;
}

TEST(a_file_is_read_whole_with_a_0_behind_it)
{
    const char content[] = "one\ntwo\r\n\0three";
    const char* path = file_with(content, sizeof content - 1);
    utArena keep = test_arena();
    utText text;
    utError err;
    CHECK(ut_text_read(path, 0, &keep, &text, &err) == UT_OK);
    CHECK_INT(text.size, 15);
    CHECK(memcmp(text.data, content, 16) == 0);

    // it stays where it is, and the next push comes behind it
    const char* next = ut_arena_push(&keep, 1, 1);
    CHECK(next >= text.data + 16);
    remove(path);
}

TEST(an_empty_file_is_an_empty_text)
{
    const char* path = file_with("", 0);
    utArena keep = test_arena();
    utText text;
    CHECK(ut_text_read(path, 0, &keep, &text, NULL) == UT_OK);
    CHECK_INT(text.size, 0);
    CHECK(text.data != NULL && text.data[0] == 0);
    remove(path);
}

TEST(a_missing_file_is_named_with_the_reason)
{
    utArena keep = test_arena();
    const utArena before = keep;
    utText text = {"old", 3};
    utError err;
    CHECK(ut_text_read("/nowhere/at/all.xml", 0, &keep, &text, &err) == UT_ERR_IO);
    CHECK(err.status == UT_ERR_IO);
    char line[600];
    ut_error_format(&err, line, sizeof line);
    CHECK_TEXT(line, "/nowhere/at/all.xml: error: cannot be opened: No such file or directory; "
                     "check the path and who may read it");
    CHECK(text.size == 3 && keep.next == before.next);
}

TEST(a_directory_is_no_file)
{
    utArena keep = test_arena();
    utText text;
    utError err;
    CHECK(ut_text_read("/tmp", 0, &keep, &text, &err) == UT_ERR_IO);
    CHECK_TEXT(err.file, "/tmp");
    CHECK_TEXT(err.message, "cannot be read: Is a directory; name a file in it");
}

TEST(a_file_over_the_limit_is_refused_and_one_at_the_limit_is_not)
{
    const char* path = file_with("0123456789", 10);
    utArena keep = test_arena();
    const utArena before = keep;
    utText text;
    utError err;
    CHECK(ut_text_read(path, 9, &keep, &text, &err) == UT_ERR_IO);
    CHECK_TEXT(err.file, path);
    CHECK_TEXT(err.message,
               "longer than the 9 bytes accepted here; check that it is the right file");
    CHECK(keep.next == before.next);
    CHECK(ut_text_read(path, 10, &keep, &text, &err) == UT_OK);
    CHECK_INT(text.size, 10);
    CHECK(ut_text_read(path, SIZE_MAX, &keep, &text, &err) == UT_OK);
    CHECK_INT(text.size, 10);
    remove(path);
}

TEST(an_arena_without_room_for_the_file_and_its_0_is_a_status)
{
    const char* path = file_with("0123456789", 10);
    _Alignas(64) unsigned char memory[64];
    utText text;
    utError err;
    for (size_t size = 0; size <= 10; size++) {
        utArena keep = ut_arena_on(memory, size);
        CHECK(ut_text_read(path, 0, &keep, &text, &err) == UT_ERR_CAPACITY);
        CHECK(keep.next == memory);
        CHECK_TEXT(err.file, path);
    }
    CHECK_TEXT(err.message, "longer than the 9 bytes of memory kept for it; give a larger arena");
    utArena keep = ut_arena_on(memory, 11);
    CHECK(ut_text_read(path, 0, &keep, &text, &err) == UT_OK);
    CHECK_TEXT(text.data, "0123456789");
    CHECK(keep.next == keep.end);
    remove(path);
}

enum { PIPE_SIZE = 300000 }; // more than a pipe holds at once

static char piped_byte(int i)
{
    return (char)('a' + i % 23);
}

// Read the bytes that a child process writes in small pieces, into an arena that has to grow.
static void check_pipe(const char* path, int read_end, pid_t child)
{
    utArena keep;
    utText text = {NULL, 0};
    utError err;
    CHECK(ut_arena_create(100, NULL, &keep) == UT_OK);
    CHECK(ut_text_read(path, PIPE_SIZE, &keep, &text, &err) == UT_OK);
    CHECK_INT(text.size, PIPE_SIZE);
    CHECK(text.data[text.size] == 0 && (const char*)keep.next == text.data + text.size + 1);
    bool same = true;
    for (size_t i = 0; i < text.size; i++) {
        same = same && text.data[i] == piped_byte((int)i);
    }
    CHECK(same);
    ut_arena_destroy(&keep);
    close(read_end);
    CHECK(waitpid(child, NULL, 0) == child);
}

static int start_pipe(pid_t* child)
{
    int ends[2] = {-1, -1};
    CHECK(pipe(ends) == 0);
    fflush(stdout);
    *child = fork();
    if (*child == 0) {
        char piece[1001];
        for (int i = 0; i < PIPE_SIZE;) {
            int size = 0;
            while (size < 1001 && i < PIPE_SIZE) {
                piece[size++] = piped_byte(i++);
            }
            if (write(ends[1], piece, (size_t)size) != size) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

TEST(a_pipe_is_read_to_its_end)
{
    pid_t child;
    const int read_end = start_pipe(&child);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", read_end);
    check_pipe(path, read_end, child);
}

TEST(a_pipe_over_the_limit_is_refused_and_leaves_the_arena_as_it_was)
{
    pid_t child;
    const int read_end = start_pipe(&child);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", read_end);
    utArena keep;
    CHECK(ut_arena_create(100, NULL, &keep) == UT_OK);
    const utArena before = keep;
    utText text = {NULL, 0};
    utError err;
    CHECK(ut_text_read(path, PIPE_SIZE - 1, &keep, &text, &err) == UT_ERR_IO);
    CHECK_TEXT(err.message,
               "longer than the 299999 bytes accepted here; check that it is the right file");
    CHECK(keep.next == before.next && keep.block == before.block && !ut_arena_failed(&keep));
    CHECK(text.data == NULL);
    ut_arena_destroy(&keep);
    close(read_end);
    CHECK(waitpid(child, NULL, 0) == child);
}

TEST(a_dash_reads_standard_input)
{
    pid_t child;
    const int read_end = start_pipe(&child);
    CHECK(dup2(read_end, STDIN_FILENO) == STDIN_FILENO);
    clearerr(stdin);
    check_pipe("-", read_end, child);
}
