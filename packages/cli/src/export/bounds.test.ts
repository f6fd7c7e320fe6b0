import { expect, it } from 'vitest';
import { boundsOf } from './bounds.js';
import type { ExportState } from './state.js';

const began = Date.parse('2026-11-20T10:00:00Z');
const state: ExportState = { format: 1, apl: 'logs', start: null, end: null, began, bytes: 9, rows: 1, cursor: 'c' };
const later = began + 90_500;

it.each([
  ['now-7d', 'now-604891s', 'now-604890s'],
  ['now', 'now-91s', 'now-90s'],
  ['now + 1h', 'now+3509s', 'now+3509s'],
  ['now+1m', 'now-31s', 'now-30s'],
  ['2026-11-19T00:00:00Z', '2026-11-19T00:00:00Z', '2026-11-19T00:00:00Z'],
  ['now-nonsense', 'now-nonsense', 'now-nonsense'],
])('%s of an export that began 90.5 seconds ago', (text, start, end) =>
  expect(boundsOf({ ...state, start: text, end: text }, later)).toEqual({ startTime: start, endTime: end }),
);

const { began: _, ...withoutBeginning } = state;
it.each<readonly [string, ExportState, number]>([
  ['that begins', { ...state, cursor: null }, later],
  ['of an older version', withoutBeginning, later],
  ['before whose beginning the clock has been set', state, began - 1000],
])('relative times of an export %s stay unchanged', (_, of, now) =>
  expect(boundsOf({ ...of, start: 'now-7d', end: 'now' }, now)).toEqual({ startTime: 'now-7d', endTime: 'now' }),
);

it('undefined stays undefined', () => expect(boundsOf(state, later)).toEqual({}));
