// What becomes of WebSockets with and without the token of the bridge: token.mjs BUILD_FOLDER URL TOKEN
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [build, url, token] = process.argv.slice(2);
const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");
const origin = url.replace(/\/$/, "");
const become = (path, query, protocols, options) =>
  new Promise((done) => {
    const socket = new WebSocket(`${origin.replace("http:", "ws:")}/${path}${query}`, protocols, options);
    socket.on("unexpected-response", (_, response) => done(`refused ${response.statusCode}`));
    socket.on("error", (error) => done(error.message));
    socket.on("message", () => done("open"));
    socket.on("close", (code, reason) => done(`closed ${code} ${reason}`));
  });
/** A page, and a client of Foxglove that is no browser. */
const page = (query) => become("ws", query, [], { origin });
const client = (query) => become("foxglove", query, ["foxglove.sdk.v1"], {});
const result = {
  right: await page(`?token=${token}`),
  wrong: await page("?token=0123456789abcdeX"),
  none: await page(""),
  foxglove: [await client(`?token=${token}`), await client("?token=0123456789abcdeX"), await client("")],
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
