import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer, Legacy, Tabular } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * Paging while events arrive and are deleted, with many of them at the same instant: every event
 * that exists throughout is read exactly once.
 */

/** Few instants, so that ties are longer than pages. */
const timeOf = (tick: number): string => {
  const fraction = String(100_000_000 + tick).padStart(9, '0');
  return `2026-05-01T00:00:00.${fraction}Z`.replace(/0+Z$/, 'Z');
};

interface Page {
  readonly ids: readonly number[];
  readonly times: readonly string[];
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

interface Ask {
  readonly limit: number;
  readonly ascending: boolean;
  readonly cursor?: string | undefined;
  readonly includeCursor?: boolean;
  readonly startTime?: string;
  readonly endTime?: string;
}

type Endpoint = (dataset: string, ask: Ask) => Promise<Page>;

describe('paging', () => {
  let world: EngineTestServer;
  let next = 0;
  beforeAll(async () => {
    world = await sharedTestServer();
  });
  afterAll(() => world.close());

  const apl: Endpoint = async (dataset, { limit, ascending, ...more }) => {
    const order = ascending ? '| sort by _time asc' : '';
    const { tables, status } = await world.apl<Tabular>(
      `['${dataset}'] ${order} | project id, _time | take ${limit}`,
      more,
    );
    const [ids, times] = tables[0]!.columns;
    expect(status).toMatchObject({ isPartial: false, messages: [] });
    return { ids: ids as number[], times: times as string[], min: status.minCursor, max: status.maxCursor };
  };
  const queryStructured: Endpoint = async (dataset, { limit, ascending, ...more }) => {
    const { matches, status } = await world.query<Legacy>(dataset, {
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2027-01-01T00:00:00Z',
      limit,
      ...(ascending && { order: [{ field: '_time', desc: false }] }),
      ...more,
    });
    expect(status).toMatchObject({ isPartial: false, messages: [] });
    return {
      ids: matches.map(({ data }) => data['id'] as number),
      times: matches.map(({ _time }) => _time),
      min: status.minCursor,
      max: status.maxCursor,
    };
  };

  const events = (count: number, ticks: number, seed: number) =>
    Array.from({ length: count }, () => ({ id: next++, _time: timeOf((next * 7919 + seed) % ticks) }));

  async function remove(dataset: string, condition: string): Promise<void> {
    const { status } = await world.send('POST', '/v2/datasets/_apl/delete', {
      apl: `['${dataset}'] | where ${condition}`,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2027-01-01T00:00:00Z',
      commit: true,
    });
    expect(status).toBe(200);
  }

  /** Every page by cursor, until one is not full. */
  async function byCursor(endpoint: Endpoint, dataset: string, ascending: boolean, limit: number): Promise<number[]> {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await endpoint(dataset, { limit, ascending, cursor });
      seen.push(...page.ids);
      const following = ascending ? page.max : page.min;
      if (page.ids.length < limit || following === cursor) return seen;
      cursor = following;
    }
  }

  /**
   * Reads every page by inclusive times: rows at the boundary repeat and are skipped by their ID.
   * Needs pages longer than any tie.
   */
  async function byTime(endpoint: Endpoint, dataset: string, ascending: boolean, limit: number): Promise<number[]> {
    const seen = new Set<number>();
    let edge: string | undefined;
    for (;;) {
      const bound = edge === undefined ? {} : ascending ? { startTime: edge } : { endTime: edge };
      const page = await endpoint(dataset, { limit, ascending, ...bound });
      const fresh = page.ids.filter((id) => !seen.has(id));
      for (const id of fresh) seen.add(id);
      if (page.ids.length < limit || fresh.length === 0) return [...seen];
      edge = page.times.at(-1);
    }
  }

  const cases = (['apl', 'structured'] as const).flatMap((endpoint) =>
    (['cursor', 'time'] as const).flatMap((how) => [true, false].map((ascending) => ({ endpoint, how, ascending }))),
  );

  it.each(cases)(
    '$endpoint by $how, ascending: $ascending',
    async ({ endpoint, how, ascending }) => {
      const ask = endpoint === 'apl' ? apl : queryStructured;
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            batches: fc.array(fc.integer({ min: 20, max: 40 }), { minLength: 2, maxLength: 4 }),
            // A tie longer than a page does not stop a cursor; times cannot pass one.
            ticks: how === 'cursor' ? fc.integer({ min: 1, max: 4 }) : fc.integer({ min: 12, max: 16 }),
            limit: how === 'cursor' ? fc.integer({ min: 3, max: 30 }) : fc.integer({ min: 35, max: 60 }),
            seed: fc.nat({ max: 1000 }),
          }),
          async ({ batches, ticks, limit, seed }) => {
            const dataset = `page-${endpoint}-${how}-${ascending}-${next}`;
            await world.dataset(dataset);
            const there = batches.map((count) => events(count, ticks, seed));
            for (const batch of there) await world.ingest(dataset, batch);
            const limitOfThere = next;
            // New events, many older than those already read, and deletions of existing events.
            let paging = true;
            const meanwhile = (async () => {
              for (let i = 0; paging && i < 15; i++) {
                await world.ingest(dataset, events(3, ticks, seed));
                if (i % 4 === 1) await remove(dataset, `id % 5 == 2 and id % 3 == ${i % 3} and id < ${limitOfThere}`);
              }
            })();
            const seen = await (how === 'cursor' ? byCursor : byTime)(ask, dataset, ascending, limit);
            paging = false;
            await meanwhile;
            expect(new Set(seen).size, 'seen twice').toBe(seen.length);
            const found = new Set(seen);
            const left = new Set(
              (await world.apl<Tabular>(`['${dataset}'] | project id | take 50000`)).tables[0]!.columns[0],
            );
            // Events that were deleted during paging may or may not have been read.
            expect(there.flat().filter(({ id }) => left.has(id) && !found.has(id))).toEqual([]);
          },
        ),
        { numRuns: 2 },
      );
    },
    60_000,
  );

  describe('cursors', () => {
    /** Of ten events at two times, those of equal times in the order sent. */
    const asSent = (ids: readonly number[], ascending: boolean): readonly number[] =>
      ids.toSorted((a, b) => (ascending ? 1 : -1) * (Math.floor(a / 5) - Math.floor(b / 5)) || a - b);
    beforeAll(async () => {
      await world.dataset(
        'ten',
        Array.from({ length: 10 }, (_, id) => ({ id, _time: timeOf(id < 5 ? 0 : 1) })),
      );
    });

    it.each([
      ['apl', true],
      ['apl', false],
      ['structured', true],
      ['structured', false],
    ] as const)('%s, ascending %s: begin behind the event, or with it', async (endpoint, ascending) => {
      const ask = endpoint === 'apl' ? apl : queryStructured;
      const order = ascending ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
      const page = (from: number, to: number): readonly number[] => asSent(order.slice(from, to), ascending);
      const { ids, min, max } = await ask('ten', { limit: 4, ascending });
      expect(ids).toEqual(page(0, 4));
      const cursor = ascending ? max : min;
      expect((await ask('ten', { limit: 4, ascending, cursor })).ids).toEqual(page(4, 8));
      expect((await ask('ten', { limit: 4, ascending, cursor, includeCursor: true })).ids).toEqual(page(3, 7));
      const last = await ask('ten', { limit: 10, ascending, cursor });
      const end = ascending ? last.max : last.min;
      const empty = await ask('ten', { limit: 10, ascending, cursor: end });
      expect(empty).toMatchObject({ ids: [], min: end, max: end });
    });

    it.each([
      ['ten', [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]],
      ['ten | where id != 7 | extend twice = 2 * id | take 6', [5, 6, 8, 9, 3, 4]],
      ['ten | sort by _time desc', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
      ['ten | order by _time', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
      ['ten | sort by _time asc', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      // The numbers show the order in which the rows are read.
      ['ten | extend n = row_number() | where n < 4', [9, 8, 7]],
      ['union ten, ten', [5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]],
    ] as const)('equal times, %s', async (apl, ids) => {
      const { tables } = await world.apl<Tabular>(`${apl} | project id, _time`);
      expect(tables[0]!.columns[0]).toEqual(ids);
      const { matches } = await world.apl<Legacy>(apl, {}, 'legacy');
      expect(matches.map(({ data }) => data['id'])).toEqual(ids);
    });

    it('are those of each event in its row', async () => {
      const { tables } = await world.apl<Tabular>('ten | project id', { includeCursorField: true });
      const [ids, cursors] = tables[0]!.columns as [number[], string[]];
      const sorted = cursors.toSorted();
      expect(ids.map((id, i) => cursors[i] === sorted[id])).toEqual(ids.map(() => true));
      const { status } = await world.apl('ten');
      expect(status).toMatchObject({ minCursor: sorted[0], maxCursor: sorted.at(-1) });
    });

    it('continue after any row of a page that has them, also within equal times', async () => {
      const page = async (more: object) =>
        (await world.apl<Tabular>('ten | project id', { includeCursorField: true, ...more })).tables[0]!.columns;
      const [ids, cursors] = (await page({})) as [number[], string[]];
      expect(ids).toHaveLength(10);
      for (const [row, cursor] of cursors.entries()) expect((await page({ cursor }))[0]).toEqual(ids.slice(row + 1));
    });

    it('count all that match, on every page', async () => {
      const { status } = await world.apl('ten | take 3');
      const more = await world.apl('ten | take 30', { cursor: status.minCursor });
      expect(more.tables[0]!.columns[0]).toHaveLength(7);
      expect(more.status).toMatchObject({ rowsMatched: 10, rowsExamined: 10 });
      const filtered = await world.apl('ten | where id >= 5 | take 30', { cursor: status.minCursor });
      expect(filtered.tables[0]!.columns[0]).toHaveLength(2);
      expect(filtered.status).toMatchObject({ rowsMatched: 5, rowsExamined: 10 });
    });

    it('also come in the URL; the body wins', async () => {
      const { status } = await world.apl('ten | take 3');
      const rows = async (url: string, body: object) =>
        (await world.send<Tabular>('POST', `/v1/datasets/_apl?format=tabular${url}`, { apl: 'ten', ...body })).body
          .tables[0]!.columns[0]!.length;
      expect(await rows(`&cursor=${status.minCursor}`, {})).toBe(7);
      expect(await rows(`&cursor=${status.minCursor}`, { cursor: status.maxCursor })).toBe(9);
      expect(await rows(`&cursor=${status.minCursor}`, { cursor: '' })).toBe(7);
    });

    it('survive deletion of the event they name', async () => {
      await world.dataset(
        'gone',
        Array.from({ length: 6 }, (_, id) => ({ id, _time: timeOf(0) })),
      );
      const { status } = await world.apl('gone | take 2');
      await world.send('POST', '/v2/datasets/_apl/delete', {
        apl: 'gone | where id == 4',
        startTime: '2026-01-01T00:00:00Z',
        endTime: '2027-01-01T00:00:00Z',
        commit: true,
      });
      const { tables } = await world.apl('gone | project id', { cursor: status.minCursor });
      expect(tables[0]!.columns[0]).toEqual([0, 1, 2, 3]);
    });

    const refused: readonly (readonly [string, string])[] = [
      ['ten | sort by id asc', 'a cursor continues events in the order of _time, not a result sorted by id'],
      ['ten | summarize count() by id', 'not a result that is no events'],
      ['ten | count', 'not a result that is no events'],
      ['ten | extend _time = _time - 1d | sort by _time asc', 'not a result sorted by a _time that the query made'],
    ];
    it.each(refused)('do not continue %s', async (query, message) => {
      const { status: answered } = await world.apl('ten');
      const { status, body } = await world.send<{ message: string }>('POST', '/v1/datasets/_apl', {
        apl: query,
        cursor: answered.minCursor,
      });
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    });

    it('are returned for events in time order only, whichever fields are shown', async () => {
      const { status } = await world.apl('ten | sort by _time asc | project id | take 4');
      const more = await world.apl('ten | sort by _time asc | project id | take 4', { cursor: status.maxCursor });
      expect(more.tables[0]!.columns[0]).toEqual([4, 5, 6, 7]);
      for (const others of ['sort by id asc', 'extend _time = _time - 1d | sort by _time asc', 'summarize by id'])
        expect((await world.apl(`ten | ${others}`)).status).not.toHaveProperty('minCursor');
    });

    const pagesOf = async (apl: string, size: number, ascending = false): Promise<unknown[][]> => {
      const pages: unknown[][] = [];
      for (let cursor: string | undefined; pages.length < 20;) {
        const { tables, status } = await world.apl(apl, { cursor, defaultLimit: size });
        const [first, second] = tables[0]!.columns;
        if (first!.length === 0) break;
        pages.push(first!.map((id, i) => (second === undefined ? id : [id, second[i]])));
        cursor = ascending ? status.maxCursor : status.minCursor;
      }
      return pages;
    };
    it.each([
      ['ten | extend n = row_number() | project id, n', false],
      ['ten | extend later = prev(id), earlier = next(id, 1, -1) | project id, n = later * 100 + earlier', false],
      ['ten | sort by _time asc | extend sum = row_cumsum(id) | where sum > 2 | project id, sum', true],
      ['ten | sort by id % 3 desc, id asc | take 5 | sort by _time desc | project id', false],
      ['ten | sort by id asc | take 5 | sort by _time asc | project id', true],
      ['union (ten | take 2), (ten | sort by _time asc | take 3) | project id', false],
      ['union (ten | where id > 7 | take 1), (ten | where id < 7 | top 4 by id % 4) | project id', false],
    ])('of rows that depend on others, pages are parts of the whole: %s', async (apl, ascending) => {
      const [whole] = await pagesOf(apl, 100, ascending);
      expect((await pagesOf(apl, 2, ascending)).flat()).toEqual(whole);
    });

    it('are not given where another key orders events of the same time', async () => {
      const { tables, status } = await world.apl('ten | sort by _time asc, id desc | project id');
      expect(tables[0]!.columns[0]).toEqual([4, 3, 2, 1, 0, 9, 8, 7, 6, 5]);
      expect(status).not.toHaveProperty('minCursor');
      const reverse = await world.apl('ten | sort by (id % 1) asc, _time desc | project id');
      expect(reverse.tables[0]!.columns[0]).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });

    it('rejects forged values', async () => {
      for (const cursor of ['x', 'c776x1uafkpu-4918f6cb9000095-0'])
        expect(await world.send('POST', '/v1/datasets/_apl', { apl: 'ten', cursor })).toMatchObject({ status: 400 });
    });
  });
});
