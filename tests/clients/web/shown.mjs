// Which session the page shows, who drives it, and what it refuses: shown.mjs SCENE BUILD_FOLDER URL OUT_FOLDER
//
// Prints one JSON object. shown_test.py runs it and judges.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { PATIENCE, becomes, build, drawn, openPage, pictures, playOne, state, url } from "./chromium.mjs";

const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");

/** Another client of the bridge, without a browser. */
async function client() {
  const { origin } = new URL(url);
  const socket = new WebSocket(`${origin.replace("http:", "ws:")}/ws`, { origin });
  const waiting = new Map();
  let next = 1;
  const greeted = new Promise((done) => waiting.set(0, done));
  socket.on("message", (data, binary) => {
    if (binary) return;
    const word = JSON.parse(String(data));
    waiting.get(word.hello ? 0 : word.id)?.(word);
  });
  await greeted;
  const call = (name, request) =>
    new Promise((done, fail) => {
      const id = next++;
      waiting.set(id, ({ reply, error }) => (error ? fail(new Error(error.message)) : done(reply)));
      socket.send(JSON.stringify({ id, call: name, request }));
    });
  /** Deletes the session "main" and makes another one of this name, which runs. */
  const replace = async (model) => {
    await call("DeleteSession", { session: "main" });
    await call("CreateSession", { name: "main", model_name: model, clock: "CLOCK_MODE_REAL_TIME" });
    await call("StartSession", { session: "main" });
  };
  return { call, replace };
}

const trouble = (page, part) =>
  page.waitForFunction((text) => document.getElementById("trouble").textContent.includes(text), part, PATIENCE);
const troubleOf = (page) => page.locator("#trouble").textContent();
const throttleIs = (page, value) =>
  page.waitForFunction((wanted) => document.querySelector("[data-input=throttle]").value === wanted, value, PATIENCE);
const bodies = (page) => page.locator("#body option").allTextContents();
const bodyIs = (page, name) =>
  page.waitForFunction((body) => document.querySelector("#body option")?.textContent === body, name, PATIENCE);
const drive = async (page) => {
  await page.locator("#drive").click(PATIENCE);
  await becomes(page, "pedals", ["driven"]);
};

