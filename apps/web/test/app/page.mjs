// SPDX-License-Identifier: Apache-2.0
// One page of the app with what its checks ask of it.
import { openPage } from '../harness.mjs';

const WAIT = 60_000; // a loaded machine is slow

class Opened {
    constructor(opened) {
        Object.assign(this, opened);
        this.page.setDefaultTimeout(WAIT);
        this.page.on('console', (message) => message.type() === 'warning' && this.warn(message.text()));
    }

    // software rendering warns when pictures are read back
    warn(text) {
        if (!/GPU stall due to ReadPixels/.test(text)) {
            this.errors.push(text);
        }
    }

    // Run a function's body in the page, with `app`, `ui` and the argument `x`.
    run(body, argument) {
        return this.page.evaluate(
            ([code, x]) => {
                const { app, ui } = globalThis.uptackPage;
                return new Function('app', 'ui', 'x', `return (async () => { ${code} })()`)(app, ui, x);
            },
            [body, argument],
        );
    }

    // Wait until an expression in the page holds.
    until(condition, argument) {
        return this.page.waitForFunction(
            ([code, x]) => {
                const { app, ui } = globalThis.uptackPage ?? {};
                return app && new Function('app', 'ui', 'x', `return ${code}`)(app, ui, x);
            },
            [condition, argument],
            { timeout: WAIT, polling: 50 },
        );
    }

    async ready() {
        await this.until('app.view && app.description && app.fits()');
        return this;
    }

    async open(source, how = {}) {
        await this.run('await app.open(x.source, x.how); await app.nextFrame()', { source, how });
        return this.ready();
    }

    hash() {
        return this.run('return app.engine.hash()');
    }

    // Numbers of the last frame.
    now() {
        return this.run(`const d = app.frame.data, q = app.frame.q, v = q + d[12]
            return { time: d[0], steps: d[1], outcome: d[2], E: d[3], contacts: d[7], index: d[18], count: d[19],
                running: app.running, q: [...d.subarray(q, v)], v: [...d.subarray(v, v + d[13])] }`);
    }

    // The centre of a body on the screen.
    async place(name) {
        const [x, y] = await this.run(
            `const body = app.description.bodies.findIndex((b) => b.name === x)
            const s = app.view.worldToScreen([0, 1, 2].map((k) => app.frame.data[32 + 13 * body + 7 + k]))
            return [s.x, s.y]`,
            name,
        );
        const box = await this.page.locator('#canvas').boundingBox();
        return [box.x + x, box.y + y];
    }

    // Begin to drag a body with the mouse by some pixels. @return what lets go
    async drag(name, dx, dy, { ctrl = true } = {}) {
        const { keyboard, mouse } = this.page;
        const [x, y] = await this.place(name);
        if (ctrl) await keyboard.down('Control');
        await mouse.move(x, y);
        await mouse.down();
        await mouse.move(x + dx, y + dy, { steps: 10 });
        return async () => {
            await mouse.up();
            if (ctrl) await keyboard.up('Control');
        };
    }

    // Drop files: [[name, text]].
    drop(files) {
        return this.page.evaluate((list) => {
            const transfer = new DataTransfer();
            for (const [name, content] of list) {
                transfer.items.add(new File([content], name));
            }
            dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer, bubbles: true }));
            dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, files);
    }

    // Move a slider as a hand would.
    slide(id, value) {
        return this.page.locator(`[id="${id}"]`).evaluate((node, next) => {
            node.value = next;
            node.dispatchEvent(new Event('input'));
        }, String(value));
    }

    // Colours of the canvas: [distinct colours, share of the commonest].
    async colours() {
        const picture = await this.page.locator('#canvas').screenshot();
        return this.page.evaluate(async (code) => {
            const bytes = Uint8Array.from(atob(code), (c) => c.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes]));
            const ink = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
            ink.drawImage(bitmap, 0, 0);
            const data = new Uint32Array(ink.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
            const count = new Map();
            for (const colour of data) {
                count.set(colour, (count.get(colour) ?? 0) + 1);
            }
            return [count.size, Math.max(...count.values()) / data.length];
        }, picture.toString('base64'));
    }
}

// Open the page. @param how {source, set: load a scene with changes; width, height, dark, touch; reduced: less motion,
// as by default; hash: behind the address; before(page): before it loads}
export async function openApp({
    source,
    set,
    hash,
    width = 1000,
    height = 700,
    dark = false,
    touch = false,
    reduced = true,
} = {}) {
    const path = hash ?? (source?.scene ? `#scene=${source.scene}&play=0` : '');
    const opened = new Opened(
        await openPage('page', {
            path,
            viewport: { width, height },
            colorScheme: dark ? 'dark' : 'light',
            reducedMotion: reduced ? 'reduce' : 'no-preference',
            hasTouch: touch,
            isMobile: touch,
            acceptDownloads: true,
            permissions: ['clipboard-read', 'clipboard-write'],
        }),
    );
    if (source) {
        await opened.ready();
        if (source.file || set) {
            await opened.open(source, { set });
        }
    }
    return opened;
}

// Run with a page that is closed afterwards; closing fails where the page has printed errors or warnings.
export async function withApp(how, act) {
    const app = await openApp(how);
    try {
        await act(app);
    } catch (error) {
        error.message += app.errors.length ? `\nconsole: ${app.errors.slice(0, 3).join('\n')}` : '';
        app.errors.length = 0;
        await app.close().catch(() => {});
        throw error;
    }
    await app.close();
}
