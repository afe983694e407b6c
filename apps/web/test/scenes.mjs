// SPDX-License-Identifier: Apache-2.0
// The scenes on which WebAssembly is compared with the native build: the models of scenes/ and scenes/seeds/, and the
// scenes by name, each in a size with at most 60 contacts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './harness.mjs';

const NAMED = [
    'balls:2:1', 'pile:8:1', 'stack:5', 'stackm:3', 'islands:2', 'pyramid:4', 'wall:2:2', 'wedge', 'table', 'slide',
    'incline', 'slope', 'ladder', 'painleve', 'pendulum', 'pendulum2', 'chain:10', 'top', 'quad', 'gripper', 'grasp',
];

function files(folder) {
    return readdirSync(join(root, folder)).filter((name) => name.endsWith('.xml')).sort().map((name) => `${folder}/${name}`);
}

export function scenes() {
    return [...files('scenes'), ...files('scenes/seeds'), ...NAMED];
}
