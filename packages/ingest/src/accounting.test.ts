import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';
import { HttpError } from '@millrace/api/errors';
import { expect, test } from 'vitest';
import { pack } from './bytes/pack.js';
import { encodeBody } from './encode-body.js';
import type { FormatName } from './formats/body-formats.js';
import { messagesIn } from './gelf/split-stream.js';
import { otlpFormats } from './otlp/body-format.js';
import { protobufOf } from './otlp/testing/otlp-protobuf.js';
import { writeRequest, writeRequest2 } from './prometheus/testing/write-request.js';
import { protocols } from './protocols.js';
import { FrameReader } from './syslog/frame-reader.js';
import { delivery, frameMessage, lokiPush, notification } from './testing/bodies.js';
import { snappy } from './testing/snappy.js';

/**
 * Every record of an acknowledged body is stored or counted as failed, in every protocol: for
 * concatenated bodies, bodies truncated anywhere, and broken records in between. A body may also be
 * rejected as a whole, so that its sender keeps it.
 */

interface Form {
  readonly format: FormatName;
  readonly form?: string;
  readonly contentType?: string;
  readonly before?: string | ((count: number) => Buffer);
  readonly record: (n: number) => string | Buffer;
  readonly between?: string;
  readonly after?: string;
  /** Builds a request body from a concatenation of records. */
  readonly wrap?: (body: Buffer) => Uint8Array | Promise<Uint8Array>;
  /** Broken records: their brackets match, or their line ends. */
  readonly broken?: readonly string[];
}

const message = (n: number): string => JSON.stringify({ message: `m${n}`, nested: { a: [1, '}{'] } });
const json = 'application/json';
const cloudWatch = (n: number): string =>
  JSON.stringify({
    messageType: 'DATA_MESSAGE',
    logGroup: 'g',
    logEvents: [{ id: `${n}`, timestamp: 1_790_000_000_000, message: 'x' }],
  });
const inDelivery = (body: Buffer): Uint8Array => Buffer.from(delivery([body]));
const binary = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x0a, 0x62, 0x0a]);

const protobuf = 'application/x-protobuf';
const address = '192.0.2.1';

/** What a listener makes of the bytes of a connection. */
function syslogStream(body: Buffer): Buffer {
  const messages: Buffer[] = [];
  const reader = new FrameReader(1000, (message) => void messages.push(Buffer.from(message)));
  for (let at = 0; at < body.length; at += 7) reader.push(body.subarray(at, at + 7));
  reader.end();
  return Buffer.concat(messages.map((message) => protocols.syslog.sockets!.batched!(address, message)));
}

async function gelfStream(body: Buffer): Promise<Buffer> {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += 7) yield body.subarray(at, at + 7);
  };
  const messages: Buffer[] = [];
  for await (const message of messagesIn(pieces(), 1000, () => undefined))
    messages.push(protocols.gelf.sockets!.batched!(address, message));
  return Buffer.concat(messages);
}

const series = (n: number) => ({ labels: { __name__: `m${n}` }, samples: [[1_790_000_000_000 + n, n]] as const });
/** The bytes of the symbols '', '__name__' and 'm0'. */
const symbolBytes = 16;
const gauge = (n: number): object => ({
  name: `m${n}`,
  gauge: { dataPoints: [{ timeUnixNano: `179000000000000000${n}`, asDouble: n }] },
});

