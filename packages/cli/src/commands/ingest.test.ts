import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../run.js';
import { Loads, lines } from '../testing/loads.js';
import { memoryIo } from '../testing/memory-io.js';
import type { ReceivedRequest, Reply } from '../testing/fake-server.js';
import { commands } from './every-command.js';

/** Loads into a server that fails in every way it can. */

const loads = new Loads();
const ingest = loads.run.bind(loads);
const file = loads.file.bind(loads);

/** Deduplicates by key like a server, and fails as scripted before or after storing. */
function storingServer(faults: (n: number) => Reply | 'hang-up-after' | undefined) {
  const stored = new Map<string, string>();
  const answer = ({ headers, body }: ReceivedRequest, n: number): Reply => {
    const fault = faults(n);
    if (fault !== undefined && fault !== 'hang-up-after') return fault;
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body).toString() : body.toString();
    stored.set(headers['idempotency-key'] ?? '', text);
    if (fault === 'hang-up-after') return 'hang-up';
    const ingested = text.trimEnd().split('\n').length;
    return { body: { ingested, failed: 0, failures: [], processedBytes: body.length } };
  };
  return { stored, answer };
}

describe('the event time', () => {
  const stored: Reply = { body: { ingested: 1, failed: 0, failures: [], processedBytes: 1 } };
  const load = (name: string, text: string, ...args: readonly string[]) =>
    ingest(['-f', file(name, text), ...args], () => stored);
  const timestampField = (): string | null => loads.received.at(-1)!.url.searchParams.get('timestamp-field');

  it.each([
    ['a.ndjson', '{"@timestamp":"2026-01-02T03:04:05Z"}\n{"msg":"}\\""}\n', '@timestamp'],
    ['b.json', '[ {"nested":{"time":1},"ts":1767323045.5},\n {"ts":1767323046} ]', 'ts'],
    ['c.csv', 'EventTime;n\n"2026-01-02 03:04:05";1\n', 'EventTime'],
  ])('is found in %s', async (name, text, field) => {
    const found = await load(name, text, '--timestamp-field', 'auto');
    expect([found.written.err, timestampField()]).toEqual(['', field]);
    const ignored = await load(name, text);
    expect(ignored.written.err).toContain(`'${field}' seems to be the event time: --timestamp-field auto uses it`);
    expect(timestampField()).toBeNull();
    const named = await load(name, text, '--timestamp-field', 'other');
    expect([named.written.err, timestampField()]).toEqual(['', 'other']);
  });

  it('is not offered if the dataset has a field for it', async () => {
    const { written } = await ingest(['-f', file('f.ndjson', '{"ts":"2026-01-02T03:04:05Z"}\n')], ({ method }) =>
      method === 'GET' ? { body: { name: 'logs', fieldRoles: { time: 'ts' } } } : stored,
    );
    expect(written.err).toBe('');
  });

  it('is missing', async () => {
    const { written } = await load('d.ndjson', '{"n":1}\n', '--timestamp-field', 'auto');
    expect([written.err, timestampField()]).toEqual([
      expect.stringContaining('no field with the event time found'),
      null,
    ]);
    expect((await load('d.ndjson', '{"n":1}\n')).written.err).toBe('');
  });
});

