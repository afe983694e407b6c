// SPDX-License-Identifier: Apache-2.0
// Random scenes of free rigid bodies in contact.
//
// Bodies are axis-aligned boxes. The first contact of a new body determines its position, so the lever
// arms of all contacts belong to one set of positions. Boxes may overlap elsewhere, because the contact
// problem does not depend on it.
#include <uptack/lcp_problems.h>

#include <math.h>

#include "problems/power.h"

enum { GROUND = -1, FACE_REPEATS = 3, PAIR_TRIES = 4, MAX_DIRECTIONS = 64 };
enum { STREAM_BODIES = 1, STREAM_CONTACTS = 2 };

static const double HALF_MIN = 0.05;   // m
static const double HALF_RATIO = 10.0; // largest half extent over the smallest

utContactLcpDef ut_contact_lcp_def(void)
{
    return (utContactLcpDef){
        .contacts = 10,
        .directions = 4,
        .mass_ratio = 1e4,
        .redundant = 1.0 / 3.0,
        .duplicates = 0.1,
        .mu_min = 0.1,
        .mu_max = 1.0,
        .smooth = 0.1,
        .start = UT_CONTACT_MIXED,
        .speed = 1.0,
        .fall = 0.0981,
        .open = 0.2,
        .gap_rate = 0.2,
        .cookie = UT_CONTACT_LCP_DEF_COOKIE,
    };
}

static bool is_share(double x)
{
    return x >= 0.0 && x <= 1.0;
}

static bool is_size(double x)
{
    return x >= 0.0 && isfinite(x);
}

static bool def_is_good(const utContactLcpDef* def)
{
    return def->cookie == UT_CONTACT_LCP_DEF_COOKIE && def->contacts >= 1 && def->bodies >= 0 &&
           def->directions >= 0 && def->directions <= MAX_DIRECTIONS && def->directions % 2 == 0 &&
           def->mass_ratio >= 1.0 && isfinite(def->mass_ratio) && is_share(def->redundant) &&
           def->redundant < 1.0 && is_share(def->duplicates) && is_size(def->mu_min) &&
           def->mu_max >= def->mu_min && isfinite(def->mu_max) && is_share(def->smooth) &&
           (int)def->start >= 0 && def->start < UT_CONTACT_START_COUNT && is_size(def->speed) &&
           is_size(def->fall) && is_share(def->open) && is_size(def->gap_rate);
}

// ---- bodies -------------------------------------------------------------------------------------

// A box of random mass, size and velocity. Its first contact sets its centre.
static utContactBody random_body(const utContactLcpDef* def, utRng* rng)
{
    utContactBody body = {.center = {0}};
    double mass = ut_problems_power(def->mass_ratio, ut_rng_uniform(rng));
    body.inverse_mass = 1.0 / mass;
    for (int k = 0; k < 3; k++) {
        body.half[k] = HALF_MIN * ut_problems_power(HALF_RATIO, ut_rng_uniform(rng));
    }
    for (int k = 0; k < 3; k++) {
        double y = body.half[(k + 1) % 3];
        double z = body.half[(k + 2) % 3];
        body.inverse_inertia[k] = 3.0 / (mass * (y * y + z * z));
    }

    bool moves = def->start == UT_CONTACT_SLIPPING;
    if (def->start == UT_CONTACT_MIXED) {
        moves = ut_rng_below(rng, 2) == 1;
    }
    for (int k = 0; k < 6; k++) {
        double v = ut_rng_range(rng, -def->speed, def->speed);
        body.v[k] = moves ? v : 0.0;
    }
    body.v[2] -= def->fall;
    return body;
}

static double smallest_half(const utContactBody* body)
{
    return fmin(body->half[0], fmin(body->half[1], body->half[2]));
}

// ---- contacts -----------------------------------------------------------------------------------

// A contact that repeats none. @param room largest distance of its repeats
typedef struct Fresh {
    utContactPoint contact;
    double room;
} Fresh;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A random unit vector: a random point of the unit ball, normalized.
static void random_unit(utRng* rng, double n[3])
{
    double length;
    do {
        for (int k = 0; k < 3; k++) {
            n[k] = ut_rng_range(rng, -1.0, 1.0);
        }
        length = sqrt(dot(n, n));
    } while (!(length > 0.1 && length <= 1.0));
    for (int k = 0; k < 3; k++) {
        n[k] /= length;
    }
}

