// SPDX-License-Identifier: Apache-2.0
// Keys, as in MuJoCo's viewer where it has one for the same thing. One list serves the handler and the help.
import { looks, toggleLook } from '../panels/looks.js';

/** [key of the event, how it is written, what it does, action(app, ui, event)] */
export const keys = [
    [
        'Time',
        [
            [' ', 'Space', 'play and pause', (app) => app.ask(() => app.play())],
            ['ArrowRight', '→', 'one step; with Shift ten', (app, ui, event) => app.step(event.shiftKey ? 10 : 1)],
            ['ArrowLeft', '←', 'one step back; with Shift ten', (app, ui, event) => app.back(event.shiftKey ? 10 : 1)],
            ['+', '+', 'faster', (app) => app.nudgeSpeed(1)],
            ['-', '−', 'slower', (app) => app.nudgeSpeed(-1)],
            ['Backspace', 'Backspace', 'back to the start', (app) => app.reset()],
            ['[', '[ ]', 'the keyframe before, the next one', (app) => keyframe(app, -1)],
            [']', '', '', (app) => keyframe(app, 1)],
        ],
    ],
    [
        'Picture',
        looks
            .map(([name, words, key]) => [key.toLowerCase(), key, words.toLowerCase(), (app) => toggleLook(app, name)])
            .concat([
                ['0', '0 … 5', 'show or hide a group of geoms', null],
                ['Home', 'Home', 'see everything', (app) => app.view?.fit()],
                [
                    'Escape',
                    'Esc',
                    'select nothing, follow nothing',
                    (app) => {
                        app.select(-1);
                        app.view?.options({ follow: -1 });
                        app.emit('looks');
                    },
                ],
            ]),
    ],
    [
        'Page',
        [
            ['Tab', 'Tab', 'with the picture in focus: show or hide the panel (Shift+Tab leaves the picture)', null],
            ['g', 'G', 'scenes', (app, ui) => ui.gallery.open()],
            ['o', 'O', 'open a model or a recording', (app, ui) => ui.openFiles()],
            [
                'd',
                'D',
                'pulling on or off: without it, a drag on a body turns the camera',
                (app, ui) => ui.dragMode(!ui.dragging),
            ],
            ['?', '?', 'this list', (app, ui) => ui.help.open()],
            ['F1', '', '', (app, ui) => ui.help.open()],
        ],
    ],
];

const pointer = [
    ['drag', 'on a body, while it plays: pull it; elsewhere: turn the camera'],
    ['Shift drag, right drag, two fingers', 'move the camera'],
    ['wheel, pinch', 'zoom'],
    ['Ctrl drag on a body', 'pull it, in any case; so does a finger on a body'],
    ['click on a body', 'select it'],
];
export { pointer };

function keyframe(app, by) {
    const count = app.description?.keyframes?.length ?? 0;
    if (count === 0) return;
    app.keyAt = ((app.keyAt ?? app.description.keyframe ?? -1) + by + count) % count;
    app.reset(app.keyAt);
}

export function keyboard(app, ui) {
    const table = new Map(
        keys
            .flatMap(([, list]) => list)
            .filter((entry) => entry[3])
            .map((entry) => [entry[0], entry[3]]),
    );
    table.set('=', table.get('+'));
    table.set('_', table.get('-'));
    addEventListener('keydown', (event) => {
        const { target } = event;
        if (event.ctrlKey && event.key.toLowerCase() === 'l' && target === ui.canvas) {
            event.preventDefault();
            app.reload({ play: app.running }).catch(() => {});
            return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (target.closest?.('dialog, textarea, [type=text], [type=number], [type=search], select')) return;
        // a focused button or slider keeps its own keys
        if (target.closest?.('button, summary') && [' ', 'Enter'].includes(event.key)) return;
        if (target.closest?.('[type=range]') && event.key.startsWith('Arrow')) return;
        if (target.closest?.('[type=range], [type=checkbox]') && ['Home', 'End', ' '].includes(event.key)) return;
        if (event.key === 'Tab') {
            if (target === ui.canvas && !event.shiftKey) {
                event.preventDefault();
                ui.togglePanel();
            }
            return;
        }
        if (/^[0-5]$/.test(event.key)) {
            toggleGroup(app, Number(event.key));
            return;
        }
        const act = table.get(event.key) ?? table.get(event.key.toLowerCase());
        if (!act) return;
        event.preventDefault();
        act(app, ui, event);
    });
}

function toggleGroup(app, i) {
    const groups = app.view?.options({}).groups ?? [];
    app.view?.options({
        groups: [0, 1, 2, 3, 4, 5].map((k) => (k === i ? !(groups[k] ?? true) : (groups[k] ?? true))),
    });
    app.emit('looks');
}
