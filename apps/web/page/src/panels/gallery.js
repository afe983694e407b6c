// SPDX-License-Identifier: Apache-2.0
// All scenes with pictures, the user's own files first.
import { el, button, icon, fill } from '../app/dom.js';
import { scenes, entryOf } from '../app/scenes.js';
import { dialog } from './dialog.js';

// the build's list of pictures by scene: small renderings, or the drawings of the documents where nothing could render
let pictures = null;
async function knownPictures() {
    pictures ??= fetch(new URL('pictures.json', document.baseURI))
        .then((r) => (r.ok ? r.json() : {}))
        .catch(() => ({}));
    return pictures;
}

function card(entry, known, open) {
    const picture = known[entry.id];
    const image = picture
        ? el('img', {
              src: picture,
              alt: '',
              loading: 'lazy',
              width: '320',
              height: '200',
              class: picture.endsWith('.svg') ? 'drawing' : undefined,
          })
        : icon('grid');
    return el(
        'button',
        { type: 'button', class: 'card', 'data-scene': entry.id, title: entry.words, onclick: () => open(entry) },
        el('div', { class: 'picture' }, image),
        el('div', { class: 'words' }, el('b', {}, entry.title), el('span', {}, entry.words)),
    );
}

export function gallery(app, ui) {
    const search = el('input', {
        type: 'search',
        placeholder: 'Find a scene',
        'aria-label': 'Find a scene',
        oninput: () => draw(),
    });
    const body = el('div', { class: 'dialog-body' });
    const window = dialog('gallery', 'Scenes', search, body);
    let known = {};

    function open(entry) {
        window.close();
        app.open(entry.scene ? { scene: entry.scene } : { file: entry.file }, { play: ui.autoplay }).catch(() => {});
    }

    function draw() {
        const words = search.value.toLowerCase().trim();
        const found = scenes.filter(
            (entry) =>
                !words || `${entry.title} ${entry.words} ${entry.id} ${entry.group}`.toLowerCase().includes(words),
        );
        const groups = [...new Set(found.map((entry) => entry.group))];
        fill(
            body,
            el(
                'div',
                { class: 'row', style: 'margin-bottom:12px' },
                button('Open your own model', {
                    icon: 'open',
                    text: 'Your own model …',
                    onclick: () => {
                        window.close();
                        ui.openFiles();
                    },
                }),
                button('Open a folder with a model and its meshes', {
                    text: 'A folder …',
                    class: 'wide-only',
                    onclick: () => {
                        window.close();
                        ui.openFiles(true);
                    },
                }),
                button('Five-minute tour', {
                    icon: 'flag',
                    text: 'Five-minute tour',
                    onclick: () => {
                        window.close();
                        ui.tour.start(0);
                    },
                }),
                el('span', { class: 'dim small wide-only' }, 'or drop files anywhere on the page'),
            ),
            groups.map((group) => [
                el('h3', {}, group),
                el(
                    'div',
                    { class: 'cards' },
                    found.filter((entry) => entry.group === group).map((entry) => card(entry, known, open)),
                ),
            ]),
            found.length === 0 && el('p', { class: 'dim' }, 'No scene has these words.'),
        );
    }

    return {
        node: window,
        async open() {
            if (window.open) return;
            known = await knownPictures();
            draw();
            window.showModal();
            const here = entryOf(app.source);
            if (here) body.querySelector(`[data-scene="${CSS.escape(here.id)}"]`)?.scrollIntoView({ block: 'center' });
            if (matchMedia('(min-width: 821px)').matches) search.focus();
        },
    };
}
