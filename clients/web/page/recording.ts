// A recorded run: the rows of an MCAP file of Tactus (proto/tactus/v1/recording.proto) in the form of live rows.
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { McapStreamReader } from "@mcap/core";
import { HEAD } from "../protocol";
import { inModel, loadMeshes } from "./meshes";
import { PoseLayout } from "./poses";
import { Types } from "./protobuf";
import type { Model, Signal } from "./wire";

const VALUES_KEPT = 2 ** 25; // 256 MiB; of a longer recording, every second row is dropped, again and again
const ROWS_OF_BLOCK = 1024;

/** The file is not a recording, or is damaged. */
export class BadRecording extends Error {}

interface Values {
  tick: number;
  values: Float64Array;
}

/** What is read of tactus.v1.RecordingSetup. */
interface Setup {
  model: Model;
  model_hash: string;
  settings: { period_ns: string };
}

interface Channel {
  topic: string;
  types: Types;
  type: string;
  units: Map<string, string>;
  /** Names of the values behind the tick, and the index of each by the number of its field. */
  names: string[];
  places: number[];
}

export class Recording {
  model: Model | undefined;
  modelHash = "";
  signals: Signal[] = [];
  /** Undefined if the recording lacks the pose of a body. */
  layout: PoseLayout | undefined;
  /** What is wrong with the file although its rows can be played; empty: nothing. */
  warning = "";
  /** Every how many recorded rows one is kept. */
  stride = 1;
  private blocks: Float64Array[] = [];
  private times: number[] = [];
  private columns: number = HEAD.length;
  private offered = 0;

  constructor(
    readonly name: string,
    private readonly valuesKept = VALUES_KEPT,
  ) {}

  get length(): number {
    return this.times.length;
  }

  /** Simulated time of a row since the start of the session, s; goes on after a reset within the recording. */
  time(index: number): number {
    return (this.times[index] ?? 0) / 1e9;
  }

  /** The same in ns: a whole number, equal for equal ticks of two recordings. */
  nanoseconds(index: number): number {
    return this.times[index] ?? 0;
  }

  /** Columns of HEAD, then one value for each signal. */
  row(index: number): Float64Array {
    const block = this.blocks[Math.floor(index / ROWS_OF_BLOCK)] ?? new Float64Array();
    const start = (index % ROWS_OF_BLOCK) * this.columns;
    return block.subarray(start, start + this.columns);
  }

