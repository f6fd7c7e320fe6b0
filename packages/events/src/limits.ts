/**
 * Limits of one encode call. Each is a setting of the server; the reason is next to the default.
 */
export interface EncodeLimits {
  /**
   * Longest value in bytes of its stored form; of a longer one the beginning is stored, as a string
   * ({@link shortenedText}).
   */
  readonly maxValueBytes: number;
  /**
   * Longest dotted field name in UTF-8 bytes; a longer one is dropped from its event and reported.
   */
  readonly maxNameBytes: number;
  /** Deepest nesting, the event itself being level 1; a deeper object or array becomes null. */
  readonly maxJsonDepth: number;
  /** Failures listed with their reason; more are counted but not listed. */
  readonly maxFailuresReported: number;
  /** After so many failures in a row nothing more of the body is read. */
  readonly maxFailuresInARow: number;
  /** Distinct (field, reason) pairs listed in `dropped`; more are counted in `droppedElsewhere`. */
  readonly maxDrops: number;
  /** Different fields in one body; values under further names become one object per event. */
  readonly maxRequestFields: number;
  /** Columns of a CSV body. */
  readonly maxCsvColumns: number;
  /** Bytes of the block; a longer one is not even written. */
  readonly maxBlockBytes: number;
}

/** The events of a body take more than `maxBlockBytes`. */
export class BlockTooLarge extends Error {
  override readonly name = 'BlockTooLarge';
}

export const DEFAULT_LIMITS: EncodeLimits = {
  // The interface's documented limit.
  maxValueBytes: 1_000_000,
  // The interface's documented limit.
  maxNameBytes: 200,
  // The interface's documented limit.
  maxJsonDepth: 100,
  // Enough to find the problem; a response with a reason for each of a million invalid lines is
  // useless.
  maxFailuresReported: 1000,
  // A failure takes a hundred times as long as a value of an event, and a body with so many
  // contains no events.
  maxFailuresInARow: 100_000,
  // As for failures: one message per field, and a body may have any number of undeclared names.
  maxDrops: 1000,
  // A hundred times the number in real bodies; tracking them takes a second.
  maxRequestFields: 100_000,
  // Bounds the memory of one row; beyond any spreadsheet.
  maxCsvColumns: 20_000,
  // Maximum for one append to the log, as 33 million events without a value need.
  maxBlockBytes: 256 << 20,
};

/**
 * UTF-8 shortened to `max` bytes: its beginning, and a note with the bytes that it had. The encoder
 * does the same (`shortenText` in `assembly/text.ts`).
 */
export function shortenedText(text: Uint8Array, max: number): Buffer {
  const note = `<invalid string: too long, ${text.length} bytes>`;
  let kept = Math.max(0, max - note.length);
  // A character is kept whole.
  while (kept > 0 && (text[kept]! & 0xc0) === 0x80) kept--;
  return Buffer.concat([text.subarray(0, kept), Buffer.from(note)]);
}

/** Stored in place of a part of a value that is longer than `maxValueBytes` as a whole. */
export const TOO_LONG = '<invalid string: too long>';

/**
 * Longest body in bytes: keeps offsets, and the memory most bodies take in the core, well below
 * 2^31.
 */
export const MAX_BODY_BYTES = 1 << 29;

/**
 * Memory in which the core encodes one body, including a copy of it. `../build-encoder.js` compiles
 * it in.
 */
export const MAX_CORE_BYTES = 1 << 30;

/** Throws RangeError for a body over {@link MAX_BODY_BYTES}. */
export function checkBodySize(body: Uint8Array): void {
  if (body.length <= MAX_BODY_BYTES) return;
  throw new RangeError(`a body of ${body.length} bytes is over the limit of ${MAX_BODY_BYTES}`);
}

/**
 * Maximum open brackets in a value: tracking them takes memory for each. `assembly/skip.ts` has the
 * same limit.
 */
export const MAX_OPEN = 1_000_000;

/**
 * Below this many rows a dictionary costs more than the repetition it saves, and merging stays
 * plain copying.
 */
export const DICTIONARY_ROWS = 1000;

/** A dictionary has fewer texts than this; see `../assembly/columns/dictionary.ts`. */
export const DICTIONARY_ENTRIES = 1 << 15;

/**
 * A block of this many bytes is not merged, however few rows it has: the rows are long, and copying
 * them would block the event loop.
 */
export const MERGED_BYTES = 1 << 20;
