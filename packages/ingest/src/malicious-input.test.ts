import { gzipSync } from 'node:zlib';
import { DEFAULT_LIMITS } from '@millrace/events';
import { expect, test } from 'vitest';
import { HttpError } from '@millrace/api/errors';
import { JsonScan, longestValue } from './bytes/json-scan.js';
import { type BodyOptions, encodeBody } from './encode-body.js';
import { delivery, lokiPush } from './testing/bodies.js';
import { snappy } from './testing/snappy.js';
import type { ProtocolName } from './protocols.js';

/**
 * Bodies designed to take time or memory. Each gets a response, in time proportional to its length.
 */

const kibibyte = 1024;
const limit = 16 * kibibyte * kibibyte;

interface Hostile {
  readonly protocol: ProtocolName;
  readonly body: string | Uint8Array;
  readonly options?: Partial<BodyOptions>;
  /**
   * Expected outcome: an error of the whole request, or the numbers of stored and failed events.
   */
  readonly becomes: string | readonly [ingested: number, failed: number];
}

const msgpackOptions = { contentType: 'application/msgpack' };
const many = 100_000;
const gelfEntry = (message: Buffer): Buffer => Buffer.concat([Buffer.from(`::1 ${message.length} `), message]);

const cases: Readonly<Record<string, Hostile>> = {
  'HEC: nothing but beginnings of envelopes': {
    protocol: 'splunk',
    body: '{"event":{"a":"b\n'.repeat(many),
    becomes: [0, many],
  },
  'HEC: brackets that never close': { protocol: 'splunk', body: `{"event":${'['.repeat(many)}`, becomes: [0, 1] },
  'HEC: very many broken envelopes on one line': { protocol: 'splunk', body: '{x}'.repeat(many), becomes: [0, many] },
  'Datadog: broken lists in lists': {
    protocol: 'datadog',
    body: `${'[\n'.repeat(many)}${']x'.repeat(many)}`,
    becomes: [0, 2],
  },
  'Firehose: very many objects on one line': {
    protocol: 'firehose',
    body: delivery(['{"a":1}'.repeat(many)]),
    becomes: [many, 0],
  },
  'Firehose: nothing but beginnings of lists': {
    protocol: 'firehose',
    body: delivery(['[{"a":1},[\n'.repeat(many)]),
    becomes: [many, many],
  },
  'Datadog: nothing but beginnings of entries': {
    protocol: 'datadog',
    body: '{"message":{"a":"b\n'.repeat(many),
    becomes: [0, many],
  },
  'Vercel: nothing but beginnings of logs': {
    protocol: 'vercel',
    options: { form: 'mapped' },
    body: '{"message":{"a":"b\n'.repeat(many),
    becomes: [0, many],
  },
  'Elasticsearch: more deletions than can be answered': {
    protocol: 'elastic',
    body: '{"delete":{}}\n'.repeat(many + 1),
    becomes: 'too-many-failures',
  },
  'Elasticsearch: an action that is longer than any index name': {
    protocol: 'elastic',
    body: `{"index":{"_id":"${'x'.repeat(64 * kibibyte)}"}}\n{}\n`,
    becomes: 'invalid-request',
  },
  'Elasticsearch: more than a million actions': {
    protocol: 'elastic',
    body: '{"index":{}}\n{}\n'.repeat(10 * many + 1),
    becomes: 'too-many-actions',
  },
  'Elasticsearch: more than a hundred thousand actions, one of them for another dataset': {
    protocol: 'elastic',
    options: { part: { dataset: 'own', rest: false } },
    body: '{"create":{"_index":"other"}}\n{}\n' + '{"create":{"_index":"own"}}\n{}\n'.repeat(many),
    becomes: 'too-many-actions',
  },
  'Elasticsearch: an index for each action': {
    protocol: 'elastic',
    options: { part: { dataset: 'own', rest: false } },
    body: Array.from({ length: 60 }, (_, i) => `{"delete":{"_index":"i${i}"}}\n`).join(''),
    becomes: 'too-many-datasets',
  },
  'Loki: a dataset for each stream': {
    protocol: 'loki',
    options: { contentType: 'application/json', part: { dataset: 'own', rest: false } },
    body: JSON.stringify({
      streams: Array.from({ length: 60 }, (_, i) => ({
        stream: { _axiom_dataset_key: `d${i}` },
        values: [['1', 'x']],
      })),
    }),
    becomes: 'too-many-datasets',
  },
  'Loki: an entry of very many parts': {
    protocol: 'loki',
    options: { contentType: 'application/json' },
    body: `{"streams":[{"stream":{},"values":[["1790000000000000000","x",{}${',1'.repeat(many)}]]}]}`,
    becomes: [1, 0],
  },
  'Elasticsearch: halves of documents': {
    protocol: 'elastic',
    body: '{"create":{}}\n{"a":{}\n'.repeat(1000),
    becomes: [0, 1000],
  },
  'Loki: a block that announces two gigabytes': {
    protocol: 'loki',
    body: Buffer.from([0xff, 0xff, 0xff, 0xff, 7, 0]),
    becomes: 'body-too-large',
  },
  'Loki: labels that every line gets': {
    protocol: 'loki',
    options: { contentType: 'application/json' },
    body: JSON.stringify({
      streams: [{ stream: { a: 'x'.repeat(kibibyte) }, values: Array.from({ length: many }, () => ['1', '']) }],
    }),
    becomes: 'events-too-large',
  },
  'Loki: a label that takes nearly the whole body': {
    protocol: 'loki',
    body: snappy(lokiPush([{ labels: `{a="${'x'.repeat(12 * kibibyte * kibibyte)}"}`, lines: ['line'] }])),
    becomes: [1, 0],
  },
  'Loki: ten thousand labels': {
    protocol: 'loki',
    body: snappy(
      lokiPush([
        { labels: `{${Array.from({ length: many / 10 }, (_, i) => `a${i}="b"`).join(',')}}`, lines: ['line'] },
      ]),
    ),
    becomes: [1, 0],
  },
  'Syslog: line ends that end no line': {
    protocol: 'syslog',
    body: `::1 ${many} ${'\r'.repeat(many - 1)}x`,
    becomes: [1, 0],
  },
  'Syslog: structured data that never ends': {
    protocol: 'syslog',
    body: `::1 ${many} ${'<13>1 - - - - - [a '.padEnd(many, 'b="c" ')}`,
    becomes: [1, 0],
  },
  'Firehose: a record that is far longer than it looks': {
    protocol: 'firehose',
    body: JSON.stringify({ records: [{ data: gzipSync(Buffer.alloc(2 * limit)).toString('base64') }] }),
    becomes: [0, 1],
  },
  'Honeycomb: a list of four thousand million': {
    protocol: 'honeycomb',
    options: msgpackOptions,
    body: Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
    becomes: 'invalid-events',
  },
  'Honeycomb: more failures than can be answered': {
    protocol: 'honeycomb',
    options: msgpackOptions,
    body: Buffer.concat([Buffer.from([0xdd, 0, 2, 0, 0]), Buffer.alloc(0x2_0000, 0x80)]),
    becomes: 'too-many-failures',
  },
  'journald: a length of all ones': {
    protocol: 'journald',
    body: Buffer.concat([Buffer.from('MESSAGE\n'), Buffer.alloc(8, 255), Buffer.from('x\n\nMESSAGE=good\n\n')]),
    becomes: [1, 1],
  },
  'journald: nothing but empty lines': { protocol: 'journald', body: '\n'.repeat(many), becomes: [0, 0] },
  'GELF: a message that is far longer than it looks': {
    protocol: 'gelf',
    options: { form: String(kibibyte) },
    body: gelfEntry(gzipSync(Buffer.alloc(2 * limit))),
    becomes: [0, 1],
  },
  'GELF: brackets that never close': {
    protocol: 'gelf',
    options: { form: String(limit) },
    body: gelfEntry(Buffer.from(`{"_a":${'['.repeat(many)}`)),
    becomes: [0, 1],
  },
  'Sentry: nothing but headers of items': {
    protocol: 'sentry',
    body: `{}\n${'{"type":"event","length":0}\n'.repeat(many)}`,
    becomes: [0, many],
  },
  'Alertmanager: a key that every alert gets': {
    protocol: 'alertmanager',
    body: `{"groupKey":"${'x'.repeat(kibibyte)}","alerts":[${'{"a":1},'.repeat(many)}{}]}`,
    becomes: 'events-too-large',
  },
  'CloudEvents: broken lists in lists': {
    protocol: 'cloudevents',
    body: `${'[\n'.repeat(many)}${']x'.repeat(many)}`,
    becomes: [0, 2],
  },
  'Fluentd: lists that never end': { protocol: 'fluentd', body: Buffer.alloc(many, 0x91), becomes: 'invalid-events' },
};

test.each(Object.entries(cases))('%s', (_, { protocol, body, options, becomes }) => {
  const how: BodyOptions = {
    format: protocol,
    contentType: '',
    dataset: 1,
    mapFields: new Set(),
    arrival: 0n,
    limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: limit },
    ...options,
  };
  const read = () => {
    try {
      const sent = Uint8Array.from(Buffer.from(body));
      const { encoded } = encodeBody(sent, how, { place: ({ uses }) => uses.map(() => true) });
      return [encoded.ingested, encoded.failed];
    } catch (error) {
      if (error instanceof HttpError) return error.code;
      throw error;
    }
  };
  expect(read()).toEqual(becomes);
});

test('nothing long is made into objects, which take thirty times the memory', () => {
  const list = (bytes: number) => new JsonScan(Buffer.from(`[${' '.repeat(bytes - 2)}]`));
  expect(list(longestValue).value(0, longestValue)).toEqual([]);
  expect(list(longestValue + 1).value(0, longestValue + 1)).toBeUndefined();
});
