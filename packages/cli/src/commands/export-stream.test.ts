import { existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../run.js';
import { Exports, pageRows } from '../testing/exports.js';
import { memoryIo } from '../testing/memory-io.js';
import type { ReceivedRequest, Reply } from '../testing/fake-server.js';
import { commands } from './every-command.js';

const exports = new Exports();
const runExport = exports.run.bind(exports);
const path = (name: string): string => join(exports.directory, name);

describe('NDJSON from a server that streams', () => {
  const noPages = (): Reply => ({ status: 500, body: { message: 'unexpected request for pages' } });
  const line = (id: number): string =>
    `{"id":900719925474099${id},"o":{"_cursor":"c"},"_cursor":"98e3c3045501acc0-0000000000000007-0000000${id}"}\n`;
  const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const bodyOf = ({ body }: ReceivedRequest) =>
    JSON.parse(body.toString()) as { cursor?: string; includeCursorField: boolean };
  const remainingIds = (request: ReceivedRequest): readonly number[] => {
    const { cursor } = bodyOf(request);
    return cursor === undefined ? ids : ids.slice(Number(cursor.at(-1)) + 1);
  };
  const whole = ids.map((id) => `{"id":900719925474099${id},"o":{"_cursor":"c"}}\n`).join('');

  it('strips the cursors', async () => {
    const stream = (request: ReceivedRequest): Reply => ({ body: remainingIds(request).map(line).join('') });
    const { code, out } = await runExport(['logs', '-o', path('x.ndjson')], noPages, stream);
    expect([code, out]).toEqual([0, expect.stringMatching(/^10 rows in /)]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(readdirSync(exports.directory)).toEqual(['x.ndjson']);
  });

  it('keeps lines that are empty except for their cursor', async () => {
    const stream = (): Reply => ({ body: '{"_cursor":"98e3c3045501acc0-0000000000000007-00000000"}\n' });
    await runExport(['logs', '-o', path('x.ndjson')], noPages, stream);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe('{}\n');
  });

  it('resumes after the last complete line of an interrupted response', async () => {
    let requests = 0;
    const stream = (request: ReceivedRequest): Reply => {
      const text = remainingIds(request).map(line).join('');
      return requests++ < 3 ? { breakOff: text.slice(0, line(0).length * 2 + 20) } : { body: text };
    };
    const { code } = await runExport(['logs', '-o', path('x.ndjson'), '--attempts', '1'], noPages, stream);
    expect([code, requests]).toEqual([0, 4]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(exports.received.map((request) => bodyOf(request).cursor?.at(-1))).toEqual([undefined, '1', '3', '5']);
  });

  it('goes to standard output as it arrives, and on after an interruption', async () => {
    let requests = 0;
    const stream = (request: ReceivedRequest): Reply => {
      const text = remainingIds(request).map(line).join('');
      return requests++ < 2 ? { breakOff: text.slice(0, line(0).length * 2 + 20) } : { body: text };
    };
    const { code, out } = await runExport(['logs', '-o', '-', '--attempts', '1'], noPages, stream);
    expect([code, out, readdirSync(exports.directory)]).toEqual([0, whole, []]);
  });

  it('goes to standard output as CSV', async () => {
    const stream = (): Reply => ({ body: 'id\n1\n' });
    const { code, out } = await runExport(['logs | count', '-o', '-', '--format', 'csv'], noPages, stream);
    expect([code, out]).toEqual([0, 'id\n1\n']);
  });

  it('says that rows on standard output are incomplete where no cursor continues them', async () => {
    const stream = (): Reply => ({ breakOff: '{"id":1}\n{"id' });
    const { code, out, err } = await runExport(['logs | summarize count() by id', '-o', '-'], noPages, stream);
    expect([code, out]).toEqual([1, '{"id":1}\n']);
    expect(err).toContain('the rows so far are incomplete');
  });

  it.each([
    ['keeps what has come', 3, /^trying again: .*\nmillrace: interrupted\n3 rows are kept in .*--resume\n$/],
    ['leaves nothing behind if nothing has', 0, /^trying again: .*\nmillrace: interrupted\n$/],
  ])('stopped by Ctrl-C, it %s', async (_, rows, message) => {
    const stop = new AbortController();
    const hangingReply = (): Promise<Reply> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    let requests = 0;
    const begun = ids.slice(0, rows).map(line).join('');
    const { code, err } = await runExport(
      ['logs', '-o', path('x.ndjson')],
      noPages,
      () => (requests++ === 0 ? { breakOff: begun } : hangingReply()),
      stop.signal,
    );
    expect([code, err, requests]).toEqual([130, expect.stringMatching(message), 2]);
    expect(readdirSync(exports.directory)).toEqual(rows === 0 ? [] : ['x.ndjson.part', 'x.ndjson.part.json']);
  });

  it('is resumed by a later call, but not as Parquet', async () => {
    let requests = 0;
    const dyingReply = (request: ReceivedRequest): Reply =>
      requests++ === 0
        ? {
            breakOff: remainingIds(request)
              .map(line)
              .join('')
              .slice(0, line(0).length * 3),
          }
        : { status: 500, body: { message: 'x' } };
    const first = await runExport(['logs', '-o', path('x.ndjson')], noPages, dyingReply);
    expect([first.code, first.err]).toEqual([1, expect.stringMatching(/3 rows are kept in .*--resume/)]);
    writeFileSync(`${path('x.ndjson')}.part`, '{"half', { flag: 'a' });
    const other = await runExport(['logs', '-o', path('x.ndjson'), '--resume', '--format', 'parquet'], noPages);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('was not of Parquet')]);
    const stream = (request: ReceivedRequest): Reply => ({ body: remainingIds(request).map(line).join('') });
    const second = await runExport(['logs', '-o', path('x.ndjson'), '--resume'], noPages, stream);
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^10 rows/)]);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect(readdirSync(exports.directory)).toEqual(['x.ndjson']);
  });

  it('locks the output: a second export fails before it starts', async () => {
    const begun = `${path('x.ndjson')}.part`;
    const other = async (...args: readonly string[]) => {
      const io = memoryIo({ env: { MILLRACE_URL: 'http://127.0.0.1:9', MILLRACE_TOKEN: 'xaat-x' } });
      const same = join(exports.directory, '..', basename(exports.directory), 'x.ndjson');
      return [await run(['export', 'logs', '-o', same, ...args], commands, io), io.written.err];
    };
    const stream = async (request: ReceivedRequest): Promise<Reply> => {
      const message = expect.stringMatching(/another export writes \S+x\.ndjson; wait for it, or name another file\n$/);
      for (const args of [[], ['--resume'], ['--force']]) expect(await other(...args)).toEqual([1, message]);
      expect(existsSync(begun)).toBe(true);
      return { body: remainingIds(request).map(line).join('') };
    };
    expect((await runExport(['logs', '-o', path('x.ndjson')], noPages, stream)).code).toBe(0);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(whole);
    expect((await runExport(['logs', '-o', path('x.ndjson'), '--force'], noPages, () => ({ body: '' }))).code).toBe(0);
  });

  it('resumes with the time range of the first call', async () => {
    let requests = 0;
    const dying = (): Reply => (requests++ === 0 ? { breakOff: line(0) } : { status: 500, body: { message: 'x' } });
    const args = ['logs', '-o', path('x.ndjson'), '--start', 'now-1d', '--end', 'now'];
    expect((await runExport(args, noPages, dying)).err).toContain('1 rows are kept');
    const kept = `${path('x.ndjson')}.part.json`;
    const state = JSON.parse(readFileSync(kept, 'utf8')) as { began: number };
    writeFileSync(kept, JSON.stringify({ ...state, began: state.began - 3_600_000 }));
    const stream = (request: ReceivedRequest): Reply => ({ body: remainingIds(request).map(line).join('') });
    expect((await runExport([...args, '--resume'], noPages, stream)).code).toBe(0);
    expect(JSON.parse(exports.received[0]!.body.toString())).toMatchObject({
      startTime: expect.stringMatching(/^now-900\d\ds$/),
      endTime: expect.stringMatching(/^now-36\d\ds$/),
    });
  });

  it('does not resume if the partial file is missing or changed', async () => {
    const args = ['logs', '-o', path('x.ndjson'), '--attempts', '1'];
    const begun = ids.slice(0, 3).map(line).join('');
    let requests = 0;
    const first = await runExport(args, noPages, () => (requests++ === 0 ? { breakOff: begun } : 'hang-up'));
    expect(first.err).toContain('3 rows are kept');
    truncateSync(path('x.ndjson.part'), 5);
    const { code, err } = await runExport([...args, '--resume'], noPages, () => ({ body: '' }));
    expect([code, err]).toEqual([1, expect.stringMatching(/x\.ndjson\.part has 5 of the \d+ bytes .* --force/)]);
  });

  it('starts over with --force', async () => {
    const args = ['logs', '-o', path('x.ndjson'), '--attempts', '1'];
    const begun = ids.slice(0, 3).map(line).join('');
    let requests = 0;
    const dying = (): Reply => (requests++ === 0 ? { breakOff: begun } : 'hang-up');
    expect((await runExport(args, noPages, dying)).err).toContain('3 rows are kept');
    const { code, err } = await runExport([...args, '--force'], noPages, () => 'hang-up');
    expect([code, err]).toEqual([5, expect.not.stringContaining('kept')]);
    expect(readdirSync(exports.directory)).toEqual([]);
  });

  it('starts over where no cursor continues it, and removes its files', async () => {
    let requests = 0;
    const groups = '{"a":1,"_cursor":"mine"}\n{"a":2,"_cursor":"mine"}\n';
    const stream = (): Reply => (requests++ === 0 ? { breakOff: groups.slice(0, 30) } : { body: groups });
    expect((await runExport(['logs | sort by a', '-o', path('x.ndjson')], noPages, stream)).code).toBe(0);
    expect(readFileSync(path('x.ndjson'), 'utf8')).toBe(groups);
    expect(bodyOf(exports.received[0]!).includeCursorField).toBe(false);
    const brokenReply = (): Reply => ({ breakOff: groups.slice(0, 30) });
    const { code } = await runExport(
      ['logs | sort by a', '-o', path('y.ndjson'), '--attempts', '1'],
      noPages,
      brokenReply,
    );
    expect([code, readdirSync(exports.directory)]).toEqual([5, ['x.ndjson']]);
  });

  it('accepts the result of a view that aggregates', async () => {
    const groups = '{"o":{"_cursor":"c"},"n":1}\n{"n":2}\n';
    const { code } = await runExport(['view', '-o', path('x.ndjson')], noPages, () => ({ body: groups }));
    expect([code, readFileSync(path('x.ndjson'), 'utf8')]).toEqual([0, groups]);
  });

  it('rejects lines without cursors after one that has one, and a last line without newline', async () => {
    for (const body of [`${line(0)}{"id":1}\n`, `${line(0)}<html>\n`, line(1).trimEnd()])
      expect((await runExport(['logs', '-o', path('x.ndjson')], noPages, () => ({ body }))).code).toBe(1);
    expect(readdirSync(exports.directory)).toEqual([]);
  });
});

