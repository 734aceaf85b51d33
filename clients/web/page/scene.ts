// Draws the shapes of a model at the poses of a row.
import * as THREE from "three";
import { CameraRig } from "./camera";
import type { PoseLayout } from "./poses";
import { roadMeshes } from "./roads";
import { type End, type Line, type Shapes, type Solid, shapesOf, vector } from "./shapes";
import type { Model } from "./wire";

const SHIFT = 200; // the origin of the picture follows what is looked at in steps of this length, m
const TRAIL_POINTS = 600;
const GRID_CELLS = 160;
const GRID_PIECES = 32; // of each line
const HIGHLIGHT = 0xffd24a;

const SOLIDS: Record<Solid, () => THREE.BufferGeometry> = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  glass: () => new THREE.BoxGeometry(1, 1, 1),
  sphere: () => new THREE.SphereGeometry(1, 20, 14),
  cylinder: () => new THREE.CylinderGeometry(1, 1, 1, 28).rotateX(Math.PI / 2),
};

/** A coil of unit radius and length along z. */
function coil(): THREE.BufferGeometry {
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

/**
 * A square grid in the plane normal to y. Each line has pieces, because rasterizers in software leave out lines that pass
 * behind the camera.
 */
function gridLines(cell: number): THREE.BufferGeometry {
  const points: number[] = [];
  const piece = GRID_CELLS / GRID_PIECES;
  for (let line = -GRID_CELLS / 2; line <= GRID_CELLS / 2; ++line)
    for (let from = -GRID_CELLS / 2; from < GRID_CELLS / 2; from += piece) {
      points.push(line * cell, 0, from * cell, line * cell, 0, (from + piece) * cell);
      points.push(from * cell, 0, line * cell, (from + piece) * cell, 0, line * cell);
    }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

interface Batch {
  mesh: THREE.InstancedMesh;
  /** Body and pose in its frame, of each instance. */
  bodies: number[];
  poses: THREE.Matrix4[];
  colors: number[];
}

export class View {
  readonly renderer: THREE.WebGLRenderer;
  readonly rig: CameraRig;
  forces = true;
  trail = true;
  onPick: (body: string) => void = () => {};
  onHover: (body: string) => void = () => {};

  private readonly scene = new THREE.Scene();
  private readonly content = new THREE.Group();
  private readonly fixed = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly origin = new THREE.Vector3();
  private shapes: Shapes | undefined;
  private layout: PoseLayout | undefined;
  private batches: Batch[] = [];
  private lines: { line: Line; mesh: THREE.Mesh }[] = [];
  private arrows: THREE.ArrowHelper[] = [];
  private grid: THREE.Group | undefined;
  private path: THREE.Line | undefined;
  private trailPoints: THREE.Vector3[] = [];
  private selected = -1;
  private matrices: THREE.Matrix4[] = [];

  /** @throws Error if the browser has no WebGL */
  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.rig = new CameraRig(canvas);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x667088, 1.6), this.sun, this.sun.target);
    this.scene.add(this.content, this.fixed);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    canvas.addEventListener("pointermove", (event) => this.onHover(this.bodyAt(event)));
    canvas.addEventListener("dblclick", (event) => this.onPick(this.bodyAt(event)));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.rig.resize(width / Math.max(1, height));
  }

  setDark(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x171b22 : 0xe9edf3);
    if (this.scene.fog) this.scene.fog.color = this.scene.background;
  }

  /** Leaves out the shadows, which take half of the time of a picture. */
  simplify(): void {
    this.sun.castShadow = false;
  }

  /** Replaces what is drawn. */
  show(model: Model, layout: PoseLayout, row: Float64Array): void {
    this.dispose();
    const shapes = shapesOf(model, layout.bodies);
    this.shapes = shapes;
    this.layout = layout;
    this.matrices = layout.bodies.map(() => new THREE.Matrix4());
    for (const solid of Object.keys(SOLIDS) as Solid[]) this.addBatch(solid, shapes);
    const springs = coil();
    const rod = SOLIDS.cylinder();
    for (const line of shapes.lines) {
      const material = new THREE.MeshStandardMaterial({ color: line.color, roughness: 0.5, metalness: 0.3 });
      const mesh = new THREE.Mesh(line.kind === "spring" ? springs : rod, material);
      mesh.castShadow = true;
      this.lines.push({ line, mesh });
      this.content.add(mesh);
    }
    for (const _ of shapes.tyres) {
      const arrow = new THREE.ArrowHelper(shapes.up, new THREE.Vector3(), 1, 0x35b36b);
      for (const part of [arrow.line, arrow.cone]) {
        (part.material as THREE.Material).depthTest = false;
        part.renderOrder = 1;
      }
      this.arrows.push(arrow);
      this.content.add(arrow);
    }
    const trail = new THREE.BufferGeometry();
    trail.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * TRAIL_POINTS), 3));
    this.path = new THREE.Line(trail, new THREE.LineBasicMaterial({ color: HIGHLIGHT }));
    this.path.frustumCulled = false;
    this.content.add(this.path);
    this.select(this.heaviest(model), false);
    this.addGround(model, row);
    this.rig.start(shapes.up, this.bounds(row), model.roads.length > 0);
    this.draw(row);
  }

  private heaviest(model: Model): number {
    let best = model.bodies[0];
    for (const body of model.bodies) if (best && body.mass > best.mass) best = body;
    return this.layout?.bodies.indexOf(best?.name ?? "") ?? -1;
  }

  private addBatch(solid: Solid, shapes: Shapes): void {
    const parts = shapes.parts.filter((part) => part.solid === solid);
    if (parts.length === 0) return;
    const glass = solid === "glass";
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55,
      metalness: 0.15,
      transparent: glass,
      opacity: glass ? 0.45 : 1,
      depthWrite: !glass,
    });
    const mesh = new THREE.InstancedMesh(SOLIDS[solid](), material, parts.length);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    const batch: Batch = {
      mesh,
      bodies: parts.map(({ body }) => body),
      poses: parts.map(({ pose }) => pose),
      colors: parts.map(({ color }) => color),
    };
    this.batches.push(batch);
    this.content.add(mesh);
  }

  private addGround(model: Model, row: Float64Array): void {
    const shapes = this.shapes;
    if (shapes === undefined) return;
    const cell = 10 ** Math.ceil(Math.log10(shapes.size));
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), shapes.up);
    const grid = new THREE.Group();
    const look = new THREE.LineBasicMaterial({ color: 0x7a8699, transparent: true, opacity: 0.5 });
    const fine = new THREE.LineSegments(gridLines(cell), look);
    const floor = new THREE.Mesh(
      new THREE.PlaneGeometry(GRID_CELLS * cell, GRID_CELLS * cell).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({ opacity: 0.3 }),
    );
    floor.receiveShadow = true;
    floor.material.depthWrite = false;
    floor.position.y = -1e-3 * shapes.size;
    grid.add(fine, floor);
    grid.quaternion.copy(turn);
    grid.userData.cell = cell;
    const haze = GRID_CELLS * cell;
    this.scene.fog = new THREE.Fog(this.scene.background as THREE.Color, 0.1 * haze, 0.45 * haze);
    const bounds = this.bounds(row);
    const lowest = bounds.center.clone().addScaledVector(shapes.up, -bounds.radius - shapes.size);
    grid.userData.height = (model.roads[0] ? vector(model.roads[0].origin) : lowest).dot(shapes.up);
    this.grid = grid;
    this.content.add(grid);
    for (const mesh of roadMeshes(model)) this.fixed.add(mesh);
  }

  private bounds(row: Float64Array): { center: THREE.Vector3; radius: number } {
    const box = new THREE.Box3();
    for (const r of this.layout?.r ?? []) box.expandByPoint(new THREE.Vector3(row[r], row[r + 1], row[r + 2]));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    return { center: sphere.center, radius: Math.max(sphere.radius, this.shapes?.size ?? 1) };
  }

  /** Position of a body in the world. */
  private position(row: Float64Array, body: number): THREE.Vector3 {
    const r = this.layout?.r[body] ?? 0;
    return new THREE.Vector3(row[r], row[r + 1], row[r + 2]);
  }

  /** @param marked  draws the body in another color */
  private select(body: number, marked: boolean): void {
    this.selected = body;
    this.trailPoints = [];
    for (const { mesh, bodies, colors } of this.batches) {
      bodies.forEach((owner, index) => {
        const color = new THREE.Color(colors[index]);
        if (owner === body && marked) color.lerp(new THREE.Color(HIGHLIGHT), 0.35);
        mesh.setColorAt(index, color);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  selectName(name: string): void {
    this.select(this.layout?.bodies.indexOf(name) ?? -1, true);
  }

  get selectedName(): string {
    return this.layout?.bodies[this.selected] ?? "";
  }

  /** Draws a row and the force of each tyre. */
  draw(row: Float64Array): void {
    const { shapes, layout } = this;
    if (shapes === undefined || layout === undefined) return;
    const focus = this.position(row, Math.max(0, this.selected));
    this.shiftOrigin(focus);
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    this.matrices.forEach((matrix, body) => {
      const p = layout.p[body] ?? 0;
      turn.set(row[p + 1] ?? 0, row[p + 2] ?? 0, row[p + 3] ?? 0, row[p] ?? 1);
      matrix.compose(this.position(row, body).sub(this.origin), turn, one);
    });
    const product = new THREE.Matrix4();
    const ground = new THREE.Matrix4().setPosition(this.origin.clone().negate());
    for (const { mesh, bodies, poses } of this.batches) {
      poses.forEach((pose, index) => {
        mesh.setMatrixAt(index, product.multiplyMatrices(this.matrices[bodies[index] ?? -1] ?? ground, pose));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { line, mesh } of this.lines) this.stretch(line, mesh);
    this.drawForces(row);
    this.drawTrail(focus);
    this.fixed.position.copy(this.origin).negate();
    this.placeGround(focus);
    const body = this.matrices[Math.max(0, this.selected)];
    this.rig.follow(focus.clone().sub(this.origin), body ?? ground);
    this.renderer.render(this.scene, this.rig.camera);
  }

  /** Keeps the numbers of the graphics small far from the origin of the world. */
  private shiftOrigin(focus: THREE.Vector3): void {
    if (focus.distanceTo(this.origin) < SHIFT) return;
    const next = focus.clone().divideScalar(SHIFT).round().multiplyScalar(SHIFT);
    this.rig.shift(this.origin.clone().sub(next));
    this.origin.copy(next);
  }

  private placeGround(focus: THREE.Vector3): void {
    const grid = this.grid;
    const shapes = this.shapes;
    if (grid === undefined || shapes === undefined) return;
    const { cell, height } = grid.userData as { cell: number; height: number };
    // The grid follows in whole cells, so that its lines stand still.
    const inverse = grid.quaternion.clone().invert();
    const local = focus.clone().applyQuaternion(inverse);
    local.set(Math.round(local.x / cell) * cell, height, Math.round(local.z / cell) * cell);
    grid.position.copy(local.applyQuaternion(grid.quaternion)).sub(this.origin);
    const here = focus.clone().sub(this.origin);
    const reach = Math.max(4 * shapes.size, this.rig.distance * 0.8);
    this.sun.target.position.copy(here);
    this.sun.position.copy(here).addScaledVector(shapes.up, 3 * reach);
    this.sun.position.x += reach;
    this.sun.position.y += 0.6 * reach;
    const shadow = this.sun.shadow.camera;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 8 * reach });
    shadow.updateProjectionMatrix();
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

  /** Scale of the arrows, N per m: the largest load at rest is as long as a wheel is high. */
  newtonsPerMeter = 1e4;

  private drawForces(row: Float64Array): void {
    const { shapes, layout } = this;
    shapes?.tyres.forEach((tyre, index) => {
      const arrow = this.arrows[index];
      const value = (name: string) => row[layout?.column.get(`${tyre.name}.${name}`) ?? -1] ?? 0;
      if (arrow === undefined) return;
      const matrix = this.matrices[tyre.body];
      const axis = tyre.axis.clone().transformDirection(matrix ?? new THREE.Matrix4());
      const forward = axis.clone().cross(shapes.up).normalize();
      const left = shapes.up.clone().cross(forward);
      const force = shapes.up.clone().multiplyScalar(value("load"));
      force.addScaledVector(forward, value("longitudinal")).addScaledVector(left, value("lateral"));
      const length = force.length() / this.newtonsPerMeter;
      arrow.visible = this.forces && length > 1e-3;
      if (!arrow.visible) return;
      const contact = this.end({ body: tyre.body, point: tyre.center });
      arrow.position.copy(contact.addScaledVector(shapes.up, -tyre.radius));
      arrow.setDirection(force.normalize());
      arrow.setLength(length, Math.min(0.12, 0.4 * length), Math.min(0.07, 0.2 * length));
    });
  }

  private drawTrail(focus: THREE.Vector3): void {
    const { path, shapes } = this;
    if (path === undefined || shapes === undefined) return;
    path.visible = this.trail;
    const last = this.trailPoints[this.trailPoints.length - 1];
    if (!last || last.distanceTo(focus) > 0.05 * shapes.size) this.trailPoints.push(focus.clone());
    if (this.trailPoints.length > TRAIL_POINTS) this.trailPoints.shift();
    const attribute = path.geometry.getAttribute("position");
    this.trailPoints.forEach((point, index) => {
      attribute.setXYZ(index, point.x - this.origin.x, point.y - this.origin.y, point.z - this.origin.z);
    });
    attribute.needsUpdate = true;
    path.geometry.setDrawRange(0, this.trailPoints.length);
  }

  private bodyAt(event: MouseEvent): string {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.rig.camera);
    for (const { mesh } of this.batches) mesh.computeBoundingSphere();
    const hits = ray.intersectObjects(this.batches.map(({ mesh }) => mesh));
    const hit = hits[0];
    const batch = this.batches.find(({ mesh }) => mesh === hit?.object);
    return this.layout?.bodies[batch?.bodies[hit?.instanceId ?? -1] ?? -1] ?? "";
  }

  /** Where the center of a body is drawn: pixels of the page from the upper left corner of the canvas. */
  pixelOf(name: string, row: Float64Array): { x: number; y: number } {
    const body = this.layout?.bodies.indexOf(name) ?? -1;
    const point = this.position(row, body).sub(this.origin).project(this.rig.camera);
    const { clientWidth, clientHeight } = this.canvas;
    return { x: ((point.x + 1) / 2) * clientWidth, y: ((1 - point.y) / 2) * clientHeight };
  }

  private dispose(): void {
    for (const group of [this.content, this.fixed]) {
      group.traverse((object) => {
        if (!(object instanceof THREE.Mesh || object instanceof THREE.Line)) return;
        object.geometry.dispose();
        for (const material of [object.material].flat()) material.dispose();
      });
      group.clear();
    }
    this.batches = [];
    this.lines = [];
    this.arrows = [];
    this.origin.set(0, 0, 0);
  }
}
