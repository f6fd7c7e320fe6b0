import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { millrace, millraceProcess } from './support/command.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';

/** The command against a real server, used as by a person and as by a script. */

const directory = temporaryDirectory();
const dataDir = join(directory, 'data');
/** The built command, for features that `millrace` in `support` lacks. */
const main = join(import.meta.dirname, '..', 'packages', 'cli', 'bin', 'millrace.js');
const file = (name: string): string => join(directory, name);
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer(dataDir, { MILLRACE_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

/** Runs a command that must succeed; returns its standard output. */
async function ok(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await millrace(args, { server });
  expect(code, err).toBe(0);
  return out;
}

const count = async (dataset: string): Promise<number> =>
  (JSON.parse(await ok('query', `['${dataset}'] | count`)) as { count: number }).count;

describe('data', () => {
  it('goes in, comes out, in every format', async () => {
    await ok('dataset', 'create', 'logs', '-d', 'Requests', '--retention-days', '36500');
    const events = Array.from({ length: 2000 }, (_, id) => ({
      id,
      ok: id % 2 === 0,
      text: `é ${id}\n`,
      n: { x: id / 4 },
    }));
    writeFileSync(file('a.json'), JSON.stringify(events.slice(0, 500)));
    writeFileSync(
      file('b.ndjson'),
      events
        .slice(500, 1000)
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    writeFileSync(
      file('c.ndjson.gz'),
      gzipSync(
        events
          .slice(1000, 1500)
          .map((event) => JSON.stringify(event))
          .join('\n'),
      ),
    );
    writeFileSync(file('d.json.gz'), gzipSync(JSON.stringify(events.slice(1500))));
    const files = ['a.json', 'b.ndjson', 'c.ndjson.gz', 'd.json.gz'].flatMap((name) => ['-f', file(name)]);
    const loaded = await ok('ingest', 'logs', ...files, '--request-size', '16KiB', '-l', 'site=berlin', '--json');
    expect(JSON.parse(loaded)).toMatchObject({ ingested: 2000, failed: 0 });
    const rows = (
      await ok('query', "logs | where site == 'berlin' | sort by id asc | project id, ok, text, ['n.x']", '-n', '5000')
    )
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row) as unknown);
    expect(rows).toEqual(events.map(({ id, ok, text, n }) => ({ id, ok, text, 'n.x': n.x })));
    expect(await ok('query', 'logs | summarize n = count() by ok | sort by n, ok', '--format', 'csv')).toMatch(
      /^ok,n\n(true|false),1000\n(true|false),1000\n$/,
    );
    const fields = (await ok('dataset', 'fields', 'logs')).trimEnd().split('\n');
    expect(fields.map((line) => (JSON.parse(line) as { name: string }).name)).toContain('n.x');
  });

  it('a load that is repeated under its name is stored once', async () => {
    await ok('dataset', 'create', 'once');
    const ingestAgain = () =>
      ok('ingest', 'once', '-f', file('b.ndjson'), '--request-size', '4KiB', '--idempotency-key', 'b');
    await ingestAgain();
    await ingestAgain();
    expect(await count('once')).toBe(500);
  });

  it('CSV rows that span lines are not torn', async () => {
    await ok('dataset', 'create', 'csv');
    const rows = Array.from({ length: 300 }, (_, id) => `${id},"line ${id}\nand ""more"""\n`);
    writeFileSync(file('x.csv'), `id,text\n${rows.join('')}`);
    expect(
      JSON.parse(await ok('ingest', 'csv', '-f', file('x.csv'), '--request-size', '1KiB', '--json')),
    ).toMatchObject({
      ingested: 300,
    });
    expect(await ok('query', "csv | where id == '7' | project text", '--format', 'csv')).toBe(
      'text\n"line 7\nand ""more"""\n',
    );
  });

  it.each(['ndjson', 'csv', 'parquet'])('exports all events as %s', async (format) => {
    const output = file(`out.${format}`);
    const done = await ok('export', 'logs | project _time, id, text', '-o', output, '--page-rows', '300', '--json');
    expect(JSON.parse(done)).toMatchObject({ rows: 2000, format });
    const content = readFileSync(output, 'utf8');
    if (format === 'ndjson') {
      const ids = content
        .trimEnd()
        .split('\n')
        .map((row) => (JSON.parse(row) as { id: number }).id);
      expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, id) => id));
    } else expect(content.startsWith(format === 'csv' ? '_time,id,text\n' : 'PAR1')).toBe(true);
  });

  it('a stream shows events as they arrive, including earlier-dated ones', async () => {
    await ok('dataset', 'create', 'live');
    const start = new Date(Date.now() - 60_000).toISOString();
    const child = spawn(process.execPath, [main, 'stream', 'live', '--interval', '100ms', '--start', start], {
      env: { PATH: process.env['PATH'], MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token },
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      for (const id of [1, 2, 3]) {
        const late = id === 3 ? ',"_time":"2020-01-01T00:00:00Z"' : '';
        await millrace(['ingest', 'live'], { server, input: `{"id":${id}${late}}\n` });
        const line = await lines.next();
        expect(JSON.parse(String(line.value))).toMatchObject({ id });
      }
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('datasets are changed, trimmed and deleted', async () => {
    await ok('dataset', 'create', 'old');
    await millrace(['ingest', 'old'], { server, input: '{"_time":"2020-01-01T00:00:00Z"}\n{}\n' });
    expect(JSON.parse(await ok('dataset', 'update', 'old', '-d', 'Old'))).toMatchObject({ description: 'Old' });
    const trimmed = await millrace(['dataset', 'trim', '--force', 'old', '30d'], { server });
    expect(trimmed).toMatchObject({
      code: 0,
      err: "The events of 'old' that were older than 30d are gone.\n",
      out: '',
    });
    expect(await count('old')).toBe(1);
    expect((await millrace(['dataset', 'delete', 'old'], { server })).code).toBe(2);
    const deleted = await millrace(['dataset', 'delete', '--force', 'old'], { server });
    expect(deleted).toMatchObject({ code: 0, err: "Dataset 'old' is deleted.\n", out: '' });
    expect((await millrace(['dataset', 'get', 'old'], { server })).code).toBe(3);
    expect(JSON.parse(await ok('dataset', 'get', 'logs'))).toMatchObject({
      retentionDays: 36_500,
      useRetentionPeriod: true,
    });
  });
});

describe('tokens', { timeout: 120_000 }, () => {
  it('have the granted rights, are listed without secrets, and expire', async () => {
    const secret = (await ok('token', 'create', 'reader', '--dataset', 'logs:query')).trim();
    expect(secret).toMatch(/^xaat-/);
    const reader = { ...server, token: secret };
    expect((await millrace(['query', 'logs | count'], { server: reader })).code).toBe(0);
    expect((await millrace(['ingest', 'logs'], { server: reader, input: '{}' })).code).toBe(4);
    const listed = await ok('token', 'list');
    expect(listed).not.toContain(secret);
    const { id } = JSON.parse(listed.split('\n')[0]!) as { id: string };
    const next = (await ok('token', 'regenerate', id, '--overlap', '0s')).trim();
    expect((await millrace(['query', 'logs | count'], { server: reader })).code).toBe(4);
    expect((await millrace(['query', 'logs | count'], { server: { ...server, token: next } })).code).toBe(0);
  });

  it('an owner with a lost token creates one in the data directory', async () => {
    for (const kind of [['--personal'], ['--dataset', 'logs:query']]) {
      const create = ['token', 'create', 'same', ...kind, '--expires', '1h', '--json'];
      const offline = await millrace([...create, '--data-dir', dataDir]);
      const keys = (text: string): readonly string[] => Object.keys(JSON.parse(text) as object).toSorted();
      expect(keys(offline.out)).toEqual(keys(await ok(...create)));
    }
    const { code, out } = await millrace(['token', 'create', 'me', '--personal', '--data-dir', dataDir]);
    expect(code).toBe(0);
    const { out: listed } = await millrace(['token', 'list'], { server: { ...server, token: out.trim() } });
    expect(listed).toContain('reader');
  });
});

describe('mistakes', () => {
  it.each<readonly [readonly string[], number, RegExp]>([
    [['query', 'logs\n| where foo(x)'], 1, /line 2, column 9: .*foo\n {2}\| where foo\(x\)\n {10}\^/],
    [['query', "['logs"], 1, /line 1/],
    [['dataset', 'get', 'nowhere'], 3, /'nowhere' not found/],
    [['dataset', 'fields', 'nowhere'], 3, /'nowhere' not found; list datasets with millrace dataset list/],
    [['dataset', 'trim', '--force', 'logs', '0d'], 2, /^millrace: DURATION must be more than 0/],
    [['query', 'logs', '--start', 'yesterday'], 2, /^millrace: --start 'yesterday' is not a time/],
    [['query', 'logs', '--end', 'tomorrow'], 2, /^millrace: --end 'tomorrow' is not a time/],
    [['ingest', 'logs', '--timestamp-format', 'x'], 2, /^millrace: --timestamp-format: .*names no part of a time/],
    [['dataset', 'get', '..'], 2, /'\.\.' cannot be a part of the path/],
    [['dataset', 'delete', '--force', '.'], 2, /'\.' cannot be a part of the path/],
    [['dataset', 'create', 'logs'], 1, /already exists/],
    [['ingest', 'nowhere', '-f', '-'], 3, /'nowhere' not found; create it with millrace dataset create, or/],
    [['qurey'], 2, /did you mean query\?/],
    [['query', '--fromat', 'csv'], 2, /did you mean --format\?/],
    [['query', 'logs', '-U', 'http://127.0.0.1:2'], 5, /cannot reach http:\/\/127\.0\.0\.1:2/],
    [['query', 'logs', '-T', 'xapt-1'], 4, /authentication failed/],
    [['log', 'verify', '/nowhere'], 3, /no directory/],
    [['query', 'nowhere'], 3, /dataset nowhere not found/],
    [['query', 'logs | join nowhere on id'], 3, /dataset nowhere not found/],
    [['query', 'logs | wher'], 1, /there is no operator wher/],
    [['export', 'nowhere', '-o', file('nowhere.ndjson')], 3, /dataset nowhere not found/],
    [['export', 'logs', '--start', 'foo', '-o', file('foo.ndjson')], 2, /--start 'foo' is not a time/],
    [['dataset', 'trim', '--force', 'logs', '30x'], 2, /DURATION is '30x', which is not a duration/],
    [['dataset', 'create', 'bad name!'], 2, /'bad name!' cannot be the name of a dataset/],
    [['ingest', 'logs', '--idempotency-key', 'k'.repeat(300)], 2, /^millrace: --idempotency-key must have at most/],
  ])('%j → %i', async (args, code, message) => {
    const ran = await millrace(args, { server, input: '{}' });
    expect([ran.code, ran.err]).toEqual([code, expect.stringMatching(message)]);
    expect(ran.out).toBe('');
  });

  it('a request that is too large for the server names the option that makes smaller ones', async () => {
    const small = await startServer(join(directory, 'small'), {
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_MAX_BODY_BYTES: '2000',
      MILLRACE_AUTO_CREATE_DATASETS: 'true',
    });
    try {
      writeFileSync(file('large.ndjson'), '{"text":"some of many"}\n'.repeat(500));
      const ingest = ['ingest', 'logs', '-f', file('large.ndjson')];
      const large = await millrace(ingest, { server: small });
      expect([large.code, large.err]).toEqual([1, expect.stringContaining('2000 bytes; --request-size 2000 sends')]);
      expect((await millrace([...ingest, '--request-size', '2000'], { server: small })).code).toBe(0);
    } finally {
      await small.stop();
    }
  });

  it('a daily refusal is distinguished from a busy server', async () => {
    await ok('dataset', 'create', 'vacuumed');
    await ok('dataset', 'vacuum', 'vacuumed');
    const again = await millrace(['dataset', 'vacuum', 'vacuumed'], { server });
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('less than a day ago')]);
  });

  it.each<readonly [readonly string[], string | Uint8Array, RegExp]>([
    [['--type', 'json'], 'a,b', /it is read as JSON, and --type csv reads CSV/],
    [['--type', 'csv'], '[{"a":1}]', /begins like JSON; leave out --type csv/],
    [['--encoding', 'none', '--type', 'json'], gzipSync('{"a":1}'), /the body is gzip; --encoding gzip unpacks it/],
    [['--timestamp-field', 'at'], '{"at":"x"}', /; --timestamp-format, a Go layout/],
  ])('ingest %j: errors name the flags', async (args, input, message) => {
    const ran = await millrace(['ingest', 'logs', ...args], { server, input });
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(message)]);
  });

  it('a range that begins after its end names the flags in its warning or error', async () => {
    const turned = ['logs', '--start', 'now', '--end', 'now-1h'];
    const message = '--start is after --end\n';
    expect(await millrace(['query', ...turned], { server })).toEqual({ code: 0, out: '', err: `warn: ${message}` });
    const exported = await millrace(['export', ...turned, '-o', file('turned.csv')], { server });
    expect(exported).toEqual({ code: 2, out: '', err: `millrace: ${message}` });
  });

  it.runIf(existsSync('/dev/full'))('a full disk is reported in one line', async () => {
    const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
    const said = createInterface(child.stderr!)[Symbol.asyncIterator]();
    expect((await said.next()).value).toMatch(/^millrace: standard output cannot be written: the disk is full$/);
    expect((await said.next()).done).toBe(true);
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1);
  });

  it('a missing receiver does not change the exit code', async () => {
    const child = spawn(process.execPath, [main, 'qurey'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  it('does not wait for a program that keeps writing or is silent', async () => {
    execFileSync('mkfifo', [file('pipe')]);
    const writing = openSync(file('pipe'), constants.O_RDWR);
    writeSync(writing, '{"id":1}\n'.repeat(200));
    try {
      const args = ['ingest', 'nowhere', '-t', 'ndjson', '--request-size', '1KiB', '-f', file('pipe')];
      expect(await millraceProcess(args, { server })).toMatchObject({
        code: 3,
        err: expect.stringContaining('not found'),
      });
    } finally {
      closeSync(writing);
    }
  });

  it('what a data directory holds is readable by its owner only, wherever the directory is', async () => {
    const made = file('first-token');
    mkdirSync(made);
    expect((await millraceProcess(['token', 'create', 'me', '--personal', '--data-dir', made])).code).toBe(0);
    const open = [dataDir, made]
      .flatMap((directory) => readdirSync(directory, { recursive: true, withFileTypes: true }))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  it('a server with an invalid setting names it', async () => {
    writeFileSync(file('plain'), '');
    // Reading it takes the engine, which is running by then and must not keep the process alive.
    const places = await millraceProcess([
      'serve',
      '--data-dir',
      file('third'),
      '--geo-networks',
      file('plain'),
      '--port',
      '0',
    ]);
    expect([places.code, places.err]).toEqual([2, expect.stringMatching(/--geo-networks: .*plain is not CSV/)]);
    const lines = places.err.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ level: 'info', time: expect.stringMatching(/^20.*Z$/), msg: 'the engine is ready' }),
    );
    const prices = ['--model-prices', file('none'), '--port', '0'];
    const missing = await millraceProcess(['serve', '--data-dir', file('fourth'), ...prices]);
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringMatching(/^millrace: --model-prices: .*none cannot be read/),
    ]);
    expect(existsSync(file('fourth'))).toBe(false);
    const setting = await millraceProcess(['serve', '--prot', '1']);
    expect([setting.code, setting.err]).toEqual([2, expect.stringMatching(/--prot: no such setting/)]);
    expect(setting.err.match(/no such setting/g)).toHaveLength(1);
  }, 120_000);
});

