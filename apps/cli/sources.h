// SPDX-License-Identifier: Apache-2.0
// The files from which a model is read: kept for a recording, or read again from a recording.
#ifndef UPTACK_CLI_SOURCES_H
#define UPTACK_CLI_SOURCES_H

#include "model.h"

#include <uptack/record.h>

/// Files of the model; the first one is the model itself. Begin with {0}.
typedef struct CliSources {
    bool recorded; ///< read the files from here; default: from disk, and keep them here
    int count, capacity;
    utRecordFile* file;
    bool has_memory;
    utArena memory; ///< holds everything above
} CliSources;

/// Larger files beside the model, such as meshes, are kept as a hash.
enum { CLI_STORED_FILE_BYTES = 256 * 1024 };

/// A utReadFile. @param context the CliSources
utStatus cli_read_source(void* context, const char* path, utArena* keep, utText* text,
                         utError* err);

/// The files of a recording, to read the model from them.
utStatus cli_recorded_sources(const utRecording* recording, CliSources* sources, utError* err);

/// Warn about files that have changed since the run. They are read as they were.
void cli_warn_changed_sources(const CliSources* sources);

void cli_free_sources(CliSources* sources);

#endif
