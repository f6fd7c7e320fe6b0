const lineFeed = 0x0a;
const nul = 0x00;
const blank = 0x20;
/** Digits of the longest length. */
const maxDigits = 7;

/** Bounds of a message, and the start of the next one; both may lie after the received bytes. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * The next message of a stream (RFC 6587): `LEN SP message`, or a message up to a line feed or NUL.
 * Both may alternate.
 * @param looked position before which no line ends
 * @returns undefined if its end is not known yet
 */
export function nextFrame(bytes: Buffer, at: number, looked = at): Frame | undefined {
  const counted = countedFrame(bytes, at);
  if (counted === 'unknown') return undefined;
  if (counted !== 'lines') return counted;
  const end = endOfLine(bytes, looked);
  return end < 0 ? undefined : { start: at, end, next: end + 1 };
}

/**
 * A message prefixed with its length (octet counting); `lines` if it has none, `unknown` if more
 * bytes are needed.
 */
function countedFrame(bytes: Buffer, at: number): Frame | 'lines' | 'unknown' {
  let length = 0;
  for (let i = 0; i <= maxDigits; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return i === 0 || length > 0 ? 'unknown' : 'lines';
    if (byte === blank && length > 0) return { start: at + i + 1, end: at + i + 1 + length, next: at + i + 1 + length };
    if (byte < 0x30 || byte > 0x39 || (i === 0 && byte === 0x30)) return 'lines';
    length = length * 10 + byte - 0x30;
  }
  return 'lines';
}

/**
 * Scans each byte once. Two searches, one per terminator, could each scan all remaining bytes for
 * every line.
 */
export function endOfLine(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === lineFeed || bytes[at] === nul) return at;
  return -1;
}
