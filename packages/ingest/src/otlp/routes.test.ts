import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { attribute, bodyOf, type Format, formats, logs, spans } from './testing/test-requests.js';
import { signals, type Signal } from './signal.js';

/** OTLP over HTTP with a real engine: responses, rejections, and query results. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({
    autoCreateDatasets: true,
    maxDecompressedBytes: 1 << 20,
    maxBodyBytes: 1 << 20,
    selfMetrics: 'self',
    selfMetricsInterval: 1000,
  });
});
afterAll(() => world.close());

interface Reply {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Buffer;
  readonly headers: Headers;
}

async function post(
  signal: Signal,
  format: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  token = world.owner,
): Promise<Reply> {
  const answer = await fetch(`${world.url}${signals[signal].path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-axiom-dataset': 'otel',
      ...(format !== '' && { 'content-type': format }),
      ...headers,
    },
    body: Uint8Array.from(body),
  });
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    body: Buffer.from(await answer.arrayBuffer()),
    headers: answer.headers,
  };
}

const send = (signal: Signal, format: Format, request: object, headers?: Readonly<Record<string, string>>) =>
  post(signal, format, bodyOf(signal, format, request), headers);

const start = 1_790_000_000_000_000_000n;
const range = { startTime: '2026-09-21T00:00:00Z', endTime: '2026-09-22T00:00:00Z' };

const cells = async (apl: string): Promise<unknown[][]> =>
  (await world.apl(apl, range)).tables[0]!.columns.map((column) => [...column]);

describe.each(formats)('%s', (format) => {
  const dataset = format === 'application/json' ? 'from-json' : 'from-protobuf';
  const to = { 'x-axiom-dataset': dataset };
  const isJson = format === 'application/json';
  /** Matches a response whose message contains a text, in either format. */
  const textContaining = (text: string) => expect.stringContaining(text) as unknown;
  const messageOf = ({ body }: Reply): string => body.toString();

  test('everything stored: the answer is empty, with the headers of ingest', async () => {
    const request = {
      resourceSpans: [
        {
          resource: { attributes: [attribute('service.name', { stringValue: 'shop' })] },
          scopeSpans: [
            {
              spans: [100, 200, 300].map((milliseconds, i) => ({
                traceId: `0${i}`.repeat(16),
                name: `GET /${i}`,
                startTimeUnixNano: String(start),
                endTimeUnixNano: String(start + BigInt(milliseconds) * 1_000_000n),
                attributes: [attribute('cart.items', { intValue: String(i) })],
              })),
            },
          ],
        },
      ],
    };
    const answer = await send('traces', format, request, to);
    expect(answer).toMatchObject({ status: 200, contentType: textContaining(format) });
    expect(messageOf(answer)).toBe(isJson ? '{}' : '');
    expect(answer.headers.get('x-millrace-position')).toMatch(/^\d+$/);
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
  });

  test('the dataset that was made for it is one of traces', async () => {
    const { body } = await world.send('GET', `/v2/datasets/${dataset}`);
    expect(body).toMatchObject({ kind: 'otel:traces:v1', mapFields: ['attributes.custom'] });
  });

  test('queries find durations by service, one trace by its ID, and values of the map', async () => {
    expect(await cells(`['${dataset}'] | summarize max(duration), count() by ['service.name']`)).toEqual([
      ['shop'],
      [300_000_000],
      [3],
    ]);
    expect(await cells(`['${dataset}'] | where trace_id == '${'01'.repeat(16)}' | project name`)).toEqual([['GET /1']]);
    expect(
      await cells(`['${dataset}'] | where duration > 250ms | project x = ['attributes.custom']['cart.items']`),
    ).toEqual([[2]]);
  });

  test('compressed', async () => {
    const body = gzipSync(
      bodyOf('logs', format, logs({ timeUnixNano: String(start), body: { stringValue: 'zipped' } })),
    );
    const answer = await post('logs', format, body, {
      'x-axiom-dataset': `${dataset}-logs`,
      'content-encoding': 'gzip',
    });
    expect(answer.status).toBe(200);
    expect(await cells(`['${dataset}-logs'] | project body`)).toEqual([['zipped']]);
    const { body: made } = await world.send('GET', `/v2/datasets/${dataset}-logs`);
    expect(made).toMatchObject({ kind: 'otel:logs:v1' });
  });

  test('some refused: how many, and why', async () => {
    const tooLate = { startTimeUnixNano: '18446744073709551615' };
    const answer = await send('traces', format, spans({ startTimeUnixNano: String(start), name: 'kept' }, tooLate), to);
    const why = 'resource 0, scope 0, span 1: startTimeUnixNano: 18446744073709551615 ns is after what can be stored';
    expect(answer.status).toBe(200);
    expect(messageOf(answer)).toContain(why);
    if (isJson) {
      expect(JSON.parse(messageOf(answer))).toEqual({
        partialSuccess: { rejectedSpans: '1', errorMessage: textContaining(why) },
      });
    } else {
      // partial_success (1), in it rejected_spans (1) and error_message (2)
      expect([...answer.body.subarray(0, 1), ...answer.body.subarray(3, 6)]).toEqual([0x0a, 0x08, 1, 0x12]);
    }
    expect(await cells(`['${dataset}'] | where name == 'kept' | count`)).toEqual([[1]]);
  });

  test('reports the omitted parts of stored records, and counts none as rejected', async () => {
    const long = {
      startTimeUnixNano: String(start),
      attributes: [attribute(`http.${'x'.repeat(300)}`, { boolValue: true })],
    };
    const answer = await send('traces', format, spans(long), to);
    expect(messageOf(answer)).toContain('dropped: its name is longer than 200 bytes (1 times)');
    if (isJson) expect(JSON.parse(messageOf(answer))).toMatchObject({ partialSuccess: { rejectedSpans: '0' } });
  });

  /** HTTP status → code in `google.rpc.Status`. */
  const refusals: readonly (readonly [string, number, number, () => Promise<Reply>, string])[] = [
    [
      'no dataset',
      400,
      3,
      () => send('traces', format, spans({}), { 'x-axiom-dataset': '' }),
      "header 'x-axiom-dataset'",
    ],
    [
      'a name that cannot be a dataset',
      400,
      3,
      () => send('traces', format, spans({}), { 'x-axiom-dataset': '_no' }),
      "'_no' cannot be the name of a dataset",
    ],
    ['a wrong token', 403, 7, () => post('traces', format, Buffer.from(''), to, 'xaat-no'), 'authentication failed'],
    [
      'no right on the dataset',
      403,
      7,
      async () => {
        const ingest = { ingest: ['create' as const] };
        const token = await world.token({ datasetCapabilities: { other: ingest } });
        return post('traces', format, Buffer.from(''), to, token);
      },
      `forbidden: requires the dataset capability ingest:create on '${dataset}'`,
    ],
    [
      'an encoding nobody knows',
      415,
      3,
      () => send('traces', format, spans({}), { ...to, 'content-encoding': 'snappy' }),
      "unsupported content encoding 'snappy'",
    ],
    [
      'a damaged body',
      400,
      3,
      () => post('traces', format, isJson ? Buffer.from('{') : Buffer.from([0x0a, 0x05, 0x01]), to),
      isJson ? 'not valid JSON' : 'byte 1, ExportTraceServiceRequest.resourceSpans: a length of 5 bytes is announced',
    ],
    [
      'too large once it is unpacked',
      413,
      3,
      () => post('traces', format, gzipSync(Buffer.alloc((1 << 20) + 1)), { ...to, 'content-encoding': 'gzip' }),
      'the request body is larger than 1048576 bytes',
    ],
    [
      'too large with its resource in every span',
      413,
      3,
      () => {
        const resource = { attributes: [attribute('service.name', { stringValue: 'x'.repeat(20_000) })] };
        const records = Array.from({ length: 100 }, () => ({ kind: 1 }));
        return send('traces', format, { resourceSpans: [{ resource, scopeSpans: [{ spans: records }] }] }, to);
      },
      'the spans in this request exceed 1048576 bytes',
    ],
  ];
  test.each(refusals)('%s: %i, in the format of the request', async (_, status, code, call, message) => {
    const answer = await call();
    expect(answer).toMatchObject({ status, contentType: textContaining(format) });
    expect(messageOf(answer)).toContain(message);
    if (isJson) expect(JSON.parse(messageOf(answer))).toMatchObject({ code: status, message: textContaining(message) });
    else expect([...answer.body.subarray(0, 3)]).toEqual([0x08, code, 0x12]);
  });
});

