// Plays a recorded run: time, speed, loop, and a second run as a ghost.
import { compare } from "./difference";
import { byId, el, setText } from "./dom";
import { mixRows } from "./poses";
import type { Recording } from "./recording";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5];

export class Player {
  /** Told that another recording is shown, or none. */
  onOpen: (recording: Recording | undefined) => void = () => {};
  onGhost: (recording: Recording | undefined) => void = () => {};
  /** Told whether two runs are to be shown side by side. */
  onBeside: (beside: boolean) => void = () => {};
  /** Told that the time has jumped. */
  onJump: () => void = () => {};
  recording: Recording | undefined;
  ghost: Recording | undefined;
  playing = false;
  time = 0;
  private before = 0;
  private mixed = new Float64Array();
  private ghostMixed = new Float64Array();
  private readonly bar = byId("player");
  private readonly play = el("button", { id: "play" }, "Play");
  private readonly scrub = el("input", {
    id: "scrub",
    type: "range",
    step: "any",
    "aria-label": "Time of the recording",
  });
  private readonly mark = el("span", { id: "difference-mark", hidden: true });
  private readonly clock = el("span", { id: "play-time" });
  private readonly speed = el("select", { id: "play-speed", "aria-label": "Speed" });
  private readonly loop = el("input", { id: "play-loop", type: "checkbox" });
  private readonly name = el("span", { id: "play-name" });
  private readonly difference = el("span", { id: "difference" });
  private readonly beside = el("button", { id: "beside", hidden: true, "aria-pressed": "false" }, "Side by side");
  private readonly goThere = el("button", { id: "go-to-difference", hidden: true }, "Go there");

  constructor() {
    for (const speed of SPEEDS) this.speed.append(el("option", { value: speed }, `${speed} x`));
    this.speed.value = "1";
    this.play.onclick = () => this.toggle();
    this.scrub.oninput = () => this.jump(Number(this.scrub.value));
    this.beside.onclick = () => this.showBeside(this.beside.getAttribute("aria-pressed") !== "true");
    const close = el("button", { id: "play-close" }, "Back to the session");
    close.onclick = () => this.close();
    const track = el("span", { id: "track" }, this.scrub, this.mark);
    const loop = el("label", {}, this.loop, "loop");
    this.bar.append(
      el("div", { class: "row" }, this.play, track, this.clock, this.speed, loop),
      el(
        "div",
        { class: "row" },
        this.name,
        this.difference,
        this.goThere,
        this.beside,
        el("span", { class: "grow" }),
        close,
      ),
    );
  }

  open(recording: Recording): void {
    this.recording = recording;
    this.setGhost(undefined);
    Object.assign(this.scrub, { min: recording.time(0), max: recording.time(recording.length - 1) });
    this.bar.hidden = false;
    setText(this.name, recording.stride > 1 ? `${recording.name}, 1 of ${recording.stride} rows` : recording.name);
    this.jump(recording.time(0));
    this.setPlaying(recording.length > 1);
    this.onOpen(recording);
  }

  /** Shows a second run at the same simulated time, and where the two differ first. */
  setGhost(ghost: Recording | undefined): void {
    const { recording } = this;
    this.ghost = ghost;
    this.mark.hidden = true;
    this.goThere.hidden = true;
    this.beside.hidden = ghost === undefined;
    if (ghost === undefined) this.showBeside(false);
    setText(this.difference, "");
    if (ghost && recording) this.showDifference(recording, ghost);
    this.onGhost(ghost);
  }

  private showBeside(beside: boolean): void {
    this.beside.setAttribute("aria-pressed", String(beside));
    this.onBeside(beside);
  }

