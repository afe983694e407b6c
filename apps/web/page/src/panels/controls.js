// SPDX-License-Identifier: Apache-2.0
// What can be moved while it runs: numbers of the scene, motors, attributes, and how a step is computed.
import { el, check, choice, field, slider, button, fill } from '../app/dom.js';
import { sceneNumbers, withNumber } from '../app/scenes.js';
import { number } from '../app/format.js';
import * as frames from '../app/frames.js';

/** Ends of a slider around a value that has no natural range. */
function range(path, value) {
    if (/friction/.test(path)) return { min: 0, max: Math.max(1.2, 2 * value) };
    if (/restitution/.test(path)) return { min: 0, max: 1 };
    if (value === 0) return { min: -1, max: 1 };
    return value > 0 ? { min: 0, max: 3 * value } : { min: 3 * value, max: 0 };
}

function sceneSection(app) {
    const numbers = sceneNumbers(app.source?.scene);
    if (numbers.length === 0) return null;
    return el(
        'section',
        { id: 'scene-numbers' },
        el('h3', {}, 'This scene'),
        numbers.map((item) => {
            const least = Math.max(item.least, item.name === 'angle1' || item.name === 'angle2' ? -180 : item.least);
            const most = item.whole
                ? Math.min(item.most, Math.max(40, item.value))
                : item.name === 'mu'
                  ? Math.max(1, item.value)
                  : Math.min(item.most, Math.max(100, item.value));
            return slider(
                item.name === 'mu' ? 'μ (friction)' : item.name,
                {
                    value: item.value,
                    min: least,
                    max: most,
                    step: item.whole ? 1 : 'any',
                    id: `number-${item.name}`,
                    title: 'Builds the scene again',
                },
                (value) => rebuild(app, item.name, value),
            );
        }),
    );
}

// one build at a time: the newest wish waits for the one in work
let building = false,
    wish = null;
async function rebuild(app, name, value) {
    wish = [name, value];
    if (building) return;
    building = true;
    while (wish) {
        const [key, next] = wish;
        wish = null;
        const play = app.running;
        const scene = withNumber(app.source.scene, key, Number(number(next, 8)));
        await app
            .open(
                { scene },
                { set: app.setList(), options: app.settings, camera: app.view?.camera(), play, rebuilt: true },
            )
            .catch(() => {});
    }
    building = false;
}

function motorSection(app) {
    const { actuators, nu } = app.description;
    if (!nu) return null;
    const now = app.frame ? [...frames.ctrl(app.frame)] : new Array(nu).fill(0);
    const values = now.length === nu ? now : new Array(nu).fill(0);
    const sliders = actuators.map((motor, i) => {
        const ends =
            motor.ctrllimited && motor.range
                ? { min: motor.range[0], max: motor.range[1] }
                : motor.kind === 'position'
                  ? { min: values[i] - 1.5, max: values[i] + 1.5 }
                  : { min: -Math.max(20, 2 * Math.abs(values[i])), max: Math.max(20, 2 * Math.abs(values[i])) };
        return slider(
            `${motor.name || `motor ${i}`}${motor.kind ? ` · ${motor.kind}` : ''}`,
            { value: values[i], ...ends, id: `ctrl-${i}` },
            (value) => {
                values[i] = value;
                app.ctrl([...values]);
            },
        );
    });
    return el('section', { id: 'motors' }, el('h3', {}, 'Motors'), sliders);
}

function attributeSection(app) {
    const still = new Set(
        app.description.geoms
            .filter((geom) => geom.kind === 'plane')
            .flatMap((geom) => [`${geom.name}.density`, `${geom.name}.mass`]),
    );
    const offered = (app.description.attributes ?? []).filter(
        (item) => item.path !== 'option.dt' && !still.has(item.path),
    );
    const input = el('input', {
        type: 'text',
        class: 'grow',
        id: 'set-text',
        placeholder: 'box.friction=0.3',
        'aria-label': 'An attribute: NAME.ATTR=VALUE',
        spellcheck: 'false',
        list: 'attribute-paths',
    });
    const apply = async () => {
        const at = input.value.indexOf('=');
        if (at < 1) {
            app.trouble(new Error('Write NAME.ATTR=VALUE, for example box.mass=2 or option.gravity=0 0 -1.62.'));
            return;
        }
        if (await app.set(input.value.slice(0, at).trim(), input.value.slice(at + 1).trim())) input.value = '';
    };
    const chosen = [...app.sets].filter(([path]) => !offered.some((item) => item.path === path));
    return el(
        'section',
        { id: 'attributes' },
        el('h3', {}, 'Attributes'),
        el(
            'div',
            { class: 'row tight' },
            input,
            button('Set the attribute', { text: 'Set', id: 'set-apply', onclick: apply }),
        ),
        el(
            'datalist',
            { id: 'attribute-paths' },
            offered.map((item) => el('option', { value: `${item.path}=${item.value}` })),
        ),
        chosen.length > 0 &&
            el('p', { class: 'small dim' }, `Set: ${chosen.map(([path, value]) => `${path}=${value}`).join(', ')}`),
        offered.length > 12 && filterBox(),
        offered.slice(0, 200).map((item) =>
            slider(
                item.label ?? item.path,
                {
                    value: item.value,
                    ...range(item.path, item.value),
                    id: `set-${item.path}`,
                    title: `--set ${item.path}=…`,
                },
                (value) => throttled(app, item.path, Number(number(value, 6))),
            ),
        ),
        listen(input, apply),
    );
}

