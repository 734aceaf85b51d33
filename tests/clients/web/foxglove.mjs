// A client of the protocol of Foxglove, which decodes by the schema that the bridge sends: foxglove.mjs BUILD_FOLDER URL
//
// Prints one JSON object, which foxglove_test.py judges.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [build, url] = process.argv.slice(2);
const require = createRequire(`${resolve(build)}/`);
const { WebSocket } = require("ws");
const protobuf = require("protobufjs");
const { FileDescriptorSet } = require("protobufjs/ext/descriptor");
const address = `${url.replace("http:", "ws:").replace(/\/$/, "")}/foxglove`;
const origin = url.replace(/\/$/, "");

/** What becomes of a connection that is refused. */
const refusal = (protocols, options) =>
  new Promise((done) => {
    const socket = new WebSocket(address, protocols, options);
    socket.on("unexpected-response", (_, response) => done(response.statusCode));
    socket.on("error", (error) => done(error.message));
    socket.on("open", () => done("open"));
  });

setTimeout(() => {
  process.stderr.write(`no answer within 120 s after: ${Object.keys(result).join(", ")}\n`);
  process.exit(1);
}, 120_000).unref();

const result = {
  elsewhere: await refusal(["foxglove.sdk.v1"], { origin: "http://example.com" }),
  unknown: await refusal(["other.v1"], { origin }),
};

const socket = new WebSocket(address, ["foxglove.websocket.v1"], { origin });
const words = [];
const messages = [];
const times = [];
const responses = [];
let waiting = [];
socket.on("message", (data, binary) => {
  if (!binary) words.push(JSON.parse(String(data)));
  else if (data.readUInt8(0) === 3) responses.push(data);
  else if (data.readUInt8(0) === 2) times.push(data.readBigUInt64LE(1));
  else messages.push({ subscription: data.readUInt32LE(1), data: data.subarray(13) });
  waiting = waiting.filter((check) => !check());
});
const until = (find) =>
  new Promise((done) => {
    const check = () => {
      const found = find();
      if (found !== undefined) done(found);
      return found !== undefined;
    };
    if (!check()) waiting.push(check);
  });

const { channels } = await until(() => words.find(({ op }) => op === "advertise"));
result.info = words[0];
result.channels = channels.map(({ topic, schemaName, encoding }) => ({ topic, schemaName, encoding }));
const typeOf = ({ schema, schemaName }) =>
  protobuf.Root.fromDescriptor(FileDescriptorSet.decode(Buffer.from(schema, "base64"))).resolveAll().lookupType(schemaName);
const [tf, scene, lines] = channels;
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [tf, scene, lines].map(({ id }) => ({ id: 10 + id, channelId: id })) }));

const frames = (count) => until(() => (messages.filter(({ subscription }) => subscription === 11).length >= count ? true : undefined));
await frames(30);
const decoded = messages
  .filter(({ subscription }) => subscription === 11)
  .map(({ data }) => typeOf(tf).toObject(typeOf(tf).decode(data), { longs: Number }));
result.frames = decoded.map(({ transforms }) => transforms.find((frame) => frame.child_frame_id === "chassis"));
result.bodies = decoded[0].transforms.length;
const update = await until(() => messages.find(({ subscription }) => subscription === 12));
const { entities } = typeOf(scene).toObject(typeOf(scene).decode(update.data), { longs: Number, arrays: true });
result.entities = entities.map(({ id, frame_id: frameId, cubes, cylinders, spheres, triangles, lines: drawn }) => ({
  ...{ id, frameId, lines: drawn.length },
  shapes: cubes.length + cylinders.length + spheres.length + triangles.length,
}));
const updates = await until(() => {
  const found = messages.filter(({ subscription }) => subscription === 13);
  return found.length >= 20 ? found : undefined;
});
const moved = updates.map(({ data }) => typeOf(lines).toObject(typeOf(lines).decode(data), { longs: Number, arrays: true }));
result.lines = moved.map(({ entities: drawn }) =>
  drawn.map(({ id, frame_id: frameId, lines: parts }) => ({ id, frameId, points: parts.flatMap(({ points }) => points) })),
);
result.rising = times.every((time, index) => index === 0 || time >= times[index - 1]);

socket.send("{ not JSON");
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [{ id: 1, channelId: 99 }] }));
await until(() => (words.filter(({ op }) => op === "status").length >= 2 ? true : undefined));
result.complaints = words.filter(({ op }) => op === "status").map(({ message }) => message);
socket.send(JSON.stringify({ op: "unsubscribe", subscriptionIds: [11, 12, 13] }));
await until(() => (times.length > 40 ? true : undefined));

