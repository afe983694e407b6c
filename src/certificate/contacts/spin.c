// SPDX-License-Identifier: Apache-2.0
// Torsional and rolling friction of contacts: angular velocities and impulses about the axes of the
// contact. Angular velocities are multiplied by the length of the contact and torques divided by it,
// so that all rows of a contact have one unit.
#include <string.h>

#include "certificate/internal.h"

double ut_certify_length(const Judge* judge, const utContact* c)
{
    return ut_model_contact_length(judge->model, c->geom1, c->geom2);
}

static bool all_zero(const double* x)
{
    return x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0;
}

bool ut_certify_spin_belongs(const Judge* judge, const utContact* c, int condim)
{
    const utModel* model = judge->model;
    if (c->condim != condim) {
        return false;
    }
    if (condim <= 3) {
        return c->torsional == 0.0 && c->rolling == 0.0 && all_zero(c->spin_b) &&
               all_zero(c->torque) && all_zero(c->spin) && all_zero(c->compression_torque);
    }
    // formulations with polygons or events reject such models
    return judge->section->kind == UT_SECTION_CIRCLE && !judge->traits.events &&
           same_value(c->torsional, ut_model_torsional(model, c->geom1, c->geom2)) &&
           same_value(c->rolling, ut_model_rolling(model, c->geom1, c->geom2)) &&
           (contact_spins(c) || all_zero(c->torque));
}

int ut_certify_row_count(const Judge* judge, const utContact* c)
{
    int rows = contact_rows(judge);
    for (int k = 0; k < 3; k++) {
        rows += has_axis(c, k);
    }
    return rows;
}

ContactRows ut_certify_rows(const Judge* judge, const utContact* c, const double* r,
                            const double* torque, const double* u, const double* turn)
{
    ContactRows rows = {.r = {0.0}};
    memcpy(rows.r, r, 3 * sizeof *r);
    memcpy(rows.u, u, 3 * sizeof *u);
    const double length = contact_spins(c) ? ut_certify_length(judge, c) : 1.0;
    for (int k = 0; contact_spins(c) && k < 3; k++) {
        rows.r[3 + k] = torque[k] / length;
        rows.u[3 + k] = turn[k];
    }
    return rows;
}

utVec3 ut_certify_belt_spin(const Judge* judge, const utContact* c)
{
    utVec3 spin = ut_vec3_zero();
    const int side[2] = {c->geom1, c->geom2};
    for (int k = 0; k < 2; k++) {
        if (side[k] < judge->model->ngeom && judge->model->geom[side[k]].belt) {
            const utFrame at = ut_geom_frame(&judge->kin_contact, side[k]);
            spin = ut_vec3_add_scaled(spin, k == 1 ? 1.0 : -1.0,
                                      ut_model_surface_spin(&judge->model->geom[side[k]], at));
        }
    }
    return spin;
}

void ut_certify_turns(const Judge* judge, bool belts, double* turn)
{
    const utMotion* velocity = judge->kin_contact.velocity;
    if (!judge->spins) {
        if (judge->impact.present) { // the only reader
            memset(turn, 0, 3 * (size_t)judge->report->contacts * sizeof *turn);
        }
        return;
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        utVec3 w = ut_vec3_zero();
        double length = 0.0;
        if (contact_spins(c)) {
            length = ut_certify_length(judge, c);
            w = ut_vec3_sub(velocity[contact_body(judge, i, 1)].angular,
                            velocity[contact_body(judge, i, 0)].angular);
            w = belts ? ut_vec3_add(w, ut_certify_belt_spin(judge, c)) : w;
        }
        for (int k = 0; k < 3; k++) {
            turn[3 * i + k] = has_axis(c, k) ? length * ut_vec3_dot(c->frame[k], w) : 0.0;
        }
    }
}

utLaw ut_certify_law_of(const Judge* judge, const utContact* c, const utSection* section,
                        bool convex)
{
    if (!contact_spins(c)) {
        return (utLaw){.section = section, .mu = c->mu, .convex = convex};
    }
    const double length = ut_certify_length(judge, c);
    return (utLaw){
        .section = judge->product,
        .mu = c->mu,
        .convex = convex,
        .torsional = c->torsional / length,
        .rolling = c->rolling / length,
    };
}
