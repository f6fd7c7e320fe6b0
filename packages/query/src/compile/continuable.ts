import type { CompiledQuery } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import type { RequestedBounds } from './request.js';

/** @throws HttpError when a query cannot be continued from the cursor of its request */
export function requireContinuable(compiled: CompiledQuery, { cursor }: Pick<RequestedBounds, 'cursor'>): void {
  if (cursor === undefined) return;
  const events = compiled.presentation.kind === 'events' && compiled.rowId !== undefined;
  if (events && compiled.continuation !== undefined) return;
  const field = compiled.presentation.order[0]?.field ?? 'something else';
  const by = field === '_time' ? 'a _time that the query made' : field;
  const what = events ? `a result sorted by ${by}` : 'a result that is no events';
  throw httpError('invalid-query', {
    problem: `a cursor continues events in the order of _time, not ${what}; leave out the cursor, or sort by _time`,
  });
}
