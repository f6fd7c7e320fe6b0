import type { DiagnosticSink } from '../model/diagnostics.js';
import type { StringPart, Token } from './tokens.js';

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  $: '$',
};

const interpolationPattern = /^\s*(?:(\$?)([\p{L}_][\p{L}\p{N}_]*)|`((?:\\.|[^`\\])*)`)\s*$/u;

/** Reads the string whose quote is at `start`, with the tags and parameters that it inserts. */
export function lexString(text: string, start: number, sink: DiagnosticSink): Token {
  const parts: StringPart[] = [];
  let content = '';
  let at = start + 1;
  const endText = (): void => {
    if (content !== '') parts.push({ kind: 'text', text: content });
    content = '';
  };
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') at = readEscape(at + 1);
    else if (text.startsWith('${', at)) at = readInserted(at);
    else content += text[at++]!;
  }
  const isClosed = text[at] === '"';
  const span = { start, end: isClosed ? at + 1 : at };
  const written = text.slice(start, span.end);
  if (!isClosed)
    sink.error(span, 'the string does not end; add a quote', { title: 'Add the quote', replacement: `${written}"` });
  endText();
  return { kind: 'string', text: written, span, parts };

  function readEscape(from: number): number {
    const letter = text[from];
    if (letter === undefined) return from;
    if (letter === 'u') {
      const digits = /^[0-9a-fA-F]{4}/.exec(text.slice(from + 1, from + 5))?.[0];
      if (digits !== undefined) {
        content += String.fromCharCode(Number.parseInt(digits, 16));
        return from + 5;
      }
    }
    const meant = escapes[letter];
    if (meant === undefined)
      sink.warning({ start: from - 1, end: from + 1 }, `'\\${letter}' is not an escape; it means '${letter}'`);
    content += meant ?? letter;
    return from + 1;
  }

  function readInserted(from: number): number {
    const close = text.indexOf('}', from);
    const name = close < 0 ? null : interpolationPattern.exec(text.slice(from + 2, close));
    if (name === null) {
      const end = close < 0 ? Math.min(text.length, from + 2) : close + 1;
      sink.error({ start: from, end }, 'expected the name of a tag or parameter, such as ${host}');
      return end;
    }
    endText();
    const quoted = name[3]?.replaceAll(/\\(.)/g, '$1');
    parts.push({ kind: name[1] === '$' ? 'param' : 'tag', name: quoted ?? name[2]! });
    return close + 1;
  }
}
