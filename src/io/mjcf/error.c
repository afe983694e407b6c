// SPDX-License-Identifier: Apache-2.0
// Errors at elements and attributes, with line and column.
#include "io/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static utStatus fail(Mjcf* m, const XmlFile* file, const char* at, const char* format, va_list args)
{
    char message[sizeof m->err->message];
    vsnprintf(message, sizeof message, format, args);
    int line, column;
    ut_xml_position(file, at, &line, &column);
    return ut_error_at(m->err, UT_ERR_FORMAT, file->name, line, column, "%s", message);
}

utStatus ut_mjcf_fail(Mjcf* m, const XmlNode* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    const utStatus status = fail(m, node->file, node->at, format, args);
    va_end(args);
    return status;
}

utStatus ut_mjcf_fail_at(Mjcf* m, MjcfFound found, size_t offset, const char* format, ...)
{
    const XmlAttribute* a = found.attribute;
    const char* at = a->verbatim ? a->at + offset : a->at;
    va_list args;
    va_start(args, format);
    const utStatus status = fail(m, found.node->file, at, format, args);
    va_end(args);
    return status;
}

utStatus ut_mjcf_no_memory(Mjcf* m)
{
    return ut_error_at(m->err, UT_ERR_MEMORY, m->files != NULL ? m->files->name : NULL, 0, 0,
                       "memory is short for reading this");
}

utOrigin ut_mjcf_origin(const XmlNode* node)
{
    return (utOrigin){node->file->name, node->line};
}
