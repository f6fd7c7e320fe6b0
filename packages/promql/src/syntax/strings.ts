/** Strings of the language: in quotes with the escapes of Go, or raw in backquotes. */

const simple: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs;

/** The value of a literal; undefined for an unknown escape sequence. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal.startsWith('`')) return inner;
  let unknown = false;
  const text = inner.replace(escape, (_, hex, short, long, octal, letter) => {
    const digits = (hex ?? short ?? long) as string | undefined;
    if (digits !== undefined) return character(Number.parseInt(digits, 16));
    if (octal !== undefined) return character(Number.parseInt(octal as string, 8));
    const known = simple[letter as string];
    unknown ||= known === undefined;
    return known ?? '';
  });
  return unknown ? undefined : text;
}

const character = (code: number): string => (code > 0x10_ffff ? '\u{FFFD}' : String.fromCodePoint(code));
