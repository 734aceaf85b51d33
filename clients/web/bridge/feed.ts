// One Observe stream of the server, shared by every page that wants the same rows.
import type * as grpc from "@grpc/grpc-js";
import { HEAD, type ObserveOptions, packRows, type Word } from "../protocol";
import type { Message, Tactus } from "./tactus";

const CREDIT = 8; // frames the server sends beyond what the bridge has read
const QUEUE_DEPTH = 4096; // frames of every tick that the server keeps for a bridge that is late
const SPARSE_DEPTH = 64; // frames at the rate of a page; they may have all signals, and the server limits the values of a queue
const MESSAGES_UNDER_WAY = 2; // messages a page may have without an acknowledgement
const BATCH_MS = 30; // batches of rows leave about as often as a page draws
const RETRY_MS = 500;
export const ROWS_KEPT = 4096; // rows kept for a page that is late, per subscription
export const VALUES_KEPT = 1 << 20; // values kept for a page that is late, per subscription: 8 MiB

/** The part of a connection to a page that a subscription needs. */
export interface Reader {
  say(word: Word): void;
  sendRows(message: ArrayBuffer): void;
}

/** The rows of one feed for one page: at most so many rows wait for a page that does not acknowledge. */
export class Subscription {
  private rows: Float64Array[] = [];
  private dropped = 0;
  private underWay = 0;

  constructor(
    readonly id: number,
    readonly reader: Reader,
    readonly all: boolean,
  ) {}

  offer(row: Float64Array): void {
    const limit = this.all ? Math.max(1, Math.min(ROWS_KEPT, Math.floor(VALUES_KEPT / row.length))) : 1;
    while (this.rows.length >= limit) {
      this.rows.shift();
      ++this.dropped;
    }
    this.rows.push(row);
    if (!this.all) this.send();
  }

  acknowledge(): void {
    this.underWay = Math.max(0, this.underWay - 1);
    if (!this.all) this.send();
  }

  send(): void {
    if (this.rows.length === 0 || this.underWay >= MESSAGES_UNDER_WAY) return;
    this.reader.sendRows(packRows(this.id, this.dropped, this.rows));
    ++this.underWay;
    this.rows = [];
    this.dropped = 0;
  }

  /** Rows of another layout follow. */
  clear(): void {
    this.rows = [];
  }
}

export class Feed {
  readonly subscriptions = new Set<Subscription>();
  private stream: grpc.ClientReadableStream<Message> | undefined;
  private streamId: unknown;
  private layout: Word | undefined;
  private period = 0;
  private signals: string[] = [];
  private newest: Float64Array | undefined; // of this layout
  private retry: NodeJS.Timeout | undefined;
  private readonly batches: NodeJS.Timeout | undefined;
  private closed = false;
  private awaited = 0; // subscriptions that will join in a moment
  private farewell = ""; // why no rows follow
  private unacknowledged: unknown; // sequence of the newest frame that the server does not know to be read

  /** @param every  ticks from row to row */
  constructor(
    private readonly tactus: Tactus,
    private readonly options: ObserveOptions,
    private readonly every: number,
    private readonly onEnd: (feed: Feed) => void,
  ) {
    if (options.all)
      this.batches = setInterval(() => {
        this.acknowledge();
        for (const subscription of this.subscriptions) subscription.send();
      }, BATCH_MS);
    this.open();
  }

  /** A subscription will join: the feed stays open for it although the last one of the others leaves. */
  reserve(): void {
    ++this.awaited;
  }

  /** A subscription that was expected does not join. */
  renounce(): void {
    --this.awaited;
    this.closeUnread();
  }

  /** Joins the subscription that reserve() has announced. */
  add(subscription: Subscription): void {
    --this.awaited;
    const { id, reader } = subscription;
    if (this.closed) {
      reader.say({ ended: { subscription: id, message: this.farewell } });
      return;
    }
    this.subscriptions.add(subscription);
    if (this.layout) this.sayLayout(subscription);
    // The server sends the state of a session that does not tick once, before this subscription joined.
    if (this.newest) subscription.offer(this.newest);
  }

  remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    this.closeUnread();
  }

  private closeUnread(): void {
    if (this.subscriptions.size === 0 && this.awaited === 0) this.close();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.batches);
    clearTimeout(this.retry);
    this.stream?.cancel();
    this.onEnd(this);
  }

  private open(): void {
    this.unacknowledged = undefined;
    const { session, signals, all, rate } = this.options;
    const depth = rate > 0 ? SPARSE_DEPTH : QUEUE_DEPTH;
    const stream = this.tactus.observe({
      session,
      signals,
      every: this.every,
      delivery: all ? "DELIVERY_QUEUE" : "DELIVERY_LATEST",
      queue_depth: all ? depth : 0,
      credit_window: all ? depth : CREDIT,
      packed: true,
    });
    this.stream = stream;
    stream.on("data", (message: Message) => this.take(message));
    stream.on("error", (error) => this.lost(error));
    stream.on("end", () => {}); // a status follows as an error unless the bridge cancelled
  }

  private take(message: Message): void {
    if (message.message === "opened") {
      const opened = message.opened as { stream_id: unknown; layout: { signals: string[] }; period_ns: string };
      this.streamId = opened.stream_id;
      this.signals = opened.layout.signals;
      this.period = Number(opened.period_ns);
      this.newest = undefined;
      this.layout = { layout: { subscription: 0, signals: this.signals, period_ns: this.period } };
      for (const subscription of this.subscriptions) this.sayLayout(subscription);
    } else if (message.message === "frame") {
      const row = rowOf(message.frame as Message);
      this.newest = row;
      this.unacknowledged = (message.frame as Message).sequence;
      // Every row in order: once for the frames of a batch, of which the credit has room for a hundred.
      if (!this.options.all) this.acknowledge();
      for (const subscription of this.subscriptions) subscription.offer(row);
    } else if (message.message === "notice") {
      const { reason, message: text, tick } = message.notice as { reason: string; message: string; tick: string };
      for (const { reader } of this.subscriptions)
        reader.say({ notice: { reason, message: text, tick: Number(tick) } });
    }
  }

  private acknowledge(): void {
    if (this.unacknowledged === undefined) return;
    this.tactus.acknowledge(this.streamId, this.unacknowledged);
    this.unacknowledged = undefined;
  }

  private sayLayout(subscription: Subscription): void {
    subscription.clear();
    const { signals, period } = this;
    subscription.reader.say({ layout: { subscription: subscription.id, signals, period_ns: period } });
  }

  /** Opens the stream again while the server is away; a session that is gone ends the feed. */
  private lost(error: Error): void {
    if (this.closed) return;
    const failure = this.tactus.failureOf(error);
    const away = failure.code === "UNAVAILABLE" || failure.reason === "DRAINING";
    const message = away
      ? `The server is away (${failure.message}). The page goes on when it is back.`
      : failure.message;
    for (const { id, reader } of this.subscriptions) {
      const note = { subscription: id, message };
      reader.say(away ? { gap: note } : { ended: note });
    }
    this.layout = undefined;
    this.newest = undefined;
    this.farewell = message;
    if (away) this.retry = setTimeout(() => this.open(), RETRY_MS);
    else this.close();
  }
}

const MODE_NUMBERS: Record<string, number> = {
  INPUT_MODE_FREE: 1,
  INPUT_MODE_DRIVEN: 2,
  INPUT_MODE_HOLDING: 3,
  INPUT_MODE_SAFE: 4,
  INPUT_MODE_EXTRAPOLATING: 5,
  INPUT_MODE_RAMPING: 6,
};

/** The row of a frame with packed values. */
export function rowOf(frame: Message): Float64Array {
  const packed = frame.packed as Buffer;
  const row = new Float64Array(HEAD.length + packed.length / 8);
  const modes = frame.group_modes as string[];
  row.set([
    Number(frame.tick),
    Number(frame.sim_time_ns) / 1e9,
    Number(frame.server_time_ns) / 1e6,
    Number(frame.input_sequence),
    Number(frame.input_age_ticks),
    Number(frame.flags),
    Number(frame.frames_missed),
    MODE_NUMBERS[frame.input_mode as string] ?? 0,
    modes.reduce((sum, mode, index) => sum + (MODE_NUMBERS[mode] ?? 0) * 8 ** index, 0),
  ]);
  for (let index = 0; index < packed.length / 8; ++index) row[HEAD.length + index] = packed.readDoubleLE(8 * index);
  return row;
}
