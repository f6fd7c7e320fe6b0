import { parseJson } from '../../http/json-body.js';
import { AttributeKeys } from './attribute-keys.js';
import { type Instant, instantOf } from './instant.js';
import type { JsonBytes, Piece } from './json-bytes.js';
import { doubleText, replaceByObject, tooLongText } from './json-text.js';
import {
  anyValue,
  type Attribute,
  type Decoded,
  type Field,
  type Message,
  MisshapenError,
  type Names,
  type OtlpReader,
  unset,
} from './messages.js';
import type { ValueLimits } from './protobuf.js';

/**
 * Reads messages in OTLP's JSON by the tables of `messages.ts`. Unknown members are skipped, null counts as missing, and an integer may be a string of
 * digits.
 */

/** A value of the body and its path in the message that is being read, such as `attributes[0].key`. */
export interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** Each level of an AnyValue takes up to four levels of JSON. Above it are the levels of request, resource, scope, record, event and attribute. */
const levelsOfJson = 4;
const levelsAbove = 16;

const utf8 = new TextDecoder();

export class JsonReader implements OtlpReader<Place> {
  readonly root: Place;
  readonly members: readonly string[];
  readonly #keys = new AttributeKeys();
  readonly #pieces: JsonBytes;
  readonly #limits: ValueLimits;

  /**
   * @param pieces receives the texts, as JSON
   * @throws HttpError `invalid-json`
   */
  constructor(body: Uint8Array, limits: ValueLimits, pieces: JsonBytes) {
    const depth = levelsOfJson * limits.maxDepth + levelsAbove;
    const value = parseJson(utf8.decode(body), depth, true);
    this.root = { value, path: '' };
    this.members = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    this.#pieces = pieces;
    this.#limits = limits;
  }

  read<F extends Message['fields']>(message: Message<F>, place: Place): Decoded<F, Place> {
    return this.#message(message, place) as Decoded<F, Place>;
  }

