import { extname } from 'node:path';
import { InputError } from './input-error.js';
import { columnsIn, delimiterIn, headlessColumns, tableIn } from './csv-beginning.js';

/** Event formats and their detection. */

export const formats = {
  json: { mediaType: 'application/json', extensions: ['.json'] },
  ndjson: { mediaType: 'application/x-ndjson', extensions: ['.ndjson', '.jsonl'] },
  csv: { mediaType: 'text/csv', extensions: ['.csv', '.tsv'] },
} as const satisfies Record<string, { readonly mediaType: string; readonly extensions: readonly string[] }>;

export type Format = keyof typeof formats;

const encodings = {
  gzip: { magic: [0x1f, 0x8b], extensions: ['.gz'] },
  zstd: { magic: [0x28, 0xb5, 0x2f, 0xfd], extensions: ['.zst', '.zstd'] },
} as const satisfies Record<string, { readonly magic: readonly number[]; readonly extensions: readonly string[] }>;

export type Encoding = keyof typeof encodings;

const entriesOf = <K extends string, V>(table: Readonly<Record<K, V>>) => Object.entries(table) as [K, V][];

/** Detects compression by the first bytes, which are more reliable than the name. */
export function encodingOf(head: Uint8Array): Encoding | undefined {
  return entriesOf(encodings).find(([, { magic }]) => magic.every((byte, i) => head[i] === byte))?.[0];
}

/** Detected format; `guessed` gives the reason if neither name nor bracket is conclusive. */
interface DetectedFormat {
  readonly format: Format;
  readonly guessed?: string;
}

/**
 * Format of an input by its name, by options specific to CSV, or by its first (decompressed) bytes.
 * @throws InputError `usage` when undetermined
 */
export function formatOf(name: string, head: Uint8Array, impliesCsv = false): DetectedFormat {
  const named = byName(name);
  const beginning = beginningOf(head);
  const text = beginning.trimStart();
  if (text.startsWith('{') && named !== 'csv' && !(impliesCsv && named === undefined))
    return { format: ofObjects(text, named) };
  if (named !== undefined) return { format: named };
  if (impliesCsv) return { format: 'csv' };
  if (text.startsWith('[')) return { format: 'json' };
  if (text === '') return { format: 'ndjson' };
  const table = tableIn(beginning);
  if (table === undefined)
    throw new InputError('usage', `${name}: cannot tell the format; say --type json, ndjson or csv`);
  const between = table.delimiter === '\t' ? 'tab' : table.delimiter;
  const guessed = `${name} is read as CSV: each of its first lines has ${table.columns} cells between '${between}'; if it is none, --type says what it is`;
  return { format: 'csv', guessed };
}

/**
 * Files named .json often have one event per line, which splits without parsing. Files named
 * .ndjson may have events that span lines, or commas between them.
 */
function ofObjects(text: string, named: Format | undefined): Format {
  const line = text.slice(0, endOfLine(text)).trimEnd();
  if (isJson(line)) return 'ndjson';
  if (isJson(`[${line.replace(/,$/, '')}]`)) return 'json';
  return named === 'ndjson' && !spansLines(text) ? 'ndjson' : 'json';
}

/** Delimiter of a CSV with a header row, as the API spells it. A .tsv prefers tabs. */
export function delimiterOf(name: string, head: Uint8Array): string {
  const between = delimiterIn(beginningOf(head), extensionOf(name) === '.tsv' ? ['\t'] : []);
  return between === '\t' ? '\\t' : between;
}

/** Warning for a CSV whose first row looks like data, which would become names. */
export function withoutNames(name: string, head: Uint8Array, delimiter: string): string | undefined {
  const columns = headlessColumns(beginningOf(head), characters(delimiter));
  if (columns === undefined) return undefined;
  const names = numberColumns(columns).join(',');
  return `${name}: the first row seems to be data, and names the columns; if it is, name them with --csv-fields, or --no-header calls them ${names}`;
}

/** Names for the columns of a CSV without a header. */
export const columnsOf = (head: Uint8Array, delimiter: string): readonly string[] =>
  numberColumns(columnsIn(beginningOf(head), characters(delimiter)));

const numberColumns = (columns: number): readonly string[] =>
  Array.from({ length: columns }, (_, i) => `column_${i + 1}`);

const characters = (delimiter: string): string => (delimiter === '\\t' ? '\t' : delimiter);

/** Text at the beginning of an input. */
export const beginningOf = (head: Uint8Array): string =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 64 * 1024))
    .toString('utf8')
    .replace(/^\uFEFF/, '');

function byName(name: string): Format | undefined {
  const own = extensionOf(name);
  return entriesOf(formats).find(([, { extensions }]) => (extensions as readonly string[]).includes(own))?.[0];
}

/** File extension, without a compression suffix. */
function extensionOf(name: string): string {
  const compressed = Object.values(encodings).flatMap(({ extensions }) => extensions as readonly string[]);
  const extension = extname(name).toLowerCase();
  return compressed.includes(extension) ? extname(name.slice(0, -extension.length)).toLowerCase() : extension;
}

function endOfLine(text: string): number {
  const at = text.indexOf('\n');
  return at < 0 ? text.length : at;
}

/**
 * Whether the first line may start an event that spans lines. A damaged event is followed by one
 * that starts the same way.
 */
const spansLines = (text: string): boolean => /^.*\n(?!\{)/.test(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
