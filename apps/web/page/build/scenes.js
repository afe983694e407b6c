// SPDX-License-Identifier: Apache-2.0
// The gallery's list, read from the repository when the page is built: every model of scenes/ and scenes/seeds/ with
// its
// first comment, and the scenes that the library knows by name, with their numbers.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const ID = 'virtual:scenes';

// [scene, title, group, words]; files are listed by their comments
const showpieces = [
    [
        'quad',
        'Quadruped',
        'Start here',
        'Twelve motors drop and stand. Pull it by the trunk, or move its legs with sliders.',
    ],
    [
        'slope:20:0.4',
        'Box on a slope',
        'Start here',
        'The friction limit: at μ = tan 20° = 0.364 the box begins to slide, and not before.',
    ],
    ['stack:30', 'Stack of thirty', 'Start here', 'Thirty cubes that do not sink, sway or creep.'],
    [
        'painleve',
        'Painlevé’s rod',
        'Start here',
        'A rod slides on its tip, digs in and stops at once, although its speed was along the floor.',
    ],
    ['balls', 'Balls in a bin', 'Start here', '32 balls settle in a square bin.'],
    [
        'grasp',
        'A hand lifts a box',
        'Friction',
        'Two fingers close, and a slide lifts. Friction alone carries the box.',
    ],
    ['gripper:10', 'Gripper', 'Friction', 'Two plates hold a box of 0.5 kg between them: from 4.905 N on.'],
    ['pyramid:8', 'Pyramid', 'Stacks and piles', '36 cubes, eight at the base, 256 contacts.'],
    ['wall:6:6', 'Wall', 'Stacks and piles', 'Bricks in running bond. Pull one out.'],
    ['stackm:10', 'Ten tonnes', 'Stacks and piles', 'Ten cubes of 1 m and 1000 kg.'],
    [
        'wedge',
        'Between floor and ceiling',
        'Stacks and piles',
        'Cubes fill the height from floor to ceiling; one is pushed.',
    ],
    ['islands:25', 'Islands', 'Stacks and piles', 'Stacks of two cubes, each solved on its own.'],
    ['pile:40:1', 'Pile', 'Stacks and piles', 'Forty boxes, balls and capsules of random sizes fall on a heap.'],
    ['table', 'Rigid table', 'Friction', 'Four feet, one more than needed: the forces are not unique, the motion is.'],
    ['slide:30', 'Sliding box', 'Friction', 'A box slides at 3 m/s. With a friction polygon it leaves its line.'],
    [
        'incline:30:-2',
        'Two percent below slipping',
        'Friction',
        'Gravity 2 % inside of the friction cone: the box stays where it is.',
    ],
    ['ladder', 'Ladder', 'Friction', 'A rod on a floor with friction and against a smooth wall.'],
    ['rolling', 'Slab on balls', 'Friction', 'A slab pushed at 60 degrees rolls on 25 balls.'],
    ['chain:10', 'Chain', 'Joints', 'Ten links released from the horizontal.'],
    ['pendulum2', 'Double pendulum', 'Joints', 'Two rods on hinges.'],
    ['top', 'Heavy top', 'Joints', 'Steady precession of a fast top.'],
    ['balls216', '216 balls', 'Stacks and piles', '6 × 6 × 6 balls without friction fall apart on a floor.'],
];

const groups = {
    berard: 'Berard: complementarity',
    dart: 'Tan, Siu and Liu: articulated',
    igms: 'Son, Trinkle and Amato: impacts',
    peiret: 'Peiret and others: phantom inertia',
    pfrommer: 'Pfrommer: one block',
};

// pictures of docs/gallery that have another name than their scene
const drawings = {
    quad: 'quadruped',
    'stack:30': 'stack-30',
    'pile:40:1': 'pile',
    'dart-three-systems': 'dart-figure-1b',
    'berard-4.2': 'berard-figure-2',
    'peiret-block': 'peiret-figure-1-left',
    'slope:20:0.4': '',
};

// a model's first comment in one line
function comment(text) {
    return (text.match(/<!--([\s\S]*?)-->/)?.[1] ?? '').replace(/\s+/g, ' ').trim();
}

