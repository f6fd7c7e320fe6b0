import { parseJson } from '../../http/json-body.js';
import type { JsonBytes, Piece } from './json-bytes.js';
import {
  enumerated,
  instantIn,
  integerOf,
  type Members,
  membersOf,
  type Place,
  placesOf,
  textOf,
  wrong,
} from './json-shapes.js';
import { JsonValues } from './json-values.js';
import { type Decoded, type Field, type Message, unset } from './message-schema.js';
import { MisshapenError, type OtlpReader, type ValueLimits } from './reader.js';

/**
 * Reads messages in OTLP's JSON by the tables of `messages.ts`. Unknown members are skipped, null counts as missing, and an integer may be a string of
 * digits.
 */

/** Each level of an AnyValue takes up to four levels of JSON. Above it are the levels of request, resource, scope, record, event and attribute. */
const levelsOfJson = 4;
const levelsAbove = 16;

const utf8 = new TextDecoder();

export class JsonReader implements OtlpReader<Place> {
  readonly root: Place;
  readonly #pieces: JsonBytes;
  readonly #values: JsonValues;

  /**
   * @param pieces receives the texts, as JSON
   * @throws HttpError `invalid-json`
   */
  constructor(body: Uint8Array, limits: ValueLimits, pieces: JsonBytes) {
    const depth = levelsOfJson * limits.maxDepth + levelsAbove;
    const value = parseJson(utf8.decode(body), depth, true);
    this.root = { value, path: '' };
    this.#pieces = pieces;
    this.#values = new JsonValues(limits, pieces);
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
      if (member === undefined || member === null) {
        if (field.kind === 'each') refuseMisnamed(members, json);
        continue;
      }
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
        return this.#values.value(value, path);
      case 'attributes':
        return this.#values.attributes(value, path);
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
}

/**
 * Unknown members are skipped; but records of another signal, or under another name, such as that of an older version, would then be lost without an error.
 * @param list the list of the message, which is not there
 * @throws MisshapenError if another list is
 */
function refuseMisnamed(members: Members, list: string): void {
  const other = Object.entries(members).find(([, value]) => Array.isArray(value))?.[0];
  if (other !== undefined)
    throw new MisshapenError(`expected ${list}, found ${other}; traces and logs have each their own path and names`);
}
