import { expect, test } from 'vitest';
import { healthMonitorId } from '../state/records.js';
import { failingGroup } from '../state/monitor-failure.js';
import { incidentOf } from './compose.js';
import { incidentReference, linkTo } from './links.js';
import { summaryKey } from './next-message.js';

test.each([
  ['mon_1', 'https://a.example/console', 'https://a.example/console/monitors/mon_1'],
  [healthMonitorId, 'https://a.example/console', 'https://a.example/console/monitors'],
  ['test', 'https://a.example/console', 'https://a.example/console/monitors'],
  ['mon_1', 'https://a.example/console/', 'https://a.example/console/monitors/mon_1'],
  ['mon_1', 'https://a.example', 'https://a.example/console/monitors/mon_1'],
  ['mon_1', 'https://a.example:8443//', 'https://a.example:8443/console/monitors/mon_1'],
  ['mon_1', 'https://a.example/logs', 'https://a.example/logs/console/monitors/mon_1'],
  ['mon_1', 'https://a.example/logs/console', 'https://a.example/logs/console/monitors/mon_1'],
  ['mon_1', 'https://console', 'https://console/console/monitors/mon_1'],
  ['mon_1', 'https://my-console', 'https://my-console/console/monitors/mon_1'],
  ['mon_1', undefined, undefined],
])('of %s at %s: a page that is there', (id, consoleUrl, link) => expect(linkTo(id, consoleUrl)).toBe(link));

test('an incident has a page below its monitor', () =>
  expect(linkTo('mon_1', 'https://a.example', '1795262400000')).toBe(
    'https://a.example/console/monitors/mon_1/incidents/1795262400000',
  ));

test.each([
  ['the whole monitor', '', null, /^1795262400000$/],
  ['a group', '["a"]', null, /^1795262400000-[0-9a-f]{24}$/],
  ['many groups', summaryKey, null, /^1795262400000$/],
  ['an event', 'event', {}, /^1795262400000$/],
  ['a monitor that cannot run', failingGroup, null, /^undefined$/],
])('a message about %s refers to its incident', (_, group, matchedEvent, expected) => {
  const incident = incidentOf('mon_1', group);
  const timestamp = new Date(1_795_262_400_000).toISOString();
  expect(String(incidentReference({ monitorId: 'mon_1', timestamp, incident, matchedEvent }))).toMatch(expected);
});
