// From a model to what is drawn: solids fixed to bodies, and lines between points of two bodies.
import * as THREE from "three";
import { type Beam, lengthOf, pointAlong, vector } from "./beams";
import { loadedMesh } from "./loaded_meshes";
import { along, ball, boxOf, disc, UNIT } from "./solid_poses";
import { type Detail, geometryOf, type SOLIDS, solidOf } from "./solids";
import type { Body, Kind, Model, Vector, Visual } from "./wire";

export type Solid = keyof typeof SOLIDS;

/** A solid of unit size in the frame of a body; a cylinder lies along z. */
export interface Part {
  solid: Solid;
  /** Index of the body; -1: ground. */
  body: number;
  pose: THREE.Matrix4;
  color: number;
  opacity: number;
  /** A cylinder for which a line may stand: far away it is drawn thicker than it is. */
  slender: boolean;
}

/** A shape that the model declares and that is no solid of unit size. */
export interface DeclaredShape {
  geometry: THREE.BufferGeometry;
  body: number;
  pose: THREE.Matrix4;
  color: number;
  opacity: number;
  /** Of a part of a mesh with an image on it. */
  texture?: THREE.Texture;
  /** Has two sides that are seen. */
  isSheet?: boolean;
}

/** Where a joint acts on its second body. */
export interface Reaction {
  name: string;
  end: End;
}

export interface End {
  body: number;
  point: THREE.Vector3;
}

/** A line between two points: a spring, a rod, a part of a rope or an element of a beam. */
export interface Line {
  name: string;
  kind: "spring" | "rod";
  ends: [End, End];
  radius: number;
  color: number;
}

export interface Tyre {
  name: string;
  body: number;
  center: THREE.Vector3;
  axis: THREE.Vector3;
  radius: number;
  /** Of its road. */
  up: THREE.Vector3;
  /** Turns about an axis of its own. */
  spins: boolean;
}

export interface Shapes {
  parts: Part[];
  declared: DeclaredShape[];
  lines: Line[];
  tyres: Tyre[];
  reactions: Reaction[];
  up: THREE.Vector3;
  /** A length that is typical of the bodies, m. */
  size: number;
}

const GREY = 0x8a94a6;
const RUBBER = 0x23262b;
const RIM = 0xc3cad6;
const SPRING = 0xe0a030;
const JOINT = 0xd9534f;
const ROD = 0x9aa7b8;
const MANY_POINTS = 5; // a body with as many points is drawn as a box around them that shows what is inside
const GLASS = 0.45; // opacity
export const LINK_RADIUS = 0.06; // of the typical size

export function colorOf(index: number): number {
  return new THREE.Color().setHSL((0.58 + index * 0.381966) % 1, 0.45, 0.55).getHex();
}

/** Collects the shapes of one model. */
class Drawing {
  readonly parts: Part[] = [];
  readonly declared: DeclaredShape[] = [];
  readonly reactions: Reaction[] = [];
  readonly lines: Line[] = [];
  readonly tyres: Tyre[] = [];
  private readonly index: Map<string, number>;
  private readonly points: THREE.Vector3[][];
  private readonly wheels = new Set<number>();
  private readonly dressed = new Set<number>(); // bodies with shapes of their own
  private readonly geometries = new Map<string, THREE.BufferGeometry>();
  size = 1;

  constructor(
    private readonly model: Model,
    bodies: readonly string[],
    private readonly meshesElsewhere: boolean,
    private readonly detail: Detail,
  ) {
    this.index = new Map(bodies.map((name, index) => [name, index]));
    this.points = bodies.map(() => []);
  }

  /** Index of a body by name; ground and unknown names are -1. */
  private body(name: unknown): number {
    return this.index.get(String(name)) ?? -1;
  }

  private attach(name: unknown, point: unknown): End {
    const end = { body: this.body(name), point: vector(point as Vector) };
    const known = this.points[end.body];
    if (known && !known.some((other) => other.distanceTo(end.point) < 1e-9)) known.push(end.point);
    return end;
  }

  private add(solid: Solid, body: number, pose: THREE.Matrix4, color: number, opacity = 1): void {
    this.parts.push({ solid, body, pose, color, opacity, slender: false });
  }

  private addLink(body: number, pose: THREE.Matrix4, color: number): void {
    this.parts.push({ solid: "cylinder", body, pose, color, opacity: 1, slender: true });
  }

