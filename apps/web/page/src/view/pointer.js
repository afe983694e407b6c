// SPDX-License-Identifier: Apache-2.0
// Mouse and touch on the canvas: orbit, pan and zoom; clicks; drags of bodies.
//
//     drag                         turns the camera (planar worlds: moves it)
//     right or Shift and drag      moves the camera
//     wheel, two fingers           zoom and move
//     Ctrl and drag on a body      pulls the body; in drag mode, or with a finger, without Ctrl
//     click, double click          selects; looks at the point

const STILL = 5; // px: a pointer that moves less is a click

export class Pointer {
    /// @param on {rig(), grab(x, y) -> bool, pull(x, y, level), drop(), click(x, y), look(x, y), moved(), dragMode()}
    constructor(canvas, on) {
        this.canvas = canvas;
        this.on = on;
        this.down = new Map(); // pointers: id to {x, y}
        this.action = null;
        this.stop = new AbortController();
        canvas.style.touchAction = 'none';
        const listen = (type, what, options = {}) =>
            canvas.addEventListener(type, what, { signal: this.stop.signal, ...options });
        listen('pointerdown', (event) => this.press(event));
        listen('pointermove', (event) => this.move(event));
        listen('pointerup', (event) => this.release(event, true));
        listen('pointercancel', (event) => this.release(event, false));
        listen('wheel', (event) => this.wheel(event), { passive: false });
        listen('contextmenu', (event) => event.preventDefault());
        listen('dblclick', (event) => this.on.look(...this.place(event)));
    }

    place(event) {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    press(event) {
        const [x, y] = this.place(event);
        try {
            this.canvas.setPointerCapture(event.pointerId);
        } catch {
            // a pointer that is already up, or one that a test makes
        }
        this.down.set(event.pointerId, { x, y });
        if (this.down.size > 1) {
            this.endDrag();
            this.action = 'pinch';
            return;
        }
        this.start = { x, y, button: event.button };
        const wants = event.pointerType === 'touch' || event.ctrlKey || event.metaKey || this.on.dragMode();
        if (event.button === 0 && wants && this.on.grab(x, y, event.pointerType === 'touch')) {
            this.action = 'drag';
        } else {
            this.action = event.button === 2 || event.button === 1 || event.shiftKey ? 'pan' : 'orbit';
        }
    }

    move(event) {
        const from = this.down.get(event.pointerId);
        if (!from) {
            return;
        }
        const [x, y] = this.place(event),
            dx = x - from.x,
            dy = y - from.y;
        if (this.action === 'pinch') {
            this.pinch(event.pointerId, x, y);
            return;
        }
        if (this.start && Math.hypot(x - this.start.x, y - this.start.y) > STILL) {
            this.start = null; // no click
        }
        from.x = x;
        from.y = y;
        if (this.action === 'drag') {
            this.on.pull(x, y, event.shiftKey);
        } else if (this.action === 'pan') {
            this.on.rig().pan(dx, dy);
            this.on.moved();
        } else if (this.action === 'orbit') {
            this.on.rig().orbit(dx, dy);
            this.on.moved();
        }
    }

    pinch(id, x, y) {
        const others = [...this.down].filter(([other]) => other !== id).map(([, p]) => p);
        const from = this.down.get(id),
            other = others[0];
        const before = Math.hypot(from.x - other.x, from.y - other.y),
            after = Math.hypot(x - other.x, y - other.y);
        const rig = this.on.rig();
        rig.pan(0.5 * (x - from.x), 0.5 * (y - from.y));
        if (before > 1 && after > 1) {
            rig.zoom(before / after, 0.5 * (x + other.x), 0.5 * (y + other.y));
        }
        from.x = x;
        from.y = y;
        this.start = null;
        this.on.moved();
    }

    release(event, lifted) {
        const was = this.down.get(event.pointerId);
        if (!was) {
            return;
        }
        this.down.delete(event.pointerId);
        this.endDrag();
        if (lifted && this.start && this.start.button === 0 && this.action !== 'pinch') {
            this.on.click(this.start.x, this.start.y, event.pointerType === 'touch');
        }
        this.start = null;
        if (this.down.size === 0) {
            this.action = null;
        }
    }

    endDrag() {
        if (this.action === 'drag') {
            this.action = null;
            this.on.drop();
        }
    }

    wheel(event) {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : 1;
        this.on.rig().zoom(Math.exp(0.0012 * lines * event.deltaY), ...this.place(event));
        this.on.moved();
    }

    dispose() {
        this.stop.abort();
    }
}
