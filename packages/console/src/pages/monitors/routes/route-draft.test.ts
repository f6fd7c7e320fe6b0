import { expect, it } from 'vitest';
import { routeDraftOf, routeOf, routeProblems } from './route-draft.js';

const route = {
  name: 'Pages',
  labels: { team: 'a' },
  severities: ['critical' as const],
  monitorIds: ['mon_1'],
  notifierIds: ['n1'],
  escalation: { afterMinutes: 15, notifierIds: ['n2'] },
  continue: true,
};

it.each([route, { name: 'All', notifierIds: [] }])('a draft is what it was made of: %j', (each) => {
  expect(routeOf(routeDraftOf(each))).toEqual(each);
  expect(routeProblems(routeDraftOf(each))).toEqual({});
});

it.each([
  [{ name: '' }, ['name']],
  [{ labels: '=x' }, ['labels']],
  [{ afterMinutes: '0' }, ['afterMinutes']],
  [{ escalatedIds: [] }, ['escalatedIds']],
  [{ afterMinutes: '', escalatedIds: [] }, []],
])('problems of %j', (change, expected) =>
  expect(Object.keys(routeProblems({ ...routeDraftOf(route), ...change }))).toEqual(expected),
);
