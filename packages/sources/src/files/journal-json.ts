/**
 * `journalctl -o json` writes a value that is not plain text, such as one with colors, as an array
 * of its bytes.
 */

/** Whether the first event is an entry of the journal. */
export const isJournal = (text: string): boolean =>
  /^\s*\{[^\n]*"__REALTIME_TIMESTAMP"\s*:/.test(text) && /"__CURSOR"\s*:/.test(text);

/** Lines with the arrays of bytes as text. */
export async function* withTexts(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of input) {
    const end = piece.lastIndexOf(0x0a) + 1;
    if (end === 0) rest = Buffer.concat([rest, piece]);
    else {
      yield withTextsIn(Buffer.concat([rest, piece.subarray(0, end)]));
      rest = Buffer.from(piece.subarray(end));
    }
  }
  if (rest.byteLength > 0) yield withTextsIn(rest);
}

const arrayOfNumbers = /\[\s*\d/;

function withTextsIn(lines: Buffer): Uint8Array {
  const text = lines.toString('latin1');
  if (!arrayOfNumbers.test(text)) return lines;
  const written = text.split('\n').map((line) => (arrayOfNumbers.test(line) ? withTextsInLine(line) : line));
  return Buffer.from(written.join('\n'), 'latin1');
}

function withTextsInLine(line: string): string {
  try {
    const entry = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as unknown;
    if (typeof entry !== 'object' || entry === null) return line;
    const fields = Object.entries(entry).map(([name, value]) => [name, textIn(value)]);
    return Buffer.from(JSON.stringify(Object.fromEntries(fields))).toString('latin1');
  } catch {
    // The server reports the error.
    return line;
  }
}

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;

/** A value, or several of a field that an entry has more than once. */
function textIn(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  if (value.every(isByte)) return Buffer.from(value).toString('utf8');
  return value.map((item: unknown) => (Array.isArray(item) ? textIn(item) : item));
}
