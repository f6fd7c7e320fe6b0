import { expect, it } from 'vitest';
import { findReadOnlyTables } from './read-only-replicas.js';
import type { Replica } from './replica.js';

const replica = (...readOnly: readonly string[]): Replica =>
  ({
    isReady: true,
    readOnlyFor: (table: string) => (readOnly.includes(table) ? 2000 : 0),
  }) as Partial<Replica> as Replica;
const tables = ['d1', 'd2', 'd3', 'd4'];
const problemOf = (...replicas: readonly Replica[]) => findReadOnlyTables(replicas, tables, 'm', 1000);

it('names tables whose copies are mostly read-only, and says whether these are all', () => {
  expect(problemOf(replica('d1'), replica('d2'), replica())).toBeUndefined();
  expect(problemOf(replica('d1'), replica('d1'), replica())).toEqual({
    reason: 'm.d1 takes no events: 2 of its 3 copies are read-only',
    areAll: false,
  });
  // Without Keeper.
  expect(problemOf(replica(...tables), replica(...tables), replica(...tables))).toEqual({
    reason: '4 tables take no events: most of their copies are read-only, as they are without Keeper',
    areAll: true,
  });
});
