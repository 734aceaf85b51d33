// Pictures of recorded runs, without the rest of the page: what `tactus model draw` shows in its browser.
import { byId } from "./dom";
import { scaleOf } from "./picture";
import { readRecording } from "./recording";
import { View } from "./scene";

let view: View | undefined;

/** Draws the state of a run at a time. @returns what is wrong; empty: nothing */
async function draw(run: string, at: number, dark: boolean): Promise<string> {
  const answer = await fetch(run);
  if (answer.body === null) return "the run cannot be read";
  const recording = await readRecording("the run", answer.body);
  const { model, layout } = recording;
  if (!model || !layout) return "the run lacks the poses of its bodies";
  if (recording.warning) return recording.warning;
  view ??= new View(byId<HTMLCanvasElement>("scene"), false);
  view.trail = false;
  view.setDark(dark);
  const row = recording.row(recording.indexAt(at + 1e-9));
  view.overlay.newtonsPerMeter = scaleOf(row, layout, model);
  view.show(model, layout, row);
  view.fit(row);
  return "";
}

Object.assign(window, {
  svg: () => view?.svg() ?? "",
  draw: (run: string, at: number, dark: boolean) => draw(run, at, dark).catch((error: Error) => error.message),
});
