// SPDX-License-Identifier: Apache-2.0
// Planes in space: a checker with a grid of round lengths, which fades out far from what is looked at.
import { Color, FrontSide, Matrix4, Mesh, MeshLambertMaterial, PlaneGeometry, Vector2, Vector3 } from 'three';
import { writePose } from './matrices.js';

const fragment = /* glsl */ `
#include <color_fragment>
{
    vec2 cells = vPlane / spacing, wide = max(fwidth(cells), vec2(1e-6));
    // a checker that turns to its mean where the cells are smaller than pixels
    vec2 from = 0.5 * (cells - 0.5 * wide), to = 0.5 * (cells + 0.5 * wide);
    vec2 tri = 2.0 * (abs(fract(from) - 0.5) - abs(fract(to) - 0.5)) / wide;
    float checker = 0.5 - 0.5 * tri.x * tri.y;
    diffuseColor.rgb = mix(diffuse, other, checker);
    vec2 far = abs(fract(cells - 0.5) - 0.5) / wide;
    vec2 far5 = abs(fract(cells / 5.0 - 0.5) - 0.5) / (wide / 5.0);
    float small = smoothstep(0.12, 0.5, max(wide.x, wide.y)), small5 = smoothstep(0.6, 2.5, max(wide.x, wide.y));
    float thin = (1.0 - smoothstep(0.35, 1.35, min(far.x, far.y))) * (1.0 - small) * 0.5;
    float thick = (1.0 - smoothstep(0.7, 1.7, min(far5.x, far5.y))) * (1.0 - small5) * 0.9;
    diffuseColor.rgb = mix(diffuseColor.rgb, line, grid * max(thin, thick));
    diffuseColor.a *= 1.0 - smoothstep(0.35, 1.0, length(vPlane - middle) / radius);
    if (diffuseColor.a < 0.004) discard;
}`;

function groundMaterial() {
    const material = new MeshLambertMaterial({ transparent: true, side: FrontSide });
    material.userData = {
        spacing: { value: 1 },
        radius: { value: 1 },
        grid: { value: 1 },
        middle: { value: new Vector2() },
        other: { value: new Color() },
        line: { value: new Color() },
    };
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, material.userData);
        shader.vertexShader = shader.vertexShader
            .replace(
                '#include <common>',
                'varying vec2 vPlane;\nuniform float radius;\nuniform vec2 middle;\n#include <common>',
            )
            .replace(
                '#include <begin_vertex>',
                '#include <begin_vertex>\ntransformed.xy = middle + radius * position.xy;\nvPlane = transformed.xy;',
            );
        shader.fragmentShader = shader.fragmentShader
            .replace(
                '#include <common>',
                `varying vec2 vPlane;
uniform float spacing, radius, grid;
uniform vec2 middle;
uniform vec3 other, line;
#include <common>`,
            )
            .replace('#include <color_fragment>', fragment);
    };
    material.customProgramCacheKey = () => 'ground';
    return material;
}

/// The largest of 1, 2, 5 times a power of ten that is not above x.
export function roundLength(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

const at = new Vector3(),
    inverse = new Matrix4();

export class Grounds {
    constructor(parent, description) {
        this.parent = parent;
        this.planes = [];
        description.geoms.forEach((geom, index) => {
            if (geom.kind !== 'plane') {
                return;
            }
            const mesh = new Mesh(new PlaneGeometry(2, 2), groundMaterial());
            mesh.matrixAutoUpdate = false;
            mesh.frustumCulled = false;
            mesh.receiveShadow = true;
            mesh.renderOrder = -5;
            this.planes.push({ index, group: geom.group ?? 0, rgba: geom.rgba, mesh });
            parent.add(mesh);
        });
    }

    /// @param middle what is looked at @param unit m: size of the moving set @param reach m: distance of the eye
    update(blocks, look, middle, unit, reach) {
        for (const { index, group, mesh } of this.planes) {
            const { userData } = mesh.material;
            mesh.visible = look.groups[group] !== false;
            writePose(mesh.matrix.elements, 0, blocks.data, blocks.geom(index), 1, 1, 1, 0);
            mesh.matrixWorldNeedsUpdate = true;
            at.set(middle[0], middle[1], middle[2]);
            at.applyMatrix4(inverse.copy(mesh.matrix).invert());
            userData.middle.value.set(at.x, at.y);
            userData.radius.value = Math.max(9 * unit, 3.2 * reach);
            userData.spacing.value = roundLength(0.55 * unit);
            userData.grid.value = look.grid ? 1 : 0;
            userData.line.value.set(look.theme.grid);
            this.paint(mesh.material, look);
        }
    }

    paint(material, { theme, grid }) {
        material.color.set(theme.ground);
        material.userData.other.value.set(grid ? theme.groundOther : theme.ground);
    }

    /// Where a ray meets a plane. @return {body, geom, point, distance} or null
    raycast(ray, description) {
        let best = null;
        for (const { index, mesh } of this.planes) {
            const e = mesh.matrix.elements,
                n = at.set(e[8], e[9], e[10]);
            const slope = n.dot(ray.direction);
            const distance =
                mesh.visible && slope < 0
                    ? (n.x * (e[12] - ray.origin.x) + n.y * (e[13] - ray.origin.y) + n.z * (e[14] - ray.origin.z)) /
                      slope
                    : -1;
            if (distance > 0 && (!best || distance < best.distance)) {
                const { middle, radius } = mesh.material.userData;
                const point = [
                    ray.origin.x + distance * ray.direction.x,
                    ray.origin.y + distance * ray.direction.y,
                    ray.origin.z + distance * ray.direction.z,
                ];
                at.set(...point).applyMatrix4(inverse.copy(mesh.matrix).invert());
                // nothing is seen of the plane where it has faded out
                if (Math.hypot(at.x - middle.value.x, at.y - middle.value.y) < 0.8 * radius.value) {
                    best = { geom: index, body: description.geoms[index].body, point, distance };
                }
            }
        }
        return best;
    }

    dispose() {
        for (const { mesh } of this.planes) {
            this.parent.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}
