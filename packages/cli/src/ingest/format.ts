import { extname } from 'node:path';
import { usage } from '../failure.js';
import { delimiterIn, tableIn } from './csv-beginning.js';

/** Formats of events, and how the format of an input is recognised. */

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

/** How an input is compressed, judged by its first bytes, which are more reliable than its name. */
export function encodingOf(head: Uint8Array): Encoding | undefined {
  return entriesOf(encodings).find(([, { magic }]) => magic.every((byte, i) => head[i] === byte))?.[0];
}

/** What an input is taken for; `guessed` says why, if neither its name nor a bracket tells. */
interface Judged {
  readonly format: Format;
  readonly guessed?: string;
}

/**
 * The format of an input: by its name, else by how its (decompressed) bytes begin.
 * @throws Failure `usage` when neither tells
 */
export function formatOf(name: string, head: Uint8Array): Judged {
  const named = byName(name);
  const beginning = beginningOf(head);
  const text = beginning.trimStart();
  if (text.startsWith('{') && named !== 'csv') return { format: ofObjects(text, named) };
  if (named !== undefined) return { format: named };
  if (text.startsWith('[')) return { format: 'json' };
  if (text === '') return { format: 'ndjson' };
  const table = tableIn(beginning);
  if (table === undefined) throw usage(`${name}: cannot tell the format; say --type json, ndjson or csv`);
  const between = table.delimiter === '\t' ? 'tab' : table.delimiter;
  const guessed = `${name} is read as CSV: each of its first lines has ${table.columns} cells between '${between}'; if it is none, --type says what it is`;
  return { format: 'csv', guessed };
}

/**
 * Files called .json often hold one event per line; these can be split without parsing them. Those
 * called .ndjson may have events that span lines, or commas between them.
 */
function ofObjects(text: string, named: Format | undefined): Format {
  const line = text.slice(0, endOfLine(text)).trimEnd();
  if (isJson(line)) return 'ndjson';
  if (isJson(`[${line.replace(/,$/, '')}]`)) return 'json';
  return named === 'ndjson' && !spansLines(text) ? 'ndjson' : 'json';
}

/**
 * What separates the cells of a CSV whose first row names its columns, as the interface spells it.
 * A tab comes first if the file is called .tsv.
 */
export function delimiterOf(name: string, head: Uint8Array): string {
  const between = delimiterIn(beginningOf(head), extensionOf(name) === '.tsv' ? ['\t'] : []);
  return between === '\t' ? '\\t' : between;
}

const beginningOf = (head: Uint8Array): string =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 64 * 1024))
    .toString('utf8')
    .replace(/^\uFEFF/, '');

function byName(name: string): Format | undefined {
  const own = extensionOf(name);
  return entriesOf(formats).find(([, { extensions }]) => (extensions as readonly string[]).includes(own))?.[0];
}

/**
 * The extension of a file name, or that of the packed file if the name says that it is compressed.
 */
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
 * Whether the first line of a text may be the beginning of an event that goes on: a damaged one is
 * followed by the next event, which begins like itself.
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
