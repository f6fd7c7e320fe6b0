import { humanBytes } from '@millrace/http/settings/setting-units';
import { InputError } from './input-error.js';
import { ListScanner } from './list-scanner.js';

/** Maximum size of an object buffered in memory. */
const longestObject = 64 * 1024 * 1024;

/**
 * Turns each element of the array `member` into an event on its own line. Members of the object
 * before the array are added to its events, unless an event has its own; an object without the
 * array is an event.
 * @param say receives messages about skipped parts
 * @throws InputError when an object is too long
 */
export async function* expandMember(
  input: AsyncIterable<Uint8Array>,
  member: string,
  say: (message: string) => void,
): AsyncGenerator<Uint8Array> {
  const scanner = new ListScanner(member);
  for await (const piece of input) {
    const lines = scanner.scan(piece);
    if (lines.length > 0) yield Buffer.from(lines.join(''), 'latin1');
    if (scanner.buffered > longestObject)
      throw new InputError('failed', `--expand: an object of the input is longer than ${humanBytes(longestObject)}`);
  }
  const isCut = scanner.isInside;
  const rest = scanner.end();
  if (rest !== '') yield Buffer.from(rest, 'latin1');
  if (scanner.lists === 0)
    say(`--expand: no object of the input has an array '${member}'; objects are stored as they are`);
  if (isCut) say(`--expand: the input ends inside '${member}'; it may be incomplete`);
  if (scanner.late.size > 0)
    say(
      `--expand: members after '${member}' are not stored: ${[...scanner.late].map((name) => `'${name}'`).join(', ')}`,
    );
}

/**
 * Members with the events of exports and API responses of AWS, Azure, Google Cloud and others, and
 * how many other members are before them at most: events have arrays of such names too.
 */
const listNames: Readonly<Record<string, number>> = {
  records: 2,
  Records: 2,
  logEvents: 8,
  logs: 1,
  entries: 1,
  events: 1,
  value: 1,
};
const listStart = new RegExp(`"(${Object.keys(listNames).join('|')})"\\s*:\\s*\\[\\s*\\{`);

/** Name of the array of events in the first object, if it plainly is a list of events. */
export function listIn(text: string): string | undefined {
  const found = listStart.exec(text);
  const name = found?.[1];
  if (found === null || name === undefined) return undefined;
  const scanner = new ListScanner(name);
  scanner.scan(Buffer.from(text.slice(0, found.index + found[0].length)));
  return scanner.lists > 0 && scanner.membersBefore <= listNames[name]! ? name : undefined;
}
