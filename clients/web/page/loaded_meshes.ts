// Meshes that the page has read, by the hash of their content.
import type * as THREE from "three";

const KEPT = 64; // meshes

/** A part of a mesh with one look, in the frame of the file. */
export interface MeshPart {
  geometry: THREE.BufferGeometry;
  /** Undefined: the file says nothing. */
  color?: number;
  opacity: number;
  texture?: THREE.Texture;
}

const loaded = new Map<string, MeshPart[]>();

/** The parts of a mesh; none before it is read, or if it cannot be shown. */
export function loadedMesh(hash: string): readonly MeshPart[] {
  return loaded.get(hash) ?? [];
}

export function isLoaded(hash: string): boolean {
  return loaded.has(hash);
}

export function keepMesh(hash: string, parts: MeshPart[]): void {
  const [oldest] = loaded.keys();
  if (loaded.size >= KEPT && oldest) loaded.delete(oldest);
  loaded.set(hash, parts);
}
