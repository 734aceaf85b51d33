// Inputs of a session by sliders, keys and gamepad, under a lease.
import { el, setText } from "./dom";
import type { Link } from "./link";
import type { Actuator, Session } from "./wire";

const SEND_MS = 20; // an input of the page; the bridge repeats it in between
const RANGE = 1; // of an actuator that declares no range, either way

type Role = "steer" | "go" | "stop" | "other";

interface Axis {
  actuator: Actuator;
  role: Role;
  minimum: number;
  maximum: number;
  value: number;
  keys: { plus: string; minus: string };
  slider: HTMLInputElement;
  number: HTMLElement;
}

/** Names of keys as KeyboardEvent.code has them; the pairs go to the actuators without a role in order. */
const PAIRS = [
  { plus: "KeyE", minus: "KeyQ" },
  { plus: "KeyW", minus: "KeyS" },
  { plus: "KeyA", minus: "KeyD" },
  { plus: "KeyT", minus: "KeyG" },
];
const KEY_TEXT: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const STEER_RATE = 0.5; // of the range in 1 s, while a key is down
const STEER_RETURN = 1.0; // of the range in 1 s, when it is up
const STICK_REST = 0.08; // of a stick that nobody touches
const TRIGGER_REST = 0.02;
const STEPS = 10; // steps over the range of a key that is pressed once

function roleOf({ name }: Actuator): Role {
  if (/steer/i.test(name)) return "steer";
  if (/throttle|accelerator/i.test(name)) return "go";
  if (/brake/i.test(name)) return "stop";
  return "other";
}

/** Where a gamepad that is let go leaves an input. */
function restOf({ role, minimum }: Axis): number {
  return role === "steer" ? 0 : minimum;
}

export class Controls {
  onMessage: (message: string) => void = () => {};
  private axes: Axis[] = [];
  private session = "";
  private inputs = ""; // of the session
  private driving = false;
  private readonly down = new Set<string>();
  private timer: number | undefined;
  private last = 0;
  private readonly area = el("div", {});
  private readonly state = el("p", { id: "drive-state", class: "dim" });
  private readonly take = el("button", { id: "drive" }, "Drive");
  private readonly leave = el("button", { id: "release", disabled: true }, "Release");

  constructor(
    parent: HTMLElement,
    private readonly link: Link,
  ) {
    parent.append(el("h2", {}, "Drive"), el("div", { class: "row" }, this.take, this.leave), this.state, this.area);
    this.take.onclick = () => this.start("");
    this.leave.onclick = () => this.release();
    window.addEventListener("keydown", (event) => this.key(event, true));
    window.addEventListener("keyup", (event) => this.key(event, false));
    window.addEventListener("blur", () => this.down.clear());
  }

  get active(): boolean {
    return this.driving;
  }

  open(session: string, actuators: readonly Actuator[]): void {
    const inputs = JSON.stringify([session, actuators]);
    // The same session is shown anew, after a gap in the connection to the server, for example.
    if (this.driving && inputs === this.inputs) return;
    this.release();
    this.session = session;
    this.inputs = inputs;
    const pairs = [...PAIRS];
    this.axes = actuators.map((actuator) => this.axisOf(actuator, pairs));
    this.area.replaceChildren(...this.axes.map((axis) => this.sliderOf(axis)));
    this.take.disabled = actuators.length === 0;
    this.say(actuators.length === 0 ? "The model has no inputs." : "Nobody drives from this page.");
  }

  private axisOf(actuator: Actuator, pairs: { plus: string; minus: string }[]): Axis {
    const minimum = actuator.minimum ?? -RANGE;
    const maximum = actuator.maximum ?? RANGE;
    const role = roleOf(actuator);
    const keys =
      role === "steer"
        ? { plus: "ArrowLeft", minus: "ArrowRight" }
        : role === "go"
          ? { plus: "ArrowUp", minus: "" }
          : role === "stop"
            ? { plus: "ArrowDown", minus: "" }
            : (pairs.shift() ?? { plus: "", minus: "" });
    const value = Math.min(maximum, Math.max(minimum, actuator.initial));
    const slider = el("input", { type: "range", min: minimum, max: maximum, step: "any", "aria-label": actuator.name });
    slider.value = String(value);
    slider.dataset.input = actuator.name;
    const axis = { actuator, role, minimum, maximum, value, keys, slider, number: el("span", {}) };
    slider.oninput = () => this.set(axis, Number(slider.value));
    return axis;
  }

  private sliderOf(axis: Axis): HTMLElement {
    const { actuator, keys, slider, number } = axis;
    const order = axis.role === "steer" ? [keys.plus, keys.minus] : [keys.minus, keys.plus];
    const caps = order.filter(Boolean).map((key) => el("kbd", {}, KEY_TEXT[key] ?? key.slice(3)));
    const head = el(
      "div",
      { class: "head" },
      el("span", { title: actuator.description }, actuator.name, " ", ...caps),
      number,
    );
    this.set(axis, axis.value);
    return el("div", { class: "slider" }, head, slider);
  }

  private set(axis: Axis, value: number): void {
    axis.value = Math.min(axis.maximum, Math.max(axis.minimum, value));
    axis.slider.value = String(axis.value);
    setText(axis.number, `${axis.value.toFixed(2)} ${axis.actuator.unit}`);
  }

  private say(message: string): void {
    setText(this.state, message);
  }

