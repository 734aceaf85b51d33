// Sessions: list, create, start, pause, step, reset, delete, snapshots; and the parameters of the session that is shown.
import { el, setText } from "./dom";
import type { Link } from "./link";
import type { Model, ParameterState, Session } from "./wire";

const POLL_MS = 2000;
const RENEW_MS = 1000; // between two tries to show a session that cannot be shown
const TICKS = 1e6; // of a step, at most
const MISS_LIMIT = 2 ** 32 - 1; // its field has 32 bits
const CLOCKS = ["REAL_TIME", "FREE_RUN", "SCALED", "LOCKSTEP"];

export function stateWord({ state }: Session): string {
  return state.replace("SESSION_STATE_", "").toLowerCase();
}

/** A session that is replaced by another one under its name may differ in these; a clock and a tick change by themselves. */
function identityOf({ model, inputs, period_ns }: Session): string {
  return JSON.stringify([model, inputs, period_ns]);
}

/** @throws Error unless the text is a number above 0 */
function positiveIn(text: string, what: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0)
    throw new Error(`${what}: give a number above 0, with a decimal point, and not "${text}"`);
  return value;
}

/** @throws Error unless the text is a whole number from `least` to `most` */
function wholeIn(text: string, what: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < least || value > most)
    throw new Error(`${what}: give a whole number from ${least} to ${most}, and not "${text}"`);
  return value;
}

export class Sessions {
  onChoose: (session: Session) => void = () => {};
  onError: (message: string) => void = () => {};
  /** Told about the tick of the shown session, which does not run. */
  onStanding: (session: Session) => void = () => {};
  /** Told why the server does not answer; empty: it does. */
  onAway: (message: string) => void = () => {};
  private sessions: Session[] = [];
  private current = "";
  private shown = ""; // identity of the session `current`
  private renewed = 0;
  private away = false;
  private snapshot: { snapshot: string; tick: string; session: string } | undefined;
  private readonly list = el("select", { id: "session", "aria-label": "Session" });
  private readonly state = el("span", { id: "state" });
  private readonly ticks = el("input", { type: "number", min: 1, value: 1, "aria-label": "Ticks of a step" });
  private readonly restore = el("button", { id: "restore", disabled: true }, "Restore");
  private readonly parameters = el("div", { id: "parameters" });
  private readonly updates = new Map<string, (value: number) => void>(); // of the shown parameters
  private readonly form = el("details", { id: "create" }, el("summary", {}, "New session"));

  constructor(
    parent: HTMLElement,
    private readonly link: Link,
  ) {
    parent.append(el("h2", {}, "Session"), this.list, el("div", { class: "row" }, this.state));
    const button = (id: string, text: string, run: () => Promise<unknown>) => {
      const made = el("button", { id }, text);
      made.onclick = () => this.run(run);
      return made;
    };
    const act = (call: string) => () => this.link.call(call, { session: this.current });
    parent.append(
      el(
        "div",
        { class: "row" },
        button("start", "Start", act("StartSession")),
        button("pause", "Pause", act("PauseSession")),
        button("reset", "Reset", act("ResetSession")),
        button("delete", "Delete", () => this.delete()),
      ),
    );
    const step = button("step", "Step", async () =>
      this.link.call("StepSession", {
        session: this.current,
        ticks: wholeIn(this.ticks.value, "ticks of a step", 1, TICKS),
      }),
    );
    this.ticks.style.width = "70px";
    this.restore.onclick = () =>
      this.run(() =>
        this.link.call("RestoreSnapshot", { session: this.current, snapshot: this.snapshot?.snapshot ?? "" }),
      );
    const keep = button("snapshot", "Snapshot", () => this.saveSnapshot());
    parent.append(el("div", { class: "row" }, step, this.ticks, keep, this.restore), this.form);
    this.list.onchange = () => this.choose(this.list.value);
    this.buildForm();
    setInterval(() => this.refresh(), POLL_MS);
  }

