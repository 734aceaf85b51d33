// Plays recordings in the page: recordings.mjs SCENE BUILD_FOLDER URL OUT_FOLDER [FILE ...]
//
// Prints one JSON object. recordings_test.py runs it and judges.
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { PATIENCE, colorAt, differing, drawn, openPage, out, picture, pictures, playOne, rest } from "./chromium.mjs";

const player = (page) => page.evaluate(() => window.tactus.player());

/** Waits, from picture to picture, until the player is in a state. */
async function becomes(page, test) {
  const end = Date.now() + PATIENCE.timeout;
  for (let now = await player(page); !test(now); now = await player(page)) {
    if (Date.now() > end) throw new Error(`the player stays at ${JSON.stringify(now)}`);
    await pictures(page, 1);
  }
}

/** Moves the slider to a share of the run and waits for the picture. */
async function scrubTo(page, share) {
  await page.locator("#scrub").evaluate((slider, at) => {
    slider.value = String(Number(slider.min) + at * (Number(slider.max) - Number(slider.min)));
    slider.dispatchEvent(new Event("input"));
  }, share);
  await pictures(page, 3);
}

/** What the page shows of the chassis now. */
async function seen(page, signal) {
  const row = page.locator(".u-series", { hasText: signal }).first();
  return {
    at: await page.evaluate(() => window.tactus.pixelOf("chassis")),
    picture: await picture(page),
    time: (await player(page)).time,
    value: Number(await row.locator(".u-value").textContent()),
    clock: await page.locator("#play-time").textContent(),
  };
}

const trouble = async (page) => {
  await page.locator("#trouble").waitFor({ state: "visible", ...PATIENCE });
  return page.locator("#trouble").textContent();
};

