// The session that the page shows: its model, its signals, and the rows of its poses.
import type { Link } from "./link";
import { keepSession } from "./loaded_meshes";
import { fromBridge, loadMeshes } from "./meshes";
import { FRAMES_PER_SECOND, PoseBuffer, PoseLayout } from "./poses";
import type { Model, Session, Signal } from "./wire";

/** What the scene needs: globs, and endings that a signal must have. The server refuses a glob that no signal has. */
const POSE_SIGNALS = [
  { glob: "*.r.[xyz]", ending: ".r.x" },
  { glob: "*.p.e[0123]", ending: ".p.e0" },
  { glob: "*.load", ending: ".load" },
  { glob: "*.longitudinal", ending: ".longitudinal" },
  { glob: "*.lateral", ending: ".lateral" },
];
const REACTION_SIGNALS = { glob: "*.force.[xyz]", ending: ".force.x" };

export class Live {
  model: Model | undefined;
  layout: PoseLayout | undefined;
  signals: Signal[] = [];
  readonly poses = new PoseBuffer();
  /** Told about the model of a session that is opened; its signals are known. */
  onOpen: (session: Session, model: Model) => void = () => {};
  /** Told that rows of another layout follow: what was drawn is out of date. */
  onLayout: () => void = () => {};
  onTrouble: (message: string) => void = () => {};
  /** Told that the session has ended, or may be another one than before, or could not be opened. */
  onEnd: () => void = () => {};
  private session: Session | undefined;
  private stop: (() => void) | undefined;
  private withReactions = false;
  private asking = false;
  private known: { text: string; model: Model } | undefined;
  private lasting = ""; // what stays wrong with the pictures of this session

  constructor(private readonly link: Link) {}

  async open(session: Session): Promise<void> {
    this.stop?.();
    this.poses.clear();
    this.session = session;
    this.layout = undefined;
    this.model = undefined;
    this.onLayout();
    try {
      const [found, directory] = await Promise.all([
        this.link.call<{ model: Model }>("GetModel", { session: session.name }),
        this.link.call<{ signals: Signal[] }>("ListSignals", { session: session.name }),
      ]);
      const trouble = await loadMeshes(found.model, fromBridge);
      if (this.session !== session) return;
      this.lasting = trouble;
      keepSession((found.model.meshes ?? []).map(({ hash }) => hash));
      this.model = this.same(found.model);
      this.signals = directory.signals;
      this.onOpen(session, this.model);
    } catch (error) {
      if (this.session !== session) return;
      this.onTrouble((error as Error).message);
      this.onEnd();
      return;
    }
    this.observe();
  }

  /** The model before if this one is equal: the picture then keeps its camera. */
  private same(model: Model): Model {
    const text = JSON.stringify(model);
    if (this.known?.text !== text) this.known = { text, model };
    return this.known.model;
  }

  /** What stays wrong with the pictures of this session; empty: nothing. */
  get trouble(): string {
    return this.lasting;
  }

  set reactions(on: boolean) {
    if (on === this.withReactions) return;
    this.withReactions = on;
    if (this.model) this.observe();
  }

  /** A stream begins with the current state, also of a session that does not tick. */
  observe(): void {
    if (this.session === undefined) return;
    this.stop?.();
    const { wanted: signals } = this;
    let gap = false;
    this.stop = this.link.observe(
      { session: this.session.name, signals, rate: FRAMES_PER_SECOND, all: false },
      {
        layout: (names) => {
          this.poses.clear();
          if (gap) {
            // The server may have started again with another model.
            this.layout = undefined;
            this.onEnd();
            return;
          }
          this.layout = new PoseLayout(names);
          this.onLayout();
          this.onTrouble(this.lasting);
        },
        rows: (rows) => this.poses.add(rows),
        gap: (message) => {
          gap = true;
          this.onTrouble(message);
          this.poses.clear();
        },
        ended: (message) => {
          this.onTrouble(message);
          this.onEnd();
        },
      },
    );
  }

  private get wanted(): string[] {
    const present = (ending: string) => this.signals.some(({ name }) => name.endsWith(ending));
    const wanted = this.withReactions ? [...POSE_SIGNALS, REACTION_SIGNALS] : POSE_SIGNALS;
    return wanted.filter(({ ending }) => present(ending)).map(({ glob }) => glob);
  }

  /**
   * Frames come every 17 ms or so. Shows the very tick at which a session stands: a stream of its own begins with it.
   * @param tick  of the session
   */
  standAt(tick: number): void {
    const { session } = this;
    if (session === undefined || this.asking || this.poses.newest?.[0] === tick) return;
    this.asking = true;
    const end = () => {
      this.asking = false;
      stop();
    };
    const options = { session: session.name, signals: this.wanted, rate: FRAMES_PER_SECOND, all: true };
    const stop = this.link.observe(options, {
      layout: () => {},
      rows: (rows) => {
        if (session === this.session) this.poses.add(rows);
        end();
      },
      gap: end,
      ended: end,
    });
  }

  /** The row to draw now. */
  sample(): Float64Array | undefined {
    return this.layout && this.poses.sample(this.layout);
  }
}