  /** Index of the last row at or before a time; 0 before the first one. */
  indexAt(time: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.time(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  columnOf(name: string): number {
    const index = this.signals.findIndex((signal) => signal.name === name);
    return index < 0 ? -1 : HEAD.length + index;
  }

  /** Values of a signal at all rows. */
  values(name: string): number[] {
    const column = this.columnOf(name);
    return this.times.map((_, index) => this.row(index)[column] ?? Number.NaN);
  }

  setSignals(signals: Signal[]): void {
    this.signals = signals;
    this.columns = HEAD.length + signals.length;
  }

  add(nanoseconds: number, head: readonly number[], signals: Float64Array, inputs: readonly number[]): void {
    if (this.offered++ % this.stride !== 0) return;
    if ((this.length + 1) * this.columns > this.valuesKept) {
      this.thinOut();
      if ((this.offered - 1) % this.stride !== 0) return;
    }
    const index = this.length;
    if (index % ROWS_OF_BLOCK === 0) this.blocks.push(new Float64Array(ROWS_OF_BLOCK * this.columns));
    this.times.push(nanoseconds);
    const row = this.row(index);
    row.set(head);
    row.set(signals, HEAD.length);
    row.set(inputs, HEAD.length + signals.length);
  }

  private thinOut(): void {
    const kept = Math.ceil(this.length / 2);
    for (let index = 0; index < kept; ++index) {
      this.row(index).set(this.row(2 * index));
      this.times[index] = this.times[2 * index] ?? 0;
    }
    this.times.length = kept;
    this.blocks.length = Math.ceil(kept / ROWS_OF_BLOCK);
    this.stride *= 2;
  }

  /** Finds out whether the bodies can be drawn. */
  finish(): void {
    const layout = new PoseLayout(this.signals.map(({ name }) => name));
    const missing = this.model?.bodies.filter(({ name }) => !layout.bodies.includes(name)) ?? [];
    if (missing.length === 0 && layout.bodies.length > 0) this.layout = layout;
  }
}

/** Takes the records of a file one after the other. */
class Assembler {
  private readonly schemas = new Map<number, { name: string; data: Uint8Array }>();
  private readonly channels = new Map<number, Channel>();
  private inputNames: string[] = [];
  private signalNames: string[] = [];
  private signals: Values = { tick: -1, values: new Float64Array() };
  private inputs: Values = { tick: -1, values: new Float64Array() };
  private heldInputs: number[] = []; // columns of inputs that are no recorded signals
  private period = 0;
  private first: { nanoseconds: number; log: bigint } | undefined;

  constructor(private readonly recording: Recording) {}

  take(record: NonNullable<ReturnType<McapStreamReader["nextRecord"]>>): void {
    if (record.type === "Schema") this.schemas.set(record.id, record);
    else if (record.type === "Channel") this.addChannel(record);
    else if (record.type === "Message") {
      const channel = this.channels.get(record.channelId);
      if (channel) this.addMessage(channel, record.data, record.logTime, record.publishTime);
    }
  }

  get isRecording(): boolean {
    return this.recording.model !== undefined;
  }

  private addChannel(channel: { id: number; schemaId: number; topic: string; metadata: Map<string, string> }): void {
    const schema = this.schemas.get(channel.schemaId);
    if (schema === undefined || this.channels.has(channel.id)) return;
    const types = new Types(schema.data);
    const [, ...fields] = types.fieldsOf(schema.name); // the first field is the tick
    const names = fields.map(({ name }) => name);
    const places: number[] = [];
    fields.forEach(({ number }, index) => {
      places[number] = index;
    });
    const { topic, metadata: units } = channel;
    this.channels.set(channel.id, { topic, types, type: schema.name, units, names, places });
    if (channel.topic === "/inputs") this.inputNames = names;
    if (channel.topic === "/signals") this.signalNames = names;
    if (channel.topic === "/inputs" || channel.topic === "/signals") this.nameSignals();
  }

  private nameSignals(): void {
    const recorded = new Set(this.signalNames);
    const held = this.inputNames.flatMap((name, index) => (recorded.has(name) ? [] : [{ name, index }]));
    this.heldInputs = held.map(({ index }) => index);
    const units = new Map([...this.channels.values()].flatMap((channel) => [...channel.units]));
    const inputs = new Set(this.inputNames);
    this.recording.setSignals(
      [...this.signalNames, ...held.map(({ name }) => name)].map((name) => ({
        name,
        unit: units.get(name) ?? "",
        causality: inputs.has(name) ? "CAUSALITY_INPUT" : "CAUSALITY_OUTPUT",
        description: "recorded",
      })),
    );
  }

  private addMessage(channel: Channel, data: Uint8Array, log: bigint, publish: bigint): void {
    const { topic, types, type } = channel;
    if (topic === "/setup") {
      const setup = types.decode(type, data) as unknown as Setup;
      this.recording.model = setup.model;
      this.recording.modelHash = setup.model_hash;
      this.period = Number(setup.settings.period_ns);
    } else if (topic === "/signals") this.signals = valuesOf(data, channel);
    else if (topic === "/inputs") this.inputs = valuesOf(data, channel);
    else if (topic === "/tick") this.addTick(data, log, publish);
  }

  private addTick(data: Uint8Array, log: bigint, publish: bigint): void {
    const numbers = [0, 0, 0, 0, 0, 0];
    const reader = new BinaryReader(data);
    while (reader.pos < reader.len) {
      const [number, wire] = reader.tag();
      if (wire === WireType.Varint && number < numbers.length) numbers[number] = Number(reader.uint64());
      else reader.skip(wire, number);
    }
    const [, tick = 0, , flags = 0, sequence = 0, firstTick = 0] = numbers;
    if (this.signalNames.length > 0 && this.signals.tick !== tick) return;
    this.first ??= { nanoseconds: tick * this.period, log };
    const nanoseconds = this.first.nanoseconds + Number(log - this.first.log);
    const head = [tick, (tick * this.period) / 1e9, Number(publish) / 1e6, sequence, tick - firstTick, flags, 0, 0, 0];
    const held = this.heldInputs.map((index) => this.inputs.values[index] ?? 0);
    this.recording.add(nanoseconds, head, this.signals.values, held);
  }
}

/**
 * Reads `int64 tick = 1` and the doubles behind it.
 * @throws Error unless each value is there
 */
function valuesOf(data: Uint8Array, { topic, names, places }: Channel): Values {
  const values = new Float64Array(names.length);
  let [tick, found] = [0, 0];
  const reader = new BinaryReader(data);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const place = places[number];
    if (number === 1 && wire === WireType.Varint) tick = Number(reader.int64());
    else if (wire === WireType.Bit64 && place !== undefined) {
      values[place] = reader.double();
      ++found;
    } else reader.skip(wire, number);
  }
  if (found !== names.length) throw new Error(`a message of ${topic} has ${found} of ${names.length} values`);
  return { tick, values };
}

/**
 * Reads a recording up to its end, or up to where it is damaged: then the rows before that place remain, with a warning.
 * @param onBytes  is told how many bytes have been read
 * @throws BadRecording if there is nothing to play
 */
export async function readRecording(
  name: string,
  stream: ReadableStream<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): Promise<Recording> {
  const recording = new Recording(name);
  const assembler = new Assembler(recording);
  const records = new McapStreamReader();
  const bytes = stream.getReader();
  let [count, damage] = [0, ""];
  try {
    for (let part = await bytes.read(); !part.done; part = await bytes.read()) {
      records.append(part.value);
      for (let record = records.nextRecord(); record; record = records.nextRecord()) assembler.take(record);
      count += part.value.length;
      onBytes(count);
    }
    if (!records.done()) damage = "the file ends early: it was cut off, or its recorder was";
  } catch (error) {
    damage = (error as Error).message;
    bytes.cancel().catch(() => {});
  }
  if (!assembler.isRecording)
    throw new BadRecording(
      `${name} is not a recording of Tactus${damage ? ` (${damage})` : ""}; choose an MCAP file that tactus has recorded`,
    );
  if (recording.length === 0)
    throw new BadRecording(`${name} has no tick${damage ? ` (${damage})` : ""}; record it again`);
  recording.finish();
  const last = recording.row(recording.length - 1)[0] ?? 0;
  if (damage) recording.warning = `${name} can be read up to tick ${last} only: ${damage}.`;
  if (recording.model) recording.warning += await loadMeshes(recording.model, inModel);
  return recording;
}
