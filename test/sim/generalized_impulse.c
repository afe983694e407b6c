// SPDX-License-Identifier: Apache-2.0
// Generalized impulses J'r: sums of two bodies side by side have the bits of sums body by body.
#include "contact/contact.h"
#include "la/wide_force.h"
#include "physics/lab.h"

enum { BOXES = 3, MOST = 12 };

static utVec3 random_vector(utRng* rng, double size)
{
    return ut_vec3(ut_rng_range(rng, -size, size), ut_rng_range(rng, -size, size),
                   ut_rng_range(rng, -size, size));
}

// Contacts of pairs of sides with random frames and impulses of very different sizes.
// @param spins contacts have angular impulses, too
static int make_contacts(utRng* rng, bool spins, utContact* contact)
{
    static const int pairs[][3] = {{0, 1, 3}, {0, 2, 1}, {1, 2, 4}, {2, 3, 2}}; // sides, contacts
    int count = 0;
    for (int p = 0; p < 4; p++) {
        for (int k = 0; k < pairs[p][2]; k++) {
            utContact* c = &contact[count++];
            *c = (utContact){.geom1 = pairs[p][0], .geom2 = pairs[p][1]};
            c->point = random_vector(rng, 2.0);
            for (int i = 0; i < 3; i++) {
                c->frame[i] = random_vector(rng, 1.0);
                c->r[i] = ut_rng_range(rng, -1.0, 1.0) * (p == 2 ? 1e9 : 1.0);
                c->torque[i] = spins ? ut_rng_range(rng, -1.0, 1.0) : 0.0;
            }
            c->torsional = spins ? 0.1 : 0.0;
        }
    }
    return count;
}

// The same sums with wide_push and wide_pull, contact by contact.
static void add_one_by_one(const utModel* model, const utKinematics* kin, int count,
                           const utContact* contact, double* g)
{
    WideForce wrench[BOXES + 1] = {0};
    for (int i = 0; i < count; i++) {
        const utContact* c = &contact[i];
        const WideImpulse f = wide_impulse_along(c->r, c->frame);
        const int body[2] = {model->geom[c->geom1].body, model->geom[c->geom2].body};
        if (body[0] > 0) {
            wide_pull(&wrench[body[0]], &f, c->point, kin->origin[body[0] - 1]);
        }
        wide_push(&wrench[body[1]], &f, c->point, kin->origin[body[1] - 1]);
        for (int k = 0; c->torsional > 0.0 && k < 3; k++) {
            wide_add_scaled(&wrench[body[0]].torque, -c->torque[k], c->frame[k]);
            wide_add_scaled(&wrench[body[1]].torque, c->torque[k], c->frame[k]);
        }
    }
    for (int dof = 0; dof < 6 * BOXES; dof++) {
        const utForce net = wide_force_round(&wrench[1 + dof / 6]);
        g[dof] += ut_force_power(net, kin->axis[dof]);
    }
}

TEST(impulses_summed_side_by_side_have_the_bits_of_single_sums)
{
    Lab lab = lab_open(0.01);
    lab_floor(&lab, 0.5);
    for (int i = 0; i < BOXES; i++) {
        lab_box(&lab, ut_vec3(i, 0.3 * i, 1.0 + i), ut_vec3(0.5, 0.4, 0.3), 1.0, 0.5);
    }
    lab_start(&lab);
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
    const ContactScene scene = {.model = lab.model, .kin = &kin};
    utRng rng = ut_rng(7, 0);
    for (int n = 0; n < 40; n++) {
        utContact contact[MOST];
        double g[2][6 * BOXES] = {{0.0}};
        const int count = make_contacts(&rng, n % 2 == 1, contact);
        CHECK_INT(ut_contact_generalized_impulse(&scene, count, contact, 0, NULL, arena, g[0]),
                  UT_OK);
        add_one_by_one(lab.model, &kin, count, contact, g[1]);
        CHECK(memcmp(g[0], g[1], sizeof g[0]) == 0);
    }
    lab_end(&lab);
}
