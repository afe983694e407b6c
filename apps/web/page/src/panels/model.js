// SPDX-License-Identifier: Apache-2.0
// The model's own text, to read and to change: apply loads it again, and trouble points at its line.
import { el, button, fill } from '../app/dom.js';
import { textOf } from '../app/source.js';
import { place } from '../app/files.js';
import { save } from '../app/capture.js';
import { bytes } from '../app/format.js';

export function modelPanel(app, ui) {
    const node = el('div', {});
    const area = el('textarea', {
        spellcheck: 'false',
        wrap: 'off',
        'aria-label': 'Text of the model',
        id: 'model-text',
    });
    const lines = el('div', { class: 'lines', 'aria-hidden': 'true' });
    const editor = el('div', { class: 'editor' }, lines, area);
    let wrong = 0,
        shown = null;

    function count() {
        const n = area.value.split('\n').length;
        fill(
            lines,
            Array.from({ length: n }, (_, i) =>
                el(i + 1 === wrong ? 'b' : 'span', { style: 'display:block' }, String(i + 1)),
            ),
        );
        lines.scrollTop = area.scrollTop;
    }
    area.addEventListener('input', () => {
        wrong = 0;
        count();
    });
    area.addEventListener('scroll', () => {
        lines.scrollTop = area.scrollTop;
    });
    area.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            apply();
        }
        if (event.key === 'Escape') area.blur();
    });

    async function apply() {
        const { source } = app;
        const name = source.name ?? source.file?.split('/').pop() ?? 'model.xml';
        wrong = 0;
        try {
            await app.open(
                { name, text: area.value, files: withText(source.files, name, area.value), base: source.base },
                { play: app.running, camera: app.view?.camera() },
            );
        } catch (error) {
            wrong = place(String(error.message), () => area.value)?.line ?? 0;
            if (wrong) area.scrollTop = Math.max(0, (wrong - 6) * 18);
        }
        count();
    }

    async function build(force) {
        const { source, description: d } = app;
        if (!source || !d) return;
        if (!force && shown === source) return;
        shown = source;
        const text = await textOf(source).catch(() => null);
        const files = [...(source.files ?? [])];
        const moving = d.bodies.filter((body) => !body.fixed).length;
        const facts = el(
            'p',
            { class: 'small dim' },
            `${moving} moving ${moving === 1 ? 'body' : 'bodies'}, ${d.nv} degrees of freedom, ${d.nu} motors, step ${d.dt} s`,
        );
        if (text === null) {
            fill(
                node,
                facts,
                el(
                    'p',
                    {},
                    source.scene
                        ? `The scene ${source.scene} is built by the library: it has no file. `
                        : 'No text here. ',
                    source.scene && el('code', {}, `uptack convert ${source.scene} model.xml`),
                    source.scene && ' writes one.',
                ),
                source.scene && el('div', { class: 'row tight' }, sceneInput(app)),
            );
        } else {
            area.value = text;
            wrong = 0;
            fill(
                node,
                facts,
                editor,
                el(
                    'div',
                    { class: 'row', style: 'margin-top:8px' },
                    button('Apply the text', {
                        text: 'Apply',
                        class: 'primary',
                        key: 'Ctrl Enter',
                        id: 'model-apply',
                        onclick: apply,
                    }),
                    button('Save the text', {
                        text: 'Save',
                        onclick: () =>
                            save(
                                new Blob([area.value], { type: 'application/xml' }),
                                (source.name ?? source.file).split('/').pop(),
                            ),
                    }),
                ),
                files.length > 1 &&
                    el(
                        'details',
                        { style: 'margin-top:10px' },
                        el('summary', {}, `${files.length} files`),
                        el(
                            'ul',
                            { class: 'small' },
                            files.map(([path, data]) => el('li', {}, `${path}, ${bytes(data.length)}`)),
                        ),
                    ),
            );
            count();
        }
    }
    app.on('opened', () => {
        if (node.isConnected) build(true);
    });
    return { node, show: () => build(false), wide: true };
}

function withText(files, name, text) {
    const out = new Map(files ?? []);
    out.set(name, new TextEncoder().encode(text));
    return out;
}

// any scene by its name, as on the command line
function sceneInput(app) {
    const input = el('input', {
        type: 'text',
        class: 'grow',
        value: app.source.scene,
        'aria-label': 'Scene by name',
        id: 'scene-name',
        spellcheck: 'false',
    });
    const go = () => app.open({ scene: input.value.trim() }, { play: app.running }).catch(() => {});
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') go();
    });
    return [input, button('Build this scene', { text: 'Build', onclick: go })];
}
