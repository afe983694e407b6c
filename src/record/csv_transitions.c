// SPDX-License-Identifier: Apache-2.0
// The table of transitions of contacts between the modes open, bouncing and steady.
#include <stdio.h>
#include <string.h>

#include "internal.h"

bool ut_csv_transitions_head(utCsv* csv)
{
    ut_csv_text(csv, "time,geom1,geom2,feature,from,to,speed\n");
    return !csv->out.failed;
}

// The label of a geom or site: a name and its suffix.
typedef struct Name {
    utText name;
    const char* ending;
} Name;

static void put_transition(utCsv* csv, Name geom1, Name geom2, const utTransition* t)
{
    char feature[24];
    snprintf(feature, sizeof feature, ",%llu,", (unsigned long long)t->feature);
    ut_csv_number(csv, t->time);
    ut_csv_text(csv, ",");
    ut_csv_name(csv, geom1.name, geom1.ending);
    ut_csv_text(csv, ",");
    ut_csv_name(csv, geom2.name, geom2.ending);
    ut_csv_text(csv, feature);
    ut_csv_text(csv, ut_contact_mode_name(t->from));
    ut_csv_text(csv, ",");
    ut_csv_text(csv, ut_contact_mode_name(t->to));
    ut_csv_text(csv, ",");
    ut_csv_number(csv, t->speed);
    ut_csv_text(csv, "\n");
}

bool ut_csv_transitions_rows(utCsv* csv, const utStepReport* report)
{
    for (int i = 0; i < report->transitions && !csv->out.failed; i++) {
        const utTransition* t = &report->transition[i];
        const utSideLabel one = ut_model_side_label(csv->model, t->geom1);
        const utSideLabel two = ut_model_side_label(csv->model, t->geom2);
        put_transition(csv, (Name){{one.name, strlen(one.name)}, one.ending},
                       (Name){{two.name, strlen(two.name)}, two.ending}, t);
    }
    return !csv->out.failed;
}

bool ut_csv_recorded_transitions_rows(utCsv* csv, const utRecording* recording,
                                      const utRecordFrame* frame)
{
    for (int i = 0; i < frame->transitions && !csv->out.failed; i++) {
        const utTransition* t = &frame->transition[i];
        put_transition(csv, (Name){ut_recording_geom(recording, t->geom1), ""},
                       (Name){ut_recording_geom(recording, t->geom2), ""}, t);
    }
    return !csv->out.failed;
}
