// The bridge between browsers and a server: serves the page and carries its WebSocket to gRPC.
//
//   node bridge.cjs [--server ADDR] [--port N] [--listen HOST] [--origin URL]...
//
// The token of pages is in TACTUS_VIEW_TOKEN, or in the file that TACTUS_VIEW_TOKEN_FILE names.
import { timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { WebSocketServer } from "ws";
import { Connection, Hub } from "./connection";
import { FoxgloveConnection, SUBPROTOCOLS } from "./foxglove";
import { secretOf, Tactus } from "./tactus";

const VERSION = "1";
const MESSAGE_LIMIT = 4 * 1024 * 1024; // bytes of a message of a page: that of a model on the wire
const PAGES = 32; // connections at a time
const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

const FILES: Record<string, { name: string; type: string }> = {
  "/": { name: "index.html", type: "text/html; charset=utf-8" },
  "/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/page.css": { name: "page.css", type: "text/css; charset=utf-8" },
};

const { values: options } = parseArgs({
  options: {
    server: { type: "string", default: "127.0.0.1:50051" },
    port: { type: "string", default: "8080" },
    listen: { type: "string", default: "127.0.0.1" },
    origin: { type: "string", multiple: true, default: [] },
  },
});

const listen = options.listen ?? "127.0.0.1";
const token = tokenOfPages();
const port = Number(options.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) fail(`--port ${options.port}: give a number from 0 to 65535`);
if (!LOOPBACK.has(listen) && token.length < 16)
  fail(
    `--listen ${listen} is not a loopback address: give --page-token-file FILE with a secret of 16 characters or more`,
  );

const hub = new Hub(connect());
const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT });
const foxgloves = new WebSocketServer({
  noServer: true,
  maxPayload: MESSAGE_LIMIT,
  handleProtocols: (offered) => SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
});
const server = createServer((request, response) => {
  respond(request, response).catch(() => response.destroy());
});

function connect(): Tactus {
  try {
    return new Tactus(options.server ?? "", join(__dirname, "proto"));
  } catch (error) {
    return fail((error as Error).message);
  }
}

function tokenOfPages(): string {
  const { TACTUS_VIEW_TOKEN: text = "", TACTUS_VIEW_TOKEN_FILE: file } = process.env;
  if (!file) return text;
  try {
    return secretOf(file).toString().trim();
  } catch (error) {
    return fail(`--page-token-file: ${(error as Error).message}`);
  }
}

/** Origins whose pages may connect: this bridge by its own names, and those that the command line adds. */
function origins(): Set<string> {
  const bound = (server.address() as AddressInfo).port;
  const hosts = LOOPBACK.has(listen) ? ["127.0.0.1", "localhost", "[::1]"] : [listen];
  return new Set([...hosts.map((host) => `http://${host}:${bound}`), ...(options.origin ?? [])]);
}

/** A name that resolves to this machine is no permission: the Host must be one that the bridge serves. */
function knownHost(request: IncomingMessage): boolean {
  return origins().has(`http://${request.headers.host}`) || origins().has(`https://${request.headers.host}`);
}

function tokenIsRight(request: IncomingMessage): boolean {
  if (token === "") return true;
  const given = Buffer.from(new URL(request.url ?? "/", "http://x").searchParams.get("token") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://x");
  const file = FILES[pathname];
  if (!knownHost(request)) return refuse(response, 403, "unknown host; add its address with --origin");
  if (pathname === "/" && !tokenIsRight(request)) return refuse(response, 401, "the token is missing or wrong");
  const recording = /^\/recordings\/([\w.-]{1,64})\.mcap$/.exec(pathname)?.[1];
  if (recording && !tokenIsRight(request)) return refuse(response, 401, "the token is missing or wrong");
  if (recording) return sendRecording(recording, response);
  const mesh = /^\/meshes\/([0-9a-f]{16})$/.exec(pathname)?.[1];
  if (mesh && !tokenIsRight(request)) return refuse(response, 401, "the token is missing or wrong");
  if (mesh) return sendMesh(mesh, response);
  if (file === undefined) return refuse(response, 404, "no such page");
  const content = await readFile(join(__dirname, "page", file.name));
  response.writeHead(200, {
    "content-type": file.type,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'self'; connect-src 'self' ws: wss: blob: data:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:",
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

function sendMesh(hash: string, response: ServerResponse): void {
  const bytes = hub.mesh(hash);
  if (bytes === undefined) {
    refuse(response, 404, "the bridge no longer has this mesh; choose the session again");
    return;
  }
  response.writeHead(200, {
    "content-type": "application/octet-stream",
    "content-length": bytes.length,
    // The hash is that of the content.
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  response.end(bytes);
}

/** Passes a recording on as fast as the page takes it. */
function sendRecording(name: string, response: ServerResponse): Promise<void> {
  const stream = hub.tactus.download(name);
  response.on("close", () => stream.cancel());
  response.on("drain", () => stream.resume());
  return new Promise((resolve) => {
    stream.on("data", ({ data, file_bytes }: { data: Buffer; file_bytes: string }) => {
      if (!response.headersSent)
        response.writeHead(200, { "content-type": "application/octet-stream", "content-length": file_bytes });
      if (!response.write(data)) stream.pause();
    });
    stream.on("error", (error) => {
      const { code, message } = hub.tactus.failureOf(error);
      // A download that ends early is shorter than announced: the page sees that it is cut off.
      if (response.headersSent) response.destroy();
      else refuse(response, code === "NOT_FOUND" ? 404 : 502, message);
      resolve();
    });
    stream.on("end", () => {
      response.end();
      resolve();
    });
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}

server.on("upgrade", (request, socket, head) => {
  const { pathname } = new URL(request.url ?? "/", "http://x");
  const offered = request.headers["sec-websocket-protocol"] ?? "";
  const refusal =
    pathname !== "/ws" && pathname !== "/foxglove"
      ? "404 Not Found"
      : !origins().has(request.headers.origin ?? "")
        ? "403 Origin Not Allowed"
        : !tokenIsRight(request)
          ? "401 Wrong Token"
          : sockets.clients.size + foxgloves.clients.size >= PAGES
            ? "503 Too Many Pages"
            : pathname === "/foxglove" && !SUBPROTOCOLS.some((name) => offered.includes(name))
              ? "400 No Known Subprotocol"
              : undefined;
  if (refusal) {
    socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\n\r\n`);
    return;
  }
  if (pathname === "/foxglove")
    return foxgloves.handleUpgrade(request, socket, head, (connected) => new FoxgloveConnection(connected, hub));
  sockets.handleUpgrade(request, socket, head, (connected) => new Connection(connected, hub, VERSION));
});

server.on("error", (error: NodeJS.ErrnoException) =>
  fail(error.code === "EADDRINUSE" ? `port ${port} is in use; choose another one with --port` : error.message),
);
server.listen(port, listen, () => {
  const bound = (server.address() as AddressInfo).port;
  const query = token ? `?token=${encodeURIComponent(token)}` : "";
  const host = listen.includes(":") ? `[${listen}]` : listen;
  process.stdout.write(`view: http://${host}:${bound}/${query}\n`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

function fail(message: string): never {
  process.stderr.write(`tactus view: ${message}\n`);
  process.exit(2);
}
