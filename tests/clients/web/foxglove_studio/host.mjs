// Serves the application of Foxglove on a free port of loopback: host.mjs LAYOUT RECORDING
//
// Recordings are read in ranges. Prints "host: http://127.0.0.1:PORT/".
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [layout, recording] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const own = {
  "/": join(here, "index.html"),
  "/studio.js": join(here, "studio.js"),
  "/layout.json": layout,
  "/run.mcap": recording,
};
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://host");
  const file = own[pathname] ?? join(here, "node_modules", normalize(pathname));
  try {
    const { size } = await stat(file);
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = Number(range?.[2] || size - 1);
    response.writeHead(range ? 206 : 200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": end - start + 1,
      "accept-ranges": "bytes",
      ...(range ? { "content-range": `bytes ${start}-${end}/${size}` } : {}),
    });
    if (request.method === "HEAD") response.end();
    else createReadStream(file, { start, end }).pipe(response);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`host: http://127.0.0.1:${server.address().port}/\n`));
