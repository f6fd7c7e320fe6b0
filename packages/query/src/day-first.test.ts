import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * In numeric dates the month comes first. If the data shows that a sender puts the day first, the
 * result has a warning.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  const at = (hour: number) => `2026-05-01T0${hour}:00:00Z`;
  await world.dataset('logs', [
    { _time: at(1), day: '1/2/2024', month: '1/2/2024', list: ['3/4/2024'], line: 'on 1/2/2024.' },
    { _time: at(2), day: '13/2/2024 10:00', month: '2/13/2024', list: ['31/12/24'], line: 'on 31/2/2024.' },
    { _time: at(3), day: '2024/13/02', month: 'at 13/2/2024', list: [], line: 'on 13/14/2024.' },
  ]);
});
afterAll(() => world.close());

const dayFirstMessages = async (apl: string, more: object = {}): Promise<readonly string[]> =>
  (await world.apl(apl, more)).status.messages.map(({ msg }) => msg).filter((msg) => msg.includes('day first'));

const [day, list, line] = ['13/2/2024', '31/12/24', '31/2/2024'].map((text) => [expect.stringContaining(`'${text}`)]);

it.each([
  ['logs | extend t = todatetime(day)', day],
  ['logs | where todatetime(day) > ago(1d) | count', day],
  ['logs | summarize max(todatetime(day)) by month', day],
  ['logs | sort by todatetime(day) asc | take 1', day],
  ['logs | extend d = strcat(day, "") | project t = datetime_part("day", todatetime(d))', day],
  ['logs | extend t = todatetime(list[0])', list],
  ['logs | parse line with "on " t:datetime "."', line],
  ['union logs, (logs | extend t = todatetime(day))', day],
  ['logs | where month in ((logs | where isnotnull(todatetime(day)) | project month))', day],
  ['logs | extend t = todatetime(month)', []],
  ['logs | extend t = todatetime("13/2/2024")', []],
  ['logs | extend t = day', []],
  ['logs | where day startswith "1/" | extend t = todatetime(day)', []],
  ['print t = todatetime("13/2/2024")', []],
])('%s', async (apl, expected) => expect(await dayFirstMessages(apl)).toEqual(expected));

it('events outside the range do not count', async () =>
  expect(await dayFirstMessages('logs | extend t = todatetime(day)', { startTime: '2026-05-01T02:30:00Z' })).toEqual(
    [],
  ));

it('what it advises reads all of them', async () => {
  const [advised] = await dayFirstMessages('logs | extend t = todatetime(day)');
  const turned = /todatetime\(.*\)/.exec(advised!)![0].replace('text)', 'day)');
  const { tables } = await world.apl(
    `logs | where _time < datetime(2026-05-01T02:30:00Z) | sort by _time asc | project t = ${turned}`,
  );
  expect(tables[0]!.columns).toEqual([['2024-02-01T00:00:00Z', '2024-02-13T10:00:00Z']]);
});
