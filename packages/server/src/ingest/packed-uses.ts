import { type BatchUses, FIELD_TYPES } from '@millrace/events';

/** What a thread asks about, for the way to the main one: of thousands of small objects the copying would cost more than what it is asked for. */
export interface PackedUses {
  readonly rows: number;
  readonly fields: readonly string[];
  /** Places in `FIELD_TYPES`. */
  readonly types: Uint8Array;
  readonly counts: Uint32Array;
  readonly bytes: Float64Array;
}

const placeOf = new Map(FIELD_TYPES.map((type, place) => [type, place]));

export const packUses = ({ rows, uses }: BatchUses): PackedUses => ({
  rows,
  fields: uses.map(({ field }) => field),
  types: Uint8Array.from(uses, ({ type }) => placeOf.get(type)!),
  counts: Uint32Array.from(uses, ({ count }) => count),
  bytes: Float64Array.from(uses, ({ bytes }) => bytes),
});

export const unpackUses = ({ rows, fields, types, counts, bytes }: PackedUses): BatchUses => ({
  rows,
  uses: fields.map((field, i) => ({ field, type: FIELD_TYPES[types[i]!]!, count: counts[i]!, bytes: bytes[i]! })),
});
