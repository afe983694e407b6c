// SPDX-License-Identifier: Apache-2.0
// What tests of the drawing use in the browser, as window.drawing.
import { Engine } from '../../page/src/engine/client.js';
import * as colours from '../../page/src/view/colours.js';
import { sectionOf } from '../../page/src/view/contacts.js';
import { View } from '../../page/src/view/view.js';
import * as fixtures from './fixtures.js';

const canvas = document.querySelector('canvas');

/// A view of a fixture: its name and arguments, or the fixture itself.
function start(fixture, { theme = 'light', options = {}, args = [] } = {}) {
    window.view?.dispose();
    const f = typeof fixture === 'string' ? fixtures[fixture](...args) : fixture;
    const view = new View(canvas, { theme });
    view.load(f.description);
    view.options(options);
    view.show(f.frame());
    view.draw();
    Object.assign(window, { view, fixture: f });
    return view;
}

/// The pixels of the present picture: at(x, y) gives [r, g, b] at CSS pixels.
async function picture(view = window.view) {
    const bitmap = await createImageBitmap(await view.screenshot());
    const copy = new OffscreenCanvas(bitmap.width, bitmap.height),
        pen = copy.getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height),
        ratio = bitmap.width / canvas.clientWidth;
    return {
        data,
        width: bitmap.width,
        height: bitmap.height,
        at(x, y) {
            const o = 4 * (Math.floor(y * ratio) * bitmap.width + Math.floor(x * ratio));
            return [data[o], data[o + 1], data[o + 2]];
        },
    };
}

function rgbOf(css) {
    return [1, 3, 5].map((k) => parseInt(css.slice(k, k + 2), 16));
}

function far(a, b) {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function hueOf([r, g, b]) {
    const most = Math.max(r, g, b),
        least = Math.min(r, g, b),
        span = most - least || 1;
    const hue = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
    return (60 * hue + 360) % 360;
}

window.drawing = { Engine, View, colours, fixtures, sectionOf, start, picture, rgbOf, far, hueOf, canvas };
