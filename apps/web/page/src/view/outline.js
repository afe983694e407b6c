// SPDX-License-Identifier: Apache-2.0
// The outline of the selected body: its solids are drawn into a mask, whose border is drawn over the picture.
import {
    BufferGeometry,
    Color,
    Float32BufferAttribute,
    Mesh,
    MeshBasicMaterial,
    NearestFilter,
    Scene,
    ShaderMaterial,
    Vector2,
    WebGLRenderTarget,
    InstancedMesh,
} from 'three';

const fragmentShader = /* glsl */ `
uniform sampler2D mask;
uniform vec2 texel;
uniform vec3 colour;
varying vec2 place;
void main() {
    float inside = texture2D(mask, place).r, around = 0.0;
    for (int k = 0; k < 16; k++) {
        float a = 6.2831853 * float(k) / 16.0;
        around += texture2D(mask, place + 2.6 * texel * vec2(cos(a), sin(a))).r;
    }
    float edge = (1.0 - inside) * smoothstep(0.0, 5.0, around);
    if (edge < 0.01) discard;
    gl_FragColor = vec4(colour, edge);
    #include <colorspace_fragment>
}`;

export class Outline {
    constructor(parent) {
        this.parent = parent;
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
        this.cover = new Mesh(
            geometry,
            new ShaderMaterial({
                transparent: true,
                depthTest: false,
                depthWrite: false,
                fragmentShader,
                vertexShader: `varying vec2 place;
                void main() { place = 0.5 + 0.5 * position.xy; gl_Position = vec4(position.xy, 0.0, 1.0); }`,
                uniforms: { mask: { value: null }, texel: { value: new Vector2() }, colour: { value: new Color() } },
            }),
        );
        this.cover.frustumCulled = false;
        this.cover.renderOrder = 25;
        this.cover.visible = false;
        parent.add(this.cover);
        this.scene = new Scene();
        this.white = new MeshBasicMaterial({ color: '#ffffff' });
        this.copies = [];
        this.target = null;
    }

    paint(theme) {
        this.cover.material.uniforms.colour.value.set(theme.select);
    }

    /// Which instances of which solids belong to the body.
    choose(bodies, body) {
        this.freeCopies();
        const take = (many, numbers) => {
            if (numbers.length) {
                const mesh = new InstancedMesh(many.geometry, this.white, numbers.length);
                mesh.frustumCulled = false;
                mesh.matrixAutoUpdate = false;
                this.scene.add(mesh);
                this.copies.push({ many, numbers, mesh });
            }
        };
        const numbersOf = (owner) => owner.map((b, i) => (b === body ? i : -1)).filter((i) => i >= 0);
        if (body >= 0) {
            for (const { many, geom } of bodies.pools) {
                take(many, numbersOf(geom.map((g) => bodies.description.geoms[g].body)));
            }
            for (const shape of bodies.barPools ? ['tube', 'ball'] : []) {
                take(bodies.barPools[shape], numbersOf(bodies.barBodies[shape]));
            }
        }
        this.cover.visible = this.copies.length > 0;
    }

    draw(renderer, camera, ratio) {
        if (!this.copies.length) {
            return;
        }
        const { width, height } = renderer.domElement;
        if (!this.target || this.target.width !== width || this.target.height !== height) {
            this.target?.dispose();
            this.target = new WebGLRenderTarget(width, height, {
                minFilter: NearestFilter,
                magFilter: NearestFilter,
            });
        }
        for (const { many, numbers, mesh } of this.copies) {
            numbers.forEach((number, i) => {
                mesh.instanceMatrix.array.set(many.matrix.subarray(16 * number, 16 * number + 16), 16 * i);
            });
            mesh.instanceMatrix.needsUpdate = true;
        }
        renderer.setRenderTarget(this.target);
        renderer.setClearColor('#000000', 0);
        renderer.clear();
        renderer.render(this.scene, camera);
        renderer.setRenderTarget(null);
        const { uniforms } = this.cover.material;
        uniforms.mask.value = this.target.texture;
        uniforms.texel.value.set(ratio / width, ratio / height);
    }

    freeCopies() {
        for (const { mesh } of this.copies) {
            this.scene.remove(mesh);
            mesh.dispose();
        }
        this.copies = [];
    }

    dispose() {
        this.freeCopies();
        this.target?.dispose();
        this.white.dispose();
        this.cover.geometry.dispose();
        this.cover.material.dispose();
        this.parent.remove(this.cover);
    }
}