// A random normal with a positive component along `toward`. Half of them are the given axis.
static void random_normal(utRng* rng, int axis, const double toward[3], double n[3])
{
    if (ut_rng_below(rng, 2) == 0) {
        for (int k = 0; k < 3; k++) {
            n[k] = 0.0;
        }
        n[axis] = toward[axis] < 0.0 ? -1.0 : 1.0;
        return;
    }
    random_unit(rng, n);
    if (dot(n, toward) < 0.0) {
        for (int k = 0; k < 3; k++) {
            n[k] = -n[k];
        }
    }
}

// The vector from the centre of a box to a random point in the direction side * n: on the face if n is
// an axis, else in the inscribed ball.
static void random_arm(utRng* rng, const utContactBody* body, const double n[3], double side,
                       double arm[3])
{
    bool along_axis = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))) == 1.0;
    for (int k = 0; k < 3; k++) {
        double across = ut_rng_range(rng, -0.5, 0.5) * body->half[k];
        if (!along_axis) {
            arm[k] = side * 0.5 * smallest_half(body) * n[k];
        } else {
            arm[k] = n[k] != 0.0 ? side * n[k] * body->half[k] : across;
        }
    }
}

// The side of a contact with the ground, whose normal mostly points up or sideways.
static void ground_side(utRng* rng, double toward[3])
{
    toward[0] = ut_rng_range(rng, -1.0, 1.0);
    toward[1] = ut_rng_range(rng, -1.0, 1.0);
    toward[2] = 1.0;
}

// Place body b by a contact with the ground or an earlier body.
static Fresh place_body(utRng* rng, utContactBody* bodies, int b)
{
    Fresh fresh = {.contact = {.a = GROUND, .b = b, .repeats = -1}};
    utContactPoint* contact = &fresh.contact;
    double toward[3];
    ground_side(rng, toward);
    if (b > 0 && ut_rng_below(rng, 5) >= 2) {
        contact->a = ut_rng_below(rng, b);
        random_unit(rng, toward);
    }
    // floors are more frequent than walls
    int axis = ut_rng_below(rng, 2) == 0 ? 2 : ut_rng_below(rng, 3);
    random_normal(rng, axis, toward, contact->normal);

    fresh.room = 0.5 * smallest_half(&bodies[b]);
    if (contact->a == GROUND) {
        for (int k = 0; k < 3; k++) {
            contact->point[k] = ut_rng_range(rng, -1.0, 1.0);
        }
    } else {
        random_arm(rng, &bodies[contact->a], contact->normal, 1.0, contact->point);
        for (int k = 0; k < 3; k++) {
            contact->point[k] += bodies[contact->a].center[k];
        }
        fresh.room = fmin(fresh.room, 0.5 * smallest_half(&bodies[contact->a]));
    }

    double arm[3];
    random_arm(rng, &bodies[b], contact->normal, -1.0, arm);
    for (int k = 0; k < 3; k++) {
        bodies[b].center[k] = contact->point[k] - arm[k];
    }
    return fresh;
}

// A contact in the intersection of two boxes. @return false when it is empty
static bool join_pair(utRng* rng, const utContactBody* bodies, int a, int b, Fresh* fresh)
{
    double lo[3], hi[3], toward[3];
    int thinnest = 0;
    for (int k = 0; k < 3; k++) {
        lo[k] =
            fmax(bodies[a].center[k] - bodies[a].half[k], bodies[b].center[k] - bodies[b].half[k]);
        hi[k] =
            fmin(bodies[a].center[k] + bodies[a].half[k], bodies[b].center[k] + bodies[b].half[k]);
        if (!(lo[k] < hi[k])) {
            return false;
        }
        toward[k] = bodies[b].center[k] - bodies[a].center[k];
        if (hi[k] - lo[k] < hi[thinnest] - lo[thinnest]) {
            thinnest = k;
        }
    }

    *fresh = (Fresh){.contact = {.a = a, .b = b, .repeats = -1},
                     .room = 0.25 * (hi[thinnest] - lo[thinnest])};
    random_normal(rng, thinnest, toward, fresh->contact.normal);
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * (lo[k] + hi[k]);
        fresh->contact.point[k] = middle + 0.25 * (hi[k] - lo[k]) * ut_rng_range(rng, -1.0, 1.0);
    }
    return true;
}

// Another contact of a random body: with a box that overlaps it, else with the ground.
static Fresh join_body(utRng* rng, const utContactBody* bodies, int count)
{
    int b = ut_rng_below(rng, count);
    for (int t = 0; t < PAIR_TRIES && count > 1; t++) {
        Fresh fresh;
        int a = ut_rng_below(rng, count - 1);
        a += a >= b;
        if (join_pair(rng, bodies, a, b, &fresh)) {
            return fresh;
        }
    }

    double toward[3];
    ground_side(rng, toward);
    Fresh fresh = {.contact = {.a = GROUND, .b = b, .repeats = -1},
                   .room = 0.5 * smallest_half(&bodies[b])};
    random_normal(rng, ut_rng_below(rng, 3), toward, fresh.contact.normal);
    random_arm(rng, &bodies[b], fresh.contact.normal, -1.0, fresh.contact.point);
    for (int k = 0; k < 3; k++) {
        fresh.contact.point[k] += bodies[b].center[k];
    }
    return fresh;
}

