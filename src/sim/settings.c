// SPDX-License-Identifier: Apache-2.0
// Settings: from the model's options and a def, checked against each other.
#include "sim/settings.h"

#include <uptack/threads.h>

#include <string.h>

utSimDef ut_sim_def(void)
{
    return (utSimDef){.formulation = -1,
                      .integrator = -1,
                      .impact = -1,
                      .simultaneous = -1,
                      .cookie = UT_SIM_DEF_COOKIE};
}

static utStatus choose_solver(SimSettings* s, const char* name, utError* err)
{
    const bool polygon = s->traits->section != UT_SECTION_CIRCLE;
    // the friction cone of a planar world has two sides, so that an LCP solver fits
    const bool planar = s->section.kind == UT_SECTION_SEGMENT && !s->traits->convex;
    s->lcp_solver = UT_LCP_AUTO;
    if (polygon && strcmp(name, "auto") != 0 && ut_lcp_solver_find(name, &s->lcp_solver)) {
        s->solver = UT_COULOMB_LCP;
        return UT_OK;
    }
    if (!ut_coulomb_solver_find(name, &s->solver)) {
        if (planar && ut_lcp_solver_find(name, &s->lcp_solver)) {
            s->solver = UT_COULOMB_LCP;
            return UT_OK;
        }
        return ut_error_set(err, UT_ERR_ARGUMENT, "there is no solver '%s' for %s", name,
                            s->traits->name);
    }
    const bool round_only = s->solver == UT_COULOMB_IPM && s->section.edges > 0;
    const bool polygons_only = s->solver == UT_COULOMB_LCP && s->section.kind == UT_SECTION_CIRCLE;
    return round_only || polygons_only
               ? ut_error_set(err, UT_ERR_ARGUMENT, "solver %s does not take the %s of %s", name,
                              round_only ? "polygons" : "circles", s->traits->name)
               : UT_OK;
}

// In a planar world every section is a segment.
static utStatus choose_section(const utModel* model, SimSettings* s, utError* err)
{
    const utSectionKind kind = s->traits->section;
    const bool planar = model->options.planar != UT_PLANAR_NONE;
    s->section = planar ? ut_section_segment() : ut_section_circle();
    return planar || kind == UT_SECTION_CIRCLE
               ? UT_OK
               : ut_section_polygon(kind, s->directions, 0.0, &s->section, err);
}

// Torsional and rolling friction have no polygons and no law of impacts.
static utStatus check_condim(const utModel* model, const SimSettings* s, utError* err)
{
    const bool round = s->traits->section == UT_SECTION_CIRCLE && !s->traits->events;
    if (round || model->options.planar != UT_PLANAR_NONE) {
        return UT_OK;
    }
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        if (geom->condim > 3 && (geom->contype != 0 || geom->conaffinity != 0)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "condim %d of geom %s needs formulation coulomb or convex, not %s",
                                geom->condim, geom->name != NULL ? geom->name : "(no name)",
                                s->traits->name);
        }
    }
    for (int k = 0; k < model->npair; k++) {
        if (model->pair[k].condim > 3) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "condim %d of pair %s needs formulation coulomb or convex, not %s",
                                model->pair[k].condim,
                                model->pair[k].name != NULL ? model->pair[k].name : "(no name)",
                                s->traits->name);
        }
    }
    return UT_OK;
}

// Reject parts of a model that the formulation does not support.
static utStatus check_formulation(const utModel* model, const SimSettings* s, utError* err)
{
    const char* name = s->traits->name;
    const bool euler = !ut_settings_staged(s);
    if (model->options.midpoint && (s->traits->section == UT_SECTION_CIRCLE || !euler)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "evaluate=\"midpoint\" needs Euler steps and a formulation with "
                            "polygons, not %s",
                            euler ? name : ut_integrator_name(s->integrator));
    }
    UT_TRY(check_condim(model, s, err));
    if (!s->traits->acceleration) {
        return UT_OK;
    }
    for (int j = 0; j < model->njoint; j++) {
        if (model->joint[j].limited || model->joint[j].frictionloss > 0.0) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s does not support limits and dry friction of joints, as %s has",
                                name, model->joint[j].name);
        }
    }
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* tendon = &model->tendon[i];
        if (tendon->limited || tendon->frictionloss > 0.0 || tendon->armature > 0.0) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s does not support limits, dry friction and armature of tendons, "
                                "as %s has",
                                name, tendon->name);
        }
    }
    if (model->nequality > 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s does not support equalities and maximal coordinates", name);
    }
    for (int a = 0; a < model->nactuator; a++) {
        if (model->actuator[a].force_limited) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s does not support limited forces of actuators, as %s has", name,
                                model->actuator[a].name);
        }
    }
    if (!euler || (s->solver != UT_COULOMB_AUTO && s->solver != UT_COULOMB_LCP)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s needs Euler steps and a solver of LCPs",
                            name);
    }
    return UT_OK;
}

