/**
 * The bytes of a body, and their error. Parsers return a position, or -1 after {@link Source.fail}.
 */
export class Source {
  readonly buffer: Uint8Array;
  readonly end: number;
  /** Where the last failure is. */
  failedAt = 0;
  /** The token that the grammar expected there. */
  expectedToken = '';

  constructor(bytes: Uint8Array) {
    this.buffer = bytes;
    this.end = bytes.length;
  }

  /** Records the failure; returns -1 so that readers can return it. */
  fail(at: number, expected: string): -1 {
    this.failedAt = at;
    this.expectedToken = expected;
    return -1;
  }

  /** Describes the byte at `at`. */
  foundText(at: number): string {
    const byte = this.buffer[at];
    if (byte === undefined) return 'the end';
    if (byte === 0x0a || byte === 0x0d) return 'a line break';
    return byte > 0x20 && byte < 0x7f
      ? `'${String.fromCharCode(byte)}'`
      : `byte 0x${byte.toString(16).padStart(2, '0')}`;
  }
}

/** The first position from `at` on that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  while (byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) byte = bytes[++at]!;
  return at;
}
