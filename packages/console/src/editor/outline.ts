import { type Ast, parse } from '@millrace/apl/editor';

/** Structure of a query, for display and edits. */
export interface Outline {
  /** The dataset, if named. */
  readonly source: { readonly name: string; readonly start: number; readonly end: number } | undefined;
  readonly steps: readonly OutlineStep[];
  /** End of the operators that keep rows events. */
  readonly eventsEnd: number;
  /** Whether the whole query returns events. */
  readonly givesEvents: boolean;
  /** Whether it returns events in dataset order, so that it can be paged. */
  readonly ordered: boolean;
  /** Chart of its `render`. */
  readonly chart: string | undefined;
  /** Whether it has its own conditions on `_time`. */
  readonly hasOwnTime: boolean;
  /** Whether it groups by time, so that a chart of it has the time on its axis. */
  readonly groupsByTime: boolean;
  readonly valid: boolean;
}

interface OutlineStep {
  readonly kind: string;
  /** From its keyword to its end. */
  readonly start: number;
  readonly end: number;
  /** For `where`: top-level conditions joined by `and`. */
  readonly conditions: readonly { readonly start: number; readonly end: number }[];
}

/** Operators that keep rows events: they filter rows or change columns. */
const ROW_WISE = new Set(['where', 'search', 'extend', 'extend-valid', 'parse', 'parse-kv', 'redact', 'sample']);
/**
 * Also keep events, but with fewer columns or another order: the histogram does not depend on them.
 */
const SHAPING = new Set([
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'sort',
  'take',
  'top',
  'serialize',
  'as',
  'render',
]);

export function outlineOf(text: string): Outline {
  const { program, diagnostics } = parse(text);
  const query = program.query;
  const operators = query?.operators ?? [];
  const firstOther = operators.findIndex(({ kind }) => !ROW_WISE.has(kind));
  const eventsEnd =
    query === undefined
      ? 0
      : firstOther < 0
        ? query.span.end
        : (operators[firstOther - 1]?.span.end ?? query.source.span.end);
  const render = operators.findLast((each) => each.kind === 'render');
  return {
    source: sourceOf(query),
    steps: operators.map((operator) => ({
      kind: operator.kind,
      start: operator.span.start,
      end: operator.span.end,
      conditions: operator.kind === 'where' ? conjuncts(operator.predicate).map(({ span }) => span) : [],
    })),
    eventsEnd,
    givesEvents:
      query !== undefined &&
      readsEvents(query) &&
      operators.every(({ kind }) => ROW_WISE.has(kind) || SHAPING.has(kind)),
    ordered: operators.every(
      ({ kind }) => ROW_WISE.has(kind) || (SHAPING.has(kind) && !['sort', 'top', 'take'].includes(kind)),
    ),
    chart: render?.kind === 'render' ? render.chart.text : undefined,
    hasOwnTime: operators.some((operator) => operator.kind === 'where' && mentionsTime(operator.predicate)),
    groupsByTime: operators.some((operator) => operator.kind === 'summarize' && mentionsTime(operator.by)),
    valid: query !== undefined && !diagnostics.some(({ severity }) => severity === 'error'),
  };
}

function sourceOf(query: Ast.Tabular | undefined): Outline['source'] {
  if (query?.source.kind !== 'table' || query.source.pattern.wildcard) return undefined;
  const { text } = query.source.pattern;
  return text === '' ? undefined : { name: text, ...query.source.span };
}

const readsEvents = ({ source }: Ast.Tabular): boolean =>
  source.kind === 'table' || source.kind === 'none' || source.kind === 'tableOf';

function conjuncts(predicate: Ast.Expr): readonly Ast.Expr[] {
  if (predicate.kind !== 'binary' || predicate.op !== 'and') return [predicate];
  return [...conjuncts(predicate.left), ...conjuncts(predicate.right)];
}

/** Whether the name `_time` occurs. */
function mentionsTime(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (
    'kind' in node &&
    node.kind === 'name' &&
    (node as unknown as Ast.Expr & { name: Ast.Name }).name.text === '_time'
  )
    return true;
  return Object.values(node).some(mentionsTime);
}
