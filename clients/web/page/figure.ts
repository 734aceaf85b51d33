// The drawing of one mechanism: its shapes at the poses of a row, and its forces as arrows.
import * as THREE from "three";
import { Arrows } from "./arrows";
import { fullMaterial, plainMaterial, type Quality } from "./looks";
import { isMergeable, Merged } from "./merged";
import type { PoseLayout } from "./poses";
import { type End, LINK_RADIUS, type Line, type Shapes, type Solid, shapesOf, type Tyre } from "./shapes";
import { coil, type Detail, SOLIDS } from "./solids";
import type { Model } from "./wire";

const HIGHLIGHT = 0xffd24a;
const GHOST = 0xd2447c;
const GHOST_OPACITY = 0.35;
const TYRE_FORCE = 0x35b36b;
const REACTION = 0xe0912f;
const MANY_PARTS = 200; // beyond, each has fewer faces
const THINNEST = 0.8; // radius of a line, pixels
const ONE = new THREE.Vector3(1, 1, 1);
const Z = new THREE.Vector3(0, 0, 1);

/** Solids of one geometry and look, drawn at once. */
interface Batch {
  mesh: THREE.InstancedMesh;
  placed: Placed[];
}

/** A shape in the frame of a body. */
interface Placed {
  geometry: THREE.BufferGeometry;
  body: number;
  pose: THREE.Matrix4;
  color: number;
  opacity: number;
  texture?: THREE.Texture;
  /** Has two sides that are seen. */
  isSheet?: boolean;
  /** Radius of a cylinder that is drawn thicker far away, m. */
  slender?: number;
}

/** Lines of one kind, drawn at once. */
interface LineBatch {
  mesh: THREE.InstancedMesh;
  lines: Line[];
}

/** What a picture shows besides the bodies. */
export interface Overlay {
  tyreForces: boolean;
  reactions: boolean;
  /** Scale of the arrows, N per m. */
  newtonsPerMeter: number;
}

export class Figure {
  readonly group = new THREE.Group();
  readonly shapes: Shapes;
  /** Pose of each body from the shifted origin. */
  readonly matrices: THREE.Matrix4[];
  private readonly batches: Batch[] = [];
  private readonly lines: LineBatch[] = [];
  private readonly toMerge: { mesh: THREE.InstancedMesh; opacity: number }[] = [];
  private readonly merged: Merged[] = [];
  private readonly tyreForces: Arrows;
  private readonly reactions: Arrows;
  private readonly origin = new THREE.Vector3();
  // Where a picture computes: nothing is allocated for it.
  private readonly at = new THREE.Vector3();
  private readonly to = new THREE.Vector3();
  private readonly axis = new THREE.Vector3();
  private readonly left = new THREE.Vector3();
  private readonly spin = new THREE.Quaternion();
  private readonly matrix = new THREE.Matrix4();
  private readonly ground = new THREE.Matrix4();
  private readonly size = new THREE.Vector3();

  /** @param ghost  draws a pale figure of one color, without shadows and arrows */
  constructor(
    model: Model,
    public layout: PoseLayout,
    private readonly quality: Quality,
    private readonly ghost = false,
  ) {
    const detail = quality === "full" ? "fine" : "coarse";
    this.shapes = shapesOf(model, layout.bodies, { detail });
    this.matrices = layout.bodies.map(() => new THREE.Matrix4());
    const { parts, lines, tyres, reactions, size } = this.shapes;
    const many = quality === "full" ? "coarse" : "rough";
    this.addSolids(parts.length > MANY_PARTS ? many : detail);
    this.addLines(lines.length > MANY_PARTS ? many : detail);
    this.merge();
    this.tyreForces = new Arrows(TYRE_FORCE, tyres.length, size);
    this.reactions = new Arrows(REACTION, reactions.length, size);
    this.group.add(this.tyreForces.group, this.reactions.group);
    this.mark(-1);
  }

  /** Rows of another layout follow. @returns false if it has other bodies: then it is not taken */
  take(layout: PoseLayout): boolean {
    if (layout.bodies.join("\n") !== this.layout.bodies.join("\n")) return false;
    this.layout = layout;
    return true;
  }

  private meshOf(
    { geometry, opacity, texture, isSheet = false }: Pick<Placed, "geometry" | "opacity" | "texture" | "isSheet">,
    count: number,
  ) {
    const shine = this.ghost ? GHOST_OPACITY * opacity : opacity;
    const material = fullMaterial(shine, isSheet, this.ghost ? undefined : texture);
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    mesh.castShadow = !this.ghost;
    mesh.frustumCulled = false;
    if (this.quality === "plain" && !texture && !isSheet && isMergeable(mesh))
      this.toMerge.push({ mesh, opacity: shine });
    else this.group.add(mesh);
    return mesh;
  }

