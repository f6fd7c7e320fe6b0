import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../support/server-process.js';
import { Random } from './random.js';
import { openReceiver } from './receiver.js';
import { caseCount } from '../support/depth.js';

/**
 * Monitors and notifications while the server is repeatedly killed, anywhere between two steps,
 * with a failing receiver. `KILLS=100 npx vitest run tests/crash/alerts.test.ts` kills more often.
 */

const kills = Number(process.env['KILLS'] ?? caseCount(1, 30));
/** Milliseconds that stand for a minute of the server. */
const minute = 1500;
const seed = Number(process.env['SEED'] ?? 1);

/** Its clock is fast, so that monitors run every second or two. */
const fast = `const real = Date.now; Date.now = () => 1_800_000_000_000 + Math.floor((real() - ${Date.now()}) * ${60_000 / minute});`;

const quiet = {
  MILLRACE_LOG_LEVEL: 'silent',
  MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
  MILLRACE_NOTIFY_PER_MINUTE: '10000',
  MILLRACE_NOTIFY_RETRIES: '7d',
  MILLRACE_MATCHES_PER_MINUTE: '10000',
  MILLRACE_MATCHES_PER_DAY: '100000',
  MILLRACE_MONITORS_AT_ONCE: '4',
};

interface Change {
  readonly checkId: string;
  readonly state: 'open' | 'closed';
  readonly timestamp: string;
}

interface Run {
  readonly id: string;
  readonly deliveries: readonly { readonly state: string }[];
}

const pollOptions = { timeout: 60_000, interval: 500 };

it(
  'each opening, closing and match notifies at least once, and once by its key, however often the server is killed',
  async () => {
    const random = new Random(seed, 'alerts');
    const directory = temporaryDirectory();
    const clock = join(directory, 'fast.mjs');
    writeFileSync(clock, fast);
    const receiver = await openReceiver(random);
    const start = () => startServer(join(directory, 'data'), { ...quiet, NODE_OPTIONS: `--import=${clock}` });
    let server = await start();
    const send = async <T>(path: string, body: unknown): Promise<T | undefined> => {
      const answer = await request(server, path, { body: JSON.stringify(body) }).catch(() => undefined);
      return answer?.status === 200 ? (answer.body as T) : undefined;
    };
    try {
      await send('/v2/datasets', { name: 'logs' });
      const { id: notifier } = (await send<{ id: string }>('/v2/notifiers', {
        name: 'n',
        properties: { webhook: { url: receiver.url } },
      }))!;
      const base = { notifierIds: [notifier], rangeMinutes: 1, intervalMinutes: 1, threshold: 2 };
      const monitors: string[] = [];
      for (const [i, operator] of ['Above', 'BelowOrEqual', 'Above', 'BelowOrEqual'].entries()) {
        const aplQuery = `logs | where k == ${i} | summarize max(level)`;
        monitors.push(
          (await send<{ id: string }>('/v2/monitors', {
            ...base,
            name: `m${i}`,
            type: 'Threshold',
            operator,
            aplQuery,
          }))!.id,
        );
      }
      const matching = await send<{ id: string }>('/v2/monitors', {
        name: 'match',
        type: 'MatchEvent',
        aplQuery: 'logs | where matches',
        notifierIds: [notifier],
      });

      const acknowledged = new Set<number>();
      let sent = 0;
      const load = async (until: () => boolean): Promise<void> => {
        while (!until()) {
          const n = sent++;
          const late = random.chance(1 / 3) ? { _time: '2020-01-01T00:00:00Z' } : {};
          const events = [
            { n, matches: true, ...late },
            { k: random.between(0, 3), level: Math.floor(Date.now() / (2 * minute)) % 2 === 0 ? 0 : 4 },
          ];
          if ((await send('/v1/datasets/logs/ingest', events)) !== undefined) acknowledged.add(n);
          await sleep(60);
        }
      };
      for (let kill = 0; kill < kills; kill++) {
        let over = false;
        const loading = load(() => over);
        await sleep(random.between(200, 3 * minute));
        await server.kill();
        over = true;
        await loading;
        server = await start();
      }
      // At least one opens and closes, however little of the time the servers had.
      const high = [0, 1, 2, 3].map((k) => ({ k, level: 5 }));
      const hasOpened = (): boolean => receiver.delivered.some(({ action, n }) => n === undefined && action === 'Open');
      const raiseAlert = async (): Promise<boolean> => (await send('/v1/datasets/logs/ingest', high), hasOpened());
      await expect.poll(raiseAlert, pollOptions).toBe(true);
      receiver.calmDown();
      const deliveredNumbers = (): readonly number[] => receiver.delivered.flatMap(({ n }) => n ?? []);
      await expect
        .poll(() => [...acknowledged].filter((n) => !deliveredNumbers().includes(n)), pollOptions)
        .toEqual([]);
      await expect.poll(() => waitingOf([...monitors, matching!.id], server), pollOptions).toEqual([]);

      const of = (id: string) => receiver.delivered.filter(({ monitorId }) => monitorId === id);
      const changesOf = async (id: string): Promise<readonly Change[]> => {
        const range = 'startTime=2020-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z';
        return (await request(server, `/v2/monitors/${id}/history?${range}`)).body as readonly Change[];
      };
      /** A retry repeats the key. */
      const actionsOf = (id: string) => [...new Map(of(id).map(({ key, action }) => [key, action])).values()];
      for (const id of monitors) {
        // Monitors still run, so a change may be on its way. The last message is the state of the
        // monitor once it has arrived.
        const isLastDelivered = async () => (await changesOf(id)).length % 2 === actionsOf(id).length % 2;
        await expect.poll(isLastDelivered, pollOptions).toBe(true);
        const actions = actionsOf(id);
        const changes = await changesOf(id);
        expect(changes.map(({ state }) => state)).toEqual(changes.map((_, i) => (i % 2 === 0 ? 'open' : 'closed')));
        // Changes before an attempt are merged, so there may be fewer messages than changes. They
        // alternate.
        expect(actions).toEqual(actions.map((_, i) => (i % 2 === 0 ? 'Open' : 'Closed')));
        expect(actions.length).toBeLessThanOrEqual(changes.length);
      }
      const keys = new Set(of(matching!.id).map(({ key, n }) => `${n} ${key}`));
      const events = [...keys].map((each) => Number(each.split(' ')[0]));
      expect(events.length - new Set(events).size, 'events under two keys').toBe(0);
      expect(events.length).toBeGreaterThan(kills);
      process.stdout.write(`${kills} kills: ${acknowledged.size} matches, ${receiver.delivered.length} deliveries\n`);
      await server.stop();
    } finally {
      await server.kill();
      await receiver.close();
      removeDirectory(directory);
    }
  },
  180_000 + kills * 60_000,
);

/** Runs with deliveries that are still waiting. */
async function waitingOf(ids: readonly string[], server: ServerProcess): Promise<readonly string[]> {
  const runs = await Promise.all(
    ids.map(async (id) => (await request(server, `/v2/monitors/${id}/runs`)).body as readonly Run[]),
  );
  return runs.flat().flatMap(({ id, deliveries }) => (deliveries.some(({ state }) => state === 'waiting') ? [id] : []));
}
