// The drawing of one mechanism: its shapes at the poses of a row, and its forces as arrows.
import * as THREE from "three";
import type { PoseLayout } from "./poses";
import { type End, type Line, type Shapes, type Solid, shapesOf } from "./shapes";
import { coil, SOLIDS } from "./solids";
import type { Model } from "./wire";

const HIGHLIGHT = 0xffd24a;
const GHOST = 0xd2447c;
const GHOST_OPACITY = 0.35;
const TYRE_FORCE = 0x35b36b;
const REACTION = 0xe0912f;
const ONE = new THREE.Vector3(1, 1, 1);

/** Solids of one kind, drawn at once. */
interface Batch {
  mesh: THREE.InstancedMesh;
  /** Body and pose in its frame, of each instance. */
  bodies: number[];
  poses: THREE.Matrix4[];
  colors: number[];
}

/** A shape that the model declares. */
interface Declared {
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  body: number;
  pose: THREE.Matrix4;
  color: number;
}

/** What a picture shows besides the bodies. */
export interface Overlay {
  tyreForces: boolean;
  reactions: boolean;
  /** Scale of the arrows, N per m. */
  newtonsPerMeter: number;
}

/** The arrow of a force: where it acts, and how large it is in a row. */
interface Arrow {
  kind: "tyreForces" | "reactions";
  helper: THREE.ArrowHelper;
  start: () => THREE.Vector3;
  force: (row: Float64Array) => THREE.Vector3;
}

export class Figure {
  readonly group = new THREE.Group();
  readonly shapes: Shapes;
  /** Pose of each body from the shifted origin. */
  readonly matrices: THREE.Matrix4[];
  private readonly batches: Batch[] = [];
  private readonly declared: Declared[] = [];
  private readonly lines: { line: Line; mesh: THREE.Mesh }[] = [];
  private readonly arrows: Arrow[] = [];
  private readonly origin = new THREE.Vector3();

  /** @param ghost  draws a pale figure of one color, without shadows and arrows */
  constructor(
    model: Model,
    readonly layout: PoseLayout,
    private readonly ghost = false,
  ) {
    this.shapes = shapesOf(model, layout.bodies);
    this.matrices = layout.bodies.map(() => new THREE.Matrix4());
    for (const solid of Object.keys(SOLIDS) as Solid[]) this.addBatch(solid);
    this.addDeclared();
    this.addLines();
    if (!ghost) this.addArrows();
    this.mark(-1);
  }

  private material(color: number, opacity: number, texture?: THREE.Texture): THREE.MeshStandardMaterial {
    const transparent = this.ghost || opacity < 1;
    return new THREE.MeshStandardMaterial({
      map: this.ghost ? null : (texture ?? null),
      color: this.ghost ? GHOST : color,
      roughness: 0.55,
      metalness: 0.15,
      transparent,
      opacity: this.ghost ? GHOST_OPACITY * opacity : opacity,
      depthWrite: !transparent,
    });
  }

