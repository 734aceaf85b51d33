// What a client of the protocol of Foxglove asks of a session: services, and parameters of the model.
import type { Message, Tactus } from "./tactus";

/** Capabilities of the server info that parameters need. */
export const PARAMETERS = ["parameters", "parametersSubscribe"];
const CALL = 2; // opcode of a request, and of its response plus one
const RESPONSE = 3;
const HEAD = 13; // bytes of a request or a response before its encoding
const WATCH_MS = 1000; // parameters that others set reach a subscriber within this time
const NAMES_LIMIT = 4096; // parameters of one message

const object = (properties: object) => JSON.stringify({ type: "object", properties });
const NOTHING = object({});
const SESSION = object({ state: { type: "string" }, tick: { type: "number" }, sim_time_s: { type: "number" } });

interface Service {
  name: string;
  call: string;
  request: string;
}

const KNOWN: readonly Service[] = [
  { name: "/start", call: "StartSession", request: NOTHING },
  { name: "/pause", call: "PauseSession", request: NOTHING },
  { name: "/step", call: "StepSession", request: object({ ticks: { type: "number" } }) },
  { name: "/reset", call: "ResetSession", request: NOTHING },
  { name: "/time", call: "GetSession", request: NOTHING },
  { name: "/safe_state", call: "EnterSafeState", request: NOTHING },
];

/** As `advertiseServices` lists them; the id is the place in the list plus one. */
export const SERVICES = KNOWN.map(({ name, request }, index) => {
  const schema = (kind: string, text: string) => ({
    encoding: "json",
    schemaName: `tactus${name}_${kind}`,
    schemaEncoding: "jsonschema",
    schema: text,
  });
  const [asked, answered] = [schema("request", request), schema("response", SESSION)];
  // Applications that are older than `request` and `response` look for these names.
  const older = { requestSchema: request, responseSchema: SESSION };
  return { id: index + 1, name, type: `tactus${name}`, request: asked, response: answered, ...older };
});

interface Value {
  name: string;
  value: number;
  type?: "float64";
}

