import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.js';
import { openRemote } from '../open-remote.js';
import { clickHouseLogin, whyNoClickHouse, type ClickHouse, openClickHouse } from '../testing/clickhouse.js';

const absent = (await whyNoClickHouse()) !== undefined;

describe.skipIf(absent)('rows of one server that a query of another reads', () => {
  let server: ClickHouse;
  let engine: Engine;
  beforeAll(async () => {
    server = await openClickHouse();
    const url = `http://127.0.0.1:${server.port}`;
    engine = await openRemote({
      ...clickHouseLogin,
      database: 'default',
      url,
      owner: { id: randomUUID(), known: false },
    });
  });
  afterAll(async () => {
    await engine.close();
    await server.end();
  });
  const rowsOf = async (sql: string): Promise<Uint8Array> =>
    (await engine.query(sql, { format: 'RowBinaryWithNamesAndTypes' })).body;
  const text = async (sql: string, rows: Uint8Array): Promise<string> => {
    const { body } = await engine.query(sql, { format: 'TabSeparated', moved: [{ name: 'moved1', rows }] });
    return Buffer.from(body).toString();
  };

  it('keep names, types and nulls', async () => {
    const sql =
      "SELECT number AS `a@`, if(number = 1, NULL, 'it\\'s') AS `s``x`, map('k', number) AS m, " +
      "toDateTime64('2026-01-02 03:04:05.123456789', 9, 'UTC') AS t, toLowCardinality('low') AS l FROM numbers(2)";
    const rows = await rowsOf(sql);
    const all = 'SELECT `a@`, `s``x`, m, t, l, toTypeName(l) FROM';
    expect(await text(`${all} moved1 ORDER BY 1`, rows)).toBe(await text(`${all} (${sql}) ORDER BY 1`, rows));
  });

  it('may be none, and as many as a form has bytes for', async () => {
    expect(await text('SELECT count(), sum(x) FROM moved1', await rowsOf('SELECT 1 AS x FROM numbers(0)'))).toBe(
      '0\t0\n',
    );
    const rows = await rowsOf('SELECT number AS x FROM numbers(2000000)');
    expect(await text('SELECT count(), max(x) FROM moved1', rows)).toBe('2000000\t1999999\n');
  });

  it('come to streams, too, and not with a query that no form holds', async () => {
    const rows = await rowsOf('SELECT 1 AS x');
    const moved = [{ name: 'moved1', rows }];
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.stream('SELECT x FROM moved1', { format: 'CSV', moved })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('1\n');
    await expect(text(`SELECT '${'x'.repeat(2 ** 20)}'`, rows)).rejects.toMatchObject({ code: 'too-complex' });
  });
});
