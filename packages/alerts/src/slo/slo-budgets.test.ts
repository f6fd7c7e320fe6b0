import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Principal } from '@millrace/http/access/authorize';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import { inMemory } from '@millrace/metadata/sqlite';
import { nullSource } from '../testing/null-source.js';
import { SloBudgets } from './slo-budgets.js';

/** How often the events of a budget are counted. */

const age = 60_000;
const queriesPerBudget = 2;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };
const slo = {
  aplQuery: 'shop',
  good: 'status < 500',
  objective: 99,
  windowDays: 7,
  alerts: [],
  notifierIds: [],
  ...authorship,
};
const query = { '*': { query: ['read' as const] } };
const readsAll = { orgCapabilities: {}, datasetCapabilities: query, viewCapabilities: query };
const ann: Principal = { kind: 'personal-token', tokenId: 't', tokenName: 't', userId: 'u', capabilities: [] };

let metadata: Metadata;
let now: number;
let queries: number;
let runningCount: number;
let isBroken: boolean;
let budgets: SloBudgets;
beforeEach(async () => {
  metadata = await openMetadata(inMemory);
  [now, queries, runningCount, isBroken] = [Date.UTC(2026, 10, 20), 0, 0, false];
  const table = async () => {
    queries++;
    expect(++runningCount).toBe(1);
    await new Promise(setImmediate);
    runningCount--;
    if (isBroken) throw new Error('the engine is down');
    return { columns: [], rows: 0, datasets: [] };
  };
  const settings = { queryTimeout: 1000, sloBudgetAge: age, maxMonitors: 3 };
  const signal = new AbortController().signal;
  budgets = new SloBudgets({ metadata, clock: () => now, source: { ...nullSource, table }, settings, signal });
});
afterEach(() => metadata.close());

const create = async (name: string): Promise<string> => (await metadata.slos.create({ ...slo, name })).id;

test('a list that is loaded again and again counts each budget once in that time, one at a time', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map(create));
  const load = () => Promise.all(ids.map((id) => budgets.get(id, ann)));
  await Promise.all([load(), load()]);
  now += age - 1;
  await load();
  expect(queries).toBe(ids.length * queriesPerBudget);
  now++;
  await load();
  expect(queries).toBe(2 * ids.length * queriesPerBudget);
});

test('a changed objective, other rights and a clock that is set back are counted again', async () => {
  const id = await create('a');
  await budgets.get(id, ann);
  await metadata.slos.update(id, (present) => ({ ...present, objective: 99.9 }));
  expect(await budgets.get(id, ann)).toMatchObject({ objective: 99.9 });
  expect(queries).toBe(2 * queriesPerBudget);
  await budgets.get(id, { ...ann, capabilities: [readsAll] });
  expect(queries).toBe(3 * queriesPerBudget);
  now -= 10 * age;
  await budgets.get(id, ann);
  expect(queries).toBe(4 * queriesPerBudget);
});

test('a failure is not kept', async () => {
  const id = await create('a');
  isBroken = true;
  await expect(budgets.get(id, ann)).rejects.toThrow('the engine is down');
  isBroken = false;
  expect(await budgets.get(id, ann)).toMatchObject({ total: 0 });
});