export class Commands {
  /** Name of the session. A request that comes before the name is known waits for it; it fails if there is no session. */
  session: Promise<string> = Promise.resolve("");
  private readonly subscribed = new Set<string>();
  private everything = false;
  private told = new Map<string, number>();
  private watch: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly tactus: Tactus,
    private readonly say: (message: object) => void,
    private readonly sendBytes: (bytes: Uint8Array) => void,
  ) {}

  knows(op: string): boolean {
    return ["getParameters", "setParameters", "subscribeParameterUpdates", "unsubscribeParameterUpdates"].includes(op);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.watch);
  }

  /** @throws Error with what is wrong, in words */
  async hear(message: Record<string, unknown>): Promise<void> {
    await this.session;
    const id = typeof message.id === "string" ? { id: message.id } : {};
    if (message.op === "setParameters") {
      await this.set(valuesIn(message.parameters));
      this.say({ op: "parameterValues", parameters: await this.values(), ...id });
      return;
    }
    const names = namesIn(message.parameterNames);
    if (message.op === "getParameters")
      this.say({ op: "parameterValues", parameters: await this.values(names), ...id });
    else if (message.op === "subscribeParameterUpdates") await this.subscribe(names);
    else {
      for (const name of names) this.subscribed.delete(name);
      if (names.length === 0) this.subscribed.clear();
      if (names.length === 0) this.everything = false;
    }
  }

  /** Parameters of the model; all of them without names. */
  private async values(names: readonly string[] = []): Promise<Value[]> {
    const { parameters } = (await this.tactus.call("GetParameters", { session: await this.session })) as {
      parameters: { name: string; value: number }[];
    };
    return parameters
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map(({ name, value }) => ({ name, value, type: "float64" }));
  }

  private async set(values: readonly Value[]): Promise<void> {
    const plain = values.map(({ name, value }) => ({ name, value }));
    await this.tactus.call("SetParameters", { session: await this.session, values: plain });
    if (this.watch) await this.tell();
  }

  private async subscribe(names: readonly string[]): Promise<void> {
    for (const name of names) this.subscribed.add(name);
    if (names.length === 0) this.everything = true;
    for (const { name, value } of await this.values()) if (!this.told.has(name)) this.told.set(name, value);
    if (this.closed) return;
    this.watch ??= setInterval(() => this.tell().catch(() => {}), WATCH_MS);
  }

  /** Says which of the subscribed values have changed. */
  private async tell(): Promise<void> {
    const now = await this.values();
    const changed = now.filter(
      ({ name, value }) => (this.everything || this.subscribed.has(name)) && this.told.get(name) !== value,
    );
    for (const { name, value } of now) this.told.set(name, value);
    if (changed.length > 0) this.say({ op: "parameterValues", parameters: changed });
  }

  /** Answers a binary request, or says in words why not. */
  callService(bytes: Buffer): void {
    if (bytes.length < HEAD || bytes.readUInt8(0) !== CALL) {
      const message = "a binary message must be a request of a service; this one is ignored";
      this.say({ op: "status", level: 2, message });
      return;
    }
    const [serviceId, callId] = [bytes.readUInt32LE(1), bytes.readUInt32LE(5)];
    this.answer(serviceId, bytes.subarray(9)).then(
      (reply) => {
        const head = Buffer.alloc(HEAD);
        head.writeUInt8(RESPONSE, 0);
        head.writeUInt32LE(serviceId, 1);
        head.writeUInt32LE(callId, 5);
        head.writeUInt32LE(4, 9);
        this.sendBytes(Buffer.concat([head, Buffer.from(`json${JSON.stringify(reply)}`)]));
      },
      (error: Error) => this.say({ op: "serviceCallFailure", serviceId, callId, message: error.message }),
    );
  }

  /** @param rest  length of the encoding, the encoding, the payload */
  private async answer(serviceId: number, rest: Buffer): Promise<object> {
    const service = KNOWN[serviceId - 1];
    if (service === undefined) throw new Error(`there is no service ${serviceId}`);
    const end = 4 + rest.readUInt32LE(0);
    const encoding = rest.subarray(4, end).toString();
    if (encoding !== "json") throw new Error(`the encoding must be json, and not ${encoding.slice(0, 40)}`);
    const request = requestIn(rest.subarray(end).toString());
    const session = await this.session;
    const ticks = service.call === "StepSession" ? { ticks: ticksIn(request) } : {};
    const reply: Message = await this.tactus.call(service.call, { session, ...ticks });
    const { state, tick, sim_time_ns } = reply;
    return { state, tick: Number(tick), sim_time_s: Number(sim_time_ns) / 1e9 };
  }
}

/** @throws Error unless it is a JSON object, or nothing */
function requestIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // said below
  }
  throw new Error("the request must be a JSON object");
}

/** @throws Error unless the number of ticks is a whole one from 1 on; nothing is one tick */
function ticksIn({ ticks = 1 }: Record<string, unknown>): number {
  if (!Number.isSafeInteger(ticks) || Number(ticks) < 1) throw new Error("ticks must be a whole number from 1 on");
  return Number(ticks);
}

function namesIn(names: unknown): string[] {
  if (names === undefined) return [];
  if (!Array.isArray(names) || names.length > NAMES_LIMIT || !names.every((name) => typeof name === "string"))
    throw new Error("parameterNames must be a list of names");
  return names;
}

function valuesIn(parameters: unknown): Value[] {
  if (!Array.isArray(parameters) || parameters.length > NAMES_LIMIT)
    throw new Error("setParameters needs a list of parameters");
  return parameters.map((entry: { name?: unknown; value?: unknown } | null) => {
    const { name, value } = entry ?? {};
    if (typeof name !== "string" || typeof value !== "number" || !Number.isFinite(value))
      throw new Error(`the parameter ${String(name).slice(0, 64)} must have a finite number as its value`);
    return { name, value };
  });
}