  private add(mesh: THREE.Mesh): void {
    mesh.castShadow = !this.ghost;
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  private addBatch(solid: Solid): void {
    const parts = this.shapes.parts.filter((part) => part.solid === solid);
    if (parts.length === 0) return;
    const material = this.material(0xffffff, solid === "glass" ? 0.45 : 1);
    const mesh = new THREE.InstancedMesh(SOLIDS[solid](), material, parts.length);
    this.batches.push({
      mesh,
      bodies: parts.map(({ body }) => body),
      poses: parts.map(({ pose }) => pose),
      colors: parts.map(({ color }) => color),
    });
    this.add(mesh);
  }

  private addDeclared(): void {
    for (const { geometry, body, pose, color, opacity, texture } of this.shapes.declared) {
      const mesh = new THREE.Mesh(geometry, this.material(color, opacity, texture));
      mesh.matrixAutoUpdate = false;
      this.declared.push({ mesh, body, pose, color });
      this.add(mesh);
    }
  }

  private addLines(): void {
    const springs = coil();
    const rod = SOLIDS.cylinder();
    for (const line of this.shapes.lines) {
      const mesh = new THREE.Mesh(line.kind === "spring" ? springs : rod, this.material(line.color, 1));
      this.lines.push({ line, mesh });
      this.add(mesh);
    }
  }

  private addArrows(): void {
    const { shapes } = this;
    for (const tyre of shapes.tyres) {
      const start = () => this.end({ body: tyre.body, point: tyre.center }).addScaledVector(shapes.up, -tyre.radius);
      const force = (row: Float64Array) => {
        const axis = tyre.axis.clone().transformDirection(this.matrices[tyre.body] ?? new THREE.Matrix4());
        const forward = axis.cross(shapes.up).normalize();
        const left = shapes.up.clone().cross(forward);
        const value = (name: string) => this.value(row, `${tyre.name}.${name}`);
        const sum = shapes.up.clone().multiplyScalar(value("load"));
        return sum.addScaledVector(forward, value("longitudinal")).addScaledVector(left, value("lateral"));
      };
      this.addArrow("tyreForces", TYRE_FORCE, start, force);
    }
    for (const { name, end } of shapes.reactions)
      this.addArrow(
        "reactions",
        REACTION,
        () => this.end(end),
        (row) =>
          new THREE.Vector3(...(["x", "y", "z"] as const).map((axis) => this.value(row, `${name}.force.${axis}`))),
      );
  }

  private addArrow(kind: Arrow["kind"], color: number, start: Arrow["start"], force: Arrow["force"]): void {
    const helper = new THREE.ArrowHelper(this.shapes.up, new THREE.Vector3(), 1, color);
    for (const part of [helper.line, helper.cone]) {
      (part.material as THREE.Material).depthTest = false;
      part.renderOrder = 1;
    }
    helper.visible = false;
    this.arrows.push({ kind, helper, start, force });
    this.group.add(helper);
  }

  private value(row: Float64Array, name: string): number {
    return row[this.layout.column.get(name) ?? -1] ?? 0;
  }

  /** Orientation of a body in the world. */
  private turn(row: Float64Array, body: number): THREE.Quaternion {
    const p = this.layout.p[body] ?? 0;
    return new THREE.Quaternion(row[p + 1] ?? 0, row[p + 2] ?? 0, row[p + 3] ?? 0, row[p] ?? 1);
  }

  /** Position of a body in the world. */
  position(row: Float64Array, body: number): THREE.Vector3 {
    const r = this.layout.r[body] ?? 0;
    return new THREE.Vector3(row[r], row[r + 1], row[r + 2]);
  }

  /** Points that enclose the bodies and their shapes, in the world. */
  corners(row: Float64Array): THREE.Vector3[] {
    const points = this.layout.bodies.map((_, body) => this.position(row, body));
    const poseOf = (body: number) =>
      body < 0 ? new THREE.Matrix4() : new THREE.Matrix4().compose(this.position(row, body), this.turn(row, body), ONE);
    const enclose = ({ boundingBox }: THREE.BufferGeometry, body: number, pose: THREE.Matrix4) => {
      const { min, max } = boundingBox ?? new THREE.Box3();
      const matrix = poseOf(body).multiply(pose);
      for (const x of [min.x, max.x])
        for (const y of [min.y, max.y])
          for (const z of [min.z, max.z]) points.push(new THREE.Vector3(x, y, z).applyMatrix4(matrix));
    };
    for (const { ends } of this.shapes.lines)
      for (const { body, point } of ends) points.push(point.clone().applyMatrix4(poseOf(body)));
    for (const { mesh } of [...this.batches, ...this.declared]) mesh.geometry.computeBoundingBox();
    for (const { mesh, body, pose } of this.declared) enclose(mesh.geometry, body, pose);
    for (const { mesh, bodies, poses } of this.batches)
      poses.forEach((pose, index) => {
        enclose(mesh.geometry, bodies[index] ?? -1, pose);
      });
    return points;
  }

  /** A sphere around the bodies and their shapes. */
  bounds(row: Float64Array): { center: THREE.Vector3; radius: number } {
    const sphere = new THREE.Box3().setFromPoints(this.corners(row)).getBoundingSphere(new THREE.Sphere());
    return { center: sphere.center, radius: Math.max(sphere.radius, this.shapes.size) };
  }

  /** Draws a body in another color; -1: none. */
  mark(body: number): void {
    const colorOf = (owner: number, color: number) => {
      const plain = new THREE.Color(this.ghost ? GHOST : color);
      return owner === body && body >= 0 ? plain.lerp(new THREE.Color(HIGHLIGHT), 0.35) : plain;
    };
    for (const { mesh, bodies, colors } of this.batches) {
      bodies.forEach((owner, index) => {
        mesh.setColorAt(index, colorOf(owner, colors[index] ?? 0));
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    for (const { mesh, body: owner, color } of this.declared) mesh.material.color.copy(colorOf(owner, color));
  }

  /** @param origin  point of the world that the picture has as its origin */
  draw(row: Float64Array, origin: THREE.Vector3, overlay: Overlay): void {
    this.origin.copy(origin);
    this.matrices.forEach((matrix, body) => {
      matrix.compose(this.position(row, body).sub(origin), this.turn(row, body), ONE);
    });
    const product = new THREE.Matrix4();
    const ground = new THREE.Matrix4().setPosition(origin.clone().negate());
    for (const { mesh, bodies, poses } of this.batches) {
      poses.forEach((pose, index) => {
        mesh.setMatrixAt(index, product.multiplyMatrices(this.matrices[bodies[index] ?? -1] ?? ground, pose));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { mesh, body, pose } of this.declared) {
      mesh.matrix.multiplyMatrices(this.matrices[body] ?? ground, pose);
      mesh.matrixWorldNeedsUpdate = true;
    }
    for (const { line, mesh } of this.lines) this.stretch(line, mesh);
    for (const arrow of this.arrows) this.point(arrow, row, overlay);
  }

  private end({ body, point }: End): THREE.Vector3 {
    const matrix = this.matrices[body];
    return matrix ? point.clone().applyMatrix4(matrix) : point.clone().sub(this.origin);
  }

  private stretch({ ends, radius }: Line, mesh: THREE.Mesh): void {
    const [from, to] = [this.end(ends[0]), this.end(ends[1])];
    const direction = to.clone().sub(from);
    const length = Math.max(direction.length(), 1e-6);
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), direction.divideScalar(length));
    mesh.scale.set(radius, radius, length);
  }

  private point({ kind, helper, start, force }: Arrow, row: Float64Array, overlay: Overlay): void {
    helper.visible = false;
    if (!overlay[kind]) return;
    const vector = force(row);
    const length = vector.length() / overlay.newtonsPerMeter;
    if (!(length > 1e-3 * this.shapes.size)) return;
    helper.visible = true;
    helper.position.copy(start());
    helper.setDirection(vector.normalize());
    const { size } = this.shapes;
    helper.setLength(length, Math.min(0.4 * size, 0.4 * length), Math.min(0.24 * size, 0.2 * length));
  }

  /** Arrows that the newest picture shows. */
  get arrowsShown(): number {
    return this.arrows.filter(({ helper }) => helper.visible).length;
  }

  /** Index of the body that a ray meets first; -1: none. */
  bodyAt(ray: THREE.Raycaster): number {
    for (const { mesh } of this.batches) mesh.computeBoundingSphere();
    const meshes = [...this.batches.map(({ mesh }) => mesh), ...this.declared.map(({ mesh }) => mesh)];
    const [hit] = ray.intersectObjects<THREE.Mesh>(meshes, false);
    if (hit === undefined) return -1;
    const batch = this.batches.find(({ mesh }) => mesh === hit.object);
    if (batch) return batch.bodies[hit.instanceId ?? -1] ?? -1;
    return this.declared.find(({ mesh }) => mesh === hit.object)?.body ?? -1;
  }
}
