// SPDX-License-Identifier: Apache-2.0
// What the pointer does to bodies: picking, clicks and drags.
import { pointInPose, pointOfPose } from './matrices.js';
import { Pointer } from './pointer.js';
import { Rig } from './rig.js';

const NEAR = 8; // px by which a finger may miss a body
const BAR = 8; // px by which bars and points of planar worlds may be missed

export class Hand {
    /// @param view whose bodies, rig and frame it uses, and whose onHold, onRelease and onSelect it calls
    constructor(view, canvas) {
        this.view = view;
        this.drag = null; // {body, local, anchor, target, point}
        this.pointer = new Pointer(canvas, this);
    }

    // ---- picking ----------------------------------------------------------------------------------

    /// What is drawn at a pixel: {body, geom, point}, geom -1 for bars; null: nothing, or the sky.
    pickAt(x, y) {
        const { rig, flat, bodies, grounds, blocks, description } = this.view;
        if (!description || !blocks.present) {
            return null;
        }
        const ray = rig.ray(x, y);
        if (flat) {
            return bodies.raycast(ray, blocks, BAR * rig.perPixel());
        }
        const body = bodies.raycast(ray);
        const ground = grounds.raycast(ray, description);
        return !ground || (body && body.distance <= ground.distance) ? body : ground;
    }

    // the same for a finger, which may miss by a few pixels
    pickNear(x, y, touch) {
        const first = this.pickAt(x, y);
        if (!touch || this.isMovable(first)) {
            return first;
        }
        for (let k = 0; k < 8; k++) {
            const a = (Math.PI * k) / 4;
            const hit = this.pickAt(x + NEAR * Math.cos(a), y + NEAR * Math.sin(a));
            if (this.isMovable(hit)) {
                return hit;
            }
        }
        return first;
    }

    isMovable(hit) {
        const body = hit ? this.view.description.bodies[hit.body] : null;
        return body !== null && hit.body > 0 && !body.fixed && !body.mocap;
    }

    // ---- calls of the pointer -----------------------------------------------------------------------

    rig() {
        return this.view.rig ?? new Rig({});
    }

    dragMode() {
        return this.view.shown.drag;
    }

    moved() {
        this.view.takeCamera();
    }

    click(x, y, touch) {
        const hit = this.pickNear(x, y, touch);
        this.view.onSelect(hit ? hit.body : -1, hit ? hit.geom : -1, hit ? hit.point : null);
    }

    look(x, y) {
        const hit = this.pickAt(x, y);
        if (hit) {
            this.view.takeCamera();
            this.view.rig.goal = { target: hit.point, distance: this.view.rig.distance };
        }
    }

    // a drag moves its target in the plane through the grabbed point that faces the camera
    grab(x, y, touch) {
        const hit = this.pickNear(x, y, touch);
        if (!this.isMovable(hit)) {
            return false;
        }
        const { blocks } = this.view;
        const local = pointInPose([0, 0, 0], blocks.data, blocks.body(hit.body), ...hit.point);
        this.drag = { body: hit.body, local, anchor: hit.point, target: [...hit.point], point: [...hit.point] };
        this.hold();
        return true;
    }

    // @param level move in the level plane instead
    pull(x, y, level) {
        const { drag } = this;
        if (!drag) {
            return;
        }
        const { rig, flat } = this.view;
        const { origin, direction } = rig.ray(x, y);
        const normal = level && !flat ? rig.up : rig.toEye();
        const from = origin.toArray();
        const along = direction.toArray();
        const slope = along.reduce((sum, a, k) => sum + a * normal[k], 0);
        const away = drag.anchor.reduce((sum, a, k) => sum + (a - from[k]) * normal[k], 0) / slope;
        if (!(away > 0)) {
            return; // the plane is behind the eye
        }
        drag.target = from.map((o, k) => o + away * along[k]);
        this.hold();
    }

    hold() {
        const { body, local, target } = this.drag;
        this.view.onHold({ body, point: [...local], target: [...target] });
        this.view.request();
    }

    drop() {
        this.drag = null;
        this.view.onRelease();
        this.view.request();
    }

    /// The drag with its held point in the present frame, or null.
    held() {
        const { drag, view } = this;
        if (drag) {
            pointOfPose(drag.point, view.blocks.data, view.blocks.body(drag.body), ...drag.local);
        }
        return drag;
    }

    dispose() {
        this.pointer.dispose();
    }
}
