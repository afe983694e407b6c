// SPDX-License-Identifier: Apache-2.0
// Writing a model as MJCF, for uptack convert.
#ifndef UPTACK_CLI_CONVERT_MODEL_H
#define UPTACK_CLI_CONVERT_MODEL_H

#include "cli.h"
#include "model.h"

typedef struct ConvertModel {
    const char* in;
    const char* out;
    bool plain; ///< without the namespace ut:
    bool json;
    CliSets sets;
} ConvertModel;

/// Read a model, write it as MJCF, and name what could not be read or written.
/// @return CLI_OK or CLI_FAILED
int cli_convert_model(const ConvertModel* convert);

#endif