// The impact laws of one contact and of several, and the energy limit.
static utStatus choose_impacts(const utModel* model, SimSettings* s, const utSimDef* def,
                               utError* err)
{
    const utOptions* options = &model->options;
    const int law = def->impact >= 0 ? def->impact : options->impact;
    const int together = def->simultaneous >= 0 ? def->simultaneous : options->simultaneous;
    const bool events = s->traits->events;
    if (!events && (law > UT_IMPACT_NEWTON || together > UT_SIMULTANEOUS_MOREAU)) {
        const bool single = law > UT_IMPACT_NEWTON;
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s=\"%s\" needs formulation hybrid or mirtich; %s has newton and "
                            "moreau only",
                            single ? "impact" : "simultaneous",
                            single ? ut_impact_law_name((utImpactLaw)law)
                                   : ut_simultaneous_name((utSimultaneous)together),
                            s->traits->name);
    }
    s->impact_law = law >= 0 ? (utImpactLaw)law : UT_IMPACT_STRONGE;
    s->simultaneous = together >= 0              ? (utSimultaneous)together
                      : law == UT_IMPACT_POISSON ? UT_SIMULTANEOUS_POISSON
                                                 : UT_SIMULTANEOUS_MOREAU;
    s->limits_energy = law != UT_IMPACT_NEWTON;
    const bool plain = s->integrator != UT_INTEGRATOR_RK4;
    s->integrator = events && plain ? UT_INTEGRATOR_MIDPOINT : s->integrator;
    return UT_OK;
}

enum { MAX_SWEEPS = 100000 };

// The tier budget has the circular cone, and one part per step.
static utStatus check_tier(const SimSettings* s, utError* err)
{
    const char* needed = s->formulation != UT_FORMULATION_COULOMB ? "formulation coulomb"
                         : ut_settings_staged(s)                  ? "integrator Euler or implicit"
                         : s->position_error > 0.0                ? "steps of one length"
                                                                  : NULL;
    if (s->tier == UT_TIER_EXACT || needed == NULL) {
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "tier budget needs %s", needed);
}

// A tree that sleeps repeats one certified step, so that steps must have one length, one part and a
// certificate.
static utStatus check_sleep(const utModel* model, const SimSettings* s, utError* err)
{
    const char* needed = s->traits->events         ? "a formulation without events"
                         : s->traits->acceleration ? "a formulation on velocities"
                         : model->options.midpoint ? "forces and masses at the start of a step"
                         : ut_settings_staged(s)   ? "integrator Euler or implicit"
                         : s->position_error > 0.0 ? "steps of one length"
                         : s->no_certificate       ? "certificates"
                                                   : NULL;
    if (!s->sleep || needed == NULL) {
        return UT_OK;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "sleeping needs %s", needed);
}

// Numbers of choices: -1, or 0 for directions, means the option of the model.
static utStatus check_choices(const utSimDef* def, utError* err)
{
    const struct {
        const char* name;
        int value, least, count;
    } all[] = {
        {"formulation", def->formulation, -1, UT_FORMULATION_COUNT},
        {"integrator", def->integrator, -1, UT_INTEGRATOR_COUNT},
        {"impact", def->impact, -1, UT_IMPACT_LAW_COUNT},
        {"simultaneous", def->simultaneous, -1, UT_SIMULTANEOUS_COUNT},
        {"directions", def->directions, 0, UT_SECTION_MAX_EDGES + 1},
        {"tier", def->tier, 0, UT_TIER_COUNT},
        {"sweeps", def->sweeps, 0, MAX_SWEEPS + 1},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].value < all[k].least || all[k].value >= all[k].count) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "%s is %d; it lies between %d and %d",
                                all[k].name, all[k].value, all[k].least, all[k].count - 1);
        }
    }
    return UT_OK;
}

utStatus ut_settings_choose(const utModel* model, const utSimDef* def, SimSettings* s, utError* err)
{
    *s = (SimSettings){0};
    UT_TRY(check_choices(def, err));
    const utOptions* options = &model->options;
    s->formulation =
        (utFormulation)(def->formulation >= 0 ? def->formulation : options->formulation);
    s->traits = ut_formulation_traits(s->formulation);
    s->dt = def->dt != 0.0 ? def->dt : options->dt;
    s->tolerance = def->tolerance != 0.0 ? def->tolerance : options->tolerance;
    s->integrator = def->integrator >= 0 ? (utIntegrator)def->integrator : options->integrator;
    s->directions = def->directions != 0 ? def->directions : options->directions;
    s->position_error = def->adaptive;
    s->stop = HUGE_VAL;
    s->tier = (utTier)def->tier;
    s->sweeps = def->sweeps > 0 ? def->sweeps : UT_DEFAULT_SWEEPS;
    s->sleep = def->sleep;
    s->keep_going = def->keep_going;
    s->no_certificate = def->no_certificate;
    s->threads = def->threads > 0 ? def->threads : 1;
    if (def->threads < 0 || def->threads > UT_MAX_THREADS) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "threads is %d; there are 0 to %d", def->threads,
                            UT_MAX_THREADS);
    }
    if (!(s->dt > 0.0 && s->dt < HUGE_VAL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "dt is %g; it must be positive", s->dt);
    }
    if (!(s->position_error >= 0.0 && s->position_error < HUGE_VAL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "adaptive is %g; it must be the allowed error of a step in m, or 0",
                            s->position_error);
    }
    if (!(s->tolerance > 0.0 && s->tolerance < 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "tolerance is %g; it must be between 0 and 1",
                            s->tolerance);
    }
    UT_TRY(choose_impacts(model, s, def, err));
    UT_TRY(choose_section(model, s, err));
    UT_TRY(choose_solver(s, def->solver != NULL ? def->solver : options->solver, err));
    UT_TRY(check_formulation(model, s, err));
    UT_TRY(check_tier(s, err));
    UT_TRY(check_sleep(model, s, err));
    s->inexact = s->traits->section != UT_SECTION_CIRCLE &&
                 (options->regularization > 0.0 || options->relaxation > 0.0);
    if (s->inexact && s->solver != UT_COULOMB_AUTO && s->solver != UT_COULOMB_LCP) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "regularization and relaxation change an LCP, which %s does not solve",
                            ut_coulomb_solver_name(s->solver));
    }
    s->solver = s->inexact ? UT_COULOMB_LCP : s->solver;
    return UT_OK;
}
