/**
 * The labels of a stream as Loki writes them: `{app="web", path="C:\\logs", text="say \"hi\""}`. The values are strings of Go.
 * @returns undefined if the text is not of that form
 */
export function parseLabels(text: string): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  const body = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  if (body === undefined) return undefined;
  const label = /\s*([^\s=,"{}]+)\s*=\s*"((?:[^"\\]|\\[\s\S])*)"\s*(?:,|$)/y;
  while (label.lastIndex < body.length) {
    const from = label.lastIndex;
    const match = label.exec(body);
    if (match === null) return body.slice(from).trim() === '' ? labels : undefined;
    labels.set(match[1]!, unescaped(match[2]!));
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

/** Bytes that are written as `\x41` or `\101` are those of UTF-8, so that runs of them are read together. */
const escapes = /((?:\\x[0-9a-fA-F]{2}|\\[0-7]{3})+)|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\([\s\S])/g;

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(escapes, (_, bytes?: string, short?: string, long?: string, letter = '') => {
        if (bytes !== undefined) return bytesOf(bytes);
        const code = Number.parseInt(short ?? long ?? '', 16);
        if (Number.isNaN(code)) return letters[letter] ?? letter;
        return code <= 0x10_ffff ? String.fromCodePoint(code) : '\u{FFFD}';
      })
    : text;

const bytesOf = (escaped: string): string =>
  Buffer.from(
    [...escaped.matchAll(/\\x(..)|\\(...)/g)].map(([, hex, octal]) =>
      hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16),
    ),
  ).toString();
