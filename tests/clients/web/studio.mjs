// The application of Foxglove, live and with a recording: studio.mjs SCENE BUILD_FOLDER URL OUT_FOLDER
import { join } from "node:path";
import { differing, openPage, out, PATIENCE, playOne } from "./chromium.mjs";

/** Waits until the page has words. */
const says = (page, ...words) =>
  page.waitForFunction((wanted) => wanted.every((word) => document.body.innerText.includes(word)), words, PATIENCE);

/** The panel of the scene: the largest canvas of the page. */
async function sceneOf(page) {
  await page.waitForSelector("canvas", PATIENCE);
  const areas = await page.$$eval("canvas", (all) => all.map((canvas) => canvas.clientWidth * canvas.clientHeight));
  return page.locator("canvas").nth(areas.indexOf(Math.max(...areas)));
}

/** Share of the pixels of a picture that have the blue of the paint of the car, in light and in shadow. */
const painted = (page, data) =>
  page.evaluate(async (shown) => {
    const shot = await createImageBitmap(new Blob([Uint8Array.from(atob(shown), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
    context.drawImage(shot, 0, 0);
    const { data: found } = context.getImageData(0, 0, shot.width, shot.height);
    let count = 0;
    for (let k = 0; k < found.length; k += 4)
      if (found[k + 2] > 90 && found[k + 2] > 1.5 * found[k + 1] && found[k + 1] > found[k]) ++count;
    return count / (found.length / 4);
  }, data);

/** A picture of the scene once the car is in it, with the share of its paint. */
async function withCar(page) {
  const scene = await sceneOf(page);
  const end = Date.now() + PATIENCE.timeout;
  for (;;) {
    const data = (await scene.screenshot(PATIENCE)).toString("base64");
    const share = await painted(page, data);
    if (share > 0.01 || Date.now() > end) return { data, share };
    await page.waitForTimeout(200);
  }
}

/** Waits until so much of the middle of the scene has changed since a picture, and returns how much that was. */
async function moved(page, since, enough) {
  const scene = await sceneOf(page);
  const { width, height } = await scene.boundingBox();
  const end = Date.now() + PATIENCE.timeout;
  for (;;) {
    const data = (await scene.screenshot(PATIENCE)).toString("base64");
    const at = { x: Math.round(width / 2), y: Math.round(height / 2) };
    const share = await differing(page, [since, data], at, [2 * Math.floor(width / 4), 2 * Math.floor(height / 4)]);
    if (share > enough || Date.now() > end) return share;
    await page.waitForTimeout(200);
  }
}

/** The text of the page with the tab of problems, if the tab lists any. */
async function problems(page) {
  await page.getByText("Problems", { exact: true }).click(PATIENCE);
  await says(page, "No problems found").catch(() => {});
  const text = await page.evaluate(() => document.body.innerText);
  return text.includes("No problems found") ? [] : [text];
}

const scenes = {
  async live() {
    const page = await openPage("dark");
    await says(page, "/tf", "/scene", "/lines", "/signals", "foxglove.FrameTransforms", "road_friction");
    const { data, share } = await withCar(page);
    const motion = await moved(page, data, 0.01);
    await page.screenshot({ path: join(out, "foxglove.png"), ...PATIENCE });
    const text = await page.evaluate(() => document.body.innerText);
    return { share, motion, mass: /chassis_mass\s+(\S+)/.exec(text)?.[1], problems: await problems(page) };
  },

  async recorded() {
    const page = await openPage("dark");
    await says(page, "/tf", "/scene", "/lines", "/signals", "foxglove.FrameTransforms");
    const { data, share } = await withCar(page);
    await page.keyboard.press("Space"); // plays
    const motion = await moved(page, data, 0.01);
    const text = await page.evaluate(() => document.body.innerText);
    return { share, motion, duration: /DURATION\s+(\S+)/i.exec(text)?.[1], problems: await problems(page) };
  },
};
await playOne(scenes);
