import { beforeAll, describe, expect, it } from 'vitest';
import { apl as answer, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Paging features that clients depend on: cursors, the order of events with equal times, bounds of
 * a range.
 */

const one = oneServer({});

const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString();

let logs = '';
beforeAll(async () => {
  logs = await one.dataset();
  await send(one.server, logs, JSON.stringify(Array.from({ length: 6 }, (_, n) => ({ _time: at(20 * n), n }))));
});

const post = (path: string, body: object) => request(one.server, path, { body: JSON.stringify(body) });
const apl = (query: string, more: object = {}, format = 'tabular') =>
  post(`/v1/datasets/_apl?format=${format}`, { apl: query.replace('logs', `['${logs}']`), ...more });
const tabular = (query: string, more: object = {}) => answer(one.server, query.replace('logs', `['${logs}']`), more);

describe('paging', () => {
  interface Page {
    readonly status: { readonly minCursor: string; readonly maxCursor: string };
    readonly tables: readonly { readonly columns: readonly (readonly number[])[] }[];
  }
  /** Reads pages of two events until a cursor repeats, as clients do. */
  async function walk(direction: 'asc' | 'desc', carry: 'body' | 'query'): Promise<readonly number[]> {
    const seen: number[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages++) {
      const format = carry === 'query' && cursor !== '' ? `tabular&cursor=${cursor}` : 'tabular';
      const more = carry === 'body' && cursor !== '' ? { cursor } : {};
      const query = `logs | sort by _time ${direction} | project _time, n | limit 2`;
      const { status, tables } = (await apl(query, more, format)).body as Page;
      const next = direction === 'desc' ? status.minCursor : status.maxCursor;
      if (next === cursor) return seen;
      seen.push(...tables[0]!.columns[1]!);
      cursor = next;
    }
    throw new Error('the last page did not give back the cursor it was asked with');
  }
  it.each([
    ['desc', 'body', [5, 4, 3, 2, 1, 0]],
    ['asc', 'body', [0, 1, 2, 3, 4, 5]],
    ['desc', 'query', [5, 4, 3, 2, 1, 0]],
  ] as const)('%s, cursor in the %s', async (direction, carry, expected) => {
    expect(await walk(direction, carry)).toEqual(expected);
  });

  it('a cursor is exclusive by default, and orders events of the same time', async () => {
    const ties = await one.dataset();
    const many = Array.from({ length: 1000 }, (_, n) => ({ _time: at(0), n }));
    await send(one.server, ties, JSON.stringify(many));
    const query = `['${ties}'] | sort by _time desc | project n, _time`;
    const half = (await post('/v1/datasets/_apl?format=tabular', { apl: `${query} | limit 500` })).body as Page;
    const rest = (includeCursor: boolean) =>
      post('/v1/datasets/_apl?format=tabular', { apl: query, cursor: half.status.minCursor, includeCursor });
    const exclusive = ((await rest(false)).body as Page).tables[0]!.columns[0]!;
    const inclusive = ((await rest(true)).body as Page).tables[0]!.columns[0]!;
    expect([exclusive.length, inclusive.length]).toEqual([500, 501]);
    expect(new Set([...exclusive, ...half.tables[0]!.columns[0]!]).size).toBe(1000);
  });

  it('_cursor is a column on request', async () => {
    const { tables } = await tabular('logs | project n | limit 1', { includeCursorField: true });
    expect(tables[0]!.fields).toContainEqual(expect.objectContaining({ name: '_cursor', type: 'string' }));
  });

  it('both bounds of a range belong to it, to the nanosecond', async () => {
    const narrow = { startTime: '2026-11-20T10:20:00Z', endTime: '2026-11-20T10:40:00Z' };
    expect((await tabular('logs | project n', narrow)).tables[0]!.columns).toEqual([[2, 1]]);
    const narrower = { startTime: '2026-11-20T10:20:00.000000001Z', endTime: '2026-11-20T10:39:59.999999999Z' };
    expect((await tabular('logs | project n', narrower)).tables[0]!.columns).toEqual([[]]);
  });

  it('a cursor that is none is an error', async () => {
    expect(await apl('logs', { cursor: 'nonsense' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/cursor/) },
    });
  });
});
