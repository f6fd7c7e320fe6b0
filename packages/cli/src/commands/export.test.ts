import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { continuationOf } from '../export/continuation.js';
import { writeParquet } from '../export/parquet.js';
import { Exports, isExport } from '../testing/exports.js';
import type { ReceivedRequest, Reply } from '../testing/fake-server.js';

const exports = new Exports();
const runExport = exports.run.bind(exports);
const path = (name: string): string => join(exports.directory, name);

/** Ten events, newest first, in pages; the last pages add a column. */
function page({ body }: ReceivedRequest): Reply {
  const { cursor, defaultLimit } = JSON.parse(body.toString()) as { cursor?: string; defaultLimit: number };
  const from = cursor === undefined ? 10 : Number(cursor);
  const ids = Array.from({ length: Math.min(defaultLimit, from) }, (_, i) => from - 1 - i);
  const late = ids.length > 0 && ids[0]! < 6;
  const fields = [
    { name: '_time', type: 'datetime' },
    { name: 'id', type: 'integer' },
    { name: 'mixed', type: late ? 'string' : 'boolean' },
    ...(late ? [{ name: 'late', type: 'float' }] : []),
  ];
  const columns = [
    ids.map((id) => `"2026-11-20T10:00:0${id}.123456789Z"`),
    ids.map((id) => `900719925474099${id}`),
    ids.map((id) => (late ? `"t\u2028${id}"` : 'true')),
    ...(late ? [ids.map((id) => (id % 2 === 0 ? 'null' : `${id}.5`))] : []),
  ];
  const status = { elapsedTime: 1, rowsExamined: 1, rowsMatched: 10, minCursor: String(ids.at(-1) ?? cursor) };
  return {
    body:
      `{"status":${JSON.stringify(status)},"tables":[{"fields":${JSON.stringify(fields)},` +
      `"order":[{"field":"_time","desc":true}],"columns":[${columns.map((column) => `[${column.join(',')}]`).join(',')}]}]}`,
  };
}

const ids = (text: string): readonly string[] => [...text.matchAll(/900719925474099\d/g)].map(([id]) => id);
const allIds = Array.from({ length: 10 }, (_, i) => `900719925474099${9 - i}`);

describe('a dataset larger than a page', () => {
  it('as NDJSON', async () => {
    const { code, out } = await runExport(['logs', '-o', path('x.ndjson')], page);
    expect([code, out]).toEqual([0, expect.stringMatching(/^10 rows in /)]);
    const text = readFileSync(path('x.ndjson'), 'utf8');
    expect(ids(text)).toEqual(allIds);
    expect(text.split('\n')[0]).toBe('{"_time":"2026-11-20T10:00:09.123456789Z","id":9007199254740999,"mixed":true}');
    expect(readdirSync(exports.directory)).toEqual(['x.ndjson']);
  });

  it('as CSV with all columns', async () => {
    await runExport(['logs', '-o', path('x.csv')], page);
    const lines = readFileSync(path('x.csv'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe('_time,id,mixed,late');
    expect(lines.at(-1)).toBe('2026-11-20T10:00:00.123456789Z,9007199254740990,t\u20280,');
  });

  it('as Parquet with types', async () => {
    await runExport(['logs', '-o', path('x.parquet')], page);
    const rows = await parquetReadObjects({
      file: await asyncBufferFromFile(path('x.parquet')),
      parsers: { timestampFromNanoseconds: (nanos: bigint) => nanos } as never,
    });
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatchObject({ id: 9007199254740999n, mixed: 'true', late: null });
    expect(rows.at(-2)).toMatchObject({ id: 9007199254740991n, mixed: 't\u20281', late: 1.5 });
    expect(rows[0]?.['_time']).toBe(BigInt(Date.parse('2026-11-20T10:00:09Z')) * 1_000_000n + 123_456_789n);
  });
});

it.each(['ndjson', 'csv', 'parquet'])('%s is readable by its owner only', async (format) => {
  expect((await runExport(['logs', '-o', path(`x.${format}`)], page)).code).toBe(0);
  expect(statSync(path(`x.${format}`)).mode & 0o777).toBe(0o600);
});

describe('an interruption', () => {
  const dyingReply = (request: ReceivedRequest, n: number): Reply =>
    n < 1 ? page(request) : { status: 500, body: { message: 'x' } };

  it.each(['ndjson', 'csv', 'parquet'])('%s resumes where it stopped', async (format) => {
    const output = path(`x.${format}`);
    const first = await runExport(['logs', '-o', output], dyingReply);
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringMatching(/4 rows are kept in .*run it again with --resume/),
    ]);
    expect(existsSync(output)).toBe(false);
    // A crash during a write leaves more bytes in the partial file than the state records.
    writeFileSync(`${output}.part`, '{"half', { flag: 'a' });
    const withoutResume = await runExport(['logs', '-o', output], page);
    expect([withoutResume.code, withoutResume.err]).toEqual([2, expect.stringContaining('say --resume')]);
    const other = await runExport(['other', '-o', output, '--resume'], page);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('from another query')]);
    const second = await runExport(['logs', '-o', output, '--resume'], page);
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^10 rows/)]);
    const requests = exports.received.map(({ body }) => JSON.parse(body.toString()) as { cursor?: string });
    expect(requests[0]?.cursor).toBe('6');
    if (format !== 'parquet') expect(ids(readFileSync(output, 'utf8'))).toEqual(allIds);
    expect(readdirSync(exports.directory)).toEqual([`x.${format}`]);
  });

  it('waits for a busy server', async () => {
    const { code } = await runExport(['logs', '-o', path('x.csv')], (request, n) =>
      n % 2 === 0 ? { status: 503, headers: { 'retry-after': '0.01' } } : page(request),
    );
    expect([code, ids(readFileSync(path('x.csv'), 'utf8'))]).toEqual([0, allIds]);
  });
});

