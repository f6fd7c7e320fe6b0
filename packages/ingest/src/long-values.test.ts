import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../engine/src/testing/free-port.js';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { pack } from './bytes/pack.js';
import { delivery, frameMessage, lokiPush } from './testing/bodies.js';
import { snappy } from './testing/snappy.js';

/** A value that is too long to be stored keeps its beginning, in every protocol. */

const most = 200;
const ports = { syslog: 0, fluentd: 0, gelf: 0 };
let world: EngineTestServer;
beforeAll(async () => {
  const address = async (name: keyof typeof ports) => `tcp://127.0.0.1:${(ports[name] = await freePort())}/${name}`;
  world = await openEngineTestServer({
    maxValueBytes: most,
    syslogListeners: [await address('syslog')],
    fluentdListeners: [await address('fluentd')],
    gelfListeners: [await address('gelf')],
  });
});
afterAll(() => world.close());

const long = `begin ${'x'.repeat(294)}`;
const note = '<invalid string: too long, 300 bytes>';
const storedText = `${long.slice(0, most - note.length)}${note}`;

interface SentForm {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The field with the value. */
  readonly field: string;
}

const json = { 'content-type': 'application/json' };
const otlp = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: long } }] }] }] };

const protocols: Readonly<Record<string, SentForm>> = {
  'native JSON': { path: '/v1/ingest/{dataset}', headers: json, body: JSON.stringify([{ a: long }]), field: 'a' },
  'native NDJSON': {
    path: '/v1/datasets/{dataset}/ingest',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ a: { b: long } }),
    field: 'a.b',
  },
  'native CSV': {
    path: '/v1/datasets/{dataset}/ingest',
    headers: { 'content-type': 'text/csv' },
    body: `a\n${long}`,
    field: 'a',
  },
  Elasticsearch: {
    path: '/v1/ingest/{dataset}/elastic/_bulk',
    body: `{"create":{}}\n${JSON.stringify({ message: long })}\n`,
    field: 'message',
  },
  'Splunk HEC': {
    path: '/services/collector/event',
    body: JSON.stringify({ event: { message: long } }),
    field: 'message',
  },
  'Splunk HEC, raw': { path: '/services/collector/raw', body: long, field: '_raw' },
  'Loki, JSON': {
    path: '/loki/api/v1/push',
    headers: json,
    body: JSON.stringify({ streams: [{ stream: { app: 'a' }, values: [['1790000000000000000', long]] }] }),
    field: 'message',
  },
  'Loki, protobuf': {
    path: '/loki/api/v1/push',
    headers: { 'content-type': 'application/x-protobuf' },
    body: snappy(lokiPush([{ labels: '{app="a"}', lines: [long] }])),
    field: 'message',
  },
  Firehose: {
    path: '/v1/ingest/{dataset}/firehose',
    headers: { 'x-amz-firehose-request-id': 'r' },
    body: delivery([long]),
    field: 'message',
  },
  Heroku: {
    path: '/v1/ingest/{dataset}/heroku',
    headers: { 'content-type': 'application/logplex-1' },
    body: frameMessage(`<40>1 2026-09-21T14:13:20+00:00 host app web.3 - ${long}`),
    field: 'message',
  },
  Datadog: { path: '/api/v2/logs', headers: json, body: JSON.stringify([{ message: long }]), field: 'message' },
  'Honeycomb, JSON': { path: '/1/events/{dataset}', headers: json, body: JSON.stringify({ a: long }), field: 'a' },
  'Honeycomb, MessagePack': {
    path: '/1/events/{dataset}',
    headers: { 'content-type': 'application/msgpack' },
    body: pack({ a: long }),
    field: 'a',
  },
  journald: {
    path: '/v1/ingest/{dataset}/journald/upload',
    body: `__REALTIME_TIMESTAMP=1790000000000123\nMESSAGE=${long}\n\n`,
    field: 'message',
  },
  Vercel: {
    path: '/v1/ingest/{dataset}/vercel',
    headers: json,
    body: JSON.stringify([{ message: long }]),
    field: 'message',
  },
  Alertmanager: {
    path: '/v1/ingest/{dataset}/alertmanager',
    headers: json,
    body: JSON.stringify({ receiver: 'r', alerts: [{ status: 'firing', annotations: { summary: long } }] }),
    field: 'annotations.summary',
  },
  CloudEvents: {
    path: '/v1/ingest/{dataset}/cloudevents',
    headers: { 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({ specversion: '1.0', id: '1', source: '/o', type: 't', data: { text: long } }),
    field: 'data.text',
  },
  Sentry: {
    path: '/api/7/envelope/',
    body: `{}\n{"type":"event"}\n${JSON.stringify({ message: long })}`,
    field: 'message',
  },
  'OTLP, JSON': {
    path: '/v1/logs',
    headers: { ...json, 'x-axiom-dataset': '{dataset}' },
    body: JSON.stringify(otlp),
    field: 'body',
  },
};

test.each(Object.entries(protocols))('%s', async (name, { path, headers = {}, body, field }) => {
  const dataset = name.toLowerCase().replaceAll(/\W+/g, '-');
  await world.dataset(dataset);
  const token = await world.token({ datasetCapabilities: { [dataset]: { ingest: ['create'] } } });
  const named = Object.entries(headers).map(([key, value]) => [key, value.replace('{dataset}', dataset)] as const);
  const response = await fetch(`${world.url}${path.replace('{dataset}', dataset)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(named) },
    body: Uint8Array.from(Buffer.from(body)),
  });
  expect([response.status, await response.text()]).toEqual([expect.toBeOneOf([200, 202, 204]), expect.anything()]);
  const { tables } = await world.apl(`['${dataset}'] | project value = ['${field}']`);
  expect(tables[0]!.columns[0]).toEqual([storedText]);
});

const gelf = JSON.stringify({ version: '1.1', host: 'h', short_message: long, _more: 'x' });

test.each<[keyof typeof ports, string | Uint8Array]>([
  ['syslog', `<13>1 2026-09-21T14:13:20Z host app - - - ${long}\n`],
  ['fluentd', pack(['tag', 1_790_000_000, { message: long }, {}])],
  ['gelf', `${gelf}\0`],
])('%s', async (name, body) => {
  await world.dataset(name);
  const socket = connect(ports[name], '127.0.0.1');
  socket.end(body);
  await once(socket, 'finish');
  await vi.waitFor(
    async () => {
      const { tables } = await world.apl(`${name} | project message`);
      expect(tables[0]!.columns[0]).toEqual([storedText]);
    },
    { timeout: 15_000, interval: 100 },
  );
  socket.destroy();
});