describe('faults', () => {
  const busy = (status: number): Reply => ({ status, headers: { 'retry-after': '0.01' }, body: { message: 'busy' } });
  it.each<readonly [string, (n: number) => Reply | 'hang-up-after' | undefined]>([
    ['none', () => undefined],
    ['429, then room', (n) => (n % 2 === 0 ? busy(429) : undefined)],
    ['503 now and then', (n) => (n % 3 === 0 ? busy(503) : undefined)],
    ['connections that are closed', (n) => (n % 3 === 1 ? 'hang-up' : undefined)],
    ['answers that break off', (n) => (n % 4 === 1 ? 'break-off' : undefined)],
    ['stored, and the answer lost', (n) => (n % 3 === 1 ? 'hang-up-after' : undefined)],
  ])('%s: every event arrives once', async (_, faults) => {
    const text = lines(300);
    const { stored, answer } = storingServer(faults);
    const path = file('events.ndjson', text);
    const { code, written } = await ingest(['-f', path, '--request-size', '1KiB', '--json'], answer);
    expect(code, written.err).toBe(0);
    expect([...stored.values()].join('').split('\n').sort()).toEqual(text.split('\n').sort());
    expect(JSON.parse(written.out)).toMatchObject({ ingested: 300, failed: 0, requests: stored.size });
    expect(stored.size).toBeGreaterThan(3);
  });

  it('stops after the configured attempts and reports what was stored', async () => {
    const { answer } = storingServer((n) => (n === 0 ? undefined : busy(503)));
    const path = file('events.ndjson', lines(300));
    const { code, written } = await ingest(
      ['-f', path, '--request-size', '1KiB', '--concurrency', '1', '--attempts', '2', '--idempotency-key', 'k'],
      answer,
    );
    expect(code).toBe(5);
    expect(written.err).toMatch(
      /busy\n\d+ events had been stored before; .* the same call with --idempotency-key k sends only the rest/,
    );
  });

  it('backs off from a busy server, even if it requests short pauses', async () => {
    const began = performance.now();
    const { code } = await ingest(['-f', file('a.ndjson', lines(1)), '--attempts', '4'], () => busy(429));
    expect([code, loads.received.length]).toEqual([5, 4]);
    expect(performance.now() - began).toBeGreaterThan(800);
  });

  it('reports the reason of the first retry without a progress display', async () => {
    const { answer } = storingServer((n) => (n < 3 ? 'hang-up' : n === 3 ? busy(429) : undefined));
    const { code, written } = await ingest(['-f', file('a.ndjson', lines(1))], answer);
    expect([code, written.err]).toEqual([0, expect.stringMatching(/^trying again: cannot reach .*\n$/)]);
  });

  it.each<readonly [number, number]>([
    [400, 1],
    [403, 4],
    [404, 3],
    [500, 1],
  ])('%i is final: exit code %i after one request', async (status, code) => {
    const result = await ingest(['-f', file('a.ndjson', lines(1))], () => ({ status, body: { message: 'no' } }));
    expect([result.code, loads.received.length, result.written.err]).toEqual([
      code,
      1,
      expect.stringMatching(/^millrace: (?:.*a\.ndjson: )?no\n$/),
    ]);
  });

  it('fails when the server requests too long a wait', async () => {
    const reply = { status: 429, headers: { 'retry-after': '86400' }, body: { message: 'tomorrow' } };
    const { code } = await ingest(['-f', file('a.ndjson', lines(1))], () => reply);
    expect([code, loads.received.length]).toEqual([5, 1]);
  });

  it.each(['środa', '日本'])('accepts any letters in the name of a load: %s', async (name) => {
    const { code } = await ingest(['-f', file('e.ndjson', lines(1)), '--idempotency-key', name], () => ({
      body: { ingested: 1, failed: 0, failures: [] },
    }));
    const key = loads.received[0]?.headers['idempotency-key'] ?? '';
    expect([code, Buffer.from(key, 'latin1').toString()]).toEqual([0, `${name}-0`]);
  });

  it.each([
    [['--idempotency-key', 'a\nb'], '--idempotency-key has a character that no header can have'],
    [['-t', 'csv', '--csv-fields', 'a\nb'], '--csv-fields has a character that no header can have'],
    [['-O', 'ö'], 'the organization ID contains invalid characters'],
  ])('rejects %j, which no header can carry, before sending', async (args, message) => {
    const { code, written } = await ingest(['-f', file('e.ndjson', lines(1)), ...args], () => ({}));
    expect([code, loads.received, written.err]).toEqual([2, [], `millrace: ${message}\n`]);
  });

  it('repeats the same requests for the same load and name', async () => {
    const args = ['-f', file('e.ndjson', lines(200)), '--request-size', '1KiB', '--idempotency-key', 'monday'];
    const first = storingServer(() => undefined);
    await ingest(args, first.answer);
    const second = storingServer(() => undefined);
    await ingest(args, second.answer);
    expect(first.stored.size).toBeGreaterThan(1);
    expect(second.stored).toEqual(first.stored);
  });
});

