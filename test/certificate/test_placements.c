// SPDX-License-Identifier: Apache-2.0
// Certificates with kept placements have the bits of certificates without: along a run, after a jump,
// and when only velocities or gravity differ from those of the last step.
#include "certificate/placements.h"
#include "physics/lab.h"

// A pendulum on a hinge, and a box that slides on the floor.
static Lab open_lab(void)
{
    Lab lab = lab_open(0.01);
    lab_floor(&lab, 0.4);
    lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.1, 0.1, 0.1), 2.0, 0.4);
    const int link = lab_body(&lab, NULL, ut_vec3(2, 0, 1));
    utJointDef joint = ut_joint_def(link, UT_JOINT_HINGE);
    joint.axis = ut_vec3(0, 1, 0);
    joint.pos = ut_vec3(-0.2, 0, 0);
    CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    lab_geom(&lab, link, UT_SHAPE_CAPSULE, ut_vec3(0.05, 0.1, 0), 1.0, 0.4);
    lab_start(&lab);
    lab_velocity(&lab, 0, 0.7);
    return lab;
}

// The laboratory uses the arena of the test.
static utArena own_arena(void)
{
    utArena arena = {0};
    CHECK_INT(ut_arena_create(0, NULL, &arena), UT_OK);
    return arena;
}

static CertificatePlacements keep_placements(const utModel* model, utArena* arena)
{
    CertificatePlacements kept;
    CHECK_INT(ut_certificate_placements_create(model, arena, &kept), UT_OK);
    return kept;
}

// Certify with and without kept placements. @return the energy gain
static double certify_both(const utStepReport* report, CertificatePlacements* kept, utArena scratch)
{
    utCertificate plain, quick;
    memset(&plain, 0, sizeof plain);
    memset(&quick, 0, sizeof quick);
    CHECK_INT(ut_certify(report, 1e-8, scratch, &plain), UT_OK);
    CHECK_INT(ut_certify_with(report, 1e-8, kept, scratch, &quick), UT_OK);
    const double one[] = {plain.E,        plain.V,        plain.momentum,
                          plain.stored,   plain.position, plain.geometry,
                          plain.reported, plain.cone,     plain.energy_gain};
    const double two[] = {quick.E,        quick.V,        quick.momentum,
                          quick.stored,   quick.position, quick.geometry,
                          quick.reported, quick.cone,     quick.energy_gain};
    CHECK(memcmp(one, two, sizeof one) == 0);
    CHECK(plain.passed == quick.passed && plain.reason == quick.reason);
    CHECK(plain.contact == quick.contact);
    return quick.energy_gain;
}

TEST(a_run_with_kept_placements_has_the_same_certificates)
{
    Lab lab = open_lab();
    utArena arena = own_arena();
    CertificatePlacements kept = keep_placements(lab.model, &arena);
    int taken = 0;
    for (int k = 0; k < 40; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        taken += ut_certificate_placed_at(&kept, result.report.q, NULL, NULL);
        certify_both(&result.report, &kept, arena);
        if (k == 20) {
            lab_velocity(&lab, 6, -3.0); // the bodies stay where they are
        }
        if (k == 30) {
            CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK); // they do not
        }
    }
    CHECK_INT(taken, 38); // all but the first step and that after the reset
    ut_arena_destroy(&arena);
    lab_close(&lab);
}

// A kept energy must not survive a change of velocity or gravity: the pendulum's height changes, so that
// both change the energies.
TEST(a_kept_energy_belongs_to_its_velocity_and_gravity)
{
    Lab lab = open_lab();
    utArena arena = own_arena();
    CertificatePlacements kept = keep_placements(lab.model, &arena);
    utStepResult result;
    for (int k = 0; k < 3; k++) {
        lab_step(&lab, NULL, &result);
    }
    const utStepReport* last = &result.report;
    certify_both(last, &kept, arena);
    utStepReport next = *last;
    double v[7];
    CHECK(lab.model->nv == 7);
    memcpy(v, last->v_next, sizeof v);
    next.q = last->q_next; // begins where the last one ended, and goes back
    next.q_next = last->q;
    next.v = v;
    const double before = certify_both(&next, &kept, arena);
    v[6] += 1.0;
    certify_both(last, &kept, arena);
    CHECK(certify_both(&next, &kept, arena) != before);
    v[6] -= 1.0;
    certify_both(last, &kept, arena);
    next.gravity = ut_vec3(0, 0, -1);
    CHECK(certify_both(&next, &kept, arena) != before);
    ut_arena_destroy(&arena);
    lab_close(&lab);
}

TEST(a_negative_zero_is_another_position)
{
    Lab lab = open_lab();
    utArena arena = own_arena();
    CertificatePlacements kept = keep_placements(lab.model, &arena);
    double q[8];
    CHECK_INT(lab.model->nq, 8);
    memcpy(q, ut_sim_q(lab.sim), sizeof q);
    q[1] = 0.0;
    CHECK(!ut_certificate_placed_at(&kept, q, NULL, NULL));
    ut_certificate_keep_placement(&kept, q, NULL, NULL);
    CHECK(ut_certificate_placed_at(&kept, q, NULL, NULL));
    q[1] = -0.0;
    CHECK(!ut_certificate_placed_at(&kept, q, NULL, NULL));
    ut_arena_destroy(&arena);
    lab_close(&lab);
}
