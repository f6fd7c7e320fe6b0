import type { AttributeKey } from './attribute-keys.js';
import { type Instant, noInstant } from './instant.js';
import type { JsonBytes, Piece } from '../bytes/json-bytes.js';

/** Declaration of messages, and the parsed types of their fields. */

/** Type of a field. A missing field has protobuf's default value of its type. */
export type Kind =
  | 'text'
  /** Bytes that identify something; hexadecimal in JSON, and after reading. */
  | 'id'
  /** A varint of 32 bits. */
  | 'uint32'
  /** Four bytes. */
  | 'fixed32'
  /** Nanoseconds since the epoch, eight bytes. */
  | 'time'
  | 'bool'
  /** A varint of 32 bits with a sign, zigzag-encoded. */
  | 'sint32'
  /** Eight bytes; undefined if missing. */
  | 'double'
  /** An integer with a sign, eight bytes; undefined if missing. */
  | 'sfixed64'
  /** An integer, eight bytes. */
  | 'fixed64'
  /** A packed list of doubles. */
  | 'doubles'
  /** A packed list of integers of eight bytes. */
  | 'fixed64s'
  /** A packed list of integers as varints. */
  | 'varints'
  /** An AnyValue, which becomes JSON when it is read. */
  | 'value'
  /** A list of KeyValue messages. */
  | 'attributes'
  | Names
  | { readonly one: Message }
  | { readonly many: Message }
  /** Messages that are read later, one by one. */
  | 'each';

/** The names of an enumeration, by their numbers; in JSON they have a prefix. */
export interface Names {
  readonly prefix: string;
  readonly names: readonly string[];
}

export interface Field<K extends Kind = Kind> {
  readonly number: number;
  readonly kind: K;
  /** Name in JSON and in error messages. */
  readonly json?: string;
}

export interface Message<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether it has messages that are read later. */
  readonly isEnvelope: boolean;
}
export type Fields = Readonly<Record<string, Field>>;

/** An attribute: its key, and where its value is, as JSON. */
export interface Attribute extends Piece {
  readonly key: AttributeKey;
  readonly in: JsonBytes;
}

type NumberKind = 'uint32' | 'fixed32' | 'sint32' | 'fixed64';
type ListKind = 'doubles' | 'fixed64s' | 'varints';

/** Parsed type of a field. Strings, IDs and values are pieces of JSON. */
type ValueOf<K extends Kind, S> = K extends 'text' | 'id'
  ? Piece
  : K extends Names
    ? number
    : K extends 'bool'
      ? boolean
      : K extends NumberKind
        ? number
        : K extends 'double' | 'sfixed64'
          ? number | undefined
          : K extends ListKind
            ? readonly number[]
            : K extends 'time'
              ? Instant
              : K extends 'value'
                ? Piece | undefined
                : K extends 'attributes'
                  ? readonly Attribute[]
                  : K extends { readonly one: Message<infer F> }
                    ? DecodedMessage<F, S> | undefined
                    : K extends { readonly many: Message<infer F> }
                      ? readonly DecodedMessage<F, S>[]
                      : Iterable<S>;

/** A parsed message; `S` is the position of a message that is parsed later. */
export type DecodedMessage<F extends Fields, S = unknown> = { readonly [N in keyof F]: ValueOf<F[N]['kind'], S> };

/**
 * The fields of a message before anything is read. All objects of one message have the same shape,
 * which V8 reads faster.
 */
export const unsetFields = ({ defaults }: Message): Record<string, unknown> => ({ ...defaults });

function defaultOf(kind: Kind): unknown {
  switch (kind) {
    case 'text':
    case 'id':
      return noText;
    case 'uint32':
    case 'fixed32':
    case 'sint32':
    case 'fixed64':
      return 0;
    case 'bool':
      return false;
    case 'double':
    case 'sfixed64':
      return undefined;
    case 'time':
      return noInstant;
    case 'value':
      return undefined;
    case 'attributes':
    case 'each':
    case 'doubles':
    case 'fixed64s':
    case 'varints':
      return none;
    default:
      return 'names' in kind ? 0 : 'many' in kind ? none : undefined;
  }
}

/** A missing string. */
export const noText: Piece = { start: 0, end: 0 };

/** Shared empty list for missing fields: a reader creates a new list for the first element. */
export const none: readonly unknown[] = [];

/** Declares a message. */
export const message = <const F extends Fields>(name: string, fields: F): Message<F> => ({
  name,
  fields,
  defaults: Object.fromEntries(Object.entries(fields).map(([field, { kind }]) => [field, defaultOf(kind)])),
  isEnvelope: Object.values(fields).some(({ kind }) => kind === 'each'),
});
