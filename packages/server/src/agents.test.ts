import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sampleTraffic, spansOf } from '@millrace/sample-data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from './testing/engine-test-server.js';

/** MCP as agents use it: the official client over HTTP, against a server with the sample shop. */

let world: EngineTestServer;
let trace: string;
let monitor: string;
const clients: Client[] = [];

async function connect(token: string, name = 'test-agent'): Promise<Client> {
  const client = new Client({ name, version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as readonly { readonly type: string; readonly text: string }[];
  return { text: first?.text ?? '', isError: result.isError === true, structured: result.structuredContent };
}

beforeAll(async () => {
  world = await openEngineTestServer({ mcpQueryTimeout: 5000 });
  const events = sampleTraffic({ count: 3000, end: Date.now() - 10_000, milliseconds: 3_000_000, seed: 7 });
  await world.dataset('logs', events);
  const failed = events.find(({ status, route }) => status >= 500 && route === '/pay') ?? events[0]!;
  trace = failed.trace_id;
  await world.dataset('traces', [...events.slice(0, 400), failed].flatMap(spansOf));
  await world.dataset('secret', [{ word: 'hush' }]);
  const made = await world.send<{ readonly id: string }>('POST', '/v2/monitors', {
    name: 'Checkout fails',
    type: 'Threshold',
    aplQuery: 'logs | where status >= 500 | summarize count()',
    operator: 'Above',
    threshold: 50,
    intervalMinutes: 1,
    rangeMinutes: 60,
  });
  monitor = made.body.id;
  await world.send('POST', '/v2/dashboards', {
    uid: 'shop',
    dashboard: {
      name: 'The shop',
      charts: [
        { id: 'a', type: 'TimeSeries', name: 'All', query: { apl: 'logs | summarize count() by bin_auto(_time)' } },
      ],
      layout: [{ i: 'a', x: 0, y: 0, w: 6, h: 4 }],
      refreshTime: 60,
      schemaVersion: 2,
      timeWindowStart: 'qr-now-1h',
      timeWindowEnd: 'qr-now',
    },
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await world.close();
});

/** A call of each tool over real rows, and a text that its answer has. */
const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
  ['list_datasets', {}, /^logs\t.*3000/m],
  ['describe_dataset', { dataset: 'logs' }, /^status\tinteger\t\d{3}$/m],
  ['query', { apl: 'logs | summarize count() by service | sort by service asc' }, /^checkout\t\d+$/m],
  ['count_over_time', { dataset: 'logs', where: 'status >= 500', by: 'service' }, /^_time\tcheckout/m],
  ['field_values', { dataset: 'logs', field: 'route' }, /^\/search\t\d+$/m],
  ['search_word', { dataset: 'logs', word: 'TimeoutError', limit: 3 }, /^3 of \d+ rows/],
  ['patterns', { dataset: 'logs', field: 'msg' }, /^GET \/search \*\t\d+/m],
  ['compare', { dataset: 'logs', selection: 'status >= 500' }, /^version\t.*1\.5\.0/m],
  ['slow_operations', {}, /^checkout\tPOST \/pay\t\d+/m],
  ['list_services', {}, /^gateway\t\d+/m],
  ['list_monitors', {}, /Checkout fails.*Above 50/],
  ['list_dashboards', {}, /shop/],
  ['get_dashboard', { uid: 'shop' }, /summarize count/],
];

describe('an agent of the owner', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(world.owner);
  });

  it('gets an introduction and 15 read-only tools', async () => {
    expect(client.getInstructions()).toContain('list_datasets');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(15);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it.each(calls)('gets rows from %s', async (name, args, found) => {
    const { text, isError } = await callTool(client, name, args);
    expect(text).toMatch(found);
    expect(isError).toBe(false);
    expect(text.length / 4).toBeLessThan(1500);
  });

  it('reads a trace as a tree with the critical path', async () => {
    const { text } = await callTool(client, 'get_trace', { traceId: trace });
    expect(text).toMatch(/^ {4}\* .* checkout: POST payments:9000\/charge {2}FAILED/m);
  });

  it('reads the history of a monitor', async () => {
    const { text } = await callTool(client, 'monitor_history', { monitor });
    expect(text).toMatch(/^Checkout fails: /);
  });

  it('learns which part is truncated and continues after it', async () => {
    const apl = 'logs | where status >= 500 | project _time, trace_id';
    const first = await callTool(client, 'query', { apl, maxRows: 5 });
    expect(first.text).toMatch(/^5 of \d+ rows/);
    const [, cursor] = /cursor "([^"]+)"/.exec(first.text) ?? [];
    const second = await callTool(client, 'query', { apl, maxRows: 5, cursor });
    const idsIn = (text: string) => text.match(/[0-9a-f]{32}/g) ?? [];
    expect(idsIn(second.text)).toHaveLength(5);
    for (const id of idsIn(second.text)) expect(idsIn(first.text)).not.toContain(id);
  });

  it('is given the query for the rest of an aggregation', async () => {
    const apl = 'logs | summarize count() by route | sort by route asc';
    const first = await callTool(client, 'query', { apl, maxRows: 3 });
    const [, rest] = /for the next rows:\n([^]*?)\nopen: /.exec(first.text) ?? [];
    const { text } = await callTool(client, 'query', { apl: rest });
    expect(first.text).toMatch(/^3 of 8 rows/);
    expect(text).toMatch(/^5 rows/);
  });

  it('learns from errors: the place, the reason and the query as it was meant', async () => {
    const { text, isError } = await callTool(client, 'query', { apl: 'logs\n| wher status > 3' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^line 2, column 3: .*where/);
    expect(text).toContain('Probably meant:\nlogs\n| where status > 3');
    expect((await callTool(client, 'query', { apl: 'logz' })).text).toContain('did you mean logs');
    expect((await callTool(client, 'query', { apl: 'logs', startTime: 'yesterday' })).text).toContain('startTime');
    expect((await callTool(client, 'query', { apl: 'logs', rows: 3 })).isError).toBe(true);
  });

  it('cannot read other hosts', async () => {
    const apl = 'externaldata (a: string) ["https://example.com/a.csv"]';
    expect((await callTool(client, 'query', { apl })).isError).toBe(true);
  });

  it('learns why a result is empty', async () => {
    const { text } = await callTool(client, 'query', { apl: 'logs | where status == 999' });
    expect(text).toContain("Dataset 'logs' has 3000 events");
  });

  it('reads the language and schemas as resources, and prompts', async () => {
    const { contents } = await client.readResource({ uri: 'millrace://apl' });
    expect(JSON.stringify(contents)).toContain('summarize');
    const schema = await client.readResource({ uri: 'millrace://datasets/logs/schema' });
    expect(JSON.stringify(schema.contents)).toContain('duration_ms');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['investigate_incident', 'explain_trace', 'write_monitor']);
    const prompt = await client.getPrompt({ name: 'explain_trace', arguments: { traceId: trace } });
    expect(JSON.stringify(prompt.messages)).toContain(trace);
  });

  it('appears with its name in the query history', async () => {
    const apl = 'logs | count';
    await callTool(await connect(world.owner, 'claude-code'), 'query', { apl });
    const { body } = await world.send<readonly unknown[]>('GET', '/v1/datasets/_history?limit=1');
    expect(body).toMatchObject([{ kind: 'apl', query: { apl, agent: expect.any(String) } }]);
  });
});