function fileEntry(root, folder, file) {
    const name = basename(file, '.xml');
    const words = comment(readFileSync(join(root, 'scenes', folder, file), 'utf8'));
    const paper = groups[name.split('-')[0]];
    const colon = words.indexOf(': ');
    const title = paper ? name.replace('-', ' ') : name.replaceAll('-', ' ');
    return {
        id: join(folder, file),
        file: join(folder, file),
        title: title[0].toUpperCase() + title.slice(1),
        group: paper ?? 'Model files',
        words: paper && colon > 0 && colon < 40 ? words.slice(colon + 2) : words,
    };
}

// the scenes of the library by name, with their numbers: [{name, numbers: [{name, whole, least, most, value}]}]
function builders(root) {
    const source = readFileSync(join(root, 'src/scenes/scenes.c'), 'utf8')
        .replace('HEADING,', '{"heading", false, -360.0, 360.0},')
        .replace('{HEADING}', '{{"heading", false, -360.0, 360.0}}');
    const list = [];
    for (const [, name, usage] of source.matchAll(/\{\{"([a-z0-9]+)",\s*"([^"]+)",/g)) {
        const from = source.indexOf(`{{"${name}",`);
        const end = source.indexOf('}},', from + 2);
        const block = source.slice(
            from,
            source.indexOf('\n    {{"', from + 4) > 0 ? source.indexOf('\n    {{"', from + 4) : source.length,
        );
        const values = Object.fromEntries(
            usage
                .split(':')
                .slice(1)
                .map((part) => part.split('=')),
        );
        const numbers = [...block.matchAll(/\{"([a-z0-9]+)", (true|false), ([-0-9.e]+), ([-0-9.e]+)\}/g)].map(
            ([, key, whole, least, most]) => ({
                name: key,
                whole: whole === 'true',
                least: Number(least),
                most: Number(most),
                value: Number(values[key]),
            }),
        );
        if (end > 0) list.push({ name, numbers });
    }
    return list;
}

/** {scenes: [{id, scene | file, title, group, words, drawing}], builders} */
export function catalogue(root) {
    const pictures = new Set(readdirSync(join(root, 'docs/gallery')).filter((f) => f.endsWith('.svg')));
    const files = ['', 'seeds'].flatMap((folder) =>
        readdirSync(join(root, 'scenes', folder))
            .filter((f) => f.endsWith('.xml'))
            .sort()
            .map((f) => fileEntry(root, folder, f)),
    );
    const named = showpieces.map(([scene, title, group, words]) => ({ id: scene, scene, title, group, words }));
    const scenes = [...named, ...files].map((entry) => {
        const key = entry.scene ?? basename(entry.file, '.xml');
        const drawing = `${drawings[key] ?? key.split(':')[0]}.svg`;
        return { ...entry, drawing: pictures.has(drawing) ? drawing : null };
    });
    return { scenes, builders: builders(root) };
}

/** vite plugin: the module `virtual:scenes`; scenes/, drawings/, pictures.json and view.json beside the page. */
export function scenesPlugin(root) {
    return {
        name: 'uptack-scenes',
        resolveId: (id) => (id === ID ? `\0${ID}` : null),
        load(id) {
            return id === `\0${ID}` ? `export default ${JSON.stringify(catalogue(root))}` : null;
        },
        generateBundle() {
            const { scenes } = catalogue(root);
            for (const { file } of scenes) {
                if (file)
                    this.emitFile({
                        type: 'asset',
                        fileName: `scenes/${file}`,
                        source: readFileSync(join(root, 'scenes', file)),
                    });
            }
            // `uptack view` answers with its own view.json; pictures.js writes its own list of pictures
            this.emitFile({ type: 'asset', fileName: 'view.json', source: '{"kind": "none"}\n' });
            const drawn = scenes.filter((entry) => entry.drawing);
            for (const name of new Set(drawn.map((entry) => entry.drawing))) {
                this.emitFile({
                    type: 'asset',
                    fileName: `drawings/${name}`,
                    source: readFileSync(join(root, 'docs/gallery', name)),
                });
            }
            const pictures = Object.fromEntries(drawn.map((entry) => [entry.id, `drawings/${entry.drawing}`]));
            this.emitFile({ type: 'asset', fileName: 'pictures.json', source: JSON.stringify(pictures) });
        },
    };
}
