import type { DiagnosticSink } from '../model/diagnostics.js';
import type { Range } from '../plan/plan.js';
import type { Source, TimePoint } from '../syntax/ast.js';

/** The time range of a source: of its text, or of the request. Undefined after an error. */
export function rangeOf(
  { range, span }: Source,
  given: Range | undefined,
  now: number,
  sink: DiagnosticSink,
): Range | undefined {
  if (range === undefined) {
    if (given === undefined)
      sink.error(
        span,
        'the query has no time range; send startTime and endTime, or write [1h..] after the metric',
        undefined,
        'time',
      );
    return given && checkRange(given, span, sink);
  }
  if (given !== undefined) {
    sink.error(range.span, 'AST Error (Time is provided both in the query and as a parameter)', undefined, 'time');
    return undefined;
  }
  const { start, end } = range;
  const fixedEnd = end === undefined ? now : fixedTime(end, now);
  const fixedStart = fixedTime(start, now);
  if (fixedStart === undefined && fixedEnd === undefined) {
    sink.error(
      range.span,
      'one end of the time range must be fixed; both are relative to the other',
      undefined,
      'time',
    );
    return undefined;
  }
  const from = fixedStart ?? fixedEnd! + start.milliseconds;
  const to = fixedEnd ?? from + (end?.milliseconds ?? 0);
  return checkRange({ start: from, end: to }, range.span, sink);
}

/** Undefined for a point relative to the other end. */
function fixedTime({ kind, milliseconds }: TimePoint, now: number): number | undefined {
  return kind === 'instant' ? milliseconds : kind === 'ago' ? now - milliseconds : undefined;
}

function checkRange(range: Range, span: Source['span'], sink: DiagnosticSink): Range | undefined {
  if (range.start < range.end) return range;
  sink.error(span, 'the time range ends before it begins', undefined, 'time');
  return undefined;
}
