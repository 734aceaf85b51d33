// Meshes that the page has read, by the hash of their content.
import type * as THREE from "three";

const MODELS_KEPT = 8; // the newest ones: a session, a recording and its ghost are shown at a time

/** A part of a mesh with one look, in the frame of the file. */
export interface MeshPart {
  geometry: THREE.BufferGeometry;
  /** Undefined: the file says nothing. */
  color?: number;
  opacity: number;
  texture?: THREE.Texture;
  /** Has two sides that are seen. */
  isSheet?: boolean;
}

/** Hashes of the meshes of the session, to which the page comes back. */
let ofSession: readonly string[] = [];
const loaded = new Map<string, MeshPart[]>();
/** Hashes of the meshes of each model, the newest one last. */
const models = new Map<string, readonly string[]>();

/** The parts of a mesh; none before it is read, or if it cannot be shown. */
export function loadedMesh(hash: string): readonly MeshPart[] {
  return loaded.get(hash) ?? [];
}

export function isLoaded(hash: string): boolean {
  return loaded.has(hash);
}

export function keepMesh(hash: string, parts: MeshPart[]): void {
  loaded.set(hash, parts);
}

/** The meshes of the session are kept, however many recordings are shown. */
export function keepSession(hashes: readonly string[]): void {
  ofSession = hashes;
}

/** The meshes of a model will be shown: they are kept until others are asked for often enough. */
export function keepModel(hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  const key = hashes.join();
  models.delete(key); // to the end of the order
  models.set(key, hashes);
  const [oldest] = models.keys();
  if (models.size <= MODELS_KEPT || oldest === undefined) return;
  models.delete(oldest);
  const needed = new Set([ofSession, ...models.values()].flat());
  for (const hash of loaded.keys()) if (!needed.has(hash)) loaded.delete(hash);
}
