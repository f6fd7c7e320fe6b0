import { eventTimeField } from '@millrace/timestamps';
import type { Format } from './format.js';

/** Events inspected. */
const maxInspectedEvents = 20;

/**
 * The field that plainly has the time of the events at the beginning of an input.
 * @param delimiter of a CSV with a header row
 */
export function timeFieldIn(text: string, format: Format, delimiter: string | undefined): string | undefined {
  if (format !== 'csv') return eventTimeField(firstObjects(text), now());
  return delimiter === undefined ? undefined : eventTimeField(firstRows(text, delimiter), now());
}

const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** The first complete objects, in an array, on lines of their own, or one after the other. */
function firstObjects(text: string): readonly Readonly<Record<string, unknown>>[] {
  const objects: Readonly<Record<string, unknown>>[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length && objects.length < maxInspectedEvents; at++) {
    const character = text[at];
    if (character === '"') at = closingQuote(text, at);
    else if (character === '{' && depth++ === 0) start = at;
    else if (character === '}' && --depth === 0) {
      const event = parseEvent(text.slice(start, at + 1));
      if (event === undefined) return objects;
      objects.push(event);
    }
  }
  return objects;
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function parseEvent(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** The first complete rows; values with line breaks are not inspected. */
function firstRows(text: string, delimiter: string): readonly Readonly<Record<string, unknown>>[] {
  const [head = '', ...rows] = text.split(/\r?\n/, maxInspectedEvents + 2).slice(0, -1);
  const names = cellsOf(head, delimiter);
  return rows
    .map((row) => cellsOf(row, delimiter))
    .filter((cells) => cells.length === names.length)
    .map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] === '' ? null : cells[i]])));
}

function cellsOf(row: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const character of row) {
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
