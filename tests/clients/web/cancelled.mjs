// A server that cancels an Observe stream as gRPC does at its end, and a page that observes it: cancelled.mjs BUILD_FOLDER
//
// Prints its address, reads the URL of a view of it from standard input, and prints what the page is told as JSON.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [build] = process.argv.slice(2);
const require = createRequire(`${resolve(build)}/`);
const grpc = require("@grpc/grpc-js");
const definition = require("@grpc/proto-loader").loadSync("tactus/v1/simulation.proto", {
  includeDirs: [`${build}/proto`],
  keepCase: true,
});
const { WebSocket } = require("ws");

let opened = 0;
const server = new grpc.Server();
server.addService(definition["tactus.v1.Simulation"], {
  GetSession: (_, answer) => answer(null, { name: "main", period_ns: 1_000_000 }),
  // The first stream is cancelled; the next one stays open.
  Observe: (call) => {
    if (++opened === 1) call.emit("error", { code: grpc.status.CANCELLED, details: "CANCELLED" });
    else call.write({ opened: { stream_id: 2, layout: { signals: ["time"] }, period_ns: 1_000_000 } });
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`127.0.0.1:${port}`);
});

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const url = (await lines.next()).value;
const socket = new WebSocket(url.replace("http:", "ws:").replace(/\/$/, "/ws"), { origin: url.replace(/\/$/, "") });
const told = {};
socket.on("open", () =>
  socket.send(JSON.stringify({ id: 1, observe: { session: "main", signals: ["time"], rate: 60, all: false } })),
);
socket.on("message", (data, binary) => {
  if (binary) return;
  const { gap, ended, layout } = JSON.parse(String(data));
  if (gap) told.gap = gap.message;
  if (ended) told.ended = ended.message;
  if (layout || ended) process.stdout.write(`${JSON.stringify({ ...told, opened })}\n`, () => process.exit(0));
});
