import { EngineError } from '@millrace/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WriteCircuitBreaker } from './write-circuit-breaker.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const withoutKeeper = new EngineError('unavailable', 'Code: 242. Table is in readonly mode', 'elsewhere');
const unreachableError = new EngineError('unavailable', 'ECONNREFUSED', 'elsewhere');
const bad = new EngineError('rejected', 'Code: 20. No', 'refused');

/** Failures half a second apart; returns whether the breaker is open after each. */
function after(errors: readonly EngineError[], refusing = new WriteCircuitBreaker()): readonly boolean[] {
  return errors.map((error) => {
    refusing.recordFailure(error);
    const { isSo } = refusing;
    vi.advanceTimersByTime(500);
    return isSo;
  });
}

it('is so when it was said for a second', () =>
  expect(after([withoutKeeper, withoutKeeper, withoutKeeper, withoutKeeper])).toEqual([false, false, true, true]));

it('is false without a response, and for rejected inserts', () => {
  expect(after([unreachableError, unreachableError, unreachableError, unreachableError])).not.toContain(true);
  expect(after([bad, bad, bad, bad])).not.toContain(true);
});

it('ends after a stored insert, or after two seconds without attempts', async () => {
  const refusing = new WriteCircuitBreaker();
  after([withoutKeeper, withoutKeeper, withoutKeeper], refusing);
  let end: () => void = () => undefined;
  const tried = refusing.run(new Promise<void>((resolve) => (end = resolve)));
  vi.advanceTimersByTime(10_000);
  expect(refusing.isSo).toBe(true);
  end();
  await tried;
  expect(refusing.isSo).toBe(false);
  refusing.recordFailure(withoutKeeper);
  expect(refusing.isSo).toBe(true);
  refusing.recordSuccess();
  expect(refusing.isSo).toBe(false);
});
