import { nameless } from './attribute-keys.js';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';
import { shortenedText } from '@millrace/events';
import { doubleText, replaceByObject, shortenedBase64 } from './json-text.js';
import type { Attribute } from './message-schema.js';
import { anyValue } from './messages.js';
import type { ValueLimits } from './reader.js';
import { valueFields } from './protobuf-fields.js';
import { AttributeCache } from './attribute-cache.js';
import { lengthPrefixed, type WireReader } from '../bytes/wire-reader.js';

/**
 * Reads the AnyValue and KeyValue messages of one body, whose values are written as JSON where they
 * are read.
 */
export class ProtobufValues {
  readonly #wire: WireReader;
  readonly #pieces: JsonBytes;
  readonly #limits: ValueLimits;
  readonly #attributeCache: AttributeCache;

  /** @param pieces receives the values */
  constructor(wire: WireReader, limits: ValueLimits, pieces: JsonBytes) {
    this.#wire = wire;
    this.#pieces = pieces;
    this.#limits = limits;
    this.#attributeCache = new AttributeCache(wire, pieces.another());
  }

  /** Reads an AnyValue up to `end`. */
  value(end: number): Piece {
    const start = this.#pieces.length;
    this.#value(end, this.#limits.maxJsonDepth);
    return { start, end: this.#pieces.length };
  }

  /** Reads a KeyValue up to `end`. */
  attribute(end: number): Attribute {
    const slot = this.#attributeCache.slotOf(this.#wire.at, end);
    const known = this.#attributeCache.at(slot);
    if (known !== undefined) {
      this.#wire.at = end;
      return known;
    }
    const attribute = this.#attribute(end, this.#limits.maxJsonDepth);
    this.#attributeCache.add(slot, attribute);
    return attribute;
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
          key = this.#attributeCache.key(this.#wire.at, stop);
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

  /**
   * Writes an AnyValue up to `end`. If several of its properties are set, the last wins; if none
   * is, it is null.
   */
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
        return pieces.ascii(doubleText(this.#wire.words.getFloat64(this.#wire.take(8, end, where), true)));
      default: {
        const stop = this.#wire.length(end, where);
        this.#lengthy(number, stop, levels);
        this.#wire.at = stop;
      }
    }
  }

  /** Writes a length-prefixed value; null below the maximum nesting depth. */
  #lengthy(number: number, end: number, levels: number): void {
    const pieces = this.#pieces;
    if (number === anyValue.arrayValue || number === anyValue.kvlistValue) {
      if (levels === 0) pieces.ascii('null');
      else if (number === anyValue.arrayValue) this.#array(end, levels - 1);
      else this.#object(end, levels - 1);
    } else if (number !== anyValue.stringValue)
      pieces.ascii(JSON.stringify(shortenedBase64(this.#wire.body.subarray(this.#wire.at, end), this.#limits)));
    else if (end - this.#wire.at <= this.#limits.maxValueBytes)
      pieces.utf8(this.#wire.body, this.#wire.words, this.#wire.at, end);
    else
      pieces.string(shortenedText(this.#wire.body.subarray(this.#wire.at, end), this.#limits.maxValueBytes).toString());
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

  /** Writes the varint read last as a signed integer. */
  #integer(): void {
    if (this.#wire.high === 0) return this.#pieces.digits(this.#wire.low);
    const bits = (BigInt(this.#wire.high) << 32n) | BigInt(this.#wire.low);
    this.#pieces.ascii(String(BigInt.asIntN(64, bits)));
  }
}
