import { api } from './api.js';
import { enqueueRequest } from './request-queue.js';

/** Before any event. */
export const EVER = '1900-01-01T00:00:00Z';

/**
 * Runs a query that returns one row of numbers, by column name.
 * @throws ApiError for an error response
 */
export async function askNumbers(
  apl: string,
  range: { readonly from: string; readonly to: string },
  signal?: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  return enqueueRequest('aside', signal, async () => {
    const answer = await api.call('queryAplEdge', {
      query: { format: 'tabular' },
      body: { apl, startTime: range.from, endTime: range.to },
      ...(signal !== undefined && { signal }),
    });
    if (answer.format !== 'tabular') return {};
    const { fields = [], columns = [] } = answer.tables[0] ?? {};
    return Object.fromEntries(fields.map(({ name }, index) => [name, Number(columns[index]?.[0] ?? 0)]));
  });
}
