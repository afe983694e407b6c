// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies that do not collide, pairs of geoms that do, and equalities.
#include "writer.h"

static void write_pair(Writer* w, int i)
{
    const utPairDef* pair = &w->parts->pair[i];
    const utPairDef standard = ut_pair_def(pair->geom1, pair->geom2);
    const WriterName name = ut_write_reference("pair", pair->name, i);
    ut_write_open(w, "pair");
    const bool own = pair->kinetic != standard.kinetic || pair->restitution != standard.restitution;
    if (own && w->how->plain) {
        ut_write_text(w, "name", ut_writer_name(&name)); // the custom text of a plain file uses it
    } else {
        ut_write_name(w, pair->name);
    }
    ut_write_geom(w, "geom1", pair->geom1);
    ut_write_geom(w, "geom2", pair->geom2);
    ut_write_int_unless(w, "condim", pair->condim, standard.condim);
    ut_write_numbers(w, "friction", 5, pair->friction);
    ut_write_number_unless(w, "margin", pair->margin, standard.margin);
    ut_write_number_unless(w, "gap", pair->gap, standard.gap);
    if (pair->kinetic != standard.kinetic) {
        ut_write_own_number(w, ut_writer_name(&name), "kinetic", pair->kinetic);
    }
    if (pair->restitution != standard.restitution) {
        ut_write_own_number(w, ut_writer_name(&name), "restitution", pair->restitution);
    }
    ut_write_close(w);
}

void ut_write_contacts(Writer* w)
{
    if (w->parts->excludes == 0 && w->parts->pairs == 0) {
        return;
    }
    ut_write_open(w, "contact");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->excludes; i++) {
        ut_write_open(w, "exclude");
        ut_write_body(w, "body1", w->parts->exclude[i].body1);
        ut_write_body(w, "body2", w->parts->exclude[i].body2);
        ut_write_close(w);
    }
    for (int i = 0; i < w->parts->pairs; i++) {
        write_pair(w, i);
    }
    ut_write_end(w, "contact");
}

// ---- equalities ---------------------------------------------------------------------------------

static bool has_element(utEqualityKind kind)
{
    return kind == UT_EQUALITY_CONNECT || kind == UT_EQUALITY_WELD || kind == UT_EQUALITY_JOINT ||
           kind == UT_EQUALITY_TENDON;
}

static void write_coupling(Writer* w, const utEqualityDef* e)
{
    void (*const write)(Writer*, const char*, int) =
        e->kind == UT_EQUALITY_JOINT ? ut_write_joint : ut_write_tendon_name;
    const bool joint = e->kind == UT_EQUALITY_JOINT;
    write(w, joint ? "joint1" : "tendon1", e->element1);
    if (e->element2 >= 0) {
        write(w, joint ? "joint2" : "tendon2", e->element2);
    }
    ut_write_numbers(w, "polycoef", 5, e->polycoef);
}

static void write_frames(Writer* w, const utEqualityDef* e)
{
    const bool weld = e->kind == UT_EQUALITY_WELD;
    const utQuat q = e->quat;
    if (e->site1 >= 0) {
        ut_write_site(w, "site1", e->site1);
        ut_write_site(w, "site2", e->site2);
        return;
    }
    ut_write_body(w, "body1", e->body1);
    ut_write_body(w, "body2", e->body2);
    if (!weld || e->anchor.x != 0.0 || e->anchor.y != 0.0 || e->anchor.z != 0.0) {
        ut_write_vec3(w, "anchor", e->anchor);
    }
    if (weld && (q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0)) {
        const utVec3 p = e->pos;
        ut_write_numbers(w, "relpose", 7, (const double[]){p.x, p.y, p.z, q.w, q.x, q.y, q.z});
    }
}

static void write_equality(Writer* w, const utEqualityDef* e)
{
    ut_write_open(w, ut_equality_kind_name(e->kind));
    ut_write_name(w, e->name);
    if (e->kind == UT_EQUALITY_JOINT || e->kind == UT_EQUALITY_TENDON) {
        write_coupling(w, e);
    } else {
        write_frames(w, e);
    }
    if (!e->active) {
        ut_write_bool(w, "active", false);
    }
    ut_write_close(w);
}

void ut_write_equalities(Writer* w)
{
    if (w->parts->equalities == 0) {
        return;
    }
    ut_write_open(w, "equality");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->equalities; i++) {
        const utEqualityDef* e = &w->parts->equality[i];
        if (has_element(e->kind)) {
            write_equality(w, e);
        } else {
            ut_write_leave_out(
                w, ut_equality_kind_name(e->kind),
                "a joint in maximal coordinates; write the model in joint coordinates");
        }
    }
    ut_write_end(w, "equality");
}
