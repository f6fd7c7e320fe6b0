import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * When a client disconnects, its query ends: the engine is told at once and stops. Clocks are
 * unreliable on a busy machine, so the test counts: the ticks of the server's event loop until the
 * engine is told, and the smallest statements that the engine completes until it has stopped the
 * query. On an idle machine the engine is told in the same tick, and sixty statements take some
 * tenths of a second; on a busy one twenty were too few.
 */

const maxTurns = 1;
const maxStatements = 60;

/** Joins every event with every other: seconds of work from few events. */
const slow = 'heavy | join kind=inner (heavy) on k | summarize count(), max(i), dcount(strcat(s, s1))';
const events = 30_000;

/**
 * Background maintenance queries the engine's system tables at any time; those statements are
 * ignored.
 */
const upkeep = /FROM system\./;

/** A statement sent to the engine while a client is connected. */
interface SentStatement {
  readonly sql: string;
  /** Whether it was sent after the client's disconnection was known. */
  readonly late: boolean;
  /** Ticks of the event loop after the connection was closed. */
  canceled?: number;
}

describe('a client that goes away', () => {
  let world: EngineTestServer;
  let engine: Engine;
  const statements: SentStatement[] = [];
  /** Ticks of the event loop since the connection was closed. */
  let turns: number | undefined;

  function recordStatement(options: QueryOptions, sql: string): void {
    if (upkeep.test(sql)) return;
    const entry: SentStatement = { sql, late: turns !== undefined && turns > maxTurns };
    statements.push(entry);
    options.signal?.addEventListener('abort', () => (entry.canceled = turns ?? 0), { once: true });
  }
  const handleRequest = (message: unknown): void => {
    const { request, socket } = message as { request: { url: string }; socket: Socket };
    if (!/_apl|export|batch|\/query/.test(request.url)) return;
    socket.once('close', () => {
      turns = 0;
      const count = (): void => {
        if (turns === undefined || turns > 1000) return;
        turns++;
        setImmediate(count);
      };
      setImmediate(count);
    });
  };

  beforeAll(async () => {
    subscribe('http.server.request.start', handleRequest);
    world = await openEngineTestServer({ engineSessions: 3 }, (opened) => {
      engine = opened;
      return new Proxy(opened, {
        get: (target, name) => {
          if (name === 'query' || name === 'stream')
            return (sql: string, options: QueryOptions) => {
              recordStatement(options, sql);
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
    unsubscribe('http.server.request.start', handleRequest);
    await world.close();
  });
  beforeEach(() => {
    statements.length = 0;
    turns = undefined;
  });

  /** Statements running in the engine, without this one. */
  async function countStatements(): Promise<number> {
    const sql = "SELECT count() - 1 FROM system.processes WHERE query LIKE '%JOIN%'";
    const { columns } = await engine.query(sql, { format: 'JSONCompactColumns' });
    return Number((JSON.parse(Buffer.from(columns[0]!.values).toString()) as unknown[])[0]);
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
    '%s: cancels the statement of the engine at once',
    async (_, path, body) => {
      statements.length = 0;
      const socket = send(path, body);
      await until(async () => statements.length > 0 && (await countStatements()) > 0, 10_000);
      socket.destroy();
      await until(() => statements.some(({ canceled }) => canceled !== undefined), 20_000);
      let completed = 0;
      while ((await countStatements()) > 0 && completed < 10 * maxStatements) completed++;
      expect(Math.max(...statements.flatMap(({ canceled }) => canceled ?? []))).toBeLessThanOrEqual(maxTurns);
      expect(completed).toBeLessThanOrEqual(maxStatements);
      expect(statements.filter(({ late }) => late)).toEqual([]);
    },
    60_000,
  );

  it('leaves no query, no turn and no session behind', async () => {
    const gone = Array.from({ length: 6 }, () => send('/v1/datasets/_apl?nocache=true', { apl: slow }));
    // One of three sessions is reserved for tokens that run nothing.
    await until(() => statements.length >= 2, 10_000);
    for (const socket of gone) socket.destroy();
    await until(async () => (await world.send<readonly unknown[]>('GET', '/v1/queries')).body.length === 0, 20_000);
    await until(async () => (await countStatements()) === 0, 20_000);
    const answers = await Promise.all([1, 2, 3].map(() => world.apl('heavy | where i >= 0 | count')));
    expect(answers.map(({ tables }) => tables[0]!.columns)).toEqual([[[events]], [[events]], [[events]]]);
  }, 60_000);
});
