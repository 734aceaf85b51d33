// The axis of a beam as the model declares it.
import * as THREE from "three";
import type { Vector } from "./wire";

/** What the drawing of a beam needs. */
export interface Beam {
  points: { position: Vector }[];
  elements: number;
  curve?: string;
}

export function vector(values: Vector | undefined, fallback: [number, number, number] = [0, 0, 0]): THREE.Vector3 {
  const [x, y, z] = values?.length === 3 ? values : fallback;
  return new THREE.Vector3(x, y, z);
}

/** Point of the axis of a beam at a share of its length; between the points of a spline about there. */
export function pointAlong({ points, curve }: Beam, share: number): THREE.Vector3 {
  const at = points.map(({ position }) => vector(position));
  if (curve === "BEAM_CURVE_SPLINE") return new THREE.CatmullRomCurve3(at).getPointAt(share);
  const path = new THREE.CurvePath<THREE.Vector3>();
  at.slice(1).forEach((point, k) => {
    path.add(new THREE.LineCurve3(at[k], point));
  });
  return path.getPointAt(share);
}

export function lengthOf({ points }: Beam): number {
  const at = points.map(({ position }) => vector(position));
  return at.reduce((sum, point, k) => sum + point.distanceTo(at[k - 1] ?? point), 0);
}
