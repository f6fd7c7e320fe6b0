import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

/**
 * A client that goes away takes its query along: the engine is told at once, and its work ends. Times are taken on both sides of the server, in its
 * own process: when it learns that the connection is closed, when the engine is told, and when the engine no longer works on it.
 */

/** Joins every event with every other: seconds of work, from little data. */
const slow = 'heavy | join kind=inner (heavy) on k | summarize count(), max(i), dcount(strcat(s, s1))';
const events = 30_000;

/** What is asked of the engine while a client is there. */
interface Asked {
  readonly sql: string;
  cancelled?: number;
}

describe('a client that goes away', () => {
  let world: EngineWorld;
  let engine: Engine;
  const asked: Asked[] = [];
  let closed: number | undefined;

  function noting(options: QueryOptions, sql: string): void {
    const entry: Asked = { sql };
    asked.push(entry);
    options.signal?.addEventListener('abort', () => (entry.cancelled = performance.now()), { once: true });
  }
  const requested = (message: unknown): void => {
    const { request, socket } = message as { request: { url: string }; socket: Socket };
    if (/_apl|export|batch|\/query/.test(request.url)) socket.once('close', () => (closed = performance.now()));
  };

  beforeAll(async () => {
    subscribe('http.server.request.start', requested);
    world = await openEngineWorld({ engineSessions: 3 }, (opened) => {
      engine = opened;
      return new Proxy(opened, {
        get: (target, name) => {
          if (name === 'query' || name === 'stream')
            return (sql: string, options: QueryOptions) => {
              noting(options, sql);
              return target[name](sql, options);
            };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    });
    await world.dataset(
      'heavy',
      Array.from({ length: events }, (_, i) => ({ k: 1, i, s: `text ${i}`, _time: '2026-05-01T00:00:00Z' })),
    );
    await world.send('POST', '/v2/views', { name: 'joined', aplQuery: slow });
  }, 30_000);
  afterAll(async () => {
    unsubscribe('http.server.request.start', requested);
    await world.close();
  });
  beforeEach(() => {
    asked.length = 0;
    closed = undefined;
  });

  /** Statements the engine works on, but for the question itself. */
  async function working(): Promise<number> {
    const sql = "SELECT count() - 1 FROM system.processes WHERE query LIKE '%JOIN%'";
    const { columns } = await engine.query(sql, { format: 'JSONCompactColumns' });
    return Number((JSON.parse(Buffer.from(columns[0]!.values).toString()) as unknown[])[0]);
  }
  /** What the smallest statement takes at the moment: to stop one takes another, and so does to see that it has stopped. */
  async function smallest(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const started = performance.now();
      await working();
      times.push(performance.now() - started);
    }
    return Math.max(...times);
  }
  async function until(condition: () => boolean | Promise<boolean>, within: number): Promise<number> {
    const started = performance.now();
    while (!(await condition())) {
      if (performance.now() - started > within) throw new Error('it did not come to that');
      await pause(2);
    }
    return performance.now();
  }

  function send(path: string, body: unknown): Socket {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const text = JSON.stringify(body);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.owner}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    return socket;
  }

  const ways: readonly (readonly [string, string, unknown])[] = [
    ['APL', '/v1/datasets/_apl?format=tabular&nocache=true', { apl: slow }],
    ['structured', '/v1/datasets/joined/query?nocache=true', {}],
    ['batch', '/v1/query/batch?nocache=true', [{ queryId: 'a', aplRequest: { apl: slow } }]],
    ['export', '/v1/export', { apl: `${slow} by i` }],
  ];
  it.each(ways)(
    '%s: the engine is told at once, and stops',
    async (_, path, body) => {
      const figures: { told: number; late: number }[] = [];
      for (let turn = 0; turn < 3; turn++) {
        asked.length = 0;
        closed = undefined;
        const socket = send(path, body);
        await until(async () => asked.length > 0 && (await working()) > 0, 10_000);
        const before = asked.length;
        socket.destroy();
        await until(() => closed !== undefined && asked.some(({ cancelled }) => cancelled !== undefined), 5000);
        const told = Math.max(...asked.flatMap(({ cancelled }) => cancelled ?? []));
        const stopped = await until(async () => (await working()) === 0, 5000);
        figures.push({ told: told - closed!, late: stopped - closed! - 3 * (await smallest()) });
        expect(asked.length, 'nothing more is asked').toBe(before);
      }
      // A busy machine may be late once, not every time.
      expect(Math.min(...figures.map(({ told }) => told))).toBeLessThan(100);
      expect(Math.min(...figures.map(({ late }) => late))).toBeLessThan(100);
    },
    60_000,
  );

  it('leaves no query, no turn and no session behind', async () => {
    const gone = Array.from({ length: 6 }, () => send('/v1/datasets/_apl?nocache=true', { apl: slow }));
    await until(() => asked.length >= 3, 10_000);
    for (const socket of gone) socket.destroy();
    await until(async () => (await world.send<readonly unknown[]>('GET', '/v1/queries')).body.length === 0, 5000);
    await until(async () => (await working()) === 0, 5000);
    const answers = await Promise.all([1, 2, 3].map(() => world.apl('heavy | where i >= 0 | count')));
    expect(answers.map(({ tables }) => tables[0]!.columns)).toEqual([[[events]], [[events]], [[events]]]);
  }, 30_000);
});
