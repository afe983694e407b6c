// SPDX-License-Identifier: Apache-2.0
// Closed forms as tests: a scene is built, run and compared with numbers worked out by hand, and
// then built again with a friction, a mass or a length off by one per cent, which it has to notice.
//
//     CLOSED_FORM(a_box_slides, OFF_MU | OFF_MASS)
//     {
//         ... build with t->mu * 0.5 and t->mass * 2.0, expect what 0.5 and 2.0 give ...
//         EXPECT(t, speed, wanted, bound);
//     }
//
// The factors t->mu, t->mass, t->length and t->e are 1 in the first run: every EXPECT must hold. In
// each further run one of those that the scene declares is 0.99 or 1.01, and a restitution, which
// is 1 at most, 0.99 alone: some EXPECT must not hold. What is expected never has a factor in it.
//
//     stick and slip              friction.c, formulations.c
//     rolling                     rolling.c, rolling_friction.c
//     tipping against sliding     tipping.c
//     ladders                     ladders.c
//     stacks and tables           statics.c
//     pushed and pulled           pushing.c
//     tops and gyroscopes         tops.c
//     pendulums, springs, chains  pendulums.c, springs.c, joints.c
//     Painlevé's rod              painleve.c
//     SimBenchmark's rolling      simbenchmark.c
//     impacts                     impact_*.c
#ifndef UPTACK_TEST_PHYSICS_CLOSED_FORM_H
#define UPTACK_TEST_PHYSICS_CLOSED_FORM_H

#include "lab.h"

static const double G = 9.81;
static const double PI = 3.14159265358979323846;

/// What a scene notices when it is off by one per cent. A scene says which friction, mass, length
/// and restitution it means by what it multiplies.
enum { OFF_MU = 1, OFF_MASS = 2, OFF_LENGTH = 4, OFF_E = 8 };

/// One run of a scene.
typedef struct Trial {
    double mu, mass, length, e; // factors on what is built
    bool off;                   // one of them is not 1
    bool noticed;               // then: some expectation did not hold
} Trial;

typedef void Scene(Trial* t);

static inline void trial_expect(Trial* t, double got, double want, double bound, const char* file,
                                int line, const char* text)
{
    if (t->off) {
        t->noticed = t->noticed || !(fabs(got - want) <= bound);
    } else {
        test_near(got, want, bound, file, line, text);
    }
}

#define EXPECT(t, got, want, bound) \
    trial_expect((t), (got), (want), (bound), __FILE__, __LINE__, #got)

/// Run a scene as it should be and with everything it notices off by one per cent, both ways.
static inline void closed_form(const char* name, Scene* scene, int notices)
{
    static const char* const what[] = {"a friction", "a mass", "a length", "a restitution"};
    Trial right = {.mu = 1.0, .mass = 1.0, .length = 1.0, .e = 1.0};
    scene(&right);
    CHECK(notices > 0 && notices < 16);
    for (int k = 0; k < 7; k++) {
        const int kind = k / 2;
        if ((notices >> kind & 1) == 0) {
            continue;
        }
        const double factor = k % 2 == 0 ? 0.99 : 1.01;
        Trial wrong = right;
        wrong.off = true;
        wrong.mu = kind == 0 ? factor : 1.0;
        wrong.mass = kind == 1 ? factor : 1.0;
        wrong.length = kind == 2 ? factor : 1.0;
        wrong.e = kind == 3 ? factor : 1.0;
        scene(&wrong);
        if (!CHECK(wrong.noticed)) {
            test_note("%s: %s times %.2f goes unnoticed", name, what[kind], factor);
        }
    }
}

#define CLOSED_FORM(name_, notices_)                  \
    static void name_##_scene(Trial* t);              \
    TEST(name_)                                       \
    {                                                 \
        closed_form(#name_, name_##_scene, notices_); \
    }                                                 \
    static void name_##_scene(Trial* t)

// ---- bounds -------------------------------------------------------------------------------------

// Motion with a constant acceleration from rest has no error in h: symplectic Euler has v = a t and
// x = a h^2 n (n + 1) / 2 after n steps.
static inline double covered(double a, double h, int n)
{
    return a * h * h * n * (n + 1) / 2.0;
}

/// What the certificate leaves of a velocity after some steps, m/s. A step is certified when the
/// contact's error is below 1e-8 of V, the largest velocity of a contact that the step changes: h g
/// for what rests or rolls, the speed for what slides. A velocity or an impulse over a mass follows
/// from it with a factor that stays below 10 for these few bodies.
static inline double left_of(double V, int steps)
{
    return 1e-7 * V * steps;
}

/// The same of a position, m.
static inline double way_left_of(double V, double h, int steps)
{
    return left_of(V, steps) * h * steps;
}

#endif
