// SPDX-License-Identifier: Apache-2.0
// Column-major 4 x 4 matrices in long arrays, written without making objects.

/// A matrix that draws nothing.
export function writeNothing(out, o) {
    out.fill(0, o, o + 15);
    out[o + 15] = 1;
}

/// The matrix of a pose (position, quaternion w x y z at d[p]) after a scaling.
/// @param along distance along the pose's z axis by which the thing is moved
export function writePose(out, o, d, p, sx, sy, sz, along) {
    const w = d[p + 3],
        x = d[p + 4],
        y = d[p + 5],
        z = d[p + 6];
    const zx = 2 * (x * z + w * y),
        zy = 2 * (y * z - w * x),
        zz = 1 - 2 * (x * x + y * y);
    out[o] = sx * (1 - 2 * (y * y + z * z));
    out[o + 1] = sx * 2 * (x * y + w * z);
    out[o + 2] = sx * 2 * (x * z - w * y);
    out[o + 3] = 0;
    out[o + 4] = sy * 2 * (x * y - w * z);
    out[o + 5] = sy * (1 - 2 * (x * x + z * z));
    out[o + 6] = sy * 2 * (y * z + w * x);
    out[o + 7] = 0;
    out[o + 8] = sz * zx;
    out[o + 9] = sz * zy;
    out[o + 10] = sz * zz;
    out[o + 11] = 0;
    out[o + 12] = d[p] + along * zx;
    out[o + 13] = d[p + 1] + along * zy;
    out[o + 14] = d[p + 2] + along * zz;
    out[o + 15] = 1;
}

/// The matrix whose z axis goes from a to b, with length sz, and whose other axes have length s.
export function writeAlong(out, o, ax, ay, az, bx, by, bz, s, sz) {
    let zx = bx - ax,
        zy = by - ay,
        zz = bz - az;
    const length = Math.hypot(zx, zy, zz);
    if (!(length > 1e-12)) {
        writeNothing(out, o);
        return;
    }
    zx /= length;
    zy /= length;
    zz /= length;
    // the first axis: at right angles to z and to the world's axis that is farthest from it
    let xx, xy, xz;
    if (Math.abs(zz) < 0.9) {
        const n = Math.hypot(zx, zy);
        xx = -zy / n;
        xy = zx / n;
        xz = 0;
    } else {
        const n = Math.hypot(zy, zz);
        xx = 0;
        xy = -zz / n;
        xz = zy / n;
    }
    const yx = zy * xz - zz * xy,
        yy = zz * xx - zx * xz,
        yz = zx * xy - zy * xx;
    out[o] = s * xx;
    out[o + 1] = s * xy;
    out[o + 2] = s * xz;
    out[o + 3] = 0;
    out[o + 4] = s * yx;
    out[o + 5] = s * yy;
    out[o + 6] = s * yz;
    out[o + 7] = 0;
    out[o + 8] = sz * zx;
    out[o + 9] = sz * zy;
    out[o + 10] = sz * zz;
    out[o + 11] = 0;
    out[o + 12] = ax;
    out[o + 13] = ay;
    out[o + 14] = az;
    out[o + 15] = 1;
}

/// The matrix with the axes x, y, z (3 numbers at their places in d) times their lengths, at p.
export function writeAxes(out, o, d, x, y, z, p, sx, sy, sz) {
    for (let k = 0; k < 3; k++) {
        out[o + k] = sx * d[x + k];
        out[o + 4 + k] = sy * d[y + k];
        out[o + 8 + k] = sz * d[z + k];
        out[o + 12 + k] = d[p + k];
    }
    out[o + 3] = out[o + 7] = out[o + 11] = 0;
    out[o + 15] = 1;
}

/// A point of a pose's frame in the world. @param out receives 3 numbers
export function pointOfPose(out, d, p, x, y, z) {
    const w = d[p + 3],
        a = d[p + 4],
        b = d[p + 5],
        c = d[p + 6];
    const tx = 2 * (b * z - c * y),
        ty = 2 * (c * x - a * z),
        tz = 2 * (a * y - b * x);
    out[0] = d[p] + x + w * tx + b * tz - c * ty;
    out[1] = d[p + 1] + y + w * ty + c * tx - a * tz;
    out[2] = d[p + 2] + z + w * tz + a * ty - b * tx;
    return out;
}

/// A point of the world in a pose's frame.
export function pointInPose(out, d, p, x, y, z) {
    const w = d[p + 3],
        a = -d[p + 4],
        b = -d[p + 5],
        c = -d[p + 6];
    const px = x - d[p],
        py = y - d[p + 1],
        pz = z - d[p + 2];
    const tx = 2 * (b * pz - c * py),
        ty = 2 * (c * px - a * pz),
        tz = 2 * (a * py - b * px);
    out[0] = px + w * tx + b * tz - c * ty;
    out[1] = py + w * ty + c * tx - a * tz;
    out[2] = pz + w * tz + a * ty - b * tx;
    return out;
}

/// A vector of the world in a pose's frame.
export function vectorInPose(out, d, p, x, y, z) {
    return pointInPose(out, d, p, x + d[p], y + d[p + 1], z + d[p + 2]);
}
