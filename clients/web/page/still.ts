// One picture of a recorded run, without the rest of the page: what `tactus model draw` shows in its browser.
import { byId } from "./dom";
import { scaleOf } from "./picture";
import { readRecording } from "./recording";
import { View } from "./scene";

/** Draws the state at a time. @returns what is wrong; empty: nothing */
async function draw(at: number, dark: boolean): Promise<string> {
  const answer = await fetch("/run.mcap");
  if (answer.body === null) return "the run cannot be read";
  const recording = await readRecording("the run", answer.body);
  const { model, layout } = recording;
  if (!model || !layout) return "the run lacks the poses of its bodies";
  if (recording.warning) return recording.warning;
  const view = new View(byId<HTMLCanvasElement>("scene"));
  view.setDark(dark);
  view.trail = false;
  const row = recording.row(recording.indexAt(at + 1e-9));
  view.overlay.newtonsPerMeter = scaleOf(row, layout, model);
  view.show(model, layout, row);
  view.fit(row);
  Object.assign(window, { svg: () => view.svg() });
  return "";
}

const query = new URLSearchParams(location.search);
draw(Number(query.get("at")), query.get("dark") === "1").then(
  (trouble) => Object.assign(window, { drawn: trouble }),
  (error: Error) => Object.assign(window, { drawn: error.message }),
);
