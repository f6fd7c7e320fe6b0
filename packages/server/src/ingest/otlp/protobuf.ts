import { type AttributeKey, AttributeKeys, nameless } from './attribute-keys.js';
import { type Instant, instantOfHalves } from './instant.js';
import { type JsonBytes, type Piece, viewOf } from './json-bytes.js';
import { doubleText, replaceByObject, tooLongText } from './json-text.js';
import {
  anyValue,
  type Attribute,
  type Decoded,
  type Kind,
  type Message,
  none,
  type OtlpReader,
  unset,
} from './messages.js';
import { SeenBytes } from './seen-bytes.js';
import { eightBytes, fourBytes, lengthPrefixed, varint, WireReader } from './wire-reader.js';

/** Reads messages in the wire format of protobuf by the tables of `messages.ts`. */

/** A part of the body. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface ValueLimits {
  /** Longest string; a longer one is replaced by a note that it was too long. */
  readonly maxValueBytes: number;
  /** Most levels of nesting; deeper values are null. */
  readonly maxDepth: number;
}

interface NamedField {
  readonly name: string;
  readonly kind: Kind;
  readonly wire: number;
  readonly where: string;
}

/** The fields of each message by their numbers. */
const numbered = new WeakMap<Message, readonly (NamedField | undefined)[]>();

function fieldsOf(message: Message): readonly (NamedField | undefined)[] {
  const known = numbered.get(message);
  if (known !== undefined) return known;
  const fields: (NamedField | undefined)[] = [];
  for (const [name, { number, kind, json = name }] of Object.entries(message.fields))
    fields[number] = { name, kind, wire: wireOf(kind), where: `${message.name}.${json}` };
  numbered.set(message, fields);
  return fields;
}

function wireOf(kind: Kind): number {
  if (kind === 'uint32' || (typeof kind === 'object' && 'names' in kind)) return varint;
  if (kind === 'time') return eightBytes;
  return kind === 'fixed32' ? fourBytes : lengthPrefixed;
}

/** The ways an AnyValue can be set, by their numbers. */
const valueFields: readonly (Pick<NamedField, 'wire' | 'where'> | undefined)[] = numberedValues();

function numberedValues() {
  const wires: Readonly<Record<string, number>> = { boolValue: varint, intValue: varint, doubleValue: eightBytes };
  const fields: Pick<NamedField, 'wire' | 'where'>[] = [];
  for (const [name, number] of Object.entries(anyValue))
    fields[number] = { wire: wires[name] ?? lengthPrefixed, where: `AnyValue.${name}` };
  return fields;
}

/** Reads the messages of one body. An error of a damaged body names the byte and the field. */
export class ProtobufReader implements OtlpReader<Range> {
  readonly root: Range;
  readonly members: readonly string[] = [];
  readonly #body: Buffer;
  readonly #keys = new AttributeKeys();
  /** Keys seen before, and by slot what they were read as. */
  readonly #seenKeys: SeenBytes;
  readonly #foundKeys: (AttributeKey | undefined)[];
  /** Attributes seen before, and by slot what those that came twice were read as; their values are in `#memory`. */
  readonly #seen: SeenBytes;
  readonly #attributes: (Attribute | undefined)[];
  readonly #memory: JsonBytes;
  readonly #words: DataView;
  readonly #pieces: JsonBytes;
  readonly #limits: ValueLimits;
  readonly #wire: WireReader;

