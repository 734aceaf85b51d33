// The bridge between browsers and a server: serves the page and carries its WebSocket to gRPC.
//
//   node bridge.cjs [--server ADDR] [--port N] [--listen HOST] [--origin URL]...
//
// The token of pages is in TACTUS_VIEW_TOKEN, or in the file that TACTUS_VIEW_TOKEN_FILE names. Without both, the bridge makes a token if
// other users of this host do not have its rights at the server.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type WebSocket, WebSocketServer } from "ws";
import { TURNED_AWAY } from "../protocol";
import { Connection, Hub } from "./connection";
import { FoxgloveConnection, SUBPROTOCOLS } from "./foxglove";
import { secretOf, Tactus } from "./tactus";

const VERSION = "1";
const MESSAGE_LIMIT = 4 * 1024 * 1024; // bytes of a message of a page: that of a model on the wire
const PAGES = 32; // connections at a time
const CLOSING_MS = 1000; // for a page that is turned away
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
const givenToken = tokenOfPages();
const port = Number(options.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) fail(`--port ${options.port}: give a number from 0 to 65535`);
if (!LOOPBACK.has(listen) && givenToken.length < 16)
  fail(
    `--listen ${listen} is not a loopback address: give --page-token-file FILE with a secret of 16 characters or more`,
  );
const token = givenToken === "" && hasRightsOfItsOwn() ? randomBytes(16).toString("hex") : givenToken;

const hub = new Hub(connect());
const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT });
/** Pages that are turned away: a browser does not show the status of a refused WebSocket, but it shows why one is closed. */
const refused = new WebSocketServer({ noServer: true, maxPayload: 1024 });
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

/** Whoever reaches the bridge has its rights: those of a token, of a certificate, or of the owner of a Unix socket. */
function hasRightsOfItsOwn(): boolean {
  const { TACTUS_TOKEN_FILE, TACTUS_TLS_CERT } = process.env;
  return Boolean(TACTUS_TOKEN_FILE || TACTUS_TLS_CERT || options.server?.startsWith("unix:"));
}

function tokenOfPages(): string {
  const { TACTUS_VIEW_TOKEN: text = "", TACTUS_VIEW_TOKEN_FILE: file } = process.env;
  if (!file) return text;
  try {
    const secret = secretOf(file).toString().trim();
    if (secret === "") throw new Error(`${file} is empty`);
    return secret;
  } catch (error) {
    return fail(`--page-token-file: ${(error as Error).message}`);
  }
}

/** An origin as a browser writes it, without the port 80 of http, for example. What is no URL of http is left as it is. */
function originOf(text: string): string {
  try {
    const { origin } = new URL(text);
    return origin === "null" ? text : origin;
  } catch {
    return text;
  }
}

/** Where a browser on this host finds the page. */
function placeOf(host: string): string {
  const { port: bound } = server.address() as AddressInfo;
  return originOf(`http://${isIPv6(host) ? `[${host}]` : host}:${bound}`);
}

/** Origins whose pages may connect: this bridge by its own names, and those that the command line adds. */
function origins(): Set<string> {
  const hosts = LOOPBACK.has(listen) ? LOOPBACK : [listen];
  return new Set([...[...hosts].map(placeOf), ...(options.origin ?? []).map(originOf)]);
}

/** A name that resolves to this machine is no permission: the Host must be one that the bridge serves. */
function knownHost(request: IncomingMessage): boolean {
  return ["http", "https"].some((scheme) => origins().has(originOf(`${scheme}://${request.headers.host}`)));
}

/** The path and the query of a request; undefined if it has none, such as `*`. */
function targetOf({ url = "" }: IncomingMessage): URL | undefined {
  try {
    return url.startsWith("/") ? new URL(`http://x${url}`) : new URL(url);
  } catch {
    return undefined;
  }
}

