import { type Ast, parse } from '@millrace/apl';

/** Steps that give at most one row per event and keep the rows in order of time. */
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

/**
 * Which events follow those that have come: older ones, because events come newest first by
 * default, or newer ones if the query sorts them so.
 */
export type Continuation = 'older' | 'newer';

/**
 * How a cursor continues the rows of a query, page by page or after an interruption. Undefined
 * unless the query gives all its events in order of time: other queries have a limit, aggregate, or
 * sort in another order.
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
