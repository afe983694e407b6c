// SPDX-License-Identifier: Apache-2.0
// Many files have inertias that no solid can have, or links that move without mass. Such robots load
// nevertheless, and each change is noted with the link's name; a strict read rejects them.
//
//   - Principal moments that are negative or break A + B >= C become the nearest ones of a solid.
//   - A link with mass and without inertia is a point mass. This is fine on a body that has inertia;
//     a body that moves and has none about some axis gets the inertia of a ball of its mass, 1 cm.
//   - A body that moves and has no mass gets the mass of its collision shapes at 1000 kg/m^3, or that
//     of a ball of 1 g, 1 cm, when it has no shapes.
//
// A body here is a link with everything that fixed joints connect to it.
#include "urdf.h"

#include "la/scalar.h"

#include <stdio.h>

// Relative to the trace: how far the moments of a solid may miss A + B >= C in a file of six digits;
// the compiler has the same tolerance.
static const double SOLID_TOLERANCE = 1e-6;
// Relative to the trace: the least principal moment of a body that moves, above the compiler's 1e-12.
static const double MIN_MOMENT = 1e-11;
// Radius of gyration below which a link counts as a point mass, m.
static const double POINT_RADIUS = 1e-6;
static const double BALL_RADIUS = 0.01; // m
static const double BALL_MASS = 0.001;  // kg

static double smallest(utVec3 d)
{
    return -ut_larger(-d.x, ut_larger(-d.y, -d.z));
}

static double largest(utVec3 d)
{
    return ut_larger(d.x, ut_larger(d.y, d.z));
}

static utMat3 ball_inertia(double mass)
{
    const double I = 0.4 * mass * BALL_RADIUS * BALL_RADIUS;
    return ut_mat3_diagonal(ut_vec3(I, I, I));
}

// @param why kept until the notes are handed over
static utStatus note_link(Urdf* u, const UrdfLink* link, const char* part, const char* why)
{
    char what[160];
    snprintf(what, sizeof what, "%s of link '%.100s'", part, link->name);
    return ut_mjcf_note(u->m, link->node, NULL, true, what, why);
}

// ---- moments of solids --------------------------------------------------------------------------

static utStatus note_moments(Urdf* u, const UrdfLink* link, utVec3 d, utVec3 now)
{
    char* why = UT_PUSH(&u->m->memory, char, 160);
    if (why == NULL) {
        return ut_mjcf_no_memory(u->m);
    }
    snprintf(why, 160, "no solid has principal moments %.3g %.3g %.3g; they become %.3g %.3g %.3g",
             d.x, d.y, d.z, now.x, now.y, now.z);
    return note_link(u, link, "inertia", why);
}

// The nearest moments with A + B >= C: the largest gives a third of what is missing, the others get a
// third each.
static utVec3 nearest_solid(utVec3 d)
{
    const utVec3 p = ut_vec3(ut_larger(d.x, 0.0), ut_larger(d.y, 0.0), ut_larger(d.z, 0.0));
    const double missing = 2.0 * largest(p) - (p.x + p.y + p.z);
    if (!(missing > 0.0)) {
        return p;
    }
    const double third = missing / 3.0, C = largest(p);
    return ut_vec3(p.x == C ? p.x - third : p.x + third, p.y == C ? p.y - third : p.y + third,
                   p.z == C ? p.z - third : p.z + third);
}

static utStatus repair_moments(Urdf* u, const UrdfLink* link)
{
    utBodyDef* b = &u->m->parts.body[link->body].def;
    utVec3 d;
    utMat3 V;
    ut_mjcf_principal_moments(b->inertia, &d, &V);
    const double size = fabs(d.x) + fabs(d.y) + fabs(d.z);
    if (!(size > b->mass * POINT_RADIUS * POINT_RADIUS)) {
        b->inertia = ut_mat3_zero();
        return UT_OK;
    }
    const double tolerance = SOLID_TOLERANCE * size;
    const double sum = d.x + d.y + d.z;
    if (smallest(d) >= -tolerance && sum - 2.0 * largest(d) >= -tolerance) {
        return UT_OK;
    }
    const utVec3 now = nearest_solid(d);
    b->inertia =
        ut_mjcf_symmetric(ut_mat3_mul(ut_mat3_mul(V, ut_mat3_diagonal(now)), ut_mat3_transpose(V)));
    return note_moments(u, link, d, now);
}

