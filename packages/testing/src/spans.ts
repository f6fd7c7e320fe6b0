import { type Event, isObject, type ReceivedEvent } from './event.js';
import { compareFields, type Comparison, type FieldPattern, type LogPattern, matchesValue } from './pattern.js';

export interface SpanPattern {
  readonly name?: FieldPattern;
  /** Name or pattern of the parent span; null for a span without a parent. */
  readonly parent?: SpanPattern | string | RegExp | null;
  /** Attributes of the span, wherever they are stored. */
  readonly attributes?: { readonly [attribute: string]: FieldPattern };
  readonly [field: string]: unknown;
}

/** Compares a span, and its parent among the others, with a pattern. */
export function compareSpan(
  pattern: SpanPattern,
  span: Event,
  spans: ReadonlyMap<string, Event>,
): readonly Comparison[] {
  const { parent, ...fields } = pattern;
  const own = compareFields(fields as LogPattern, span);
  return 'parent' in pattern && parent !== undefined ? [...own, ...compareParent(parent, span, spans)] : own;
}

type Parent = Exclude<SpanPattern['parent'], undefined>;

function compareParent(expected: Parent, span: Event, spans: ReadonlyMap<string, Event>): readonly Comparison[] {
  const id = span['parent_span_id'];
  const parent = spans.get(spanKey(span['trace_id'], id));
  const shared = { path: 'parent', name: 'parent' };
  if (expected === null || parent === undefined)
    return [
      {
        ...shared,
        expected: shownParent(expected),
        actual: parent?.['name'] ?? id,
        matches: expected === null && id === undefined,
        ...(id === undefined && { note: 'the span has no parent' }),
        ...(id !== undefined && parent === undefined && { note: 'no span with this ID arrived' }),
      },
    ];
  if (!isObject(expected)) {
    const actual = parent['name'];
    return [
      {
        ...shared,
        expected: expected as FieldPattern,
        actual,
        matches: matchesValue(expected as FieldPattern, actual),
      },
    ];
  }
  return compareSpan(expected as SpanPattern, parent, spans).map((each) => ({
    ...each,
    path: `parent.${each.path}`,
    name: each.name === undefined ? undefined : `parent.${each.name}`,
  }));
}

const shownParent = (expected: Parent): FieldPattern => expected as FieldPattern;

const spanKey = (trace: unknown, id: unknown): string => `${String(trace)} ${String(id)}`;

/** Spans by trace and ID, to find parents. */
export const spansById = (received: readonly ReceivedEvent[]): ReadonlyMap<string, Event> =>
  new Map(received.map(({ event }) => [spanKey(event['trace_id'], event['span_id']), event]));
