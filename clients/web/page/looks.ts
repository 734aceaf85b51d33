// Materials: full ones, and plain ones for pictures that the processor draws.
import * as THREE from "three";
import { PARTS_GLSL } from "./merged";

/** A still picture and one of a graphics card are full. */
export type Quality = "full" | "plain";

const [SKY, SUN] = [1.6, 2.2]; // intensities of the lights
const EARTH = 0x667088; // color of the light from the other side of the sky

/** From the side of the first camera, so that the faces that it sees are lit. @returns direction to the sun */
export function wayToSun(up: THREE.Vector3): THREE.Vector3 {
  return up
    .clone()
    .multiplyScalar(3)
    .add(new THREE.Vector3(-0.6, -1, 0));
}

/** The lights of full materials. */
export function lights(): { sky: THREE.HemisphereLight; sun: THREE.DirectionalLight } {
  return { sky: new THREE.HemisphereLight(0xffffff, EARTH, SKY), sun: new THREE.DirectionalLight(0xffffff, SUN) };
}

/** Material of a mesh whose instances have colors. @param isSheet  has two sides that are seen */
export function fullMaterial(opacity: number, isSheet: boolean, texture?: THREE.Texture): THREE.Material {
  return new THREE.MeshStandardMaterial({
    map: texture ?? null,
    side: isSheet ? THREE.DoubleSide : THREE.FrontSide,
    roughness: 0.55,
    metalness: 0.15,
    fog: false,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
  });
}

/**
 * Material of merged parts: the same lights, at the corners of triangles only. A pixel takes the color between them, already
 * as the screen wants it.
 */
export function plainMaterial(transparent: boolean, up: THREE.Vector3): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: LIT_CORNERS,
    fragmentShader: "varying vec4 shade; void main() { gl_FragColor = shade; }",
    uniforms: { toSun: { value: wayToSun(up).normalize() }, earth: { value: new THREE.Color(EARTH) } },
    transparent,
    depthWrite: !transparent,
  });
}

const LIT_CORNERS = `
${PARTS_GLSL}
uniform vec3 toSun;
uniform vec3 earth;
varying vec4 shade;
void main() {
  mat4 pose = mat4(texelOf(0), texelOf(1), texelOf(2), texelOf(3));
  vec4 color = texelOf(4);
  mat3 turn = mat3(pose);
  vec3 squares = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
  vec3 outward = normalize(turn * (normal / squares));
  vec3 light = ${SKY.toFixed(2)} * mix(earth, vec3(1.0), 0.5 + 0.5 * outward.y) + ${SUN.toFixed(2)} * max(0.0, dot(outward, toSun));
  shade = vec4(pow(min(color.rgb * light / ${Math.PI.toFixed(4)}, vec3(1.0)), vec3(${(1 / 2.2).toFixed(4)})), color.a);
  gl_Position = projectionMatrix * modelViewMatrix * pose * vec4(position, 1.0);
}`;
