// SPDX-License-Identifier: Apache-2.0
// A bare page around the engine, build/engine-page, for tests of the worker and the client in a browser.
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../..');

export default {
    base: './',
    root: import.meta.dirname,
    worker: { format: 'es' },
    build: { outDir: resolve(root, 'build/engine-page'), emptyOutDir: true, target: 'es2022' },
};
