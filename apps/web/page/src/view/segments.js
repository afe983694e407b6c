// SPDX-License-Identifier: Apache-2.0
// Lines and arrows whose width is in pixels: one draw call for any number of them, with smooth edges, round ends
// and, where wanted, a rim that sets them off from their ground.
import { Quads } from './quads.js';

const vertexShader = /* glsl */ `
attribute vec3 from, to;
attribute vec4 tint, pen;
uniform vec2 viewport;
uniform float ratio, bias;
varying vec2 at;
varying float span;
varying vec4 paint, stroke;

void main() {
    vec4 a = projectionMatrix * viewMatrix * vec4(from, 1.0);
    vec4 b = projectionMatrix * viewMatrix * vec4(to, 1.0);
    const float nearest = 1e-5;
    if (a.w < nearest && b.w < nearest) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    // an end behind the eye moves to the front of it
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 p = 0.5 * viewport * a.xy / a.w, q = 0.5 * viewport * b.xy / b.w;
    float far = length(q - p);
    vec2 t = far > 1e-4 ? (q - p) / far : vec2(1.0, 0.0);
    float reach = (0.5 * max(pen.x, pen.y) + pen.z + 1.0) * ratio;
    float end = 2.0 * position.x - 1.0;
    vec2 c = mix(p, q, position.x) + end * reach * t + position.y * reach * vec2(-t.y, t.x);
    at = vec2(position.x > 0.5 ? far + reach : -reach, position.y * reach);
    span = far;
    paint = tint;
    stroke = pen * ratio;
    float depth = position.x > 0.5 ? b.z / b.w : a.z / a.w;
    gl_Position = vec4(2.0 * c / viewport, depth - bias, 1.0);
}`;

const fragmentShader = /* glsl */ `
uniform vec3 rim;
uniform float strength;
varying vec2 at;
varying float span;
varying vec4 paint, stroke;

float line(float end) {
    vec2 d = vec2(at.x - clamp(at.x, 0.0, end), at.y);
    return length(d) - 0.5 * stroke.x;
}

void main() {
    float d;
    if (stroke.y > 0.0) {
        float size = min(1.0, span / (1.25 * stroke.y));
        float length_of_head = 1.25 * stroke.y * size, half_of_head = 0.5 * stroke.y * size;
        float x = span - at.x, y = abs(at.y);
        float head = max((y * length_of_head - x * half_of_head) / length(vec2(length_of_head, half_of_head)),
                         x - length_of_head);
        d = min(line(max(span - length_of_head, 0.0)), head);
    } else {
        d = line(span);
        if (stroke.w > 0.0 && mod(at.x, 2.0 * stroke.w) > stroke.w) discard;
    }
    float inside = clamp(0.5 - d, 0.0, 1.0);
    float around = stroke.z > 0.0 ? 0.85 * clamp(0.5 + stroke.z - d, 0.0, 1.0) : 0.0;
    float alpha = max(inside, around) * paint.a * strength;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(mix(rim, paint.rgb, inside / max(max(inside, around), 1e-4)), alpha);
    #include <colorspace_fragment>
}`;

const LAYOUT = [
    ['from', 3],
    ['to', 3],
    ['tint', 4],
    ['pen', 4],
];

export class Segments extends Quads {
    constructor(parent, options) {
        super(parent, LAYOUT, [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], { vertexShader, fragmentShader }, options);
    }

    /// One line. @param rgb linear @param width px @param head px of an arrow's head, 0: none
    /// @param rim px around it @param dash px of dashes and gaps, 0: a full line
    add(ax, ay, az, bx, by, bz, rgb, alpha, width, head = 0, rim = 0, dash = 0) {
        const o = this.next(),
            a = this.array;
        a[o] = ax;
        a[o + 1] = ay;
        a[o + 2] = az;
        a[o + 3] = bx;
        a[o + 4] = by;
        a[o + 5] = bz;
        a[o + 6] = rgb[0];
        a[o + 7] = rgb[1];
        a[o + 8] = rgb[2];
        a[o + 9] = alpha;
        a[o + 10] = width;
        a[o + 11] = head;
        a[o + 12] = rim;
        a[o + 13] = dash;
    }
}
