// Geometries of unit size, and those of the shapes that a model declares.
import * as THREE from "three";
import type { Visual } from "./wire";

/** How many faces stand for a curved surface. */
export type Detail = "fine" | "coarse" | "rough";

const SIDES: Record<Detail, number> = { fine: 32, coarse: 18, rough: 6 }; // of a circle
const ROWS = 0.62; // of faces of a sphere from pole to pole, of its sides
const [COIL_TURNS, COIL_RADIUS] = [7, 0.12];
const COIL: Record<Detail, [perTurn: number, sides: number]> = { fine: [20, 5], coarse: [9, 3], rough: [6, 3] };

/** A box of side 1, a sphere of radius 1, a cylinder of radius 1 and length 1 along z. */
export const SOLIDS = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  sphere: (detail: Detail) => new THREE.SphereGeometry(1, SIDES[detail], Math.round(ROWS * SIDES[detail])),
  cylinder: (detail: Detail) => new THREE.CylinderGeometry(1, 1, 1, SIDES[detail]).rotateX(Math.PI / 2),
};

/** A coil of unit radius and length along z. */
export function coil(detail: Detail): THREE.BufferGeometry {
  class Helix extends THREE.Curve<THREE.Vector3> {
    // biome-ignore lint/complexity/noUselessConstructor: the constructor of the base class is protected
    constructor() {
      super();
    }
    override getPoint(t: number): THREE.Vector3 {
      const angle = 2 * Math.PI * COIL_TURNS * t;
      return new THREE.Vector3(Math.cos(angle), Math.sin(angle), t - 0.5);
    }
  }
  const [perTurn, sides] = COIL[detail];
  return new THREE.TubeGeometry(new Helix(), COIL_TURNS * perTurn, COIL_RADIUS, sides);
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

/**
 * The geometry of a declared shape that is no unit solid, in its own frame.
 * @returns undefined for another shape, or one that this page does not know
 */
export function geometryOf({ capsule, tube, prism }: Visual, detail: Detail): THREE.BufferGeometry | undefined {
  const sides = SIDES[detail];
  if (capsule) return new THREE.CapsuleGeometry(capsule.radius, capsule.length, sides >> 2, sides).rotateX(Math.PI / 2);
  if (tube) return drawn(ring(tube.outer_radius, tube.inner_radius), tube.length, sides);
  if (prism) return drawn(polygon(prism.outline), prism.length, 1);
  return undefined;
}

/** Scale of the unit solid that a declared shape is; undefined for another shape. */
export function solidOf({
  box,
  sphere,
  cylinder,
}: Visual): { solid: keyof typeof SOLIDS; scale: THREE.Vector3 } | undefined {
  if (box) return { solid: "box", scale: new THREE.Vector3(...box.sides) };
  if (sphere) return { solid: "sphere", scale: new THREE.Vector3().setScalar(sphere.radius) };
  if (cylinder) {
    const { radius, length } = cylinder;
    return { solid: "cylinder", scale: new THREE.Vector3(radius, radius, length) };
  }
  return undefined;
}