const forms: Readonly<Record<string, Form>> = {
  syslog: {
    format: 'syslog',
    record: (n) => `<13>1 2026-09-21T14:13:20Z host app - - - m${n}\n`,
    wrap: syslogStream,
    broken: ['\x00\xff\n', '<13>\n', '<999999>1 x\n'],
  },
  'syslog with lengths': {
    format: 'syslog',
    record: (n) => frameMessage(`<13>1 2026-09-21T14:13:20Z host app - - - m${n}`),
    wrap: syslogStream,
  },
  GELF: {
    format: 'gelf',
    form: '1000',
    record: (n) => `{"version":"1.1","host":"h","short_message":"m${n}"}\0`,
    wrap: gelfStream,
    broken: ['{"version":"1.1"\0', 'x\0', '7\0', '\x1e\x0f\0'],
  },
  CSV: { format: 'csv', contentType: 'text/csv', before: 'a,b\n', record: (n) => `${n},x\n`, broken: ['1,2,3\n'] },
  'a webhook': { format: 'webhook', contentType: json, record: (n) => `${message(n)}\n`, broken: ['{"a":}\n'] },
  'a webhook with CSV': { format: 'webhook', contentType: 'text/csv', before: 'a\n', record: (n) => `${n}\n` },
  'Honeycomb in MessagePack': {
    format: 'honeycomb',
    form: 'batch',
    contentType: 'application/msgpack',
    before: (count) => Buffer.from([0x90 + count]),
    record: (n) => pack({ data: { n } }),
  },
  'Fluentd with entries': {
    format: 'fluentd',
    record: (n) => pack(['tag', [[1_790_000_000, { n }]]]),
  },
  'remote write 1': {
    format: 'prometheus',
    form: 'snappy',
    contentType: protobuf,
    record: (n) => writeRequest([series(n)]),
    wrap: snappy,
  },
  'remote write 2': {
    format: 'prometheus',
    contentType: `${protobuf};proto=io.prometheus.write.v2.Request`,
    // The symbols, then a series with samples of the same name.
    before: () => writeRequest2([series(0)]).subarray(0, symbolBytes),
    record: (n) => writeRequest2([series(n)]).subarray(symbolBytes),
  },
  'OTLP traces in JSON': {
    format: 'otlp-traces',
    contentType: json,
    before: '{"resourceSpans":[{"scopeSpans":[{"spans":[',
    record: (n) => `{"traceId":"${'a'.repeat(32)}","spanId":"${'b'.repeat(15)}${n}","name":"${n}"}`,
    between: ',',
    after: ']}]}]}',
  },
  'OTLP metrics in JSON': {
    format: 'otlp-metrics',
    contentType: json,
    before: '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[',
    record: (n) => JSON.stringify(gauge(n)),
    between: ',',
    after: ']}]}]}',
  },
  'OTLP logs in protobuf': {
    format: 'otlp-logs',
    contentType: protobuf,
    record: (n) =>
      protobufOf('ExportLogsServiceRequest', {
        resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: `${n}` } }] }] }],
      }),
  },
  'OTLP traces in protobuf': {
    format: 'otlp-traces',
    contentType: protobuf,
    record: (n) =>
      protobufOf('ExportTraceServiceRequest', {
        resourceSpans: [
          { scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: `${'b'.repeat(15)}${n}`, name: `${n}` }] }] },
        ],
      }),
  },
  'OTLP metrics in protobuf': {
    format: 'otlp-metrics',
    contentType: protobuf,
    record: (n) =>
      protobufOf('ExportMetricsServiceRequest', { resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge(n)] }] }] }),
  },
  'HEC on one line': {
    format: 'splunk',
    contentType: json,
    record: (n) => `{"event":${message(n)}}`,
    broken: ['{"event":}', '{"x":1}', '{"event" 1}'],
  },
  'HEC in lines': {
    format: 'splunk',
    contentType: json,
    record: (n) => `{"event":${message(n)}}\n`,
    broken: ['{"event":"\n', 'text\n', '{"event":""}\n'],
  },
  'HEC in a list': {
    format: 'splunk',
    contentType: json,
    before: '[',
    record: (n) => `{"event":${message(n)}}`,
    between: ',',
    after: ']',
    broken: ['{"event":}'],
  },
  'HEC raw': { format: 'splunk', form: 'raw', contentType: 'text/plain', record: (n) => `line ${n}\n` },
  bulk: {
    format: 'elastic',
    contentType: json,
    record: (n) => `{"create":{}}\n${message(n)}\n`,
    broken: ['{"create":{}}\n{"a":}\n', '{"create":{}}\ntext\n'],
  },
  'Loki JSON': {
    format: 'loki',
    contentType: json,
    before: '{"streams":[{"stream":{"a":"1"},"values":[',
    record: (n) => `["179000000000000000${n}","l"]`,
    between: ',',
    after: ']}]}',
    broken: ['[1]', '["1790000000000000000",nil]', '["1790000000000000000","x",{"a" 1}]'],
  },
  'Loki protobuf': {
    format: 'loki',
    contentType: 'application/x-protobuf',
    record: (n) => Buffer.from(lokiPush([{ labels: '{a="b"}', lines: [`${n}`] }])),
    wrap: snappy,
  },
  'Firehose with objects': {
    format: 'firehose',
    record: message,
    wrap: inDelivery,
    broken: ['{"a":}', '{"a"\n', '\n{\n'],
  },
  'Firehose with a list': {
    format: 'firehose',
    before: '[',
    record: message,
    between: ',',
    after: ']',
    wrap: inDelivery,
    broken: ['7', '{"a" 1}', '{"a":nil}', '"x"'],
  },
  'Firehose with lines': { format: 'firehose', record: (n) => `line ${n}\n`, wrap: inDelivery },
  'Firehose with messages of CloudWatch': {
    format: 'firehose',
    record: cloudWatch,
    wrap: inDelivery,
    broken: [
      '{"messageType":"DATA_MESSAGE"}',
      '{"messageType":"DATA_MESSAGE","logEvents":[1]}',
      '{"messageType":"DATA_MESSAGE","logEvents":[{"id" 1}]}',
      '{"messageType":"DATA_MESSAGE","logEvents":[{"id":}]}',
    ],
  },
  Heroku: { format: 'heroku', record: (n) => frameMessage(`<40>1 2026-09-21T14:13:20+00:00 host app web.1 - ${n}`) },
  'Datadog in a list': {
    format: 'datadog',
    contentType: json,
    before: '[',
    record: message,
    between: ',',
    after: ']',
    broken: ['7', '{"a" 1}', '{"a":nil}'],
  },
  'Datadog in lines': {
    format: 'datadog',
    contentType: json,
    record: (n) => `${message(n)}\n`,
    broken: ['{"a":\n', '{"a" 1}\n'],
  },
  'Honeycomb JSON': {
    format: 'honeycomb',
    form: 'batch',
    contentType: json,
    before: '[',
    record: (n) => `{"data":${message(n)}}`,
    between: ',',
    after: ']',
    broken: ['{}', '{"data":{"a":nil}}'],
  },
  journald: {
    format: 'journald',
    record: (n) => Buffer.concat([Buffer.from(`MESSAGE=${n}\nX\n`), binary.subarray(0, 11), Buffer.from('\nX=2\n\n')]),
    broken: ['X\n\x7f\x7f\x7f\x7f\x7f\0\0\0a\n\n'],
  },
  vercel: { format: 'vercel', contentType: json, record: (n) => `${message(n)}\n`, broken: ['{"a":}\n'] },
  NDJSON: { format: 'json', contentType: json, record: (n) => `${message(n)}\n`, broken: ['{"a":}\n', 'x\n'] },
  Fluentd: { format: 'fluentd', record: (n) => pack(['tag', 1_790_000_000, { n }]) },
  'Alertmanager in lines': {
    format: 'alertmanager',
    record: (n) => `${notification([message(n)])}\n`,
    broken: [`${notification(['7'])}\n`, `${notification(['{"a" 1}'])}\n`],
  },
  CloudEvents: {
    format: 'cloudevents',
    before: '[',
    record: message,
    between: ',',
    after: ']',
    broken: ['7', '{"a" 1}'],
  },
  Sentry: {
    format: 'sentry',
    before: '{}\n',
    record: (n) => `{"type":"event"}\n${message(n)}\n`,
    broken: ['{"type":"attachment","length":3}\na\nb\n', '{"type":"event"}\n{"a" 1}\n', 'x\n'],
  },
  'Sentry with lengths': {
    format: 'sentry',
    before: '{}\n',
    record: (n) => `{"type":"event","length":${message(n).length}}\n${message(n)}`,
    between: '\n',
  },
  'OTLP in JSON': {
    format: 'otlp-logs',
    contentType: json,
    before: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
    record: (n) => `{"body":{"stringValue":"${n}"}}`,
    between: ',',
    after: ']}]}]}',
  },
};