test.each(['', 'text/plain', 'application/x-ndjson'])(
  'a body of type %j is refused, and no dataset made',
  async (type) => {
    const answer = await post('logs', type, Buffer.from('{}'), { 'x-axiom-dataset': 'never' });
    expect(answer.status).toBe(415);
    expect(answer.body.toString()).toContain('supported: application/x-protobuf, application/json');
    expect((await world.send('GET', '/v2/datasets/never')).status).toBe(404);
  },
);

test.each(['/v1/metrics/v1/metrics', '/v1/traces/v1/traces'])(
  '%s: an exporter in protobuf gets a protobuf error too',
  async (path) => {
    const answer = await fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-protobuf' },
      body: Buffer.from([0x0a, 0x00]),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/x-protobuf');
    expect([...body.subarray(0, 3)]).toEqual([0x08, 5, 0x12]);
    expect(body.toString()).toContain(`POST ${path} not found`);
  },
);

test('a token for one dataset is enough, and makes none', async () => {
  await world.dataset('mine');
  const token = await world.token({
    datasetCapabilities: { mine: { ingest: ['create'] }, absent: { ingest: ['create'] } },
  });
  const body = bodyOf('logs', 'application/json', logs({ body: { stringValue: 'x' } }));
  expect((await post('logs', 'application/json', body, { 'x-axiom-dataset': 'mine' }, token)).status).toBe(200);
  expect((await post('logs', 'application/json', body, { 'x-axiom-dataset': 'absent' }, token)).status).toBe(404);
});

