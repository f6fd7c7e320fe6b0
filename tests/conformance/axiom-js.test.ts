import { Axiom, AxiomWithoutBatching, ContentEncoding, ContentType } from '@axiomhq/js';
import { beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/server-process.ts';
import { csv } from './access-log.ts';
import { gzip } from './encodings.ts';
import { fillMetrics, halfHour } from './metrics.ts';
import { oneServer } from './one-server.ts';

/** The official JavaScript client, unchanged, with an API token as its documentation advises. */

const one = oneServer();
let axiom: AxiomWithoutBatching;
let token = '';
/** A token that may only ingest. */
let lesser = '';
const errors: Error[] = [];
const options = () => ({ url: one.server.url, token, orgId: 'any', onError: (error: Error) => errors.push(error) });

beforeAll(async () => {
  const everything = ['create', 'read', 'update', 'delete'];
  const { body } = await request(one.server, '/v2/tokens', {
    body: JSON.stringify({
      name: 'axiom-js',
      datasetCapabilities: { '*': { ingest: ['create'], query: ['read'], trim: ['update'], vacuum: ['update'] } },
      orgCapabilities: { datasets: everything, annotations: everything, users: ['read'], monitors: everything },
    }),
  });
  ({ token } = body as { token: string });
  const other = await request(one.server, '/v2/tokens', {
    body: JSON.stringify({ name: 'lesser', datasetCapabilities: { '*': { ingest: ['create'] } } }),
  });
  lesser = (other.body as { token: string }).token;
  axiom = new AxiomWithoutBatching(options());
});

const line = { foo: 'bar', bar: 'baz' };
const count = async (dataset: string): Promise<unknown> =>
  (await axiom.query(`['${dataset}'] | count`, { format: 'tabular' })).tables[0]!.columns![0]![0];

describe('ingest', () => {
  const pair = [line, { bar: 'foo' }];
  const ndjson = pair.map((event) => JSON.stringify(event)).join('\n');
  const { JSON: json, NDJSON, CSV } = ContentType;
  const { Auto, GZIP, Identity } = ContentEncoding;
  async function* pieces(...parts: readonly string[]) {
    for (const part of parts) yield Buffer.from(part);
  }
  const bytes = new TextEncoder().encode(ndjson);
  const ways: readonly (readonly [
    string,
    () => Parameters<typeof axiom.ingestRaw>[1],
    ContentType,
    ContentEncoding,
  ])[] = [
    ['JSON text, compressed by itself', () => JSON.stringify(pair), json, Auto],
    ['JSON text as it is', () => JSON.stringify(pair), json, Identity],
    ['JSON compressed by the caller', () => Buffer.from(gzip(JSON.stringify(pair))), json, GZIP],
    ['lines', () => ndjson, NDJSON, Auto],
    ['lines under the type of JSON', () => ndjson, json, Auto],
    ['bytes', () => Buffer.from(bytes), NDJSON, Auto],
    ['a stream', () => new Blob([bytes]).stream(), NDJSON, Auto],
    ['pieces that do not end where lines do', () => pieces(ndjson.slice(0, 9), ndjson.slice(9)) as never, NDJSON, Auto],
    ['CSV of one column', () => 'foo\nbar\nbaz', CSV, Auto],
    ['CSV of many', () => csv, CSV, Identity],
  ];
  it.each(ways)('%s', async (_, data, type, encoding) => {
    const dataset = await one.dataset();
    expect(await axiom.ingestRaw(dataset, data(), type, encoding)).toMatchObject({
      ingested: 2,
      failed: 0,
      failures: [],
    });
    expect(await count(dataset)).toBe(2);
  });

  it('objects, alone and several, with the options of ingest', async () => {
    const dataset = await one.dataset();
    expect(await axiom.ingest(dataset, line)).toMatchObject({ ingested: 1 });
    expect(await axiom.ingest(dataset, pair)).toMatchObject({ ingested: 2 });
    const at = { timestampField: 'at', timestampFormat: '2/Jan/2006:15:04:05 +0000' };
    await axiom.ingest(dataset, { at: '07/Mar/2024:09:28:10 +0000' }, at);
    const { tables } = await axiom.query(`['${dataset}'] | sort by _time asc | project _time | take 1`);
    expect(tables[0]!.columns).toEqual([['2024-03-07T09:28:10Z']]);
    expect(await count(dataset)).toBe(4);
  });

  it('large integers, which it sends as text, and dates', async () => {
    // Repeats what the client does when it is loaded, which may have been for an earlier file of
    // this process.
    Object.assign(BigInt.prototype, {
      toJSON(this: bigint) {
        return this.toString();
      },
    });
    const dataset = await one.dataset();
    await axiom.ingest(dataset, { id: 2n ** 63n - 1n, _time: new Date(0) });
    const { tables } = await axiom.query(`['${dataset}'] | project _time, id`);
    expect(tables[0]!.columns).toEqual([['1970-01-01T00:00:00Z'], ['9223372036854775807']]);
  });

  it('the batching client sends in the background what was queued', async () => {
    const dataset = await one.dataset();
    const batching = new Axiom(options());
    for (let n = 0; n < 2500; n++) batching.ingest(dataset, { n });
    await batching.flush();
    expect(await count(dataset)).toBe(2500);
  });

  it('the edge path for ingest and queries', async () => {
    const dataset = await one.dataset();
    const edge = new AxiomWithoutBatching({ ...options(), edgeUrl: one.server.url });
    expect(await edge.ingest(dataset, line)).toMatchObject({ ingested: 1 });
    expect((await edge.query(`['${dataset}']`)).tables[0]!.columns![0]).toHaveLength(1);
  });

  it('a failure reaches only the error callback', async () => {
    expect(await axiom.ingest('nowhere', line)).toMatchObject({ ingested: 0 });
    expect(errors.splice(0)).toMatchObject([{ message: expect.stringMatching(/failed with 404: .*not found/) }]);
  });
});

describe('queries', () => {
  let dataset = '';
  beforeAll(async () => {
    dataset = await one.dataset();
    await axiom.ingest(
      dataset,
      Array.from({ length: 11 }, (_, n) => ({ n, test: n === 3 ? 'apl' : 'other' })),
    );
  });

  it('legacy over ten years: every event is examined, matched and there', async () => {
    const range = { startTime: '2018-01-01T00:00:00.000Z', endTime: '2028-01-01T00:00:00.000Z' };
    const result = await axiom.queryLegacy(dataset, { ...range, resolution: 'auto' });
    expect(result.status).toMatchObject({ rowsExamined: 11, rowsMatched: 11 });
    expect(result.matches).toHaveLength(11);
  });

  it('APL without a range, in both formats', async () => {
    const legacy = await axiom.query(`['${dataset}']`, { format: 'legacy' });
    expect(legacy.matches).toHaveLength(11);
    const { status, tables } = await axiom.query(`['${dataset}']`);
    expect(tables).toHaveLength(1);
    expect([status.rowsMatched, [...tables[0]!.events()].length]).toEqual([11, 11]);
  });

  it('an event is found right after it is sent, with the requested columns', async () => {
    await axiom.ingest(dataset, { test: 'now' });
    const query = `['${dataset}'] | where ['test'] == 'now' | project _time, ['test']`;
    const { tables } = await axiom.query(query, { streamingDuration: 'auto', noCache: true });
    expect(tables[0]!.fields.map(({ name }) => name)).toEqual(['_time', 'test']);
    expect([...tables[0]!.events()]).toEqual([{ _time: expect.any(String), test: 'now' }]);
  });

  it('no rows are no events', async () => {
    const { tables } = await axiom.query(`['${dataset}'] | where n > 100`);
    expect([...tables[0]!.events()]).toEqual([]);
  });

  it('pages by the cursor it puts into the URL', async () => {
    const query = `['${dataset}'] | where isnotnull(n) | sort by _time asc | project n, _time | limit 4`;
    const seen: number[] = [];
    let cursor: string | undefined;
    for (;;) {
      const { status, tables } = await axiom.query(query, cursor === undefined ? {} : { cursor });
      seen.push(...(tables[0]!.columns![0] as number[]));
      if (status.maxCursor === undefined || status.maxCursor === cursor) break;
      cursor = status.maxCursor;
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, n) => n));
  });

  it('a mistake is an error with its place', async () => {
    await expect(axiom.query(`['${dataset}'] | where`)).rejects.toThrow(/failed with 400: line 1/);
  });
});

