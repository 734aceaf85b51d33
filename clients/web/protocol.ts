// What the page and the bridge say to each other over their WebSocket.
//
// Text messages are JSON. Binary messages go from the bridge to the page and hold rows of numbers, little-endian:
//   4 x uint32   subscription, number of rows, number of columns, rows dropped by the bridge before this message
//   rows x columns float64: the columns of HEAD, then one value for each signal of the layout

/** Close code of a WebSocket whose page is turned away; the reason says why in words. */
export const TURNED_AWAY = 4000;

/** Columns of a row before its signals. Modes of groups: 3 bits each, the first group in the lowest bits. */
export const HEAD = [
  "tick",
  "t",
  "server_ms",
  "input_sequence",
  "input_age",
  "flags",
  "missed",
  "mode",
  "modes",
] as const;

/** Names of the input modes, in the order of their numbers (InputMode in proto/tactus/v1/state.proto). */
export const MODES = ["unknown", "free", "driven", "holding", "safe", "extrapolating", "ramping"] as const;

export interface Failure {
  code: string;
  message: string;
  reason?: string;
  field?: string;
  hint?: string;
}

/** A question of the page. Exactly one of the fields but `id` is set. */
export interface Question {
  id: number;
  /** A unary call of tactus.v1.Simulation with its request in JSON, fields in snake_case. */
  call?: string;
  request?: object;
  observe?: ObserveOptions;
  /** Ends a subscription. */
  unobserve?: number;
  drive?: DriveOptions;
  /** Ends the drive in order: the next controller of the inputs drives at once. */
  release?: boolean;
}

export interface ObserveOptions {
  session: string;
  /** Names or globs of signals. */
  signals: string[];
  /** Rows per second of real time at most; 0: a row for every tick. */
  rate: number;
  /** True: every row in order, in batches. False: the newest row only. */
  all: boolean;
}

export interface DriveOptions {
  session: string;
  inputs: string[];
  controller: string;
  /** Takes the inputs from their controller for this reason. Empty: no takeover. */
  takeover_reason: string;
  leave_safe_state: boolean;
}

/** Messages of the page without an answer. */
export type Note = { ack: number } | { input: number[] };

/** Text messages of the bridge. */
export type Word =
  | { id: number; reply: unknown }
  | { id: number; error: Failure }
  | { hello: { server: string; bridge: string; watchdog_ms: number; heartbeat_ms: number } }
  | { server: { connected: boolean; message: string } }
  | { layout: { subscription: number; signals: string[]; period_ns: number } }
  | { gap: { subscription: number; message: string } }
  | { ended: { subscription: number; message: string } }
  | { notice: { reason: string; message: string; tick: number } }
  | { drive: { driving: boolean; message: string } };

export interface Rows {
  subscription: number;
  dropped: number;
  columns: number;
  rows: Float64Array[];
}

const HEADER_BYTES = 16;

export function packRows(subscription: number, dropped: number, rows: readonly Float64Array[]): ArrayBuffer {
  const columns = rows[0]?.length ?? 0;
  const buffer = new ArrayBuffer(HEADER_BYTES + rows.length * columns * 8);
  new Uint32Array(buffer, 0, 4).set([subscription, rows.length, columns, dropped]);
  const values = new Float64Array(buffer, HEADER_BYTES);
  rows.forEach((row, index) => {
    values.set(row, index * columns);
  });
  return buffer;
}

/** @throws RangeError if the length of the message disagrees with its header */
export function unpackRows(buffer: ArrayBuffer): Rows {
  const [subscription = 0, count = 0, columns = 0, dropped = 0] = new Uint32Array(buffer, 0, 4);
  if (buffer.byteLength !== HEADER_BYTES + count * columns * 8) throw new RangeError("a message of a wrong length");
  const rows: Float64Array[] = [];
  for (let index = 0; index < count; ++index)
    rows.push(new Float64Array(buffer, HEADER_BYTES + index * columns * 8, columns));
  return { subscription, dropped, columns, rows };
}
