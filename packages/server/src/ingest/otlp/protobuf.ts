import { arrayText, doubleText, objectText, tooLongText } from './json-text.js';
import {
  anyValue,
  type Attribute,
  DamagedError,
  type Decoded,
  type Kind,
  type Message,
  none,
  type OtlpReader,
  unset,
} from './messages.js';
import { RepeatedTexts } from './repeated-texts.js';

/** Messages in the wire format of protobuf, read by the tables of `messages.ts`. */

/** A part of the body. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface ValueLimits {
  /** Longest string; of a longer one only that it was too long is kept. */
  readonly maxValueBytes: number;
  /** Levels of nesting; deeper values are null. */
  readonly maxDepth: number;
}

/** What the three low bits of a field's tag say about its length. */
const varint = 0;
const eightBytes = 1;
const lengthPrefixed = 2;
const fourBytes = 5;
const wireNames: readonly string[] = [
  'a varint',
  '8 bytes',
  'a length and bytes',
  'a group',
  'the end of a group',
  '4 bytes',
];

interface NamedField {
  readonly name: string;
  readonly kind: Kind;
  readonly wire: number;
  readonly where: string;
}

/** The fields of each message by their number. */
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

const valueNames: readonly string[] = Object.entries(anyValue).reduce<string[]>((names, [name, number]) => {
  names[number] = `AnyValue.${name}`;
  return names;
}, []);

/** Reads messages of one body. A damaged one fails with the byte and the field it stands in. */
export class ProtobufReader implements OtlpReader<Range> {
  readonly root: Range;
  readonly members: readonly string[] = [];
  readonly #body: Buffer;
  readonly #texts: RepeatedTexts;
  readonly #limits: ValueLimits;
  /** Where reading stands. */
  #at = 0;
  /** Halves of the varint read last, without sign. */
  #low = 0;
  #high = 0;

