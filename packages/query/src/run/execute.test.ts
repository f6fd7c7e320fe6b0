import { type Engine, EngineError, type EngineResult, type QueryOptions } from '@millrace/engine';
import type { CompiledQuery } from '@millrace/apl';
import { call, column, item, literal, type Select } from '@millrace/sql';
import { afterAll, describe, expect, it } from 'vitest';
import { MetadataError } from '@millrace/metadata/metadata-error';
import { Metrics } from '@millrace/http/metrics';
import { defaultSettings } from '@millrace/http/settings/settings';
import { ActiveReaders } from '@millrace/storage/readers';
import type { Storage } from '@millrace/storage/storage';
import { flushBeforeRead } from './flush-before-read.js';
import { RowCountCache } from './row-count-cache.js';
import { NewestPartitions } from './newest-partitions.js';
import { execute } from './execute.js';
import { statusOf } from '../results/status.js';

/** Statements sent to the engine for a query, and the handling of a failed flush. */

const metrics = new Metrics();
afterAll(() => metrics.close());

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const statistics = { elapsedNanoseconds: 1, rowsRead: 10, bytesRead: 10 };

/** Returns `count` for counts, and for other statements the rows and the parts of their IDs. */
function engineOf(rows: number, count: number, deadlines: (number | undefined)[]): Engine {
  const query = async (sql: string, { deadline }: QueryOptions): Promise<EngineResult> => {
    deadlines.push(deadline);
    const isCount = sql.includes('count()');
    const value = isCount ? () => count : (row: number) => row.toString(16).toUpperCase();
    const values = encode(JSON.stringify(Array.from({ length: isCount ? 1 : rows }, (_, row) => value(row))));
    return {
      body: new Uint8Array(),
      columns: Array.from({ length: isCount ? 3 : 4 }, () => ({ name: 'a', type: 'String', values })),
      rows: isCount ? 1 : rows,
      statistics,
    };
  };
  return { query } as unknown as Engine;
}

const from = { kind: 'table', name: 'd1' } as const;
const countSelect = (where?: Select['where']): Select => ({
  kind: 'select',
  columns: [item(call('count'))],
  from,
  ...(where && { where }),
});
const filter = call('equals', column('a'), literal('x'));

const compiledQuery = (limit: number, filtered: boolean): CompiledQuery => ({
  kind: 'compiled',
  query: {
    kind: 'select',
    columns: [item(column('a'), 'a@'), item(column('_time')), item(column('_seq')), item(column('_row'))],
    from,
    limit,
  },
  output: [{ name: 'a', alias: 'a@', types: ['string'], typeName: 'string', json: false }],
  rowId: { time: '@time', seq: '@seq', row: '@row' },
  presentation: { kind: 'events', order: [{ field: '_time', desc: true }], groups: [], range: { start: 0n, end: 1n } },
  counts: {
    examined: [countSelect()],
    matched: filtered ? { kind: 'query', query: countSelect(filter) } : { kind: 'all' },
  },
  datasets: ['logs'],
  timeRange: { start: 0n, end: 1n },
  needs: new Set(),
  diagnostics: [],
});

const run = async (
  {
    rows,
    limit,
    filtered = true,
    continued = false,
  }: { rows: number; limit: number; filtered?: boolean; continued?: boolean },
  flush: () => Promise<void> = async () => {},
  {
    examined = new RowCountCache(),
    version = 1,
    count = 70,
  }: { examined?: RowCountCache; version?: number | (() => number); count?: number } = {},
) => {
  const deadlines: (number | undefined)[] = [];
  const deadline = performance.now() + 5000;
  const versionOf = () => String(typeof version === 'number' ? version : version());
  const runRead = <T>(_: readonly number[], read: (settings: object, began: () => void) => Promise<T>): Promise<T> =>
    read({}, () => undefined);
  const deps = {
    engine: engineOf(rows, count, deadlines),
    storage: {
      flush,
      versionOf,
      knowsVersions: true,
      reads: { run: runRead, watermark: () => 7n },
      readers: new ActiveReaders(new Set([1])),
    } as unknown as Storage,
    settings: defaultSettings(),
    metrics,
    examined,
    newest: new NewestPartitions(
      async () => [],
      () => 0n,
    ),
    datasetIds: [1],
  };
  const outcome = await execute(
    compiledQuery(limit, filtered),
    {
      signal: new AbortController().signal,
      flushResult: await flushBeforeRead(deps),
      deadline,
      ...(continued && { cursor: 0n }),
    },
    deps,
  );
  return { outcome, queries: deadlines.length, haveOneTime: deadlines.every((until) => until === deadline) };
};

