// SPDX-License-Identifier: Apache-2.0
// The user's own files: dropped, or chosen from disk; one model with its includes and meshes, a folder, or a recording.

const MODEL = /\.(xml|urdf|mjcf)$/i;

async function readEntry(entry, out) {
    if (entry.isFile) {
        const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
        out.push([entry.fullPath.replace(/^\//, ''), file]);
        return;
    }
    const reader = entry.createReader();
    for (;;) {
        // a reader hands out at most 100 entries a call
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) return;
        for (const child of some) await readEntry(child, out);
    }
}

/** Files of a drop, folders opened: [[path, File]]. */
export async function dropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.length === 0) return [...transfer.files].map((file) => [file.name, file]);
    const out = [];
    for (const entry of entries) await readEntry(entry, out);
    return out;
}

/** Files of an `<input type="file">`, with the paths of a chosen folder. */
export const chosen = (input) => [...input.files].map((file) => [file.webkitRelativePath || file.name, file]);

// the model that a set of files means: the one that no other includes, the shallowest, then by name
function mainModel(models, texts) {
    const included = new Set();
    for (const [path, text] of texts) {
        const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
        for (const [, file] of text.matchAll(/<include[^>]*\bfile\s*=\s*"([^"]+)"/g)) included.add(folder + file);
        for (const [, file] of text.matchAll(/<model[^>]*\bfile\s*=\s*"([^"]+)"/g)) included.add(folder + file);
    }
    const depth = (path) => path.split('/').length;
    const free = models.filter((path) => !included.has(path));
    const scene = (path) => (/(^|\/)scene[^/]*\.xml$/i.test(path) ? 0 : 1); // MuJoCo's menagerie names the model with a floor so
    return (free.length ? free : models).sort(
        (a, b) => depth(a) - depth(b) || scene(a) - scene(b) || a.localeCompare(b),
    )[0];
}

/**
 * What a list of files means.
 * @returns {Promise<{kind: 'recording', name, bytes} | {kind: 'text', name, text, files: Map<string, Uint8Array>, models: string[]}>}
 */
export async function interpret(list) {
    const recording = list.find(([path]) => /\.utr$/i.test(path));
    if (recording)
        return { kind: 'recording', name: recording[0], bytes: new Uint8Array(await recording[1].arrayBuffer()) };
    const models = list.map(([path]) => path).filter((path) => MODEL.test(path));
    if (models.length === 0) {
        const names = list
            .map(([path]) => path)
            .slice(0, 3)
            .join(', ');
        throw new Error(
            `${names || 'Nothing'}: no model here. Drop an .xml (MJCF) or .urdf file together with its meshes, or a recording (.utr).`,
        );
    }
    const files = new Map();
    for (const [path, file] of list) files.set(path, new Uint8Array(await file.arrayBuffer()));
    const decoder = new TextDecoder();
    const texts = models.map((path) => [path, decoder.decode(files.get(path))]);
    const name = mainModel(models, texts);
    return { kind: 'text', name, text: decoder.decode(files.get(name)), files, models };
}

/** The parts of `file:line:col: message` and the line itself, where the text is known. */
export function place(message, files) {
    const match = message.match(/^(.+?):(\d+):(?:(\d+):)?\s*([\s\S]*)$/);
    if (!match) return null;
    const [, file, line, column] = match;
    const text = files(file);
    if (text === undefined) return { file, line: Number(line), column: Number(column ?? 1) };
    return { file, line: Number(line), column: Number(column ?? 1), text: text.split('\n')[Number(line) - 1] ?? '' };
}
