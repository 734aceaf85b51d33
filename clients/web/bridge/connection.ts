// One page: its questions, its subscriptions, and its drive.
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import type { DriveOptions, Failure, ObserveOptions, Question, Word } from "../protocol";
import { Drive, HEARTBEAT_MS, WATCHDOG_MS } from "./drive";
import { Feed, type Reader, Subscription } from "./feed";
import { guarded } from "./guard";
import { CALLS, type Message, Refusal, type Tactus } from "./tactus";

const SUBSCRIPTIONS = 8; // of one page
const UNSENT_LIMIT = 64 * 1024 * 1024; // bytes that may wait for a page; beyond, the page is cut off
const SNAPSHOTS = 8; // kept by the bridge, the newest ones
const MESH_BYTES = 256 * 1024 * 1024; // kept by the bridge, the newest ones, and in any case those of the newest model

/** What all pages of a bridge share. */
export class Hub {
  private readonly feeds = new Map<string, Feed>();
  private readonly snapshots = new Map<string, Message>();
  /** Bytes of meshes by their hash. */
  private readonly meshes = new Map<string, Buffer>();

  constructor(readonly tactus: Tactus) {}

  /** The feed with these rows; a new one if no page reads it yet. It waits for one subscription: Feed.add, or Feed.renounce. */
  async feed(options: ObserveOptions): Promise<Feed> {
    const session = await this.tactus.call("GetSession", { session: options.session });
    const per_second = 1e9 / Number(session.period_ns);
    const every = options.rate > 0 ? Math.max(1, Math.round(per_second / options.rate)) : 1;
    const key = JSON.stringify([options.session, options.signals, options.all, every]);
    let feed = this.feeds.get(key);
    if (feed === undefined) {
      feed = new Feed(this.tactus, options, every, () => this.feeds.delete(key));
      this.feeds.set(key, feed);
    }
    feed.reserve();
    return feed;
  }

  /** A model whose meshes have their hash only: pages get the bytes from mesh(). */
  async model(request: Message): Promise<Message> {
    const found = await this.tactus.call("GetModel", request);
    const { meshes = [] } = (found.model ?? {}) as { meshes?: { hash: string; content: string }[] };
    for (const mesh of meshes) {
      this.meshes.delete(mesh.hash); // to the end of the order
      this.meshes.set(mesh.hash, Buffer.from(mesh.content, "base64"));
      mesh.content = "";
    }
    this.dropMeshes(new Set(meshes.map(({ hash }) => hash)));
    return found;
  }

  /** The oldest meshes go until the rest fits; those of a model that a page is about to show stay. */
  private dropMeshes(needed: ReadonlySet<string>): void {
    let total = 0;
    for (const bytes of this.meshes.values()) total += bytes.length;
    for (const [hash, { length }] of this.meshes) {
      if (total <= MESH_BYTES || needed.has(hash)) return;
      this.meshes.delete(hash);
      total -= length;
    }
  }

  mesh(hash: string): Buffer | undefined {
    return this.meshes.get(hash);
  }

  keepSnapshot(snapshot: Message): string {
    const [oldest] = this.snapshots.keys();
    if (this.snapshots.size >= SNAPSHOTS && oldest) this.snapshots.delete(oldest);
    const id = randomUUID();
    this.snapshots.set(id, snapshot);
    return id;
  }

  snapshot(id: string): Message {
    const snapshot = this.snapshots.get(id);
    if (snapshot === undefined)
      throw new Refusal({
        code: "NOT_FOUND",
        message: `the bridge keeps the newest ${SNAPSHOTS} snapshots, and this one is gone; save a new one`,
      });
    return snapshot;
  }
}

