// SPDX-License-Identifier: Apache-2.0
// What the picture shows: contacts, forces, frames, and whom the camera follows.
import { el, check, choice, field, slider, button, fill } from '../app/dom.js';

/** [option, words, key of the keyboard, explanation] */
export const looks = [
    ['contacts', 'Contact points', 'C', 'Where bodies touch, by state: stick, slip, impact'],
    ['forces', 'Contact forces', 'F', 'The impulse of each contact as an arrow'],
    ['cones', 'Friction cones', 'K', 'A force inside of its cone sticks; on the cone it slips'],
    ['normals', 'Normals', 'N', ''],
    ['paths', 'Paths', 'P', 'Where the bodies have been'],
    ['joints', 'Joint axes', 'J', ''],
    ['com', 'Centres of mass', 'M', ''],
    ['inertia', 'Inertia boxes', 'I', 'Boxes with the mass and the inertia of the bodies'],
    ['frames', 'Body frames', 'E', ''],
    ['hulls', 'Convex hulls', 'H', 'Meshes collide by their hulls'],
    ['labels', 'Names', 'L', ''],
    ['sites', 'Sites', 'S', ''],
    ['springs', 'Springs and tendons', 'U', ''],
    ['transparent', 'See-through bodies', 'T', ''],
    ['grid', 'Floor grid', 'X', ''],
    ['shadows', 'Shadows', 'W', ''],
];

export function toggleLook(app, name) {
    if (!app.view) return;
    app.view.options({ [name]: !app.view.options({})[name] });
    app.emit('looks');
}

export function looksPanel(app) {
    const node = el('div', {});
    function build() {
        if (!app.view) return;
        const now = app.view.options({});
        const set = (change) => {
            app.view.options(change);
            app.emit('looks');
        };
        const groups = now.groups ?? [];
        const bodies = app.description?.bodies ?? [];
        fill(
            node,
            el(
                'div',
                { class: 'grid2' },
                looks.map(([name, words, key, title]) =>
                    check(words, Boolean(now[name]), (on) => set({ [name]: on }), {
                        id: `look-${name}`,
                        title: `${title ? `${title}. ` : ''}Key: ${key}`,
                    }),
                ),
            ),
            slider(
                'Length of force arrows',
                {
                    value: now.forceScale || 0,
                    min: 0,
                    max: Math.max(10, 2 * (now.forceScale || 0)),
                    id: 'force-scale',
                    title: 'm per N s; 0: chosen by itself',
                },
                (value) => set({ forceScale: value }),
            ),
            field(
                'Camera follows',
                choice(
                    'Camera follows',
                    [
                        [-1, 'nothing'],
                        ...bodies.map((body, i) => [i, body.name || `body ${i}`]).filter(([i]) => !bodies[i].fixed),
                    ],
                    now.follow ?? -1,
                    (value) => set({ follow: Number(value) }),
                    { id: 'follow' },
                ),
            ),
            el('h3', {}, 'Groups of geoms'),
            el(
                'div',
                { class: 'row' },
                [0, 1, 2, 3, 4, 5].map((i) =>
                    button(`Group ${i}`, {
                        text: String(i),
                        pressed: groups[i] ?? true,
                        key: String(i),
                        onclick: () => {
                            set({
                                groups: [0, 1, 2, 3, 4, 5].map((k) =>
                                    k === i ? !(groups[k] ?? true) : (groups[k] ?? true),
                                ),
                            });
                            build();
                        },
                    }),
                ),
            ),
            el(
                'div',
                { class: 'row', style: 'margin-top:14px' },
                button('See everything', { text: 'See everything', icon: 'fit', onclick: () => app.view.fit() }),
            ),
            selection(app),
        );
    }
    app.on('load', build);
    app.on('looks', build);
    app.on('select', build);
    app.on('view', build);
    return { node, show: build };
}

function selection(app) {
    const body = app.description?.bodies?.[app.selected];
    if (!body)
        return el('p', { class: 'dim small', style: 'margin-top:12px' }, 'Click a body to see its name and mass.');
    return el(
        'section',
        { id: 'selection' },
        el('h3', {}, body.name || `body ${app.selected}`),
        el(
            'p',
            { class: 'small' },
            `mass ${Number(body.mass.toPrecision(5))} kg${body.fixed ? ', does not move' : ''}`,
        ),
    );
}
