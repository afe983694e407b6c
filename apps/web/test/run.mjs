// SPDX-License-Identifier: Apache-2.0
// Runs all test files of this folder: node apps/web/test/run.mjs [WORD...]
import { readdirSync } from 'node:fs';
import { runTests } from './harness.mjs';

for (const file of readdirSync(import.meta.dirname).sort()) {
    if (file.endsWith('.test.mjs')) {
        await import('./' + file);
    }
}
process.exit(await runTests(process.argv.slice(2)));
