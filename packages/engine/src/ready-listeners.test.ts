import { expect, it } from 'vitest';
import { ReadyListeners } from './ready-listeners.js';

it('a listener that throws is reported, and those after it are still called', async () => {
  const reported: unknown[] = [];
  const listeners = new ReadyListeners((level, _message, fields) => reported.push([level, fields?.['reason']]));
  let calls = 0;
  const throwError = () => {
    throw new Error('of a listener');
  };
  listeners.add(throwError, false);
  listeners.add(() => (calls += 1), false);
  listeners.tellAll();
  expect([calls, reported]).toEqual([1, [['error', 'Error: of a listener']]]);
  listeners.add(throwError, true);
  await Promise.resolve();
  expect(reported).toHaveLength(2);
});

it('a listener that was removed is not called', async () => {
  const listeners = new ReadyListeners(() => undefined);
  let calls = 0;
  listeners.add(() => (calls += 1), true)();
  listeners.tellAll();
  await Promise.resolve();
  expect(calls).toBe(0);
});
