// SPDX-License-Identifier: Apache-2.0
// Tables written from a recording.
#include "internal.h"

bool ut_csv_recorded_states_head(utCsv* csv, const utRecording* recording)
{
    for (int k = 0; k < recording->columns; k++) {
        if (k > 0) {
            ut_csv_put(csv, ",", 1);
        }
        ut_csv_name(csv, ut_recording_column(recording, k), "");
    }
    ut_csv_put(csv, "\n", 1);
    return !csv->out.failed;
}

bool ut_csv_recorded_states_row(utCsv* csv, const utRecording* recording,
                                const utRecordFrame* frame)
{
    for (int k = 0; k < recording->columns; k++) {
        if (k > 0) {
            ut_csv_put(csv, ",", 1);
        }
        ut_csv_number(csv, frame->value[ut_recording_value(recording, k)]);
    }
    ut_csv_put(csv, "\n", 1);
    return !csv->out.failed;
}

bool ut_csv_recorded_contacts_rows(utCsv* csv, const utRecording* recording,
                                   const utRecordFrame* frame)
{
    for (int i = 0; i < frame->contacts && !csv->out.failed; i++) {
        const utRecordedContact* c = &frame->contact[i];
        ut_csv_contact(csv, &(ContactRow){
                                .time = frame->time,
                                .geom1 = ut_recording_geom(recording, c->geom1),
                                .geom2 = ut_recording_geom(recording, c->geom2),
                                .ending1 = "",
                                .ending2 = "",
                                .contact = c,
                            });
    }
    return !csv->out.failed;
}
