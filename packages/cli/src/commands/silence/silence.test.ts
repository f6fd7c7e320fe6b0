import { expect, it } from 'vitest';
import { run } from '../../run.js';
import { ScriptedRuns } from '../../testing/fake-runs.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';

const runs = new ScriptedRuns();
const silence = { id: 'silence_1', reason: 'upgrade', startTime: '2026-11-20T10:00:00Z', active: true };

async function runCommand(...words: readonly string[]) {
  const env = await runs.serve(({ method, url }) => ({
    body: url.pathname === '/v2/monitors' ? [{ id: 'mon_1', name: 'Failed' }] : method === 'GET' ? [silence] : silence,
  }));
  const io = memoryIo({ env });
  return { exit: await run(['silence', ...words], commands, io), ...io.written };
}
const sentBodies = () =>
  runs.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(String(body)) as object);

it('creates a silence by label and monitor, for a time', async () => {
  const { err } = await runCommand(
    'create',
    'upgrade',
    '--label',
    'team=a=b',
    '--monitor',
    'Failed',
    '--duration',
    '2h',
  );
  expect(err).toBe("Silence 'upgrade' is created: silence_1.\n");
  const [body] = sentBodies() as [{ startTime: string; endTime: string }];
  expect(body).toMatchObject({ reason: 'upgrade', labels: { team: 'a=b' }, monitorIds: ['mon_1'] });
  expect(Date.parse(body.endTime) - Date.parse(body.startTime)).toBe(7_200_000);
});

it('creates a maintenance window', async () => {
  await runCommand('create', 'backups', '--group', 'host=a', '--cron', '0 22 * * sat', '--zone', 'Europe/Berlin');
  expect(sentBodies()[0]).toMatchObject({
    groups: { host: 'a' },
    repeat: { cron: '0 22 * * sat', timeZone: 'Europe/Berlin', durationMinutes: 60 },
  });
});

it.each([
  [['--zone', 'UTC'], '--zone needs --cron'],
  [['--label', 'team'], "--label needs a name and a value, as in a=b, not 'team'"],
])('rejects %j', async (options, problem) => {
  const { exit, err } = await runCommand('create', 'x', ...options);
  expect(exit).not.toBe(0);
  expect(err).toContain(problem);
});

it('lists silences', async () => expect((await runCommand('list')).out).toContain('silence_1'));
