import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Loads, lines } from '../testing/loads.js';
import type { Reply } from '../testing/fake-server.js';

const loads = new Loads();
const ingest = loads.run.bind(loads);
const file = loads.file.bind(loads);

describe('messages', () => {
  it('rejected events, with reasons and exit code 1', async () => {
    const failures = [{ timestamp: '', error: 'line 2: not \u001B[2JJSON' }];
    const { code, written } = await ingest(['-f', file('a.ndjson', lines(2))], () => ({
      body: { ingested: 1, failed: 1, failures },
    }));
    expect(code).toBe(1);
    expect(written.out).toMatch(/^1 event stored in logs: 18 B in /);
    expect(written.err).toBe(
      `1 event refused; the first reasons:\n  ${join(loads.directory, 'a.ndjson')}: line 2: not \\u001b[2JJSON\n`,
    );
  });

  it('advice for a proxy with a small request limit', async () => {
    const { code, written } = await ingest(['-f', file('a.ndjson', lines(2))], () => ({ status: 413, body: '<html>' }));
    expect([code, written.err]).toEqual([
      1,
      'millrace: the server answered 413 Payload Too Large; if a proxy sets that limit, --request-size 1MiB or less stays below it\n',
    ]);
  });

  it('advice for a slow connection', async () => {
    const slow: Reply = { status: 408, body: { code: 408, message: 'the request did not arrive in time' } };
    const { code, written } = await ingest(['-f', file('a.ndjson', lines(2))], () => slow);
    expect([code, written.err]).toEqual([
      1,
      'millrace: the request did not arrive in time; on a slow line --concurrency 1 and a smaller --request-size help\n',
    ]);
  });

  it('rejected events of a load that fails later', async () => {
    const args = ['-f', file('a.ndjson', lines(200)), '--request-size', '1KiB', '--concurrency', '1'];
    const { code, written } = await ingest(args, (_, n) =>
      n === 0
        ? { body: { ingested: 0, failed: 1, failures: [{ timestamp: '', error: 'no' }] } }
        : { status: 403, body: { message: 'forbidden' } },
    );
    expect([code, written.err]).toEqual([
      4,
      expect.stringMatching(/^1 event refused; the first reasons:\n.*a\.ndjson: .*no\nmillrace: forbidden\n$/),
    ]);
  });

  describe('values that the server dropped from stored events', () => {
    const drops = (n: number): Reply => ({
      body: {
        ingested: 1,
        failed: 0,
        failures: [],
        messages: [
          { priority: 'warn', code: 'schema_rules_drop:b', count: 2, msg: 'field "b" dropped: \u001B[2Jnot declared' },
          ...(n === 0 ? [{ priority: 'warn', code: 'schema_rules_drop:c', count: 1, msg: 'field "c" dropped' }] : []),
        ],
      },
    });
    const load = (...args: readonly string[]) =>
      ingest(['-f', file('a.ndjson', lines(150)), '--request-size', '1KiB', '--concurrency', '1', ...args], (_, n) =>
        drops(n),
      );

    it('one warning each, over all requests', async () => {
      const { code, written } = await load();
      const requests = loads.received.length;
      expect(requests).toBeGreaterThan(1);
      expect([code, written.err]).toEqual([
        0,
        `warn: field "b" dropped: \\u001b[2Jnot declared: ${2 * requests} values\nwarn: field "c" dropped: 1 value\n`,
      ]);
    });

    it('are in the JSON', async () => {
      const { written } = await load('--json');
      const requests = loads.received.length;
      expect((JSON.parse(written.out) as { messages: unknown }).messages).toEqual([
        {
          priority: 'warn',
          code: 'schema_rules_drop:b',
          count: 2 * requests,
          msg: 'field "b" dropped: \u001B[2Jnot declared',
        },
        { priority: 'warn', code: 'schema_rules_drop:c', count: 1, msg: 'field "c" dropped' },
      ]);
    });
  });

  it.each<readonly [string, readonly string[], string]>([
    ['a file that is missing', ['-f', '/nowhere/x'], '/nowhere/x cannot be read: there is no such file or directory\n'],
    ['a label without a value', ['-f', '/dev/null', '-l', 'x'], "--label: expected NAME=VALUE, not 'x'"],
    ['nothing', [], 'no input: use --file or pipe events to standard input'],
  ])('%s', async (_, args, message) => {
    const { code, written } = await ingest(args, () => ({}));
    expect(code).toBeGreaterThan(0);
    expect(written.err).toContain(message);
  });

  it('names the file that a server cannot read', async () => {
    const { code, written } = await ingest(['-f', file('a.csv', 'a\n1\n'), '-f', file('b.csv', 'a"\n')], ({ body }) =>
      body.includes('"')
        ? { status: 400, body: { code: 400, message: 'CSV header, line 1: a quote' } }
        : { body: { ingested: 1, failed: 0, failures: [] } },
    );
    expect([code, written.err]).toEqual([1, expect.stringMatching(/b\.csv: CSV header, line 1: a quote\n1 event had/)]);
  });

  it('a damaged archive', async () => {
    const packed = gzipSync(Buffer.from(lines(2000))).subarray(0, -20);
    const { code, written } = await ingest(['-f', file('x.gz', packed), '--request-size', '1KiB'], () => ({
      body: { ingested: 1, failed: 0, failures: [] },
    }));
    expect([code, written.err]).toEqual([1, expect.stringContaining('damaged gzip data: unexpected end of file')]);
  });
});
