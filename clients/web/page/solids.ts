// Geometries of unit size, and those of the shapes that a model declares.
import * as THREE from "three";
import type { Visual } from "./wire";

/** A box of side 1, a sphere of radius 1, a cylinder of radius 1 and length 1 along z. */
export const SOLIDS = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  glass: () => new THREE.BoxGeometry(1, 1, 1),
  sphere: () => new THREE.SphereGeometry(1, 20, 14),
  cylinder: () => new THREE.CylinderGeometry(1, 1, 1, 28).rotateX(Math.PI / 2),
};

/** A coil of unit radius and length along z. */
export function coil(): THREE.BufferGeometry {
  class Helix extends THREE.Curve<THREE.Vector3> {
    // biome-ignore lint/complexity/noUselessConstructor: the constructor of the base class is protected
    constructor() {
      super();
    }
    override getPoint(t: number): THREE.Vector3 {
      const angle = 2 * Math.PI * 7 * t;
      return new THREE.Vector3(Math.cos(angle), Math.sin(angle), t - 0.5);
    }
  }
  return new THREE.TubeGeometry(new Helix(), 140, 0.12, 5);
}

/** An outline drawn along z by half of the length either way. */
function drawn(outline: THREE.Shape, length: number, curveSegments: number): THREE.BufferGeometry {
  const geometry = new THREE.ExtrudeGeometry(outline, { depth: length, bevelEnabled: false, curveSegments });
  return geometry.translate(0, 0, -length / 2);
}

function ring(outer: number, inner: number): THREE.Shape {
  const shape = new THREE.Shape().absarc(0, 0, outer, 0, 2 * Math.PI, false);
  shape.holes.push(new THREE.Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return shape;
}

function polygon(outline: readonly number[]): THREE.Shape {
  const corners: THREE.Vector2[] = [];
  for (let k = 0; k + 1 < outline.length; k += 2) corners.push(new THREE.Vector2(outline[k], outline[k + 1]));
  return new THREE.Shape(corners);
}

/** The geometry of a declared shape, in its own frame; undefined for a shape that this page does not know. */
export function geometryOf(visual: Visual): THREE.BufferGeometry | undefined {
  const { box, sphere, cylinder, capsule, tube, prism } = visual;
  if (box) return new THREE.BoxGeometry(...(box.sides as [number, number, number]));
  if (sphere) return new THREE.SphereGeometry(sphere.radius, 32, 20);
  if (cylinder)
    return new THREE.CylinderGeometry(cylinder.radius, cylinder.radius, cylinder.length, 40).rotateX(Math.PI / 2);
  if (capsule) return new THREE.CapsuleGeometry(capsule.radius, capsule.length, 10, 32).rotateX(Math.PI / 2);
  if (tube) return drawn(ring(tube.outer_radius, tube.inner_radius), tube.length, 40);
  if (prism) return drawn(polygon(prism.outline), prism.length, 1);
  return undefined;
}
