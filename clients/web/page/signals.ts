// The tree of signals with units; a tick plots a signal.
import { el } from "./dom";
import type { Plots } from "./plots";
import type { Signal } from "./wire";

const SHOWN = 400; // signals of a search at most

export class SignalTree {
  private signals: readonly Signal[] = [];
  private readonly search = el("input", { type: "search", placeholder: "Search signals ( / )", id: "search" });
  private readonly tree = el("div", { id: "tree" });

  constructor(
    parent: HTMLElement,
    private readonly plots: Plots,
  ) {
    parent.append(el("h2", {}, "Signals"), this.search, this.tree);
    this.search.oninput = () => this.build();
    plots.onChange = () => this.mark();
  }

  open(signals: readonly Signal[]): void {
    this.signals = signals;
    this.build();
  }

  /** Shows the signals of an element. */
  find(element: string): void {
    this.search.value = element ? `${element}.` : "";
    this.build();
  }

  focus(): void {
    this.search.focus();
  }

  private build(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.signals.filter(({ name, description, unit }) =>
      words.every((word) => `${name} ${description} ${unit}`.toLowerCase().includes(word)),
    );
    const groups = new Map<string, Signal[]>();
    for (const signal of found) {
      const [element = "", ...rest] = signal.name.split(".");
      const key = rest.length > 0 ? element : signal.causality === "CAUSALITY_INPUT" ? "inputs" : "sensors";
      groups.set(key, [...(groups.get(key) ?? []), signal]);
    }
    const few = words.length > 0 && found.length <= SHOWN;
    this.tree.replaceChildren(
      ...[...groups].map(([name, signals]) =>
        this.branch(name, signals, few || name === "inputs" || name === "sensors"),
      ),
    );
    if (found.length === 0) this.tree.append(el("p", { class: "dim" }, "No signal has these words."));
  }

  /** The leaves of a branch are made when it opens. */
  private branch(name: string, signals: Signal[], open: boolean): HTMLElement {
    const branch = el("details", { open }, el("summary", {}, `${name} (${signals.length})`));
    const fill = () => {
      if (branch.open && branch.childElementCount === 1) branch.append(...signals.map((signal) => this.leaf(signal)));
    };
    branch.addEventListener("toggle", fill);
    fill();
    return branch;
  }

  private leaf({ name, unit, description }: Signal): HTMLElement {
    const box = el("input", { type: "checkbox", value: name });
    box.checked = this.plots.has(name);
    box.onchange = () => this.plots.toggle(name, box.checked);
    const leaf = el("label", { title: description, draggable: "true" }, box, name);
    leaf.append(el("span", { class: "unit" }, unit === "1" ? "" : unit));
    leaf.ondragstart = (event) => event.dataTransfer?.setData("text/plain", name);
    return leaf;
  }

  private mark(): void {
    for (const box of this.tree.querySelectorAll<HTMLInputElement>("input")) box.checked = this.plots.has(box.value);
  }
}
