// A client of the protocol of Foxglove, which decodes by the schema that the bridge sends: foxglove.mjs BUILD_FOLDER URL
//
// Prints one JSON object, which view_test.py judges.
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

const result = {
  elsewhere: await refusal(["foxglove.sdk.v1"], { origin: "http://example.com" }),
  unknown: await refusal(["other.v1"], { origin }),
};

const socket = new WebSocket(address, ["foxglove.websocket.v1"], { origin });
const words = [];
const messages = [];
const times = [];
let waiting = [];
socket.on("message", (data, binary) => {
  if (!binary) words.push(JSON.parse(String(data)));
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
const [tf, scene] = channels;
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [tf, scene].map(({ id }) => ({ id: 10 + id, channelId: id })) }));

const frames = (count) => until(() => (messages.filter(({ subscription }) => subscription === 11).length >= count ? true : undefined));
await frames(30);
const decoded = messages
  .filter(({ subscription }) => subscription === 11)
  .map(({ data }) => typeOf(tf).toObject(typeOf(tf).decode(data), { longs: Number }));
result.frames = decoded.map(({ transforms }) => transforms.find((frame) => frame.child_frame_id === "chassis"));
result.bodies = decoded[0].transforms.length;
const update = await until(() => messages.find(({ subscription }) => subscription === 12));
const { entities } = typeOf(scene).toObject(typeOf(scene).decode(update.data), { longs: Number, arrays: true });
result.entities = entities.map(({ id, frame_id: frameId, cubes, cylinders, spheres, triangles }) => ({
  ...{ id, frameId },
  shapes: cubes.length + cylinders.length + spheres.length + triangles.length,
}));
result.rising = times.every((time, index) => index === 0 || time >= times[index - 1]);

socket.send("{ not JSON");
socket.send(JSON.stringify({ op: "subscribe", subscriptions: [{ id: 1, channelId: 99 }] }));
await until(() => (words.filter(({ op }) => op === "status").length >= 2 ? true : undefined));
result.complaints = words.filter(({ op }) => op === "status").map(({ message }) => message);
socket.send(JSON.stringify({ op: "unsubscribe", subscriptionIds: [11, 12] }));
await until(() => (times.length > 40 ? true : undefined));

process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
