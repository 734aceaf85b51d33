// Meshes of roads: planes with half cylinders and heights.
import * as THREE from "three";
import { vector } from "./beams";
import type { Grid, Model, Road, RoadLine } from "./wire";

const POINTS_DRAWN = 256; // along and across at most; more points are drawn thinned out
const HALF_WIDTH = 6; // of a half cylinder, which lies across the whole road, m

/** Along, to the left, and up. */
function axesOf(road: Road): [THREE.Vector3, THREE.Vector3, THREE.Vector3] {
  const up = vector(road.up, [0, 0, 1]).normalize();
  const along = vector(road.along, [1, 0, 0]);
  along.addScaledVector(up, -along.dot(up)).normalize();
  return [along, up.clone().cross(along), up];
}

/** From the frame of a road to the world. */
export function frameOf(road: Road): THREE.Matrix4 {
  return new THREE.Matrix4().makeBasis(...axesOf(road)).setPosition(vector(road.origin));
}

/** Place in the plane and direction of a road at a way along it; between the points of its line straight. */
function placeAt(line: RoadLine | null, way: number): { x: number; y: number; forward: [number, number] } {
  const points = line?.points ?? [];
  const count = points.length / 2;
  if (!line || count < 2) return { x: way, y: 0, forward: [1, 0] };
  const at = (way - line.start) / line.spacing;
  const span = Math.min(Math.max(Math.floor(at), 0), line.closed ? count - 1 : count - 2);
  const next = (span + 1) % count;
  const [x, y] = [points[2 * span] ?? 0, points[2 * span + 1] ?? 0];
  const [dx, dy] = [(points[2 * next] ?? 0) - x, (points[2 * next + 1] ?? 0) - y];
  const length = Math.hypot(dx, dy) || 1;
  return { x: x + (at - span) * dx, y: y + (at - span) * dy, forward: [dx / length, dy / length] };
}

function heightMesh(grid: Grid, line: RoadLine | null): THREE.BufferGeometry | undefined {
  const { columns, values, spacing, along, across } = grid;
  const acrossSpacing = grid.across_spacing && grid.across_spacing > 0 ? grid.across_spacing : spacing;
  if (columns < 2 || values.length < 2 * columns) return undefined;
  const rows = Math.floor(values.length / columns);
  const stride = Math.max(1, Math.ceil(Math.max(rows, columns) / POINTS_DRAWN));
  const [high, wide] = [Math.floor((rows - 1) / stride) + 1, Math.floor((columns - 1) / stride) + 1];
  const points = new Float32Array(3 * high * wide);
  const faces: number[] = [];
  for (let row = 0; row < high; ++row)
    for (let column = 0; column < wide; ++column) {
      const at = row * wide + column;
      const height = values[row * stride * columns + column * stride] ?? 0;
      const { x, y, forward } = placeAt(line, along + row * stride * spacing);
      const left = across + column * stride * acrossSpacing;
      points.set([x - left * forward[1], y + left * forward[0], height], 3 * at);
      if (row > 0 && column > 0) faces.push(at - wide - 1, at - wide, at, at - wide - 1, at, at - 1);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

/** In world coordinates. */
export function roadMeshes(model: Model): THREE.Mesh[] {
  const meshes: THREE.Mesh[] = [];
  for (const road of model.roads) {
    const frame = frameOf(road);
    const material = new THREE.MeshStandardMaterial({ color: 0x8d949e, roughness: 0.9, side: THREE.DoubleSide });
    const geometry = road.heights ? heightMesh(road.heights, road.line) : undefined;
    if (geometry) meshes.push(new THREE.Mesh(geometry.applyMatrix4(frame), material));
    for (const { position, radius } of road.half_cylinders) {
      const bump = new THREE.CylinderGeometry(radius, radius, 2 * HALF_WIDTH, 32);
      const { x, y, forward } = placeAt(road.line, position);
      bump.applyMatrix4(new THREE.Matrix4().makeRotationZ(Math.atan2(forward[1], forward[0])).setPosition(x, y, 0));
      meshes.push(new THREE.Mesh(bump.applyMatrix4(frame), material));
    }
  }
  for (const mesh of meshes) mesh.receiveShadow = true;
  return meshes;
}
