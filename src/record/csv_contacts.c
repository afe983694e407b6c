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
    return !csv->failed;
}

static void put_geom(utCsv* csv, int geom)
{
    put_text(csv, ",");
    ut_csv_name(csv, csv->model->geom[geom].name, "geom", geom, "", -1);
}

static void put_contact(utCsv* csv, const utContact* c, double time)
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
    put_geom(csv, c->geom1);
    put_geom(csv, c->geom2);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        put_text(csv, ",");
        ut_csv_number(csv, cells[k]);
    }
    put_text(csv, ",");
    put_text(csv, ut_contact_state_name(c->state));
    put_text(csv, "\n");
}

bool ut_csv_contacts_rows(utCsv* csv, const utStepReport* report, double time)
{
    for (int i = 0; i < report->contacts && !csv->failed; i++) {
        put_contact(csv, &report->contact[i], time);
    }
    return !csv->failed;
}
