import { expect, test } from 'vitest';
import { selfMetrics } from './self-metrics.js';

test('a failure is logged when it begins, not each time', async () => {
  const logged: object[] = [];
  const failure = new Error('the dataset is of another kind');
  const write = selfMetrics({ dataset: 'self', instance: 'a:1', version: '1' }, {
    targets: { find: () => Promise.reject(failure) },
    logger: { error: (fields: object) => void logged.push(fields) },
  } as unknown as Parameters<typeof selfMetrics>[1]);
  await write();
  await write();
  expect(logged).toEqual([{ err: failure, dataset: 'self' }]);
});
