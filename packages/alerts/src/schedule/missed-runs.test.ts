import { expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { aboutOf } from '@millrace/api/schemas/monitor';
import { newState } from '../state/state.js';
import { storedMonitor } from '../testing/monitors.js';
import { MissedRunBudget, missedRuns } from './missed-runs.js';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
const at = (minutes: number): number => start + minutes * minute;

/** Minutes of the runs that are made up; the last run was 10 minutes after the start. */
function missedMinutes(changes: Partial<StoredMonitor>, to: number, limits = {}): readonly number[] {
  const createdAt = new Date(start).toISOString();
  const monitor = storedMonitor({ createdAt, intervalMinutes: 2, ...changes });
  const stand = { ran: at(10), state: newState(aboutOf({ ...monitor, threshold: 10 })) };
  const missed = missedRuns(monitor, stand, at(to), { maxMissed: 5, since: start, disabledUntil: 0, ...limits });
  return missed.map((time) => (time - start) / minute);
}

test.each([
  ['nothing was missed', {}, 12, {}, []],
  ['the missed ones', {}, 16, {}, [12, 14]],
  ['the newest of many', {}, 40, {}, [30, 32, 34, 36, 38]],
  ['none at all', {}, 40, { maxMissed: 0 }, []],
  ['a clock that was set back', {}, 4, {}, []],
  ['what came after it was enabled', {}, 20, { disabledUntil: at(15) }, [16, 18]],
  ['another condition', { threshold: 4 }, 20, {}, []],
  ['a low value, while the server ran', { operator: 'Below' }, 16, {}, [12, 14]],
  ['a low value, while the server was stopped', { operator: 'Below' }, 16, { since: at(15) }, []],
  ['a high value, while the server was stopped', {}, 16, { since: at(15) }, [12, 14]],
  ['anomalies', { type: 'AnomalyDetection' }, 16, {}, []],
] as const)('%s', (_, changes, to, limits, expected) => {
  expect(missedMinutes(changes, to, limits)).toEqual(expected);
});

test('the budget is spent by queries and refills slowly', async () => {
  let now = 0;
  const budget = new MissedRunBudget(1000, () => now);
  const query = (milliseconds: number) => budget.spend(async () => void (now += milliseconds));
  await query(900);
  expect(budget.isSpent).toBe(false);
  await query(900);
  expect(budget.isSpent).toBe(true);
  now += 5000;
  expect(budget.isSpent).toBe(true);
  now += 5000;
  expect(budget.isSpent).toBe(false);
});