  /** Of the session that is shown. */
  get name(): string {
    return this.current;
  }

  /** The place for sliders of parameters, below the inputs. */
  addParametersTo(parent: HTMLElement): void {
    parent.append(this.parameters);
  }

  async refresh(): Promise<void> {
    try {
      const { sessions } = await this.link.call<{ sessions: Session[] }>("ListSessions");
      this.sessions = sessions;
    } catch (error) {
      this.away = true;
      this.onAway((error as Error).message);
      return;
    }
    if (this.away) this.onAway("");
    this.away = false;
    const names = this.sessions.map(({ name }) => name);
    if ([...this.list.options].map(({ value }) => value).join() !== names.join()) {
      this.list.replaceChildren(
        ...this.sessions.map(({ name, model }) => el("option", { value: name }, `${name}: ${model}`)),
      );
      this.list.value = this.current;
    }
    if (!names.includes(this.current)) this.choose(names[0] ?? "");
    const session = this.sessions.find(({ name }) => name === this.current);
    if (session && identityOf(session) !== this.shown) this.choose(session.name);
    if (session) this.show(session);
    else setText(this.state, "The server has no session. Create one below.");
  }

  /** The shown session has ended, or could not be shown: it is chosen again, if there still is one with its name. */
  renew(): void {
    this.shown = "";
    const wait = Math.max(0, this.renewed + RENEW_MS - performance.now());
    this.renewed = performance.now() + wait;
    setTimeout(() => this.refresh(), wait);
  }

  show(session: Session): void {
    if (session.state !== "SESSION_STATE_RUNNING") this.onStanding(session);
    const text = `${stateWord(session)} at tick ${session.tick}, ${Number(session.period_ns) / 1e6} ms${session.fault ? `: ${session.fault}` : ""}`;
    setText(this.state, text);
    this.state.dataset.state = stateWord(session);
  }

  private choose(name: string): void {
    this.current = name;
    this.list.value = name;
    const session = this.sessions.find((found) => found.name === name);
    this.shown = session ? identityOf(session) : "";
    this.restore.disabled = this.snapshot?.session !== name;
    if (session === undefined) return;
    this.onChoose(session);
    this.loadParameters();
  }

