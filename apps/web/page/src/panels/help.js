// SPDX-License-Identifier: Apache-2.0
// Keys, what the marks mean, and how to open one's own model.
import { el } from '../app/dom.js';
import { keys, pointer } from '../app/keyboard.js';
import { dialog } from './dialog.js';

const list = (rows) =>
    el(
        'dl',
        { class: 'keys' },
        rows.map(([key, words]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, words)]),
    );

export function help(app, ui) {
    const body = el(
        'div',
        { class: 'dialog-body columns' },
        el(
            'section',
            {},
            el('h3', {}, 'What you see'),
            el(
                'p',
                {},
                'Rigid bodies in hard contact with Coulomb friction. Nothing is springy: bodies do not sink ' +
                    'in, creep or bounce by accident.',
            ),
            el(
                'p',
                {},
                'After every step a separate checker recomputes it from its impulses. ',
                el('b', {}, 'E'),
                ' is the largest error of the contact law, relative to the speeds of the step. Up to 1e-8 the ' +
                    'step is certified and the mark is green. A step that fails is not taken: the run stops, the ' +
                    'mark turns red and says which law failed.',
            ),
            el(
                'p',
                {},
                'Contacts that stick are blue squares and their cones have a lid; contacts that slip are ' +
                    'orange triangles with an arrow along the slip; impacts are red stars. A force inside of its ' +
                    'cone sticks; on the cone it slips.',
            ),
        ),
        el(
            'section',
            {},
            el('h3', {}, 'Your own model'),
            el(
                'p',
                {},
                'Drop an MJCF (.xml) or URDF file on the page, together with its meshes or as a folder. ' +
                    'Nothing is sent anywhere: the simulator runs in this page. What the file has and uptack does ' +
                    'not simulate is listed in Controls.',
            ),
        ),
        el('section', {}, el('h3', {}, 'Mouse and touch'), list(pointer)),
        keys.map(([title, rows]) =>
            el(
                'section',
                {},
                el('h3', {}, title),
                list(rows.filter(([, key]) => key).map(([, key, words]) => [key, words])),
            ),
        ),
    );
    const node = dialog('help', 'Keys and help', null, body);
    return {
        node,
        open: () => {
            if (!node.open) node.showModal();
        },
    };
}
