// The page: connects its parts and draws pictures.
import "./style.css";
import type { Word } from "../protocol";
import { Controls } from "./controls";
import { byId, el, setText } from "./dom";
import { Health } from "./health";
import { Link } from "./link";
import { Plots } from "./plots";
import { DELAY_MS, FRAMES_PER_SECOND, PoseBuffer, PoseLayout } from "./poses";
import { View } from "./scene";
import { Sessions } from "./sessions";
import { SignalTree } from "./signals";
import type { Model, Session, Signal } from "./wire";

/** What the scene needs: globs, and endings that a signal must have. The server refuses a glob that no signal has. */
const POSE_SIGNALS = [
  { glob: "*.r.[xyz]", ending: ".r.x" },
  { glob: "*.p.e[0123]", ending: ".p.e0" },
  { glob: "*.load", ending: ".load" },
  { glob: "*.longitudinal", ending: ".longitudinal" },
  { glob: "*.lateral", ending: ".lateral" },
];
const AGES_KEPT = 1000;
const SLOW_PICTURES_PER_S = 30; // below for some seconds: shadows are left out
const SLOW_SECONDS = 3;

const link = new Link(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${location.search}`);
const poses = new PoseBuffer();
const bar = byId("bar");
const place = el("span", { id: "place", class: "dim" }, "connecting ...");
const trouble = byId("trouble");
const caption = byId("caption");
const sessions = new Sessions(byId("control"), link);
const controls = new Controls(byId("control"), link);
sessions.addParametersTo(byId("control"));
const health = new Health(byId("side"), link);
const plots = new Plots(link);
const tree = new SignalTree(byId("side"), plots);

let view: View | undefined;
let layout: PoseLayout | undefined;
let model: Model | undefined;
let stopPoses: (() => void) | undefined;
let observeAgain: (() => void) | undefined;
let shown = false;
let hovered = "";
const ages: number[] = [];

/** Says what is wrong until it is right again. */
function report(message: string): void {
  setText(trouble, message);
  trouble.hidden = message === "";
}

function startView(): void {
  try {
    view = new View(byId<HTMLCanvasElement>("scene"));
  } catch {
    const note = byId("no-scene");
    note.hidden = false;
    note.textContent =
      "This browser has no WebGL, so there is no picture. Plots, inputs and health work without it. " +
      "Switch on hardware acceleration, or start the browser with --enable-unsafe-swiftshader.";
    byId("scene").hidden = true;
    return;
  }
  const current = view;
  const modes = el("span", { class: "row" });
  for (const mode of ["orbit", "follow", "chase"] as const) {
    const button = el("button", { id: `camera-${mode}`, title: "key C: next camera" }, mode);
    button.onclick = () => setCamera(mode);
    modes.append(button);
  }
  const forces = toggle("forces", true, (on) => {
    current.forces = on;
  });
  const trail = toggle("trail", true, (on) => {
    current.trail = on;
  });
  byId("camera").append(modes, forces, trail);
  view.onHover = (body) => {
    hovered = body;
  };
  view.onPick = (body) => {
    if (!body) return;
    current.selectName(body);
    tree.find(body);
  };
  applyTheme();
}

function toggle(text: string, on: boolean, set: (on: boolean) => void): HTMLButtonElement {
  const button = el("button", { "aria-pressed": String(on) }, text);
  button.onclick = () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    set(next);
  };
  return button;
}

function setCamera(mode: "orbit" | "follow" | "chase"): void {
  if (view) view.rig.mode = mode;
  for (const name of ["orbit", "follow", "chase"])
    byId(`camera-${name}`).setAttribute("aria-pressed", String(name === mode));
}

function applyTheme(): void {
  const wish = document.documentElement.dataset.theme;
  const dark = wish ? wish === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  view?.setDark(dark);
}

async function open(session: Session): Promise<void> {
  stopPoses?.();
  poses.clear();
  shown = false;
  layout = undefined;
  model = undefined;
  health.open(session.name);
  let signals: string[] = [];
  try {
    const [found, directory] = await Promise.all([
      link.call<{ model: Model }>("GetModel", { session: session.name }),
      link.call<{ signals: Signal[] }>("ListSignals", { session: session.name }),
    ]);
    model = found.model;
    const present = (ending: string) => directory.signals.some(({ name }) => name.endsWith(ending));
    signals = POSE_SIGNALS.filter(({ ending }) => present(ending)).map(({ glob }) => glob);
    tree.open(directory.signals);
    plots.open(session.name, directory.signals);
    controls.open(session.name, model.actuators);
  } catch (error) {
    report((error as Error).message);
    return;
  }
  observePoses(session.name, signals);
}

/** A stream begins with the current state, also of a session that does not tick. */
function observePoses(session: string, signals: string[]): void {
  stopPoses?.();
  observeAgain = () => observePoses(session, signals);
  stopPoses = link.observe(
    { session, signals, rate: FRAMES_PER_SECOND, all: false },
    {
      layout: (signals) => {
        poses.clear();
        layout = new PoseLayout(signals);
        shown = false;
        report("");
      },
      rows: (rows) => poses.add(rows),
      gap: (message) => {
        report(message);
        poses.clear();
      },
      ended: (message) => {
        report(message);
        sessions.refresh();
      },
    },
  );
}

let pictures = 0;
let counted = performance.now();
let rate = 0;
let slowSeconds = 0;

function draw(): void {
  requestAnimationFrame(draw);
  ++pictures;
  const now = performance.now();
  if (now - counted > 1000) {
    rate = (pictures * 1000) / (now - counted);
    pictures = 0;
    counted = now;
    slowSeconds = rate < SLOW_PICTURES_PER_S ? slowSeconds + 1 : 0;
    if (slowSeconds > SLOW_SECONDS) view?.simplify();
  }
  plots.draw();
  const row = layout && poses.sample(layout);
  if (row === undefined || layout === undefined || model === undefined) return;
  if (view && !shown) {
    view.newtonsPerMeter = scaleOf(row, layout, model);
    view.show(model, layout, row);
    setCamera(view.rig.mode);
    shown = true;
  }
  view?.draw(row);
  const age = Date.now() - (row[2] ?? 0);
  ages.push(age);
  if (ages.length > AGES_KEPT) ages.shift();
  health.showRow(poses.newest ?? row, age, rate, poses.dropped);
  const force = view?.forces && model.roads.length > 0 ? ` · arrows: 1 m is ${view.newtonsPerMeter.toFixed(0)} N` : "";
  setText(caption, `${hovered || view?.selectedName || ""} · drawn ${DELAY_MS} ms behind the newest frame${force}`);
}

/** Force that an arrow of 1 m stands for: a tyre at rest gets an arrow of about its own height. */
function scaleOf(row: Float64Array, columns: PoseLayout, drawn: Model): number {
  let load = 0;
  for (const [name, column] of columns.column) if (name.endsWith(".load")) load = Math.max(load, row[column] ?? 0);
  const tyre = drawn.forces.find(({ kind }) => kind.endsWith("_tyre"));
  const radius = Number((tyre?.[tyre.kind] as { radius?: number } | undefined)?.radius ?? 0.5);
  return load > 0 ? 10 ** Math.ceil(Math.log10(load / (2 * radius))) / 2 : 1e4;
}

function keys(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    tree.focus();
  } else if (event.key === "c") {
    const modes = ["orbit", "follow", "chase"] as const;
    const next = modes[(modes.indexOf(view?.rig.mode ?? "orbit") + 1) % modes.length];
    if (next && view) setCamera(next);
  } else if (event.key === "+" || event.key === "-") {
    view?.rig.zoom(event.key === "+" ? 0.85 : 1 / 0.85);
  } else if (event.key === " ") {
    event.preventDefault();
    byId(byId("state").dataset.state === "running" ? "pause" : "start").click();
  }
}

function hear(word: Word): void {
  if ("hello" in word) setText(place, `server ${word.hello.server}`);
  else if ("drive" in word) controls.hear(word.drive);
  else if ("notice" in word && /RESET|RESTORED/.test(word.notice.reason)) observeAgain?.();
  else if ("notice" in word && /FAULT|STOPPED|DELETED/.test(word.notice.reason)) report(word.notice.message);
}

const theme = el("button", { title: "dark or light" }, "◐");
theme.onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  applyTheme();
};
const help = el("span", { class: "dim" });
help.append(
  el("kbd", {}, "Space"),
  " start, pause  ",
  el("kbd", {}, "C"),
  " camera  ",
  el("kbd", {}, "+"),
  el("kbd", {}, "-"),
  " zoom  ",
  el("kbd", {}, "/"),
  " signals",
);
bar.append(el("b", {}, "Tactus"), place, el("span", { class: "grow" }), help, theme);

link.onWord = hear;
link.onState = (connected) => {
  if (connected) {
    report("");
    sessions.refresh();
  } else {
    report("The bridge does not answer. Start it again with: tactus view");
    controls.stop("The connection was lost, and with it the lease.");
  }
};
sessions.onChoose = open;
sessions.onError = report;
health.onSession = (session) => {
  sessions.show(session);
  controls.watch(session);
};
window.addEventListener("keydown", keys);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
startView();
requestAnimationFrame(draw);

/** What tests read: the same numbers that the page shows. */
Object.assign(window, {
  tactus: {
    tick: () => poses.newest?.[0] ?? -1,
    drawn: () => shown,
    pixelOf: (body: string) => (view && poses.newest ? view.pixelOf(body, poses.newest) : undefined),
    points: (name: string) => plots.points(name),
    plot: (name: string) => plots.toggle(name, true),
    ages: () => [...ages],
  },
});
