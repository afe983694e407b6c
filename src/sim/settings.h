// SPDX-License-Identifier: Apache-2.0
// The settings of a sim: fixed from ut_sim_create on, but for the stop time.
#ifndef UPTACK_SIM_SETTINGS_H
#define UPTACK_SIM_SETTINGS_H

#include <uptack/impact.h>
#include <uptack/sim.h>

#include "contact/contact.h"

typedef struct SimSettings {
    utFormulation formulation;
    const utFormulationTraits* traits; // of the formulation
    utSection section;                 // of the friction cone
    int directions;                    // edges of a polygonal section
    utCoulombSolver solver;
    utLcpSolver lcp_solver; // where `solver` is UT_COULOMB_LCP
    bool inexact;           // the model's options regularize or relax the LCP
    utIntegrator integrator;
    double dt;             // length of a step; with adaptive steps the longest one, s
    double tolerance;      // of E
    double position_error; // allowed per adaptive step, m; 0: all steps have length dt
    double stop;           // no adaptive step goes past this time, s
    utTier tier;
    int sweeps;      // tier budget: per step
    bool sleep;      // islands at rest fall asleep
    bool keep_going; // accept steps that are not certified
    bool no_certificate;
    int threads;                 // that solve islands
    utImpactLaw impact_law;      // of a single contact
    utSimultaneous simultaneous; // law of several contacts at once
    bool limits_energy;          // restitution is scaled down where it would add energy
} SimSettings;

/// Choose all settings from the model's options and `def`.
/// @return UT_ERR_ARGUMENT naming the setting that cannot be used
utStatus ut_settings_choose(const utModel* model, const utSimDef* def, SimSettings* settings,
                            utError* err);

/// Does the integrator have stages of its own, as RK4 and MIDPOINT have?
static inline bool ut_settings_staged(const SimSettings* settings)
{
    return settings->integrator == UT_INTEGRATOR_RK4 ||
           settings->integrator == UT_INTEGRATOR_MIDPOINT;
}

#endif
