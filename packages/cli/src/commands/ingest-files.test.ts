import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Reply } from '../testing/fake-server.js';
import { Loads } from '../testing/loads.js';

/** Kinds of files that are not simply events: without a header, with lists, with bytes. */

const loads = new Loads();
const ingest = loads.run.bind(loads);
const file = loads.file.bind(loads);
const storedReply: Reply = { body: { ingested: 1, failed: 0, failures: [] } };

async function sentRequest(args: readonly string[]) {
  await ingest(args, () => storedReply);
  return loads.received.at(-1)!;
}

it.each([
  ['a.csv', '1;2.5;x\n2;3;y;z\n', [], 'column_1,column_2,column_3,column_4', ';'],
  ['a.log', '"1,5",2\n', [], 'column_1,column_2', null],
  ['a.csv', '1::2\n', ['--csv-delimiter', '::'], 'column_1,column_2', '::'],
])('--no-header numbers the columns of %s %j %j', async (name, content, args, names, delimiter) => {
  const { headers, body, url } = await sentRequest(['-f', file(name, content), '--no-header', ...args]);
  expect([headers['x-axiom-csv-fields'], url.searchParams.get('csv-delimiter')]).toEqual([names, delimiter]);
  expect([headers['content-type'], body.toString()]).toEqual(['text/csv', content]);
});

const trail = '{"Records":[{"eventTime":"2026-01-02T03:04:05Z","n":1},\n{"eventTime":"2026-01-02T03:04:06Z"}]}';
const expandedTrail = '{"eventTime":"2026-01-02T03:04:05Z","n":1}\n{"eventTime":"2026-01-02T03:04:06Z"}\n';

it.each([
  ['a.json', trail],
  ['a.json.gz', gzipSync(trail)],
])('expands %s on request and suggests it', async (name, content) => {
  const path = file(name, content);
  const args = ['-f', path, '--expand', 'Records', '--timestamp-field', 'auto'];
  const { headers, body, url } = await sentRequest(args);
  expect([headers['content-type'], headers['content-encoding'], body.toString()]).toEqual([
    'application/x-ndjson',
    undefined,
    expandedTrail,
  ]);
  expect(url.searchParams.get('timestamp-field')).toBe('eventTime');
  const { written } = await ingest(['-f', path], () => storedReply);
  expect(written.err).toBe(
    `warn: ${path}: objects have their events in 'Records'; --expand Records stores each as an event\n`,
  );
});

it('says which members --expand leaves out', async () => {
  const path = file('page.json', '{"entries":[{"n":1}],"nextPageToken":"t"}');
  expect((await ingest(['-f', path, '--expand', 'entries'], () => storedReply)).written.err).toBe(
    `warn: ${path}: --expand: members after 'entries' are not stored: 'nextPageToken'\n`,
  );
});

it.each([
  [['--no-header', '--csv-fields', 'a'], '--no-header and --csv-fields exclude each other'],
  [['--expand', 'records', '-t', 'csv'], '--expand needs JSON'],
])('rejects %j', async (args, message) => {
  const { code, written } = await ingest(['-f', file('a.csv', '1\n'), ...args], () => ({}));
  expect([code, loads.received]).toEqual([2, []]);
  expect(written.err).toContain(message);
});

it('writes bytes of the journal as text', async () => {
  const entry = '{"__CURSOR":"c","__REALTIME_TIMESTAMP":"1790000000000000","MESSAGE":[104,105]}\n';
  const { body, url } = await sentRequest(['-f', file('journal.json', entry), '--timestamp-field', 'auto']);
  expect(JSON.parse(body.toString())).toMatchObject({ MESSAGE: 'hi' });
  expect(url.searchParams.get('timestamp-field')).toBe('__REALTIME_TIMESTAMP');
});