// ---- bodies that move ---------------------------------------------------------------------------

// The mass properties of a link with everything fixed to it, in the link's frame.
typedef struct Group {
    utInertia sum;
    int heavy; // a link of the group with mass, -1 for none
} Group;

static void join(Group* group, utFrame at, const Group* part)
{
    if (part->heavy < 0) {
        return;
    }
    const utInertia here = ut_inertia_transform(at, part->sum);
    group->sum = group->heavy >= 0 ? ut_inertia_add(group->sum, here) : here;
    group->heavy = group->heavy >= 0 ? group->heavy : part->heavy;
}

static void find_groups(const Urdf* u, Group* group)
{
    for (int i = 0; i < u->links; i++) {
        const utBodyDef* b = &u->m->parts.body[u->link[i].body].def;
        const bool heavy = u->link[i].body > 0 && b->mass > 0.0;
        group[i] = (Group){ut_inertia(b->mass, b->com, b->inertia), heavy ? i : -1};
    }
    // children follow their parents, so the last link comes first
    for (int i = u->links - 1; i >= 0; i--) {
        const UrdfLink* link = &u->link[u->order[i]];
        if (link->above >= 0 && u->joint[link->above].kind == URDF_FIXED) {
            const utBodyDef* b = &u->m->parts.body[link->body].def;
            const utFrame at = ut_frame(ut_quat_to_mat3(b->quat), b->pos);
            join(&group[u->joint[link->above].parent], at, &group[u->order[i]]);
        }
    }
}

static utStatus give_mass(Urdf* u, const UrdfLink* link)
{
    MjcfBody* body = &u->m->parts.body[link->body];
    if (body->geoms > 0) {
        body->def.inertial = false;
        return note_link(u, link, "mass",
                         "none, although the link moves; it gets that of its collision shapes at "
                         "1000 kg/m^3");
    }
    body->def.mass = BALL_MASS;
    body->def.inertia = ball_inertia(BALL_MASS);
    return note_link(u, link, "mass",
                     "none, although the link moves; it gets that of a ball of 1 g, radius 1 cm");
}

static utStatus give_inertia(Urdf* u, const UrdfLink* link, const Group* group)
{
    utVec3 d;
    utMat3 V;
    ut_mjcf_principal_moments(group->sum.inertia, &d, &V);
    if (smallest(d) > MIN_MOMENT * (d.x + d.y + d.z)) {
        return UT_OK;
    }
    utBodyDef* b = &u->m->parts.body[u->link[group->heavy].body].def;
    b->inertia = ut_mat3_add(b->inertia, ball_inertia(group->sum.mass));
    return note_link(u, link, "inertia",
                     "none about some axis, although the link moves; that of a ball of its mass, "
                     "radius 1 cm, is added");
}

utStatus ut_urdf_inertias(Urdf* u)
{
    for (int i = 0; i < u->links; i++) {
        if (u->link[i].body > 0) {
            UT_TRY(repair_moments(u, &u->link[i]));
        }
    }
    Group* group = UT_PUSH(&u->m->memory, Group, u->links);
    if (group == NULL) {
        return ut_mjcf_no_memory(u->m);
    }
    find_groups(u, group);
    for (int i = 0; i < u->links; i++) {
        if (u->link[i].group == i && !ut_urdf_is_static(u, i)) {
            UT_TRY(group[i].heavy < 0 ? give_mass(u, &u->link[i])
                                      : give_inertia(u, &u->link[i], &group[i]));
        }
    }
    return UT_OK;
}
