import { describe, expect, it } from 'vitest';
import type { Silence } from '../../../data/alerts.js';
import { silencedMonitors, silenceState, whenText } from './describe-silence.js';
import {
  newSilence,
  silenceBodyOf,
  type SilenceDraft,
  silenceDraftOf,
  silenceProblems,
  weeklyIn,
} from './silence-draft.js';

const silence = (change: Partial<Silence>): Silence => ({
  id: 'silence_1',
  reason: 'upgrade',
  labels: { team: 'payments' },
  startTime: '2026-11-20T10:00:30.123Z',
  endTime: '2026-11-20T11:00:00Z',
  createdAt: '2026-11-20T10:00:00Z',
  createdBy: 'usr_1',
  updatedAt: '2026-11-20T10:00:00Z',
  active: true,
  ...change,
});
const repeatingSilence = (cron: string, durationMinutes = 120, timeZone = 'Europe/Berlin') => {
  const { endTime: _, ...rest } = silence({ repeat: { cron, durationMinutes, timeZone } });
  return rest;
};
const draft = (change: Partial<SilenceDraft>) =>
  newSilence('UTC', { reason: 'r', monitorIds: ['mon_1'], ends: '2999-01-01', ...change });

describe('a silence in the form', () => {
  it.each([
    silence({}),
    silence({ monitorIds: ['mon_1'], groups: { host: 'a=b' } }),
    repeatingSilence('0 22 * * sat'),
    repeatingSilence('30 6 * * mon,tue'),
    repeatingSilence('0 0 * * *', 10),
    repeatingSilence('*/5 8-18 1 * mon', 7 * 1440, 'UTC'),
  ])('is written as it was read: %j', (one) => {
    const { id: _, createdAt: __, createdBy: ___, updatedAt: ____, active: _____, ...written } = one;
    for (const zone of ['UTC', 'America/New_York'])
      expect(silenceBodyOf(silenceDraftOf(one, zone), zone, one)).toEqual(written);
  });

  it.each([
    [{ reason: ' ' }, { reason: 'Enter a reason' }],
    [{ monitorIds: [] }, { monitorIds: 'Select monitors, labels or groups' }],
    [{ labels: 'team' }, { labels: 'Write name=value on each line' }],
    [{ ends: '' }, { ends: 'Enter an end' }],
    [{ ends: '', kind: 'weekly' }, {}],
    [{ ends: '2001-01-01' }, { ends: 'Must be after the start' }],
    [{ starts: 'tomorrow' }, { starts: 'Use the format 2026-12-24 18:00' }],
    [{ kind: 'weekly', days: [] }, { days: 'Select a day' }],
    [{ kind: 'weekly', clock: '24:00' }, { clock: 'Use the format 22:00' }],
    [{ kind: 'weekly', duration: '8d' }, { duration: 'Use a duration such as 90m or 2h, up to 7d' }],
    [{ kind: 'weekly', duration: '2 h', timeZone: 'Mars' }, { timeZone: 'Use a name such as Europe/Berlin' }],
    [{ kind: 'cron', cron: '@daily' }, { cron: 'Enter five fields' }],
  ] as const)('with %j has problems %j', (change, problems) =>
    expect(silenceProblems(draft(change), 'UTC')).toEqual(problems),
  );

  it('without a start begins when it is saved', () =>
    expect(silenceBodyOf(draft({}), 'UTC')).not.toHaveProperty('startTime'));
});

describe('a cron expression', () => {
  it.each([
    ['0 22 * * sat', { days: ['sat'], clock: '22:00' }],
    ['5 6 * * fri,mon', { days: ['mon', 'fri'], clock: '06:05' }],
    ['0 22 1 * sat', undefined],
    ['0 22 * * 6', undefined],
    ['*/5 22 * * *', undefined],
  ])('%s', (cron, weekly) => expect(weeklyIn(cron)).toEqual(weekly));
});

describe('in words', () => {
  it.each([
    [silence({}), '2026-11-20 10:00 – 11:00'],
    [silence({ endTime: '2026-11-21T11:00:00Z' }), '2026-11-20 10:00 – 2026-11-21 11:00'],
    [repeatingSilence('0 22 * * sat'), 'Sat at 22:00 Europe/Berlin for 2 h'],
    [repeatingSilence('0 22 * * *', 90), 'Daily at 22:00 Europe/Berlin for 90 min'],
    [repeatingSilence('0 22 1 * *', 1500), '0 22 1 * * Europe/Berlin for 1 d 1 h'],
  ])('%j', (one, text) => expect(whenText(one, 'UTC')).toBe(text));

  it.each([
    [{ active: true, nextStart: '2026-11-28T00:00:00Z' }, 'active'],
    [{ active: false, nextStart: '2026-11-28T00:00:00Z' }, 'upcoming'],
    [{ active: false }, 'ended'],
  ] as const)('%j is %s', (one, state) => expect(silenceState(one)).toBe(state));
});

it('selects monitors as the server does', () => {
  const monitors = [
    { id: 'a', labels: { team: 'payments', tier: '1' } },
    { id: 'b', labels: { team: 'search' } },
    { id: 'c' },
  ] as unknown as Parameters<typeof silencedMonitors>[1];
  const idsOf = (one: Parameters<typeof silencedMonitors>[0]) => silencedMonitors(one, monitors).map(({ id }) => id);
  expect(idsOf({ labels: { team: 'payments' } })).toEqual(['a']);
  expect(idsOf({ monitorIds: ['b', 'c'], labels: { team: 'search' } })).toEqual(['b']);
  expect(idsOf({})).toEqual(['a', 'b', 'c']);
});