describe('the log of a server that was cut off', () => {
  it('is verified and, when it is damaged, salvaged', async () => {
    // No server is killed here, as in other tests: each of these processes takes long to start.
    const data = file('cut-off');
    await ok('dataset', 'create', 'x');
    const headers = { authorization: `Bearer ${server.token}` };
    for (const body of ['{"id":1}', '{"id":2}'])
      expect(await fetch(`${server.url}/v1/datasets/x/ingest`, { method: 'POST', headers, body })).toMatchObject({
        ok: true,
      });
    const withoutLock = (path: string): boolean => !statSync(path).isSocket();
    cpSync(join(dataDir, 'log'), join(data, 'log'), { recursive: true, filter: withoutLock });
    mkdirSync(join(data, 'engine'));
    const elsewhere = await millrace(['log', 'verify', join(data, 'engine')]);
    expect([elsewhere.code, elsewhere.err]).toEqual([3, expect.stringMatching(/holds no log/)]);
    const sound = await millrace(['log', 'verify', data]);
    expect([sound.code, sound.out]).toEqual([0, expect.stringMatching(/"state":"sound"/)]);
    const { file: segment } = JSON.parse(sound.out.split('\n')[0]!) as { file: string };
    const content = readFileSync(segment);
    content[200]! ^= 0xff;
    writeFileSync(segment, content);
    const damaged = await millrace(['log', 'verify', data]);
    expect([damaged.code, damaged.out]).toEqual([1, expect.not.stringMatching(/"state":"sound"/)]);
    const refused = await millraceProcess(['serve', '--data-dir', data]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/millrace log salvage/)]);
    const saved = await millrace(['log', 'salvage', data, file('saved'), '--json']);
    expect(saved.code).toBe(1);
    expect((JSON.parse(saved.out) as { lost: unknown[] }).lost).toHaveLength(1);
    expect((await millrace(['log', 'verify', file('saved')])).code).toBe(0);
  });
});
