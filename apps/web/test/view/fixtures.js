// SPDX-License-Identifier: Apache-2.0
// Descriptions and frames made by hand, laid out as docs/page.md says, for tests of the drawing.

const PLANES = {
    xy: { x: [1, 0, 0], y: [0, 1, 0], normal: [0, 0, 1] },
    xz: { x: [1, 0, 0], y: [0, 0, 1], normal: [0, -1, 0] },
    yz: { x: [0, 1, 0], y: [0, 0, 1], normal: [1, 0, 0] },
};

/// A description with a world body; add bodies, then read `description` and `frame()`.
export class Fixture {
    constructor({
        name = 'fixture',
        planar = 'none',
        gravity = [0, 0, -9.81],
        formulation = 'coulomb',
        directions = 8,
    } = {}) {
        this.description = {
            name,
            format: 'scene',
            dt: 0.01,
            time: 0,
            gravity,
            planar,
            plane: PLANES[planar] ?? PLANES.xy,
            formulation,
            formulations: [formulation],
            solver: '',
            solvers: [],
            directions,
            impact: 'none',
            tolerance: 1e-8,
            nq: 0,
            nv: 0,
            nu: 0,
            na: 0,
            missing: [],
            notes: [],
            keyframes: [],
            keyframe: -1,
            bodies: [],
            joints: [],
            geoms: [],
            meshes: [],
            heights: [],
            sites: [],
            springs: [],
            tendons: [],
            actuators: [],
            sensors: [],
            attributes: [],
        };
        this.pose = []; // of bodies: position 3, quaternion 4
        this.inBody = []; // of geoms
        this.contacts = [];
        this.time = 0;
        this.hold = null;
        this.tendonPoints = []; // [tendon, x, y, z], -1 between branches
        this.body('world', [0, 0, 0], { fixed: true, mass: 0 });
    }

    body(
        name,
        position,
        { quat = [1, 0, 0, 0], fixed = false, mocap = false, mass = 1, half = [0.1, 0.1, 0.1], parent = 0 } = {},
    ) {
        this.description.bodies.push({
            name,
            parent: this.description.bodies.length ? parent : -1,
            mass,
            com: [0, 0, 0],
            inertia: { half, quat: [1, 0, 0, 0] },
            mocap,
            fixed,
            joint: -1,
            joints: 0,
            geom: this.description.geoms.length,
            geoms: 0,
        });
        this.pose.push([...position, ...quat]);
        return this.description.bodies.length - 1;
    }

    geom(body, kind, size, { rgba = null, group = 0, at = [0, 0, 0, 1, 0, 0, 0], mesh = -1, heights = -1 } = {}) {
        const { geoms, bodies } = this.description;
        geoms.push({
            name: `${kind}${geoms.length}`,
            body,
            kind,
            size,
            rgba,
            group,
            mesh,
            heights,
            collides: true,
            friction: 1,
        });
        bodies[body].geoms++;
        this.inBody.push(at);
        return geoms.length - 1;
    }

    joint(body, kind, anchor, axis) {
        const { joints, bodies } = this.description;
        joints.push({
            name: `${kind}${joints.length}`,
            kind,
            body,
            q: 0,
            v: 0,
            axis,
            limited: false,
            range: [0, 0],
            anchor,
        });
        bodies[body].joints++;
        return joints.length - 1;
    }

    site(body, position) {
        this.description.sites.push({
            name: `site${this.description.sites.length}`,
            body,
            pos: position,
            size: [0.01],
            rgba: null,
        });
        return this.description.sites.length - 1;
    }

    floor(options = {}) {
        return this.geom(0, 'plane', [0, 0, 1], options);
    }

