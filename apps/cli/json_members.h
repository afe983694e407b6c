// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects: a key and a value in one call.
#ifndef UPTACK_CLI_JSON_MEMBERS_H
#define UPTACK_CLI_JSON_MEMBERS_H

#include <uptack/json.h>

void cli_json_number(utJsonWriter* w, const char* key, double value);
void cli_json_integer(utJsonWriter* w, const char* key, long long value);
void cli_json_text(utJsonWriter* w, const char* key, const char* value); ///< NULL: null
void cli_json_bool(utJsonWriter* w, const char* key, bool value);

#endif
