import { expect, test } from 'vitest';
import { firingCount, shownState } from './alerts.js';

const failingState = { since: '2026-11-20T10:00:00Z', runs: 3 };

test('a monitor that cannot run is shown as failing, unless it fires or is off', () => {
  expect(
    (['ok', 'error', 'open', 'nodata', 'off'] as const).map((state) => shownState({ state, failing: failingState })),
  ).toEqual(['failing', 'failing', 'open', 'nodata', 'off']);
  expect(shownState({ state: 'error' })).toBe('error');
});

test('a monitor is pending until its first run', () => {
  expect(shownState({ state: 'ok' })).toBe('pending');
  expect(shownState({ state: 'ok', lastRun: failingState.since })).toBe('ok');
  expect(shownState({ state: 'off' })).toBe('off');
});

test('the sidebar counts firing and failing monitors', () => {
  expect(firingCount([{ state: 'ok' }, { state: 'error' }, { state: 'off', failing: failingState }])).toBeUndefined();
  expect(firingCount([{ state: 'open', failing: failingState }, { state: 'nodata' }])).toEqual({
    count: 2,
    says: '2 firing',
  });
  expect(firingCount([{ state: 'open' }, { state: 'error', failing: failingState }])).toEqual({
    count: 2,
    says: '1 firing, 1 failing',
  });
  expect(firingCount([{ state: 'error', failing: failingState }])).toEqual({ count: 1, says: '1 failing' });
});
