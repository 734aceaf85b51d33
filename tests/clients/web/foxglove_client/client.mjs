// The client and the schemas of the Foxglove project read what the bridge sends: client.mjs URL
//
// Nothing of the bridge decodes here: the messages are read by the schemas that Foxglove publishes. Prints one JSON object,
// which foxglove_test.py judges.
import { createRequire } from "node:module";
import protobuf from "protobufjs";
import WebSocket from "ws";

const require = createRequire(import.meta.url);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { foxgloveEnumSchemas, foxgloveMessageSchemas, generateProto } = require("@foxglove/schemas/internal");
await import("protobufjs/ext/descriptor/index.js");
const { FileDescriptorSet } = protobuf.descriptor ?? require("protobufjs/ext/descriptor");

const [url] = process.argv.slice(2);
const TIMES = `syntax = "proto3"; package google.protobuf;
  message Timestamp { int64 seconds = 1; int32 nanos = 2; } message Duration { int64 seconds = 1; int32 nanos = 2; }`;
const root = new protobuf.Root();
for (const schema of Object.values(foxgloveMessageSchemas)) {
  const enums = Object.values(foxgloveEnumSchemas).filter(({ parentSchemaName }) => parentSchemaName === schema.name);
  protobuf.parse(generateProto(schema, enums), root, { keepCase: true });
}
protobuf.parse(TIMES, root, { keepCase: true });
root.resolveAll();

setTimeout(() => {
  process.stderr.write(`no answer within 120 s after: ${Object.keys(result).join(", ")}\n`);
  process.exit(1);
}, 120_000).unref();

const result = { errors: [] };
const address = `${url.replace("http:", "ws:").replace(/\/$/, "")}/foxglove`;
const socket = new WebSocket(address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL], { origin: url.replace(/\/$/, "") });
const client = new FoxgloveClient({ ws: socket });
client.on("error", (error) => result.errors.push(error.message));
const next = (event, wanted = () => true) =>
  new Promise((done) => {
    const hear = (value) => {
      if (!wanted(value)) return;
      client.off(event, hear);
      done(value);
    };
    client.on(event, hear);
  });

const [info, offered, services] = await Promise.all([
  next("serverInfo"),
  next("advertise", (channels) => channels.some(({ topic }) => topic === "/tf")),
  next("advertiseServices"),
]);
result.info = { name: info.name, capabilities: info.capabilities };
result.topics = offered.map(({ topic }) => topic);

/** What of the schema of a channel the schema of Foxglove lacks, or has otherwise: names, numbers and types of fields. */
function differences({ schema, schemaName }) {
  const sent = protobuf.Root.fromDescriptor(FileDescriptorSet.decode(Buffer.from(schema, "base64"))).resolveAll();
  const found = [];
  const compare = (name, seen = new Set()) => {
    if (seen.has(name)) return;
    seen.add(name);
    const [ours, theirs] = [sent.lookupType(name), root.lookupType(name)];
    for (const field of ours.fieldsArray) {
      const other = theirs.fieldsById[field.id];
      const same = other?.name === field.name && other.repeated === field.repeated;
      const [type, wanted] = [field, other].map((one) => one?.resolvedType?.fullName ?? one?.type);
      if (!same || type !== wanted) found.push(`${name}.${field.name} = ${field.id}: ${type}, Foxglove has ${other?.name} ${wanted}`);
      if (field.resolvedType instanceof protobuf.Type) compare(field.resolvedType.fullName.slice(1), seen);
    }
  };
  compare(schemaName);
  return found;
}
result.differences = offered.flatMap(differences);

const messages = [];
client.on("message", ({ subscriptionId, timestamp, data }) => messages.push({ subscriptionId, timestamp, data }));
const channelOf = new Map();
for (const channel of offered) channelOf.set(client.subscribe(channel.id), channel);
const until = async (condition) => {
  while (!condition()) await new Promise((done) => setTimeout(done, 10));
};
const of = (topic) => messages.filter(({ subscriptionId }) => channelOf.get(subscriptionId)?.topic === topic);
await until(() => of("/tf").length >= 20 && of("/lines").length >= 5 && of("/scene").length >= 1);

/** A message by the schema of Foxglove; a field that it does not know would be left out and change the length. */
function read({ subscriptionId, data }) {
  const type = root.lookupType(channelOf.get(subscriptionId).schemaName);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const message = type.decode(bytes);
  if (type.encode(message).finish().length !== bytes.length) result.errors.push(`a part of a ${type.name} is unknown`);
  return type.toObject(message, { longs: Number, arrays: true });
}
const frames = of("/tf").map(read);
result.bodies = frames[0].transforms.length;
result.chassis = frames.map(({ transforms }) => transforms.find((frame) => frame.child_frame_id === "chassis").translation.x);
const scene = read(of("/scene")[0]);
result.entities = Object.fromEntries(
  scene.entities.map(({ id, cubes, cylinders, spheres, triangles }) => [id, cubes.length + cylinders.length + spheres.length + triangles.length]),
);
result.lines = read(of("/lines")[0]).entities.map(({ id }) => id);

// A service and the parameters.
const time = services.find(({ name }) => name === "/time");
const answer = next("serviceCallResponse", ({ callId }) => callId === 7);
const request = new TextEncoder().encode("{}");
client.sendServiceCallRequest({ serviceId: time.id, callId: 7, encoding: "json", data: new DataView(request.buffer) });
const { data } = await answer;
result.time = JSON.parse(new TextDecoder().decode(data));
client.getParameters([], "all");
result.parameters = (await next("parameterValues", ({ id }) => id === "all")).parameters.length;
client.close();

process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
