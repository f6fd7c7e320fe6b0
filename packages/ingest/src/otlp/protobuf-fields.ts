import type { Kind, Message } from './message-schema.js';
import { anyValue } from './messages.js';
import { eightBytes, fourBytes, lengthPrefixed, varint } from '../bytes/wire-reader.js';

/**
 * The tables of `messages.ts` as a reader of the wire format needs them: by number, with the wire
 * type of each field.
 */

/** A field as the wire has it. */
export interface NamedField {
  readonly name: string;
  readonly number: number;
  readonly kind: Kind;
  readonly wire: number;
  readonly where: string;
}

const fieldsByNumber = new WeakMap<Message, readonly (NamedField | undefined)[]>();

/** The fields of a message by their numbers. */
export function fieldsOf(message: Message): readonly (NamedField | undefined)[] {
  const known = fieldsByNumber.get(message);
  if (known !== undefined) return known;
  const fields: (NamedField | undefined)[] = [];
  for (const [name, { number, kind, json = name }] of Object.entries(message.fields))
    fields[number] = { name, number, kind, wire: wireOf(kind), where: `${message.name}.${json}` };
  fieldsByNumber.set(message, fields);
  return fields;
}

function wireOf(kind: Kind): number {
  if (typeof kind === 'object') return 'names' in kind ? varint : lengthPrefixed;
  if (kind === 'uint32' || kind === 'sint32' || kind === 'bool') return varint;
  if (kind === 'time' || kind === 'double' || kind === 'sfixed64' || kind === 'fixed64') return eightBytes;
  return kind === 'fixed32' ? fourBytes : lengthPrefixed;
}

/** The ways an AnyValue can be set, by their numbers. */
export const valueFields: readonly (Pick<NamedField, 'wire' | 'where'> | undefined)[] = numberedValues();

function numberedValues() {
  const wires: Readonly<Record<string, number>> = { boolValue: varint, intValue: varint, doubleValue: eightBytes };
  const fields: Pick<NamedField, 'wire' | 'where'>[] = [];
  for (const [name, number] of Object.entries(anyValue))
    fields[number] = { wire: wires[name] ?? lengthPrefixed, where: `AnyValue.${name}` };
  return fields;
}
