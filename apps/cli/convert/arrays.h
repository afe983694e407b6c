// SPDX-License-Identifier: Apache-2.0
// Named arrays, for NumPy and HDF5 files; the content of a recording as such.
#ifndef UPTACK_CLI_ARRAYS_H
#define UPTACK_CLI_ARRAYS_H

#include "cli.h"

#include <uptack/record.h>

typedef enum CliNumber {
    CLI_DOUBLE,
    CLI_INT32,
    CLI_INT64,
    CLI_UINT64,
    CLI_BYTES ///< texts of `width` bytes, filled with 0
} CliNumber;

enum { CLI_ARRAY_AXES = 3 };

/// One array, row-major and little-endian.
typedef struct CliArray {
    const char* name;
    CliNumber number;
    size_t width; ///< bytes per entry
    int axes;     ///< 0: one number
    size_t size[CLI_ARRAY_AXES];
    const void* data;
    size_t bytes;
} CliArray;

/// A function that writes an array.
typedef utStatus CliArraySink(void* context, const CliArray* array, utError* err);

/// What was converted.
typedef struct CliArrayCounts {
    long long states, contacts, transitions;
    bool complete; ///< the recording was closed
    size_t read;   ///< bytes converted
} CliArrayCounts;

/// Pass all arrays of a recording to a sink (docs/recordings.md lists them).
utStatus cli_arrays(const utRecording* recording, CliArraySink* sink, void* context,
                    CliArrayCounts* counts, utError* err);

/// A function that passes arrays to a sink.
typedef utStatus CliArraySource(void* context, CliArraySink* sink, void* sink_context,
                                utError* err);

/// Write arrays as a NumPy file (.npz), or as HDF5 (.h5). The same arrays give the same bytes.
utStatus cli_write_npz_of(CliArraySource* source, void* context, const char* path, utError* err);
utStatus cli_write_hdf5_of(CliArraySource* source, void* context, const char* path, utError* err);

/// The same for a recording.
utStatus cli_write_npz(const utRecording* recording, const char* path, CliArrayCounts* counts,
                       utError* err);
utStatus cli_write_hdf5(const utRecording* recording, const char* path, CliArrayCounts* counts,
                        utError* err);

#endif