describe('rights', () => {
  it('a token sees the datasets that it may query, and nothing else', async () => {
    const client = await connect(await world.token({ datasetCapabilities: { logs: { query: ['read'] } } }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('list_monitors');
    expect(names).not.toContain('get_dashboard');
    expect(client.getInstructions()).toContain('monitors:read');
    expect((await callTool(client, 'list_datasets')).text).not.toMatch(/secret|traces/);
    for (const [tool, args] of [
      ['describe_dataset', { dataset: 'secret' }],
      ['query', { apl: 'secret' }],
      ['search_word', { dataset: 'secret', word: 'hush' }],
    ] as const) {
      const { text, isError } = await callTool(client, tool, args);
      expect(isError).toBe(true);
      expect(text).toContain("query:read on 'secret'");
      expect(text).not.toContain('hush');
    }
    await expect(client.readResource({ uri: 'millrace://datasets/secret/schema' })).rejects.toThrow('secret');
  });

  it('a token without rights to query, and one that does not exist, are rejected', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const ingest = await world.token({ datasetCapabilities: { logs: { ingest: ['create'] } } });
    expect(await world.send('POST', '/mcp', ping, { token: ingest })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('query:read') },
    });
    const unknown = await world.send('POST', '/mcp', ping, { token: 'xaat-00000000-0000-4000-8000-000000000000' });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('pages of other origins are rejected', async () => {
    const headers = { origin: 'https://example.com' };
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await world.send('POST', '/mcp', ping, { headers })).status).toBe(403);
  });

  it('only messages are accepted', async () => expect((await world.send('GET', '/mcp')).status).toBe(405));
});

describe('cancellation', () => {
  const slow = 'heavy | join kind=inner (heavy) on k | summarize count(), max(i), dcount(strcat(s, s1))';
  const listRunning = async (): Promise<readonly { readonly query: string }[]> =>
    (await world.send<readonly { readonly query: string }[]>('GET', '/v1/queries')).body;
  const post = (message: object, signal?: AbortSignal) =>
    world.send('POST', '/mcp', { jsonrpc: '2.0', ...message }, signal === undefined ? {} : { signal });
  const call = (id: number, signal?: AbortSignal) =>
    post(
      { id, method: 'tools/call', params: { name: 'query', arguments: { apl: slow, startTime: 'now-1d' } } },
      signal,
    );

  beforeAll(async () => {
    const row = (i: number) => ({ i, k: i % 3, s: `s${i}` });
    await world.dataset(
      'heavy',
      Array.from({ length: 12_000 }, (_, i) => row(i)),
    );
  });

  it('a message that names the call ends its query', async () => {
    const answer = call(77);
    await expect.poll(async () => (await listRunning()).some(({ query }) => query === slow)).toBe(true);
    await post({ method: 'notifications/cancelled', params: { requestId: 78 } });
    expect(await listRunning()).not.toEqual([]);
    await post({ method: 'notifications/cancelled', params: { requestId: 77, reason: 'enough' } });
    await expect.poll(listRunning).toEqual([]);
    expect((await answer).text).not.toContain('12000');
  });

  it('a closed connection ends the query', async () => {
    const stop = new AbortController();
    const answer = call(1, stop.signal).catch(() => 'closed');
    await expect.poll(async () => (await listRunning()).some(({ query }) => query === slow)).toBe(true);
    stop.abort();
    expect(await answer).toBe('closed');
    await expect.poll(listRunning).toEqual([]);
  });
});
