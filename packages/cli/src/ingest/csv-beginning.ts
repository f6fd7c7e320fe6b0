/** What the beginning of a text that may be CSV tells about it. */

/** In the order in which they are looked for between names. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];
/** Rows that are compared. */
const compared = 10;

interface Row {
  /** The delimiters in the row that are in no quoted cell. */
  readonly between: readonly string[];
  /** Whether its end was seen. */
  readonly ended: boolean;
}

/**
 * The rows of a text that are not empty. A cell in quotes, which may hold anything, begins at the
 * beginning of a line or behind one of the delimiters.
 */
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

/** The place of the quote that ends the cell which one opens, or the end. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

/**
 * The first of the usual delimiters, or of those given, that stands between the names in the first
 * row; a comma if none does.
 */
export function delimiterIn(text: string, first: readonly string[] = []): string {
  const [names] = rowsOf(text, delimiters);
  return [...first, ...delimiters].find((delimiter) => names?.between.includes(delimiter)) ?? ',';
}

/** The table that a text seems to be: its first rows, more than one, have equally many cells. */
export function tableIn(text: string): { readonly delimiter: string; readonly columns: number } | undefined {
  const delimiter = delimiterIn(text);
  const rows = rowsOf(text, [delimiter]);
  const first = rows.next();
  if (first.done === true || first.value.between.length === 0) return undefined;
  const count = first.value.between.length;
  let alike = 0;
  for (const { between, ended } of rows) {
    if (ended ? between.length !== count : between.length > count) return undefined;
    if (++alike === compared) break;
  }
  return alike === 0 ? undefined : { delimiter, columns: count + 1 };
}
