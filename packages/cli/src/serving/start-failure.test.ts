import { expect, it } from 'vitest';
import { startFailure } from './start-failure.js';

const coded = (code: string): Error => Object.assign(new Error('what happened'), { code });

it.each([
  ['clickhouse-away', 'unavailable', 'what happened'],
  ['unavailable', 'failed', 'the engine did not start: what happened'],
  ['EADDRINUSE', 'failed', 'port 80 on h is already in use; stop the other process or'],
  ['EACCES', 'failed', 'permission denied for port 80; use --port with a port above 1023'],
  ['corrupt', 'failed', 'what happened\nrun millrace log verify to inspect it'],
])('%s: %s', (code, exit, message) => {
  const failure = startFailure(coded(code), { host: 'h', port: 80 });
  expect([failure.exit, failure.message]).toEqual([exit, expect.stringContaining(message)]);
});
