// SPDX-License-Identifier: Apache-2.0
// The drawing of one or two sims. It knows descriptions and frames (docs/page.md), neither the worker nor the panels.
// It draws at the next animation frame, and only when something changed.
import { Group, Vector3 } from 'three';
import { Blocks, CONTACTS } from './blocks.js';
import { Bodies } from './bodies.js';
import { isMoving, themeOf } from './colours.js';
import { Contacts } from './contacts.js';
import { Difference } from './difference.js';
import { Extent } from './extent.js';
import { Figures } from './figures.js';
import { Grounds } from './grounds.js';
import { Hand } from './hand.js';
import { Labels } from './labels.js';
import { Marks } from './marks.js';
import { aim, unitOf } from './opening.js';
import { Outline } from './outline.js';
import { Paths } from './paths.js';
import { ballsToSee, defaultGroups, geomRadius, holdsAll, middleOf } from './reach.js';
import { Rig } from './rig.js';
import { Stage } from './stage.js';

const DEFAULTS = {
    contacts: true,
    normals: false,
    forces: true,
    cones: true,
    joints: false,
    frames: false,
    com: false,
    inertia: false,
    hulls: false,
    paths: false,
    labels: false,
    shadows: true,
    grid: true,
    transparent: false,
    springs: true,
    sites: false,
    drag: false,
    forceScale: 0,
    follow: -1,
};

export class View {
    constructor(canvas, { theme = 'light' } = {}) {
        this.canvas = canvas;
        this.stage = new Stage(canvas);
        this.shown = { ...DEFAULTS, groups: [true, true, true, false, false, false], theme };
        this.chosen = new Set(); // options that the page has set
        this.theme = themeOf(theme);
        this.selected = -1;
        this.frames = 0;
        this.retired = [];
        this.world = new Group();
        this.pending = 0;
        this.onHold = this.onRelease = this.onSelect = () => {};
        this.hand = new Hand(this, canvas);
        this.observer = new ResizeObserver(() => this.request());
        this.observer.observe(canvas);
        canvas.addEventListener('webglcontextrestored', (this.restored = () => this.request()));
        this.clear();
        this.stage.paint(this.theme, false);
        this.request();
    }

    // ---- a model ----------------------------------------------------------------------------------

    clear() {
        this.loadOther(null);
        this.retire(...(this.parts ?? []));
        this.stage.scene.remove(this.world);
        this.world = new Group();
        this.world.matrixAutoUpdate = false;
        this.stage.scene.add(this.world);
        this.parts = [];
        this.description = this.rig = this.bodies = this.grounds = null;
        this.blocks = new Blocks();
        this.hand.drag = null;
        this.selected = -1;
        this.fitted = false;
        this.auto = true;
        this.contained = false; // fixed walls are around what moves
    }

    // Parts that are drawn no more are freed after the next drawing, which then finds their shaders compiled.
    retire(...parts) {
        this.retired.push(...parts);
    }

    freeRetired() {
        for (const part of this.retired) {
            part.dispose();
        }
        this.retired.length = 0;
    }

    load(description) {
        // the camera goes on following a body when the same model comes back with another value
        const same =
            this.description?.bodies[this.shown.follow]?.name === description.bodies[this.shown.follow]?.name;
        this.clear();
        this.shown.follow = same ? this.shown.follow : -1;
        this.description = description;
        this.rig = new Rig(description);
        this.flat = this.rig.flat;
        this.chooseOptions();
        const { world } = this,
            add = (part) => {
                this.parts.push(part);
                return part;
            };
        this.bodies = add(
            this.flat
                ? new Figures(world, description, this.look(false))
                : new Bodies(world, description, this.look(false)),
        );
        this.grounds = this.flat ? null : add(new Grounds(world, description));
        this.contacts = add(new Contacts(world, description));
        this.marks = add(new Marks(world, description, this.flat));
        this.paths = add(new Paths(world, description, this.flat));
        this.labels = add(new Labels(world, description));
        this.outline = this.flat ? null : add(new Outline(world));
        this.extent = new Extent(
            description,
            description.geoms.map((geom) => geomRadius(description, geom)),
        );
        this.unit = 0;
        this.paintMarks();
        this.request();
    }

    // what the model suggests, where the page has said nothing
    chooseOptions() {
        const few = this.description.bodies.filter((body) => isMoving(body)).length <= 8;
        const suggest = (name, value) => {
            if (!this.chosen.has(name)) {
                this.shown[name] = value;
            }
        };
        suggest('groups', defaultGroups(this.description));
        suggest('labels', this.flat && few);
        suggest('paths', this.flat && few);
    }

    look(ghost) {
        const { transparent, shadows, grid, groups } = this.shown;
        const { theme, contained } = this;
        return { theme, ghost, transparent, shadows, grid, groups, contained, selected: ghost ? -1 : this.selected };
    }

