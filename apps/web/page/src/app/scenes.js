// SPDX-License-Identifier: Apache-2.0
// The gallery's scenes, and the texts of those that are files.
import list from 'virtual:scenes';

export const scenes = list.scenes;
export const builders = new Map(list.builders.map((builder) => [builder.name, builder]));

const texts = new Map();

/** Text of a file of scenes/, fetched once. */
export async function exampleText(file) {
    if (!texts.has(file)) {
        const response = await fetch(new URL(`scenes/${file}`, document.baseURI));
        if (!response.ok) throw new Error(`${file}: the server answers ${response.status} ${response.statusText}`);
        texts.set(file, await response.text());
    }
    return texts.get(file);
}

/** The entry of the gallery that a source is, or undefined. */
export const entryOf = (source) =>
    scenes.find(
        (entry) => (source?.scene && entry.scene === source.scene) || (source?.file && entry.file === source.file),
    );

/** What to call a source. */
export function titleOf(source) {
    if (!source) return '';
    const entry = entryOf(source);
    if (entry) return entry.title;
    return source.scene ?? source.file ?? source.name ?? 'model';
}

/** The numbers in a scene's name, as sliders: [{name, value, least, most, whole}]; empty for files. */
export function sceneNumbers(scene) {
    if (!scene) return [];
    const [name, ...given] = scene.split(':');
    const builder = builders.get(name);
    if (!builder) return [];
    return builder.numbers.map((item, i) => {
        const named = given.find((part) => part.startsWith(`${item.name}=`));
        const text = named ? named.slice(item.name.length + 1) : given[i]?.includes('=') ? undefined : given[i];
        return { ...item, value: text === undefined ? item.value : Number(text) };
    });
}

/** The scene with one of its numbers changed. */
export function withNumber(scene, name, value) {
    const numbers = sceneNumbers(scene).map((item) => (item.name === name ? { ...item, value } : item));
    return [scene.split(':')[0], ...numbers.map((item) => item.value)].join(':');
}
