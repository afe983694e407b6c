// SPDX-License-Identifier: Apache-2.0
// The table of contacts.
#include <math.h>
#include <string.h>

#include "internal.h"

// Can a contact of the model have torsional or rolling friction?
static bool has_torques(const utModel* model)
{
    bool found = false;
    for (int g = 0; model != NULL && g < model->ngeom; g++) {
        found = found || model->geom[g].condim > 3;
    }
    for (int k = 0; model != NULL && k < model->npair; k++) {
        found = found || model->pair[k].condim > 3;
    }
    return found && model->options.planar == UT_PLANAR_NONE;
}

bool ut_csv_contacts_head(utCsv* csv)
{
    ut_csv_text(csv, "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state");
    if ((csv->columns & UT_CSV_FORCE) != 0) {
        ut_csv_text(csv, ",fn,fx,fy,fz");
    }
    if ((csv->columns & UT_CSV_GAP_TIME) != 0) {
        ut_csv_text(csv, ",gap_time");
    }
    static const struct {
        unsigned column;
        const char* name;
    } of_law[] = {{UT_CSV_MU, ",mu"}, {UT_CSV_LAMBDA, ",lambda"}, {UT_CSV_CONE, ",cone"}};
    for (size_t k = 0; k < sizeof of_law / sizeof *of_law; k++) {
        if ((csv->columns & of_law[k].column) != 0) {
            ut_csv_text(csv, of_law[k].name);
        }
    }
    if (has_torques(csv->model)) {
        ut_csv_text(csv, ",tx,ty,tz,spin,roll");
    }
    ut_csv_text(csv, "\n");
    return !csv->out.failed;
}

// An impact has an impulse but no duration, so its force is NaN.
static void put_forces(utCsv* csv, const ContactRow* row, double pn, utVec3 p)
{
    const double h = row->contact->state != UT_CONTACT_IMPACT ? row->h : (double)NAN;
    ut_csv_numbers(csv, (const double[]){pn / h, p.x / h, p.y / h, p.z / h}, 4);
}

static void put_law(utCsv* csv, const ContactRow* row)
{
    if ((csv->columns & UT_CSV_MU) != 0) {
        ut_csv_numbers(csv, &row->contact->mu, 1);
    }
    if ((csv->columns & UT_CSV_LAMBDA) != 0) {
        ut_csv_numbers(csv, &row->law.lambda, 1);
    }
    if ((csv->columns & UT_CSV_CONE) != 0) {
        ut_csv_numbers(csv, &row->law.excess, 1);
    }
}

// The angular impulse on geom2, world, and the angular speeds about the normal and the tangents.
static void put_torques(utCsv* csv, const utContact* c)
{
    utVec3 torque = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        torque = ut_vec3_add_scaled(torque, c->torque[k], c->frame[k]);
    }
    const double roll = sqrt(c->spin[1] * c->spin[1] + c->spin[2] * c->spin[2]);
    ut_csv_numbers(csv, (const double[]){torque.x, torque.y, torque.z, c->spin[0], roll}, 5);
}

void ut_csv_contact(utCsv* csv, const ContactRow* row)
{
    // the impulse on geom2: r in the contact's frame
    const utRecordedContact* c = row->contact;
    utVec3 p = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        p = ut_vec3_add_scaled(p, c->r[k], c->frame[k]);
    }
    const utVec3 n = c->frame[0];
    const double slip = sqrt(c->u[1] * c->u[1] + c->u[2] * c->u[2]);
    const double cells[] = {c->point.x, c->point.y, c->point.z, n.x, n.y, n.z,
                            c->gap,     c->r[0],    p.x,        p.y, p.z, slip};
    ut_csv_number(csv, row->time);
    ut_csv_text(csv, ",");
    ut_csv_name(csv, row->geom1, row->ending1);
    ut_csv_text(csv, ",");
    ut_csv_name(csv, row->geom2, row->ending2);
    ut_csv_numbers(csv, cells, (int)(sizeof cells / sizeof *cells));
    ut_csv_text(csv, ",");
    ut_csv_text(csv, ut_contact_state_name((utContactState)c->state));
    if ((csv->columns & UT_CSV_FORCE) != 0) {
        put_forces(csv, row, c->r[0], p);
    }
    if ((csv->columns & UT_CSV_GAP_TIME) != 0) {
        ut_csv_numbers(csv, &row->gap_time, 1);
    }
    put_law(csv, row);
    if (row->angular != NULL && has_torques(csv->model)) {
        put_torques(csv, row->angular);
    }
    ut_csv_text(csv, "\n");
}

// ---- a step -------------------------------------------------------------------------------------

bool ut_record_group(const utStepReport* report, double time, ContactGroup* group)
{
    // each instant has a group of its own; the contacts of all sub-steps share the last group
    const int parts = report->parts;
    int part = group->part + 1;
    while (part < parts && !(report->part[part].instant && report->part[part].contacts > 0)) {
        part++;
    }
    if (group->part >= parts) {
        return false;
    }
    group->part = part;
    group->time = part < parts ? report->part[part].time : time;
    group->count = 0;
    for (int k = 0; k < parts; k++) {
        const bool in_group = part < parts ? k == part : !report->part[k].instant;
        group->count += in_group ? report->part[k].contacts : 0;
    }
    group->count = parts > 0 ? group->count : report->contacts;
    return true;
}

const utContact* ut_record_group_contact(const utStepReport* report, const ContactGroup* group,
                                         int i, double* gap_time)
{
    const utStepReport* owner = report;
    int first = 0;
    for (int k = 0; k < report->parts; k++) {
        const utStepReport* part = &report->part[k];
        const bool in_group = group->part < report->parts ? k == group->part : !part->instant;
        if (in_group && i < part->contacts) {
            owner = part;
            break;
        }
        i -= in_group ? part->contacts : 0;
        first += part->contacts;
    }
    // the gaps of a re-linearised step are measured at its end
    *gap_time = owner->relinearizations > 0 ? owner->time + owner->h : owner->time;
    return &report->contact[first + i];
}

enum { LAW_COLUMNS = UT_CSV_LAMBDA | UT_CSV_CONE };

bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time)
{
    ContactGroup group = NO_GROUP;
    while (ut_record_group(report, time, &group)) {
        for (int i = 0; i < group.count && !csv->out.failed; i++) {
            double gap_time;
            const utContact* contact = ut_record_group_contact(report, &group, i, &gap_time);
            const utRecordedContact c = ut_record_contact(contact);
            const utSideLabel one = ut_model_side_label(csv->model, c.geom1);
            const utSideLabel two = ut_model_side_label(csv->model, c.geom2);
            ut_csv_contact(csv, &(ContactRow){
                                    .time = group.time,
                                    .h = report->h,
                                    .gap_time = gap_time,
                                    .geom1 = {one.name, strlen(one.name)},
                                    .geom2 = {two.name, strlen(two.name)},
                                    .ending1 = one.ending,
                                    .ending2 = two.ending,
                                    .contact = &c,
                                    .angular = contact,
                                    .law = (csv->columns & LAW_COLUMNS) != 0
                                               ? ut_contact_law(report, contact)
                                               : (utContactLaw){0},
                                });
        }
    }
    return !csv->out.failed;
}
