// What becomes of WebSockets with and without the token of the bridge: token.mjs BUILD_FOLDER URL TOKEN
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [build, url, token] = process.argv.slice(2);
const { WebSocket } = createRequire(`${resolve(build)}/`)("ws");
const origin = url.replace(/\/$/, "");
const become = (query) =>
  new Promise((done) => {
    const socket = new WebSocket(`${origin.replace("http:", "ws:")}/ws${query}`, { origin });
    socket.on("unexpected-response", (_, response) => done(`refused ${response.statusCode}`));
    socket.on("error", (error) => done(error.message));
    socket.on("open", () => done("open"));
  });
const result = {
  right: await become(`?token=${token}`),
  wrong: await become("?token=0123456789abcdeX"),
  none: await become(""),
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