  constructor(body: Uint8Array, limits: ValueLimits) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#texts = new RepeatedTexts(this.#body);
    this.#limits = limits;
    this.root = { start: 0, end: body.byteLength };
  }

  read<F extends Message['fields']>(message: Message<F>, { start, end }: Range): Decoded<F, Range> {
    return this.#message(message, start, end) as Decoded<F, Range>;
  }

  #message(message: Message, start: number, end: number): Record<string, unknown> {
    const fields = fieldsOf(message);
    const values = unset(message);
    this.#at = start;
    while (this.#at < end) {
      const tag = this.#tag(end, message.name);
      const field = fields[tag >>> 3];
      if (field === undefined) this.#skip(tag, end, message.name);
      else {
        this.#expect(tag, field.wire, field.where);
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
        this.#varint(end, where);
        values[name] = this.#low;
        return;
      case 'fixed32':
        values[name] = this.#body.readUInt32LE(this.#take(4, end, where));
        return;
      case 'time':
        values[name] = this.#body.readBigUInt64LE(this.#take(8, end, where));
        return;
      case 'value': {
        const stop = this.#length(end, where);
        values[name] = this.#value(stop, this.#limits.maxDepth);
        return;
      }
      case 'attributes': {
        const stop = this.#length(end, where);
        push(values, name, this.#attribute(stop, this.#limits.maxDepth));
        return;
      }
      case 'each': {
        const stop = this.#length(end, where);
        push(values, name, { start: this.#at, end: stop } satisfies Range);
        this.#at = stop;
        return;
      }
      default: {
        if ('names' in kind) {
          this.#varint(end, where);
          values[name] = this.#low | 0;
          return;
        }
        const stop = this.#length(end, where);
        if ('one' in kind) values[name] = this.#message(kind.one, this.#at, stop);
        else push(values, name, this.#message(kind.many, this.#at, stop));
      }
    }
  }

  #attribute(end: number, levels: number): Attribute {
    let key = '';
    let value = 'null';
    while (this.#at < end) {
      const tag = this.#tag(end, 'KeyValue');
      switch (tag >>> 3) {
        case 1:
          this.#expect(tag, lengthPrefixed, 'KeyValue.key');
          key = this.#text(end, 'KeyValue.key');
          break;
        case 2:
          this.#expect(tag, lengthPrefixed, 'KeyValue.value');
          value = this.#value(this.#length(end, 'KeyValue.value'), levels);
          break;
        default:
          this.#skip(tag, end, 'KeyValue');
      }
    }
    return { key, value };
  }

  /** An AnyValue up to `end` as JSON; one that is not set is null. */
  #value(end: number, levels: number): string {
    let text = 'null';
    while (this.#at < end) {
      const tag = this.#tag(end, 'AnyValue');
      const where = valueNames[tag >>> 3] ?? 'AnyValue';
      switch (tag >>> 3) {
        case anyValue.stringValue: {
          this.#expect(tag, lengthPrefixed, where);
          const stop = this.#length(end, where);
          const isLong = stop - this.#at > this.#limits.maxValueBytes;
          text = isLong ? tooLongText : this.#texts.quoted(this.#at, stop);
          this.#at = stop;
          break;
        }
        case anyValue.boolValue:
          this.#expect(tag, varint, where);
          this.#varint(end, where);
          text = this.#low === 0 && this.#high === 0 ? 'false' : 'true';
          break;
        case anyValue.intValue:
          this.#expect(tag, varint, where);
          this.#varint(end, where);
          text = this.#integer();
          break;
        case anyValue.doubleValue:
          this.#expect(tag, eightBytes, where);
          text = doubleText(this.#body.readDoubleLE(this.#take(8, end, where)));
          break;
        case anyValue.arrayValue:
        case anyValue.kvlistValue: {
          this.#expect(tag, lengthPrefixed, where);
          const stop = this.#length(end, where);
          text = tag >>> 3 === anyValue.arrayValue ? this.#array(stop, levels - 1) : this.#object(stop, levels - 1);
          break;
        }
        case anyValue.bytesValue: {
          this.#expect(tag, lengthPrefixed, where);
          const stop = this.#length(end, where);
          const isLong = stop - this.#at > this.#limits.maxValueBytes;
          text = isLong ? tooLongText : `"${this.#body.toString('base64', this.#at, stop)}"`;
          this.#at = stop;
          break;
        }
        default:
          this.#skip(tag, end, where);
      }
    }
    return text;
  }

  #array(end: number, levels: number): string {
    if (levels < 0) return this.#nothing(end);
    const values: string[] = [];
    this.#elements(end, 'ArrayValue', (stop) => values.push(this.#value(stop, levels)));
    return arrayText(values);
  }

  #object(end: number, levels: number): string {
    if (levels < 0) return this.#nothing(end);
    const attributes: Attribute[] = [];
    this.#elements(end, 'KeyValueList', (stop) => attributes.push(this.#attribute(stop, levels)));
    return objectText(attributes);
  }

  #elements(end: number, message: string, read: (stop: number) => void): void {
    const where = `${message}.values`;
    while (this.#at < end) {
      const tag = this.#tag(end, message);
      if (tag >>> 3 !== 1) {
        this.#skip(tag, end, message);
        continue;
      }
      this.#expect(tag, lengthPrefixed, where);
      read(this.#length(end, where));
    }
  }

  /** What is nested too deep is passed over. */
  #nothing(end: number): string {
    this.#at = end;
    return 'null';
  }

  #text(end: number, where: string): string {
    const stop = this.#length(end, where);
    const text = this.#texts.text(this.#at, stop);
    this.#at = stop;
    return text;
  }

  #hex(end: number, where: string): string {
    const stop = this.#length(end, where);
    const text = this.#body.toString('hex', this.#at, stop);
    this.#at = stop;
    return text;
  }

  /** The varint read last as an integer with sign. */
  #integer(): string {
    if (this.#high === 0) return String(this.#low);
    const bits = (BigInt(this.#high) << 32n) | BigInt(this.#low);
    return String(BigInt.asIntN(64, bits));
  }

  #tag(end: number, where: string): number {
    const start = this.#at;
    this.#varint(end, where);
    if (this.#high !== 0 || this.#low >>> 3 === 0) this.#fail(start, where, 'this is not the tag of a field');
    return this.#low;
  }

  #expect(tag: number, wire: number, where: string): void {
    if ((tag & 7) === wire) return;
    const found = wireNames[tag & 7] ?? `wire type ${tag & 7}`;
    this.#fail(this.#at, where, `expected ${wireNames[wire]}, found ${found}`);
  }

  /** Reads a length; the place behind as many bytes. */
  #length(end: number, where: string): number {
    const start = this.#at;
    this.#varint(end, where);
    const length = this.#high * 4294967296 + this.#low;
    const left = end - this.#at;
    if (length > left) this.#fail(start, where, `a length of ${length} bytes is announced and ${left} are left`);
    return this.#at + length;
  }

  /** Passes over as many bytes; the place they begin at. */
  #take(bytes: number, end: number, where: string): number {
    const start = this.#at;
    if (end - start < bytes) this.#fail(start, where, `expected ${bytes} bytes, and ${end - start} are left`);
    this.#at = start + bytes;
    return start;
  }

  #skip(tag: number, end: number, message: string): void {
    const where = `${message}, field ${tag >>> 3}`;
    switch (tag & 7) {
      case varint:
        return this.#varint(end, where);
      case eightBytes:
        return void this.#take(8, end, where);
      case lengthPrefixed:
        this.#at = this.#length(end, where);
        return;
      case fourBytes:
        return void this.#take(4, end, where);
      default:
        this.#fail(this.#at, where, `wire type ${tag & 7} is not used in OTLP`);
    }
  }

  #varint(end: number, where: string): void {
    const start = this.#at;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= end) this.#fail(start, where, 'it ends in the middle of a number');
      const byte = this.#body[this.#at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    this.#fail(start, where, 'a number has more than ten bytes');
  }

  #fail(at: number, where: string, problem: string): never {
    throw new DamagedError(`byte ${at}, ${where}: ${problem}`);
  }
}

function push(values: Record<string, unknown>, name: string, value: unknown): void {
  const list = values[name];
  if (list === none) values[name] = [value];
  else (list as unknown[]).push(value);
}
