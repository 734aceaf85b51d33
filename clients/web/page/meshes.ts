// Reads the meshes of a model with the loaders of three.js.
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { isLoaded, keepMesh, keepModel, type MeshPart } from "./loaded_meshes";
import type { Mesh, Model } from "./wire";

const NUMBERS_LIMIT = 2 ** 24; // of the positions of a mesh in memory, after its instances are counted

/** The bytes of a mesh that came with the model, as in a recording. */
export async function inModel({ content }: Mesh): Promise<ArrayBuffer> {
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0)).buffer;
}

/** The bytes of a mesh, by its hash, from the bridge. */
export async function fromBridge({ hash }: Mesh): Promise<ArrayBuffer> {
  const answer = await fetch(`/meshes/${hash}${location.search}`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.arrayBuffer();
}

/**
 * Makes the meshes of a model ready to be drawn.
 * @returns what is wrong with meshes that cannot be shown; empty: nothing
 */
export async function loadMeshes(
  { meshes = [] }: Model,
  bytesOf: (mesh: Mesh) => Promise<ArrayBuffer>,
): Promise<string> {
  keepModel(meshes.map(({ hash }) => hash));
  const problems = await Promise.all(
    meshes.map(async (mesh) => {
      if (isLoaded(mesh.hash)) return "";
      try {
        keepMesh(mesh.hash, await parse(mesh.format, await bytesOf(mesh)));
        return "";
      } catch (error) {
        return `The mesh ${mesh.hash} cannot be shown: ${(error as Error).message}. `;
      }
    }),
  );
  return problems.join("");
}

async function parse(format: string, bytes: ArrayBuffer): Promise<MeshPart[]> {
  const text = () => new TextDecoder().decode(bytes);
  if (format === "stl") return [{ geometry: flat(bounded(new STLLoader().parse(bytes))), opacity: 1 }];
  if (format === "obj") return partsOf(new OBJLoader().parse(text()), false);
  const loader = new GLTFLoader();
  const { scene } = await loader.parseAsync(format === "gltf" ? text() : bytes, "");
  return partsOf(scene, true);
}

/** @param looks  takes colors, opacity and images from the file */
function partsOf(object: THREE.Object3D, looks: boolean): MeshPart[] {
  const parts: MeshPart[] = [];
  object.updateMatrixWorld(true);
  object.traverse((node) => {
    if (!(node instanceof THREE.Mesh)) return;
    const placed = inPlace(bounded(node.geometry as THREE.BufferGeometry), node.matrixWorld);
    const geometry = placed.getAttribute("normal") ? placed : flat(placed.index ? placed.toNonIndexed() : placed);
    const [material] = [node.material].flat() as THREE.MeshStandardMaterial[];
    if (!looks || material === undefined) return parts.push({ geometry, opacity: 1 });
    const { color, map, opacity, transparent, side } = material;
    return parts.push({
      geometry,
      color: color.getHex(),
      opacity: transparent ? opacity : 1,
      ...(map ? { texture: map } : {}),
      ...(side === THREE.DoubleSide ? { isSheet: true } : {}),
    });
  });
  if (parts.length === 0) throw new Error("it has no triangles");
  return parts;
}

/** A geometry in the frame of its file. Numbers become floats: a file may have whole numbers that its matrix scales. */
function inPlace(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4): THREE.BufferGeometry {
  const placed = geometry.clone();
  for (const [name, size] of Object.entries({ position: 3, normal: 3, tangent: 4 })) {
    const values = placed.getAttribute(name);
    if (!values) continue;
    const numbers = new Float32Array(size * values.count);
    for (let k = 0; k < values.count; ++k)
      for (let part = 0; part < size; ++part) numbers[size * k + part] = values.getComponent(k, part);
    placed.setAttribute(name, new THREE.BufferAttribute(numbers, size));
  }
  placed.applyMatrix4(matrix);
  if (matrix.determinant() < 0) turnOver(placed);
  return placed;
}

/** A mirror turns the corners of each triangle round: back to the order that is seen from outside. */
function turnOver(geometry: THREE.BufferGeometry): void {
  const { index } = geometry;
  const count = index?.count ?? geometry.getAttribute("position").count;
  const corners = Uint32Array.from({ length: count }, (_, k) => index?.getX(k) ?? k);
  for (let k = 2; k < count; k += 3) [corners[k - 1], corners[k]] = [corners[k] ?? 0, corners[k - 1] ?? 0];
  geometry.setIndex(new THREE.BufferAttribute(corners, 1));
}

/** Gives each triangle its own normal: many files have none, or zeros. */
function flat(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.deleteAttribute("normal");
  geometry.computeVertexNormals();
  return geometry;
}

/** @throws Error if there are no triangles, or too many */
function bounded(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const positions = geometry.getAttribute("position");
  if (!positions || positions.count === 0) throw new Error("it has no triangles");
  if (3 * positions.count > NUMBERS_LIMIT) throw new Error("it has too many triangles");
  return geometry;
}
