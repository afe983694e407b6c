// SPDX-License-Identifier: Apache-2.0
// Friction knows no direction: a box that slides at 3 m/s with mu 0.5 stops after the same distance
// at every heading, on a straight line, where the scheme says it has to.
#include "every.h"

#include <math.h>

static const double NEAR = 1e-6; // m

// v falls by mu g h in every step and the box moves by h v after it: the sum, written out.
static double distance_by_hand(double h)
{
    const double speed = 3.0, fall = 0.5 * 9.81 * h;
    const double n = floor(speed / fall);
    return h * (n * speed - fall * 0.5 * n * (n + 1.0));
}

typedef struct Slide {
    double distance; // m, along the heading
    double aside;    // m, across
    double h;
} Slide;

static bool slide(double heading, Slide* s)
{
    char name[32];
    Scene scene;
    snprintf(name, sizeof name, "slide:%g", heading);
    bool ok = open_scene(name, NULL, &scene);
    if (ok) {
        s->h = ut_sim_dt(scene.sim);
        const int steps = (int)ceil(1.0 / s->h);
        // it stands after v / (mu g) = 0.61 s
        ok = take_steps(&scene, steps) && largest_speed(&scene).linear <= 1e-9;
        const utVec3 p = ut_sim_body(scene.sim, 1).com;
        const double angle = heading * acos(-1.0) / 180.0;
        s->distance = p.x * cos(angle) + p.y * sin(angle);
        s->aside = fabs(p.y * cos(angle) - p.x * sin(angle));
    }
    close_scene(&scene);
    return ok;
}

void mode_isotropy(const Options* o, Verdict* verdict)
{
    const int every = o->quick ? 15 : 1; // degrees
    double least = HUGE_VAL, most = -HUGE_VAL, aside = 0.0, error = 0.0;
    int stopped = 0, headings = 0;
    for (int heading = 0; heading <= 90; heading += every) {
        Slide s = {0};
        headings++;
        stopped += slide(heading, &s);
        least = s.distance < least ? s.distance : least;
        most = larger(most, s.distance);
        aside = larger(aside, s.aside);
        error = larger(error, fabs(s.distance - distance_by_hand(s.h)));
    }
    const bool equal = count_case(verdict, stopped == headings && most - least <= NEAR);
    const bool straight = count_case(verdict, aside <= NEAR);
    const bool right = count_case(verdict, error <= NEAR);
    printf("%-4s %d of %d headings stop; distances from %.9f to %.9f m, apart by %.2e m\n",
           equal ? "ok" : "FAIL", stopped, headings, least, most, most - least);
    printf("%-4s across the heading at most %.2e m\n", straight ? "ok" : "FAIL", aside);
    printf("%-4s off the sum by hand by at most %.2e m\n", right ? "ok" : "FAIL", error);
}
