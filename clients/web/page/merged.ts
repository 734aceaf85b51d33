// Many solids as one mesh. A rasterizer in software draws each instance of an InstancedMesh by itself, for 20 us or so.
import * as THREE from "three";

const TEXELS = 5; // of a part: the columns of its matrix, its color with its opacity
const PARTS_PER_LINE = 128; // of the texture
const LARGEST = 4096; // corners of a geometry that is worth merging

/** Whether a mesh gets cheaper when it is merged with others. */
export function isMergeable({ geometry }: THREE.InstancedMesh): boolean {
  return (geometry.getAttribute("position")?.count ?? 0) <= LARGEST;
}

/** Draws what instanced meshes say, which are no part of the scene themselves. */
export class Merged {
  readonly mesh: THREE.Mesh;
  private readonly values: Float32Array;
  private readonly texture: THREE.DataTexture;

  /** @param material  with the uniform `parts`, and PARTS_GLSL in its vertex shader */
  constructor(
    private readonly sources: readonly THREE.InstancedMesh[],
    opacities: readonly number[],
    material: THREE.ShaderMaterial,
  ) {
    const count = sources.reduce((sum, source) => sum + source.count, 0);
    const lines = Math.max(1, Math.ceil(count / PARTS_PER_LINE));
    this.values = new Float32Array(4 * TEXELS * PARTS_PER_LINE * lines);
    const width = TEXELS * PARTS_PER_LINE;
    this.texture = new THREE.DataTexture(this.values, width, lines, THREE.RGBAFormat, THREE.FloatType);
    this.texture.needsUpdate = true;
    let part = 0;
    sources.forEach((source, index) => {
      for (let k = 0; k < source.count; ++k) this.values[4 * TEXELS * part++ + 19] = opacities[index] ?? 1;
    });
    Object.assign(material.uniforms, { parts: { value: this.texture } });
    this.mesh = new THREE.Mesh(geometryOf(sources), material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.texture = this.texture;
  }

  /** Takes the poses of the instances. */
  pose(): void {
    const { values } = this;
    let part = 0;
    for (const { instanceMatrix, count } of this.sources)
      for (let k = 0; k < count; ++k, ++part)
        for (let entry = 0; entry < 16; ++entry)
          values[4 * TEXELS * part + entry] = instanceMatrix.array[16 * k + entry] ?? 0;
    this.texture.needsUpdate = true;
  }

  /** Takes the colors of the instances. */
  paint(): void {
    let part = 0;
    for (const { instanceColor, count } of this.sources)
      for (let k = 0; k < count; ++k, ++part)
        for (let channel = 0; channel < 3; ++channel)
          this.values[4 * TEXELS * part + 16 + channel] = instanceColor?.array[3 * k + channel] ?? 0;
    this.texture.needsUpdate = true;
  }
}

/** The corners of all instances, each with the number of its part. */
function geometryOf(sources: readonly THREE.InstancedMesh[]): THREE.BufferGeometry {
  const total = sources.reduce((sum, { geometry, count }) => sum + count * geometry.getAttribute("position").count, 0);
  const [positions, normals] = [new Float32Array(3 * total), new Float32Array(3 * total)];
  const parts = new Float32Array(total);
  const indices: number[] = [];
  let [corner, part] = [0, 0];
  for (const { geometry, count } of sources) {
    const [position, normal] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
    const faces = geometry.index?.array ?? Array.from({ length: position.count }, (_, index) => index);
    for (let k = 0; k < count; ++k, ++part) {
      copy(position, positions, corner);
      copy(normal, normals, corner);
      parts.fill(part, corner, corner + position.count);
      for (const index of faces) indices.push(corner + index);
      corner += position.count;
    }
  }
  const merged = new THREE.BufferGeometry();
  merged.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  merged.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  merged.setAttribute("part", new THREE.BufferAttribute(parts, 1));
  return merged.setIndex(indices);
}

type Attribute = THREE.BufferAttribute | THREE.InterleavedBufferAttribute;

/** Attributes of files may be interleaved with others, or whole numbers for parts of one. */
function copy(from: Attribute, to: Float32Array, first: number): void {
  for (let k = 0; k < from.count; ++k) to.set([from.getX(k), from.getY(k), from.getZ(k)], 3 * (first + k));
}

/** Texels of the part that a corner belongs to. */
export const PARTS_GLSL = `
uniform highp sampler2D parts;
attribute float part;
vec4 texelOf(int index) {
  int line = int(part) / ${PARTS_PER_LINE};
  return texelFetch(parts, ivec2((int(part) - ${PARTS_PER_LINE} * line) * ${TEXELS} + index, line), 0);
}`;