  private async run(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
      this.onError("");
    } catch (error) {
      this.onError((error as Error).message);
    }
    await this.refresh();
  }

  private async delete(): Promise<void> {
    if (!window.confirm(`Delete the session ${this.current}?`)) return;
    await this.link.call("DeleteSession", { session: this.current });
  }

  private async saveSnapshot(): Promise<void> {
    const saved = await this.link.call<{ snapshot: string; tick: string }>("SaveSnapshot", { session: this.current });
    this.snapshot = { ...saved, session: this.current };
    this.restore.disabled = false;
    this.restore.textContent = `Restore tick ${saved.tick}`;
  }

  private buildForm(): void {
    const model = el("input", { type: "text", list: "models", value: "sedan", id: "new-model" });
    const models = el("datalist", { id: "models" });
    const state = el("select", { id: "new-state" });
    const clock = el("select", { id: "new-clock" });
    for (const name of CLOCKS) clock.append(el("option", { value: name }, name.toLowerCase().replace("_", " ")));
    const scale = el("input", { type: "number", value: 1, step: "any", min: 0, id: "new-scale" });
    const period = el("input", { type: "text", placeholder: "that of the model", id: "new-period" });
    const limit = el("input", { type: "number", value: 500, min: 0, id: "new-limit" });
    const loadStates = async () => {
      const none = el("option", { value: "" }, "as declared");
      const chosen = state.value;
      try {
        const { model: found } = await this.link.call<{ model: Model }>("GetModel", { name: model.value });
        state.replaceChildren(none, ...found.initial_conditions.map(({ name }) => el("option", { value: name }, name)));
      } catch {
        state.replaceChildren(none);
      }
      if ([...state.options].some(({ value }) => value === chosen)) state.value = chosen;
    };
    model.onchange = loadStates;
    this.form.ontoggle = async () => {
      if (!this.form.open) return;
      const { models: found } = await this.link.call<{
        models: { name: string; description: string; parameters: string[] }[];
      }>("ListModels");
      models.replaceChildren(
        ...found.map(({ name, parameters, description }) =>
          el("option", { value: parameters.length ? `${name}:${parameters.join(",")}` : name }, description),
        ),
      );
      await loadStates();
    };
    const create = el("button", { id: "create-session" }, "Create and start");
    create.onclick = () =>
      this.run(async () => {
        const lockstep = clock.value === "LOCKSTEP";
        const session = await this.link.call<Session>("CreateSession", {
          model_name: model.value,
          initial_condition: state.value,
          clock: `CLOCK_MODE_${clock.value}`,
          scale: positiveIn(scale.value, "scale"),
          period_ns: period.value.trim() ? Math.round(positiveIn(period.value, "period in ms") * 1e6) : 0,
          ...(lockstep ? {} : { miss_limit: wholeIn(limit.value, "miss limit", 0, MISS_LIMIT) }),
        });
        if (clock.value !== "LOCKSTEP") await this.link.call("StartSession", { session: session.name });
        this.current = session.name;
        this.sessions.push(session);
        this.choose(session.name);
      });
    const field = (text: string, input: HTMLElement) => el("label", { class: "field" }, text, input);
    this.form.append(
      models,
      field("model", model),
      field("start at", state),
      field("clock", clock),
      field("scale", scale),
      field("period, ms", period),
      field("miss limit", limit),
      create,
    );
  }

  /** A reset, a snapshot or another client may have changed the values. */
  async updateParameters(): Promise<void> {
    const { current } = this;
    const report = await this.link
      .call<{ parameters: ParameterState[] }>("GetParameters", { session: current })
      .catch(() => undefined); // a session that is gone is shown by refresh()
    if (current !== this.current) return;
    for (const { name, value } of report?.parameters ?? []) this.updates.get(name)?.(value);
  }

  private async loadParameters(): Promise<void> {
    const { current } = this;
    try {
      const report = await this.link.call<{ parameters: ParameterState[] }>("GetParameters", { session: current });
      if (current !== this.current) return;
      this.updates.clear();
      const sliders = report.parameters.map((parameter) => this.parameter(parameter));
      this.parameters.replaceChildren(...(sliders.length > 0 ? [el("h2", {}, "Parameters"), ...sliders] : []));
    } catch {
      this.parameters.replaceChildren();
    }
  }

  private parameter({ name, unit: word, description, value, minimum, maximum }: ParameterState): HTMLElement {
    const unit = word === "1" ? "" : word;
    const number = el("span", { "data-parameter": name }, "");
    const show = (next: number) => setText(number, `${Number(next.toPrecision(6))} ${unit}`);
    const send = (next: number) =>
      this.run(async () => {
        const request = { session: this.current, values: [{ name, value: next }] };
        const report = await this.link.call<{ parameters: ParameterState[] }>("SetParameters", request);
        // What the server has now, not what was asked for.
        show(report.parameters.find((one) => one.name === name)?.value ?? next);
      });
    const ranged = minimum !== undefined && maximum !== undefined;
    const input = ranged
      ? el("input", { type: "range", min: minimum, max: maximum, step: "any", "aria-label": name })
      : el("input", { type: "number", step: "any", "aria-label": name });
    const update = (next: number) => {
      show(next);
      // A user who moves the slider or types keeps that value.
      if (document.activeElement !== input) input.value = String(next);
    };
    update(value);
    this.updates.set(name, update);
    input.onchange = () => {
      // A number field gives an empty text for whatever is no number.
      if (input.value !== "") send(Number(input.value));
      else this.onError(`${name} must be a number; its value was kept`);
    };
    const head = el("div", { class: "head" }, el("span", { title: description }, name), number);
    return el("div", { class: "slider" }, head, input);
  }
}
