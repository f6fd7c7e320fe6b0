import { expect, it } from 'vitest';
import { startFailure } from './start-failure.js';

const codedError = (code: string): Error => Object.assign(new Error('what happened'), { code, syscall: 'listen' });

it.each([
  ['clickhouse-away', 'unavailable', 'what happened'],
  ['unavailable', 'failed', 'the engine did not start: what happened'],
  ['EADDRINUSE', 'blocked', 'port 80 on h is already in use; stop the other process or'],
  ['EACCES', 'blocked', 'permission denied for port 80; use --port with a port above 1023'],
  ['locked', 'blocked', 'what happened'],
  ['corrupt', 'failed', 'what happened\nrun millrace log verify to inspect it'],
])('%s: %s', (code, exit, message) => {
  const failure = startFailure(codedError(code), { host: 'h', port: 80 });
  expect([failure.exit, failure.message]).toEqual([exit, expect.stringContaining(message)]);
});

it('damaged files of the engine, by name', () => {
  const damage = Object.assign(new Error('the engine finds damaged data'), {
    name: 'EngineError',
    code: 'corrupt',
    detail: 'While reading /d/data.bin',
  });
  const { message } = startFailure(damage, { host: 'h', port: 80 });
  expect(message).toBe(
    'files of the engine are damaged: While reading /d/data.bin\nput the named file back, or restore a backup',
  );
});

it('a port of another Millrace server', () =>
  expect(startFailure(codedError('EADDRINUSE'), { host: 'h', port: 80 }, true).message).toBe(
    'port 80 on h is in use by a Millrace server; stop it or use --port (0 picks a free port)',
  ));

it('a missing right to a file is not one to a port', () => {
  const error = Object.assign(new Error('EACCES: open'), { code: 'EACCES', syscall: 'open', path: '/data/log' });
  const { exit, message } = startFailure(error, { host: 'h', port: 80 });
  expect([exit, message]).toEqual([
    'blocked',
    expect.stringMatching(/^\/data\/log: permission denied; make it writable/),
  ]);
});
