/**
 * Text from events, made safe to display. Bidirectional control characters reorder the text around
 * them, and other control characters are invisible: both let a value look like another one. They
 * are shown as marks instead. Copying and searching use the original text.
 */

/** Short names of bidirectional control characters in Unicode. */
const BIDI: Readonly<Record<string, string>> = {
  '\u061c': 'ALM',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};

// Tabs, line breaks and escapes are not included: rows and the ANSI parser handle those.
// eslint-disable-next-line no-control-regex -- matches control characters
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** A part of a text; a mark replaces a control character. */
interface TextPart {
  readonly text: string;
  /** Code point of the control character, such as `U+202E`. */
  readonly code?: string;
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits a text at its control characters. */
export function textParts(text: string): readonly TextPart[] {
  if (!CONTROL.test(text)) return [{ text }];
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(CONTROLS)) {
    if (index > at) parts.push({ text: text.slice(at, index) });
    const code = codeOf(character);
    parts.push({ text: BIDI[character] ?? code, code });
    at = index + 1;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** As plain text for labels, tooltips and charts: `a⟨RLO⟩b`. */
export const visibleText = (text: string): string =>
  CONTROL.test(text)
    ? textParts(text)
        .map(({ text, code }) => (code === undefined ? text : `⟨${text}⟩`))
        .join('')
    : text;
