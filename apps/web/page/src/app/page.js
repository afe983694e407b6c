// SPDX-License-Identifier: Apache-2.0
// Puts bars, panels and dialogs around the canvas, and holds what they share: files, links, drag mode, the open panel.
import { el, button, icon, fill } from './dom.js';
import { dropped, chosen, interpret } from './files.js';
import { encode } from './share.js';
import * as capture from './capture.js';
import { scenes } from './scenes.js';
import { keyboard } from './keyboard.js';
import { topbar } from '../panels/topbar.js';
import { transport } from '../panels/transport.js';
import { badge } from '../panels/badge.js';
import { notices } from '../panels/notices.js';
import { gallery } from '../panels/gallery.js';
import { help } from '../panels/help.js';
import { controlsPanel } from '../panels/controls.js';
import { looksPanel } from '../panels/looks.js';
import { matricesPanel } from '../panels/matrices.js';
import { comparePanel } from '../panels/compare.js';
import { modelPanel } from '../panels/model.js';
import { Plots } from '../plots/plots.js';
import { tour } from '../tour/tour.js';

const part = (id) => document.getElementById(id);
const narrow = () => matchMedia('(max-width: 820px)').matches;

export function buildPage(app) {
    const page = part('app');
    const ui = {
        canvas: part('canvas'),
        dragging: true,
        autoplay: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    };
    ui.notice = notices(part('notices'), app);
    ui.capture = capture;
    ui.scenes = scenes;
    files(app, ui);
    ui.share = () => share(app, ui);
    // a drag on a body pulls it while the run plays; in a paused run it turns the camera
    ui.dragMode = (on) => {
        ui.dragging = on;
        pullable();
        ui.onDragMode?.(on);
    };
    const pullable = () => app.view?.options({ drag: ui.dragging && app.running });
    app.on('state', pullable);
    app.on('view', pullable);
    app.on('pulled while paused', () => {
        if (document.querySelector('.notice.paused')) return;
        ui.notice({
            kind: 'paused',
            text: 'Paused: the body follows when it plays.',
            action: ['Play', () => app.play(true)],
        });
    });
    ui.whenDrawn = (act) => {
        if (app.view) act();
        else {
            const end = app.on('view', () => {
                end();
                act();
            });
        }
    };
    ui.gallery = gallery(app, ui);
    ui.help = help(app, ui);
    ui.tour = tour(part('tour'), app, ui);
    topbar(part('topbar'), app, ui);
    transport(part('transport'), app);
    badge(part('badge'), app);
    panels(app, ui, page);
    keyboard(app, ui);

    app.on('frame', () => part('waiting')?.remove());
    app.on('trouble', () => part('waiting')?.remove());
    // controls begin with what the model's start gives
    app.on('load', () => {
        app.controls = null;
    });
    ui.welcome = () => {
        let known = true;
        try {
            known = localStorage.getItem('uptack-known') !== null;
            localStorage.setItem('uptack-known', '1');
        } catch {
            /* then it greets again */
        }
        if (!known)
            ui.greeting = ui.notice({
                text: 'New here? The tour shows in five minutes what hard contact with a certificate is.',
                action: ['Begin the tour', () => ui.tour.start(0)],
            });
    };
    return ui;
}

