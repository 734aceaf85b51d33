// All signals of a session as a channel of Foxglove: JSON messages with a value for each signal.
import type { Signal } from "../page/wire";
import { HEAD, unpackRows, type Word } from "../protocol";
import type { Hub } from "./connection";
import { type Feed, type Reader, Subscription } from "./feed";

const ROWS_PER_SECOND = 60;

export class SignalRows implements Reader {
  /** What `advertise` says of it, without its id. */
  readonly channel: object;
  private fields: string[] = [];
  private feed: Feed | undefined;
  private rows = new Subscription(1, this, false);
  private wanted = false;

  /** @param publish  sends a message, and calls `then` when it has left for the network */
  constructor(
    private readonly hub: Hub,
    private readonly session: string,
    signals: readonly Signal[],
    private readonly publish: (ns: bigint, data: Uint8Array, then: () => void) => void,
    private readonly complain: (message: string) => void,
  ) {
    const number = (description: string) => ({ type: "number", description });
    const values = signals.map(({ name, unit, description }) => [
      fieldOf(name),
      number([name, unit && `in ${unit}`, description].filter(Boolean).join(", ")),
    ]);
    const properties = {
      tick: number("of the session"),
      t: number("simulated time, in s"),
      ...Object.fromEntries(values),
    };
    this.channel = {
      topic: "/signals",
      encoding: "json",
      schemaName: "tactus.Signals",
      schemaEncoding: "jsonschema",
      schema: JSON.stringify({ type: "object", properties }),
    };
  }

  /** Begins to send, if it does not yet. */
  async open(): Promise<void> {
    if (this.wanted) return;
    this.wanted = true;
    const feed = await this.hub
      .feed({ session: this.session, signals: ["*"], rate: ROWS_PER_SECOND, all: false })
      .catch((error) => {
        this.wanted = false;
        throw error;
      });
    if (!this.wanted || this.feed) return feed.renounce(); // closed, or opened again, meanwhile
    this.rows = new Subscription(1, this, false);
    this.feed = feed;
    feed.add(this.rows);
  }

  close(): void {
    this.wanted = false;
    this.feed?.remove(this.rows);
    this.feed = undefined;
  }

  say(word: Word): void {
    if ("layout" in word) this.fields = word.layout.signals.map(fieldOf);
    else if ("ended" in word) {
      this.close();
      this.complain(word.ended.message);
    }
  }

  sendRows(message: ArrayBuffer): void {
    const row = unpackRows(message).rows.at(-1);
    if (row === undefined || !this.wanted) return;
    const values = this.fields.map((field, index) => [field, row[HEAD.length + index]]);
    const text = JSON.stringify({ tick: row[0], t: row[1], ...Object.fromEntries(values) });
    const ns = BigInt(Math.round((row[2] ?? 0) * 1e3)) * 1000n; // the clock of the server
    this.publish(ns, Buffer.from(text), () => this.rows.acknowledge());
  }
}

/** As in recordings: a dot stands between the fields of a path. */
function fieldOf(name: string): string {
  return name.replaceAll(".", "_");
}
