import type { DiagnosticSink } from '../diagnostic-sink.js';
import { NEW_LINE } from './line-breaks.js';

interface StringToken {
  readonly end: number;
  /** The value of the literal. */
  readonly value: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  '0': '\0',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
const TYPOGRAPHIC_OPEN = '“”„‟‘’‚‛«»';
const TYPOGRAPHIC_CLOSE = /[“”‟‘’‛«»]/;
/**
 * UTF-16 units searched for a closing typographic quote, so that many unclosed ones do not each
 * scan the rest of the text.
 */
const TYPOGRAPHIC_LENGTH = 200;

/**
 *     string = [ "h" ] ( quoted | "@" quoted | "```" text "```" )
 *
 * `h` marks a secret for other tools and changes nothing here. Undefined when no string begins at
 * `start`.
 */
export function lexString(text: string, start: number, sink: DiagnosticSink): StringToken | undefined {
  let at = start;
  if ((text[at] === 'h' || text[at] === 'H') && /["'@`]/.test(text[at + 1] ?? '')) at++;
  if (text.startsWith('```', at)) return multiLine(text, start, at + 3, sink);
  const raw = text[at] === '@';
  if (raw) at++;
  const quote = text[at];
  if (quote === '"' || quote === "'")
    return raw ? verbatim(text, start, at, sink) : escapedString(text, start, at, sink);
  if (at === start && quote !== undefined && TYPOGRAPHIC_OPEN.includes(quote)) return typographic(text, start, sink);
  return undefined;
}

function escapedString(text: string, start: number, open: number, sink: DiagnosticSink): StringToken {
  const quote = text[open]!;
  let value = '';
  let at = open + 1;
  while (at < text.length && !NEW_LINE.test(text[at]!)) {
    const char = text[at]!;
    if (char === quote) return { end: at + 1, value };
    if (char !== '\\') {
      value += char;
      at++;
      continue;
    }
    const escape = readEscape(text, at);
    if (escape === undefined) {
      // Patterns such as "\d+" are common and unambiguous, so the backslash is literal.
      const span = { start: at, end: Math.min(at + 2, text.length) };
      const sequence = text.slice(span.start, span.end);
      if (text[at + 1] !== undefined && !NEW_LINE.test(text[at + 1]!)) {
        sink.warning(
          span,
          `${sequence} is no escape; it is read as a backslash and a letter; write \\${sequence} or a raw string: @${quote}…${quote}`,
          {
            title: 'Double the backslash',
            replacement: `\\${sequence}`,
          },
        );
      }
      value += '\\';
      at++;
    } else {
      value += escape.value;
      at = escape.end;
    }
  }
  return unterminatedString(text, start, at, quote, value, sink);
}

/** `\n`, `\x41`, `\u00e9`, `\U0001f600`. */
function readEscape(text: string, at: number): StringToken | undefined {
  const letter = text[at + 1] ?? '';
  const simple = ESCAPES[letter];
  if (simple !== undefined) return { end: at + 2, value: simple };
  const length = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
  const digits = text.slice(at + 2, at + 2 + length);
  if (length === 0 || digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? undefined : { end: at + 2 + length, value: String.fromCodePoint(code) };
}

/** A backslash is an ordinary character; a doubled quote is a single one. */
function verbatim(text: string, start: number, open: number, sink: DiagnosticSink): StringToken {
  const quote = text[open]!;
  let value = '';
  let at = open + 1;
  while (at < text.length && !NEW_LINE.test(text[at]!)) {
    if (text[at] === quote) {
      if (text[at + 1] !== quote) return { end: at + 1, value };
      at++;
    }
    value += text[at]!;
    at++;
  }
  return unterminatedString(text, start, at, quote, value, sink);
}

function multiLine(text: string, start: number, from: number, sink: DiagnosticSink): StringToken {
  const close = text.indexOf('```', from);
  if (close >= 0) return { end: close + 3, value: text.slice(from, close) };
  sink.error({ start, end: from }, 'this multi-line string is not closed; end it with ```');
  return { end: text.length, value: text.slice(from) };
}

function unterminatedString(
  text: string,
  start: number,
  end: number,
  quote: string,
  value: string,
  sink: DiagnosticSink,
): StringToken {
  const written = text.slice(start, end).trimEnd();
  const span = { start, end: start + written.length };
  const message = `this string is not closed; add ${quote} at its end; a line break inside is written \\n, or use a \`\`\` string`;
  sink.error(span, message, { title: `Add ${quote}`, replacement: written + quote });
  return { end: span.end, value };
}

/** Quotes that word processors insert: read as straight ones, and reported. */
function typographic(text: string, start: number, sink: DiagnosticSink): StringToken | undefined {
  const near = text.slice(start + 1, start + 1 + TYPOGRAPHIC_LENGTH);
  const length = near.split(NEW_LINE, 1)[0]!.search(TYPOGRAPHIC_CLOSE);
  const value = length < 0 ? '' : near.slice(0, length);
  const end = length < 0 ? start + 1 : start + length + 2;
  const quote = '‘’‚‛'.includes(text[start]!) ? "'" : '"';
  const straight = quote + value.replaceAll(quote, `\\${quote}`) + quote;
  const fix = length < 0 ? undefined : { title: 'Use straight quotes', replacement: straight };
  sink.error({ start, end }, `${text[start]!} is a typographic quote; strings are quoted with " or '`, fix);
  return { end, value };
}
