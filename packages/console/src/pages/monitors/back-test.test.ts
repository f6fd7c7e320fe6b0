import { expect, it } from 'vitest';
import { firedIn, firedText, type Preview, reevaluateRuns, spanFor, suggestedThreshold } from './back-test.js';
import { emptyDraft } from './draft.js';

const minute = 60_000;
/** One run per number; `null` for one without data, a string for one that failed. */
const runsOf = (values: readonly (number | null | string)[]): Preview['runs'] =>
  values.map((value, index) => {
    const time = new Date(index * minute).toISOString();
    const run = { time, start: time, end: time, state: 'ok' as const, notified: 0 };
    if (typeof value === 'string') return { ...run, state: 'error', error: value };
    return value === null ? run : { ...run, value, min: value - 1, max: value };
  });

const statesOf = (values: Parameters<typeof runsOf>[0], draft: Partial<typeof emptyDraft>): string | undefined =>
  reevaluateRuns(runsOf(values), { ...emptyDraft, ...draft })
    ?.map(({ state }) => ({ ok: '.', open: 'F', nodata: 'n', error: 'e', off: '', none: '' })[state])
    .join('');

it.each([
  [[1, 5, 6, 2], { threshold: '4' }, '.FF.'],
  [[1, 5, 6, 2], { threshold: '5' }, '..F.'],
  [[1, 5, 6, 2], { threshold: '5', operator: 'AboveOrEqual' }, '.FF.'],
  // Below compares the minimum of each run.
  [[1, 5, 6, 2], { threshold: '1', operator: 'Below' }, 'F...'],
  [[1, 5, 6, 2], { threshold: '1', operator: 'BelowOrEqual' }, 'F..F'],
  // Fires at two of the last three runs, resolves at the first normal one.
  [[5, 1, 5, 5, 1], { threshold: '4', triggerFromNRuns: '3', triggerAfterNPositiveResults: '2' }, '..FF.'],
  // A failed run does not count.
  [[5, 'x', 5], { threshold: '4', triggerFromNRuns: '2' }, '.eF'],
  [[5, null, 5], { threshold: '4' }, 'F.F'],
  [[5, null, 1], { threshold: '4', alertOnNoData: true }, 'Fn.'],
  [[5, 3, 2], { threshold: '4', recoveryThreshold: '2' }, 'FF.'],
  [[5, 3, 2, 1], { threshold: '4', keepFiringMinutes: '2' }, 'FF..'],
  [[5], { threshold: '4', notifyByGroup: true }, undefined],
  [[5], { type: 'AnomalyDetection' }, undefined],
] as const)('%j with %j: %s', (values, draft, expected) => expect(statesOf(values, draft)).toBe(expected));

it.each([
  ['....', 'Would not have fired'],
  ['.FF.', 'Would have fired once, for 2 min'],
  ['F.FFF.FeF', 'Would have fired 3 ×, 7 min in total; longest 3 min'],
  ['F'.repeat(150), 'Would have fired once, for 2 h 30 min'],
] as const)('%s: %s', (states, text) => {
  const runs = [...states].map((letter, index) => ({
    time: index * minute,
    state: ({ '.': 'ok', F: 'open', e: 'error' } as const)[letter] ?? ('none' as const),
  }));
  expect(firedText(firedIn(runs, minute))).toBe(text);
});

it.each([
  [1, '6h'],
  [5, '6h'],
  [60, '3d'],
] as const)('every %s minutes: the last %s', (interval, span) => expect(spanFor(interval)).toBe(span));

it('suggests a threshold that is rarely exceeded', () => {
  const runs = runsOf(Array.from({ length: 101 }, (_, value) => value));
  expect(suggestedThreshold(runs, 'Above')).toBe(99);
  expect(suggestedThreshold(runs, 'Below')).toBe(0);
  expect(suggestedThreshold([], 'Above')).toBeUndefined();
  // A rounded threshold is not crossed by the value that it comes from.
  expect(suggestedThreshold(runsOf([13 / 3]), 'Above')).toBe(4.33334);
  expect(suggestedThreshold(runsOf([17 / 3]), 'Below')).toBe(4.66666);
  expect(suggestedThreshold(runsOf([0.25]), 'Above')).toBe(0.25);
});
