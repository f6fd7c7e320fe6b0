/** Inspects the beginning of a possible CSV. */

/** In order of preference. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];
/** Rows compared. */
const maxComparedRows = 10;

interface Row {
  /** Delimiters outside quoted cells. */
  readonly between: readonly string[];
  /** Whether the input contains its end. */
  readonly ended: boolean;
}

/** Non-empty rows. A quoted cell starts at a line start or after a delimiter. */
function* rowsOf(text: string, delimiters: readonly string[]): Generator<Row> {
  let between: string[] = [];
  let empty = true;
  let opens = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\n' || character === '\r') {
      if (!empty) yield { between, ended: true };
      between = [];
      empty = opens = true;
    } else if (character === '"' && opens) {
      at = closingQuote(text, at);
      empty = opens = false;
    } else {
      opens = delimiters.includes(character);
      if (opens) between.push(character);
      if (character !== ' ' && character !== '\t') empty = false;
    }
  }
  if (!empty) yield { between, ended: false };
}

/** Position of the closing quote, or the end. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

/**
 * The first common delimiter, or one of `first`, between the names of the first row; a comma by
 * default.
 */
export function delimiterIn(text: string, first: readonly string[] = []): string {
  const [names] = rowsOf(text, delimiters);
  return [...first, ...delimiters].find((delimiter) => names?.between.includes(delimiter)) ?? ',';
}

/** Columns of the first rows that are compared, at most. */
export function columnsIn(text: string, delimiter: string): number {
  // The server takes delimiters of several characters, which stand in no quoted cell.
  if (delimiter.length > 1)
    return Math.max(...text.split(/\r?\n/, maxComparedRows).map((line) => line.split(delimiter).length));
  let columns = 1;
  let rows = 0;
  for (const { between } of rowsOf(text, [delimiter])) {
    columns = Math.max(columns, between.length + 1);
    if (++rows === maxComparedRows) break;
  }
  return columns;
}

/** Detects a table: several first rows with equally many cells. */
export function tableIn(text: string): { readonly delimiter: string; readonly columns: number } | undefined {
  const delimiter = delimiterIn(text);
  const rows = rowsOf(text, [delimiter]);
  const first = rows.next();
  if (first.done === true || first.value.between.length === 0) return undefined;
  const count = first.value.between.length;
  let alike = 0;
  for (const { between, ended } of rows) {
    if (ended ? between.length !== count : between.length > count) return undefined;
    if (++alike === maxComparedRows) break;
  }
  return alike === 0 ? undefined : { delimiter, columns: count + 1 };
}

/**
 * Values that are not plausible column names: numbers, times, addresses, booleans and empty cells.
 */
const isValue = (cell: string): boolean =>
  /^(?:[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?|\d{4}-\d\d-\d\d.*|\d{1,3}(?:\.\d{1,3}){3}|true|false|null)$/i.test(cell);

/** Rows with more columns are not inspected further. */
const maxNamed = 50;

/**
 * Number of columns of a CSV whose first row looks like data: at least a third of its cells are
 * values. Years alone may be names.
 */
export function headlessColumns(text: string, delimiter: string): number | undefined {
  const line = /[^\r\n]+/.exec(text)?.[0] ?? '';
  // Quoted cells may contain the delimiter; quoted names are mostly words.
  if (line.includes('"') || !line.includes(delimiter)) return undefined;
  const cells = line.split(delimiter).map((cell) => cell.trim());
  if (cells.length > maxNamed) return undefined;
  const values = cells.filter((cell) => isValue(cell) && !/^(?:19|20)\d\d$/.test(cell));
  return values.length * 3 >= cells.length ? cells.length : undefined;
}
