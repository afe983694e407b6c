// SPDX-License-Identifier: Apache-2.0
// Energy that nobody put in, over the steps of a run.
//
// The certificate finds for each step what the energy gained beyond the work that was put in;
// losses count negative. Their sum falls where something takes energy. The gain of a run is the
// largest rise of the sum above its least value before: a loss later or earlier does not hide it,
// and errors that come and go count once.
#include "internal.h"

static const double SHARE = 0.1;                   // of the scale: more is worth a warning
static const double CHANGES = 10.0;                // changes of the kinetic energy in the scale
static const double ROUNDING = 64.0 * DBL_EPSILON; // of the energies that a gain is found from

// What a step of free fall from rest gives everything that moves, J.
static double fall_of(const utStepReport* report)
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
    const double rounding = ROUNDING * (fabs(report->energy) + fabs(report->energy_next));
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

    // a run that blows up is measured by the energy that it had, without the gain itself
    const double change = ledger->steps > 0 ? fabs(report->kinetic_next - ledger->kinetic) : 0.0;
    ledger->change = fmax(ledger->change, change - fmax(gain, 0.0));
    ledger->most = fmax(ledger->most, report->kinetic_next - rise);
    ledger->fall = fmax(ledger->fall, fall_of(report));
    ledger->scale = fmax(ledger->most + CHANGES * ledger->change, ledger->fall);
    ledger->kinetic = report->kinetic_next;
    ledger->energy = report->energy_next;
    ledger->steps++;
}

bool ut_energy_ledger_gained(const utEnergyLedger* ledger)
{
    return !(ledger->gain <= SHARE * ledger->scale);
}
