import { type Ast, parse } from '@millrace/apl';

/** Steps that give at most one row for each event, and leave rows in the order of time. */
const keepsOrder: ReadonlySet<string> = new Set([
  'where',
  'search',
  'extend',
  'extend-valid',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'parse',
  'parse-kv',
  'redact',
]);

/** Which events follow those that have come: older ones, as events come newest first unless a query says otherwise, or newer ones. */
export type Continuation = 'older' | 'newer';

/**
 * How a cursor continues the rows of a query, page by page or after an interruption; undefined unless they are events in the order of time, and all of
 * them. Other queries limit themselves, add up, or have an order of their own.
 */
export function continuationOf(apl: string): Continuation | undefined {
  const { program, diagnostics } = parse(apl);
  const { query } = program;
  if (query?.source.kind !== 'table' || diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  let continuation: Continuation = 'older';
  for (const step of query.operators) {
    if (step.kind === 'sort' && step.keys.length === 1 && isTime(step.keys[0]))
      continuation = step.keys[0].direction === 'asc' ? 'newer' : 'older';
    else if (!keepsOrder.has(step.kind)) return undefined;
  }
  return continuation;
}

const isTime = (key: Ast.SortKey | undefined): key is Ast.SortKey =>
  key?.value.kind === 'name' && key.value.name.text === '_time';
