// The connection of the page to its bridge; comes back by itself.
import {
  type Failure,
  type Note,
  type ObserveOptions,
  type Question,
  type Rows,
  TURNED_AWAY,
  unpackRows,
  type Word,
} from "../protocol";

const RETRY_MS = 500;
const NO_ANSWER = "The bridge does not answer. Start it again with: tactus view";

export interface Watcher {
  layout(signals: string[], period_ns: number): void;
  rows(rows: Rows): void;
  /** Rows are missing: the server or the bridge is away. */
  gap(message: string): void;
  /** No rows follow. */
  ended(message: string): void;
}

/** A question that was refused. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message + (failure.hint ? ` (${failure.hint})` : ""));
  }
}

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

class Observation {
  number = 0;
  closed = false;
  attempts = 0; // to subscribe
  constructor(
    readonly options: ObserveOptions,
    readonly watcher: Watcher,
  ) {}
}

export class Link {
  hello: { server: string; bridge: string; watchdog_ms: number; heartbeat_ms: number } | undefined;
  /** Told that the bridge answers, or why it does not. */
  onState: (connected: boolean, why: string) => void = () => {};
  onWord: (word: Word) => void = () => {};
  private socket: WebSocket | undefined;
  /** The bridge has taken this page. */
  private greeted = false;
  private why = NO_ANSWER; // it has not
  private id = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly observations = new Set<Observation>();

  constructor(private readonly url: string) {
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.hear(JSON.parse(data) as Word);
      else this.take(unpackRows(data as ArrayBuffer));
    };
    socket.onclose = ({ code, reason }) => {
      this.greeted = false;
      this.why = code === TURNED_AWAY ? reason : NO_ANSWER;
      for (const { reject } of this.waiting.values()) reject(new Error(this.why));
      this.waiting.clear();
      for (const observation of this.observations) {
        observation.number = 0;
        observation.watcher.gap(this.why);
      }
      this.onState(false, this.why);
      setTimeout(() => this.open(), RETRY_MS);
    };
  }

  ask<T = Record<string, never>>(question: Omit<Question, "id">): Promise<T> {
    const id = this.id++;
    return new Promise((resolve, reject) => {
      const { socket } = this;
      if (socket === undefined || !this.answers) {
        reject(new Error(this.why));
        return;
      }
      this.waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject });
      socket.send(JSON.stringify({ id, ...question }));
    });
  }

  call<T>(call: string, request: object = {}): Promise<T> {
    return this.ask<T>({ call, request });
  }

  note(note: Note): void {
    if (this.answers) this.socket?.send(JSON.stringify(note));
  }

  /** @returns a function that ends the observation */
  observe(options: ObserveOptions, watcher: Watcher): () => void {
    const observation = new Observation(options, watcher);
    this.observations.add(observation);
    if (this.answers) this.subscribe(observation);
    return () => {
      observation.closed = true;
      this.observations.delete(observation);
      if (observation.number) this.ask({ unobserve: observation.number }).catch(() => {});
    };
  }

  private get answers(): boolean {
    return this.greeted && this.socket?.readyState === WebSocket.OPEN;
  }

  /** The bridge has taken this page. */
  private greet(): void {
    this.greeted = true;
    this.onState(true, "");
    for (const observation of this.observations) this.subscribe(observation);
  }

  private subscribe(observation: Observation): void {
    const attempt = ++observation.attempts;
    this.ask<{ subscription: number }>({ observe: observation.options }).then(
      ({ subscription }) => {
        observation.number = subscription;
        if (observation.closed) this.ask({ unobserve: subscription }).catch(() => {});
      },
      (error: Error) => {
        if (observation.closed || !(error instanceof Refused)) return;
        if (error.failure.code === "UNAVAILABLE") {
          observation.watcher.gap(error.message);
          setTimeout(() => {
            // After a reconnection, greet() has subscribed already.
            if (observation.attempts === attempt && this.observations.has(observation)) this.subscribe(observation);
          }, RETRY_MS);
        } else {
          observation.watcher.ended(error.message);
        }
      },
    );
  }

  private find(number: number): Observation | undefined {
    for (const observation of this.observations) if (observation.number === number) return observation;
    return undefined;
  }

  private hear(word: Word): void {
    if ("reply" in word || "error" in word) {
      const waiting = this.waiting.get(word.id);
      this.waiting.delete(word.id);
      if ("reply" in word) waiting?.resolve(word.reply);
      else waiting?.reject(new Refused(word.error));
    } else if ("layout" in word) {
      const { subscription, signals, period_ns } = word.layout;
      this.find(subscription)?.watcher.layout(signals, period_ns);
    } else if ("gap" in word) {
      this.find(word.gap.subscription)?.watcher.gap(word.gap.message);
    } else if ("ended" in word) {
      this.find(word.ended.subscription)?.watcher.ended(word.ended.message);
    } else {
      if ("hello" in word) this.hello = word.hello;
      this.onWord(word);
      if ("hello" in word) this.greet();
    }
  }

  private take(rows: Rows): void {
    this.find(rows.subscription)?.watcher.rows(rows);
    this.note({ ack: rows.subscription });
  }
}
