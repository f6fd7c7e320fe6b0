import { type Ast, parse } from '@millrace/apl';

/** Operators that return at most one row per event and keep time order. */
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
 * Direction of the next events: older by default, since events come newest first; newer if the
 * query sorts that way.
 */
export type Continuation = 'older' | 'newer';

/**
 * How a cursor continues a query after a page or an interruption. Undefined unless the query
 * returns all its events in time order: others have a limit, aggregate or sort differently.
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