    // colours of everything
    paint() {
        if (this.description) {
            this.bodies.dress(this.look(false));
            this.other?.dress(this.look(true));
            this.paintMarks();
        } else {
            this.stage.paint(this.theme, false);
        }
    }

    // colours of everything but the bodies
    paintMarks() {
        this.stage.paint(this.theme, this.flat);
        for (const part of [this.contacts, this.marks, this.paths]) {
            part.paint(this.theme);
        }
        this.difference?.paint(this.theme);
        this.outline?.paint(this.theme);
        this.labels.paint(this.theme, this.ratio());
        this.outline?.choose(this.bodies, this.selected);
    }

    show(frame) {
        if (!this.description) {
            return;
        }
        const before = this.followed();
        this.blocks.copy(frame);
        if (!this.unit) {
            this.measure();
        }
        this.paths.record(this.blocks);
        if (before) {
            this.followed().forEach((x, k) => {
                this.rig.target[k] += x - before[k];
            });
        }
        this.request();
    }

    followed() {
        const { follow } = this.shown;
        if (!(follow >= 0) || !this.blocks.present || follow >= this.description.bodies.length) {
            return null;
        }
        const c = this.blocks.body(follow) + 7;
        return [...this.blocks.data.subarray(c, c + 3)];
    }

    // sizes and angles that depend on where the bodies are at first
    measure() {
        const { description, blocks, rig } = this;
        const balls = ballsToSee(description, blocks, this.extent.radii, rig.up);
        this.unit = unitOf(balls);
        this.resize();
        if (!this.fitted && !this.flat) {
            aim(rig, description, blocks, balls);
        }
        this.stage.aim(rig);
        if (!this.flat && holdsAll(description, blocks, this.extent.radii)) {
            this.contained = true;
            this.bodies.dress(this.look(false));
        }
        if (!this.fitted) {
            this.fit();
        }
    }

    // ---- a second sim -----------------------------------------------------------------------------

    loadOther(description) {
        if (this.other) {
            this.stage.scene.remove(this.ghostWorld);
            this.retire(this.other, this.difference);
        }
        this.other = this.difference = null;
        this.otherBlocks = new Blocks();
        if (description && this.description) {
            const world = (this.ghostWorld = new Group()),
                look = this.look(true);
            this.stage.scene.add(world);
            this.other = this.flat ? new Figures(world, description, look) : new Bodies(world, description, look);
            this.difference = new Difference(world, this.description, description, this.flat);
            this.difference.paint(this.theme);
        }
        this.request();
    }

    showOther(frame) {
        if (this.other) {
            this.otherBlocks.copy(frame);
            this.request();
        }
    }

    // ---- settings ---------------------------------------------------------------------------------

    options(changes = {}) {
        const { theme, transparent } = this.shown;
        for (const [name, value] of Object.entries(changes)) {
            if (name in this.shown && value !== undefined) {
                this.shown[name] = name === 'groups' ? [...value] : value;
                this.chosen.add(name);
            }
        }
        if (this.shown.theme !== theme || this.shown.transparent !== transparent) {
            this.theme = themeOf(this.shown.theme);
            this.paint();
        }
        if (Object.keys(changes).length > 0) {
            this.request();
        }
        return { ...this.shown, groups: [...this.shown.groups] };
    }

    camera(state) {
        if (state && this.rig) {
            this.rig.restore(state);
            this.takeCamera();
        }
        return this.rig ? this.rig.state() : {};
    }

    /// From now on the camera is where somebody has put it.
    takeCamera() {
        this.auto = false;
        this.fitted = true;
        this.request();
    }

    fit() {
        if (!this.rig || !this.blocks.present) {
            return;
        }
        const balls = ballsToSee(this.description, this.blocks, this.extent.radii, this.rig.up);
        this.pad(balls);
        this.rig.moveTo(this.rig.framing(balls));
        this.home = { radius: middleOf(balls)[3], distance: this.rig.distance };
        this.fitted = this.auto = true;
        this.request();
    }

    // room around what moves: more around a lone body, which should not fill the picture
    pad(balls) {
        const [x, y, z, radius] = middleOf(balls);
        let largest = 0;
        for (let i = 3; i < balls.length; i += 4) {
            largest = Math.max(largest, balls[i]);
        }
        balls.push(x, y, z, this.flat ? 0 : (largest > 0.7 * radius ? 1.1 : 0.5) * radius);
    }

    select(body) {
        this.selected = body;
        if (this.description) {
            this.bodies.look.selected = body;
            this.outline?.choose(this.bodies, body);
        }
        this.request();
    }

    // ---- drawing ----------------------------------------------------------------------------------

    request() {
        this.pending ||= requestAnimationFrame(() => this.draw());
    }

    ratio() {
        return Math.min(2, globalThis.devicePixelRatio || 1);
    }

