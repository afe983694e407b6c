// SPDX-License-Identifier: Apache-2.0
// A spring between two points, as lines: a zigzag in planar worlds, a helix in space.

const TURNS = 9,
    STEPS = 10,
    LEAD = 0.12; // LEAD: straight part at each end

function axesAcross(x, y, z, out) {
    // two unit vectors at right angles to the unit vector (x, y, z)
    const flat = Math.abs(z) < 0.9;
    const ux = flat ? -y : 0,
        uy = flat ? x : -z,
        uz = flat ? 0 : y;
    const n = Math.hypot(ux, uy, uz);
    out[0] = ux / n;
    out[1] = uy / n;
    out[2] = uz / n;
    out[3] = y * out[2] - z * out[1];
    out[4] = z * out[0] - x * out[2];
    out[5] = x * out[1] - y * out[0];
}

const across = new Float64Array(6),
    from = new Float64Array(3),
    to = new Float64Array(3);

/// @param a, b places of x y z in da and db @param normal of the planar world, or null in space
/// @param radius m @param pen {rgb, width, rim}
export function addSpring(segments, da, a, db, b, normal, radius, pen) {
    const dx = db[b] - da[a],
        dy = db[b + 1] - da[a + 1],
        dz = db[b + 2] - da[a + 2];
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-12)) {
        return;
    }
    axesAcross(dx / length, dy / length, dz / length, across);
    if (normal) {
        across[0] = (dz * normal[1] - dy * normal[2]) / length;
        across[1] = (dx * normal[2] - dz * normal[0]) / length;
        across[2] = (dy * normal[0] - dx * normal[1]) / length;
        across[3] = across[4] = across[5] = 0;
    }
    const steps = normal ? 2 * TURNS : TURNS * STEPS;
    from.set([da[a], da[a + 1], da[a + 2]]);
    const go = (s, u, v) => {
        for (let k = 0; k < 3; k++) {
            to[k] = da[a + k] + s * (db[b + k] - da[a + k]) + u * across[k] + v * across[3 + k];
        }
        segments.add(from[0], from[1], from[2], to[0], to[1], to[2], pen.rgb, 1, pen.width, 0, pen.rim ?? 0);
        from.set(to);
    };
    go(LEAD, 0, 0);
    for (let k = 0; k < steps; k++) {
        const s = LEAD + ((1 - 2 * LEAD) * (k + 0.5)) / steps,
            turn = (2 * Math.PI * k) / STEPS;
        go(s, radius * (normal ? (k % 2 ? -1 : 1) : Math.cos(turn)), radius * (normal ? 0 : Math.sin(turn)));
    }
    go(1 - LEAD, 0, 0);
    go(1, 0, 0);
}