// Services and parameters.
const { services } = await until(() => words.find(({ op }) => op === "advertiseServices"));
result.services = services.map(({ name, request }) => ({ name, encoding: request.encoding }));
let calls = 0;
const call = async (name, request = {}, encoding = "json") => {
  const id = services.find((service) => service.name === name)?.id ?? 77;
  const callId = ++calls;
  const head = Buffer.alloc(13);
  head.writeUInt8(2, 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(callId, 5);
  head.writeUInt32LE(encoding.length, 9);
  const text = typeof request === "string" ? request : JSON.stringify(request);
  socket.send(Buffer.concat([head, Buffer.from(encoding + text)]));
  const reply = await until(
    () =>
      responses.find((bytes) => bytes.readUInt32LE(5) === callId) ??
      words.find((word) => word.op === "serviceCallFailure" && word.callId === callId),
  );
  if (!Buffer.isBuffer(reply)) return { failure: reply.message };
  const end = 13 + reply.readUInt32LE(9);
  return JSON.parse(reply.subarray(end).toString());
};
result.paused = await call("/pause");
result.stepped = await call("/step", { ticks: 5 });
result.reset = await call("/reset");
result.time = await call("/time");
// While the session stands: no further row follows.
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [{ id: 60, channelId: tf.id }, { id: 61, channelId: scene.id }] }));
result.standing = await until(() => {
  const found = messages.filter(({ subscription }) => subscription === 60 || subscription === 61);
  return found.length >= 2 ? found.map(({ subscription }) => subscription).sort() : undefined;
});
socket.send(JSON.stringify({ op: "unsubscribe", subscriptionIds: [60, 61] }));
result.unknown_service = await call("/nothing");
result.bad_request = await call("/time", "[1");
result.bad_encoding = await call("/time", {}, "cdr");
result.started = await call("/start");
result.later = (await call("/time")).state;

// All signals, by the names of their schema.
const offered = await until(() => words.flatMap((word) => word.channels ?? []).find(({ topic }) => topic === "/signals"));
const { properties } = JSON.parse(offered.schema);
result.signals = { encoding: offered.encoding, speed: properties.speed, names: Object.keys(properties).sort() };
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [{ id: 50, channelId: offered.id }] }));
const rows = () => messages.filter(({ subscription }) => subscription === 50).map(({ data }) => JSON.parse(String(data)));
await until(() => (rows().length >= 5 ? true : undefined));
result.rows = rows().map((row) => ({ tick: row.tick, t: row.t, speed: row.speed, names: Object.keys(row).sort() }));
socket.send(JSON.stringify({ op: "unsubscribe", subscriptionIds: [50] }));

const parameters = (id) => until(() => words.find((word) => word.op === "parameterValues" && word.id === id)?.parameters);
const say = (message) => socket.send(JSON.stringify(message));
say({ op: "getParameters", parameterNames: [], id: "all" });
result.parameters = await parameters("all");
const [first] = result.parameters;
say({ op: "subscribeParameterUpdates", parameterNames: [first.name] });
say({ op: "setParameters", parameters: [{ name: first.name, value: 0.5 * first.value }], id: "set" });
result.set = (await parameters("set")).find(({ name }) => name === first.name);
// Another client sets it, and this one is told.
const other = new WebSocket(address, ["foxglove.sdk.v1"], { origin });
await new Promise((done) => other.on("message", (data, binary) => !binary && JSON.parse(data).op === "advertiseServices" && done()));
const statuses = () => words.filter(({ op }) => op === "status").length;
const [before, known] = [words.length, statuses()];
// At once: a request waits until the bridge knows the session of its client.
other.send(JSON.stringify({ op: "setParameters", parameters: [{ name: first.name, value: first.value }], id: "x" }));
result.told = (
  await until(() => words.slice(before).find((word) => word.op === "parameterValues" && word.id === undefined))
).parameters;
say({ op: "setParameters", parameters: [{ name: first.name, value: "much" }] });
say({ op: "setParameters", parameters: [{ name: "no_such", value: 1 }] });
socket.send(Buffer.from([9, 9]));
await until(() => (statuses() >= known + 3 ? true : undefined));
result.refused = words.filter(({ op }) => op === "status").slice(known).map(({ message }) => message);

process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
