// The table of contacts.
#include <string.h>

#include "internal.h"

static void put_text(utCsv* csv, const char* text)
{
    ut_csv_put(csv, text, strlen(text));
}

bool ut_csv_contacts_head(utCsv* csv)
{
    put_text(csv, "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n");
    return !csv->out.failed;
}

void ut_csv_contact(utCsv* csv, double time, utText geom1, utText geom2, const utRecordedContact* c)
{
    // the impulse on geom2: r in the contact's frame
    utVec3 p = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        p = ut_vec3_add_scaled(p, c->r[k], c->frame[k]);
    }
    const utVec3 n = c->frame[0];
    const double slip = sqrt(c->u[1] * c->u[1] + c->u[2] * c->u[2]);
    const double cells[] = {c->point.x, c->point.y, c->point.z, n.x, n.y, n.z,
                            c->gap,     c->r[0],    p.x,        p.y, p.z, slip};
    ut_csv_number(csv, time);
    put_text(csv, ",");
    ut_csv_name(csv, geom1, "");
    put_text(csv, ",");
    ut_csv_name(csv, geom2, "");
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        put_text(csv, ",");
        ut_csv_number(csv, cells[k]);
    }
    put_text(csv, ",");
    put_text(csv, ut_contact_state_name((utContactState)c->state));
    put_text(csv, "\n");
}

utText ut_record_side(const utModel* model, int side, char room[LABEL_ROOM])
{
    const bool geom = side < model->ngeom;
    const char* name = ut_record_label(ut_model_side_name(model, side), geom ? "geom" : "site",
                                       geom ? side : side - model->ngeom, room);
    return (utText){name, strlen(name)};
}

bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time)
{
    char one[LABEL_ROOM];
    char two[LABEL_ROOM];
    for (int i = 0; i < report->contacts && !csv->out.failed; i++) {
        const utRecordedContact c = ut_record_contact(&report->contact[i]);
        ut_csv_contact(csv, time, ut_record_side(csv->model, c.geom1, one),
                       ut_record_side(csv->model, c.geom2, two), &c);
    }
    return !csv->out.failed;
}
