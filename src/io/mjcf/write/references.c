// SPDX-License-Identifier: Apache-2.0
// What the writer knows before it writes: the elements of each body, and which elements others name.
#include <string.h>

#include "writer.h"

// ---- chains -------------------------------------------------------------------------------------

static utStatus push_chains(utArena* memory, int bodies, int count, Chains* chains)
{
    chains->first = UT_PUSH(memory, int, bodies);
    chains->next = UT_PUSH(memory, int, count);
    if (chains->first == NULL || chains->next == NULL) {
        return UT_ERR_MEMORY;
    }
    for (int i = 0; i < bodies; i++) {
        chains->first[i] = -1;
    }
    return UT_OK;
}

// Add an element at the front of its body's chain; call this from the last element to the first.
static void chain(Chains* chains, int body, int i)
{
    chains->next[i] = chains->first[body];
    chains->first[body] = i;
}

static utStatus make_chains(const utModelParts* parts, utArena* memory, Writer* w)
{
    UT_TRY(push_chains(memory, parts->bodies, parts->joints, &w->joints));
    UT_TRY(push_chains(memory, parts->bodies, parts->geoms, &w->geoms));
    UT_TRY(push_chains(memory, parts->bodies, parts->sites, &w->sites));
    for (int i = parts->joints - 1; i >= 0; i--) {
        chain(&w->joints, parts->joint[i].body, i);
    }
    for (int i = parts->geoms - 1; i >= 0; i--) {
        chain(&w->geoms, parts->geom[i].body, i);
    }
    for (int i = parts->sites - 1; i >= 0; i--) {
        chain(&w->sites, parts->site[i].body, i);
    }
    return UT_OK;
}

// ---- references ---------------------------------------------------------------------------------

static bool* push_flags(utArena* memory, int count)
{
    bool* flags = UT_PUSH(memory, bool, count);
    if (flags != NULL) {
        memset(flags, 0, (size_t)count * sizeof *flags);
    }
    return flags;
}

static void mark_equality(const utEqualityDef* e, Referenced* r)
{
    if (e->kind == UT_EQUALITY_JOINT || e->kind == UT_EQUALITY_TENDON) {
        bool* const flags = e->kind == UT_EQUALITY_JOINT ? r->joint : r->tendon;
        flags[e->element1] = true;
        if (e->element2 >= 0) {
            flags[e->element2] = true;
        }
    } else if (e->site1 >= 0) {
        r->site[e->site1] = true;
        r->site[e->site2] = true;
    } else {
        r->body[e->body1] = true;
        r->body[e->body2] = true;
    }
}

static void mark_constraints(const utModelParts* parts, Referenced* r)
{
    for (int i = 0; i < parts->excludes; i++) {
        r->body[parts->exclude[i].body1] = true;
        r->body[parts->exclude[i].body2] = true;
    }
    for (int i = 0; i < parts->pairs; i++) {
        r->geom[parts->pair[i].geom1] = true;
        r->geom[parts->pair[i].geom2] = true;
    }
    for (int i = 0; i < parts->equalities; i++) {
        mark_equality(&parts->equality[i], r);
    }
    for (int i = 0; i < parts->points; i++) {
        r->site[parts->point[i].site] = true;
        r->geom[parts->point[i].geom] = true;
    }
    for (int i = 0; i < parts->motions; i++) {
        r->body[parts->motion[i].body] = true;
    }
    for (int i = 0; i < parts->springs; i++) {
        r->site[parts->spring[i].site1] = true;
        r->site[parts->spring[i].site2] = true;
    }
}

static void mark_tendon(const utTendonDef* t, Referenced* r)
{
    for (int k = 0; k < t->wraps; k++) {
        const utWrap* wrap = &t->wrap[k];
        if (wrap->kind == UT_WRAP_JOINT) {
            r->joint[wrap->object] = true;
        } else if (wrap->kind == UT_WRAP_SITE) {
            r->site[wrap->object] = true;
        } else if (wrap->kind == UT_WRAP_GEOM) {
            r->geom[wrap->object] = true;
            if (wrap->side >= 0) {
                r->site[wrap->side] = true;
            }
        }
    }
}

static void mark_object(utObjectKind kind, int index, Referenced* r)
{
    bool* const flags[UT_OBJECT_KIND_COUNT] = {
        [UT_OBJECT_BODY] = r->body,     [UT_OBJECT_FRAME] = r->body,
        [UT_OBJECT_GEOM] = r->geom,     [UT_OBJECT_SITE] = r->site,
        [UT_OBJECT_JOINT] = r->joint,   [UT_OBJECT_ACTUATOR] = r->actuator,
        [UT_OBJECT_TENDON] = r->tendon,
    };
    if (flags[kind] != NULL) {
        flags[kind][index] = true;
    }
}

static void mark_actuator(const utActuatorDef* a, Referenced* r)
{
    const int sites[] = {a->site, a->ref_site, a->crank_site, a->slider_site};
    if (a->tendon >= 0) {
        r->tendon[a->tendon] = true;
    } else if (a->site < 0 && a->crank_site < 0 && a->equality < 0) {
        r->joint[a->joint] = true;
    }
    for (int k = 0; k < 4; k++) {
        if (sites[k] >= 0) {
            r->site[sites[k]] = true;
        }
    }
}

static void mark_controls(const utModelParts* parts, Referenced* r)
{
    for (int i = 0; i < parts->tendons; i++) {
        mark_tendon(&parts->tendon[i], r);
    }
    for (int i = 0; i < parts->actuators; i++) {
        mark_actuator(&parts->actuator[i], r);
    }
    for (int i = 0; i < parts->sensors; i++) {
        mark_object(parts->sensor[i].object, parts->sensor[i].index, r);
        mark_object(parts->sensor[i].reference, parts->sensor[i].reference_index, r);
    }
}

// The elements that the custom text of a plain file names.
static void mark_own(const utModelParts* parts, Referenced* r)
{
    for (int i = 0; i < parts->bodies; i++) {
        r->body[i] = r->body[i] || ut_write_body_is_own(&parts->body[i]);
    }
    for (int i = 0; i < parts->geoms; i++) {
        r->geom[i] = r->geom[i] || ut_write_geom_is_own(&parts->geom[i]);
    }
}

utStatus ut_writer_prepare(Writer* w, utArena* memory)
{
    const utModelParts* parts = w->parts;
    UT_TRY(make_chains(parts, memory, w));
    w->referenced = (Referenced){
        .body = push_flags(memory, parts->bodies),
        .joint = push_flags(memory, parts->joints),
        .geom = push_flags(memory, parts->geoms),
        .site = push_flags(memory, parts->sites),
        .tendon = push_flags(memory, parts->tendons),
        .actuator = push_flags(memory, parts->actuators),
    };
    const Referenced* r = &w->referenced;
    if (r->body == NULL || r->joint == NULL || r->geom == NULL || r->site == NULL ||
        r->tendon == NULL || r->actuator == NULL) {
        return UT_ERR_MEMORY;
    }
    mark_constraints(parts, &w->referenced);
    mark_controls(parts, &w->referenced);
    if (w->how->plain) {
        mark_own(parts, &w->referenced);
    }
    return UT_OK;
}
