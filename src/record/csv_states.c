// SPDX-License-Identifier: Apache-2.0
// The table of states: time, bodies, joints, sensors.
#include <string.h>

#include "internal.h"

// ---- head ---------------------------------------------------------------------------------------

static void put_column(void* context, const Column* column)
{
    utCsv* csv = context;
    if (column->value > 0) { // not the time, which is the first column
        ut_csv_put(csv, ",", 1);
    }
    ut_csv_name(csv, (utText){column->name, strlen(column->name)}, column->ending);
}

static void put_optional_names(utCsv* csv)
{
    static const char* const axes[] = {".ox", ".oy", ".oz"};
    char label[LABEL_SIZE];
    for (int i = 1; i < csv->model->nbody && (csv->columns & UT_CSV_FRAMES) != 0; i++) {
        const char* name = ut_record_label(csv->model->body[i].name, "body", i, label);
        for (int k = 0; k < 3; k++) {
            ut_csv_put(csv, ",", 1);
            ut_csv_name(csv, (utText){name, strlen(name)}, axes[k]);
        }
    }
    static const struct {
        unsigned column;
        const char* name;
    } optional[] = {{UT_CSV_ENERGY, ",energy"},
                    {UT_CSV_CONTACTS, ",contacts"},
                    {UT_CSV_E, ",E"},
                    {UT_CSV_MODEL_GAP, ",model_gap"}};
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++) {
        if ((csv->columns & optional[k].column) != 0) {
            ut_csv_put(csv, optional[k].name, strlen(optional[k].name));
        }
    }
    for (int k = 0; k < csv->extras; k++) {
        ut_csv_put(csv, ",", 1);
        ut_csv_name(csv, (utText){csv->extra[k], strlen(csv->extra[k])}, "");
    }
}

bool ut_csv_states_head(utCsv* csv)
{
    ut_record_columns(csv->model, put_column, csv);
    put_optional_names(csv);
    ut_csv_put(csv, "\n", 1);
    return !csv->out.failed;
}

// ---- rows ---------------------------------------------------------------------------------------

static void put_optional(utCsv* csv, const utRecordState* state)
{
    for (int i = 1; i < csv->model->nbody && (csv->columns & UT_CSV_FRAMES) != 0; i++) {
        const utVec3 p = csv->kin.body[i].p;
        ut_csv_numbers(csv, (const double[]){p.x, p.y, p.z}, 3);
    }
    if ((csv->columns & UT_CSV_ENERGY) != 0) {
        ut_csv_numbers(csv, &state->energy, 1);
    }
    if ((csv->columns & UT_CSV_CONTACTS) != 0) {
        ut_csv_numbers(csv, &state->contacts, 1);
    }
    if ((csv->columns & UT_CSV_E) != 0) {
        ut_csv_numbers(csv, &state->E, 1);
    }
    if ((csv->columns & UT_CSV_MODEL_GAP) != 0) {
        ut_csv_numbers(csv, &state->model_gap, 1);
    }
    ut_csv_numbers(csv, state->extra, csv->extras);
}

bool ut_csv_states_row(utCsv* csv, const utRecordState* state)
{
    const utModel* model = csv->model;
    double cells[BODY_CELLS];
    ut_kinematics_place(&csv->kin, state->q, state->mocap_pos, state->mocap_quat);
    ut_kinematics_move(&csv->kin, state->v, state->mocap_velocity);
    ut_csv_number(csv, state->time);
    for (int i = 1; i < model->nbody; i++) {
        ut_record_body(&csv->kin, i, cells);
        ut_csv_numbers(csv, cells, BODY_CELLS);
    }
    int next = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int e = ut_record_equality(model, j, &next);
        if (e >= 0) {
            double q[4], v[3];
            ut_equality_coordinates(&csv->kin, e, q, v);
            ut_csv_numbers(csv, q, ut_record_equality_positions(model->equality[e].kind));
            ut_csv_numbers(csv, v, ut_record_equality_velocities(model->equality[e].kind));
            continue;
        }
        ut_csv_numbers(csv, state->q + joint->q, ut_joint_positions(joint->kind));
        ut_csv_numbers(csv, state->v + joint->v, ut_joint_velocities(joint->kind));
    }
    for (int i = 0; i < model->nsensordata; i++) {
        const double nothing = (double)NAN;
        ut_csv_numbers(csv, state->sensor != NULL ? &state->sensor[i] : &nothing, 1);
    }
    for (int i = 0; i < model->na; i++) {
        const double none = 0.0;
        ut_csv_numbers(csv, state->act != NULL ? &state->act[i] : &none, 1);
    }
    put_optional(csv, state);
    ut_csv_put(csv, "\n", 1);
    return !csv->out.failed;
}
