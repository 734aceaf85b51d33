// One client that speaks the WebSocket protocol of Foxglove: frames, scene, parameters and time of the first session, and
// services that start, pause, step and reset it.
// Protocol: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md
import type { WebSocket } from "ws";
import { PoseLayout } from "../page/poses";
import type { Model, Signal } from "../page/wire";
import { unpackRows, type Word } from "../protocol";
import type { Hub } from "./connection";
import { type Feed, type Reader, Subscription } from "./feed";
import { Commands, PARAMETERS, SERVICES } from "./foxglove_commands";
import { encode, frames, MovingLines, scene, schema } from "./foxglove_messages";
import { SignalRows } from "./foxglove_signals";
import { guarded } from "./guard";

/** Subprotocols of which a client must offer one, the newest first: both have the messages below. */
export const SUBPROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
const FRAMES_PER_SECOND = 60;
const POSE_SIGNALS = ["*.r.[xyz]", "*.p.e[0123]"];
const CHANNELS = [
  { id: 1, topic: "/tf", schemaName: "foxglove.FrameTransforms" },
  { id: 2, topic: "/scene", schemaName: "foxglove.SceneUpdate" },
  { id: 3, topic: "/lines", schemaName: "foxglove.SceneUpdate" },
] as const;
const SIGNALS = 4; // channel of all signals, advertised when their names are known
const MESSAGE_DATA = 1;
const TIME = 2;
const ERROR = 2; // level of a status message
const RETRY_MS = 1000; // from try to try, while there is no session
const IDS = 2 ** 32; // of subscriptions, in four bytes

