import type { FunctionCall, Name, Pipe, Value } from './ast.js';
import type { Cursor } from './cursor.js';
import { parseValue } from './values.js';
import { findNearest } from '@millrace/apl/positions';

const pipeNames = ['map', 'align', 'group', 'bucket', 'as', 'extend', 'where', 'filter', 'compute', 'sample', 'offset'];
/** In the grammar of the language, and not available. */
const unavailable: ReadonlySet<string> = new Set(['join', 'replace', 'enrich']);

/** @throws SyntaxProblem */
export function parsePipe(cursor: Cursor): Pipe {
  const { next } = cursor;
  const start = next.span.start;
  const withSpan = <P extends object>(pipe: P): P & { readonly span: Pipe['span'] } => ({
    ...pipe,
    span: cursor.spanFrom(start),
  });
  if (cursor.has('map')) return withSpan({ kind: 'map', fn: parseOperation(cursor) });
  if (cursor.has('align')) {
    const to = parseTo(cursor);
    if (cursor.is('over')) cursor.refuse("'over' is not supported; use align to a duration", 'not_supported');
    return withSpan({ kind: 'align', ...to, fn: parseUsing(cursor) });
  }
  if (cursor.has('group')) return withSpan({ kind: 'group', ...parseBy(cursor), fn: parseUsing(cursor) });
  if (cursor.has('bucket')) {
    const by = parseBy(cursor);
    return withSpan({ kind: 'bucket', ...by, ...parseTo(cursor), fn: parseUsing(cursor) });
  }
  if (cursor.has('as')) return withSpan({ kind: 'as', name: cursor.name('a name for the metric') });
  if (cursor.has('extend')) return withSpan({ kind: 'extend', tags: parseTags(cursor) });
  if (unavailable.has(next.text)) return cursor.refuse(`'${next.text}' is not supported`, 'not_supported');
  const meant = next.kind === 'name' ? findNearest(next.text, pipeNames) : undefined;
  if (meant !== undefined && meant !== next.text)
    cursor.sink.error(next.span, `'${next.text}' is not a step; did you mean '${meant}'?`, {
      title: `Write '${meant}'`,
      replacement: meant,
    });
  return cursor.refuse('expected a step: map, align, group, bucket, as or extend');
}

function parseTo(cursor: Cursor): { readonly to?: Value } {
  return cursor.has('to') ? { to: parseValue(cursor, 'a duration such as 5m') } : {};
}

function parseBy(cursor: Cursor): { readonly by?: readonly Name[] } {
  if (!cursor.has('by')) return {};
  const by = [cursor.name('the name of a tag')];
  while (cursor.has(',')) by.push(cursor.name('the name of a tag'));
  return { by };
}

export function parseUsing(cursor: Cursor): FunctionCall {
  cursor.expect('using', 'before the function');
  return parseOperation(cursor);
}

/** An operator, or the name of a function and its arguments. */
function parseOperation(cursor: Cursor): FunctionCall {
  const start = cursor.next.span.start;
  const operator = ['+', '-', '*', '/'].find((symbol) => cursor.has(symbol));
  if (operator !== undefined) {
    const ends = cursor.isOver || ['|', ')', ','].some((end) => cursor.is(end));
    const args = ends ? [] : [parseValue(cursor, 'a number')];
    return { name: operator, args, words: [], span: cursor.spanFrom(start) };
  }
  let name = cursor.name('a function').text;
  while (cursor.has('::')) name += `::${cursor.name('the rest of the name').text}`;
  const args: Value[] = [];
  const words: Name[] = [];
  if (cursor.has('(')) {
    while (!cursor.is(')')) {
      const { next } = cursor;
      if (next.kind === 'name' && !['inf', 'true', 'false'].includes(next.text))
        words.push(cursor.name('the name of a result'));
      else args.push(parseValue(cursor));
      if (!cursor.has(',')) break;
    }
    cursor.expect(')', 'after the arguments');
  }
  return { name, args, words, span: cursor.spanFrom(start) };
}

function parseTags(cursor: Cursor): readonly { readonly tag: Name; readonly value: Value }[] {
  const tags: { tag: Name; value: Value }[] = [];
  do {
    const tag = cursor.name('the name of a tag');
    cursor.expect('=', 'after the name of the tag');
    tags.push({ tag, value: parseValue(cursor) });
  } while (cursor.has(','));
  return tags;
}
