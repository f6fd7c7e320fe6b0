/**
 * Columns of the engine's answer, made fit for ours without parsing them: the engine gives the values of a column as the
 * text of one JSON array. Most are spliced into the answer as they are; JSON texts, which arrive as strings, are put in raw.
 */

/** What has to be done to the values of a column. */
export type ColumnForm = 'plain' | 'json';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const encoder = new TextEncoder();

/** A column as it stands in the answer. */
export function formColumn(column: Uint8Array, form: ColumnForm): Uint8Array {
  switch (form) {
    case 'plain':
      return column;
    case 'json':
      return unquoteJson(column);
  }
}

/** The values of a column, as JSON texts. */
export function splitValues(column: Uint8Array): readonly Uint8Array[] {
  const values: Uint8Array[] = [];
  let at = 1;
  while (at < column.length - 1) {
    const start = at;
    at = endOfValue(column, at);
    values.push(column.subarray(start, at));
    at++;
    while (column[at] === 0x20) at++;
  }
  return values;
}

/** Strings that hold JSON texts become those texts; nulls stay. */
function unquoteJson(column: Uint8Array): Uint8Array {
  const out = new Uint8Array(column.length);
  let length = 0;
  let i = 0;
  while (i < column.length) {
    const byte = column[i]!;
    if (byte !== quote) {
      out[length++] = byte;
      i++;
      continue;
    }
    i++;
    while (column[i] !== quote) {
      if (column[i] === backslash) {
        const [bytes, used] = unescape(column, i);
        out.set(bytes, length);
        length += bytes.length;
        i += used;
      } else {
        out[length++] = column[i++]!;
      }
    }
    i++;
  }
  return out.subarray(0, length);
}

const singleEscapes: Readonly<Record<string, number>> = {
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  '"': quote,
  '\\': backslash,
  '/': 0x2f,
};

/** The bytes an escape at `at` stands for and how many bytes it takes. Never longer than what it stands in. */
function unescape(text: Uint8Array, at: number): readonly [bytes: Uint8Array, used: number] {
  const letter = String.fromCharCode(text[at + 1]!);
  if (letter !== 'u') return [Uint8Array.of(singleEscapes[letter] ?? text[at + 1]!), 2];
  const unit = hex(text, at + 2);
  const paired = unit >= 0xd800 && unit < 0xdc00 && text[at + 6] === backslash && text[at + 7] === 0x75;
  if (!paired) return [encoder.encode(String.fromCharCode(unit)), 6];
  return [encoder.encode(String.fromCharCode(unit, hex(text, at + 8))), 12];
}

const hex = (text: Uint8Array, at: number): number =>
  Number.parseInt(String.fromCharCode(...text.subarray(at, at + 4)), 16);

function endOfValue(text: Uint8Array, start: number): number {
  let at = start;
  let depth = 0;
  for (; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === quote) {
      at++;
      while (text[at] !== quote) at += text[at] === backslash ? 2 : 1;
    } else if (byte === openBracket || byte === 0x7b) depth++;
    else if (byte === closeBracket || byte === 0x7d) {
      if (depth === 0) break;
      depth--;
    } else if (byte === comma && depth === 0) break;
  }
  return at;
}