  /** @param pieces receives the texts, as JSON */
  constructor(body: Uint8Array, limits: ValueLimits, pieces: JsonBytes) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#words = viewOf(body);
    this.#wire = new WireReader(this.#body);
    this.#seenKeys = new SeenBytes(this.#words);
    this.#foundKeys = Array.from({ length: this.#seenKeys.slots });
    this.#seen = new SeenBytes(this.#words);
    this.#attributes = Array.from({ length: this.#seen.slots });
    this.#memory = pieces.another();
    this.#pieces = pieces;
    this.#limits = limits;
    this.root = { start: 0, end: body.byteLength };
  }

  read<F extends Message['fields']>(message: Message<F>, { start, end }: Range): Decoded<F, Range> {
    return this.#message(message, start, end) as Decoded<F, Range>;
  }

  /** @param values what is known of the message from an earlier part of it */
  #message(message: Message, start: number, end: number, values = unset(message)): Record<string, unknown> {
    const fields = fieldsOf(message);
    this.#wire.at = start;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, message.name);
      const field = fields[tag >>> 3];
      if (field === undefined) this.#wire.skip(tag, end, message.name);
      else {
        this.#wire.expect(tag, field.wire, field.where);
        this.#field(values, field, end);
      }
    }
    return values;
  }

  #field(values: Record<string, unknown>, { name, kind, where }: NamedField, end: number): void {
    switch (kind) {
      case 'text':
        values[name] = this.#text(end, where);
        return;
      case 'id':
        values[name] = this.#hex(end, where);
        return;
      case 'uint32':
        this.#wire.varint(end, where);
        values[name] = this.#wire.low;
        return;
      case 'fixed32':
        values[name] = this.#words.getUint32(this.#wire.take(4, end, where), true);
        return;
      case 'time':
        values[name] = this.#time(end, where);
        return;
      case 'value': {
        const stop = this.#wire.length(end, where);
        const start = this.#pieces.length;
        this.#value(stop, this.#limits.maxDepth);
        values[name] = this.#pieceFrom(start);
        return;
      }
      case 'attributes': {
        const stop = this.#wire.length(end, where);
        push(values, name, this.#repeatedAttribute(stop));
        return;
      }
      case 'each': {
        const stop = this.#wire.length(end, where);
        push(values, name, { start: this.#wire.at, end: stop } satisfies Range);
        this.#wire.at = stop;
        return;
      }
      default: {
        if ('names' in kind) {
          this.#wire.varint(end, where);
          values[name] = this.#wire.low | 0;
          return;
        }
        const stop = this.#wire.length(end, where);
        // A message that comes in several parts is all of them together.
        if ('one' in kind) values[name] = this.#message(kind.one, this.#wire.at, stop, earlier(values[name]));
        else push(values, name, this.#message(kind.many, this.#wire.at, stop));
      }
    }
  }

  /** An attribute of a message. It is remembered the second time it is read, and not read again from the third time on. */
  #repeatedAttribute(end: number): Attribute {
    const slot = this.#seen.find(this.#wire.at, end);
    const known = slot === undefined || slot < 0 ? undefined : this.#attributes[slot];
    if (known !== undefined) {
      this.#wire.at = end;
      return known;
    }
    const attribute = this.#attribute(end, this.#limits.maxDepth);
    if (slot === undefined) return attribute;
    if (slot < 0) this.#attributes[~slot] = undefined;
    else this.#attributes[slot] = this.#kept(attribute);
    return attribute;
  }

  #kept({ key, in: from, ...piece }: Attribute): Attribute {
    const start = this.#memory.length;
    this.#memory.piece(from, piece);
    return { key, in: this.#memory, start, end: this.#memory.length };
  }

  #key(start: number, end: number): AttributeKey {
    const slot = this.#seenKeys.find(start, end);
    if (slot !== undefined && slot >= 0) return this.#foundKeys[slot]!;
    const key = this.#keys.find(this.#body.toString('utf8', start, end));
    if (slot !== undefined) this.#foundKeys[~slot] = key;
    return key;
  }

  #attribute(end: number, levels: number): Attribute {
    const pieces = this.#pieces;
    let key = nameless;
    let start = pieces.length;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'KeyValue');
      switch (tag >>> 3) {
        case 1: {
          this.#wire.expect(tag, lengthPrefixed, 'KeyValue.key');
          const stop = this.#wire.length(end, 'KeyValue.key');
          key = this.#key(this.#wire.at, stop);
          this.#wire.at = stop;
          break;
        }
        case 2: {
          this.#wire.expect(tag, lengthPrefixed, 'KeyValue.value');
          const stop = this.#wire.length(end, 'KeyValue.value');
          pieces.cutTo(start);
          this.#value(stop, levels);
          break;
        }
        default:
          this.#wire.skip(tag, end, 'KeyValue');
      }
    }
    if (pieces.length === start) pieces.ascii('null');
    return { key, in: pieces, start, end: pieces.length };
  }

  /** Writes an AnyValue up to `end`. If several of its members are set, the last counts; if none is, it is null. */
  #value(end: number, levels: number): void {
    const pieces = this.#pieces;
    const start = pieces.length;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'AnyValue');
      const number = tag >>> 3;
      const field = valueFields[number];
      if (field === undefined) this.#wire.skip(tag, end, 'AnyValue');
      else {
        this.#wire.expect(tag, field.wire, field.where);
        pieces.cutTo(start);
        this.#setValue(number, end, field.where, levels);
      }
    }
    if (pieces.length === start) pieces.ascii('null');
  }

  #setValue(number: number, end: number, where: string, levels: number): void {
    const pieces = this.#pieces;
    switch (number) {
      case anyValue.boolValue:
        this.#wire.varint(end, where);
        return pieces.ascii(this.#wire.low === 0 && this.#wire.high === 0 ? 'false' : 'true');
      case anyValue.intValue:
        this.#wire.varint(end, where);
        return this.#integer();
      case anyValue.doubleValue:
        return pieces.ascii(doubleText(this.#words.getFloat64(this.#wire.take(8, end, where), true)));
      default: {
        const stop = this.#wire.length(end, where);
        this.#lengthy(number, stop, levels);
        this.#wire.at = stop;
      }
    }
  }

  /** Writes a length-prefixed value; what is nested too deeply becomes null. */
  #lengthy(number: number, end: number, levels: number): void {
    const pieces = this.#pieces;
    if (number === anyValue.arrayValue || number === anyValue.kvlistValue) {
      if (levels === 0) pieces.ascii('null');
      else if (number === anyValue.arrayValue) this.#array(end, levels - 1);
      else this.#object(end, levels - 1);
    } else if (end - this.#wire.at > this.#limits.maxValueBytes) pieces.ascii(tooLongText);
    else if (number === anyValue.stringValue) pieces.utf8(this.#body, this.#words, this.#wire.at, end);
    else pieces.ascii(`"${this.#body.toString('base64', this.#wire.at, end)}"`);
  }

  #array(end: number, levels: number): void {
    const pieces = this.#pieces;
    let before = '[';
    while (this.#element(end, 'ArrayValue')) {
      pieces.ascii(before);
      this.#value(this.#wire.length(end, 'ArrayValue.values'), levels);
      before = ',';
    }
    pieces.ascii(before === '[' ? '[]' : ']');
  }

  #object(end: number, levels: number): void {
    const pieces = this.#pieces;
    const start = pieces.length;
    const attributes: Attribute[] = [];
    while (this.#element(end, 'KeyValueList'))
      attributes.push(this.#attribute(this.#wire.length(end, 'KeyValueList.values'), levels));
    replaceByObject(pieces, start, attributes);
  }

  /** Moves to the next element of an array or object; false at its end. */
  #element(end: number, message: string): boolean {
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, message);
      if (tag >>> 3 === 1) {
        this.#wire.expect(tag, lengthPrefixed, `${message}.values`);
        return true;
      }
      this.#wire.skip(tag, end, message);
    }
    return false;
  }

  #text(end: number, where: string): Piece {
    const stop = this.#wire.length(end, where);
    const start = this.#pieces.length;
    this.#pieces.utf8(this.#body, this.#words, this.#wire.at, stop);
    this.#wire.at = stop;
    return this.#pieceFrom(start);
  }

  #hex(end: number, where: string): Piece {
    const stop = this.#wire.length(end, where);
    const start = this.#pieces.length;
    this.#pieces.hex(this.#body, this.#wire.at, stop);
    this.#wire.at = stop;
    return this.#pieceFrom(start);
  }

  #pieceFrom(start: number): Piece {
    return { start, end: this.#pieces.length };
  }

  #time(end: number, where: string): Instant {
    const start = this.#wire.take(8, end, where);
    return instantOfHalves(this.#words.getUint32(start + 4, true), this.#words.getUint32(start, true));
  }

  /** Writes the varint read last as a signed integer. */
  #integer(): void {
    if (this.#wire.high === 0) return this.#pieces.digits(this.#wire.low);
    const bits = (BigInt(this.#wire.high) << 32n) | BigInt(this.#wire.low);
    this.#pieces.ascii(String(BigInt.asIntN(64, bits)));
  }
}

const earlier = (value: unknown) => value as Record<string, unknown> | undefined;

function push(values: Record<string, unknown>, name: string, value: unknown): void {
  const list = values[name];
  if (list === none) values[name] = [value];
  else (list as unknown[]).push(value);
}
