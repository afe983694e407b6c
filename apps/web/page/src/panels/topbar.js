// SPDX-License-Identifier: Apache-2.0
// The bar above the picture: which scene, open, tour, share, pictures and recordings, drag mode, light and dark, help.
import { el, button, icon, fill, say } from '../app/dom.js';
import { titleOf } from '../app/scenes.js';
import { theme, toggleTheme } from '../app/theme.js';
import * as capture from '../app/capture.js';

const logo =
    '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0072b2"/><path d="M16 6v19M7 25h18" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>';

/** A button that opens a list of entries below itself; Escape, a choice and a click elsewhere close it. */
function menu(label, options, entries) {
    const items = el('div', { class: 'items', role: 'menu', hidden: true });
    const toggle = button(label, { ...options, onclick: () => show(items.hidden) });
    toggle.setAttribute('aria-haspopup', 'menu');
    function show(open) {
        items.hidden = !open;
        toggle.setAttribute('aria-expanded', String(open));
        if (!open) return;
        fill(
            items,
            entries()
                .filter(Boolean)
                .map(([words, act, name]) => {
                    const item = button(words, {
                        icon: name,
                        text: words,
                        onclick: () => {
                            show(false);
                            act();
                        },
                    });
                    item.setAttribute('role', 'menuitem');
                    return item;
                }),
        );
        items.querySelector('button')?.focus();
    }
    const node = el('div', { class: 'menu' }, toggle, items);
    document.addEventListener('pointerdown', (event) => {
        if (!node.contains(event.target)) show(false);
    });
    node.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && !items.hidden) {
            event.stopPropagation();
            show(false);
            toggle.focus();
        }
    });
    return node;
}

export function topbar(root, app, ui) {
    const name = el('span', {}, 'Scenes');
    const scene = el(
        'button',
        {
            type: 'button',
            class: 'scene-button',
            id: 'scenes',
            title: 'All scenes (G)',
            onclick: () => ui.gallery.open(),
        },
        icon('grid'),
        name,
    );
    const drag = button('Pull bodies: a drag on a body pulls it while it plays; without this, hold Ctrl', {
        icon: 'hand',
        key: 'D',
        id: 'dragmode',
        pressed: ui.dragging,
        onclick: () => ui.dragMode(!ui.dragging),
    });
    ui.onDragMode = (on) => drag.setAttribute('aria-pressed', String(on));
    const dark = button('Light or dark', {
        icon: theme() === 'dark' ? 'sun' : 'moon',
        id: 'theme',
        onclick: () => toggleTheme(),
    });
    addEventListener('themechange', () => fill(dark, icon(theme() === 'dark' ? 'sun' : 'moon')));

    fill(
        root,
        el('a', {
            class: 'brand',
            href: './',
            title: 'uptack: hard contact, every step checked',
            html: `${logo}<span>uptack</span>`,
        }),
        scene,
        el(
            'span',
            { class: 'wide-only' },
            button('Open a model, a folder or a recording', {
                icon: 'open',
                text: 'Open',
                key: 'O',
                id: 'open',
                onclick: () => ui.openFiles(),
            }),
        ),
        el(
            'span',
            { class: 'wide-only' },
            button('A guided tour of five minutes', {
                icon: 'flag',
                text: 'Tour',
                id: 'tour-button',
                onclick: () => ui.tour.start(0),
            }),
        ),
        el('span', { class: 'space' }),
        drag,
        el(
            'span',
            { class: 'wide-only' },
            button('See everything', { icon: 'fit', key: 'Home', id: 'fit', onclick: () => app.view?.fit() }),
        ),
        el(
            'span',
            { class: 'wide-only' },
            button('Copy a link to exactly this', {
                icon: 'share',
                text: 'Share',
                id: 'share',
                onclick: () => ui.share(),
            }),
        ),
        menu('Menu: pictures, video, recordings', { icon: 'menu', id: 'capture' }, () => [
            ['Open a model or a recording …', () => ui.openFiles(), 'open'],
            ['Open a folder …', () => ui.openFiles(true), 'open'],
            ['Copy a link to exactly this', () => ui.share(), 'share'],
            ['Save a picture', () => capture.picture(app, ui.notice), 'camera'],
            [capture.filming() ? 'End the video' : 'Film a short video', () => capture.film(app, ui.notice), 'play'],
            app.isRecording
                ? null
                : [
                      app.state.recording ? 'End and save recording (.utr)' : 'Begin a recording',
                      () => capture.record(app, 'utr', ui.notice),
                      'file',
                  ],
            app.state.recording
                ? ['End and save as table (.csv)', () => capture.record(app, 'csv', ui.notice), 'file']
                : null,
            ['A guided tour of five minutes', () => ui.tour.start(0), 'flag'],
            ['See everything', () => app.view?.fit(), 'fit'],
            [theme() === 'dark' ? 'Light colours' : 'Dark colours', toggleTheme, theme() === 'dark' ? 'sun' : 'moon'],
        ]),
        el('span', { class: 'wide-only' }, dark),
        button('Keys and help', { icon: 'help', key: '?', id: 'help-button', onclick: () => ui.help.open() }),
    );

    app.on('opened', (source) => {
        const title = titleOf(source);
        say(name, title);
        document.title = `${title} · uptack`;
    });
}
