// SPDX-License-Identifier: Apache-2.0
// A bare page around the drawing, build/view-page, for its tests in a browser.
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../..');

export default {
    base: './',
    root: import.meta.dirname,
    worker: { format: 'es' },
    build: {
        outDir: resolve(root, 'build/view-page'),
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 2000,
    },
};
