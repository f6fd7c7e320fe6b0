import { expect, test } from 'vitest';
import { aboutOf } from '@millrace/api/schemas/monitor';
import { newState } from '../state/state.js';
import { storedMonitor } from '../testing/monitors.js';
import { minutesSinceRun } from './minutes-since-run.js';

const minute = 60_000;
const start = Date.parse('2026-11-20T10:00:00Z');

test.each([
  ['runs were missed', 8, {}, 12],
  ['none was missed', 19, {}, 1],
  ['the clock was set back', 30, {}, 1],
  ['there was a change since', 8, { updatedAt: '2026-11-20T10:15:00Z' }, 5],
  ['there was no run', undefined, {}, 1],
] as const)('if %s', (_, ran, changes, expected) => {
  const monitor = storedMonitor({ intervalMinutes: 1, ...changes });
  const stand = ran === undefined ? undefined : { ran: start + ran * minute, state: newState(aboutOf(monitor)) };
  expect(minutesSinceRun(monitor, stand, start + 20 * minute)).toBe(expected);
});
