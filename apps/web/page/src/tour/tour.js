// SPDX-License-Identifier: Apache-2.0
// The card of the guided tour.
import { el, button, icon, fill } from '../app/dom.js';
import { stops } from './stops.js';

export function tour(root, app, ui) {
    let at = -1,
        memory = {},
        turn = 0,
        solved = false,
        ready = false;

    const self = {
        get at() {
            return at;
        },
        get solved() {
            return solved;
        },
        start: (i = 0) => go(i),
        end() {
            if (at >= 0 && stops[at].speed !== undefined) app.speed(1);
            at = -1;
            turn++;
            point(null);
            fill(root);
        },
    };

    function point(selector) {
        for (const old of document.querySelectorAll('.pointed')) old.classList.remove('pointed');
        if (!selector) return;
        const target = document.querySelector(selector);
        target?.closest('.slider, section, .plot, .badge, footer')?.classList.add('pointed');
        target?.scrollIntoView({ block: 'nearest' });
    }

    async function go(i) {
        if (i < 0 || i >= stops.length) {
            self.end();
            return;
        }
        ui.greeting?.remove();
        at = i;
        memory = {};
        solved = false;
        ready = false;
        const mine = ++turn;
        const stop = stops[i];
        draw();
        if (stop.speed === undefined && app.state.speed !== 1) await app.speed(1);
        await app.open(stop.source, { set: stop.set, options: stop.options }).catch(() => {});
        if (mine !== turn) return;
        app.view?.options(stop.looks ?? {});
        app.emit('looks');
        if (stop.speed !== undefined) await app.speed(stop.speed);
        if (matchMedia('(min-width: 821px)').matches) ui.showPanel(stop.panel);
        stop.enter(app, memory);
        ready = true;
        if (ui.autoplay) await app.play(true);
        requestAnimationFrame(() => mine === turn && point(stop.point));
    }

    async function show() {
        const mine = turn;
        await stops[at].show(app, () => mine === turn);
    }

    function draw() {
        const stop = stops[at];
        const task = el(
            'div',
            { class: `try${solved ? ' done' : ''}`, id: 'tour-try' },
            el('b', {}, solved ? 'Well done. ' : 'Try it: '),
            solved ? stop.reward : stop.ask,
        );
        const last = at === stops.length - 1;
        fill(
            root,
            el(
                'section',
                { class: 'tour', role: 'region', 'aria-label': 'Guided tour' },
                el(
                    'div',
                    { class: 'row' },
                    el('h2', { class: 'grow', id: 'tour-title' }, `${at + 1}. ${stop.title}`),
                    el(
                        'span',
                        { class: 'dots', 'aria-label': `Stop ${at + 1} of ${stops.length}` },
                        stops.map((_, i) => el('i', { class: i === at ? 'on' : '' })),
                    ),
                    button('End the tour', {
                        icon: 'cross',
                        class: 'plain',
                        id: 'tour-end',
                        onclick: () => self.end(),
                    }),
                ),
                stop.text.map((words) => el('p', {}, words)),
                task,
                el(
                    'div',
                    { class: 'row' },
                    button(stop.showWords, { text: stop.showWords, id: 'tour-show', onclick: () => app.ask(show) }),
                    el('span', { class: 'grow' }),
                    at > 0 && button('The stop before', { text: '←', onclick: () => go(at - 1) }),
                    button(last ? 'End' : 'Next stop', {
                        text: last ? 'Done' : 'Next →',
                        class: 'primary',
                        id: 'tour-next',
                        onclick: () => go(at + 1),
                    }),
                ),
            ),
        );
    }

    app.on('frame', () => {
        if (at < 0 || solved || !ready || !app.frame) return;
        if (stops[at].done(app, memory)) {
            solved = true;
            draw();
        }
    });
    // panels that are built again lose the mark
    app.on('load', () =>
        requestAnimationFrame(() => at >= 0 && ready && !document.querySelector('.pointed') && point(stops[at].point)),
    );
    // another scene ends the tour, unless the stop itself opened it
    app.on('opened', (source) => {
        if (
            at >= 0 &&
            source !== stops[at].source &&
            !(source.scene && stops[at].source.scene?.split(':')[0] === source.scene.split(':')[0])
        )
            self.end();
    });
    return self;
}