  private start(takeover_reason: string): void {
    const inputs = this.axes.map(({ actuator }) => actuator.name);
    const options = {
      session: this.session,
      inputs,
      controller: "browser",
      takeover_reason,
      leave_safe_state: true,
    };
    this.say("Asking for the lease ...");
    this.link.ask<{ safe_state: string }>({ drive: options }).then(
      ({ safe_state }) => this.started(safe_state),
      (error: Error & { failure?: { reason?: string } }) => {
        this.say(error.message);
        if (error.failure?.reason === "LEASE_HELD") this.offerTakeover();
      },
    );
  }

  private offerTakeover(): void {
    const reason = el("input", { type: "text", placeholder: "Reason of the takeover" });
    const take = el("button", {}, "Take over");
    take.onclick = () => this.start(reason.value || "taken over from the browser");
    this.state.append(el("div", { class: "row" }, reason, take));
  }

  private started(safe_state: string): void {
    this.letGo();
    this.driving = true;
    this.take.disabled = true;
    this.leave.disabled = false;
    const watchdog = this.link.hello?.watchdog_ms ?? 0;
    this.say(
      safe_state ||
        `This page drives. If it closes or stays silent for ${watchdog} ms, it loses the lease, and each input does what the model declares for this case.`,
    );
    (document.activeElement as HTMLElement | null)?.blur();
    this.last = performance.now();
    this.timer = window.setInterval(() => this.step(), SEND_MS);
  }

  /** The bridge has ended the stream, or said what happened on it. */
  hear({ driving, message }: { driving: boolean; message: string }): void {
    if (message) this.say(message);
    if (!driving) this.stop(message || "Released: nobody drives from this page.");
  }

  /** The session of this page, as the server sees it. */
  watch({ safe_state }: Session): void {
    if (this.driving && safe_state) this.say(safe_state);
  }

  /** Gives the lease back, if this page has it. */
  release(): void {
    if (!this.driving) return;
    this.link.ask({ release: true }).catch(() => {});
    this.stop("Released: nobody drives from this page.");
  }

  stop(message: string): void {
    if (!this.driving) return;
    this.driving = false;
    clearInterval(this.timer);
    this.letGo();
    this.take.disabled = false;
    this.leave.disabled = true;
    this.say(message);
  }

  /** No key and no stick holds an input any more: what they hold goes back to rest. Sliders stay where they are. */
  private letGo(): void {
    this.down.clear();
    for (const axis of this.pressed) this.set(axis, axis.minimum);
    for (const axis of this.played) this.set(axis, restOf(axis));
    this.pressed.clear();
    this.played.clear();
  }

  private step(): void {
    const now = performance.now();
    const dt = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    this.readGamepad();
    for (const axis of this.axes) {
      const { role, keys, minimum, maximum, value } = axis;
      const push = Number(this.down.has(keys.plus)) - Number(this.down.has(keys.minus));
      const range = maximum - minimum;
      if (role === "steer") {
        const back = Math.sign(value) * Math.min(Math.abs(value), STEER_RETURN * range * dt);
        if (push !== 0) this.set(axis, value + push * STEER_RATE * range * dt * 0.5);
        else if (this.steers) this.set(axis, value - back);
      } else if (role !== "other" && this.pressed.has(axis)) {
        this.set(axis, push > 0 ? maximum : minimum);
        if (push === 0) this.pressed.delete(axis);
      }
      if (push > 0 && (role === "go" || role === "stop")) this.pressed.add(axis);
    }
    this.link.note({ input: this.axes.map(({ value }) => value) });
  }

  /** Pedals that a key holds down: they go back when it comes up. Sliders stay where they are. */
  private readonly pressed = new Set<Axis>();
  /** A key has steered since a slider did. */
  private steers = false;

  private key(event: KeyboardEvent, down: boolean): void {
    // Wherever the focus is by now, and whatever else is down.
    if (!down) this.down.delete(event.code);
    const target = event.target as HTMLElement;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range") return;
    const axis = this.axes.find(({ keys }) => keys.plus === event.code || keys.minus === event.code);
    if (!this.driving || axis === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (down) this.down.add(event.code);
    if (axis.role === "steer") this.steers = true;
    if (down && !event.repeat && axis.role === "other") {
      const sign = axis.keys.plus === event.code ? 1 : -1;
      this.set(axis, axis.value + (sign * (axis.maximum - axis.minimum)) / STEPS);
    }
  }

  /** What a gamepad moves now: it goes back to rest when stick or trigger does, or the gamepad leaves. */
  private readonly played = new Set<Axis>();

  /** Standard layout: left stick steers, right trigger is the throttle, left trigger the brake. */
  private readGamepad(): void {
    const pad = [...navigator.getGamepads()].find((found) => found?.connected);
    for (const axis of this.axes) {
      const { role, minimum, maximum } = axis;
      if (role === "other") continue;
      const stick = pad?.axes[0] ?? 0;
      const trigger = pad?.buttons[role === "go" ? 7 : 6]?.value ?? 0;
      if (role === "steer" ? Math.abs(stick) > STICK_REST : trigger > TRIGGER_REST) {
        const value = role === "steer" ? (-stick * (maximum - minimum)) / 2 : minimum + trigger * (maximum - minimum);
        this.set(axis, value);
        this.played.add(axis);
      } else if (this.played.delete(axis)) this.set(axis, restOf(axis));
    }
  }
}
