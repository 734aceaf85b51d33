// Where solids of unit size lie: a cylinder has radius 1 and length 1 along z.
import * as THREE from "three";
import type { Body } from "./wire";

export const UNIT = new THREE.Vector3(1, 1, 1);
const Z = new THREE.Vector3(0, 0, 1);

/** Sides of the solid box with the same mass and moments of inertia, m. */
export function boxOf({ mass, inertia }: Body): THREE.Vector3 {
  const { xx, yy, zz } = inertia ?? { xx: 0, yy: 0, zz: 0 };
  const side = (sum: number) => Math.sqrt(Math.max(0, (6 * sum) / mass));
  return new THREE.Vector3(side(yy + zz - xx), side(xx + zz - yy), side(xx + yy - zz));
}

/** A cylinder from point to point. */
export function along(from: THREE.Vector3, to: THREE.Vector3, radius: number): THREE.Matrix4 {
  const direction = to.clone().sub(from);
  const length = direction.length();
  const turn = new THREE.Quaternion().setFromUnitVectors(Z, direction.normalize());
  return new THREE.Matrix4().compose(
    from.clone().add(to).multiplyScalar(0.5),
    turn,
    new THREE.Vector3(radius, radius, Math.max(length, 1e-6)),
  );
}

/** A cylinder around a center. */
export function disc(center: THREE.Vector3, axis: THREE.Vector3, radius: number, width: number): THREE.Matrix4 {
  const half = axis
    .clone()
    .normalize()
    .multiplyScalar(width / 2);
  return along(center.clone().sub(half), center.clone().add(half), radius);
}

export function ball(center: THREE.Vector3, radius: number): THREE.Matrix4 {
  return new THREE.Matrix4().compose(center, new THREE.Quaternion(), UNIT.clone().multiplyScalar(radius));
}
