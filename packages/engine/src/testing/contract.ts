import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, OutputFormat, QueryLimits } from '../engine.js';
import { EngineError, type EngineErrorCode } from '../errors.js';
import { durableTableSettings, printSettings } from '../settings.js';
import { blockOf, collect, errorOf, text, waitUntil } from './engines.js';

/** An endless query; its number lets a test find it among the running ones. */
const endless = (mark: number) => `SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = ${mark}`;

/** The contract of every engine. `open` is called once. */
export function engineContract(
  name: string,
  open: () => Promise<{ readonly engine: Engine; end(): Promise<void> }>,
): void {
  describe(`the ${name} engine`, () => {
    let engine: Engine;
    let end: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, end } = await open());
      await engine.execute(`CREATE TABLE default.numbers (n UInt64, word LowCardinality(Nullable(String)), later Nullable(String))
        ENGINE = MergeTree ORDER BY n SETTINGS ${printSettings(durableTableSettings)}`);
      const columns = [
        { name: 'n', type: 'UInt64' },
        { name: 'word', type: 'Nullable(String)' },
      ];
      const select = `SELECT number AS n, if(n % 3 = 0, NULL, toString(n % 5))::Nullable(String) AS word FROM numbers(100000)`;
      await engine.insert(await blockOf(engine, select, { table: 'numbers', columns }));
    });
    afterAll(() => end());

    describe('answers in columns', () => {
      const cases: readonly (readonly [sql: string, body: string])[] = [
        ['SELECT 1 AS a', '[[1]]'],
        [
          'SELECT 9223372036854775807::Int64 AS big, 18446744073709551615::UInt64 AS bigger',
          '[[9223372036854775807],[18446744073709551615]]',
        ],
        ['SELECT arrayJoin([nan, inf, -inf, 1.5]) AS f', '[[null, null, null, 1.5]]'],
        ["SELECT toDateTime64('2026-01-02 03:04:05.123456789', 9, 'UTC') AS t", '[["2026-01-02T03:04:05.123456789Z"]]'],
        ['SELECT true AS b, NULL AS n', '[[true],[null]]'],
        [`SELECT 'a\\nb"\\\\]' AS s, [1,2] AS l, map('k', 1) AS m`, '[["a\\nb\\"\\\\]"],[[1,2]],[{"k":1}]]'],
        ['SELECT n, word FROM default.numbers WHERE n < 0', '[[],[]]'],
        ['SELECT n, word FROM default.numbers ORDER BY n LIMIT 3', '[[0, 1, 2],[null, "1", "2"]]'],
        [
          'SELECT l.x AS x, r.y AS y FROM (SELECT 1 AS x) l LEFT JOIN (SELECT 2 AS x, 3 AS y) r ON l.x = r.x',
          '[[1],[null]]',
        ],
        ['SELECT timezone() AS z, serverTimezone() AS s', '[["UTC"],["UTC"]]'],
      ];
      it.each(cases)('%s', async (sql, body) => {
        const { columns } = await engine.query(sql, { format: 'JSONCompactColumns' });
        expect(`[${columns.map(({ values }) => Buffer.from(values).toString()).join(',')}]`).toBe(body);
      });

      it('name and type every column, whatever it is called', async () => {
        const sql = 'SELECT 1 AS `a"b`, \'x\' AS `c\\n\\t],`, 2.5 AS `"data":`';
        const { columns, rows } = await engine.query(sql, { format: 'JSONCompactColumns' });
        expect(columns.map(({ name, type }) => [name, type])).toEqual([
          ['a"b', 'UInt8'],
          ['c\n\t],', 'String'],
          ['"data":', 'Float64'],
        ]);
        expect(rows).toBe(1);
      });

      it('report rows read, not rows returned', async () => {
        const { statistics, rows } = await engine.query("SELECT count() FROM default.numbers WHERE word = '1'", {
          format: 'JSONCompactColumns',
        });
        expect(rows).toBe(1);
        expect(statistics.rowsRead).toBe(100_000);
        expect(statistics.bytesRead).toBeGreaterThan(0);
        expect(statistics.elapsedNanoseconds).toBeGreaterThan(0);
      });

      it('report the number of aggregated rows on request', async () => {
        const sql = 'SELECT n % 10 AS k, count() FROM default.numbers WHERE n < 70000 GROUP BY k ORDER BY k LIMIT 3';
        const counting = { format: 'JSONCompactColumns', settings: { rows_before_aggregation: 1 } } as const;
        expect(await engine.query(sql, counting)).toMatchObject({ rows: 3, rowsAggregated: 70_000 });
        expect(await engine.query(sql.replace('70000', '0'), counting)).toMatchObject({ rows: 0, rowsAggregated: 0 });
        expect(await engine.query(sql, { format: 'JSONCompactColumns' })).not.toHaveProperty('rowsAggregated');
      });
    });

    describe('inserts', () => {
      it('cast to the types of the table, and give missing columns their defaults', async () => {
        expect(
          await text(
            engine,
            'SELECT count(), countIf(word IS NULL), uniq(word), countIf(later IS NULL) FROM default.numbers',
          ),
        ).toBe('100000\t33334\t5\t100000');
      });

      it('take names that need quoting, many pieces, and any number of days', async () => {
        await engine.execute(
          "CREATE TABLE default.days (`it's \\`#s` Nullable(String), day Date) ENGINE = MergeTree PARTITION BY day ORDER BY day",
        );
        const columns = [
          { name: "it's `#s", type: 'Nullable(String)' },
          { name: 'day', type: 'Date' },
        ];
        const select =
          "SELECT 'x'::Nullable(String) AS `it's \\`#s`, toDate('2026-01-01') + number AS day FROM numbers(150)";
        const { table, chunks } = await blockOf(engine, select, { table: 'days', columns });
        const pieces = [...chunks[0]!].map((byte) => Uint8Array.of(byte));
        await engine.insert({ table, columns, chunks: pieces });
        expect(await text(engine, 'SELECT count(), uniqExact(day) FROM default.days')).toBe('150\t150');
      });

      it('make wide parts only of many rows', async () => {
        const parts = async (rows: number): Promise<string> => {
          const table = `parts_${rows}`;
          await engine.execute(
            `CREATE TABLE default.${table} (n UInt64, word String) ENGINE = MergeTree ORDER BY n SETTINGS ${printSettings(durableTableSettings)}`,
          );
          const columns = [
            { name: 'n', type: 'UInt64' },
            { name: 'word', type: 'String' },
          ];
          const select = `SELECT number AS n, repeat('x', intDiv(12000000, ${rows})) AS word FROM numbers(${rows})`;
          await engine.insert(await blockOf(engine, select, { table, columns }));
          return text(engine, `SELECT DISTINCT part_type FROM system.parts WHERE active AND table = '${table}'`);
        };
        expect([await parts(20_000), await parts(70_000)]).toEqual(['Compact', 'Wide']);
      });

      it('make parts of `rowsPerPart` rows without dividing a block', async () => {
        const table = 'divided';
        await engine.execute(`CREATE TABLE default.${table} (block UInt8, n UInt64) ENGINE = MergeTree ORDER BY n`);
        const columns = [
          { name: 'block', type: 'UInt8' },
          { name: 'n', type: 'UInt64' },
        ];
        const blocks = await Promise.all(
          [1, 2, 3, 4, 5].map((block) =>
            blockOf(engine, `SELECT toUInt8(${block}) AS block, number AS n FROM numbers(1000)`, { table, columns }),
          ),
        );
        await engine.execute(`SYSTEM STOP MERGES default.${table}`);
        const chunks = blocks.flatMap((block) => block.chunks);
        await engine.insert({ table: blocks[0]!.table, columns, chunks, rowsPerPart: 1500 });
        const parts = `SELECT count() AS rows, uniq(block) AS blocks FROM default.${table} GROUP BY _part ORDER BY rows`;
        expect(await text(engine, parts)).toBe('1000\t1\n2000\t2\n2000\t2');
      });

      it('store no part of a truncated block', async () => {
        const columns = [{ name: 'n', type: 'UInt64' }];
        const { table, chunks } = await blockOf(engine, 'SELECT number + 1000000 AS n FROM numbers(1000)', {
          table: 'numbers',
          columns,
        });
        const error = await errorOf(engine.insert({ table, columns, chunks: [chunks[0]!.subarray(0, 3000)] }));
        expect(error.code).toBe('corrupt');
        expect(await text(engine, 'SELECT count() FROM default.numbers WHERE n >= 1000000')).toBe('0');
      });
    });

    describe('errors', () => {
      const cases: readonly (readonly [sql: string, code: EngineErrorCode, limits?: QueryLimits])[] = [
        ['SELECT * FROM default.nosuch', 'unknown-table'],
        ['SELECT nosuch FROM default.numbers', 'unknown-column'],
        ["SELECT toUInt8('x')", 'bad-value'],
        ['SELECT throwIf(number = 200000) FROM numbers(300000)', 'bad-value'],
        ['SELECT FROM WHERE', 'rejected'],
        ['SELECT nosuch(1)', 'rejected'],
        ['DROP TABLE default.numbers', 'rejected'],
        ['INSERT INTO default.numbers (n) VALUES (1)', 'rejected'],
        [endless(1), 'time-limit', { maxSeconds: 0.2 }],
        ['SELECT uniqExact(number) FROM numbers(100000000)', 'memory-limit', { maxMemoryBytes: 50_000_000 }],
        ["SELECT count() FROM default.numbers WHERE word != 'z'", 'rows-limit', { maxRowsRead: 1000 }],
        ['SELECT n FROM default.numbers', 'result-limit', { maxResultRows: 1000 }],
        ['SELECT n FROM default.numbers', 'result-limit', { maxResultBytes: 1000 }],
      ];
      it.each(cases.map(([sql, code, limits = {}]) => ({ sql, code, limits })))(
        '$sql → $code',
        async ({ sql, code, limits }) => {
          const error = await errorOf(engine.query(sql, { format: 'JSONCompactColumns', limits }));
          expect(error).toBeInstanceOf(EngineError);
          expect(error.code).toBe(code);
          expect(error.message).not.toMatch(/SELECT|nosuch|default\.|Exception/);
          expect(error.detail).toMatch(/Exception/);
        },
      );

      it('come at the deadline that several statements share', async () => {
        const deadline = performance.now() + 400;
        const limits = { maxSeconds: 30 };
        const begun = performance.now();
        for (let i = 0; i < 3; i++) {
          const error = await errorOf(engine.query(endless(1), { format: 'CSV', limits, deadline }));
          expect(error.code).toBe('time-limit');
        }
        expect(performance.now() - begun).toBeLessThan(10_000);
        // Other statements still have their full time.
        expect(await text(engine, 'SELECT sleep(0.5)', { limits: { maxSeconds: 30 } })).toBe('0');
      });

      it('of one query leave nothing behind for the next', async () => {
        for (const format of ['TabSeparated', 'JSONCompactColumns', 'JSONEachRow'] satisfies OutputFormat[]) {
          const secret = "SELECT 'secret', throwIf(number = 250000) FROM numbers(300000)";
          await Promise.all(
            Array.from({ length: 6 }, () =>
              errorOf(engine.query(secret, { format, settings: { max_block_size: 1000 } })),
            ),
          );
          const answers = await Promise.all(Array.from({ length: 6 }, () => text(engine, 'SELECT 7')));
          expect(answers).toEqual(Array.from({ length: 6 }, () => '7'));
        }
      });

      it('settings and limits hold for one query alone', async () => {
        const setting = "SELECT getSetting('max_rows_to_group_by'), getSetting('max_rows_to_read')";
        const settings = { max_rows_to_group_by: 17 };
        const with17 = Array.from({ length: 6 }, () =>
          text(engine, setting, { settings, limits: { maxRowsRead: 99 } }),
        );
        expect(new Set(await Promise.all(with17))).toEqual(new Set(['17\t99']));
        const without = Array.from({ length: 6 }, () => text(engine, setting));
        expect(new Set(await Promise.all(without))).toEqual(new Set(['0\t0']));
      });

      it('an expression is compiled only after many runs, not at the fourth', async () => {
        const ask = async (times: number): Promise<string> => {
          for (let i = 0; i < times; i++) await text(engine, 'SELECT sum(n * 3 + n * n - 7) FROM default.numbers');
          return text(engine, "SELECT sum(value) FROM system.events WHERE event = 'CompileFunction'");
        };
        expect(await ask(10)).toBe('0');
        expect(Number(await ask(40))).toBeGreaterThan(0);
      });
    });

    describe('cancelling', () => {
      const runningCount = (mark: number) =>
        text(
          engine,
          `SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) = ${mark}%' AND query NOT LIKE '%processes%'`,
        );

      it('reaches statements that run apart, which hold up no other statement', async () => {
        const long = new AbortController();
        const kinds = ['upkeep', 'narrowing', 'deletion', 'removal'] as const;
        const ended = kinds.map((apart) =>
          errorOf(
            engine.execute(`INSERT INTO FUNCTION null('n UInt64') ${endless(9)}`, { apart, signal: long.signal }),
          ),
        );
        await waitUntil('all run', async () => (await runningCount(9)) === String(kinds.length));
        await engine.execute('SELECT 1');
        long.abort();
        expect((await Promise.all(ended)).map(({ code }) => code)).toEqual(kinds.map(() => 'cancelled'));
      });

      it('does not begin a query that is already canceled', async () => {
        const error = await errorOf(engine.query(endless(2), { format: 'CSV', signal: AbortSignal.abort() }));
        expect(error.code).toBe('cancelled');
        expect(await runningCount(2)).toBe('0');
      });

      it('ends the work of the engine, not just the wait', async () => {
        const abort = new AbortController();
        const query = errorOf(engine.query(endless(3), { format: 'CSV', signal: abort.signal }));
        await waitUntil('the query runs', async () => (await runningCount(3)) === '1');
        abort.abort();
        expect((await query).code).toBe('cancelled');
        await waitUntil('the query is gone', async () => (await runningCount(3)) === '0', 2000);
      });

      it('also reaches queries that wait for a session', async () => {
        const abort = new AbortController();
        const queries = Array.from({ length: 9 }, () =>
          errorOf(engine.query(endless(4), { format: 'CSV', signal: abort.signal })),
        );
        // Waits instead of querying the engine: there is no free session for a query.
        await sleep(300);
        abort.abort();
        expect(new Set((await Promise.all(queries)).map(({ code }) => code))).toEqual(new Set(['cancelled']));
        await waitUntil('the queries are gone', async () => (await runningCount(4)) === '0', 3000);
      });

      it('does not confuse a signal that fires after the answer', async () => {
        const abort = new AbortController();
        expect(await text(engine, 'SELECT 5', { signal: abort.signal })).toBe('5');
        abort.abort();
        expect(await text(engine, 'SELECT 6')).toBe('6');
      });
    });

    describe('streams', () => {
      const rows = 200_000;
      const wide = `SELECT number AS a, toString(number) AS b FROM numbers(${rows})`;

      it('CSV has one header and every row', async () => {
        const lines = (await collect(engine.stream(wide, { format: 'CSVWithNames' }))).toString().trimEnd().split('\n');
        expect(lines).toHaveLength(rows + 1);
        expect([lines[0], lines[1], lines.at(-1)]).toEqual(['"a","b"', '0,"0"', `${rows - 1},"${rows - 1}"`]);
      });

      it('Parquet is one file', async () => {
        const file = await collect(engine.stream(wide, { format: 'Parquet' }));
        expect([file.toString('latin1', 0, 4), file.toString('latin1', file.length - 4)]).toEqual(['PAR1', 'PAR1']);
        expect(file.toString('latin1').split('PAR1')).toHaveLength(3);
      });

      it('an empty result is an empty stream', async () => {
        expect((await collect(engine.stream('SELECT 1 WHERE 0', { format: 'JSONEachRow' }))).length).toBe(0);
      });

      it('a slow scalar subquery does not block other queries', async () => {
        const slow =
          'SELECT number FROM numbers(3) WHERE number < (SELECT max(sipHash64(number)) FROM numbers(30000000))';
        const streaming = collect(engine.stream(slow, { format: 'CSV' }));
        const start = performance.now();
        await text(engine, 'SELECT 1');
        expect(performance.now() - start).toBeLessThan(500);
        expect((await streaming).toString()).toBe('0\n1\n2\n');
      });

      it('leaving early stops the engine', async () => {
        const sql = "SELECT repeat('x', 1000) FROM numbers(1000000000) WHERE sipHash64(number) != 51";
        for await (const chunk of engine.stream(sql, { format: 'CSV' })) {
          expect(chunk.length).toBeGreaterThan(0);
          break;
        }
        const isExportGone = async () =>
          (await text(
            engine,
            "SELECT count() FROM system.processes WHERE query LIKE '%!= 51%' AND query NOT LIKE '%processes%'",
          )) === '0';
        await waitUntil('the export is gone', isExportGone, 3000);
      });

      it('aborting ends it as canceled', async () => {
        const abort = new AbortController();
        const reading = errorOf(
          collect(
            engine.stream("SELECT repeat('x', 1000) FROM numbers(1000000000)", { format: 'CSV', signal: abort.signal }),
          ),
        );
        setTimeout(() => abort.abort(), 100);
        expect((await reading).code).toBe('cancelled');
      });

      it('an error at the start is reported as such', async () => {
        expect((await errorOf(collect(engine.stream('SELECT nosuch', { format: 'CSV' })))).code).toBe('unknown-column');
      });

      it('an error half-way ends the stream with an error, never as if it were whole', async () => {
        const sql = "SELECT repeat('x', 100), throwIf(number = 1000000) FROM numbers(2000000)";
        expect(await errorOf(collect(engine.stream(sql, { format: 'CSV' })))).toBeInstanceOf(EngineError);
      });

      it('columns cannot be streamed', async () => {
        expect((await errorOf(collect(engine.stream('SELECT 1', { format: 'JSONCompactColumns' })))).code).toBe(
          'rejected',
        );
      });
    });

    it('is ready, and tells listeners that are added later', async () => {
      expect(engine.health().state).toBe('ready');
      await new Promise<void>((resolve) => engine.onReady(resolve));
    });
  });
}