  draw(): void {
    const { joints, forces, composites } = this.model;
    for (const joint of joints) {
      const data = joint[joint.kind] as { point_1?: Vector; point_2?: Vector } | undefined;
      if (data?.point_1) this.attach(joint.body_1, data.point_1);
      if (data?.point_2) this.reactions.push({ name: joint.name, end: this.attach(joint.body_2, data.point_2) });
    }
    for (const force of [...forces, ...composites]) {
      const data = force[force.kind] as { body_1?: string; body_2?: string; point_1?: Vector; point_2?: Vector };
      if (data?.point_1?.length && data.body_1) this.attach(data.body_1, data.point_1);
      if (data?.point_2?.length && data.body_2) this.attach(data.body_2, data.point_2);
    }
    this.size = this.typicalSize();
    for (const force of forces) this.drawForce(force);
    for (const composite of composites) this.drawComposite(composite);
    for (const joint of joints) this.drawJoint(joint);
    for (const body of this.model.bodies) this.drawBody(body);
    for (const tyre of this.tyres) if (!this.dressed.has(tyre.body)) this.drawWheel(tyre);
  }

  /** Median over the bodies of the distance of their farthest point, or of their size. */
  private typicalSize(): number {
    const sizes = this.model.bodies.map((body) => {
      const points = this.points[this.body(body.name)] ?? [];
      const reach = Math.max(0, ...points.map((point) => point.length()));
      return reach > 0 ? reach : boxOf(body).length() / 2;
    });
    for (const { kind, beam } of this.model.composites as (Kind & { beam?: Beam })[])
      if (kind === "beam" && beam) sizes.push(lengthOf(beam) / beam.elements);
    sizes.sort((a, b) => a - b);
    return sizes[sizes.length >> 1] || 1;
  }

  private drawForce(force: Kind): void {
    const data = force[force.kind] as Record<string, unknown>;
    if (force.kind === "slip_tyre" || force.kind === "vertical_tyre") this.drawTyre(force.name, data);
    else if (force.kind === "translational_spring") this.drawSpring(force.name, data);
    else if (force.kind === "rope") this.drawRope(force.name, data);
    else if (force.kind === "bushing") {
      const end = this.attach(data.body_1, data.point_1);
      this.add("sphere", end.body, ball(end.point, this.size * 0.07), SPRING);
    }
  }

  private drawTyre(name: string, data: Record<string, unknown>): void {
    const body = this.body(data.body);
    const center = vector(data.centre as Vector);
    const axis = vector(data.axis as Vector, [0, 1, 0]).normalize();
    const radius = Number(data.radius);
    const road = this.model.roads.find(({ name: road }) => road === data.road);
    const up = vector(road?.up, [0, 0, 1]).normalize();
    const spins = (data.axis as Vector | undefined)?.length === 3;
    this.tyres.push({ name, body, center, axis, radius, up, spins });
    this.wheels.add(body);
  }

  /** Rubber, a rim and spokes. */
  private drawWheel({ body, center, axis, radius, spins }: Tyre): void {
    this.add("cylinder", body, disc(center, axis, radius, radius * 0.62), RUBBER);
    this.add("cylinder", body, disc(center, axis, radius * 0.6, radius * 0.64), RIM);
    if (!spins) return;
    // Spokes make the spin visible.
    const across = new THREE.Vector3(axis.z, axis.x, axis.y).cross(axis).normalize();
    for (let spoke = 0; spoke < 3; ++spoke) {
      const arm = across.clone().applyAxisAngle(axis, (spoke * Math.PI) / 3);
      const turn = new THREE.Matrix4().makeBasis(arm, arm.clone().cross(axis).negate(), axis);
      turn.scale(new THREE.Vector3(radius * 1.16, radius * 0.12, radius * 0.67)).setPosition(center);
      this.add("box", body, turn, GREY);
    }
  }

  private drawSpring(name: string, data: Record<string, unknown>): void {
    const ends: [End, End] = [this.attach(data.body_1, data.point_1), this.attach(data.body_2, data.point_2)];
    this.lines.push({ name, kind: "spring", ends, radius: this.size * 0.13, color: SPRING });
  }

  private drawComposite(composite: Kind): void {
    const data = composite[composite.kind] as Record<string, unknown>;
    if (composite.kind === "strut") this.drawStrut(composite.name, data);
    else if (composite.kind === "beam") this.drawBeam(composite.name, data as unknown as Beam);
    else if (composite.kind === "modal_body") this.drawModalBody(composite.name, data.interfaces as { name: string }[]);
  }

