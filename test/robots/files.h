// SPDX-License-Identifier: Apache-2.0
// The model files below a folder, in the order of their names.
#ifndef UPTACK_TEST_FILES_H
#define UPTACK_TEST_FILES_H

enum { FILES_MAX = 2000, FILES_PATH = 600 };

typedef struct Files {
    char path[FILES_MAX][FILES_PATH];
    int count;
} Files;

/// All .xml and .urdf files of a folder and of the folders below it, except those named "defects".
void files_list(const char* folder, Files* files);

#endif
