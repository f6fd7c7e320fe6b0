import { AttributeKeys } from './attribute-keys.js';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';
import { doubleOf, integerOf, isSet, membersOf, placesOf, textOf, throwMismatch } from './json-shapes.js';
import { shortenedText } from '@millrace/events';
import { doubleText, replaceByObject, shortenedBase64 } from './json-text.js';
import type { Attribute } from './message-schema.js';
import { anyValue } from './messages.js';
import type { ValueLimits } from './reader.js';

/**
 * Reads the AnyValue and KeyValue messages of one body, whose values are written as JSON where they
 * are read.
 */
export class JsonValues {
  readonly #keys = new AttributeKeys();
  readonly #pieces: JsonBytes;
  readonly #limits: ValueLimits;

  /** @param pieces receives the values */
  constructor(limits: ValueLimits, pieces: JsonBytes) {
    this.#pieces = pieces;
    this.#limits = limits;
  }

  /** Reads an AnyValue. */
  value(value: unknown, path: string): Piece {
    const start = this.#pieces.length;
    this.#value(value, path, this.#limits.maxJsonDepth);
    return { start, end: this.#pieces.length };
  }

  /** Reads a list of KeyValue messages. */
  attributes(value: unknown, path: string): readonly Attribute[] {
    return this.#attributes(value, path, this.#limits.maxJsonDepth);
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

  /**
   * Writes an AnyValue. If several of its properties are set, the last wins; if none is, it is
   * null.
   */
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
        return pieces.string(
          isLonger(text, maxValueBytes) ? shortenedText(Buffer.from(text), maxValueBytes).toString() : text,
        );
      }
      case 'boolValue':
        return pieces.ascii(typeof value === 'boolean' ? String(value) : throwMismatch(path, 'true or false', value));
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
        if (!/^[\w+/-]*={0,2}$/.test(text)) throwMismatch(path, 'base64', value);
        if (Buffer.byteLength(text, 'base64') <= maxValueBytes) return pieces.ascii(`"${text}"`);
        return pieces.string(shortenedBase64(Buffer.from(text, 'base64'), this.#limits));
      }
    }
  }
}

/**
 * Whether a text is longer than a number of UTF-8 bytes. A UTF-16 unit takes at most three, so most
 * texts need no count.
 */
const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
