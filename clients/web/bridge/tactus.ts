// The connection to the server: unary calls by name, streams, and errors in words.
import { readFileSync, statSync } from "node:fs";
import { isIPv4 } from "node:net";
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
  DownloadRecording(request: Message): grpc.ClientReadableStream<Message>;
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
  private readonly errorDetail: loader.MessageTypeDefinition<object, object>;
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
    this.errorDetail = definition["tactus.v1.ErrorDetail"] as loader.MessageTypeDefinition<object, object>;
    const Client = grpc.makeClientConstructor(service, "tactus.v1.Simulation");
    const { channel, token } = credentialsOf(process.env, address);
    this.client = new Client(address, channel, {
      interceptors: token ? [tokenAdder(token)] : [],
      "grpc.enable_http_proxy": 0,
      "grpc.max_receive_message_length": MESSAGE_LIMIT,
      "grpc.initial_reconnect_backoff_ms": 200,
      "grpc.max_reconnect_backoff_ms": 2000,
      // A host that vanishes ends no connection by itself.
      "grpc.keepalive_time_ms": 10_000,
      "grpc.keepalive_timeout_ms": 5_000,
      "grpc.keepalive_permit_without_calls": 1,
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

  download(recording: string): grpc.ClientReadableStream<Message> {
    return this.methods.DownloadRecording({ name: recording });
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

  /**
   * What went wrong in words. A server that ends cancels the calls that remain, and its status then says CANCELLED without
   * a reason: such a call has lost its server, because the bridge asks about no call that it cancelled itself.
   */
  failureOf(error: Error): Failure {
    const { code, details, metadata } = error as grpc.ServiceError;
    const name = code === undefined ? "INTERNAL" : (grpc.status[code] ?? "UNKNOWN");
    const failure: Failure = { code: name, message: details || error.message };
    const [bytes] = metadata?.get("tactus-error-bin") ?? [];
    if (bytes instanceof Buffer) {
      const { reason, field, hint } = this.errorDetail.deserialize(bytes) as Record<
        "reason" | "field" | "hint",
        string
      >;
      Object.assign(failure, { reason, field, hint });
    }
    if (failure.reason === undefined && name === "CANCELLED")
      return { code: "UNAVAILABLE", message: `the server at ${this.address} has ended the call` };
    if (failure.reason === undefined && name === "UNAVAILABLE")
      failure.message = `no server answers at ${this.address}; start one with: tactus serve`;
    return failure;
  }

  close(): void {
    this.client.close();
  }
}

/** The content of a file that is its owner's alone. @throws Error */
export function secretOf(path: string): Buffer {
  if (statSync(path).mode & 0o077) throw new Error(`${path}: its group or others have access to this secret`);
  return readFileSync(path);
}

/** A name may begin like an address: 127.example.com is another host. */
function staysOnThisHost(address: string): boolean {
  const host = address.replace(/:\d*$/, "");
  return address.startsWith("unix:") || ["localhost", "[::1]"].includes(host) || (isIPv4(host) && /^127\./.test(host));
}

/** TLS with TACTUS_TLS_CA, TACTUS_TLS_CERT and TACTUS_TLS_KEY, else plaintext; the token in TACTUS_TOKEN_FILE. */
function credentialsOf(
  environment: NodeJS.ProcessEnv,
  address: string,
): { channel: grpc.ChannelCredentials; token: string } {
  const { TACTUS_TLS_CA: ca, TACTUS_TLS_CERT: cert, TACTUS_TLS_KEY: key, TACTUS_TOKEN_FILE: file } = environment;
  const token = file ? secretOf(file).toString().trim() : "";
  if (!ca && token && !staysOnThisHost(address))
    throw new Error("a token must not go to another host in plaintext: set TACTUS_TLS_CA");
  if (!ca) return { channel: grpc.credentials.createInsecure(), token };
  const [chain, secret] = cert && key ? [readFileSync(cert), secretOf(key)] : [null, null];
  return { channel: grpc.credentials.createSsl(readFileSync(ca), secret, chain), token };
}

/** Puts a token into every call. */
function tokenAdder(token: string): grpc.Interceptor {
  return (options, next) =>
    new grpc.InterceptingCall(next(options), {
      start: (metadata, listener, start) => {
        metadata.set("authorization", `Bearer ${token}`);
        start(metadata, listener);
      },
    });
}

/** A call that failed, with the words for the page. */
export class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
