// What a user does in the browser, with what the page shows: browser.mjs SCENE BUILD_FOLDER URL OUT_FOLDER
//
// Prints one JSON object. view_test.py runs it and judges.
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  PATIENCE,
  becomes,
  differing,
  drawn,
  mode,
  newest,
  openPage,
  out,
  picture,
  pictures,
  playOne,
  signal,
  state,
} from "./chromium.mjs";

/** Mean of the colors near the upper right corner of the canvas, 0 to 255. */
const brightness = async (page) =>
  page.evaluate(async (data) => {
    const shot = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
    context.drawImage(shot, 0, 0);
    const colors = context.getImageData(shot.width - 40, 40, 40, 40).data;
    return colors.reduce((sum, color, k) => sum + (k % 4 === 3 ? 0 : color), 0) / (0.75 * colors.length);
  }, await picture(page));

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
    const reason = next.locator("#groups p.warn");
    await reason.waitFor(PATIENCE);
    lost.reason = await reason.textContent();
    await next.screenshot({ path: join(out, "safe.png") });
    await next.locator("#leave-safe").click(PATIENCE);
    await becomes(next, "pedals", ["free"]);
    lost.reasonsLeft = await reason.count();
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
    // A plot begins anew with a reset: as many values as times.
    const plottedTo = (tick) =>
      page.waitForFunction((t) => window.tactus.points("energy.total").t.at(-1) === t, 0.001 * tick, PATIENCE);
    await page.locator("#step").click();
    await plottedTo(50);
    await page.locator("#reset").click();
    await plottedTo(0);
    await page.locator("#step").click();
    await plottedTo(50);
    const replotted = await page.evaluate(() => window.tactus.points("energy.total"));
    await page.locator("#delete").click();
    await state(page, "running");

    // Another model that begins elsewhere, by another clock.
    await page.locator("#new-model").fill("sedan");
    await page.locator("#new-model").press("Tab");
    await page.locator("#new-state option[value=standing]").waitFor({ state: "attached", ...PATIENCE });
    await page.locator("#new-state").selectOption("standing");
    await page.locator("#new-clock").selectOption("SCALED");
    await page.locator("#new-scale").fill("0.5");
    await page.locator("#create-session").click();
    await page.waitForFunction(
      () => document.querySelector("[data-count=clock]")?.textContent.includes("scaled"),
      null,
      PATIENCE,
    );
    await drawn(page);
    await page.evaluate(() => window.tactus.plot("speed"));
    await signal(page, "speed", "above", -1);
    const standing = { clock: await page.locator("[data-count=clock]").textContent(), speed: await newest(page, "speed") };
    await page.locator("#delete").click();
    await page.waitForFunction(() => document.querySelectorAll("#session option").length === 1, null, PATIENCE);
    return { replotted, standing, sessions: await page.locator("#session option").allTextContents() };
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

  // Drives by a gamepad and by sliders, changes a parameter, and looks at reactions in dark and light.
  async inputs() {
    const page = await openPage("light", () => {
      window.pad = { connected: true, axes: [0, 0], buttons: Array.from({ length: 17 }, () => ({ value: 0 })) };
      navigator.getGamepads = () => [window.pad];
    });
    await drawn(page);
    for (const name of ["steering", "throttle", "brake"])
      await page.evaluate((plotted) => window.tactus.plot(plotted), name);
    await drive(page);
    await page.evaluate(() => {
      window.pad.axes[0] = -0.25;
      window.pad.buttons[7].value = 0.5;
    });
    await signal(page, "steering", "above", 1.9);
    await signal(page, "throttle", "above", 0.49);
    const byPad = { steering: await newest(page, "steering"), throttle: await newest(page, "throttle") };
    await page.evaluate(() => {
      window.pad.connected = false;
    });
    await page.locator("[data-input=brake]").evaluate((slider) => {
      slider.value = "0.75";
      slider.dispatchEvent(new Event("input"));
    });
    await signal(page, "brake", "above", 0.74);
    const bySlider = await newest(page, "brake");
    await page.locator("#parameters [aria-label=road_friction]").evaluate((slider) => {
      slider.value = "0.5";
      slider.dispatchEvent(new Event("change"));
    });
    const changed = (name) => `[data-parameter=${name}]`;
    await page.waitForFunction(
      (label) => document.querySelector(label)?.textContent.startsWith("0.5"),
      changed("road_friction"),
      PATIENCE,
    );
    const parameter = await page.locator(changed("road_friction")).textContent();
    await page.locator("#release").click();
    await becomes(page, "pedals", ["free", "ramping", "safe"]);

    await page.waitForFunction(() => window.tactus.arrows() > 0, null, PATIENCE);
    const tyres = await page.evaluate(() => window.tactus.arrows());
    await page.locator("#camera-chase").click();
    await page.locator("#body").selectOption("wheel_rl");
    await page.locator("#show-reactions").click();
    await page.waitForFunction((before) => window.tactus.arrows() > before, tyres, PATIENCE);
    const kept = [await page.locator("#camera-chase").getAttribute("aria-pressed"), await page.locator("#body").inputValue()];
    const caption = await page.locator("#caption").textContent();
    await page.locator("#show-forces").click();
    await page.locator("#show-reactions").click();
    await page.waitForFunction(() => window.tactus.arrows() === 0, null, PATIENCE);
    const light = await brightness(page);
    await page.locator("#theme").click();
    await pictures(page, 5);
    const dark = await brightness(page);
    return { byPad, bySlider, parameter, tyres, kept, caption, light, dark };
  },

  // Shows bodies with meshes: the mean color in the middle of each.
  async meshes() {
    const page = await openPage();
    await drawn(page);
    await pictures(page, 5);
    const data = await picture(page);
    const colors = await page.evaluate(async (shown) => {
      const bytes = Uint8Array.from(atob(shown), (c) => c.charCodeAt(0));
      const shot = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
      context.drawImage(shot, 0, 0);
      const mean = (name) => {
        const { x, y } = window.tactus.pixelOf(name);
        const { data: found } = context.getImageData(x - 5, y - 5, 10, 10);
        return [0, 1, 2].map((channel) => found.reduce((sum, value, k) => sum + (k % 4 === channel ? value : 0), 0) / 100);
      };
      return Object.fromEntries(["red", "green", "blue"].map((name) => [name, mean(name)]));
    }, data);
    const fetched = await page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/meshes/")).length,
    );
    return { colors, fetched, trouble: await page.locator("#trouble").textContent() };
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
    await page.waitForFunction(() => !document.getElementById("trouble").hidden, null, PATIENCE);
    const missing = await page.locator("#trouble").textContent();
    console.log("missing");
    await cues.next();
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
    return { missing, trouble };
  },
};

await playOne(scenes);
