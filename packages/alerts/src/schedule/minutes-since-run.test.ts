import { expect, test } from 'vitest';
import { aboutOf } from '@millrace/api/schemas/monitor';
import { newState } from '../state/state.js';
import { storedMonitor } from '../testing/monitors.js';
import { minutesSinceRun } from './minutes-since-run.js';

const minute = 60_000;
const start = Date.parse('2026-11-20T10:00:00Z');

test.each([
  ['runs were missed', 8, 0, 12],
  ['none was missed', 19, 0, 1],
  ['the clock was set back', 30, 0, 1],
  ['it was disabled since', 8, 15, 5],
  ['there was no run', undefined, 0, 1],
] as const)('if %s', (_, ran, disabled, expected) => {
  const monitor = storedMonitor({ intervalMinutes: 1 });
  const stand = ran === undefined ? undefined : { ran: start + ran * minute, state: newState(aboutOf(monitor)) };
  expect(minutesSinceRun(monitor, stand, start + 20 * minute, start + disabled * minute)).toBe(expected);
});
