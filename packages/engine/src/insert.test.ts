import { expect, it } from 'vitest';
import { settingsOfInsert } from './insert.js';

const insert = { table: { database: 'd', table: 't' }, columns: [], chunks: [] };

it('an insert with a token is confirmed by most replicas, soon or not at all', () => {
  expect(settingsOfInsert({ ...insert, token: 'a-1' })).toMatchObject({
    insert_deduplication_token: 'a-1',
    insert_quorum: 'auto',
    insert_quorum_parallel: 1,
    insert_quorum_timeout: 10_000,
    insert_keeper_max_retries: 3,
  });
});

it('an insert without a token does not wait', () => {
  expect(Object.keys(settingsOfInsert(insert)).filter((name) => /quorum|token|keeper/.test(name))).toEqual([]);
});
