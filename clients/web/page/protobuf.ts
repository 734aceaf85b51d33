// Reads protobuf messages by the descriptors that a file carries, into the form that the bridge gives messages: fields by
// their names, 64-bit integers and enum values as text, and for each oneof the name of its field.
//
// protobufjs, which the bridge uses, compiles decoders with Function(): the content security policy of the page forbids it.
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  type JsonObject,
  type JsonValue,
  toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** The message types of a FileDescriptorSet. */
export class Types {
  private readonly registry: FileRegistry;

  /** @throws Error if the bytes are no descriptors */
  constructor(descriptorSet: Uint8Array) {
    this.registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
  }

  private find(type: string): DescMessage {
    const message = this.registry.getMessage(type);
    if (message === undefined) throw new Error(`the file does not describe the type ${type}`);
    return message;
  }

  /** JSON name and number of each field of a message, in the order of the numbers. */
  fieldsOf(type: string): { name: string; number: number }[] {
    const fields = [...this.find(type).fields].sort((a, b) => a.number - b.number);
    return fields.map(({ jsonName, number }) => ({ name: jsonName, number }));
  }

  /** @throws Error if the bytes are no message of the type */
  decode(type: string, data: Uint8Array): JsonObject {
    const message = this.find(type);
    const options = { registry: this.registry, alwaysEmitImplicit: true, useProtoFieldName: true };
    const json = toJson(message, fromBinary(message, data), options) as JsonObject;
    addKinds(message, json);
    return json;
  }
}

/** Under the name of each oneof, the name of the field that is set. */
function addKinds({ fields, oneofs }: DescMessage, json: JsonObject): void {
  for (const field of fields) for (const value of messagesOf(field, json[field.name])) addKinds(value.type, value.json);
  for (const oneof of oneofs) {
    const chosen = oneof.fields.find(({ name }) => json[name] !== undefined);
    if (chosen) json[oneof.name] = chosen.name;
  }
}

function messagesOf(field: DescField, value: JsonValue | undefined): { type: DescMessage; json: JsonObject }[] {
  const type = field.fieldKind === "message" || field.fieldKind === "list" ? field.message : undefined;
  if (type === undefined || value === undefined) return [];
  return [value].flat().map((json) => ({ type, json: json as JsonObject }));
}
