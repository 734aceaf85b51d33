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

export class FoxgloveConnection implements Reader {
  /** Channel of each subscription of the client, by its id. */
  private readonly wanted = new Map<number, number>();
  private readonly rows = new Subscription(1, this, false);
  private feed: Feed | undefined;
  private model: Model | undefined;
  private layout: PoseLayout | undefined;
  private lines: MovingLines | undefined;
  private sceneSent = new Set<number>();
  private closed = false;
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
      if (binary) this.commands.callService(data as Buffer);
      else this.hear(String(data));
    });
    socket.on("close", () => {
      this.closed = true;
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
    const session = this.findSession();
    this.commands.session = session;
    session.then((name) => this.open(name)).catch((error: Error) => this.complain(error.message));
  }

  private async findSession(): Promise<string> {
    const { sessions } = (await this.hub.tactus.call("ListSessions", {})) as { sessions: { name: string }[] };
    const [session] = sessions;
    if (session === undefined) throw new Error("the server has no session; create one, and connect again");
    return session.name;
  }

  private async open(session: string): Promise<void> {
    const found = await this.hub.tactus.call("GetModel", { session });
    this.model = found.model as Model;
    await this.offerSignals(session);
    const options = { session, signals: POSE_SIGNALS, rate: FRAMES_PER_SECOND, all: false };
    const feed = await this.hub.feed(options);
    if (this.closed) return feed.remove(this.rows);
    this.feed = feed;
    feed.add(this.rows);
  }

  private async offerSignals(session: string): Promise<void> {
    const publish = (ns: bigint, data: Uint8Array, then: () => void) => {
      for (const [id, channel] of this.wanted) if (channel === SIGNALS) this.publish(id, ns, data, then);
    };
    const { signals } = (await this.hub.tactus.call("ListSignals", { session })) as { signals: Signal[] };
    if (this.closed) return;
    this.signals = new SignalRows(this.hub, session, signals, publish, (message) => this.complain(message));
    this.send({ op: "advertise", channels: [{ id: SIGNALS, ...this.signals.channel }] });
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
      for (const { id, channelId } of message.subscriptions)
        if (Number.isInteger(id) && channelId === SIGNALS && this.signals) {
          this.wanted.set(id, channelId);
          this.signals.open().catch((error: Error) => this.complain(error.message));
        } else if (Number.isInteger(id) && CHANNELS.some((channel) => channel.id === channelId))
          this.wanted.set(id, channelId);
        else this.complain(`there is no channel ${channelId}`);
    } else if (message?.op === "unsubscribe" && Array.isArray(message.subscriptionIds)) {
      for (const id of message.subscriptionIds) {
        this.wanted.delete(id);
        this.sceneSent.delete(id);
      }
      if (![...this.wanted.values()].includes(SIGNALS)) this.signals?.close();
    } else if (typeof message?.op === "string" && this.commands.knows(message.op)) {
      this.commands.hear(message).catch((error: Error) => this.complain(error.message));
    } else this.complain(`the bridge does not know the operation ${message?.op}`);
  }

  say(word: Word): void {
    if ("layout" in word) {
      this.layout = new PoseLayout(word.layout.signals);
      this.lines = undefined;
      this.sceneSent.clear();
    } else if ("gap" in word) this.complain(word.gap.message);
    else if ("ended" in word) this.complain(word.ended.message);
  }

  /** The next row is asked for when this one has left for the network: a slow client gets fewer. */
  sendRows(message: ArrayBuffer): void {
    const row = unpackRows(message).rows.at(-1);
    const { layout, model } = this;
    if (this.closed || row === undefined || layout === undefined || model === undefined) return;
    const ns = BigInt(Math.round((row[2] ?? 0) * 1e3)) * 1000n; // the clock of the server
    for (const [id, channel] of this.wanted)
      if (channel === 1) this.publish(id, ns, encode("foxglove.FrameTransforms", frames(layout, row, ns)));
      else if (channel === 2 && !this.sceneSent.has(id)) {
        this.sceneSent.add(id);
        this.publish(id, ns, encode("foxglove.SceneUpdate", scene(model, layout, ns)));
      } else if (channel === 3) {
        this.lines ??= new MovingLines(model, layout);
        this.publish(id, ns, encode("foxglove.SceneUpdate", this.lines.message(row, ns)));
      }
    const time = Buffer.alloc(9);
    time.writeUInt8(TIME, 0);
    time.writeBigUInt64LE(ns, 1);
    this.socket.send(time, () => this.rows.acknowledge());
  }

  private publish(subscription: number, ns: bigint, data: Uint8Array, then: () => void = () => {}): void {
    const head = Buffer.alloc(13);
    head.writeUInt8(MESSAGE_DATA, 0);
    head.writeUInt32LE(subscription, 1);
    head.writeBigUInt64LE(ns, 5);
    if (!this.closed) this.socket.send(Buffer.concat([head, data]), then);
  }
}
