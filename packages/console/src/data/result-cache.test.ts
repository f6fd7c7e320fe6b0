import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { keepFewRows, ROWS } from './result-cache.js';

const page = (rows: number) => ({ table: { rows, columns: Array.from({ length: 20 }, () => []) } });

it('keeps unused results up to a number of values, latest first', () => {
  const client = new QueryClient();
  keepFewRows(client);
  const look = (name: string, rows: number, at: number): (() => void) => {
    client.setQueryData([ROWS, name], { pages: [page(rows)] }, { updatedAt: at });
    return new QueryObserver(client, { queryKey: [ROWS, name], enabled: false }).subscribe(() => {});
  };
  const leaveAll = [look('oldest', 10_000, 1), look('older', 10_000, 2), look('newest', 10_000, 3)];
  const stay = look('in view', 50_000, 0);
  for (const leave of leaveAll) leave();
  const cachedKeys = (): unknown[] =>
    client
      .getQueryCache()
      .findAll({ queryKey: [ROWS] })
      .map(({ queryKey }) => queryKey[1]);
  expect(cachedKeys()).toEqual(['older', 'newest', 'in view']);
  stay();
  expect(cachedKeys()).toEqual(['older', 'newest']);
  client.clear();
});
