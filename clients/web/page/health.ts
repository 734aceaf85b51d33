// How the loop fares: clock, tick, misses, ages, percentiles, late ticks by cause, and the state of each input group.
import { MODES } from "../protocol";
import { duration, el, setText } from "./dom";
import type { Link } from "./link";
import type { Effort } from "./pace";
import { DELAY_MS } from "./poses";
import type { Session, TimingReport } from "./wire";

const POLL_MS = 1000;
const SECONDS_SHOWN = 120;
const LINES_TOLD = 12; // of the words behind the timeline
const AGES_MS = 500; // between two percentiles of the ages of pictures
const TEXTS_MS = 100; // between two texts of a row: nobody reads more, and the browser draws the page anew for each
const CAUSES: Record<string, string> = {
  "host stall": "#8a94a6",
  "page fault": "#9b59d0",
  preemption: "#e0912f",
  "own work": "#d9434f",
  "slow run": "#c7b42e",
};
const MODE_CLASS: Record<string, string> = {
  driven: "good",
  free: "dim",
  holding: "warn",
  extrapolating: "warn",
  ramping: "bad",
  safe: "bad",
};

/** INPUT_MODE_SAFE becomes "safe". */
export function modeWord(mode: string): string {
  return mode.replace("INPUT_MODE_", "").toLowerCase();
}

export class Health {
  /** Told about each new report of a session. */
  onSession: (session: Session) => void = () => {};
  /** Told why an order was refused; empty: it was not. */
  onError: (message: string) => void = () => {};
  private session: Session | undefined;
  private name = "";
  private readonly counts = el("table", { id: "counts" });
  private readonly phases = el("table", { id: "phases" });
  private readonly groups = el("div", { id: "groups" });
  private readonly late = el("div", { class: "dim", id: "late" });
  private readonly timeline = el("canvas", { id: "timeline", height: 26, width: 2 * SECONDS_SHOWN });
  private seconds: Map<string, number>[] = [];
  private agesShown = 0;
  private shown = 0;
  private before: Map<string, number> | undefined;
  private readonly cells = new Map<string, HTMLElement>();

  constructor(
    parent: HTMLElement,
    private readonly link: Link,
  ) {
    parent.append(el("h2", {}, "Inputs"), this.groups, el("h2", {}, "Health"), this.counts);
    parent.append(el("h2", {}, `Late ticks, last ${SECONDS_SHOWN} s`), this.timeline, legend(), this.late);
    parent.append(el("details", {}, el("summary", { class: "dim" }, "Phases of a tick"), this.phases));
    setInterval(() => this.poll(), POLL_MS);
  }

  open(name: string): void {
    this.name = name;
    this.seconds = [];
    this.before = undefined;
    this.poll();
  }

  poll(): void {
    const { name } = this;
    if (name === "") return;
    Promise.all([
      this.link.call<Session>("GetSession", { session: name }),
      this.link.call<TimingReport>("GetTimingReport", { session: name }),
    ]).then(
      ([session, report]) => {
        if (name !== this.name) return;
        this.session = session;
        this.showReport(report);
        this.showGroups(session.groups.map(({ mode }) => modeWord(mode)));
        this.onSession(session);
      },
      () => {}, // the page shows what is wrong with the connection
    );
  }

  private set(label: string, value: string, kind = ""): void {
    let cell = this.cells.get(label);
    if (cell === undefined) {
      cell = el("td", { "data-count": label });
      this.cells.set(label, cell);
      this.counts.append(el("tr", {}, el("td", { class: "dim" }, label), cell));
    }
    setText(cell, value);
    cell.className = kind;
  }