  private merge(): void {
    for (const transparent of [false, true]) {
      const found = this.toMerge.filter(({ opacity }) => opacity < 1 === transparent);
      if (found.length === 0) continue;
      const look = plainMaterial(transparent, this.shapes.up);
      const [meshes, opacities] = [found.map(({ mesh }) => mesh), found.map(({ opacity }) => opacity)];
      const merged = new Merged(meshes, opacities, look);
      this.merged.push(merged);
      this.group.add(merged.mesh);
    }
  }

  private addSolids(detail: Detail): void {
    const { parts, declared, size } = this.shapes;
    const units: Partial<Record<Solid, THREE.BufferGeometry>> = {};
    const groups = new Map<string, Placed[]>();
    const add = (placed: Placed) => {
      const key = `${placed.geometry.uuid} ${placed.opacity} ${placed.texture?.uuid ?? ""} ${placed.isSheet ?? false}`;
      const group = groups.get(key);
      if (group) group.push(placed);
      else groups.set(key, [placed]);
    };
    for (const { solid, slender, ...part } of parts) {
      const geometry = units[solid] ?? SOLIDS[solid](detail);
      units[solid] = geometry;
      add({ ...part, geometry, ...(slender ? { slender: LINK_RADIUS * size } : {}) });
    }
    for (const shape of declared) add(shape);
    for (const placed of groups.values()) {
      const [one] = placed as [Placed];
      this.batches.push({ mesh: this.meshOf(one, placed.length), placed });
    }
  }

  private addLines(detail: Detail): void {
    for (const kind of ["spring", "rod"] as const) {
      const lines = this.shapes.lines.filter((line) => line.kind === kind);
      if (lines.length === 0) continue;
      const geometry = kind === "spring" ? coil(detail) : SOLIDS.cylinder(detail);
      this.lines.push({ mesh: this.meshOf({ geometry, opacity: 1 }, lines.length), lines });
    }
  }

  private value(row: Float64Array, name: string): number {
    return row[this.layout.column.get(name) ?? -1] ?? 0;
  }

  /** Orientation of a body in the world. */
  private turn(row: Float64Array, body: number, turn = new THREE.Quaternion()): THREE.Quaternion {
    const p = this.layout.p[body] ?? 0;
    return turn.set(row[p + 1] ?? 0, row[p + 2] ?? 0, row[p + 3] ?? 0, row[p] ?? 1);
  }

  /** Position of a body in the world. */
  position(row: Float64Array, body: number, position = new THREE.Vector3()): THREE.Vector3 {
    const r = this.layout.r[body] ?? 0;
    return position.set(row[r] ?? 0, row[r + 1] ?? 0, row[r + 2] ?? 0);
  }

  /** Points that enclose the bodies and their shapes, in the world. */
  corners(row: Float64Array): THREE.Vector3[] {
    const points = this.layout.bodies.map((_, body) => this.position(row, body));
    const poseOf = (body: number) =>
      body < 0 ? new THREE.Matrix4() : new THREE.Matrix4().compose(this.position(row, body), this.turn(row, body), ONE);
    for (const { lines } of this.lines)
      for (const { body, point } of lines.flatMap(({ ends }) => ends))
        points.push(point.clone().applyMatrix4(poseOf(body)));
    for (const { mesh, placed } of this.batches) {
      mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox ?? new THREE.Box3();
      for (const { body, pose } of placed) {
        const matrix = poseOf(body).multiply(pose);
        for (const x of [min.x, max.x])
          for (const y of [min.y, max.y])
            for (const z of [min.z, max.z]) points.push(new THREE.Vector3(x, y, z).applyMatrix4(matrix));
      }
    }
    return points;
  }

  /** A sphere around the bodies and their shapes. */
  bounds(row: Float64Array): { center: THREE.Vector3; radius: number } {
    const sphere = new THREE.Box3().setFromPoints(this.corners(row)).getBoundingSphere(new THREE.Sphere());
    return { center: sphere.center, radius: Math.max(sphere.radius, this.shapes.size) };
  }