function tokenIsRight({ searchParams }: URL): boolean {
  if (token === "") return true;
  const given = Buffer.from(searchParams.get("token") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = targetOf(request);
  if (target === undefined) return refuse(response, 400, "this is no path");
  const { pathname } = target;
  const file = FILES[pathname];
  if (!knownHost(request)) return refuse(response, 403, "unknown host; add its address with --origin");
  if (pathname === "/" && !tokenIsRight(target)) return refuse(response, 401, "the token is missing or wrong");
  const recording = /^\/recordings\/([\w.-]{1,64})\.mcap$/.exec(pathname)?.[1];
  if (recording && !tokenIsRight(target)) return refuse(response, 401, "the token is missing or wrong");
  if (recording) return sendRecording(recording, response);
  const mesh = /^\/meshes\/([0-9a-f]{16})$/.exec(pathname)?.[1];
  if (mesh && !tokenIsRight(target)) return refuse(response, 401, "the token is missing or wrong");
  if (mesh) return sendMesh(mesh, response);
  if (file === undefined) return refuse(response, 404, "no such page");
  const content = await readFile(join(__dirname, "page", file.name));
  response.writeHead(200, {
    "content-type": file.type,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'self'; connect-src 'self' ws: wss: blob: data:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
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

/** Why a WebSocket is not opened, as an HTTP status and for a page; undefined: it is opened. */
function refusalOf(request: IncomingMessage, target: URL | undefined): { status: string; toPage?: string } | undefined {
  if (target === undefined) return { status: "400 Bad Request" };
  const { pathname } = target;
  const { origin, "sec-websocket-protocol": offered = "" } = request.headers;
  if (pathname !== "/ws" && pathname !== "/foxglove") return { status: "404 Not Found" };
  // A browser always names the origin of a page. A client that is no browser, such as a program with Foxglove's protocol,
  // could name any.
  if (!(pathname === "/foxglove" && origin === undefined) && !origins().has(origin ?? ""))
    return { status: "403 Origin Not Allowed" };
  if (!tokenIsRight(target))
    return {
      status: "401 Wrong Token",
      toPage: "The token of this page is missing or wrong. Open the URL that tactus view prints.",
    };
  if (sockets.clients.size + foxgloves.clients.size >= PAGES)
    return { status: "503 Too Many Pages", toPage: `The bridge has ${PAGES} connections already. Close another page.` };
  if (pathname === "/foxglove" && !SUBPROTOCOLS.some((name) => offered.includes(name)))
    return { status: "400 No Known Subprotocol" };
  return undefined;
}

/** Ends the connection of a page that is turned away, with the reason. */
function turnAway(page: WebSocket, reason: string): void {
  page.on("error", () => {});
  page.close(TURNED_AWAY, reason);
  setTimeout(() => page.terminate(), CLOSING_MS).unref();
}

server.on("upgrade", (request, socket, head) => {
  socket.on("error", () => socket.destroy());
  const target = targetOf(request);
  const refusal = refusalOf(request, target);
  if (refusal) {
    const { status, toPage } = refusal;
    if (target?.pathname === "/ws" && toPage && refused.clients.size < PAGES)
      refused.handleUpgrade(request, socket, head, (page) => turnAway(page, toPage));
    else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    return;
  }
  if (target?.pathname === "/foxglove")
    return foxgloves.handleUpgrade(request, socket, head, (connected) => new FoxgloveConnection(connected, hub));
  sockets.handleUpgrade(request, socket, head, (connected) => new Connection(connected, hub, VERSION));
});

server.on("error", (error: NodeJS.ErrnoException) =>
  fail(error.code === "EADDRINUSE" ? `port ${port} is in use; choose another one with --port` : error.message),
);
server.listen(port, listen, () => {
  const query = token ? `?token=${encodeURIComponent(token)}` : "";
  process.stdout.write(`view: ${placeOf(listen)}/${query}\n`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

function fail(message: string): never {
  process.stderr.write(`tactus view: ${message}\n`);
  process.exit(2);
}
