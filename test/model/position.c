// SPDX-License-Identifier: Apache-2.0
// Positions: integration, differences, normalization.
#include "build.h"

#define not_a_number ((double)NAN)
#define infinite ((double)INFINITY)

static const double pi = 3.14159265358979323846;

// A free body, on it one with ball and hinge, on that a slide: nq = 7 + 4 + 1 + 1, nv = 6 + 3 + 1 +
// 1
static utModel* mixed(void)
{
    utModelDef* def = new_def();
    int a = add_link(def, 0, NULL, UT_JOINT_FREE);
    int b = add_link(def, a, NULL, UT_JOINT_BALL);
    add_joint(def, b, UT_JOINT_HINGE, NULL);
    add_link(def, b, NULL, UT_JOINT_SLIDE);
    return compile(def);
}

static void random_q(const utModel* model, utRng* rng, double* q)
{
    int at = 0;
    for (int i = 0; i < model->nq; i++) {
        q[i] = ut_rng_range(rng, -2.0, 2.0);
    }
    CHECK(ut_model_normalize(model, q, &at));
}

// A body turned by 90 degrees about z turns about its own x axis by 90 degrees:
// q = qz(90) qx(90) = (1 + k)(1 + i)/2 = (1 + i + j + k)/2. The linear part is along the world's x.
TEST(a_free_body_moves_in_the_world_and_turns_in_itself)
{
    utModel* model = mixed();
    double q[13] = {0};
    double v[11] = {0};
    memcpy(q, model->q0, sizeof q);
    q[3] = q[6] = sqrt(0.5);
    v[0] = 3.0;
    v[3] = pi;
    v[7] = pi; // the ball, about its y
    v[9] = 2.0;
    v[10] = -4.0;
    ut_model_integrate(model, q, v, 0.5, q); // in place
    const double want[13] = {1.5, 0, 1, 0.5, 0.5, 0.5, 0.5, sqrt(0.5), 0, sqrt(0.5), 0, 1, -2};
    for (int i = 0; i < 13; i++) {
        CHECK_NEAR(q[i], want[i], 1e-15);
    }
    ut_model_destroy(model);
}

// Angles below pi, where the logarithm is unique. Rounding of positions up to 6 m is
// 1e-15, that of quaternions 1e-15 and thus of angles: half the cosine's slope away from pi.
TEST(the_difference_leads_from_one_position_to_the_other)
{
    utModel* model = mixed();
    utRng rng = ut_rng(1, 2);
    double worst = 0.0;
    double worst_q = 0.0;
    for (int n = 0; n < 2000; n++) {
        double q[13], v[11], q_next[13], back[11], again[13];
        random_q(model, &rng, q);
        const double size = n % 4 == 0 ? 1e-6 : 1.75; // |w| <= sqrt(3) 1.75 < pi
        for (int i = 0; i < 11; i++) {
            v[i] = ut_rng_range(&rng, -size, size);
        }
        ut_model_integrate(model, q, v, 1.0, q_next);
        ut_model_difference(model, q, q_next, back);
        for (int i = 0; i < 11; i++) {
            worst = fmax(worst, fabs(back[i] - v[i]));
        }
        // integrating the difference leads from any position to any other, up to the sign of quaternions
        double other[13], between[11];
        random_q(model, &rng, other);
        ut_model_difference(model, q, other, between);
        ut_model_integrate(model, q, between, 1.0, again);
        const double sign1 =
            again[3] * other[3] + again[4] * other[4] + again[5] * other[5] + again[6] * other[6] <
                    0.0
                ? -1.0
                : 1.0;
        for (int i = 0; i < 7; i++) {
            const double sign = i < 3 ? 1.0 : sign1;
            worst_q = fmax(worst_q, fabs(sign * again[i] - other[i]));
        }
        worst_q = fmax(worst_q, fabs(again[12] - other[12]));
    }
    test_note("largest error of velocities %.1e, of positions %.1e", worst, worst_q);
    CHECK(worst <= 1e-12);
    CHECK(worst_q <= 1e-12);
    ut_model_destroy(model);
}

TEST(no_difference_is_zero)
{
    utModel* model = mixed();
    utRng rng = ut_rng(3, 4);
    double q[13], v[11];
    random_q(model, &rng, q);
    ut_model_difference(model, q, q, v);
    for (int i = 0; i < 11; i++) {
        CHECK_NEAR(v[i], 0.0, 1e-15);
    }
    // q and -q are the same rotation
    double other[13];
    memcpy(other, q, sizeof q);
    for (int i = 3; i < 11; i++) {
        other[i] = -other[i];
    }
    ut_model_difference(model, q, other, v);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(v[i], 0.0, 1e-15);
    }
    ut_model_destroy(model);
}

TEST(normalizing_twice_changes_nothing_more)
{
    utModel* model = mixed();
    utRng rng = ut_rng(5, 6);
    for (int n = 0; n < 2000; n++) {
        double q[13], again[13];
        random_q(model, &rng, q);
        memcpy(again, q, sizeof q);
        CHECK(ut_model_normalize(model, again, NULL));
        CHECK(memcmp(q, again, sizeof q) == 0);
        CHECK_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 2e-15);
    }
    ut_model_destroy(model);
}

TEST(what_cannot_be_normalized_is_pointed_at)
{
    utModel* model = mixed();
    static const struct {
        int from, to, at;
        double value;
    } cases[] = {
        {3, 6, 3, 0.0},          {7, 10, 7, 0.0},        {0, 0, 0, not_a_number},
        {5, 5, 5, not_a_number}, {12, 12, 12, infinite}, {8, 8, 8, -infinite},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double q[13], before[13];
        int at = -1;
        memcpy(q, model->q0, sizeof q);
        q[3] = 2.0; // would become 1
        for (int i = cases[k].from; i <= cases[k].to; i++) {
            q[i] = cases[k].value;
        }
        memcpy(before, q, sizeof q);
        CHECK(!ut_model_normalize(model, q, &at));
        CHECK_INT(at, cases[k].at);
        CHECK(memcmp(before, q, sizeof q) == 0);
        CHECK(!ut_model_normalize(model, q, NULL));
    }
    double q[13];
    memcpy(q, model->q0, sizeof q);
    q[3] = 3e-200;
    q[5] = 4e-200;
    CHECK(ut_model_normalize(model, q, NULL));
    CHECK_NEAR(q[3], 0.6, 1e-15);
    CHECK_NEAR(q[5], 0.8, 1e-15);
    ut_model_destroy(model);
}
