// Parts of the bridge and of the page without a server, a network and a browser: parts.mjs FOLDER_OF_THE_VIEW MESH.glb...
//
// Prints one JSON object, which bridge_test.py judges.
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const require = createRequire(`${folder}/`);

/** What sources export; their packages are those of the folder. */
function load(...paths) {
  const contents = paths.map((path) => `export * from "./${path}";`).join("");
  const stdin = { contents, resolveDir: join(folder, "source") };
  const options = { bundle: true, format: "cjs", platform: "node", packages: "external", write: false };
  const { outputFiles } = require("esbuild").buildSync({ stdin, ...options });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0].text)(require, module, module.exports);
  return module.exports;
}

const { Hub } = load("bridge/connection.ts");
const { Drive } = load("bridge/drive.ts");
const { Subscription } = load("bridge/feed.ts");
const { inModel, isLoaded, keepMesh, keepModel, keepSession, loadedMesh, loadMeshes } = load(
  "page/loaded_meshes.ts",
  "page/meshes.ts",
);
const { roadMeshes } = load("page/roads.ts");
const { Recording } = load("page/recording.ts");

const meshes = Array.from({ length: 100 }, (_, index) => ({ hash: `m${index}`, content: "AAAA" }));

/** A server that keeps the streams which the bridge opens, and ends none. */
function hubWith(streams) {
  return new Hub({
    call: async (name) => (name === "GetModel" ? { model: { meshes: meshes.map((mesh) => ({ ...mesh })) } } : { period_ns: 1e6 }),
    observe: () => {
      const stream = Object.assign(new EventEmitter(), { cancelled: false });
      stream.cancel = () => {
        stream.cancelled = true;
      };
      streams.push(stream);
      return stream;
    },
    acknowledge: () => {},
    failureOf: ({ message }) => ({ code: "NOT_FOUND", message }),
  });
}

/** A reader with what it is told. */
function readerOf() {
  const words = [];
  return { words, say: (word) => words.push(word), sendRows: () => {} };
}

const options = { session: "main", signals: ["a"], rate: 60, all: false };
const opened = { message: "opened", opened: { stream_id: "1", layout: { signals: ["a"] }, period_ns: "1000000" } };

/** What a page is told that has asked for a feed and joins after something has happened. */
async function joiningAfter(happens) {
  const streams = [];
  const hub = hubWith(streams);
  const [first, second] = [new Subscription(1, readerOf(), false), new Subscription(2, readerOf(), false)];
  const feed = await hub.feed(options);
  feed.add(first);
  const joined = await hub.feed(options);
  happens(feed, first, streams);
  joined.add(second);
  for (const stream of streams) if (!stream.cancelled) stream.emit("data", opened);
  return second.reader.words;
}

const leaving = await joiningAfter((feed, subscription) => feed.remove(subscription));
const ending = await joiningAfter((_feed, _subscription, [stream]) => stream.emit("error", new Error("the session was deleted")));

// A page that joins the stream of a session that stands gets the row which the others have.
async function rowsOfALatePage() {
  const streams = [];
  const hub = hubWith(streams);
  const feed = await hub.feed(options);
  feed.add(new Subscription(1, readerOf(), false));
  streams[0].emit("data", opened);
  const packed = Buffer.alloc(8);
  packed.writeDoubleLE(0.25);
  const frame = { tick: "7", sim_time_ns: "7000000", group_modes: [], packed, sequence: "1" };
  streams[0].emit("data", { message: "frame", frame });
  const late = { ...readerOf(), rows: 0 };
  late.sendRows = () => ++late.rows;
  (await hub.feed(options)).add(new Subscription(2, late, false));
  return { words: late.words.map((word) => Object.keys(word)[0]), rows: late.rows };
}
const late = await rowsOfALatePage();

