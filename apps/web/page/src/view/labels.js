// SPDX-License-Identifier: Apache-2.0
// Names of bodies beside them: one texture with all names, one draw call.
import { CanvasTexture, LinearFilter, SRGBColorSpace } from 'three';
import { isMoving } from './colours.js';
import { Quads } from './quads.js';

const MOST = 200,
    SIZE = 13,
    WIDTH = 1024; // names; px of the font; px of the texture
const LAYOUT = [
    ['place', 3],
    ['part', 4],
    ['box', 4],
];

const vertexShader = /* glsl */ `
attribute vec3 place;
attribute vec4 part, box; // place in the texture; size and offset in px
uniform vec2 viewport;
uniform float ratio;
varying vec2 uvOfText;
void main() {
    vec4 p = projectionMatrix * viewMatrix * vec4(place, 1.0);
    vec2 at = floor((box.zw + position.xy * box.xy) * ratio + 0.5);
    vec2 middle = floor((p.xy / p.w * 0.5 + 0.5) * viewport + 0.5);
    uvOfText = part.xy + position.xy * part.zw;
    gl_Position = vec4(2.0 * (middle + at) / viewport - 1.0, 0.0, 1.0);
    if (p.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform sampler2D names;
varying vec2 uvOfText;
void main() {
    gl_FragColor = texture2D(names, uvOfText);
    if (gl_FragColor.a < 0.01) discard;
    #include <colorspace_fragment>
}`;

export class Labels {
    constructor(parent, description) {
        this.parent = parent;
        this.names = [];
        description.bodies.forEach((body, b) => {
            if (b > 0 && isMoving(body) && body.name && this.names.length < MOST) {
                this.names.push({ body: b, name: body.name });
            }
        });
        this.quads = null;
    }

    paint(theme, ratio) {
        this.dispose();
        if (!this.names.length) {
            return;
        }
        this.texture = new CanvasTexture(this.write(theme, ratio));
        this.texture.colorSpace = SRGBColorSpace;
        this.texture.minFilter = this.texture.magFilter = LinearFilter;
        this.texture.generateMipmaps = false;
        this.texture.premultiplyAlpha = false;
        this.quads = new Quads(
            this.parent,
            LAYOUT,
            [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
            { vertexShader, fragmentShader },
            { order: 30, overlay: true },
            { names: { value: this.texture } },
        );
    }

    // the canvas with all names, and their places on it
    write(theme, ratio) {
        const canvas = document.createElement('canvas'),
            pen = canvas.getContext('2d');
        const font = `500 ${SIZE * ratio}px system-ui, "Segoe UI", Helvetica, Arial, sans-serif`;
        const line = Math.ceil((SIZE + 7) * ratio),
            rim = Math.ceil(3 * ratio);
        let x = 0,
            y = 0;
        pen.font = font;
        for (const name of this.names) {
            name.width = Math.min(WIDTH, Math.ceil(pen.measureText(name.name).width) + 2 * rim);
            if (x + name.width > WIDTH) {
                x = 0;
                y += line;
            }
            name.x = x;
            name.y = y;
            x += name.width + 2;
        }
        canvas.width = WIDTH;
        canvas.height = 2 ** Math.ceil(Math.log2(y + line));
        pen.font = font;
        pen.lineJoin = 'round';
        pen.lineWidth = 2 * rim;
        pen.textBaseline = 'middle';
        pen.strokeStyle = theme.halo;
        pen.fillStyle = theme.text;
        for (const { name, x: left, y: top } of this.names) {
            pen.strokeText(name, left + rim, top + 0.5 * line);
            pen.fillText(name, left + rim, top + 0.5 * line);
        }
        this.line = line;
        this.ratio = ratio;
        this.height = canvas.height;
        return canvas;
    }

    /// @param radius function of a body: m from its centre of mass to its side @param perPixel m per px
    update(blocks, shown, offset) {
        if (!this.quads) {
            return;
        }
        const { quads } = this,
            d = blocks.data;
        quads.begin();
        for (const { body, x, y, width } of shown ? this.names : []) {
            const o = quads.next(),
                a = quads.array,
                c = blocks.body(body) + 7;
            a[o] = d[c];
            a[o + 1] = d[c + 1];
            a[o + 2] = d[c + 2];
            a[o + 3] = x / WIDTH;
            a[o + 4] = 1 - (y + this.line) / this.height;
            a[o + 5] = width / WIDTH;
            a[o + 6] = this.line / this.height;
            a[o + 7] = width / this.ratio;
            a[o + 8] = this.line / this.ratio;
            a[o + 9] = offset;
            a[o + 10] = 0.4 * offset - 3;
        }
        quads.end();
    }

    fit(width, height, ratio, rim) {
        this.quads?.fit(width, height, ratio, rim);
    }

    dispose() {
        this.quads?.dispose();
        this.texture?.dispose();
        this.quads = this.texture = null;
    }
}
