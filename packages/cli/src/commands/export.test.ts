import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { continuationOf } from '../export/continuation.js';
import { writeParquet } from '../export/parquet.js';
import { run } from '../run.js';
import { memoryIo } from '../testing/memory-io.js';
import { type Received, type Reply, type ScriptedServer, scriptedServer } from '../testing/scripted-server.js';
import { commands } from './table.js';

let directory: string;
let server: ScriptedServer | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
});
afterEach(async () => {
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Ten events, newest first, a page at a time; the last pages bring a column the first ones do not have. */
const pageRows = 4;
function page({ body }: Received): Reply {
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

const isExport = ({ url }: Received): boolean => url.pathname === '/v1/export';

/** @param files what a server that makes files itself answers; others do not know the path */
async function exported(
  args: readonly string[],
  answer: (request: Received, n: number) => Reply,
  files: (request: Received) => Reply | Promise<Reply> = () => ({ status: 404, body: { message: 'no such path' } }),
  interrupted = new AbortController().signal,
) {
  await server?.close();
  let pages = 0;
  server = await scriptedServer((request) => (isExport(request) ? files(request) : answer(request, pages++)));
  const io = memoryIo({ env: { MILLRACE_URL: server.url, MILLRACE_TOKEN: 'xaat-x' }, interrupted });
  const code = await run(['export', ...args, '--page-rows', String(pageRows)], commands, io);
  return { code, ...io.written };
}

const path = (name: string): string => join(directory, name);

describe('a dataset larger than a page', () => {
  it('as NDJSON', async () => {
    const { code, out } = await exported(['logs', '-o', path('x.ndjson')], page);
    expect([code, out]).toEqual([0, expect.stringMatching(/^10 rows in /)]);
    const text = readFileSync(path('x.ndjson'), 'utf8');
    expect(ids(text)).toEqual(allIds);
    expect(text.split('\n')[0]).toBe('{"_time":"2026-11-20T10:00:09.123456789Z","id":9007199254740999,"mixed":true}');
    expect(readdirSync(directory)).toEqual(['x.ndjson']);
  });

  it('as CSV with all columns', async () => {
    await exported(['logs', '-o', path('x.csv')], page);
    const lines = readFileSync(path('x.csv'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe('_time,id,mixed,late');
    expect(lines.at(-1)).toBe('2026-11-20T10:00:00.123456789Z,9007199254740990,t\u20280,');
  });

  it('as Parquet with types', async () => {
    await exported(['logs', '-o', path('x.parquet')], page);
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

describe('an interruption', () => {
  const dying = (request: Received, n: number): Reply =>
    n < 1 ? page(request) : { status: 500, body: { message: 'x' } };

  it.each(['ndjson', 'csv', 'parquet'])('%s goes on where it was', async (format) => {
    const output = path(`x.${format}`);
    const first = await exported(['logs', '-o', output], dying);
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringMatching(/4 rows are kept in .*run it again with --resume/),
    ]);
    expect(existsSync(output)).toBe(false);
    // A crash in the middle of a write leaves more in the part than the state says.
    writeFileSync(`${output}.part`, '{"half', { flag: 'a' });
    const unasked = await exported(['logs', '-o', output], page);
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('say --resume')]);
    const other = await exported(['other', '-o', output, '--resume'], page);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('of another query')]);
    const second = await exported(['logs', '-o', output, '--resume'], page);
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^10 rows/)]);
    const asked = server!.received.map(({ body }) => JSON.parse(body.toString()) as { cursor?: string });
    expect(asked[0]?.cursor).toBe('6');
    if (format !== 'parquet') expect(ids(readFileSync(output, 'utf8'))).toEqual(allIds);
    expect(readdirSync(directory)).toEqual([`x.${format}`]);
  });

  it('a busy server is waited for', async () => {
    const { code } = await exported(['logs', '-o', path('x.csv')], (request, n) =>
      n % 2 === 0 ? { status: 503, headers: { 'retry-after': '0.01' } } : page(request),
    );
    expect([code, ids(readFileSync(path('x.csv'), 'utf8'))]).toEqual([0, allIds]);
  });
});