  /**
   * @param ages_ms  from the publication of the drawn state to the picture, of the newest pictures
   * @param pictures  how many a second, and what each has; no effort without WebGL
   */
  showRow(
    row: Float64Array,
    ages_ms: readonly number[],
    pictures: { rate: number; effort: Effort | undefined },
    dropped: number,
  ): void {
    if (performance.now() - this.shown < TEXTS_MS) return;
    this.shown = performance.now();
    const [tick = 0, t = 0, , , input_age = 0, flags = 0, missed = 0, , modes = 0] = row;
    this.set("tick", tick.toFixed(0));
    this.set("time", `${t.toFixed(3)} s`);
    this.set("input age", `${input_age.toFixed(0)} ticks`);
    const runs = this.session?.state === "SESSION_STATE_RUNNING";
    if (!runs) this.set("picture age", "the session does not run");
    else if (performance.now() - this.agesShown > AGES_MS) {
      this.agesShown = performance.now();
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(ages_ms, share).toFixed(0));
      this.set("picture age", `p50 ${p50}, p99 ${p99} ms; delay ${DELAY_MS} ms`);
    }
    this.set("pictures", wordsOfPictures(pictures));
    this.set("frames missed, cut", `${missed.toFixed(0)}, ${dropped}`);
    this.set("last tick", wordsOf(flags) || "as it should be", flags & ~2 ? "warn" : "");
    const count = this.session?.groups.length ?? 0;
    this.showGroups(
      Array.from({ length: count }, (_, index) => MODES[Math.floor(modes / 8 ** index) % 8] ?? "unknown"),
    );
  }

  private showReport(report: TimingReport): void {
    this.set("clock", report.clock);
    this.set("missed deadlines", report.missed_deadlines, Number(report.missed_deadlines) > 0 ? "warn" : "good");
    this.set("overruns", report.overruns);
    this.set("controllers lost", report.input_losses);
    const head = el("tr", {}, ...["phase", "p50", "p99", "p99.9", "max"].map((text) => el("th", {}, text)));
    const rows = report.phases
      .filter(({ count }) => Number(count) > 0)
      .map(({ phase, p50_ns, p99_ns, p999_ns, maximum_ns }) =>
        el(
          "tr",
          {},
          ...[phase, ...[p50_ns, p99_ns, p999_ns, maximum_ns].map((ns) => duration(Number(ns)))].map((text) =>
            el("td", {}, text),
          ),
        ),
      );
    this.phases.replaceChildren(head, ...rows);
    this.addSecond(report);
  }

  private addSecond({ late_ticks, worst_late }: TimingReport): void {
    const now = new Map(late_ticks.map(({ cause, count }) => [cause, Number(count)]));
    const second = new Map<string, number>();
    for (const [cause, count] of now) second.set(cause, Math.max(0, count - (this.before?.get(cause) ?? count)));
    this.before = now;
    this.seconds.push(second);
    if (this.seconds.length > SECONDS_SHOWN) this.seconds.shift();
    const told = this.seconds.flatMap((counts, index) => {
      const words = [...counts].filter(([, count]) => count > 0).map(([cause, count]) => `${cause} ${count}`);
      return words.length > 0 ? [`${this.seconds.length - 1 - index} s ago: ${words.join(", ")}`] : [];
    });
    this.timeline.title = told.slice(-LINES_TOLD).reverse().join("\n") || "no late tick";
    this.timeline.setAttribute("aria-label", this.timeline.title);
    const context = this.timeline.getContext("2d");
    if (context === null) return;
    const { width, height } = this.timeline;
    context.clearRect(0, 0, width, height);
    this.seconds.forEach((counts, index) => {
      let top = height;
      for (const [cause, count] of counts) {
        const bar = count === 0 ? 0 : Math.min(top, 3 + 3 * Math.log2(1 + count));
        context.fillStyle = CAUSES[cause] ?? "#888";
        context.fillRect(width - 2 * (this.seconds.length - index), top - bar, 2, bar);
        top -= bar;
      }
    });
    const sums = late_ticks.filter(({ count }) => Number(count) > 0).map(({ cause, count }) => `${cause} ${count}`);
    const worst = worst_late ? `; worst: tick ${worst_late.tick}, ${duration(Number(worst_late.lost_ns))}` : "";
    setText(this.late, sums.length > 0 ? `${sums.join(", ")}${worst}` : "none");
  }

  /** @param modes  of each group in the newest tick */
  private showGroups(modes: readonly string[]): void {
    const { session } = this;
    if (session === undefined) return;
    const { name, groups, safe_state } = session;
    const key = JSON.stringify([name, groups.map(({ name, controller }) => [name, controller]), safe_state, modes]);
    if (this.groups.dataset.key === key) return;
    this.groups.dataset.key = key;
    const rows = session.groups.map(({ name, controller }, index) => {
      const mode = modes[index] ?? "unknown";
      const word = el("b", { class: MODE_CLASS[mode] ?? "", "data-group": name, "data-mode": mode }, mode);
      return el(
        "div",
        {},
        `${name}: `,
        word,
        el("span", { class: "dim" }, controller ? ` by ${controller}` : " by nobody"),
      );
    });
    const safe = modes.some((mode) => mode === "safe" || mode === "ramping");
    const row = el("div", { class: "row" });
    if (safe) {
      const leave = el("button", { id: "leave-safe" }, "Leave the safe state");
      leave.onclick = () => this.act("ClearSafeState");
      row.append(leave);
    } else {
      const enter = el("button", { id: "enter-safe" }, "Enter the safe state");
      enter.onclick = () => this.act("EnterSafeState");
      row.append(enter);
    }
    // The session is asked once a second: its words may be older than the modes.
    const why = safe && safe_state ? [el("p", { class: "warn" }, safe_state)] : [];
    this.groups.replaceChildren(...rows, ...why, row);
    if (session.groups.length === 0) this.groups.replaceChildren(el("p", { class: "dim" }, "The model has no inputs."));
  }

  private act(call: string): void {
    this.link.call(call, { session: this.name }).then(
      () => {
        this.onError("");
        this.poll();
      },
      (error: Error) => this.onError(error.message),
    );
  }
}

/** The colors of the causes in the timeline. */
function legend(): HTMLElement {
  const entries = Object.entries(CAUSES).map(([cause, color]) =>
    el("span", {}, el("i", { style: `background: ${color}` }), cause),
  );
  return el("div", { id: "causes", class: "dim" }, ...entries);
}

function wordsOfPictures({ rate, effort }: { rate: number; effort: Effort | undefined }): string {
  if (effort === undefined) return "none: no WebGL";
  const { shadows, share } = effort;
  const pixels = share < 1 ? `, ${(100 * share * share).toFixed(0)} % of the pixels` : "";
  return `${rate.toFixed(0)} per s${shadows ? "" : ", no shadows"}${pixels}`;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Words for FrameFlag of proto/tactus/v1/state.proto. */
function wordsOf(flags: number): string {
  const names = ["overrun", "input held", "fault", "frames missed", "not converged", "parameters changed"];
  return names.filter((_, bit) => flags & (1 << bit)).join(", ");
}
