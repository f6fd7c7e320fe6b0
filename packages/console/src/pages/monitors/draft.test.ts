import { expect, it } from 'vitest';
import type { Monitor } from '../../data/alerts.js';
import { bodyOf, draftFor, draftOf, emptyDraft, numberIn, problemsOf } from './draft.js';

const monitor: Monitor = {
  id: 'mon_1',
  name: 'm',
  type: 'Threshold',
  description: 'why',
  aplQuery: 'logs | summarize count()',
  operator: 'BelowOrEqual',
  columnName: 'count_',
  threshold: 1.5,
  intervalMinutes: 2,
  rangeMinutes: 7,
  secondDelay: 30,
  alertOnNoData: true,
  notifyByGroup: true,
  notifyEveryRun: true,
  skipResolved: true,
  resolvable: true,
  triggerFromNRuns: 3,
  triggerAfterNPositiveResults: 2,
  tolerance: 0,
  compareDays: 0,
  recoveryThreshold: 2,
  keepFiringMinutes: 10,
  renotifyMinutes: 60,
  inhibitedBy: ['mon_2'],
  disabled: false,
  disabledUntil: '2030-01-01T00:00:00.123456789Z',
  notifierIds: ['a'],
  createdAt: '2026-01-01T00:00:00Z',
  createdBy: 'u',
  updatedAt: '2026-01-01T00:00:00Z',
};

it('an unchanged monitor round-trips through the form', () => {
  const { id: _1, createdAt: _2, createdBy: _3, updatedAt: _4, tolerance: _5, compareDays: _6, ...written } = monitor;
  expect(bodyOf(draftOf(monitor))).toEqual(written);
});

it('anomaly and match monitors have only their own properties', () => {
  const anomaly = bodyOf({ ...draftOf(monitor), type: 'AnomalyDetection', tolerance: '5', compareDays: '7' });
  expect(anomaly).toMatchObject({ operator: 'Below', tolerance: 5, compareDays: 7 });
  expect(anomaly).not.toHaveProperty('threshold');
  expect(bodyOf({ ...draftOf(monitor), type: 'MatchEvent' })).toEqual({
    name: 'm',
    type: 'MatchEvent',
    description: 'why',
    aplQuery: monitor.aplQuery,
    resolvable: true,
    notifierIds: ['a'],
    inhibitedBy: ['mon_2'],
    disabled: false,
    disabledUntil: monitor.disabledUntil,
  });
});

it('keeps the query of a metrics monitor', () => {
  const draft = draftOf({ ...monitor, aplQuery: '', mplQuery: 'cpu:load | align to 1m using avg' });
  expect(problemsOf(draft)['aplQuery']).toBeUndefined();
  const body = bodyOf({ ...draft, threshold: '7' });
  expect(body).toMatchObject({ mplQuery: 'cpu:load | align to 1m using avg', threshold: 7 });
  expect(body).not.toHaveProperty('aplQuery');
});

it.each([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ aplQuery: '' }, ['aplQuery']],
  [{ threshold: 'x' }, ['threshold']],
  [{ threshold: '5', recoveryThreshold: '6' }, ['recoveryThreshold']],
  [{ threshold: '5', recoveryThreshold: '4', keepFiringMinutes: '0' }, ['keepFiringMinutes']],
  [{ intervalMinutes: '0' }, ['intervalMinutes']],
  [{ intervalMinutes: '1.5' }, ['intervalMinutes']],
  [{ triggerFromNRuns: '2', triggerAfterNPositiveResults: '3' }, ['triggerAfterNPositiveResults']],
  [{ type: 'MatchEvent', intervalMinutes: '' }, []],
] as const)('%j has problems with %j', (change, fields) =>
  expect(Object.keys(problemsOf({ ...emptyDraft, name: 'm', aplQuery: 'a', ...change }))).toEqual(fields),
);

it.each([
  ['1,200', 1200],
  ['1 200.5', 1200.5],
  ['-3e2', -300],
  ['', undefined],
  ['1,2', undefined],
] as const)('%j is %s', (text, value) => expect(numberIn(text)).toBe(value));

it('adds a count of events unless the query has one', () => {
  expect(draftFor('shop\n', 60, true)).toMatchObject({
    aplQuery: 'shop\n| summarize count()',
    rangeMinutes: '60',
    intervalMinutes: '5',
  });
  expect(draftFor('shop | count', undefined, false)).toMatchObject({ aplQuery: 'shop | count', rangeMinutes: '5' });
});
