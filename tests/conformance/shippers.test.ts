import { expect, it } from 'vitest';
import { apl } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Requests of programs that only send: paths, media types and time formats. They all require a 200.
 */

const one = oneServer();

const time = '2026-11-20T10:00:00.123Z';
const milliseconds = Date.parse(time);

const cases: readonly {
  readonly by: string;
  /** Where it is not `/v1/datasets/{dataset}/ingest`. */
  readonly path?: (dataset: string) => string;
  /** Default: the type that fetch sends for a string. */
  readonly type?: string;
  readonly body: string;
}[] = [
  {
    by: 'the forwarder of CloudWatch',
    type: 'application/json',
    body: JSON.stringify([{ _time: milliseconds * 1000, aws: { logGroup: '/aws/lambda/x' }, message: 'START' }]),
  },
  {
    by: 'the forwarder of CloudFront',
    path: (dataset) => `/v1/ingest/${dataset}`,
    type: 'application/json',
    body: `[{"_time":${milliseconds}000000,"status":200,"cookie":null}]`,
  },
  {
    by: 'the worker of Cloudflare',
    type: 'application/x-ndjson',
    body: JSON.stringify({ _time: milliseconds, request: { headers: {} }, response: { status: 200 } }),
  },
  {
    by: 'next-axiom',
    body: JSON.stringify([{ _time: time, level: 'info', message: 'm', fields: {}, request: { path: '/' } }]),
  },
  {
    by: 'earlier versions of next-axiom',
    path: (dataset) => `/api/v1/datasets/${dataset}/ingest`,
    body: JSON.stringify([{ _time: milliseconds, webVital: { name: 'FCP', value: 1.5 }, platform: {} }]),
  },
  {
    by: 'Fluent Bit, with its own form of times',
    type: 'application/json',
    body: `[{"_time":${milliseconds / 1000},"log":"x"}]`,
  },
  {
    by: 'Fluent Bit, with json_date_format iso8601 in lines',
    type: 'application/x-ndjson',
    body: '{"_time":"2026-11-20T10:00:00.123000Z","log":"x"}\n',
  },
];

it.each(cases)('$by', async ({ path, type, body }) => {
  const dataset = await one.dataset();
  const answer = await request(one.server, path?.(dataset) ?? `/v1/datasets/${dataset}/ingest`, {
    body,
    headers: { 'content-type': type ?? 'text/plain;charset=UTF-8' },
  });
  expect(answer).toMatchObject({ status: 200, body: { ingested: 1, failed: 0, failures: [] } });
  expect((await apl(one.server, `['${dataset}'] | project _time`)).tables[0]!.columns).toEqual([[time]]);
});
