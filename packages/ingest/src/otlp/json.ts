import { parseJson } from '@millrace/http/body/json-body';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';
import { type Extent, JsonExtents, openBrace, openBracket } from './json-extents.js';
import {
  doubleOf,
  enumerateValue,
  instantIn,
  integerOf,
  membersOf,
  type Place,
  placesOf,
  textOf,
  throwMismatch,
} from './json-shapes.js';
import { JsonValues } from './json-values.js';
import { type DecodedMessage, type Field, type Message, unsetFields } from './message-schema.js';
import { checkLength, MalformedMessageError, type OtlpReader, type ValueLimits } from './reader.js';

/**
 * Parses messages in OTLP's JSON with the tables of `messages.ts`. Unknown properties are skipped,
 * null counts as missing, and integers may be strings of digits. Each record is parsed separately,
 * and so are the objects around them.
 */

/**
 * Each level of an AnyValue takes up to four levels of JSON. Above it are the levels of request,
 * resource, scope, record, event and attribute.
 */
const levelsOfJson = 4;
const levelsAbove = 16;

const utf8 = new TextDecoder();

const countOf = (value: unknown, path: string): number => Number(integerOf(value, path, 0n, 0xffff_ffff_ffff_ffffn));

export class JsonReader implements OtlpReader<Extent> {
  readonly root: Extent;
  readonly #body: Uint8Array;
  readonly #extents: JsonExtents;
  readonly #depth: number;
  readonly #pieces: JsonBytes;
  readonly #values: JsonValues;

  /**
   * @param pieces receives the strings, as JSON
   * @throws HttpError `invalid-json`
   */
  constructor(body: Uint8Array, limits: ValueLimits, pieces: JsonBytes) {
    this.#depth = levelsOfJson * limits.maxJsonDepth + levelsAbove;
    this.#body = body;
    this.#extents = new JsonExtents(body);
    this.root = this.#extents.root(this.#depth);
    this.#pieces = pieces;
    this.#values = new JsonValues(limits, pieces);
  }

  /** @throws HttpError `invalid-json` */
  read<F extends Message['fields']>(message: Message<F>, extent: Extent): DecodedMessage<F, Extent> {
    const values = message.isEnvelope
      ? this.#envelope(message, extent)
      : this.#message(message, { value: this.#parseExtent(extent), path: '' });
    return values as DecodedMessage<F, Extent>;
  }

  /** A message with messages that are read later. */
  #envelope(message: Message, extent: Extent): Record<string, unknown> {
    if (this.#extents.firstByte(extent) !== openBrace)
      throwMismatch('', `an object (${message.name})`, this.#showExtent(extent));
    const fields = Object.entries(message.fields).map(([name, field]) => ({ name, field, json: field.json ?? name }));
    const members = new Map<unknown, Extent>();
    let otherList: unknown;
    for (const { name, value } of this.#extents.members(extent)) {
      const member = this.#parseExtent(name);
      if (fields.some(({ json }) => json === member)) members.set(member, value);
      else if (this.#extents.firstByte(value) === openBracket) otherList ??= member;
    }
    const values = unsetFields(message);
    for (const { name, field, json } of fields) {
      const member = members.get(json);
      const isMissing = member === undefined || this.#showExtent(member) === null;
      if (field.kind !== 'each') {
        if (!isMissing) values[name] = this.#field(field, this.#parseExtent(member), json);
      } else if (isMissing) refuseMisnamed(otherList, json);
      else if (this.#extents.firstByte(member) !== openBracket) throwMismatch(json, 'a list', this.#showExtent(member));
      else values[name] = this.#extents.elements(member);
    }
    return values;
  }

  /** A value as errors show it: objects and lists only as `{}` and `[]`. */
  #showExtent(extent: Extent): unknown {
    const first = this.#extents.firstByte(extent);
    return first === openBrace ? {} : first === openBracket ? [] : this.#parseExtent(extent);
  }

  #parseExtent({ start, end }: Extent): unknown {
    checkLength(end - start);
    return parseJson(utf8.decode(this.#body.subarray(start, end)), { maxDepth: this.#depth }, true, undefined, start);
  }

  #message(message: Message, { value, path }: Place): Record<string, unknown> {
    const members = membersOf(value, path, message.name);
    const values = unsetFields(message);
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
        return /^[0-9a-f]*$/i.test(text)
          ? this.#text(text.toLowerCase())
          : throwMismatch(path, 'hexadecimal digits', value);
      }
      case 'uint32':
      case 'fixed32':
        return Number(integerOf(value, path, 0n, 0xffff_ffffn));
      case 'time':
        return instantIn(value, path);
      case 'bool':
        return typeof value === 'boolean' ? value : throwMismatch(path, 'true or false', value);
      case 'sint32':
        return Number(integerOf(value, path, -(2n ** 31n), 2n ** 31n - 1n));
      case 'double':
        return doubleOf(value, path);
      case 'sfixed64':
        return Number(integerOf(value, path, -(2n ** 63n), 2n ** 63n - 1n));
      case 'fixed64':
        return countOf(value, path);
      case 'doubles':
        return placesOf(value, path).map((place) => doubleOf(place.value, place.path));
      case 'fixed64s':
      case 'varints':
        return placesOf(value, path).map((place) => countOf(place.value, place.path));
      case 'value':
        return this.#values.value(value, path);
      case 'attributes':
        return this.#values.attributes(value, path);
      case 'each':
        throw new TypeError(`${path} is read later`);
      default:
        if ('names' in kind) return enumerateValue(kind, value, path);
        if ('one' in kind) return this.#message(kind.one, { value, path });
        return placesOf(value, path).map((place) => this.#message(kind.many, place));
    }
  }

  #text(text: string): Piece {
    const start = this.#pieces.length;
    this.#pieces.string(text);
    return { start, end: this.#pieces.length };
  }
}

/**
 * Rejects records under an unexpected name, such as those of another signal or an older version:
 * unknown properties are skipped, so the records would be lost without an error.
 * @param found the name of a list in a message that lacks the expected one
 * @throws MalformedMessageError if there is one
 */
function refuseMisnamed(found: unknown, expected: string): void {
  if (found !== undefined)
    throw new MalformedMessageError(
      `expected ${expected}, found ${String(found)}; each signal has its own path and names`,
    );
}
