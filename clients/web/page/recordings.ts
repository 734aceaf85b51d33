// Recordings of the server and of the user: list, record, open, and as a ghost of the one that is open.
import { el, setText } from "./dom";
import type { Link } from "./link";
import { type Recording, readRecording } from "./recording";

const POLL_MS = 3000;

interface Listed {
  name: string;
  session: string;
  running: boolean;
  ticks: string;
  bytes: string;
  error: string;
  warning: string;
}

export class Recordings {
  onRead: (recording: Recording, as: "run" | "ghost") => void = () => {};
  onTrouble: (message: string) => void = () => {};
  /** Whether a run is open, beside which a ghost can be shown. */
  hasRun: () => boolean = () => false;
  private session = "";
  private reading: Promise<void> = Promise.resolve();
  private listed = "";
  private readonly list = el("div", { id: "recordings" });
  private readonly progress = el("p", { class: "dim", id: "reading" });
  private readonly record = el("button", { id: "record" }, "Record all signals");
  private readonly file = el("input", { type: "file", accept: ".mcap", id: "file", hidden: true });

  constructor(
    parent: HTMLElement,
    private readonly link: Link,
  ) {
    const choose = el("button", { id: "open-file", title: "or drop one on the page" }, "Open a file");
    choose.onclick = () => this.file.click();
    this.file.onchange = () => {
      for (const file of this.file.files ?? []) this.readFile(file);
      this.file.value = "";
    };
    this.record.onclick = () =>
      this.run(() => this.link.call("StartRecording", { session: this.session, signals: ["*"] }));
    parent.append(
      el("h2", {}, "Recordings"),
      el("div", { class: "row" }, this.record, choose, this.file),
      this.progress,
      this.list,
    );
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      for (const file of event.dataTransfer?.files ?? []) this.readFile(file);
    });
    setInterval(() => this.refresh(), POLL_MS);
  }

  open(session: string): void {
    this.session = session;
    this.refresh();
  }

  private async run(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
      this.onTrouble("");
    } catch (error) {
      this.onTrouble((error as Error).message);
    }
    await this.refresh();
  }

  private async refresh(): Promise<void> {
    let recordings: Listed[];
    try {
      ({ recordings } = await this.link.call<{ recordings: Listed[] }>("ListRecordings"));
    } catch {
      return; // the page shows what is wrong with the connection
    }
    // The numbers of a running recording change at each report, and its row shows none of them: the row, and the button that a
    // user is about to press, stay.
    const shown = recordings.map(({ name, running, ticks, bytes, error, warning }) =>
      running ? [name, error, warning] : [name, error, warning, ticks, bytes],
    );
    const state = JSON.stringify([shown, this.hasRun()]);
    if (state === this.listed) return;
    this.listed = state;
    this.list.replaceChildren(...recordings.map((recording) => this.entry(recording)));
  }

  private entry({ name, running, ticks, bytes, error, warning }: Listed): HTMLElement {
    const size = `${ticks} ticks, ${(Number(bytes) / 1e6).toFixed(1)} MB`;
    const button = (text: string, act: () => void) => {
      const made = el("button", { "data-recording": name }, text);
      made.onclick = act;
      return made;
    };
    const buttons = running
      ? [button("Stop", () => this.run(() => this.link.call("StopRecording", { name })))]
      : [
          button("Open", () => this.readServer(name, "run")),
          ...(this.hasRun() ? [button("Ghost", () => this.readServer(name, "ghost"))] : []),
        ];
    const about = el("span", { class: "dim", title: error }, running ? "records" : size, error ? ", ended early" : "");
    const row = el("div", { class: "row recording" }, el("b", { class: "grow" }, name), ...buttons, about);
    return warning ? el("div", {}, row, el("p", { class: "warn" }, warning)) : row;
  }

  /** A file of the user; the second one is the ghost of the first one. */
  private readFile(file: File): void {
    const as = () => (this.hasRun() ? "ghost" : "run");
    this.read(file.name, async () => file.stream(), file.size, as);
  }

  private readServer(name: string, as: "run" | "ghost"): void {
    const request = async () => {
      const answer = await fetch(`/recordings/${encodeURIComponent(name)}.mcap${location.search}`);
      if (!answer.ok || answer.body === null) throw new Error((await answer.text()).trim());
      return answer.body;
    };
    this.read(`${name}.mcap`, request, 0, () => as);
  }

  /** One after the other. @param as  is asked when the ones before have been read */
  private read(
    name: string,
    open: () => Promise<ReadableStream<Uint8Array>>,
    size: number,
    as: () => "run" | "ghost",
  ): void {
    this.reading = this.reading.then(() => this.readNow(name, open, size, as()));
  }

  private async readNow(
    name: string,
    open: () => Promise<ReadableStream<Uint8Array>>,
    size: number,
    as: "run" | "ghost",
  ): Promise<void> {
    const show = (bytes: number) =>
      setText(
        this.progress,
        `reading ${name}: ${(bytes / 1e6).toFixed(0)}${size ? ` of ${(size / 1e6).toFixed(0)}` : ""} MB`,
      );
    try {
      show(0);
      const recording = await readRecording(name, await open(), show);
      this.onTrouble(recording.warning);
      this.onRead(recording, as);
    } catch (error) {
      this.onTrouble((error as Error).message);
    }
    setText(this.progress, "");
    await this.refresh();
  }
}