  /** Draws a body in another color; -1: none. */
  mark(body: number): void {
    const paint = (mesh: THREE.InstancedMesh, colors: readonly { color: number; body?: number }[]) => {
      colors.forEach(({ color, body: owner = -1 }, index) => {
        const plain = new THREE.Color(this.ghost ? GHOST : color);
        if (owner === body && body >= 0) plain.lerp(new THREE.Color(HIGHLIGHT), 0.35);
        mesh.setColorAt(index, plain);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    };
    for (const { mesh, placed } of this.batches) paint(mesh, placed);
    for (const { mesh, lines } of this.lines) paint(mesh, lines);
    for (const merged of this.merged) merged.paint();
  }

  /**
   * @param origin  point of the world that the picture has as its origin
   * @param pixel  size of a pixel where the camera looks, m: lines are not drawn thinner
   */
  draw(row: Float64Array, origin: THREE.Vector3, overlay: Overlay, pixel: number): void {
    this.origin.copy(origin);
    this.matrices.forEach((matrix, body) => {
      matrix.compose(this.position(row, body, this.at).sub(origin), this.turn(row, body, this.spin), ONE);
    });
    this.ground.makeTranslation(-origin.x, -origin.y, -origin.z);
    for (const { mesh, placed } of this.batches) {
      placed.forEach(({ body, pose, slender = Number.POSITIVE_INFINITY }, index) => {
        this.matrix.multiplyMatrices(this.matrices[body] ?? this.ground, pose);
        const thick = (THINNEST * pixel) / slender;
        if (thick > 1) this.matrix.scale(this.size.set(thick, thick, 1));
        mesh.setMatrixAt(index, this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { mesh, lines } of this.lines) {
      lines.forEach((line, index) => {
        mesh.setMatrixAt(index, this.stretched(line, pixel));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const merged of this.merged) merged.pose();
    this.drawForces(row, overlay);
  }

  private end({ body, point }: End, at: THREE.Vector3): THREE.Vector3 {
    return at.copy(point).applyMatrix4(this.matrices[body] ?? this.ground);
  }

  private stretched({ kind, ends, radius }: Line, pixel: number): THREE.Matrix4 {
    const [from, to] = [this.end(ends[0], this.at), this.end(ends[1], this.to)];
    const direction = this.axis.subVectors(to, from);
    const length = Math.max(direction.length(), 1e-6);
    const width = kind === "rod" ? Math.max(radius, THINNEST * pixel) : radius;
    this.spin.setFromUnitVectors(Z, direction.divideScalar(length));
    return this.matrix.compose(from.add(to).multiplyScalar(0.5), this.spin, this.size.set(width, width, length));
  }

  private drawForces(row: Float64Array, overlay: Overlay): void {
    const { tyreForces, reactions, shapes, to } = this;
    const scale = 1 / overlay.newtonsPerMeter;
    tyreForces.clear();
    reactions.clear();
    if (this.ghost) return;
    if (overlay.tyreForces)
      for (const tyre of shapes.tyres) {
        const along = this.tyreForce(tyre, row);
        tyreForces.put(
          this.end({ body: tyre.body, point: tyre.center }, this.at).addScaledVector(shapes.up, -tyre.radius),
          along.multiplyScalar(scale),
        );
      }
    if (overlay.reactions)
      for (const { name, end } of shapes.reactions) {
        to.set(
          this.value(row, `${name}.force.x`),
          this.value(row, `${name}.force.y`),
          this.value(row, `${name}.force.z`),
        );
        reactions.put(this.end(end, this.at), to.multiplyScalar(scale));
      }
    tyreForces.show();
    reactions.show();
  }

  /** Force of the road on a tyre, in the world. */
  private tyreForce({ name, body, axis, up }: Tyre, row: Float64Array): THREE.Vector3 {
    const forward = this.axis
      .copy(axis)
      .transformDirection(this.matrices[body] ?? this.ground)
      .cross(up)
      .normalize();
    const left = this.left.crossVectors(up, forward);
    return this.to
      .copy(up)
      .multiplyScalar(this.value(row, `${name}.load`))
      .addScaledVector(forward, this.value(row, `${name}.longitudinal`))
      .addScaledVector(left, this.value(row, `${name}.lateral`));
  }

  /** Arrows that the newest picture shows. */
  get arrowsShown(): number {
    return this.tyreForces.count + this.reactions.count;
  }

  /** Index of the body that a ray meets first; -1: none. */
  bodyAt(ray: THREE.Raycaster): number {
    for (const { mesh } of this.batches) mesh.computeBoundingSphere();
    const meshes = this.batches.map(({ mesh }) => mesh);
    const [hit] = ray.intersectObjects<THREE.Mesh>(meshes, false);
    const batch = this.batches.find(({ mesh }) => mesh === hit?.object);
    return batch?.placed[hit?.instanceId ?? -1]?.body ?? -1;
  }
}
