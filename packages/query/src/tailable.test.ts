import { expect, test } from 'vitest';
import { tailedDataset } from './tailable.js';

test('a query longer than maxFollowedCharacters is not followed', () => {
  const logs = { name: 'logs' } as never;
  const follow = (apl: string, maxFollowedCharacters: number): string =>
    tailedDataset(apl, { datasets: { find: () => logs }, views: new Set(), maxFollowedCharacters });
  expect(follow('logs | where a', 14)).toBe('logs');
  expect(() => follow('logs | where a', 13)).toThrow('the query has 14 characters, and at most 13 are followed');
});
