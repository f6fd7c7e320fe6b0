import type { Source, TimePoint } from './ast.js';
import type { Cursor } from './cursor.js';

/**
 * Reads a source: dataset, metric, and perhaps a time range.
 * @throws SyntaxProblem
 */
export function parseSource(cursor: Cursor): Source {
  const start = cursor.next.span.start;
  const param = cursor.takeKind('param');
  const dataset =
    param === undefined
      ? { ...cursor.name('a dataset, written `dataset`:`metric`'), isParam: false }
      : { text: param.name, span: param.span, isParam: true };
  cursor.expect(':', 'between dataset and metric');
  const metric = cursor.name('the name of a metric');
  const range = cursor.is('[') ? parseRange(cursor) : undefined;
  const alias = cursor.has('as') ? cursor.name('a name for the metric') : undefined;
  return { dataset, metric, ...(range && { range }), ...(alias && { alias }), span: cursor.spanFrom(start) };
}

function parseRange(cursor: Cursor): NonNullable<Source['range']> {
  const start = cursor.next.span.start;
  cursor.expect('[', 'before the time range');
  const from = parseTime(cursor);
  cursor.expect('..', 'between the ends of the time range');
  const to = cursor.is(']') ? undefined : parseTime(cursor);
  cursor.expect(']', 'after the time range');
  return { start: from, ...(to && { end: to }), span: cursor.spanFrom(start) };
}

function parseTime(cursor: Cursor): TimePoint {
  const { span } = cursor.next;
  const sign = cursor.is('+') || cursor.is('-') ? cursor.take().text : undefined;
  const token = cursor.next;
  if (token.kind === 'duration') {
    cursor.take();
    const milliseconds = sign === '-' ? -token.milliseconds : token.milliseconds;
    return { kind: sign === undefined ? 'ago' : 'relative', milliseconds, span: cursor.spanFrom(span.start) };
  }
  if (sign === undefined && token.kind === 'time') {
    cursor.take();
    return { kind: 'instant', milliseconds: token.milliseconds, span };
  }
  if (sign === undefined && token.kind === 'int') {
    cursor.take();
    return { kind: 'instant', milliseconds: token.value * 1000, span };
  }
  return cursor.refuse('expected a time: 1h, +5m, 2026-01-31T08:00:00Z or Unix seconds');
}
