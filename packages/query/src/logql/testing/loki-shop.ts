import { expect } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';

/** Lines of a small shop that were pushed to Loki, and requests as programs for Loki send them. */

/** Seconds; a full minute. */
export const start = 1_790_000_040;
export const at = (seconds: number): string => `${start + seconds}000000000`;

const streams = [
  {
    stream: { app: 'web', env: 'prod' },
    values: [
      [at(10), '{"level":"info","status":200,"took":"20ms","size":"1KB","user":{"id":7},"path":"/a"}', { trace: 't1' }],
      [
        at(20),
        '{"level":"error","status":500,"took":"1.5s","size":"2KiB","user":{"id":8},"path":"/b"}',
        { trace: 't2' },
      ],
      [at(70), '{"level":"info","status":204,"took":"10ms","size":"512B","user":{"id":7},"path":"/a","app":"in"}'],
      [at(130), 'not json'],
    ],
  },
  {
    stream: { app: 'db', env: 'prod' },
    values: [
      [at(15), 'level=warn msg="slow query" took=3s rows=10'],
      [at(75), 'level=info msg="say \\"hi\\" level=no" took=5ms rows=2'],
    ],
  },
  {
    stream: { app: 'proxy', env: 'test' },
    values: [
      [at(30), '10.0.0.5 - "GET /cart" 200'],
      [at(40), '192.168.1.9 - "POST /pay" 502'],
      [at(50), '{"_entry":"\\u001b[31mred\\u001b[0m","pod":"p-1"}'],
    ],
  },
];

async function push(world: EngineTestServer, dataset: string, body: object): Promise<void> {
  const response = await fetch(`${world.url}/v1/ingest/${dataset}/loki/api/v1/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(204);
}

/** Creates the datasets `loki-shop`, of pushed lines, and `loki-events`, of other events. */
export async function openShop(world: EngineTestServer): Promise<void> {
  await world.dataset('loki-shop');
  await push(world, 'loki-shop', { streams });
  await world.dataset('loki-events', [
    { _time: new Date((start + 5) * 1000).toISOString(), 'service.name': 'cart', status: 200, ok: true, ms: 1.5 },
    { _time: new Date((start + 6) * 1000).toISOString(), 'service.name': 'cart', status: 500, ok: false },
  ]);
}

type Labels = Readonly<Record<string, string>>;
interface Stream {
  readonly stream: Labels;
  readonly values: readonly (readonly [string, string, unknown?])[];
}
interface Series {
  readonly metric: Labels;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}
interface Body {
  readonly status: string;
  readonly data: {
    readonly resultType: string;
    readonly encodingFlags?: readonly string[];
    readonly result: readonly (Stream & Series)[];
  };
}
interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
}

export interface LokiRequest {
  readonly token?: string;
  /** Of the data source. */
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(
  world: EngineTestServer,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
  { token = world.owner, base = '/loki/loki-shop', headers = {} }: LokiRequest = {},
): Promise<Reply> {
  const response = await fetch(`${world.url}${base}/loki/api/v1/${path}?${new URLSearchParams(parameters)}`, {
    headers: { authorization: `Basic ${btoa(`user:${token}`)}`, ...headers },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, text, body: (isJson ? JSON.parse(text) : undefined) as Body };
}

export const times = { start: at(0), end: at(300) };

export const showLabels = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Lines as `seconds labels: line`. */
export async function linesOf(
  world: EngineTestServer,
  query: string,
  how: LokiRequest = {},
): Promise<readonly string[]> {
  const { status, text, body } = await ask(world, 'query_range', { query, ...times, direction: 'forward' }, how);
  if (status !== 200) throw new Error(text);
  return body.data.result
    .flatMap(({ stream, values }) =>
      values.map(([time, line]) => [Number(time.slice(0, -9)) - start, `${showLabels(stream)}: ${line}`] as const),
    )
    .toSorted(([a], [b]) => a - b)
    .map(([time, line]) => `${time} ${line}`);
}
