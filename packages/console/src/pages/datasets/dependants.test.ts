import { expect, it } from 'vitest';
import { names } from './dependants.js';

it('matches a dataset name as a whole word', () => {
  for (const text of ['logs | count', "['logs'] | take 1", 'union a, logs', '["logs"]'])
    expect(names(text, 'logs')).toBe(true);
  for (const text of ['logs-2 | count', 'mylogs', "['a.logs']", 'LOGS', '']) expect(names(text, 'logs')).toBe(false);
  expect(names("['a.b'] | count", 'a.b')).toBe(true);
  expect(names("['axb'] | count", 'a.b')).toBe(false);
});
