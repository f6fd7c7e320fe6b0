import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer, Legacy } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** The structured endpoint: tests the meaning of a body by its result. */

const t = (second: number): string => `2026-05-01T10:00:${String(second).padStart(2, '0')}Z`;
const events = [
  { _time: t(0), n: 1, method: 'GET', path: '/a', response: 304, geo: { city: 'Oslo' }, ms: 1.5 },
  { _time: t(1), n: 2, method: 'get', path: '/ab', response: '304', geo: { city: 'Rome' }, ms: 2.5 },
  { _time: t(2), n: 3, method: 'POST', path: '/b', response: 500, ok: false },
  { _time: t(3), n: 4, method: 'PUT', path: '/a.b', response: 200, ok: true },
  { _time: t(30), n: 5, path: '/a b', tags: ['x', 'y'] },
];
const big = '{"_time":"2026-05-01T10:00:59Z","n":6,"big":9007199254740993}';

describe('structured queries', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await sharedTestServer();
    await world.dataset('web', events.slice(0, 3));
    await world.ingest('web', events.slice(3));
    await world.send('POST', '/v1/datasets/web/ingest', big);
  });
  afterAll(() => world.close());

  const range = { startTime: t(0), endTime: '2026-05-01T10:01:00Z', resolution: 'auto' };
  const query = (body: object): Promise<Legacy> => world.query('web', { ...range, ...body });
  /** The numbers of the events found, in order of time. */
  const findNumbers = async (filter: unknown, more: object = {}): Promise<unknown> =>
    (await query({ filter, ...more })).matches.map(({ data }) => data['n']).toReversed();

  describe('filters', () => {
    const cases: readonly (readonly [string, object | null, readonly number[]])[] = [
      ['none', null, [1, 2, 3, 4, 5, 6]],
      [
        'the zero value of Go',
        { op: '', field: '', value: null, caseSensitive: false, children: null },
        [1, 2, 3, 4, 5, 6],
      ],
      // As in APL, a string is read as a number where it is compared with one.
      ['== a number', { op: '==', field: 'response', value: 304 }, [1, 2]],
      ['eq a string', { op: 'eq', field: 'response', value: '304' }, [1, 2]],
      ['== with case by default', { op: '==', field: 'method', value: 'GET' }, [1]],
      ['== without case if said', { op: '==', field: 'method', value: 'GET', caseSensitive: false }, [1, 2]],
      ['!= with case', { op: '!=', field: 'method', value: 'GET', caseSensitive: true }, [2, 3, 4, 5, 6]],
      ['ne without case', { op: 'ne', field: 'method', value: 'GET', caseSensitive: false }, [3, 4, 5, 6]],
      ['== null', { op: '==', field: 'method', value: null }, [5, 6]],
      ['a boolean', { op: '==', field: 'ok', value: false }, [3]],
      ['exists', { op: 'exists', field: 'ms' }, [1, 2]],
      [
        'exists ignores children',
        { op: 'exists', field: 'ms', children: [{ op: 'contains', field: 'path', value: 'zzz' }] },
        [1, 2],
      ],
      ['not-exists', { op: 'not-exists', field: 'ms' }, [3, 4, 5, 6]],
      ['>', { op: '>', field: 'n', value: 4 }, [5, 6]],
      ['gte', { op: 'gte', field: 'n', value: 5 }, [5, 6]],
      ['<', { op: '<', field: 'ms', value: 2 }, [1]],
      ['lte', { op: 'lte', field: 'ms', value: 2.5 }, [1, 2]],
      ['a time', { op: '>=', field: '_time', value: t(30) }, [5, 6]],
      ['a dotted field', { op: '==', field: 'geo.city', value: 'Oslo' }, [1]],
      ['starts-with', { op: 'starts-with', field: 'path', value: '/A' }, [1, 2, 4, 5]],
      ['starts-with, with case', { op: 'starts-with', field: 'path', value: '/A', caseSensitive: true }, []],
      ['not-starts-with', { op: 'not-starts-with', field: 'path', value: '/a' }, [3, 6]],
      ['ends-with', { op: 'ends-with', field: 'path', value: 'B' }, [2, 3, 4, 5]],
      ['not-ends-with', { op: 'not-ends-with', field: 'path', value: 'b' }, [1, 6]],
      ['contains', { op: 'contains', field: 'path', value: 'A' }, [1, 2, 4, 5]],
      ['not-contains', { op: 'not-contains', field: 'path', value: 'a' }, [3, 6]],
      ['contains in a mixed field', { op: 'contains', field: 'response', value: 30 }, [1, 2]],
      ['has', { op: 'has', field: 'path', value: 'b' }, [3, 4, 5]],
      ['not-has', { op: 'not-has', field: 'path', value: 'b' }, [1, 2, 6]],
      ['regexp', { op: 'regexp', field: 'path', value: '^/a.b$' }, [4, 5]],
      ['not-regexp', { op: 'not-regexp', field: 'path', value: '^/a' }, [3, 6]],
      [
        'and, or, not',
        {
          op: 'and',
          children: [
            {
              op: 'or',
              children: [
                { op: '<', field: 'n', value: 2 },
                { op: '>', field: 'n', value: 3 },
              ],
            },
            { op: 'not', children: [{ op: '==', field: 'n', value: 5 }] },
          ],
        },
        [1, 4, 6],
      ],
      ['and of nothing', { op: 'and', children: [] }, [1, 2, 3, 4, 5, 6]],
      ['text that looks like APL', { op: '==', field: 'path', value: "x' or '1'=='1" }, []],
    ];
    it.each(cases)('%s', async (_, filter, want) => expect(await findNumbers(filter)).toEqual(want));

    it('compares integers beyond 2^53 exactly', async () => {
      const body = (value: string) =>
        `{"startTime":"${range.startTime}","endTime":"${range.endTime}","filter":{"op":"==","field":"big","value":${value}}}`;
      const rows = async (value: string) =>
        (await world.send<Legacy>('POST', '/v1/datasets/web/query', body(value))).body.status.rowsMatched;
      expect([await rows('9007199254740993'), await rows('9007199254740992')]).toEqual([1, 0]);
    });
  });

  describe('errors name the mistake', () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ filter: { op: 'near', field: 'a' } }, "body 'filter.op' 'near' is unknown; one of and, or, not, =="],
      [{ filter: { op: 'and', children: [{ op: '==', value: 1 }] } }, "body 'filter.children[0].field' is required"],
      [{ filter: { op: '==', field: 'a', value: [1] } }, "body 'filter.value' must be a string, a number or a boolean"],
      [{ filter: { op: 'regexp', field: 'path', value: '(' } }, "body 'filter"],
      [{ aggregations: [{ op: 'mode', field: 'a' }] }, "body 'aggregations[0].op' 'mode' is unknown"],
      [{ aggregations: [{ op: 'sum' }] }, "body 'aggregations[0].field' must name a field for sum"],
      [
        { aggregations: [{ op: 'topk', field: 'a', argument: -1 }] },
        "body 'aggregations[0].argument' must be a whole number",
      ],
      [
        { aggregations: [{ op: 'topk', field: 'a', argument: [5] }] },
        "body 'aggregations[0].argument' must be a whole number",
      ],
      [
        { aggregations: [{ op: 'count' }, { op: 'topk', field: 'path', argument: 1e9 }] },
        "body 'aggregations[1].argument': k of topk must be from 1 to 1048576",
      ],
      [
        { aggregations: [{ op: 'percentiles', field: 'n', argument: [50, 101] }] },
        "body 'aggregations[0].argument': a percentile",
      ],
      [
        { aggregations: [{ op: 'count' }], order: [{ field: 'zzz' }] },
        "body 'order[0].field' 'zzz' is neither a group",
      ],
      [{ virtualFields: [{ alias: 'v', expr: 'n +' }] }, "body 'virtualFields[0].expr', line 1, column 4"],
      [{ virtualFields: [{ alias: 'v', expr: 'n +\n nosuch(1)' }] }, "body 'virtualFields[0].expr', line 2, column 2"],
      [
        { resolution: '1ms', aggregations: [{ op: 'count' }] },
        "body 'resolution' would make more than 1000 buckets; use at least 1s",
      ],
      [{ resolution: 'soon', aggregations: [{ op: 'count' }] }, "body 'resolution' must be auto"],
      [{ resolution: '9'.repeat(20), groupBy: ['path'] }, "body 'resolution' must be at most 106751d"],
      [{ resolution: '106752d', aggregations: [{ op: 'count' }] }, "body 'resolution' must be at most 106751d"],
      [{ resolution: '0.5ns', groupBy: ['path'] }, "body 'resolution' must be at least 1ns"],
      [{ resolution: 'bad' }, "body 'resolution' must be auto"],
      [{ resolution: ['5'], groupBy: ['path'] }, "body 'resolution' must be auto"],
      [
        { virtualFields: [{ alias: 'v', expr: `n${' + 1'.repeat(4096)}` }] },
        "body 'virtualFields' must have at most 16384 characters together",
      ],
      [{ startTime: 'yesterday' }, "startTime 'yesterday' is not a time"],
      [{ cursor: 'zzz' }, 'invalid cursor'],
      [{ limit: -1 }, "body 'limit'"],
      [
        { groupBy: ['path', 'path', '_time'] },
        "body 'groupBy[2]' cannot be _time, by which the series is divided; set",
      ],
      [
        { project: [{ field: 'n' }, { field: 'ms' }, { field: 'n' }] },
        "body 'project[2].field' 'n' is there before; leave one out, or give it another alias",
      ],
      [{ project: [{ field: 'n' }, { field: 'ms', alias: 'n' }] }, "body 'project[1].alias' 'n' is there before"],
    ];
    it.each(cases)('%j', async (body, message) => {
      const answer = await world.send<{ message: string }>('POST', '/v1/datasets/web/query', { ...range, ...body });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    });

    it('a query that is too long', async () => {
      const { status, body } = await world.send('POST', '/v1/datasets/logs/query', {
        groupBy: Array.from({ length: 9000 }, (_, i) => `a group by field ${i}`),
      });
      expect([status, body]).toMatchObject([
        400,
        { message: expect.stringContaining('MILLRACE_MAX_STRUCTURED_BYTES') },
      ]);
    });

    it('an unknown dataset', async () =>
      expect(await world.send('POST', '/v1/datasets/nosuch/query', range)).toMatchObject({ status: 404 }));
  });

  describe('events', () => {
    it('come newest first, or in order on request', async () => {
      expect((await query({})).matches.map(({ data }) => data['n'])).toEqual([6, 5, 4, 3, 2, 1]);
      const ascending = await query({ order: [{ field: '_time', desc: false }], limit: 2 });
      expect(ascending.matches.map(({ data }) => data['n'])).toEqual([1, 2]);
      expect(ascending.status).toMatchObject({ rowsExamined: 6, rowsMatched: 6, messages: [] });
      const byPath = await query({ order: [{ field: 'path', desc: true }], filter: { op: 'exists', field: 'path' } });
      expect(byPath.matches.map(({ data }) => data['path'])).toEqual(['/b', '/ab', '/a.b', '/a b', '/a']);
    });

    it('hold what they brought, under dotted names', async () => {
      const { matches } = await query({ filter: { op: '==', field: 'n', value: 1 } });
      expect(matches).toEqual([
        {
          _time: '2026-05-01T10:00:00Z',
          _sysTime: expect.stringMatching(/^20\d\d-.*Z$/) as string,
          _rowId: expect.stringMatching(/^[0-9a-f]{16}-[0-9a-f]{16}-[0-9a-f]{8}$/) as string,
          data: { 'geo.city': 'Oslo', method: 'GET', ms: 1.5, n: 1, path: '/a', response: 304 },
        },
      ]);
    });

    it('show the fields of the projection', async () => {
      const { matches } = await query({ project: [{ field: 'n' }, { field: 'geo.city', alias: 'city' }], limit: 10 });
      expect(matches.at(-1)).toMatchObject({ _time: '2026-05-01T10:00:00Z', data: { n: 1, city: 'Oslo' } });
      expect(Object.keys(matches.at(-1)!.data)).toEqual(['n', 'city']);
    });

    it('have virtual fields, that can build on one another', async () => {
      const virtualFields = [
        { alias: 'double', expr: 'n * 2' },
        { alias: 'quad', expr: 'double * 2' },
      ];
      expect(await findNumbers({ op: '>', field: 'quad', value: 16 }, { virtualFields })).toEqual([5, 6]);
    });

    it('limit 0 is the default', async () => expect((await query({ limit: 0 })).matches).toHaveLength(6));
  });

  describe('aggregations', () => {
    const values = ({ buckets }: Legacy) =>
      buckets.totals.map(({ group, aggregations }) => [
        ...Object.values(group),
        ...aggregations.map(({ value }) => value),
      ]);

    const ops: readonly (readonly [object, unknown])[] = [
      [{ op: 'count', field: '*' }, 6],
      [{ op: 'count', field: 'ms' }, 2],
      [{ op: 'distinct', field: 'path' }, 5],
      [{ op: 'sum', field: 'n' }, 21],
      [{ op: 'avg', field: 'ms' }, 2],
      [{ op: 'min', field: 'n' }, 1],
      [{ op: 'max', field: 'ms' }, 2.5],
      [{ op: 'topk', field: 'method', argument: 1 }, [{ key: expect.any(String) as string, count: 1, error: 0 }]],
      [{ op: 'percentiles', field: 'n', argument: [50] }, [expect.any(Number)]],
      [{ op: 'stdev', field: 'ms' }, expect.closeTo(Math.SQRT1_2, 3)],
      [{ op: 'variance', field: 'ms' }, expect.closeTo(0.5, 3)],
      [{ op: 'argmax', field: 'response', argument: 'path' }, '/b'],
      [{ op: 'argmin', field: 'n', argument: 'path' }, '/a'],
      [{ op: 'argmax', field: 'n' }, 6],
      [{ op: 'makeset', field: 'ok' }, expect.arrayContaining([true, false])],
      [{ op: 'makelist', field: 'ok', argument: 5 }, expect.arrayContaining([true, false])],
      [{ op: 'rate', field: 'n' }, expect.closeTo(21 / 60, 3)],
      [{ op: 'histogram', field: 'n', argument: 2 }, expect.arrayContaining([expect.anything()])],
    ];
    it.each(ops)('%j', async (aggregation, want) => {
      const { buckets, matches } = await query({ aggregations: [aggregation] });
      expect(matches).toEqual([]);
      expect(buckets.totals).toEqual([
        {
          id: expect.any(Number) as number,
          group: {},
          aggregations: [{ op: (aggregation as { op: string }).op.toUpperCase(), value: want }],
        },
      ]);
    });

    it('are called by their alias', async () => {
      const { buckets } = await query({ aggregations: [{ op: 'count', field: '*', alias: 'event_count' }] });
      expect(buckets.totals[0]?.aggregations).toEqual([{ op: 'event_count', value: 6 }]);
    });

    it('the same one twice is two', async () => {
      const { buckets } = await query({
        aggregations: [
          { op: 'max', field: 'n' },
          { op: 'max', field: 'ms' },
        ],
      });
      expect(buckets.totals[0]?.aggregations).toEqual([
        { op: 'MAX', value: 6 },
        { op: 'MAX', value: 2.5 },
      ]);
    });

    it('group by a virtual field of a mixed field', async () => {
      const answer = await query({
        aggregations: [{ op: 'count', field: '*', alias: 'event_count' }],
        groupBy: ['success'],
        filter: { op: 'exists', field: 'response' },
        order: [{ field: 'success', desc: true }],
        virtualFields: [{ alias: 'success', expr: 'toint(response) < 400' }],
        project: [{ field: 'path', alias: 'p' }],
      });
      expect(values(answer)).toEqual([
        [true, 3],
        [false, 1],
      ]);
      expect(answer.status).toMatchObject({ rowsExamined: 6, rowsMatched: 4, numGroups: 2 });
    });

    it('rank groups by an aggregation; the series shows the groups of the totals', async () => {
      const body = {
        aggregations: [
          { op: 'count', field: '*' },
          { op: 'max', field: 'n', alias: 'top' },
        ],
        groupBy: ['path'],
        filter: { op: 'exists', field: 'path' },
        limit: 2,
      };
      const answer = await query({ ...body, order: [{ field: 'top', desc: true }] });
      expect(values(answer)).toEqual([
        ['/a b', 1, 5],
        ['/a.b', 1, 4],
      ]);
      const shown = answer.buckets.series.flatMap(({ groups }) => groups.map(({ group }) => group['path']));
      expect(shown.toSorted()).toEqual(['/a b', '/a.b']);
      const ids = new Set(answer.buckets.series.flatMap(({ groups }) => groups.map(({ id }) => id)));
      expect(ids).toEqual(new Set(answer.buckets.totals.map(({ id }) => id)));
    });

    it.each(['', '0', '0s', 0, '1m0s', '60', null])('take the resolution %j', async (resolution) => {
      const { status } = await query({ aggregations: [{ op: 'count', field: '*' }], resolution });
      expect(status.rowsMatched).toBe(6);
    });

    it('make buckets of the resolution', async () => {
      const { buckets } = await query({ aggregations: [{ op: 'count', field: '*' }], resolution: '10s' });
      expect(
        buckets.series.map(({ startTime, endTime, groups }) => [startTime, endTime, groups[0]?.aggregations[0]?.value]),
      ).toEqual([
        ['2026-05-01T10:00:00Z', '2026-05-01T10:00:10Z', 4],
        ['2026-05-01T10:00:30Z', '2026-05-01T10:00:40Z', 1],
        ['2026-05-01T10:00:50Z', '2026-05-01T10:01:00Z', 1],
      ]);
      expect((await query({ aggregations: [{ op: 'count' }], resolution: 30 })).buckets.series).toHaveLength(2);
    });
  });

  it('takes relative times', async () => {
    await world.ingest('web', [{ fresh: true }]);
    const { status } = await query({ startTime: 'now-1h', endTime: 'now', filter: { op: 'exists', field: 'fresh' } });
    expect(status.rowsMatched).toBe(1);
  });
});
