const lineFeed = 0x0a;
const nul = 0x00;
const blank = 0x20;
/** Digits of the longest length. */
const mostDigits = 7;

/** Where a message is, and where the next one begins: both may be behind what has come. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * The next message in a stream of them (RFC 6587): `LEN SP message`, or a message up to a line feed
 * or NUL. Both may take turns.
 * @param looked up to where it is known that no line ends
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
 * A message with its length before it; `lines` if it has none, `unknown` while that cannot be told.
 */
function countedFrame(bytes: Buffer, at: number): Frame | 'lines' | 'unknown' {
  let length = 0;
  for (let i = 0; i <= mostDigits; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return i === 0 || length > 0 ? 'unknown' : 'lines';
    if (byte === blank && length > 0) return { start: at + i + 1, end: at + i + 1 + length, next: at + i + 1 + length };
    if (byte < 0x30 || byte > 0x39 || (i === 0 && byte === 0x30)) return 'lines';
    length = length * 10 + byte - 0x30;
  }
  return 'lines';
}

/**
 * One look at each byte: of two searches for one byte each, one would look at all that is there for
 * every line.
 */
export function endOfLine(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === lineFeed || bytes[at] === nul) return at;
  return -1;
}
