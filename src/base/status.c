// SPDX-License-Identifier: Apache-2.0
// Descriptions of statuses.
#include <uptack/base.h>

const char* ut_status_text(utStatus status)
{
    switch (status) {
    case UT_OK:
        return "ok";
    case UT_ERR_ARGUMENT:
        return "unusable argument";
    case UT_ERR_DEF:
        return "unusable settings";
    case UT_ERR_CAPACITY:
        return "arena too small";
    case UT_ERR_MEMORY:
        return "out of memory";
    case UT_ERR_FORMAT:
        return "malformed input";
    case UT_ERR_IO:
        return "file cannot be read or written";
    case UT_ERR_NOT_TAKEN:
        return "step not certified and not taken";
    case UT_STATUS_COUNT:
        break;
    }
    return "unknown status";
}
