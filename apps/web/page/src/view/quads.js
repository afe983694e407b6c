// SPDX-License-Identifier: Apache-2.0
// Many quads in one draw call, with numbers for each of them in one array that grows by doubling. Shaders give
// them a size in pixels: lines, signs and labels are built on it.
import {
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Float32BufferAttribute,
    GreaterDepth,
    InstancedBufferGeometry,
    InstancedInterleavedBuffer,
    InterleavedBufferAttribute,
    Mesh,
    ShaderMaterial,
    Vector2,
} from 'three';

function quadMaterial(shaders, uniforms, options, behind) {
    return new ShaderMaterial({
        ...shaders,
        transparent: true,
        depthWrite: false,
        depthTest: options.overlay !== true,
        ...(behind ? { depthFunc: GreaterDepth } : {}),
        uniforms: {
            viewport: { value: new Vector2(1, 1) },
            ratio: { value: 1 },
            bias: { value: options.bias ?? 0 },
            rim: { value: new Color() },
            strength: { value: behind ? options.hidden : 1 },
            ...uniforms,
        },
    });
}

export class Quads {
    /// @param layout [[attribute, numbers]...] of one quad
    /// @param corners 4 x 3 numbers, the attribute `position`
    /// @param options {order; hidden: strength where other things are in front, default not drawn; bias: nearer in
    ///        depth; overlay: in front of everything}
    constructor(parent, layout, corners, shaders, options = {}, uniforms = {}) {
        this.parent = parent;
        this.layout = layout;
        this.corners = corners;
        this.stride = layout.reduce((sum, [, size]) => sum + size, 0);
        this.count = 0;
        this.meshes = [];
        for (let k = 0; k < (options.hidden > 0 ? 2 : 1); k++) {
            const mesh = new Mesh(new BufferGeometry(), quadMaterial(shaders, uniforms, options, k === 1));
            mesh.frustumCulled = false;
            mesh.matrixAutoUpdate = false;
            mesh.renderOrder = (options.order ?? 0) - 0.5 * k;
            mesh.visible = false;
            this.meshes.push(mesh);
            parent.add(mesh);
        }
        this.grow(32);
    }

    grow(room) {
        const array = new Float32Array(this.stride * room);
        if (this.array) {
            array.set(this.array);
        }
        this.array = array;
        this.room = room;
        this.buffer = new InstancedInterleavedBuffer(array, this.stride);
        this.buffer.setUsage(DynamicDrawUsage);
        const geometry = new InstancedBufferGeometry();
        geometry.setAttribute('position', new Float32BufferAttribute(this.corners, 3));
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        let offset = 0;
        for (const [name, size] of this.layout) {
            geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, size, offset));
            offset += size;
        }
        this.meshes[0].geometry.dispose();
        for (const mesh of this.meshes) {
            mesh.geometry = geometry;
        }
    }

    begin() {
        this.count = 0;
    }

    /// Room for one more. @return the place of its first number in `array`
    next() {
        if (this.count === this.room) {
            this.grow(2 * this.room);
        }
        return this.stride * this.count++;
    }

    /// @param behind draw also what other things hide
    end(_, behind = true) {
        this.meshes.forEach((mesh, k) => {
            mesh.geometry.instanceCount = this.count;
            mesh.visible = this.count > 0 && (behind || k === 0);
        });
        this.buffer.needsUpdate = true;
    }

    /// @param width, height of the drawing in device pixels @param ratio device pixels per CSS pixel
    /// @param rim colour around signs, which sets them off from their ground
    fit(width, height, ratio, rim) {
        for (const {
            material: { uniforms },
        } of this.meshes) {
            uniforms.viewport.value.set(width, height);
            uniforms.ratio.value = ratio;
            uniforms.rim.value.set(rim);
        }
    }

    dispose() {
        this.meshes[0].geometry.dispose();
        for (const mesh of this.meshes) {
            this.parent.remove(mesh);
            mesh.material.dispose();
        }
    }
}
