import { type Instant, instantOfHalves } from './instant.js';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';
import { type DecodedMessage, type Message, none, unsetFields } from './message-schema.js';
import { checkLength, type OtlpReader, type ValueLimits } from './reader.js';
import { fieldsOf, type NamedField } from './protobuf-fields.js';
import { ProtobufValues } from './protobuf-values.js';
import { WireReader } from '../bytes/wire-reader.js';

/** Reads messages in the wire format of protobuf by the tables of `messages.ts`. */

/** A part of the body. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Reads the messages of one body. An error of a damaged body names the byte and the field. */
export class ProtobufReader implements OtlpReader<Range> {
  readonly root: Range;
  readonly #wire: WireReader;
  readonly #pieces: JsonBytes;
  readonly #values: ProtobufValues;
  /** Total bytes of the nested messages that are parsed at once, which `each` fields are not. */
  #parts = 0;

  /** @param pieces receives the strings, as JSON */
  constructor(body: Uint8Array, limits: ValueLimits, pieces: JsonBytes) {
    this.#wire = new WireReader(body);
    this.#pieces = pieces;
    this.#values = new ProtobufValues(this.#wire, limits, pieces);
    this.root = { start: 0, end: body.byteLength };
  }

  read<F extends Message['fields']>(message: Message<F>, { start, end }: Range): DecodedMessage<F, Range> {
    this.#parts = 0;
    if (!message.isEnvelope) checkLength(end - start);
    return this.#message(message, start, end) as DecodedMessage<F, Range>;
  }

  /** @param values of an earlier part of the same message */
  #message(message: Message, start: number, end: number, values = unsetFields(message)): Record<string, unknown> {
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

  #field(values: Record<string, unknown>, { name, number, kind, where }: NamedField, end: number): void {
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
        values[name] = this.#wire.words.getUint32(this.#wire.take(4, end, where), true);
        return;
      case 'time':
        values[name] = this.#time(end, where);
        return;
      case 'bool':
        this.#wire.varint(end, where);
        values[name] = this.#wire.low !== 0 || this.#wire.high !== 0;
        return;
      case 'sint32':
        this.#wire.varint(end, where);
        values[name] = (this.#wire.low >>> 1) ^ -(this.#wire.low & 1);
        return;
      case 'double':
        values[name] = this.#wire.words.getFloat64(this.#wire.take(8, end, where), true);
        return;
      case 'sfixed64':
        values[name] = Number(this.#wire.words.getBigInt64(this.#wire.take(8, end, where), true));
        return;
      case 'fixed64':
        values[name] = Number(this.#wire.words.getBigUint64(this.#wire.take(8, end, where), true));
        return;
      case 'doubles':
      case 'fixed64s':
      case 'varints':
        this.#numbers(values, name, kind, this.#wire.length(end, where), where);
        return;
      case 'value':
        values[name] = this.#values.value(this.#wire.length(end, where));
        return;
      case 'attributes':
        push(values, name, this.#values.attribute(this.#wire.length(end, where)));
        return;
      case 'each':
        // Stores only the position of the first: a list of all could take thirty times the memory
        // of the body.
        if (values[name] === none) values[name] = this.#each(number, this.#wire.at, end, where);
        this.#wire.at = this.#wire.length(end, where);
        return;
      default: {
        if ('names' in kind) {
          this.#wire.varint(end, where);
          values[name] = this.#wire.low | 0;
          return;
        }
        const stop = this.#wire.length(end, where);
        this.#parts += stop - this.#wire.at;
        checkLength(this.#parts);
        // Parts of a message are merged.
        if ('one' in kind) values[name] = this.#message(kind.one, this.#wire.at, stop, earlier(values[name]));
        else push(values, name, this.#message(kind.many, this.#wire.at, stop));
      }
    }
  }

  /** Reads a packed list up to `end`; the field may come several times. */
  #numbers(
    values: Record<string, unknown>,
    name: string,
    kind: 'doubles' | 'fixed64s' | 'varints',
    end: number,
    where: string,
  ): void {
    const { words } = this.#wire;
    while (this.#wire.at < end) {
      if (kind === 'varints') {
        this.#wire.varint(end, where);
        push(values, name, this.#wire.high * 4_294_967_296 + this.#wire.low);
      } else {
        const at = this.#wire.take(8, end, where);
        push(values, name, kind === 'doubles' ? words.getFloat64(at, true) : Number(words.getBigUint64(at, true)));
      }
    }
  }

  /** Yields the messages in all fields of this number; the first one's length is at `first`. */
  *#each(number: number, first: number, end: number, where: string): Generator<Range> {
    for (let at = first; ;) {
      this.#wire.at = at;
      const stop = this.#wire.length(end, where);
      const start = this.#wire.at;
      yield { start, end: stop };
      this.#wire.at = stop;
      for (;;) {
        if (this.#wire.at >= end) return;
        const tag = this.#wire.tag(end, where);
        if (tag >>> 3 === number) break;
        this.#wire.skip(tag, end, where);
      }
      at = this.#wire.at;
    }
  }

  #text(end: number, where: string): Piece {
    const stop = this.#wire.length(end, where);
    const start = this.#pieces.length;
    this.#pieces.utf8(this.#wire.body, this.#wire.words, this.#wire.at, stop);
    this.#wire.at = stop;
    return this.#pieceFrom(start);
  }

  #hex(end: number, where: string): Piece {
    const stop = this.#wire.length(end, where);
    const start = this.#pieces.length;
    this.#pieces.hex(this.#wire.body, this.#wire.at, stop);
    this.#wire.at = stop;
    return this.#pieceFrom(start);
  }

  #pieceFrom(start: number): Piece {
    return { start, end: this.#pieces.length };
  }

  #time(end: number, where: string): Instant {
    const start = this.#wire.take(8, end, where);
    return instantOfHalves(this.#wire.words.getUint32(start + 4, true), this.#wire.words.getUint32(start, true));
  }
}

const earlier = (value: unknown) => value as Record<string, unknown> | undefined;

function push(values: Record<string, unknown>, name: string, value: unknown): void {
  const list = values[name];
  if (list === none) values[name] = [value];
  else (list as unknown[]).push(value);
}
