/**
 * From the text of a file to its rows, each of a number of texts; null is a cell that is not there.
 */

export type Cell = string | null;

/**
 * Formats by their names in queries, with the cell separator. In `raw` and `txt` each line is one
 * string.
 */
const formats = {
  csv: ',',
  scsv: ';',
  tsv: '\t',
  psv: '|',
  json: 'objects',
  multijson: 'objects',
  singlejson: 'objects',
  raw: 'lines',
  txt: 'lines',
} as const;

export type FileFormat = keyof typeof formats;

export const formatNames: readonly string[] = Object.keys(formats);

export const isFileFormat = (name: string): name is FileFormat => Object.hasOwn(formats, name);

/** Whether rows are objects, or lines that are one text, and not cells. */
export const kindOf = (format: FileFormat): 'objects' | 'lines' | 'cells' =>
  formats[format].length === 1 ? 'cells' : (formats[format] as 'objects' | 'lines');

type FileRows =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * The rows of a file. A row of objects or lines has one cell; for an object it is its JSON text.
 */
export function rowsOf(text: string, format: FileFormat): FileRows {
  switch (kindOf(format)) {
    case 'objects':
      return objectsOf(text);
    case 'lines':
      return { kind: 'rows', rows: linesOf(text).map((line) => [line]) };
    case 'cells':
      return { kind: 'rows', rows: cellsOf(text, formats[format]) };
  }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Parses lines of cells, which may be quoted and then contain anything. Lenient, like other parsers
 * of such files: text around quotes belongs to the cell, and a quote that is not closed extends to
 * the end. Empty lines are not rows; a cell without characters is missing, unless it is quoted.
 */
function cellsOf(text: string, delimiter: string): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  const end = text.length;
  let at = 0;
  while (at < end) {
    let cell = '';
    let quoted = false;
    let start = at;
    for (; at < end && text[at] !== delimiter && text[at] !== '\n'; at++) {
      if (text[at] !== '"' || (!quoted && text.slice(start, at).trim() !== '')) continue;
      if (quoted) cell += text.slice(start, at);
      const closing = closingQuote(text, at + 1);
      cell += text.slice(at + 1, closing).replaceAll('""', '"');
      quoted = true;
      at = Math.min(closing, end - 1);
      start = at + 1;
    }
    const rest = text.slice(start, at);
    if (quoted) row.push(cell + rest.trimEnd());
    else row.push(rest.trim() === '' ? null : rest.trim());
    const over = at >= end || text[at] === '\n';
    // A delimiter at the very end of the text has one more cell after it.
    if (!over && at === end - 1) row.push(null);
    if (over || at === end - 1) {
      if (row.length > 1 || row[0] !== null) rows.push(row);
      row = [];
    }
    at++;
  }
  return rows;
}

/**
 * The position of the closing quote for a string that begins at `from`; two quotes in a row are one
 * literal quote.
 */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return text.length;
}

/** Concatenated objects, with or without commas, also in an array. */
function objectsOf(text: string): FileRows {
  const rows: string[][] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && ' \t\r\n,[]'.includes(text[at]!)) at++;
    if (at >= text.length) return { kind: 'rows', rows };
    const end = text[at] === '{' ? endOfObject(text, at) : at;
    const object = text.slice(at, end);
    if (!isJson(object)) {
      const line = text.slice(0, at).split('\n').length;
      return { kind: 'unreadable', problem: `what stands in line ${line} is no object in JSON` };
    }
    rows.push([object]);
    at = end;
  }
}

/** The position after the object that begins at `from`. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
    else if (character === '"') for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
  }
  return text.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
