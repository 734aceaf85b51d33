// Pixels of an SVG in Chromium: rasterize.mjs BUILD_FOLDER FILE.svg OUT.png WIDTH HEIGHT
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [build, file, out, width, height] = process.argv.slice(2);
const { chromium } = createRequire(`${resolve(build)}/`)("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.TACTUS_CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
await page.goto(pathToFileURL(resolve(file)).href);
await page.screenshot({ path: out });
await browser.close();
process.stdout.write("{}\n");
