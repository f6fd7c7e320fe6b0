import { afterAll, beforeAll, vi } from 'vitest';
import { whyNoClickHouse } from '../../packages/engine/src/testing/clickhouse.ts';
import { whyNoPostgres } from '@millrace/metadata/testing/postgres';
import { openPlaces, type Places } from '../crash/nodes/places.ts';
import { apl } from '../support/apl.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** Whether this machine lacks ClickHouse or PostgreSQL. */
export const isMissing = (await whyNoClickHouse()) !== undefined || whyNoPostgres() !== undefined;

// Timeouts only for hangs: several servers start here, possibly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let openedPlaces: Places | undefined;

/** The nodes and databases that all tests of `nodes.test.ts` share. */
export const cluster = {
  get places(): Places {
    if (openedPlaces === undefined) throw new Error('the nodes are not started yet');
    return openedPlaces;
  },
};

beforeAll(async () => {
  // However slow the machine is, an insert is over by then.
  if (!isMissing) openedPlaces = await openPlaces(3, { MILLRACE_ACCEPT_TIMEOUT: '60s' });
});
afterAll(() => openedPlaces?.end());

/** A node by its index; higher numbers start over. */
export const node = (n: number): ServerProcess => cluster.places.nodes[n % cluster.places.nodes.length]!;

/** The field `id` of all events of a dataset, as a node returns them, in ascending order. */
export const ids = async (server: ServerProcess, dataset: string): Promise<readonly number[]> => {
  const { tables } = await apl(server, `['${dataset}'] | project id | limit 50000`);
  return ((tables[0]?.columns[0] ?? []) as readonly number[]).toSorted((a, b) => a - b);
};

/** The integers from 0 to below `n`. */
export const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
