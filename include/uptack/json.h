// SPDX-License-Identifier: Apache-2.0
/// @file json.h
/// Reads and writes JSON. The reader makes a tree in an arena, with line and column of every value for
/// error messages. The writer calls a function of the caller with each piece of text.
///
/// Functions may be called from several threads at once as long as the threads do not share an arena
/// or a writer.
#ifndef UPTACK_JSON_H
#define UPTACK_JSON_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum utJsonType {
    UT_JSON_NULL,
    UT_JSON_BOOL,
    UT_JSON_NUMBER,
    UT_JSON_STRING,
    UT_JSON_ARRAY,
    UT_JSON_OBJECT,
} utJsonType;

/// One value. The members of an array or object form a list in file order.
typedef struct utJson {
    utJsonType type;
    int line;                   ///< of the first character, 1-based
    int column;                 ///< of the first character, 1-based
    int count;                  ///< members of an array or object
    bool boolean;               ///< of a UT_JSON_BOOL
    double number;              ///< of a UT_JSON_NUMBER
    utText string;              ///< of a UT_JSON_STRING, unescaped, UTF-8, with a 0 byte behind it
    utText key;                 ///< name, when this is a member of an object; like string
    const struct utJson* first; ///< first member, or NULL
    const struct utJson* next;  ///< next member of the same parent, or NULL
} utJson;

/// Parse one JSON value (RFC 8259), with only white space before and after it. Nesting is limited to
/// UT_JSON_DEPTH, duplicate keys are an error, and numbers must be finite doubles.
/// @param file name for messages
/// @param root on success the tree, in `keep`; it does not refer to `text`
/// @return UT_ERR_FORMAT with the position in `err`, or UT_ERR_CAPACITY when there is no memory
UT_API utStatus ut_json_read(utText text, const char* file, utArena* keep, const utJson** root,
                             utError* err);

/// @return the member of `object` called `key`, or NULL (also when `object` is not an object)
UT_API const utJson* ut_json_member(const utJson* object, const char* key);

/// Receives the written text. @return false when it could not be written
typedef bool (*utJsonSink)(void* context, const char* text, size_t size);

enum { UT_JSON_DEPTH = 64 };

/// A writer. It adds commas and quotes, and stops writing after the first failure: the sink failed, or
/// a call was wrong (a value without a key in an object, the wrong end, a second root value, nesting
/// beyond UT_JSON_DEPTH).
typedef struct utJsonWriter {
    utJsonSink sink;
    void* context;
    int depth; ///< number of open arrays and objects
    bool failed;
    bool after_key;
    bool has_root;
    bool is_object[UT_JSON_DEPTH];
    bool has_member[UT_JSON_DEPTH];
} utJsonWriter;

UT_API utJsonWriter ut_json_writer(utJsonSink sink, void* context);
UT_API void ut_json_object_begin(utJsonWriter* w);
UT_API void ut_json_object_end(utJsonWriter* w);
UT_API void ut_json_array_begin(utJsonWriter* w);
UT_API void ut_json_array_end(utJsonWriter* w);
UT_API void ut_json_key(utJsonWriter* w, const char* key);
/// @param string UTF-8, 0-terminated; bytes that are not UTF-8 become U+FFFD, NULL becomes null
UT_API void ut_json_string(utJsonWriter* w, const char* string);
UT_API void ut_json_number(utJsonWriter* w, double value); ///< null when not finite
UT_API void ut_json_integer(utJsonWriter* w, int64_t value);
UT_API void ut_json_bool(utJsonWriter* w, bool value);
UT_API void ut_json_null(utJsonWriter* w);
UT_API void ut_json_doubles(utJsonWriter* w, const double* values, int count); ///< an array

/// @return true when one complete value reached the sink: no call failed, and every object and array
///         is closed
UT_API bool ut_json_ok(const utJsonWriter* w);

#ifdef __cplusplus
}
#endif

#endif
