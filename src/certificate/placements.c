// SPDX-License-Identifier: Apache-2.0
#include "placements.h"

#include <string.h>

utStatus ut_certificate_placements_create(const utModel* model, utArena* keep,
                                          CertificatePlacements* kept)
{
    CertificatePlacements created = {.q = UT_PUSH(keep, double, model->nq),
                                     .mocap_pos = UT_PUSH(keep, double, 3 * model->nmocap),
                                     .mocap_quat = UT_PUSH(keep, double, 4 * model->nmocap),
                                     .v = UT_PUSH(keep, double, model->nv)};
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, keep, &created.kin[0]));
    UT_TRY(ut_kinematics_create(model, keep, &created.kin[1]));
    *kept = created;
    return UT_OK;
}

// The same bits, so that 0 and -0 differ.
static bool same_bits(const double* a, const double* b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool ut_certificate_placed_at(const CertificatePlacements* kept, const double* q,
                              const double* mocap_pos, const double* mocap_quat)
{
    const utModel* model = kept->kin[0].model;
    mocap_pos = mocap_pos != NULL ? mocap_pos : model->mocap_pos;
    mocap_quat = mocap_quat != NULL ? mocap_quat : model->mocap_quat;
    return kept->valid && same_bits(q, kept->q, model->nq) &&
           same_bits(mocap_pos, kept->mocap_pos, 3 * model->nmocap) &&
           same_bits(mocap_quat, kept->mocap_quat, 4 * model->nmocap);
}

static void copy(double* to, const double* from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

void ut_certificate_keep_placement(CertificatePlacements* kept, const double* q,
                                   const double* mocap_pos, const double* mocap_quat)
{
    const utModel* model = kept->kin[0].model;
    copy(kept->q, q, model->nq);
    copy(kept->mocap_pos, mocap_pos != NULL ? mocap_pos : model->mocap_pos, 3 * model->nmocap);
    copy(kept->mocap_quat, mocap_quat != NULL ? mocap_quat : model->mocap_quat, 4 * model->nmocap);
    kept->last = 1 - kept->last;
    kept->valid = true;
    kept->energy_known = false;
}

void ut_certificate_keep_energy(CertificatePlacements* kept, const double* v, utVec3 gravity,
                                double energy, double kinetic)
{
    copy(kept->v, v, kept->kin[0].model->nv);
    kept->gravity = gravity;
    kept->energy = energy;
    kept->kinetic = kinetic;
    kept->energy_known = true;
}

bool ut_certificate_knows_energy(const CertificatePlacements* kept, const double* v, utVec3 gravity)
{
    return kept->energy_known && same_bits(v, kept->v, kept->kin[0].model->nv) &&
           memcmp(&gravity, &kept->gravity, sizeof gravity) == 0;
}
