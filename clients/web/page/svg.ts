// A scene as a drawing of polygons: what the camera sees, the farthest polygon first.
import * as THREE from "three";

const LIGHT = new THREE.Vector3(0.4, 0.5, 0.8).normalize(); // towards the light, in the frame of the camera
const AMBIENT = 0.55; // of the light that a surface gets whichever way it faces
const SMALLEST = 0.1; // area of a polygon that is left out, pixels

interface Piece {
  /** Points of the picture, pixels. */
  points: THREE.Vector2[];
  /** Distance from the camera, m. */
  depth: number;
  fill: string;
  opacity: number;
}

interface Lens {
  camera: THREE.PerspectiveCamera;
  width: number;
  height: number;
}

/** @param layers  what is drawn, from back to front; within a layer the distance decides */
export function svgOf(layers: readonly THREE.Object3D[], background: THREE.Color, lens: Lens): string {
  const { width, height } = lens;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#${background.getHexString()}"/>`,
  ];
  for (const layer of layers) {
    const pieces = piecesOf(layer, lens).sort((a, b) => b.depth - a.depth);
    for (const { points, fill, opacity } of pieces) {
      const path = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
      if (points.length === 2)
        lines.push(`<path d="M${path}" stroke="${fill}"${opacity < 1 ? ` opacity="${opacity.toFixed(2)}"` : ""}/>`);
      // A stroke of its own color closes the seams between neighbors.
      else if (opacity >= 1) lines.push(`<path d="M${path}Z" fill="${fill}" stroke="${fill}" stroke-width=".8"/>`);
      else lines.push(`<path d="M${path}Z" fill="${fill}" opacity="${opacity.toFixed(2)}"/>`);
    }
  }
  return `${lines.join("\n")}\n</svg>\n`;
}

function piecesOf(layer: THREE.Object3D, lens: Lens): Piece[] {
  const pieces: Piece[] = [];
  layer.updateMatrixWorld(true);
  layer.traverseVisible((node) => {
    if (node instanceof THREE.InstancedMesh)
      for (let index = 0; index < node.count; ++index) {
        const [matrix, color] = [new THREE.Matrix4(), new THREE.Color()];
        node.getMatrixAt(index, matrix);
        if (node.instanceColor) node.getColorAt(index, color);
        addTriangles(node, matrix.premultiply(node.matrixWorld), color, lens, pieces);
      }
    else if (node instanceof THREE.Mesh && !(node.material instanceof THREE.ShadowMaterial))
      addTriangles(node, node.matrixWorld, undefined, lens, pieces);
    else if (node instanceof THREE.Line) addLines(node, lens, pieces);
  });
  return pieces;
}

/** Points of a geometry in the frame of the camera. */
function seen(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, { camera }: Lens): THREE.Vector3[] {
  const positions = geometry.getAttribute("position");
  const view = camera.matrixWorldInverse.clone().multiply(matrix);
  return Array.from({ length: positions.count }, (_, k) =>
    new THREE.Vector3().fromBufferAttribute(positions, k).applyMatrix4(view),
  );
}

/** Where a point before the camera is in the picture. */
function pixel(point: THREE.Vector3, { camera, width, height }: Lens): THREE.Vector2 {
  const { x, y } = point.clone().applyMatrix4(camera.projectionMatrix);
  return new THREE.Vector2(((x + 1) / 2) * width, ((1 - y) / 2) * height);
}

/** The part of a polygon before the camera. */
function clipped(points: readonly THREE.Vector3[], near: number): THREE.Vector3[] {
  return points.flatMap((point, k) => {
    const next = points[(k + 1) % points.length] ?? point;
    const inside = point.z <= -near;
    if (inside === next.z <= -near) return inside ? [point] : [];
    const crossing = point.clone().lerp(next, (-near - point.z) / (next.z - point.z));
    return inside ? [point, crossing] : [crossing];
  });
}

function isOutside(points: readonly THREE.Vector2[], { width, height }: Lens): boolean {
  return (
    points.every(({ x }) => x < 0) ||
    points.every(({ x }) => x > width) ||
    points.every(({ y }) => y < 0) ||
    points.every(({ y }) => y > height)
  );
}

function addTriangles(
  mesh: THREE.Mesh,
  matrix: THREE.Matrix4,
  tint: THREE.Color | undefined,
  lens: Lens,
  pieces: Piece[],
): void {
  const material = [mesh.material].flat()[0] as THREE.MeshStandardMaterial;
  const points = seen(mesh.geometry, matrix, lens);
  const index = mesh.geometry.index?.array;
  const count = index ? index.length : points.length;
  const color = material.color.clone();
  if (tint) color.multiply(tint);
  const opacity = material.transparent ? material.opacity : 1;
  for (let k = 0; k + 2 < count; k += 3) {
    const corners = [0, 1, 2].map((i) => points[index ? (index[k + i] ?? 0) : k + i] ?? new THREE.Vector3());
    const [a, b, c] = corners as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    const faces = normal.dot(a) < 0;
    if (!faces && material.side !== THREE.DoubleSide) continue;
    const front = clipped(corners, lens.camera.near);
    if (front.length < 3) continue;
    const flat = front.map((point) => pixel(point, lens));
    if (isOutside(flat, lens) || Math.abs(THREE.ShapeUtils.area(flat)) < SMALLEST) continue;
    const light = Math.abs(normal.dot(LIGHT)) * (1 - AMBIENT) + AMBIENT;
    const depth = -(a.z + b.z + c.z) / 3;
    pieces.push({ points: flat, depth, fill: `#${shaded(color, light)}`, opacity });
  }
}

function shaded(color: THREE.Color, light: number): string {
  return color.clone().multiplyScalar(light).getHexString();
}

function addLines(line: THREE.Line, lens: Lens, pieces: Piece[]): void {
  const material = line.material as THREE.LineBasicMaterial;
  const points = seen(line.geometry, line.matrixWorld, lens);
  const step = line instanceof THREE.LineSegments ? 2 : 1;
  const end = Math.min(points.length, line.geometry.drawRange.start + line.geometry.drawRange.count);
  for (let k = line.geometry.drawRange.start; k + 1 < end; k += step) {
    const [from, to] = [points[k], points[k + 1]];
    if (from === undefined || to === undefined) continue;
    const front = clipped([from, to], lens.camera.near).slice(0, 2);
    if (front.length < 2) continue;
    const flat = front.map((point) => pixel(point, lens));
    if (isOutside(flat, lens)) continue;
    const depth = -(from.z + to.z) / 2;
    const opacity = material.transparent ? material.opacity : 1;
    pieces.push({ points: flat, depth, fill: `#${material.color.getHexString()}`, opacity });
  }
}
