// SPDX-License-Identifier: Apache-2.0
// The energy that a run gains without work.
//
// The certificate reports for each step the change of energy less the work put in; losses are
// negative. Their sum falls where dampers, friction or impacts take energy. The gain of a run is the
// largest rise of the sum above its least earlier value. So a loss does not hide a gain, and errors
// that come and go count once.
#include "sim/internal.h"
#include "sim/tolerances.h"

static const double WARNING_FRACTION = 0.1;  // of the scale: a larger gain is worth a warning
static const double CHANGES_IN_SCALE = 10.0; // largest changes of the kinetic energy in the scale

// Kinetic energy of all moving bodies after a step of free fall from rest, J.
static double find_fall_energy(const utStepReport* report)
{
    const utModel* model = report->model;
    const double speed = report->h * ut_vec3_norm(report->gravity);
    double mass = 0.0;
    for (int b = 0; b < model->nbody; b++) {
        mass += model->body[b].tree >= 0 ? model->body[b].mass : 0.0;
    }
    return 0.5 * mass * speed * speed;
}

void ut_energy_ledger_add(utEnergyLedger* ledger, const utStepResult* result)
{
    const utStepReport* report = &result->report;
    const double rounding = ENERGY_ROUNDING * (fabs(report->energy) + fabs(report->energy_next));
    const double gain = result->certificate.energy_gain;
    if (ledger->steps > 0) {
        const double raised = report->energy - ledger->energy;
        const bool counts = report->projection != NULL && raised > rounding;
        ledger->projected += counts ? raised : 0.0;
    }
    if (!(fabs(gain) <= rounding)) {
        ledger->net += gain;
    }
    ledger->least = fmin(ledger->least, ledger->net);
    const double rise = ledger->net - ledger->least;
    ledger->gain = rise <= ledger->gain ? ledger->gain : rise;

    // the scale excludes the gain itself, so that a diverging run does not hide its gain
    const double change = ledger->steps > 0 ? fabs(report->kinetic_next - ledger->kinetic) : 0.0;
    ledger->change = fmax(ledger->change, change - fmax(gain, 0.0));
    ledger->most = fmax(ledger->most, report->kinetic_next - rise);
    ledger->fall = fmax(ledger->fall, find_fall_energy(report));
    ledger->scale = fmax(ledger->most + CHANGES_IN_SCALE * ledger->change, ledger->fall);
    ledger->kinetic = report->kinetic_next;
    ledger->energy = report->energy_next;
    ledger->steps++;
}

bool ut_energy_ledger_gained(const utEnergyLedger* ledger)
{
    return !(ledger->gain <= WARNING_FRACTION * ledger->scale);
}
