import type { Engine } from '@millrace/engine';
import { DEFAULT_BUDGET, physicalName } from '@millrace/events';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoredDataset } from '../fields/dataset.js';
import { type ColumnCardinality, isIdentifier, indexIdentities, recordRows } from './identifier-fields.js';
import { identityIndexName } from './identifier-index.js';
import { addColumns, createTable, dropColumns, dropTable } from './table-of-dataset.js';
import { realEngine } from '../testing/real-engine.js';

/** Indexes of identifier fields, over a real engine. */

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());
const log = pino({ level: 'silent' });
const warnSpy = vi.spyOn(log, 'warn');
beforeEach(async () => {
  await dropTable(engine, 1);
  await createTable(engine, 1);
});

const ask = async (sql: string): Promise<readonly string[]> => {
  const { body } = await engine.query(sql, { format: 'TabSeparated' });
  const text = Buffer.from(body).toString();
  return text === '' ? [] : text.trimEnd().split('\n');
};

/**
 * Adds rows whose fields are expressions over `number`, from `from` on, ten per second; each call
 * makes one part, without indexes.
 */
async function insert(fields: Readonly<Record<string, string>>, rows: number, from = 0): Promise<void> {
  const columns = Object.keys(fields).map((field) => quoteIdentifier(physicalName(field, 'string')));
  await engine.execute(
    `INSERT INTO millrace.d1 (_time, _sysTime, _seq, _row, ${columns.join(', ')}) ` +
      `SELECT toDateTime64('2026-01-01', 9, 'UTC') + intDiv(number, 10) AS time, time, ${from + 1}, number, ` +
      `${Object.values(fields).join(', ')} FROM numbers(${from}, ${rows}) ` +
      'SETTINGS max_insert_block_size = 1000000, min_insert_block_size_rows = 1000000, max_block_size = 1000000, ' +
      'materialize_skip_indexes_on_insert = 0',
  );
}

const columnsOf = (fields: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(fields).map((field) => physicalName(field, 'string'));

const addStrings = (fields: Readonly<Record<string, string>>, dictionary = false): Promise<void> =>
  addColumns(
    engine,
    1,
    Object.keys(fields).map((field) => ({ field, type: 'string' as const, dictionary, squeezed: !dictionary })),
  );

const indexedFields = async (fields: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const names = new Set(await ask("SELECT name FROM system.data_skipping_indices WHERE table = 'd1'"));
  return Object.keys(fields).filter((field) => names.has(identityIndexName(physicalName(field, 'string'))));
};

const hash = (text: string): string => `lower(hex(MD5(toString(${text}))))`;

describe('a column identifies', () => {
  const id: ColumnCardinality = {
    values: 16_000,
    bytes: 16_000 * 36,
    withSpace: 0,
    newer: 8000,
    older: 8000,
    distinct: 16_000,
  };
  const cases: readonly (readonly [string, Partial<ColumnCardinality>, boolean])[] = [
    ['with a value a row', {}, true],
    ['with values of some rows each', { newer: 800, older: 800, distinct: 1599 }, true],
    ['with values of which one in ten is everywhere', { newer: 800, older: 800, distinct: 1520 }, true],
    ['not with values of which one in five is everywhere', { newer: 800, older: 800, distinct: 1440 }, false],
    ['not with few values', { newer: 100, older: 100, distinct: 200 }, false],
    ['not with the same values everywhere', { newer: 800, older: 800, distinct: 800 }, false],
    ['not with long texts', { bytes: 16_000 * 65 }, false],
    ['not with words', { withSpace: 8000 }, false],
    ['not if few rows have one', { values: 1000, newer: 500, older: 500, distinct: 1000, bytes: 36_000 }, false],
  ];
  it.each(cases)('%s', (_, figures, expected) => expect(isIdentifier({ ...id, ...figures })).toBe(expected));
});

describe('indexes', () => {
  const fields = {
    trace: hash('intDiv(number, 10)'),
    span: `substring(${hash('number')}, 1, 16)`,
    sometimes: `if(number % 3 = 0, ${hash('number')}, NULL)`,
    rarely: `if(number % 100 = 0, ${hash('number')}, NULL)`,
    host: "concat('host-', toString(number % 20))",
    path: "concat('/p/', toString(cityHash64(number) % 4000))",
    message: "concat('it took ', toString(number), ' ms')",
    body: `concat(${hash('number')}, ${hash('number')}, ${hash('number')})`,
    never: 'NULL',
  };
  const expected = ['trace', 'span', 'sometimes'];

  it.each([false, true])('are for what identifies, and made once, with dictionaries: %s', async (dictionary) => {
    await addStrings(fields, dictionary);
    await insert(fields, 20_000);
    await indexIdentities(engine, 1, columnsOf(fields));
    expect(await indexedFields(fields)).toEqual(expected);
    const execute = vi.spyOn(engine, 'execute');
    await indexIdentities(engine, 1, columnsOf(fields));
    expect(execute).not.toHaveBeenCalled();
    execute.mockRestore();
  });

  it('are sixteen at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, hash(`number + ${i}`)]));
    await addStrings(many);
    await insert(many, 20_000);
    await indexIdentities(engine, 1, columnsOf(many).slice(0, 10));
    await indexIdentities(engine, 1, columnsOf(many));
    // In addition to the index of `_seq`, which every table has.
    expect(await indexedFields(many)).toHaveLength(15);
  });

  it('may be of a field of any name, go with their column, and come back', async () => {
    const odd = { 'a/b`c\\d\'e"f': hash('number'), ['long'.repeat(50)]: hash('number'), '': hash('number') };
    await addStrings(odd);
    await insert(odd, 20_000);
    const columns = columnsOf(odd);
    for (let time = 0; time < 2; time++) {
      await indexIdentities(engine, 1, columns);
      expect(await indexedFields(odd)).toEqual(Object.keys(odd));
      await engine.execute('OPTIMIZE TABLE millrace.d1 FINAL');
      await dropColumns(
        engine,
        1,
        Object.keys(odd).map((field) => ({ field, type: 'string' })),
      );
      expect(await indexedFields(odd)).toEqual([]);
      await addStrings(odd);
      await insert(odd, 20_000, 20_000 * (time + 1));
    }
  });

  const patience = { timeout: 20_000, interval: 20 };
  it('are looked for once there are enough rows, and again when there are far more', async () => {
    const dataset = new StoredDataset(1, DEFAULT_BUDGET);
    await addStrings(fields);
    for (const name of columnsOf(fields)) dataset.tableColumns.add(name);
    await insert(fields, 20_000);
    const query = vi.spyOn(engine, 'query');
    recordRows(engine, log, dataset, 262_143);
    recordRows(engine, log, dataset, 1);
    expect(query).not.toHaveBeenCalled();
    recordRows(engine, log, dataset, 3_900_000);
    await vi.waitFor(async () => expect(await indexedFields(fields)).toEqual(expected), patience);
    query.mockClear();
    recordRows(engine, log, dataset, 200_000);
    expect(query).not.toHaveBeenCalled();
    recordRows(engine, log, dataset, 1);
    expect(query).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(query).toHaveBeenCalledTimes(3), patience);
    // The next test recreates the table, which a running scan must not see half-created.
    await Promise.all(query.mock.results.map(({ value }) => value));
    query.mockRestore();
  });

  it('that cannot be made delay nothing', async () => {
    const dataset = new StoredDataset(7, DEFAULT_BUDGET);
    dataset.tableColumns.add('gone#s');
    recordRows(engine, log, dataset, 262_144);
    recordRows(engine, log, dataset, 1);
    await expect(indexIdentities(engine, 7, ['gone#s'])).rejects.toMatchObject({ code: 'unknown-table' });
    await vi.waitFor(() => expect(warnSpy).toHaveBeenCalledOnce(), patience);
  });
});

