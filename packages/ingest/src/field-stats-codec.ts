import { type BatchFieldStats, FIELD_TYPES } from '@millrace/events';

/**
 * The fields whose placement a thread requests, packed: copying thousands of small objects between
 * threads would cost more than the decision.
 */
export interface EncodedFieldStats {
  readonly rows: number;
  readonly fields: readonly string[];
  /** Indexes into `FIELD_TYPES`. */
  readonly types: Uint8Array;
  readonly counts: Uint32Array;
  readonly bytes: Float64Array;
}

const placeOf = new Map(FIELD_TYPES.map((type, place) => [type, place]));

export const encodeFieldStats = ({ rows, uses }: BatchFieldStats): EncodedFieldStats => ({
  rows,
  fields: uses.map(({ field }) => field),
  types: Uint8Array.from(uses, ({ type }) => placeOf.get(type)!),
  counts: Uint32Array.from(uses, ({ count }) => count),
  bytes: Float64Array.from(uses, ({ bytes }) => bytes),
});

export const unpackUses = ({ rows, fields, types, counts, bytes }: EncodedFieldStats): BatchFieldStats => ({
  rows,
  uses: fields.map((field, i) => ({ field, type: FIELD_TYPES[types[i]!]!, count: counts[i]!, bytes: bytes[i]! })),
});