  /** A rod from the mean body to each interface, and what hangs there. */
  private drawModalBody(name: string, interfaces: readonly { name: string }[]): void {
    const mean = { body: this.body(name), point: new THREE.Vector3() };
    for (const { name: end } of interfaces) {
      const body = this.body(`${name}.${end}`);
      const ends: [End, End] = [mean, { body, point: new THREE.Vector3() }];
      this.lines.push({ name, kind: "rod", ends, radius: this.size * 0.1, color: ROD });
      this.drawAround(body, this.points[body] ?? [], colorOf(mean.body));
    }
  }

  /** A box around many points that shows what is inside. @returns false for few points, which get none */
  private drawAround(body: number, points: readonly THREE.Vector3[], color: number): boolean {
    if (points.length < MANY_POINTS) return false;
    const around = new THREE.Box3().setFromPoints([...points]).expandByScalar(this.size * 0.15);
    const pose = new THREE.Matrix4().makeScale(...around.getSize(new THREE.Vector3()).toArray());
    this.add("box", body, pose.setPosition(around.getCenter(new THREE.Vector3())), color, GLASS);
    return true;
  }

  /** A rod from node to node; a node that ground holds rigidly stands still, at its place on the declared axis. */
  private drawBeam(name: string, beam: Beam): void {
    const onGround = (node: number): End => ({ body: -1, point: pointAlong(beam, node / beam.elements) });
    const ends = Array.from({ length: beam.elements + 1 }, (_, node) => {
      const body = this.body(`${name}.${node}`);
      return body < 0 ? onGround(node) : { body, point: new THREE.Vector3() };
    });
    for (let node = 1; node < ends.length; ++node) {
      const [from, to] = [ends[node - 1], ends[node]];
      if (from && to) this.lines.push({ name, kind: "rod", ends: [from, to], radius: this.size * 0.1, color: ROD });
    }
  }

  private drawStrut(name: string, data: Record<string, unknown>): void {
    this.drawSpring(name, data);
    const [spring] = this.lines.slice(-1);
    if (spring) this.lines.push({ ...spring, kind: "rod", radius: this.size * 0.05, color: ROD });
  }

  private drawRope(name: string, data: Record<string, unknown>): void {
    const ends = (data.points as { body: string; point: Vector }[]).map(({ body, point }) => this.attach(body, point));
    for (let part = 1; part < ends.length; ++part) {
      const [from, to] = [ends[part - 1], ends[part]];
      if (from && to) this.lines.push({ name, kind: "rod", ends: [from, to], radius: this.size * 0.02, color: SPRING });
    }
  }

  private drawJoint(joint: Model["joints"][number]): void {
    const data = joint[joint.kind] as Record<string, Vector | undefined> | undefined;
    if (!data?.point_1 || !data.point_2) return;
    const [first, second] = [this.body(joint.body_1), this.body(joint.body_2)];
    const [one, two] = [vector(data.point_1), vector(data.point_2)];
    const { size } = this;
    if (joint.kind === "distance") {
      const ends: [End, End] = [
        { body: first, point: one },
        { body: second, point: two },
      ];
      this.lines.push({ name: joint.name, kind: "rod", ends, radius: size * 0.04, color: ROD });
    } else if (joint.kind === "gear" || joint.kind === "rack_and_pinion") {
      const wheel = data as unknown as { axis_1: Vector; radius_1?: number; radius_2?: number; radius?: number };
      const axis = vector(wheel.axis_1, [0, 0, 1]);
      const [inner, outer] = [Number(wheel.radius_1 ?? 0), Number(wheel.radius_2 ?? wheel.radius ?? 0)];
      if (inner > 0) this.add("cylinder", first, disc(one, axis, inner, size * 0.1), GREY);
      if (outer > 0 && !(data as { internal?: unknown }).internal)
        this.add("cylinder", second, disc(two, axis, outer, size * 0.09), GREY);
    } else if (data.axis_1?.length === 3 && joint.kind !== "point_on_plane" && joint.kind !== "dot2") {
      this.add("cylinder", first, disc(one, vector(data.axis_1), size * 0.035, size * 0.3), JOINT);
    } else {
      this.add("sphere", second, ball(two, size * 0.07), JOINT);
    }
  }

