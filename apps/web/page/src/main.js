// SPDX-License-Identifier: Apache-2.0
// The page begins here: engine and drawing are fetched at the same time, and the first scene is small.
import './app/theme.js';
import { Engine } from './engine/client.js';
import { App } from './app/app.js';
import { buildPage } from './app/page.js';
import { served, openServed, follow } from './app/serve.js';
import { decode, fromBase64 } from './app/share.js';
import { theme } from './app/theme.js';

const drawing = import('./view/view.js');
const app = new App(Engine);
const ui = buildPage(app);
globalThis.uptackPage = { app, ui }; // for tests and for people who like the console

async function draw() {
    const { View } = await drawing;
    const view = new View(ui.canvas, { theme: theme() });
    addEventListener('themechange', () => view.options({ theme: theme() }));
    app.attach(view);
}

/** What a link holds, as a source and its settings. */
async function openLink(link) {
    if (link.tour !== undefined) {
        ui.tour.start(link.tour);
        return;
    }
    const source = { ...link.source };
    if (source.files) source.files = new Map(source.files.map(([path, code]) => [path, fromBase64(code)]));
    if (source.text !== undefined) {
        source.files ??= new Map();
        source.files.set(source.name, new TextEncoder().encode(source.text));
    }
    await app.open(source, {
        set: link.set,
        options: link.options,
        camera: link.camera,
        play: link.play,
        snapshot: link.snapshot ? fromBase64(link.snapshot) : undefined,
    });
    if (link.view)
        ui.whenDrawn(() => {
            app.view.options({ ...link.view, theme: theme() });
            if (link.camera) app.view.camera(link.camera);
            app.emit('looks');
        });
}

async function begin() {
    let link = null;
    try {
        link = await decode(location.hash);
    } catch (error) {
        app.trouble(error);
    }
    if (link) return openLink(link);
    const about = await served();
    if (about) {
        await openServed(app, about, { play: false });
        follow(app, about, ui.notice);
        return;
    }
    await app.open({ scene: 'quad' }, { play: ui.autoplay });
    ui.welcome();
}

draw().catch((error) => app.trouble(new Error(`The 3D picture cannot be drawn here: ${error.message}`)));
begin().catch((error) => {
    if (!app.description) app.trouble(error);
});
addEventListener('hashchange', () =>
    decode(location.hash)
        .then((link) => link && openLink(link))
        .catch((error) => app.trouble(error)),
);