describe('counting', () => {
  it('repeats the query only for data missing from a full page', async () => {
    expect(await run({ rows: 5, limit: 10 })).toMatchObject({
      queries: 2,
      outcome: { rowsMatched: 5, rowsExamined: 70 },
    });
    expect(await run({ rows: 10, limit: 10 })).toMatchObject({ queries: 3, outcome: { rowsMatched: 70 } });
  });
  it('gets no extra time: each of its statements has the deadline of the query', async () =>
    expect(await run({ rows: 10, limit: 10 })).toMatchObject({ queries: 3, haveOneTime: true }));
  it('without a filter everything examined matches', async () =>
    expect(await run({ rows: 10, limit: 10, filtered: false })).toMatchObject({
      queries: 2,
      outcome: { rowsMatched: 70 },
    }));
  it('is queried again only for changed data', async () => {
    const examined = new RowCountCache();
    const page = async (version: number, continued = false) =>
      (await run({ rows: 10, limit: 10, continued }, undefined, { examined, version })).queries;
    expect([await page(1), await page(1), await page(1, true)]).toEqual([3, 1, 1]);
    expect([await page(2), await page(2)]).toEqual([3, 1]);
  });
  it('is not taken for that of events which came during the flush, or could not be stored', async () => {
    const examined = new RowCountCache();
    const page = async (flush: () => Promise<void>, version: number | (() => number), count: number) =>
      (await run({ rows: 5, limit: 10, filtered: false }, flush, { examined, version, count })).outcome.rowsExamined;
    const flushEvents = (): Promise<void> => Promise.resolve();
    let version = 1;
    const overtaken = async (): Promise<void> => void (version = 2);
    expect(await page(overtaken, () => version, 70)).toBe(70);
    expect(await page(flushEvents, 2, 71)).toBe(71);
    expect(await page(() => Promise.reject(new EngineError('unavailable')), 3, 71)).toBe(71);
    expect(await page(flushEvents, 3, 72)).toBe(72);
  });
  it('a page behind a cursor tells nothing', async () =>
    expect(await run({ rows: 5, limit: 10, continued: true })).toMatchObject({
      queries: 3,
      outcome: { rowsMatched: 70 },
    }));
});

describe('a flush that fails', () => {
  it.each(['disk-full', 'unavailable', 'overloaded'] as const)(
    '%s: the rest is read, and said to be partial',
    async (code) => {
      const { outcome } = await run({ rows: 5, limit: 10 }, () =>
        Promise.reject(new EngineError(code, 'secret detail')),
      );
      const status = statusOf(outcome, { elapsedMicroseconds: 0 });
      expect(status).toMatchObject({
        isPartial: true,
        elapsedTime: 1,
        messages: [{ code: expect.stringMatching(/^apl_resultsmaybemissing/) as string }],
      });
      expect(JSON.stringify(status)).not.toContain('secret');
    },
  );
  it('because the metadata cannot be written: the same', async () => {
    const full = MetadataError.of(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
    const { outcome } = await run({ rows: 5, limit: 10 }, () => Promise.reject(full!));
    expect(outcome.partial).toBe(true);
  });

  it('anything else is an error', async () =>
    expect(run({ rows: 5, limit: 10 }, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug'));
});