it('a value looked for again is read from its granule alone', async () => {
  const fields = { trace: hash('number') };
  await addStrings(fields);
  await insert(fields, 20_000);
  await indexIdentities(engine, 1, columnsOf(fields));
  await engine.execute('OPTIMIZE TABLE millrace.d1 FINAL');
  // This part has no index.
  await insert(fields, 20_000, 20_000);
  const [value] = await ask(`SELECT ${hash('7')}`);
  const read = async (): Promise<number> => {
    const sql = `SELECT _row FROM millrace.d1 WHERE equals(\`trace#s\`, ${quoteString(value!)}) SETTINGS use_query_condition_cache = 1`;
    const { statistics } = await engine.query(sql, { format: 'JSONCompactColumns' });
    return statistics.rowsRead;
  };
  expect(await read()).toBe(28_192);
  expect(await read()).toBe(8192);
});

describe('answers', () => {
  const trace = (number: string): string => hash(`intDiv(${number}, 10)`);
  const fields = {
    trace: `if(number % 97 = 0, NULL, ${trace('number')})`,
    span: `substring(${hash('number')}, 1, 16)`,
    user: "concat('u-', toString(cityHash64(number) % 200000))",
  };
  const [traceColumn, spanColumn, userColumn] = columnsOf(fields).map(quoteIdentifier) as [string, string, string];

  const uses = async (condition: string): Promise<boolean> =>
    (await ask(`EXPLAIN indexes = 1 SELECT count() FROM millrace.d1 WHERE ${condition}`)).some((line) =>
      line.includes('Name: identity_'),
    );

  it('come from the index and equal the results of a scan', async () => {
    await addStrings({ trace: fields.trace }, true);
    await addStrings({ span: fields.span, user: fields.user });
    // Parts without an index, with one from a merge, and newer ones.
    await insert(fields, 12_000);
    await indexIdentities(engine, 1, columnsOf(fields));
    expect(await indexedFields(fields)).toEqual(Object.keys(fields));
    await insert(fields, 20_000, 12_000);
    await engine.execute('OPTIMIZE TABLE millrace.d1 FINAL');
    await insert(fields, 10_000, 32_000);
    // A field whose rows went to the overflow column and came back to a dedicated one, late events
    // of another day, which are merged, and a deletion.
    await dropColumns(engine, 1, [{ field: 'user', type: 'string' }]);
    await addStrings({ user: fields.user });
    await insert(fields, 9000, 42_000);
    await insert(fields, 9000, 4_000_000);
    await indexIdentities(engine, 1, columnsOf(fields));
    expect(await indexedFields(fields)).toEqual(Object.keys(fields));
    await insert(fields, 9000, 4_009_000);
    await engine.execute("OPTIMIZE TABLE millrace.d1 PARTITION ID '20260105'");
    await engine.execute(`DELETE FROM millrace.d1 WHERE ${spanColumn} < '2' SETTINGS mutations_sync = 2`);

    let seed = Number(process.env['INDEX_SEED'] ?? 7);
    const random = (below: number): number => {
      seed = (Math.imul(seed, 48_271) >>> 0) % 2_147_483_647;
      return seed % below;
    };
    /** Present values, an absent one, and the empty one. */
    const valuesOf = async (column: string): Promise<readonly string[]> => {
      const there = await ask(
        `SELECT ${column} FROM millrace.d1 WHERE ${column} IS NOT NULL AND _row % 3001 < 2 LIMIT 20`,
      );
      expect(there.length).toBeGreaterThan(10);
      return [...there, 'absent', ''];
    };
    const values = new Map<string, readonly string[]>();
    for (const column of [traceColumn, spanColumn, userColumn]) values.set(column, await valuesOf(column));
    const atom = (): string => {
      const [column, of] = [...values][random(3)]!;
      const value = (): string => quoteString(of[random(of.length)]!);
      const atoms = [
        `equals(${column}, ${value()})`,
        `in(${column}, tuple(${value()}, ${value()}, ${value()}))`,
        `ifNull(notEquals(${column}, ${value()}), true)`,
        `equals(ifNull(${column}, ''), ${value()})`,
        `equals(coalesce(${column}, NULL), ${value()})`,
        `equals(lowerUTF8(${column}), lowerUTF8(${value()}))`,
        `(${column} IN (SELECT ${column} FROM millrace.d1 WHERE equals(${spanColumn}, ${quoteString(values.get(spanColumn)![0]!)})))`,
        `isNull(${column})`,
        `less(_row, ${random(42_000)})`,
      ];
      return atoms[random(atoms.length)]!;
    };
    const condition = (depth: number): string => {
      const kind = depth === 0 ? 0 : random(4);
      if (kind === 0) return atom();
      if (kind === 1) return `not(${condition(depth - 1)})`;
      return `${kind === 2 ? 'and' : 'or'}(${condition(depth - 1)}, ${condition(depth - 1)})`;
    };
    const conditions = Array.from({ length: Number(process.env['INDEX_RUNS'] ?? 12) }, () => condition(2));
    const answers = (settings: string): Promise<readonly string[]> => {
      const counted = conditions.map(
        (where, i) => `SELECT ${i} AS i, count(), sum(_row), max(_time) FROM millrace.d1 WHERE ${where}`,
      );
      return ask(`SELECT * FROM (${counted.join(' UNION ALL ')}) ORDER BY i SETTINGS ${settings}`);
    };
    const scanned = await answers('use_query_condition_cache = 0, use_skip_indexes = 0');
    expect(scanned).toHaveLength(conditions.length);
    expect(await answers('use_query_condition_cache = 0')).toEqual(scanned);
    // On repetition, the engine uses remembered granules without matches: those remembered with the
    // index must hold without it, and vice versa.
    expect(await answers('use_query_condition_cache = 1')).toEqual(scanned);
    expect(await answers('use_query_condition_cache = 1, use_skip_indexes = 0')).toEqual(scanned);
    expect(await answers('use_query_condition_cache = 1')).toEqual(scanned);

    // Granules excluded before reading and during reading must not be confused either.
    const asItReads = 'use_query_condition_cache = 1, use_skip_indexes_on_data_read = 1';
    await engine.execute('SYSTEM DROP QUERY CONDITION CACHE');
    expect(await answers(asItReads)).toEqual(scanned);
    expect(await answers('use_query_condition_cache = 1')).toEqual(scanned);
    expect(await answers(asItReads)).toEqual(scanned);

    const [some] = values.get(traceColumn)!;
    expect(await uses(`equals(${traceColumn}, ${quoteString(some!)})`)).toBe(true);
    expect(await uses(`in(${spanColumn}, tuple('x', 'y'))`)).toBe(true);
    expect(await uses(`and(equals(${userColumn}, 'u-1'), greater(_row, 7))`)).toBe(true);
    expect(await uses(`or(equals(${traceColumn}, 'x'), equals(${spanColumn}, 'y'))`)).toBe(true);
    expect(await uses(`not(equals(${spanColumn}, 'y'))`)).toBe(true);
    expect(await uses('greater(_row, 7)')).toBe(false);
  }, 120_000);
});
