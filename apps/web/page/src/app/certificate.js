// SPDX-License-Identifier: Apache-2.0
// What a step's outcome and the certificate's reasons mean, in words. Numbers as in uptack/sim.h and
// uptack/certificate.h.

export const outcomes = ['certified', 'flagged', 'over budget', 'not certified'];

/** By utCertificateReason: [short name, one sentence]. */
export const reasons = [
    ['', ''],
    ['report', 'The report of the step is incomplete.'],
    ['not finite', 'A number of the step is not finite.'],
    ['formulation', 'This formulation has no such step.'],
    ['integrator', 'The checker cannot recompute this integrator.'],
    ['mass', 'The mass matrix is not positive definite.'],
    ['actuators', 'The forces of the actuators do not follow from the controls.'],
    ['active set', 'A contact is missing from the step, or does not belong to it.'],
    ['geometry', 'A contact does not lie between its shapes.'],
    ['momentum', 'The equations of motion do not hold: mass times change of velocity is not the sum of the impulses.'],
    ['stored velocity', 'The velocity after the step does not follow from its impulses.'],
    ['bilateral', 'A joint or another equality is violated.'],
    ['position', 'The position after the step does not follow from the velocity.'],
    ['cone', 'A friction impulse lies outside of its cone.'],
    [
        'complementarity',
        'The contact law does not hold: a contact pushes while it opens, or overlaps, or slides against its friction.',
    ],
    ['impact', 'The restitution law does not hold.'],
    ['reported', 'The reported contact velocities are not those of the impulses.'],
    ['parts', 'The parts of the step do not follow each other.'],
];

/** Certified and taken; the first three outcomes were taken with a certificate or a flag. */
export const passed = (outcome) => outcome === 0 || outcome === 1;

/**
 * The state of the certificate as something to show.
 * @returns {{kind: 'idle'|'good'|'flagged'|'bad', title: string, words: string}}
 */
export function verdict({ steps, outcome, reason, E, stopped, recorded, tolerance = 1e-8 }) {
    const size = E === 0 ? '0' : E.toExponential(0).replace('e+', 'e');
    if (recorded) return { kind: 'idle', title: 'recording', words: 'Recorded states: press play to see them again.' };
    if (steps === 0 && !stopped)
        return { kind: 'idle', title: 'no step yet', words: 'Press play: every step is checked.' };
    if (stopped || outcome === 3) {
        const short = stopped?.reason ?? reasons[reason]?.[0] ?? '';
        const sentence =
            reasons.find(([name]) => name !== '' && name === short)?.[1] ??
            'No impulses were found that obey the contact law.';
        return {
            kind: 'bad',
            title: short ? `not certified: ${short}` : 'not certified',
            words: [sentence, sentenceOf(stopped?.message)].filter(Boolean).join(' '),
        };
    }
    if (outcome === 1 || outcome === 2) {
        return {
            kind: 'flagged',
            title: `taken, with a flag · E ${size}`,
            words:
                outcome === 1
                    ? 'A fallback answered, or an overlap remains.'
                    : 'Fixed work per step: E is above the limit.',
        };
    }
    return {
        kind: 'good',
        title: `certified · E ${size}`,
        words: `A separate checker recomputed this step. Largest error of the contact law: ${size}; the limit is ${tolerance.toExponential(0)}.`,
    };
}

// a message of the engine as a sentence
const sentenceOf = (message) => (message ? `${message[0].toUpperCase()}${message.slice(1)}.` : '');
