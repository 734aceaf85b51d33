// Draws models as picture files: runs each with tactus, and shows its state in a browser without a window.
//
//   node draw.cjs --program TACTUS --model MODEL[@TIME]... --out FILE.png|.svg|FOLDER/ [--at 0.5s] [--initial NAME]
//                 [--size 1280x720] [--dark]
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";

/** What page/still.ts offers. */
declare global {
  interface Window {
    draw(run: string, at: number, dark: boolean): Promise<string>;
    svg(): string;
  }
}

const PLACE = "http://picture"; // never looked up: every request is answered here
const PATIENCE_MS = 60_000;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];
const NS_PER_S: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

const { values: options } = parseArgs({
  options: {
    program: { type: "string", default: "tactus" },
    model: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: "" },
    at: { type: "string", default: "0s" },
    initial: { type: "string", default: "" },
    size: { type: "string", default: "1280x720" },
    dark: { type: "boolean", default: false },
  },
});

/** Ends the program with 2 and a line that says why. */
function fail(message: string): never {
  process.stderr.write(`tactus model draw: ${message}\n`);
  process.exit(2);
}

function browserPath(): string {
  const wanted = process.env.TACTUS_CHROMIUM;
  if (wanted) return wanted;
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const name of BROWSERS)
      try {
        const path = join(folder, name);
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // the next place
      }
  fail("Chromium is not installed; install it with: docker/install_packages.sh view");
}

function nanoseconds(text: string): number {
  const [, number, unit] = /^([\d.]+)(ns|us|ms|s|min|h)$/.exec(text) ?? [];
  const value = Number(number) * (NS_PER_S[unit ?? ""] ?? Number.NaN);
  if (!Number.isFinite(value)) fail(`--at ${text}: give a duration with its unit, for example 0.5s`);
  return value;
}

/** Runs tactus; its words about a bad model go on to the user. */
function tactus(...words: string[]): string {
  try {
    return execFileSync(options.program ?? "tactus", words, {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "inherit"],
    });
  } catch (error) {
    const { status, message } = error as { status?: number | null; message: string };
    if (status === null || status === undefined) fail(`${words.join(" ")}: ${message}`);
    process.exit(status);
  }
}

interface Order {
  model: string;
  /** Simulated time of the picture, ns. */
  at: number;
  out: string;
}

/** What to draw: MODEL@TIME has its own time; in a folder, the pictures have the names of their models. */
function orders(): Order[] {
  const out = options.out ?? "";
  const models = options.model ?? [];
  const isFolder = out.endsWith("/");
  if (!isFolder && !/\.(png|svg)$/.test(out))
    fail(`--out ${out}: name a .png or an .svg, or a folder that ends with /`);
  if (!isFolder && models.length > 1) fail(`--out ${out}: several models need a folder that ends with /`);
  const wanted = models.map((text) => {
    const [, model = text, time = options.at ?? "0s"] = /^(.+)@([\d.]+[a-z]+)$/.exec(text) ?? [];
    const name = basename(model).replace(/(:.*|\.json|\.txtpb)$/, "");
    return { model, at: nanoseconds(time), out: isFolder ? join(out, `${name}.png`) : out };
  });
  const twice = wanted.find((order, k) => wanted.findIndex((one) => one.out === order.out) < k);
  if (twice)
    fail(`--out ${out}: two of the pictures would be ${twice.out}; draw them one by one, each with --out FILE.png`);
  return wanted;
}

/** Records a run to the step next to the wanted time. @returns the time of that step, s */
function record({ model, at }: Order, file: string): number {
  const { solver } = JSON.parse(tactus("model", "print", model)) as { solver?: { period?: number } };
  const period = Math.round((solver?.period ?? 1e-3) * 1e9);
  const steps = Math.round(at / period);
  const ran = Math.max(1, steps); // the first row is the initial state
  const initial = options.initial ? ["--initial", options.initial] : [];
  tactus("run", model, "--until", `${ran * period}ns`, "--every", String(ran), "--out", file, ...initial);
  return (steps * period) / 1e9;
}

/** @param at  time of a recorded row, s */
async function draw(page: Page, out: string, at: number, run: string): Promise<void> {
  const words = [run, at, options.dark] as const;
  const trouble = await page.evaluate(([path, time, dark]) => window.draw(path, time, dark), words);
  if (trouble) throw new Error(trouble);
  if (out.endsWith(".svg")) writeFileSync(out, await page.evaluate(() => window.svg()));
  else await page.screenshot({ path: out });
}

/** All pictures, one after the other, by one browser. */
async function drawAll(ordered: readonly Order[], folder: string): Promise<void> {
  // What is wrong with a model is said before a browser starts.
  const recordings = ordered.map((order, k) => {
    const file = join(folder, `${k}.mcap`);
    return { file, at: record(order, file), out: order.out };
  });
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist"],
  });
  try {
    const [, width, height] = sizes;
    const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
    const files: Record<string, string> = {
      "/": join(__dirname, "page", "still.html"),
      "/still.js": join(__dirname, "page", "still.js"),
      ...Object.fromEntries(recordings.map(({ file }) => [`/${basename(file)}`, file])),
    };
    await page.route("**/*", (route) => {
      const path = files[new URL(route.request().url()).pathname];
      return path ? route.fulfill({ path }) : route.fulfill({ status: 404 });
    });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(PLACE);
    for (const { file, at, out } of recordings) await draw(page, out, at, `/${basename(file)}`);
  } finally {
    await browser.close();
  }
}

const sizes = /^(\d{2,4})x(\d{2,4})$/.exec(options.size ?? "") ?? [];
if (sizes.length === 0) fail(`--size ${options.size}: give width and height in pixels, for example 1280x720`);
const ordered = orders();
browserPath();
if (options.out?.endsWith("/")) mkdirSync(options.out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "tactus-draw-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
drawAll(ordered, folder).catch((error: Error) => fail(error.message));