describe('Parquet from a server that generates it', () => {
  const noPages = (): Reply => ({ status: 500, body: { message: 'unexpected request for pages' } });

  it('is downloaded unchanged, and restarts when interrupted', async () => {
    const made = path('made.parquet');
    const rows = async function* () {
      for (let i = 0; i < 3; i++) yield new Map([['id', String(i)]]);
    };
    await writeParquet(made, { id: 'integer' }, rows());
    let requests = 0;
    const files = (): Reply => (requests++ === 0 ? 'break-off' : { body: readFileSync(made) });
    const { code, out, err } = await runExport(['logs', '-o', path('x.parquet'), '--start', 'now-1d'], noPages, files);
    expect([code, out, requests]).toEqual([0, expect.stringMatching(/^3 rows in /), 2]);
    expect(err).toMatch(/^trying again: http:\/\/\S+ closed the connection mid-response: .*\n$/);
    expect(readFileSync(path('x.parquet'))).toEqual(readFileSync(made));
    expect(JSON.parse(exports.received[0]!.body.toString())).toEqual({
      apl: 'logs',
      format: 'parquet',
      startTime: 'now-1d',
    });
    expect(readdirSync(exports.directory).toSorted()).toEqual(['made.parquet', 'x.parquet']);
  });

  it('is not created when the query is invalid', async () => {
    const wrong = (): Reply => ({ status: 400, body: { code: 400, message: 'no such dataset' } });
    const { code, err } = await runExport(['logs', '-o', path('x.parquet')], noPages, wrong);
    expect([code, err]).toEqual([1, expect.stringContaining('no such dataset')]);
    expect(readdirSync(exports.directory)).toEqual([]);
  });
});

it('removes its files when the query is invalid', async () => {
  const wrong = (): Reply => ({ status: 400, body: { code: 400, message: 'no such dataset' } });
  expect((await runExport(['logs', '-o', path('x.csv')], wrong)).code).toBe(1);
  expect(readdirSync(exports.directory)).toEqual([]);
});

it('reports an unwritable output before any request', async () => {
  const requests = (): Reply => ({ status: 500, body: { message: 'unexpected request' } });
  const nowhere = await runExport(['logs', '-o', path('none/x.csv')], requests);
  expect(nowhere.code).toBe(1);
  expect(nowhere.err).toContain(`${path('none/x.csv')} cannot be written: ${path('none')}: there is no such file`);
  const resumed = await runExport(['logs', '-o', '-', '--resume'], requests);
  expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining('--resume needs a file')]);
});

it('does not overwrite files without --force', async () => {
  writeFileSync(path('x.csv'), 'mine');
  expect((await runExport(['logs', '-o', path('x.csv')], page)).code).toBe(2);
  expect(readFileSync(path('x.csv'), 'utf8')).toBe('mine');
  expect((await runExport(['logs', '-o', path('x.csv'), '--force'], page)).code).toBe(0);
});

it.each([
  ['logs', 'older'],
  ["['logs'] | where a > 1 | project a, b | sort by _time asc", 'newer'],
  ['logs | sort by _time asc | project a', 'newer'],
  ['logs | sort by _time', 'older'],
  ['logs | extend x = 1 | project-away y', 'older'],
  ['logs | sort by a', undefined],
  ['logs | sort by a, _time', undefined],
  ['logs | sort by _time, a', undefined],
  ['logs | take 10', undefined],
  ['logs | where a > 1 | summarize count() by b', undefined],
  ['logs | top 5 by a', undefined],
  ['logs | mv-expand a', undefined],
  ['logs | where (', undefined],
  ['print 1', undefined],
])('%s: continued with %s events', (apl, expected) => expect(continuationOf(apl)).toBe(expected));

describe('a query that cannot be continued', () => {
  it('as CSV is the file of the server', async () => {
    const files = (): Reply => ({ body: '"a","b"\n1,"x\ny"\n2,\n' });
    const noPages = (): Reply => ({ status: 500, body: { message: 'unexpected request for pages' } });
    const { code, out } = await runExport(['logs | summarize count() by a', '-o', path('x.csv')], noPages, files);
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 rows in /)]);
  });

  it('is sent once to a server that only returns pages', async () => {
    await runExport(['logs | sort by id', '-o', path('x.csv')], page);
    expect(exports.received.filter((request) => !isExport(request))).toHaveLength(1);
    expect(ids(readFileSync(path('x.csv'), 'utf8'))).toEqual(allIds);
  });

  it('fails on a full page without a cursor', async () => {
    const without = (request: ReceivedRequest): Reply => {
      const reply = page(request) as { body: string };
      return { body: reply.body.replace(/,"minCursor":"\d+"/, '') };
    };
    const { code, err } = await runExport(['logs', '-o', path('x.csv')], without);
    expect([code, err]).toEqual([1, expect.stringContaining('only the first 4 rows came')]);
  });
});
