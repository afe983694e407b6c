// SPDX-License-Identifier: Apache-2.0
// A source of the page in the words of the engine.
import { exampleText } from './scenes.js';

/** What the engine's `load` wants for a source. */
export async function argument(source) {
    if (source.scene) return { scene: source.scene };
    if (source.file)
        return { name: source.file.split('/').pop(), text: await exampleText(source.file), files: new Map() };
    if (source.served) return { name: source.name, base: source.base };
    const files = new Map([...(source.files ?? [])].map(([path, bytes]) => [path, bytes]));
    return { name: source.name, text: source.text, files, base: source.base };
}

/** The text of a source's main file; null for scenes and recordings, which have none. */
export async function textOf(source) {
    if (source.text !== undefined) return source.text;
    if (source.file) return exampleText(source.file);
    if (!source.served) return null;
    const response = await fetch(new URL(source.name, source.base), { cache: 'no-store' });
    return response.ok ? response.text() : null;
}
