// How much of a picture the page draws at rates of pictures: pace.mjs FOLDER_OF_THE_VIEW
//
// Prints one JSON object, which page_test.py judges.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(`${resolve(process.argv[2])}/`);
const source = fileURLToPath(new URL("../../../clients/web/page/pace.ts", import.meta.url));
const { outputFiles } = require("esbuild").buildSync({ entryPoints: [source], bundle: true, format: "esm", write: false });
const { Pace } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const LARGE = 1920 * 1080;

/** The efforts in their order, each as shadows and share, and how many seconds it took to each. */
function changes(pace, rate, seconds, pixels = LARGE) {
  const found = [];
  for (let second = 0; second < seconds; ++second) {
    const { shadows, share } = pace.step(rate, pixels);
    const last = found.at(-1)?.effort;
    if (last?.[0] !== shadows || last?.[1] !== share) found.push({ effort: [shadows, share], second });
  }
  return found;
}
const efforts = (found) => found.map(({ effort }) => effort);

const pace = new Pace();
const slow = efforts(changes(pace, 10, 30));
const fast = efforts(changes(pace, 60, 60)).slice(1);

// Each try to draw more ends in late pictures.
const tried = new Pace();
changes(tried, 10, 30);
const waits = [0, 1, 2].map(() => {
  const { second } = changes(Object.assign(new Pace(), tried), 60, 200)[1];
  changes(tried, 60, second + 1);
  changes(tried, 10, 30);
  return second;
});
// A try that lasts is no failure: the next wait is short again.
changes(tried, 60, 400);
changes(tried, 10, 30);
const again = changes(tried, 60, 200)[1].second;
const middling = efforts(changes(new Pace(), 40, 60)).at(-1);
const small = efforts(changes(new Pace(), 10, 60, 640 * 480)).at(-1);
process.stdout.write(`${JSON.stringify({ slow, fast, waits, again, middling, small })}\n`);
