import { InputError } from '../files/input-error.js';
import type { LineFormat } from './line-formats.js';

const lineFeed = 0x0a;
const longestLine = 16 * 1024 * 1024;

/**
 * Converts the lines of an object to JSON, a line per event.
 * @throws InputError when a line is too long
 */
export async function* lineEvents(bytes: AsyncIterable<Uint8Array>, format: LineFormat): AsyncGenerator<Uint8Array> {
  const read = format.open();
  const convert = (lines: readonly string[]): string =>
    lines
      .map((line) => (line.trim() === '' ? undefined : read(line.replace(/\r$/, ''))))
      .filter((event) => event !== undefined)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('');
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of bytes) {
    const end = piece.lastIndexOf(lineFeed);
    rest = end < 0 ? Buffer.concat([rest, piece]) : rest;
    if (rest.length > longestLine) throw new InputError('failed', 'a line is longer than 16 MiB');
    if (end < 0) continue;
    const lines = Buffer.concat([rest, piece.subarray(0, end)])
      .toString('utf8')
      .split('\n');
    rest = Buffer.from(piece.subarray(end + 1));
    const text = convert(lines);
    if (text !== '') yield Buffer.from(text);
  }
  const text = convert([rest.toString('utf8')]);
  if (text !== '') yield Buffer.from(text);
}
