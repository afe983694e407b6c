// SPDX-License-Identifier: Apache-2.0
// Many copies of one geometry in one draw call. Their number changes from frame to frame; room grows by doubling.
import { Color, DynamicDrawUsage, GreaterDepth, InstancedMesh } from 'three';

const scratch = new Color();

/// Linear red, green and blue of a colour, for attributes.
export function linear(colour) {
    if (Array.isArray(colour)) {
        scratch.setRGB(colour[0], colour[1], colour[2], 'srgb');
    } else {
        scratch.set(colour);
    }
    return [scratch.r, scratch.g, scratch.b];
}

export class Many {
    /// @param options {shadow, order, hidden}: hidden is a second material for what is behind other things
    constructor(parent, geometry, material, options = {}) {
        this.parent = parent;
        this.geometry = geometry;
        this.material = material;
        this.options = options;
        this.count = 0;
        this.mesh = this.twin = null;
        this.grow(16);
    }

    grow(room) {
        const old = this.mesh;
        const mesh = new InstancedMesh(this.geometry, this.material, room);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.setColorAt(0, scratch.set('#ffffff'));
        mesh.instanceColor.setUsage(DynamicDrawUsage);
        mesh.frustumCulled = false;
        mesh.matrixAutoUpdate = false;
        mesh.castShadow = mesh.receiveShadow = this.options.shadow === true;
        mesh.renderOrder = this.options.order ?? 0;
        if (old) {
            mesh.instanceMatrix.array.set(old.instanceMatrix.array);
            mesh.instanceColor.array.set(old.instanceColor.array);
            this.castsShadow = old.castShadow;
            mesh.castShadow = old.castShadow;
            this.free();
        }
        this.mesh = mesh;
        this.room = room;
        this.matrix = mesh.instanceMatrix.array;
        this.colour = mesh.instanceColor.array;
        this.parent.add(mesh);
        if (this.options.hidden) {
            this.twin = this.addTwin(mesh);
        }
    }

    // the same copies where they are behind other things
    addTwin(mesh) {
        const twin = new InstancedMesh(this.geometry, this.options.hidden, 1);
        twin.instanceMatrix = mesh.instanceMatrix;
        twin.instanceColor = mesh.instanceColor;
        twin.frustumCulled = false;
        twin.matrixAutoUpdate = false;
        twin.renderOrder = mesh.renderOrder - 0.5;
        this.parent.add(twin);
        return twin;
    }

    begin() {
        this.count = 0;
    }

    /// Room for one more copy. @return its number; write to matrix[16 number] and colour[3 number]
    next() {
        if (this.count === this.room) {
            this.grow(2 * this.room);
        }
        return this.count++;
    }

    paint(i, rgb) {
        this.colour[3 * i] = rgb[0];
        this.colour[3 * i + 1] = rgb[1];
        this.colour[3 * i + 2] = rgb[2];
    }

    /// @param painted colours have changed @param behind draw also what other things hide
    end(painted = true, behind = true) {
        const mesh = this.mesh;
        mesh.count = this.count;
        mesh.visible = this.count > 0;
        mesh.instanceMatrix.needsUpdate = true;
        mesh.instanceColor.needsUpdate = painted;
        if (this.twin) {
            this.twin.count = this.count;
            this.twin.visible = behind && mesh.visible;
        }
    }

    free() {
        for (const mesh of [this.mesh, this.twin]) {
            if (mesh) {
                this.parent.remove(mesh);
                mesh.dispose();
            }
        }
    }

    /// Frees everything, the geometry and the materials too.
    dispose() {
        this.free();
        this.geometry.dispose();
        this.material.dispose();
        this.options.hidden?.dispose();
    }
}

/// The settings of a material that draws only what other things hide, in a weaker form.
export function behind(opacity) {
    return { depthFunc: GreaterDepth, depthWrite: false, transparent: true, opacity };
}