describe('resources', () => {
  it('datasets: create, get, list, update, fields, trim, delete', async () => {
    await expect(axiom.datasets.delete('js')).rejects.toThrow(/not found/i);
    expect(await axiom.datasets.create({ name: 'js', description: 'd' }, { referrer: 'test' })).toMatchObject({
      id: 'js',
      name: 'js',
    });
    const updated = await axiom.datasets.update('js', { description: 'e' });
    expect(updated.description).toBe('e');
    expect(await axiom.datasets.get('js')).toEqual(updated);
    expect(await axiom.datasets.list()).toContainEqual(updated);
    await axiom.ingest('js', line);
    expect((await axiom.datasets.fields('js')).map(({ name }) => name)).toEqual(expect.arrayContaining(['bar', 'foo']));
    expect(await axiom.datasets.mapFields('js')).toEqual([]);
    expect((await axiom.datasets.trim('js', '1s')).status).toBe(204);
    expect((await axiom.datasets.delete('js')).status).toBe(204);
    await expect(axiom.datasets.get('js')).rejects.toThrow(/not found/i);
  });

  it('annotations: create, get, list, update, delete', async () => {
    const created = await axiom.annotations.create({
      datasets: ['a', 'b'],
      type: 'deploy',
      title: 't',
      url: 'some-url',
    });
    expect(await axiom.annotations.get(created.id)).toEqual(created);
    expect(await axiom.annotations.list({ datasets: ['b', 'c'] })).toEqual([created]);
    expect(await axiom.annotations.update(created.id, { datasets: ['c'] })).toMatchObject({
      datasets: ['c'],
      title: 't',
    });
    expect(await axiom.annotations.list({ datasets: ['b'] })).toEqual([]);
    expect((await axiom.annotations.delete(created.id)).status).toBe(204);
  });

  it('monitors: create, get, list, update, delete', async () => {
    const dataset = await one.dataset();
    const request = {
      name: 'Integration',
      type: 'Threshold',
      description: 'd',
      aplQuery: `['${dataset}'] | summarize count() by bin_auto(_time)`,
      operator: 'Above',
      threshold: 100,
      alertOnNoData: false,
      notifyByGroup: false,
      notifierIDs: [],
      intervalMinutes: 5,
      rangeMinutes: 10,
    } as const;
    const created = await axiom.monitors.create(request as never);
    expect(created).toMatchObject({ name: 'Integration', description: 'd', type: 'Threshold', threshold: 100 });
    expect(await axiom.monitors.get(created.id)).toEqual(created);
    expect(await axiom.monitors.list()).toContainEqual(created);
    const updated = await axiom.monitors.update(created.id, { ...request, threshold: 150 } as never);
    expect(updated).toMatchObject({ id: created.id, threshold: 150 });
    expect((await axiom.monitors.delete(created.id)).status).toBe(204);
    await expect(axiom.monitors.get(created.id)).rejects.toThrow(/not found/i);
  });

  it('users', async () => {
    const [user] = await axiom.users.list();
    expect(await axiom.users.get(user!.id)).toMatchObject({ id: user!.id });
    expect(await axiom.users.current()).toMatchObject({ id: expect.any(String) });
  });

  it('an unknown token is forbidden; a token without the right gets an error', async () => {
    const stranger = new AxiomWithoutBatching({ ...options(), token: 'xaat-00000000-0000-4000-8000-00000000ffff' });
    await expect(stranger.datasets.list()).rejects.toThrow('forbidden');
    await expect(new AxiomWithoutBatching({ ...options(), token: lesser }).monitors.list()).rejects.toThrow(
      /failed with 403/,
    );
  });
});