function panels(app, ui, page) {
    ui.plots = new Plots(app);
    ui.matrices = matricesPanel(app);
    const all = {
        controls: ['Controls', 'controls', controlsPanel(app)],
        looks: ['View', 'eye', looksPanel(app)],
        plots: ['Plots', 'plot', ui.plots],
        matrices: ['Matrices', 'matrix', ui.matrices],
        compare: ['Compare', 'compare', comparePanel(app, ui)],
        model: ['Model', 'file', modelPanel(app, ui)],
    };
    const tabs = part('tabs'),
        panel = part('panel');
    tabs.setAttribute('role', 'tablist');
    const buttons = Object.fromEntries(
        Object.entries(all).map(([name, [words, picture]]) => {
            const tab = el(
                'button',
                {
                    type: 'button',
                    role: 'tab',
                    id: `tab-${name}`,
                    'aria-selected': 'false',
                    'aria-controls': 'panel',
                    title: words,
                    onclick: () => (ui.panel === name ? ui.showPanel(null) : ui.showPanel(name)),
                },
                icon(picture),
                el('span', {}, words),
            );
            return [name, tab];
        }),
    );
    fill(tabs, Object.values(buttons));
    panel.setAttribute('role', 'tabpanel');

    let before = 'controls';
    ui.showPanel = (name) => {
        ui.panel = name;
        if (name) before = name;
        page.classList.toggle('panel-closed', !name);
        page.classList.toggle('panel-wide', Boolean(name && all[name][2].wide));
        for (const [key, tab] of Object.entries(buttons)) tab.setAttribute('aria-selected', String(key === name));
        if (!name) {
            fill(panel);
            return;
        }
        const [words, , content] = all[name];
        fill(
            panel,
            el(
                'div',
                { class: 'panel-head' },
                el('h2', {}, words),
                button('Close the panel', { icon: 'cross', class: 'plain', onclick: () => ui.showPanel(null) }),
            ),
            content.node,
        );
        panel.scrollTop = 0;
        content.show?.();
    };
    ui.togglePanel = () => ui.showPanel(ui.panel ? null : before);
    ui.showPanel(narrow() ? null : 'controls');
}

function files(app, ui) {
    const input = el('input', {
        type: 'file',
        multiple: true,
        hidden: true,
        id: 'file-input',
        'aria-label': 'Model files',
        onchange: () => {
            take(Promise.resolve(chosen(input)));
        },
    });
    document.body.append(input);
    ui.openFiles = (folder = false) => {
        input.webkitdirectory = folder;
        input.value = '';
        input.click();
    };

    async function take(list) {
        try {
            const found = await interpret(await list);
            const source =
                found.kind === 'recording'
                    ? { recording: found.bytes, name: found.name }
                    : { name: found.name, text: found.text, files: found.files };
            const description = await app.open(source, { play: false });
            if (found.kind === 'text' && found.models.length > 1) severalModels(found, description);
        } catch (error) {
            if (!app.lastTrouble || app.lastTrouble !== error.message) app.trouble(error);
        }
    }

    // a folder has several models: say which one this is, and offer the others
    function severalModels(found) {
        const others = found.models.filter((path) => path !== found.name).slice(0, 4);
        const decoder = new TextDecoder();
        ui.notice({
            text: `Opened ${found.name}. The folder has also ${others.join(', ')}.`,
            stay: true,
            action: [
                `Open ${others[0]}`,
                () =>
                    app
                        .open({ name: others[0], text: decoder.decode(found.files.get(others[0])), files: found.files })
                        .catch(() => {}),
            ],
        });
    }
    app.on('trouble', ({ message }) => {
        app.lastTrouble = message;
    });
    app.on('loading', () => {
        app.lastTrouble = null;
    });

    const stage = part('stage');
    let depth = 0;
    const over = (on) => stage.classList.toggle('dragging-files', on);
    addEventListener('dragenter', (event) => {
        if (event.dataTransfer?.types.includes('Files')) {
            depth++;
            over(true);
        }
    });
    addEventListener('dragleave', () => {
        depth = Math.max(0, depth - 1);
        if (depth === 0) over(false);
    });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        depth = 0;
        over(false);
        if (event.dataTransfer) take(dropped(event.dataTransfer));
    });
}

async function share(app, ui) {
    const state = await app.ask(() => app.shareState());
    if (!state) return;
    const hash = await encode(state);
    history.replaceState(null, '', hash);
    const size = location.href.length;
    try {
        await navigator.clipboard.writeText(location.href);
        ui.notice({
            text: `The link is copied (${size} characters). It holds the model, the settings, the state and the camera.`,
        });
    } catch {
        ui.notice({ text: `The link (${size} characters) stands in the address bar: copy it from there.` });
    }
}
