// Parts of the bridge and of the page without a server, a network and a browser: parts.mjs FOLDER_OF_THE_VIEW
//
// Prints one JSON object, which bridge_test.py judges.
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const require = createRequire(`${folder}/`);

/** What a source exports; its packages are those of the folder. */
function load(path) {
  const entryPoints = [join(folder, "source", path)];
  const options = { bundle: true, format: "cjs", platform: "node", packages: "external", write: false };
  const { outputFiles } = require("esbuild").buildSync({ entryPoints, ...options });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0].text)(require, module, module.exports);
  return module.exports;
}

const { Hub } = load("bridge/connection.ts");
const { Subscription } = load("bridge/feed.ts");
const { isLoaded, keepMesh, keepModel } = load("page/loaded_meshes.ts");

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

process.stdout.write(
  `${JSON.stringify({ leaving, ending, unread: unread.map(({ cancelled }) => cancelled), inBridge, inPage, later })}\n`,
);
