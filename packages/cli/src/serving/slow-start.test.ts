import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportSlowStart } from './slow-start.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a start that takes long is reported, at intervals, until it is over', () => {
  const seconds: number[] = [];
  const report = ((fields: { readonly seconds: number }) => void seconds.push(fields.seconds)) as never;
  const end = reportSlowStart({ info: report });
  vi.advanceTimersByTime(2900);
  expect(seconds).toEqual([]);
  vi.advanceTimersByTime(15_000);
  expect(seconds).toEqual([3, 13]);
  end();
  vi.advanceTimersByTime(60_000);
  expect(seconds).toHaveLength(2);
});