describe('Parquet of a server that makes it', () => {
  const noPages = (): Reply => ({ status: 500, body: { message: 'nobody should ask for pages' } });

  it('is fetched as it is, and again from the start where it breaks off', async () => {
    const made = path('made.parquet');
    const rows = async function* () {
      for (let i = 0; i < 3; i++) yield new Map([['id', String(i)]]);
    };
    await writeParquet(made, { id: 'integer' }, rows());
    let asked = 0;
    const files = (): Reply => (asked++ === 0 ? 'break-off' : { body: readFileSync(made) });
    const { code, out, err } = await exported(['logs', '-o', path('x.parquet'), '--start', 'now-1d'], noPages, files);
    expect([code, out, asked]).toEqual([0, expect.stringMatching(/^3 rows in /), 2]);
    expect(err).toMatch(/^trying again: http:\/\/\S+ broke off its answer: .*\n$/);
    expect(readFileSync(path('x.parquet'))).toEqual(readFileSync(made));
    expect(JSON.parse(server!.received[0]!.body.toString())).toEqual({
      apl: 'logs',
      format: 'parquet',
      startTime: 'now-1d',
    });
    expect(readdirSync(directory).toSorted()).toEqual(['made.parquet', 'x.parquet']);
  });

  it('is not there when the query is wrong', async () => {
    const wrong = (): Reply => ({ status: 400, body: { code: 400, message: 'no such dataset' } });
    const { code, err } = await exported(['logs', '-o', path('x.parquet')], noPages, wrong);
    expect([code, err]).toEqual([1, expect.stringContaining('no such dataset')]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

it('leaves nothing behind when the query is wrong', async () => {
  const wrong = (): Reply => ({ status: 400, body: { code: 400, message: 'no such dataset' } });
  expect((await exported(['logs', '-o', path('x.csv')], wrong)).code).toBe(1);
  expect(readdirSync(directory)).toEqual([]);
});

it('says where it cannot write, before it asks for anything', async () => {
  const asked = (): Reply => ({ status: 500, body: { message: 'nobody should ask' } });
  const nowhere = await exported(['logs', '-o', path('none/x.csv')], asked);
  expect(nowhere.code).toBe(1);
  expect(nowhere.err).toContain(`${path('none/x.csv')} cannot be written: ENOENT`);
  const standard = await exported(['logs', '-o', '-', '--format', 'csv'], asked);
  expect([standard.code, standard.err]).toEqual([2, expect.stringContaining('export writes a file')]);
});

it('replaces nothing unasked', async () => {
  writeFileSync(path('x.csv'), 'mine');
  expect((await exported(['logs', '-o', path('x.csv')], page)).code).toBe(2);
  expect(readFileSync(path('x.csv'), 'utf8')).toBe('mine');
  expect((await exported(['logs', '-o', path('x.csv'), '--force'], page)).code).toBe(0);
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

describe('NDJSON of a server that streams it', () => {
  const noPages = (): Reply => ({ status: 500, body: { message: 'nobody should ask for pages' } });
  const line = (id: number): string =>
    `{"id":900719925474099${id},"o":{"_cursor":"c"},"_cursor":"98e3c3045501acc0-0000000000000007-0000000${id}"}\n`;
  const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const bodyOf = ({ body }: Received) =>
    JSON.parse(body.toString()) as { cursor?: string; includeCursorField: boolean };
  const following = (request: Received): readonly number[] => {
    const { cursor } = bodyOf(request);
    return cursor === undefined ? ids : ids.slice(Number(cursor.at(-1)) + 1);
  };
  const whole = ids.map((id) => `{"id":900719925474099${id},"o":{"_cursor":"c"}}\n`).join('');

  it('is written without the cursors that came with it', async () => {
    const stream = (request: Received): Reply => ({ body: following(request).map(line).join('') });
    const { code, out } = await exported(['logs', '-o', path('x.ndjson')], noPages, stream);
    expect([code, out]).toEqual([0, expect.stringMatching(/^10 rows in /)]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(readdirSync(directory)).toEqual(['x.ndjson']);
  });

  it('keeps lines of nothing but their cursor', async () => {
    const stream = (): Reply => ({ body: '{"_cursor":"98e3c3045501acc0-0000000000000007-00000000"}\n' });
    await exported(['logs', '-o', path('x.ndjson')], noPages, stream);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe('{}\n');
  });

  it('goes on behind the last whole line where it breaks off', async () => {
    let asked = 0;
    const stream = (request: Received): Reply => {
      const text = following(request).map(line).join('');
      return asked++ < 3 ? { breakOff: text.slice(0, line(0).length * 2 + 20) } : { body: text };
    };
    const { code } = await exported(['logs', '-o', path('x.ndjson'), '--attempts', '1'], noPages, stream);
    expect([code, asked]).toEqual([0, 4]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(server!.received.map((request) => bodyOf(request).cursor?.at(-1))).toEqual([undefined, '1', '3', '5']);
  });

  it.each([
    ['keeps what has come', 3, /^trying again: .*\nmillrace: interrupted\n3 rows are kept in .*--resume\n$/],
    ['leaves nothing behind if nothing has', 0, /^trying again: .*\nmillrace: interrupted\n$/],
  ])('stopped by Ctrl-C, it %s', async (_, rows, told) => {
    const stop = new AbortController();
    const hanging = (): Promise<Reply> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    let asked = 0;
    const begun = ids.slice(0, rows).map(line).join('');
    const { code, err } = await exported(
      ['logs', '-o', path('x.ndjson')],
      noPages,
      () => (asked++ === 0 ? { breakOff: begun } : hanging()),
      stop.signal,
    );
    expect([code, err, asked]).toEqual([130, expect.stringMatching(told), 2]);
    expect(readdirSync(directory)).toEqual(rows === 0 ? [] : ['x.ndjson.part', 'x.ndjson.part.json']);
  });

  it('is resumed by a later call, but not as Parquet', async () => {
    let asked = 0;
    const dying = (request: Received): Reply =>
      asked++ === 0
        ? {
            breakOff: following(request)
              .map(line)
              .join('')
              .slice(0, line(0).length * 3),
          }
        : { status: 500, body: { message: 'x' } };
    const first = await exported(['logs', '-o', path('x.ndjson')], noPages, dying);
    expect([first.code, first.err]).toEqual([1, expect.stringMatching(/3 rows are kept in .*--resume/)]);
    writeFileSync(`${path('x.ndjson')}.part`, '{"half', { flag: 'a' });
    const other = await exported(['logs', '-o', path('x.ndjson'), '--resume', '--format', 'parquet'], noPages);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('was not of Parquet')]);
    const stream = (request: Received): Reply => ({ body: following(request).map(line).join('') });
    const second = await exported(['logs', '-o', path('x.ndjson'), '--resume'], noPages, stream);
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^10 rows/)]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(readdirSync(directory)).toEqual(['x.ndjson']);
  });

  it('begun again with --force, keeps nothing of the one before', async () => {
    const args = ['logs', '-o', path('x.ndjson'), '--attempts', '1'];
    const begun = ids.slice(0, 3).map(line).join('');
    let asked = 0;
    const dying = (): Reply => (asked++ === 0 ? { breakOff: begun } : 'hang-up');
    expect((await exported(args, noPages, dying)).err).toContain('3 rows are kept');
    const { code, err } = await exported([...args, '--force'], noPages, () => 'hang-up');
    expect([code, err]).toEqual([5, expect.not.stringContaining('kept')]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('begins again where no cursor continues it, and leaves nothing behind', async () => {
    let asked = 0;
    const groups = '{"a":1,"_cursor":"mine"}\n{"a":2,"_cursor":"mine"}\n';
    const stream = (): Reply => (asked++ === 0 ? { breakOff: groups.slice(0, 30) } : { body: groups });
    expect((await exported(['logs | sort by a', '-o', path('x.ndjson')], noPages, stream)).code).toBe(0);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(groups);
    expect(bodyOf(server!.received[0]!).includeCursorField).toBe(false);
    const broken = (): Reply => ({ breakOff: groups.slice(0, 30) });
    const { code } = await exported(['logs | sort by a', '-o', path('y.ndjson'), '--attempts', '1'], noPages, broken);
    expect([code, readdirSync(directory)]).toEqual([5, ['x.ndjson']]);
  });

  it('is taken as it is where a view turns out to be no events', async () => {
    const groups = '{"o":{"_cursor":"c"},"n":1}\n{"n":2}\n';
    const { code } = await exported(['view', '-o', path('x.ndjson')], noPages, () => ({ body: groups }));
    expect([code, readFileSync(path('x.ndjson'), 'utf8')]).toEqual([0, groups]);
  });

  it('refuses lines without cursors behind one that has one, and a last line without an end', async () => {
    for (const body of [`${line(0)}{"id":1}\n`, `${line(0)}<html>\n`, line(1).trimEnd()])
      expect((await exported(['logs', '-o', path('x.ndjson')], noPages, () => ({ body }))).code).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('CSV of a server that streams', () => {
  /** What it answers to the question for the columns. */
  const columns = ({ body }: Received): Reply => {
    const { defaultLimit, cursor } = JSON.parse(body.toString()) as { defaultLimit: number; cursor?: string };
    if (defaultLimit !== 1 || cursor !== undefined)
      return { status: 500, body: { message: 'nobody should ask for pages' } };
    const fields = ['id', 'none', 'text'].map((name) => ({ name, type: 'integer' }));
    return {
      body: {
        status: { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1 },
        tables: [{ fields, order: [], columns: [[1], [null], [null]] }],
      },
    };
  };
  const lineOf = (id: number, more = ''): string =>
    `{"id":900719925474099${id}${more},"_cursor":"98e3c3045501acc0-0000000000000007-0000000${id}"}\n`;
  const lines = [
    lineOf(1),
    lineOf(2, ',"text":"a,\\"b"'),
    lineOf(3, ',"rare":[1],"o":{"a":1}'),
    lineOf(4, ',"rarer":true,"rare":2'),
  ];
  const file = [
    'id,none,text,rare,o,rarer',
    '9007199254740991,,,,,',
    '9007199254740992,,"a,""b",,,',
    '9007199254740993,,,[1],"{""a"":1}",',
    '9007199254740994,,,2,,true',
    '',
  ].join('\n');
  const following = ({ body }: Received): readonly string[] =>
    lines.slice(Number((JSON.parse(body.toString()) as { cursor?: string }).cursor?.at(-1) ?? 0));

  it('has a column for each field of the result, also those without a value, and then for each rare one', async () => {
    const { code, out } = await exported(['logs', '-o', path('x.csv')], columns, () => ({ body: lines.join('') }));
    expect([code, out]).toEqual([0, expect.stringMatching(/^4 rows in /)]);
    expect(readFileSync(path('x.csv'), 'utf8')).toBe(file);
    expect(readdirSync(directory)).toEqual(['x.csv']);
  });

  it('goes on where it broke off, also in a later call', async () => {
    let asked = 0;
    const dying = (): Reply =>
      asked++ === 0
        ? { breakOff: lines.slice(0, 2).join('') + lines[2]!.slice(0, 9) }
        : { status: 500, body: { message: 'x' } };
    const first = await exported(['logs', '-o', path('x.csv')], columns, dying);
    expect([first.code, first.err]).toEqual([1, expect.stringMatching(/2 rows are kept in .*--resume/)]);
    const rest = (request: Received): Reply => ({ body: following(request).join('') });
    expect((await exported(['logs', '-o', path('x.csv'), '--resume'], columns, rest)).code).toBe(0);
    expect(readFileSync(path('x.csv'), 'utf8')).toBe(file);
  });

  it('has all rows of a view that aggregates', async () => {
    const groups = Array.from({ length: 3 * pageRows }, (_, id) => `{"id":${id}}\n`);
    const { code } = await exported(['view', '-o', path('x.csv')], columns, () => ({ body: groups.join('') }));
    const written = readFileSync(path('x.csv'), 'utf8').split('\n');
    expect([code, written.length, written[0], written[1]]).toEqual([0, 3 * pageRows + 2, 'id,none,text', '0,,']);
  });
});

describe('a query that cannot be continued', () => {
  it('as CSV is the file the server makes', async () => {
    const files = (): Reply => ({ body: '"a","b"\n1,"x\ny"\n2,\n' });
    const noPages = (): Reply => ({ status: 500, body: { message: 'nobody should ask for pages' } });
    const { code, out } = await exported(['logs | summarize count() by a', '-o', path('x.csv')], noPages, files);
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 rows in /)]);
  });

  it('is asked once of a server that gives pages only', async () => {
    await exported(['logs | sort by id', '-o', path('x.csv')], page);
    expect(server!.received.filter((request) => !isExport(request))).toHaveLength(1);
    expect(ids(readFileSync(path('x.csv'), 'utf8'))).toEqual(allIds);
  });

  it('fails rather than end with a full page that has no cursor', async () => {
    const without = (request: Received): Reply => {
      const reply = page(request) as { body: string };
      return { body: reply.body.replace(/,"minCursor":"\d+"/, '') };
    };
    const { code, err } = await exported(['logs', '-o', path('x.csv')], without);
    expect([code, err]).toEqual([1, expect.stringContaining('only the first 4 rows came')]);
  });
});