/** Events and failures of a body; undefined if it is rejected as a whole. */
async function countEvents({ format, form, contentType = '', wrap = (body) => body }: Form, body: Buffer) {
  try {
    const { encoded } = encodeBody(
      Uint8Array.from(await wrap(body)),
      {
        dataset: 1,
        format,
        ...(form !== undefined && { form }),
        contentType,
        mapFields: new Set(),
        arrival: 1_790_000_000_000_000_000n,
        limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
      },
      new ColumnBudget(),
    );
    return { ingested: encoded.ingested, failed: encoded.failed };
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

interface AssembledBody {
  readonly body: Buffer;
  /** Start of each record, and the end of the last one. */
  readonly starts: readonly number[];
}

function assemble(
  { before = '', between = '', after = '' }: Form,
  records: readonly (string | Buffer)[],
): AssembledBody {
  const starts: number[] = [];
  let body = typeof before === 'string' ? Buffer.from(before) : before(records.length);
  records.forEach((record, i) => {
    if (i > 0) body = Buffer.concat([body, Buffer.from(between)]);
    starts.push(body.length);
    body = Buffer.concat([body, Buffer.from(record)]);
  });
  return { body: Buffer.concat([body, Buffer.from(after)]), starts };
}

const names = Object.keys(forms);

test('every format is here', () => {
  const formats = new Set<string>(Object.values(forms).map(({ format }) => format));
  expect([...formats].toSorted()).toEqual(['csv', 'json', ...Object.keys({ ...protocols, ...otlpFormats })].toSorted());
});

test.each(names)('%s: whole, and twice one behind the other', async (name) => {
  const form = forms[name]!;
  const { body } = assemble(form, [0, 1, 2].map(form.record));
  expect(await countEvents(form, body)).toEqual({ ingested: 3, failed: 0 });
  // Either rejected, or accounted for completely.
  const twice = await countEvents(form, Buffer.concat([body, body]));
  if (twice !== undefined) expect(twice.ingested + twice.failed).toBeGreaterThanOrEqual(6);
});

test.each(names)('%s: cut off at every byte', async (name) => {
  const form = forms[name]!;
  const { body, starts } = assemble(form, [0, 1].map(form.record));
  const lost: object[] = [];
  for (let cut = 1; cut < body.length; cut++) {
    const result = await countEvents(form, body.subarray(0, cut));
    if (result === undefined) continue;
    const begun = starts.filter((start) => start < cut).length;
    if (result.ingested + result.failed < begun) lost.push({ cut, begun, ...result });
  }
  expect(lost).toEqual([]);
});

test.each(names.flatMap((name) => (forms[name]!.broken ?? []).map((broken) => [name, broken] as const)))(
  '%s: %j between records',
  async (name, broken) => {
    const form = forms[name]!;
    const { body } = assemble(form, [form.record(0), broken, form.record(1)]);
    const result = await countEvents(form, body);
    if (result === undefined) return;
    expect(result.ingested).toBeGreaterThanOrEqual(broken.endsWith('\n') && form.format === 'firehose' ? 1 : 2);
    expect(result.ingested + result.failed).toBeGreaterThanOrEqual(3);
  },
);
