import type { Block } from './blocks/block.js';
import type { DictionaryHints } from './columns/dictionary-heuristics.js';
import type { KnownOverflowFields } from './known-overflow-fields.js';
import type { FieldType } from './fields.js';
import type { EncodeLimits } from './limits.js';
import type { OnlyFields } from './select-fields.js';
import type { FieldStats, ColumnPlacement } from './placement.js';

/** The declared fields of a dataset that takes no others. */
export interface LockedSchema {
  /**
   * Dotted field name → the types it may have. Integers are promoted where only `float` is
   * declared.
   */
  readonly fields: ReadonlyMap<string, readonly FieldType[]>;
}

/**
 * Where the objects of a body contain their events. Members next to the event become fields of it,
 * unless the event has a field of the same name.
 */
export interface Envelope {
  /**
   * The member that is the event: an object, or a text that is not empty. An object without it is
   * no event.
   */
  readonly event: string;
  /** The field of an event that is a text. */
  readonly text: string;
  /** A member that is an object of more fields. */
  readonly more: string;
  /** Members that are fields. All others except the declared time are omitted. */
  readonly fields: readonly string[];
}

export interface EncodeOptions {
  /** Ingest time, nanoseconds since the epoch: `_time` of events without a time. */
  readonly arrivalTime: bigint;
  /**
   * Dotted name of the field that supplies `_time` (default `_time`). Its value is removed from the
   * event.
   */
  readonly timestampField?: string;
  /**
   * Reads a textual timestamp in a declared layout, given the arrival; undefined when the text does
   * not fit. Default: detect the format.
   */
  readonly parseTime?: (text: string, arrivalTime: bigint) => bigint | undefined;
  /** A JSON object merged into every event, as UTF-8; the event's own keys win. */
  readonly labels?: Uint8Array;
  /** Dotted names of fields whose objects are stored whole. */
  readonly mapFields: ReadonlySet<string>;
  /** For a locked dataset: anything not declared is dropped from its event and reported. */
  readonly schema?: LockedSchema;
  readonly placement: ColumnPlacement;
  /** Known fields, which need not be reported; everything is reported if omitted. */
  readonly familiar?: KnownOverflowFields;
  /** Each event comes in an envelope. */
  readonly envelope?: Envelope;
  /**
   * Fields that the body may have, if limited: values under other names become one object in {@link
   * OTHER_FIELD}.
   */
  readonly only?: OnlyFields;
  /** Statistics that the caller retains from one body of the dataset to the next. */
  readonly habits?: DictionaryHints;
  readonly limits: EncodeLimits;
}

/** An event that was not stored. */
export interface Failure {
  /** Ordinal of the event in the body, counting stored and failed ones from 0. */
  readonly index: number;
  /** Byte offset in the body where parsing stopped. */
  readonly offset: number;
  /** The event's time if it is known, nanoseconds since the epoch; otherwise the ingest time. */
  readonly time: bigint;
  /** The position, and what was expected there. */
  readonly error: string;
}

/** Values left out of stored events. */
export interface Drop {
  /** The field's name, shortened if it was too long. */
  readonly field: string;
  readonly reason:
    | { readonly kind: 'undeclared' }
    | { readonly kind: 'type'; readonly allowed: readonly FieldType[]; readonly saw: FieldType }
    | { readonly kind: 'name-too-long'; readonly limit: number };
  readonly count: number;
}

export interface EncodeResult {
  /** The stored events in the order of the body. Without any, zero rows and no columns. */
  readonly block: Block;
  readonly ingested: number;
  readonly failed: number;
  /** The first failures, at most `limits.maxFailuresReported`; `failed` is exact. */
  readonly failures: readonly Failure[];
  /** At most `limits.maxDrops` entries. */
  readonly dropped: readonly Drop[];
  /** Dropped values that found no entry in `dropped`. */
  readonly droppedElsewhere: number;
  /** Every (field, type) of the stored events, except known ones in the overflow column. */
  readonly uses: readonly FieldStats[];
  /**
   * For each of `uses`, where its values went. True: a dedicated physical column. False: the
   * overflow column.
   */
  readonly placed: readonly boolean[];
  /** Mark of the {@link KnownOverflowFields} whose fields were left out of `uses`. */
  readonly unreportedMark?: number;
  /** Events that have values in {@link OTHER_FIELD}, because their names are too many. */
  readonly withOthers: number;
  /** Smallest and largest `_time`, nanoseconds since the epoch; absent when nothing was stored. */
  readonly times?: { readonly min: bigint; readonly max: bigint };
}

/**
 * The labels are not a JSON object; no part of the body was read. The message contains the problem
 * and its position.
 */
export class LabelsError extends Error {
  override readonly name = 'LabelsError';
}
