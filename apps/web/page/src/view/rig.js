// SPDX-License-Identifier: Apache-2.0
// The camera: perspective in space, orthographic along the normal of a planar world. It is given by what it looks
// at, a distance (in planar worlds: the height of the picture) and two angles; up is against gravity.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';

const FIELD = (34 * Math.PI) / 180; // vertical angle of view
const MARGIN = 0.88; // part of the picture that the moving set may fill
const EASE = 0.12; // part of the way to the goal per drawn picture

function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a, b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// "Up": against gravity, along the nearest axis.
export function upOf(gravity = [0, 0, -1]) {
    const [x, y, z] = gravity.map(Math.abs);
    if (y > x && y > z) {
        return [0, gravity[1] > 0 ? -1 : 1, 0];
    }
    if (x > z) {
        return [gravity[0] > 0 ? -1 : 1, 0, 0];
    }
    return [0, 0, gravity[2] > 0 ? -1 : 1];
}

export class Rig {
    constructor(description) {
        this.flat = Boolean(description.planar) && description.planar !== 'none';
        this.plane = description.plane;
        this.up = this.flat ? this.plane.y : upOf(description.gravity);
        this.east = this.flat ? this.plane.x : Math.abs(this.up[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
        this.north = cross(this.up, this.east);
        this.target = [0, 0, 0];
        this.distance = 3;
        this.azimuth = -60;
        this.elevation = 18;
        this.goal = null;
        this.camera = this.flat ? new OrthographicCamera() : new PerspectiveCamera((FIELD * 180) / Math.PI);
        this.camera.up.set(...this.up);
        this.size = { width: 1, height: 1 };
        this.reach = 10;
    }

    /// The direction from what is looked at to the eye.
    toEye() {
        if (this.flat) {
            return this.plane.normal;
        }
        const a = (this.azimuth * Math.PI) / 180,
            e = (this.elevation * Math.PI) / 180;
        return [0, 1, 2].map(
            (k) =>
                Math.cos(e) * (Math.cos(a) * this.east[k] + Math.sin(a) * this.north[k]) + Math.sin(e) * this.up[k],
        );
    }

    /// The picture's axes: right, up, toward the eye.
    axes() {
        const toward = this.toEye();
        let right = cross(this.up, toward);
        const length = Math.hypot(...right) || 1;
        right = right.map((x) => x / length);
        return { right, up: cross(toward, right), toward };
    }

    state() {
        return {
            kind: this.flat ? 'plane' : 'space',
            target: [...this.target],
            distance: this.distance,
            azimuth: this.azimuth,
            elevation: this.elevation,
        };
    }

    restore({ kind, target, distance, azimuth, elevation }) {
        if (kind && (kind === 'plane') !== this.flat) {
            return; // of another world
        }
        this.goal = null;
        if (target?.every(Number.isFinite)) {
            this.target = [...target];
        }
        this.distance = distance > 0 ? distance : this.distance;
        this.azimuth = Number.isFinite(azimuth) ? azimuth : this.azimuth;
        this.elevation = Number.isFinite(elevation) ? elevation : this.elevation;
    }

    /// Sets the camera of three.js. @param reach m: size of what is to be seen about the target
    apply(width, height, reach) {
        this.size = { width, height };
        this.reach = reach;
        const { camera, target, distance } = this,
            toward = this.toEye(),
            aspect = width / height;
        const away = this.flat ? 4 * reach : distance;
        camera.position.set(...target.map((x, k) => x + away * toward[k]));
        camera.lookAt(...target);
        if (this.flat) {
            camera.top = 0.5 * distance;
            camera.bottom = -camera.top;
            camera.right = 0.5 * distance * aspect;
            camera.left = -camera.right;
            camera.near = 0;
            camera.far = 8 * reach;
        } else {
            camera.aspect = aspect;
            camera.near = Math.max(0.01 * distance, 0.2 * (distance - 1.2 * reach));
            camera.far = distance + 30 * Math.max(reach, distance);
        }
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld(true);
    }

    /// Target and distance from which balls [x, y, z, r, ...] fill the picture.
    framing(balls) {
        const { right, up, toward } = this.axes(),
            { width, height } = this.size;
        const tanY = Math.tan(0.5 * FIELD) * MARGIN,
            tanX = (tanY * width) / height;
        const sides = [-Infinity, -Infinity, -Infinity, -Infinity];
        let low = Infinity,
            high = -Infinity;
        for (let i = 0; i < balls.length; i += 4) {
            const p = [balls[i], balls[i + 1], balls[i + 2]],
                r = balls[i + 3];
            const x = dot(p, right),
                y = dot(p, up),
                t = this.flat ? 0 : dot(p, toward);
            const tx = this.flat ? 0 : tanX,
                ty = this.flat ? 0 : tanY;
            const rx = r * Math.hypot(1, tx),
                ry = r * Math.hypot(1, ty);
            [x + t * tx + rx, -x + t * tx + rx, y + t * ty + ry, -y + t * ty + ry].forEach((s, k) => {
                sides[k] = Math.max(sides[k], s);
            });
            low = Math.min(low, dot(p, toward) - r);
            high = Math.max(high, dot(p, toward) + r);
        }
        const x = 0.5 * (sides[0] - sides[1]),
            y = 0.5 * (sides[2] - sides[3]),
            t = 0.5 * (low + high);
        const target = [0, 1, 2].map((k) => x * right[k] + y * up[k] + t * toward[k]);
        if (this.flat) {
            const tall = (sides[2] + sides[3]) / MARGIN,
                wide = (sides[0] + sides[1]) / MARGIN;
            return { target, distance: Math.max(tall, (wide * height) / width, 1e-6) };
        }
        const eye = Math.max((sides[0] + sides[1]) / (2 * tanX), (sides[2] + sides[3]) / (2 * tanY));
        return { target, distance: Math.max(eye - t, 1e-6) };
    }

    /// Are all balls in the picture, with a small margin?
    sees(balls) {
        const { right, up, toward } = this.axes(),
            { width, height } = this.size;
        const tanY = 0.97 * Math.tan(0.5 * FIELD),
            aspect = width / height;
        for (let i = 0; i < balls.length; i += 4) {
            const p = [0, 1, 2].map((k) => balls[i + k] - this.target[k]),
                r = 0.8 * balls[i + 3];
            const away = this.flat ? 0 : this.distance - dot(p, toward);
            const half = this.flat ? 0.485 * this.distance : away * tanY;
            if (!(Math.abs(dot(p, up)) + r < half) || !(Math.abs(dot(p, right)) + r < half * aspect)) {
                return false;
            }
        }
        return true;
    }

    moveTo(framing) {
        this.goal = null;
        this.target = framing.target;
        this.distance = framing.distance;
    }

    /// One picture's way to the goal. @return is there more to go?
    ease() {
        if (!this.goal) {
            return false;
        }
        const { target, distance } = this.goal;
        let rest = Math.abs(distance - this.distance);
        this.distance += EASE * (distance - this.distance);
        for (let k = 0; k < 3; k++) {
            rest = Math.max(rest, Math.abs(target[k] - this.target[k]));
            this.target[k] += EASE * (target[k] - this.target[k]);
        }
        if (rest < 1e-3 * distance) {
            this.moveTo({ target: [...target], distance });
            return false;
        }
        return true;
    }

    orbit(dx, dy) {
        this.goal = null;
        if (this.flat) {
            this.pan(dx, dy);
            return;
        }
        this.azimuth = (this.azimuth - 0.35 * dx) % 360;
        this.elevation = Math.min(89.5, Math.max(-89.5, this.elevation + 0.35 * dy));
    }

    /// Metres per pixel at the target.
    perPixel() {
        return (this.flat ? this.distance : 2 * this.distance * Math.tan(0.5 * FIELD)) / this.size.height;
    }

    pan(dx, dy) {
        this.goal = null;
        const { right, up } = this.axes(),
            s = this.perPixel();
        this.target = this.target.map((x, k) => x - s * dx * right[k] + s * dy * up[k]);
    }

    /// @param factor of the distance @param x, y the pixel that stays where it is
    zoom(factor, x, y) {
        this.goal = null;
        const before = this.perPixel();
        this.distance = Math.min(1e6, Math.max(1e-6, this.distance * factor));
        const s = before - this.perPixel(),
            { right, up } = this.axes();
        const px = x - 0.5 * this.size.width,
            py = 0.5 * this.size.height - y;
        this.target = this.target.map((t, k) => t + s * (px * right[k] + py * up[k]));
    }

    /// The ray through a pixel: {origin, direction} of three.js.
    ray(x, y) {
        const nx = (2 * x) / this.size.width - 1,
            ny = 1 - (2 * y) / this.size.height;
        const far = new Vector3(nx, ny, 0.5).unproject(this.camera);
        if (this.flat) {
            const direction = new Vector3(...this.plane.normal).negate();
            return { origin: far.addScaledVector(direction, -8 * this.reach), direction };
        }
        const origin = this.camera.position.clone();
        return { origin, direction: far.sub(origin).normalize() };
    }
}

/// Good angles for what moves: a view across its wide side, onto the front of planes.
/// @param extent [along east, along north] @param normals of the planes that are not level, in east, north, up
/// @param tall the picture is higher than wide: then a wide set is seen more along its length, from higher up
export function anglesFor(extent, normals, tall) {
    const [east, north] = extent,
        flat = Math.min(east, north) < 0.2 * Math.max(east, north);
    const across = flat || !tall ? 1 : -0.6,
        long = tall ? 0.75 : 0.4;
    const wish = north < long * east ? -45 - 27 * across : east < long * north ? -45 + 27 * across : -56;
    const elevation = tall ? 27 : 18;
    for (const turn of [0, 180, 90, -90, 45, -45, 135, -135]) {
        const azimuth = wish + turn,
            a = (azimuth * Math.PI) / 180;
        if (normals.every((n) => n[0] * Math.cos(a) + n[1] * Math.sin(a) + 0.33 * n[2] > 0.12)) {
            return { azimuth, elevation };
        }
    }
    return { azimuth: wish, elevation: 24 };
}