  #message(message: Message, { value, path }: Place): Record<string, unknown> {
    const members = membersOf(value, path, message.name);
    const values = unset(message);
    for (const [name, field] of Object.entries(message.fields)) {
      const json = field.json ?? name;
      const member = Object.hasOwn(members, json) ? members[json] : undefined;
      if (member === undefined || member === null) continue;
      values[name] = this.#field(field, member, path === '' ? json : `${path}.${json}`);
    }
    return values;
  }

  #field({ kind }: Field, value: unknown, path: string): unknown {
    switch (kind) {
      case 'text':
        return this.#text(textOf(value, path));
      case 'id': {
        const text = textOf(value, path);
        return /^[0-9a-f]*$/i.test(text) ? this.#text(text.toLowerCase()) : wrong(path, 'hexadecimal digits', value);
      }
      case 'uint32':
      case 'fixed32':
        return Number(integerOf(value, path, 0n, 0xffff_ffffn));
      case 'time':
        return instantIn(value, path);
      case 'value':
        return this.#valuePiece(value, path);
      case 'attributes':
        return this.#attributes(value, path, this.#limits.maxDepth);
      case 'each':
        // The paths of messages that are read later begin anew.
        return placesOf(value, path).map((place) => ({ value: place.value, path: '' }));
      default:
        if ('names' in kind) return enumerated(kind, value, path);
        if ('one' in kind) return this.#message(kind.one, { value, path });
        return placesOf(value, path).map((place) => this.#message(kind.many, place));
    }
  }

  #text(text: string): Piece {
    const start = this.#pieces.length;
    this.#pieces.string(text);
    return { start, end: this.#pieces.length };
  }

  #valuePiece(value: unknown, path: string): Piece {
    const start = this.#pieces.length;
    this.#value(value, path, this.#limits.maxDepth);
    return { start, end: this.#pieces.length };
  }

  #attributes(value: unknown, path: string, levels: number): readonly Attribute[] {
    return placesOf(value, path).map((place) => {
      const members = membersOf(place.value, place.path, 'KeyValue');
      const key = this.#keys.find(isSet(members, 'key') ? textOf(members['key'], `${place.path}.key`) : '');
      const start = this.#pieces.length;
      if (isSet(members, 'value')) this.#value(members['value'], `${place.path}.value`, levels);
      else this.#pieces.ascii('null');
      return { key, in: this.#pieces, start, end: this.#pieces.length };
    });
  }

  /** Writes an AnyValue. If several of its members are set, the last counts; if none is, it is null. */
  #value(value: unknown, path: string, levels: number): void {
    const pieces = this.#pieces;
    const start = pieces.length;
    const members = membersOf(value, path, 'AnyValue');
    for (const [name, member] of Object.entries(members)) {
      if (member === null || !Object.hasOwn(anyValue, name)) continue;
      pieces.cutTo(start);
      this.#setValue(name as keyof typeof anyValue, member, `${path}.${name}`, levels);
    }
    if (pieces.length === start) pieces.ascii('null');
  }

  #setValue(name: keyof typeof anyValue, value: unknown, path: string, levels: number): void {
    const pieces = this.#pieces;
    const { maxValueBytes } = this.#limits;
    switch (name) {
      case 'stringValue': {
        const text = textOf(value, path);
        return isLonger(text, maxValueBytes) ? pieces.ascii(tooLongText) : pieces.string(text);
      }
      case 'boolValue':
        return pieces.ascii(typeof value === 'boolean' ? String(value) : wrong(path, 'true or false', value));
      case 'intValue':
        return pieces.ascii(String(integerOf(value, path, -(2n ** 63n), 2n ** 63n - 1n)));
      case 'doubleValue':
        return pieces.ascii(doubleText(doubleOf(value, path)));
      case 'arrayValue': {
        if (levels === 0) return pieces.ascii('null');
        const places = placesOf(membersOf(value, path, 'ArrayValue')['values'], `${path}.values`);
        pieces.ascii('[');
        for (const [index, place] of places.entries()) {
          if (index > 0) pieces.ascii(',');
          this.#value(place.value, place.path, levels - 1);
        }
        return pieces.ascii(']');
      }
      case 'kvlistValue': {
        if (levels === 0) return pieces.ascii('null');
        const members = membersOf(value, path, 'KeyValueList');
        const start = pieces.length;
        const attributes = this.#attributes(members['values'], `${path}.values`, levels - 1);
        return replaceByObject(pieces, start, attributes);
      }
      case 'bytesValue': {
        const text = textOf(value, path);
        if (!/^[\w+/-]*={0,2}$/.test(text)) wrong(path, 'base64', value);
        return pieces.ascii(Buffer.byteLength(text, 'base64') > maxValueBytes ? tooLongText : `"${text}"`);
      }
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

const isSet = (members: Members, name: string): boolean => Object.hasOwn(members, name) && members[name] !== null;

function membersOf(value: unknown, path: string, message: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  return wrong(path, `an object (${message})`, value);
}

function placesOf(value: unknown, path: string): readonly Place[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return wrong(path, 'a list', value);
  return value.map((element: unknown, index) => ({ value: element, path: `${path}[${index}]` }));
}

/** Whether a text takes more bytes than that; a unit of it takes at most three, so that most need not be looked at. */
const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && Buffer.byteLength(text) > bytes;

const textOf = (value: unknown, path: string): string =>
  typeof value === 'string' ? value : wrong(path, 'a string', value);

function integerOf(value: unknown, path: string, least: bigint, most: bigint): bigint {
  const integer = asInteger(value);
  if (integer === undefined) return wrong(path, 'an integer', value);
  return integer >= least && integer <= most ? integer : wrong(path, `an integer from ${least} to ${most}`, value);
}

/** An unsigned 64-bit integer. Nearly all come as a string of digits, which is read without a bigint. */
const instantIn = (value: unknown, path: string): Instant =>
  typeof value === 'string' && /^[1-9]\d{9,18}$/.test(value)
    ? { seconds: Number(value.slice(0, -9)), nanoseconds: Number(value.slice(-9)) }
    : instantOf(integerOf(value, path, 0n, 0xffff_ffff_ffff_ffffn));

function asInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

function doubleOf(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const isNumber = typeof value === 'string' && /^(NaN|-?Infinity|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value);
  return isNumber ? Number(value) : wrong(path, 'a number', value);
}

function enumerated({ prefix, names }: Names, value: unknown, path: string): number {
  if (typeof value === 'string' && value.startsWith(prefix)) {
    const number = names.indexOf(value.slice(prefix.length).toLowerCase());
    if (number >= 0) return number;
  }
  const integer = asInteger(value);
  if (integer !== undefined && BigInt.asIntN(32, integer) === integer) return Number(integer);
  const last = names.length - 1;
  return wrong(
    path,
    `0 to ${last} or ${prefix}${names[0]!.toUpperCase()} to ${prefix}${names[last]!.toUpperCase()}`,
    value,
  );
}

/** @throws MisshapenError */
function wrong(path: string, expected: string, found: unknown): never {
  throw new MisshapenError(`${path === '' ? '' : `${path}: `}expected ${expected}, found ${described(found)}`);
}

/** Longest part of a text that an error repeats. */
const shown = 40;

function described(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > shown ? `${value.slice(0, shown)}…` : value);
    case 'object':
      return 'an object';
    case 'undefined':
      return 'nothing';
    default:
      return String(value);
  }
}
