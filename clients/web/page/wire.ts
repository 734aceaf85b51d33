// Messages of tactus.v1 as the bridge passes them on: the fields that the page reads.

export interface Session {
  name: string;
  model: string;
  state: string;
  clock: string;
  scale: number;
  period_ns: string;
  tick: string;
  sim_time_ns: string;
  fault: string;
  input_mode: string;
  safe_state: string;
  miss_limit: number;
  observers: number;
  inputs: string[];
  groups: { name: string; inputs: string[]; controller: string; mode: string }[];
}

export interface Signal {
  name: string;
  unit: string;
  causality: string;
  description: string;
  minimum?: number;
  maximum?: number;
}

export interface PhaseTiming {
  phase: string;
  count: string;
  p50_ns: string;
  p99_ns: string;
  p999_ns: string;
  maximum_ns: string;
}

export interface TimingReport {
  clock: string;
  ticks: string;
  missed_deadlines: string;
  overruns: string;
  held_ticks: string;
  input_losses: string;
  phases: PhaseTiming[];
  late_ticks: { cause: string; count: string }[];
  worst_late: { tick: string; lost_ns: string; cause: string } | null;
}

export interface ParameterState {
  name: string;
  unit: string;
  description: string;
  value: number;
  minimum?: number;
  maximum?: number;
}

export type Vector = number[];

export interface Body {
  name: string;
  mass: number;
  inertia: { xx: number; yy: number; zz: number } | null;
  /** Absent in recordings of a version that had none. */
  visuals?: Visual[];
}

/** A declared shape: one of the fields from `box` on is set. */
export interface Visual {
  name: string;
  position: Vector;
  orientation: Vector;
  color: Vector;
  opacity?: number;
  box?: { sides: Vector } | null;
  sphere?: { radius: number } | null;
  cylinder?: { radius: number; length: number } | null;
  capsule?: { radius: number; length: number } | null;
  tube?: { outer_radius: number; inner_radius: number; length: number } | null;
  prism?: { outline: number[]; length: number } | null;
  mesh?: { hash: string; scale?: number } | null;
}

/** The content of a mesh. The bridge leaves the content to /meshes/HASH. */
export interface Mesh {
  hash: string;
  format: string;
  /** base64 */
  content: string;
}

export interface Kind {
  name: string;
  /** Name of the field that holds the element. */
  kind: string;
  [field: string]: unknown;
}

export interface Joint extends Kind {
  body_1: string;
  body_2: string;
}

export interface Grid {
  along: number;
  across: number;
  spacing: number;
  columns: number;
  values: number[];
  across_spacing?: number;
}

/** Points x, y at equal steps of the way along the road, in its plane. */
export interface RoadLine {
  start: number;
  spacing: number;
  points: number[];
  closed: boolean;
}

/** A painted line: way along the road and position to its left, point by point. */
export interface RoadMark {
  points: number[];
  width?: number;
  color: number[];
  dash: number;
  gap: number;
}

export interface Road {
  name: string;
  origin: Vector;
  up: Vector;
  along: Vector;
  half_cylinders: { position: number; radius: number }[];
  heights: Grid | null;
  line: RoadLine | null;
  /** Absent in recordings of a version that had none. */
  marks?: RoadMark[];
}

export interface Actuator extends Kind {
  description: string;
  unit: string;
  group: string;
  initial: number;
  minimum?: number;
  maximum?: number;
}

export interface Model {
  name: string;
  description: string;
  gravity: Vector;
  bodies: Body[];
  joints: Joint[];
  forces: Kind[];
  composites: Kind[];
  roads: Road[];
  actuators: Actuator[];
  initial_conditions: { name: string; description: string }[];
  /** Absent in recordings of a version that had none. */
  meshes?: Mesh[];
}
