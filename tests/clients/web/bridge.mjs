// Speaks to the bridge as pages do, well and badly: bridge.mjs BUILD_FOLDER URL
//
// Prints one JSON object, which view_test.py judges.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Heard } from "./heard.mjs";

const [build, url] = process.argv.slice(2);
const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");
const address = url.replace("http:", "ws:").replace(/\/$/, "/ws");
const origin = url.replace(/\/$/, "");

/** A page without a browser. It acknowledges rows only when it is told to. */
class Page extends Heard {
  constructor(options = { origin }) {
    super(new WebSocket(address, options));
    this.rows = [];
    this.end = new Promise((done) => {
      this.socket.on("close", (code) => done(`closed ${code}`));
      this.socket.on("unexpected-response", (_, response) => done(`refused ${response.statusCode}`));
      this.socket.on("error", (error) => done(error.message));
    });
    this.open = new Promise((done) => this.socket.on("open", () => done("open")));
  }

  takeBinary(data) {
    this.rows.push({ at: Date.now(), row: rowsOf(data) });
  }

  say(message) {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  answer(id) {
    return this.until(() => this.words.find((word) => word.id === id));
  }
}

/** [tick, wall clock of the server in ms] of the newest row of a message, and how many rows were left out before it. */
function rowsOf(data) {
  const count = data.readUInt32LE(4);
  const columns = data.readUInt32LE(8);
  const last = 16 + (count - 1) * columns * 8;
  return { tick: data.readDoubleLE(last), server_ms: data.readDoubleLE(last + 16), dropped: data.readUInt32LE(12) };
}

const page = new Page();
await page.open;
const result = {};

// A page from elsewhere, and one without an origin.
result.elsewhere = await new Page({ origin: "http://example.com" }).end;
result.nowhere = await new Page({}).end;

// A page that asks badly gets an answer, and goes on.
page.say("{ not JSON");
result.malformed = (await page.answer(0)).error.message;
page.say({ id: 1, call: "RestoreSnapshot", request: { session: "main", snapshot: "x" } });
result.snapshot = (await page.answer(1)).error.message;
page.say({ id: 2, call: "ReportCommTest", request: {} });
result.forbidden = (await page.answer(2)).error.message;
page.say({ id: 3, call: "GetSession", request: { session: "nobody" } });
result.unknown = (await page.answer(3)).error;
page.say({ id: 4, observe: { session: "main", signals: ["no such signal"], rate: 60, all: false } });
result.signal = (await page.until(() => page.words.find((word) => word.ended))).ended.message;
page.say({ id: 5, call: "GetSession", request: { session: "main" } });
result.session = (await page.answer(5)).reply.name;

// A message that is too long costs its page the connection, and no other page.
const long = new Page();
await long.open;
long.say("x".repeat(5 * 1024 * 1024));
result.long = await long.end;

// A stalled page: two messages are under way, then nothing until it acknowledges; then the newest row.
const stalled = new Page();
const eager = new Page();
await Promise.all([stalled.open, eager.open]);
const observe = { session: "main", signals: ["chassis.r.x"], rate: 60, all: false };
stalled.say({ id: 1, observe });
eager.say({ id: 1, observe });
const [{ reply }] = await Promise.all([stalled.answer(1), eager.answer(1)]);
await stalled.until(() => (stalled.rows.length === 2 ? true : undefined));
const waited = stalled.rows[1].row.tick + 3000;
let acknowledged = 0;
const beside = await eager.until(() => {
  for (; acknowledged < eager.rows.length; ++acknowledged) eager.say({ ack: 1 });
  return eager.rows.find(({ row }) => row.tick > waited);
});
result.stalled = stalled.rows.length;
stalled.say({ ack: reply.subscription });
const woken = await stalled.until(() => stalled.rows[2]);
result.woken = { tick: woken.row.tick, dropped: woken.row.dropped, beside: beside.row.tick };

// A recording that the server does not have, and a name that is none.
const missing = await fetch(`${origin}/recordings/nobody.mcap`);
result.missing = { status: missing.status, message: await missing.text() };
result.outside = (await fetch(`${origin}/recordings/..%2Fsecret.mcap`)).status;

// Many questions at once: each drive ends the one before, and no more subscriptions open than a page may have.
const hasty = new Page();
await hasty.open;
const drive = { session: "main", inputs: ["steering"], controller: "hasty", takeover_reason: "", leave_safe_state: true };
for (let id = 1; id <= 3; ++id) hasty.say({ id, drive });
for (let id = 11; id <= 30; ++id) hasty.say({ id, observe });
const drives = await Promise.all([1, 2, 3].map((id) => hasty.answer(id)));
result.drives = drives.map(({ error }) => error?.message ?? "driven");
const observations = await Promise.all(Array.from({ length: 20 }, (_, index) => hasty.answer(11 + index)));
result.subscribed = observations.filter(({ reply }) => reply).length;

process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
