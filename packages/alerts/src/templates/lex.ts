import { TemplateError } from './template-error.js';
import { requestBounds } from '@millrace/api/limits';

/** Splits a template into text and actions, and an action into tokens. */

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'action'; readonly source: string; readonly at: number };

/** Splits a template at `{{` and `}}`. A dash inside the braces trims the adjacent white space. */
export function piecesOf(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  const addText = (end: number, trimsRight: boolean): void => {
    let text = template.slice(at, end);
    if (trims) text = text.replace(/^[ \t\r\n]+/, '');
    if (trimsRight) text = text.slice(0, endOfText(text));
    if (text !== '') pieces.push({ kind: 'text', text, at });
  };
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) {
      addText(template.length, false);
      return pieces;
    }
    const dash = /^-[ \t\r\n]/.test(template.slice(open + 2, open + 4));
    addText(open, dash);
    const start = open + 2 + (dash ? 1 : 0);
    const comment = /^\s*\/\*/.test(template.slice(start, start + 20));
    const close = comment ? endOfComment(template, start) : endOfAction(template, start);
    trims = /[ \t\r\n]-$/.test(template.slice(start, close)) || (comment && template[close - 1] === '-');
    const source = template.slice(start, trims ? close - 1 : close);
    if (!comment) pieces.push({ kind: 'action', source, at: start });
    at = close + 2;
  }
}

/**
 * Start of the trailing white space. A regular expression would search for the end again from each
 * blank.
 */
function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--;
  return end;
}

function endOfComment(template: string, start: number): number {
  const end = template.indexOf('*/', start);
  const close = end < 0 ? null : /^(\s+-)?\}\}/.exec(template.slice(end + 2));
  if (close === null) throw new TemplateError(start, 'this comment does not end with */}}');
  return end + 2 + close[0].length - 2;
}

/** Index of the `}}` that ends an action, ignoring strings. */
function endOfAction(template: string, start: number): number {
  for (let at = start; at < template.length; at++) {
    const character = template[at];
    if (character === '"' || character === '`') {
      const end = endOfString(template, at);
      if (end < 0) throw new TemplateError(at, 'this string does not end');
      at = end;
    } else if (template.startsWith('}}', at)) return at;
  }
  throw new TemplateError(start - 2, 'this action does not end with }}');
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (quote === '"' && text[at] === '\n') return -1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

export type Token =
  | {
      readonly kind: 'field' | 'variable' | 'word' | 'symbol';
      readonly text: string;
      readonly at: number;
      readonly glued: boolean;
    }
  | { readonly kind: 'string'; readonly value: string; readonly at: number; readonly glued: boolean }
  | { readonly kind: 'number'; readonly value: number; readonly at: number; readonly glued: boolean };

const forms = {
  field: /\.[\p{L}_][\p{L}\p{N}_]*/uy,
  variable: /\$[\p{L}\p{N}_]*/uy,
  number: /[+-]?(0[xX][\da-fA-F]+|\d+(\.\d+)?([eE][+-]?\d+)?)/y,
  word: /[\p{L}_][\p{L}\p{N}_]*/uy,
  symbol: /:=|[=|(),.]/y,
} as const;

/** @param at offset of the source in the template */
export function tokensOf(source: string, at: number): readonly Token[] {
  const tokens: Token[] = [];
  let place = 0;
  while (place < source.length) {
    if (/\s/.test(source[place]!)) {
      place++;
      continue;
    }
    if (tokens.length === requestBounds.templateParts.max)
      throw new TemplateError(at, `this action has more than ${requestBounds.templateParts.max} parts; divide it`);
    const common = { at: at + place, glued: place > 0 && !/[\s(|,]/.test(source[place - 1]!) };
    if (source[place] === '"' || source[place] === '`') {
      const end = endOfString(source, place);
      tokens.push({ kind: 'string', value: stringIn(source.slice(place, end + 1), common.at), ...common });
      place = end + 1;
      continue;
    }
    const found = Object.entries(forms).flatMap(([kind, form]) => {
      form.lastIndex = place;
      const match = form.exec(source);
      return match === null ? [] : [{ kind: kind as keyof typeof forms, text: match[0] }];
    })[0];
    if (found === undefined) throw new TemplateError(common.at, `unexpected '${source[place]}'`);
    const { kind, text } = found;
    tokens.push(kind === 'number' ? { kind, value: Number(text), ...common } : { kind, text, ...common });
    place += text.length;
  }
  return tokens;
}

function stringIn(literal: string, at: number): string {
  if (literal.startsWith('`')) return literal.slice(1, -1);
  try {
    // The escapes of Go that JSON lacks.
    const asJson = literal
      .replaceAll(/\\x([\da-fA-F]{2})/g, '\\u00$1')
      .replaceAll("\\'", "'")
      .replaceAll('\\a', '\\u0007')
      .replaceAll('\\v', '\\u000b')
      .replaceAll('\t', '\\t');
    return JSON.parse(asJson) as string;
  } catch {
    throw new TemplateError(at, 'this string has an escape that is not known');
  }
}