    resize() {
        const width = this.canvas.clientWidth,
            height = this.canvas.clientHeight,
            ratio = this.ratio();
        if (!(width > 0 && height > 0)) {
            return false;
        }
        const { renderer } = this.stage;
        if (this.width !== width || this.height !== height || this.drawnRatio !== ratio) {
            renderer.setPixelRatio(ratio);
            renderer.setSize(width, height, false);
            if (this.drawnRatio !== ratio) {
                this.labels?.paint(this.theme, ratio);
            }
            Object.assign(this, { width, height, drawnRatio: ratio });
        }
        if (this.rig) {
            this.rig.size.width = width;
            this.rig.size.height = height;
        }
        return true;
    }

    draw() {
        cancelAnimationFrame(this.pending);
        this.pending = 0;
        if (!this.stage || !this.resize()) {
            return;
        }
        if (this.description && this.blocks.present) {
            this.update();
            this.outline?.draw(this.stage.renderer, this.rig.camera, this.ratio());
            this.stage.draw(this.rig.camera);
            this.freeRetired();
            this.frames++;
        } else {
            this.stage.draw(this.rig?.camera ?? new Rig({}).camera);
        }
    }

    update() {
        const { blocks, rig, unit, shown, extent } = this;
        extent.update(blocks);
        this.keepInSight();
        if (rig.ease()) {
            this.request();
        }
        rig.apply(this.width, this.height, this.sceneReach());
        this.bodies.look = this.look(false);
        this.bodies.update(blocks, unit, rig);
        this.grounds?.update(
            blocks,
            this.bodies.look,
            rig.target,
            Math.max(unit, 0.5 * this.home?.radius || 0),
            rig.distance,
        );
        this.contacts.update(blocks, shown, this.arrowLength(), shown.forceScale);
        this.marks.update(blocks, shown, unit, rig, this.hand.held());
        this.paths.update(blocks, shown.paths);
        this.labels.update(blocks, shown.labels, 9);
        if (this.other && this.otherBlocks.present) {
            this.other.look = this.look(true);
            this.other.update(this.otherBlocks, unit, rig);
            this.difference.update(blocks, this.otherBlocks);
        }
        this.stage.light(extent.middle, Math.max(extent.radius, 2 * unit), shown.shadows && !this.flat);
        const { renderer } = this.stage,
            ratio = this.ratio();
        const rim = this.flat ? this.theme.paper : this.theme.halo;
        for (const part of [
            this.contacts,
            this.marks,
            this.paths,
            this.labels,
            this.difference,
            ...(this.flat ? [this.bodies, this.other] : []),
        ]) {
            part?.fit(renderer.domElement.width, renderer.domElement.height, ratio, rim);
        }
    }

    // a usual arrow is as long as a body; shorter among many contacts
    arrowLength() {
        const crowd = Math.max(0.4, Math.cbrt(Math.min(1, 40 / this.blocks.data[CONTACTS])));
        return (this.flat ? 0.5 : 1) * crowd * this.unit;
    }

    sceneReach() {
        const { extent, rig } = this;
        const reach = extent.radius + Math.hypot(...extent.middle.map((x, k) => x - rig.target[k]));
        return reach > 2 * this.unit && reach < Infinity ? reach : 2 * this.unit;
    }

    // Until somebody moves the camera, it follows what moves when it leaves the picture, and goes back far enough
    // to see all of it, but not endlessly: a body that falls off a table should not make the others small.
    keepInSight() {
        const { rig, extent, home } = this;
        if (!this.auto || this.hand.drag || !home || this.shown.follow >= 0) {
            return;
        }
        const corners = extent.corners();
        if (!rig.sees(corners)) {
            const { target, distance } = rig.framing(corners);
            if (distance < 6 * home.distance) {
                rig.goal = { target, distance: Math.max(distance, rig.distance) };
            }
        }
    }

    // ---- places -----------------------------------------------------------------------------------

    worldToScreen(point) {
        if (!this.rig) {
            return { x: 0, y: 0, visible: false };
        }
        this.resize();
        this.rig.apply(this.width, this.height, this.sceneReach());
        const p = new Vector3(...point).project(this.rig.camera);
        return {
            x: 0.5 * (1 + p.x) * this.width,
            y: 0.5 * (1 - p.y) * this.height,
            visible: Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && Math.abs(p.z) <= 1,
        };
    }

    pickAt(x, y) {
        return this.hand.pickAt(x, y);
    }

    // ---- pictures ---------------------------------------------------------------------------------

    screenshot() {
        this.draw();
        return new Promise((resolve, reject) => {
            this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
        });
    }

    stream(fps = 30) {
        return this.canvas.captureStream(fps);
    }

    stats() {
        const { render } = this.stage.renderer.info;
        return {
            calls: render.calls,
            triangles: render.triangles,
            frames: this.frames,
            contacts: this.blocks.data[CONTACTS],
        };
    }

    dispose() {
        cancelAnimationFrame(this.pending);
        this.hand.dispose();
        this.observer.disconnect();
        this.canvas.removeEventListener('webglcontextrestored', this.restored);
        this.request = () => {};
        this.clear();
        this.freeRetired();
        this.stage.dispose();
        this.stage = null;
    }
}
