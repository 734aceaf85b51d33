// Requests, connections and messages as no page sends them: strangers.mjs BUILD_FOLDER URL
//
// Prints one JSON object, which bridge_test.py judges.
import { connect } from "node:net";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Heard } from "./heard.mjs";

const [build, url] = process.argv.slice(2);
const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");
const { hostname, host, port, origin } = new URL(url);
const result = {};
setTimeout(() => {
  process.stderr.write(`no answer within 120 s after: ${Object.keys(result).join(", ")}\n`);
  process.exit(1);
}, 120_000).unref();

/** The first line of the answer to a request. @param reset  the stranger resets the connection at once */
const ask = (line, headers = {}, reset = false) =>
  new Promise((done) => {
    const fields = Object.entries({ Host: host, Connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${line} HTTP/1.1\r\n${fields.join("")}\r\n`);
      if (reset) socket.resetAndDestroy();
    });
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => done(answer.split("\r\n")[0]));
  });
const upgrade = {
  ...{ Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" },
  ...{ "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", Origin: "http://example.com" },
};

class Client extends Heard {
  constructor(path, protocols, options) {
    super(new WebSocket(`${origin.replace("http:", "ws:")}${path}`, protocols, options));
    this.binary = [];
    this.end = new Promise((done) => {
      this.socket.on("close", (code, reason) => done(`closed ${code} ${reason}`));
      this.socket.on("unexpected-response", (_, response) => done(`refused ${response.statusCode}`));
      this.socket.on("error", (error) => done(error.message));
    });
  }

  takeBinary(data) {
    this.binary.push(data);
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  word(has) {
    return this.until(() => this.words.find(has));
  }

  /** The answer to a question of a page. */
  async answer(id, question) {
    this.say({ id, ...question });
    return this.word((word) => word.id === id);
  }
}
const page = () => new Client("/ws", [], { origin });
const foxglove = () => new Client("/foxglove", ["foxglove.sdk.v1"], {}); // no browser: without an origin

result.slashes = [await ask("GET //"), await ask("GET //", upgrade), await ask("OPTIONS *")];
for (let count = 0; count < 100; ++count) await ask("GET /ws", upgrade, true);
result.afterResets = await ask("GET /");
result.policy = (await fetch(url)).headers.get("content-security-policy");

// Subscriptions of Foxglove that are none; the last one is one.
const client = foxglove();
await client.word(({ op }) => op === "advertise");
const odd = [null, 7, { id: -1, channelId: 1 }, { id: 2 ** 32, channelId: 1 }, { id: 1, channelId: { toString: 5 } }];
client.say({ op: "subscribe", subscriptions: odd });
client.say({ op: "setParameters", parameters: [null] });
client.say({ op: { toString: 5 } });
const statuses = () => client.words.filter(({ op }) => op === "status").map(({ message }) => message);
await client.until(() => (statuses().length >= odd.length + 2 ? true : undefined));
result.statuses = statuses();
client.say({ op: "subscribe", subscriptions: [{ id: 2 ** 32 - 1, channelId: 2 }] });
const scenes = () => client.binary.filter((data) => data.readUInt8(0) === 1 && data.readUInt32LE(1) === 2 ** 32 - 1);
await client.until(() => (scenes().length > 0 ? true : undefined));

// Steps that are none.
const step = async (callId, ticks) => {
  const head = Buffer.alloc(13);
  head.writeUInt8(2, 0);
  head.writeUInt32LE(3, 1);
  head.writeUInt32LE(callId, 5);
  head.writeUInt32LE(4, 9);
  client.socket.send(Buffer.concat([head, Buffer.from(`json${JSON.stringify({ ticks })}`)]));
  return (await client.word((word) => word.op === "serviceCallFailure" && word.callId === callId)).message;
};
result.steps = [await step(1, -5), await step(2, 0), await step(3, 2.5), await step(4, "2")];

// Two pages that want to drive.
const [one, other] = [page(), page()];
await Promise.all([one, other].map((each) => each.word(({ hello }) => hello)));
const session = (await one.answer(1, { call: "GetSession", request: { session: "main" } })).reply;
const drive = { session: "main", inputs: session.inputs, controller: "a page", takeover_reason: "", leave_safe_state: true };
result.driven = (await one.answer(2, { drive })).reply.inputs;
result.held = (await other.answer(2, { drive })).error;

// The session is replaced by one of another model under its name: a client of Foxglove gets its signals and its scene.
const { signals } = { signals: (await client.word(({ channels }) => channels?.some(({ topic }) => topic === "/signals"))).channels[0] };
const before = scenes().length;
const boss = page();
await boss.word(({ hello }) => hello);
await boss.answer(1, { call: "DeleteSession", request: { session: "main" } });
await boss.answer(2, { call: "CreateSession", request: { name: "main", model_name: "chain:n=3", clock: "CLOCK_MODE_REAL_TIME" } });
const anew = await client.until(() => client.words.flatMap(({ channels = [] }) => channels).filter(({ topic }) => topic === "/signals")[1]);
await client.until(() => (scenes().length > before ? true : undefined));
const fields = ({ schema }) => Object.keys(JSON.parse(schema).properties);
result.fields = { before: fields(signals), after: fields(anew) };
result.unadvertised = client.words.find(({ op }) => op === "unadvertise")?.channelIds;
for (const gone of [client, one, other, boss]) gone.socket.close();
await Promise.all([client, one, other, boss].map(({ end }) => end));

// More pages than the bridge takes: the last one is told why.
const pages = [];
for (let told; told === undefined; ) {
  const next = page();
  pages.push(next);
  const hello = next.word((word) => word.hello).then(() => undefined);
  told = await Promise.race([hello, next.end]);
  result.tooMany = told;
}
result.pages = pages.length;

process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
