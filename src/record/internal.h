// What the files of the record module share.
#ifndef UPTACK_RECORD_INTERNAL_H
#define UPTACK_RECORD_INTERNAL_H

#include <uptack/record.h>

/// Append bytes as they are.
void ut_csv_put(utCsv* csv, const char* text, size_t size);

/// A cell that is a number.
void ut_csv_number(utCsv* csv, double value);

/// A cell made of a name, or of `kind` and an index when there is none, and an ending; quoted when
/// it has to be. @param index behind the ending, in brackets; -1 for none
void ut_csv_name(utCsv* csv, const char* name, const char* kind, int number, const char* ending,
                 int index);

#endif
