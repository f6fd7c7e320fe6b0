import { parseJson } from '../../routes/json-body.js';
import { arrayText, doubleText, objectText, tooLongText } from './json-text.js';
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
 * Messages in OTLP's JSON, read by the tables of `messages.ts`. Members nobody knows are passed over, null counts as missing, and what a number
 * cannot hold may be a text of digits.
 */

/** A value of the body and where it stands in the message that is read, as `attributes[0].key`. */
export interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** An AnyValue takes as many levels of JSON for each of its own; above it are request, resource, scope, record, event and attribute. */
const levelsOfJson = 4;
const levelsAbove = 16;

const utf8 = new TextDecoder();

export class JsonReader implements OtlpReader<Place> {
  readonly root: Place;
  readonly members: readonly string[];
  readonly #limits: ValueLimits;

  /** @throws HttpError `invalid-json` */
  constructor(body: Uint8Array, limits: ValueLimits) {
    const depth = levelsOfJson * limits.maxDepth + levelsAbove;
    const value = parseJson(utf8.decode(body), depth, true);
    this.root = { value, path: '' };
    this.members = typeof value === 'object' && value !== null ? Object.keys(value) : [];
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
        return textOf(value, path);
      case 'id': {
        const text = textOf(value, path);
        return /^[0-9a-f]*$/i.test(text) ? text.toLowerCase() : wrong(path, 'hexadecimal digits', value);
      }
      case 'uint32':
      case 'fixed32':
        return Number(integerOf(value, path, 0n, 0xffff_ffffn));
      case 'time':
        return integerOf(value, path, 0n, 0xffff_ffff_ffff_ffffn);
      case 'value':
        return this.#value(value, path, this.#limits.maxDepth);
      case 'attributes':
        return this.#attributes(value, path, this.#limits.maxDepth);
      case 'each':
        // Messages that are read on their own have places of their own.
        return placesOf(value, path).map((place) => ({ value: place.value, path: '' }));
      default:
        if ('names' in kind) return enumerated(kind, value, path);
        if ('one' in kind) return this.#message(kind.one, { value, path });
        return placesOf(value, path).map((place) => this.#message(kind.many, place));
    }
  }

  #attributes(value: unknown, path: string, levels: number): readonly Attribute[] {
    return placesOf(value, path).map((place) => {
      const members = membersOf(place.value, place.path, 'KeyValue');
      const key = isSet(members, 'key') ? textOf(members['key'], `${place.path}.key`) : '';
      return {
        key,
        value: isSet(members, 'value') ? this.#value(members['value'], `${place.path}.value`, levels) : 'null',
      };
    });
  }

  /** An AnyValue as JSON; of several that are set the last counts, one that is not set is null. */
  #value(value: unknown, path: string, levels: number): string {
    let text = 'null';
    const members = membersOf(value, path, 'AnyValue');
    for (const [name, member] of Object.entries(members)) {
      if (member === null || !Object.hasOwn(anyValue, name)) continue;
      text = this.#setValue(name as keyof typeof anyValue, member, `${path}.${name}`, levels);
    }
    return text;
  }

  #setValue(name: keyof typeof anyValue, value: unknown, path: string, levels: number): string {
    const { maxValueBytes } = this.#limits;
    switch (name) {
      case 'stringValue': {
        const text = textOf(value, path);
        return text.length > maxValueBytes ? tooLongText : JSON.stringify(text);
      }
      case 'boolValue':
        return typeof value === 'boolean' ? String(value) : wrong(path, 'true or false', value);
      case 'intValue':
        return String(integerOf(value, path, -(2n ** 63n), 2n ** 63n - 1n));
      case 'doubleValue':
        return doubleText(doubleOf(value, path));
      case 'arrayValue': {
        if (levels === 0) return 'null';
        const values = placesOf(membersOf(value, path, 'ArrayValue')['values'], `${path}.values`);
        return arrayText(values.map((place) => this.#value(place.value, place.path, levels - 1)));
      }
      case 'kvlistValue': {
        if (levels === 0) return 'null';
        const members = membersOf(value, path, 'KeyValueList');
        return objectText(this.#attributes(members['values'], `${path}.values`, levels - 1));
      }
      case 'bytesValue': {
        const text = textOf(value, path);
        if (!/^[\w+/-]*={0,2}$/.test(text)) wrong(path, 'base64', value);
        return text.length > maxValueBytes ? tooLongText : `"${text}"`;
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

const textOf = (value: unknown, path: string): string =>
  typeof value === 'string' ? value : wrong(path, 'a string', value);

function integerOf(value: unknown, path: string, least: bigint, most: bigint): bigint {
  const integer = asInteger(value);
  if (integer === undefined) return wrong(path, 'an integer', value);
  return integer >= least && integer <= most ? integer : wrong(path, `an integer from ${least} to ${most}`, value);
}

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

/** Longest part of a text that is repeated. */
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
