// Messages of Foxglove: their schema, the frames of a row, and the scene of a model.
import protobuf from "protobufjs";
import "protobufjs/ext/descriptor";
import * as THREE from "three";
import source from "../../proto/foxglove/scene.proto";
import type { PoseLayout } from "../page/poses";
import { frameOf, roadMeshes } from "../page/roads";
import { type End, type Line, shapesOf } from "../page/shapes";
import type { Model, Road, Visual } from "../page/wire";

const TIMESTAMP = `syntax = "proto3"; package google.protobuf;
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }`;
export const WORLD = "world";
const STANDING = { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
const ROAD_COLOR = { r: 0.55, g: 0.58, b: 0.62, a: 1 };
const [REACH, LINE_SPACING] = [200, 10]; // of the lines in the plane of a road, m
const [LINE_STRIP, LINE_LIST] = [0, 2]; // of foxglove.LinePrimitive.Type
const [COIL_TURNS, COIL_POINTS] = [6, 48];
const MEDIA_TYPES: Record<string, string> = {
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  stl: "model/stl",
  obj: "model/obj",
};

const root = new protobuf.Root();
for (const text of [TIMESTAMP, source]) protobuf.parse(text, root, { keepCase: true });
root.resolveAll();

interface Described {
  toDescriptor(edition: string): protobuf.Message;
}

/** A serialized google.protobuf.FileDescriptorSet in base64. */
export function schema(): string {
  const set = (root as unknown as Described).toDescriptor("proto3");
  return Buffer.from(set.$type.encode(set).finish()).toString("base64");
}

export function encode(type: string, message: object): Uint8Array {
  const found = root.lookupType(type);
  return found.encode(found.fromObject(message)).finish();
}

function timestamp(ns: bigint): object {
  return { seconds: String(ns / 1_000_000_000n), nanos: Number(ns % 1_000_000_000n) };
}

/** foxglove.FrameTransforms: the frame of each body in the world. */
export function frames(layout: PoseLayout, row: Float64Array, ns: bigint): object {
  const at = (column: number) => row[column] ?? 0;
  const transforms = layout.bodies.map((name, body) => {
    const [r, p] = [layout.r[body] ?? 0, layout.p[body] ?? 0];
    return {
      timestamp: timestamp(ns),
      parent_frame_id: WORLD,
      child_frame_id: name,
      translation: { x: at(r), y: at(r + 1), z: at(r + 2) },
      rotation: { x: at(p + 1), y: at(p + 2), z: at(p + 3), w: at(p) },
    };
  });
  return { transforms };
}

function colorOf(hex: number, a: number): object {
  const { r, g, b } = new THREE.Color(hex).convertLinearToSRGB();
  return { r, g, b, a };
}

/** foxglove.SceneUpdate: an entity for each body, which moves with its frame, and roads in the world. */
export function scene(model: Model, layout: PoseLayout, ns: bigint): object {
  const shapes = shapesOf(model, layout.bodies, { meshesElsewhere: true });
  const entities = [...layout.bodies.map((name) => name), WORLD].map((name) => ({
    timestamp: timestamp(ns),
    frame_id: name,
    id: name,
    frame_locked: true,
    cubes: [] as object[],
    spheres: [] as object[],
    cylinders: [] as object[],
    lines: [] as object[],
    triangles: [] as object[],
    models: [] as object[],
  }));
  const entity = (body: number) => entities[body < 0 ? entities.length - 1 : body];
  for (const { solid, body, pose: matrix, color, opacity } of shapes.parts) {
    const { pose, scale } = taken(matrix);
    const paint = colorOf(color, opacity);
    const size = { x: 2 * scale.x, y: 2 * scale.y, z: 2 * scale.z };
    if (solid === "sphere") entity(body)?.spheres.push({ pose, size, color: paint });
    else if (solid === "cylinder")
      entity(body)?.cylinders.push({
        pose,
        size: { ...size, z: scale.z },
        bottom_scale: 1,
        top_scale: 1,
        color: paint,
      });
    else entity(body)?.cubes.push({ pose, size: { x: scale.x, y: scale.y, z: scale.z }, color: paint });
  }
  for (const { geometry, body, pose: matrix, color, opacity } of shapes.declared) {
    const pose = taken(matrix).pose;
    entity(body)?.triangles.push({ pose, ...trianglesOf(geometry), color: colorOf(color, opacity) });
  }
  for (const mesh of roadMeshes(model)) {
    // Marks have the material without light.
    const mark = mesh.material instanceof THREE.MeshBasicMaterial ? mesh.material.color.getHex() : undefined;
    const color = mark === undefined ? ROAD_COLOR : colorOf(mark, 1);
    entity(-1)?.triangles.push({ pose: STANDING, ...trianglesOf(mesh.geometry), color });
  }
  for (const road of model.roads) entity(-1)?.lines.push(planeOf(road));
  for (const { name, visuals } of model.bodies)
    for (const visual of visuals ?? []) {
      const primitive = meshOf(visual, model);
      if (primitive) entity(layout.bodies.indexOf(name))?.models.push(primitive);
    }
  return { entities };
}

function trianglesOf(geometry: THREE.BufferGeometry): object {
  const points = geometry.getAttribute("position");
  const at = (k: number) => ({ x: points.getX(k), y: points.getY(k), z: points.getZ(k) });
  return { points: Array.from({ length: points.count }, (_, k) => at(k)), indices: [...(geometry.index?.array ?? [])] };
}

/** Lines in the plane of a road. */
function planeOf(road: Road): object {
  const points: object[] = [];
  for (let at = -REACH; at <= REACH; at += LINE_SPACING)
    for (const end of [-REACH, REACH]) points.push({ x: at, y: end, z: 0 });
  for (let at = -REACH; at <= REACH; at += LINE_SPACING)
    for (const end of [-REACH, REACH]) points.push({ x: end, y: at, z: 0 });
  const { pose } = taken(frameOf(road));
  return { type: LINE_LIST, pose, thickness: 1, scale_invariant: true, points, color: ROAD_COLOR };
}

/** What runs from body to body: foxglove.SceneUpdate with an entity for each spring, rod, rope and beam. */
export class MovingLines {
  private readonly lines: readonly Line[];

  constructor(
    model: Model,
    private readonly layout: PoseLayout,
  ) {
    this.lines = shapesOf(model, layout.bodies, { meshesElsewhere: true }).lines;
  }

  message(row: Float64Array, ns: bigint): object {
    const entities = new Map<string, { lines: object[] } & Record<string, unknown>>();
    for (const { name, kind, ends, radius, color } of this.lines) {
      const [from, to] = [this.place(row, ends[0]), this.place(row, ends[1])];
      const points = kind === "spring" ? coilBetween(from, to, radius) : [from, to];
      const entity = entities.get(name) ?? { timestamp: timestamp(ns), frame_id: WORLD, id: name, lines: [] };
      entity.lines.push({
        type: LINE_STRIP,
        pose: STANDING,
        thickness: kind === "spring" ? 2 : 5,
        scale_invariant: true,
        points: points.map(({ x, y, z }) => ({ x, y, z })),
        color: colorOf(color, 1),
      });
      entities.set(name, entity);
    }
    return { entities: [...entities.values()] };
  }

  private place(row: Float64Array, { body, point }: End): THREE.Vector3 {
    if (body < 0) return point;
    const [r, p] = [this.layout.r[body] ?? 0, this.layout.p[body] ?? 0];
    const turn = new THREE.Quaternion(row[p + 1], row[p + 2], row[p + 3], row[p]);
    return point
      .clone()
      .applyQuaternion(turn)
      .add(new THREE.Vector3(row[r], row[r + 1], row[r + 2]));
  }
}

function coilBetween(from: THREE.Vector3, to: THREE.Vector3, radius: number): THREE.Vector3[] {
  const axis = to.clone().sub(from).normalize();
  const across = new THREE.Vector3(axis.z, axis.x, axis.y).cross(axis).normalize();
  const points = [from];
  for (let k = 1; k < COIL_POINTS; ++k) {
    const arm = across.clone().applyAxisAngle(axis, (2 * Math.PI * COIL_TURNS * k) / COIL_POINTS);
    points.push(arm.multiplyScalar(radius).add(from.clone().lerp(to, k / COIL_POINTS)));
  }
  return [...points, to];
}

/** foxglove.ModelPrimitive of a visual with a mesh: the file itself, which the player reads. */
function meshOf({ mesh, position, orientation, color, opacity }: Visual, { meshes = [] }: Model): object | undefined {
  const found = meshes.find(({ hash }) => hash === mesh?.hash);
  if (!mesh || found === undefined) return undefined;
  const [x = 0, y = 0, z = 0] = position;
  const [w = 1, i = 0, j = 0, k = 0] = orientation;
  const scale = mesh.scale ?? 1;
  const [r = 0.6, g = 0.6, b = 0.6] = color;
  return {
    pose: { position: { x, y, z }, orientation: { x: i, y: j, z: k, w } },
    scale: { x: scale, y: scale, z: scale },
    color: { r, g, b, a: opacity ?? 1 },
    override_color: color.length === 3 || found.format === "stl",
    media_type: MEDIA_TYPES[found.format] ?? "",
    data: Buffer.from(found.content, "base64"),
  };
}

/** Pose and scale of a matrix. */
function taken(matrix: THREE.Matrix4): { pose: object; scale: THREE.Vector3 } {
  const [position, turn, scale] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
  matrix.decompose(position, turn, scale);
  const { x, y, z, w } = turn;
  return { pose: { position: { x: position.x, y: position.y, z: position.z }, orientation: { x, y, z, w } }, scale };
}