// shows only the sliders whose names have these letters; only the first of many are seen without
const FEW = 10;
function filterBox() {
    const narrow = () => {
        const sliders = [...input.parentElement.querySelectorAll('.slider')];
        const words = input.value.toLowerCase().trim();
        let seen = 0;
        for (const node of sliders) {
            const match = node.textContent.toLowerCase().includes(words);
            node.hidden = !match || (!words && seen >= FEW);
            if (match) seen++;
        }
        more.hidden = Boolean(words) || seen <= FEW;
        more.querySelector('span').textContent = `All ${seen}`;
    };
    const input = el('input', {
        type: 'search',
        id: 'attribute-filter',
        placeholder: 'Filter: friction, mass, a name',
        'aria-label': 'Filter the attributes',
        style: 'width:100%;margin-top:6px',
        oninput: narrow,
    });
    const more = button('All attributes', {
        text: 'All',
        class: 'plain',
        onclick: () => {
            for (const node of input.parentElement.querySelectorAll('.slider')) node.hidden = false;
            more.hidden = true;
        },
    });
    queueMicrotask(narrow);
    return [input, more];
}

function listen(input, apply) {
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') {
            event.preventDefault();
            apply();
        }
    });
    return null;
}

const waiting = new Map();
async function throttled(app, path, value) {
    const busy = waiting.has(path);
    waiting.set(path, value);
    if (busy) return;
    while (waiting.get(path) !== undefined) {
        const next = waiting.get(path);
        waiting.set(path, undefined);
        await app.set(path, next);
    }
    waiting.delete(path);
}

function stepSection(app) {
    const d = app.description;
    const change = (key) => (value) => app.change({ [key]: value });
    const numeric = (key, value, attributes) => {
        const input = el('input', {
            type: 'number',
            id: `option-${key}`,
            value: String(value ?? ''),
            ...attributes,
            onchange: () => {
                const x = Number(input.value);
                if (input.value !== '' && Number.isFinite(x)) app.change({ [key]: x });
            },
        });
        return input;
    };
    const impacts = [['', 'by formulation'], 'newton', 'poisson', 'stronge'];
    return el(
        'section',
        { id: 'computing' },
        el('h3', {}, 'How a step is computed'),
        field(
            'Formulation',
            choice('Formulation', d.formulations ?? [d.formulation], d.formulation, change('formulation'), {
                id: 'option-formulation',
            }),
        ),
        field('Solver', choice('Solver', d.solvers ?? [d.solver], d.solver, change('solver'), { id: 'option-solver' })),
        field('Step, s', numeric('dt', d.dt, { min: '1e-6', max: '1', step: 'any' })),
        field(
            'Directions',
            numeric('directions', d.directions, {
                min: '2',
                max: '64',
                step: '2',
                title: 'Edges of the friction polygon, where the formulation has one',
            }),
        ),
        field('Impact law', choice('Impact law', impacts, d.impact, change('impact'), { id: 'option-impact' })),
        check('Go on without a certificate', Boolean(app.settings.keepGoing), (on) => app.change({ keepGoing: on }), {
            id: 'option-keepGoing',
            title: 'Steps that fail the check are taken and shown in red. Without it the run stops there.',
        }),
        el(
            'div',
            { class: 'row' },
            button('Load the scene again with its own settings', {
                text: 'Reset all settings',
                id: 'clear-settings',
                onclick: () => app.reload({ set: [], options: {}, play: app.running }).catch(() => {}),
            }),
        ),
    );
}

function missingSection(app) {
    const missing = app.description.missing ?? [];
    const notes = app.description.notes ?? [];
    if (missing.length + notes.length === 0) return null;
    return el(
        'section',
        {},
        el('h3', {}, 'Not simulated'),
        el(
            'ul',
            { class: 'small' },
            [
                ...missing.map(
                    (item) =>
                        `${item.what}${item.count > 1 ? ` (${item.count} times)` : ''}${item.line ? `, line ${item.line}` : ''}`,
                ),
                ...notes,
            ].map((words) => el('li', {}, words)),
        ),
    );
}

export function controlsPanel(app) {
    const node = el('div', {});
    let shape = '';
    function build(force) {
        if (!app.description) return;
        // a slider that is being moved must stay: only values change while the model keeps its shape
        const held = node.contains(document.activeElement) && ['range', 'text'].includes(document.activeElement?.type);
        const now = `${app.source?.scene?.split(':')[0] ?? app.source?.file ?? app.source?.name}|${app.description.nq}|${app.description.nu}`;
        if (!force && held && now === shape) return;
        shape = now;
        if (app.isRecording) {
            fill(
                node,
                el(
                    'p',
                    {},
                    'A recording is shown: its states can be looked at, not changed. Open its model to simulate it.',
                ),
                missingSection(app),
            );
            return;
        }
        fill(node, sceneSection(app), motorSection(app), stepSection(app), attributeSection(app), missingSection(app));
    }
    // the controls' values come with the first frame after a load
    let due = false;
    app.on('load', () => {
        due = app.fresh;
        build(false);
    });
    app.on('frame', () => {
        if (due && app.fits()) {
            due = false;
            build(false);
        }
    });
    app.on('settings', () => build(false));
    return { node, show: () => build(true) };
}
