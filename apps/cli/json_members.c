// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects.
#include "json_members.h"

void cli_json_number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

void cli_json_integer(utJsonWriter* w, const char* key, long long value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

void cli_json_text(utJsonWriter* w, const char* key, const char* value)
{
    ut_json_key(w, key);
    ut_json_string(w, value);
}

void cli_json_bool(utJsonWriter* w, const char* key, bool value)
{
    ut_json_key(w, key);
    ut_json_bool(w, value);
}
