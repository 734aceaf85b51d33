// Eight readers of the bridge, of which one sleeps and one sends nonsense, and a browser that is stopped and wakes:
// crowd.mjs asleep BUILD_FOLDER URL - SECONDS BRIDGE_PID
//
// Prints what the readers and the browser saw, and memory and share of a processor of the bridge; view_test.py judges, tests/bench/view_crowd.py
// prints.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { PATIENCE, browserProcesses, build, drawn, openPage, playOne, rest, timeOf, url } from "./chromium.mjs";

const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");
const READERS = 8;
const SIGNALS = 20;
const origin = url.replace(/\/$/, "");
const seconds = Number(rest[0]);
const bridge = rest[1];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${bridge}/status`, "utf8"))[1]) / 1024;

/** A page without a browser: the newest poses 60 times per second, and every tick of some signals. */
class Reader {
  constructor() {
    this.socket = new WebSocket(origin.replace("http:", "ws:") + "/ws", { origin });
    this.newest = new Map(); // age of the newest row of each subscription when it came, ms
    this.ticks = [];
    this.dropped = 0;
    this.asked = new Map();
    this.id = 0;
    this.closed = 0;
    this.ages = [];
    this.socket.on("close", (code) => {
      this.closed = code;
    });
    this.socket.on("message", (data, binary) => (binary ? this.take(data) : this.hear(JSON.parse(String(data)))));
    this.open = new Promise((done) => this.socket.on("open", done));
  }

  hear(word) {
    this.asked.get(word.id)?.(word.reply ?? { error: word.error.message });
  }

  ask(question) {
    const id = ++this.id;
    this.socket.send(JSON.stringify({ id, ...question }));
    return new Promise((done) => this.asked.set(id, done));
  }

  take(data) {
    const [subscription, count, columns, dropped] = [0, 4, 8, 12].map((at) => data.readUInt32LE(at));
    const at = (row, column) => data.readDoubleLE(16 + (row * columns + column) * 8);
    if (subscription === this.scene) this.ages.push({ at: Date.now(), age: Date.now() - at(count - 1, 2) });
    else {
      this.dropped += dropped;
      for (let row = 0; row < count; ++row) this.ticks.push(at(row, 0));
    }
    this.socket.send(JSON.stringify({ ack: subscription }));
  }

  async observe() {
    await this.open;
    const { signals } = await this.ask({ call: "ListSignals", request: { session: "main" } });
    const poses = ["*.r.[xyz]", "*.p.e[0123]"];
    const names = signals.slice(0, SIGNALS).map(({ name }) => name);
    this.scene = (await this.ask({ observe: { session: "main", signals: poses, rate: 60, all: false } })).subscription;
    await this.ask({ observe: { session: "main", signals: names, rate: 0, all: true } });
  }
}

await playOne({
  async asleep() {
    const before = memory();
    const readers = Array.from({ length: READERS }, () => new Reader());
    await Promise.all(readers.map((reader) => reader.observe()));
    const page = await openPage();
    await drawn(page);
    await page.evaluate(() => {
      window.seen = [];
      let drawn = 0;
      // A picture belongs to the time at which its frame began: a stop in the middle of a frame lets it end afterwards.
      const next = (begun) => {
        const tick = window.tactus.drawnTick();
        if (tick !== drawn) window.seen.push({ at: performance.timeOrigin + begun, age: window.tactus.ages().at(-1) });
        drawn = tick;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    await pause(1000);

    // One reader no longer reads, another one sends nonsense, and the browser is stopped.
    const [sleeper, fool, ...others] = readers;
    sleeper.socket.pause();
    const processes = browserProcesses();
    for (const pid of processes) process.kill(pid, "SIGSTOP");
    let largest = memory();
    const [begun, worked] = [Date.now(), timeOf([bridge])];
    for (let second = 0; second < seconds; ++second) {
      for (const text of ["", "[]", "{", '{"ack": "x"}', '{"id": 1, "observe": 5}', "\u0000"]) fool.socket.send(text);
      fool.socket.send(Buffer.from([0xff, 0xfe, 0x00]));
      await pause(1000);
      largest = Math.max(largest, memory());
    }
    const processor = (timeOf([bridge]) - worked) / (Date.now() - begun);
    const woken = Date.now();
    sleeper.socket.resume();
    for (const pid of processes) process.kill(pid, "SIGCONT");
    await pause(2000);
    await page.waitForFunction((from) => window.seen.some(({ at, age }) => at >= from && age < 1000), woken, PATIENCE);
    const seen = await page.evaluate((from) => window.seen.filter(({ at }) => at >= from), woken);
    const gaps = ({ ticks }) => ticks.filter((tick, k) => k > 0 && tick !== ticks[k - 1] + 1).length;
    return {
      stopped: processes.length,
      seen: seen.map(({ at, age }) => ({ after: at - woken, age })),
      sleeper: sleeper.ages.filter(({ at }) => at >= woken).map(({ at, age }) => ({ after: at - woken, age })),
      sleeper_dropped: sleeper.dropped,
      fool: { closed: fool.closed, ticks: fool.ticks.length },
      others: others.map((reader) => ({ ticks: reader.ticks.length, gaps: gaps(reader), dropped: reader.dropped })),
      memory: { before, largest, after: memory() },
      processor,
    };
  },
});
