// The page: connects its parts and draws pictures.
import "./style.css";
import type { Word } from "../protocol";
import { Controls } from "./controls";
import { byId, el, setText } from "./dom";
import { Health } from "./health";
import { Link } from "./link";
import { Live } from "./live";
import { Pace } from "./pace";
import { Picture } from "./picture";
import { Player } from "./player";
import { Plots } from "./plots";
import { DELAY_MS } from "./poses";
import type { Recording } from "./recording";
import { Recordings } from "./recordings";
import { Sessions } from "./sessions";
import { SignalTree } from "./signals";

const AGES_KEPT = 1000;
const ASLEEP_MS = 2000; // without a picture: the page was hidden, or the browser was stopped
const TURN = 0.08; // of the camera at a key, rad

const link = new Link(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${location.search}`);
const bar = byId("bar");
const place = el("span", { id: "place", class: "dim" }, "connecting ...");
const trouble = byId("trouble");
const sessions = new Sessions(byId("control"), link);
const controls = new Controls(byId("control"), link);
sessions.addParametersTo(byId("control"));
const recordings = new Recordings(byId("control"), link);
const health = new Health(byId("side"), link);
const plots = new Plots(link);
const tree = new SignalTree(byId("side"), plots);
const live = new Live(link);
const player = new Player();
const picture = new Picture();
const ages: number[] = [];

/** Says what is wrong until it is right again. */
function report(message: string): void {
  setText(trouble, message);
  trouble.hidden = message === "";
}

live.onLayout = () => {
  if (!player.recording) picture.shown = false;
};
live.onTrouble = report;
live.onEnd = () => sessions.renew();
let opened = ""; // name of the session
live.onOpen = (session, model) => {
  controls.open(session.name, model.actuators);
  recordings.open(session.name);
  const another = session.name !== opened;
  opened = session.name;
  if (!player.recording) showSession(session.name);
  else if (another) player.close();
};

/** Signals and picture are those of the session. */
function showSession(name: string): void {
  picture.shown = false;
  plots.open(name, live.signals);
  tree.open(live.signals);
}

player.onOpen = (recording: Recording | undefined) => {
  picture.shown = false;
  if (recording === undefined) {
    report(live.trouble); // and nothing about the recording
    showSession(sessions.name);
    return;
  }
  controls.release();
  plots.openRecording(recording);
  tree.open(recording.signals);
  if (!recording.layout)
    report(
      `${recording.warning} ${recording.name} lacks the poses of its bodies, so there is no picture. Plots work. ` +
        "Record with: --signals '*.r.?,*.p.e?' or '*'",
    );
};
player.onGhost = (ghost) => {
  picture.view?.showGhost(ghost?.layout ? ghost.model : undefined, ghost?.layout);
  plots.openGhost(ghost);
};
player.onBeside = (beside) => picture.view?.setBeside(beside);
player.onJump = () => picture.view?.clearTrail();
recordings.hasRun = () => player.recording !== undefined;
recordings.onTrouble = report;
recordings.onRead = (recording, as) => {
  if (as === "ghost" && player.recording) player.setGhost(recording);
  else player.open(recording);
};

let lookedAt = performance.now();
let asleep = false;
let drawnTick = 0; // of the newest picture: between two frames
let pictures = 0;
let counted = performance.now();
let rate = 0;
let broken = false; // the picture, until another one is to be shown
const pace = new Pace();

/** Counts the pictures of a second. */
function count(now: number): void {
  ++pictures;
  if (now - counted <= 1000) return;
  rate = (pictures * 1000) / (now - counted);
  pictures = 0;
  counted = now;
  const { view } = picture;
  if (view) view.effort = pace.step(rate, view.pixels);
}

function draw(): void {
  requestAnimationFrame(draw);
  const now = performance.now();
  // Once: a page that is slow all the time draws nevertheless.
  const slept = now - lookedAt > ASLEEP_MS;
  if (slept && !asleep) live.poses.wake();
  asleep = slept;
  lookedAt = now;
  count(now);
  if (player.recording) drawRecording(now);
  else drawSession();
  plots.draw();
}

/** Draws a picture, or says once why it cannot be drawn. The plots and the numbers beside it go on. */
function paint(make: () => void): void {
  if (!picture.shown) broken = false;
  if (broken) return;
  try {
    make();
  } catch (error) {
    broken = picture.shown = true;
    report(`The picture cannot be drawn: ${(error as Error).message}. Plots work.`);
    console.error(error);
  }
}

/** The numbers of the session, also beside a recording. */
function showHealth(row: Float64Array | undefined): void {
  if (row) health.showRow(row, ages, { rate, effort: picture.view?.effort }, live.poses.dropped);
}

function drawRecording(now: number): void {
  player.advance(now);
  const { recording } = player;
  const row = player.row();
  if (recording === undefined || row === undefined) return;
  plots.showTime(player.time);
  showHealth(live.poses.newest);
  const { model, layout } = recording;
  if (!model || !layout) return;
  const first = !picture.shown;
  paint(() => picture.draw(model, layout, row, player.ghostRow()));
  if (first && player.ghost) player.onGhost(player.ghost);
  picture.caption(`recording ${recording.name}`);
}

function drawSession(): void {
  const row = live.sample();
  const { model, layout } = live;
  if (row === undefined || layout === undefined || model === undefined) return;
  paint(() => picture.draw(model, layout, row));
  drawnTick = row[0] ?? 0;
  // The state of a session that stands still is old by itself.
  if (byId("state").dataset.state !== "running") ages.length = 0;
  else ages.push(Date.now() - (row[2] ?? 0));
  if (ages.length > AGES_KEPT) ages.shift();
  showHealth(live.poses.newest ?? row);
  picture.caption(`drawn ${DELAY_MS} ms behind the newest frame`);
}

function keys(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isText = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range";
  if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button or a branch of the tree that has the focus takes the space bar itself.
  if (event.key === " " && /^(BUTTON|SUMMARY)$/.test(target.tagName)) return;
  const act: Record<string, () => void> = {
    "/": () => tree.focus(),
    c: () => picture.nextCamera(),
    "+": () => picture.view?.rig.zoom(0.85),
    "-": () => picture.view?.rig.zoom(1 / 0.85),
    " ": () => {
      if (player.recording) player.toggle();
      else byId(byId("state").dataset.state === "running" ? "pause" : "start").click();
    },
    ",": () => player.step(-1),
    ".": () => player.step(1),
  };
  const { rig } = picture.view ?? {};
  const turn: Record<string, () => void> = {
    ArrowLeft: () => rig?.turn(-TURN, 0),
    ArrowRight: () => rig?.turn(TURN, 0),
    ArrowUp: () => rig?.turn(0, -TURN),
    ArrowDown: () => rig?.turn(0, TURN),
  };
  const found = event.shiftKey && event.key in turn ? turn[event.key] : act[event.key.toLowerCase()];
  if (found === undefined) return;
  event.preventDefault();
  found();
}

function hear(word: Word): void {
  if ("hello" in word) setText(place, `server ${word.hello.server}`);
  else if ("drive" in word) controls.hear(word.drive);
  else if ("notice" in word) {
    const { reason, message } = word.notice;
    if (/RESET|RESTORED/.test(reason)) live.observe();
    if (/RESET|RESTORED|PARAMETERS/.test(reason)) sessions.updateParameters();
    if (/FAULT|STOPPED|DELETED/.test(reason)) report(message);
  }
}

const theme = el("button", { id: "theme", title: "dark or light" }, "◐");
theme.onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  picture.applyTheme();
  plots.applyTheme();
};
const help = el("span", { class: "dim" });
for (const [key, text] of Object.entries({
  Space: "start, pause",
  C: "camera",
  "+ -": "zoom",
  "Shift ←": "turn",
  "/": "signals",
  ", .": "step",
}))
  help.append(el("kbd", {}, key), ` ${text}  `);
bar.append(el("b", {}, "Tactus"), place, el("span", { class: "grow" }), help, theme);

link.onWord = hear;
link.onState = (connected, why) => {
  if (connected) {
    report("");
    sessions.refresh();
  } else {
    report(why);
    controls.stop("The connection was lost, and with it the lease.");
  }
};
sessions.onChoose = (session) => {
  health.open(session.name);
  live.open(session);
};
sessions.onStanding = ({ tick }) => live.standAt(Number(tick));
sessions.onError = report;
health.onError = report;
sessions.onAway = report;
health.onSession = (session) => {
  sessions.show(session);
  controls.watch(session);
};
picture.onPick = (body) => tree.find(body);
picture.onReactions = (on) => {
  live.reactions = on;
};
window.addEventListener("keydown", keys);
requestAnimationFrame(draw);

/** What tests read: the same numbers that the page shows. */
Object.assign(window, {
  tactus: {
    tick: () => live.poses.newest?.[0] ?? -1,
    drawn: () => picture.shown,
    drawnTick: () => drawnTick,
    pixelOf: (body: string) => {
      const row = player.row() ?? live.poses.newest;
      return picture.view && row ? picture.view.pixelOf(body, row) : undefined;
    },
    ghostPixelOf: (body: string) => {
      const row = player.ghostRow();
      return picture.view && row ? picture.view.ghostPixelOf(body, row) : undefined;
    },
    points: (name: string) => plots.points(name),
    shownTime: () => plots.shown(),
    signals: () => live.signals.map(({ name }) => name),
    plot: (name: string) => plots.toggle(name, true),
    ages: () => [...ages],
    arrows: () => picture.view?.arrowsShown ?? 0,
    player: () => ({
      open: player.recording?.name ?? "",
      ghost: player.ghost?.name ?? "",
      time: player.time,
      playing: player.playing,
      rows: player.recording?.length ?? 0,
    }),
  },
});