await playOne({
  // Records the running car from the page, opens the recording, plays it, scrubs, loops, and goes back to the car.
  async play() {
    const page = await openPage();
    await drawn(page);
    await page.evaluate(() => window.tactus.plot("chassis.r.x"));
    await page.locator("#record").click();
    await page.locator("#recordings button", { hasText: "Stop" }).waitFor(PATIENCE);
    const begin = await page.evaluate(() => window.tactus.tick());
    await page.waitForFunction((tick) => window.tactus.tick() > tick + 1500, begin, PATIENCE);
    await page.locator("#recordings button", { hasText: "Stop" }).click();
    await page.locator("#recordings button", { hasText: "Open" }).click(PATIENCE);
    await becomes(page, ({ rows }) => rows > 0);
    await drawn(page);
    const name = (await player(page)).open;

    // It plays by itself, up to its end.
    const opened = await player(page);
    await becomes(page, ({ time }) => time > opened.time);
    await page.locator("#play-speed").selectOption("5");
    await becomes(page, ({ playing }) => !playing);
    const ended = await player(page);

    // The camera follows the car to the place of the first picture, and stays there.
    await scrubTo(page, 0.2);
    await page.locator("#camera-orbit").click();
    await pictures(page, 30);
    const early = await seen(page, "chassis.r.x");
    await scrubTo(page, 0.35);
    const late = await seen(page, "chassis.r.x");
    const differs = await differing(page, [early.picture, late.picture], early.at);
    const points = await page.evaluate(() => window.tactus.points("chassis.r.x"));

    // A row on, a row back.
    await page.keyboard.press(".");
    const on = await player(page);
    await page.keyboard.press(",");
    const back = await player(page);

    // In a loop the time begins again.
    await page.locator("#play-loop").check();
    await scrubTo(page, 0.9);
    await page.locator("#play").click();
    const before = (await player(page)).time;
    await becomes(page, ({ time, playing }) => playing && time < before);
    await page.screenshot({ path: join(out, "playback.png") });

    // Back to the car that still runs.
    await page.locator("#play-close").click();
    const left = await page.evaluate(() => window.tactus.tick());
    await page.waitForFunction((tick) => window.tactus.drawn() && window.tactus.tick() > tick, left, PATIENCE);
    return { name, opened, ended, early: { ...early, picture: "" }, late: { ...late, picture: "" }, differs, points, on, back };
  },

  // Records, and says whether the button that stops the recording is the same one after two reports of its growth.
  async growing() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#record").click();
    const stop = page.locator("#recordings button", { hasText: "Stop" });
    const first = await stop.elementHandle(PATIENCE);
    for (let report = 0; report < 2; report++) {
      // The page asks for a report every 3 s and shows the answer within two pictures.
      await page.evaluate(() => new Promise((done) => setTimeout(done, 3500)));
      await pictures(page, 2);
    }
    const stays = await first.evaluate((button) => button.isConnected);
    await stop.click(PATIENCE);
    await page.locator("#recordings button", { hasText: "Open" }).waitFor(PATIENCE);
    return { stays, size: await page.locator("#recordings .recording").textContent() };
  },

  // Opens two files, the second one as the ghost of the first one, and goes to the first difference.
  async ghost() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#file").setInputFiles(rest[0]);
    await becomes(page, ({ rows }) => rows > 0);
    await drawn(page);
    await page.locator("#play").click();
    await scrubTo(page, 1);
    await page.locator("#camera-orbit").click();
    await pictures(page, 30);
    const alone = await picture(page);
    await page.locator("#file").setInputFiles(rest[1]);
    await becomes(page, ({ ghost }) => ghost !== "");
    await pictures(page, 5);
    const at = await page.evaluate(() => window.tactus.pixelOf("chassis"));
    const ghost = await page.evaluate(() => window.tactus.ghostPixelOf("chassis"));
    const beside = await picture(page);
    const differs = ghost && (await differing(page, [alone, beside], ghost));
    await page.screenshot({ path: join(out, "ghost.png") });
    // Before the first difference both runs are at one place.
    const difference = await page.locator("#difference").textContent();
    await page.locator("#go-to-difference").click();
    await pictures(page, 5);
    const together = await page.evaluate(() => [window.tactus.pixelOf("chassis"), window.tactus.ghostPixelOf("chassis")]);

    const { time } = await player(page);

    // Side by side: each in its half of the picture, from the same side.
    await scrubTo(page, 1);
    await page.locator("#camera-follow").click();
    await pictures(page, 5);
    await page.locator("#beside").click();
    await pictures(page, 5);
    const place = await page.evaluate(() => window.tactus.pixelOf("chassis"));
    const halves = await picture(page);
    const { width } = await page.locator("#scene").boundingBox();
    const colors = [await colorAt(page, halves, place), await colorAt(page, halves, { ...place, x: place.x + width / 2 })];
    await page.screenshot({ path: join(out, "side_by_side.png") });
    await page.locator("#beside").click();
    await pictures(page, 5);
    const apart = { place: place.x / width, colors, away: await page.evaluate(() => window.tactus.pixelOf("chassis").x) / width };
    return { apart, difference, at, ghost, differs, together, time };
  },

  // Opens files that are no whole recordings of a mechanism.
  async damaged() {
    const page = await openPage();
    await drawn(page);
    const [cut, alien, poor, poorer] = rest;
    await page.locator("#file").setInputFiles(alien);
    const refused = { message: await trouble(page), open: (await player(page)).open };
    await page.locator("#file").setInputFiles(cut);
    await becomes(page, ({ rows }) => rows > 0);
    const played = { message: await trouble(page), rows: (await player(page)).rows };
    await page.locator("#play-close").click();
    // The last one is dropped on the page.
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "poor.mcap"));
      return transfer;
    }, readFileSync(poor).toString("base64"));
    await page.locator("#side").dispatchEvent("drop", { dataTransfer: dropped });
    await becomes(page, ({ open }) => open === "poor.mcap");
    await page.evaluate(() => window.tactus.plot("speed"));
    const without = {
      message: await trouble(page),
      values: await page.evaluate(() => window.tactus.points("speed").values.length),
    };
    await page.locator("#play-close").click();
    const back = await page.evaluate(() => document.getElementById("trouble").hidden);
    await page.locator("#file").setInputFiles(poorer);
    await becomes(page, ({ open }) => open === "poorer.mcap");
    return { refused, played, without, back, both: await trouble(page) };
  },
});
