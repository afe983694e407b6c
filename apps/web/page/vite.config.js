// SPDX-License-Identifier: Apache-2.0
// Builds the page into build/page: relative addresses, so that any folder of any static host serves it.
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { scenesPlugin } from './build/scenes.js';

const root = resolve(import.meta.dirname, '../../..');

export default defineConfig({
    base: './',
    root: import.meta.dirname,
    plugins: [scenesPlugin(root)],
    worker: { format: 'es' },
    build: {
        outDir: process.env.UPTACK_PAGE ?? resolve(root, 'build/page'),
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 900,
    },
});
