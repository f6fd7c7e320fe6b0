import { endOfString } from '@millrace/http/body/json-body';
import { ingestBounds } from '../ingest-limits.js';

/**
 * Parses the labels of a stream in Loki's syntax: `{app="web", path="C:\\logs", text="say
 * \"hi\""}`. Values are Go strings.
 * @returns undefined if the text is invalid, or has more labels than any stream
 */
export function parseLabels(text: string): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  const whole = text.trim();
  if (whole.length < 2 || !whole.startsWith('{') || !whole.endsWith('}')) return undefined;
  const body = whole.slice(1, -1);
  const name = /\s*([^\s=,"{}]+)\s*=\s*"/y;
  const comma = /\s*(?:,|$)/y;
  for (let at = 0; at < body.length; at = comma.lastIndex) {
    name.lastIndex = at;
    const match = name.exec(body);
    if (match === null) return body.slice(at).trim() === '' ? labels : undefined;
    const end = endOfString(body, name.lastIndex - 1);
    labels.set(match[1]!, unescapeLabel(body.slice(name.lastIndex, end)));
    if (labels.size > ingestBounds.labels.max) return undefined;
    comma.lastIndex = end + 1;
    if (end >= body.length || !comma.test(body)) return undefined;
  }
  return labels;
}

const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escape = /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g;

/**
 * Decodes a Go string. Works on bytes, because `\x41` and `\101` are bytes of UTF-8; the result is
 * never longer.
 */
function unescapeLabel(text: string): string {
  if (!text.includes('\\')) return text;
  const out = Buffer.allocUnsafe(Buffer.byteLength(text));
  let length = 0;
  let from = 0;
  for (const match of text.matchAll(escape)) {
    const [whole, hex, octal, short, long, letter = ''] = match;
    length += out.write(text.slice(from, match.index), length);
    from = match.index + whole.length;
    if (hex !== undefined) out[length++] = Number.parseInt(hex, 16);
    else if (octal !== undefined) out[length++] = Number.parseInt(octal, 8);
    else length += out.write(letters[letter] ?? (letter || characterOf(short ?? long ?? '')), length);
  }
  length += out.write(text.slice(from), length);
  return out.toString('utf8', 0, length);
}

function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\u{FFFD}';
}
