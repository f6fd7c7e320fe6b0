import { expect, it } from 'vitest';
import { rowsQuery } from './rows-query.js';
import { type Incident, timelineOf } from './timeline.js';

const incident: Incident = {
  id: '1',
  monitorId: 'mon_1',
  name: 'Load (db-1)',
  openedAt: '2026-11-20T03:00:00.000Z',
  closedAt: '2026-11-20T03:10:00.000Z',
  checkId: 'mon_1-7',
  keys: ['host'],
  values: ['db-1'],
  text: 'Current value of 9 is above the threshold value of 5',
  closedText: 'Current value of 2 is no longer above the threshold value of 5',
  value: 9,
  start: '2026-11-20T02:55:00.000Z',
  end: '2026-11-20T03:00:00.000Z',
  position: '42',
  edited: false,
  deliveries: [
    {
      id: 'd1',
      notifierId: 'n1',
      action: 'Open',
      created: '2026-11-20T03:00:00.000Z',
      body: 'b',
      state: 'delivered',
      tries: 2,
      attempts: [
        { time: '2026-11-20T03:00:01.000Z', outcome: 'later', milliseconds: 30, status: 503, problem: '503: busy' },
        { time: '2026-11-20T03:00:06.000Z', outcome: 'delivered', milliseconds: 20, status: 200, answer: 'ok' },
      ],
    },
    {
      id: 'd2',
      notifierId: 'n2',
      action: 'Closed',
      created: '2026-11-20T03:10:00.000Z',
      body: 'b',
      state: 'failed',
      tries: 0,
      problem: 'replaced by a newer message',
      attempts: [],
    },
  ],
  others: [{ id: '2', monitorId: 'mon_1', name: 'Load (db-2)', openedAt: '2026-11-20T03:05:00.000Z' }],
};

it.each([
  [{ by: 'u1' }, 'Acknowledged by Ada', undefined],
  [{ by: '', through: 'n1', name: 'Ann' }, 'Acknowledged by Ann', 'Through a message to ops, without sign-in'],
  [{ by: '', through: 'n1' }, 'Acknowledged', 'Through a message to ops, without sign-in'],
])('the acknowledging user: %j', (acknowledged, title, text) => {
  const at = '2026-11-20T03:02:00.000Z';
  const known = { nameOfNotifier: () => 'ops', nameOfUser: () => 'Ada', annotations: [], silences: [] };
  const entries = timelineOf({ ...incident, acknowledged: { at, ...acknowledged } }, known);
  expect(entries.find(({ time }) => time === at)).toMatchObject({ title, ...(text !== undefined && { text }) });
});

it('tells an incident in order', () => {
  const entries = timelineOf(incident, {
    nameOfNotifier: (id) => ({ n1: 'ops' })[id] ?? id,
    nameOfUser: () => 'Ada',
    annotations: [
      { id: 'a1', datasets: ['hosts'], type: 'deploy', time: '2026-11-20T02:40:00.000Z', title: 'v7' },
      { id: 'a2', datasets: ['hosts'], type: 'alert', time: '2026-11-20T03:00:00.000Z', title: 'Load (db-1)' },
    ],
    silences: [
      {
        id: 's1',
        reason: 'being replaced',
        startTime: '2026-11-20T03:07:00.000Z',
        createdAt: '2026-11-20T03:07:00.000Z',
        createdBy: 'u',
        updatedAt: '2026-11-20T03:07:00.000Z',
        active: false,
      },
    ],
  });
  expect(entries.map(({ time, title, text }) => `${time.slice(11, 19)} ${title}: ${text}`)).toEqual([
    '02:40:00 v7: ',
    '03:00:00 Opened: Current value of 9 is above the threshold value of 5',
    '03:00:01 ops did not take the alert; it is retried: 503: busy · 30 ms',
    '03:00:06 ops received the alert: 200 ok · 20 ms',
    '03:05:00 Also opened: Load (db-2)',
    '03:07:00 Silenced by Ada: being replaced',
    '03:10:00 Resolved: Current value of 2 is no longer above the threshold value of 5',
    '03:10:00 n2: the resolution was not sent: replaced by a newer message',
  ]);
});

it.each([
  [{ keys: ['host'], values: ["d'b"] }, "hosts | where load > 1\n| where host == 'd\\'b'"],
  [{ keys: ['host', 'up'], values: ['a', true] }, "hosts | where load > 1\n| where host == 'a' and up == true"],
  [{ keys: ['host'], values: [null] }, 'hosts | where load > 1\n| where isnull(host)'],
  [{ keys: ['computed'], values: ['a'] }, 'hosts | where load > 1'],
  [{ keys: [], values: [] }, 'hosts | where load > 1'],
])('the rows of %j', (group, expected) => {
  const query = 'hosts | where load > 1 | summarize count() by host';
  expect(rowsQuery(query, 'hosts | where load > 1'.length, group, new Set(['host', 'up']))).toBe(expected);
});
