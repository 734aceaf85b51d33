// Reads a recording with the reader of the MCAP project and prints what it finds as JSON: by the index, as players do,
// and once more from front to back with every checksum. Schemas and messages are printed in base64, undecoded.
import { open, readFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";

const path = process.argv[2];
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** Random access to an open file, as McapIndexedReader wants it. */
class FileReadable {
  #handle;
  constructor(handle) {
    this.#handle = handle;
  }
  async size() {
    return BigInt((await this.#handle.stat()).size);
  }
  async read(offset, size) {
    const bytes = new Uint8Array(Number(size));
    await this.#handle.read({ buffer: bytes, offset: 0, length: Number(size), position: Number(offset) });
    return bytes;
  }
}

async function byIndex() {
  const handle = await open(path);
  const reader = await McapIndexedReader.Initialize({ readable: new FileReadable(handle) });
  const messages = [];
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    messages.push({
      topic: channel.topic,
      log_time: message.logTime.toString(),
      sequence: message.sequence,
      data: base64(message.data),
    });
  }
  const channels = [...reader.channelsById.values()].map((channel) => {
    const schema = reader.schemasById.get(channel.schemaId);
    return {
      topic: channel.topic,
      encoding: channel.messageEncoding,
      metadata: Object.fromEntries(channel.metadata),
      schema: { name: schema.name, encoding: schema.encoding, data: base64(schema.data) },
    };
  });
  const metadata = [];
  for await (const record of reader.readMetadata()) {
    metadata.push({ name: record.name, entries: Object.fromEntries(record.metadata) });
  }
  await handle.close();
  return { channels, messages, metadata, message_count: reader.statistics.messageCount.toString() };
}

async function fromFrontToBack() {
  const reader = new McapStreamReader({ includeChunks: true, validateCrcs: true });
  reader.append(await readFile(path));
  const records = {};
  const messages = [];
  for (let record; (record = reader.nextRecord()); ) {
    records[record.type] = (records[record.type] ?? 0) + 1;
    if (record.type === "Message") {
      messages.push(base64(record.data));
    }
  }
  return { complete: reader.done(), records, messages };
}

console.log(JSON.stringify({ indexed: await byIndex(), streamed: await fromFrontToBack() }));