describe('metrics', () => {
  const dataset = 'js-metrics';
  const range = () => ({ ...halfHour(), edgeUrl: one.server.url });
  beforeAll(() => fillMetrics(one.server, dataset));

  it('queries in MPL, in both formats', async () => {
    const { start: startTime, end: endTime, edgeUrl } = range();
    const mpl = `\`${dataset}\`:temperature | align using last`;
    const asked = { type: 'mpl', startTime, endTime, edgeUrl } as const;
    const series = { metric: 'temperature', tags: { 'host.name': 'web-1', 'http.status': 200 }, data: [29] };
    expect(await axiom.query(mpl, asked)).toMatchObject({ metadata: { unit: 'Cel' }, series: [series] });
    expect(await axiom.query(mpl, { ...asked, format: 'metrics-v1' })).toMatchObject([series]);
    await expect(axiom.query(`${mpl} |`, asked)).rejects.toThrow(/expected a step/);
  });

  it('lists metrics, tags and values', async () => {
    const { datasets } = axiom;
    const { start, end, edgeUrl } = range();
    const accept = 'application/vnd.metrics-info.v2+json';
    expect(await datasets.metrics(dataset, { start, end, edgeUrl, accept })).toEqual({
      'http.requests': { type: 'CounterMonotonic', temporality: 'Cumulative', unit: '{request}' },
      temperature: { type: 'Gauge', temporality: null, unit: 'Cel' },
    });
    const tags = ['host.name', 'http.status'];
    expect(await datasets.metricTags(dataset, 'http.requests', range())).toEqual(tags);
    expect(await datasets.metricDatasetTags(dataset, range())).toEqual(tags);
    expect(await datasets.metricTagValues(dataset, 'http.requests', 'http.status', range())).toEqual([200]);
    expect(await datasets.metricDatasetTagValues(dataset, 'host.name', range())).toEqual(['web-1']);
    await expect(datasets.metricTags(dataset, 'absent', range())).rejects.toThrow(/not found/);
  });
});
