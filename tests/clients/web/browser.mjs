// What a user does in the browser, with what the page shows: browser.mjs SCENE BUILD_FOLDER URL OUT_FOLDER
//
// Prints one JSON object. view_test.py runs it and judges. Waits are for what shall happen, never for a time.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const [scene, build, url, out] = process.argv.slice(2);
const require = createRequire(`${resolve(build)}/`);
const { chromium } = require("playwright-core");
const PATIENCE = { timeout: Number(process.env.TACTUS_PATIENCE ?? 120) * 1000 };

const WEBGL = ["--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist"];
const browser = await chromium.launch({
  executablePath: process.env.TACTUS_CHROMIUM,
  args: ["--no-sandbox", ...(scene === "blind" ? ["--disable-3d-apis"] : WEBGL)],
});
const errors = [];

async function openPage(colorScheme = "light") {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(url);
  return page;
}

const drawn = (page) => page.waitForFunction(() => window.tactus?.drawn(), null, PATIENCE);
const newest = (page, signal) =>
  page.evaluate((name) => window.tactus.points(name).values.filter((value) => value !== null).at(-1), signal);
const mode = (page, group) => page.locator(`[data-group=${group}]`).getAttribute("data-mode", PATIENCE);
const becomes = (page, group, modes) =>
  page.waitForFunction(
    ([name, wanted]) => wanted.includes(document.querySelector(`[data-group=${name}]`)?.dataset.mode),
    [group, modes],
    PATIENCE,
  );

/** Waits until the newest value of a plotted signal satisfies a comparison with a bound. */
const signal = (page, name, relation, bound) =>
  page.waitForFunction(
    ([of, above, limit]) => {
      const value = window.tactus.points(of).values.at(-1);
      return value !== null && value !== undefined && (above ? value > limit : value < limit);
    },
    [name, relation === "above", bound],
    PATIENCE,
  );

/** Share of the pixels around a point of the canvas that differ between two pictures, decoded by the page. */
const differing = (page, pictures, at) =>
  page.evaluate(
    async ([first, second, { x, y }]) => {
      const [a, b] = await Promise.all(
        [first, second].map(async (data) => {
          const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
          const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          context.drawImage(picture, 0, 0);
          return context.getImageData(x - 40, y - 30, 80, 60).data;
        }),
      );
      let count = 0;
      for (let k = 0; k < a.length; k += 4) count += Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) > 20 ? 1 : 0;
      return count / (a.length / 4);
    },
    [...pictures, at],
  );

/** Waits until the text beside the buttons of the session holds a word. */
const state = (page, text) =>
  page.waitForFunction((part) => document.getElementById("state").textContent.includes(part), text, PATIENCE);