  private showDifference(recording: Recording, ghost: Recording): void {
    const { first, rows, signals } = compare(recording, ghost);
    const models = recording.modelHash === ghost.modelHash ? "" : "the models differ; ";
    // Of a long recording the page has a part of the rows.
    const stride = Math.max(recording.stride, ghost.stride);
    const part = stride > 1 ? ` (1 of ${stride} rows was compared)` : "";
    if (rows === 0 || signals === 0) {
      const what = rows === 0 ? "time in common; reset the session before each recording" : "signal in common";
      setText(this.difference, `ghost ${ghost.name}: ${models}no ${what}`);
    } else if (first === undefined) {
      setText(
        this.difference,
        `ghost ${ghost.name}: ${models}no difference in ${signals} signals of ${rows} ticks${part}`,
      );
    } else {
      const [one, other] = first.values;
      const what = `${first.signal} at tick ${first.tick}: ${one}, ghost ${other}`;
      setText(this.difference, `ghost ${ghost.name}: ${models}first difference: ${what}${part}`);
      const [start, end] = [recording.time(0), recording.time(recording.length - 1)];
      this.mark.style.left = `${(100 * (first.time - start)) / Math.max(end - start, 1e-9)}%`;
      this.mark.hidden = false;
      this.goThere.hidden = false;
      this.goThere.onclick = () => {
        this.setPlaying(false);
        this.jump(first.time);
      };
    }
  }

  close(): void {
    this.setGhost(undefined);
    this.recording = undefined;
    this.bar.hidden = true;
    this.onOpen(undefined);
  }

  toggle(): void {
    const { recording } = this;
    if (recording && !this.playing && this.time >= recording.time(recording.length - 1)) this.jump(recording.time(0));
    this.setPlaying(!this.playing);
  }

  private setPlaying(playing: boolean): void {
    this.playing = playing;
    this.before = performance.now();
    setText(this.play, playing ? "Pause" : "Play");
  }

  private jump(time: number): void {
    this.time = time;
    this.onJump();
  }

  /** One recorded row on or back. */
  step(rows: number): void {
    const { recording } = this;
    if (recording === undefined) return;
    this.setPlaying(false);
    const index = Math.min(recording.length - 1, Math.max(0, recording.indexAt(this.time) + rows));
    this.jump(recording.time(index));
  }

  /** Moves the time on to now. */
  advance(now: number): void {
    const { recording } = this;
    if (recording === undefined) return;
    if (this.playing) {
      const end = recording.time(recording.length - 1);
      this.time += (Number(this.speed.value) * (now - this.before)) / 1000;
      this.before = now;
      if (this.time >= end && this.loop.checked) this.jump(recording.time(0));
      else if (this.time >= end) {
        this.time = end;
        this.setPlaying(false);
      }
    }
    this.scrub.value = String(this.time);
    const [tick = 0, t = 0] = recording.row(recording.indexAt(this.time));
    setText(
      this.clock,
      `${this.time.toFixed(3)} s · tick ${tick}${Math.abs(t - this.time) > 1 ? `, t ${t.toFixed(3)} s` : ""}`,
    );
  }

  /** The row at the current time, between two recorded rows. */
  row(): Float64Array | undefined {
    const { recording } = this;
    if (recording === undefined) return undefined;
    if (this.mixed.length !== recording.row(0).length) this.mixed = new Float64Array(recording.row(0).length);
    return rowAt(recording, this.time, this.mixed);
  }

  /** The same of the ghost; undefined outside of its run. */
  ghostRow(): Float64Array | undefined {
    const { ghost } = this;
    if (ghost === undefined || this.time < ghost.time(0) || this.time > ghost.time(ghost.length - 1)) return undefined;
    if (this.ghostMixed.length !== ghost.row(0).length) this.ghostMixed = new Float64Array(ghost.row(0).length);
    return rowAt(ghost, this.time, this.ghostMixed);
  }
}

function rowAt(recording: Recording, time: number, mixed: Float64Array): Float64Array {
  const index = recording.indexAt(time);
  const [row, next] = [recording.row(index), recording.row(Math.min(index + 1, recording.length - 1))];
  const span = recording.time(Math.min(index + 1, recording.length - 1)) - recording.time(index);
  // Nothing is interpolated over a reset within the recording.
  if (!(span > 0) || (next[0] ?? 0) < (row[0] ?? 0) || recording.layout === undefined) return row;
  const share = Math.min(1, Math.max(0, (time - recording.time(index)) / span));
  return mixRows(row, next, share, recording.layout, mixed);
}
