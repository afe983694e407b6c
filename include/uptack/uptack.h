// SPDX-License-Identifier: Apache-2.0
/// @file uptack.h
/// The simulator: rigid and articulated bodies in hard contact with Coulomb friction.
///
///     #include <stdio.h>
///     #include <uptack/uptack.h>
///
///     int main(void)
///     {
///         utModel* model = NULL;
///         utSim* sim = NULL;
///         utError err = {UT_OK, 0, 0, "", ""};
///         utStatus status = ut_load("stack:5", &model, &err); // or "robot.xml"
///         if (status == UT_OK)
///             status = ut_sim_create(model, NULL, &sim, &err);
///         while (status == UT_OK && ut_sim_time(sim) < 1.0)
///             status = ut_sim_step(sim, NULL, NULL, &err);
///         puts(status == UT_OK ? "one second, every step certified" : err.message);
///         ut_sim_destroy(sim);
///         ut_model_destroy(model);
///         return status == UT_OK ? 0 : 1;
///     }
///
/// Data flows one way. A file (io.h, load.h), a named scene (scenes.h) or builder calls make a
/// description (utModelDef in model.h). Compiling it gives a model, which never changes and may be
/// shared by any number of sims and threads. A sim (sim.h) is a model with a state. A step reads the
/// state and an input and writes the next state and a report (report.h): contacts, impulses, and how
/// they were found. The certificate (certificate.h) recomputes the step from its report, apart from
/// the solver; a step that does not pass is not taken. A recording (record.h) keeps states and
/// reports.
///
/// Every function that can fail returns a utStatus and fills a utError with file, line, column and a
/// sentence. Settings travel in defs: call the def's function, change fields, pass it on; NULL means
/// all defaults. Objects come from a create function and go by their destroy function, which takes
/// NULL. Units are SI, numbers are double, matrices row-major, quaternions (w, x, y, z).
///
/// Threads: there are no globals. A model may be read by many threads at once; a sim, an arena and a
/// recorder belong to one thread at a time. A batch (batch.h) steps many sims on threads of its own.
///
/// The solvers stand alone and are not included here: lcp.h (linear complementarity problems),
/// coulomb.h (friction problems), with their companions; dyn.h (dynamics of trees), collision.h.
#ifndef UPTACK_UPTACK_H
#define UPTACK_UPTACK_H

#include <uptack/base.h>
#include <uptack/batch.h>
#include <uptack/certificate.h>
#include <uptack/geom.h>
#include <uptack/io.h>
#include <uptack/load.h>
#include <uptack/model.h>
#include <uptack/record.h>
#include <uptack/report.h>
#include <uptack/scenes.h>
#include <uptack/sensor.h>
#include <uptack/sim.h>
#include <uptack/vec.h>

#endif