/** Waits until the page has drawn so many pictures more. */
const pictures = (page, count) =>
  page.evaluate(
    (left) =>
      new Promise((done) => {
        const next = () => (--left > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );

const picture = async (page) => (await page.locator("#scene").screenshot()).toString("base64");

async function drive(page) {
  await page.locator("#drive").click(PATIENCE);
  await becomes(page, "pedals", ["driven"]);
  await becomes(page, "wheel", ["driven"]);
}

const scenes = {
  // Drives the car by keys, watches it from a camera that stands still, and closes the page.
  async drive() {
    const page = await openPage();
    await drawn(page);
    const title = await page.locator("#state").textContent();
    for (const name of ["speed", "chassis.r.x", "steering", "yaw_rate"])
      await page.evaluate((plotted) => window.tactus.plot(plotted), name);
    await signal(page, "speed", "above", -1);
    // The first picture is taken while the car stands still in it.
    await page.locator("#pause").click();
    await state(page, "paused");
    await page.locator("#camera-orbit").click();
    await pictures(page, 30);
    const before = { at: await page.evaluate(() => window.tactus.pixelOf("chassis")), picture: await picture(page) };
    await page.locator("#start").click();
    await state(page, "running");
    await drive(page);
    await page.keyboard.press("e"); // from neutral to the highest gear
    await page.keyboard.down("ArrowUp");
    await page.keyboard.down("ArrowLeft");
    const moving = await newest(page, "chassis.r.x");
    await signal(page, "yaw_rate", "above", 0.02);
    await page.keyboard.up("ArrowLeft");
    await signal(page, "chassis.r.x", "above", moving + 3);
    const throttle = Number(await page.locator("[data-input=throttle]").inputValue());
    const after = { at: await page.evaluate(() => window.tactus.pixelOf("chassis")), picture: await picture(page) };
    await page.keyboard.up("ArrowUp");
    const differs = await differing(page, [before.picture, after.picture], before.at);
    await page.locator("#camera-chase").click();
    await pictures(page, 5);
    await page.screenshot({ path: join(out, "driving.png") });
    const plotted = await page.evaluate(() => window.tactus.points("speed"));
    const controller = await page.locator("#groups").textContent();
    const ages = await page.evaluate(() => window.tactus.ages());
    await page.close();

    // The next page sees what the loss of the controller led to, and leaves the safe state.
    const next = await openPage("dark");
    await drawn(next);
    await becomes(next, "pedals", ["safe", "ramping"]);
    const lost = { pedals: await mode(next, "pedals") };
    await becomes(next, "pedals", ["safe"]);
    await next.screenshot({ path: join(out, "safe.png") });
    await next.locator("#leave-safe").click(PATIENCE);
    await becomes(next, "pedals", ["free"]);
    return {
      ...{ title, moved: [before.at, after.at], differs, throttle, plotted, controller, lost, ages },
      freed: await mode(next, "pedals"),
    };
  },

  // Creates a session from the form, steps it, restores a snapshot of it, and deletes it.
  async sessions() {
    const page = await openPage();
    await drawn(page);
    page.on("dialog", (dialog) => dialog.accept());
    await page.locator("#create summary").click();
    await page.locator("#new-model").fill("chain:n=16");
    await page.locator("#new-clock").selectOption("LOCKSTEP");
    await page.locator("#create-session").click();
    await state(page, "ready at tick 0");
    await drawn(page);
    await page.locator("#step").click();
    await state(page, "tick 1,");
    await page.locator("#snapshot").click();
    await page.waitForFunction(() => !document.getElementById("restore").disabled, null, PATIENCE);
    await page.locator("[aria-label='Ticks of a step']").fill("50");
    await page.locator("#step").click();
    await state(page, "tick 51,");
    await page.locator("#restore").click();
    await state(page, "tick 1,");
    await page.locator("#reset").click();
    await state(page, "tick 0,");
    await page.waitForFunction(() => window.tactus.tick() === 0, null, PATIENCE);
    await page.locator("#search").fill("energy.total");
    await page.locator("#tree input[value='energy.total']").click(PATIENCE);
    await page.waitForFunction(() => window.tactus.points("energy.total").t.length > 0, null, PATIENCE);
    await page.screenshot({ path: join(out, "chain.png") });
    await page.locator("#delete").click();
    await state(page, "running");
    return { sessions: await page.locator("#session option").allTextContents() };
  },

  // Creates a session of a model of beams alone, and lets the wire fall.
  async beam() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#create summary").click();
    await page.locator("#new-model").fill("beam_chain:n=8");
    await page.locator("#new-clock").selectOption("LOCKSTEP");
    await page.locator("#create-session").click();
    await state(page, "ready at tick 0");
    await drawn(page);
    await page.locator("#camera-orbit").click();
    await pictures(page, 30);
    const before = { at: await page.evaluate(() => window.tactus.pixelOf("wire.8")), picture: await picture(page) };
    await page.locator("[aria-label='Ticks of a step']").fill("300");
    await page.locator("#step").click();
    await state(page, "tick 300,");
    await page.waitForFunction(() => window.tactus.tick() > 250, null, PATIENCE);
    await pictures(page, 30);
    const after = { at: await page.evaluate(() => window.tactus.pixelOf("wire.8")), picture: await picture(page) };
    await page.screenshot({ path: join(out, "beam.png") });
    const differs = await differing(page, [before.picture, after.picture], after.at);
    return { moved: [before.at, after.at], differs };
  },

  // Has no WebGL.
  async blind() {
    const page = await openPage();
    await page.locator("#no-scene").waitFor({ state: "visible", ...PATIENCE });
    await page.waitForFunction(() => Number(document.querySelector("[data-count=tick]")?.textContent) > 0, null, PATIENCE);
    return { note: await page.locator("#no-scene").textContent() };
  },

  // Sees the server go and come back. Says "gone" and "back" when it does; a line on stdin is the cue.
  async restart() {
    const page = await openPage();
    const cues = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    await drawn(page);
    await page.evaluate(() => window.tactus.plot("speed"));
    await page.waitForFunction(() => window.tactus.points("speed").t.length > 2, null, PATIENCE);
    console.log("ready");
    await cues.next();
    await page.waitForFunction(() => !document.getElementById("trouble").hidden, null, PATIENCE);
    const trouble = await page.locator("#trouble").textContent();
    console.log("gone");
    await cues.next();
    await page.waitForFunction(() => document.getElementById("trouble").hidden, null, PATIENCE);
    await page.waitForFunction(() => window.tactus.tick() > 0, null, PATIENCE);
    return { trouble };
  },
};

const found = await scenes[scene]();
await browser.close();
process.stdout.write(`${JSON.stringify({ ...found, errors })}\n`, () => process.exit(0));
