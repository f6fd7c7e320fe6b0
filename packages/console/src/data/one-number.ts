import { api } from './api.js';
import { inTurn } from './turns.js';

/** Before every event that there can be. */
export const EVER = '1900-01-01T00:00:00Z';

/**
 * Runs a query whose answer is one row of numbers, and gives them by the names of its columns.
 * @throws ApiError when the server refuses
 */
export async function askNumbers(
  apl: string,
  range: { readonly from: string; readonly to: string },
  signal?: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  return inTurn('aside', signal, async () => {
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
