import type { Dataset, Extent } from './model.js';
import { ask } from './query.js';
import type { Server } from './server.js';

/** The extent of each batch in a dataset. */
export async function extentsOf(server: Server, dataset: Dataset, from = 0): Promise<ReadonlyMap<number, Extent>> {
  const { rows } = await ask(
    server,
    `['${dataset.name}'] | where batch >= ${from} | summarize events = count(), rows = sum(row), sum_n = sum(n) by batch | take 50000`,
  );
  return new Map(
    rows.map(({ batch, events, rows, sum_n }) => [
      Number(batch),
      { events: Number(events), rows: Number(rows), check: Number(sum_n) },
    ]),
  );
}

export const nothing: Extent = { events: 0, rows: 0, check: 0 };
