// Reads protobuf messages by the descriptors that a file carries (google/protobuf/descriptor.proto), into the form that
// the bridge gives messages: fields by their names, 64-bit integers and enum values as text, defaults filled in.

export type Decoded = Record<string, unknown>;

/** A message ends in the middle of a field, or has a wire type that no current message uses. */
export class Unreadable extends Error {}

/** Numbers of FieldDescriptorProto.Type. */
const TYPE = { double: 1, float: 2, int64: 3, uint64: 4, int32: 5, fixed64: 6, bool: 8, string: 9 } as const;
const MESSAGE = 11;
const BYTES = 12;
const UINT32 = 13;
const ENUM = 14;

interface FieldType {
  name: string;
  jsonName: string;
  number: number;
  type: number;
  typeName: string;
  repeated: boolean;
  oneof: string | undefined;
}

interface MessageType {
  fields: FieldType[];
}

/** Steps over the fields of a message. */
export class Fields {
  number = 0;
  wire = 0;
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly data: Uint8Array) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  /** @returns false at the end */
  next(): boolean {
    if (this.at >= this.data.length) return false;
    const tag = this.count();
    this.number = Math.floor(tag / 8);
    this.wire = tag % 8;
    return true;
  }

  /** A varint below 2^53, without the cost of a bigint. */
  count(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const byte = this.data[this.at++];
      if (byte === undefined) break;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    throw new Unreadable("a message ends in the middle of a number");
  }

  get done(): boolean {
    return this.at >= this.data.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.data[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Unreadable("a message ends in the middle of a number");
  }

  double(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  float(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  fixed64(): bigint {
    return this.view.getBigUint64(this.take(8), true);
  }

  bytes(): Uint8Array {
    const length = this.count();
    const start = this.take(length);
    return this.data.subarray(start, start + length);
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  skip(): void {
    if (this.wire === 0) this.varint();
    else if (this.wire === 1) this.take(8);
    else if (this.wire === 2) this.bytes();
    else if (this.wire === 5) this.take(4);
    else throw new Unreadable(`a message has a field of wire type ${this.wire}`);
  }

  private take(count: number): number {
    const start = this.at;
    if (start + count > this.data.length) throw new Unreadable("a message ends in the middle of a field");
    this.at += count;
    return start;
  }
}

/** The message types of a FileDescriptorSet. */
export class Types {
  private readonly messages = new Map<string, MessageType>();
  private readonly enums = new Map<string, Map<number, string>>();

  /** @throws Unreadable */
  constructor(descriptorSet: Uint8Array) {
    each(descriptorSet, { 1: (set) => this.addFile(set.bytes()) });
  }

  private addFile(file: Uint8Array): void {
    let place = "";
    each(file, {
      2: (fields) => {
        place = `.${fields.text()}`;
      },
    });
    each(file, {
      4: (fields) => this.addMessage(fields.bytes(), place),
      5: (fields) => this.addEnum(fields.bytes(), place),
    });
  }

  private addMessage(message: Uint8Array, place: string): void {
    let name = "";
    const fields: (FieldType & { oneofIndex: number | undefined })[] = [];
    const oneofs: string[] = [];
    each(message, {
      1: (part) => {
        name = part.text();
      },
      2: (part) => fields.push(fieldOf(part.bytes())),
      8: (part) => {
        each(part.bytes(), { 1: (oneof) => oneofs.push(oneof.text()) });
      },
    });
    for (const field of fields) field.oneof = field.oneofIndex === undefined ? undefined : oneofs[field.oneofIndex];
    this.messages.set(`${place}.${name}`, { fields });
    each(message, {
      3: (part) => this.addMessage(part.bytes(), `${place}.${name}`),
      4: (part) => this.addEnum(part.bytes(), `${place}.${name}`),
    });
  }

  private addEnum(type: Uint8Array, place: string): void {
    let name = "";
    const values = new Map<number, string>();
    each(type, {
      1: (part) => {
        name = part.text();
      },
      2: (part) => {
        let [word, number] = ["", 0];
        each(part.bytes(), {
          1: (value) => {
            word = value.text();
          },
          2: (value) => {
            number = Number(value.varint());
          },
        });
        values.set(number, word);
      },
    });
    this.enums.set(`${place}.${name}`, values);
  }

  /** JSON name and number of each field of a message, in the order of the numbers. */
  fieldsOf(type: string): { name: string; number: number }[] {
    const fields = [...(this.messages.get(`.${type}`)?.fields ?? [])].sort((a, b) => a.number - b.number);
    return fields.map(({ jsonName, number }) => ({ name: jsonName, number }));
  }

  /** @throws Unreadable */
  decode(type: string, data: Uint8Array): Decoded {
    return this.read(`.${type}`, data);
  }

  private read(type: string, data: Uint8Array): Decoded {
    const message = this.messages.get(type);
    if (message === undefined) throw new Unreadable(`the file does not describe the type ${type.slice(1)}`);
    const result: Decoded = {};
    for (const field of message.fields)
      if (field.repeated) result[field.name] = [];
      else if (field.oneof === undefined) result[field.name] = this.initial(field);
    const fields = new Fields(data);
    while (fields.next()) {
      const field = message.fields.find(({ number }) => number === fields.number);
      if (field === undefined) fields.skip();
      else if (!field.repeated) {
        result[field.name] = this.value(field, fields);
        if (field.oneof !== undefined) result[field.oneof] = field.name;
      } else {
        const list = result[field.name] as unknown[];
        const packed = fields.wire === 2 && ![TYPE.string, MESSAGE, BYTES].includes(field.type as 9);
        const items = packed ? new Fields(fields.bytes()) : fields;
        do {
          if (packed && items.done) break;
          list.push(this.value(field, items));
        } while (packed);
      }
    }
    return result;
  }

  private initial({ type, typeName }: FieldType): unknown {
    if (type === MESSAGE) return null;
    if (type === ENUM) return this.enums.get(typeName)?.get(0) ?? "";
    if (type === TYPE.string) return "";
    if (type === BYTES) return new Uint8Array();
    if (type === TYPE.bool) return false;
    return type === TYPE.int64 || type === TYPE.uint64 || type === TYPE.fixed64 ? "0" : 0;
  }

  private value({ type, typeName }: FieldType, fields: Fields): unknown {
    if (type === TYPE.double) return fields.double();
    if (type === TYPE.float) return fields.float();
    if (type === TYPE.int64) return String(BigInt.asIntN(64, fields.varint()));
    if (type === TYPE.uint64) return String(fields.varint());
    if (type === TYPE.fixed64) return String(fields.fixed64());
    if (type === TYPE.int32) return Number(BigInt.asIntN(32, fields.varint()));
    if (type === UINT32) return Number(fields.varint());
    if (type === TYPE.bool) return fields.varint() !== 0n;
    if (type === TYPE.string) return fields.text();
    if (type === BYTES) return fields.bytes();
    if (type === MESSAGE) return this.read(typeName, fields.bytes());
    if (type === ENUM) {
      const number = Number(fields.varint());
      return this.enums.get(typeName)?.get(number) ?? number;
    }
    fields.skip();
    return undefined;
  }
}

/** Calls `found[number]` for each field with that number, and skips the others. */
function each(data: Uint8Array, found: Record<number, (fields: Fields) => void>): void {
  const fields = new Fields(data);
  while (fields.next()) {
    const take = found[fields.number];
    if (take) take(fields);
    else fields.skip();
  }
}

function fieldOf(data: Uint8Array): FieldType & { oneofIndex: number | undefined } {
  const field = {
    name: "",
    jsonName: "",
    number: 0,
    type: 0,
    typeName: "",
    repeated: false,
    oneof: undefined,
    oneofIndex: undefined as number | undefined,
  };
  each(data, {
    1: (part) => {
      field.name = part.text();
    },
    3: (part) => {
      field.number = Number(part.varint());
    },
    4: (part) => {
      field.repeated = part.varint() === 3n;
    },
    5: (part) => {
      field.type = Number(part.varint());
    },
    6: (part) => {
      field.typeName = part.text();
    },
    9: (part) => {
      field.oneofIndex = Number(part.varint());
    },
    10: (part) => {
      field.jsonName = part.text();
    },
  });
  return field;
}
