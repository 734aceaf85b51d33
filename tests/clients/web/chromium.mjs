// Chromium, headless, and what a test does with a page: SCRIPT SCENE BUILD_FOLDER URL OUT_FOLDER ...
//
// Each script has scenes; one run plays one scene and prints one JSON object. Waits are for what shall happen, never for
// a time.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

export const [scene, build, url, out, ...rest] = process.argv.slice(2);
const require = createRequire(`${resolve(build)}/`);
const { chromium } = require("playwright-core");
export const PATIENCE = { timeout: Number(process.env.TACTUS_PATIENCE ?? 120) * 1000 };

const WEBGL = ["--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist"];
const browser = await chromium.launch({
  executablePath: process.env.TACTUS_CHROMIUM,
  args: ["--no-sandbox", ...(scene === "blind" ? ["--disable-3d-apis"] : WEBGL)],
});
const errors = [];

/** @param before  runs in the page before its own script */
export async function openPage(colorScheme = "light", before = undefined) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  page.on("pageerror", (error) => errors.push(error.message));
  if (before) await page.addInitScript(before);
  await page.goto(url);
  return page;
}

export const drawn = (page) => page.waitForFunction(() => window.tactus?.drawn(), null, PATIENCE);
export const newest = (page, signal) =>
  page.evaluate((name) => window.tactus.points(name).values.filter((value) => value !== null).at(-1), signal);
export const mode = (page, group) => page.locator(`[data-group=${group}]`).getAttribute("data-mode", PATIENCE);
export const becomes = (page, group, modes) =>
  page.waitForFunction(
    ([name, wanted]) => wanted.includes(document.querySelector(`[data-group=${name}]`)?.dataset.mode),
    [group, modes],
    PATIENCE,
  );

/** Waits until the newest value of a plotted signal satisfies a comparison with a bound. */
export const signal = (page, name, relation, bound) =>
  page.waitForFunction(
    ([of, above, limit]) => {
      const value = window.tactus.points(of).values.at(-1);
      return value !== null && value !== undefined && (above ? value > limit : value < limit);
    },
    [name, relation === "above", bound],
    PATIENCE,
  );

/** Share of the pixels around a point of the canvas that differ between two pictures, decoded by the page. */
export const differing = (page, pictures, at, [wide, high] = [80, 60]) =>
  page.evaluate(
    async ([first, second, { x, y }, width, height]) => {
      const [a, b] = await Promise.all(
        [first, second].map(async (data) => {
          const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
          const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          context.drawImage(picture, 0, 0);
          return context.getImageData(x - width / 2, y - height / 2, width, height).data;
        }),
      );
      let count = 0;
      for (let k = 0; k < a.length; k += 4) count += Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) > 20 ? 1 : 0;
      return count / (a.length / 4);
    },
    [...pictures, at, wide, high],
  );

/** Mean color around a point of a picture of the canvas, 0 to 255 for red, green and blue. */
export const colorAt = (page, data, { x, y }, size = 10) =>
  page.evaluate(
    async ([shown, left, top, side]) => {
      const shot = await createImageBitmap(new Blob([Uint8Array.from(atob(shown), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
      context.drawImage(shot, 0, 0);
      const { data: found } = context.getImageData(left, top, side, side);
      return [0, 1, 2].map((channel) => found.reduce((sum, v, k) => sum + (k % 4 === channel ? v : 0), 0) / side ** 2);
    },
    [data, x - size / 2, y - size / 2, size],
  );

/** Presses a key again and again until the element that has the focus satisfies a CSS selector. */
export async function focusBy(page, key, selector, limit = 200) {
  for (let press = 0; press < limit; ++press) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return press;
    await page.keyboard.press(key);
  }
  throw new Error(`${limit} times ${key} do not lead to ${selector}`);
}

/** Waits until the text beside the buttons of the session holds a word. */
export const state = (page, text) =>
  page.waitForFunction((part) => document.getElementById("state").textContent.includes(part), text, PATIENCE);

/** Waits until the page has drawn so many pictures more. */
export const pictures = (page, count) =>
  page.evaluate(
    (left) =>
      new Promise((done) => {
        const next = () => (--left > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );

export const picture = async (page) => (await page.locator("#scene").screenshot()).toString("base64");

/** The numbers of the processes of the browser. */
export function browserProcesses() {
  const parents = new Map();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      // The name of a process is in parentheses and may hold spaces.
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, "utf8"));
      parents.set(Number(entry), { name, parent: Number(rest.split(" ")[1]) });
    } catch {
      // It has ended.
    }
  const isBelow = (pid) => pid === process.pid || (parents.has(pid) && isBelow(parents.get(pid).parent));
  return [...parents].filter(([pid, { name }]) => name.startsWith("chrom") && isBelow(pid)).map(([pid]) => pid);
}

/** Processor time that processes have taken, ms. */
export function timeOf(processes) {
  const ticks = processes.map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      return Number(fields[11]) + Number(fields[12]); // in user mode and in the kernel
    } catch {
      return 0; // It has ended.
    }
  });
  return 10 * ticks.reduce((sum, value) => sum + value, 0); // a tick of Linux is 10 ms
}

/** Plays the scene that the command names, and prints what it found. */
export async function playOne(scenes) {
  const found = await scenes[scene]();
  await browser.close();
  process.stdout.write(`${JSON.stringify({ ...found, errors })}\n`, () => process.exit(0));
}
