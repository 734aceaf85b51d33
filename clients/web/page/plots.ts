// Live plots: one for each unit, all of them over the same time.
import uPlot from "uplot";
import { HEAD, type Rows } from "../protocol";
import { byId, el, save } from "./dom";
import type { Link } from "./link";
import type { Recording } from "./recording";
import type { Signal } from "./wire";

const WINDOWS_S = [0.5, 1, 2, 5, 10, 20]; // simulated time that a plot of a session shows
const WINDOW_S = 10;
const POINTS_KEPT = 24_000; // of each signal
const POINTS_DROPPED = 4_000; // at a time, when there are more
const SIGNALS = 20; // plotted at a time
const HEIGHT = 170;
const DRAW_MS = 50; // between two drawings of lines that grow
const COLORS = ["#2f7ed8", "#e0652f", "#3aa655", "#9b59d0", "#c7921b", "#d2447c", "#1aa3a3", "#7a7f88"];

/** Numbers at an axis: as many digits as tell them apart. */
function numbersOf(_plot: uPlot, splits: readonly (number | null)[], _axis: number, _space: number, step: number) {
  const largest = Math.max(...splits.map((value) => Math.abs(value ?? 0)));
  const small = largest < 1e-3 || largest >= 1e6;
  const digits = Math.max(0, Math.ceil(Math.log10(largest / step)));
  const decimals = [0, 1, 2, 3, 4, 5].find((count) => Math.abs((step * 10 ** count) % 1) < 1e-6) ?? 6;
  return splits.map((value) => {
    if (value === null) return "";
    if (value === 0) return "0";
    return small ? value.toExponential(Math.min(digits, 3)) : value.toFixed(decimals);
  });
}

