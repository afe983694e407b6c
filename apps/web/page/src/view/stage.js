// SPDX-License-Identifier: Apache-2.0
// What is around the bodies: the renderer, sky, light and shadows.
import {
    Color,
    DirectionalLight,
    Float32BufferAttribute,
    BufferGeometry,
    HemisphereLight,
    Mesh,
    NoToneMapping,
    PCFShadowMap,
    Scene,
    ShaderMaterial,
    SRGBColorSpace,
    WebGLRenderer,
} from 'three';

const SHADOW = 2048; // px of the shadow map

function makeSky() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    const sky = new Mesh(
        geometry,
        new ShaderMaterial({
            depthTest: false,
            depthWrite: false,
            uniforms: { top: { value: new Color() }, low: { value: new Color() } },
            vertexShader: `varying float high;
            void main() { high = 0.5 + 0.5 * position.y; gl_Position = vec4(position.xy, 1.0, 1.0); }`,
            fragmentShader: `uniform vec3 top, low; varying float high;
            void main() {
                gl_FragColor = vec4(mix(low, top, smoothstep(0.25, 1.0, high)), 1.0);
                #include <colorspace_fragment>
            }`,
        }),
    );
    sky.frustumCulled = false;
    sky.renderOrder = -100;
    return sky;
}

export class Stage {
    constructor(canvas) {
        this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
        this.renderer.outputColorSpace = SRGBColorSpace;
        this.renderer.toneMapping = NoToneMapping;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.info.autoReset = false;
        this.scene = new Scene();
        this.scene.matrixAutoUpdate = false;
        this.sky = makeSky();
        this.skylight = new HemisphereLight();
        this.sun = new DirectionalLight();
        this.sun.shadow.mapSize.set(SHADOW, SHADOW);
        this.sun.shadow.radius = 4;
        this.scene.add(this.sky, this.skylight, this.sun, this.sun.target);
    }

    paint(theme, flat) {
        const { top, low } = this.sky.material.uniforms;
        top.value.set(flat ? theme.paper : theme.skyTop);
        low.value.set(flat ? theme.paper : theme.skyLow);
        this.skylight.color.set('#ffffff');
        this.skylight.groundColor.set(theme.bounce);
        this.skylight.intensity = theme.skylight;
        this.sun.intensity = theme.sunlight;
    }

    /// Light from above, on the left of the first view. @param rig whose axes it takes
    aim(rig) {
        const a = ((rig.azimuth - 48) * Math.PI) / 180;
        this.toSun = [0, 1, 2].map(
            (k) => 0.62 * (Math.cos(a) * rig.east[k] + Math.sin(a) * rig.north[k]) + rig.up[k],
        );
        const length = Math.hypot(...this.toSun);
        this.toSun = this.toSun.map((x) => x / length);
        this.skylight.position.set(...rig.up);
        this.sun.shadow.camera.up.set(...rig.north);
        this.shadowRadius = 0;
    }

    /// Shadows of what is within `radius` of `middle`.
    light(middle, radius, shadows) {
        const { sun } = this,
            { shadow } = sun;
        sun.castShadow = shadows;
        if (!(radius < this.shadowRadius && radius > 0.4 * this.shadowRadius)) {
            this.shadowRadius = 1.25 * radius;
        }
        const r = this.shadowRadius,
            box = shadow.camera;
        sun.target.position.set(middle[0], middle[1], middle[2]);
        sun.position.set(
            middle[0] + 3 * r * this.toSun[0],
            middle[1] + 3 * r * this.toSun[1],
            middle[2] + 3 * r * this.toSun[2],
        );
        sun.target.updateMatrixWorld();
        sun.updateMatrixWorld();
        if (box.right !== r) {
            box.left = box.bottom = -r;
            box.right = box.top = r;
            box.near = 0.5 * r;
            box.far = 60 * r; // shadows on a floor far below, too
            box.updateProjectionMatrix();
            shadow.normalBias = (1.4 * 2 * r) / SHADOW;
            shadow.bias = (-0.0015 * r) / (box.far - box.near);
        }
    }

    draw(camera) {
        this.renderer.info.reset();
        this.renderer.render(this.scene, camera);
    }

    dispose() {
        this.sky.geometry.dispose();
        this.sky.material.dispose();
        this.sun.dispose();
        this.skylight.dispose();
        this.renderer.dispose();
    }
}
