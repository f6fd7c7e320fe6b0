import type { Block } from './blocks/block.js';
import type { TextHabits } from './columns/text-habits.js';
import type { Familiar } from './familiar.js';
import type { FieldType } from './fields.js';
import type { EncodeLimits } from './limits.js';
import type { OnlyFields } from './only-fields.js';
import type { FieldUse, Placement } from './placement.js';

/** The declared fields of a dataset that takes no others. */
export interface LockedSchema {
  /**
   * Dotted field name → the types it may have. Integers are promoted where only `float` is
   * declared.
   */
  readonly fields: ReadonlyMap<string, readonly FieldType[]>;
}

/**
 * How the objects of a body have their events within them: what is around an event is part of it,
 * unless the event has something of that name itself.
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
  /** Members that are fields. Others, but for the declared time, are left out. */
  readonly fields: readonly string[];
}

export interface EncodeOptions {
  /** Time of arrival, nanoseconds since the epoch: `_time` of events that bring none. */
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
  readonly placement: Placement;
  /** What the dataset need not be told of; everything is told of if left out. */
  readonly familiar?: Familiar;
  /** Each event comes in an envelope. */
  readonly envelope?: Envelope;
  /**
   * Fields that the body may bring, if not all: what it has under other names becomes one object in
   * {@link OTHER_FIELD}.
   */
  readonly only?: OnlyFields;
  /**
   * Kept by the caller from one body of the dataset to the next, so that what was found out need
   * not be found out again.
   */
  readonly habits?: TextHabits;
  readonly limits: EncodeLimits;
}

/** An event that was not stored. */
export interface Failure {
  /** Ordinal of the event in the body, counting stored and failed ones from 0. */
  readonly index: number;
  /** Byte offset in the body where reading stopped. */
  readonly offset: number;
  /**
   * The event's time as far as it is known, nanoseconds since the epoch; otherwise the time of
   * arrival.
   */
  readonly time: bigint;
  /** Where, and what was expected there. */
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
  /**
   * Every (field, type) of the stored events, but for those in the overflow column that the dataset
   * knows.
   */
  readonly uses: readonly FieldUse[];
  /**
   * For each of `uses`, where its values went. True: a physical column of its own. False: the
   * overflow column.
   */
  readonly placed: readonly boolean[];
  /** If some were left out of `uses`: the mark of the {@link Familiar} that knew them. */
  readonly untold?: number;
  /** Events that have values in {@link OTHER_FIELD}, because their names are too many. */
  readonly withOthers: number;
  /** Smallest and largest `_time`, nanoseconds since the epoch; absent when nothing was stored. */
  readonly times?: { readonly min: bigint; readonly max: bigint };
}

/**
 * The labels are not a JSON object: none of the body was read. The message says what is wrong and
 * where.
 */
export class LabelsError extends Error {
  override readonly name = 'LabelsError';
}
