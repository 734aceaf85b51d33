// The Tick stream through which one page drives inputs: the bridge repeats the newest input of the page, so that the
// server need not wait for a page that draws, and stops when the page has been silent for too long.
import type * as grpc from "@grpc/grpc-js";
import type { DriveOptions } from "../protocol";
import { type Message, Refusal, type Tactus } from "./tactus";

export const HEARTBEAT_MS = 5;
export const WATCHDOG_MS = 500;
const FRAMES_PER_SECOND = 50; // of the Tick stream; the page draws from its own subscription

interface Notice {
  reason: string;
  message: string;
  detail: { reason: string } | null;
}

export class Drive {
  private readonly stream: grpc.ClientDuplexStream<Message, Message>;
  private readonly heartbeat: NodeJS.Timeout;
  private values: number[] | undefined;
  private heard = 0;
  private sequence = 0;
  private frame: unknown = 0;
  private open = false;
  private leaving = false;
  private ended = false;
  private settle: () => void = () => {};
  /** Resolves when the stream has ended, and with it the lease. */
  readonly done = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  /**
   * @param onOpen  gets the order of the values
   * @param onEnd   the inputs are no longer driven, and why
   * @param onSay   what the page shall know while it drives
   */
  constructor(
    private readonly tactus: Tactus,
    options: DriveOptions,
    period_ns: number,
    private readonly onOpen: (inputs: string[], safe_state: string) => void,
    private readonly onEnd: (error: Refusal | undefined) => void,
    private readonly onSay: (message: string) => void,
  ) {
    this.stream = tactus.tick();
    this.stream.on("data", (message: Message) => this.take(message));
    this.stream.on("error", (error) => this.finish(error));
    this.stream.on("end", () => this.finish(undefined));
    this.stream.write({
      open: {
        session: options.session,
        inputs: options.inputs,
        output_divisor: Math.max(1, Math.round(1e9 / FRAMES_PER_SECOND / period_ns)),
        packed: true,
        controller: options.controller,
        takeover: options.takeover_reason !== "",
        takeover_reason: options.takeover_reason,
        leave_safe_state: options.leave_safe_state,
      },
    });
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
  }

  set(values: number[]): void {
    this.values = values;
    this.heard = performance.now();
    this.beat();
  }

  /** Ends in order: the next controller drives at once. */
  release(): void {
    if (this.ended || this.leaving) return;
    this.leaving = true;
    clearInterval(this.heartbeat);
    this.stream.write({ leave: {} });
    this.stream.end();
  }

  /** Ends as a controller that is lost: the loss actions of the model follow. */
  abandon(): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.heartbeat);
    this.stream.cancel();
    this.settle();
  }

  private beat(): void {
    if (!this.open || this.leaving || this.values === undefined || performance.now() - this.heard > WATCHDOG_MS) return;
    this.stream.write({
      input: { sequence: ++this.sequence, values: this.values, acknowledged_output_sequence: this.frame },
    });
  }

  private take(message: Message): void {
    if (message.message === "opened") {
      const opened = message.opened as { inputs: { signals: string[] }; safe_state: string };
      this.open = true;
      this.onOpen(opened.inputs.signals, opened.safe_state);
    } else if (message.message === "frame") {
      this.frame = (message.frame as Message).sequence;
    } else if (message.message === "notice") {
      const { reason, message: text, detail } = message.notice as Notice;
      if (detail?.reason === "LEASE_LOST") this.lose(`${reason}: ${text}`);
      else this.onSay(`${reason}: ${text}`);
    }
  }

  /** Another controller has the inputs: the server would refuse each further value. */
  private lose(message: string): void {
    this.release();
    this.ended = true;
    this.settle();
    this.onEnd(new Refusal({ code: "ABORTED", reason: "LEASE_LOST", message }));
  }

  private finish(error: Error | undefined): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.heartbeat);
    this.settle();
    this.onEnd(error && new Refusal(this.tactus.failureOf(error)));
  }
}