test('in a dataset without the map field, nonstandard attributes are fields', async () => {
  await world.dataset('plain');
  const record = { timeUnixNano: String(start), attributes: [attribute('a.b', { intValue: '1' })] };
  await send('logs', 'application/x-protobuf', logs(record), { 'x-axiom-dataset': 'plain' });
  expect(await cells(`plain | project ['attributes.custom.a.b']`)).toEqual([[1]]);
});

test('counted like other ingest', async () => {
  const countEvents = async (): Promise<number> => {
    const { text } = await world.send('GET', '/metrics');
    return Number(/^millrace_ingest_events_total (\d+)$/m.exec(text)![1]);
  };
  const before = await countEvents();
  await send('logs', 'application/json', logs({}, {}));
  expect(await countEvents()).toBe(before + 2);
});

describe("the server's own metrics", () => {
  interface Answer {
    readonly metadata: { readonly unit: string };
    readonly series: readonly { readonly tags: Readonly<Record<string, string>>; readonly data: readonly number[] }[];
  }
  const seriesOf = async (mpl: string): Promise<Answer> => {
    const body = { mpl: `self:${mpl}`, startTime: 'now-5m', endTime: 'now' };
    const { status, text, body: answer } = await world.send<Answer>('POST', '/v1/query/_mpl', body);
    expect(status, text).toBe(200);
    return answer;
  };

  test('go to a dataset that it creates', async () => {
    const made = { kind: 'otel:metrics:v1', description: 'Metrics of this server.' };
    await expect.poll(async () => (await world.send('GET', '/v2/datasets/self')).body).toMatchObject(made);
    const { metadata, series } = await seriesOf('millrace_process_memory_bytes');
    expect(metadata.unit).toBe('By');
    expect(series).toMatchObject([
      { tags: { 'service.name': 'millrace', 'service.instance.id': expect.stringMatching(/^.+:\d+$/) } },
    ]);
  });

  test('follow what it does', async () => {
    const requests = 'millrace_http_request_seconds | where `axiom.histogram` == "count" and route == "createDataset"';
    const countRequests = async (): Promise<number> =>
      Math.max(...(await seriesOf(`${requests} | align to 10m using max`)).series.flatMap(({ data }) => data));
    await world.dataset('own-metrics');
    const { text } = await world.send('GET', '/metrics');
    const now = Number(/^millrace_http_request_seconds_count\{route="createDataset"\} (\d+)$/m.exec(text)![1]);
    await expect.poll(countRequests, { timeout: 5000 }).toBe(now);
  });
});