    /// A contact; r and u in the frame (normal, t1, t2).
    contact(
        geom1,
        geom2,
        state,
        point,
        { normal = [0, 0, 1], t1 = [1, 0, 0], t2 = [0, 1, 0], mu = 0.5, r = [0, 0, 0], u = [0, 0, 0], gap = 0 } = {},
    ) {
        this.contacts.push([geom1, geom2, state, 3, ...point, ...normal, ...t1, ...t2, gap, mu, ...r, ...u]);
    }

    frame() {
        const { bodies, geoms, joints, sites } = this.description,
            head = new Array(32).fill(0);
        head[0] = this.time;
        head[7] = this.contacts.length;
        head[8] = bodies.length;
        head[9] = geoms.length;
        head[10] = joints.length;
        head[11] = sites.length;
        head[27] = -1;
        head[30] = this.tendonPoints.length;
        if (this.hold) {
            head.splice(20, 7, 1, ...this.hold.point, ...this.hold.target);
        }
        const frame = [...head];
        for (const p of this.pose) {
            frame.push(...p, p[0], p[1], p[2], 0, 0, 0);
        }
        geoms.forEach((geom, k) => frame.push(...compose(this.pose[geom.body], this.inBody[k])));
        joints.forEach((joint) => frame.push(...joint.anchor, ...joint.axis));
        sites.forEach((site) => frame.push(...compose(this.pose[site.body], [...site.pos, 1, 0, 0, 0]).slice(0, 3)));
        this.contacts.forEach((contact) => frame.push(...contact));
        this.tendonPoints.forEach((point) => frame.push(...point));
        return Float64Array.from(frame);
    }
}

function compose([x, y, z, w, a, b, c], [px, py, pz, pw, pa, pb, pc]) {
    const tx = 2 * (b * pz - c * py),
        ty = 2 * (c * px - a * pz),
        tz = 2 * (a * py - b * px);
    return [
        x + px + w * tx + b * tz - c * ty,
        y + py + w * ty + c * tx - a * tz,
        z + pz + w * tz + a * ty - b * tx,
        w * pw - a * pa - b * pb - c * pc,
        w * pa + a * pw + b * pc - c * pb,
        w * pb - a * pc + b * pw + c * pa,
        w * pc + a * pb - b * pa + c * pw,
    ];
}

/// A quaternion about an axis.
export function turned(angle, [x, y, z]) {
    const s = Math.sin(angle / 2);
    return [Math.cos(angle / 2), s * x, s * y, s * z];
}

/// Solids of every kind side by side on a floor, with contacts in every state.
export function showcase() {
    const f = new Fixture({ name: 'showcase' });
    f.floor();
    const put = (name, kind, size, x, y, z, options = {}) => {
        const body = f.body(name, [x, y, z], { quat: options.quat ?? [1, 0, 0, 0] });
        return f.geom(body, kind, size, options);
    };
    const ball = put('ball', 'sphere', [0.12], -0.6, 0, 0.12);
    const box = put('box', 'box', [0.12, 0.16, 0.1], -0.2, 0, 0.1, { quat: turned(0.4, [0, 0, 1]) });
    const capsule = put('capsule', 'capsule', [0.07, 0.15], 0.2, 0, 0.07, { quat: turned(Math.PI / 2, [0, 1, 0]) });
    const can = put('cylinder', 'cylinder', [0.1, 0.14], 0.6, 0, 0.14);
    put('egg', 'ellipsoid', [0.16, 0.1, 0.08], -0.4, 0.45, 0.08);
    put('red', 'box', [0.1, 0.1, 0.1], 0, 0.45, 0.1, { rgba: [0.8, 0.1, 0.1, 1] });
    put('glass', 'box', [0.1, 0.1, 0.1], 0.4, 0.45, 0.1, { rgba: [0.2, 0.5, 0.8, 0.4] });
    const corners = [
        [1, 1, 1],
        [1, -1, -1],
        [-1, 1, -1],
        [-1, -1, 1],
    ]
        .flat()
        .map((x) => 0.1 * x);
    const tetrahedron = {
        name: 'tetra',
        vertices: Float32Array.from(corners),
        triangles: Uint32Array.from([0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]),
    };
    tetrahedron.hull = { vertices: tetrahedron.vertices, triangles: tetrahedron.triangles };
    f.description.meshes.push(tetrahedron);
    put('tetra', 'hull', [0, 0, 0], 0.75, 0.45, 0.12, { mesh: 0 });
    f.contact(0, ball, 3, [-0.6, 0, 0], { mu: 0.4, r: [0.2, 0.02, 0] });
    f.contact(0, box, 1, [-0.13, 0.06, 0], { mu: 0.5, r: [0.12, 0.02, 0.01] });
    f.contact(0, capsule, 2, [0.2, 0, 0], { mu: 0.4, r: [0.15, -0.06, 0], u: [0, 0.5, 0] });
    f.contact(0, can, 0, [0.6, 0, 0], { gap: 0.001 });
    return f;
}

