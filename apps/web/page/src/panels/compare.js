// SPDX-License-Identifier: Apache-2.0
// Side by side: the same scene twice, in step, with one setting changed.
import { el, choice, field, button, fill, say } from '../app/dom.js';
import { number, exponent } from '../app/format.js';
import * as frames from '../app/frames.js';

export function comparePanel(app, ui) {
    const node = el('div', {});
    let chosen = null,
        step = '';
    const difference = el('b', { class: 'num', id: 'difference' }),
        errors = el('span', { class: 'num' });

    async function begin() {
        const options = {};
        if (chosen && chosen !== app.description.formulation) options.formulation = chosen;
        if (step !== '' && Number(step) > 0) options.dt = Number(step);
        const words =
            [options.formulation, options.dt && `step ${options.dt} s`].filter(Boolean).join(', ') ||
            'the same settings';
        await app.ask(() => app.compare.begin(options, words));
    }

    function build() {
        const d = app.description;
        if (!d) return;
        const others = (d.formulations ?? []).filter((name) => name !== d.formulation);
        if (!others.includes(chosen)) chosen = others.find((name) => name === 'stewart-trinkle') ?? others[0];
        const { on, words } = app.compare;
        fill(
            node,
            el(
                'p',
                {},
                'The same scene twice from the same start, in step. The second run is drawn as a ghost, with ' +
                    'lines between equal bodies.',
            ),
            field('This run', el('output', {}, d.formulation)),
            on
                ? field('Ghost', el('output', { id: 'ghost' }, words))
                : field(
                      'Ghost',
                      choice(
                          'Formulation of the ghost',
                          others,
                          chosen,
                          (value) => {
                              chosen = value;
                          },
                          { id: 'ghost-formulation' },
                      ),
                  ),
            el(
                'div',
                { class: 'row' },
                on
                    ? button('End the comparison', { text: 'End', id: 'compare-end', onclick: () => app.compare.end() })
                    : button('Compare', {
                          text: 'Compare from the start',
                          class: 'primary',
                          id: 'compare-begin',
                          onclick: begin,
                      }),
            ),
            on &&
                el(
                    'div',
                    { style: 'margin-top:14px' },
                    el('p', {}, 'Largest distance between equal bodies: ', difference),
                    el('p', { class: 'dim small' }, 'E of both: ', errors),
                    button('Plot the difference', {
                        text: 'Plot the difference',
                        onclick: () => ui.plots.add('difference'),
                    }),
                ),
            el(
                'details',
                {},
                el('summary', {}, 'Which formulation when?'),
                el(
                    'p',
                    { class: 'small' },
                    '`coulomb` and `convex` have the circular friction cone; `stewart-trinkle`, ' +
                        '`anitescu-potra` and `hybrid` a polygon inside of it, `peiret` one around it. ',
                    'On a box that slides at 30 degrees the polygon turns the path: compare “Sliding box” with ' +
                        'stewart-trinkle. `uptack compare` prints all of them as a table.',
                ),
            ),
        );
        measure();
    }
    function measure() {
        if (!app.compare.on || !node.isConnected) return;
        const x = app.compare.difference;
        say(difference, Number.isFinite(x) ? (x < 1e-3 ? `${exponent(x)} m` : `${number(x, 4)} m`) : '–');
        if (app.frame && app.compare.frame)
            say(errors, `${exponent(frames.E(app.frame))} and ${exponent(frames.E(app.compare.frame))}`);
    }
    app.on('compare', build);
    app.on('load', build);
    app.on('compared', measure);
    app.on('frame', measure);
    return { node, show: build };
}
