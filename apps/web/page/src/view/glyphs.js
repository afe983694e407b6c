// SPDX-License-Identifier: Apache-2.0
// Small flat signs of a size in pixels, in one draw call: states of contacts, pins, centres of mass, sites.
import { Quads } from './quads.js';

/// Shapes. The first four are the states of contacts: each has its own.
export const RING = 0,
    SQUARE = 1,
    TRIANGLE = 2,
    STAR = 3,
    PIN = 4,
    DOT = 5,
    MASS = 6,
    POINTER = 7;

const vertexShader = /* glsl */ `
attribute vec3 place;
attribute vec4 tint;
attribute vec3 mark;
uniform vec2 viewport;
uniform float ratio, bias;
varying vec2 at;
varying vec4 paint;
varying vec3 kind;

void main() {
    vec4 p = projectionMatrix * viewMatrix * vec4(place, 1.0);
    float reach = (1.6 * mark.y + 2.0) * ratio;
    at = position.xy * reach;
    paint = tint;
    kind = vec3(mark.x, mark.y * ratio, mark.z);
    gl_Position = vec4(p.xy / p.w + 2.0 * at / viewport, p.z / p.w - bias, 1.0);
    if (p.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform vec3 rim;
uniform float strength, ratio;
varying vec2 at;
varying vec4 paint;
varying vec3 kind;

float slope(vec2 p, vec2 a, vec2 b) { // distance from the line a b, positive on its right
    vec2 t = normalize(b - a);
    return dot(p - a, vec2(t.y, -t.x));
}

float triangle(vec2 p, vec2 a, vec2 b, vec2 c) { // a, b, c counter-clockwise
    return max(max(slope(p, a, b), slope(p, b, c)), slope(p, c, a));
}

void main() {
    float c = cos(kind.z), s = sin(kind.z), r = kind.y;
    vec2 p = vec2(c * at.x + s * at.y, -s * at.x + c * at.y);
    float d = length(p) - r;
    if (kind.x == 1.0) {
        d = max(abs(p.x), abs(p.y)) - 0.9 * r;
    } else if (kind.x == 2.0) {
        d = triangle(p, r * vec2(0.0, 1.35), r * vec2(-1.25, -0.8), r * vec2(1.25, -0.8));
    } else if (kind.x == 3.0) {
        // the edge of a star from its point (1.7, 0) to its notch (0.5, 0.5)
        vec2 q = abs(p);
        q = q.y > q.x ? q.yx : q;
        d = dot(q - r * vec2(1.7, 0.0), normalize(vec2(0.5, 1.2)));
    } else if (kind.x == 7.0) {
        d = triangle(p, vec2(0.0, 0.0), r * vec2(-1.55, 0.75), r * vec2(-1.55, -0.75));
    }
    bool bare = kind.x == 0.0 || kind.x == 4.0 || kind.x >= 6.0;
    vec3 colour = paint.rgb;
    if (kind.x == 6.0) {
        // the sign of a centre of mass: opposite quarters dark
        colour = mix(paint.rgb, p.x * p.y > 0.0 ? paint.rgb : rim, clamp(0.5 - (d + ratio), 0.0, 1.0));
    } else if (bare) {
        // a disc in the colour of the ground with a coloured edge
        colour = mix(paint.rgb, rim, clamp(0.5 - (d + 1.6 * ratio), 0.0, 1.0));
    }
    float inside = clamp(0.5 - d, 0.0, 1.0);
    float around = bare ? 0.0 : clamp(0.5 + ratio - d, 0.0, 1.0);
    float alpha = max(inside, around) * paint.a * strength;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(mix(rim, colour, inside / max(max(inside, around), 1e-4)), alpha);
    #include <colorspace_fragment>
}`;

const LAYOUT = [
    ['place', 3],
    ['tint', 4],
    ['mark', 3],
];

export class Glyphs extends Quads {
    constructor(parent, options) {
        super(parent, LAYOUT, [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], { vertexShader, fragmentShader }, options);
    }

    /// One sign. @param rgb linear @param size px, half its height @param angle rad, counter-clockwise
    add(x, y, z, shape, rgb, alpha, size, angle = 0) {
        const o = this.next(),
            a = this.array;
        a[o] = x;
        a[o + 1] = y;
        a[o + 2] = z;
        a[o + 3] = rgb[0];
        a[o + 4] = rgb[1];
        a[o + 5] = rgb[2];
        a[o + 6] = alpha;
        a[o + 7] = shape;
        a[o + 8] = size;
        a[o + 9] = angle;
    }
}