describe('CSV from a server that streams', () => {
  /** Response to the query for the columns. */
  const columns = ({ body }: ReceivedRequest): Reply => {
    const { defaultLimit, cursor } = JSON.parse(body.toString()) as { defaultLimit: number; cursor?: string };
    if (defaultLimit !== 1 || cursor !== undefined)
      return { status: 500, body: { message: 'unexpected request for pages' } };
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
  const remainingLines = ({ body }: ReceivedRequest): readonly string[] =>
    lines.slice(Number((JSON.parse(body.toString()) as { cursor?: string }).cursor?.at(-1) ?? 0));

  it('has a column per field of the result, including empty and rare ones', async () => {
    const { code, out } = await runExport(['logs', '-o', path('x.csv')], columns, () => ({ body: lines.join('') }));
    expect([code, out]).toEqual([0, expect.stringMatching(/^4 rows in /)]);
    expect(readFileSync(path('x.csv'), 'utf8')).toBe(file);
    expect(readdirSync(exports.directory)).toEqual(['x.csv']);
  });

  it('resumes where it was interrupted, also in a later call', async () => {
    let requests = 0;
    const dying = (): Reply =>
      requests++ === 0
        ? { breakOff: lines.slice(0, 2).join('') + lines[2]!.slice(0, 9) }
        : { status: 500, body: { message: 'x' } };
    const first = await runExport(['logs', '-o', path('x.csv')], columns, dying);
    expect([first.code, first.err]).toEqual([1, expect.stringMatching(/2 rows are kept in .*--resume/)]);
    const rest = (request: ReceivedRequest): Reply => ({ body: remainingLines(request).join('') });
    expect((await runExport(['logs', '-o', path('x.csv'), '--resume'], columns, rest)).code).toBe(0);
    expect(readFileSync(path('x.csv'), 'utf8')).toBe(file);
  });

  it('has all rows of a view that aggregates', async () => {
    const groups = Array.from({ length: 3 * pageRows }, (_, id) => `{"id":${id}}\n`);
    const { code } = await runExport(['view', '-o', path('x.csv')], columns, () => ({ body: groups.join('') }));
    const written = readFileSync(path('x.csv'), 'utf8').split('\n');
    expect([code, written.length, written[0], written[1]]).toEqual([0, 3 * pageRows + 2, 'id,none,text', '0,,']);
  });
});
