// SPDX-License-Identifier: Apache-2.0
/// @file sim_coulomb.h
/// The friction problem of a simulation's next step as data, for programs that solve or study it
/// themselves (uptack/coulomb.h, uptack/blocks.h).
///
/// A sim belongs to one thread at a time.
#ifndef UPTACK_SIM_COULOMB_H
#define UPTACK_SIM_COULOMB_H

#include <uptack/coulomb.h>
#include <uptack/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Assemble the friction problem of the whole next step, all islands together, without taking the
/// step: M, J, f and b in the global form. The unknown velocities are those of the model, and one
/// more for each compliant row (a limited actuator or a spring), whose mass is 1 / compliance.
/// f = M̂ v*; where forces are explicit this is M v + h (tau - c). Contacts have the order of the
/// step's report, unless impulses bring more of them within reach. The report of the last step is no
/// longer valid afterwards.
/// @param keep holds the whole problem
/// @return UT_ERR_ARGUMENT, UT_ERR_MEMORY; UT_ERR_CAPACITY when `keep` cannot grow
UT_API utStatus ut_sim_coulomb(utSim* sim, const utInput* input, utArena* keep, utCoulomb* problem,
                               utError* err);

#ifdef __cplusplus
}
#endif

#endif