  /** @returns whether the body declares shapes that this page knows */
  private drawVisuals({ visuals }: Body, index: number): boolean {
    const before = this.declared.length + this.parts.length;
    for (const visual of visuals ?? []) {
      const [w = 1, x = 0, y = 0, z = 0] = visual.orientation;
      const pose = new THREE.Matrix4().compose(vector(visual.position), new THREE.Quaternion(x, y, z, w), UNIT);
      const [red, green, blue] = visual.color;
      const chosen =
        red === undefined || green === undefined || blue === undefined
          ? undefined
          : new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace).getHex();
      const shape = { body: index, color: chosen ?? colorOf(index), opacity: visual.opacity ?? 1 };
      const unit = solidOf(visual);
      if (unit) this.parts.push({ ...shape, solid: unit.solid, pose: pose.clone().scale(unit.scale), slender: false });
      const geometry = this.geometryOf(visual);
      if (geometry) this.declared.push({ ...shape, geometry, pose });
      if (visual.mesh) this.addMesh(visual.mesh, shape, pose, chosen !== undefined);
    }
    return (
      this.declared.length + this.parts.length > before ||
      (this.meshesElsewhere && (visuals ?? []).some(({ mesh }) => mesh))
    );
  }

  /** Equal shapes share one geometry. */
  private geometryOf(visual: Visual): THREE.BufferGeometry | undefined {
    const key = JSON.stringify([visual.capsule, visual.tube, visual.prism]);
    const found = this.geometries.get(key) ?? geometryOf(visual, this.detail);
    if (found) this.geometries.set(key, found);
    return found;
  }

  /** The parts of a mesh, with their own looks unless the model chooses a color. */
  private addMesh(
    { hash, scale = 1 }: NonNullable<Visual["mesh"]>,
    shape: { body: number; color: number; opacity: number },
    pose: THREE.Matrix4,
    chosen: boolean,
  ): void {
    const scaled = pose.clone().scale(UNIT.clone().multiplyScalar(scale));
    for (const { geometry, color, opacity, texture, isSheet = false } of loadedMesh(hash)) {
      const own = chosen ? {} : { ...(color === undefined ? {} : { color }), ...(texture ? { texture } : {}) };
      this.declared.push({ ...shape, ...own, isSheet, opacity: shape.opacity * opacity, geometry, pose: scaled });
    }
  }

  private drawBody(body: Body): void {
    const index = this.body(body.name);
    if (this.drawVisuals(body, index)) {
      this.dressed.add(index);
      return;
    }
    if (this.wheels.has(index)) return;
    const points = this.points[index] ?? [];
    const sides = boxOf(body).clampScalar(this.size * 0.04, Number.POSITIVE_INFINITY);
    const color = colorOf(index);
    const box = new THREE.Matrix4().makeScale(sides.x, sides.y, sides.z);
    const center = new THREE.Vector3();
    const [one, two] = points;
    const radius = this.size * LINK_RADIUS;
    if (this.drawAround(index, points, color)) return;
    if (one && two && points.length === 2) {
      this.addLink(index, along(one, two, radius), color);
    } else if (points.length > 0) {
      for (const point of points) if (point.length() > radius) this.addLink(index, along(center, point, radius), color);
      if (points.length === 1)
        this.add(sides.length() < this.size ? "box" : "sphere", index, smallBox(box, sides, this.size), color);
    } else {
      this.add("box", index, box, color);
    }
  }
}

/** The box, or a ball where the box would be larger than its surroundings. */
function smallBox(box: THREE.Matrix4, sides: THREE.Vector3, size: number): THREE.Matrix4 {
  return sides.length() < size ? box : ball(new THREE.Vector3(), size * 0.18);
}

/**
 * @param bodies  names of all bodies, in the order of their poses
 * @param meshesElsewhere  a body with a mesh that was not read gets no shape in place of it
 */
export function shapesOf(
  model: Model,
  bodies: readonly string[],
  { meshesElsewhere = false, detail = "fine" as Detail } = {},
): Shapes {
  const drawing = new Drawing(model, bodies, meshesElsewhere, detail);
  drawing.draw();
  const up = vector(model.roads[0]?.up ?? model.gravity);
  if (model.roads.length === 0) up.negate();
  if (up.length() === 0) up.set(0, 0, 1);
  const { parts, declared, lines, tyres, reactions, size } = drawing;
  return { parts, declared, lines, tyres, reactions, up: up.normalize(), size };
}