export class FoxgloveConnection implements Reader {
  /** Channel of each subscription of the client, by its id. */
  private readonly wanted = new Map<number, number>();
  private rows = new Subscription(1, this, false);
  private feed: Feed | undefined;
  private model: Model | undefined;
  private layout: PoseLayout | undefined;
  private newest: Float64Array | undefined; // row of this layout
  private lines: MovingLines | undefined;
  private sceneSent = new Set<number>();
  private closed = false;
  private again: NodeJS.Timeout | undefined;
  private gap = false;
  private readonly commands: Commands;
  private signals: SignalRows | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly hub: Hub,
  ) {
    this.commands = new Commands(
      hub.tactus,
      (message) => this.send(message),
      (bytes) => this.sendBytes(bytes),
    );
    socket.on("message", (data, binary) => {
      guarded(socket, () => (binary ? this.commands.callService(data as Buffer) : this.hear(String(data))));
    });
    socket.on("close", () => {
      this.closed = true;
      clearTimeout(this.again);
      this.commands.close();
      this.signals?.close();
      this.feed?.remove(this.rows);
    });
    socket.on("error", () => {}); // a close follows
    const capabilities = ["time", "services", ...PARAMETERS];
    this.send({ op: "serverInfo", name: `tactus ${hub.tactus.address}`, capabilities, supportedEncodings: ["json"] });
    const description = schema();
    const channels = CHANNELS.map((channel) => ({
      ...channel,
      encoding: "protobuf",
      schema: description,
      schemaEncoding: "protobuf",
    }));
    this.send({ op: "advertise", channels });
    this.send({ op: "advertiseServices", services: SERVICES });
    this.begin((message) => this.complain(message));
  }

  /** Opens the first session. @param onFailure  gets why this does not work; it is tried again until it does */
  private begin(onFailure: (message: string) => void): void {
    const session = this.findSession();
    this.commands.session = session;
    session
      .then((name) => this.open(name))
      .catch((error: Error) => {
        onFailure(error.message);
        this.renew(RETRY_MS);
      });
  }

  /** Another session may have the place of the one before: its model and its signals are asked for anew. */
  private renew(delay_ms: number): void {
    clearTimeout(this.again);
    if (this.closed) return;
    this.again = setTimeout(() => {
      this.feed?.remove(this.rows);
      this.feed = undefined;
      this.model = undefined;
      this.rows = new Subscription(1, this, false);
      this.begin(() => {});
    }, delay_ms);
  }

  private async findSession(): Promise<string> {
    const { sessions } = (await this.hub.tactus.call("ListSessions", {})) as { sessions: { name: string }[] };
    const [session] = sessions;
    if (session === undefined) throw new Error("the server has no session; create one");
    return session.name;
  }

  private async open(session: string): Promise<void> {
    const found = await this.hub.tactus.call("GetModel", { session });
    this.model = found.model as Model;
    await this.offerSignals(session);
    const options = { session, signals: POSE_SIGNALS, rate: FRAMES_PER_SECOND, all: false };
    const feed = await this.hub.feed(options);
    if (this.closed) return feed.renounce();
    this.feed = feed;
    this.gap = false;
    feed.add(this.rows);
  }

  private async offerSignals(session: string): Promise<void> {
    const publish = (ns: bigint, data: Uint8Array, then: () => void) => {
      for (const [id, channel] of this.wanted) if (channel === SIGNALS) this.publish(id, ns, data, then);
    };
    const { signals } = (await this.hub.tactus.call("ListSignals", { session })) as { signals: Signal[] };
    if (this.closed) return;
    const offered = new SignalRows(this.hub, session, signals, publish, (message) => this.complain(message));
    const before = this.signals;
    before?.close();
    this.signals = offered;
    if (before && JSON.stringify(before.channel) === JSON.stringify(offered.channel)) {
      this.openSignals();
      return;
    }
    // A channel with other fields is another one: a client subscribes to it anew.
    if (before) this.send({ op: "unadvertise", channelIds: [SIGNALS] });
    for (const [id, channel] of this.wanted) if (channel === SIGNALS) this.wanted.delete(id);
    this.send({ op: "advertise", channels: [{ id: SIGNALS, ...offered.channel }] });
  }

  /** Sends the rows of all signals if the client wants them. */
  private openSignals(): void {
    if ([...this.wanted.values()].includes(SIGNALS))
      this.signals?.open().catch((error: Error) => this.complain(error.message));
  }

  private send(message: object): void {
    if (!this.closed) this.socket.send(JSON.stringify(message));
  }

  private sendBytes(bytes: Uint8Array): void {
    if (!this.closed) this.socket.send(bytes);
  }

  private complain(message: string): void {
    this.send({ op: "status", level: ERROR, message });
  }

  private hear(text: string): void {
    let message: { op?: unknown; subscriptions?: unknown; subscriptionIds?: unknown } & Record<string, unknown>;
    try {
      message = JSON.parse(text);
    } catch {
      this.complain("a text message must be a JSON object; this one is ignored");
      return;
    }
    if (message?.op === "subscribe" && Array.isArray(message.subscriptions)) {
      for (const entry of message.subscriptions) this.subscribe(entry);
    } else if (message?.op === "unsubscribe" && Array.isArray(message.subscriptionIds)) {
      for (const id of message.subscriptionIds) {
        this.wanted.delete(id);
        this.sceneSent.delete(id);
      }
      if (![...this.wanted.values()].includes(SIGNALS)) this.signals?.close();
    } else if (typeof message?.op === "string" && this.commands.knows(message.op)) {
      this.commands.hear(message).catch((error: Error) => this.complain(error.message));
    } else this.complain(`the bridge does not know the operation ${short(message?.op)}`);
  }

  private subscribe(entry: unknown): void {
    const { id, channelId } = (entry ?? {}) as { id?: unknown; channelId?: unknown };
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id >= IDS)
      this.complain(`the id of a subscription must be a whole number from 0 to ${IDS - 1}, and not ${short(id)}`);
    else if (channelId === SIGNALS && this.signals) {
      this.wanted.set(id, SIGNALS);
      this.openSignals();
    } else {
      const channel = CHANNELS.find((one) => one.id === channelId);
      if (channel) {
        this.wanted.set(id, channel.id);
        // A session that does not tick has no next row.
        if (this.newest) this.publishRow(this.newest, [[id, channel.id]]);
      } else this.complain(`there is no channel ${short(channelId)}`);
    }
  }

  say(word: Word): void {
    if ("layout" in word) {
      this.layout = new PoseLayout(word.layout.signals);
      this.newest = undefined;
      this.lines = undefined;
      this.sceneSent.clear();
      if (!this.gap) return;
      this.model = undefined; // the server may have started again with another one
      this.renew(0);
    } else if ("gap" in word) {
      this.gap = true;
      this.complain(word.gap.message);
    } else if ("ended" in word) {
      this.complain(word.ended.message);
      this.renew(RETRY_MS);
    }
  }

  /** The next row is asked for when this one has left for the network: a slow client gets fewer. */
  sendRows(message: ArrayBuffer): void {
    guarded(this.socket, () => {
      const row = unpackRows(message).rows.at(-1);
      const { layout, model } = this;
      if (this.closed || row === undefined || layout === undefined || model === undefined) return;
      this.newest = row;
      this.publishRow(row, this.wanted);
      const time = Buffer.alloc(9);
      time.writeUInt8(TIME, 0);
      time.writeBigUInt64LE(clockOf(row), 1);
      const { rows } = this;
      this.socket.send(time, () => rows.acknowledge());
    });
  }

  /** @param subscriptions  pairs of subscription and channel */
  private publishRow(row: Float64Array, subscriptions: Iterable<[number, number]>): void {
    const { layout, model } = this;
    if (layout === undefined || model === undefined) return;
    const ns = clockOf(row);
    for (const [id, channel] of subscriptions)
      if (channel === 1) this.publish(id, ns, encode("foxglove.FrameTransforms", frames(layout, row, ns)));
      else if (channel === 2 && !this.sceneSent.has(id)) {
        this.sceneSent.add(id);
        this.publish(id, ns, encode("foxglove.SceneUpdate", scene(model, layout, ns)));
      } else if (channel === 3) {
        this.lines ??= new MovingLines(model, layout);
        this.publish(id, ns, encode("foxglove.SceneUpdate", this.lines.message(row, ns)));
      }
  }

  private publish(subscription: number, ns: bigint, data: Uint8Array, then: () => void = () => {}): void {
    const head = Buffer.alloc(13);
    head.writeUInt8(MESSAGE_DATA, 0);
    head.writeUInt32LE(subscription, 1);
    head.writeBigUInt64LE(ns, 5);
    if (!this.closed) this.socket.send(Buffer.concat([head, data]), then);
  }
}

/** The clock of the server at a row, ns. */
function clockOf(row: Float64Array): bigint {
  return BigInt(Math.round((row[2] ?? 0) * 1e3)) * 1000n;
}

/** A value of a client for a message to it. */
function short(value: unknown): string {
  return (JSON.stringify(value) ?? "none").slice(0, 40);
}
