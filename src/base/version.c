// SPDX-License-Identifier: Apache-2.0
// The version that the library was built as.
#include <uptack/base.h>

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

int ut_version(void)
{
    return UT_VERSION;
}

const char* ut_version_text(void)
{
    return DOTTED(UT_VERSION_MAJOR, UT_VERSION_MINOR, UT_VERSION_PATCH);
}
