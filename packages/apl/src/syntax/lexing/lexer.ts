import type { DiagnosticSink } from '../diagnostic-sink.js';
import { lexNumber } from './lex-number.js';
import { lexString } from './lex-string.js';
import { LINE_BREAK } from './line-breaks.js';
import type { Token, TokenKind } from './tokens.js';

/**
 * Longest first, so that `<=` is not read as `<`. `&&` and `||` are not operators of the language;
 * the parser reports them.
 */
const PUNCTUATION = [
  '...',
  '==',
  '!=',
  '<>',
  '<=',
  '>=',
  '=~',
  '!~',
  '..',
  '&&',
  '||',
  '=>',
  '|',
  ';',
  ',',
  '.',
  ':',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '!',
] as const;

/** Letters beyond ASCII count as part of the word, so that the whole word is reported. */
const WORD = /[$_\p{L}][\p{L}\p{M}\p{N}_]*/uy;
const NEGATED = /![A-Za-z_][A-Za-z0-9_]*/y;
/**
 * Unquoted contents of `datetime(…)` and `timespan(…)`: anything that begins with a digit, signed
 * or not.
 */
const LITERAL_TEXT = /\s*([+-]?\d[^()"'\r\n|;]*)(?=\))/y;
const LITERAL_TYPES: ReadonlySet<string> = new Set(['datetime', 'date', 'timespan', 'time']);
/** The contents of `guid(…)`; its dashes and digits would otherwise be differences and units. */
const GUID = /\s*\(\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\s*\)/iy;
/**
 * No-break spaces, zero-width marks and the byte order mark occur in pasted text and have no
 * meaning.
 */
const BLANK = /[ \t\f\v\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/;

/** Splits a text into tokens; the last one is `end`. Unreadable text is reported and omitted. */
export function lex(text: string, sink: DiagnosticSink): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let startsLine = true;

  const push = (kind: TokenKind, end: number, value?: string | bigint | number): void => {
    const token = { kind, text: text.slice(at, end), start: at, end, startsLine };
    tokens.push(value === undefined ? token : { ...token, value });
    at = end;
    startsLine = false;
  };
  const matchAt = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  while (at < text.length) {
    const char = text[at]!;
    if (LINE_BREAK.test(char)) {
      startsLine = true;
      at++;
    } else if (BLANK.test(char)) {
      at++;
    } else if (text.startsWith('//', at)) {
      at = endOfLine(text, at);
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? text.length : close + 2;
      sink.error({ start: at, end }, 'there are no block comments; begin each line of the comment with //');
      at = end;
    } else if (isDigit(char)) {
      const number = lexNumber(text, at, sink);
      push(number.kind, number.end, number.value);
    } else {
      const string = lexString(text, at, sink);
      if (string !== undefined) {
        push('string', string.end, string.value);
        continue;
      }
      const word = matchAt(WORD);
      if (word !== null) lexWord(word[0]);
      else if (matchAt(NEGATED) !== null) push('negated', withTilde(text, NEGATED.lastIndex, '!in', at));
      else lexPunctuation();
    }
  }
  push('end', at);
  return tokens;

  function lexWord(word: string): void {
    const end = at + word.length;
    if (word === 'guid' && lexGuid(end)) return;
    if (!/^[$A-Za-z_][A-Za-z0-9_]*$/.test(word)) {
      const quoted = `['${word}']`;
      const fix = { title: 'Quote the name', replacement: quoted };
      sink.error({ start: at, end }, `the name ${word} must be quoted because of its letters: ${quoted}`, fix);
      push('word', end);
      return;
    }
    push('word', withTilde(text, end, 'in', at));
    if (LITERAL_TYPES.has(word)) lexLiteralText();
  }

  /**
   * Lexes a GUID as a string. Kusto compares GUIDs case-insensitively, and nearly all programs use
   * lower case.
   */
  function lexGuid(afterWord: number): boolean {
    GUID.lastIndex = afterWord;
    const guid = GUID.exec(text)?.[1];
    if (guid === undefined) return false;
    push('string', GUID.lastIndex, guid.toLowerCase());
    return true;
  }

  /**
   * After `datetime` and the like: the bracket and the raw text in it, whose dashes and colons
   * would otherwise become operators.
   */
  function lexLiteralText(): void {
    const bracket = /\s*\(/y;
    bracket.lastIndex = at;
    if (bracket.exec(text) === null) return;
    LITERAL_TEXT.lastIndex = bracket.lastIndex;
    const literal = LITERAL_TEXT.exec(text);
    if (literal === null) return;
    at = bracket.lastIndex - 1;
    push('punctuation', at + 1);
    const content = literal[1]!.trimEnd();
    at += literal[0].indexOf(content);
    push('literalText', at + content.length);
  }

  function lexPunctuation(): void {
    const sign = PUNCTUATION.find((candidate) => text.startsWith(candidate, at));
    if (sign !== undefined) {
      push('punctuation', at + sign.length);
      return;
    }
    const char = String.fromCodePoint(text.codePointAt(at)!);
    const end = at + char.length;
    if (char === '–' || char === '—' || char === '−') {
      sink.error({ start: at, end }, `${char} is a typographic dash; write -`, { title: 'Write -', replacement: '-' });
      tokens.push({ kind: 'punctuation', text: '-', start: at, end, startsLine });
      startsLine = false;
    } else if (char === '`') {
      sink.error(
        { start: at, end },
        'a backtick quotes nothing here; names are quoted as [\'name\'], strings as "text"',
      );
    } else {
      sink.error({ start: at, end }, `${JSON.stringify(char)} has no meaning here${insteadOf[char] ?? ''}`);
    }
    at = end;
  }
}

/** What to write instead of signs from other languages. */
const insteadOf: Readonly<Record<string, string>> = {
  '?': '; a choice is written iff(condition, then, otherwise)',
  '~': '; =~ compares without case, contains searches, matches regex takes a pattern',
  '@': '; the time of an event is _time, and other names with signs are quoted: ["@a"]',
  '#': '; a comment begins with //',
  '^': '; powers are pow(a, b)',
  '“': '; strings stand in straight quotes: "text"',
  '”': '; strings stand in straight quotes: "text"',
  '‘': '; strings stand in straight quotes: "text"',
  '’': '; strings stand in straight quotes: "text"',
};

/** The end of the word, with the tilde of `in~` or `!in~`; no other word may end in one. */
function withTilde(text: string, end: number, word: string, start: number): number {
  return text[end] === '~' && text.slice(start, end) === word ? end + 1 : end;
}

const isDigit = (char: string): boolean => char >= '0' && char <= '9';

function endOfLine(text: string, from: number): number {
  const pattern = new RegExp(LINE_BREAK, 'g');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
