// SPDX-License-Identifier: Apache-2.0
// The fields of a report in their order in the file, once for measuring, writing and reading.
#ifndef UPTACK_RECORD_REPORT_FIELDS_H
#define UPTACK_RECORD_REPORT_FIELDS_H

#include "internal.h"

typedef enum FieldsMode { FIELDS_MEASURE, FIELDS_WRITE, FIELDS_READ } FieldsMode;

/// A pass over the fields of a report.
typedef struct Fields {
    FieldsMode mode;
    const utModel* model;
    uint64_t size;           ///< MEASURE: bytes so far
    utRecorder* recorder;    ///< WRITE
    const unsigned char* at; ///< READ: the next byte
    size_t left;             ///< READ: bytes behind it
    utArena* keep;           ///< READ: holds the arrays
    bool damaged;            ///< READ: the bytes are no report
} Fields;

/// Visit the fields of a report without parts. The fields that recordings of contacts have are left
/// out (utRecordedContact). READ: `report` is empty before; its contacts have these fields only.
void ut_report_fields(Fields* fields, utStepReport* report);

#endif