await playOne({
  // Lets keys go where the page does not act on them: with Shift, in a field of text, and after the release of the lease.
  async keys() {
    const page = await openPage();
    await drawn(page);
    await drive(page);
    await page.keyboard.down("ArrowUp");
    await throttleIs(page, "1");
    await page.keyboard.down("Shift");
    await page.keyboard.up("ArrowUp");
    await page.keyboard.up("Shift");
    await throttleIs(page, "0");
    await page.keyboard.down("ArrowUp");
    await throttleIs(page, "1");
    await page.locator("#search").click();
    await page.keyboard.up("ArrowUp");
    await throttleIs(page, "0");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.down("ArrowUp");
    await throttleIs(page, "1");
    await page.locator("#release").click();
    await becomes(page, "pedals", ["free", "ramping", "safe"]);
    const released = await page.locator("[data-input=throttle]").inputValue();
    await page.keyboard.up("ArrowUp");
    await drive(page);
    await pictures(page, 20); // inputs leave at 50 per second
    return { released, again: await page.locator("[data-input=throttle]").inputValue() };
  },

  // Two pages: the second one takes the inputs over.
  async takeover() {
    const first = await openPage();
    await drawn(first);
    await drive(first);
    const second = await openPage();
    await drawn(second);
    await second.locator("#drive").click(PATIENCE);
    const button = second.locator("#drive-state button", { hasText: "Take over" });
    await button.waitFor(PATIENCE);
    const held = await second.locator("#drive-state").textContent();
    await second.locator("#drive-state input").fill("my turn");
    await button.click();
    await second.waitForFunction(() => !document.getElementById("release").disabled, null, PATIENCE);
    await first.waitForFunction(() => document.getElementById("drive-state").textContent.includes("my turn"), null, PATIENCE);
    return { held, lost: await first.locator("#drive-state").textContent() };
  },

  // The session is replaced under its name: by another model, by the same one, and after a while.
  async replaced() {
    const page = await openPage();
    await drawn(page);
    const other = await client();
    const seen = [await bodies(page)];
    await other.replace("chain:n=3");
    await bodyIs(page, "link_1");
    await drawn(page);
    seen.push(await bodies(page));
    await page.evaluate(() => window.tactus.plot("link_1.r.x"));
    const grows = async () => {
      const { tick } = await page.evaluate(() => ({ tick: window.tactus.tick() }));
      await page.waitForFunction((before) => window.tactus.tick() !== before, tick, PATIENCE);
      const { t } = await page.evaluate(() => window.tactus.points("link_1.r.x"));
      await page.waitForFunction((last) => window.tactus.points("link_1.r.x").t.at(-1) !== last, t.at(-1), PATIENCE);
    };
    await page.waitForFunction(() => window.tactus.points("link_1.r.x").t.length > 0, null, PATIENCE);
    await grows();
    await other.replace("chain:n=3");
    // The new session counts from 0.
    await page.waitForFunction(() => window.tactus.tick() > 0 && window.tactus.tick() < 1e9, null, PATIENCE);
    await grows();
    await other.call("DeleteSession", { session: "main" });
    await state(page, "no session");
    await other.call("CreateSession", { name: "main", model_name: "motor_four_bar", clock: "CLOCK_MODE_REAL_TIME" });
    await other.call("StartSession", { session: "main" });
    await bodyIs(page, seen[0][0]);
    await state(page, "running");
    seen.push(await bodies(page));
    const signals = await page.evaluate(() => window.tactus.signals());
    return { seen, signals };
  },

  // The server starts again with another model: says "ready"; a line on stdin is the cue.
  async restarted() {
    const page = await openPage();
    const cues = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    await drawn(page);
    const before = await bodies(page);
    console.log("ready");
    await cues.next();
    await bodyIs(page, "link_1");
    await drawn(page);
    await page.waitForFunction(() => document.getElementById("trouble").hidden, null, PATIENCE);
    return { before, after: await bodies(page), signals: await page.evaluate(() => window.tactus.signals()) };
  },

  // Orders of a page that may only observe.
  async refused() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#enter-safe").click(PATIENCE);
    await page.waitForFunction(() => !document.getElementById("trouble").hidden, null, PATIENCE);
    return { trouble: await troubleOf(page) };
  },

  // Numbers that are none in the form and beside the buttons, and a snapshot of another session.
  async numbers() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#create summary").click();
    await page.locator("#new-model").fill("chain:n=2");
    const said = [];
    const refused = async (id, value, part) => {
      await page.locator(id).fill(value);
      await page.locator("#create-session").click();
      await trouble(page, part);
      said.push(await troubleOf(page));
    };
    await refused("#new-period", "0,5", "period");
    await page.locator("#new-period").fill("");
    await refused("#new-limit", "-5", "miss limit");
    await refused("#new-limit", "", "miss limit");
    await page.locator("#new-limit").fill("500");
    await refused("#new-scale", "0", "scale");
    await page.locator("#new-scale").fill("1");
    await page.locator("[aria-label='Ticks of a step']").fill("");
    await page.locator("#step").click();
    await trouble(page, "ticks");
    said.push(await troubleOf(page));
    const sessions = await page.locator("#session option").allTextContents();

    const enabled = () => page.locator("#restore").isEnabled();
    await page.locator("#snapshot").click();
    await page.waitForFunction(() => !document.getElementById("restore").disabled, null, PATIENCE);
    await page.locator("#new-clock").selectOption("LOCKSTEP");
    await page.locator("#new-period").fill("2.5");
    await page.locator("#create-session").click();
    await state(page, "ready at tick 0, 2.5 ms");
    const restore = [await enabled()];
    await page.locator("#session").selectOption("main");
    restore.push(await enabled());
    return { said, sessions, restore };
  },

  // One page more than the bridge takes.
  async full() {
    for (let count = 0; count < 32; ++count) await client();
    const page = await openPage();
    await trouble(page, "32 connections");
    return { trouble: await troubleOf(page) };
  },

  // More meshes than the page and the bridge once kept.
  async meshes() {
    const page = await openPage();
    await drawn(page);
    const fetched = await page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/meshes/")).length,
    );
    return { fetched, trouble: await troubleOf(page) };
  },
});
