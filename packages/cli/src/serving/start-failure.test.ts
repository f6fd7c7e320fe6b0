import { expect, it } from 'vitest';
import { startFailure } from './start-failure.js';

const coded = (code: string): Error => Object.assign(new Error('what happened'), { code });

it.each([
  ['clickhouse-away', 'unavailable', 'what happened'],
  ['unavailable', 'failed', 'the engine did not start: what happened'],
  ['EADDRINUSE', 'failed', 'port 80 of h is in use; stop what listens there, or'],
  ['EACCES', 'failed', 'this user may not listen on port 80; choose one above 1023'],
  ['corrupt', 'failed', 'what happened\nmillrace log verify shows the damage'],
])('%s: %s', (code, exit, message) => {
  const failure = startFailure(coded(code), { host: 'h', port: 80 });
  expect([failure.exit, failure.message]).toEqual([exit, expect.stringContaining(message)]);
});