export class Plots {
  onChange: () => void = () => {};
  private readonly units = new Map<string, string>();
  private readonly chosen: string[] = [];
  private times: number[] = [];
  private tick = 0; // of the newest row
  private readonly values = new Map<string, (number | null)[]>();
  private charts: { plot: uPlot; names: string[]; host: HTMLElement }[] = [];
  /** The places of the plots that the user sees: others are not drawn. */
  private readonly seen = new Set<Element>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) this.seen.add(target);
      else this.seen.delete(target);
    this.stale = true;
  });
  private stop: (() => void) | undefined;
  private session = "";
  private recording: Recording | undefined;
  private ghost: Recording | undefined;
  private paused = false;
  private zoomed = false;
  private zoom: { min: number; max: number } | undefined; // of plots that are not built yet
  private window = WINDOW_S;
  private stale = false;
  private grown = false; // rows came since the last drawing
  private drawnAt = 0;
  private readonly tools = el("div", { class: "row" });
  private readonly area = el("div", {});
  private readonly hint = el("p", { class: "dim row" }, "Tick or drag signals from the tree to plot them.");

  constructor(private readonly link: Link) {
    const pause = el("button", { id: "plot-pause", "aria-pressed": "false" }, "Pause plots");
    pause.onclick = () => {
      this.paused = !this.paused;
      pause.setAttribute("aria-pressed", String(this.paused));
      this.stale = true;
    };
    const whole = el("button", { id: "plot-whole", title: "Drag in a plot to zoom" }, "Leave zoom");
    whole.onclick = () => {
      this.zoomed = false;
      this.stale = true;
    };
    const csv = el("button", { id: "plot-csv" }, "CSV");
    csv.onclick = () => save("signals.csv", new Blob([this.csv()], { type: "text/csv" }));
    const png = el("button", { id: "plot-png" }, "PNG");
    png.onclick = () => this.savePictures();
    const span = el("select", { id: "plot-window", "aria-label": "Time that the plots show" });
    for (const seconds of WINDOWS_S) span.append(el("option", { value: seconds }, `${seconds} s`));
    span.value = String(this.window);
    span.onchange = () => {
      this.window = Number(span.value);
      this.zoomed = false;
      this.stale = true;
    };
    this.tools.append(pause, span, whole, csv, png, this.hint);
    const section = byId("plots");
    section.append(this.tools, this.area);
    section.addEventListener("dragover", (event) => event.preventDefault());
    section.addEventListener("drop", (event) => {
      const name = event.dataTransfer?.getData("text/plain") ?? "";
      if (this.units.has(name)) this.toggle(name, true);
    });
    new ResizeObserver(() => this.build()).observe(section);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.build());
  }

  /** The signals of a session; plotted names that it lacks are dropped. */
  open(session: string, signals: readonly Signal[]): void {
    const before = this.recording ? "" : JSON.stringify([this.session, [...this.units]]);
    this.session = session;
    this.recording = undefined;
    this.ghost = undefined;
    if (before === JSON.stringify([session, signals.map(({ name, unit }) => [name, unit])])) {
      // The same session, or its like, is shown anew: what is plotted stays.
      this.addGap();
      this.subscribe();
      return;
    }
    this.zoomed = false;
    this.setSignals(signals);
  }

  /** The signals of a recorded run, over its whole time. */
  openRecording(recording: Recording): void {
    this.recording = recording;
    this.ghost = undefined;
    this.zoomed = false;
    this.setSignals(recording.signals);
  }

  /** A second run, dashed. */
  openGhost(ghost: Recording | undefined): void {
    if (this.ghost === ghost) return;
    this.ghost = ghost;
    this.build();
  }

  private setSignals(signals: readonly Signal[]): void {
    this.units.clear();
    for (const { name, unit } of signals) this.units.set(name, unit);
    this.chosen.splice(0, this.chosen.length, ...this.chosen.filter((name) => this.units.has(name)));
    this.clear();
    this.subscribe();
    this.onChange();
  }

  has(name: string): boolean {
    return this.chosen.includes(name);
  }

  toggle(name: string, on: boolean): void {
    const at = this.chosen.indexOf(name);
    if (on === at >= 0) return;
    if (on && this.chosen.length >= SIGNALS) {
      this.hint.textContent = `${SIGNALS} signals are plotted already; untick one first.`;
    } else {
      if (on) this.chosen.push(name);
      else this.chosen.splice(at, 1);
      const { recording } = this;
      if (on) this.values.set(name, recording?.values(name) ?? new Array<null>(this.times.length).fill(null));
      this.subscribe();
    }
    this.onChange();
  }

  /** The newest points of a signal: for tests and the clipboard. */
  points(name: string): { t: number[]; values: (number | null)[] } {
    return { t: [...this.times], values: [...(this.values.get(name) ?? [])] };
  }

  /** Draws the axes in the colors of the page. */
  applyTheme(): void {
    this.build();
  }

  /** Time that the plots show, s. */
  shown(): [number, number] {
    const { min, max } = this.charts[0]?.plot.scales.x ?? {};
    return [min ?? 0, max ?? 0];
  }

  private clear(): void {
    const { recording } = this;
    this.times = recording ? Array.from({ length: recording.length }, (_, index) => recording.time(index)) : [];
    this.values.clear();
    for (const name of this.chosen) this.values.set(name, recording ? recording.values(name) : []);
    this.stale = true;
  }

  private subscribe(): void {
    this.stop?.();
    this.stop = undefined;
    this.build();
    this.hint.hidden = this.chosen.length > 0;
    if (this.chosen.length === 0 || this.session === "" || this.recording) return;
    let order: string[] = [];
    this.stop = this.link.observe(
      { session: this.session, signals: [...this.chosen], rate: 0, all: true },
      {
        layout: (signals) => {
          order = signals;
        },
        rows: (rows) => this.take(order, rows),
        gap: () => this.addGap(),
        ended: () => this.addGap(),
      },
    );
  }

  /** A line is not drawn over what is missing. */
  private addGap(): void {
    const last = this.times[this.times.length - 1];
    if (last === undefined) return;
    this.times.push(last);
    for (const list of this.values.values()) list.push(null);
  }

  private take(order: readonly string[], { rows }: Rows): void {
    if (this.paused) return;
    let lists = order.map((name) => this.values.get(name));
    for (const row of rows) {
      const [tick = 0, t = 0] = row;
      const last = this.times[this.times.length - 1];
      if (last !== undefined && t < last) {
        this.clear();
        lists = order.map((name) => this.values.get(name));
      } else if (last === t && tick > 0) continue;
      // Left out by the server or by the bridge.
      else if (last !== undefined && tick > this.tick + 1) this.addGap();
      this.tick = tick;
      this.times.push(t);
      for (const [name, list] of this.values) if (!order.includes(name)) list.push(null);
      lists.forEach((list, index) => {
        const value = row[HEAD.length + index];
        list?.push(value !== undefined && Number.isFinite(value) ? value : null);
      });
    }
    if (this.times.length > POINTS_KEPT) {
      this.times.splice(0, POINTS_DROPPED);
      for (const list of this.values.values()) list.splice(0, POINTS_DROPPED);
    }
    this.grown = true;
  }

  private build(): void {
    const { min, max } = this.charts[0]?.plot.scales.x ?? {};
    if (this.zoomed && typeof min === "number" && typeof max === "number") this.zoom = { min, max };
    for (const { plot } of this.charts) plot.destroy();
    this.charts = [];
    this.sight.disconnect();
    this.seen.clear();
    const width = Math.max(200, byId("plots").clientWidth - 4);
    const style = getComputedStyle(document.body);
    const axis = { stroke: style.color, grid: { stroke: "#8884", width: 1 }, ticks: { stroke: "#8884", width: 1 } };
    for (const unit of new Set(this.chosen.map((name) => this.units.get(name) ?? ""))) {
      const names = this.chosen.filter((name) => (this.units.get(name) ?? "") === unit);
      const series: uPlot.Series[] = names.map((name) => ({
        label: name,
        stroke: COLORS[this.chosen.indexOf(name) % COLORS.length] ?? "#888",
        width: 1.5,
        points: { show: false },
        value: (_, value) => (value === null || value === undefined ? "" : value.toPrecision(6)),
      }));
      const dashed = this.ghostNames(names).map((name) => ({
        ...series[names.indexOf(name)],
        label: `${name}, ghost`,
      }));
      for (const line of dashed) series.push({ ...line, dash: [5, 4] });
      const host = el("div", { class: "plot" });
      this.area.append(host);
      const plot = new uPlot(
        {
          width,
          height: HEIGHT,
          series: [{ label: "t (s)", value: (_, value) => (value === null ? "" : value.toFixed(4)) }, ...series],
          axes: [{ ...axis }, { ...axis, values: numbersOf, label: unit === "1" ? "" : unit, labelSize: 14, size: 62 }],
          scales: { x: { time: false } },
          cursor: { sync: { key: "tactus" }, drag: { x: true, y: false } },
          hooks: {
            setSelect: [
              () => {
                this.zoomed = true;
              },
            ],
          },
        },
        [[], ...series.map(() => [])],
        host,
      );
      this.charts.push({ plot, names, host });
      this.seen.add(host);
      this.sight.observe(host);
    }
    for (const host of [...this.area.children]) if (host.childElementCount === 0) host.remove();
    this.stale = true;
  }

  /** Draws what came since the last picture. */
  draw(): void {
    const now = performance.now();
    if (!this.stale && !(this.grown && now - this.drawnAt > DRAW_MS)) return;
    this.stale = false;
    this.grown = false;
    this.drawnAt = now;
    this.drawThose(this.charts.filter(({ host }) => this.seen.has(host)));
  }

  private drawThose(charts: typeof this.charts): void {
    const last = this.times[this.times.length - 1] ?? 0;
    const first = this.recording ? (this.times[0] ?? 0) : Math.max(0, last - this.window);
    for (const { plot, names } of charts) {
      plot.setData(this.dataOf(names), false);
      if (!this.zoomed) plot.setScale("x", { min: first, max: Math.max(last, first + 0.1) });
      else if (typeof plot.scales.x?.min !== "number" && this.zoom) plot.setScale("x", this.zoom);
      else plot.redraw();
    }
  }

  private ghostNames(names: readonly string[]): string[] {
    return names.filter((name) => (this.ghost?.columnOf(name) ?? -1) >= 0);
  }

  private dataOf(names: readonly string[]): uPlot.AlignedData {
    const run: uPlot.AlignedData = [this.times, ...names.map((name) => this.values.get(name) ?? [])];
    const { ghost } = this;
    const shared = this.ghostNames(names);
    if (ghost === undefined || shared.length === 0) return run;
    const times = Array.from({ length: ghost.length }, (_, index) => ghost.time(index));
    return uPlot.join([run, [times, ...shared.map((name) => ghost.values(name))]]);
  }

  /** Puts the cursor of the plots, with the values there, at a time. */
  showTime(time: number): void {
    for (const { plot } of this.charts) {
      const left = plot.valToPos(time, "x");
      if (Number.isFinite(left)) plot.setCursor({ left, top: 10 }, false);
    }
  }

  private csv(): string {
    const head = ["t", ...this.chosen].join(",");
    const lists = this.chosen.map((name) => this.values.get(name) ?? []);
    return `${[head, ...this.times.map((t, index) => [t, ...lists.map((list) => list[index] ?? "")].join(","))].join("\n")}\n`;
  }

  private savePictures(): void {
    this.drawThose(this.charts); // also those out of sight
    requestAnimationFrame(() => {
      for (const { plot, names } of this.charts)
        plot.ctx.canvas.toBlob((picture) => picture && save(`${names[0] ?? "plot"}.png`, picture));
    });
  }
}