// A page whose inputs another controller has taken over stops, and says so once.
async function afterATakeover() {
  const stream = Object.assign(new EventEmitter(), { written: [], end: () => {}, cancel: () => {} });
  stream.write = (message) => stream.written.push(Object.keys(message)[0]);
  const said = [];
  const drive = new Drive(
    { tick: () => stream },
    { session: "main", inputs: ["a"], controller: "page", takeover_reason: "", leave_safe_state: false },
    1e6,
    () => {},
    (error) => said.push(error.failure.reason),
    (message) => said.push(message),
  );
  stream.emit("data", { message: "opened", opened: { inputs: { signals: ["a"] }, safe_state: "" } });
  drive.set([1]);
  const notice = { reason: "INPUTS_TAKEN_OVER", message: "the bench has the inputs", detail: { reason: "LEASE_LOST" } };
  stream.emit("data", { message: "notice", notice });
  await drive.done;
  drive.set([2]);
  await new Promise((done) => setTimeout(done, 50)); // ten heartbeats
  return { said, written: stream.written };
}
const taken = await afterATakeover();

// A feed that nobody reads any more is closed.
const unread = [];
const unreadHub = hubWith(unread);
(await unreadHub.feed(options)).renounce();

const hub = hubWith([]);
await hub.model({ session: "main" });
const inBridge = meshes.filter(({ hash }) => hub.mesh(hash)).length;

const hashes = meshes.map(({ hash }) => hash);
const show = (model) => {
  keepModel(model);
  for (const hash of model) keepMesh(hash, []);
};
show(hashes);
const inPage = hashes.filter(isLoaded).length;
for (let other = 0; other < 8; ++other) show([`other${other}`]);
const later = [...hashes, ...Array.from({ length: 8 }, (_, other) => `other${other}`)].filter(isLoaded);

keepSession(["live"]);
keepMesh("live", []);
for (let other = 0; other < 9; ++other) show([`another${other}`]);
const ofSession = isLoaded("live");

/** Box of a geometry, and its volume: negative if the corners of its triangles run round the other way. */
function solid(geometry) {
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox;
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const at = flat.getAttribute("position").array;
  let volume = 0;
  for (let k = 0; k < at.length; k += 9) {
    const [a, b, c, d, e, f, g, h, i] = at.subarray(k, k + 9);
    volume += (a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)) / 6;
  }
  return { box: [...min.toArray(), ...max.toArray()].map((value) => Number(value.toFixed(3))), volume };
}

// The files of meshes that follow on the command line.
const solids = [];
for (const [index, file] of process.argv.slice(3).entries()) {
  const mesh = { hash: `file${index}`, format: "glb", content: readFileSync(file).toString("base64") };
  const trouble = await loadMeshes({ meshes: [mesh] }, inModel);
  const parts = loadedMesh(mesh.hash).map(({ geometry, isSheet = false }) => ({ ...solid(geometry), isSheet }));
  solids.push({ trouble, parts });
}

// A long narrow road.
function boxOfRoad(rows, columns) {
  const heights = { columns, values: new Array(rows * columns).fill(0), spacing: 1, across_spacing: 2, along: 0, across: -8 };
  const road = { name: "road", origin: [0, 0, 0], along: [1, 0, 0], up: [0, 0, 1], line: null, heights, half_cylinders: [] };
  const [mesh] = roadMeshes({ roads: [road] });
  return { ...solid(mesh.geometry), faces: mesh.geometry.index.count / 3 };
}

// A recording that is longer than what the page keeps, and one with parts of poses.
function ticksKept(limit) {
  const recording = new Recording("long", limit);
  recording.setSignals([{ name: "speed" }]);
  for (let tick = 0; tick < 40; ++tick) recording.add(tick * 1e6, [tick], new Float64Array([tick]), []);
  return Array.from({ length: recording.length }, (_, index) => recording.row(index)[0]);
}
const partial = new Recording("partial");
partial.setSignals(["car.r.x", "car.r.y", "car.p.e0", "car.p.e1", "car.p.e2", "car.p.e3"].map((name) => ({ name })));
partial.model = { bodies: [{ name: "car" }] };
partial.finish();
const columns = 10; // nine of each row, and the signal
const drawing = {
  solids,
  roads: [boxOfRoad(600, 9), boxOfRoad(2100, 9), boxOfRoad(300, 2)],
  kept: [7, 8].map((rows) => ticksKept(rows * columns)),
  hasPicture: partial.layout !== undefined,
};

process.stdout.write(
  `${JSON.stringify({ leaving, ending, late, taken, unread: unread.map(({ cancelled }) => cancelled), inBridge, inPage, later, ofSession, drawing })}\n`,
);
