// SPDX-License-Identifier: Apache-2.0
// Materials of bodies: matt, with edges drawn as thin dark lines of a width in pixels.
import { DoubleSide, MeshLambertMaterial, MeshBasicMaterial } from 'three';

const edgeVertex = 'attribute vec2 edge;\nvarying vec2 vEdge;\n#include <common>';
const edgeFragment = /* glsl */ `
#include <color_fragment>
{
    vec2 step_of_edge = fwidth(vEdge);
    vec2 far = min(vEdge, 1.0 - vEdge) / max(step_of_edge, vec2(1e-6));
    float line = 1.0 - smoothstep(edgeWidth - 0.5, edgeWidth + 0.7, min(far.x, far.y));
    float small = smoothstep(0.05, 0.2, max(step_of_edge.x, step_of_edge.y));
    line *= 1.0 - small;
    diffuseColor.rgb *= 1.0 - 0.5 * line;
    diffuseColor.a = max(diffuseColor.a, min(1.0, 3.0 * diffuseColor.a) * line);
}`;

/// @param options {edges: draw them; shades: vertex colours; opacity; ghost}
export function solidMaterial({ edges = false, opacity = 1, thin = false } = {}) {
    const material = new MeshLambertMaterial({
        vertexColors: edges,
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity >= 1,
        ...(thin ? { side: DoubleSide } : {}),
    });
    if (edges) {
        material.userData.edgeWidth = { value: 1 };
        material.onBeforeCompile = (shader) => {
            shader.uniforms.edgeWidth = material.userData.edgeWidth;
            shader.vertexShader = shader.vertexShader
                .replace('#include <common>', edgeVertex)
                .replace('#include <begin_vertex>', '#include <begin_vertex>\nvEdge = edge;');
            shader.fragmentShader = shader.fragmentShader
                .replace('#include <common>', 'varying vec2 vEdge;\nuniform float edgeWidth;\n#include <common>')
                .replace('#include <color_fragment>', edgeFragment);
        };
        material.customProgramCacheKey = () => 'edges';
    }
    return material;
}

/// Flat and see-through, for cones and caps.
export function glassMaterial(opacity, more = {}) {
    return new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, side: DoubleSide, ...more });
}
