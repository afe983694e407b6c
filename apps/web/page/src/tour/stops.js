// SPDX-License-Identifier: Apache-2.0
// The guided tour: five scenes that show what hard contact with a certificate is. Each stop opens its scene, can show
// its
// point by itself (`show`), asks the reader to try something, and knows when that was done.
import * as frames from '../app/frames.js';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Moves a value in small steps while the stop is on the screen. */
async function glide(from, to, ms, alive, act) {
    const begin = performance.now();
    for (let s = 0; s < 1 && alive();) {
        s = Math.min(1, (performance.now() - begin) / ms);
        await act(from + (to - from) * s);
        await wait(40);
    }
}

/** Pulls a body by its centre along a path, then lets go. */
async function pull(app, name, way, ms, alive) {
    const body = app.description.bodies.findIndex((b) => b.name === name);
    if (body < 0) return;
    const at = [0, 1, 2].map((k) => frames.bodyPosition(app.frame, body, k));
    await app.play(true);
    await glide(0, 1, ms, alive, (s) =>
        app.hold(
            body,
            [0, 0, 0],
            at.map((x, k) => x + way[k] * s),
        ),
    );
    await app.release();
}

const speedOf = (app) => Math.hypot(...[...frames.v(app.frame)].slice(0, 3));

export const stops = [
    {
        title: 'The limit of friction',
        text: [
            'A box on a slope of 20 degrees. Coulomb’s law says: with a friction coefficient μ of at least tan ' +
                '20° = 0.364 it stays, below that it slides. There is nothing in between.',
            'Here it really stays. Engines with soft contacts let such a box creep by a millimetre a second, ' +
                'for ever. This one moves less than the width of an atom in an hour.',
        ],
        source: { file: 'box-on-slope.xml' },
        set: ['slope.friction=0', 'box.friction=0.4'],
        panel: 'controls',
        point: '[id="set-box.friction"]',
        looks: { contacts: true, cones: true, forces: true },
        showWords: 'Lower μ for me',
        async show(app, alive) {
            await app.play(true);
            await glide(0.4, 0.36, 4000, alive, (mu) => app.set('box.friction', Number(mu.toFixed(3))));
        },
        ask: 'Move the slider of box.friction below 0.364 until the box slips, and back again until it stops.',
        enter: (app, memory) => {
            memory.slipped = false;
        },
        done(app, memory) {
            const mu = Number(app.sets.get('box.friction'));
            if (mu < 0.364 && speedOf(app) > 0.05) memory.slipped = true;
            return memory.slipped && mu > 0.364;
        },
        reward: 'The force now lies inside of its cone again: stick. On the cone it slips.',
    },
    {
        title: 'A stack of thirty',
        text: [
            'Thirty cubes, 60 steps a second, no tuning. The lowest contact carries thirty kilograms, the ' +
                'highest one. A solver that stops early lets the stack sink, lean and fall.',
            'Look at the green mark: a checker that shares nothing with the solver recomputes every step. E is ' +
                'the largest error of the contact law; a step with more than 1e-8 would not be taken.',
        ],
        source: { scene: 'stack:30' },
        options: { dt: 1 / 60 },
        panel: 'plots',
        point: '#certificate',
        looks: { contacts: true, forces: true, cones: false },
        showWords: 'Pull at a cube for me',
        async show(app, alive) {
            await pull(app, 'box20', [0, 0.35, 0], 2500, alive);
        },
        ask: 'Pull a cube out of the stack with the mouse or a finger. Then press Backspace: it stands again.',
        enter: (app, memory) => {
            memory.held = false;
        },
        done(app, memory) {
            memory.held ||= app.holding;
            return memory.held && !app.holding;
        },
        reward: 'Impacts, sliding, a falling tower: E stays below its limit all the time.',
    },
    {
        title: 'A thrown ball',
        text: [
            'A ball is thrown at one metre a second, bounces, slides and rolls. One number says how high it ' +
                'bounces: the restitution e. Its contact has no stiffness and no damping.',
            'The plot shows the energy: a step down at every impact, level in flight, level again when the ball rolls.',
        ],
        source: { file: 'seeds/igms-ball.xml' },
        set: ['ball.restitution=0.8'],
        panel: 'plots',
        point: '#plot-energy',
        looks: { contacts: true, forces: true, paths: true },
        showWords: 'Throw it with e = 0.4',
        async show(app, alive) {
            await app.pause();
            await app.set('ball.restitution', 0.4);
            if (alive()) {
                await app.reset();
                await app.play(true);
            }
        },
        ask:
            'In Controls, choose another ball.restitution, for example 0.95, and press Backspace and Space to ' +
            'throw again.',
        enter: () => {},
        done(app) {
            const e = Number(app.sets.get('ball.restitution') ?? 0.8);
            return Math.abs(e - 0.8) > 0.01 && frames.time(app.frame) > 0.5 && app.running;
        },
        reward: 'Each height is e² times the one before. Nothing else changed.',
    },
    {
        title: 'Painlevé’s rod',
        text: [
            'A rod slides on its tip, like chalk pushed over a board. In 1895 Painlevé found that no finite ' +
                'force can hold this motion: the laws of rigid bodies and of friction seem to contradict each ' +
                'other.',
            'In nature the tip digs in and the rod stops at once. An engine that solves for impulses does the ' +
                'same. One that looks for forces finds none, and a soft contact only comes near it.',
        ],
        source: { scene: 'painleve' },
        speed: 0.05,
        panel: null,
        point: '#transport',
        looks: { contacts: true, forces: true, cones: false, paths: true },
        showWords: 'Play it slowly',
        async show(app, alive) {
            await app.reset();
            if (alive()) {
                await app.speed(0.05);
                await app.play(true);
            }
        },
        ask: 'Stop it with Space, and go back and forth with the arrow keys over the moment when the tip digs in.',
        enter: (app, memory) => {
            memory.most = 0;
        },
        done(app, memory) {
            memory.most = Math.max(memory.most, app.state.index);
            return !app.running && memory.most > 4 && app.state.index < memory.most;
        },
        reward: 'One step: sliding before it, at rest after it, and certified.',
    },
    {
        title: 'A quadruped',
        text: [
            'Twelve motors, four feet. It drops and stands; the feet stick, with no overlap at all. A soft ' +
                'contact lets such feet sink in by millimetres and slide.',
            'The same engine takes your own robot: drop an MJCF or URDF file on the page, with its meshes. A ' +
                'summary of what is not simulated stands in Controls.',
        ],
        source: { scene: 'quad' },
        panel: 'controls',
        point: '#motors',
        looks: { contacts: true, forces: true, cones: true },
        showWords: 'Lift it for me',
        async show(app, alive) {
            await pull(
                app,
                app.description.bodies.find((b) => !b.fixed && b.mass > 1)?.name,
                [0, 0, 0.25],
                2000,
                alive,
            );
        },
        ask: 'Pull it by the trunk with the mouse or a finger, or move one of the motors.',
        enter: (app, memory) => {
            memory.held = false;
            app.controls = null;
        },
        done(app, memory) {
            memory.held ||= app.holding;
            return (memory.held && !app.holding) || Boolean(app.controls);
        },
        reward:
            'That is the tour. Next: open all scenes with G, compare two formulations side by side, or open ' +
            'your own model.',
    },
];