/// Boxes in a grid, three contacts each: the budget of draw calls.
export function crowd(count = 1000) {
    const f = new Fixture({ name: 'crowd' }),
        side = Math.ceil(Math.sqrt(count));
    f.floor();
    for (let k = 0; k < count; k++) {
        const x = 0.25 * (k % side),
            y = 0.25 * Math.floor(k / side);
        const geom = f.geom(f.body(`box${k}`, [x, y, 0.1]), 'box', [0.1, 0.1, 0.1]);
        for (let c = 0; c < 3; c++) {
            f.contact(0, geom, 1 + (k % 3), [x + 0.08 * (c - 1), y - 0.08, 0], {
                r: [0.1, 0.02 * c, 0],
                u: [0, 0.1, 0],
            });
        }
    }
    return f;
}

/// Berard's Figure 4: a block on the floor with a rod, a spring with a particle, and a pusher.
export function figure4() {
    const f = new Fixture({
        name: 'figure4',
        planar: 'xy',
        gravity: [0, -9.81, 0],
        formulation: 'stewart-trinkle',
        directions: 2,
    });
    const up = turned(-Math.PI / 2, [1, 0, 0]);
    const floor = f.geom(0, 'plane', [0, 0, 1], { at: [0, 0, 0, ...up] });
    const block = f.body('C', [0, 0.25, 0], { mass: 2 });
    const box = f.geom(block, 'box', [0.5, 0.25, 0.1]);
    const a = Math.PI / 4,
        rod = f.body('A', [0.5 * Math.sin(a), 0.25 - 0.5 * Math.cos(a), 0], {
            quat: turned(a, [0, 0, 1]),
            parent: block,
        });
    f.joint(rod, 'hinge', [0, 0.25, 0], [0, 0, 1]);
    const end = f.site(rod, [0, -0.5, 0]);
    const particle = f.body('B', [Math.sin(a) * 1.6, 0.25 - Math.cos(a) * 1.6, 0], { mass: 0.5 });
    const point = f.site(particle, [0, 0, 0]);
    const pusher = f.body('pusher', [-0.5, 0.3, 0], { mass: 0, mocap: true, fixed: true });
    const tip = f.site(pusher, [0, 0, 0]);
    f.description.springs.push({ name: 'spring', site1: end, site2: point });
    const tangent = { normal: [0, 1, 0], t1: [1, 0, 0], t2: [0, 0, 1] };
    f.contact(floor, box, 2, [-0.5, 0, 0], { ...tangent, mu: 0.1, r: [0.1, -0.01, 0], u: [0, 0.2, 0] });
    f.contact(floor, box, 1, [0.5, 0, 0], { ...tangent, mu: 0.15, r: [0.2, -0.02, 0] });
    f.contact(2 + tip, box, 1, [-0.5, 0.3, 0], {
        normal: [1, 0, 0],
        t1: [0, -1, 0],
        t2: [0, 0, 1],
        mu: 0.3,
        r: [0.1, -0.02, 0],
    });
    return f;
}
