import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPostgresServer } from '@millrace/metadata/testing/postgres';
import { login, openCluster, type Replica } from '../../cluster/replicas.ts';
import { createDataset, send } from '../../support/apl.ts';
import { millrace, millraceProcess } from '../../support/command.ts';
import { removeDirectory, type ServerProcess, temporaryDirectory } from '../../support/server-process.ts';
import { inspect } from '../replicated-server.ts';
import { Tally } from '../tally.ts';
import { startNodes } from './places.ts';

/**
 * `npm run crash -- --story restore`: nodes over replicas are backed up while they take events, and
 * the backup goes into other nodes over other replicas.
 */

const datasets = ['orders', 'requests'];
const day = 86_400_000;

/** Events of many days, with more fields than columns, and values of changing types. */
const eventOf = (id: number) => ({
  id,
  _time: new Date(Date.now() - (id % 150) * day).toISOString(),
  text: `event ${id} «${'ä'.repeat(id % 5)}»`,
  ratio: id / 7,
  whole: id % 3 === 0,
  changing: id % 2 === 0 ? id : `text ${id}`,
  nested: { list: [id, 'x'], deep: { id } },
  [`field ${id % 97}`]: id,
});
type Event = ReturnType<typeof eventOf>;

/** The event as it is stored: nested fields have dotted names. */
const toStoredEvent = ({ nested, ...event }: Event): object => ({
  ...event,
  'nested.list': nested.list,
  'nested.deep.id': nested.deep.id,
});

/** A line of an export, with sorted names and without server fields. */
const comparable = (event: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(event).toSorted(([a], [b]) => (a < b ? -1 : 1))));

async function exportLines(server: ServerProcess, dataset: string, asOf?: string): Promise<readonly string[]> {
  const query = new URLSearchParams({
    apl: `['${dataset}']`,
    startTime: '2000-01-01',
    ...(asOf !== undefined && { asOf }),
  });
  const answer = await fetch(`${server.url}/v1/export?${query}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const text = await answer.text();
  expect(answer.status, text.slice(0, 500)).toBe(200);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => comparable(JSON.parse(line) as object)).toSorted();
}

/** Two nodes over separate replicas and a separate database. */
const settingsOver = (replicas: readonly Replica[], database: string): Readonly<Record<string, string>> => ({
  MILLRACE_NODES: 'shared',
  MILLRACE_CLICKHOUSE_URL: replicas.map(({ url }) => url).join(','),
  MILLRACE_CLICKHOUSE_USER: login.user,
  MILLRACE_CLICKHOUSE_PASSWORD: login.password,
  MILLRACE_DATABASE_URL: database,
  MILLRACE_COLUMN_BUDGET: '40',
  MILLRACE_ACCEPT_TIMEOUT: '60s',
});

it('a backup of nodes over replicas goes into other nodes over other replicas', { timeout: 1_800_000 }, async () => {
  const [postgres, cluster] = await Promise.all([openPostgresServer(), openCluster({ shards: 2 })]);
  const directory = temporaryDirectory();
  onTestFinished(async () => {
    await Promise.all([postgres.end(), cluster.end()]);
    removeDirectory(directory);
  });
  const backup = join(directory, 'backup');
  // Two sets of replicas that share only Keeper.
  const [from, to] = cluster.shards as [readonly Replica[], readonly Replica[]];
  const over = settingsOver(from, await postgres.place());
  const into = settingsOver(to, await postgres.place());
  const nodes = await startNodes(2, () => over);
  onTestFinished(() => nodes.end());
  const sent = new Map<number, Event>();
  const acknowledged = new Set<number>();
  let id = 0;
  let going = true;
  const write = async (dataset: string, node: ServerProcess): Promise<void> => {
    while (going) {
      const events = Array.from({ length: 50 }, () => eventOf(id++));
      for (const event of events) sent.set(event.id, event);
      const { status } = await send(node, dataset, JSON.stringify(events));
      if (status === 200) for (const event of events) acknowledged.add(event.id);
    }
  };
  const [one, other] = nodes.nodes as [ServerProcess, ServerProcess];
  for (const name of datasets) await createDataset(one, name);
  const writers = datasets.flatMap((dataset) => nodes.nodes.map((node) => write(dataset, node)));
  await expect.poll(() => acknowledged.size, { timeout: 600_000 }).toBeGreaterThan(3000);
  console.log(`${acknowledged.size} events are acknowledged`);
  const before = new Set(acknowledged);
  const { code, err } = await millrace(['backup', backup], { server: other });
  expect([code, err]).toEqual([0, '']);
  going = false;
  await Promise.all(writers);
  console.log(`backed up while events came, up to ${acknowledged.size}`);
  const { position } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as { readonly position: string };

  // Kills the first restore when some of the events are stored.
  const restore = ['restore', backup, '--nodes', '--data-dir', join(directory, 'ready')];
  const cut = new AbortController();
  const first = millraceProcess(restore, { env: into, signal: cut.signal });
  const rows = (): Promise<number> =>
    to[0]!.run("SELECT sum(total_rows) FROM system.tables WHERE database = 'millrace'").then(Number, () => 0);
  await expect.poll(rows, { timeout: 300_000, interval: 20 }).toBeGreaterThan(0);
  cut.abort();
  expect((await first).code).toBe(null);
  await expect(startNodes(1, () => into)).rejects.toThrow(/run millrace restore again/);
  console.log('the first restore was killed');
  // Its leftovers must be removed from every replica.
  await to[1]!.kill();
  const second = await millraceProcess(restore, { env: into });
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('1 of 3 ClickHouse replicas do not answer')]);
  await to[1]!.start();
  const third = await millraceProcess(restore, { env: into });
  expect([third.code, third.err]).toEqual([0, expect.not.stringContaining('warning')]);
  console.log('restored');

  const restored = await startNodes(2, () => into);
  onTestFinished(() => restored.end());
  for (const dataset of datasets) {
    const there = await exportLines(restored.nodes[0]!, dataset);
    expect(there.length).toBeGreaterThan(1000);
    expect(there).toEqual(await exportLines(one, dataset, position));
    expect(await exportLines(restored.nodes[1]!, dataset)).toEqual(there);
    for (const line of there) {
      const { _time, _sysTime, ...event } = JSON.parse(line) as Event & { readonly _sysTime: string };
      const wanted = sent.get(event.id)!;
      expect({ ...event, _time: new Date(_time).toISOString() }).toEqual(toStoredEvent(wanted));
      before.delete(event.id);
    }
  }
  expect(before.size).toBe(0);
  // The restored nodes accept events at later positions.
  const answer = await send(restored.nodes[1]!, 'orders', '{"id":-1}');
  expect([answer.status, BigInt(answer.headers.get('x-millrace-position')!) > BigInt(position)]).toEqual([200, true]);
  // The replica that was down gets everything.
  const tally = new Tally();
  await inspect({ shards: [to] }, tally);
  expect(tally.violations).toEqual([]);
  console.log(`${acknowledged.size} events were acknowledged, and compared after the restore as far as it goes`);
});