export class Connection implements Reader {
  private readonly subscriptions = new Map<number, { subscription: Subscription; feed: Feed }>();
  private opening = 0; // subscriptions whose feed is not there yet
  private starting: Promise<unknown> = Promise.resolve();
  private next = 1;
  private drive: Drive | undefined;
  private closed = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly hub: Hub,
    version: string,
  ) {
    this.say({
      hello: {
        server: hub.tactus.address,
        bridge: version,
        watchdog_ms: WATCHDOG_MS,
        heartbeat_ms: HEARTBEAT_MS,
      },
    });
    socket.on("message", (data, binary) => guarded(socket, () => this.hear(binary ? "" : String(data))));
    socket.on("close", () => this.close());
    socket.on("error", () => {}); // a message that is too long, for example; a close with its code follows
  }

  say(word: Word): void {
    if (this.closed) return;
    if (this.socket.bufferedAmount > UNSENT_LIMIT) this.socket.terminate();
    else this.socket.send(JSON.stringify(word, bytesAsText));
  }

  sendRows(message: ArrayBuffer): void {
    if (!this.closed) guarded(this.socket, () => this.socket.send(message));
  }

  private close(): void {
    this.closed = true;
    this.drive?.abandon();
    for (const { subscription, feed } of this.subscriptions.values()) feed.remove(subscription);
    this.subscriptions.clear();
  }

  private hear(text: string): void {
    const message = parsed(text);
    if (message === undefined) {
      const failure = { code: "INVALID_ARGUMENT", message: "a message must be a JSON object; this one is ignored" };
      this.say({ id: 0, error: failure });
    } else if (typeof message.ack === "number") {
      this.subscriptions.get(message.ack)?.subscription.acknowledge();
    } else if (Array.isArray(message.input)) {
      if (message.input.every((value) => Number.isFinite(value))) this.drive?.set(message.input);
    } else {
      const question = message as unknown as Question;
      this.answer(question).then(
        (reply) => this.say({ id: question.id, reply }),
        (error: Error) => this.say({ id: question.id, error: failureOf(error) }),
      );
    }
  }

  private async answer(question: Question): Promise<unknown> {
    if (typeof question.call === "string") return this.call(question.call, (question.request ?? {}) as Message);
    if (question.observe) return this.observe(question.observe);
    if (typeof question.unobserve === "number") return this.unobserve(question.unobserve);
    if (question.drive) return this.startDrive(question.drive);
    if (question.release) return this.drive?.release();
    throw invalid("a question must have one of call, observe, unobserve, drive and release");
  }

  private async call(name: string, request: Message): Promise<unknown> {
    if (name === "SaveSnapshot") {
      const snapshot = await this.hub.tactus.call(name, { session: request.session });
      return { snapshot: this.hub.keepSnapshot(snapshot), tick: snapshot.tick };
    }
    if (name === "RestoreSnapshot") {
      const snapshot = this.hub.snapshot(String(request.snapshot));
      return this.hub.tactus.call(name, { session: request.session, snapshot });
    }
    if (name === "GetModel") return this.hub.model(request);
    if (!CALLS.has(name)) throw invalid(`the bridge does not pass on the call ${name}`);
    return this.hub.tactus.call(name, request);
  }

  private async observe(options: ObserveOptions): Promise<unknown> {
    if (this.subscriptions.size + this.opening >= SUBSCRIPTIONS)
      throw invalid(`a page has at most ${SUBSCRIPTIONS} subscriptions`);
    const { session, signals, rate, all } = options;
    if (typeof session !== "string" || !Array.isArray(signals) || !(rate >= 0))
      throw invalid("observe needs a session, a list of signals and a rate");
    const id = this.next++;
    const subscription = new Subscription(id, this, Boolean(all));
    this.opening++;
    const feed = await this.hub.feed({ session, signals, rate, all: Boolean(all) }).catch((error) => {
      this.opening--;
      throw error;
    });
    // The answer goes out before the first message of the subscription.
    setImmediate(() => {
      this.opening--;
      if (this.closed) return feed.renounce();
      this.subscriptions.set(id, { subscription, feed });
      feed.add(subscription);
    });
    return { subscription: id };
  }

  private unobserve(id: number): object {
    const entry = this.subscriptions.get(id);
    entry?.feed.remove(entry.subscription);
    this.subscriptions.delete(id);
    return {};
  }

  /** One drive after the other: the lease of the one before ends first. */
  private startDrive(options: DriveOptions): Promise<unknown> {
    const started = this.starting.then(() => this.openDrive(options));
    this.starting = started.catch(() => undefined);
    return started;
  }

  private async openDrive(options: DriveOptions): Promise<unknown> {
    this.drive?.release();
    await this.drive?.done;
    const session = await this.hub.tactus.call("GetSession", { session: options.session });
    return new Promise((resolve, reject) => {
      const onOpen = (inputs: string[], safe_state: string) => resolve({ inputs, safe_state });
      const onEnd = (error: Error | undefined) => {
        if (this.drive === drive) this.drive = undefined;
        reject(error ?? invalid("the stream ended"));
        this.say({ drive: { driving: false, message: error?.message ?? "" } });
      };
      const onSay = (message: string) => this.say({ drive: { driving: true, message } });
      const drive = new Drive(this.hub.tactus, options, Number(session.period_ns), onOpen, onEnd, onSay);
      if (this.closed) drive.abandon();
      else this.drive = drive;
    });
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function invalid(message: string): Refusal {
  return new Refusal({ code: "INVALID_ARGUMENT", message });
}

function failureOf(error: Error): Failure {
  return error instanceof Refusal ? error.failure : { code: "INTERNAL", message: error.message };
}

/** Bytes of a message become base64 text. */
function bytesAsText(_: string, value: unknown): unknown {
  const bytes = value as { type?: string; data?: number[] };
  return bytes?.type === "Buffer" && Array.isArray(bytes.data) ? Buffer.from(bytes.data).toString("base64") : value;
}
