import { expect, it } from 'vitest';
import { RefusedIngest } from './rejected-ingest.js';

const minute = 60_000;

it('counts reasons by sender, the latest first, and forgets them after an hour', () => {
  let now = 0;
  const refused = new RefusedIngest(() => now);
  const note = (tokenId: string, message: string) =>
    refused.note({ code: 'invalid-events', message, path: '/v1/ingest/logs', tokenId, address: '::1' });
  note('a', 'one');
  note('b', 'two');
  now = 50 * minute;
  note('a', 'three');
  expect(refused.list().map(({ tokenId, message, count }) => [tokenId, message, count])).toEqual([
    ['a', 'three', 2],
    ['b', 'two', 1],
  ]);
  now = 70 * minute;
  expect(refused.list()).toMatchObject([{ tokenId: 'a', first: '1970-01-01T00:00:00.000Z' }]);
  now = 111 * minute;
  expect(refused.list()).toEqual([]);
  note('a', 'four');
  expect(refused.list()).toMatchObject([{ count: 1 }]);
});

it('remembers so many only, however many addresses send', () => {
  const refused = new RefusedIngest(() => 0);
  for (let address = 0; address < 1000; address++)
    refused.note({ code: 'unauthenticated', message: '', path: '/', address: String(address) });
  expect(refused.list()).toHaveLength(200);
  expect(refused.list()[0]!.address).toBe('999');
});
