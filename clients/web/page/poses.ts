// Poses of all bodies at a time between two frames.
import { HEAD, type Rows } from "../protocol";

const FRAMES_KEPT = 64;
const OFFSET_WINDOW = 600; // frames over which the smallest delay between server and page is sought
const FRESH_MS = 500; // a row that took so much longer than the quickest one is out of date when the page wakes
const WAKING_MS = 5000; // for so long a page that wakes waits for a row that is not out of date

/** Fixed delay of the interpolation behind the newest frame, ms: more than one frame at 60 frames per second. */
export const DELAY_MS = 25;
export const FRAMES_PER_SECOND = 60;

interface Frame {
  at: number;
  row: Float64Array;
}

/** Where the signals of the scene are in a row. */
export class PoseLayout {
  readonly bodies: string[] = [];
  readonly column = new Map<string, number>();
  /** First column of each body: r.x r.y r.z, and p.e0 to p.e3. */
  readonly r: number[] = [];
  readonly p: number[] = [];

  constructor(signals: readonly string[]) {
    signals.forEach((name, index) => {
      this.column.set(name, HEAD.length + index);
    });
    for (const name of signals) {
      if (!name.endsWith(".r.x")) continue;
      const body = name.slice(0, -4);
      const [r, p] = [this.column.get(name), this.column.get(`${body}.p.e0`)];
      if (r === undefined || p === undefined) continue;
      const inRow = (first: number, parts: readonly string[]) =>
        parts.every((part, k) => this.column.get(`${body}.${part}`) === first + k);
      // A recording may have a part of a pose: such a body has no pose here.
      if (!inRow(r, ["r.x", "r.y", "r.z"]) || !inRow(p, ["p.e0", "p.e1", "p.e2", "p.e3"])) continue;
      this.bodies.push(body);
      this.r.push(r);
      this.p.push(p);
    }
  }
}

export class PoseBuffer {
  private frames: Frame[] = [];
  private offsets: number[] = [];
  private mixed = new Float64Array();
  private wakesUntil = 0; // on the clock of the page, ms
  /** Frames that this page did not get because it was late. */
  dropped = 0;
  /** The row that was taken last. */
  newest: Float64Array | undefined;

  clear(): void {
    this.frames = [];
    this.newest = undefined;
  }

  /**
   * The page was hidden or stopped, and the rows that it has are out of date, as are those under way: none of them is drawn
   * before a fresh one. A session that stands still has no fresh row; its rows count again after 5 s.
   */
  wake(): void {
    this.wakesUntil = Date.now() + WAKING_MS;
  }

  private get waking(): boolean {
    return Date.now() < this.wakesUntil;
  }

  add(rows: Rows): void {
    this.dropped += rows.dropped;
    for (const row of rows.rows) {
      const server_ms = row[2] ?? 0;
      this.offsets.push(Date.now() - server_ms);
      if (this.offsets.length > OFFSET_WINDOW) this.offsets.shift();
      if (this.waking && Date.now() - server_ms - this.offset < FRESH_MS) {
        this.wakesUntil = 0;
        this.frames = [];
      }
      const last = this.frames[this.frames.length - 1];
      // After a reset or a restore, nothing is interpolated.
      if (last && (row[0] ?? 0) < (last.row[0] ?? 0)) this.frames = [];
      this.frames.push({ at: server_ms, row });
      if (this.frames.length > FRAMES_KEPT) this.frames.shift();
      this.newest = row;
    }
  }

  /** Clock of the page minus clock of the server, with the shortest way between them, ms. */
  private get offset(): number {
    return Math.min(...this.offsets);
  }

  /**
   * The row to draw now: between the two frames around now - delay, the newest one if none is newer.
   * @returns undefined before the first frame, and while no fresh one has come to a page that woke
   */
  sample(layout: PoseLayout): Float64Array | undefined {
    if (this.waking) return undefined;
    const target = Date.now() - this.offset - DELAY_MS;
    const { frames } = this;
    while (frames.length > 2 && (frames[1]?.at ?? 0) <= target) frames.shift();
    const [before, after] = frames;
    if (before === undefined) return undefined;
    if (after === undefined || after.at <= before.at) return before.row;
    const share = Math.min(1, Math.max(0, (target - before.at) / (after.at - before.at)));
    if (before.row.length !== after.row.length) return after.row;
    if (this.mixed.length !== after.row.length) this.mixed = new Float64Array(after.row.length);
    return mixRows(before.row, after.row, share, layout, this.mixed);
  }
}

/** A row between two rows. @param mixed  takes it; as long as both */
export function mixRows(
  a: Float64Array,
  b: Float64Array,
  share: number,
  layout: PoseLayout,
  mixed: Float64Array,
): Float64Array {
  for (let column = 0; column < a.length; ++column) {
    const [from, to] = [a[column] ?? 0, b[column] ?? 0];
    mixed[column] = from + share * (to - from);
  }
  // A unit quaternion and its opposite are one orientation: go the short way.
  for (const p of layout.p) {
    let dot = 0;
    for (let k = 0; k < 4; ++k) dot += (a[p + k] ?? 0) * (b[p + k] ?? 0);
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let k = 0; k < 4; ++k) {
      const value = (1 - share) * (a[p + k] ?? 0) + share * sign * (b[p + k] ?? 0);
      mixed[p + k] = value;
      norm += value * value;
    }
    for (let k = 0; k < 4; ++k) mixed[p + k] = (mixed[p + k] ?? 0) / Math.sqrt(norm);
  }
  return mixed;
}
