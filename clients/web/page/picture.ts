// The place of the picture: the scene with its buttons, and words where the browser cannot draw.
import { byId, el, setText } from "./dom";
import type { PoseLayout } from "./poses";
import { View } from "./scene";
import type { Model } from "./wire";

const CAMERAS = ["orbit", "follow", "chase"] as const;
type Camera = (typeof CAMERAS)[number];

export class Picture {
  /** Undefined without WebGL. */
  readonly view: View | undefined;
  onPick: (body: string) => void = () => {};
  onReactions: (on: boolean) => void = () => {};
  /** The mechanism of `show` is drawn. */
  shown = false;
  private tick = 0; // of the row that was drawn last
  private readonly name = byId("hover");
  private readonly bodies = el("select", { id: "body", "aria-label": "Selected body", title: "selected body" });

  constructor() {
    try {
      this.view = new View(byId<HTMLCanvasElement>("scene"), true);
    } catch {
      this.excuse();
      return;
    }
    const { view } = this;
    const modes = el("span", { class: "row" });
    for (const camera of CAMERAS) {
      const button = el("button", { id: `camera-${camera}`, title: "key C: next camera" }, camera);
      button.onclick = () => this.setCamera(camera);
      modes.append(button);
    }
    byId("camera").append(
      modes,
      toggle("forces", true, (on) => {
        view.overlay.tyreForces = on;
      }),
      toggle("reactions", false, (on) => {
        view.overlay.reactions = on;
        this.onReactions(on);
      }),
      toggle("trail", true, (on) => {
        view.trail = on;
      }),
    );
    byId("camera").append(this.bodies);
    view.onHover = (body, { offsetX, offsetY }) => {
      setText(this.name, body);
      this.name.hidden = body === "";
      Object.assign(this.name.style, { left: `${offsetX + 12}px`, top: `${offsetY + 12}px` });
    };
    byId("scene").addEventListener("pointerleave", () => {
      this.name.hidden = true;
    });
    view.onPick = (body) => this.pick(body);
    this.bodies.onchange = () => this.pick(this.bodies.value);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme());
    this.applyTheme();
  }

  private pick(body: string): void {
    if (!body) return;
    this.view?.selectName(body);
    this.bodies.value = body;
    this.onPick(body);
  }

  private excuse(): void {
    const note = byId("no-scene");
    note.hidden = false;
    note.textContent =
      "This browser has no WebGL, so there is no picture. Plots, inputs and health work without it. " +
      "Switch on hardware acceleration, or start the browser with --enable-unsafe-swiftshader.";
    byId("scene").hidden = true;
  }

  private setCamera(mode: Camera): void {
    if (this.view === undefined) return;
    this.view.rig.mode = mode;
    for (const name of CAMERAS) byId(`camera-${name}`).setAttribute("aria-pressed", String(name === mode));
  }

  nextCamera(): void {
    const mode = CAMERAS[(CAMERAS.indexOf(this.view?.rig.mode ?? "orbit") + 1) % CAMERAS.length];
    if (mode) this.setCamera(mode);
  }

  /** Dark or light, as the user or else the system wishes. */
  applyTheme(): void {
    const wish = document.documentElement.dataset.theme;
    const dark = wish ? wish === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.view?.setDark(dark);
  }

  /** Draws a row; a mechanism that is not shown yet is made first. */
  draw(model: Model, layout: PoseLayout, row: Float64Array, ghost?: Float64Array): void {
    const { view } = this;
    if (view === undefined) return;
    if (!this.shown) {
      view.overlay.newtonsPerMeter = scaleOf(row, layout, model);
      view.show(model, layout, row);
      this.setCamera(view.rig.mode);
      this.bodies.replaceChildren(...view.bodies.map((name) => el("option", {}, name)));
      this.bodies.value = view.selectedName;
    }
    this.shown = true;
    const tick = row[0] ?? 0;
    if (tick < this.tick) view.clearTrail(); // after a reset the path begins anew
    this.tick = tick;
    view.draw(row, ghost);
  }

  /** @param note  what else is to say about the picture */
  caption(note: string): void {
    const { view } = this;
    const scale = view?.arrowsShown ? ` · arrows: 1 m is ${view.overlay.newtonsPerMeter.toFixed(0)} N` : "";
    setText(byId("caption"), `${view?.selectedName ?? ""} · ${note}${scale}`);
  }
}

function toggle(text: string, on: boolean, set: (on: boolean) => void): HTMLButtonElement {
  const button = el("button", { id: `show-${text}`, "aria-pressed": String(on) }, text);
  button.onclick = () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    set(next);
  };
  return button;
}

/** Force that an arrow of 1 m stands for: a tyre at rest, or the weight of all bodies, gets an arrow of its own height. */
export function scaleOf(row: Float64Array, columns: PoseLayout, { forces, bodies, gravity }: Model): number {
  let load = 0;
  for (const [name, column] of columns.column) if (name.endsWith(".load")) load = Math.max(load, row[column] ?? 0);
  const tyre = forces.find(({ kind }) => kind.endsWith("_tyre"));
  const radius = Number((tyre?.[tyre.kind] as { radius?: number } | undefined)?.radius ?? 0.5);
  const weight = bodies.reduce((sum, { mass }) => sum + mass, 0) * Math.hypot(...gravity);
  const force = load > weight / 20 ? load : weight; // a tyre that hardly touches its road says nothing
  return force > 0 ? roundNumber(force / (2 * radius)) : 1;
}

/** The nearest one of 1, 2, 5, 10 and so on. */
function roundNumber(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  const far = (one: number) => Math.abs(Math.log(one / value));
  return [1, 2, 5, 10].map((digit) => digit * decade).reduce((best, one) => (far(one) < far(best) ? one : best));
}
