// Messages of Foxglove: their schema, the frames of a row, and the scene of a model.
import protobuf from "protobufjs";
import "protobufjs/ext/descriptor";
import * as THREE from "three";
import source from "../../proto/foxglove/scene.proto";
import type { PoseLayout } from "../page/poses";
import { shapesOf } from "../page/shapes";
import type { Model, Visual } from "../page/wire";

const TIMESTAMP = `syntax = "proto3"; package google.protobuf;
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }`;
export const WORLD = "world";
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

/** foxglove.SceneUpdate: an entity for each body, which moves with its frame. Springs and roads are left out. */
export function scene(model: Model, layout: PoseLayout, ns: bigint): object {
  const shapes = shapesOf(model, layout.bodies, true);
  const entities = [...layout.bodies.map((name) => name), WORLD].map((name) => ({
    timestamp: timestamp(ns),
    frame_id: name,
    id: name,
    frame_locked: true,
    cubes: [] as object[],
    spheres: [] as object[],
    cylinders: [] as object[],
    triangles: [] as object[],
    models: [] as object[],
  }));
  const entity = (body: number) => entities[body < 0 ? entities.length - 1 : body];
  for (const { solid, body, pose: matrix, color } of shapes.parts) {
    const { pose, scale } = taken(matrix);
    const paint = colorOf(color, solid === "glass" ? 0.45 : 1);
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
    const points = geometry.getAttribute("position");
    entity(body)?.triangles.push({
      pose: taken(matrix).pose,
      points: Array.from({ length: points.count }, (_, k) => ({
        x: points.getX(k),
        y: points.getY(k),
        z: points.getZ(k),
      })),
      indices: [...(geometry.index?.array ?? [])],
      color: colorOf(color, opacity),
    });
  }
  for (const { name, visuals } of model.bodies)
    for (const visual of visuals ?? []) {
      const primitive = meshOf(visual, model);
      if (primitive) entity(layout.bodies.indexOf(name))?.models.push(primitive);
    }
  return { entities };
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
