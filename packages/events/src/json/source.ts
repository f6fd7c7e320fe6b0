/** The bytes a reader stands on, and what went wrong with them. Readers answer a position, or -1 after {@link Source.fail}. */
export class Source {
  readonly buffer: Uint8Array;
  readonly view: DataView;
  /** The same bytes, for the rare places that need a string of them. */
  readonly text: Buffer;
  readonly end: number;
  /** Where the last failure is. */
  failedAt = 0;
  /** What the grammar wanted there. */
  expected = '';
  /** Set by readers that replaced something (broken UTF-8, lone surrogates, numbers beyond double) by its repair. */
  repaired = false;

  constructor(bytes: Uint8Array) {
    this.buffer = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = bytes.length;
  }

  /** Notes the failure; answers -1 so that readers can return it. */
  fail(at: number, expected: string): -1 {
    this.failedAt = at;
    this.expected = expected;
    return -1;
  }

  /** What stands at `at`, in words. */
  found(at: number): string {
    const byte = this.buffer[at];
    if (byte === undefined) return 'the end';
    if (byte === 0x0a || byte === 0x0d) return 'a line break';
    return byte > 0x20 && byte < 0x7f
      ? `'${String.fromCharCode(byte)}'`
      : `byte 0x${byte.toString(16).padStart(2, '0')}`;
  }
}

/** How many of `length` bytes, four at least, are the same from both places on. */
export function sameLength(view: DataView, left: number, right: number, length: number): number {
  let i = 0;
  // Eight bytes a step, as doubles: what is no number differs from itself and goes the other way, and text has no zeros with a sign.
  for (const stop = length - 8; i <= stop; i += 8) {
    if (view.getFloat64(left + i, true) !== view.getFloat64(right + i, true)) break;
  }
  // The last word may overlap the one before.
  const last = length - 4;
  for (; i < last; i += 4) {
    const difference = view.getInt32(left + i, true) ^ view.getInt32(right + i, true);
    if (difference !== 0) return i + lowestByte(difference);
  }
  const difference = view.getInt32(left + last, true) ^ view.getInt32(right + last, true);
  return difference === 0 ? length : last + lowestByte(difference);
}

/** The lowest byte of a word that is not 0. */
function lowestByte(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3;
}

/** The first position from `at` on that is no JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  while (byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = bytes[++at]!;
  return at;
}
