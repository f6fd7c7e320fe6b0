import type { DiagnosticSink } from '../model/diagnostics.js';
import { lexString } from './strings.js';
import type { Token } from './tokens.js';
import { units } from './units.js';

const symbols = ['==', '!=', '<=', '>=', '..', '::', ...'<>=|:;,()[]{}+-*/?'];
const space = /[\s\uFEFF]+/y;
const comment = /\/\/[^\n]*/y;
const name = /[\p{L}_][\p{L}\p{N}_]*/uy;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/y;
const duration = /(\d+)(ms|[smhdwMy])(?![\p{L}\p{N}_])/uy;
const number = /\d+(\.\d+)?([eE][+-]?\d+)?/y;
const regex = /#s?\/(?:\\.|[^/\\\n])*\/(?:(?:\\.|[^/\\\n])*\/)?/y;

/**
 * Divides a text into tokens, comments included. Never throws: what cannot be read is reported and
 * skipped.
 */
export function lex(text: string, sink: DiagnosticSink): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const findPattern = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const plain = (length: number) => ({ text: text.slice(at, at + length), span: { start: at, end: at + length } });
  const add = (token: Token): void => {
    tokens.push(token);
    at = token.span.end;
  };

  while (at < text.length) {
    const blank = findPattern(space);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const first = text[at]!;
    const match = findPattern(comment);
    if (match !== null) add({ ...plain(match[0].length), kind: 'comment' });
    else if (first === '"') add(lexString(text, at, sink));
    else if (first === '`') add(quotedName());
    else if (first === '#') readRegex();
    else if (first === '$') readParam();
    else readRest();
  }
  tokens.push({ kind: 'end', text: '', span: { start: text.length, end: text.length } });
  return tokens;

  function quotedName(): Token {
    let content = '';
    let end = at + 1;
    while (end < text.length && text[end] !== '`') {
      if (text[end] === '\\' && end + 1 < text.length) end++;
      content += text[end++]!;
    }
    const isClosed = text[end] === '`';
    const parts = plain((isClosed ? end + 1 : end) - at);
    if (!isClosed)
      sink.error(parts.span, 'the quoted name does not end; add a backquote', {
        title: 'Add the backquote',
        replacement: `${parts.text}\``,
      });
    return { ...parts, kind: 'name', name: content, isQuoted: true };
  }

  function readRegex(): void {
    const match = findPattern(regex);
    if (match === null) {
      const line = text.indexOf('\n', at);
      const parts = plain((line < 0 ? text.length : line) - at);
      sink.error(parts.span, 'the regular expression does not end; write #/pattern/');
      return add({ ...parts, kind: 'regex', pattern: '' });
    }
    const isReplacement = match[0].startsWith('#s');
    const pattern = /^#s?\/((?:\\.|[^/\\\n])*)\//.exec(match[0])![1]!;
    const whole = isReplacement ? match[0].length : pattern.length + 3;
    add({ ...plain(whole), kind: 'regex', pattern: pattern.replaceAll(String.raw`\/`, '/') });
  }

  function readParam(): void {
    at++;
    const match = findPattern(name);
    at--;
    const parts = plain(1 + (match?.[0].length ?? 0));
    if (match === null) sink.error(parts.span, 'expected the name of a parameter after $');
    add({ ...parts, kind: 'param', name: match?.[0] ?? '' });
  }

  function readRest(): void {
    const asTime = findPattern(time);
    if (asTime !== null) {
      const milliseconds = Date.parse(asTime[0].endsWith('Z') ? asTime[0] : `${asTime[0]}Z`);
      const parts = plain(asTime[0].length);
      if (Number.isNaN(milliseconds)) sink.error(parts.span, `'${asTime[0]}' is not a time`);
      return add({ ...parts, kind: 'time', milliseconds: Number.isNaN(milliseconds) ? 0 : milliseconds });
    }
    const asDuration = findPattern(duration);
    if (asDuration !== null) {
      const milliseconds = Number(asDuration[1]) * units[asDuration[2]!]!;
      return add({ ...plain(asDuration[0].length), kind: 'duration', milliseconds });
    }
    const asNumber = findPattern(number);
    if (asNumber !== null) {
      const isFloat = asNumber[1] !== undefined || asNumber[2] !== undefined;
      return add({ ...plain(asNumber[0].length), kind: isFloat ? 'float' : 'int', value: Number(asNumber[0]) });
    }
    const asName = findPattern(name);
    if (asName !== null) return add({ ...plain(asName[0].length), kind: 'name', name: asName[0], isQuoted: false });
    const symbol = symbols.find((one) => text.startsWith(one, at));
    if (symbol !== undefined) return add({ ...plain(symbol.length), kind: 'symbol' });
    const length = text.codePointAt(at)! > 0xffff ? 2 : 1;
    const parts = plain(length);
    if (parts.text === '.') sink.error(parts.span, "names with '.' stand in backquotes, as in `http.route`");
    else
      sink.error(parts.span, `the character '${parts.text}' has no meaning here; remove it`, {
        title: 'Remove it',
        replacement: '',
      });
    at += length;
  }
}