describe('requests', () => {
  const sentRequest = async (args: readonly string[], input?: readonly string[]): Promise<ReceivedRequest> => {
    const { code, written } = await ingest(args, () => ({ body: { ingested: 1, failed: 0, failures: [] } }), input);
    expect(code, written.err).toBe(0);
    return loads.received[0]!;
  };

  it.each<readonly [string, string, string]>([
    ['a.json', '[{"a":1}]', 'application/json'],
    ['a.json', '{"a":1}\n{"a":2}', 'application/x-ndjson'],
    ['a.json', '{\n"a":1}', 'application/json'],
    ['a.jsonl', '{"a":1}', 'application/x-ndjson'],
    ['a.jsonl', '{"a":"cut o\n{"a":1}\n', 'application/x-ndjson'],
    ['a.jsonl', '{\n"a":1}', 'application/json'],
    ['a.csv', 'a\n1\n', 'text/csv'],
    ['a.log', 'a,b\n1,2\n', 'text/csv'],
    ['a.log', ' [1]', 'application/json'],
    ['a.jsonl', '{"a":1},{"b":2}\n', 'application/json'],
    ['a.log', '{"a":1},\n{"b":2},\n', 'application/json'],
  ])('%s holding %j is %s', async (name, text, type) => {
    const { headers, body } = await sentRequest(['-f', file(name, text)]);
    expect([headers['content-type'], body.toString()]).toEqual([type, text]);
  });

  it('standard input', async () => {
    const { headers, body, url } = await sentRequest([], ['{"a":', '1}\n']);
    expect([headers['content-type'], body.toString(), url.pathname]).toEqual([
      'application/x-ndjson',
      '{"a":1}\n',
      '/v1/datasets/logs/ingest',
    ]);
  });

  it.each([[[]], [['-f', '-']]])('sends what another program writes while it runs: %j', async (args) => {
    let more: (() => void) | undefined;
    const arrived: string[] = [];
    const env = await loads.serve(({ body }) => {
      arrived.push(body.toString());
      more?.();
      return { body: { ingested: 1, failed: 0, failures: [] } };
    });
    async function* slowInput(): AsyncGenerator<Uint8Array> {
      for (const id of [1, 2, 3]) {
        const sent = new Promise<void>((resolve) => (more = resolve));
        yield Buffer.from(`{"id":${id}}\n{"half`);
        await sent;
        yield Buffer.from('":1}\n');
      }
    }
    const io = memoryIo({ env });
    const input = Object.assign(slowInput(), { terminal: false });
    expect(await run(['ingest', 'logs', '-t', 'ndjson', ...args], commands, { ...io, input })).toBe(0);
    expect(arrived).toEqual(['{"id":1}\n', '{"half":1}\n{"id":2}\n', '{"half":1}\n{"id":3}\n', '{"half":1}\n']);
  });

  it('reports a failure while the input continues', async () => {
    const env = await loads.serve(() => ({ status: 404, body: { message: 'no such dataset' } }));
    const io = memoryIo({ env });
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"id":1}\n');
      await new Promise(() => undefined);
    }
    const input = Object.assign(endless(), { terminal: false });
    expect(await run(['ingest', 'logs'], commands, { ...io, input })).toBe(3);
  });

  it('sends no more after Ctrl-C; reports the stored events and how to resume', async () => {
    const interrupt = new AbortController();
    const { stored, answer } = storingServer(() => undefined);
    const env = await loads.serve((request, n) => {
      if (n === 1) interrupt.abort();
      return answer(request, n);
    });
    const text = lines(1000);
    const args = ['ingest', 'logs', '-f', file('events.ndjson', text), '--request-size', '1KiB'];
    const io = memoryIo({ env, interrupted: interrupt.signal });
    expect(await run(args, commands, io)).toBe(130);
    const key = /interrupted\n\d+ events had been stored before.* --idempotency-key (\S+) /.exec(io.written.err)?.[1];
    expect([...stored.values()].join('').length).toBeLessThan(text.length / 2);
    expect(await run([...args, '--idempotency-key', key ?? ''], commands, memoryIo({ env }))).toBe(0);
    expect([...stored.values()].join('').split('\n').sort()).toEqual(text.split('\n').sort());
  });

  it('sends no more of an archive after Ctrl-C when the server would not unpack it', async () => {
    const interrupt = new AbortController();
    const env = await loads.serve(({ headers }, n) => {
      if (n === 1) interrupt.abort();
      return headers['content-encoding'] === 'gzip'
        ? { status: 413, body: { message: 'large' } }
        : { body: { ingested: 1, failed: 0, failures: [] } };
    });
    const args = ['ingest', 'logs', '-f', file('x.ndjson.gz', gzipSync(lines(2000))), '--request-size', '8KiB'];
    expect(await run(args, commands, memoryIo({ env, interrupted: interrupt.signal }))).toBe(130);
    expect(loads.received).toHaveLength(2);
  });

  it('sends small compressed files unchanged', async () => {
    const packed = gzipSync('a,b\n1,2\n');
    const { headers, body } = await sentRequest(['-f', file('x.csv.gz', packed)]);
    expect([headers['content-encoding'], headers['content-type'], body.equals(packed)]).toEqual([
      'gzip',
      'text/csv',
      true,
    ]);
  });

  it('unpacks and splits large compressed files', async () => {
    const text = Array.from({ length: 500 }, () => `{"id":"${Math.random()}"}\n`).join('');
    const { stored, answer } = storingServer(() => undefined);
    const path = file('x.ndjson.gz', gzipSync(text));
    const { code } = await ingest(['-f', path, '--request-size', '2KiB', '--concurrency', '1'], answer);
    expect(code).toBe(0);
    expect([...stored.values()].join('')).toBe(text);
  });

  it('unpacks and splits files that expand beyond the server limit', async () => {
    const text = lines(2000);
    const { stored, answer } = storingServer(() => undefined);
    const path = file('x.ndjson.gz', gzipSync(text));
    const { code } = await ingest(['-f', path, '--request-size', '8KiB'], (request, n) =>
      request.headers['content-encoding'] === undefined
        ? answer(request, n)
        : { status: 413, body: { message: 'large' } },
    );
    expect(code).toBe(0);
    expect([...stored.values()].join('')).toBe(text);
  });

  it('labels, timestamps and CSV options', async () => {
    const csv = ['--csv-fields', 'a,ö', '--csv-delimiter', ';'];
    const times = ['--timestamp-field', 'a', '--timestamp-format', '2006'];
    const labels = ['-l', 'site=berlin', '-l', 'näme=ü=1'];
    const { headers, url } = await sentRequest(['-f', file('a.csv', '1;2\n'), ...csv, ...times, ...labels]);
    expect(JSON.parse(headers['x-axiom-event-labels'] ?? '')).toEqual({ site: 'berlin', näme: 'ü=1' });
    expect(Buffer.from(headers['x-axiom-csv-fields'] ?? '', 'latin1').toString()).toBe('a,ö');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'timestamp-field': 'a',
      'timestamp-format': '2006',
      'csv-delimiter': ';',
    });
  });

  const delimiterSent = async (name: string, content: string | Uint8Array, ...args: string[]) =>
    (await sentRequest(['-f', file(name, content), ...args])).url.searchParams.get('csv-delimiter');

  it.each([
    ['comma', 'a.csv', 'id,name;x\n1,2\n', null],
    ['semicolon, as spreadsheets write it', 'a.csv', '\ufeffid;name\r\n1;2,5\r\n', ';'],
    ['semicolon between quoted names', 'a.csv', '"id, old";"name"\n1;2\n', ';'],
    ['tab', 'a.tsv', 'id\tname\n1\t2\n', '\\t'],
    ['tab where the name of the file says so', 'a.tsv.gz', gzipSync('id\tcity, state\n1\t2\n'), '\\t'],
    ['bar', 'a.csv', 'id|name\n1|2\n', '|'],
    ['tab in front of the first name', 'a.csv', '\tid\n1\t2\n', '\\t'],
    ['semicolon behind a name of two lines', 'a.csv', '"id\n(old), really";name\n1;2\n', ';'],
    ['semicolon behind a name with quotes', 'a.csv', '"the ""id"", old";name\n1;2\n', ';'],
    ['semicolon, in lines that end in CR', 'a.csv', 'id;name\r1;"2,5"\r', ';'],
    ['semicolon in the first line that is not empty', 'a.csv', ' \n\nid;name\n1,2;3\n', ';'],
    ['nothing', 'a.csv', 'id\n1;2\n', null],
    ['packed', 'a.csv.gz', gzipSync('id;name\n1;2\n'), ';'],
  ])('detects the delimiter of CSV names for its cells: %s', async (_, name, content, delimiter) =>
    expect(await delimiterSent(name, content)).toBe(delimiter),
  );

  it.each([
    ['without names', '1;2\n', ['--csv-fields', 'line']],
    ['of which it is said', 'id;name\n1;2\n', ['--csv-delimiter', ',']],
  ])('does not detect the delimiter of CSV cells %s', async (_, content, args) =>
    expect(await delimiterSent('a.csv', content, ...args)).toBeNull(),
  );

  it.each([
    [['--csv-delimiter', '::'], 'a::b\n1::2\n'],
    [['--csv-fields', 'text'], '{1}\n'],
  ])('%j marks the input as CSV', async (args, content) => {
    const { written } = await ingest(['-f', file('a.log', content), ...args], (): Reply => ({
      body: { ingested: 1, failed: 0, failures: [] },
    }));
    expect(written).toMatchObject({ err: '', out: expect.stringContaining('1 event stored') });
  });

  it.each([
    ['2026-11-26T11:00:00Z,10.0.0.1,200,GET\n', 4],
    ['1;2.5;x\n', 3],
    ['id,name,status\n1,2,3\n', undefined],
    ['country,2024,2025\na,1,2\n', undefined],
    ['"1","2"\n', undefined],
  ])('a CSV that begins %j reports missing names for %s columns', async (content, columns) => {
    const path = file('a.csv', content);
    const { written } = await ingest(['-f', path], (): Reply => ({ body: { ingested: 1, failed: 0, failures: [] } }));
    const names = Array.from({ length: columns ?? 0 }, (_, i) => `column_${i + 1}`).join(',');
    expect(written.err).toBe(
      columns === undefined
        ? ''
        : `warn: ${path}: the first row seems to be data, and names the columns; if it is, name them with --csv-fields, or --no-header calls them ${names}\n`,
    );
  });

  it('treats likely CSV as CSV with a warning', async () => {
    const answer = (): Reply => ({ body: { ingested: 1, failed: 0, failures: [] } });
    const path = file('a.log', 'a;b\n1;2\n');
    const { written } = await ingest(['-f', path], answer);
    expect(written.err).toBe(
      `warn: ${path} is read as CSV: each of its first lines has 2 cells between ';'; if it is none, --type says what it is\n`,
    );
    expect((await ingest(['-f', path, '-t', 'csv'], answer)).written.err).toBe('');
  });

  it.each(['Monday, rain\nTuesday\n', 'Hello, world', 'a,b\n1,2\n3,4,5\n', 'x\ny\n'])(
    'does not treat other text as CSV: %j',
    async (text) => {
      const { code, written } = await ingest(['-f', file('a.log', text)], () => ({}));
      expect([code, loads.received]).toEqual([2, []]);
      expect(written.err).toMatch(/a\.log: cannot tell the format; say --type json, ndjson or csv\n$/);
    },
  );

  it('splits a large CSV by its delimiter', async () => {
    const text = `id;name\n${'1;"a\nb"\n'.repeat(500)}`;
    const { stored, answer } = storingServer(() => undefined);
    const { code } = await ingest(['-f', file('a.csv', text), '--request-size', '1KiB'], answer);
    expect(code).toBe(0);
    expect([...stored.values()].length).toBeGreaterThan(2);
    for (const body of stored.values()) expect(body).toMatch(/^id;name\n(1;"a\nb"\n)+$/);
  });
});
