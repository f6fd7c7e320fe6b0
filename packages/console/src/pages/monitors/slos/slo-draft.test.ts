import { expect, it } from 'vitest';
import { allowanceText, newSlo, sloBodyOf, sloDraftOf, sloProblems } from './slo-draft.js';

const draft = { ...newSlo, name: 'Pay', aplQuery: 'shop', good: 'status < 500' };
const record = { id: 'slo_1', createdAt: '', createdBy: '', updatedAt: '', monitorIds: [] };

it('a draft is what it was made of', () => {
  const body = sloBodyOf({ ...draft, labels: 'team=a', notifierIds: ['n'] }, undefined);
  const slo = { ...body, ...record, alerts: [...(body.alerts ?? [])], notifierIds: body.notifierIds ?? [] };
  expect(sloBodyOf(sloDraftOf(slo), slo)).toEqual(body);
  expect(body).toMatchObject({ objective: 99.9, windowDays: 30, labels: { team: 'a' }, notifierIds: ['n'] });
});

it.each([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ aplQuery: '', good: '' }, ['aplQuery', 'good']],
  [{ objective: '100' }, ['objective']],
  [{ objective: 'x', windowDays: '1.5' }, ['objective', 'windowDays']],
  [{ labels: '1=a' }, ['labels']],
])('problems of %j', (change, expected) => expect(Object.keys(sloProblems({ ...draft, ...change }))).toEqual(expected));

it('a short window leaves out alerts that are longer', () =>
  expect(sloBodyOf({ ...draft, windowDays: '1' }, undefined).alerts?.map(({ longMinutes }) => longMinutes)).toEqual([
    60, 360,
  ]));

it.each([
  ['99.9', '30', 'Allows 1 bad event of 1,000, or 43 min of full outage'],
  ['99', '30', 'Allows 1 bad event of 100, or 7.2 h of full outage'],
  ['x', '30', ''],
])('%s% over %s days', (objective, windowDays, expected) =>
  expect(allowanceText({ objective, windowDays })).toBe(expected),
);
