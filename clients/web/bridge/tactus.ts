// The connection to the server: unary calls by name, streams, and errors in words.
import * as grpc from "@grpc/grpc-js";
import * as loader from "@grpc/proto-loader";
import type { Failure } from "../protocol";

/** What proto-loader makes of a message: snake_case fields, 64-bit integers and enums as text. */
export type Message = Record<string, unknown>;

type UnaryMethod = (
  request: Message,
  metadata: grpc.Metadata,
  options: grpc.CallOptions,
  callback: (error: grpc.ServiceError | null, reply?: Message) => void,
) => grpc.ClientUnaryCall;

interface Methods {
  Observe(request: Message): grpc.ClientReadableStream<Message>;
  Tick(): grpc.ClientDuplexStream<Message, Message>;
  AcknowledgeFrames(callback: (error: grpc.ServiceError | null) => void): grpc.ClientWritableStream<Message>;
}

/** Calls that a page may make. Snapshots stay in the bridge, and recordings are downloaded by path. */
export const CALLS: ReadonlySet<string> = new Set([
  ...["ListModels", "GetModel", "ValidateModel", "LoadModel"],
  ...["CreateSession", "GetSession", "ListSessions", "DeleteSession", "StartSession", "PauseSession", "StepSession"],
  ...["ResetSession", "EnterSafeState", "ClearSafeState", "GetParameters", "SetParameters", "ListSignals"],
  ...["ReadSignals", "GetTimingReport", "GetServerInfo", "StartRecording", "StopRecording", "ListRecordings"],
]);

const CALL_LIMIT_MS = 60_000;
const MESSAGE_LIMIT = 64 * 1024 * 1024;

export class Tactus {
  private readonly client: grpc.Client;
  private acknowledgements: grpc.ClientWritableStream<Message> | undefined;

  /** @param folder  holds tactus/v1/simulation.proto */
  constructor(
    readonly address: string,
    folder: string,
  ) {
    const definition = loader.loadSync("tactus/v1/simulation.proto", {
      includeDirs: [folder],
      keepCase: true,
      longs: String,
      enums: String,
      defaults: true,
      oneofs: true,
    });
    const service = definition["tactus.v1.Simulation"] as grpc.ServiceDefinition;
    const Client = grpc.makeClientConstructor(service, "tactus.v1.Simulation");
    this.client = new Client(address, grpc.credentials.createInsecure(), {
      "grpc.enable_http_proxy": 0,
      "grpc.max_receive_message_length": MESSAGE_LIMIT,
      "grpc.initial_reconnect_backoff_ms": 200,
      "grpc.max_reconnect_backoff_ms": 2000,
    });
  }

  private get methods(): Methods {
    return this.client as unknown as Methods;
  }

  /** @throws Refusal */
  call(name: string, request: Message): Promise<Message> {
    const method = (this.client as unknown as Record<string, UnaryMethod>)[name];
    if (method === undefined) throw new Refusal({ code: "UNIMPLEMENTED", message: `no call is named ${name}` });
    const options = { deadline: Date.now() + CALL_LIMIT_MS };
    return new Promise((resolve, reject) => {
      method.call(this.client, request, new grpc.Metadata(), options, (error, reply) => {
        if (error) reject(new Refusal(this.failureOf(error)));
        else resolve(reply ?? {});
      });
    });
  }

  observe(request: Message): grpc.ClientReadableStream<Message> {
    return this.methods.Observe(request);
  }

  tick(): grpc.ClientDuplexStream<Message, Message> {
    return this.methods.Tick();
  }

  /** Gives an Observe stream credit for frames up to `sequence`. */
  acknowledge(stream: unknown, sequence: unknown): void {
    if (this.acknowledgements === undefined) {
      const call = this.methods.AcknowledgeFrames(() => {
        if (this.acknowledgements === call) this.acknowledgements = undefined;
      });
      call.on("error", () => {
        if (this.acknowledgements === call) this.acknowledgements = undefined;
      });
      this.acknowledgements = call;
    }
    this.acknowledgements.write({ stream_id: stream, sequence });
  }

  failureOf(error: Error): Failure {
    const { code, details, metadata } = error as grpc.ServiceError;
    const name = code === undefined ? "INTERNAL" : (grpc.status[code] ?? "UNKNOWN");
    const failure: Failure = { code: name, message: details || error.message };
    const [bytes] = metadata?.get("tactus-error-bin") ?? [];
    if (bytes instanceof Buffer) Object.assign(failure, textsOf(bytes));
    if (name === "UNAVAILABLE" && failure.reason === undefined)
      failure.message = `no server answers at ${this.address}; start one with: tactus serve`;
    return failure;
  }

  close(): void {
    this.client.close();
  }
}

/** reason, field and hint of an encoded ErrorDetail: its fields 1 to 3 are texts. */
export function textsOf(bytes: Buffer): Partial<Failure> {
  const names = ["", "reason", "field", "hint"] as const;
  const found: Record<string, string> = {};
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; at < bytes.length && shift < 35; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag % 8 !== 2) break; // every field of the message is a text or a message
    const length = varint();
    const name = names[tag >> 3];
    if (name) found[name] = bytes.toString("utf8", at, at + length);
    at += length;
  }
  return found;
}

/** A call that failed, with the words for the page. */
export class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