// A contact at another point of the same plane, or at the same point.
static utContactPoint repeat_contact(utRng* rng, const Fresh* fresh, int index, bool same_point)
{
    utContactPoint contact = fresh->contact;
    contact.repeats = index;
    double offset[3];
    random_unit(rng, offset);
    double reach = fresh->room * ut_rng_uniform(rng);
    double along = dot(offset, contact.normal);
    for (int k = 0; k < 3 && !same_point; k++) {
        contact.point[k] += reach * (offset[k] - along * contact.normal[k]);
    }
    return contact;
}

// The number of repeats of the next contact. @param repeats remaining repeats @param fresh remaining
// contacts that repeat none, with this one
static int face_size(utRng* rng, int repeats, int fresh)
{
    int even = (repeats + fresh - 1) / fresh; // if they were distributed evenly
    int face = even > FACE_REPEATS ? even : FACE_REPEATS;
    bool must = repeats > (fresh - 1) * face;
    bool may = ut_rng_below(rng, fresh * face) < repeats;
    int size = must || may ? face : 0;
    return size < repeats ? size : repeats;
}

static void fill_contacts(const utContactLcpDef* def, utContactBody* bodies, int body_count,
                          utContactPoint* contacts)
{
    utRng rng = ut_rng(def->seed, STREAM_CONTACTS);
    int repeats = (int)(def->redundant * def->contacts + 0.5);
    if (repeats >= def->contacts) {
        repeats = def->contacts - 1;
    }
    int fresh_count = def->contacts - repeats;

    int c = 0;
    for (int f = 0; f < fresh_count; f++) {
        int placed = f < body_count ? f : body_count;
        Fresh fresh =
            f < body_count ? place_body(&rng, bodies, f) : join_body(&rng, bodies, placed);
        bool smooth = ut_rng_uniform(&rng) < def->smooth;
        bool open = ut_rng_uniform(&rng) < def->open;
        double mu = ut_rng_range(&rng, def->mu_min, def->mu_max);
        double gap_rate = ut_rng_range(&rng, 0.0, def->gap_rate);
        fresh.contact.mu = smooth ? 0.0 : mu;
        fresh.contact.gap_rate = open ? gap_rate : 0.0;

        int first = c;
        contacts[c++] = fresh.contact;
        int face = face_size(&rng, repeats, fresh_count - f);
        repeats -= face;
        for (int r = 0; r < face; r++) {
            bool same_point = ut_rng_uniform(&rng) < def->duplicates;
            contacts[c++] = repeat_contact(&rng, &fresh, first, same_point);
        }
    }
}

// The number of bodies, a function of the def alone.
static int body_count(const utContactLcpDef* def, utRng* rng)
{
    if (def->bodies > 0) {
        return def->bodies;
    }
    int least = (def->contacts + 2) / 3;
    int most = def->contacts / 2 > least ? def->contacts / 2 : least;
    return least + ut_rng_below(rng, most - least + 1);
}

utStatus ut_contact_scene_create(const utContactLcpDef* def, utArena* keep, utContactScene* scene)
{
    if (!def_is_good(def)) {
        return UT_ERR_DEF;
    }
    utRng rng = ut_rng(def->seed, STREAM_BODIES);
    utArena rest = *keep;
    int count = body_count(def, &rng);
    utContactBody* bodies = UT_PUSH(&rest, utContactBody, count);
    utContactPoint* contacts = UT_PUSH(&rest, utContactPoint, def->contacts);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }

    for (int b = 0; b < count; b++) {
        bodies[b] = random_body(def, &rng);
    }
    fill_contacts(def, bodies, count, contacts);
    *keep = rest;
    *scene = (utContactScene){count, bodies, def->contacts, contacts};
    return UT_OK;
}

// ---- with its problem ---------------------------------------------------------------------------

utStatus ut_contact_lcp_create(const utContactLcpDef* def, utArena* keep, utContactLcp* contact)
{
    utContactScene scene;
    utArena rest = *keep;
    UT_TRY(ut_contact_scene_create(def, &rest, &scene));
    UT_TRY(ut_contact_lcp_assemble(&scene, def->directions, &rest, contact));
    *keep = rest;
    return UT_OK;
}
