// Meshes of roads: planes with half cylinders and heights.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { vector } from "./beams";
import type { Grid, Model, Road, RoadLine, RoadMark } from "./wire";

const POINTS_DRAWN = 256; // along and across at most; more points are drawn thinned out
const MARK_LIFT = 0.01; // of marks above the road, m
const MARK_STEP = 2; // between points of a mark that is drawn, m
const MARK_PIECES = 50_000; // of all marks of a road, at most
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

/** Of `count` points those that are drawn, the first and the last among them. */
function thinnedOut(count: number): number[] {
  const stride = Math.max(1, Math.ceil((count - 1) / (POINTS_DRAWN - 1)));
  return Array.from({ length: Math.ceil((count - 1) / stride) + 1 }, (_, k) => Math.min(k * stride, count - 1));
}

function heightMesh(grid: Grid, line: RoadLine | null): THREE.BufferGeometry | undefined {
  const { columns, values, spacing, along, across } = grid;
  const acrossSpacing = grid.across_spacing && grid.across_spacing > 0 ? grid.across_spacing : spacing;
  if (columns < 2 || values.length < 2 * columns) return undefined;
  const rows = Math.floor(values.length / columns);
  const [rowsDrawn, columnsDrawn] = [thinnedOut(rows), thinnedOut(columns)];
  const [high, wide] = [rowsDrawn.length, columnsDrawn.length];
  const points = new Float32Array(3 * high * wide);
  const faces: number[] = [];
  rowsDrawn.forEach((row, i) => {
    const { x, y, forward } = placeAt(line, along + row * spacing);
    columnsDrawn.forEach((column, j) => {
      const at = i * wide + j;
      const left = across + column * acrossSpacing;
      points.set([x - left * forward[1], y + left * forward[0], values[row * columns + column] ?? 0], 3 * at);
      if (i > 0 && j > 0) faces.push(at - wide - 1, at - wide, at, at - wide - 1, at, at - 1);
    });
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

/** Height of a grid between its points. */
function heightAt(grid: Grid | null, along: number, across: number): number {
  const columns = grid?.columns ?? 0;
  const rows = grid && columns > 1 ? Math.floor(grid.values.length / columns) : 0;
  if (!grid || rows < 2) return 0;
  const acrossSpacing = grid.across_spacing && grid.across_spacing > 0 ? grid.across_spacing : grid.spacing;
  const u = Math.min(Math.max((along - grid.along) / grid.spacing, 0), rows - 1);
  const v = Math.min(Math.max((across - grid.across) / acrossSpacing, 0), columns - 1);
  const [row, column] = [Math.min(Math.floor(u), rows - 2), Math.min(Math.floor(v), columns - 2)];
  const value = (r: number, c: number) => grid.values[(row + r) * columns + column + c] ?? 0;
  const [a, b] = [u - row, v - column];
  return (1 - a) * ((1 - b) * value(0, 0) + b * value(0, 1)) + a * ((1 - b) * value(1, 0) + b * value(1, 1));
}

/** The painted pieces of a mark as strips of short quadrilaterals; at most `left` of them. */
function markMesh(road: Road, mark: RoadMark, left: number): THREE.BufferGeometry | undefined {
  const { points, dash, gap } = mark;
  const spans = points.length / 2 - 1;
  if (spans < 1) return undefined;
  const [first, end] = [points[0] ?? 0, points[2 * spans] ?? 0];
  const half = (mark.width ?? 0.12) / 2;
  const corners: number[] = [];
  const faces: number[] = [];
  let span = 0;
  let pieces = 0;
  const addPair = (way: number) => {
    while (span < spans - 1 && (points[2 * span + 2] ?? 0) < way) ++span;
    const [from, a, to, b] = points.slice(2 * span, 2 * span + 4) as [number, number, number, number];
    const across = a + ((way - from) / (to - from)) * (b - a);
    const { x, y, forward } = placeAt(road.line, way);
    for (const side of [across - half, across + half])
      corners.push(x - side * forward[1], y + side * forward[0], heightAt(road.heights, way, side) + MARK_LIFT);
  };
  for (let from = first; from < end; from += dash > 0 ? dash + gap : end - first) {
    const to = dash > 0 ? Math.min(from + dash, end) : end;
    const steps = Math.max(1, Math.ceil((to - from) / MARK_STEP));
    pieces += steps;
    if (pieces > left) break;
    for (let k = 0; k <= steps; ++k) {
      addPair(from + ((to - from) * k) / steps);
      const at = corners.length / 3;
      if (k > 0) faces.push(at - 4, at - 2, at - 1, at - 4, at - 1, at - 3);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

/** One mesh for all marks of a color. */
function markMeshes(road: Road): THREE.Mesh[] {
  const ofColor = new Map<string, THREE.BufferGeometry[]>();
  let left = MARK_PIECES;
  for (const mark of road.marks ?? []) {
    const geometry = markMesh(road, mark, left);
    if (!geometry) continue;
    left -= (geometry.index?.count ?? 0) / 6;
    const color = JSON.stringify(mark.color.length === 3 ? mark.color : [1, 1, 1]);
    ofColor.set(color, [...(ofColor.get(color) ?? []), geometry]);
  }
  return [...ofColor].map(([color, geometries]) => {
    const [red, green, blue] = JSON.parse(color) as [number, number, number];
    const paint = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
    paint.color.setRGB(red, green, blue, THREE.SRGBColorSpace);
    return new THREE.Mesh(mergeGeometries(geometries), paint);
  });
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
    for (const mesh of markMeshes(road)) {
      mesh.geometry.applyMatrix4(frame);
      meshes.push(mesh);
    }
  }
  for (const mesh of meshes) mesh.receiveShadow = true;
  return meshes;
}
