import { expect, it } from 'vitest';
import { daysOf, levelOf } from './days.js';

const now = Date.parse('2026-11-30T00:00:00Z');
const incident = (monitorId: string, openedAt: string, closedAt?: string) => ({
  id: openedAt,
  monitorId,
  name: 'm',
  openedAt,
  ...(closedAt !== undefined && { closedAt }),
});

it('counts the time in which any group was open, day by day', () => {
  const [days] = daysOf(
    [
      incident('a', '2026-11-29T18:00:00Z'),
      incident('a', '2026-11-28T12:00:00Z', '2026-11-28T18:00:00Z'),
      // Overlaps with the one before.
      incident('a', '2026-11-28T15:00:00Z', '2026-11-29T06:00:00Z'),
    ],
    now,
    () => false,
  );
  expect(days).toMatchObject({ monitorId: 'a', incidents: 3, open: 1, total: 24 * 3_600_000 });
  expect(days!.days.slice(-3)).toEqual([0, 0.5, 0.5]);
});

it('shows events that matched, which have no duration', () => {
  const [days] = daysOf([incident('a', '2026-11-28T12:00:00Z')], now, () => true);
  expect(days).toMatchObject({ open: 0, total: 0 });
  expect(days!.days.map(levelOf).slice(-3)).toEqual([0, 1, 0]);
});

it.each([
  [0, 0],
  [0.001, 1],
  [0.05, 2],
  [0.5, 3],
])('%s of a day has level %s', (share, level) => expect(levelOf(share)).toBe(level));
